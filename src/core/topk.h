// SPDX-License-Identifier: GPL-3.0-or-later
/* The k largest of a row, in order: NaN first, as PyTorch has it, and of equals the first. */
#ifndef ES_CORE_TOPK_H
#define ES_CORE_TOPK_H

#include <stdint.h>

typedef struct es_ranked {
    float value;
    int64_t index; /* in the row */
} es_ranked;

/* best[0..k) = the largest of the n numbers at x, `step` apart, largest first; 0 <= k <= n.  By a heap
 * of k. */
void es_best_of_row(es_ranked *best, int64_t k, const float *x, int64_t step, int64_t n);

#endif
