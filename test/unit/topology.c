/* SPDX-License-Identifier: MIT */
/* The machine: levels, capacities, places, on machines that are only described; and on this one. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <heist/topology.h>
#include <heist/victim.h>

#if HEIST_WITH_HWLOC
#include <hwloc.h>
#endif

static heist_topology *open_machine(const char *description)
{
    heist_topology *t = NULL;
    assert_int_equal(heist_topology_new(&t, description), 0);
    return t;
}

/* ---- This machine ---- */

static void test_here(void **state)
{
    (void)state;
    cpu_set_t may;
    assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
    heist_topology *t = open_machine(NULL);
    unsigned n = heist_topology_cpus(t), fast = 0;
    assert_int_equal(n, CPU_COUNT(&may));
    assert_true(heist_topology_is_here(t));
    assert_true(heist_topology_levels(t) >= 1);
    for (unsigned i = 0; i < n; i++) {
        const heist_cpu *cpu = heist_topology_cpu(t, i);
        assert_true(CPU_ISSET(cpu->os, &may));
        assert_int_equal(heist_topology_find(t, cpu->os), i);
        assert_true(cpu->capacity >= 1 && cpu->capacity <= HEIST_CAPACITY_FASTEST);
        fast += cpu->capacity == HEIST_CAPACITY_FASTEST;
        for (unsigned j = 0; j < n; j++)
            assert_true(heist_topology_level(t, i, j) < heist_topology_levels(t));
    }
    assert_true(fast);
    assert_int_equal(heist_topology_find(t, 1 << 20), HEIST_TOPOLOGY_NONE);
    heist_topology_free(t);
    heist_topology_free(NULL);
}

static void test_one_cpu(void **state)
{
    (void)state;
    cpu_set_t may, one;
    unsigned cpus[3];
    assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
    unsigned os = 0;
    while (!CPU_ISSET(os, &may))
        os++;
    CPU_ZERO(&one);
    CPU_SET(os, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    heist_topology *t = open_machine(NULL);
    assert_int_equal(sched_setaffinity(0, sizeof may, &may), 0);
    assert_int_equal(heist_topology_cpus(t), 1);
    assert_int_equal(heist_topology_cpu(t, 0)->os, os);
    assert_int_equal(heist_topology_levels(t), 1);
    for (enum heist_pin pin = HEIST_PIN_NONE; pin <= HEIST_PIN_SPREAD; pin++) {
        memset(cpus, 0xff, sizeof cpus);
        assert_int_equal(heist_topology_place(t, pin, 3, cpus), 0);
        assert_true(!cpus[0] && !cpus[1] && !cpus[2]);
    }
    heist_topology_free(t);
}

static void test_pins(void **state)
{
    (void)state;
    enum heist_pin pin;
    static const char *const names[] = {"none", "compact", "spread"};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(heist_pin_parse(names[i], &pin), 0);
        assert_string_equal(heist_pin_name(pin), names[i]);
    }
    static const char *const unknown[] = {"", "None", "scatter", "compact ", NULL};
    for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_int_equal(heist_pin_parse(unknown[i], &pin), -EINVAL);
    assert_int_equal(pin, HEIST_PIN_SPREAD);
    assert_string_equal(heist_pin_name(HEIST_PIN_DEFAULT), "none");
}

static void test_wrong_descriptions(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "nonsense",
                                        "pack:0",
                                        "pack:2 l3",
                                        "core:x",
                                        "pack:2 l3:2 core:8 pu:1 core:2",
                                        "none.xml",
                                        "pu:-1",
                                        "pu:3000000000",
                                        "pack:2 pu:5000",
                                        "99 99 99",
                                        "pu:0x0",
                                        "core:00 pu:1",
                                        "core:4(memory=1",
                                        "core:4[numa pu:1"};
    heist_topology *untouched = (heist_topology *)&untouched, *t = untouched;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(heist_topology_new(&t, wrong[i]), HEIST_WITH_HWLOC ? -EINVAL : -ENOSYS);
        assert_ptr_equal(t, untouched);
    }
    assert_int_equal(heist_topology_new(NULL, NULL), -EINVAL);
}

#if HEIST_WITH_HWLOC

/* ---- Levels ---- */

/* How many others of each level the first CPU has; then the levels' names. */
static void check_levels(const char *description, unsigned cpus, const unsigned *others,
                         const char *const *names)
{
    heist_topology *t = open_machine(description);
    char name[64];
    unsigned levels = 0;
    assert_false(heist_topology_is_here(t));
    assert_int_equal(heist_topology_cpus(t), cpus);
    for (; names[levels]; levels++) {
        unsigned n = 0;
        for (unsigned i = 1; i < cpus; i++)
            n += heist_topology_level(t, 0, i) == levels;
        assert_int_equal(n, others[levels]);
        assert_string_equal(heist_topology_level_name(t, levels, name, sizeof name), names[levels]);
    }
    assert_int_equal(heist_topology_levels(t), levels);
    for (unsigned i = 0; i < cpus; i++) {
        assert_int_equal(heist_topology_level(t, i, i), 0);
        assert_int_equal(heist_topology_level(t, i, cpus - 1),
                         heist_topology_level(t, cpus - 1, i));
        assert_int_equal(heist_topology_weight(t, i), HEIST_VICTIM_WEIGHT);
    }
    heist_topology_free(t);
}

#define CHECK_LEVELS(description, cpus, others, ...)               \
    check_levels(description, cpus, (const unsigned[])LIST others, \
                 (const char *const[]){__VA_ARGS__, NULL})
#define LIST(...)   \
    {               \
        __VA_ARGS__ \
    }

static void test_levels(void **state)
{
    (void)state;
    CHECK_LEVELS("pack:2 l3:2 core:8 pu:1", 32, (7, 8, 16), "L3", "node", "node, other package");
    CHECK_LEVELS("pack:2 numa:1 l3:2 core:8 pu:1", 32, (7, 8, 16), "L3", "node",
                 "other node, other package");
    CHECK_LEVELS("pack:1 l3:1 l2:4 core:1 pu:2", 8, (1, 6), "core", "L3");
    CHECK_LEVELS("l3:2 l2:2 core:4 pu:2", 32, (1, 6, 8, 16), "core", "L2", "L3", "node");
    CHECK_LEVELS("pack:2 numa:2 l3:1 core:4 pu:1", 16, (3, 4, 8), "L3", "other node",
                 "other node, other package");
    CHECK_LEVELS("pu:1", 1, (0), "core");
    CHECK_LEVELS("pack:2 numa:4 l3:4 core:16 pu:2", 1024, (1, 30, 96, 384, 512), "core", "L3",
                 "node", "other node", "other node, other package");
}

/* ---- What a description can't say: hwloc writes it into a file ---- */

static char xml[] = "/tmp/heist-topology-XXXXXX.xml";

static heist_topology *with_distances_and_kinds(const char *description, unsigned nodes,
                                                const hwloc_uint64_t *distances,
                                                const char *const *speeds, unsigned kinds)
{
    hwloc_topology_t t;
    assert_int_equal(hwloc_topology_init(&t), 0);
    assert_int_equal(hwloc_topology_set_synthetic(t, description), 0);
    assert_int_equal(hwloc_topology_load(t), 0);
    if (nodes) {
        hwloc_obj_t objects[8];
        for (unsigned i = 0; i < nodes; i++)
            objects[i] = hwloc_get_obj_by_type(t, HWLOC_OBJ_NUMANODE, i);
        void *handle = hwloc_distances_add_create(
            t, "NUMALatency", HWLOC_DISTANCES_KIND_FROM_USER | HWLOC_DISTANCES_KIND_MEANS_LATENCY,
            0);
        assert_int_equal(hwloc_distances_add_values(t, handle, nodes, objects,
                                                    (hwloc_uint64_t *)(uintptr_t)distances, 0),
                         0);
        assert_int_equal(hwloc_distances_add_commit(t, handle, 0), 0);
    }
    /* Each kind has an equal part of the CPUs. */
    unsigned cpus = (unsigned)hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_PU);
    for (unsigned k = 0; k < kinds; k++) {
        struct hwloc_info_s info = {(char *)(uintptr_t) "LinuxCapacity",
                                    (char *)(uintptr_t)speeds[k]};
        hwloc_bitmap_t set = hwloc_bitmap_alloc();
        hwloc_bitmap_set_range(set, k * cpus / kinds, (int)((k + 1) * cpus / kinds) - 1);
        assert_int_equal(hwloc_cpukinds_register(t, set, -1, 1, &info, 0), 0);
        hwloc_bitmap_free(set);
    }
    int file = mkstemps(xml, 4);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(hwloc_topology_export_xml(t, xml, 0), 0);
    hwloc_topology_destroy(t);
    heist_topology *made = open_machine(xml);
    unlink(xml);
    memcpy(strrchr(xml, '-') + 1, "XXXXXX", 6);
    return made;
}

static void test_distances(void **state)
{
    (void)state;
    /* A ring of four nodes, and one way that is longer than the way back. */
    static const hwloc_uint64_t ring[] = {10, 16, 22, 16, 16, 10, 16, 22,
                                          22, 16, 10, 16, 30, 22, 16, 10};
    static const char *const names[] = {"node", "distance 16", "distance 16, other package",
                                        "distance 22, other package", "distance 30, other package"};
    heist_topology *t = with_distances_and_kinds("pack:2 numa:2 core:2 pu:1", 4, ring, NULL, 0);
    char name[64];
    assert_int_equal(heist_topology_levels(t), 5);
    for (unsigned l = 0; l < 5; l++)
        assert_string_equal(heist_topology_level_name(t, l, name, sizeof name), names[l]);
    static const unsigned from_first[] = {0, 0, 1, 1, 3, 3, 2, 2};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(heist_topology_level(t, 0, i), from_first[i]);
    assert_int_equal(heist_topology_level(t, 6, 0), 4);
    heist_topology_free(t);
}

static void test_capacities(void **state)
{
    (void)state;
    static const char *const speeds[] = {"256", "1000", "500"};
    static const unsigned expected[] = {262, 1024, 512};
    heist_topology *t = with_distances_and_kinds("core:6 pu:2", 0, NULL, speeds, 3);
    unsigned cpus[14];
    for (unsigned i = 0; i < 12; i++) {
        assert_int_equal(heist_topology_cpu(t, i)->capacity, expected[i / 4]);
        assert_int_equal(heist_topology_weight(t, i), 1024 * 262 / expected[i / 4]);
    }
    static const unsigned compact[] = {4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5};
    assert_int_equal(heist_topology_place(t, HEIST_PIN_COMPACT, 14, cpus), 0);
    assert_memory_equal(cpus, compact, sizeof compact);
    /* Each core once, the fast ones first; then again. */
    static const unsigned apart[] = {4, 6, 8, 10, 0, 2, 5, 7, 9, 11, 1, 3, 4, 6};
    assert_int_equal(heist_topology_place(t, HEIST_PIN_SPREAD, 14, cpus), 0);
    assert_memory_equal(cpus, apart, sizeof apart);
    heist_topology_free(t);
}

/* One kind without a speed: nothing is known of any. */
static void test_unknown_capacities(void **state)
{
    (void)state;
    static const char *const speeds[] = {"512", "soon"};
    heist_topology *t = with_distances_and_kinds("core:4 pu:1", 0, NULL, speeds, 2);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(heist_topology_cpu(t, i)->capacity, HEIST_CAPACITY_FASTEST);
    heist_topology_free(t);
}

/* Numbers are hwloc's: in any base, with a sign, behind spaces, or right behind an attribute. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *description;
        unsigned cpus;
    } rows[] = {{"pu:0x10", 16},
                {"pu:010", 8},
                {"core:+2 pu: 3", 6},
                {"core:2(memory=9999999)3", 6},
                {"(memory=9999999) pack:2 [numa(memory=9999999)]\n core:4 pu:\t2\n", 16},
                {"pack:2 core:2 pu:2(indexes=0,2,4,6,1,3,5,7)", 8},
                {"core:0x40[numa]pu:2", 128}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        heist_topology *t = open_machine(rows[i].description);
        assert_int_equal(heist_topology_cpus(t), rows[i].cpus);
        heist_topology_free(t);
    }
}

/* ---- Places ---- */

static void test_places(void **state)
{
    (void)state;
    unsigned cpus[64], seen[64] = {0};
    heist_topology *t = open_machine("pack:2 l3:2 core:8 pu:2");
    assert_int_equal(heist_topology_place(t, HEIST_PIN_COMPACT, 64, cpus), 0);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(cpus[i], i);
    assert_int_equal(heist_topology_place(t, HEIST_PIN_SPREAD, 64, cpus), 0);
    static const unsigned first[] = {0, 32, 16, 48, 2, 34, 18, 50};
    assert_memory_equal(cpus, first, sizeof first);
    for (unsigned i = 0; i < 64; i++) {
        seen[cpus[i]]++;
        assert_int_equal(cpus[i] % 2, i >= 32); /* a core of its own, for half of them */
    }
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(seen[i], 1);
    heist_topology_free(t);
}

/* ---- Victims on 2 sockets x 2 caches x 8 cores ---- */

static unsigned level(void *t, unsigned thief, unsigned i)
{
    return heist_topology_level(t, thief, i);
}

static void test_near_first(void **state)
{
    (void)state;
    heist_topology *t = open_machine("pack:2 l3:2 core:8 pu:1");
    heist_victim_set set = {.number = 32, .context = t, .level = level};
    heist_victim_policy policy = {.rule = HEIST_VICTIM_NUMA};
    for (unsigned self = 0; self < 32; self++) {
        heist_victim v;
        assert_int_equal(heist_victim_init(&v, &set, &policy, self, 3), 0);
        for (unsigned k = 0; k < 31; k++) {
            unsigned i = heist_victim_next(&v);
            assert_int_equal(i / 8 == self / 8, k < 7);
            assert_int_equal(i / 16 == self / 16, k < 15);
        }
        heist_victim_fini(&v);
    }
    heist_topology_free(t);
}

#endif

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_here),
        cmocka_unit_test(test_one_cpu),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_wrong_descriptions),
#if HEIST_WITH_HWLOC
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_capacities),
        cmocka_unit_test(test_unknown_capacities),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_near_first),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
