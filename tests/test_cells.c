// SPDX-License-Identifier: GPL-3.0-or-later
/* The canvas of terminal cells: what is printed, to the byte. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "support.h"
#include "view/cells.h"

Suite *cells_suite(void);

enum { COLUMNS = 10, LINES = 3 };
static const es_argb ground = 0xff000000, white = 0xffffffff, red = 0xffff0000, blue = 0xff0000ff;
static es_cells t;
static es_str out;

static void setup(void)
{
    es_cells_open(&t, COLUMNS, LINES, ground);
}

static void teardown(void)
{
    es_cells_close(&t);
    es_str_free(&out);
}

static es_canvas *c(void)
{
    return &t.canvas;
}

static void string_at(int column, int line, const char *text)
{
    const es_ink ink = {.size = 13, .colour = white};
    es_canvas_string(c(), (float)(column * ES_CELL_W), ((float)line + 0.5F) * ES_CELL_H, text,
                     &ink);
}

/* Without colour, lines joined by line breaks. */
static void plain(const char *want)
{
    es_str_cut(&out, 0);
    es_cells_show(&t, &out, false, false);
    ck_assert_str_eq(es_str_text(&out), want);
}

static void coloured(const char *want)
{
    es_str_cut(&out, 0);
    es_cells_show(&t, &out, true, true);
    ck_assert_str_eq(es_str_text(&out), want);
}

static es_argb half(int column, int row)
{
    return t.half[row * COLUMNS + column];
}

/* How bright it is, 0 to 255, of grey. */
static int lit(int column, int row)
{
    return (int)(half(column, row) & 0xff);
}

#define BLACK_LINE "\x1b[48;2;0;0;0m          \x1b[0m\n"

/* ---- text ---- */

START_TEST(text_stands_in_its_cells)
{
    string_at(1, 0, "The cat");
    string_at(8, 1, "cut here");
    string_at(-2, 2, "abcde");
    string_at(0, 3, "below");
    plain(" The cat\n        cu\ncde\n");
    ck_assert_float_eq(es_canvas_width(c(),
                                       "\xe6\x9c\xac"
                                       "e\xcc\x81",
                                       6, NULL),
                       3 * ES_CELL_W);
}
END_TEST

START_TEST(wide_characters_have_two_cells_or_none)
{
    string_at(0, 0, "\xe6\x9c\xac\xe6\x9c\xac");
    string_at(9, 1, "\xe6\x9c\xac");
    string_at(8, 2, "\xe6\x9c\xac");
    plain("\xe6\x9c\xac\xe6\x9c\xac\n\n        \xe6\x9c\xac\n");
    string_at(1, 0, "x");
    string_at(2, 0, "y");
    string_at(8, 2, "z");
    plain(" xy\n\n        z\n");
    string_at(0, 0, "ab\xe6\x9c\xac");
    string_at(1, 0, "\xe6\x9c\xac");
    plain("a\xe6\x9c\xac\n\n        z\n");
}
END_TEST

START_TEST(marks_stay_with_their_letter_as_long_as_there_is_room)
{
    es_str many = {0}, want = {0};
    string_at(0, 0, "e\xcc\x81x");
    string_at(0, 1, "\xcc\x81x");
    es_str_char(&many, 'a');
    for (int i = 0; i < 100; i++)
        es_str_cat(&many, "\xcc\x81");
    es_str_char(&many, 'b');
    string_at(0, 2, many.s);
    es_str_cat(&want, "e\xcc\x81x\nx\n");
    es_str_bytes(&want, many.s, 27);
    es_str_cat(&want, "b\n");
    plain(want.s);
    es_str_free(&many);
    es_str_free(&want);
}
END_TEST

START_TEST(controls_and_broken_bytes_are_not_printed)
{
    const es_ink ink = {.size = 13, .colour = white};
    static const char text[] = "a\x1b[2J\xff\xe2\x80\xae"
                               "b\n";
    es_canvas_text(c(), 0, 8, text, sizeof text - 1, &ink);
    plain("a[2Jb\n\n\n");
}
END_TEST

START_TEST(letters_from_right_to_left_are_kept_apart)
{
    string_at(0, 0, "\xd7\xa9\xd7\x9c 1");
    coloured("\xe2\x81\xa8\x1b[38;2;255;255;255;48;2;0;0;0m\xd7\xa9\xd7\x9c\xe2\x81\xa9 1      "
             "\x1b[0m\n" BLACK_LINE BLACK_LINE);
    ck_assert_int_eq(es_columns(out.s, strcspn(out.s, "\n")), COLUMNS);
    plain("\xd7\xa9\xd7\x9c 1\n\n\n");
}
END_TEST

START_TEST(what_stands_behind_text_gives_way_or_the_ink_does)
{
    const es_ink yellow = {.size = 13, .colour = 0xffffff00, .bold = true};
    const es_ink dark = {.size = 13, .colour = 0xff101010};
    es_canvas_fill(c(), (es_box){0, 0, 8, 8}, white);
    es_canvas_fill(c(), (es_box){0, 8, 8, 8}, 0xffe0e0e0);
    es_canvas_string(c(), 0, 8, "ab", &yellow);
    es_canvas_string(c(), 16, 8, "c", &dark);
    coloured("\x1b[1;38;2;255;255;0;48;2;119;119;119ma\x1b[48;2;0;0;0mb"
             "\x1b[22;38;2;255;255;255mc       \x1b[0m\n" BLACK_LINE BLACK_LINE);
}
END_TEST

START_TEST(what_hides_a_cell_hides_its_letter)
{
    string_at(0, 0,
              "a\xe6\x9c\xac"
              "b");
    es_canvas_fill(c(), (es_box){16, 0, 8, 16}, white);
    plain("a @b\n\n\n");
}
END_TEST

/* ---- what is drawn ---- */

START_TEST(a_cell_is_two_half_blocks_and_only_changes_are_said)
{
    coloured(BLACK_LINE BLACK_LINE BLACK_LINE);
    es_canvas_fill(c(), (es_box){0, 0, 24, 8}, red);
    es_canvas_fill(c(), (es_box){24, 0, 16, 8}, red);
    es_canvas_fill(c(), (es_box){24, 8, 16, 8}, blue);
    es_canvas_fill(c(), (es_box){0, 16, 8, 8}, red);
    es_canvas_fill(c(), (es_box){8, 24, 8, 8}, red);
    coloured("\x1b[38;2;255;0;0;48;2;0;0;0m\u2580\u2580\u2580\x1b[48;2;0;0;255m\u2580\u2580"
             "\x1b[48;2;0;0;0m     \x1b[0m\n"
             "\x1b[38;2;255;0;0;48;2;0;0;0m\u2580\u2584        \x1b[0m\n" BLACK_LINE);
}
END_TEST

START_TEST(without_colours_what_differs_more_is_denser)
{
    for (int i = 0; i < COLUMNS; i++)
        es_canvas_fill(c(), (es_box){(float)(i * ES_CELL_W), 0, ES_CELL_W, ES_CELL_H},
                       0xff000000 | (es_argb)(i * 255 / 9) * 0x010101);
    es_canvas_fill(c(), (es_box){0, 16, 16, 8}, white);
    plain(" .:-=+*#%@\n++\n\n");
}
END_TEST

START_TEST(a_hairline_is_seen_and_half_a_half_block_is_half_as_bright)
{
    es_canvas_fill(c(), (es_box){0, 4, 80, 1}, white);
    es_canvas_fill(c(), (es_box){0, 16, 4, 8}, white);
    ck_assert_int_eq(lit(5, 0), 64);
    ck_assert_int_eq(lit(0, 2), 128);
    ck_assert_int_eq(lit(1, 2), 0);
}
END_TEST

START_TEST(nothing_leaves_the_clip)
{
    const es_ink ink = {.size = 13, .colour = white};
    es_box all = es_canvas_clip(c(), (es_box){16, 16, 32, 16});
    es_canvas_fill(c(), (es_box){-1e9F, -1e9F, 2e9F, 2e9F}, white);
    es_canvas_string(c(), 0, 8, "above", &ink);
    es_canvas_string(c(), 0, 24, "abcdefghij", &ink);
    es_canvas_discs(c(), (es_disc[]){{4, 4, 2, red, 1}, {60, 24, 30, red, 2}}, 2);
    es_canvas_line(c(), (es_spot[]){{-1e9F, 4}, {1e9F, 4}}, 2, 1, 0, red);
    es_canvas_cells(c(), (es_box){0, 0, 80, 48}, &blue, 1, 1);
    for (int row = 0; row < 2 * LINES; row++)
        for (int column = 0; column < COLUMNS; column++) {
            bool in = row >= 2 && row < 4 && column >= 2 && column < 6;
            demand(half(column, row) == (in ? blue : ground), "%d, %d", column, row);
        }
    es_canvas_string(c(), 0, 24, "abcdefghij", &ink);
    es_canvas_clip(c(), all);
    es_canvas_fill(c(), (es_box){16, 16, 32, 16}, 0x80000000);
    plain("\n  cdef\n\n");
}
END_TEST

START_TEST(a_line_touches_half_blocks_once_from_end_to_end)
{
    es_canvas_line(c(), (es_spot[]){{4, 4}, {76, 4}, {76, 44}}, 3, 1.5F, 0, white);
    for (int i = 0; i < COLUMNS; i++)
        demand(lit(i, 0) == 128, "column %d: %d", i, lit(i, 0));
    for (int row = 1; row < 2 * LINES; row++)
        demand(lit(9, row) == (row < 6 ? 128 : 0), "row %d: %d", row, lit(9, row));
    es_canvas_line(c(), (es_spot[]){{4, 20}, {NAN, 20}, {44, 20}}, 3, 9, 0, white);
    ck_assert_int_eq(lit(0, 2), 0);
}
END_TEST

START_TEST(dashes_are_half_blocks_that_are_left_out)
{
    es_canvas_line(c(), (es_spot[]){{4, 4}, {76, 4}}, 2, 3, 2, white);
    for (int i = 0; i < COLUMNS; i++)
        demand(lit(i, 0) == (i % 2 ? 0 : 255), "column %d: %d", i, lit(i, 0));
}
END_TEST

START_TEST(a_small_disc_lights_a_half_block_and_more_light_it_more)
{
    es_disc many[200];
    for (int i = 0; i < 200; i++)
        many[i] = (es_disc){i < 1 ? 4 : i < 10 ? 20 : 36, 4, 1, white, i};
    es_canvas_discs(c(), many, 1);
    ck_assert_int_gt(lit(0, 0), 150);
    ck_assert_int_eq(lit(0, 1) + lit(1, 0), 0);
    es_cells_close(&t);
    setup();
    es_canvas_discs(c(), many, 200);
    ck_assert_int_gt(lit(0, 0), 70);
    ck_assert_int_gt(lit(2, 0), lit(0, 0) + 20);
    ck_assert_int_gt(lit(4, 0), lit(2, 0) + 20);
    ck_assert_int_eq(lit(4, 0), 255);
}
END_TEST

START_TEST(what_is_drawn_later_lies_on_top_and_crowds_mix)
{
    es_canvas_discs(c(),
                    (es_disc[]){{12, 12, 9, red, 1},
                                {12, 12, 4, blue, 2},
                                {36, 12, 4, red, 3},
                                {36, 12, 4, blue, 4},
                                {60, 12, NAN, red, 5},
                                {NAN, 12, 3, red, 6},
                                {60, 12, 3, 0, 7}},
                    7);
    ck_assert_uint_eq(half(1, 1), blue);
    ck_assert_uint_eq(half(4, 1), 0xff800080);
    ck_assert_uint_eq(half(7, 1), ground);
}
END_TEST

START_TEST(heat_maps_have_a_half_block_or_the_mean_of_its_cells)
{
    const es_argb two[] = {red, blue}, four[] = {0xff000000, 0xff646464, 0xff000000, 0xff646464};
    es_canvas_cells(c(), (es_box){0, 0, 80, 8}, two, 1, 2);
    ck_assert_uint_eq(half(4, 0), red);
    ck_assert_uint_eq(half(5, 0), blue);
    es_canvas_cells(c(), (es_box){0, 16, 16, 8}, four, 1, 4);
    ck_assert_int_eq(lit(0, 2), 50);
    ck_assert_int_eq(lit(1, 2), 50);
    ck_assert_int_eq(lit(2, 2), 0);
    es_canvas_cells(c(), (es_box){41, 18, 2, 2}, two, 1, 1);
    ck_assert_uint_eq(half(5, 2), red);
}
END_TEST

/* ---- all of it ---- */

START_TEST(no_line_is_wider_than_the_columns_whatever_is_drawn)
{
    static const char *const words[] = {"\xe6\x9c\xac", "e\xcc\x81", "\xd7\xa9\xd7\x9c", "a b",
                                        "\xf0\x9f\x98\x80"};
    uint64_t state = 7;
    for (int round = 0; round < 300; round++) {
        float x = (float)random_below(&state, 120) - 20, y = (float)random_below(&state, 60) - 5;
        const es_ink ink = {.size = 13, .colour = next_random(&state) | 0xff000000};
        es_canvas_string(c(), x, y, words[random_below(&state, 5)], &ink);
        if (round % 3 == 0)
            es_canvas_fill(c(), (es_box){x, y, (float)random_below(&state, 30), 9},
                           next_random(&state));
        es_str_cut(&out, 0);
        es_cells_show(&t, &out, round % 2, round % 2);
        int lines = 0;
        for (const char *s = out.s; *s; lines++) {
            size_t n = strcspn(s, "\n");
            int columns = es_columns(s, n);
            demand(round % 2 ? columns == COLUMNS : columns <= COLUMNS, "round %d: %d columns",
                   round, columns);
            s += n + 1;
        }
        demand(lines == LINES, "round %d: %d lines", round, lines);
        demand(es_utf8_valid(out.s, out.len), "round %d", round);
    }
}
END_TEST

Suite *cells_suite(void)
{
    Suite *suite = suite_create("cells");
    TCase *tc = tcase_create("cells");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, text_stands_in_its_cells);
    tcase_add_test(tc, wide_characters_have_two_cells_or_none);
    tcase_add_test(tc, marks_stay_with_their_letter_as_long_as_there_is_room);
    tcase_add_test(tc, controls_and_broken_bytes_are_not_printed);
    tcase_add_test(tc, letters_from_right_to_left_are_kept_apart);
    tcase_add_test(tc, what_stands_behind_text_gives_way_or_the_ink_does);
    tcase_add_test(tc, what_hides_a_cell_hides_its_letter);
    tcase_add_test(tc, a_cell_is_two_half_blocks_and_only_changes_are_said);
    tcase_add_test(tc, without_colours_what_differs_more_is_denser);
    tcase_add_test(tc, a_hairline_is_seen_and_half_a_half_block_is_half_as_bright);
    tcase_add_test(tc, nothing_leaves_the_clip);
    tcase_add_test(tc, a_line_touches_half_blocks_once_from_end_to_end);
    tcase_add_test(tc, dashes_are_half_blocks_that_are_left_out);
    tcase_add_test(tc, a_small_disc_lights_a_half_block_and_more_light_it_more);
    tcase_add_test(tc, what_is_drawn_later_lies_on_top_and_crowds_mix);
    tcase_add_test(tc, heat_maps_have_a_half_block_or_the_mean_of_its_cells);
    tcase_add_test(tc, no_line_is_wider_than_the_columns_whatever_is_drawn);
    suite_add_tcase(suite, tc);
    return suite;
}
