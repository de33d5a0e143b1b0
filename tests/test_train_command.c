// SPDX-License-Identifier: GPL-3.0-or-later
/* :train as it is typed, answered, stopped and taken back; and typing that goes on meanwhile. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "listener.h"
#include "session/training.h"
#include "support.h"
#include "terminal.h"

Suite *train_command_suite(void);

static listener heard;
static atomic_bool interrupt;
static double stopped; /* when Ctrl-C was pressed */

/* Ctrl-C, before all is done. */
static void press(listener *l, uint64_t done, uint64_t total)
{
    (void)l;
    if (done < total && !interrupt) {
        interrupt = true;
        stopped = now();
    }
}

static void setup(void)
{
    const es_session_options o = {
        .model = "untrained:C=8", .settings.pad = -1, .interrupt = &interrupt, .threads = 2};
    calm_environment();
    listener_open(&heard, &o);
    heard.values = true;
}

static void teardown(void)
{
    listener_close(&heard);
    interrupt = false;
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

static json_t *answer(const char *line)
{
    ck_assert_msg(run(line) == ES_DONE, "%s: %s", line, es_str_text(&heard.json));
    return listener_answer(&heard);
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
}

static const es_model *model(void)
{
    return es_session_context(heard.session)->model;
}

static double number(const json_t *o, const char *outer, const char *key)
{
    return json_number_value(json_object_get(json_object_get(o, outer), key));
}

static const json_t *moves(const json_t *o, const char *table)
{
    return json_object_get(json_object_get(o, "moved"), table);
}

/* ---- rows ---- */

/* All rows of a table, as float32; freed by the caller. */
static float *rows_of(const es_table *t)
{
    int64_t C = es_table_width(t);
    float *all = malloc((size_t)(es_table_rows(t) * C) * sizeof *all);
    for (int64_t i = 0; i < es_table_rows(t); i++)
        demand(es_table_row(t, i, all + i * C, NULL), "row");
    return all;
}

/* The rows that the answer names are those that differ, by the distances it says. */
static int64_t check_moves(const json_t *m, const char *key, const float *was, const float *is,
                           int64_t rows)
{
    enum { C = 8 };
    int64_t differ = 0;
    for (int64_t i = 0; i < rows; i++)
        differ += memcmp(was + i * C, is + i * C, C * sizeof *was) != 0;
    const json_t *of = json_object_get(m, "of");
    demand((int64_t)json_array_size(of) == differ, "%s: %zu named", key, json_array_size(of));
    demand(json_integer_value(json_object_get(m, "moved")) == differ, "%s: moved", key);
    for (int64_t i = 0; i < differ; i++) {
        const json_t *row = json_array_get(of, (size_t)i);
        int64_t at = json_integer_value(json_object_get(row, key));
        double by = json_number_value(json_object_get(row, "by")), squares = 0;
        for (int c = 0; c < C; c++)
            squares += pow((double)was[at * C + c] - (double)is[at * C + c], 2);
        demand(fabs(sqrt(squares) - by) < 1e-6 && by > 0, "%s %d moved by %g", key, (int)at, by);
    }
    return differ;
}

static int64_t looked_up(const json_t *m)
{
    int64_t n = 0;
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(m, "of"), i, row) n +=
        json_integer_value(json_object_get(row, "looked_up")) > 0;
    return n;
}

START_TEST(untied_only_the_rows_looked_up_move)
{
    float *wte = rows_of(model()->wte), *wpe = rows_of(model()->wpe);
    json_t *o = answer(":train 1 tied=no lr=0.01");
    float *wte_now = rows_of(model()->wte), *wpe_now = rows_of(model()->wpe);
    int64_t n = check_moves(moves(o, "wte"), "id", wte, wte_now, 50257);
    ck_assert_int_gt(n, 100);
    ck_assert_int_le(n, 512);
    ck_assert_int_eq(looked_up(moves(o, "wte")), n);
    ck_assert_int_eq(json_integer_value(json_object_get(moves(o, "wte"), "looked_up")), n);
    ck_assert_int_eq(check_moves(moves(o, "wpe"), "pos", wpe, wpe_now, 1024), 64);
    ck_assert(memcmp(wpe, wpe_now, 64 * 8 * sizeof *wpe) != 0);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "just those that were looked up"));
    int64_t times = 0; /* all places of the windows */
    for (size_t i = 0; i < (size_t)n; i++)
        times += json_integer_value(json_object_get(
            json_array_get(json_object_get(moves(o, "wte"), "of"), i), "looked_up"));
    ck_assert_int_eq(times, 512);
    json_decref(o);
    free(wte);
    free(wpe);
    free(wte_now);
    free(wpe_now);
}
END_TEST

START_TEST(tied_all_rows_move)
{
    float *wte = rows_of(model()->wte);
    json_t *o = answer(":train 1 lr=0.01");
    float *wte_now = rows_of(model()->wte);
    ck_assert_int_eq(check_moves(moves(o, "wte"), "id", wte, wte_now, 50257), 50257);
    ck_assert_int_lt(looked_up(moves(o, "wte")), 512);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "the whole vocabulary"));
    /* Adam's first step: by about the rate, each number that has a gradient */
    int64_t about = 0;
    for (int64_t i = 0; i < 50257 * 8; i++)
        about += fabs(fabs((double)wte_now[i] - (double)wte[i]) - 0.01) < 0.001;
    ck_assert_int_gt(about, 50257 * 8 * 95 / 100);
    json_decref(o);
    free(wte);
    free(wte_now);
}
END_TEST

START_TEST(a_step_counts_what_it_saw)
{
    json_t *o = answer(":train 1");
    const json_t *first = json_array_get(json_object_get(moves(o, "wte"), "of"), 0);
    int32_t id = (int32_t)json_integer_value(json_object_get(first, "id"));
    ck_assert_int_eq(es_model_count(model(), id),
                     json_integer_value(json_object_get(first, "looked_up")));
    ck_assert_int_eq(es_model_count(model(), 50255), 0);
    json_decref(o);
}
END_TEST

/* ---- what is learned ---- */

START_TEST(the_loss_falls)
{
    json_t *o = answer(":train 12 lr=0.02 batch=4");
    ck_assert(fabs(number(o, "loss", "before") - log(50257)) < 0.3);
    ck_assert(number(o, "loss", "after") < number(o, "loss", "before") - 0.3);
    ck_assert_int_eq((int)number(o, "recipe", "negatives"), 2048);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "tokens")), 12 * 4 * 64);
    json_decref(o);
    o = answer(":train 2 context=16");
    ck_assert_int_eq((int)number(o, "recipe", "negatives"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(moves(o, "wpe"), "moved")), 16);
    json_decref(o);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_numbers)
{
    static const char line[] = ":train 2 seed=7 batch=2";
    run(line);
    es_str first = heard.json;
    heard.json = (es_str){0};
    float *was = rows_of(model()->wte);
    run(":reset");
    run(line);
    float *is = rows_of(model()->wte);
    ck_assert_mem_eq(was, is, 50257 * 8 * sizeof *was);
    ck_assert_str_eq(first.s, heard.json.s);
    run(":reset");
    run(":train 2 seed=8 batch=2");
    ck_assert_str_ne(first.s, heard.json.s);
    free(was);
    free(is);
    es_str_free(&first);
}
END_TEST

START_TEST(neighbours_are_those_of_near_before_and_after)
{
    json_t *was = answer(":near \" King\" top=5");
    json_t *o = answer(":train 3 lr=0.02 watch=\" King\" batch=2");
    json_t *is = answer(":near \" King\" top=5");
    const json_t *near = json_array_get(json_object_get(o, "near"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(near, "id")), 2677);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "near")), 1);
    for (size_t i = 0; i < 5; i++)
        for (int k = 0; k < 4; k++) {
            const char *key = k % 2 ? "score" : "id";
            const json_t *rows = json_object_get(k < 2 ? was : is, "rows");
            const json_t *ours = json_object_get(near, k < 2 ? "before" : "after");
            demand(json_equal(json_object_get(json_array_get(rows, i), key),
                              json_object_get(json_array_get(ours, i), key)),
                   "%s %zu %s", k < 2 ? "before" : "after", i, key);
        }
    json_decref(was);
    json_decref(is);
    json_decref(o);
}
END_TEST

START_TEST(the_two_rarest_of_the_last_text_are_watched)
{
    run("The King said transubstantiation");
    json_t *o = answer(":train 1 batch=1"), *near = json_object_get(o, "near");
    static const int64_t ids[] = {2677, 464}; /* " said" stands more often, the rest hardly ever */
    ck_assert_uint_eq(json_array_size(near), 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(near, i), "id")),
                         ids[i]);
    json_decref(o);
}
END_TEST

START_TEST(pairs_rose_and_no_word_is_in_more_than_two)
{
    json_t *o = answer(":train 15 lr=0.02 batch=4"), *pairs = json_object_get(o, "together");
    size_t i, k;
    json_t *pair, *other;
    ck_assert_uint_eq(json_array_size(pairs), 10);
    json_array_foreach(pairs, i, pair)
    {
        int used = 0;
        json_t *a = json_object_get(pair, "a");
        demand(json_number_value(json_object_get(pair, "after")) >=
                   json_number_value(json_object_get(pair, "before")) + 0.02 - 1e-6,
               "pair %zu did not rise so that one sees it", i);
        json_array_foreach(pairs, k, other) used += json_equal(a, json_object_get(other, "a")) ||
                                                    json_equal(a, json_object_get(other, "b"));
        demand(used <= 2, "a word stands in %d pairs", used);
    }
    json_decref(o);
}
END_TEST

START_TEST(a_rise_that_two_digits_do_not_show_is_no_pair)
{
    json_t *o = answer(":train 1 lr=0.00001");
    ck_assert_uint_eq(json_array_size(json_object_get(o, "together")), 0);
    json_decref(o);
}
END_TEST

/* ---- which model is in use ---- */

START_TEST(reset_brings_back_the_model_before)
{
    float *was = rows_of(model()->wte);
    run(":train 1 batch=1");
    ck_assert_str_eq(model()->name, "trained");
    ck_assert_str_eq(model()->about, "1 step on the boxed text from untrained:C=8");
    run(":train 2 batch=1");
    ck_assert_str_eq(model()->about, "3 steps on the boxed text from untrained:C=8");
    ck_assert_int_eq(run(":model untrained:C=4"), ES_DONE);
    ck_assert_int_eq(run(":model trained"), ES_DONE);
    ck_assert_int_eq(model()->config.n_embd, 8);
    run(":reset");
    ck_assert_str_eq(model()->name, "untrained:C=8");
    float *is = rows_of(model()->wte);
    ck_assert_mem_eq(was, is, 50257 * 8 * sizeof *was);
    ck_assert_int_eq(run(":model trained"), ES_FAILED);
    free(was);
    free(is);
}
END_TEST

START_TEST(reset_leaves_a_model_that_was_chosen_since)
{
    run(":train 1 batch=1");
    run(":model untrained:C=4");
    run(":reset");
    ck_assert_str_eq(model()->name, "untrained:C=4");
}
END_TEST

START_TEST(training_goes_on_from_what_was_trained)
{
    json_t *first = answer(":train 11 lr=0.02 batch=2");
    json_t *then = answer(":train 1 batch=1");
    ck_assert_str_eq(json_string_value(json_object_get(then, "from")), "trained");
    ck_assert(fabs(number(first, "loss", "after") - number(then, "loss", "before")) < 1e-3);
    json_decref(first);
    json_decref(then);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(train_refuses_in_words)
{
    check_error(":train 0", "range",
                "the number of steps is a whole number from 1 to 1000000, not \"0\"");
    check_error(":train many", "value", "the number of steps is a whole number, not \"many\"");
    ck_assert_str_eq(heard.hint.s, "try: :train 100, or :train stop");
    check_error(":train stop", "value", "nothing is being trained");
    check_error(":train 5 10", "usage",
                "the form is :train [N] [lr=N] [tied=yes|no] [negatives=N|all] [watch=TOKEN] … | "
                "stop");
    check_error(":train 5 speed=3", "name", ":train has no option \"speed\"");
    check_error(":train 5 steps=3", "name", ":train has no option \"steps\"");
    ck_assert_str_eq(heard.hint.s,
                     "try: lr=, tied=, negatives=, seed=, batch=, context= or watch=");
    check_error(":train lr=-1", "value", "lr is a number from 0 to 10, not \"-1\"");
    check_error(":train tied=maybe", "value", "tied is yes or no, not \"maybe\"");
    check_error(":train 5 context=2000", "value",
                "a context of 2000 tokens is longer than wpe, which has 1024 rows");
    check_error(":train 5 watch=", "parse", "a token is missing behind watch=");
    check_error(":train 5 watch=#50257", "index_range",
                "id 50257 is outside wte (50257 rows: 0..50256)");
    check_error(":train 2 lr=10 batch=1 negatives=20000000", "value",
                "negatives is a whole number from 0 to 1048576, not \"20000000\"");
    run(":model untrained:V=1000,C=8");
    check_error(":train 5", "value",
                "the boxed text has the token id 14628, and wte only 1000 rows");
}
END_TEST

START_TEST(ctrl_c_stops_it_at_once_and_nothing_is_kept)
{
    heard.on_progress = press;
    check_error(":train 100000", "interrupted", "stopped by Ctrl-C");
    double late = now() - stopped;
    ck_assert_msg(late < thoroughness(1, 20), "stopped after %.3f s", late);
    ck_assert_str_eq(model()->name, "untrained:C=8");
    ck_assert(!es_session_busy(heard.session));
}
END_TEST

/* ---- in the background ---- */

static int wake[2];

/* As the loop does it: wait for the byte, then settle. */
static void wait_and_settle(void)
{
    char byte;
    while (!es_session_settles(heard.session))
        ck_assert_int_eq(read(wake[0], &byte, 1), 1);
    es_session_settle(heard.session, &heard.sink);
}

START_TEST(typing_goes_on_in_the_background)
{
    ck_assert_int_eq(pipe(wake), 0);
    es_session_set_wake(heard.session, wake[1]);
    ck_assert_int_eq(run(":train 30 batch=2"), ES_DONE);
    ck_assert_str_eq(heard.json.s, "{\"kind\":\"none\"}\n");
    ck_assert(es_session_busy(heard.session));
    ck_assert_int_eq(run("The cat"), ES_DONE);
    ck_assert_str_eq(model()->name, "untrained:C=8");
    ck_assert_int_eq(run(":train 5"), ES_FAILED);
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"something is being trained already: step "));
    ck_assert_int_eq(run(":train"), ES_DONE);
    ck_assert_int_eq(strncmp(heard.notes.s, "training, step ", 15), 0);
    wait_and_settle();
    ck_assert_str_eq(model()->name, "trained");
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"steps\":30,"));
    es_session_settle(heard.session, &heard.sink); /* once is all */
    ck_assert(!es_session_busy(heard.session));
}
END_TEST

START_TEST(stop_keeps_what_was_learned)
{
    ck_assert_int_eq(pipe(wake), 0);
    es_session_set_wake(heard.session, wake[1]);
    run(":train 100000 batch=1");
    json_t *o = answer(":train stop");
    int64_t steps = json_integer_value(json_object_get(o, "steps"));
    ck_assert_int_ge(steps, 1);
    ck_assert_int_lt(steps, 100000);
    ck_assert_str_eq(model()->name, "trained");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, " of 100,000 on the boxed text"));
    json_decref(o);
}
END_TEST

START_TEST(reset_and_leaving_end_what_runs)
{
    ck_assert_int_eq(pipe(wake), 0);
    es_session_set_wake(heard.session, wake[1]);
    run(":train 100000 batch=1");
    double began = now();
    run(":reset");
    ck_assert(!es_session_busy(heard.session));
    ck_assert(now() - began < thoroughness(2, 30));
    run(":train 100000 batch=1"); /* teardown frees the session while it runs */
}
END_TEST

/* ---- in a terminal ---- */

static void calm(void)
{
    calm_environment();
}

START_TEST(the_prompt_lives_while_it_trains)
{
    START(100, "-q", "--color=never", "--model", "untrained:C=8");
    expect("text (untrained:C=8)> ");
    type(":train 100000 batch=1\r");
    expect("training goes on while you type");
    expect("text (training, step ");
    expect(" of 100000, loss "); /* it moves by itself */
    type(":decode 4");
    expect(":decode 4");
    usleep(700000); /* at least once the prompt changes under the line */
    type("64\r");
    expect("\"The\"");
    expect("> ");
    type("half");
    expect("half");
    type("\x03");
    expect("the training goes on; Ctrl-C on an empty line stops it");
    expect("> ");
    double began = now();
    type("\x03");
    expect("the training is stopped by Ctrl-C, and nothing of it is kept");
    ck_assert(now() - began < thoroughness(1, 20));
    expect("text (untrained:C=8)> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(its_end_is_told_above_the_line_that_is_typed)
{
    START(100, "-q", "--color=never", "--model", "untrained:C=8");
    expect("text (untrained:C=8)> ");
    type(":train 11 batch=1\r");
    expect("text (training, step ");
    type(":decode 4");
    expect("11 steps on the boxed text");
    expect("In use from here on: the model trained");
    expect("text (trained)> :decode 4");
    type("64\r");
    expect("\"The\"");
    type(":train 100000 batch=1\r");
    expect("(training, step ");
    type(":quit\r"); /* does not wait for it */
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

Suite *train_command_suite(void)
{
    Suite *s = suite_create("train_command");
    TCase *tc = tcase_create("session");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, untied_only_the_rows_looked_up_move);
    tcase_add_test(tc, tied_all_rows_move);
    tcase_add_test(tc, a_step_counts_what_it_saw);
    tcase_add_test(tc, the_loss_falls);
    tcase_add_test(tc, the_same_seed_gives_the_same_numbers);
    tcase_add_test(tc, neighbours_are_those_of_near_before_and_after);
    tcase_add_test(tc, the_two_rarest_of_the_last_text_are_watched);
    tcase_add_test(tc, pairs_rose_and_no_word_is_in_more_than_two);
    tcase_add_test(tc, a_rise_that_two_digits_do_not_show_is_no_pair);
    tcase_add_test(tc, reset_brings_back_the_model_before);
    tcase_add_test(tc, reset_leaves_a_model_that_was_chosen_since);
    tcase_add_test(tc, training_goes_on_from_what_was_trained);
    tcase_add_test(tc, train_refuses_in_words);
    tcase_add_test(tc, ctrl_c_stops_it_at_once_and_nothing_is_kept);
    tcase_add_test(tc, typing_goes_on_in_the_background);
    tcase_add_test(tc, stop_keeps_what_was_learned);
    tcase_add_test(tc, reset_and_leaving_end_what_runs);
    suite_add_tcase(s, tc);
    tc = tcase_create("terminal");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, calm, terminal_close);
    tcase_add_test(tc, the_prompt_lives_while_it_trains);
    tcase_add_test(tc, its_end_is_told_above_the_line_that_is_typed);
    suite_add_tcase(s, tc);
    return s;
}
