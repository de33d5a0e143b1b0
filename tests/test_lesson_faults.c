// SPDX-License-Identifier: GPL-3.0-or-later
/* Faults in a lesson's file, each in its words. */
#include <string.h>

#include "lesson/lesson.h"
#include "support.h"

Suite *lesson_faults_suite(void);

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
     "it is the word in error[…] when the line is run"},
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

Suite *lesson_faults_suite(void)
{
    Suite *s = suite_create("lesson_faults");
    TCase *tc = tcase_create("faults");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_fault_says_where_it_is_and_what_would_be_right);
    tcase_add_test(tc, nul_bytes_and_a_file_too_large);
    tcase_add_test(tc, many_draws_and_many_options_are_too_many);
    tcase_add_test(tc, a_path_cannot_move_the_cursor);
    suite_add_tcase(s, tc);
    return s;
}
