// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors out of lists, constants, sequences and random numbers. */
#include "torch/make.h"

#include <math.h>

#include "base/mem.h"
#include "expr/bind_shapes.h"
#include "expr/nested.h"
#include "torch/cast.h"
#include "torch/label.h"

/* ---- of lists ---- */

static bool of_data(es_args *a, es_value *out, bool copy, es_error *err)
{
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    const es_tensor *x = a->v[0].kind == ES_V_TENSOR ? es_value_as_tensor(&a->v[0]) : NULL;
    if (!es_arg_dtype(a, 1, x ? x->dtype : ES_FLOAT32, &dtype, err) ||
        !es_arg_device(a, 2, x ? x->buf->be : a->k->be, &be, err))
        return false;
    if (!x)
        return es_give(out, &t,
                       es_tensor_of_value(a->k, &t, &a->v[0], es_given(a, 1) ? &dtype : NULL, be,
                                          err)) ||
               es_arg_blame(a, 0, err);
    if (!copy && x->dtype == dtype && x->buf->be == be) { /* it is that tensor, not one like it */
        *out = es_value_ref(&a->v[0]);
        return true;
    }
    if (!copy || x->dtype != dtype || x->buf->be != be)
        return es_give(out, &t, es_torch_to(a->k, &t, x, dtype, be, err));
    es_torch_note(a->k, "torch.tensor copies a tensor; PyTorch advises x.clone() for that");
    return es_give(out, &t, es_torch_clone(a->k, &t, x, err));
}

static bool run_tensor(es_args *a, es_value *out, es_error *err)
{
    return of_data(a, out, true, err);
}

static bool run_as_tensor(es_args *a, es_value *out, es_error *err)
{
    return of_data(a, out, false, err);
}

/* ---- constants: "*size, dtype=None, device=None" and "input, dtype=None, device=None" ---- */

static bool filled(es_args *a, es_value *out, int64_t with, const es_shape *shape, int dtype_at,
                   const es_tensor *like, es_error *err)
{
    es_dtype dtype;
    es_backend *be;
    es_tensor t, value;
    if (!es_arg_dtype(a, dtype_at, like ? like->dtype : ES_FLOAT32, &dtype, err) ||
        !es_arg_device(a, dtype_at + 1, like ? like->buf->be : a->k->be, &be, err) ||
        !es_torch_int(a->k, &value, with, err))
        return false;
    bool ok = es_give(out, &t, es_torch_full(a->k, &t, be, dtype, shape, &value, err));
    es_tensor_free(&value);
    return ok;
}

static bool filled_to_size(es_args *a, es_value *out, int64_t with, es_error *err)
{
    es_shape shape;
    return es_arg_shape(a, -1, &shape, err) && filled(a, out, with, &shape, 1, NULL, err);
}

static bool run_zeros(es_args *a, es_value *out, es_error *err)
{
    return filled_to_size(a, out, 0, err);
}

static bool run_ones(es_args *a, es_value *out, es_error *err)
{
    return filled_to_size(a, out, 1, err);
}

/* zeros_like and ones_like, and new_zeros and new_ones: of a tensor's kind. */
static bool filled_like(es_args *a, es_value *out, int64_t with, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && filled(a, out, with, &x->shape, 1, x, err);
}

static bool filled_new(es_args *a, es_value *out, int64_t with, es_error *err)
{
    es_shape shape;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, -1, &shape, err) && filled(a, out, with, &shape, 2, x, err);
}

static bool run_zeros_like(es_args *a, es_value *out, es_error *err)
{
    return filled_like(a, out, 0, err);
}

static bool run_ones_like(es_args *a, es_value *out, es_error *err)
{
    return filled_like(a, out, 1, err);
}

static bool run_new_zeros(es_args *a, es_value *out, es_error *err)
{
    return filled_new(a, out, 0, err);
}

static bool run_new_ones(es_args *a, es_value *out, es_error *err)
{
    return filled_new(a, out, 1, err);
}

/* The dtype that a number alone gives a tensor. */
static es_dtype own_dtype(const es_tensor *value)
{
    return value->number && value->dtype == ES_FLOAT64 ? ES_FLOAT32 : value->dtype;
}

/* The number is parameter i, dtype and device are those behind it. */
static bool full(es_args *a, es_value *out, const es_shape *shape, const es_tensor *like, int i,
                 es_error *err)
{
    es_dtype dtype;
    es_backend *be;
    es_tensor t, made;
    const es_tensor *value = es_arg_operand(a, i, &made, err);
    if (!value)
        return false;
    bool ok = es_arg_dtype(a, i + 1, like ? like->dtype : own_dtype(value), &dtype, err) &&
              es_arg_device(a, i + 2, like ? like->buf->be : a->k->be, &be, err) &&
              es_give(out, &t, es_torch_full(a->k, &t, be, dtype, shape, value, err));
    es_tensor_free(&made);
    return ok;
}

static bool run_full(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    return es_arg_shape(a, 0, &shape, err) && full(a, out, &shape, NULL, 1, err);
}

static bool run_full_like(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && full(a, out, &x->shape, x, 1, err);
}

static bool run_new_full(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, 1, &shape, err) && full(a, out, &shape, x, 2, err);
}

static bool run_eye(es_args *a, es_value *out, es_error *err)
{
    es_shape shape = {.ndim = 2};
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    if (!es_arg_size(a, 0, &shape.dim[0], &shape.label[0], err))
        return false;
    shape.dim[1] = shape.dim[0];
    shape.label[1] = shape.label[0];
    return (!es_given(a, 1) || es_arg_size(a, 1, &shape.dim[1], &shape.label[1], err)) &&
           es_arg_dtype(a, 2, ES_FLOAT32, &dtype, err) && es_arg_device(a, 3, a->k->be, &be, err) &&
           es_give(out, &t, es_torch_eye(a->k, &t, be, dtype, &shape, err));
}

/* ---- sequences ---- */

/* A number of arange: start, end or step. */
static bool bound(es_args *a, int i, es_span *s, int as, es_error *err)
{
    const es_value *v = &a->v[i];
    bool is_int = v->kind == ES_V_INT || v->kind == ES_V_BOOL ||
                  (v->kind == ES_V_TENSOR && es_value_as_tensor(v)->dtype != ES_FLOAT32 &&
                   es_value_as_tensor(v)->dtype != ES_FLOAT64);
    s->ints &= is_int;
    if (!es_arg_double(a, i, &s->f[as], err))
        return false;
    if (v->kind == ES_V_INT)
        s->i[as] = v->u.i;
    else if (is_int && v->kind == ES_V_TENSOR)
        s->i[as] = es_torch_get_int(es_value_as_tensor(v), 0);
    else
        s->i[as] = fabs(s->f[as]) < 0x1p62 ? (int64_t)s->f[as] : 0;
    return true;
}

/* arange(0, T) and arange(T) are T, arange(1, T) is T-1. */
static es_label span_label(const es_args *a, const es_span *s, int end)
{
    bool counts = s->ints && s->i[2] == 1 && a->v[end].kind == ES_V_INT &&
                  (end == 0 || !es_label_is_named(&a->v[0].label)) && s->i[0] != INT64_MIN;
    return counts ? es_label_plus(&a->v[end].label, -s->i[0]) : es_label_named("");
}

static bool run_arange(es_args *a, es_value *out, es_error *err)
{
    es_span s = {.ints = true, .i = {0, 0, 1}, .f = {0, 0, 1}};
    bool alone = a->v[1].kind == ES_V_KINDS; /* arange(end) */
    int end = alone ? 0 : 1;
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    if (a->v[0].kind == ES_V_KINDS && alone) {
        es_fail(err, ES_ERR_TYPE, "arange() needs to know where to end");
        return es_torch_says(err, "arange() received an invalid combination of arguments");
    }
    if ((!alone && a->v[0].kind != ES_V_KINDS && !bound(a, 0, &s, 0, err)) ||
        !bound(a, end, &s, 1, err) || (es_given(a, 2) && !bound(a, 2, &s, 2, err)) ||
        !es_arg_dtype(a, 3, s.ints ? ES_INT64 : ES_FLOAT32, &dtype, err) ||
        !es_arg_device(a, 4, a->k->be, &be, err))
        return false;
    es_label label = span_label(a, &s, end);
    return es_give(out, &t, es_torch_arange(a->k, &t, be, dtype, &s, &label, err));
}

static bool run_linspace(es_args *a, es_value *out, es_error *err)
{
    double start, end;
    int64_t steps;
    es_label label;
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    return es_arg_double(a, 0, &start, err) && es_arg_double(a, 1, &end, err) &&
           es_arg_size(a, 2, &steps, &label, err) && es_arg_dtype(a, 3, ES_FLOAT32, &dtype, err) &&
           es_arg_device(a, 4, a->k->be, &be, err) &&
           es_give(out, &t, es_torch_linspace(a->k, &t, be, dtype, start, end, steps, &label, err));
}

#define X     "x = torch.zeros(2, 3)\n"
#define WHERE "dtype=None, device=None, requires_grad=False"
#define LIKE  "input, *, dtype=None, device=None, requires_grad=False"

const es_builtin es_builtins_make[] = {
    {"tensor", ES_IN_TORCH, "data, *, " WHERE, "a tensor of numbers, or of lists of them",
     "a list of n is (n), n lists of m are (n, m)",
     "int64 for whole numbers, float32 for others, bool for True and False; mixed, what holds all.",
     "torch.tensor([[3, 7, 1], [0, 2, 4]])", run_tensor},
    {"as_tensor", ES_IN_TORCH, "data, dtype=None, device=None",
     "a tensor of lists, or a tensor as it is", "as tensor", NULL, "torch.as_tensor([1.5, 2])",
     run_as_tensor},
    {"zeros", ES_IN_TORCH, "*size, " WHERE, "zeros", "the sizes given", NULL, "torch.zeros(2, 3)",
     run_zeros},
    {"ones", ES_IN_TORCH, "*size, " WHERE, "ones", "the sizes given", NULL, "torch.ones(2, 3)",
     run_ones},
    {"empty", ES_IN_TORCH, "*size, " WHERE, "a tensor whose numbers are to be set",
     "the sizes given", "PyTorch leaves in it what the memory held; here it is zeros.",
     "torch.empty(2, 3)", run_zeros},
    {"full", ES_IN_TORCH, "size, fill_value, *, " WHERE, "one number, everywhere",
     "the sizes given, a tuple", NULL, "torch.full((2, 3), 0.5)", run_full},
    {"zeros_like", ES_IN_TORCH, LIKE, "zeros, like another tensor", "the input's sizes", NULL,
     X "torch.zeros_like(x)", run_zeros_like},
    {"ones_like", ES_IN_TORCH, LIKE, "ones, like another tensor", "the input's sizes", NULL,
     X "torch.ones_like(x)", run_ones_like},
    {"empty_like", ES_IN_TORCH, LIKE, "a tensor like another, its numbers to be set",
     "the input's sizes", NULL, X "torch.empty_like(x)", run_zeros_like},
    {"full_like", ES_IN_TORCH, "input, fill_value, *, " WHERE, "one number, like another tensor",
     "the input's sizes", NULL, X "torch.full_like(x, 7)", run_full_like},
    {"new_zeros", ES_METHOD, "input, *size, " WHERE, "zeros of its dtype, on its device",
     "the sizes given", NULL, X "x.new_zeros(4)", run_new_zeros},
    {"new_ones", ES_METHOD, "input, *size, " WHERE, "ones of its dtype, on its device",
     "the sizes given", NULL, X "x.new_ones(4)", run_new_ones},
    {"new_full", ES_METHOD, "input, size, fill_value, dtype=None, device=None",
     "one number in its dtype, on its device", "the sizes given, a tuple", NULL,
     X "x.new_full((4,), 7)", run_new_full},
    {"eye", ES_IN_TORCH, "n, m=None, *, " WHERE, "ones on the diagonal, zeros elsewhere", "(n, m)",
     "Row i of it is the one_hot of i: torch.eye(V)[ids].", "torch.eye(3)", run_eye},
    {"arange", ES_IN_TORCH, "start=0, end=None, step=1, *, " WHERE,
     "start, start + step, … before end", "(n), n = (end - start) / step, rounded up",
     "int64 where all are whole numbers, else float32.  arange(end) begins at 0; the end itself "
     "never comes.",
     "torch.arange(5)\ntorch.arange(0, 1, 0.25)", run_arange},
    {"linspace", ES_IN_TORCH, "start, end, steps, *, " WHERE,
     "numbers at equal distances, both ends included", "(steps)", NULL, "torch.linspace(0, 1, 5)",
     run_linspace},
    {.name = NULL},
};
