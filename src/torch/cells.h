// SPDX-License-Identifier: GPL-3.0-or-later
/* A row of elements of any dtype in host memory, as the two kinds of number that loops compute with. */
#ifndef ES_TORCH_CELLS_H
#define ES_TORCH_CELLS_H

#include "torch/torch.h"

typedef struct es_cells {
    void *at;
    es_dtype dtype;
    int64_t step; /* in elements */
} es_cells;

static inline bool es_dtype_is_float(es_dtype dtype)
{
    return dtype == ES_FLOAT32 || dtype == ES_FLOAT64;
}

/* n elements of `in` written to `out`, cast to its dtype. */
void es_cells_cast(const es_cells *out, const es_cells *in, int64_t n);

/* What n elements are when seen as that dtype: float32 rounds, int32 wraps. */
void es_cells_to_floats(double *out, const es_cells *in, int64_t n, es_dtype as);
void es_cells_to_ints(int64_t *out, const es_cells *in, int64_t n, es_dtype as);

void es_cells_from_floats(const es_cells *out, const double *in, int64_t n);
void es_cells_from_ints(const es_cells *out, const int64_t *in, int64_t n);

#endif
