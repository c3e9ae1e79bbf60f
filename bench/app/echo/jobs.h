/* SPDX-License-Identifier: MIT */
/*
 * What the server needs of a runtime: jobs that make jobs. jobs_heist.c is Heist's, the others are
 * those of its peers.
 */
#ifndef ECHO_JOBS_H
#define ECHO_JOBS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct heist_worker jobs_worker; /* who runs a job; each runtime has its own idea of it */
typedef void job_fn(jobs_worker *w, void *arg);

void jobs_start(unsigned workers); /* 0: one per CPU that may be used */
void jobs_stop(void);

/* Runs the job that waits, until it is not made once more and all jobs have ended. */
void jobs_run(job_fn *wait, void *arg);
/* From a job: another one. */
void jobs_make(jobs_worker *w, job_fn *fn, void *arg);
/* From the job that waits: n jobs, and itself once more, to come after them. Others may run all of
   these at once. */
void jobs_make_and_wait(jobs_worker *w, job_fn *fn, void *const *args, size_t n, job_fn *wait,
                        void *arg);

/* As long as a job has not begun, the worker that has its maker's number is not to sleep. */
unsigned jobs_number(const jobs_worker *w);
unsigned jobs_numbers(void); /* all are below it */

struct jobs_facts {
    const char *name; /* of the runtime; Heist: its kind of queue */
    unsigned workers;
    uint64_t jobs, steals; /* 0 where the runtime does not count them */
};
struct jobs_facts jobs_tell(void);

#ifdef __cplusplus
}
#endif

#endif
