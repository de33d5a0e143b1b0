// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "torch/cast.h"
#include "torch/elementwise.h"
#include "torch/product.h"

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
                      "devices, cpu and sim!");
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

Suite *torch_numbers_suite(void)
{
    Suite *s = suite_create("torch_numbers");
    TCase *tc = tcase_create("torch_numbers");
    int devices = 0;
    while (es_backend_at(devices))
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
    suite_add_tcase(s, tc);
    return s;
}
