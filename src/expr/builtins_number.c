// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's math: functions of plain numbers. */
#include <inttypes.h>
#include <math.h>

#include "expr/inside.h"

static bool out_of_domain(es_args *a, es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "math.%s(): math domain error", a->of->name);
    return es_arg_blame(a, 0, err);
}

/* A result that is none, of arguments that were numbers: outside what the function is defined for, or larger
 * than a float. */
static bool finish(es_args *a, bool finite, double y, es_value *out, es_error *err)
{
    if (finite && isnan(y))
        return out_of_domain(a, err);
    if (finite && isinf(y)) {
        es_fail(err, ES_ERR_RANGE, "math.%s(): math range error", a->of->name);
        return es_arg_blame(a, 0, err);
    }
    return es_answer(out, es_value_float(y));
}

/* ---- of one float ---- */

static const struct {
    const char *name;
    double (*fn)(double);
} functions[] = {
    {"sqrt", sqrt},   {"exp", exp},   {"log2", log2}, {"log10", log10}, {"log1p", log1p},
    {"expm1", expm1}, {"sin", sin},   {"cos", cos},   {"tan", tan},     {"asin", asin},
    {"acos", acos},   {"atan", atan}, {"sinh", sinh}, {"cosh", cosh},   {"tanh", tanh},
    {"fabs", fabs},   {"erf", erf},
};

static bool run_function(es_args *a, es_value *out, es_error *err)
{
    double x;
    size_t i = 0;
    if (!es_arg_double(a, 0, &x, err))
        return false;
    while (strcmp(functions[i].name, a->of->name) != 0)
        i++;
    double y = functions[i].fn(x);
    bool pole = isinf(y) && x <= 0 && a->of->name[0] == 'l'; /* log(0) */
    return pole ? out_of_domain(a, err) : finish(a, isfinite(x), y, out, err);
}

static bool run_log(es_args *a, es_value *out, es_error *err)
{
    double x, base = 0;
    if (!es_arg_double(a, 0, &x, err) || (es_given(a, 1) && !es_arg_double(a, 1, &base, err)))
        return false;
    if (x <= 0 || (es_given(a, 1) && base <= 0))
        return out_of_domain(a, err);
    if (es_given(a, 1) && base == 1)
        return es_fail(err, ES_ERR_VALUE, "math.log(): division by zero");
    return es_answer(out, es_value_float(es_given(a, 1) ? log(x) / log(base) : log(x)));
}

static double degrees_of(double x)
{
    return x * (180 / M_PI);
}

static double radians_of(double x)
{
    return x * (M_PI / 180);
}

static bool run_angle(es_args *a, es_value *out, es_error *err)
{
    double x;
    return es_arg_double(a, 0, &x, err) &&
           es_answer(out, es_value_float(a->of->name[0] == 'd' ? degrees_of(x) : radians_of(x)));
}

/* floor, ceil and trunc give ints. */
static bool run_whole(es_args *a, es_value *out, es_error *err)
{
    double x;
    char how = a->of->name[0];
    if (a->v[0].kind == ES_V_INT)
        return es_answer(out, a->v[0]);
    if (!es_arg_double(a, 0, &x, err))
        return false;
    x = how == 'f' ? floor(x) : how == 'c' ? ceil(x) : trunc(x);
    if (es_fits_int64(x))
        return es_answer(out, es_value_int((int64_t)x));
    es_fail(err, isfinite(x) ? ES_ERR_RANGE : ES_ERR_VALUE,
            isfinite(x) ? "%g does not fit into 64 bits, as integers have here"
                        : "cannot convert float %g to integer",
            x);
    return es_arg_blame(a, 0, err);
}

static bool run_is(es_args *a, es_value *out, es_error *err)
{
    double x;
    if (!es_arg_double(a, 0, &x, err))
        return false;
    char what = a->of->name[2];
    bool is = what == 'n' ? isnan(x) : a->of->name[5] ? isfinite(x) : isinf(x);
    return es_answer(out, es_value_bool(is));
}

/* ---- of two ---- */

static bool run_of_two(es_args *a, es_value *out, es_error *err)
{
    double x, y;
    if (!es_arg_double(a, 0, &x, err) || !es_arg_double(a, 1, &y, err))
        return false;
    const char *what = a->of->name;
    double z = !strcmp(what, "pow")     ? pow(x, y)
               : !strcmp(what, "atan2") ? atan2(x, y)
               : !strcmp(what, "hypot") ? hypot(x, y)
               : !strcmp(what, "fmod")  ? fmod(x, y)
                                        : copysign(x, y);
    if (x == 0 && isinf(z))
        return out_of_domain(a, err); /* 0 ** -1 */
    return finish(a, isfinite(x) && isfinite(y), z, out, err);
}

static bool run_isclose(es_args *a, es_value *out, es_error *err)
{
    double x, y, relative = 1e-9, absolute = 0;
    if (!es_arg_double(a, 0, &x, err) || !es_arg_double(a, 1, &y, err) ||
        (es_given(a, 2) && !es_arg_double(a, 2, &relative, err)) ||
        (es_given(a, 3) && !es_arg_double(a, 3, &absolute, err)))
        return false;
    double most = fmax(relative * fmax(fabs(x), fabs(y)), absolute);
    bool close = x == y || (isfinite(x) && isfinite(y) && fabs(x - y) <= most);
    return es_answer(out, es_value_bool(close));
}

/* ---- of integers ---- */

static bool too_large(es_args *a, es_error *err)
{
    es_fail(err, ES_ERR_RANGE, "math.%s(): the result does not fit into 64 bits", a->of->name);
    return es_arg_blame(a, 0, err);
}

static uint64_t gcd(uint64_t x, uint64_t y)
{
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* gcd and lcm of any number of them. */
static bool run_gcd(es_args *a, es_value *out, es_error *err)
{
    bool least_multiple = a->of->name[0] == 'l';
    uint64_t all = least_multiple;
    for (int64_t i = 0; i < a->n_rest; i++) {
        if (a->rest[i].kind != ES_V_INT && a->rest[i].kind != ES_V_BOOL)
            return es_arg_wrong(a, 0, "integers", err);
        int64_t signed_i = a->rest[i].kind == ES_V_INT ? a->rest[i].u.i : a->rest[i].u.b;
        uint64_t n = signed_i < 0 ? -(uint64_t)signed_i : (uint64_t)signed_i;
        if (!least_multiple)
            all = gcd(all, n);
        else if (!n)
            all = 0;
        else if (all && __builtin_mul_overflow(all / gcd(all, n), n, &all))
            return too_large(a, err);
    }
    return all > INT64_MAX ? too_large(a, err) : es_answer(out, es_value_int((int64_t)all));
}

static bool read_count(es_args *a, int i, int64_t *n, es_error *err)
{
    if (!es_arg_int64(a, i, n, err))
        return false;
    if (*n >= 0)
        return true;
    es_fail(err, ES_ERR_VALUE, "math.%s() not defined for negative values", a->of->name);
    return es_arg_blame(a, i, err);
}

static bool run_factorial(es_args *a, es_value *out, es_error *err)
{
    int64_t n, product = 1;
    if (!read_count(a, 0, &n, err))
        return false;
    for (int64_t i = 2; i <= n; i++)
        if (__builtin_mul_overflow(product, i, &product))
            return too_large(a, err);
    return es_answer(out, es_value_int(product));
}

static bool run_comb(es_args *a, es_value *out, es_error *err)
{
    int64_t n, of;
    uint64_t c = 1;
    if (!read_count(a, 0, &n, err) || !read_count(a, 1, &of, err))
        return false;
    if (of > n)
        return es_answer(out, es_value_int(0));
    of = of > n - of ? n - of : of;
    for (uint64_t i = 1; i <= (uint64_t)of;
         i++) { /* c * (n - of + i) / i, without overflow where c fits */
        uint64_t top = (uint64_t)(n - of) + i, both = gcd(c, i), rest = i / both;
        if (__builtin_mul_overflow(c / both, top / rest, &c) || c > INT64_MAX)
            return too_large(a, err);
    }
    return es_answer(out, es_value_int((int64_t)c));
}

static bool run_isqrt(es_args *a, es_value *out, es_error *err)
{
    int64_t n;
    if (!read_count(a, 0, &n, err))
        return false;
    int64_t root = (int64_t)sqrt((double)n);
    while (root > 3037000499 || root * root > n)
        root--;
    while (root < 3037000499 && (root + 1) * (root + 1) <= n)
        root++;
    return es_answer(out, es_value_int(root));
}

/* A size times a size keeps both names: math.prod(x.shape) is what * makes of it. */
static bool run_prod(es_args *a, es_value *out, es_error *err)
{
    es_iter w;
    es_value v;
    int more;
    *out = es_given(a, 1) ? es_value_ref(&a->v[1]) : es_value_int(1);
    if (!es_iter_begin(&w, a->in, &a->v[0], err))
        return es_arg_blame(a, 0, err);
    while ((more = es_iter_next(&w, a->in, &v, err)) > 0) {
        es_value before = *out;
        *out = es_none();
        bool ok = es_watch_step(a->k->watch, 0, err) &&
                  es_binary(a->in, ES_OP_MUL, &before, &v, out, err);
        es_value_unref(&before);
        es_value_unref(&v);
        if (!ok)
            break;
    }
    es_iter_end(&w);
    return more == 0 || es_arg_blame(a, 0, err);
}

#define OF_ONE "a float"

const es_builtin es_builtins_number[] = {
    {"acos", ES_IN_MATH, "x", "the arc cosine", OF_ONE, NULL, "math.acos(0.5)", run_function},
    {"asin", ES_IN_MATH, "x", "the arc sine", OF_ONE, NULL, "math.asin(0.5)", run_function},
    {"atan", ES_IN_MATH, "x", "the arc tangent", OF_ONE, NULL, "math.atan(1)", run_function},
    {"atan2", ES_IN_MATH, "y, x", "the angle of a point", OF_ONE, NULL, "math.atan2(1, 1)",
     run_of_two},
    {"ceil", ES_IN_MATH, "x", "the next integer above", "an int", NULL, "math.ceil(2.1)",
     run_whole},
    {"comb", ES_IN_MATH, "n, k", "in how many ways to choose k of n", "an int", NULL,
     "math.comb(5, 2)", run_comb},
    {"copysign", ES_IN_MATH, "x, y", "the size of x with the sign of y", OF_ONE, NULL,
     "math.copysign(3, -1)", run_of_two},
    {"cos", ES_IN_MATH, "x", "the cosine", OF_ONE, NULL, "math.cos(0)", run_function},
    {"cosh", ES_IN_MATH, "x", "the hyperbolic cosine", OF_ONE, NULL, "math.cosh(0)", run_function},
    {"degrees", ES_IN_MATH, "x", "radians as degrees", OF_ONE, NULL, "math.degrees(math.pi)",
     run_angle},
    {"erf", ES_IN_MATH, "x", "the error function", OF_ONE, NULL, "math.erf(1)", run_function},
    {"exp", ES_IN_MATH, "x", "e to the power of x", OF_ONE, NULL, "math.exp(1)", run_function},
    {"expm1", ES_IN_MATH, "x", "exp(x) - 1, exact for small x", OF_ONE, NULL, "math.expm1(1e-9)",
     run_function},
    {"fabs", ES_IN_MATH, "x", "its size without the sign", OF_ONE, NULL, "math.fabs(-2)",
     run_function},
    {"factorial", ES_IN_MATH, "n", "1 * 2 * … * n", "an int", NULL, "math.factorial(5)",
     run_factorial},
    {"floor", ES_IN_MATH, "x", "the next integer below", "an int", NULL, "math.floor(-2.1)",
     run_whole},
    {"fmod", ES_IN_MATH, "x, y", "the remainder, with the sign of x", OF_ONE, NULL,
     "math.fmod(-7, 3)", run_of_two},
    {"gcd", ES_IN_MATH, "*integers", "the largest number that divides all", "an int", NULL,
     "math.gcd(768, 64)", run_gcd},
    {"hypot", ES_IN_MATH, "x, y", "the length of a vector of two", OF_ONE, NULL, "math.hypot(3, 4)",
     run_of_two},
    {"isclose", ES_IN_MATH, "a, b, rel_tol=1e-09, abs_tol=0.0", "are they nearly equal?", "a bool",
     NULL, "math.isclose(0.1 + 0.2, 0.3)", run_isclose},
    {"isfinite", ES_IN_MATH, "x", "is it a number, and finite?", "a bool", NULL, "math.isfinite(1)",
     run_is},
    {"isinf", ES_IN_MATH, "x", "is it infinite?", "a bool", NULL, "math.isinf(math.inf)", run_is},
    {"isnan", ES_IN_MATH, "x", "is it not a number?", "a bool", NULL, "math.isnan(math.nan)",
     run_is},
    {"isqrt", ES_IN_MATH, "n", "the whole part of the square root", "an int", NULL,
     "math.isqrt(10)", run_isqrt},
    {"lcm", ES_IN_MATH, "*integers", "the smallest number that all divide", "an int", NULL,
     "math.lcm(4, 6)", run_gcd},
    {"log", ES_IN_MATH, "x, base=None", "the logarithm, to base e or another", OF_ONE, NULL,
     "math.log(50257)", run_log},
    {"log10", ES_IN_MATH, "x", "the logarithm to base 10", OF_ONE, NULL, "math.log10(1000)",
     run_function},
    {"log1p", ES_IN_MATH, "x", "log(1 + x), exact for small x", OF_ONE, NULL, "math.log1p(1e-9)",
     run_function},
    {"log2", ES_IN_MATH, "x", "the logarithm to base 2", OF_ONE, NULL, "math.log2(1024)",
     run_function},
    {"pow", ES_IN_MATH, "x, y", "x to the power of y", OF_ONE, NULL, "math.pow(2, 0.5)",
     run_of_two},
    {"prod", ES_IN_MATH, "iterable, start=1", "all of them multiplied", "as * makes it", NULL,
     "math.prod(torch.zeros(2, 5, 8).shape)", run_prod},
    {"radians", ES_IN_MATH, "x", "degrees as radians", OF_ONE, NULL, "math.radians(180)",
     run_angle},
    {"sin", ES_IN_MATH, "x", "the sine", OF_ONE, NULL, "math.sin(1)", run_function},
    {"sinh", ES_IN_MATH, "x", "the hyperbolic sine", OF_ONE, NULL, "math.sinh(1)", run_function},
    {"sqrt", ES_IN_MATH, "x", "the square root", OF_ONE, NULL, "math.sqrt(64)", run_function},
    {"tan", ES_IN_MATH, "x", "the tangent", OF_ONE, NULL, "math.tan(1)", run_function},
    {"tanh", ES_IN_MATH, "x", "the hyperbolic tangent", OF_ONE, NULL, "math.tanh(1)", run_function},
    {"trunc", ES_IN_MATH, "x", "without what is behind the point", "an int", NULL,
     "math.trunc(-2.7)", run_whole},
    {.name = NULL},
};
