// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/views.h"

#include <inttypes.h>
#include <string.h>

#include "torch/label.h"
#include "torch/move.h"
#include "torch/reread.h"

/* ---- the size that is -1 ---- */

/* The product of the sizes given, the place of the -1.  Saturates. */
static bool known_sizes(const es_shape *shape, int64_t *known, int *inferred, es_error *err)
{
    *known = 1;
    *inferred = -1;
    for (int i = 0; i < shape->ndim; i++) {
        int64_t size = shape->dim[i];
        if (size == -1 && *inferred >= 0) {
            es_fail(err, ES_ERR_VIEW, "two sizes are -1, and only one can be worked out");
            return es_torch_says(err, "only one dimension can be inferred");
        }
        if (size < -1) {
            es_fail(err, ES_ERR_VIEW, "%" PRId64 " is no size of an axis", size);
            return es_torch_says(err, "invalid shape dimension %" PRId64, size);
        }
        if (size == -1)
            *inferred = i;
        else if (__builtin_mul_overflow(*known, size, known))
            *known = INT64_MAX;
    }
    return true;
}

static bool wrong_count(const es_tensor *x, const es_shape *shape, int64_t known, int inferred,
                        es_error *err)
{
    es_str from = {0}, to = {0};
    int64_t count = es_shape_count(&x->shape);
    es_shape_show(&from, &x->shape);
    es_torch_sizes(&to, shape);
    if (inferred < 0)
        es_fail(err, ES_ERR_VIEW, "%s holds %" PRId64 " numbers, %s would hold %" PRId64, from.s,
                count, to.s, known);
    else if (known == 0)
        es_fail(err, ES_ERR_VIEW, "the -1 in %s could be any size: nothing times anything is 0",
                to.s);
    else
        es_fail(err, ES_ERR_VIEW, "%s holds %" PRId64 " numbers, which %" PRId64 " does not divide",
                from.s, count, known);
    if (known == 0 && inferred >= 0 && count == 0)
        es_torch_says(err,
                      "cannot reshape tensor of 0 elements into shape %s because the unspecified "
                      "dimension size -1 can be any value and is ambiguous",
                      to.s);
    else
        es_torch_says(err, "shape '%s' is invalid for input of size %" PRId64, to.s, count);
    es_str_free(&from);
    es_str_free(&to);
    return false;
}

/* Sizes of x read as `asked`; *inferred is the axis that was to be worked out, or negative. */
static bool new_sizes(es_shape *out, int *inferred, const es_tensor *x, const es_shape *asked,
                      es_error *err)
{
    int64_t count = es_shape_count(&x->shape), known;
    *out = *asked;
    if (!known_sizes(asked, &known, inferred, err))
        return false;
    if (*inferred < 0 ? known != count : known == 0 || count % known)
        return wrong_count(x, asked, known, *inferred, err);
    if (*inferred >= 0)
        out->dim[*inferred] = count / known;
    return true;
}

/* ---- the same memory with other sizes ---- */

/* Strides of an empty tensor mean nothing; these are the ones PyTorch prints. */
static void dense_strides(int64_t *stride, const es_shape *shape)
{
    int64_t n = 1;
    for (int d = shape->ndim - 1; d >= 0; d--) {
        stride[d] = n;
        if (__builtin_mul_overflow(n, shape->dim[d] ? shape->dim[d] : 1, &n))
            n = INT64_MAX;
    }
}

/* Does the run of axes of x that ends at d, and lies as one, begin at d? */
static bool run_begins(const es_tensor *x, int d, int64_t numbers, int64_t step)
{
    return d == 0 || (x->shape.dim[d - 1] != 1 && x->stride[d - 1] != numbers * step);
}

/* Strides that show x's numbers, in order, as `shape`; false: there are none.  Axes of x that lie as one in
 * memory are one run, and each run must be made up of whole new axes. */
static bool view_strides(int64_t *stride, const es_tensor *x, const es_shape *shape)
{
    dense_strides(stride, shape);
    if (es_shape_count(shape) == 0 || x->shape.ndim == 0)
        return true;
    int j = shape->ndim - 1;
    int64_t step = x->stride[x->shape.ndim - 1], in_run = 1, placed = 1;
    for (int d = x->shape.ndim - 1; d >= 0; d--) {
        in_run *= x->shape.dim[d];
        if (!run_begins(x, d, in_run, step))
            continue;
        for (; j >= 0 && (placed < in_run || shape->dim[j] == 1); j--) {
            stride[j] = placed * step;
            placed *= shape->dim[j];
        }
        if (placed != in_run)
            return false;
        if (d > 0)
            step = x->stride[d - 1];
        in_run = placed = 1;
    }
    return j < 0;
}

static void see_as(es_tensor *out, const es_tensor *x, const es_shape *shape, const int64_t *stride)
{
    es_tensor_view(out, x);
    out->number = false;
    out->shape = *shape;
    memcpy(out->stride, stride, sizeof out->stride);
}

bool es_torch_view(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *asked,
                   es_error *err)
{
    es_shape shape;
    int64_t stride[ES_MAX_DIMS] = {0};
    int inferred;
    *out = (es_tensor){0};
    if (!new_sizes(&shape, &inferred, x, asked, err))
        return false;
    if (view_strides(stride, x, &shape)) {
        es_torch_reread(k, &shape, &x->shape, inferred);
        see_as(out, x, &shape, stride);
        return true;
    }
    es_str from = {0}, to = {0};
    es_shape_show(&from, &x->shape);
    es_torch_sizes(&to, asked);
    es_fail(err, ES_ERR_VIEW,
            "the numbers of %s do not lie in memory in the order that a view as %s needs", from.s,
            to.s);
    es_hint(err, ".reshape(...) copies them into that order; so does .contiguous() before .view");
    es_torch_says(err, "view size is not compatible with input tensor's size and stride (at least "
                       "one dimension spans across two contiguous subspaces). Use .reshape(...) "
                       "instead.");
    es_str_free(&from);
    es_str_free(&to);
    return false;
}

/* A copy of x whose memory is in row-major order, seen as shape. */
static bool copy_as(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                    es_error *err)
{
    static const int64_t *const as_it_is[ES_MAX_DIMS];
    if (!es_torch_take(k, out, x, &x->shape, as_it_is, err))
        return false;
    out->shape = *shape;
    dense_strides(out->stride, shape);
    return true;
}

bool es_torch_reshape(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *asked,
                      es_error *err)
{
    es_shape shape;
    int64_t stride[ES_MAX_DIMS] = {0};
    int inferred;
    *out = (es_tensor){0};
    if (!new_sizes(&shape, &inferred, x, asked, err))
        return false;
    es_torch_reread(k, &shape, &x->shape, inferred);
    if (!view_strides(stride, x, &shape))
        return copy_as(k, out, x, &shape, err);
    see_as(out, x, &shape, stride);
    return true;
}

bool es_torch_flatten(es_torch *k, es_tensor *out, const es_tensor *x, int64_t first, int64_t last,
                      es_error *err)
{
    int a, b, n = x->shape.ndim;
    *out = (es_tensor){0};
    if (!es_torch_axis(&a, first, n, err) || !es_torch_axis(&b, last, n, err))
        return false;
    if (a > b) {
        es_fail(err, ES_ERR_DIM_RANGE, "the first axis to flatten, %d, comes after the last, %d", a,
                b);
        return es_torch_says(err,
                             "flatten() has invalid args: start_dim cannot come after end_dim");
    }
    es_shape shape = {0};
    for (int i = 0; i < a; i++, shape.ndim++)
        shape.dim[i] = x->shape.dim[i];
    shape.dim[shape.ndim] = 1;
    for (int i = a; i <= b && i < n; i++)
        if (__builtin_mul_overflow(shape.dim[a], x->shape.dim[i], &shape.dim[a]))
            shape.dim[a] = INT64_MAX;
    shape.ndim++;
    for (int i = b + 1; i < n; i++)
        shape.dim[shape.ndim++] = x->shape.dim[i];
    return es_torch_reshape(k, out, x, &shape, err);
}

bool es_torch_unflatten(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                        const es_shape *sizes, es_error *err)
{
    int a;
    *out = (es_tensor){0};
    if (!es_torch_axis(&a, axis, x->shape.ndim, err))
        return false;
    if (x->shape.ndim == 0)
        return es_fail(err, ES_ERR_DIM_RANGE, "a single number has no axis to split");
    if (x->shape.ndim - 1 + sizes->ndim > ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    es_tensor line; /* the axis alone, so that what does not fit it is said of it */
    es_shape shape = {0}, parts;
    es_tensor_view(&line, x);
    line.shape = es_shape_1d(x->shape.label[a].s, x->shape.dim[a]);
    int inferred;
    bool fits = new_sizes(&parts, &inferred, &line, sizes, err);
    if (fits)
        es_torch_reread(k, &parts, &line.shape, inferred);
    es_tensor_free(&line);
    if (!fits)
        return es_torch_says(err,
                             "unflatten: Provided sizes don't multiply up to the size of dim "
                             "%d (%" PRId64 ") in the input tensor",
                             a, x->shape.dim[a]);
    for (int i = 0; i < x->shape.ndim; i++) {
        for (int j = 0; i == a && j < parts.ndim; j++) {
            shape.label[shape.ndim] = parts.label[j];
            shape.dim[shape.ndim++] = parts.dim[j];
        }
        if (i != a) {
            shape.label[shape.ndim] = x->shape.label[i];
            shape.dim[shape.ndim++] = x->shape.dim[i];
        }
    }
    int64_t stride[ES_MAX_DIMS] = {0};
    if (!view_strides(stride, x, &shape))
        return copy_as(k, out, x, &shape, err);
    see_as(out, x, &shape, stride);
    return true;
}

/* ---- stretching ---- */

static bool too_few_sizes(const es_tensor *x, const es_shape *shape, es_error *err)
{
    es_str from = {0}, own = {0}, to = {0};
    es_shape_show(&from, &x->shape);
    es_torch_sizes(&own, &x->shape);
    es_torch_sizes(&to, shape);
    es_fail(err, ES_ERR_EXPAND, "%s has %d axes, and only %d sizes are given", from.s,
            x->shape.ndim, shape->ndim);
    es_torch_says(err,
                  "expand(%s{%s}, size=%s): the number of sizes provided (%d) must be greater or "
                  "equal to the number of dimensions in the tensor (%d)",
                  es_torch_tensor_name(x->dtype), own.s, to.s, shape->ndim, x->shape.ndim);
    es_str_free(&from);
    es_str_free(&own);
    es_str_free(&to);
    return false;
}

static bool does_not_stretch(const es_tensor *x, const es_shape *shape, int axis, es_error *err)
{
    es_str own = {0}, to = {0};
    int from = axis - (shape->ndim - x->shape.ndim);
    es_torch_sizes(&own, &x->shape);
    es_torch_sizes(&to, shape);
    const char *label = x->shape.label[from].s;
    es_fail(err, ES_ERR_EXPAND,
            "axis %d has size %s%s%" PRId64 " and cannot become %" PRId64
            ": only an axis of size 1 stretches",
            from, label, *label ? "=" : "", x->shape.dim[from], shape->dim[axis]);
    es_torch_says(err,
                  "The expanded size of the tensor (%" PRId64 ") must match the existing size "
                  "(%" PRId64 ") at non-singleton dimension %d.  Target sizes: %s.  Tensor sizes: "
                  "%s",
                  shape->dim[axis], x->shape.dim[from], axis, to.s, own.s);
    es_str_free(&own);
    es_str_free(&to);
    return false;
}

static bool bad_size(const es_shape *shape, int axis, bool leading, es_error *err)
{
    int64_t size = shape->dim[axis];
    if (leading && size == -1) {
        es_fail(err, ES_ERR_EXPAND, "-1 keeps a size, and the new axis %d has none yet", axis);
        return es_torch_says(err,
                             "The expanded size of the tensor (-1) isn't allowed in a leading, "
                             "non-existing dimension %d",
                             axis);
    }
    return es_fail(err, ES_ERR_EXPAND, "%" PRId64 " is no size of an axis", size);
}

/* Axis i of the result, `from` of x (below 0: a new one in front); the axes behind it are set. */
static void stretch_axis(es_tensor *out, const es_tensor *x, int i, int from, int64_t asked)
{
    bool last = i == out->shape.ndim - 1;
    int64_t size = from >= 0 ? x->shape.dim[from] : 1;
    int64_t stride = from >= 0           ? x->stride[from]
                     : last              ? 1
                     : x->shape.ndim > 0 ? out->shape.dim[i + 1] * out->stride[i + 1]
                                         : 0;
    out->stride[i] = asked == size ? stride : 0;
    out->shape.dim[i] = asked;
    if (from < 0)
        return;
    const es_label *own = &x->shape.label[from];
    if (!es_label_is_named(&out->shape.label[i]) || (asked == size && es_label_is_named(own)))
        out->shape.label[i] = *own;
}

bool es_torch_expand(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                     es_error *err)
{
    (void)k;
    *out = (es_tensor){0};
    int extra = shape->ndim - x->shape.ndim;
    if (extra < 0)
        return too_few_sizes(x, shape, err);
    for (int i = shape->ndim - 1; i >= 0; i--) {
        int64_t asked = shape->dim[i], size = i >= extra ? x->shape.dim[i - extra] : 1;
        if (asked < -1 || (asked == -1 && i < extra))
            return bad_size(shape, i, i < extra, err);
        if (asked != -1 && asked != size && size != 1)
            return does_not_stretch(x, shape, i, err);
    }
    es_tensor_view(out, x);
    out->number = false;
    out->shape = *shape;
    for (int i = shape->ndim - 1; i >= 0; i--) {
        int from = i - extra;
        int64_t asked = shape->dim[i] == -1 ? x->shape.dim[from] : shape->dim[i];
        stretch_axis(out, x, i, from, asked);
    }
    if (es_torch_countable(&out->shape, err))
        return true;
    es_tensor_free(out);
    return false;
}
