// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <string.h>

#include "support.h"
#include "view/colour.h"

Suite *colour_suite(void);

enum { STEPS = 40 };

/* How eyes without one kind of cone see linear red, green and blue.  Source: Machado, Oliveira and Fernandes, IEEE
 * TVCG 15(6), 2009, severity 1. */
static const double eyes[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};
enum { ANY_EYE, PROTAN, DEUTAN, N_EYES };

static double linear(uint32_t byte)
{
    double c = (byte & 0xFF) / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double bent(double x)
{
    return x > 216.0 / 24389 ? cbrt(x) : (24389.0 / 27 * x + 16) / 116;
}

/* CIELAB of a colour as this eye sees it; D65. */
static void lab_of(double lab[3], es_argb colour, int eye)
{
    const double rgb[] = {linear(colour >> 16), linear(colour >> 8), linear(colour)};
    double seen[3];
    for (int i = 0; i < 3; i++) {
        seen[i] = eyes[eye][i][0] * rgb[0] + eyes[eye][i][1] * rgb[1] + eyes[eye][i][2] * rgb[2];
        seen[i] = fmin(fmax(seen[i], 0), 1);
    }
    double x = bent((0.4124 * seen[0] + 0.3576 * seen[1] + 0.1805 * seen[2]) / 0.9505);
    double y = bent(0.2126 * seen[0] + 0.7152 * seen[1] + 0.0722 * seen[2]);
    double z = bent((0.0193 * seen[0] + 0.1192 * seen[1] + 0.9505 * seen[2]) / 1.0890);
    lab[0] = 116 * y - 16;
    lab[1] = 500 * (x - y);
    lab[2] = 200 * (y - z);
}

static double apart(es_argb a, es_argb b, int eye)
{
    double p[3], q[3];
    lab_of(p, a, eye);
    lab_of(q, b, eye);
    return hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]);
}

static double lightness(es_argb c)
{
    double lab[3];
    lab_of(lab, c, ANY_EYE);
    return lab[0];
}

START_TEST(palettes_are_found_by_name_and_place)
{
    ck_assert_str_eq(es_palette_at(0)->name, "dark");
    ck_assert_str_eq(es_palette_at(1)->name, "light");
    ck_assert_str_eq(es_palette_at(2)->name, "print");
    ck_assert_ptr_null(es_palette_at(3));
    ck_assert_ptr_null(es_palette_at(-1));
    ck_assert_ptr_eq(es_palette_named("print"), es_palette_at(2));
    ck_assert_ptr_null(es_palette_named("grey"));
}
END_TEST

START_TEST(text_can_be_read_on_both_grounds)
{
    for (int i = 0; i < 3; i++) {
        const es_palette *p = es_palette_at(i);
        const es_argb ink[] = {p->ink, p->dim, p->faint, p->strong, p->second, p->found, p->wrong};
        for (size_t k = 0; k < sizeof ink / sizeof *ink; k++)
            demand(es_contrast(ink[k], p->ground) >= 4.5f && es_contrast(ink[k], p->panel) >= 4.5f,
                   "%s: ink %zu is hard to read", p->name, k);
    }
}
END_TEST

START_TEST(hues_stand_out_from_their_ground)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < ES_N_HUES; k++) {
            const es_palette *p = es_palette_at(i);
            demand(es_contrast(p->hue[k], p->ground) >= 3 && es_contrast(p->hue[k], p->panel) >= 3,
                   "%s: hue %d does not stand out", p->name, k);
        }
}
END_TEST

START_TEST(any_eye_tells_hues_apart)
{
    for (int i = 0; i < 3; i++)
        for (int eye = 0; eye < N_EYES; eye++)
            for (int a = 0; a < ES_N_HUES; a++)
                for (int b = 0; b < a; b++) {
                    const es_palette *p = es_palette_at(i);
                    double least = eye == ANY_EYE ? 24 : 14;
                    double d = apart(p->hue[a], p->hue[b], eye);
                    demand(d >= least, "%s, eye %d: hues %d and %d are %.1f apart", p->name, eye, a,
                           b, d);
                }
}
END_TEST

START_TEST(hues_for_paper_differ_in_grey)
{
    const es_palette *p = es_palette_named("print");
    ck_assert_uint_eq(p->ground, 0xFFFFFFFF);
    ck_assert_uint_eq(p->panel, 0xFFFFFFFF);
    for (int a = 0; a < ES_N_HUES; a++)
        for (int b = 0; b < a; b++) {
            double d = fabs(lightness(p->hue[a]) - lightness(p->hue[b]));
            demand(d >= 4.5, "hues %d and %d are %.1f apart in grey", a, b, d);
        }
}
END_TEST

START_TEST(what_matters_differs_for_any_eye)
{
    for (int i = 0; i < 3; i++)
        for (int eye = 0; eye < N_EYES; eye++) {
            const es_palette *p = es_palette_at(i);
            const es_argb of[] = {p->strong, p->second, p->found, p->wrong};
            for (int a = 0; a < 4; a++)
                for (int b = 0; b < a; b++)
                    demand(apart(of[a], of[b], eye) >= 14, "%s, eye %d: %d and %d are %.1f apart",
                           p->name, eye, a, b, apart(of[a], of[b], eye));
        }
}
END_TEST

START_TEST(the_diverging_scale_is_as_light_on_both_sides)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= STEPS; k++) {
            const es_palette *p = es_palette_at(i);
            float v = (float)k / STEPS;
            double cold = lightness(es_diverging(p, -v)), warm = lightness(es_diverging(p, v));
            demand(fabs(cold - warm) < 1, "%s at %g: %.1f and %.1f", p->name, (double)v, cold,
                   warm);
        }
}
END_TEST

/* Monotone lightness away from the ground, in steps that look equally large. */
static void check_even(const es_palette *p, es_argb (*scale)(const es_palette *, float), float to)
{
    double whole = 0, away = lightness(scale(p, to)) > lightness(scale(p, 0)) ? 1 : -1;
    for (int k = 0; k < STEPS; k++)
        whole +=
            apart(scale(p, to * (float)k / STEPS), scale(p, to * (float)(k + 1) / STEPS), ANY_EYE);
    for (int k = 0; k < STEPS; k += 4) { /* of steps so small bytes are too coarse a measure */
        es_argb a = scale(p, to * (float)k / STEPS), b = scale(p, to * (float)(k + 4) / STEPS);
        double d = apart(a, b, ANY_EYE), mean = whole * 4 / STEPS;
        demand(fabs(d - mean) < 0.2 * mean, "%s at %g: a step of %.2f, others %.2f", p->name,
               (double)to * k / STEPS, d, mean);
        demand((lightness(b) - lightness(a)) * away > 0, "%s: turns back at %g", p->name,
               (double)to * k / STEPS);
    }
}

START_TEST(scales_are_even)
{
    for (int i = 0; i < 3; i++) {
        check_even(es_palette_at(i), es_diverging, 1);
        check_even(es_palette_at(i), es_diverging, -1);
        check_even(es_palette_at(i), es_sequential, 1);
    }
}
END_TEST

START_TEST(zero_recedes_and_any_eye_tells_its_sides_apart)
{
    for (int i = 0; i < 3; i++) {
        const es_palette *p = es_palette_at(i);
        ck_assert_float_lt(es_contrast(es_diverging(p, 0), p->ground), 1.5f);
        for (int eye = 0; eye < N_EYES; eye++)
            for (float v = 0.25f; v <= 1; v += 0.25f)
                demand(apart(es_diverging(p, -v), es_diverging(p, v), eye) > 18 * (double)v,
                       "%s, eye %d, %g", p->name, eye, (double)v);
    }
}
END_TEST

START_TEST(the_sequential_scale_never_meets_its_ground)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= STEPS; k++) {
            const es_palette *p = es_palette_at(i);
            ck_assert_float_ge(es_contrast(es_sequential(p, (float)k / STEPS), p->ground), 3);
        }
}
END_TEST

START_TEST(scales_end_and_nan_is_wrong)
{
    const es_palette *p = es_palette_at(0);
    ck_assert_uint_eq(es_diverging(p, 7), es_diverging(p, 1));
    ck_assert_uint_eq(es_diverging(p, -INFINITY), es_diverging(p, -1));
    ck_assert_uint_eq(es_diverging(p, -0.0f), es_diverging(p, 0));
    ck_assert_uint_eq(es_diverging(p, NAN), p->wrong);
    ck_assert_uint_eq(es_sequential(p, -3), es_sequential(p, 0));
    ck_assert_uint_eq(es_sequential(p, INFINITY), es_sequential(p, 1));
    ck_assert_uint_eq(es_sequential(p, NAN), p->wrong);
}
END_TEST

START_TEST(colours_fade_and_blend)
{
    ck_assert_uint_eq(es_fade(0xFF102030, 0.5f), 0x80102030);
    ck_assert_uint_eq(es_fade(0x80102030, 0.5f), 0x40102030);
    ck_assert_uint_eq(es_fade(0xFF102030, 3), 0xFF102030);
    ck_assert_uint_eq(es_fade(0xFF102030, -1), 0x00102030);
    ck_assert_uint_eq(es_fade(0xFF102030, NAN), 0x00102030);
    ck_assert_uint_eq(es_blend(0xFF123456, 0xFFABCDEF), 0xFFABCDEF);
    ck_assert_uint_eq(es_blend(0xFF123456, 0x00ABCDEF), 0xFF123456);
    ck_assert_uint_eq(es_blend(0xFF000000, 0x80FFFFFF), 0xFF808080);
}
END_TEST

START_TEST(contrast_is_that_of_wcag)
{
    ck_assert_float_eq_tol(es_contrast(0xFF000000, 0xFFFFFFFF), 21, 1e-4f);
    ck_assert_float_eq_tol(es_contrast(0xFF777777, 0xFFFFFFFF), 4.478f, 1e-3f);
    ck_assert_float_eq_tol(es_contrast(0xFFFFFFFF, 0xFF777777), 4.478f, 1e-3f);
    ck_assert_float_eq(es_contrast(0xFF0072B2, 0xFF0072B2), 1);
}
END_TEST

START_TEST(ink_reads_well_on_every_colour)
{
    for (int i = 0; i < 3; i++) {
        const es_palette *p = es_palette_at(i);
        ck_assert_uint_eq(es_ink_on(p, p->ground), p->ink);
        for (uint32_t c = 0; c < 0x1000; c++) {
            es_argb on =
                0xFF000000 | (c >> 8) * 0x110000 | (c >> 4 & 15) * 0x1100 | (c & 15) * 0x11;
            demand(es_contrast(es_ink_on(p, on), on) >= 4.5f, "%s on #%06X", p->name,
                   on & 0xFFFFFF);
        }
    }
}
END_TEST

Suite *colour_suite(void)
{
    Suite *s = suite_create("colour");
    TCase *t = tcase_create("colour");
    tcase_add_test(t, palettes_are_found_by_name_and_place);
    tcase_add_test(t, text_can_be_read_on_both_grounds);
    tcase_add_test(t, hues_stand_out_from_their_ground);
    tcase_add_test(t, any_eye_tells_hues_apart);
    tcase_add_test(t, hues_for_paper_differ_in_grey);
    tcase_add_test(t, what_matters_differs_for_any_eye);
    tcase_add_test(t, the_diverging_scale_is_as_light_on_both_sides);
    tcase_add_test(t, scales_are_even);
    tcase_add_test(t, zero_recedes_and_any_eye_tells_its_sides_apart);
    tcase_add_test(t, the_sequential_scale_never_meets_its_ground);
    tcase_add_test(t, scales_end_and_nan_is_wrong);
    tcase_add_test(t, colours_fade_and_blend);
    tcase_add_test(t, contrast_is_that_of_wcag);
    tcase_add_test(t, ink_reads_well_on_every_colour);
    suite_add_tcase(s, t);
    return s;
}
