/* SPDX-License-Identifier: MIT */
/*
 * dump: the text that a pool prints of itself, in a handler of a signal, and when such a handler
 * may be there at all.
 */
#define _GNU_SOURCE
#include "../../src/runtime/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

static __attribute__((noinline)) void known_task(void) { __asm__ volatile("" ::: "memory"); }

enum { WORKERS_MAX = 1024 };
static struct heist_dump_worker_ worker[WORKERS_MAX];
static struct heist_dump_pool_ pool;

static struct heist_dump_worker_ describe(const void *context, unsigned number)
{
    return ((const struct heist_dump_worker_ *)context)[number];
}

static void make_pool(unsigned workers)
{
    pool = (struct heist_dump_pool_){.name = "mine",
                                     .kind = "heist",
                                     .workers = workers,
                                     .seats = workers,
                                     .worker = describe,
                                     .context = worker};
    for (unsigned i = 0; i < workers; i++)
        worker[i] =
            (struct heist_dump_worker_){.state = HEIST_DUMP_WAITING_, .depth = 1, .waits_for = -1};
}

/* ---- what was printed, through a file, which is never full ---- */

static int file;
static char text[1 << 20];

static const char *printed(void)
{
    ssize_t n = pread(file, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    check(!ftruncate(file, 0) && lseek(file, 0, SEEK_SET) == 0);
    return text;
}

static const char *print(void)
{
    check(heist_dump_print_(file, &pool));
    return printed();
}

static void test_text(void)
{
    make_pool(12);
    pool.jobs_queued = 3;
    pool.jobs_running = 1;
    worker[0] =
        (struct heist_dump_worker_){HEIST_DUMP_RUNNING_, (uintptr_t)known_task, 12, 3, 4, -1};
    worker[1] = (struct heist_dump_worker_){HEIST_DUMP_WAITING_, 0x10, 2, 0, 0, 0};
    static const enum heist_dump_state_ others[] = {HEIST_DUMP_IDLE_, HEIST_DUMP_PARKED_,
                                                    HEIST_DUMP_BENCHED_, HEIST_DUMP_NO_THREAD_,
                                                    HEIST_DUMP_LENDER_};
    for (unsigned i = 2; i < 12; i++)
        worker[i].state = others[i % 5];
    char begin[128], first[128], rest[128] = "";
    snprintf(begin, sizeof begin,
             "heist: process %ld, pool mine, kind heist, 12 workers, 3 jobs queued, 1 running\n",
             (long)getpid());
    const char *got = print();
    check(!strncmp(got, begin, strlen(begin)));
    unsigned offset;
    got += strlen(begin);
    check(sscanf(got, "  worker 0   runs       known_task (%127[^+]+0x%x), %127[^\n]", first,
                 &offset, rest) == 3);
    check(!strcmp(first, program_invocation_short_name) && offset);
    check(!strcmp(rest, "12 frames, 3 public, 4 queued"));
    check(strstr(
        got, "\n  worker 1   waits      for worker 0, runs 0x10, 2 frames, 0 public, 0 queued\n"));
    check(strstr(got, "\n  worker 2   benched    1 frame, 0 public, 0 queued\n"));
    check(strstr(got, "\n  worker 3   no thread  1 frame,"));
    check(strstr(got, "\n  worker 4   not lent   1 frame,"));
    check(strstr(got, "\n  worker 5   idle       1 frame,"));
    check(strstr(got, "\n  worker 11  parked     1 frame,"));
    check(!strstr(got, "cycle") && !strstr(got, "nobody"));
}

static void test_hints(void)
{
    make_pool(5);
    worker[4].waits_for = 1;
    worker[1].waits_for = 3;
    worker[3].waits_for = 2;
    worker[2].waits_for = 1;
    worker[0].waits_for = 99; /* of no pool */
    const char *got = print(), *cycle = strstr(got, "  a cycle: ");
    check(cycle &&
          !strncmp(cycle, "  a cycle: worker 1 waits for 3 waits for 2 waits for 1\n", 55));
    check(cycle && !strstr(cycle + 3, "a cycle"));
    check(strstr(got, "  nobody runs anything: 5 workers wait\n"));
    worker[2].state = HEIST_DUMP_RUNNING_;
    got = print();
    check(!strstr(got, "cycle") && !strstr(got, "nobody"));

    make_pool(2);
    worker[1].waits_for = 1;
    check(strstr(print(), "  a cycle: worker 1 waits for 1\n"));

    make_pool(1);
    worker[0].state = HEIST_DUMP_PARKED_;
    check(!strstr(print(), "nobody"));
    pool.jobs_queued = 1;
    check(strstr(print(), "  jobs are queued, but nobody runs anything\n"));
}

/* As many workers as there can be, in a ring: more than the buffer holds. */
static void test_many(void)
{
    make_pool(WORKERS_MAX);
    for (unsigned i = 0; i < WORKERS_MAX; i++)
        worker[i].waits_for = (int)((i + 1) % WORKERS_MAX);
    const char *got = print(), *line = got;
    unsigned lines = 0;
    while ((line = strchr(line, '\n'))) {
        line++;
        lines++;
    }
    check(lines == 1 + WORKERS_MAX + 2);
    check(strstr(got, "  worker 1023 waits"));
}

/* ---- the signal ---- */

static heist_au32 dumps, in_dump, let_go;

static void dump(int fd)
{
    check(fd == STDERR_FILENO);
    heist_dump_print_(file, &pool);
    errno = EDOM;
    heist_add(&dumps, 1, __ATOMIC_RELAXED);
}

static void own_handler(int signal) { (void)signal; }

static void own_action(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)info;
    (void)context;
}

static void test_signal(void)
{
    struct sigaction now;
    make_pool(1);
    check(!heist_dump_install_(SIGUSR1, dump));
    check(heist_dump_install_(SIGUSR2, dump) == -EBUSY);
    check(!sigaction(SIGUSR2, NULL, &now) && now.sa_handler == SIG_DFL);
    check(!sigaction(SIGUSR1, NULL, &now));
    check((now.sa_flags & (SA_RESTART | SA_ONSTACK)) == (SA_RESTART | SA_ONSTACK));
    errno = ERANGE;
    raise(SIGUSR1);
    check(errno == ERANGE);
    check(heist_load(&dumps, __ATOMIC_RELAXED) == 1 && strstr(printed(), "pool mine"));
    heist_dump_uninstall_();
    check(!sigaction(SIGUSR1, NULL, &now) && now.sa_handler == SIG_DFL);
    heist_dump_uninstall_(); /* nothing to do */

    /* The program's own handlers stay, those from before and those from after. */
    signal(SIGUSR1, own_handler);
    check(heist_dump_install_(SIGUSR1, dump) == -EBUSY);
    signal(SIGUSR1, SIG_IGN);
    check(heist_dump_install_(SIGUSR1, dump) == -EBUSY);
    check(!sigaction(SIGUSR1, NULL, &now) && now.sa_handler == SIG_IGN);
    signal(SIGUSR1, SIG_DFL);
    check(!heist_dump_install_(SIGUSR1, dump));
    struct sigaction own = {.sa_sigaction = own_action, .sa_flags = SA_SIGINFO};
    check(!sigaction(SIGUSR1, &own, NULL));
    heist_dump_uninstall_();
    check(!sigaction(SIGUSR1, NULL, &now) && now.sa_sigaction == own_action);
    signal(SIGUSR1, SIG_DFL);

    check(heist_dump_install_(SIGSEGV, dump) == -EINVAL);
    check(heist_dump_install_(SIGKILL, dump) == -EINVAL);
    check(heist_dump_install_(0, dump) == -EINVAL);
    check(heist_dump_install_(SIGUSR1, NULL) == -EINVAL);
}

/* As small as a program may have it, and the 4 KiB that docs/observing.md asks for. */
static void test_small_stack(void)
{
    enum { GUARD = 64, UNTOUCHED = 0xa5 };
    size_t size = (size_t)sysconf(_SC_MINSIGSTKSZ) + 4096;
    unsigned char *memory = malloc(GUARD + size);
    stack_t small = {.ss_sp = memory + GUARD, .ss_size = size}, none = {.ss_flags = SS_DISABLE};
    if (!check(memory != NULL))
        return;
    memset(memory, UNTOUCHED, GUARD + size);
    make_pool(1);
    worker[0].function = (uintptr_t)known_task;
    check(!sigaltstack(&small, NULL));
    check(!heist_dump_install_(SIGUSR1, dump));
    raise(SIGUSR1);
    check(strstr(printed(), "known_task ("));
    heist_dump_uninstall_();
    check(!sigaltstack(&none, NULL));
    size_t free_bytes = 0;
    while (free_bytes < GUARD + size && memory[free_bytes] == UNTOUCHED)
        free_bytes++;
    printf("a handler's stack: %zu of %zu bytes used\n", GUARD + size - free_bytes, size);
    check(free_bytes > GUARD && free_bytes < GUARD + size);
    free(memory);
}

static void slow_dump(int fd)
{
    (void)fd;
    heist_store(&in_dump, 1, __ATOMIC_RELEASE);
    heist_await(heist_load(&let_go, __ATOMIC_ACQUIRE));
    usleep(20000);
    heist_store(&in_dump, 0, __ATOMIC_RELEASE);
}

static void *raise_it(void *unused)
{
    raise(SIGUSR1);
    return unused;
}

/* Uninstall returns when the handler has. */
static void test_uninstall_waits(void)
{
    pthread_t thread;
    check(!heist_dump_install_(SIGUSR1, slow_dump));
    check(!pthread_create(&thread, NULL, raise_it, NULL));
    heist_await(heist_load(&in_dump, __ATOMIC_ACQUIRE));
    heist_store(&let_go, 1, __ATOMIC_RELEASE);
    heist_dump_uninstall_();
    check(!heist_load(&in_dump, __ATOMIC_ACQUIRE));
    pthread_join(thread, NULL);
}

int main(void)
{
    file = memfd_create("dump", MFD_CLOEXEC);
    if (!check(file >= 0))
        return 1;
    test_text();
    test_hints();
    test_many();
    test_signal();
    test_small_stack();
    test_uninstall_waits();
    return check_status();
}
