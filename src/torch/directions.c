// SPDX-License-Identifier: GPL-3.0-or-later
/* The directions in which rows are longest: those of the matrix times itself turned, whichever way is smaller. */
#include "torch/directions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/eigen.h"
#include "torch/grid.h"
#include "torch/product.h"

/* ---- matrices of double on the host, and tensors ---- */

static bool append_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    double **to = ctx;
    es_cells_to_floats(*to, row, n, row->dtype);
    *to += n;
    return true;
}

double *es_matrix_numbers(es_torch *k, const es_tensor *t, es_error *err)
{
    es_tensor here;
    if (!es_host_operand(k, &here, t, NULL, "this", err))
        return NULL;
    size_t n = (size_t)es_shape_count(&t->shape);
    double *numbers = es_try_alloc(n ? n : 1, sizeof *numbers, "a matrix", err), *to = numbers;
    const es_tensor *const all[] = {&here};
    es_grid g = es_grid_over(all, 1);
    if (numbers && !es_grid_rows(k, &g, append_row, &to, err)) {
        free(numbers);
        numbers = NULL;
    }
    es_tensor_free(&here);
    return numbers;
}

bool es_matrix_tensor(es_torch *k, es_tensor *t, const es_tensor *x, const es_shape *shape,
                      const double *numbers, es_error *err)
{
    if (!es_host_result(k, t, &x, 1, x->dtype, shape, err))
        return false;
    const es_cells all = {t->buf->mem, t->dtype, 1};
    es_cells_from_floats(&all, numbers, es_shape_count(shape));
    if (es_host_done(k, t, err))
        return true;
    es_tensor_free(t);
    return false;
}

/* ---- directions ---- */

bool es_matrix_wide(const es_tensor *x)
{
    return x->shape.dim[1] > x->shape.dim[0];
}

bool es_matrix_product(es_torch *k, es_tensor *out, const es_tensor *a, bool turn_a,
                       const es_tensor *b, bool turn_b, es_error *err)
{
    es_tensor p = {0}, q = {0};
    es_torch quiet = *k;
    quiet.note = NULL;
    quiet.strict = false;
    bool ok = (turn_a ? es_tensor_transpose(&p, a, 0, 1, err) : (es_tensor_view(&p, a), true)) &&
              (turn_b ? es_tensor_transpose(&q, b, 0, 1, err) : (es_tensor_view(&q, b), true)) &&
              es_torch_matmul(&quiet, out, &p, &q, err);
    es_tensor_free(&p);
    es_tensor_free(&q);
    return ok;
}

/* x times itself turned: the smaller of the two ways. */
static double *squared(es_torch *k, const es_tensor *x, es_error *err)
{
    es_tensor g;
    bool wide = es_matrix_wide(x);
    if (!es_matrix_product(k, &g, x, !wide, x, wide, err))
        return NULL;
    double *numbers = es_matrix_numbers(k, &g, err);
    es_tensor_free(&g);
    return numbers;
}

double es_matrix_dot(const double *x, const double *y, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Take away from row r what lies along the rows before it; its length then. */
static double straightened(double *rows, int64_t r, int64_t n)
{
    double *x = rows + r * n;
    for (int pass = 0; pass < 2; pass++) /* the second takes what rounding left */
        for (int64_t i = 0; i < r; i++) {
            double along = es_matrix_dot(x, rows + i * n, n);
            for (int64_t e = 0; e < n; e++)
                x[e] -= along * rows[i * n + e];
        }
    return sqrt(es_matrix_dot(x, x, n));
}

bool es_orthonormal(es_torch *k, double *rows, int64_t r, int64_t n, double length, es_error *err)
{
    int64_t next = 0;
    for (int64_t i = 0; i < r; i++) {
        double *x = rows + i * n, left = straightened(rows, i, n), least = 1e-9 * length;
        while ((left <= least || left == 0) && next < n) {
            memset(x, 0, (size_t)n * sizeof *x);
            x[next++] = 1;
            left = straightened(rows, i, n);
            least = 0.5 / sqrt((double)n);
        }
        for (int64_t e = 0; e < n; e++)
            x[e] /= left;
        if (!es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

/* Of a wide x: from its rows' directions, (r, n), to its columns', (r, m). */
static double *through(es_torch *k, const es_tensor *x, const double *rows, int64_t r,
                       es_error *err)
{
    es_shape shape = es_shape_2d("", r, "", x->shape.dim[0]);
    es_tensor u, product;
    if (!es_matrix_tensor(k, &u, x, &shape, rows, err))
        return NULL;
    bool ok = es_matrix_product(k, &product, &u, false, x, false, err);
    es_tensor_free(&u);
    if (!ok)
        return NULL;
    double *across = es_matrix_numbers(k, &product, err);
    es_tensor_free(&product);
    return across;
}

bool es_directions(es_torch *k, const es_tensor *x, int64_t r, double **right, double **values,
                   es_error *err)
{
    int64_t m = x->shape.dim[1], small = es_matrix_wide(x) ? x->shape.dim[0] : m;
    double *g = squared(k, x, err);
    *values = es_try_alloc((size_t)small + 1, sizeof **values, "the axes of a matrix", err);
    double *rows =
        es_try_alloc((size_t)(small * small) + 1, sizeof *rows, "the axes of a matrix", err);
    bool ok = g && *values && rows && es_eigen(g, small, *values, rows, k->watch, err);
    free(g);
    *right = NULL;
    if (ok && es_matrix_wide(x)) {
        *right = through(k, x, rows, r, err);
        ok = *right && es_orthonormal(k, *right, r, m, sqrt(fmax(0, **values)), err);
    } else if (ok) {
        *right = rows;
        rows = NULL;
    }
    free(rows);
    return ok;
}
