// SPDX-License-Identifier: GPL-3.0-or-later
/* Stepping through statements: they run as a coroutine, which stops between two lines and goes on when the session
 * gets its next line.  A walk goes through them without a stop, and is answered as one. */
#ifndef ES_SESSION_STEP_H
#define ES_SESSION_STEP_H

#include "session/state.h"

/* As es_mode_run, but stopped before the first line of the first function they call. */
bool es_step_begin(es_call *call, size_t begin, es_error *err);

/* A line while something is stopped: what to do next, or a statement that is run where it stands. */
bool es_step_line(es_call *call, es_error *err);

/* ---- while something is stopped ---- */

typedef enum es_step_way {
    ES_STEP_INTO, /* to the next line, wherever it is */
    ES_STEP_OVER, /* to the next line of this function, or of those that called it */
    ES_STEP_OUT,  /* to where this function was called */
    ES_STEP_ON    /* to the end */
} es_step_way;

/* Let it run, and answer with what happened; ends it where it has come to its end. */
bool es_step_go(es_call *call, es_step_way way, es_error *err);
/* It stopped because a line failed: there is nothing left to run. */
bool es_step_has_failed(const es_session *s);

/* The line that ran last where it stands, or NULL: it has just come there. */
const es_node *es_step_last_line(const es_session *s);

/* End it where it stands, if something is stopped; what has not run will not. */
void es_step_end(es_session *s);

/* The same where the lines end, and say so. */
void es_step_end_with_lines(es_session *s, const es_sink *sink);

/* The same before a command that would take the ground away from it, and say so. */
void es_step_make_way(es_call *call);

/* As es_mode_run, answered with all that happened. */
bool es_step_trace(es_call *call, size_t begin, es_error *err);

#endif
