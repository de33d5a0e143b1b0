// SPDX-License-Identifier: GPL-3.0-or-later
/* What runs along an axis and keeps it: softmax, cumulative sums and products. */
#include <math.h>

#include "core/ops.h"
#include "torch/elementwise.h"
#include "torch/lines.h"
#include "torch/reduce.h"

/* ---- softmax ---- */

/* line[0] = softmax of line[1]; ctx: its logarithm is wanted. */
static bool softmax_line(es_lines *l, const es_cells *line, es_error *err)
{
    const bool *log = l->ctx;
    double v[ES_ROW], max, log_sum;
    if (!es_lines_log_sum(l, &line[1], &max, &log_sum, err))
        return false;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells out = es_cells_from(&line[0], i), in = es_cells_from(&line[1], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(v, &in, n, in.dtype);
        for (int64_t e = 0; e < n; e++)
            v[e] = *log ? v[e] - max - log_sum : exp(v[e] - max - log_sum);
        es_cells_from_floats(&out, v, n);
        if (!es_lines_pace(l, n, err))
            return false;
    }
    return true;
}

static bool softmax_part(void *ctx, es_tensor *out, const es_tensor *x, es_error *err)
{
    return es_softmax(out, x, *(const int *)ctx, err);
}

/* *t = next, which was made from it. */
static bool becomes(es_tensor *t, const es_tensor *next, bool made)
{
    if (!made)
        return false;
    es_tensor_free(t);
    *t = *next;
    return true;
}

/* The logarithm on a device: z - log(sum(exp(z))) where z is x less its largest. */
static bool log_softmax_there(es_torch *k, es_tensor *out, const es_tensor *x, int axis,
                              es_error *err)
{
    const es_over over = {.name = "log_softmax", .n = 1, .axis = {axis}, .keepdim = true};
    es_torch quiet = *k; /* the axis that is reduced has no name in between */
    quiet.note = NULL;
    quiet.strict = false;
    es_tensor z = {0}, s = {0}, next;
    bool ok = es_torch_reduce(&quiet, &s, ES_R_MAX, x, &over, err) &&
              es_torch_binary(&quiet, &z, ES_B_SUB, x, &s, err) &&
              becomes(&s, &next, es_torch_unary(&quiet, &next, ES_U_EXP, &z, err)) &&
              becomes(&s, &next, es_torch_reduce(&quiet, &next, ES_R_SUM, &s, &over, err)) &&
              becomes(&s, &next, es_torch_unary(&quiet, &next, ES_U_LOG, &s, err)) &&
              becomes(&z, &next, es_torch_binary(&quiet, &next, ES_B_SUB, &z, &s, err));
    es_tensor_free(&s);
    if (ok) { /* dense, as out is */
        es_buffer *old = out->buf;
        out->buf = z.buf;
        z.buf = old;
    }
    es_tensor_free(&z);
    return ok;
}

static bool softmax_there(es_torch *k, es_tensor *out, bool log, const es_tensor *x, int axis,
                          es_error *err)
{
    if (log)
        return log_softmax_there(k, out, x, axis, err);
    return es_torch_ready(k, x, "softmax", err) &&
           es_torch_by_halves(k, out, x, axis, softmax_part, &axis, err);
}

static bool is_float(bool log, const es_tensor *x, int axis, es_error *err)
{
    const char *name = log ? "log_softmax" : "softmax";
    if (es_dtype_is_float(x->dtype))
        return true;
    es_fail(err, ES_ERR_DTYPE, "%s is for floats, and this is %s", name, es_dtype_name(x->dtype));
    es_hint(err, "try: .float() first");
    return es_torch_says(err, "\"%s_%skernel_impl\" not implemented for '%s'", name,
                         axis + 1 >= x->shape.ndim ? "lastdim_" : "",
                         es_torch_scalar_name(x->dtype));
}

bool es_torch_softmax(es_torch *k, es_tensor *out, bool log, const es_tensor *x, int axis,
                      es_error *err)
{
    *out = (es_tensor){0};
    if (!is_float(log, x, axis, err) || !es_torch_result(k, out, &x, 1, x->dtype, &x->shape, err))
        return false;
    if (es_torch_meta(out) || es_shape_count(&x->shape) == 0)
        return true;
    bool device = (!log || es_torch_far(x)) && x->dtype == ES_FLOAT32 && x->shape.ndim > 0;
    const char *name = log ? "log_softmax" : "softmax";
    bool ok = device ? softmax_there(k, out, log, x, axis, err)
                     : (es_lines_along(k, out, &x, 1, NULL, axis, softmax_line, &log, name, err) &&
                        es_host_done(k, out, err));
    if (!ok)
        es_tensor_free(out);
    return ok;
}

/* ---- cumulative sums and products ---- */

static bool floats_line(es_lines *l, const es_cells *line, es_error *err)
{
    const bool *product = l->ctx;
    double v[ES_ROW], so_far = *product;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells out = es_cells_from(&line[0], i), in = es_cells_from(&line[1], i);
        n = es_lines_piece(l, i);
        es_cells_to_floats(v, &in, n, in.dtype);
        for (int64_t e = 0; e < n; e++)
            v[e] = so_far = *product ? so_far * v[e] : so_far + v[e];
        es_cells_from_floats(&out, v, n);
        if (!es_lines_pace(l, n, err))
            return false;
    }
    return true;
}

static bool ints_line(es_lines *l, const es_cells *line, es_error *err)
{
    const bool *product = l->ctx;
    int64_t v[ES_ROW];
    uint64_t so_far = *product;
    for (int64_t i = 0, n; i < l->n; i += n) {
        es_cells out = es_cells_from(&line[0], i), in = es_cells_from(&line[1], i);
        n = es_lines_piece(l, i);
        es_cells_to_ints(v, &in, n, in.dtype);
        for (int64_t e = 0; e < n; e++) {
            so_far = *product ? so_far * (uint64_t)v[e] : so_far + (uint64_t)v[e];
            v[e] = (int64_t)so_far;
        }
        es_cells_from_ints(&out, v, n);
        if (!es_lines_pace(l, n, err))
            return false;
    }
    return true;
}

bool es_torch_cumulate(es_torch *k, es_tensor *out, bool product, const es_tensor *x, int axis,
                       es_error *err)
{
    bool floats = es_dtype_is_float(x->dtype);
    *out = (es_tensor){0};
    if (!es_torch_result(k, out, &x, 1, floats ? x->dtype : ES_INT64, &x->shape, err))
        return false;
    if (es_torch_meta(out) || es_shape_count(&x->shape) == 0 ||
        (es_lines_along(k, out, &x, 1, NULL, axis, floats ? floats_line : ints_line, &product,
                        product ? "cumprod" : "cumsum", err) &&
         es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}
