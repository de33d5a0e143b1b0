// SPDX-License-Identifier: GPL-3.0-or-later
/* A table (rows, C) of which one usually needs a few rows: mapped from a file in the file's own
 * number format, generated row by row, or a tensor in memory.  One face for the three; rows are
 * read as float32.  Tables are immutable and counted: threads may share one. */
#ifndef ES_CORE_TABLE_H
#define ES_CORE_TABLE_H

#include "base/file.h"
#include "base/watch.h"
#include "core/store.h"
#include "core/tensor.h"

typedef struct es_table es_table;

/* Writes row i, C numbers, to out; must be a pure function of i. */
typedef void (*es_row_fn)(const void *context, int64_t i, float *out, int64_t C);

/* A table whose row i is fn(context, i); costs nothing until a row is read.  The context's `size`
 * bytes are copied.  rows may be INT64_MAX: a table without a last row. */
es_table *es_table_generated(int64_t rows, int64_t C, es_row_fn fn, const void *context,
                             size_t size);

/* rows * C numbers at data, which need not be aligned and is borrowed from `owner`: release(owner)
 * is called with the last reference (NULL: nothing to release). */
es_table *es_table_mapped(const void *data, es_store store, int64_t rows, int64_t C, void *owner,
                          void (*release)(void *owner));

/* A float32 tensor (rows, C) on any device; takes a reference of its own. */
es_table *es_table_of_tensor(const es_tensor *t);

es_table *es_table_ref(es_table *t);
void es_table_unref(es_table *t); /* NULL is fine */

int64_t es_table_rows(const es_table *t);
int64_t es_table_width(const es_table *t);      /* C */
const char *es_table_source(const es_table *t); /* "generated", "F16, mapped", "in memory" */

/* out[0..C) = row i, 0 <= i < rows, widened to float32.  Fails only where a device can fail. */
bool es_table_row(const es_table *t, int64_t i, float *out, es_error *err);
/* n rows from `begin` on, dense. */
bool es_table_read(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err);

/* The first number that is NaN or infinite as a row is read, row by row: true and its place.  False:
 * all are finite, or the watch (may be NULL) said stop, or a device failed. */
bool es_table_first_nonfinite(es_table *t, int64_t *row, int64_t *channel, es_watch *watch);

/* The rows as they lie dense in host memory, and their numbers' format; NULL: they do not. */
const void *es_table_data(const es_table *t, es_store *store);

/* out (B, T, C) = rows by ids (B * T, dense).  what: "wte", for the message.  Where the whole lies on out's
 * device they are taken there; else only those rows are read, straight into out's memory where that is the
 * host's, and sent in one piece where it is not.  ES_ERR_INDEX_RANGE, ES_ERR_NOMEM. */
bool es_table_gather(es_tensor *out, const es_table *t, const int32_t *ids, const char *what,
                     es_error *err);

/* The whole table as one float32 tensor on be: made on the first call (to a device far away it is sent in
 * blocks of some MB), kept with the table, one a device, and counted in be's memory.  Threads may ask at once.
 * Borrowed, as long as the table lives or until es_table_leave.  ES_ERR_NOMEM; a table without a last row is
 * ES_ERR_VALUE. */
const es_tensor *es_table_whole(es_table *t, es_backend *be, es_error *err);
/* The same where it lies there already, else NULL: nothing is made. */
const es_tensor *es_table_lies_on(const es_table *t, const es_backend *be);
/* The whole on be is given back, as a device needs before it is closed; tensors that view it keep its memory.
 * Nobody works with this table on that device meanwhile. */
void es_table_leave(es_table *t, const es_backend *be);

#endif
