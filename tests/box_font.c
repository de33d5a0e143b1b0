// SPDX-License-Identifier: GPL-3.0-or-later
#include "box_font.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

enum {
    KEPT = 256, /* lines that stay borrowed */
    COLUMNS = 5,
    ROWS = 7, /* of a pattern; its last column is the gap to the next */
    PICTOGRAPHS = 0x1F300
};

typedef struct box_font_state {
    es_font font; /* first */
    struct {
        uint8_t *cover;
        uint32_t *colour;
    } line[KEPT];
    unsigned next;
} box_font_state;

static uint32_t scrambled(uint32_t cp)
{
    cp = (cp + 1) * 2654435761u;
    return (cp ^ cp >> 15) * 2246822519u;
}

/* Is the box in this column and row of the pattern full? */
static bool box_is_full(uint32_t cp, int column, int row, bool bold)
{
    if (cp == ' ' || column == COLUMNS - 1)
        return false;
    if (column == 0 || (bold && column == 1))
        return true;
    return scrambled(cp) >> (row * 3 + column - 1) & 1;
}

/* Pixels of a line that a character takes, x0..x1 of rows 0..h. */
static void draw_character(es_glyphs *g, uint8_t *cover, uint32_t *colour, uint32_t cp, int x0,
                           int x1, bool bold)
{
    for (int y = 0; y < g->h; y++)
        for (int x = x0; x < x1; x++) {
            int at = y * g->w + x;
            if (!box_is_full(cp, (x - x0) * COLUMNS / (x1 - x0), y * ROWS / g->h, bold))
                continue;
            if (cp >= PICTOGRAPHS)
                colour[at] = 0xFF000000 | scrambled(cp);
            else
                cover[at] = 255;
        }
}

/* The next character of a line: its number, and columns; false: the end. */
static bool next_character(const char *text, size_t n, size_t *at, uint32_t *cp, int *columns)
{
    if (*at >= n)
        return false;
    int bytes = es_utf8_next(text + *at, n - *at, cp);
    *columns = bytes ? es_char_columns(*cp) : 1;
    *at += bytes ? (size_t)bytes : 1;
    return true;
}

static bool line(es_font *f, const char *text, size_t n, float size, bool bold, bool mono,
                 es_glyphs *out)
{
    (void)mono;
    box_font_state *b = (box_font_state *)f;
    uint32_t cp;
    int columns, all = 0;
    for (size_t at = 0; next_character(text, n, &at, &cp, &columns);)
        all += columns;
    int h = (int)ceilf(BOX_FONT_RISE * size);
    *out = (es_glyphs){.w = (int)ceilf(BOX_FONT_ADVANCE * size * (float)all),
                       .h = h,
                       .base = h,
                       .advance = BOX_FONT_ADVANCE * size * (float)all};
    unsigned k = b->next++ % KEPT;
    free(b->line[k].cover);
    free(b->line[k].colour);
    uint8_t *cover = es_alloc_array((size_t)out->w * (size_t)h + 1, 1);
    uint32_t *colour = es_alloc_array((size_t)out->w * (size_t)h + 1, sizeof *colour);
    out->cover = b->line[k].cover = cover;
    out->colour = b->line[k].colour = colour;
    float x = 0;
    for (size_t at = 0; next_character(text, n, &at, &cp, &columns);) {
        float end = x + BOX_FONT_ADVANCE * size * (float)columns;
        draw_character(out, cover, colour, cp, (int)x, (int)end, bold);
        x = end;
    }
    return out->w > 0;
}

static float height(es_font *f, float size, float *middle)
{
    (void)f;
    *middle = BOX_FONT_MIDDLE * size;
    return BOX_FONT_HEIGHT * size;
}

static void release(es_font *f)
{
    box_font_state *b = (box_font_state *)f;
    for (int k = 0; k < KEPT; k++) {
        free(b->line[k].cover);
        free(b->line[k].colour);
    }
    free(b);
}

es_font *box_font(void)
{
    static const es_font_ops ops = {line, height, release};
    box_font_state *b = es_alloc(sizeof *b);
    b->font.ops = &ops;
    return &b->font;
}
