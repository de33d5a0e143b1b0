// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors as a module's parameters: what is assigned to, written into, drawn at random, and what stays. */
#include <string.h>

#include "base/mem.h"
#include "language.h"
#include "support.h"
#include "torch/make.h"
#include "torch/weight.h"

Suite *parameters_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

typedef struct line {
    const char *source, *shown;
} line;

static void check_lines(const line *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = language_says(&l, of[i].source);
        demand(!strcmp(shown, of[i].shown), "%s\n  shows: %s\n  not:   %s", of[i].source, shown,
               of[i].shown);
    }
}

#define CHECK_LINES(...)                                                                           \
    do {                                                                                           \
        const line lines[] = {__VA_ARGS__};                                                        \
        check_lines(lines, sizeof lines / sizeof *lines);                                          \
    } while (0)

/* What goes wrong, and PyTorch's words for it. */
typedef struct slip {
    const char *source, *says, *torch;
} slip;

static void check_slips(const slip *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *shown = language_says(&l, of[i].source);
        demand(!strcmp(shown, of[i].says), "%s\n  says: %s\n  not:  %s", of[i].source, shown,
               of[i].says);
        const char *torch = l.err.torch ? l.err.torch : "";
        demand(!strcmp(torch, of[i].torch), "%s\n  PyTorch: %s\n  not:     %s", of[i].source, torch,
               of[i].torch);
    }
}

#define CHECK_SLIPS(...)                                                                           \
    do {                                                                                           \
        const slip slips[] = {__VA_ARGS__};                                                        \
        check_slips(slips, sizeof slips / sizeof *slips);                                          \
    } while (0)

/* ---- random numbers, late ---- */

static es_tensor drawn(es_torch *k, int64_t rows, int64_t C, const es_drawing *how)
{
    es_error err = ES_ERROR_NONE;
    es_tensor t;
    es_shape shape = es_shape_2d("V", rows, "C", C);
    ck_assert_works(es_torch_drawn(k, &t, k->be, ES_FLOAT32, &shape, how, &err), err);
    return t;
}

START_TEST(a_random_table_costs_nothing_until_it_is_looked_at)
{
    es_torch *k = es_interp_torch(l.in);
    size_t before = l.be->in_use;
    es_tensor t = drawn(k, 50000, 300, &(es_drawing){.by = 1});
    ck_assert_uint_eq(l.be->in_use, before);
    ck_assert_uint_eq(k->drawn, 50000 * 300);
    const int64_t rows[] = {0, 49999, 7};
    es_tensor some;
    ck_assert(es_torch_gather_rows(k, &some, &t, rows, 3, NULL));
    ck_assert_uint_eq(l.be->in_use, before + 3 * 300 * sizeof(float));
    es_tensor_free(&some);
    es_tensor_free(&t);
}
END_TEST

START_TEST(rows_alone_are_the_rows_of_the_whole)
{
    es_torch *k = es_interp_torch(l.in);
    const es_drawing how[] = {{.by = 1},
                              {.from = 2, .by = 0.02},
                              {.uniform = true, .from = -0.5, .by = 1},
                              {.by = 1, .zero_row = 3},
                              {.uniform = true, .by = 1, .zero_row = 1}};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        es_tensor t = drawn(k, 1301, 257, &how[i]), row; /* enough for more threads than one */
        float *alone = es_alloc_array(1301 * 257, sizeof *alone);
        for (int64_t r = 0; r < 1301; r++) {
            ck_assert(es_torch_gather_rows(k, &row, &t, &r, 1, NULL));
            memcpy(alone + r * 257, row.buf->mem, 257 * sizeof *alone);
            es_tensor_free(&row);
        }
        ck_assert(es_torch_ready(k, &t, "a test", NULL));
        demand(!memcmp(alone, t.buf->mem, 1301 * 257 * sizeof *alone), "drawing %zu", i);
        bool zero = alone[2 * 257] == 0 && alone[2 * 257 + 256] == 0;
        demand(zero == (how[i].zero_row == 3), "row 2 of drawing %zu", i);
        free(alone);
        es_tensor_free(&t);
    }
}
END_TEST

START_TEST(a_late_table_has_the_numbers_of_randn_and_the_next_ones_follow)
{
    CHECK_LINES(
        {"torch.manual_seed(5)\na = torch.randn(4, 3)\nnext = torch.rand(2)", ""},
        {"torch.manual_seed(5)\nw = nn.Embedding(4, 3)\nthen = torch.rand(2)", ""},
        {"torch.equal(w.weight, a), torch.equal(next, then)", "(True, True)"},
        {"torch.manual_seed(5)\nw = nn.Embedding(4, 3, padding_idx=-3)", ""},
        {"w.weight[1].tolist(), torch.equal(w.weight[2:], a[2:])", "([0.0, 0.0, 0.0], True)"},
        {"torch.equal(torch.rand(2), next)", "True"});
}
END_TEST

START_TEST(writing_random_numbers_into_a_table_makes_it_late_again)
{
    CHECK_LINES({"w = nn.Embedding(5000, 300)\nat = w.weight.data_ptr()", ""},
                {"with torch.no_grad():\n    w.weight.normal_(std=0.02);", ""});
    size_t before = l.be->in_use;
    CHECK_LINES({"w.weight.data_ptr() == at", "True"}, {"r = w(torch.tensor([4999]));", ""});
    ck_assert_uint_lt(l.be->in_use, before + 5000 * 300);
}
END_TEST

START_TEST(what_shares_memory_sees_random_numbers_too)
{
    CHECK_LINES(
        {"a = torch.zeros(2, 3)\nb = a[1]\nc = a.T", ""},
        {"a.normal_() is a, bool((b == a[1]).all()), torch.equal(c, a.T)", "(True, True, True)"},
        {"b.uniform_(5, 6) is b, bool((a[1] >= 5).all()), bool((a[0] < 5).all())",
         "(True, True, True)"},
        {"a.double().uniform_(2, 2)[0].tolist()", "[2.0, 2.0, 2.0]"});
    CHECK_SLIPS({"a.normal_(0, -1)", "error[value]: a deviation is not below 0, and this is -1",
                 "normal expects std >= 0.0, but found std -1"},
                {"a.uniform_(2, 1)", "error[value]: there are no numbers from 2 to below 1",
                 "uniform_ expects to return a [from, to) range, but found from=2 > to=1"},
                {"torch.arange(3).normal_()",
                 "error[dtype]: normal_ draws fractions, which int64 cannot hold",
                 "\"normal_kernel_cpu\" not implemented for 'Long'"});
}
END_TEST

/* ---- data ---- */

START_TEST(data_shares_the_memory_and_is_no_parameter)
{
    CHECK_LINES({"w = nn.Embedding(3, 2)\np = w.weight", ""},
                {"p.data.data_ptr() == p.data_ptr(), p.data.requires_grad, p.requires_grad",
                 "(True, False, True)"},
                {"p.data += 1\np.data *= 0\np.data.fill_(2);", ""},
                {"p.tolist()", "[[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]"}, {"p.detach().zero_();", ""},
                {"w.weight.sum().item()", "0.0"}, {"p.grad, p.is_leaf", "(None, True)"});
    ck_assert_str_eq(es_str_text(&l.noted), "");
}
END_TEST

START_TEST(data_is_given_another_tensor)
{
    CHECK_LINES({"w = nn.Embedding(V, C)\np = w.weight", ""},
                {"t = torch.ones(50, 8)\np.data = t", ""}, {"w.weight.shape == t.shape", "True"},
                {"t[0] = 5\np[0, 0].item(), type(p), p.requires_grad",
                 "(5.0, <class 'torch.nn.Parameter'>, True)"},
                {"p.data = t[:2]\nw(torch.tensor([1])).shape", "torch.Size([1, 8])"});
    CHECK_SLIPS({"p.data = 3", "error[type]: the data of a tensor is a tensor, not 'int'",
                 "Variable data has to be a tensor, but got int"},
                {"p.data = torch.arange(3)",
                 "error[dtype]: what is trained has fractions, and these numbers are int64",
                 "data set to a tensor that requires gradients must be floating point or complex "
                 "dtype"});
}
END_TEST

START_TEST(what_follows_from_a_tensor_is_not_assigned_to)
{
    CHECK_LINES({"x = torch.zeros(2, 3)\nx.grad = None", ""});
    CHECK_SLIPS({"x.shape = (3, 2)",
                 "error[name]: the shape of a tensor follows from it, and is not assigned to",
                 "attribute 'shape' of 'torch._C._TensorBase' objects is not writable"},
                {"x.grad = x", "error[unsupported]: no gradients are kept here: grad is None", ""},
                {"x.mine = 1", "error[unsupported]: a tensor keeps nothing called mine here", ""});
}
END_TEST

START_TEST(requires_grad_is_what_it_was_told)
{
    CHECK_LINES(
        {"p = nn.Embedding(1, 2).weight\np.data = torch.ones(1, 2)", ""}, {"print(p)", ""},
        {"p.requires_grad = False", ""},
        {"p.requires_grad, p.requires_grad_() is p, p.requires_grad", "(False, True, True)"},
        {"x = torch.ones(2)\nx.requires_grad_(True) is x, x", "(True, tensor([1., 1.], "
                                                              "requires_grad=True))"});
    CHECK_SLIPS({"torch.arange(3).requires_grad_()",
                 "error[dtype]: whole numbers are not trained, and these are int64",
                 "only Tensors of floating point and complex dtype can require gradients"},
                {"x.requires_grad = 1", "error[type]: requires_grad is True or False, not 'int'",
                 "requires_grad must be a bool"});
}
END_TEST

START_TEST(a_trial_leaves_a_tensor_as_it_was)
{
    CHECK_LINES({"p = nn.Embedding(3, 2).weight\nat = p.data_ptr()\np.data.fill_(1);", ""});
    static const char *const tried[] = {
        "p.data = torch.zeros(7)",
        "p.requires_grad = False",
        "p.data = p.data[:1]\np.zero_()",
        "p.normal_()",
        "p.data += 1",
        "p.copy_(torch.zeros(2))",
        "p.data = torch.zeros(1)\np.data = torch.zeros(2)\np.nothing",
    };
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        es_unit *unit = es_parse(tried[i], strlen(tried[i]), NULL);
        es_value v;
        if (es_interp_type(l.in, unit, &v, NULL))
            es_value_unref(&v);
        es_unit_unref(unit);
        const char *shown = language_says(
            &l, "p.requires_grad, p.data_ptr() == at, p.tolist() == [[1, 1], [1, 1], [1, 1]]");
        demand(!strcmp(shown, "(True, True, True)"), "%s: %s", tried[i], shown);
    }
}
END_TEST

START_TEST(a_trial_sees_what_it_assigned)
{
    CHECK_LINES({"p = nn.Embedding(3, 2).weight", ""});
    es_unit *unit = es_parse("p.data = torch.zeros(7, 4)\np.shape[1]", 37, NULL);
    es_value v;
    ck_assert_ptr_nonnull(unit);
    ck_assert(es_interp_type(l.in, unit, &v, NULL));
    ck_assert_int_eq(v.u.i, 4);
    es_value_unref(&v);
    es_unit_unref(unit);
}
END_TEST

/* ---- writing ---- */

START_TEST(copy_stretches_casts_and_crosses_devices)
{
    CHECK_LINES(
        {"x = torch.zeros(2, 3)\nx.copy_(torch.tensor([1, 2, 3])) is x, x.tolist()",
         "(True, [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])"},
        {"i = torch.zeros(2, dtype=torch.long)\ni.copy_(torch.tensor([1.9, -1.9])).tolist()",
         "[1, -1]"},
        {"w = nn.Embedding(V, C)\nwith torch.no_grad():\n    w.weight.copy_(wte.weight);", ""},
        {"torch.equal(w(ids), wte(ids))", "True"});
    CHECK_SLIPS({"x.copy_(torch.zeros(4))",
                 "error[broadcast]: [4] does not stretch to [2, 3], where it is to be written",
                 "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
                 "dimension 1"},
                {"torch.zeros(3).copy_(torch.zeros(1, 3))",
                 "error[broadcast]: [1, 3] does not stretch to [3], where it is to be written",
                 "output with shape [3] doesn't match the broadcast shape [1, 3]"});
}
END_TEST

/* What is said when the first of these lines has run, and then the second. */
static void check_notes(const char *first, const char *then, const char *note)
{
    language_run(&l, first);
    demand(!strcmp(es_str_text(&l.noted), ""), "%s: %s", first, es_str_text(&l.noted));
    language_run(&l, then);
    demand(!strcmp(es_str_text(&l.noted), note), "%s: %s", then, es_str_text(&l.noted));
}

#define REFUSED                                                                                    \
    "written, but PyTorch wants \"with torch.no_grad():\" around this: outside it says \"a leaf "  \
    "Variable that requires grad is being used in an in-place operation.\"\n"

START_TEST(a_parameter_written_into_is_noted_once)
{
    check_notes("p = nn.Embedding(3, 2).weight\nwith torch.no_grad():\n    p.zero_()\n    p[0] = 1",
                "p.copy_(torch.ones(2))", REFUSED);
    check_notes("p.zero_()\np += 1", "p[0] = 3", "");
}
END_TEST

START_TEST(every_way_to_write_is_noted)
{
    static const char *const written[] = {"p.zero_()", "p.fill_(1)",  "p.normal_()", "p[0] = 1",
                                          "p += 1",    "p.clamp_(0)", "p.uniform_()"};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        es_interp_clear(l.in);
        check_notes("@torch.no_grad()\ndef f(p):\n    p.zero_()\n    p += 1\n"
                    "p = nn.Embedding(3, 2).weight\nf(p)\np.data.zero_();\np.detach()[0] = 1",
                    written[i], REFUSED);
    }
}
END_TEST

Suite *parameters_suite(void)
{
    Suite *s = suite_create("parameters");
    TCase *tc = tcase_create("parameters");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_random_table_costs_nothing_until_it_is_looked_at);
    tcase_add_test(tc, rows_alone_are_the_rows_of_the_whole);
    tcase_add_test(tc, a_late_table_has_the_numbers_of_randn_and_the_next_ones_follow);
    tcase_add_test(tc, writing_random_numbers_into_a_table_makes_it_late_again);
    tcase_add_test(tc, what_shares_memory_sees_random_numbers_too);
    tcase_add_test(tc, data_shares_the_memory_and_is_no_parameter);
    tcase_add_test(tc, data_is_given_another_tensor);
    tcase_add_test(tc, what_follows_from_a_tensor_is_not_assigned_to);
    tcase_add_test(tc, requires_grad_is_what_it_was_told);
    tcase_add_test(tc, a_trial_leaves_a_tensor_as_it_was);
    tcase_add_test(tc, a_trial_sees_what_it_assigned);
    tcase_add_test(tc, copy_stretches_casts_and_crosses_devices);
    tcase_add_test(tc, a_parameter_written_into_is_noted_once);
    tcase_add_test(tc, every_way_to_write_is_noted);
    suite_add_tcase(s, tc);
    return s;
}
