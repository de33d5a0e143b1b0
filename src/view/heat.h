// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers as colours: heat maps, and the scale that says what the colours are. */
#ifndef ES_VIEW_HEAT_H
#define ES_VIEW_HEAT_H

#include <stdint.h>

#include "base/str.h"
#include "view/canvas.h"

/* A heat map of n x m numbers on the diverging scale that goes from -most to most; NaN has a colour of its own.  With
 * most 0 all of them are neutral. */
typedef struct es_heat {
    const float *value; /* (rows, columns), row stride in numbers */
    int64_t rows, columns, stride;
    float most;
} es_heat;
void es_heat_draw(const es_heat *h, es_canvas *c, es_box area, const es_palette *p);

/* Lines between cells that are large enough for it, in the colour of the ground. */
void es_heat_grid(const es_heat *h, es_canvas *c, es_box area, es_argb ground);

/* The cell at a spot; false: none. */
bool es_heat_pick(const es_heat *h, es_box area, es_spot at, int64_t *row, int64_t *column);
es_box es_heat_cell(const es_heat *h, es_box area, int64_t row, int64_t column);

/* Decimals that show three digits of the scale's end. */
int es_heat_decimals(float most);

/* Append a number as it stands in a cell: so many decimals, no "-0.00", "NaN"; 1.20e+07 where the scale asks for it. */
void es_heat_number(es_str *out, double value, float most, int decimals);

/* Print each number in its cell, in the ink that reads better there; false: the cells are too small for the widest,
 * and nothing was printed. */
bool es_heat_numbers(const es_heat *h, es_canvas *c, es_box area, const es_palette *p, float em,
                     int decimals);
bool es_heat_fits(const es_heat *h, es_canvas *c, es_box area, float em, int decimals);

/* A bar with the scale's colours and numbers under it: -most 0 +most; `what` beside it, or above where room is short.
 * Returns the height it took. */
float es_heat_legend(es_canvas *c, es_box area, float most, const char *what, const es_palette *p,
                     float em);

float es_heat_legend_height(es_canvas *c, float room, const char *what, float em); /* the same */

#endif
