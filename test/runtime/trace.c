/* SPDX-License-Identifier: MIT */
/*
 * trace DIRECTORY: traces as pools make them, several in one file, too long ones, of programs that
 * fork or end early, and in places where no file can be. Every file must be complete, and nothing
 * else may be left in the directory, which is made anew.
 */
#define _GNU_SOURCE
#include "../../src/runtime/trace.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "trace_reader.h"

/* Functions whose names the trace must know, though nobody exports them; the second as a typed
   task's. */
static __attribute__((noinline)) void plain_task(void) { __asm__ volatile("" ::: "memory"); }
static __attribute__((noinline)) void typed_run_(void) { __asm__ volatile("# typed" ::: "memory"); }

static struct heist_trace_ *opened(const char *path, unsigned workers, const char *pool,
                                   uint64_t events_max)
{
    struct heist_trace_ *trace = NULL;
    check(!heist_trace_open_(&trace, path, workers, pool, events_max));
    check(trace != NULL);
    return trace;
}

static void record(struct heist_trace_buffer_ *b, enum heist_trace_kind_ kind, uint64_t a)
{
    heist_trace_event_(b, kind, a, 0);
}

static bool exists(const char *path)
{
    struct stat there;
    return !stat(path, &there);
}

/* ---- the events ---- */

enum { ROUNDS = 3000 }; /* so that there are several chunks */

static void *thief(void *buffer)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        record(buffer, HEIST_TRACE_IDLE_, 0);
        record(buffer, HEIST_TRACE_ASK_, 0);
        record(buffer, HEIST_TRACE_PARK_, 0);
        record(buffer, HEIST_TRACE_END_, 0);
        record(buffer, HEIST_TRACE_END_, 0);
        record(buffer, HEIST_TRACE_STEAL_, 0);
        record(buffer, HEIST_TRACE_FORK_, (uintptr_t)typed_run_);
        heist_trace_event_(buffer, HEIST_TRACE_GRANT_, 0, 5);
        record(buffer, HEIST_TRACE_END_, 0);
    }
    return NULL;
}

static void *victim(void *buffer)
{
    record(buffer, HEIST_TRACE_RUN_, (uintptr_t)plain_task);
    for (unsigned i = 0; i < ROUNDS; i++) {
        record(buffer, HEIST_TRACE_WAKE_, i % 2 ? 1 : HEIST_TRACE_UNKNOWN_);
        record(buffer, HEIST_TRACE_WAIT_, 1);
        record(buffer, HEIST_TRACE_JOB_, 1); /* an address that is in no file */
        record(buffer, HEIST_TRACE_END_, 0);
        record(buffer, HEIST_TRACE_END_, 0);
    }
    return NULL; /* without an end */
}

static void test_events(void)
{
    struct heist_trace_ *trace = opened("events.json", 2, "\"one\"\n\xff\xc3\xa4", 0);
    pthread_t thread[2];
    check(!pthread_create(&thread[0], NULL, victim, heist_trace_buffer_(trace, 0)));
    check(!pthread_create(&thread[1], NULL, thief, heist_trace_buffer_(trace, 1)));
    check(!heist_trace_buffer_(trace, 2) && !heist_trace_buffer_(NULL, 0));
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    check(!exists("events.json"));
    check(!heist_trace_close_(trace));

    struct trace t;
    check(trace_read(&t, "events.json"));
    static const struct {
        char phase;
        const char *name;
        size_t number;
    } wanted[] = {{'B', "plain_task", 1}, {'B', "typed", ROUNDS},  {'B', "0x1", ROUNDS},
                  {'B', "idle", ROUNDS},  {'B', "parked", ROUNDS}, {'B', "waits", ROUNDS},
                  {'i', "steal", ROUNDS}, {'i', "ask", ROUNDS},    {'i', "grant", ROUNDS},
                  {'i', "wake", ROUNDS},  {'s', "steal", ROUNDS},  {'f', "steal", ROUNDS},
                  {'M', NULL, 3}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (trace_count(&t, wanted[i].phase, wanted[i].name) != wanted[i].number)
            check((printf("%c %s\n", wanted[i].phase, wanted[i].name), false));
    for (size_t i = 0; i < t.events; i++)
        if (t.event[i].phase == 'B' && !strcmp(t.event[i].name, "typed"))
            check(!strcmp(t.event[i].category, "fork"));
    free(t.event);
}

/* More ends than beginnings, and fewer; steals from a worker that is not in the trace. */
static void test_unpaired(void)
{
    struct heist_trace_ *trace = opened("unpaired.json", 1, "p", 0);
    struct heist_trace_buffer_ *b = heist_trace_buffer_(trace, 0);
    struct trace t;
    record(b, HEIST_TRACE_END_, 0);
    record(b, HEIST_TRACE_STEAL_, 7);
    record(b, HEIST_TRACE_IDLE_, 0);
    record(b, HEIST_TRACE_PARK_, 0);
    check(!heist_trace_close_(trace));
    check(trace_read(&t, "unpaired.json"));
    check(trace_count(&t, 'E', NULL) == 2 && trace_count(&t, 's', NULL) == 0);
    free(t.event);
}

static void test_bound(void)
{
    enum { BOUND = 1500, MORE = 10 };
    struct heist_trace_ *trace = opened("bound.json", 1, "p", BOUND);
    struct heist_trace_buffer_ *b = heist_trace_buffer_(trace, 0);
    struct trace t;
    for (unsigned i = 0; i < BOUND; i++)
        record(b, i % 2 ? HEIST_TRACE_ASK_ : HEIST_TRACE_IDLE_, 0);
    for (unsigned i = 0; i < MORE; i++)
        record(b, HEIST_TRACE_END_, 0);
    check(!heist_trace_close_(trace));
    check(trace_read(&t, "bound.json"));
    check(trace_count(&t, 'B', "idle") == BOUND / 2 && trace_count(&t, 'i', "ask") == BOUND / 2);
    check(trace_count(&t, 'i', "events are missing from here on") == 1);
    free(t.event);
    FILE *in = fopen("bound.json", "r");
    char line[256];
    bool told = false;
    while (in && fgets(line, sizeof line, in))
        told |= strstr(line, "\"dropped\":10}}") != NULL;
    check(told);
    if (in)
        fclose(in);
}

/* ---- several pools ---- */

static size_t runs_in(const char *path)
{
    struct trace t;
    bool ok = trace_read(&t, path);
    size_t runs = ok ? trace_count(&t, 'B', "plain_task") : 0;
    free(t.event);
    return runs;
}

static void run_once(struct heist_trace_ *trace)
{
    struct heist_trace_buffer_ *b = heist_trace_buffer_(trace, 0);
    if (check(b != NULL && heist_trace_buffer_(trace, 1))) {
        record(b, HEIST_TRACE_RUN_, (uintptr_t)plain_task);
        record(b, HEIST_TRACE_STEAL_, 1);
        record(b, HEIST_TRACE_END_, 0);
    }
}

static int one_pool(const char *path)
{
    struct heist_trace_ *trace = opened(path, 99, "another", 0); /* rows for two */
    run_once(trace);
    return heist_trace_close_(trace);
}

static void test_pools(void)
{
    struct heist_trace_ *a = opened("pools.json", 2, "a", 0);
    struct heist_trace_ *b = opened("./pools.json", 2, "b", 0);
    struct trace t;
    run_once(a);
    run_once(b);
    check(!heist_trace_close_(a));
    check(!exists("pools.json"));
    check(!heist_trace_close_(b));
    check(runs_in("pools.json") == 2);
    check(!one_pool("pools.json"));
    check(trace_read(&t, "pools.json"));
    check(trace_count(&t, 'B', "plain_task") == 3 && trace_count(&t, 's', NULL) == 3);
    check(trace_count(&t, 'M', "thread_name") == 6 && trace_count(&t, 'M', "process_name") == 1);
    free(t.event);
    check(!rename("pools.json", "moved.json"));
    FILE *theirs = fopen("pools.json", "w"); /* which is not to be added to */
    check(theirs && fputs("theirs", theirs) > 0 && !fclose(theirs));
    check(!one_pool("pools.json"));
    check(runs_in("moved.json") == 3 && runs_in("pools.json") == 1);
    check(!symlink("moved.json", "link.json"));
    check(!one_pool("link.json"));
    check(runs_in("moved.json") == 1);
}

/* ---- processes ---- */

/* Whether `in_child` ended well in a process of its own. */
static bool forked(void (*in_child)(void))
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (!child) {
        alarm(60);
        checks_failed = 0;
        in_child();
        exit(check_status());
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static struct heist_trace_ *of_parent;

static void be_child(void)
{
    struct heist_trace_ *trace = (struct heist_trace_ *)&trace;
    run_once(of_parent);
    check(!heist_trace_open_(&trace, "forked.json", 2, "child's", 0) && !trace);
    check(!heist_trace_close_(trace));
    check(!heist_trace_close_(of_parent));
    check(!exists("forked.json"));
    check(!one_pool("child%p%%.json"));
    char name[64];
    snprintf(name, sizeof name, "child%ld%%.json", (long)getpid());
    check(runs_in(name) == 1);
    check(!unlink(name));
}

static void test_fork(void)
{
    of_parent = opened("forked.json", 2, "parent's", 0);
    run_once(of_parent);
    check(forked(be_child));
    check(!exists("forked.json"));
    check(!heist_trace_close_(of_parent));
    check(runs_in("forked.json") == 1);
}

static heist_au32 recording;

static void *record_forever(void *buffer)
{
    record(buffer, HEIST_TRACE_RUN_, (uintptr_t)plain_task);
    for (;;) {
        record(buffer, HEIST_TRACE_IDLE_, 0);
        heist_store(&recording, 1, __ATOMIC_RELEASE);
        record(buffer, HEIST_TRACE_END_, 0);
    }
    return NULL;
}

/* With a worker at work. */
static void end_early(void)
{
    pthread_t thread;
    struct heist_trace_ *trace = opened("early.json", 2, "p", 100000);
    check(!pthread_create(&thread, NULL, record_forever, heist_trace_buffer_(trace, 0)));
    heist_await(heist_load(&recording, __ATOMIC_ACQUIRE));
}

/* The file can't grow: what was in it before stays. */
static void fill_the_disk(void)
{
    struct stat file;
    check(!one_pool("full.json"));
    check(!stat("full.json", &file));
    struct rlimit limit = {(rlim_t)file.st_size + 20, (rlim_t)file.st_size + 20};
    signal(SIGXFSZ, SIG_IGN);
    check(!setrlimit(RLIMIT_FSIZE, &limit));
    check(one_pool("full.json") == -EFBIG);
    check(runs_in("full.json") == 1);
    check(one_pool("new.json") == 0); /* smaller than the limit */
    limit.rlim_cur = 30;
    check(!setrlimit(RLIMIT_FSIZE, &limit));
    check(one_pool("none.json") == -EFBIG);
    check(!exists("none.json"));
}

/* ---- places where no file can be ---- */

static void test_bad_paths(void)
{
    static const struct {
        const char *path;
        int error;
    } bad[] = {{"", -EINVAL},     {"no/such/directory.json", -ENOENT},
               {"new/", -EISDIR}, {".", -EISDIR},
               {"fifo", -EINVAL}, {"events.json/x", -ENOTDIR}};
    struct heist_trace_ *untouched = (struct heist_trace_ *)&untouched, *trace = untouched;
    check(!mkfifo("fifo", 0666)); /* not a device: the test may be root's, and the library wrong */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int error = heist_trace_open_(&trace, bad[i].path, 1, "p", 0);
        if (error != bad[i].error)
            check((printf("'%s': %d\n", bad[i].path, error), false));
        check(trace == untouched);
    }
    check(!mkdir("closed", 0500));
    int error = heist_trace_open_(&trace, "closed/x.json", 1, "p", 0);
    check(geteuid() ? error == -EACCES : !error && !heist_trace_close_(trace));
}

/* ---- the directory ---- */

static void empty(const char *path)
{
    DIR *directory = opendir(path);
    struct dirent *entry;
    char name[512];
    while (directory && (entry = readdir(directory)))
        if (snprintf(name, sizeof name, "%s/%s", path, entry->d_name) > 0 && unlink(name))
            rmdir(name);
    if (directory)
        closedir(directory);
}

static void check_nothing_left(void)
{
    DIR *directory = opendir(".");
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (strstr(entry->d_name, ".tmp"))
            check((printf("%s is left\n", entry->d_name), false));
    check(directory && !closedir(directory));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: trace DIRECTORY\n");
        return 2;
    }
    char closed[512];
    snprintf(closed, sizeof closed, "%s/closed", argv[1]);
    empty(closed);
    empty(argv[1]);
    mkdir(argv[1], 0777);
    if (chdir(argv[1])) {
        perror(argv[1]);
        return 2;
    }
    check(forked(end_early));
    check(runs_in("early.json") == 1);
    check(forked(fill_the_disk));
    test_events();
    test_unpaired();
    test_bound();
    test_pools();
    test_fork();
    test_bad_paths();
    check_nothing_left();
    return check_status();
}
