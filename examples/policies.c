/*
 * Whom to steal from, and how much: policies [VICTIM], as HEIST_VICTIM takes it: numa,
 * best_of_two+prob and so on. Then the same with a policy of our own.
 */
#include <heist/heist.h>
#include <stdio.h>
#include <string.h>

HEIST_TASK(long, fib, int, n)
{
    if (n < 2)
        return n;
    HEIST_FORK(fib, n - 1);
    long b = HEIST_CALL(fib, n - 2);
    return HEIST_JOIN(fib) + b;
}

/* Our own: the neighbour, now on one side, now on the other. All workers call it at the same time.
 */
static unsigned neighbour(void *context, heist_victim *victim)
{
    unsigned steps = heist_victim_draw(victim, 2) ? 1 : victim->number - 1;
    (void)context;
    return (victim->self + steps) % victim->number;
}

static int run(const heist_pool_opts *opts)
{
    heist_pool_info info = {.size = sizeof info};
    heist_pool *pool;
    long result;
    int error = heist_pool_new(&pool, opts);
    if (error) {
        fprintf(stderr, "policies: '%s': %s; see docs/policies.md\n", opts->victim,
                strerror(-error));
        return 2;
    }
    error = heist_run_fib(pool, &result, 30);
    if (!error && !(error = heist_pool_inspect(pool, &info)))
        printf("fib(30) = %ld: victim %s, batch %s, pin %s\n", result, info.victim, info.batch,
               info.pin);
    heist_pool_free(pool);
    return error != 0;
}

int main(int argc, char **argv)
{
    heist_pool_opts by_name = {.size = sizeof by_name,
                               .queue = "bwos_lifo",
                               .victim = argc > 1 ? argv[1] : "numa+prob",
                               .batch = "half",
                               .pin = "compact"};
    heist_pool_opts own = {.size = sizeof own, .victim_fn = neighbour};
    int status = run(&by_name);
    return status ? status : run(&own);
}
