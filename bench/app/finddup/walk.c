/* SPDX-License-Identifier: MIT */
/*
 * The walk: each directory is a job, and so are many entries of a large one. A directory is entered
 * once, by device and inode, whatever leads to it: so links can't lead around in circles.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "finddup.h"

enum { CHUNK_NAMES = 256, CHUNK_BYTES = 8192, SHARDS = 64, LONGEST = 4096 };

/* Entries of a directory. The names stay; files point to them. */
struct chunk {
    struct chunk *next; /* all of them */
    struct walker *walker;
    struct directory *in;
    size_t names, used;
    char text[];
};

struct found {
    _Alignas(64) struct file *files; /* of one worker */
    size_t number;
};

struct seen {
    pthread_mutex_t lock;
    struct identity {
        uint64_t device, inode;
    } * at; /* a hash table, at most half full; inode 0: free */
    size_t size, number;
};

struct walker {
    struct finder *finder;
    heist_group group;
    struct found *found; /* by worker */
    struct seen seen[SHARDS];
    atomic_uint_fast64_t directories;
};

/* A directory to be entered. */
struct visit {
    struct walker *walker;
    struct directory *directory;
};

size_t path_length(const struct file *file) { return file->in->length + strlen(file->name); }

void copy_path(const struct file *file, char *text)
{
    memcpy(text, file->in->path, file->in->length);
    strcpy(text + file->in->length, file->name);
}

int compare_paths(const struct file *a, const struct file *b)
{
    if (a->in == b->in)
        return strcmp(a->name, b->name);
    /* Character by character over both parts: no path is put together. */
    const char *at[2] = {a->in->path, b->in->path}, *next[2] = {a->name, b->name};
    for (;;) {
        for (int i = 0; i < 2; i++)
            if (!*at[i] && next[i]) {
                at[i] = next[i];
                next[i] = NULL;
            }
        if (*at[0] != *at[1])
            return (unsigned char)*at[0] - (unsigned char)*at[1];
        if (!*at[0])
            return 0;
        at[0]++;
        at[1]++;
    }
}

/* --- directories that were entered --- */

static size_t place_of(const struct seen *s, uint64_t device, uint64_t inode)
{
    size_t i = (inode * 0x9e3779b97f4a7c15 ^ device) & (s->size - 1);
    while (s->at[i].inode && (s->at[i].inode != inode || s->at[i].device != device))
        i = (i + 1) & (s->size - 1);
    return i;
}

static void grow(struct seen *s)
{
    struct seen larger = {.size = s->size ? 2 * s->size : 64};
    larger.at = calloc(larger.size, sizeof *larger.at);
    if (!larger.at)
        bench_fail("out of memory");
    for (size_t i = 0; i < s->size; i++)
        if (s->at[i].inode)
            larger.at[place_of(&larger, s->at[i].device, s->at[i].inode)] = s->at[i];
    free(s->at);
    s->at = larger.at;
    s->size = larger.size;
}

/* Whether it is the first time. */
static bool enter(struct walker *walker, uint64_t device, uint64_t inode)
{
    struct seen *s = &walker->seen[inode * 0x9e3779b97f4a7c15 >> 58];
    inode++; /* 0 is for free places */
    pthread_mutex_lock(&s->lock);
    if (2 * s->number >= s->size)
        grow(s);
    struct identity *at = &s->at[place_of(s, device, inode)];
    bool first = !at->inode;
    if (first) {
        *at = (struct identity){device, inode};
        s->number++;
    }
    pthread_mutex_unlock(&s->lock);
    return first;
}

/* --- entries --- */

static void leave(struct directory *directory)
{
    if (atomic_fetch_sub(&directory->users, 1) == 1)
        closedir(directory->stream);
}

static void problem_in(const struct directory *in, const char *name, int error)
{
    const struct file file = {.in = in, .name = name};
    note_file_problem(&file, strerror(error));
}

static void visit(heist_worker *w, void *arg);

static void keep_directory(struct finder *finder, struct directory *directory)
{
    directory->next = finder->all_directories;
    while (!atomic_compare_exchange_weak(&finder->all_directories, &directory->next, directory))
        continue;
}

static struct directory *new_directory(struct finder *finder, const struct directory *in,
                                       const char *name)
{
    size_t length = in->length + strlen(name), slash = length && name[strlen(name) - 1] != '/';
    struct directory *directory = allocate(1, sizeof *directory + length + slash + 1);
    *directory = (struct directory){.users = 1, .length = length + slash};
    memcpy(directory->path, in->path, in->length);
    strcpy(directory->path + in->length, name);
    if (slash)
        strcpy(directory->path + length, "/");
    keep_directory(finder, directory);
    return directory;
}

static void visit_later(struct walker *walker, const struct directory *in, const char *name)
{
    struct visit *v = allocate(1, sizeof *v);
    *v = (struct visit){walker, new_directory(walker->finder, in, name)};
    must(heist_group_submit(&walker->group, visit, v));
}

static void add_file(struct walker *walker, unsigned worker, const struct directory *in,
                     const char *name, const struct stat *s)
{
    struct found *found = &walker->found[worker];
    if ((uint64_t)s->st_size < walker->finder->options.size_least)
        return;
    found->files = bench_grow(found->files, found->number, sizeof *found->files);
    found->files[found->number++] = (struct file){.in = in,
                                                  .name = name,
                                                  .size = (uint64_t)s->st_size,
                                                  .device = s->st_dev,
                                                  .inode = s->st_ino};
}

static void keep_chunk(struct finder *finder, struct chunk *chunk)
{
    chunk->next = finder->all_chunks;
    while (!atomic_compare_exchange_weak(&finder->all_chunks, &chunk->next, chunk))
        continue;
}

static void look_at(heist_worker *w, void *arg)
{
    struct chunk *chunk = arg;
    struct walker *walker = chunk->walker;
    const int follow = walker->finder->options.follow ? 0 : AT_SYMLINK_NOFOLLOW;
    const char *name = chunk->text;
    int fd = dirfd(chunk->in->stream);
    for (size_t i = 0; i < chunk->names; i++, name += strlen(name) + 1) {
        struct stat s;
        if (fstatat(fd, name, &s, follow))
            problem_in(chunk->in, name, errno);
        else if (S_ISREG(s.st_mode))
            add_file(walker, heist_worker_number(w), chunk->in, name, &s);
        else if (S_ISDIR(s.st_mode))
            visit_later(walker, chunk->in, name);
    }
    progress_step(chunk->names);
    leave(chunk->in);
    keep_chunk(walker->finder, chunk);
}

static struct chunk *new_chunk(struct walker *walker, struct directory *in)
{
    struct chunk *chunk = allocate(1, sizeof *chunk + CHUNK_BYTES);
    *chunk = (struct chunk){.walker = walker, .in = in};
    atomic_fetch_add(&in->users, 1);
    return chunk;
}

static bool is_dot(const char *name)
{
    return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* Reads the names. All chunks but the last become jobs of their own. */
static void list(heist_worker *w, struct walker *walker, struct directory *directory)
{
    struct chunk *chunk = new_chunk(walker, directory);
    struct dirent *entry;
    while ((void)(errno = 0), (entry = readdir(directory->stream))) {
        size_t bytes = strlen(entry->d_name) + 1;
        unsigned char type = entry->d_type;
        if (is_dot(entry->d_name))
            continue;
        if (directory->length + bytes > LONGEST) {
            problem_in(directory, entry->d_name, ENAMETOOLONG);
            continue;
        }
        if (type == DT_DIR) {
            visit_later(walker, directory, entry->d_name);
            continue;
        }
        if (type != DT_REG && type != DT_UNKNOWN &&
            !(type == DT_LNK && walker->finder->options.follow))
            continue; /* a link that is not followed, a device, a socket ... */
        if (chunk->names == CHUNK_NAMES || chunk->used + bytes > CHUNK_BYTES) {
            must(heist_group_submit(&walker->group, look_at, chunk));
            chunk = new_chunk(walker, directory);
        }
        memcpy(chunk->text + chunk->used, entry->d_name, bytes);
        chunk->used += bytes;
        chunk->names++;
    }
    if (errno)
        problem_in(directory, "", errno);
    /* Most directories are small. */
    struct chunk *less = realloc(chunk, sizeof *chunk + chunk->used);
    look_at(w, less ? less : chunk);
}

static void visit(heist_worker *w, void *arg)
{
    struct visit *v = arg;
    struct walker *walker = v->walker;
    struct directory *directory = v->directory;
    struct stat s;
    free(v);
    directory->stream = opendir(directory->path);
    if (!directory->stream || fstat(dirfd(directory->stream), &s)) {
        problem_in(directory, "", errno);
        if (directory->stream)
            leave(directory);
        return;
    }
    if (enter(walker, s.st_dev, s.st_ino)) {
        atomic_fetch_add(&walker->directories, 1);
        list(w, walker, directory);
    }
    leave(directory);
}

/* --- all --- */

static void walk_all(heist_worker *w, void *arg)
{
    struct walker *walker = arg;
    struct directory *nowhere = allocate(1, sizeof *nowhere + 1);
    const struct options *options = &walker->finder->options;
    *nowhere = (struct directory){.length = 0};
    nowhere->path[0] = '\0';
    keep_directory(walker->finder, nowhere);
    for (size_t i = 0; i < options->paths_number; i++) {
        struct stat s;
        if (stat(options->paths[i], &s)) /* it was there when the options were read */
            problem_in(nowhere, options->paths[i], errno);
        else if (S_ISREG(s.st_mode))
            add_file(walker, heist_worker_number(w), nowhere, options->paths[i], &s);
        else
            visit_later(walker, nowhere, options->paths[i]);
    }
    must(heist_group_wait(&walker->group));
}

static void gather(struct finder *finder, const struct walker *walker, unsigned workers)
{
    for (unsigned i = 0; i < workers; i++)
        finder->files_number += walker->found[i].number;
    finder->files = allocate(finder->files_number, sizeof *finder->files);
    size_t at = 0;
    for (unsigned i = 0; i < workers; i++) {
        if (walker->found[i].number)
            memcpy(finder->files + at, walker->found[i].files,
                   walker->found[i].number * sizeof *finder->files);
        at += walker->found[i].number;
        free(walker->found[i].files);
    }
}

void walk(struct finder *finder)
{
    unsigned workers = heist_pool_numbers(finder->pool);
    struct walker *walker = aligned_alloc(64, (sizeof *walker + 63) / 64 * 64);
    struct found *found = aligned_alloc(64, workers * sizeof *found);
    if (!walker || !found)
        bench_fail("out of memory");
    memset(walker, 0, sizeof *walker);
    memset(found, 0, workers * sizeof *found);
    walker->finder = finder;
    walker->found = found;
    for (size_t i = 0; i < SHARDS; i++)
        pthread_mutex_init(&walker->seen[i].lock, NULL);
    progress_stage("looking for files", 0);
    must(heist_group_init(&walker->group, finder->pool));
    must(heist_run(finder->pool, walk_all, walker));
    finder->directories = atomic_load(&walker->directories);
    gather(finder, walker, workers);
    for (size_t i = 0; i < SHARDS; i++) {
        pthread_mutex_destroy(&walker->seen[i].lock);
        free(walker->seen[i].at);
    }
    free(found);
    free(walker);
}

void forget_names(struct finder *finder)
{
    for (struct directory *d = finder->all_directories, *next; d; d = next) {
        next = d->next;
        free(d);
    }
    for (struct chunk *c = finder->all_chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(finder->files);
}
