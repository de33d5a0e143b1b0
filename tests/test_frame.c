// SPDX-License-Identifier: GPL-3.0-or-later
/* Whole pictures: what stands around each view, and that all of it can be read. */
#include <stdio.h>
#include <string.h>

#include "drawn.h"
#include "view/frame.h"
#include "view/views.h"

Suite *frame_suite(void);

static drawn d;
static es_viewer *v;

static void setup(void)
{
    drawn_open(&d, "untrained:C=8", 16, 16);
    v = d.viewer;
}

static void teardown(void)
{
    drawn_close(&d);
}

static void draw_file(es_viewer *viewer, es_canvas *c, es_box area)
{
    (void)area;
    es_frame_draw(viewer, c, ES_FRAME_FILE);
}

static const int sizes[][2] = {{1280, 800}, {800, 600}, {640, 480}};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static const char *const lines[] = {
    ":show map 2d",
    ":show map 3d",
    ":show variance",
    ":show positions all",
    ":show positions curves",
    ":show offset",
    ":show offset \" cat\" \" dog\"",
    ":show strips",
    ":show cosine",
    ":show positions beside",
    ":show positions cosine",
    ":show positions components",
};
enum {
    N_LINES = sizeof lines / sizeof *lines,
    OF_ALL = 3 /* the first, which are of all tokens and take longer: one text */
};

static const char *const texts[] = {
    "",
    "king",
    "The king and the queen sat on the mat",
    "na\u00efve \u6f22\u5b57 \U0001f917 \u05e9\u05dc\u05d5\u05dd",
    "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age "
    "of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the "
    "season of Light, it was the season of Darkness",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

START_TEST(all_that_is_written_can_be_read)
{
    char what[200];
    drawn_run(&d, _i % 2 ? ":color-by script" : ":color-by length");
    for (int t = _i < OF_ALL ? N_TEXTS - 1 : 0; t < N_TEXTS; t++) {
        drawn_run(&d, texts[t]);
        drawn_run(&d, lines[_i]);
        snprintf(what, sizeof what, "%s of \"%.30s\"", lines[_i], texts[t]);
        for (int i = 0; i < 2 * N_SIZES; i++) {
            const int *size = sizes[i / 2];
            es_session_settings(d.session)->big = i % 2;
            drawn_apart(&d, what, (float)size[0], (float)size[1], draw_file);
        }
    }
    drawn_preview(&d, texts[2]);
    drawn_apart(&d, lines[_i], 800, 600, draw_file);
}
END_TEST

START_TEST(where_room_is_short_the_picture_keeps_its_own)
{
    es_frame wide = es_frame_of(1280, 800, 13, ES_FRAME_WINDOW);
    es_frame tight = es_frame_of(800, 600, 24, ES_FRAME_WINDOW);
    ck_assert(wide.card.w > 0 && wide.chips.h > 0 && wide.expression.h > 0);
    ck_assert(tight.honesty.h > 0 && tight.chips.h > 0 && tight.prompt.h > 0);
    ck_assert(tight.expression.h == 0 && tight.picture.h >= 12 * 24);
}
END_TEST

START_TEST(a_table_is_named_whole_or_not_at_all)
{
    for (int w = 320; w < 1400; w += 20) {
        es_str words = drawn_words(&d, (float)w, 480, draw_file);
        demand(!strstr(words.s, "wte [") || strstr(words.s, "wte [V=50257, C=8]\n"), "%d: %s", w,
               words.s);
        es_str_free(&words);
    }
}
END_TEST

static void draw_window(es_viewer *viewer, es_canvas *c, es_box area)
{
    (void)area;
    es_frame_draw(viewer, c, ES_FRAME_WINDOW);
}

/* All ten where there is room; always the one that is shown, and with the window's keys all of these, as far as 640
 * pixels go. */
START_TEST(the_bar_has_a_tab_for_each_view)
{
    static const struct {
        int w, h;
        bool big, all;
    } at[] = {{1280, 800, false, true}, {1280, 800, true, false}, {800, 600, false, false},
              {800, 600, true, false},  {640, 480, false, false}, {1920, 1080, true, true}};
    for (int view = 0; view < ES_N_VIEWS; view++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            char what[80], tab[40];
            es_str words, said = {0};
            v->view = (es_view_id)view;
            es_session_settings(d.session)->big = at[i].big;
            snprintf(what, sizeof what, "view %d at %dx%d%s", view, at[i].w, at[i].h,
                     at[i].big ? ", big" : "");
            drawn_apart(&d, what, (float)at[i].w, (float)at[i].h, draw_window);
            words = drawn_words(&d, (float)at[i].w, (float)at[i].h, draw_window);
            es_str_cat(&said, "\n");
            es_str_bytes(&said, words.s, words.len);
            es_str_free(&words);
            for (int k = 0; k < ES_N_VIEWS; k++) {
                snprintf(tab, sizeof tab, "\nF%d %s\n", k + 1, es_view_kind_at(k)->name);
                bool named = strstr(said.s, tab) != NULL;
                snprintf(tab, sizeof tab, "\nF%d\n", k + 1);
                demand(named || (!at[i].all && k != view && strstr(said.s, tab)),
                       "%s: no tab %d:%s", what, k, said.s);
            }
            es_str_free(&said);
        }
}
END_TEST

START_TEST(a_tab_that_is_clicked_is_its_view)
{
    bool found[ES_N_VIEWS] = {false};
    es_pick pick;
    int view, n = 0;
    es_error err = ES_ERROR_NONE;
    es_raster_close(&d.raster);
    ck_assert_works(es_raster_open(&d.raster, 800, 600, 1, true, d.font, &err), err);
    for (int x = 0; x < 800; x += 4)
        if (es_frame_pick(v, &d.raster.canvas, ES_FRAME_WINDOW, (es_spot){(float)x, 10}, &pick,
                          &view))
            found[view] = true;
    for (int k = 0; k < ES_N_VIEWS; k++)
        n += found[k];
    ck_assert_int_eq(n, ES_N_VIEWS);
}
END_TEST

Suite *frame_suite(void)
{
    Suite *s = suite_create("frame");
    TCase *tc = tcase_create("frame");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, all_that_is_written_can_be_read, 0, N_LINES);
    tcase_add_test(tc, the_bar_has_a_tab_for_each_view);
    tcase_add_test(tc, a_tab_that_is_clicked_is_its_view);
    tcase_add_test(tc, where_room_is_short_the_picture_keeps_its_own);
    tcase_add_test(tc, a_table_is_named_whole_or_not_at_all);
    suite_add_tcase(s, tc);
    return s;
}
