/* SPDX-License-Identifier: MIT */
/* One of everything that readable.awk must complain about, once for each bad_ function. */
#include <string.h>

struct three {
    long word[3];
};

struct pair {
    long before;
    struct three three;
};

static const struct three constant = {{1, 2, 3}};

void bad_copy(struct pair *to, const struct three *from) { to->three = *from; }
void bad_target(struct three *to) { *to = constant; }
void bad_clear(struct three *p) { memset(p, 0, sizeof *p); }
void bad_first(struct pair *p) { memset(&p->before, 0, sizeof *p); }
void bad_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
void bad_assembly(void) { __asm__ __volatile__("nop"); }
int bad_intrinsic(long a, long b, long *sum) { return __builtin_add_overflow(a, b, sum); }
size_t bad_function(const char *s) { return strlen(s); }

void good_copy(struct pair *to) { to->three = constant; }
void good_clear(struct three *p, size_t i) { memset(&p[i], 0, sizeof *p); }
void good_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void good_assembly(void) { __asm__ __volatile__("" ::: "memory"); }
