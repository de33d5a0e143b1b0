// SPDX-License-Identifier: GPL-3.0-or-later
/* The graph of nearest rows of a table, exactly: of every row its k nearest by cosine. */
#ifndef ES_ANALYSIS_KNN_H
#define ES_ANALYSIS_KNN_H

#include "base/str.h"
#include "base/watch.h"
#include "core/table.h"

typedef struct es_knn {
    int64_t n; /* rows */
    int k;
    int32_t *
        id; /* (n, k) the nearest first, ties by id, the row itself left out; -1: there are no more */
    float *cosine; /* (n, k) rounded from float64; 0 where there is no neighbour */
} es_knn;

/* Every row with every other, in tiles of a product of the rows scaled to length 1, each tile for both its rows and its
 * columns.  Float32 never decides: what may belong to the k best, for all that rounding can have done, is multiplied
 * again in float64, so ids and order are those of es_near_search, for any number of threads and on any device.  Products
 * are made by be where that has memory of its own; else (NULL too) here.  Rows with NaN or Inf and
 * rows of zeros have no neighbours and are nobody's.  The watch (may be NULL) counts rows while they are read, then
 * pairs of rows.
 * Memory, beside the graph: the rows at length 1 as float32, once more as they are where they do not lie so in memory,
 * and 16 k + 320 bytes a row.  ES_ERR_VALUE (k < 1, a table without a last row), ES_ERR_NOMEM, ES_ERR_INTERRUPTED,
 * ES_ERR_BACKEND.  Free with es_knn_free. */
bool es_knn_make(es_knn *out, const es_table *t, int k, es_backend *be, es_watch *watch,
                 es_error *err);
/* Room for a graph of n rows, to be filled.  ES_ERR_NOMEM: it is empty. */
bool es_knn_open(es_knn *g, int64_t n, int k, es_error *err);
void es_knn_free(es_knn *g); /* safe on an empty one, which it becomes */

/* The same by way of the user's cache folder: read from there if the graph of these very numbers is there (by a
 * SHA-256 of the rows as float32), else made and left there, whole or not at all.  What cannot be read or written
 * there, or is damaged, is as if it were not there: *note says so in words (may be NULL; empty: nothing to say).
 * A graph with more neighbours serves for fewer.  The folder holds the 8 graphs that were last of use.
 * *cached (may be NULL): it was read. */
bool es_knn_kept(es_knn *out, const es_table *t, int k, es_backend *be, bool *cached, es_str *note,
                 es_watch *watch, es_error *err);

#endif
