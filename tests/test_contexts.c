// SPDX-License-Identifier: GPL-3.0-or-later
/* The boxed text, and :contexts, which shows where tokens stand in it. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "listener.h"
#include "session/contexts.h"
#include "support.h"

Suite *contexts_suite(void);

static listener heard;

static void open_model(const char *model)
{
    listener_open(&heard, &(es_session_options){.model = model, .settings.pad = -1});
}

static void setup(void)
{
    calm_environment();
    open_model("untrained:C=8");
}

static void teardown(void)
{
    listener_close(&heard);
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

/* ---- the boxed text ---- */

START_TEST(its_tokens_spell_the_text)
{
    es_error err = ES_ERROR_NONE;
    const es_boxed *b = es_session_boxed(heard.session, &err);
    ck_assert_works(b != NULL, err);
    int64_t sum = 0;
    es_bpe *bpe = gpt2();
    for (size_t i = 0; i < b->tokens.n; i++) {
        size_t n, len = b->tokens.begin[i + 1] - b->tokens.begin[i];
        const char *text = (const char *)b->file.data + b->tokens.begin[i];
        const char *bytes = es_bpe_bytes(bpe, b->tokens.id[i], &n);
        if (b->tokens.id[i] == es_bpe_endoftext(bpe))
            demand(!memcmp(text, "\n\n", len), "a document ends in the middle, token %zu", i);
        else
            demand(n == len && !memcmp(bytes, text, n), "token %zu is another text", i);
    }
    for (int64_t id = 0; id < b->vocab_size; id++)
        sum += b->counts[id];
    ck_assert_int_eq(sum, b->tokens.n);
    ck_assert_int_eq(b->counts[es_bpe_endoftext(bpe)], b->n_documents);
    es_bpe_free(bpe);
}
END_TEST

START_TEST(every_document_is_learned_from_or_held_out)
{
    es_error err = ES_ERROR_NONE;
    const es_boxed *b = es_session_boxed(heard.session, &err);
    int64_t n[2];
    int32_t *learned = es_boxed_ids(b, false, &n[0]), *held = es_boxed_ids(b, true, &n[1]);
    ck_assert_int_eq(n[0] + n[1], b->tokens.n);
    ck_assert_int_gt(n[1], 2048);
    ck_assert_int_lt(n[1], n[0] / 10);
    ck_assert_mem_eq(held, b->tokens.id + b->first[ES_BOXED_HELD], 64 * sizeof *held);
    ck_assert_mem_eq(learned, b->tokens.id, b->first[ES_BOXED_HELD] * sizeof *held);
    free(learned);
    free(held);
}
END_TEST

/* ---- contexts ---- */

/* The lines are those of the text, and the counts are what a plain look through it finds. */
START_TEST(lines_have_the_token_in_the_middle)
{
    es_error err = ES_ERROR_NONE;
    const es_boxed *b = es_session_boxed(heard.session, &err);
    const char *text = (const char *)b->file.data;
    ck_assert_int_eq(run(":contexts \" July\" top=0 lines=1000"), ES_DONE);
    json_t *o = answer(), *token = json_array_get(json_object_get(o, "tokens"), 0);
    json_t *lines = json_object_get(token, "lines");
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, " July")); at++) {
        json_t *line = json_array_get(lines, found++);
        demand(json_integer_value(json_object_get(line, "begin")) == at - text, "line %zu", found);
        const char *right = json_string_value(json_object_get(line, "right"));
        demand(!strncmp(at + 5, right, strlen(right)), "right of line %zu", found);
        const char *left = json_string_value(json_object_get(line, "left"));
        demand(!strncmp(at - strlen(left), left, strlen(left)), "left of line %zu", found);
    }
    ck_assert_uint_eq(json_array_size(lines), found);
    ck_assert_int_eq(json_integer_value(json_object_get(token, "times")), found);
    json_decref(o);
}
END_TEST

START_TEST(brackets_stand_under_one_another_at_every_width)
{
    for (int width = ES_MIN_WIDTH; width <= 200; width += 20) {
        heard.style.width = width;
        run(":contexts \" King\" top=2");
        int column = -1;
        for (const char *line = heard.shown.s; *line; line = strchr(line, '\n') + 1) {
            size_t n = strcspn(line, "\n");
            const char *bracket = memchr(line, '[', n);
            demand(es_columns(line, n) <= width, "width %d: %.*s", width, (int)n, line);
            if (!bracket)
                continue;
            int here = es_columns(line, (size_t)(bracket - line));
            demand(column < 0 || here == column, "width %d: %.*s", width, (int)n, line);
            column = here;
        }
        demand(column > 0, "no line at width %d", width);
    }
}
END_TEST

START_TEST(neighbours_are_those_of_near)
{
    run(":near \" King\" top=7");
    json_t *near = answer(), *rows = json_object_get(near, "rows");
    run(":contexts \" King\" top=7");
    json_t *o = answer(), *tokens = json_object_get(o, "tokens");
    ck_assert_uint_eq(json_array_size(tokens), 8);
    for (size_t i = 0; i < 7; i++)
        for (int k = 0; k < 2; k++) {
            const char *key = k ? "score" : "id";
            json_t *one = json_object_get(json_array_get(rows, i), key);
            demand(json_equal(one, json_object_get(json_array_get(tokens, i + 1), key)), "%zu", i);
        }
    json_decref(near);
    json_decref(o);
}
END_TEST

START_TEST(a_token_that_is_not_there_is_said_not_to_be)
{
    run(":contexts \" quantum\" top=0");
    ck_assert_str_eq(heard.shown.s, "␣quantum does not stand in the boxed text of 79,663 tokens\n");
    run(":contexts \" Ottawa\" top=0");
    ck_assert_str_eq(heard.shown.s, "␣Ottawa stands 1 time in the boxed text of 79,663 tokens\n"
                                    "                            Capital:[␣Ottawa]\n");
}
END_TEST

START_TEST(contexts_takes_tokens_as_near_does)
{
    run(":contexts lines=1 King top=0");
    ck_assert_str_eq(
        heard.notes.s,
        "\"King\" and \" King\" are two tokens; how often each was seen in training "
        "is not known, so this takes \" King\", the word as it stands inside a sentence "
        "(in quotes, \"King\" is the other)\n");
    run("The King sat");
    run(":contexts @1 top=0 lines=1");
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"id\":2677,"));
}
END_TEST

START_TEST(contexts_refuses_in_words)
{
    check_error(":contexts", "usage", "the form is :contexts TOKEN [top=N] [lines=N]");
    check_error(":contexts top=2", "usage", "the form is :contexts TOKEN [top=N] [lines=N]");
    check_error(":contexts #1 top=-1", "range", "top is a whole number from 0 to 1000, not \"-1\"");
    check_error(":contexts #1 lines=0", "range",
                "lines is a whole number from 1 to 1000, not \"0\"");
    check_error(":contexts #50257", "index_range",
                "id 50257 is outside wte (50257 rows: 0..50256)");
    check_error(":contexts \" King\" \" Queen\"", "usage",
                "the form is :contexts TOKEN [top=N] [lines=N]");
}
END_TEST

Suite *contexts_suite(void)
{
    Suite *s = suite_create("contexts");
    TCase *tc = tcase_create("contexts");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, its_tokens_spell_the_text);
    tcase_add_test(tc, every_document_is_learned_from_or_held_out);
    tcase_add_test(tc, lines_have_the_token_in_the_middle);
    tcase_add_test(tc, brackets_stand_under_one_another_at_every_width);
    tcase_add_test(tc, neighbours_are_those_of_near);
    tcase_add_test(tc, a_token_that_is_not_there_is_said_not_to_be);
    tcase_add_test(tc, contexts_takes_tokens_as_near_does);
    tcase_add_test(tc, contexts_refuses_in_words);
    suite_add_tcase(s, tc);
    return s;
}
