// SPDX-License-Identifier: GPL-3.0-or-later
/* Where one looks from: what gestures do to a picture, to the pixel. */
#include <math.h>

#include "support.h"
#include "view/camera.h"

Suite *camera_suite(void);

enum { TRIES = 300 };

static const es_box area = {40, 30, 800, 500};
static const es_extent extent = {{3, -2, 5}, 4, {0, 0}};

static double unit(uint64_t *state)
{
    return next_random(state) / 4294967296.0;
}

static es_camera any_camera(uint64_t *state, bool solid)
{
    return (es_camera){.x = 2 * unit(state) - 1,
                       .y = 2 * unit(state) - 1,
                       .zoom = exp(6 * unit(state) - 1),
                       .turn = 360 * unit(state) - 180,
                       .tilt = 180 * unit(state) - 90,
                       .solid = solid};
}

static void any_point(uint64_t *state, float *p)
{
    for (int k = 0; k < 3; k++)
        p[k] = (float)(extent.middle[k] + extent.radius * (2 * unit(state) - 1));
}

static es_spot seen(const es_camera *c, const float *p)
{
    es_lens l = es_lens_of(c, &extent, area);
    return es_lens_spot(&l, p, NULL);
}

START_TEST(the_first_look_shows_the_whole_extent_with_its_middle_in_the_middle)
{
    const es_camera c = ES_CAMERA_START;
    const float middle[] = {3, -2, 5}, corner[] = {7, 2, 5};
    es_spot at = seen(&c, middle), far = seen(&c, corner);
    ck_assert_float_eq_tol(at.x, 440, 1e-3F);
    ck_assert_float_eq_tol(at.y, 280, 1e-3F);
    ck_assert_float_eq_tol(far.x, 440 + 230, 1e-3F);
    ck_assert_float_eq_tol(far.y, 280 - 230, 1e-3F);
}
END_TEST

START_TEST(a_wide_picture_fills_a_wide_area)
{
    const es_camera c = ES_CAMERA_START;
    const float at[] = {0, 0, 16, 2, 8, 1};
    es_extent e = es_extent_of(at, 3, 2, false);
    es_lens l = es_lens_of(&c, &e, area);
    const float corner[] = {16, 2, 0};
    ck_assert_double_eq(e.radius, 8);
    ck_assert_float_eq_tol(es_lens_spot(&l, corner, NULL).x, 440 + 0.92F * 400, 1e-3F);
}
END_TEST

START_TEST(zooming_keeps_the_spot_under_the_pointer)
{
    uint64_t state = 1;
    for (int i = 0; i < TRIES; i++) {
        es_camera c = any_camera(&state, i % 2);
        float p[3];
        any_point(&state, p);
        es_spot before = seen(&c, p);
        es_camera_zoom(&c, &extent, area, before.x, before.y, exp(2 * unit(&state) - 1));
        es_spot after = seen(&c, p);
        float far = 1e-5F * (float)(c.zoom * 230 + 1000);
        demand(fabsf(after.x - before.x) < far && fabsf(after.y - before.y) < far,
               "(%g, %g) went to (%g, %g)", (double)before.x, (double)before.y, (double)after.x,
               (double)after.y);
    }
}
END_TEST

START_TEST(zoom_has_two_ends)
{
    es_camera c = ES_CAMERA_START;
    es_camera_zoom(&c, &extent, area, 100, 100, 1e9);
    ck_assert_double_eq(c.zoom, ES_MAX_ZOOM);
    es_camera_zoom(&c, &extent, area, 100, 100, 1e-30);
    ck_assert_double_eq(c.zoom, ES_MIN_ZOOM);
    es_camera_zoom(&c, &extent, area, 100, 100, NAN);
    ck_assert(c.zoom >= ES_MIN_ZOOM && c.zoom <= ES_MAX_ZOOM);
}
END_TEST

START_TEST(panning_moves_by_pixels)
{
    uint64_t state = 2;
    for (int i = 0; i < TRIES; i++) {
        es_camera c = any_camera(&state, i % 2);
        float p[3], dx = (float)(200 * unit(&state) - 100), dy = (float)(200 * unit(&state) - 100);
        any_point(&state, p);
        es_spot before = seen(&c, p);
        es_camera_pan(&c, &extent, area, dx, dy);
        es_spot after = seen(&c, p);
        float far = 1e-5F * (float)(c.zoom * 230 + 1000);
        demand(fabsf(after.x - before.x - dx) < far && fabsf(after.y - before.y - dy) < far,
               "by (%g, %g), not (%g, %g)", (double)(after.x - before.x),
               (double)(after.y - before.y), (double)dx, (double)dy);
    }
}
END_TEST

START_TEST(orbiting_all_the_way_round_comes_back)
{
    es_camera c = ES_CAMERA_START, before = c;
    for (int i = 0; i < 72; i++)
        es_camera_orbit(&c, 10, 0);
    ck_assert_double_eq_tol(c.turn, before.turn, 1e-9);
    ck_assert_double_eq(c.tilt, before.tilt);
}
END_TEST

START_TEST(what_is_in_front_follows_the_pointer_in_an_orbit)
{
    es_camera c = {.zoom = 1, .solid = true};
    const float front[] = {3, -2, 9};
    es_spot before = seen(&c, front);
    es_camera_orbit(&c, 20, 20);
    es_spot after = seen(&c, front);
    ck_assert(after.x > before.x && after.y > before.y);
    ck_assert_double_eq(c.turn, 10);
    ck_assert_double_eq(c.tilt, 10);
}
END_TEST

START_TEST(one_never_tilts_beyond_straight_down)
{
    es_camera c = ES_CAMERA_START;
    es_camera_orbit(&c, 0, 5000);
    ck_assert_double_eq(c.tilt, 90);
    es_camera_orbit(&c, 0, -50000);
    ck_assert_double_eq(c.tilt, -90);
}
END_TEST

START_TEST(nearer_points_have_more_depth)
{
    es_camera c = {.zoom = 1, .solid = true};
    es_lens l = es_lens_of(&c, &extent, area);
    const float near[] = {3, -2, 8}, far[] = {3, -2, 1};
    float depth[2];
    es_lens_spot(&l, near, &depth[0]);
    es_lens_spot(&l, far, &depth[1]);
    ck_assert_float_eq_tol(depth[0], 0.75F, 1e-6F);
    ck_assert_float_eq_tol(depth[1], -1, 1e-6F);
}
END_TEST

START_TEST(turning_changes_no_distance_in_space)
{
    uint64_t state = 3;
    for (int i = 0; i < TRIES; i++) {
        es_camera c = any_camera(&state, true);
        es_lens l = es_lens_of(&c, &extent, area);
        double scale = 230 * c.zoom / extent.radius;
        for (int k = 0; k < 3; k++) {
            double x = (double)l.fx[k], y = (double)l.fy[k],
                   z = (double)l.fz[k] * extent.radius * scale;
            double length = sqrt(x * x + y * y + z * z);
            demand(fabs(length - scale) < 1e-5 * scale, "axis %d: %g, not %g", k, length, scale);
        }
    }
}
END_TEST

START_TEST(the_lens_and_the_point_of_a_spot_are_inverse)
{
    uint64_t state = 4;
    for (int i = 0; i < TRIES; i++) {
        es_camera c = any_camera(&state, false);
        float p[3];
        double x, y;
        any_point(&state, p);
        es_camera_point(&c, &extent, area, seen(&c, p), &x, &y);
        demand(fabs(x - (double)p[0]) < 1e-4 && fabs(y - (double)p[1]) < 1e-4,
               "(%g, %g), not (%g, %g)", x, y, (double)p[0], (double)p[1]);
    }
}
END_TEST

START_TEST(in_a_plane_a_third_number_counts_for_nothing)
{
    es_camera c = ES_CAMERA_START;
    const float p[] = {4, 1, 0}, q[] = {4, 1, 99};
    es_spot a = seen(&c, p), b = seen(&c, q);
    ck_assert(a.x == b.x && a.y == b.y);
}
END_TEST

/* ---- extents ---- */

static void check_extent(const float *at, int64_t n, double x, double y, double radius)
{
    es_extent e = es_extent_of(at, n, 2, false);
    ck_assert_double_eq_tol(e.middle[0], x, 1e-6);
    ck_assert_double_eq_tol(e.middle[1], y, 1e-6);
    ck_assert_double_eq_tol(e.radius, radius, 1e-6);
}

START_TEST(an_extent_reaches_to_what_it_is_to_include)
{
    const float at[] = {-1, -1, 1, 1};
    es_extent e = es_extent_of(at, 2, 2, false);
    es_extent_include(&e, 5, 0);
    ck_assert_double_eq_tol(e.middle[0] - e.half[0], -1, 1e-9);
    ck_assert_double_eq_tol(e.middle[0] + e.half[0], 5, 1e-9);
    ck_assert_double_eq_tol(e.half[1], 1, 1e-9);
    ck_assert_double_ge(e.radius, 3);
    es_extent_include(&e, NAN, 100);
    ck_assert_double_eq_tol(e.half[1], 1, 1e-9);
}
END_TEST

START_TEST(an_extent_is_never_empty)
{
    const float one[] = {5, 6}, twice[] = {5, 6, 5, 6}, nowhere[] = {NAN, 1, 1, INFINITY};
    check_extent(NULL, 0, 0, 0, 1);
    check_extent(one, 1, 5, 6, 1);
    check_extent(twice, 2, 5, 6, 1);
    check_extent(nowhere, 2, 0, 0, 1);
}
END_TEST

START_TEST(points_that_are_nan_are_left_out_of_an_extent)
{
    const float at[] = {0, 0, NAN, 900, 10, 4, 900, NAN};
    check_extent(at, 4, 5, 2, 5);
}
END_TEST

START_TEST(a_few_far_points_do_not_make_the_rest_small)
{
    enum { N = 10000 };
    static float at[3 * N];
    uint64_t state = 5;
    for (int i = 0; i < 3 * N; i++)
        at[i] = (float)(2 * unit(&state) - 1);
    for (int i = 0; i < 5; i++)
        at[3 * i] = 1e6F;
    es_extent flat = es_extent_of(at, N, 3, false), solid = es_extent_of(at, N, 3, true);
    ck_assert(flat.radius > 0.99 && flat.radius < 1.01);
    ck_assert(solid.radius > 1.5 && solid.radius < sqrt(3) + 0.01);
}
END_TEST

/* ---- ways to look ---- */

START_TEST(looking_at_points_has_all_of_them_in_view)
{
    uint64_t state = 6;
    for (int i = 0; i < TRIES; i++) {
        es_camera c = any_camera(&state, i % 2);
        float p[4][3];
        for (int j = 0; j < 4; j++)
            any_point(&state, p[j]);
        p[3][0] = NAN;
        es_camera_at(&c, &extent, area, p[0], 4, 3);
        for (int j = 0; j < 3; j++) {
            es_spot at = seen(&c, p[j]);
            demand(at.x > area.x && at.x < area.x + area.w && at.y > area.y &&
                       at.y < area.y + area.h,
                   "(%g, %g) is outside", (double)at.x, (double)at.y);
        }
    }
}
END_TEST

START_TEST(looking_at_one_point_goes_near_and_looking_at_none_stays)
{
    es_camera c = ES_CAMERA_START, before = c;
    const float p[] = {4, 1, 0}, nan[] = {NAN, 1, 0};
    es_camera_at(&c, &extent, area, nan, 1, 3);
    ck_assert_mem_eq(&c, &before, sizeof c);
    es_camera_at(&c, &extent, area, p, 1, 3);
    es_spot at = seen(&c, p);
    ck_assert_float_eq_tol(at.x, 440, 1e-2F);
    ck_assert_float_eq_tol(at.y, 280, 1e-2F);
    ck_assert_double_eq(c.zoom, 8);
}
END_TEST

START_TEST(a_journey_begins_and_ends_where_it_should)
{
    uint64_t state = 7;
    for (int i = 0; i < TRIES; i++) {
        es_camera a = any_camera(&state, true), b = any_camera(&state, true);
        es_camera from = es_camera_between(&a, &b, 0), to = es_camera_between(&a, &b, 1);
        demand(fabs(from.x - a.x) < 1e-9 && fabs(from.zoom - a.zoom) < 1e-9 && from.turn == a.turn,
               "does not begin there");
        demand(to.x == b.x && to.zoom == b.zoom && to.turn == b.turn && to.tilt == b.tilt,
               "does not end there");
    }
}
END_TEST

START_TEST(half_way_is_half_the_zoom_by_ratio_and_the_short_way_round)
{
    es_camera a = {.zoom = 1, .turn = 170}, b = {.zoom = 16, .turn = -170, .x = 3};
    es_camera c = es_camera_between(&a, &b, 0.5);
    ck_assert_double_eq_tol(c.zoom, 4, 1e-12);
    ck_assert_double_eq_tol(c.turn, 180, 1e-12);
    ck_assert_double_eq_tol(c.x, 3 * 0.8, 1e-12); /* (1 - 1/4) / (1 - 1/16) of the way */
    b.zoom = 1;
    ck_assert_double_eq_tol(es_camera_between(&a, &b, 0.5).x, 1.5, 1e-12);
}
END_TEST

START_TEST(a_rounded_camera_is_what_a_line_can_say)
{
    es_camera c = {.x = 1.0 / 3, .y = -0.0, .zoom = 12.3456789, .turn = 30, .tilt = 1e-9 / 3};
    es_camera_round(&c);
    ck_assert_double_eq(c.x, 0.333333);
    ck_assert(!signbit(c.y));
    ck_assert_double_eq(c.zoom, 12.3457);
    ck_assert_double_eq(c.turn, 30);
    ck_assert_double_eq(c.tilt, 3.33333e-10);
}
END_TEST

Suite *camera_suite(void)
{
    Suite *s = suite_create("camera");
    TCase *t = tcase_create("gestures");
    tcase_add_test(t, the_first_look_shows_the_whole_extent_with_its_middle_in_the_middle);
    tcase_add_test(t, a_wide_picture_fills_a_wide_area);
    tcase_add_test(t, zooming_keeps_the_spot_under_the_pointer);
    tcase_add_test(t, zoom_has_two_ends);
    tcase_add_test(t, panning_moves_by_pixels);
    tcase_add_test(t, orbiting_all_the_way_round_comes_back);
    tcase_add_test(t, what_is_in_front_follows_the_pointer_in_an_orbit);
    tcase_add_test(t, one_never_tilts_beyond_straight_down);
    tcase_add_test(t, nearer_points_have_more_depth);
    tcase_add_test(t, turning_changes_no_distance_in_space);
    tcase_add_test(t, the_lens_and_the_point_of_a_spot_are_inverse);
    tcase_add_test(t, in_a_plane_a_third_number_counts_for_nothing);
    suite_add_tcase(s, t);
    t = tcase_create("extents");
    tcase_add_test(t, an_extent_reaches_to_what_it_is_to_include);
    tcase_add_test(t, an_extent_is_never_empty);
    tcase_add_test(t, points_that_are_nan_are_left_out_of_an_extent);
    tcase_add_test(t, a_few_far_points_do_not_make_the_rest_small);
    suite_add_tcase(s, t);
    t = tcase_create("journeys");
    tcase_add_test(t, looking_at_points_has_all_of_them_in_view);
    tcase_add_test(t, looking_at_one_point_goes_near_and_looking_at_none_stays);
    tcase_add_test(t, a_journey_begins_and_ends_where_it_should);
    tcase_add_test(t, half_way_is_half_the_zoom_by_ratio_and_the_short_way_round);
    tcase_add_test(t, a_rounded_camera_is_what_a_line_can_say);
    suite_add_tcase(s, t);
    return s;
}
