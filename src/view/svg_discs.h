// SPDX-License-Identifier: GPL-3.0-or-later
/* Many discs, a vocabulary of them, as SVG has them: those of one colour that do not touch are one path. */
#ifndef ES_VIEW_SVG_DISCS_H
#define ES_VIEW_SVG_DISCS_H

#include "base/str.h"
#include "view/canvas.h"

enum { ES_SVG_MANY_DISCS = 4096 }; /* fewer are an element each, to be changed by hand */

/* Append n discs, each with a radius above 0 and its middle near the box.  What lies above what is as in the list.
 * Colours are rounded by at most 4 of 255, opacities by an eighth of themselves, places to a tenth of a unit. */
void es_svg_discs(es_str *out, es_box around, const es_disc *const *disc, size_t n);

#endif
