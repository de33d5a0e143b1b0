// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "box_font.h"
#include "support.h"
#include "view/heat.h"
#include "view/raster.h"

Suite *heat_suite(void);

enum { ROWS = 3, COLUMNS = 4, SIDE = 60, EM = 10 };

static es_font *font;
static es_raster raster;
static const es_palette *palette;
static const es_box area = {5, 5, SIDE *COLUMNS, SIDE *ROWS};
static const float values[ROWS * COLUMNS] = {-2, -1.5f, -1, -0.5f, 0,  0.25f,
                                             1,  1.75f, 2,  NAN,   -4, INFINITY};
static const es_heat heat = {values, ROWS, COLUMNS, COLUMNS, 2};

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    font = box_font();
    palette = es_palette_named("dark");
    ck_assert_works(es_raster_open(&raster, 250, 190, 1, false, font, &err), err);
    es_raster_clear(&raster, palette->ground);
}

static void teardown(void)
{
    es_raster_close(&raster);
    es_font_free(font);
}

static uint32_t pixel(float x, float y)
{
    return raster.pixels[(int)y * raster.w + (int)x];
}

static es_argb colour_at(int64_t i)
{
    return es_diverging(palette, values[i] / 2);
}

START_TEST(cells_have_the_colours_of_their_numbers)
{
    es_heat_draw(&heat, &raster.canvas, area, palette);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
        es_box cell = es_heat_cell(&heat, area, i / COLUMNS, i % COLUMNS);
        demand(pixel(cell.x + SIDE / 2, cell.y + SIDE / 2) == colour_at(i), "cell %d", (int)i);
    }
    ck_assert_uint_eq(colour_at(9), palette->wrong);
}
END_TEST

START_TEST(the_cell_at_a_spot_is_the_one_that_is_drawn_there)
{
    int64_t row, column;
    es_heat_draw(&heat, &raster.canvas, area, palette);
    for (int y = 0; y < raster.h; y += 3)
        for (int x = 0; x < raster.w; x += 3) {
            es_spot at = {(float)x + 0.5f, (float)y + 0.5f};
            bool found = es_heat_pick(&heat, area, at, &row, &column);
            demand(found == es_box_has(area, at.x, at.y), "%d, %d", x, y);
            demand(!found || pixel(at.x, at.y) == colour_at(row * COLUMNS + column), "%d, %d", x,
                   y);
        }
}
END_TEST

START_TEST(where_all_numbers_are_0_their_colour_is_that_of_0)
{
    const float zero[] = {0, -0.0f, NAN};
    es_heat_draw(&(es_heat){zero, 1, 3, 3, 0}, &raster.canvas, area, palette);
    ck_assert_uint_eq(pixel(20, 20), es_diverging(palette, 0));
    ck_assert_uint_eq(pixel(125, 20), es_diverging(palette, 0));
    ck_assert_uint_eq(pixel(240, 20), palette->wrong);
}
END_TEST

/* "-2.00" in boxes of 0.6 em, and half an em around it: 3.5 em. */
START_TEST(numbers_are_printed_where_the_widest_fits)
{
    es_canvas *c = &raster.canvas;
    ck_assert(es_heat_fits(&heat, c, (es_box){0, 0, 35 * COLUMNS, 12 * ROWS}, EM, 2));
    ck_assert(!es_heat_fits(&heat, c, (es_box){0, 0, 34 * COLUMNS, 12 * ROWS}, EM, 2));
    ck_assert(!es_heat_fits(&heat, c, (es_box){0, 0, 35 * COLUMNS, 11 * ROWS}, EM, 2));
    ck_assert(!es_heat_numbers(&heat, c, (es_box){0, 0, 34 * COLUMNS, 60}, palette, EM, 2));
    for (int i = 0; i < raster.w * raster.h; i++)
        demand(raster.pixels[i] == palette->ground, "a number that does not fit was printed");
    ck_assert(es_heat_numbers(&heat, c, area, palette, EM, 2));
}
END_TEST

static int64_t printed_in(es_box cell)
{
    int64_t n = 0;
    for (int y = (int)cell.y; y < (int)(cell.y + cell.h); y++)
        for (int x = (int)cell.x; x < (int)(cell.x + cell.w); x++)
            n += pixel((float)x, (float)y) != palette->ground;
    return n;
}

START_TEST(a_cell_that_is_cut_shows_no_part_of_its_number)
{
    es_canvas_clip(&raster.canvas, (es_box){area.x + SIDE / 2.0f, 0, 2 * SIDE, 200});
    ck_assert(es_heat_numbers(&heat, &raster.canvas, area, palette, EM, 2));
    for (int64_t k = 0; k < COLUMNS; k++)
        demand((printed_in(es_heat_cell(&heat, area, 1, k)) > 0) == (k == 1), "column %d", (int)k);
}
END_TEST

static void expect(double value, float most, const char *want)
{
    es_str out = {0};
    es_heat_number(&out, value, most, es_heat_decimals(most));
    ck_assert_str_eq(out.s, want);
    es_str_free(&out);
}

START_TEST(numbers_have_three_digits_of_the_scale_s_end)
{
    expect(0.431, 0.5f, "0.431");
    expect(-0.04, 1, "-0.04");
    expect(-0.001, 1, "0.00");
    expect(12.345, 20, "12.3");
    expect(1234.5, 2000, "1234");
    expect(3e38, 3e38f, "3.00e+38");
    expect(-2e-9, 3e-9f, "-2.00e-09");
    expect((double)NAN, 1, "NaN");
    expect(-(double)INFINITY, 1, "-Inf");
    expect(0, 0, "0.00");
}
END_TEST

START_TEST(the_scale_is_drawn_from_end_to_end)
{
    float h = es_heat_legend(&raster.canvas, area, 2, "numbers", palette, EM);
    ck_assert(h > 2 * EM && h < 3 * EM);
    ck_assert_uint_eq(pixel(area.x + 70, area.y + 4), es_diverging(palette, 1.0f / 96));
    ck_assert(pixel(area.x + 2, area.y + 4) != pixel(area.x + 137, area.y + 4));
    float above = es_heat_legend(&raster.canvas, area, 2,
                                 "more words than there is room for beside the bar of the scale",
                                 palette, EM);
    ck_assert_float_eq_tol(above, h + 1.4f * EM, 0.01f);
}
END_TEST

Suite *heat_suite(void)
{
    Suite *s = suite_create("heat");
    TCase *tc = tcase_create("heat");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, cells_have_the_colours_of_their_numbers);
    tcase_add_test(tc, the_cell_at_a_spot_is_the_one_that_is_drawn_there);
    tcase_add_test(tc, where_all_numbers_are_0_their_colour_is_that_of_0);
    tcase_add_test(tc, numbers_are_printed_where_the_widest_fits);
    tcase_add_test(tc, a_cell_that_is_cut_shows_no_part_of_its_number);
    tcase_add_test(tc, numbers_have_three_digits_of_the_scale_s_end);
    tcase_add_test(tc, the_scale_is_drawn_from_end_to_end);
    suite_add_tcase(s, tc);
    return s;
}
