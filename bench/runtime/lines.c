/* SPDX-License-Identifier: MIT */
/* What a contestant prints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime.h"

/* NAME SECONDS RESULT [KEY=VALUE]... */
static bool read_line(const struct runtime_benchmark *b, const char *line, struct runtime_sample *s)
{
    size_t name = strlen(b->bench);
    char *end;
    if (strncmp(line, b->bench, name) != 0 || line[name] != ' ')
        return false;
    s->seconds = strtod(line + name + 1, &end);
    if (*end != ' ' || !isfinite(s->seconds) || s->seconds < 0 || end[1] < '0' || end[1] > '9')
        return false;
    s->result = strtoull(end + 1, &end, 10);
    s->extra = NAN;
    while (*end == ' ') {
        const char *key = end + 1;
        size_t length = strcspn(key, "= ");
        if (key[length] != '=')
            return false;
        double value = strtod(key + length + 1, &end);
        if (end == key + length + 1)
            return false;
        if (b->extra && strlen(b->extra) == length && strncmp(b->extra, key, length) == 0)
            s->extra = value;
    }
    return !*end;
}

int runtime_read_lines(struct runtime_contestant *who, const struct runtime_benchmark *b,
                       char *text, struct runtime_sample *samples, int most)
{
    int n = 0;
    for (char *line = text, *after; line && *line; line = after) {
        after = strchr(line, '\n');
        if (after)
            *after++ = '\0';
        if (*line == '#' && !*who->about)
            snprintf(who->about, sizeof who->about, "%s", line + 1 + strspn(line + 1, " "));
        else if (*line && *line != '#' && (n == most || !read_line(b, line, &samples[n++])))
            return -1;
    }
    return n;
}
