/* SPDX-License-Identifier: MIT */
/* Litmus programs through the checker: this file is compiled as any program under check is. */
#include <heist/atomic.h>

#include <stdlib.h>

#include "program.h"
#include "state.h"

/* What outlives a run. */
static const struct litmus *litmus CHECK_STATE;
static struct outcomes *outcomes CHECK_STATE;

/* What every run finds as it was. */
static heist_au64 word[WORDS];
static int plain[2];
static _Alignas(4) unsigned char byte[4];
static heist_au64 *block;
static int64_t read_by[STEPS];

static void setup(void)
{
    for (int i = 0; i < STEPS; i++)
        read_by[i] = -1;
    block = check_alloc(NULL, sizeof *block, 8);
    block->v_ = 0;
}

static heist_au64 *word_of(char where)
{
    return where == 'n' ? block : &word[where == 'w' ? 3 : where - 'x'];
}

static uint64_t atomic_step(const struct step *s)
{
    heist_au64 *a = word_of(s->where);
    uint64_t expected = s->expected;
    switch (s->verb) {
    case LOAD:
        return heist_load(a, s->order);
    case STORE:
        heist_store(a, s->value, s->order);
        return 0;
    case ADD:
        return heist_add(a, s->value, s->order);
    case EXCHANGE:
        return heist_exchange(a, s->value, s->order);
    default:
        heist_cas(a, &expected, s->value, s->order);
        return expected; /* what was there, either way */
    }
}

#define PLAIN_STEP(a) (s->verb == STORE ? (uint64_t)((a) = s->value) : (uint64_t)(a))

static uint64_t plain_step(const struct step *s)
{
    switch (s->where) {
    case 'm':
        return PLAIN_STEP(block->v_);
    case 'a':
        return PLAIN_STEP(byte[0]);
    case 'b':
        return PLAIN_STEP(byte[1]);
    case 'p':
        return PLAIN_STEP(plain[0]);
    default:
        return PLAIN_STEP(plain[1]);
    }
}

static void thread(int t)
{
    uint64_t last = 0;
    for (int i = 0; i < litmus->steps; i++) {
        const struct step *s = &litmus->step[i];
        if (s->thread != t)
            continue;
        if (s->verb == TEST) {
            if (last != s->value)
                return;
        } else if (s->verb == FENCE) {
            if (s->where == 'l')
                heist_light_fence_(s->order);
            else if (s->where == 'h')
                heist_heavy_fence_(s->order);
            else
                heist_fence(s->order);
        } else if (s->verb == FREE) {
            check_free(NULL, block, sizeof *block);
        } else {
            bool plainly = s->where != 'n' && s->where < 'w';
            uint64_t value = plainly ? plain_step(s) : atomic_step(s);
            if (step_reads(s))
                read_by[i] = (int64_t)(last = value);
        }
    }
}

static void thread0(void) { thread(0); }
static void thread1(void) { thread(1); }
static void thread2(void) { thread(2); }
static void thread3(void) { thread(3); }
static void thread4(void) { thread(4); }

static void finish(void)
{
    char text[OUTCOME];
    uint64_t left[WORDS];
    for (int i = 0; i < WORDS; i++)
        left[i] = word[i].v_;
    outcome_write(text, litmus, read_by, left);
    outcomes_add(outcomes, text);
}

struct check_result litmus_run(const struct litmus *l, enum check_model model,
                               struct outcomes *seen)
{
    static void (*const threads[])(void) = {thread0, thread1, thread2, thread3, thread4};
    struct check_program program = {.setup = setup, .finish = finish};
    struct check_options options = {.model = model};
    for (int t = 0; t < l->threads; t++)
        program.thread[t] = threads[t];
    litmus = l;
    outcomes = seen;
    seen->n = 0;
    return check(&program, &options);
}
