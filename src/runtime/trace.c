/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <heist/version.h>

#include "trace_buffer.h"
#include "trace_file.h"
#include "trace_json.h"

struct log { /* a file, and what goes into it */
    struct heist_trace_file_ file;
    pid_t process;    /* whose it is: a child must not write to it */
    uint64_t origin;  /* when it began */
    unsigned rows;    /* that its pools have */
    uint64_t flows;   /* arrows in it */
    uint64_t dropped; /* events that are not in it */
    struct heist_trace_ *open;
    struct log *next;
};

struct heist_trace_ {
    struct log *log;
    struct heist_trace_ *next; /* open, of the same log */
    char *pool;
    unsigned first_row, workers;
    heist_au32 rows; /* of workers that there were so far: others have none in the file */
    struct heist_trace_buffer_ buffer[]; /* of each worker */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for all below, but for the buffers */
static struct log *logs;
static bool over; /* the program is ending, and all is written */

/* ---- recording ---- */

/* In nanoseconds. */
static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static HEIST_COLD void drop(struct heist_trace_buffer_ *b, uint64_t when)
{
    uint64_t before = heist_load(&b->dropped, __ATOMIC_RELAXED);
    if (!before)
        heist_store(&b->dropped_when, when, __ATOMIC_RELAXED);
    heist_store(&b->dropped, before + 1, HEIST_TR_RECORD);
}

static HEIST_COLD bool add_chunk(struct heist_trace_buffer_ *b)
{
    struct heist_trace_chunk_ *chunk = malloc(sizeof *chunk);
    if (!chunk)
        return false;
    chunk->next = NULL;
    if (b->last)
        b->last->next = chunk;
    else
        b->first = chunk;
    b->last = chunk;
    return true;
}

void heist_trace_event_(struct heist_trace_buffer_ *buffer, enum heist_trace_kind_ kind, uint64_t a,
                        uint64_t b)
{
    uint64_t n = heist_load(&buffer->recorded, __ATOMIC_RELAXED);
    uint64_t when = now() - buffer->origin;
    if (n < buffer->bound && n % HEIST_TRACE_CHUNK_ == 0 && !add_chunk(buffer))
        buffer->bound = n; /* all that is kept comes before all that is not */
    if (n >= buffer->bound) {
        drop(buffer, when);
        return;
    }
    buffer->last->record[n % HEIST_TRACE_CHUNK_] =
        (struct heist_trace_record_){when << 8 | (uint64_t)kind, a, b};
    heist_store(&buffer->recorded, n + 1, HEIST_TR_RECORD);
}

struct heist_trace_buffer_ *heist_trace_buffer_(struct heist_trace_ *trace, unsigned worker)
{
    if (!trace || worker >= trace->workers)
        return NULL;
    uint32_t rows = heist_load(&trace->rows, __ATOMIC_RELAXED);
    while (rows <= worker && !heist_cas(&trace->rows, &rows, worker + 1, __ATOMIC_RELAXED))
        continue;
    return &trace->buffer[worker];
}

/* ---- opening ---- */

/* Whoever held the lock is not in the child. What it was about is the parent's, and stays
   untouched. */
static void in_child(void) { lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

static void watch_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* 0 or -errno. Takes the path, or frees it. */
static int find_log(struct log **out, char *path)
{
    struct log *log = logs;
    while (log && strcmp(log->file.path, path))
        log = log->next;
    int error = 0;
    if (log) {
        free(path);
    } else {
        log = calloc(1, sizeof *log);
        error = log ? heist_trace_file_init_(&log->file, path) : -ENOMEM;
        if (error) {
            free(path);
            free(log);
            return error;
        }
        log->process = getpid();
        log->origin = now();
        log->next = logs;
        logs = log;
    }
    *out = log;
    return 0;
}

static int open_in(struct heist_trace_ **out, struct log *log, unsigned workers, const char *pool,
                   uint64_t bound)
{
    void *memory;
    size_t size = sizeof(struct heist_trace_) + workers * sizeof(struct heist_trace_buffer_);
    if (over || log->process != getpid()) {
        *out = NULL;
        return 0;
    }
    if (posix_memalign(&memory, HEIST_LINE, size))
        return -ENOMEM;
    struct heist_trace_ *trace = memset(memory, 0, size);
    trace->pool = strdup(pool);
    if (!trace->pool) {
        free(trace);
        return -ENOMEM;
    }
    for (unsigned i = 0; i < workers; i++) {
        trace->buffer[i].bound = bound ? bound : HEIST_TRACE_EVENTS_;
        trace->buffer[i].origin = log->origin;
    }
    trace->log = log;
    trace->workers = workers;
    trace->first_row = log->rows + 1; /* viewers have other plans for row 0 */
    log->rows += workers;
    trace->next = log->open;
    log->open = trace;
    *out = trace;
    return 0;
}

int heist_trace_open_(struct heist_trace_ **out, const char *path, unsigned workers_max,
                      const char *pool, uint64_t events_max)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct log *log;
    char *real;
    pthread_once(&once, watch_forks);
    int error = heist_trace_path_(&real, path);
    if (error)
        return error;
    pthread_mutex_lock(&lock);
    error = find_log(&log, real);
    if (!error)
        error = open_in(out, log, workers_max, pool, events_max);
    pthread_mutex_unlock(&lock);
    return error;
}

/* ---- writing ---- */

static int write_events(struct log *log, const struct heist_trace_ *trace)
{
    enum { BUFFER = 1 << 16 };
    struct heist_text_ out;
    struct heist_trace_rows_ rows = {.process = (uint64_t)log->process,
                                     .pool = trace->pool,
                                     .first_row = trace->first_row,
                                     .workers = heist_load(&trace->rows, __ATOMIC_RELAXED),
                                     .now = now() - log->origin,
                                     .flows = &log->flows,
                                     .names = heist_trace_names_new_()};
    char *buffer = malloc(BUFFER);
    int error = rows.names && buffer ? 0 : -ENOMEM;
    if (!error) {
        heist_text_begin_(&out, log->file.fd, buffer, BUFFER);
        if (!log->file.end)
            heist_text_string_(&out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
        for (unsigned i = 0; i < rows.workers; i++)
            heist_trace_json_worker_(&out, &rows, i, &trace->buffer[i]);
        error = heist_text_flush_(&out);
    }
    free(buffer);
    heist_trace_names_free_(rows.names);
    return error;
}

/* Adds a pool to the file. What can't be written as a whole is cut off again. 0 or -errno. */
static int append(struct log *log, const struct heist_trace_ *trace)
{
    int error = heist_trace_file_begin_(&log->file);
    if (error)
        return error;
    if (!log->file.end) /* a new one: the last may have been moved away */
        log->flows = log->dropped = 0;
    error = write_events(log, trace);
    off_t end = lseek(log->file.fd, 0, SEEK_CUR);
    if (!error && end >= 0) {
        log->file.end = end;
        for (unsigned i = 0; i < trace->workers; i++)
            log->dropped += heist_load(&trace->buffer[i].dropped, __ATOMIC_RELAXED);
        return 0;
    }
    if (ftruncate(log->file.fd, log->file.end) || lseek(log->file.fd, log->file.end, SEEK_SET) < 0)
        return -errno;
    return error ? error : -EIO;
}

/* The last event, which has no comma behind it, and the file's end. */
static int place(struct log *log)
{
    char tail[1024];
    struct heist_text_ text;
    if (log->file.fd < 0 || !log->file.end) {
        heist_trace_file_drop_(&log->file);
        return 0;
    }
    heist_text_begin_(&text, -1, tail, sizeof tail - 1);
    heist_text_string_(&text, "{\"ph\":\"M\",\"pid\":");
    heist_text_decimal_(&text, (uint64_t)log->process);
    heist_text_string_(&text, ",\"name\":\"process_name\",\"args\":{\"name\":");
    heist_trace_json_string_(&text, program_invocation_short_name);
    heist_text_string_(&text,
                       "}}\n],\"otherData\":{\"heist\":\"" HEIST_VERSION_STRING "\",\"dropped\":");
    heist_text_decimal_(&text, log->dropped);
    heist_text_string_(&text, "}}\n");
    tail[text.used] = '\0';
    return heist_trace_file_place_(&log->file, tail);
}

static int write_last(struct heist_trace_ *trace)
{
    struct log *log = trace->log;
    if (over || log->process != getpid())
        return 0;
    struct heist_trace_ **link = &log->open;
    while (*link != trace)
        link = &(*link)->next;
    *link = trace->next;
    int error = append(log, trace);
    if (!log->open) {
        int not_placed = place(log);
        error = error ? error : not_placed;
    }
    return error;
}

int heist_trace_close_(struct heist_trace_ *trace)
{
    if (!trace)
        return 0;
    pthread_mutex_lock(&lock);
    int error = write_last(trace);
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < trace->workers; i++) {
        struct heist_trace_chunk_ *chunk = trace->buffer[i].first;
        while (chunk) {
            struct heist_trace_chunk_ *next = chunk->next;
            free(chunk);
            chunk = next;
        }
    }
    free(trace->pool);
    free(trace);
    return error;
}

/* ---- the end of the program ---- */

/* Nobody is left to be told about an error but the user, who asked for the file. */
static void complain(const struct log *log, int error)
{
    char buffer[256];
    struct heist_text_ text;
    heist_text_begin_(&text, STDERR_FILENO, buffer, sizeof buffer);
    heist_text_string_(&text, "heist: the trace ");
    heist_text_string_(&text, log->file.path);
    heist_text_string_(&text, " can't be written: ");
    heist_text_string_(&text, strerror(-error));
    heist_text_string_(&text, "\n");
    heist_text_flush_(&text);
}

/* Pools that are still open, maybe with workers at work: their events so far. */
static void write_open(struct log *log)
{
    int error = 0;
    for (const struct heist_trace_ *t = log->open; t; t = t->next) {
        int one = append(log, t);
        error = error ? error : one;
    }
    int not_placed = place(log);
    error = error ? error : not_placed;
    if (error)
        complain(log, error);
}

/* After destructors without a number, one of which frees the default pool. A trace that is still
   open, or the parent's, keeps its log. */
__attribute__((destructor(101))) static void at_exit(void)
{
    pthread_mutex_lock(&lock);
    over = true;
    for (struct log **link = &logs; *link;) {
        struct log *log = *link;
        if (log->open) {
            if (log->process == getpid())
                write_open(log);
            link = &log->next;
        } else {
            *link = log->next;
            heist_trace_file_fini_(&log->file);
            free(log);
        }
    }
    pthread_mutex_unlock(&lock);
}
