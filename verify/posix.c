/* SPDX-License-Identifier: MIT */
/* Mutexes, thread-specific data, signals and futexes of a program under check, by the checker's own
   words. */
#define _GNU_SOURCE
#include "posix.h"

#include <heist_model.h>

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>

#include "checker.h"
#include "state.h"

/* ---- Mutexes: the first word of one is whether it is locked ---- */

int check_mutex_lock(pthread_mutex_t *mutex, const char *file, int line)
{
    uint32_t no = 0;
    check_wait_begins();
    if (!check_cas(mutex, sizeof no, &no, 1, false, __ATOMIC_ACQUIRE, file, line))
        check_wait(file, line);
    return 0;
}

int check_mutex_trylock(pthread_mutex_t *mutex, const char *file, int line)
{
    uint32_t no = 0;
    return check_cas(mutex, sizeof no, &no, 1, false, __ATOMIC_ACQUIRE, file, line) ? 0 : EBUSY;
}

int check_mutex_unlock(pthread_mutex_t *mutex, const char *file, int line)
{
    check_store(mutex, sizeof(uint32_t), 0, __ATOMIC_RELEASE, file, line);
    return 0;
}

/* ---- Threads that are created ---- */

static struct {
    void *(*begin)(void *);
    void *argument;
} created[CHECK_THREADS];
static uint32_t creations, is_created[CHECK_THREADS];

int check_create(void *(*begin)(void *), void *argument)
{
    uint64_t n = check_add(&creations, sizeof creations, 1, __ATOMIC_RELAXED, __FILE__, __LINE__);
    if (n >= CHECK_THREADS)
        return EAGAIN;
    created[n].begin = begin;
    created[n].argument = argument;
    check_store(&is_created[n], sizeof *is_created, 1, __ATOMIC_RELEASE, __FILE__, __LINE__);
    return 0;
}

void check_run_created(int number)
{
    check_wait_begins();
    if (!check_load(&is_created[number], sizeof *is_created, __ATOMIC_ACQUIRE, __FILE__, __LINE__))
        check_wait(__FILE__, __LINE__);
    created[number].begin(created[number].argument);
}

/* ---- One key, whose destructor runs when a thread ends ---- */

static void (*at_end)(void *value);
static void *specific[CHECK_THREADS + 1];

int check_key_create(void (*end)(void *value))
{
    at_end = end;
    return 0;
}

int check_setspecific(const void *value)
{
    specific[check_self()] = (void *)(uintptr_t)value;
    return 0;
}

void posix_thread_ends(void)
{
    void *value = specific[check_self()];
    specific[check_self()] = NULL;
    if (value && at_end)
        at_end(value);
}

/*
 * ---- Signals: one number at a time, to a thread ----
 *
 * A signal is pending in a word of its thread, whose handler may run before any access of that
 * thread: whether it does is what the load of that word reads. A signal that finds another pending
 * takes its place, as the kernel merges them.
 */

static struct sigaction action;
static int number_handled;
static uint64_t pending[CHECK_THREADS + 1];
static bool inside[CHECK_THREADS + 1];

int check_sigaction(int number, const struct sigaction *set, struct sigaction *get)
{
    if (get)
        *get = action;
    if (set) {
        action = *set;
        number_handled = number;
    }
    return 0;
}

static long send_to(int thread, uint64_t value)
{
    if (thread < 0 || thread >= CHECK_THREADS || check_self() >= CHECK_THREADS) {
        errno = ESRCH; /* after all threads there is nobody to send to */
        return -1;
    }
    check_exchange(&pending[thread], sizeof *pending, value, __ATOMIC_ACQ_REL, __FILE__, __LINE__);
    return 0;
}

/*
 * ---- Futexes: words, on each of which one thread sleeps ----
 *
 * A word has a number of wakes. Who waits notes it, looks at the word, and sleeps until there are
 * more: if none come, that is a deadlock. In the kernel a lock makes one step of the look and of
 * lying down. Here a wake between the two ends the sleep; whoever relies on that is found asleep in
 * another execution, in which the wake came before the number was noted. The kernel promises no
 * order to who is woken, and so there is none here.
 */

#define AT __FILE__, __LINE__

enum { FUTEXES = 16 };

static uint32_t *futex_word[FUTEXES] CHECK_STATE; /* its place stays the same from run to run */
static uint32_t wakes[FUTEXES];
static int sleeper[FUTEXES]; /* 1 + the thread; 0: none yet */

static int futex_of(uint32_t *word)
{
    int i = 0;
    while (i < FUTEXES && futex_word[i] && futex_word[i] != word)
        i++;
    if (i == FUTEXES)
        check_fail("more futexes than the checker knows", AT);
    futex_word[i] = word;
    return i;
}

static uint32_t wakes_now(int futex, int order)
{
    return (uint32_t)check_load(&wakes[futex], sizeof *wakes, order, AT);
}

static void futex_wait(uint32_t *word, uint32_t value)
{
    int futex = futex_of(word), self = check_self() + 1;
    if (sleeper[futex] && sleeper[futex] != self)
        check_fail("two threads sleep on one word: the checker does not know which one is woken",
                   AT);
    sleeper[futex] = self;
    uint32_t before = wakes_now(futex, __ATOMIC_ACQUIRE);
    if (check_load(word, sizeof *word, __ATOMIC_RELAXED, AT) != value)
        return;
    check_wait_begins();
    if (wakes_now(futex, __ATOMIC_RELAXED) == before)
        check_wait(AT);
    check_goes_on();
}

static void futex(va_list args)
{
    uint32_t *word = va_arg(args, uint32_t *);
    int operation = va_arg(args, int) & FUTEX_CMD_MASK;
    uint32_t value = va_arg(args, uint32_t);
    if (operation == FUTEX_WAIT)
        futex_wait(word, value);
    else
        check_add(&wakes[futex_of(word)], sizeof *wakes, 1, __ATOMIC_RELEASE, AT);
}

static long queue_signal(va_list args)
{
    (void)va_arg(args, int); /* the process */
    int thread = (int)va_arg(args, uint32_t) - 1;
    (void)va_arg(args, int); /* the signal's number */
    const siginfo_t *info = va_arg(args, const siginfo_t *);
    return send_to(thread, (uintptr_t)info->si_value.sival_ptr);
}

long check_syscall(long number, ...)
{
    long result = 0;
    va_list args;
    va_start(args, number);
    if (number == SYS_gettid)
        result = check_self() + 1;
    else if (number == SYS_futex)
        futex(args);
    else
        result = queue_signal(args);
    va_end(args);
    return result;
}

void posix_deliver(void)
{
    int self = check_self();
    uint64_t *mine = &pending[self];
    if (!(action.sa_flags & SA_SIGINFO) || inside[self])
        return;
    inside[self] = true;
    if (check_load(mine, sizeof *mine, __ATOMIC_ACQUIRE, __FILE__, __LINE__)) {
        siginfo_t info;
        memset(&info, 0, sizeof info);
        info.si_code = SI_QUEUE;
        info.si_value.sival_ptr = (void *)(uintptr_t)check_exchange(
            mine, sizeof *mine, 0, __ATOMIC_ACQUIRE, __FILE__, __LINE__);
        action.sa_sigaction(number_handled, &info, NULL);
    }
    inside[self] = false;
}
