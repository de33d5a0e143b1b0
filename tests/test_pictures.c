// SPDX-License-Identifier: GPL-3.0-or-later
/* The commands of pictures as they are typed and answered, without a display. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"
#include "listener.h"
#include "support.h"
#include "view/viewer.h"

Suite *pictures_suite(void);

/* ---- a session without a display ---- */

static listener heard;
static es_viewer *viewer;

static void open_model(const char *model)
{
    listener_open(&heard, &(es_session_options){.model = model, .settings.pad = -1});
    viewer = es_viewer_new(heard.session);
}

static void setup(void)
{
    calm_environment();
    open_model("untrained:V=2000,C=12");
}

static void teardown(void)
{
    es_viewer_free(viewer);
    listener_close(&heard);
}

static es_outcome run(const char *line)
{
    return listener_run(&heard, line);
}

static void check_done(const char *line)
{
    ck_assert_msg(run(line) == ES_DONE, "%s: %s", line, es_str_text(&heard.json));
    ck_assert_str_eq(es_str_text(&heard.json), "{\"kind\":\"none\"}\n");
    ck_assert_str_eq(es_str_text(&heard.shown), "");
}

static void check_shown(const char *line, const char *want)
{
    ck_assert_int_eq(run(line), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.shown), want);
}

static void check_json(const char *line, const char *want)
{
    ck_assert_int_eq(run(line), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.json), want);
}

static void check_error(const char *line, const char *code, const char *message)
{
    listener_refused(&heard, line, code, message);
}

/* ---- what is shown ---- */

START_TEST(views_are_listed_and_named)
{
    ck_assert_int_eq(run(":show"), ES_DONE);
    json_t *o = json_loads(es_str_text(&heard.json), 0, NULL);
    json_t *views = json_object_get(o, "views");
    ck_assert_uint_eq(json_array_size(views), ES_N_VIEWS);
    for (size_t i = 0; i < ES_N_VIEWS; i++) {
        json_t *view = json_array_get(views, i);
        ck_assert_str_eq(json_string_value(json_object_get(view, "view")),
                         es_view_kind_at((int)i)->name);
        ck_assert_str_eq(json_string_value(json_object_get(view, "shown")), i ? "" : "shown");
        char key[8];
        snprintf(key, sizeof key, "F%zu", i + 1);
        ck_assert_str_eq(json_string_value(json_object_get(view, "key")), key);
    }
    json_decref(o);
    check_error(":show mapp", "name", "there is no view \"mapp\"");
    ck_assert_str_eq(
        heard.hint.s,
        "views: map, positions, offset, strips, cosine, axes, variance, series, pairs, onehot");
    check_error(":show cosine now", "usage", "the form is :show [VIEW [ARGUMENTS]]");
    ck_assert_int_eq(viewer->view, ES_VIEW_MAP);
}
END_TEST

/* Python has a map, too. */
START_TEST(help_about_a_function_tells_of_the_view)
{
    ck_assert_int_eq(run(":help map"), ES_DONE);
    ck_assert_ptr_nonnull(strstr(heard.json.s, "\"map\""));
    ck_assert_str_eq(es_str_text(&heard.notes), "it is a word of a command too: :help show\n");
    ck_assert_int_eq(run(":help len"), ES_DONE);
    ck_assert_str_eq(es_str_text(&heard.notes), "");
}
END_TEST

START_TEST(each_view_is_text_numbers_and_an_object)
{
    run("The The");
    for (int i = 0; i < ES_N_VIEWS; i++) {
        es_str line = {0}, begin = {0};
        const char *name = es_view_kind_at(i)->name;
        es_str_add(&line, ":show %s", name);
        es_str_add(&begin, "{\"kind\":\"show\",\"view\":\"%s\",", name);
        heard.style.plain = false;
        demand(run(line.s) == ES_DONE, "%s: %s", line.s, es_str_text(&heard.json));
        demand(!strncmp(heard.json.s, begin.s, begin.len), "%s: %s", line.s, heard.json.s);
        demand(heard.shown.len > 500, "%s: %s", line.s, es_str_text(&heard.shown));
        json_t *o = json_loads(heard.json.s, JSON_REJECT_DUPLICATES, NULL);
        demand(o != NULL, "%s: %s", line.s, heard.json.s);
        json_decref(o);
        heard.style.plain = true;
        run(line.s);
        demand(heard.shown.len && strchr(heard.shown.s, ':'), "%s: %s", line.s,
               es_str_text(&heard.shown));
        demand((int)viewer->view == i, "%s shows %d", line.s, (int)viewer->view);
        es_str_free(&line);
        es_str_free(&begin);
    }
}
END_TEST

/* How many lines were shown, none of them wider than the screen. */
static int count_lines(void)
{
    int lines = 0;
    for (const char *s = heard.shown.s; *s; s += strcspn(s, "\n") + 1, lines++)
        demand(es_columns(s, strcspn(s, "\n")) <= heard.style.width, "%d: %.*s", heard.style.width,
               (int)strcspn(s, "\n"), s);
    return lines;
}

START_TEST(a_picture_in_the_terminal_fits_the_screen)
{
    run("The The");
    for (int i = 0; i < ES_N_VIEWS; i++) {
        es_str line = {0};
        es_str_add(&line, ":show %s", es_view_kind_at(i)->name);
        for (int wide = 0; wide < 2; wide++) {
            heard.style = (es_style){.width = wide ? 120 : 50, .height = wide ? 30 : 0};
            run(line.s);
            int lines = count_lines();
            demand(lines >= 16 && lines <= 30, "%s: %d lines", line.s, lines); /* 15, and words */
        }
        es_str_free(&line);
    }
}
END_TEST

START_TEST(a_window_needs_a_person)
{
    check_shown(":window", "window: off, :window on opens it\n");
    check_json(":window", "{\"kind\":\"window\",\"state\":\"off\"}\n");
    check_error(":window on", "unsupported", "a window needs a person at a terminal");
    ck_assert_str_eq(heard.hint.s,
                     "try: :show map draws it here, in characters\n"
                     "or: :export FILE.png, :export FILE.svg writes what a window shows");
    check_error(":window full", "unsupported", "a window needs a person at a terminal");
    check_done(":window off");
    check_error(":window of", "usage", "the form is :window [on|off|full]");
    ck_assert_str_eq(heard.hint.s, "try: :help window\ndid you mean off ?");
    check_error(":window on on", "usage", "the form is :window [on|off|full]");
}
END_TEST

/* ---- files ---- */

static es_str contents(const char *path)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    es_str all = {0};
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(&all, (const char *)f.data, f.size);
    es_file_close(&f);
    return all;
}

START_TEST(a_picture_is_exported_and_the_same_again)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    check_json(":export a b.svg size=300x200",
               "{\"kind\":\"export\",\"path\":\"a b.svg\",\"w\":300,\"h\":200}\n");
    ck_assert_str_eq(heard.shown.s, "a b.svg: 300 x 200\n");
    run(":camera zoom=3");
    run(":export moved.svg size=300x200");
    run(":camera fit");
    run(":export again.svg size=300x200");
    es_str one = contents("a b.svg"), moved = contents("moved.svg"), again = contents("again.svg");
    ck_assert_str_eq(one.s, again.s);
    ck_assert_str_ne(one.s, moved.s);
    check_json(":export default.svg",
               "{\"kind\":\"export\",\"path\":\"default.svg\",\"w\":1280,\"h\":800}\n");
    check_error(":export", "usage", "the form is :export FILE [size=WxH]");
    check_error(":export a.gif", "value",
                "a picture's file ends in .png or .svg, one of its numbers in .tsv or .npy, not as "
                "\"a.gif\"");
    check_error(":export a.svg size=3x3", "value",
                "a picture's size is WIDTHxHEIGHT, each from 160 to 8192, not \"3x3\"");
    check_error(":export no/where.svg", "io",
                "cannot write no/where.svg: No such file or directory");
    ck_assert_int_eq(chdir("/"), 0);
    es_str_free(&one);
    es_str_free(&moved);
    es_str_free(&again);
    free(folder);
}
END_TEST

/* ---- how it is looked at ---- */

START_TEST(the_camera_goes_where_it_is_told)
{
    check_shown(":camera", "camera of map: x=0 y=0 zoom=1 2d\n");
    check_done(":camera zoom=2.5 x=-0.125 y=1e-3");
    check_json(":camera", "{\"kind\":\"camera\",\"view\":\"map\",\"x\":-0.125,\"y\":"
                          "0.001,\"zoom\":2.5,\"turn\":30,\"tilt\":20,\"solid\":false}\n");
    check_done(":camera 3d turn=-45");
    check_shown(":camera", "camera of map: x=-0.125 y=0.001 zoom=2.5 turn=-45 tilt=20 3d\n");
    check_done(":camera fit 2d");
    check_shown(":camera", "camera of map: x=0 y=0 zoom=1 2d\n");
    check_error(":camera zom=2", "usage",
                "the form is :camera [fit] [x=N] [y=N] [zoom=N] [turn=N] [tilt=N] [2d|3d]");
    ck_assert_str_eq(heard.hint.s, "try: :help camera\ndid you mean zoom= ?");
    check_error(":camera x=1 zoom=0.1", "range", "zoom is a number from 0.2 to 5000, not \"0.1\"");
    check_error(":camera tilt=91", "range", "tilt is a number from -90 to 90, not \"91\"");
    check_error(":camera x=nan", "value", "x is a number from -1e+09 to 1e+09, not \"nan\"");
    check_error(":camera x=", "value", "x is a number from -1e+09 to 1e+09, not \"\"");
    check_error(":camera \"x=1\\x00\"", "value",
                "x is a number from -1e+09 to 1e+09, not \"1\\x00\"");
    check_shown(":camera", "camera of map: x=0 y=0 zoom=1 2d\n"); /* nothing of a bad line holds */
    run(":show cosine");
    check_error(":camera zoom=2", "value", "cosine has no camera: it is always seen whole");
}
END_TEST

/* Whatever numbers a gesture leaves, the line says them exactly. */
START_TEST(a_camera_line_brings_back_the_camera)
{
    uint64_t state = 7;
    for (int i = 0; i < 200; i++) {
        es_camera c = {.x = (double)next_random(&state) / 1e9 - 2,
                       .y = 1 / ((double)next_random(&state) + 1),
                       .zoom = 0.2 + (double)random_below(&state, 1000000) / 997,
                       .turn = (double)random_below(&state, 36000) / 100 - 180,
                       .tilt = (double)random_below(&state, 18000) / 100 - 90,
                       .solid = i % 2};
        es_str line = {0}, again = {0};
        es_camera_round(&c);
        es_str_add(&line, ":camera x=%.6g y=%.6g zoom=%.6g turn=%.6g tilt=%.6g %s", c.x, c.y,
                   c.zoom, c.turn, c.tilt, c.solid ? "3d" : "2d");
        demand(run(line.s) == ES_DONE, "%s: %s", line.s, es_str_text(&heard.json));
        const es_camera *now = &viewer->camera[ES_VIEW_MAP];
        demand(now->x == c.x && now->y == c.y && now->zoom == c.zoom && now->turn == c.turn &&
                   now->tilt == c.tilt && now->solid == c.solid,
               "%s", line.s);
        es_str_free(&line);
        es_str_free(&again);
    }
}
END_TEST

START_TEST(components_two_are_a_plane_three_are_space)
{
    check_shown(":components", "components of the map: 1 2\n");
    check_done(":components 3 1");
    check_json(":components", "{\"kind\":\"components\",\"components\":[3,1]}\n");
    ck_assert(!viewer->camera[ES_VIEW_MAP].solid);
    check_done(":components 2 4 10");
    check_shown(":components", "components of the map: 2 4 10\n");
    ck_assert(viewer->camera[ES_VIEW_MAP].solid);
    check_error(":components 1", "usage", "the form is :components [N N [N]]");
    check_error(":components 1 2 3 4", "usage", "the form is :components [N N [N]]");
    check_error(":components 1 1", "value", "component 1 stands there twice");
    check_error(":components 0 1", "range",
                "a component is a whole number from 1 to 10, not \"0\"");
    check_error(":components a b", "value", "a component is a whole number, not \"a\"");
    check_shown(":components", "components of the map: 2 4 10\n");
    run(":model untrained:V=2000,C=3");
    check_error(":components 1 4", "range", "a component is a whole number from 1 to 3, not \"4\"");
    run(":show map");
    check_shown(":components", "components of the map: 1 2 3\n"); /* there is no tenth any more */
}
END_TEST

START_TEST(colours_and_labels_are_chosen)
{
    check_json(":color-by", "{\"kind\":\"color-by\",\"by\":\"length\"}\n");
    check_done(":color-by script");
    check_shown(":color-by", "color-by: script\n");
    check_error(":color-by scrpt", "usage",
                "the form is :color-by [length|id|script|space|digit|case|count|COLUMN]");
    ck_assert_str_eq(heard.hint.s, "try: :help color-by\ndid you mean script ?");
    check_error(":color-by count", "value",
                "how often untrained:V=2000,C=12 saw each token in training is not known");
    check_shown(":color-by", "color-by: script\n");
    check_shown(":labels", "labels: 500 at most\n");
    check_done(":labels 0");
    check_json(":labels", "{\"kind\":\"labels\",\"most\":0}\n");
    check_error(":labels -1", "range", "N of :labels is a whole number from 0 to 5000, not \"-1\"");
    check_error(":labels many", "value", "N of :labels is a whole number, not \"many\"");
}
END_TEST

/* ---- what is picked out ---- */

START_TEST(focus_is_a_token_or_a_place)
{
    check_shown(":focus", "focus: none, there is no text yet\n");
    check_json(":focus", "{\"kind\":\"focus\",\"id\":null,\"place\":null}\n");
    run("The The");
    check_shown(":focus", "focus: \u2423The #383 @1, the last of the text\n");
    check_done(":focus @0");
    check_json(":focus", "{\"kind\":\"focus\",\"id\":464,\"place\":0}\n");
    check_done(":focus #11");
    check_shown(":focus", "focus: , #11\n");
    check_error(":focus #2000", "index_range", "id 2000 is outside wte (2000 rows: 0..1999)");
    check_error(":focus @5", "index_range", "@5 is outside the last text (B=1, T=2)");
    check_error(":focus none now", "usage", "the form is :focus [TOKEN|none]");
    check_shown(":focus", "focus: , #11\n");
    check_done(":focus none");
    check_json(":focus", "{\"kind\":\"focus\",\"id\":383,\"place\":1}\n");
    run(":batch \"The\" \"The The\"");
    check_done(":focus @0,0");
    check_json(":focus", "{\"kind\":\"focus\",\"id\":464,\"place\":0}\n");
    check_done(":focus @1,1");
    check_json(":focus", "{\"kind\":\"focus\",\"id\":383,\"place\":null}\n");
}
END_TEST

/* How many tokens a line selects, each of them where it says. */
static size_t selected(const char *line, double x0, double x1, double y0, double y1)
{
    size_t n;
    check_done(line);
    const int32_t *ids = es_session_selection(heard.session, &n);
    const es_mapped *m = &viewer->atlas->tokens;
    size_t inside = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double x = (double)m->at[i * m->K + viewer->component[0]],
               y = (double)m->at[i * m->K + viewer->component[1]];
        if (x < x0 || x > x1 || y < y0 || y > y1)
            continue;
        demand(inside < n && ids[inside] == i, "%s: token %d", line, (int)i);
        inside++;
    }
    ck_assert_uint_eq(inside, n);
    return n;
}

START_TEST(a_rectangle_selects_what_is_in_it)
{
    size_t n = selected(":select x=0..0.02 y=-0.01..0.03", 0, 0.02, -0.01, 0.03);
    ck_assert_uint_gt(n, 10);
    ck_assert_uint_lt(n, 1000);
    es_str note = {0};
    es_str_add(&note, "selected: %zu; :selection lists them, sel is their ids\n", n);
    ck_assert_str_eq(heard.notes.s, note.s);
    es_str_free(&note);
    ck_assert_uint_eq(selected(":select y=0.03..-0.01 x=0.02..0", 0, 0.02, -0.01, 0.03), n);
    ck_assert_uint_gt(selected(":select x=0..0.02", 0, 0.02, -9, 9), n);
    run(":components 3 4");
    ck_assert_uint_gt(selected(":select x=0..0.02 y=-0.01..0.03", 0, 0.02, -0.01, 0.03), 10);
    run(":show map");
    es_session_selection(heard.session, &n);
    ck_assert_uint_eq(viewer->selected.n, n);
    ck_assert_uint_eq(selected(":select x=90..91", 90, 91, -9, 9), 0);
    ck_assert_str_eq(heard.notes.s, "selected: none, no token is there\n");
}
END_TEST

START_TEST(what_cannot_be_selected_is_said)
{
    static const char form[] =
        "the form is :select x=A..B y=A..B [add] | lasso X,Y X,Y X,Y … [add] | none";
    check_error(":select", "usage", form);
    check_error(":select x=1", "usage", form);
    ck_assert_str_eq(heard.hint.s, "try: :help select\na range has two ends: x=-1..1");
    check_error(":select z=1..2", "usage", form);
    check_error(":select x=1..b", "value",
                "the second end is a number from -1e+100 to 1e+100, not \"b\"");
    run(":camera 3d");
    check_error(":select x=0..1", "value",
                "tokens are selected in the plane, and the map is shown in space");
    ck_assert_str_eq(heard.hint.s, "try: :camera 2d");
    run(":show strips");
    check_error(":select x=0..1", "value", "tokens are selected in the map, and strips is shown");
    ck_assert_str_eq(heard.hint.s, "try: :show map");
    check_done(":select none");
}
END_TEST

START_TEST(the_selection_is_listed_as_find_lists)
{
    check_shown(":selection", "nothing is selected\n");
    ck_assert_str_eq(heard.notes.s,
                     "try: :select x=-1..1 y=-1..1, or Shift and a drag in the window's map\n");
    es_session_select(heard.session, (const int32_t[]){464, 1999, 60000}, 3);
    check_shown(":selection", "3 tokens are selected\n"
                              "   id  token      bytes\n"
                              "  464  The        54 68 65\n"
                              " 1999  attle      61 74 74 6C 65\n"
                              "60000  (no text)\n");
    check_json(":selection top=1",
               "{\"kind\":\"selection\",\"n\":3,\"rows\":[{\"id\":464,\"text\":\"The\",\"hex\":"
               "\"546865\"}]}\n");
    heard.style.plain = true;
    check_shown(":selection top=2", "selected: 3\n"
                                    "token 464: text \"The\", bytes 54 68 65\n"
                                    "token 1999: text \"attle\", bytes 61 74 74 6C 65\n"
                                    "more: 1, top=3 shows all\n");
    check_error(":selection top=0", "range",
                "top is a whole number from 1 to 2147483647, not \"0\"");
    check_error(":selection all", "usage", "the form is :selection [top=N]");
    run(":show map");
    ck_assert_uint_eq(viewer->selected.n, 2); /* the map has no point for the third */
}
END_TEST

START_TEST(clear_forgets_what_is_picked_out)
{
    size_t found, picked;
    run(":find the");
    run(":focus #11");
    es_session_select(heard.session, (const int32_t[]){464}, 1);
    check_error(":clear all", "usage", "the form is :clear");
    check_done(":clear");
    es_session_found(heard.session, &found);
    es_session_selection(heard.session, &picked);
    ck_assert_uint_eq(found + picked, 0);
    ck_assert_int_eq(viewer->focus, -1);
}
END_TEST

/* ---- statements ---- */

START_TEST(a_statement_has_the_selection_and_the_axes)
{
    run(":tensor");
    run(":show map");
    run(":select x=0..0.02");
    size_t n;
    es_session_selection(heard.session, &n);
    es_str want = {0};
    es_str_add(&want, "{\"kind\":\"size\",\"value\":[%zu,2]}\n", n);
    check_json("((wte(sel) - wte.weight.mean(0)) @ axes.T).shape", want.s);
    check_json("(0 - 1e-6 <= (wte(sel) - wte.weight.mean(0)) @ axes.T[:, 0]).all().item()",
               "{\"kind\":\"bool\",\"value\":true}\n");
    es_str_free(&want);
}
END_TEST

/* Models that have little or nothing to show, and what is no number. */
START_TEST(odd_models_are_answered)
{
    static const char *const models[] = {"untrained:V=1,C=1", "untrained:V=2,C=2",
                                         "untrained:V=60,C=1,n_ctx=1"};
    static const char *const lines[] = {":show map",    ":select x=-1..1", ":components 1 2",
                                        ":components",  ":camera 3d",      ":show map",
                                        "The",          ":focus #0",       ":show strips",
                                        ":show cosine", ":show positions", ":show offset",
                                        ":find a",      ":show map"};
    char *folder = fresh_folder();
    es_str export = {0};
    es_str_add(&export, ":export %s/odd.svg", folder);
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        teardown();
        open_model(models[m]);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            demand(run(lines[i]) != ES_QUIT && heard.json.len, "%s %s", models[m], lines[i]);
        ck_assert_int_eq(run(export.s), ES_DONE);
    }
    es_str_free(&export);
    free(folder);
}
END_TEST

Suite *pictures_suite(void)
{
    Suite *s = suite_create("pictures");
    TCase *tc = tcase_create("pictures");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, views_are_listed_and_named);
    tcase_add_test(tc, help_about_a_function_tells_of_the_view);
    tcase_add_test(tc, each_view_is_text_numbers_and_an_object);
    tcase_add_test(tc, a_picture_in_the_terminal_fits_the_screen);
    tcase_add_test(tc, a_window_needs_a_person);
    tcase_add_test(tc, a_picture_is_exported_and_the_same_again);
    tcase_add_test(tc, the_camera_goes_where_it_is_told);
    tcase_add_test(tc, a_camera_line_brings_back_the_camera);
    tcase_add_test(tc, components_two_are_a_plane_three_are_space);
    tcase_add_test(tc, colours_and_labels_are_chosen);
    tcase_add_test(tc, focus_is_a_token_or_a_place);
    tcase_add_test(tc, a_rectangle_selects_what_is_in_it);
    tcase_add_test(tc, what_cannot_be_selected_is_said);
    tcase_add_test(tc, the_selection_is_listed_as_find_lists);
    tcase_add_test(tc, clear_forgets_what_is_picked_out);
    tcase_add_test(tc, a_statement_has_the_selection_and_the_axes);
    tcase_add_test(tc, odd_models_are_answered);
    suite_add_tcase(s, tc);
    return s;
}
