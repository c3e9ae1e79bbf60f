/* SPDX-License-Identifier: MIT */
/*
 * echo: an HTTP server. server.c waits for sockets and makes jobs (jobs.h) of those that are
 * ready; connection.c is what such a job does; http.c reads requests and writes responses. In Go,
 * go/server.go is what server.c and connection.c are.
 */
#ifndef ECHO_H
#define ECHO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common.h"
#include "http.h"

/* --- connection.c --- */

struct connection {
    int fd;
    atomic_uint state;   /* server.c */
    atomic_bool hung_up; /* the client sends no more: read until there is nothing */
    struct server *server;
    unsigned made_by;                  /* jobs_number of who made its last job */
    struct connection *next, **before; /* all of them */
    struct connection *next_dead;
    char *in; /* from the client; begin <= i < end is still to be answered */
    size_t in_size, begin, end;
    struct http_request request;
    bool told_to_go_on;
    char head[RESPONSE_HEAD_MOST]; /* of the response that is being sent; then comes the body */
    struct part {
        const char *at;
        size_t left;
    } out[2];
    bool is_last;   /* the response */
    size_t dropped; /* bytes that came after the last response */
    uint64_t requests, refused;
};

struct limits {
    size_t body_most;
    atomic_bool *stopping; /* no connection is kept */
};

enum next { NEXT_WAIT, NEXT_AGAIN, NEXT_CLOSE };
/* Reads and answers as far as it goes without waiting: then it is to be called when the socket is
   ready; soon, since others should have their turn; or the connection is over. */
enum next connection_serve(struct connection *c, const struct limits *limits);

/* --- listen.c --- */

struct server_options {
    const char *address;
    uint16_t port;    /* 0: any */
    unsigned workers; /* 0: one per CPU that may be used */
    size_t body_most;
};

/* The socket; a usage error if there can be none. The port is told. */
int listen_at(const struct server_options *options, uint16_t *port);

/* --- server.c, server_go.c --- */

enum { GRACE_MS = 3000 }; /* for requests that are not through when the server is to end */

struct server_totals {
    const char *runtime; /* Heist: the kind of queue */
    unsigned workers;
    uint64_t connections, requests, refused; /* refused: requests that were answered by an error */
    uint64_t turned_away;                    /* connections for which there was no memory or file */
    uint64_t jobs, steals;                   /* 0 where the runtime does not count them */
};

struct server;
struct server *server_new(const struct server_options *options, uint16_t *port); /* listens */
/* Until SIGINT or SIGTERM. */
void server_run(struct server *server, struct server_totals *totals);
void server_free(struct server *server);

#endif
