// SPDX-License-Identifier: GPL-3.0-or-later
/* How an answer is laid out for a reader: widths, colours, and the few shapes all answers are made
 * of: lines that flow, grids without lines, bars. */
#ifndef ES_SESSION_STYLE_H
#define ES_SESSION_STYLE_H

#include <stdint.h>

#include "base/str.h"

enum { ES_MIN_WIDTH = 40, ES_MAX_WIDTH = 1000, ES_DEFAULT_WIDTH = 80, ES_BIG_WIDTH = 60 };

typedef struct es_style {
    int width;   /* columns; nothing printed is wider */
    int height;  /* lines of the screen, 0: no screen; a sentence is shown by as many rows as fit */
    bool plain;  /* name: value lines; no bars, no grids */
    bool colour; /* SGR sequences are welcome */
    bool isolate; /* a terminal: keep right-to-left cells from reordering the line */
    bool quoted;  /* tokens in quotes instead of ␣ for a space */
    bool big;     /* for a projector: strong colours, one thing at a time */
    int digits;   /* of the numbers of a vector; 0: the layout's own */
} es_style;

/* Colours by what they mean; the meaning is always in the text as well. */
typedef enum es_paint {
    ES_PAINT_NONE,
    ES_PAINT_EVEN, /* soft backgrounds that tell neighbouring tokens apart */
    ES_PAINT_ODD,
    ES_PAINT_POSITIVE,
    ES_PAINT_NEGATIVE,
    ES_PAINT_STRONG,
    ES_PAINT_FAINT,
    ES_PAINT_ERROR,
    ES_PAINT_CODE, /* in prose; without colours it stands in backquotes */
    ES_PAINT_EMPHASIS
} es_paint;

/* Append text (ready to print) in a colour, if colours are welcome. */
void es_paint_text(es_str *out, es_paint paint, const char *text, const es_style *style);

/* A token made visible as the style has it; es_show_token, or in quotes. */
void es_style_token(es_str *out, const char *bytes, size_t n, const es_style *style);

/* ---- lines that flow ---- */

/* Items go onto lines no wider than the style, `gap` between two on a line; an item that is wider
 * than a line is broken at its spaces. */
typedef struct es_flow {
    es_str *out;
    const char *gap;
    int width, used;
    bool isolate;
} es_flow;

es_flow es_flow_start(es_str *out, const char *gap, const es_style *style);
void es_flow_item(es_flow *f, const char *fmt, ...) ES_PRINTF(2, 3);
void es_flow_end(es_flow *f); /* the line break */

/* Append a paragraph of prose, broken at spaces, each line after `indent` spaces. */
void es_wrap(es_str *out, const char *prose, int indent, const es_style *style);

/* ---- grids ---- */

/* Cells row by row.  align has a letter a column: l left, r right, f left and cut with … when the
 * rows would be too wide, w (the last one only) left and continued on lines below. */
typedef struct es_grid {
    const char *align;
    struct es_grid_cell {
        es_str text;
        es_paint paint;
    } * cell;
    size_t n, cap;
} es_grid;

es_str *es_grid_cell(es_grid *g, es_paint paint);                    /* fill it before the next */
void es_grid_text(es_grid *g, const char *fmt, ...) ES_PRINTF(2, 3); /* a cell at once */
/* Append the rows, `gap` spaces between columns, and free the cells. */
void es_grid_end(es_grid *g, es_str *out, int indent, int gap, const es_style *style);

/* Append text as a cell of a line: cut to `columns`, isolated if it needs that, padded. */
void es_cell(es_str *out, const char *text, size_t n, int columns, bool right, es_paint paint,
             const es_style *style);

/* ---- bars ---- */

/* The n values as bars of eighths, one column each; 0 is ▄, ±scale the ends; what is not a number
 * is ?. */
void es_bars(es_str *out, const float *value, int n, float scale, const es_style *style);

#endif
