// SPDX-License-Identifier: GPL-3.0-or-later
/* Drawing by lot: what is drawn depends on a seed and on nothing else. */
#ifndef ES_ANALYSIS_LOT_H
#define ES_ANALYSIS_LOT_H

#include <stdint.h>

enum { ES_LOT_PAIRS = 100000 };

/* Streams of random numbers that one seed has, so that nothing is drawn twice. */
typedef enum es_lot { ES_LOT_TOKENS, ES_LOT_DISTANCES, ES_LOT_COSINES = 10 } es_lot;

/* The i-th block of a stream: 128 random bits. */
void es_lot_draw(uint32_t out[4], uint64_t seed, es_lot stream, int64_t i);

/* How many pairs of two different rows are looked at: all that n rows have, or ES_LOT_PAIRS by lot where they are more. */
int64_t es_lot_pairs(int64_t n);

typedef struct es_pair {
    int64_t i, j;
} es_pair;

/* Pair p of these; of all in order: (0, 1), (0, 2), (1, 2), (0, 3), ... */
es_pair es_lot_pair(int64_t p, int64_t n, uint64_t seed, es_lot stream);

#endif
