// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_layout: the rows that take part in a layout, with a graph and a start of their own. */
#ifndef ES_ANALYSIS_LAYOUT_ROWS_H
#define ES_ANALYSIS_LAYOUT_ROWS_H

#include "analysis/knn.h"

typedef struct es_layout_rows {
    es_knn
        knn; /* of the m rows that take part, by their places among these; lists may be shorter than k */
    float *start; /* (m, 2) */
    int32_t *id;  /* (m) which rows they are, ascending */
} es_layout_rows;

/* Those of knn's rows that start (n, 2) at finite numbers and have neighbours of which the same is true.  ES_ERR_VALUE:
 * they are fewer than four; ES_ERR_NOMEM.  Free with es_layout_rows_free. */
bool es_layout_rows_of(es_layout_rows *out, const es_knn *knn, const float *start, es_error *err);
void es_layout_rows_free(es_layout_rows *r); /* safe on an empty one, which it becomes */

#endif
