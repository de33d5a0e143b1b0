// SPDX-License-Identifier: GPL-3.0-or-later
/* A good lesson has no fault; each fault that is planted is found, and said in one line. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/prove.h"
#include "support.h"

Suite *prove_suite(void);

enum { SEEDS = 50 };

static void add_lesson(es_course *c, int number, const char *name, const char *text)
{
    es_error err = ES_ERROR_NONE;
    c->of = realloc(c->of, (c->n + 1) * sizeof *c->of);
    es_course_entry *e = &c->of[c->n++];
    *e = (es_course_entry){.number = number};
    ck_assert_works(es_lesson_parse(&e->lesson, name, text, strlen(text), &err), err);
}

static void forget(es_course *c)
{
    for (size_t i = 0; i < c->n; i++)
        es_lesson_free(&c->of[i].lesson);
    free(c->of);
}

/* The report on the last lesson of a course is this. */
static void reports(es_course *c, const char *want)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {0};
    es_proof p;
    es_session *like = es_session_new(&o, &err);
    ck_assert_works(like != NULL, err);
    ck_assert_works(es_prove(&p, c, c->n - 1, like, SEEDS, NULL, &err), err);
    ck_assert_str_eq(es_str_text(&p.report), want);
    int lines = 0;
    for (size_t i = 0; i < p.report.len; i++)
        lines += p.report.s[i] == '\n';
    ck_assert_int_eq(p.faults, lines);
    es_proof_free(&p);
    es_session_free(like);
}

#define HEAD                                                                                       \
    "@lesson test title=\"Test\" minutes=1\n"                                                      \
    "@draw B = 2..4\n"                                                                             \
    "@draw T = 5..8\n"                                                                             \
    "@setup ids = torch.randint(0, V, (B, T))\n\n" /* five lines: steps begin on line 6 */
#define ASK "\n@predict value 1 + 1\n  answer 2\n"

static void finds(const char *steps, const char *want)
{
    es_course c = {0};
    es_str text = {0};
    es_str_add(&text, "%s%s", HEAD, steps);
    add_lesson(&c, 7, "07-test.md", text.s);
    reports(&c, want);
    forget(&c);
    es_str_free(&text);
}

START_TEST(a_good_lesson_has_no_fault)
{
    es_course c = {0};
    es_str text = {0};
    es_lesson_starter(&text, "good");
    add_lesson(&c, 1, "good.md", text.s);
    reports(&c, "");
    forget(&c);
    es_str_free(&text);
    finds("@show :near \" cat\"\n  prints dog\n\n@show x = wte(ids)\n@show x.shape\n  prints "
          "[B={B}, T={T}, C=64]\n"
          "\n@task Make `n`, a list.\n  check list(n) == [1, 2]\n  solution n = [1, 2]\n  solution "
          "n = (1, 2)\n"
          "  wrong n = [1]  \"Two.\"\n\n@task Write `f`.\n  check allclose(f(ids), wte(ids))\n"
          "  solution f = lambda x: wte(x)\n  wrong f = lambda x: wte(x) + 1  \"No more.\"\n"
          "  wrong f = lambda x: wte(x) * 2  \"Not twice.\"\n",
          "");
}
END_TEST

START_TEST(a_wrong_solution)
{
    finds("@task Make `h`.\n  check allclose(h, wte(ids))\n  solution h = wte(ids)\n"
          "  solution h = wte(ids) + 1\n",
          "07-test.md:9: this solution leaves check allclose(h, wte(ids)) false with B=2, T=6\n");
    finds("@task Make `h`.\n  check allclose(h, wte(ids))\n  solution h = wte(idx)\n",
          "07-test.md:8: this solution fails with B=2, T=6: nothing is called idx here\n");
}
END_TEST

START_TEST(a_broken_step)
{
    finds("@show x = wte(idx)\n  check True\n" ASK,
          "07-test.md:6: this @show fails with B=2, T=6: nothing is called idx here\n");
}
END_TEST

START_TEST(a_stale_show)
{
    finds("@show x = 1 + 1\n  check x == 3\n" ASK,
          "07-test.md:7: check x == 3 is false with B=2, T=6\n");
    finds("@show 1.5 + 1\n  prints 3.5\n" ASK,
          "07-test.md:7: @show prints \"3.5\", and the line printed: 2.5\n");
    finds("@show x = 1\n  prints {T}\n" ASK,
          "07-test.md:7: @show prints \"6\", and the line printed: nothing\n");
}
END_TEST

START_TEST(a_check_tied_to_one_size)
{
    finds("@task Make `h`.\n  check h.shape == (2, 5, 64)\n  solution h = wte(ids)\n",
          "07-test.md:8: this solution leaves check h.shape == (2, 5, 64) false with B=2, T=6, and "
          "true "
          "on other draws: is a size written as a number?\n");
}
END_TEST

START_TEST(a_check_that_is_too_narrow)
{
    finds("@task Make `h`.\n  check torch.equal(h, wte(ids) + 1)\n  solution h = wte(ids) + 1\n",
          "07-test.md:7: check torch.equal(h, wte(ids) + 1) refuses h with a rounding error more: "
          "compare "
          "with allclose\n");
    finds("@task Make `h`.\n  check h is ids\n  solution h = ids\n",
          "07-test.md:7: check h is ids refuses a copy of h: compare values\n");
    finds("@task Make `n`.\n  check n == (B, T)\n  solution n = (B, T)\n",
          "07-test.md:7: check n == (B, T) refuses n as a list: compare tuple(n)\n");
    finds("@task Make `n`.\n  check n == [B, T]\n  solution n = [B, T]\n",
          "07-test.md:7: check n == [B, T] refuses n as a tuple: compare tuple(n)\n");
}
END_TEST

START_TEST(a_wrong_answer_that_is_right)
{
    finds("@predict shape ids\n  answer [B, T]\n  wrong [B, 5] \"No.\"\n",
          "07-test.md:8: wrong [B, 5] is right with B=3, T=5: draw sizes that keep apart, or leave "
          "it "
          "out\n");
    finds(
        "@task Make `n`.\n  check n == B\n  solution n = B\n  wrong n = 2  \"No.\"\n  wrong n = 7  "
        "\"No.\"\n",
        "07-test.md:9: this wrong line passes with B=2, T=6: draw sizes that keep apart, or add a "
        "check\n");
}
END_TEST

START_TEST(a_wrong_answer_that_is_told_anothers_message)
{
    finds("@predict shape ids\n  answer [B, T]\n  wrong [B, C] \"C.\"\n  wrong [B, 64] \"64.\"\n",
          "07-test.md:9: wrong [B, 64] is told the message of line 8, which is the same with B=2, "
          "T=6: "
          "draw sizes that keep apart, or leave one out\n");
    finds("@task Make `n`.\n  check n == B\n  solution n = B\n  wrong n = C  \"C.\"\n  wrong n = "
          "64  \"64.\"\n",
          "07-test.md:10: who answers so is told the message of line 9, whose values are the same "
          "with "
          "B=2, T=6: draw sizes that keep apart, or leave one out\n");
}
END_TEST

START_TEST(a_wrong_line_that_nobody_is_told_of)
{
    finds("@task Make `n`.\n  check n == B\n  solution n = B\n  wrong n = nn1  \"No.\"\n",
          "07-test.md:9: this wrong line fails with B=2, T=6, so that nobody is told its message: "
          "nothing "
          "is called nn1 here; an @error step shows what fails\n");
    finds("@task Make `n`.\n  check n == B\n  solution n = B\n  wrong m = C  \"No.\"\n",
          "07-test.md:9: this wrong line does not make n, so that nobody is told its message\n");
    finds(
        "@task Make `n`.\n  check B > 0\n  solution n = B\n",
        "07-test.md:6: the checks of this @task are true before anything is typed with B=2, T=6\n");
}
END_TEST

START_TEST(an_error_of_another_kind)
{
    finds("@error wte(torch.tensor([V])) kind=broadcast\n" ASK,
          "07-test.md:6: this @error says kind=broadcast, and the line fails with "
          "kind=index_range: "
          "id 50257 at [0] is outside wte (V=50257 rows: 0..50256)\n");
    finds("@error wte(ids) kind=index_range\n" ASK,
          "07-test.md:6: this @error does not fail with B=2, T=6\n");
}
END_TEST

START_TEST(an_answer_that_is_not_so)
{
    finds("@predict shape wte(ids)\n  answer [B, C]\n",
          "07-test.md:7: answer [B, C] is not right with B=2, T=6: the line gives [2, 6, 64]\n");
    finds("@predict value V - 1\n  answer V\n",
          "07-test.md:7: answer V is not right with B=2, T=6: the line gives 50256\n");
    finds("@predict shape wte(idx)\n  answer [B, C]\n",
          "07-test.md:6: what is asked here cannot be worked out with B=2, T=6: nothing is called "
          "idx "
          "here\n");
    finds("@predict shape wte(ids)\n  answer [B, T, D]\n",
          "07-test.md:7: answer [B, T, D] cannot be read: nothing is called D here\n");
}
END_TEST

START_TEST(sizes_that_are_not_drawn)
{
    es_course c = {0};
    add_lesson(&c, 7, "07-test.md",
               "@lesson test title=\"Test\" minutes=1\n\n@task Make `n`.\n  check n == 1\n  "
               "solution n = 1\n");
    reports(
        &c,
        "07-test.md:3: no size of this @task is drawn: add @draw lines, or fixed with the reason "
        "why not\n");
    forget(&c);
}
END_TEST

START_TEST(prose_that_is_too_long)
{
    es_str steps = {0};
    for (int i = 0; i < 15; i++)
        es_str_cat(&steps, "A line.\n\n");
    es_str_cat(&steps, "@predict value 1 + 1\n  answer 2\n");
    finds(steps.s,
          "07-test.md:36: 29 lines of prose stand before this first thing to type, and a screen "
          "holds 22: ask earlier\n");
    es_str_free(&steps);
    finds("@show x = 1\n  check x == 1\n",
          "07-test.md:6: nothing is asked in this lesson: add a @predict or a @task\n");
}
END_TEST

START_TEST(needs_that_are_not_met)
{
    static const char one[] =
        "@lesson one title=\"One\" minutes=1\n\n@predict value 1\n  answer 1\n";
    static const char other[] =
        "@lesson two title=\"Two\" minutes=1 needs=one,three\n\n@predict value 1\n  answer 1\n";
    es_course c = {0};
    add_lesson(&c, 1, "01-one.md", one);
    add_lesson(&c, 2, "02-two.md", other);
    reports(&c, "02-two.md:1: needs=three: no lesson is called that\n");
    c.of[0].number = 3;
    reports(&c, "02-two.md:1: needs=one: that is lesson 3, and this is lesson 2: it comes later\n"
                "02-two.md:1: needs=three: no lesson is called that\n");
    forget(&c);
}
END_TEST

START_TEST(a_stranger_in_braces)
{
    finds("There are {N} of them.\n\n@predict value 1\n  answer 1\n  after And {T} of {those}.\n",
          "07-test.md:8: {N} is not drawn: add @draw N = …, or leave the braces out\n"
          "07-test.md:10: {those} is not drawn: add @draw those = …, or leave the braces out\n");
}
END_TEST

static atomic_bool interrupt;

/* Said before each draw. */
static void stop(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)total;
    (void)done;
    interrupt = true;
}

START_TEST(stopped_it_says_where)
{
    static const char text[] = "@lesson test title=\"Test\" minutes=1\n@setup x = 1\n\n"
                               "@predict value x\n  answer 1\n";
    const es_sink sink = {.progress = stop};
    const es_session_options o = {.interrupt = &interrupt};
    es_error err = ES_ERROR_NONE;
    es_course_entry entry = {.number = 7};
    const es_course c = {.of = &entry, .n = 1};
    es_proof p;
    ck_assert_works(es_lesson_parse(&entry.lesson, "07-test.md", text, strlen(text), &err), err);
    es_session *like = es_session_new(&o, &err);
    ck_assert_works(like != NULL, err);
    ck_assert_fails(es_prove(&p, &c, 0, like, SEEDS, &sink, &err), err, ES_ERR_INTERRUPTED,
                    "07-test.md:1: stopped by Ctrl-C");
    es_session_free(like);
    es_lesson_free(&entry.lesson);
}
END_TEST

Suite *prove_suite(void)
{
    Suite *s = suite_create("prove");
    TCase *t = tcase_create("faults");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, a_good_lesson_has_no_fault);
    tcase_add_test(t, a_wrong_solution);
    tcase_add_test(t, a_broken_step);
    tcase_add_test(t, a_stale_show);
    tcase_add_test(t, a_check_tied_to_one_size);
    tcase_add_test(t, a_check_that_is_too_narrow);
    tcase_add_test(t, a_wrong_answer_that_is_right);
    tcase_add_test(t, a_wrong_answer_that_is_told_anothers_message);
    tcase_add_test(t, a_wrong_line_that_nobody_is_told_of);
    tcase_add_test(t, an_error_of_another_kind);
    tcase_add_test(t, an_answer_that_is_not_so);
    tcase_add_test(t, sizes_that_are_not_drawn);
    tcase_add_test(t, prose_that_is_too_long);
    tcase_add_test(t, needs_that_are_not_met);
    tcase_add_test(t, a_stranger_in_braces);
    tcase_add_test(t, stopped_it_says_where);
    suite_add_tcase(s, t);
    return s;
}
