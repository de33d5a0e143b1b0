// SPDX-License-Identifier: GPL-3.0-or-later
/* The mouse.  A drag and the wheel move the camera as they go, and end in the line that says where it stands. */
#include "view/gesture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "view/cmd.h"
#include "view/gesture_keys.h"

#define SLACK       3.0f /* a click may tremble so far before it is a drag */
#define REST        0.25 /* seconds until a wheel is at rest, and a click is alone */
#define NOTCH       1.2  /* zoom of one notch */
#define A_MOMENT    1e-9 /* clocks begin at 0, which means "not" */
#define MILLISECOND 1e-3

/* ---- what gestures share ---- */

void es_gesture_say(es_viewer *v, const es_str *line)
{
    es_session_post(v->session, ES_MESSAGE_QUIET, line->s, line->len);
}

bool es_gesture_ground(es_viewer *v, const es_canvas *c, es_spot at, es_box *ground,
                       es_extent *extent)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    es_box picture = es_frame_shown(v, c, ES_FRAME_WINDOW).picture;
    return (kind->flat || kind->solid) && kind->ground && es_viewer_ready(v) &&
           es_box_has(picture, at.x, at.y) && kind->ground(v, picture, at, ground, extent);
}

es_camera *es_gesture_camera(es_viewer *v)
{
    v->camera[v->view] = es_viewer_camera(v);
    v->moved_at = 0;
    return &v->camera[v->view];
}

void es_gesture_camera_line(es_viewer *v)
{
    es_str line = {0};
    es_camera_round(&v->camera[v->view]);
    es_camera_line(v, &line);
    es_gesture_say(v, &line);
    es_str_free(&line);
}

/* What the pointer is at, in the frame as it was drawn last. */
static bool pick(es_viewer *v, es_canvas *c, es_spot at, es_pick *out, int *view)
{
    return es_frame_pick(v, c, ES_FRAME_WINDOW, at, out, view);
}

/* ---- hovering ---- */

static bool same_box(es_box a, es_box b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

static bool same_pick(const es_pick *a, const es_pick *b)
{
    bool value = a->value == b->value || (isnan(a->value) && isnan(b->value));
    return a->id == b->id && a->place == b->place && a->channel == b->channel && value &&
           same_box(a->mark, b->mark) && !strcmp(es_str_text(&a->what), es_str_text(&b->what));
}

/* Takes `now` over. */
static bool hover(es_viewer *v, es_pick now, bool there)
{
    bool same = v->hovering == there && same_pick(&v->hover, &now);
    es_pick_free(&v->hover);
    v->hover = now;
    v->hovering = there;
    return !same;
}

bool es_gesture_leave(es_gesture *g, es_viewer *v)
{
    (void)g; /* a drag goes on outside */
    return hover(v, ES_PICK_NONE, false);
}

/* ---- the wheel, and clicks, come to rest ---- */

static void end_click(es_gesture *g, es_viewer *v)
{
    if (g->clicked)
        es_gesture_type(v, g->token);
    g->clicked = false;
}

void es_gesture_rest(es_gesture *g, es_viewer *v)
{
    if (g->turned_at > 0)
        es_gesture_camera_line(v);
    g->turned_at = 0;
    end_click(g, v);
}

static int left(double since, double clock)
{
    double wait = REST - (clock - since);
    return wait > 0 ? (int)ceil(wait / MILLISECOND) : 0;
}

int es_gesture_tick(es_gesture *g, es_viewer *v)
{
    int wheel = g->turned_at > 0 ? left(g->turned_at, v->clock) : -1;
    int click = g->clicked ? left(g->clicked_at, v->clock) : -1;
    if (wheel == 0) {
        es_gesture_camera_line(v);
        g->turned_at = 0;
    }
    if (click == 0)
        end_click(g, v);
    wheel = wheel > 0 ? wheel : -1;
    click = click > 0 ? click : -1;
    return wheel < 0 || (click >= 0 && click < wheel) ? click : wheel;
}

bool es_gesture_wheel(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, float notches,
                      unsigned held)
{
    es_box ground;
    es_extent extent;
    (void)held;
    if (g->down || notches == 0 || !es_gesture_ground(v, c, at, &ground, &extent))
        return false;
    es_camera_zoom(es_gesture_camera(v), &extent, ground, at.x, at.y, pow(NOTCH, notches));
    g->turned_at = fmax(v->clock, A_MOMENT);
    return true;
}

/* ---- drags ---- */

/* In the plane Shift draws a rectangle, Alt a lasso (or Ctrl, for desktops that move windows with Alt); both together
 * one that adds. */
static es_shape_drawn shape_of(const es_viewer *v, es_button b, unsigned held)
{
    if (b != ES_BUTTON_LEFT || v->view != ES_VIEW_MAP || v->camera[v->view].solid)
        return ES_DRAWS_NOTHING;
    if (held & (ES_HELD_ALT | ES_HELD_CTRL))
        return ES_DRAWS_LASSO;
    return held & ES_HELD_SHIFT ? ES_DRAWS_RECTANGLE : ES_DRAWS_NOTHING;
}

bool es_gesture_press(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, es_button b,
                      unsigned held)
{
    if (g->down && g->button != b) /* while one is held another means nothing */
        return false;
    if (g->turned_at > 0) {
        es_gesture_camera_line(v);
        g->turned_at = 0;
    }
    g->down = true;
    g->moved = false;
    g->button = b;
    g->from = g->last = at;
    g->view = v->view;
    g->grounded = es_gesture_ground(v, c, at, &g->ground, &g->extent);
    g->shape = g->grounded ? shape_of(v, b, held) : ES_DRAWS_NOTHING;
    g->adds = g->shape == ES_DRAWS_LASSO && (held & ES_HELD_SHIFT);
    v->lasso.n = 0;
    return false;
}

static es_box between(es_spot a, es_spot b)
{
    return (es_box){fminf(a.x, b.x), fminf(a.y, b.y), fabsf(a.x - b.x), fabsf(a.y - b.y)};
}

static void move_camera(es_gesture *g, es_viewer *v, float dx, float dy)
{
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    es_camera *camera = es_gesture_camera(v);
    if (camera->solid && g->button == ES_BUTTON_LEFT)
        es_camera_orbit(camera, dx, dy);
    else if (kind->flat || camera->solid)
        es_camera_pan(camera, &g->extent, g->ground, dx, dy);
}

/* From where the drag began. */
static void draw_lasso(const es_gesture *g, es_viewer *v, es_spot at)
{
    es_spot last = v->lasso.n ? v->lasso.of[v->lasso.n - 1] : g->from;
    if (!v->lasso.n)
        es_lasso_add(&v->lasso, g->from);
    if (last.x != at.x || last.y != at.y)
        es_lasso_add(&v->lasso, at);
}

static bool drag(es_gesture *g, es_viewer *v, es_spot at)
{
    float dx = at.x - g->last.x, dy = at.y - g->last.y;
    bool far = hypotf(at.x - g->from.x, at.y - g->from.y) >= SLACK;
    if (!g->moved && !far)
        return false;
    g->moved = true;
    g->last = at;
    g->grounded = g->grounded && g->view == v->view;
    if (!g->grounded || g->button == ES_BUTTON_RIGHT)
        return false;
    hover(v, ES_PICK_NONE, false);
    switch (g->shape) {
    case ES_DRAWS_RECTANGLE: v->drawn = es_box_meet(between(g->from, at), g->ground); break;
    case ES_DRAWS_LASSO: draw_lasso(g, v, at); break;
    default: move_camera(g, v, dx, dy);
    }
    return true;
}

bool es_gesture_move(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, unsigned held)
{
    es_pick now = ES_PICK_NONE;
    int view;
    (void)held;
    if (g->down)
        return drag(g, v, at);
    bool there = pick(v, c, at, &now, &view);
    return hover(v, now, there && view < 0);
}

/* The rectangle in the map's own numbers, as a line. */
static void select_drawn(const es_gesture *g, es_viewer *v)
{
    const es_camera *camera = &v->camera[v->view];
    es_box r = v->drawn;
    double x0, y0, x1, y1;
    es_str line = {0};
    es_camera_point(camera, &g->extent, g->ground, (es_spot){r.x, r.y + r.h}, &x0, &y0);
    es_camera_point(camera, &g->extent, g->ground, (es_spot){r.x + r.w, r.y}, &x1, &y1);
    es_str_add(&line, ":select x=%.6g..%.6g y=%.6g..%.6g", x0, x1, y0, y1);
    es_gesture_say(v, &line);
    es_str_free(&line);
}

/* The shape's corners in the map's own numbers. */
static void select_lasso(const es_gesture *g, es_viewer *v)
{
    es_str line = {0};
    es_lasso_simplify(&v->lasso);
    if (v->lasso.n < ES_LASSO_LEAST)
        return;
    es_str_cat(&line, ":select lasso");
    for (size_t i = 0; i < v->lasso.n; i++) {
        double x, y;
        es_camera_point(&v->camera[v->view], &g->extent, g->ground, v->lasso.of[i], &x, &y);
        es_str_add(&line, " %.6g,%.6g", x, y);
    }
    es_str_cat(&line, g->adds ? " add" : "");
    es_gesture_say(v, &line);
    es_str_free(&line);
}

static void forget_shape(es_viewer *v)
{
    v->drawn = (es_box){0};
    v->lasso.n = 0;
}

static bool end_drag(es_gesture *g, es_viewer *v)
{
    if (!g->grounded || g->button == ES_BUTTON_RIGHT)
        return false;
    if (g->shape == ES_DRAWS_NOTHING)
        es_gesture_camera_line(v);
    else if (g->shape == ES_DRAWS_LASSO)
        select_lasso(g, v);
    else if (v->drawn.w > 0)
        select_drawn(g, v);
    forget_shape(v);
    return true;
}

void es_gesture_give_up(es_gesture *g, es_viewer *v)
{
    if (g->down && g->moved && g->shape == ES_DRAWS_NOTHING)
        end_drag(g, v);
    forget_shape(v);
    g->down = false;
}

/* ---- clicks ---- */

void es_gesture_focus(es_viewer *v, int32_t id, int64_t place)
{
    es_str line = {0};
    bool entered =
        place >= 0 && place < v->scene.T && !v->scene.preview && v->scene.ids[place] == id;
    bool one = entered && es_text_B(v->scene.text) == 1;
    if (entered)
        es_str_add(&line, one ? ":focus @%" PRId64 : ":focus @0,%" PRId64, place + v->scene.at);
    else
        es_str_add(&line, ":focus #%" PRId32, id);
    es_gesture_say(v, &line);
    es_str_free(&line);
}

/* Places of the positions' picture are none of the sentence. */
static void focus_picked(es_viewer *v, const es_pick *p)
{
    es_gesture_focus(v, p->id, v->view == ES_VIEW_POSITIONS ? -1 : p->place);
}

static void click_left(es_gesture *g, es_viewer *v, const es_pick *p)
{
    bool second = g->clicked && g->token == p->id;
    if (second) {
        g->clicked = false;
        focus_picked(v, p);
        return;
    }
    end_click(g, v);
    g->clicked = p->id >= 0;
    g->token = p->id;
    g->clicked_at = v->clock;
}

/* Views give no statement where there is none: numbers of a line that is not entered yet have no names. */
static void ask(es_viewer *v, const es_pick *p)
{
    es_str line = {0};
    if (!p->statement.len)
        return;
    es_str_add(&line, "= %s", p->statement.s);
    es_session_post(v->session, ES_MESSAGE_RUN, line.s, line.len);
    es_str_free(&line);
}

static bool click(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at)
{
    es_pick p = ES_PICK_NONE;
    int view;
    if (pick(v, c, at, &p, &view) && view >= 0)
        es_gesture_show(v, view);
    else if (g->button == ES_BUTTON_LEFT)
        click_left(g, v, &p);
    else if (g->button == ES_BUTTON_RIGHT)
        ask(v, &p);
    es_pick_free(&p);
    return false;
}

bool es_gesture_release(es_gesture *g, es_viewer *v, es_canvas *c, es_spot at, unsigned held)
{
    (void)held;
    if (!g->down)
        return false;
    drag(g, v, at);
    g->down = false;
    return g->moved ? end_drag(g, v) : click(g, v, c, at);
}
