// SPDX-License-Identifier: GPL-3.0-or-later
/* Reductions on a device: one axis after another, each by the backend's. */
#include <math.h>

#include "core/ops.h"
#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/reduce_inside.h"

/* ---- one axis, a part at a time ---- */

typedef struct part_job {
    es_reduce_op op;
    int axis;
} part_job;

static bool reduce_part(void *ctx, es_tensor *out, const es_tensor *x, es_error *err)
{
    const part_job *j = ctx;
    return es_reduce(j->op, out, x, j->axis, err);
}

bool es_reduce_axis(es_torch *k, const es_tensor *out, es_reduce_op op, const es_tensor *x,
                    int axis, es_error *err)
{
    part_job j = {op, axis};
    return es_torch_by_halves(k, out, x, axis, reduce_part, &j, err);
}

/* ---- what a device does ---- */

bool es_reduces_there(es_reduction op, bool places, const es_tensor *x, const es_over *over)
{
    if (!es_torch_far(x) || over->n == 0 || es_shape_count(&x->shape) == 0 || x->shape.ndim == 0)
        return false;
    if (places)
        return op == ES_R_MAX && over->n == 1;
    if (op == ES_R_NORM)
        return over->p == 2 || over->p == 1 || (isinf(over->p) && over->p > 0);
    if (op == ES_R_ARGMAX)
        return over->n == 1 || over->n == x->shape.ndim;
    return op == ES_R_SUM || op == ES_R_MEAN || op == ES_R_MAX || op == ES_R_MIN;
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

/* t becomes t with that axis of size 1. */
static bool fold(es_torch *k, es_tensor *t, es_reduce_op op, int axis, es_error *err)
{
    es_tensor next;
    es_shape shape = t->shape;
    shape.dim[axis] = 1;
    if (!es_torch_new(k, &next, t->buf->be, ES_FLOAT32, &shape, err))
        return false;
    if (becomes(t, &next, es_reduce_axis(k, &next, op, t, axis, err)))
        return true;
    es_tensor_free(&next);
    return false;
}

/* The last first: many rows are reduced at a time.  An axis of size 1 is left alone unless there are only such. */
static bool fold_axes(es_torch *k, es_tensor *t, es_reduce_op op, const es_over *over,
                      es_error *err)
{
    bool goes[ES_MAX_DIMS] = {false};
    int folded = 0;
    for (int i = 0; i < over->n; i++)
        goes[over->axis[i]] = true;
    for (int d = t->shape.ndim - 1; d >= 0; d--) {
        if (!goes[d] || t->shape.dim[d] == 1)
            continue;
        if (!fold(k, t, op, d, err))
            return false;
        op = op == ES_REDUCE_SUM_SQUARES ? ES_REDUCE_SUM : op;
        folded++;
    }
    return folded || fold(k, t, op, over->axis[0], err);
}

static es_reduce_op op_of(es_reduction op, const es_over *over)
{
    switch (op) {
    case ES_R_MAX: return ES_REDUCE_MAX;
    case ES_R_MIN: return ES_REDUCE_MIN;
    case ES_R_NORM:
        return over->p == 2 ? ES_REDUCE_SUM_SQUARES : over->p == 1 ? ES_REDUCE_SUM : ES_REDUCE_MAX;
    default: return ES_REDUCE_SUM;
    }
}

/* Sums become means, and sums of squares lengths. */
static bool finish(es_torch *k, es_tensor *t, es_reduction op, const es_tensor *x,
                   const es_over *over, es_error *err)
{
    es_tensor next, number;
    if (op == ES_R_NORM && over->p == 2)
        return becomes(t, &next, es_torch_unary(k, &next, ES_U_SQRT, t, err));
    if (op != ES_R_MEAN)
        return true;
    double n = (double)es_shape_count(&x->shape) / (double)es_shape_count(&t->shape);
    if (!es_torch_float(k, &number, n, err))
        return false;
    bool ok = becomes(t, &next, es_torch_binary(k, &next, ES_B_DIV, t, &number, err));
    es_tensor_free(&number);
    return ok;
}

static bool start(es_torch *k, es_tensor *t, es_reduction op, const es_tensor *x,
                  const es_over *over, es_error *err)
{
    if (op == ES_R_NORM && over->p != 2)
        return es_torch_unary(k, t, ES_U_ABS, x, err);
    es_tensor_view(t, x);
    return true;
}

/* ---- which is the largest ---- */

/* x as rows whose largest are wanted: along its one axis, or all of it as one row. */
static bool rows_of(es_torch *k, es_tensor *rows, const es_tensor *x, const es_over *over,
                    es_error *err)
{
    int last = x->shape.ndim - 1;
    if (over->n == 1) {
        es_tensor_view(rows, x);
        for (int d = over->axis[0]; d < last; d++) {
            rows->shape.dim[d] = x->shape.dim[d + 1];
            rows->stride[d] = x->stride[d + 1];
        }
        rows->shape.dim[last] = x->shape.dim[over->axis[0]];
        rows->stride[last] = x->stride[over->axis[0]];
        return true;
    }
    if (!es_torch_contiguous(k, rows, x, err))
        return false;
    rows->shape = es_shape_1d("", es_shape_count(&x->shape));
    rows->stride[0] = 1;
    return true;
}

/* values: NULL where only the places are asked for. */
static bool largest(es_torch *k, es_tensor *values, const es_tensor *places, const es_tensor *x,
                    const es_over *over, es_error *err)
{
    es_tensor rows, best;
    if (!rows_of(k, &rows, x, over, err))
        return false;
    es_shape ones = rows.shape;
    ones.dim[ones.ndim - 1] = 1;
    bool ok = es_torch_new(k, &best, x->buf->be, ES_FLOAT32, &ones, err);
    ok = ok && es_watch_step(k->watch, 0, err) && es_topk(&best, places->buf->mem, &rows, err);
    es_tensor_free(&rows);
    if (ok && values) { /* in the same order */
        es_buffer *old = values->buf;
        values->buf = best.buf;
        best.buf = old;
    }
    es_tensor_free(&best);
    return ok;
}

/* ---- */

bool es_reduce_there(es_torch *k, es_tensor *out, const es_tensor *places, es_reduction op,
                     const es_tensor *x, const es_over *over, es_error *err)
{
    es_tensor t = {0};
    if (!es_torch_ready(k, x, over->name, err))
        return false;
    if (places || op == ES_R_ARGMAX)
        return largest(k, places ? out : NULL, places ? places : out, x, over, err);
    bool ok = start(k, &t, op, x, over, err) && fold_axes(k, &t, op_of(op, over), over, err) &&
              finish(k, &t, op, x, over, err);
    if (ok) { /* dense, as out is */
        es_buffer *old = out->buf;
        out->buf = t.buf;
        t.buf = old;
    }
    es_tensor_free(&t);
    return ok;
}
