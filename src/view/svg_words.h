// SPDX-License-Identifier: GPL-3.0-or-later
/* The small words SVG is made of, and how wide a text would be in the font its files ask for. */
#ifndef ES_VIEW_SVG_WORDS_H
#define ES_VIEW_SVG_WORDS_H

#include "base/str.h"
#include "view/canvas.h"

/* At most two decimals, none that are 0, and a point in every locale. */
void es_svg_number(es_str *out, double v);
void es_svg_attribute(es_str *out, const char *name, double v);   /* x="12.5" after a space */
void es_svg_paint(es_str *out, const char *what, es_argb colour); /* what: "fill" or "stroke" */
void es_svg_box(es_str *out, es_box b);                           /* "<rect …", not ended */

/* Text between tags.  What XML has no room for, controls above all, is left out. */
void es_svg_words(es_str *out, const char *text, size_t n);

/* How wide a text is in DejaVu Sans, in the units of the ink's size, where there is no font to ask. */
float es_svg_estimate(const char *text, size_t n, const es_ink *ink);

#endif
