/* SPDX-License-Identifier: MIT */
/* The heavy fence of <heist/fences.h>, by the system call membarrier. */
#define _GNU_SOURCE
#include <heist/fences.h>

#if !HEIST_MODEL && !HEIST_PORTABLE

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__linux__) && defined(SYS_membarrier)
static bool membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0) == 0; }

static bool enroll(void) { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

/* A fork leaves the child enrolled; should some kernel not do that, it is done again here. */
static bool fence_all(void)
{
    return membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
           (enroll() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
}
#else
static bool enroll(void) { return false; }
static bool fence_all(void) { return false; }
#endif

enum { UNKNOWN, YES, NO };

bool heist_has_heavy_fence(void)
{
    static heist_au32 answer;
    uint32_t known = heist_load(&answer, __ATOMIC_RELAXED);
    if (known == UNKNOWN) { /* two threads may both ask: they get the same answer */
        known = enroll() ? YES : NO;
        heist_store(&answer, known, __ATOMIC_RELAXED);
    }
    return known == YES;
}

bool heist_fence_heavy(void) { return fence_all(); }

#endif
