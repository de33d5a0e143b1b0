// SPDX-License-Identifier: GPL-3.0-or-later
/* x[…]: reading and writing by integers, slices, None, "...", integer tensors and masks; rows of tables. */
#ifndef ES_TORCH_INDEX_H
#define ES_TORCH_INDEX_H

#include "torch/torch.h"
#include "torch/weight.h"

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
/* x[sub…] = value.  Errors as es_torch_index and es_torch_assign.  Where k says shapes only, nothing is written. */
bool es_torch_index_put(es_torch *k, const es_tensor *x, const es_sub *sub, int n,
                        const es_tensor *value, es_error *err);

/* ---- embedding.c ---- */

/* Rows of weight (V, C) by ids int64 or int32 of any shape: ids' axes, then C.  No id wraps.  name: "wte", for the
 * message, or NULL.  ES_ERR_INDEX_RANGE names the id and its place; ES_ERR_DTYPE; ES_ERR_DEVICE. */
bool es_torch_embedding(es_torch *k, es_tensor *out, const es_tensor *weight, const es_tensor *ids,
                        const char *name, es_error *err);
/* Are its rows those of positions, as far as its name and that of its axis say? */
bool es_torch_is_positions(const es_tensor *weight, const char *name);
/* int64, ids' axes, then classes (-1: the largest id and one more).  label: of the classes, or NULL. */
bool es_torch_one_hot(es_torch *k, es_tensor *out, const es_tensor *ids, int64_t classes,
                      const es_label *label, es_error *err);

/* ---- gather.c: picking by number along one axis ---- */

/* out[i, j, …] = x[i, index[i, j, …], …] for axis 1, and so on: out has index's sizes. */
bool es_torch_gather(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                     const es_tensor *index, es_error *err);
/* gather, x and index stretched to each other beside the axis. */
bool es_torch_take_along(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *index,
                         int64_t axis, es_error *err);
/* The places index (n) of an axis, or one (rank 0). */
bool es_torch_index_select(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                           const es_tensor *index, es_error *err);
/* x[mask] after stretching both to one. */
bool es_torch_masked_select(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *mask,
                            es_error *err);
/* int64 (n, rank): where x is not 0. */
bool es_torch_nonzero(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err);

#endif
