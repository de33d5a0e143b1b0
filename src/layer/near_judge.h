// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_near: by products in float32 most rows are passed over, the others are judged in float64, and the best
 * are kept. */
#ifndef ES_LAYER_NEAR_JUDGE_H
#define ES_LAYER_NEAR_JUDGE_H

#include "layer/near_rows.h"

/* The best so far: a heap, the worst of them on top. */
typedef struct es_heap {
    es_neighbour *of; /* score: larger is nearer, whatever the measure */
    int64_t n, cap;
} es_heap;

void es_heap_offer(es_heap *h, es_neighbour next);

/* One query, with what is worked out of it once. */
typedef struct es_judge {
    const es_near *near;
    const es_near_query *query;
    double length; /* of q */
} es_judge;

/* ES_ERR_VALUE by cosine to a query of zeros. */
bool es_judge_begin(es_judge *j, const es_near *near, const es_near_query *query, es_error *err);
/* The query as it is multiplied: C numbers of length 1, or zeros. */
void es_judge_unit(float *unit, const es_judge *j);

/* Some rows of the table and what they came to. */
typedef struct es_judged {
    int64_t first, n;
    const float *score;   /* [n] products with the query at length 1, in float32 */
    const double *length; /* [n] */
    const float *rows;    /* (n, C) dense; NULL: those that matter are read, one at a time */
    float *room;          /* for one row; NULL if there are rows */
} es_judged;

/* Those of the rows that belong to the best.  Threads may judge for different queries at once.  Fails where reading a
 * row does. */
bool es_judge_rows(const es_judge *j, es_heap *best, const es_judged *rows, es_error *err);

/* Best first, distances as such, from now on no heap.  Returns how many. */
int64_t es_judge_end(const es_judge *j, es_heap *best);

#endif
