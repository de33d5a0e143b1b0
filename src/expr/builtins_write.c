// SPDX-License-Identifier: GPL-3.0-or-later
/* Methods that only write into their tensor; clamp_ and its like are clamp, written back. */
#include "expr/inside.h"
#include "torch/elementwise.h"
#include "torch/make.h"
#include "torch/move.h"

/* What they all end with: src is written into x, which is the answer. */
static bool write_into(es_args *a, const es_tensor *src, es_value *out, es_error *err)
{
    if (!es_write_into(a->in, es_value_as_tensor(&a->v[0]), src, false, err))
        return false;
    es_tensor_note_leaf(a->in, &a->v[0]);
    return es_answer(out, es_value_ref(&a->v[0]));
}

static bool write_number(es_args *a, double number, es_value *out, es_error *err)
{
    es_tensor made;
    if (!es_arg_tensor(a, 0, err) || !es_torch_float(a->k, &made, number, err))
        return false;
    bool ok = write_into(a, &made, out, err);
    es_tensor_free(&made);
    return ok;
}

static bool run_zero(es_args *a, es_value *out, es_error *err)
{
    return write_number(a, 0, out, err);
}

static bool is_shape(const es_shape *a, const es_shape *b)
{
    return a->ndim == b->ndim && !memcmp(a->dim, b->dim, (size_t)a->ndim * sizeof *a->dim);
}

/* copy_ wants more than x[…] = does: both stretch to one, and that is x. */
static bool may_copy(es_args *a, const es_tensor *x, const es_tensor *from, es_error *err)
{
    es_torch quiet = *a->k;
    es_shape both = {0};
    es_error why = ES_ERROR_NONE;
    es_str to = {0}, source = {0};
    quiet.note = NULL;
    quiet.strict = false;
    bool stretch = es_torch_stretch(&quiet, &both, &x->shape, &from->shape, &why);
    if (stretch && is_shape(&both, &x->shape))
        return true;
    es_shape_show(&to, &x->shape);
    es_shape_show(&source, &from->shape);
    es_fail(err, ES_ERR_BROADCAST, "%s does not stretch to %s, where it is to be written", source.s,
            to.s);
    es_str_cut(&to, 0);
    es_str_cut(&source, 0);
    es_torch_sizes(&to, &x->shape);
    es_torch_sizes(&source, &both);
    if (stretch)
        es_torch_says(err, "output with shape %s doesn't match the broadcast shape %s", to.s,
                      source.s);
    else
        es_torch_says(err, "%s", why.torch);
    es_error_free(&why);
    es_str_free(&to);
    es_str_free(&source);
    return false;
}

static bool run_copy(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err), *from;
    es_tensor made;
    if (!x || !(from = es_arg_operand(a, 1, &made, err)))
        return false;
    bool ok = may_copy(a, x, from, err) && write_into(a, from, out, err);
    es_tensor_free(&made);
    return ok;
}

static bool run_fill(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[1];
    if (v->kind != ES_V_TENSOR || !es_value_as_tensor(v)->shape.ndim)
        return run_copy(a, out, err);
    es_fail(err, ES_ERR_TYPE, "fill_ takes one number, not a tensor of rank %d",
            es_value_as_tensor(v)->shape.ndim);
    es_hint(err, "copy_ takes a tensor");
    es_torch_says(err,
                  "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.",
                  es_value_as_tensor(v)->shape.ndim);
    return es_arg_blame(a, 1, err);
}

/* ---- random numbers ---- */

bool es_redraw(es_interp *in, const es_value *x, const es_drawing *how, es_error *err)
{
    es_tensor_object *o = (es_tensor_object *)x->u.o;
    es_torch trial = in->torch;
    es_tensor drawn;
    if (!in->trial)
        return es_torch_redraw(&in->torch, &o->t, how, err);
    trial.shapes_only = true;
    if (!es_torch_drawn(&trial, &drawn, o->t.buf->be, o->t.dtype, &o->t.shape, how, err))
        return false;
    es_tensor_free(&drawn);
    return true;
}

static bool redraw(es_args *a, const es_drawing *how, es_value *out, es_error *err)
{
    if (!es_redraw(a->in, &a->v[0], how, err))
        return false;
    es_tensor_note_leaf(a->in, &a->v[0]);
    return es_answer(out, es_value_ref(&a->v[0]));
}

/* Two numbers, those of parameters 1 and 2. */
static bool read_two(es_args *a, double first, double second, es_drawing *how, es_error *err)
{
    how->from = first;
    how->by = second;
    return es_arg_tensor(a, 0, err) && (!es_given(a, 1) || es_arg_double(a, 1, &how->from, err)) &&
           (!es_given(a, 2) || es_arg_double(a, 2, &how->by, err));
}

static bool run_normal(es_args *a, es_value *out, es_error *err)
{
    es_drawing how = {0};
    if (!read_two(a, 0, 1, &how, err))
        return false;
    if (how.by >= 0)
        return redraw(a, &how, out, err);
    es_fail(err, ES_ERR_VALUE, "a deviation is not below 0, and this is %g", how.by);
    es_torch_says(err, "normal expects std >= 0.0, but found std %g", how.by);
    return es_arg_blame(a, 2, err);
}

static bool run_uniform(es_args *a, es_value *out, es_error *err)
{
    es_drawing how = {.uniform = true};
    if (!read_two(a, 0, 1, &how, err))
        return false;
    double to = how.by;
    how.by -= how.from;
    if (how.by >= 0)
        return redraw(a, &how, out, err);
    es_fail(err, ES_ERR_VALUE, "there are no numbers from %g to below %g", how.from, to);
    es_torch_says(err, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g",
                  how.from, to);
    return es_arg_blame(a, 2, err);
}

#define OURS                                                                                       \
    "The generator is this program's own (Philox4x32-10): the same seed gives the same "           \
    "numbers on every machine, but not PyTorch's."

const es_builtin es_builtins_write[] = {
    {"copy_", ES_METHOD, "input, src", "writes the numbers of another tensor into it",
     "it stays as it is; src stretches to it", NULL,
     "x = torch.zeros(2, 3)\nx.copy_(torch.arange(3))", run_copy},
    {"fill_", ES_METHOD, "input, value", "writes one number everywhere", "it stays as it is", NULL,
     "torch.zeros(2, 3).fill_(7)", run_fill},
    {"normal_", ES_METHOD, "input, mean=0, std=1, *, generator=None",
     "writes random numbers, normal", "it stays as it is", OURS,
     "torch.empty(2, 3).normal_(std=0.02)", run_normal},
    {"uniform_", ES_METHOD, "input, from=0, to=1, *, generator=None",
     "writes random numbers, even between two", "it stays as it is", OURS,
     "torch.empty(2, 3).uniform_(-1, 1)", run_uniform},
    {"zero_", ES_METHOD, "input", "writes 0 everywhere", "it stays as it is", NULL,
     "torch.ones(2, 3).zero_()", run_zero},
    {.name = NULL},
};
