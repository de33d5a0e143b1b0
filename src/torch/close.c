// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/close.h"

#include <math.h>

#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/reduce.h"

static bool all_hold(es_torch *k, bool *out, const es_tensor *truth, const char *what,
                     es_error *err)
{
    es_tensor all;
    es_over over = {.name = what, .n = truth->shape.ndim, .all = true};
    for (int d = 0; d < over.n; d++)
        over.axis[d] = d;
    bool ok = es_torch_ready(k, truth, what, err) &&
              es_torch_reduce(k, &all, ES_R_ALL, truth, &over, err);
    *out = ok && es_torch_get_int(&all, 0);
    if (ok)
        es_tensor_free(&all);
    return ok;
}

/* Names do not matter here. */
static es_torch without_names(const es_torch *k)
{
    es_torch quiet = *k;
    quiet.note = NULL;
    quiet.strict = false;
    return quiet;
}

bool es_torch_equal(es_torch *k, bool *out, const es_tensor *x, const es_tensor *y, es_error *err)
{
    *out = false;
    if (!es_shape_equal(&x->shape, &y->shape))
        return true;
    es_tensor same;
    es_torch quiet = without_names(k);
    if (!es_torch_binary(&quiet, &same, ES_B_EQ, x, y, err))
        return false;
    bool ok = all_hold(&quiet, out, &same, "equal", err);
    es_tensor_free(&same);
    return ok;
}

static bool close_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    const es_tolerance *t = ctx;
    double a[ES_ROW], b[ES_ROW];
    int64_t close[ES_ROW];
    es_cells_to_floats(a, &row[1], n, row[1].dtype);
    es_cells_to_floats(b, &row[2], n, row[2].dtype);
    for (int64_t i = 0; i < n; i++) {
        double most = t->atol + fabs(t->rtol * b[i]);
        close[i] = a[i] == b[i] ||
                   (isfinite(a[i]) && isfinite(b[i]) && fabs(a[i] - b[i]) <= most) ||
                   (t->equal_nan && isnan(a[i]) && isnan(b[i]));
    }
    es_cells_from_ints(&row[0], close, n);
    return true;
}

static bool compared(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                     const es_tolerance *tolerance, es_error *err)
{
    const es_tensor *const operand[] = {x, y};
    es_tensor here[2];
    if (!es_host_operands(k, here, operand, 2, &out->shape, "isclose", err))
        return false;
    const es_tensor *const t[] = {out, &here[0], &here[1]};
    es_grid g = es_grid_over(t, 3);
    bool ok = es_grid_rows(k, &g, close_row, (void *)tolerance, err);
    es_tensor_free(&here[0]);
    es_tensor_free(&here[1]);
    return ok;
}

bool es_torch_isclose(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                      const es_tolerance *tolerance, es_error *err)
{
    es_shape shape;
    const es_tensor *const t[] = {x, y};
    *out = (es_tensor){0};
    if (x->dtype != y->dtype) {
        es_fail(err, ES_ERR_DTYPE, "%s against %s: what is compared must be of one dtype",
                es_dtype_name(x->dtype), es_dtype_name(y->dtype));
        return es_torch_says(err, "%s did not match %s", es_torch_scalar_name(x->dtype),
                             es_torch_scalar_name(y->dtype));
    }
    if (!es_torch_stretch(k, &shape, &x->shape, &y->shape, err) ||
        !es_torch_result(k, out, t, 2, ES_BOOL, &shape, err))
        return false;
    if (es_torch_meta(out) || compared(k, out, x, y, tolerance, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_allclose(es_torch *k, bool *out, const es_tensor *x, const es_tensor *y,
                       const es_tolerance *tolerance, es_error *err)
{
    es_tensor close;
    *out = false;
    if (!es_torch_isclose(k, &close, x, y, tolerance, err))
        return false;
    bool ok = all_hold(k, out, &close, "allclose", err);
    es_tensor_free(&close);
    return ok;
}
