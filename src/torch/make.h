// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors out of nothing: constants, sequences, random numbers.  Sizes below 0 are ES_ERR_VALUE, sizes beyond
 * what is allowed ES_ERR_NOMEM before anything is allocated. */
#ifndef ES_TORCH_MAKE_H
#define ES_TORCH_MAKE_H

#include "torch/torch.h"

/* All of them that number (rank 0), cast. */
bool es_torch_full(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                   const es_shape *shape, const es_tensor *value, es_error *err);
/* shape (n, m): 1 where both count alike, else 0. */
bool es_torch_eye(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                  const es_shape *shape, es_error *err);

/* start, end, step: as typed. */
typedef struct es_span {
    bool ints;    /* all three are */
    int64_t i[3]; /* if so */
    double f[3];
} es_span;

/* start, start + step, … before end.  label: of the axis.  ES_ERR_RANGE: step 0, or away from end, or no
 * number. */
bool es_torch_arange(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                     const es_span *span, const es_label *label, es_error *err);
/* `steps` numbers from start to end, both included. */
bool es_torch_linspace(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype, double start,
                       double end, int64_t steps, const es_label *label, es_error *err);

/* ---- random.c: the n-th number since the seed was set is Philox's n-th block; PyTorch's numbers differ ---- */

/* 0 <= x < 1, or normal with mean 0 and deviation 1.  ES_ERR_DTYPE: not floating. */
bool es_torch_rand(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                   const es_shape *shape, es_error *err);
bool es_torch_randn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                    const es_shape *shape, es_error *err);
/* How numbers are drawn: normal, `from` in the middle and `by` the deviation, or evenly from `from` to below
 * from + by.  zero_row: row zero_row - 1 is zeros; 0: none is. */
typedef struct es_drawing {
    bool uniform;
    double from, by;
    int64_t zero_row;
} es_drawing;

/* As many numbers are drawn as the shape has.  A float32 matrix is made late: rows that are looked up are
 * computed alone, the whole when its numbers are wanted, and they are the same either way.  ES_ERR_DTYPE. */
bool es_torch_drawn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                    const es_shape *shape, const es_drawing *how, es_error *err);
/* The numbers of t become such; where nobody shares its memory they too are made late. */
bool es_torch_redraw(es_torch *k, es_tensor *t, const es_drawing *how, es_error *err);
/* low <= x < high.  ES_ERR_RANGE: there are none. */
bool es_torch_randint(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                      const es_shape *shape, int64_t low, int64_t high, es_error *err);
/* 0 … n-1 in an order drawn. */
bool es_torch_randperm(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype, int64_t n,
                       const es_label *label, es_error *err);

/* ---- sample.c ---- */

/* (V) or (N, V) of chances, which need not add up to 1: n places of each row, none of them twice unless
 * `again`.  ES_ERR_VALUE, ES_ERR_DTYPE. */
bool es_torch_multinomial(es_torch *k, es_tensor *out, const es_tensor *x, int64_t n, bool again,
                          es_error *err);
/* 1 with the chance x, else 0. */
bool es_torch_bernoulli(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err);

#endif
