/* SPDX-License-Identifier: MIT */
/*
 * echo: an HTTP server on a pool. server.c waits for sockets and makes jobs of those that are
 * ready; connection.c is what such a job does; http.c reads requests and writes responses.
 */
#ifndef ECHO_H
#define ECHO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <heist/heist.h>

#include "common.h"

/* --- http.c --- */

enum { HEAD_MOST = 16 << 10, RESPONSE_HEAD_MOST = 256 };

struct http_request {
    size_t scanned;    /* bytes without the end of a head; 0 at first */
    size_t head, body; /* bytes */
    int status;        /* of the response: 200, or what is wrong */
    bool keep;         /* the connection goes on */
    bool expects;      /* to be told to go on before it sends the body */
    bool is_head;      /* the response has no body */
    bool is_1_0;
};

/* Whether the head is complete, or wrong; else more has to be read first. */
bool http_parse(struct http_request *request, const char *data, size_t length, size_t body_most);
/* The response's head, for a body of so many bytes. */
size_t http_respond(const struct http_request *request, size_t body, char text[RESPONSE_HEAD_MOST]);
extern const char http_continue[];

/* --- connection.c --- */

struct connection {
    int fd;
    atomic_uint state;   /* server.c */
    atomic_bool hung_up; /* the client sends no more: read until there is nothing */
    struct server *server;
    unsigned made_by;                  /* the worker that made its last job */
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

/* --- server.c --- */

struct server_options {
    const char *address;
    uint16_t port; /* 0: any */
    unsigned workers;
    size_t body_most;
};

struct server_totals {
    uint64_t connections, requests, refused; /* refused: requests that were answered by an error */
    uint64_t turned_away;                    /* connections for which there was no memory or file */
    uint64_t jobs, steals;
};

struct server;
/* Listens; a usage error if it can't. The port is told. */
struct server *server_new(const struct server_options *options, uint16_t *port);
/* Until SIGINT or SIGTERM. */
void server_run(struct server *server, struct server_totals *totals);
const char *server_queue(struct server *server);
unsigned server_workers(struct server *server);
void server_free(struct server *server);

#endif
