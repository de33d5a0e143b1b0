// SPDX-License-Identifier: GPL-3.0-or-later
/* What the tables of shape functions share: giving a tensor back, and reading lists of integers. */
#ifndef ES_EXPR_BIND_SHAPES_H
#define ES_EXPR_BIND_SHAPES_H

#include "expr/interp.h"

/* out = the tensor t, if it was made: `return es_give(out, &t, es_torch_…(a->k, &t, …))`. */
bool es_give(es_value *out, es_tensor *t, bool made);
/* out = a tuple of n tensors, taken over; free(t) is the caller's. */
bool es_give_all(es_value *out, es_tensor *t, int64_t n);
/* out = where x is not 0: a tuple of one tensor an axis, as x[…] takes them. */
bool es_give_places(es_args *a, es_value *out, const es_tensor *x, es_error *err);

/* The integers of parameter i (one, or a tuple or list of them) or, i < 0, of the variadic tail: at most `most`,
 * *n of them. */
bool es_arg_ints(es_args *a, int i, int64_t *out, int most, int64_t *n, es_error *err);
/* The i-th parameter, or that number where it was not given. */
bool es_arg_int_or(es_args *a, int i, int64_t otherwise, int64_t *out, es_error *err);

#endif
