// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "torch/cast.h"
#include "torch/decompose.h"
#include "torch/elementwise.h"
#include "torch/product.h"
#include "torch/reduce.h"
#include "torch/similar.h"

Suite *torch_numbers_suite(void);

/* ---- a calculator on each device, random operands, and judges in plain loops ---- */

static char noted[512];

static void keep_note(void *user, const char *text)
{
    (void)user;
    size_t n = strlen(noted);
    snprintf(noted + n, sizeof noted - n, "%s%s", n ? "; " : "", text);
}

static es_torch open_torch(const char *device)
{
    es_error err = ES_ERROR_NONE;
    es_torch k = {.most_bytes = (int64_t)1 << 32, .note = keep_note};
    k.be = es_backend_open(device, 2, &err);
    ck_assert_works(k.be != NULL, err);
    noted[0] = '\0';
    return k;
}

static void close_torch(es_torch *k)
{
    ck_assert_uint_eq(k->be->in_use, 0);
    es_backend_close(k->be);
}

static es_shape sizes(int ndim, ...)
{
    es_shape s = {.ndim = ndim};
    va_list ap;
    va_start(ap, ndim);
    for (int d = 0; d < ndim; d++)
        s.dim[d] = va_arg(ap, int);
    va_end(ap);
    return s;
}

static void store(es_tensor *t, int64_t i, double value)
{
    switch (t->dtype) {
    case ES_FLOAT32: ((float *)t->buf->mem)[i] = (float)value; break;
    case ES_FLOAT64: ((double *)t->buf->mem)[i] = value; break;
    case ES_INT64: ((int64_t *)t->buf->mem)[i] = (int64_t)value; break;
    case ES_INT32: ((int32_t *)t->buf->mem)[i] = (int32_t)value; break;
    default: ((bool *)t->buf->mem)[i] = value != 0; break;
    }
}

static es_tensor made(es_torch *k, es_dtype dtype, es_shape shape, const double *value)
{
    es_error err = ES_ERROR_NONE;
    es_tensor t;
    ck_assert_works(es_torch_new(k, &t, k->be, dtype, &shape, &err), err);
    for (int64_t i = 0; !k->shapes_only && i < es_shape_count(&shape); i++)
        store(&t, i, value ? value[i] : 0);
    return t;
}

/* Small numbers, whole ones too, and now and then one that is not finite. */
static double some_number(uint64_t *state, bool finite)
{
    uint32_t r = random_below(state, 40);
    if (!finite && r < 3)
        return r == 0 ? (double)NAN : r == 1 ? (double)INFINITY : (double)-INFINITY;
    return r < 25 ? (double)random_below(state, 9) - 4
                  : (double)next_random(state) / 536870912.0 - 4.0;
}

/* A tensor of that shape, perhaps with its axes in another order in memory, or every second element. */
static es_tensor random_operand(es_torch *k, es_dtype dtype, const es_shape *shape, bool finite,
                                uint64_t *state)
{
    es_shape wide = *shape;
    bool strided = shape->ndim > 0 && random_below(state, 3) == 0;
    int a = strided ? (int)random_below(state, (uint32_t)shape->ndim) : 0;
    if (strided)
        wide.dim[a] *= 2;
    int64_t swap = wide.dim[0];
    bool turned = shape->ndim > 1 && random_below(state, 2);
    if (turned) {
        wide.dim[0] = wide.dim[shape->ndim - 1];
        wide.dim[shape->ndim - 1] = swap;
    }
    es_tensor all = made(k, dtype, wide, NULL), t;
    for (int64_t i = 0; i < es_shape_count(&wide); i++)
        store(&all, i, some_number(state, finite || dtype != ES_FLOAT32));
    if (turned)
        ck_assert(es_tensor_transpose(&t, &all, 0, shape->ndim - 1, NULL));
    else
        es_tensor_view(&t, &all);
    es_tensor_free(&all);
    if (strided) {
        t.stride[a] *= 2;
        t.shape.dim[a] /= 2;
    }
    t.shape = *shape;
    return t;
}

static es_shape random_shape(uint64_t *state, int most)
{
    es_shape s = {.ndim = (int)random_below(state, (uint32_t)most + 1)};
    for (int d = 0; d < s.ndim; d++)
        s.dim[d] = random_below(state, 12) ? 1 + random_below(state, 5) : 0;
    return s;
}

/* Where of t, stretched to shape, the i-th element of shape comes from. */
static int64_t source(const es_tensor *t, const es_shape *shape, int64_t i)
{
    int64_t at = 0, step = 1;
    for (int r = 0; r < shape->ndim; r++) {
        int64_t place = i % shape->dim[shape->ndim - 1 - r];
        i /= shape->dim[shape->ndim - 1 - r];
        int d = t->shape.ndim - 1 - r;
        if (d < 0)
            break;
        at += t->shape.dim[d] == 1 ? 0 : place * step;
        step *= t->shape.dim[d];
    }
    return at;
}

static bool near(double x, double y, es_dtype dtype)
{
    if (isnan(x) || isnan(y) || isinf(x) || isinf(y))
        return (isnan(x) && isnan(y)) || x == y;
    double tolerance = dtype == ES_FLOAT32 ? 1e-6 : 1e-12;
    return fabs(x - y) <= tolerance * fmax(1, fmax(fabs(x), fabs(y)));
}

/* ---- promotion ---- */

static bool is_float(es_dtype d)
{
    return d == ES_FLOAT32 || d == ES_FLOAT64;
}

/* The rule another way: the highest kind present decides; of that kind the highest class has its say. */
static es_dtype promoted(const es_dtype dtype[2], const int class[2])
{
    static const int kind_of[] = {
        [ES_BOOL] = 0, [ES_INT32] = 1, [ES_INT64] = 1, [ES_FLOAT32] = 2, [ES_FLOAT64] = 2};
    es_dtype d[2];
    for (int i = 0; i < 2; i++)
        d[i] = class[i] == 0 && is_float(dtype[i]) ? ES_FLOAT32 : dtype[i];
    if (kind_of[d[0]] != kind_of[d[1]])
        return kind_of[d[0]] > kind_of[d[1]] ? d[0] : d[1];
    if (class[0] != class[1])
        return class[0] > class[1] ? d[0] : d[1];
    return es_dtype_size(d[0]) > es_dtype_size(d[1]) ? d[0] : d[1];
}

START_TEST(dtypes_are_promoted_by_kind_then_by_class_then_by_size)
{
    es_torch k = open_torch("cpu");
    for (int i = 0; i < ES_N_DTYPES * 3; i++)
        for (int j = 0; j < ES_N_DTYPES * 3; j++) {
            es_dtype dtype[2] = {(es_dtype)(i / 3), (es_dtype)(j / 3)};
            int class[2] = {i % 3, j % 3}; /* number, rank 0, tensor */
            es_tensor t[2];
            for (int n = 0; n < 2; n++) {
                t[n] = made(&k, dtype[n], class[n] == 2 ? sizes(1, 1) : sizes(0), NULL);
                t[n].number = class[n] == 0;
            }
            es_dtype got = es_torch_promote(&t[0], &t[1]);
            demand(got == promoted(dtype, class), "%s (class %d), %s (class %d): %s",
                   es_dtype_name(dtype[0]), class[0], es_dtype_name(dtype[1]), class[1],
                   es_dtype_name(got));
            es_tensor_free(&t[0]);
            es_tensor_free(&t[1]);
        }
    close_torch(&k);
}
END_TEST

/* ---- operators ---- */

static double int_power(double x, double y)
{
    return y < 0 ? (x == 1 ? 1 : x == -1 ? (fmod(y, 2) != 0 ? -1 : 1) : 0) : pow(x, y);
}

static double applied(es_binary_op op, double x, double y, bool floating)
{
    int64_t i = floating ? 0 : (int64_t)x, j = floating ? 0 : (int64_t)y;
    switch (op) {
    case ES_B_ADD: return x + y;
    case ES_B_SUB: return x - y;
    case ES_B_MUL: return x * y;
    case ES_B_DIV: return x / y;
    case ES_B_FLOORDIV: return floor(x / y);
    case ES_B_MOD:
        return floating && isinf(y) && isfinite(x) ? (x != 0 && (x < 0) != (y < 0) ? y : x)
                                                   : x - floor(x / y) * y;
    case ES_B_POW: return floating ? pow(x, y) : int_power(x, y);
    case ES_B_MAXIMUM: return isnan(x) || isnan(y) ? (double)NAN : fmax(x, y);
    case ES_B_MINIMUM: return isnan(x) || isnan(y) ? (double)NAN : fmin(x, y);
    case ES_B_ATAN2: return atan2(x, y);
    case ES_B_BITAND: return (double)(i & j);
    case ES_B_BITOR: return (double)(i | j);
    case ES_B_BITXOR: return (double)(i ^ j);
    case ES_B_SHL: return j < 0 ? 0 : (double)(i * (1 << j));
    case ES_B_SHR: return j < 0 ? (i < 0 ? -1 : 0) : floor(x / (1 << j));
    case ES_B_LT: return x < y;
    case ES_B_LE: return x <= y;
    case ES_B_GT: return x > y;
    case ES_B_GE: return x >= y;
    case ES_B_EQ: return x == y;
    case ES_B_NE: return x != y;
    case ES_B_LOGICAL_AND: return x != 0 && y != 0;
    default: return x != 0 || y != 0;
    }
}

/* Is this one of the combinations that are refused, or whose judge would need to know more? */
static bool is_left_out(es_binary_op op, es_dtype as, const es_tensor *x, const es_tensor *y)
{
    if (op == ES_B_SUB && (x->dtype == ES_BOOL || y->dtype == ES_BOOL))
        return true;
    if ((op >= ES_B_BITAND && op <= ES_B_SHR && is_float(as)) ||
        ((op == ES_B_SHL || op == ES_B_SHR) && as == ES_BOOL))
        return true;
    return as == ES_BOOL && (op == ES_B_POW || op == ES_B_FLOORDIV || op == ES_B_MOD);
}

static void check_binary(es_torch *k, es_binary_op op, es_dtype dx, es_dtype dy, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = random_shape(state, 4), sx = shape, sy = shape, got;
    for (int d = 0; d < shape.ndim; d++)
        *(random_below(state, 2) ? &sx.dim[d] : &sy.dim[d]) =
            random_below(state, 3) ? shape.dim[d] : 1;
    bool finite = op == ES_B_FLOORDIV || op == ES_B_MOD || op == ES_B_POW;
    es_tensor x = random_operand(k, dx, &sx, finite, state),
              y = random_operand(k, dy, &sy, finite, state), out;
    ck_assert(es_torch_stretch(k, &got, &sx, &sy, NULL));
    es_dtype as = es_torch_promote(&x, &y);
    bool whole = (op == ES_B_FLOORDIV || op == ES_B_MOD) && !is_float(as);
    if (!is_left_out(op, as, &x, &y) && !whole) {
        ck_assert_works(es_torch_binary(k, &out, op, &x, &y, &err), err);
        demand(es_shape_equal(&out.shape, &got), "the shape");
        if ((op == ES_B_DIV || op == ES_B_ATAN2) && !is_float(as))
            as = ES_FLOAT32;
        demand(out.dtype == (op >= ES_B_LT ? ES_BOOL : as), "op %d: %s", op,
               es_dtype_name(out.dtype));
        for (int64_t i = 0; i < es_shape_count(&got); i++) {
            double a = es_torch_get_float(&x, source(&x, &got, i)),
                   b = es_torch_get_float(&y, source(&y, &got, i));
            double want = applied(op, a, b, is_float(as)), have = es_torch_get_float(&out, i);
            if (out.dtype == ES_BOOL)
                want = want != 0;
            demand(near(have, want, as), "op %d of %s %.17g and %s %.17g: %.17g, not %.17g", op,
                   es_dtype_name(dx), a, es_dtype_name(dy), b, have, want);
        }
        es_tensor_free(&out);
    }
    es_tensor_free(&x);
    es_tensor_free(&y);
}

START_TEST(operators_do_what_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 1;
    for (int round = 0; round < thoroughness(20, 1); round++)
        for (int op = 0; op < ES_N_BINARY_OPS; op++)
            for (int d = 0; d < ES_N_DTYPES * ES_N_DTYPES; d++)
                check_binary(&k, (es_binary_op)op, (es_dtype)(d / ES_N_DTYPES),
                             (es_dtype)(d % ES_N_DTYPES), &state);
    close_torch(&k);
}
END_TEST

/* x op y for two numbers of an integer dtype. */
static int64_t of_ints(es_torch *k, es_dtype dtype, int64_t x, es_binary_op op, int64_t y)
{
    es_error err = ES_ERROR_NONE;
    es_tensor a = made(k, dtype, sizes(1, 1), NULL), b = made(k, dtype, sizes(1, 1), NULL), out;
    if (dtype == ES_INT64) {
        *(int64_t *)a.buf->mem = x;
        *(int64_t *)b.buf->mem = y;
    } else {
        *(int32_t *)a.buf->mem = (int32_t)x;
        *(int32_t *)b.buf->mem = (int32_t)y;
    }
    ck_assert_works(es_torch_binary(k, &out, op, &a, &b, &err), err);
    int64_t value = es_torch_get_int(&out, 0);
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&out);
    return value;
}

START_TEST(integers_wrap_and_divide_as_python_does)
{
    es_torch k = open_torch("cpu");
    ck_assert_int_eq(of_ints(&k, ES_INT64, INT64_MAX, ES_B_ADD, 1), INT64_MIN);
    ck_assert_int_eq(of_ints(&k, ES_INT64, INT64_MIN, ES_B_SUB, 1), INT64_MAX);
    ck_assert_int_eq(of_ints(&k, ES_INT64, INT64_MAX, ES_B_MUL, 2), -2);
    ck_assert_int_eq(of_ints(&k, ES_INT64, INT64_MIN, ES_B_FLOORDIV, -1), INT64_MIN);
    ck_assert_int_eq(of_ints(&k, ES_INT64, INT64_MIN, ES_B_MOD, -1), 0);
    ck_assert_int_eq(of_ints(&k, ES_INT64, 3, ES_B_POW, 41), -420491770248316829);
    ck_assert_int_eq(of_ints(&k, ES_INT64, -1, ES_B_POW, -3), -1);
    ck_assert_int_eq(of_ints(&k, ES_INT64, 2, ES_B_POW, -1), 0);
    ck_assert_int_eq(of_ints(&k, ES_INT64, 1, ES_B_SHL, 63), INT64_MIN);
    ck_assert_int_eq(of_ints(&k, ES_INT64, 1, ES_B_SHL, 64), 0);
    ck_assert_int_eq(of_ints(&k, ES_INT64, -8, ES_B_SHR, 1), -4);
    ck_assert_int_eq(of_ints(&k, ES_INT64, -8, ES_B_SHR, 70), -1);
    ck_assert_int_eq(of_ints(&k, ES_INT32, INT32_MAX, ES_B_ADD, 1), INT32_MIN);
    ck_assert_int_eq(of_ints(&k, ES_INT32, INT32_MIN, ES_B_FLOORDIV, -1), INT32_MIN);
    for (int64_t x = -7; x <= 7; x++)
        for (int64_t y = -3; y <= 3; y++) {
            if (y == 0)
                continue;
            int64_t q = of_ints(&k, ES_INT64, x, ES_B_FLOORDIV, y),
                    r = of_ints(&k, ES_INT32, x, ES_B_MOD, y);
            demand(q == (int64_t)floor((double)x / (double)y) && q * y + r == x,
                   "%d // %d, %d %% %d", (int)x, (int)y, (int)x, (int)y);
        }
    close_torch(&k);
}
END_TEST

/* A refusal's three texts and code, for operands that are then freed. */
#define ck_assert_refuses(call, err, want_code, want_message, want_torch)                          \
    do {                                                                                           \
        ck_assert(!(call));                                                                        \
        ck_assert_str_eq(es_code_name((err).code), es_code_name(want_code));                       \
        ck_assert_str_eq((err).message, want_message);                                             \
        ck_assert_ptr_nonnull((err).torch);                                                        \
        ck_assert_str_eq((err).torch, want_torch);                                                 \
        es_error_free(&(err));                                                                     \
    } while (0)

START_TEST(operators_refuse_in_pytorchs_words)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_tensor f = made(&k, ES_FLOAT32, sizes(1, 2), NULL),
              i = made(&k, ES_INT64, sizes(1, 2), NULL), b = made(&k, ES_BOOL, sizes(1, 2), NULL),
              minus, out;
    ck_assert(es_torch_int(&k, &minus, -1, NULL));
    ck_assert_refuses(es_torch_binary(&k, &out, ES_B_SUB, &b, &b, &err), err, ES_ERR_DTYPE,
                      "bools have no difference; ^ says where they differ",
                      "Subtraction, the `-` operator, with two bool tensors is not supported. Use "
                      "the `^` or `logical_xor()` operator instead.");
    ck_assert_refuses(
        es_torch_binary(&k, &out, ES_B_SUB, &i, &b, &err), err, ES_ERR_DTYPE,
        "- is not for bools; ~ turns a mask around, .long() makes it 0 and 1",
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
        "invert a mask, use the `~` or `logical_not()` operator instead.");
    ck_assert_refuses(es_torch_binary(&k, &out, ES_B_BITAND, &f, &i, &err), err, ES_ERR_DTYPE,
                      "& is not for float32", "\"bitwise_and_cpu\" not implemented for 'Float'");
    ck_assert_refuses(es_torch_binary(&k, &out, ES_B_MOD, &i, &i, &err), err, ES_ERR_VALUE,
                      "an integer is divided by 0, and integers have no infinity or NaN",
                      "ZeroDivisionError");
    ck_assert_refuses(es_torch_binary(&k, &out, ES_B_POW, &i, &minus, &err), err, ES_ERR_VALUE,
                      "an integer to a negative power is a fraction; .float() first",
                      "Integers to negative integer powers are not allowed.");
    ck_assert_refuses(es_torch_unary(&k, &out, ES_U_NEG, &b, &err), err, ES_ERR_DTYPE,
                      "- is not for bools; ~ turns a mask around",
                      "Negation, the `-` operator, on a bool tensor is not supported. If you are "
                      "trying to invert "
                      "a mask, use the `~` or `logical_not()` operator instead.");
    ck_assert_refuses(
        es_torch_unary(&k, &out, ES_U_INVERT, &f, &err), err, ES_ERR_DTYPE, "~ is not for float32",
        "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    ck_assert_refuses(es_torch_unary(&k, &out, ES_U_GELU, &i, &err), err, ES_ERR_DTYPE,
                      "gelu is not for int64", "\"GeluKernelImpl\" not implemented for 'Long'");
    ck_assert_refuses(
        es_torch_where(&k, &out, &i, &f, &f, &err), err, ES_ERR_DTYPE,
        "where chooses by a tensor of bools, and this one is int64",
        "where expected condition to be a boolean tensor, but got a tensor with dtype "
        "Long");
    ck_assert_refuses(es_torch_clamp(&k, &out, &f, NULL, NULL, &err), err, ES_ERR_VALUE,
                      "clamp needs a smallest value, a largest one, or both",
                      "torch.clamp: At least one of 'min' or 'max' must not be None");
    es_tensor_free(&f);
    es_tensor_free(&i);
    es_tensor_free(&b);
    es_tensor_free(&minus);
    close_torch(&k);
}
END_TEST

/* ---- names ---- */

START_TEST(shapes_that_do_not_stretch_are_named)
{
    es_torch k = {0};
    es_error err = ES_ERROR_NONE;
    es_shape out, x = es_shape_3d("B", 2, "T", 5, "C", 8), y = es_shape_2d("T", 4, "C", 8),
                  z = es_shape_3d("", 1, "B", 2, "C", 8), u = sizes(2, 5, 7), v = sizes(2, 6, 7);
    ck_assert_refuses(es_torch_stretch(&k, &out, &x, &y, &err), err, ES_ERR_BROADCAST,
                      "the time axis differs, T=5 against T=4",
                      "The size of tensor a (5) must match the size of tensor b (4) at "
                      "non-singleton dimension 1");
    ck_assert_refuses(es_torch_stretch(&k, &out, &x, &z, &err), err, ES_ERR_BROADCAST,
                      "the time axis differs, T=5 against B=2",
                      "The size of tensor a (5) must match the size of tensor b (2) at "
                      "non-singleton dimension 1");
    ck_assert_refuses(es_torch_stretch(&k, &out, &u, &v, &err), err, ES_ERR_BROADCAST,
                      "axis -2 differs: 5 against 6",
                      "The size of tensor a (5) must match the size of tensor b (6) at "
                      "non-singleton dimension 0");
    ck_assert_refuses(es_torch_stretch(&k, &out, &u, &x, &err), err, ES_ERR_BROADCAST,
                      "the channel axis differs, 7 against C=8",
                      "The size of tensor a (7) must match the size of tensor b (8) at "
                      "non-singleton dimension 2");
}
END_TEST

static void check_stretch(es_torch *k, es_shape x, es_shape y, const char *want, const char *note)
{
    es_error err = ES_ERROR_NONE;
    es_shape out;
    es_str s = {0};
    noted[0] = '\0';
    ck_assert_works(es_torch_stretch(k, &out, &x, &y, &err), err);
    es_shape_show(&s, &out);
    ck_assert_str_eq(s.s, want);
    ck_assert_str_eq(noted, note);
    es_str_free(&s);
}

START_TEST(names_meet_keep_and_are_remarked)
{
    es_torch k = {.note = keep_note};
    es_error err = ES_ERROR_NONE;
    check_stretch(&k, es_shape_3d("B", 2, "T", 5, "C", 8), es_shape_2d("T", 5, "C", 8),
                  "[B=2, T=5, C=8]", "");
    check_stretch(&k, es_shape_2d("T", 1, "C", 8), es_shape_2d("B", 3, "", 8), "[B=3, C=8]", "");
    check_stretch(&k, es_shape_1d("", 8), es_shape_2d("?", 8, "C", 8), "[?=8, C=8]", "");
    check_stretch(&k, es_shape_2d("B", 8, "T", 8), es_shape_2d("T", 8, "C", 8), "[B=8, T=8]",
                  "axis -1: T=8 meets C=8, equal by luck");
    check_stretch(&k, es_shape_2d("T", 5, "", 1), es_shape_1d("T", 5), "[T=5, T=5]",
                  "T appears on two axes");
    check_stretch(&k, es_shape_2d("T", 5, "T", 5), es_shape_1d("T", 5), "[T=5, T=5]", "");
    check_stretch(&k, es_shape_1d("B", 1), es_shape_1d("T", 1), "[B=1]", "");
    k.strict = true;
    es_shape out, x = es_shape_1d("T", 8), y = es_shape_1d("C", 8);
    ck_assert_fails(es_torch_stretch(&k, &out, &x, &y, &err), err, ES_ERR_BROADCAST,
                    "axis -1: T=8 meets C=8, equal by luck");
}
END_TEST

/* ---- devices, memory, casts ---- */

START_TEST(two_devices_do_not_mix_but_for_single_numbers)
{
    es_torch k = open_torch("cpu"), sim = open_torch("sim");
    es_error err = ES_ERROR_NONE;
    es_tensor a = made(&k, ES_FLOAT32, sizes(1, 3), NULL),
              b = made(&sim, ES_FLOAT32, sizes(1, 3), NULL),
              zero = made(&k, ES_FLOAT32, sizes(0), NULL), out;
    ck_assert_refuses(es_torch_binary(&k, &out, ES_B_ADD, &a, &b, &err), err, ES_ERR_DEVICE,
                      "one tensor is on cpu, the other on sim",
                      "Expected all tensors to be on the same device, but found at least two "
                      "devices, cpu and sim:0!  (on a GPU: cuda:0 for sim:0)");
    ck_assert(!es_torch_matmul(&k, &out, &b, &a, &err));
    ck_assert_int_eq(err.code, ES_ERR_DEVICE);
    es_error_free(&err);
    ck_assert_works(es_torch_binary(&k, &out, ES_B_ADD, &zero, &b, &err), err);
    ck_assert_ptr_eq(out.buf->be, sim.be);
    es_tensor_free(&out);
    ck_assert_works(es_torch_to(&k, &out, &b, ES_INT64, k.be, &err), err);
    ck_assert_ptr_eq(out.buf->be, k.be);
    es_tensor_free(&out);
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&zero);
    close_torch(&k);
    close_torch(&sim);
}
END_TEST

START_TEST(casts_are_those_of_c_with_its_gaps_filled)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    const double value[] = {1.75, -1.75, 0, NAN, 3e9, 1e30};
    const int64_t as_long[] = {1, -1, 0, INT64_MIN, 3000000000, INT64_MIN},
                  as_int[] = {1, -1, 0, INT32_MIN, INT32_MIN, INT32_MIN},
                  as_bool[] = {1, 1, 0, 1, 1, 1};
    const int64_t *want[ES_N_DTYPES] = {
        [ES_INT64] = as_long, [ES_INT32] = as_int, [ES_BOOL] = as_bool};
    for (int from = 0; from < 2; from++)
        for (int to = ES_INT64; to <= ES_BOOL; to++) {
            es_tensor x = made(&k, (es_dtype)from, sizes(1, 6), value), y;
            ck_assert_works(es_torch_to(&k, &y, &x, (es_dtype)to, k.be, &err), err);
            for (int i = 0; i < 6; i++)
                ck_assert_int_eq(es_torch_get_int(&y, i), want[to][i]);
            es_tensor_free(&x);
            es_tensor_free(&y);
        }
    close_torch(&k);
}
END_TEST

/* ---- products ---- */

/* One element of x @ y, matrices in batches: place i of out (…, M, N). */
static double product_at(const es_tensor *x, const es_tensor *y, const es_shape *full, int64_t i)
{
    int last = full->ndim - 1;
    int64_t M = full->dim[last - 1], N = full->dim[last], K = x->shape.dim[x->shape.ndim - 1];
    es_shape batch = *full;
    es_tensor bx = *x, by = *y;
    batch.ndim -= 2;
    bx.shape.ndim -= 2;
    by.shape.ndim -= 2;
    int64_t from_x = source(&bx, &batch, i / (M * N)), from_y = source(&by, &batch, i / (M * N));
    double sum = 0;
    for (int64_t n = 0; n < K; n++)
        sum += es_torch_get_float(x, (from_x * M + i / N % M) * K + n) *
               es_torch_get_float(y, (from_y * K + n) * N + i % N);
    return sum;
}

START_TEST(products_do_what_a_plain_loop_does)
{
    static const es_dtype dtypes[] = {ES_FLOAT32, ES_FLOAT64, ES_INT64, ES_INT32};
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    uint64_t state = 2;
    for (int round = 0; round < thoroughness(1000, 20); round++) {
        es_shape batch = random_shape(&state, 2), sx = batch, sy = batch;
        int64_t M = random_below(&state, 5), K = random_below(&state, 5),
                N = random_below(&state, 5);
        for (int d = 0; d < batch.ndim; d++)
            if (random_below(&state, 3) == 0)
                *(random_below(&state, 2) ? &sx.dim[d] : &sy.dim[d]) = 1;
        sx.dim[sx.ndim++] = M;
        sx.dim[sx.ndim++] = sy.dim[sy.ndim++] = K;
        sy.dim[sy.ndim++] = N;
        es_dtype dtype = dtypes[round % 4];
        es_tensor x = random_operand(&k, dtype, &sx, true, &state),
                  y = random_operand(&k, dtype, &sy, true, &state), out;
        ck_assert_works(es_torch_matmul(&k, &out, &x, &y, &err), err);
        for (int64_t i = 0; i < es_shape_count(&out.shape); i++) {
            double want = product_at(&x, &y, &out.shape, i), have = es_torch_get_float(&out, i);
            demand(near(have, want, dtype), "round %d: %.17g, not %.17g", round, have, want);
        }
        es_tensor_free(&x);
        es_tensor_free(&y);
        es_tensor_free(&out);
    }
    close_torch(&k);
}
END_TEST

/* Shapes and names only. */
static void check_product(es_shape x, es_shape y, const char *want, const char *note)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    k.shapes_only = true;
    es_tensor a = made(&k, ES_FLOAT32, x, NULL), b = made(&k, ES_FLOAT32, y, NULL), out;
    es_str s = {0};
    ck_assert_works(es_torch_matmul(&k, &out, &a, &b, &err), err);
    es_shape_show(&s, &out.shape);
    ck_assert_str_eq(s.s, want);
    ck_assert_str_eq(noted, note);
    es_str_free(&s);
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&out);
    close_torch(&k);
}

START_TEST(products_name_their_axes)
{
    es_shape x = es_shape_3d("B", 2, "T", 5, "C", 8), c = es_shape_1d("C", 8);
    check_product(x, es_shape_2d("C", 8, "V", 50), "[B=2, T=5, V=50]", "");
    check_product(x, c, "[B=2, T=5]", "");
    check_product(c, es_shape_2d("C", 8, "V", 50), "[V=50]", "");
    check_product(c, c, "[]", "");
    check_product(x, es_shape_3d("B", 2, "C", 8, "T", 5), "[B=2, T=5, T=5]", "");
    check_product(es_shape_2d("T", 8, "P", 8), es_shape_2d("C", 8, "V", 5), "[T=8, V=5]",
                  "inner axes: P=8 meets C=8, equal by luck");
    check_product(es_shape_2d("", 50257, "", 1 << 30), es_shape_2d("", 1 << 30, "", 50257),
                  "[50257, 50257]", "");
}
END_TEST

static void check_mismatch(es_shape x, es_shape y, const char *message, const char *torch)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_tensor a = made(&k, ES_FLOAT32, x, NULL), b = made(&k, ES_FLOAT32, y, NULL), out;
    ck_assert_refuses(es_torch_matmul(&k, &out, &a, &b, &err), err, ES_ERR_MATMUL, message, torch);
    es_tensor_free(&a);
    es_tensor_free(&b);
    close_torch(&k);
}

START_TEST(products_that_do_not_fit_say_so_in_pytorchs_words)
{
    es_shape x = es_shape_3d("B", 2, "T", 5, "C", 8);
    check_mismatch(x, es_shape_2d("V", 50, "C", 8), "inner axes differ, C=8 against V=50",
                   "mat1 and mat2 shapes cannot be multiplied (10x8 and 50x8)");
    check_mismatch(sizes(2, 3, 3), sizes(2, 50, 8), "inner axes differ, 3 against 50",
                   "mat1 and mat2 shapes cannot be multiplied (3x3 and 50x8)");
    check_mismatch(x, x, "inner axes differ, C=8 against T=5",
                   "Expected size for first two dimensions of batch2 tensor to be: [2, 8] but got: "
                   "[2, 5].");
    check_mismatch(sizes(1, 3), sizes(1, 4), "the two lengths differ, 3 against 4",
                   "inconsistent tensor size, expected tensor [3] and src [4] to have the same "
                   "number of elements, but got 3 and 4 elements respectively");
    check_mismatch(
        sizes(2, 5, 8), sizes(1, 4), "inner axes differ, 8 against 4",
        "size mismatch, got 5, 5x8,4 (PyTorch 2: size mismatch, got input (5), mat (5x8), "
        "vec (4))");
    check_mismatch(sizes(1, 8), sizes(2, 5, 8), "inner axes differ, 8 against 5",
                   "mat1 and mat2 shapes cannot be multiplied (1x8 and 5x8)");
    check_mismatch(sizes(2, 5, 8), x, "inner axes differ, 8 against T=5",
                   "mat1 and mat2 shapes cannot be multiplied (16x5 and 8x5)");
    check_mismatch(sizes(3, 2, 5, 8), sizes(3, 3, 8, 5), "axis -3 differs: 2 against 3",
                   "The size of tensor a (2) must match the size of tensor b (3) at non-singleton "
                   "dimension 0");
    check_mismatch(sizes(0), sizes(2, 5, 8), "a single number is no matrix; * multiplies by it",
                   "both arguments to matmul need to be at least 1D, but they are 0D and 2D");
}
END_TEST

/* ---- letters ---- */

/* The sum over all places of all letters, as the equation says; no "...". */
static double letters_at(const char *equation, const es_tensor *const t[2], const es_tensor *out,
                         int64_t i)
{
    int64_t size[128] = {0}, place[128] = {0};
    const char *end = strstr(equation, "->"), *result = end + 2;
    int d = 0, o = 0;
    for (const char *p = equation; p < end; p++, d++) {
        if (*p == ',') {
            o++;
            d = -1;
        } else {
            size[(int)*p] = t[o]->shape.dim[d];
        }
    }
    for (int r = (int)strlen(result) - 1; r >= 0; r--) {
        place[(int)result[r]] = i % out->shape.dim[r];
        i /= out->shape.dim[r];
    }
    double sum = 0;
    for (;;) {
        double factor = 1;
        const char *p = equation;
        for (o = 0; o < 2 && t[o]; o++, p++) {
            int64_t at = 0;
            for (; p < end && *p != ','; p++)
                at = at * size[(int)*p] + place[(int)*p];
            factor *= es_torch_get_float(t[o], at);
        }
        sum += factor;
        int c = 'a';
        for (; c <= 'z'; c++) {
            if (!size[c] || strchr(result, c))
                continue;
            if (++place[c] < size[c])
                break;
            place[c] = 0;
        }
        if (c > 'z')
            return sum;
    }
}

START_TEST(letters_mean_what_a_plain_loop_does)
{
    static const char *const equations[] = {
        "ij,jk->ik",  "ij,kj->ik",  "bij,bjk->bik", "bti,bsi->bts", "i,j->ij",     "i,i->",
        "ij,j->i",    "ij->ji",     "ij->",         "ii->i",        "ii->",        "iij->j",
        "bij,jb->ib", "ijk,jl->il", "abc,cd->dba",  "ij,ij->ij",    "ab,cd->dbca", "ijj,jk->ki"};
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    uint64_t state = 9;
    for (int round = 0; round < thoroughness(20, 2); round++)
        for (size_t e = 0; e < sizeof equations / sizeof *equations; e++) {
            es_dtype dtype = round % 2 ? ES_FLOAT32 : ES_INT32;
            int64_t size[128];
            for (int c = 'a'; c <= 'z'; c++)
                size[c] = 1 + random_below(&state, 4);
            es_shape s[2] = {{0}, {0}};
            int n = 0;
            for (const char *p = equations[e]; *p != '-'; p++)
                if (*p == ',')
                    n = 1;
                else
                    s[n].dim[s[n].ndim++] = size[(int)*p];
            es_tensor x = random_operand(&k, dtype, &s[0], true, &state), y = {0}, out;
            if (n)
                y = random_operand(&k, dtype, &s[1], true, &state);
            const es_tensor *const t[2] = {&x, n ? &y : NULL};
            ck_assert_works(es_torch_einsum(&k, &out, equations[e], &x, t[1], &err), err);
            demand(out.shape.ndim == (int)strlen(strstr(equations[e], "->") + 2), "the rank");
            for (int64_t i = 0; i < es_shape_count(&out.shape); i++) {
                double want = letters_at(equations[e], t, &out, i),
                       have = es_torch_get_float(&out, i);
                demand(near(have, want, ES_FLOAT32), "%s: %.17g, not %.17g", equations[e], have,
                       want);
            }
            es_tensor_free(&x);
            es_tensor_free(&y);
            es_tensor_free(&out);
        }
    close_torch(&k);
}
END_TEST

static void check_letters(const char *equation, es_shape x, es_shape y, const char *want)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_tensor a = made(&k, ES_FLOAT32, x, NULL), b = made(&k, ES_FLOAT32, y, NULL), out;
    es_str s = {0};
    if (es_torch_einsum(&k, &out, equation, &a, &b, &err))
        es_shape_show(&s, &out.shape);
    else
        es_str_add(&s, "%s", err.torch);
    ck_assert_str_eq(s.s, want);
    es_str_free(&s);
    es_error_free(&err);
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&out);
    close_torch(&k);
}

START_TEST(letters_carry_names_and_refuse_in_pytorchs_words)
{
    es_shape x = es_shape_3d("B", 2, "T", 5, "C", 8), w = es_shape_2d("V", 50, "C", 8);
    check_letters("btc,vc->btv", x, w, "[B=2, T=5, V=50]");
    check_letters("...c,vc->...v", x, w, "[B=2, T=5, V=50]");
    check_letters("...c,vc", x, w, "[B=2, T=5, V=50]");
    check_letters("btc, vc -> vb", x, w, "[V=50, B=2]");
    check_letters("btc,bv->tv", x, w,
                  "einsum(): subscript b has size 50 for operand 1 which does not broadcast with "
                  "previously seen size 2");
    check_letters(
        "bt,vc->bv", x, w,
        "einsum(): the number of subscripts in the equation (2) does not match the number "
        "of dimensions (3) for operand 0 and no ellipsis was given");
    check_letters(
        "btc,vc->btz", x, w,
        "einsum(): output subscript z does not appear in the equation for any input operand");
    check_letters("btc,vc->bb", x, w,
                  "einsum(): output subscript b appears more than once in the output");
    check_letters("btc->b", x, w,
                  "einsum(): more operands were provided than specified in the equation");
    check_letters("btc,vc,x->b", x, w,
                  "einsum(): fewer operands were provided than specified in the equation");
    check_letters("b1c,vc->b", x, w,
                  "einsum(): invalid subscript given at index 1 in the equation string, subscripts "
                  "must be in [a-zA-Z]");
}
END_TEST

/* ---- one operand ---- */

static double applied_to_one(es_unary_op op, double x, bool floating)
{
    switch (op) {
    case ES_U_NEG: return -x;
    case ES_U_INVERT: return -x - 1;
    case ES_U_LOGICAL_NOT: return x == 0;
    case ES_U_ABS: return fabs(x);
    case ES_U_SIGN: return isnan(x) ? 0 : x > 0 ? 1 : x < 0 ? -1 : 0;
    case ES_U_EXP: return exp(x);
    case ES_U_LOG: return log(x);
    case ES_U_LOG2: return log(x) / log(2);
    case ES_U_LOG10: return log(x) / log(10);
    case ES_U_LOG1P: return log1p(x);
    case ES_U_SQRT: return sqrt(x);
    case ES_U_RSQRT: return pow(x, -0.5) + (x < 0 ? NAN : 0);
    case ES_U_SIN: return sin(x);
    case ES_U_COS: return cos(x);
    case ES_U_TAN: return sin(x) / cos(x);
    case ES_U_TANH: return tanh(x);
    case ES_U_SIGMOID: return 0.5 + 0.5 * tanh(x / 2);
    case ES_U_ERF: return 1 - erfc(x);
    case ES_U_SILU:
        return isinf(x) ? fmax(x, 0) + (x < 0 ? NAN : 0) : x * (0.5 + 0.5 * tanh(x / 2));
    case ES_U_GELU: return isinf(x) ? fmax(x, 0) + (x < 0 ? NAN : 0) : x * 0.5 * erfc(-x / sqrt(2));
    case ES_U_GELU_TANH:
        return isinf(x) ? fmax(x, 0) + (x < 0 ? NAN : 0)
                        : x / (1 + exp(-2 * sqrt(2 / M_PI) * (x + 0.044715 * pow(x, 3))));
    case ES_U_RECIPROCAL: return 1 / x;
    case ES_U_RELU: return isnan(x) ? x : fmax(x, 0);
    case ES_U_FLOOR: return floor(x);
    case ES_U_CEIL: return ceil(x);
    case ES_U_ROUND: return rint(x);
    case ES_U_TRUNC: return trunc(x);
    case ES_U_ISNAN: return floating && isnan(x);
    case ES_U_ISINF: return floating && isinf(x);
    default: return !floating || isfinite(x);
    }
}

static bool is_refused(es_unary_op op, es_dtype dtype)
{
    if (op == ES_U_INVERT)
        return is_float(dtype) || dtype == ES_BOOL; /* the judge knows no bools */
    if (op == ES_U_GELU || op == ES_U_GELU_TANH || op == ES_U_SILU)
        return !is_float(dtype);
    bool no_bool = op == ES_U_NEG || op == ES_U_ABS || (op >= ES_U_RELU && op <= ES_U_TRUNC);
    return dtype == ES_BOOL && no_bool;
}

static void check_unary(es_torch *k, es_unary_op op, es_dtype dtype, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = random_shape(state, 4);
    es_tensor x = random_operand(k, dtype, &shape, false, state), out;
    ck_assert_works(es_torch_unary(k, &out, op, &x, &err), err);
    bool floating = op >= ES_U_EXP && op <= ES_U_RECIPROCAL;
    es_dtype as = floating && !is_float(dtype) ? ES_FLOAT32 : dtype;
    bool tests = op == ES_U_LOGICAL_NOT || op >= ES_U_ISNAN;
    demand(out.dtype == (tests ? ES_BOOL : as), "op %d: %s", op, es_dtype_name(out.dtype));
    demand(es_shape_equal(&out.shape, &shape), "the shape");
    for (int64_t i = 0; i < es_shape_count(&shape); i++) {
        double v = es_torch_get_float(&x, i), want = applied_to_one(op, v, is_float(dtype)),
               have = es_torch_get_float(&out, i);
        demand(near(have, want, as), "op %d of %s %.17g: %.17g, not %.17g", op,
               es_dtype_name(dtype), v, have, want);
    }
    es_tensor_free(&x);
    es_tensor_free(&out);
}

START_TEST(functions_of_one_element_do_what_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 3;
    for (int round = 0; round < thoroughness(20, 1); round++)
        for (int op = 0; op < ES_N_UNARY_OPS; op++)
            for (int d = 0; d < ES_N_DTYPES; d++)
                if (!is_refused((es_unary_op)op, (es_dtype)d))
                    check_unary(&k, (es_unary_op)op, (es_dtype)d, &state);
    close_torch(&k);
}
END_TEST

/* ---- choosing ---- */

static void check_where(es_torch *k, es_dtype dx, es_dtype dy, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = random_shape(state, 3), s[3] = {shape, shape, shape};
    for (int d = 0; d < shape.ndim; d++)
        if (random_below(state, 2))
            s[random_below(state, 3)].dim[d] = 1;
    es_tensor c = random_operand(k, ES_BOOL, &s[0], true, state),
              x = random_operand(k, dx, &s[1], false, state),
              y = random_operand(k, dy, &s[2], false, state), chosen, filled, kept;
    es_dtype as = es_torch_promote(&x, &y);
    ck_assert_works(es_torch_where(k, &chosen, &c, &x, &y, &err), err);
    demand(chosen.dtype == as, "the dtype");
    for (int64_t i = 0; i < es_shape_count(&shape); i++) {
        const es_tensor *from = es_torch_get_int(&c, source(&c, &shape, i)) ? &x : &y;
        demand(near(es_torch_get_float(&chosen, i),
                    es_torch_get_float(from, source(from, &shape, i)), as),
               "where");
    }
    es_tensor seven;
    ck_assert(es_torch_int(k, &seven, 7, NULL));
    ck_assert_works(es_torch_masked_fill(k, &filled, &x, &c, &seven, &err), err);
    demand(filled.dtype == dx, "the dtype");
    for (int64_t i = 0; i < es_shape_count(&filled.shape); i++) {
        double want = es_torch_get_int(&c, source(&c, &filled.shape, i))
                          ? (dx == ES_BOOL ? 1 : 7)
                          : es_torch_get_float(&x, source(&x, &filled.shape, i));
        demand(near(es_torch_get_float(&filled, i), want, dx), "masked_fill");
    }
    if (dx != ES_BOOL || dy != ES_BOOL) {
        ck_assert_works(es_torch_clamp(k, &kept, &x, &y, &seven, &err), err);
        for (int64_t i = 0; i < es_shape_count(&kept.shape); i++) {
            double v = es_torch_get_float(&x, source(&x, &kept.shape, i)),
                   low = es_torch_get_float(&y, source(&y, &kept.shape, i));
            double want = isnan(v) || isnan(low) ? (double)NAN : fmin(fmax(v, low), 7);
            demand(near(es_torch_get_float(&kept, i), want, kept.dtype), "clamp");
        }
        es_tensor_free(&kept);
    }
    es_tensor_free(&c);
    es_tensor_free(&x);
    es_tensor_free(&y);
    es_tensor_free(&seven);
    es_tensor_free(&chosen);
    es_tensor_free(&filled);
}

START_TEST(where_masked_fill_and_clamp_choose_as_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 4;
    for (int round = 0; round < thoroughness(20, 1); round++)
        for (int d = 0; d < ES_N_DTYPES * ES_N_DTYPES; d++)
            check_where(&k, (es_dtype)(d / ES_N_DTYPES), (es_dtype)(d % ES_N_DTYPES), &state);
    close_torch(&k);
}
END_TEST

/* ---- reductions ---- */

/* The elements of x that fold into place o of the result, in row-major order; how many. */
static int64_t folding(const es_tensor *x, const es_over *over, int64_t o, double *value)
{
    int64_t n = 0;
    for (int64_t i = 0; i < es_shape_count(&x->shape); i++) {
        int64_t rest = i, place = 0, step = 1;
        for (int d = x->shape.ndim - 1; d >= 0; d--) {
            int64_t at = rest % x->shape.dim[d];
            rest /= x->shape.dim[d];
            bool goes = false;
            for (int a = 0; a < over->n; a++)
                goes = goes || over->axis[a] == d;
            place += goes ? 0 : at * step;
            step *= goes ? 1 : x->shape.dim[d];
        }
        if (place == o)
            value[n++] = es_torch_get_float(x, i);
    }
    return n;
}

static double best_of(const double *v, int64_t n, double sign, bool place)
{
    int64_t best = 0;
    for (int64_t i = 1; i < n && !isnan(v[best]); i++)
        if (isnan(v[i]) || sign * v[i] > sign * v[best])
            best = i;
    return place ? (double)best : v[best];
}

static double folded(es_reduction op, const double *v, int64_t n, double p)
{
    double sum = 0, product = 1, count = 0, exps = 0, spread = 0, powers = 0, most = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += v[i];
        product *= v[i];
        count += v[i] != 0;
        exps += exp(v[i]);
        powers += pow(fabs(v[i]), p);
        most = isnan(v[i]) || isnan(most) ? (double)NAN : fmax(most, fabs(v[i]));
    }
    for (int64_t i = 0; i < n; i++)
        spread += pow(v[i] - sum / (double)n, 2);
    spread /= (double)n - p > 0 ? (double)n - p : 0;
    switch (op) {
    case ES_R_SUM: return sum;
    case ES_R_PROD: return product;
    case ES_R_MEAN: return sum / (double)n;
    case ES_R_MAX: return best_of(v, n, 1, false);
    case ES_R_MIN: return best_of(v, n, -1, false);
    case ES_R_ARGMAX: return best_of(v, n, 1, true);
    case ES_R_ARGMIN: return best_of(v, n, -1, true);
    case ES_R_ALL: return count == (double)n;
    case ES_R_ANY: return count > 0;
    case ES_R_COUNT_NONZERO: return count;
    case ES_R_LOGSUMEXP: return log(exps);
    case ES_R_VAR: return spread;
    case ES_R_STD: return sqrt(spread);
    default: return isinf(p) ? most : p == 0 ? count : pow(powers, 1 / p);
    }
}

static void check_reduce(es_torch *k, es_reduction op, es_dtype dtype, uint64_t *state)
{
    static const double ps[] = {2, 1, 0, 3, INFINITY};
    es_error err = ES_ERROR_NONE;
    es_shape shape = random_shape(state, 4);
    es_over over = {.name = "it", .keepdim = random_below(state, 2)};
    over.p = op == ES_R_NORM ? ps[random_below(state, 5)] : (double)random_below(state, 2);
    for (int d = 0; d < shape.ndim; d++)
        if (random_below(state, 2))
            over.axis[over.n++] = d;
    es_tensor x = random_operand(k, dtype, &shape, false, state), out;
    bool choosing = (op >= ES_R_MAX && op <= ES_R_ARGMIN) || (op == ES_R_NORM && isinf(over.p));
    double value[625];
    if (choosing && es_shape_count(&shape) == 0) {
        es_tensor_free(&x);
        return;
    }
    ck_assert_works(es_torch_reduce(k, &out, op, &x, &over, &err), err);
    demand(out.shape.ndim == shape.ndim - (over.keepdim ? 0 : over.n), "the rank");
    for (int64_t o = 0; o < es_shape_count(&out.shape); o++) {
        int64_t n = folding(&x, &over, o, value);
        double want = folded(op, value, n, over.p), have = es_torch_get_float(&out, o);
        demand(near(have, want, ES_FLOAT32) || fabs(want) > 1e15,
               "reduction %d (p = %g) of %d of %s: %.17g, not %.17g", op, over.p, (int)n,
               es_dtype_name(dtype), have, want);
    }
    es_tensor_free(&x);
    es_tensor_free(&out);
}

START_TEST(reductions_do_what_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 5;
    for (int round = 0; round < thoroughness(30, 2); round++)
        for (int op = 0; op < ES_N_REDUCTIONS; op++)
            for (int d = 0; d < ES_N_DTYPES; d++)
                if (is_float((es_dtype)d) || (op != ES_R_MEAN && op < ES_R_LOGSUMEXP))
                    check_reduce(&k, (es_reduction)op, (es_dtype)d, &state);
    close_torch(&k);
}
END_TEST

START_TEST(long_reductions_keep_their_digits)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    es_tensor x = made(&k, ES_FLOAT32, sizes(2, 300000, 3), NULL), out, index;
    for (int64_t i = 0; i < 900000; i++)
        ((float *)x.buf->mem)[i] = i == 600001 ? 2.0f : 0.1f;
    es_over rows = {.name = "sum", .n = 1},
            all = {.name = "mean", .n = 2, .axis = {0, 1}, .all = true};
    ck_assert_works(es_torch_reduce(&k, &out, ES_R_SUM, &x, &rows, &err), err);
    ck_assert_float_eq_tol(es_torch_get_float(&out, 0), 300000 * (double)0.1f, 1e-2);
    es_tensor_free(&out);
    ck_assert_works(es_torch_reduce(&k, &out, ES_R_MEAN, &x, &all, &err), err);
    ck_assert_double_eq_tol(es_torch_get_float(&out, 0), 0.1 + 1.9 / 900000, 1e-7);
    es_tensor_free(&out);
    ck_assert_works(es_torch_extreme(&k, &out, &index, true, &x, &rows, &err), err);
    ck_assert_int_eq(es_torch_get_int(&index, 1), 200000);
    ck_assert_int_eq(es_torch_get_int(&index, 2), 0);
    es_tensor_free(&out);
    es_tensor_free(&index);
    es_tensor_free(&x);
    close_torch(&k);
}
END_TEST

START_TEST(reductions_refuse_in_pytorchs_words)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_tensor i = made(&k, ES_INT64, sizes(1, 2), NULL),
              e = made(&k, ES_FLOAT32, sizes(2, 3, 0), NULL), out;
    es_over over = {.name = "mean", .n = 1, .all = true},
            last = {.name = "amax", .n = 1, .axis = {1}},
            all = {.name = "max", .n = 2, .axis = {0, 1}, .all = true};
    ck_assert_refuses(es_torch_reduce(&k, &out, ES_R_MEAN, &i, &over, &err), err, ES_ERR_DTYPE,
                      "the mean of int64 is not defined; it needs floats",
                      "mean(): could not infer output dtype. Input dtype must be either a floating "
                      "point or complex dtype. Got: Long");
    ck_assert_refuses(es_torch_reduce(&k, &out, ES_R_MAX, &e, &last, &err), err, ES_ERR_VALUE,
                      "axis -1 is empty: it has no amax",
                      "amax(): Expected reduction dim 1 to have non-zero size.");
    ck_assert_refuses(es_torch_reduce(&k, &out, ES_R_MAX, &e, &all, &err), err, ES_ERR_VALUE,
                      "the tensor is empty: it has no max",
                      "max(): Expected reduction dim to be specified for input.numel() == 0. "
                      "Specify the reduction dim with the 'dim' argument.");
    ck_assert_refuses(es_torch_softmax(&k, &out, false, &i, 0, &err), err, ES_ERR_DTYPE,
                      "softmax is for floats, and this is int64",
                      "\"softmax_lastdim_kernel_impl\" not implemented for 'Long'");
    ck_assert_int_eq(es_torch_reduce(&k, &out, ES_R_ARGMAX, &i, &over, &err), true);
    es_tensor_free(&out);
    es_tensor_free(&i);
    es_tensor_free(&e);
    close_torch(&k);
}
END_TEST

/* ---- along an axis ---- */

static void check_along(es_torch *k, es_dtype dtype, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = random_shape(state, 3);
    int axis = shape.ndim ? (int)random_below(state, (uint32_t)shape.ndim) : 0;
    es_tensor x = random_operand(k, dtype, &shape, true, state), soft[2] = {0}, run[2];
    int64_t n = shape.ndim ? shape.dim[axis] : 1, step = 1;
    for (int d = axis + 1; d < shape.ndim; d++)
        step *= shape.dim[d];
    for (int i = 0; i < 2; i++) {
        ck_assert_works(es_torch_cumulate(k, &run[i], i == 1, &x, axis, &err), err);
        if (is_float(dtype))
            ck_assert_works(es_torch_softmax(k, &soft[i], i == 1, &x, axis, &err), err);
    }
    for (int64_t i = 0; i < es_shape_count(&shape); i++) {
        int64_t place = i / step % n;
        double sum = 0, product = 1, exps = 0;
        for (int64_t j = 0; j < n; j++) {
            double v = es_torch_get_float(&x, i + (j - place) * step);
            exps += exp(v);
            sum += j <= place ? v : 0;
            product *= j <= place ? v : 1;
        }
        demand(near(es_torch_get_float(&run[0], i), sum, dtype), "cumsum");
        demand(near(es_torch_get_float(&run[1], i), product, dtype), "cumprod");
        double v = es_torch_get_float(&x, i);
        demand(!is_float(dtype) || near(es_torch_get_float(&soft[0], i), exp(v) / exps, dtype),
               "softmax");
        demand(!is_float(dtype) || near(es_torch_get_float(&soft[1], i), v - log(exps), dtype),
               "log_softmax");
    }
    for (int i = 0; i < 2; i++) {
        es_tensor_free(&run[i]);
        es_tensor_free(&soft[i]);
    }
    es_tensor_free(&x);
}

START_TEST(softmax_and_cumulative_sums_do_what_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 6;
    for (int round = 0; round < thoroughness(100, 5); round++)
        for (int d = 0; d < ES_N_DTYPES; d++)
            check_along(&k, (es_dtype)d, &state);
    close_torch(&k);
}
END_TEST

/* ---- likeness ---- */

START_TEST(cosines_distances_and_normal_forms_do_what_a_plain_loop_does)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    uint64_t state = 7;
    for (int round = 0; round < thoroughness(200, 10); round++) {
        es_dtype dtype = round % 2 ? ES_FLOAT32 : ES_FLOAT64;
        es_shape sx = sizes(2, 4, 5), sy = sizes(2, 3, 5), sw = sizes(1, 5);
        es_tensor x = random_operand(&k, dtype, &sx, true, &state),
                  y = random_operand(&k, dtype, &sy, true, &state),
                  w = random_operand(&k, dtype, &sw, true, &state), cosine, length, normal, far;
        ck_assert_works(es_torch_cosine(&k, &cosine, &x, &w, -1, 1e-8, &err), err);
        ck_assert_works(es_torch_normalize(&k, &length, &x, 2, 1, 1e-12, &err), err);
        ck_assert_works(es_torch_layer_norm(&k, &normal, &x, &sw, &w, &w, 1e-5, &err), err);
        ck_assert_works(es_torch_cdist(&k, &far, &x, &y, 2, &err), err);
        for (int r = 0; r < 4; r++) {
            double xx = 0, ww = 0, xw = 0, mean = 0, var = 0;
            for (int c = 0; c < 5; c++) {
                double a = es_torch_get_float(&x, r * 5 + c), b = es_torch_get_float(&w, c);
                xx += a * a;
                ww += b * b;
                xw += a * b;
                mean += a / 5;
            }
            for (int c = 0; c < 5; c++)
                var += pow(es_torch_get_float(&x, r * 5 + c) - mean, 2) / 5;
            double want = xw / fmax(sqrt(xx), 1e-8) / fmax(sqrt(ww), 1e-8);
            demand(near(es_torch_get_float(&cosine, r), want, dtype), "cosine");
            for (int c = 0; c < 5; c++) {
                double a = es_torch_get_float(&x, r * 5 + c), b = es_torch_get_float(&w, c);
                demand(
                    near(es_torch_get_float(&length, r * 5 + c), a / fmax(sqrt(xx), 1e-12), dtype),
                    "normalize");
                demand(near(es_torch_get_float(&normal, r * 5 + c),
                            (a - mean) / sqrt(var + 1e-5) * b + b, dtype),
                       "layer_norm");
            }
            for (int s = 0; s < 3; s++) {
                double d = 0;
                for (int c = 0; c < 5; c++)
                    d += pow(es_torch_get_float(&x, r * 5 + c) - es_torch_get_float(&y, s * 5 + c),
                             2);
                demand(near(es_torch_get_float(&far, r * 3 + s), sqrt(d), dtype), "cdist");
            }
        }
        es_tensor *all[] = {&x, &y, &w, &cosine, &length, &normal, &far};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            es_tensor_free(all[i]);
    }
    close_torch(&k);
}
END_TEST

START_TEST(a_vector_has_no_axis_1_and_zeros_have_no_direction)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_tensor zero = made(&k, ES_FLOAT32, sizes(1, 8), NULL),
              i = made(&k, ES_INT64, sizes(1, 8), NULL), out;
    ck_assert_refuses(es_torch_cosine(&k, &out, &zero, &zero, 1, 1e-8, &err), err, ES_ERR_DIM_RANGE,
                      "there is no axis 1 in a tensor of 1 axes",
                      "Dimension out of range (expected to be in range of [-1, 0], but got 1)");
    ck_assert_refuses(es_torch_cosine(&k, &out, &i, &i, 0, 1e-8, &err), err, ES_ERR_DTYPE,
                      "cosine_similarity is for floats, and this is int64",
                      "expected common dtype to be floating point, yet common dtype is Long");
    ck_assert_works(es_torch_cosine(&k, &out, &zero, &zero, 0, 1e-8, &err), err);
    ck_assert_int_eq(out.shape.ndim, 0);
    ck_assert_double_eq(es_torch_get_float(&out, 0), 0);
    es_tensor_free(&out);
    es_tensor_free(&zero);
    es_tensor_free(&i);
    close_torch(&k);
}
END_TEST

/* ---- directions ---- */

static void check_svd(es_torch *k, int n, int m, int rank, es_dtype dtype, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = sizes(2, n, m);
    es_tensor x = random_operand(k, dtype, &shape, true, state), u, s, v;
    int r = n < m ? n : m;
    for (int i = rank; i < n; i++) /* rows that are others again */
        for (int c = 0; c < m; c++)
            store(&x, x.offset + i * x.stride[0] + c * x.stride[1],
                  es_torch_get_float(&x, (int64_t)(i % rank) * m + c));
    ck_assert_works(es_torch_svd(k, &u, &s, &v, &x, &err), err);
    double tolerance = dtype == ES_FLOAT32 ? 1e-5 : 1e-12;
    for (int a = 0; a < r; a++) {
        demand(a == 0 || es_torch_get_float(&s, a) <= es_torch_get_float(&s, a - 1) + tolerance,
               "the order");
        for (int b = 0; b < r; b++) {
            double uu = 0, vv = 0;
            for (int i = 0; i < n; i++)
                uu += es_torch_get_float(&u, i * r + a) * es_torch_get_float(&u, i * r + b);
            for (int i = 0; i < m; i++)
                vv += es_torch_get_float(&v, i * r + a) * es_torch_get_float(&v, i * r + b);
            demand(fabs(uu - (a == b)) < tolerance, "U of %d x %d: %g at %d, %d", n, m, uu, a, b);
            demand(fabs(vv - (a == b)) < tolerance, "V of %d x %d: %g at %d, %d", n, m, vv, a, b);
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int c = 0; c < r; c++)
                sum += es_torch_get_float(&u, i * r + c) * es_torch_get_float(&s, c) *
                       es_torch_get_float(&v, j * r + c);
            demand(fabs(sum - es_torch_get_float(&x, i * m + j)) < 10 * tolerance,
                   "U S V at %d, %d", i, j);
        }
    es_tensor *all[] = {&x, &u, &s, &v};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
}

START_TEST(svd_gives_the_matrix_back_from_right_angles)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    uint64_t state = 11;
    static const int size[][3] = {{1, 1, 1},   {2, 3, 2}, {5, 8, 5},  {8, 5, 8},
                                  {20, 4, 20}, {6, 9, 2}, {12, 7, 3}, {30, 30, 30}};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int d = 0; d < 2; d++)
            check_svd(&k, size[i][0], size[i][1], size[i][2], (es_dtype)d, &state);
    close_torch(&k);
}
END_TEST

START_TEST(pca_finds_the_line_that_points_lie_on)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    double points[40];
    for (int i = 0; i < 10; i++) /* along (3, 0, 4, 0) / 5, away from 0 */
        for (int c = 0; c < 4; c++)
            points[i * 4 + c] = 7 +
                                (i - 4.5) * (c == 0   ? 0.6
                                             : c == 2 ? 0.8
                                                      : 0) +
                                (c == 1 ? 0.01 * (i % 2) : 0);
    for (int wide = 0; wide < 2; wide++) {
        es_tensor x = made(&k, ES_FLOAT32, wide ? sizes(2, 3, 4) : sizes(2, 10, 4), points), scores,
                  components, explained;
        ck_assert_works(es_torch_pca(&k, &scores, &components, &explained, &x, 2, &err), err);
        ck_assert_double_eq_tol(es_torch_get_float(&components, 0), 0.6, 1e-3);
        ck_assert_double_eq_tol(es_torch_get_float(&components, 2), 0.8, 1e-3);
        ck_assert_double_eq_tol(es_torch_get_float(&scores, 0), wide ? -1 : -4.5, 1e-3);
        ck_assert_double_ge(es_torch_get_float(&explained, 0), 0.999);
        es_tensor *all[] = {&x, &scores, &components, &explained};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            es_tensor_free(all[i]);
    }
    es_tensor x = made(&k, ES_FLOAT32, sizes(2, 3, 4), NULL), t[3];
    ck_assert_fails(es_torch_pca(&k, &t[0], &t[1], &t[2], &x, 4, &err), err, ES_ERR_RANGE,
                    "4 components of a table of 3 rows and 4 columns: 1 to 3 are there");
    es_tensor_free(&x);
    x = made(&k, ES_FLOAT32, sizes(1, 1), (const double[]){NAN});
    ck_assert(!es_torch_svd(&k, &t[0], &t[1], &t[2], &x, &err));
    ck_assert_int_eq(err.code, ES_ERR_DIM_RANGE);
    es_error_free(&err);
    x.shape = sizes(2, 1, 1);
    ck_assert_fails(es_torch_svd(&k, &t[0], &t[1], &t[2], &x, &err), err, ES_ERR_VALUE,
                    "a number of this matrix is not finite");
    es_tensor_free(&x);
    close_torch(&k);
}
END_TEST

/* ---- losses ---- */

START_TEST(cross_entropy_is_minus_the_logarithm_of_the_targets_share)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    uint64_t state = 10;
    const double classes[] = {3, 0, -100, 1, 4, 2};
    es_shape shape = sizes(3, 2, 5, 3);
    es_tensor x = random_operand(&k, ES_FLOAT32, &shape, true, &state),
              y = made(&k, ES_INT64, sizes(2, 2, 3), classes), each, sum, mean;
    ck_assert_works(es_torch_cross_entropy(&k, &each, &x, &y, -100, ES_EACH, &err), err);
    ck_assert_works(es_torch_cross_entropy(&k, &sum, &x, &y, -100, ES_SUM_OF_ALL, &err), err);
    ck_assert_works(es_torch_cross_entropy(&k, &mean, &x, &y, -100, ES_MEAN_OF_ALL, &err), err);
    double total = 0;
    for (int i = 0; i < 6; i++) {
        double exps = 0;
        for (int c = 0; c < 5; c++)
            exps += exp(es_torch_get_float(&x, (i / 3 * 5 + c) * 3 + i % 3));
        double loss =
            i == 2 ? 0
                   : log(exps) - es_torch_get_float(&x, (i / 3 * 5 + (int)classes[i]) * 3 + i % 3);
        total += loss;
        demand(near(es_torch_get_float(&each, i), loss, ES_FLOAT32), "place %d", i);
    }
    ck_assert(near(es_torch_get_float(&sum, 0), total, ES_FLOAT32));
    ck_assert(near(es_torch_get_float(&mean, 0), total / 5, ES_FLOAT32));
    es_tensor *all[] = {&x, &y, &each, &sum, &mean};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
    close_torch(&k);
}
END_TEST

START_TEST(cross_entropy_says_what_does_not_fit)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    const double classes[] = {0, 5};
    es_tensor x = made(&k, ES_FLOAT32, es_shape_3d("B", 2, "T", 5, "V", 50), NULL),
              y = made(&k, ES_INT64, es_shape_2d("B", 2, "T", 5), NULL),
              scores = made(&k, ES_FLOAT32, sizes(2, 2, 5), NULL),
              two = made(&k, ES_INT64, sizes(1, 2), classes), out;
    ck_assert_refuses(
        es_torch_cross_entropy(&k, &out, &x, &y, -100, ES_EACH, &err), err, ES_ERR_BROADCAST,
        "scores [B=2, T=5, V=50] have their classes on axis 1, so targets are [2, 50] "
        "and not [B=2, T=5]",
        "Expected target size [2, 50], got [2, 5]");
    ck_assert_refuses(es_torch_cross_entropy(&k, &out, &scores, &two, -100, ES_EACH, &err), err,
                      ES_ERR_INDEX_RANGE, "target 5 is none of the 5 classes (0..4)",
                      "Target 5 is out of bounds.");
    ck_assert_refuses(es_torch_cross_entropy(&k, &out, &scores, &x, -100, ES_EACH, &err), err,
                      ES_ERR_DTYPE,
                      "targets are the numbers of classes, int64, and these are float32",
                      "expected scalar type Long but found Float");
    es_tensor *all[] = {&x, &y, &scores, &two};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
    close_torch(&k);
}
END_TEST

/* ---- writing into tensors that are there ---- */

START_TEST(what_is_written_is_cast_stretched_and_seen_by_all_views)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    const double rows[] = {0, 1, 2, 3, 4, 5}, three[] = {7.5, 8.5, 9.5};
    es_tensor x = made(&k, ES_INT64, sizes(2, 2, 3), rows),
              y = made(&k, ES_FLOAT32, sizes(3, 1, 1, 3), three), row, turned, wide;
    ck_assert(es_tensor_slice(&row, &x, 0, 1, 2, NULL));
    ck_assert_works(es_torch_assign(&k, &row, &y, false, &err), err);
    ck_assert_int_eq(es_torch_get_int(&x, 2), 2);
    ck_assert_int_eq(es_torch_get_int(&x, 3), 7);
    ck_assert_int_eq(es_torch_get_int(&x, 5), 9);
    ck_assert_refuses(es_torch_assign(&k, &x, &y, true, &err), err, ES_ERR_DTYPE,
                      "the result is float32, and does not go into a tensor of int64",
                      "result type Float can't be cast to the desired output type Long");
    es_shape big = sizes(2, 4, 3);
    es_tensor z = made(&k, ES_INT64, sizes(2, 4, 3), NULL);
    ck_assert_refuses(es_torch_assign(&k, &x, &z, true, &err), err, ES_ERR_BROADCAST,
                      "[4, 3] does not stretch to [2, 3], where it is to be written",
                      "output with shape [2, 3] doesn't match the broadcast shape [4, 3]");
    ck_assert(es_tensor_expand(&wide, &row, &big, NULL));
    ck_assert(!es_torch_assign(&k, &wide, &z, false, &err));
    ck_assert_int_eq(err.code, ES_ERR_EXPAND);
    es_error_free(&err);
    es_tensor square = made(&k, ES_INT64, sizes(2, 2, 2), rows);
    ck_assert(es_tensor_transpose(&turned, &square, 0, 1, NULL));
    ck_assert_works(es_torch_assign(&k, &square, &turned, false, &err), err); /* its own memory */
    ck_assert_int_eq(es_torch_get_int(&square, 1), 2);
    ck_assert_int_eq(es_torch_get_int(&square, 2), 1);
    es_tensor *all[] = {&x, &y, &row, &turned, &wide, &z, &square};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
    close_torch(&k);
}
END_TEST

static float lent[3] = {1, 2, 3};
static bool lend(es_buffer *buf, es_error *err)
{
    (void)err;
    buf->mem = lent;
    return true;
}
static void give_back(es_buffer *buf)
{
    buf->mem = NULL;
}

START_TEST(memory_that_was_lent_is_not_written_to)
{
    es_torch k = open_torch(es_backend_at(_i)->device);
    es_error err = ES_ERROR_NONE;
    es_late late = {.make = lend, .forget = give_back};
    es_tensor x = {.dtype = ES_FLOAT32, .shape = sizes(1, 3), .stride = {1}}, nine, view;
    x.buf = es_buffer_later(k.be, sizeof lent, false, late);
    es_tensor_view(&view, &x);
    ck_assert(es_torch_float(&k, &nine, 9, NULL));
    ck_assert_works(es_torch_assign(&k, &x, &nine, false, &err), err);
    ck_assert_double_eq(es_torch_get_float(&view, 2), 9);
    ck_assert_float_eq(lent[2], 3);
    es_tensor_free(&x);
    es_tensor_free(&view);
    es_tensor_free(&nine);
    close_torch(&k);
}
END_TEST

/* ---- memory that the host cannot read, stopping, no memory at all ---- */

/* The reference backend's, hidden: whoever reads it as the host's would read the wrong numbers. */
static es_torch open_far(es_backend_ops *ops)
{
    es_torch k = open_torch("sim");
    *ops = *k.be->ops;
    ops->host_memory = false;
    k.be->ops = ops;
    return k;
}

START_TEST(memory_that_is_not_the_hosts_is_read_and_written_by_its_backend)
{
    es_backend_ops ops;
    es_torch k = open_far(&ops);
    es_error err = ES_ERROR_NONE;
    es_shape shape = sizes(2, 3, 4);
    uint64_t state = 8;
    es_tensor t[16];
    int n = 0;
    random_tensor(&t[n++], k.be, &shape, &state);
    ck_assert_works(es_torch_unary(&k, &t[n++], ES_U_LOG1P, &t[0], &err), err);
    ck_assert_works(es_torch_unary(&k, &t[n++], ES_U_EXP, &t[0], &err), err);
    ck_assert_works(es_torch_binary(&k, &t[n++], ES_B_MOD, &t[0], &t[2], &err), err);
    ck_assert_works(es_torch_binary(&k, &t[n++], ES_B_LT, &t[0], &t[2], &err), err);
    ck_assert_works(es_torch_to(&k, &t[n++], &t[4], ES_FLOAT32, k.be, &err), err);
    es_over over = {.name = "std", .n = 1, .axis = {1}};
    ck_assert_works(es_torch_reduce(&k, &t[n++], ES_R_STD, &t[0], &over, &err), err);
    ck_assert_works(es_torch_softmax(&k, &t[n++], true, &t[0], 1, &err), err);
    ck_assert_works(es_torch_cosine(&k, &t[n++], &t[0], &t[2], 0, 1e-8, &err), err);
    ck_assert_works(es_torch_where(&k, &t[n++], &t[4], &t[0], &t[2], &err), err);
    ck_assert_works(es_torch_layer_norm(&k, &t[n++], &t[0], &(es_shape){.ndim = 1, .dim = {4}},
                                        NULL, NULL, 1e-5, &err),
                    err);
    for (int i = 0; i < n; i++) {
        ck_assert_ptr_eq(t[i].buf->be, k.be);
        ck_assert_int_eq(t[i].buf->host, t[i].dtype != ES_FLOAT32);
    }
    for (int i = 0; i < 12; i++) {
        double x = es_torch_get_float(&t[0], i);
        ck_assert_double_eq_tol(es_torch_get_float(&t[1], i), log1p(x), 1e-6);
        ck_assert_double_eq_tol(es_torch_get_float(&t[5], i), x < exp(x), 1e-9);
    }
    for (int i = 0; i < n; i++)
        es_tensor_free(&t[i]);
    close_torch(&k);
}
END_TEST

START_TEST(long_work_stops_when_it_is_asked_to)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.cancel = true};
    es_tensor x = made(&k, ES_FLOAT32, sizes(2, 400, 400), NULL), out, index;
    es_over all = {.name = "std", .n = 2, .axis = {0, 1}, .all = true},
            one = {.name = "max", .n = 1};
    k.watch = &watch;
#define STOPS(call)                                                                                \
    ck_assert(!(call));                                                                            \
    ck_assert_int_eq(err.code, ES_ERR_INTERRUPTED);                                                \
    es_error_free(&err)
    STOPS(es_torch_binary(&k, &out, ES_B_ADD, &x, &x, &err));
    STOPS(es_torch_binary(&k, &out, ES_B_MOD, &x, &x, &err));
    STOPS(es_torch_unary(&k, &out, ES_U_GELU, &x, &err));
    STOPS(es_torch_to(&k, &out, &x, ES_INT64, k.be, &err));
    STOPS(es_torch_matmul(&k, &out, &x, &x, &err));
    STOPS(es_torch_reduce(&k, &out, ES_R_STD, &x, &all, &err));
    STOPS(es_torch_reduce(&k, &out, ES_R_SUM, &x, &one, &err));
    STOPS(es_torch_extreme(&k, &out, &index, true, &x, &one, &err));
    STOPS(es_torch_softmax(&k, &out, true, &x, 1, &err));
    STOPS(es_torch_cosine(&k, &out, &x, &x, 0, 1e-8, &err));
    STOPS(es_torch_cdist(&k, &out, &x, &x, 2, &err));
#undef STOPS
    es_tensor_free(&x);
    close_torch(&k);
}
END_TEST

START_TEST(shapes_are_known_without_numbers)
{
    es_torch k = open_torch("cpu");
    es_error err = ES_ERROR_NONE;
    k.shapes_only = true;
    es_tensor x = made(&k, ES_INT64, sizes(2, 50257, 1 << 30), NULL),
              w = made(&k, ES_FLOAT32, sizes(2, 50257, 1 << 30), NULL), out;
    es_over last = {.name = "sum", .n = 1, .axis = {1}, .keepdim = true};
    ck_assert_works(es_torch_binary(&k, &out, ES_B_DIV, &x, &w, &err), err);
    ck_assert(es_torch_meta(&out));
    es_tensor_free(&out);
    ck_assert_works(es_torch_reduce(&k, &out, ES_R_SUM, &x, &last, &err), err);
    ck_assert_int_eq(out.shape.dim[1], 1);
    ck_assert_int_eq(out.dtype, ES_INT64);
    es_tensor_free(&out);
    ck_assert_works(es_torch_cosine(&k, &out, &w, &w, -1, 1e-8, &err), err);
    ck_assert_int_eq(out.shape.ndim, 1);
    es_tensor_free(&out);
    es_tensor_free(&x);
    es_tensor_free(&w);
    close_torch(&k);
}
END_TEST

Suite *torch_numbers_suite(void)
{
    Suite *s = suite_create("torch_numbers");
    TCase *tc = tcase_create("torch_numbers");
    int devices = 0;
    while (es_backend_at(devices) && es_backend_at(devices)->host_memory)
        devices++;
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, dtypes_are_promoted_by_kind_then_by_class_then_by_size);
    tcase_add_loop_test(tc, operators_do_what_a_plain_loop_does, 0, devices);
    tcase_add_test(tc, integers_wrap_and_divide_as_python_does);
    tcase_add_test(tc, operators_refuse_in_pytorchs_words);
    tcase_add_test(tc, shapes_that_do_not_stretch_are_named);
    tcase_add_test(tc, names_meet_keep_and_are_remarked);
    tcase_add_test(tc, two_devices_do_not_mix_but_for_single_numbers);
    tcase_add_test(tc, casts_are_those_of_c_with_its_gaps_filled);
    tcase_add_loop_test(tc, products_do_what_a_plain_loop_does, 0, devices);
    tcase_add_test(tc, products_name_their_axes);
    tcase_add_test(tc, products_that_do_not_fit_say_so_in_pytorchs_words);
    tcase_add_loop_test(tc, functions_of_one_element_do_what_a_plain_loop_does, 0, devices);
    tcase_add_loop_test(tc, where_masked_fill_and_clamp_choose_as_a_plain_loop_does, 0, devices);
    tcase_add_loop_test(tc, reductions_do_what_a_plain_loop_does, 0, devices);
    tcase_add_loop_test(tc, long_reductions_keep_their_digits, 0, devices);
    tcase_add_test(tc, reductions_refuse_in_pytorchs_words);
    tcase_add_loop_test(tc, softmax_and_cumulative_sums_do_what_a_plain_loop_does, 0, devices);
    tcase_add_loop_test(tc, cosines_distances_and_normal_forms_do_what_a_plain_loop_does, 0,
                        devices);
    tcase_add_test(tc, a_vector_has_no_axis_1_and_zeros_have_no_direction);
    tcase_add_test(tc, what_is_written_is_cast_stretched_and_seen_by_all_views);
    tcase_add_loop_test(tc, memory_that_was_lent_is_not_written_to, 0, devices);
    tcase_add_test(tc, memory_that_is_not_the_hosts_is_read_and_written_by_its_backend);
    tcase_add_test(tc, long_work_stops_when_it_is_asked_to);
    tcase_add_test(tc, shapes_are_known_without_numbers);
    tcase_add_loop_test(tc, letters_mean_what_a_plain_loop_does, 0, devices);
    tcase_add_test(tc, letters_carry_names_and_refuse_in_pytorchs_words);
    tcase_add_loop_test(tc, cross_entropy_is_minus_the_logarithm_of_the_targets_share, 0, devices);
    tcase_add_test(tc, cross_entropy_says_what_does_not_fit);
    tcase_add_loop_test(tc, svd_gives_the_matrix_back_from_right_angles, 0, devices);
    tcase_add_loop_test(tc, pca_finds_the_line_that_points_lie_on, 0, devices);
    suite_add_tcase(s, tc);
    return s;
}
