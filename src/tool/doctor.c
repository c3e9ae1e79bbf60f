/* SPDX-License-Identifier: MIT */
/* heist doctor: whether this machine is fit for Heist, a line per check. */
#define _GNU_SOURCE
#include "doctor.h"

#include <getopt.h>
#include <heist/version.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tool.h"

#define DOCTOR "heist doctor"
enum { GO_ON = -1 };

static const char *const statuses[] = {
    [DOCTOR_OK] = "ok", [DOCTOR_NOTE] = "note", [DOCTOR_PROBLEM] = "problem"};

struct options {
    const char *root;
    bool json;
};

static int help(void)
{
    printf(
        "usage: heist doctor [OPTION]...\n\n"
        "Checks this machine and says what each thing means for Heist, a line per check: ok; note, "
        "if\n"
        "something is slower or other than it could be; problem, if something will fail. Notes and "
        "problems\n"
        "end with what to do. Exit status: 0; 1 if there is a problem; 2 for bad arguments.\n\n"
        "  --json      as JSON\n"
        "  --root DIR  read the files of /proc and /sys below DIR, where there may be others\n"
        "  --help      show this\n\n"
        "Examples:\n"
        "  heist doctor\n"
        "  heist doctor --json\n"
        "  taskset -c 0 heist doctor\n"
        "  HEIST_QUEUE=chaselev heist doctor\n");
    return tool_flush(DOCTOR);
}

/* ---- Options ---- */

enum { JSON = TOOL_OPTION, ROOT, HELP };

static const struct option options[] = {{"json", no_argument, NULL, JSON},
                                        {"root", required_argument, NULL, ROOT},
                                        {"help", no_argument, NULL, HELP},
                                        {NULL, 0, NULL, 0}};

static int read_option(struct options *o, int option, char **argv)
{
    struct stat s;
    switch (option) {
    case JSON:
        o->json = true;
        return GO_ON;
    case ROOT:
        if (stat(optarg, &s) || !S_ISDIR(s.st_mode))
            return tool_usage_error(DOCTOR, "--root takes a directory, not", optarg);
        o->root = optarg;
        return GO_ON;
    case HELP:
        return help();
    default:
        return tool_option_error(DOCTOR, option, argv);
    }
}

static int read_options(struct options *o, int argc, char **argv)
{
    int status = GO_ON, option;
    while (status == GO_ON && (option = getopt_long(argc, argv, ":", options, NULL)) != -1)
        status = read_option(o, option, argv);
    if (status == GO_ON && optind < argc)
        status = tool_usage_error(DOCTOR, "stray argument", argv[optind]);
    return status;
}

/* ---- For the checks ---- */

void doctor_add(struct doctor *d, const char *check, enum doctor_status status, const char *fix,
                const char *format, ...)
{
    va_list arguments;
    struct doctor_finding f = {.check = check, .status = status, .fix = fix};
    va_start(arguments, format);
    if (vasprintf(&f.text, format, arguments) < 0)
        f.text = NULL;
    va_end(arguments);
    for (char *c = f.text; c && *c; c++) /* variables and files may hold any bytes */
        if (*c < ' ' || *c > '~')
            *c = '?';
    d->at = tool_realloc(d->at, (d->n + 1) * sizeof *d->at);
    d->at[d->n++] = f;
}

bool doctor_read(const struct doctor *d, const char *path, char *line, size_t size)
{
    char whole[4096];
    snprintf(whole, sizeof whole, "%s%s", d->root, path);
    FILE *f = fopen(whole, "re");
    bool ok = f && fgets(line, (int)size, f);
    if (f)
        fclose(f);
    if (ok)
        line[strcspn(line, "\n")] = '\0';
    return ok;
}

/* ---- Output ---- */

static size_t count(const struct doctor *d, enum doctor_status status)
{
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        n += d->at[i].status == status;
    return n;
}

static const char *text_of(const struct doctor_finding *f)
{
    return f->text ? f->text : "(out of memory)";
}

static void print_text(const struct doctor *d)
{
    for (const struct doctor_finding *f = d->at; f != d->at + d->n; f++)
        printf("%-7s  %-11s  %s%s%s\n", statuses[f->status], f->check, text_of(f),
               f->fix ? "; fix: " : "", f->fix ? f->fix : "");
    size_t notes = count(d, DOCTOR_NOTE), problems = count(d, DOCTOR_PROBLEM);
    printf("%zu checks: %zu ok, %zu note%s, %zu problem%s\n", d->n, count(d, DOCTOR_OK), notes,
           notes == 1 ? "" : "s", problems, problems == 1 ? "" : "s");
}

/* There is nothing but printable ASCII in it. */
static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++)
        printf(*text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    putchar('"');
}

static void print_json(const struct doctor *d)
{
    printf("{\"heist\": \"" HEIST_VERSION_STRING "\", \"checks\": [");
    for (const struct doctor_finding *f = d->at; f != d->at + d->n; f++) {
        printf("%s\n  {\"check\": \"%s\", \"status\": \"%s\", \"found\": ", f == d->at ? "" : ",",
               f->check, statuses[f->status]);
        print_string(text_of(f));
        if (f->fix) {
            printf(", \"fix\": ");
            print_string(f->fix);
        }
        putchar('}');
    }
    printf("\n], \"notes\": %zu, \"problems\": %zu}\n", count(d, DOCTOR_NOTE),
           count(d, DOCTOR_PROBLEM));
}

/* ---- The command ---- */

int tool_doctor(int argc, char **argv)
{
    struct options o = {.root = ""};
    int status = read_options(&o, argc, argv);
    if (status != GO_ON)
        return status;
    struct doctor d = {.root = o.root};
    doctor_check_cpus(&d);
    doctor_check_kernel(&d);
    doctor_check_limits(&d);
    doctor_check_environment(&d);
    (o.json ? print_json : print_text)(&d);
    status = count(&d, DOCTOR_PROBLEM) ? TOOL_FAILED : 0;
    for (size_t i = 0; i < d.n; i++)
        free(d.at[i].text);
    free(d.at);
    int flushed = tool_flush(DOCTOR);
    return flushed ? flushed : status;
}
