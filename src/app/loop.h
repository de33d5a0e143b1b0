// SPDX-License-Identifier: GPL-3.0-or-later
/* The one loop: keys, signals and whoever else wakes it, all on the main thread. */
#ifndef ES_APP_LOOP_H
#define ES_APP_LOOP_H

#include <stdatomic.h>

#include "repl/output.h"

/* Set by Ctrl-C, looked at by everything long. */
const atomic_bool *es_loop_interrupt(void);

/* Let Ctrl-C set the flag instead of killing the program; a second one kills.  For lines that run
 * without the loop. */
void es_loop_catch_interrupt(void);

/* The same for SIGTERM and SIGHUP as well: for work that leaves behind what one can go on from. */
void es_loop_catch_termination(void);

/* Prompt until the person leaves; returns the exit status. */
int es_loop_run(es_session *s, const es_sink *sink);

/* For es_session_set_wait, where lines come from a file: a prompt in the middle of it.  Where there is no terminal it goes
 * straight on. */
bool es_loop_pause(void *user, es_session *s, const es_sink *sink, es_error *err);

/* Wakes the loop from any thread or signal handler: write one byte here.  -1 when it does not run. */
int es_loop_wake_fd(void);

#endif
