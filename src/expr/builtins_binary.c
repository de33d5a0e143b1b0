// SPDX-License-Identifier: GPL-3.0-or-later
/* Number by number: operators by their names. */
#include <math.h>
#include <string.h>

#include "expr/bind_shapes.h"
#include "torch/cast.h"
#include "torch/elementwise.h"

/* Operands i and j, tensors or numbers; at least one of them is to be a tensor. */
typedef struct operands {
    const es_tensor *x, *y;
    es_tensor made[2];
} operands;

static bool read_operands(es_args *a, operands *o, int i, int j, es_error *err)
{
    *o = (operands){0};
    if (a->v[i].kind != ES_V_TENSOR && a->v[j].kind != ES_V_TENSOR)
        return es_arg_tensor(a, i, err) != NULL;
    o->x = es_arg_operand(a, i, &o->made[0], err);
    o->y = o->x ? es_arg_operand(a, j, &o->made[1], err) : NULL;
    return o->y != NULL;
}

static void free_operands(operands *o)
{
    es_tensor_free(&o->made[0]);
    es_tensor_free(&o->made[1]);
}

static es_binary_op binary_called(const char *name)
{
    static const struct {
        const char *name;
        es_binary_op op;
    } ops[] = {
        {"add", ES_B_ADD},
        {"atan2", ES_B_ATAN2},
        {"bitwise_and", ES_B_BITAND},
        {"bitwise_left_shift", ES_B_SHL},
        {"bitwise_or", ES_B_BITOR},
        {"bitwise_right_shift", ES_B_SHR},
        {"bitwise_xor", ES_B_BITXOR},
        {"eq", ES_B_EQ},
        {"floor_divide", ES_B_FLOORDIV},
        {"ge", ES_B_GE},
        {"gt", ES_B_GT},
        {"le", ES_B_LE},
        {"logical_and", ES_B_LOGICAL_AND},
        {"logical_or", ES_B_LOGICAL_OR},
        {"lt", ES_B_LT},
        {"maximum", ES_B_MAXIMUM},
        {"minimum", ES_B_MINIMUM},
        {"mul", ES_B_MUL},
        {"multiply", ES_B_MUL},
        {"ne", ES_B_NE},
        {"pow", ES_B_POW},
        {"remainder", ES_B_MOD},
        {"sub", ES_B_SUB},
        {"subtract", ES_B_SUB},
        {"true_divide", ES_B_DIV},
    };
    size_t i = 0;
    while (strcmp(ops[i].name, name))
        i++;
    return ops[i].op;
}

static bool run_binary(es_args *a, es_value *out, es_error *err)
{
    operands o;
    es_tensor t;
    bool ok =
        read_operands(a, &o, 0, 1, err) &&
        es_give(out, &t, es_torch_binary(a->k, &t, binary_called(a->of->name), o.x, o.y, err));
    free_operands(&o);
    return ok;
}

/* input + alpha * other, and with -. */
static bool scaled_sum(es_args *a, es_tensor *t, const operands *o, es_error *err)
{
    es_binary_op op = binary_called(a->of->name);
    if (!es_given(a, 2))
        return es_torch_binary(a->k, t, op, o->x, o->y, err);
    es_tensor made, scaled;
    const es_tensor *alpha = es_arg_operand(a, 2, &made, err);
    bool ok = alpha && es_torch_binary(a->k, &scaled, ES_B_MUL, o->y, alpha, err);
    es_tensor_free(&made);
    if (!ok)
        return false;
    ok = es_torch_binary(a->k, t, op, o->x, &scaled, err);
    es_tensor_free(&scaled);
    return ok;
}

static bool run_sum_of_two(es_args *a, es_value *out, es_error *err)
{
    operands o;
    es_tensor t;
    bool ok = read_operands(a, &o, 0, 1, err) && es_give(out, &t, scaled_sum(a, &t, &o, err));
    free_operands(&o);
    return ok;
}

/* Divided, and what is behind the point cut off. */
static bool truncated(es_torch *k, es_tensor *t, const operands *o, es_error *err)
{
    es_tensor quotient, whole;
    es_dtype dtype = es_torch_promote(o->x, o->y);
    if (!es_torch_binary(k, &quotient, ES_B_DIV, o->x, o->y, err))
        return false;
    bool ok = es_torch_unary(k, &whole, ES_U_TRUNC, &quotient, err);
    es_tensor_free(&quotient);
    if (!ok)
        return false;
    ok = es_torch_to(k, t, &whole, dtype, whole.buf->be, err);
    es_tensor_free(&whole);
    return ok;
}

static bool divided(es_args *a, es_tensor *t, const operands *o, es_error *err)
{
    if (!es_given(a, 2))
        return es_torch_binary(a->k, t, ES_B_DIV, o->x, o->y, err);
    const char *how = a->v[2].kind == ES_V_STR ? es_value_as_str(&a->v[2])->bytes : "";
    if (!strcmp(how, "floor"))
        return es_torch_binary(a->k, t, ES_B_FLOORDIV, o->x, o->y, err);
    if (!strcmp(how, "trunc"))
        return truncated(a->k, t, o, err);
    es_fail(err, ES_ERR_VALUE, "rounding_mode is None, \"trunc\" or \"floor\"");
    es_torch_says(
        err, "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'",
        how);
    return es_arg_blame(a, 2, err);
}

static bool run_div(es_args *a, es_value *out, es_error *err)
{
    operands o;
    es_tensor t;
    bool ok = read_operands(a, &o, 0, 1, err) && es_give(out, &t, divided(a, &t, &o, err));
    free_operands(&o);
    return ok;
}

static bool run_logical_xor(es_args *a, es_value *out, es_error *err)
{
    es_tensor x = {0}, y = {0}, t;
    const es_tensor *p = es_arg_tensor(a, 0, err), *q = p ? es_arg_tensor(a, 1, err) : NULL;
    bool ok = q && es_torch_unary(a->k, &x, ES_U_LOGICAL_NOT, p, err) &&
              es_torch_unary(a->k, &y, ES_U_LOGICAL_NOT, q, err) &&
              es_give(out, &t, es_torch_binary(a->k, &t, ES_B_NE, &x, &y, err));
    es_tensor_free(&x);
    es_tensor_free(&y);
    return ok;
}

/* bool * bool would be bool, and PyTorch's square is a power. */
/* ---- the table ---- */

enum { BOTH = ES_IN_TORCH | ES_METHOD, INPLACE = BOTH | ES_IN_PLACE };

#define STRETCHED "the two shapes stretched to one, aligned from the right; a 1 stretches"

const es_builtin es_builtins_binary[] = {
    {"add", INPLACE, "input, other, *, alpha=1", "the sum of each pair of numbers", STRETCHED,
     "alpha multiplies the second before.", "torch.add(wte(ids), wpe(torch.arange(T)))",
     run_sum_of_two},
    {"sub", INPLACE, "input, other, *, alpha=1", "the difference of each pair of numbers",
     STRETCHED, "alpha multiplies the second before.", "x.sub(2)", run_sum_of_two},
    {"subtract", INPLACE, "input, other, *, alpha=1", "the difference of each pair of numbers",
     STRETCHED, "The same as sub.", "x.subtract(2)", run_sum_of_two},
    {"mul", INPLACE, "input, other", "the product of each pair of numbers", STRETCHED,
     "A matrix product is @.", "x.mul(torch.arange(C))", run_binary},
    {"multiply", INPLACE, "input, other", "the product of each pair of numbers", STRETCHED,
     "The same as mul.", "x.multiply(2)", run_binary},
    {"div", INPLACE, "input, other, *, rounding_mode=None", "each number divided by the other",
     STRETCHED, "Always floats, unless rounding_mode is \"floor\" or \"trunc\".", "ids.div(2)",
     run_div},
    {"divide", INPLACE, "input, other, *, rounding_mode=None", "each number divided by the other",
     STRETCHED, "The same as div.", "ids.divide(2)", run_div},
    {"true_divide", INPLACE, "input, other", "each number divided by the other, always floats",
     STRETCHED, NULL, "ids.true_divide(2)", run_binary},
    {"floor_divide", INPLACE, "input, other", "each number divided by the other, and rounded down",
     STRETCHED, "The same as //.", "ids.floor_divide(2)", run_binary},
    {"remainder", INPLACE, "input, other", "what a division leaves, with the sign of the divisor",
     STRETCHED, "The same as %.", "ids.remainder(3)", run_binary},
    {"pow", BOTH | ES_IN_PLACE, "input, exponent", "each number to the power of the other",
     STRETCHED, NULL, "x.pow(2)", run_binary},
    {"maximum", BOTH, "input, other", "the larger of each pair of numbers", STRETCHED, "NaN wins.",
     "torch.maximum(x, -x)", run_binary},
    {"minimum", BOTH, "input, other", "the smaller of each pair of numbers", STRETCHED, "NaN wins.",
     "torch.minimum(x, -x)", run_binary},
    {"atan2", INPLACE, "input, other", "the angle of the point (other, input)", STRETCHED,
     "Integers become float32.", "torch.atan2(x, x)", run_binary},
    {"bitwise_and", INPLACE, "input, other", "and, bit by bit; of bools: both", STRETCHED,
     "The same as &.", "ids.bitwise_and(1)", run_binary},
    {"bitwise_or", INPLACE, "input, other", "or, bit by bit; of bools: one or both", STRETCHED,
     "The same as |.", "ids.bitwise_or(1)", run_binary},
    {"bitwise_xor", INPLACE, "input, other", "either, bit by bit; of bools: one but not both",
     STRETCHED, "The same as ^.", "ids.bitwise_xor(1)", run_binary},
    {"bitwise_left_shift", INPLACE, "input, other", "the bits of each integer moved up", STRETCHED,
     "The same as <<.", "ids.bitwise_left_shift(1)", run_binary},
    {"bitwise_right_shift", INPLACE, "input, other", "the bits of each integer moved down",
     STRETCHED, "The same as >>.", "ids.bitwise_right_shift(1)", run_binary},
    {"eq", INPLACE, "input, other", "True where a number is equal to the other", STRETCHED,
     "The same as ==.", "ids.eq(7)", run_binary},
    {"ne", INPLACE, "input, other", "True where a number is not equal to the other", STRETCHED,
     "The same as !=.", "ids.ne(7)", run_binary},
    {"lt", INPLACE, "input, other", "True where a number is less than the other", STRETCHED,
     "The same as <.", "ids.lt(7)", run_binary},
    {"le", INPLACE, "input, other", "True where a number is at most the other", STRETCHED,
     "The same as <=.", "ids.le(7)", run_binary},
    {"gt", INPLACE, "input, other", "True where a number is greater than the other", STRETCHED,
     "The same as >.", "ids.gt(7)", run_binary},
    {"ge", INPLACE, "input, other", "True where a number is at least the other", STRETCHED,
     "The same as >=.", "ids.ge(7)", run_binary},
    {"logical_and", INPLACE, "input, other", "True where both are not 0", STRETCHED, NULL,
     "ids.logical_and(ids > 3)", run_binary},
    {"logical_or", INPLACE, "input, other", "True where one of the two is not 0", STRETCHED, NULL,
     "ids.logical_or(ids > 3)", run_binary},
    {"logical_xor", INPLACE, "input, other", "True where one of the two is not 0, but not both",
     STRETCHED, NULL, "ids.logical_xor(ids > 3)", run_logical_xor},
    {.name = NULL},
};
