// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/decompose.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/cast.h"
#include "torch/directions.h"
#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/reduce.h"

/* ---- principal components ---- */

static bool is_matrix(const es_tensor *x, const char *what, const char *torch, es_error *err)
{
    if (x->shape.ndim == 2)
        return es_torch_floats(x, what, torch, "", err);
    es_fail(err, ES_ERR_DIM_RANGE, "%s takes a table of rows, and this has %d %s", what,
            x->shape.ndim, x->shape.ndim == 1 ? "axis" : "axes");
    return es_hint(err, ".view(-1, C) makes one of (B, T, C)");
}

static bool centred(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    es_tensor mean;
    es_over rows = {.name = "mean", .n = 1, .keepdim = true};
    if (!es_torch_reduce(k, &mean, ES_R_MEAN, x, &rows, err))
        return false;
    bool ok = es_torch_binary(k, out, ES_B_SUB, x, &mean, err);
    es_tensor_free(&mean);
    return ok;
}

static bool explain_parts(es_torch *k, es_tensor *t, const es_tensor *x, double *values, int64_t n,
                          es_error *err)
{
    const es_shape shape = es_shape_1d("", n);
    int64_t all = es_matrix_wide(x) ? x->shape.dim[0] : x->shape.dim[1];
    double sum = 0;
    for (int64_t i = 0; i < all; i++)
        sum += values[i] = fmax(0, values[i]);
    for (int64_t i = 0; i < n; i++)
        values[i] /= sum;
    return es_matrix_tensor(k, t, x, &shape, values, err);
}

static bool found(es_torch *k, es_tensor out[3], const es_tensor *x, int64_t n, es_error *err)
{
    double *right = NULL, *values = NULL;
    es_shape shape = x->shape;
    shape.dim[0] = n;
    shape.label[0] = es_label_named("");
    bool ok = es_directions(k, x, n, &right, &values, err) &&
              es_matrix_tensor(k, &out[1], x, &shape, right, err) &&
              es_matrix_product(k, &out[0], x, false, &out[1], true, err) &&
              explain_parts(k, &out[2], x, values, n, err);
    free(right);
    free(values);
    return ok;
}

static void free_all(es_tensor t[3])
{
    for (int i = 0; i < 3; i++)
        es_tensor_free(&t[i]);
}

static bool shapes_of_pca(es_torch *k, es_tensor out[3], const es_tensor *x, int64_t n,
                          es_error *err)
{
    es_shape scores = x->shape, components = x->shape, explained = es_shape_1d("", n);
    scores.dim[1] = components.dim[0] = n;
    scores.label[1] = components.label[0] = es_label_named("");
    return es_torch_like(k, &out[0], x, x->dtype, &scores, err) &&
           es_torch_like(k, &out[1], x, x->dtype, &components, err) &&
           es_torch_like(k, &out[2], x, x->dtype, &explained, err);
}

static bool analysed(es_torch *k, es_tensor out[3], const es_tensor *x, int64_t n, es_error *err)
{
    es_tensor middle;
    if (k->shapes_only || es_torch_meta(x))
        return shapes_of_pca(k, out, x, n, err);
    if (!centred(k, &middle, x, err))
        return false;
    bool ok = found(k, out, &middle, n, err);
    es_tensor_free(&middle);
    return ok;
}

bool es_torch_pca(es_torch *k, es_tensor *scores, es_tensor *components, es_tensor *explained,
                  const es_tensor *x, int64_t n, es_error *err)
{
    es_tensor out[3] = {{0}};
    *scores = *components = *explained = out[0];
    if (!is_matrix(x, "pca",
                   "linalg.svd: Expected a floating point or complex tensor as input. Got ", err))
        return false;
    int64_t most = es_matrix_wide(x) ? x->shape.dim[0] : x->shape.dim[1];
    if (n < 1 || n > most)
        return es_fail(err, ES_ERR_RANGE,
                       "%" PRId64 " components of a table of %" PRId64 " rows and %" PRId64
                       " columns: 1 to %" PRId64 " are there",
                       n, x->shape.dim[0], x->shape.dim[1], most);
    if (!analysed(k, out, x, n, err)) {
        free_all(out);
        return false;
    }
    *scores = out[0];
    *components = out[1];
    *explained = out[2];
    return true;
}

/* ---- singular values ---- */

/* Rows u (r, n) that are nearly at right angles, and rows v (r, m). */
typedef struct rows {
    double *u, *v;
    int64_t r, n, m;
} rows;

static void turn(double *x, double *y, double c, double s, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

/* Turn rows i and j of both so that those of u are at right angles (Jacobi); false: they are. */
static bool straighten_pair(const rows *p, int64_t i, int64_t j)
{
    double *x = p->u + i * p->n, *y = p->u + j * p->n;
    double xx = es_matrix_dot(x, x, p->n), yy = es_matrix_dot(y, y, p->n),
           xy = es_matrix_dot(x, y, p->n);
    if (fabs(xy) <= 1e-15 * sqrt(xx) * sqrt(yy) || xy == 0)
        return false;
    double z = (yy - xx) / (2 * xy), t = (z < 0 ? -1 : 1) / (fabs(z) + hypot(1, z));
    double c = 1 / hypot(1, t);
    turn(x, y, c, c * t, p->n);
    turn(p->v + i * p->m, p->v + j * p->m, c, c * t, p->m);
    return true;
}

static void longest_first(const rows *p)
{
    for (int64_t i = 0; i < p->r; i++) {
        int64_t best = i;
        double most = -1;
        for (int64_t j = i; j < p->r; j++) {
            double length = es_matrix_dot(p->u + j * p->n, p->u + j * p->n, p->n);
            best = length > most ? j : best;
            most = fmax(most, length);
        }
        if (best == i)
            continue;
        turn(p->u + i * p->n, p->u + best * p->n, 0, 1, p->n);
        turn(p->v + i * p->m, p->v + best * p->m, 0, 1, p->m);
    }
}

/* The square of a matrix has lost half of the digits; they are found again here, where that takes no minutes. */
static bool polish(es_torch *k, const rows *p, es_error *err)
{
    bool turned = (double)p->r * (double)p->r * (double)(p->n + p->m) < 1e10;
    for (int sweep = 0; turned && sweep < 30; sweep++) {
        turned = false;
        for (int64_t i = 0; i < p->r; i++) {
            for (int64_t j = i + 1; j < p->r; j++)
                turned = straighten_pair(p, i, j) || turned;
            if (!es_watch_step(k->watch, 0, err))
                return false;
        }
    }
    longest_first(p);
    return true;
}

/* u and s from x v: the lengths of its columns, and the columns at length 1. */
static bool lengths(es_torch *k, es_tensor out[3], const es_tensor *x, const es_tensor *wide,
                    double *right, int64_t r, es_error *err)
{
    es_shape turned = es_shape_2d("", r, "", x->shape.dim[0]), one = es_shape_1d("", r),
             of_v = es_shape_2d("", r, "", x->shape.dim[1]);
    es_tensor v = {0}, us = {0}, left = {0}, cols = {0};
    turned.label[1] = x->shape.label[0];
    of_v.label[1] = x->shape.label[1];
    double *s = es_alloc_array((size_t)r + 1, sizeof *s), *u = NULL;
    bool ok = es_matrix_tensor(k, &v, wide, &of_v, right, err) &&
              es_matrix_product(k, &us, &v, false, wide, true, err) &&
              (u = es_matrix_numbers(k, &us, err)) &&
              polish(k, &(rows){u, right, r, turned.dim[1], of_v.dim[1]}, err);
    for (int64_t i = 0; ok && i < r; i++)
        s[i] = sqrt(es_matrix_dot(u + i * turned.dim[1], u + i * turned.dim[1], turned.dim[1]));
    ok = ok && es_orthonormal(k, u, r, turned.dim[1], r ? s[0] : 0, err) &&
         es_matrix_tensor(k, &left, x, &turned, u, err) &&
         es_matrix_tensor(k, &out[1], x, &one, s, err) &&
         es_matrix_tensor(k, &cols, x, &of_v, right, err) &&
         es_tensor_transpose(&out[0], &left, 0, 1, err) &&
         es_tensor_transpose(&out[2], &cols, 0, 1, err);
    es_tensor *all[] = {&v, &us, &left, &cols};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
    free(s);
    free(u);
    return ok;
}

static bool shapes_of_svd(es_torch *k, es_tensor out[3], const es_tensor *x, int64_t r,
                          es_error *err)
{
    es_shape u = x->shape, v = es_shape_2d("", x->shape.dim[1], "", r), s = es_shape_1d("", r);
    u.dim[1] = r;
    u.label[1] = es_label_named("");
    v.label[0] = x->shape.label[1];
    return es_torch_like(k, &out[0], x, x->dtype, &u, err) &&
           es_torch_like(k, &out[1], x, x->dtype, &s, err) &&
           es_torch_like(k, &out[2], x, x->dtype, &v, err);
}

static bool decomposed(es_torch *k, es_tensor out[3], const es_tensor *x, int64_t r, es_error *err)
{
    es_tensor wide;
    double *right = NULL, *values = NULL;
    if (k->shapes_only || es_torch_meta(x))
        return shapes_of_svd(k, out, x, r, err);
    if (!es_torch_to(k, &wide, x, ES_FLOAT64, x->buf->be, err))
        return false;
    bool ok = es_directions(k, &wide, r, &right, &values, err) &&
              lengths(k, out, x, &wide, right, r, err);
    es_tensor_free(&wide);
    free(right);
    free(values);
    return ok;
}

bool es_torch_svd(es_torch *k, es_tensor *u, es_tensor *s, es_tensor *v, const es_tensor *x,
                  es_error *err)
{
    es_tensor out[3] = {{0}};
    *u = *s = *v = out[0];
    if (!is_matrix(x, "svd",
                   "linalg.svd: Expected a floating point or complex tensor as input. Got ", err))
        return false;
    if (!decomposed(k, out, x, es_matrix_wide(x) ? x->shape.dim[0] : x->shape.dim[1], err)) {
        free_all(out);
        return false;
    }
    *u = out[0];
    *s = out[1];
    *v = out[2];
    return true;
}
