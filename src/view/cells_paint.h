// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the canvas of cells share: half blocks, squares of ES_CELL_W units. */
#ifndef ES_VIEW_CELLS_PAINT_H
#define ES_VIEW_CELLS_PAINT_H

#include "view/cells.h"

#define ES_HALF ((float)ES_CELL_W)

/* Half blocks from x to x_end and y to y_end, these not among them. */
typedef struct es_halves {
    int x, y, x_end, y_end;
} es_halves;

/* The half block, or the border of one, that many units away, held to 0..n. */
int es_half_at(double units, int n);

es_halves es_halves_touched(const es_cells *t, es_box b); /* all that a box touches */

/* One half block, covered by so much, 0 to 1; what hides all of it takes away the character there. */
void es_half_paint(es_cells *t, int column, int row, es_argb colour, float cover);

void es_cells_discs(es_canvas *c, const es_disc *disc, size_t n);

#endif
