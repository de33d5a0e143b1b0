// SPDX-License-Identifier: GPL-3.0-or-later
/* Lessons as they are played, over the small ones in data/lessons/player. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lesson/player.h"
#include "listener.h"
#include "support.h"

Suite *player_suite(void);

static listener heard;
static es_player *player;

static void open_player(void)
{
    es_error err = ES_ERROR_NONE;
    listener_open(&heard, &(es_session_options){.settings.pad = -1, .tensor = true});
    player = es_player_new(heard.session);
    ck_assert_works(es_player_use(player, "tests/data/lessons/player", &err), err);
}

static void close_player(void)
{
    es_player_free(player);
    player = NULL;
    listener_close(&heard);
}

static void setup(void)
{
    char *folder = fresh_folder();
    setenv("XDG_STATE_HOME", folder, 1);
    free(folder);
    open_player();
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

static bool shows(const char *text)
{
    return strstr(es_str_text(&heard.shown), text) != NULL;
}

/* What was said holds this text. */
#define ck_says(text)                                                                              \
    ck_assert_msg(shows(text), "%s\n%s", es_str_text(&heard.shown), es_str_text(&heard.errors))

#define ck_prompt(text)                                                                            \
    do {                                                                                           \
        es_str now = {0};                                                                          \
        es_session_prompt(heard.session, &now);                                                    \
        ck_assert_str_eq(now.s, text);                                                             \
        es_str_free(&now);                                                                         \
    } while (0)

static void go(const char *line, const char *says)
{
    ck_assert_msg(run(line) != ES_FAILED, "%s: %s", line, es_str_text(&heard.errors));
    ck_assert_msg(shows(says), "%s: %s\nis not in\n%s", line, says, es_str_text(&heard.shown));
}

/* An answer that is true, whatever was drawn. */
static void is_true(const char *expression)
{
    es_str line = {0};
    es_str_add(&line, "= %s", expression);
    go(line.s, "True");
    es_str_free(&line);
}

START_TEST(lessons_are_listed_with_what_is_done)
{
    go(":lesson", "1  Shapes, and what they say  5 min");
    ck_says("2  One of three");
    ck_says("Type :lesson 1 for Shapes, and what they say.");
    go(":lesson three of", "One of three");
    ck_assert(!shows("Shapes"));
    go(":lesson nothing of the kind", "No lesson has these words");
    go(":lesson 2.1", "step 1 of 2");
    go(":next", "2.1 skipped.");
    go(":lesson off", "Left at 2.2");
    go(":lesson", "1 of 2");
    listener_refused(&heard, ":lesson 9", "name", "there is no lesson 9");
    listener_refused(&heard, ":lesson 1.9", "range", "lesson 1 has steps 1.1 to 1.5");
    listener_refused(&heard, ":next", "usage", "no lesson is on");
}
END_TEST

START_TEST(a_lesson_is_played_from_end_to_end)
{
    go(":lesson 1", "── Shapes, and what they say · step 1 of 5 ──");
    ck_says("L1.1> tok_emb = wte(ids)");
    ck_says("Enter goes on.");
    ck_prompt("L1.1> ");
    go("", "step 2 of 5");
    ck_says("L1.2> tok_emb.shape");
    go("", "What is the shape of `tok_emb + wpe(torch.arange(0, T))`?");
    ck_prompt("L1.3> ");
    go("", "Type the shape, such as [B, T].");
    go("[T, C]", "Not quite. The batch axis does not vanish");
    go("[1, 2, 3, 4]", "Not quite. Align the two from the right.");
    go(":hint", "hint 1 of 2: Align the two shapes.");
    go(":hint", "hint 2 of 2: From the right.");
    go(":hint", "hint 2 of 2: From the right.");
    go(":solution", "L1.3> [B, T, C]");
    go("[B, T, C]", "Yes. The sum keeps");
    ck_says("1.3 done, Enter goes on.");
    go("", "Make");
    go("h = wte(ids) + wpe(ids % P)", "Not quite. A position is where a token stands.");
    go("h.shape", "C=64");
    ck_assert(!shows("Not quite"));
    go("h = wpe(torch.arange(0, T)) + wte(ids)", "Yes. One addition.");
    go("", "This line fails, on purpose");
    ck_assert_int_eq(heard.n_errors, 1);
    go("V", "Not quite. Rows are counted from 0.");
    go("V - 1", "Yes. The message names the id.");
    ck_says("1.5 done, Enter ends the lesson.");
    go("", "That was all about shapes.");
    ck_says("Lesson 1 is over: 5 steps.");
    ck_says(":lesson 2 is next: One of three.");
    ck_prompt("tensor> ");
    go(":lesson", "done");
    int done, all;
    ck_assert(es_player_count(player, &done, &all));
    ck_assert_int_eq(done, 1);
    ck_assert_int_eq(all, 2);
}
END_TEST

START_TEST(the_learners_variables_are_back_when_it_is_over)
{
    go("T = 99", "");
    go("mine = 1", "");
    go(":positions none", "");
    go(":lesson 1", "");
    ck_prompt("L1.1> ");
    is_true("T < 9");
    ck_assert_int_eq(run("mine"), ES_FAILED);
    go(":lesson off", "");
    is_true("T == 99 and mine == 1");
    ck_prompt("tensor (no positions)> ");
    es_session_set_tensor(heard.session, false);
    ck_prompt("text (no positions)> ");
    go(":lesson 1", "");
    go(":lesson off", "");
    ck_prompt("text (no positions)> ");
}
END_TEST

START_TEST(extra_variables_stay_and_the_lessons_are_made_right)
{
    go(":lesson 1", "");
    go("extra = 7", "");
    go("ids = 3", "");
    go("wte = 4", "");
    go("", "step 2 of 5");
    ck_assert_str_eq(heard.notes.s, "ids, wte are the lesson's again\n");
    is_true("extra == 7 and ids.shape == (B, T)");
    go("", "");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    is_true("extra == 7");
    go(":restart", "step 3 of 5");
    ck_assert_int_eq(run("= extra"), ES_FAILED);
}
END_TEST

START_TEST(what_is_skipped_is_shown_run_and_explained)
{
    go(":lesson 1.3", "");
    go(":next", "1.3 skipped. The answer is:");
    ck_says("L1.3> [B, T, C]");
    ck_says("L1.3> tok_emb + wpe(torch.arange(0, T))");
    ck_says("C=64] float32");
    ck_says("The sum keeps");
    ck_says("step 4 of 5");
    go(":next", "1.4 skipped. This does it:");
    ck_says("L1.4> h = wte(ids) + wpe(torch.arange(0, T))");
    is_true("h.shape == (B, T, C)");
    go(":back", "step 4 of 5");
    go(":next", "step 5 of 5"); /* it has been skipped before */
    ck_assert(!shows("skipped"));
}
END_TEST

START_TEST(assignments_and_commands_are_no_answers)
{
    go(":lesson 1.3", "");
    go("mine = (B, T, C)", "");
    ck_assert(!shows("Not quite"));
    go("= mine", "64");
    ck_assert(!shows("Yes"));
    go(":vars", "mine");
    go("C?", "channels");
    go("mine", "Yes.");
    go("mine", "64"); /* done: lines run as ever */
}
END_TEST

START_TEST(a_choice_is_answered_by_its_word_or_letter)
{
    go(":lesson 2", "What is an id?");
    ck_says("a name for a row");
    go("NUMBER", "Not quite. Twice an id means nothing.");
    go("perhaps", "That cannot be read as an answer");
    go("a", "Yes. Ids are names.");
}
END_TEST

START_TEST(hints_come_while_a_bracket_or_a_quote_is_open)
{
    static const char *const open[] = {"h = wte(", "s = \"\"\"one", "def f(x):", ":paste"};
    go(":lesson 1.4", "");
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        ck_assert_int_eq(run(open[i]), ES_MORE);
        ck_assert_int_eq(run(":hint"), ES_MORE);
        ck_says("hint ");
        ck_assert(es_session_waiting(heard.session));
        ck_prompt(i == 3 ? "paste> " : " ...> ");
        es_session_abandon(heard.session);
    }
    ck_assert_int_eq(run("h = wte("), ES_MORE);
    ck_assert_int_eq(run(":solution"), ES_MORE);
    go("ids) + wpe(torch.arange(0, T))", "Yes. One addition.");
    ck_assert_int_eq(run("h = wte("), ES_MORE);
    ck_assert_int_eq(run(":next"), ES_DONE);
    ck_prompt("L1.5> ");
}
END_TEST

START_TEST(free_play_says_nothing)
{
    go(":lesson 1.3", "");
    go(":play", ":play again goes back");
    ck_prompt("L1.3 (play)> ");
    go("(B, T, C)", "64");
    ck_assert(!shows("Yes"));
    ck_assert_int_eq(run(""), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.shown), "");
    go(":play", "step 3 of 5");
    ck_prompt("L1.3> ");
}
END_TEST

START_TEST(one_goes_on_where_one_was)
{
    static const char *const answers[] = {"", "", "[B, T, C]",
                                          "h = wpe(torch.arange(0, T)) + wte(ids)", "V - 1"};
    for (int i = 0; i < 5; i++) {
        es_str prompt = {0};
        es_str_add(&prompt, "L1.%d> ", i + 1);
        close_player();
        open_player();
        go(":lesson 1", "");
        ck_prompt(prompt.s);
        go(answers[i], "");
        es_str_free(&prompt);
    }
    go(":forget", "Lesson 1 is forgotten");
    go(":lesson 1", "step 1 of 5");
    go(":lesson off", "");
    go(":forget all", "All lessons are forgotten.");
    go(":forget 2", "Lesson 2 is forgotten");
    listener_refused(&heard, ":forget 7", "name", "there is no lesson 7");
}
END_TEST

START_TEST(a_folder_that_cannot_be_written_is_said_once)
{
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    go(":lesson 1", "");
    ck_assert_ptr_nonnull(strstr(heard.notes.s, "what is done is not kept for the next time: "));
    go("", "step 2 of 5");
    go("", "step 3 of 5");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    go(":lesson", "2 of 5");
}
END_TEST

START_TEST(json_has_an_event_for_each_thing_said)
{
    run(":lesson 1.3");
    ck_assert_ptr_nonnull(strstr(heard.json.s, "{\"kind\":\"lesson\",\"event\":\"step\","
                                               "\"lesson\":1,\"step\":3,\"steps\":5,"
                                               "\"id\":\"1.3\",\"title\":\"Shapes, and what they "
                                               "say\",\"text\":\"What shape has their sum?\"}"));
    run("[B, T, C]");
    json_t *o = listener_answer(&heard);
    ck_assert_str_eq(json_string_value(json_object_get(o, "event")), "right");
    ck_assert_str_eq(json_string_value(json_object_get(o, "after")), "The sum keeps `C`.");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "attempts")), 1);
    json_decref(o);
    run(":lesson");
    o = listener_answer(&heard);
    ck_assert_str_eq(json_string_value(json_object_get(o, "event")), "list");
    ck_assert_uint_eq(json_array_size(json_object_get(o, "lessons")), 2);
    json_decref(o);
}
END_TEST

START_TEST(plain_has_no_rules_and_nothing_is_too_wide)
{
    static const int widths[] = {40, 60, 200};
    heard.style.plain = true;
    go(":lesson 1.3", "step: 1.3 of 5\ntitle: Shapes, and what they say\n");
    ck_assert(!shows("──"));
    heard.style.plain = false;
    for (size_t i = 0; i < 3; i++) {
        heard.style.width = widths[i];
        go(":lesson 1.3", "step 3 of 5 ─");
        for (const char *line = heard.shown.s; *line; line += strcspn(line, "\n") + 1) {
            es_str one = {0};
            int n = 0;
            es_str_bytes(&one, line, strcspn(line, "\n"));
            for (size_t k = 0; k < one.len; k++)
                n += ((unsigned char)one.s[k] & 0xC0) != 0x80;
            ck_assert_int_le(n, widths[i]);
            es_str_free(&one);
        }
    }
}
END_TEST

START_TEST(help_names_the_lesson_that_is_about_it)
{
    go(":help cat", "");
    ck_assert_ptr_nonnull(strstr(heard.notes.s, "a lesson is about it: 1 Shapes, and what they say "
                                                "(:lesson 1)\n"));
}
END_TEST

START_TEST(a_choice_is_answered_by_words_of_its_text)
{
    go(":lesson 2", "b) `number`: a quantity");
    go("quantity", "Not quite. Twice an id means nothing.");
    go("For a row.", "Yes. Ids are names.");
    go("", "step 2 of 2");
}
END_TEST

START_TEST(lines_of_code_run_where_a_choice_is_asked)
{
    go(":lesson 2", "");
    go("a", "Yes.");
    go(":restart", "step 1 of 2");
    go("a * 2 + 1", "7");
    go("encode(\"cat\")", "9246");
    go("it's a row", "That cannot be read as an answer");
    ck_says("= before a line runs it, to try something; help says what there is.");
    ck_prompt("L2.1> ");
}
END_TEST

START_TEST(help_is_of_the_lesson_and_the_question_stays)
{
    go(":lesson 2", "");
    go("help", "`:restart` this step again, from its beginning");
    ck_says("Type the letter or the word.");
    go("?", "`:solution` what is asked for");
    go("what do I do?", "Questions in words are not understood here; :hint helps");
    go("name", "Yes.");
    go("help", "Enter goes on.");
}
END_TEST

START_TEST(a_task_says_what_it_awaits_and_no_verdict_twice)
{
    go(":lesson 1.4", "Type code that makes h, in a line or several.");
    go("h = wte(ids)", "That is not it.");
    go("p = torch.arange(0, T)", "");
    ck_assert_str_eq(es_str_text(&heard.shown), "");
    go("h = wte(ids) + wpe(p)", "Yes. One addition.");
}
END_TEST

START_TEST(what_was_to_be_seen_is_told)
{
    go(":lesson 2.2", "4");
    ck_says("\n4\n3 and 1.\nEnter goes on.");
}
END_TEST

START_TEST(a_lesson_begun_is_the_one_to_go_on_with)
{
    go(":lesson 2", "");
    go("name", "Yes.");
    go(":lesson off", "");
    go(":lesson", "Type :lesson 2 to go on with One of three, at step 2.");
}
END_TEST

/* A lesson from somebody else, in a file of its own. */
static void use(const char *text)
{
    es_error err = ES_ERROR_NONE;
    es_str path = {0};
    char *folder = fresh_folder();
    es_str_add(&path, "%s/01-own.md", folder);
    ck_assert_works(es_file_replace(path.s, text, strlen(text), &err), err);
    ck_assert_works(es_player_use(player, path.s, &err), err);
    es_str_free(&path);
    free(folder);
}

START_TEST(a_lesson_cannot_leave_itself)
{
    static const char *const lines[] = {":lesson off", ":restart", ":next", ":quit", ":forget all"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        es_str text = {0};
        es_str_add(
            &text,
            "@lesson own title=\"Own\" minutes=1 model=untrained\n\n@show %s\n  check True\n\n"
            "@task Make a.\n  check a == 1\n  solution %s\n",
            lines[i], lines[i]);
        use(text.s);
        go(":lesson 1", "Enter goes on.");
        ck_assert_ptr_nonnull(strstr(heard.errors.s, "a lesson does not run :"));
        ck_prompt("L1.1> ");
        go("x = 1", "");
        ck_prompt("L1.1> ");
        es_str_free(&text);
    }
}
END_TEST

START_TEST(a_step_that_cannot_be_made_ready_is_not_gone_to)
{
    use("@lesson own title=\"Own\" minutes=5 model=untrained\n@setup a = 3\n\n@show [][a - 3:a]\n  "
        "check True\n\n"
        "@show b = 1 / (a - 3)\n  check True\n\n@show a\n  check True\n");
    go(":lesson 1", "Enter goes on.");
    go("", "Enter goes on.");
    go("mine = 8", "");
    ck_assert_int_eq(listener_run(&heard, ""), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "01-own.md:7: "));
    ck_prompt("L1.2> ");
    go("mine", "8");
    go("a", "3");
}
END_TEST

Suite *player_suite(void)
{
    Suite *s = suite_create("player");
    TCase *t = tcase_create("lessons");
    tcase_set_timeout(t, 60);
    tcase_add_checked_fixture(t, setup, close_player);
    tcase_add_test(t, lessons_are_listed_with_what_is_done);
    tcase_add_test(t, a_lesson_is_played_from_end_to_end);
    tcase_add_test(t, the_learners_variables_are_back_when_it_is_over);
    tcase_add_test(t, extra_variables_stay_and_the_lessons_are_made_right);
    tcase_add_test(t, what_is_skipped_is_shown_run_and_explained);
    tcase_add_test(t, assignments_and_commands_are_no_answers);
    tcase_add_test(t, a_choice_is_answered_by_its_word_or_letter);
    tcase_add_test(t, hints_come_while_a_bracket_or_a_quote_is_open);
    tcase_add_test(t, free_play_says_nothing);
    tcase_add_test(t, one_goes_on_where_one_was);
    tcase_add_test(t, a_folder_that_cannot_be_written_is_said_once);
    tcase_add_test(t, json_has_an_event_for_each_thing_said);
    tcase_add_test(t, plain_has_no_rules_and_nothing_is_too_wide);
    tcase_add_test(t, help_names_the_lesson_that_is_about_it);
    tcase_add_test(t, a_choice_is_answered_by_words_of_its_text);
    tcase_add_test(t, lines_of_code_run_where_a_choice_is_asked);
    tcase_add_test(t, help_is_of_the_lesson_and_the_question_stays);
    tcase_add_test(t, a_task_says_what_it_awaits_and_no_verdict_twice);
    tcase_add_test(t, what_was_to_be_seen_is_told);
    tcase_add_test(t, a_lesson_begun_is_the_one_to_go_on_with);
    tcase_add_test(t, a_lesson_cannot_leave_itself);
    tcase_add_test(t, a_step_that_cannot_be_made_ready_is_not_gone_to);
    suite_add_tcase(s, t);
    return s;
}
