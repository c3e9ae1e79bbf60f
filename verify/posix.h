/* SPDX-License-Identifier: MIT */
/* What the checker does for the stand-ins of POSIX, and they for it. */
#ifndef HEIST_VERIFY_POSIX_H
#define HEIST_VERIFY_POSIX_H

int check_self(void); /* the thread that runs; CHECK_THREADS: it is alone */

void posix_thread_ends(void); /* called by a thread at its end */
void posix_deliver(void);     /* called by a thread where a signal may interrupt it */

#endif
