// SPDX-License-Identifier: GPL-3.0-or-later
/* Long work on a thread of its own.  A job works on references it was given and never touches the
 * session; it looks at its watch at least every 5 ms of work and stops when told to. */
#ifndef ES_SESSION_JOB_H
#define ES_SESSION_JOB_H

#include "base/watch.h"

typedef struct es_job es_job;

/* The work: false with err filled when it failed or was cancelled. */
typedef bool (*es_job_fn)(void *work, es_watch *watch, es_error *err);

/* Start fn(work).  When it ends, one byte is written to wake_fd (unless that is -1), so that a loop
 * which polls notices.  ES_ERR_BACKEND when the system gives no thread.  End with es_job_finish. */
es_job *es_job_start(es_job_fn fn, void *work, int wake_fd, es_error *err);

bool es_job_running(es_job *job);
void es_job_cancel(es_job *job); /* returns at once */
void es_job_progress(es_job *job, uint64_t *done, uint64_t *total);

/* Wait up to that many milliseconds for the end: true if it has come. */
bool es_job_wait(es_job *job, int milliseconds);

/* Wait for the end, free the job, and pass on what fn said. */
bool es_job_finish(es_job *job, es_error *err);

#endif
