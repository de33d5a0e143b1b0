// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/reduce.h"

#include "torch/folds.h"
#include "torch/grid.h"
#include "torch/reduce_inside.h"

/* ---- what is refused ---- */

static bool floats_only(es_reduction op, const es_tensor *x, const es_over *over, es_error *err)
{
    const char *is = es_torch_scalar_name(x->dtype);
    if (es_dtype_is_float(x->dtype) || es_folds[op].ints)
        return true;
    es_fail(err, ES_ERR_DTYPE, "the %s of %s is not defined; it needs floats", over->name,
            es_dtype_name(x->dtype));
    es_hint(err, "try: .float() first");
    switch (op) {
    case ES_R_MEAN:
        return es_torch_says(err,
                             "mean(): could not infer output dtype. Input dtype must be either a "
                             "floating point or complex dtype. Got: %s",
                             is);
    case ES_R_LOGSUMEXP:
        return es_torch_says(err,
                             "logsumexp(): Expected floating point type for result tensor, but "
                             "got: %s",
                             is);
    case ES_R_NORM:
        return es_torch_says(err,
                             "linalg.vector_norm: Expected a floating point or complex tensor as "
                             "input. Got %s",
                             is);
    default:
        return es_torch_says(err, "std and var only support floating point and complex dtypes");
    }
}

static bool needs_elements(es_reduction op, const es_over *over)
{
    return (op >= ES_R_MAX && op <= ES_R_ARGMIN) ||
           (op == ES_R_NORM && (over->p < 0 || over->p > 1e300));
}

static bool nothing_to_choose(es_reduction op, const es_tensor *x, const es_over *over,
                              es_error *err)
{
    if (over->all) {
        es_fail(err, ES_ERR_VALUE, "the tensor is empty: it has no %s", over->name);
        return es_torch_says(err,
                             "%s(): Expected reduction dim to be specified for input.numel() == "
                             "0.%s",
                             over->name,
                             op == ES_R_ARGMAX || op == ES_R_ARGMIN
                                 ? ""
                                 : " Specify the reduction dim with the 'dim' argument.");
    }
    for (int i = 0; i < over->n; i++)
        if (x->shape.ndim && x->shape.dim[over->axis[i]] == 0) {
            es_fail(err, ES_ERR_VALUE, "axis %d is empty: it has no %s",
                    over->axis[i] - x->shape.ndim, over->name);
            return es_torch_says(err, "%s(): Expected reduction dim %d to have non-zero size.",
                                 over->name, over->axis[i]);
        }
    return true;
}

/* ---- shapes ---- */

typedef struct plan {
    es_shape out;        /* of the result */
    es_tensor kept, run; /* x's axes that stay, and those that go: both borrow its memory */
} plan;

static void move_axis(es_tensor *to, const es_tensor *x, int d)
{
    to->stride[to->shape.ndim] = x->stride[d];
    to->shape.dim[to->shape.ndim] = x->shape.dim[d];
    to->shape.label[to->shape.ndim++] = x->shape.label[d];
}

static plan make_plan(const es_tensor *x, const es_over *over)
{
    plan p = {.kept = *x, .run = *x};
    bool goes[ES_MAX_DIMS] = {false};
    for (int i = 0; i < over->n && x->shape.ndim; i++)
        goes[over->axis[i]] = true;
    p.kept.shape.ndim = p.run.shape.ndim = 0;
    for (int d = 0; d < x->shape.ndim; d++) {
        move_axis(goes[d] ? &p.run : &p.kept, x, d);
        if (!goes[d] || over->keepdim) {
            p.out.dim[p.out.ndim] = goes[d] ? 1 : x->shape.dim[d];
            p.out.label[p.out.ndim++] = goes[d] ? es_label_named("") : x->shape.label[d];
        }
    }
    return p;
}

/* The axes of the result that the kept ones have become, in the same order. */
static es_tensor beside(const es_tensor *out, const plan *p)
{
    es_tensor t = *out; /* borrows, and it is dense */
    int64_t n = 1;
    t.shape = p->kept.shape;
    for (int d = t.shape.ndim - 1; d >= 0; n *= t.shape.dim[d--])
        t.stride[d] = n;
    return t;
}

/* out, and places unless that is NULL, from x, all in host memory. */
static bool fold_all(es_torch *k, es_tensor *out, es_tensor *places, es_reduction op,
                     const es_tensor *x, const es_over *over, es_error *err)
{
    plan p = make_plan(x, over);
    es_tensor to = beside(out, &p), at = places ? beside(places, &p) : to;
    const es_folding f = {op, over->p, &to, places ? &at : NULL, &p.kept, &p.run};
    return es_fold_all(k, &f, err);
}

/* ---- one axis of float32: the backend's, a part at a time ---- */

static int backend_op(es_reduction op, const es_tensor *x, const es_over *over)
{
    static const struct {
        es_reduction op;
        int of_backend;
    } known[] = {{ES_R_SUM, ES_REDUCE_SUM}, {ES_R_MAX, ES_REDUCE_MAX}, {ES_R_MIN, ES_REDUCE_MIN}};
    if (x->dtype != ES_FLOAT32 || x->shape.ndim == 0 || over->n != 1)
        return -1;
    if (es_torch_far(x) || x->stride[over->axis[0]] != 1)
        return -1; /* es_fold_all reads along the memory, whichever axis goes */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].op == op)
            return known[i].of_backend;
    return -1;
}

static bool on_device(es_torch *k, const es_tensor *out, int op, const es_tensor *x,
                      const es_over *over, es_error *err)
{
    es_tensor wide = *out; /* borrows; the axis that goes is there, with size 1 */
    int64_t n = 1;
    wide.shape = x->shape;
    wide.shape.dim[over->axis[0]] = 1;
    for (int d = wide.shape.ndim - 1; d >= 0; n *= wide.shape.dim[d--])
        wide.stride[d] = n;
    return es_torch_ready(k, x, over->name, err) &&
           es_reduce_axis(k, &wide, (es_reduce_op)op, x, over->axis[0], err);
}

/* ---- */

static bool reduced(es_torch *k, es_tensor *out, es_tensor *places, es_reduction op,
                    const es_tensor *x, const es_over *over, es_error *err)
{
    es_tensor here;
    if (es_reduces_there(op, places != NULL, x, over))
        return es_reduce_there(k, out, places, op, x, over, err);
    int slot = places ? -1 : backend_op(op, x, over);
    if (slot >= 0)
        return on_device(k, out, slot, x, over, err);
    if (!es_host_instead(out, err) || !es_host_operand(k, &here, x, NULL, over->name, err))
        return false;
    bool ok = fold_all(k, out, places, op, &here, over, err) && es_host_done(k, out, err);
    es_tensor_free(&here);
    return ok;
}

static es_dtype dtype_of(es_reduction op, es_dtype x)
{
    switch (op) {
    case ES_R_SUM:
    case ES_R_PROD: return es_dtype_is_float(x) ? x : ES_INT64;
    case ES_R_ARGMAX:
    case ES_R_ARGMIN:
    case ES_R_COUNT_NONZERO: return ES_INT64;
    case ES_R_ALL:
    case ES_R_ANY: return ES_BOOL;
    default: return x;
    }
}

static bool may_reduce(es_reduction op, const es_tensor *x, const es_over *over, es_error *err)
{
    return floats_only(op, x, over, err) &&
           (!needs_elements(op, over) || es_shape_count(&x->shape) > 0 ||
            nothing_to_choose(op, x, over, err));
}

bool es_torch_reduce(es_torch *k, es_tensor *out, es_reduction op, const es_tensor *x,
                     const es_over *over, es_error *err)
{
    *out = (es_tensor){0};
    if (!may_reduce(op, x, over, err))
        return false;
    plan p = make_plan(x, over);
    if (!es_torch_result(k, out, &x, 1, dtype_of(op, x->dtype), &p.out, err))
        return false;
    if (es_torch_meta(out) || reduced(k, out, NULL, op, x, over, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_extreme(es_torch *k, es_tensor *values, es_tensor *index, bool largest,
                      const es_tensor *x, const es_over *over, es_error *err)
{
    es_reduction op = largest ? ES_R_MAX : ES_R_MIN;
    *values = *index = (es_tensor){0};
    if (!may_reduce(op, x, over, err))
        return false;
    plan p = make_plan(x, over);
    bool ok = es_torch_result(k, values, &x, 1, x->dtype, &p.out, err) &&
              es_torch_result(k, index, &x, 1, ES_INT64, &p.out, err) &&
              (es_torch_meta(values) || reduced(k, values, index, op, x, over, err));
    if (ok)
        return true;
    es_tensor_free(values);
    es_tensor_free(index);
    return false;
}
