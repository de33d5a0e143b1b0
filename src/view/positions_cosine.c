// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/heat.h"
#include "view/positions.h"

/* Make what is inside the chart a square by leaving room unused. */
static es_box squared(es_chart *chart, es_canvas *c, es_box area, float em)
{
    es_chart_measure(chart, c, area, em);
    float more = chart->inside.w - chart->inside.h;
    if (more > 0)
        area.w -= more;
    else
        area.h += more;
    return area;
}

/* The mean of the cells that fall into cell (i, j) of n x n. */
static float mean_of_cells(const es_places *of, int64_t n, int64_t i, int64_t j)
{
    int64_t from = j * of->n / n, to = (j + 1) * of->n / n;
    int64_t first = i * of->n / n, last = (i + 1) * of->n / n, cells = (last - first) * (to - from);
    double sum = 0;
    for (int64_t r = first; r < last; r++)
        for (int64_t k = from; k < to; k++)
            sum += of->cosine[r * of->n + k];
    return (float)(sum / (double)cells);
}

/* Colours enough for a side of `w` on a screen of twice the density; kept, since turning the curve beside them draws
 * them again and again.  NULL: no memory. */
static const es_argb *shrink(const es_brush *b, const es_places *of, float w, int64_t *n)
{
    es_shrunk *s = &es_positions_kept_of(b->v)->shrunk[of->learned ? 0 : 1];
    *n = of->n < (int64_t)(2 * w) ? of->n : (int64_t)(2 * w) + 1;
    if (s->colour && s->n == *n && s->palette == b->p && s->of == of)
        return s->colour;
    free(s->colour);
    *s = (es_shrunk){of, b->p, *n, NULL};
    s->colour = es_try_alloc((size_t)(*n * *n), sizeof *s->colour, "cosines", NULL);
    for (int64_t i = 0; s->colour && i < *n; i++)
        for (int64_t j = 0; j < *n; j++)
            s->colour[i * *n + j] = es_diverging(b->p, mean_of_cells(of, *n, i, j));
    return s->colour;
}

static void draw_cells(const es_brush *b, const es_places *of, es_box inside)
{
    int64_t n;
    const es_argb *colour = shrink(b, of, inside.w, &n);
    const es_heat heat = {of->cosine, of->n, of->n, of->n, 1};
    if (colour)
        es_canvas_cells(b->c, inside, colour, n, n);
    es_heat_numbers(&heat, b->c, inside, b->p, b->em, 2);
}

/* The scale's colours stand beside the square where that leaves it larger, else below. */
static bool legend_beside(es_box box, float beside, float below, float em)
{
    float margin = 4 * em;
    return fminf(box.w - beside - margin, box.h - margin) >
           fminf(box.w - margin, box.h - below - margin);
}

/* Where the scale begins: under the line of the ticks' numbers. */
static float below_of(const es_canvas *c, es_box square, float em)
{
    float y = square.y + square.h + em / 4;
    return c->line > 0 ? ceilf(y / c->line) * c->line : y;
}

void es_panel_cosine(const es_brush *b, es_panel *panel)
{
    const float beside = 15 * b->em;
    const float below = b->c->line > 0 ? 3 * b->c->line : 2.6f * b->em;
    es_places *of = panel->of;
    es_box area = panel->box;
    if (!es_places_cosine(of, NULL)) {
        es_panel_say(b, area, "There is no room in memory for the cosines.");
        return;
    }
    bool right = legend_beside(area, beside, below, b->em);
    if (right)
        es_box_cut_right(&area, beside);
    else
        es_box_cut_bottom(&area, below);
    double half = 0.5 * (double)of->stride, most = (double)((of->n - 1) * of->stride) + half;
    panel->chart = (es_chart){.x_low = -half,
                              .x_high = most,
                              .y_low = most,
                              .y_high = -half,
                              .x_name = area.h > 20 * b->em ? "position" : NULL,
                              .x_whole = true,
                              .y_whole = true};
    es_box square = squared(&panel->chart, b->c, area, b->em);
    es_chart_draw(&panel->chart, b->c, square, b->p, b->em);
    const es_box *inside = &panel->chart.inside;
    if (inside->w <= 0 || inside->h <= 0)
        return;
    draw_cells(b, of, *inside);
    es_box legend = {inside->x, below_of(b->c, square, b->em), inside->w, below};
    if (right)
        legend = (es_box){square.x + square.w + b->em, inside->y, beside - b->em, area.h};
    es_heat_legend(b->c, legend, 1, right ? "cosine" : "", b->p, b->em);
}
