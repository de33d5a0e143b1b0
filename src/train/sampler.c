// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Slots that hold less than one V-th are filled up from those that hold more. */
static void build_alias(es_sampler *s, double *share)
{
    uint32_t *queue = es_alloc_array(s->n, sizeof *queue);
    uint32_t small = 0, large = s->n; /* small ones from the front, large ones from the end */
    for (uint32_t i = 0; i < s->n; i++)
        queue[share[i] < 1 ? small++ : --large] = i;
    while (small > 0 && large < s->n) {
        uint32_t i = queue[--small], from = queue[large];
        s->keep[i] = (float)share[i];
        s->other[i] = from;
        share[from] -= 1 - share[i];
        if (share[from] < 1) {
            large++;
            queue[small++] = from;
        }
    }
    while (small > 0)
        s->keep[queue[--small]] = 1; /* what rounding left over */
    while (large < s->n)
        s->keep[queue[large++]] = 1;
    free(queue);
}

es_sampler es_sampler_new(const int64_t *counts, int64_t V, double plus, double power)
{
    es_sampler s = {.n = (uint32_t)V,
                    .keep = es_alloc_array((size_t)V, sizeof(float)),
                    .other = es_alloc_array((size_t)V, sizeof(uint32_t)),
                    .log_q = es_alloc_array((size_t)V, sizeof(float))};
    double *share = es_alloc_array((size_t)V, sizeof *share), sum = 0;
    for (int64_t i = 0; i < V; i++)
        sum += share[i] = counts[i] + plus > 0 ? pow((double)counts[i] + plus, power) : 0;
    for (int64_t i = 0; i < V; i++) {
        double q = sum > 0 ? share[i] / sum : 1 / (double)V;
        s.log_q[i] = (float)log(q);
        share[i] = q * (double)V;
    }
    build_alias(&s, share);
    free(share);
    return s;
}

void es_sampler_free(es_sampler *s)
{
    free(s->keep);
    free(s->other);
    free(s->log_q);
    *s = (es_sampler){0};
}
