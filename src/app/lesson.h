// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope lesson: prove lessons, begin one, or write the course as pages.  Without any of that it is the prompt, with a lesson on. */
#ifndef ES_APP_LESSON_H
#define ES_APP_LESSON_H

#include "app/options.h"
#include "lesson/player.h"
#include "repl/output.h"

/* Do the options ask for one of the three? */
bool es_lesson_asked(const es_options *o);

/* Do it.  The exit status; err is filled where there is something to say that was not said. */
int es_lesson_verb(es_options *o, es_output *out, es_error *err);

/* The line that begins a lesson at the prompt for the operand (NULL: none), which is a number, "3.4", or a path that becomes the
 * player's course; appended.  ES_ERR_*: the path is none, or no lesson. */
bool es_lesson_line(es_str *line, es_player *p, const char *operand, es_error *err);

#endif
