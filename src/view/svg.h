// SPDX-License-Identifier: GPL-3.0-or-later
/* A canvas that writes SVG 1.1: what it holds can be printed at any size and changed by hand. */
#ifndef ES_VIEW_SVG_H
#define ES_VIEW_SVG_H

#include "base/str.h"
#include "view/canvas.h"
#include "view/font.h"

typedef struct es_svg {
    es_canvas canvas;
    es_argb ground;
    es_str body;       /* elements so far */
    es_font *font;     /* borrowed, for widths; NULL: estimated */
    es_box *clip;      /* n_clips that something was drawn in, other than all of it */
    int n_clips, open; /* the one the group being written is held to; -1: there is no group */
} es_svg;

/* w x h units on a ground of that colour.  Free with es_svg_close. */
void es_svg_open(es_svg *s, float w, float h, es_argb ground, es_font *font);
void es_svg_finish(es_svg *s, es_str *out, const char *title); /* append the file */
void es_svg_close(es_svg *s);                                  /* safe on an empty one */

#endif
