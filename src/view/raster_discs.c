// SPDX-License-Identifier: GPL-3.0-or-later
/* Discs.  Small ones, of which there are many, are stamps: how much of each pixel a disc of this radius covers, for
 * each sixteenth of a pixel its middle may lie in, made once. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/raster_parts.h"

enum {
    PARTS = 4,   /* of a pixel each way, that stamps know */
    FINE = 16,   /* rows of a pixel that are measured for a stamp */
    LEVELS = 420 /* radii that have stamps: each 1 % more than the one before, from LEAST on */
};
#define LEAST 0.125
#define MOST  7.0 /* with its neighbours no wider than twice ES_LANES */
#define RATIO 0.01

/* For each sub-pixel place rows x width of 0..256 parts, each in both halves of a word. */
typedef struct stamp {
    int before; /* the stamp begins so far left of and above the pixel of its middle */
    int rows, width;
    uint32_t part[];
} stamp;

typedef struct es_stamps {
    stamp *of[LEVELS];
} es_stamps;

void es_stamps_free(es_stamps *s)
{
    for (int i = 0; s && i < LEVELS; i++)
        free(s->of[i]);
    free(s);
}

/* ---- making a stamp ---- */

static double overlap(double a0, double a1, double b0, double b1)
{
    double part = fmin(a1, b1) - fmax(a0, b0);
    return part > 0 ? part : 0;
}

/* How much of the pixel at (x, y) is in a disc about (cx, cy): exact along rows. */
static double pixel_part(double radius, double cx, double cy, int x, int y)
{
    double sum = 0;
    for (int k = 0; k < FINE; k++) {
        double dy = y + (k + 0.5) / FINE - cy, square = radius * radius - dy * dy;
        double half = square > 0 ? sqrt(square) : 0;
        sum += overlap(cx - half, cx + half, x, x + 1);
    }
    return sum / FINE;
}

static stamp *make_stamp(double radius)
{
    int before = (int)ceil(radius), rows = 2 * before + 1;
    int width = (rows + ES_LANES - 1) / ES_LANES * ES_LANES, one = rows * width;
    stamp *s = es_alloc(sizeof *s + (size_t)(PARTS * PARTS * one) * sizeof *s->part);
    *s = (stamp){before, rows, width};
    for (int place = 0; place < PARTS * PARTS; place++) {
        int right = place % PARTS, down = place / PARTS;
        double cx = before + (right + 0.5) / PARTS, cy = before + (down + 0.5) / PARTS;
        for (int i = 0; i < one; i++) {
            uint32_t part =
                (uint32_t)(256 * pixel_part(radius, cx, cy, i % width, i / width) + 0.5);
            s->part[place * one + i] = part << 16 | part;
        }
    }
    return s;
}

static const stamp *stamp_of(es_raster *r, double radius)
{
    int level = (int)(log(fmax(radius, LEAST) / LEAST) / RATIO + 0.5);
    if (!r->stamps)
        r->stamps = es_alloc(sizeof *r->stamps);
    stamp **s = &r->stamps->of[level < LEVELS ? level : LEVELS - 1];
    if (!*s)
        *s = make_stamp(LEAST * exp(level * RATIO));
    return *s;
}

/* ---- stamping ---- */

ES_INLINE void put_stamp(uint32_t *pixel, int w, const uint32_t *part, int rows, int width,
                         es_argb colour)
{
    const es_words rb = (es_words){0} + (colour & 0xFF00FF);
    const es_words g = (es_words){0} + (colour >> 8 & 0xFF);
    uint16_t alpha = (uint16_t)es_parts(colour >> 24);
    for (; rows > 0; rows--, pixel += w, part += width)
        for (int x = 0; x < width; x += ES_LANES) {
            es_words p;
            memcpy(&p, part + x, sizeof p);
            if (alpha < 256)
                p = (es_words)((es_halves)p * alpha >> 8);
            es_over_lanes(pixel + x, rb, g, p);
        }
}

/* Where the stamp reaches over what is in force: pixel by pixel. */
static void put_clipped(es_raster *r, es_pixels in, int x0, int y0, const stamp *s,
                        const uint32_t *part, es_argb colour)
{
    uint32_t alpha = es_parts(colour >> 24);
    for (int i = 0; i < s->rows * s->width; i++) {
        int x = x0 + i % s->width, y = y0 + i / s->width;
        uint32_t *pixel = r->pixels + (size_t)y * r->w + x;
        if (x >= in.x0 && x < in.x1 && y >= in.y0 && y < in.y1)
            *pixel = es_over(*pixel, colour, (part[i] & 0xFFFF) * alpha >> 8);
    }
}

ES_INLINE void draw_small(es_raster *r, es_pixels in, const stamp *s, double x, double y,
                          es_argb colour)
{
    const int shift = 64; /* makes the numbers positive, so that (int) rounds them down */
    int fx = (int)((x + shift) * PARTS) - shift * PARTS,
        fy = (int)((y + shift) * PARTS) - shift * PARTS;
    int x0 = (fx >> 2) - s->before, y0 = (fy >> 2) - s->before;
    const uint32_t *part = s->part + ((fy & 3) * PARTS + (fx & 3)) * s->rows * s->width;
    if (x0 >= in.x0 && y0 >= in.y0 && x0 + s->width <= in.x1 && y0 + s->rows <= in.y1)
        put_stamp(r->pixels + (size_t)y0 * r->w + x0, r->w, part, s->rows, s->width, colour);
    else
        put_clipped(r, in, x0, y0, s, part, colour);
}

/* ---- large discs ---- */

static void draw_row(uint32_t *pixel, int x0, int x1, double x, double dy, double radius,
                     es_argb colour)
{
    uint32_t alpha = es_parts(colour >> 24);
    double full = radius > 0.5 ? (radius - 0.5) * (radius - 0.5) - dy * dy : -1;
    double half = full > 0 ? sqrt(full) : -1;
    int from = es_pixel(fmin(fmax(ceil(x - half - 0.5), x0), x1));
    int to = es_pixel(fmin(fmax(floor(x + half + 0.5), from), x1));
    for (int i = x0; i < x1; i++) {
        if (i == from && to > from) {
            es_raster_fill_row(pixel + i, to - from, colour, alpha);
            i = to - 1;
            continue;
        }
        double part = fmin(radius + 0.5 - hypot(i + 0.5 - x, dy), 1);
        if (part > 0)
            pixel[i] = es_over(pixel[i], colour, (uint32_t)(part * alpha + 0.5));
    }
}

static void draw_large(es_raster *r, es_pixels in, double x, double y, double radius,
                       es_argb colour)
{
    double reach = radius + 1;
    int y0 = es_pixel(fmax(in.y0, floor(y - reach))), y1 = es_pixel(fmin(in.y1, ceil(y + reach)));
    for (int row = y0; row < y1; row++) {
        double dy = row + 0.5 - y, square = reach * reach - dy * dy;
        double half = square > 0 ? sqrt(square) : 0;
        int x0 = es_pixel(fmax(in.x0, floor(x - half)));
        int x1 = es_pixel(fmin(in.x1, ceil(x + half)));
        if (x0 < x1)
            draw_row(r->pixels + (size_t)row * r->w, x0, x1, x, dy, radius, colour);
    }
}

/* Does any of it lie in what is in force?  Not where a number is none. */
ES_INLINE bool reaches(es_pixels in, double x, double y, double radius)
{
    return radius > 0 && isfinite(radius) && x + radius > in.x0 - 1 && x - radius < in.x1 + 1 &&
           y + radius > in.y0 - 1 && y - radius < in.y1 + 1;
}

ES_INLINE void draw_all_loop(es_raster *r, const es_disc *disc, size_t n)
{
    es_pixels in = es_raster_inside(r);
    const stamp *s = NULL;
    float of = 0; /* the radius of s */
    for (size_t i = 0; i < n; i++) {
        const es_disc *d = &disc[i];
        double x = (double)d->x * r->scale, y = (double)d->y * r->scale;
        double radius = (double)d->r * r->scale;
        if (!reaches(in, x, y, radius))
            continue;
        if (radius > MOST) {
            draw_large(r, in, x, y, radius, d->colour);
            continue;
        }
        if (!s || d->r != of) {
            s = stamp_of(r, radius);
            of = d->r;
        }
        if (i + ES_AHEAD < n)
            es_fetch_soon(r, r->pixels, d + ES_AHEAD, s->before);
        draw_small(r, in, s, x, y, d->colour);
    }
}
ES_TWO_FORMS(static, draw_all, (es_raster * r, const es_disc *disc, size_t n), (r, disc, n))

void es_raster_discs(es_canvas *c, const es_disc *disc, size_t n)
{
    es_raster *r = (es_raster *)c;
    draw_all(r, disc, n);
    if (r->ids)
        es_raster_keep_ids(r, disc, n);
}
