// SPDX-License-Identifier: GPL-3.0-or-later
/* What several views draw alike: charts with round ticks, captions. */
#ifndef ES_VIEW_PLOT_H
#define ES_VIEW_PLOT_H

#include "base/str.h"
#include "view/canvas.h"

/* Round numbers from low to high, about `most` of them: returns how many, *first and *step.  Steps are 1, 2 or 5 times
 * a power of ten. */
int es_ticks(double low, double high, int most, double *first, double *step);

/* The shortest text that tells ticks of this step apart. */
void es_tick_text(es_str *out, double value, double step);

/* How an axis counts: by equal steps; by powers of ten, its ends being logarithms (to base 10) of numbers; by those of 1 + the
 * number, so that 0 has a place, too. */
typedef enum es_scale { ES_SCALE_EVEN, ES_SCALE_LOG, ES_SCALE_LOG1 } es_scale;

/* Where a number stands on such an axis. */
double es_on_scale(es_scale scale, double number);

/* A chart's frame: draws axes with ticks and names in the margins of `area` and returns the box inside, where
 * (x_low, y_low) is bottom left.  An axis may run the other way: low above high.  em sizes text. */
typedef struct es_chart {
    double x_low, x_high, y_low, y_high;
    const char *x_name, *y_name; /* "channel", "value"; NULL: none */
    bool x_whole, y_whole;       /* ticks at whole numbers only */
    bool y_bare;                 /* no ticks along y */
    es_scale x_scale, y_scale;
    es_box inside; /* filled by es_chart_draw and es_chart_measure */
} es_chart;
void es_chart_measure(es_chart *chart, es_canvas *c, es_box area, float em);
void es_chart_draw(es_chart *chart, es_canvas *c, es_box area, const es_palette *p, float em);
es_spot es_chart_spot(const es_chart *chart, double x, double y);

/* The other way round: the numbers at a spot, where the axes are even. */
void es_chart_point(const es_chart *chart, es_spot at, double *x, double *y);

/* A line over a picture or a part of it, `brief` where all of it has no room; without one, as many lines as it needs.
 * Takes its room off. */
void es_caption(es_canvas *c, es_box *area, const char *text, const char *brief,
                const es_palette *p, float em);

#endif
