// SPDX-License-Identifier: GPL-3.0-or-later
/* The sizes and words of a lesson, drawn: the same seed draws the same. */
#ifndef ES_LESSON_DRAW_H
#define ES_LESSON_DRAW_H

#include "lesson/lesson.h"

typedef struct es_drawn {
    const es_lesson *lesson; /* borrowed */
    uint64_t seed;
    char **text; /* one a name: "3", or a word as it is */
} es_drawn;

/* Free with es_drawn_free. */
es_drawn es_draw(const es_lesson *l, uint64_t seed);
void es_drawn_free(es_drawn *d);

/* Append s with {NAME} replaced where NAME is drawn; other braces stay. */
void es_drawn_fill(es_str *out, const es_drawn *d, const char *s);

/* Append the statements that make variables of what is drawn, line breaks between them: "T = 5", "animal = \"cat\"". */
void es_drawn_statements(es_str *out, const es_drawn *d);

/* The first {NAME} in s that looks like a name that could be drawn and is none of this lesson's, appended to name; false: there is none. */
bool es_drawn_stranger(const es_lesson *l, const char *s, es_str *name);

#endif
