// SPDX-License-Identifier: GPL-3.0-or-later
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "session/numbers.h"
#include "view/strips.h"
#include "view/words.h"

/* In ems. */
#define LINE         1.5F  /* of text */
#define LEAST        1.25F /* a row's height: its label can be read */
#define TALLEST      4.0F
#define ABOVE_FOOT   0.5F
#define GAP          0.6F /* between stacked strips */
#define ASIDE        2.4F /* between strips side by side, for a sign */
#define NARROW       4.0F /* pixels: a strip that is no picture */
#define NARROWEST    6.0F /* a strip beside others */
#define WIDEST_TOKEN 9.0F

enum {
    LABELS_MEASURED = 64,
    PLACE_BYTES = 24,
    FEW = 100, /* one number in so many may be beyond the scale */
    PALE = 4   /* when it is so much larger than the others */
};

/* ---- the scale ---- */

/* Of the scene's numbers, how many are larger than `most`, or, with `odd`, not finite; *all: how many there are. */
static int64_t count(const es_scene *scene, float most, bool odd, int64_t *all)
{
    const float *const table[] = {scene->tok_emb, scene->pos_emb, scene->x};
    int64_t n = 0, cells = scene->T * scene->C;
    *all = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        *all += table[i] ? cells : 0;
        for (int64_t k = 0; table[i] && k < cells; k++)
            n += isfinite(table[i][k]) ? !odd && fabsf(table[i][k]) > most : odd;
    }
    return n;
}

static float largest(const es_scene *scene)
{
    const float *const table[] = {scene->tok_emb, scene->pos_emb, scene->x};
    float most = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int64_t k = 0; table[i] && k < scene->T * scene->C; k++)
            if (isfinite(table[i][k]))
                most = fmaxf(most, fabsf(table[i][k]));
    return most;
}

es_strips_scale es_strips_scale_of(const es_scene *scene)
{
    int64_t all, few;
    es_strips_scale scale = {.odd = count(scene, 0, true, &all)};
    float most = largest(scene);
    few = all / FEW;
    scale.most = most > 0 ? es_round_scale(most) : 0;
    if (count(scene, scale.most / PALE, false, &all) <= few)
        while (scale.most > 0 && count(scene, scale.most / 2, false, &all) <= few)
            scale.most = scale.most / 2 > FLT_MIN ? es_round_scale(scale.most / 2) : 0;
    if (scale.most == 0 && most > 0)
        scale.most = es_round_scale(most);
    scale.beyond = count(scene, scale.most, false, &all);
    return scale;
}

/* ---- which strips there are ---- */

static void add_strip(es_strips *s, const char *sign, const char *name, const char *says,
                      const float *value)
{
    if (!value)
        return;
    s->of[s->n] = (es_strip){.sign = s->n ? sign : "", .name = name, .says = says, .value = value};
    s->n++;
}

static void find_strips(es_strips *s, const es_scene *scene)
{
    add_strip(s, "", "tok_emb", "a row of wte for each token", scene->tok_emb);
    add_strip(s, "+", "pos_emb", "a row for each place", scene->pos_emb);
    add_strip(s, "=", "x",
              scene->pos_emb ? "their sum, what the first block gets"
                             : "the same: no positions are added",
              scene->x);
}

/* ---- how much room each has ---- */

static float widest_token(const es_viewer *v, es_canvas *c, const es_ink *ink)
{
    const es_scene *scene = &v->scene;
    float w = 0;
    for (int64_t t = 0; t < scene->T && t < LABELS_MEASURED; t++) {
        es_str text = {0};
        es_scene_token(&text, scene->text->context, scene->ids[t], 20);
        w = fmaxf(w, es_canvas_width(c, text.s, text.len, ink));
        es_str_free(&text);
    }
    return w;
}

static void measure_labels(es_strips *s, const es_viewer *v, es_canvas *c, float room, float em)
{
    const es_ink ink = {.size = em};
    char place[PLACE_BYTES];
    int n = snprintf(place, sizeof place, "%" PRId64, v->scene.at + v->scene.T - 1);
    s->place_w = es_canvas_width(c, place, (size_t)n, &ink);
    float w = s->place_w + 0.6F * em + fminf(widest_token(v, c, &ink), WIDEST_TOKEN * em);
    s->labels.w = fminf(w + 0.6F * em, 0.35F * room);
}

/* What stacked strips take beside their rows, and strips side by side. */
static float around(const es_strips *s, bool stacked)
{
    float captions = stacked ? (float)s->n * s->line + (float)(s->n - 1) * s->gap : s->line;
    return captions + s->line;
}

static int64_t rows_that_fit(const es_strips *s, bool stacked, float height, float least)
{
    float each = least * (stacked ? (float)s->n : 1);
    float rows = floorf((height - around(s, stacked)) / each);
    return rows < 1 ? 1 : (int64_t)rows;
}

/* Is there width for strips beside each other? */
static bool wide_enough(const es_strips *s, float w, float em)
{
    float each = (w - s->labels.w - (float)(s->n - 1) * ASIDE * em) / (float)s->n;
    return s->n > 1 && each >= NARROWEST * em;
}

/* In whole pixels, or lines. */
static float whole(float h, const es_canvas *c)
{
    return c->line > 0 ? fmaxf(c->line, floorf(h / c->line) * c->line) : floorf(h);
}

static void choose_rows(es_strips *s, const es_canvas *c, es_box room, int64_t T, float em)
{
    float least = es_canvas_lines(c, LEAST * em);
    int64_t below = rows_that_fit(s, true, room.h, least),
            aside = rows_that_fit(s, false, room.h, least);
    s->stacked = below >= T || below >= aside || !wide_enough(s, room.w, em);
    int64_t fit = s->stacked ? below : aside;
    s->rows = T < fit ? T : fit;
    float each = (room.h - around(s, s->stacked)) / (float)(s->rows * (s->stacked ? s->n : 1));
    s->row_h = whole(fmaxf(least, fminf(each, TALLEST * em)), c);
}

static void place_strips(es_strips *s, es_box room, float above_foot, float em)
{
    float h = (float)s->rows * s->row_h, x = room.x + s->labels.w, y = room.y;
    float w = room.w - s->labels.w;
    if (!s->stacked)
        w = (w - (float)(s->n - 1) * ASIDE * em) / (float)s->n;
    for (int i = 0; i < s->n; i++) {
        s->of[i].caption = (es_box){x, y, w, s->line};
        s->of[i].map = (es_box){x, y + s->line, w, h};
        if (s->stacked)
            y += h + s->line + s->gap;
        else
            x += w + ASIDE * em;
    }
    s->labels = (es_box){room.x, room.y + s->line, s->labels.w, h};
    s->legend.y = s->of[s->n - 1].map.y + h + s->line + above_foot;
    s->tag.y += s->legend.y;
    s->notes = (es_box){room.x, s->legend.y + s->legend.h, room.w, s->notes.h};
}

/* ---- where the camera looks ---- */

/* The camera's numbers.  x: from the middle channel, in halves of C.  y: up, in halves of a strip's width; rows keep
 * their height however near one looks. */
static double channel_at_left(const es_scene *scene, const es_camera *camera)
{
    double C = (double)scene->C, seen = C / fmax(camera->zoom, 1);
    return fmin(fmax(C / 2 * (1 + camera->x) - seen / 2, 0), C - seen);
}

static double row_at_top(const es_strips *s, const es_scene *scene, const es_camera *camera)
{
    double down = -camera->y * fmax(camera->zoom, 1) * (double)s->of[0].map.w / 2;
    return fmin(fmax(down / (double)s->row_h, 0), (double)(scene->T - s->rows));
}

static void look(es_strips *s, const es_scene *scene, const es_camera *camera)
{
    s->per = (double)s->of[0].map.w * fmax(camera->zoom, 1) / (double)scene->C;
    s->left = channel_at_left(scene, camera);
    s->first = (int64_t)round(row_at_top(s, scene, camera));
}

void es_strips_hold(const es_strips *s, const es_scene *scene, es_camera *camera)
{
    double C = (double)scene->C;
    camera->zoom = fmax(camera->zoom, 1);
    camera->x = (channel_at_left(scene, camera) + C / camera->zoom / 2) / (C / 2) - 1;
    camera->y = -row_at_top(s, scene, camera) * (double)s->row_h /
                (camera->zoom * (double)s->of[0].map.w / 2);
}

/* ---- all of it ---- */

/* The scale and, before Enter, a tag at its right that says so. */
static void measure_legend(es_strips *s, const es_viewer *v, es_canvas *c, es_box room, float em)
{
    es_str what = {0};
    es_box line = {room.x, 0, room.w, 1.3F * em};
    es_strips_legend(s, &what);
    s->tag = v->scene.preview ? es_words_tag(c, &line, ES_NOT_ENTERED, em) : (es_box){0};
    s->legend = (es_box){room.x, 0, line.w, es_heat_legend_height(c, line.w, what.s, em)};
    es_str_free(&what);
}

/* Its notes have as many lines as they need; returns whether that is more room than they had. */
static bool measure_notes(es_strips *s, const es_viewer *v, es_canvas *c, float w, float em)
{
    const es_ink ink = {.size = em};
    es_str notes = {0};
    float had = s->notes.h;
    es_strips_notes(&v->scene, s, &notes);
    s->notes.h = fmaxf(had, es_words_height(c, w, es_str_text(&notes), &ink));
    es_str_free(&notes);
    return s->notes.h > had;
}

/* The scale and notes stand below the rows, unless they would leave no room for a single one. */
static void keep_foot(es_strips *s, es_box *room, float above_foot, float em)
{
    float foot = s->legend.h + above_foot + s->notes.h;
    float least = wide_enough(s, room->w, em) ? around(s, false) + LEAST * em
                                              : around(s, true) + LEAST * em * (float)s->n;
    if (room->h - foot >= least)
        es_box_cut_bottom(room, foot);
    else
        s->legend.w = s->tag.w = s->notes.h = 0;
}

static void lay_out(es_strips *s, const es_viewer *v, es_canvas *c, es_box room, float em)
{
    es_camera camera = es_viewer_camera(v);
    float above_foot = es_canvas_lines(c, ABOVE_FOOT * em);
    s->line = es_canvas_lines(c, LINE * em);
    s->gap = es_canvas_lines(c, GAP * em);
    measure_labels(s, v, c, room.w, em);
    measure_legend(s, v, c, room, em);
    keep_foot(s, &room, above_foot, em);
    choose_rows(s, c, room, v->scene.T, em);
    place_strips(s, room, above_foot, em);
    look(s, &v->scene, &camera);
}

es_strips es_strips_plan(es_viewer *v, es_canvas *c, es_box area, const es_strips_scale *scale)
{
    es_strips s = {.scale = *scale};
    float em = es_viewer_em(v);
    es_box room = es_canvas_room(c, area, em);
    find_strips(&s, &v->scene);
    if (!s.n || !v->scene.T)
        return (es_strips){0};
    lay_out(&s, v, c, room, em);
    if (s.of[0].map.w < NARROW)
        return (es_strips){0};
    if (measure_notes(&s, v, c, room.w, em))
        lay_out(&s, v, c, room, em);
    return s;
}

es_heat es_strips_heat(const es_strips *s, const es_strip *strip, int64_t C, int64_t rows,
                       es_box *box)
{
    double seen = (double)strip->map.w / s->per;
    int64_t from = (int64_t)floor(s->left), to = (int64_t)ceil(s->left + seen - 1e-9);
    to = to > C ? C : to;
    *box = (es_box){strip->map.x + (float)(((double)from - s->left) * s->per), strip->map.y,
                    (float)((double)(to - from) * s->per), (float)rows * s->row_h};
    return (es_heat){.value = strip->value + s->first * C + from,
                     .rows = rows,
                     .columns = to - from,
                     .stride = C,
                     .most = s->scale.most};
}
