// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables of one's own about the tokens: how they are read, refused, and seen in the map. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "session/complete.h"
#include "stage.h"
#include "support.h"
#include "view/colouring.h"
#include "view/map.h"
#include "view/token_cell.h"

Suite *meta_suite(void);

enum { V = 300 };

static es_bpe *bpe;
static es_meta *table;
static es_error err;

static void setup(void)
{
    calm_environment();
    bpe = gpt2();
    table = NULL;
    err = ES_ERROR_NONE;
}

static void teardown(void)
{
    es_meta_free(table);
    es_bpe_free(bpe);
    es_error_free(&err);
}

static void read_bytes(const char *text, size_t n)
{
    es_meta_free(table);
    table = es_meta_read(text, n, "t.tsv", bpe, V, NULL, &err);
}

static void check_read(const char *text)
{
    read_bytes(text, strlen(text));
    ck_assert_works(table != NULL, err);
}

static void check_fails(const char *text, es_code code, const char *message)
{
    read_bytes(text, strlen(text));
    ck_assert_fails(table != NULL, err, code, message);
}

static const char *value(int column, int32_t id)
{
    static char copy[100];
    const char *bytes = "";
    size_t n = es_meta_value(table, column, id, &bytes);
    snprintf(copy, sizeof copy, "%.*s", (int)n, bytes);
    return copy;
}

/* ---- whose row it is ---- */

START_TEST(a_column_called_id_names_the_token)
{
    check_read("name\tId\nseven\t7\nthree\t3\n");
    ck_assert_int_eq(table->n, 1);
    ck_assert_str_eq(table->column[0].name.s, "name");
    ck_assert_int_eq(table->tokens, 2);
    ck_assert_str_eq(value(0, 7), "seven");
    ck_assert_str_eq(value(0, 3), "three");
    ck_assert_str_eq(value(0, 4), "");
}
END_TEST

START_TEST(an_id_wins_over_the_text_of_a_token)
{
    check_read("Token\tId\tCount\nnonsense\t5\t12\n");
    ck_assert_int_eq(table->n, 1);
    ck_assert_str_eq(value(0, 5), "12");
    ck_assert_int_eq(table->unknown, 0);
}
END_TEST

START_TEST(tokens_are_named_in_several_ways)
{
    static const char *const ways[] = {"␣a", "\" a\"", " a", "\"\\x20a\""};
    int32_t id = es_bpe_find(bpe, " a", 2);
    ck_assert_int_lt(id, V);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        es_str text = {0};
        es_str_add(&text, "token\tn\n%s\t4\n", ways[i]);
        check_read(text.s);
        ck_assert_str_eq(value(0, id), "4");
        es_str_free(&text);
    }
    check_read("token\tn\n\\n\t1\n\\\\\t2\n\\x22\t3\n<80>\t4\n");
    ck_assert_str_eq(value(0, es_bpe_find(bpe, "\n", 1)), "1");
    ck_assert_str_eq(value(0, es_bpe_find(bpe, "\\", 1)), "2");
    ck_assert_str_eq(value(0, es_bpe_find(bpe, "\"", 1)), "3");
    ck_assert_str_eq(value(0, es_bpe_find(bpe, "\x80", 1)), "4");
}
END_TEST

START_TEST(every_token_is_read_back_as_it_is_written)
{
    for (int32_t id = 0; id < es_bpe_vocab_size(bpe); id++) {
        size_t n;
        const char *bytes = es_bpe_bytes(bpe, id, &n);
        es_str cell = {0};
        es_token_cell(&cell, bytes, n);
        demand(!strpbrk(cell.s, "\"\t\r\n"), "%s", cell.s);
        demand(es_token_of_cell(bpe, cell.s, cell.len) == id, "#%d: %s", (int)id, cell.s);
        es_str_free(&cell);
    }
    ck_assert_int_eq(es_token_of_cell(bpe, "", 0), -1);
    ck_assert_int_eq(es_token_of_cell(bpe, "\"\"", 2), es_bpe_find(bpe, "\"\"", 2));
    ck_assert_int_eq(es_token_of_cell(bpe, "\",\"", 3), es_bpe_find(bpe, ",", 1));
}
END_TEST

static void check_rows(int64_t lines, bool two, const char *first)
{
    es_str text = {0};
    for (int64_t i = 0; i < lines; i++)
        es_str_add(&text, two ? "w%d\t%d\n" : "w%d\n", (int)i, (int)i);
    check_read(text.s);
    ck_assert_int_eq(table->tokens, V);
    ck_assert_str_eq(value(0, 0), first);
    es_str_free(&text);
}

START_TEST(without_a_column_of_tokens_rows_are_ids)
{
    check_rows(V, false, "w0");
    ck_assert_str_eq(table->column[0].name.s, "column1");
    check_rows(V + 1, false, "w1");
    ck_assert_str_eq(table->column[0].name.s, "w0");
    check_rows(V, true, "w0");
    ck_assert_str_eq(table->column[1].name.s, "column2");
    check_rows(V + 1, true, "w1");
    ck_assert_str_eq(table->column[1].name.s, "0");
}
END_TEST

START_TEST(marks_and_ends_of_lines_of_other_systems_are_fine)
{
    check_read("\xEF\xBB\xBFid\tn\r\n1\tx\r\n2\ty");
    ck_assert_str_eq(value(0, 1), "x");
    ck_assert_str_eq(value(0, 2), "y");
    check_read("id\tn\n1\tx\n\n\n");
    ck_assert_int_eq(table->tokens, 1);
}
END_TEST

/* ---- what is wrong with it ---- */

START_TEST(errors_name_line_and_column)
{
    check_fails("id\tn\n1\n", ES_ERR_FORMAT, "t.tsv, line 2: 1 column, where line 1 has 2");
    check_fails("n\tid\nx\t300\n", ES_ERR_FORMAT,
                "t.tsv, line 2, column 2 (id): an id is a whole number from 0 to 299, not \"300\"");
    check_fails("id\tn\n1\t2\n-1\t2\n", ES_ERR_FORMAT,
                "t.tsv, line 3, column 1 (id): an id is a whole number from 0 to 299, not \"-1\"");
    check_fails("id\tn\n99999999999999999999\t2\n", ES_ERR_FORMAT,
                "t.tsv, line 2, column 1 (id): an id is a whole number from 0 to 299, not "
                "\"99999999999999999999\"");
    check_fails("id\tn\n64\t2\n65\t\n64\t3\n", ES_ERR_FORMAT,
                "t.tsv, line 4, column 1 (id): a #64 has its row on line 2");
    check_fails("id\tn\tn\n1\t2\t3\n", ES_ERR_FORMAT,
                "t.tsv, line 1, column 3 (n): another column has that name");
    check_fails("", ES_ERR_FORMAT, "t.tsv, line 1: there is nothing in this file");
    check_fails("id\tn\n1\t\xff\n", ES_ERR_FORMAT, "t.tsv, line 2: bytes that are no UTF-8");
    read_bytes("id\tn\n1\t\0\n", 9);
    ck_assert_fails(table != NULL, err, ES_ERR_FORMAT,
                    "t.tsv, line 2: a byte 0, so this is no text");
}
END_TEST

START_TEST(a_table_of_nobody_says_what_was_expected)
{
    check_fails("a\tb\n1\t2\n", ES_ERR_FORMAT,
                "t.tsv: 2 lines and no column called id or token; without one there is a row for "
                "each of the 300 tokens, with or without a header");
    read_bytes("id,n\n1,2\n", 9);
    ck_assert_str_eq(err.hint,
                     "columns are separated by tabs, and here are commas\n"
                     "try: a first line with the names of the columns, one of them token");
    es_error_free(&err);
    check_fails("token\tn\nnosuchtoken\t2\n", ES_ERR_VALUE,
                "t.tsv: no row is of a token of this vocabulary; line 2 has \"nosuchtoken\"");
    check_fails("id\tn\n", ES_ERR_VALUE, "t.tsv has a header and no rows");
}
END_TEST

START_TEST(tables_have_an_end)
{
    es_str text = {0};
    es_str_cat(&text, "id");
    for (int i = 0; i < ES_META_COLUMNS; i++)
        es_str_add(&text, "\tc%d", i);
    es_str_char(&text, '\n');
    check_fails(text.s, ES_ERR_FORMAT, "t.tsv, line 1: 65 columns, and a table has at most 64");
    es_str_free(&text);
    read_bytes("", (size_t)ES_META_BYTES + 1); /* it is not looked at */
    ck_assert_fails(table != NULL, err, ES_ERR_VALUE,
                    "t.tsv has 67108865 bytes, and a table has at most 67108864");
}
END_TEST

START_TEST(words_that_are_no_token_are_counted)
{
    check_read("token\tn\n a\t1\nunheardof\t2\nelephantine\t3\n");
    ck_assert_int_eq(table->tokens, 1);
    ck_assert_int_eq(table->unknown, 2);
    ck_assert_int_eq(table->first_unknown, 3);
}
END_TEST

START_TEST(reading_can_be_stopped)
{
    es_watch watch = {.cancel = true};
    static const char text[] = "id\tn\n1\t2\n";
    table = es_meta_read(text, sizeof text - 1, "t.tsv", bpe, V, &watch, &err);
    ck_assert_fails(table != NULL, err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
}
END_TEST

/* ---- values ---- */

START_TEST(a_column_of_numbers_has_a_scale)
{
    check_read("id\tn\tw\n1\t2\t2\n2\t-1.5e1\tx\n3\tnan\t\n4\tNA\t5\n5\t\t6\n6\t7\t-\n");
    const es_meta_column *n = &table->column[0], *w = &table->column[1];
    ck_assert(n->numbers);
    ck_assert_int_eq(n->n, 3);
    ck_assert_double_eq(n->low, -15);
    ck_assert_double_eq(n->high, 7);
    ck_assert(!w->numbers);
    ck_assert_int_eq(w->n, 5);
    const es_palette *p = es_palette_named("dark");
    ck_assert_uint_eq(es_meta_colour(table, 0, p, 2), es_sequential(p, 0));
    ck_assert_uint_eq(es_meta_colour(table, 0, p, 6), es_sequential(p, 1));
    ck_assert_uint_eq(es_meta_colour(table, 0, p, 3), es_meta_colour(table, 0, p, 200));
}
END_TEST

START_TEST(a_few_values_far_off_do_not_make_the_rest_one_colour)
{
    es_str text = {0}, label = {0};
    es_argb colour;
    es_str_cat(&text, "id\tn\n");
    for (int i = 0; i < V; i++)
        es_str_add(&text, "%d\t%g\n", i, i == 7 ? 1e30 : i);
    check_read(text.s);
    ck_assert_double_eq(table->column[0].low, 3);
    ck_assert_double_eq(table->column[0].high, 297);
    ck_assert(es_meta_legend(table, 0, es_palette_at(0), 0, &colour, &label));
    ck_assert(es_meta_legend(table, 0, es_palette_at(0), 1, &colour, &label));
    ck_assert_str_eq(label.s, "≤ 3≥ 297");
    ck_assert(!es_meta_legend(table, 0, es_palette_at(0), 2, &colour, &label));
    es_str_free(&text);
    es_str_free(&label);
}
END_TEST

static void legend(es_str *out)
{
    es_argb colour;
    es_str label = {0};
    for (int i = 0; es_meta_legend(table, 0, es_palette_at(0), i, &colour, &label); i++) {
        es_str_add(out, "%s%s", i ? ", " : "", label.s);
        es_str_free(&label);
    }
}

/* So many different words: word k has as many tokens as there are letters from it on. */
static void read_words(int different)
{
    es_str text = {0};
    int id = 0;
    es_str_cat(&text, "id\tw\n");
    for (int k = different; k-- > 0;)
        for (int i = k; i < different; i++)
            es_str_add(&text, "%d\t%c\n", id++, 'a' + k);
    check_read(text.s);
    es_str_free(&text);
}

START_TEST(the_commonest_words_have_a_hue_each)
{
    es_str told = {0};
    read_words(8);
    legend(&told);
    ck_assert_str_eq(told.s, "a, b, c, d, e, f, g, h, no value");
    es_str_cut(&told, 0);
    read_words(10);
    ck_assert_int_eq(table->column[0].different, 10);
    legend(&told);
    ck_assert_str_eq(told.s, "a, b, c, d, e, f, g, 3 others, no value");
    const es_palette *p = es_palette_at(0);
    ck_assert_uint_eq(es_meta_colour(table, 0, p, 54), p->hue[0]); /* the last a */
    ck_assert_uint_eq(es_meta_colour(table, 0, p, 0), p->faint);   /* j */
    es_str_free(&told);
}
END_TEST

START_TEST(of_words_as_common_the_first_goes_first)
{
    es_str told = {0};
    check_read("id\tw\n9\tz\n2\ty\n4\tx\n");
    legend(&told);
    ck_assert_str_eq(told.s, "y, x, z, no value");
    es_str_free(&told);
}
END_TEST

START_TEST(controls_are_not_shown_as_they_are)
{
    es_str told = {0};
    check_read("id\ta\x1b[31m\n9\tz\x1b]0;x\x07\xE2\x80\xAE\n");
    legend(&told);
    ck_assert_str_eq(told.s, "z\\x1b]0;x\\x07\\u{202e}, no value");
    es_str_free(&told);
}
END_TEST

/* ---- in the program ---- */

static stage s;
static char *folder, *before;

static void open_stage(void)
{
    float wte[V * 4];
    uint64_t state = 5;
    for (int i = 0; i < V * 4; i++)
        wte[i] = (float)random_below(&state, 1000) / 1000;
    stage_open(&s, wte, V, NULL, 0, 4, ES_VIEW_MAP);
    folder = fresh_folder();
    before = getcwd(NULL, 0);
    ck_assert_int_eq(chdir(folder), 0);
    stage_run(&s, ":camera 2d");
}

static void close_stage(void)
{
    ck_assert_int_eq(chdir(before), 0);
    free(before);
    free(folder);
    stage_close(&s);
}

static void write_text(const char *path, const char *text)
{
    ck_assert(es_file_replace(path, text, strlen(text), NULL));
}

static void done(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
}

static void says(const char *line, const char *want)
{
    done(line);
    ck_assert_str_eq(s.json.s, want);
}

START_TEST(a_column_colours_the_map)
{
    write_text("t.tsv", "id\ttopic\tmy own\tlength\n5\tfood\t1\t10\n6\tplace\t2\t20\n");
    says(":meta t.tsv",
         "{\"kind\":\"meta\",\"path\":\"t.tsv\",\"tokens\":2,\"unknown\":0,\"columns\":["
         "{\"name\":\"topic\",\"kind\":\"words\",\"tokens\":2,\"different\":2,\"common\":["
         "{\"word\":\"food\",\"tokens\":1},{\"word\":\"place\",\"tokens\":1}]},"
         "{\"name\":\"my own\",\"kind\":\"numbers\",\"tokens\":2,\"low\":1,\"high\":2},"
         "{\"name\":\"length\",\"kind\":\"numbers\",\"tokens\":2,\"low\":10,\"high\":20}]}\n");
    done(":color-by topic");
    const es_palette *p = es_viewer_palette(s.viewer);
    ck_assert_uint_eq(es_map_follow(s.viewer)->colour[5], p->hue[0]);
    ck_assert_uint_eq(es_map_follow(s.viewer)->colour[6], p->hue[1]);
    done(":color-by \"my own\"");
    ck_assert_uint_eq(es_map_follow(s.viewer)->colour[6], es_sequential(p, 1));
    says(":color-by", "{\"kind\":\"color-by\",\"by\":\"my own\",\"meta\":true}\n");
    done(":color-by length"); /* the program's own word, but for quotes */
    says(":color-by", "{\"kind\":\"color-by\",\"by\":\"length\"}\n");
    done(":color-by \"length\"");
    says(":color-by", "{\"kind\":\"color-by\",\"by\":\"length\",\"meta\":true}\n");
    stage_draw(&s, 500, 400);
}
END_TEST

START_TEST(another_table_is_seen_at_once)
{
    write_text("t.tsv", "id\ttopic\n5\tfood\n6\tplace\n7\tplace\n");
    write_text("u.tsv", "id\ttopic\n5\tfood\n");
    const es_palette *p = es_viewer_palette(s.viewer);
    done(":meta t.tsv");
    done(":color-by topic");
    ck_assert_uint_eq(es_map_follow(s.viewer)->colour[5], p->hue[1]);
    done(":meta u.tsv"); /* a column of the same name goes on */
    ck_assert_uint_eq(es_map_follow(s.viewer)->colour[5], p->hue[0]);
    done(":meta none");
    says(":color-by", "{\"kind\":\"color-by\",\"by\":\"length\"}\n");
    says(":meta", "{\"kind\":\"meta\",\"path\":null,\"tokens\":0,\"unknown\":0,\"columns\":[]}\n");
    ck_assert_int_eq(stage_run(&s, ":color-by topic"), ES_FAILED);
    ck_assert_str_eq(s.hint.s, "try: :help color-by\n"
                               "a column of a table of one's own: :meta FILE.tsv first");
}
END_TEST

START_TEST(a_table_that_cannot_be_read_leaves_the_old_one)
{
    write_text("t.tsv", "id\ttopic\n5\tfood\n");
    write_text("bad.tsv", "id\ttopic\n5\n");
    done(":meta t.tsv");
    done(":color-by topic");
    ck_assert_int_eq(stage_run(&s, ":meta bad.tsv"), ES_FAILED);
    ck_assert_str_eq(s.message.s, "bad.tsv, line 2: 1 column, where line 1 has 2");
    ck_assert_int_eq(stage_run(&s, ":meta nothing.tsv"), ES_FAILED);
    ck_assert_str_eq(s.message.s, "cannot open nothing.tsv: No such file or directory");
    ck_assert_int_eq(s.viewer->meta_column, 0);
}
END_TEST

START_TEST(a_table_is_recalled)
{
    es_str lines = {0};
    write_text("a b.tsv", "id\ttopic\n5\tfood\n");
    done(":meta a b.tsv");
    done(":color-by topic");
    es_viewer_recall(s.viewer, &lines);
    static const char want[] = ":meta \"a b.tsv\"\n:color-by \"topic\"\n";
    ck_assert_msg(!strncmp(lines.s, want, sizeof want - 1), "%s", lines.s);
    es_str_free(&lines);
}
END_TEST

START_TEST(a_table_of_other_tokens_is_forgotten)
{
    write_text("t.tsv", "id\ttopic\n5\tfood\n");
    done(":meta t.tsv");
    done(":color-by topic");
    done(":model untrained:V=300,C=8"); /* as many tokens of the same vocabulary */
    es_viewer_follow(s.viewer);
    ck_assert_ptr_nonnull(s.viewer->meta);
    done(":model untrained:V=200,C=8");
    es_viewer_follow(s.viewer);
    ck_assert_ptr_null(s.viewer->meta);
    ck_assert_int_eq(s.viewer->meta_column, -1);
}
END_TEST

START_TEST(columns_are_offered_at_the_prompt)
{
    write_text("t.tsv", "id\ttopic\ttwo words\n5\tfood\tx\n");
    done(":meta t.tsv");
    es_completion c = es_complete(s.session, ":color-by t", 11);
    ck_assert_uint_eq(c.n, 1);
    ck_assert_str_eq(c.word[0], "topic");
    es_completion_free(&c);
}
END_TEST

Suite *meta_suite(void)
{
    Suite *suite = suite_create("meta");
    TCase *tc = tcase_create("tables"), *program = tcase_create("program");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_column_called_id_names_the_token);
    tcase_add_test(tc, an_id_wins_over_the_text_of_a_token);
    tcase_add_test(tc, tokens_are_named_in_several_ways);
    tcase_add_test(tc, every_token_is_read_back_as_it_is_written);
    tcase_add_test(tc, without_a_column_of_tokens_rows_are_ids);
    tcase_add_test(tc, marks_and_ends_of_lines_of_other_systems_are_fine);
    tcase_add_test(tc, errors_name_line_and_column);
    tcase_add_test(tc, a_table_of_nobody_says_what_was_expected);
    tcase_add_test(tc, tables_have_an_end);
    tcase_add_test(tc, words_that_are_no_token_are_counted);
    tcase_add_test(tc, reading_can_be_stopped);
    tcase_add_test(tc, a_column_of_numbers_has_a_scale);
    tcase_add_test(tc, a_few_values_far_off_do_not_make_the_rest_one_colour);
    tcase_add_test(tc, the_commonest_words_have_a_hue_each);
    tcase_add_test(tc, of_words_as_common_the_first_goes_first);
    tcase_add_test(tc, controls_are_not_shown_as_they_are);
    tcase_add_checked_fixture(program, open_stage, close_stage);
    tcase_add_test(program, a_column_colours_the_map);
    tcase_add_test(program, another_table_is_seen_at_once);
    tcase_add_test(program, a_table_that_cannot_be_read_leaves_the_old_one);
    tcase_add_test(program, a_table_is_recalled);
    tcase_add_test(program, a_table_of_other_tokens_is_forgotten);
    tcase_add_test(program, columns_are_offered_at_the_prompt);
    suite_add_tcase(suite, tc);
    suite_add_tcase(suite, program);
    return suite;
}
