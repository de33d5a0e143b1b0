// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/topk.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static bool ranks_above(es_ranked a, es_ranked b)
{
    bool na = isnan(a.value), nb = isnan(b.value);
    if (na != nb)
        return na;
    if (!na && a.value != b.value)
        return a.value > b.value;
    return a.index < b.index;
}

static int by_rank(const void *a, const void *b)
{
    return ranks_above(*(const es_ranked *)a, *(const es_ranked *)b) ? -1 : 1;
}

/* heap[0] is the worst of the k best so far: let it sink to its place. */
static void sink(es_ranked *heap, int64_t k)
{
    for (int64_t i = 0, child; (child = 2 * i + 1) < k; i = child) {
        if (child + 1 < k && ranks_above(heap[child], heap[child + 1]))
            child++;
        if (!ranks_above(heap[i], heap[child]))
            return;
        es_ranked t = heap[i];
        heap[i] = heap[child];
        heap[child] = t;
    }
}

void es_best_of_row(es_ranked *heap, int64_t k, const float *x, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < k; i++)
        heap[i] = (es_ranked){x[i * step], i};
    qsort(heap, (size_t)k, sizeof *heap, by_rank);
    for (int64_t i = 0; i < k / 2; i++) { /* worst first: a sorted array is a heap */
        es_ranked t = heap[i];
        heap[i] = heap[k - 1 - i];
        heap[k - 1 - i] = t;
    }
    for (int64_t i = k; i < n; i++) {
        es_ranked next = {x[i * step], i};
        if (ranks_above(next, heap[0])) {
            heap[0] = next;
            sink(heap, k);
        }
    }
    qsort(heap, (size_t)k, sizeof *heap, by_rank);
}
