// SPDX-License-Identifier: GPL-3.0-or-later
/* The nearest rows of a table, exactly: every row is compared, and the order is that of float64.
 *
 * Rows are multiplied by the query on the device in float32: a few at a time, which stay in a processor's cache, or, where the
 * device's memory is not the host's, as the table lies there.  How far such a product can be off is known, so only
 * rows that may belong to the best are computed again in float64. */
#ifndef ES_LAYER_NEAR_H
#define ES_LAYER_NEAR_H

#include "base/watch.h"
#include "core/table.h"

typedef enum es_measure { ES_BY_COSINE, ES_BY_DOT, ES_BY_EUCLID, ES_N_MEASURES } es_measure;

const char *es_measure_name(es_measure by); /* "cosine" */

typedef struct es_neighbour {
    int64_t id;
    double score; /* cosine, q · row, or the distance |q - row| */
} es_neighbour;

typedef struct es_near_query {
    const double *q; /* C numbers, all finite */
    es_measure by;
    const int32_t *skip; /* n_skip rows that are no answer */
    size_t n_skip;
} es_near_query;

/* A table that is searched again and again.  The length of each row is kept (8 V bytes) from the first
 * search on (where the device's memory is not the host's the first search measures all, and has the whole of the
 * table there), and the rows of a small table that does not lie in memory as float32 already (at most 64 MB).
 * One search at a time. */
typedef struct es_near es_near;

/* A reference to the table; be is borrowed.  ES_ERR_NOMEM.  Free with es_near_free, before the table leaves a device
 * (es_table_leave) or that is closed. */
es_near *es_near_new(es_table *table, es_backend *be, es_error *err);
void es_near_free(es_near *n); /* NULL is fine */
const es_table *es_near_table(const es_near *n);
const es_backend *es_near_device(const es_near *n);

/* best[0..*found) = the nearest rows, best first, ties by id; at most `top` of them.  No answer are the
 * rows to skip, rows with NaN or Inf in them and, by cosine, rows of zeros, which have no direction.
 * watch (may be NULL) counts rows.  Memory beside what is kept, for each thread: `top`
 * neighbours and 32 KB of rows, or a row if that is longer.
 * ES_ERR_VALUE by cosine to a query of zeros; ES_ERR_INTERRUPTED, ES_ERR_NOMEM, ES_ERR_BACKEND. */
bool es_near_search(es_near *n, es_neighbour *best, int64_t top, int64_t *found,
                    const es_near_query *query, es_watch *watch, es_error *err);

/* The same for many queries at once, each with its own measure and rows to skip: query i fills best[i * top ..] and
 * found[i], with what it would find alone.  Each tile of the table is multiplied by up to 1,024 of them in one product.
 * Memory beside what is kept: some 20 MB, on a device far away up to 200 MB.  watch counts rows, once for every 1,024
 * queries.  The same errors. */
bool es_near_search_many(es_near *n, es_neighbour *best, int64_t top, int64_t *found,
                         const es_near_query *query, int64_t n_queries, es_watch *watch,
                         es_error *err);

/* How many of the rows searched so far hold NaN or Inf. */
int64_t es_near_nonfinite(const es_near *n);

#endif
