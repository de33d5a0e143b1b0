// SPDX-License-Identifier: GPL-3.0-or-later
/* A lookup as the product it is: a row with a single 1, times the table, is a row of the table. */
#ifndef ES_VIEW_ONEHOT_H
#define ES_VIEW_ONEHOT_H

#include "view/heat.h"
#include "view/strips.h"
#include "view/viewer.h"

enum { ES_HOT_ROWS = 13 }; /* of the table, at most, around the one that is selected */

/* The one-hot row of a token, and the rows of wte around its own. */
typedef struct es_hot {
    int32_t id;
    int64_t V, C;
    int64_t first, n;      /* rows that were read: first, first + 1, … */
    float *row;            /* (n, C) */
    es_strips_scale scale; /* of their numbers */
    int64_t odd;           /* of the rows other than the token's, how many hold NaN or Inf */
} es_hot;

/* id < the rows of wte.  ES_ERR_NOMEM, ES_ERR_BACKEND.  Free with es_hot_free. */
bool es_hot_read(es_hot *out, const es_table *wte, int32_t id, es_error *err);
void es_hot_free(es_hot *h); /* safe on an empty one, which it becomes */

/* Where it all is.  Boxes with w 0: there is no room for them. */
typedef struct es_hot_plan {
    es_box head, bar;         /* the whole one-hot row, to scale: a caption and a bar */
    es_box cells, ids, names; /* a part of it, magnified; what its places are */
    int64_t first_cell, n_cells;
    es_box table_head, overview, labels, map; /* the table: all of it to scale, rows of it */
    es_box above, below;                      /* how many rows there are beyond these */
    int64_t first_row, n_rows;
    es_box result_head, result;
    es_box legend, words;
    float line; /* height of a line of text */
} es_hot_plan;

/* One layout for drawing and picking; c measures words.  map.w 0: there is no room for a picture. */
es_hot_plan es_hot_plan_of(const es_viewer *v, const es_hot *h, es_canvas *c, es_box area);
es_heat es_hot_rows(const es_hot *h, const es_hot_plan *plan); /* for plan->map */
es_heat es_hot_result(const es_hot *h);                        /* for plan->result */

/* How far the picture has come: the 1 on its way from 0 to its place, then the row on its way out; each 0..1. */
typedef struct es_hot_stage {
    float run, slide;
} es_hot_stage;
void es_hot_draw(es_viewer *v, const es_hot *h, es_canvas *c, const es_hot_plan *plan,
                 es_hot_stage stage);

/* Kept in the viewer; NULL: there is nothing to show, and *why (may be NULL) gets the reason. */
const es_hot *es_hot_of(const es_viewer *v, es_str *why);

/* ---- in words ---- */

void es_hot_token(const es_viewer *v, int64_t id, int columns, es_str *out);
void es_hot_costs(const es_viewer *v, const es_hot *h,
                  es_str *out); /* of both ways, for the foot */
bool es_hot_pick(const es_viewer *v, const es_hot *h, const es_hot_plan *plan, es_spot at,
                 es_pick *out);
void es_hot_honesty(const es_viewer *v, es_str *out);
void es_hot_expression(const es_viewer *v, es_str *out);
void es_hot_plain(es_viewer *v, es_str *out);
void es_hot_json(es_viewer *v, es_json *j);

#endif
