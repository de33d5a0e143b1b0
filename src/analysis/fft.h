// SPDX-License-Identifier: GPL-3.0-or-later
/* Discrete Fourier transforms of eight signals at a time, one to a lane. */
#ifndef ES_ANALYSIS_FFT_H
#define ES_ANALYSIS_FFT_H

#include <stddef.h>

#include "core/vector.h"

/* The same place of eight signals. */
typedef struct es_eight {
    es_lanes re, im;
} es_eight;

typedef struct es_fft es_fft;

/* The smallest even number from `least` on whose only prime factors are 2, 3 and 5: lengths that are fast. */
int es_fft_size(int least);

/* For signals of n numbers, n as es_fft_size has them.  Free with es_fft_free. */
es_fft *es_fft_new(int n);
void es_fft_free(es_fft *f); /* NULL is fine */

/* x (n): X[k] = sum_j x[j] exp(-2 pi i j k / n) of each of the eight, in x or in work (n), which do not overlap: where
 * it is comes back, and the other holds nothing.  The inverse, times n, is the same with re and im exchanged, before
 * and after.  By Stockham's passes of radix 4, 2, 3 and 5 (Van Loan 1992, section 1.7), which need no sorting. */
es_eight *es_fft_run(const es_fft *f, es_eight *x, es_eight *work);

/* Turns a square of 8 x 8 numbers: rows become lanes. */
void es_turn_square(es_lanes square[ES_LANES]);

#endif
