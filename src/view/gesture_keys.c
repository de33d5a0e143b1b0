// SPDX-License-Identifier: GPL-3.0-or-later
/* The keys of the window, each a line. */
#include "view/gesture_keys.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/visible.h"
#include "view/cmd.h"
#include "view/layouts.h"
#include "view/map.h"
#include "view/neighbours.h"

#define STEP   0.125f /* of the picture's shorter side, by which an arrow pans */
#define TURN   20.0f  /* pixels, by which it orbits */
#define NEARER 1.25

static void say(es_viewer *v, const char *fmt, ...) ES_PRINTF(2, 3);
static void say(es_viewer *v, const char *fmt, ...)
{
    es_str line = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&line, fmt, ap);
    va_end(ap);
    es_gesture_say(v, &line);
    es_str_free(&line);
}

void es_gesture_show(es_viewer *v, int view)
{
    const es_view_kind *kind = es_view_kind_at(view);
    if (kind && view != (int)v->view)
        say(v, ":show %s", kind->name);
}

/* ---- the camera ---- */

/* Where a camera of the picture can be moved from; false: none can be. */
static bool middle(es_viewer *v, const es_canvas *c, es_spot *at, es_box *ground, es_extent *extent)
{
    es_box p = es_frame_shown(v, c, ES_FRAME_WINDOW).picture;
    *at = (es_spot){p.x + p.w / 2, p.y + p.h / 2};
    return es_gesture_ground(v, c, *at, ground, extent);
}

/* An arrow shows more of its side. */
static void step(es_viewer *v, const es_canvas *c, float right, float down)
{
    es_spot at;
    es_box ground;
    es_extent extent;
    if (!middle(v, c, &at, &ground, &extent))
        return;
    es_viewer_depart(v);
    es_camera *camera = &v->camera[v->view];
    float by = STEP * fminf(ground.w, ground.h);
    if (camera->solid)
        es_camera_orbit(camera, -TURN * right, -TURN * down);
    else
        es_camera_pan(camera, &extent, ground, -by * right, -by * down);
    es_gesture_camera_line(v);
}

static void zoom(es_viewer *v, const es_canvas *c, double factor)
{
    es_spot at;
    es_box ground;
    es_extent extent;
    if (!middle(v, c, &at, &ground, &extent))
        return;
    es_viewer_depart(v);
    es_camera_zoom(&v->camera[v->view], &extent, ground, ground.x + ground.w / 2,
                   ground.y + ground.h / 2, factor);
    es_gesture_camera_line(v);
}

/* ---- shortcuts ---- */

typedef struct pressed {
    es_gesture *g;
    es_viewer *v;
    es_canvas *c;
    bool shift;
    char letter;
} pressed;

static void more_labels(const pressed *p)
{
    static const int steps[] = {0, 25, 50, 100, 200, 500, 1000, 2000, 5000};
    enum { N = sizeof steps / sizeof *steps };
    int now = p->v->most_labels, i = 0;
    if (p->shift) {
        for (i = N - 1; i > 0 && steps[i] >= now;)
            i--;
    } else {
        while (i < N - 1 && steps[i] <= now)
            i++;
    }
    if (steps[i] != now)
        say(p->v, ":labels %d", steps[i]);
}

/* What the program knows first, then the columns of one's own table. */
static void next_colour(const pressed *p)
{
    const es_viewer *v = p->v;
    bool counts = es_session_context(v->session)->model->counts;
    es_colouring now = es_colouring_of(v);
    int column = now.column + 1, by = now.column < 0 ? (int)v->color_by + 1 : ES_N_COLOR_BY;
    es_str word = {0};
    if (by == ES_BY_COUNT && !counts)
        by++;
    if (by == ES_N_COLOR_BY && v->meta && column < v->meta->n)
        es_show_quoted(&word, v->meta->column[column].name.s, v->meta->column[column].name.len);
    else
        es_str_cat(&word, es_color_by_name((es_color_by)(by % ES_N_COLOR_BY)));
    say(p->v, ":color-by %s", word.s);
    es_str_free(&word);
}

static void into_space(const pressed *p)
{
    if (es_view_kind_at((int)p->v->view)->solid)
        say(p->v, ":camera %s", p->v->camera[p->v->view].solid ? "2d" : "3d");
}

static void fit(const pressed *p)
{
    const es_view_kind *kind = es_view_kind_at((int)p->v->view);
    if (kind->flat || kind->solid)
        say(p->v, ":camera fit");
}

/* The next component that none of the other axes has; Z in the plane is the way into space. */
static void next_component(const pressed *p)
{
    const es_viewer *v = p->v;
    int64_t C = es_session_context(v->session)->model->config.n_embd;
    int most = (int)(C < ES_ATLAS_COMPONENTS ? C : ES_ATLAS_COMPONENTS), which = p->letter - 'X';
    bool solid = v->camera[ES_VIEW_MAP].solid;
    int of[3] = {v->component[0], v->component[1], v->component[2]};
    int n = solid || which == 2 ? 3 : 2;
    if (v->view != ES_VIEW_MAP || v->layout != ES_LAYOUT_PCA || most <= n)
        return;
    bool taken = !(which == 2 && !solid);
    while (taken) {
        of[which] = (of[which] + 1) % most;
        taken = false;
        for (int k = 0; k < n; k++)
            taken = taken || (k != which && of[k] == of[which]);
    }
    if (n == 3)
        say(p->v, ":components %d %d %d", of[0] + 1, of[1] + 1, of[2] + 1);
    else
        say(p->v, ":components %d %d", of[0] + 1, of[1] + 1);
}

static void next_token(const pressed *p)
{
    es_viewer *v = p->v;
    int64_t place;
    es_viewer_focus(v, &place);
    if (!v->scene.T || v->scene.preview) /* a line that is not entered has no places to name */
        return;
    int64_t next = p->shift ? (place + v->scene.T - 1) % v->scene.T : (place + 1) % v->scene.T;
    next = next < 0 ? 0 : next;
    es_gesture_focus(v, v->scene.ids[next], next);
}

/* [ and ] go through the neighbours of the token that was in focus when they began. */
static void next_neighbour(const pressed *p)
{
    es_gesture *g = p->g;
    int64_t place;
    int32_t focus = es_viewer_focus(p->v, &place);
    bool goes_on = g->near && focus == g->near_now;
    if (focus < 0)
        return;
    g->nth = goes_on ? g->nth + (p->letter == ']' ? 1 : -1) : 0;
    g->near_whom = goes_on ? g->near_whom : focus;
    const es_neighbours *near = es_neighbours_of(p->v, g->near_whom);
    g->near = near->n > 0;
    if (!g->near)
        return;
    g->nth = (g->nth + near->n) % near->n;
    g->near_now = near->of[g->nth].id;
    es_gesture_focus(p->v, g->near_now, -1);
}

static void export_it(const pressed *p)
{
    static const char begin[] = ":export ";
    if (!p->v->line.len) /* in a half-typed line it would be no command */
        es_session_post(p->v->session, ES_MESSAGE_INSERT, begin, sizeof begin - 1);
}

static void next_palette(const pressed *p)
{
    const es_palette *now = es_viewer_palette(p->v);
    int i = 0;
    while (es_palette_at(i) && es_palette_at(i) != now)
        i++;
    const es_palette *next = es_palette_at(i) ? es_palette_at(i + 1) : NULL;
    next = next ? next : es_palette_at(0);
    say(p->v, ":set palette %s", next->name);
}

static void big(const pressed *p)
{
    say(p->v, ":set big %s", es_session_settings(p->v->session)->big ? "off" : "on");
}

static void isolate(const pressed *p)
{
    say(p->v, ":isolate %s",
        es_others_name((es_others)((p->v->others + 1) % (ES_OTHERS_HIDDEN + 1))));
}

static void keys(const pressed *p)
{
    static const char line[] = ":help window";
    es_session_post(p->v->session, ES_MESSAGE_RUN, line, sizeof line - 1);
}

static void nearer(const pressed *p)
{
    zoom(p->v, p->c, p->letter == '-' ? 1 / NEARER : NEARER);
}

/* ---- layouts of the map ---- */

static void next_layout(const pressed *p)
{
    if (p->v->view == ES_VIEW_MAP)
        say(p->v, ":layout %s", es_layout_name((p->v->layout + 1) % ES_N_LAYOUTS));
}

/* The layout that moves or could; NULL: none is shown. */
static const es_sight *moving_layout(const es_viewer *v)
{
    bool there = v->view == ES_VIEW_MAP && v->layout != ES_LAYOUT_PCA;
    return there ? es_layouts_of(v, v->layout) : NULL;
}

/* It rests at once, and the line says where, so that it rests there again when the line is replayed. */
static void pause_or_go(const pressed *p)
{
    const es_sight *s = moving_layout(p->v);
    if (s && s->done < s->target)
        say(p->v, ":layout to=%d", es_layouts_pause(p->v, p->v->layout));
    else if (s && s->done < s->recipe.steps)
        say(p->v, ":layout go");
}

static void one_step(const pressed *p)
{
    const es_sight *s = moving_layout(p->v);
    int at = s ? es_layouts_pause(p->v, p->v->layout) : 0;
    if (s && at < s->recipe.steps)
        say(p->v, ":layout to=%d", at + 1);
}

static void torn_lines(const pressed *p)
{
    if (p->v->view == ES_VIEW_MAP)
        say(p->v, p->v->torn ? ":torn off" : ":torn 20");
}

static const struct {
    char letter;
    void (*press)(const pressed *p);
} shortcuts[] = {
    {'B', big},
    {'C', next_colour},
    {'E', export_it},
    {'F', fit},
    {'G', next_palette},
    {'H', keys},
    {'I', isolate},
    {'L', more_labels},
    {'M', next_layout},
    {'N', torn_lines},
    {'O', into_space},
    {'P', pause_or_go},
    {'S', one_step},
    {'T', next_token},
    {'X', next_component},
    {'Y', next_component},
    {'Z', next_component},
    {'[', next_neighbour},
    {']', next_neighbour},
    {'+', nearer},
    {'=', nearer},
    {'-', nearer},
};

/* Alt with a letter or sign: whether it is one of the window's. */
static bool shortcut(pressed *p, const char *key)
{
    const char *sign = strncmp(key, "Keypad ", 7) ? key : key + 7;
    p->letter = strlen(sign) == 1 ? *sign : '\0';
    for (size_t i = 0; p->letter && i < sizeof shortcuts / sizeof *shortcuts; i++)
        if (shortcuts[i].letter == p->letter) {
            shortcuts[i].press(p);
            return true;
        }
    return false;
}

/* ---- keys ---- */

static bool anything_to_clear(const es_viewer *v)
{
    size_t found, selected;
    es_session_found(v->session, &found);
    es_session_selection(v->session, &selected);
    return found || selected || v->focus >= 0 || v->second >= 0;
}

static void escape(es_gesture *g, es_viewer *v)
{
    es_gesture_leave(g, v);
    es_gesture_give_up(g, v);
    if (anything_to_clear(v))
        say(v, ":clear");
}

static bool arrow(es_viewer *v, const es_canvas *c, const char *key)
{
    static const struct {
        const char *key;
        float right, down;
    } arrows[] = {{"Left", -1, 0}, {"Right", 1, 0}, {"Up", 0, -1}, {"Down", 0, 1}};
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++)
        if (!strcmp(key, arrows[i].key)) {
            step(v, c, arrows[i].right, arrows[i].down);
            return true;
        }
    return false;
}

/* "F1" to "F10": which; -1: another key. */
static int view_key(const char *key)
{
    if (!strcmp(key, "F10"))
        return 9;
    bool is = key[0] == 'F' && key[1] >= '1' && key[1] <= '9' && !key[2];
    return is ? key[1] - '1' : -1;
}

bool es_gesture_key(es_gesture *g, es_viewer *v, es_canvas *c, const char *key, unsigned held)
{
    pressed p = {.g = g, .v = v, .c = c, .shift = held & ES_HELD_SHIFT};
    int view = view_key(key);
    es_gesture_rest(g, v);
    if (view >= 0 && !held)
        es_gesture_show(v, view);
    else if (!strcmp(key, "Escape"))
        escape(g, v);
    else if (held == ES_HELD_SHIFT)
        return arrow(v, c, key);
    else if (held == ES_HELD_ALT || held == (ES_HELD_ALT | ES_HELD_SHIFT))
        return shortcut(&p, key);
    else
        return false;
    return true;
}
