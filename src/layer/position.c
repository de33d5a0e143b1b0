// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/position.h"

#include <math.h>

const char *es_positions_name(es_positions kind)
{
    static const char *const names[] = {"learned", "sinusoidal", "none"};
    return names[kind];
}

static void sinusoidal_row(const void *context, int64_t p, float *out, int64_t C)
{
    (void)context;
    for (int64_t c = 0; c < C; c++) {
        double angle = (double)p / pow(10000.0, (double)(c - c % 2) / (double)C);
        out[c] = (float)(c % 2 ? cos(angle) : sin(angle));
    }
}

es_table *es_position_sinusoidal(int64_t C)
{
    return es_table_generated(INT64_MAX, C, sinusoidal_row, "", 0);
}
