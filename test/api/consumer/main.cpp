/* SPDX-License-Identifier: MIT */
/* The same program: the headers serve both languages. */
#include "main.c"
