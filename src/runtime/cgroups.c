/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "cgroups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What one cgroup states ---- */

bool heist_cgroup_line_(const char *directory, const char *name, char line[HEIST_CGROUP_LINE_])
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return false;
    FILE *file = fopen(path, "re");
    free(path);
    if (!file)
        return false;
    bool ok = fgets(line, HEIST_CGROUP_LINE_, file);
    fclose(file);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

/* strtoull would take "-1". */
bool heist_cgroup_number_(const char **text, char end, uint64_t *number)
{
    uint64_t n = 0;
    const char *p = *text;
    for (; *p >= '0' && *p <= '9'; p++)
        if (__builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *p - '0', &n))
            return false;
    if (*p != end)
        return false;
    *text = p + 1;
    *number = n;
    return true;
}

bool heist_cgroup_read_(const char *directory, const char *name, uint64_t *number)
{
    char line[HEIST_CGROUP_LINE_];
    const char *text = line;
    return heist_cgroup_line_(directory, name, line) && heist_cgroup_number_(&text, '\0', number);
}

/* ---- Where this process is, and where that can be seen ---- */

/* How many levels above the cgroup namespace's root a path begins: "/../../a" has 2. */
static unsigned levels_up(const char *path)
{
    unsigned n = 0;
    while (!strncmp(path, "/..", 3) && (path[3] == '/' || !path[3])) {
        path += 3;
        n++;
    }
    return n;
}

/*
 * What leads from a cgroup down to another at or below it: "", "/" or "/a/b". NULL: it is not
 * below. Both paths are as the kernel shows them, from the root of our namespace. If the first is
 * above that root and the second at or below it, the names between are not shown: "", which is
 * above all the same.
 */
static const char *way_down(const char *from, const char *to)
{
    unsigned up = levels_up(from);
    size_t length = strcmp(from, "/") ? strlen(from) : 0;
    if (up > levels_up(to) && length == up * strlen("/.."))
        return "";
    if (up != levels_up(to) || strncmp(from, to, length) || (to[length] && to[length] != '/'))
        return NULL;
    return to + length;
}

/* The least limit from the cgroup up to where its hierarchy is mounted. */
static unsigned limit_upwards(const char *root, const char *mount_point, const char *way,
                              heist_cgroup_limit_fn_ *limit_of_cgroup)
{
    char *directory;
    int top = asprintf(&directory, "%s%s%s", root, mount_point, way) - (int)strlen(way);
    if (top < 0)
        return 0;
    unsigned limit = limit_of_cgroup(directory);
    for (char *end; (end = strrchr(directory + top, '/'));) {
        *end = '\0';
        limit = heist_cgroup_lesser_(limit, limit_of_cgroup(directory));
    }
    free(directory);
    return limit;
}

/* ---- /proc/self/cgroup and /proc/self/mountinfo ---- */

static bool is_listed(const char *name, const char *list)
{
    size_t length = strlen(name);
    for (;;) {
        size_t item = strcspn(list, ",");
        if (item == length && !memcmp(list, name, length))
            return true;
        if (!list[item])
            return false;
        list += item + 1;
    }
}

struct cgroups {
    const char *root;
    const struct heist_cgroup_limits_ *asked;
    char *v1, *v2; /* this process's paths; NULL: in none */
    unsigned least;
};

/* Hierarchy:controllers:path; version 2's is "0::path". */
static void read_cgroup(struct cgroups *c, char *line)
{
    char *number = strsep(&line, ":"), *controllers = strsep(&line, ":");
    if (!line)
        return;
    if (!c->v2 && !strcmp(number, "0"))
        c->v2 = strdup(line);
    else if (!c->v1 && is_listed(c->asked->controller, controllers))
        c->v1 = strdup(line);
}

/* The kernel writes spaces, tabs, newlines and backslashes as \ooo. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        if (*from == '\\' && strspn(from + 1, "01234567") >= 3) {
            *to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
            from += 4;
        } else {
            *to = *from++;
        }
    }
    *to = '\0';
}

/* id parent device root mount_point options [optional...] - type source options */
static void read_mount(struct cgroups *c, char *line)
{
    char *field[5];
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (!(field[i] = strsep(&line, " ")))
            return;
    char *root = field[3], *mount_point = field[4], *type;
    do
        type = strsep(&line, " ");
    while (type && strcmp(type, "-"));
    type = strsep(&line, " ");
    strsep(&line, " ");
    if (!type || !line)
        return;
    bool v1 = !strcmp(type, "cgroup") && is_listed(c->asked->controller, line),
         v2 = !strcmp(type, "cgroup2");
    const char *path = v1 ? c->v1 : v2 ? c->v2 : NULL;
    if (!path)
        return;
    decode(root);
    decode(mount_point);
    const char *way = way_down(root, path);
    if (way)
        c->least = heist_cgroup_lesser_(
            c->least, limit_upwards(c->root, mount_point, way, v1 ? c->asked->v1 : c->asked->v2));
}

static void read_lines(struct cgroups *c, const char *name,
                       void (*read_one)(struct cgroups *, char *line))
{
    char *path, *line = NULL;
    size_t size = 0;
    if (asprintf(&path, "%s%s", c->root, name) < 0)
        return;
    FILE *file = fopen(path, "re");
    free(path);
    if (!file)
        return;
    while (getline(&line, &size, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        read_one(c, line);
    }
    free(line);
    fclose(file);
}

unsigned heist_cgroup_least_(const char *root, const struct heist_cgroup_limits_ *asked)
{
    struct cgroups c = {.root = root, .asked = asked};
    read_lines(&c, "/proc/self/cgroup", read_cgroup);
    if (c.v1 || c.v2)
        read_lines(&c, "/proc/self/mountinfo", read_mount);
    free(c.v1);
    free(c.v2);
    return c.least;
}
