// SPDX-License-Identifier: GPL-3.0-or-later
/* What a learner has done: $XDG_STATE_HOME/embedscope/progress.txt, plain text, replaced whole after each step.
 * A line "v1", then a line a step: lesson's slug, step from 1, status, attempts, hints, time (UTC, ISO 8601). */
#ifndef ES_LESSON_PROGRESS_H
#define ES_LESSON_PROGRESS_H

#include "base/str.h"

typedef enum es_progress_status {
    ES_PROGRESS_OPEN,
    ES_PROGRESS_DONE,
    ES_PROGRESS_SKIPPED
} es_progress_status;

typedef struct es_progress_step {
    char *lesson;
    int step;
    es_progress_status status;
    int attempts, hints;
    char when[24];
    bool unsaved; /* the file does not have it yet: it could not be written */
} es_progress_step;

typedef struct es_progress {
    es_progress_step *of; /* n of them, as in the file */
    size_t n;
    es_str rest; /* lines of a later version, or damaged ones: kept as they are */
    int n_rest;
} es_progress;

/* No file is no progress; ES_ERR_IO where it cannot be read, ES_ERR_FORMAT where it is no text of ours: then it is never
 * written either. */
bool es_progress_load(es_progress *p, es_error *err);
/* The step as it is now: what others have written meanwhile is read first and kept; ES_ERR_IO, and p knows it all the same.
 * What is done stays done, and neither attempts nor hints become fewer. */
bool es_progress_set(es_progress *p, const char *lesson, int step, es_progress_status status,
                     int attempts, int hints, es_error *err);
/* Forget a lesson; NULL: all. */
bool es_progress_forget(es_progress *p, const char *lesson, es_error *err);
void es_progress_free(es_progress *p);

/* NULL: nothing is known of it. */
const es_progress_step *es_progress_of(const es_progress *p, const char *lesson, int step);
/* How many of n steps are done or skipped, and the first that is not (from 1; n + 1: all are). */
int es_progress_count(const es_progress *p, const char *lesson, int n, int *next);

#endif
