// SPDX-License-Identifier: GPL-3.0-or-later
/* What a picture keeps of a table: neighbours, their order, distances. */
#ifndef ES_ANALYSIS_QUALITY_H
#define ES_ANALYSIS_QUALITY_H

#include "analysis/knn.h"
#include "layer/near.h"

enum { ES_QUALITY_NEAREST = 15, ES_QUALITY_BY_LOT = 128 };

typedef struct es_quality {
    int k; /* neighbours looked at: ES_QUALITY_NEAREST, or all others where there are fewer */
    double
        kept; /* of a token's k nearest rows, how many are among its k nearest points: the mean, 0..k */
    int64_t n_kept; /* over so many tokens */
    double
        trust; /* trustworthiness, 0..1: 1, none is near in the picture that is not near in the table */
    int64_t n_trust;
    double spearman; /* rank correlation of the distances of pairs; NaN: all are alike */
    int64_t n_pairs; /* drawn by lot, from `seed` */
    uint64_t seed;
    int64_t
        n_rows; /* rows that have a direction and a place in the picture: nobody else is looked at or counted */
} es_quality;

/* Of the picture at (n, d), d 2 or 3; NaN: no place.  Near in the table is by cosine (layer/near.h), near in the picture
 * by distance, ties by id.  Distances of pairs: |a/|a| - b/|b|| and |p - q|; equal ones share their rank.
 * Trustworthiness: Venna and Kaski 2001, eq. 1; over m of n tokens its mean is taken over these.  The rank of j for i
 * counts rows with a larger cosine to i, in float32: what that cannot tell apart shares the best rank.  By lot: one of each
 * of m stretches, from `seed`; pairs are all there are where these are no more than ES_LOT_PAIRS.  Deterministic for any
 * number of threads.  ES_ERR_VALUE: fewer than three rows that count; ES_ERR_NOMEM, ES_ERR_INTERRUPTED, ES_ERR_BACKEND. */

/* Of ES_QUALITY_BY_LOT tokens, whose neighbours are searched for: no graph is needed. */
bool es_quality_quick(es_quality *out, es_near *near, const float *at, int d, uint64_t seed,
                      es_watch *watch, es_error *err);

/* Over how many tokens trustworthiness is taken; all that is kept is over all. */
typedef enum es_quality_effort {
    ES_QUALITY_USUAL, /* all where n * n * C is at most 4e11, else 2,000 by lot */
    ES_QUALITY_ALL
} es_quality_effort;

/* With the graph of t, of as many neighbours as are looked at or more.  kept[0..n) (may be NULL) = how many of each token's k
 * nearest rows are among its k nearest points, -1: it has no row or no place; told also of fewer than three. */
bool es_quality_measure(es_quality *out, int8_t *kept, es_quality_effort effort, const es_table *t,
                        const es_knn *knn, const float *at, int d, uint64_t seed, es_watch *watch,
                        es_error *err);

#endif
