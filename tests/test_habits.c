// SPDX-License-Identifier: GPL-3.0-or-later
/* What a person's fingers know from other prompts: pastes, history, ~/.inputrc, odd terminals. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "support.h"
#include "terminal.h"

Suite *habits_suite(void);

static void setup(void)
{
    calm_environment();
}

static void leave(void)
{
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
    terminal_close();
}

START_TEST(a_paste_of_300_lines_runs_every_one)
{
    es_str paste = {0};
    START(80, "-q", "--json");
    expect("text> ");
    es_str_cat(&paste, "\x1b[200~");
    for (int i = 0; i < 300; i++)
        es_str_add(&paste, "%s:decode %d", i ? "\n" : "", 1000 + i);
    es_str_cat(&paste, "\x1b[201~\r");
    for (size_t at = 0, n; at < paste.len; at += n) { /* as fast as the terminal takes it */
        ssize_t done = write(screen, paste.s + at, paste.len - at < 512 ? paste.len - at : 512);
        n = done > 0 ? (size_t)done : 0;
        read_more(5);
    }
    expect("{\"kind\":\"decode\"");
    for (int i = 1; i < 300; i++)
        expect("{\"kind\":\"decode\"");
    leave();
    START(80, "-q", "--json"); /* and is one entry, in the next session too */
    expect("text> ");
    type(":history 9\r");
    expect("{\"kind\":\"history\",\"lines\":[{\"line\":\":decode 1000\\u000a:decode 1001");
    expect("decode 1299\"},{\"line\":\":history 9\"}]}");
    leave();
    es_str_free(&paste);
}
END_TEST

START_TEST(two_sessions_keep_each_others_lines)
{
    START(80, "-q");
    expect("text> ");
    type(":decode 1\r");
    expect("text> ");
    int first_screen = screen;
    pid_t first = child;
    START(80, "-q");
    expect("text> ");
    type(":decode 2\r");
    leave();
    screen = first_screen;
    child = first;
    type(":decode 3\r");
    leave();
    START(80, "-q", "--json");
    expect("text> ");
    type(":history\r");
    expect("[{\"line\":\":decode 1\"},{\"line\":\":decode 2\"},{\"line\":\":decode 3\"},");
}
END_TEST

static void write_inputrc(const char *text)
{
    es_str path = {0};
    es_str_add(&path, "%s/.inputrc", getenv("HOME"));
    FILE *f = fopen(path.s, "w");
    ck_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
    es_str_free(&path);
}

START_TEST(inputrc_knows_the_program_by_name)
{
    write_inputrc("$if embedscope\n\"\\C-t\": \":decode 464\"\n$endif\n"
                  "$if other\n\"\\C-t\": \"no\"\n$endif\n");
    START(80, "-q");
    expect("text> ");
    type("\x14\r");
    expect("\"The\"");
    leave();
}
END_TEST

START_TEST(vi_keys_edit_the_line)
{
    write_inputrc("set editing-mode vi\n");
    START(80, "-q", "--json");
    expect("text> ");
    type("the cat\x1b");
    usleep(700000); /* an escape by itself */
    type("0rTA sat\r");
    expect("\"text\":\"The cat sat\"");
    leave();
}
END_TEST

/* The screen as plain text: no line of an answer is wider than it. */
static void check_fits(int columns)
{
    char *rest = NULL;
    for (char *line = strtok_r(seen.s, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        demand(es_columns(line, strlen(line)) <= columns, "wider than %d: %s", columns, line);
}

START_TEST(narrow_wide_and_dumb_terminals_are_fine)
{
    static const int columns[] = {40, 300};
    setenv("TERM", "dumb", 1);
    for (int i = 0; i < 2; i++) {
        START(columns[i], "-q");
        expect("text> ");
        type("The cat sat\r");
        expect("\n");
        while (read_more(300))
            continue;
        ck_assert_ptr_nonnull(memmem(es_str_text(&seen), seen.len, "[B=1, T=3, C=64]", 16));
        ck_assert_ptr_null(memchr(seen.s, '\x1b', seen.len));
        check_fits(columns[i]);
        es_str_cut(&seen, 0);
        type(":help\r");
        expect("\n");
        while (read_more(300))
            continue;
        check_fits(columns[i]);
        terminal_close();
    }
}
END_TEST

START_TEST(without_a_home_there_is_one_note_and_a_prompt)
{
    unsetenv("HOME");
    START(120, "-q");
    expect("note: lines are remembered only until you leave: no place for history: neither "
           "XDG_STATE_HOME nor HOME is set");
    expect("text> ");
    type(":decode 464\r");
    expect("\"The\"");
    expect_quiet_without("note");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
}
END_TEST

/* Without motion it is said once what is being done, and nothing is written over. */
START_TEST(progress_moves_only_where_it_may)
{
    START(80, "-q", "--color=never");
    expect("text> ");
    type(":repeat 30000000 \" \"\r");
    expect("\rencoding");
    expect("\x1b[K");
    expect("text> ");
    type(":set motion off\r");
    expect("text> ");
    type(":repeat 30000000 \" \"\r");
    expect("encoding, Ctrl-C stops\r\n");
    expect("30000000 tokens");
    ck_assert_ptr_null(memmem(es_str_text(&seen), seen.len, "encoding", 8));
    expect("text> ");
}
END_TEST

Suite *habits_suite(void)
{
    Suite *s = suite_create("habits");
    TCase *tc = tcase_create("habits");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, terminal_close);
    tcase_add_test(tc, a_paste_of_300_lines_runs_every_one);
    tcase_add_test(tc, two_sessions_keep_each_others_lines);
    tcase_add_test(tc, inputrc_knows_the_program_by_name);
    tcase_add_test(tc, vi_keys_edit_the_line);
    tcase_add_test(tc, narrow_wide_and_dumb_terminals_are_fine);
    tcase_add_test(tc, without_a_home_there_is_one_note_and_a_prompt);
    tcase_add_test(tc, progress_moves_only_where_it_may);
    suite_add_tcase(s, tc);
    return s;
}
