// SPDX-License-Identifier: GPL-3.0-or-later
/* Curves through points in order, seen in a plane or in space, and tags at some of the points. */
#ifndef ES_VIEW_CURVE_H
#define ES_VIEW_CURVE_H

#include "base/str.h"
#include "view/camera.h"

typedef struct es_curve {
    const float *at; /* (n, 3); NaN breaks it */
    int64_t n;
    es_lens lens;
    es_argb colour; /* 0: es_along */
    float width;    /* of its nearest parts */
} es_curve;

/* The colour of point i of n, wherever it is drawn. */
es_argb es_along(const es_palette *p, int64_t i, int64_t n);

/* From the far parts to the near ones, which are wider and stand out more.  solid: there is near and far. */
void es_curve_draw(const es_curve *curve, es_canvas *c, const es_palette *p, bool solid);

es_spot es_curve_spot(const es_curve *curve, int64_t i);

/* The point nearest to a spot within `reach` pixels; -1: none. */
int64_t es_curve_near(const es_curve *curve, es_spot at, float reach);

/* A curve over a chart, n spots coloured along. */
void es_along_line(es_canvas *c, const es_spot *at, int64_t n, float width, const es_palette *p);

/* Marks along n points: a power of two apart, so that there are at most `most`. */
int64_t es_mark_step(int64_t n, int64_t most);

/* A point with its name beside it. */
typedef struct es_tag {
    es_spot at;
    es_str text;
    es_argb colour;
    float r; /* of the disc; 0: none */
    bool bold;
} es_tag;

typedef struct es_tags {
    es_tag *of;
    size_t n;
    es_box keep; /* no name is put there */
    float reach; /* pixels from a disc to its bold name, at most; 0: a tenth of the area's side */
} es_tags;

es_tag *es_tags_add(es_tags *t, es_spot at, es_argb colour, float r, bool bold);

/* Draw the discs, and of the names those that cover no other and no bold tag's disc, the first ones first, bold ones
 * further away where there is no room beside them; and free the tags. */
void es_tags_draw(es_tags *t, es_canvas *c, es_box area, const es_palette *p, float em);

/* Small arrows in the bottom left corner of the box, named `name` (3 of them, 2 are drawn in a plane): which way the
 * axes go. */
void es_axes_draw(es_canvas *c, es_box box, const es_lens *lens, const char *const *name, int n,
                  const es_palette *p, float em);
es_box es_axes_box(es_box box, float em); /* the corner they take; w 0: there is no room for them */

#endif
