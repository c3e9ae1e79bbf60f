/* SPDX-License-Identifier: MIT */
/*
 * Every queue that uses signals has a listing, in a list that only grows, since a handler may be
 * walking it at any time. A listing outlives its queue: `busy` lets detach wait until a handler
 * that is on its way has gone. The signal's value is the listing's address, which tells our signals
 * from the program's, plus a number from 1 on if detach sent it, to see whether all have arrived.
 */
#define _GNU_SOURCE
#include "split_signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signals.h"

struct heist_split_listing_ {
    heist_aptr queue;   /* NULL: free to use again */
    heist_au32 owner;   /* thread; 0: not known yet */
    heist_au32 busy;    /* a handler is looking at the queue */
    heist_au32 sent;    /* whether a signal was ever sent for the queue */
    heist_au32 arrived; /* the last number of detach's that the owner got */
    struct heist_split_listing_ *next;
} HEIST_ALIGNED;
typedef struct heist_split_listing_ listing;

/* Under the lock, but for `all`, which the handler walks. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static heist_aptr all;
static struct {
    size_t users;
    bool stray; /* a signal of ours may still come; the former action might kill */
    bool ours;
    struct sigaction before;
} handled[_NSIG];

static uint32_t this_thread(void) { return (uint32_t)syscall(SYS_gettid); }

#ifndef HEIST_SPLIT_NUMBERS
#define HEIST_SPLIT_NUMBERS (HEIST_LINE - 1) /* what fits between two listings */
#endif

/* The listing that one of our signals is about, and its number; NULL: it is not ours. */
static listing *sent_by_us(const siginfo_t *info, uint32_t *number)
{
    uintptr_t value = (uintptr_t)info->si_value.sival_ptr;
    listing *l = info->si_code == SI_QUEUE ? (listing *)heist_load(&all, HEIST_SS_WALK) : NULL;
    *number = (uint32_t)(value % HEIST_LINE);
    while (l && (uintptr_t)l != value - *number)
        l = l->next;
    return l;
}

/* A signal of the program's own: what would have happened without us. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *before = &handled[signal].before;
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, context);
    } else if (before->sa_handler == SIG_DFL) {
        if (signal == SIGURG || signal == SIGCHLD || signal == SIGWINCH || signal == SIGCONT)
            return;
        sigset_t just_this;
        sigemptyset(&just_this);
        sigaddset(&just_this, signal);
        sigaction(signal, before, NULL);
        raise(signal);
        pthread_sigmask(SIG_UNBLOCK, &just_this, NULL); /* the default action happens here */
    } else if (before->sa_handler != SIG_IGN) {
        before->sa_handler(signal);
    }
}

static void serve(listing *l)
{
    heist_store(&l->busy, 1, __ATOMIC_RELAXED);
    HEIST_WINDOW("serve");
    /* With detach and own: either we see their change, or they see us. */
    heist_fence(HEIST_SS_SERVE_FENCE);
    heist_split *q = (heist_split *)heist_load(&l->queue, HEIST_SS_SEEN);
    if (q && heist_load(&l->owner, __ATOMIC_RELAXED) == this_thread() &&
        heist_load(&q->asked, __ATOMIC_RELAXED))
        heist_split_handle_(q);
    HEIST_WINDOW("served");
    heist_store(&l->busy, 0, HEIST_SS_LEAVE);
}

/*
 * The kernel merges a signal with one of the same number that is still pending, ours or not. So
 * whatever comes, all requests to this thread are served.
 */
static void handler(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    uint32_t self = this_thread(), number;
    for (listing *l = (listing *)heist_load(&all, HEIST_SS_WALK); l; l = l->next)
        if (heist_load(&l->owner, __ATOMIC_RELAXED) == self)
            serve(l);
    errno = error;
    listing *about = sent_by_us(info, &number);
    if (!about)
        pass_on(signal, info, context);
    else if (number)
        heist_store(&about->arrived, number, __ATOMIC_RELAXED);
}

/* After a change of a listing: waits until no handler works by what was there before. */
static void wait_for_handler(listing *l)
{
    heist_fence(HEIST_SS_CHANGE_FENCE);
    heist_await(!heist_load(&l->busy, HEIST_SS_WAIT));
}

static int install(int signal)
{
    if (!handled[signal].ours) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = handler;
        action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        /* `before` must be right when the first signal comes: read it before ours is in place. */
        if (sigaction(signal, NULL, &handled[signal].before) || sigaction(signal, &action, NULL))
            return -EINVAL;
        handled[signal].ours = true;
    }
    handled[signal].users++;
    return 0;
}

static void uninstall(int signal)
{
    struct sigaction now;
    if (--handled[signal].users || handled[signal].stray || sigaction(signal, NULL, &now))
        return;
    handled[signal].ours = false;
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler)
        sigaction(signal, &handled[signal].before, NULL);
}

/* 0, or an error number. */
static int send(const heist_split *q, uint32_t number)
{
    uint32_t owner = heist_load(&q->listing->owner, __ATOMIC_RELAXED);
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    info.si_pid = getpid();
    info.si_uid = getuid();
    info.si_value.sival_ptr = (char *)q->listing + number;
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), owner, q->signal, &info) ? errno : 0;
}

/*
 * Whether all signals that thieves have sent are there; nobody sends any more. If one with a new
 * number arrives, so have those before it; if it is merged with one of those, the next number will
 * tell.
 */
static bool all_arrived(const heist_split *q)
{
    listing *l = q->listing;
    if (!heist_load(&l->sent, __ATOMIC_RELAXED))
        return true;
    heist_store(&l->arrived, 0, __ATOMIC_RELAXED);
    for (uint32_t number = 1; number <= HEIST_SPLIT_NUMBERS; number++) {
        int error = send(q, number);
        if (error)
            return error == ESRCH; /* then the owner is gone, and they with it */
        if (heist_load(&l->arrived, __ATOMIC_RELAXED) != number)
            usleep(200);
        if (heist_load(&l->arrived, __ATOMIC_RELAXED) == number)
            return true;
    }
    return false;
}

static listing *find_listing(const heist_split *q)
{
    for (listing *l = (listing *)heist_load(&all, __ATOMIC_RELAXED); l; l = l->next)
        if (heist_load(&l->queue, __ATOMIC_RELAXED) == q)
            return l;
    return NULL;
}

static listing *make_listing(void)
{
    void *memory;
    if (posix_memalign(&memory, HEIST_LINE, sizeof(listing)))
        return NULL;
    listing *l = (listing *)memset(memory, 0, sizeof *l);
    l->next = (listing *)heist_load(&all, __ATOMIC_RELAXED);
    heist_store(&all, l, HEIST_SS_ENLIST);
    return l;
}

int heist_split_signal_attach_(heist_split *q)
{
    if (!heist_signal_usable_(q->signal))
        return -EINVAL;
    pthread_mutex_lock(&lock);
    int error = 0;
    listing *l = find_listing(NULL);
    if (!l)
        l = make_listing();
    if (!l)
        error = -ENOMEM;
    else
        error = install(q->signal);
    if (!error) {
        heist_store(&l->owner, 0, __ATOMIC_RELAXED);
        heist_store(&l->sent, 0, __ATOMIC_RELAXED);
        heist_store(&l->queue, q, HEIST_SS_ATTACH);
        q->listing = l;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

void heist_split_signal_detach_(heist_split *q)
{
    pthread_mutex_lock(&lock);
    if (!all_arrived(q))
        handled[q->signal].stray = true;
    heist_store(&q->listing->queue, NULL, __ATOMIC_RELAXED);
    HEIST_WINDOW("detach");
    wait_for_handler(q->listing);
    uninstall(q->signal);
    pthread_mutex_unlock(&lock);
}

bool heist_split_signal_has_owner_(const heist_split *q)
{
    return heist_load(&q->listing->owner, __ATOMIC_RELAXED);
}

/* A thread that lends itself again and again is the owner already, as a rule. */
void heist_split_signal_own_(heist_split *q)
{
    uint32_t self = this_thread();
    if (heist_load(&q->listing->owner, __ATOMIC_RELAXED) == self)
        return;
    heist_store(&q->listing->owner, self, __ATOMIC_RELAXED);
    HEIST_WINDOW("own");
    wait_for_handler(q->listing);
}

bool heist_split_signal_send_(heist_split *q)
{
    if (!heist_split_signal_has_owner_(q))
        return false;
    heist_store(&q->listing->sent, 1, __ATOMIC_RELAXED);
    HEIST_WINDOW("send");
    return !send(q, 0);
}
