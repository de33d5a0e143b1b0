// SPDX-License-Identifier: GPL-3.0-or-later
/* Methods that only write into their tensor; clamp_ and its like are clamp, written back. */
#include "expr/inside.h"

static bool write_number(es_args *a, double number, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    es_tensor made;
    if (!x || !es_torch_float(a->k, &made, number, err))
        return false;
    bool ok = es_write_into(a->in, x, &made, false, err);
    es_tensor_free(&made);
    if (ok)
        *out = es_value_ref(&a->v[0]);
    return ok;
}

static bool run_zero(es_args *a, es_value *out, es_error *err)
{
    return write_number(a, 0, out, err);
}

static bool run_copy(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err), *from;
    es_tensor made;
    if (!x || !(from = es_arg_operand(a, 1, &made, err)))
        return false;
    bool ok = es_write_into(a->in, x, from, false, err);
    es_tensor_free(&made);
    if (ok)
        *out = es_value_ref(&a->v[0]);
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

const es_builtin es_builtins_write[] = {
    {"copy_", ES_METHOD, "input, src", "writes the numbers of another tensor into it",
     "it stays as it is; src stretches to it", NULL,
     "x = torch.zeros(2, 3)\nx.copy_(torch.arange(3))", run_copy},
    {"fill_", ES_METHOD, "input, value", "writes one number everywhere", "it stays as it is", NULL,
     "torch.zeros(2, 3).fill_(7)", run_fill},
    {"zero_", ES_METHOD, "input", "writes 0 everywhere", "it stays as it is", NULL,
     "torch.ones(2, 3).zero_()", run_zero},
    {.name = NULL},
};
