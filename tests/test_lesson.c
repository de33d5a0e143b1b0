// SPDX-License-Identifier: GPL-3.0-or-later
/* A lesson's file: all of the example in lessons/README.md, and every fault in its words. */
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

static void check_bytes(const char *bytes, size_t n, const char *message, const char *hint)
{
    ck_assert(!es_lesson_parse(&lesson, "x.md", bytes, n, &err));
    ck_assert_str_eq(es_code_name(err.code), "format");
    ck_assert_str_eq(err.message, message);
    ck_assert_msg(hint ? err.hint && !strcmp(err.hint, hint) : !err.hint, "%s: %s", message,
                  err.hint ? err.hint : "no hint");
    ck_assert_ptr_null(lesson.path);
    es_error_free(&err);
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

/* ---- faults ---- */

#define DRAWS "numbers are drawn from 2..6 or 2 | 4 | 8, words from \"a\" | \"b\""
#define HEAD  "try: @lesson my-lesson  title=\"My lesson\"  minutes=8"
#define SLUGS                                                                                      \
    "a slug is one word of at most 64 letters, digits, - and _, a letter first: "                  \
    "add-not-concatenate"
#define ASKS "@error without an ask asks nothing; try:   ask value Which id is it?"

static const struct fault {
    const char *text, *message, *hint;
} faults[] = {
    /* the file */
    {"", "x.md:1: there is no @lesson here", HEAD},
    {"\n\n", "x.md:2: there is no @lesson here", HEAD},
    {"\nHello\n", "x.md:2: @lesson comes first, and here is \"Hello\"", HEAD},
    {"@show x\n  check x\n", "x.md:1: @lesson comes first, and here is @show", HEAD},
    {"@draw B = 2..3\n", "x.md:1: @lesson comes first, and here is @draw", HEAD},
    {FIRST "\n" FIRST, "x.md:3: here is a second @lesson; the first is on line 1",
     "one file is one lesson"},
    {FIRST "\nProse.\n", "x.md:3: the lesson has no step",
     "steps are @show, @predict, @task and @error"},
    {FIRST "@shwo x\n", "x.md:2: there is no directive \"@shwo\"", "did you mean @show ?"},
    {FIRST "@\x1b[2J\n", "x.md:2: there is no directive \"@\\x1b[2J\"",
     "there are @lesson, @draw, @setup, @show, @predict, @task and @error\n"
     "prose that begins with @ is written \\@"},
    {FIRST "@ show x\n", "x.md:2: there is no directive \"@\"",
     "there are @lesson, @draw, @setup, @show, @predict, @task and @error\n"
     "prose that begins with @ is written \\@"},
    {FIRST "\n```\n" SHOW, "x.md:3: the block of code that begins here has no end",
     "it ends with a line of 3 times `"},
    {FIRST SHOW "\n@draw B = 2..3\n", "x.md:5: @draw stands behind a step",
     "what is drawn and set up comes before the first step, on line 2"},
    {FIRST "@draw B = 2..3\n  check x\n", "x.md:3: @draw has no particulars", NULL},
    {FIRST "@setup\n", "x.md:2: @setup has nothing behind it",
     "try: @setup ids = torch.randint(0, V, (B, T))"},
    {FIRST "@show x\n check x\n", "x.md:3: one space begins this line under @show",
     "a particular begins with two spaces, a line that goes on with four"},
    {FIRST "@show x\n\tcheck x\n", "x.md:3: a tab begins this line under @show",
     "a particular begins with two spaces, a line that goes on with four"},
    {FIRST "@show x\n\n  check x\n",
     "x.md:4: \"check\" stands behind a blank line, which has ended @show",
     "particulars follow their directive without a blank line"},
    {FIRST "\xC3\xA9\n\xC3(\n", "x.md:3: here is a byte that is no UTF-8: \"\\xC3\"",
     "a lesson is text, saved as UTF-8"},

    /* @lesson */
    {"@lesson\n", "x.md:1: @lesson has no slug", SLUGS},
    {"@lesson title=\"A\" minutes=5\n", "x.md:1: @lesson has no slug", SLUGS},
    {"@lesson 3rd minutes=5\n", "x.md:1: a lesson cannot have the slug \"3rd\"", SLUGS},
    {"@lesson a/b minutes=5\n", "x.md:1: a lesson cannot have the slug \"a/b\"", SLUGS},
    {"@lesson a minutes=5\n",
     "x.md:1: @lesson has no title=", "try: @lesson a  title=\"My lesson\"  minutes=8"},
    {"@lesson a title=A\n",
     "x.md:1: @lesson has no minutes=", "try: @lesson a  title=\"My lesson\"  minutes=8"},
    {"@lesson a title=A minutes=six\n",
     "x.md:1: minutes is a whole number from 1 to 240, not \"six\"", NULL},
    {"@lesson a title=A minutes=0\n", "x.md:1: minutes is a whole number from 1 to 240, not \"0\"",
     NULL},
    {"@lesson a title=A minutes=241\n",
     "x.md:1: minutes is a whole number from 1 to 240, not \"241\"", NULL},
    {"@lesson a titel=A\n", "x.md:1: @lesson has no attribute \"titel\"", "did you mean title= ?"},
    {"@lesson a colour=A\n", "x.md:1: @lesson has no attribute \"colour\"",
     "there are title, minutes, needs, about, model and mode"},
    {"@lesson a title=Two words\n", "x.md:1: behind the slug stand name=value, not \"words\"",
     "a value with spaces is in double quotes: title=\"Two words\""},
    {"@lesson a title=\"Two\"words\n", "x.md:1: behind the slug stand name=value, not \"words\"",
     "a value with spaces is in double quotes: title=\"Two words\""},
    {"@lesson a title=\"Two words\n", "x.md:1: title= has a quote without its end", NULL},
    {"@lesson a title=\"\"\n", "x.md:1: title= has nothing behind it", NULL},
    {"@lesson a title=A\n    title=B\n", "x.md:1: title= is here twice", NULL},
    {"@lesson a mode=txt\n", "x.md:1: mode is text or tensor, not \"txt\"", NULL},

    /* @draw */
    {FIRST "@draw\n", "x.md:2: @draw has no name", DRAWS},
    {FIRST "@draw 2x = 3\n", "x.md:2: \"2x\" cannot be the name of a variable",
     "a name to draw has letters, digits and _, and no digit first"},
    {FIRST "@draw if = 3\n", "x.md:2: \"if\" cannot be the name of a variable",
     "a name to draw has letters, digits and _, and no digit first"},
    {FIRST "@draw B\n", "x.md:2: B has nothing to be drawn from", DRAWS},
    {FIRST "@draw B =\n", "x.md:2: B has nothing to be drawn from", DRAWS},
    {FIRST "@draw B = 2..3\n@draw B = 4..5\n", "x.md:3: B is drawn twice, first on line 2", NULL},
    {FIRST "@draw B = 5..3\n", "x.md:2: B: the range 5..3 is empty",
     "the lower number comes first: 3..5"},
    {FIRST "@draw B = 2..1000001\n",
     "x.md:2: B: \"1000001\" is too large: numbers go from -1000000 to 1000000", NULL},
    {FIRST "@draw B = -99999999999999999999 | 3\n",
     "x.md:2: B: \"-99999999999999999999\" is too large: numbers go from -1000000 to 1000000",
     NULL},
    {FIRST "@draw B = 2..\n", "x.md:2: B: a number or a word is missing", DRAWS},
    {FIRST "@draw B = 2 |\n", "x.md:2: B: a number or a word is missing", DRAWS},
    {FIRST "@draw B = | 2\n", "x.md:2: B: a number or a word is missing", DRAWS},
    {FIRST "@draw B = 2 | 4.5\n",
     "x.md:2: B: \"4.5\" is neither a whole number nor a word in quotes", DRAWS},
    {FIRST "@draw B = cat | dog\n",
     "x.md:2: B: \"cat\" is neither a whole number nor a word in quotes", DRAWS},
    {FIRST "@draw B = 2 | \"cat\"\n", "x.md:2: B: numbers and words are mixed", DRAWS},
    {FIRST "@draw B = \"cat\" | 2\n", "x.md:2: B: numbers and words are mixed", DRAWS},
    {FIRST "@draw B = \"cat\n", "x.md:2: B: a quote has no end", NULL},
    {FIRST "@draw B = \"a\" | \"\"\n", "x.md:2: B: a word is empty", DRAWS},
    {FIRST "@draw B = \"a\" \"b\"\n", "x.md:2: B: behind a word stands |, not \"\\\"b\\\"\"",
     DRAWS},

    /* steps */
    {FIRST "@show\n  check x\n", "x.md:2: @show has nothing behind it",
     "try: @show wte.weight.shape"},
    {FIRST "@task mode=tensor\n  check x\n", "x.md:2: @task has nothing behind it",
     "try: @task Make `h`, the input of block 1."},
    {FIRST "@show x\n\n@show y\n  check x\n", "x.md:2: this @show has no check and no prints",
     "try:   check h.shape == (B, T, C)"},
    {FIRST "@show x\n@predict value y\n  answer 1\n",
     "x.md:2: this @show has no check and no prints", "try:   check h.shape == (B, T, C)"},
    {FIRST "@predict\n", "x.md:2: @predict does not say what answers it",
     "try: @predict shape, @predict value or @predict choice"},
    {FIRST "@predict shpe x\n",
     "x.md:2: @predict is answered by a shape, a value or a choice, not by \"shpe\"",
     "try: @predict shape, @predict value or @predict choice"},
    {FIRST "@predict shape\n  answer x\n", "x.md:2: @predict has nothing behind it",
     "try: @predict shape wte(ids)"},
    {FIRST "@predict shape x\n  hint y\n", "x.md:2: this @predict has no answer",
     "try:   answer [B, T, C]"},
    {FIRST "@predict value x\n  answer 1\n  option a b\n", "x.md:4: option has no use here",
     "options are of a choice"},
    {FIRST "@predict choice\n  answer a\n", "x.md:2: this @predict has no option",
     "try:   option wpe  the table of positions"},
    {FIRST "@predict choice\n  option a b\n  answer a\n",
     "x.md:2: this @predict has no second option", "try:   option wpe  the table of positions"},
    {FIRST "@predict choice\n  option a\n",
     "x.md:3: the option \"a\" does not say what it stands for",
     "try: option wpe  the table of positions"},
    {FIRST "@predict choice\n  option a b\n  option A c\n  answer a\n",
     "x.md:4: the option \"A\" is on line 3 too", NULL},
    {FIRST "@predict choice\n  option a b\n  option c d\n  answer b\n",
     "x.md:5: \"b\" is none of the options", "the options are a, c"},
    {FIRST "@predict choice\n  option a b\n  option c d\n  answer a\n  wrong b \"No.\"\n",
     "x.md:6: \"b\" is none of the options", "the options are a, c"},
    {FIRST "@predict choice\n  option a b\n  option c d\n  answer a\n  wrong a \"No.\"\n",
     "x.md:6: \"a\" is both an answer and wrong", NULL},
    {FIRST "@task Do.\n  solution x = 1\n", "x.md:2: this @task has no check",
     "try:   check allclose(h, wte(ids))"},
    {FIRST "@task Do.\n  check x\n", "x.md:2: this @task has no solution",
     "try:   solution h = wte(ids)"},
    {FIRST "@error x\n", "x.md:2: this @error has no kind=",
     "it is the word in error[…] when the line is run: kind=index_range"},
    {FIRST "@error x kind=index_rnge\n", "x.md:2: no error is of the kind \"index_rnge\"",
     "did you mean kind=index_range ?"},
    {FIRST "@error x kind=ok\n", "x.md:2: no error is of the kind \"ok\"",
     "did you mean kind=io ?"},
    {FIRST "@error x kind=slipped_disk\n", "x.md:2: no error is of the kind \"slipped_disk\"",
     "it is the word in error[…] when the line is run"},
    {FIRST "@error x kind=type\n  answer 1\n", "x.md:3: answer has no use here", ASKS},
    {FIRST "@error x kind=type\n  hint y\n", "x.md:3: hint has no use here", ASKS},
    {FIRST "@error x kind=type\n  ask value y\n", "x.md:2: this @error has no answer",
     "try:   answer V"},
    {FIRST "@error x kind=type\n  ask valu y\n",
     "x.md:3: ask is answered by a shape, a value or a choice, not by \"valu\"",
     "try: ask shape, ask value or ask choice"},
    {FIRST "@error x kind=type\n  ask value\n", "x.md:3: ask has no question",
     "try: ask value Which is the largest id?"},
    {FIRST "@show x mode=txt\n", "x.md:2: mode is text or tensor, not \"txt\"", NULL},
    {FIRST "@show x mod=text\n", "x.md:2: @show has no attribute \"mod\"", "did you mean mode= ?"},
    {FIRST "@show x mode=text mode=text\n", "x.md:2: mode= is here twice", NULL},
    {FIRST "@error x kind=type\n    y kind=type\n", "x.md:2: kind= is here twice", NULL},
    {FIRST "@show x kind=type\n", "x.md:2: kind= is of @error, not of this @show", NULL},
    {FIRST "@predict shape x within=1\n",
     "x.md:2: within= is of @predict value, not of this @predict", NULL},
    {FIRST "@predict value x within=-1\n", "x.md:2: within is a number such as 0.1, not \"-1\"",
     NULL},
    {FIRST "@predict value x within=nan\n", "x.md:2: within is a number such as 0.1, not \"nan\"",
     NULL},

    /* particulars */
    {FIRST "@show x\n  chek x\n", "x.md:3: @show has no particular \"chek\"",
     "did you mean check ?"},
    {FIRST "@show x\n  colour x\n", "x.md:3: @show has no particular \"colour\"",
     "it has check, prints, after"},
    {FIRST "@show x\n  hint x\n", "x.md:3: @show has no particular \"hint\"",
     "it has check, prints, after"},
    {FIRST "@task x\n  answer x\n", "x.md:3: @task has no particular \"answer\"",
     "it has wrong, check, solution, fixed, hint, after"},
    {FIRST "@predict value x\n  check x\n", "x.md:3: @predict has no particular \"check\"",
     "it has answer, wrong, option, hint, after"},
    {FIRST "@error x kind=type\n  prints x\n", "x.md:3: @error has no particular \"prints\"",
     "it has answer, wrong, ask, option, hint, after"},
    {FIRST "@show x\n  check\n", "x.md:3: check has nothing behind it",
     "try: check h.shape == (B, T, C)"},
    {FIRST "@show x\n  check x\n  after y\n  after z\n",
     "x.md:5: here is a second after; the first is on line 4", NULL},
    {FIRST "@task x\n  wrong h = 1\n", "x.md:3: this wrong has no message",
     "why people answer so stands behind it: wrong h = wte(ids)  \"…\""},
    {FIRST "@predict shape x\n  wrong [T] \"\"\n", "x.md:3: this wrong has no message",
     "why people answer so stands behind it: wrong [T, C]  \"…\""},
    {FIRST "@predict shape x\n  wrong \"No.\"\n", "x.md:3: this wrong has no message",
     "why people answer so stands behind it: wrong [T, C]  \"…\""},
    {FIRST "@predict shape x\n  wrong [T] \"No.\n",
     "x.md:3: this wrong has a quote without its end", "in a message \" is written \\\""},
    {FIRST "@predict shape x\n  wrong [T] \"No.\\\"\n",
     "x.md:3: this wrong has a quote without its end", "in a message \" is written \\\""},
    {FIRST "@show x\n  check x \"No.\n", "x.md:3: this check has a quote without its end",
     "in a message \" is written \\\""},
    {FIRST "@task x\n  wrong else \"a\"\n  wrong else \"b\"\n",
     "x.md:4: here is a second wrong else; the first is on line 3", NULL},
};
enum { N_FAULTS = sizeof faults / sizeof *faults };

START_TEST(a_fault_says_where_it_is_and_what_would_be_right)
{
    for (size_t i = 0; i < N_FAULTS; i++)
        check_bytes(faults[i].text, strlen(faults[i].text), faults[i].message, faults[i].hint);
}
END_TEST

START_TEST(nul_bytes_and_a_file_too_large)
{
    static char large[(1 << 20) + 1];
    check_bytes(FIRST "a\0b\n", sizeof FIRST + 4, "x.md:2: there is a NUL byte here",
                "a lesson is text, saved as UTF-8");
    memset(large, 'x', sizeof large);
    check_bytes(large, sizeof large,
                "x.md:1: the file has 1048577 bytes; a lesson has at most 1048576", NULL);
    memset(large, '\n', sizeof large);
    memcpy(large, FIRST SHOW, sizeof FIRST SHOW - 1);
    ck_assert_works(es_lesson_parse(&lesson, "x.md", large, sizeof large - 1, &err), err);
}
END_TEST

START_TEST(many_draws_and_many_options_are_too_many)
{
    es_str text = {0};
    es_str_cat(&text, FIRST);
    for (int i = 0; i <= 100; i++)
        es_str_add(&text, "@draw n%d = 1..2\n", i);
    check_bytes(text.s, text.len, "x.md:102: a lesson draws at most 100 names", NULL);
    es_str_cut(&text, 0);
    es_str_cat(&text, FIRST "@predict choice\n");
    for (int i = 0; i <= 26; i++)
        es_str_add(&text, "  option o%d a\n", i);
    es_str_cat(&text, "  answer o1\n");
    check_bytes(text.s, text.len, "x.md:29: a choice has at most 26 options", NULL);
    es_str_free(&text);
}
END_TEST

START_TEST(a_path_cannot_move_the_cursor)
{
    ck_assert_fails(es_lesson_parse(&lesson, "\x1b[2J.md", "", 0, &err), err, ES_ERR_FORMAT,
                    "\\x1b[2J.md:1: there is no @lesson here");
    ck_assert_fails(es_lesson_read(&lesson, "no-such.md", &err), err, ES_ERR_IO,
                    "cannot open no-such.md: No such file or directory");
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
        {"3rd way", "my-3rd-way"},      {"\xC3\xA9t\xC3\xA9", "my-t-lesson"},
        {"a=\"b\"\n@show", "a-b-show"}, {"-", "my-lesson"}};
    for (size_t i = 0; i < sizeof slugs / sizeof *slugs; i++) {
        es_str text = {0}, name = {0};
        es_lesson_starter(&text, slugs[i][0]);
        parse(text.s);
        if (i != 4 && i != 5)
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
    tcase_add_test(tc, a_fault_says_where_it_is_and_what_would_be_right);
    tcase_add_test(tc, nul_bytes_and_a_file_too_large);
    tcase_add_test(tc, many_draws_and_many_options_are_too_many);
    tcase_add_test(tc, a_path_cannot_move_the_cursor);
    tcase_add_test(tc, lists_of_words);
    tcase_add_test(tc, the_start_parses_whatever_the_slug);
    suite_add_tcase(s, tc);
    return s;
}
