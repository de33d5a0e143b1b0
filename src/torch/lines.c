// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/lines.h"

#include <assert.h>
#include <math.h>

es_cells es_cells_from(const es_cells *line, int64_t i)
{
    es_cells piece = *line;
    piece.at = (char *)line->at + i * line->step * (int64_t)es_dtype_size(line->dtype);
    return piece;
}

bool es_lines_pace(es_lines *l, int64_t n, es_error *err)
{
    l->worked += n;
    if (l->worked < ES_STRETCH_WORK)
        return true;
    l->worked = 0;
    return es_watch_step(l->k->watch, 0, err);
}

/* row: where lines begin. */
static bool begin_lines(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    es_lines *l = ctx;
    for (int64_t i = 0; i < n; i++) {
        es_cells line[ES_MOST_GRID];
        for (int t = 0; t < l->n_tensors; t++) {
            line[t] = es_cells_from(&row[t], i);
            line[t].step = l->step[t];
        }
        if (!l->fn(l, line, err) || !es_lines_pace(l, 16, err))
            return false;
    }
    return true;
}

/* t without the axis. */
static es_tensor starts(const es_tensor *t, int axis)
{
    es_tensor s = *t;
    for (int d = axis; d + 1 < s.shape.ndim; d++) {
        s.shape.dim[d] = s.shape.dim[d + 1];
        s.stride[d] = s.stride[d + 1];
    }
    s.shape.ndim -= s.shape.ndim > 0;
    return s;
}

bool es_lines_run(es_torch *k, const es_tensor *const *t, int n, int axis, es_line_fn *fn,
                  const void *ctx, es_error *err)
{
    assert(n >= 2 && t[1]);
    bool scalar = t[1]->shape.ndim == 0;
    es_lines l = {.k = k, .fn = fn, .ctx = ctx, .n_tensors = n};
    es_tensor start[ES_MOST_GRID] = {0};
    const es_tensor *starting[ES_MOST_GRID];
    l.n = scalar ? 1 : t[1]->shape.dim[axis];
    for (int i = 0; i < n; i++) {
        l.step[i] = scalar ? 1 : t[i]->stride[axis];
        start[i] = starts(t[i], axis);
        starting[i] = &start[i];
    }
    es_grid g = es_grid_over(starting, n);
    return es_grid_rows(k, &g, begin_lines, &l, err);
}

bool es_lines_along(es_torch *k, es_tensor *out, const es_tensor *const *x, int n,
                    const es_shape *shape, int axis, es_line_fn *fn, const void *ctx,
                    const char *what, es_error *err)
{
    es_tensor here[ES_MOST_GRID - 1] = {0};
    const es_tensor *t[ES_MOST_GRID] = {out};
    bool ok = es_host_instead(out, err) && es_host_operands(k, here, x, n, shape, what, err);
    for (int i = 0; i < n; i++)
        t[i + 1] = &here[i];
    ok = ok && es_lines_run(k, t, n + 1, axis, fn, ctx, err);
    for (int i = 0; i < n; i++)
        es_tensor_free(&here[i]);
    return ok;
}

bool es_lines_log_sum(es_lines *l, const es_cells *line, double *max, double *log_sum,
                      es_error *err)
{
    double v[ES_ROW], sum = 0;
    *max = -(double)INFINITY;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0, n; i < l->n; i += n) {
            es_cells in = es_cells_from(line, i);
            n = es_lines_piece(l, i);
            es_cells_to_floats(v, &in, n, in.dtype);
            for (int64_t e = 0; e < n && pass == 0; e++)
                *max = isnan(v[e]) || v[e] > *max ? v[e] : *max;
            for (int64_t e = 0; e < n && pass == 1; e++)
                sum += exp(v[e] - *max);
            if (!es_lines_pace(l, n, err))
                return false;
        }
    *log_sum = l->n ? log(sum) : -(double)INFINITY;
    return true;
}
