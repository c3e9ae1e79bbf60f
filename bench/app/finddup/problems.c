/* SPDX-License-Identifier: MIT */
/* What could not be read, and why: kept until the end, so that nothing is lost. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "finddup.h"

static struct problem {
    char *path;
    char why[80];
} * problems;
static size_t number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void note_problem(const char *path, const char *why)
{
    struct problem problem;
    problem.path = allocate(strlen(path) + 1, 1);
    strcpy(problem.path, path);
    snprintf(problem.why, sizeof problem.why, "%s", why);
    pthread_mutex_lock(&lock);
    problems = bench_grow(problems, number, sizeof *problems);
    problems[number++] = problem;
    pthread_mutex_unlock(&lock);
}

void note_file_problem(const struct file *file, const char *why)
{
    char *path = allocate(path_length(file) + 1, 1);
    copy_path(file, path);
    note_problem(path, why);
    free(path);
}

static int by_path(const void *left, const void *right)
{
    const struct problem *a = left, *b = right;
    int order = strcmp(a->path, b->path);
    return order ? order : strcmp(a->why, b->why);
}

/* One file may have been read by several workers when it failed. */
void sort_problems(void)
{
    size_t kept = 0;
    if (number)
        qsort(problems, number, sizeof *problems, by_path);
    for (size_t i = 0; i < number; i++) {
        if (kept && strcmp(problems[kept - 1].path, problems[i].path) == 0)
            free(problems[i].path);
        else
            problems[kept++] = problems[i];
    }
    number = kept;
}

size_t problems_number(void) { return number; }
const char *problem_path(size_t i) { return problems[i].path; }
const char *problem_why(size_t i) { return problems[i].why; }

void forget_problems(void)
{
    for (size_t i = 0; i < number; i++)
        free(problems[i].path);
    free(problems);
}
