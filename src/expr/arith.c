// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's arithmetic on ints and floats.  An int that is the size of an axis keeps its name where the result
 * can be called by it: 2*C, T-1, C/4, B·T. */
#include <inttypes.h>
#include <math.h>

#include "expr/inside.h"
#include "torch/label.h"

/* ---- names ---- */

static es_label sum_label(const es_value *a, const es_value *b, int sign)
{
    bool a_named = es_label_is_named(&a->label), b_named = es_label_is_named(&b->label);
    if (a_named && b_named)
        return sign > 0 ? es_label_sum(&a->label, &b->label) : es_label_named("");
    if (a_named && b->u.i != INT64_MIN)
        return es_label_plus(&a->label, sign * b->u.i);
    if (b_named && sign > 0)
        return es_label_plus(&b->label, a->u.i);
    return es_label_named("");
}

static es_label product_label(const es_value *a, const es_value *b)
{
    bool a_named = es_label_is_named(&a->label), b_named = es_label_is_named(&b->label);
    if (a_named && b_named)
        return es_label_product(&a->label, &b->label);
    if (a_named && b->u.i > 0)
        return es_label_times(&a->label, b->u.i);
    if (b_named && a->u.i > 0)
        return es_label_times(&b->label, a->u.i);
    return es_label_named("");
}

static es_label part_label(const es_value *a, const es_value *b)
{
    bool exact = b->u.i > 0 && a->u.i % b->u.i == 0 && !es_label_is_named(&b->label);
    return exact ? es_label_part(&a->label, b->u.i) : es_label_named("");
}

static es_label label_of(es_op op, const es_value *a, const es_value *b)
{
    switch (op) {
    case ES_OP_ADD: return sum_label(a, b, 1);
    case ES_OP_SUB: return sum_label(a, b, -1);
    case ES_OP_MUL: return product_label(a, b);
    case ES_OP_FLOORDIV: return part_label(a, b);
    default: return es_label_named("");
    }
}

/* ---- what goes wrong ---- */

static bool too_large(int64_t a, const char *op, int64_t b, es_error *err)
{
    return es_fail(err, ES_ERR_RANGE,
                   "%" PRId64 " %s %" PRId64 " does not fit 64 bits; Python would go on", a, op, b);
}

static bool by_zero(const char *what, es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "%s", what);
    return es_torch_says(err, "ZeroDivisionError: %s", what);
}

/* ---- ints ---- */

static bool int_power(int64_t a, int64_t b, int64_t *out, es_error *err)
{
    int64_t result = 1, square = a;
    for (int64_t left = b; left; left >>= 1) {
        if (left & 1 && __builtin_mul_overflow(result, square, &result))
            return too_large(a, "**", b, err);
        if (left > 1 && __builtin_mul_overflow(square, square, &square))
            return too_large(a, "**", b, err);
    }
    *out = result;
    return true;
}

static bool int_shift(es_op op, int64_t a, int64_t b, int64_t *out, es_error *err)
{
    if (b < 0)
        return es_fail(err, ES_ERR_VALUE, "negative shift count");
    if (op == ES_OP_SHR) {
        *out = a >> (b < 63 ? b : 63);
        return true;
    }
    bool fits = a == 0 || (b < 63 && a <= INT64_MAX >> b && a >= INT64_MIN >> b);
    *out = fits && a ? (int64_t)((uint64_t)a << b) : 0;
    return fits || too_large(a, "<<", b, err);
}

/* Towards minus infinity, and a remainder with the sign of b. */
static bool int_divide(es_op op, int64_t a, int64_t b, int64_t *out, es_error *err)
{
    if (b == 0)
        return by_zero(
            op == ES_OP_MOD ? "integer modulo by zero" : "integer division or modulo by zero", err);
    if (b == -1) {
        *out = 0;
        return op == ES_OP_MOD || !__builtin_sub_overflow((int64_t)0, a, out) ||
               too_large(a, "//", b, err);
    }
    int64_t quotient = a / b, rest = a % b;
    bool adjust = rest != 0 && (rest < 0) != (b < 0);
    *out = op == ES_OP_MOD ? rest + (adjust ? b : 0) : quotient - adjust;
    return true;
}

static bool int_result(es_op op, int64_t a, int64_t b, int64_t *out, es_error *err)
{
    switch (op) {
    case ES_OP_ADD: return !__builtin_add_overflow(a, b, out) || too_large(a, "+", b, err);
    case ES_OP_SUB: return !__builtin_sub_overflow(a, b, out) || too_large(a, "-", b, err);
    case ES_OP_MUL: return !__builtin_mul_overflow(a, b, out) || too_large(a, "*", b, err);
    case ES_OP_BITAND: *out = a & b; return true;
    case ES_OP_BITOR: *out = a | b; return true;
    case ES_OP_BITXOR: *out = a ^ b; return true;
    case ES_OP_SHL:
    case ES_OP_SHR: return int_shift(op, a, b, out, err);
    case ES_OP_POW: return int_power(a, b, out, err);
    default: return int_divide(op, a, b, out, err);
    }
}

static int64_t int_of(const es_value *v)
{
    return v->kind == ES_V_BOOL ? v->u.b : v->u.i;
}

bool es_int_binary(es_op op, const es_value *a, const es_value *b, es_value *out, es_error *err)
{
    int64_t x = int_of(a), y = int_of(b), result = 0;
    if (op == ES_OP_DIV || (op == ES_OP_POW && y < 0))
        return es_float_binary(op, (double)x, (double)y, out, err);
    if (!int_result(op, x, y, &result, err))
        return false;
    bool bits = op == ES_OP_BITAND || op == ES_OP_BITOR || op == ES_OP_BITXOR;
    if (bits && a->kind == ES_V_BOOL && b->kind == ES_V_BOOL) {
        *out = es_value_bool(result);
        return true;
    }
    *out = es_value_int(result);
    if (a->kind == ES_V_INT && b->kind == ES_V_INT)
        out->label = label_of(op, a, b);
    return true;
}

/* ---- floats ---- */

static double float_mod(double a, double b)
{
    double rest = fmod(a, b);
    if (rest == 0)
        return copysign(0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

static double float_floordiv(double a, double b)
{
    double rest = float_mod(a, b), quotient = (a - rest) / b, floored = floor(quotient);
    if (quotient == 0)
        return copysign(0, a / b);
    return quotient - floored > 0.5 ? floored + 1 : floored;
}

static bool float_power(double a, double b, double *out, es_error *err)
{
    if (a == 0 && b < 0)
        return by_zero("0.0 cannot be raised to a negative power", err);
    if (a < 0 && isfinite(a) && isfinite(b) && b != floor(b)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "%g to the power %g is a complex number", a, b);
        return es_hint(err, "there are only real numbers here");
    }
    *out = pow(a, b);
    if (isinf(*out) && isfinite(a) && isfinite(b)) {
        es_fail(err, ES_ERR_RANGE, "%g ** %g is too large for a float", a, b);
        return es_torch_says(err, "OverflowError: (34, 'Numerical result out of range')");
    }
    return true;
}

static bool float_result(es_op op, double a, double b, double *out, es_error *err)
{
    switch (op) {
    case ES_OP_ADD: *out = a + b; return true;
    case ES_OP_SUB: *out = a - b; return true;
    case ES_OP_MUL: *out = a * b; return true;
    case ES_OP_POW: return float_power(a, b, out, err);
    case ES_OP_DIV: *out = a / b; return b != 0 || by_zero("division by zero", err);
    case ES_OP_MOD:
        *out = b != 0 ? float_mod(a, b) : 0;
        return b != 0 || by_zero("float modulo", err);
    default:
        *out = b != 0 ? float_floordiv(a, b) : 0;
        return b != 0 || by_zero("float floor division by zero", err);
    }
}

bool es_float_binary(es_op op, double a, double b, es_value *out, es_error *err)
{
    double result = 0;
    if (!float_result(op, a, b, &result, err))
        return false;
    *out = es_value_float(result);
    return true;
}
