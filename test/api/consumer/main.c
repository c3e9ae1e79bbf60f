/* SPDX-License-Identifier: MIT */
/* Both ways to a queue: one kind by its header, and every kind by its name. */
#include <heist/bwos_lifo.h>
#include <heist/queue.h>
#include <heist/version.h>

#include <stdio.h>

static int items[3];

static int by_header(void)
{
    heist_bwos_lifo q;
    if (heist_bwos_lifo_init(&q, NULL))
        return 0;
    int ok = heist_bwos_lifo_put(&q, &items[0]) && heist_bwos_lifo_put(&q, &items[1]) &&
             heist_bwos_lifo_size(&q) == 2 && heist_bwos_lifo_get(&q) == &items[1] &&
             heist_bwos_lifo_get(&q) == &items[0] && !heist_bwos_lifo_get(&q);
    heist_bwos_lifo_fini(&q);
    return ok;
}

static int by_name(const char *kind)
{
    heist_queue *q;
    if (heist_queue_new(&q, kind, NULL))
        return 0;
    int ok =
        heist_queue_put(q, &items[2]) && heist_queue_get(q) == &items[2] && !heist_queue_get(q);
    heist_queue_free(q);
    return ok;
}

int main(void)
{
    if (!by_header()) {
        fprintf(stderr, "heist_bwos_lifo does not work\n");
        return 1;
    }
    int kinds = 0;
    for (const char *const *kind = heist_queue_kinds(); *kind; kind++, kinds++) {
        if (!by_name(*kind)) {
            fprintf(stderr, "heist_queue of kind %s does not work\n", *kind);
            return 1;
        }
    }
    printf("heist %s: %d kinds work\n", HEIST_VERSION_STRING, kinds);
    return kinds == 0;
}
