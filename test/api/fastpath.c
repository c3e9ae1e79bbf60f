/* SPDX-License-Identifier: MIT */
/*
 * The operations whose machine code fastpath.sh reads: those named fast_ promise a fast path
 * without fence, locked instruction or call; of those named slow_ it is known that they have one,
 * so that a reader that sees nothing is found out.
 */
#include <heist/bwos_fifo.h>
#include <heist/bwos_lifo.h>
#include <heist/chaselev.h>
#include <heist/default.h>
#include <heist/locked.h>
#include <heist/split.h>

#define PUT(path, kind)                               \
    bool path##_##kind##_put(heist_##kind *, void *); \
    bool path##_##kind##_put(heist_##kind *q, void *item) { return heist_##kind##_put(q, item); }
#define GET(path, kind)                        \
    void *path##_##kind##_get(heist_##kind *); \
    void *path##_##kind##_get(heist_##kind *q) { return heist_##kind##_get(q); }

PUT(fast, bwos_lifo)
GET(fast, bwos_lifo)
PUT(fast, bwos_fifo)
GET(fast, bwos_fifo)
PUT(fast, split)
GET(fast, split)
PUT(fast, heist)
GET(fast, heist)
PUT(slow, locked)
GET(slow, chaselev)
