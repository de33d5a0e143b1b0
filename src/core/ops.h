// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensor arithmetic on float32.  Each function checks types, shapes, ranges and devices once, then
 * calls the backend of its operands.  The caller makes every output, of the shape the line says. */
#ifndef ES_CORE_OPS_H
#define ES_CORE_OPS_H

#include "core/tensor.h"

/* The shape of x op y: axes align from the right, a 1 or an absent axis stretches; a label of
 * either side is kept.  ES_ERR_BROADCAST names the axis and both sizes. */
bool es_broadcast_shape(es_shape *out, const es_shape *x, const es_shape *y, es_error *err);

/* out (B, T, C) = table (V, C) rows by ids (B * T, dense), plus add (stretched to (B, T, C)) unless
 * that is NULL.  ES_ERR_INDEX_RANGE names the id and its place, before anything is written. */
bool es_gather(es_tensor *out, const es_tensor *table, const int32_t *ids, const es_tensor *add,
               es_error *err);

/* Is every one of ids (B * T) a row of a table of V rows?  what: the table's name, for the message. */
bool es_check_ids(const int32_t *ids, int64_t B, int64_t T, int64_t V, const char *what,
                  es_error *err);

/* table[ids[n], :] += rows[n, :].  ES_ERR_INDEX_RANGE. */
bool es_scatter_add(es_tensor *table, const int32_t *ids, const es_tensor *rows, es_error *err);

/* out = x op y (y NULL for one operand), operands stretched to out's shape. */
bool es_map(es_map_op op, es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err);
bool es_add(es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err);

/* out = x with `axis` reduced to size 1.  Max and min of nothing are ES_ERR_VALUE. */
bool es_reduce(es_reduce_op op, es_tensor *out, const es_tensor *x, int axis, es_error *err);

/* out (…, M, N) = x (…, M, K) @ y (…, K, N); leading axes stretch.  ES_ERR_MATMUL. */
bool es_matmul(es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err);

bool es_softmax(es_tensor *out, const es_tensor *x, int axis, es_error *err);

/* The k largest along the last axis: values (…, k), index dense int64.  ES_ERR_RANGE for k. */
bool es_topk(es_tensor *values, int64_t *index, const es_tensor *x, es_error *err);

bool es_copy(es_tensor *out, const es_tensor *x, es_error *err);

#endif
