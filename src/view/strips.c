// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/strips.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

#define ROW_TAKES 0.06 /* seconds, for a row to be filled in */
#define ALL_TAKE  1.5  /* at most, for all that are in view */

/* What is kept from drawing to drawing. */
typedef struct kept {
    es_text *text; /* one reference: whose rows were drawn last */
    bool preview;
    double began; /* the clock, when its rows began to be filled in; -1: they are */
    es_strips_scale scale;
    es_strips last;
} kept;

/* ---- rows that fill one after the other ---- */

static double duration(const es_strips *s)
{
    return fmin(ROW_TAKES * (double)s->rows, ALL_TAKE);
}

static bool moving(const es_viewer *v)
{
    const kept *k = v->of[ES_VIEW_STRIPS];
    return k && k->began >= 0 && !es_viewer_still(v) && v->clock - k->began < duration(&k->last);
}

/* How many rows of the i-th strip are there by now: of each token first tok_emb, then pos_emb, then x. */
static int64_t rows_filled(const es_viewer *v, const kept *k, const es_strips *s, int i)
{
    double steps = (double)s->rows * s->n;
    if (!moving(v))
        return s->rows;
    double step = floor((v->clock - k->began) / duration(s) * steps);
    double rows = floor((step - i) / s->n) + 1;
    return (int64_t)fmin(fmax(rows, 0), (double)s->rows);
}

/* A sentence that was entered sets its rows off; one that stood there when the view was first drawn does not. */
static kept *keep(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_STRIPS];
    const es_scene *scene = &v->scene;
    bool first = !k;
    if (first) {
        k = v->of[ES_VIEW_STRIPS] = es_alloc(sizeof *k);
        k->began = -1;
    } else if (k->text == scene->text && k->preview == scene->preview) {
        return k;
    }
    es_text *before = k->text;
    k->text = scene->text ? es_text_ref(scene->text) : NULL;
    es_text_unref(before);
    k->preview = scene->preview;
    k->scale = es_strips_scale_of(scene);
    k->began = !first && k->text && !k->preview ? v->clock : -1;
    return k;
}

static void forget(es_viewer *v)
{
    kept *k = v->of[ES_VIEW_STRIPS];
    if (k)
        es_text_unref(k->text);
    free(k);
    v->of[ES_VIEW_STRIPS] = NULL;
}

/* ---- the picture ---- */

static void draw_words(es_viewer *v, es_canvas *c, es_box area)
{
    const es_scene *scene = &v->scene;
    const char *says = "No text yet. Type a sentence, such as: The cat sat on the mat. Its rows of "
                       "numbers appear here while you type.";
    if (scene->why.len)
        says = scene->why.s;
    else if (scene->text)
        says = scene->T ? "There is no room for rows here."
                        : "This text has no tokens, so it has no rows.";
    es_view_instead(v, c, area, says);
}

static void draw(es_viewer *v, es_canvas *c, es_box area)
{
    kept *k = keep(v);
    int64_t filled[ES_STRIPS];
    es_box before = es_canvas_clip(c, es_box_meet(c->inside, area));
    k->last = es_strips_plan(v, c, area, &k->scale);
    for (int i = 0; i < k->last.n; i++)
        filled[i] = rows_filled(v, k, &k->last, i);
    if (k->last.n)
        es_strips_draw(v, c, &k->last, filled);
    else
        draw_words(v, c, area);
    es_canvas_clip(c, before);
}

/* ---- under the pointer ---- */

static bool pick(es_viewer *v, es_canvas *c, es_box area, es_spot at, es_pick *out)
{
    const kept *k = keep(v);
    es_strips s = es_strips_plan(v, c, area, &k->scale);
    for (int i = 0; es_box_has(area, at.x, at.y) && i < s.n; i++) {
        es_box box;
        int64_t row, column;
        es_heat h = es_strips_heat(&s, &s.of[i], v->scene.C, s.rows, &box);
        if (!es_box_has(s.of[i].map, at.x, at.y) || !es_heat_pick(&h, box, at, &row, &column))
            continue;
        int64_t channel = (h.value - s.of[i].value) % v->scene.C + column;
        es_strips_say(&v->scene, s.of[i].name, s.first + row, channel, out);
        out->mark = es_box_meet(es_heat_cell(&h, box, row, column), s.of[i].map);
        return true;
    }
    return false;
}

/* The box that the camera's numbers are meant for: its height is no matter, as rows keep theirs.  Zooming leaves rows
 * where they are when the plane's 0 is under the pointer.  A camera that was led beyond the edge is brought back, so
 * that there is no idle way back. */
static bool ground(es_viewer *v, es_box area, es_spot at, es_box *out, es_extent *extent)
{
    const kept *k = v->of[ES_VIEW_STRIPS];
    es_camera *camera = &v->camera[ES_VIEW_STRIPS];
    (void)area;
    if (!k || !k->last.n)
        return false;
    es_strips_hold(&k->last, &v->scene, camera);
    *extent = (es_extent){.radius = 1};
    const es_lens unit =
        es_lens_of(&(es_camera){.zoom = 1}, extent, (es_box){0, 0, 1, 1}); /* pixels a radius */
    float w = k->last.of[0].map.w, side = w / 2 / unit.fx[0];
    float down = (float)(-camera->y * camera->zoom) * w / 2;
    *out = (es_box){k->last.of[0].map.x + (w - side) / 2, at.y + down - side / 2, side, side};
    for (int i = 1; i < k->last.n && !k->last.stacked; i++)
        if (at.x >= k->last.of[i].map.x)
            out->x = k->last.of[i].map.x + (w - side) / 2;
    return true;
}

static unsigned needs(const es_viewer *v)
{
    (void)v;
    return 0;
}

static void honesty(const es_viewer *v, es_str *out)
{
    const kept *k = v->of[ES_VIEW_STRIPS];
    es_strips_honesty(&v->scene, k ? &k->last : NULL, out);
}

static void expression(const es_viewer *v, es_str *out)
{
    es_strips_expression(&v->scene, out);
}

static void plain(es_viewer *v, es_str *out)
{
    es_strips_plain(&v->scene, out);
}

static void json(es_viewer *v, es_json *j)
{
    es_strips_json(&v->scene, j);
}

const es_view_kind es_view_strips = {
    .name = "strips",
    .summary = "tok_emb + pos_emb = x, every number a cell",
    .args = "",
    .flat = true,
    .needs = needs,
    .draw = draw,
    .pick = pick,
    .honesty = honesty,
    .expression = expression,
    .plain = plain,
    .json = json,
    .ground = ground,
    .moving = moving,
    .forget = forget,
};
