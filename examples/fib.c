/* Fork and join both ways: with plain functions, and with typed tasks, which cost about a call. */
#include <heist/heist.h>
#include <stdio.h>

struct fib {
    int n;
    long result;
};

static void plain(heist_worker *w, void *arg)
{
    struct fib *f = arg;
    if (f->n < 2) {
        f->result = f->n;
        return;
    }
    struct fib a = {f->n - 1, 0}, b = {f->n - 2, 0};
    heist_task task;
    heist_fork(w, &task, plain, &a); /* may run anywhere, from now on */
    plain(w, &b);
    heist_join(w, &task); /* a.result is there */
    f->result = a.result + b.result;
}

HEIST_TASK(long, typed, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(typed, n - 1);
    long b = HEIST_CALL(typed, n - 2);
    return b + HEIST_JOIN(typed);
}

int main(void)
{
    struct fib f = {30, 0};
    long result;
    if (heist_run(NULL, plain, &f) || heist_run_typed(NULL, &result, 30))
        return 1;
    printf("fib(30) = %ld, and %ld\n", f.result, result);
}
