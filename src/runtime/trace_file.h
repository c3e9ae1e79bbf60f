/* SPDX-License-Identifier: MIT */
/*
 * The file of a trace: where it is, and how it comes to be there as a whole. It is written beside
 * its place, under another name, and renamed. When more is to be added it goes back to that name
 * first: so what is found under its own name is always complete.
 */
#ifndef HEIST_RUNTIME_TRACE_FILE_H
#define HEIST_RUNTIME_TRACE_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "text.h"

struct heist_trace_file_ {
    char *path;      /* absolute */
    char *temporary; /* the other name */
    int fd;          /* -1: closed */
    bool placed;     /* it is at its path, or was */
    dev_t device;    /* which file that is */
    ino_t inode;
    off_t end; /* where the next events go */
};

/* An absolute path, %p and %% replaced. 0 and memory to free, or -errno. */
int heist_trace_path_(char **out, const char *pattern);

/* Whether it can be written there: by trying. Takes the path. 0, or -errno and nothing taken. */
int heist_trace_file_init_(struct heist_trace_file_ *file, char *path);
void heist_trace_file_fini_(struct heist_trace_file_ *file);

/* Open for more events at `end`; a new one is empty. 0 or -errno. */
int heist_trace_file_begin_(struct heist_trace_file_ *file);

/* Puts it into its place, with `tail` behind the events. 0, or -errno and it is gone. */
int heist_trace_file_place_(struct heist_trace_file_ *file, const char *tail);

/* Without a place, if it is open: as if nothing had been written. */
void heist_trace_file_drop_(struct heist_trace_file_ *file);

#endif
