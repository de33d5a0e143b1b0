// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <math.h>

#include "layer/cosine.h"
#include "view/heat.h"
#include "view/positions.h"

/* What is pointed at, and how large the letters are: fingers are no finer. */
typedef struct pointing {
    const es_panel *panel;
    es_spot at;
    float em;
} pointing;

/* A spot as a small box around it; nothing around one that is not there. */
static es_box around(float x, float y, float em)
{
    if (isnan(y))
        return (es_box){0};
    return (es_box){x - em / 2, y - em / 2, em, em};
}

static int64_t place_of(const es_places *of, int64_t i)
{
    return i * of->stride;
}

/* Which of `count` numbers along the chart is nearest. */
static int64_t along_chart(const es_panel *panel, float x, int64_t count)
{
    const es_box *in = &panel->chart.inside;
    double part = in->w > 0 ? (double)((x - in->x) / in->w) : 0;
    int64_t i = (int64_t)floor(part * (double)(count - 1) + 0.5);
    return i < 0 ? 0 : i < count ? i : count - 1;
}

static bool pick_component(const pointing *q, es_pick *out)
{
    const es_places *of = q->panel->of;
    int64_t i = es_curve_near(&q->panel->curve, q->at, q->em);
    if (i < 0)
        return false;
    es_spot at = es_curve_spot(&q->panel->curve, i);
    out->place = place_of(of, i);
    out->mark = around(at.x, at.y, q->em);
    es_str_add(&out->what, "position %" PRId64 " of %s, along its components:", out->place,
               es_places_name(of));
    for (int k = 0; k < of->K; k++)
        es_str_add(&out->what, " %+.3f", (double)of->at[3 * i + k]);
    if (of->learned)
        es_str_add(&out->statement, "(wpe.weight[%" PRId64 "] - wpe.weight.mean(0)) @ axes.T",
                   out->place);
    return true;
}

static bool pick_strip(const pointing *q, es_pick *out)
{
    const es_panel *panel = q->panel;
    const es_places *of = panel->of;
    int k = 0;
    while (k < panel->n && !es_box_has(es_panel_strip(panel, k), q->at.x, q->at.y))
        k++;
    if (k == panel->n)
        return false;
    bool rows = panel->kind == ES_PANEL_ROWS;
    int64_t there = along_chart(panel, q->at.x, rows ? of->C : of->n);
    int64_t i = rows ? panel->strip[k] : there;
    es_box strip = es_panel_strip(panel, k);
    out->channel = rows ? there : panel->strip[k];
    out->place = place_of(of, i);
    out->value = of->row[i * of->C + out->channel];
    double x = rows ? (double)there : (double)place_of(of, there);
    out->mark = (es_box){es_chart_spot(&panel->chart, x, 0).x - 1.5f, strip.y, 3, strip.h};
    es_str_add(&out->what, "%s at position %" PRId64 ", channel %" PRId64, es_places_name(of),
               out->place, out->channel);
    if (of->learned)
        es_str_add(&out->statement, "wpe.weight[%" PRId64 ", %" PRId64 "]", out->place,
                   out->channel);
    return true;
}

/* A cell is outlined, and something larger where it is smaller than a finger. */
static es_box outline(es_box cell, float em)
{
    float w = fmaxf(cell.w, em / 2), h = fmaxf(cell.h, em / 2);
    return (es_box){cell.x + (cell.w - w) / 2, cell.y + (cell.h - h) / 2, w, h};
}

static bool pick_cosine(const pointing *q, es_pick *out)
{
    const es_places *of = q->panel->of;
    const es_heat heat = {of->cosine, of->n, of->n, of->n, 1};
    es_box in = q->panel->chart.inside;
    int64_t i, j;
    if (!of->cosine || !es_heat_pick(&heat, in, q->at, &i, &j))
        return false;
    out->place = place_of(of, j);
    out->value = es_cosine(of->row + i * of->C, of->row + j * of->C, of->C);
    out->mark = outline(es_heat_cell(&heat, in, i, j), q->em);
    es_str_add(&out->what, "cosine of positions %" PRId64 " and %" PRId64 " of %s", place_of(of, i),
               out->place, es_places_name(of));
    if (of->learned)
        es_str_add(&out->statement,
                   "F.cosine_similarity(wpe.weight[%" PRId64 "], wpe.weight[%" PRId64 "], dim=0)",
                   place_of(of, i), out->place);
    return true;
}

static bool pick_lag(const pointing *q, es_pick *out)
{
    const es_places *of = q->panel->of;
    const es_chart *chart = &q->panel->chart;
    if (!of->cosine || !es_box_has(chart->inside, q->at.x, q->at.y))
        return false;
    int64_t lag = along_chart(q->panel, q->at.x, of->n), apart = place_of(of, lag);
    out->value = of->alike[lag];
    es_spot at = es_chart_spot(chart, (double)apart, out->value);
    out->mark = around(at.x, at.y, q->em);
    es_str_add(&out->what, "mean cosine of rows of %s that are %" PRId64 " apart",
               es_places_name(of), apart);
    if (of->learned && of->stride == 1 && lag)
        es_str_add(&out->statement,
                   "F.cosine_similarity(wpe.weight[:-%" PRId64 "], wpe.weight[%" PRId64
                   ":], dim=1).mean()",
                   lag, lag);
    return true;
}

static bool pick_length(const pointing *q, es_pick *out)
{
    const es_places *of = q->panel->of;
    const es_chart *chart = &q->panel->chart;
    if (!es_box_has(chart->inside, q->at.x, q->at.y))
        return false;
    int64_t i = along_chart(q->panel, q->at.x, of->n);
    out->place = place_of(of, i);
    out->value = of->length[i];
    es_spot at = es_chart_spot(chart, (double)out->place, out->value);
    out->mark = around(at.x, at.y, q->em);
    es_str_add(&out->what, "length of %s at position %" PRId64, es_places_name(of), out->place);
    if (of->learned)
        es_str_add(&out->statement, "wpe.weight[%" PRId64 "].norm()", out->place);
    return true;
}

bool es_panel_pick(const es_panel *panel, es_spot at, float em, es_pick *out)
{
    static bool (*const pick[ES_N_PANEL_KINDS])(const pointing *, es_pick *) = {
        [ES_PANEL_COMPONENTS] = pick_component,
        [ES_PANEL_ROWS] = pick_strip,
        [ES_PANEL_CHANNELS] = pick_strip,
        [ES_PANEL_COSINE] = pick_cosine,
        [ES_PANEL_LAGS] = pick_lag,
        [ES_PANEL_LENGTHS] = pick_length,
    };
    const pointing q = {panel, at, em};
    bool found = pick[panel->kind](&q, out);
    if (found && !isnan(out->value))
        es_str_add(&out->what, ": %.4g", out->value);
    return found;
}
