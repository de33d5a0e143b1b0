// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define LINES_FROM 6.0F /* pixels of a cell that has lines around it */

/* Of a scale, in ems. */
#define BAR_W 14.0F
#define BAR_H 0.8F
#define LINE  1.4F

enum { LEGEND_STEPS = 96, NUMBER_BYTES = 32 };

/* A number's colour; a scale of nothing (all numbers are 0) is neutral throughout. */
static es_argb colour_of(float value, float most, const es_palette *p)
{
    return es_diverging(p, most > 0 || isnan(value) ? value / most : 0);
}

void es_heat_draw(const es_heat *h, es_canvas *c, es_box area, const es_palette *p)
{
    size_t n = (size_t)(h->rows * h->columns), at = 0;
    es_argb *colour = n ? es_try_alloc(n, sizeof *colour, "the colours of a heat map", NULL) : NULL;
    if (!colour)
        return;
    for (int64_t r = 0; r < h->rows; r++)
        for (int64_t k = 0; k < h->columns; k++)
            colour[at++] = colour_of(h->value[r * h->stride + k], h->most, p);
    es_canvas_cells(c, area, colour, h->rows, h->columns);
    free(colour);
}

bool es_heat_pick(const es_heat *h, es_box area, es_spot at, int64_t *row, int64_t *column)
{
    if (!es_box_has(area, at.x, at.y) || h->rows < 1 || h->columns < 1)
        return false;
    int64_t r = (int64_t)((double)(at.y - area.y) / (double)area.h * (double)h->rows);
    int64_t k = (int64_t)((double)(at.x - area.x) / (double)area.w * (double)h->columns);
    *row = r < h->rows ? r : h->rows - 1;
    *column = k < h->columns ? k : h->columns - 1;
    return true;
}

es_box es_heat_cell(const es_heat *h, es_box area, int64_t row, int64_t column)
{
    float w = area.w / (float)h->columns, y = area.h / (float)h->rows;
    return (es_box){area.x + (float)column * w, area.y + (float)row * y, w, y};
}

void es_heat_grid(const es_heat *h, es_canvas *c, es_box area, es_argb colour)
{
    es_box cell = es_heat_cell(h, area, 0, 0);
    for (int64_t r = 1; cell.h >= LINES_FROM && r < h->rows; r++)
        es_canvas_fill(c, (es_box){area.x, area.y + (float)r * cell.h, area.w, 1}, colour);
    for (int64_t k = 1; cell.w >= LINES_FROM && k < h->columns; k++)
        es_canvas_fill(c, (es_box){area.x + (float)k * cell.w, area.y, 1, area.h}, colour);
}

/* ---- numbers in their cells ---- */

int es_heat_decimals(float most)
{
    if (!(most > 0) || isinf(most))
        return 2;
    int decimals = 2 - (int)floorf(log10f(most));
    return decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
}

void es_heat_number(es_str *out, double value, float most, int decimals)
{
    if (isnan(value))
        es_str_cat(out, "NaN");
    else if (isinf(value))
        es_str_cat(out, value < 0 ? "-Inf" : "Inf");
    else if (most >= 1e6F || (most > 0 && most < 1e-7F))
        es_str_add(out, "%.2e", value);
    else
        es_str_add(out, "%.*f", decimals, fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value);
}

static float number_width(es_canvas *c, double value, const es_heat *h, int decimals,
                          const es_ink *ink)
{
    es_str text = {0};
    es_heat_number(&text, value, h->most, decimals);
    float w = es_canvas_width(c, text.s, text.len, ink);
    es_str_free(&text);
    return w;
}

bool es_heat_fits(const es_heat *h, es_canvas *c, es_box area, float em, int decimals)
{
    const es_ink ink = {.size = em};
    es_box cell = es_heat_cell(h, area, 0, 0);
    return cell.h >= 1.2F * em &&
           cell.w >= number_width(c, -(double)h->most, h, decimals, &ink) + 0.5F * em;
}

static void draw_number(es_canvas *c, es_box cell, float value, const es_heat *h, int decimals,
                        const es_palette *p, float em)
{
    const es_ink ink = {.size = em, .colour = es_ink_on(p, colour_of(value, h->most, p))};
    es_box seen = es_box_meet(cell, c->inside);
    es_str text = {0};
    if (seen.w < cell.w - 1 || seen.h < cell.h - 1)
        return; /* half a number is another number */
    es_heat_number(&text, (double)value, h->most, decimals);
    es_canvas_fit(c, cell.x + 0.5F * cell.w, cell.y + 0.5F * cell.h, cell.w, 0.5F, text.s, &ink);
    es_str_free(&text);
}

bool es_heat_numbers(const es_heat *h, es_canvas *c, es_box area, const es_palette *p, float em,
                     int decimals)
{
    if (!h->rows || !h->columns || !es_heat_fits(h, c, area, em, decimals))
        return false;
    for (int64_t r = 0; r < h->rows; r++)
        for (int64_t k = 0; k < h->columns; k++)
            draw_number(c, es_heat_cell(h, area, r, k), h->value[r * h->stride + k], h, decimals, p,
                        em);
    return true;
}

/* ---- the scale ---- */

static void draw_bar(es_canvas *c, es_box bar, const es_palette *p)
{
    es_argb colour[LEGEND_STEPS];
    for (int i = 0; i < LEGEND_STEPS; i++)
        colour[i] = es_diverging(p, ((float)i + 0.5F) / LEGEND_STEPS * 2 - 1);
    es_canvas_cells(c, bar, colour, 1, LEGEND_STEPS);
    es_canvas_edge(c, bar, 1, p->edge);
}

static void draw_ends(es_canvas *c, es_box bar, float y, float most, const es_ink *ink)
{
    char text[NUMBER_BYTES];
    for (int end = -1; end <= 1; end++) {
        float x = bar.x + bar.w * 0.5F * (float)(end + 1);
        snprintf(text, sizeof text, "%s%.4g", end > 0 ? "+" : "",
                 end ? (double)end * (double)most : 0.0);
        es_canvas_fit(c, x, y, bar.w / 3, 0.5F * (float)(end + 1), text, ink);
    }
}

/* Its words stand beside the bar where there is room for all of them. */
static bool words_above(es_canvas *c, float room, const char *what, float em)
{
    const es_ink ink = {.size = em};
    float beside = room - fminf(BAR_W * em, room) - em;
    return *what && beside < es_canvas_width(c, what, strlen(what), &ink);
}

float es_heat_legend_height(es_canvas *c, float room, const char *what, float em)
{
    float line = es_canvas_lines(c, LINE * em);
    return (words_above(c, room, what, em) ? line : 0) + es_canvas_lines(c, BAR_H * em) + line;
}

float es_heat_legend(es_canvas *c, es_box area, float most, const char *what, const es_palette *p,
                     float em)
{
    const es_ink ink = {.size = em, .colour = p->dim};
    bool above = words_above(c, area.w, what, em);
    float line = es_canvas_lines(c, LINE * em), h = es_canvas_lines(c, BAR_H * em);
    es_box bar = {area.x, area.y + (above ? line : 0), fminf(BAR_W * em, area.w), h};
    float beside = bar.x + bar.w + em;
    if (above)
        es_canvas_fit(c, area.x, area.y + line / 2, area.w, 0, what, &ink);
    else
        es_canvas_fit(c, beside, bar.y + bar.h / 2, area.x + area.w - beside, 0, what, &ink);
    draw_bar(c, bar, p);
    draw_ends(c, bar, bar.y + bar.h + line / 2, most, &ink);
    return es_heat_legend_height(c, area.w, what, em);
}
