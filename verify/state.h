/* SPDX-License-Identifier: MIT */
/* Data of the checker's own: kept when the program's data is reset for the next run. */
#ifndef HEIST_VERIFY_STATE_H
#define HEIST_VERIFY_STATE_H

#define CHECK_STATE __attribute__((section("check_state")))

#endif
