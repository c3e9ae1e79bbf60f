/* SPDX-License-Identifier: MIT */
/* Sorts, and takes what stands together for a class. Who is alone needs no more attention. */
#include <stdlib.h>
#include <string.h>

#include "finddup.h"

static int by_number(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_size_then_inode(const void *left, const void *right, void *context)
{
    const struct file *a = left, *b = right;
    int order = by_number(a->size, b->size);
    (void)context;
    if (!order)
        order = by_number(a->device, b->device);
    if (!order)
        order = by_number(a->inode, b->inode);
    return order ? order : compare_paths(a, b);
}

static int by_size_then_hash(const void *left, const void *right, void *context)
{
    const struct item *a = left, *b = right;
    int order = by_number(a->names->size, b->names->size);
    (void)context;
    return order ? order : by_number(a->hash, b->hash);
}

static bool same_inode(const struct file *a, const struct file *b)
{
    return a->inode == b->inode && a->device == b->device;
}

/* An argument may be inside of another one. */
static void drop_same_paths(struct finder *finder)
{
    struct file *files = finder->files;
    size_t kept = 0;
    for (size_t i = 0; i < finder->files_number; i++)
        if (!kept || !same_inode(&files[kept - 1], &files[i]) ||
            compare_paths(&files[kept - 1], &files[i]) != 0)
            files[kept++] = files[i];
    finder->files_number = kept;
}

static void make_items(struct finder *finder)
{
    const struct file *files = finder->files;
    finder->items = allocate(finder->files_number, sizeof *finder->items);
    for (size_t i = 0, n; i < finder->files_number; i += n) {
        struct item *item = &finder->items[finder->items_number++];
        for (n = 1; i + n < finder->files_number && same_inode(&files[i], &files[i + n]);)
            n++;
        *item = (struct item){.names = &files[i], .links = (uint32_t)n};
    }
}

static void add_class(struct class **list, size_t *number, size_t first, size_t size)
{
    *list = bench_grow(*list, *number, sizeof **list);
    (*list)[(*number)++] = (struct class){first, size};
}

/* Runs of items that are equal; a single one is a class only where its names are one. */
static void make_classes(struct finder *finder, bool keep_linked)
{
    finder->classes_number = 0;
    free(finder->classes);
    finder->classes = NULL;
    size_t kept = 0;
    for (size_t i = 0, n; i < finder->items_number; i += n) {
        struct item *items = finder->items + i;
        for (n = 1; i + n < finder->items_number && !by_size_then_hash(items, items + n, NULL);)
            n++;
        if (n < 2 && !(keep_linked && items->links > 1))
            continue;
        memmove(finder->items + kept, items, n * sizeof *items);
        add_class(&finder->classes, &finder->classes_number, kept, n);
        kept += n;
    }
    finder->items_number = kept;
}

void classes_by_size(struct finder *finder)
{
    must(heist_run_sort(finder->pool, finder->files, finder->files_number, sizeof *finder->files,
                        by_size_then_inode, NULL));
    drop_same_paths(finder);
    make_items(finder);
    make_classes(finder, finder->options.hard_links);
}

void classes_by_hash(struct finder *finder)
{
    size_t kept = 0;
    for (size_t i = 0; i < finder->items_number; i++)
        if (!finder->items[i].failed)
            finder->items[kept++] = finder->items[i];
    finder->items_number = kept;
    must(heist_run_sort(finder->pool, finder->items, kept, sizeof *finder->items, by_size_then_hash,
                        NULL));
    make_classes(finder, finder->options.hard_links);
}

void classes_by_content(struct finder *finder, struct class **right, size_t *right_number)
{
    struct class *others = NULL;
    size_t others_number = 0;
    for (size_t i = 0; i < finder->classes_number; i++) {
        const struct class *class = &finder->classes[i];
        struct item *items = finder->items + class->first;
        size_t same = 0, other = 0;
        struct item *apart = allocate(class->number, sizeof *apart);
        for (size_t k = 0; k < class->number; k++) {
            struct item item = items[k];
            if (item.failed)
                continue;
            if (item.other) {
                item.other = false;
                apart[other++] = item;
            } else {
                items[same++] = item;
            }
        }
        memcpy(items + same, apart, other * sizeof *apart);
        free(apart);
        bool linked = finder->options.hard_links && same == 1 && items->links > 1;
        if (same > 1 || linked)
            add_class(right, right_number, class->first, same);
        if (other)
            add_class(&others, &others_number, class->first + same, other);
    }
    free(finder->classes);
    finder->classes = others;
    finder->classes_number = others_number;
}
