// SPDX-License-Identifier: GPL-3.0-or-later
/* :near, :find and :vocab as they are typed and answered. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "listener.h"
#include "session/complete.h"
#include "support.h"

Suite *near_commands_suite(void);

static listener heard;
static atomic_bool interrupt;
static double stopped; /* when Ctrl-C was pressed */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Ctrl-C, as soon as anything is done. */
static void press(listener *l, uint64_t done, uint64_t total)
{
    (void)l;
    if (done && done < total && !interrupt) {
        interrupt = true;
        stopped = now();
    }
}

static void open_model(const char *model)
{
    const es_session_options o = {.model = model, .settings.pad = -1, .interrupt = &interrupt};
    listener_open(&heard, &o);
}

static void setup(void)
{
    calm_environment();
    open_model("untrained");
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

static json_t *answer(void)
{
    return listener_answer(&heard);
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
    ck_assert_str_eq(es_str_text(&heard.notes), "");
}

static void check_query(const char *line, const char *ids)
{
    ck_assert_int_eq(run(line), ES_DONE);
    json_t *o = answer();
    char *query = json_dumps(json_object_get(o, "query"), JSON_COMPACT);
    ck_assert_str_eq(query, ids);
    free(query);
    json_decref(o);
}

/* ---- near ---- */

START_TEST(near_answers_with_ids_scores_and_the_floor)
{
    ck_assert_int_eq(run(":near \" cat\" top=2"), ES_DONE);
    ck_assert_str_eq(heard.json.s,
                     "{\"kind\":\"near\",\"query\":[3797],\"by\":\"cosine\",\"noise_floor\":"
                     "0.495081127,\"rows\":[{\"id\":48542,\"text\":\"wark\",\"hex\":\"7761726b\","
                     "\"score\":0.469976127,\"count\":null},{\"id\":6142,\"text\":\" "
                     "environmental\",\"hex\":\"20656e7669726f6e6d656e74616c\",\"score\":"
                     "0.449375123,\"count\":null}]}\n");
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    run(":near #3797 by=dot top=1");
    json_t *o = answer();
    ck_assert(json_is_null(json_object_get(o, "noise_floor")));
    ck_assert_str_eq(json_string_value(json_object_get(o, "by")), "dot");
    json_decref(o);
}
END_TEST

START_TEST(near_takes_tokens_as_they_are_named)
{
    check_query(":near #464", "[464]");
    check_query(":near \" king\" - \" man\" + \" woman\"", "[5822,582,2415]");
    check_query(":near \" king\"-\" man\"+\" woman\"", "[5822,582,2415]");
    check_query(":near \" king\" \u2212 \" man\"", "[5822,582]");
    check_query(":near by=euclid 2 * \" king\" top=3 - 0.5*#464", "[5822,464]");
    check_query(":near - \" king\"", "[5822]");
    check_query(":near \"+\"", "[10]");
    check_query(":near king - man + woman", "[5822,582,2415]");
    run("The cat sat");
    check_query(":near @1 + @2", "[3797,3332]");
}
END_TEST

/* The factors and signs do what they say: 2 * a is nearest to a, -a is farthest from it. */
START_TEST(terms_are_added_with_their_factors)
{
    run(":near 2 * \" king\" - \" king\" + \" queen\" - \" queen\" by=dot top=5");
    json_t *o = answer();
    json_t *first = json_object_get(json_array_get(json_object_get(o, "rows"), 0), "id");
    run(":near \" king\" + 0 * \" queen\" by=dot top=5");
    json_t *same = answer();
    ck_assert(json_equal(json_object_get(o, "rows"), json_object_get(same, "rows")));
    run(":near - \" king\" by=dot top=50256");
    json_t *all = answer();
    json_t *rows = json_object_get(all, "rows");
    ck_assert_uint_eq(json_array_size(rows), 50256);
    size_t last = 50255;
    int64_t farthest = json_integer_value(json_object_get(json_array_get(rows, last), "id"));
    if (farthest == 16599) /* queen itself was left out above */
        farthest = json_integer_value(json_object_get(json_array_get(rows, last - 1), "id"));
    ck_assert_int_eq(farthest, json_integer_value(first));
    json_decref(o);
    json_decref(same);
    json_decref(all);
}
END_TEST

START_TEST(a_bare_word_says_which_token_it_took_and_why)
{
    check_query(":near cat", "[3797]");
    ck_assert_str_eq(heard.notes.s,
                     "\"cat\" and \" cat\" are two tokens; how often each was seen in training is "
                     "not known, so this takes \" cat\", the word as it stands inside a sentence "
                     "(in quotes, \"cat\" is the other)\n");
    check_query(":near transformer", "[47385]");
    ck_assert_str_eq(heard.notes.s,
                     "this takes \" transformer\", one token; without its space the word is "
                     "several\n");
    check_query(":near wark", "[48542]");
    ck_assert_str_eq(es_str_text(&heard.notes), "");

    es_model *m = es_session_context(heard.session)->model;
    m->counts = calloc(50257, sizeof *m->counts);
    m->counts[3797] = 5112;
    m->counts[9246] = 41;
    check_query(":near cat", "[3797]");
    ck_assert_str_eq(heard.notes.s,
                     "\"cat\" and \" cat\" are two tokens; in training \" cat\" was seen "
                     "5,112 times, \"cat\" 41: taking \" cat\" (in quotes, \"cat\" is the "
                     "other)\n");
    m->counts[9246] = 5113;
    check_query(":near cat", "[9246]");
    ck_assert_ptr_nonnull(
        strstr(heard.notes.s, "taking \"cat\" (in quotes, \" cat\" is the other)"));
    m->counts[48542] = 88;
    run(":near \" cat\" top=1");
    json_t *o = answer();
    json_t *row = json_array_get(json_object_get(o, "rows"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(row, "count")), 88);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "cosine  token     id  seen\n"));
    ck_assert_ptr_nonnull(strstr(heard.shown.s, " 0.470  wark   48542    88\n"));
    json_decref(o);
}
END_TEST

START_TEST(near_refuses_in_words)
{
    check_error(":near", "usage",
                "the form is :near TOKEN [+ TOKEN - TOKEN …] [top=N] [by=cosine|dot|euclid]");
    check_error(":near antidisestablishmentarianism", "value",
                "\"antidisestablishmentarianism\" is not one token but 5: ant #415, idis #29207, "
                "establishment #44390, arian #3699, ism #1042");
    check_error(":near \"The cat\"", "value",
                "\"The cat\" is not one token but 2: The #464, ␣cat #3797");
    check_error(":near new york", "parse", "a + or - is missing before \"york\"");
    check_error(":near 2 \" king\"", "parse", "a + or - is missing before \"\\\" king\\\"\"");
    check_error(":near \" king\" -", "parse", "a token is missing here");
    check_error(":near 2 * top=3", "parse", "a token is missing here");
    check_error(":near #50257", "index_range", "id 50257 is outside wte (50257 rows: 0..50256)");
    check_error(":near @0", "value", "there is no text yet");
    check_error(":near #1 by=manhattan", "value", "there is no measure \"manhattan\"");
    ck_assert_str_eq(heard.hint.s, "try: by=cosine, by=dot or by=euclid");
    check_error(":near #1 top=0", "range", "top is a whole number from 1 to 50257, not \"0\"");
    check_error(":near #1 top=", "value", "top is a whole number, not \"\"");
    check_error(":near #1 - #1", "value",
                "a vector of zeros has no direction to compare by cosine");
    ck_assert_str_eq(heard.hint.s, "try: by=euclid, which asks how far apart two points are");
    es_str many = {0};
    es_str_cat(&many, ":near #1");
    for (int i = 0; i < 32; i++)
        es_str_cat(&many, " + #1");
    check_error(many.s, "range", "more than 32 tokens are not added up");
    es_str_free(&many);
}
END_TEST

START_TEST(near_shows_the_floor_among_the_rows)
{
    run(":near \" transformer\" top=3");
    ck_assert_str_eq(heard.shown.s,
                     "nearest to ␣transformer by cosine · all 50,257 rows of wte compared\n"
                     "the token itself left out · model untrained, random\n"
                     "cosine  token     id\n"
                     " 0.518  ␣Zin   36971\n"
                     " 0.495  ──────── the best of 50,256 random rows of this width reaches about\n"
                     "        this: what is below says little\n"
                     " 0.493  ␣tor    7332\n"
                     " 0.469  953    49649\n");
    heard.style.plain = true;
    run(":near \" transformer\" - 2 * \" tor\" by=euclid top=1");
    ck_assert_str_eq(heard.shown.s, "near: \" transformer\" - 2 * \" tor\"\n"
                                    "by: euclid\n"
                                    "rows of wte compared: 50257\n"
                                    "left out: the tokens asked for\n"
                                    "row 1: text \" assigns\", id 46974, distance 0.2544\n");
}
END_TEST

static void nan_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)((i * 31 + c * 17) % 13) - 6;
    if (i == 70 || i == 80)
        out[3] = i == 70 ? NAN : INFINITY;
}

START_TEST(numbers_that_are_none_are_warned_of_once)
{
    es_model *m = es_session_context(heard.session)->model;
    es_table_unref(m->wte);
    m->wte = es_table_generated(50257, 64, nan_row, NULL, 0);
    ck_assert_int_eq(run(":near #5"), ES_DONE);
    ck_assert_str_eq(heard.notes.s, "2 rows of wte hold NaN or Inf and are left out; the first "
                                    "is in row 70, channel 3\n");
    ck_assert_int_eq(run(":near #5"), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.notes), "");
    ck_assert_ptr_nonnull(strstr(heard.shown.s, " 50,255 of 50,257 rows of wte compared"));
    check_error(":near #70", "value", "row 70 of wte has NaN in channel 3, so nothing is near it");
    check_error(":near #80", "value", "row 80 of wte has Inf in channel 3, so nothing is near it");
}
END_TEST

/* Rows that the vocabulary has no text for, and texts that the table has no row for. */
START_TEST(near_lives_with_a_table_of_another_size)
{
    teardown();
    open_model("untrained:V=60000,C=8");
    ck_assert_int_eq(run(":near #55555 top=60000"), ES_DONE);
    json_t *o = answer();
    json_t *rows = json_object_get(o, "rows");
    ck_assert_uint_eq(json_array_size(rows), 59999);
    int none = 0;
    for (size_t i = 0; i < 59999; i++)
        none += json_is_null(json_object_get(json_array_get(rows, i), "hex"));
    ck_assert_int_eq(none, 60000 - 50257 - 1);
    json_decref(o);
    ck_assert_ptr_nonnull(strstr(heard.shown.s, "nearest to (no text) by cosine"));
    teardown();
    open_model("untrained:V=1,C=8");
    ck_assert_int_eq(run(":near #0"), ES_DONE); /* nothing else is there */
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"noise_floor\":null,\"rows\":[]}"));
    check_error(":near #1", "index_range", "id 1 is outside wte (1 rows: 0..0)");
    check_error(":near \" cat\"", "index_range", "id 3797 is outside wte (1 rows: 0..0)");
}
END_TEST

static void slow_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    (void)i;
    for (int64_t c = 0; c < C; c++)
        out[c] = sinf((float)(i + c));
}

START_TEST(an_interrupt_stops_a_search)
{
    es_model *m = es_session_context(heard.session)->model;
    es_table_unref(m->wte);
    m->wte = es_table_generated(40000000, 64, slow_row, NULL, 0);
    m->config.vocab_size = 40000000;
    heard.on_progress = press;
    check_error(":near #5", "interrupted", "stopped by Ctrl-C");
    /* 0.1 s, and what a busy machine adds; the whole takes minutes */
    ck_assert_double_lt(now() - stopped, thoroughness(1, 5));
    ck_assert_int_gt(heard.n_progress, 1);
    interrupt = false;
}
END_TEST

/* ---- find ---- */

/* How many tokens hold it, and the first. */
static void check_find(const char *line, int n, const char *first)
{
    ck_assert_int_eq(run(line), ES_DONE);
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "find");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "n")), n);
    json_t *row = json_array_get(json_object_get(o, "rows"), 0);
    if (n)
        ck_assert_str_eq(json_string_value(json_object_get(row, "hex")), first);
    json_decref(o);
}

START_TEST(find_looks_at_bytes)
{
    check_find(":find \u2423cat", 25, "20636174");
    check_find(":find \" cat\"", 25, "20636174");
    check_find(":find \"\\xE6\\x9C\"", 2, "e69c");
    check_find(":find \"\\x00\"", 1, "00");
    check_find(":find //", 10, "2f2f");
    check_find(":find \"/a/\"", 0, NULL);
    check_find(":find zzzzqq", 0, NULL);
    ck_assert_str_eq(heard.shown.s, "no token contains \"zzzzqq\"\n");
    run(":find \u2423cat top=2");
    ck_assert_str_eq(heard.json.s,
                     "{\"kind\":\"find\",\"text\":\" cat\",\"regex\":false,\"n\":25,\"rows\":["
                     "{\"id\":3797,\"text\":\" cat\",\"hex\":\"20636174\"},"
                     "{\"id\":4253,\"text\":\" categ\",\"hex\":\"206361746567\"}]}\n");
    ck_assert_str_eq(heard.shown.s, "25 tokens contain \" cat\"\n"
                                    "  id  token   bytes\n"
                                    "3797  ␣cat    20 63 61 74\n"
                                    "4253  ␣categ  20 63 61 74 65 67\n"
                                    "… 23 more, top=25 shows all\n");
    heard.style.plain = true;
    run(":find \"\\xE6\\x9C\" top=1");
    ck_assert_str_eq(heard.shown.s, "text: \"\\xE6\\x9C\"\ntokens: 2\n"
                                    "token 17312: text \"\\xE6\\x9C\", bytes E6 9C\n"
                                    "more: 1, top=2 shows all\n");
    check_error(":find", "usage", "the form is :find TEXT|/REGEX/ [top=N]");
    check_error(":find \"\"", "value", "an empty text is in every token");
    check_error(":find cat top=0", "range", "top is a whole number from 1 to 50257, not \"0\"");
    check_find(":find top=", 0, NULL); /* alone it is a text */
}
END_TEST

#if ES_HAVE_PCRE2
START_TEST(find_takes_regular_expressions)
{
    check_find(":find /^ [A-Z]at$/", 16, "20506174");
    ck_assert_str_eq(heard.shown.s, "16 tokens match /^ [A-Z]at$/\n"
                                    "   id  token  bytes\n"
                                    " 3208  ␣Pat   20 50 61 74\n"
                                    " 5181  ␣Cat   20 43 61 74\n"
                                    " 5476  ␣Lat   20 4C 61 74\n"
                                    " 6550  ␣Mat   20 4D 61 74\n"
                                    " 6577  ␣Bat   20 42 61 74\n"
                                    " 7031  ␣Sat   20 53 61 74\n"
                                    " 8595  ␣Kat   20 4B 61 74\n"
                                    "10983  ␣Hat   20 48 61 74\n"
                                    "11738  ␣Rat   20 52 61 74\n"
                                    "12242  ␣Wat   20 57 61 74\n"
                                    "12301  ␣Fat   20 46 61 74\n"
                                    "14393  ␣Nat   20 4E 61 74\n"
                                    "16092  ␣Dat   20 44 61 74\n"
                                    "27574  ␣Eat   20 45 61 74\n"
                                    "29070  ␣Tat   20 54 61 74\n"
                                    "29074  ␣Gat   20 47 61 74\n");
    check_find(":find /^\u2423[A-Z]at$/", 16, "20506174");
    check_find(":find /colou?r/i", 21, "20636f6c6f72");
    check_find(":find /\\p{Han}{2}/", 4, "e8a69ae98692");
    check_find(":find /\u00e6/", 1, "c3a6");
    check_find(":find /^\\n+$/", 2, "0a");
    check_find(":find /^.$/", 434, "21");
}
END_TEST

START_TEST(find_refuses_patterns_that_are_none_or_explode)
{
    check_error(":find /(a/", "parse",
                "this is no regular expression: missing closing parenthesis");
    check_error(":find /\\C/", "parse",
                "this is no regular expression: using \\C is disabled by the application");
    check_error(":find /(.*.*.*.*.*.*)*\u2603/", "range",
                "this pattern takes too many steps on the token \"ÃÂÃÂÃÂÃÂ\"");
    es_str deep = {0};
    es_str_cat(&deep, ":find /");
    es_str_fill(&deep, '(', 100000);
    es_str_cat(&deep, "/");
    check_error(deep.s, "parse",
                "this is no regular expression: parentheses are too deeply nested");
    es_str_free(&deep);
}
END_TEST
#endif

/* ---- vocab ---- */

START_TEST(vocab_tells_what_is_in_use)
{
    ck_assert_int_eq(run(":vocab"), ES_DONE);
    json_t *o = answer();
    ck_assert_str_eq(json_string_value(json_object_get(o, "name")), "gpt2");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "size")), 50257);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "merges")), 50000);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "no_text")), 344);
    ck_assert_ptr_nonnull(
        strstr(json_string_value(json_object_get(o, "path")), "/bpe/gpt2.tables"));
    json_t *special = json_array_get(json_object_get(o, "special"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(special, "text")), "<|endoftext|>");
    ck_assert_uint_eq(
        strlen(json_string_value(json_object_get(json_object_get(o, "longest"), "hex"))), 256);
    json_decref(o);
    const char *lines = "vocabulary  gpt2\n"
                        "tokens      50,257\n"
                        "merges      50,000\n"
                        "special     id 50256, <|endoftext|>\n"
                        "longest     128 bytes, id 35496, ÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃÂÃ…\n"
                        "no text     344 of the tokens: their bytes are parts of characters\n"
                        "found at    ";
    ck_assert_msg(!strncmp(heard.shown.s, lines, strlen(lines)), "%s", heard.shown.s);
    ck_assert_int_eq(run(":vocab gpt2"), ES_DONE);
    check_error(":vocab o200k", "unsupported",
                "the vocabulary is chosen when the program starts, \"o200k\" is not taken up now");
}
END_TEST

START_TEST(tab_completes_the_words_of_near)
{
    es_completion c = es_complete(heard.session, ":near king by=", 14);
    ck_assert_uint_eq(c.n, 3);
    ck_assert_str_eq(c.word[0], "by=cosine");
    es_completion_free(&c);
    c = es_complete(heard.session, ":near king ", 11);
    ck_assert_uint_eq(c.n, 0);
    es_completion_free(&c);
}
END_TEST

Suite *near_commands_suite(void)
{
    Suite *s = suite_create("near_commands");
    TCase *tc = tcase_create("near");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, near_answers_with_ids_scores_and_the_floor);
    tcase_add_test(tc, near_takes_tokens_as_they_are_named);
    tcase_add_test(tc, terms_are_added_with_their_factors);
    tcase_add_test(tc, a_bare_word_says_which_token_it_took_and_why);
    tcase_add_test(tc, near_refuses_in_words);
    tcase_add_test(tc, near_shows_the_floor_among_the_rows);
    tcase_add_test(tc, numbers_that_are_none_are_warned_of_once);
    tcase_add_test(tc, near_lives_with_a_table_of_another_size);
    tcase_add_test(tc, an_interrupt_stops_a_search);
    tcase_add_test(tc, find_looks_at_bytes);
#if ES_HAVE_PCRE2
    tcase_add_test(tc, find_takes_regular_expressions);
    tcase_add_test(tc, find_refuses_patterns_that_are_none_or_explode);
#endif
    tcase_add_test(tc, vocab_tells_what_is_in_use);
    tcase_add_test(tc, tab_completes_the_words_of_near);
    suite_add_tcase(s, tc);
    return s;
}
