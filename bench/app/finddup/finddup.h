/* SPDX-License-Identifier: MIT */
/*
 * finddup: finds files with the same content. The stages, each on all workers of one pool, each
 * leaving fewer files to the next: walk.c finds the files and their sizes; classes.c puts those
 * that may be the same into classes; hash.c splits these by the first block, then by the whole;
 * compare.c reads what is left byte by byte, and only that decides. report.c prints.
 */
#ifndef FINDDUP_H
#define FINDDUP_H

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <heist/heist.h>

#include "common.h"

/* --- options.c --- */

enum io { IO_AUTO, IO_URING, IO_PLAIN };

struct options {
    unsigned workers; /* 0: as many as Heist finds right */
    enum io io;
    uint64_t size_least;
    bool follow, hard_links, json, summary, progress;
    char **paths;
    size_t paths_number;
};

/* Ends the program at --help and at mistakes. */
void read_options(struct options *options, char **argv);

/* --- the files --- */

struct directory {
    struct directory *next; /* all of them */
    DIR *stream;            /* open while it is used */
    atomic_uint users;      /* the last one closes it */
    size_t length;          /* of the path, with a slash at its end; 0: names are paths */
    char path[];
};

/* A name of a file. */
struct file {
    const struct directory *in;
    const char *name;
    uint64_t size, device, inode;
};

/* A file, under one or several names. */
struct item {
    const struct file *names; /* `links` of them, sorted by path */
    uint32_t links;
    atomic_bool failed; /* it could not be read: reported */
    atomic_bool other;  /* not the same as the first of its class */
    uint64_t hash;      /* of as much as was read yet */
};

/* Files that may be the same, or are: items[first] to items[first + number - 1]. */
struct class
{
    size_t first, number;
};

struct finder {
    struct options options;
    heist_pool *pool;
    struct file *files; /* all names */
    size_t files_number;
    struct item *items;
    size_t items_number;
    struct class *classes;
    size_t classes_number;
    uint64_t directories;
    /* What names and paths are in. */
    _Atomic(struct directory *) all_directories;
    _Atomic(struct chunk *) all_chunks;
};

/* --- walk.c --- */

void walk(struct finder *finder);
void forget_names(struct finder *finder);

/* The path of a file; the text needs the bytes that path_length says, and one more. */
size_t path_length(const struct file *file);
void copy_path(const struct file *file, char *text);
int compare_paths(const struct file *a, const struct file *b);

/* --- classes.c --- */

/* Makes items of names, and classes of items with the same size. */
void classes_by_size(struct finder *finder);
/* Drops items that failed; then classes of the same size and hash. */
void classes_by_hash(struct finder *finder);
/* The items of a class that are `other` become a class of their own, and only that stays in
   `finder`; what was right is appended to *right. */
void classes_by_content(struct finder *finder, struct class **right, size_t *right_number);

/* --- read.c: pieces of files, many at a time --- */

enum { PIECE = 128 << 10 }; /* bytes: as much as the kernel reads ahead */

struct request {
    struct item *items[2]; /* the second is NULL when hashing */
    uint64_t offset;
    uint32_t length;
    bool whole;     /* the last piece of the file: nothing may follow it */
    uint64_t *hash; /* where it goes, when hashing */
};

/* On the worker that has read it; not called if a file failed, which is reported. */
typedef void piece_fn(const struct request *request, const unsigned char *a,
                      const unsigned char *b);

/* Reads what all requests say, in parallel; consecutive ones are read by one worker if possible. */
void read_pieces(struct finder *finder, const struct request *requests, size_t number,
                 const char *what, piece_fn *each);
/* Appends the one for the piece of a file, or pair, at an offset; false: they end before that. */
bool add_request(struct request **list, size_t *number, struct item *a, struct item *b,
                 uint64_t offset);

/* --- ring.c: reads by io_uring --- */

struct ring;
/* NULL: the kernel has none, or it is not allowed here; errno says. */
struct ring *ring_new(unsigned depth);
void ring_free(struct ring *ring);
/* Begins to read; it may take until ring_wait before the kernel knows. */
void ring_read(struct ring *ring, int fd, void *data, uint32_t length, uint64_t offset, void *tag);
/* Waits for one of those; the result is as that of pread, or a negative errno. */
ssize_t ring_wait(struct ring *ring, void **tag);

/* --- hash.c, compare.c --- */

void hash_first_blocks(struct finder *finder);
void hash_wholes(struct finder *finder);
void compare_classes(struct finder *finder);

/* --- report.c --- */

void report(struct finder *finder);

/* --- problems.c: what was skipped --- */

void note_problem(const char *path, const char *why);
void note_file_problem(const struct file *file, const char *why);
size_t problems_number(void);
/* Sorted by path. */
const char *problem_path(size_t i);
const char *problem_why(size_t i);
void sort_problems(void);
void forget_problems(void);

/* --- progress.c: on a terminal --- */

void progress_begin(bool wanted);
void progress_stage(const char *what, uint64_t steps); /* 0: nobody knows how many */
void progress_step(uint64_t steps);                    /* from any worker */
void progress_end(void);

/* --- main.c --- */

void must(int heist_error);
void *allocate(size_t n, size_t size);

#endif
