// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/panels.h"

#include <math.h>

/* In ems: two panels need so much. */
#define WIDE 34
#define HIGH 23

void es_panels_halves(es_box area, bool across, float gap, es_box half[2])
{
    half[0] = half[1] = area;
    if (across) {
        half[0].w = half[1].w = fmaxf(0, (area.w - gap) / 2);
        half[1].x += half[0].w + gap;
    } else {
        half[0].h = half[1].h = fmaxf(0, (area.h - gap) / 2);
        half[1].y += half[0].h + gap;
    }
}

int es_panels_four(es_box area, float em, es_box box[ES_PANELS])
{
    bool wide = area.w >= WIDE * em, high = area.h >= HIGH * em;
    es_box column[2], cell[2];
    box[0] = area;
    if (!wide && !high)
        return 1;
    es_panels_halves(area, wide, 1.5f * em, column);
    for (int k = 0; k < 2; k++) {
        box[k] = column[k];
        if (wide && high) {
            es_panels_halves(column[k], false, em, cell);
            box[k] = cell[0];
            box[k + 2] = cell[1];
        }
    }
    return wide && high ? 4 : 2;
}
