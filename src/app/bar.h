// SPDX-License-Identifier: GPL-3.0-or-later
/* How far long work is, on standard error: on a terminal one line that is written over, elsewhere a line now and
 * then. */
#ifndef ES_APP_BAR_H
#define ES_APP_BAR_H

#include "base/str.h"
#include "base/watch.h"
#include "session/job.h"

/* What there is to say; of it, what fits. */
typedef struct es_bar_state {
    const char *what;    /* "stage 1 of 2", ready to print */
    const char *unit;    /* "step"; NULL: done and total are not for a reader */
    int64_t done, total; /* total 0: not known */
    double loss;         /* 0: none */
    double speed;        /* tokens a second; 0: not known */
    double left;         /* seconds; below 0: not known */
} es_bar_state;

typedef struct es_bar {
    bool person;   /* a terminal that lines can be written over on */
    bool shown;    /* the line is there */
    double last;   /* when something was shown, in seconds of the monotonic clock */
    int64_t share; /* percent that were shown */
} es_bar;

es_bar es_bar_new(void);

/* Show it, unless that was done just now. */
void es_bar_show(es_bar *b, const es_bar_state *s);

/* The last of its kind: a line that stays. */
void es_bar_end(es_bar *b, const es_bar_state *s);

/* Take the line away, before something else is said. */
void es_bar_clear(es_bar *b);

/* The line for a width of so many columns; 0: all there is to say, without a bar. */
void es_bar_line(es_str *out, const es_bar_state *s, int width);

/* "6 min 40 s" */
void es_bar_time(es_str *out, double seconds);

/* Do fn(work) on a thread of its own, and show meanwhile how far its watch says it is. */
bool es_bar_run(es_bar *b, const char *what, es_job_fn fn, void *work, es_error *err);

#endif
