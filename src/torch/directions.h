// SPDX-License-Identifier: GPL-3.0-or-later
/* What decompositions share: matrices as plain doubles on the host, and the directions of their rows. */
#ifndef ES_TORCH_DIRECTIONS_H
#define ES_TORCH_DIRECTIONS_H

#include "torch/torch.h"

/* All of t's numbers, dense, for the caller to free.  NULL: ES_ERR_NOMEM, ES_ERR_INTERRUPTED, or reading failed. */
double *es_matrix_numbers(es_torch *k, const es_tensor *t, es_error *err);

/* The way back: a tensor of x's dtype on its device with those numbers, as many as shape has. */
bool es_matrix_tensor(es_torch *k, es_tensor *t, const es_tensor *x, const es_shape *shape,
                      const double *numbers, es_error *err);

/* Is x (n, m) wider than high?  Then its columns' directions come from those of its rows. */
bool es_matrix_wide(const es_tensor *x);

/* a @ b, either of them turned; names that meet by luck are not spoken of. */
bool es_matrix_product(es_torch *k, es_tensor *out, const es_tensor *a, bool turn_a,
                       const es_tensor *b, bool turn_b, es_error *err);

/* Of two rows of n. */
double es_matrix_dot(const double *x, const double *y, int64_t n);

/* r rows of n: of length 1 at right angles; one of which nothing is left becomes any that is at right angles to the
 * others.  length: of the longest, what is small is measured by it.  ES_ERR_INTERRUPTED. */
bool es_orthonormal(es_torch *k, double *rows, int64_t r, int64_t n, double length, es_error *err);

/* The r directions (rows of *right, each of m) in which the rows of x (n, m) are longest, best first, and the squares
 * of all lengths in *values (the smaller of n and m).  The caller frees both, after an error too. */
bool es_directions(es_torch *k, const es_tensor *x, int64_t r, double **right, double **values,
                   es_error *err);

#endif
