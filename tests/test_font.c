// SPDX-License-Identifier: GPL-3.0-or-later
/* Letters from the fonts of this machine, whichever these are; and PNG. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "module.h"
#include "support.h"

Suite *font_suite(void);

static const es_module *module;
static es_font *font;

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    module = picture_module();
    if (!module)
        return;
    font = module->font(&err);
    ck_assert_works(font != NULL, err);
}

#define NEEDS_MODULE                                                                               \
    if (!module)                                                                                   \
    return

static es_glyphs drawn(const char *text, float size)
{
    es_glyphs g;
    demand(es_font_line(font, text, strlen(text), size, false, false, &g), "nothing: %s", text);
    return g;
}

static float width(const char *text)
{
    return drawn(text, 13).advance;
}

static size_t pixels(const es_glyphs *g)
{
    return (size_t)g->w * (size_t)g->h;
}

/* What is borrowed, kept. */
static es_glyphs kept(es_glyphs g)
{
    size_t n = pixels(&g);
    g.cover = (const uint8_t *)es_copy_bytes((const char *)g.cover, n);
    if (g.colour)
        g.colour = (const uint32_t *)(void *)es_copy_bytes((const char *)g.colour, 4 * n);
    return g;
}

static void forget(es_glyphs *g)
{
    free((void *)g->cover);
    free((void *)g->colour);
}

static bool same(const es_glyphs *a, const es_glyphs *b)
{
    return a->w == b->w && a->h == b->h && a->left == b->left && a->base == b->base &&
           a->advance == b->advance && !memcmp(a->cover, b->cover, pixels(a)) &&
           !a->colour == !b->colour && (!a->colour || !memcmp(a->colour, b->colour, 4 * pixels(a)));
}

static bool look_alike(const char *one, const char *other)
{
    es_glyphs a = kept(drawn(one, 13)), b = drawn(other, 13);
    bool alike = same(&a, &b);
    forget(&a);
    return alike;
}

static size_t ink(const es_glyphs *g)
{
    size_t n = 0;
    for (size_t i = 0; i < pixels(g); i++)
        n += g->cover[i] > 0 || (g->colour && g->colour[i] >> 24);
    return n;
}

static const char *const samples[] = {
    "The cat sat",
    "\u2423cat",
    "Привет, Ελληνικά",
    "שלום עולם",
    "مرحبا ١٢٣ abc",
    "日本語 漢字 カタカナ 한국어",
    "हिन्दी ไทย",
    "e\u0301 \u25cc\u0308 a\u0323\u0302\u0302\u0302",
    "\U0001F600 \u263A\uFE0F \U0001F44D\U0001F3FD \U0001F468\u200D\U0001F469",
    "\xE6\x9C and \xFF",
    "\U0010FFFF",
    "tab\tend\x01",
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

START_TEST(every_script_leaves_ink_above_and_below_nothing)
{
    NEEDS_MODULE;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        es_glyphs g = drawn(samples[i], 13);
        demand(ink(&g) > 10, "no ink: %s", samples[i]);
        demand(g.advance > 5 && g.advance < 600, "advance %g: %s", (double)g.advance, samples[i]);
        demand(g.base > 0 && g.base <= 60 && g.h < 80, "baseline %d of %d: %s", g.base, g.h,
               samples[i]);
        demand(fabsf((float)g.w - g.advance) < 13, "%d wide, advance %g: %s", g.w,
               (double)g.advance, samples[i]);
    }
}
END_TEST

START_TEST(the_same_text_is_the_same_pixels_kept_or_not)
{
    NEEDS_MODULE;
    enum { MORE_THAN_ARE_KEPT = 9000 };
    es_glyphs before[N_SAMPLES];
    for (size_t i = 0; i < N_SAMPLES; i++)
        before[i] = kept(drawn(samples[i], 13));
    for (int round = 0; round < 2; round++) {
        for (size_t i = N_SAMPLES; i-- > 0;) {
            es_glyphs again = drawn(samples[i], 13);
            demand(same(&again, &before[i]), "another picture: %s", samples[i]);
        }
        for (int i = 0; i < MORE_THAN_ARE_KEPT && !round; i++) {
            char other[16];
            snprintf(other, sizeof other, "%d", i);
            drawn(other, 13);
        }
    }
    for (size_t i = 0; i < N_SAMPLES; i++)
        forget(&before[i]);
}
END_TEST

START_TEST(a_line_is_borrowed_until_the_256th_next)
{
    NEEDS_MODULE;
    enum { LARGE = 160 }; /* 255 of them are more than is kept */
    es_glyphs borrowed = drawn("borrowed", LARGE), copy = kept(borrowed);
    for (int i = 0; i < 255; i++) {
        char other[32];
        snprintf(other, sizeof other, "much memory %d", i);
        drawn(other, LARGE);
    }
    ck_assert(same(&borrowed, &copy));
    forget(&copy);
}
END_TEST

START_TEST(what_no_font_has_is_its_code_and_never_a_box)
{
    NEEDS_MODULE;
    ck_assert(look_alike("\U0010FFFF", "<U+10FFFF>"));
    ck_assert(look_alike("a\U0010FFFEb", "a<U+10FFFE>b"));
    ck_assert(look_alike("\t", "<U+0009>"));
}
END_TEST

START_TEST(bytes_that_are_no_text_are_in_hex)
{
    NEEDS_MODULE;
    ck_assert(look_alike("x\xE6\x9C y", "x<E6 9C> y"));
    ck_assert(look_alike("\xFF", "<FF>"));
    ck_assert(look_alike("\xED\xA0\x80", "<ED A0 80>")); /* half of a pair is no character */
    es_glyphs g;
    ck_assert(es_font_line(font, "a\0b", 3, 13, false, false, &g));
    float nul = g.advance;
    ck_assert_float_eq(nul, width("a<U+0000>b"));
}
END_TEST

START_TEST(isolates_ask_for_an_order_and_are_not_seen)
{
    NEEDS_MODULE;
    ck_assert(look_alike("a\u2068b\u2069", "ab"));
}
END_TEST

START_TEST(widths_add_up)
{
    NEEDS_MODULE;
    float all = width("The cat sat on"), parts = width("The cat ") + width("sat on");
    ck_assert_float_le(fabsf(all - parts), 2);
    float before = 0;
    for (size_t n = 1; n <= 14; n++) {
        es_glyphs g;
        ck_assert(es_font_line(font, "The cat sat on", n, 13, false, false, &g));
        demand(g.advance >= before, "%zu letters are narrower than %zu", n, n - 1);
        before = g.advance;
    }
    es_glyphs g;
    ck_assert(es_font_line(font, "iiiiWWWW..", 10, 13, false, true, &g));
    float narrow = g.advance;
    ck_assert(es_font_line(font, "0000000000", 10, 13, false, true, &g));
    ck_assert_float_eq(narrow, g.advance); /* mono: as wide whatever the letters */
}
END_TEST

START_TEST(a_space_is_wide_and_empty)
{
    NEEDS_MODULE;
    es_glyphs g = drawn(" ", 13);
    ck_assert_int_eq(pixels(&g), 0);
    ck_assert_float_gt(g.advance, 2);
    ck_assert_float_le(fabsf(width("a b") - width("a") - width("b") - g.advance), 1);
    ck_assert(!es_font_line(font, "", 0, 13, false, false, &g));
}
END_TEST

/* Does `part` stand in `whole` from column x on, baseline on baseline? */
static bool stands_at(const es_glyphs *whole, const es_glyphs *part, int x)
{
    for (int j = 0; j < part->h; j++)
        for (int i = 0; i < part->w; i++) {
            int row = j - part->base + whole->base, column = i + x;
            bool inside = row >= 0 && row < whole->h && column >= 0 && column < whole->w;
            int there = inside ? whole->cover[row * whole->w + column] : 0;
            if (abs(there - part->cover[j * part->w + i]) > 2)
                return false;
        }
    return true;
}

START_TEST(letters_run_from_right_to_left)
{
    NEEDS_MODULE;
    es_glyphs word = kept(drawn("\u05d0\u05d5", 24)), first = drawn("\u05d0", 24);
    ck_assert(stands_at(&word, &first, word.w - first.w));
    ck_assert(!stands_at(&word, &first, 0));
    forget(&word);
}
END_TEST

START_TEST(digits_among_them_keep_their_order)
{
    NEEDS_MODULE;
    es_glyphs line = kept(drawn("\u05d0 12 \u05d1", 24)), digits = drawn("12", 24);
    bool found = false;
    for (int x = 0; x + digits.w <= line.w && !found; x++)
        found = stands_at(&line, &digits, x);
    ck_assert(found);
    forget(&line);
}
END_TEST

START_TEST(arabic_letters_join)
{
    NEEDS_MODULE;
    ck_assert_float_lt(width("\u0628\u0628\u0628"), 3 * width("\u0628"));
}
END_TEST

START_TEST(marks_stand_on_their_letter)
{
    NEEDS_MODULE;
    ck_assert_float_eq(width("e\u0301\u0323"), width("e"));
    es_glyphs plain = kept(drawn("e", 24)), high = drawn("e\u0302\u0302\u0302\u0302", 24);
    ck_assert_int_gt(high.base, plain.base + 12);
    ck_assert(stands_at(&high, &plain, plain.left - high.left)); /* the baseline has not moved */
    forget(&plain);
}
END_TEST

START_TEST(any_size_is_drawn_or_the_nearest_that_can_be)
{
    NEEDS_MODULE;
    static const float sizes[] = {0, -5, NAN, INFINITY, 1e9f, 0.3f, 512, 8};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        es_glyphs g = drawn("cat \u6f22", sizes[i]);
        demand(g.advance > 0 && g.advance < 5000, "%g: advance %g", (double)sizes[i],
               (double)g.advance);
    }
    es_glyphs small = drawn("cat", 20), large = drawn("cat", 200);
    ck_assert_float_le(fabsf(large.advance - 10 * small.advance), 20);
}
END_TEST

START_TEST(a_very_long_line_is_cut_where_no_picture_reaches)
{
    NEEDS_MODULE;
    enum { LONG = 1 << 20 };
    char *text = es_alloc(LONG);
    es_glyphs g;
    memset(text, 'm', LONG);
    ck_assert(es_font_line(font, text, LONG, 13, false, false, &g));
    ck_assert_float_gt(g.advance, 8000);
    ck_assert_int_lt(g.w, 100000);
    ck_assert(es_font_line(font, text, LONG, 512, false, false, &g));
    ck_assert_int_lt(g.w, 100000);
    memset(text, 0xFF, LONG);
    ck_assert(es_font_line(font, text, LONG, 13, false, false, &g));
    ck_assert_int_lt(g.w, 200000);
    free(text);
}
END_TEST

START_TEST(bold_and_mono_are_other_faces)
{
    NEEDS_MODULE;
    es_glyphs g;
    float plain = width("The cat sat");
    ck_assert(es_font_line(font, "The cat sat", 11, 13, true, false, &g));
    ck_assert_float_gt(g.advance, plain);
    ck_assert(es_font_line(font, "The cat sat", 11, 13, false, true, &g));
    ck_assert_float_gt(g.advance, plain);
}
END_TEST

START_TEST(lines_are_a_little_higher_than_an_em)
{
    NEEDS_MODULE;
    float middle, height = es_font_height(font, 100, &middle);
    ck_assert_float_gt(height, 100);
    ck_assert_float_lt(height, 160);
    ck_assert_float_gt(middle, 25);
    ck_assert_float_lt(middle, 40);
}
END_TEST

START_TEST(doctor_names_the_fonts_and_the_libraries)
{
    NEEDS_MODULE;
    es_str window = {0}, fonts = {0};
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    unsetenv("SDL_VIDEODRIVER");
    es_module_doctor(&window, &fonts);
    ck_assert_int_eq(strncmp(es_str_text(&window), "module found, SDL 2.", 20), 0);
    ck_assert_ptr_nonnull(
        strstr(window.s, ", no display: pictures go to files or into the terminal"));
    ck_assert_uint_gt(fonts.len, 0);
    es_str_free(&window);
    es_str_free(&fonts);
}
END_TEST

START_TEST(a_module_that_is_not_there_is_named)
{
    es_error err = ES_ERROR_NONE;
    es_str window = {0}, fonts = {0};
    setenv("EMBEDSCOPE_VIEW", "/no\033where.so", 1);
    ck_assert_fails(es_module_load(NULL, &err), err, ES_ERR_UNSUPPORTED,
                    "the module of pictures, embedscope-view.so, is not there; tried "
                    "/no\\x1bwhere.so");
    es_module_doctor(&window, &fonts);
    ck_assert_str_eq(fonts.s, "none: they come with the module of pictures");
    setenv("EMBEDSCOPE_VIEW", "/dev/null", 1);
    ck_assert(!es_module_load(NULL, &err));
    ck_assert_ptr_nonnull(strstr(err.message, "cannot be used: /dev/null"));
    ck_assert_ptr_nonnull(strstr(err.hint, "try: unset EMBEDSCOPE_VIEW, which names it\n"));
    ck_assert_ptr_nonnull(strstr(
        err.hint,
        "apt-get install libsdl2-2.0-0 libsdl2-ttf-2.0-0 libsdl2-image-2.0-0; everything else"));
    es_error_free(&err);
    es_str_free(&window);
    es_str_free(&fonts);
}
END_TEST

/* ---- PNG ---- */

START_TEST(the_same_pixels_are_the_same_png)
{
    NEEDS_MODULE;
    enum { W = 37, H = 21 };
    uint32_t pixel[W * H];
    es_error err = ES_ERROR_NONE;
    es_str one = {0}, two = {0};
    for (uint32_t i = 0; i < W * H; i++)
        pixel[i] = 0xFF000000 | i * 7919;
    es_str_cat(&one, "before");
    ck_assert_works(module->png(&one, pixel, W, H, &err), err);
    ck_assert_works(module->png(&two, pixel, W, H, &err), err);
    ck_assert_uint_eq(one.len, two.len + 6);
    ck_assert_mem_eq(one.s + 6, two.s, two.len);
    ck_assert_mem_eq(two.s, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x25\0\0\0\x15\x08", 25);
    ck_assert_mem_eq(two.s + two.len - 8, "IEND", 4);
    es_str_free(&one);
    es_str_free(&two);
}
END_TEST

START_TEST(a_picture_without_pixels_is_no_png)
{
    NEEDS_MODULE;
    es_error err = ES_ERROR_NONE;
    es_str out = {0};
    uint32_t none = 0;
    ck_assert_fails(module->png(&out, &none, 0, 3, &err), err, ES_ERR_RANGE,
                    "a picture of 0 x 3 has no pixels");
    ck_assert_uint_eq(out.len, 0);
}
END_TEST

Suite *font_suite(void)
{
    Suite *s = suite_create("font");
    TCase *t = tcase_create("font");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, every_script_leaves_ink_above_and_below_nothing);
    tcase_add_test(t, the_same_text_is_the_same_pixels_kept_or_not);
    tcase_add_test(t, a_line_is_borrowed_until_the_256th_next);
    tcase_add_test(t, what_no_font_has_is_its_code_and_never_a_box);
    tcase_add_test(t, bytes_that_are_no_text_are_in_hex);
    tcase_add_test(t, isolates_ask_for_an_order_and_are_not_seen);
    tcase_add_test(t, widths_add_up);
    tcase_add_test(t, a_space_is_wide_and_empty);
    tcase_add_test(t, letters_run_from_right_to_left);
    tcase_add_test(t, digits_among_them_keep_their_order);
    tcase_add_test(t, arabic_letters_join);
    tcase_add_test(t, marks_stand_on_their_letter);
    tcase_add_test(t, any_size_is_drawn_or_the_nearest_that_can_be);
    tcase_add_test(t, a_very_long_line_is_cut_where_no_picture_reaches);
    tcase_add_test(t, bold_and_mono_are_other_faces);
    tcase_add_test(t, lines_are_a_little_higher_than_an_em);
    tcase_add_test(t, doctor_names_the_fonts_and_the_libraries);
    tcase_add_test(t, a_module_that_is_not_there_is_named);
    tcase_add_test(t, the_same_pixels_are_the_same_png);
    tcase_add_test(t, a_picture_without_pixels_is_no_png);
    suite_add_tcase(s, t);
    return s;
}
