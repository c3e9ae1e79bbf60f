/* SPDX-License-Identifier: MIT */
/*
 * What a function's address is called. dladdr knows only what a program exports, which task
 * functions hardly ever are, and takes the loader's lock; here the names come from the files that
 * are mapped (/proc/self/maps, then the symbol table), by open and read alone: also in a handler of
 * a signal.
 */
#ifndef HEIST_RUNTIME_SYMBOL_H
#define HEIST_RUNTIME_SYMBOL_H

#include "text.h"

struct heist_symbol_ {
    const char *module; /* the file's name without its directory; "": the address is in none */
    uintptr_t offset;   /* in the module, as addr2line takes it */
    char name[128];     /* "": the file has no function that begins there, or was stripped */
    char path[512];
    char scratch[2048];
};

/* Reads the files: takes tens of microseconds, and more where there are very many symbols. */
void heist_symbol_find_(struct heist_symbol_ *s, uintptr_t address);

#endif
