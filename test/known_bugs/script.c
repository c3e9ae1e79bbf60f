/* SPDX-License-Identifier: MIT */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#ifndef __has_feature /* clang's way to say it */
#define __has_feature(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#include <sanitizer/tsan_interface.h>
#else
#define __tsan_get_current_fiber() NULL
#define __tsan_create_fiber(flags) NULL
#define __tsan_destroy_fiber(fiber) ((void)(fiber))
#define __tsan_switch_to_fiber(fiber, flags) ((void)(fiber))
#endif

enum { ITEMS = 64, CHOICES = 8, ITEM_BYTES = 64, STACK = 256 * 1024 };

static char items[ITEMS][ITEM_BYTES] HEIST_ALIGNED;

/* The run under way. */
static struct {
    const struct subject *subject;
    void *queue;
    bool queued[ITEMS];
    unsigned fresh; /* items used so far */
    int got;        /* what `r` puts again; -1: nothing */
    unsigned faults;
    unsigned long stolen;

    const char *insert; /* what is to run inside the operation under way: "(..)", "[..]", NULL */
    unsigned passed;    /* steps since the last choice was made */
    unsigned choices;   /* made so far, over the whole script */
    unsigned choice[CHOICES]; /* before which step an insertion begins, or stops */
    bool reached[CHOICES];

    const char *aside; /* what runs inside is of the form "[..]", and is not done yet */
    bool inside;       /* and is running now */
} now;

void fault(enum fault what) { now.faults |= what; }

static int number_of(const void *item)
{
    ptrdiff_t offset = (const char *)item - items[0];
    return offset < 0 || offset >= (ptrdiff_t)sizeof items || offset % ITEM_BYTES
               ? -1
               : (int)(offset / ITEM_BYTES);
}

bool item_is_queued(const void *item)
{
    int i = number_of(item);
    return i >= 0 && now.queued[i];
}

/* Somebody has it now, and frees it. */
static void taken(void *item)
{
    int i = number_of(item);
    if (i < 0 || i >= (int)now.fresh) {
        fault(JUNK);
    } else if (!now.queued[i]) {
        fault(DUPLICATE);
    } else {
        now.queued[i] = false;
        if (now.subject->poison)
            ASAN_POISON_MEMORY_REGION(items[i], ITEM_BYTES);
    }
}

static bool put(int i)
{
    ASAN_UNPOISON_MEMORY_REGION(items[i], ITEM_BYTES);
    now.queued[i] = true; /* a thief may have it before put returns */
    bool done = now.subject->put(now.queue, items[i]);
    if (!done)
        now.queued[i] = false;
    return done;
}

static bool put_fresh(void)
{
    if (now.fresh == ITEMS)
        abort();
    return put((int)now.fresh++);
}

static bool get(void)
{
    void *item = now.subject->get(now.queue);
    if (!item)
        return false;
    taken(item);
    now.got = number_of(item);
    return true;
}

static bool steal(void)
{
    void *stolen[MOST_STOLEN];
    size_t n = now.subject->steal(now.queue, stolen);
    for (size_t i = 0; i < n; i++)
        taken(stolen[i]);
    now.stolen += n;
    return n > 0;
}

static void do_one(char op)
{
    bool done = true;
    switch (op) {
    case 'p':
    case 'P':
        done = put_fresh();
        break;
    case 'r':
        if (now.got >= 0 && !now.queued[now.got])
            put(now.got);
        break;
    case 'g':
    case 'G':
        done = get();
        break;
    case 's':
    case 'S':
        done = steal();
        break;
    case 'a':
        if (now.subject->ask)
            now.subject->ask(now.queue);
        break;
    case 'x':
        if (now.subject->expose)
            now.subject->expose(now.queue);
        break;
    default:
        abort();
    }
    if (!done && (op == 'P' || op == 'G' || op == 'S'))
        fault(STUCK);
}

/* The insertion that can be stopped runs on a stack of its own. */
static ucontext_t main_context, aside_context;
static void *main_fiber, *aside_fiber;
static char aside_stack[STACK] HEIST_ALIGNED;

static void switch_to(ucontext_t *from, ucontext_t *to, void *fiber)
{
    now.inside = to == &aside_context;
    __tsan_switch_to_fiber(fiber, 0);
    swapcontext(from, to);
}

static void run_aside(void)
{
    while (*++now.aside != ']')
        do_one(*now.aside);
    now.aside = NULL;
    switch_to(&aside_context, &main_context, main_fiber);
}

static void begin_aside(const char *ops)
{
    getcontext(&aside_context);
    aside_context.uc_stack.ss_sp = aside_stack;
    aside_context.uc_stack.ss_size = sizeof aside_stack;
    makecontext(&aside_context, run_aside, 0);
    main_fiber = __tsan_get_current_fiber();
    aside_fiber = __tsan_create_fiber(0);
    now.aside = ops;
    now.passed = 0;
    switch_to(&main_context, &aside_context, aside_fiber);
}

static void finish_aside(void)
{
    if (now.aside)
        switch_to(&main_context, &aside_context, aside_fiber);
    if (aside_fiber)
        __tsan_destroy_fiber(aside_fiber);
    aside_fiber = NULL;
}

static const char *after_insertion(const char *insertion)
{
    return insertion + strcspn(insertion, ")]") + 1;
}

static bool is_insertion(const char *script) { return *script == '(' || *script == '['; }

/* Whether the step now reached is the one that the next choice is about. */
static bool chosen(void)
{
    if (now.passed != now.choice[now.choices])
        return false;
    now.reached[now.choices++] = true;
    now.passed = 0;
    return true;
}

void step(void)
{
    if (now.inside) {
        if (now.insert && chosen()) {
            now.insert = NULL;
            switch_to(&aside_context, &main_context, main_fiber);
        }
    } else {
        while (now.insert && chosen()) {
            const char *insertion = now.insert, *next = after_insertion(insertion);
            if (*insertion == '[') {
                begin_aside(insertion);
                now.insert = NULL;
            } else {
                now.insert = NULL; /* what runs in the middle runs whole */
                for (const char *op = insertion + 1; *op != ')'; op++)
                    do_one(*op);
                now.insert = is_insertion(next) ? next : NULL;
            }
            now.passed = 0;
        }
    }
    now.passed++;
}

static void run(const char *script)
{
    memset(now.queued, 0, sizeof now.queued);
    memset(now.reached, 0, sizeof now.reached);
    now.fresh = now.choices = 0;
    now.got = -1;
    now.queue = now.subject->make(now.subject->variant);
    while (*script) {
        char op = *script++;
        now.insert = is_insertion(script) ? script : NULL;
        unsigned choices = now.choices;
        for (; is_insertion(script); script = after_insertion(script))
            choices += *script == '[' ? 2 : 1;
        if (choices > CHOICES)
            abort();
        now.passed = 0;
        do_one(op);
        now.insert = NULL;
        finish_aside();
        now.choices = choices;
    }
    /* A queue that gives without end gives duplicates; enough is enough. */
    for (int i = 0; i < 2 * ITEMS && get(); i++)
        ;
    for (int i = 0; i < 2 * ITEMS && steal(); i++)
        ;
    for (int i = 0; i < ITEMS; i++)
        if (now.queued[i])
            fault(LOST);
    now.subject->drop(now.queue);
}

/* The next combination: the last choice that was reached, one step later. */
static bool next_choice(void)
{
    for (int i = CHOICES - 1; i >= 0; i--) {
        if (now.reached[i]) {
            now.choice[i]++;
            return true;
        }
        now.choice[i] = 0;
    }
    return false;
}

void play(const struct subject *subject, const char *script, struct verdict *verdict)
{
    memset(&now, 0, sizeof now);
    now.subject = subject;
    do {
        run(script);
        verdict->runs++;
    } while (next_choice());
    if (now.faults && !verdict->faults)
        snprintf(verdict->first, sizeof verdict->first, "%s", script);
    verdict->faults |= now.faults;
    verdict->taken_by_thieves += now.stolen;
}

const char *fault_names(unsigned faults)
{
    static const char *const names[] = {"duplicate", "lost", "junk", "stuck", "freed"};
    static char text[64];
    text[0] = 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (faults & 1u << i) {
            strcat(text, text[0] ? " " : "");
            strcat(text, names[i]);
        }
    return text[0] ? text : "none";
}

/* The i-th string over `letters`, shortest first; false when it would be longer than `length`. */
static bool word(char *out, unsigned long i, const char *letters, unsigned length)
{
    size_t base = strlen(letters);
    unsigned n = 0;
    for (i++; i > 0; i = (i - 1) / base) {
        if (n == length)
            return false;
        out[n++] = letters[(i - 1) % base];
    }
    out[n] = 0;
    return true;
}

/* What runs in the middle of what, and up to how many operations; `|` is ")(". */
static const struct {
    const char *form, *letters;
    unsigned length;
} shapes[] = {
    /* in the middle of the owner's operation there are only thieves, and its own handler */
    {"%sp(%s)psg", "sx", 3},  {"%sg(%s)psg", "sx", 3}, {"%ss(%s)psg", "pgsx", 4},
    {"%ss(%s)psg", "pg|", 4}, {"%sp[%s]psg", "s", 2},  {"%sg[%s]psg", "s", 2},
    {"%ss[%s]psg", "pgs", 2},
};

/* What owner and thieves do over and over, round the ring and further, while one thief stands. */
static const char *const routines[] = {"pg", "pgs", "ps", "ppsgs", "ppgg", "pppsggs", "ppsxsgs"};

enum { WORD = 64, ROUNDS = 6 };

static void insert(const struct subject *subject, const char *form, const char *before,
                   const char *inner, struct verdict *verdict)
{
    char expanded[2 * WORD], script[sizeof verdict->first], *end = expanded;
    bool thief_outside = form[2] == 's';
    if ((strchr(inner, 'x') && !subject->expose) ||
        (thief_outside && strchr(inner, 's') && subject->one_thief))
        return;
    for (; *inner; inner++)
        end = stpcpy(end, *inner == '|' ? ")(" : (char[]){*inner, 0});
    snprintf(script, sizeof script, form, before, expanded);
    play(subject, script, verdict);
}

void play_all(const struct subject *subject, unsigned length, struct verdict *verdict)
{
    char before[WORD], inner[WORD];
    for (unsigned long i = 0; word(before, i, "pgs", length); i++) {
        for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
            for (unsigned long j = 0; word(inner, j, shapes[k].letters, shapes[k].length); j++)
                insert(subject, shapes[k].form, before, inner, verdict);
        for (size_t k = 0; k < sizeof routines / sizeof *routines && strlen(before) < length; k++) {
            inner[0] = 0;
            for (int n = 0; n < ROUNDS; n++)
                insert(subject, "%ss(%s)psg", before, strcat(inner, routines[k]), verdict);
        }
    }
}
