/* Two pools: one works for long, the other answers at once. */
#include <heist/heist.h>
#include <stdatomic.h>
#include <stdio.h>

struct estimate {
    atomic_bool enough;
    long points, inside;
};

/* Random points in a square: the part of them in the quarter of a circle is pi / 4. */
static void estimate_pi(heist_worker *w, void *arg)
{
    struct estimate *e = arg;
    unsigned long long random = 88172645463325252;
    (void)w;
    while (!atomic_load(&e->enough) || e->points < 10000000) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        double x = (double)(random & 0xffffffff) / 4294967296;
        double y = (double)(random >> 32) / 4294967296;
        e->inside += x * x + y * y < 1;
        e->points++;
    }
}

static void answer(heist_worker *w, void *arg)
{
    int *number = arg;
    (void)w;
    *number *= *number;
}

int main(void)
{
    heist_pool_opts opts = {.size = sizeof opts, .workers = 1};
    heist_pool *work, *answers;
    if (heist_pool_new(&work, &opts) || heist_pool_new(&answers, &opts))
        return 1;

    struct estimate estimate = {0};
    heist_job long_job;
    if (heist_submit(work, &long_job, estimate_pi, &estimate))
        return 1;
    for (int i = 1; i <= 3; i++) { /* the pool for work is busy all the time */
        heist_job job;
        int number = i;
        if (heist_submit(answers, &job, answer, &number) || heist_wait(&job))
            return 1;
        printf("%d squared is %d; ", i, number);
    }
    atomic_store(&estimate.enough, true);
    if (heist_wait(&long_job))
        return 1;
    printf("pi is about %.2f\n", 4.0 * (double)estimate.inside / (double)estimate.points);
    heist_pool_free(answers);
    heist_pool_free(work);
}
