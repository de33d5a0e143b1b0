// SPDX-License-Identifier: GPL-3.0-or-later
/* A closed shape drawn by hand: kept to few corners as it grows, drawn, and asked what is inside of it. */
#ifndef ES_VIEW_LASSO_H
#define ES_VIEW_LASSO_H

#include "view/canvas.h"

enum {
    ES_LASSO_LEAST = 3,    /* corners of a shape that has an inside */
    ES_LASSO_CORNERS = 200 /* at most, of one that is done: a line names them all */
};

/* Corners in the order they were drawn; the last is joined to the first.  Begins as zeros. */
typedef struct es_lasso {
    es_spot *of;
    size_t n, room;
} es_lasso;

void es_lasso_free(es_lasso *l); /* safe on an empty one, which it becomes */

/* One corner more.  Of a path without end those go that matter least. */
void es_lasso_add(es_lasso *l, es_spot at);

/* Leave out what one does not see, and what is more than ES_LASSO_CORNERS: the corners that make least of the shape,
 * by the triangle with their two neighbours (Visvalingam and Whyatt, The Cartographic Journal 30(1), 1993). */
void es_lasso_simplify(es_lasso *l);

/* Shaded and outlined; the side that nobody has drawn yet is dashed. */
void es_lasso_draw(const es_lasso *l, es_canvas *c, es_argb colour);

/* Is (x, y) inside the shape of n corners, of two numbers each?  Where it crosses itself: inside of an odd number of
 * turns (even-odd rule).  NaN is nowhere. */
bool es_lasso_has(const double (*corner)[2], size_t n, double x, double y);

#endif
