// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines: how much of each pixel a line covers is added up for the whole line first, as the most that any of its
 * segments covers, and coloured once; so joins have neither holes nor double colour. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "view/raster_parts.h"

typedef struct es_cover {
    uint8_t *of;    /* (h, w); 0 between lines */
    int *from, *to; /* (h) what of a row is not 0 */
    int top, end;   /* rows that are not 0 */
} es_cover;

/* A segment of a line, in pixels.  Joined ends are round and reach as far as the line is wide, free ones are cut. */
typedef struct segment {
    double x, y, dx, dy, length; /* from where, in which direction (of length 1), how far */
    double start;                /* of the line's length, where it begins */
    bool joined_first, joined_last;
    float a, b; /* how wide a pixel is across it: its two sides, the longer first */
} segment;

typedef struct pen {
    float half, dash;
} pen;

void es_cover_free(es_cover *c)
{
    if (!c)
        return;
    free(c->of);
    free(c->from);
    free(c->to);
    free(c);
}

static void reset(es_cover *c, int w, int h)
{
    c->top = h;
    c->end = 0;
    for (int y = 0; y < h; y++) {
        c->from[y] = w;
        c->to[y] = 0;
    }
}

static es_cover *cover_of(es_raster *r)
{
    if (r->cover)
        return r->cover;
    es_cover *c = es_alloc(sizeof *c);
    c->of = es_alloc_array((size_t)r->w * (size_t)r->h, 1);
    c->from = es_alloc_array((size_t)r->h, sizeof *c->from);
    c->to = es_alloc_array((size_t)r->h, sizeof *c->to);
    reset(c, r->w, r->h);
    return r->cover = c;
}

/* ---- how much of a pixel ---- */

/* How much of a pixel is on the near side of an edge `s` beyond its middle: exact, where the pixel is `a` wide across
 * the edge one way and b the other (a >= b, the sides of a square seen along the edge). */
static float before_edge(float s, float a, float b)
{
    float off = fabsf(s), rest = (a + b) / 2 - off;
    if (off <= (a - b) / 2)
        return 0.5f + s / a;
    float near = rest > 0 ? 1 - rest * rest / (2 * a * b) : 1;
    return s > 0 ? near : 1 - near;
}

/* How much of a pixel whose middle is `away` from the middle of a segment is within its width. */
static float across(const segment *s, float away, float half)
{
    if (fabsf(away) + (s->a + s->b) / 2 <= half)
        return 1;
    float part = before_edge(half + away, s->a, s->b) + before_edge(half - away, s->a, s->b) - 1;
    return part > 0 ? part : 0;
}

/* How much of a dashed line's first s pixels is drawn. */
static float drawn(float s, float dash)
{
    float turns = floorf(s / (2 * dash)), rest = s - turns * 2 * dash;
    return turns * dash + fminf(rest, dash);
}

/* Along a segment, a pixel at t: what is before the first or behind the last is not of it, nor are gaps. */
static float along(const segment *s, const pen *p, float t)
{
    if (t >= 0.5f && t + 0.5f <= (float)s->length && p->dash <= 0)
        return 1;
    float from = t - 0.5f, to = t + 0.5f;
    if (!s->joined_first && from < 0)
        from = 0;
    if (!s->joined_last && to > (float)s->length)
        to = (float)s->length;
    if (to <= from)
        return 0;
    if (p->dash <= 0)
        return to - from;
    return drawn((float)s->start + to, p->dash) - drawn((float)s->start + from, p->dash);
}

static float covered(const segment *s, const pen *p, float x, float y)
{
    float px = x - (float)s->x, py = y - (float)s->y;
    float t = px * (float)s->dx + py * (float)s->dy, away = py * (float)s->dx - px * (float)s->dy;
    if (s->joined_first && t < 0)
        away = hypotf(away, t);
    if (s->joined_last && t > (float)s->length)
        away = hypotf(away, t - (float)s->length);
    float part = across(s, away, p->half) * along(s, p, t);
    return part > 0 ? fminf(part, 1) : 0; /* what is too far away to be computed is not there */
}

/* ---- segments ---- */

/* Narrow [*low, *high] to where at + slope * x is within [from, to]. */
static void narrow(double *low, double *high, double at, double slope, double from, double to)
{
    if (fabs(slope) < 1e-9) {
        if (at < from || at > to)
            *high = *low - 1;
        return;
    }
    double a = (from - at) / slope, b = (to - at) / slope;
    *low = fmax(*low, fmin(a, b));
    *high = fmin(*high, fmax(a, b));
}

static void note(es_cover *c, int y, int from, int to)
{
    c->top = y < c->top ? y : c->top;
    c->end = y + 1 > c->end ? y + 1 : c->end;
    c->from[y] = from < c->from[y] ? from : c->from[y];
    c->to[y] = to > c->to[y] ? to : c->to[y];
}

static void cover_row(es_cover *c, int w, es_pixels in, const segment *s, const pen *p, int y)
{
    double across = p->half + (s->a + s->b) / 2, behind = p->half + 1;
    double py = y + 0.5 - s->y, low = in.x0 - s->x, high = in.x1 - s->x;
    narrow(&low, &high, py * s->dx, -s->dy, -across, across);
    narrow(&low, &high, py * s->dy, s->dx, -behind, s->length + behind);
    if (low > high)
        return;
    int from = es_pixel(fmax(in.x0, low + s->x)); /* whose middles are in between */
    int to = es_pixel(fmin(in.x1, high + s->x));
    uint8_t *row = c->of + (size_t)y * w;
    for (int x = from; x < to; x++) {
        int part = (int)(covered(s, p, (float)x + 0.5f, (float)y + 0.5f) * 255 + 0.5f);
        row[x] = part > row[x] ? (uint8_t)part : row[x];
    }
    if (to > from)
        note(c, y, from, to);
}

static void cover_segment(es_cover *c, int w, es_pixels in, const segment *s, const pen *p)
{
    double reach = p->half + 1, last = s->y + s->dy * s->length;
    int top = es_pixel(fmax(in.y0, floor(fmin(s->y, last) - reach)));
    int end = es_pixel(fmin(in.y1, ceil(fmax(s->y, last) + reach)));
    for (int y = top; y < end; y++)
        cover_row(c, w, in, s, p, y);
}

/* What of a segment may touch the pixels: cut where it is far outside, so that numbers stay small. */
static bool cut(segment *s, es_pixels in, const pen *p)
{
    double margin = p->half + 4, low = 0, high = s->length;
    narrow(&low, &high, s->x, s->dx, in.x0 - margin, in.x1 + margin);
    narrow(&low, &high, s->y, s->dy, in.y0 - margin, in.y1 + margin);
    if (!(low <= high))
        return false;
    s->joined_first |= low > 0;
    s->joined_last |= high < s->length;
    s->x += low * s->dx;
    s->y += low * s->dy;
    s->start += low;
    s->length = high - low;
    if (p->dash > 0)
        s->start = fmod(s->start, 2.0 * p->dash);
    return true;
}

static bool finite_spot(es_spot at)
{
    return isfinite(at.x) && isfinite(at.y);
}

/* Segment i of a line, from spot i to the next; false: there is none. */
static bool segment_of(segment *s, const es_spot *at, size_t n, size_t i, double scale)
{
    if (!finite_spot(at[i]) || !finite_spot(at[i + 1]))
        return false;
    s->x = at[i].x * scale;
    s->y = at[i].y * scale;
    s->dx = at[i + 1].x * scale - s->x;
    s->dy = at[i + 1].y * scale - s->y;
    s->length = hypot(s->dx, s->dy);
    if (!(s->length > 0))
        return false;
    s->dx /= s->length;
    s->dy /= s->length;
    s->a = (float)fmax(fabs(s->dx), fabs(s->dy));
    s->b = (float)fmin(fabs(s->dx), fabs(s->dy));
    s->joined_first = i > 0 && finite_spot(at[i - 1]);
    s->joined_last = i + 2 < n && finite_spot(at[i + 2]);
    return true;
}

/* ---- colour ---- */

static void colour_cover(es_raster *r, es_argb colour)
{
    es_cover *c = r->cover;
    for (int y = c->top; y < c->end; y++) {
        uint8_t *of = c->of + (size_t)y * r->w;
        uint32_t *pixel = r->pixels + (size_t)y * r->w;
        int from = c->from[y], n = c->to[y] - from;
        es_raster_ink_row(pixel + from, of + from, n, colour);
        if (n > 0)
            memset(of + from, 0, (size_t)n);
        c->from[y] = r->w;
        c->to[y] = 0;
    }
    c->top = r->h;
    c->end = 0;
}

void es_raster_line(es_canvas *canvas, const es_spot *at, size_t n, float width, float dash,
                    es_argb colour)
{
    es_raster *r = (es_raster *)canvas;
    es_pixels in = es_raster_inside(r);
    pen p = {fminf(width * r->scale, (float)(r->w + r->h)) / 2, dash * r->scale};
    if (n < 2 || !(p.half > 0) || in.x0 == in.x1 || in.y0 == in.y1)
        return;
    if (!(p.dash > 0) || !isfinite(p.dash))
        p.dash = 0;
    es_cover *c = cover_of(r);
    double start = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        segment s = {0};
        if (!segment_of(&s, at, n, i, r->scale)) {
            start = finite_spot(at[i]) && finite_spot(at[i + 1]) ? start : 0;
            continue;
        }
        s.start = start;
        start += s.length;
        if (cut(&s, in, &p))
            cover_segment(c, r->w, in, &s, &p);
    }
    colour_cover(r, colour);
}
