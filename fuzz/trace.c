/* SPDX-License-Identifier: MIT */
/*
 * The writer of traces: any events, in the order of time, and any name of a pool become a file that
 * the reader of the tests accepts, in UTF-8. And the patterns of file names.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../src/runtime/trace_file.h"
#include "../src/runtime/trace_json.h"
#include "../test/runtime/trace_reader.h"
#include "fuzz.h"

enum { WORKERS = 3, EVENTS_MOST = 60 };

/* As RFC 3629 has it: shortest form, no surrogates, nothing above U+10FFFF. */
static bool is_utf8(const unsigned char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        unsigned c = s[i], more = c < 0x80 ? 0 : c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        uint32_t value = more ? c & (0x3fu >> more) : c;
        if ((c >= 0x80 && c < 0xc0) || c > 0xf7 || i + more >= n)
            return false;
        for (unsigned k = 1; k <= more; k++) {
            if ((s[i + k] & 0xc0) != 0x80)
                return false;
            value = value << 6 | (s[i + k] & 0x3f);
        }
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (value < least[more] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
            return false;
        i += more + 1;
    }
    return true;
}

static void check_string(const char *string)
{
    size_t size = 2 * strlen(string) + 3;
    char *buffer = malloc(size);
    struct heist_text_ out;
    FUZZ_REQUIRE(buffer);
    heist_text_begin_(&out, -1, buffer, size);
    heist_trace_json_string_(&out, string);
    FUZZ_REQUIRE(!out.error && out.used >= 2 && buffer[0] == '"' && buffer[out.used - 1] == '"');
    FUZZ_REQUIRE(is_utf8((unsigned char *)buffer, out.used));
    free(buffer);
}

static void check_path(const char *pattern)
{
    char *path;
    if (heist_trace_path_(&path, pattern))
        return;
    FUZZ_REQUIRE(*path == '/');
    free(path);
}

/* Three bytes make an event: what, how long after the last one, about whom. */
static uint64_t record(struct heist_trace_chunk_ *chunk, unsigned worker, const uint8_t *data,
                       size_t size)
{
    uint64_t when = 0, n = 0;
    for (; size >= 3 && n < EVENTS_MOST; data += 3, size -= 3) {
        unsigned kind = data[0] % (HEIST_TRACE_WAKE_ + 1);
        struct heist_trace_record_ *r = &chunk->record[n++];
        when += (uint64_t)data[1] << data[1] % 20;
        r->when = when << 8 | kind;
        r->a = data[2];
        r->b = data[2];
        if (kind <= HEIST_TRACE_RUN_) /* a function: one of ours, or none */
            r->a = data[2] & 1 ? (uint64_t)(uintptr_t)check_path : data[2];
        else if (kind == HEIST_TRACE_STEAL_ && data[2] % (WORKERS + 1) == worker)
            r->a = HEIST_TRACE_UNKNOWN_; /* nobody steals from himself */
        else if (kind == HEIST_TRACE_STEAL_)
            r->a = data[2] % (WORKERS + 1);
    }
    return n;
}

static void check_file(const char *pool, const uint8_t *data, size_t size)
{
    static struct heist_trace_chunk_ chunk;
    char buffer[512], path[64];
    struct heist_text_ out;
    uint64_t flows = 0;
    int fd = memfd_create("trace", 0);
    struct heist_trace_rows_ rows = {.process = 1,
                                     .pool = pool,
                                     .workers = WORKERS,
                                     .flows = &flows,
                                     .names = heist_trace_names_new_()};
    FUZZ_REQUIRE(fd >= 0 && rows.names);
    heist_text_begin_(&out, fd, buffer, sizeof buffer);
    heist_text_string_(&out, "{\"traceEvents\":[\n");
    for (unsigned i = 0; i < WORKERS; i++) {
        struct heist_trace_buffer_ b = {.first = &chunk, .last = &chunk};
        size_t part = size / WORKERS;
        uint64_t n = record(&chunk, i, data + i * part, part);
        heist_store(&b.recorded, n, __ATOMIC_RELAXED);
        if (n && data[i * part] > 250) { /* some were too many */
            heist_store(&b.dropped, 1, __ATOMIC_RELAXED);
            heist_store(&b.dropped_when, heist_trace_when_(&chunk.record[n - 1]), __ATOMIC_RELAXED);
        }
        heist_trace_json_worker_(&out, &rows, i, &b);
    }
    heist_text_string_(&out, "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\"}]}\n");
    FUZZ_REQUIRE(!heist_text_flush_(&out));
    heist_trace_names_free_(rows.names);
    struct trace t;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_REQUIRE(trace_read(&t, path));
    free(t.event);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    size_t length = strlen(text), behind = length < size ? length + 1 : size;
    check_string(text);
    check_path(text);
    check_file(text, data + behind, size - behind);
    free(text);
    return 0;
}
