// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/similar.h"

#include <inttypes.h>
#include <math.h>

#include "torch/elementwise.h"
#include "torch/folds.h"
#include "torch/lines.h"

/* The operands' shape with 1 in the place of the axis, and later without it. */
static es_shape with_one(const es_shape *shape, int axis)
{
    es_shape s = *shape;
    s.dim[axis] = 1;
    s.label[axis] = es_label_named("");
    return s;
}

static void drop_axis(es_tensor *t, int axis)
{
    for (int d = axis; d + 1 < t->shape.ndim; d++) {
        t->shape.dim[d] = t->shape.dim[d + 1];
        t->shape.label[d] = t->shape.label[d + 1];
        t->stride[d] = t->stride[d + 1];
    }
    t->shape.ndim -= t->shape.ndim > 0;
}

/* A result of one element a line, of n operands stretched to shape. */
static bool one_a_line(es_torch *k, es_tensor *out, const es_tensor *const *x, int n,
                       es_dtype dtype, const es_shape *shape, int axis, es_line_fn *fn,
                       const void *ctx, const char *what, es_error *err)
{
    es_shape ones = with_one(shape, axis);
    if (!es_torch_result(k, out, x, n, dtype, &ones, err))
        return false;
    if (!es_torch_meta(out) && !(es_lines_along(k, out, x, n, shape, axis, fn, ctx, what, err) &&
                                 es_host_done(k, out, err))) {
        es_tensor_free(out);
        return false;
    }
    drop_axis(out, axis);
    return true;
}

/* ---- cosines ---- */

static bool cosine_line(es_lines *l, const es_cells *line, es_error *err)
{
    const double *eps = l->ctx;
    double a[ES_ROW], b[ES_ROW], aa = 0, bb = 0, ab = 0;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells x = es_cells_from(&line[1], i), y = es_cells_from(&line[2], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(a, &x, n, x.dtype);
        es_cells_to_floats(b, &y, n, y.dtype);
        for (int64_t e = 0; e < n; e++) {
            aa += a[e] * a[e];
            bb += b[e] * b[e];
            ab += a[e] * b[e];
        }
        if (!es_lines_pace(l, n, err))
            return false;
    }
    double cosine = ab / (fmax(sqrt(aa), *eps) * fmax(sqrt(bb), *eps));
    es_cells_from_floats(&line[0], &cosine, 1);
    return true;
}

bool es_torch_cosine(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                     int64_t axis, double eps, es_error *err)
{
    es_shape shape;
    int at;
    es_tensor common = *x; /* borrows, for the message */
    *out = (es_tensor){0};
    common.dtype = es_torch_promote(x, y);
    const es_tensor *const t[] = {x, y};
    return es_torch_floats(&common, "cosine_similarity",
                           "expected common dtype to be floating point, yet common dtype is ", "",
                           err) &&
           es_torch_stretch(k, &shape, &x->shape, &y->shape, err) &&
           es_torch_axis(&at, axis, shape.ndim, err) &&
           one_a_line(k, out, t, 2, common.dtype, &shape, at, cosine_line, &eps,
                      "cosine_similarity", err);
}

/* ---- distances ---- */

static bool distance_line(es_lines *l, const es_cells *line, es_error *err)
{
    double a[ES_ROW], b[ES_ROW];
    es_fold f = {.p = *(const double *)l->ctx};
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells x = es_cells_from(&line[1], i), y = es_cells_from(&line[2], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(a, &x, n, x.dtype);
        es_cells_to_floats(b, &y, n, y.dtype);
        for (int64_t e = 0; e < n; e++)
            a[e] -= b[e];
        es_folds[ES_R_NORM].floats(&f, a, n);
        f.seen += n;
        if (!es_lines_pace(l, n, err))
            return false;
    }
    es_folds[ES_R_NORM].finish(&f);
    es_cells_from_floats(&line[0], &f.a, 1);
    return true;
}

static bool has_rows(const es_tensor *x, int which, es_error *err)
{
    if (x->shape.ndim >= 2)
        return true;
    es_fail(err, ES_ERR_DIM_RANGE, "cdist takes tables of rows, and %s has %d %s",
            which == 1 ? "the first" : "the second", x->shape.ndim,
            x->shape.ndim == 1 ? "axis" : "axes");
    return es_torch_says(err, "cdist only supports at least 2D tensors, X%d got: %dD", which,
                         x->shape.ndim);
}

static bool same_columns(const es_tensor *x, const es_tensor *y, es_error *err)
{
    int64_t a = x->shape.dim[x->shape.ndim - 1], b = y->shape.dim[y->shape.ndim - 1];
    if (a == b)
        return true;
    es_fail(err, ES_ERR_BROADCAST,
            "rows of %" PRId64 " numbers have no distance from rows of %" PRId64, a, b);
    return es_torch_says(
        err, "X1 and X2 must have the same number of columns. X1: %" PRId64 " X2: %" PRId64, a, b);
}

/* Rows against rows: x (…, P, 1, M) and y (…, 1, R, M). */
static bool all_pairs(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y, double p,
                      es_error *err)
{
    es_shape shape;
    es_tensor a = {0}, b = {0};
    const es_tensor *const t[] = {&a, &b};
    bool ok = es_tensor_unsqueeze(&a, x, x->shape.ndim - 1, err) &&
              es_tensor_unsqueeze(&b, y, y->shape.ndim - 2, err) &&
              es_torch_stretch(k, &shape, &a.shape, &b.shape, err) &&
              one_a_line(k, out, t, 2, es_torch_promote(x, y), &shape, shape.ndim - 1,
                         distance_line, &p, "cdist", err);
    es_tensor_free(&a);
    es_tensor_free(&b);
    return ok;
}

bool es_torch_cdist(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y, double p,
                    es_error *err)
{
    *out = (es_tensor){0};
    if (!has_rows(x, 1, err) || !has_rows(y, 2, err) || !same_columns(x, y, err) ||
        !es_torch_floats(x, "cdist", "cdist only supports floating-point dtypes, X1 got: ", "",
                         err) ||
        !es_torch_floats(y, "cdist", "cdist only supports floating-point dtypes, X2 got: ", "",
                         err))
        return false;
    if (p >= 0)
        return all_pairs(k, out, x, y, p, err);
    es_fail(err, ES_ERR_VALUE, "the distance to the power %g: p is at least 0", p);
    return es_torch_says(err, "cdist only supports non-negative p values");
}
