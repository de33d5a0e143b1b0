// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/bins.h"

#include <math.h>
#include <string.h>

int es_bins_at(const es_bins *b, double x)
{
    if (!(x >= b->low) || !(x <= b->high) || b->n < 1)
        return -1;
    double part = b->high > b->low ? (x - b->low) / (b->high - b->low) : 0;
    int k = (int)(part * b->n);
    return k < b->n ? k : b->n - 1;
}

void es_bins_fill(es_bins *b, const float *x, int64_t n, double scale)
{
    int64_t in[ES_MOST_BINS] = {0};
    b->counted = b->below = b->above = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = (double)x[i] * scale;
        if (!isfinite(v))
            continue;
        int k = es_bins_at(b, v);
        b->counted++;
        b->below += v < b->low;
        b->above += v > b->high;
        if (k >= 0)
            in[k]++;
    }
    for (int k = 0; k < b->n; k++)
        b->percent[k] = b->counted ? 100 * (double)in[k] / (double)b->counted : 0;
}

double es_bins_most(const es_bins *b)
{
    double most = 0;
    for (int k = 0; k < b->n; k++)
        most = fmax(most, b->percent[k]);
    return most;
}

static es_spot spot(const es_bins *b, const es_chart *chart, bool sideways, int edge,
                    double percent)
{
    double x = b->low + (b->high - b->low) * edge / b->n;
    return sideways ? es_chart_spot(chart, percent, x) : es_chart_spot(chart, x, percent);
}

void es_bins_draw(const es_bins *b, const es_chart *chart, bool sideways, es_canvas *c,
                  es_argb colour)
{
    for (int k = 0; k < b->n; k++) {
        es_spot from = spot(b, chart, sideways, k, 0),
                to = spot(b, chart, sideways, k + 1, b->percent[k]);
        es_box bar = {fminf(from.x, to.x), fminf(from.y, to.y), fabsf(to.x - from.x),
                      fabsf(to.y - from.y)};
        es_canvas_fill(c, bar, colour);
    }
}

void es_bins_outline(const es_bins *b, const es_chart *chart, bool sideways, es_canvas *c,
                     float width, float dash, es_argb colour)
{
    es_spot at[2 * ES_MOST_BINS + 2];
    size_t n = 0;
    at[n++] = spot(b, chart, sideways, 0, 0);
    for (int k = 0; k < b->n; k++) {
        at[n++] = spot(b, chart, sideways, k, b->percent[k]);
        at[n++] = spot(b, chart, sideways, k + 1, b->percent[k]);
    }
    at[n++] = spot(b, chart, sideways, b->n, 0);
    es_canvas_line(c, at, n, width, dash, colour);
}

bool es_bins_pick(const es_bins *b, const es_chart *chart, bool sideways, es_spot at, es_bin *out)
{
    double x, y, wide = (b->high - b->low) / b->n;
    const es_box *in = &chart->inside;
    if (!es_box_has(*in, at.x, at.y))
        return false;
    es_chart_point(chart, at, &x, &y);
    out->k = es_bins_at(b, sideways ? y : x);
    if (out->k < 0)
        return false;
    out->from = b->low + out->k * wide;
    out->to = out->from + wide;
    es_spot low = es_chart_spot(chart, out->from, out->from),
            high = es_chart_spot(chart, out->to, out->to);
    out->strip = sideways ? (es_box){in->x, high.y, in->w, low.y - high.y}
                          : (es_box){low.x, in->y, high.x - low.x, in->h};
    return true;
}
