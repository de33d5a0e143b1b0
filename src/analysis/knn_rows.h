// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_knn: the rows that have a direction, as they are compared. */
#ifndef ES_ANALYSIS_KNN_ROWS_H
#define ES_ANALYSIS_KNN_ROWS_H

#include "base/watch.h"
#include "core/table.h"

/* n rows in the table's order.  Who is compared is named by his place among these. */
typedef struct es_pointing {
    int64_t n, C;
    int32_t *id;       /* [n] which row of the table */
    float *unit;       /* (n, C) at length 1 */
    const float *rows; /* (V, C) the whole table as it is */
    double *square,
        *own_length; /* [n] as a search has them of a row it finds, and of the one that asks */
    int32_t *twin;   /* [n] the first place with the very same numbers, or its own */
    float *own;      /* the memory of `rows`; NULL: they lie so in the table */
} es_pointing;

/* Rows with NaN or Inf and rows of zeros have no direction.  Reads the table once; the watch (may be NULL) counts
 * rows.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED, ES_ERR_BACKEND.  Close with es_pointing_close, also after a failure. */
bool es_pointing_open(es_pointing *p, const es_table *t, es_watch *watch, es_error *err);
void es_pointing_close(es_pointing *p); /* safe on an empty one */

#endif
