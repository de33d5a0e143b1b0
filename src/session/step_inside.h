// SPDX-License-Identifier: GPL-3.0-or-later
/* Between the two sides of a stepping: the session's (step.c) and that of the statements it runs (step_listen.c). */
#ifndef ES_SESSION_STEP_INSIDE_H
#define ES_SESSION_STEP_INSIDE_H

#include "session/coroutine.h"
#include "session/step.h"
#include "session/steps.h"

struct es_stepper {
    es_session *session;
    es_interp *in;
    es_unit *unit;
    es_str line;  /* as typed: the command and its statement */
    size_t begin; /* of the statement */
    bool lone; /* it is one expression, whose functions are stepped through, and no line itself */
    es_coroutine *run;
    es_listener listener;

    es_step_way way;
    int depth;             /* of the line where it stopped, or of the function to get out of */
    bool quit;             /* unwind */
    bool failed;           /* stopped where a line failed: there is nothing left to run */
    bool told_keys;        /* what can be typed has been said */
    bool ok;               /* once it has ended: did it run to its end? */
    es_error err;          /* why not; or why it has stopped */
    es_steps told, begun;  /* since the last stop; lines under way, the innermost last */
    uint64_t hidden;       /* so many more since the last stop */
    es_step at;            /* where it stopped, */
    int at_depth, at_line; /* and where the time before */
    const es_node *ran;    /* the line that ran last, */
    int ran_depth;         /* in which function: NULL where that is over */
    es_result value;       /* of the last statement at the top */
};

/* A listener's tell: notes what has happened, and yields where it is to stop. */
bool es_step_listen(void *user, const es_moment *m, es_error *err);

#endif
