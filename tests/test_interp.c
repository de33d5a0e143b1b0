// SPDX-License-Identifier: GPL-3.0-or-later
/* What statements mean: Python's semantics as far as they go, names of sizes, errors and their places. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "language.h"
#include "support.h"

Suite *interp_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

/* Source, and what is shown for it, one run after another in one world. */
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

/* What goes wrong: the message, the part that is pointed at, and PyTorch's or Python's words (NULL: none). */
typedef struct slip {
    const char *source, *says, *place, *torch;
} slip;

static void check_slips(const slip *of, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *s = of[i].source, *shown = language_says(&l, s);
        demand(!strcmp(shown, of[i].says), "%s\n  says: %s\n  not:  %s", s, shown, of[i].says);
        const char *place = language_place(&l, s);
        demand(!strcmp(place, of[i].place), "%s\n  points at: %s\n  not:       %s", s, place,
               of[i].place);
        const char *torch = l.err.torch ? l.err.torch : "", *want = of[i].torch ? of[i].torch : "";
        demand(!strcmp(torch, want), "%s\n  PyTorch: %s\n  not:     %s", s, torch, want);
    }
}

#define CHECK_SLIPS(...)                                                                           \
    do {                                                                                           \
        const slip slips[] = {__VA_ARGS__};                                                        \
        check_slips(slips, sizeof slips / sizeof *slips);                                          \
    } while (0)

/* ---- numbers ---- */

START_TEST(ints_divide_towards_minus_infinity)
{
    CHECK_LINES({"7 // 2, -7 // 2, 7 // -2, -7 // -2", "(3, -4, -4, 3)"},
                {"7 % 3, -7 % 3, 7 % -3, -7 % -3", "(1, 2, -2, -1)"},
                {"7.5 // 2, -7.5 // 2, -7.5 % 2, 7.5 % -2", "(3.0, -4.0, 0.5, -0.5)"},
                {"1 / 2, 4 / 2, 2 ** 10, 2 ** -1, (-2) ** 3", "(0.5, 2.0, 1024, 0.5, -8)"},
                {"-9223372036854775807 - 1", "-9223372036854775808"},
                {"5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 4, -16 >> 2", "(1, 7, 6, -6, 16, -4)"},
                {"True + True, True & False, True and 2, not 0, -True", "(2, False, 2, True, -1)"});
}
END_TEST

START_TEST(ints_that_outgrow_64_bits_say_so)
{
    CHECK_SLIPS({"9223372036854775807 + 1",
                 "error[range]: 9223372036854775807 + 1 does not fit 64 bits; Python would go on",
                 "9223372036854775807 + 1", NULL},
                {"1 + 10 ** 19", "error[range]: 10 ** 19 does not fit 64 bits; Python would go on",
                 "10 ** 19", NULL},
                {"1 << 63", "error[range]: 1 << 63 does not fit 64 bits; Python would go on",
                 "1 << 63", NULL},
                {"-(-9223372036854775807 - 1)",
                 "error[range]: -(-9223372036854775808) does not fit 64 bits; Python would go on",
                 "-(-9223372036854775807 - 1)", NULL});
}
END_TEST

START_TEST(comparisons_chain_and_short_circuit)
{
    CHECK_LINES({"1 < 2 < 3, 1 < 3 < 2, 3 > 2 == 2", "(True, False, True)"},
                {"1 > 2 < nothing_like_it", "False"}, {"0 and nothing_like_it", "0"},
                {"1 or nothing_like_it", "1"}, {"[] or 0 or 'a'", "'a'"},
                {"1 == 1.0, 'a' == 1, (1, 2) == (1, 2), [1] == (1,)", "(True, False, True, False)"},
                {"9007199254740993 == 9007199254740992.0", "False"},
                {"(1, 2) < (1, 3), [2] > [1, 9], 'a' < 'b'", "(True, True, True)"},
                {"2 in [1, 2], 'b' in 'abc', 3 in (1, 2), 4 not in range(0, 9, 2)",
                 "(True, True, False, False)"},
                {"7 in ids, 9 in ids", "(True, False)"},
                {"None is None, ids.dtype is torch.int64, 'a' if 0 else 'b'", "(True, True, 'b')"},
                {"ids.shape == (2, 5), type(1) == int, isinstance(ids, torch.Tensor)",
                 "(True, True, True)"});
}
END_TEST

START_TEST(strings_and_sequences_join_and_repeat)
{
    CHECK_LINES(
        {"'a' + 'b' * 3", "'abbb'"}, {"[1] + [2] * 2", "[1, 2, 2]"}, {"(1,) * 0", "()"},
        {"ids.shape + (3,)", "torch.Size([2, 5, 3])"}, {"'näh'[1], 'abc'[::-1]", "('ä', 'cba')"},
        {"[1, 2, 3][-1], (1, 2, 3)[1:], ids.shape[-1:]", "(3, (2, 3), torch.Size([5]))"},
        {"range(10)[2:8:2], list(range(5, 0, -2))", "(range(2, 8, 2), [5, 3, 1])"},
        {"{'a': 1, 'b': 2}['b']", "2"}, {"f'{1 + 1} {3.14159:.2f} {\"x\"!r}'", "\"2 3.14 'x'\""});
}
END_TEST

START_TEST(what_would_fill_the_memory_is_refused)
{
    CHECK_SLIPS({"'a' * 10 ** 12",
                 "error[nomem]: 1000000000000 bytes are more than a string may have here: 67108864",
                 "'a' * 10 ** 12", NULL});
    ck_assert(!language_run(&l, "[0] * 10 ** 12"));
    ck_assert_int_eq(l.err.code, ES_ERR_NOMEM);
    ck_assert(!language_run(&l, "list(range(10 ** 12))"));
    ck_assert_int_eq(l.err.code, ES_ERR_NOMEM);
}
END_TEST

/* ---- names of sizes ---- */

START_TEST(sizes_that_cannot_be_counted_are_refused)
{
    CHECK_SLIPS(
        {"torch.zeros(2 ** 32, 2 ** 32, 0)",
         "error[nomem]: [4294967296, 4294967296, 0] is more numbers than can be counted",
         "torch.zeros(2 ** 32, 2 ** 32, 0)", NULL},
        {"torch.tensor(range(10 ** 12))",
         "error[nomem]: [1000000000000] of int64 would take 7451 GiB; at most 0.0625 are allowed "
         "here",
         "range(10 ** 12)", NULL},
        {"x = [1] * 10 ** 5\nx = [x] * 10 ** 5\ntorch.tensor([x] * 10 ** 5)",
         "error[nomem]: [100000, 100000, 100000] of int64 would take 7.451e+06 GiB; at most "
         "0.0625 are allowed here",
         "[x] * 10 ** 5", NULL},
        {"F.one_hot(torch.tensor(2 ** 62 - 1 + 2 ** 62))",
         "error[nomem]: id 9223372036854775807 has more classes before it than can be counted",
         "F.one_hot(torch.tensor(2 ** 62 - 1 + 2 ** 62))", NULL},
        {"ids[torch.tensor([2 ** 62 - 1 + 2 ** 62])]",
         "error[index_range]: index 9223372036854775807 at [0] is outside axis 0 (B=2): 0..1, or "
         "from the end -1..-2",
         "2 ** 62 - 1 + 2 ** 62",
         "index 9223372036854775807 is out of bounds for dimension 0 with size 2"},
        {"len(range(-2 ** 62, 2 ** 62))", "error[range]: this range is longer than 64 bits can say",
         "len(range(-2 ** 62, 2 ** 62))",
         "OverflowError: Python int too large to convert to C ssize_t"});
}
END_TEST

START_TEST(names_of_axes_are_identifiers)
{
    CHECK_SLIPS(
        {"ids.rename('B', '\\x1b[2J')",
         "error[value]: \"\\x1b[2J\" is no name for an axis: letters, digits and _, no digit first",
         "ids.rename('B', '\\x1b[2J')",
         "Invalid name: a valid identifier contains only digits, alphabetical characters, and/or "
         "underscore and starts with a non-digit. got: '\\x1b[2J'."},
        {"ids[0].rename('T\\0x')",
         "error[type]: rename(): argument 'names' must be str without NUL, not str", "'T\\0x'",
         NULL});
}
END_TEST

START_TEST(a_size_remembers_its_axis)
{
    CHECK_LINES({"B, T = ids.shape", ""}, {"T", "(T) 5"}, {"2 * T", "(2T) 10"},
                {"T - 1", "(T-1) 4"}, {"1 + T", "(T+1) 6"}, {"B * T", "(B·T) 10"},
                {"C // 4", "(C/4) 2"}, {"C // 3", "2"}, {"T % 2", "1"}, {"-T", "-5"},
                {"T / 5", "1.0"}, {"B + T", "(B+T) 7"}, {"ids.size(1)", "(T) 5"},
                {"len(ids)", "(B) 2"}, {"min(T, 3)", "3"});
}
END_TEST

START_TEST(a_capital_name_names_a_number_that_has_none)
{
    CHECK_LINES({"N, HEADS, h = 3, 4, 5", ""}, {"N", "(N) 3"}, {"HEADS", "(HEADS) 4"}, {"h", "5"},
                {"B, T = ids.shape\nS = T", ""}, {"S", "(T) 5"}, {"VERYLONGNAME = 3", ""},
                {"VERYLONGNAME", "3"}, {"N = True\nN", "True"}, {"def f(K): return K", ""},
                {"f(2)", "(K) 2"});
}
END_TEST

START_TEST(a_slice_leaves_its_text_in_the_name_of_the_axis)
{
    CHECK_LINES({"ids[:, :3].shape[1]", "(T[:3]) 3"},
                {"T = 2\nids[:, : T - 1].shape[1]", "(T[:T-1]) 1"}, {"ids[:, :].shape[1]", "(T) 5"},
                {"ids[0].shape[0]", "(T) 5"}, {"ids[:, None].shape[1]", "1"});
}
END_TEST

/* ---- variables ---- */

START_TEST(assignment_shares_and_does_not_copy)
{
    CHECK_LINES({"a = [1]\nb = a\nb.append(2)\na", "[1, 2]"}, {"a is b", "True"},
                {"a += [3]\nb", "[1, 2, 3]"}, {"a = a + [4]\nb", "[1, 2, 3]"},
                {"n = 1\nm = n\nm += 1\nn", "1"}, {"c = d = []\nc.append(1)\nd", "[1]"},
                {"a, b = b, a\nb", "[1, 2, 3, 4]"});
}
END_TEST

START_TEST(a_name_given_within_an_expression_is_that_of_the_function_around)
{
    CHECK_LINES(
        {"(n := 10) > 5, n", "(True, 10)"}, {"[y := 1, y + 1], y", "([1, 2], 1)"},
        {"[last := i for i in range(3)], last", "([0, 1, 2], 2)"},
        {"while (n := n - 1) > 7:\n    pass\nn", "7"},
        {"def f(xs):\n    total = 0\n    return [total := total + x for x in xs], total\nf([1, 2, "
         "3])",
         "([1, 3, 6], 6)"},
        {"def f():\n    k = 1\n    def g():\n        nonlocal k\n        return (k := k + 1)\n"
         "    return g(), k\nf()",
         "(2, 2)"},
        {"(lambda: (v := 3) + v)()", "6"}, {"f'{(q := 5)}', q", "('5', 5)"},
        {"[i := 0 for i in range(2)]", "error[parse]: assignment expression cannot rebind "
                                       "comprehension iteration variable 'i'"},
        {"class A:\n    a = [b := 3 for _ in range(2)]",
         "error[parse]: assignment expression within a comprehension cannot be used in a class "
         "body"});
}
END_TEST

START_TEST(tensors_change_in_place_under_all_their_names)
{
    CHECK_LINES({"y = ids[0].float()\nz = y\nv = y[1:3]\ny += 1\nz",
                 "[T=5] tensor([ 4.,  8.,  2.,  8., 50.])"},
                {"v", "[T[1:3]=2] tensor([8., 2.])"},
                {"v *= 10\ny", "[T=5] tensor([ 4., 80., 20.,  8., 50.])"},
                {"y[0] = 7\ny[-2:] = 0\nz", "[T=5] tensor([ 7., 80., 20.,  0.,  0.])"},
                {"y[1:3] += 1\nz", "[T=5] tensor([ 7., 81., 21.,  0.,  0.])"},
                {"y[y > 20] -= 20\nz", "[T=5] tensor([ 7., 61.,  1.,  0.,  0.])"},
                {"y[[0, 2]] += 1\nz", "[T=5] tensor([ 8., 61.,  2.,  0.,  0.])"},
                {"y is z", "True"}, {"y = y + 1\ny is z", "False"});
}
END_TEST

START_TEST(methods_with_an_underscore_write_into_their_tensor)
{
    CHECK_LINES({"y = ids[0].float()\nz = y[:2]\ny.clamp_(2, 7)\nz",
                 "[T=5] tensor([3., 7., 2., 7., 7.])\n[T[:2]=2] tensor([3., 7.])"},
                {"y.fill_(4)[0]; z.zero_(); y",
                 "[] tensor(4.)\n[T[:2]=2] tensor([0., 0.])\n[T=5] tensor([0., 0., 4., 4., 4.])"},
                {"z.copy_(ids[1, :2]) is z, y", "(True, tensor([0., 2., 4., 4., 4.]))"});
    CHECK_SLIPS({"y.fill_(z)", "error[type]: fill_ takes one number, not a tensor of rank 1", "z",
                 "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions."});
}
END_TEST

START_TEST(a_float_does_not_go_into_ints_in_place)
{
    CHECK_SLIPS({"y = ids\ny += 0.5",
                 "error[dtype]: the result is float32, and does not go into a tensor of int64",
                 "y += 0.5", "result type Float can't be cast to the desired output type Long"});
}
END_TEST

START_TEST(names_are_found_from_inside_out)
{
    CHECK_LINES(
        {"n = 1\ndef f():\n    n = 2\n    def g():\n        return n\n    return g()\nf(), n",
         "(2, 1)"},
        {"def f():\n    global n\n    n = 5\nf()\nn", "5"},
        {"def count():\n    k = 0\n    def up():\n        nonlocal k\n        k += 1\n        "
         "return k\n    return up\nc = count()\nc(); c()\nc()",
         "1\n2\n3"},
        {"fs = [lambda: i for i in range(3)]\nfs[0]()", "2"},
        {"[i for i in range(3)]; i = 9\ni", "[0, 1, 2]\n9"}, {"len = 3\nlen", "3"},
        {"del len\nlen([1])", "1"}, {"ids = 4\nids", "4"},
        {"del ids\nids.shape", "torch.Size([2, 5])"});
}
END_TEST

START_TEST(a_name_without_a_value_is_explained)
{
    CHECK_SLIPS(
        {"1 + nothing", "error[name]: nothing is called nothing here", "nothing",
         "name 'nothing' is not defined"},
        {"def f():\n    k += 1\nf()", "error[name]: k has no value yet", "k",
         "cannot access local variable 'k' where it is not associated with a value"},
        {"del nothing", "error[name]: nothing is called nothing here", "nothing",
         "name 'nothing' is not defined"},
        {"pos_emb", "error[value]: there is no text yet", "pos_emb", NULL},
        {"torch.conv2dd(ids)", "error[name]: torch has nothing called conv2dd", "torch.conv2dd",
         "module 'torch' has no attribute 'conv2dd'"},
        {"torch.conv2d(ids)", "error[unsupported]: PyTorch has conv2d, but it is not done here",
         "torch.conv2d", NULL},
        {"ids.squeeze_()", "error[unsupported]: PyTorch has .squeeze_, but it is not done here",
         "ids.squeeze_", NULL},
        {"self.head", "error[name]: self has no head here", "self.head", NULL},
        {"ids.unsqueez(0)", "error[name]: 'Tensor' object has no attribute 'unsqueez'",
         "ids.unsqueez", "'Tensor' object has no attribute 'unsqueez'"});
}
END_TEST

START_TEST(near_names_are_offered)
{
    static const line slips[] = {
        {"wtee", "did you mean wte?"},
        {"v", "did you mean V?"},
        {"toorch.float32", "did you mean torch?"},
        {"ids.unsqueez(0)", "did you mean .unsqueeze?"},
        {"ids.Shape", "did you mean .shape?"},
        {"ids.load", "it is a function: torch.load(…)"},
        {"self.token_embedings(ids)",
         "self.token_embeddings is wte, self.position_embeddings is wpe\n"
         "did you mean self.token_embeddings?"},
        {"def f(left): pass\nf(lift=1)", "did you mean left?"},
        {"nn.Conv1d(3, 4, 5)", "F.linear over x.unfold(…) computes the same"},
        {"dir(ids)", "Tab behind \"x.\" lists what is in x, :vars your variables"},
        {"len = 3\nlen(ids)", "len is your own here; del len gives back what it was"},
        {"ids = 3\nids.shape", "ids is your own here; del ids gives back what it was"},
    };
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        language_run(&l, slips[i].source);
        demand(l.err.hint && !strcmp(l.err.hint, slips[i].shown), "%s: %s", slips[i].source,
               l.err.hint);
    }
}
END_TEST

/* ---- unpacking ---- */

START_TEST(values_are_taken_apart)
{
    CHECK_LINES({"a, *b, c = range(5)\na, b, c", "(0, [1, 2, 3], 4)"}, {"a, *b = 'xy'\nb", "['y']"},
                {"(a, b), c = (1, 2), 3\na, b, c", "(1, 2, 3)"}, {"[a, b] = {1: 2, 3: 4}\nb", "3"},
                {"a, b = ids\nb", "[T=5] tensor([0, 2, 4, 6, 8])"}, {"a, = [7]\na", "7"});
}
END_TEST

START_TEST(a_wrong_number_of_names_says_what_there_is)
{
    CHECK_SLIPS(
        {"B, T = ids[0].shape",
         "error[unpack]: 2 names on the left, and the shape [T=5] has 1 value", "B, T",
         "not enough values to unpack (expected 2, got 1)"},
        {"a, b = 1, 2, 3", "error[unpack]: 2 names on the left, and this tuple has 3 values",
         "a, b", "too many values to unpack (expected 2)"},
        {"a, b, c = ids",
         "error[unpack]: 3 names on the left, and the tensor [B=2, T=5] gives 2 values", "a, b, c",
         "not enough values to unpack (expected 3, got 2)"},
        {"a, *b, c = [1]", "error[unpack]: at least 2 names on the left, and this list has 1 value",
         "a, *b, c", "not enough values to unpack (expected at least 2, got 1)"},
        {"a, b = 5", "error[type]: cannot unpack non-iterable int object", "a, b", NULL});
}
END_TEST

/* ---- statements ---- */

START_TEST(values_at_the_top_are_shown_and_kept)
{
    CHECK_LINES({"1 + 1; 2 + 2", "2\n4"}, {"3;", ""}, {"_", "3"}, {"None", ""}, {"_ + 1", "4"},
                {"ans * 2", "8"}, {"return 5", "5"}, {"return 6\n7", "6"},
                {"_ = 'mine'\n1\n_", "1\n'mine'"});
    ck_assert_uint_eq(es_interp_ran(l.in), 3);
}
END_TEST

START_TEST(values_inside_statements_are_printed)
{
    CHECK_LINES({"for i in range(2):\n    i\n    None\n    'a'", ""});
    ck_assert_str_eq(es_str_text(&l.printed), "0\n'a'\n1\n'a'\n");
    CHECK_LINES({"def f():\n    1\nf()", ""});
    ck_assert_str_eq(es_str_text(&l.printed), "");
    CHECK_LINES({"print('T =', 5)", ""});
    ck_assert_str_eq(es_str_text(&l.printed), "T = 5\n");
}
END_TEST

START_TEST(loops_break_continue_and_end)
{
    CHECK_LINES({"s = 0\nfor i in range(10):\n    if i % 2: continue\n    if i > 6: break\n    s "
                 "+= i\nelse:\n    s "
                 "= -1\ns",
                 "12"},
                {"n = 3\nwhile n:\n    n -= 1\nelse:\n    n = 'done'\nn", "'done'"},
                {"for a, b in [(1, 2), (3, 4)]:\n    pass\na, b", "(3, 4)"},
                {"s = 0\nfor row in ids:\n    s += row[0].item()\ns", "3"},
                {"x = 3\nif x > 5:\n    y = 1\nelif x > 2:\n    y = 2\nelse:\n    y = 3\ny", "2"},
                {"with torch.no_grad():\n    y = 4\ny", "4"});
}
END_TEST

START_TEST(a_dict_that_grows_under_a_loop_ends_it)
{
    CHECK_SLIPS({"d = {1: 2}\nfor k in d:\n    d[k + 1] = 0",
                 "error[value]: dictionary changed size during iteration", "d", NULL});
    CHECK_LINES({"d = {1: 2}\nfor k in list(d):\n    d[k + 1] = 0\nd", "{1: 2, 2: 0}"},
                {"for k in d:\n    d[k] = 9\nd", "{1: 9, 2: 9}"});
}
END_TEST

START_TEST(raise_and_assert_say_what_they_are_given)
{
    CHECK_SLIPS(
        {"seq_len = 17\nif seq_len > 16:\n    raise ValueError(\n        f\"Sequence length "
         "({seq_len}) exceeds \"\n"
         "        f\"maximum context window ({16})\"\n    )",
         "error[value]: Sequence length (17) exceeds maximum context window (16)",
         "raise ValueError(\n        f\"Sequence length ({seq_len}) exceeds \"\n"
         "        f\"maximum context window ({16})\"\n    )",
         NULL},
        {"raise TypeError('no')", "error[type]: no", "raise TypeError('no')", NULL},
        {"raise IndexError", "error[index_range]: IndexError", "raise IndexError", NULL},
        {"raise 'no'", "error[type]: exceptions must derive from BaseException", "raise 'no'",
         NULL},
        {"assert 1 == 2", "error[value]: it is not so that 1 == 2", "1 == 2", NULL},
        {"assert 0, f'{1}'", "error[value]: 1", "0", NULL});
}
END_TEST

START_TEST(a_table_in_brackets_is_said_to_be_numpys)
{
    CHECK_LINES({"wte[3].shape == wte.weight[3].shape", "True"});
    ck_assert_str_eq(es_str_text(&l.noted),
                     "PyTorch does not take wte[…], as NumPy does: there it is wte(ids) or "
                     "wte.weight[…]\n");
}
END_TEST

START_TEST(imports_give_names_to_what_is_there)
{
    CHECK_LINES(
        {"import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nimport math", ""});
    ck_assert_str_eq(es_str_text(&l.noted),
                     "not needed here: torch, nn, F and math are always there\n");
    CHECK_LINES({"import torch.nn.functional as fn\nfrom math import pi as p\nfn is F, p",
                 "(True, 3.141592653589793)"},
                {"from typing import Optional", ""});
    ck_assert_str_eq(es_str_text(&l.noted), "");
    ck_assert_ptr_null(es_interp_variable(l.in, 2, NULL));
    CHECK_SLIPS({"import pandas as pd", "error[name]: there is no module \"pandas\" here",
                 "pandas as pd", NULL},
                {"import torch.pandas.io",
                 "error[name]: there is no module \"torch.pandas.io\" here", "torch.pandas.io",
                 NULL});
}
END_TEST

/* ---- functions ---- */

START_TEST(arguments_find_their_parameters)
{
    CHECK_LINES(
        {"def f(a, b=2, *rest, k=3, **kw): return a, b, rest, k, kw", ""},
        {"f(1)", "(1, 2, (), 3, {})"}, {"f(1, 5, 6, 7, k=8, z=9)", "(1, 5, (6, 7), 8, {'z': 9})"},
        {"f(*[1, 2, 3], **{'k': 4})", "(1, 2, (3,), 4, {})"}, {"f(b=1, a=0)", "(0, 1, (), 3, {})"},
        {"def g(l=[]):\n    l.append(1)\n    return l\ng(); g()", "[1]\n[1, 1]"},
        {"(lambda x, y=1: x + y)(2)", "3"}, {"list(map(lambda x: x * x, [1, 2, 3]))", "[1, 4, 9]"});
}
END_TEST

START_TEST(arguments_that_do_not_fit_are_named)
{
    language_run(&l, "def f(a, b, c=3, *, k): return a");
    CHECK_SLIPS({"f()", "error[type]: f() missing 2 required positional arguments: 'a' and 'b'",
                 "f()", NULL},
                {"f(1, 2)", "error[type]: f() missing 1 required keyword-only argument: 'k'",
                 "f(1, 2)", NULL},
                {"f(1, 2, 3, 4)",
                 "error[type]: f() takes from 2 to 3 positional arguments but 4 were given",
                 "f(1, 2, 3, 4)", NULL},
                {"f(1, 2, a=1)", "error[type]: f() got multiple values for argument 'a'",
                 "f(1, 2, a=1)", NULL},
                {"f(1, 2, j=1)", "error[type]: f() got an unexpected keyword argument 'j'",
                 "f(1, 2, j=1)", NULL},
                {"3(4)", "error[type]: 'int' object is not callable", "3(4)", NULL});
}
END_TEST

START_TEST(recursion_ends_at_200_calls)
{
    CHECK_LINES({"def fact(n): return 1 if n < 2 else n * fact(n - 1)", ""},
                {"fact(20)", "2432902008176640000"},
                {"def down(n): return 0 if n == 0 else down(n - 1)", ""}, {"down(199)", "0"});
    CHECK_SLIPS({"down(200)",
                 "error[range]: down calls itself, or others, nested more than 200 deep",
                 "down(200)", "RecursionError: maximum recursion depth exceeded"});
}
END_TEST

/* The deepest the stack can be asked for: every call as nested as an expression may be. */
START_TEST(nested_calls_of_nested_expressions_end_with_an_error)
{
    static const struct {
        const char *open, *close;
        int most;
    } nests[] = {
        {"-", "", 180},
        {"[abs(", ")]", 90},
        {"f'{", "}'", 1},
        {"[", " for a in [1]]", 90},
        {"{1: ", "}", 90},
        {"(lambda: ", ")()", 60},
        {"list(map(lambda a: ", ", [1]))", 60},
    };
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++) {
        es_str s = {0};
        es_str_cat(&s, "def f(n): return ");
        for (int k = 0; k < nests[i].most; k++)
            es_str_cat(&s, nests[i].open);
        es_str_cat(&s, "f(n + 1)");
        for (int k = 0; k < nests[i].most; k++)
            es_str_cat(&s, nests[i].close);
        es_str_cat(&s, "\nf(0)");
        demand(!language_run(&l, s.s) && l.err.code == ES_ERR_RANGE, "%s: %s", nests[i].open,
               l.err.message);
        es_str_free(&s);
    }
}
END_TEST

START_TEST(an_error_in_an_earlier_function_points_at_the_call)
{
    CHECK_LINES({"def head(a):\n    z = a @ wte.weight\n    return z", ""});
    CHECK_SLIPS({"1 + head(wte(ids))", "error[matmul]: inner axes differ, C=8 against V=50",
                 "head(wte(ids))",
                 "mat1 and mat2 shapes cannot be multiplied (10x8 and 50x8); 10 is B*T"});
    ck_assert_str_eq(l.err.within[0].source, "z = a @ wte.weight");
    const char *here = "def f(a):\n    return a @ wte.weight\nf(wte(ids))";
    ck_assert(!language_run(&l, here));
    ck_assert_str_eq(language_place(&l, here), "a @ wte.weight");
}
END_TEST

/* ---- tensors ---- */

START_TEST(tables_look_rows_up)
{
    CHECK_LINES({"wte(ids).shape", "torch.Size([2, 5, 8])"},
                {"wte(ids)[0, 0, :2]", "[C[:2]=2] tensor([ 0.8750, -0.3750])"},
                {"torch.equal(wte(ids), wte[ids]) if 0 else (wte(ids) == wte[ids]).shape",
                 "torch.Size([2, 5, 8])"},
                {"wte[3].shape, wte[-1, 0].shape", "(torch.Size([8]), torch.Size([]))"},
                {"self.token_embeddings(input_ids).shape", "torch.Size([2, 5, 8])"},
                {"self.position_embeddings.num_embeddings", "(P) 16"});
    CHECK_SLIPS({"wte(3)", "error[type]: wte looks up a tensor of ids, not 'int'", "3",
                 "embedding(): argument 'indices' (position 2) must be Tensor, not int"},
                {"wte([3, 7])", "error[type]: wte looks up a tensor of ids, not 'list'", "[3, 7]",
                 "embedding(): argument 'indices' (position 2) must be Tensor, not list"});
}
END_TEST

START_TEST(operators_say_which_types_they_do_not_take)
{
    CHECK_SLIPS(
        {"x = wte(ids)\nx @ 2.0",
         "error[type]: unsupported operand type(s) for @: 'Tensor' and 'float'", "x @ 2.0",
         "unsupported operand type(s) for @: 'Tensor' and 'float'"},
        {"x + None", "error[type]: unsupported operand type(s) for +: 'Tensor' and 'NoneType'",
         "x + None", "unsupported operand type(s) for +: 'Tensor' and 'NoneType'"},
        {"'a' + 1", "error[type]: can only concatenate str (not \"int\") to str", "'a' + 1", NULL},
        {"1 + 'a'", "error[type]: unsupported operand type(s) for +: 'int' and 'str'", "1 + 'a'",
         NULL},
        {"-'a'", "error[type]: bad operand type for unary -: 'str'", "-'a'", NULL},
        {"0 < 1 < 'a'", "error[type]: '<' not supported between instances of 'int' and 'str'",
         "1 < 'a'", NULL},
        {"'%d' % 'a'", "error[type]: %d format: a real number is required, not str", "'%d' % 'a'",
         NULL},
        {"1 // 0", "error[value]: integer division or modulo by zero", "1 // 0",
         "ZeroDivisionError: integer division or modulo by zero"},
        {"if x: pass",
         "error[ambiguous]: a tensor of 80 values, [B=2, T=5, C=8], is neither true nor false", "x",
         "Boolean value of Tensor with more than one value is ambiguous"});
}
END_TEST

START_TEST(subscripts_outside_say_how_many_there_are)
{
    CHECK_SLIPS(
        {"ids.shape[3]", "error[index_range]: index 3 is outside this torch.Size of 2: 0 to 1", "3",
         "tuple index out of range"},
        {"[1][-2]", "error[index_range]: index -2 is outside this list of 1: 0 to 0", "-2",
         "list index out of range"},
        {"''[0]", "error[index_range]: index 0 is outside this string, which is empty", "0",
         "string index out of range"},
        {"ids[0.5]", "error[type]: a tensor cannot be indexed by 'float'", "ids[0.5]",
         "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
         "indices "
         "(got float)"},
        {"{'a': 1}['b']", "error[name]: the dict has no key 'b'", "{'a': 1}['b']", "KeyError: 'b'"},
        {"[1, 2]['a']", "error[type]: list indices must be integers or slices, not str",
         "[1, 2]['a']", NULL},
        {"len[0]", "error[type]: 'builtin_function_or_method' object is not subscriptable",
         "len[0]", NULL},
        {"wte(ids)['a'] = 3", "error[type]: a tensor cannot be indexed by 'str'", "wte(ids)['a']",
         "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid "
         "indices "
         "(got str)"},
        {"(1, 2)[0] = 3", "error[type]: 'tuple' object does not support item assignment",
         "(1, 2)[0]", NULL},
        {"wte.weight = 3",
         "error[type]: cannot assign 'int' as parameter 'weight' (torch.nn.Parameter or None "
         "expected)",
         "wte.weight",
         "cannot assign 'int' as parameter 'weight' (torch.nn.Parameter or None expected)"});
}
END_TEST

/* ---- without effect ---- */

static const char *type_of(const char *source)
{
    es_value v;
    es_str_cut(&l.shown, 0);
    es_error_free(&l.err);
    es_unit *unit = es_parse(source, strlen(source), &l.err);
    ck_assert_works(unit && es_interp_type(l.in, unit, &v, &l.err), l.err);
    if (v.kind == ES_V_TENSOR)
        es_shape_show(&l.shown, &es_value_as_tensor(&v)->shape);
    else
        ck_assert_works(es_value_repr(l.in, &l.shown, &v, &l.err), l.err);
    es_value_unref(&v);
    es_unit_unref(unit);
    return es_str_text(&l.shown);
}

START_TEST(a_type_is_found_without_effect)
{
    CHECK_LINES({"a = [1]\nn = 1\ny = ids[0].float()\nz = y[1:]\n"
                 "def count():\n    k = 0\n    def up():\n        nonlocal k\n        k += 1\n     "
                 "   return k\n"
                 "    return up\nc = count()\nc()",
                 "1"});
    ck_assert_str_eq(type_of("wte(ids) @ wte.weight.T"), "[B=2, T=5, V=50]");
    ck_assert_str_eq(type_of("a.append(2); b = a; b += [3]; a"), "[1, 2, 3]");
    ck_assert_str_eq(type_of("n += 1; m = n; n"), "2");
    ck_assert_str_eq(type_of("y += 1; y[0] = 5; z *= 2; y"), "[T=5]");
    ck_assert_str_eq(type_of("y.clamp_(0, 1) if 0 else c()"), "2");
    ck_assert_str_eq(type_of("y.zero_(); z.fill_(3); y[:2].copy_(z[:2]); y"), "[T=5]");
    ck_assert_str_eq(type_of("c(); c()"), "3");
    ck_assert_str_eq(type_of("del a, y; print('no'); n"), "1");
    ck_assert_str_eq(type_of("def count(): return 7\ncount()"), "7");
    ck_assert_str_eq(es_str_text(&l.printed), "");
    CHECK_LINES({"a, n", "([1], 1)"}, {"y", "[T=5] tensor([ 3.,  7.,  1.,  7., 49.])"},
                {"c()", "2"}, {"_", "2"});
    ck_assert_ptr_null(strstr(language_says(&l, "count().__name__"), "error"));
}
END_TEST

START_TEST(variables_are_listed_by_name)
{
    const es_value *v;
    CHECK_LINES({"b = 2\na = 1\nfor c in [3]: pass\nimport torch", ""});
    ck_assert_str_eq(es_interp_variable(l.in, 0, &v), "a");
    ck_assert_int_eq(v->u.i, 1);
    ck_assert_str_eq(es_interp_variable(l.in, 2, &v), "c");
    ck_assert_ptr_null(es_interp_variable(l.in, 3, &v));
    ck_assert(es_interp_del(l.in, "b", 1));
    ck_assert(!es_interp_del(l.in, "b", 1));
    ck_assert_str_eq(es_interp_variable(l.in, 1, &v), "c");
    ck_assert(es_interp_set(l.in, "H", 1, es_value_int(12)));
    CHECK_LINES({"H", "(H) 12"});
    es_interp_clear(l.in);
    ck_assert_ptr_null(es_interp_variable(l.in, 0, &v));
}
END_TEST

/* ---- memory and time ---- */

START_TEST(what_holds_itself_is_freed)
{
    /* valgrind and the address sanitiser are the judges */
    CHECK_LINES({"a = []\na.append(a)\ndel a", ""},
                {"def outer():\n    def inner(): return inner\n    return inner\nfor i in "
                 "range(3000): f = outer()",
                 ""},
                {"f = None\nfor i in range(20000): f = (lambda g: lambda: g)(f)", ""},
                {"f = None", ""}, {"d = {}\nd['me'] = [d]\ndel d", ""});
}
END_TEST

static void *cancel_soon(void *watch)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    atomic_store(&((es_watch *)watch)->cancel, true);
    return NULL;
}

START_TEST(an_endless_loop_can_be_stopped)
{
    static const char *const loops[] = {"while True: pass", "[0 for i in range(10 ** 15) if 0]",
                                        "def f():\n    for i in range(10 ** 15): pass\nf()"};
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        pthread_t thread;
        struct timespec from, to;
        atomic_store(&l.watch.cancel, false);
        clock_gettime(CLOCK_MONOTONIC, &from);
        pthread_create(&thread, NULL, cancel_soon, &l.watch);
        ck_assert(!language_run(&l, loops[i]));
        clock_gettime(CLOCK_MONOTONIC, &to);
        pthread_join(thread, NULL);
        ck_assert_int_eq(l.err.code, ES_ERR_INTERRUPTED);
        demand(to.tv_sec - from.tv_sec + (to.tv_nsec - from.tv_nsec) / 1e9 <
                   thoroughness(1, 20) * 0.12,
               "%s: not within 100 ms", loops[i]);
    }
}
END_TEST

Suite *interp_suite(void)
{
    Suite *s = suite_create("interp");
    TCase *tc = tcase_create("interp");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, ints_divide_towards_minus_infinity);
    tcase_add_test(tc, ints_that_outgrow_64_bits_say_so);
    tcase_add_test(tc, comparisons_chain_and_short_circuit);
    tcase_add_test(tc, strings_and_sequences_join_and_repeat);
    tcase_add_test(tc, what_would_fill_the_memory_is_refused);
    tcase_add_test(tc, sizes_that_cannot_be_counted_are_refused);
    tcase_add_test(tc, names_of_axes_are_identifiers);
    tcase_add_test(tc, a_size_remembers_its_axis);
    tcase_add_test(tc, a_capital_name_names_a_number_that_has_none);
    tcase_add_test(tc, a_slice_leaves_its_text_in_the_name_of_the_axis);
    tcase_add_test(tc, assignment_shares_and_does_not_copy);
    tcase_add_test(tc, a_name_given_within_an_expression_is_that_of_the_function_around);
    tcase_add_test(tc, tensors_change_in_place_under_all_their_names);
    tcase_add_test(tc, methods_with_an_underscore_write_into_their_tensor);
    tcase_add_test(tc, a_float_does_not_go_into_ints_in_place);
    tcase_add_test(tc, names_are_found_from_inside_out);
    tcase_add_test(tc, a_name_without_a_value_is_explained);
    tcase_add_test(tc, near_names_are_offered);
    tcase_add_test(tc, values_are_taken_apart);
    tcase_add_test(tc, a_wrong_number_of_names_says_what_there_is);
    tcase_add_test(tc, values_at_the_top_are_shown_and_kept);
    tcase_add_test(tc, values_inside_statements_are_printed);
    tcase_add_test(tc, loops_break_continue_and_end);
    tcase_add_test(tc, a_dict_that_grows_under_a_loop_ends_it);
    tcase_add_test(tc, raise_and_assert_say_what_they_are_given);
    tcase_add_test(tc, a_table_in_brackets_is_said_to_be_numpys);
    tcase_add_test(tc, imports_give_names_to_what_is_there);
    tcase_add_test(tc, arguments_find_their_parameters);
    tcase_add_test(tc, arguments_that_do_not_fit_are_named);
    tcase_add_test(tc, recursion_ends_at_200_calls);
    tcase_add_test(tc, nested_calls_of_nested_expressions_end_with_an_error);
    tcase_add_test(tc, an_error_in_an_earlier_function_points_at_the_call);
    tcase_add_test(tc, tables_look_rows_up);
    tcase_add_test(tc, operators_say_which_types_they_do_not_take);
    tcase_add_test(tc, subscripts_outside_say_how_many_there_are);
    tcase_add_test(tc, a_type_is_found_without_effect);
    tcase_add_test(tc, variables_are_listed_by_name);
    tcase_add_test(tc, what_holds_itself_is_freed);
    tcase_add_test(tc, an_endless_loop_can_be_stopped);
    suite_add_tcase(s, tc);
    return s;
}
