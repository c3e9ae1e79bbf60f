/* SPDX-License-Identifier: MIT */
/* A line on the terminal, ten times a second, by whichever worker finds that it is time. */
#include <stdatomic.h>

#include "clock.h"
#include "finddup.h"

enum { INTERVAL_NS = 100000000 };

static bool shown;
static const char *stage;
static uint64_t stage_steps, stage_began;
static atomic_uint_fast64_t steps_done, next_time;

void progress_begin(bool wanted) { shown = wanted; }

void progress_stage(const char *what, uint64_t steps)
{
    stage = what;
    stage_steps = steps;
    stage_began = clock_ns();
    steps_done = 0;
}

void progress_step(uint64_t steps)
{
    if (!shown)
        return;
    uint64_t done = atomic_fetch_add(&steps_done, steps) + steps, now = clock_ns(), due = next_time;
    if (now < due || !atomic_compare_exchange_strong(&next_time, &due, now + INTERVAL_NS))
        return;
    if (stage_steps) {
        bench_show_progress((double)done / (double)stage_steps, stage_began, "finddup", stage);
    } else {
        char line[64];
        snprintf(line, sizeof line, "%s: %llu", stage, (unsigned long long)done);
        bench_show_progress(0, stage_began, "finddup", line);
    }
}

void progress_end(void)
{
    if (shown)
        bench_clear_progress();
}
