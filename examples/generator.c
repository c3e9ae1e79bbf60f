/*
 * A real-time generator: readings come one by one, while the pool runs, and each becomes jobs at
 * once. The kind bwos_fifo keeps the order also for jobs that a job submits; with one worker it is
 * exact, with the default kind the newest would be first.
 */
#include <heist/heist.h>
#include <stdio.h>
#include <time.h>

enum { READINGS = 200, SAMPLES = 8 };

struct sample {
    int reading, number;
};

struct reading {
    heist_group *group;
    struct sample samples[SAMPLES];
};

static int stored, late; /* samples; those that came after a later one */
static struct sample last;

static void store(heist_worker *w, void *arg)
{
    const struct sample *s = arg;
    (void)w;
    late += s->reading < last.reading || (s->reading == last.reading && s->number < last.number);
    last = *s;
    stored++;
}

static void split(heist_worker *w, void *arg)
{
    struct reading *r = arg;
    (void)w;
    for (int i = 0; i < SAMPLES; i++)
        if (heist_group_submit(r->group, store, &r->samples[i]))
            return; /* stored tells */
}

int main(void)
{
    heist_pool_opts opts = {.size = sizeof opts, .workers = 1, .queue = "bwos_fifo"};
    const struct timespec pause = {.tv_nsec = 100000};
    static struct reading readings[READINGS];
    heist_pool *pool;
    heist_group group;
    if (heist_pool_new(&pool, &opts) || heist_group_init(&group, pool))
        return 1;
    for (int i = 0; i < READINGS; i++) {
        readings[i].group = &group;
        for (int j = 0; j < SAMPLES; j++)
            readings[i].samples[j] = (struct sample){i, j};
        if (heist_group_submit(&group, split, &readings[i]))
            return 1;
        nanosleep(&pause, NULL); /* until the next one comes */
    }
    if (heist_group_wait(&group))
        return 1;
    printf("%d samples of %d readings, %d out of order\n", stored, READINGS, late);
    heist_pool_free(pool);
}
