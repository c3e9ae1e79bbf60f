/* SPDX-License-Identifier: MIT */
#include "nearest_neighbours.h"

#include "random.h"

static void *make(size_t size, unsigned shape, uint64_t seed)
{
    struct nearest_neighbours *job = allocate_zeroed(1, sizeof *job);
    job->n = size;
    job->points = allocate(size, sizeof *job->points);
    for (size_t i = 0; i < size; i++)
        job->points[i] = make_point(3, shape, seed, i);
    return job;
}

static size_t result(void *arg, struct span spans[SPANS_MOST])
{
    struct nearest_neighbours *job = arg;
    spans[0] = (struct span){job->neighbours, job->n * sizeof *job->neighbours};
    return 1;
}

/* Whether these may be the neighbours of a point, as far as they and the point itself can say. */
static bool is_plausible(const struct nearest_neighbours *job, size_t of)
{
    const uint32_t *at = job->neighbours[of].of;
    uint64_t last = 0;
    for (unsigned k = 0; k < NEIGHBOURS; k++) {
        if (k + 1 >= job->n) {
            if (at[k] != NO_POINT)
                return false;
            continue;
        }
        if (at[k] >= job->n || at[k] == of)
            return false;
        uint64_t distance = square_distance(&job->points[of], &job->points[at[k]]);
        if (distance < last || (k && distance == last && at[k] <= at[k - 1]))
            return false;
        last = distance;
    }
    return true;
}

/* Whether no other point is nearer than the last neighbour: looks at all points. */
static bool is_nearest(const struct nearest_neighbours *job, size_t of)
{
    const uint32_t *at = job->neighbours[of].of;
    uint32_t last = job->n > NEIGHBOURS ? at[NEIGHBOURS - 1] : NO_POINT;
    uint64_t most =
        last == NO_POINT ? UINT64_MAX : square_distance(&job->points[of], &job->points[last]);
    unsigned nearer = 0;
    for (size_t i = 0; i < job->n; i++) {
        uint64_t distance = square_distance(&job->points[of], &job->points[i]);
        nearer += i != of && (distance < most || (distance == most && i <= last));
    }
    return nearer == (job->n > NEIGHBOURS ? NEIGHBOURS : job->n - 1);
}

/* All points for what is plausible; all of few, some hundreds of many, against all others. */
static const char *check(const void *arg)
{
    enum { DISTANCES = 30000000 };
    const struct nearest_neighbours *job = arg;
    size_t step = job->n > DISTANCES / job->n ? job->n / (DISTANCES / job->n + 1) + 1 : 1;
    for (size_t i = 0; i < job->n; i++)
        if (!is_plausible(job, i))
            return "neighbours that are not in order, twice, or no points";
    for (size_t i = random_at(job->n, 0) % step; i < job->n; i += step)
        if (!is_nearest(job, i))
            return "another point is nearer";
    return NULL;
}

static void forget(void *arg)
{
    struct nearest_neighbours *job = arg;
    free(job->neighbours);
}

static void drop(void *arg)
{
    struct nearest_neighbours *job = arg;
    free(job->points);
    free(job);
}

const struct program program = {
    .name = "nearest_neighbours",
    .about = "the 8 nearest neighbours of each point in space",
    .unit = "points",
    .sizes = (const size_t[]){200000, 250000, 200000, 200000},
    .size_most = (size_t)1 << 31,
    .shapes = point_shapes,
    .make = make,
    .result = result,
    .check = check,
    .forget = forget,
    .drop = drop,
};
