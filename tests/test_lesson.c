// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson's file: all of the example in lessons/README.md, and what else is read. */
#include <string.h>

#include "base/file.h"
#include "lesson/course.h"
#include "lesson/draw.h"
#include "support.h"

Suite *lesson_suite(void);

#define FIRST "@lesson a  title=\"A\"  minutes=5\n"
#define SHOW  "@show x\n  check x\n"

static es_lesson lesson;
static es_error err;

static void setup(void)
{
    lesson = (es_lesson){0};
    err = ES_ERROR_NONE;
}

static void teardown(void)
{
    es_lesson_free(&lesson);
    es_error_free(&err);
}

static const es_lesson *parse(const char *text)
{
    es_lesson_free(&lesson);
    ck_assert_works(es_lesson_parse(&lesson, "x.md", text, strlen(text), &err), err);
    return &lesson;
}

static const es_lesson_step *parse_step(const char *text)
{
    es_str all = {0};
    es_str_add(&all, "%s%s", FIRST, text);
    parse(all.s);
    es_str_free(&all);
    return lesson.step;
}

/* ---- what is read ---- */

static void check_note(const es_lesson_notes *notes, size_t i, int line, const char *code,
                       const char *message)
{
    ck_assert_uint_lt(i, notes->n);
    ck_assert_str_eq(notes->of[i].code, code);
    if (message)
        ck_assert_str_eq(notes->of[i].message, message);
    else
        ck_assert_ptr_null(notes->of[i].message);
    ck_assert_int_eq(notes->of[i].line, line);
}

static void check_counts(const es_lesson_step *s, const size_t n[9])
{
    const es_lesson_notes *lists[] = {&s->answer, &s->wrong,  &s->check, &s->solution,
                                      &s->prints, &s->option, &s->hint,  &s->after};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ck_assert_msg(lists[i]->n == n[i], "list %zu of line %d has %zu", i, s->line, lists[i]->n);
}

static void check_step(const es_lesson_step *s, es_lesson_kind kind, es_answer_kind answers,
                       int line, const char *prose, const char *code, const char *question)
{
    ck_assert_int_eq(s->kind, kind);
    ck_assert_int_eq(s->answers, answers);
    ck_assert_int_eq(s->line, line);
    ck_assert_str_eq(s->prose, prose);
    ck_assert_str_eq(s->code, code);
    ck_assert_str_eq(s->question, question);
    ck_assert(!s->text_mode);
    ck_assert(s->within >= 0 && s->within <= 0);
    ck_assert_ptr_null(s->fixed);
}

START_TEST(the_example_of_the_readme_field_by_field)
{
    ck_assert_works(es_lesson_read(&lesson, "tests/data/lessons/add-not-concat.md", &err), err);
    ck_assert_str_eq(lesson.path, "tests/data/lessons/add-not-concat.md");
    ck_assert_str_eq(lesson.slug, "add-not-concat");
    ck_assert_str_eq(lesson.title, "Why add, not concatenate");
    ck_assert_ptr_null(lesson.model);
    ck_assert_str_eq(lesson.needs, "lookup,positions");
    ck_assert_str_eq(lesson.about, "cat,broadcast");
    ck_assert_int_eq(lesson.minutes, 6);
    ck_assert_str_eq(lesson.end, "");
    ck_assert_uint_eq(lesson.n_draws, 3);
    const es_drawable *B = &lesson.draw[0], *T = &lesson.draw[1], *animal = &lesson.draw[2];
    ck_assert(!strcmp(B->name, "B") && !B->words && B->low == 2 && B->high == 4 && B->n == 0);
    ck_assert(!strcmp(T->name, "T") && !T->words && T->low == 5 && T->high == 8 && T->n == 0);
    ck_assert(!strcmp(animal->name, "animal") && animal->words && animal->n == 3);
    ck_assert_str_eq(animal->word[0], "cat");
    ck_assert_str_eq(animal->word[1], "dog");
    ck_assert_str_eq(animal->word[2], "tree");
    ck_assert_int_eq(animal->line, 4);
    ck_assert_uint_eq(lesson.setup.n, 2);
    check_note(&lesson.setup, 0, 5, "ids = torch.randint(0, V, (B, T))", NULL);
    check_note(&lesson.setup, 1, 6, "positions = torch.arange(0, T)", NULL);
    ck_assert_uint_eq(lesson.n_steps, 5);
}
END_TEST

START_TEST(the_steps_of_the_example)
{
    ck_assert_works(es_lesson_read(&lesson, "tests/data/lessons/add-not-concat.md", &err), err);
    const es_lesson_step *s = lesson.step;
    check_step(&s[0], ES_LESSON_SHOW, ES_ANSWER_NONE, 10,
               "Prose in **Markdown**; `{animal}` becomes the word that was drawn.",
               "tok_emb = wte(ids)", "");
    check_counts(&s[0], (size_t[9]){0});
    check_step(&s[1], ES_LESSON_SHOW, ES_ANSWER_NONE, 11, "", "tok_emb.shape", "");
    check_counts(&s[1], (size_t[9]){0, 0, 1, 0, 1});
    check_note(&s[1].check, 0, 12, "tok_emb.shape == (B, T, C)", NULL);
    check_note(&s[1].prints, 0, 13, "[B={B}, T={T}, C=64]", NULL);
    check_step(&s[2], ES_LESSON_PREDICT, ES_ANSWER_SHAPE, 17, "What shape has their sum?",
               "tok_emb + wpe(positions)", "");
    check_counts(&s[2], (size_t[9]){1, 2, 0, 0, 0, 0, 1, 1});
    check_note(&s[2].answer, 0, 18, "[B, T, C]", NULL);
    check_note(&s[2].wrong, 0, 19, "[T, C]",
               "The batch axis does not vanish: the rows of positions are used again for each "
               "sentence.");
    check_note(&s[2].wrong, 1, 20, "[B, T, 2*C]", "That is torch.cat(…, dim=-1).");
    check_note(&s[2].hint, 0, 21, "", "Align the two shapes from the right.");
    check_note(&s[2].after, 0, 22, "",
               "The sum keeps C: every layer behind it stays as wide as it was.");
    check_step(&s[3], ES_LESSON_TASK, ES_ANSWER_NONE, 24, "", "",
               "Make `h`, the input of block 1.");
    check_counts(&s[3], (size_t[9]){0, 2, 1, 1, 0, 0, 3, 1});
    check_note(&s[3].check, 0, 25, "allclose(h, wte(ids) + wpe(positions))", NULL);
    check_note(&s[3].solution, 0, 26, "h = wte(ids) + wpe(torch.arange(0, T).unsqueeze(0))", NULL);
    check_note(&s[3].wrong, 0, 27,
               "h = torch.cat([wte(ids), wpe(positions).expand(B, -1, -1)], dim=-1)",
               "2*C wide: every later Linear doubles.");
    check_note(&s[3].hint, 2, 31, "", "`h = wte(ids) + wpe(...)`");
    check_step(&s[4], ES_LESSON_ERROR, ES_ANSWER_VALUE, 34, "", "wte(torch.tensor([V]))",
               "Which is the largest id there is a row for?");
    check_counts(&s[4], (size_t[9]){1, 1, 0, 0, 0, 0, 0, 1});
    ck_assert_str_eq(s[4].error_kind, "index_range");
    check_note(&s[4].answer, 0, 36, "V - 1", NULL);
    check_note(&s[4].wrong, 0, 37, "V", "Rows are counted from 0, so V rows end at V - 1.");
}
END_TEST

START_TEST(the_example_is_that_of_the_readme)
{
    es_file readme, example;
    ck_assert_works(es_file_open(&readme, "lessons/README.md", &err), err);
    ck_assert_works(es_file_open(&example, "tests/data/lessons/add-not-concat.md", &err), err);
    const char *begin = memmem(readme.data, readme.size, "```\n@lesson", 11);
    ck_assert_ptr_nonnull(begin);
    begin += 4;
    size_t rest = readme.size - (size_t)(begin - (const char *)readme.data);
    const char *end = memmem(begin, rest, "\n```\n", 5);
    ck_assert_ptr_nonnull(end);
    size_t n = (size_t)(end - begin) + 1;
    ck_assert_uint_eq(n, example.size);
    ck_assert_mem_eq(begin, example.data, n);
    ck_assert_works(es_lesson_parse(&lesson, "README.md", begin, n, &err), err);
    es_file_close(&readme);
    es_file_close(&example);
}
END_TEST

START_TEST(attributes_of_a_lesson)
{
    parse("\xEF\xBB\xBF@lesson a_1-B title=\"Say \\\"hi\\\" \\\\ now\" minutes=240 "
          "model=untrained\r\n"
          "    mode=text needs=\"b, c\"\r\n\r\n@show The cat\r\n  prints cat\r\n"
          "@show x  mode=tensor\r\n  check x\r\n");
    ck_assert_str_eq(lesson.slug, "a_1-B");
    ck_assert_str_eq(lesson.title, "Say \"hi\" \\ now");
    ck_assert_str_eq(lesson.model, "untrained");
    ck_assert_str_eq(lesson.needs, "b, c");
    ck_assert_str_eq(lesson.about, "");
    ck_assert_int_eq(lesson.minutes, 240);
    ck_assert(lesson.step[0].text_mode);
    ck_assert_str_eq(lesson.step[0].code, "The cat");
    ck_assert(!lesson.step[1].text_mode);
    ck_assert_str_eq(lesson.step[1].code, "x");
}
END_TEST

START_TEST(lines_that_go_on)
{
    const es_lesson_step *s = parse_step("@show   def f(x):  mode=tensor\n"
                                         "        if x:\n"
                                         "            return 1\n"
                                         "  check   f(1) == 1 and (\n"
                                         "    True)  \"f(1)\n"
                                         "    is 1.\"\n"
                                         "  after   One\n"
                                         "    two.\n"
                                         "      - three\n");
    ck_assert_str_eq(s->code, "def f(x):\n    if x:\n        return 1");
    check_note(&s->check, 0, 5, "f(1) == 1 and (\nTrue)", "f(1)\nis 1.");
    check_note(&s->after, 0, 8, "", "One\ntwo.\n  - three");
    s = parse_step("@error wte(\n      torch.tensor([V]))   kind=index_range\n");
    ck_assert_str_eq(s->code, "wte(\n  torch.tensor([V]))");
    ck_assert_str_eq(s->error_kind, "index_range");
}
END_TEST

START_TEST(prose_belongs_to_the_step_that_comes_next)
{
    parse(FIRST "\nOne.\n@draw B = 2..3\nTwo,  \n\\@three.\n\n" SHOW "Four\n\n  five\n\n" SHOW
                "\n\nSix.\n\n");
    ck_assert_str_eq(lesson.step[0].prose, "One.\n\nTwo,  \n@three.");
    ck_assert_str_eq(lesson.step[1].prose, "Four\n\n  five");
    ck_assert_str_eq(lesson.end, "Six.");
}
END_TEST

START_TEST(a_fence_keeps_directives)
{
    parse(FIRST "\n````\n@show no\n```\n\\@kept\n````\n\n" SHOW "~~~ `x`\n@task no\n  ~~~~\n" SHOW
                "\n``` a`b\n" SHOW "\n- x\n  ```\n  @y\n  ```\n" SHOW);
    ck_assert_uint_eq(lesson.n_steps, 4);
    ck_assert_str_eq(lesson.step[0].prose, "````\n@show no\n```\n\\@kept\n````");
    ck_assert_str_eq(lesson.step[1].prose, "~~~ `x`\n@task no\n  ~~~~");
    ck_assert_str_eq(lesson.step[2].prose, "``` a`b");
    ck_assert_str_eq(lesson.step[3].prose, "- x\n  ```\n  @y\n  ```");
}
END_TEST

START_TEST(where_code_ends_and_a_message_begins)
{
    const es_lesson_step *s =
        parse_step("@task Do.\n"
                   "  check    animal == \"cat\"\n"
                   "  check    animal == \"cat\"  \"No cat.\"\n"
                   "  check    f(\"a\")\n"
                   "  check    x in \"abc\"\n"
                   "  check    s == 'it is \"so\"' \"A \\\"quote\\\" and \\\\ and \\n.\"\n"
                   "  check    len(x) == 2 # don't \"Two.\"\n"
                   "  solution s = \"a\" \"b\"\n"
                   "  wrong    s = \"a\" \"b\"\n"
                   "  wrong    s = 5. \"A float.\"\n"
                   "  wrong    else  \"Other.\"\n");
    check_note(&s->check, 0, 3, "animal == \"cat\"", NULL);
    check_note(&s->check, 1, 4, "animal == \"cat\"", "No cat.");
    check_note(&s->check, 2, 5, "f(\"a\")", NULL);
    check_note(&s->check, 3, 6, "x in \"abc\"", NULL);
    check_note(&s->check, 4, 7, "s == 'it is \"so\"'", "A \"quote\" and \\ and \\n.");
    check_note(&s->check, 5, 8, "len(x) == 2 # don't", "Two.");
    check_note(&s->solution, 0, 9, "s = \"a\" \"b\"", NULL);
    check_note(&s->wrong, 0, 10, "s = \"a\"", "b");
    check_note(&s->wrong, 1, 11, "s = 5.", "A float.");
    check_note(&s->wrong, 2, 12, "", "Other.");
    s = parse_step("@task Type.  mode=text\n  check x\n  solution It's 5\" long.\n"
                   "  wrong It's 5\" long:  \"No.\"\n  fixed A text of one's own.\n");
    ck_assert(s->text_mode);
    check_note(&s->solution, 0, 4, "It's 5\" long.", NULL);
    check_note(&s->wrong, 0, 5, "It's 5\" long:", "No.");
    ck_assert_str_eq(s->fixed, "A text of one's own.");
}
END_TEST

START_TEST(choices)
{
    const es_lesson_step *s =
        parse_step("@predict choice  Which of them?\n"
                   "  option wte  The table of tokens\n"
                   "  option wpe  The table of positions\n"
                   "  answer wpe\n  wrong wte \"No.\"\n  wrong else \"None.\"\n");
    ck_assert_int_eq(s->answers, ES_ANSWER_CHOICE);
    ck_assert_str_eq(s->code, "");
    ck_assert_str_eq(s->question, "Which of them?");
    check_note(&s->option, 1, 4, "wpe", "The table of positions");
    check_note(&s->wrong, 1, 7, "", "None.");
    s = parse_step(
        "@predict choice\n  option + sum\n  option * product\n  answer +\n  wrong * \"No.\"\n");
    ck_assert_str_eq(s->question, "");
    check_note(&s->wrong, 0, 6, "*", "No.");
    s = parse_step(
        "@error f() kind=type\n  answer a\n  ask choice Which?\n  option a 1\n  option b 2\n");
    ck_assert_int_eq(s->answers, ES_ANSWER_CHOICE);
    ck_assert_str_eq(s->question, "Which?");
    s = parse_step("@error f() kind=type\n  after So it is.\n");
    ck_assert_int_eq(s->answers, ES_ANSWER_NONE);
    ck_assert_str_eq(s->question, "");
}
END_TEST

START_TEST(attributes_of_a_step)
{
    const es_lesson_step *s =
        parse_step("@predict value  cos(a, b)  within=0.1  mode=tensor\n  answer 1\n");
    ck_assert_str_eq(s->code, "cos(a, b)");
    ck_assert(s->within > 0.0999 && s->within < 0.1001);
    s = parse_step(
        "@show f(a, mode=3)\n  check x\n@show x = mode==3\n  check x\n"
        "@show :near cat k=5\n  prints cat\n@task Put n=3 node=4\n  check n\n  solution n = 3\n");
    ck_assert_str_eq(s[0].code, "f(a, mode=3)");
    ck_assert_str_eq(s[1].code, "x = mode==3");
    ck_assert_str_eq(s[2].code, ":near cat k=5");
    ck_assert_str_eq(s[3].question, "Put n=3 node=4");
}
END_TEST

START_TEST(lists_of_words)
{
    ck_assert(es_lesson_lists("a, bc,d e", "bc", 2));
    ck_assert(es_lesson_lists("a, bc,d e", "e", 1));
    ck_assert(es_lesson_lists("a, bc,d e", "d", 1));
    ck_assert(!es_lesson_lists("a, bc,d e", "b", 1));
    ck_assert(!es_lesson_lists("a, bc,d e", "d e", 3));
    ck_assert(!es_lesson_lists("a,,b", "", 0));
    ck_assert(!es_lesson_lists("", "a", 1));
    ck_assert_str_eq(es_lesson_kind_name(ES_LESSON_PREDICT), "predict");
}
END_TEST

/* ---- the start of one's own ---- */

START_TEST(the_start_parses_whatever_the_slug)
{
    static const char *const slugs[][2] = {
        {"my-lesson", "my-lesson"},     {"", "my-lesson"},
        {"3rd way", "my-3rd-way"},      {"\xC3\xA9t\xC3\xA9", "my-t-"},
        {"a=\"b\"\n@show", "a-b-show"}, {"-", "my-lesson"}};
    for (size_t i = 0; i < sizeof slugs / sizeof *slugs; i++) {
        es_str text = {0}, name = {0};
        es_lesson_starter(&text, slugs[i][0]);
        parse(text.s);
        ck_assert_str_eq(lesson.slug, slugs[i][1]);
        ck_assert_uint_eq(lesson.n_steps, 5);
        for (size_t k = 0; k < lesson.n_steps; k++)
            ck_assert(!es_drawn_stranger(&lesson, lesson.step[k].prose, &name));
        es_str_free(&text);
    }
    es_str text = {0}, slug = {0};
    es_str_fill(&slug, 'x', 500);
    es_lesson_starter(&text, slug.s);
    parse(text.s);
    es_str_free(&slug);
    es_str_free(&text);
}
END_TEST

Suite *lesson_suite(void)
{
    Suite *s = suite_create("lesson");
    TCase *tc = tcase_create("file");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_example_of_the_readme_field_by_field);
    tcase_add_test(tc, the_steps_of_the_example);
    tcase_add_test(tc, the_example_is_that_of_the_readme);
    tcase_add_test(tc, attributes_of_a_lesson);
    tcase_add_test(tc, lines_that_go_on);
    tcase_add_test(tc, prose_belongs_to_the_step_that_comes_next);
    tcase_add_test(tc, a_fence_keeps_directives);
    tcase_add_test(tc, where_code_ends_and_a_message_begins);
    tcase_add_test(tc, choices);
    tcase_add_test(tc, attributes_of_a_step);
    tcase_add_test(tc, lists_of_words);
    tcase_add_test(tc, the_start_parses_whatever_the_slug);
    suite_add_tcase(s, tc);
    return s;
}
