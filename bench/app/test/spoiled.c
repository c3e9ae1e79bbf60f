/* SPDX-License-Identifier: MIT */
/*
 * Tests of a program's check: it finds a result right, finds it wrong when any one bit of it is
 * another, and the checksum changes with it.
 */
#include "program.h"
#include "random.h"

enum { SIZE = 3000, BITS = 60 };

static int failures;

static void expect(bool right, const char *what, unsigned shape)
{
    if (right)
        return;
    fprintf(stderr, "FAILED: %s, %s: %s\n", program.name, program.shapes[shape].name, what);
    failures++;
}

/* A bit of the result, any with the same chance. */
static unsigned char *choose(void *job, uint64_t *random)
{
    struct span spans[SPANS_MOST];
    size_t number = program.result(job, spans), bytes = 0, i;
    for (i = 0; i < number; i++)
        bytes += spans[i].bytes;
    size_t at = random_below(random, bytes);
    for (i = 0; at >= spans[i].bytes; i++)
        at -= spans[i].bytes;
    return (unsigned char *)spans[i].at + at;
}

static void spoil(void *job, unsigned shape, uint64_t *random)
{
    uint64_t checksum = checksum_of(job);
    for (unsigned i = 0; i < BITS; i++) {
        unsigned char *byte = choose(job, random),
                      bit = (unsigned char)(1 << random_below(random, 8));
        *byte ^= bit;
        expect(program.check(job), "a wrong result passes the check", shape);
        expect(checksum_of(job) != checksum, "a wrong result has the right checksum", shape);
        *byte ^= bit;
    }
    expect(!program.check(job), "a right result does not pass the check", shape);
}

int main(void)
{
    uint64_t random = 1;
    bench_tool = program.name;
    layer.start(1);
    for (unsigned shape = 0; program.shapes[shape].name; shape++) {
        void *job = program.make(SIZE, shape, 1);
        layer.solve(job);
        expect(!program.check(job), "not solved", shape);
        spoil(job, shape, &random);
        program.forget(job);
        program.drop(job);
    }
    layer.stop();
    return failures ? EXIT_FAILED : 0;
}
