// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/device.h"
#include "torch/elementwise.h"
#include "torch/host.h"
#include "torch/index.h"
#include "torch/label.h"
#include "torch/move.h"
#include "torch/pick.h"
#include "torch/subscript.h"

/* ---- gather ---- */

static bool wrong_index(const es_tensor *x, const es_tensor *index, int axis, const char *what,
                        es_error *err)
{
    if (index->dtype != ES_INT64) {
        es_fail(err, ES_ERR_DTYPE, "%s takes an index of int64, and this one is %s", what,
                es_dtype_name(index->dtype));
        es_hint(err, "try: .long()");
        es_torch_says(err, "%s(): Expected dtype int64 for index", what);
        return true;
    }
    if (x->shape.ndim != index->shape.ndim) {
        es_fail(err, ES_ERR_DIM_RANGE, "the index has %d axes and the input %d: %s wants as many",
                index->shape.ndim, x->shape.ndim, what);
        es_torch_says(err, "Index tensor must have the same number of dimensions as input tensor");
        return true;
    }
    for (int d = 0; d < x->shape.ndim; d++) {
        if (d == axis || index->shape.dim[d] <= x->shape.dim[d])
            continue;
        es_str from = {0}, own = {0};
        es_torch_sizes(&from, &index->shape);
        es_torch_sizes(&own, &x->shape);
        es_fail(err, ES_ERR_INDEX_RANGE,
                "axis %d of the index has %" PRId64 ", and the input only %" PRId64, d,
                index->shape.dim[d], x->shape.dim[d]);
        es_torch_says(err,
                      "Size does not match at dimension %d expected index %s to be smaller than "
                      "self %s apart from dimension %d",
                      d, from.s, own.s, axis);
        es_str_free(&from);
        es_str_free(&own);
        return true;
    }
    return false;
}

static bool outside(const es_tensor *x, int axis, const es_tensor *index, int64_t p, int64_t i,
                    es_error *err)
{
    es_str place = {0};
    const char *label = x->shape.label[axis].s;
    int64_t size = x->shape.ndim ? x->shape.dim[axis] : 1;
    es_torch_place(&place, &index->shape, p);
    es_fail(err, ES_ERR_INDEX_RANGE,
            "index %" PRId64 " at %s is outside axis %d (%s%s%" PRId64 "), whose places are "
            "0..%" PRId64,
            i, place.s, axis, label, *label ? "=" : "", size, size - 1);
    es_str_free(&place);
    return es_torch_says(err,
                         "index %" PRId64 " is out of bounds for dimension %d with size %" PRId64,
                         i, axis, size);
}

/* out's p-th element comes from where index's p-th coordinates say, with i on the axis. */
static int64_t source(const es_tensor *x, const es_shape *index, int axis, int64_t p, int64_t i)
{
    int64_t at = x->shape.ndim ? i * x->stride[axis] : 0;
    for (int d = index->ndim - 1; d >= 0; d--) {
        if (d != axis)
            at += p % index->dim[d] * x->stride[d];
        p /= index->dim[d];
    }
    return at;
}

/* Where in x's memory each number of out is; free() it. */
static int64_t *sources(es_torch *k, const es_tensor *x, int axis, const es_tensor *index,
                        es_error *err)
{
    int64_t limit = x->shape.ndim ? x->shape.dim[axis] : 1, n = es_shape_count(&index->shape);
    int64_t *at = es_try_alloc((size_t)n + 1, sizeof *at, "the places of an index", err);
    bool ok = at != NULL;
    for (int64_t p = 0; ok && p < n; p++) {
        int64_t i = es_torch_get_int(index, p);
        ok = i >= 0 && i < limit ? true : outside(x, axis, index, p, i, err);
        at[p] = ok ? source(x, &index->shape, axis, p, i) : 0;
        if (p % 4096 == 4095 && ok)
            ok = es_watch_step(k->watch, 0, err);
    }
    if (ok)
        return at;
    free(at);
    return NULL;
}

static void fill_gathered(const es_tensor *out, const es_tensor *x, const int64_t *at, int64_t n)
{
    size_t size = es_dtype_size(x->dtype);
    for (int64_t p = 0; p < n; p++)
        memcpy((char *)out->buf->mem + (size_t)p * size,
               (const char *)x->buf->mem + (size_t)(x->offset + at[p]) * size, size);
}

static bool gathered(es_torch *k, const es_tensor *out, const es_tensor *x, int axis,
                     const es_tensor *index, es_error *err)
{
    int64_t n = es_shape_count(&index->shape), *at = sources(k, x, axis, index, err);
    if (!at)
        return false;
    bool ok = true;
    if (es_torch_far(x) && n)
        ok = es_torch_pick(k, out, x, &(es_pick){n, 1, at}, 1, err);
    else
        fill_gathered(out, x, at, n);
    free(at);
    return ok;
}

/* The index's names; the input's where the index has none and takes all of an axis. */
static es_shape gathered_shape(const es_tensor *x, int axis, const es_tensor *index)
{
    es_shape shape = index->shape;
    for (int d = 0; d < shape.ndim; d++)
        if (d != axis && !es_label_is_named(&shape.label[d]) && shape.dim[d] == x->shape.dim[d])
            shape.label[d] = x->shape.label[d];
    return shape;
}

bool es_torch_gather(es_torch *k, es_tensor *out, const es_tensor *x, int64_t typed,
                     const es_tensor *index, es_error *err)
{
    int axis;
    *out = (es_tensor){0};
    if (!es_torch_axis(&axis, typed, x->shape.ndim, err) ||
        wrong_index(x, index, axis, "gather", err) ||
        !es_torch_same_device(x, index, "argument index in method wrapper_CUDA_gather", err))
        return false;
    es_shape shape = gathered_shape(x, axis, index);
    if (!es_torch_like(k, out, es_torch_meta(index) ? index : x, x->dtype, &shape, err))
        return false;
    if (es_torch_meta(out))
        return true;
    if (es_torch_ready(k, x, "gather", err) && es_torch_ready(k, index, "gather", err) &&
        gathered(k, out, x, axis, index, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_take_along(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *index,
                         int64_t typed, es_error *err)
{
    int axis;
    es_shape both, mine, its;
    *out = (es_tensor){0};
    if (!es_torch_axis(&axis, typed, x->shape.ndim, err))
        return false;
    if (x->shape.ndim != index->shape.ndim || x->shape.ndim == 0)
        return es_torch_gather(k, out, x, axis, index, err);
    mine = x->shape;
    its = index->shape;
    mine.dim[axis] = its.dim[axis] = 1;
    if (!es_torch_stretch(k, &both, &mine, &its, err))
        return false;
    mine = its = both;
    mine.dim[axis] = x->shape.dim[axis];
    its.dim[axis] = index->shape.dim[axis];
    mine.label[axis] = x->shape.label[axis];
    its.label[axis] = index->shape.label[axis];
    es_tensor from = {0}, by = {0};
    bool ok = es_tensor_expand(&from, x, &mine, err) && es_tensor_expand(&by, index, &its, err) &&
              es_torch_gather(k, out, &from, axis, &by, err);
    es_tensor_free(&from);
    es_tensor_free(&by);
    return ok;
}

/* ---- index_select ---- */

static int64_t *read_places(es_torch *k, const es_tensor *x, int axis, const es_tensor *index,
                            es_error *err)
{
    int64_t n = es_shape_count(&index->shape), size = x->shape.ndim ? x->shape.dim[axis] : 1;
    int64_t *at = es_torch_fits(k, ES_INT64, &index->shape, err) &&
                          es_torch_ready(k, index, "index_select", err)
                      ? es_try_alloc((size_t)(n ? n : 1), sizeof *at, "an index", err)
                      : NULL;
    for (int64_t p = 0; at && p < n; p++) {
        at[p] = es_torch_get_int(index, p);
        bool ok = at[p] >= 0 && at[p] < size;
        if (!ok) {
            outside(x, axis, index, p, at[p], err);
            es_torch_says(err, "index out of range in self");
        }
        if (!ok || (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))) {
            free(at);
            return NULL;
        }
    }
    return at;
}

bool es_torch_index_select(es_torch *k, es_tensor *out, const es_tensor *x, int64_t typed,
                           const es_tensor *index, es_error *err)
{
    int axis;
    *out = (es_tensor){0};
    if (!es_torch_axis(&axis, typed, x->shape.ndim, err))
        return false;
    if (index->shape.ndim > 1) {
        es_fail(err, ES_ERR_INDEX_RANGE, "the index of index_select has one axis, this one has %d",
                index->shape.ndim);
        return es_torch_says(err, "index_select(): Index is supposed to be a vector");
    }
    if (index->dtype != ES_INT64 && index->dtype != ES_INT32) {
        es_fail(err, ES_ERR_DTYPE, "index_select takes whole numbers, and these are %s",
                es_dtype_name(index->dtype));
        return es_torch_says(err, "index_select(): Expected dtype int32 or int64 for index");
    }
    if (!es_torch_same_device(x, index, "argument index in method wrapper_CUDA__index_select", err))
        return false;
    es_shape shape = x->shape;
    if (shape.ndim > 0) {
        shape.dim[axis] = es_shape_count(&index->shape);
        shape.label[axis] = index->shape.ndim ? index->shape.label[0] : es_label_named("");
    }
    if (es_torch_meta(index))
        return es_torch_like(k, out, index, x->dtype, &shape, err);
    int64_t *at = read_places(k, x, axis, index, err);
    const int64_t *map[ES_MAX_DIMS] = {NULL};
    if (shape.ndim > 0)
        map[axis] = at;
    bool ok =
        at && (axis == 0 && shape.ndim == 2 ? es_torch_gather_rows(k, out, x, at, shape.dim[0], err)
                                            : es_torch_take(k, out, x, &shape, map, err));
    if (ok)
        out->shape = shape;
    free(at);
    return ok;
}

/* ---- masks ---- */

bool es_torch_masked_select(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *mask,
                            es_error *err)
{
    es_shape both;
    *out = (es_tensor){0};
    if (mask->dtype != ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "a mask is of bool, and this one is %s",
                es_dtype_name(mask->dtype));
        return es_torch_says(err, "masked_select: expected BoolTensor for mask");
    }
    if (!es_torch_same_device(x, mask, "argument mask in method wrapper_CUDA_masked_select", err) ||
        !es_torch_stretch(k, &both, &x->shape, &mask->shape, err))
        return false;
    es_tensor from = {0}, by = {0};
    es_sub sub = {.kind = ES_SUB_TENSOR, .t = &by};
    bool ok = es_tensor_expand(&from, x, &both, err) && es_tensor_expand(&by, mask, &both, err) &&
              es_torch_index(k, out, &from, &sub, 1, err);
    es_tensor_free(&from);
    es_tensor_free(&by);
    return ok;
}

bool es_torch_nonzero(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    es_tensor at[ES_MAX_DIMS];
    int ndim = x->shape.ndim;
    *out = (es_tensor){0};
    es_tensor here;
    if (!es_host_operand(k, &here, x, NULL, "nonzero", err))
        return false;
    bool found = es_mask_places(k, at, &here, err);
    int64_t n = !found ? 0 : ndim ? at[0].shape.dim[0] : es_torch_get_float(&here, 0) != 0;
    es_tensor_free(&here);
    if (!found)
        return false;
    es_shape shape = es_shape_2d("n", n, "", ndim);
    bool ok = es_torch_like(k, out, x, ES_INT64, &shape, err);
    for (int d = 0; d < ndim; d++) {
        es_tensor column = *out;
        column.shape = at[d].shape;
        column.stride[0] = ndim;
        column.offset += d;
        ok = ok && (es_torch_meta(out) || es_torch_move(k, &column, &at[d], err));
        es_tensor_free(&at[d]);
    }
    if (!ok)
        es_tensor_free(out);
    return ok;
}
