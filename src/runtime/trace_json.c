/* SPDX-License-Identifier: MIT */
#include "trace_json.h"

#include <stdlib.h>
#include <string.h>

#include "symbol.h"

/* ---- strings ---- */

/* Bytes of the UTF-8 character that begins here; 0: it is none. What the second byte may be depends
   on the first: the shortest form, no surrogates, nothing above U+10FFFF. */
static size_t utf8(const char *string)
{
    unsigned char first = (unsigned char)*string, second = (unsigned char)string[1];
    size_t n = first < 0x80                    ? 1
               : first >= 0xc2 && first < 0xe0 ? 2
               : first >= 0xe0 && first < 0xf0 ? 3
               : first >= 0xf0 && first < 0xf5 ? 4
                                               : 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)string[i] & 0xc0) != 0x80)
            return 0;
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    return n;
}

void heist_trace_json_string_(struct heist_text_ *out, const char *string)
{
    heist_text_string_(out, "\"");
    while (*string) {
        size_t n = utf8(string);
        if (!n || (unsigned char)*string < 0x20) {
            heist_text_string_(out, "?");
            n = 1;
        } else {
            if (*string == '"' || *string == '\\')
                heist_text_string_(out, "\\");
            heist_text_bytes_(out, string, n);
        }
        string += n;
    }
    heist_text_string_(out, "\"");
}

/* ---- names of functions ---- */

enum { NAMES = 1024, NAME_BYTES = 2048 };

struct heist_trace_names_ {
    struct {
        uint64_t function;
        char *json; /* "name":"fib","args":{"function":"program+0x1234"} */
    } known[NAMES];
    struct heist_symbol_ symbol;
    char json[NAME_BYTES];
};

struct heist_trace_names_ *heist_trace_names_new_(void)
{
    return calloc(1, sizeof(struct heist_trace_names_));
}

void heist_trace_names_free_(struct heist_trace_names_ *names)
{
    for (size_t i = 0; names && i < NAMES; i++)
        free(names->known[i].json);
    free(names);
}

static void look_up(struct heist_trace_names_ *names, uint64_t function)
{
    struct heist_symbol_ *s = &names->symbol;
    struct heist_text_ place, json;
    char text[sizeof s->path + 32];
    heist_symbol_find_(s, (uintptr_t)function);
    heist_text_begin_(&place, -1, text, sizeof text - 1);
    heist_text_string_(&place, s->module);
    heist_text_string_(&place, *s->module ? "+" : "");
    heist_text_hex_(&place, s->offset);
    text[place.used] = '\0';
    heist_text_begin_(&json, -1, names->json, sizeof names->json - 1);
    heist_text_string_(&json, "\"name\":");
    heist_trace_json_string_(&json, *s->name ? s->name : text);
    heist_text_string_(&json, ",\"args\":{\"function\":");
    heist_trace_json_string_(&json, text);
    heist_text_string_(&json, "}");
    names->json[json.used] = '\0';
}

/* Each in its place of the table, or the next that is free; beyond that it is looked up every
   time. */
static const char *name_of(struct heist_trace_names_ *names, uint64_t function)
{
    enum { NEAR = 8 };
    size_t at = (size_t)(function * 0x9e3779b97f4a7c15u >> 32);
    for (size_t i = 0; i < NEAR; i++) {
        size_t place = (at + i) % NAMES;
        if (!names->known[place].json) {
            look_up(names, function);
            names->known[place].function = function;
            names->known[place].json = strdup(names->json);
            return names->json;
        }
        if (names->known[place].function == function)
            return names->known[place].json;
    }
    look_up(names, function);
    return names->json;
}

/* ---- events ---- */

struct writer {
    struct heist_text_ *out;
    const struct heist_trace_rows_ *rows;
    unsigned row;
    uint64_t open;  /* what has begun and not ended */
    uint64_t since; /* when the last of these began or ended: from then on it looked for work */
};

static void string(struct writer *w, const char *s) { heist_text_string_(w->out, s); }

static void microseconds(struct writer *w, uint64_t nanoseconds)
{
    char fraction[4] = {'.', (char)('0' + nanoseconds / 100 % 10),
                        (char)('0' + nanoseconds / 10 % 10), (char)('0' + nanoseconds % 10)};
    heist_text_decimal_(w->out, nanoseconds / 1000);
    heist_text_bytes_(w->out, fraction, sizeof fraction);
}

/* {"ph":"PHASE","pid":P,"tid":T,"ts":TIME */
static void head(struct writer *w, const char *phase, unsigned row, uint64_t when)
{
    string(w, "{\"ph\":\"");
    string(w, phase);
    string(w, "\",\"pid\":");
    heist_text_decimal_(w->out, w->rows->process);
    string(w, ",\"tid\":");
    heist_text_decimal_(w->out, row);
    string(w, ",\"ts\":");
    microseconds(w, when);
}

static void tail(struct writer *w) { string(w, "},\n"); }

static void named(struct writer *w, const char *name)
{
    string(w, ",\"name\":\"");
    string(w, name);
    string(w, "\"");
}

static void argument(struct writer *w, const char *name, uint64_t value)
{
    if (value != HEIST_TRACE_UNKNOWN_) {
        string(w, ",\"args\":{\"");
        string(w, name);
        string(w, "\":");
        heist_text_decimal_(w->out, value);
        string(w, "}");
    }
}

static void begin(struct writer *w, uint64_t when)
{
    head(w, "B", w->row, when);
    w->open++;
    w->since = when;
}

static void end(struct writer *w, uint64_t when)
{
    if (!w->open)
        return;
    head(w, "E", w->row, when);
    tail(w);
    w->open--;
    w->since = when;
}

static void task(struct writer *w, const struct heist_trace_record_ *r, const char *category)
{
    begin(w, heist_trace_when_(r));
    string(w, ",\"cat\":\"");
    string(w, category);
    string(w, "\",");
    string(w, name_of(w->rows->names, r->a));
    tail(w);
}

static void instant(struct writer *w, const char *name, uint64_t when)
{
    head(w, "i", w->row, when);
    string(w, ",\"s\":\"t\"");
    named(w, name);
}

static void arrow(struct writer *w, const char *phase, unsigned row, uint64_t when)
{
    head(w, phase, row, when);
    string(w, ",\"cat\":\"steal\"");
    named(w, "steal");
    string(w, ",\"id\":");
    heist_text_decimal_(w->out, *w->rows->flows);
    tail(w);
}

/* From what the victim runs at that moment to what the thief begins next: viewers take an arrow's
   end for the next beginning, so it must come behind the instant, which they take for a beginning
   too. */
static void steal(struct writer *w, const struct heist_trace_record_ *r)
{
    uint64_t when = heist_trace_when_(r);
    instant(w, "steal", when);
    string(w, ",\"args\":{\"from\":");
    heist_text_decimal_(w->out, r->a);
    string(w, ",\"to\":");
    heist_text_decimal_(w->out, w->row - w->rows->first_row);
    string(w, ",\"took_us\":");
    microseconds(w, when - w->since);
    string(w, "}");
    tail(w);
    if (r->a < w->rows->workers) {
        arrow(w, "s", w->rows->first_row + (unsigned)r->a, when);
        arrow(w, "f", w->row, when);
        ++*w->rows->flows;
    }
}

static void grant(struct writer *w, const struct heist_trace_record_ *r)
{
    instant(w, "grant", heist_trace_when_(r));
    string(w, ",\"args\":{\"of\":");
    heist_text_decimal_(w->out, r->a);
    string(w, ",\"tasks\":");
    heist_text_decimal_(w->out, r->b);
    string(w, "}");
    tail(w);
}

static void event(struct writer *w, const struct heist_trace_record_ *r)
{
    uint64_t when = heist_trace_when_(r);
    switch (heist_trace_kind_(r)) {
    case HEIST_TRACE_FORK_:
        task(w, r, "fork");
        break;
    case HEIST_TRACE_JOB_:
        task(w, r, "job");
        break;
    case HEIST_TRACE_RUN_:
        task(w, r, "run");
        break;
    case HEIST_TRACE_WAIT_:
        begin(w, when);
        named(w, "waits");
        argument(w, "for", r->a);
        tail(w);
        break;
    case HEIST_TRACE_IDLE_:
        begin(w, when);
        named(w, "idle");
        tail(w);
        break;
    case HEIST_TRACE_PARK_:
        begin(w, when);
        named(w, "parked");
        tail(w);
        break;
    case HEIST_TRACE_END_:
        end(w, when);
        break;
    case HEIST_TRACE_STEAL_:
        steal(w, r);
        break;
    case HEIST_TRACE_ASK_:
        instant(w, "ask", when);
        argument(w, "of", r->a);
        tail(w);
        break;
    case HEIST_TRACE_GRANT_:
        grant(w, r);
        break;
    case HEIST_TRACE_WAKE_:
        instant(w, "wake", when);
        argument(w, "worker", r->a);
        tail(w);
        break;
    }
}

static void row_name(struct writer *w, unsigned worker)
{
    string(w, "{\"ph\":\"M\",\"pid\":");
    heist_text_decimal_(w->out, w->rows->process);
    string(w, ",\"tid\":");
    heist_text_decimal_(w->out, w->row);
    named(w, "thread_name");
    string(w, ",\"args\":{\"name\":");
    char name[128];
    struct heist_text_ text;
    heist_text_begin_(&text, -1, name, sizeof name - 1);
    heist_text_string_(&text, "worker ");
    heist_text_decimal_(&text, worker);
    heist_text_string_(&text, " of ");
    heist_text_string_(&text, w->rows->pool);
    name[text.used] = '\0';
    heist_trace_json_string_(w->out, name);
    string(w, "}");
    tail(w);
}

void heist_trace_json_worker_(struct heist_text_ *out, const struct heist_trace_rows_ *rows,
                              unsigned worker, const struct heist_trace_buffer_ *buffer)
{
    struct writer w = {.out = out, .rows = rows, .row = rows->first_row + worker};
    /* In this order: once one is dropped, no more are recorded. */
    uint64_t dropped = heist_load(&buffer->dropped, HEIST_TR_READ);
    uint64_t recorded = heist_load(&buffer->recorded, HEIST_TR_READ);
    const struct heist_trace_chunk_ *chunk = NULL;
    uint64_t last = rows->now; /* events may have come since */
    row_name(&w, worker);
    for (uint64_t i = 0; i < recorded; i++) {
        if (i % HEIST_TRACE_CHUNK_ == 0)
            chunk = chunk ? chunk->next : buffer->first;
        const struct heist_trace_record_ *r = &chunk->record[i % HEIST_TRACE_CHUNK_];
        event(&w, r);
        last = heist_trace_when_(r) > last ? heist_trace_when_(r) : last;
    }
    if (dropped)
        last = heist_load(&buffer->dropped_when, __ATOMIC_RELAXED);
    while (w.open)
        end(&w, last);
    if (dropped) {
        instant(&w, "events are missing from here on", last);
        argument(&w, "dropped", dropped);
        tail(&w);
    }
}
