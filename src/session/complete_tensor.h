// SPDX-License-Identifier: GPL-3.0-or-later
/* Completion of statements, for session/complete.c. */
#ifndef ES_SESSION_COMPLETE_TENSOR_H
#define ES_SESSION_COMPLETE_TENSOR_H

#include "session/complete.h"

/* Candidates for the word that ends at `point`, in a line that is a statement from byte `begin` on, or the next
 * line of the one that is open.  Free with es_completion_free. */
es_completion es_complete_statement(es_session *s, const char *line, size_t begin, size_t point);

/* Names of files for the path of which line[c->begin, point) is typed, as quotes have it where c->quoted is set; c->begin
 * moves to its last slash. */
void es_complete_files(es_completion *c, const char *line, size_t point);

#endif
