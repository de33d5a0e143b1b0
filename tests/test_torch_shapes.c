// SPDX-License-Identifier: GPL-3.0-or-later
/* Views, subscripts and rows of tables. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "torch/index.h"
#include "torch/join.h"
#include "torch/make.h"
#include "torch/order.h"
#include "torch/views.h"

Suite *torch_shapes_suite(void);

static es_backend *be;
static es_torch k;
static char notes[512];

static void keep_note(void *user, const char *text)
{
    (void)user;
    size_t n = strlen(notes);
    snprintf(notes + n, sizeof notes - n, "%s\n", text);
}

static void setup(void)
{
    be = es_backend_open("cpu", 1, NULL);
    k = (es_torch){.be = be, .most_bytes = (int64_t)1 << 30, .note = keep_note};
    notes[0] = '\0';
}

static void teardown(void)
{
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
}

/* "B=2 T=5 8": sizes with the names of their axes. */
static es_shape shape_of(const char *text)
{
    es_shape s = {0};
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, " ");
        const char *is = memchr(at, '=', n);
        char name[ES_LABEL_SIZE] = "";
        if (is)
            memcpy(name, at, (size_t)(is - at));
        s.label[s.ndim] = es_label_named(name);
        s.dim[s.ndim++] = strtoll(is ? is + 1 : at, NULL, 10);
        at += n + (at[n] == ' ');
    }
    return s;
}

/* 0, 1, 2, … in row-major order. */
static es_tensor counting(es_dtype dtype, const char *shape)
{
    es_tensor t;
    es_error err = ES_ERROR_NONE;
    es_shape s = shape_of(shape);
    ck_assert_works(es_torch_new(&k, &t, be, dtype, &s, &err), err);
    for (int64_t i = 0, n = es_torch_meta(&t) ? 0 : es_shape_count(&s); i < n; i++)
        switch (dtype) {
        case ES_FLOAT32: ((float *)t.buf->mem)[i] = (float)i; break;
        case ES_FLOAT64: ((double *)t.buf->mem)[i] = (double)i; break;
        case ES_INT64: ((int64_t *)t.buf->mem)[i] = i; break;
        case ES_INT32: ((int32_t *)t.buf->mem)[i] = (int32_t)i; break;
        default: ((bool *)t.buf->mem)[i] = i % 2;
        }
    return t;
}

static es_tensor ints(const char *shape, const int64_t *values)
{
    es_tensor t = counting(ES_INT64, shape);
    memcpy(t.buf->mem, values, (size_t)es_shape_count(&t.shape) * sizeof *values);
    return t;
}

static es_tensor bools(const char *shape, const char *values)
{
    es_tensor t = counting(ES_BOOL, shape);
    for (int64_t i = 0; i < es_shape_count(&t.shape); i++)
        ((bool *)t.buf->mem)[i] = values[i] == '1';
    return t;
}

/* "[B=2, 5] 10 1: 0 1 2 …": shape, strides, numbers. */
static void check_tensor(es_tensor *t, const char *want, int line)
{
    es_str s = {0};
    es_shape_show(&s, &t->shape);
    for (int d = 0; d < t->shape.ndim; d++)
        es_str_add(&s, " %d", (int)t->stride[d]);
    es_str_char(&s, ':');
    for (int64_t i = 0; !es_torch_meta(t) && i < es_shape_count(&t->shape); i++)
        es_str_add(&s, " %g", es_torch_get_float(t, i));
    if (es_torch_meta(t))
        es_str_cat(&s, " meta");
    demand(!strcmp(s.s, want), "line %d: %s is not %s", line, s.s, want);
    es_str_free(&s);
    es_tensor_free(t);
}
#define ck_assert_tensor(t, want) check_tensor(t, want, __LINE__)

#define ck_assert_shape(t, want)                                                                   \
    do {                                                                                           \
        es_str shown_ = {0};                                                                       \
        es_shape_show(&shown_, &(t)->shape);                                                       \
        ck_assert_str_eq(shown_.s, want);                                                          \
        es_str_free(&shown_);                                                                      \
        es_tensor_free(t);                                                                         \
    } while (0)

#define ck_assert_fails_as(call, err, code_, message_, torch_)                                     \
    do {                                                                                           \
        ck_assert(!(call));                                                                        \
        ck_assert_str_eq((err).torch ? (err).torch : "", torch_);                                  \
        ck_assert_str_eq(es_code_name((err).code), es_code_name(code_));                           \
        ck_assert_str_eq((err).message, message_);                                                 \
        es_error_free(&(err));                                                                     \
        (err) = ES_ERROR_NONE;                                                                     \
    } while (0)

/* ---- names through view ---- */

START_TEST(view_names_axes_by_their_place_in_the_factors)
{
    static const struct {
        const char *from, *asked, *want, *notes;
    } cases[] = {
        {"B=2 T=5 C=8", "10 8", "[B·T=10, C=8]", ""},
        {"B=2 T=5 C=8", "-1 8", "[B·T=10, C=8]", ""},
        {"B=2 T=5 C=8", "-1", "[B·T·C=80]", ""},
        {"B=1 T=5 C=8", "-1 8", "[B·T=5, C=8]", ""},
        {"B=2 T=5 C=8", "2 5 2 4", "[B=2, T=5, 2, C/2=4]", ""},
        {"B=2 T=5 C=8", "2 5 H=2 -1", "[B=2, T=5, H=2, C/H=4]", ""},
        {"B=2 T=5 C=8", "B=2 T=5 H=2 D=4", "[B=2, T=5, H=2, D=4]", ""},
        {"B=2 T=5 C=8", "2 5 -1 4", "[B=2, T=5, C/4=2, 4]", ""},
        {"B=2 T=5 H=2 C/H=4", "2 5 -1", "[B=2, T=5, C=8]", ""},
        {"B=2 T=5 2 C/2=4", "2 5 8", "[B=2, T=5, C=8]", ""},
        {"B=2 T=5 2 D=4", "2 5 8", "[B=2, T=5, 8]", ""},
        {"B=2 T=5 C=8", "5 2 8", "[?=5, ?=2, C=8]", "row-major re-read mixes B and T\n"},
        {"B=2 T=5 C=8", "T=5 B=2 C=8", "[?=5, ?=2, C=8]", "row-major re-read mixes B and T\n"},
        {"B=2 T=5 C=8", "4 20", "[?=4, ?=20]", "row-major re-read mixes B, T and C\n"},
        {"2 3", "3 2", "[3, 2]", ""},
        {"2 3", "T=3 2", "[T=3, 2]", ""},
        {"T=8 C=8", "8 8", "[T=8, C=8]", ""},
        {"T=8 C=8", "C=8 T=8", "[T=8, C=8]",
         "axis 0 was asked for as C and is still T: its numbers stay in order\n"
         "axis 1 was asked for as T and is still C: its numbers stay in order\n"},
        {"8", "C=8", "[C=8]", ""},
        {"T=5", "1 5 1", "[1, T=5, 1]", ""},
        {"1 T=5 1", "5", "[T=5]", ""},
        {"B=1 T=5", "1 5", "[B=1, T=5]", ""},
        {"B=2 T=0 C=8", "0 8", "[0, 8]", ""},
        {"B=2 T=0 C=8", "2 0 8", "[B=2, T=0, C=8]", ""},
        {"", "1 1", "[1, 1]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_tensor x = counting(ES_FLOAT32, cases[i].from), y;
        es_error err = ES_ERROR_NONE;
        es_shape asked = shape_of(cases[i].asked);
        es_str s = {0};
        notes[0] = '\0';
        demand(es_torch_view(&k, &y, &x, &asked, &err), "case %zu: %s", i, err.message);
        es_shape_show(&s, &y.shape);
        demand(!strcmp(s.s, cases[i].want), "case %zu: %s", i, s.s);
        demand(!strcmp(notes, cases[i].notes), "case %zu: %s", i, notes);
        es_str_free(&s);
        es_tensor_free(&x);
        es_tensor_free(&y);
    }
}
END_TEST

START_TEST(view_says_why_not)
{
    es_tensor x = counting(ES_FLOAT32, "B=2 T=5 C=8"), none = counting(ES_FLOAT32, "0 3"), y, t;
    es_error err = ES_ERROR_NONE;
    es_shape s = shape_of("3 -1");
    ck_assert_fails_as(es_torch_view(&k, &y, &x, &s, &err), err, ES_ERR_VIEW,
                       "[B=2, T=5, C=8] holds 80 numbers, which 3 does not divide",
                       "shape '[3, -1]' is invalid for input of size 80");
    s = shape_of("3 8");
    ck_assert_fails_as(es_torch_view(&k, &y, &x, &s, &err), err, ES_ERR_VIEW,
                       "[B=2, T=5, C=8] holds 80 numbers, [3, 8] would hold 24",
                       "shape '[3, 8]' is invalid for input of size 80");
    s = shape_of("-1 -1");
    ck_assert_fails_as(es_torch_view(&k, &y, &x, &s, &err), err, ES_ERR_VIEW,
                       "two sizes are -1, and only one can be worked out",
                       "only one dimension can be inferred");
    s = shape_of("-1 0");
    ck_assert_fails_as(es_torch_view(&k, &y, &none, &s, &err), err, ES_ERR_VIEW,
                       "the -1 in [-1, 0] could be any size: nothing times anything is 0",
                       "cannot reshape tensor of 0 elements into shape [-1, 0] because the "
                       "unspecified dimension size -1 can be any value and is ambiguous");
    ck_assert(es_torch_transpose(&k, &t, &x, 1, 2, &err));
    s = shape_of("2 40");
    ck_assert_fails_as(
        es_torch_view(&k, &y, &t, &s, &err), err, ES_ERR_VIEW,
        "the numbers of [B=2, C=8, T=5] do not lie in memory in the order that a view as [2, 40] "
        "needs",
        "view size is not compatible with input tensor's size and stride (at least one dimension "
        "spans across two contiguous subspaces). Use .reshape(...) instead.");
    ck_assert_works(es_torch_reshape(&k, &y, &t, &s, &err), err);
    ck_assert_int_eq(y.stride[0], 40);
    ck_assert(es_torch_get_float(&y, 1) == 8.0 && es_torch_get_float(&y, 5) == 1.0);
    ck_assert_shape(&y, "[B=2, C·T=40]");
    es_tensor_free(&x);
    es_tensor_free(&t);
    es_tensor_free(&none);
}
END_TEST

/* A random tensor: permuted, sliced, stretched. */
static es_tensor random_view(uint64_t *state)
{
    es_shape s = {.ndim = (int)random_below(state, 5)};
    es_tensor x, y;
    for (int d = 0; d < s.ndim; d++)
        s.dim[d] = 1 + random_below(state, 4);
    ck_assert(es_torch_new(&k, &x, be, ES_INT64, &s, NULL));
    for (int64_t i = 0; i < es_shape_count(&s); i++)
        ((int64_t *)x.buf->mem)[i] = i;
    for (int n = 0; n < 3 && s.ndim > 0; n++) {
        int d = (int)random_below(state, (uint32_t)s.ndim);
        if (random_below(state, 2))
            ck_assert(
                es_torch_transpose(&k, &y, &x, d, random_below(state, (uint32_t)s.ndim), NULL));
        else {
            int64_t size = x.shape.dim[d], begin = random_below(state, (uint32_t)size);
            ck_assert(es_torch_narrow(&k, &y, &x, d, begin, size - begin, NULL));
        }
        es_tensor_free(&x);
        x = y;
    }
    return x;
}

START_TEST(reshape_keeps_the_order_of_numbers)
{
    uint64_t state = 7;
    int copied = 0;
    for (int round = 0; round < 3000; round++) {
        es_tensor x = random_view(&state), y, z;
        es_shape s = {0};
        int64_t left = es_shape_count(&x.shape);
        while (s.ndim < 5 && (left > 1 || random_below(&state, 2))) {
            int64_t f = 1 + random_below(&state, 4);
            s.dim[s.ndim++] = left % f == 0 ? f : 1;
            left /= s.dim[s.ndim - 1];
        }
        s.dim[s.ndim++] = left;
        demand(es_torch_reshape(&k, &y, &x, &s, NULL), "round %d", round);
        for (int64_t i = 0; i < es_shape_count(&s); i++)
            demand(es_torch_get_int(&x, i) == es_torch_get_int(&y, i), "round %d at %d", round,
                   (int)i);
        bool viewed = es_torch_view(&k, &z, &x, &s, NULL);
        demand(viewed == (y.buf == x.buf), "round %d: a view or not?", round);
        copied += !viewed;
        es_tensor_free(&z);
        es_tensor_free(&y);
        es_tensor_free(&x);
    }
    ck_assert_int_gt(copied, 100);
}
END_TEST

/* ---- axes ---- */

START_TEST(axes_move_with_names_and_strides)
{
    es_tensor x = counting(ES_INT64, "B=2 T=3"), y, z;
    ck_assert(es_torch_transpose(&k, &y, &x, 0, -1, NULL));
    ck_assert_tensor(&y, "[T=3, B=2] 1 3: 0 3 1 4 2 5");
    ck_assert(es_torch_unsqueeze(&k, &y, &x, -1, NULL));
    ck_assert_tensor(&y, "[B=2, T=3, 1] 3 1 1: 0 1 2 3 4 5");
    ck_assert(es_torch_unsqueeze(&k, &y, &x, 0, NULL));
    ck_assert(es_torch_squeeze(&k, &z, &y, NULL, 0, NULL));
    ck_assert_tensor(&z, "[B=2, T=3] 3 1: 0 1 2 3 4 5");
    ck_assert(es_torch_squeeze(&k, &z, &y, (int64_t[]){1}, 1, NULL));
    ck_assert_tensor(&z, "[1, B=2, T=3] 6 3 1: 0 1 2 3 4 5");
    ck_assert(es_torch_permute(&k, &z, &y, (int64_t[]){2, 0, -2}, 3, NULL));
    ck_assert_tensor(&z, "[T=3, 1, B=2] 1 6 3: 0 3 1 4 2 5");
    ck_assert(es_torch_movedim(&k, &z, &y, (int64_t[]){0}, (int64_t[]){2}, 1, NULL));
    ck_assert_tensor(&z, "[B=2, T=3, 1] 3 1 6: 0 1 2 3 4 5");
    ck_assert(es_torch_diagonal(&k, &z, &x, 1, 0, 1, NULL));
    ck_assert_tensor(&z, "[B=2] 4: 1 5");
    es_tensor_free(&y);
    ck_assert(es_torch_expand(&k, &y, &x, &(es_shape){.ndim = 3, .dim = {4, -1, -1}}, NULL));
    ck_assert_int_eq(y.stride[0], 0);
    ck_assert_shape(&y, "[4, B=2, T=3]");
    es_tensor_free(&x);
}
END_TEST

START_TEST(axes_that_are_not_there_are_refused)
{
    es_tensor x = counting(ES_INT64, "B=2 T=5 C=8"), v = counting(ES_FLOAT32, "3 8"), y;
    es_error err = ES_ERROR_NONE;
    ck_assert_fails_as(es_torch_unsqueeze(&k, &y, &x, 4, &err), err, ES_ERR_DIM_RANGE,
                       "a new axis cannot be axis 4: with it the tensor has 4",
                       "Dimension out of range (expected to be in range of [-4, 3], but got 4)");
    ck_assert_fails_as(es_torch_permute(&k, &y, &x, (int64_t[]){0, 2}, 2, &err), err,
                       ES_ERR_DIM_RANGE, "the tensor has 3 axes, and an order of 2 is given",
                       "permute(sparse_coo): number of dimensions in the tensor input does not "
                       "match the length of the desired ordering of dimensions i.e. input.dim() = "
                       "3 is not equal to len(dims) = 2");
    ck_assert_fails_as(es_torch_permute(&k, &y, &x, (int64_t[]){0, 2, -1}, 3, &err), err,
                       ES_ERR_DIM_RANGE, "axis 2 comes twice in the new order",
                       "permute(): duplicate dims are not allowed.");
    es_shape s = shape_of("2 5 8");
    ck_assert_fails_as(
        es_torch_expand(&k, &y, &v, &s, &err), err, ES_ERR_EXPAND,
        "axis 0 has size 3 and cannot become 5: only an axis of size 1 stretches",
        "The expanded size of the tensor (5) must match the existing size (3) at "
        "non-singleton dimension 1.  Target sizes: [2, 5, 8].  Tensor sizes: [3, 8]");
    s = shape_of("8");
    ck_assert_fails_as(es_torch_expand(&k, &y, &v, &s, &err), err, ES_ERR_EXPAND,
                       "[3, 8] has 2 axes, and only 1 sizes are given",
                       "expand(torch.FloatTensor{[3, 8]}, size=[8]): the number of sizes provided "
                       "(1) must be greater or equal to the number of dimensions in the tensor "
                       "(2)");
    s = shape_of("-1 3 8");
    ck_assert_fails_as(es_torch_expand(&k, &y, &v, &s, &err), err, ES_ERR_EXPAND,
                       "-1 keeps a size, and the new axis 0 has none yet",
                       "The expanded size of the tensor (-1) isn't allowed in a leading, "
                       "non-existing dimension 0");
    s = (es_shape){.ndim = 4, .dim = {INT64_MAX / 2, INT64_MAX / 2, 3, 8}};
    ck_assert_fails(es_torch_expand(&k, &y, &v, &s, &err), err, ES_ERR_NOMEM,
                    "[4611686018427387903, 4611686018427387903, 3, 8] is more numbers than can be "
                    "counted");
    es_tensor_free(&x);
    es_tensor_free(&v);
}
END_TEST

START_TEST(parts_are_named_after_the_whole)
{
    es_tensor x = counting(ES_INT64, "T=2 3C=6"), y[3];
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_torch_split(&k, y, &x, 1, (int64_t[]){2, 2, 2}, 3, &err), err);
    ck_assert_tensor(&y[0], "[T=2, C=2] 6 1: 0 1 6 7");
    ck_assert_tensor(&y[2], "[T=2, C=2] 6 1: 4 5 10 11");
    es_tensor_free(&y[1]);
    ck_assert_works(es_torch_split(&k, y, &x, 1, (int64_t[]){4, 2}, 2, &err), err);
    ck_assert_tensor(&y[0], "[T=2, 3C[:4]=4] 6 1: 0 1 2 3 6 7 8 9");
    ck_assert_tensor(&y[1], "[T=2, 3C[4:]=2] 6 1: 4 5 10 11");
    ck_assert_fails_as(es_torch_split(&k, y, &x, 1, (int64_t[]){4, 1}, 2, &err), err, ES_ERR_SLICE,
                       "parts of [4, 1] are 5 together, and axis 1 has 6",
                       "split_with_sizes expects split_sizes to sum exactly to 6 (input tensor's "
                       "size at dimension 1), but got split_sizes=[4, 1]");
    ck_assert_works(es_torch_narrow(&k, y, &x, 1, -4, 2, &err), err);
    ck_assert_tensor(&y[0], "[T=2, 3C[2:4]=2] 6 1: 2 3 8 9");
    ck_assert_fails_as(es_torch_narrow(&k, y, &x, 1, 5, 3, &err), err, ES_ERR_SLICE,
                       "3 places from 5 on do not lie within axis 1 of size 6",
                       "start (5) + length (3) exceeds dimension size (6).");
    es_tensor_free(&x);
}
END_TEST

/* ---- subscripts ---- */

#define INT(n) ((es_sub){.kind = ES_SUB_INT, .i = (n)})
#define ALL    ((es_sub){.kind = ES_SUB_SLICE, .text = ":"})
#define NEW    ((es_sub){.kind = ES_SUB_NEW})
#define REST   ((es_sub){.kind = ES_SUB_REST})
#define BY(t_) ((es_sub){.kind = ES_SUB_TENSOR, .t = &(t_)})
#define FROM_TO(a, b, c)                                                                           \
    ((es_sub){.kind = ES_SUB_SLICE,                                                                \
              .has = {true, true, true},                                                           \
              .begin = (a),                                                                        \
              .end = (b),                                                                          \
              .step = (c),                                                                         \
              .text = #a ":" #b ":" #c})
#define index_by(y, x, ...)                                                                        \
    es_torch_index(&k, y, x, (es_sub[]){__VA_ARGS__},                                              \
                   sizeof((es_sub[]){__VA_ARGS__}) / sizeof(es_sub), &err)

START_TEST(integers_slices_and_none_are_views)
{
    es_tensor x = counting(ES_INT64, "B=2 T=3 C=4"), y;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(index_by(&y, &x, INT(1)), err);
    ck_assert_ptr_eq(y.buf, x.buf);
    ck_assert_tensor(&y, "[T=3, C=4] 4 1: 12 13 14 15 16 17 18 19 20 21 22 23");
    ck_assert_works(index_by(&y, &x, ALL, INT(-1)), err);
    ck_assert_tensor(&y, "[B=2, C=4] 12 1: 8 9 10 11 20 21 22 23");
    ck_assert_works(index_by(&y, &x, REST, INT(0)), err);
    ck_assert_tensor(&y, "[B=2, T=3] 12 4: 0 4 8 12 16 20");
    ck_assert_works(index_by(&y, &x, INT(0), NEW, FROM_TO(1, 100, 1), FROM_TO(0, 4, 3)), err);
    ck_assert_tensor(&y, "[1, T[1:100:1]=2, C[0:4:3]=2] 12 4 3: 4 7 8 11");
    ck_assert_works(index_by(&y, &x, INT(0), FROM_TO(2, 1, 1)), err);
    ck_assert_tensor(&y, "[T[2:1:1]=0, C=4] 4 1:");
    ck_assert_works(index_by(&y, &x, FROM_TO(-100, 100, 1)), err);
    ck_assert_shape(&y, "[B=2, T=3, C=4]");
    ck_assert_works(index_by(&y, &x, FROM_TO(INT64_MIN, INT64_MAX, INT64_MAX)), err);
    ck_assert_int_eq(y.shape.dim[0], 1);
    es_tensor_free(&y);
    es_tensor_free(&x);
}
END_TEST

START_TEST(bad_subscripts_name_axis_and_range)
{
    es_tensor x = counting(ES_FLOAT32, "B=2 T=5 C=8"), one = counting(ES_FLOAT32, ""), y;
    es_tensor far = ints("2", (int64_t[]){1, -9}), mask = bools("3", "101"),
              two = ints("2", (int64_t[]){0, 0}), three = ints("3", (int64_t[]){0, 0, 0});
    es_error err = ES_ERROR_NONE;
    ck_assert_fails_as(index_by(&y, &x, INT(2)), err, ES_ERR_INDEX_RANGE,
                       "index 2 is outside axis 0 (B=2): 0..1, or from the end -1..-2",
                       "index 2 is out of bounds for dimension 0 with size 2");
    ck_assert_fails_as(index_by(&y, &x, ALL, INT(5)), err, ES_ERR_INDEX_RANGE,
                       "index 5 is outside axis 1 (T=5): 0..4, or from the end -1..-5",
                       "index 5 is out of bounds for dimension 1 with size 5");
    ck_assert_fails_as(index_by(&y, &x, INT(0), INT(0), INT(0), INT(0)), err, ES_ERR_DIM_RANGE,
                       "4 subscripts, and [B=2, T=5, C=8] has only 3 axes",
                       "too many indices for tensor of dimension 3");
    ck_assert_fails_as(index_by(&y, &one, INT(0)), err, ES_ERR_DIM_RANGE,
                       "a single number has no axis to index: .item() is its value",
                       "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or "
                       "`tensor.item<T>()` in C++ to convert a 0-dim tensor to a number");
    ck_assert_fails_as(index_by(&y, &x, FROM_TO(0, 2, -1)), err, ES_ERR_SLICE,
                       "a slice cannot step by -1: only forwards, by 1 or more",
                       "step must be greater than zero");
    ck_assert_fails_as(index_by(&y, &x, ALL, BY(far)), err, ES_ERR_INDEX_RANGE,
                       "index -9 at [1] is outside axis 1 (T=5): 0..4, or from the end -1..-5",
                       "index -9 is out of bounds for dimension 0 with size 5");
    ck_assert_fails_as(index_by(&y, &x, BY(mask)), err, ES_ERR_INDEX_RANGE,
                       "the mask [3] does not fit [B=2, T=5, C=8]: axis 0 of the mask has 3, not 2",
                       "The shape of the mask [3] at index 0 does not match the shape of the "
                       "indexed tensor [2, 5, 8] at index 0");
    ck_assert_fails_as(index_by(&y, &x, BY(x)), err, ES_ERR_DTYPE,
                       "a tensor of float32 cannot be an index: integers or a mask can",
                       "tensors used as indices must be long, byte or bool tensors (PyTorch 2: "
                       "long, int, byte or bool)");
    ck_assert_fails_as(index_by(&y, &x, BY(two), BY(three)), err, ES_ERR_BROADCAST,
                       "index tensors [2], [3] do not stretch to one shape",
                       "shape mismatch: indexing tensors could not be broadcast together with "
                       "shapes [2], [3]");
    es_tensor_free(&x);
    es_tensor_free(&one);
    es_tensor_free(&far);
    es_tensor_free(&mask);
    es_tensor_free(&two);
    es_tensor_free(&three);
}
END_TEST

START_TEST(index_tensors_put_their_axes_in_place)
{
    es_tensor x = counting(ES_INT64, "B=2 T=3 C=4"), y, some = ints("B=1 n=2", (int64_t[]){2, -1});
    es_tensor rows = ints("2 1", (int64_t[]){0, 1}), last = ints("2", (int64_t[]){3, 0});
    es_tensor mask = bools("B=2 T=3", "100011"), yes = bools("", "1"),
              scalar = ints("", (int64_t[]){1});
    es_error err = ES_ERROR_NONE;
    ck_assert_works(index_by(&y, &x, ALL, BY(some)), err);
    ck_assert_tensor(&y,
                     "[B=2, B=1, n=2, C=4] 8 8 4 1: 8 9 10 11 8 9 10 11 20 21 22 23 20 21 22 23");
    ck_assert_works(index_by(&y, &x, BY(rows), ALL, BY(last)), err); /* not neighbours: in front */
    ck_assert_tensor(&y, "[2, 2, T=3] 6 3 1: 3 7 11 0 4 8 15 19 23 12 16 20");
    ck_assert_works(index_by(&y, &x, BY(mask)), err);
    ck_assert_tensor(&y, "[n=3, C=4] 4 1: 0 1 2 3 16 17 18 19 20 21 22 23");
    ck_assert_works(index_by(&y, &x, BY(mask), INT(0)), err);
    ck_assert_tensor(&y, "[n=3] 1: 0 16 20");
    ck_assert_works(index_by(&y, &x, INT(0), INT(0), BY(yes)), err);
    ck_assert_tensor(&y, "[1, C=4] 4 1: 0 1 2 3");
    ck_assert_works(index_by(&y, &x, BY(scalar), INT(0)), err);
    ck_assert_ptr_eq(y.buf, x.buf);
    ck_assert_tensor(&y, "[C=4] 1: 12 13 14 15");
    es_tensor_free(&x);
    es_tensor_free(&some);
    es_tensor_free(&rows);
    es_tensor_free(&last);
    es_tensor_free(&mask);
    es_tensor_free(&yes);
    es_tensor_free(&scalar);
}
END_TEST

/* ---- subscripts against index arithmetic ---- */

/* What one axis of x is read by: i = begin + step * (coordinate of a result axis), or of an index tensor. */
typedef struct source {
    int64_t begin, step;
    int axis;           /* of the result; -1: none, begin is the place */
    const es_tensor *t; /* an index tensor, whose axes begin at result axis `axis` */
} source;

static int64_t judged(const es_tensor *x, const source *from, const es_shape *shape, int spread,
                      const int64_t *at)
{
    int64_t offset = x->offset;
    (void)shape;
    for (int d = 0; d < x->shape.ndim; d++) {
        int64_t i = from[d].begin;
        if (from[d].t) {
            int64_t p = 0;
            for (int a = 0; a < spread; a++)
                p = p * from[d].t->shape.dim[a] + at[from[d].axis + a];
            i = es_torch_get_int(from[d].t, p);
            i += i < 0 ? x->shape.dim[d] : 0;
        } else if (from[d].axis >= 0) {
            i += from[d].step * at[from[d].axis];
        }
        offset += i * x->stride[d];
    }
    return ((int64_t *)x->buf->mem)[offset];
}

static void check_random_subscripts(uint64_t *state, int round)
{
    es_tensor x = random_view(state), t[ES_MAX_DIMS], y;
    es_sub sub[2 * ES_MAX_DIMS];
    source from[ES_MAX_DIMS] = {{0}};
    int n = 0, axes = 0, tensors = 0, first = -1, last = -1, kept[2 * ES_MAX_DIMS] = {0};
    bool apart = false;
    es_error err = ES_ERROR_NONE;
    /* kept[j]: does base axis j come from no index tensor?  first, last: base axes of index tensors */
    for (int d = 0; d < x.shape.ndim; d++) {
        int64_t size = x.shape.dim[d];
        if (random_below(state, 5) == 0) {
            sub[n++] = NEW;
            kept[axes++] = 1;
        }
        switch (random_below(state, 4)) {
        case 0:
            from[d] = (source){.begin = random_below(state, (uint32_t)size), .axis = -1};
            sub[n++] = INT(random_below(state, 2) ? from[d].begin : from[d].begin - size);
            break;
        case 1: {
            int64_t step = 1 + random_below(state, 3);
            from[d] =
                (source){.begin = random_below(state, (uint32_t)size), .step = step, .axis = axes};
            sub[n++] = FROM_TO(from[d].begin, size, step);
            kept[axes++] = 1;
            break;
        }
        case 2: {
            t[tensors] = counting(ES_INT64, "2 3");
            for (int i = 0; i < 6; i++)
                ((int64_t *)t[tensors].buf->mem)[i] =
                    (int64_t)random_below(state, (uint32_t)(2 * size)) - size;
            from[d] = (source){.axis = -2, .t = &t[tensors]};
            sub[n++] = BY(t[tensors]);
            tensors++;
            apart |= last >= 0 && last != axes - 1;
            first = first < 0 ? axes : first;
            last = axes++;
            break;
        }
        default:
            from[d] = (source){.step = 1, .axis = axes};
            sub[n++] = ALL;
            kept[axes++] = 1;
        }
    }
    demand(es_torch_index(&k, &y, &x, sub, n, &err), "round %d: %s", round, err.message);
    /* from base axes to those of the result */
    int spread = tensors ? 2 : 0, front = apart || first < 0 ? 0 : first;
    for (int d = 0; d < x.shape.ndim; d++) {
        if (from[d].t) {
            from[d].axis = front;
        } else if (from[d].axis >= 0) {
            int before = 0;
            for (int j = 0; j < from[d].axis; j++)
                before += kept[j];
            from[d].axis = before + (before >= front ? spread : 0);
        }
    }
    for (int64_t i = 0; i < es_shape_count(&y.shape); i++) {
        int64_t at[ES_MAX_DIMS], rest = i;
        for (int d = y.shape.ndim - 1; d >= 0; d--) {
            at[d] = rest % y.shape.dim[d];
            rest /= y.shape.dim[d];
        }
        demand(es_torch_get_int(&y, i) == judged(&x, from, &y.shape, spread, at),
               "round %d, element %d", round, (int)i);
    }
    while (tensors > 0)
        es_tensor_free(&t[--tensors]);
    es_tensor_free(&x);
    es_tensor_free(&y);
}

START_TEST(random_subscripts_read_what_they_say)
{
    uint64_t state = 11;
    for (int round = 0; round < 3000; round++)
        check_random_subscripts(&state, round);
}
END_TEST

START_TEST(what_is_put_is_what_is_read)
{
    es_tensor x = counting(ES_FLOAT32, "3 4"), ids = ints("2", (int64_t[]){2, -3}), y;
    es_tensor v = counting(ES_FLOAT32, "2 1"), mask = bools("3 4", "000001000011"), nine,
              i64 = counting(ES_INT64, "2 1");
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_torch_index_put(&k, &x, (es_sub[]){BY(ids)}, 1, &v, &err), err);
    ck_assert_works(index_by(&y, &x, BY(ids)), err);
    ck_assert_tensor(&y, "[2, 4] 4 1: 0 0 0 0 1 1 1 1");
    ck_assert(es_torch_int(&k, &nine, 9, &err));
    ck_assert_works(es_torch_index_put(&k, &x, (es_sub[]){BY(mask)}, 1, &nine, &err), err);
    ck_assert_works(es_torch_index_put(&k, &x, (es_sub[]){ALL, INT(0)}, 2, &nine, &err), err);
    es_tensor_view(&y, &x);
    ck_assert_tensor(&y, "[3, 4] 4 1: 9 1 1 1 9 9 6 7 9 0 9 9");
    ck_assert_fails_as(es_torch_index_put(&k, &x, (es_sub[]){BY(ids)}, 1, &i64, &err), err,
                       ES_ERR_DTYPE,
                       "numbers of int64 cannot be put into places of a tensor of float32",
                       "Index put requires the source and destination dtypes match, got Float for "
                       "the destination and Long for the source.");
    ck_assert_fails_as(es_torch_index_put(&k, &x, (es_sub[]){BY(mask)}, 1, &v, &err), err,
                       ES_ERR_BROADCAST, "a value [2, 1] does not stretch to the places [n=3]",
                       "shape mismatch: value tensor of shape [2, 1] cannot be broadcast to "
                       "indexing result of shape [3]");
    k.shapes_only = true; /* and then nothing is written */
    ck_assert_works(es_torch_index_put(&k, &x, (es_sub[]){BY(ids)}, 1, &nine, &err), err);
    k.shapes_only = false;
    ck_assert(es_torch_get_float(&x, 1) == 1.0);
    es_tensor_free(&x);
    es_tensor_free(&ids);
    es_tensor_free(&v);
    es_tensor_free(&mask);
    es_tensor_free(&nine);
    es_tensor_free(&i64);
}
END_TEST

START_TEST(picking_along_an_axis)
{
    es_tensor x = counting(ES_INT64, "B=2 V=3"), at = ints("2 1", (int64_t[]){2, 0}), y;
    es_tensor bad = ints("2 1", (int64_t[]){2, 3}), some = ints("n=2", (int64_t[]){2, 0}),
              mask = bools("3", "101");
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_torch_gather(&k, &y, &x, 1, &at, &err), err);
    ck_assert_tensor(&y, "[B=2, 1] 1 1: 2 3");
    ck_assert_fails_as(es_torch_gather(&k, &y, &x, 1, &bad, &err), err, ES_ERR_INDEX_RANGE,
                       "index 3 at [1, 0] is outside axis 1 (V=3), whose places are 0..2",
                       "index 3 is out of bounds for dimension 1 with size 3");
    ck_assert_works(es_torch_take_along(&k, &y, &x, &at, 1, &err), err);
    ck_assert_tensor(&y, "[B=2, 1] 1 1: 2 3");
    ck_assert_works(es_torch_index_select(&k, &y, &x, -1, &some, &err), err);
    ck_assert_tensor(&y, "[B=2, n=2] 2 1: 2 0 5 3");
    ck_assert_works(es_torch_masked_select(&k, &y, &x, &mask, &err), err);
    ck_assert_tensor(&y, "[n=4] 1: 0 2 3 5");
    ck_assert_works(es_torch_nonzero(&k, &y, &x, &err), err);
    ck_assert_tensor(&y, "[n=5, 2] 2 1: 0 1 0 2 1 0 1 1 1 2");
    es_tensor_free(&x);
    es_tensor_free(&at);
    es_tensor_free(&bad);
    es_tensor_free(&some);
    es_tensor_free(&mask);
}
END_TEST

/* ---- joining ---- */

#define cat_of(y, axis, ...)                                                                       \
    es_torch_cat(&k, y, (const es_tensor *const[]){__VA_ARGS__},                                   \
                 sizeof((const es_tensor *const[]){__VA_ARGS__}) / sizeof(es_tensor *), axis,      \
                 &err)

START_TEST(cat_adds_up_sizes_and_names)
{
    es_tensor a = counting(ES_INT64, "T=1 C=2"), b = counting(ES_FLOAT32, "T=1 C=2"), y;
    es_tensor wide = counting(ES_INT64, "T=1 C=3"), p = counting(ES_INT64, "T=1 P=1"),
              none = counting(ES_INT64, "0"), one = counting(ES_BOOL, "1 1");
    es_error err = ES_ERROR_NONE;
    ck_assert_works(cat_of(&y, -1, &a, &b), err);
    ck_assert_int_eq(y.dtype, ES_FLOAT32);
    ck_assert_tensor(&y, "[T=1, 2C=4] 4 1: 0 1 0 1");
    ck_assert_works(cat_of(&y, 0, &a, &a, &none), err);
    ck_assert_tensor(&y, "[2T=2, C=2] 2 1: 0 1 0 1");
    ck_assert_works(cat_of(&y, 1, &a, &wide), err);
    ck_assert_tensor(&y, "[T=1, C1+C2=5] 5 1: 0 1 0 1 2");
    ck_assert_works(cat_of(&y, 1, &a, &p), err);
    ck_assert_tensor(&y, "[T=1, C+P=3] 3 1: 0 1 0");
    ck_assert_works(cat_of(&y, 1, &one, &a), err);
    ck_assert_tensor(&y, "[T=1, C+1=3] 3 1: 0 0 1");
    ck_assert_works(es_torch_stack(&k, &y, (const es_tensor *const[]){&a, &b}, 2, -1, &err), err);
    ck_assert_tensor(&y, "[T=1, C=2, 2] 4 2 1: 0 0 1 1");
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&wide);
    es_tensor_free(&p);
    es_tensor_free(&none);
    es_tensor_free(&one);
}
END_TEST

START_TEST(what_cannot_be_joined_is_told_apart)
{
    es_tensor a = counting(ES_FLOAT32, "B=2 T=5 C=8"), b = counting(ES_FLOAT32, "1 T=5 C=8"), y;
    es_tensor flat = counting(ES_FLOAT32, "T=5 C=8"), three = counting(ES_INT64, "3"),
              four = counting(ES_INT64, "4");
    es_error err = ES_ERROR_NONE;
    ck_assert_fails_as(cat_of(&y, -1, &a, &b), err, ES_ERR_CAT,
                       "joined along axis 2, the others must be alike: axis 0 is B=2 in the first "
                       "tensor and 1 in tensor 1",
                       "Sizes of tensors must match except in dimension 2. Expected size 2 but got "
                       "size 1 for tensor number 1 in the list.");
    ck_assert_fails_as(cat_of(&y, 0, &a, &flat), err, ES_ERR_CAT,
                       "tensor 1 is [T=5, C=8] and cannot be joined to [B=2, T=5, C=8]: cat does "
                       "not stretch, and they have 2 and 3 axes",
                       "Tensors must have same number of dimensions: got 3 and 2");
    ck_assert_fails_as(cat_of(&y, 3, &a, &a), err, ES_ERR_DIM_RANGE,
                       "there is no axis 3 in a tensor of 3 axes",
                       "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
    ck_assert_fails_as(
        es_torch_stack(&k, &y, (const es_tensor *const[]){&three, &four}, 2, 0, &err), err,
        ES_ERR_CAT, "stack wants tensors of one shape: the first is [3], tensor 1 is [4]",
        "stack expects each tensor to be equal size, but got [3] at entry 0 and [4] at entry 1");
    ck_assert_fails_as(es_torch_cat(&k, &y, NULL, 0, 0, &err), err, ES_ERR_CAT,
                       "cat was given no tensors",
                       "torch.cat(): expected a non-empty list of Tensors");
    es_tensor_free(&a);
    es_tensor_free(&b);
    es_tensor_free(&flat);
    es_tensor_free(&three);
    es_tensor_free(&four);
}
END_TEST

START_TEST(repeated_flipped_rolled_padded)
{
    es_tensor x = counting(ES_INT64, "T=2 C=3"), y, nine;
    es_error err = ES_ERROR_NONE;
    es_shape times = shape_of("B=2 1 2");
    ck_assert_works(es_torch_repeat(&k, &y, &x, &times, &err), err);
    ck_assert_tensor(&y,
                     "[B=2, T=2, 2C=6] 12 6 1: 0 1 2 0 1 2 3 4 5 3 4 5 0 1 2 0 1 2 3 4 5 3 4 5");
    times = shape_of("2");
    ck_assert_fails_as(es_torch_repeat(&k, &y, &x, &times, &err), err, ES_ERR_DIM_RANGE,
                       "the tensor has 2 axes, and only 1 are said how often",
                       "Number of dimensions of repeat dims can not be smaller than number of "
                       "dimensions of tensor");
    times = (es_shape){.ndim = 2, .dim = {INT64_MAX, INT64_MAX}};
    ck_assert(!es_torch_repeat(&k, &y, &x, &times, &err));
    ck_assert_int_eq(err.code, ES_ERR_NOMEM);
    es_error_free(&err);
    ck_assert_works(es_torch_repeat_interleave(&k, &y, &x, (int64_t[]){2, 0, 1}, 3, 1, &err), err);
    ck_assert_tensor(&y, "[T=2, ?=3] 3 1: 0 0 2 3 3 5");
    ck_assert_works(es_torch_flip(&k, &y, &x, (int[]){0, 1}, 2, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 5 4 3 2 1 0");
    ck_assert_works(es_torch_roll(&k, &y, &x, (int64_t[]){-4}, (int[]){1}, 1, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 1 2 0 4 5 3");
    ck_assert(es_torch_int(&k, &nine, 9, &err));
    ck_assert_works(es_torch_pad(&k, &y, &x, (int64_t[]){1, -1, 0, 1}, 4, &nine, &err), err);
    ck_assert_tensor(&y, "[T+1=3, C=3] 3 1: 9 0 1 9 3 4 9 9 9");
    ck_assert_fails_as(es_torch_pad(&k, &y, &x, (int64_t[]){-2, -2}, 2, &nine, &err), err,
                       ES_ERR_VALUE, "axis 1 has 3, too few to cut off 2 before and 2 behind",
                       "The input size 3, plus negative padding -2 and -2 resulted in a negative "
                       "output size, which is invalid. Check dimension 1 of your input");
    ck_assert_works(es_torch_triangle(&k, &y, &x, true, 0, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 0 0 0 3 4 0");
    ck_assert_works(es_torch_triangle(&k, &y, &x, false, 1, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 0 1 2 0 0 5");
    ck_assert_works(es_torch_triangle(&k, &y, &x, false, INT64_MAX, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 0 0 0 0 0 0");
    ck_assert_works(es_torch_triangle(&k, &y, &x, false, INT64_MIN, &err), err);
    ck_assert_tensor(&y, "[T=2, C=3] 3 1: 0 1 2 3 4 5");
    es_tensor_free(&x);
    es_tensor_free(&nine);
}
END_TEST

/* ---- out of nothing ---- */

START_TEST(arange_counts_as_pytorch_does)
{
    es_tensor y;
    es_error err = ES_ERROR_NONE;
    es_label T = es_label_named("T"), none = es_label_named("");
    es_span s = {.ints = true, .i = {0, 5, 1}};
    ck_assert_works(es_torch_arange(&k, &y, be, ES_INT64, &s, &T, &err), err);
    ck_assert_tensor(&y, "[T=5] 1: 0 1 2 3 4");
    s = (es_span){.ints = true, .i = {5, -2, -3}};
    ck_assert_works(es_torch_arange(&k, &y, be, ES_FLOAT32, &s, &none, &err), err);
    ck_assert_tensor(&y, "[3] 1: 5 2 -1");
    s = (es_span){.f = {0, 1, 0.25}};
    ck_assert_works(es_torch_arange(&k, &y, be, ES_FLOAT32, &s, &none, &err), err);
    ck_assert_tensor(&y, "[4] 1: 0 0.25 0.5 0.75");
    s = (es_span){.ints = true, .i = {3, 3, 1}};
    ck_assert_works(es_torch_arange(&k, &y, be, ES_INT64, &s, &none, &err), err);
    ck_assert_tensor(&y, "[0] 1:");
    s = (es_span){.ints = true, .i = {5, 0, 1}};
    ck_assert_fails_as(es_torch_arange(&k, &y, be, ES_INT64, &s, &none, &err), err, ES_ERR_RANGE,
                       "steps of 1 never get from 5 to 0",
                       "upper bound and larger bound inconsistent with step sign");
    s = (es_span){.ints = true, .i = {0, 5, 0}};
    ck_assert_fails_as(es_torch_arange(&k, &y, be, ES_INT64, &s, &none, &err), err, ES_ERR_RANGE,
                       "a step of 0 never gets from 0 to 5", "step must be nonzero");
    s = (es_span){.ints = true, .i = {INT64_MIN, INT64_MAX, 1}};
    ck_assert(!es_torch_arange(&k, &y, be, ES_INT64, &s, &none, &err));
    ck_assert_int_eq(err.code, ES_ERR_NOMEM);
    es_error_free(&err);
    err = ES_ERROR_NONE;
    ck_assert_works(es_torch_linspace(&k, &y, be, ES_FLOAT32, 0, 1, 5, &none, &err), err);
    ck_assert_tensor(&y, "[5] 1: 0 0.25 0.5 0.75 1");
    es_shape square = shape_of("2 3");
    ck_assert_works(es_torch_eye(&k, &y, be, ES_INT64, &square, &err), err);
    ck_assert_tensor(&y, "[2, 3] 3 1: 1 0 0 0 1 0");
}
END_TEST

START_TEST(a_seed_gives_the_same_numbers_again)
{
    es_tensor y, z, p;
    es_error err = ES_ERROR_NONE;
    es_shape shape = shape_of("200 100");
    es_label none = es_label_named("");
    double sum = 0, squares = 0;
    k.seed = 5;
    ck_assert_works(es_torch_randn(&k, &y, be, ES_FLOAT32, &shape, &err), err);
    ck_assert_uint_eq(k.drawn, 20000);
    k.drawn = 0;
    ck_assert_works(es_torch_randn(&k, &z, be, ES_FLOAT32, &shape, &err), err);
    ck_assert_mem_eq(y.buf->mem, z.buf->mem, 20000 * sizeof(float));
    for (int64_t i = 0; i < 20000; i++) {
        sum += es_torch_get_float(&y, i);
        squares += es_torch_get_float(&y, i) * es_torch_get_float(&y, i);
    }
    ck_assert_double_eq_tol(sum / 20000, 0, 0.03);
    ck_assert_double_eq_tol(squares / 20000, 1, 0.03);
    es_tensor_free(&y);
    es_tensor_free(&z);
    ck_assert_works(es_torch_rand(&k, &y, be, ES_FLOAT32, &shape, &err), err);
    ck_assert_works(es_torch_randint(&k, &z, be, ES_INT64, &shape, -3, 3, &err), err);
    int64_t seen[6] = {0};
    for (int64_t i = 0; i < 20000; i++) {
        double u = es_torch_get_float(&y, i);
        demand(u >= 0 && u < 1, "%g", u);
        seen[es_torch_get_int(&z, i) + 3]++;
    }
    for (int i = 0; i < 6; i++)
        ck_assert_int_gt(seen[i], 3000);
    ck_assert_works(es_torch_randperm(&k, &p, be, ES_INT64, 100, &none, &err), err);
    es_tensor sorted, order;
    ck_assert_works(es_torch_sort(&k, &sorted, &order, &p, 0, false, &err), err);
    for (int64_t i = 0; i < 100; i++)
        demand(es_torch_get_int(&sorted, i) == i, "%d is missing", (int)i);
    es_tensor none_made;
    ck_assert_fails_as(es_torch_rand(&k, &none_made, be, ES_INT64, &shape, &err), err, ES_ERR_DTYPE,
                       "rand draws fractions, which int64 cannot hold",
                       "\"check_uniform_bounds\" not implemented for 'Long'");
    es_tensor_free(&y);
    es_tensor_free(&z);
    es_tensor_free(&p);
    es_tensor_free(&order);
    es_tensor_free(&sorted);
}
END_TEST

/* ---- order ---- */

START_TEST(sort_is_stable_and_nan_is_largest)
{
    es_tensor x = counting(ES_FLOAT32, "2 4"), values, at;
    es_error err = ES_ERROR_NONE;
    memcpy(x.buf->mem, (float[]){2, NAN, -1, 2, 0.5f, -0.0f, 0, -INFINITY}, 32);
    ck_assert_works(es_torch_sort(&k, &values, &at, &x, -1, false, &err), err);
    ck_assert_tensor(&values, "[2, 4] 4 1: -1 2 2 nan -inf -0 0 0.5");
    ck_assert_tensor(&at, "[2, 4] 4 1: 2 0 3 1 3 1 2 0");
    ck_assert_works(es_torch_sort(&k, &values, &at, &x, 1, true, &err), err);
    ck_assert_tensor(&values, "[2, 4] 4 1: nan 2 2 -1 0.5 -0 0 -inf");
    ck_assert_tensor(&at, "[2, 4] 4 1: 1 0 3 2 0 1 2 3");
    ck_assert_works(es_torch_sort(&k, NULL, &at, &x, 0, false, &err), err);
    ck_assert_tensor(&at, "[2, 4] 4 1: 1 1 0 1 0 0 1 0");
    es_tensor_free(&x);
}
END_TEST

START_TEST(topk_is_the_start_of_sort)
{
    uint64_t state = 3;
    es_label K = es_label_named("k");
    es_error err = ES_ERROR_NONE;
    for (int round = 0; round < 300; round++) {
        es_tensor x = counting(ES_INT32, round % 2 ? "3 17 2" : "1 200 1"), v, at, all, where;
        int32_t *numbers = x.buf->mem;
        for (int64_t i = 0; i < es_shape_count(&x.shape); i++)
            numbers[i] = (int32_t)random_below(&state, 12) - 6;
        int64_t n = random_below(&state, 18);
        bool largest = random_below(&state, 2);
        ck_assert_works(es_torch_topk(&k, &v, &at, &x, n, &K, 1, largest, &err), err);
        ck_assert_works(es_torch_sort(&k, &all, &where, &x, 1, largest, &err), err);
        es_tensor first, places;
        ck_assert(es_torch_narrow(&k, &first, &all, 1, 0, n, NULL));
        ck_assert(es_torch_narrow(&k, &places, &where, 1, 0, n, NULL));
        for (int64_t i = 0; i < es_shape_count(&v.shape); i++)
            demand(es_torch_get_int(&v, i) == es_torch_get_int(&first, i) &&
                       es_torch_get_int(&at, i) == es_torch_get_int(&places, i),
                   "round %d, element %d", round, (int)i);
        es_tensor *all_of[] = {&x, &v, &at, &all, &where, &first, &places};
        for (size_t i = 0; i < sizeof all_of / sizeof *all_of; i++)
            es_tensor_free(all_of[i]);
    }
    es_tensor row = counting(ES_FLOAT32, "C=8"), v, at;
    ck_assert_fails_as(es_torch_topk(&k, &v, &at, &row, 9, &K, -1, true, &err), err,
                       ES_ERR_INDEX_RANGE, "the 9 largest of axis 0 are asked for, and it has C=8",
                       "selected index k out of range");
    es_tensor_free(&row);
}
END_TEST

START_TEST(unique_and_bincount_count)
{
    es_tensor x = ints("2 3", (int64_t[]){7, 3, 7, 1, 3, 7}), values, inverse, counts, y;
    es_tensor ids = ints("4", (int64_t[]){3, 0, 3, 1}), w = counting(ES_FLOAT32, "4");
    es_error err = ES_ERROR_NONE;
    es_label V = es_label_named("V");
    ck_assert_works(es_torch_unique(&k, &values, &inverse, &counts, &x, &err), err);
    ck_assert_tensor(&values, "[n=3] 1: 1 3 7");
    ck_assert_tensor(&inverse, "[2, 3] 3 1: 2 1 2 0 1 2");
    ck_assert_tensor(&counts, "[n=3] 1: 1 2 3");
    ck_assert_works(es_torch_bincount(&k, &y, &ids, NULL, 0, &V, &err), err);
    ck_assert_tensor(&y, "[4] 1: 1 1 0 2");
    ck_assert_works(es_torch_bincount(&k, &y, &ids, &w, 5, &V, &err), err);
    ck_assert_tensor(&y, "[V=5] 1: 1 3 0 2 0");
    ((int64_t *)ids.buf->mem)[2] = -3;
    ck_assert_fails_as(es_torch_bincount(&k, &y, &ids, NULL, 0, &V, &err), err, ES_ERR_VALUE,
                       "bincount counts from 0, and there is -3 at [2]",
                       "bincount only supports 1-d non-negative integral inputs.");
    ((int64_t *)ids.buf->mem)[2] = INT64_MAX;
    ck_assert(!es_torch_bincount(&k, &y, &ids, NULL, 0, &V, &err));
    ck_assert_int_eq(err.code, ES_ERR_NOMEM);
    es_error_free(&err);
    es_tensor_free(&x);
    es_tensor_free(&ids);
    es_tensor_free(&w);
}
END_TEST

/* ---- tables ---- */

static int rows_read;

static void numbered_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    rows_read++;
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)(i * 10 + c);
}

static es_tensor weight_of(int64_t rows, const char *label)
{
    es_tensor t;
    es_table *table = es_table_generated(rows, 3, numbered_row, "", 1);
    ck_assert(es_torch_weight(&t, table, be, label, "C"));
    es_table_unref(table);
    rows_read = 0;
    return t;
}

START_TEST(rows_of_a_table_are_read_one_by_one)
{
    es_tensor w = weight_of(100000, "V"), ids = ints("B=1 T=2", (int64_t[]){7, 99999}), y;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_torch_embedding(&k, &y, &w, &ids, "wte", &err), err);
    ck_assert_tensor(&y, "[B=1, T=2, C=3] 6 3 1: 70 71 72 999990 999991 999992");
    ck_assert_works(index_by(&y, &w, BY(ids)), err);
    ck_assert_shape(&y, "[B=1, T=2, C=3]");
    ck_assert_works(index_by(&y, &w, INT(-1)), err);
    ck_assert(es_torch_ready(&k, &y, "", &err) && es_torch_get_float(&y, 1) == 999991.0);
    ck_assert_shape(&y, "[C=3]");
    ck_assert_works(index_by(&y, &w, FROM_TO(5, 9, 2), INT(1)), err);
    ck_assert(es_torch_ready(&k, &y, "", &err));
    ck_assert_tensor(&y, "[V[5:9:2]=2] 6: 51 71");
    ck_assert_int_eq(rows_read, 2 + 2 + 1 + 4);
    ck_assert_ptr_nonnull(es_torch_table_of(&w));
    es_tensor_free(&ids);
    es_tensor_free(&w);
}
END_TEST

START_TEST(rows_of_a_table_stay_views_of_it)
{
    es_tensor w = weight_of(8, "V"), early, other;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(index_by(&early, &w, INT(2)), err);
    ck_assert_works(index_by(&other, &w, FROM_TO(2, 4, 1)), err);
    ck_assert(es_torch_ready(&k, &early, "", &err));
    ck_assert_works(es_torch_own(&early, &err), err);
    ck_assert_int_eq(early.offset, 2 * 3);
    ((float *)early.buf->mem)[early.offset + 1] = -5; /* wte.weight[2][1] = -5 */
    ck_assert_ptr_null(es_torch_table_of(&w));
    ck_assert(es_torch_get_float(&w, 7) == -5.0 && es_torch_get_float(&w, 9) == 30.0);
    ck_assert(es_torch_ready(&k, &other, "", &err) && es_torch_get_float(&other, 1) == -5.0);
    es_tensor_free(&w);
    ck_assert_tensor(&early, "[C=3] 1: 20 -5 22");
    es_tensor_free(&other);
}
END_TEST

START_TEST(writing_leaves_the_table_as_it_was)
{
    es_table *table = es_table_generated(4, 3, numbered_row, "", 1);
    es_tensor w, again, seven = counting(ES_FLOAT32, "");
    es_error err = ES_ERROR_NONE;
    ck_assert(es_torch_weight(&w, table, be, "V", "C") &&
              es_torch_weight(&again, table, be, "V", "C"));
    *(float *)seven.buf->mem = 7;
    ck_assert_works(es_torch_index_put(&k, &w, (es_sub[]){INT(0)}, 1, &seven, &err), err);
    ck_assert(es_torch_get_float(&w, 2) == 7.0 && es_torch_get_float(&w, 3) == 10.0);
    ck_assert(es_torch_ready(&k, &again, "", &err) && es_torch_get_float(&again, 2) == 2.0);
    es_tensor_free(&w);
    es_tensor_free(&again);
    es_tensor_free(&seven);
    es_table_unref(table);
}
END_TEST

START_TEST(bad_ids_name_their_place_and_the_table)
{
    es_tensor w = weight_of(50, "V"), p = weight_of(16, "P"), y;
    es_tensor ids = ints("1 2", (int64_t[]){3, 50}), minus = ints("", (int64_t[]){-1});
    es_tensor places = counting(ES_INT64, "1 17"), f = counting(ES_FLOAT32, "2"),
              b = counting(ES_BOOL, "2");
    es_error err = ES_ERROR_NONE;
    ck_assert(!es_torch_embedding(&k, &y, &w, &ids, "wte", &err));
    ck_assert_str_eq(err.hint, "the largest legal id is V-1 = 49");
    es_error_free(&err);
    ck_assert_fails_as(es_torch_embedding(&k, &y, &w, &ids, "wte", &err), err, ES_ERR_INDEX_RANGE,
                       "id 50 at [0, 1] is outside wte (V=50 rows: 0..49)",
                       "index out of range in self  (on a GPU: device-side assert triggered)");
    ck_assert_fails(es_torch_embedding(&k, &y, &w, &minus, NULL, &err), err, ES_ERR_INDEX_RANGE,
                    "id -1 is outside the table (V=50 rows: 0..49)");
    err = ES_ERROR_NONE;
    ck_assert_fails_as(es_torch_embedding(&k, &y, &p, &places, "wpe", &err), err,
                       ES_ERR_INDEX_RANGE,
                       "position 16 at [0, 16] is outside wpe (P=16 rows: 0..15)",
                       "index out of range in self  (on a GPU: device-side assert triggered)");
    ck_assert_fails_as(
        es_torch_embedding(&k, &y, &w, &f, "wte", &err), err, ES_ERR_DTYPE,
        "ids are whole numbers, int64 or int32, and these are float32",
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got torch.FloatTensor instead (while checking arguments for embedding)");
    ck_assert_fails_as(
        es_torch_embedding(&k, &y, &w, &b, "wte", &err), err, ES_ERR_DTYPE,
        "ids are whole numbers, int64 or int32, and these are bool",
        "Expected tensor for argument #1 'indices' to have one of the following scalar types: "
        "Long, Int; but got CPUBoolType instead (while checking arguments for embedding)");
    es_tensor_free(&w);
    es_tensor_free(&p);
    es_tensor_free(&ids);
    es_tensor_free(&minus);
    es_tensor_free(&places);
    es_tensor_free(&f);
    es_tensor_free(&b);
}
END_TEST

START_TEST(what_does_not_fit_is_refused_before_it_is_read)
{
    es_tensor w = weight_of(50, "V"), one = counting(ES_INT64, "1"), ids, y, at;
    es_error err = ES_ERROR_NONE;
    es_shape wide = shape_of("1099511627776");
    ck_assert_works(es_torch_expand(&k, &ids, &one, &wide, &err), err);
    ck_assert_fails(es_torch_embedding(&k, &y, &w, &ids, "wte", &err), err, ES_ERR_NOMEM,
                    "[1099511627776, C=3] of float32 would take 1.229e+04 GiB; at most 1 are "
                    "allowed here");
    ck_assert(!index_by(&y, &w, BY(ids)) && err.code == ES_ERR_NOMEM);
    es_error_free(&err);
    ck_assert(!es_torch_sort(&k, &y, &at, &ids, 0, false, &err) && err.code == ES_ERR_NOMEM);
    es_error_free(&err);
    ck_assert(!es_torch_gather(&k, &y, &ids, 0, &ids, &err) && err.code == ES_ERR_NOMEM);
    es_error_free(&err);
    ck_assert(!es_torch_flip(&k, &y, &ids, (int[]){0}, 1, &err) && err.code == ES_ERR_NOMEM);
    es_error_free(&err);
    es_tensor_free(&w);
    es_tensor_free(&one);
    es_tensor_free(&ids);
}
END_TEST

START_TEST(one_hot_has_a_one_for_each_id)
{
    es_tensor ids = ints("T=2", (int64_t[]){0, 2}), bad = ints("1", (int64_t[]){-1}), y;
    es_tensor f = counting(ES_FLOAT32, "2"), none = counting(ES_INT64, "0");
    es_error err = ES_ERROR_NONE;
    es_label V = es_label_named("V");
    ck_assert_works(es_torch_one_hot(&k, &y, &ids, 4, &V, &err), err);
    ck_assert_tensor(&y, "[T=2, V=4] 4 1: 1 0 0 0 0 0 1 0");
    ck_assert_works(es_torch_one_hot(&k, &y, &ids, -1, NULL, &err), err);
    ck_assert_tensor(&y, "[T=2, 3] 3 1: 1 0 0 0 0 1");
    ck_assert_fails_as(es_torch_one_hot(&k, &y, &ids, 2, NULL, &err), err, ES_ERR_INDEX_RANGE,
                       "id 2 at [1] is none of 2 classes: 0..1",
                       "Class values must be smaller than num_classes.");
    ck_assert_fails_as(es_torch_one_hot(&k, &y, &bad, -1, NULL, &err), err, ES_ERR_INDEX_RANGE,
                       "id -1 at [0] is below 0, and no class is",
                       "Class values must be non-negative.");
    ck_assert_fails_as(es_torch_one_hot(&k, &y, &f, -1, NULL, &err), err, ES_ERR_DTYPE,
                       "one_hot takes ids of int64, and these are float32",
                       "one_hot is only applicable to index tensor.");
    ck_assert_fails_as(es_torch_one_hot(&k, &y, &none, -1, NULL, &err), err, ES_ERR_VALUE,
                       "there are no ids, so the number of classes must be given",
                       "Can not infer total number of classes from empty tensor.");
    es_tensor_free(&ids);
    es_tensor_free(&bad);
    es_tensor_free(&f);
    es_tensor_free(&none);
}
END_TEST

START_TEST(shapes_alone_need_no_memory)
{
    es_tensor w = weight_of(50, "V"), ids, mask, y;
    es_error err = ES_ERROR_NONE;
    k.shapes_only = true;
    ids = counting(ES_INT64, "B=100000 T=100000");
    mask = counting(ES_BOOL, "B=100000");
    ck_assert_works(es_torch_embedding(&k, &y, &w, &ids, "wte", &err), err);
    ck_assert(es_torch_meta(&y));
    ck_assert_shape(&y, "[B=100000, T=100000, C=3]");
    ck_assert_works(index_by(&y, &w, BY(ids)), err);
    ck_assert_shape(&y, "[B=100000, T=100000, C=3]");
    ck_assert_works(index_by(&y, &ids, INT(3), BY(ids)), err);
    ck_assert_shape(&y, "[B=100000, T=100000]");
    ck_assert_fails(index_by(&y, &ids, BY(mask)), err, ES_ERR_VALUE,
                    "indexing by a mask needs values, and only shapes are known here");
    ck_assert_int_eq(rows_read, 0);
    es_tensor_free(&w);
    es_tensor_free(&ids);
    es_tensor_free(&mask);
}
END_TEST

Suite *torch_shapes_suite(void)
{
    Suite *s = suite_create("torch_shapes");
    TCase *tc = tcase_create("shapes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, view_names_axes_by_their_place_in_the_factors);
    tcase_add_test(tc, view_says_why_not);
    tcase_add_test(tc, reshape_keeps_the_order_of_numbers);
    tcase_add_test(tc, axes_move_with_names_and_strides);
    tcase_add_test(tc, axes_that_are_not_there_are_refused);
    tcase_add_test(tc, parts_are_named_after_the_whole);
    tcase_add_test(tc, integers_slices_and_none_are_views);
    tcase_add_test(tc, bad_subscripts_name_axis_and_range);
    tcase_add_test(tc, index_tensors_put_their_axes_in_place);
    tcase_add_test(tc, random_subscripts_read_what_they_say);
    tcase_add_test(tc, what_is_put_is_what_is_read);
    tcase_add_test(tc, picking_along_an_axis);
    tcase_add_test(tc, cat_adds_up_sizes_and_names);
    tcase_add_test(tc, what_cannot_be_joined_is_told_apart);
    tcase_add_test(tc, repeated_flipped_rolled_padded);
    tcase_add_test(tc, arange_counts_as_pytorch_does);
    tcase_add_test(tc, a_seed_gives_the_same_numbers_again);
    tcase_add_test(tc, sort_is_stable_and_nan_is_largest);
    tcase_add_test(tc, topk_is_the_start_of_sort);
    tcase_add_test(tc, unique_and_bincount_count);
    tcase_add_test(tc, rows_of_a_table_are_read_one_by_one);
    tcase_add_test(tc, rows_of_a_table_stay_views_of_it);
    tcase_add_test(tc, writing_leaves_the_table_as_it_was);
    tcase_add_test(tc, bad_ids_name_their_place_and_the_table);
    tcase_add_test(tc, what_does_not_fit_is_refused_before_it_is_read);
    tcase_add_test(tc, one_hot_has_a_one_for_each_id);
    tcase_add_test(tc, shapes_alone_need_no_memory);
    suite_add_tcase(s, tc);
    return s;
}
