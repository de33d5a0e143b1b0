// SPDX-License-Identifier: GPL-3.0-or-later
/* How far rows are from the mean, and who is at either end. */
#include <inttypes.h>
#include <math.h>

#include "session/numbers.h"
#include "view/variance.h"
#include "view/words.h"

enum { ROWS, RANDOM, FEW_ENDS = 2 };
#define LIST_WIDTH 19 /* ems */

static double distance(const es_viewer *v, int32_t id)
{
    return (double)v->atlas->spread.distance[id];
}

/* On the edge of the histogram, so that its name has room above. */
static es_spot spot_of(const es_viewer *v, const es_variance_panel *panel, int32_t id)
{
    const es_bins *bins = &panel->bins[ROWS];
    double far = fmin(distance(v, id), bins->high);
    int k = es_bins_at(bins, far);
    return es_chart_spot(&panel->chart[0], far, k < 0 ? 0 : bins->percent[k]);
}

/* ---- names in the chart ---- */

static int n_ends(const es_variance *of)
{
    return of->n_ends < FEW_ENDS ? of->n_ends : FEW_ENDS;
}

static void tag(const es_variance_brush *b, es_tags *tags, const es_variance_panel *panel,
                int32_t id, es_argb colour)
{
    es_tag *tag = es_tags_add(tags, spot_of(b->v, panel, id), colour, 3.5f, true);
    es_scene_token(&tag->text, b->v->atlas->context, id, 24);
}

/* Whose disc the one before it would cover leaves the room to that one's name. */
static void tag_ends(const es_variance_brush *b, es_tags *tags, const es_variance_panel *panel,
                     const int32_t *id)
{
    for (int k = 0; k < n_ends(b->of); k++) {
        float x = spot_of(b->v, panel, id[k]).x, before = k ? spot_of(b->v, panel, id[k - 1]).x : 0;
        if (!k || fabsf(x - before) > b->em)
            tag(b, tags, panel, id[k], b->p->strong);
    }
}

static void tag_all(const es_variance_brush *b, const es_variance_panel *panel)
{
    const es_variance *of = b->of;
    es_tags tags = {.reach = 4 * b->em}; /* over the bars there is room */
    tag_ends(b, &tags, panel, of->near);
    tag_ends(b, &tags, panel, of->far);
    for (int k = 0; k < of->n_odd && k < (panel->large ? of->n_odd : FEW_ENDS); k++)
        tag(b, &tags, panel, of->odd[k], b->p->second);
    es_tags_draw(&tags, b->c, panel->chart[0].inside, b->p, b->em);
}

/* ---- a list beside it ---- */

static bool list_heading(const es_variance_brush *b, es_box *area, const char *text)
{
    const es_ink ink = {.size = b->em, .colour = b->p->ink, .bold = true};
    if (area->h < 2 * ES_LEADING * b->em)
        return false;
    es_box line = es_box_cut_top(area, ES_LEADING * b->em);
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, text, &ink);
    return true;
}

/* All numbers of the list have as many, so that their points stand below each other: three digits of the least. */
static int decimals(const es_variance *of)
{
    enum { DIGITS = 3, MOST = 9 };
    double least = of->distance.least;
    int n = least > 0 ? DIGITS - 1 - (int)floor(log10(least)) : DIGITS;
    return n < 0 ? 0 : n > MOST ? MOST : n;
}

static void list_token(const es_variance_brush *b, es_box *area, int32_t id)
{
    const es_ink name = {.size = b->em, .colour = b->p->ink},
                 number = {.size = b->em, .colour = b->p->dim};
    if (area->h < ES_LEADING * b->em)
        return;
    es_box line = es_box_cut_top(area, ES_LEADING * b->em),
           right = es_box_cut_right(&line, 5 * b->em);
    es_str text = {0};
    es_scene_token(&text, b->v->atlas->context, id, 24);
    es_canvas_fit(b->c, line.x, line.y + line.h / 2, line.w, 0, es_str_text(&text), &name);
    es_str_free(&text);
    es_str_add(&text, "%.*f", decimals(b->of), distance(b->v, id));
    es_canvas_fit(b->c, right.x + right.w, right.y + right.h / 2, right.w, 1, text.s, &number);
    es_str_free(&text);
}

static void list(const es_variance_brush *b, es_box area)
{
    const es_variance *of = b->of;
    const struct {
        const char *name;
        const int32_t *id;
        int n;
    } part[] = {{"nearest to the mean", of->near, of->n_ends},
                {"farthest from it", of->far, of->n_ends},
                {"glitch tokens of GPT-2", of->odd, of->n_odd}};
    for (int i = 0; i < 3; i++) {
        if (!part[i].n || !list_heading(b, &area, part[i].name))
            continue;
        for (int k = 0; k < part[i].n; k++)
            list_token(b, &area, part[i].id[k]);
        es_box_cut_top(&area, 0.6f * b->em);
    }
}

/* ---- the panel ---- */

static void draw_legend(const es_variance_brush *b, es_box *area)
{
    es_legend legend = {0};
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_AREA, es_fade(b->table, 0.7f)), "wte");
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_DASHES, b->random),
               "random rows of the same spread");
    if (b->of->n_odd)
        es_str_cat(es_legend_add(&legend, ES_SAMPLE_DISC, b->p->second), "glitch tokens of GPT-2");
    es_legend_draw(&legend, b->c, area, b->p, b->em);
}

static void say_beyond(const es_variance_brush *b, const es_bins *bins, es_box *area)
{
    es_str words = {0};
    if (!bins->above)
        return;
    es_show_count(&words, bins->above);
    es_str_add(&words, " row%s farther than %.3g, up to %.3g: named at the edge.",
               bins->above == 1 ? " is" : "s are", bins->high, b->of->distance.most);
    es_variance_words(b, area, words.s);
    es_str_free(&words);
}

static void fill(const es_variance_brush *b, es_variance_panel *panel, float room)
{
    const es_variance *of = b->of;
    const es_atlas *a = b->v->atlas;
    double most = fmax(of->distance.most, of->random_distance.most * of->sd),
           least = fmin(of->distance.least, of->random_distance.least * of->sd),
           end = es_variance_end(most, fmax(of->far_end, of->random_distance.mean * of->sd)),
           margin = 0.02 * (end - least);
    if (!(margin > 0)) /* all rows are as far: one bar in the middle */
        margin = end / 2;
    panel->bins[ROWS] = panel->bins[RANDOM] =
        es_variance_bins(fmax(0, least - margin), end + margin, room);
    es_bins_fill(&panel->bins[ROWS], a->spread.distance, a->spread.n, 1);
    es_bins_fill(&panel->bins[RANDOM], a->random.distance, a->random.n, of->sd);
}

void es_variance_outliers(const es_variance_brush *b, es_variance_panel *panel)
{
    es_box area = panel->box, side = {0};
    if (!b->of->distance.n) {
        es_variance_say(b, area, "No row is finite: there is no distance to show.");
        return;
    }
    if (panel->large && area.w >= 50 * b->em) {
        side = es_box_cut_right(&area, LIST_WIDTH * b->em);
        es_box_cut_right(&area, 1.5f * b->em);
    }
    fill(b, panel, area.w - 4 * b->em);
    draw_legend(b, &area);
    say_beyond(b, &panel->bins[ROWS], &area);
    double most = fmax(es_bins_most(&panel->bins[ROWS]), es_bins_most(&panel->bins[RANDOM]));
    es_chart *chart = &panel->chart[0];
    *chart = (es_chart){.x_low = panel->bins[ROWS].low,
                        .x_high = panel->bins[ROWS].high,
                        .y_high = 1.2 * most,
                        .x_name = "distance from the mean",
                        .y_name = "% of rows"};
    es_chart_draw(chart, b->c, area, b->p, b->em);
    panel->n = 1;
    es_bins_draw(&panel->bins[ROWS], chart, false, b->c, es_fade(b->table, 0.55f));
    es_bins_outline(&panel->bins[RANDOM], chart, false, b->c, 1.5f, 4, b->random);
    tag_all(b, panel);
    if (side.w > 0)
        list(b, side);
}

/* ---- under the pointer ---- */

/* The named token at a spot; -1: none. */
static int32_t named_at(es_viewer *v, const es_variance_panel *panel, es_spot at)
{
    const es_variance *of = es_variance_of(v);
    float em = es_viewer_em(v);
    const struct {
        const int32_t *id;
        int n;
    } all[] = {{of->odd, panel->large ? of->n_odd : (of->n_odd < FEW_ENDS ? of->n_odd : FEW_ENDS)},
               {of->near, n_ends(of)},
               {of->far, n_ends(of)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < all[i].n; k++) {
            es_spot is = spot_of(v, panel, all[i].id[k]);
            if (hypotf(is.x - at.x, is.y - at.y) < em / 2)
                return all[i].id[k];
        }
    return -1;
}

static void pick_token(es_viewer *v, const es_variance_panel *panel, int32_t id, es_pick *out)
{
    es_spot is = spot_of(v, panel, id);
    float em = es_viewer_em(v);
    out->id = id;
    out->value = distance(v, id);
    out->mark = (es_box){is.x - em / 2, is.y - em / 2, em, em};
    es_scene_token(&out->what, v->atlas->context, id, 24);
    es_str_add(&out->what, " (id %" PRId32 "): %.4g from the mean", id, out->value);
    es_str_add(&out->statement, "(wte.weight[%" PRId32 "] - wte.weight.mean(0)).norm()", id);
}

bool es_variance_pick_outlier(es_viewer *v, const es_variance_panel *panel, es_spot at,
                              es_pick *out)
{
    const es_chart *chart = &panel->chart[0];
    const es_bins *bins = panel->bins;
    es_bin bin;
    int32_t id = es_box_has(chart->inside, at.x, at.y) ? named_at(v, panel, at) : -1;
    if (id >= 0) {
        pick_token(v, panel, id, out);
        return true;
    }
    if (!es_bins_pick(bins, chart, false, at, &bin))
        return false;
    out->mark = bin.strip;
    out->value = bins[ROWS].percent[bin.k];
    es_str_add(&out->what,
               "from %.3g to %.3g from the mean: %.2f %% of rows, %.2f %% of random rows", bin.from,
               bin.to, bins[ROWS].percent[bin.k], bins[RANDOM].percent[bin.k]);
    return true;
}
