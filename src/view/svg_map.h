// SPDX-License-Identifier: GPL-3.0-or-later
/* A heat map as SVG has it: a path a colour. */
#ifndef ES_VIEW_SVG_MAP_H
#define ES_VIEW_SVG_MAP_H

#include "base/str.h"
#include "view/canvas.h"

/* Append rows x columns colours that fill the box.  Cells smaller than a unit, or more than a file of a few megabytes
 * has room for, are joined to their mean. */
void es_svg_map(es_str *out, es_box box, const es_argb *colour, int64_t rows, int64_t columns);

#endif
