// SPDX-License-Identifier: GPL-3.0-or-later
/* One token at every position, beside another or the positions alone: the same curve twice, moved apart. */
#ifndef ES_VIEW_OFFSET_H
#define ES_VIEW_OFFSET_H

#include "view/curve.h"
#include "view/places.h"
#include "view/viewer.h"

/* What an axis of the picture is along. */
typedef enum es_offset_axis {
    ES_ALONG_FIRST,  /* the positions' first component */
    ES_ALONG_SECOND, /* the second */
    ES_ALONG_THIRD,  /* the third: there is no move, or none across the first two */
    ES_ALONG_MOVE    /* the move, as far as it is across the first two components */
} es_offset_axis;

typedef struct es_offset {
    es_places of;   /* the positions */
    int32_t token;  /* its curve is wte[token] + row t */
    int32_t second; /* likewise; -1: the other curve is the rows alone */
    float *move;    /* (C) = wte[token] - wte[second], or wte[token] */
    double length;  /* of the move */
    double off;     /* how far in float32 any number of a difference is from the move's, at most */
    int K;          /* axes */
    es_offset_axis axis[3];
    double seen[3];  /* of the move's length squared, 0..1, what each axis shows */
    double share[3]; /* of the curve's spread, 0..1, likewise */
    float *axes;     /* (K, C), each 1 long, at right angles */
    float *at;       /* (2 * n, 3) along them: the token's curve, then the other; 0 where K < 3 */
} es_offset;

/* Which tokens the viewer asks for.  false: the model has no wte. */
bool es_offset_tokens(const es_viewer *v, int32_t *token, int32_t *second);

/* Fill *out for two tokens that wte has rows for.  ES_ERR_NOMEM, ES_ERR_VALUE, ES_ERR_BACKEND; errors of
 * es_places_make.  Free with es_offset_free. */
bool es_offset_make(es_offset *out, const es_atlas *a, int32_t token, int32_t second,
                    es_error *err);
void es_offset_free(es_offset *o); /* safe on an empty one, which it becomes */

/* Kept in the viewer; NULL: there is nothing to show, and *why (may be NULL) gets the reason. */
const es_offset *es_offset_of(const es_viewer *v, es_str *why);

/* How many axes the camera shows; and of the first of them together, what they show of the move's length and of the
 * curve's spread. */
int es_offset_shown(const es_viewer *v, const es_offset *o);
double es_offset_seen(const es_offset *o, int axes);
double es_offset_share(const es_offset *o, int axes);

/* Make them `axes` of tensor mode. */
void es_offset_tell_axes(const es_viewer *v, const es_offset *o);

const char *es_offset_axis_name(es_offset_axis axis); /* "component 1" */

/* "wte.weight[464]", and behind it " - wte.weight[3290]" where there is a second token. */
void es_offset_move_text(const es_offset *o, es_str *out);

/* The view's words. */
void es_offset_honesty(const es_viewer *v, es_str *out);
void es_offset_expression(const es_viewer *v, es_str *out);
void es_offset_plain(es_viewer *v, es_str *out);
void es_offset_json(es_viewer *v, es_json *j);

#endif
