// SPDX-License-Identifier: GPL-3.0-or-later
/* Choosing between elements: where, clamp, masked_fill. */
#include <inttypes.h>
#include <math.h>

#include "torch/elementwise.h"
#include "torch/grid.h"

/* The result's row, and up to three operands' rows. */
typedef struct job {
    es_dtype as;
    bool low, high; /* clamp: which bounds there are; row[2] the first of them, and so on */
} job;

/* out = fn over n operands, each stretched to out's shape. */
static bool computed(es_torch *k, es_tensor *out, const es_tensor *const *x, int n, es_grid_fn *fn,
                     const job *j, const char *what, es_error *err)
{
    es_tensor here[ES_MOST_GRID - 1] = {0};
    const es_tensor *t[ES_MOST_GRID] = {out};
    bool ok = es_host_operands(k, here, x, n, &out->shape, what, err);
    for (int i = 0; i < n; i++)
        t[i + 1] = &here[i];
    if (ok) {
        es_grid g = es_grid_over(t, n + 1);
        ok = es_grid_rows(k, &g, fn, (void *)j, err) && es_host_done(k, out, err);
    }
    for (int i = 0; i < n; i++)
        es_tensor_free(&here[i]);
    if (!ok)
        es_tensor_free(out);
    return ok;
}

static bool result(es_torch *k, es_tensor *out, const es_tensor *const *x, int n, es_dtype dtype,
                   const es_shape *shape, es_grid_fn *fn, const job *j, const char *what,
                   es_error *err)
{
    return es_host_result(k, out, x, n, dtype, shape, err) &&
           (es_torch_meta(out) || computed(k, out, x, n, fn, j, what, err));
}

/* row[1]: mask; row[2] where it holds, row[3] where not. */
static bool choose_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    const job *j = ctx;
    const bool *mask = row[1].at;
    if (es_dtype_is_float(j->as)) {
        double a[ES_ROW], b[ES_ROW];
        es_cells_to_floats(a, &row[2], n, j->as);
        es_cells_to_floats(b, &row[3], n, j->as);
        for (int64_t i = 0; i < n; i++)
            a[i] = mask[i * row[1].step] ? a[i] : b[i];
        es_cells_from_floats(&row[0], a, n);
    } else {
        int64_t a[ES_ROW], b[ES_ROW];
        es_cells_to_ints(a, &row[2], n, j->as);
        es_cells_to_ints(b, &row[3], n, j->as);
        for (int64_t i = 0; i < n; i++)
            a[i] = mask[i * row[1].step] ? a[i] : b[i];
        es_cells_from_ints(&row[0], a, n);
    }
    return true;
}

bool es_torch_where(es_torch *k, es_tensor *out, const es_tensor *condition, const es_tensor *x,
                    const es_tensor *y, es_error *err)
{
    *out = (es_tensor){0};
    if (condition->dtype != ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "where chooses by a tensor of bools, and this one is %s",
                es_dtype_name(condition->dtype));
        return es_torch_says(err,
                             "where expected condition to be a boolean tensor, but got a tensor "
                             "with dtype %s",
                             es_torch_scalar_name(condition->dtype));
    }
    const es_tensor *const t[] = {condition, x, y};
    const job j = {.as = es_torch_promote(x, y)};
    es_shape both, all;
    return es_torch_stretch(k, &both, &x->shape, &y->shape, err) &&
           es_torch_stretch(k, &all, &condition->shape, &both, err) &&
           result(k, out, t, 3, j.as, &all, choose_row, &j, "where", err);
}

/* ---- clamp ---- */

static bool clamp_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    const job *j = ctx;
    const es_cells *low = &row[2], *high = &row[2 + j->low];
    if (es_dtype_is_float(j->as)) {
        double a[ES_ROW], b[ES_ROW];
        es_cells_to_floats(a, &row[1], n, j->as);
        if (j->low)
            es_cells_to_floats(b, low, n, j->as);
        for (int64_t i = 0; j->low && i < n; i++)
            a[i] = a[i] < b[i] || isnan(b[i]) ? b[i] : a[i];
        if (j->high)
            es_cells_to_floats(b, high, n, j->as);
        for (int64_t i = 0; j->high && i < n; i++)
            a[i] = a[i] > b[i] || isnan(b[i]) ? b[i] : a[i];
        es_cells_from_floats(&row[0], a, n);
    } else {
        int64_t a[ES_ROW], b[ES_ROW];
        es_cells_to_ints(a, &row[1], n, j->as);
        if (j->low)
            es_cells_to_ints(b, low, n, j->as);
        for (int64_t i = 0; j->low && i < n; i++)
            a[i] = a[i] < b[i] ? b[i] : a[i];
        if (j->high)
            es_cells_to_ints(b, high, n, j->as);
        for (int64_t i = 0; j->high && i < n; i++)
            a[i] = a[i] > b[i] ? b[i] : a[i];
        es_cells_from_ints(&row[0], a, n);
    }
    return true;
}

bool es_torch_clamp(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *low,
                    const es_tensor *high, es_error *err)
{
    *out = (es_tensor){0};
    const es_tensor *t[3] = {x};
    es_shape shape = x->shape;
    es_tensor so_far = *x; /* borrows: dtype and rank of what is clamped up to here */
    int n = 1;
    if (!low && !high) {
        es_fail(err, ES_ERR_VALUE, "clamp needs a smallest value, a largest one, or both");
        return es_torch_says(err, "torch.clamp: At least one of 'min' or 'max' must not be None");
    }
    for (int i = 0; i < 2; i++) {
        const es_tensor *bound = i ? high : low;
        if (!bound)
            continue;
        so_far.dtype = es_torch_promote(&so_far, bound);
        so_far.number = so_far.number && bound->number;
        t[n++] = bound;
        es_shape joint = shape;
        if (!es_torch_stretch(k, &shape, &joint, &bound->shape, err))
            return false;
        so_far.shape = shape;
    }
    if (so_far.dtype == ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "clamp is not for bools");
        return es_torch_says(err, "\"clamp_scalar_cpu\" not implemented for 'Bool'");
    }
    const job j = {so_far.dtype, low != NULL, high != NULL};
    return result(k, out, t, n, j.as, &shape, clamp_row, &j, "clamp", err);
}

/* ---- masked_fill ---- */

static bool may_fill(const es_tensor *mask, const es_tensor *value, es_error *err)
{
    if (mask->dtype != ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "a mask is a tensor of bools, and this one is %s",
                es_dtype_name(mask->dtype));
        return es_torch_says(err,
                             "masked_fill only supports boolean masks, but got mask with dtype %s",
                             es_dtype_name(mask->dtype));
    }
    if (value->shape.ndim != 0) {
        es_fail(err, ES_ERR_VALUE, "masked_fill writes one number, and this is a tensor of %d axes",
                value->shape.ndim);
        return es_torch_says(err,
                             "masked_fill only supports a 0-dimensional value tensor, but got "
                             "tensor with %d dimension(s).",
                             value->shape.ndim);
    }
    return true;
}

/* An integer tensor takes what an integer of its size can be. */
static bool value_fits(es_torch *k, const es_tensor *x, const es_tensor *value, es_error *err)
{
    if (es_dtype_is_float(x->dtype) || x->dtype == ES_BOOL || !es_dtype_is_float(value->dtype) ||
        es_torch_meta(value))
        return true;
    double v, most = x->dtype == ES_INT32 ? 0x1p31 : 0x1p63;
    if (!es_torch_read_float(k, &v, value, "masked_fill", err))
        return false;
    if (v >= -most && v < most)
        return true;
    es_fail(err, ES_ERR_VALUE, "%g does not go into a tensor of %s", v, es_dtype_name(x->dtype));
    es_hint(err, "try: .float() of the tensor first");
    return es_torch_says(err, "value cannot be converted to type %s_t without overflow",
                         es_dtype_name(x->dtype));
}

bool es_torch_masked_fill(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *mask,
                          const es_tensor *value, es_error *err)
{
    *out = (es_tensor){0};
    const es_tensor *const t[] = {mask, value, x};
    const job j = {.as = x->dtype};
    es_shape shape;
    return may_fill(mask, value, err) && value_fits(k, x, value, err) &&
           es_torch_stretch(k, &shape, &x->shape, &mask->shape, err) &&
           result(k, out, t, 3, j.as, &shape, choose_row, &j, "masked_fill", err);
}
