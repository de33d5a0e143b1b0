// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_near: the rows of a table as float32, their lengths, and their products with a query, a tile
 * at a time. */
#ifndef ES_LAYER_NEAR_ROWS_H
#define ES_LAYER_NEAR_ROWS_H

#include "core/tensor.h"
#include "layer/near.h"

struct es_near {
    es_table *table;
    es_backend *be;
    int64_t V, C;
    int64_t rows, n_tiles; /* rows of a tile; the last may have fewer */
    unsigned char *ready;  /* [n_tiles] of which what follows is known */
    double *squares;       /* [V] of the length of each row */
    float *kept;           /* (V, C) the rows themselves; NULL: they are not kept */
    int64_t nonfinite;     /* rows with NaN or Inf, of the tiles that are ready */
};

/* What one thread needs to multiply tiles by a query. */
typedef struct es_products {
    es_near *near;
    const es_tensor *unit; /* (C, 1) the query */
    float *score;          /* [rows] what a tile came to */
    es_tensor result;      /* (rows, 1) */
    es_tensor block;   /* (rows, C) where the device does not read the host's memory; else empty */
    float *host;       /* (rows, C) where rows are neither at hand nor kept */
    int32_t *ids;      /* [rows] */
    int64_t nonfinite; /* rows with NaN or Inf that this thread was the first to see */
} es_products;

/* ES_ERR_NOMEM.  Close with es_products_close, also after a failure. */
bool es_products_open(es_products *p, es_near *n, const es_tensor *unit, es_error *err);
void es_products_close(es_products *p);

/* The rows of tile i, *rows of them from row i * near->rows on: dense, borrowed until the next call.
 * p->score is filled, and so are the squares of their lengths.  Threads never share a tile.  NULL on
 * failure. */
const float *es_products_of(es_products *p, int64_t i, int64_t *rows, es_error *err);

#endif
