// SPDX-License-Identifier: GPL-3.0-or-later
/* What is under a pixel.  A disc has the pixel of its middle, or where that is taken the nearest that is free: so none
 * is lost under others.  What else a large disc covers is marked as its too, more weakly. */
#include <stdlib.h>

#include "base/mem.h"
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

/* The pixels a search goes over. */
typedef struct ground {
    int32_t *ids;
    uint8_t
        *full; /* (h, w) how many rings about a pixel had nothing free; made when first needed */
    int w, h;
    es_pixels in;
} ground;

/* A free pixel on the square ring `k` about (x, y), for id; true: there was one. */
static bool settle_on_ring(ground *g, int x, int y, int k, int32_t id)
{
    es_pixels in = g->in;
    for (int row = y - k; row <= y + k; row++) {
        if (row < in.y0 || row >= in.y1)
            continue;
        int32_t *kept = g->ids + (size_t)row * g->w;
        for (int i = x - k; i <= x + k; i += row == y - k || row == y + k ? 1 : 2 * k)
            if (i >= in.x0 && i < in.x1 && kept[i] < 0) {
                kept[i] = id;
                return true;
            }
    }
    return false;
}

/* As near to (x, y) as there is room.  What was full is not looked at again: thousands may want one pixel. */
static void settle_near(ground *g, int x, int y, int32_t id)
{
    if (!g->full)
        g->full = es_alloc_array((size_t)g->w * (size_t)g->h, 1);
    uint8_t *full = g->full + (size_t)y * g->w + x;
    while (*full < NEAR && !settle_on_ring(g, x, y, *full + 1, id))
        ++*full;
}

/* A large disc takes its middle from whoever has it. */
static void settle(ground *g, int x, int y, int32_t id, bool large)
{
    int32_t *kept = g->ids + (size_t)y * g->w + x, moved = id;
    if (*kept == id)
        return;
    if (*kept < 0 || large) {
        moved = *kept;
        *kept = id;
    }
    if (moved >= 0)
        settle_near(g, x, y, moved);
}

/* The disc takes its pixel, if that is in force. */
static void settle_disc(ground *g, const es_disc *d, float scale)
{
    double x = (double)d->x * scale, y = (double)d->y * scale;
    es_pixels in = g->in;
    if (d->id >= 0 && d->r > 0 && x >= in.x0 && x < in.x1 && y >= in.y0 && y < in.y1)
        settle(g, (int)x, (int)y, d->id, d->r * scale >= LARGE);
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
    ground g = {r->ids, NULL, r->w, r->h, es_raster_inside(r)};
    for (size_t i = 0; i < n; i++)
        if (disc[i].id >= 0 && disc[i].r * r->scale >= LARGE && isfinite(disc[i].r) &&
            isfinite(disc[i].x) && isfinite(disc[i].y))
            mark(r, g.in, &disc[i]);
    for (size_t i = n; i-- > 0;) {
        if (i >= ES_AHEAD)
            es_fetch_soon(r, (const uint32_t *)r->ids, &disc[i - ES_AHEAD], 0);
        settle_disc(&g, &disc[i], r->scale);
    }
    free(g.full);
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
