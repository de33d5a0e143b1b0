// SPDX-License-Identifier: GPL-3.0-or-later
/* A lookup written out as the matrix product it is: one_hot(ids) (N, V) @ wte (V, C). */
#ifndef ES_LAYER_ONEHOT_H
#define ES_LAYER_ONEHOT_H

#include "base/watch.h"
#include "core/table.h"

/* Both results compared, N * C numbers. */
typedef struct es_onehot {
    int64_t numbers; /* N * C */
    int64_t equal;   /* as numbers: -0 equals 0, and NaN equals NaN in the same place */
    int64_t
        spoiled; /* finite in the lookup, NaN in the product: 0 times NaN or infinity was in it */
    double most; /* the largest difference where both are finite */
    int64_t bad_rows;                       /* of wte with a number that is not finite */
    int64_t bad_row, bad_channel;           /* the first of them; -1: none */
    double lookup_seconds, product_seconds; /* reading (or making) the rows included */
} es_onehot;

/* What one way costs: bytes read from the table, and multiply-adds. */
typedef struct es_onehot_cost {
    double bytes, multiply_adds;
} es_onehot_cost;

/* Really computes both for ids (N) on device be, the product in blocks of rows of the table and of
 * tokens: beside the two results of up to 8,192 tokens some 10 MB are allocated, whatever V and N are.  Where wte lies on
 * a device whose memory is not the host's the blocks are rows as they lie there, the one-hot is made there too, and it takes
 * some 200 MB.
 * Sets watch->total to the rows that will be read.
 * ES_ERR_INDEX_RANGE, ES_ERR_NOMEM, ES_ERR_BACKEND, ES_ERR_INTERRUPTED. */
bool es_onehot_compare(es_onehot *out, es_backend *be, const es_table *wte, const int32_t *ids,
                       int64_t N, es_watch *watch, es_error *err);

/* N tokens: N rows are read, nothing is multiplied. */
es_onehot_cost es_onehot_lookup_cost(const es_table *wte, int64_t N);
/* The whole table is read once, and every row is multiplied for every token. */
es_onehot_cost es_onehot_product_cost(const es_table *wte, int64_t N);
/* Bytes of the one-hot matrix (N, V) itself, in float32. */
double es_onehot_bytes(const es_table *wte, int64_t N);

#endif
