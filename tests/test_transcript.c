// SPDX-License-Identifier: GPL-3.0-or-later
/* :transcript: what is typed and answered, in a file as well. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "session/transcript.h"
#include "support.h"

Suite *transcript_suite(void);

static char *folder;

static void setup(void)
{
    calm_environment();
    program();
    folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    free(folder);
}

/* Run a script of lines with the program in the test's folder. */
static void run_script(run_result *r, const char *option, const char *script)
{
    const char *const argv[] = {program(), "--keep-going", option, NULL};
    run_program(r, argv, script, strlen(script));
}

static es_str contents(const char *path)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    es_str all = {0};
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(&all, (const char *)f.data, f.size);
    es_file_close(&f);
    return all;
}

static void check_contents(const char *path, const char *want)
{
    es_str all = contents(path);
    ck_assert_str_eq(es_str_text(&all), want);
    es_str_free(&all);
}

START_TEST(lines_answers_errors_and_notes_are_taken_down)
{
    run_result r;
    run_script(&r, "--plain",
               "not yet\n:transcript t\n:decode 464\n:nothing\n:positions none\n:time :positions\n"
               ":paste\none\n.\n:transcript off\nno more\n");
    es_str all = contents("t");
    char *time = strstr(all.s, "time: ");
    ck_assert_ptr_nonnull(time);
    es_str_cut(&all, (size_t)(time - all.s));
    ck_assert_str_eq(all.s,
                     "text> :decode 464\n"
                     "text: \"The\"\n"
                     "text> :nothing\n"
                     "stdin:4: error[name]: there is no command :nothing\n"
                     "  in the line: \":nothing\"\n"
                     "  try: :help for all commands\n"
                     "  a text that begins with a colon is typed :text :\u2026\n"
                     "text> :positions none\n"
                     "note: positions none: nothing is added, so the order of tokens is lost\n"
                     "text (no positions)> :time :positions\n"
                     "learned, a row of wpe for each place, n_ctx of them\n"
                     "sinusoidal, sines and cosines of the place, no last row\n"
                     "none: in use, nothing is added, so the order of tokens is lost\n");
    es_str_free(&all);
    all = contents("t");
    ck_assert_ptr_nonnull(strstr(all.s, "text (no positions)> :paste\npaste> one\npaste> .\n"
                                        "tokens: 1\n"));
    const char *end = "text (no positions)> :transcript off\n";
    ck_assert_str_eq(all.s + all.len - strlen(end), end);
    es_str_free(&all);
    run_result_free(&r);
}
END_TEST

/* From a pipe an empty line ends nothing: the line behind it does. */
START_TEST(a_line_behind_a_function_has_its_own_prompt)
{
    run_result r;
    run_script(&r, "-t",
               ":transcript t\nfor i in range(2):\n    print(i)\n\ndef f(a):\n    return a\n"
               "f(2)\n:transcript off\n");
    check_contents("t", "tensor> for i in range(2):\n"
                        "   ...>     print(i)\n"
                        "   ...> \n"
                        "0\n"
                        "1\n"
                        "tensor> def f(a):\n"
                        "   ...>     return a\n"
                        "tensor> f(2)\n"
                        "2\n"
                        "tensor> :transcript off\n");
    run_result_free(&r);
}
END_TEST

START_TEST(a_transcript_has_neither_escapes_nor_raw_bytes)
{
    run_result r;
    run_script(&r, "--color=always",
               ":transcript t\nThe cat\nna\u00efve \x1b[31m\u2066x \xff \u0645\u0631\n:nothing\n");
    es_str all = contents("t");
    ck_assert_ptr_nonnull(strstr(r.out.s, "\x1b["));
    ck_assert_ptr_null(strchr(all.s, '\x1b'));
    ck_assert_ptr_null(strstr(all.s, "\u2066"));
    ck_assert_ptr_nonnull(
        strstr(all.s, "text> na\u00efve \\x1b[31m\\u{2066}x \\xFF \u0645\u0631\n"));
    es_str_free(&all);
    run_result_free(&r);
    es_transcript *t = es_transcript_open("direct", NULL);
    static const char painted[] = "a\x1b[1;31mb\x1b[0m \u2068c\u2069 \u2026";
    es_transcript_put(t, painted, sizeof painted - 1);
    es_transcript_close(t);
    check_contents("direct", "ab c \u2026");
}
END_TEST

START_TEST(a_file_that_is_there_is_added_to)
{
    run_result r;
    run_script(&r, "--plain", ":transcript t\n:transcript\n");
    ck_assert_str_eq(r.out.s, "transcript: t, 18 bytes so far\n");
    ck_assert_str_eq(r.err.s, "note: transcript: what follows is written to t as well\n");
    run_result_free(&r);
    run_script(&r, "--plain", ":transcript t\n:transcript off\n:transcript\n:transcript off\n");
    ck_assert_str_eq(r.out.s, "transcript: none, :transcript FILE begins one\n");
    ck_assert_str_eq(r.err.s, "note: transcript: t has 49 bytes, what follows is added to them\n"
                              "note: transcript: off, 22 bytes were written to t\n"
                              "note: transcript: none was written\n");
    run_result_free(&r);
    check_contents("t", "text> :transcript\ntranscript: t, 18 bytes so far\n"
                        "text> :transcript off\n");
}
END_TEST

START_TEST(json_answers_are_taken_down_as_they_are)
{
    run_result r;
    run_script(&r, "--json", ":transcript t\n:transcript\n:nothing\n:decode 464\n:quit\n");
    ck_assert_str_eq(r.out.s,
                     "{\"kind\":\"none\"}\n{\"kind\":\"transcript\",\"path\":\"t\",\"bytes\":18}\n"
                     "{\"kind\":\"error\",\"error\":\"name\",\"message\":\"there is no command "
                     ":nothing\",\"hint\":\"try: :help for all commands\\u000aa text that begins "
                     "with a colon is typed :text :\u2026\",\"torch\":null,\"begin\":0,\"end\":8}\n"
                     "{\"kind\":\"decode\",\"text\":\"The\",\"hex\":\"546865\"}\n"
                     "{\"kind\":\"none\"}\n");
    es_str all = contents("t");
    ck_assert_ptr_nonnull(strstr(all.s, "text> :decode 464\n{\"kind\":\"decode\",\"text\":\"The\","
                                        "\"hex\":\"546865\"}\ntext> :quit\n{\"kind\":\"none\"}\n"));
    es_str_free(&all);
    run_result_free(&r);
}
END_TEST

START_TEST(a_full_disk_is_said_once_and_ends_the_transcript)
{
    run_result r;
    run_script(&r, "--plain", ":transcript /dev/full\n:decode 464\n:decode 464\n:transcript\n");
    ck_assert_str_eq(r.out.s, "text: \"The\"\ntext: \"The\"\n"
                              "transcript: none, :transcript FILE begins one\n");
    ck_assert_str_eq(r.err.s,
                     "note: transcript: what follows is written to /dev/full as well\n"
                     "stdin:2: error[io]: the transcript ends here: cannot write /dev/full: No "
                     "space left on device\n"
                     "  what was answered since then is not in it; :transcript FILE begins "
                     "another\n");
    ck_assert_int_eq(r.status, 1);
    run_result_free(&r);
}
END_TEST

START_TEST(a_file_that_is_removed_is_noticed)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_int_eq(mkdir("gone", 0700), 0);
    es_transcript *t = es_transcript_open("gone/t", &err);
    ck_assert_works(t != NULL, err);
    es_transcript_line(t, "text> ", "hello", 5);
    ck_assert_uint_eq(es_transcript_written(t), 12);
    ck_assert(!es_transcript_failed(t, &err));
    ck_assert_int_eq(unlink("gone/t"), 0);
    ck_assert_int_eq(rmdir("gone"), 0);
    es_transcript_line(t, "text> ", "hello", 5);
    ck_assert(es_transcript_failed(t, &err));
    ck_assert_str_eq(err.message, "the transcript ends here: gone/t was removed");
    ck_assert_uint_eq(es_transcript_written(t), 12);
    es_error_free(&err);
    es_transcript_close(t);
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    run_result r;
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    ck_assert_int_eq(mkdir("folder", 0700), 0);
    run_script(
        &r, "--plain",
        ":transcript pipe\n:transcript folder\n:transcript no/where\n:transcript \"a\\x00\"\n"
        ":transcript\n");
    static const char *const messages[] = {
        "error[io]: cannot write pipe: a transcript is a file, and this is none\n",
        "error[io]: cannot write folder: a transcript is a file, and this is none\n",
        "error[io]: cannot write no/where: No such file or directory\n",
        "error[io]: no path has a NUL byte in it\n"};
    for (int i = 0; i < 4; i++)
        ck_assert_msg(strstr(r.err.s, messages[i]) != NULL, "%s: %s", messages[i], r.err.s);
    ck_assert_str_eq(r.out.s, "transcript: none, :transcript FILE begins one\n");
    run_result_free(&r);
}
END_TEST

/* Each line that is run would be one more line to run. */
START_TEST(a_script_is_not_its_own_transcript)
{
    static const char script[] = ":transcript self\n:decode 464\n";
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_replace("self", script, sizeof script - 1, &err), err);
    run_result r;
    run_script(&r, "--plain", ":run self\n:transcript\n");
    ck_assert_ptr_nonnull(
        strstr(r.err.s, "self:2: error[io]: self is the transcript as well: running it would never "
                        "end\n  the transcript is off; try: :transcript with another file\n"));
    ck_assert_str_eq(r.out.s, "transcript: none, :transcript FILE begins one\n");
    ck_assert_int_eq(r.status, 1);
    run_result_free(&r);
    check_contents("self", script);
}
END_TEST

/* ---- run again ---- */

static void write_file(const char *path, const char *text)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_replace(path, text, strlen(text), &err), err);
}

static const char note[] =
    "note: t is a transcript: what was typed is run, what was answered is left out\n";

/* Lines are typed, and what they answered is what their transcript answers when it is run. */
static void check_replay(const char *option, const char *script)
{
    run_result r;
    const char *const typing[] = {program(), "--keep-going", "--plain", option, NULL};
    const char *const replaying[] = {program(), "--plain", "-c", ":transcript again",
                                     "-f",      "t",       NULL};
    unlink("t");
    unlink("again");
    run_program(&r, typing, script, strlen(script));
    run_result_free(&r);
    run_program(&r, replaying, "", 0);
    es_str first = contents("t"), second = contents("again");
    ck_assert_ptr_nonnull(strstr(r.err.s, note));
    ck_assert_msg(!strncmp(second.s, note, strlen(note)), "%s", second.s);
    ck_assert_str_eq(second.s + strlen(note), first.s);
    run_result_free(&r);
    es_str_free(&first);
    es_str_free(&second);
}

START_TEST(run_again_it_answers_the_same)
{
    check_replay(NULL,
                 ":transcript t\n:decode 464\n:positions none\nThe cat\n\n:positions learned\n"
                 ":row @1\n:paste\none\ntext> two\n.\n = x\n= x.shape\n");
    check_replay("-t", ":transcript t\nfor i in range(2):\n    print(i)\n\ndef f(a):\n\treturn a\n"
                       "f(2)\nx = [1,\n  2]\n:text\nf(2)\n= f(x)\n");
}
END_TEST

/* A transcript of a lesson has :window on in it; who runs it again may have no display. */
START_TEST(no_window_is_opened_where_nobody_sits)
{
    run_result r;
    FILE *f = fopen("t", "w");
    fputs("text> :window on\ntext> :w full\ntext> The cat\n", f);
    fclose(f);
    const char *const replaying[] = {program(), "--plain", "-f", "t", NULL};
    run_program(&r, replaying, "", 0);
    ck_assert_str_eq(r.err.s, note);
    ck_assert_ptr_nonnull(strstr(r.out.s, "tokens: 2\n"));
    run_result_free(&r);
}
END_TEST

START_TEST(steps_are_taken_again)
{
    run_result r;
    run_script(&r, "-t",
               ":transcript t\ndef f(a):\n    b = a + 1\n    return b\n:step f(1)\n\nb\n\n");
    run_result_free(&r);
    run_script(&r, "--plain", ":run t\n");
    ck_assert_ptr_nonnull(strstr(r.out.s, "after it: b = 2\n"));
    ck_assert_ptr_nonnull(strstr(r.out.s, "\nint: 2\nafter it: returns 2\nint: 2\n"));
    run_result_free(&r);
}
END_TEST

START_TEST(lines_that_cannot_be_printed_are_run_as_they_were)
{
    check_replay(NULL,
                 ":transcript t\na\tb\x1b[31m \xff \xe2\x81\xa6 c\r\n:tokens\na\\tb\n:tokens\n");
    es_str all = contents("t");
    ck_assert_ptr_nonnull(strstr(all.s, "bytes> 6109621B5B33316D20FF20E281A620630D\n"
                                        "text> a\\tb\\x1b[31m \\xFF \\u{2066} c\\r\n"));
    ck_assert_ptr_nonnull(strstr(all.s, "\ntext> a\\tb\n"));
    es_str_free(&all);
}
END_TEST

/* What a statement prints could be taken for a line that was typed. */
START_TEST(an_answer_is_never_taken_for_a_line)
{
    run_result r;
    run_script(
        &r, "-t",
        ":transcript t\nprint(\"text> :nothing\\ntext (a)> b\\nstep> c\\ntext: d\")\n"
        "for s in (\"te\", \"xt> :nothing\\n\", \"text\", \" is it\\n\", \"text\"): print(s, "
        "end=\"\")\n\n:decode 464\n");
    run_result_free(&r);
    es_str all = contents("t");
    ck_assert_ptr_nonnull(strstr(all.s, "\n text> :nothing\n text (a)> b\n step> c\ntext: d\n"));
    ck_assert_ptr_nonnull(strstr(all.s, "\n text> :nothing\n text is it\n text\ntensor> :decode"));
    es_str_free(&all);
}
END_TEST

START_TEST(its_lines_may_be_short_may_fail_and_end_it)
{
    run_result r;
    write_file("t", "text> :dec 464\ntext: \"The\"\ntext> :nothing\ntext> :dec 3797\n"
                    "   ...> no\nstep> no\npaste> no\nbytes> 6\ntext> :dec 11\r\ntext> :q\n"
                    "text> :decode 12\n");
    run_script(&r, "--plain", ":run t\n:decode 13\n");
    ck_assert_str_eq(r.out.s, "text: \"The\"\ntext: \" cat\"\ntext: \",\"\ntext: \".\"\n");
    ck_assert_msg(!strncmp(r.err.s, note, strlen(note)), "%s", r.err.s);
    ck_assert_ptr_nonnull(strstr(r.err.s, "t:3: error[name]: there is no command :nothing\n"));
    ck_assert_int_eq(r.status, 1);
    run_result_free(&r);
}
END_TEST

/* Ctrl-C dropped it: the next prompt was a fresh one. */
START_TEST(what_was_dropped_half_way_is_dropped_again)
{
    run_result r;
    write_file("t", "text> :paste\npaste> one\ntext> :decode 464\ntensor> y = [1,\ntensor> 7\n");
    run_script(&r, "--plain", ":run t\n");
    ck_assert_str_eq(r.out.s, "text: \"The\"\nint: 7\n");
    run_result_free(&r);
}
END_TEST

/* What a gesture does is a line like these: run again they draw the same bytes. */
START_TEST(pictures_are_drawn_again_to_the_byte)
{
    static const char *const files[] = {
        "map.svg",
        "space.svg",
        "curves.svg",
        "rows.svg",
#if ES_HAVE_PICTURES
        "map.png"
#endif
    };
    enum { N = sizeof files / sizeof *files };
    static const char script[] =
        ":transcript t\nThe man\n:camera x=0.25 y=-0.1 zoom=2\n:find th\n"
        ":select x=0..0.02 y=-0.01..0.03\n:focus @1\n:color-by script\n:labels 50\n"
        ":export map.svg size=640x400\n"
#if ES_HAVE_PICTURES
        ":export map.png size=640x400\n"
#endif
        ":components 1 2 3\n:camera turn=12.5 tilt=-30 3d\n:set palette light\n"
        ":export space.svg size=640x400\n:show positions\n:export curves.svg size=640x400\n"
        ":clear\n:show strips\n:export rows.svg size=640x400\n:transcript off\n";
    const char *const typing[] = {program(), "--model", "untrained:V=3000,C=12", NULL};
    const char *const replaying[] = {program(), "--model", "untrained:V=3000,C=12",
                                     "-f",      "t",       NULL};
    es_str first[N] = {0};
    run_result r;
    run_program(&r, typing, script, strlen(script));
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.err));
    run_result_free(&r);
    for (int i = 0; i < N; i++) {
        first[i] = contents(files[i]);
        ck_assert_int_eq(unlink(files[i]), 0);
    }
    run_program(&r, replaying, "", 0);
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.err));
    run_result_free(&r);
    for (int i = 0; i < N; i++) {
        es_str again = contents(files[i]);
        ck_assert_msg(again.len == first[i].len && !memcmp(again.s, first[i].s, again.len), "%s",
                      files[i]);
        ck_assert_msg(i == 0 || again.len != first[0].len ||
                          memcmp(again.s, first[0].s, again.len) != 0,
                      "%s shows nothing of its own", files[i]);
        es_str_free(&again);
        es_str_free(&first[i]);
    }
}
END_TEST

/* Through a pipe they are texts like any others, and so they are where another line comes first. */
START_TEST(only_a_file_that_begins_with_a_prompt_is_one)
{
    run_result r;
    run_script(&r, "--plain", "text> a\n");
    ck_assert_ptr_nonnull(strstr(r.out.s, "token 0: text \"text\""));
    run_result_free(&r);
    write_file("t", "a\ntext> :nothing\n");
    run_script(&r, "--plain", ":run t\n");
    ck_assert_str_eq(es_str_text(&r.err), "");
    ck_assert_int_eq(r.status, 0);
    run_result_free(&r);
    static const char *const none[] = {"text >a", "texts> a", "text:",     "tex",
                                       "",        "> a",      "text (a) b"};
    size_t begin;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        demand(es_transcript_typed(none[i], strlen(none[i]), &begin) == ES_NOT_TYPED, "%s",
               none[i]);
    ck_assert_int_eq(es_transcript_typed("tensor (a (b), strict)> c", 25, &begin), ES_TYPED_TENSOR);
    ck_assert_uint_eq(begin, 24);
    ck_assert_int_eq(es_transcript_typed("text>", 5, &begin), ES_TYPED_TEXT);
    ck_assert_uint_eq(begin, 5);
}
END_TEST

START_TEST(long_lines_are_cut_between_characters_only)
{
    es_error err = ES_ERROR_NONE;
    es_str line = {0}, want = {0};
    for (int i = 0; i < 70000; i++)
        es_str_cat(&line, i % 5 ? "\u6f22" : "x");
    es_str_add(&want, "text> %s\n", line.s);
    es_transcript *t = es_transcript_open("long", &err);
    ck_assert_works(t != NULL, err);
    es_transcript_line(t, "text> ", line.s, line.len);
    es_transcript_close(t);
    check_contents("long", want.s);
    es_str_free(&line);
    es_str_free(&want);
}
END_TEST

Suite *transcript_suite(void)
{
    Suite *s = suite_create("transcript");
    TCase *tc = tcase_create("transcript");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, lines_answers_errors_and_notes_are_taken_down);
    tcase_add_test(tc, a_line_behind_a_function_has_its_own_prompt);
    tcase_add_test(tc, a_transcript_has_neither_escapes_nor_raw_bytes);
    tcase_add_test(tc, a_file_that_is_there_is_added_to);
    tcase_add_test(tc, json_answers_are_taken_down_as_they_are);
    tcase_add_test(tc, a_full_disk_is_said_once_and_ends_the_transcript);
    tcase_add_test(tc, a_file_that_is_removed_is_noticed);
    tcase_add_test(tc, what_is_no_file_is_refused);
    tcase_add_test(tc, a_script_is_not_its_own_transcript);
    tcase_add_test(tc, run_again_it_answers_the_same);
    tcase_add_test(tc, no_window_is_opened_where_nobody_sits);
    tcase_add_test(tc, steps_are_taken_again);
    tcase_add_test(tc, lines_that_cannot_be_printed_are_run_as_they_were);
    tcase_add_test(tc, an_answer_is_never_taken_for_a_line);
    tcase_add_test(tc, its_lines_may_be_short_may_fail_and_end_it);
    tcase_add_test(tc, what_was_dropped_half_way_is_dropped_again);
    tcase_add_test(tc, pictures_are_drawn_again_to_the_byte);
    tcase_add_test(tc, only_a_file_that_begins_with_a_prompt_is_one);
    tcase_add_test(tc, long_lines_are_cut_between_characters_only);
    suite_add_tcase(s, tc);
    return s;
}
