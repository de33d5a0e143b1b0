// SPDX-License-Identifier: GPL-3.0-or-later
/* The session as the layers above see it: lines in, results, errors and notes out. */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"
#include "lesson/player.h"
#include "listener.h"
#include "repl/cmd_repl.h"
#include "session/complete.h"
#include "session/job.h"
#include "support.h"
#include "view/viewer.h"

Suite *session_suite(void);

static listener heard;
static es_viewer *viewer;
static es_player *player;
static atomic_bool interrupt;

static void open_session(const es_session_options *o)
{
    es_session_options with = o ? *o : (es_session_options){.settings.pad = -1};
    with.interrupt = &interrupt;
    listener_open(&heard, &with);
    es_add_repl_commands(heard.session);
    viewer = es_viewer_new(heard.session);
    player = es_player_new(heard.session);
}

static void setup(void)
{
    open_session(NULL);
}

static void teardown(void)
{
    es_player_free(player);
    player = NULL;
    es_viewer_free(viewer);
    viewer = NULL;
    listener_close(&heard);
}

static es_outcome run_bytes(const char *line, size_t n)
{
    return listener_run_bytes(&heard, line, n);
}

static es_outcome run(const char *line)
{
    return run_bytes(line, strlen(line));
}

static json_t *answer(void)
{
    return listener_answer(&heard);
}

static void check_kind(const char *line, const char *kind)
{
    run(line);
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), kind);
    json_decref(o);
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
}

static double number_at(json_t *o, const char *key, size_t i, size_t j)
{
    return json_number_value(json_array_get(json_array_get(json_object_get(o, key), i), j));
}

/* ---- texts ---- */

START_TEST(a_text_is_answered_with_tokens_shapes_and_values)
{
    heard.values = true;
    ck_assert_int_eq(run("The cat"), ES_DONE);
    json_t *o = answer();
    static const char *const keys[] = {"kind",   "text",   "vocab",   "model",   "device", "ids",
                                       "tokens", "shapes", "tok_emb", "pos_emb", "x"};
    const char *key;
    json_t *value;
    size_t n = 0;
    json_object_foreach(o, key, value) ck_assert_str_eq(key, keys[n++]);
    ck_assert_uint_eq(n, 11);
    char *token = json_dumps(json_array_get(json_object_get(o, "tokens"), 1), JSON_COMPACT);
    ck_assert_str_eq(
        token,
        "{\"pos\":1,\"id\":3797,\"text\":\" cat\",\"hex\":\"20636174\",\"begin\":3,\"end\":7}");
    free(token);
    char *shapes = json_dumps(json_object_get(o, "shapes"), JSON_COMPACT);
    ck_assert_str_eq(shapes,
                     "{\"ids\":[1,2],\"tok_emb\":[1,2,64],\"pos_emb\":[1,2,64],\"x\":[1,2,64]}");
    free(shapes);
    for (size_t t = 0; t < 2; t++)
        for (size_t c = 0; c < 64; c++) {
            float tok = (float)number_at(o, "tok_emb", t, c),
                  pos = (float)number_at(o, "pos_emb", t, c);
            demand((float)number_at(o, "x", t, c) == tok + pos, "x[%zu, %zu] is not the sum", t, c);
        }
    json_decref(o);
}
END_TEST

START_TEST(every_byte_of_a_line_counts)
{
    run_bytes(" a\0b \xff ", 7);
    json_t *o = answer();
    ck_assert(json_is_null(json_object_get(o, "text")));
    ck_assert_str_eq(json_string_value(json_object_get(o, "hex")), "20610062"
                                                                   "20ff20");
    ck_assert(
        json_is_null(json_object_get(json_array_get(json_object_get(o, "tokens"), 4), "text")));
    json_decref(o);
    run("  ");
    o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "text")), "  ");
    json_decref(o);
    ck_assert_int_eq(run(""), ES_DONE);
    ck_assert_uint_eq(heard.json.len, 0);
}
END_TEST

START_TEST(notes_answer_the_article_and_who_wants_to_leave)
{
    run("transformer");
    ck_assert_str_eq(heard.notes.s,
                     "transformer is two tokens, 7645 16354; \u2423transformer, with its space, "
                     "is one, 47385. The 41551 some articles give it is made up.\n"
                     "(person) try: :shapes shows how ids become x, step by step\n");
    run("?");
    ck_assert_ptr_nonnull(
        strstr(heard.notes.s, "(person) that was text; :help lists the commands\n"));
    run("quit");
    ck_assert_str_eq(heard.notes.s,
                     "(person) that was text; :quit or Ctrl-D leaves\n"
                     "(person) try: :merges lowest replays how a word is put together\n");
    for (int i = 0; i < 2; i++)
        run("a");
    run("a"); /* the sixth line of a new user: no advice any more */
    ck_assert_str_eq(es_str_text(&heard.notes), "");
}
END_TEST

START_TEST(a_text_of_exactly_n_ctx_tokens_passes)
{
    ck_assert_int_eq(run(":repeat 1024 a "), ES_FAILED); /* 1,025: the last space is a token */
    ck_assert_int_eq(run(":repeat 1024  a"), ES_DONE);
    json_t *o = answer();
    ck_assert_uint_eq(json_array_size(json_object_get(o, "ids")), 1024);
    json_decref(o);
    ck_assert_int_eq(run(":repeat 1025  a"), ES_FAILED);
    o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "message")),
                     "Sequence length (1025) exceeds maximum context window (1024)");
    ck_assert_uint_eq(json_array_size(json_object_get(o, "ids")), 1025);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "tokens")), 1025);
    ck_assert(json_is_null(json_object_get(o, "torch")));
    ck_assert(json_is_null(json_object_get(o, "begin")));
    json_decref(o);
    ck_assert_int_eq(run(":tokens"), ES_DONE); /* it is the last text, vectors or not */
    ck_assert_int_eq(run(":shapes"), ES_FAILED);
    ck_assert_int_eq(run(":row @1023"), ES_DONE);
    ck_assert_int_eq(run(":row @1024"), ES_FAILED);
    ck_assert_int_eq(run(":positions sinusoidal"), ES_DONE);
    ck_assert_int_eq(run(":row @1024"), ES_DONE);
}
END_TEST

START_TEST(rows_of_a_long_text_are_those_of_the_whole)
{
    es_error err = ES_ERROR_NONE;
    run(":positions sinusoidal");
    run(":repeat 20000  word"); /* 1.28 million numbers: more than are kept for a row's sake */
    es_text *t = es_session_text(heard.session);
    es_embedded rows;
    float some[3 * 64], all[3 * 64];
    ck_assert_works(es_text_rows(t, 0, 19990, 3, &rows, &err), err);
    ck_assert(es_tensor_read(&rows.x, some, NULL));
    es_embedded_free(&rows);
    ck_assert_ptr_null(t->vectors.x.buf);
    const es_embedded *whole = es_text_vectors(t, &err);
    ck_assert_ptr_eq(es_text_vectors(t, &err), whole);
    es_tensor part;
    ck_assert(es_tensor_slice(&part, &whole->x, 1, 19990, 19993, NULL));
    ck_assert(es_tensor_read(&part, all, NULL));
    ck_assert_mem_eq(some, all, sizeof all);
    es_tensor_free(&part);
}
END_TEST

/* A text outlives the session's interest in it. */
START_TEST(tokens_of_a_text_make_it_the_last_text)
{
    run("first");
    ck_assert_int_eq(run(":tokens second text"), ES_DONE);
    run(":row @1");
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "text")), " text");
    json_decref(o);
    run(":batch \"a b\", \"c\"");
    run(":tokens");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "text 1, 1 token:\npos  token     id"));
}
END_TEST

/* Bars that are flat because another stage is large are explained. */
START_TEST(small_numbers_beside_large_ones_are_explained)
{
    run("The cat");
    ck_assert_ptr_null(strstr(heard.shown.s, "looks flat"));
    run(":positions sinusoidal");
    run("The cat");
    ck_assert_ptr_nonnull(strstr(
        heard.shown.s, "tok_emb looks flat beside pos_emb: its numbers here are at most 0.053"));
}
END_TEST

START_TEST(texts_are_counted)
{
    run("first");
    es_text *mine = es_text_ref(es_session_text(heard.session));
    run("second");
    ck_assert_ptr_ne(es_session_text(heard.session), mine);
    ck_assert_uint_eq(mine->sentences->of[0].len, 5);
    es_context *none = es_context_new(mine->context->bpe, "gpt2", mine->context->model,
                                      mine->context->layer.be, ES_POSITIONS_NONE);
    es_text *again = es_text_with(mine, none);
    es_context_unref(none);
    es_text_unref(mine);
    es_embedded rows;
    ck_assert(es_text_rows(again, 0, 0, 1, &rows, NULL));
    ck_assert_ptr_null(rows.pos_emb.buf);
    es_embedded_free(&rows);
    es_text_unref(again);
}
END_TEST

/* ---- positions and the prompt ---- */

static void check_prompt(const char *want)
{
    es_str prompt = {0};
    es_session_prompt(heard.session, &prompt);
    ck_assert_str_eq(prompt.s, want);
    es_str_free(&prompt);
}

START_TEST(the_prompt_tells_what_changes_the_numbers)
{
    check_prompt("text> ");
    run(":positions none");
    check_prompt("text (no positions)> ");
    run(":positions sinusoidal");
    check_prompt("text (sinusoidal positions)> ");
    run(":reset");
    check_prompt("text> ");
    run(":paste");
    check_prompt("paste> ");
    es_session_abandon(heard.session);
    check_prompt("text> ");
    teardown();
    const es_session_options other = {.model = "untrained:C=8", .seed = 7, .settings.pad = -1};
    open_session(&other);
    check_prompt("text (untrained:C=8, seed 7)> ");
}
END_TEST

START_TEST(positions_change_the_last_text_too)
{
    heard.values = true;
    run("The cat");
    run(":positions none");
    ck_assert_str_eq(heard.notes.s,
                     "positions none: nothing is added, so the order of tokens is lost\n");
    run(":row @1");
    json_t *o = answer();
    ck_assert(json_is_null(json_object_get(o, "pos_emb")));
    ck_assert(json_equal(json_object_get(o, "tok_emb"), json_object_get(o, "x")));
    json_decref(o);
    run("a");
    o = answer();
    ck_assert(json_is_null(json_object_get(json_object_get(o, "shapes"), "pos_emb")));
    ck_assert(json_is_null(json_object_get(o, "pos_emb")));
    ck_assert(json_equal(json_object_get(o, "tok_emb"), json_object_get(o, "x")));
    json_decref(o);
    run(":positions");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "none"));
}
END_TEST

/* ---- commands ---- */

START_TEST(every_commands_example_works_as_it_stands)
{
    const es_command_list *all = es_session_commands(heard.session);
    char here[4096], *folder = fresh_folder(); /* one writes a file */
    int n = 0;
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder), 0);
    for (size_t i = 0; i < all->n; i++) {
        if (!strcmp(all->of[i]->name, "quality") && !thoroughness(1, 0))
            continue; /* of every token, which takes a minute under a sanitiser */
        char *lines = strdup(all->of[i]->example ? all->of[i]->example : "");
        es_outcome o = ES_DONE;
        for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
            o = run(line);
            ck_assert_msg(o != ES_FAILED, ":%s: %s", all->of[i]->name, es_str_text(&heard.errors));
            n++;
        }
        ck_assert_int_ne(o, ES_MORE);
        free(lines);
        ck_assert_msg(i == 0 || strcmp(all->of[i - 1]->name, all->of[i]->name) < 0,
                      "unsorted or twice");
    }
    ck_assert_int_ge(n, 15);
    ck_assert_int_eq(chdir(here), 0);
    free(folder);
}
END_TEST

START_TEST(names_are_found_shortened_or_guessed)
{
    const es_command_list *all = es_session_commands(heard.session);
    ck_assert_str_eq(es_command_find(all, "row", 3, false, NULL)->name, "row");
    ck_assert_ptr_null(es_command_find(all, "h", 1, false, NULL)); /* scripts use full names */
    ck_assert_str_eq(es_command_find(all, "h", 1, true, NULL)->name, "help");
    ck_assert_str_eq(es_command_find(all, "dec", 3, true, NULL)->name, "decode");
    check_error(":hepl", "name", "there is no command :hepl");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "did you mean :help ?"));
    check_error(":re", "name", "there is no command :re");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "scripts use full names: :repeat, :reset"));
    check_error(":) hello", "name", "there is no command :)");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, ":text :"));
    check_error(":", "name", "there is no command :");
    check_error(":x\x1b[31m", "name", "there is no command :x\\x1b[31m");
    es_error err = ES_ERROR_NONE;
    ck_assert(!es_command_find(all, "re", 2, true, &err));
    ck_assert_str_eq(err.hint, "that could be :repeat, :reset, :restart");
    es_error_free(&err);
}
END_TEST

START_TEST(text_arguments_are_raw_or_quoted)
{
    static const struct {
        const char *line, *text;
    } cases[] = {
        {":text  :x ", " :x "},
        {":text =1", "=1"},
        {":text \"a\\n\\t\\x41\\u{1F600}\\\"\"", "a\n\tA\U0001F600\""},
        {":text \"open", "\"open"},
        {":text \"a\" and \"b\"", "\"a\" and \"b\""},
        {":text \"\"", ""},
        {":repeat 3 ab", "ababab"},
        {":repeat 2 \"x\\n\"", "x\nx\n"},
        {":paste\none\ntwo\n.", "one\ntwo"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(run(cases[i].line), ES_DONE);
        json_t *o = answer();
        ck_assert_str_eq(json_string_value(json_object_get(o, "text")), cases[i].text);
        json_decref(o);
    }
    check_error(":text \"a\\q\"", "parse", "this is no escape that quotes know");
    check_error(":text \"a\\u{D800}\"", "parse", "this is no escape that quotes know");
    check_error(":text \"a\\x4\"", "parse", "this is no escape that quotes know");
}
END_TEST

START_TEST(tokens_are_named_one_way)
{
    run("The cat sat");
    static const struct {
        const char *line;
        int id, pos;
    } cases[] = {{":row \" cat\"", 3797, -1}, {":row cat", 9246, -1},
                 {":row #50256", 50256, -1},  {":row @2", 3332, 2},
                 {":row \"#\"", 2, -1},       {":row #", 2, -1},
                 {":row \"\\xE6\"", 162, -1}, {":row \"<|endoftext|>\"", 50256, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(run(cases[i].line) == ES_DONE, "%s: %s", cases[i].line,
                      es_str_text(&heard.errors));
        json_t *o = answer();
        ck_assert_int_eq(json_integer_value(json_object_get(o, "id")), cases[i].id);
        json_t *pos = json_object_get(o, "pos");
        ck_assert_int_eq(json_is_null(pos) ? -1 : json_integer_value(pos), cases[i].pos);
        ck_assert_int_eq(json_is_null(json_object_get(o, "x")), cases[i].pos < 0);
        ck_assert_uint_eq(json_array_size(json_object_get(o, "tok_emb")), 64);
        json_decref(o);
    }
    check_error(":row \"catdog\"", "value",
                "\"catdog\" is not one token but 2: cat #9246, dog #9703");
    check_error(":row \"\"", "value", "an empty text is no token");
    check_error(":row #50257", "index_range", "id 50257 is outside wte (50257 rows: 0..50256)");
    check_error(":row #-1", "index_range", "id -1 is outside wte (50257 rows: 0..50256)");
    check_error(":row #x", "value", "an id after # is a whole number, not \"x\"");
    check_error(":row @3", "index_range", "@3 is outside the last text (B=1, T=3)");
    check_error(":row @99999999999999999999", "range",
                "a place after @ is a whole number from -2147483648 to 2147483647, not "
                "\"99999999999999999999\"");
    run(":batch \"a\" \"b\"");
    check_error(":row @0", "ambiguous",
                "the last text is a batch: @0 could be in any of its texts");
    check_error(":row @2,0", "index_range", "@2,0 is outside the last text (B=2, T=1)");
    run(":row @1,0");
    json_t *b = answer();
    ck_assert_str_eq(json_string_value(json_object_get(b, "text")), "b");
    json_decref(b);
    run(":repeat 1030  a");
    check_error(":row @1024", "index_range",
                "position 1024 has no row in wpe (1024 rows: 0..1023)");
    check_error(":row \u2423cat", "value",
                "\"\u2423cat\" is not one token but 4: <E2> #158, <90> #238, <A3> #96, cat #9246");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "did you mean \" cat\" ?"));
    check_error(":row 'cat'", "value", "\"'cat'\" is not one token but 3: ' #6, cat #9246, ' #6");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "did you mean \"cat\" ?"));
    run(":row cat");
    ck_assert_str_eq(heard.notes.s,
                     "with a space before it, cat is another token: :row \" cat\"\n");
    run(":row \"cat\"");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    run(":row 464");
    ck_assert_str_eq(heard.notes.s,
                     "this is the token whose text is 464; :row #464 is the token with that id\n");
    run(":reset");
    check_error(":row @0", "value", "there is no text yet");
    check_error(":tokens", "value", "there is no text yet");
    check_error(":shapes", "value", "there is no text yet");
    check_error(":row", "usage", "the form is :row TOKEN");
    check_error(":row a b", "usage", "the form is :row TOKEN");
}
END_TEST

START_TEST(an_error_marks_its_place_in_the_line)
{
    check_error(":decode 464 999999 1", "index_range",
                "there is no token 999999 (number 1 in the list)");
    ck_assert_str_eq(heard.errors.s,
                     "error[index_range]: there is no token 999999 (number 1 in the list)\n"
                     "    :decode 464 999999 1\n"
                     "                ^^^^^^\n"
                     "  the vocabulary has V=50257 tokens, 0..50256\n");
    check_error(":decode \u6f22 1", "value", "a token id is a whole number, not \"\u6f22\"");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "    :decode \u6f22 1\n            ^^\n"));
    check_error(":decode 1 \x1b\x9b", "value", "a token id is a whole number, not \"\\x1b\\x9B\"");
    ck_assert_ptr_nonnull(
        strstr(heard.errors.s, "    :decode 1 \\x1b\\x9B\n              ^^^^^^^^\n"));
    json_t *o = answer();
    ck_assert_int_eq(json_integer_value(json_object_get(o, "begin")), 10);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "end")), 12);
    json_decref(o);
}
END_TEST

START_TEST(decode_takes_lists_as_people_write_them)
{
    static const char *const lines[] = {":decode 464 3797", ":decode [464, 3797]",
                                        ":decode 464,3797", ":decode  464\t3797 "};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(run(lines[i]), ES_DONE);
        ck_assert_str_eq(heard.json.s,
                         "{\"kind\":\"decode\",\"text\":\"The cat\",\"hex\":\"54686520636174\"}\n");
    }
    run(":decode 10545");
    ck_assert_str_eq(heard.json.s, "{\"kind\":\"decode\",\"text\":null,\"hex\":\"20e6\"}\n");
    check_error(":decode", "usage", "the form is :decode ID \u2026");
}
END_TEST

START_TEST(merges_are_replayed)
{
    run(":merges lowest");
    ck_assert_str_eq(heard.json.s,
                     "{\"kind\":\"merges\",\"pieces\":[{\"text\":\"lowest\",\"steps\":["
                     "{\"left\":68,\"right\":82,\"made\":274,\"rank\":18},"
                     "{\"left\":78,\"right\":86,\"made\":322,\"rank\":66},"
                     "{\"left\":274,\"right\":83,\"made\":395,\"rank\":139},"
                     "{\"left\":75,\"right\":322,\"made\":9319,\"rank\":9063}]}]}\n");
    ck_assert_str_eq(
        heard.shown.s,
        "\"lowest\" is one word of 6 bytes; of all neighbours, the pair that was learned\n"
        "first (lowest rank) is merged, then again\n"
        "  l o w e s t\n"
        "  l o w es t   e+s   rank     18\n"
        "  l ow es t    o+w   rank     66\n"
        "  l ow est     es+t  rank    139\n"
        "  low est      l+ow  rank  9,063\n"
        "no pair is left that was ever learned: 2 tokens, low 9319, est 395\n");
}
END_TEST

START_TEST(batches_are_padded_where_and_with_what_is_set)
{
    run(":batch \"The cat sat\" \"A\"");
    json_t *o = answer();
    char *text = json_dumps(json_object_get(o, "ids"), JSON_COMPACT);
    ck_assert_str_eq(text, "[[464,3797,3332],[32,50256,50256]]");
    free(text);
    text = json_dumps(json_object_get(o, "mask"), JSON_COMPACT);
    ck_assert_str_eq(text, "[[1,1,1],[1,0,0]]");
    free(text);
    json_decref(o);
    run(":set pad 0");
    run(":set pad-side left");
    heard.values = true;
    run(":batch \"The cat sat\" \"A\"");
    o = answer();
    text = json_dumps(json_object_get(o, "ids"), JSON_COMPACT);
    ck_assert_str_eq(text, "[[464,3797,3332],[0,0,32]]");
    free(text);
    json_t *second = json_array_get(json_array_get(json_object_get(o, "tokens"), 1), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(second, "pos")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "x")), 2);
    ck_assert_uint_eq(json_array_size(json_array_get(json_object_get(o, "x"), 1)), 3);
    ck_assert_uint_eq(json_array_size(json_object_get(o, "pos_emb")), 1);
    json_decref(o);
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "2 places of padding, shown as \u00b7, id 0, on the left"));
    check_error(":batch \"a\" b", "usage", "the form is :batch \"TEXT\" \"TEXT\" \u2026|FILE");
    check_error(":batch", "usage", "the form is :batch \"TEXT\" \"TEXT\" \u2026|FILE");
    check_error(":batch \"a", "parse", "the quote that opens here is never closed");
}
END_TEST

START_TEST(files_become_texts_and_batches)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    FILE *f = fopen("a file", "wb");
    ck_assert(f && fputs("one\ntwo two\n", f) >= 0 && fclose(f) == 0);
    run(":file a file");
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "text")), "one\ntwo two\n");
    json_decref(o);
    run(":batch a file");
    o = answer();
    ck_assert_uint_eq(json_array_size(json_object_get(o, "texts")), 2);
    json_decref(o);
    check_error(":file none", "io", "cannot open none: No such file or directory");
    check_error(":file .", "io", "cannot read .: Is a directory");
    check_error(":file", "usage", "the form is :file PATH");
    setenv("HOME", folder, 1);
    ck_assert_int_eq(run(":file ~/a file"), ES_DONE);
    free(folder);
}
END_TEST

START_TEST(a_paste_ends_at_a_lone_dot)
{
    ck_assert_int_eq(run(":paste"), ES_MORE);
    ck_assert_int_eq(run(":quit"), ES_MORE); /* text by now */
    ck_assert_int_eq(run(""), ES_MORE);
    ck_assert_int_eq(run("."), ES_DONE);
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "text")), ":quit\n");
    json_decref(o);
    run(":paste");
    run("to the end");
    listener_forget(&heard);
    ck_assert_int_eq(es_session_end(heard.session, &heard.sink), ES_DONE);
    o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "text")), "to the end");
    json_decref(o);
    ck_assert_int_eq(es_session_end(heard.session, &heard.sink), ES_DONE);
    check_error(":paste x", "usage", "the form is :paste");
}
END_TEST

START_TEST(settings_are_listed_changed_and_reset)
{
    ck_assert_int_eq(run(":set spaces quoted"), ES_DONE);
    ck_assert_str_eq(heard.json.s, "{\"kind\":\"none\"}\n");
    run(":set spaces");
    ck_assert_str_eq(
        heard.json.s,
        "{\"kind\":\"set\",\"settings\":[{\"name\":\"spaces\",\"value\":\"quoted\","
        "\"origin\":\"typed\",\"help\":\"marked or quoted: tokens as \u2423cat or as \\\" "
        "cat\\\"\"}]}\n");
    run(":reset");
    run(":set");
    json_t *o = answer();
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(o, "settings"), i, row)
        ck_assert_str_eq(json_string_value(json_object_get(row, "origin")), "default");
    ck_assert_uint_eq(json_array_size(json_object_get(o, "settings")), 14);
    json_decref(o);
    check_error(":set colour on", "name", "there is no setting \"colour\"");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "did you mean color ?"));
    check_error(":set colour", "name", "there is no setting \"colour\"");
    check_error(":set plain maybe", "value", "plain cannot be \"maybe\"");
    check_error(":set width 39", "value", "width cannot be \"39\"");
    check_error(":set width 12x", "value", "width cannot be \"12x\"");
    check_error(":set plain on off", "usage", "the form is :set [NAME [VALUE]]");
    ck_assert_ptr_nonnull(
        strstr(heard.errors.s, "try: :help set\n  a setting takes one word: :set plain on\n"));
    ck_assert_int_eq(run(":set special on"), ES_DONE);
    run("a<|endoftext|>");
    o = answer();
    ck_assert_uint_eq(json_array_size(json_object_get(o, "ids")), 2);
    json_decref(o);
}
END_TEST

static void check_width(const es_str *text, int width, const char *line)
{
    const char *s = es_str_text(text);
    for (size_t i = 0; i < text->len;) {
        size_t n = strcspn(s + i, "\n");
        demand(es_columns(s + i, n) <= width, "%s at %d columns: %.*s", line, width, (int)n, s + i);
        i += n + 1;
    }
}

static void check_setting(const char *name, const char *value, const char *origin)
{
    es_str line = {0}, want = {0};
    es_str_add(&line, ":set %s", name);
    run(line.s);
    es_str_add(&want, "{\"name\":\"%s\",\"value\":\"%s\",\"origin\":\"%s\",", name, value, origin);
    ck_assert_msg(strstr(heard.json.s, want.s) != NULL, "no %s in %s", want.s, heard.json.s);
    es_str_free(&line);
    es_str_free(&want);
}

/* The command line has the last word over the startup file, typing over both, and :reset goes back to
 * what the two of them gave. */
START_TEST(a_setting_tells_where_its_value_comes_from)
{
    es_session_options o = {.settings.pad = -1};
    ck_assert(es_settings_set(&o.settings, "plain", "on", ES_FROM_COMMAND_LINE, NULL));
    teardown();
    open_session(&o);
    es_session_startup(heard.session, true);
    ck_assert_int_eq(run(":set plain off"), ES_DONE);
    ck_assert_int_eq(run(":set big on"), ES_DONE);
    ck_assert_int_eq(run(":positions none"), ES_DONE);
    check_error(":set plain perhaps", "value", "plain cannot be \"perhaps\"");
    es_session_startup(heard.session, false);
    check_setting("plain", "on", "option");
    check_setting("big", "on", "rc file");
    check_setting("width", "auto", "default");
    run(":set plain off");
    run(":set width 50");
    run(":positions learned");
    check_setting("plain", "off", "typed");
    check_setting("width", "50", "typed");
    run(":reset");
    check_setting("plain", "on", "option");
    check_setting("big", "on", "rc file");
    check_setting("width", "auto", "default");
    ck_assert_int_eq(es_session_context(heard.session)->layer.positions, ES_POSITIONS_NONE);
}
END_TEST

START_TEST(the_new_settings_take_their_values_and_no_others)
{
    static const char *const good[][2] = {
        {"big", "on"},       {"big", "off"},   {"motion", "off"}, {"motion", "on"},
        {"numbers", "full"}, {"numbers", "1"}, {"numbers", "8"},  {"numbers", "short"},
        {"pager", "always"}, {"pager", "off"}, {"pager", "auto"},
    };
    static const char *const bad[][2] = {
        {"big", "yes"},      {"motion", ""},     {"numbers", "10"}, {"numbers", "0"},
        {"numbers", "long"}, {"pager", "never"}, {"pager", "on"},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        es_str line = {0};
        es_str_add(&line, ":set %s %s", good[i][0], good[i][1]);
        ck_assert_int_eq(run(line.s), ES_DONE);
        check_setting(good[i][0], good[i][1], "typed");
        es_str_free(&line);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        es_str line = {0}, message = {0};
        es_str_add(&line, ":set %s \"%s\"", bad[i][0], bad[i][1]);
        es_str_add(&message, "%s cannot be \"%s\"", bad[i][0], bad[i][1]);
        check_error(line.s, "value", message.s);
        es_str_free(&line);
        es_str_free(&message);
    }
}
END_TEST

/* With nine digits every number of a row, read back, is the one in the table. */
START_TEST(full_numbers_read_back_as_the_same_floats)
{
    run("The cat");
    run(":row @1");
    json_t *o = answer();
    float want[64];
    for (size_t i = 0; i < 64; i++)
        want[i] = (float)json_number_value(json_array_get(json_object_get(o, "x"), i));
    json_decref(o);
    for (int plain = 0; plain < 2; plain++) {
        heard.style = (es_style){.width = 40, .plain = plain, .digits = ES_FULL_DIGITS};
        run(":row @1");
        check_width(&heard.shown, plain ? 1000 : 40, ":row @1");
        const char *at = plain ? heard.shown.s : strstr(heard.shown.s, "x = tok_emb");
        at = plain ? at : strstr(at, "\n     0 ") + 1; /* below the heading */
        for (int i = 0; i < 64; i++) {
            char *end;
            at = plain ? strstr(at, ", x ") + 4 : at;
            if (!plain && i % 2 == 0)
                ck_assert_int_eq(strtol(at, (char **)&at, 10), i);
            ck_assert_float_eq(strtof(at, &end), want[i]);
            at = end;
        }
    }
    heard.style = (es_style){.width = 80, .digits = 2};
    run(":row \" cat\"");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "tok_emb = wte[3797], length 0.15\n"));
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "     0   -0.014  -0.0089  -0.0001"));
}
END_TEST

/* Few rows, air between them, and what else there is to see only named. */
START_TEST(big_answers_show_one_thing_at_a_time)
{
    heard.style = (es_style){.width = 60, .big = true, .colour = true};
    run("The cat sat on the cat");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "\x1b[1;30;48;5;51mThe\x1b[0m"));
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "\n\n"));
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "\u2026 2 more, :tokens shows all\n"));
    ck_assert_ptr_null(strstr(heard.shown.s, "again"));
    ck_assert_ptr_null(strstr(heard.shown.s, "first block"));
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "\nthen: :shapes for the shapes, :row @0 for the numbers\n"));
}
END_TEST

START_TEST(time_holds_what_the_line_answered)
{
    check_kind(":time The cat", "time");
    json_t *o = answer(), *results = json_object_get(o, "results");
    ck_assert_uint_eq(json_array_size(results), 1);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(results, 0), "kind")),
                     "text");
    ck_assert(json_real_value(json_object_get(o, "seconds")) >= 0);
    json_decref(o);
    ck_assert_int_eq(run(":time :decode 99999"), ES_FAILED);
    ck_assert_int_eq(heard.n_errors, 1);
    ck_assert_int_eq(heard.n_results, 0);
    check_error(":time", "usage", "the form is :time LINE");
    check_error(":time :paste", "usage", "the form is :time LINE");
    ck_assert_int_eq(run(":time :quit"), ES_QUIT);
}
END_TEST

START_TEST(files_that_run_each_other_come_to_an_end)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    FILE *f = fopen("again", "wb");
    ck_assert(f && fputs("#!/usr/bin/embedscope -f\nhi\n:run again\n", f) >= 0 && fclose(f) == 0);
    ck_assert_int_eq(run(":run again"), ES_FAILED);
    ck_assert_int_eq(heard.n_errors, 1);
    ck_assert_int_eq(heard.n_results, 15);
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "nested more than 16 deep"));
    check_error(":run nowhere", "io", "cannot open nowhere: No such file or directory");
    free(folder);
}
END_TEST

START_TEST(help_knows_every_command)
{
    run(":help");
    json_t *o = answer();
    ck_assert_uint_eq(json_array_size(json_object_get(o, "commands")),
                      es_session_commands(heard.session)->n);
    json_decref(o);
    run(":help :row");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, ":row TOKEN\n"));
    check_error(":help rwo", "name", "there is no command :rwo");
    check_error(":help wtee", "name", "there is no command :wtee");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, ":help names"));
    run(":help Sinus-oidal"); /* a choice of one command alone, as people write it */
    ck_assert_ptr_nonnull(strstr(heard.shown.s, ":positions [learned|"));
    run(":help lr");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, ":train"));
    check_error(":help top", "name", "there is no command :top"); /* several have it */
    run(":help names");
    ck_assert_ptr_nonnull(
        strstr(heard.shown.s, "wte        [V, C], the token table, a row for each id"));
    check_error(":?", "name", "there is no command :?");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "did you mean :help ?"));
    check_error(": help", "name", "there is no command :");
    ck_assert_ptr_nonnull(strstr(heard.errors.s, "follows the colon at once"));
    ck_assert_int_eq(run(":quit"), ES_QUIT);
}
END_TEST

/* ---- what is printed ---- */

static const char *const samples[] = {
    "The cat sat on the cat",
    "na\u00efve \u6f22\u5b57 \U0001F917 \u0645\u0631\u062d\u0628\u0627 e\u0301\u0301 \u2066x\u2069",
    "a\x1b[31mred\x1b[0m \xC2\x9B \xff\xfe",
    ":tokens antidisestablishmentarianism \u6f22\u5b57\u6f22\u5b57",
    ":merges antidisestablishmentarianism and \u6f22",
    ":row \" cat\"",
    ":row @1",
    ":shapes",
    ":cosine",
    ":concat",
    ":concat Cp=1048576",
    ":shapes code=c",
    "na\u00efve \u6f22\u5b57 \U0001F917 \u0645\u0631\u062d\u0628\u0627 a\x1b[31m \xC2\x9B \xff\xfe "
    "\u2066x",
    ":cosine",
    ":cosine @1 @2",
    ":cosine @2 @1",
    ":cosine @0",
    ":cosine @0 @99 \u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22",
    ":shapes code=rust",
    ":shapes code=\x1b[31m",
    ":shapes code=torch",
    ":onehot times=maybe",
    ":concat Cp=0",
    ":transcript",
    ":transcript /no/where/\u6f22\x1b[31m\u2066",
    ":batch \"The cat sat\" \"A\" \"\u6f22\u5b57 is a long text that does not fit on one line of "
    "any terminal\"",
    ":shapes",
    ":cosine",
    ":repeat 300 the cat",
    ":cosine",
    ":shapes code=numpy",
    ":repeat 1030 a ",
    ":tokens",
    ":help",
    ":help row",
    ":set",
    ":model",
    ":model gpt2",
    ":model no/such/folder/with/a/name/that/fits/on/no/line/of/any/terminal.safetensors",
    ":positions",
    ":decode 10545 464",
    ":decode 464 3797 3332 319 262 2603 464 3797 3332 319 262 2603 464 3797 3332 319 262 2603 "
    "10545",
    ":decode 464 99999 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28",
    ":row antidisestablishmentarianism",
    ":near transformer",
    ":near 0.5 * \" antidis\" - #20174 by=euclid",
    ":near #20174 - 0.25 * #35496 + #8582 by=dot top=40",
    ":find \u2423an",
    ":find \"\\xE6\" top=30",
    ":vocab",
    ":show",
    ":show \u6f22\x1b[31m\u2066",
    ":window",
    ":window on",
    ":window \x1b[31m\u2066\u6f22\u6f22",
    ":camera 3d",
    ":camera",
    ":camera zoom=\x1b[31m\u2066\u6f22",
    ":camera \u2066=\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22",
    ":components 1 2",
    ":components \x1b[31m\u6f22",
    ":color-by",
    ":color-by \x1b[31m\u2066\u6f22\u6f22",
    ":labels \x1b[31m\u6f22",
    ":focus #188",
    ":focus",
    ":focus \u6f22\x1b[31m\u2066",
    ":selection",
    ":select x=\x1b[31m..\u6f22",
    ":select \u2066",
    ":export /no/where/\u6f22\x1b[31m\u2066.svg",
    ":export \u6f22\x1b[31m\u2066",
    ":clear",
    ":nothing "
    "\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22\u6f22"
    "\u6f22\u6f22\u6f22\u6f22",
};

START_TEST(nothing_is_wider_than_the_screen)
{
    for (int width = 40; width <= 140; width += thoroughness(7, 25))
        for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
            heard.style = (es_style){.width = width,
                                     .colour = i % 2,
                                     .isolate = width % 2,
                                     .quoted = width % 4 == 0,
                                     .big = width <= 60 && i % 3 == 0,
                                     .digits = width % 10};
            run(samples[i]);
            check_width(&heard.shown, width, samples[i]);
            check_width(&heard.errors, width, samples[i]);
        }
}
END_TEST

/* Everything but colour sequences, isolates and line breaks is visible, colours or not. */
START_TEST(nothing_raw_is_printed)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        heard.style = (es_style){.width = 80, .plain = i % 3 == 0};
        run(samples[i]);
        const es_str *all[] = {&heard.shown, &heard.errors};
        for (int k = 0; k < 2; k++)
            for (size_t at = 0; at < all[k]->len;) {
                uint32_t cp;
                int len = es_utf8_next(all[k]->s + at, all[k]->len - at, &cp);
                demand(len && (cp == '\n' || es_char_visible(cp)), "%s: byte %02X", samples[i],
                       (unsigned char)all[k]->s[at]);
                at += (size_t)len;
            }
    }
}
END_TEST

START_TEST(plain_has_neither_bars_nor_grids)
{
    heard.style.plain = true;
    run("The cat");
    ck_assert_str_eq(
        heard.shown.s,
        "tokens: 2\nbytes: 7\nmodel: untrained (random numbers, nothing learned)\n"
        "device: cpu\n"
        "token 0: text \"The\", id 464, length of tok_emb 0.151, of pos_emb 0.082, of x 0.182\n"
        "token 1: text \" cat\", id 3797, length of tok_emb 0.150, of pos_emb 0.079, of x 0.180\n"
        "x shape: B 1, T 2, C 64\n");
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        run(samples[i]);
        static const char *const marks[] = {"\u2581", "\u2584", "\u2588", "  "};
        bool indented = samples[i][1] == 'h' || samples[i][1] == 'm' || strstr(samples[i], "code=");
        for (int k = 0; k < 3 + !indented; k++)
            demand(!strstr(es_str_text(&heard.shown), marks[k]), "%s: %s", samples[i],
                   heard.shown.s);
    }
}
END_TEST

/* The printed decimals of "channel 0 of …: a + b = c" are true sums. */
START_TEST(the_sum_in_numbers_adds_up)
{
    int n = 0;
    for (int i = 0; i < thoroughness(300, 20); i++) {
        char line[40];
        double a, b, c;
        snprintf(line, sizeof line, "%d words", i * 7);
        run(line);
        const char *sum = strstr(heard.shown.s, "channel 0 of ");
        demand(sum && (sum = strstr(sum, ": ")), "no sum after %s", line);
        if (sscanf(sum, ": %lf + (%lf) = %lf", &a, &b, &c) == 3 ||
            sscanf(sum, ": %lf + %lf = %lf", &a, &b, &c) == 3) {
            demand(fabs(a + b - c) < 1e-9, "%s", sum);
            n++;
        }
    }
    ck_assert_int_eq(n, thoroughness(300, 20));
}
END_TEST

/* ---- long work ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool spin(void *work, es_watch *watch, es_error *err)
{
    watch->total = 1000;
    for (uint64_t i = 0;; i++) {
        ++*(int *)work;
        if (!es_watch_step(watch, i % 1000, err))
            return false;
    }
}

static bool quick(void *work, es_watch *watch, es_error *err)
{
    (void)watch;
    return *(bool *)work || es_fail(err, ES_ERR_VALUE, "it would not");
}

START_TEST(a_job_reports_stops_and_says_how_it_went)
{
    es_error err = ES_ERROR_NONE;
    int turns = 0, pipe_ends[2];
    uint64_t done, total;
    char byte;
    ck_assert_int_eq(pipe(pipe_ends), 0);
    es_job *job = es_job_start(spin, &turns, pipe_ends[1], &err);
    ck_assert_works(job != NULL, err);
    ck_assert(!es_job_wait(job, 20));
    ck_assert(es_job_running(job));
    es_job_progress(job, &done, &total);
    ck_assert_uint_eq(total, 1000);
    double start = now();
    es_job_cancel(job);
    ck_assert(es_job_wait(job, 1000));
    ck_assert_double_lt(now() - start, 0.1);
    ck_assert_int_eq(read(pipe_ends[0], &byte, 1), 1);
    ck_assert_fails(es_job_finish(job, &err), err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");

    bool works = true, fails = false;
    job = es_job_start(quick, &works, -1, &err);
    ck_assert(es_job_finish(job, &err));
    job = es_job_start(quick, &fails, -1, &err);
    ck_assert_fails(es_job_finish(job, &err), err, ES_ERR_VALUE, "it would not");
}
END_TEST

/* Once the line is seen to be under way, however busy the machine is. */
static bool interrupt_soon(void *work, es_watch *watch, es_error *err)
{
    enum { MOST_MS = 4000 };
    (void)work;
    (void)watch;
    (void)err;
    for (int ms = 0; ms < MOST_MS && !heard.n_progress; ms++)
        usleep(1000);
    interrupt = true;
    return true;
}

START_TEST(an_interrupt_stops_a_long_text)
{
    es_error err = ES_ERROR_NONE;
    es_job *finger = es_job_start(interrupt_soon, NULL, -1, &err);
    double start = now();
    check_error(":repeat 40000000 \" \"", "interrupted", "stopped by Ctrl-C");
    double took = now() - start;
    ck_assert(es_job_finish(finger, &err));
    ck_assert_msg(took < thoroughness(5, 60), "it took %.1f s", took);
    ck_assert_int_gt(heard.n_progress, 0);
    ck_assert_ptr_null(es_session_text(heard.session));
    check_error("even a short line", "interrupted",
                "stopped by Ctrl-C"); /* until the flag is taken down */
    interrupt = false;
    ck_assert_int_eq(run("fine"), ES_DONE);
}
END_TEST

/* ---- for the window ---- */

START_TEST(the_preview_follows_the_line)
{
    uint64_t stamp = es_session_stamp(heard.session);
    es_session_preview(heard.session, "un", 2);
    ck_assert_uint_gt(es_session_stamp(heard.session), stamp);
    stamp = es_session_stamp(heard.session);
    es_text *t = es_session_preview_text(heard.session);
    ck_assert_int_eq(es_text_T(t), 1);
    ck_assert_ptr_eq(es_session_preview_text(heard.session), t);
    es_session_preview(heard.session, "un", 2); /* the same line: nothing new to draw */
    ck_assert_uint_eq(es_session_stamp(heard.session), stamp);
    es_session_preview(heard.session, "untrue", 6);
    ck_assert_int_eq(es_text_T(es_session_preview_text(heard.session)), 2);
    es_session_preview(heard.session, ":row", 4);
    ck_assert_ptr_null(es_session_preview_text(heard.session));
    es_session_preview(heard.session, "=x", 2);
    ck_assert_ptr_null(es_session_preview_text(heard.session));
    ck_assert_ptr_null(es_session_text(heard.session)); /* a preview is no text yet */
}
END_TEST

static int previewed(const char *line)
{
    es_session_preview(heard.session, line, strlen(line));
    es_text *t = es_session_preview_text(heard.session);
    return t ? (int)es_text_T(t) : 0;
}

/* Of tensor mode: there a text stands in quotes. */
START_TEST(a_text_in_quotes_is_previewed_where_lines_are_statements)
{
    es_session_set_tensor(heard.session, true);
    ck_assert_int_eq(previewed("The cat"), 0);
    ck_assert_int_eq(previewed("\""), 0);
    ck_assert_int_eq(previewed("\"The cat"), 2);
    ck_assert_int_eq(previewed("  'The cat sat' "), 3);
    ck_assert_int_eq(previewed("\"it's\""), 2);
    ck_assert_int_eq(previewed("\"The\".upper()"), 0);
    ck_assert_int_eq(previewed("\"\"\"The"), 0);
    ck_assert_int_eq(previewed("\"The\\n"), 0);
    ck_assert_int_eq(previewed("x + wte"), 0);
    ck_assert_int_eq(previewed(""), 0);
    es_session_set_tensor(heard.session, false);
    ck_assert_int_eq(previewed("\"The cat\""), 4);
}
END_TEST

START_TEST(the_windows_messages_come_in_order)
{
    es_message kind;
    es_str bytes = {0};
    ck_assert(!es_session_take(heard.session, &kind, &bytes));
    es_session_post(heard.session, ES_MESSAGE_INSERT, " cat", 4);
    es_session_post(heard.session, ES_MESSAGE_RUN, ":row @0", 7);
    ck_assert(es_session_take(heard.session, &kind, &bytes));
    ck_assert_int_eq(kind, ES_MESSAGE_INSERT);
    ck_assert_str_eq(bytes.s, " cat");
    ck_assert(es_session_take(heard.session, &kind, &bytes));
    ck_assert_int_eq(kind, ES_MESSAGE_RUN);
    es_str_free(&bytes);
    ck_assert(!es_session_take(heard.session, &kind, &bytes));
    es_session_post(heard.session, ES_MESSAGE_RUN, "never taken", 11);
}
END_TEST

/* ---- completion ---- */

static void check_completion(const char *line, const char *want)
{
    es_completion c = es_complete(heard.session, line, strlen(line));
    es_str got = {0};
    for (size_t i = 0; i < c.n; i++)
        es_str_add(&got, "%s%s", i ? " " : "", c.word[i]);
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
    es_completion_free(&c);
}

START_TEST(tab_completes_commands_and_never_text)
{
    check_completion("", "");
    check_completion("the c", "");
    check_completion(" :he", "");
    check_completion(":he", ":help");
    check_completion(":re", ":repeat :reset :restart");
    check_completion(":help r", "repeat reset restart row run");
    check_completion(":help na", "names");
    check_completion(":time :posi", ":positions");
    check_completion(":time :positions l", "learned");
    check_completion(":time the c", "");
    check_completion(":positions s", "sinusoidal");
    check_completion(":shapes code=", "code=torch code=numpy code=c");
    check_completion(":onehot ", "times=on");
    check_completion(":positions ", "learned sinusoidal none");
    check_completion(":set p", "pad pad-side pager palette plain");
    check_completion(":set pad-side ", "left right");
    check_completion(":set width ", "auto");
    check_completion(":text so", "");
    check_completion(":nonsense x", "");
}
END_TEST

START_TEST(tab_completes_tokens_once_a_quote_is_open)
{
    check_completion(":row \"", ""); /* all 50,257 would be no help */
    check_completion(":row ca", "");
    check_completion(":row \" transfor",
                     " transform  transformation  transformations  transformative "
                     " transformed  transformer  transforming  transforms");
    check_completion(":row \"\\n\\n", "\\n\\n");
    check_completion(":row \"\\\"></", "\\\"></");
    check_completion(":row \"\\xE6\\xA", "\\xE6\\xA0 \\xE6\\xA9 \\xE6\\xAD");
    check_completion(":row \"cat\" ", "");
    check_completion(":text \"ca", "");
}
END_TEST

START_TEST(tab_completes_file_names_raw_and_quoted)
{
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    setenv("HOME", folder, 1);
    static const char *const names[] = {"my file",       "my other", "a\"b",
                                        "\"c",           ".hidden",  "bad\x1b[2Jname",
                                        "bad\u202ename", "trail ",   "caf\u00e9"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_int_eq(close(creat(names[i], 0600)), 0);
    ck_assert_int_eq(mkdir("sub dir", 0700), 0);
    ck_assert_int_eq(close(creat("sub dir/x", 0600)), 0);
    check_completion(":file my", "my file my other");
    check_completion(":file my f", "my file");
    check_completion(":file sub", "sub dir/");
    check_completion(":file sub dir/", "x");
    check_completion(":file ~/caf", "caf\u00e9");
    check_completion(":file ./a", "a\"b");
    check_completion(":file .h", ".hidden");
    check_completion(":file bad", ""); /* not to be had without quotes */
    check_completion(":file tra", "");
    check_completion(":file \"bad", "bad\\u{202e}name bad\\x1b[2Jname");
    check_completion(":file \"sub dir/", "x");
    check_completion(":file \"a", "a\\\"b");
    check_completion(":run my", "my file my other");
    check_completion(":model u", "untrained");
    check_completion(":model g", "gpt2");
    check_completion(":model my", "my file my other");
    check_completion(":transcript my", "my file my other");
    check_completion(":batch my", "my file my other");
    check_completion(":batch \"my", ""); /* that is a text */
    check_completion(":file nowhere/", "");
    ck_assert_int_eq(chdir(here), 0);
    free(folder);
}
END_TEST

START_TEST(a_session_that_cannot_begin_says_why)
{
    es_error err = ES_ERROR_NONE;
    es_session_options o = {.vocab = "nowhere"};
    ck_assert_fails(es_session_new(&o, &err), err, ES_ERR_NAME,
                    "there is no vocabulary \"nowhere\", and no file of that name");
    o = (es_session_options){.model = "midi"};
    ck_assert_fails(es_session_new(&o, &err), err, ES_ERR_NAME, "there is no model \"midi\"");
    o = (es_session_options){.device = "abacus"};
    ck_assert_fails(es_session_new(&o, &err), err, ES_ERR_VALUE, "there is no device \"abacus\"");
}
END_TEST

START_TEST(ids_beyond_the_table_are_named)
{
    teardown();
    const es_session_options small = {.model = "untrained:V=1000", .settings.pad = -1};
    open_session(&small);
    check_error(" cat", "index_range", "id 3797 at [0, 0] is outside wte (1000 rows: 0..999)");
    check_error(":row \" cat\"", "index_range",
                "id 3797 at [0, 0] is outside wte (1000 rows: 0..999)");
    ck_assert_int_eq(run("a"), ES_DONE);
}
END_TEST

START_TEST(the_stand_in_device_gives_the_same_numbers)
{
    heard.values = true;
    run("The cat sat");
    json_t *cpu = answer();
    teardown();
    const es_session_options sim = {.device = "sim", .settings.pad = -1};
    open_session(&sim);
    heard.values = true;
    run("The cat sat");
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "device")), "sim");
    ck_assert(json_equal(json_object_get(o, "x"), json_object_get(cpu, "x")));
    json_decref(o);
    json_decref(cpu);
}
END_TEST

Suite *session_suite(void)
{
    Suite *s = suite_create("session");
    TCase *tc = tcase_create("session");
    tcase_set_timeout(tc, 150);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_text_is_answered_with_tokens_shapes_and_values);
    tcase_add_test(tc, every_byte_of_a_line_counts);
    tcase_add_test(tc, notes_answer_the_article_and_who_wants_to_leave);
    tcase_add_test(tc, a_text_of_exactly_n_ctx_tokens_passes);
    tcase_add_test(tc, rows_of_a_long_text_are_those_of_the_whole);
    tcase_add_test(tc, tokens_of_a_text_make_it_the_last_text);
    tcase_add_test(tc, small_numbers_beside_large_ones_are_explained);
    tcase_add_test(tc, texts_are_counted);
    tcase_add_test(tc, the_prompt_tells_what_changes_the_numbers);
    tcase_add_test(tc, positions_change_the_last_text_too);
    tcase_add_test(tc, every_commands_example_works_as_it_stands);
    tcase_add_test(tc, names_are_found_shortened_or_guessed);
    tcase_add_test(tc, text_arguments_are_raw_or_quoted);
    tcase_add_test(tc, tokens_are_named_one_way);
    tcase_add_test(tc, an_error_marks_its_place_in_the_line);
    tcase_add_test(tc, decode_takes_lists_as_people_write_them);
    tcase_add_test(tc, merges_are_replayed);
    tcase_add_test(tc, batches_are_padded_where_and_with_what_is_set);
    tcase_add_test(tc, files_become_texts_and_batches);
    tcase_add_test(tc, a_paste_ends_at_a_lone_dot);
    tcase_add_test(tc, settings_are_listed_changed_and_reset);
    tcase_add_test(tc, a_setting_tells_where_its_value_comes_from);
    tcase_add_test(tc, the_new_settings_take_their_values_and_no_others);
    tcase_add_test(tc, full_numbers_read_back_as_the_same_floats);
    tcase_add_test(tc, big_answers_show_one_thing_at_a_time);
    tcase_add_test(tc, time_holds_what_the_line_answered);
    tcase_add_test(tc, files_that_run_each_other_come_to_an_end);
    tcase_add_test(tc, help_knows_every_command);
    tcase_add_test(tc, nothing_is_wider_than_the_screen);
    tcase_add_test(tc, nothing_raw_is_printed);
    tcase_add_test(tc, plain_has_neither_bars_nor_grids);
    tcase_add_test(tc, the_sum_in_numbers_adds_up);
    tcase_add_test(tc, a_job_reports_stops_and_says_how_it_went);
    tcase_add_test(tc, an_interrupt_stops_a_long_text);
    tcase_add_test(tc, the_preview_follows_the_line);
    tcase_add_test(tc, a_text_in_quotes_is_previewed_where_lines_are_statements);
    tcase_add_test(tc, the_windows_messages_come_in_order);
    tcase_add_test(tc, tab_completes_tokens_once_a_quote_is_open);
    tcase_add_test(tc, tab_completes_file_names_raw_and_quoted);
    tcase_add_test(tc, tab_completes_commands_and_never_text);
    tcase_add_test(tc, a_session_that_cannot_begin_says_why);
    tcase_add_test(tc, ids_beyond_the_table_are_named);
    tcase_add_test(tc, the_stand_in_device_gives_the_same_numbers);
    suite_add_tcase(s, tc);
    return s;
}
