// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/lasso.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { ROOM = 2048 }; /* corners of a shape that is being drawn */
#define UNSEEN 2.0f   /* square pixels of a corner's triangle */
#define SHADE  0.12f
#define WIDTH  1.5f
#define DASH   5.0f

void es_lasso_free(es_lasso *l)
{
    free(l->of);
    *l = (es_lasso){0};
}

/* ---- few corners ---- */

/* Of the triangle that corner i makes with its neighbours. */
static float area_at(const es_lasso *l, size_t i)
{
    es_spot a = l->of[(i + l->n - 1) % l->n], b = l->of[i], c = l->of[(i + 1) % l->n];
    return fabsf((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2;
}

/* No more than `most` corners, and none whose triangle is smaller than `least`. */
static void reduce(es_lasso *l, size_t most, float least)
{
    while (l->n > ES_LASSO_LEAST) {
        size_t weakest = 0;
        float smallest = INFINITY;
        for (size_t i = 0; i < l->n; i++) {
            float area = area_at(l, i);
            if (area < smallest) {
                smallest = area;
                weakest = i;
            }
        }
        if (l->n <= most && smallest >= least)
            return;
        memmove(l->of + weakest, l->of + weakest + 1, (l->n - weakest - 1) * sizeof *l->of);
        l->n--;
    }
}

void es_lasso_add(es_lasso *l, es_spot at)
{
    if (!l->of) {
        l->room = ROOM;
        l->of = es_alloc_array(l->room, sizeof *l->of);
    }
    if (l->n == l->room)
        reduce(l, l->room / 2, 0);
    l->of[l->n++] = at;
}

void es_lasso_simplify(es_lasso *l)
{
    reduce(l, ES_LASSO_CORNERS, UNSEEN);
}

/* ---- as it is drawn ---- */

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Where the line at height y crosses the shape, from left to right; at most n. */
static size_t crossings(const es_lasso *l, float y, float *x)
{
    size_t n = 0;
    for (size_t i = 0, j = l->n - 1; i < l->n; j = i++) {
        es_spot a = l->of[j], b = l->of[i];
        if ((a.y > y) != (b.y > y))
            x[n++] = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
    }
    qsort(x, n, sizeof *x, by_size);
    return n;
}

static void shade(const es_lasso *l, es_canvas *c, es_argb colour)
{
    float *x = es_alloc_array(l->n, sizeof *x), low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < l->n; i++) {
        low = fminf(low, l->of[i].y);
        high = fmaxf(high, l->of[i].y);
    }
    low = floorf(fmaxf(low, c->inside.y));
    high = fminf(high, c->inside.y + c->inside.h);
    int rows = high > low ? (int)ceilf(high - low) : 0;
    for (int row = 0; row < rows; row++) {
        float y = low + (float)row;
        size_t n = crossings(l, y + 0.5f, x);
        for (size_t i = 0; i + 1 < n; i += 2)
            es_canvas_fill(c, (es_box){x[i], y, x[i + 1] - x[i], 1}, colour);
    }
    free(x);
}

void es_lasso_draw(const es_lasso *l, es_canvas *c, es_argb colour)
{
    if (l->n < 2)
        return;
    if (l->n >= ES_LASSO_LEAST)
        shade(l, c, es_fade(colour, SHADE));
    es_canvas_line(c, l->of, l->n, WIDTH, 0, colour);
    es_canvas_line(c, (const es_spot[]){l->of[l->n - 1], l->of[0]}, 2, 1, DASH, colour);
}

/* ---- what is inside ---- */

bool es_lasso_has(const double (*corner)[2], size_t n, double x, double y)
{
    bool in = false;
    if (!isfinite(x) || !isfinite(y))
        return false;
    for (size_t i = 0, j = n - 1; i < n; j = i++) {
        const double *a = corner[j], *b = corner[i];
        if ((a[1] > y) != (b[1] > y) && x < a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]))
            in = !in;
    }
    return in;
}
