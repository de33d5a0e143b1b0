// SPDX-License-Identifier: GPL-3.0-or-later
/* Labels: none covers another, and they stay while one drags. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "view/labels.h"

Suite *labels_suite(void);

enum { MANY = 3000 };

static const es_box area = {20, 10, 700, 450};

static es_labels *labels;
static es_wish wish[MANY];
static es_placed placed[MANY], again[MANY];

static void setup(void)
{
    labels = es_labels_new();
}

static void teardown(void)
{
    es_labels_free(labels);
}

static float below(uint64_t *state, float n)
{
    return n * (float)(next_random(state) / 4294967296.0);
}

/* Points in the area and around it. */
static void any_wishes(uint64_t *state, size_t n)
{
    for (size_t i = 0; i < n; i++)
        wish[i] = (es_wish){.id = (int32_t)i,
                            .w = 5 + below(state, 90),
                            .h = 8 + below(state, 20),
                            .at = {below(state, 760), below(state, 480)},
                            .clear = below(state, 8)};
}

static bool overlap(es_box a, es_box b)
{
    return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

static void check_apart(const es_placed *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            demand(!overlap(p[i].box, p[j].box), "wishes %zu and %zu overlap", p[i].wish,
                   p[j].wish);
}

static bool shown(const es_placed *p, size_t n, int32_t id)
{
    for (size_t i = 0; i < n; i++)
        if (wish[p[i].wish].id == id)
            return true;
    return false;
}

START_TEST(no_label_covers_another_or_leaves_the_area)
{
    uint64_t state = 1;
    for (int round = 0; round < 20; round++) {
        any_wishes(&state, MANY);
        size_t n = es_labels_place(labels, area, wish, MANY, 10, MANY, placed);
        demand(n > 50, "only %zu", n);
        check_apart(placed, n);
        for (size_t i = 0; i < n; i++) {
            es_box b = placed[i].box;
            demand(b.x >= area.x && b.y >= area.y && b.x + b.w <= area.x + area.w &&
                       b.y + b.h <= area.y + area.h,
                   "wish %zu leaves the area", placed[i].wish);
        }
    }
}
END_TEST

START_TEST(a_label_is_beside_its_point_and_clear_of_it)
{
    uint64_t state = 2;
    any_wishes(&state, MANY);
    size_t n = es_labels_place(labels, area, wish, MANY, 0, MANY, placed);
    for (size_t i = 0; i < n; i++) {
        const es_wish *w = &wish[placed[i].wish];
        es_box b = placed[i].box;
        float dx = fmaxf(fmaxf(b.x - w->at.x, w->at.x - b.x - b.w), 0),
              dy = fmaxf(fmaxf(b.y - w->at.y, w->at.y - b.y - b.h), 0);
        demand(b.w == w->w && b.h == w->h, "another size");
        demand(fabsf(dx + dy - w->clear) < 1e-3F, "wish %zu is %g away, not %g", placed[i].wish,
               (double)(dx + dy), (double)w->clear);
    }
}
END_TEST

START_TEST(the_right_side_comes_first)
{
    wish[0] = (es_wish){.id = 7, .w = 50, .h = 16, .at = {300, 200}, .clear = 5};
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 1, 0, 1, placed), 1);
    ck_assert_float_eq(placed[0].box.x, 305);
    ck_assert_float_eq(placed[0].box.y, 192);
    es_labels_forget(labels);
    wish[0].at.x = 700;
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 1, 0, 1, placed), 1);
    ck_assert_float_eq(placed[0].box.x, 645);
}
END_TEST

START_TEST(those_with_a_reach_find_room_further_away)
{
    for (int i = 0; i < 9; i++)
        wish[i] = (es_wish){.id = i, .w = 60, .h = 16, .at = {350, 220}, .clear = 5};
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 9, 0, 9, placed), 2);
    es_labels_forget(labels);
    for (int i = 0; i < 9; i++)
        wish[i].reach = 80;
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 9, 0, 9, placed), 9);
    check_apart(placed, 9);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 9, 0, 9, again), 9);
    ck_assert_mem_eq(again, placed, 9 * sizeof *placed);
}
END_TEST

START_TEST(nobody_is_labelled_whose_point_is_not_to_be_seen)
{
    const es_spot out[] = {{19, 200}, {721, 200}, {300, 9}, {300, 461}, {NAN, 200}, {300, NAN}};
    for (size_t i = 0; i < 6; i++)
        wish[i] = (es_wish){.id = (int32_t)i, .w = 10, .h = 10, .at = out[i]};
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 6, 6, 6, placed), 0);
}
END_TEST

START_TEST(those_that_must_come_before_those_with_memory)
{
    wish[0] = (es_wish){.id = 1, .w = 60, .h = 16, .at = {300, 200}, .clear = 4};
    wish[1] = (es_wish){.id = 2, .w = 60, .h = 16, .at = {301, 201}, .clear = 4};
    wish[2] = (es_wish){.id = 3, .w = 400, .h = 300, .at = {200, 201}};
    ck_assert_uint_eq(es_labels_place(labels, area, wish + 2, 1, 0, 1, placed), 1);
    size_t n = es_labels_place(labels, area, wish, 3, 2, 3, placed);
    ck_assert_uint_eq(n, 2);
    ck_assert(shown(placed, n, 1) && shown(placed, n, 2));
}
END_TEST

START_TEST(all_that_must_are_there_where_there_is_room)
{
    uint64_t state = 3;
    any_wishes(&state, MANY);
    es_labels_place(labels, area, wish, MANY, 0, MANY, placed);
    for (int i = 0; i < 20; i++)
        wish[i] = (es_wish){.id = MANY + i,
                            .w = 60,
                            .h = 16,
                            .at = {100 + (float)(i % 5) * 120, 50 + (float)(i / 5) * 80}};
    size_t n = es_labels_place(labels, area, wish, MANY, 20, MANY, placed);
    for (size_t i = 0; i < 20; i++)
        demand(shown(placed, n, MANY + (int32_t)i), "%zu is missing", i);
    check_apart(placed, n);
}
END_TEST

START_TEST(a_label_that_was_there_stays_before_a_more_important_one)
{
    wish[1] = (es_wish){.id = 2, .w = 640, .h = 440, .at = {30, 230}, .clear = 2};
    es_labels_place(labels, area, wish + 1, 1, 0, 1, placed);
    wish[0] = (es_wish){.id = 1, .w = 400, .h = 300, .at = {200, 200}};
    size_t n = es_labels_place(labels, area, wish, 2, 0, 2, placed);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(placed[0].wish, 1);
    es_labels_forget(labels);
    n = es_labels_place(labels, area, wish, 2, 0, 2, placed);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(placed[0].wish, 0);
}
END_TEST

/* Of the labels that could have stayed, how many went, over a drag of 60 pixels, a pixel a picture. */
static int flicker(bool forget)
{
    uint64_t state = 4;
    int gone = 0;
    size_t before = 0;
    any_wishes(&state, MANY);
    for (int step = 0; step < 60; step++) {
        for (size_t i = 0; step && i < MANY; i++)
            wish[i].at.x += 0.9F, wish[i].at.y += 0.3F;
        if (forget)
            es_labels_forget(labels);
        size_t n = es_labels_place(labels, area, wish, MANY, 0, 400, placed);
        for (size_t i = 0; i < before; i++)
            gone += !shown(placed, n, wish[again[i].wish].id);
        memcpy(again, placed, n * sizeof *placed);
        before = n;
    }
    return gone;
}

START_TEST(labels_stay_while_one_drags)
{
    int with = flicker(false), without = flicker(true);
    ck_assert_msg(10 * with < without, "%d went, %d without memory", with, without);
}
END_TEST

START_TEST(labels_stay_on_their_side)
{
    wish[0] = (es_wish){.id = 1, .w = 50, .h = 16, .at = {680, 200}, .clear = 5};
    es_labels_place(labels, area, wish, 1, 0, 1, placed);
    ck_assert_float_eq(placed[0].box.x, 625);
    wish[0].at.x = 640;
    es_labels_place(labels, area, wish, 1, 0, 1, placed);
    ck_assert_float_eq(placed[0].box.x, 585);
}
END_TEST

START_TEST(the_same_picture_again_has_the_same_labels)
{
    uint64_t state = 5;
    any_wishes(&state, MANY);
    size_t n = es_labels_place(labels, area, wish, MANY, 5, 100, placed);
    for (int i = 0; i < 3; i++) {
        size_t m = es_labels_place(labels, area, wish, MANY, 5, 100, again);
        ck_assert_uint_eq(m, n);
        for (size_t k = 0; k < n; k++)
            demand(shown(again, m, wish[placed[k].wish].id), "%zu has gone", placed[k].wish);
    }
    es_labels_forget(labels);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, MANY, 5, 100, again), n);
    ck_assert_mem_eq(again, placed, n * sizeof *placed);
}
END_TEST

START_TEST(blocked_boxes_stay_free_for_one_picture)
{
    const es_box legend = {500, 300, 220, 160}, beyond = {-100, -100, 160, 160};
    uint64_t state = 6;
    any_wishes(&state, MANY);
    es_labels_block(labels, legend);
    es_labels_block(labels, beyond);
    es_labels_block(labels, (es_box){5000, 5000, 10, 10});
    size_t n = es_labels_place(labels, area, wish, MANY, MANY, MANY, placed);
    for (size_t i = 0; i < n; i++)
        demand(!overlap(placed[i].box, legend) && !overlap(placed[i].box, beyond),
               "wish %zu is in a panel", placed[i].wish);
    n = es_labels_place(labels, area, wish, MANY, 0, MANY, placed);
    bool there = false;
    for (size_t i = 0; i < n; i++)
        there |= overlap(placed[i].box, legend);
    ck_assert(there);
}
END_TEST

START_TEST(no_more_than_asked_for)
{
    uint64_t state = 7;
    any_wishes(&state, MANY);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, MANY, 10, 25, placed), 25);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, MANY, 50, 25, placed), 25);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, MANY, 10, 0, placed), 0);
    ck_assert_uint_eq(es_labels_place(labels, area, wish, 0, 10, 25, placed), 0);
}
END_TEST

START_TEST(areas_of_no_size_hold_none)
{
    uint64_t state = 8;
    const es_box odd[] = {{0, 0, 0, 0},   {0, 0, -5, 10},   {0, 0, NAN, 10},
                          {0, 0, 1, 1e9}, {700, 400, 1, 1}, {0, 0, 3.5F, 200}};
    any_wishes(&state, MANY);
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        ck_assert_uint_eq(es_labels_place(labels, odd[i], wish, MANY, 10, MANY, placed), 0);
}
END_TEST

Suite *labels_suite(void)
{
    Suite *s = suite_create("labels");
    TCase *t = tcase_create("labels");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, no_label_covers_another_or_leaves_the_area);
    tcase_add_test(t, a_label_is_beside_its_point_and_clear_of_it);
    tcase_add_test(t, the_right_side_comes_first);
    tcase_add_test(t, those_with_a_reach_find_room_further_away);
    tcase_add_test(t, nobody_is_labelled_whose_point_is_not_to_be_seen);
    tcase_add_test(t, those_that_must_come_before_those_with_memory);
    tcase_add_test(t, all_that_must_are_there_where_there_is_room);
    tcase_add_test(t, a_label_that_was_there_stays_before_a_more_important_one);
    tcase_add_test(t, labels_stay_while_one_drags);
    tcase_add_test(t, labels_stay_on_their_side);
    tcase_add_test(t, the_same_picture_again_has_the_same_labels);
    tcase_add_test(t, blocked_boxes_stay_free_for_one_picture);
    tcase_add_test(t, no_more_than_asked_for);
    tcase_add_test(t, areas_of_no_size_hold_none);
    suite_add_tcase(s, t);
    return s;
}
