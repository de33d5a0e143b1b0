// SPDX-License-Identifier: GPL-3.0-or-later
/* The different numbers, and how often each comes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/cells.h"
#include "torch/device.h"
#include "torch/filling.h"
#include "torch/host.h"
#include "torch/move.h"
#include "torch/order.h"

/* ---- unique ---- */

/* x as one axis. */
static bool flat_order(es_torch *k, es_tensor *indices, const es_tensor *x, es_error *err)
{
    es_shape flat = {.ndim = 1, .dim = {es_shape_count(&x->shape)}};
    static const int64_t *const all[ES_MAX_DIMS];
    es_tensor dense;
    if (!es_torch_take(k, &dense, x, &x->shape, all, err))
        return false;
    dense.shape = flat;
    dense.stride[0] = 1;
    bool ok = es_torch_sort(k, NULL, indices, &dense, 0, false, err);
    es_tensor_free(&dense);
    return ok;
}

/* NaN is unlike everything, itself too. */
static bool same_number(const es_tensor *x, int64_t i, int64_t j)
{
    return es_dtype_is_float(x->dtype) ? es_torch_get_float(x, i) == es_torch_get_float(x, j)
                                       : es_torch_get_int(x, i) == es_torch_get_int(x, j);
}

/* How many different numbers there are; group[p] which one the p-th in order is. */
static int64_t group_equal(int64_t *group, const es_tensor *x, const int64_t *order, int64_t n)
{
    int64_t groups = 0;
    for (int64_t p = 0; p < n; p++) {
        groups += p == 0 || !same_number(x, order[p - 1], order[p]);
        group[p] = groups - 1;
    }
    return groups;
}

static bool unique(es_torch *k, es_tensor *values, es_tensor *inverse, es_tensor *counts,
                   const es_tensor *x, const int64_t *order, int64_t *group, es_error *err)
{
    int64_t n = es_shape_count(&x->shape);
    es_shape found = es_shape_1d("n", group_equal(group, x, order, n));
    if (!es_torch_new(k, values, x->buf->be, x->dtype, &found, err) ||
        !es_torch_new(k, inverse, x->buf->be, ES_INT64, &x->shape, err) ||
        !es_torch_new(k, counts, x->buf->be, ES_INT64, &found, err))
        return false;
    if (!es_host_instead(values, err))
        return false;
    int64_t *count = counts->buf->mem, *which = inverse->buf->mem;
    memset(count, 0, (size_t)found.dim[0] * sizeof *count);
    for (int64_t p = 0; p < n; p++) {
        if (count[group[p]]++ == 0) {
            if (es_dtype_is_float(x->dtype))
                es_torch_put_float(values, group[p], es_torch_get_float(x, order[p]));
            else
                es_torch_put_int(values, group[p], es_torch_get_int(x, order[p]));
        }
        which[order[p]] = group[p];
        if (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    return es_host_done(k, values, err);
}

bool es_torch_unique(es_torch *k, es_tensor *values, es_tensor *inverse, es_tensor *counts,
                     const es_tensor *x, es_error *err)
{
    es_tensor here = {0}, order = {0}, v = {0}, i = {0}, c = {0};
    *values = (es_tensor){0};
    if (!es_host_operand(k, &here, x, NULL, "unique", err))
        return false;
    if (!flat_order(k, &order, &here, err)) {
        es_tensor_free(&here);
        return false;
    }
    int64_t n = es_shape_count(&x->shape);
    int64_t *group = es_try_alloc((size_t)n + 1, sizeof *group, "the different numbers", err);
    bool ok = group && (!es_torch_meta(&order) || es_torch_ready(k, &order, "unique", err)) &&
              unique(k, &v, &i, &c, &here, order.buf->mem, group, err);
    free(group);
    es_tensor_free(&order);
    es_tensor_free(&here);
    if (!ok || !inverse)
        es_tensor_free(&i);
    if (!ok || !counts)
        es_tensor_free(&c);
    if (!ok) {
        es_tensor_free(&v);
        return false;
    }
    *values = v;
    if (inverse)
        *inverse = i;
    if (counts)
        *counts = c;
    return true;
}

/* ---- bincount ---- */

static bool wrong_input(const es_tensor *x, const es_tensor *weights, int64_t least, es_error *err)
{
    if (es_dtype_is_float(x->dtype)) {
        es_fail(err, ES_ERR_DTYPE, "bincount counts whole numbers, and these are %s",
                es_dtype_name(x->dtype));
        return !es_torch_says(err, "\"bincount_cpu\" not implemented for '%s'",
                              es_torch_scalar_name(x->dtype));
    }
    if (x->shape.ndim != 1) {
        es_fail(err, ES_ERR_VALUE, "bincount counts along one axis, and the tensor has %d",
                x->shape.ndim);
        es_hint(err, "try: .flatten()");
        return !es_torch_says(err, "bincount only supports 1-d non-negative integral inputs.");
    }
    if (weights && !es_torch_same_device(x, weights, NULL, err))
        return true;
    if (weights && !es_shape_equal(&weights->shape, &x->shape)) {
        es_fail(err, ES_ERR_VALUE, "there must be a weight for each of the %" PRId64 " numbers",
                x->shape.dim[0]);
        return !es_torch_says(err, "weights should be 1-d and have the same length as input");
    }
    if (least < 0) {
        es_fail(err, ES_ERR_VALUE, "a length cannot be %" PRId64, least);
        return !es_torch_says(err, "minlength should be >= 0");
    }
    return false;
}

static bool largest_of(es_torch *k, int64_t *most, const es_tensor *x, es_error *err)
{
    *most = -1;
    for (int64_t i = 0, n = x->shape.dim[0]; i < n; i++) {
        int64_t v = es_torch_get_int(x, i);
        if (v < 0) {
            es_fail(err, ES_ERR_VALUE,
                    "bincount counts from 0, and there is %" PRId64 " at [%" PRId64 "]", v, i);
            return es_torch_says(err, "bincount only supports 1-d non-negative integral inputs.");
        }
        *most = v > *most ? v : *most;
        if (i % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

/* out, in host memory, from x, int or bool, and weights, all of them in host memory. */
static bool fill_bins(es_torch *k, const es_tensor *out, const es_tensor *x,
                      const es_tensor *weights, es_error *err)
{
    memset(out->buf->mem, 0, (size_t)out->shape.dim[0] * es_dtype_size(out->dtype));
    for (int64_t i = 0; i < x->shape.dim[0]; i++) {
        int64_t bin = es_torch_get_int(x, i);
        if (weights)
            es_torch_put_float(out, bin,
                               es_torch_get_float(out, bin) + es_torch_get_float(weights, i));
        else
            ((int64_t *)out->buf->mem)[bin]++;
        if (i % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

static bool count_bins(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *weights,
                       int64_t least, const es_label *label, es_error *err)
{
    int64_t most;
    if (!largest_of(k, &most, x, err))
        return false;
    bool longer = most >= least;
    es_shape shape = es_shape_1d(longer ? "" : label->s, longer && most < INT64_MAX ? most + 1
                                                         : longer                   ? most
                                                                                    : least);
    es_dtype dtype = !weights ? ES_INT64 : weights->dtype == ES_FLOAT32 ? ES_FLOAT32 : ES_FLOAT64;
    if (!es_torch_new(k, out, x->buf->be, dtype, &shape, err))
        return false;
    if (es_torch_meta(out) || (es_host_instead(out, err) && fill_bins(k, out, x, weights, err) &&
                               es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_bincount(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *weights,
                       int64_t least, const es_label *label, es_error *err)
{
    const es_tensor *const t[] = {x, weights};
    es_tensor here[2] = {{0}};
    *out = (es_tensor){0};
    if (wrong_input(x, weights, least, err) ||
        !es_host_operands(k, here, t, weights ? 2 : 1, NULL, "bincount", err))
        return false;
    bool ok = count_bins(k, out, &here[0], weights ? &here[1] : NULL, least, label, err);
    es_tensor_free(&here[0]);
    es_tensor_free(&here[1]);
    return ok;
}
