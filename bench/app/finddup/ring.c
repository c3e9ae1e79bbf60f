/* SPDX-License-Identifier: MIT */
/* Reads by io_uring. Built without liburing there is never a ring. */
#include "finddup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if FINDDUP_URING
#include <liburing.h>

enum { SUBMIT_AT = 8 }; /* so many wait before the kernel is called for them */

struct ring {
    struct io_uring uring;
    unsigned unsubmitted;
};

struct ring *ring_new(unsigned depth)
{
    struct ring *ring = allocate(1, sizeof *ring);
    int error = io_uring_queue_init(depth, &ring->uring, 0);
    ring->unsubmitted = 0;
    if (!error)
        return ring;
    free(ring);
    errno = -error;
    return NULL;
}

void ring_free(struct ring *ring)
{
    if (ring)
        io_uring_queue_exit(&ring->uring);
    free(ring);
}

static void submit(struct ring *ring)
{
    int submitted = io_uring_submit(&ring->uring);
    if (submitted < 0 && submitted != -EINTR && submitted != -EAGAIN && submitted != -EBUSY)
        bench_fail("io_uring: %s; --io plain does without", strerror(-submitted));
    if (submitted > 0)
        ring->unsubmitted -= (unsigned)submitted;
}

void ring_read(struct ring *ring, int fd, void *data, uint32_t length, uint64_t offset, void *tag)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->uring);
    while (!sqe) {
        submit(ring);
        sqe = io_uring_get_sqe(&ring->uring);
    }
    io_uring_prep_read(sqe, fd, data, length, offset);
    io_uring_sqe_set_data(sqe, tag);
    if (++ring->unsubmitted >= SUBMIT_AT)
        submit(ring);
}

ssize_t ring_wait(struct ring *ring, void **tag)
{
    struct io_uring_cqe *cqe;
    int error;
    do {
        if (ring->unsubmitted)
            submit(ring);
        error = io_uring_wait_cqe(&ring->uring, &cqe);
    } while (error == -EINTR || error == -EAGAIN);
    if (error)
        bench_fail("io_uring: %s; --io plain does without", strerror(-error));
    ssize_t result = cqe->res;
    *tag = io_uring_cqe_get_data(cqe);
    io_uring_cqe_seen(&ring->uring, cqe);
    return result;
}

#else

struct ring *ring_new(unsigned depth)
{
    (void)depth;
    errno = ENOSYS;
    return NULL;
}

void ring_free(struct ring *ring) { (void)ring; }

_Noreturn static void never(void) { abort(); }

void ring_read(struct ring *ring, int fd, void *data, uint32_t length, uint64_t offset, void *tag)
{
    (void)ring;
    (void)fd;
    (void)data;
    (void)length;
    (void)offset;
    (void)tag;
    never();
}

ssize_t ring_wait(struct ring *ring, void **tag)
{
    (void)ring;
    (void)tag;
    never();
}
#endif
