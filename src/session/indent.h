// SPDX-License-Identifier: GPL-3.0-or-later
/* How far in the next line of a suite begins: what Tab and Backspace do there. */
#ifndef ES_SESSION_INDENT_H
#define ES_SESSION_INDENT_H

#include "session/session.h"

bool es_is_blank(const char *s, size_t n); /* spaces and tabs */

/* How many spaces Tab adds to `columns` of them, behind the lines of a statement that goes on: up to where the
 * line before begins, a step more behind a colon; where they are there already, the next step. */
size_t es_indent_more(const char *lines, size_t n, size_t columns);

/* How many spaces before `point` Backspace takes away: back to where a line of the open statement begins.  0: it
 * is a character like any other. */
size_t es_indent_back(const es_session *s, const char *line, size_t point);

#endif
