// SPDX-License-Identifier: GPL-3.0-or-later
/* Every operation of every backend, and on every OpenCL device there is, against `ref`, on random shapes and strides: axes of
 * size 0 and 1, odd sizes, transposed, sliced and stretched views. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ops.h"
#include "gpu.h"
#include "support.h"

Suite *backends_suite(void);

enum { ROUNDS = 400, SLOW_ROUNDS = 40, MOST = 1 << 14 };

/* What may lie between a result and that of `ref`.  Copies, gather, scatter_add and the k largest: nothing, the bits are
 * equal.  Of sums, in parts of the number, or of 1 if that is more: */
static const double IN_REDUCE = 1e-6, IN_SOFTMAX = 1e-6, IN_MATMUL = 1e-5;

/* Of operations on each number by itself, in units of the last place: what OpenCL 1.2 allows a device (its section 7.4), and
 * one for the functions of the C library, which `ref` calls.  0: the bits are equal. */
static const double in_map[ES_N_MAP_OPS] = {
    [ES_ADD] = 0, [ES_SUB] = 0,  [ES_MUL] = 0, [ES_DIV] = 2.5, [ES_POW] = 17,
    [ES_MAX] = 0, [ES_MIN] = 0,  [ES_NEG] = 0, [ES_ABS] = 0,   [ES_EXP] = 4,
    [ES_LOG] = 4, [ES_SQRT] = 3, [ES_SIN] = 5, [ES_COS] = 5,   [ES_TANH] = 6,
};

static es_backend *ref, *other;
static uint64_t state;

static void setup(void)
{
    state = 99;
}

static void open_both(const char *device)
{
    es_error err = ES_ERROR_NONE;
    ref = es_backend_open("sim", 1, &err);
    ck_assert_works(ref != NULL, err);
    other = es_backend_open(device, 2, &err);
    ck_assert_works(other != NULL, err);
}

static void close_both(void)
{
    ck_assert_uint_eq(ref->in_use, 0);
    ck_assert_uint_eq(other->in_use, 0);
    es_backend_close(ref);
    es_backend_close(other);
}

static void (*comparing)(void);

static void compare_on(const char *device)
{
    state = 99;
    open_both(device);
    comparing();
    close_both();
}

/* On the devices of the i-th backend. */
static void compare(int i, void (*operations)(void))
{
    comparing = operations;
    if (es_backend_at(i)->list)
        each_gpu(compare_on);
    else
        compare_on(es_backend_at(i)->device);
}

/* One tensor twice: the same numbers behind the same view on both backends. */
typedef struct twin {
    es_tensor on_ref, on_other;
} twin;

static void twin_free(twin *t)
{
    es_tensor_free(&t->on_ref);
    es_tensor_free(&t->on_other);
}

/* Both halves through one view function. */
#define BOTH(t, call)                                                                              \
    do {                                                                                           \
        twin next;                                                                                 \
        es_tensor *in = &(t)->on_ref, *out = &next.on_ref;                                         \
        demand(call, "a view");                                                                    \
        in = &(t)->on_other;                                                                       \
        out = &next.on_other;                                                                      \
        ck_assert(call);                                                                           \
        twin_free(t);                                                                              \
        *(t) = next;                                                                               \
    } while (0)

static void fill(twin *t, const es_shape *shape)
{
    uint64_t again = next_random(&state) | 1, same = again;
    random_tensor(&t->on_ref, ref, shape, &again);
    random_tensor(&t->on_other, other, shape, &same);
}

/* A tensor of this shape whose memory is laid out at random: as it stands, with two axes exchanged,
 * or as a slice of something larger. */
static twin random_twin(const es_shape *shape)
{
    twin t;
    es_shape made = *shape;
    int a = shape->ndim ? (int)random_below(&state, (uint32_t)shape->ndim) : 0;
    int b = shape->ndim ? (int)random_below(&state, (uint32_t)shape->ndim) : 0;
    switch (shape->ndim ? random_below(&state, 3) : 0) {
    case 1:
        made.dim[a] = shape->dim[b];
        made.dim[b] = shape->dim[a];
        fill(&t, &made);
        BOTH(&t, es_tensor_transpose(out, in, a, b, NULL));
        break;
    case 2:
        made.dim[a] += 3;
        fill(&t, &made);
        BOTH(&t, es_tensor_slice(out, in, a, 2, 2 + shape->dim[a], NULL));
        break;
    default: fill(&t, &made);
    }
    return t;
}

static es_shape random_shape(int least, int most)
{
    es_shape s = {.ndim = least + (int)random_below(&state, (uint32_t)(most - least + 1))};
    static const int sizes[] = {0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 17, 33};
    int64_t n = 1;
    for (int i = 0; i < s.ndim; i++) {
        s.dim[i] = sizes[random_below(&state, 12)];
        if (n * s.dim[i] > MOST)
            s.dim[i] = 2;
        n *= s.dim[i] ? s.dim[i] : 1;
    }
    return s;
}

/* As `shape`, with some axes of size 1 or missing at the front: it stretches to shape. */
static es_shape shrink(const es_shape *shape)
{
    es_shape s = *shape;
    for (int i = 0; i < s.ndim; i++)
        if (random_below(&state, 4) == 0)
            s.dim[i] = 1;
    if (s.ndim && random_below(&state, 4) == 0) {
        for (int i = 0; i + 1 < s.ndim; i++)
            s.dim[i] = s.dim[i + 1];
        s.ndim--;
    }
    return s;
}

static float *read_all(const es_tensor *t)
{
    int64_t n = es_shape_count(&t->shape);
    float *values = malloc((size_t)(n ? n : 1) * sizeof *values);
    demand(es_tensor_read(t, values, NULL), "tensor_read");
    return values;
}

/* The same bits, or NaN both? */
static bool is_same(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/* One unit of the last place of x, which is finite. */
static double unit_of(float x)
{
    float size = fmaxf(fabsf(x), FLT_MIN);
    return (double)size - (double)nextafterf(size, 0);
}

/* Equal up to so many units of the last place. */
static void check_units(const twin *t, double units, const char *what)
{
    float *want = read_all(&t->on_ref), *got = read_all(&t->on_other);
    for (int64_t i = 0, n = es_shape_count(&t->on_ref.shape); i < n; i++) {
        double far = fabs((double)want[i] - (double)got[i]);
        demand(is_same(want[i], got[i]) ||
                   (units > 0 && isfinite(want[i]) && far <= units * unit_of(want[i])),
               "%s: number %lld is %.9g, should be %.9g", what, (long long)i, (double)got[i],
               (double)want[i]);
    }
    free(want);
    free(got);
}

/* Equal up to `tolerance` times the size of the numbers (at least 1); NaN equals NaN. */
static void check_equal(const twin *t, double tolerance, const char *what)
{
    float *want = read_all(&t->on_ref), *got = read_all(&t->on_other);
    for (int64_t i = 0, n = es_shape_count(&t->on_ref.shape); i < n; i++) {
        if (isnan(want[i]) && isnan(got[i]))
            continue;
        double far = fabs((double)want[i] - (double)got[i]), size = fmax(1, fabs((double)want[i]));
        demand((isinf(want[i]) && want[i] == got[i]) || far <= tolerance * size,
               "%s: number %lld is %.9g, should be %.9g", what, (long long)i, (double)got[i],
               (double)want[i]);
    }
    free(want);
    free(got);
}

static int rounds(void)
{
    return thoroughness(ROUNDS, SLOW_ROUNDS);
}

static void copies(void)
{
    for (int k = 0; k < rounds(); k++) {
        es_shape shape = random_shape(0, 5);
        es_shape small = shrink(&shape);
        twin x = random_twin(&small), out = random_twin(&shape);
        check_units(&x, 0, "read");
        demand(es_copy(&out.on_ref, &x.on_ref, NULL), "copy");
        demand(es_copy(&out.on_other, &x.on_other, NULL), "copy");
        check_units(&out, 0, "copy");
        twin_free(&x);
        twin_free(&out);
    }
}

START_TEST(copies_and_reads_agree)
{
    compare(_i, copies);
}
END_TEST

static void maps(void)
{
    for (int k = 0; k < rounds(); k++) {
        es_map_op op = (es_map_op)(k % ES_N_MAP_OPS);
        bool two = es_map_is_binary(op);
        es_shape sx = random_shape(0, 4), sy = shrink(&sx), so;
        if (!two)
            sy = sx;
        demand(es_broadcast_shape(&so, &sx, &sy, NULL), "broadcast_shape");
        twin x = random_twin(&sx), y = random_twin(&sy), out = random_twin(&so);
        bool swap = two && random_below(&state, 2); /* the small one on either side */
        const twin *a = swap ? &y : &x, *b = swap ? &x : &y;
        demand(es_map(op, &out.on_ref, &a->on_ref, two ? &b->on_ref : NULL, NULL), "map");
        demand(es_map(op, &out.on_other, &a->on_other, two ? &b->on_other : NULL, NULL), "map");
        check_units(&out, in_map[op], "map");
        if (es_shape_equal(&a->on_ref.shape, &so)) { /* in place */
            demand(es_map(op, (es_tensor *)&a->on_other, &a->on_other, two ? &b->on_other : NULL,
                          NULL),
                   "map");
            demand(es_copy(&out.on_other, &a->on_other, NULL), "copy");
            check_units(&out, in_map[op], "map in place");
        }
        twin_free(&x);
        twin_free(&y);
        twin_free(&out);
    }
}

START_TEST(maps_agree)
{
    compare(_i, maps);
}
END_TEST

/* Zeros of both signs, NaN, and numbers at the ends of what there is; no subnormal ones, which a device may take for 0. */
static const float rare[] = {
    0.0f,     -0.0f,   1,        -1,      0.5f,    -0.5f, 2,         -2,       3,         -3,
    2.5f,     -2.5f,   1e-30f,   -1e-30f, 1e30f,   88,    -88,       89,       104,       FLT_MAX,
    -FLT_MAX, FLT_MIN, INFINITY, 1e5f,    33.333f, NAN,   -INFINITY, 16777215, -16777218, 4194305};
enum { N_RARE = sizeof rare / sizeof *rare };

static void write_both(twin *t, const float *values)
{
    demand(es_tensor_write(&t->on_ref, values, NULL), "tensor_write");
    demand(es_tensor_write(&t->on_other, values, NULL), "tensor_write");
}

/* Each of them against each other, dense and in two other layouts. */
static void rare_numbers(void)
{
    const es_shape all = es_shape_2d("", N_RARE, "", N_RARE);
    float left[N_RARE * N_RARE], right[N_RARE * N_RARE];
    for (int i = 0; i < N_RARE * N_RARE; i++) {
        left[i] = rare[i / N_RARE];
        right[i] = rare[i % N_RARE];
    }
    for (int k = 0; k < 3 * ES_N_MAP_OPS; k++) {
        es_map_op op = (es_map_op)(k % ES_N_MAP_OPS);
        bool two = es_map_is_binary(op), dense = k < ES_N_MAP_OPS;
        twin x, y, out = random_twin(&all);
        if (dense) {
            fill(&x, &all);
            fill(&y, &all);
        } else {
            x = random_twin(&all);
            y = random_twin(&all);
        }
        write_both(&x, left);
        write_both(&y, right);
        demand(es_map(op, &out.on_ref, &x.on_ref, two ? &y.on_ref : NULL, NULL), "map");
        demand(es_map(op, &out.on_other, &x.on_other, two ? &y.on_other : NULL, NULL), "map");
        char what[32];
        snprintf(what, sizeof what, "operation %d", (int)op);
        check_units(&out, in_map[op], what);
        twin_free(&x);
        twin_free(&y);
        twin_free(&out);
    }
}

START_TEST(maps_agree_on_zeros_nan_and_infinities)
{
    compare(_i, rare_numbers);
}
END_TEST

static void reductions(void)
{
    for (int k = 0; k < rounds(); k++) {
        es_reduce_op op = (es_reduce_op)(k % ES_N_REDUCE_OPS);
        es_shape sx = random_shape(1, 4), so = sx;
        int axis = (int)random_below(&state, (uint32_t)sx.ndim);
        if ((op == ES_REDUCE_MAX || op == ES_REDUCE_MIN) && sx.dim[axis] == 0)
            sx.dim[axis] = 3;
        so = sx;
        so.dim[axis] = 1;
        twin x = random_twin(&sx), out = random_twin(&so), soft = random_twin(&sx);
        int named = random_below(&state, 2) ? axis : axis - sx.ndim;
        demand(es_reduce(op, &out.on_ref, &x.on_ref, named, NULL), "reduce");
        demand(es_reduce(op, &out.on_other, &x.on_other, named, NULL), "reduce");
        check_equal(&out, IN_REDUCE, "reduce");
        demand(es_softmax(&soft.on_ref, &x.on_ref, named, NULL), "softmax");
        demand(es_softmax(&soft.on_other, &x.on_other, named, NULL), "softmax");
        check_equal(&soft, IN_SOFTMAX, "softmax");
        twin_free(&x);
        twin_free(&out);
        twin_free(&soft);
    }
}

START_TEST(reductions_and_softmax_agree_on_every_axis)
{
    compare(_i, reductions);
}
END_TEST

static void products(void)
{
    for (int k = 0; k < rounds(); k++) {
        es_shape batch = random_shape(0, 2), sx = batch, sy = shrink(&batch), so = batch;
        es_shape mnk = random_shape(3, 3);
        sx.ndim += 2;
        so.ndim += 2;
        sy.ndim += 2;
        sx.dim[sx.ndim - 2] = so.dim[so.ndim - 2] = mnk.dim[0];
        sx.dim[sx.ndim - 1] = sy.dim[sy.ndim - 2] = mnk.dim[2];
        sy.dim[sy.ndim - 1] = so.dim[so.ndim - 1] = mnk.dim[1];
        twin x = random_twin(&sx), y = random_twin(&sy), out = random_twin(&so);
        demand(es_matmul(&out.on_ref, &x.on_ref, &y.on_ref, NULL), "matmul");
        demand(es_matmul(&out.on_other, &x.on_other, &y.on_other, NULL), "matmul");
        check_equal(&out, IN_MATMUL, "matmul");
        twin_free(&x);
        twin_free(&y);
        twin_free(&out);
    }
}

START_TEST(products_agree)
{
    compare(_i, products);
}
END_TEST

static void k_largest(void)
{
    for (int k = 0; k < rounds(); k++) {
        es_shape sx = random_shape(1, 3), sv;
        int last = sx.ndim - 1;
        if (sx.dim[last] == 0)
            sx.dim[last] = 9;
        sv = sx;
        sv.dim[last] = 1 + random_below(&state, (uint32_t)sx.dim[last]);
        twin x = random_twin(&sx), values = random_twin(&sv);
        if (k % 2) { /* few distinct numbers, some of them NaN: many ties */
            float *all = read_all(&x.on_ref);
            for (int64_t i = 0, n = es_shape_count(&sx); i < n; i++)
                all[i] = all[i] > 0.8f ? NAN : roundf(2 * all[i]);
            write_both(&x, all);
            free(all);
        }
        size_t n = (size_t)es_shape_count(&sv);
        int64_t *want = calloc(n + 1, sizeof *want), *got = calloc(n + 1, sizeof *got);
        demand(es_topk(&values.on_ref, want, &x.on_ref, NULL), "topk");
        demand(es_topk(&values.on_other, got, &x.on_other, NULL), "topk");
        check_units(&values, 0, "topk");
        ck_assert_mem_eq(want, got, n * sizeof *want);
        free(want);
        free(got);
        twin_free(&x);
        twin_free(&values);
    }
}

START_TEST(the_k_largest_agree_ties_by_index)
{
    compare(_i, k_largest);
}
END_TEST

static void lookups(void)
{
    for (int k = 0; k < rounds(); k++) {
        int64_t V = 1 + random_below(&state, 40), C = random_below(&state, 20);
        int64_t B = 1 + random_below(&state, 4), T = random_below(&state, 9);
        es_shape sv = es_shape_2d("V", V, "C", C), so = es_shape_3d("B", B, "T", T, "C", C);
        es_shape sa = shrink(&so), sn = es_shape_2d("N", B * T, "C", C);
        twin table = random_twin(&sv), out = random_twin(&so), add = random_twin(&sa),
             rows = random_twin(&sn);
        int32_t ids[64];
        for (int64_t i = 0; i < B * T; i++)
            ids[i] = (int32_t)random_below(&state, (uint32_t)V);
        bool plain = k % 2;
        demand(es_gather(&out.on_ref, &table.on_ref, ids, plain ? NULL : &add.on_ref, NULL),
               "gather");
        demand(es_gather(&out.on_other, &table.on_other, ids, plain ? NULL : &add.on_other, NULL),
               "gather");
        check_units(&out, 0, "gather");
        demand(es_scatter_add(&table.on_ref, ids, &rows.on_ref, NULL), "scatter_add");
        demand(es_scatter_add(&table.on_other, ids, &rows.on_other, NULL), "scatter_add");
        check_units(&table, 0, "scatter_add");
        twin_free(&table);
        twin_free(&out);
        twin_free(&add);
        twin_free(&rows);
    }
}

START_TEST(gather_and_scatter_agree)
{
    compare(_i, lookups);
}
END_TEST

/* `ref` itself against values one can check by hand. */
START_TEST(the_reference_is_right)
{
    open_both("cpu");
    es_shape s22 = es_shape_2d("", 2, "", 2), s21 = es_shape_2d("", 2, "", 1);
    es_tensor a, out, sum;
    const float values[] = {1, 2, 3, 4};
    float got[4];
    demand(es_tensor_new(&a, ref, ES_FLOAT32, &s22, NULL) && es_tensor_write(&a, values, NULL),
           "tensor_new");
    demand(es_tensor_new(&out, ref, ES_FLOAT32, &s22, NULL), "tensor_new");
    demand(es_tensor_new(&sum, ref, ES_FLOAT32, &s21, NULL), "tensor_new");
    ck_assert(es_matmul(&out, &a, &a, NULL) && es_tensor_read(&out, got, NULL));
    ck_assert(got[0] == 7 && got[1] == 10 && got[2] == 15 && got[3] == 22);
    demand(es_reduce(ES_REDUCE_SUM_SQUARES, &sum, &a, 1, NULL) && es_tensor_read(&sum, got, NULL),
           "reduce");
    ck_assert(got[0] == 5 && got[1] == 25);
    ck_assert(es_softmax(&out, &a, 1, NULL) && es_tensor_read(&out, got, NULL));
    ck_assert_float_eq_tol(got[0], 0.26894142f, 1e-7f);
    ck_assert(es_map(ES_POW, &out, &a, &a, NULL) && es_tensor_read(&out, got, NULL));
    ck_assert(got[0] == 1 && got[1] == 4 && got[2] == 27 && got[3] == 256);
    int64_t index[2];
    ck_assert(es_topk(&sum, index, &a, NULL) && index[0] == 1 && index[1] == 1);
    es_tensor_free(&a);
    es_tensor_free(&out);
    es_tensor_free(&sum);
    close_both();
}
END_TEST

/* The last of the suite: the others have counted. */
START_TEST(it_is_said_how_many_ran_on_a_device)
{
    const char *wanted = getenv("ES_TEST_GPU");
    int n = gpu_tests_ran();
    ck_assert_msg(n > 0 || !wanted || strcmp(wanted, "required") != 0,
                  "no test of a backend ran on a GPU");
    if (n)
        fprintf(stderr, "backends: %d tests ran on a GPU\n", n);
}
END_TEST

Suite *backends_suite(void)
{
    int n = 0;
    while (es_backend_at(n))
        n++;
    gpu_tally();
    Suite *s = suite_create("backends");
    TCase *tc = tcase_create("against ref");
    tcase_set_timeout(tc, 180); /* a device's compiler takes its time */
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, the_reference_is_right);
    tcase_add_loop_test(tc, copies_and_reads_agree, 0, n);
    tcase_add_loop_test(tc, maps_agree, 0, n);
    tcase_add_loop_test(tc, maps_agree_on_zeros_nan_and_infinities, 0, n);
    tcase_add_loop_test(tc, reductions_and_softmax_agree_on_every_axis, 0, n);
    tcase_add_loop_test(tc, products_agree, 0, n);
    tcase_add_loop_test(tc, the_k_largest_agree_ties_by_index, 0, n);
    tcase_add_loop_test(tc, gather_and_scatter_agree, 0, n);
    tcase_add_test(tc, it_is_said_how_many_ran_on_a_device);
    suite_add_tcase(s, tc);
    return s;
}
