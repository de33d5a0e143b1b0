// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_quality_measure: how far from each other rows are in the table that stand near each other in the
 * picture. */
#ifndef ES_ANALYSIS_QUALITY_RANK_H
#define ES_ANALYSIS_QUALITY_RANK_H

#include "base/watch.h"
#include "core/table.h"

/* Rows that have a direction and a place, scaled to length 1. */
typedef struct es_directions {
    int64_t n, C;
    float *unit;   /* (n, C) */
    int32_t *id;   /* (n) which rows of the table they are, ascending */
    int32_t *slot; /* (rows of the table) at which place of these each is; -1: not among them */
} es_directions;

/* Of a table: the rows with a number of `at` (rows, d) that is NaN are left out, and those of zeros and with NaN or Inf.
 * Free with es_directions_free.  ES_ERR_VALUE, ES_ERR_NOMEM, ES_ERR_INTERRUPTED, ES_ERR_BACKEND. */
bool es_directions_of(es_directions *out, const es_table *t, const float *at, int d,
                      es_watch *watch, es_error *err);
void es_directions_free(es_directions *u); /* safe on an empty one, which it becomes */

enum { ES_MOST_RANKED = 15 };

/* *beyond = over the m rows `of` (ids of the table) and the k rows near each of them (m, k; ids, -1: there is none; k at
 * most ES_MOST_RANKED): by how much the rank of the near one exceeds k, summed.  That rank is 1 and how many rows have a
 * cosine to the one of `of` that is larger, by more than products in float32 are rounded: equal ones share the best rank.
 * Several threads, the same for any number of these.  The watch (may be NULL) counts rows of `of`.  ES_ERR_NOMEM,
 * ES_ERR_INTERRUPTED. */
bool es_ranks_beyond(int64_t *beyond, const es_directions *u, const int32_t *of, int64_t m,
                     const int32_t *near, int k, es_watch *watch, es_error *err);

#endif
