// SPDX-License-Identifier: GPL-3.0-or-later
/* The series as a curve, and beside it what a curve along few axes cannot show. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/series.h"

/* In ems. */
#define GAP   1.5f
#define WIDE  52.0f /* from here on panels stand beside the curve, */
#define HIGH  30.0f /* or below it */
#define PANEL 11.0f /* a panel is no lower */

enum { TOKEN_COLUMNS = 16, FEW = 60 };

/* What all of it is drawn with. */
typedef struct brush {
    es_viewer *v;
    const es_series *s;
    es_canvas *c;
    const es_palette *p;
    float em;
} brush;

/* ---- where things are ---- */

static void arrange(es_series_picture *p, es_box area, float em)
{
    bool aside = area.w >= WIDE * em && area.h >= 2 * PANEL * em;
    bool below = !aside && area.h >= HIGH * em && area.w >= 24 * em;
    p->main = area;
    p->strips = p->apart = (es_box){0};
    if (aside) {
        p->strips = es_box_cut_right(&p->main, 0.4f * area.w);
        es_box_cut_right(&p->main, GAP * em);
        p->apart = es_box_cut_bottom(&p->strips, 0.48f * area.h);
        es_box_cut_bottom(&p->strips, 0.6f * em);
    } else if (below) {
        p->strips = es_box_cut_bottom(&p->main, 0.4f * area.h);
        es_box_cut_bottom(&p->main, 0.6f * em);
        p->apart = es_box_cut_right(&p->strips, 0.5f * area.w);
        es_box_cut_right(&p->strips, GAP * em);
    }
}

/* ---- the curve ---- */

void es_series_name(const es_viewer *v, const es_series *s, int64_t i, es_str *out)
{
    es_scene_token(out, es_session_context(v->session), s->id[i], TOKEN_COLUMNS);
}

/* The ends first, then ever finer between them, so that names are spread along the curve however many have room:
 * out[0..n) = the order. */
static void spread_order(int64_t *out, int64_t n)
{
    int64_t step = 1, at = 0;
    out[at++] = 0;
    out[at++] = n - 1;
    while (step < n - 1)
        step *= 2;
    for (; step >= 1; step /= 2)
        for (int64_t i = step; i < n - 1; i += 2 * step)
            out[at++] = i;
}

static void tag_tokens(const brush *b, const es_series_picture *p)
{
    const es_series *s = b->s;
    int64_t place, *order = es_alloc_array((size_t)s->n + 2, sizeof *order);
    int32_t focus = es_viewer_focus(b->v, &place);
    float r = s->n <= FEW ? 3.2f : s->n <= 4 * FEW ? 2.4f : 1.8f;
    es_tags tags = {.keep = es_axes_box(p->main, b->em)};
    spread_order(order, s->n);
    for (int64_t k = 0; k < s->n; k++) {
        int64_t i = order[k];
        bool bold = k < 2 || s->id[i] == focus;
        es_argb colour = s->id[i] == focus ? b->p->strong : es_along(b->p, i, s->n);
        es_tag *tag =
            es_tags_add(&tags, es_curve_spot(&p->curve, i), colour, bold ? 4.2f : r, bold);
        es_series_name(b->v, s, i, &tag->text);
    }
    es_tags_draw(&tags, b->c, p->main, b->p, b->em);
    free(order);
}

static void draw_curve(const brush *b, es_series_picture *p)
{
    static const char *const axis[] = {"1", "2", "3"};
    const es_series *s = b->s;
    es_camera camera = es_viewer_camera(b->v);
    p->extent = es_extent_of(s->at, s->n, 3, camera.solid);
    p->curve = (es_curve){.at = s->at,
                          .n = s->n,
                          .lens = es_lens_of(&camera, &p->extent, p->main),
                          .width = s->n <= FEW       ? 2.4f
                                   : s->n <= 4 * FEW ? 1.4f
                                                     : 0.8f};
    es_box outside = es_canvas_clip(b->c, es_box_meet(b->c->inside, p->main));
    es_curve_draw(&p->curve, b->c, b->p, camera.solid);
    int axes = es_series_shown(b->v, s);
    es_axes_draw(b->c, p->main, &p->curve.lens, axis, axes, b->p, b->em);
    tag_tokens(b, p);
    es_canvas_clip(b->c, outside);
    es_series_tell_axes(b->v, s);
}

/* "numbers: 819 of 1,000 have a row, along components 1, 2 of these rows", and which are missing. */
static void caption_curve(const brush *b, es_box *area)
{
    const es_series *s = b->s;
    int axes = es_series_shown(b->v, s);
    es_str whole = {0}, brief = {0};
    es_str_add(&brief, "%s: ", s->name);
    es_show_count(&brief, s->n);
    es_str_cat(&brief, " of ");
    es_show_count(&brief, s->wanted);
    es_str_add(&whole, "%s have a row, along component%s 1", brief.s, axes == 1 ? "" : "s");
    for (int k = 1; k < axes; k++)
        es_str_add(&whole, ", %d", k + 1);
    es_str_cat(&whole, " of these rows");
    es_caption(b->c, area, whole.s, brief.s, b->p, b->em);
    es_str_free(&whole);
    es_str_free(&brief);
    if (!s->missing.len || area->h < HIGH * b->em)
        return;
    const es_ink ink = {.size = b->em, .colour = b->p->dim};
    es_box line = es_box_cut_top(area, es_canvas_lines(b->c, 1.4f * b->em));
    es_str_add(&whole, "missing: %s", s->missing.s);
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, whole.s, &ink);
    es_str_free(&whole);
}

/* ---- each component over the series ---- */

/* The middle and half the width of what component k reaches. */
static void reach(const es_series *s, int k, float *middle, float *half)
{
    float low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < s->n; i++) {
        low = fminf(low, s->at[3 * i + k]);
        high = fmaxf(high, s->at[3 * i + k]);
    }
    *middle = (low + high) / 2;
    *half = (high - low) / 2;
}

es_box es_series_strip(const es_series *s, const es_series_picture *p, int k)
{
    es_box in = p->of_strips.inside;
    float h = in.h / (float)s->K;
    return (es_box){in.x, in.y + h * (float)k, in.w, h};
}

static void draw_strip(const brush *b, const es_series_picture *p, int k, float most)
{
    const es_series *s = b->s;
    const float filled = 0.44f;
    es_box box = es_series_strip(s, p, k);
    es_spot *at = es_alloc_array((size_t)s->n, sizeof *at);
    float middle, half;
    reach(s, k, &middle, &half);
    for (int64_t i = 0; i < s->n; i++) {
        at[i].x = es_chart_spot(&p->of_strips, (double)s->place[i], 0).x;
        at[i].y = box.y + box.h / 2 -
                  (most > 0 ? (s->at[3 * i + k] - middle) / most : 0) * filled * box.h;
    }
    if (k)
        es_canvas_fill(b->c, (es_box){box.x, box.y, box.w, 1}, b->p->edge);
    es_along_line(b->c, at, s->n, s->n <= 4 * FEW ? 1.6f : 1.1f, b->p);
    for (int64_t i = 0; s->n <= FEW && i < s->n; i++)
        es_canvas_discs(b->c, &(es_disc){at[i].x, at[i].y, 2.4f, es_along(b->p, i, s->n), ES_NO_ID},
                        1);
    free(at);
}

static void name_strip(const brush *b, es_box box, es_box left, es_box right, int k)
{
    const es_ink name = {.size = b->em, .colour = b->p->ink},
                 share = {.size = b->em, .colour = b->p->dim};
    float y = box.y + box.h / 2;
    es_str text = {0};
    es_str_add(&text, "%d", k + 1);
    es_canvas_fit(b->c, left.x + left.w / 2, y, left.w, 0.5f, text.s, &name);
    es_str_cut(&text, 0);
    es_str_add(&text, "%.0f %%", 100 * b->s->share[k]);
    es_canvas_fit(b->c, right.x + right.w, y, right.w, 1, text.s, &share);
    es_str_free(&text);
}

static void draw_strips(const brush *b, es_series_picture *p)
{
    const es_series *s = b->s;
    float most = 0, middle, half;
    es_box area = p->strips;
    es_caption(b->c, &area, "each component over the series, share of the spread",
               "each component over the series", b->p, b->em);
    p->strips = area;
    es_box left = es_box_cut_left(&area, 1.4f * b->em), right = es_box_cut_right(&area, 3 * b->em);
    p->of_strips = (es_chart){.x_low = (double)s->place[0],
                              .x_high = (double)s->place[s->n - 1],
                              .x_name = s->unit,
                              .x_whole = true,
                              .y_bare = true};
    es_chart_draw(&p->of_strips, b->c, area, b->p, b->em);
    if (p->of_strips.inside.h <= 0 || p->of_strips.inside.w <= 0)
        return;
    for (int k = 0; k < s->K; k++) {
        reach(s, k, &middle, &half);
        most = fmaxf(most, half);
    }
    for (int k = 0; k < s->K; k++) {
        draw_strip(b, p, k, most);
        name_strip(b, es_series_strip(s, p, k), left, right, k);
    }
}

/* ---- cosines by how far apart ---- */

static void measure_apart(const es_series *s, es_chart *chart)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t d = 1; d <= s->lags; d++) {
        const es_apart *a = &s->apart[d];
        if (!isnan(a->mean)) {
            low = fmin(low, fmin(a->mean, a->low));
            high = fmax(high, fmax(a->mean, a->high));
        }
    }
    double room = high > low ? 0.06 * (high - low) : 0.1;
    bool any = isfinite(low);
    chart->y_low = any ? low - room : -1;
    chart->y_high = any ? high + room : 1;
}

/* Between which the shuffled orders lie, a column a distance. */
static void draw_band(const brush *b, const es_chart *chart)
{
    const es_series *s = b->s;
    for (int64_t d = 1; d <= s->lags; d++) {
        const es_apart *a = &s->apart[d];
        if (!(a->low <= a->high))
            continue;
        es_spot from = es_chart_spot(chart, fmax((double)d - 0.5, chart->x_low), a->high),
                to = es_chart_spot(chart, fmin((double)d + 0.5, chart->x_high), a->low);
        float left = floorf(from.x), w = floorf(to.x) - left; /* columns neither meet nor part */
        es_canvas_fill(b->c, (es_box){left, from.y, w, fmaxf(to.y - from.y, 1)},
                       es_fade(b->p->dim, 0.3f));
    }
}

static void draw_apart(const brush *b, es_series_picture *p)
{
    const es_series *s = b->s;
    es_box area = p->apart;
    es_str text = {0};
    es_str_add(&text, "cosine by how far apart; grey: shuffled by lot, %d times", ES_SERIES_LOTS);
    es_caption(b->c, &area, text.s, "cosine by how far apart; grey: shuffled", b->p, b->em);
    es_str_cut(&text, 0);
    es_str_add(&text, "%ss apart", s->unit);
    p->apart = area;
    p->of_apart = (es_chart){.x_low = s->lags > 1 ? 1 : 0.5,
                             .x_high = s->lags > 1 ? (double)s->lags : 1.5,
                             .x_name = text.s,
                             .x_whole = true};
    measure_apart(s, &p->of_apart);
    es_chart_draw(&p->of_apart, b->c, area, b->p, b->em);
    p->of_apart.x_name = NULL; /* it goes */
    es_str_free(&text);
    if (p->of_apart.inside.h <= 0 || p->of_apart.inside.w <= 0)
        return;
    es_box outside = es_canvas_clip(b->c, es_box_meet(b->c->inside, p->of_apart.inside));
    draw_band(b, &p->of_apart);
    es_spot *at = es_alloc_array((size_t)s->lags, sizeof *at);
    for (int64_t d = 1; d <= s->lags; d++)
        at[d - 1] = es_chart_spot(&p->of_apart, (double)d, s->apart[d].mean);
    es_canvas_line(b->c, at, (size_t)s->lags, 1.8f, 0, b->p->strong);
    for (int64_t d = 0; s->lags <= FEW && d < s->lags; d++)
        es_canvas_discs(b->c, &(es_disc){at[d].x, at[d].y, 2.6f, b->p->strong, ES_NO_ID}, 1);
    free(at);
    es_canvas_clip(b->c, outside);
}

void es_series_draw(es_viewer *v, const es_series *s, es_canvas *c, es_box area,
                    es_series_picture *p)
{
    const brush b = {v, s, c, es_viewer_palette(v), es_viewer_em(v)};
    *p = (es_series_picture){0};
    caption_curve(&b, &area);
    arrange(p, area, b.em);
    if (p->main.w > 2 * b.em && p->main.h > 2 * b.em)
        draw_curve(&b, p);
    if (p->strips.w > 0)
        draw_strips(&b, p);
    if (p->apart.w > 0)
        draw_apart(&b, p);
}
