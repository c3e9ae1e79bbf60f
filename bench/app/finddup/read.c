/* SPDX-License-Identifier: MIT */
/*
 * What is in the page cache is read at once, into memory that is still in the CPU's cache. What is
 * not is asked for, and read when it has come, while others are asked for: by io_uring, or by
 * fadvise and a read later. So a cold disk always has many reads to order, and a warm cache costs
 * no more than plain reads.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "finddup.h"

enum { SLOTS = 32, BATCH = 64, PATH_BYTES = 4200 };

struct part {
    int fd;
    const struct item *item; /* whose fd it is */
    uint64_t offset;         /* of the piece that `data` begins with */
    uint32_t got;
    bool pending;
    unsigned char *data; /* PIECE + 1: the one more is how a file that has grown shows */
    struct slot *slot;
};

struct slot {
    const struct request *request;
    struct part parts[2];
    struct slot *next; /* free, or waited for */
};

/* Of one worker. */
struct reader {
    struct ring *ring;   /* NULL: plain reads */
    struct slot *free;   /* the last one first, its memory is warm */
    struct slot *wanted; /* plain: what was asked for, the oldest first */
    struct slot **wanted_end;
    unsigned waiting; /* slots that are not free */
    struct slot slots[SLOTS];
};

struct reading {
    struct finder *finder;
    const struct request *requests;
    size_t number;
    piece_fn *each;
};

static struct reader **readers; /* by worker */

static struct reader *new_reader(const struct options *options)
{
    struct reader *reader = allocate(1, sizeof *reader);
    memset(reader, 0, sizeof *reader);
    if (options->io != IO_PLAIN)
        reader->ring = ring_new(2 * SLOTS);
    if (options->io == IO_URING && !reader->ring)
        bench_fail("--io uring: %s", strerror(errno));
    reader->wanted_end = &reader->wanted;
    for (size_t i = SLOTS; i-- > 0;) {
        struct slot *slot = &reader->slots[i];
        for (int k = 0; k < 2; k++)
            slot->parts[k] = (struct part){.fd = -1, .slot = slot};
        slot->next = reader->free;
        reader->free = slot;
    }
    return reader;
}

static void fail(struct item *item, const char *why)
{
    item->failed = true;
    note_file_problem(item->names, why);
}

static void close_part(struct part *part)
{
    if (part->fd >= 0)
        close(part->fd);
    part->fd = -1;
    part->item = NULL;
}

static bool open_part(struct reading *reading, struct part *part, const struct item *item)
{
    char path[PATH_BYTES];
    if (part->item == item && part->fd >= 0)
        return true;
    close_part(part);
    copy_path(item->names, path);
    part->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK |
                              (reading->finder->options.follow ? 0 : O_NOFOLLOW));
    part->item = item;
    return part->fd >= 0;
}

/* Bytes to read of a part, one more where the file should end. */
static uint32_t wanted(const struct request *request) { return request->length + request->whole; }

/* A negative errno, or what pread would return. */
static ssize_t read_now(struct part *part, const struct request *request, int flags)
{
    const struct iovec memory = {part->data + part->got, wanted(request) - part->got};
    ssize_t n;
    do
        n = preadv2(part->fd, &memory, 1, (off_t)(request->offset + part->got), flags);
    while (n < 0 && errno == EINTR);
    return n < 0 ? -errno : n;
}

static void ask(struct reader *reader, struct part *part)
{
    const struct request *request = part->slot->request;
    off_t offset = (off_t)(request->offset + part->got);
    uint32_t length = wanted(request) - part->got;
    part->pending = true;
    if (reader->ring)
        ring_read(reader->ring, part->fd, part->data + part->got, length, (uint64_t)offset, part);
    else
        posix_fadvise(part->fd, offset, length, POSIX_FADV_WILLNEED);
}

static void free_slot(struct reader *reader, struct slot *slot)
{
    slot->next = reader->free;
    reader->free = slot;
    reader->waiting--;
}

/* All parts have come, or failed. */
static void finish(struct reading *reading, struct reader *reader, struct slot *slot)
{
    const struct request *request = slot->request;
    bool right = true;
    for (int i = 0; i < 2 && request->items[i]; i++) {
        struct part *part = &slot->parts[i];
        if (part->fd < 0) {
            right = false;
        } else if (part->got != request->length) {
            fail(request->items[i], "it changed while it was read");
            right = false;
        }
    }
    if (right)
        reading->each(request, slot->parts[0].data, slot->parts[1].data);
    free_slot(reader, slot);
}

/* What a read gave; whether the part is done with. */
static bool took(struct part *part, ssize_t n)
{
    const struct request *request = part->slot->request;
    if (n < 0) {
        fail(request->items[part - part->slot->parts], strerror((int)-n));
        close_part(part);
        return true;
    }
    part->got += (uint32_t)n;
    return n == 0 || part->got >= request->length;
}

static bool is_pending(const struct slot *slot)
{
    return slot->parts[0].pending || slot->parts[1].pending;
}

static void wait_for_ring(struct reading *reading, struct reader *reader)
{
    void *tag;
    ssize_t n = ring_wait(reader->ring, &tag);
    struct part *part = tag;
    part->pending = false;
    if (n == -EAGAIN || n == -EINTR) /* a file that can't be read without waiting, O_NONBLOCK */
        n = read_now(part, part->slot->request, 0);
    if (!took(part, n))
        ask(reader, part);
    else if (!is_pending(part->slot))
        finish(reading, reader, part->slot);
}

static void wait_for_oldest(struct reading *reading, struct reader *reader)
{
    struct slot *slot = reader->wanted;
    reader->wanted = slot->next;
    if (!reader->wanted)
        reader->wanted_end = &reader->wanted;
    for (int i = 0; i < 2; i++) {
        struct part *part = &slot->parts[i];
        while (part->pending)
            part->pending = !took(part, read_now(part, slot->request, 0));
    }
    finish(reading, reader, slot);
}

static void wait_for_one(struct reading *reading, struct reader *reader)
{
    if (reader->ring)
        wait_for_ring(reading, reader);
    else
        wait_for_oldest(reading, reader);
}

static void start_part(struct reading *reading, struct reader *reader, struct part *part,
                       struct item *item)
{
    const struct request *request = part->slot->request;
    if (part->item == item && part->offset == request->offset && part->got == request->length)
        return; /* it is still here: one file is compared with many */
    part->offset = request->offset;
    part->got = 0;
    if (!part->data)
        part->data = allocate(PIECE + 1, 1);
    if (!open_part(reading, part, item)) {
        fail(item, strerror(errno));
        return;
    }
    ssize_t n = read_now(part, request, RWF_NOWAIT);
    if (n == -EOPNOTSUPP)
        n = read_now(part, request, 0);
    if (n == -EAGAIN || !took(part, n))
        ask(reader, part);
}

static void start(struct reading *reading, struct reader *reader, const struct request *request)
{
    while (!reader->free)
        wait_for_one(reading, reader);
    struct slot *slot = reader->free;
    reader->free = slot->next;
    reader->waiting++;
    slot->request = request;
    slot->next = NULL;
    for (int i = 0; i < 2 && request->items[i]; i++)
        start_part(reading, reader, &slot->parts[i], request->items[i]);
    if (!is_pending(slot)) {
        finish(reading, reader, slot);
    } else if (!reader->ring) {
        *reader->wanted_end = slot;
        reader->wanted_end = &slot->next;
    }
}

static bool needed(const struct request *request)
{
    const struct item *a = request->items[0], *b = request->items[1];
    return !a->failed && !(b && (b->failed || b->other));
}

static void read_batches(heist_worker *w, size_t from, size_t to, void *context)
{
    struct reading *reading = context;
    struct reader **own = &readers[heist_worker_number(w)];
    if (!*own)
        *own = new_reader(&reading->finder->options);
    for (size_t i = from; i < to; i++) {
        size_t begin = i * BATCH, end = begin + BATCH;
        if (end > reading->number)
            end = reading->number;
        for (size_t k = begin; k < end; k++)
            if (needed(&reading->requests[k]))
                start(reading, *own, &reading->requests[k]);
        while ((*own)->waiting)
            wait_for_one(reading, *own);
        progress_step(end - begin);
    }
}

static void free_readers(unsigned number)
{
    for (unsigned i = 0; i < number; i++) {
        struct reader *reader = readers[i];
        if (!reader)
            continue;
        for (size_t k = 0; k < SLOTS; k++)
            for (int part = 0; part < 2; part++) {
                close_part(&reader->slots[k].parts[part]);
                free(reader->slots[k].parts[part].data);
            }
        ring_free(reader->ring);
        free(reader);
    }
    free(readers);
}

void read_pieces(struct finder *finder, const struct request *requests, size_t number,
                 const char *what, piece_fn *each)
{
    struct reading reading = {finder, requests, number, each};
    unsigned workers = heist_pool_numbers(finder->pool);
    if (!number)
        return;
    readers = allocate(workers, sizeof *readers);
    memset(readers, 0, workers * sizeof *readers);
    progress_stage(what, number);
    must(heist_run_for(finder->pool, 0, (number + BATCH - 1) / BATCH, 0, read_batches, &reading));
    free_readers(workers);
}

bool add_request(struct request **list, size_t *number, struct item *a, struct item *b,
                 uint64_t offset)
{
    uint64_t size = a->names->size, length = size - offset < PIECE ? size - offset : PIECE;
    if (offset >= size)
        return false;
    *list = bench_grow(*list, *number, sizeof **list);
    (*list)[(*number)++] = (struct request){.items = {a, b},
                                            .offset = offset,
                                            .length = (uint32_t)length,
                                            .whole = offset + length == size};
    return true;
}
