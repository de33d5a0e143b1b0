// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <string.h>

#include "torch/cast.h"
#include "torch/host.h"
#include "torch/join.h"
#include "torch/label.h"
#include "torch/move.h"

/* ---- a border ---- */

static bool wrong_sizes(const es_tensor *x, int64_t n, es_error *err)
{
    if (n % 2) {
        es_fail(err, ES_ERR_VALUE,
                "padding comes in pairs, before and behind an axis, and %" PRId64
                " numbers are given",
                n);
        es_torch_says(err, "Padding length must be divisible by 2");
        return true;
    }
    if (n > 2 * (int64_t)x->shape.ndim) {
        es_fail(err, ES_ERR_VALUE, "%" PRId64 " pairs are given for %d axes", n / 2, x->shape.ndim);
        es_torch_says(err, "Padding length too large");
        return true;
    }
    return false;
}

static bool padded_size(int64_t *out, const es_tensor *x, int d, int64_t before, int64_t behind,
                        es_error *err)
{
    int64_t size = x->shape.dim[d], all;
    if (__builtin_add_overflow(size, before, &all) || __builtin_add_overflow(all, behind, &all))
        all = before < 0 ? -1 : INT64_MAX;
    *out = all;
    if (all >= 0)
        return true;
    es_fail(err, ES_ERR_VALUE,
            "axis %d has %" PRId64 ", too few to cut off %" PRId64 " before and %" PRId64 " behind",
            d, size, before < 0 ? -before : 0, behind < 0 ? -behind : 0);
    return es_torch_says(
        err,
        "The input size %" PRId64 ", plus negative padding %" PRId64 " and %" PRId64
        " resulted in a negative output size, which is invalid. Check dimension %d "
        "of your input",
        size, before, behind, d);
}

/* The part of x that stays, and its place in out; both borrow memory. */
static void overlap(es_tensor *to, es_tensor *from, int d, int64_t before, int64_t behind)
{
    int64_t cut = before < 0 ? -before : 0, put = before > 0 ? before : 0;
    int64_t keep = from->shape.dim[d] - cut - (behind < 0 ? -behind : 0);
    from->offset += cut * from->stride[d];
    to->offset += put * to->stride[d];
    from->shape.dim[d] = to->shape.dim[d] = keep > 0 ? keep : 0;
}

bool es_torch_pad(es_torch *k, es_tensor *out, const es_tensor *x, const int64_t *sizes, int64_t n,
                  const es_tensor *value, es_error *err)
{
    es_shape shape = x->shape;
    *out = (es_tensor){0};
    if (wrong_sizes(x, n, err))
        return false;
    for (int i = 0; i < n / 2; i++) {
        int d = x->shape.ndim - 1 - i;
        int64_t before = sizes[2 * i], behind = sizes[2 * i + 1];
        if (!padded_size(&shape.dim[d], x, d, before, behind, err))
            return false;
        shape.label[d] = es_label_plus(&shape.label[d], shape.dim[d] - x->shape.dim[d]);
    }
    if (!es_torch_like(k, out, x, x->dtype, &shape, err))
        return false;
    es_tensor to = *out, from = *x;
    for (int i = 0; i < n / 2; i++)
        overlap(&to, &from, x->shape.ndim - 1 - i, sizes[2 * i], sizes[2 * i + 1]);
    if (es_torch_meta(out) ||
        (es_torch_assign(k, out, value, false, err) && es_torch_assign(k, &to, &from, false, err)))
        return true;
    es_tensor_free(out);
    return false;
}

/* ---- triangles ---- */

/* Zeros in row i of a matrix of n columns, on one side of the diagonal. */
static void clear_side(char *row, int64_t i, int64_t n, bool lower, int64_t diagonal, size_t size)
{
    int64_t edge = diagonal > n ? n : diagonal < -i - 1 ? -i - 1 : diagonal;
    int64_t kept = i + edge + (lower ? 1 : 0); /* columns left of the edge */
    kept = kept < 0 ? 0 : kept > n ? n : kept;
    if (lower)
        memset(row + (size_t)kept * size, 0, (size_t)(n - kept) * size);
    else
        memset(row, 0, (size_t)kept * size);
}

bool es_torch_triangle(es_torch *k, es_tensor *out, const es_tensor *x, bool lower,
                       int64_t diagonal, es_error *err)
{
    static const int64_t *const all[ES_MAX_DIMS];
    *out = (es_tensor){0};
    if (x->shape.ndim < 2) {
        es_fail(err, ES_ERR_DIM_RANGE, "%s is for matrices, and the tensor has %d axes",
                lower ? "tril" : "triu", x->shape.ndim);
        return es_torch_says(err, "%s: input tensor must have at least 2 dimensions",
                             lower ? "tril" : "triu");
    }
    if (es_torch_meta(x) || k->shapes_only)
        return es_torch_like(k, out, x, x->dtype, &x->shape, err);
    es_tensor here;
    if (!es_host_operand(k, &here, x, NULL, lower ? "tril" : "triu", err))
        return false;
    bool ok = es_torch_take(k, out, &here, &x->shape, all, err);
    es_tensor_free(&here);
    if (!ok)
        return false;
    int64_t M = x->shape.dim[x->shape.ndim - 2], N = x->shape.dim[x->shape.ndim - 1];
    int64_t rows = N ? es_shape_count(&x->shape) / N : 0;
    size_t size = es_dtype_size(x->dtype);
    for (int64_t r = 0; r < rows; r++)
        clear_side((char *)out->buf->mem + (size_t)(r * N) * size, r % M, N, lower, diagonal, size);
    if (es_host_done(k, out, err))
        return true;
    es_tensor_free(out);
    return false;
}
