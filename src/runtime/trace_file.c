/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL: no memory. */
static char *expand(const char *pattern)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (; *pattern; pattern++) {
        if (pattern[0] == '%' && pattern[1] == 'p')
            fprintf(out, "%ld", (long)getpid());
        else
            fputc(*pattern, out);
        if (pattern[0] == '%' && (pattern[1] == 'p' || pattern[1] == '%'))
            pattern++;
    }
    bool failed = ferror(out);
    if (fclose(out) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

/* The directory must be there, the file need not. The program may change its directory before the
   trace is written. 0 or -errno. */
static int resolve(char **out, const char *path)
{
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    char *whole = realpath(path, NULL);
    if (whole) {
        *out = whole;
        return 0;
    }
    if (errno != ENOENT)
        return -errno;
    if (!*file)
        return -EISDIR;
    char *directory = strndup(path, (size_t)(file - path));
    char *real = directory ? realpath(*directory ? directory : ".", NULL) : NULL;
    int error = real ? 0 : -errno;
    if (!error && asprintf(out, "%s/%s", strcmp(real, "/") ? real : "", file) < 0)
        error = -ENOMEM;
    free(real);
    free(directory);
    return error;
}

int heist_trace_path_(char **out, const char *pattern)
{
    if (!*pattern)
        return -EINVAL;
    char *path = expand(pattern);
    if (!path)
        return -ENOMEM;
    int error = resolve(out, path);
    free(path);
    return error;
}

/* Exclusively: whoever else can write to the directory may have put a link there. */
static int create(struct heist_trace_file_ *file)
{
    unlink(file->temporary);
    file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file->fd < 0 ? -errno : 0;
}

void heist_trace_file_drop_(struct heist_trace_file_ *file)
{
    if (file->fd < 0)
        return;
    close(file->fd);
    file->fd = -1;
    unlink(file->temporary);
}

static int probe(struct heist_trace_file_ *file)
{
    struct stat there;
    if (!stat(file->path, &there)) {
        if (S_ISDIR(there.st_mode))
            return -EISDIR;
        if (!S_ISREG(there.st_mode)) /* a device, say: it must not be replaced */
            return -EINVAL;
        if (access(file->path, W_OK)) /* renaming would not care */
            return -errno;
    }
    int error = create(file);
    if (!error)
        heist_trace_file_drop_(file);
    return error;
}

int heist_trace_file_init_(struct heist_trace_file_ *file, char *path)
{
    *file = (struct heist_trace_file_){.path = path, .fd = -1};
    if (asprintf(&file->temporary, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return -ENOMEM;
    int error = probe(file);
    if (error)
        free(file->temporary);
    return error;
}

void heist_trace_file_fini_(struct heist_trace_file_ *file)
{
    free(file->path);
    free(file->temporary);
}

/* False: somebody has moved it away since, and another is to be made. */
static bool take_back(struct heist_trace_file_ *file)
{
    struct stat there;
    if (!file->placed || stat(file->path, &there) || there.st_dev != file->device ||
        there.st_ino != file->inode || rename(file->path, file->temporary))
        return false;
    file->fd = open(file->temporary, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    return file->fd >= 0;
}

int heist_trace_file_begin_(struct heist_trace_file_ *file)
{
    if (file->fd >= 0)
        return 0;
    if (!take_back(file)) {
        int error = create(file);
        if (error)
            return error;
        file->end = 0;
    }
    file->placed = false;
    if (ftruncate(file->fd, file->end) || lseek(file->fd, file->end, SEEK_SET) < 0) {
        int error = -errno;
        heist_trace_file_drop_(file);
        return error;
    }
    return 0;
}

/* 0 or -errno. */
static int finish(struct heist_trace_file_ *file, const char *tail)
{
    struct heist_text_ out;
    struct stat made;
    char buffer[256];
    heist_text_begin_(&out, file->fd, buffer, sizeof buffer);
    heist_text_string_(&out, tail);
    int error = heist_text_flush_(&out);
    if (!error && (fstat(file->fd, &made) || rename(file->temporary, file->path)))
        error = -errno;
    if (error)
        return error;
    file->device = made.st_dev;
    file->inode = made.st_ino;
    file->placed = true;
    error = close(file->fd) ? -errno : 0;
    file->fd = -1;
    return error;
}

int heist_trace_file_place_(struct heist_trace_file_ *file, const char *tail)
{
    int error = finish(file, tail);
    if (error)
        heist_trace_file_drop_(file);
    return error;
}
