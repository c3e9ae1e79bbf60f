/* SPDX-License-Identifier: MIT */
#include "faulty.h"
FAULTY(doubling, (void)heist_locked_put(&q->right, item))
