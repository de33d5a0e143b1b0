// SPDX-License-Identifier: GPL-3.0-or-later
/* Operators between two tensors. */
#include "torch/elementwise.h"

#include <math.h>

#include "torch/cast.h"
#include "torch/grid.h"

/* What an operator does to dtypes. */
enum {
    FLOATING = 1, /* integers become float32 */
    COMPARES = 2, /* the result is bool */
    NO_FLOAT = 4,
    NO_BOOL = 8,
};

static const struct {
    const char *name;   /* for a reader */
    const char *kernel; /* what PyTorch calls it where it refuses a dtype */
    unsigned dtypes;
    int map; /* the backend's, or -1 */
} ops[ES_N_BINARY_OPS] = {
    [ES_B_ADD] = {"+", "add_stub", 0, ES_ADD},
    [ES_B_SUB] = {"-", "sub_stub", 0, ES_SUB},
    [ES_B_MUL] = {"*", "mul_cpu", 0, ES_MUL},
    [ES_B_DIV] = {"/", "div_true_cpu", FLOATING, ES_DIV},
    [ES_B_FLOORDIV] = {"//", "div_floor_cpu", NO_BOOL, -1},
    [ES_B_MOD] = {"%", "remainder_cpu", NO_BOOL, -1},
    [ES_B_POW] = {"**", "pow", NO_BOOL, ES_POW},
    [ES_B_MAXIMUM] = {"maximum", "maximum_cpu", 0, ES_MAX},
    [ES_B_MINIMUM] = {"minimum", "minimum_cpu", 0, ES_MIN},
    [ES_B_ATAN2] = {"atan2", "atan2_cpu", FLOATING, -1},
    [ES_B_BITAND] = {"&", "bitwise_and_cpu", NO_FLOAT, -1},
    [ES_B_BITOR] = {"|", "bitwise_or_cpu", NO_FLOAT, -1},
    [ES_B_BITXOR] = {"^", "bitwise_xor_cpu", NO_FLOAT, -1},
    [ES_B_SHL] = {"<<", "lshift_cpu", NO_FLOAT | NO_BOOL, -1},
    [ES_B_SHR] = {">>", "rshift_cpu", NO_FLOAT | NO_BOOL, -1},
    [ES_B_LT] = {"<", "lt_cpu", COMPARES, -1},
    [ES_B_LE] = {"<=", "le_cpu", COMPARES, -1},
    [ES_B_GT] = {">", "gt_cpu", COMPARES, -1},
    [ES_B_GE] = {">=", "ge_cpu", COMPARES, -1},
    [ES_B_EQ] = {"==", "eq_cpu", COMPARES, -1},
    [ES_B_NE] = {"!=", "ne_cpu", COMPARES, -1},
    [ES_B_LOGICAL_AND] = {"logical_and", "logical_and_cpu", COMPARES, -1},
    [ES_B_LOGICAL_OR] = {"logical_or", "logical_or_cpu", COMPARES, -1},
};

/* ---- loops: floats in double, integers in 64 bits that wrap ---- */

#define EACH(expression)                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                              \
        a[i] = (expression);                                                                       \
    }                                                                                              \
    break

static double floor_divide(double x, double y)
{
    if (y == 0)
        return x / y;
    double mod = fmod(x, y), div = (x - mod) / y;
    if (mod != 0 && (y < 0) != (mod < 0))
        div -= 1;
    if (div == 0)
        return copysign(0, x / y);
    double whole = floor(div);
    return div - whole > 0.5 ? whole + 1 : whole;
}

static double modulo(double x, double y)
{
    double mod = fmod(x, y);
    return mod != 0 && (y < 0) != (mod < 0) ? mod + y : mod;
}

static void floats(es_binary_op op, double *a, const double *b, int64_t n)
{
    switch (op) {
    case ES_B_ADD: EACH(a[i] + b[i]);
    case ES_B_SUB: EACH(a[i] - b[i]);
    case ES_B_MUL: EACH(a[i] * b[i]);
    case ES_B_DIV: EACH(a[i] / b[i]);
    case ES_B_FLOORDIV: EACH(floor_divide(a[i], b[i]));
    case ES_B_MOD: EACH(modulo(a[i], b[i]));
    case ES_B_POW: EACH(pow(a[i], b[i]));
    case ES_B_MAXIMUM: EACH(isnan(a[i]) || a[i] > b[i] ? a[i] : b[i]);
    case ES_B_MINIMUM: EACH(isnan(a[i]) || a[i] < b[i] ? a[i] : b[i]);
    case ES_B_ATAN2: EACH(atan2(a[i], b[i]));
    default: break;
    }
}

/* Arithmetic that wraps as two's complement does. */
#define WRAP(x, op, y) ((int64_t)((uint64_t)(x)op(uint64_t)(y)))

static int64_t divide(int64_t x, int64_t y)
{
    if (y == -1)
        return WRAP(0, -, x);
    return x / y - (x % y != 0 && (x < 0) != (y < 0));
}

static int64_t rest(int64_t x, int64_t y)
{
    if (y == -1)
        return 0;
    int64_t mod = x % y;
    return mod != 0 && (y < 0) != (mod < 0) ? mod + y : mod;
}

/* A negative power of an integer is a fraction, and what is left of that is 0 unless the base is 1 or -1. */
static int64_t power(int64_t x, int64_t y)
{
    if (y < 0)
        return x == 1 ? 1 : x != -1 ? 0 : y % 2 ? -1 : 1;
    int64_t product = 1;
    for (; y; y >>= 1) {
        if (y & 1)
            product = WRAP(product, *, x);
        x = WRAP(x, *, x);
    }
    return product;
}

static int64_t shift_left(int64_t x, int64_t y)
{
    return y < 0 || y > 63 ? 0 : (int64_t)((uint64_t)x << y);
}

static int64_t shift_right(int64_t x, int64_t y)
{
    return x >> (y < 0 || y > 63 ? 63 : y);
}

static bool divisible(const int64_t *b, int64_t n, es_error *err)
{
    for (int64_t i = 0; i < n; i++)
        if (b[i] == 0) {
            es_fail(err, ES_ERR_VALUE,
                    "an integer is divided by 0, and integers have no infinity or NaN");
            return es_torch_says(err, "ZeroDivisionError");
        }
    return true;
}

static bool ints(es_binary_op op, int64_t *a, const int64_t *b, int64_t n, es_error *err)
{
    if ((op == ES_B_FLOORDIV || op == ES_B_MOD) && !divisible(b, n, err))
        return false;
    switch (op) {
    case ES_B_ADD: EACH(WRAP(a[i], +, b[i]));
    case ES_B_SUB: EACH(WRAP(a[i], -, b[i]));
    case ES_B_MUL: EACH(WRAP(a[i], *, b[i]));
    case ES_B_FLOORDIV: EACH(divide(a[i], b[i]));
    case ES_B_MOD: EACH(rest(a[i], b[i]));
    case ES_B_POW: EACH(power(a[i], b[i]));
    case ES_B_MAXIMUM: EACH(a[i] > b[i] ? a[i] : b[i]);
    case ES_B_MINIMUM: EACH(a[i] < b[i] ? a[i] : b[i]);
    case ES_B_BITAND: EACH(a[i] & b[i]);
    case ES_B_BITOR: EACH(a[i] | b[i]);
    case ES_B_BITXOR: EACH(a[i] ^ b[i]);
    case ES_B_SHL: EACH(shift_left(a[i], b[i]));
    case ES_B_SHR: EACH(shift_right(a[i], b[i]));
    default: break;
    }
    return true;
}

#define COMPARISONS(name, type)                                                                    \
    static void name(es_binary_op op, int64_t *a, const type *x, const type *y, int64_t n)         \
    {                                                                                              \
        switch (op) {                                                                              \
        case ES_B_LT: EACH(x[i] < y[i]);                                                           \
        case ES_B_LE: EACH(x[i] <= y[i]);                                                          \
        case ES_B_GT: EACH(x[i] > y[i]);                                                           \
        case ES_B_GE: EACH(x[i] >= y[i]);                                                          \
        case ES_B_EQ: EACH(x[i] == y[i]);                                                          \
        case ES_B_NE: EACH(x[i] != y[i]);                                                          \
        case ES_B_LOGICAL_AND: EACH(x[i] != 0 && y[i] != 0);                                       \
        default: EACH(x[i] != 0 || y[i] != 0);                                                     \
        }                                                                                          \
    }

COMPARISONS(compare_floats, double)
COMPARISONS(compare_ints, int64_t)

typedef struct job {
    es_binary_op op;
    es_dtype as; /* what both operands are computed in */
} job;

static bool rows_of_floats(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    const job *j = ctx;
    double a[ES_ROW], b[ES_ROW];
    int64_t truth[ES_ROW];
    es_cells_to_floats(a, &row[1], n, j->as);
    es_cells_to_floats(b, &row[2], n, j->as);
    if (ops[j->op].dtypes & COMPARES) {
        compare_floats(j->op, truth, a, b, n);
        es_cells_from_ints(&row[0], truth, n);
    } else {
        floats(j->op, a, b, n);
        es_cells_from_floats(&row[0], a, n);
    }
    return true;
}

static bool rows_of_ints(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    const job *j = ctx;
    int64_t a[ES_ROW], b[ES_ROW], truth[ES_ROW];
    es_cells_to_ints(a, &row[1], n, j->as);
    es_cells_to_ints(b, &row[2], n, j->as);
    if (ops[j->op].dtypes & COMPARES) {
        compare_ints(j->op, truth, a, b, n);
        es_cells_from_ints(&row[0], truth, n);
        return true;
    }
    if (!ints(j->op, a, b, n, err))
        return false;
    es_cells_from_ints(&row[0], a, n);
    return true;
}

/* ---- which dtypes an operator takes ---- */

static bool no_difference_of_bools(const es_tensor *x, const es_tensor *y, es_error *err)
{
    if (x->dtype == ES_BOOL && y->dtype == ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "bools have no difference; ^ says where they differ");
        return es_torch_says(err, "Subtraction, the `-` operator, with two bool tensors is not "
                                  "supported. Use the `^` or `logical_xor()` operator instead.");
    }
    if (x->dtype != ES_BOOL && y->dtype != ES_BOOL)
        return true;
    es_fail(err, ES_ERR_DTYPE,
            "- is not for bools; ~ turns a mask around, .long() makes it 0 and 1");
    return es_torch_says(err, "Subtraction, the `-` operator, with a bool tensor is not supported. "
                              "If you are trying to invert a mask, use the `~` or `logical_not()` "
                              "operator instead.");
}

static bool takes(es_binary_op op, es_dtype dtype, es_error *err)
{
    unsigned refuses = es_dtype_is_float(dtype) ? NO_FLOAT : dtype == ES_BOOL ? NO_BOOL : 0;
    if (!(ops[op].dtypes & refuses))
        return true;
    es_fail(err, ES_ERR_DTYPE, "%s is not for %s", ops[op].name, es_dtype_name(dtype));
    return es_torch_says(err, "\"%s\" not implemented for '%s'", ops[op].kernel,
                         es_torch_scalar_name(dtype));
}

static bool fits(es_binary_op op, const es_tensor *x, const es_tensor *y, es_dtype as,
                 es_error *err)
{
    if (op == ES_B_SUB && !no_difference_of_bools(x, y, err))
        return false;
    if (!takes(op, as, err))
        return false;
    if (op == ES_B_POW && y->number && !es_dtype_is_float(as) && es_torch_get_int(y, 0) < 0) {
        es_fail(err, ES_ERR_VALUE, "an integer to a negative power is a fraction; .float() first");
        return es_torch_says(err, "Integers to negative integer powers are not allowed.");
    }
    return true;
}

/* ---- the two ways to compute ---- */

static bool views(void *ctx, const es_view *v, es_error *err)
{
    const job *j = ctx;
    return v[0].buf->be->ops->map((es_map_op)ops[j->op].map, &v[0], &v[1], &v[2], err);
}

/* x as the backend of out takes it: float32, there, stretched. */
static bool device_operand(es_torch *k, const job *j, es_tensor *wide, const es_tensor *x,
                           const es_tensor *out, es_error *err)
{
    es_tensor there = {0};
    *wide = there;
    bool ok = es_torch_ready(k, x, ops[j->op].name, err) &&
              es_torch_to(k, &there, x, ES_FLOAT32, out->buf->be, err) &&
              es_tensor_expand(wide, &there, &out->shape, err);
    es_tensor_free(&there);
    return ok;
}

static bool on_device(es_torch *k, const job *j, es_tensor *out, const es_tensor *x,
                      const es_tensor *y, es_error *err)
{
    es_tensor a, b = {0};
    bool ok = device_operand(k, j, &a, x, out, err) && device_operand(k, j, &b, y, out, err);
    if (ok) {
        const es_tensor *const t[] = {out, &a, &b};
        es_grid g = es_grid_over(t, 3);
        ok = es_grid_views(k, &g, views, (void *)j, err);
    }
    es_tensor_free(&a);
    es_tensor_free(&b);
    return ok;
}

static bool on_host(es_torch *k, const job *j, es_tensor *out, const es_tensor *x,
                    const es_tensor *y, es_error *err)
{
    const char *name = ops[j->op].name;
    const es_tensor *const operand[] = {x, y};
    es_tensor here[2];
    if (!es_host_operands(k, here, operand, 2, &out->shape, name, err))
        return false;
    const es_tensor *const t[] = {out, &here[0], &here[1]};
    es_grid g = es_grid_over(t, 3);
    bool ok = es_grid_rows(k, &g, es_dtype_is_float(j->as) ? rows_of_floats : rows_of_ints,
                           (void *)j, err);
    es_tensor_free(&here[0]);
    es_tensor_free(&here[1]);
    return ok && es_host_done(k, out, err);
}

/* What must be turned into float32 first is worth it where numbers are far away anyway. */
static bool is_float32(const es_tensor *t, const es_backend *be)
{
    return t->dtype == ES_FLOAT32 || t->number || !be->ops->host_memory;
}

static bool compute(es_torch *k, es_tensor *out, es_binary_op op, const es_tensor *x,
                    const es_tensor *y, es_error *err)
{
    es_shape shape;
    job j = {op, es_torch_promote(x, y)};
    if (!fits(op, x, y, j.as, err))
        return false;
    if (ops[op].dtypes & FLOATING && !es_dtype_is_float(j.as))
        j.as = ES_FLOAT32;
    const es_tensor *const t[] = {x, y};
    es_dtype dtype = ops[op].dtypes & COMPARES ? ES_BOOL : j.as;
    es_backend *be = es_torch_device(t, 2, err);
    if (!be || !es_torch_stretch(k, &shape, &x->shape, &y->shape, err))
        return false;
    bool device = ops[op].map >= 0 && j.as == ES_FLOAT32 && is_float32(x, be) && is_float32(y, be);
    if (!device)
        return es_host_result(k, out, t, 2, dtype, &shape, err) &&
               (es_torch_meta(out) || on_host(k, &j, out, x, y, err));
    return es_torch_result(k, out, t, 2, dtype, &shape, err) &&
           (es_torch_meta(out) || on_device(k, &j, out, x, y, err));
}

bool es_torch_binary(es_torch *k, es_tensor *out, es_binary_op op, const es_tensor *x,
                     const es_tensor *y, es_error *err)
{
    *out = (es_tensor){0};
    if (compute(k, out, op, x, y, err))
        return true;
    es_tensor_free(out);
    return false;
}
