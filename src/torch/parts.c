// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "torch/label.h"
#include "torch/move.h"
#include "torch/views.h"

bool es_torch_select(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t i,
                     es_error *err)
{
    (void)k;
    int a;
    *out = (es_tensor){0};
    if (x->shape.ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "a single number has no axis to select from");
        return es_torch_says(err, "select() cannot be applied to a 0-dim tensor.");
    }
    if (!es_torch_axis(&a, axis, x->shape.ndim, err))
        return false;
    int64_t size = x->shape.dim[a];
    if (i < -size || i >= size) {
        es_str sizes = {0};
        const char *label = x->shape.label[a].s;
        es_torch_sizes(&sizes, &x->shape);
        es_fail(err, ES_ERR_INDEX_RANGE,
                "index %" PRId64 " is outside axis %d of size %s%s%" PRId64, i, a, label,
                *label ? "=" : "", size);
        es_torch_says(err,
                      "select(): index %" PRId64 " out of range for tensor of size %s at dimension "
                      "%d",
                      i, sizes.s, a);
        es_str_free(&sizes);
        return false;
    }
    es_tensor_view(out, x);
    out->offset += (i < 0 ? i + size : i) * x->stride[a];
    out->shape.ndim--;
    for (int d = a; d < out->shape.ndim; d++) {
        out->shape.dim[d] = x->shape.dim[d + 1];
        out->shape.label[d] = x->shape.label[d + 1];
        out->stride[d] = x->stride[d + 1];
    }
    return true;
}

/* x[…, begin:begin + length, …], which is known to lie within. */
static void part(es_tensor *out, const es_tensor *x, int a, int64_t begin, int64_t length)
{
    es_tensor_view(out, x);
    out->offset += length > 0 ? begin * x->stride[a] : 0;
    out->shape.dim[a] = length;
}

static es_label part_label(const es_tensor *x, int a, int64_t begin, int64_t length)
{
    char text[48] = "";
    int64_t size = x->shape.dim[a], end = begin + length;
    if (begin == 0 && end == size)
        return x->shape.label[a];
    int n = begin > 0 ? snprintf(text, sizeof text, "%" PRId64, begin) : 0;
    n += snprintf(text + n, sizeof text - (size_t)n, ":");
    if (end < size)
        snprintf(text + n, sizeof text - (size_t)n, "%" PRId64, end);
    return es_label_slice(&x->shape.label[a], text);
}

bool es_torch_narrow(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t begin,
                     int64_t length, es_error *err)
{
    (void)k;
    int a;
    *out = (es_tensor){0};
    if (x->shape.ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "a single number has no axis to narrow");
        return es_torch_says(err, "narrow() cannot be applied to a 0-dim tensor.");
    }
    if (!es_torch_axis(&a, axis, x->shape.ndim, err))
        return false;
    int64_t size = x->shape.dim[a], from = begin < 0 ? begin + size : begin;
    if (length < 0) {
        es_fail(err, ES_ERR_SLICE, "a length of %" PRId64 " is below 0", length);
        return es_torch_says(err, "narrow(): length must be non-negative.");
    }
    if (from < 0 || from > size || length > size - from) {
        es_fail(err, ES_ERR_SLICE,
                "%" PRId64 " places from %" PRId64 " on do not lie within axis %d of size %" PRId64,
                length, begin, a, size);
        return es_torch_says(err,
                             "start (%" PRId64 ") + length (%" PRId64 ") exceeds dimension size "
                             "(%" PRId64 ").",
                             begin, length, size);
    }
    part(out, x, a, from, length);
    out->shape.label[a] = part_label(x, a, from, length);
    return true;
}

/* ---- all parts of an axis ---- */

static bool do_not_add_up(const es_tensor *x, int axis, const int64_t *sizes, int64_t n,
                          double total, es_error *err)
{
    es_str list = {0};
    for (int64_t i = 0; i < n && i < 32; i++)
        es_str_add(&list, "%s%" PRId64, i ? ", " : "", sizes[i]);
    es_fail(err, ES_ERR_SLICE, "parts of [%s%s] are %.0f together, and axis %d has %" PRId64,
            es_str_text(&list), n > 32 ? ", …" : "", total, axis, x->shape.dim[axis]);
    es_torch_says(err,
                  "split_with_sizes expects split_sizes to sum exactly to %" PRId64
                  " (input tensor's size at dimension %d), but got split_sizes=[%s]",
                  x->shape.dim[axis], axis, es_str_text(&list));
    es_str_free(&list);
    return false;
}

bool es_torch_split(es_torch *k, es_tensor *out, const es_tensor *x, int axis, const int64_t *sizes,
                    int64_t n, es_error *err)
{
    (void)k;
    double total = 0;
    bool equal = true;
    for (int64_t i = 0; i < n; i++) {
        if (sizes[i] < 0) {
            es_fail(err, ES_ERR_SLICE, "a part of %" PRId64 " places is below 0", sizes[i]);
            return es_torch_says(err, "split_with_sizes expects split_sizes have only "
                                      "non-negative entries");
        }
        total += (double)sizes[i];
        equal &= sizes[i] == sizes[0];
    }
    if (total != (double)x->shape.dim[axis]) /* sizes are far below 2^53 */
        return do_not_add_up(x, axis, sizes, n, total, err);
    const es_label whole = x->shape.label[axis];
    int64_t begin = 0;
    for (int64_t i = 0; i < n; i++) {
        part(&out[i], x, axis, begin, sizes[i]);
        out[i].shape.label[axis] =
            equal ? es_label_part(&whole, n) : part_label(x, axis, begin, sizes[i]);
        begin += sizes[i];
    }
    return true;
}

bool es_torch_unfold(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis, int64_t size,
                     int64_t step, es_error *err)
{
    (void)k;
    int a, n = x->shape.ndim;
    *out = (es_tensor){0};
    if (!es_torch_axis(&a, axis, n, err))
        return false;
    if (n == 0 || n == ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "unfold is for tensors of 1 to %d axes, not %d",
                       ES_MAX_DIMS - 1, n);
    int64_t have = x->shape.dim[a];
    if (size < 0 || size > have) {
        es_fail(err, ES_ERR_RANGE, "windows of %" PRId64 " do not fit an axis of %" PRId64, size,
                have);
        return es_torch_says(
            err, "maximum size for tensor at dimension %d is %" PRId64 " but size is %" PRId64, a,
            have, size);
    }
    if (step < 1) {
        es_fail(err, ES_ERR_RANGE, "windows are 1 and more apart, not %" PRId64, step);
        return es_torch_says(err, "step is %" PRId64 " but must be > 0", step);
    }
    es_tensor_view(out, x);
    out->shape.ndim++;
    out->shape.dim[n] = size;
    out->shape.label[n] = es_label_named("");
    out->stride[n] = x->stride[a];
    out->shape.dim[a] = (have - size) / step + 1;
    out->shape.label[a] = es_label_named("");
    if (__builtin_mul_overflow(x->stride[a], step, &out->stride[a]))
        out->stride[a] = 0; /* then there is one window */
    return es_torch_countable(&out->shape, err) || (es_tensor_free(out), false);
}
