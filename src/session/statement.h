// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements as they are typed: a line, or several until brackets, quotes and suites are closed. */
#ifndef ES_SESSION_STATEMENT_H
#define ES_SESSION_STATEMENT_H

#include "session/state.h"

/* call->line from byte `begin` on is a statement, or the beginning of one: run it, or wait for its other lines.
 * `run` gets a call whose line is all of them. */
bool es_statement_begin(es_call *call, size_t begin, es_mode_fn run, es_error *err);

/* A line of tensor mode: a statement, or one of the words that mean a command there (help, quit, NAME?). */
bool es_statement_line(es_call *call, es_error *err);

typedef enum es_statement_state {
    ES_STATEMENT_OPEN,  /* the line belongs to it, and there is more to come */
    ES_STATEMENT_WHOLE, /* nothing more to come: es_statement_end runs it */
    ES_STATEMENT_OVER,  /* it was whole before this line, which is not part of it */
    ES_STATEMENT_FULL   /* no room for the line: err says so, and the statement is dropped */
} es_statement_state;

/* Is a statement open that this line cannot be part of, nor end? */
bool es_statement_is_over(const es_session *s, const char *line, size_t len);

/* One more line for the statement that is open. */
es_statement_state es_statement_add(es_session *s, const char *line, size_t len, es_error *err);

/* Forget the statement that is open, if one is. */
void es_statement_drop(es_statement *st);

/* Run the statement that is open, as it stands; call->line becomes its source, borrowed until the next line. */
bool es_statement_end(es_call *call, es_error *err);

#endif
