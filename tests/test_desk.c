// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines that run quietly, and variables set aside. */
#include <check.h>
#include <string.h>
#include <unistd.h>

#include "learner.h"
#include "support.h"

Suite *desk_suite(void);

static const char lesson[] =
    "@draw T = 5..8\n@draw animal = \"cat\" | \"dog\"\n"
    "@setup ids = torch.randint(0, V, (2, T))\n"
    "@setup :text the {animal} sat\n\n"
    "@show a = T + 1\n  check a == T + 1\n\n"
    "@show :near \" cat\"\n  prints cat\n\n"
    "@show :no-such-command\n  prints x\n\n"
    "@task Make `b`.\n  check b == 2\n  solution b = 2\n  solution b = 1 + 1\n\n"
    "@predict value b\n  answer 2\n";

static bool is_true(learner *k, const char *expression)
{
    es_error err = ES_ERROR_NONE;
    bool truth = es_desk_true(k->session, expression, &err);
    es_error_free(&err);
    return truth;
}

/* Run lines; what was shown, or the error. */
static void runs(learner *k, const char *lines, bool text_mode, bool want, const char *says)
{
    const es_style style = {.width = 80};
    es_ear ear;
    es_ear_open(&ear, &style);
    bool ok = es_desk_run(k->session, &k->drawn, lines, text_mode, &ear);
    ck_assert_msg(ok == want, "%s: %s", lines, es_str_text(&ear.error));
    const char *said = ok ? es_str_text(&ear.shown) : es_str_text(&ear.error);
    ck_assert_msg(strstr(said, says) != NULL, "%s says %s", lines, said);
    es_ear_close(&ear);
}

START_TEST(a_step_is_made_ready_by_what_comes_before)
{
    learner k;
    learner_open(&k, lesson);
    learner_at(&k, 4, 3);
    ck_assert(is_true(&k, "a == T + 1 and b == 2 and ids.shape == (2, T)"));
    learner_at(&k, 0, 3);
    ck_assert(!is_true(&k, "a == T + 1"));
    learner_close(&k);
}
END_TEST

START_TEST(the_same_draw_is_made_ready_alike)
{
    learner k;
    es_value first, again;
    learner_open(&k, lesson);
    ck_assert(es_desk_value(k.session, "ids", &first, NULL));
    runs(&k, "x = torch.randn(5); ids = 3", false, true, "");
    learner_at(&k, 0, 0);
    ck_assert(es_desk_value(k.session, "ids", &again, NULL));
    ck_assert(es_same_value(&first, &again, 0));
    ck_assert(!is_true(&k, "x"));
    es_value_unref(&first);
    es_value_unref(&again);
    learner_close(&k);
}
END_TEST

START_TEST(variables_go_aside_and_come_back)
{
    learner k;
    learner_open(&k, lesson);
    runs(&k, "mine = [1, 2]\nother = 3", false, true, "");
    es_desk desk = es_desk_take(k.session);
    runs(&k, "del mine\nother = 4\nnew = 5\nr = torch.rand(1).item()", false, true, "");
    es_desk_put(k.session, &desk);
    ck_assert(is_true(&k, "mine == [1, 2] and other == 3"));
    ck_assert(!is_true(&k, "new == 5"));
    runs(&k, "r = torch.rand(1).item()", false, true, "");
    es_value r, again;
    ck_assert(es_desk_value(k.session, "r", &r, NULL));
    es_desk_put(k.session, &desk);
    ck_assert(es_desk_value(k.session, "torch.rand(1).item()", &again, NULL));
    ck_assert(es_same_value(&r, &again, 0));
    es_desk_free(&desk);
    learner_close(&k);
}
END_TEST

START_TEST(lines_run_one_after_another_until_one_fails)
{
    learner k;
    learner_open(&k, lesson);
    runs(&k, "x = 1\nfor i in range(3):\n    x = x + i\n\ny = (x +\n     1)\nprint(y)", false, true,
         "5");
    runs(&k, "z = 1\nq = nothing_of_it\nz = 2", false, false,
         "nothing is called nothing_of_it here");
    ck_assert(is_true(&k, "z == 1"));
    runs(&k, "{animal}", false, false, "");
    runs(&k, ":text a {animal} here\nw = T", false, true, k.drawn.text[1]);
    runs(&k, "the {animal}\n:tokens a b", true, true, k.drawn.text[1]);
    runs(&k, "if True:\n    x = 10\nelse:\n    x = 11\nx", false, true, "10");
    learner_close(&k);
}
END_TEST

START_TEST(a_value_leaves_no_trace)
{
    learner k;
    es_value v;
    es_error err = ES_ERROR_NONE;
    learner_open(&k, lesson);
    runs(&k, "41 + 1", false, true, "42");
    ck_assert(es_desk_value(k.session, "(seen := 7) + torch.rand(3).shape[0]", &v, &err));
    ck_assert_int_eq(v.u.i, 10);
    ck_assert(is_true(&k, "_ == 42"));
    ck_assert(!is_true(&k, "seen == 7"));
    ck_assert_fails(es_desk_value(k.session, "x = 3", &v, &err), err, ES_ERR_PARSE,
                    "that is a statement, and a value is wanted");
    ck_assert_fails(es_desk_value(k.session, "", &v, &err), err, ES_ERR_PARSE, "a value is wanted");
    ck_assert_fails(es_desk_true(k.session, "T", &err), err, ES_ERR_TYPE,
                    "that is int, and a check is True or False");
    ck_assert(is_true(&k, "torch.tensor([True, True])"));
    ck_assert(!is_true(&k, "torch.tensor([True, False])"));
    learner_close(&k);
}
END_TEST

START_TEST(a_shape_is_that_of_a_tensor)
{
    learner k;
    int64_t dims[ES_MAX_DIMS];
    int rank = -1;
    es_error err = ES_ERROR_NONE;
    learner_open(&k, lesson);
    ck_assert(es_desk_shape(k.session, "wte(ids)", dims, &rank, &err));
    ck_assert_int_eq(rank, 3);
    ck_assert_int_eq(dims[2], 64);
    ck_assert(es_desk_shape(k.session, "wte(ids)[ids > -1]", dims, &rank, &err));
    ck_assert_int_eq(rank, 2);
    ck_assert(es_desk_shape(k.session, "torch.tensor(3)", dims, &rank, &err));
    ck_assert_int_eq(rank, 0);
    ck_assert_fails(es_desk_shape(k.session, "\"cat\"", dims, &rank, &err), err, ES_ERR_TYPE,
                    "that is str, and only a tensor has a shape");
    learner_close(&k);
}
END_TEST

START_TEST(a_line_of_the_lesson_that_fails_says_where)
{
    learner k;
    es_error err = ES_ERROR_NONE;
    learner_open(&k, "@draw T = 5..8\n@setup x = T\n\n@show y = x + 1\n  check y == T + 1\n\n"
                     "@show y = x + zz\n  check y\n\n@predict value y\n  answer 1\n");
    ck_assert_fails(es_desk_ready(k.session, &k.lesson, &k.drawn, 2, &err), err, ES_ERR_NAME,
                    "07-test.md:8: nothing is called zz here");
    learner_close(&k);
}
END_TEST

START_TEST(training_is_waited_for)
{
    learner k;
    int wake[2];
    ck_assert_int_eq(pipe(wake), 0);
    learner_open(&k, lesson);
    ck_assert_int_eq(es_session_set_wake(k.session, wake[1]), -1);
    runs(&k, ":model untrained:C=8\n:train 1\n:train 1 tied=yes", false, true, "");
    ck_assert(!es_session_busy(k.session));
    ck_assert_int_eq(es_session_set_wake(k.session, -1), wake[1]);
    learner_close(&k);
}
END_TEST

START_TEST(what_is_the_persons_is_not_run)
{
    static const char *const names[] = {"quit", "lesson", "next",   "restart",    "run", "step",
                                        "time", "pause",  "export", "transcript", "edit"};
    learner k;
    learner_open(&k, lesson);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_str line = {0}, says = {0};
        es_str_add(&line, ":%s x", names[i]);
        es_str_add(&says, "a lesson does not run :%s", names[i]);
        runs(&k, line.s, false, false, says.s);
        runs(&k, line.s, true, false, says.s);
        es_str_free(&line);
        es_str_free(&says);
    }
    runs(&k, "x = 5\nx", false, true, "5");
    learner_close(&k);
}
END_TEST

START_TEST(a_paste_is_one_text)
{
    learner k;
    learner_open(&k, lesson);
    runs(&k, ":paste\nthe cat\n\n:quit\n.\n:tokens", true, true, "quit");
    runs(&k, "del ids", false, true, "");
    ck_assert(is_true(&k, "decode(ids[0]) == 'the cat\\n\\n:quit'"));
    runs(&k, ":paste\none\ntwo", true, true, "two");
    learner_close(&k);
}
END_TEST

Suite *desk_suite(void)
{
    Suite *s = suite_create("desk");
    TCase *t = tcase_create("desk");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_step_is_made_ready_by_what_comes_before);
    tcase_add_test(t, the_same_draw_is_made_ready_alike);
    tcase_add_test(t, variables_go_aside_and_come_back);
    tcase_add_test(t, lines_run_one_after_another_until_one_fails);
    tcase_add_test(t, a_value_leaves_no_trace);
    tcase_add_test(t, a_shape_is_that_of_a_tensor);
    tcase_add_test(t, a_line_of_the_lesson_that_fails_says_where);
    tcase_add_test(t, training_is_waited_for);
    tcase_add_test(t, what_is_the_persons_is_not_run);
    tcase_add_test(t, a_paste_is_one_text);
    suite_add_tcase(s, t);
    return s;
}
