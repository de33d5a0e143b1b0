// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "view/cells_paint.h"
#include "view/mean.h"
#include "view/segment.h"

static const char right_half[] = "\1"; /* of the wide character before it */

static es_cells *cells_of(es_canvas *c)
{
    return (es_cells *)c;
}

/* ---- characters ---- */

static bool is_right_half(const struct es_cell *cell)
{
    return cell->text[0] == right_half[0];
}

/* No character any more, nor half of one. */
static void drop_character(es_cells *t, int line, int column)
{
    struct es_cell *row = t->cell + line * t->columns;
    if (is_right_half(&row[column]))
        row[column - 1].text[0] = '\0';
    if (column + 1 < t->columns && is_right_half(&row[column + 1]))
        row[column + 1].text[0] = '\0';
    row[column].text[0] = '\0';
}

/* ---- half blocks ---- */

void es_half_paint(es_cells *t, int column, int row, es_argb colour, float cover)
{
    es_argb *half = &t->half[row * t->columns + column];
    *half = es_blend(*half, es_fade(colour, cover));
    if (cover >= 1 && colour >> 24 == 0xff)
        drop_character(t, row / 2, column);
}

int es_half_at(double units, int n)
{
    double i = units / ES_HALF;
    return i > 0 ? i < n ? (int)i : n : 0;
}

es_halves es_halves_touched(const es_cells *t, es_box b)
{
    if (!(b.w > 0 && b.h > 0))
        return (es_halves){0};
    int columns = t->columns, rows = 2 * t->lines;
    return (es_halves){es_half_at(b.x, columns), es_half_at(b.y, rows),
                       es_half_at(ceilf((b.x + b.w) / ES_HALF) * ES_HALF, columns),
                       es_half_at(ceilf((b.y + b.h) / ES_HALF) * ES_HALF, rows)};
}

/* From `from` to `to` units those whose middle is there, but at least one. */
static void filled(float from, float to, int n, int *begin, int *end)
{
    *begin = es_half_at(from + ES_HALF / 2 - 1e-3, n);
    *end = es_half_at(to + ES_HALF / 2 - 1e-3, n);
    if (*end > *begin || *begin == n)
        return;
    *begin = es_half_at((from + to) / 2, n - 1);
    *end = *begin + 1;
}

/* How much of the half block at i is between `from` and `to`. */
static float overlap(float from, float to, int i)
{
    return (fminf(to, (float)(i + 1) * ES_HALF) - fmaxf(from, (float)i * ES_HALF)) / ES_HALF;
}

/* A hairline would be one in eight of a half block, and hardly seen; but many, as between cells, must not hide them.  It
 * stays within the half block where it begins, or an edge on a border would tint both sides of it. */
static void thicken(float *at, float *size)
{
    const float least = ES_HALF / 4;
    if (*size <= 0 || *size >= least)
        return;
    float begin = floorf(*at / ES_HALF) * ES_HALF;
    *at = fminf(fmaxf(*at - (least - *size) / 2, begin), begin + ES_HALF - least);
    *size = least;
}

static void on_clip(es_canvas *c, es_box to)
{
    (void)c;
    (void)to;
}

static void on_fill(es_canvas *c, es_box box, es_argb colour)
{
    es_cells *t = cells_of(c);
    thicken(&box.x, &box.w);
    thicken(&box.y, &box.h);
    es_box b = es_box_meet(box, c->inside);
    es_halves a = es_halves_touched(t, b);
    for (int y = a.y; y < a.y_end; y++)
        for (int x = a.x; x < a.x_end; x++)
            es_half_paint(t, x, y, colour, overlap(b.x, b.x + b.w, x) * overlap(b.y, b.y + b.h, y));
}

/* The cells that are in `size` units from `from` on, a unit having `dense` of them. */
static void cells_in(double from, double size, double dense, int64_t n, int64_t *begin,
                     int64_t *end)
{
    double last = (double)(n - 1);
    *begin = (int64_t)fmin(fmax(from * dense, 0), last);
    *end = (int64_t)fmin(fmax((from + size) * dense, 0), last + 1);
    *end = *end > *begin ? *end : *begin + 1;
}

static void on_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows, int64_t columns)
{
    es_cells *t = cells_of(c);
    es_box b = es_box_meet(box, c->inside);
    es_halves a;
    if (!(b.w > 0 && b.h > 0))
        return;
    filled(b.x, b.x + b.w, t->columns, &a.x, &a.x_end);
    filled(b.y, b.y + b.h, 2 * t->lines, &a.y, &a.y_end);
    for (int y = a.y; y < a.y_end; y++)
        for (int x = a.x; x < a.x_end; x++) {
            es_cell_range of;
            cells_in((double)x * ES_HALF - box.x, ES_HALF, (double)columns / box.w, columns,
                     &of.column, &of.column_end);
            cells_in((double)y * ES_HALF - box.y, ES_HALF, (double)rows / box.h, rows, &of.row,
                     &of.row_end);
            es_half_paint(t, x, y, es_mean_colour(colour, columns, of), 1);
        }
}

/* ---- lines ---- */

/* A line being drawn: how far one has come, for dashes, and the half block painted last. */
typedef struct pen {
    es_cells *t;
    es_argb colour;
    float cover, dash;
    double gone;
    int column, row;
} pen;

static void dot(pen *p, double x, double y, double gone)
{
    es_box in = p->t->canvas.inside;
    int column = es_half_at(x, p->t->columns - 1), row = es_half_at(y, 2 * p->t->lines - 1);
    bool again = column == p->column && row == p->row;
    p->column = column;
    p->row = row;
    if (!again && in.w > 0 && in.h > 0 && (p->dash <= 0 || fmod(gone, 2 * p->dash) < p->dash))
        es_half_paint(p->t, column, row, p->colour, p->cover);
}

static void segment(pen *p, es_spot a, es_spot b)
{
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y, length = hypot(dx, dy), from, to;
    if (es_segment_inside(a, b, p->t->canvas.inside, &from, &to)) {
        int steps = (int)ceil((to - from) * fmax(fabs(dx), fabs(dy)) / ES_HALF);
        for (int i = 0; i <= steps; i++) {
            double at = steps ? from + (to - from) * i / steps : from;
            dot(p, a.x + at * dx, a.y + at * dy, p->gone + at * length);
        }
    }
    p->gone += isfinite(length) ? length : 0;
}

/* As thick as a half block; what makes a line thin makes it faint. */
static void on_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour)
{
    const float least = 0.4F, full = 3; /* units wide and wider is drawn in the line's own colour */
    pen p = {.t = cells_of(c),
             .colour = colour,
             .cover = fminf(fmaxf(width / full, least), 1),
             .dash = dash > 0 ? fmaxf(dash, ES_HALF) : 0,
             .column = -1};
    for (size_t i = 1; i < n; i++)
        segment(&p, at[i - 1], at[i]);
}

/* ---- text ---- */

static float on_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    (void)c;
    (void)ink;
    return (float)(es_columns(text, n) * ES_CELL_W);
}

/* One more mark on the character that ends before a column. */
static void add_mark(es_cells *t, int line, int column, const char *mark, size_t n)
{
    struct es_cell *cell = &t->cell[line * t->columns + column - 1];
    if (is_right_half(cell))
        cell--;
    size_t used = strlen(cell->text);
    if (!used || used + n >= sizeof cell->text)
        return;
    memcpy(cell->text + used, mark, n);
    cell->text[used + n] = '\0';
}

static void put_character(es_cells *t, int line, int column, int wide, const char *text, size_t n,
                          const es_ink *ink)
{
    struct es_cell *cell = &t->cell[line * t->columns + column];
    for (int i = 0; i < wide; i++)
        drop_character(t, line, column + i);
    memcpy(cell->text, text, n);
    cell->text[n] = '\0';
    cell->ink = ink->colour;
    cell->bold = ink->bold;
    if (wide == 2)
        strcpy(cell[1].text, right_half);
}

/* Does a character's middle lie inside? */
static bool has_room(const es_canvas *c, int column, int wide)
{
    float middle = ((float)column + (float)wide / 2) * ES_CELL_W;
    return column >= 0 && column + wide <= ((const es_cells *)c)->columns &&
           middle >= c->inside.x && middle < c->inside.x + c->inside.w;
}

static void on_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    es_cells *t = cells_of(c);
    const float far = 1e6F;
    if (!(y >= c->inside.y && y < c->inside.y + c->inside.h) || !(fabsf(x) < far))
        return;
    int line = (int)(y / ES_CELL_H), column = (int)lroundf(x / ES_CELL_W);
    bool drawn = false; /* the character before */
    for (size_t i = 0, len; i < n; i += len) {
        uint32_t cp = 0;
        int utf8 = es_utf8_next(text + i, n - i, &cp);
        len = utf8 ? (size_t)utf8 : 1;
        bool visible = utf8 && es_char_visible(cp);
        int wide = visible ? es_char_columns(cp) : 0;
        if (wide > 0) {
            drawn = has_room(c, column, wide);
            if (drawn)
                put_character(t, line, column, wide, text + i, len, ink);
            column += wide;
        } else if (drawn && visible) {
            add_mark(t, line, column, text + i, len);
        }
    }
}

/* ---- the canvas ---- */

static const es_canvas_ops ops = {on_clip,  on_fill, on_line, es_cells_discs,
                                  on_cells, on_text, on_width};

void es_cells_open(es_cells *t, int columns, int lines, es_argb ground)
{
    float w = (float)(columns * ES_CELL_W), h = (float)(lines * ES_CELL_H);
    size_t n = (size_t)columns * (size_t)lines;
    *t = (es_cells){.canvas = {&ops, w, h, {0, 0, w, h}, ES_CELL_H},
                    .columns = columns,
                    .lines = lines,
                    .ground = ground,
                    .half = es_alloc_array(2 * n, sizeof *t->half),
                    .cell = es_alloc_array(n, sizeof *t->cell)};
    for (size_t i = 0; i < 2 * n; i++)
        t->half[i] = ground;
}

void es_cells_close(es_cells *t)
{
    free(t->half);
    free(t->cell);
    *t = (es_cells){0};
}
