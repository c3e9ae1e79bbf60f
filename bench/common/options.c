/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

enum { WORKERS_MOST = 1024 };

void bench_add_number(struct numbers *list, uint64_t n)
{
    uint64_t *at = bench_grow((uint64_t *)list->at, list->n, sizeof *at);
    at[list->n++] = n;
    list->at = at;
}

bool bench_has_number(const struct numbers *list, uint64_t n)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->at[i] == n)
            return true;
    return false;
}

bool bench_is_number(const char *text, uint64_t least, uint64_t most, uint64_t *n)
{
    char *end;
    errno = 0;
    *n = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno && *n >= least && *n <= most;
}

uint64_t bench_read_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
    uint64_t n;
    if (!bench_is_number(text, least, most, &n))
        bench_usage_error("%s '%s': not a whole number from %llu to %llu", option, text,
                          (unsigned long long)least, (unsigned long long)most);
    return n;
}

uint64_t bench_read_number_or(uint64_t unless_given, const char *option, const char *text,
                              uint64_t least, uint64_t most)
{
    return text ? bench_read_number(option, text, least, most) : unless_given;
}

void bench_read_list(void *context, const char *option, char *text, bench_word_fn *each)
{
    if (!text)
        return;
    size_t length = strlen(text);
    if (!length || *text == ',' || text[length - 1] == ',' || strstr(text, ",,"))
        bench_usage_error("%s '%s': an empty word in the list", option, text);
    for (char *word = text, *next; word; word = next) {
        next = strchr(word, ',');
        if (next)
            *next++ = '\0';
        each(context, option, word);
    }
}

void bench_add_workers(void *numbers, const char *option, char *word)
{
    uint64_t n = bench_read_number(option, word, 1, WORKERS_MOST);
    if (bench_has_number(numbers, n))
        bench_usage_error("%s: '%s' is named twice", option, word);
    bench_add_number(numbers, n);
}

const char *bench_find_program(const char *name)
{
    static char file[4096];
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? name : NULL;
    const char *path = getenv("PATH");
    for (size_t length; path && *path; path += length + (path[length] == ':')) {
        length = strcspn(path, ":");
        int n = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
        if (n > 0 && (size_t)n < sizeof file && access(file, X_OK) == 0)
            return file;
    }
    return NULL;
}

char *bench_read_contestant(const char *option, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        bench_usage_error("%s '%s': not of the form NAME=EXECUTABLE", option, text);
    *equals = '\0';
    if (strpbrk(text, ",'\"\\ \t\n"))
        bench_usage_error("%s '%s': a name has no blanks, commas, quotes", option, text);
    if (!bench_find_program(equals + 1))
        bench_usage_error("%s %s: '%s' is no program that can be run", option, text, equals + 1);
    return equals + 1;
}

static int find_option(const struct bench_option *options, int number, const char *argument)
{
    size_t length = strcspn(argument, "=");
    for (int i = 0; i < number; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, argument, length) == 0)
            return i;
    if (*argument == '-')
        bench_usage_error("unknown option '%s'", argument);
    bench_usage_error("stray argument '%s'", argument);
}

int bench_next_option(const struct bench_option *options, int number, char **argv, int *at,
                      char **value)
{
    int option = find_option(options, number, argv[*at]);
    char *inline_value = strchr(argv[*at], '=');
    *value = "";
    if (!options[option].argument) {
        if (inline_value)
            bench_usage_error("%s takes no value", options[option].name);
        return option;
    }
    if (!inline_value && !argv[*at + 1])
        bench_usage_error("%s needs a value: %s", options[option].name, options[option].argument);
    *value = inline_value ? inline_value + 1 : argv[++*at];
    return option;
}

bool bench_read_arguments(const struct bench_option *options, int number, char **argv, char **given)
{
    for (int i = 1; argv[i]; i++) {
        char *value;
        int option = bench_next_option(options, number, argv, &i, &value);
        if (strcmp(options[option].name, "--help") == 0)
            return false;
        given[option] = value;
    }
    return true;
}

void bench_read_values(void *context, const struct bench_option *options, int number, char **argv,
                       int option, bench_word_fn *each)
{
    for (int i = 1; argv[i]; i++) {
        char *value;
        if (bench_next_option(options, number, argv, &i, &value) == option)
            each(context, options[option].name, value);
    }
}

void bench_print_options(const struct bench_option *options, int number)
{
    for (int i = 0; i < number; i++) {
        char left[48];
        snprintf(left, sizeof left, "%s %s", options[i].name,
                 options[i].argument ? options[i].argument : "");
        printf("  %-29s %s\n", left, options[i].help);
    }
}

const char *bench_all_names(const void *array, size_t size)
{
    static char text[1024];
    size_t n = 0;
    *text = '\0';
    for (const char *at = array, *name;
         n < sizeof text && (name = *(const char *const *)(const void *)at); at += size)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", name);
    return text;
}
