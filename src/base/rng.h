// SPDX-License-Identifier: GPL-3.0-or-later
/* Random numbers without state: the n-th number of a seed is a function of n, so a row of a
 * table costs nothing until it is read and is the same on every machine. */
#ifndef ES_BASE_RNG_H
#define ES_BASE_RNG_H

#include <stdint.h>

/* Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011):
 * out = 128 random bits for one counter under one key. */
void es_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* The quantile function of the standard normal distribution for 0 < p < 1: algorithm AS 241
 * (PPND16) of Wichura 1988.  Only + - * / and sqrt, so that every IEEE machine agrees. */
double es_normal_quantile(double p);

/* out[0..n) = row `row` of an endless table of N(0, sd) numbers; `stream` tells tables of one
 * seed apart. */
void es_normal_row(float *out, int64_t n, uint64_t seed, uint32_t stream, uint64_t row, double sd);

#endif
