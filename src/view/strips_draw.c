// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "view/plot.h"
#include "view/strips.h"
#include "view/words.h"

/* ---- words around the cells ---- */

static es_ink ink_of(const es_viewer *v, es_argb colour)
{
    return (es_ink){.size = es_viewer_em(v), .colour = colour};
}

/* Draw text at the left of *box and take its width off. */
static void word(es_canvas *c, es_box *box, const char *text, const es_ink *ink)
{
    float w = es_canvas_width(c, text, strlen(text), ink);
    es_canvas_fit(c, box->x, box->y + box->h / 2, box->w, 0, text, ink);
    es_box_cut_left(box, w + 0.6F * ink->size);
}

/* How many rows there are, drawn or not. */
static int64_t all_rows(const es_scene *scene, const char *name)
{
    int64_t all = scene->T + scene->left;
    if (!es_scene_beyond(scene) || !strcmp(name, "tok_emb"))
        return all;
    int64_t have = es_text_T(scene->text) - es_scene_beyond(scene);
    return have < all ? have : all;
}

static void draw_caption(es_viewer *v, es_canvas *c, const es_strip *strip)
{
    const es_palette *p = es_viewer_palette(v);
    es_ink name = ink_of(v, p->ink), says = ink_of(v, p->dim);
    es_box line = strip->caption;
    char shape[64];
    name.bold = true;
    snprintf(shape, sizeof shape, "(%" PRId64 ", %" PRId64 ")", all_rows(&v->scene, strip->name),
             v->scene.C);
    word(c, &line, strip->name, &name);
    if (es_canvas_width(c, shape, strlen(shape), &says) > line.w)
        return;
    word(c, &line, shape, &says);
    if (es_canvas_width(c, strip->says, strlen(strip->says), &says) <= line.w)
        word(c, &line, strip->says, &says);
}

static void draw_sign(es_viewer *v, es_canvas *c, const es_strips *s, const es_strip *strip)
{
    es_ink ink = ink_of(v, es_viewer_palette(v)->ink);
    float em = ink.size;
    ink.size *= 1.6F;
    ink.bold = true;
    float x = s->stacked ? strip->map.x - em : strip->map.x - 1.2F * em;
    float y =
        s->stacked ? strip->caption.y + strip->caption.h / 2 : strip->map.y + strip->map.h / 2;
    es_canvas_fit(c, x, y, 2 * em, 0.5F, strip->sign, &ink);
}

static void draw_labels(es_viewer *v, es_canvas *c, const es_strips *s, const es_strip *strip)
{
    const es_palette *p = es_viewer_palette(v);
    const es_scene *scene = &v->scene;
    es_ink place = ink_of(v, p->dim), token = ink_of(v, p->ink);
    float gap = 0.6F * token.size, x = s->labels.x + s->place_w;
    for (int64_t r = 0; r < s->rows; r++) {
        int64_t t = s->first + r;
        float y = strip->map.y + ((float)r + 0.5F) * s->row_h;
        es_str text = {0};
        es_str_add(&text, "%" PRId64, scene->at + t);
        es_canvas_fit(c, x, y, s->place_w + gap, 1, text.s, &place);
        es_str_cut(&text, 0);
        es_scene_token(&text, scene->text->context, scene->ids[t], 40);
        es_canvas_fit(c, x + gap, y, s->labels.w - s->place_w - 1.5F * gap, 0, es_str_text(&text),
                      &token);
        es_str_free(&text);
    }
}

/* The axis is named beside its numbers, under the labels, where these leave room; else at its end. */
static void draw_axis_name(es_canvas *c, const es_strips *s, const es_strip *strip, float y,
                           float *end, const es_ink *ink)
{
    const char *name = "channel";
    float w = es_canvas_width(c, name, strlen(name), ink), gap = ink->size;
    bool first = strip->map.x <= s->of[0].map.x;
    if (first && w + gap <= s->labels.w) {
        es_canvas_fit(c, strip->map.x - gap, y, s->labels.w, 1, name, ink);
    } else if (first || 3 * w < strip->map.w) {
        es_canvas_fit(c, *end, y, strip->map.w, 1, name, ink);
        *end -= w + gap;
    }
}

static void draw_ticks(es_viewer *v, es_canvas *c, const es_strips *s, const es_strip *strip)
{
    const es_palette *p = es_viewer_palette(v);
    es_ink ink = ink_of(v, p->dim);
    float em = ink.size, foot = strip->map.y + strip->map.h, end = strip->map.x + strip->map.w;
    double first, step, seen = (double)strip->map.w / s->per;
    draw_axis_name(c, s, strip, foot + 0.9F * em, &end, &ink);
    int n = es_ticks(ceil(s->left - 0.5), floor(s->left + seen - 0.5),
                     (int)fmaxf(1, strip->map.w / (3.5F * em)), &first, &step);
    for (int i = 0; i < n; i++) {
        double channel = first + i * step;
        float x = strip->map.x + (float)((channel + 0.5 - s->left) * s->per);
        const es_spot mark[2] = {{x, foot}, {x, foot + 0.25F * em}};
        char text[32];
        int len = snprintf(text, sizeof text, "%.0f", channel);
        float half = es_canvas_width(c, text, (size_t)len, &ink) / 2;
        if (channel != round(channel) || x + half > end)
            continue;
        es_canvas_line(c, mark, 2, 1, 0, p->dim);
        es_canvas_fit(c, x, foot + 0.9F * em, 2 * half + 1, 0.5F, text, &ink);
    }
}

/* ---- the cells ---- */

static void draw_cells(es_viewer *v, es_canvas *c, const es_strips *s, const es_strip *strip,
                       int64_t rows)
{
    const es_palette *p = es_viewer_palette(v);
    es_box box, before = es_canvas_clip(c, es_box_meet(c->inside, strip->map));
    es_canvas_fill(c, strip->map, p->panel);
    if (rows) {
        es_heat h = es_strips_heat(s, strip, v->scene.C, rows, &box);
        es_heat_draw(&h, c, box, p);
        es_heat_grid(&h, c, box, p->ground);
        es_heat_numbers(&h, c, box, p, es_viewer_em(v), es_heat_decimals(s->scale.most));
    }
    es_canvas_edge(c, strip->map, 1, p->edge);
    es_canvas_clip(c, before);
}

static void draw_strip(es_viewer *v, es_canvas *c, const es_strips *s, int i, int64_t rows)
{
    const es_strip *strip = &s->of[i];
    draw_caption(v, c, strip);
    draw_sign(v, c, s, strip);
    draw_cells(v, c, s, strip, rows);
    if (s->stacked || i == 0)
        draw_labels(v, c, s, strip);
    if (!s->stacked || i == s->n - 1)
        draw_ticks(v, c, s, strip);
}

/* ---- the foot ---- */

static void draw_notes(es_viewer *v, es_canvas *c, const es_strips *s, es_box box)
{
    es_str notes = {0};
    const es_ink ink = ink_of(v, es_viewer_palette(v)->dim);
    es_strips_notes(&v->scene, s, &notes);
    es_words_draw(c, box, 0, es_str_text(&notes), &ink);
    es_str_free(&notes);
}

static void draw_legend(es_viewer *v, es_canvas *c, const es_strips *s)
{
    const es_palette *p = es_viewer_palette(v);
    float em = es_viewer_em(v);
    es_str what = {0};
    es_strips_legend(s, &what);
    if (s->tag.w > 0)
        es_words_tag_draw(c, s->tag, ES_NOT_ENTERED, p, em);
    if (s->legend.w > 0)
        es_heat_legend(c, s->legend, s->scale.most, what.s, p, em);
    es_str_free(&what);
}

void es_strips_draw(es_viewer *v, es_canvas *c, const es_strips *s, const int64_t *filled)
{
    for (int i = 0; i < s->n; i++)
        draw_strip(v, c, s, i, filled[i]);
    draw_legend(v, c, s);
    draw_notes(v, c, s, s->notes);
}
