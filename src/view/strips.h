// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the strips view has its rows and cells: tok_emb, pos_emb and x, a row a token, a cell a channel. */
#ifndef ES_VIEW_STRIPS_H
#define ES_VIEW_STRIPS_H

#include "view/heat.h"
#include "view/viewer.h"

enum { ES_STRIPS = 3 };

typedef struct es_strip {
    const char *name;   /* "tok_emb" */
    const char *says;   /* what it is, in words */
    const char *sign;   /* before it: "+", "=", "" */
    const float *value; /* (T, C); borrowed from the scene */
    es_box caption;
    es_box map; /* its cells; where one has zoomed in, those in view */
} es_strip;

/* What the colours go up to. */
typedef struct es_strips_scale {
    float most;     /* round; 0: every number is 0 */
    int64_t beyond; /* numbers that have the colour of its end, and are beyond it */
    int64_t odd;    /* NaN or infinite */
} es_strips_scale;

/* One layout for drawing, picking and gestures. */
typedef struct es_strips {
    es_strip of[ES_STRIPS];
    int n; /* strips there are: 1 without wte, 2 without positions; 0: nothing to show */
    bool stacked;
    es_box labels;             /* beside the first strip; w is that of each stacked one's */
    float place_w;             /* of labels.w, for places */
    es_box legend, tag, notes; /* tag: of a preview; w 0: none */
    float row_h, line, gap;    /* heights: of a row, of a line of text, between stacked strips */
    int64_t first, rows;       /* of the scene's, in view */
    double left, per;          /* the channel at the left edge, and pixels a channel */
    es_strips_scale scale;     /* one for all strips */
} es_strips;

/* Where everything is at the camera's place; c measures words. */
es_strips es_strips_plan(es_viewer *v, es_canvas *c, es_box area, const es_strips_scale *scale);

/* A scale for the sentence's numbers: to the largest, or, where so few as 1 in 100 would leave the colours of all others
 * pale (more than four times as large), to what no more than those are beyond. */
es_strips_scale es_strips_scale_of(const es_scene *scene);

/* The part of a strip that is in view as a heat map, its `rows` first rows, and the box it fills, which may be wider
 * than strip->map by parts of a cell. */
es_heat es_strips_heat(const es_strips *s, const es_strip *strip, int64_t C, int64_t rows,
                       es_box *box);

/* Bring a camera that looks beyond the edge back to what is shown. */
void es_strips_hold(const es_strips *s, const es_scene *scene, es_camera *camera);

/* All of it: of strip i its first filled[i] rows. */
void es_strips_draw(es_viewer *v, es_canvas *c, const es_strips *s, const int64_t *filled);

/* ---- in words ---- */

/* Fill a pick with the number of `name` at row t of the scene, its sum and the expression that gives it. */
void es_strips_say(const es_scene *scene, const char *name, int64_t t, int64_t channel,
                   es_pick *out);

/* What is not to be seen, for the picture's foot, and what its scale is of. */
void es_strips_notes(const es_scene *scene, const es_strips *s, es_str *out);
void es_strips_legend(const es_strips *s, es_str *out);

void es_strips_honesty(const es_scene *scene, const es_strips *s, es_str *out); /* s may be NULL */
void es_strips_expression(const es_scene *scene, es_str *out);
void es_strips_plain(const es_scene *scene, es_str *out);
void es_strips_json(const es_scene *scene, es_json *j);

#endif
