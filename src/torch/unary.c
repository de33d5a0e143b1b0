// SPDX-License-Identifier: GPL-3.0-or-later
/* Functions of one element. */
#include <math.h>

#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/grid.h"

/* What a function does to dtypes. */
enum {
    FLOATING = 1, /* integers become float32 */
    TESTS = 2,    /* the result is bool */
    NO_FLOAT = 4,
    NO_BOOL = 8,
    NO_INT = 16,
    KEEPS_INT = 32, /* of an integer it is that integer */
};

static const struct {
    const char *name;   /* for a reader */
    const char *kernel; /* what PyTorch calls it where it refuses a dtype */
    unsigned dtypes;
    int map; /* the backend's, or -1 */
} ops[ES_N_UNARY_OPS] = {
    [ES_U_NEG] = {"-", "neg_cpu", NO_BOOL, ES_NEG},
    [ES_U_INVERT] = {"~", "bitwise_not_cpu", NO_FLOAT, -1},
    [ES_U_LOGICAL_NOT] = {"logical_not", "logical_not_cpu", TESTS, -1},
    [ES_U_ABS] = {"abs", "abs_cpu", NO_BOOL, ES_ABS},
    [ES_U_SIGN] = {"sign", "sign_cpu", 0, -1},
    [ES_U_EXP] = {"exp", "exp_vml_cpu", FLOATING, ES_EXP},
    [ES_U_LOG] = {"log", "log_vml_cpu", FLOATING, ES_LOG},
    [ES_U_LOG2] = {"log2", "log2_vml_cpu", FLOATING, -1},
    [ES_U_LOG10] = {"log10", "log10_vml_cpu", FLOATING, -1},
    [ES_U_LOG1P] = {"log1p", "log1p_vml_cpu", FLOATING, -1},
    [ES_U_SQRT] = {"sqrt", "sqrt_vml_cpu", FLOATING, ES_SQRT},
    [ES_U_RSQRT] = {"rsqrt", "rsqrt_cpu", FLOATING, -1},
    [ES_U_SIN] = {"sin", "sin_vml_cpu", FLOATING, ES_SIN},
    [ES_U_COS] = {"cos", "cos_vml_cpu", FLOATING, ES_COS},
    [ES_U_TAN] = {"tan", "tan_vml_cpu", FLOATING, -1},
    [ES_U_TANH] = {"tanh", "tanh_vml_cpu", FLOATING, ES_TANH},
    [ES_U_SIGMOID] = {"sigmoid", "sigmoid_cpu", FLOATING, -1},
    [ES_U_ERF] = {"erf", "erf_vml_cpu", FLOATING, -1},
    [ES_U_SILU] = {"silu", "silu_cpu", NO_INT | NO_BOOL, -1},
    [ES_U_GELU] = {"gelu", "GeluKernelImpl", NO_INT | NO_BOOL, -1},
    [ES_U_GELU_TANH] = {"gelu", "GeluKernelImpl", NO_INT | NO_BOOL, -1},
    [ES_U_RECIPROCAL] = {"reciprocal", "reciprocal_cpu", FLOATING, -1},
    [ES_U_RELU] = {"relu", "clamp_scalar_cpu", NO_BOOL, -1},
    [ES_U_FLOOR] = {"floor", "floor_vml_cpu", NO_BOOL | KEEPS_INT, -1},
    [ES_U_CEIL] = {"ceil", "ceil_vml_cpu", NO_BOOL | KEEPS_INT, -1},
    [ES_U_ROUND] = {"round", "round_vml_cpu", NO_BOOL | KEEPS_INT, -1},
    [ES_U_TRUNC] = {"trunc", "trunc_vml_cpu", NO_BOOL | KEEPS_INT, -1},
    [ES_U_ISNAN] = {"isnan", "isnan", TESTS, -1},
    [ES_U_ISINF] = {"isinf", "isinf", TESTS, -1},
    [ES_U_ISFINITE] = {"isfinite", "isfinite", TESTS, -1},
};

#define EACH(expression)                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                              \
        double x = a[i];                                                                           \
        a[i] = (expression);                                                                       \
    }                                                                                              \
    break

/* x times the chance that a normal variable lies below it. */
static double gelu(double x)
{
    return 0.5 * x * (1 + erf(x * M_SQRT1_2));
}

/* Hendrycks and Gimpel 2016, section 2; what GPT-2 was trained with. */
static double gelu_tanh(double x)
{
    return 0.5 * x * (1 + tanh(M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * x * x * x)));
}

static void floats(es_unary_op op, double *a, int64_t n)
{
    switch (op) {
    case ES_U_NEG: EACH(-x);
    case ES_U_ABS: EACH(fabs(x));
    case ES_U_SIGN: EACH((double)((x > 0) - (x < 0)));
    case ES_U_EXP: EACH(exp(x));
    case ES_U_LOG: EACH(log(x));
    case ES_U_LOG2: EACH(log2(x));
    case ES_U_LOG10: EACH(log10(x));
    case ES_U_LOG1P: EACH(log1p(x));
    case ES_U_SQRT: EACH(sqrt(x));
    case ES_U_RSQRT: EACH(1 / sqrt(x));
    case ES_U_SIN: EACH(sin(x));
    case ES_U_COS: EACH(cos(x));
    case ES_U_TAN: EACH(tan(x));
    case ES_U_TANH: EACH(tanh(x));
    case ES_U_SIGMOID: EACH(1 / (1 + exp(-x)));
    case ES_U_ERF: EACH(erf(x));
    case ES_U_SILU: EACH(x / (1 + exp(-x)));
    case ES_U_GELU: EACH(gelu(x));
    case ES_U_GELU_TANH: EACH(gelu_tanh(x));
    case ES_U_RECIPROCAL: EACH(1 / x);
    case ES_U_RELU: EACH(x < 0 ? 0 : x);
    case ES_U_FLOOR: EACH(floor(x));
    case ES_U_CEIL: EACH(ceil(x));
    case ES_U_ROUND: EACH(nearbyint(x));
    case ES_U_TRUNC: EACH(trunc(x));
    case ES_U_LOGICAL_NOT: EACH(x == 0);
    case ES_U_ISNAN: EACH(isnan(x));
    case ES_U_ISINF: EACH(isinf(x) != 0);
    case ES_U_ISFINITE: EACH(isfinite(x));
    default: break;
    }
}
#undef EACH

#define EACH(expression)                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                              \
        int64_t x = a[i];                                                                          \
        a[i] = (expression);                                                                       \
    }                                                                                              \
    break

static int64_t negated(int64_t x)
{
    return (int64_t)(0 - (uint64_t)x);
}

static void ints(es_unary_op op, bool truth, int64_t *a, int64_t n)
{
    switch (op) {
    case ES_U_NEG: EACH(negated(x));
    case ES_U_INVERT: EACH(truth ? !x : ~x);
    case ES_U_ABS: EACH(x < 0 ? negated(x) : x);
    case ES_U_SIGN: EACH((x > 0) - (x < 0));
    case ES_U_RELU: EACH(x < 0 ? 0 : x);
    case ES_U_LOGICAL_NOT: EACH(x == 0);
    case ES_U_ISNAN:
    case ES_U_ISINF: EACH(x & 0);
    case ES_U_ISFINITE: EACH((x & 0) | 1);
    default: break;
    }
}

typedef struct job {
    es_unary_op op;
    es_dtype as;
} job;

static bool rows(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)err;
    const job *j = ctx;
    if (es_dtype_is_float(j->as)) {
        double a[ES_ROW];
        es_cells_to_floats(a, &row[1], n, j->as);
        floats(j->op, a, n);
        es_cells_from_floats(&row[0], a, n);
    } else {
        int64_t a[ES_ROW];
        es_cells_to_ints(a, &row[1], n, j->as);
        ints(j->op, j->as == ES_BOOL, a, n);
        es_cells_from_ints(&row[0], a, n);
    }
    return true;
}

static bool views(void *ctx, const es_view *v, es_error *err)
{
    const job *j = ctx;
    return v[0].buf->be->ops->map((es_map_op)ops[j->op].map, &v[0], &v[1], NULL, err);
}

static bool refused(es_unary_op op, es_dtype dtype, es_error *err)
{
    if (op == ES_U_NEG) {
        es_fail(err, ES_ERR_DTYPE, "- is not for bools; ~ turns a mask around");
        return es_torch_says(err, "Negation, the `-` operator, on a bool tensor is not supported. "
                                  "If you are trying to invert a mask, use the `~` or "
                                  "`logical_not()` operator instead.");
    }
    es_fail(err, ES_ERR_DTYPE, "%s is not for %s", ops[op].name, es_dtype_name(dtype));
    if (op == ES_U_INVERT)
        return es_torch_says(err, "~ (operator.invert) is only implemented on integer and "
                                  "Boolean-type tensors");
    if (op == ES_U_RELU)
        return es_torch_says(err, "Boolean inputs not supported for relu");
    return es_torch_says(err, "\"%s\" not implemented for '%s'", ops[op].kernel,
                         es_torch_scalar_name(dtype));
}

static bool on_device(es_torch *k, const job *j, const es_tensor *out, const es_tensor *x,
                      es_error *err)
{
    es_tensor there;
    if (!es_torch_ready(k, x, ops[j->op].name, err) ||
        !es_torch_to(k, &there, x, ES_FLOAT32, x->buf->be, err))
        return false;
    const es_tensor *const t[] = {out, &there};
    es_grid g = es_grid_over(t, 2);
    bool ok = es_grid_views(k, &g, views, (void *)j, err);
    es_tensor_free(&there);
    return ok;
}

static bool computed(es_torch *k, const job *j, es_tensor *out, const es_tensor *x, es_error *err)
{
    bool device =
        ops[j->op].map >= 0 && j->as == ES_FLOAT32 && (x->dtype == ES_FLOAT32 || es_torch_far(out));
    if (device)
        return on_device(k, j, out, x, err);
    es_tensor here;
    if (!es_host_instead(out, err) || !es_host_operand(k, &here, x, NULL, ops[j->op].name, err))
        return false;
    const es_tensor *const t[] = {out, &here};
    es_grid g = es_grid_over(t, 2);
    bool ok = es_grid_rows(k, &g, rows, (void *)j, err);
    es_tensor_free(&here);
    return ok && es_host_done(k, out, err);
}

bool es_torch_unary(es_torch *k, es_tensor *out, es_unary_op op, const es_tensor *x, es_error *err)
{
    *out = (es_tensor){0};
    unsigned is = es_dtype_is_float(x->dtype) ? NO_FLOAT : x->dtype == ES_BOOL ? NO_BOOL : NO_INT;
    if (ops[op].dtypes & is)
        return refused(op, x->dtype, err);
    if (ops[op].dtypes & KEEPS_INT && is == NO_INT)
        return es_torch_clone(k, out, x, err);
    job j = {op, x->dtype};
    if (ops[op].dtypes & FLOATING && !es_dtype_is_float(j.as))
        j.as = ES_FLOAT32;
    es_dtype dtype = ops[op].dtypes & TESTS ? ES_BOOL : j.as;
    if (!es_torch_result(k, out, &x, 1, dtype, &x->shape, err))
        return false;
    if (es_torch_meta(out) || computed(k, &j, out, x, err))
        return true;
    es_tensor_free(out);
    return false;
}
