// SPDX-License-Identifier: GPL-3.0-or-later
/* What share of the spread each component has, and how many of them keep most of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/numbers.h"
#include "view/variance.h"

enum { FEW = 100 }; /* components that are drawn as discs, too */
#define LEAST 1e-6  /* of the largest share: what is less is drawn there */

static double share(const es_viewer *v, int64_t k)
{
    const es_pca *p = &v->atlas->tokens.pca;
    return p->total > 0 ? p->variance[k] / p->total : 0;
}

/* ---- each ---- */

static double height(double part, double most)
{
    return es_on_scale(ES_SCALE_LOG, 100 * fmax(part, LEAST * most));
}

static void find_ends(const es_variance_brush *b, es_chart *chart)
{
    int64_t C = b->v->atlas->tokens.pca.C;
    double most = 0, least = 1;
    for (int64_t k = 0; k < C; k++) {
        most = fmax(most, fmax(share(b->v, k), b->of->law[k]));
        least = fmin(least, fmin(share(b->v, k), b->of->law[k]));
    }
    chart->y_low = height(least, most) - 0.1;
    chart->y_high = height(most, most) + 0.1;
}

/* Those of the map, with their numbers. */
static void mark_shown(const es_variance_brush *b, const es_chart *chart, double most)
{
    es_tags tags = {0};
    int n = es_viewer_components(b->v);
    for (int i = 0; i < n; i++) {
        int k = b->v->component[i];
        if (k >= b->v->atlas->tokens.pca.C)
            continue;
        es_spot at = es_chart_spot(chart, k + 1, height(share(b->v, k), most));
        es_str_add(&es_tags_add(&tags, at, b->p->strong, 4, true)->text, "%d", k + 1);
    }
    es_tags_draw(&tags, b->c, chart->inside, b->p, b->em);
}

static void draw_each(const es_variance_brush *b, es_chart *chart, es_box area)
{
    int64_t C = b->v->atlas->tokens.pca.C;
    *chart = (es_chart){.x_low = C > 1 ? 1 : 0,
                        .x_high = C > 1 ? (double)C : 2,
                        .x_name = "component",
                        .y_name = "% each, log scale",
                        .x_whole = true,
                        .y_scale = ES_SCALE_LOG};
    find_ends(b, chart);
    es_chart_draw(chart, b->c, area, b->p, b->em);
    double most = fmax(share(b->v, 0), b->of->law[0]);
    es_spot *at = es_alloc_array((size_t)C, sizeof *at);
    for (int64_t k = 0; k < C; k++)
        at[k] = es_chart_spot(chart, (double)(k + 1), height(b->of->law[k], most));
    es_canvas_line(b->c, at, (size_t)C, 1.5f, 4, b->random);
    for (int64_t k = 0; k < C; k++)
        at[k] = es_chart_spot(chart, (double)(k + 1), height(share(b->v, k), most));
    es_canvas_line(b->c, at, (size_t)C, 1.8f, 0, b->table);
    for (int64_t k = 0; k < C && C <= FEW; k++)
        es_canvas_discs(b->c, &(es_disc){at[k].x, at[k].y, 2.2f, b->table, ES_NO_ID}, 1);
    free(at);
    mark_shown(b, chart, most);
}

/* ---- together ---- */

static void draw_kept(const es_variance_brush *b, const es_chart *chart)
{
    for (int k = 0; k < 3; k++) {
        double keep = es_variance_keep[k];
        es_spot at = es_chart_spot(chart, (double)b->of->needed[k], keep);
        const es_spot corner[] = {es_chart_spot(chart, 0, keep), at,
                                  es_chart_spot(chart, (double)b->of->needed[k], 0)};
        es_canvas_line(b->c, corner, 3, 1, 2, es_fade(b->p->strong, 0.7f));
        es_canvas_discs(b->c, &(es_disc){at.x, at.y, 3, b->table, ES_NO_ID}, 1);
    }
}

static void draw_together(const es_variance_brush *b, es_chart *chart, es_box area)
{
    int64_t C = b->v->atlas->tokens.pca.C;
    double sum = 0, by_law = 0;
    *chart = (es_chart){.x_high = (double)C,
                        .y_high = 100,
                        .x_name = "components together",
                        .y_name = "% of the spread kept",
                        .x_whole = true};
    es_chart_draw(chart, b->c, area, b->p, b->em);
    es_spot *at = es_alloc_array((size_t)C + 1, 2 * sizeof *at), *law = at + C + 1;
    for (int64_t k = 0; k <= C; k++) {
        at[k] = es_chart_spot(chart, (double)k, fmin(100 * sum, 100));
        law[k] = es_chart_spot(chart, (double)k, fmin(100 * by_law, 100));
        sum += k < C ? share(b->v, k) : 0;
        by_law += k < C ? b->of->law[k] : 0;
    }
    es_canvas_line(b->c, law, (size_t)C + 1, 1.5f, 4, b->random);
    es_canvas_line(b->c, at, (size_t)C + 1, 1.8f, 0, b->table);
    draw_kept(b, chart);
    free(at);
}

/* ---- the panel ---- */

/* "Of 64 components 12 keep 50 %, 46 keep 90 %, 61 keep 99 % (of random rows 32, 57, 64)." */
static void say_needed(const es_variance_brush *b, es_str *out)
{
    const es_variance *of = b->of;
    es_str_cat(out, "Of ");
    es_show_count(out, b->v->atlas->tokens.pca.C);
    for (int k = 0; k < 3; k++) {
        es_str_cat(out, k ? ", " : " components ");
        es_show_count(out, of->needed[k]);
        es_str_add(out, " keep%s %d %%", of->needed[k] == 1 ? "s" : "", es_variance_keep[k]);
    }
    es_str_cat(out, " (of random rows ");
    for (int k = 0; k < 3; k++) {
        es_str_cat(out, k ? ", " : "");
        es_show_count(out, of->law_needed[k]);
    }
    es_str_cat(out, ").");
}

void es_variance_components(const es_variance_brush *b, es_variance_panel *panel)
{
    es_box area = panel->box, half[2];
    es_legend legend = {0};
    es_str words = {0};
    if (!es_variance_any(b->v)) {
        es_variance_say(b, area, "All rows are the same: there is no spread to share.");
        return;
    }
    say_needed(b, &words);
    es_variance_words(b, &area, words.s);
    es_str_free(&words);
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_LINE, b->table), "wte");
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_DASHES, b->random), "random rows");
    es_str_cat(es_legend_add(&legend, ES_SAMPLE_DISC, b->p->strong), "shown by the map");
    es_legend_draw(&legend, b->c, &area, b->p, b->em);
    bool across = area.w >= 28 * b->em, both = across || area.h >= 22 * b->em;
    half[0] = area;
    if (both)
        es_panels_halves(area, across, (across ? 1.5f : 0.5f) * b->em, half);
    panel->n = both ? 2 : 1;
    draw_each(b, &panel->chart[0], half[0]);
    if (both)
        draw_together(b, &panel->chart[1], half[1]);
}

/* ---- under the pointer ---- */

bool es_variance_pick_component(es_viewer *v, const es_variance_panel *panel, es_spot at,
                                es_pick *out)
{
    int64_t C = v->atlas->tokens.pca.C;
    const es_variance *of = es_variance_of(v);
    double sum = 0, by_law = 0;
    int i = 0;
    while (i < panel->n && !es_box_has(panel->chart[i].inside, at.x, at.y))
        i++;
    if (i == panel->n)
        return false;
    const es_chart *chart = &panel->chart[i];
    double at_x, at_y;
    es_chart_point(chart, at, &at_x, &at_y);
    int64_t k = (int64_t)llround(at_x);
    k = k < 1 ? 1 : k > C ? C : k;
    for (int64_t c = 0; c < k; c++) {
        sum += share(v, c);
        by_law += of->law[c];
    }
    float x = es_chart_spot(chart, (double)k, chart->y_low).x, em = es_viewer_em(v);
    out->value = share(v, k - 1);
    out->mark = (es_box){x - em / 4, chart->inside.y, em / 2, chart->inside.h};
    es_str_add(&out->what,
               "component %" PRId64 ": %.3g %% of the spread, of random rows %.3g %%; the first "
               "%" PRId64 " together %.1f %%, of random rows %.1f %%",
               k, 100 * out->value, 100 * of->law[k - 1], k, 100 * sum, 100 * by_law);
    return true;
}
