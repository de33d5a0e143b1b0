// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/svg_discs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/svg_words.h"

/* Discs that look alike and do not touch: drawn at once. */
typedef struct sheet {
    es_argb colour;
    float r;
    int32_t next; /* the next sheet above that looks the same; -1: there is none */
    es_str path;
} sheet;

/* How high the sheets lie that touch each cell of the picture. */
typedef struct pile {
    es_box around;
    float side;
    int64_t rows, columns;
    int32_t *top; /* the highest sheet here, counted from 1; 0: bare */
    sheet *sheet; /* n, from below */
    int32_t n, room;
    int32_t *first,
        *last; /* the lowest and the highest sheet of each look that there is, by hash */
} pile;

enum { LOOKS = 1 << 14 };

/* ---- looks ---- */

static uint8_t rounded_part(uint8_t v)
{
    const int step = 8, most = 255;
    int to = (v + step / 2) / step * step;
    return (uint8_t)(to > most ? most : to);
}

/* To three binary digits: a faint disc stays about as faint as it is. */
static uint8_t rounded_opacity(uint8_t v)
{
    int step = 1;
    while (v / step >= 8)
        step *= 2;
    int to = (v + step / 2) / step * step;
    return (uint8_t)(to > 255 ? 255 : to);
}

static es_argb rounded(es_argb c)
{
    return (es_argb)rounded_opacity((uint8_t)(c >> 24)) << 24 |
           (es_argb)rounded_part((uint8_t)(c >> 16)) << 16 |
           (es_argb)rounded_part((uint8_t)(c >> 8)) << 8 | rounded_part((uint8_t)c);
}

static size_t place_of(es_argb colour, float r)
{
    const uint32_t odd = 2654435761U;
    uint32_t bits;
    memcpy(&bits, &r, sizeof bits);
    return (colour * odd ^ bits * odd) >> 18 & (LOOKS - 1);
}

/* ---- sheets ---- */

static int32_t new_sheet(pile *p, es_argb colour, float r, size_t place)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 1024;
        p->sheet = es_realloc(p->sheet, (size_t)p->room * sizeof *p->sheet);
    }
    p->sheet[p->n] = (sheet){.colour = colour, .r = r, .next = -1};
    if (p->first[place] < 0)
        p->first[place] = p->n;
    else
        p->sheet[p->last[place]].next = p->n;
    p->last[place] = p->n;
    return p->n++;
}

/* The lowest sheet of that look, from `least` on. */
static int32_t sheet_for(pile *p, es_argb colour, float r, int32_t least)
{
    size_t place = place_of(colour, r);
    if (p->last[place] >= least)
        for (int32_t i = p->first[place]; i >= 0; i = p->sheet[i].next)
            if (i >= least && p->sheet[i].colour == colour && p->sheet[i].r == r)
                return i;
    return new_sheet(p, colour, r, place);
}

/* ---- the picture's cells ---- */

typedef struct cells {
    int64_t row, column, rows, columns;
} cells;

static int64_t cell_of(float at, float from, float side, int64_t n)
{
    float i = floorf((at - from) / side);
    return i < 0 ? 0 : i >= (float)n ? n - 1 : (int64_t)i;
}

static cells cells_under(const pile *p, const es_disc *d)
{
    const es_box a = p->around;
    int64_t top = cell_of(d->y - d->r, a.y, p->side, p->rows);
    int64_t left = cell_of(d->x - d->r, a.x, p->side, p->columns);
    return (cells){top, left, cell_of(d->y + d->r, a.y, p->side, p->rows) + 1 - top,
                   cell_of(d->x + d->r, a.x, p->side, p->columns) + 1 - left};
}

/* From the middle of a disc to the nearest spot of a cell. */
static float to_cell(float middle, float from, float side, int64_t i)
{
    float low = from + (float)i * side;
    return fmaxf(fmaxf(low - middle, middle - low - side), 0);
}

static bool touches(const pile *p, const es_disc *d, int64_t row, int64_t column)
{
    float x = to_cell(d->x, p->around.x, p->side, column);
    float y = to_cell(d->y, p->around.y, p->side, row);
    return x * x + y * y < d->r * d->r;
}

static int32_t highest(const pile *p, const es_disc *d, cells c)
{
    int32_t most = 0;
    for (int64_t i = c.row; i < c.row + c.rows; i++)
        for (int64_t k = c.column; k < c.column + c.columns; k++)
            if (p->top[i * p->columns + k] > most && touches(p, d, i, k))
                most = p->top[i * p->columns + k];
    return most;
}

static void lay(pile *p, const es_disc *d, cells c, int32_t height)
{
    for (int64_t i = c.row; i < c.row + c.rows; i++)
        for (int64_t k = c.column; k < c.column + c.columns; k++)
            if (touches(p, d, i, k))
                p->top[i * p->columns + k] = height;
}

/* ---- discs ---- */

static void put_tenths(es_str *out, float v)
{
    const float most = 1e6F;
    long n = lroundf(fmaxf(fminf(v, most), -most) * 10);
    es_str_add(out, "%s%ld", n < 0 ? "-" : "", labs(n) / 10);
    if (n % 10)
        es_str_add(out, ".%ld", labs(n) % 10);
}

/* A stroke too short to be seen, and its round ends; of no length at all, some programs leave it out. */
static void put_disc(pile *p, const es_disc *d)
{
    cells under = cells_under(p, d);
    int32_t i = sheet_for(p, rounded(d->colour), d->r, highest(p, d, under));
    es_str *path = &p->sheet[i].path;
    es_str_char(path, 'M');
    put_tenths(path, d->x);
    es_str_char(path, ' ');
    put_tenths(path, d->y);
    es_str_cat(path, "h.01");
    lay(p, d, under, i + 1);
}

static void put_sheets(es_str *out, const pile *p)
{
    float r = 0;
    for (int32_t i = 0; i < p->n; i++) {
        const sheet *s = &p->sheet[i];
        if (s->r != r) {
            es_str_cat(out, i ? "</g>\n" : "");
            es_str_cat(out, "<g fill=\"none\" stroke-linecap=\"round\"");
            es_svg_attribute(out, "stroke-width", 2 * s->r);
            es_str_cat(out, ">\n");
            r = s->r;
        }
        es_str_cat(out, "<path");
        es_svg_paint(out, "stroke", s->colour);
        es_str_add(out, " d=\"%s\"/>\n", es_str_text(&s->path));
    }
    es_str_cat(out, p->n ? "</g>\n" : "");
}

/* Cells of about half the smallest disc, and not too many of them. */
static pile pile_for(es_box around, const es_disc *const *disc, size_t n)
{
    const float least = 0.5F, most_cells = 4e6F;
    float r = n ? disc[0]->r : 1;
    for (size_t i = 1; i < n; i++)
        r = fminf(r, disc[i]->r);
    float side = fmaxf(fmaxf(r / 2, least), sqrtf(around.w * around.h / most_cells));
    pile p = {.around = around,
              .side = side,
              .rows = (int64_t)ceilf(around.h / side) + 1,
              .columns = (int64_t)ceilf(around.w / side) + 1};
    p.top = es_alloc_array((size_t)(p.rows * p.columns), sizeof *p.top);
    p.first = es_alloc_array(LOOKS, sizeof *p.first);
    p.last = es_alloc_array(LOOKS, sizeof *p.last);
    memset(p.first, -1, LOOKS * sizeof *p.first);
    memset(p.last, -1, LOOKS * sizeof *p.last);
    return p;
}

void es_svg_discs(es_str *out, es_box around, const es_disc *const *disc, size_t n)
{
    pile p = pile_for(around, disc, n);
    for (size_t i = 0; i < n; i++)
        put_disc(&p, disc[i]);
    put_sheets(out, &p);
    for (int32_t i = 0; i < p.n; i++)
        es_str_free(&p.sheet[i].path);
    free(p.sheet);
    free(p.top);
    free(p.first);
    free(p.last);
}
