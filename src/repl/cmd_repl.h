// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands that need files of lines or the history: run, edit, history. */
#ifndef ES_REPL_CMD_REPL_H
#define ES_REPL_CMD_REPL_H

#include "session/session.h"

void es_add_repl_commands(es_session *s);

#endif
