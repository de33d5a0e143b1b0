// SPDX-License-Identifier: GPL-3.0-or-later
/* How the rows of a table lie about 0 and about their mean, and how random rows would. */
#ifndef ES_ANALYSIS_SPREAD_H
#define ES_ANALYSIS_SPREAD_H

#include "analysis/lot.h"
#include "base/watch.h"
#include "core/table.h"

typedef struct es_spread {
    int64_t n, C; /* rows, and numbers a row */
    float *length,
        *distance;   /* (n) |w| and |w - mean|, summed in float64; NaN: a row with NaN or Inf */
    int64_t n_pairs; /* of rows, whose cosines these are: */
    bool every;      /* all pairs there are; else ES_LOT_PAIRS drawn by lot */
    float *before,
        *after; /* (n_pairs) as the rows are, and with the mean taken off both; NaN: one has no direction */
} es_spread;

/* Of the finite ones among some numbers. */
typedef struct es_summary {
    int64_t n; /* how many; 0: the rest is 0 */
    double least, mean, most;
} es_summary;

/* All rows of t about `mean` (C), such as that of es_pca_fit.  A row no farther from the mean than float32 can tell
 * (1e-6 of its length) has no direction there.  Pairs are of two different rows, from `seed`.  The watch (may be NULL)
 * counts rows, then pairs.  ES_ERR_VALUE: a table without a last row; ES_ERR_NOMEM, ES_ERR_INTERRUPTED,
 * ES_ERR_BACKEND.  Free with es_spread_free. */
bool es_spread_measure(es_spread *out, const es_table *t, const double *mean, uint64_t seed,
                       es_watch *watch, es_error *err);

/* The same of n rows of C numbers drawn from N(0, 1), about their own mean; of wide tables fewer than n, what 256 MB hold
 * (out->n says how many).  Errors likewise. */
bool es_spread_random(es_spread *out, int64_t n, int64_t C, uint64_t seed, es_watch *watch,
                      es_error *err);
void es_spread_free(es_spread *s); /* safe on an empty one, which it becomes */

es_summary es_summary_of(const float *x, int64_t n);

/* share[0..C) = what part of the spread each component of n such random rows has, the largest first, their sum 1: the
 * quantiles of the law of Marchenko and Pastur 1967 ("Distribution of eigenvalues for some sets of random matrices",
 * Mathematics of the USSR-Sbornik 1), which is that of many rows and columns. */
void es_spread_law(double *share, int64_t n, int64_t C);

#endif
