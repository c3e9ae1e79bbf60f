/* SPDX-License-Identifier: MIT */
/*
 * Queues that are wrong, to see that the benchmark notices. FAULTY(KIND, FAULT) makes a kind of
 * them: a locked queue whose put executes FAULT instead of the right thing for every thousandth
 * item.
 */
#ifndef TEST_FAULTY_H
#define TEST_FAULTY_H

#include <heist/locked.h>

#define FAULTY(KIND, FAULT)                                                                     \
    typedef struct heist_##KIND {                                                               \
        heist_locked right;                                                                     \
        uint64_t puts;                                                                          \
    } heist_##KIND;                                                                             \
    static inline int heist_##KIND##_init(heist_##KIND *q, const heist_queue_opts *opts)        \
    {                                                                                           \
        q->puts = 0;                                                                            \
        return heist_locked_init(&q->right, opts);                                              \
    }                                                                                           \
    static inline void heist_##KIND##_fini(heist_##KIND *q) { heist_locked_fini(&q->right); }   \
    static inline bool heist_##KIND##_put(heist_##KIND *q, void *item)                          \
    {                                                                                           \
        if (++q->puts % 1000 == 0) {                                                            \
            FAULT;                                                                              \
        }                                                                                       \
        return heist_locked_put(&q->right, item);                                               \
    }                                                                                           \
    static inline size_t heist_##KIND##_put_many(heist_##KIND *q, void *const *items, size_t n) \
    {                                                                                           \
        size_t i = 0;                                                                           \
        while (i < n && heist_##KIND##_put(q, items[i]))                                        \
            i++;                                                                                \
        return i;                                                                               \
    }                                                                                           \
    static inline void *heist_##KIND##_get(heist_##KIND *q)                                     \
    {                                                                                           \
        return heist_locked_get(&q->right);                                                     \
    }                                                                                           \
    static inline enum heist_steal heist_##KIND##_steal(heist_##KIND *q, void **item)           \
    {                                                                                           \
        return heist_locked_steal(&q->right, item);                                             \
    }                                                                                           \
    static inline size_t heist_##KIND##_steal_many(heist_##KIND *q, void **items, size_t max)   \
    {                                                                                           \
        return heist_locked_steal_many(&q->right, items, max);                                  \
    }                                                                                           \
    static inline bool heist_##KIND##_sample(const heist_##KIND *q, uint64_t random)            \
    {                                                                                           \
        return heist_locked_sample(&q->right, random);                                          \
    }                                                                                           \
    static inline size_t heist_##KIND##_size(const heist_##KIND *q)                             \
    {                                                                                           \
        return heist_locked_size(&q->right);                                                    \
    }

#endif
