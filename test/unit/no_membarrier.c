/* SPDX-License-Identifier: MIT */
/* `heist` where the kernel refuses membarrier: a filter of system calls makes it so here. */
#include "unit.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>

#define N 100000

static bool refuse_membarrier(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void test_thieves_wait_for_the_owner(void **state)
{
    (void)state;
    queue q;
    void *got;
    assert_false(heist_has_heavy_fence());
    open_queue(&q, &(heist_queue_opts){0});
    for (size_t i = 0; i < 4; i++)
        assert_true(Q(put)(&q, item(i)));
    struct timespec begin, now; /* much longer than a thief would wait before it helps itself */
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_EMPTY);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < 20);
    assert_ptr_equal(Q(get)(&q), item(3)); /* the owner answers */
    assert_int_equal(Q(steal)(&q, &got), HEIST_STEAL_OK);
    assert_ptr_equal(got, item(0));
    close_queue(&q);
}

static void test_old_arrays_stay(void **state)
{
    (void)state;
    queue q;
    open_queue(&q, &(heist_queue_opts){0});
    bool right = true;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < N; i++)
            right &= Q(put)(&q, item(i));
        for (size_t i = N; i-- > 0;)
            right &= Q(get)(&q) == item(i);
        assert_null(Q(get)(&q));
    }
    assert_true(right);
    assert_int_equal(heist_load(&purse.frees, __ATOMIC_RELAXED), 0);
    assert_true(purse_held(&purse) < 4 * N * sizeof(void *)); /* 2^17 slots, and all before them */
    close_queue(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thieves_wait_for_the_owner),
        cmocka_unit_test(test_old_arrays_stay),
    };
    if (!refuse_membarrier()) {
        perror("no filter for system calls here");
        return 77;
    }
    return cmocka_run_group_tests_name("no membarrier", tests, NULL, NULL);
}
