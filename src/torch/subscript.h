// SPDX-License-Identifier: GPL-3.0-or-later
/* What the subscripts between brackets ask for, worked out before anything is read or written. */
#ifndef ES_TORCH_SUBSCRIPT_H
#define ES_TORCH_SUBSCRIPT_H

#include "torch/index.h"

/* Integers, slices, None and "..." make a view; what is left are n index tensors, each on an axis of it. */
typedef struct es_subscript {
    es_tensor base; /* the view */
    int n;
    int axis[ES_MAX_DIMS];     /* of base, ascending */
    es_tensor at[ES_MAX_DIMS]; /* int64 or int32; of a mask one for each of its axes */
    es_shape spread;           /* all of them stretched to one */
    es_shape shape;            /* of the result */
    int front;                 /* where spread's axes begin in it */
} es_subscript;

/* Free with es_subscript_free, after a failure too. */
bool es_subscript_new(es_torch *k, es_subscript *s, const es_tensor *x, const es_sub *sub, int n,
                      es_error *err);
void es_subscript_free(es_subscript *s);

/* The error that index i (and its place, " at [0, 1]", or "") is outside an axis of base, which is axis `typed` of
 * the tensor as the reader knows it.  Returns false. */
bool es_subscript_outside(const es_shape *base, int axis, int typed, int64_t i, const char *place,
                          es_error *err);

/* Are there values that are not known: is base or an index meta? */
bool es_subscript_meta(const es_subscript *s);

/* ---- places.c ---- */

/* How far into base each place of spread points, in elements; free() it.  NULL: ES_ERR_INDEX_RANGE, ES_ERR_NOMEM. */
int64_t *es_subscript_offsets(es_torch *k, const es_subscript *s, es_error *err);

/* One place of spread: what is left of base, and where it is in a result of s->shape (t). */
void es_subscript_source(const es_subscript *s, es_tensor *rest);
void es_subscript_target(const es_subscript *s, const es_tensor *t, es_tensor *rest);

/* Places of a mask that are true, in row-major order, as coordinates: int64 (n), one tensor an axis. */
bool es_mask_places(es_torch *k, es_tensor *at, const es_tensor *mask, es_error *err);

#endif
