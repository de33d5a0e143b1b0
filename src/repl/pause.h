// SPDX-License-Identifier: GPL-3.0-or-later
/* :pause in a file of lines: a class is asked something, and the file waits. */
#ifndef ES_REPL_PAUSE_H
#define ES_REPL_PAUSE_H

#include "session/session.h"

/* :pause [TEXT]: shows TEXT and, in a file of lines, has es_session_wait_for_person wait. */
bool es_pause_run(es_call *call, es_error *err);

#endif
