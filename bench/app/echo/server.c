/* SPDX-License-Identifier: MIT */
/*
 * One job waits for sockets, and makes a job of each that is ready, in its worker's own queue;
 * then it makes itself a job again. Others steal what they can. Sockets tell of changes only
 * (EPOLLET), so a request costs no call but its read and its write; a connection's state says who
 * has it.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "echo.h"
#include "jobs.h"

/* A connection that is IDLE has no job; one that is AGAIN has, and something has come since. */
enum state { IDLE, BUSY, AGAIN, CLOSED };

enum { EVENTS = 256, ACCEPTS = 64, STOP_POLL_MS = 20 };

struct server {
    struct limits limits;
    int listener, signals, epoll, spare; /* spare: a file to be given up when there is no other */
    atomic_bool stopping;
    struct queued {
        _Alignas(64) atomic_size_t number;
    } * queued; /* by jobs_number: jobs of connections that were made, and have not begun */
    _Atomic(struct connection *) dead;
    /* The job that waits, which is always one, has all below. */
    struct connection *all;
    uint64_t stop_at;
    struct server_totals totals;
};

/* --- connections --- */

static void bury(struct connection *c)
{
    struct server *s = c->server;
    s->totals.requests += c->requests;
    s->totals.refused += c->refused;
    *c->before = c->next;
    if (c->next)
        c->next->before = c->before;
    free(c->in);
    free(c);
}

/* Not before the events that were there when it was closed are through. */
static void bury_the_dead(struct server *s)
{
    struct connection *c = atomic_exchange(&s->dead, NULL);
    while (c) {
        struct connection *next = c->next_dead;
        bury(c);
        c = next;
    }
}

static void close_connection(struct connection *c)
{
    c->state = CLOSED;
    close(c->fd); /* which ends its events too */
    c->next_dead = c->server->dead;
    while (!atomic_compare_exchange_weak(&c->server->dead, &c->next_dead, c))
        continue;
}

static void serve_job(jobs_worker *w, void *arg);

/* Before jobs of connections are made. */
static void count_queued(jobs_worker *w, struct server *s, void *const *made, size_t number)
{
    unsigned by = jobs_number(w);
    for (size_t i = 0; i < number; i++)
        ((struct connection *)made[i])->made_by = by;
    atomic_fetch_add(&s->queued[by].number, number);
}

static void serve_later(jobs_worker *w, struct connection *c)
{
    count_queued(w, c->server, &(void *){c}, 1);
    jobs_make(w, serve_job, c);
}

static void serve_job(jobs_worker *w, void *arg)
{
    struct connection *c = arg;
    atomic_fetch_sub(&c->server->queued[c->made_by].number, 1);
    for (;;) {
        unsigned busy = BUSY;
        enum next next = connection_serve(c, &c->server->limits);
        if (next == NEXT_CLOSE) {
            close_connection(c);
            return;
        }
        if (next == NEXT_AGAIN) {
            serve_later(w, c);
            return;
        }
        if (atomic_compare_exchange_strong(&c->state, &busy, IDLE))
            return; /* from here on it is somebody else's */
        c->state = BUSY;
    }
}

static void accept_one(struct server *s, int fd)
{
    struct connection *c = calloc(1, sizeof *c);
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data = {.ptr = c}};
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (!c || epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event)) {
        s->totals.turned_away++;
        free(c);
        close(fd);
        return;
    }
    c->fd = fd;
    c->server = s;
    c->next = s->all;
    c->before = &s->all;
    if (c->next)
        c->next->before = &c->next;
    s->all = c;
    s->totals.connections++;
}

static void accept_some(struct server *s)
{
    for (int i = 0; i < ACCEPTS && !s->stopping; i++) {
        int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            accept_one(s, fd);
        } else if (errno == EMFILE || errno == ENFILE) {
            /* Else it would stay there, and be an event, for ever. */
            close(s->spare);
            close(accept(s->listener, NULL, NULL));
            s->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
            s->totals.turned_away++;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

/* Whether it is now the caller's to serve. */
static bool is_ready(struct connection *c, uint32_t events)
{
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        c->hung_up = true;
    for (unsigned state = c->state;;) {
        unsigned next = state == IDLE ? BUSY : state == BUSY ? AGAIN : state;
        if (next == state)
            return false;
        if (atomic_compare_exchange_weak(&c->state, &state, next))
            return next == BUSY;
    }
}

/* --- the job that waits --- */

/* Those that are in the middle of something have a while; the others end. */
static void stop(struct server *s)
{
    struct signalfd_siginfo info;
    while (read(s->signals, &info, sizeof info) > 0)
        continue;
    if (s->stopping) { /* a second signal */
        s->stop_at = clock_ns();
        return;
    }
    s->stopping = true;
    s->stop_at = clock_ns() + GRACE_MS * UINT64_C(1000000);
    close(s->listener);
    s->listener = -1;
    for (struct connection *c = s->all; c; c = c->next)
        if (c->state != CLOSED) /* nothing is opened any more, so the number is nobody else's */
            shutdown(c->fd, SHUT_RD);
}

static bool is_over(struct server *s)
{
    if (!s->stopping)
        return false;
    if (s->all && clock_ns() > s->stop_at)
        for (struct connection *c = s->all; c; c = c->next)
            if (c->state != CLOSED)
                shutdown(c->fd, SHUT_RDWR);
    return !s->all;
}

static void wait_for_sockets(jobs_worker *w, void *arg)
{
    struct server *s = arg;
    struct epoll_event events[EVENTS];
    void *ready[EVENTS];
    size_t number = 0;
    bury_the_dead(s);
    if (is_over(s))
        return;
    /* What this worker has made may wait for it, and be run by nobody else. */
    bool is_needed = s->queued[jobs_number(w)].number > 0;
    int n = epoll_wait(s->epoll, events, EVENTS, is_needed ? 0 : s->stopping ? STOP_POLL_MS : -1);
    for (int i = 0; i < n; i++) {
        if (events[i].data.ptr == &s->signals)
            stop(s);
        else if (events[i].data.ptr == &s->listener)
            accept_some(s);
        else if (is_ready(events[i].data.ptr, events[i].events))
            ready[number++] = events[i].data.ptr;
    }
    /* From here on another worker may run this job: of the server, only those that are ready are
       still ours. */
    count_queued(w, s, ready, number);
    jobs_make_and_wait(w, serve_job, ready, number, wait_for_sockets, s);
}

/* --- all --- */

static void watch(struct server *s, int *fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = fd}};
    if (*fd < 0 || epoll_ctl(s->epoll, EPOLL_CTL_ADD, *fd, &event))
        bench_fail("epoll: %s", strerror(errno));
}

struct server *server_new(const struct server_options *options, uint16_t *port)
{
    int listener = listen_at(options, port);
    struct server *s = calloc(1, sizeof *s);
    if (!s)
        bench_fail("out of memory");
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    s->limits = (struct limits){options->body_most, &s->stopping};
    s->listener = listener;
    s->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    s->signals = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
    watch(s, &s->listener);
    watch(s, &s->signals);
    jobs_start(options->workers);
    size_t bytes = jobs_numbers() * sizeof *s->queued;
    s->queued = aligned_alloc(64, bytes);
    if (!s->queued)
        bench_fail("out of memory");
    memset(s->queued, 0, bytes);
    return s;
}

void server_run(struct server *s, struct server_totals *totals)
{
    jobs_run(wait_for_sockets, s);
    struct jobs_facts facts = jobs_tell();
    s->totals.runtime = facts.name;
    s->totals.workers = facts.workers;
    s->totals.jobs = facts.jobs;
    s->totals.steals = facts.steals;
    *totals = s->totals;
}

void server_free(struct server *s)
{
    jobs_stop();
    close(s->signals);
    close(s->epoll);
    close(s->spare);
    free(s->queued);
    free(s);
}
