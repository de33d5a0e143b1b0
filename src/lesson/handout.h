// SPDX-License-Identifier: GPL-3.0-or-later
/* The course as pages to read and print without the program. */
#ifndef ES_LESSON_HANDOUT_H
#define ES_LESSON_HANDOUT_H

#include "lesson/course.h"
#include "session/session.h"

/* Appends the picture that is shown now as an SVG element; where there are no pictures returns false. */
typedef bool (*es_handout_picture_fn)(void *user, es_session *s, es_str *svg, es_error *err);

/* Write folder/index.html and one page a lesson, NN-slug.html (whole or not at all each): prose, what each line answers, questions, answers and
 * solutions folded away, pictures as SVG inside; styles inside; no script, nothing fetched; prints on A4, answers on a sheet of their own
 * behind each lesson.  The folder is made if it is not there.  Lines run in s.  ES_ERR_IO; errors of es_desk_ready where a lesson's line fails. */
bool es_handout_write(const es_course *c, es_session *s, const char *folder,
                      es_handout_picture_fn picture, void *user, const es_sink *sink,
                      es_error *err);

#endif
