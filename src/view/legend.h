// SPDX-License-Identifier: GPL-3.0-or-later
/* What the lines, areas and discs of a chart mean: a sample of each, and words beside it. */
#ifndef ES_VIEW_LEGEND_H
#define ES_VIEW_LEGEND_H

#include "base/str.h"
#include "view/canvas.h"

typedef enum es_sample {
    ES_SAMPLE_AREA,
    ES_SAMPLE_LINE,
    ES_SAMPLE_DASHES,
    ES_SAMPLE_DISC
} es_sample;

enum { ES_MOST_ENTRIES = 6 };

typedef struct es_legend {
    int n;
    struct {
        es_sample sample;
        es_argb colour;
        es_str says;
    } entry[ES_MOST_ENTRIES];
} es_legend;

/* The words are appended to what is returned; entries beyond the most are not there. */
es_str *es_legend_add(es_legend *l, es_sample sample, es_argb colour);

/* Above a chart, side by side and in as many lines as they need; takes their room off the area (at most a third of it:
 * the last ones go).  Frees them. */
void es_legend_draw(es_legend *l, es_canvas *c, es_box *area, const es_palette *p, float em);

#endif
