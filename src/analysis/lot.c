// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lot.h"

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"

void es_lot_draw(uint32_t out[4], uint64_t seed, es_lot stream, int64_t i)
{
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    es_philox(out, (const uint32_t[4]){(uint32_t)i, (uint32_t)(i >> 32), stream, 0}, key);
}

/* n (n - 1) / 2 may be more than there are numbers for. */
static bool are_few(int64_t n)
{
    return n < 2 || n <= 2 * ES_LOT_PAIRS / (n - 1);
}

int64_t es_lot_pairs(int64_t n)
{
    return are_few(n) ? n * (n - 1) / 2 : ES_LOT_PAIRS;
}

es_pair es_lot_pair(int64_t p, int64_t n, uint64_t seed, es_lot stream)
{
    uint32_t random[4];
    if (are_few(n)) {
        int64_t j = (int64_t)((1 + sqrt(1 + 8 * (double)p)) / 2);
        return (es_pair){p - j * (j - 1) / 2, j};
    }
    es_lot_draw(random, seed, stream, p);
    es_pair pair = {(int64_t)(((uint64_t)random[0] * (uint64_t)n) >> 32),
                    (int64_t)(((uint64_t)random[1] * (uint64_t)(n - 1)) >> 32)};
    pair.j += pair.j >= pair.i;
    return pair;
}
