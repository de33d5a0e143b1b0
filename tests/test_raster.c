// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "box_font.h"
#include "pictures.h"
#include "support.h"
#include "view/raster.h"

Suite *raster_suite(void);

#define BLACK 0xFF000000u
#define WHITE 0xFFFFFFFFu

static es_raster open_raster(int w, int h, float scale, bool ids, es_font *font)
{
    es_raster r;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_raster_open(&r, w, h, scale, ids, font, &err), err);
    return r;
}

static uint32_t pixel(const es_raster *r, int x, int y)
{
    return r->pixels[(size_t)y * r->w + x];
}

/* How many pixels' worth of white there is on black. */
static double whiteness(const es_raster *r)
{
    double sum = 0;
    for (int i = 0; i < r->w * r->h; i++)
        sum += (r->pixels[i] & 0xFF) / 255.0;
    return sum;
}

static double random_part(uint64_t *state)
{
    return next_random(state) / 4294967296.0;
}

static double gaussian(uint64_t *state)
{
    return sqrt(-2 * log(random_part(state) + 1e-12)) * cos(2 * M_PI * random_part(state));
}

/* ---- discs ---- */

START_TEST(a_disc_covers_pi_r_squared_wherever_it_is)
{
    const float radius[] = {0.3f, 0.5f, 0.8f, 1, 1.5f, 2.2f, 3, 4.7f, 6.9f, 7.1f, 12, 25.5f};
    es_raster r = open_raster(64, 64, 1, false, NULL);
    for (size_t k = 0; k < sizeof radius / sizeof *radius; k++)
        for (int place = 0; place < 64; place++) {
            es_disc d = {31 + (float)(place % 8) / 8, 31 + (float)(place / 8) / 8, radius[k], WHITE,
                         ES_NO_ID};
            double area = M_PI * radius[k] * radius[k];
            es_raster_clear(&r, BLACK);
            es_canvas_discs(&r.canvas, &d, 1);
            demand(fabs(whiteness(&r) - area) < 0.02 * area + 2 / 255.0,
                   "r %g at %g, %g: %g, not %g", (double)d.r, (double)d.x, (double)d.y,
                   whiteness(&r), area);
        }
    es_raster_close(&r);
}
END_TEST

/* Where the white is, on average: a disc's middle, to an eighth of a pixel. */
START_TEST(a_disc_is_where_it_should_be_to_parts_of_a_pixel)
{
    es_raster r = open_raster(48, 48, 1, false, NULL);
    for (int place = 0; place < 64; place++) {
        double x = 0, y = 0;
        es_disc d = {20 + (float)(place % 8) / 8, 20 + (float)(place / 8) / 8, place % 3 ? 2.2f : 9,
                     WHITE, ES_NO_ID};
        es_raster_clear(&r, BLACK);
        es_canvas_discs(&r.canvas, &d, 1);
        for (int i = 0; i < 48 * 48; i++) {
            x += (i % 48 + 0.5) * (r.pixels[i] & 0xFF) / 255;
            y += (i / 48 + 0.5) * (r.pixels[i] & 0xFF) / 255;
        }
        demand(fabs(x / whiteness(&r) - d.x) < 0.14 && fabs(y / whiteness(&r) - d.y) < 0.14,
               "%g, %g is drawn at %g, %g", (double)d.x, (double)d.y, x / whiteness(&r),
               y / whiteness(&r));
    }
    es_raster_close(&r);
}
END_TEST

START_TEST(discs_blend_in_order_and_the_ground_stays_opaque)
{
    es_raster r = open_raster(40, 20, 1, false, NULL);
    const es_argb one = 0x80FF0000, two = 0x4000FF00;
    for (float radius = 4; radius < 10; radius += 5) {
        es_disc d[] = {{10, 10, radius, one, ES_NO_ID}, {10, 10, radius, two, ES_NO_ID}};
        es_raster_clear(&r, 0xFF2040FF);
        es_canvas_discs(&r.canvas, d, 2);
        es_argb want = es_blend(es_blend(0xFF2040FF, one), two);
        ck_assert_uint_eq(pixel(&r, 10, 10), want);
        ck_assert_uint_eq(pixel(&r, 30, 10), 0xFF2040FF);
        for (int i = 0; i < 40 * 20; i++)
            demand(r.pixels[i] >> 24 == 0xFF, "pixel %d can be seen through", i);
    }
    es_raster_close(&r);
}
END_TEST

/* ---- lines ---- */

START_TEST(a_line_covers_its_width_times_its_length)
{
    es_raster r = open_raster(120, 120, 1, false, NULL);
    for (int k = 0; k < 48; k++) {
        const float width[] = {0.4f, 1, 1.7f, 5};
        double turn = 2 * M_PI * k / 48;
        float w = width[k % 4];
        es_spot at[] = {{60.3f, 59.8f},
                        {60.3f + 50 * (float)cos(turn), 59.8f + 50 * (float)sin(turn)}};
        es_raster_clear(&r, BLACK);
        es_canvas_line(&r.canvas, at, 2, w, 0, WHITE);
        demand(fabs(whiteness(&r) - w * 50) < 0.02 * w * 50 + 0.3, "width %g, turned by %d: %g",
               (double)w, k, whiteness(&r));
    }
    es_raster_close(&r);
}
END_TEST

START_TEST(dashes_are_half_of_a_line_and_go_on_round_corners)
{
    es_raster r = open_raster(220, 220, 1, false, NULL);
    es_spot at[101], corner[] = {{10, 10}, {17, 10}, {17, 100}};
    for (int i = 0; i <= 100; i++) /* 2 pixels each: shorter than a dash */
        at[i] = (es_spot){10 + 2 * (float)i, 110};
    es_canvas_line(&r.canvas, at, 101, 2, 5, WHITE);
    ck_assert_double_eq_tol(whiteness(&r), 200, 4);
    ck_assert_uint_eq(pixel(&r, 12, 110), WHITE);
    ck_assert_uint_eq(pixel(&r, 17, 110), BLACK);
    ck_assert_uint_eq(pixel(&r, 22, 110), WHITE);
    es_raster_clear(&r, BLACK);
    es_canvas_line(&r.canvas, corner, 3, 2, 5, WHITE);
    ck_assert_uint_eq(pixel(&r, 17, 11), BLACK); /* 7 to 10 are a gap */
    ck_assert_uint_eq(pixel(&r, 17, 15), WHITE);
    ck_assert_uint_eq(pixel(&r, 17, 20), BLACK);
    es_raster_close(&r);
}
END_TEST

START_TEST(joins_are_neither_open_nor_darker)
{
    es_raster r = open_raster(100, 60, 1, false, NULL);
    const es_argb colour = 0x80FFFFFF, full = es_blend(BLACK, colour);
    const es_spot zigzag[] = {{10, 10}, {80, 14}, {20, 30}, {85, 33}, {86, 33.5f}, {50, 52}};
    es_canvas_line(&r.canvas, zigzag, 6, 7, 0, colour);
    for (int i = 0; i < 100 * 60; i++)
        demand((r.pixels[i] & 0xFF) <= (full & 0xFF), "twice at %d, %d", i % 100, i / 100);
    for (int k = 1; k < 5; k++)
        for (int dx = -2; dx <= 2; dx++)
            demand(pixel(&r, (int)zigzag[k].x + dx, (int)zigzag[k].y) == full, "open at join %d",
                   k);
    es_raster_close(&r);
}
END_TEST

START_TEST(what_is_not_a_number_breaks_a_line)
{
    es_raster r = open_raster(100, 20, 1, false, NULL);
    const es_spot at[] = {{10, 10}, {20, 10},      {NAN, 10}, {50, 10},
                          {60, 10}, {INFINITY, 3}, {80, 10}};
    es_canvas_line(&r.canvas, at, 7, 2, 0, WHITE);
    ck_assert_double_eq_tol(whiteness(&r), 2 * 10 + 2 * 10, 0.1);
    ck_assert_uint_eq(pixel(&r, 35, 10), BLACK);
    es_raster_close(&r);
}
END_TEST

START_TEST(a_line_from_far_away_crosses_where_it_should)
{
    es_raster r = open_raster(100, 100, 1, false, NULL);
    const es_spot at[] = {{-1e6f, -1e6f}, {1e6f, 1e6f}};
    es_canvas_line(&r.canvas, at, 2, 3, 0, WHITE);
    for (int i = 0; i < 100; i++)
        demand(pixel(&r, i, i) == WHITE, "not at %d", i);
    ck_assert_uint_eq(pixel(&r, 50, 45), BLACK);
    es_raster_close(&r);
}
END_TEST

/* ---- boxes and cells ---- */

START_TEST(hairlines_are_as_thick_everywhere_and_boxes_adjoin)
{
    es_raster r = open_raster(60, 40, 1.5f, false, NULL);
    for (int i = 0; i < 30; i++) {
        float x = 3 + 0.37f * (float)i;
        es_raster_clear(&r, BLACK);
        es_canvas_fill(&r.canvas, (es_box){x, 2, 1, 4}, WHITE);
        demand(whiteness(&r) == 2 * 6, "at %g: %g", (double)x, whiteness(&r));
        es_raster_clear(&r, BLACK);
        es_canvas_fill(&r.canvas, (es_box){2, 2, x, 4}, 0x80FFFFFF);
        es_canvas_fill(&r.canvas, (es_box){2 + x, 2, 20 - x, 4}, 0x80FFFFFF);
        for (int k = 3; k < 33; k++)
            demand((pixel(&r, k, 5) & 0xFF) == 0x80, "a gap, or twice, at %d", k);
    }
    es_raster_close(&r);
}
END_TEST

static es_argb *random_cells(int64_t n, uint64_t *state)
{
    es_argb *cell = es_alloc_array((size_t)n, sizeof *cell);
    for (int64_t i = 0; i < n; i++)
        cell[i] = BLACK | (next_random(state) & 0xFFFFFF);
    return cell;
}

/* The mean of a channel over the cells between these places, parts of cells counted as such. */
static double mean_of(const es_argb *cell, int64_t columns, double x0, double x1, double y0,
                      double y1)
{
    double sum = 0;
    for (int64_t y = (int64_t)y0; y < y1; y++)
        for (int64_t x = (int64_t)x0; x < x1; x++)
            sum += (cell[y * columns + x] >> 8 & 0xFF) *
                   (fmin((double)x + 1, x1) - fmax((double)x, x0)) *
                   (fmin((double)y + 1, y1) - fmax((double)y, y0));
    return sum / (x1 - x0) / (y1 - y0);
}

START_TEST(a_pixel_has_the_mean_of_its_cells)
{
    const int size[][4] = {{50, 40, 100, 80}, {31, 17, 200, 90}, {64, 8, 64, 333}, {7, 60, 50, 60}};
    uint64_t state = 3;
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        int w = size[k][0], h = size[k][1], columns = size[k][2], rows = size[k][3];
        es_raster r = open_raster(w + 4, h + 4, 1, false, NULL);
        es_argb *cell = random_cells((int64_t)rows * columns, &state);
        es_canvas_cells(&r.canvas, (es_box){2, 2, (float)w, (float)h}, cell, rows, columns);
        for (int i = 0; i < w * h; i++) {
            int x = i % w, y = i / w;
            double ax = (double)columns / w, ay = (double)rows / h;
            double want = mean_of(cell, columns, x * ax, (x + 1) * ax, y * ay, (y + 1) * ay);
            double got = pixel(&r, x + 2, y + 2) >> 8 & 0xFF;
            demand(fabs(got - want) < 0.51, "%d x %d cells, pixel %d, %d: %g, not %g", rows,
                   columns, x, y, got, want);
        }
        ck_assert_uint_eq(pixel(&r, 1, 5), BLACK);
        ck_assert_uint_eq(pixel(&r, w + 2, 5), BLACK);
        free(cell);
        es_raster_close(&r);
    }
}
END_TEST

START_TEST(large_cells_have_crisp_edges_and_no_gaps)
{
    uint64_t state = 5;
    es_raster r = open_raster(97, 61, 1, false, NULL);
    es_argb *cell = random_cells(7 * 10, &state);
    es_canvas_cells(&r.canvas, (es_box){0, 0, 97, 61}, cell, 7, 10);
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++) {
            int row = (int)((y + 0.5) * 7 / 61), column = (int)((x + 0.5) * 10 / 97);
            demand(pixel(&r, x, y) == cell[row * 10 + column], "at %d, %d", x, y);
        }
    free(cell);
    es_raster_close(&r);
}
END_TEST

START_TEST(a_part_of_a_heat_map_is_the_same_as_all_of_it)
{
    uint64_t state = 6;
    es_raster whole = open_raster(80, 80, 1, false, NULL),
              part = open_raster(80, 80, 1, false, NULL);
    es_argb *cell = random_cells(200 * 50, &state);
    const es_box box = {-31, -7, 140, 75}, clip = {20, 11, 33, 40};
    es_canvas_cells(&whole.canvas, box, cell, 50, 200);
    es_canvas_clip(&part.canvas, clip);
    es_canvas_cells(&part.canvas, box, cell, 50, 200);
    for (int i = 0; i < 80 * 80; i++)
        demand(part.pixels[i] ==
                   (es_box_has(clip, (float)(i % 80), (float)(i / 80)) ? whole.pixels[i] : BLACK),
               "at %d, %d", i % 80, i / 80);
    free(cell);
    es_raster_close(&whole);
    es_raster_close(&part);
}
END_TEST

/* ---- text ---- */

START_TEST(text_stands_with_its_middle_on_the_line)
{
    es_font *font = box_font();
    es_raster r = open_raster(200, 100, 2, false, font);
    const es_ink ink = {.size = 20, .colour = WHITE};
    es_canvas_string(&r.canvas, 10, 25, "Hg", &ink);
    int top = 100, end = 0, left = 200, right = 0;
    for (int i = 0; i < 200 * 100; i++)
        if (r.pixels[i] != BLACK) {
            top = i / 200 < top ? i / 200 : top;
            end = i / 200 + 1 > end ? i / 200 + 1 : end;
            left = i % 200 < left ? i % 200 : left;
            right = i % 200 + 1 > right ? i % 200 + 1 : right;
        }
    ck_assert_int_eq(left, 20);
    ck_assert_int_le(right, 20 + 48);
    ck_assert_int_eq(end - top, 28); /* 0.7 em of 40 pixels */
    ck_assert_int_eq(top, 50 - 14);
    ck_assert_float_eq_tol(es_canvas_width(&r.canvas, "Hg", 2, &ink), 24, 1e-4f);
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(different_text_looks_different)
{
    es_font *font = box_font();
    es_raster r = open_raster(20, 20, 1, false, font);
    uint32_t *seen = es_alloc_array(94, sizeof(uint32_t) * 400);
    for (char c = '!'; c <= '~'; c++) {
        es_raster_clear(&r, BLACK);
        es_canvas_text(&r.canvas, 2, 10, &c, 1, &(es_ink){.size = 16, .colour = WHITE});
        memcpy(seen + (size_t)(c - '!') * 400, r.pixels, sizeof(uint32_t) * 400);
        for (char k = '!'; k < c; k++)
            demand(memcmp(seen + (size_t)(k - '!') * 400, r.pixels, sizeof(uint32_t) * 400) != 0,
                   "%c is drawn as %c", c, k);
    }
    free(seen);
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(letters_have_the_inks_colour_and_pictographs_their_own)
{
    es_font *font = box_font();
    es_raster r = open_raster(40, 20, 1, false, font);
    const es_ink ink = {.size = 16, .colour = 0xFF00FF00};
    es_canvas_string(&r.canvas, 2, 10, "A", &ink);
    ck_assert_uint_eq(pixel(&r, 2, 10), 0xFF00FF00);
    es_canvas_string(&r.canvas, 20, 10, "\U0001F431", &ink);
    ck_assert_uint_ne(pixel(&r, 20, 10), BLACK);
    ck_assert_uint_ne(pixel(&r, 20, 10), 0xFF00FF00);
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(without_a_font_there_is_no_text)
{
    es_raster r = open_raster(40, 20, 1, false, NULL);
    const es_ink ink = {.size = 16, .colour = WHITE};
    es_canvas_string(&r.canvas, 2, 10, "A", &ink);
    ck_assert_double_eq(whiteness(&r), 0);
    ck_assert_float_eq(es_canvas_width(&r.canvas, "A", 1, &ink), 0);
    es_raster_close(&r);
}
END_TEST

/* ---- everything at once ---- */

static void draw_scene(es_canvas *c, const es_palette *p)
{
    es_spot wave[60];
    es_argb heat[6 * 20];
    for (int i = 0; i < 60; i++)
        wave[i] = (es_spot){10 + (float)i * 1.5f, 66 + 9 * sinf((float)i * 0.21f)};
    for (int i = 0; i < 6 * 20; i++)
        heat[i] = es_diverging(p, ((float)(i % 20) - 9.5f) / 9.5f);
    es_canvas_fill(c, (es_box){0, 0, c->w, c->h}, p->ground);
    es_canvas_fill(c, (es_box){6, 6, 90, 30}, p->panel);
    es_canvas_edge(c, (es_box){6, 6, 90, 30}, 1, p->edge);
    es_canvas_line(c, wave, 60, 2, 0, p->hue[1]);
    es_canvas_line(c, (es_spot[]){{10, 90}, {50, 80}, {90, 95}}, 3, 4, 8, es_fade(p->second, 0.6f));
    es_canvas_arrow(c, (es_spot){110, 90}, (es_spot){150, 70}, 2, p->strong);
    es_canvas_cells(c, (es_box){105, 8, 48, 20}, heat, 6, 20);
    es_canvas_cells(c, (es_box){105, 32, 15, 6}, heat, 6, 20);
    for (int i = 0; i < ES_N_HUES; i++) {
        es_disc d = {14 + 10 * (float)i, 22, 0.8f * (float)i, es_fade(p->hue[i], 0.9f), i};
        es_canvas_discs(c, &d, 1);
    }
    es_canvas_discs(c, &(es_disc){130, 55, 11, es_fade(p->found, 0.7f), 9}, 1);
}

START_TEST(nothing_is_drawn_outside_of_the_clip)
{
    es_font *font = box_font();
    es_raster r = open_raster(160, 100, 1, true, font);
    const es_box clip = {20, 15, 100, 60};
    const es_ink ink = {.size = 13, .colour = WHITE};
    es_raster_clear(&r, 0xFFABCDEF);
    es_canvas_clip(&r.canvas, clip);
    draw_scene(&r.canvas, es_palette_at(0));
    es_canvas_string(&r.canvas, 5, 18, "a text from edge to edge and on", &ink);
    for (int i = 0; i < 160 * 100; i++)
        if (!es_box_has(clip, (float)(i % 160), (float)(i / 160)))
            demand(r.pixels[i] == 0xFFABCDEF && r.ids[i] == ES_NO_ID, "at %d, %d", i % 160,
                   i / 160);
        else
            demand(r.pixels[i] != 0xFFABCDEF, "nothing at %d, %d", i % 160, i / 160);
    es_raster_clear(&r, BLACK);
    es_canvas_fill(&r.canvas, (es_box){0, 0, 1, 1}, WHITE);
    ck_assert_uint_eq(pixel(&r, 0, 0), WHITE); /* clearing ends the clip */
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(twice_the_density_is_the_same_picture)
{
    es_raster one = open_raster(160, 100, 1, false, NULL),
              two = open_raster(320, 200, 2, false, NULL);
    ck_assert_float_eq(two.canvas.w, 160);
    draw_scene(&one.canvas, es_palette_at(0));
    draw_scene(&two.canvas, es_palette_at(0));
    double sum = 0;
    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 160; x++)
            for (int shift = 0; shift < 24; shift += 8) {
                int four = 0;
                for (int k = 0; k < 4; k++)
                    four += (int)(pixel(&two, 2 * x + k % 2, 2 * y + k / 2) >> shift & 0xFF);
                int apart = abs(four / 4 - (int)(pixel(&one, x, y) >> shift & 0xFF));
                demand(apart < 64, "%d apart at %d, %d", apart, x, y);
                sum += apart;
            }
    ck_assert_double_lt(sum / (160 * 100 * 3), 1);
    es_raster_close(&one);
    es_raster_close(&two);
}
END_TEST

START_TEST(a_composed_picture_is_as_it_was_looked_at)
{
    es_font *font = box_font();
    es_raster r = open_raster(160, 100, 1, false, font);
    for (int i = 0; i < 3; i++) {
        es_str name = {0};
        const es_palette *p = es_palette_at(i);
        draw_scene(&r.canvas, p);
        es_canvas_string(&r.canvas, 8, 45, "x = wte", &(es_ink){.size = 13, .colour = p->ink});
        es_canvas_fit(&r.canvas, 150, 92, 40, 1, "cut where it ends",
                      &(es_ink){10, p->dim, true, false});
        es_str_add(&name, "raster-%s", p->name);
        same_picture(&r, name.s);
        es_str_free(&name);
    }
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(absurd_numbers_do_no_harm)
{
    const float odd[] = {NAN,    INFINITY, -INFINITY, 1e38f, -1e38f, 1e9f, -1e9f,
                         1e-40f, 0,        -3,        5.5f,  16,     4e4f};
    enum { N = sizeof odd / sizeof *odd };
    es_font *font = box_font();
    es_raster r = open_raster(16, 16, 1, true, font);
    const es_argb heat[6] = {0x80FFFFFF, WHITE, 0xFF123456, BLACK, 0, 0x7F7F7F7F};
    uint64_t state = 11;
    for (int i = 0; i < 20000; i++) {
        float a = odd[random_below(&state, N)], b = odd[random_below(&state, N)];
        float c = odd[random_below(&state, N)], d = odd[random_below(&state, N)];
        float e = odd[random_below(&state, N)];
        es_canvas_clip(&r.canvas, i % 7 ? (es_box){0, 0, 16, 16} : (es_box){a, b, c, d});
        es_canvas_fill(&r.canvas, (es_box){d, c, b, a}, 0x80336699);
        es_canvas_edge(&r.canvas, (es_box){d, c, b, a}, e, 0x80336699);
        es_canvas_line(&r.canvas, (es_spot[]){{a, b}, {c, d}, {e, 3}, {2, a}}, 4, e, d, 0x80FFFFFF);
        es_canvas_arrow(&r.canvas, (es_spot){a, b}, (es_spot){c, d}, e, 0x80FFFFFF);
        es_canvas_discs(&r.canvas, &(es_disc){a, b, c, 0x80FFFFFF, i}, 1);
        es_canvas_cells(&r.canvas, (es_box){a, b, c, d}, heat, 2, 3);
        es_canvas_text(&r.canvas, a, b, "\xFFx", 2, &(es_ink){c < 99 ? c : e, WHITE, true, false});
        es_raster_id(&r, a, b, c < 1e6f ? c : d);
    }
    for (int i = 0; i < 16 * 16; i++)
        demand(r.pixels[i] >> 24 == 0xFF, "pixel %d can be seen through", i);
    es_raster_close(&r);
    es_font_free(font);
}
END_TEST

START_TEST(sizes_have_limits)
{
    es_raster r;
    es_error err = ES_ERROR_NONE;
    ck_assert_fails(es_raster_open(&r, 0, 5, 1, true, NULL, &err), err, ES_ERR_RANGE,
                    "a picture of 0 x 5 pixels: each side has 1 to 32768");
    ck_assert_fails(es_raster_open(&r, 10, 32769, 1, true, NULL, &err), err, ES_ERR_RANGE,
                    "a picture of 10 x 32769 pixels: each side has 1 to 32768");
    ck_assert_fails(es_raster_open(&r, 10, 10, NAN, true, NULL, &err), err, ES_ERR_RANGE,
                    "a picture with nan pixels to a unit: it takes more than 0");
    es_raster_close(&r); /* of what never opened */
    r = open_raster(1, 1, 1, true, NULL);
    draw_scene(&r.canvas, es_palette_at(0));
    ck_assert(!es_raster_resize(&r, 3, -1, 1, &err));
    es_error_free(&err);
    ck_assert_int_eq(r.w, 1); /* as it was */
    ck_assert_works(es_raster_resize(&r, 30, 20, 2, &err), err);
    ck_assert_float_eq(r.canvas.w, 15);
    ck_assert_ptr_nonnull(r.ids);
    draw_scene(&r.canvas, es_palette_at(0));
    es_raster_close(&r);
    es_raster_close(&r);
}
END_TEST

/* ---- what is under a pixel ---- */

START_TEST(every_id_of_a_large_map_is_found_near_its_middle)
{
    enum { N = 50257, W = 4000, H = 3000, NEAR = 8 };
    es_raster r = open_raster(W, H, 1, true, NULL);
    es_disc *d = es_alloc_array(N, sizeof *d);
    uint64_t state = 7;
    for (int i = 0; i < N; i++) {
        double x = W * (0.5 + 0.12 * gaussian(&state)), y = H * (0.5 + 0.12 * gaussian(&state));
        d[i] =
            (es_disc){(float)fmin(fmax(x, 0), W - 1), (float)fmin(fmax(y, 0), H - 1), 2, WHITE, i};
    }
    es_canvas_discs(&r.canvas, d, N);
    for (int i = 0; i < N; i++) {
        bool found = false;
        for (int k = 0; k < (2 * NEAR + 1) * (2 * NEAR + 1) && !found; k++) {
            float x = d[i].x + (float)(k % (2 * NEAR + 1) - NEAR);
            found = es_raster_id(&r, x, d[i].y + (float)(k / (2 * NEAR + 1) - NEAR), 0) == i;
        }
        demand(found, "%d at %g, %g is lost", i, (double)d[i].x, (double)d[i].y);
    }
    free(d);
    es_raster_close(&r);
}
END_TEST

START_TEST(discs_on_one_spot_are_all_found)
{
    enum { N = 250 };
    es_raster r = open_raster(60, 60, 1, true, NULL);
    bool seen[N + 1] = {false};
    for (int i = 0; i < N; i++)
        es_canvas_discs(&r.canvas, &(es_disc){30, 30, 2, WHITE, i}, 1);
    es_canvas_discs(&r.canvas, &(es_disc){30, 30, 6, WHITE, N}, 1);
    ck_assert_int_eq(es_raster_id(&r, 30, 30, 0), N); /* a large one takes its middle */
    for (int y = 22; y <= 38; y++)
        for (int x = 22; x <= 38; x++) {
            int32_t id = es_raster_id(&r, (float)x, (float)y, 0);
            if (id >= 0)
                seen[id] = true;
        }
    for (int i = 0; i <= N; i++)
        demand(seen[i], "%d is lost", i);
    es_raster_close(&r);
}
END_TEST

START_TEST(far_more_discs_than_pixels_do_no_harm)
{
    enum { N = 100000 };
    es_raster r = open_raster(40, 40, 1, true, NULL);
    es_disc *d = es_alloc_array(N, sizeof *d);
    for (int i = 0; i < N; i++)
        d[i] = (es_disc){20, 20, 2, WHITE, i};
    es_canvas_discs(&r.canvas, d, N);
    ck_assert_int_eq(es_raster_id(&r, 20, 20, 0), N - 1); /* the last drawn */
    free(d);
    es_raster_close(&r);
}
END_TEST

START_TEST(the_nearest_id_within_reach_is_found)
{
    es_raster r = open_raster(200, 100, 2, true, NULL);
    const es_disc d[] = {{20, 20, 1, WHITE, 1},
                         {24, 20, 1, WHITE, 2},
                         {60, 25, 10, WHITE, 3},
                         {80, 25, 1, WHITE, ES_NO_ID}};
    es_canvas_discs(&r.canvas, d, 4);
    ck_assert_int_eq(es_raster_id(&r, 20, 20, 0), 1);
    ck_assert_int_eq(es_raster_id(&r, 21.5f, 20, 4), 1);
    ck_assert_int_eq(es_raster_id(&r, 22.6f, 20, 4), 2);
    ck_assert_int_eq(es_raster_id(&r, 20, 24, 3), ES_NO_ID);
    ck_assert_int_eq(es_raster_id(&r, 20, 24, 5), 1);
    ck_assert_int_eq(es_raster_id(&r, 67, 25, 0), 3); /* large ones all over */
    ck_assert_int_eq(es_raster_id(&r, 72, 25, 3), 3);
    ck_assert_int_eq(es_raster_id(&r, 80, 25, 3), ES_NO_ID);
    ck_assert_int_eq(es_raster_id(&r, NAN, 25, 3), ES_NO_ID);
    es_raster_clear(&r, BLACK);
    ck_assert_int_eq(es_raster_id(&r, 20, 20, 1000), ES_NO_ID);
    es_raster_close(&r);
}
END_TEST

Suite *raster_suite(void)
{
    Suite *s = suite_create("raster");
    TCase *t = tcase_create("raster");
    tcase_add_test(t, a_disc_covers_pi_r_squared_wherever_it_is);
    tcase_add_test(t, a_disc_is_where_it_should_be_to_parts_of_a_pixel);
    tcase_add_test(t, discs_blend_in_order_and_the_ground_stays_opaque);
    tcase_add_test(t, a_line_covers_its_width_times_its_length);
    tcase_add_test(t, dashes_are_half_of_a_line_and_go_on_round_corners);
    tcase_add_test(t, joins_are_neither_open_nor_darker);
    tcase_add_test(t, what_is_not_a_number_breaks_a_line);
    tcase_add_test(t, a_line_from_far_away_crosses_where_it_should);
    tcase_add_test(t, hairlines_are_as_thick_everywhere_and_boxes_adjoin);
    tcase_add_test(t, a_pixel_has_the_mean_of_its_cells);
    tcase_add_test(t, large_cells_have_crisp_edges_and_no_gaps);
    tcase_add_test(t, a_part_of_a_heat_map_is_the_same_as_all_of_it);
    tcase_add_test(t, text_stands_with_its_middle_on_the_line);
    tcase_add_test(t, different_text_looks_different);
    tcase_add_test(t, letters_have_the_inks_colour_and_pictographs_their_own);
    tcase_add_test(t, without_a_font_there_is_no_text);
    tcase_add_test(t, nothing_is_drawn_outside_of_the_clip);
    tcase_add_test(t, twice_the_density_is_the_same_picture);
    tcase_add_test(t, a_composed_picture_is_as_it_was_looked_at);
    tcase_add_test(t, absurd_numbers_do_no_harm);
    tcase_add_test(t, sizes_have_limits);
    tcase_add_test(t, every_id_of_a_large_map_is_found_near_its_middle);
    tcase_add_test(t, discs_on_one_spot_are_all_found);
    tcase_add_test(t, far_more_discs_than_pixels_do_no_harm);
    tcase_add_test(t, the_nearest_id_within_reach_is_found);
    suite_add_tcase(s, t);
    return s;
}
