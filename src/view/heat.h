// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers as colours: heat maps, and the scale that says what the colours are. */
#ifndef ES_VIEW_HEAT_H
#define ES_VIEW_HEAT_H

#include <stdint.h>

#include "view/canvas.h"

/* A heat map of n x m numbers on the diverging scale that goes from -most to most (sequential: from 0). */
typedef struct es_heat {
    const float *value; /* (rows, columns), row stride in numbers */
    int64_t rows, columns, stride;
    float most;
} es_heat;
void es_heat_draw(const es_heat *h, es_canvas *c, es_box area, const es_palette *p);

/* The cell at a spot; false: none. */
bool es_heat_pick(const es_heat *h, es_box area, es_spot at, int64_t *row, int64_t *column);

/* A bar with the scale's colours and numbers under it: -most 0 most.  Returns the height it took. */
float es_heat_legend(es_canvas *c, es_box area, float most, const char *what, const es_palette *p,
                     float em);

#endif
