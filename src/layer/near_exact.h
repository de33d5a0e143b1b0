// SPDX-License-Identifier: GPL-3.0-or-later
/* What "nearest" means to the last bit, for all who compare rows: sums in float64, always in the same order, so that two
 * ways to the same neighbours come to the same numbers; and how far a product in float32 can be from them. */
#ifndef ES_LAYER_NEAR_EXACT_H
#define ES_LAYER_NEAR_EXACT_H

#include <math.h>
#include <stdint.h>

/* The sum over c < C of TERM(c), ES_EXACT_LANES sums put together at the end: always the same, so that a sum is too,
 * and enough of them for any processor. */
enum { ES_EXACT_LANES = 8 };
#define ES_SUM_OF(term)                                                                            \
    do {                                                                                           \
        double sum[ES_EXACT_LANES] = {0};                                                          \
        int64_t c = 0;                                                                             \
        for (; c + ES_EXACT_LANES <= C; c += ES_EXACT_LANES)                                       \
            for (int k = 0; k < ES_EXACT_LANES; k++)                                               \
                sum[k] += term(c + k);                                                             \
        for (; c < C; c++)                                                                         \
            sum[0] += term(c);                                                                     \
        return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));  \
    } while (0)

/* a · b; inlined, so that a loop compiled for wide registers has it in these. */
static inline __attribute__((always_inline)) double es_exact_product(const float *a, const float *b,
                                                                     int64_t C)
{
#define ES_EXACT_TERM(c) ((double)a[c] * (double)b[c])
    ES_SUM_OF(ES_EXACT_TERM);
}

/* |q| of the one that asks.  Sums of float32 numbers: their squares neither overflow float64 nor vanish in it. */
static inline double es_exact_length(const double *q, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += q[c] * q[c];
    return sqrt(sum);
}

/* The cosine of q and a row with that product; `square` is the row's product with itself. */
static inline double es_exact_cosine(double product, double q_length, double square)
{
    return product / (q_length * sqrt(square));
}

/* How far a float32 product of a vector scaled to length 1 and one of this length (which may have been rounded as well)
 * can be off: Higham 2002, section 3.1, with a factor of two to spare, for sums in any order, each product rounded or
 * fused with its sum.  The second part is for what underflows: each factor, product and sum below 2^-126 may be
 * taken for 0, as some devices do, which loses 2^-126 max(1, length) a product and 2^-126 a sum. */
static inline double es_float_slack(int64_t C, double length)
{
    return ((double)C + 4) * 0x1p-23 * length + (double)C * 0x1p-125 * (1 + length);
}

#endif
