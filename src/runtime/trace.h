/* SPDX-License-Identifier: MIT */
/*
 * HEIST_TRACE=file.json: what the workers did and when, as a file that ui.perfetto.dev and
 * chrome://tracing open. Each worker records into a buffer of its own, in memory; a pool's events
 * are written when it ends, or when the program does. All pools of a process share the file.
 *
 * A buffer has one writer. It publishes each event by the count of them, so that a program may end
 * while its workers are still at work: the events so far are read beside them.
 */
#ifndef HEIST_RUNTIME_TRACE_H
#define HEIST_RUNTIME_TRACE_H

#include <heist/atomic.h>

/* The ledger of orders. */
/* recording: the event before the count; pairs with READ; else junk is written to the file */
#ifndef HEIST_TR_RECORD
#define HEIST_TR_RECORD __ATOMIC_RELEASE
#endif
/* writing: the count before the events; pairs with RECORD */
#ifndef HEIST_TR_READ
#define HEIST_TR_READ __ATOMIC_ACQUIRE
#endif

enum heist_trace_kind_ {
    HEIST_TRACE_FORK_ = 1, /* a forked task begins; a: its function */
    HEIST_TRACE_JOB_,      /* a submitted job begins; a: its function */
    HEIST_TRACE_RUN_,      /* what heist_run was given begins; a: its function */
    HEIST_TRACE_WAIT_,     /* begins to wait at a join; a: the thief, or HEIST_TRACE_UNKNOWN_ */
    HEIST_TRACE_IDLE_,     /* begins to look for work */
    HEIST_TRACE_PARK_,     /* begins to sleep */
    HEIST_TRACE_END_,      /* of whichever of these began last */
    HEIST_TRACE_STEAL_,    /* before the stolen task begins; a: the victim */
    HEIST_TRACE_ASK_,      /* a: of whom */
    HEIST_TRACE_GRANT_,    /* made a busy worker's tasks public; a: whose, b: how many */
    HEIST_TRACE_WAKE_      /* a: whom, or HEIST_TRACE_UNKNOWN_ */
};

#define HEIST_TRACE_UNKNOWN_ UINT64_MAX
#define HEIST_TRACE_EVENTS_ 1000000 /* of a worker; those after it are counted only */

struct heist_trace_;        /* of one pool */
struct heist_trace_buffer_; /* of one worker */

/*
 * `%p` in the path becomes the process's number, `%%` a `%`. The file appears when the last open
 * trace of the process is closed; a pool that comes after that is added to it. It is tried at once
 * whether the file can be written. `pool` is the name to show, `events_max` the bound per worker
 * (0: the default).
 *
 * 0 and a trace; 0 and NULL: not traced, since this process is a child, after fork, of one that
 * writes that file; or the program is ending. -errno: -EINVAL for a path that is empty or there and
 * not a regular file, -ENOMEM, or what the file system says.
 */
int heist_trace_open_(struct heist_trace_ **out, const char *path, unsigned workers_max,
                      const char *pool, uint64_t events_max);

/* Writes its events, if this is still the process that opened it, and frees it; nobody records any
   more. NULL is allowed. 0, or -errno: they are not in the file. */
int heist_trace_close_(struct heist_trace_ *trace);

/* NULL if `trace` is NULL, and for a worker that it has no room for. Workers above all that
   were asked for are not in the file. */
struct heist_trace_buffer_ *heist_trace_buffer_(struct heist_trace_ *trace, unsigned worker);

/* Only the worker whose buffer it is. */
void heist_trace_event_(struct heist_trace_buffer_ *buffer, enum heist_trace_kind_ kind, uint64_t a,
                        uint64_t b);

#endif
