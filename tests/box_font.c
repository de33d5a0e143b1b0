// SPDX-License-Identifier: GPL-3.0-or-later
#include "box_font.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

enum {
    KEPT = 1024, /* lines, of which the last BORROWED stay whatever comes */
    BORROWED = 256,
    COLUMNS = 5,
    ROWS = 7, /* of a pattern; its last column is the gap to the next */
    PICTOGRAPHS = 0x1F300
};

typedef struct kept_line {
    uint64_t key; /* of its text, size and weight */
    uint64_t made;
    uint8_t *cover;
    uint32_t *colour;
    es_glyphs glyphs;
} kept_line;

typedef struct box_font_state {
    es_font font; /* first */
    kept_line line[KEPT];
    uint16_t last[KEPT]; /* by key, the line that was made last */
    uint64_t made;
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
    *cp = bytes ? *cp : (unsigned char)text[*at];
    *columns = bytes ? es_char_columns(*cp) : 1;
    *at += bytes ? (size_t)bytes : 1;
    return true;
}

static uint64_t key_of(const char *text, size_t n, float size, bool bold)
{
    /* multiplied before letters come, or a bold R would be a thin S */
    uint64_t key = (14695981039346656037u ^ (uint64_t)(size * 64) << 1 ^ bold) * 1099511628211u;
    for (size_t i = 0; i < n; i++)
        key = (key ^ (unsigned char)text[i]) * 1099511628211u;
    return key ^ key >> 32;
}

/* Fonts bring colours only where there are some. */
static bool has_pictograph(const char *text, size_t n)
{
    uint32_t cp;
    int columns;
    for (size_t at = 0; next_character(text, n, &at, &cp, &columns);)
        if (cp >= PICTOGRAPHS)
            return true;
    return false;
}

static void make_line(kept_line *l, const char *text, size_t n, float size, bool bold)
{
    uint32_t cp;
    int columns, all = 0, h = (int)ceilf(BOX_FONT_RISE * size);
    for (size_t at = 0; next_character(text, n, &at, &cp, &columns);)
        all += columns;
    float advance = BOX_FONT_ADVANCE * size * (float)all, x = 0;
    int w = (int)ceilf(advance);
    free(l->cover);
    free(l->colour);
    l->cover = es_alloc_array((size_t)w * (size_t)h + 1, 1);
    l->colour = has_pictograph(text, n)
                    ? es_alloc_array((size_t)w * (size_t)h + 1, sizeof *l->colour)
                    : NULL;
    l->glyphs = (es_glyphs){w, h, 0, h, advance, l->cover, l->colour};
    for (size_t at = 0; next_character(text, n, &at, &cp, &columns);) {
        float end = x + BOX_FONT_ADVANCE * size * (float)columns;
        draw_character(&l->glyphs, l->cover, l->colour, cp, (int)x, (int)end, bold);
        x = end;
    }
}

static bool line(es_font *f, const char *text, size_t n, float size, bool bold, bool mono,
                 es_glyphs *out)
{
    (void)mono;
    box_font_state *b = (box_font_state *)f;
    uint64_t key = key_of(text, n, size, bold);
    kept_line *l = &b->line[b->last[key % KEPT]];
    if (l->key != key || !l->cover || b->made - l->made >= KEPT - BORROWED) {
        b->last[key % KEPT] = (uint16_t)(b->made % KEPT);
        l = &b->line[b->made % KEPT];
        l->key = key;
        l->made = b->made++;
        make_line(l, text, n, size, bold);
    }
    *out = l->glyphs;
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
