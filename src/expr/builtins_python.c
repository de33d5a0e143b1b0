// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's functions of numbers. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/visible.h"
#include "expr/format.h"
#include "torch/elementwise.h"

/* The one number of a tensor, as item() gives it; v itself if it is no tensor. */
static bool plain(es_args *a, int i, es_value *out, es_error *err)
{
    static const char item[] = "item";
    const es_value *v = &a->v[i];
    if (v->kind != ES_V_TENSOR)
        return es_answer(out, es_value_ref(v));
    const es_builtin *b = es_builtin_find(item, sizeof item - 1, ES_METHOD);
    return es_builtin_call(a->in, b, v, NULL, 0, NULL, NULL, out, err) || es_arg_blame(a, i, err);
}

static bool int_of_float(es_args *a, double f, es_value *out, es_error *err)
{
    if (isnan(f))
        es_fail(err, ES_ERR_VALUE, "cannot convert float NaN to integer");
    else if (isinf(f))
        es_fail(err, ES_ERR_RANGE, "cannot convert float infinity to integer");
    else if (!es_fits_int64(f))
        es_fail(err, ES_ERR_RANGE, "%g does not fit into 64 bits, as integers have here", f);
    else
        return es_answer(out, es_value_int((int64_t)f));
    return es_arg_blame(a, 0, err);
}

/* s without white space at its ends and underscores between digits, in a buffer; false: it does not fit. */
static bool bare(const es_str_object *s, char *to, size_t size)
{
    size_t begin = 0, end = s->n, n = 0;
    while (begin < end && isspace((unsigned char)s->bytes[begin]))
        begin++;
    while (end > begin && isspace((unsigned char)s->bytes[end - 1]))
        end--;
    for (size_t i = begin; i < end; i++) {
        bool between = i > begin && i + 1 < end && isalnum((unsigned char)s->bytes[i - 1]) &&
                       isalnum((unsigned char)s->bytes[i + 1]);
        if (s->bytes[i] == '_' && between)
            continue;
        if (n + 1 >= size || isspace((unsigned char)s->bytes[i]) || !s->bytes[i])
            return false;
        to[n++] = s->bytes[i];
    }
    to[n] = 0;
    return n > 0;
}

static bool not_a_number(es_args *a, const char *what, es_error *err)
{
    enum { MOST_COLUMNS = 200 };
    es_str all = {0}, shown = {0};
    es_str_repr(&all, es_value_as_str(&a->v[0])->bytes, es_value_as_str(&a->v[0])->n);
    es_show_fit(&shown, all.s, all.len, MOST_COLUMNS);
    es_str_free(&all);
    es_fail(err, ES_ERR_VALUE, "%s: %s", what, es_str_text(&shown));
    es_str_free(&shown);
    return es_arg_blame(a, 0, err);
}

static bool int_of_text(es_args *a, es_value *out, es_error *err)
{
    char text[128], *end = text, what[64];
    int64_t base = 10;
    if (es_given(a, 1) && !es_arg_int64(a, 1, &base, err))
        return false;
    if (base < 0 || base == 1 || base > 36) {
        es_fail(err, ES_ERR_VALUE, "int() base must be >= 2 and <= 36, or 0");
        return es_arg_blame(a, 1, err);
    }
    snprintf(what, sizeof what, "invalid literal for int() with base %d", (int)base);
    if (!bare(es_value_as_str(&a->v[0]), text, sizeof text))
        return not_a_number(a, what, err);
    char *digits = text + (*text == '-' || *text == '+');
    static const char marks[] = "bBoOxX";
    const char *mark = digits[0] == '0' && digits[1] ? strchr(marks, digits[1]) : NULL;
    int marked = mark ? (int[]){2, 8, 16}[(mark - marks) / 2] : 0;
    bool cut = marked && (base == 0 || base == marked);
    errno = 0;
    base = base ? base : marked ? marked : 10;
    long long i =
        isalnum((unsigned char)*digits) ? strtoll(digits + (cut ? 2 : 0), &end, (int)base) : 0;
    if (end == text || *end)
        return not_a_number(a, what, err);
    if (errno == ERANGE) {
        es_fail(err, ES_ERR_RANGE, "integers have 64 bits here");
        return es_arg_blame(a, 0, err);
    }
    return es_answer(out, es_value_int(*text == '-' ? -i : i));
}

static bool run_int(es_args *a, es_value *out, es_error *err)
{
    es_value v;
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_value_int(0));
    if (a->v[0].kind == ES_V_STR)
        return int_of_text(a, out, err);
    if (!plain(a, 0, &v, err))
        return false;
    switch (v.kind) {
    case ES_V_INT: return es_answer(out, v); /* with its label */
    case ES_V_BOOL: return es_answer(out, es_value_int(v.u.b));
    case ES_V_FLOAT: return int_of_float(a, v.u.f, out, err);
    default: break;
    }
    es_value_unref(&v);
    es_fail(err, ES_ERR_TYPE, "int() argument must be a string or a number, not '%s'",
            es_value_type_name(&a->v[0]));
    return es_arg_blame(a, 0, err);
}

static bool float_of_text(es_args *a, es_value *out, es_error *err)
{
    char text[512], *end = text;
    static const char what[] = "could not convert string to float";
    if (!bare(es_value_as_str(&a->v[0]), text, sizeof text) || strpbrk(text, "xX("))
        return not_a_number(a, what, err);
    double f = strtod(text, &end);
    if (end == text || *end)
        return not_a_number(a, what, err);
    return es_answer(out, es_value_float(f));
}

static bool run_float(es_args *a, es_value *out, es_error *err)
{
    es_value v;
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_value_float(0));
    if (a->v[0].kind == ES_V_STR)
        return float_of_text(a, out, err);
    if (!plain(a, 0, &v, err))
        return false;
    switch (v.kind) {
    case ES_V_INT: return es_answer(out, es_value_float((double)v.u.i));
    case ES_V_BOOL: return es_answer(out, es_value_float(v.u.b));
    case ES_V_FLOAT: return es_answer(out, v);
    default: break;
    }
    es_value_unref(&v);
    es_fail(err, ES_ERR_TYPE, "float() argument must be a string or a number, not '%s'",
            es_value_type_name(&a->v[0]));
    return es_arg_blame(a, 0, err);
}

static bool run_bool(es_args *a, es_value *out, es_error *err)
{
    bool truth = false;
    if (a->v[0].kind != ES_V_KINDS && !es_truth(a->in, &a->v[0], &truth, err))
        return es_arg_blame(a, 0, err);
    return es_answer(out, es_value_bool(truth));
}

static bool unary(es_args *a, es_value *out, es_unary_op op, es_error *err)
{
    es_tensor t;
    if (!es_torch_unary(a->k, &t, op, es_value_as_tensor(&a->v[0]), err))
        return es_arg_blame(a, 0, err);
    return es_answer(out, es_value_tensor(&t));
}

static bool run_abs(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    switch (v->kind) {
    case ES_V_TENSOR: return unary(a, out, ES_U_ABS, err);
    case ES_V_FLOAT: return es_answer(out, es_value_float(fabs(v->u.f)));
    case ES_V_BOOL: return es_answer(out, es_value_int(v->u.b));
    case ES_V_INT: return v->u.i < 0 ? es_unary(a->in, ES_OP_NEG, v, out, err) : es_answer(out, *v);
    default: break;
    }
    es_fail(err, ES_ERR_TYPE, "bad operand type for abs(): '%s'", es_value_type_name(v));
    return es_arg_blame(a, 0, err);
}

/* To so many decimals, as the nearest of all floats that are written so; fewer than 0: tens, hundreds. */
static double rounded(double f, int64_t digits)
{
    char text[720];
    if (!isfinite(f) || digits > 340)
        return f;
    if (digits < -308)
        return copysign(0, f);
    if (digits < 0)
        return nearbyint(f / pow(10, (double)-digits)) * pow(10, (double)-digits);
    snprintf(text, sizeof text, "%.*f", (int)digits, f);
    return strtod(text, NULL);
}

static bool run_round(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    int64_t digits = 0;
    if (es_given(a, 1) && !es_arg_int64(a, 1, &digits, err))
        return false;
    if (v->kind == ES_V_TENSOR && !digits)
        return unary(a, out, ES_U_ROUND, err);
    if (v->kind == ES_V_INT && digits >= 0)
        return es_answer(out, *v);
    if (v->kind == ES_V_FLOAT && es_given(a, 1))
        return es_answer(out, es_value_float(rounded(v->u.f, digits)));
    if (v->kind == ES_V_FLOAT)
        return int_of_float(a, nearbyint(v->u.f), out, err);
    if (v->kind == ES_V_BOOL || v->kind == ES_V_INT)
        return int_of_float(a, rounded(v->kind == ES_V_INT ? (double)v->u.i : v->u.b, digits), out,
                            err);
    es_fail(err, ES_ERR_TYPE, "type %s doesn't define __round__ method", es_value_type_name(v));
    return es_arg_blame(a, 0, err);
}

static bool run_divmod(es_args *a, es_value *out, es_error *err)
{
    es_value v[2];
    if (!es_binary(a->in, ES_OP_FLOORDIV, &a->v[0], &a->v[1], &v[0], err))
        return false;
    if (!es_binary(a->in, ES_OP_MOD, &a->v[0], &a->v[1], &v[1], err)) {
        es_value_unref(&v[0]);
        return false;
    }
    return es_answer(out, es_value_tuple(v, 2));
}

static bool run_pow(es_args *a, es_value *out, es_error *err)
{
    return es_binary(a->in, ES_OP_POW, &a->v[0], &a->v[1], out, err);
}

const es_builtin es_builtins_python[] = {
    {"abs", ES_IN_PLAIN, "x", "its size without the sign", "the same", NULL, "abs(-3)", run_abs},
    {"bool", ES_IN_PLAIN, "x=False", "is it true: not 0, not empty?", "a bool", NULL, "bool([])",
     run_bool},
    {"divmod", ES_IN_PLAIN, "a, b", "quotient and remainder", "a pair", NULL, "divmod(17, 5)",
     run_divmod},
    {"float", ES_IN_PLAIN, "x=0", "a number, a text or a tensor of one number as a float",
     "a float", NULL, "float(\"1e-3\")", run_float},
    {"int", ES_IN_PLAIN, "x=0, base=10", "a number, a text or a tensor of one number as an int",
     "an int; one that is the size of an axis keeps its name", NULL, "int(\"0x2a\", 16)", run_int},
    {"pow", ES_IN_PLAIN, "base, exp", "base ** exp", "as **", NULL, "pow(2, 10)", run_pow},
    {"round", ES_IN_PLAIN, "number, ndigits=None",
     "to so many decimals, or to an int; halves go to the even neighbour", "the same", NULL,
     "round(2.675, 2)", run_round},
    {.name = NULL},
};
