// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/views.h"

#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "torch/label.h"

/* Axis `from` of x becomes axis `to` of out. */
static void carry(es_tensor *out, int to, const es_tensor *x, int from)
{
    out->shape.dim[to] = x->shape.dim[from];
    out->shape.label[to] = x->shape.label[from];
    out->stride[to] = x->stride[from];
}

/* out = x with its axes in that order. */
static void reorder(es_tensor *out, const es_tensor *x, const int *order)
{
    es_tensor_view(out, x);
    out->number = false;
    for (int i = 0; i < x->shape.ndim; i++)
        carry(out, i, x, order[i]);
}

bool es_torch_transpose(es_torch *k, es_tensor *out, const es_tensor *x, int64_t a, int64_t b,
                        es_error *err)
{
    (void)k;
    int from, to;
    *out = (es_tensor){0};
    if (!es_torch_axis(&from, a, x->shape.ndim, err) || !es_torch_axis(&to, b, x->shape.ndim, err))
        return false;
    es_tensor_view(out, x);
    out->number = false;
    if (x->shape.ndim > 0) {
        carry(out, from, x, to);
        carry(out, to, x, from);
    }
    return true;
}

bool es_torch_permute(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err)
{
    (void)k;
    *out = (es_tensor){0};
    if (n != x->shape.ndim) {
        es_fail(err, ES_ERR_DIM_RANGE,
                "the tensor has %d axes, and an order of %" PRId64 " is given", x->shape.ndim, n);
        return es_torch_says(
            err,
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            "length of the desired ordering of dimensions i.e. input.dim() = %d is not equal to "
            "len(dims) = %" PRId64,
            x->shape.ndim, n);
    }
    int order[ES_MAX_DIMS] = {0};
    bool seen[ES_MAX_DIMS] = {false};
    for (int i = 0; i < n; i++) {
        if (!es_torch_axis(&order[i], axes[i], x->shape.ndim, err))
            return false;
        if (seen[order[i]]) {
            es_fail(err, ES_ERR_DIM_RANGE, "axis %d comes twice in the new order", order[i]);
            return es_torch_says(err, "permute(): duplicate dims are not allowed.");
        }
        seen[order[i]] = true;
    }
    reorder(out, x, order);
    return true;
}

bool es_torch_reverse_axes(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    int order[ES_MAX_DIMS] = {0}, n = x->shape.ndim;
    (void)err;
    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    reorder(out, x, order);
    if (n == 1)
        es_torch_note(k, "a tensor of one axis has nothing to transpose: .T leaves it as it is; "
                         ".unsqueeze(-1) makes a column of it");
    if (n > 2)
        es_torch_note(k,
                      "PyTorch warns: .T of %d axes reverses them all; .mT or .transpose(-2, -1) "
                      "swaps the last two",
                      n);
    return true;
}

bool es_torch_movedim(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *from,
                      const int64_t *to, int64_t n, es_error *err)
{
    (void)k;
    int ndim = x->shape.ndim, order[ES_MAX_DIMS];
    bool placed[ES_MAX_DIMS] = {false}, moved[ES_MAX_DIMS] = {false};
    *out = (es_tensor){0};
    for (int64_t i = 0; i < n; i++) {
        int a, b;
        if (!es_torch_axis(&a, from[i], ndim, err) || !es_torch_axis(&b, to[i], ndim, err))
            return false;
        if (moved[a] || placed[b]) {
            es_fail(err, ES_ERR_DIM_RANGE, "axis %d comes twice", moved[a] ? a : b);
            return es_torch_says(err, "movedim: repeated dim in `%s`",
                                 moved[a] ? "source" : "destination");
        }
        moved[a] = placed[b] = true;
        order[b] = a;
    }
    for (int b = 0, a = 0; b < ndim; b++) {
        if (placed[b])
            continue;
        while (moved[a])
            a++;
        order[b] = a++;
    }
    reorder(out, x, order);
    return true;
}

bool es_torch_unsqueeze(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                        es_error *err)
{
    (void)k;
    int at, n = x->shape.ndim;
    *out = (es_tensor){0};
    if (n == ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    if (axis < -(n + 1) || axis > n) {
        es_fail(err, ES_ERR_DIM_RANGE,
                "a new axis cannot be axis %" PRId64 ": with it the tensor has %d", axis, n + 1);
        return es_torch_says(
            err,
            "Dimension out of range (expected to be in range of [%d, %d], but got %" PRId64 ")",
            -(n + 1), n, axis);
    }
    at = (int)(axis < 0 ? axis + n + 1 : axis);
    es_tensor_view(out, x);
    out->number = false;
    out->shape.ndim = n + 1;
    for (int i = n; i > at; i--)
        carry(out, i, x, i - 1);
    out->shape.dim[at] = 1;
    out->shape.label[at] = es_label_named("");
    out->stride[at] = 1;
    if (at < n && __builtin_mul_overflow(x->shape.dim[at], x->stride[at], &out->stride[at]))
        out->stride[at] = INT64_MAX;
    return true;
}

bool es_torch_squeeze(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *axes,
                      int64_t n, es_error *err)
{
    (void)k;
    bool go[ES_MAX_DIMS] = {false};
    *out = (es_tensor){0};
    for (int i = 0; !axes && i < x->shape.ndim; i++)
        go[i] = true;
    for (int64_t i = 0; axes && i < n; i++) {
        int a;
        if (!es_torch_axis(&a, axes[i], x->shape.ndim, err))
            return false;
        go[a] = true;
    }
    es_tensor_view(out, x);
    out->number = false;
    out->shape.ndim = 0;
    for (int i = 0; i < x->shape.ndim; i++)
        if (!go[i] || x->shape.dim[i] != 1)
            carry(out, out->shape.ndim++, x, i);
    return true;
}

bool es_torch_diagonal(es_torch *k, es_tensor *out, const es_tensor *x, int64_t offset, int64_t a,
                       int64_t b, es_error *err)
{
    (void)k;
    int rows, columns, n = 0;
    bool clash;
    *out = (es_tensor){0};
    if (x->shape.ndim < 2) {
        es_fail(err, ES_ERR_DIM_RANGE, "a diagonal needs two axes, the tensor has %d",
                x->shape.ndim);
        return es_torch_says(err,
                             "Dimension out of range (expected to be in range of [-%d, %d], "
                             "but got 1)",
                             x->shape.ndim ? x->shape.ndim : 1,
                             x->shape.ndim ? x->shape.ndim - 1 : 0);
    }
    if (!es_torch_axis(&rows, a, x->shape.ndim, err) ||
        !es_torch_axis(&columns, b, x->shape.ndim, err))
        return false;
    if (rows == columns) {
        es_fail(err, ES_ERR_DIM_RANGE, "a diagonal needs two axes, and axis %d is given twice",
                rows);
        return es_torch_says(err, "diagonal dimensions cannot be identical %" PRId64 ", %" PRId64,
                             a, b);
    }
    es_tensor_view(out, x);
    for (int i = 0; i < x->shape.ndim; i++)
        if (i != rows && i != columns)
            carry(out, n++, x, i);
    int64_t height = x->shape.dim[rows], width = x->shape.dim[columns];
    int64_t down = offset < 0 ? (offset < -height ? height : -offset) : 0;
    int64_t right = offset > 0 ? (offset > width ? width : offset) : 0;
    int64_t most = height - down < width - right ? height - down : width - right;
    out->shape.ndim = n + 1;
    out->shape.dim[n] = most;
    out->shape.label[n] = es_label_meet(&x->shape.label[rows], &x->shape.label[columns], &clash);
    out->stride[n] = x->stride[rows] + x->stride[columns];
    if (most > 0)
        out->offset += down * x->stride[rows] + right * x->stride[columns];
    return true;
}

/* Or nothing, for an axis without a name.  Names are printed, so that nothing else may be in them. */
static bool is_identifier(const char *s)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    return strspn(s, letters) == strlen(s) && !(*s >= '0' && *s <= '9');
}

static bool no_identifier(const char *name, const char *shown, es_error *err)
{
    es_str prose = {0};
    es_show_name(&prose, name, strlen(name));
    es_fail(err, ES_ERR_VALUE, "%s is no name for an axis: letters, digits and _, no digit first",
            shown);
    es_torch_says(err,
                  "Invalid name: a valid identifier contains only digits, alphabetical characters, "
                  "and/or underscore and starts with a non-digit. got: '%s'.",
                  es_str_text(&prose));
    es_str_free(&prose);
    return false;
}

bool es_torch_rename(es_torch *k, es_tensor *out, const es_tensor *x, const char *const *names,
                     int64_t n, es_error *err)
{
    (void)k;
    *out = (es_tensor){0};
    if (n != x->shape.ndim) {
        es_fail(err, ES_ERR_DIM_RANGE, "the tensor has %d axes, and %" PRId64 " names are given",
                x->shape.ndim, n);
        return es_torch_says(err,
                             "Number of names (%" PRId64 ") and number of dimensions in "
                             "tensor (%d) do not match.",
                             n, x->shape.ndim);
    }
    for (int i = 0; i < n; i++) {
        bool fits = strlen(names[i]) < ES_LABEL_SIZE;
        es_str shown = {0};
        es_show_brief(&shown, names[i], strlen(names[i]));
        if (!fits)
            es_fail(err, ES_ERR_VALUE, "%s is too long for the name of an axis: at most %d bytes",
                    shown.s, ES_LABEL_SIZE - 1);
        else if (!is_identifier(names[i]))
            fits = no_identifier(names[i], shown.s, err);
        for (int j = 0; fits && j < i && *names[i]; j++)
            if (!strcmp(names[i], names[j])) {
                es_fail(err, ES_ERR_VALUE, "two axes cannot both be called %s", shown.s);
                es_torch_says(err,
                              "Cannot construct a tensor with duplicate names. Got names: %s "
                              "twice",
                              shown.s);
                fits = false;
            }
        es_str_free(&shown);
        if (!fits)
            return false;
    }
    es_tensor_view(out, x);
    for (int i = 0; i < n; i++)
        out->shape.label[i] = es_label_named(names[i]);
    return true;
}
