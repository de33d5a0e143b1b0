// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/heat.h"
#include "view/positions.h"
#include "view/words.h"

enum { MOST_MARKS = 16 };

void es_panel_say(const es_brush *b, es_box box, const char *text)
{
    const es_ink ink = {.size = b->em, .colour = b->p->dim};
    es_words_draw(b->c, es_box_inset(box, b->em), 0, text, &ink);
}

/* ---- along components ---- */

/* The row that is shown for place t of the sentence; -1: none is. */
static int64_t row_of(const es_places *of, const es_scene *scene, int64_t t)
{
    int64_t i = (scene->at + t) / of->stride;
    return i < of->n && i * of->stride == scene->at + t ? i : -1;
}

/* Places of the sentence, the ends of the table, and between them marks. */
static void tag_places(const es_brush *b, const es_panel *panel)
{
    const es_places *of = panel->of;
    const es_scene *scene = &b->v->scene;
    es_tags tags = {.keep = es_axes_box(panel->box, b->em)};
    for (int64_t t = 0; t < scene->T; t++) {
        int64_t i = row_of(of, scene, t);
        if (i < 0)
            continue;
        es_tag *tag = es_tags_add(&tags, es_curve_spot(&panel->curve, i), b->p->strong, 3.5f, true);
        es_str_add(&tag->text, "%" PRId64 " ", i * of->stride);
        es_scene_token(&tag->text, scene->text->context, scene->ids[t], 12);
    }
    float room = fminf(panel->box.w, panel->box.h) / (1.2f * b->em);
    int64_t step = es_mark_step(of->n, room < MOST_MARKS ? (int64_t)room : MOST_MARKS);
    for (int64_t k = -2; k * step < of->n; k++) {
        int64_t i = k == -2 ? of->n - 1 : k == -1 ? 0 : k * step;
        bool twice = k == 0 || (k > 0 && i == of->n - 1);
        int64_t t = i * of->stride - scene->at;
        if (twice || (t >= 0 && t < scene->T))
            continue;
        es_tag *tag = es_tags_add(&tags, es_curve_spot(&panel->curve, i), es_along(b->p, i, of->n),
                                  2.8f, false);
        es_str_add(&tag->text, "%" PRId64, i * of->stride);
    }
    es_tags_draw(&tags, b->c, panel->box, b->p, b->em);
}

static void draw_components(const es_brush *b, es_panel *panel)
{
    static const char *const axis[] = {"1", "2", "3"};
    es_places *of = panel->of;
    if (!of->K) {
        es_panel_say(b, panel->box,
                     "Components tell rows apart, and there are fewer than two that are finite.");
        return;
    }
    es_camera camera = es_viewer_camera(b->v);
    panel->extent = es_extent_of(of->at, of->n, 3, camera.solid);
    panel->curve = (es_curve){.at = of->at,
                              .n = of->n,
                              .lens = es_lens_of(&camera, &panel->extent, panel->box),
                              .width = camera.solid ? 3 : 2};
    es_box outside = es_canvas_clip(b->c, panel->box);
    es_curve_draw(&panel->curve, b->c, b->p, camera.solid);
    es_axes_draw(b->c, panel->box, &panel->curve.lens, axis, camera.solid ? 3 : 2, b->p, b->em);
    tag_places(b, panel);
    es_canvas_clip(b->c, outside);
    if (of == es_positions_main(b->v))
        es_positions_tell_axes(b->v, of);
}

/* ---- strips: curves one under the other ---- */

/* The numbers of a strip: count of them, `step` apart. */
typedef struct series {
    const float *at;
    int64_t step, count;
} series;

static series series_of(const es_panel *panel, int i)
{
    const es_places *of = panel->of;
    if (panel->kind == ES_PANEL_ROWS)
        return (series){of->row + panel->strip[i] * of->C, 1, of->C};
    return (series){of->row + panel->strip[i], of->C, of->n};
}

static float largest(const series *s)
{
    float most = 0;
    for (int64_t i = 0; i < s->count; i++) {
        float size = fabsf(s->at[i * s->step]);
        most = isfinite(size) && size > most ? size : most;
    }
    return most;
}

es_box es_panel_strip(const es_panel *panel, int i)
{
    float h = panel->chart.inside.h / (float)panel->n;
    return (es_box){panel->chart.inside.x, panel->chart.inside.y + h * (float)i,
                    panel->chart.inside.w, h};
}

static void draw_curve(const es_brush *b, const es_panel *panel, int i, es_box box)
{
    const float filled = 0.46f;
    series s = series_of(panel, i);
    float most = largest(&s), middle = box.y + box.h / 2;
    double unit = panel->kind == ES_PANEL_ROWS ? 1 : (double)panel->of->stride;
    es_spot *at = es_alloc_array((size_t)s.count, sizeof *at);
    for (int64_t k = 0; k < s.count; k++) {
        float v = s.at[k * s.step];
        at[k].x = es_chart_spot(&panel->chart, (double)k * unit, 0).x;
        at[k].y = isfinite(v) ? middle - (most > 0 ? v / most : 0) * filled * box.h : NAN;
    }
    const es_spot zero[] = {{box.x, middle}, {box.x + box.w, middle}};
    es_canvas_line(b->c, zero, 2, 1, 0, b->p->edge);
    if (panel->kind == ES_PANEL_CHANNELS)
        es_along_line(b->c, at, s.count, 1.6f, b->p);
    else
        es_canvas_line(b->c, at, (size_t)s.count, 1.2f, 0, b->p->ink);
    free(at);
}

/* The token that stands there in the sentence, behind the row's number. */
static void name_strip(const es_brush *b, const es_panel *panel, int i, es_str *out)
{
    const es_scene *scene = &b->v->scene;
    int64_t place = panel->strip[i] * panel->of->stride, t = place - scene->at;
    if (panel->kind == ES_PANEL_CHANNELS) {
        es_str_add(out, "%" PRId64, panel->strip[i]);
        return;
    }
    es_str_add(out, "%" PRId64, place);
    if (t >= 0 && t < scene->T) {
        es_str_char(out, ' ');
        es_scene_token(out, scene->text->context, scene->ids[t], 9);
    }
}

static void scale_strip(const es_panel *panel, int i, es_str *out)
{
    series s = series_of(panel, i);
    float most = largest(&s);
    int decimals = es_heat_decimals(most) - 1; /* two digits */
    es_str_cat(out, "±");
    es_heat_number(out, (double)most, most, decimals > 0 ? decimals : 0);
}

static float strip_width(const es_brush *b, const es_panel *panel, bool scale)
{
    const es_ink ink = {.size = b->em};
    float most = 0;
    for (int i = 0; i < panel->n; i++) {
        es_str text = {0};
        if (scale)
            scale_strip(panel, i, &text);
        else
            name_strip(b, panel, i, &text);
        most = fmaxf(most, es_canvas_width(b->c, es_str_text(&text), text.len, &ink));
        es_str_free(&text);
    }
    return most + b->em / 2;
}

static void draw_strips(const es_brush *b, es_panel *panel)
{
    const es_places *of = panel->of;
    bool rows = panel->kind == ES_PANEL_ROWS;
    const es_ink name = {.size = b->em, .colour = b->p->ink},
                 scale = {.size = b->em, .colour = b->p->dim};
    int fit = (int)(panel->box.h / (1.6f * b->em)) - 2;
    panel->n = panel->n > fit ? (fit > 1 ? fit : 1) : panel->n;
    panel->chart =
        (es_chart){.x_high = rows ? (double)(of->C - 1) : (double)((of->n - 1) * of->stride),
                   .x_name = rows ? "channel" : "position",
                   .x_whole = true,
                   .y_bare = true};
    es_box area = panel->box, left = es_box_cut_left(&area, strip_width(b, panel, false)),
           right = es_box_cut_right(&area, strip_width(b, panel, true));
    es_chart_draw(&panel->chart, b->c, area, b->p, b->em);
    for (int i = 0; i < panel->n && panel->chart.inside.h > 0; i++) {
        es_box box = es_panel_strip(panel, i);
        es_str text = {0};
        draw_curve(b, panel, i, box);
        name_strip(b, panel, i, &text);
        es_canvas_fit(b->c, left.x + left.w - b->em / 4, box.y + box.h / 2, left.w, 1,
                      es_str_text(&text), &name);
        es_str_free(&text);
        scale_strip(panel, i, &text);
        es_canvas_fit(b->c, right.x + right.w, box.y + box.h / 2, right.w, 1, es_str_text(&text),
                      &scale);
        es_str_free(&text);
    }
}

/* ---- charts of one curve ---- */

static void draw_series(const es_brush *b, const es_panel *panel, const float *y)
{
    int64_t n = panel->of->n;
    es_spot *at = es_alloc_array((size_t)n, sizeof *at);
    for (int64_t i = 0; i < n; i++) {
        double v = isfinite(y[i]) ? (double)y[i] : NAN;
        at[i] = es_chart_spot(&panel->chart, (double)(i * panel->of->stride), v);
    }
    es_along_line(b->c, at, n, 1.8f, b->p);
    if (n == 1) {
        const es_disc disc = {at->x, at->y, 3, b->p->strong, ES_NO_ID};
        es_canvas_discs(b->c, &disc, 1);
    }
    free(at);
}

static void draw_lags(const es_brush *b, es_panel *panel)
{
    es_places *of = panel->of;
    if (!es_places_cosine(of, NULL))
        return;
    panel->chart = (es_chart){.x_high = (double)((of->n - 1) * of->stride),
                              .y_low = -1,
                              .y_high = 1,
                              .x_name = "positions apart",
                              .y_name = "mean cosine",
                              .x_whole = true};
    es_chart_draw(&panel->chart, b->c, panel->box, b->p, b->em);
    draw_series(b, panel, of->alike);
}

static void draw_lengths(const es_brush *b, es_panel *panel)
{
    const es_places *of = panel->of;
    const es_scene *scene = &b->v->scene;
    float most = 0;
    for (int64_t i = 0; i < of->n; i++)
        most = isfinite(of->length[i]) ? fmaxf(most, of->length[i]) : most;
    panel->chart = (es_chart){.x_high = (double)((of->n - 1) * of->stride),
                              .y_high = most > 0 ? 1.08 * (double)most : 1,
                              .x_name = "position",
                              .x_whole = true};
    es_chart_draw(&panel->chart, b->c, panel->box, b->p, b->em);
    draw_series(b, panel, of->length);
    for (int64_t t = 0; t < scene->T; t++) {
        int64_t i = row_of(of, scene, t);
        if (i < 0)
            continue;
        es_spot at = es_chart_spot(&panel->chart, (double)(scene->at + t), of->length[i]);
        es_canvas_discs(b->c, &(es_disc){at.x, at.y, 3, b->p->strong, ES_NO_ID}, 1);
    }
}

/* ---- captions ---- */

/* What a panel is called, around whose rows they are, and in brief. */
typedef struct caption {
    const char *before, *behind, *brief; /* behind NULL: before is all */
} caption;
static const caption captions[ES_N_PANEL_KINDS] = {
    [ES_PANEL_ROWS] = {"rows of ", " over the channels", "rows over the channels"},
    [ES_PANEL_CHANNELS] = {"the channels that vary most, over the positions", NULL,
                           "channels that vary most"},
    [ES_PANEL_COSINE] = {"cosine of any two positions", NULL, "cosine of positions"},
    [ES_PANEL_LAGS] = {"the same, by how far apart they are", NULL, "by how far apart"},
    [ES_PANEL_LENGTHS] = {"length of each row of ", "", "length of each row"},
};

static void name_components(const es_viewer *v, const es_places *of, es_str *whole, es_str *brief)
{
    bool solid = es_viewer_camera(v).solid;
    double share = of->share[0] + of->share[1] + (solid ? of->share[2] : 0);
    es_str_add(brief, "components %s", solid ? "1, 2, 3" : "1, 2");
    es_str_add(whole, "%s of %s", brief->s, es_places_name(of));
    if (of->K) {
        es_str_add(brief, ": %.1f %%", 100 * share);
        es_str_add(whole, ": %.1f %% of the spread", 100 * share);
    }
}

static void draw_caption(const es_brush *b, const es_panel *panel, es_box *area)
{
    const es_places *of = panel->of;
    const caption *k = &captions[panel->kind];
    es_str whole = {0}, brief = {0};
    if (panel->kind == ES_PANEL_COMPONENTS) {
        name_components(b->v, of, &whole, &brief);
    } else {
        es_str_add(&whole, "%s%s%s", k->before, k->behind ? es_places_name(of) : "",
                   k->behind ? k->behind : "");
        es_str_cat(&brief, k->brief);
    }
    if (panel->kind == ES_PANEL_COSINE && !of->learned) {
        es_str_cat(&whole, ", sinusoidal");
        es_str_cut(&brief, 0);
        es_str_cat(&brief, "cosine, sinusoidal");
    }
    es_caption(b->c, area, whole.s, brief.s, b->p, b->em);
    es_str_free(&whole);
    es_str_free(&brief);
}

void es_panel_draw(es_panel *panel, es_viewer *v, es_canvas *c, es_box area)
{
    static void (*const draw[ES_N_PANEL_KINDS])(const es_brush *, es_panel *) = {
        [ES_PANEL_COMPONENTS] = draw_components,
        [ES_PANEL_ROWS] = draw_strips,
        [ES_PANEL_CHANNELS] = draw_strips,
        [ES_PANEL_COSINE] = es_panel_cosine,
        [ES_PANEL_LAGS] = draw_lags,
        [ES_PANEL_LENGTHS] = draw_lengths,
    };
    const es_brush b = {v, c, es_viewer_palette(v), es_viewer_em(v)};
    draw_caption(&b, panel, &area);
    panel->box = area;
    if (area.w > 4 * b.em && area.h > 4 * b.em)
        draw[panel->kind](&b, panel);
}
