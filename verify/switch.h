/* SPDX-License-Identifier: MIT */
/*
 * Coroutines: a stack and where its thread stopped. ucontext would do, but makes a system call at
 * each switch, of which a check needs millions.
 */
#ifndef HEIST_VERIFY_SWITCH_H
#define HEIST_VERIFY_SWITCH_H

#include <stdint.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "the model checker runs on x86_64 and aarch64"
#endif

/* Saves where it is in *from and goes on where `to` was saved. */
void check_switch(void **from, void *to);

/* A place to switch to: `run`, which must not return, on the stack that ends at `top`. */
void *check_coroutine(void *top, void (*run)(void));

#endif
