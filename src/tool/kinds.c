/* SPDX-License-Identifier: MIT */
#include "tool.h"

#include <heist/queue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is shown is found out by using the queues, so that it can't differ from them. */

static void *counting_alloc(void *context, size_t size, size_t align)
{
    void *memory;
    if (posix_memalign(&memory, align, size))
        return NULL;
    *(size_t *)context += size;
    return memory;
}

static void counting_free(void *context, void *memory, size_t size)
{
    *(size_t *)context -= size;
    free(memory);
}

static int show(const char *kind)
{
    size_t bytes = 0, room = 0;
    const heist_memory memory = {counting_alloc, counting_free, &bytes};
    const heist_queue_opts opts = {.size = sizeof opts, .memory = &memory};
    heist_queue *queue;
    char items[2];
    if (heist_queue_new(&queue, kind, &opts))
        return TOOL_FAILED;
    size_t at_first = bytes;
    while (room <= 2 * HEIST_CAPACITY_DEFAULT && heist_queue_put(queue, &items[room > 0]))
        room++;
    bool fifo = heist_queue_get(queue) == &items[0];
    while (heist_queue_get(queue))
        ;
    printf("%-10s  %-5s  ", kind, fifo ? "FIFO" : "LIFO");
    if (room > 2 * HEIST_CAPACITY_DEFAULT)
        printf("%-7s", "grows");
    else
        printf("%-7zu", room);
    printf("  %8zu\n", at_first);
    heist_queue_free(queue);
    return 0;
}

int tool_kinds(int argc, char **argv)
{
    bool names = argc > 1 && strcmp(argv[1], "--names") == 0;
    if (argc > 1 + names) {
        if (strcmp(argv[1], "--help") != 0)
            return tool_usage_error("heist kinds",
                                    argv[1 + names][0] == '-' ? "unknown option" : "stray argument",
                                    argv[1 + names]);
        printf("usage: heist kinds [--names]\n\n"
               "Lists the kinds of queues: the owner's order, how many items a queue made with "
               "default\n"
               "options holds, and the bytes that it allocates at first.\n\n"
               "  --names  only the names, one per line\n"
               "  --help   show this\n\n"
               "Examples:\n"
               "  heist kinds\n"
               "  for kind in $(heist kinds --names); do echo $kind; done\n");
        return tool_flush("heist kinds");
    }
    if (!names)
        printf("%-10s  %-5s  %-7s  %8s\n", "kind", "order", "holds", "bytes");
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++) {
        if (names) {
            printf("%s\n", *kind);
        } else if (show(*kind)) {
            fprintf(stderr, "heist kinds: no memory for a queue of kind '%s'\n", *kind);
            return TOOL_FAILED;
        }
    }
    return tool_flush("heist kinds");
}
