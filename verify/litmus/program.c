/* SPDX-License-Identifier: MIT */
#include "program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(const char *text, const char *at)
{
    fprintf(stderr, "litmus: \"%s\": not understood from \"%s\" on\n", text, at);
    exit(2);
}

static const struct {
    const char *name;
    int order;
} orders[] = {{".acq", __ATOMIC_ACQUIRE},
              {".rel", __ATOMIC_RELEASE},
              {".ar", __ATOMIC_ACQ_REL},
              {".sc", __ATOMIC_SEQ_CST}};

static int order_of(const char **at)
{
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (!strncmp(*at, orders[i].name, strlen(orders[i].name))) {
            *at += strlen(orders[i].name);
            return orders[i].order;
        }
    return __ATOMIC_RELAXED;
}

static unsigned number(const char *text, const char **at)
{
    if (!isdigit((unsigned char)**at))
        refuse(text, *at);
    return (unsigned)(*(*at)++ - '0');
}

static struct step parse_step(const char *text, const char **at)
{
    struct step s = {.verb = LOAD};
    if (**at == '?') {
        ++*at;
        s.verb = TEST;
        s.value = number(text, at);
        return s;
    }
    s.where = *(*at)++;
    if (!strchr("xyzwflhpqabmn", s.where))
        refuse(text, *at - 1);
    if (strchr("flh", s.where)) {
        s.verb = FENCE;
    } else if (**at == '!') {
        ++*at;
        s.verb = FREE;
    } else if (**at == ':') {
        ++*at;
        s.verb = SWAP;
        s.expected = number(text, at);
        if (*(*at)++ != '>')
            refuse(text, *at - 1);
        s.value = number(text, at);
    } else if (**at && strchr("=+~", **at)) {
        s.verb = **at == '=' ? STORE : **at == '+' ? ADD : EXCHANGE;
        ++*at;
        s.value = number(text, at);
    }
    s.order = order_of(at);
    return s;
}

struct litmus litmus_parse(const char *text)
{
    struct litmus l = {.threads = 1};
    const char *at = text;
    for (;;) {
        at += strspn(at, " ");
        if (!*at)
            return l;
        if (*at == '|') {
            at++;
            if (l.threads++ == CHECK_THREADS)
                refuse(text, at);
            continue;
        }
        if (l.steps == STEPS)
            refuse(text, at);
        struct step s = parse_step(text, &at);
        if (*at && *at != ' ')
            refuse(text, at);
        s.thread = l.threads - 1;
        l.step[l.steps++] = s;
    }
}

void outcomes_add(struct outcomes *set, const char *outcome)
{
    for (int i = 0; i < set->n; i++)
        if (!strcmp(set->text[i], outcome))
            return;
    if (set->n == OUTCOMES)
        abort();
    strcpy(set->text[set->n++], outcome);
}

bool outcomes_have(const struct outcomes *set, const char *outcome)
{
    for (int i = 0; i < set->n; i++)
        if (!strcmp(set->text[i], outcome))
            return true;
    return false;
}

bool outcomes_equal(const struct outcomes *a, const struct outcomes *b)
{
    for (int i = 0; i < a->n; i++)
        if (!outcomes_have(b, a->text[i]))
            return false;
    return a->n == b->n;
}

void outcome_write(char *text, const struct litmus *litmus, const int64_t *read,
                   const uint64_t *left)
{
    for (int i = 0; i < litmus->steps; i++)
        if (step_reads(&litmus->step[i]))
            *text++ = (char)(read[i] < 0 ? '-' : '0' + read[i]);
    for (int i = 0; i < WORDS; i++) {
        *text++ = ' ';
        *text++ = "xyzw"[i];
        *text++ = '=';
        *text++ = (char)('0' + left[i]);
    }
    *text = 0;
}

bool outcome_is(const char *outcome, const char *form)
{
    for (; *form && *form != ' '; form++, outcome++)
        if (*form != *outcome && *form != '.')
            return false;
    for (; *form; form += 4) {
        const char word[] = {form[0], form[1], form[2], form[3], 0};
        if (!strstr(outcome, word))
            return false;
    }
    return true;
}
