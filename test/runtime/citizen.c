/* SPDX-License-Identifier: MIT */
/*
 * citizen [idle SECONDS]: what a pool does to the rest of the program: fork(), threads, signals,
 * CPUs, idle time, wrong calls. pthread_create is wrapped, to fail when the test wants it to.
 */
#define _GNU_SOURCE
#include "pools.h"
#include "work.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 60 };

/* ---- threads ---- */

static int threads_left = -1; /* that may still be made; -1: any number */

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*fn)(void *),
                          void *arg)
{
    if (!threads_left)
        return EAGAIN;
    threads_left -= threads_left > 0;
    return __real_pthread_create(thread, attr, fn, arg);
}

/* Threads of this process; `named`: only those that the library has named. */
static unsigned threads(bool named)
{
    unsigned n = 0;
    struct dirent *entry;
    DIR *tasks = opendir("/proc/self/task");
    while (tasks && (entry = readdir(tasks))) {
        char path[300], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        FILE *comm = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        n += comm && fgets(name, sizeof name, comm) && (!named || !strcmp(name, "heist\n"));
        if (comm)
            fclose(comm);
    }
    if (tasks)
        closedir(tasks);
    return n;
}

/* A thread that was joined may still be seen for a moment. */
static bool threads_become(bool named, unsigned wanted)
{
    double end = seconds() + PATIENCE;
    while (threads(named) != wanted && seconds() < end)
        nap(1e-3);
    return threads(named) == wanted;
}

/* It can do all that a pool can. */
static bool works(heist_pool *pool)
{
    heist_au32 sum = {0};
    heist_job job[10];
    uint32_t leaves = 0;
    bool ok = check(!heist_run_tree(pool, &leaves, 12) && leaves == 4096);
    for (int i = 0; i < 10; i++)
        ok &= check(!heist_submit(pool, &job[i], add_one, &sum));
    for (int i = 0; i < 10; i++)
        ok &= check(!heist_wait(&job[i]));
    ok &= check(!heist_run_for(pool, 0, 1000, 0, add_range, &sum));
    return ok & check(heist_load(&sum, __ATOMIC_RELAXED) == 1010);
}

static void test_threads(void)
{
    check(!heist_pool_free(pool_of(2, NULL))); /* a sanitizer's own thread comes with the first */
    unsigned before = threads(false);
    for (unsigned workers = 1; workers <= 8; workers *= 2) {
        heist_pool *pool = pool_of(workers, NULL);
        check(threads_become(true, workers - 1));
        check(works(pool));
        check(info_of(pool).threads >= 1 && info_of(pool).threads <= workers);
        check(threads_become(true, info_of(pool).threads));
        check(!heist_pool_free(pool));
        check(threads_become(false, before));
    }
}

static void test_refused_threads(void)
{
    for (int got = 0; got < 4; got++) {
        threads_left = got;
        heist_pool *pool = pool_of(4, NULL);
        heist_pool_info info = info_of(pool);
        heist_au32 sum = {0};
        uint32_t leaves = 0;
        check(info.workers == 4);
        check(info.threads == (unsigned)got && info.error == (got < 3 ? -EAGAIN : 0));
        check(!heist_run_tree(pool, &leaves, 12) && leaves == 4096);
        if (got) {
            check(works(pool));
        } else {
            check(heist_submit(pool, NULL, add_one, &sum) == -EAGAIN);
            check(info_of(pool).jobs == 0);
            threads_left = -1; /* better times: it tries again */
            check(works(pool));
        }
        threads_left = -1;
        check(!heist_pool_free(pool));
    }
}

/* ---- fork() ---- */

static bool child_ends_well(pid_t child)
{
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What a child ends with that uses the pool of its parent, `depth` generations. */
static int as_child(heist_pool *pool, int depth)
{
    alarm(CHILD_SECONDS);
    checks_failed = 0;
    check(works(pool));
    check(works(NULL));
    if (depth) {
        pid_t child = fork();
        if (!child)
            _exit(as_child(pool, depth - 1));
        check(child_ends_well(child));
        check(works(pool));
    }
    check(!heist_pool_free(pool));
    check_status();
    return checks_failed != 0;
}

static heist_au32 enough;

static void *keep_busy(void *pool)
{
    while (!heist_load(&enough, __ATOMIC_RELAXED)) {
        uint32_t leaves;
        heist_au32 sum = {0};
        check(!heist_run_tree(pool, &leaves, 10));
        heist_job job[20];
        for (int i = 0; i < 20; i++)
            check(!heist_submit(pool, &job[i], add_one, &sum));
        for (int i = 0; i < 20; i++)
            check(!heist_wait(&job[i]));
    }
    return NULL;
}

static void test_fork(const char *queue, unsigned workers, bool busy)
{
    heist_pool *pool = pool_of(workers, queue);
    pthread_t thread;
    check(works(pool));
    check(works(NULL));
    heist_store(&enough, 0, __ATOMIC_RELAXED);
    if (busy)
        check(!pthread_create(&thread, NULL, keep_busy, pool));
    for (int i = 0; i < (busy ? 30 : 3); i++) {
        pid_t child = fork();
        if (!child)
            _exit(as_child(pool, busy ? 0 : 2));
        if (!check(child_ends_well(child))) {
            printf("a child with %s and %u workers%s\n", queue, workers, busy ? ", busy" : "");
            break;
        }
        check(works(pool));
    }
    heist_store(&enough, 1, __ATOMIC_RELAXED);
    if (busy)
        pthread_join(thread, NULL);
    check(!heist_pool_free(pool));
}

/* A task that starts another program; and one whose child goes on with the pool. */
static void fork_in_task(heist_worker *w, void *arg)
{
    pid_t child = fork();
    (void)arg;
    if (!child) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    check(child_ends_well(child));
    child = fork();
    if (!child) {
        alarm(CHILD_SECONDS);
        checks_failed = 0;
        check(works(heist_worker_pool(w)));
        _exit(checks_failed != 0);
    }
    check(child_ends_well(child));
}

static void test_fork_in_task(unsigned workers)
{
    heist_pool *pool = pool_of(workers, NULL);
    heist_job job;
    check(!heist_run(pool, fork_in_task, NULL));
    check(!heist_submit(pool, &job, fork_in_task, NULL));
    check(!heist_wait(&job));
    check(works(pool));
    check(!heist_pool_free(pool));
}

/* ---- signals ---- */

static heist_au32 signals, signals_on_workers;

static void on_signal(int number)
{
    (void)number;
    heist_add(&signals, 1, __ATOMIC_RELAXED);
    if (heist_worker_current())
        heist_add(&signals_on_workers, 1, __ATOMIC_RELAXED);
}

static __thread sigjmp_buf out_of_fault;

static void on_fault(int number)
{
    (void)number;
    siglongjmp(out_of_fault, 1);
}

/* A program that handles its faults can do so in tasks too. */
static void fault(heist_worker *w, void *survived)
{
    (void)w;
    if (!sigsetjmp(out_of_fault, 1))
        raise(SIGSEGV);
    else
        heist_store((heist_au32 *)survived, 1, __ATOMIC_RELAXED);
}

static void test_signals(const char *queue)
{
    static const int numbers[] = {SIGUSR1, SIGALRM, SIGURG, SIGTERM};
    struct sigaction before, action = {.sa_handler = on_signal};
    heist_pool *pool = pool_of(4, queue);
    sigset_t block, mask;
    heist_au32 survived = {0};
    heist_job job;
    heist_store(&signals, 0, __ATOMIC_RELAXED);
    check(works(pool));
    sigemptyset(&block);
    for (int i = 0; i < 4; i++) {
        check(!sigaction(numbers[i], &action, &before));
        sigaddset(&block, numbers[i]);
    }
    pthread_sigmask(SIG_BLOCK, &block, &mask);
    for (int i = 0; i < 4; i++)
        kill(getpid(), numbers[i]); /* to whichever thread does not block it: none */
    nap(5e-3);
    check(!heist_load(&signals, __ATOMIC_RELAXED));
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    check(heist_load(&signals, __ATOMIC_RELAXED) == 4);
    check(!heist_load(&signals_on_workers, __ATOMIC_RELAXED));
    for (int i = 0; i < 4; i++)
        signal(numbers[i], SIG_DFL);
    action.sa_handler = on_fault;
    check(!sigaction(SIGSEGV, &action, &before));
    check(!heist_submit(pool, &job, fault, &survived));
    check(!heist_wait(&job));
    check(heist_load(&survived, __ATOMIC_RELAXED));
    sigaction(SIGSEGV, &before, NULL);
    check(!heist_pool_free(pool));
}

/* ---- CPUs ---- */

static void test_refresh(void)
{
    cpu_set_t all, one;
    check(!sched_getaffinity(0, sizeof all, &all));
    unsigned cpus = (unsigned)CPU_COUNT(&all);
    int first = 0;
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    unsetenv("HEIST_WORKERS");
    heist_pool *pool = pool_of(0, NULL), *fixed = pool_of(3, NULL);
    unsigned workers = heist_pool_workers(pool);
    check(workers >= 1 && workers <= cpus && info_of(pool).affinity == cpus);
    check(works(pool));
    check(!sched_setaffinity(0, sizeof one, &one));
    check(!heist_pool_refresh(pool));
    check(!heist_pool_refresh(fixed));
    check(heist_pool_workers(pool) == 1 && info_of(pool).affinity == 1);
    check(heist_pool_workers(fixed) == 3);
    check(works(pool));
    check(!sched_setaffinity(0, sizeof all, &all));
    for (int i = 0; i < 20; i++) {
        check(!heist_pool_refresh(pool));
        check(works(pool));
    }
    check(heist_pool_workers(pool) == workers);
    check(!heist_pool_free(pool));
    check(!heist_pool_free(fixed));
    check(!sched_setaffinity(0, sizeof one, &one)); /* the same, and then more than it began with */
    pool = pool_of(0, NULL);
    check(heist_pool_workers(pool) == 1);
    check(works(pool));
    check(!sched_setaffinity(0, sizeof all, &all));
    check(!heist_pool_refresh(pool));
    check(heist_pool_workers(pool) == workers);
    check(works(pool));
    check(!heist_pool_free(pool));
}

/* ---- idle ---- */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void test_idle(const char *queue, double length)
{
    heist_pool *pool = pool_of(4, queue);
    check(works(pool));
    nap(0.2); /* to fall asleep, on a busy machine */
    double used = cpu_seconds();
    nap(length);
    used = cpu_seconds() - used;
    if (!check(used < 1e-3 * length))
        printf("%s: %.6f s in %g s of idleness\n", queue, used, length);
    check(!heist_pool_free(pool));
}

/* ---- wrong calls ---- */

static void join_wrongly(heist_worker *w, void *arg)
{
    heist_task first, second;
    heist_au32 sum = {0};
    (void)arg;
    check(heist_fork(w, &first, NULL, NULL) == -EINVAL);
    check(heist_join(w, &first) == -EINVAL);
    check(!heist_fork(w, &first, add_one, &sum));
    check(!heist_fork(w, &second, add_one, &sum));
    check(heist_join(w, &first) == -EINVAL);
    check(!heist_join(w, &second));
    check(heist_join(w, &second) == -EINVAL);
    check(!heist_join_only(w, &first));
    check(heist_join_only(w, &first) == -EINVAL);
    check(heist_load(&sum, __ATOMIC_RELAXED) == 2);
    check(heist_pool_free(heist_worker_pool(w)) == -EDEADLK);
}

static void test_wrong_calls(void)
{
    heist_pool *pool = NULL;
    heist_job job;
    heist_pool_opts opts = {.size = sizeof opts, .workers = 100000};
    heist_pool_info info = {.size = 1};
    check(heist_pool_new(&pool, &opts) == -EINVAL);
    opts = (heist_pool_opts){.size = sizeof opts, .queue = "no such queue"};
    check(heist_pool_new(&pool, &opts) == -EINVAL);
    opts = (heist_pool_opts){.size = sizeof opts, .queue = "bwos_lifo:0"};
    check(heist_pool_new(&pool, &opts) == -EINVAL);
    opts = (heist_pool_opts){.size = sizeof opts, .stats = 77};
    check(heist_pool_new(&pool, &opts) == -EINVAL);
    opts = (heist_pool_opts){.size = 1};
    check(heist_pool_new(&pool, &opts) == -EINVAL);
    check(heist_pool_new(NULL, NULL) == -EINVAL);
    check(!pool);
    check(!heist_pool_free(NULL));
    pool = pool_of(2, NULL);
    check(heist_pool_inspect(pool, &info) == -EINVAL);
    check(heist_pool_inspect(pool, NULL) == -EINVAL);
    check(heist_run(pool, NULL, NULL) == -EINVAL);
    check(!heist_run(pool, join_wrongly, NULL));
    check(!heist_submit(pool, &job, join_wrongly, NULL));
    check(!heist_wait(&job));
    check(works(pool));
    check(!heist_pool_free(pool));
}

int main(int argc, char **argv)
{
    static const char *const queues[] = {"heist",        "global",    "locked",    "abp",
                                         "chaselev",     "bwos_lifo", "bwos_fifo", "split",
                                         "split:signal", "bulk"};
    if (argc == 3 && !strcmp(argv[1], "idle")) {
        test_idle("heist", atof(argv[2]));
        return check_status();
    }
    if (argc != 1) {
        fprintf(stderr, "usage: citizen [idle SECONDS]\n");
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0); /* nothing is left in it for a child to print again */
    test_threads();
    test_refused_threads();
    test_wrong_calls();
    test_refresh();
    test_signals("heist");
    test_signals("split");
    if (SANITIZED)
        return check_status(); /* their allocators and threads do not survive fork() */
    for (unsigned workers = 1; workers <= 4; workers *= 2) {
        test_fork("heist", workers, false);
        test_fork_in_task(workers);
    }
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        test_fork(queues[i], 2, true);
    return check_status();
}
