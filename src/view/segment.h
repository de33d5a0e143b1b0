// SPDX-License-Identifier: GPL-3.0-or-later
/* The part of a line that a picture has room for. */
#ifndef ES_VIEW_SEGMENT_H
#define ES_VIEW_SEGMENT_H

#include "view/canvas.h"

/* The part of the way from a to b, 0 to 1, that is in a box; false: none of it, or a spot that is none (Liang and
 * Barsky, "A New Concept and Method for Line Clipping", 1984). */
bool es_segment_inside(es_spot a, es_spot b, es_box in, double *from, double *to);

#endif
