// SPDX-License-Identifier: GPL-3.0-or-later
/* Tokens picked out by a shape drawn by hand, and shown alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support.h"
#include "view/lasso.h"
#include "view/map.h"

Suite *select_suite(void);

enum { V = 500, C = 6, BROKEN = 7 };

static stage s;

/* Rows all over, one of them broken. */
static void setup(void)
{
    float wte[V * C];
    uint64_t state = 3;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)((double)next_random(&state) / 2147483648.0 - 1) * (i % C < 2 ? 3 : 1);
    wte[BROKEN * C] = NAN;
    stage_open(&s, wte, V, NULL, 0, C, ES_VIEW_MAP);
    stage_run(&s, ":camera 2d");
}

static void teardown(void)
{
    stage_close(&s);
}

static void check_fails(const char *line, const char *message)
{
    ck_assert_int_eq(stage_run(&s, line), ES_FAILED);
    ck_assert_str_eq(es_str_text(&s.message), message);
}

static void check_done(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
}

static size_t n_selected(void)
{
    size_t n;
    es_session_selection(s.session, &n);
    return n;
}

static bool is_selected(int32_t id)
{
    size_t n;
    const int32_t *ids = es_session_selection(s.session, &n);
    for (size_t i = 0; i < n; i++)
        if (ids[i] == id)
            return true;
    return false;
}

static const float *at(int32_t id)
{
    return es_map_follow(s.viewer)->at + 3 * (int64_t)id;
}

/* ---- the shape ---- */

START_TEST(inside_is_an_odd_number_of_turns)
{
    static const double square[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    ck_assert(es_lasso_has(square, 4, 2, 2));
    ck_assert(!es_lasso_has(square, 4, 5, 2));
    ck_assert(!es_lasso_has(square, 4, 2, -1));
    /* a star of five points drawn in one go: its middle is gone around twice */
    double star[5][2];
    for (int i = 0; i < 5; i++) {
        star[i][0] = sin(2 * i * 2 * M_PI / 5);
        star[i][1] = cos(2 * i * 2 * M_PI / 5);
    }
    ck_assert(!es_lasso_has((const double(*)[2])star, 5, 0, 0));
    ck_assert(es_lasso_has((const double(*)[2])star, 5, 0, 0.7));
    ck_assert(!es_lasso_has((const double(*)[2])star, 5, 0, -0.7));
}
END_TEST

START_TEST(what_is_no_number_is_nowhere)
{
    static const double all[][2] = {
        {-1e100, -1e100}, {1e100, -1e100}, {1e100, 1e100}, {-1e100, 1e100}};
    ck_assert(es_lasso_has(all, 4, 1, 1));
    ck_assert(!es_lasso_has(all, 4, NAN, 1));
    ck_assert(!es_lasso_has(all, 4, 1, NAN));
    ck_assert(!es_lasso_has(all, 4, INFINITY, 1));
}
END_TEST

START_TEST(a_long_drag_keeps_its_shape_in_few_corners)
{
    enum { N = 20000 };
    es_lasso l = {0};
    for (int i = 0; i < N; i++) {
        double a = 2 * M_PI * i / N, r = 200 + 20 * sin(5 * a);
        es_lasso_add(&l, (es_spot){(float)(300 + r * cos(a)), (float)(300 + r * sin(a))});
    }
    es_lasso_simplify(&l);
    ck_assert_uint_le(l.n, ES_LASSO_CORNERS);
    ck_assert_uint_ge(l.n, 40);
    double corner[ES_LASSO_CORNERS][2];
    for (size_t i = 0; i < l.n; i++) {
        corner[i][0] = (double)l.of[i].x;
        corner[i][1] = (double)l.of[i].y;
    }
    for (int i = 0; i < 720; i++) {
        double a = 2 * M_PI * i / 720, r = 200 + 20 * sin(5 * a);
        for (int side = -2; side <= 2; side += 4)
            demand(es_lasso_has((const double(*)[2])corner, l.n, 300 + (r + side) * cos(a),
                                300 + (r + side) * sin(a)) == (side < 0),
                   "two pixels from the edge at %d of 720", i);
    }
    es_lasso_free(&l);
}
END_TEST

START_TEST(a_straight_line_needs_no_corner_between)
{
    es_lasso l = {0};
    for (int i = 0; i <= 100; i++)
        es_lasso_add(&l, (es_spot){(float)i, 0});
    es_lasso_add(&l, (es_spot){100, 100});
    es_lasso_simplify(&l);
    ck_assert_uint_eq(l.n, 3);
    es_lasso_free(&l);
}
END_TEST

/* ---- :select lasso ---- */

START_TEST(a_lasso_selects_what_is_inside)
{
    static const double shape[][2] = {{-2, -2}, {2, -1.5}, {1, 2}, {-1.5, 1}};
    check_done(":select lasso -2,-2 2,-1.5 1,2 -1.5,1");
    ck_assert_uint_gt(n_selected(), 50);
    ck_assert_uint_lt(n_selected(), V - 50);
    for (int32_t id = 0; id < V; id++) {
        bool in = es_lasso_has(shape, 4, (double)at(id)[0], (double)at(id)[1]);
        demand(is_selected(id) == in, "token %d", (int)id);
    }
    check_done(":select lasso -99,-99 99,-99 99,99 -99,99");
    ck_assert_uint_eq(n_selected(), V - 1); /* the broken row is nowhere */
    ck_assert(!is_selected(BROKEN));
}
END_TEST

START_TEST(a_lasso_goes_by_what_is_shown)
{
    check_done(":components 3 4");
    check_done(":select lasso 0,-9 9,-9 9,9 0,9");
    for (int32_t id = 0; id < V; id++)
        demand(is_selected(id) == (at(id)[0] > 0), "token %d", (int)id);
}
END_TEST

START_TEST(adding_keeps_what_is_selected)
{
    check_done(":select x=-9..0");
    size_t left = n_selected();
    check_done(":select lasso 0,-9 9,-9 9,9 0,9 add");
    ck_assert_uint_eq(n_selected(), V - 1);
    check_done(":select x=-9..0");
    check_done(":select x=-9..0 y=-9..9 add");
    ck_assert_uint_eq(n_selected(), left);
    size_t n;
    const int32_t *ids = es_session_selection(s.session, &n);
    for (size_t i = 1; i < n; i++)
        demand(ids[i - 1] < ids[i], "in order, each once");
}
END_TEST

START_TEST(what_is_no_lasso_is_said)
{
    es_str line = {0};
    check_fails(":select lasso", "a lasso has 3 corners or more, and this has 0");
    check_fails(":select lasso 0,0 1,1", "a lasso has 3 corners or more, and this has 2");
    ck_assert_str_eq(s.hint.s, "try: :select lasso 0,0 1,0 1,1");
    check_fails(":select lasso 0,0 1 1,1", "a corner of a lasso is two numbers: X,Y");
    check_fails(":select lasso 0,0 1,b 1,1",
                "Y of a corner is a number from -1e+100 to 1e+100, not \"b\"");
    check_fails(":select add",
                "the form is :select x=A..B y=A..B [add] | lasso X,Y X,Y X,Y … [add] | none");
    es_str_cat(&line, ":select lasso");
    for (int i = 0; i <= ES_LASSO_CORNERS; i++)
        es_str_add(&line, " %d,%d", i, i * i % 17);
    check_fails(line.s, "a lasso has at most 200 corners");
    es_str_free(&line);
}
END_TEST

/* ---- :isolate ---- */

static es_box spot_of(int32_t id)
{
    es_map *m = s.viewer->of[ES_VIEW_MAP];
    return (es_box){m->spot[id].x, m->spot[id].y, 0, 0};
}

static size_t drawn(void)
{
    es_map *m = s.viewer->of[ES_VIEW_MAP];
    return m->n_seen;
}

START_TEST(others_are_hidden_and_not_found_by_the_pointer)
{
    es_pick p = ES_PICK_NONE;
    stage_draw(&s, 600, 400);
    size_t all = drawn();
    check_done(":select x=0..9 y=0..9");
    int32_t hidden = 0;
    while (is_selected(hidden) || isnan(at(hidden)[0]))
        hidden++;
    check_done(":isolate hide");
    check_done(":camera x=0 y=0 zoom=1");
    stage_draw(&s, 600, 400);
    ck_assert_uint_eq(drawn(), n_selected());
    ck_assert_uint_lt(drawn(), all);
    ck_assert(isnan(spot_of(hidden).x));
    check_done(":isolate off");
    check_done(":camera x=0 y=0 zoom=1");
    stage_draw(&s, 600, 400);
    es_box there = spot_of(hidden);
    ck_assert(stage_pick(&s, there.x, there.y, &p));
    es_pick_free(&p);
    check_done(":isolate hide");
    check_done(":camera x=0 y=0 zoom=1");
    stage_draw(&s, 600, 400);
    if (stage_pick(&s, there.x, there.y, &p))
        ck_assert(is_selected(p.id));
    es_pick_free(&p);
}
END_TEST

START_TEST(the_picture_says_how_many_are_hidden)
{
    es_str says = {0}, want = {0};
    check_done(":select x=0..9 y=0..9");
    check_done(":isolate hide");
    stage_draw(&s, 600, 400);
    stage_honesty(&s, &says);
    es_str_add(&want, " %zu of 500 tokens are hidden: :isolate off shows them.", V - n_selected());
    ck_assert_msg(strstr(says.s, want.s), "%s", says.s);
    es_str_cut(&says, 0);
    es_str_cut(&want, 0);
    es_str_add(&want, "\nhidden: %zu, all but what is selected or found\n", V - n_selected());
    stage_plain(&s, &says);
    ck_assert_msg(strstr(says.s, want.s), "%s", says.s);
    es_str_cut(&says, 0);
    es_str_cut(&want, 0);
    es_str_add(&want, "\"hidden\":%zu,", V - n_selected());
    stage_json(&s, &says);
    ck_assert_msg(strstr(says.s, want.s), "%s", says.s);
    es_str_cut(&says, 0);
    check_done(":isolate fade");
    stage_draw(&s, 600, 400);
    stage_honesty(&s, &says);
    ck_assert_ptr_nonnull(strstr(says.s, " tokens are faded: :isolate off shows them."));
    es_str_cut(&says, 0);
    check_done(":clear"); /* nothing is picked out: nothing is hidden */
    check_done(":camera fit");
    stage_draw(&s, 600, 400);
    stage_honesty(&s, &says);
    ck_assert_ptr_null(strstr(says.s, "isolate"));
    ck_assert_uint_eq(drawn(), V - 1);
    es_str_free(&says);
    es_str_free(&want);
}
END_TEST

START_TEST(the_focus_and_the_sentence_stay)
{
    check_done("A");
    check_done(":focus #40");
    check_done(":select lasso 90,90 91,90 91,91");
    check_done(":find \"Z\"");
    check_done(":isolate hide");
    const es_map *m = es_map_follow(s.viewer);
    ck_assert_int_eq(m->aside[32], 0); /* A */
    ck_assert_int_eq(m->aside[40], 0);
    ck_assert_int_eq(m->aside[57], 0); /* Z */
    ck_assert_int_eq(m->aside[58], 1);
}
END_TEST

START_TEST(the_camera_goes_to_what_is_left)
{
    check_done(":select x=1..9 y=1..9");
    check_done(":isolate hide");
    es_camera there = s.viewer->camera[ES_VIEW_MAP];
    ck_assert_double_gt(there.zoom, 1);
    static const int sizes[][2] = {{900, 300}, {300, 900}, {500, 500}};
    for (int i = 0; i < 3; i++) {
        stage_draw(&s, sizes[i][0], sizes[i][1]);
        for (int32_t id = 0; id < V; id++) {
            es_box spot = spot_of(id);
            demand(!is_selected(id) || es_box_has(s.area, spot.x, spot.y), "token %d", (int)id);
        }
    }
    check_done(":camera x=0 y=0 zoom=1");
    check_done(":camera fit");
    ck_assert_double_eq(s.viewer->camera[ES_VIEW_MAP].zoom, there.zoom);
    ck_assert_double_eq(s.viewer->camera[ES_VIEW_MAP].x, there.x);
    check_done(":isolate off");
    check_done(":camera fit");
    ck_assert_double_eq(s.viewer->camera[ES_VIEW_MAP].zoom, 1);
}
END_TEST

START_TEST(a_shape_in_what_is_left_selects_of_that)
{
    check_done(":select x=0..9");
    check_done(":isolate hide");
    check_done(":select lasso -99,-9 99,-9 99,0 -99,0");
    for (int32_t id = 0; id < V; id++)
        demand(!is_selected(id) || (at(id)[0] >= 0 && at(id)[1] <= 0), "token %d", (int)id);
    ck_assert_uint_gt(n_selected(), 10);
}
END_TEST

START_TEST(isolate_says_its_state_and_is_recalled)
{
    es_str lines = {0};
    check_done(":isolate");
    ck_assert_str_eq(s.json.s, "{\"kind\":\"isolate\",\"others\":\"off\"}\n");
    check_done(":isolate hide");
    check_done(":isolate");
    ck_assert_str_eq(s.json.s, "{\"kind\":\"isolate\",\"others\":\"hide\"}\n");
    es_viewer_recall(s.viewer, &lines);
    ck_assert_msg(!strncmp(lines.s, ":isolate hide\n", 14), "%s", lines.s);
    check_fails(":isolate all", "the form is :isolate [fade|hide|off]");
    es_str_free(&lines);
}
END_TEST

Suite *select_suite(void)
{
    Suite *suite = suite_create("select");
    TCase *shape = tcase_create("shape"), *tc = tcase_create("commands");
    tcase_add_test(shape, inside_is_an_odd_number_of_turns);
    tcase_add_test(shape, what_is_no_number_is_nowhere);
    tcase_add_test(shape, a_long_drag_keeps_its_shape_in_few_corners);
    tcase_add_test(shape, a_straight_line_needs_no_corner_between);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_lasso_selects_what_is_inside);
    tcase_add_test(tc, a_lasso_goes_by_what_is_shown);
    tcase_add_test(tc, adding_keeps_what_is_selected);
    tcase_add_test(tc, what_is_no_lasso_is_said);
    tcase_add_test(tc, others_are_hidden_and_not_found_by_the_pointer);
    tcase_add_test(tc, the_picture_says_how_many_are_hidden);
    tcase_add_test(tc, the_focus_and_the_sentence_stay);
    tcase_add_test(tc, the_camera_goes_to_what_is_left);
    tcase_add_test(tc, a_shape_in_what_is_left_selects_of_that);
    tcase_add_test(tc, isolate_says_its_state_and_is_recalled);
    suite_add_tcase(suite, shape);
    suite_add_tcase(suite, tc);
    return suite;
}
