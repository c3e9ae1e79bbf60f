/* SPDX-License-Identifier: MIT */
/* The paper's figures as tables: a row for each input of each program, and what its boxes show. */
#include <math.h>
#include <stdlib.h>

#include "lcws.h"

/* One figure: what is shown of a case and a scheduler, NAN for nothing. */
struct figure {
    const char *title;
    double (*value)(const struct figure *f, const struct lcws_case *c, int kind);
    int stat;            /* what is compared, */
    int base;            /* with whose; it is shown too */
    double least;        /* fewer of it are too few to compare */
    const char *nothing; /* said if there is nothing to show */
};

/* ---- Of one case ---- */

static double count_of(const struct lcws_case *c, int kind, int stat)
{
    double *values = NULL;
    size_t n = 0;
    for (size_t i = 0; i < c->kinds[kind].n && !c->kinds[kind].failed; i++) {
        const struct lcws_sample *s = &c->kinds[kind].samples[i];
        if (!s->counted)
            continue;
        values = bench_grow(values, n, sizeof *values);
        values[n++] = (double)s->stats[stat];
    }
    double median = bench_summarize(values, n).median;
    free(values);
    return median;
}

static double percent_of_base(const struct figure *f, const struct lcws_case *c, int kind)
{
    double base = count_of(c, f->base, f->stat);
    return base >= f->least ? 100 * count_of(c, kind, f->stat) / base : NAN;
}

/* Of all its runs: in a single one a task may have been exposed before and stolen behind the
   count. */
static double percent_unstolen(const struct figure *f, const struct lcws_case *c, int kind)
{
    double exposed = 0, stolen = 0;
    (void)f;
    for (size_t i = 0; i < c->kinds[kind].n && !c->kinds[kind].failed; i++) {
        exposed += (double)c->kinds[kind].samples[i].stats[STAT_exposures];
        stolen += (double)c->kinds[kind].samples[i].stats[STAT_steals];
    }
    return kind != AGAIN && exposed > 0 ? 100 * fmax(0, exposed - stolen) / exposed : NAN;
}

static const struct lcws_sample *in_turn(const struct lcws_case *c, int kind, unsigned round,
                                         unsigned repetition)
{
    for (size_t i = 0; i < c->kinds[kind].n && !c->kinds[kind].failed; i++) {
        const struct lcws_sample *s = &c->kinds[kind].samples[i];
        if (!s->counted && s->round == round && s->repetition == repetition)
            return s;
    }
    return NULL;
}

/* By turns: those who run right after each other find the machine as busy. */
static struct summary speeds(const struct lcws_case *c, int kind, unsigned *slower)
{
    double *values = NULL;
    size_t n = 0;
    *slower = 0;
    for (size_t i = 0; i < c->kinds[kind].n && !c->kinds[kind].failed; i++) {
        const struct lcws_sample *s = &c->kinds[kind].samples[i];
        const struct lcws_sample *base = in_turn(c, CHASELEV, s->round, s->repetition);
        if (s->counted || !base)
            continue;
        values = bench_grow(values, n, sizeof *values);
        values[n++] = base->seconds / s->seconds;
        *slower += base->seconds < s->seconds;
    }
    struct summary summary = bench_summarize(values, n);
    free(values);
    return summary;
}

static double speed(const struct figure *f, const struct lcws_case *c, int kind)
{
    unsigned slower;
    (void)f;
    return speeds(c, kind, &slower).median;
}

/* ---- Tables ---- */

static const struct figure figures[] = {
    {"Fig. 3a, 8a: fences, % of chaselev's", percent_of_base, STAT_fences, CHASELEV, 100,
     "chaselev executes fewer than 100 fences"},
    {"Fig. 3b, 8b: CAS and other read-modify-writes, % of chaselev's", percent_of_base, STAT_cas,
     CHASELEV, 10, "chaselev executes fewer than 10"},
    {"Fig. 3c, 8c: successful steals, % of chaselev's", percent_of_base, STAT_steals, CHASELEV, 1,
     "nothing is stolen"},
    {"Fig. 8e: fences, % of split:user's", percent_of_base, STAT_fences, USER, 10,
     "split:user executes fewer than 10 fences"},
    {"Fig. 8f: CAS and other read-modify-writes, % of split:user's", percent_of_base, STAT_cas,
     USER, 10, "split:user executes fewer than 10"},
    {"Fig. 8g: successful steals, % of split:user's", percent_of_base, STAT_steals, USER, 1,
     "nothing is stolen"},
    {"Fig. 3d, 8d, 8h: % of exposed tasks that were not stolen", percent_unstolen, -1, CHASELEV, 0,
     "nothing is exposed"},
    {"Fig. 4, 7: speed, chaselev's time / its own; above 1 is faster", speed, -1, CHASELEV, 0,
     "no times"},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* How wide the first column is. */
static int left_width(const struct lcws_cases *cases)
{
    int widest = 0;
    for (size_t i = 0; i < cases->n; i++) {
        int n = snprintf(NULL, 0, "%s, %s", cases->at[i].program->name, cases->at[i].shape);
        widest = n > widest ? n : widest;
    }
    return widest;
}

static void print_value(FILE *f, double value)
{
    char text[16] = "-";
    if (isfinite(value))
        bench_short_number(text, value);
    fprintf(f, "%10s", text);
}

static const char *short_name(int kind)
{
    static const char *const names[KINDS] = {"chaselev", "user", "signal", "cons", "half", "again"};
    return names[kind];
}

/* The values of a scheduler, where there are any, over all cases with so many workers. */
static struct summary over_cases(const struct figure *f, const struct lcws_cases *cases,
                                 unsigned workers, int kind, double *mean)
{
    double *values = NULL, sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < cases->n; i++) {
        double value = f->value(f, &cases->at[i], kind);
        if (cases->at[i].workers != workers || !isfinite(value))
            continue;
        values = bench_grow(values, n, sizeof *values);
        values[n++] = value;
        sum += value;
    }
    struct summary s = bench_summarize(values, n);
    *mean = n ? sum / (double)n : NAN;
    free(values);
    return s;
}

/* Of all cases together, also those with too few to compare. */
static double percent_of_sums(const struct figure *f, const struct lcws_cases *cases,
                              unsigned workers, int kind)
{
    double base = 0, own = 0;
    for (size_t i = 0; i < cases->n; i++) {
        const struct lcws_case *c = &cases->at[i];
        double a = count_of(c, f->base, f->stat), b = count_of(c, kind, f->stat);
        if (c->workers != workers || !isfinite(a) || !isfinite(b))
            continue;
        base += a;
        own += b;
    }
    return base > 0 ? 100 * own / base : NAN;
}

static void print_foot(FILE *out, const struct figure *f, const struct lcws_cases *cases,
                       unsigned workers, int width)
{
    static const char *const names[] = {"least", "median", "greatest", "all together"};
    for (int row = 0; row < (f->stat < 0 ? 3 : 4); row++) {
        fprintf(out, "  %-*s%10s", width, names[row], "");
        for (int kind = f->base + 1; kind < KINDS; kind++) {
            double mean;
            struct summary s = over_cases(f, cases, workers, kind, &mean);
            print_value(out, row == 0   ? s.min
                             : row == 1 ? s.median
                             : row == 2 ? s.max
                                        : percent_of_sums(f, cases, workers, kind));
        }
        fputc('\n', out);
    }
}

static void print_case(FILE *out, const struct figure *f, const struct lcws_case *c, int width)
{
    char name[128];
    snprintf(name, sizeof name, "%s, %s", c->program->name, c->shape);
    fprintf(out, "  %-*s", width, name);
    if (f->stat < 0)
        fprintf(out, "%10s", "");
    else
        print_value(out, count_of(c, f->base, f->stat));
    for (int kind = f->base + 1; kind < KINDS; kind++)
        print_value(out, f->value(f, c, kind));
    fputc('\n', out);
}

static void print_figure(FILE *out, const struct figure *f, const struct lcws_cases *cases,
                         unsigned workers)
{
    size_t shown = 0;
    int width = left_width(cases);
    fprintf(out, "\n%s; %u worker%s\n", f->title, workers, workers == 1 ? "" : "s");
    for (int kind = f->base + 1; kind < KINDS; kind++) {
        double mean;
        shown += over_cases(f, cases, workers, kind, &mean).n;
    }
    if (!shown) {
        fprintf(out, "  %s\n", f->nothing);
        return;
    }
    fprintf(out, "  %-*s%10s", width, "", f->stat < 0 ? "" : short_name(f->base));
    for (int kind = f->base + 1; kind < KINDS; kind++)
        fprintf(out, "%10s", short_name(kind));
    fputc('\n', out);
    for (size_t i = 0; i < cases->n; i++)
        if (cases->at[i].workers == workers)
            print_case(out, f, &cases->at[i], width);
    print_foot(out, f, cases, workers, width);
}

/* ---- Shares of all cases ---- */

static bool fences_under_1_percent(const struct lcws_case *c, int kind)
{
    return percent_of_base(&figures[0], c, kind) < 1;
}

static bool has_fences(const struct lcws_case *c, int kind)
{
    return isfinite(percent_of_base(&figures[0], c, kind));
}

static bool is_as_fast(const struct lcws_case *c, int kind) { return speed(NULL, c, kind) >= 1; }

/* Of turns of which chance alone would make each half slower, so many are with 1 chance in 40. */
static bool is_chance(double slower, double n) { return slower <= n / 2 + sqrt(n); }

static bool is_not_slower(const struct lcws_case *c, int kind)
{
    unsigned slower;
    double n = (double)speeds(c, kind, &slower).n;
    return is_chance(slower, n);
}

static bool has_speed(const struct lcws_case *c, int kind)
{
    return isfinite(speed(NULL, c, kind));
}

static void print_heads(FILE *out, const char *title)
{
    fprintf(out, "\n%s\n  %7s", title, "workers");
    for (int kind = USER; kind < KINDS; kind++)
        fprintf(out, "%16s", short_name(kind));
    fputc('\n', out);
}

static void print_share(FILE *out, unsigned number, unsigned all)
{
    char text[64];
    snprintf(text, sizeof text, "%u of %u, %.0f%%", number, all, all ? 100.0 * number / all : 0);
    fprintf(out, "%16s", text);
}

static void print_shares(FILE *out, const char *title, const struct lcws_cases *cases,
                         const struct lcws_options *o, bool (*holds)(const struct lcws_case *, int),
                         bool (*is_meant)(const struct lcws_case *, int))
{
    print_heads(out, title);
    for (size_t w = 0; w < o->workers.n; w++) {
        fprintf(out, "  %7u", (unsigned)o->workers.at[w]);
        for (int kind = USER; kind < KINDS; kind++) {
            unsigned number = 0, all = 0;
            for (size_t i = 0; i < cases->n; i++) {
                const struct lcws_case *c = &cases->at[i];
                if (c->workers != o->workers.at[w] || !is_meant(c, kind))
                    continue;
                all++;
                number += holds(c, kind);
            }
            print_share(out, number, all);
        }
        fputc('\n', out);
    }
}

/* What a program's inputs say together. */
struct together {
    double speed; /* the geometric mean; NAN: not measured */
    double turns, slower;
};

static struct together of_program(const struct lcws_cases *cases,
                                  const struct lcws_program *program, unsigned workers, int kind)
{
    struct together t = {NAN, 0, 0};
    double sum = 0, n = 0;
    for (size_t i = 0; i < cases->n; i++) {
        const struct lcws_case *c = &cases->at[i];
        unsigned slower;
        if (c->program != program || c->workers != workers || !has_speed(c, kind))
            continue;
        struct summary s = speeds(c, kind, &slower);
        sum += log(s.median);
        n++;
        t.turns += (double)s.n;
        t.slower += slower;
    }
    if (n > 0)
        t.speed = exp(sum / n);
    return t;
}

static bool is_fast(const struct together *t) { return t->speed >= 1; }
static bool is_level(const struct together *t) { return is_chance(t->slower, t->turns); }

static void print_programs(FILE *out, const char *title, const struct lcws_cases *cases,
                           const struct lcws_options *o, bool (*holds)(const struct together *))
{
    print_heads(out, title);
    for (size_t w = 0; w < o->workers.n; w++) {
        fprintf(out, "  %7u", (unsigned)o->workers.at[w]);
        for (int kind = USER; kind < KINDS; kind++) {
            const struct lcws_program *program = NULL;
            unsigned number = 0, all = 0;
            for (size_t i = 0; i < cases->n; i++) {
                if (cases->at[i].program == program)
                    continue;
                program = cases->at[i].program;
                struct together t = of_program(cases, program, (unsigned)o->workers.at[w], kind);
                all += isfinite(t.speed);
                number += isfinite(t.speed) && holds(&t);
            }
            print_share(out, number, all);
        }
        fputc('\n', out);
    }
}

static void print_average_speed(FILE *out, const struct lcws_cases *cases,
                                const struct lcws_options *o)
{
    const struct figure *f = &figures[FIGURES - 1];
    print_heads(out, "Fig. 5: average speed, chaselev's time / its own");
    for (size_t w = 0; w < o->workers.n; w++) {
        fprintf(out, "  %7u", (unsigned)o->workers.at[w]);
        for (int kind = USER; kind < KINDS; kind++) {
            double mean;
            over_cases(f, cases, (unsigned)o->workers.at[w], kind, &mean);
            fprintf(out, "%16.3f", mean);
        }
        fputc('\n', out);
    }
}

void lcws_print_figures(FILE *f, const struct lcws_cases *cases, const struct lcws_options *o)
{
    fprintf(
        f,
        "Loops: %s. Medians of %u turns for speed, of %u for counts. cons: conservative. again: "
        "chaselev\nonce more, which differs by chance alone. -: nothing, or too little to "
        "compare.\n",
        o->loops, o->rounds * o->turns, o->counted_rounds);
    for (int i = 0; i < FIGURES; i++)
        for (size_t w = 0; w < o->workers.n; w++)
            print_figure(f, &figures[i], cases, (unsigned)o->workers.at[w]);
    print_shares(f, "Inputs with less than 1% of chaselev's fences, where it executes 100 or more",
                 cases, o, fences_under_1_percent, has_fences);
    print_average_speed(f, cases, o);
    print_shares(f, "Fig. 6: inputs on which it is at least as fast as chaselev, by the medians",
                 cases, o, is_as_fast, has_speed);
    print_programs(f, "Programs that are at least as fast, by the geometric mean of their inputs",
                   cases, o, is_fast);
    print_shares(
        f,
        "Inputs on which it is not surely slower: slower in no more of n turns than n/2 + sqrt(n)",
        cases, o, is_not_slower, has_speed);
    print_programs(f, "Programs that are not surely slower, by the turns of all their inputs",
                   cases, o, is_level);
}
