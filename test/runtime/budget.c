/* SPDX-License-Identifier: MIT */
/* The CPU budget, from made-up /proc and /sys and made-up sets of CPUs. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "budget.h"

/* ---- Affinity ---- */

static struct {
    size_t bytes; /* that the kernel's own set has; it takes no less. 0: ask the real one */
    unsigned cpus;
    int error;
} system_has;

int __real_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set);

int __wrap_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set)
{
    if (!system_has.bytes)
        return __real_sched_getaffinity(pid, bytes, set);
    errno = system_has.error ? system_has.error : EINVAL;
    if (system_has.error || bytes < system_has.bytes)
        return -1;
    CPU_ZERO_S(bytes, set);
    for (size_t i = 0; i < system_has.cpus; i++) /* the last ones */
        CPU_SET_S(system_has.bytes * 8 - 1 - i, bytes, set);
    return 0;
}

static void test_affinity(void **state)
{
    (void)state;
    static const struct {
        size_t bytes;
        unsigned cpus;
    } systems[] = {{8, 1}, {8, 64}, {128, 1000}, {136, 3}, {512, 4096}, {8192, 65536}};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        system_has.bytes = systems[i].bytes;
        system_has.cpus = systems[i].cpus;
        struct heist_budget_ b = heist_budget_read_("/nowhere");
        assert_int_equal(b.affinity, systems[i].cpus);
        assert_int_equal(b.quota, 0);
        assert_int_equal(b.workers, systems[i].cpus);
    }
    system_has.bytes = 0;
}

static void test_no_affinity(void **state)
{
    (void)state;
    static const int errors[] = {EPERM, ENOSYS, EINVAL};
    system_has.bytes = 8;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        system_has.error = errors[i];
        assert_int_equal(heist_budget_read_("/nowhere").affinity, sysconf(_SC_NPROCESSORS_ONLN));
    }
    system_has.bytes = 0;
    system_has.error = 0;
}

static void test_this_machine(void **state)
{
    (void)state;
    cpu_set_t one, before;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_int_equal(heist_budget_read_("").affinity, CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int i = 0; !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    struct heist_budget_ b = heist_budget_read_("");
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(b.affinity, 1);
    assert_int_equal(b.workers, 1);
}

/* ---- Quota ---- */

#define CGROUP "/proc/self/cgroup"
#define MOUNTS "/proc/self/mountinfo"
#define OTHER_MOUNTS                                                   \
    "21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"          \
    "22 21 0:5 / /proc rw,nosuid shared:2 master:9 - proc proc rw\n"   \
    "23 21 0:6 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755\n"        \
    "24 23 0:7 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" \
    "25 23 0:8 / /sys/fs/cgroup/mine rw - cgroup cgroup rw,name=cpu\n" \
    "26 21 0:9 / /sys/fs/cgroupish rw - cgroup2ish cgroup2 rw,cpu\n"
#define MOUNT_V2(root, point) OTHER_MOUNTS "31 23 0:28 " root " " point " rw - cgroup2 cgroup2 rw\n"
#define MOUNT_V1(root, point) \
    OTHER_MOUNTS "32 23 0:29 " root " " point " rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
#define V2 "/sys/fs/cgroup"
#define V1 "/sys/fs/cgroup/cpu,cpuacct"

enum { FILES = 9 };

struct tree {
    const char *name;
    unsigned quota;
    struct {
        const char *path, *text;
    } files[FILES];
};

static const struct tree trees[] = {
    {"nothing", 0, {{0}}},
    {"no mounts", 0, {{CGROUP, "0::/a\n"}, {V2 "/a/cpu.max", "100000 100000\n"}}},
    {"no cgroup", 0, {{MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "100000 100000\n"}}},
    {"v2",
     3,
     {{CGROUP, "0::/a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a/cpu.max", "300000 100000\n"}}},
    {"v2: 1.5 CPUs",
     2,
     {{CGROUP, "0::/a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a/cpu.max", "150000 100000\n"}}},
    {"v2: 0.2 CPUs",
     1,
     {{CGROUP, "0::/a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a/cpu.max", "10000 50000\n"}}},
    {"v2: just above 2",
     3,
     {{CGROUP, "0::/a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a/cpu.max", "200001 100000\n"}}},
    {"v2: max",
     0,
     {{CGROUP, "0::/a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a/cpu.max", "max 100000\n"}}},
    {"v2: in the root",
     4,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "400000 100000\n"}}},
    {"v2: the cgroup has no controller, the one above has",
     2,
     {{CGROUP, "0::/a/b/c\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/a/b/c/cgroup.procs", "1\n"},
      {V2 "/a/b/cpu.max", "max 100000\n"},
      {V2 "/a/cpu.max", "200000 100000\n"}}},
    {"v2: the least is in the middle",
     3,
     {{CGROUP, "0::/a/b/c\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/a/b/c/cpu.max", "900000 100000\n"},
      {V2 "/a/b/cpu.max", "250000 100000\n"},
      {V2 "/a/cpu.max", "800000 100000\n"},
      {V2 "/cpu.max", "max 100000\n"}}},
    {"v2: the least is the cgroup's own",
     1,
     {{CGROUP, "0::/a/b\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/a/b/cpu.max", "100000 100000\n"},
      {V2 "/a/cpu.max", "700000 100000\n"}}},
    {"v2: siblings do not count",
     0,
     {{CGROUP, "0::/ab\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/a/cpu.max", "100000 100000\n"},
      {V2 "/abc/cpu.max", "100000 100000\n"}}},
    {"v2: a colon in the name",
     5,
     {{CGROUP, "0::/a:b\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/a:b/cpu.max", "5000 1000\n"}}},
    {"v2: more than any machine has",
     UINT_MAX,
     {{CGROUP, "0::/a\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/a/cpu.max", "18446744073709551615 1\n"}}},

    {"a container's bind mount",
     2,
     {{CGROUP, "0::/docker/1234\n"},
      {MOUNTS, MOUNT_V2("/docker/1234", V2)},
      {V2 "/cpu.max", "200000 100000\n"}}},
    {"below a container's bind mount",
     1,
     {{CGROUP, "0::/docker/1234/in\n"},
      {MOUNTS, MOUNT_V2("/docker/1234", V2)},
      {V2 "/in/cpu.max", "100000 100000\n"},
      {V2 "/cpu.max", "200000 100000\n"}}},
    {"another container's bind mount",
     0,
     {{CGROUP, "0::/docker/12345\n"},
      {MOUNTS, MOUNT_V2("/docker/1234", V2)},
      {V2 "/cpu.max", "200000 100000\n"},
      {V2 "5/cpu.max", "200000 100000\n"}}},
    {"only a cgroup below is mounted",
     0,
     {{CGROUP, "0::/docker\n"},
      {MOUNTS, MOUNT_V2("/docker/1234", V2)},
      {V2 "/cpu.max", "200000 100000\n"}}},
    {"two mounts: what can be seen through either",
     2,
     {{CGROUP, "0::/a/b\n"},
      {MOUNTS, MOUNT_V2("/a/b", "/b") "33 21 0:28 /a /c\\040d rw - cgroup2 none rw\n"},
      {"/b/cpu.max", "300000 100000\n"},
      {"/c d/cpu.max", "200000 100000\n"}}},

    {"namespace: the root is the process's own cgroup",
     2,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "150000 100000\n"}}},
    {"namespace: the mount begins two levels above it",
     6,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/../..", V2)}, {V2 "/cpu.max", "600000 100000\n"}}},
    {"namespace: the mount begins above it, the process is below",
     6,
     {{CGROUP, "0::/a\n"},
      {MOUNTS, MOUNT_V2("/..", V2)},
      {V2 "/a/cpu.max", "100000 100000\n"}, /* not ours: a name is missing before a */
      {V2 "/cpu.max", "600000 100000\n"}}},
    {"namespace: the process is outside, the mount shows it",
     3,
     {{CGROUP, "0::/../../a\n"},
      {MOUNTS, MOUNT_V2("/../..", V2)},
      {V2 "/a/cpu.max", "300000 100000\n"},
      {V2 "/cpu.max", "600000 100000\n"}}},
    {"namespace: the process is outside, the mount does not show it",
     0,
     {{CGROUP, "0::/../a\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/cpu.max", "300000 100000\n"},
      {V2 "/a/cpu.max", "300000 100000\n"}}},
    {"namespace: the mount is beside it",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/../b", V2)}, {V2 "/cpu.max", "300000 100000\n"}}},
    {"no namespace: a name that begins with dots",
     3,
     {{CGROUP, "0::/..a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/..a/cpu.max", "3 1\n"}}},

    {"spaces and backslashes",
     2,
     {{CGROUP, "0::/a\\x2d b/c\n"},
      {MOUNTS, MOUNT_V2("/a\\134x2d\\040b", "/mount\\040point\\011x")},
      {"/mount point\tx/c/cpu.max", "200000 100000\n"}}},

    {"v1",
     3,
     {{CGROUP, "5:cpuset:/x\n4:cpu,cpuacct:/a\n1:name=systemd:/y\n"},
      {MOUNTS, MOUNT_V1("/", V1)},
      {V1 "/a/cpu.cfs_quota_us", "250000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"}}},
    {"v1: no limit below, one above",
     2,
     {{CGROUP, "4:cpuacct,cpu:/a/b\n"},
      {MOUNTS, MOUNT_V1("/", V1)},
      {V1 "/a/b/cpu.cfs_quota_us", "-1\n"},
      {V1 "/a/b/cpu.cfs_period_us", "100000\n"},
      {V1 "/a/cpu.cfs_quota_us", "200000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"}}},
    {"v1: a container",
     1,
     {{CGROUP, "4:cpu,cpuacct:/docker/1234\n"},
      {MOUNTS, MOUNT_V1("/docker/1234", V1)},
      {V1 "/cpu.cfs_quota_us", "20000\n"},
      {V1 "/cpu.cfs_period_us", "100000\n"}}},
    {"v1: not the hierarchy of the controller",
     0,
     {{CGROUP, "4:cpu:/\n3:cpuset:/\n"},
      {MOUNTS, OTHER_MOUNTS},
      {V2 "/cpuset/cpu.cfs_quota_us", "100000\n"},
      {V2 "/cpuset/cpu.cfs_period_us", "100000\n"}}},
    {"v1: no period",
     0,
     {{CGROUP, "4:cpu:/\n"}, {MOUNTS, MOUNT_V1("/", V1)}, {V1 "/cpu.cfs_quota_us", "100000\n"}}},
    {"v1: named like the controller",
     0,
     {{CGROUP, "4:name=cpu:/\n"},
      {MOUNTS, MOUNT_V1("/", V1)},
      {V1 "/cpu.cfs_quota_us", "100000\n"},
      {V1 "/cpu.cfs_period_us", "100000\n"}}},
    {"hybrid: the controller is in v1",
     2,
     {{CGROUP, "4:cpu:/a\n0::/b\n"},
      {MOUNTS, MOUNT_V1("/", V1) "40 23 0:30 / /unified rw - cgroup2 cgroup2 rw\n"},
      {V1 "/a/cpu.cfs_quota_us", "200000\n"},
      {V1 "/a/cpu.cfs_period_us", "100000\n"},
      {"/unified/b/cgroup.procs", "1\n"}}},
    {"hybrid: the controller is in v2",
     4,
     {{CGROUP, "4:memory:/a\n0::/b\n"},
      {MOUNTS, "40 23 0:30 / /unified rw - cgroup2 cgroup2 rw\n"},
      {"/unified/b/cpu.max", "400000 100000\n"}}},

    {"malformed: cpu.max is empty",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", ""}}},
    {"malformed: one number",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "100000\n"}}},
    {"malformed: a period of 0",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "100000 0\n"}}},
    {"malformed: a quota of 0",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "0 100000\n"}}},
    {"malformed: negative",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "-5 100000\n"}}},
    {"malformed: more than 64 bits",
     0,
     {{CGROUP, "0::/\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/cpu.max", "18446744073709551617 1\n"}}},
    {"malformed: far more than 64 bits",
     0,
     {{CGROUP, "0::/\n"},
      {MOUNTS, MOUNT_V2("/", V2)},
      {V2 "/cpu.max", "99999999999999999999 1\n"}}},
    {"malformed: no digits",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", " \n"}}},
    {"malformed: something behind",
     0,
     {{CGROUP, "0::/\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "/cpu.max", "1000 1000x\n"}}},
    {"malformed: lines that stop early, then right ones",
     2,
     {{CGROUP, "\n0\n0:\n0::/\n"},
      {MOUNTS, "\n31\n31 23 0:28 / /x\n31 23 0:28 / /x rw - cgroup2\n31 23 0:28 / /x rw -\n"
               "31 23 0:28 / " V2 " rw - cgroup2  rw"},
      {V2 "/cpu.max", "200000 100000"}}},
    {"malformed: no slash",
     0,
     {{CGROUP, "0::a\n"}, {MOUNTS, MOUNT_V2("/", V2)}, {V2 "a/cpu.max", "200000 100000\n"}}},
};

/* Also the directories on the way to it. */
static void write_file(const char *root, const char *path, const char *text)
{
    char name[PATH_MAX];
    snprintf(name, sizeof name, "%s%s", root, path);
    for (char *end = name + strlen(root); (end = strchr(end + 1, '/'));) {
        *end = '\0';
        assert_true(!mkdir(name, 0700) || errno == EEXIST);
        *end = '/';
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void test_quota(void **state)
{
    char root[] = "/tmp/heist-budget-XXXXXX", command[PATH_MAX];
    const struct tree *t = *state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < FILES && t->files[i].path; i++)
        write_file(root, t->files[i].path, t->files[i].text);
    system_has.bytes = 8;
    system_has.cpus = 4;
    struct heist_budget_ b = heist_budget_read_(root);
    system_has.bytes = 0;
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
    assert_int_equal(b.quota, t->quota);
    assert_int_equal(b.affinity, 4);
    assert_int_equal(b.workers, t->quota && t->quota < 4 ? t->quota : 4);
}

int main(void)
{
    enum { TREES = sizeof trees / sizeof *trees };
    const struct CMUnitTest affinity[] = {cmocka_unit_test(test_affinity),
                                          cmocka_unit_test(test_no_affinity),
                                          cmocka_unit_test(test_this_machine)};
    struct CMUnitTest quota[TREES];
    for (size_t i = 0; i < TREES; i++)
        quota[i] = (struct CMUnitTest){trees[i].name, test_quota, NULL, NULL, (void *)&trees[i]};
    int failed = cmocka_run_group_tests(affinity, NULL, NULL);
    return failed + cmocka_run_group_tests(quota, NULL, NULL);
}
