/*
 * The same program on any kind of queue: queues [KIND], as HEIST_QUEUE takes it: chaselev,
 * split:half, bwos_lifo:64 and so on; `heist kinds` lists them.
 */
#include <heist/heist.h>
#include <stdio.h>
#include <string.h>

HEIST_TASK(long, queens, unsigned, columns, unsigned, left, unsigned, right)
{
    enum { ALL = (1 << 11) - 1 }; /* eleven queens on 11 x 11 squares */
    long solutions = columns == ALL;
    int forks = 0;
    for (unsigned free = ALL & ~(columns | left | right); free; free &= free - 1) {
        unsigned queen = free & -free;
        HEIST_FORK(queens, columns | queen, (left | queen) << 1, (right | queen) >> 1);
        forks++;
    }
    while (forks-- > 0)
        solutions += HEIST_JOIN(queens);
    return solutions;
}

int main(int argc, char **argv)
{
    const char *kind = argc > 1 ? argv[1] : "heist";
    heist_pool_opts opts = {.size = sizeof opts, .queue = kind};
    heist_pool_info info = {.size = sizeof info};
    heist_pool *pool;
    heist_stats sum;
    long solutions;
    int error = heist_pool_new(&pool, &opts);
    if (error) {
        fprintf(stderr, "queues: '%s': %s; `heist kinds` lists the kinds\n", kind,
                strerror(-error));
        return 2;
    }
    if (heist_run_queens(pool, &solutions, 0, 0, 0) || heist_pool_inspect(pool, &info) ||
        heist_pool_stats(pool, &sum, NULL, 0))
        return 1;
    printf("%ld solutions on %s: %u workers, %llu steals, %llu attempts in vain\n", solutions,
           info.queue, info.workers, (unsigned long long)sum.steals,
           (unsigned long long)(sum.empty + sum.lost));
    heist_pool_free(pool);
    return 0;
}
