#include <heist/heist.h>
#include <stdio.h>

HEIST_TASK(long, fib, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib, n - 1);          /* may run on any core, from now on */
    long b = HEIST_CALL(fib, n - 2); /* runs here */
    return b + HEIST_JOIN(fib);
}

int main(void)
{
    long result;
    if (!heist_run_fib(NULL, &result, 32)) /* NULL: the default pool, a worker per CPU */
        printf("fib(32) = %ld\n", result);
}
