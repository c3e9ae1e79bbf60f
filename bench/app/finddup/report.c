/* SPDX-License-Identifier: MIT */
/* The groups, sorted by path: as text, or as JSON. */
#include <stdlib.h>

#include "finddup.h"

/* --- the groups --- */

struct named {
    const struct file *name;
    const struct item *item; /* whose name it is */
};

static int by_path(const void *left, const void *right, void *context)
{
    (void)context;
    return compare_paths(((const struct named *)left)->name, ((const struct named *)right)->name);
}

struct listed {
    struct named *names;
    size_t number;
};

static int by_first_path(const void *left, const void *right, void *context)
{
    return by_path(((const struct listed *)left)->names, ((const struct listed *)right)->names,
                   context);
}

/* In JSON every file is there once, with its other names; in text each name is a line. */
static size_t names_shown(const struct finder *finder, const struct item *item)
{
    return finder->options.hard_links && !finder->options.json ? item->links : 1;
}

static struct listed list_class(heist_worker *w, const struct finder *finder,
                                const struct class *class)
{
    const struct item *items = finder->items + class->first;
    struct listed list = {NULL, 0};
    for (size_t i = 0; i < class->number; i++)
        list.number += names_shown(finder, &items[i]);
    list.names = allocate(list.number, sizeof *list.names);
    for (size_t i = 0, at = 0; i < class->number; i++)
        for (size_t k = 0; k < names_shown(finder, &items[i]); k++)
            list.names[at++] = (struct named){&items[i].names[k], &items[i]};
    must(heist_sort(w, list.names, list.number, sizeof *list.names, by_path, NULL));
    return list;
}

struct listing {
    const struct finder *finder;
    struct listed *lists; /* by class */
};

static void list_some(heist_worker *w, size_t from, size_t to, void *context)
{
    const struct listing *listing = context;
    for (size_t i = from; i < to; i++)
        listing->lists[i] = list_class(w, listing->finder, &listing->finder->classes[i]);
}

static struct listed *list_classes(const struct finder *finder)
{
    struct listed *lists = allocate(finder->classes_number, sizeof *lists);
    struct listing listing = {finder, lists};
    must(heist_run_for(finder->pool, 0, finder->classes_number, 0, list_some, &listing));
    must(heist_run_sort(finder->pool, lists, finder->classes_number, sizeof *lists, by_first_path,
                        NULL));
    return lists;
}

/* --- text --- */

static void print_path(const struct file *file)
{
    fwrite(file->in->path, 1, file->in->length, stdout);
    fputs(file->name, stdout);
}

static void print_text(const struct listed *lists, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        if (i)
            putchar('\n');
        for (size_t k = 0; k < lists[i].number; k++) {
            print_path(lists[i].names[k].name);
            putchar('\n');
        }
    }
}

/* --- JSON --- */

/* How many bytes the UTF-8 character at the beginning of a text has; 0: it is none. */
static unsigned utf8_length(const unsigned char *text)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;
    if (length < 2)
        return length;
    unsigned code = *text & (0xffu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0
                                                                                        : length;
}

/* A byte that is no UTF-8 becomes a surrogate, as Python's surrogateescape has it: so no name is
   lost, and the JSON stays one. */
static void print_quoted(const char *string)
{
    const unsigned char *text = (const unsigned char *)string;
    while (*text) {
        unsigned length = utf8_length(text);
        if (!length)
            printf("\\udc%02x", *text++);
        else if (*text == '"' || *text == '\\')
            printf("\\%c", *text++);
        else if (*text < 0x20)
            printf("\\u%04x", *text++);
        else
            text += fwrite(text, 1, length, stdout);
    }
}

static void print_string(const char *string)
{
    putchar('"');
    print_quoted(string);
    putchar('"');
}

static void print_name(const struct file *file)
{
    /* As one text: a character may be in no two parts, since a slash is between them. */
    putchar('"');
    print_quoted(file->in->path);
    print_quoted(file->name);
    putchar('"');
}

static void print_json_groups(const struct listed *lists, size_t number)
{
    for (size_t i = 0; i < number; i++) {
        printf("%s\n    {\"size\": %llu, \"files\": [", i ? "," : "",
               (unsigned long long)lists[i].names->name->size);
        for (size_t k = 0; k < lists[i].number; k++) {
            const struct named *named = &lists[i].names[k];
            printf("%s\n      {\"path\": ", k ? "," : "");
            print_name(named->name);
            printf(", \"links\": [");
            for (size_t link = 1; link < named->item->links; link++) {
                fputs(link > 1 ? ", " : "", stdout);
                print_name(&named->item->names[link]);
            }
            printf("]}");
        }
        printf("]}");
    }
}

static void print_json_problems(void)
{
    for (size_t i = 0; i < problems_number(); i++) {
        printf("%s\n    {\"path\": ", i ? "," : "");
        print_string(problem_path(i));
        printf(", \"why\": ");
        print_string(problem_why(i));
        putchar('}');
    }
}

/* --- all --- */

struct totals {
    unsigned long long directories, files, groups, duplicates, bytes, unreadable;
};

static struct totals count(const struct finder *finder)
{
    struct totals t = {.directories = finder->directories,
                       .files = finder->files_number,
                       .groups = finder->classes_number,
                       .unreadable = problems_number()};
    for (size_t i = 0; i < finder->classes_number; i++) {
        const struct class *class = &finder->classes[i];
        t.duplicates += class->number - 1;
        t.bytes += (class->number - 1) * finder->items[class->first].names->size;
    }
    return t;
}

static void print_json(const struct listed *lists, const struct totals *t)
{
    printf("{\n  \"groups\": [");
    print_json_groups(lists, t->groups);
    printf("],\n  \"unreadable\": [");
    print_json_problems();
    printf("],\n  \"summary\": {\"directories\": %llu, \"files\": %llu, \"groups\": %llu, "
           "\"duplicates\": %llu, \"bytes\": %llu, \"unreadable\": %llu}\n}\n",
           t->directories, t->files, t->groups, t->duplicates, t->bytes, t->unreadable);
}

static void print_problems(const struct totals *t)
{
    for (size_t i = 0; i < problems_number(); i++)
        fprintf(stderr, "%s: %s: %s; skipped\n", bench_tool, problem_path(i), problem_why(i));
    if (t->unreadable)
        fprintf(stderr, "%s: %llu could not be read, and were skipped\n", bench_tool,
                t->unreadable);
}

void report(struct finder *finder)
{
    sort_problems();
    struct listed *lists = list_classes(finder);
    struct totals t = count(finder);
    if (finder->options.json)
        print_json(lists, &t);
    else
        print_text(lists, t.groups);
    if (fflush(stdout) || ferror(stdout))
        bench_fail("not all groups could be written");
    print_problems(&t);
    if (finder->options.summary)
        fprintf(
            stderr,
            "%s: %llu files in %llu directories; %llu groups; %llu files, %llu bytes, are there "
            "already\n",
            bench_tool, t.files, t.directories, t.groups, t.duplicates, t.bytes);
    for (size_t i = 0; i < t.groups; i++)
        free(lists[i].names);
    free(lists);
}
