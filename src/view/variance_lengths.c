// SPDX-License-Identifier: GPL-3.0-or-later
/* The length of every row, by id and by how often its token was seen in training. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/variance.h"

enum { BY_ID, SIDE, BY_COUNT, MANY = 4000, BATCH = 4096 };
/* In ems. */
#define SIDE_WIDTH 6
#define WIDE       26 /* a chart that has room for many words under it */

static double along(const es_viewer *v, int chart, int64_t id)
{
    const int64_t *counts = v->atlas->context->model->counts;
    return chart == BY_COUNT ? es_on_scale(ES_SCALE_LOG1, (double)counts[id]) : (double)id;
}

/* A row beyond the end of the axis is drawn at its end. */
static es_spot spot_of(const es_viewer *v, const es_chart *chart, int which, int64_t id)
{
    double length = (double)v->atlas->spread.length[id];
    return es_chart_spot(chart, along(v, which, id), fmin(length, chart->y_high));
}

static void draw_rows(const es_variance_brush *b, const es_chart *chart, int which)
{
    const es_spread *s = &b->v->atlas->spread;
    bool many = s->n > MANY;
    es_argb colour = es_fade(b->table, many ? 0.4f : 0.9f);
    es_disc *disc = es_alloc_array(BATCH, sizeof *disc);
    size_t n = 0;
    es_box outside = es_canvas_clip(b->c, es_box_meet(b->c->inside, chart->inside));
    for (int64_t id = 0; id < s->n; id++) {
        es_spot at = spot_of(b->v, chart, which, id);
        disc[n++] = (es_disc){at.x, at.y, many ? 0.9f : 2.2f, colour, (int32_t)id};
        if (n < BATCH && id + 1 < s->n)
            continue;
        es_canvas_discs(b->c, disc, n);
        n = 0;
    }
    es_canvas_clip(b->c, outside);
    free(disc);
}

static void draw_medians(const es_variance_brush *b, const es_chart *chart, const es_medians *m)
{
    es_spot at[ES_VARIANCE_STRETCHES];
    size_t n = 0;
    for (int k = 0; k < ES_VARIANCE_STRETCHES; k++) {
        double x = m->low + (m->high - m->low) * (k + 0.5) / ES_VARIANCE_STRETCHES;
        if (!isnan(m->at[k]))
            at[n++] = es_chart_spot(chart, x, fmin((double)m->at[k], chart->y_high));
    }
    es_canvas_line(b->c, at, n, 4, 0, es_fade(b->p->ground, 0.6f));
    es_canvas_line(b->c, at, n, 2, 0, b->p->strong);
}

/* The sentence's tokens, each once. */
static void tag_tokens(const es_variance_brush *b, const es_chart *chart, int which)
{
    const es_scene *scene = &b->v->scene;
    const es_spread *s = &b->v->atlas->spread;
    es_tags tags = {0};
    for (int64_t t = 0; t < scene->T; t++) {
        int32_t id = scene->ids[t];
        bool again = false;
        for (int64_t k = 0; k < t; k++)
            again |= scene->ids[k] == id;
        if (again || id < 0 || id >= s->n || !isfinite(s->length[id]))
            continue;
        es_tag *tag = es_tags_add(&tags, spot_of(b->v, chart, which, id), b->p->second, 3.5f, true);
        es_scene_token(&tag->text, scene->text->context, id, 14);
    }
    es_tags_draw(&tags, b->c, chart->inside, b->p, b->em);
}

static void draw_scatter(const es_variance_brush *b, es_variance_panel *panel, int which,
                         es_box area, double end)
{
    const es_atlas *a = b->v->atlas;
    bool counts = which == BY_COUNT;
    const char *id = area.w < WIDE * b->em ? "id" : "id: the order in which merges were learned";
    es_chart *chart = &panel->chart[which];
    *chart = (es_chart){.x_high = counts ? b->of->by_count.high : (double)(a->spread.n - 1),
                        .y_high = end,
                        .x_name = counts ? "times seen in training" : id,
                        .y_name = "length",
                        .x_whole = !counts,
                        .x_scale = counts ? ES_SCALE_LOG1 : ES_SCALE_EVEN};
    es_chart_draw(chart, b->c, area, b->p, b->em);
    draw_rows(b, chart, which);
    draw_medians(b, chart, counts ? &b->of->by_count : &b->of->by_id);
    tag_tokens(b, chart, which);
}

/* How many rows have which length, beside the chart, on its axis. */
static void draw_side(const es_variance_brush *b, es_variance_panel *panel, const es_chart *beside,
                      es_box area)
{
    const es_atlas *a = b->v->atlas;
    es_bins *rows = &panel->bins[0], *random = &panel->bins[1];
    *rows = *random = es_variance_bins(beside->y_low, beside->y_high, beside->inside.h);
    es_bins_fill(rows, a->spread.length, a->spread.n, 1);
    es_bins_fill(random, a->random.length, a->random.n, b->of->sd);
    es_chart *chart = &panel->chart[SIDE];
    *chart = (es_chart){.x_high = 1.1 * fmax(es_bins_most(rows), es_bins_most(random)),
                        .y_high = beside->y_high,
                        .x_name = "% of rows",
                        .y_name = "",
                        .y_bare = true};
    es_chart_draw(chart, b->c, area, b->p, b->em);
    es_bins_draw(rows, chart, true, b->c, es_fade(b->table, 0.7f));
    es_bins_outline(random, chart, true, b->c, 1.5f, 4, b->random);
}

static void draw_legend(const es_variance_brush *b, es_box *area)
{
    es_legend legend = {0};
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_DISC, b->table), "a row of wte");
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_LINE, b->p->strong), "median");
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_DASHES, b->random),
               "random rows of the same spread");
    es_legend_draw(&legend, b->c, area, b->p, b->em);
}

static void say_beyond(const es_variance_brush *b, double end, es_box *area)
{
    const es_spread *s = &b->v->atlas->spread;
    es_str words = {0};
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++)
        n += (double)s->length[i] > end;
    if (!n)
        return;
    es_show_count(&words, n);
    es_str_add(&words, " row%s longer than %.3g, up to %.3g: drawn at the edge.",
               n == 1 ? " is" : "s are", end, b->of->length.most);
    es_variance_words(b, area, words.s);
    es_str_free(&words);
}

void es_variance_lengths(const es_variance_brush *b, es_variance_panel *panel)
{
    const es_mapped *m = &b->v->atlas->tokens;
    es_box area = panel->box, half[2];
    if (!b->of->length.n) {
        es_variance_say(b, area, "No row is finite: there is no length to show.");
        return;
    }
    double longest = b->of->length.most * 1.03, end = es_variance_end(longest, (double)m->long_end);
    draw_legend(b, &area);
    say_beyond(b, end, &area);
    es_box side = es_box_cut_right(&area, SIDE_WIDTH * b->em);
    es_box_cut_right(&area, b->em);
    bool counts = b->v->atlas->context->model->counts && b->v->atlas->most_seen > 0 && panel->large;
    bool both = counts && area.w >= 44 * b->em;
    half[0] = half[1] = area;
    if (both)
        es_panels_halves(area, true, b->em, half);
    panel->n = ES_VARIANCE_CHARTS;
    panel->chart[BY_ID] = panel->chart[BY_COUNT] = (es_chart){0};
    if (both || !counts)
        draw_scatter(b, panel, BY_ID, half[0], end);
    if (counts)
        draw_scatter(b, panel, BY_COUNT, half[1], end);
    draw_side(b, panel, &panel->chart[counts ? BY_COUNT : BY_ID], side);
}

/* ---- under the pointer ---- */

static bool pick_row(es_viewer *v, const es_chart *chart, int which, es_spot at, es_pick *out)
{
    const es_spread *s = &v->atlas->spread;
    float em = es_viewer_em(v), best = em * em / 2;
    for (int64_t id = 0; id < s->n; id++) {
        es_spot is = spot_of(v, chart, which, id);
        float dx = is.x - at.x, dy = is.y - at.y, far = dx * dx + dy * dy;
        if (!(far < best))
            continue;
        best = far;
        out->id = (int32_t)id;
        out->mark = (es_box){is.x - em / 2, is.y - em / 2, em, em};
    }
    if (out->id < 0)
        return false;
    int64_t count = es_model_count(v->atlas->context->model, out->id);
    out->value = (double)s->length[out->id];
    es_scene_token(&out->what, v->atlas->context, out->id, 24);
    es_str_add(&out->what, " (id %" PRId32 "): length %.4g", out->id, out->value);
    if (count >= 0) {
        es_str_cat(&out->what, ", seen ");
        es_show_count(&out->what, count);
        es_str_cat(&out->what, count == 1 ? " time in training" : " times in training");
    }
    es_str_add(&out->statement, "wte.weight[%" PRId32 "].norm()", out->id);
    return true;
}

static bool pick_bin(const es_variance_panel *panel, es_spot at, es_pick *out)
{
    const es_bins *bins = panel->bins;
    es_bin bin;
    if (!es_bins_pick(bins, &panel->chart[SIDE], true, at, &bin))
        return false;
    out->mark = bin.strip;
    out->value = bins[0].percent[bin.k];
    es_str_add(&out->what, "length from %.3g to %.3g: %.2f %% of rows, %.2f %% of random rows",
               bin.from, bin.to, bins[0].percent[bin.k], bins[1].percent[bin.k]);
    return true;
}

bool es_variance_pick_length(es_viewer *v, const es_variance_panel *panel, es_spot at, es_pick *out)
{
    for (int i = 0; i < panel->n; i++)
        if (es_box_has(panel->chart[i].inside, at.x, at.y))
            return i == SIDE ? pick_bin(panel, at, out) : pick_row(v, &panel->chart[i], i, at, out);
    return false;
}
