/* SPDX-License-Identifier: MIT */
/*
 * One client (verify/scripted.h) as a program for GenMC, or for any system with threads. It is the
 * end of a translation unit that CMakeLists.txt writes: KIND and HEADER name the queue, and libc.h
 * and the queue's sources come before this. CLIENT is the client's place in clients.h, from 0 on.
 */
#include "libc.h"

enum { CHECK_THREADS = 4 };

struct check_program {
    void (*setup)(void);
    void (*thread[CHECK_THREADS])(void);
    void (*finish)(void);
};

#define check_assert(condition) assert(condition)
#define check_name(from, size, each, name) ((void)(from))
#define check_used(value) ((void)(value))
#define check_fail(what, file, line) assert(!(what))

/* Histories need to know what happens before what, which only our checker tells. */
enum { HISTORY_MAIN = CHECK_THREADS };
#define history_start(kind, opts) true
#define history_begin(thread, op, argument) ((void)(thread))
#define history_end(thread, result) ((void)(thread))
#define history_end_many(thread, items, n) ((void)(items))
#define history_check() ((const char *)NULL)

static void *check_alloc(void *context, size_t size, size_t align)
{
    (void)context;
    return aligned_memory(align, size);
}

static void check_free(void *context, void *memory, size_t size)
{
    (void)context;
    (void)size;
    free(memory);
}

#define queue script_queue /* the sources have a type of that name */
#include "../scripted.h"

_Static_assert(CLIENT + 1 < sizeof clients / sizeof *clients, "there is no such client");
static const struct client *const client = &clients[CLIENT];

static void *thread(void *which)
{
    int who = (int)(intptr_t)which;
    if (client->program)
        client->program->thread[who]();
    else if (who == 0)
        script_owner(client);
    else
        script_thief(client, who);
    return NULL;
}

static bool exists(int who)
{
    return who < CHECK_THREADS && (client->program ? client->program->thread[who] != NULL
                                                   : who == 0 || client->thief[who - 1]);
}

int main(void)
{
    pthread_t threads[CHECK_THREADS];
    int n = 0;
#ifdef HEIST_HAZARD_H
    make_key(); /* hazard.c's, for pthread_once */
#endif
    if (client->program)
        client->program->setup();
    else
        script_setup(client);
    for (int failed = 0; exists(n); n++) {
        failed = pthread_create(&threads[n], NULL, thread, (void *)(intptr_t)n);
        assert(!failed);
    }
    while (n > 0)
        pthread_join(threads[--n], NULL);
    if (client->program)
        client->program->finish();
    else
        script_finish();
    return 0;
}
