/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "pool.h"

static const struct {
    const char *name;
    int digits;
} columns[POOL_COLUMNS] = {
    [P_BALANCE] = {"balance_pct", 0},
    [P_THREADS] = {"threads", 0},
    [P_ROUND] = {"round", 0},
    [P_SPEED] = {"ops_per_s", 0},
    [P_CPU_SPEED] = {"ops_per_cpu_s", 0},
    [P_STOLEN] = {"stolen_pct", 3},
    [P_TRIES] = {"attempts_per_success", 4},
    [P_FAIR] = {"fairness", 4},
    [P_FAIR_OWNERS] = {"fairness_owners", 4},
    [P_PUTS] = {"puts", 0},
    [P_GETS] = {"gets", 0},
    [P_STEALS] = {"steals", 0},
    [P_ATTEMPTS] = {"attempts", 0},
    [P_SUCCESSES] = {"successes", 0},
    [P_SECONDS] = {"seconds", 6},
    [P_CPU_SECONDS] = {"cpu_seconds", 6},
    [P_CAPACITY] = {"capacity", 0},
    [P_BLOCK] = {"block", 0},
    [P_OK] = {"ok", 0},
};

void pool_write_csv_header(FILE *f)
{
    fprintf(f, "kind,policy,batch");
    for (int c = 0; c < POOL_COLUMNS; c++)
        fprintf(f, ",%s", columns[c].name);
    fprintf(f, ",commit,host\n");
}

void pool_write_csv_row(FILE *f, const struct pool_row *r)
{
    fprintf(f, "%s,%s,%s", r->entrant->kind->name, r->entrant->policy_name,
            heist_batch_name(r->entrant->batch));
    for (int c = 0; c < POOL_COLUMNS; c++) {
        fputc(',', f);
        if (!isnan(r->value[c]))
            fprintf(f, "%.*f", columns[c].digits, r->value[c]);
    }
    fprintf(f, ",%s,%s\n", bench_fact("commit"), bench_fact("host"));
    fflush(f);
}

/* Not where nothing was measured: a NAN. */
static bool is_of(const struct pool_row *r, const struct pool_entrant *e, uint64_t balance,
                  enum pool_column c)
{
    return r->entrant == e && (uint64_t)r->value[P_BALANCE] == balance && !isnan(r->value[c]);
}

struct summary pool_summary(const struct pool_rows *rows, const struct pool_entrant *e,
                            uint64_t balance, enum pool_column c)
{
    double *values = NULL;
    size_t n = 0;
    for (const struct pool_row *r = rows->at; r != rows->at + rows->n; r++)
        if (is_of(r, e, balance, c)) {
            values = bench_grow(values, n, sizeof *values);
            values[n++] = r->value[c];
        }
    struct summary s = bench_summarize(values, n);
    free(values);
    return s;
}

double pool_ratio(const struct pool_rows *rows, const struct pool_entrant *e,
                  const struct pool_entrant *to, uint64_t balance, enum pool_column c)
{
    double *values = NULL;
    size_t n = 0;
    const struct pool_row *end = rows->at + rows->n;
    for (const struct pool_row *r = rows->at; r != end; r++)
        for (const struct pool_row *q = is_of(r, e, balance, c) ? rows->at : end; q != end; q++)
            if (is_of(q, to, balance, c) && r->value[P_ROUND] == q->value[P_ROUND]) {
                values = bench_grow(values, n, sizeof *values);
                values[n++] = r->value[c] / q->value[c];
            }
    double median = bench_summarize(values, n).median;
    free(values);
    return median;
}
