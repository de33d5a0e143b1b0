// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/strip.h"

#include "base/mem.h"

static const SDL_Color white = {255, 255, 255, 255};

static uint32_t *row_of(const SDL_Surface *s, int y)
{
    return (uint32_t *)(void *)((uint8_t *)s->pixels + (ptrdiff_t)y * s->pitch);
}

/* ---- what SDL_ttf does not say: where the pixels are ---- */

static int width_of(TTF_Font *font, const char *before, const char *text, const char *after)
{
    es_str all = {0};
    int w = 0;
    es_str_add(&all, "%s%s%s", before, text, after);
    TTF_SizeUTF8(font, es_str_text(&all), &w, NULL);
    es_str_free(&all);
    return w;
}

/* A space beside the run covers what of it hangs out on that side: the difference tells how much, and a space has a
 * width of its own to be taken off. */
static void measure(es_strip *out, TTF_Font *font, const char *text, bool rtl)
{
    int space = width_of(font, "", " ", ""), all = width_of(font, "", text, "");
    const char *first = rtl ? "" : " ", *last = rtl ? " " : "";
    int without_left = width_of(font, first, text, last) - space;
    int without_right = width_of(font, last, text, first) - space;
    out->left = all > without_left ? without_left - all : 0;
    out->advance = without_right + out->left;
}

/* The row of a line drawn under the text, which is where the font says it is whatever stands above: the only trace
 * of how many rows were added on top for letters higher than the font. */
static int underline_row(TTF_Font *font, const char *text, const SDL_Surface *without)
{
    int row = 0;
    bool found = false;
    TTF_SetFontStyle(font, TTF_STYLE_UNDERLINE);
    SDL_Surface *with = TTF_RenderUTF8_Blended(font, text, white);
    TTF_SetFontStyle(font, TTF_STYLE_NORMAL);
    for (; with && row < with->h && !found; row++) {
        bool full = true, before = without && row < without->h;
        for (int x = 0; x < with->w; x++) {
            full = full && row_of(with, row)[x] >> 24 == 255;
            before = before && x < without->w && row_of(without, row)[x] >> 24 == 255;
        }
        found = full && !before;
    }
    SDL_FreeSurface(with);
    return found ? row - 1 : 0;
}

static int rows_on_top(TTF_Font *font, const char *text, const SDL_Surface *drawn)
{
    if (drawn->h == TTF_FontHeight(font))
        return 0;
    int rows = underline_row(font, text, drawn) - underline_row(font, " ", NULL);
    return rows > 0 ? rows : 0;
}

/* ---- pictures of one size ---- */

/* The mean of a part of a picture, colours weighed by how opaque they are. */
static uint32_t mean_of(const SDL_Surface *s, SDL_Rect part)
{
    uint64_t sum[3] = {0}, alpha = 0;
    for (int y = part.y; y < part.y + part.h; y++)
        for (int x = part.x; x < part.x + part.w; x++) {
            uint32_t p = row_of(s, y)[x], a = p >> 24;
            alpha += a;
            for (int k = 0; k < 3; k++)
                sum[k] += (uint64_t)a * (p >> 8 * k & 255);
        }
    if (!alpha)
        return 0;
    uint32_t mean = (uint32_t)(alpha / ((uint64_t)part.w * (uint64_t)part.h)) << 24;
    for (int k = 0; k < 3; k++)
        mean |= (uint32_t)(sum[k] / alpha) << 8 * k;
    return mean;
}

static SDL_Surface *scaled(const SDL_Surface *s, float by)
{
    int w = (int)((float)s->w * by + 0.5f), h = (int)((float)s->h * by + 0.5f);
    w = w > 0 ? w : 1;
    h = h > 0 ? h : 1;
    SDL_Surface *out = SDL_CreateRGBSurfaceWithFormat(0, w, h, 32, SDL_PIXELFORMAT_ARGB8888);
    for (int y = 0; out && y < h; y++)
        for (int x = 0; x < w; x++) {
            SDL_Rect part = {x * s->w / w, y * s->h / h, 0, 0};
            part.w = (x + 1) * s->w / w - part.x;
            part.h = (y + 1) * s->h / h - part.y;
            part.w = part.w > 0 ? part.w : 1;
            part.h = part.h > 0 ? part.h : 1;
            row_of(out, y)[x] = mean_of(s, part);
        }
    return out;
}

/* Pictures are as high as a line of letters. */
static void scale_to(es_strip *s, TTF_Font *font, float em)
{
    const float line = 1.17f;
    int h = TTF_FontHeight(font);
    float by = h > 0 ? line * em / (float)h : 1;
    SDL_Surface *small = scaled(s->pixels, by);
    SDL_FreeSurface(s->pixels);
    s->pixels = small;
    s->left = (int)((float)s->left * by);
    s->base = (int)((float)s->base * by + 0.5f);
    s->advance = (int)((float)s->advance * by + 0.5f);
}

/* ---- all of it ---- */

bool es_strip_draw(es_strip *out, es_faces *f, const es_run *run, const char *text, int quarters)
{
    TTF_Font *font = es_faces_at(f, run->face, quarters);
    *out = (es_strip){.coloured = es_faces_coloured(f, run->face)};
    if (!font)
        return false;
    TTF_SetFontDirection(font, run->rtl ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(font, run->script);
    out->pixels = TTF_RenderUTF8_Blended(font, text, white);
    if (!out->pixels)
        return false;
    measure(out, font, text, run->rtl);
    out->base = TTF_FontAscent(font) + rows_on_top(font, text, out->pixels);
    if (!es_faces_scales(f, run->face))
        scale_to(out, font, (float)quarters / 4);
    return out->pixels != NULL;
}

void es_strip_free(es_strip *s)
{
    SDL_FreeSurface(s->pixels);
    *s = (es_strip){0};
}
