// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_knn: which rows may still be among the k nearest of a row, and in the end which they are. */
#ifndef ES_ANALYSIS_KNN_SELECT_H
#define ES_ANALYSIS_KNN_SELECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/knn_rows.h"

/* Of each place as many candidates as there is room for; where that ends, those that can no longer win are dropped,
 * and from then on nobody enters whose product is below `low`.  Products in float32 choose as long as their rounding
 * cannot matter.  Where too many are too close for that, float64 decides, and from then on of each newcomer at once. */
typedef struct es_standing {
    double floor; /* the cosine a newcomer has to beat; -INFINITY as long as products choose */
    int32_t floor_place; /* whose that is: of equals the first is better */
    int32_t count;
} es_standing;

typedef struct es_candidates {
    const es_pointing *rows;
    int64_t k, room;
    double slack;          /* how far a product can be off */
    uint64_t *of;          /* (n, room) product and place in one number, larger is better */
    es_standing *standing; /* [n] */
    float *low;            /* [n] */
} es_candidates;

/* Room for 2 k and some more of each place, or for all. */
bool es_candidates_open(es_candidates *c, const es_pointing *rows, int64_t k, es_error *err);
void es_candidates_close(es_candidates *c); /* safe on an empty one */
double es_candidates_bytes(int64_t n, int64_t k);

/* Where a thread puts cosines in order. */
typedef struct es_scored {
    double cosine;
    int32_t place;
    float product;
} es_scored;

es_scored *es_candidates_desk(const es_candidates *c, es_error *err); /* ES_ERR_NOMEM; free() */

/* There will be offers to n places from `first` on: their memory is asked for ahead. */
void es_candidates_expect(const es_candidates *c, int64_t first, int64_t n);

/* Place `other` has this product with place i. */
void es_candidates_offer(es_candidates *c, es_scored *desk, int64_t i, int64_t other,
                         float product);

/* The k nearest of place i, after everybody was offered: ids in the table and cosines; -1 and 0 where there are no
 * more. */
void es_candidates_best(const es_candidates *c, es_scored *desk, int64_t i, int32_t *id,
                        float *cosine);

#endif
