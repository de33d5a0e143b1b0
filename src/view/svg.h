// SPDX-License-Identifier: GPL-3.0-or-later
/* A canvas that writes SVG 1.1: what it holds can be printed at any size and changed by hand. */
#ifndef ES_VIEW_SVG_H
#define ES_VIEW_SVG_H

#include "base/str.h"
#include "view/canvas.h"
#include "view/font.h"

typedef struct es_svg {
    es_canvas canvas;
    es_str body;   /* elements so far */
    es_font *font; /* for widths; NULL: estimated */
    int clips;
} es_svg;

void es_svg_open(es_svg *s, float w, float h, es_argb ground, es_font *font);
void es_svg_finish(es_svg *s, es_str *out, const char *title); /* append the file */
void es_svg_close(es_svg *s);

#endif
