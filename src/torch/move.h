// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers of one dtype from one strided place to another, and how shapes and places are written in
 * messages. */
#ifndef ES_TORCH_MOVE_H
#define ES_TORCH_MOVE_H

#include "torch/torch.h"

/* dst = src: equal sizes and dtypes, both with memory, which they do not share.  ES_ERR_INTERRUPTED. */
bool es_torch_move(es_torch *k, const es_tensor *dst, const es_tensor *src, es_error *err);

/* out = a new tensor of that shape: out[i, j, …] = x[at[0][i], at[1][j], …]; at[d] NULL: the index itself.
 * x has as many axes.  Nothing is read where out is meta. */
bool es_torch_take(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                   const int64_t *const *at, es_error *err);

void es_torch_sizes(es_str *out, const es_shape *s);            /* "[2, 5, 8]", as PyTorch prints */
void es_torch_place(es_str *out, const es_shape *s, int64_t i); /* "[0, 1]", of the i-th element */

#endif
