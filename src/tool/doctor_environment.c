/* SPDX-License-Identifier: MIT */
/* The HEIST_ variables, by the library's own reading of them. */
#define _GNU_SOURCE
#include "../runtime/environment.h"

#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "doctor_workers.h"

/* What the library would say about them, and what it makes of them; both to be freed. */
static char *read_all(struct heist_environment_ *env)
{
    char *said = NULL;
    size_t size;
    FILE *complaints = open_memstream(&said, &size);
    if (!complaints)
        return NULL;
    heist_environment_read_(env, complaints);
    fclose(complaints);
    return said;
}

unsigned doctor_workers_asked(void)
{
    struct heist_environment_ env = {.workers = 0};
    free(read_all(&env));
    free((char *)env.trace);
    return env.workers;
}

/* A line is "heist: NAME=VALUE: ..." if the value is wrong, "heist: NAME is ..." if the name is. */
static void add_complaint(struct doctor *d, const char *line)
{
    static const char prefix[] = "heist: ";
    if (strncmp(line, prefix, strlen(prefix)) == 0)
        line += strlen(prefix);
    bool is_value = line[strcspn(line, " =")] == '=';
    doctor_add(d, "environment", is_value ? DOCTOR_PROBLEM : DOCTOR_NOTE,
               is_value ? "set it to what it takes, or unset it" : "rename it, or unset it", "%s",
               line);
}

static unsigned add_complaints(struct doctor *d, char *said)
{
    unsigned n = 0;
    for (char *next; said && *said; said = next, n++) {
        next = said + strcspn(said, "\n");
        if (*next)
            *next++ = '\0';
        add_complaint(d, said);
    }
    return n;
}

/* Those that make sense. */
static unsigned add_settings(struct doctor *d)
{
    unsigned n = 0;
    for (const struct heist_variable_ *v = heist_variables_; v->name; v++) {
        struct heist_environment_ scratch = {.trace = NULL};
        const char *value = secure_getenv(v->name);
        if (value && *value && (!v->parse || v->parse(value, &scratch))) {
            doctor_add(d, "environment", DOCTOR_OK, NULL, "%s=%.200s: %s", v->name, value, v->does);
            n++;
        }
        free((char *)scratch.trace);
    }
    return n;
}

void doctor_check_environment(struct doctor *d)
{
    struct heist_environment_ env = {.trace = NULL};
    char *said = read_all(&env);
    unsigned n = add_settings(d) + add_complaints(d, said);
    if (!n)
        doctor_add(d, "environment", DOCTOR_OK, NULL, "no variable HEIST_... is set: all defaults");
    free(said);
    free((char *)env.trace);
}
