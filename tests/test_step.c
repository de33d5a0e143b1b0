// SPDX-License-Identifier: GPL-3.0-or-later
/* :step and :trace from the session's side: where it stops, what is said there, and that what it stands on stays
 * what it is; and at the prompt. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "listener.h"
#include "session/complete.h"
#include "support.h"
#include "terminal.h"

Suite *step_suite(void);

/* ---- a session, and what it says ---- */

static listener heard;
static atomic_bool interrupt;

static void setup(void)
{
    const es_session_options o = {
        .model = "untrained:C=4", .settings.pad = -1, .tensor = true, .interrupt = &interrupt};
    listener_open(&heard, &o);
}

static void teardown(void)
{
    listener_close(&heard);
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

/* A source of several lines, pasted. */
static void define(const char *lines)
{
    es_session_statement(heard.session, lines, strlen(lines), &heard.sink);
    ck_assert_str_eq(es_str_text(&heard.errors), "");
}

static void check(const char *line, const char *want)
{
    run(line);
    ck_assert_msg(!strcmp(es_str_text(&heard.shown), want), "%s\nwanted:\n%sgot:\n%s%s", line, want,
                  es_str_text(&heard.shown), es_str_text(&heard.errors));
}

static void check_json(const char *line, const char *want)
{
    run(line);
    ck_assert_msg(!strcmp(es_str_text(&heard.json), want), "%s\n  wanted: %s  got:    %s", line,
                  want, es_str_text(&heard.json));
}

static void check_prompt(const char *want)
{
    es_str prompt = {0};
    es_session_prompt(heard.session, &prompt);
    ck_assert_str_eq(es_str_text(&prompt), want);
    es_str_free(&prompt);
}

/* ---- where it stops ---- */

static const char *const doubles = "def double(a):\n"
                                   "    b = a + a  # twice\n"
                                   "    return b\n";

START_TEST(it_stops_before_each_line_of_the_function)
{
    define(doubles);
    check_prompt("tensor (untrained:C=4)> ");
    check(":step double(torch.zeros(2, C))",
          "double(a)                                    a [2, C=4] float32\n"
          "  2→ b = a + a                               a [2, C=4] float32\n");
    check_prompt("step> ");
    check("", "   ⇒ b [2, C=4] float32\n"
              "  3→ return b                                b [2, C=4] float32\n");
    run("");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "   ⇒ returns [2, C=4] float32\n"));
    ck_assert_ptr_nonnull(
        strstr(es_str_text(&heard.shown), "[2, C=4] float32 cpu")); /* the value */
    check_prompt("tensor (untrained:C=4)> ");
}
END_TEST

START_TEST(between_two_lines_nothing_runs)
{
    define("log = []\n"
           "def f():\n"
           "    log.append(1)\n"
           "    log.append(2)\n"
           "    log.append(3)\n");
    run(":step f()");
    check("log", "[]\n");
    run("");
    check("log", "[1]\n");
    run("q");
    check_prompt("tensor (untrained:C=4)> ");
    check("log", "[1]\n");
}
END_TEST

START_TEST(an_endless_loop_is_stepped_like_any_other)
{
    define("def f():\n"
           "    n = 0\n"
           "    while True:\n"
           "        n += 1\n");
    run(":step f()");
    for (int i = 0; i < 30; i++)
        run("");
    check("n", "14\n");
    check("", "   ⇒ n = 15\n"
              "  3→ while True:\n");
    check("", "   ⇒ yes\n"
              "  4→ n += 1                                  n = 15\n");
    run("q");
}
END_TEST

START_TEST(conditions_are_told_with_their_numbers)
{
    define("def f(n):\n"
           "    if n > 3 or n < 0:\n"
           "        return 0\n"
           "    elif 2 == n:\n"
           "        return 1\n"
           "    for i in range(1):\n"
           "        pass\n");
    run(":step f(1)");
    check("", "   ⇒ 1 > 3 or 1 < 0: no\n"
              "  4→ elif 2 == n:                            n = 1\n");
    check("", "   ⇒ 2 == 1: no\n"
              "  6→ for i in range(1):\n");
    check("", "   ⇒ i = 0\n"
              "  7→ pass\n");
    check("", "  6→ for i in range(1):\n");
    check("", "   ⇒ no more\n");
    check_prompt("tensor (untrained:C=4)> ");
}
END_TEST

/* What a condition comes to; a is a tensor, n is 3, s a string, o an object. */
static void check_condition(const char *condition, const char *want)
{
    es_str lines = {0};
    es_str_add(&lines,
               "def f(a, n, s, o):\n"
               "    if %s:\n"
               "        pass\n",
               condition);
    define(lines.s);
    run(":step f(torch.zeros(2, C), 3, 'b', own)");
    run("");
    es_str_free(&lines);
    es_str_add(&lines, "   ⇒ %s\n", want);
    ck_assert_msg(!strncmp(es_str_text(&heard.shown), lines.s, lines.len),
                  "%s\nwanted:\n%sgot:\n%s", condition, lines.s, es_str_text(&heard.shown));
    es_str_free(&lines);
    if (es_session_stepping(heard.session))
        run("q");
}

START_TEST(a_condition_shows_what_was_compared_and_what_was_not_reached)
{
    static const char *const cases[][2] = {
        {"n > o.size.most", "3 > 5: no"},
        {"len(a) > 3 and n == 3", "2 > 3 and …: no"},
        {"a.dim() == 2 or n == 3", "2 == 2 or …: yes"},
        {"a is None", "no"},
        {"a is not None and n == 3", "a is not None and 3 == 3: yes"},
        {"not o.on", "not True: no"},
        {"not (n == 3 or a.shape[0] == 1)", "not (3 == 3 or …): no"},
        {"0 < n < a.shape[0] < 9", "0 < 3 < 2 < …: no"},
        {"s in ('a', 'b')", "'b' in ('a', 'b'): yes"},
        {"isinstance(n, int) or n == 3", "yes"},
        {"isinstance(n, int) and n == 3", "isinstance(n, int) and 3 == 3: yes"},
        {"any(i > 2 for i in [1, 2])", "no"},
        {"twice(n) == 6", "6 == 6: yes"},
        {"n", "3: yes"},
        {"True", "yes"},
    };
    define("class Size:\n"
           "    most = 5\n"
           "class Own:\n"
           "    def __init__(self):\n"
           "        self.on = True\n"
           "        self.size = Size()\n"
           "        self.size.most = 5\n"
           "def twice(n):\n"
           "    if n == 0:\n"
           "        return 0\n"
           "    return n + n\n"
           "own = Own()\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_condition(cases[i][0], cases[i][1]);
}
END_TEST

START_TEST(so_does_an_assertion_that_holds_and_one_that_fails)
{
    define("def f(n):\n"
           "    assert n % 2 == 1, 'odd'\n"
           "    assert n > 9, 'large'\n");
    run(":step f(3)");
    check("", "   ⇒ 1 == 1: yes\n"
              "  3→ assert n > 9, 'large'                   n = 3\n");
    check("", "  3! assert n > 9, 'large'                   3 > 9: no, this line failed\n");
    run("q");
    run(":trace f(3)");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "  n = 3, 3 > 9: no, this line failed\n"));
}
END_TEST

static const char *const nested = "def inner(a):\n"
                                  "    return a + 1\n"
                                  "def outer(a):\n"
                                  "    b = inner(a) + inner(a)\n"
                                  "    return b\n";

START_TEST(into_goes_into_each_call_of_a_line_and_out_comes_back_to_it)
{
    define(nested);
    run(":step outer(1)");
    check("i", "  inner(a)                                   a = 1\n"
               "    2→ return a + 1                          a = 1\n");
    check("w", "inner           line 2  return a + 1\n"
               "outer           line 4  b = inner(a) + inner(a)\n"
               "the typed line  line 1  outer(1)\n");
    check("o", "  inner                                      returns 2\n"
               "  4→ b = inner(a) + inner(a)                 a = 1\n");
    check("i", "  inner(a)                                   a = 1\n"
               "    2→ return a + 1                          a = 1\n");
    check("", "     ⇒ returns 2\n"
              "  4→ b = inner(a) + inner(a)                 a = 1\n");
    check("", "   ⇒ b = 4\n"
              "  5→ return b                                b = 4\n");
    check("c", "4\n");
}
END_TEST

START_TEST(enter_goes_over_calls)
{
    define(nested);
    run(":step outer(1)");
    check("", "   ⇒ b = 4\n"
              "  5→ return b                                b = 4\n");
    run("q");
}
END_TEST

START_TEST(all_calls_of_a_typed_expression_are_stepped)
{
    define(nested);
    run(":step inner(1) + (lambda q: q * 2)(5)");
    check("", "   ⇒ returns 2\n"
              "<lambda>(q)                                  q = 5\n"
              "  1→ q * 2                                   q = 5\n");
    check("", "   ⇒ returns 10\n12\n");
    check(":step 1 + 1", "2\n"); /* nothing to step through */
    check(":step u = inner(1); u + 1", "  1→ u = inner(1)\n");
    check("", "   ⇒ u = 2\n"
              "  1→ u + 1                                   u = 2\n");
    check("", "   ⇒ gives 3\n3\n");
}
END_TEST

START_TEST(what_is_written_into_is_said_to_change_in_place)
{
    define("def f(a):\n"
           "    a += 1\n"
           "    a[0] = 7\n"
           "    a.zero_()\n"
           "    a = a.mT\n");
    run(":step f(torch.zeros(2, C))");
    check("", "   ⇒ a [2, C=4] float32 in place\n"
              "  3→ a[0] = 7\n");
    check("", "   ⇒ a [2, C=4] float32 in place\n"
              "  4→ a.zero_()                               a [2, C=4] float32\n");
    check("", "   ⇒ a [2, C=4] float32 in place\n"
              "  5→ a = a.mT                                a [2, C=4] float32\n");
    check("", "   ⇒ a [2, C=4] float32 -> [C=4, 2] float32\n");
}
END_TEST

/* ---- methods, tables ---- */

START_TEST(init_methods_and_properties_are_stepped)
{
    define("class A:\n"
           "    def __init__(self, n):\n"
           "        self.n = n\n"
           "class M(A):\n"
           "    def __init__(self, n):\n"
           "        super().__init__(n)\n"
           "    @property\n"
           "    def twice(self):\n"
           "        return 2 * self.n\n");
    run(":step M(3)");
    run(":vars");
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"name\":\"n\""));
    ck_assert_ptr_null(strstr(heard.json.s, "__class__"));
    run("q");
    check(":step M(3).twice", "M.__init__(self, n)                          n = 3\n"
                              "  6→ super().__init__(n)                     n = 3\n");
    check("i", "  A.__init__(self, n)                        n = 3\n"
               "    3→ self.n = n                            n = 3\n");
    check("", "     ⇒ self.n = 3\n"
              "  6→ super().__init__(n)                     n = 3\n");
    check("", "M.twice(self)\n"
              "  9→ return 2 * self.n                       self.n = 3\n");
    check("", "   ⇒ returns 6\n6\n");
}
END_TEST

START_TEST(a_table_is_one_step)
{
    define("def f(i):\n"
           "    return wte(i)\n");
    run(":step f(torch.arange(0, 3))");
    run("i");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown),
                                 "[3] int64 × weight [V=50257, C=4] → [3, C=4] float32\n"));
}
END_TEST

START_TEST(of_a_sequential_its_members_are_steps)
{
    define("class Twice(nn.Module):\n"
           "    def forward(self, a):\n"
           "        return a * 2\n"
           "net = nn.Sequential(nn.Linear(4, 4), Twice())\n"
           "def f(a):\n"
           "    return net(a)\n");
    run(":step f(torch.zeros(2, 4))");
    check("i", "       Linear: [2, 4] float32 × weight [4, 4] → [2, 4] float32\n"
               "  Twice.forward(self, a)                     a [2, 4] float32\n"
               "    3→ return a * 2                          a [2, 4] float32\n");
    check("o", "  Twice.forward                              returns [2, 4] float32\n"
               "  6→ return net(a)                           net = Sequential, a [2, 4] float32\n");
    run("");
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "   ⇒ returns [2, 4] float32\n")); /* no more of its own */
}
END_TEST

START_TEST(shapes_alone_can_be_stepped)
{
    define(doubles);
    run(":set shapes-only on");
    run(":step double(torch.zeros(2, C))");
    check("", "   ⇒ b [2, C=4] float32\n"
              "  3→ return b                                b [2, C=4] float32\n");
    run("c");
    run(":trace double(torch.zeros(2, C))");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "returns [2, C=4] float32\n"));
}
END_TEST

/* ---- lines in between ---- */

START_TEST(statements_run_where_it_stands)
{
    define("def f(n):\n"
           "    n = n + k\n"
           "    return n\n"
           "k = 10\n");
    run(":step f(1)");
    check("n + k", "11\n");
    check("n = 5", "");
    check("k = 20", "");
    ck_assert_int_eq(run("nobody"), ES_FAILED);
    check_prompt("step> ");
    check("", "   ⇒ n = 25\n"
              "  3→ return n                                n = 25\n");
    check("c", "25\n");
    check("k", "10\n"); /* it was f's own */
}
END_TEST

START_TEST(statements_of_several_lines_run_there_too)
{
    define("def f(n):\n"
           "    return n\n");
    run(":step f(1)");
    ck_assert_int_eq(run("for i in range(3):"), ES_MORE);
    check_prompt(" ...> ");
    run("    n += i");
    run("n"); /* not part of it */
    ck_assert_str_eq(es_str_text(&heard.shown), "4\n");
    check("c", "4\n");
}
END_TEST

START_TEST(commands_see_the_variables_of_the_place)
{
    define("def f(own):\n"
           "    return own\n"
           "other = 2\n"
           "own = 3\n");
    run(":step f(T=1) if False else f(1)");
    run(":vars");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"name\":\"own\",\"value\":\"1\""));
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"name\":\"other\",\"value\":\"2\""));
    ck_assert_ptr_null(strstr(es_str_text(&heard.json), "\"value\":\"3\""));
    check(":type own", "int\n");
    es_completion c = es_complete(heard.session, "ow", 2);
    ck_assert_int_eq((int)c.n, 1);
    es_completion_free(&c);
    check("q", "");
    check("own", "3\n");
}
END_TEST

START_TEST(among_pasted_lines_are_no_keys)
{
    define("def f(n):\n"
           "    n += 1\n"
           "    return n\n");
    run(":step f(1)");
    es_session_set_paste(heard.session, ES_PASTED);
    check("", "");
    check("c = 7", "");
    check("c", "7\n");
    es_session_set_paste(heard.session, ES_PASTED_LAST);
    check("", "");
    es_session_set_paste(heard.session, ES_TYPED);
    check("n", "1\n");
    check("", "   ⇒ n = 2\n  3→ return n                                n = 2\n");
}
END_TEST

START_TEST(values_are_those_of_the_names_on_the_line)
{
    define("def f(a, n):\n"
           "    return a * n\n");
    run(":step f(torch.ones(2), 3)");
    check("v", "a:\n[2] float32 cpu\n[1.0 1.0]\nn = 3\n");
    check("v n", "3\n");
    check("v = 4", "");
    check("v", "a:\n[2] float32 cpu\n[1.0 1.0]\nn = 3\n");
    check("v v", "4\n");
    check("v a[0]", "[] float32 cpu   a view of a\n1.0\n");
    run("?");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "out: run the rest of this function"));
    check("l", "  1  def f(a, n):\n"
               "  2→     return a * n\n");
}
END_TEST

START_TEST(values_are_those_of_what_the_last_line_bound_too)
{
    define("def inner(p):\n"
           "    q = p * 3\n"
           "    return q\n"
           "def f(a, n):\n"
           "    b = a * n\n"
           "    c, d = n, 'x'\n"
           "    e = inner(d)\n"
           "    return e\n");
    run(":step f(torch.ones(2), 3)");
    run("");
    check("v", "b:\n[2] float32 cpu\n[3.0 3.0]\nn = 3\n");
    run("");
    check("v", "c = 3\nd:\n'x'\n");
    run("i");
    check("v", "p:\n'x'\n"); /* nothing of inner has run, and f's names are not its own */
    run("");
    check("v", "q:\n'xxx'\n");
    run("");
    check("v", "d:\n'x'\n"); /* back in the line that called */
    run("c");
}
END_TEST

START_TEST(keys_of_other_debuggers_are_answered_with_ours)
{
    static const char *const lines[][2] = {
        {"n", "Enter runs this line and stops at the next"},
        {"s", "i goes into the calls of this line"},
        {"r", "o runs the rest of this function"},
        {"cont", "c goes on to the end"},
        {"p a", "v shows values, v NAME one of them"},
        {"bt", "w shows the chain of calls"},
        {"b 3", "? lists what can be typed here"},
    };
    define(doubles);
    run(":step double(1)");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        run(lines[i][0]);
        ck_assert_msg(strstr(es_str_text(&heard.errors), lines[i][1]), "%s\n%s", lines[i][0],
                      es_str_text(&heard.errors));
    }
    check("n = 3", "");
    check("n", "3\n");
    run("return nobody");
    ck_assert_ptr_null(strstr(heard.errors.s, "o runs the rest"));
    run("nobody");
    ck_assert_ptr_null(strstr(heard.errors.s, "Enter"));
    run("q");
}
END_TEST

START_TEST(what_takes_the_ground_away_ends_it_first)
{
    static const char *const lines[] = {":reset", ":model untrained:C=8", ":text", ":step 1"};
    define(doubles);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        define(doubles);
        run(":step double(1)");
        run(lines[i]);
        ck_assert_msg(strstr(es_str_text(&heard.notes), "the stepping has ended here, for :"), "%s",
                      lines[i]);
        ck_assert_msg(!es_session_stepping(heard.session), "%s", lines[i]);
        es_session_set_tensor(heard.session, true);
    }
    run(":step double(1)");
    ck_assert_int_eq(run("quit"), ES_QUIT);
    ck_assert_int_eq(es_session_stepping(heard.session), false);
}
END_TEST

START_TEST(the_end_of_the_lines_ends_it)
{
    define(doubles);
    run(":step double(1)");
    listener_forget(&heard);
    ck_assert_int_eq(es_session_end(heard.session, &heard.sink), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.notes), "the lines end here, and the stepping with them\n");
    run(":step double(1)");
    es_session_abandon(heard.session); /* Ctrl-C */
    check_prompt("tensor (untrained:C=4)> ");
    run(":step double(1)"); /* and the session is freed with it */
}
END_TEST

/* ---- failures ---- */

START_TEST(it_stops_at_the_line_that_fails)
{
    define("def f(n):\n"
           "    m = n + 1\n"
           "    return m.nothing\n");
    run(":step f(1)");
    ck_assert_int_eq(run("c"), ES_FAILED);
    ck_assert_str_eq(es_str_text(&heard.shown),
                     "  3! return m.nothing                        m = 2, this line failed\n");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.errors),
                                 "error[name]: 'int' object has no attribute 'nothing'\n"
                                 "    :step f(1)\n"));
    check_prompt("step> ");
    check("m", "2\n");
    check("w", "f               line 3  return m.nothing\n"
               "the typed line  line 1  f(1)\n");
    ck_assert_int_eq(run("m.other"), ES_FAILED);
    check("v", "m = 2\n");
    ck_assert_int_eq(run(""), ES_DONE);
    check_prompt("tensor (untrained:C=4)> ");
}
END_TEST

static const char *const guarded = "def bad(n):\n"
                                   "    return n.nothing\n"
                                   "def f(n):\n"
                                   "    try:\n"
                                   "        m = bad(n)\n"
                                   "    except (TypeError, ValueError):\n"
                                   "        m = 0\n"
                                   "    return m\n"
                                   "def g(n):\n"
                                   "    try:\n"
                                   "        m = f(n)\n"
                                   "    except AttributeError as e:\n"
                                   "        m = 1\n"
                                   "    return m\n";

START_TEST(it_stops_where_it_fails_though_an_except_of_another_kind_is_around_it)
{
    define(guarded);
    run(":step f(1)");
    ck_assert_int_eq(run("c"), ES_FAILED);
    ck_assert_str_eq(es_str_text(&heard.shown),
                     "    2! return n.nothing                      n = 1, this line failed\n");
    check("w", "bad             line 2  return n.nothing\n"
               "f               line 5  m = bad(n)\n"
               "the typed line  line 1  f(1)\n");
    run("q");
    run(":trace f(1)");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "      2! return n.nothing  "));
}
END_TEST

START_TEST(what_is_raised_and_caught_is_told_and_gone_on_from)
{
    define(guarded);
    run(":step g(1)");
    run("");
    check("", "   ⇒ raises AttributeError, caught in line 12\n 13→ m = 1\n");
    run("q");
    run(":step g(1)");
    for (int i = 0; i < 4; i++)
        run("i");
    check("", "       ⇒ raises AttributeError\n"
              "    5  m = bad(n)                            raises AttributeError\n"
              " 11  m = f(n)                           raises AttributeError, caught in line 12\n"
              " 13→ m = 1\n");
    run("q");
    run(":step g(1)");
    run("i");
    run("i");
    check("o", " 11  m = f(n)                           raises AttributeError, caught in line 12\n"
               " 13→ m = 1\n");
    check("c", "1\n");
    run(":trace g(1)");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "   11  m = f(n)  "));
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "  raises AttributeError, caught in line 12\n"));
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"raises\":\"AttributeError\",\"failed\":false"));
}
END_TEST

START_TEST(the_error_is_the_one_that_running_it_gives)
{
    define("def inner(a):\n"
           "    return a.nothing\n"
           "def outer(a):\n"
           "    return 1 + inner(a)\n");
    run("2 * outer(3)");
    es_str plain = {0};
    es_str_cat(&plain, strchr(es_str_text(&heard.errors), '\n') + 1 + sizeof "    2 * outer(3)");
    run(":step 2 * outer(3)");
    run("c");
    const char *in = strstr(es_str_text(&heard.errors), "  in ");
    ck_assert_ptr_nonnull(in);
    ck_assert_str_eq(in, strstr(plain.s, "  in "));
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "    :step 2 * outer(3)\n"
                                                 "              ^^^^^^^^\n"));
    es_str_free(&plain);
}
END_TEST

START_TEST(a_typed_line_that_fails_is_an_error_like_any_other)
{
    ck_assert_int_eq(run(":step nobody(1)"), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.errors),
                                 "error[name]: nothing is called nobody "
                                 "here\n    :step nobody(1)\n          ^"));
    check_prompt("tensor (untrained:C=4)> ");
    ck_assert_int_eq(run(":step f("), ES_MORE);
    es_session_abandon(heard.session);
    ck_assert_int_eq(run(":step"), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.errors), "the form is :step STATEMENT"));
}
END_TEST

START_TEST(recursion_ends_where_it_always_does)
{
    define("def f(n):\n"
           "    return f(n + 1)\n");
    run(":step f(0)");
    ck_assert_int_eq(run("c"), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "nested more than 200 deep"));
    check("n", "199\n");
    check("q", "");
}
END_TEST

START_TEST(ctrl_c_stops_the_line_and_the_stepping)
{
    define("def f():\n"
           "    while True:\n"
           "        pass\n");
    run(":step f()");
    run("");
    interrupt = true;
    ck_assert_int_eq(run("c"), ES_FAILED);
    interrupt = false;
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"error\":\"interrupted\""));
}
END_TEST

/* ---- as JSON ---- */

START_TEST(each_stop_is_an_object)
{
    define("def f(n):\n"
           "    if n > 1:\n"
           "        return n\n");
    check_json(
        ":step f(2)",
        "{\"kind\":\"step\",\"steps\":[{\"event\":\"call\",\"depth\":1,\"function\":\"f\","
        "\"line\":1,\"source\":\"f(n)\",\"reads\":{},\"binds\":{\"n\":{\"of\":\"int\",\"value\":2}"
        "},\"condition\":null,\"value\":null,\"raises\":null,\"failed\":false}],\"not_shown\":0,"
        "\"at\":{\"event\":"
        "\"line\",\"depth\":1,\"function\":\"f\",\"line\":2,\"source\":\"if n > 1:\",\"reads\":{"
        "\"n\":{\"of\":\"int\",\"value\":2}},\"binds\":{},\"condition\":null,\"value\":null,"
        "\"raises\":null,\"failed\":false},\"value\":null}\n");
    check_json("w", "{\"kind\":\"where\",\"calls\":[{\"depth\":1,\"function\":\"f\",\"line\":2,"
                    "\"source\":\"if n > 1:\"},{\"depth\":0,\"function\":null,\"line\":1,"
                    "\"source\":\"f(2)\"}]}\n");
    check_json("l", "{\"kind\":\"source\",\"lines\":[{\"line\":1,\"source\":\"def f(n):\",\"here\":"
                    "false},{\"line\":2,\"source\":\"    if n > 1:\",\"here\":true},{\"line\":3,"
                    "\"source\":\"        return n\",\"here\":false}]}\n");
    check_json("v", "{\"kind\":\"values\",\"values\":{\"n\":{\"kind\":\"int\",\"value\":2}}}\n");
    check_json("c",
               "{\"kind\":\"step\",\"steps\":[],\"not_shown\":0,\"at\":null,\"value\":{\"kind\":"
               "\"int\",\"value\":2}}\n");
    run(":step f('x')");
    run("");
    json_t *o = json_loads(es_str_text(&heard.json), 0, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(o, "error")), "type");
    ck_assert(json_is_true(json_object_get(json_object_get(o, "at"), "failed")));
    json_decref(o);
}
END_TEST

START_TEST(a_trace_is_one_object)
{
    define(nested);
    run(":trace outer(1)");
    json_t *o = json_loads(es_str_text(&heard.json), 0, NULL), *steps = json_object_get(o, "steps");
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "trace");
    ck_assert_int_eq((int)json_array_size(steps), 8);
    static const int depths[] = {0, 1, 1, 2, 2, 2, 2, 1};
    for (size_t i = 0; i < 8; i++)
        ck_assert_int_eq(
            (int)json_integer_value(json_object_get(json_array_get(steps, i), "depth")), depths[i]);
    ck_assert(json_is_null(json_object_get(o, "error")));
    ck_assert_int_eq((int)json_integer_value(json_object_get(json_object_get(o, "value"), "value")),
                     4);
    json_decref(o);
}
END_TEST

/* ---- :trace ---- */

START_TEST(a_trace_shows_the_whole_walk)
{
    define(nested);
    check(":trace outer(1)", "  1  outer(1)                                gives 4\n"
                             "  outer(a)                                   a = 1\n"
                             "    4  b = inner(a) + inner(a)               b = 4\n"
                             "    inner(a)                                 a = 1\n"
                             "      2  return a + 1                        returns 2\n"
                             "    inner(a)                                 a = 1\n"
                             "      2  return a + 1                        returns 2\n"
                             "    5  return b                              returns 4\n"
                             "4\n");
}
END_TEST

START_TEST(a_long_trace_is_counted)
{
    define("def f(n):\n"
           "    for i in range(n):\n"
           "        i\n"
           "    return i\n");
    run(":trace f(5000)");
    json_t *o = json_loads(es_str_text(&heard.json), 0, NULL);
    ck_assert_int_eq((int)json_array_size(json_object_get(o, "steps")), 2000);
    ck_assert_int_eq((int)json_integer_value(json_object_get(o, "not_shown")),
                     1 + 2 * 5000 + 2 - 1999);
    json_decref(o);
    ck_assert_ptr_nonnull(
        strstr(es_str_text(&heard.shown), "     … 8,004 more, not shown\n4999\n"));
}
END_TEST

START_TEST(a_trace_that_fails_shows_how_far_it_came)
{
    define("def f(n):\n"
           "    return n.nothing\n");
    ck_assert_int_eq(run(":trace f(1)"), ES_FAILED);
    ck_assert_str_eq(es_str_text(&heard.shown),
                     "  1  f(1)\n"
                     "  f(n)                                       n = 1\n"
                     "    2! return n.nothing                      n = 1, this line failed\n");
    ck_assert_ptr_nonnull(
        strstr(es_str_text(&heard.json), "{\"kind\":\"error\",\"error\":\"name\""));
}
END_TEST

START_TEST(a_trace_goes_on_behind_an_error_that_exit_deals_with)
{
    define("class Calm:\n"
           "    def __enter__(self):\n"
           "        return self\n"
           "    def __exit__(self, kind, error, trace):\n"
           "        return True\n"
           "def f(n):\n"
           "    with Calm():\n"
           "        n.nothing\n"
           "    return n + 1\n");
    ck_assert_int_eq(run(":trace f(1)"), ES_DONE);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "    8! n.nothing "));
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "    9  return n + 1                          returns 2\n"));
}
END_TEST

START_TEST(a_trace_works_where_something_is_stopped)
{
    define(nested);
    run(":step outer(1)");
    run("z = 6");
    run(":trace inner(a + z)");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "returns 8\n8\n"));
    check_prompt("step> ");
    check("c", "4\n");
}
END_TEST

/* ---- how it is laid out ---- */

START_TEST(no_line_is_wider_than_the_screen)
{
    define("def f(a_long_name_of_a_tensor, another_name):\n"
           "    a_long_name_of_a_tensor = (a_long_name_of_a_tensor +\n"
           "                               another_name).unsqueeze(0).expand(2, 2, C)\n"
           "    return a_long_name_of_a_tensor\n");
    for (int width = 40; width <= 120; width++) {
        heard.style.width = width;
        run(":trace f(torch.zeros(2, C), 3)");
        for (const char *line = es_str_text(&heard.shown); *line; line = strchr(line, '\n') + 1)
            demand(es_columns(line, strcspn(line, "\n")) <= width, "%d:\n%s", width, heard.shown.s);
    }
}
END_TEST

START_TEST(plain_is_words)
{
    heard.style.plain = true;
    define(doubles);
    check(":step double(1)", "call: double(a)\nreads: a = 1\nnext line 2: b = a + a\n"
                             "reads: a = 1\n");
    check("", "after it: b = 2\nnext line 3: return b\nreads: b = 2\n");
    check("c", "int: 2\n");
}
END_TEST

/* ---- at the prompt ---- */

static void calm(void)
{
    calm_environment();
}

START_TEST(the_prompt_says_step_and_ctrl_c_ends_it)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("f = lambda n: [n + i for i in range(n)]\r");
    expect("tensor> ");
    type(":step f(3)\r");
    expect("  1→ [n + i for i in range(n)]");
    expect("note: Enter runs this line");
    expect("step> ");
    type("n\x03");
    expect("tensor> ");
    type(":step f(3)\r");
    expect("step> ");
    type("\r");
    expect("returns [3, 4, 5]");
    expect("tensor> ");
    type(":step f(3)\r");
    expect("step> ");
    type("\x04"); /* the stepping's end, not the program's */
    expect("the lines end here");
    expect("tensor> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

START_TEST(keys_are_not_kept_in_the_history_and_statements_are)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("f = lambda a: a * 2\r");
    expect("tensor> ");
    type(":step f(3)\r");
    expect("step> ");
    type("a + 4\r");
    expect("7");
    expect("step> ");
    type("w\r");
    expect("the typed line");
    expect("step> ");
    type("v\r");
    expect("a = 3");
    expect("step> ");
    type("\x1b[A");
    expect("a + 4");
    type("\r");
    expect("7");
    expect("step> ");
    type("\x03");
}
END_TEST

START_TEST(ctrl_c_stops_a_line_that_is_stepped)
{
    START(80, "-q", "-t", "--color=never");
    expect("tensor> ");
    type("def f():\r    while True:\r        pass\r\r");
    expect("tensor> ");
    type(":step f()\r");
    expect("step> ");
    type("c\r");
    usleep(300000);
    type("\x03");
    expect("[interrupted]: stopped by Ctrl-C");
    expect("tensor> ");
    type(":trace f()\r");
    usleep(300000);
    type("\x03");
    expect("[interrupted]: stopped by Ctrl-C");
    expect("tensor> ");
    type("1 + 1\r");
    expect("2");
    expect("tensor> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

static void add_stops(Suite *s)
{
    TCase *tc = tcase_create("stops");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, it_stops_before_each_line_of_the_function);
    tcase_add_test(tc, between_two_lines_nothing_runs);
    tcase_add_test(tc, an_endless_loop_is_stepped_like_any_other);
    tcase_add_test(tc, conditions_are_told_with_their_numbers);
    tcase_add_test(tc, a_condition_shows_what_was_compared_and_what_was_not_reached);
    tcase_add_test(tc, so_does_an_assertion_that_holds_and_one_that_fails);
    tcase_add_test(tc, into_goes_into_each_call_of_a_line_and_out_comes_back_to_it);
    tcase_add_test(tc, enter_goes_over_calls);
    tcase_add_test(tc, all_calls_of_a_typed_expression_are_stepped);
    tcase_add_test(tc, what_is_written_into_is_said_to_change_in_place);
    tcase_add_test(tc, init_methods_and_properties_are_stepped);
    tcase_add_test(tc, a_table_is_one_step);
    tcase_add_test(tc, of_a_sequential_its_members_are_steps);
    tcase_add_test(tc, shapes_alone_can_be_stepped);
    tcase_add_test(tc, statements_run_where_it_stands);
    tcase_add_test(tc, statements_of_several_lines_run_there_too);
    tcase_add_test(tc, commands_see_the_variables_of_the_place);
    tcase_add_test(tc, among_pasted_lines_are_no_keys);
    tcase_add_test(tc, values_are_those_of_the_names_on_the_line);
    tcase_add_test(tc, keys_of_other_debuggers_are_answered_with_ours);
    tcase_add_test(tc, values_are_those_of_what_the_last_line_bound_too);
    tcase_add_test(tc, what_takes_the_ground_away_ends_it_first);
    tcase_add_test(tc, the_end_of_the_lines_ends_it);
    tcase_add_test(tc, it_stops_at_the_line_that_fails);
    tcase_add_test(tc, it_stops_where_it_fails_though_an_except_of_another_kind_is_around_it);
    tcase_add_test(tc, what_is_raised_and_caught_is_told_and_gone_on_from);
    tcase_add_test(tc, the_error_is_the_one_that_running_it_gives);
    tcase_add_test(tc, a_typed_line_that_fails_is_an_error_like_any_other);
    tcase_add_test(tc, recursion_ends_where_it_always_does);
    tcase_add_test(tc, ctrl_c_stops_the_line_and_the_stepping);
    suite_add_tcase(s, tc);
}

Suite *step_suite(void)
{
    Suite *s = suite_create("step");
    add_stops(s);
    TCase *tc = tcase_create("answers");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, each_stop_is_an_object);
    tcase_add_test(tc, a_trace_is_one_object);
    tcase_add_test(tc, a_trace_shows_the_whole_walk);
    tcase_add_test(tc, a_long_trace_is_counted);
    tcase_add_test(tc, a_trace_that_fails_shows_how_far_it_came);
    tcase_add_test(tc, a_trace_goes_on_behind_an_error_that_exit_deals_with);
    tcase_add_test(tc, a_trace_works_where_something_is_stopped);
    tcase_add_test(tc, no_line_is_wider_than_the_screen);
    tcase_add_test(tc, plain_is_words);
    suite_add_tcase(s, tc);
    tc = tcase_create("prompt");
    tcase_add_checked_fixture(tc, calm, terminal_close);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, the_prompt_says_step_and_ctrl_c_ends_it);
    tcase_add_test(tc, keys_are_not_kept_in_the_history_and_statements_are);
    tcase_add_test(tc, ctrl_c_stops_a_line_that_is_stepped);
    suite_add_tcase(s, tc);
    return s;
}
