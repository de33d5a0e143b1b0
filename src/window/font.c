// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/font.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "window/lines.h"
#include "window/strip.h"

/* No picture is wider than MOST_WIDTH, and a letter about half an em. */
enum { MOST_EM = 512, MOST_WIDTH = 32768, MEASURED_EM = 64 };

typedef struct system_font {
    es_font font; /* first: it is one */
    es_faces *faces;
    es_glyph_lines *lines;
    float leading, middle; /* of an em; 0: not measured yet */
} system_font;

/* ---- strips on one baseline ---- */

typedef struct box {
    int x0, y0, x1, y1; /* around the beginning of the line's baseline */
} box;

typedef struct placed {
    es_strip strip;
    int x;   /* where its baseline begins */
    box ink; /* the part where something is to be seen; empty: nowhere */
} placed;

static box box_of(const placed *p)
{
    int x = p->x + p->strip.left, y = -p->strip.base;
    return (box){x, y, x + p->strip.pixels->w, y + p->strip.pixels->h};
}

static void widen(box *b, const box *with)
{
    b->x0 = with->x0 < b->x0 ? with->x0 : b->x0;
    b->y0 = with->y0 < b->y0 ? with->y0 : b->y0;
    b->x1 = with->x1 > b->x1 ? with->x1 : b->x1;
    b->y1 = with->y1 > b->y1 ? with->y1 : b->y1;
}

static const uint32_t *row_of(const placed *p, int y)
{
    const SDL_Surface *s = p->strip.pixels;
    return (const uint32_t *)(const void *)((const uint8_t *)s->pixels + (ptrdiff_t)y * s->pitch);
}

static box ink_of(const placed *p)
{
    box all = box_of(p), ink = {all.x1, all.y1, all.x0, all.y0};
    for (int y = all.y0; y < all.y1; y++)
        for (int x = all.x0; x < all.x1; x++)
            if (row_of(p, y - all.y0)[x - all.x0] >> 24)
                widen(&ink, &(box){x, y, x + 1, y + 1});
    return ink;
}

static void put(const placed *p, const box *all, uint8_t *cover, uint32_t *colour)
{
    box at = box_of(p), ink = p->ink;
    size_t w = (size_t)(all->x1 - all->x0);
    for (int y = ink.y0; y < ink.y1; y++)
        for (int x = ink.x0; x < ink.x1; x++) {
            uint32_t pixel = row_of(p, y - at.y0)[x - at.x0];
            size_t to = (size_t)(y - all->y0) * w + (size_t)(x - all->x0);
            if (p->strip.coloured)
                colour[to] = pixel >> 24 ? pixel : colour[to];
            else if (pixel >> 24 > cover[to])
                cover[to] = (uint8_t)(pixel >> 24);
        }
}

static void compose(es_glyphs *out, const placed *of, size_t n)
{
    bool coloured = false, empty = true;
    box all = {0};
    for (size_t i = 0; i < n; i++) {
        const box *ink = &of[i].ink;
        if (ink->x0 >= ink->x1)
            continue;
        if (empty)
            all = *ink;
        widen(&all, ink);
        empty = false;
        coloured = coloured || of[i].strip.coloured;
    }
    size_t pixels = (size_t)(all.x1 - all.x0) * (size_t)(all.y1 - all.y0);
    uint8_t *cover = es_alloc(pixels ? pixels : 1);
    uint32_t *colour = coloured ? es_alloc_array(pixels, sizeof *colour) : NULL;
    for (size_t i = 0; i < n; i++)
        put(&of[i], &all, cover, colour);
    *out = (es_glyphs){.w = all.x1 - all.x0,
                       .h = all.y1 - all.y0,
                       .left = all.x0,
                       .base = -all.y0,
                       .cover = cover,
                       .colour = colour};
}

/* ---- a line ---- */

static void draw_runs(system_font *f, const es_runs *runs, int quarters, es_glyphs *out)
{
    placed *of = es_alloc_array(runs->n ? runs->n : 1, sizeof *of);
    size_t n = 0;
    int x = 0;
    for (size_t i = 0; i < runs->n && x < MOST_WIDTH; i++) {
        const es_run *run = &runs->run[i];
        char *text = es_copy_bytes(runs->text.s + run->at, run->n);
        if (es_strip_draw(&of[n].strip, f->faces, run, text, quarters)) {
            of[n].x = x;
            of[n].ink = ink_of(&of[n]);
            x += of[n++].strip.advance;
        }
        free(text);
    }
    compose(out, of, n);
    out->advance = (float)x;
    for (size_t i = 0; i < n; i++)
        es_strip_free(&of[i].strip);
    free(of);
}

static int quarters_of(float size)
{
    if (!(size >= 1))
        return 4;
    return (int)(4 * (size < MOST_EM ? size : MOST_EM) + 0.5f);
}

static bool line(es_font *font, const char *text, size_t n, float size, bool bold, bool mono,
                 es_glyphs *out)
{
    system_font *f = (system_font *)font;
    int quarters = quarters_of(size);
    size_t most = (size_t)(8 * MOST_WIDTH / quarters); /* letters of half an em */
    int style = (bold ? ES_STYLE_BOLD : 0) | (mono ? ES_STYLE_MONO : 0);
    const es_line_key key = {text, n < 8 * most ? n : 8 * most, quarters, style};
    *out = (es_glyphs){0};
    if (!n)
        return false;
    const es_glyphs *kept = es_glyph_lines_find(f->lines, &key);
    if (kept) {
        *out = *kept;
        return true;
    }
    es_runs runs;
    es_runs_cut(&runs, f->faces, style, key.text, key.n, most);
    draw_runs(f, &runs, quarters, out);
    es_runs_free(&runs);
    es_glyph_lines_keep(f->lines, &key, out);
    return true;
}

/* ---- heights ---- */

static void measure(system_font *f)
{
    TTF_Font *font = es_faces_at(f->faces, 0, 4 * MEASURED_EM);
    int small = MEASURED_EM / 2, digit = 3 * MEASURED_EM / 4, left, right, bottom, advance;
    f->leading = 1.17f;
    if (font) {
        TTF_GlyphMetrics32(font, 'x', &left, &right, &bottom, &small, &advance);
        TTF_GlyphMetrics32(font, '0', &left, &right, &bottom, &digit, &advance);
        f->leading = (float)TTF_FontLineSkip(font) / MEASURED_EM;
    }
    f->middle = (float)(small + digit) / (4 * MEASURED_EM);
}

static float height(es_font *font, float size, float *middle)
{
    system_font *f = (system_font *)font;
    if (f->leading <= 0)
        measure(f);
    *middle = f->middle * size;
    return f->leading * size;
}

/* ---- all of it ---- */

static void free_font(es_font *font)
{
    system_font *f = (system_font *)font;
    es_glyph_lines_free(f->lines);
    es_faces_free(f->faces);
    TTF_Quit();
    free(f);
}

es_font *es_system_font_new(es_error *err)
{
    static const es_font_ops ops = {line, height, free_font};
    if (TTF_Init()) {
        es_fail(err, ES_ERR_UNSUPPORTED, "SDL_ttf cannot draw letters: %s", TTF_GetError());
        return NULL;
    }
    es_faces *faces = es_faces_new(err);
    if (!faces) {
        TTF_Quit();
        return NULL;
    }
    system_font *f = es_alloc(sizeof *f);
    *f = (system_font){.font = {&ops}, .faces = faces, .lines = es_glyph_lines_new()};
    return &f->font;
}

void es_system_font_names(es_font *f, es_str *out)
{
    es_faces_names(((system_font *)f)->faces, out);
}
