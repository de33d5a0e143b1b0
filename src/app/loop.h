// SPDX-License-Identifier: GPL-3.0-or-later
/* The one loop: keys, signals and whoever else wakes it, all on the main thread. */
#ifndef ES_APP_LOOP_H
#define ES_APP_LOOP_H

#include "repl/output.h"

/* Prompt until the person leaves; returns the exit status. */
int es_loop_run(es_session *s, const es_sink *sink);

/* For es_session_set_wait, where lines come from a file: a prompt in the middle of it.  Where there is no terminal it goes
 * straight on. */
bool es_loop_pause(void *user, es_session *s, const es_sink *sink, es_error *err);

#endif
