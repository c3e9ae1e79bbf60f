/* SPDX-License-Identifier: MIT */
/* heist bench pool with the queues of bench/queue/test that are wrong. */
#include "pool.h"

int main(int argc, char **argv) { return bench_pool(argc, argv); }
