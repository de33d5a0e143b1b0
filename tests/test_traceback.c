// SPDX-License-Identifier: GPL-3.0-or-later
/* Errors inside functions of earlier lines: the calls that led there, each with its own source and marks. */
#include <string.h>

#include "expr/parse.h"
#include "language.h"
#include "session/results.h"
#include "support.h"

Suite *traceback_suite(void);

static language l;

static void setup(void)
{
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

static const es_style wide = {.width = 80}, narrow = {.width = 40},
                      plain = {.width = 80, .plain = true};

/* Run sources, NULL at the end, one statement each; the last fails. */
static const char *fails(const char *const *source)
{
    for (; source[1]; source++)
        demand(language_run(&l, source[0]), "%s: %s", source[0], l.err.message);
    demand(!language_run(&l, source[0]), "%s works", source[0]);
    return source[0];
}

/* What is shown of it, behind the line of the message. */
static void shows(const es_style *style, const char *line, const char *want)
{
    es_str got = {0};
    es_show_error(&got, &l.err, line, strlen(line), NULL, style);
    ck_assert_str_eq(strchr(got.s, '\n') + 1, want);
    es_str_free(&got);
}

#define FAILS(...) fails((const char *const[]){__VA_ARGS__, NULL})

START_TEST(the_line_at_fault_is_marked_in_the_function_and_the_call_where_it_was_typed)
{
    const char *line =
        FAILS("def f(a):\n    b = a * 2\n    return b + torch.zeros(3)", "1 + f(torch.zeros(2))");
    shows(&wide, line,
          "    1 + f(torch.zeros(2))\n"
          "        ^^^^^^^^^^^^^^^^^\n"
          "  in f, line 3: return b + torch.zeros(3)\n"
          "                       ~ ^ ~~~~~~~~~~~~~~\n"
          "    axis              -1\n"
          "    b                  2\n"
          "    torch.zeros(3)     3\n"
          "                      XX        aligned from the right; a 1 or nothing stretches\n"
          "  PyTorch says: The size of tensor a (2) must match the size of tensor b (3) at\n"
          "  non-singleton dimension 0\n");
    ck_assert_str_eq(language_place(&l, line), "f(torch.zeros(2))");
}
END_TEST

START_TEST(a_narrow_screen_has_the_place_above_its_line)
{
    const char *line = FAILS("def position_embeddings(a):\n    if True:\n        return missing",
                             "position_embeddings(1)");
    shows(&narrow, line,
          "here\n"
          "    position_embeddings(1)\n"
          "    ^^^^^^^^^^^^^^^^^^^^^^\n"
          "  in position_embeddings, line 3:\n"
          "    return missing\n"
          "           ^^^^^^^\n"
          "  PyTorch says: name 'missing' is not\n"
          "  defined\n");
    shows(&plain, line,
          "  in the line: \"position_embeddings(1)\"\n"
          "  in position_embeddings, line 3: \"missing\"\n"
          "  PyTorch says: name 'missing' is not defined\n");
}
END_TEST

START_TEST(calls_are_shown_from_the_outside_in)
{
    const char *line = FAILS("def f(a):\n    return a + 'a'", "g = lambda a: f(a)",
                             "h = lambda a: [g(i) for i in a]", "h(range(2))");
    shows(&wide, line,
          "    h(range(2))\n"
          "    ^^^^^^^^^^^\n"
          "  in <lambda>, line 1: h = lambda a: [g(i) for i in a]\n"
          "                                      ^^^^\n"
          "  in <lambda>, line 1: g = lambda a: f(a)\n"
          "                                     ^^^^\n"
          "  in f, line 2: return a + 'a'\n"
          "                       ~ ^ ~~~\n");
}
END_TEST

START_TEST(a_function_that_calls_itself_is_shown_once)
{
    const char *line = FAILS("def r(n):\n    return r(n - 1) if n else 1 // 0", "r(5)");
    shows(&wide, line,
          "    r(5)\n"
          "    ^^^^\n"
          "  in r, line 2, 5 times in a row: return r(n - 1) if n else 1 // 0\n"
          "                                         ^^^^^^^^\n"
          "  in r, line 2: return r(n - 1) if n else 1 // 0\n"
          "                                          ~ ^^ ~\n"
          "  PyTorch says: ZeroDivisionError: integer division or modulo by zero\n");
    line = FAILS("r(300)");
    shows(&wide, line,
          "    r(300)\n"
          "    ^^^^^^\n"
          "  in r, line 2, 200 times in a row: return r(n - 1) if n else 1 // 0\n"
          "                                           ^^^^^^^^\n"
          "  PyTorch says: RecursionError: maximum recursion depth exceeded\n");
}
END_TEST

START_TEST(of_a_long_chain_the_ends_are_shown)
{
    const char *line =
        FAILS("def even(n):\n    return odd(n - 1)",
              "def odd(n):\n    return even(n - 1) if n > 0 else missing", "even(9)");
    shows(&wide, line,
          "    even(9)\n"
          "    ^^^^^^^\n"
          "  in even, line 2: return odd(n - 1)\n"
          "                          ^^^^^^^^^^\n"
          "  and 6 more calls, then\n"
          "  in odd, line 2: return even(n - 1) if n > 0 else missing\n"
          "                         ^^^^^^^^^^^\n"
          "  in even, line 2: return odd(n - 1)\n"
          "                          ^^^^^^^^^^\n"
          "  in odd, line 2: return even(n - 1) if n > 0 else missing\n"
          "                                                   ^^^^^^^\n"
          "  PyTorch says: name 'missing' is not defined\n");
    ck_assert_int_eq(l.err.n_within, ES_MOST_PLACES);
}
END_TEST

START_TEST(a_raise_is_marked_where_it_begins)
{
    const char *line = FAILS("def guard(n):\n"
                             "    if n > 3:\n"
                             "        raise ValueError(\n"
                             "            f\"Sequence length ({n}) exceeds \"\n"
                             "            f\"maximum ({3})\"\n"
                             "        )",
                             "list(map(guard, range(6)))");
    ck_assert_str_eq(l.err.message, "Sequence length (4) exceeds maximum (3)");
    shows(&wide, line,
          "    list(map(guard, range(6)))\n"
          "         ^^^^^^^^^^^^^^^^^^^^\n"
          "  in guard, line 3: raise ValueError(\n"
          "                    ^^^^^^^^^^^^^^^^^\n");
}
END_TEST

START_TEST(a_part_over_several_lines_keeps_its_shape)
{
    const char *line = FAILS("def many(a):\n"
                             "    b = torch.cat([a,\n"
                             "            a.sum(0)], dim=0)\n"
                             "    return b",
                             "many(torch.zeros(2, 3))");
    ck_assert_str_eq(l.err.within[0].source, "b = torch.cat([a,\n        a.sum(0)], dim=0)");
    ck_assert_int_eq(l.err.within[0].begin, 4);
    es_error_free(&l.err);
    language_run(&l, line);
    es_str got = {0};
    es_show_error(&got, &l.err, line, strlen(line), NULL, &wide);
    ck_assert_ptr_nonnull(strstr(got.s, "  in many, lines 2-3:\n"
                                        "    b = torch.cat([a,\n"
                                        "        ^^^^^^^^^^^^^\n"
                                        "            a.sum(0)], dim=0)\n"
                                        "            ^^^^^^^^^^^^^^^^^\n"));
    es_str_free(&got);
}
END_TEST

START_TEST(a_remark_behind_the_line_is_left_out)
{
    const char *line = FAILS("def f(a):\n    b = a + '#'    # (B, T)\n    return b", "f(1)");
    shows(&wide, line,
          "    f(1)\n"
          "    ^^^^\n"
          "  in f, line 2: b = a + '#'\n"
          "                    ~ ^ ~~~\n");
}
END_TEST

START_TEST(defaults_fail_where_the_function_is_made)
{
    const char *line = FAILS("def outer(x):\n    def inner(k=x.sum(7)):\n        return k\n"
                             "    return inner()",
                             "outer(torch.zeros(2))");
    ck_assert_str_eq(language_place(&l, line), "outer(torch.zeros(2))");
    ck_assert_int_eq(l.err.n_within, 1);
    ck_assert_str_eq(l.err.within[0].source, "def inner(k=x.sum(7)):");
    line = FAILS("def typed(k=ids + x):\n    return k");
    ck_assert_str_eq(language_place(&l, line), "x");
    ck_assert_int_eq(l.err.n_within, 0);
}
END_TEST

START_TEST(what_was_typed_has_the_place_where_it_can)
{
    const char *line = FAILS("def apply(f, a):\n    return f(a)", "apply(lambda a: a + 'b', 1)");
    ck_assert_str_eq(language_place(&l, line), "a + 'b'");
    ck_assert_int_eq(l.err.n_within, 0);
}
END_TEST

START_TEST(arguments_that_do_not_fit_are_shown_what_would)
{
    const char *line = FAILS("def f(a, b: int, *, c=2) -> int:\n    return a", "f(1)");
    shows(&wide, line,
          "    f(1)\n"
          "    ^^^^\n"
          "  it is written f(a, b: int, *, c=2) -> int\n");
    line = FAILS("(lambda a: a)(1, 2)");
    shows(&wide, line,
          "    (lambda a: a)(1, 2)\n"
          "    ^^^^^^^^^^^^^^^^^^^\n"
          "  it is written <lambda>(a)\n");
}
END_TEST

START_TEST(a_file_is_named_with_its_line)
{
    const char *source = "def f(a):\n\n    return a.nothing";
    es_unit *unit = es_parse(source, strlen(source), &l.err);
    es_unit_stands_in(unit, "net.py", 4);
    ck_assert_works(es_interp_run(l.in, unit, &l.err), l.err);
    es_unit_unref(unit);
    const char *line = FAILS("f(1)");
    ck_assert_str_eq(l.err.within[0].file, "net.py");
    ck_assert_int_eq(l.err.within[0].line, 6);
    es_str json = {0};
    es_json_error(&json, &l.err, NULL);
    ck_assert_ptr_nonnull(
        strstr(json.s, "\"begin\":0,\"end\":4,\"in\":[{\"function\":\"f\",\"file\":\"net.py\","
                       "\"line\":6,\"source\":\"return a.nothing\",\"begin\":7,\"end\":16,"
                       "\"times\":1,\"left_out\":0}]}"));
    es_str_free(&json);
    es_str got = {0};
    es_show_error(&got, &l.err, line, strlen(line), NULL, &wide);
    ck_assert_ptr_nonnull(strstr(got.s, "  in f, net.py:6: return a.nothing\n"
                                        "                         ^^^^^^^^^"));
    es_str_free(&got);
}
END_TEST

START_TEST(of_a_long_line_the_part_at_fault_is_kept)
{
    es_str s = {0};
    es_str_cat(&s, "def f(a):\n    return [");
    for (int i = 0; i < 9000; i++)
        es_str_cat(&s, i == 6000 ? "missing, " : "a, ");
    es_str_cat(&s, "]");
    FAILS(s.s, "f(1)");
    const es_place *p = &l.err.within[0];
    ck_assert_uint_le(strlen(p->source), 4096);
    ck_assert_int_eq(p->end - p->begin, 7);
    ck_assert(!strncmp(p->source + p->begin, "missing", 7));
    es_str_free(&s);
}
END_TEST

START_TEST(marks_are_for_readers_of_what_is_visible)
{
    const char *line = FAILS("def f(a):\n    return \"\x1b[31m\xe7\x8c\xab\" + a", "f(1)");
    shows(&wide, line,
          "    f(1)\n"
          "    ^^^^\n"
          "  in f, line 2: return \"\\x1b[31m\xe7\x8c\xab\" + a\n"
          "                       ~~~~~~~~~~~~ ^ ~\n"
          "  an f-string takes any value: f\"{x}\"\n");
}
END_TEST

Suite *traceback_suite(void)
{
    Suite *s = suite_create("traceback");
    TCase *tc = tcase_create("language");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_line_at_fault_is_marked_in_the_function_and_the_call_where_it_was_typed);
    tcase_add_test(tc, a_narrow_screen_has_the_place_above_its_line);
    tcase_add_test(tc, calls_are_shown_from_the_outside_in);
    tcase_add_test(tc, a_function_that_calls_itself_is_shown_once);
    tcase_add_test(tc, of_a_long_chain_the_ends_are_shown);
    tcase_add_test(tc, a_raise_is_marked_where_it_begins);
    tcase_add_test(tc, a_part_over_several_lines_keeps_its_shape);
    tcase_add_test(tc, a_remark_behind_the_line_is_left_out);
    tcase_add_test(tc, defaults_fail_where_the_function_is_made);
    tcase_add_test(tc, what_was_typed_has_the_place_where_it_can);
    tcase_add_test(tc, arguments_that_do_not_fit_are_shown_what_would);
    tcase_add_test(tc, a_file_is_named_with_its_line);
    tcase_add_test(tc, of_a_long_line_the_part_at_fault_is_kept);
    tcase_add_test(tc, marks_are_for_readers_of_what_is_visible);
    suite_add_tcase(s, tc);
    return s;
}
