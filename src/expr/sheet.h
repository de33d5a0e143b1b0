// SPDX-License-Identifier: GPL-3.0-or-later
/* The small table of cells that a drawing is made of: filled cell by cell, then handed to the error. */
#ifndef ES_EXPR_SHEET_H
#define ES_EXPR_SHEET_H

#include "core/shape.h"

enum { ES_SHEET_ROWS = 12, ES_SHEET_COLUMNS = 2 * ES_MAX_DIMS + 4 };

typedef struct es_sheet {
    es_str cell[ES_SHEET_ROWS][ES_SHEET_COLUMNS]; /* column 0: what the row is about */
    es_str remark[ES_SHEET_ROWS];                 /* behind the row */
    bool strong[ES_SHEET_ROWS][ES_SHEET_COLUMNS]; /* the parts that matter */
    int rows, columns;
    int first_gap, gap; /* blanks after the first column, and after each other */
} es_sheet;

/* Cells that --plain says in words. */
#define ES_NOTHING "·"
#define ES_DIFFERS "XX"
#define ES_FINE    "ok"

es_str *es_sheet_cell(es_sheet *g, int row, int column);
void es_sheet_name(es_sheet *g, int row, const char *text);
/* "B=2", or the size alone where the axis has no name. */
void es_sheet_size(es_sheet *g, int row, int column, const es_shape *s, int axis);
/* ok or XX; XX is strong together with all that stands above it. */
void es_sheet_verdict(es_sheet *g, int row, int column, bool ok);

/* Make err's drawing and words of it, and free it.  by_axis: the first row heads axes and the last one has
 * verdicts, so that the words go column by column. */
void es_sheet_end(es_error *err, es_sheet *g, bool by_axis);

#endif
