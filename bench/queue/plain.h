/* SPDX-License-Identifier: MIT */
/* What the two plain contestants share. Including it makes contestant.inc leave thieves out. */
#ifndef PLAIN_H
#define PLAIN_H

#include <heist/base.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN 1

static inline void **plain_items(size_t n)
{
    void *items;
    return posix_memalign(&items, HEIST_LINE, n * sizeof(void *)) ? NULL : (void **)items;
}

#endif
