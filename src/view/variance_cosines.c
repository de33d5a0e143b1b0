// SPDX-License-Identifier: GPL-3.0-or-later
/* The cone: cosines of pairs of rows before and after the mean is taken off (Mu and Viswanath, "All-but-the-top",
 * ICLR 2018; Ethayarajh, EMNLP 2019). */
#include <math.h>

#include "session/numbers.h"
#include "view/variance.h"

enum { BEFORE, AFTER, RANDOM, N_KINDS };

static double round_out(double x, bool up)
{
    double tenths = up ? ceil(10 * x - 1e-9) : floor(10 * x + 1e-9);
    return fmax(-1, fmin(1, tenths / 10));
}

/* What all of them take up, in tenths. */
static void find_ends(const es_variance *of, double *low, double *high)
{
    const es_summary *range[N_KINDS] = {&of->before, &of->after, &of->random};
    double least = 0, most = 0;
    for (int k = 0; k < N_KINDS; k++) {
        if (!range[k]->n)
            continue;
        least = fmin(least, range[k]->least);
        most = fmax(most, range[k]->most);
    }
    *low = round_out(least, false);
    *high = round_out(most, true);
    if (*high - *low < 0.2) {
        *low = fmax(-1, *low - 0.1);
        *high = fmin(1, *high + 0.1);
    }
}

static void fill(const es_variance_brush *b, es_variance_panel *panel, double low, double high)
{
    const es_spread *s = &b->v->atlas->spread, *random = &b->v->atlas->random;
    for (int k = 0; k < N_KINDS; k++)
        panel->bins[k] = es_variance_bins(low, high, panel->box.w - 4 * b->em);
    es_bins_fill(&panel->bins[BEFORE], s->before, s->n_pairs, 1);
    es_bins_fill(&panel->bins[AFTER], s->after, s->n_pairs, 1);
    es_bins_fill(&panel->bins[RANDOM], random->after, random->n_pairs, 1);
}

static void add_entry(const es_variance_brush *b, es_legend *legend, es_sample sample,
                      es_argb colour, const char *what, const es_summary *r)
{
    es_str *says = es_legend_add(legend, sample, colour);
    es_str_cat(says, what);
    if (r->n)
        es_str_add(says, ", mean %.2f", fabs(r->mean) < 0.005 ? 0 : r->mean);
    else
        es_str_cat(says, ": none has a direction");
    (void)b;
}

static void draw_upright(const es_variance_brush *b, const es_chart *chart, double at, float width,
                         float dash, es_argb colour)
{
    if (at < chart->x_low || at > chart->x_high)
        return;
    const es_spot line[] = {es_chart_spot(chart, at, 0), es_chart_spot(chart, at, chart->y_high)};
    es_canvas_line(b->c, line, 2, width, dash, colour);
}

/* Where chance ends; its name stands beside it, on the side that has more room. */
static void draw_floor(const es_variance_brush *b, const es_chart *chart)
{
    const es_ink ink = {.size = b->em, .colour = b->p->ink};
    double at = b->of->floor;
    if (!(at >= chart->x_low) || !(at <= chart->x_high) || chart->inside.h < 4 * b->em)
        return;
    es_str says = {0};
    draw_upright(b, chart, at, 1.5f, 2, b->p->strong);
    es_str_add(&says, "noise floor %.2f", at);
    float x = es_chart_spot(chart, at, 0).x, right = chart->inside.x + chart->inside.w - x;
    bool left = right < es_canvas_width(b->c, says.s, says.len, &ink) + b->em;
    es_canvas_fit(b->c, x + (left ? -0.4f : 0.4f) * b->em, chart->inside.y + 0.9f * b->em,
                  left ? x - chart->inside.x : right, left, says.s, &ink);
    es_str_free(&says);
}

void es_variance_cosines(const es_variance_brush *b, es_variance_panel *panel)
{
    const es_variance *of = b->of;
    es_box area = panel->box;
    es_legend legend = {0};
    double low, high;
    if (!of->before.n && !of->after.n) {
        es_variance_say(b, area, "A cosine is of two rows with a direction, and there are none.");
        return;
    }
    add_entry(b, &legend, ES_SAMPLE_AREA, es_fade(b->p->second, 0.75f), "as they are", &of->before);
    add_entry(b, &legend, ES_SAMPLE_LINE, b->table, "mean taken off", &of->after);
    add_entry(b, &legend, ES_SAMPLE_DASHES, b->random, "random rows", &of->random);
    es_legend_draw(&legend, b->c, &area, b->p, b->em);
    find_ends(of, &low, &high);
    fill(b, panel, low, high);
    double most = 0;
    for (int k = 0; k < N_KINDS; k++)
        most = fmax(most, es_bins_most(&panel->bins[k]));
    es_chart *chart = &panel->chart[0];
    *chart = (es_chart){.x_low = low,
                        .x_high = high,
                        .y_high = 1.15 * most,
                        .x_name = "cosine",
                        .y_name = "% of the pairs"};
    es_chart_draw(chart, b->c, area, b->p, b->em);
    panel->n = 1;
    es_bins_draw(&panel->bins[BEFORE], chart, false, b->c, es_fade(b->p->second, 0.55f));
    es_bins_outline(&panel->bins[RANDOM], chart, false, b->c, 1.5f, 4, b->random);
    es_bins_outline(&panel->bins[AFTER], chart, false, b->c, 2, 0, b->table);
    draw_floor(b, chart);
}

bool es_variance_pick_cosine(es_viewer *v, const es_variance_panel *panel, es_spot at, es_pick *out)
{
    const es_bins *bins = panel->bins;
    es_bin bin;
    (void)v;
    if (!es_bins_pick(bins, &panel->chart[0], false, at, &bin))
        return false;
    out->mark = bin.strip;
    out->value = bins[BEFORE].percent[bin.k];
    es_str_add(&out->what,
               "cosine from %.3f to %.3f: %.2f %% of the pairs as they are, %.2f %% with the mean "
               "taken off, %.2f %% of random rows",
               bin.from, bin.to, bins[BEFORE].percent[bin.k], bins[AFTER].percent[bin.k],
               bins[RANDOM].percent[bin.k]);
    return true;
}
