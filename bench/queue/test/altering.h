/* SPDX-License-Identifier: MIT */
/* The number of items is right, only the sum of their values tells. */
#include "faulty.h"
FAULTY(altering, item = (char *)item + 1)
