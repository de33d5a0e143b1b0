// SPDX-License-Identifier: GPL-3.0-or-later
/* Results whose places are those of the input, again or in another order: for each axis a list says which. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/join.h"
#include "torch/label.h"
#include "torch/move.h"
#include "torch/views.h"

typedef struct places {
    int64_t *at[ES_MAX_DIMS]; /* NULL: all, in order */
} places;

static void forget(places *p)
{
    for (int d = 0; d < ES_MAX_DIMS; d++)
        free(p->at[d]);
}

/* Room for the places of an axis; nothing where there is nothing to read. */
static bool room(const es_torch *k, places *p, int d, const es_tensor *x, const es_shape *shape,
                 es_error *err)
{
    const es_shape line = es_shape_1d("", shape->dim[d]);
    int64_t n = shape->dim[d];
    if (k->shapes_only || es_torch_meta(x) || n == 0)
        return true;
    if (!es_torch_fits(k, x->dtype, shape, err) || !es_torch_fits(k, ES_INT64, &line, err))
        return false;
    free(p->at[d]);
    p->at[d] = es_try_alloc((size_t)n, sizeof(int64_t), "the places of an axis", err);
    return p->at[d] != NULL;
}

static bool take(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape, places *p,
                 bool ok, es_error *err)
{
    ok = ok && es_torch_take(k, out, x, shape, (const int64_t *const *)p->at, err);
    forget(p);
    return ok;
}

/* ---- repeat ---- */

static bool wrong_times(const es_tensor *x, const es_shape *times, es_error *err)
{
    if (times->ndim < x->shape.ndim) {
        es_fail(err, ES_ERR_DIM_RANGE, "the tensor has %d axes, and only %d are said how often",
                x->shape.ndim, times->ndim);
        es_torch_says(err, "Number of dimensions of repeat dims can not be smaller than number of "
                           "dimensions of tensor");
        return true;
    }
    for (int d = 0; d < times->ndim; d++)
        if (times->dim[d] < 0) {
            es_fail(err, ES_ERR_VALUE, "an axis cannot come %" PRId64 " times", times->dim[d]);
            es_torch_says(err, "Trying to create tensor with negative dimension %" PRId64,
                          times->dim[d]);
            return true;
        }
    return false;
}

/* T five times is 5T; of a 1 it is what the number of times is called. */
static es_label times_label(const es_label *own, int64_t size, int64_t times, const es_label *of)
{
    if (times == 1 || (es_label_is_named(own) && size != 1))
        return es_label_times(own, times);
    return size == 1 && es_label_is_named(of) ? *of : *own;
}

bool es_torch_repeat(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *times,
                     es_error *err)
{
    *out = (es_tensor){0};
    if (wrong_times(x, times, err))
        return false;
    es_shape shape = *times;
    es_tensor wide = *x; /* with as many axes; borrows x's memory */
    int extra = times->ndim - x->shape.ndim;
    wide.shape.ndim = times->ndim;
    places p = {{NULL}};
    bool ok = true;
    for (int d = times->ndim - 1; d >= 0; d--) {
        int from = d - extra;
        wide.shape.dim[d] = from >= 0 ? x->shape.dim[from] : 1;
        wide.stride[d] = from >= 0 ? x->stride[from] : 0;
        wide.shape.label[d] = from >= 0 ? x->shape.label[from] : es_label_named("");
        if (__builtin_mul_overflow(wide.shape.dim[d], times->dim[d], &shape.dim[d]))
            shape.dim[d] = INT64_MAX;
        shape.label[d] =
            times_label(&wide.shape.label[d], wide.shape.dim[d], times->dim[d], &times->label[d]);
    }
    for (int d = 0; ok && d < times->ndim; d++) {
        ok = times->dim[d] == 1 || room(k, &p, d, x, &shape, err);
        for (int64_t i = 0; p.at[d] && i < shape.dim[d]; i++)
            p.at[d][i] = i % wide.shape.dim[d];
    }
    return take(k, out, &wide, &shape, &p, ok, err);
}

/* ---- repeat_interleave ---- */

static bool total(int64_t *out, const int64_t *times, int64_t n, int64_t size, es_error *err)
{
    *out = 0;
    if (n != 1 && n != size) {
        es_fail(err, ES_ERR_VALUE,
                "%" PRId64 " numbers say how often each of %" PRId64 " places comes", n, size);
        return es_torch_says(err, "repeats must have the same size as input along dim");
    }
    for (int64_t i = 0; i < n && size; i++) {
        int64_t t = times[i];
        if (t < 0) {
            es_fail(err, ES_ERR_VALUE, "a place cannot come %" PRId64 " times", t);
            return es_torch_says(err, "repeats can not be negative");
        }
        if (n == 1 ? __builtin_mul_overflow(size, t, out) : __builtin_add_overflow(*out, t, out))
            *out = INT64_MAX;
    }
    return true;
}

bool es_torch_repeat_interleave(es_torch *k, es_tensor *out, const es_tensor *x,
                                const int64_t *times, int64_t n, int64_t typed, es_error *err)
{
    int axis;
    es_shape shape = x->shape;
    places p = {{NULL}};
    *out = (es_tensor){0};
    if (x->shape.ndim == 0)
        return es_fail(err, ES_ERR_DIM_RANGE, "a single number has no axis whose places repeat");
    if (!es_torch_axis(&axis, typed, x->shape.ndim, err) ||
        !total(&shape.dim[axis], times, n, x->shape.dim[axis], err))
        return false;
    const es_label *own = &x->shape.label[axis];
    if (n == 1)
        shape.label[axis] = times_label(own, x->shape.dim[axis], times[0], own);
    else if (es_label_is_named(own))
        shape.label[axis] = es_label_named("?");
    bool ok = room(k, &p, axis, x, &shape, err);
    for (int64_t i = 0, to = 0; p.at[axis] && i < x->shape.dim[axis]; i++)
        for (int64_t t = times[n == 1 ? 0 : i]; t > 0; t--)
            p.at[axis][to++] = i;
    return take(k, out, x, &shape, &p, ok, err);
}

/* ---- flip and roll ---- */

bool es_torch_flip(es_torch *k, es_tensor *out, const es_tensor *x, const int *axes, int n,
                   es_error *err)
{
    places p = {{NULL}};
    bool ok = true;
    *out = (es_tensor){0};
    for (int i = 0; ok && i < n; i++) {
        int d = axes[i];
        int64_t size = x->shape.dim[d];
        ok = room(k, &p, d, x, &x->shape, err);
        for (int64_t j = 0; p.at[d] && j < size; j++)
            p.at[d][j] = size - 1 - j;
    }
    return take(k, out, x, &x->shape, &p, ok, err);
}

bool es_torch_roll(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *shifts,
                   const int *axes, int n, es_error *err)
{
    places p = {{NULL}};
    int64_t by[ES_MAX_DIMS] = {0};
    bool ok = true;
    *out = (es_tensor){0};
    for (int i = 0; i < n; i++) {
        int64_t size = x->shape.dim[axes[i]];
        if (size > 0)
            by[axes[i]] = (by[axes[i]] + (shifts[i] % size + size) % size) % size;
    }
    for (int d = 0; ok && d < x->shape.ndim; d++) {
        int64_t size = x->shape.dim[d];
        ok = by[d] == 0 || room(k, &p, d, x, &x->shape, err);
        for (int64_t j = 0; p.at[d] && j < size; j++)
            p.at[d][j] = (j + size - by[d]) % size;
    }
    return take(k, out, x, &x->shape, &p, ok, err);
}
