// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/svg_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "view/mean.h"
#include "view/svg_words.h"

enum { MOST_CELLS = 1 << 18 };

/* Cells of one colour that stand side by side. */
typedef struct run {
    es_argb colour;
    int32_t row, column, n;
} run;

static int by_colour(const void *a, const void *b)
{
    const run *p = a, *q = b;
    if (p->colour != q->colour)
        return p->colour < q->colour ? -1 : 1;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return (p->column > q->column) - (p->column < q->column);
}

typedef struct map {
    const es_argb *colour; /* (all_rows, all_columns) */
    int64_t all_rows, all_columns, rows, columns;
} map;

/* A cell has at least a unit, and there are not too many of them. */
static map map_of(es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    int64_t high = (int64_t)fminf(ceilf(box.h), MOST_CELLS);
    int64_t wide = (int64_t)fminf(ceilf(box.w), MOST_CELLS);
    map m = {colour, rows, columns, rows < high ? rows : high, columns < wide ? columns : wide};
    while (m.rows * m.columns > MOST_CELLS) {
        m.rows = (m.rows + 1) / 2;
        m.columns = (m.columns + 1) / 2;
    }
    return m;
}

static es_argb colour_at(const map *m, int64_t row, int64_t column)
{
    return es_mean_colour(m->colour, m->all_columns,
                          (es_cell_range){row * m->all_rows / m->rows,
                                          (row + 1) * m->all_rows / m->rows,
                                          column * m->all_columns / m->columns,
                                          (column + 1) * m->all_columns / m->columns});
}

static run *runs_of(const map *m, size_t *n)
{
    run *runs = es_alloc_array((size_t)(m->rows * m->columns), sizeof *runs);
    *n = 0;
    for (int64_t r = 0; r < m->rows; r++)
        for (int64_t c = 0; c < m->columns; c++) {
            es_argb colour = colour_at(m, r, c);
            if (c && runs[*n - 1].colour == colour)
                runs[*n - 1].n++;
            else
                runs[(*n)++] = (run){colour, (int32_t)r, (int32_t)c, 1};
        }
    qsort(runs, *n, sizeof *runs, by_colour);
    return runs;
}

/* A path a colour, in units of cells: strokes as high as a cell, each from where the one before ended. */
static void put_runs(es_str *out, const run *runs, size_t n)
{
    for (size_t i = 0; i < n;) {
        const run *first = &runs[i], *before = first;
        es_str_cat(out, "<path");
        es_svg_paint(out, "stroke", first->colour);
        es_str_add(out, " d=\"M%d %d.5h%d", first->column, first->row, first->n);
        for (i++; i < n && runs[i].colour == first->colour; before = &runs[i++])
            es_str_add(out, "m%d %dh%d", runs[i].column - before->column - before->n,
                       runs[i].row - before->row, runs[i].n);
        es_str_cat(out, "\"/>\n");
    }
}

/* A number without rounding to speak of: the sides of a box over its cells. */
static void put_scale(es_str *out, double v)
{
    int64_t n = llround(v * 1e6);
    es_str_add(out, "%" PRId64 ".%06d", n / 1000000, (int)(n % 1000000));
}

void es_svg_map(es_str *out, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    map m = map_of(box, colour, rows, columns);
    size_t n;
    run *runs = runs_of(&m, &n);
    es_str_cat(out, "<g fill=\"none\" shape-rendering=\"crispEdges\" transform=\"translate(");
    es_svg_number(out, box.x);
    es_str_char(out, ' ');
    es_svg_number(out, box.y);
    es_str_cat(out, ") scale(");
    put_scale(out, box.w / (double)m.columns);
    es_str_char(out, ' ');
    put_scale(out, box.h / (double)m.rows);
    es_str_cat(out, ")\">\n");
    put_runs(out, runs, n);
    es_str_cat(out, "</g>\n");
    free(runs);
}
