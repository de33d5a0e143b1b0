// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/raster_parts.h"

#define MOST_EM 2048.0f /* pixels; nothing larger can be read */

ES_INLINE void es_raster_ink_row_loop(uint32_t *pixel, const uint8_t *cover, int n, es_argb ink)
{
    typedef uint8_t bytes __attribute__((vector_size(ES_LANES)));
    const es_words rb = (es_words){0} + (ink & 0xFF00FF);
    const es_words g = (es_words){0} + (ink >> 8 & 0xFF);
    uint32_t alpha = es_parts(ink >> 24);
    for (; n >= ES_LANES; n -= ES_LANES, pixel += ES_LANES, cover += ES_LANES) {
        bytes some;
        memcpy(&some, cover, sizeof some);
        es_words part = __builtin_convertvector(some, es_words);
        part = (part + (part >> 7)) * alpha >> 8;
        es_over_lanes(pixel, rb, g, part << 16 | part);
    }
    for (int i = 0; i < n; i++)
        if (cover[i])
            pixel[i] = es_over(pixel[i], ink, es_parts(cover[i]) * alpha >> 8);
}
ES_TWO_FORMS(extern, es_raster_ink_row,
             (uint32_t * pixel, const uint8_t *cover, int n, es_argb ink), (pixel, cover, n, ink))

/* With the pictures among the letters; colour NULL: there are none. */
static void blit_row(uint32_t *pixel, const uint8_t *cover, const uint32_t *colour, int n,
                     es_argb ink)
{
    uint32_t alpha = es_parts(ink >> 24);
    es_raster_ink_row(pixel, cover, n, ink);
    for (int i = 0; colour && i < n; i++)
        if (colour[i] >> 24)
            pixel[i] = es_over(pixel[i], colour[i], es_parts(colour[i] >> 24) * alpha >> 8);
}

static bool line_of(es_raster *r, const char *text, size_t n, const es_ink *ink, es_glyphs *out)
{
    float size = ink->size * r->scale;
    return r->font && size > 0 && size <= MOST_EM &&
           es_font_line(r->font, text, n, size, ink->bold, ink->mono, out);
}

/* Letters stand on whole pixels: there they are crisp, and the same wherever they stand. */
void es_raster_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink)
{
    es_raster *r = (es_raster *)c;
    es_glyphs g;
    float middle = 0;
    if (!line_of(r, text, n, ink, &g))
        return;
    es_font_height(r->font, ink->size * r->scale, &middle);
    int left = es_pixel((double)x * r->scale) + g.left;
    int top = es_pixel((double)y * r->scale + middle) - g.base;
    es_pixels in = es_raster_inside(r);
    int x0 = left > in.x0 ? left : in.x0, x1 = left + g.w < in.x1 ? left + g.w : in.x1;
    int y0 = top > in.y0 ? top : in.y0, y1 = top + g.h < in.y1 ? top + g.h : in.y1;
    for (int row = y0; row < y1 && x0 < x1; row++) {
        size_t at = (size_t)(row - top) * (size_t)g.w + (size_t)(x0 - left);
        blit_row(r->pixels + (size_t)row * r->w + x0, g.cover + at, g.colour ? g.colour + at : NULL,
                 x1 - x0, ink->colour);
    }
}

float es_raster_text_width(es_canvas *c, const char *text, size_t n, const es_ink *ink)
{
    const es_raster *r = (const es_raster *)c;
    es_glyphs g;
    return line_of((es_raster *)c, text, n, ink, &g) ? g.advance / r->scale : 0;
}
