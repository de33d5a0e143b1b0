// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/job.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

struct es_job {
    pthread_t thread;
    es_job_fn fn;
    void *work;
    int wake_fd;
    es_watch watch;
    pthread_mutex_t lock; /* guards running */
    pthread_cond_t ended;
    bool running;
    bool ok;      /* fn's answer, read after the end */
    es_error err; /* likewise */
};

static void *run(void *p)
{
    es_job *job = p;
    bool ok = job->fn(job->work, &job->watch, &job->err);
    pthread_mutex_lock(&job->lock);
    job->ok = ok;
    job->running = false;
    pthread_cond_broadcast(&job->ended);
    pthread_mutex_unlock(&job->lock);
    if (job->wake_fd >= 0) {
        ssize_t n = write(job->wake_fd, "j", 1);
        (void)n; /* a full pipe wakes its reader as well */
    }
    return NULL;
}

static void job_free(es_job *job)
{
    pthread_cond_destroy(&job->ended);
    pthread_mutex_destroy(&job->lock);
    free(job);
}

/* Signals are the main thread's: start the worker with all of them blocked. */
static int start_thread(es_job *job)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&job->thread, NULL, run, job);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

es_job *es_job_start(es_job_fn fn, void *work, int wake_fd, es_error *err)
{
    es_job *job = es_alloc(sizeof *job);
    job->fn = fn;
    job->work = work;
    job->wake_fd = wake_fd;
    job->running = true;
    job->err = ES_ERROR_NONE;
    pthread_mutex_init(&job->lock, NULL);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&job->ended, &clock);
    pthread_condattr_destroy(&clock);
    if (start_thread(job)) {
        es_fail(err, ES_ERR_BACKEND, "the system gives no thread for this work");
        job_free(job);
        return NULL;
    }
    return job;
}

bool es_job_running(es_job *job)
{
    pthread_mutex_lock(&job->lock);
    bool running = job->running;
    pthread_mutex_unlock(&job->lock);
    return running;
}

void es_job_cancel(es_job *job)
{
    job->watch.cancel = true;
}

void es_job_progress(es_job *job, uint64_t *done, uint64_t *total)
{
    *total = job->watch.total;
    *done = job->watch.done;
    if (*total && *done > *total) /* another piece of work has begun in between */
        *done = 0;
}

bool es_job_wait(es_job *job, int milliseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&job->lock);
    while (job->running && pthread_cond_timedwait(&job->ended, &job->lock, &until) != ETIMEDOUT)
        continue;
    bool ended = !job->running;
    pthread_mutex_unlock(&job->lock);
    return ended;
}

bool es_job_finish(es_job *job, es_error *err)
{
    pthread_join(job->thread, NULL);
    bool ok = job->ok;
    if (err) {
        es_error_free(err);
        *err = job->err;
    } else {
        es_error_free(&job->err);
    }
    job_free(job);
    return ok;
}
