// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/mean.h"

es_argb es_mean_colour(const es_argb *colour, int64_t columns, es_cell_range of)
{
    enum { CHANNELS = 4, BITS = 8 };
    uint64_t sum[CHANNELS] = {0}, n = 0;
    es_argb mean = 0;
    for (int64_t r = of.row; r < of.row_end; r++)
        for (int64_t c = of.column; c < of.column_end; c++, n++)
            for (int k = 0; k < CHANNELS; k++)
                sum[k] += colour[r * columns + c] >> k * BITS & 0xff;
    for (int k = 0; n && k < CHANNELS; k++)
        mean |= (es_argb)((sum[k] + n / 2) / n) << k * BITS;
    return mean;
}
