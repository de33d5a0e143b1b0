// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the desk, the judge and the prover share. */
#ifndef ES_LESSON_DESK_INSIDE_H
#define ES_LESSON_DESK_INSIDE_H

#include "lesson/desk.h"

/* es_desk_run; go_on: past statements that fail, false at the end all the same. */
bool es_desk_run_on(es_session *s, const es_drawn *d, const char *lines, bool text_mode, bool go_on,
                    es_ear *ear);

/* es_desk_ready up to its setup: as if there were no steps. */
bool es_desk_begin(es_session *s, const es_lesson *l, const es_drawn *d, es_error *err);

/* "05-guard.md": where the file stands is left out. */
const char *es_lesson_file(const es_lesson *l);

/* Is it a command that only looks, so that what comes after is the same without it? */
bool es_desk_only_looks(const char *line);
/* Is there a command among the lines that this session does not have (one of pictures, where there are none)? */
bool es_desk_lacks(const es_session *s, const char *lines);
/* The lines without those that only look and those that this session lacks; the caller frees it. */
char *es_desk_lines_that_do(const es_session *s, const char *lines);

/* err becomes what the ear has heard, with its hints; returns false. */
bool es_desk_failed(es_error *err, const es_lesson *l, int line, const es_ear *ear);

#endif
