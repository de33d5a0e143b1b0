// SPDX-License-Identifier: GPL-3.0-or-later
/* What the files of the raster share: which pixels are in force, and how a colour goes over another. */
#ifndef ES_VIEW_RASTER_PARTS_H
#define ES_VIEW_RASTER_PARTS_H

#include <math.h>
#include <string.h>

#include "core/vector.h"
#include "view/raster.h"

/* Whole pixels, x0 <= x < x1 and y0 <= y < y1. */
typedef struct es_pixels {
    int x0, y0, x1, y1;
} es_pixels;

es_pixels es_raster_inside(const es_raster *r); /* the clip */

/* The pixels of a box's side that begins at `at`.  Edges go to whole pixels, so that what adjoins adjoins; what is thin
 * is equally thin everywhere, and never nothing. */
void es_pixel_edges(double at, double size, int *first, int *end);
es_pixels es_pixels_of(const es_raster *r, es_box box, es_pixels inside);

/* The whole number next to v, kept where an int can be added to it; NaN: 0. */
static inline int es_pixel(double v)
{
    const double most = 1 << 24;
    return v > most ? 1 << 24 : v < -most ? -(1 << 24) : isnan(v) ? 0 : (int)floor(v + 0.5);
}

/* 0..255 as 0..256 parts, so that all is all. */
static inline uint32_t es_parts(uint32_t byte)
{
    return byte + (byte >> 7);
}

/* `part` of 256 of colour over an opaque pixel: red and blue at once, each in 16 bits. */
ES_INLINE uint32_t es_over(uint32_t under, uint32_t colour, uint32_t part)
{
    uint32_t rest = 256 - part;
    uint32_t rb = (under & 0xFF00FF) * rest + (colour & 0xFF00FF) * part + 0x800080;
    uint32_t g = (under >> 8 & 0xFF) * rest + (colour >> 8 & 0xFF) * part + 0x80;
    return 0xFF000000 | (rb >> 8 & 0xFF00FF) | (g & 0xFF00);
}

/* The same for ES_LANES pixels at a time, each a number of 16 bits in either half of its word. */
typedef uint16_t es_halves __attribute__((vector_size(4 * ES_LANES)));
typedef uint32_t es_words __attribute__((vector_size(4 * ES_LANES)));

/* A colour's red and blue, and its green; `part` has its number in both halves of each word. */
ES_INLINE void es_over_lanes(uint32_t *pixel, es_words rb, es_words g, es_words part)
{
    es_words under;
    memcpy(&under, pixel, sizeof under);
    es_halves h = (es_halves)part, rest = 256 - h;
    es_halves sum_rb = (es_halves)(under & 0xFF00FF) * rest + (es_halves)rb * h + 128;
    es_halves sum_g = (es_halves)(under >> 8 & 0xFF) * rest + (es_halves)g * h + 128;
    under = (es_words)(sum_rb >> 8) | ((es_words)sum_g & 0xFF00) | 0xFF000000;
    memcpy(pixel, &under, sizeof under);
}

/* Discs lie anywhere, and waiting for their pixels takes longer than drawing them: ask the memory for those of the
 * discs to come, `rows` above and below the middle, while others are drawn. */
enum { ES_AHEAD = 16 };
ES_INLINE void es_fetch_soon(const es_raster *r, const uint32_t *pixel, const es_disc *d, int rows)
{
    float x = d->x * r->scale, y = d->y * r->scale;
    if (!(x >= (float)rows && x < (float)(r->w - rows) && y >= (float)rows &&
          y < (float)(r->h - rows)))
        return;
    pixel += (size_t)((int)y - rows) * r->w + (int)x - rows;
    for (int i = 0; i <= 2 * rows; i++, pixel += r->w)
        __builtin_prefetch(pixel, 1);
}

void es_raster_fill_row(uint32_t *pixel, int n, es_argb colour, uint32_t part);

/* n pixels (none if it is below 0), of each of which `cover` of 255 are ink. */
void es_raster_ink_row(uint32_t *pixel, const uint8_t *cover, int n, es_argb ink);

void es_raster_keep_ids(es_raster *r, const es_disc *disc, size_t n);
void es_raster_discs(es_canvas *c, const es_disc *disc, size_t n);
void es_raster_line(es_canvas *c, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour);
void es_raster_cells(es_canvas *c, es_box box, const es_argb *colour, int64_t rows,
                     int64_t columns);
void es_raster_text(es_canvas *c, float x, float y, const char *text, size_t n, const es_ink *ink);
float es_raster_text_width(es_canvas *c, const char *text, size_t n, const es_ink *ink);

void es_stamps_free(struct es_stamps *s);
void es_cover_free(struct es_cover *c);

#endif
