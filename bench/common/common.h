/* SPDX-License-Identifier: MIT */
/*
 * What the benchmark commands have in common: options and complaints (options.c, errors.c), the
 * machine's record (machine.c), outputs and progress (output.c), medians (summary.c).
 */
#ifndef COMMON_COMMON_H
#define COMMON_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

extern const char *bench_tool; /* the command's name, with which messages begin; set it first */

/* One line on stderr, then the end. */
_Noreturn void bench_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void bench_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *bench_grow(void *array, size_t n, size_t size); /* for one more element than n */

struct numbers {
    const uint64_t *at;
    size_t n;
};
void bench_add_number(struct numbers *list, uint64_t n);
bool bench_has_number(const struct numbers *list, uint64_t n);

/* Whether the text is a whole number in these bounds, and which. */
bool bench_is_number(const char *text, uint64_t least, uint64_t most, uint64_t *n);
/* The number that is an option's value; a usage error if it is none. */
uint64_t bench_read_number(const char *option, const char *text, uint64_t least, uint64_t most);
/* The same, if there is a text. */
uint64_t bench_read_number_or(uint64_t unless_given, const char *option, const char *text,
                              uint64_t least, uint64_t most);
/* Calls `each` for the words of a list with commas, which is taken to pieces; names stay in it. No
   text, no words. */
typedef void bench_word_fn(void *context, const char *option, char *word);
void bench_read_list(void *context, const char *option, char *text, bench_word_fn *each);
/* For it: numbers of workers, each once, into `struct numbers`. */
void bench_add_workers(void *numbers, const char *option, char *word);
/* The path of a program that can be run, found as a shell finds it; NULL: there is
   none. Valid until the next call. */
const char *bench_find_program(const char *name);
/* Takes NAME=EXECUTABLE to pieces; a usage error if it is something else. */
char *bench_read_contestant(const char *option, char *text);

struct bench_option {
    const char *name, *argument, *help; /* argument NULL: it takes none */
};
/* The option that argv[*at] names, and its value, which may be the next argument. */
int bench_next_option(const struct bench_option *options, int number, char **argv, int *at,
                      char **value);
/* A whole command line: the last value of each option into `given`, "" for one that takes none;
   what was not given stays as it is. False at --help. */
bool bench_read_arguments(const struct bench_option *options, int number, char **argv,
                          char **given);
/* Every value of an option that may be given more than once. */
void bench_read_values(void *context, const struct bench_option *options, int number, char **argv,
                       int option, bench_word_fn *each);
void bench_print_options(const struct bench_option *options, int number);
/* Names for a message: of an array whose elements begin with one, NULL at the end. Valid until the
   next call. */
const char *bench_all_names(const void *array, size_t size);
#define BENCH_ALL_NAMES(array) bench_all_names(array, sizeof *(array))

/* The machine's record: key and value, NULL at the end. */
struct fact {
    const char *key;
    char value[256];
};
void bench_machine_command(int argc, char **argv); /* before the options are read */
void bench_machine_begin(void);
void bench_machine_add(const char *key, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_machine_end(void);
const struct fact *bench_machine(void);
const char *bench_fact(const char *key); /* "" if there is none */
void bench_print_machine(FILE *f);
void bench_write_csv_machine(FILE *f);

/* Opens what can be written, without touching what it holds yet; NULL
   for no path; "-" is stdout. */
FILE *bench_open_output(const char *option, const char *path);
void bench_empty_output(FILE *f);
void bench_close_output(const char *option, const char *path, FILE *f);
bool bench_is_stdout(const char *path);

/* On a terminal a line that stays, "[done] what, line"; elsewhere each new `line`. */
void bench_show_progress(double done, uint64_t began, const char *what, const char *line);
void bench_clear_progress(void);

struct summary {
    size_t n;
    double median, min, max;
};
struct summary bench_summarize(double *values, size_t n); /* sorts them */
/* Three digits or so: what a median is worth. */
const char *bench_short_number(char text[static 16], double value);

#endif
