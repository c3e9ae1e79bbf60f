/* SPDX-License-Identifier: MIT */
#define HEIST_QUEUES_IMPLEMENTATION
#include "heist-queues.h"

#include "heist-queues.h" /* nothing comes twice */
