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
    int64_t
        measured; /* rows of known length, where the device is far away; there no tile is ever ready */
    const es_tensor *
        whole; /* (V, C) where the device does not read the host's memory, from the first search on */
};

/* What one thread needs to multiply tiles by a query. */
typedef struct es_products {
    es_near *near;
    const es_tensor *unit; /* (C, 1) the query */
    float *score;          /* [rows] what a tile came to */
    double *length;        /* [rows] of the rows */
    es_tensor result;      /* (rows, 1) */
    float *host;           /* (rows, C) where rows are neither at hand nor kept */
    int32_t *ids;          /* [rows] */
    int64_t nonfinite;     /* rows with NaN or Inf that this thread was the first to see */
} es_products;

/* ES_ERR_NOMEM.  Close with es_products_close, also after a failure.  unit NULL: nothing will be multiplied. */
bool es_products_open(es_products *p, es_near *n, const es_tensor *unit, es_error *err);
void es_products_close(es_products *p);

/* The rows of tile i, *rows of them from row i * near->rows on: dense, borrowed until the next call.
 * p->score and p->length are filled, and so are the squares of their lengths.  Threads never share a tile.  NULL on
 * failure. */
const float *es_products_of(es_products *p, int64_t i, int64_t *rows, es_error *err);
/* The same, not multiplied. */
const float *es_products_rows(es_products *p, int64_t i, int64_t *rows, es_error *err);

/* float32 rows in host memory that need no copy: those of the table, or what is kept of it.  NULL: there are none. */
float *es_near_at_hand(const es_near *n);

/* All tiles become ready; where the device is far away the whole table comes to lie there.  The watch (may be NULL) is looked
 * at. */
bool es_near_ready(es_near *n, es_watch *watch, es_error *err);

/* Host memory that a device reads as it lies, as a tensor (rows, C) without a reference to give back: `lent` lives as long as
 * it. */
void es_near_lend(es_tensor *out, es_buffer *lent, es_backend *be, const float *v, int64_t rows,
                  int64_t C);

/* lengths of rows first .. first+rows-1 */
void es_near_lengths(double *length, const es_near *n, int64_t first, int64_t rows);

#endif
