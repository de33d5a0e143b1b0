// SPDX-License-Identifier: GPL-3.0-or-later
/* What is under a pixel.  A disc has the pixel of its middle, or where that is taken the nearest that is free: so none
 * is lost under others.  What else a large disc covers is marked as its too, more weakly. */
#include "view/raster_parts.h"

enum {
    NEAR = 8, /* pixels from its middle a disc may have to go */
    LARGE = 3 /* pixels of radius from which on a disc is found all over */
};

static int32_t weakly(int32_t id)
{
    return -2 - id;
}

static int32_t id_of(int32_t kept)
{
    return kept < ES_NO_ID ? -2 - kept : kept;
}

static bool has(es_pixels in, int x, int y)
{
    return x >= in.x0 && x < in.x1 && y >= in.y0 && y < in.y1;
}

/* The pixel of a disc's middle; false: it is not in force. */
static bool middle_of(const es_raster *r, es_pixels in, const es_disc *d, int *x, int *y)
{
    double px = floor((double)d->x * r->scale), py = floor((double)d->y * r->scale);
    if (d->id < 0 || !(d->r > 0) || !(px >= in.x0 && px < in.x1 && py >= in.y0 && py < in.y1))
        return false;
    *x = (int)px;
    *y = (int)py;
    return true;
}

/* A free pixel on the square ring `k` about (x, y), for id; true: there was one. */
static bool settle_on_ring(es_raster *r, es_pixels in, int x, int y, int k, int32_t id)
{
    for (int dy = -k; dy <= k; dy++)
        for (int dx = -k; dx <= k; dx += dy == -k || dy == k ? 1 : 2 * k) {
            int32_t *kept = r->ids + (size_t)(y + dy) * r->w + x + dx;
            if (has(in, x + dx, y + dy) && *kept < 0) {
                *kept = id;
                return true;
            }
        }
    return false;
}

/* A large disc takes its middle from whoever has it. */
static void settle(es_raster *r, es_pixels in, int x, int y, int32_t id, bool large)
{
    int32_t *kept = r->ids + (size_t)y * r->w + x, moved = id;
    if (*kept == id)
        return;
    if (*kept < 0 || large) {
        moved = *kept;
        *kept = id;
    }
    for (int k = 1; moved >= 0 && k <= NEAR; k++)
        if (settle_on_ring(r, in, x, y, k, moved))
            return;
}

static void mark(es_raster *r, es_pixels in, const es_disc *d)
{
    double x = (double)d->x * r->scale, y = (double)d->y * r->scale, radius = d->r * r->scale;
    int y0 = es_pixel(fmax(in.y0, floor(y - radius))), y1 = es_pixel(fmin(in.y1, ceil(y + radius)));
    for (int row = y0; row < y1; row++) {
        double dy = row + 0.5 - y, square = radius * radius - dy * dy;
        double half = square > 0 ? sqrt(square) : 0;
        int x1 = es_pixel(fmin(in.x1, x + half));
        for (int i = es_pixel(fmax(in.x0, x - half)); i < x1; i++) {
            int32_t *kept = r->ids + (size_t)row * r->w + i;
            if (*kept < 0)
                *kept = weakly(d->id);
        }
    }
}

/* From the last drawn to the first: who lies on top is the first to choose. */
void es_raster_keep_ids(es_raster *r, const es_disc *disc, size_t n)
{
    es_pixels in = es_raster_inside(r);
    for (size_t i = 0; i < n; i++)
        if (disc[i].id >= 0 && disc[i].r * r->scale >= LARGE && isfinite(disc[i].r) &&
            isfinite(disc[i].x) && isfinite(disc[i].y))
            mark(r, in, &disc[i]);
    for (size_t i = n; i-- > 0;) {
        int x, y;
        if (middle_of(r, in, &disc[i], &x, &y))
            settle(r, in, x, y, disc[i].id, disc[i].r * r->scale >= LARGE);
    }
}

int32_t es_raster_id(const es_raster *r, float x, float y, float reach)
{
    double px = floor((double)x * r->scale), py = floor((double)y * r->scale);
    double most = (double)reach * r->scale, best = most * most;
    int32_t found = ES_NO_ID;
    if (!r->ids || !(most >= 0))
        return found;
    int x0 = es_pixel(fmax(0, px - floor(most))), x1 = es_pixel(fmin(r->w - 1, px + most));
    int y0 = es_pixel(fmax(0, py - floor(most))), y1 = es_pixel(fmin(r->h - 1, py + most));
    for (int row = y0; row <= y1; row++)
        for (int i = x0; i <= x1; i++) {
            int32_t id = r->ids[(size_t)row * r->w + i];
            double away = (i - px) * (i - px) + (row - py) * (row - py);
            if (id != ES_NO_ID && (away < best || (found == ES_NO_ID && away <= best))) {
                best = away;
                found = id_of(id);
            }
        }
    return found;
}
