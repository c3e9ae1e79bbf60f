/* SPDX-License-Identifier: MIT */
#include "faulty.h"
FAULTY(losing, return true)
