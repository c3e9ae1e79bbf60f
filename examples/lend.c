/* The main thread lends itself to the pool until all jobs are done, instead of sleeping. */
#include <heist/heist.h>
#include <pthread.h>
#include <stdio.h>

enum { JOBS = 1000 };

static pthread_t main_thread;

struct work {
    int input, output;
    int in_main;
};

static void work(heist_worker *w, void *arg)
{
    struct work *job = arg;
    (void)w;
    for (int i = 0; i < 100000; i++)
        job->output += (job->input ^ i) & 1;
    job->in_main = pthread_equal(pthread_self(), main_thread) != 0;
}

int main(void)
{
    static struct work jobs[JOBS];
    heist_group group;
    int in_main = 0;
    main_thread = pthread_self();
    if (heist_group_init(&group, NULL))
        return 1;
    for (int i = 0; i < JOBS; i++) {
        jobs[i].input = i;
        if (heist_group_submit(&group, work, &jobs[i]))
            return 1;
    }
    if (heist_group_lend(&group)) /* heist_group_wait would sleep; heist_lend is for one job */
        return 1;
    for (int i = 0; i < JOBS; i++) {
        if (jobs[i].output != 50000)
            return 1;
        in_main += jobs[i].in_main;
    }
    printf("%d jobs, %d of them on the main thread\n", JOBS, in_main);
}
