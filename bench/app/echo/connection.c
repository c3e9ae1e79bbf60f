/* SPDX-License-Identifier: MIT */
/* One connection: reads, answers, as far as that goes without waiting. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "echo.h"

enum { IN_FIRST = 4096, TURN = 32 /* requests */, DROP_MOST = 64 << 20 };

/* Whether all is sent; *next says what to do if not. */
static bool send_out(struct connection *c, enum next *next)
{
    while (c->out[0].left + c->out[1].left) {
        struct iovec parts[2] = {{(void *)(uintptr_t)c->out[0].at, c->out[0].left},
                                 {(void *)(uintptr_t)c->out[1].at, c->out[1].left}};
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t n = sendmsg(c->fd, &message, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            *next = errno == EAGAIN ? NEXT_WAIT : NEXT_CLOSE;
            return false;
        }
        for (int i = 0; i < 2; i++) {
            size_t part = (size_t)n < c->out[i].left ? (size_t)n : c->out[i].left;
            c->out[i].at += part;
            c->out[i].left -= part;
            n -= (ssize_t)part;
        }
    }
    return true;
}

static size_t room_wanted(const struct connection *c)
{
    size_t whole = c->request.head + c->request.body; /* 0: not known yet */
    return whole > IN_FIRST ? whole : IN_FIRST;
}

/* Room for more, at the end of what is there. */
static bool make_room(struct connection *c)
{
    size_t used = c->end - c->begin, size = room_wanted(c);
    while (size <= used)
        size *= 2;
    if (c->begin == c->end)
        c->begin = c->end = 0;
    if (c->end < c->in_size && c->begin + size <= c->in_size)
        return true;
    if (used)
        memmove(c->in, c->in + c->begin, used);
    c->begin = 0;
    c->end = used;
    if (size <= c->in_size)
        return true;
    char *larger = realloc(c->in, size);
    if (!larger)
        return false;
    c->in = larger;
    c->in_size = size;
    return true;
}

/* Whether something came; *next says what to do if not. */
static bool receive(struct connection *c, bool *drained, enum next *next)
{
    ssize_t n;
    if (!make_room(c)) {
        *next = NEXT_CLOSE;
        return false;
    }
    size_t room = c->in_size - c->end;
    do
        n = recv(c->fd, c->in + c->end, room, 0);
    while (n < 0 && errno == EINTR);
    if (n <= 0) {
        *next = n < 0 && errno == EAGAIN ? NEXT_WAIT : NEXT_CLOSE;
        return false;
    }
    c->end += (size_t)n;
    *drained = (size_t)n < room && !c->hung_up; /* the next arrival is an event of its own */
    return true;
}

static void respond(struct connection *c, const struct limits *limits)
{
    struct http_request *r = &c->request;
    size_t body = r->body;
    const char *at = c->in + c->begin + r->head;
    if (r->status == 200 && !body) { /* nothing to echo but the request itself */
        body = r->head;
        at = c->in + c->begin;
    } else if (r->status != 200) {
        body = 0;
        c->refused++;
    }
    if (*limits->stopping)
        r->keep = false;
    c->requests++;
    c->is_last = !r->keep;
    c->out[0] = (struct part){c->head, http_respond(r, body, c->head)};
    c->out[1] = (struct part){at, r->is_head ? 0 : body};
    c->begin += r->head + r->body;
    c->told_to_go_on = false;
    *r = (struct http_request){.scanned = 0};
}

/* Whether a request is complete. */
static bool have_request(struct connection *c, const struct limits *limits)
{
    struct http_request *r = &c->request;
    const char *data = c->in + c->begin;
    size_t length = c->end - c->begin;
    if (!r->status && (!length || !http_parse(r, data, length, limits->body_most)))
        return false;
    if (length >= r->head + r->body)
        return true;
    if (r->expects && !c->told_to_go_on) {
        /* Sent into an empty buffer, so not in part; a client that is not told goes on as well. */
        send(c->fd, http_continue, strlen(http_continue), MSG_NOSIGNAL);
        c->told_to_go_on = true;
    }
    return false;
}

/* After the last response: what the client still sends is dropped, since a socket that is closed
   with something in it makes the client lose the response. */
static enum next hang_up(struct connection *c)
{
    char nowhere[16 << 10];
    if (!c->dropped++)
        shutdown(c->fd, SHUT_WR);
    for (;;) {
        ssize_t n = recv(c->fd, nowhere, sizeof nowhere, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return NEXT_WAIT;
        if (n <= 0 || (c->dropped += (size_t)n) > DROP_MOST)
            return NEXT_CLOSE;
    }
}

enum next connection_serve(struct connection *c, const struct limits *limits)
{
    enum next next;
    bool drained = false;
    for (unsigned turn = 0;;) {
        if (!send_out(c, &next))
            return next;
        if (c->is_last)
            return hang_up(c);
        if (have_request(c, limits)) {
            if (turn++ == TURN)
                return NEXT_AGAIN;
            respond(c, limits);
        } else if (drained) {
            return NEXT_WAIT;
        } else if (!receive(c, &drained, &next)) {
            return next;
        }
    }
}
