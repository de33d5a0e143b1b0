// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

es_str *es_sheet_cell(es_sheet *g, int row, int column)
{
    g->rows = row >= g->rows ? row + 1 : g->rows;
    g->columns = column >= g->columns ? column + 1 : g->columns;
    return &g->cell[row][column];
}

void es_sheet_name(es_sheet *g, int row, const char *text)
{
    es_str_cat(es_sheet_cell(g, row, 0), text);
}

void es_sheet_size(es_sheet *g, int row, int column, const es_shape *s, int axis)
{
    const char *label = s->label[axis].s;
    es_str_add(es_sheet_cell(g, row, column), "%s%s%" PRId64, label, *label ? "=" : "",
               s->dim[axis]);
}

void es_sheet_verdict(es_sheet *g, int row, int column, bool ok)
{
    es_str_cat(es_sheet_cell(g, row, column), ok ? ES_FINE : ES_DIFFERS);
    for (int r = 0; !ok && r <= row; r++)
        g->strong[r][column] = true;
}

static int columns_of(const es_str *s)
{
    return es_columns(es_str_text(s), s->len);
}

/* A sign of one column stands under the first letter's right-hand neighbour: "B=2" over " 1". */
static int indent_of(const es_str *s, int column, int width)
{
    return column > 0 && width > 1 && columns_of(s) == 1;
}

static void draw_row(es_str *out, es_sheet *g, int row, const int *width)
{
    int owed = 0; /* blanks before the next cell */
    for (int c = 0; c < g->columns; c++) {
        const es_str *s = &g->cell[row][c];
        int indent = indent_of(s, c, width[c]);
        if (s->len) {
            es_str_fill(out, ' ', (size_t)(owed + indent));
            es_str_cat(out, g->strong[row][c] ? ES_MARK : "");
            es_str_cat(out, s->s);
            es_str_cat(out, g->strong[row][c] ? ES_MARK_END : "");
            owed = width[c] - indent - columns_of(s);
        } else {
            owed += width[c];
        }
        if (width[c] || c == 0) /* a column without cells is none */
            owed += c ? g->gap : g->first_gap;
    }
    if (g->remark[row].len)
        es_str_add(out, "\t%s", g->remark[row].s);
}

static void put_drawing(es_error *err, es_sheet *g)
{
    int width[ES_SHEET_COLUMNS] = {0};
    es_str out = {0};
    for (int r = 0; r < g->rows; r++)
        for (int c = 0; c < g->columns; c++)
            if (columns_of(&g->cell[r][c]) > width[c])
                width[c] = columns_of(&g->cell[r][c]);
    for (int r = 0; r < g->rows; r++) {
        es_str_cat(&out, r ? "\n" : "");
        draw_row(&out, g, r, width);
    }
    free(err->drawing);
    err->drawing = es_str_take(&out);
}

/* ---- the same in words ---- */

static const char *spoken(const es_str *s)
{
    const char *text = es_str_text(s);
    return !strcmp(text, ES_NOTHING)   ? "nothing"
           : !strcmp(text, ES_DIFFERS) ? "does not fit"
                                       : text;
}

static void say_row(es_str *out, const es_sheet *g, int row)
{
    const char *gap = ": ";
    if (!g->cell[row][0].len) /* signs under the cells above: those speak for themselves */
        return;
    es_str_add(out, "%s%s", out->len ? "\n" : "", es_str_text(&g->cell[row][0]));
    for (int c = 1; c < g->columns; c++)
        if (g->cell[row][c].len) {
            es_str_add(out, "%s%s", gap, spoken(&g->cell[row][c]));
            gap = ", ";
        }
    if (g->remark[row].len)
        es_str_add(out, "%s%s", gap, g->remark[row].s);
}

/* Down a column whose head is an axis and whose last cell is a verdict. */
static void say_column(es_str *out, const es_sheet *g, int column)
{
    const char *gap = ": ";
    es_str_add(out, "\naxis %s", es_str_text(&g->cell[0][column]));
    for (int r = 1; r < g->rows; r++)
        if (g->cell[r][column].len) {
            es_str_add(out, "%s%s", gap, spoken(&g->cell[r][column]));
            gap = ", ";
        }
}

static void put_words(es_error *err, const es_sheet *g, bool by_axis)
{
    es_str out = {0};
    for (int r = by_axis; r < g->rows - by_axis; r++)
        say_row(&out, g, r);
    for (int c = 1; by_axis && c < g->columns; c++)
        say_column(&out, g, c);
    if (by_axis && g->remark[g->rows - 1].len)
        es_str_add(&out, "\nrule: %s", g->remark[g->rows - 1].s);
    free(err->words);
    err->words = es_str_take(&out);
}

void es_sheet_end(es_error *err, es_sheet *g, bool by_axis)
{
    put_drawing(err, g);
    put_words(err, g, by_axis);
    for (int r = 0; r < ES_SHEET_ROWS; r++) {
        es_str_free(&g->remark[r]);
        for (int c = 0; c < ES_SHEET_COLUMNS; c++)
            es_str_free(&g->cell[r][c]);
    }
}
