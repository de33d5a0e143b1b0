// SPDX-License-Identifier: GPL-3.0-or-later
/* Draws tokens by a power of their counts, in constant time: the alias method.
 * Source: Walker 1977; the table is built as by Vose 1991. */
#ifndef ES_TRAIN_SAMPLER_H
#define ES_TRAIN_SAMPLER_H

#include "train/draw.h"

typedef struct es_sampler {
    uint32_t n;      /* V */
    float *keep;     /* V: the chance that slot i means i and not other[i] */
    uint32_t *other; /* V */
    float *log_q;    /* V: log of each token's chance; -INFINITY where that is 0 */
} es_sampler;

/* Chances in proportion to (counts[i] + plus)^power; all counts 0 and plus 0: all alike.  V > 0.
 * Free with es_sampler_free. */
es_sampler es_sampler_new(const int64_t *counts, int64_t V, double plus, double power);
void es_sampler_free(es_sampler *s);

static inline uint32_t es_sampler_draw(const es_sampler *s, es_draw *d)
{
    uint32_t i = es_draw_below(d, s->n);
    return es_draw_share(d) < s->keep[i] ? i : s->other[i];
}

#endif
