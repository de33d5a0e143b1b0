// SPDX-License-Identifier: GPL-3.0-or-later
/* Random draws for training: a small state that can be saved, one step a number.  Source: splitmix64 of
 * Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014). */
#ifndef ES_TRAIN_DRAW_H
#define ES_TRAIN_DRAW_H

#include <stdint.h>

typedef struct es_draw {
    uint64_t state;
} es_draw;

/* A source of its own for each (seed, stream). */
static inline es_draw es_draw_from(uint64_t seed, uint64_t stream)
{
    return (es_draw){seed * 0x9E3779B97F4A7C15u + (stream + 1) * 0xD1B54A32D192ED03u};
}

static inline uint64_t es_draw_bits(es_draw *d)
{
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* 0 <= result < n, n below 2^32; the bias is below n / 2^32. */
static inline uint32_t es_draw_below(es_draw *d, uint32_t n)
{
    return (uint32_t)((es_draw_bits(d) >> 32) * n >> 32);
}

/* 0 <= result < 1, a multiple of 2^-24. */
static inline float es_draw_share(es_draw *d)
{
    return (float)(es_draw_bits(d) >> 40) * 0x1p-24f;
}

#endif
