// SPDX-License-Identifier: GPL-3.0-or-later
/* Products of plain float32 matrices (and one of float64) in host memory, for code that keeps its numbers outside tensors:
 * the blocks and their trainer, principal components. */
#ifndef ES_CORE_GEMM_H
#define ES_CORE_GEMM_H

#include <stdbool.h>
#include <stdint.h>

/* A matrix as it lies: the start of its first row, and how far on the next row starts. */
typedef struct es_matrix {
    const float *at;
    int64_t stride;  /* elements from row to row */
    bool transposed; /* it is used turned: rows as columns */
} es_matrix;

/* out (M, N), rows `stride` apart, = scale * a (M, K) @ b (K, N), plus what is there if `add`.  M, N and K are
 * those of a and b as used, that is after turning.  out overlaps neither. */
void es_gemm(float *out, int64_t stride, float scale, es_matrix a, es_matrix b, int64_t M,
             int64_t N, int64_t K, bool add);

/* out (C, C) = rowsᵀ @ rows of rows (n, C), both dense: its diagonal and what is below; what is above stays as it is. */
void es_gram(float *out, const float *rows, int64_t n, int64_t C);
void es_gram_double(double *out, const double *rows, int64_t n, int64_t C);

/* How many threads work that is shared out beside products may take: as many as products do, or would without holds. */
int es_gemm_threads(void);

/* While at least one hold is kept each product runs on the thread that asks for it, so that several can be
 * asked for at once.  Holds nest. */
void es_gemm_hold(void);
void es_gemm_release(void);

#endif
