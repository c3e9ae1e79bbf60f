/* SPDX-License-Identifier: MIT */
/*
 * One client (verify/script.h) as a program for GenMC, or for any system with threads. It is the
 * end of a translation unit that CMakeLists.txt writes: KIND and HEADER name the queue, and libc.h
 * and the queue's sources come before this. CLIENT is the client's place in clients.h, from 0 on.
 */
#include "libc.h"

enum { CHECK_THREADS = 4, THIEVES = CHECK_THREADS - 1 };

#define check_assert(condition) assert(condition)

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
#include "../script.h"

_Static_assert(CLIENT + 1 < sizeof clients / sizeof *clients, "there is no such client");
static const struct client *const client = &clients[CLIENT];

static void *owner(void *unused)
{
    script_owner(client);
    return unused;
}

static void *thief(void *who)
{
    script_thief(client, (int)(intptr_t)who);
    return NULL;
}

int main(void)
{
    pthread_t threads[CHECK_THREADS];
    int n = 0;
#ifdef HEIST_CHASELEV_H
    make_key(); /* hazard.c's, for pthread_once */
#endif
    script_setup(client);
    int failed = pthread_create(&threads[n++], NULL, owner, NULL);
    for (; n <= THIEVES && client->thief[n - 1]; n++)
        failed |= pthread_create(&threads[n], NULL, thief, (void *)(intptr_t)n);
    assert(!failed);
    while (n > 0)
        pthread_join(threads[--n], NULL);
    script_finish();
    return 0;
}
