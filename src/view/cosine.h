// SPDX-License-Identifier: GPL-3.0-or-later
/* The cosine view's matrices and where it has them: every token of the sentence with every other, before and after
 * positions are added, and what that changed. */
#ifndef ES_VIEW_COSINE_H
#define ES_VIEW_COSINE_H

#include "session/compare.h"
#include "view/heat.h"
#include "view/viewer.h"

enum {
    ES_SQUARES = 3,
    ES_COSINE_TOKENS = 128 /* at most: a picture of more has no room, and takes its time */
};

/* Of the scene's first n tokens. */
typedef struct es_squares {
    es_cosine_part part; /* before and after, (n, n) each */
    float *change;       /* after - before */
    es_str why;          /* in words, where there are no cosines */
} es_squares;

/* What is to be seen in the first n tokens' cosines. */
typedef struct es_squares_sum {
    int64_t pairs;        /* that have a cosine before and after */
    double before, after; /* their means */
    int64_t i, j;         /* the pair that changed most; i -1: there is none */
} es_squares_sum;
es_squares_sum es_squares_sum_of(const es_squares *q, int64_t n);

/* ES_ERR_NOMEM.  Free with es_squares_free. */
bool es_squares_make(es_squares *out, const es_scene *scene, es_error *err);
void es_squares_free(es_squares *q); /* safe on an empty one */

typedef struct es_square {
    const char *name, *says, *brief; /* brief where `says` has no room */
    const float *value;              /* (n, n) of the matrices */
    es_box caption, head, labels, map;
    bool tokens; /* its rows' labels are tokens too, else places alone */
} es_square;

typedef struct es_square_plan {
    es_square of[ES_SQUARES];
    int n;
    int64_t shown;                      /* tokens that have room, the first */
    float cell, place_w, token_w, line; /* line: the height of one of text */
    es_box legend, notes;
} es_square_plan;

/* One layout for drawing and picking; c measures words. */
es_square_plan es_squares_plan(es_viewer *v, es_canvas *c, es_box area, const es_squares *q);
es_heat es_square_heat(const es_square_plan *plan, const es_square *square, const es_squares *q);

void es_squares_draw(es_viewer *v, es_canvas *c, const es_square_plan *plan, const es_squares *q);

#endif
