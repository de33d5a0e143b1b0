// SPDX-License-Identifier: GPL-3.0-or-later
/* Lessons, and pauses of a file, at the real prompt in a pseudo-terminal. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"
#include "terminal.h"

Suite *lesson_pty_suite(void);

/* The lessons of data/lessons/player as if they had come with the program. */
static void setup(void)
{
    char *data = fresh_folder(), *assets = strdup(program()), command[8192];
    calm_environment();
    *strrchr(assets, '/') = '\0';
    snprintf(command, sizeof command,
             "cp -rs '%s'/assets/* '%s' && rm -rf '%s/lessons' && cp -r tests/data/lessons/player "
             "'%s/lessons'",
             assets, data, data, data);
    ck_assert_int_eq(system(command), 0);
    setenv("EMBEDSCOPE_DATA", data, 1);
    free(assets);
    free(data);
}

static void begin(void)
{
    START(80, "-q", "--color=never");
    expect("text> ");
}

/* By a line: Ctrl-D just behind Ctrl-C may come while the terminal is not Readline's yet, and is lost. */
static void leave(void)
{
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}

START_TEST(a_lesson_is_played)
{
    begin();
    type(":l 1\r");
    expect("step 1 of 5");
    expect("L1.1> tok_emb = wte(ids)");
    expect("Enter goes on.");
    expect("L1.1> ");
    type("\r");
    expect("L1.2> ");
    expect("Enter goes on.");
    type("\r");
    expect("What is the shape of");
    expect("L1.3> ");
    type("[T, C]\r");
    expect("Not quite. The batch axis does not vanish");
    type("[B, T, C]\r");
    expect("Yes. The sum keeps");
    expect("L1.3> ");
    type("\r");
    expect("L1.4> ");
    type(":n\r");
    expect("1.4 skipped. This does it:");
    expect("L1.5> ");
    type("V - 1\r");
    expect("1.5 done, Enter ends the lesson.");
    type("\r");
    expect("Lesson 1 is over: 5 steps, 1 of them skipped.");
    expect("text> ");
    leave();
}
END_TEST

START_TEST(a_hint_comes_in_an_open_quote)
{
    begin();
    type(":lesson 1.4\r");
    expect("L1.4> ");
    type("h = '''one\r");
    expect("...> ");
    type(":hint\r");
    expect("hint 1 of 2: Which two tables?");
    expect("...> ");
    type("two'''\r");
    expect("L1.4> ");
    type("h\r");
    expect("one\\ntwo");
    expect("L1.4> ");
    type("h = wte(ids) + (\r");
    expect("...> ");
    type(":hint\r");
    expect("hint 2 of 2");
    expect("...> ");
    type("\x03");
    expect("L1.4> ");
    type("\x1b[A"); /* the commands are no part of the statement that history has */
    expect("h = wte(ids) + (");
    type("\x03");
    expect("L1.4> ");
    leave();
}
END_TEST

/* What is done is on the disk before the prompt comes back. */
START_TEST(killed_after_each_step_it_goes_on_there)
{
    static const char *const answers[] = {"", "", "[B, T, C]",
                                          "h = wpe(torch.arange(0, T)) + wte(ids)", "V - 1"};
    for (int i = 0; i < 5; i++) {
        char prompt[16];
        snprintf(prompt, sizeof prompt, "L1.%d> ", i + 1);
        begin();
        type(":lesson 1\r");
        expect(i == 0 || i == 1 ? "Enter goes on." : ":next skips.");
        expect(prompt);
        type(answers[i]);
        type("\r");
        expect(*answers[i] ? " done, Enter " : "of 5");
        if (!*answers[i])
            expect("> ");
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        waitpid(child, NULL, 0);
        terminal_close();
    }
    begin();
    type(":lesson\r");
    expect("done");
    expect("text> ");
    leave();
}
END_TEST

START_TEST(a_transcript_of_a_lesson_is_played_again)
{
    char *folder = fresh_folder(), line[8192];
    begin();
    snprintf(line, sizeof line, ":transcript %s/t\r", folder);
    type(line);
    expect("text> ");
    type(":lesson 1.3\r");
    expect("L1.3> ");
    type("[B,\r");
    expect("...> ");
    type(":hint\r");
    expect("hint 1 of 2");
    type("T, C]\r");
    expect("Yes.");
    expect("L1.3> ");
    type("\r");
    expect("L1.4> ");
    type(":lesson off\r");
    expect("text> ");
    type("= 2 * 21\r");
    expect("42");
    leave();
    terminal_close();
    snprintf(line, sizeof line, "%s/t", folder);
    const char *const argv[] = {program(), "-f", line, NULL};
    run_result r;
    run_program(&r, argv, "", 0);
    ck_assert_int_eq(r.status, 0);
    const char *yes = strstr(es_str_text(&r.out), "Yes. The sum keeps");
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.out), "hint 1 of 2"));
    ck_assert_ptr_nonnull(yes);
    ck_assert_ptr_nonnull(strstr(yes, "step 4 of 5"));
    ck_assert_ptr_nonnull(strstr(yes, "\n42\n"));
    run_result_free(&r);
    free(folder);
}
END_TEST

/* ---- pauses ---- */

static void write_demo(char *path, size_t n)
{
    char *folder = fresh_folder();
    snprintf(path, n, "%s/demo.session", folder);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("The cat\n:pause How many tokens is it?\n:decode 464\n:pause And now?\n= 6 * 7\n", f);
    fclose(f);
    free(folder);
}

START_TEST(a_file_pauses_and_takes_questions)
{
    char path[4096];
    write_demo(path, sizeof path);
    START(80, "--color=never", "-f", path);
    expect("How many tokens is it?");
    expect("pause> ");
    expect_quiet_without("\"The\"");
    type("= 100 + 1\r");
    expect("101");
    expect("pause> ");
    type("= (1 +\r");
    expect("...> ");
    type("\r");
    expect("...> ");
    type("1)\r");
    expect("2");
    expect("pause> ");
    type(":nonsense\r");
    expect("there is no command");
    expect("pause> ");
    type("\r");
    expect("\"The\"");
    expect("And now?");
    expect("pause> ");
    type("\x04"); /* goes on as well */
    expect("42");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(a_file_run_at_the_prompt_pauses_there)
{
    char path[4096], line[8192];
    write_demo(path, sizeof path);
    begin();
    snprintf(line, sizeof line, ":run %s\r", path);
    type(line);
    expect("How many tokens is it?");
    expect("pause> ");
    type("= 100 + 1\r");
    expect("101");
    expect("pause> ");
    type("\r");
    expect("And now?");
    expect("pause> ");
    type("\x03"); /* ends the file */
    expect("[interrupted]: stopped by");
    expect("text> ");
    type("= 3 * 3\r");
    expect("9");
    expect("text> ");
    type(line);
    expect("pause> ");
    type(":quit\r");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(lines_from_a_pipe_pause_at_the_terminal)
{
    char path[4096], line[16384];
    write_demo(path, sizeof path);
    snprintf(line, sizeof line, "cat '%s' | '%s' --color=never; echo it is over", path, program());
    start_command(line, 80);
    expect("pause> ");
    type("= 100 + 1\r");
    expect("101");
    type("\r");
    expect("And now?");
    type("\r");
    expect("42");
    expect("it is over");
    wait_end();
}
END_TEST

START_TEST(where_nobody_sits_a_pause_goes_straight_on)
{
    char path[4096];
    write_demo(path, sizeof path);
    const char *const argv[] = {program(), "-f", path, NULL};
    run_result r;
    run_program(&r, argv, "", 0);
    ck_assert_int_eq(r.status, 0);
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.out), "How many tokens is it?"));
    ck_assert_ptr_nonnull(strstr(es_str_text(&r.out), "\n42\n"));
    run_result_free(&r);
    START(80, "--json", "-f", path);
    expect("{\"kind\":\"pause\",\"text\":\"How many tokens is it?\"}");
    expect("42");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

Suite *lesson_pty_suite(void)
{
    Suite *s = suite_create("lesson_pty");
    TCase *t = tcase_create("lessons");
    tcase_set_timeout(t, 120);
    tcase_add_checked_fixture(t, setup, terminal_close);
    tcase_add_test(t, a_lesson_is_played);
    tcase_add_test(t, a_hint_comes_in_an_open_quote);
    tcase_add_test(t, killed_after_each_step_it_goes_on_there);
    tcase_add_test(t, a_transcript_of_a_lesson_is_played_again);
    suite_add_tcase(s, t);
    t = tcase_create("pauses");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, terminal_close);
    tcase_add_test(t, a_file_pauses_and_takes_questions);
    tcase_add_test(t, a_file_run_at_the_prompt_pauses_there);
    tcase_add_test(t, lines_from_a_pipe_pause_at_the_terminal);
    tcase_add_test(t, where_nobody_sits_a_pause_goes_straight_on);
    suite_add_tcase(s, t);
    return s;
}
