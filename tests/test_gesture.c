// SPDX-License-Identifier: GPL-3.0-or-later
/* The mouse and the keys of the window: what each posts, and that its line leaves the picture as it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "box_font.h"
#include "session/results.h"
#include "support.h"
#include "view/gesture_keys.h"
#include "view/layouts.h"
#include "view/map.h"
#include "view/raster.h"

Suite *gesture_suite(void);

/* ---- a window without a screen ---- */

enum { W = 900, H = 640 };

static es_session *session;
static es_viewer *v;
static es_raster raster;
static es_font *font;
static es_gesture g;
static es_box picture;
static es_str failed; /* what lines that were run had to say */

static void on_result(void *user, es_result *r)
{
    (void)user;
    es_str shown = {0};
    const es_style style = {.width = 80};
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_show_result(&shown, r, &style, &err), err);
    es_str_free(&shown);
    es_result_free(r);
}

static void on_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    (void)user;
    (void)partial;
    es_str_add(&failed, "%.*s: %s\n", (int)len, line, err->message);
}

static void on_note(void *user, const char *text, bool person)
{
    (void)user;
    static const char *const expected[] = {"selected: ", "positions ", "palette: "};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!strncmp(text, expected[i], strlen(expected[i])))
            return;
    if (!person)
        es_str_add(&failed, "%s\n", text);
}

static void on_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

static const es_sink sink = {NULL, on_result, on_error, on_note, on_progress, NULL};

static void draw(void)
{
    es_viewer_follow(v);
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_viewer_make(v, &sink, &err), err);
    es_frame_draw(v, &raster.canvas, ES_FRAME_WINDOW);
    picture = es_frame_of(W, H, es_viewer_em(v), ES_FRAME_WINDOW).picture;
}

static void run(const char *line)
{
    es_session_run(session, line, strlen(line), &sink);
    ck_assert_str_eq(es_str_text(&failed), "");
    draw();
}

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = "untrained:V=3000,C=12,n_ctx=40", .settings.pad = -1};
    calm_environment();
    session = es_session_new(&o, &err);
    ck_assert_works(session != NULL, err);
    v = es_viewer_new(session);
    font = box_font();
    ck_assert_works(es_raster_open(&raster, W, H, 1, true, font, &err), err);
    g = (es_gesture){0};
    v->clock = 5;
    run("The The man");
}

static void teardown(void)
{
    es_raster_close(&raster);
    raster = (es_raster){0};
    es_font_free(font);
    es_viewer_free(v);
    es_session_free(session);
    es_str_free(&failed);
}

/* ---- what is posted ---- */

/* The oldest message as "kind bytes", or "". */
static const char *message(void)
{
    static const char *const kinds[] = {[ES_MESSAGE_INSERT] = "insert",
                                        [ES_MESSAGE_RUN] = "run",
                                        [ES_MESSAGE_QUIET] = "quiet",
                                        [ES_MESSAGE_TYPE] = "type"};
    static char said[8000];
    es_message kind;
    es_str bytes = {0};
    said[0] = '\0';
    if (es_session_take(session, &kind, &bytes))
        snprintf(said, sizeof said, "%s %s", kinds[kind], es_str_text(&bytes));
    es_str_free(&bytes);
    return said;
}

static void check_nothing(void)
{
    ck_assert_str_eq(message(), "");
}

/* One quiet line that begins so, and leaves the camera and every pixel as they are. */
static void check_line(const char *begin)
{
    char line[400];
    snprintf(line, sizeof line, "%s", message());
    ck_assert_msg(!strncmp(line, "quiet ", 6) && !strncmp(line + 6, begin, strlen(begin)), "%s",
                  line);
    check_nothing();
    es_camera before = v->camera[v->view];
    draw();
    size_t n = (size_t)raster.w * (size_t)raster.h * sizeof *raster.pixels;
    uint32_t *pixels = malloc(n);
    memcpy(pixels, raster.pixels, n);
    run(line + 6);
    es_camera after = v->camera[v->view];
    ck_assert_msg(before.x == after.x && before.y == after.y && before.zoom == after.zoom &&
                      before.turn == after.turn && before.tilt == after.tilt,
                  "%s", line);
    ck_assert(!es_viewer_moving(v));
    ck_assert_msg(!memcmp(pixels, raster.pixels, n), "%s changes the picture", line);
    free(pixels);
}

static es_spot at(float x, float y)
{
    return (es_spot){picture.x + x * picture.w, picture.y + y * picture.h};
}

static void drag(es_button b, unsigned held, es_spot from, es_spot to)
{
    es_gesture_press(&g, v, &raster.canvas, from, b, held);
    es_gesture_move(&g, v, &raster.canvas,
                    (es_spot){(2 * from.x + to.x) / 3, (from.y + 2 * to.y) / 3}, held);
    es_gesture_move(&g, v, &raster.canvas, to, held);
    es_gesture_release(&g, v, &raster.canvas, to, held);
}

static void click(es_button b, es_spot where)
{
    es_gesture_press(&g, v, &raster.canvas, where, b, 0);
    es_gesture_release(&g, v, &raster.canvas, where, 0);
}

/* Where a token is in the picture; the middle of what a pointer finds. */
static es_spot find_token(int32_t id)
{
    for (float y = 0.01f; y < 1; y += 0.004f)
        for (float x = 0.01f; x < 1; x += 0.004f) {
            es_pick p = ES_PICK_NONE;
            int view;
            bool found = es_frame_pick(v, &raster.canvas, ES_FRAME_WINDOW, at(x, y), &p, &view);
            bool here = found && p.id == id;
            es_pick_free(&p);
            if (here)
                return at(x, y);
        }
    ck_abort_msg("token %d is nowhere", (int)id);
}

/* ---- the camera ---- */

START_TEST(a_drag_pans_in_the_plane)
{
    drag(ES_BUTTON_LEFT, 0, at(0.5f, 0.5f), at(0.7f, 0.4f));
    ck_assert_double_lt(v->camera[v->view].x, -0.05); /* the picture went to the right */
    ck_assert_double_lt(v->camera[v->view].y, -0.01); /* and up */
    check_line(":camera x=");
    drag(ES_BUTTON_MIDDLE, 0, at(0.5f, 0.5f), at(0.4f, 0.4f));
    check_line(":camera x=");
}
END_TEST

START_TEST(in_space_a_drag_orbits_and_the_middle_button_pans)
{
    run(":camera 3d");
    es_camera before = v->camera[v->view];
    drag(ES_BUTTON_LEFT, 0, at(0.5f, 0.5f), at(0.6f, 0.6f));
    es_camera after = v->camera[v->view];
    ck_assert(after.turn != before.turn && after.tilt != before.tilt && after.x == before.x);
    check_line(":camera x=");
    drag(ES_BUTTON_MIDDLE, 0, at(0.5f, 0.5f), at(0.6f, 0.6f));
    ck_assert(v->camera[v->view].turn == after.turn && v->camera[v->view].x != after.x);
    check_line(":camera x=");
    drag(ES_BUTTON_LEFT, ES_HELD_SHIFT, at(0.5f, 0.5f), at(0.6f, 0.6f)); /* no rectangle here */
    check_line(":camera x=");
}
END_TEST

START_TEST(a_wheel_zooms_at_the_pointer_and_is_a_line_when_it_rests)
{
    es_box ground;
    es_extent extent;
    es_spot where = at(0.3f, 0.6f);
    double x0, y0, x1, y1;
    ck_assert(es_view_kind_at(0)->ground(v, picture, where, &ground, &extent));
    es_camera_point(&v->camera[v->view], &extent, ground, where, &x0, &y0);
    for (int i = 0; i < 3; i++)
        ck_assert(es_gesture_wheel(&g, v, &raster.canvas, where, 1.5f, 0));
    es_camera_point(&v->camera[v->view], &extent, ground, where, &x1, &y1);
    ck_assert_double_eq_tol(x0, x1, 1e-6);
    ck_assert_double_eq_tol(y0, y1, 1e-6);
    ck_assert_double_eq_tol(v->camera[v->view].zoom, pow(1.2, 4.5), 1e-9);
    check_nothing();
    ck_assert_int_eq(es_gesture_tick(&g, v), 250);
    v->clock += 0.125;
    ck_assert_int_eq(es_gesture_tick(&g, v), 125);
    check_nothing();
    v->clock += 0.2;
    ck_assert_int_eq(es_gesture_tick(&g, v), -1);
    check_line(":camera x=");
    es_gesture_wheel(&g, v, &raster.canvas, where, -1, 0);
    es_gesture_press(&g, v, &raster.canvas, where, ES_BUTTON_LEFT, 0); /* its line comes first */
    es_gesture_release(&g, v, &raster.canvas, where, 0);
    ck_assert(!strncmp(message(), "quiet :camera ", 14));
}
END_TEST

START_TEST(a_hand_stops_a_camera_on_its_way_where_it_is)
{
    v->window = (es_window *)&raster; /* cameras travel in a window */
    es_session_run(session, ":camera zoom=9", 14, &sink);
    v->clock += 0.1;
    ck_assert(es_viewer_moving(v));
    double zoom = es_viewer_camera(v).zoom;
    ck_assert(zoom > 1 && zoom < 9);
    es_gesture_wheel(&g, v, &raster.canvas, at(0.5f, 0.5f), 1, 0);
    ck_assert(!es_viewer_moving(v));
    ck_assert_double_eq_tol(v->camera[v->view].zoom, 1.2 * zoom, 1e-6);
    v->window = NULL;
}
END_TEST

START_TEST(another_view_ends_what_a_drag_does)
{
    es_gesture_press(&g, v, &raster.canvas, at(0.5f, 0.5f), ES_BUTTON_LEFT, 0);
    es_gesture_move(&g, v, &raster.canvas, at(0.6f, 0.5f), 0);
    run(":show positions");
    es_camera before = v->camera[v->view];
    es_gesture_move(&g, v, &raster.canvas, at(0.8f, 0.5f), 0);
    es_gesture_release(&g, v, &raster.canvas, at(0.8f, 0.5f), 0);
    ck_assert(before.x == v->camera[v->view].x);
    check_nothing();
}
END_TEST

/* ---- picking ---- */

START_TEST(a_rectangle_is_drawn_and_selects)
{
    es_box ground;
    es_extent extent;
    size_t n, inside = 0;
    es_spot from = at(0.3f, 0.7f), to = at(0.6f, 0.4f);
    es_gesture_press(&g, v, &raster.canvas, from, ES_BUTTON_LEFT, ES_HELD_SHIFT);
    ck_assert(es_gesture_move(&g, v, &raster.canvas, to, ES_HELD_SHIFT));
    ck_assert_float_eq_tol(v->drawn.w, 0.3f * picture.w, 0.01);
    ck_assert_float_eq_tol(v->drawn.y, to.y, 0.01);
    es_gesture_release(&g, v, &raster.canvas, to, 0);
    ck_assert_float_eq(v->drawn.w, 0);
    char line[400];
    snprintf(line, sizeof line, "%s", message());
    ck_assert_msg(!strncmp(line, "quiet :select x=", 16), "%s", line);
    run(line + 6);
    es_session_selection(session, &n);
    ck_assert_uint_gt(n, 10);
    es_view_kind_at(0)->ground(v, picture, from, &ground, &extent);
    es_lens lens = es_lens_of(&v->camera[0], &extent, ground);
    const es_mapped *m = &v->atlas->tokens;
    for (int64_t i = 0; i < m->n; i++) {
        const float p[3] = {m->at[i * m->K], m->at[i * m->K + 1], 0};
        es_spot s = es_lens_spot(&lens, p, NULL);
        inside += s.x >= from.x && s.x <= to.x && s.y >= to.y && s.y <= from.y;
    }
    ck_assert_int_le(abs((int)inside - (int)n), 2); /* %.6g cuts at the edge */
    es_gesture_press(&g, v, &raster.canvas, from, ES_BUTTON_LEFT, ES_HELD_SHIFT);
    es_gesture_move(&g, v, &raster.canvas, to, ES_HELD_SHIFT);
    es_gesture_key(&g, v, &raster.canvas, "Escape", 0);
    ck_assert_float_eq(v->drawn.w, 0);
    ck_assert_str_eq(message(), "quiet :clear");
    es_gesture_release(&g, v, &raster.canvas, to, 0);
    check_nothing();
}
END_TEST

/* Around a spot, the whole circle. */
static void circle(es_spot middle, float r, unsigned held)
{
    es_spot first = {middle.x + r, middle.y};
    es_gesture_press(&g, v, &raster.canvas, first, ES_BUTTON_LEFT, held);
    for (int i = 1; i < 60; i++) {
        float a = 2 * (float)M_PI * (float)i / 60;
        es_spot to = {middle.x + r * cosf(a), middle.y + r * sinf(a)};
        ck_assert(es_gesture_move(&g, v, &raster.canvas, to, held));
    }
    ck_assert_uint_eq(v->lasso.n, 60);
    es_gesture_release(&g, v, &raster.canvas, first, held);
    ck_assert_uint_eq(v->lasso.n, 0);
}

static size_t run_selection(const char *begin, const char *end)
{
    size_t n;
    char line[8000];
    snprintf(line, sizeof line, "%s", message());
    size_t len = strlen(line);
    ck_assert_msg(!strncmp(line, begin, strlen(begin)), "%s", line);
    ck_assert_msg(len > strlen(end) && !strcmp(line + len - strlen(end), end), "%s", line);
    ck_assert_uint_lt(len, 1500);
    run(line + 6);
    es_session_selection(session, &n);
    return n;
}

START_TEST(a_lasso_is_drawn_and_selects)
{
    es_spot middle = at(0.4f, 0.5f);
    float r = 0.15f * picture.w;
    circle(middle, r, ES_HELD_ALT);
    size_t n = run_selection("quiet :select lasso ", ""), inside = 0;
    const es_map *m = es_map_follow(v);
    for (int64_t i = 0; i < m->n; i++)
        inside += hypotf(m->spot[i].x - middle.x, m->spot[i].y - middle.y) < r;
    ck_assert_uint_gt(n, 10);
    ck_assert_int_le(abs((int)inside - (int)n), 4); /* a circle of some corners */
    circle(at(0.6f, 0.5f), r, ES_HELD_ALT | ES_HELD_SHIFT);
    ck_assert_uint_gt(run_selection("quiet :select lasso ", " add"), n);
    circle(middle, r, ES_HELD_CTRL);
    ck_assert_uint_eq(run_selection("quiet :select lasso ", ""), n);
}
END_TEST

START_TEST(a_lasso_is_seen_while_it_is_drawn_and_given_up)
{
    draw();
    size_t n = (size_t)raster.w * (size_t)raster.h * sizeof *raster.pixels;
    uint32_t *before = malloc(n);
    memcpy(before, raster.pixels, n);
    es_gesture_press(&g, v, &raster.canvas, at(0.3f, 0.3f), ES_BUTTON_LEFT, ES_HELD_ALT);
    es_gesture_move(&g, v, &raster.canvas, at(0.6f, 0.3f), ES_HELD_ALT);
    es_gesture_move(&g, v, &raster.canvas, at(0.5f, 0.6f), ES_HELD_ALT);
    draw();
    ck_assert(memcmp(before, raster.pixels, n) != 0);
    es_gesture_key(&g, v, &raster.canvas, "Escape", 0);
    es_gesture_release(&g, v, &raster.canvas, at(0.5f, 0.6f), 0);
    check_nothing();
    draw();
    ck_assert(!memcmp(before, raster.pixels, n));
    free(before);
    drag(ES_BUTTON_LEFT, ES_HELD_ALT, at(0.3f, 0.3f), at(0.31f, 0.3f)); /* two corners are none */
    check_nothing();
}
END_TEST

START_TEST(isolating_goes_around)
{
    static const char *const states[] = {"quiet :isolate fade", "quiet :isolate hide",
                                         "quiet :isolate off"};
    for (int i = 0; i < 3; i++) {
        es_gesture_key(&g, v, &raster.canvas, "I", ES_HELD_ALT);
        const char *line = message();
        ck_assert_str_eq(line, states[i]);
        es_session_run(session, line + 6, strlen(line) - 6, &sink);
    }
}
END_TEST

START_TEST(a_click_types_the_token_and_two_show_its_card)
{
    es_spot man = find_token(582);
    click(ES_BUTTON_LEFT, man);
    check_nothing();
    ck_assert_int_eq(es_gesture_tick(&g, v), 250);
    v->clock += 0.3;
    ck_assert_int_eq(es_gesture_tick(&g, v), -1);
    ck_assert_str_eq(message(), "insert  man");
    click(ES_BUTTON_LEFT, man);
    v->clock += 0.1;
    click(ES_BUTTON_LEFT, man);
    check_line(":focus @2");
    ck_assert_int_eq(v->focus, 582);
    v->clock += 1;
    ck_assert_int_eq(es_gesture_tick(&g, v), -1);
    check_nothing();
    click(ES_BUTTON_LEFT, man); /* a key does not wait for a second click */
    es_gesture_key(&g, v, &raster.canvas, "A", 0);
    ck_assert_str_eq(message(), "insert  man");
}
END_TEST

START_TEST(what_cannot_be_seen_is_not_typed)
{
    run(":find \"\\x00\"");
    run("\x01");
    click(ES_BUTTON_LEFT, find_token(es_text_ids(es_session_text(session))[0]));
    v->clock += 1;
    es_gesture_tick(&g, v);
    check_nothing();
}
END_TEST

START_TEST(hovering_shows_and_changes_nothing)
{
    es_viewer before = *v;
    uint64_t stamp = es_session_stamp(session);
    ck_assert(es_gesture_move(&g, v, &raster.canvas, find_token(582), 0));
    ck_assert(v->hovering);
    ck_assert_int_eq(v->hover.id, 582);
    ck_assert(!es_gesture_move(&g, v, &raster.canvas, find_token(582), 0));
    ck_assert(es_gesture_leave(&g, v));
    ck_assert(!v->hovering);
    ck_assert(!es_gesture_leave(&g, v));
    ck_assert_int_eq(v->focus, before.focus);
    ck_assert_uint_eq(es_session_stamp(session), stamp);
    check_nothing();
}
END_TEST

/* A right click asks for the number behind the pixel: of every view, all over, each statement runs as it stands. */
START_TEST(every_statement_behind_a_pixel_runs)
{
    enum { ACROSS = 40, DOWN = 30 };
    for (int view = 0; view < ES_N_VIEWS; view++) {
        es_str line = {0}, last = {0};
        int ran = 0;
        es_str_add(&line, ":show %s", es_view_kind_at(view)->name);
        run(line.s);
        for (int i = 0; i < ACROSS * DOWN; i++) {
            es_spot where = {((float)(i % ACROSS) + 0.5f) * W / ACROSS,
                             ((float)(i / ACROSS) + 0.5f) * H / DOWN};
            click(ES_BUTTON_RIGHT, where);
            const char *said = message();
            if (!*said || !strncmp(said, "quiet :show", 11))
                continue;
            demand(!strncmp(said, "run = ", 6), "%s", said);
            if (last.s && !strncmp(last.s, said, 12) && i % 7) /* much the same as before */
                continue;
            es_str_cut(&last, 0);
            es_str_cat(&last, said);
            es_session_run(session, said + 4, strlen(said + 4), &sink);
            demand(!failed.len, "%s: %s", es_view_kind_at(view)->name, failed.s);
            ran++;
        }
        demand(ran > 5, "%s has %d statements", es_view_kind_at(view)->name, ran);
        es_str_free(&line);
        es_str_free(&last);
    }
}
END_TEST

static void check_typed(const char *line, size_t cursor, const char *want)
{
    const int32_t man = 582; /* " man" */
    char expected[100];
    es_str_cut(&v->line, 0);
    es_str_cat(&v->line, line);
    v->cursor = cursor;
    es_gesture_type(v, man);
    snprintf(expected, sizeof expected, "insert %s", want);
    const char *said = message();
    demand(!strcmp(said, expected), "%s: %s", line, said);
}

START_TEST(a_click_types_a_token_as_the_line_takes_it)
{
    static const char bare[] = " man", quoted[] = "\" man\"";
    check_typed("", 0, bare);
    check_typed("The \"", 5, bare);
    check_typed("= wte.weight", 12, quoted);
    check_typed(":near ", 6, quoted);
    check_typed(":near \"", 7, bare);
    check_typed(":near \"a\" ", 10, quoted);
    check_typed(":show offset ", 13, quoted);
    check_typed(":find ", 6, bare);
    check_typed(":tokens", 7, bare);
    check_typed(":", 1, bare);
    check_typed(":nonsense ", 10, bare);
    es_session_set_tensor(session, true);
    check_typed("", 0, quoted);
    check_typed("\"The", 4, bare);
    check_typed("\"The\\\"", 6, bare);
    check_typed("\"The\"", 5, quoted);
    check_typed("\"The\"", 2, bare);
    check_typed(":near ", 6, quoted);
    es_session_set_tensor(session, false);
}
END_TEST

static es_str recalled(void)
{
    es_str lines = {0};
    es_session_recall(session, &lines);
    return lines;
}

/* As a file is written: labels have no memory there. */
static void draw_anew(void)
{
    es_labels_forget(v->labels);
    draw();
}

/* A transcript that begins in the middle of a lesson begins with these. */
START_TEST(what_is_recalled_brings_a_fresh_session_to_the_same_pictures)
{
    static const char *const lesson[] = {":components 2 3 4",
                                         ":camera 2d x=0.25",
                                         ":color-by script",
                                         ":labels 50",
                                         ":show offset #464 #582",
                                         ":camera turn=77",
                                         ":show positions beside",
                                         ":focus @1",
                                         ":positions sinusoidal",
                                         ":set palette light",
                                         ":show map"};
    for (size_t i = 0; i < sizeof lesson / sizeof *lesson; i++)
        run(lesson[i]);
    draw_anew();
    uint32_t *pixels = es_alloc_array(W * H, sizeof *pixels);
    memcpy(pixels, raster.pixels, W * H * sizeof *pixels);
    es_str lines = recalled();
    teardown();
    setup();
    for (const char *line = lines.s; *line; line = strchr(line, '\n') + 1) {
        es_str one = {0};
        es_str_bytes(&one, line, strcspn(line, "\n"));
        run(one.s);
        demand(!failed.len, "%s: %s", one.s, failed.s);
        es_str_free(&one);
    }
    es_str again = recalled();
    ck_assert_str_eq(again.s, lines.s);
    draw_anew();
    ck_assert(!memcmp(pixels, raster.pixels, W * H * sizeof *pixels));
    free(pixels);
    es_str_free(&lines);
    es_str_free(&again);
}
END_TEST

START_TEST(nothing_is_recalled_where_pictures_are_as_they_began)
{
    run(":positions none");
    es_str lines = recalled();
    ck_assert_uint_eq(lines.len, 0);
    run(":batch \"a \\\"\" \"=c\"");
    run(":show strips");
    lines = recalled();
    ck_assert_str_eq(lines.s, ":positions none\n:batch \"a \\\"\" \"=c\"\n:show strips\n");
    es_str_free(&lines);
    run(":text =c");
    lines = recalled();
    ck_assert_str_eq(lines.s, ":positions none\n:text \"=c\"\n:show strips\n");
    es_str_free(&lines);
}
END_TEST

/* The number of a line that is not entered yet has no name. */
START_TEST(a_line_that_is_typed_cannot_be_asked_for)
{
    es_session_preview(session, "The man The", 11);
    draw();
    run(":show strips");
    ck_assert(v->scene.preview);
    for (float y = 0.02f; y < 1; y += 0.02f)
        for (float x = 0.02f; x < 1; x += 0.05f) {
            click(ES_BUTTON_RIGHT, at(x, y));
            const char *said = message();
            demand(!*said || strstr(said, "pos_emb"), "%s", said);
        }
}
END_TEST

/* But rows of a table have theirs, whatever is typed. */
START_TEST(while_a_line_is_typed_points_of_the_map_can_be_asked_for)
{
    int asked = 0;
    es_session_preview(session, "The man The", 11);
    draw();
    for (float y = 0.02f; y < 1; y += 0.02f)
        for (float x = 0.02f; x < 1; x += 0.05f) {
            click(ES_BUTTON_RIGHT, at(x, y));
            const char *said = message();
            demand(!*said || !strncmp(said, "run = (wte.weight[", 18), "%s", said);
            asked += *said != 0;
        }
    ck_assert_int_gt(asked, 5);
}
END_TEST

START_TEST(a_tab_of_the_bar_shows_its_view)
{
    es_frame l = es_frame_of(W, H, es_viewer_em(v), ES_FRAME_WINDOW);
    int seen = 0;
    for (float x = 0; x < W; x += 4) {
        click(ES_BUTTON_LEFT, (es_spot){x, l.bar.y + l.bar.h / 2});
        const char *said = message();
        seen += !strcmp(said, "quiet :show cosine");
        demand(!*said || !strncmp(said, "quiet :show ", 12), "%s", said);
    }
    ck_assert_int_gt(seen, 3);
}
END_TEST

START_TEST(outside_of_the_picture_nothing_moves)
{
    es_frame l = es_frame_of(W, H, es_viewer_em(v), ES_FRAME_WINDOW);
    const es_box boxes[] = {l.bar, l.honesty, l.expression, l.prompt, l.card};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        es_spot in = {boxes[i].x + boxes[i].w / 2, boxes[i].y + boxes[i].h / 2};
        drag(ES_BUTTON_LEFT, 0, in, at(0.5f, 0.5f));
        drag(ES_BUTTON_LEFT, ES_HELD_SHIFT, in, at(0.5f, 0.5f));
        drag(ES_BUTTON_MIDDLE, 0, in, at(0.5f, 0.5f));
        ck_assert(!es_gesture_wheel(&g, v, &raster.canvas, in, 3, 0));
    }
    drag(ES_BUTTON_RIGHT, 0, at(0.2f, 0.2f), at(0.5f, 0.5f));
    es_gesture_release(&g, v, &raster.canvas, at(0.5f, 0.5f), 0); /* of a press elsewhere */
    const es_camera start = ES_CAMERA_START;
    ck_assert(v->camera[0].x == start.x && v->camera[0].zoom == start.zoom);
    check_nothing();
}
END_TEST

/* ---- keys ---- */

START_TEST(shortcuts_are_lines)
{
    static const struct {
        const char *key;
        unsigned held;
        const char *said;
    } keys[] = {
        {"F2", 0, "quiet :show positions"},
        {"F1", 0, ""}, /* it is shown */
        {"F6", 0, "quiet :show axes"},
        {"F10", 0, "quiet :show onehot"},
        {"L", ES_HELD_ALT, "quiet :labels 1000"},
        {"L", ES_HELD_ALT | ES_HELD_SHIFT, "quiet :labels 200"},
        {"C", ES_HELD_ALT, "quiet :color-by id"},
        {"O", ES_HELD_ALT, "quiet :camera 3d"},
        {"F", ES_HELD_ALT, "quiet :camera fit"},
        {"X", ES_HELD_ALT, "quiet :components 3 2"},
        {"Y", ES_HELD_ALT, "quiet :components 1 3"},
        {"Z", ES_HELD_ALT, "quiet :components 1 2 3"},
        {"G", ES_HELD_ALT, "quiet :set palette light"},
        {"B", ES_HELD_ALT, "quiet :set big on"},
        {"T", ES_HELD_ALT, "quiet :focus @0"},
        {"T", ES_HELD_ALT | ES_HELD_SHIFT, "quiet :focus @1"},
        {"M", ES_HELD_ALT, "quiet :layout tsne"},
        {"N", ES_HELD_ALT, "quiet :torn 20"},
        {"P", ES_HELD_ALT, ""}, /* of components nothing moves */
        {"S", ES_HELD_ALT, ""},
        {"E", ES_HELD_ALT, "insert :export "},
        {"H", ES_HELD_ALT, "run :help window"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        demand(es_gesture_key(&g, v, &raster.canvas, keys[i].key, keys[i].held), "%s", keys[i].key);
        const char *said = message();
        demand(!strcmp(said, keys[i].said), "%s: %s", keys[i].key, said);
    }
    static const struct {
        const char *key;
        unsigned held;
    } others[] = {{"A", 0},
                  {"A", ES_HELD_CTRL},
                  {"D", ES_HELD_ALT},
                  {"Left", 0},
                  {"F12", 0},
                  {"F1", ES_HELD_ALT},
                  {"Return", 0},
                  {"Left", ES_HELD_CTRL},
                  {"B", ES_HELD_ALT | ES_HELD_CTRL},
                  {"A", ES_HELD_SHIFT}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        demand(!es_gesture_key(&g, v, &raster.canvas, others[i].key, others[i].held), "%s",
               others[i].key);
    check_nothing();
}
END_TEST

/* What is paused by a key rests at a step that the line says, so that it rests there again when the line is replayed. */
START_TEST(keys_of_a_layout_say_where_it_rests)
{
    static const struct {
        const char *key, *said;
        int done;
    } keys[] = {{"S", "quiet :layout to=6", 6},
                {"P", "quiet :layout go", 8},
                {"P", "", 8}, /* it is done */
                {"S", "", 8},
                {"X", "", 8}, /* there are no components */
                {"M", "quiet :layout umap", 0},
                {"N", "quiet :torn 20", 0}};
    run(":layout tsne perplexity=4 steps=8 to=5");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        demand(es_gesture_key(&g, v, &raster.canvas, keys[i].key, ES_HELD_ALT), "%s", keys[i].key);
        char said[200];
        snprintf(said, sizeof said, "%s", message());
        demand(!strcmp(said, keys[i].said), "%s: %s", keys[i].key, said);
        if (!keys[i].done)
            continue;
        if (*said)
            run(said + strlen("quiet "));
        demand(es_layouts_of(v, ES_LAYOUT_TSNE)->done == keys[i].done, "%s", keys[i].key);
    }
}
END_TEST

START_TEST(arrows_and_signs_move_the_camera)
{
    static const struct {
        const char *key;
        unsigned held;
    } keys[] = {{"Left", ES_HELD_SHIFT},
                {"Down", ES_HELD_SHIFT},
                {"=", ES_HELD_ALT},
                {"-", ES_HELD_ALT},
                {"Keypad +", ES_HELD_ALT}};
    for (int space = 0; space < 2; space++) {
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            es_camera before = v->camera[v->view];
            ck_assert(es_gesture_key(&g, v, &raster.canvas, keys[i].key, keys[i].held));
            demand(memcmp(&before, &v->camera[v->view], sizeof before), "%s", keys[i].key);
            check_line(":camera x=");
        }
        run(":camera 3d");
    }
    run(":show cosine");
    ck_assert(es_gesture_key(&g, v, &raster.canvas, "Left", ES_HELD_SHIFT));
    ck_assert(es_gesture_key(&g, v, &raster.canvas, "F", ES_HELD_ALT));
    check_nothing(); /* it has no camera */
}
END_TEST

START_TEST(neighbours_are_gone_through_one_by_one)
{
    int32_t seen[3];
    run(":focus #582");
    for (int i = 0; i < 3; i++) {
        ck_assert(es_gesture_key(&g, v, &raster.canvas, "]", ES_HELD_ALT));
        char line[400];
        snprintf(line, sizeof line, "%s", message());
        ck_assert(!strncmp(line, "quiet :focus #", 14));
        run(line + 6);
        seen[i] = v->focus;
    }
    ck_assert(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
    es_gesture_key(&g, v, &raster.canvas, "[", ES_HELD_ALT);
    ck_assert_int_eq(atoi(message() + 14), seen[1]);
}
END_TEST

START_TEST(escape_clears_what_there_is)
{
    ck_assert(es_gesture_key(&g, v, &raster.canvas, "Escape", 0));
    check_nothing();
    run(":focus #582");
    es_gesture_key(&g, v, &raster.canvas, "Escape", 0);
    ck_assert_str_eq(message(), "quiet :clear");
    es_gesture_press(&g, v, &raster.canvas, at(0.5f, 0.5f), ES_BUTTON_LEFT, 0);
    es_gesture_move(&g, v, &raster.canvas, at(0.6f, 0.5f), 0);
    run(":clear");
    es_gesture_key(&g, v, &raster.canvas, "Escape", 0);
    check_line(":camera x="); /* a drag ends where it is */
    es_gesture_release(&g, v, &raster.canvas, at(0.7f, 0.5f), 0);
    check_nothing();
}
END_TEST

START_TEST(other_keys_are_what_a_terminal_sends)
{
    static const struct {
        const char *key;
        unsigned held;
        const char *bytes;
    } keys[] = {
        {"Return", 0, "\r"},
        {"Keypad Enter", 0, "\r"},
        {"Backspace", 0, "\x7f"},
        {"Backspace", ES_HELD_ALT, "\x1b\x7f"},
        {"Delete", 0, "\x1b[3~"},
        {"Left", 0, "\x1b[D"},
        {"Right", ES_HELD_CTRL, "\x1b[1;5C"},
        {"Up", 0, "\x1b[A"},
        {"Home", 0, "\x1b[H"},
        {"End", 0, "\x1b[F"},
        {"Tab", 0, "\t"},
        {"Tab", ES_HELD_SHIFT, "\x1b[Z"},
        {"A", ES_HELD_CTRL, "\x01"},
        {"C", ES_HELD_CTRL, "\x03"},
        {"/", ES_HELD_CTRL, "\x1f"},
        {"D", ES_HELD_ALT,
         "\x1b"
         "d"},
        {".", ES_HELD_ALT, "\x1b."},
        {"A", 0, ""}, /* it comes as text */
        {"A", ES_HELD_SHIFT, ""},
        {"1", ES_HELD_CTRL, ""},
        {"F8", 0, ""},
        {"Left Shift", ES_HELD_SHIFT, ""},
        {"\xc3\xa9", ES_HELD_ALT, ""},
        {"", 0, ""},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char out[8];
        size_t n = es_key_bytes(out, keys[i].key, keys[i].held);
        demand(n == strlen(keys[i].bytes) && !memcmp(out, keys[i].bytes, n), "%s", keys[i].key);
    }
}
END_TEST

Suite *gesture_suite(void)
{
    Suite *s = suite_create("gesture");
    TCase *tc = tcase_create("gesture");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_drag_pans_in_the_plane);
    tcase_add_test(tc, in_space_a_drag_orbits_and_the_middle_button_pans);
    tcase_add_test(tc, a_wheel_zooms_at_the_pointer_and_is_a_line_when_it_rests);
    tcase_add_test(tc, a_hand_stops_a_camera_on_its_way_where_it_is);
    tcase_add_test(tc, another_view_ends_what_a_drag_does);
    tcase_add_test(tc, a_rectangle_is_drawn_and_selects);
    tcase_add_test(tc, a_lasso_is_drawn_and_selects);
    tcase_add_test(tc, a_lasso_is_seen_while_it_is_drawn_and_given_up);
    tcase_add_test(tc, isolating_goes_around);
    tcase_add_test(tc, a_click_types_the_token_and_two_show_its_card);
    tcase_add_test(tc, what_cannot_be_seen_is_not_typed);
    tcase_add_test(tc, hovering_shows_and_changes_nothing);
    tcase_add_test(tc, every_statement_behind_a_pixel_runs);
    tcase_add_test(tc, a_line_that_is_typed_cannot_be_asked_for);
    tcase_add_test(tc, while_a_line_is_typed_points_of_the_map_can_be_asked_for);
    tcase_add_test(tc, what_is_recalled_brings_a_fresh_session_to_the_same_pictures);
    tcase_add_test(tc, nothing_is_recalled_where_pictures_are_as_they_began);
    tcase_add_test(tc, a_click_types_a_token_as_the_line_takes_it);
    tcase_add_test(tc, a_tab_of_the_bar_shows_its_view);
    tcase_add_test(tc, outside_of_the_picture_nothing_moves);
    tcase_add_test(tc, shortcuts_are_lines);
    tcase_add_test(tc, keys_of_a_layout_say_where_it_rests);
    tcase_add_test(tc, arrows_and_signs_move_the_camera);
    tcase_add_test(tc, neighbours_are_gone_through_one_by_one);
    tcase_add_test(tc, escape_clears_what_there_is);
    tcase_add_test(tc, other_keys_are_what_a_terminal_sends);
    suite_add_tcase(s, tc);
    return s;
}
