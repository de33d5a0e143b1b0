// SPDX-License-Identifier: GPL-3.0-or-later
/* What chance alone gives: the best cosine among as many random rows as a table has others. */
#ifndef ES_LAYER_NOISE_H
#define ES_LAYER_NOISE_H

#include <stdint.h>

/* The median of the largest of n cosines between one direction and rows of C numbers drawn from N(0, 1):
 * half of all random tables do better, half worse.  n > 0, C > 0.
 *
 * A random direction's cosine t has a density proportional to (1 - t^2)^((C - 3) / 2) (Cai, Fan and Jiang
 * 2013, "Distributions of angles in random packing on spheres", JMLR 14), so that it exceeds t >= 0 with
 * probability I(1 - t^2; (C - 1) / 2, 1/2) / 2, I the regularised incomplete beta function; the median is
 * where this is 1 - 2^(-1/n). */
double es_noise_floor(int64_t n, int64_t C);

#endif
