// SPDX-License-Identifier: GPL-3.0-or-later
/* Values, how they are counted and printed, and Python's functions on them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expr/format.h"
#include "expr/parse.h"
#include "support.h"

Suite *value_suite(void);

static es_backend *open_cpu(void)
{
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open("cpu", 1, &err);
    ck_assert_works(be != NULL, err);
    return be;
}

/* ---- counting ---- */

START_TEST(lists_within_lists_of_any_depth_are_freed)
{
    es_items *all = NULL;
    es_value v = es_none(), tuple = es_none();
    for (int i = 0; i < 1000000; i++) {
        es_value outer = es_value_list(&all);
        demand(es_items_add(es_value_items(&outer), v, NULL), "no room");
        v = outer;
        tuple = es_value_tuple(&tuple, 1);
    }
    es_value_unref(&v);
    es_value_unref(&tuple);
    ck_assert_ptr_null(all);
    ck_assert_int_eq(v.kind, ES_V_NONE);
}
END_TEST

START_TEST(a_list_that_holds_itself_goes_with_its_interpreter)
{
    es_items *all = NULL;
    es_value a = es_value_list(&all), b = es_value_dict(&all), text = es_value_str("x", 1);
    ck_assert(es_items_add(es_value_items(&a), es_value_ref(&a), NULL));
    ck_assert(es_items_add(es_value_items(&a), es_value_ref(&b), NULL));
    ck_assert(es_items_add(es_value_items(&b), text, NULL));
    ck_assert(es_items_add(es_value_items(&b), es_value_ref(&a), NULL));
    es_value_unref(&a);
    es_value_unref(&b);
    ck_assert_ptr_nonnull(all);
    es_items_clear_all(&all);
    ck_assert_ptr_null(all);
}
END_TEST

START_TEST(a_range_knows_how_many_it_has)
{
    static const int64_t cases[][4] = {
        {0, 5, 1, 5},
        {0, 5, 2, 3},
        {5, 0, -2, 3},
        {5, 0, 1, 0},
        {0, 5, -1, 0},
        {INT64_MIN, INT64_MAX, 1, INT64_MAX},
        {INT64_MIN, INT64_MAX, INT64_MAX, 3},
        {INT64_MAX, INT64_MIN, INT64_MIN, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int64_t *c = cases[i];
        es_range r = {.start = es_value_int(c[0]), .stop = es_value_int(c[1])};
        r.step = es_value_int(c[2]);
        demand(es_range_count(&r) == c[3], "case %zu: %lld", i, (long long)es_range_count(&r));
    }
}
END_TEST

/* ---- numbers and strings as text ---- */

START_TEST(floats_print_with_the_fewest_digits_that_read_back)
{
    static const struct {
        double f;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1, "1.0"},
        {-0.0, "-0.0"},
        {1e-5, "1e-05"},
        {0.0001, "0.0001"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e+16"},
        {1.5e300, "1.5e+300"},
        {1.0 / 3, "0.3333333333333333"},
        {5e-324, "5e-324"},
        {123456789.125, "123456789.125"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {0.1 + 0.2, "0.30000000000000004"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_str s = {0};
        es_float_repr(&s, cases[i].f);
        demand(!strcmp(es_str_text(&s), cases[i].text), "%s is not %s", s.s, cases[i].text);
        es_str_free(&s);
    }
}
END_TEST

START_TEST(strings_print_in_the_quotes_they_do_not_hold)
{
    static const struct {
        const char *bytes, *text;
    } cases[] = {
        {"cat", "'cat'"},       {"it's", "\"it's\""},         {"\"", "'\"'"},
        {"'\"", "'\\'\"'"},     {"a\n\t\\", "'a\\n\\t\\\\'"}, {"\x1b[0m", "'\\x1b[0m'"},
        {"\u00e9", "'\u00e9'"}, {"\xff", "'\\xff'"},          {"\u202e", "'\\u202e'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_str s = {0};
        es_str_repr(&s, cases[i].bytes, strlen(cases[i].bytes));
        demand(!strcmp(es_str_text(&s), cases[i].text), "%s is not %s", s.s, cases[i].text);
        es_str_free(&s);
    }
}
END_TEST

/* ---- tensors as PyTorch prints them ---- */

static void prints(const es_tensor *t, const char *want)
{
    es_torch k = {.be = t->buf->be, .most_bytes = INT64_MAX};
    es_error err = ES_ERROR_NONE;
    es_str s = {0};
    ck_assert_works(es_tensor_repr(&k, &s, t, false, false, &err), err);
    ck_assert_str_eq(es_str_text(&s), want);
    es_str_free(&s);
}

static void floats(es_tensor *t, es_backend *be, const float *of, const es_shape *shape)
{
    ck_assert(es_tensor_new(t, be, ES_FLOAT32, shape, NULL));
    ck_assert(es_tensor_write(t, of, NULL));
}

static void prints_floats(es_backend *be, const float *of, int64_t n, const char *want)
{
    const es_shape shape = es_shape_1d("", n);
    es_tensor t;
    floats(&t, be, of, &shape);
    prints(&t, want);
    es_tensor_free(&t);
}

START_TEST(the_notation_of_floats_follows_their_range)
{
    es_backend *be = open_cpu();
    prints_floats(be, (float[]){0.271F, -0.118F, 2}, 3, "tensor([ 0.2710, -0.1180,  2.0000])");
    prints_floats(be, (float[]){1, 2, 30}, 3, "tensor([ 1.,  2., 30.])");
    prints_floats(be, (float[]){0, 0}, 2, "tensor([0., 0.])");
    prints_floats(be, (float[]){-0.5F}, 1, "tensor([-0.5000])");
    prints_floats(be, (float[]){1e-5F, 1}, 2, "tensor([1.0000e-05, 1.0000e+00])");
    prints_floats(be, (float[]){1, 1e9F}, 2, "tensor([1.0000e+00, 1.0000e+09])");
    prints_floats(be, (float[]){1, 1000}, 2, "tensor([   1., 1000.])");
    prints_floats(be, (float[]){1, 1001}, 2, "tensor([1.0000e+00, 1.0010e+03])");
    prints_floats(be, (float[]){1, NAN, INFINITY}, 3, "tensor([1., nan, inf])");
    prints_floats(be, (float[]){1.5F, NAN, -INFINITY}, 3, "tensor([1.5000,    nan,   -inf])");
    prints_floats(be, (float[]){0.00001F, 0.00002F}, 2, "tensor([1.0000e-05, 2.0000e-05])");
    es_backend_close(be);
}
END_TEST

static void count_up(es_tensor *t, es_backend *be, const es_shape *shape)
{
    int64_t n = es_shape_count(shape);
    int64_t *of = calloc((size_t)n + 1, sizeof *of);
    for (int64_t i = 0; i < n; i++)
        of[i] = i;
    ck_assert(es_tensor_new(t, be, ES_INT64, shape, NULL));
    ck_assert(es_tensor_write(t, of, NULL));
    free(of);
}

static void prints_counted(es_backend *be, const es_shape *shape, const char *want)
{
    es_tensor t;
    count_up(&t, be, shape);
    prints(&t, want);
    es_tensor_free(&t);
}

START_TEST(axes_are_brackets_and_long_ones_leave_out_their_middle)
{
    es_backend *be = open_cpu();
    es_shape s = es_shape_2d("", 2, "", 3);
    prints_counted(be, &s, "tensor([[0, 1, 2],\n        [3, 4, 5]])");
    s = es_shape_3d("", 2, "", 1, "", 2);
    prints_counted(be, &s, "tensor([[[0, 1]],\n\n        [[2, 3]]])");
    s = (es_shape){0};
    prints_counted(be, &s, "tensor(0)");
    s = es_shape_1d("", 30);
    prints_counted(
        be, &s,
        "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
        "        18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29])");
    s = es_shape_1d("", 1001);
    prints_counted(be, &s, "tensor([   0,    1,    2,  ...,  998,  999, 1000])");
    s = es_shape_2d("", 1000, "", 2);
    prints_counted(be, &s,
                   "tensor([[   0,    1],\n        [   2,    3],\n        [   4,    5],\n"
                   "        ...,\n"
                   "        [1994, 1995],\n        [1996, 1997],\n        [1998, 1999]])");
    es_backend_close(be);
}
END_TEST

START_TEST(what_cannot_be_seen_in_the_numbers_stands_behind_them)
{
    es_backend *be = open_cpu();
    es_tensor t;
    es_shape s = es_shape_1d("", 0);
    ck_assert(es_tensor_new(&t, be, ES_FLOAT32, &s, NULL));
    prints(&t, "tensor([])");
    t.dtype = ES_INT64;
    prints(&t, "tensor([], dtype=torch.int64)");
    es_tensor_free(&t);
    s = es_shape_2d("", 2, "", 0);
    ck_assert(es_tensor_new(&t, be, ES_FLOAT32, &s, NULL));
    prints(&t, "tensor([], size=(2, 0))");
    es_tensor_free(&t);
    s = es_shape_1d("", 2);
    ck_assert(es_tensor_new(&t, be, ES_BOOL, &s, NULL));
    ck_assert(es_tensor_write(&t, (bool[]){true, false}, NULL));
    prints(&t, "tensor([ True, False])");
    es_tensor_free(&t);
    ck_assert(es_tensor_new(&t, be, ES_INT32, &s, NULL));
    ck_assert(es_tensor_write(&t, (int32_t[]){-1, 10}, NULL));
    prints(&t, "tensor([-1, 10], dtype=torch.int32)");
    es_tensor_free(&t);
    ck_assert(es_tensor_new(&t, be, ES_FLOAT64, &s, NULL));
    ck_assert(es_tensor_write(&t, (double[]){0.5, 1}, NULL));
    prints(&t, "tensor([0.5000, 1.0000], dtype=torch.float64)");
    es_tensor_free(&t);
    es_backend_close(be);
}
END_TEST

START_TEST(a_tensor_without_numbers_prints_its_shape)
{
    es_backend *be = open_cpu();
    es_torch k = {.be = be, .shapes_only = true};
    es_tensor t;
    es_shape s = es_shape_2d("B", 2, "T", 5);
    ck_assert(es_torch_new(&k, &t, be, ES_INT64, &s, NULL));
    prints(&t, "tensor(..., device='meta', size=(2, 5), dtype=torch.int64)");
    es_tensor_free(&t);
    es_backend_close(be);
}
END_TEST

START_TEST(a_view_prints_in_the_order_of_its_axes)
{
    es_backend *be = open_cpu();
    es_shape s = es_shape_2d("", 2, "", 3);
    es_tensor t, turned;
    count_up(&t, be, &s);
    ck_assert(es_tensor_transpose(&turned, &t, 0, 1, NULL));
    prints(&turned, "tensor([[0, 3],\n        [1, 4],\n        [2, 5]])");
    es_tensor_free(&t);
    es_tensor_free(&turned);
    es_backend_close(be);
}
END_TEST

/* ---- Python's functions, through the language ---- */

typedef struct said {
    es_str out; /* what was printed, and the values of statements */
    es_interp *in;
} said;

static void hear_value(void *user, const es_value *v, bool quiet)
{
    said *s = user;
    if (quiet || v->kind == ES_V_NONE)
        return;
    ck_assert(es_value_repr(s->in, &s->out, v, NULL));
    es_str_char(&s->out, '\n');
}

static void hear_print(void *user, const char *bytes, size_t n)
{
    es_str_bytes(&((said *)user)->out, bytes, n);
}

/* A tensor (2, 3) of 0 to 5, floats f with halves, and one number n. */
static int named(void *user, const char *name, size_t n, es_value *out, es_error *err)
{
    es_backend *be = es_interp_torch(((said *)user)->in)->be;
    const es_shape two = es_shape_2d("B", 2, "T", 3), one = {0};
    es_tensor t;
    (void)err;
    if (n != 1 || !strchr("tfn", *name))
        return 0;
    if (*name == 'f')
        floats(&t, be, (float[]){0.5F, -1, 2, 3, 4, 5}, &two);
    else
        count_up(&t, be, *name == 't' ? &two : &one);
    *out = es_value_tensor(&t);
    return 1;
}

/* Runs it; true: *text is what was said, else why not.  Free *text. */
static bool run(const char *source, char **text)
{
    es_backend *be = open_cpu();
    said s = {0};
    es_error err = ES_ERROR_NONE;
    const es_interp_host host = {
        .user = &s, .name = named, .value = hear_value, .print = hear_print};
    s.in = es_interp_new(&host, be);
    es_unit *unit = es_parse(source, strlen(source), &err);
    bool ok = unit && es_interp_run(s.in, unit, &err);
    es_str failed = {0};
    if (!ok)
        es_str_add(&failed, "%s: %s", es_code_name(err.code), err.message);
    *text = strdup(ok ? es_str_text(&s.out) : failed.s);
    es_str_free(&failed);
    es_str_free(&s.out);
    es_unit_unref(unit);
    es_error_free(&err);
    es_interp_free(s.in);
    demand(be->in_use == 0, "%s: memory is kept", source);
    es_backend_close(be);
    return ok;
}

typedef struct line {
    const char *source, *want;
} line;

static void check_lines(const line *of, size_t n, bool works)
{
    for (size_t i = 0; i < n; i++) {
        char *text;
        bool ok = run(of[i].source, &text);
        size_t last = strlen(text);
        if (ok && last && text[last - 1] == '\n')
            text[last - 1] = 0;
        demand(ok == works && !strcmp(text, of[i].want), "%s\ngave %s\nnot  %s", of[i].source, text,
               of[i].want);
        free(text);
    }
}

#define WORK(lines) check_lines(lines, sizeof lines / sizeof *lines, true)
#define FAIL(lines) check_lines(lines, sizeof lines / sizeof *lines, false)

START_TEST(format_specifications_are_pythons)
{
    static const line lines[] = {
        {"f\"{3.14159:.2f}|{42:5d}|{42:<5}|{42:^6}|{42:05d}\"", "'3.14|   42|42   |  42  |00042'"},
        {"f\"{1234567:,}|{1234567:_}|{255:#x}|{255:X}|{5:b}|{8:o}\"",
         "'1,234,567|1_234_567|0xff|FF|101|10'"},
        {"f\"{0.256:.1%}|{1e10:g}|{12345.678:e}|{0.1:.3}|{3.0:.3}|{1234567.0:.3}\"",
         "'25.6%|1e+10|1.234568e+04|0.1|3.0|1.23e+06'"},
        {"f\"{'x':>4}|{'x':*^5}|{'abc':.2}|{'\u00e9':>3}\"", "'   x|**x**|ab|  \u00e9'"},
        {"f\"{3:+}|{3: }|{-3:+}|{-5:06d}|{1234:08,}|{True:d}|{True}\"",
         "'+3| 3|-3|-00005|0,001,234|1|True'"},
        {"f\"{n:.2f}|{n}\"", "'0.00|0'"},
        {"f\"{t.shape}|{torch.float32}|{[1, 'a']}\"",
         "\"torch.Size([2, 3])|torch.float32|[1, 'a']\""},
        {"f\"{1.5!r:>6}|{'a'!r}\"", "\"   1.5|'a'\""},
        {"format(1200.0, \".4\"), format(120.0, \".4\"), format(3.0, \".1\")",
         "('1.2e+03', '120.0', '3e+00')"},
        {"f\"{65:c}|{float('inf'):06}|{float('nan'):F}\"", "'A|000inf|NAN'"},
    };
    static const line wrong[] = {
        {"f\"{'a':d}\"", "value: Unknown format code 'd' for object of type 'str'"},
        {"f\"{1.5:d}\"", "value: Unknown format code 'd' for object of type 'float'"},
        {"f\"{1:.2d}\"", "value: Precision not allowed in integer format specifier"},
        {"f\"{1:zz}\"", "value: Invalid format specifier 'zz' for object of type 'int'"},
        {"f\"{1:99999999}\"", "nomem: a field may be at most 65536 wide here"},
        {"f\"{t:.2f}\"", "type: unsupported format string passed to Tensor.__format__"},
        {"f\"{None:5}\"", "type: unsupported format string passed to NoneType.__format__"},
        {"f\"{'a':+}\"", "value: Sign not allowed in string format specifier"},
        {"f\"{255:,x}\"", "value: Cannot specify ',' with 'x'."},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(containers_print_as_python_prints_them)
{
    static const line lines[] = {
        {"(1,), (), [], {}, [1, [2, (3,)]]", "((1,), (), [], {}, [1, [2, (3,)]])"},
        {"{\"a\": 1, 2: None}", "{'a': 1, 2: None}"},
        {"a = [1]\na.append(a)\na", "[1, [...]]"},
        {"range(5), range(1, 9, 2), slice(1, 2)",
         "(range(0, 5), range(1, 9, 2), slice(1, 2, None))"},
        {"torch.int64, ..., True, None", "(torch.int64, Ellipsis, True, None)"},
        {"t.shape, t", "(torch.Size([2, 3]), tensor([[0, 1, 2],\n        [3, 4, 5]]))"},
        {"int, len", "(<class 'int'>, <built-in function len>)"},
        {"torch.device(\"cpu\")", "device(type='cpu')"},
        {"str(torch.device(\"cpu\"))", "'cpu'"},
    };
    static const line wrong[] = {
        {"a = []\nfor i in range(300):\n    a = [a]\nprint(a)",
         "range: lists within lists more than 200 deep are not printed"},
        {"a = [\"0123456789\"]\nfor i in range(7):\n    a = [a] * 10\nprint(a)",
         "nomem: as text it would be longer than 4 MiB"},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(python_functions_do_what_python_says)
{
    static const line lines[] = {
        {"print(\"a\", 1, [2], sep=\"-\", end=\"!\\n\")", "a-1-[2]!"},
        {"print()", ""},
        {"len(\"h\u00e9llo\"), len([1, 2]), len({1: 2}), len(range(7)), len(t)", "(5, 2, 1, 7, 2)"},
        {"int(\"0x2a\", 16), int(\"0b11\", 0), int(\" 1_000 \"), int(-2.7), int(n), int()",
         "(42, 3, 1000, -2, 0, 0)"},
        {"float(\"1e3\"), float(3), float(n), float(\" -inf \")", "(1000.0, 3.0, 0.0, -inf)"},
        {"round(2.5), round(3.5), round(2.675, 2), round(1234, -2), round(-0.5)",
         "(2, 4, 2.67, 1200, 0)"},
        {"abs(-3), abs(-2.5), divmod(-7, 2), pow(2, 10)", "(3, 2.5, (-4, 1), 1024)"},
        {"bool([]), bool(\"a\"), bool(n), str(1.0), repr(\"a\")",
         "(False, True, False, '1.0', \"'a'\")"},
        {"sum([1, 2, 3]), sum(range(4), 10), sum([])", "(6, 16, 0)"},
        {"sum([t, t])", "tensor([[ 0,  2,  4],\n        [ 6,  8, 10]])"},
        {"max(3, 7, 5), min([3, 1, 2]), max(\"banana\"), max([], default=0)", "(7, 1, 'n', 0)"},
        {"max([\"aa\", \"b\"], key=len), min([(2, 1), (1, 9)])", "('aa', (1, 9))"},
        {"sorted([3, 1, 2]), sorted([\"b\", \"B\", \"a\"], key=lambda s: s.lower())",
         "([1, 2, 3], ['a', 'b', 'B'])"},
        {"sorted([(1, \"a\"), (0, \"b\"), (1, \"c\")], key=lambda p: p[0], reverse=True)",
         "[(1, 'a'), (1, 'c'), (0, 'b')]"},
        {"list(range(3)), tuple(\"ab\"), list(reversed([1, 2]))",
         "([0, 1, 2], ('a', 'b'), [2, 1])"},
        {"list(zip([1, 2, 3], \"ab\")), list(enumerate(\"ab\", 1))",
         "([(1, 'a'), (2, 'b')], [(1, 'a'), (2, 'b')])"},
        {"any([0, 1]), all([]), all([1, 0]), any([])", "(True, True, False, False)"},
        {"list(map(lambda a, b: a + b, [1, 2], [3, 4])), list(filter(None, [0, 1, \"\"]))",
         "([4, 6], [1])"},
        {"dict(B=2, T=5), dict([(1, 2)]), dict({3: 4}, a=5)",
         "({'B': 2, 'T': 5}, {1: 2}, {3: 4, 'a': 5})"},
        {"isinstance(True, int), isinstance(1, (str, float)), isinstance(t, torch.Tensor)",
         "(True, False, True)"},
        {"isinstance(t.shape, tuple), type(1), type(t)",
         "(True, <class 'int'>, <class 'torch.Tensor'>)"},
        {"hasattr(t, \"shape\"), hasattr(t, \"nothing\"), getattr(t, \"ndim\"), getattr(t, \"no\", "
         "7)",
         "(True, False, 2, 7)"},
        {"hex(255), bin(5), oct(8), chr(97), ord(\"a\")", "('0xff', '0b101', '0o10', 'a', 97)"},
    };
    static const line wrong[] = {
        {"len(5)", "type: object of type 'int' has no len()"},
        {"len(n)", "type: a tensor of rank 0, a single number, has no length"},
        {"int(\"abc\")", "value: invalid literal for int() with base 10: 'abc'"},
        {"int(\"-\")", "value: invalid literal for int() with base 10: '-'"},
        {"int(\"9\" * 30)", "range: integers have 64 bits here"},
        {"int(float(\"nan\"))", "value: cannot convert float NaN to integer"},
        {"int(1e300)", "range: 1e+300 does not fit into 64 bits, as integers have here"},
        {"int([])", "type: int() argument must be a string or a number, not 'list'"},
        {"float(\"0x1p3\")", "value: could not convert string to float: '0x1p3'"},
        {"max([])", "value: max() arg is an empty sequence"},
        {"max()", "type: max expected at least 1 argument, got 0"},
        {"sum(\"ab\", \"\")", "type: sum() can't sum strings [use ''.join(seq) instead]"},
        {"range(1, 2, 0)", "value: range() arg 3 must not be zero"},
        {"range(1.5)", "type: range(): argument 'start' (position 1) must be int, not float"},
        {"list(range(10**12))",
         "nomem: 1000000000000 items are more than a list may hold here: 4194304"},
        {"len(1, 2)", "type: len() takes 1 positional argument but 2 were given"},
        {"len()", "type: len() missing 1 required positional argument: 'obj'"},
        {"sorted([1], ky=1)", "type: sorted() got an unexpected keyword argument 'ky'"},
        {"round(1.5, number=2)", "type: round() got multiple values for argument 'number'"},
        {"isinstance(1, 2)", "type: isinstance() arg 2 must be a type or a tuple of types"},
        {"id(t)", "unsupported: id(): addresses differ from run to run, and are not shown"},
        {"zip([1], [1, 2], strict=True)", "value: zip() argument 2 is longer than argument 1"},
        {"zip([1, 2], [1], strict=True)", "value: zip() argument 2 is shorter than argument 1"},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(methods_of_strings_lists_and_dicts)
{
    static const line lines[] = {
        {"a = [3, 1, 2]\na.sort()\na.insert(0, 9)\na.extend(range(2))\na.pop(), a.index(2), a",
         "(1, 2, [9, 1, 2, 3, 0])"},
        {"a = [1, 2, 1]\na.remove(1)\na.reverse()\nb = a.copy()\na.clear()\na, b, b.count(1)",
         "([], [1, 2], 1)"},
        {"a = [[2], [1]]\na.sort(key=lambda v: v[0], reverse=True)\na.pop(0), a", "([2], [[1]])"},
        {"(1, 2, 1).count(1), (3, 7).index(7), t.shape.numel()", "(2, 1, 6)"},
        {"d = {\"a\": 1}\nd.update({\"b\": 2})\nd.get(\"c\", 3), d.pop(\"a\"), d.keys(), "
         "d.values(), d.items()",
         "(3, 1, ['b'], [2], [('b', 2)])"},
        {"\"a,b,c\".split(\",\"), \" x y \".split(), \"a b c\".split(None, 1), "
         "\"a,b\".split(\",\", 0)",
         "(['a', 'b', 'c'], ['x', 'y'], ['a', 'b c'], ['a,b'])"},
        {"\"-\".join([\"a\", \"b\"]), \"aXb\".replace(\"X\", \"--\"), \"The\".upper(), "
         "\"The\".lower()",
         "('a-b', 'a--b', 'THE', 'the')"},
        {"\" a \".strip(), \"xxaxx\".lstrip(\"x\"), \"xxaxx\".rstrip(\"x\")",
         "('a', 'axx', 'xxa')"},
        {"\"wte\".startswith(\"w\"), \"wte\".endswith((\"x\", \"te\")), \"banana\".count(\"an\")",
         "(True, True, 2)"},
        {"\"{} {} {n:.1f} {{}}\".format(1, \"a\", n=2), \"{1}{0!r}\".format(\"a\", 2)",
         "('1 a 2.0 {}', \"2'a'\")"},
        {"\"-5\".zfill(5), \"ab\".center(6, \"*\"), \"ab\".ljust(4) + \"|\", \"a\".rjust(3)",
         "('-0005', '**ab**', 'ab  |', '  a')"},
        {"\"h\u00e9llo\".find(\"l\"), \"abc\".find(\"x\"), \"a\\nb\".splitlines()",
         "(2, -1, ['a', 'b'])"},
    };
    static const line wrong[] = {
        {"[].pop()", "index_range: pop from empty list"},
        {"[1].pop(3)", "index_range: pop index out of range: 3 in a list of 1"},
        {"[1].index(2)", "value: 2 is not in the list"},
        {"[1].remove(\"a\")", "value: 'a' is not in the list"},
        {"a = [2, 1]\na.sort(key=lambda v: a.append(v) or v)", "value: list modified during sort"},
        {"\"a\".split(\"\")", "value: empty separator"},
        {"\", \".join([1])", "type: sequence item 0: expected str instance, int found"},
        {"\"{}\".format()",
         "index_range: Replacement index 0 out of range for positional args tuple"},
        {"\"{\".format(1)", "value: expected '}' before end of string"},
        {"\"a\".center(5, \"ab\")", "type: The fill character must be exactly one character long"},
        {"\"a\".encode()", "unsupported: there are no bytes here"},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(math_is_of_plain_numbers)
{
    static const line lines[] = {
        {"math.sqrt(2), math.floor(-2.5), math.ceil(2.1), math.log(8, 2), math.isqrt(99)",
         "(1.4142135623730951, -3, 3, 3.0, 9)"},
        {"math.comb(52, 5), math.comb(62, 31), math.factorial(20), math.gcd(12, 18), math.lcm(4, "
         "6)",
         "(2598960, 465428353255261088, 2432902008176640000, 6, 12)"},
        {"math.prod([2, 3]), math.prod(t.shape), math.pi, math.inf, math.isnan(math.nan)",
         "(6, 6, 3.141592653589793, inf, True)"},
        {"math.sqrt(n), math.isclose(0.1 + 0.2, 0.3)", "(0.0, True)"},
    };
    static const line wrong[] = {
        {"math.sqrt(-1)", "value: math.sqrt(): math domain error"},
        {"math.log(0)", "value: math.log(): math domain error"},
        {"math.exp(1000)", "range: math.exp(): math range error"},
        {"math.factorial(21)", "range: math.factorial(): the result does not fit into 64 bits"},
        {"math.comb(100, 50)", "range: math.comb(): the result does not fit into 64 bits"},
        {"math.sqrt(t)", "type: sqrt(): argument 'x' (position 1) must be float, not Tensor"},
        {"math.floor(math.inf)", "value: cannot convert float inf to integer"},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(a_tensor_tells_what_it_is)
{
    static const line lines[] = {
        {"t.shape, t.size(), t.size(-1), t.ndim, t.dim(), t.numel()",
         "(torch.Size([2, 3]), torch.Size([2, 3]), 3, 2, 2, 6)"},
        {"t.dtype, t.device, t.names, t.nbytes, t.element_size()",
         "(torch.int64, device(type='cpu'), ('B', 'T'), 48, 8)"},
        {"t.stride(), t.stride(0), t.storage_offset(), t.is_contiguous()", "((3, 1), 3, 0, True)"},
        {"t.float().dtype, t.double().dtype, t.int().dtype, t.bool(), t.long() is t",
         "(torch.float32, torch.float64, torch.int32, tensor([[False,  True,  True],\n"
         "        [ True,  True,  True]]), False)"},
        {"a = t\na.long() is a, a.to(torch.int64) is a, a.contiguous() is a, a.clone() is a",
         "(True, True, True, False)"},
        {"f.to(torch.int64)", "tensor([[ 0, -1,  2],\n        [ 3,  4,  5]])"},
        {"t.to(f).dtype, t.to(\"cpu\", torch.float64).dtype, t.type(), "
         "t.type(torch.float32).type()",
         "(torch.float32, torch.float64, 'torch.LongTensor', 'torch.FloatTensor')"},
        {"t.tolist(), f.tolist()[0], n.tolist(), n.item()",
         "([[0, 1, 2], [3, 4, 5]], [0.5, -1.0, 2.0], 0, 0)"},
        {"a = t\nsame_storage(a, a.detach()), same_storage(a, a.clone())", "(True, False)"},
        {"a = t\na.data_ptr() == a.detach().data_ptr(), a.data_ptr() == a.clone().data_ptr()",
         "(True, False)"},
        {"t.requires_grad, t.grad, t.is_floating_point(), torch.is_tensor(1)",
         "(False, None, False, False)"},
        {"torch.finfo(torch.float32).eps, torch.iinfo(torch.int32).max",
         "(1.1920928955078125e-07, 2147483647)"},
        {"torch.float, torch.long, torch.Size([2, 5]), torch.get_default_dtype()",
         "(torch.float32, torch.int64, torch.Size([2, 5]), torch.float32)"},
        {"a = t\nb = a.detach()\ndims(b)",
         "[B=2, T=3] int64 cpu\nstrides (3, 1), row after row, from 0\nshares its memory with a"},
    };
    static const line wrong[] = {
        {"t.item()", "value: item() is for one number, and [B=2, T=3] has 6"},
        {"t.size(2)", "dim_range: there is no axis 2 in a tensor of 2 axes"},
        {"n.size(0)", "dim_range: a tensor of rank 0, a single number, has no axes"},
        {"t.half()", "unsupported: there is no half here"},
        {"torch.float16", "unsupported: there is no torch.float16 here"},
        {"t.numpy()", "unsupported: there is no NumPy here"},
        {"t.to(5)", "type: to(): argument 'device' (position 1) must be torch.device, not int"},
        {"torch.numel([1])",
         "type: numel(): argument 'input' (position 1) must be Tensor, not list"},
        {"t.stride(dmi=1)", "type: stride() got an unexpected keyword argument 'dmi'"},
    };
    WORK(lines);
    FAIL(wrong);
}
END_TEST

START_TEST(every_entry_explains_itself)
{
    const es_builtin *all[ES_MOST_BUILTINS];
    for (size_t i = 0, n = es_builtin_all(all); i < n; i++) {
        const es_builtin *b = all[i];
        demand(!i || strcmp(all[i - 1]->name, b->name) <= 0, "%s is out of order", b->name);
        demand(b->summary && b->rule && b->run, "%s says nothing", b->name);
        demand(b->where & (unsigned)~ES_IN_PLACE, "%s is nowhere", b->name);
        demand(es_builtin_find(b->name, strlen(b->name), b->where) != NULL, "%s is lost", b->name);
    }
}
END_TEST

Suite *value_suite(void)
{
    Suite *s = suite_create("value");
    TCase *t = tcase_create("value");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, lists_within_lists_of_any_depth_are_freed);
    tcase_add_test(t, a_list_that_holds_itself_goes_with_its_interpreter);
    tcase_add_test(t, a_range_knows_how_many_it_has);
    tcase_add_test(t, floats_print_with_the_fewest_digits_that_read_back);
    tcase_add_test(t, strings_print_in_the_quotes_they_do_not_hold);
    tcase_add_test(t, the_notation_of_floats_follows_their_range);
    tcase_add_test(t, axes_are_brackets_and_long_ones_leave_out_their_middle);
    tcase_add_test(t, what_cannot_be_seen_in_the_numbers_stands_behind_them);
    tcase_add_test(t, a_tensor_without_numbers_prints_its_shape);
    tcase_add_test(t, a_view_prints_in_the_order_of_its_axes);
    tcase_add_test(t, format_specifications_are_pythons);
    tcase_add_test(t, containers_print_as_python_prints_them);
    tcase_add_test(t, python_functions_do_what_python_says);
    tcase_add_test(t, methods_of_strings_lists_and_dicts);
    tcase_add_test(t, math_is_of_plain_numbers);
    tcase_add_test(t, a_tensor_tells_what_it_is);
    tcase_add_test(t, every_entry_explains_itself);
    suite_add_tcase(s, t);
    return s;
}
