// SPDX-License-Identifier: GPL-3.0-or-later
/* Number by number: functions of one element. */
#include <math.h>
#include <string.h>

#include "expr/bind_shapes.h"
#include "torch/elementwise.h"

static bool run_unary(es_args *a, es_value *out, es_error *err)
{
    static const struct {
        const char *name;
        es_unary_op op;
    } ops[] = {
        {"abs", ES_U_ABS},
        {"absolute", ES_U_ABS},
        {"bitwise_not", ES_U_INVERT},
        {"ceil", ES_U_CEIL},
        {"cos", ES_U_COS},
        {"exp", ES_U_EXP},
        {"erf", ES_U_ERF},
        {"silu", ES_U_SILU},
        {"floor", ES_U_FLOOR},
        {"isfinite", ES_U_ISFINITE},
        {"isinf", ES_U_ISINF},
        {"isnan", ES_U_ISNAN},
        {"log", ES_U_LOG},
        {"log10", ES_U_LOG10},
        {"log1p", ES_U_LOG1P},
        {"log2", ES_U_LOG2},
        {"logical_not", ES_U_LOGICAL_NOT},
        {"neg", ES_U_NEG},
        {"negative", ES_U_NEG},
        {"reciprocal", ES_U_RECIPROCAL},
        {"relu", ES_U_RELU},
        {"rsqrt", ES_U_RSQRT},
        {"sigmoid", ES_U_SIGMOID},
        {"sign", ES_U_SIGN},
        {"sin", ES_U_SIN},
        {"sqrt", ES_U_SQRT},
        {"tan", ES_U_TAN},
        {"tanh", ES_U_TANH},
        {"trunc", ES_U_TRUNC},
    };
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    size_t i = 0;
    while (strcmp(ops[i].name, a->of->name))
        i++;
    return x && es_give(out, &t, es_torch_unary(a->k, &t, ops[i].op, x, err));
}

static bool run_gelu(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    es_unary_op op = ES_U_GELU;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (es_given(a, 1)) {
        if (a->v[1].kind != ES_V_STR)
            return es_arg_wrong(a, 1, "str", err);
        const char *how = es_value_as_str(&a->v[1])->bytes;
        if (!strcmp(how, "tanh"))
            op = ES_U_GELU_TANH;
        else if (strcmp(how, "none")) {
            es_fail(err, ES_ERR_VALUE, "gelu is exact (\"none\") or approximate (\"tanh\")");
            es_torch_says(err, "approximate argument must be either none or tanh.");
            return es_arg_blame(a, 1, err);
        }
    }
    return es_give(out, &t, es_torch_unary(a->k, &t, op, x, err));
}

/* x op n, where n is a plain number. */
static bool with_number(es_torch *k, es_tensor *t, es_binary_op op, const es_tensor *x, double n,
                        es_error *err)
{
    es_tensor number;
    if (!es_torch_float(k, &number, n, err))
        return false;
    bool ok = es_torch_binary(k, t, op, x, &number, err);
    es_tensor_free(&number);
    return ok;
}

/* To so many digits behind the point: whole ones of x * 10^n. */
static bool rounded(es_torch *k, es_tensor *t, const es_tensor *x, double scale, es_error *err)
{
    es_tensor scaled, whole;
    if (!with_number(k, &scaled, ES_B_MUL, x, scale, err))
        return false;
    bool ok = es_torch_unary(k, &whole, ES_U_ROUND, &scaled, err);
    es_tensor_free(&scaled);
    if (!ok)
        return false;
    ok = with_number(k, t, ES_B_DIV, &whole, scale, err);
    es_tensor_free(&whole);
    return ok;
}

static bool run_round(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    int64_t decimals;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_int_or(a, 1, 0, &decimals, err))
        return false;
    if (decimals == 0)
        return es_give(out, &t, es_torch_unary(a->k, &t, ES_U_ROUND, x, err));
    return es_give(out, &t, rounded(a->k, &t, x, pow(10, (double)decimals), err));
}

static bool run_square(es_args *a, es_value *out, es_error *err)
{
    es_tensor t, two;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (x->dtype != ES_BOOL)
        return es_give(out, &t, es_torch_binary(a->k, &t, ES_B_MUL, x, x, err));
    if (!es_torch_int(a->k, &two, 2, err))
        return false;
    bool ok = es_give(out, &t, es_torch_binary(a->k, &t, ES_B_POW, x, &two, err));
    es_tensor_free(&two);
    return ok;
}

/* ---- the table ---- */

enum { BOTH = ES_IN_TORCH | ES_METHOD, INPLACE = BOTH | ES_IN_PLACE };

#define SAME "the same shape"

const es_builtin es_builtins_unary[] = {
    {"neg", INPLACE, "input", "each number with the other sign", SAME,
     "Bools have no sign: ~ turns a mask around.", "x.neg()", run_unary},
    {"negative", INPLACE, "input", "each number with the other sign", SAME, "The same as neg.",
     "x.negative()", run_unary},
    {"abs", INPLACE, "input", "each number without its sign", SAME, NULL, "x.abs()", run_unary},
    {"absolute", INPLACE, "input", "each number without its sign", SAME, "The same as abs.",
     "x.absolute()", run_unary},
    {"sign", INPLACE, "input", "-1, 0 or 1", SAME, NULL, "x.sign()", run_unary},
    {"exp", INPLACE, "input", "e to the power of each number", SAME, "Integers become float32.",
     "x.exp()", run_unary},
    {"log", INPLACE, "input", "the natural logarithm of each number", SAME,
     "Integers become float32. Of 0 it is -inf, of less NaN.", "x.abs().log()", run_unary},
    {"log2", INPLACE, "input", "the logarithm to base 2", SAME, "Integers become float32.",
     "torch.log2(torch.tensor([1, 2, 8]))", run_unary},
    {"log10", INPLACE, "input", "the logarithm to base 10", SAME, "Integers become float32.",
     "torch.log10(torch.tensor([1, 10, 100]))", run_unary},
    {"log1p", INPLACE, "input", "the natural logarithm of 1 + each number", SAME,
     "Exact near 0. Integers become float32.", "torch.log1p(torch.tensor(1e-6))", run_unary},
    {"sqrt", INPLACE, "input", "the square root of each number", SAME,
     "Integers become float32. Of less than 0 it is NaN.", "torch.sqrt(torch.tensor([4.0, 2.0]))",
     run_unary},
    {"rsqrt", INPLACE, "input", "1 divided by the square root of each number", SAME,
     "Integers become float32.", "torch.rsqrt(torch.tensor([4.0, 2.0]))", run_unary},
    {"sin", INPLACE, "input", "the sine of each number, in radians", SAME,
     "Integers become float32. Position tables are made of it.", "torch.sin(torch.arange(5) / 10)",
     run_unary},
    {"cos", INPLACE, "input", "the cosine of each number, in radians", SAME,
     "Integers become float32.", "torch.cos(torch.arange(5) / 10)", run_unary},
    {"tan", INPLACE, "input", "the tangent of each number, in radians", SAME,
     "Integers become float32.", "x.tan()", run_unary},
    {"tanh", INPLACE | ES_IN_F, "input", "each number squashed between -1 and 1", SAME,
     "Integers become float32.", "x.tanh()", run_unary},
    {"sigmoid", INPLACE | ES_IN_F, "input",
     "each number squashed between 0 and 1: 1 / (1 + exp(-x))", SAME, "Integers become float32.",
     "x.sigmoid()", run_unary},
    {"relu", INPLACE | ES_IN_F, "input", "each number, or 0 where it is negative", SAME, NULL,
     "F.relu(x)", run_unary},
    {"silu", ES_IN_F, "input", "each number times its sigmoid", SAME, NULL, "F.silu(x)", run_unary},
    {"erf", INPLACE, "input", "the error function of each number", SAME,
     "0.5 * (1 + erf(x / sqrt(2))) is the chance that a normal number is below x.", "torch.erf(x)",
     run_unary},
    {"gelu", ES_IN_F, "input, approximate='none'",
     "each number times the chance that a normal variable lies below it", SAME,
     "approximate=\"tanh\" is the form that GPT-2 was trained with.",
     "F.gelu(x, approximate=\"tanh\")", run_gelu},
    {"floor", INPLACE, "input", "the next whole number below each", SAME,
     "Still floats; .long() makes integers.", "x.floor()", run_unary},
    {"ceil", INPLACE, "input", "the next whole number above each", SAME,
     "Still floats; .long() makes integers.", "x.ceil()", run_unary},
    {"round", INPLACE, "input, *, decimals=0",
     "the nearest whole number to each, or with so many decimals", SAME,
     "A half goes to the even neighbour: 0.5 becomes 0, 1.5 becomes 2.", "x.round(decimals=1)",
     run_round},
    {"trunc", INPLACE, "input", "each number without what is behind the point", SAME, NULL,
     "x.trunc()", run_unary},
    {"reciprocal", INPLACE, "input", "1 divided by each number", SAME, "Integers become float32.",
     "torch.reciprocal(torch.tensor([2.0, 4.0]))", run_unary},
    {"square", INPLACE, "input", "each number times itself", SAME, NULL, "x.square()", run_square},
    {"bitwise_not", INPLACE, "input", "the bits of each integer turned around; of bools: not", SAME,
     NULL, "ids.bitwise_not()", run_unary},
    {"logical_not", INPLACE, "input", "True where a number is 0", SAME, NULL, "ids.logical_not()",
     run_unary},
    {"isnan", BOTH, "input", "True where a number is NaN", SAME, NULL, "x.isnan()", run_unary},
    {"isinf", BOTH, "input", "True where a number is infinite", SAME, NULL, "x.isinf()", run_unary},
    {"isfinite", BOTH, "input", "True where a number is neither NaN nor infinite", SAME, NULL,
     "x.isfinite()", run_unary},
    {.name = NULL},
};
