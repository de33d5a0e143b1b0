// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "view/mean.h"

static const char upper_half[] = "\u2580", lower_half[] = "\u2584";
static const char first_strong_isolate[] = "\u2068", pop_isolate[] = "\u2069";

static es_argb half_at(const es_cells *t, int line, int column, int lower)
{
    return t->half[(2 * line + lower) * t->columns + column];
}

/* What a character stands on. */
static es_argb behind(const es_cells *t, int line, int column)
{
    const es_argb both[] = {half_at(t, line, column, 0), half_at(t, line, column, 1)};
    return es_mean_colour(both, 1, (es_cell_range){0, 2, 0, 1});
}

/* Ink that has nearly the colour it stands on: that gives way to the picture's ground, or else the ink is another. */
static void make_legible(const es_cells *t, es_argb *ink, es_argb *on)
{
    const es_argb black = 0xff000000, white = 0xffffffff, drawn = *on;
    const float least = 3, step = 0.25F; /* contrast of large text: WCAG 2.1, 1.4.3 */
    *ink = es_blend(*on, *ink);
    for (float share = step; es_contrast(*ink, *on) < least && share <= 1; share += step)
        *on = es_blend(drawn, es_fade(t->ground, share));
    if (es_contrast(*ink, *on) < least)
        *ink = es_contrast(white, *on) > es_contrast(black, *on) ? white : black;
}

/* ---- letters from right to left ---- */

static bool has_letter(const struct es_cell *cell)
{
    return cell->text[0] && strcmp(cell->text, " ") != 0;
}

static bool is_rtl(const struct es_cell *cell)
{
    uint32_t cp;
    return es_utf8_next(cell->text, strlen(cell->text), &cp) > 0 && es_char_rtl(cp);
}

/* Where the letters from right to left that begin at a column end, within the word. */
static int rtl_end(const struct es_cell *row, int column, int columns)
{
    int end = column;
    for (; column < columns && has_letter(&row[column]); column++)
        if (is_rtl(&row[column]))
            end = column + 1;
    return end;
}

/* ---- in colour ---- */

/* What the terminal was told last. */
typedef struct pencil {
    es_str *out;
    es_argb ink, ground; /* 0: nothing yet on this line */
    bool bold;
} pencil;

static void put_colour(es_str *out, int which, es_argb colour)
{
    es_str_add(out, "%s%d;2;%d;%d;%d", out->len ? ";" : "", which, (int)(colour >> 16 & 0xff),
               (int)(colour >> 8 & 0xff), (int)(colour & 0xff));
}

/* Say what changes; ink 0: any will do. */
static void change(pencil *p, es_argb ink, es_argb ground, bool bold)
{
    es_str codes = {0};
    if (ink && bold != p->bold) {
        es_str_cat(&codes, bold ? "1" : "22");
        p->bold = bold;
    }
    if (ink && ink != p->ink) {
        put_colour(&codes, 38, ink);
        p->ink = ink;
    }
    if (ground != p->ground) {
        put_colour(&codes, 48, ground);
        p->ground = ground;
    }
    if (codes.len)
        es_str_add(p->out, "\x1b[%sm", codes.s);
    es_str_free(&codes);
}

static void put_halves(pencil *p, es_argb upper, es_argb lower)
{
    if (upper == lower) {
        change(p, 0, upper, false);
        es_str_char(p->out, ' ');
    } else if (p->ground == upper ||
               p->ink == lower) { /* the other way round there is less to say */
        change(p, lower, upper, p->bold);
        es_str_cat(p->out, lower_half);
    } else {
        change(p, upper, lower, p->bold);
        es_str_cat(p->out, upper_half);
    }
}

static void put_coloured(pencil *p, const es_cells *t, int line, int column)
{
    const struct es_cell *cell = &t->cell[line * t->columns + column];
    if (!cell->text[0]) {
        put_halves(p, half_at(t, line, column, 0), half_at(t, line, column, 1));
        return;
    }
    es_argb on = behind(t, line, column), ink = cell->ink;
    make_legible(t, &ink, &on);
    change(p, ink, on, cell->bold);
    es_str_cat(p->out, cell->text);
}

/* ---- in characters alone ---- */

/* How far a colour is from the ground, 0 to 1. */
static float distance(const es_cells *t, es_argb colour)
{
    int most = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        int d = abs((int)(colour >> shift & 0xff) - (int)(t->ground >> shift & 0xff));
        most = d > most ? d : most;
    }
    return (float)most / 255;
}

/* What is farthest in the picture, but not what hardly differs. */
static float farthest(const es_cells *t)
{
    float most = 0.5F;
    for (int i = 0; i < 2 * t->lines * t->columns; i++)
        most = fmaxf(most, distance(t, t->half[i]));
    return most;
}

static void put_dense(es_str *out, const es_cells *t, int line, int column, float most)
{
    static const char denser[] = " .:-=+*#%@";
    const struct es_cell *cell = &t->cell[line * t->columns + column];
    if (cell->text[0]) {
        es_str_cat(out, cell->text);
        return;
    }
    float dense =
        (distance(t, half_at(t, line, column, 0)) + distance(t, half_at(t, line, column, 1))) /
        (2 * most);
    es_str_char(out, denser[(int)(dense * (float)(sizeof denser - 2) + 0.5F)]);
}

/* ---- lines ---- */

static void put_line(es_str *out, const es_cells *t, int line, bool colour, bool isolate,
                     float most)
{
    const struct es_cell *row = t->cell + line * t->columns;
    pencil p = {.out = out};
    int isolated = 0; /* up to this column */
    size_t begin = out->len;
    for (int i = 0; i < t->columns; i++) {
        if (isolate && isolated <= i && is_rtl(&row[i])) {
            isolated = rtl_end(row, i, t->columns);
            es_str_cat(out, first_strong_isolate);
        }
        if (row[i].text[0] == '\1') /* shown with its left half */
            ;
        else if (colour)
            put_coloured(&p, t, line, i);
        else
            put_dense(out, t, line, i, most);
        if (isolated == i + 1)
            es_str_cat(out, pop_isolate);
    }
    while (!colour && out->len > begin && out->s[out->len - 1] == ' ')
        es_str_cut(out, out->len - 1);
    es_str_cat(out, colour ? "\x1b[0m\n" : "\n");
}

void es_cells_show(const es_cells *t, es_str *out, bool colour, bool isolate)
{
    float most = colour ? 0 : farthest(t);
    for (int line = 0; line < t->lines; line++)
        put_line(out, t, line, colour, isolate, most);
}
