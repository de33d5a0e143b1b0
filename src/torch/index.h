// SPDX-License-Identifier: GPL-3.0-or-later
/* x[…]: reading and writing by integers, slices, None, "...", integer tensors and masks; rows of tables. */
#ifndef ES_TORCH_INDEX_H
#define ES_TORCH_INDEX_H

#include "core/table.h"
#include "torch/torch.h"

typedef enum es_sub_kind {
    ES_SUB_INT,
    ES_SUB_SLICE,
    ES_SUB_NEW,
    ES_SUB_REST,
    ES_SUB_TENSOR
} es_sub_kind;

/* One of the subscripts between the brackets. */
typedef struct es_sub {
    es_sub_kind kind;
    int64_t i; /* INT */
    struct {
        bool begin, end, step; /* which are given */
    } has;
    int64_t begin, end, step;
    const char
        *text; /* SLICE: as typed, for the label "T[:3]"; NULL: unknown, the label becomes "?" */
    const es_tensor *t; /* TENSOR: int64, int32 or bool; borrowed */
} es_sub;

/* x[sub…]: a view where all are integers, slices, None and "...", else new memory.  ES_ERR_INDEX_RANGE names the
 * index, its place, the axis and its size; ES_ERR_DIM_RANGE too many subscripts; ES_ERR_SLICE a step below 1;
 * ES_ERR_BROADCAST index tensors that do not stretch to one; ES_ERR_DTYPE a float index. */
bool es_torch_index(es_torch *k, es_tensor *out, const es_tensor *x, const es_sub *sub, int n,
                    es_error *err);
/* x[sub…] = value.  add: x[sub…] += value.  Errors as es_torch_index and es_torch_assign. */
bool es_torch_index_put(es_torch *k, const es_tensor *x, const es_sub *sub, int n,
                        const es_tensor *value, es_error *err);

/* (rows, C) of a table as a float32 tensor with those labels: its memory is the table's whole, made on first
 * need and lent; es_torch_embedding and x[ids] read single rows of it without that. */
bool es_torch_weight(es_tensor *out, es_table *table, es_backend *be, const char *rows,
                     const char *C);

/* Rows of weight (V, C) by ids int64 or int32 of any shape: ids' axes, then C.  No id wraps.  name: "wte", for the
 * message.  ES_ERR_INDEX_RANGE names the id and its place; ES_ERR_DTYPE; ES_ERR_DEVICE. */
bool es_torch_embedding(es_torch *k, es_tensor *out, const es_tensor *weight, const es_tensor *ids,
                        const char *name, es_error *err);
/* int64, ids' axes, then classes (-1: the largest id and one more). */
bool es_torch_one_hot(es_torch *k, es_tensor *out, const es_tensor *ids, int64_t classes,
                      const es_label *label, es_error *err);

#endif
