/* SPDX-License-Identifier: MIT */
#include <heist/atomic.h>

#if HEIST_COUNT
__thread heist_counts heist_counts_;
#else
typedef int heist_nothing_to_count_;
#endif
