/* SPDX-License-Identifier: MIT */
#include "races.h"

#include <heist_model.h>

#include <stdlib.h>
#include <string.h>

#include "state.h"

/* For each thread, in which epoch (from 1 on) it last did something, and to which bytes of a
   cell. */
struct done {
    struct clock when;
    uint8_t bytes[CHECK_THREADS];
};

struct cell { /* four bytes */
    uintptr_t address;
    uint32_t run;
    bool freed;
    int8_t thread; /* the only one that was here; SEVERAL: there were more */
    struct done plain_read, plain_write, atomic_read, atomic_write;
};

enum { CELLS = 1 << 15, STACKS = CHECK_THREADS + 1, CELL = 4, SEVERAL = -1 };

static struct {
    struct cell *cells;
    uint32_t run;
    bool on;
    int threads, running;
    uint16_t epoch;
    struct clock before; /* what happens before the thread that runs */
    struct {
        uintptr_t from, to;
    } stacks[STACKS];
    int number_of_stacks;
} r CHECK_STATE;

void races_ignore(void *from, size_t size)
{
    r.stacks[r.number_of_stacks].from = (uintptr_t)from;
    r.stacks[r.number_of_stacks++].to = (uintptr_t)from + size;
}

void races_start(int threads)
{
    if (!r.cells)
        r.cells = calloc(CELLS, sizeof *r.cells);
    if (!r.cells)
        abort();
    r.run++;
    r.threads = threads;
    r.on = false;
}

void races_stop(void) { r.on = false; }

bool races_pause(void)
{
    bool on = r.on;
    r.on = false;
    return on;
}

void races_resume(bool on) { r.on = on; }

void races_epoch(int thread, const struct graph *g, int events)
{
    r.on = true;
    r.running = thread;
    r.epoch = (uint16_t)(events + 1);
    memset(&r.before, 0, sizeof r.before);
    if (events > 0)
        r.before = g->e[g->by_thread[thread][events - 1]].hb;
}

static struct cell *cell_at(uintptr_t address)
{
    size_t i = (address / CELL) * 0x9e3779b97f4a7c15u >> 49;
    while (r.cells[i].run == r.run && r.cells[i].address != address)
        i = (i + 1) % CELLS;
    if (r.cells[i].run != r.run) {
        memset(&r.cells[i], 0, sizeof r.cells[i]);
        r.cells[i].run = r.run;
        r.cells[i].address = address;
        r.cells[i].thread = (int8_t)r.running;
    }
    return &r.cells[i];
}

/* Whether some other thread did that in an epoch that is not over for us: its next event is not
   before. */
static bool unordered(const struct done *done, uint8_t bytes)
{
    for (int t = 0; t < r.threads; t++)
        if (t != r.running && done->when.of[t] > r.before.of[t] && (done->bytes[t] & bytes))
            return true;
    return false;
}

/* Which bytes of the cell at `address` lie in [from, to). */
static uint8_t bytes_of(uintptr_t address, uintptr_t from, uintptr_t to)
{
    unsigned first = from > address ? (unsigned)(from - address) : 0;
    unsigned end = to < address + CELL ? (unsigned)(to - address) : CELL;
    return (uint8_t)((1u << end) - (1u << first));
}

static bool on_a_stack(uintptr_t address)
{
    for (int i = 0; i < r.number_of_stacks; i++)
        if (address >= r.stacks[i].from && address < r.stacks[i].to)
            return true;
    return false;
}

static void touch(const void *memory, size_t size, bool writes, bool atomic, bool frees)
{
    uintptr_t from = (uintptr_t)memory & ~(uintptr_t)(CELL - 1), to = (uintptr_t)memory + size;
    if (!r.on || on_a_stack(from))
        return;
    for (uintptr_t a = from; a < to; a += CELL) {
        struct cell *cell = cell_at(a);
        uint8_t bytes = bytes_of(a, (uintptr_t)memory, to);
        if (cell->freed)
            check_race(frees ? "memory freed twice" : "memory used after it was freed");
        if (cell->thread != r.running)
            cell->thread = SEVERAL;
        if (cell->thread == SEVERAL &&
            (unordered(&cell->plain_write, bytes) ||
             (writes && unordered(&cell->plain_read, bytes)) ||
             (!atomic && (unordered(&cell->atomic_write, bytes) ||
                          (writes && unordered(&cell->atomic_read, bytes))))))
            check_race(frees ? "memory freed while another thread may use it" : "data race");
        struct done *mine = atomic ? (writes ? &cell->atomic_write : &cell->atomic_read)
                                   : (writes ? &cell->plain_write : &cell->plain_read);
        mine->when.of[r.running] = r.epoch;
        mine->bytes[r.running] |= bytes;
        cell->freed = frees;
    }
}

void races_atomic(const void *word, size_t size, bool writes)
{
    touch(word, size, writes, true, false);
}

void races_free(const void *memory, size_t size) { touch(memory, size, true, false, true); }

/* ---- What the program calls for memset and the like (heist_model.h) ---- */

void *check_memset(void *to, int byte, size_t size)
{
    touch(to, size, true, false, false);
    return memset(to, byte, size);
}

void *check_memmove(void *to, const void *from, size_t size)
{
    touch(from, size, false, false, false);
    touch(to, size, true, false, false);
    return memmove(to, from, size);
}

void *check_memcpy(void *to, const void *from, size_t size)
{
    return check_memmove(to, from, size);
}

/* ---- What the compiler calls ---- */

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *memory, size_t size);
void __tsan_write_range(void *memory, size_t size);

void __tsan_init(void) {}
void __tsan_func_entry(void *caller) { (void)caller; }
void __tsan_func_exit(void) {}
void __tsan_read_range(void *memory, size_t size) { touch(memory, size, false, false, false); }
void __tsan_write_range(void *memory, size_t size) { touch(memory, size, true, false, false); }

#define ACCESSES(n)                                                                        \
    void __tsan_read##n(void *memory);                                                     \
    void __tsan_write##n(void *memory);                                                    \
    void __tsan_unaligned_read##n(void *memory);                                           \
    void __tsan_unaligned_write##n(void *memory);                                          \
    void __tsan_read##n(void *memory) { touch(memory, n, false, false, false); }           \
    void __tsan_write##n(void *memory) { touch(memory, n, true, false, false); }           \
    void __tsan_unaligned_read##n(void *memory) { touch(memory, n, false, false, false); } \
    void __tsan_unaligned_write##n(void *memory) { touch(memory, n, true, false, false); }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
