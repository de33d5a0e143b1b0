// SPDX-License-Identifier: GPL-3.0-or-later
/* All pairs as arrows, and how their directions agree. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/pairs.h"

/* In ems. */
#define GAP  1.5f
#define WIDE 44.0f /* from here on the cosines stand beside the arrows, */
#define HIGH 28.0f /* or below them */

enum { NAMED = 60, TOKEN_COLUMNS = 14, MOST_AXES = 3 };

/* What all of it is drawn with. */
typedef struct brush {
    es_viewer *v;
    const es_pairs *p;
    es_canvas *c;
    const es_palette *palette;
    float em;
    es_pairs_picture *to;
} brush;

typedef struct arrow {
    es_spot from, to;
} arrow;

/* ---- arrows ---- */

static es_spot spot_of(const brush *b, int32_t id)
{
    float at[3];
    es_pairs_place(b->v, b->p, id, at);
    return es_lens_spot(&b->to->lens, at, NULL);
}

static arrow arrow_of(const brush *b, int64_t i)
{
    return (arrow){spot_of(b, b->p->without[i]), spot_of(b, b->p->with[i])};
}

/* How many of the best known words have an arrow of their own: as many as there is room for. */
static int64_t n_named(const brush *b)
{
    int64_t some = (int64_t)(b->to->main.w * b->to->main.h / (60 * b->em * b->em));
    some = some < NAMED ? some : NAMED;
    return some < b->p->n_known ? some : b->p->n_known;
}

static es_extent extent_of(const brush *b, bool solid)
{
    const es_pairs *p = b->p;
    float *at = es_alloc_array((size_t)p->n * 2 + 1, 3 * sizeof *at);
    for (int64_t i = 0; i < p->n; i++) {
        es_pairs_place(b->v, p, p->without[i], at + 6 * i);
        es_pairs_place(b->v, p, p->with[i], at + 6 * i + 3);
    }
    es_extent e = es_extent_of(at, 2 * p->n, 3, solid);
    for (int64_t k = 0; k < n_named(b) && !solid; k++) /* a named arrow is seen from end to end */
        for (int side = 0; side < 2; side++) {
            const float *end = at + 6 * p->known[k] + 3 * side;
            es_extent_include(&e, (double)end[0], (double)end[1]);
        }
    free(at);
    return e;
}

/* From where tokens are on average to where they are with a space. */
static arrow mean_arrow(const brush *b)
{
    float from[3] = {0}, to[3] = {0}, at[3];
    for (int64_t i = 0; i < b->p->n; i++)
        for (int side = 0; side < 2; side++) {
            es_pairs_place(b->v, b->p, side ? b->p->with[i] : b->p->without[i], at);
            for (int k = 0; k < 3; k++)
                (side ? to : from)[k] += at[k] / (float)b->p->n;
        }
    return (arrow){es_lens_spot(&b->to->lens, from, NULL), es_lens_spot(&b->to->lens, to, NULL)};
}

static void draw_all(const brush *b)
{
    float opacity = b->p->n > 2000 ? 0.07f : b->p->n > 200 ? 0.25f : 0.6f;
    for (int64_t i = 0; i < b->p->n; i++) {
        arrow a = arrow_of(b, i);
        const es_spot line[] = {a.from, a.to};
        es_canvas_line(b->c, line, 2, 0.8f, 0, es_fade(b->palette->dim, opacity));
    }
}

static void name_token(const brush *b, int32_t id, es_str *out)
{
    es_scene_token(out, b->v->atlas->context, id, TOKEN_COLUMNS);
}

/* The best known words: an arrow with a head each, named at its tail. */
static void draw_known(const brush *b, es_tags *tags, int64_t focus)
{
    const es_pairs *p = b->p;
    for (int64_t k = 0; k < n_named(b); k++) {
        int64_t i = p->known[k];
        arrow a = arrow_of(b, i);
        if (i == focus || !es_box_has(b->to->main, a.from.x, a.from.y))
            continue;
        es_canvas_arrow(b->c, a.from, a.to, 1.2f, es_fade(b->palette->ink, 0.75f));
        name_token(b, p->without[i], &es_tags_add(tags, a.from, b->palette->ink, 2, false)->text);
    }
}

static void draw_strong(const brush *b, es_tags *tags, int64_t focus)
{
    arrow mean = mean_arrow(b);
    es_canvas_arrow(b->c, mean.from, mean.to, 3, b->palette->second);
    if (focus >= 0) {
        arrow a = arrow_of(b, focus);
        es_canvas_arrow(b->c, a.from, a.to, 2.4f, b->palette->strong);
        name_token(b, b->p->without[focus],
                   &es_tags_add(tags, a.from, b->palette->strong, 3.5f, true)->text);
        name_token(b, b->p->with[focus],
                   &es_tags_add(tags, a.to, b->palette->strong, 0, true)->text);
    }
    es_str_cat(&es_tags_add(tags, mean.from, b->palette->second, 3.5f, true)->text, "mean");
}

static void draw_arrows(const brush *b)
{
    static const char *const axis[MOST_AXES] = {"1", "2", "3"};
    es_camera camera = es_viewer_camera(b->v);
    int64_t focus = es_pairs_focus(b->v, b->p);
    es_tags strong = {.keep = es_axes_box(b->to->main, b->em)};
    b->to->extent = extent_of(b, camera.solid);
    b->to->lens = es_lens_of(&camera, &b->to->extent, b->to->main);
    b->to->drawn = true;
    es_box outside = es_canvas_clip(b->c, es_box_meet(b->c->inside, b->to->main));
    draw_all(b);
    es_tags known = {0};
    draw_known(b, &known, focus);
    draw_strong(b, &strong, focus);
    for (size_t i = 0; i < known.n; i++) { /* the strong ones first, then these */
        es_tag *tag = es_tags_add(&strong, known.of[i].at, known.of[i].colour, 2, false);
        tag->text = known.of[i].text;
    }
    free(known.of);
    es_axes_draw(b->c, b->to->main, &b->to->lens, axis, es_pairs_shown(b->v, b->p), b->palette,
                 b->em);
    es_tags_draw(&strong, b->c, b->to->main, b->palette, b->em);
    es_canvas_clip(b->c, outside);
    es_pairs_tell_axes(b->v, b->p);
}

static void caption_arrows(const brush *b, es_box *area)
{
    es_str whole = {0}, brief = {0};
    int axes = es_pairs_shown(b->v, b->p);
    es_show_count(&brief, b->p->n);
    es_str_cat(&brief, " pairs");
    es_str_add(&whole,
               "%s: from a token to the same with a space before it, along the map's components 1",
               brief.s);
    for (int k = 1; k < axes; k++)
        es_str_add(&whole, ", %d", k + 1);
    es_caption(b->c, area, whole.s, brief.s, b->palette, b->em);
    es_str_free(&whole);
    es_str_free(&brief);
}

/* ---- cosines ---- */

static int64_t tallest(const es_pairs *p)
{
    int64_t most = 1;
    for (int i = 0; i < ES_PAIR_BINS; i++) {
        most = p->bin[i] > most ? p->bin[i] : most;
        most = p->lot_bin[i] > most ? p->lot_bin[i] : most;
    }
    return most;
}

static double edge_of(int bin)
{
    return 2.0 * bin / ES_PAIR_BINS - 1;
}

/* Pairs filled, by lot as an outline. */
static void draw_bins(const brush *b, const es_chart *chart)
{
    es_spot step[2 * ES_PAIR_BINS + 2];
    size_t n = 0;
    float foot = chart->inside.y + chart->inside.h;
    step[n++] = es_chart_spot(chart, -1, 0);
    for (int i = 0; i < ES_PAIR_BINS; i++) {
        es_spot from = es_chart_spot(chart, edge_of(i), (double)b->p->bin[i]),
                to = es_chart_spot(chart, edge_of(i + 1), 0);
        float left = roundf(from.x), w = roundf(to.x) - left;
        es_canvas_fill(b->c, (es_box){left, from.y, w > 2 ? w - 1 : w, foot - from.y},
                       es_fade(b->palette->second, 0.55f));
        step[n++] = es_chart_spot(chart, edge_of(i), (double)b->p->lot_bin[i]);
        step[n++] = es_chart_spot(chart, edge_of(i + 1), (double)b->p->lot_bin[i]);
    }
    step[n++] = es_chart_spot(chart, 1, 0);
    es_canvas_line(b->c, step, n, 1.4f, 0, b->palette->ink);
}

/* A line upright at a cosine, and its name in a line of text of its own. */
typedef struct mark {
    double at; /* NaN: there is none */
    float dash;
    es_argb colour;
    es_str name;
} mark;
enum { MOST_MARKS = 3 };

static void name_mark(const brush *b, const es_chart *chart, const mark *m, int line)
{
    const es_ink ink = {.size = b->em, .colour = b->palette->ink};
    const es_box *in = &chart->inside;
    float x = es_chart_spot(chart, m->at, 0).x, y = in->y + ((float)line + 0.8f) * 1.4f * b->em;
    es_str text = {0};
    es_str_add(&text, "%s %.2f", m->name.s, fabs(m->at) < 0.005 ? 0 : m->at);
    float w = es_canvas_width(b->c, text.s, text.len, &ink), gap = 0.5f * b->em;
    float left = x - w - gap > in->x ? x - w - gap : x + gap;
    es_canvas_fill(b->c, (es_box){left - 2, y - 0.65f * b->em, w + 4, 1.3f * b->em},
                   es_fade(b->palette->ground, 0.85f));
    es_canvas_text(b->c, left, y, text.s, text.len, &ink);
    es_str_free(&text);
}

static void draw_marks(const brush *b, const es_chart *chart, const mark *m)
{
    const es_box *in = &chart->inside;
    for (int i = 0; i < MOST_MARKS; i++) {
        float x = isnan(m[i].at) ? NAN : es_chart_spot(chart, m[i].at, 0).x;
        es_canvas_line(b->c, (const es_spot[]){{x, in->y}, {x, in->y + in->h}}, 2, 1.6f, m[i].dash,
                       m[i].colour);
    }
    for (int i = 0; i < MOST_MARKS; i++)
        if (!isnan(m[i].at))
            name_mark(b, chart, &m[i], i);
}

/* The means, and the pair in focus. */
static void mark_cosines(const brush *b, const es_chart *chart)
{
    const es_pairs *p = b->p;
    int64_t focus = es_pairs_focus(b->v, p);
    mark m[MOST_MARKS] = {{.at = p->mean, .colour = b->palette->second},
                          {.at = p->lot_mean, .dash = 4, .colour = b->palette->ink},
                          {.at = NAN, .colour = b->palette->strong}};
    es_str_cat(&m[0].name, "mean");
    es_str_cat(&m[1].name, "by lot");
    if (focus >= 0) {
        m[2].at = (double)p->cosine[focus];
        name_token(b, p->without[focus], &m[2].name);
    }
    draw_marks(b, chart, m);
    for (int i = 0; i < MOST_MARKS; i++)
        es_str_free(&m[i].name);
}

/* A sample of the drawing and what it stands for. */
static void draw_key(const brush *b, es_box line, bool filled, const char *says)
{
    const es_ink ink = {.size = b->em, .colour = b->palette->dim};
    es_box sample = {line.x, line.y + line.h / 2 - 0.4f * b->em, 1.4f * b->em, 0.8f * b->em};
    if (filled)
        es_canvas_fill(b->c, sample, es_fade(b->palette->second, 0.55f));
    else
        es_canvas_edge(b->c, sample, 1.4f, b->palette->ink);
    es_box_cut_left(&line, 2 * b->em);
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, says, &ink);
}

static void draw_cosines(const brush *b)
{
    const es_pairs *p = b->p;
    es_box area = b->to->cosines;
    float line = es_canvas_lines(b->c, 1.4f * b->em);
    es_caption(b->c, &area, "cosine of each difference with their mean",
               "cosine with the mean difference", b->palette, b->em);
    draw_key(b, es_box_cut_top(&area, line), true, "a token and the same with a space");
    draw_key(b, es_box_cut_top(&area, line), false, "a token and another with a space, by lot");
    b->to->chart = (es_chart){.x_low = -1,
                              .x_high = 1,
                              .y_high = 1.05 * (double)tallest(p),
                              .x_name = "cosine",
                              .y_name = "pairs",
                              .y_whole = true};
    es_chart *chart = &b->to->chart;
    es_chart_draw(chart, b->c, area, b->palette, b->em);
    if (chart->inside.w <= 0 || chart->inside.h <= 0)
        return;
    es_box outside = es_canvas_clip(b->c, es_box_meet(b->c->inside, chart->inside));
    draw_bins(b, chart);
    mark_cosines(b, chart);
    es_canvas_clip(b->c, outside);
}

/* ---- all of it ---- */

void es_pairs_draw(es_viewer *v, const es_pairs *p, es_canvas *c, es_box area, es_pairs_picture *to)
{
    const brush b = {v, p, c, es_viewer_palette(v), es_viewer_em(v), to};
    *to = (es_pairs_picture){0};
    caption_arrows(&b, &area);
    to->main = area;
    if (area.w >= WIDE * b.em && area.h >= 14 * b.em) {
        to->cosines = es_box_cut_right(&to->main, 0.38f * area.w);
        es_box_cut_right(&to->main, GAP * b.em);
    } else if (area.h >= HIGH * b.em) {
        to->cosines = es_box_cut_bottom(&to->main, 0.5f * area.h);
        es_box_cut_bottom(&to->main, 0.6f * b.em);
    }
    if (to->main.w > 2 * b.em && to->main.h > 2 * b.em)
        draw_arrows(&b);
    if (to->cosines.w > 0)
        draw_cosines(&b);
}

/* ---- the pointer ---- */

/* How far a spot is from an arrow. */
static float far_from(es_spot at, const arrow *a)
{
    float x = a->to.x - a->from.x, y = a->to.y - a->from.y, square = x * x + y * y;
    float part = square > 0 ? ((at.x - a->from.x) * x + (at.y - a->from.y) * y) / square : 0;
    part = fmaxf(0, fminf(part, 1));
    return hypotf(a->from.x + part * x - at.x, a->from.y + part * y - at.y);
}

static bool pick_arrow(const brush *b, es_spot at, es_pick *out)
{
    const es_pairs *p = b->p;
    int64_t best = -1;
    float least = b->em / 2;
    for (int64_t i = 0; i < p->n; i++) {
        arrow a = arrow_of(b, i);
        float far = far_from(at, &a);
        if (far < least) {
            least = far;
            best = i;
        }
    }
    if (best < 0)
        return false;
    arrow a = arrow_of(b, best);
    out->id = p->with[best];
    out->value = (double)p->cosine[best];
    out->mark = (es_box){a.to.x - b->em / 2, a.to.y - b->em / 2, b->em, b->em};
    name_token(b, p->without[best], &out->what);
    es_str_cat(&out->what, " to ");
    name_token(b, p->with[best], &out->what);
    es_str_add(&out->what, ", cosine with the mean difference: %.4f", out->value);
    es_str_add(&out->statement,
               "F.cosine_similarity(wte.weight[%" PRId32 "] - wte.weight[%" PRId32
               "], axes[-1], dim=0)",
               p->with[best], p->without[best]);
    return true;
}

static bool pick_bin(const brush *b, es_spot at, es_pick *out)
{
    const es_chart *chart = &b->to->chart;
    if (!es_box_has(chart->inside, at.x, at.y))
        return false;
    double cosine, pairs;
    es_chart_point(chart, at, &cosine, &pairs);
    int bin = es_pairs_bin((float)cosine);
    es_spot from = es_chart_spot(chart, edge_of(bin), chart->y_high),
            to = es_chart_spot(chart, edge_of(bin + 1), 0);
    out->value = (double)b->p->bin[bin];
    out->mark = (es_box){from.x, from.y, to.x - from.x, to.y - from.y};
    es_str_add(&out->what, "cosine from %.2f to %.2f: ", edge_of(bin), edge_of(bin + 1));
    es_show_count(&out->what, b->p->bin[bin]);
    es_str_cat(&out->what, " pairs, by lot ");
    es_show_count(&out->what, b->p->lot_bin[bin]);
    return true;
}

bool es_pairs_pick(const es_viewer *v, const es_pairs *p, const es_pairs_picture *in, es_spot at,
                   es_pick *out)
{
    const brush b = {(es_viewer *)v, p, NULL, NULL, es_viewer_em(v), (es_pairs_picture *)in};
    if (in->drawn && es_box_has(in->main, at.x, at.y))
        return pick_arrow(&b, at, out);
    return in->cosines.w > 0 && es_box_has(in->cosines, at.x, at.y) && pick_bin(&b, at, out);
}
