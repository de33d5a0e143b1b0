// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the captions (lesson_words.c, lesson_positions.c) share. */
#ifndef ES_VIEW_LESSON_INSIDE_H
#define ES_VIEW_LESSON_INSIDE_H

#include "view/lesson_pictures.h"

/* The median of the finite ones of x[0..n), or of those that `of` picks (NULL: all); NaN: there are none. */
double es_lesson_median(const float *x, int64_t n, bool (*of)(const es_viewer *v, int64_t i),
                        const es_viewer *v);

/* What would be printed as -0.00 is 0. */
double es_lesson_no_minus_zero(double x);

/* ---- lesson_positions.c: pictures 1 to 3 ---- */

void es_lesson_helix(es_viewer *v, es_lesson_says *says);
void es_lesson_beside(es_viewer *v, es_lesson_says *says);
void es_lesson_row_lengths(es_viewer *v, es_lesson_says *says);

#endif
