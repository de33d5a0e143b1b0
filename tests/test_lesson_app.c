// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope lesson from outside: what is proved, begun and written, messages, exit statuses. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

Suite *lesson_app_suite(void);

enum { MOST_ARGS = 20 };

static run_result r;

static void teardown(void)
{
    run_result_free(&r);
}

static void run_with(const char *input, const char *const *args)
{
    const char *argv[MOST_ARGS + 2] = {program(), "lesson"};
    for (int i = 0; args[i]; i++)
        argv[i + 2] = args[i];
    run_result_free(&r);
    run_program(&r, argv, input, strlen(input));
}

#define LESSON(...) run_with("", (const char *const[]){__VA_ARGS__, NULL})

static void says(int status, const char *out, const char *err)
{
    ck_assert_msg(r.status == status, "status %d, not %d: %s", r.status, status,
                  es_str_text(&r.err));
    ck_assert_str_eq(es_str_text(&r.out), out);
    ck_assert_str_eq(es_str_text(&r.err), err);
}

static void write_lesson(const char *path, const char *answer)
{
    es_str text = {0};
    es_error err = ES_ERROR_NONE;
    es_str_cat(&text, "@lesson small  title=\"Small\"  minutes=5\n@draw n = 3..6\n\n");
    es_str_add(&text, "@predict shape  torch.zeros(n, 2)\n  answer  %s\n", answer);
    es_str_cat(&text, "  wrong   [2, n]  \"The other way round.\"\n");
    ck_assert_works(es_file_replace(path, text.s, text.len, &err), err);
    es_str_free(&text);
}

START_TEST(a_lesson_that_holds_is_said_to)
{
    write_lesson("small.md", "[n, 2]");
    LESSON("--check", "small.md");
    says(0, "01 small: 1 step, 2 answers and solutions, 50 draws: holds\n", "");
    LESSON("--json", "--check", "small.md");
    says(0,
         "{\"kind\":\"lesson_check\",\"lesson\":1,\"slug\":\"small\",\"steps\":1,\"answers\":2,"
         "\"draws\":50,\"faults\":[]}\n",
         "");
}
END_TEST

START_TEST(a_fault_is_a_line_and_status_1)
{
    write_lesson("small.md", "[n, 3]");
    LESSON("--check", "small.md");
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(!strncmp(r.out.s, "01 small: 1 fault\nsmall.md:5: ", 30), "%s", r.out.s);
}
END_TEST

START_TEST(what_cannot_be_read_is_status_3)
{
    LESSON("--check", "nothing.md");
    ck_assert_int_eq(r.status, 3);
    ck_assert_msg(strstr(r.err.s, "nothing.md") != NULL, "%s", r.err.s);
    LESSON("nothing.md");
    ck_assert_int_eq(r.status, 3);
}
END_TEST

START_TEST(a_start_is_a_lesson_that_holds_and_is_never_overwritten)
{
    LESSON("--new", "why-add");
    says(0, "", "");
    LESSON("--check", "why-add.md");
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.out));
    LESSON("--new", "why-add");
    says(2, "", "error[usage]: why-add.md is there already, and stays as it is\n");
    LESSON("--new", "../up");
    says(2, "",
         "error[usage]: a lesson's name is small letters, digits and hyphens, not \"../up\"\n"
         "  try: --new why-add\n");
}
END_TEST

START_TEST(pages_are_written)
{
    write_lesson("01-small.md", "[n, 2]");
    LESSON("--html", "pages", ".");
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.err));
    ck_assert_int_eq(access("pages/index.html", F_OK), 0);
    ck_assert_int_eq(access("pages/01-small.html", F_OK), 0);
}
END_TEST

START_TEST(a_lesson_is_taken_from_a_pipe)
{
    write_lesson("small.md", "[n, 2]");
    run_with("[2, n]\n[n, 2]\n", (const char *const[]){"small.md", NULL});
    ck_assert_msg(strstr(r.out.s, "The other way round.") != NULL, "%s", r.out.s);
    ck_assert_msg(strstr(r.out.s, "Yes.") != NULL, "%s", r.out.s);
}
END_TEST

START_TEST(options_that_do_not_go_together_are_wrong_usage)
{
    LESSON("--check", "--html", "pages");
    ck_assert_int_eq(r.status, 2);
    ck_assert_msg(strstr(r.err.s, "--check, --new and --html are three things: one at a time") !=
                      NULL,
                  "%s", r.err.s);
    LESSON("1", "2");
    ck_assert_int_eq(r.status, 2);
    LESSON("--check", "-c", "hi");
    ck_assert_int_eq(r.status, 2);
}
END_TEST

Suite *lesson_app_suite(void)
{
    Suite *s = suite_create("lesson_app");
    TCase *tc = tcase_create("lesson");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, begin_apart, teardown);
    tcase_add_test(tc, a_lesson_that_holds_is_said_to);
    tcase_add_test(tc, a_fault_is_a_line_and_status_1);
    tcase_add_test(tc, what_cannot_be_read_is_status_3);
    tcase_add_test(tc, a_start_is_a_lesson_that_holds_and_is_never_overwritten);
    tcase_add_test(tc, pages_are_written);
    tcase_add_test(tc, a_lesson_is_taken_from_a_pipe);
    tcase_add_test(tc, options_that_do_not_go_together_are_wrong_usage);
    suite_add_tcase(s, tc);
    return s;
}
