// SPDX-License-Identifier: GPL-3.0-or-later
/* A canvas of terminal cells: a cell is 8 by 16 units, two half blocks with a colour each or one character. */
#ifndef ES_VIEW_CELLS_H
#define ES_VIEW_CELLS_H

#include "base/str.h"
#include "view/canvas.h"

enum { ES_CELL_W = 8, ES_CELL_H = 16 };

typedef struct es_cells {
    es_canvas canvas;
    int columns, lines;
    es_argb ground;
    es_argb *half; /* (2 * lines, columns) */
    struct es_cell {
        char text[28]; /* a character with its marks; "" none; "\1" the right half of a wide one */
        es_argb ink;
        bool bold;
    } * cell; /* (lines, columns) */
} es_cells;

void es_cells_open(es_cells *t, int columns, int lines, es_argb ground);
void es_cells_close(es_cells *t);

/* Append the lines.  colour: 24-bit; else characters alone: what is drawn is told apart by how dense it is.  isolate: a
 * terminal, which letters written from right to left must not make reorder the line. */
void es_cells_show(const es_cells *t, es_str *out, bool colour, bool isolate);

#endif
