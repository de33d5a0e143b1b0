// SPDX-License-Identifier: GPL-3.0-or-later
/* The colour of several cells that share one place. */
#ifndef ES_VIEW_MEAN_H
#define ES_VIEW_MEAN_H

#include "view/colour.h"

/* Which cells: rows from `row` up to but not including row_end, columns likewise; at least one. */
typedef struct es_cell_range {
    int64_t row, row_end, column, column_end;
} es_cell_range;

/* The mean of a range of colours (…, columns), each channel by itself. */
es_argb es_mean_colour(const es_argb *colour, int64_t columns, es_cell_range of);

#endif
