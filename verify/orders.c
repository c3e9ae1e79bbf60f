/* SPDX-License-Identifier: MIT */
#include "orders.h"

#include <stddef.h>
#include <string.h>

#include "state.h"

static struct {
    const struct order *which;
    int value;
    bool used;
} weakened CHECK_STATE;

static const char *const names[] = {
    [__ATOMIC_RELAXED] = "relaxed", [__ATOMIC_CONSUME] = "consume", [__ATOMIC_ACQUIRE] = "acquire",
    [__ATOMIC_RELEASE] = "release", [__ATOMIC_ACQ_REL] = "acq_rel", [__ATOMIC_SEQ_CST] = "seq_cst",
};

const char *check_order_name(int order) { return names[order]; }

const char *const *check_weaker(int order)
{
    static const char *const of_seq_cst[] = {"acq_rel", NULL, NULL};
    static const char *const of_acq_rel[] = {"acquire", "release", NULL};
    static const char *const of_others[] = {"relaxed", NULL, NULL};
    return order == __ATOMIC_SEQ_CST   ? of_seq_cst
           : order == __ATOMIC_ACQ_REL ? of_acq_rel
                                       : of_others;
}

/* Their numbers say it but for one pair: nothing of acquire is in release. */
static bool is_weaker(int order, int than)
{
    return than == __ATOMIC_RELEASE ? order == __ATOMIC_RELAXED : order < than;
}

bool check_weaken(const char *what)
{
    memset(&weakened, 0, sizeof weakened);
    if (!what)
        return true;
    const char *equals = strchr(what, '=');
    size_t length = equals ? (size_t)(equals - what) : strlen(what);
    const struct order *o = check_orders;
    while (o->name && (strlen(o->name) != length || strncmp(o->name, what, length)))
        o++;
    int value = __ATOMIC_RELAXED;
    while (equals && value <= __ATOMIC_SEQ_CST && strcmp(names[value], equals + 1))
        value++;
    if (!o->name || !is_weaker(value, o->value))
        return false;
    weakened.which = o;
    weakened.value = value;
    return true;
}

bool check_weakened_used(void) { return weakened.used; }

int check_order(const char *name, int value)
{
    if (!weakened.which || strcmp(weakened.which->name, name))
        return value;
    weakened.used = true;
    return weakened.value;
}
