// SPDX-License-Identifier: GPL-3.0-or-later
/* Many elements become one: sums, means, extremes, lengths, over one axis, several or all; and what runs
 * along an axis and keeps it: softmax, cumulative sums. */
#ifndef ES_TORCH_REDUCE_H
#define ES_TORCH_REDUCE_H

#include "torch/torch.h"

typedef enum es_reduction {
    ES_R_SUM, /* of integers and bools int64, like PROD */
    ES_R_PROD,
    ES_R_MEAN, /* floats only */
    ES_R_MAX,  /* NaN wins */
    ES_R_MIN,
    ES_R_ARGMAX, /* int64: the place of the first of equals, in row-major order of the axes reduced */
    ES_R_ARGMIN,
    ES_R_ALL, /* bool */
    ES_R_ANY,
    ES_R_COUNT_NONZERO, /* int64 */
    ES_R_LOGSUMEXP,     /* floats only from here on */
    ES_R_VAR,
    ES_R_STD,
    ES_R_NORM,
    ES_N_REDUCTIONS
} es_reduction;

/* What is reduced, and how. */
typedef struct es_over {
    const char *name; /* what was called, for messages: "amax" */
    int n;            /* axes; none of them comes twice */
    int axis[ES_MAX_DIMS];
    bool all;     /* no axis was given: n is that of x */
    bool keepdim; /* 1 in their place, without a name */
    double
        p; /* NORM: of |x|^p, may be infinite; VAR, STD: what is taken from the count (1: unbiased) */
} es_over;

/* ES_ERR_DTYPE (the mean of integers), ES_ERR_VALUE (the largest of nothing). */
bool es_torch_reduce(es_torch *k, es_tensor *out, es_reduction op, const es_tensor *x,
                     const es_over *over, es_error *err);

/* Along one axis: the largest (or smallest) and where the first of them is. */
bool es_torch_extreme(es_torch *k, es_tensor *values, es_tensor *index, bool largest,
                      const es_tensor *x, const es_over *over, es_error *err);

/* ---- along an axis that stays; floats ---- */

bool es_torch_softmax(es_torch *k, es_tensor *out, bool log, const es_tensor *x, int axis,
                      es_error *err);

/* Sums or products up to each element; int64 for integers and bools. */
bool es_torch_cumulate(es_torch *k, es_tensor *out, bool product, const es_tensor *x, int axis,
                       es_error *err);

#endif
