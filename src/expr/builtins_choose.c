// SPDX-License-Identifier: GPL-3.0-or-later
/* Choosing between numbers, keeping them in bounds, and whether two tensors are the same. */
#include "expr/bind_shapes.h"
#include "torch/close.h"
#include "torch/elementwise.h"

/* ---- choosing ---- */

static bool choose(es_args *a, es_value *out, int condition, int x, int y, es_error *err)
{
    es_tensor made[2] = {0}, t;
    const es_tensor *mask = es_arg_tensor(a, condition, err),
                    *p = mask ? es_arg_operand(a, x, &made[0], err) : NULL,
                    *q = p ? es_arg_operand(a, y, &made[1], err) : NULL;
    bool ok = q && es_give(out, &t, es_torch_where(a->k, &t, mask, p, q, err));
    es_tensor_free(&made[0]);
    es_tensor_free(&made[1]);
    return ok;
}

static bool run_where(es_args *a, es_value *out, es_error *err)
{
    if (es_given(a, 1) || es_given(a, 2))
        return choose(a, out, 0, 1, 2, err);
    const es_tensor *mask = es_arg_tensor(a, 0, err);
    return mask && es_give_places(a, out, mask, err);
}

static bool run_where_method(es_args *a, es_value *out, es_error *err)
{
    return choose(a, out, 1, 0, 2, err);
}

static bool clamp_between(es_args *a, es_value *out, int low, int high, es_error *err)
{
    es_tensor made[2] = {0}, t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *bound[2] = {NULL, NULL};
    const int at[2] = {low, high};
    bool ok = x != NULL;
    for (int i = 0; ok && i < 2; i++)
        if (at[i] > 0 && es_given(a, at[i]))
            ok = (bound[i] = es_arg_operand(a, at[i], &made[i], err)) != NULL;
    ok = ok && es_give(out, &t, es_torch_clamp(a->k, &t, x, bound[0], bound[1], err));
    es_tensor_free(&made[0]);
    es_tensor_free(&made[1]);
    return ok;
}

static bool run_clamp(es_args *a, es_value *out, es_error *err)
{
    return clamp_between(a, out, 1, 2, err);
}

static bool run_clamp_min(es_args *a, es_value *out, es_error *err)
{
    return clamp_between(a, out, 1, -1, err);
}

static bool run_clamp_max(es_args *a, es_value *out, es_error *err)
{
    return clamp_between(a, out, -1, 1, err);
}

static bool run_masked_fill(es_args *a, es_value *out, es_error *err)
{
    es_tensor made = {0}, t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *mask = x ? es_arg_tensor(a, 1, err) : NULL,
                    *value = mask ? es_arg_operand(a, 2, &made, err) : NULL;
    bool ok = value && es_give(out, &t, es_torch_masked_fill(a->k, &t, x, mask, value, err));
    es_tensor_free(&made);
    return ok;
}

/* ---- the same, or nearly ---- */

static bool read_tolerance(es_args *a, es_tolerance *t, es_error *err)
{
    *t = (es_tolerance){.rtol = 1e-5, .atol = 1e-8};
    return (!es_given(a, 2) || es_arg_double(a, 2, &t->rtol, err)) &&
           (!es_given(a, 3) || es_arg_double(a, 3, &t->atol, err)) &&
           es_arg_bool(a, 4, false, &t->equal_nan, err);
}

static bool run_isclose(es_args *a, es_value *out, es_error *err)
{
    es_tolerance tolerance;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && read_tolerance(a, &tolerance, err) &&
           es_give(out, &t, es_torch_isclose(a->k, &t, x, y, &tolerance, err));
}

static bool run_allclose(es_args *a, es_value *out, es_error *err)
{
    es_tolerance tolerance;
    bool close;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y || !read_tolerance(a, &tolerance, err) ||
        !es_torch_allclose(a->k, &close, x, y, &tolerance, err))
        return false;
    *out = es_value_bool(close);
    return true;
}

static bool run_equal(es_args *a, es_value *out, es_error *err)
{
    bool equal;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y || !es_torch_equal(a->k, &equal, x, y, err))
        return false;
    *out = es_value_bool(equal);
    return true;
}

/* ---- the table ---- */

enum { BOTH = ES_IN_TORCH | ES_METHOD, INPLACE = BOTH | ES_IN_PLACE };

#define STRETCHED "all shapes stretched to one, aligned from the right; a 1 stretches"

const es_builtin es_builtins_choose[] = {
    {"where", ES_IN_TORCH, "condition, input=None, other=None",
     "one number where the condition holds, the other where not", STRETCHED, NULL,
     "torch.where(x > 0, x, 0.0)", run_where},
    {"where", ES_METHOD, "input, condition, other",
     "its numbers where the condition holds, others where not", STRETCHED, NULL,
     "x.where(x > 0, 0.0)", run_where_method},
    {"clamp", INPLACE, "input, min=None, max=None", "each number kept between two bounds",
     STRETCHED, NULL, "x.clamp(-0.5, 0.5)", run_clamp},
    {"clip", INPLACE, "input, min=None, max=None", "each number kept between two bounds", STRETCHED,
     "The same as clamp.", "x.clip(min=0)", run_clamp},
    {"clamp_min", INPLACE, "input, min", "each number, but at least this", STRETCHED, NULL,
     "x.clamp_min(0)", run_clamp_min},
    {"clamp_max", INPLACE, "input, max", "each number, but at most this", STRETCHED, NULL,
     "x.clamp_max(0)", run_clamp_max},
    {"masked_fill", INPLACE, "input, mask, value", "one value written where a mask holds",
     STRETCHED, "Attention hides the future with it: float(\"-inf\") where a token may not look.",
     "s = torch.zeros(T, T)\ns.masked_fill(torch.arange(T).unsqueeze(1) < torch.arange(T), "
     "float(\"-inf\"))",
     run_masked_fill},
    {"isclose", BOTH, "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
     "True where two numbers differ by at most atol + rtol times the second", STRETCHED, NULL,
     "torch.isclose(x, x + 1e-9)", run_isclose},
    {"allclose", BOTH, "input, other, rtol=1e-05, atol=1e-08, equal_nan=False",
     "are all numbers close to each other?", "one Python bool",
     "Floats that were computed in two ways are rarely equal, but close.",
     "torch.allclose(x @ wte.weight.T, F.linear(x, wte.weight))", run_allclose},
    {"equal", BOTH, "input, other", "the same shape and the same numbers?", "one Python bool",
     "== compares number by number instead.", "torch.equal(wte(ids), wte.weight[ids])", run_equal},
    {.name = NULL},
};
