// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/raster.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/raster_parts.h"

enum {
    MOST_SIDE = 32768,
    HAIRLINE = 3 /* boxes up to so many pixels keep their thickness wherever they are */
};

/* ---- which pixels ---- */

void es_pixel_edges(double at, double size, int *first, int *end)
{
    *first = es_pixel(at);
    *end = size < HAIRLINE ? *first + es_pixel(size) : es_pixel(at + size);
    *end = *end > *first ? *end : *first + 1;
}

/* From where to where, between low and high. */
static void span(double at, double size, int low, int high, int *from, int *to)
{
    int first, end;
    *from = *to = low;
    if (!(size > 0))
        return;
    es_pixel_edges(at, size, &first, &end);
    *from = first < low ? low : first;
    *to = end > high ? high : end;
    *to = *to < *from ? *from : *to;
}

es_pixels es_pixels_of(const es_raster *r, es_box box, es_pixels inside)
{
    es_pixels p;
    double s = r->scale;
    span(box.x * s, box.w * s, inside.x0, inside.x1, &p.x0, &p.x1);
    span(box.y * s, box.h * s, inside.y0, inside.y1, &p.y0, &p.y1);
    return p;
}

es_pixels es_raster_inside(const es_raster *r)
{
    return es_pixels_of(r, r->canvas.inside, (es_pixels){0, 0, r->w, r->h});
}

static void clip(es_canvas *c, es_box to)
{
    (void)c, (void)to; /* c->inside says it all */
}

/* ---- boxes ---- */

static void put_row(uint32_t *pixel, size_t n, uint32_t colour)
{
    const es_int_lanes eight = (es_int_lanes){0} + (int32_t)colour;
    for (; n >= ES_LANES; n -= ES_LANES, pixel += ES_LANES)
        memcpy(pixel, &eight, sizeof eight);
    memcpy(pixel, &eight, n * sizeof *pixel);
}

ES_INLINE void mix_row_loop(uint32_t *pixel, int n, es_argb colour, uint32_t part)
{
    const es_words rb = (es_words){0} + (colour & 0xFF00FF);
    const es_words g = (es_words){0} + (colour >> 8 & 0xFF);
    const es_words parts = (es_words){0} + (part << 16 | part);
    for (; n >= ES_LANES; n -= ES_LANES, pixel += ES_LANES)
        es_over_lanes(pixel, rb, g, parts);
    for (; n > 0; n--, pixel++)
        *pixel = es_over(*pixel, colour, part);
}
ES_TWO_FORMS(static, mix_row, (uint32_t * pixel, int n, es_argb colour, uint32_t part),
             (pixel, n, colour, part))

void es_raster_fill_row(uint32_t *pixel, int n, es_argb colour, uint32_t part)
{
    if (part == 256)
        put_row(pixel, (size_t)n, colour | 0xFF000000);
    else
        mix_row(pixel, n, colour, part);
}

static void fill(es_canvas *c, es_box box, es_argb colour)
{
    es_raster *r = (es_raster *)c;
    es_pixels p = es_pixels_of(r, box, es_raster_inside(r));
    for (int y = p.y0; y < p.y1; y++)
        es_raster_fill_row(r->pixels + (size_t)y * r->w + p.x0, p.x1 - p.x0, colour,
                           es_parts(colour >> 24));
}

static const es_canvas_ops raster_ops = {
    .clip = clip,
    .fill = fill,
    .line = es_raster_line,
    .discs = es_raster_discs,
    .cells = es_raster_cells,
    .text = es_raster_text,
    .width = es_raster_text_width,
};

/* ---- all of it ---- */

static bool size_is_sane(int w, int h, float scale, es_error *err)
{
    if (w < 1 || h < 1 || w > MOST_SIDE || h > MOST_SIDE)
        return es_fail(err, ES_ERR_RANGE, "a picture of %d x %d pixels: each side has 1 to %d", w,
                       h, MOST_SIDE);
    if (!(scale > 0) || !isfinite(scale))
        return es_fail(err, ES_ERR_RANGE,
                       "a picture with %g pixels to a unit: it takes more than 0", (double)scale);
    return true;
}

static bool take_room(es_raster *r, int w, int h, bool ids, es_error *err)
{
    const char *what = "the pixels of a picture";
    size_t n = (size_t)w * (size_t)h;
    if (!es_memory_for((double)n * 8, err))
        return false;
    r->pixels = es_try_alloc(n, sizeof *r->pixels, what, err);
    r->ids = r->pixels && ids ? es_try_alloc(n, sizeof *r->ids, what, err) : NULL;
    return r->pixels && (r->ids || !ids);
}

static void give_room_back(es_raster *r)
{
    free(r->pixels);
    free(r->ids);
    es_cover_free(r->cover);
    r->pixels = NULL;
    r->ids = NULL;
    r->cover = NULL;
}

bool es_raster_open(es_raster *r, int w, int h, float scale, bool ids, es_font *font, es_error *err)
{
    *r = (es_raster){.canvas = {.ops = &raster_ops}, .font = font};
    es_raster new = *r;
    if (!size_is_sane(w, h, scale, err))
        return false;
    if (!take_room(&new, w, h, ids, err)) {
        give_room_back(&new);
        return false;
    }
    *r = new;
    r->w = w;
    r->h = h;
    r->scale = scale;
    r->canvas.w = (float)w / scale;
    r->canvas.h = (float)h / scale;
    es_raster_clear(r, 0xFF000000);
    return true;
}

bool es_raster_resize(es_raster *r, int w, int h, float scale, es_error *err)
{
    es_raster new;
    if (w == r->w && h == r->h && scale == r->scale) {
        es_raster_clear(r, 0xFF000000);
        return true;
    }
    if (!es_raster_open(&new, w, h, scale, r->ids != NULL, r->font, err))
        return false;
    new.stamps = r->stamps;
    r->stamps = NULL;
    es_raster_close(r);
    *r = new;
    return true;
}

void es_raster_close(es_raster *r)
{
    give_room_back(r);
    es_stamps_free(r->stamps);
    *r = (es_raster){0};
}

void es_raster_clear(es_raster *r, es_argb colour)
{
    size_t n = (size_t)r->w * r->h;
    put_row(r->pixels, n, colour | 0xFF000000);
    for (size_t i = 0; r->ids && i < n; i++)
        r->ids[i] = ES_NO_ID;
    r->canvas.inside = (es_box){0, 0, r->canvas.w, r->canvas.h};
}
