// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/spearman.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

typedef struct placed {
    double number;
    int64_t at; /* in the list */
} placed;

static int by_number(const void *a, const void *b)
{
    double x = ((const placed *)a)->number, y = ((const placed *)b)->number;
    return (x > y) - (x < y);
}

/* rank[0..n) = twice how far each stands from the mean rank: whole numbers, so that sums of their products are exact
 * below 2^53, for the 10^5 pairs of a picture and some more. */
static void rank_all(double *rank, placed *sorted, const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        sorted[i] = (placed){x[i], i};
    qsort(sorted, (size_t)n, sizeof *sorted, by_number);
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && sorted[end].number == sorted[i].number;)
            end++;
        for (int64_t j = i; j < end; j++)
            rank[sorted[j].at] = (double)(i + end - n);
    }
}

static double sum_of_products(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

bool es_spearman(double *out, const double *a, const double *b, int64_t n, es_error *err)
{
    size_t size = (size_t)n;
    placed *sorted = es_try_alloc(size, sizeof *sorted, "the ranks", err);
    double *rank = sorted ? es_try_alloc(2 * size, sizeof *rank, "the ranks", err) : NULL;
    *out = NAN;
    if (rank) {
        rank_all(rank, sorted, a, n);
        rank_all(rank + n, sorted, b, n);
        double aa = sum_of_products(rank, rank, n), bb = sum_of_products(rank + n, rank + n, n);
        if (aa > 0 && bb > 0)
            *out = sum_of_products(rank, rank + n, n) / sqrt(aa * bb);
    }
    free(sorted);
    free(rank);
    return rank != NULL;
}
