// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/join.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/cast.h"
#include "torch/device.h"
#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/label.h"
#include "torch/move.h"
#include "torch/views.h"

/* ---- what can be wrong ---- */

static bool nothing(const char *what, es_error *err)
{
    es_fail(err, ES_ERR_CAT, "%s was given no tensors", what);
    return what[0] == 's' ? es_torch_says(err, "stack expects a non-empty TensorList")
                          : es_torch_says(err, "torch.cat(): expected a non-empty list of Tensors");
}

/* The legacy that cat passes over: an empty tensor of one axis. */
static bool is_skipped(const es_tensor *t)
{
    return t->shape.ndim == 1 && t->shape.dim[0] == 0;
}

static bool ranks_differ(const es_tensor *first, const es_tensor *t, int64_t i, es_error *err)
{
    es_str a = {0}, b = {0};
    es_shape_show(&a, &first->shape);
    es_shape_show(&b, &t->shape);
    es_fail(err, ES_ERR_CAT,
            "tensor %" PRId64 " is %s and cannot be joined to %s: cat does not "
            "stretch, and they have %d and %d axes",
            i, b.s, a.s, t->shape.ndim, first->shape.ndim);
    es_str_free(&a);
    es_str_free(&b);
    return es_torch_says(err, "Tensors must have same number of dimensions: got %d and %d",
                         first->shape.ndim, t->shape.ndim);
}

static bool sizes_differ(const es_tensor *first, const es_tensor *t, int64_t i, int axis, int d,
                         es_error *err)
{
    const char *label = es_label_is_named(&first->shape.label[d]) ? first->shape.label[d].s : "";
    const char *other = es_label_is_named(&t->shape.label[d]) ? t->shape.label[d].s : "";
    es_fail(err, ES_ERR_CAT,
            "joined along axis %d, the others must be alike: axis %d is %s%s%" PRId64
            " in the first tensor and %s%s%" PRId64 " in tensor %" PRId64,
            axis, d, label, *label ? "=" : "", first->shape.dim[d], other, *other ? "=" : "",
            t->shape.dim[d], i);
    if (t->shape.dim[d] == 1)
        es_hint(err, "cat does not stretch: .expand(…) makes a size of 1 larger");
    return es_torch_says(
        err,
        "Sizes of tensors must match except in dimension %d. Expected size %" PRId64
        " but got size %" PRId64 " for tensor number %" PRId64 " in the list.",
        axis, first->shape.dim[d], t->shape.dim[d], i);
}

static bool fits(const es_tensor *first, const es_tensor *t, int64_t i, int axis, es_error *err)
{
    if (first->shape.ndim != t->shape.ndim)
        return ranks_differ(first, t, i, err);
    for (int d = 0; d < first->shape.ndim; d++)
        if (d != axis && first->shape.dim[d] != t->shape.dim[d])
            return sizes_differ(first, t, i, axis, d, err);
    return true;
}

/* ---- what the joined axis is called ---- */

/* C of 4 and C of 8 are not "2C" but "C1+C2". */
static es_label numbered(const es_label *a, int64_t n)
{
    es_str s = {0};
    for (int64_t i = 1; i <= n && s.len < ES_LABEL_SIZE; i++)
        es_str_add(&s, "%s%s%" PRId64, i > 1 ? "+" : "", a->s, i);
    es_label all = es_label_named(es_str_text(&s));
    es_str_free(&s);
    return all;
}

/* T and one more: T+1. */
static es_label sum(const es_label *a, int64_t a_size, const es_label *b, int64_t b_size)
{
    if (es_label_is_named(a) && !b->s[0])
        return es_label_plus(a, b_size);
    if (es_label_is_named(b) && !a->s[0])
        return es_label_plus(b, a_size);
    return es_label_sum(a, b);
}

static es_label joined(const es_tensor *const *t, int64_t n, int axis)
{
    const es_shape *first = &t[0]->shape;
    es_label all = first->label[axis];
    int64_t size = first->dim[axis];
    bool same = true, equal = true;
    for (int64_t i = 1; i < n; i++) {
        same &= es_label_same(&first->label[axis], &t[i]->shape.label[axis]);
        equal &= first->dim[axis] == t[i]->shape.dim[axis];
    }
    if (same && n > 1)
        return equal ? es_label_times(&all, n) : numbered(&all, n);
    for (int64_t i = 1; i < n; i++) {
        all = sum(&all, size, &t[i]->shape.label[axis], t[i]->shape.dim[axis]);
        size += t[i]->shape.dim[axis];
    }
    return all;
}

/* ---- cat ---- */

static bool joined_shape(es_torch *k, es_shape *shape, const es_tensor *const *t, int64_t n,
                         int axis, es_error *err)
{
    int64_t size = 0;
    *shape = t[0]->shape;
    for (int64_t i = 0; i < n; i++) {
        if (!fits(t[0], t[i], i, axis, err))
            return false;
        if (__builtin_add_overflow(size, t[i]->shape.dim[axis], &size))
            size = INT64_MAX;
        if (i == 0)
            continue;
        es_shape mine = *shape, its = t[i]->shape;
        mine.dim[axis] = its.dim[axis] = 1;
        mine.label[axis] = its.label[axis] = es_label_named("");
        if (!es_torch_stretch(k, shape, &mine, &its, err)) /* for the names */
            return false;
    }
    shape->dim[axis] = size;
    shape->label[axis] = joined(t, n, axis);
    return true;
}

static es_dtype common_dtype(const es_tensor *const *t, int64_t n)
{
    es_tensor all = *t[0];
    for (int64_t i = 1; i < n; i++)
        all.dtype = es_torch_promote(&all, t[i]);
    return all.dtype;
}

static bool fill(es_torch *k, const es_tensor *out, const es_tensor *const *t, int64_t n, int axis,
                 es_error *err)
{
    es_tensor place = *out; /* borrows out's memory */
    for (int64_t i = 0; i < n; i++) {
        place.shape.dim[axis] = t[i]->shape.dim[axis];
        if (!es_torch_assign(k, &place, t[i], false, err))
            return false;
        place.offset += t[i]->shape.dim[axis] * place.stride[axis];
    }
    return true;
}

static bool cat(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n, int64_t typed,
                es_error *err)
{
    int axis;
    es_shape shape;
    if (!es_torch_axis(&axis, typed, t[0]->shape.ndim, err) ||
        !joined_shape(k, &shape, t, n, axis, err))
        return false;
    if (!es_torch_result(k, out, t, (int)n, common_dtype(t, n), &shape, err))
        return false;
    if (es_torch_meta(out) || fill(k, out, t, n, axis, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_cat(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n, int64_t axis,
                  es_error *err)
{
    *out = (es_tensor){0};
    if (n == 0)
        return nothing("cat", err);
    const es_tensor **some = es_alloc_array((size_t)n, sizeof *some);
    int64_t kept = 0;
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        if (!is_skipped(t[i]))
            some[kept++] = t[i];
        if (t[i]->shape.ndim == 0) {
            es_fail(err, ES_ERR_CAT,
                    "tensor %" PRId64 " is a single number, and has no axis to "
                    "join: torch.stack makes one",
                    i);
            ok = es_torch_says(
                err, "zero-dimensional tensor (at position %" PRId64 ") cannot be concatenated", i);
        }
    }
    if (kept == 0)
        some[kept++] = t[0];
    ok = ok && cat(k, out, some, kept, axis, err);
    free(some);
    return ok;
}

/* ---- stack ---- */

static bool alike(const es_tensor *first, const es_tensor *t, int64_t i, es_error *err)
{
    if (es_shape_equal(&first->shape, &t->shape))
        return true;
    es_str a = {0}, b = {0}, own = {0}, its = {0};
    es_torch_sizes(&a, &first->shape);
    es_torch_sizes(&b, &t->shape);
    es_shape_show(&own, &first->shape);
    es_shape_show(&its, &t->shape);
    es_fail(err, ES_ERR_CAT,
            "stack wants tensors of one shape: the first is %s, tensor %" PRId64 " is %s", own.s, i,
            its.s);
    es_torch_says(err,
                  "stack expects each tensor to be equal size, but got %s at entry 0 and %s at "
                  "entry %" PRId64,
                  a.s, b.s, i);
    es_str_free(&a);
    es_str_free(&b);
    es_str_free(&own);
    es_str_free(&its);
    return false;
}

bool es_torch_stack(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n, int64_t axis,
                    es_error *err)
{
    *out = (es_tensor){0};
    if (n == 0)
        return nothing("stack", err);
    es_tensor *slices = es_alloc_array((size_t)n, sizeof *slices);
    const es_tensor **all = es_alloc_array((size_t)n, sizeof *all);
    int64_t made = 0;
    bool ok = true;
    for (; ok && made < n; made += ok) {
        ok = alike(t[0], t[made], made, err) && es_torch_same_device(t[0], t[made], NULL, err) &&
             es_torch_unsqueeze(k, &slices[made], t[made], axis, err);
        all[made] = &slices[made];
    }
    if (ok) {
        int at = (int)(axis < 0 ? axis + slices[0].shape.ndim : axis);
        ok = cat(k, out, all, n, at, err);
        if (ok)
            out->shape.label[at] = es_label_named("");
    }
    while (made > 0)
        es_tensor_free(&slices[--made]);
    free(slices);
    free(all);
    return ok;
}
