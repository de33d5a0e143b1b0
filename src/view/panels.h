// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the panels of a picture are: as many of them as there is room for. */
#ifndef ES_VIEW_PANELS_H
#define ES_VIEW_PANELS_H

#include "view/canvas.h"

enum { ES_PANELS = 4 };

/* Halves with a gap between them, side by side (across) or one over the other. */
void es_panels_halves(es_box area, bool across, float gap, es_box half[2]);

/* The boxes of four panels in the order of reading, of the first two, side by side or one over the other, or of one:
 * returns how many there is room for. */
int es_panels_four(es_box area, float em, es_box box[ES_PANELS]);

#endif
