// SPDX-License-Identifier: GPL-3.0-or-later
/* Histograms: how many of some numbers lie where. */
#ifndef ES_VIEW_BINS_H
#define ES_VIEW_BINS_H

#include <stdint.h>

#include "view/plot.h"

enum { ES_MOST_BINS = 128 };

/* n bins of one width from low to high.  The rest is filled by es_bins_fill. */
typedef struct es_bins {
    double low, high;
    int n;
    int64_t counted, below, above; /* numbers that are finite, and of these those beyond the ends */
    double percent[ES_MOST_BINS];  /* of all that are counted */
} es_bins;

/* Of x[0..n) times `scale`. */
void es_bins_fill(es_bins *b, const float *x, int64_t n, double scale);
double es_bins_most(const es_bins *b);      /* the largest percentage */
int es_bins_at(const es_bins *b, double x); /* -1: beyond the ends */

/* Into a chart whose x is the numbers and whose y is percent; sideways the other way round. */
void es_bins_draw(const es_bins *b, const es_chart *chart, bool sideways, es_canvas *c,
                  es_argb colour);
void es_bins_outline(const es_bins *b, const es_chart *chart, bool sideways, es_canvas *c,
                     float width, float dash, es_argb colour);

/* What the pointer finds in such a chart: the k-th bin, which counts numbers from..to, and the chart's whole strip over
 * it.  false: nothing. */
typedef struct es_bin {
    int k;
    double from, to;
    es_box strip;
} es_bin;
bool es_bins_pick(const es_bins *b, const es_chart *chart, bool sideways, es_spot at, es_bin *out);

#endif
