/* SPDX-License-Identifier: MIT */
/* What every kind promises, in all its forms; compiled once per kind. */
#include "unit.h"

static const size_t capacities[] = {1, 2, 3, 5, 8, 100, 1000};
static const size_t block_sizes[] = {1, 2, 3, 7, 64};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Calls `test` for each form of the kind, each capacity, each block size that fits. */
static void each_shape(void (*test)(const heist_queue_opts *))
{
    heist_queue_opts o;
    for (size_t i = 0; form_of_kind(i, &o); i++)
        for (size_t c = 0; c < LENGTH(capacities); c++)
            for (size_t b = 0; b < (traits.blocks ? LENGTH(block_sizes) : 1); b++) {
                o.capacity = capacities[c];
                o.block = block_sizes[b];
                if (o.block <= o.capacity)
                    test(&o);
            }
}

static bool is_bounded(const heist_queue_opts *o)
{
    return o->bound == HEIST_BOUND_FIXED || (o->bound == HEIST_BOUND_DEFAULT && !traits.unbounded);
}

/* Puts items from `first` on until the queue is full, or there are `most`. How many it took. */
static size_t fill(queue *q, size_t first, size_t most)
{
    size_t n = 0;
    while (n < most && Q(put)(q, item(first + n)))
        n++;
    return n;
}

static void empty(queue *q)
{
    while (Q(get)(q))
        ;
    assert_int_equal(Q(size)(q), 0);
}

/* --- empty, full, order --- */

static void check_empty(queue *q)
{
    void *untouched = &untouched, *got = untouched, *many[2] = {untouched, untouched};
    assert_null(Q(get)(q));
    assert_int_equal(Q(steal)(q, &got), HEIST_STEAL_EMPTY);
    assert_ptr_equal(got, untouched);
    assert_int_equal(Q(steal_many)(q, many, 2), 0);
    assert_ptr_equal(many[0], untouched);
    assert_int_equal(Q(size)(q), 0);
    for (uint64_t random = 0; random < 100; random++)
        assert_false(Q(sample)(q, random));
}

static void empty_one(const heist_queue_opts *o)
{
    queue q;
    open_queue(&q, o);
    check_empty(&q);
    check_empty(&q);
    assert_true(Q(put)(&q, item(0)));
    assert_int_equal(Q(size)(&q), 1);
    assert_ptr_equal(Q(get)(&q), item(0));
    check_empty(&q);
    close_queue(&q);
}

static void test_empty(void **state)
{
    (void)state;
    each_shape(empty_one);
}

static void full_one(const heist_queue_opts *o)
{
    if (!is_bounded(o))
        return;
    queue q;
    size_t n = room(o->capacity, o->block);
    open_queue(&q, o);
    uint64_t held = purse_held(&purse);
    /* Again and again through the same memory, and each time to the brim. */
    for (int round = 0; round < 5; round++) {
        assert_int_equal(fill(&q, 0, 2 * n + 2), n);
        assert_int_equal(Q(size)(&q), n);
        assert_false(Q(put)(&q, item(n)));
        void *one = item(n);
        assert_int_equal(Q(put_many)(&q, &one, 1), 0);
        /* A FIFO of blocks has room again when a block is; all others at once. */
        size_t freed = traits.blocks && traits.fifo ? o->block : 1;
        for (size_t i = 0; i < freed; i++)
            assert_ptr_equal(Q(get)(&q), item(traits.fifo ? i : n - 1 - i));
        assert_int_equal(fill(&q, n, freed + 1), freed);
        empty(&q);
    }
    assert_int_equal(purse_held(&purse), held);
    close_queue(&q);
}

static void test_full(void **state)
{
    (void)state;
    each_shape(full_one);
}

static void owner_order_one(const heist_queue_opts *o)
{
    queue q;
    open_queue(&q, o);
    size_t n = is_bounded(o) ? room(o->capacity, o->block) : 3 * o->capacity + 50;
    assert_int_equal(fill(&q, 0, n), n);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(Q(get)(&q), item(traits.fifo ? i : n - 1 - i));
        if (i % 16 == 0) /* it may look at every block */
            assert_int_equal(Q(size)(&q), n - 1 - i);
    }
    check_empty(&q);
    close_queue(&q);
}

static void test_order_for_the_owner(void **state)
{
    (void)state;
    each_shape(owner_order_one);
}

/* How many items the owner may keep from thieves that ask while it gets one and puts it back. */
static size_t kept_at_most(const heist_queue_opts *o)
{
    if (traits.blocks)
        return o->block;
    return !traits.asks ? 0 : o->mode == HEIST_SPLIT_CONSERVATIVE ? 2 : 1;
}

static void thief_order_one(const heist_queue_opts *o)
{
    queue q;
    open_queue(&q, o);
    size_t n = is_bounded(o) ? room(o->capacity, o->block) : 3 * o->capacity + 50;
    assert_int_equal(fill(&q, 0, n), n);
    /* A FIFO's owner has the oldest block for itself. */
    size_t hidden = traits.blocks ? o->block : 0, expected = traits.fifo ? hidden : 0, stolen = 0;
    for (void *got; (got = steal_one_asking(&q)); stolen++)
        assert_ptr_equal(got, item(expected++));
    assert_true(stolen <= n && stolen + kept_at_most(o) >= n);
    assert_int_equal(Q(size)(&q), n - stolen);
    for (size_t i = stolen; i < n; i++) {
        size_t left = number(Q(get)(&q));
        assert_true(traits.fifo ? left == i - stolen : left == n - 1 - (i - stolen));
    }
    check_empty(&q);
    close_queue(&q);
}

static void test_order_for_thieves(void **state)
{
    (void)state;
    each_shape(thief_order_one);
}

static void null_one(const heist_queue_opts *o)
{
    queue q;
    open_queue(&q, o);
    void *with_null[] = {item(0), NULL, item(1)}, *only_null[] = {NULL};
    assert_false(Q(put)(&q, NULL));
    assert_int_equal(Q(put_many)(&q, only_null, 1), 0);
    check_empty(&q);
    assert_int_equal(Q(put_many)(&q, with_null, 3), 1);
    assert_false(Q(put)(&q, NULL));
    assert_int_equal(Q(size)(&q), 1);
    assert_ptr_equal(Q(get)(&q), item(0));
    check_empty(&q);
    if (is_bounded(o)) {
        size_t n = fill(&q, 0, SIZE_MAX);
        assert_false(Q(put)(&q, NULL));
        assert_int_equal(Q(size)(&q), n);
    }
    close_queue(&q);
}

static void test_null_items_are_refused(void **state)
{
    (void)state;
    each_shape(null_one);
}

/* --- the same as a model, over random operations --- */

enum { MOST = 300 };

/* The items that are in the queue, oldest first. */
struct model {
    size_t items[MOST], n;
};

static void model_remove(struct model *m, size_t at)
{
    assert_true(at < m->n);
    memmove(&m->items[at], &m->items[at + 1], (m->n - at - 1) * sizeof m->items[0]);
    m->n--;
}

static void model_stolen(struct model *m, const void *got)
{
    size_t at = 0;
    if (traits.blocks) /* thieves choose the block */
        while (at < m->n && m->items[at] != number(got))
            at++;
    assert_true(at < m->n);
    assert_int_equal(m->items[at], number(got));
    model_remove(m, at);
}

static void model_step(queue *q, struct model *m, const heist_queue_opts *o, size_t *fresh,
                       uint64_t *seed)
{
    void *many[7], *got = NULL;
    size_t n = 1 + random_below(seed, LENGTH(many)), done;
    switch (random_below(seed, 8)) {
    case 0:
    case 1:
        for (size_t i = 0; i < n; i++)
            many[i] = item(*fresh + i);
        done = m->n + n <= MOST ? Q(put_many)(q, many, n) : 0;
        for (size_t i = 0; i < done; i++)
            m->items[m->n++] = (*fresh)++;
        break;
    case 2:
    case 3:
        if (m->n == MOST)
            break;
        if (Q(put)(q, item(*fresh)))
            m->items[m->n++] = (*fresh)++;
        else /* ABP forgets what thieves took until it is empty, a FIFO's block until it is left */
            assert_true(is_bounded(o) &&
                        (traits.resets || traits.blocks || m->n == room(o->capacity, o->block)));
        break;
    case 4:
    case 5:
        got = Q(get)(q);
        assert_int_equal(got != NULL, m->n > 0);
        if (got) {
            size_t at = traits.fifo ? 0 : m->n - 1;
            assert_int_equal(number(got), m->items[at]);
            model_remove(m, at);
        }
        break;
    case 6:
        if (Q(steal)(q, &got) == HEIST_STEAL_OK)
            model_stolen(m, got);
        else
            assert_true(traits.asks || traits.blocks || m->n == 0);
        break;
    case 7:
        done = Q(steal_many)(q, many, n);
        assert_true(done <= n);
        for (size_t i = 0; i < done; i++)
            model_stolen(m, many[i]);
        break;
    }
    if (random_below(seed, 4) == 0)
        assert_int_equal(Q(size)(q), m->n);
}

/* Counters and tags that begin here pass their limits within a few operations. */
static const uint64_t origins[] = {
    0,
    UINT64_MAX - 3,
    INT64_MAX - (uint64_t)3,
    UINT32_MAX - (uint64_t)3,
    INT32_MAX - (uint64_t)3,
    (1u << 24) - 3,
    (1u << 16) - 3,
};

static void model_one(const heist_queue_opts *given)
{
    heist_queue_opts o = *given;
    if (o.capacity > MOST)
        return;
    for (size_t i = 0; i < LENGTH(origins); i++) {
        queue q;
        struct model m = {.n = 0};
        size_t fresh = 0;
        uint64_t seed = o.capacity * 31 + o.block + i;
        o.origin = origins[i];
        open_queue(&q, &o);
        for (int k = 0; k < 1000; k++)
            model_step(&q, &m, &o, &fresh, &seed);
        assert_true(fresh > 100); /* so the ring was passed many times */
        close_queue(&q);          /* with whatever is left in it */
    }
}

static void test_random_operations_and_wrap_around(void **state)
{
    (void)state;
    each_shape(model_one);
}

/* --- many at once --- */

static void many_one(const heist_queue_opts *o)
{
    enum { N = 2200 };
    static void *items[N], *out[N];
    queue q;
    open_queue(&q, o);
    size_t n = is_bounded(o) ? room(o->capacity, o->block) : N;
    for (size_t i = 0; i < N; i++)
        items[i] = item(i);
    assert_int_equal(Q(put_many)(&q, items, 0), 0);
    assert_int_equal(Q(put_many)(&q, items, N), n); /* what fits */
    assert_int_equal(Q(put_many)(&q, items, N), is_bounded(o) ? 0 : N);
    if (!is_bounded(o))
        n += N;
    assert_int_equal(Q(size)(&q), n);
    assert_int_equal(Q(steal_many)(&q, out, 0), 0);
    for (size_t i = 0; i < N; i++)
        out[i] = NULL;
    /* Oldest first, without gaps, and never more than asked for. */
    size_t first = traits.blocks && traits.fifo ? o->block : 0, taken = 0;
    for (size_t got, max = 1; max < 10; max++, taken += got) {
        got = steal_asking(&q, out, max);
        for (size_t i = 0; i < got; i++)
            assert_ptr_equal(out[i], item((first + taken + i) % N));
        assert_null(out[max]);
        memset(out, 0, sizeof out);
    }
    assert_true(taken || n <= kept_at_most(o));
    assert_int_equal(Q(size)(&q), n - taken);
    size_t left = 0;
    while (Q(get)(&q))
        left++;
    assert_int_equal(left, n - taken);
    close_queue(&q);
}

static void test_many_at_once(void **state)
{
    (void)state;
    each_shape(many_one);
}

/* --- sample --- */

static void test_sample(void **state)
{
    (void)state;
    enum { DRAWS = 20000, CAPACITY = 256, BLOCK = 16 };
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (size_t quarters = 0; quarters <= 4; quarters++) {
            queue q;
            o.capacity = CAPACITY;
            o.block = BLOCK;
            open_queue(&q, &o);
            size_t n = quarters * CAPACITY / 4, yes = 0;
            assert_int_equal(fill(&q, 0, n), n);
            uint64_t seed = f * 5 + quarters;
            for (int i = 0; i < DRAWS; i++)
                yes += Q(sample)(&q, random_next(&seed));
            /* Blocks count only if a thief could take from them: not the owner's. */
            double share = (double)yes / DRAWS, filled = (double)n / CAPACITY;
            double hidden = traits.blocks && n ? (double)BLOCK / CAPACITY : 0;
            assert_true(share <= filled + 0.02 && share >= filled - hidden - 0.02);
            assert_true(n || !yes);
            close_queue(&q);
        }
}

/* --- sizes --- */

static void test_a_million_items(void **state)
{
    (void)state;
    heist_queue_opts o;
    size_t n = (size_t)1 << 20;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (int start_small = 0; start_small < 2; start_small++) {
            queue q;
            o.capacity = start_small ? 4 : n;
            if (start_small && is_bounded(&o))
                continue;
            open_queue(&q, &o);
            size_t took = fill(&q, 0, n + 1);
            assert_int_equal(took, is_bounded(&o) ? n : n + 1);
            bool in_order = true;
            for (size_t i = 0; i < took; i++)
                in_order &= Q(get)(&q) == item(traits.fifo ? i : took - 1 - i);
            assert_true(in_order);
            assert_null(Q(get)(&q));
            close_queue(&q);
        }
}

static int init_with(queue *q, heist_queue_opts o)
{
    purse_open(&purse);
    purse.largest = (size_t)1 << 30;
    o.memory = &purse.hooks;
    int error = Q(init)(q, &o);
    if (error)
        assert_int_equal(purse_held(&purse), 0);
    return error;
}

static void test_capacities_that_cannot_be(void **state)
{
    (void)state;
    queue q;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++) {
        o.capacity = SIZE_MAX;
        assert_int_equal(init_with(&q, o), -EINVAL);
        o.capacity = HEIST_CAPACITY_MAX + 1;
        assert_int_equal(init_with(&q, o), -EINVAL);
        o.capacity = HEIST_CAPACITY_MAX;
        int error = init_with(&q, o);
        if (error == 0) { /* only where capacity is no memory: bulk */
            assert_true(purse_held(&purse) < 1 << 20);
            close_queue(&q);
        } else {
            assert_true(error == -ENOMEM || error == -EINVAL);
        }
    }
}

static void test_blocks_that_cannot_be(void **state)
{
    (void)state;
    queue q;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++) {
        o.capacity = 10;
        o.block = 11;
        assert_int_equal(init_with(&q, o), -EINVAL);
        o.block = SIZE_MAX;
        assert_int_equal(init_with(&q, o), -EINVAL);
        o.block = 10;
        assert_int_equal(init_with(&q, o), 0);
        close_queue(&q);
        o.capacity = 0;
        o.block = SIZE_MAX;
        assert_int_equal(init_with(&q, o), -EINVAL);
    }
}

/* --- options --- */

static void test_bounds(void **state)
{
    (void)state;
    queue q;
    heist_queue_opts o = {.bound = HEIST_BOUND_FIXED};
    int error = init_with(&q, o);
    assert_int_equal(error, traits.fixed ? 0 : -EINVAL);
    if (!error)
        close_queue(&q);
    o.bound = HEIST_BOUND_GROWS;
    error = init_with(&q, o);
    assert_int_equal(error, traits.grows ? 0 : -EINVAL);
    if (!error)
        close_queue(&q);
    /* The default bound is what the traits say. */
    o = (heist_queue_opts){.capacity = 4, .block = 2};
    assert_int_equal(init_with(&q, o), 0);
    assert_int_equal(fill(&q, 0, 1000), traits.unbounded ? 1000 : room(4, 2));
    close_queue(&q);
    assert_int_equal(Q(init)(&q, NULL), 0);
    size_t n = fill(&q, 0, 3 * HEIST_CAPACITY_DEFAULT);
    assert_int_equal(n, (traits.unbounded ? 3 : 1) * HEIST_CAPACITY_DEFAULT);
    Q(fini)(&q);
}

static void test_options_that_make_no_sense(void **state)
{
    (void)state;
    queue q;
    heist_memory no_alloc = {NULL, purse_free, &purse}, no_free = {purse_alloc, NULL, &purse};
    assert_int_equal(init_with(&q, (heist_queue_opts){.bound = 3}), -EINVAL);
    assert_int_equal(init_with(&q, (heist_queue_opts){.bound = UINT32_MAX}), -EINVAL);
    assert_int_equal(init_with(&q, (heist_queue_opts){.form = 2}), -EINVAL);
    assert_int_equal(init_with(&q, (heist_queue_opts){.mode = 4}), -EINVAL);
    assert_int_equal(Q(init)(&q, &(heist_queue_opts){.memory = &no_alloc}), -EINVAL);
    assert_int_equal(Q(init)(&q, &(heist_queue_opts){.memory = &no_free}), -EINVAL);
}

static void test_options_of_another_size(void **state)
{
    (void)state;
    queue q;
    struct {
        heist_queue_opts opts;
        uint64_t more;
    } newer;
    memset(&newer, 0, sizeof newer);
    newer.opts.capacity = 4;

    newer.opts.size = sizeof newer; /* from a newer program, with nothing new in it */
    assert_int_equal(Q(init)(&q, &newer.opts), 0);
    Q(fini)(&q);
    newer.more = 1; /* and with something that this library does not know */
    assert_int_equal(Q(init)(&q, &newer.opts), -EINVAL);

    newer.opts.size = sizeof newer.opts; /* then it is not looked at */
    assert_int_equal(Q(init)(&q, &newer.opts), 0);
    Q(fini)(&q);

    newer.opts.size = 1;
    assert_int_equal(Q(init)(&q, &newer.opts), -EINVAL);
    newer.opts.size = sizeof(size_t) - 1;
    assert_int_equal(Q(init)(&q, &newer.opts), -EINVAL);

    newer.opts.size =
        offsetof(heist_queue_opts, bound); /* from an older one: the rest is default */
    newer.opts.bound = 77;
    assert_int_equal(Q(init)(&q, &newer.opts), 0);
    Q(fini)(&q);
    newer.opts.size = 0; /* the first version */
    assert_int_equal(Q(init)(&q, &newer.opts), -EINVAL);
}

/* --- memory that runs out --- */

/* Puts, steals and gets so that the queue grows and shrinks; true if no allocation failed. */
static bool run_short_of_memory(heist_queue_opts o, uint64_t fail_at, bool forever)
{
    enum { N = 600 };
    static bool there[2 * N];
    queue q;
    size_t n = 0, refused = 0, seen = 0;
    purse_open(&purse);
    purse.fail_at = fail_at;
    purse.forever = forever;
    o.memory = &purse.hooks;
    int error = Q(init)(&q, &o);
    if (error) {
        assert_int_equal(error, -ENOMEM);
        assert_int_equal(purse_held(&purse), 0);
        return false;
    }
    memset(there, 0, sizeof there);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) {
            bool took = Q(put)(&q, item(n));
            if (!took && !is_bounded(&o) && !forever) {
                took = Q(put)(&q, item(n)); /* memory is there again */
                assert_true(took);
            }
            if (took)
                there[n++] = true;
            else
                refused++;
            assert_int_equal(Q(size)(&q), n - seen);
        }
        for (int i = 0; i < N / 4; i++) {
            void *got = steal_one_asking(&q);
            if (got) {
                assert_true(there[number(got)]);
                there[number(got)] = false;
                seen++;
            }
        }
        for (void *got; (got = Q(get)(&q)); seen++) {
            assert_true(there[number(got)]);
            there[number(got)] = false;
        }
        assert_int_equal(seen, n);
    }
    assert_true(is_bounded(&o) || forever || !refused);
    uint64_t calls = heist_load(&purse.allocs, __ATOMIC_RELAXED);
    close_queue(&q);
    return calls < fail_at;
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    heist_queue_opts o;
    for (size_t f = 0; form_of_kind(f, &o); f++)
        for (int forever = 0; forever < 2; forever++) {
            uint64_t k = 1;
            o.capacity = 4;
            o.block = 2;
            while (!run_short_of_memory(o, k, forever))
                k++;
            assert_true(k > 1); /* something did fail */
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_order_for_the_owner),
        cmocka_unit_test(test_order_for_thieves),
        cmocka_unit_test(test_null_items_are_refused),
        cmocka_unit_test(test_random_operations_and_wrap_around),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_a_million_items),
        cmocka_unit_test(test_capacities_that_cannot_be),
        cmocka_unit_test(test_blocks_that_cannot_be),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_options_that_make_no_sense),
        cmocka_unit_test(test_options_of_another_size),
        cmocka_unit_test(test_every_allocation_fails_once),
    };
    touch_stack();
    return cmocka_run_group_tests_name("any: " KIND_NAME, tests, NULL, NULL);
}
