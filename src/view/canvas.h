// SPDX-License-Identifier: GPL-3.0-or-later
/* What pictures are drawn on: pixels (raster.h), a file of lines and text (svg.h), the cells of a terminal (cells.h).
 * Units are pixels of a screen of ordinary density, x to the right, y down; a canvas may have more or fewer pixels of
 * its own.  Nothing here fails: what a canvas cannot show it leaves out. */
#ifndef ES_VIEW_CANVAS_H
#define ES_VIEW_CANVAS_H

#include <stddef.h>

#include "view/colour.h"

typedef struct es_spot {
    float x, y;
} es_spot;

typedef struct es_box {
    float x, y, w, h;
} es_box;

enum { ES_NO_ID = -1 };

typedef struct es_disc {
    float x, y, r;
    es_argb colour;
    int32_t id; /* what a pointer finds there; ES_NO_ID: nothing */
} es_disc;

typedef struct es_ink {
    float size; /* of the letters' em */
    es_argb colour;
    bool bold, mono;
} es_ink;

typedef struct es_canvas es_canvas;

typedef struct es_canvas_ops {
    void (*clip)(es_canvas *c, es_box to);
    void (*fill)(es_canvas *c, es_box box, es_argb colour);
    void (*line)(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                 es_argb colour);
    void (*discs)(es_canvas *c, const es_disc *disc, size_t n);
    void (*cells)(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns);
    void (*text)(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink);
    float (*width)(es_canvas *c, const char *text, size_t n, const es_ink *ink);
} es_canvas_ops;

struct es_canvas {
    const es_canvas_ops *ops;
    float w, h;    /* all of it */
    es_box inside; /* what is drawn reaches no further: the clip in force */
    float line;    /* text stands on lines so high, as in a terminal; 0: anywhere */
};

/* From here on nothing is drawn outside of `to` (and of the canvas).  Returns what was in force before. */
es_box es_canvas_clip(es_canvas *c, es_box to);

void es_canvas_fill(es_canvas *c, es_box box, es_argb colour);
void es_canvas_edge(es_canvas *c, es_box box, float width,
                    es_argb colour); /* its outline, inside of it */

/* A line through n spots; NaN breaks it.  dash 0: solid, else the length of dashes and gaps. */
void es_canvas_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour);

/* From one spot to another, with a head at its end where there is room for one. */
void es_canvas_arrow(es_canvas *c, es_spot from, es_spot to, float width, es_argb colour);

/* Antialiased to parts of a pixel, in order; spots that are NaN are left out. */
void es_canvas_discs(es_canvas *c, const es_disc *disc, size_t n);

/* A heat map: rows x columns colours, row by row, fill the box without gaps.  Where there are more cells than pixels a
 * pixel has the mean of its cells. */
void es_canvas_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows,
                     int64_t columns);

/* One line of text that is ready to print (base/visible.h), any script; y is the middle of the line. */
void es_canvas_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink);
void es_canvas_string(es_canvas *c, float x, float y, const char *text, const es_ink *ink);
float es_canvas_width(es_canvas *c, const char *text, size_t n, const es_ink *ink);

/* The same, no wider than `room`: what is cut ends in "…".  align: 0 from x on, 0.5 x is the middle, 1 up to x. */
void es_canvas_fit(es_canvas *c, float x, float y, float room, float align, const char *text,
                   const es_ink *ink);

/* A height in whole lines, on a canvas that has such: what stands on them neither meets nor leaves gaps. */
float es_canvas_lines(const es_canvas *c, float h);

/* An area without its margins, an em on each side; on a canvas of lines left and right alone. */
es_box es_canvas_room(const es_canvas *c, es_box area, float em);

bool es_box_has(es_box b, float x, float y);
es_box es_box_inset(es_box b, float by);
es_box es_box_meet(es_box a, es_box b); /* where both are; w and h are never below 0 */

/* The box moved along (x, y), a direction of length 1, until it covers none of n others; they are few. */
es_box es_box_apart(es_box box, const es_box *others, int n, float x, float y);

es_box es_box_cut_left(es_box *from,
                       float w); /* takes w off that side, or all there is, and returns it */
es_box es_box_cut_right(es_box *from, float w);
es_box es_box_cut_top(es_box *from, float h);
es_box es_box_cut_bottom(es_box *from, float h);

#endif
