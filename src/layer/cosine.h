// SPDX-License-Identifier: GPL-3.0-or-later
/* How alike the directions of vectors are: 1 the same, 0 at right angles, -1 opposite. */
#ifndef ES_LAYER_COSINE_H
#define ES_LAYER_COSINE_H

#include <stdint.h>

#include "base/watch.h"
#include "core/backend.h"

/* out (n, n) = cosines of rows (n, C), both dense in host memory: a·b / (|a| |b|).  A row of length 0 or with a number
 * that is not finite has no direction: NaN.  Else the diagonal is 1.  Adds n * n to watch->done as it goes.
 *
 * Where be computes in host memory (or is NULL) products are summed in float64 in the order of the channels, so they
 * are the same on every machine.  Elsewhere rows are scaled to length 1 and multiplied there in float32, which is off
 * by (C + 4) 2^-24 at most.  ES_ERR_NOMEM, ES_ERR_BACKEND, ES_ERR_INTERRUPTED. */
bool es_cosine_matrix(float *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                      es_watch *watch, es_error *err);

/* |v| of C numbers, summed in float64. */
double es_length(const float *v, int64_t C);

/* The cosine of two vectors of C numbers; NaN where one has no direction. */
double es_cosine(const float *a, const float *b, int64_t C);

#endif
