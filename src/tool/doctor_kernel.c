/* SPDX-License-Identifier: MIT */
/* What the kernel offers, or a sandbox takes away. */
#define _GNU_SOURCE
#include <errno.h>
#include <heist/fences.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "doctor.h"

static void check_membarrier(struct doctor *d)
{
    if (heist_has_heavy_fence())
        doctor_add(d, "membarrier", DOCTOR_OK, NULL,
                   "private expedited: thieves reach what an owner inside a long task has forked");
    else
        doctor_add(d, "membarrier", DOCTOR_NOTE,
                   "Linux 4.14 or newer, or a sandbox that allows the system call membarrier",
                   "refused: in the queue heist, thieves wait until the owner forks or joins, and "
                   "take one task at a time");
}

/* 0, or why not, as errno. */
static int try_io_uring(void)
{
    struct io_uring_params params;
    memset(&params, 0, sizeof params);
    long fd = syscall(SYS_io_uring_setup, 1, &params);
    if (fd < 0)
        return errno;
    close((int)fd);
    return 0;
}

static void check_io_uring(struct doctor *d)
{
    static const char without[] = "pools do not need it; finddup of bench/app reads without";
    char line[32] = "";
    doctor_read(d, "/proc/sys/kernel/io_uring_disabled", line, sizeof line);
    int error = try_io_uring();
    if (*line && *line != '0')
        doctor_add(d, "io_uring", DOCTOR_NOTE, "sysctl kernel.io_uring_disabled=0",
                   "disabled for %s (kernel.io_uring_disabled is %s): %s",
                   *line == '1' ? "all but a group" : "all", line, without);
    else if (error == EPERM || error == EACCES)
        doctor_add(d, "io_uring", DOCTOR_NOTE, "a sandbox that allows io_uring_setup",
                   "refused by a sandbox (seccomp): %s", without);
    else if (error)
        doctor_add(d, "io_uring", DOCTOR_NOTE,
                   "Linux 5.1 or newer, or a sandbox that allows io_uring_setup",
                   "not there (%s): %s", strerror(error), without);
    else
        doctor_add(d, "io_uring", DOCTOR_OK, NULL,
                   "there; pools do not need it, finddup of bench/app reads by it");
}

static void check_perf(struct doctor *d)
{
    enum { OWN_PROGRAMS = 2 }; /* up to this level everybody may measure their own programs */
    char line[32];
    if (!doctor_read(d, "/proc/sys/kernel/perf_event_paranoid", line, sizeof line))
        doctor_add(d, "perf", DOCTOR_NOTE, "a kernel with perf events",
                   "no perf events here: perf shows nothing; HEIST_STATS and HEIST_TRACE do");
    else if (strtol(line, NULL, 10) > OWN_PROGRAMS && geteuid() != 0)
        doctor_add(d, "perf", DOCTOR_NOTE, "sysctl kernel.perf_event_paranoid=2",
                   "only for root (kernel.perf_event_paranoid is %s); HEIST_STATS and HEIST_TRACE "
                   "work without",
                   line);
    else
        doctor_add(d, "perf", DOCTOR_OK, NULL,
                   "perf may measure this user's programs (kernel.perf_event_paranoid is %s)",
                   line);
}

static void check_huge_pages(struct doctor *d)
{
    char line[64] = "";
    const char *always = "[always]";
    if (!doctor_read(d, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line))
        doctor_add(d, "huge pages", DOCTOR_OK, NULL,
                   "no transparent ones; Heist does not ask for any");
    else if (strstr(line, always))
        doctor_add(
            d, "huge pages", DOCTOR_NOTE,
            "echo madvise to /sys/kernel/mm/transparent_hugepage/enabled, while measuring",
            "always: queues and stacks may take 2 MiB where they touch 4 KiB, and times vary");
    else
        doctor_add(d, "huge pages", DOCTOR_OK, NULL,
                   "only for programs that ask, which Heist does not");
}

void doctor_check_kernel(struct doctor *d)
{
    check_membarrier(d);
    check_io_uring(d);
    check_perf(d);
    check_huge_pages(d);
}
