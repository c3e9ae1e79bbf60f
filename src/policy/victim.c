/* SPDX-License-Identifier: MIT */
#include <heist/victim.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ---- */

/* In the order of the rules, each without and with prob. */
#define BOTH(name) name, name "+prob"
static const char *const names[] = {
    BOTH("random"),       BOTH("sequential"), BOTH("last"), BOTH("best_of_two"),
    BOTH("best_of_many"), BOTH("numa"),       NULL};
static const char *const own_names[] = {BOTH("own")};

int heist_victim_parse(const char *name, heist_victim_policy *out)
{
    for (unsigned i = 0; name && names[i]; i++)
        if (!strcmp(names[i], name)) {
            *out = (heist_victim_policy){.rule = i / 2, .prob = i % 2};
            return 0;
        }
    return -EINVAL;
}

static bool has_name(const heist_victim_policy *policy)
{
    return policy->rule < sizeof names / sizeof *names / 2;
}

const char *heist_victim_name(const heist_victim_policy *policy)
{
    return has_name(policy) ? names[2 * policy->rule + policy->prob] : own_names[policy->prob];
}

const char *const *heist_victim_names(void) { return names; }

heist_victim_policy heist_victim_default(enum heist_victim_reach reach, enum heist_batch batch)
{
    bool moves = reach == HEIST_REACH_BLOCKS && batch != HEIST_BATCH_ONE;
    return (heist_victim_policy){.rule = moves ? HEIST_VICTIM_RANDOM : HEIST_VICTIM_LAST,
                                 .prob = true};
}

/* ---- Near first ---- */

static unsigned level_of(const heist_victim *v, unsigned i)
{
    unsigned level = v->set->level ? v->set->level(v->set->context, v->self, i) : 0;
    return level < HEIST_VICTIM_LEVELS ? level : HEIST_VICTIM_LEVELS - 1;
}

static unsigned members(const heist_victim *v, unsigned level)
{
    return v->end_[level] - (level ? v->end_[level - 1] : 0);
}

static void enter_level(heist_victim *v, unsigned level)
{
    while (level < v->levels_ && !members(v, level))
        level++;
    v->level_ = level;
    v->place_ = 0;
    v->start_ = level < v->levels_ ? heist_victim_draw(v, members(v, level)) : 0;
}

static unsigned member(const heist_victim *v, unsigned level, unsigned i)
{
    return v->order_[v->end_[level] - members(v, level) + i];
}

/* A counting sort, so that equals stay in the order of their numbers. Each level is asked for once:
   it may be another one the next time, while a pool's workers move. */
static void sort_by_level(heist_victim *v)
{
    uint8_t *level_at = (uint8_t *)(v->order_ + v->number);
    memset(v->end_, 0, sizeof v->end_);
    v->levels_ = 0;
    for (unsigned i = 0; i < v->number; i++)
        if (i != v->self) {
            level_at[i] = (uint8_t)level_of(v, i);
            v->end_[level_at[i]]++;
        }
    for (unsigned level = 0, sum = 0; level < HEIST_VICTIM_LEVELS; level++) {
        if (v->end_[level])
            v->levels_ = level + 1;
        unsigned first = sum;
        sum += v->end_[level];
        v->end_[level] = first;
    }
    for (unsigned i = 0; i < v->number; i++)
        if (i != v->self)
            v->order_[v->end_[level_at[i]]++] = i;
    v->refused_ = 0;
    enter_level(v, 0);
}

/* The next of the round. Where the queues are is asked again only after a whole round in vain. */
static unsigned near_in_turn(heist_victim *v)
{
    if (v->level_ < v->levels_ && v->place_ == members(v, v->level_))
        enter_level(v, v->level_ + 1);
    if (v->level_ >= v->levels_)
        sort_by_level(v);
    if (!v->levels_)
        return HEIST_VICTIM_NONE;
    return member(v, v->level_, (v->start_ + v->place_++) % members(v, v->level_));
}

/* ---- Candidates ---- */

static unsigned others(const heist_victim *v) { return v->number - (v->self < v->number); }

/* The k-th of the queues that are not the thief's own. */
static unsigned other(const heist_victim *v, unsigned k) { return k + (k >= v->self); }

static unsigned any_other(heist_victim *v) { return other(v, heist_victim_draw(v, others(v))); }

static unsigned in_turn(heist_victim *v)
{
    v->place_ = (v->place_ + 1) % v->number;
    if (v->place_ == v->self)
        v->place_ = (v->place_ + 1) % v->number;
    return v->place_;
}

static size_t load_of(const heist_victim *v, unsigned i)
{
    size_t size = v->set->size(v->set->context, i);
    return v->set->weight ? size * v->set->weight(v->set->context, i) : size;
}

/* Some others, to be compared: n of them, from the k-th on, `step` apart. */
struct choice {
    unsigned k, step, n;
};

static bool compares(const heist_victim_policy *policy)
{
    return policy->rule == HEIST_VICTIM_BEST_OF_TWO || policy->rule == HEIST_VICTIM_BEST_OF_MANY;
}

static struct choice draw_choice(heist_victim *v)
{
    unsigned n = others(v);
    struct choice c = {heist_victim_draw(v, n), 1, (n + 1) / 2};
    if (v->policy.rule == HEIST_VICTIM_BEST_OF_TWO) {
        c.step = n < 2 ? 1 : 1 + heist_victim_draw(v, n - 1);
        c.n = n < 2 ? 1 : 2;
    }
    return c;
}

static unsigned take_next(const heist_victim *v, struct choice *c)
{
    unsigned i = other(v, c->k);
    c->k = (c->k + c->step) % others(v);
    c->n--;
    return i;
}

static unsigned fullest(const heist_victim *v, struct choice c)
{
    unsigned best = take_next(v, &c);
    size_t most = load_of(v, best);
    while (c.n) {
        unsigned i = take_next(v, &c);
        size_t load = load_of(v, i);
        if (load > most) {
            most = load;
            best = i;
        }
    }
    return best;
}

static __attribute__((noinline)) unsigned candidate_by_rule(heist_victim *v)
{
    switch (v->policy.rule) {
    case HEIST_VICTIM_SEQUENTIAL:
        return in_turn(v);
    case HEIST_VICTIM_BEST_OF_TWO:
    case HEIST_VICTIM_BEST_OF_MANY:
        return fullest(v, draw_choice(v));
    case HEIST_VICTIM_NUMA:
        return near_in_turn(v);
    default: {
        unsigned i = v->policy.fn(v->policy.context, v);
        return i < v->number && i != v->self ? i : HEIST_VICTIM_NONE;
    }
    }
}

/* Two rules are apart from the others, whose code saves many registers: a look at an empty queue
   takes only some nanoseconds. */
static inline unsigned candidate(heist_victim *v)
{
    if (!others(v))
        return HEIST_VICTIM_NONE;
    if (v->policy.rule == HEIST_VICTIM_LAST && v->last < v->number)
        return v->last;
    if (v->policy.rule == HEIST_VICTIM_LAST || v->policy.rule == HEIST_VICTIM_RANDOM)
        return any_other(v);
    return candidate_by_rule(v);
}

/* ---- +prob ---- */

/* By the number that was drawn last. */
static inline bool accepts(heist_victim *v, unsigned i)
{
    const heist_victim_set *set = v->set;
    if (HEIST_UNLIKELY(v->shuns_ && i == v->shunned_)) {
        v->shuns_--;
        return false;
    }
    v->sampled = v->random_;
    v->is_sampled = true;
    v->good_for_ = set->keep;
    return set->sample(set->context, i, v->sampled) &&
           (!set->weight ||
            heist_victim_draw(v, HEIST_VICTIM_WEIGHT) < set->weight(set->context, i));
}

/* Samples come first: they cost less than sizes, which only those that are accepted need. */
static unsigned fullest_by_chance(heist_victim *v, struct choice c)
{
    unsigned best = HEIST_VICTIM_NONE;
    uint64_t sampled = 0;
    while (c.n) {
        unsigned i = take_next(v, &c);
        heist_victim_draw(v, 1);
        if (accepts(v, i) && (best == HEIST_VICTIM_NONE || load_of(v, i) > load_of(v, best))) {
            best = i;
            sampled = v->sampled;
        }
    }
    v->sampled = sampled;
    return best;
}

static __attribute__((noinline)) unsigned near_by_chance(heist_victim *v)
{
    for (unsigned level = 0; level < v->levels_; level++) {
        unsigned n = members(v, level);
        for (unsigned tries = heist_victim_redraws(n); tries-- > 0;) {
            unsigned i = member(v, level, heist_victim_draw(v, n));
            if (accepts(v, i))
                return i;
        }
    }
    /* Where the queues are is asked again so seldom that it costs next to nothing. */
    if (++v->refused_ >= v->number)
        sort_by_level(v);
    return HEIST_VICTIM_NONE;
}

unsigned heist_victim_any(heist_victim *v)
{
    if (v->is_sampled)
        v->again_ = HEIST_VICTIM_NONE;
    v->is_sampled = false;
    return candidate(v);
}

static __attribute__((noinline)) unsigned best_by_chance(heist_victim *v)
{
    unsigned i = HEIST_VICTIM_NONE;
    for (unsigned left = heist_victim_redraws(others(v)); left && i == HEIST_VICTIM_NONE;) {
        struct choice c = draw_choice(v);
        if (c.n > left)
            c.n = left;
        left -= c.n;
        i = fullest_by_chance(v, c);
    }
    return i;
}

static unsigned by_chance(heist_victim *v)
{
    for (unsigned tries = heist_victim_redraws(others(v)); tries-- > 0;) {
        unsigned i = candidate_by_rule(v);
        heist_victim_draw(v, 1);
        if (i == HEIST_VICTIM_NONE || accepts(v, i))
            return i;
        if (v->last == i)
            v->last = HEIST_VICTIM_NONE;
    }
    return HEIST_VICTIM_NONE;
}

/* Of random and last: most looks of +prob are made here. One number says which queue, by its upper
   bits, and whether. */
static unsigned any_by_chance(heist_victim *v)
{
    unsigned n = others(v);
    for (unsigned tries = heist_victim_redraws(n); tries-- > 0;) {
        unsigned i = other(v, heist_victim_draw(v, n));
        if (accepts(v, i))
            return i;
    }
    return HEIST_VICTIM_NONE;
}

unsigned heist_victim_choose_(heist_victim *v)
{
    unsigned rule = v->policy.rule;
    if (!v->policy.prob || (rule == HEIST_VICTIM_LAST && v->last < v->number))
        return heist_victim_any(v);
    if (rule == HEIST_VICTIM_LAST || rule == HEIST_VICTIM_RANDOM)
        return any_by_chance(v);
    if (rule == HEIST_VICTIM_NUMA)
        return near_by_chance(v);
    return compares(&v->policy) ? best_by_chance(v) : by_chance(v);
}

/* Where to go again, after a steal: where +prob has accepted, while that is good; and `last`, which
   needs no sample: the steal says as much. A batch counts as so many steals, or, if 0, as all. */
static unsigned again(heist_victim *v, unsigned i, size_t got, unsigned batch)
{
    unsigned used = got == 1 ? 1 : got ? batch : 0;
    if (v->is_sampled && used && v->good_for_ > used) {
        v->good_for_ -= used;
        return i;
    }
    v->good_for_ = 0;
    if (!got || v->policy.rule != HEIST_VICTIM_LAST)
        return HEIST_VICTIM_NONE;
    v->is_sampled = false;
    return i;
}

void heist_victim_report_(heist_victim *v, unsigned i, size_t got, unsigned batch)
{
    v->again_ = again(v, i, got, batch);
    if (got) {
        v->last = i;
        v->shuns_ = 0;
    } else if (v->last == i) {
        v->last = HEIST_VICTIM_NONE;
    }
    if (got && v->policy.rule == HEIST_VICTIM_NUMA)
        enter_level(v, 0);
}

void heist_victim_leave_(heist_victim *v, unsigned i)
{
    v->again_ = HEIST_VICTIM_NONE;
    v->last = HEIST_VICTIM_NONE;
    v->good_for_ = 0;
    v->shunned_ = i;
    v->shuns_ = HEIST_VICTIM_SHUN;
}

/* ---- Beginning and end ---- */

static bool makes_sense(const heist_victim_set *set, const heist_victim_policy *policy)
{
    if ((!has_name(policy) && policy->rule != HEIST_VICTIM_OWN) ||
        (policy->rule == HEIST_VICTIM_OWN && !policy->fn) || (policy->prob && !set->sample) ||
        (compares(policy) && !set->size) || set->number > HEIST_VICTIM_QUEUES)
        return false;
    for (unsigned i = 0; set->weight && i < set->number; i++) {
        unsigned weight = set->weight(set->context, i);
        if (!weight || weight > HEIST_VICTIM_WEIGHT)
            return false;
    }
    return true;
}

/* Seeds that differ little begin far from each other, and none at 0, where it would stay. */
static uint64_t scatter(uint64_t seed)
{
    seed += 0x9e3779b97f4a7c15u;
    seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
    seed ^= seed >> 31;
    return seed ? seed : 1;
}

int heist_victim_init(heist_victim *v, const heist_victim_set *set,
                      const heist_victim_policy *policy, unsigned self, uint64_t seed)
{
    if (!v || !set || !policy || !makes_sense(set, policy))
        return -EINVAL;
    unsigned *order = NULL; /* and behind it a byte for each queue's level: see sort_by_level */
    if (policy->rule == HEIST_VICTIM_NUMA && set->number &&
        !(order = malloc(set->number * (sizeof *order + 1))))
        return -ENOMEM;
    *v = (heist_victim){.set = set,
                        .policy = *policy,
                        .self = self,
                        .last = HEIST_VICTIM_NONE,
                        .again_ = HEIST_VICTIM_NONE,
                        .random_ = scatter(seed),
                        .order_ = order};
    heist_victim_resize(v, set->number);
    return 0;
}

void heist_victim_fini(heist_victim *v) { free(v->order_); }

void heist_victim_resize(heist_victim *v, unsigned number)
{
    v->number = number < v->set->number ? number : v->set->number;
    v->place_ = v->self < v->number ? v->self : v->number - 1;
    if (v->order_)
        sort_by_level(v);
}

/* ---- Batches ---- */

static const char *const batch_names[] = {"one", "half", "block", NULL};

int heist_batch_parse(const char *name, enum heist_batch *out)
{
    if (name && !strcmp(name, "all-of-block"))
        name = batch_names[HEIST_BATCH_BLOCK];
    for (unsigned i = 0; name && batch_names[i]; i++)
        if (!strcmp(batch_names[i], name)) {
            *out = (enum heist_batch)i;
            return 0;
        }
    return -EINVAL;
}

const char *heist_batch_name(enum heist_batch batch) { return batch_names[batch]; }

const char *const *heist_batch_names(void) { return batch_names; }

/* ---- Queues of heist/queue.h ---- */

static heist_queue *queue_at(void *queues, unsigned i) { return ((heist_queue *const *)queues)[i]; }

static bool sample_queue(void *queues, unsigned i, uint64_t random)
{
    return heist_queue_sample(queue_at(queues, i), random);
}

static size_t size_of_queue(void *queues, unsigned i)
{
    return heist_queue_size(queue_at(queues, i));
}

void heist_victim_queues(heist_victim_set *set, heist_queue *const *queues, unsigned number)
{
    *set = (heist_victim_set){.number = number,
                              .context = (void *)(uintptr_t)queues,
                              .sample = sample_queue,
                              .size = size_of_queue,
                              .keep = HEIST_VICTIM_KEEP};
}

size_t heist_victim_steal(heist_victim *v, unsigned i, enum heist_batch batch, void **items,
                          size_t max)
{
    heist_queue *q = queue_at(v->set->context, i);
    size_t size = batch == HEIST_BATCH_HALF ? heist_queue_size(q) : 0;
    size_t block = heist_queue_block(q), wanted = heist_batch_items(batch, size, block);
    if (wanted > max)
        wanted = max;
    size_t n = v->is_sampled ? heist_queue_steal_from(q, v->sampled, items, wanted)
                             : heist_queue_steal_many(q, items, wanted);
    heist_victim_report_(v, i, n, block ? 0 : HEIST_VICTIM_KEEP_BATCH);
    if (!block && n && n < wanted)
        heist_victim_leave_(v, i);
    return n;
}
