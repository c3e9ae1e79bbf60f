/* SPDX-License-Identifier: MIT */
/* The server of echo-go: what is behind the socket is in Go (go/server.go). */
#include <stdlib.h>

#include "echo.h"

void go_catch_signals(void);
void go_serve(int listener, unsigned workers, size_t body_most, void *totals);

struct server {
    int listener;
    unsigned workers;
    size_t body_most;
};

struct server *server_new(const struct server_options *options, uint16_t *port)
{
    struct server *s = malloc(sizeof *s);
    if (!s)
        bench_fail("out of memory");
    *s = (struct server){listen_at(options, port), options->workers, options->body_most};
    go_catch_signals(); /* before anybody is told that it listens */
    return s;
}

void server_run(struct server *s, struct server_totals *totals)
{
    *totals = (struct server_totals){.runtime = "go"};
    go_serve(s->listener, s->workers, s->body_most, totals);
}

void server_free(struct server *s) { free(s); }
