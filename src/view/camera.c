// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/camera.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

#define FULL_TURN   360.0
#define MOST_TILT   90.0
#define TURN        0.5   /* degrees a pixel */
#define FILLED      0.92  /* of the shorter side, by what zoom 1 shows */
#define COUNTED     0.999 /* of the points, in an extent */
#define LEAST       1e-30 /* a radius below it is that of points on one spot */
#define CLOSE_FILL  0.8   /* of the area, by the points that are looked at */
#define CLOSE_ALONE 8.0   /* how near one goes to a single point */

/* ---- what the points take up ---- */

/* The k-th smallest of n numbers, which are put in another order (Hoare 1961). */
static double kth(double *x, int64_t n, int64_t k)
{
    int64_t low = 0, high = n - 1;
    while (low < high) {
        double pivot = x[low + (high - low) / 2];
        int64_t i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i > j)
                break;
            double t = x[i];
            x[i++] = x[j];
            x[j--] = t;
        }
        if (k <= j)
            high = j;
        else if (k >= i)
            low = i;
        else
            break;
    }
    return x[k];
}

static bool counts(const float *p, int d)
{
    for (int k = 0; k < d; k++)
        if (!isfinite(p[k]))
            return false;
    return true;
}

static double kth_along(double *x, const float *at, int64_t n, int d, int axes, int k,
                        int64_t which)
{
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++)
        if (counts(at + i * d, axes))
            x[m++] = (double)at[i * d + k];
    return kth(x, m, which);
}

/* How far from the middle, or from the upright axis through it, about which one turns. */
static double kth_distance(double *x, const float *at, int64_t n, int d, const double *middle,
                           bool upright, int64_t which)
{
    int64_t m = 0;
    for (const float *p = at; p < at + n * d; p += d)
        if (counts(p, 3))
            x[m++] = hypot(hypot((double)p[0] - middle[0], (double)p[2] - middle[2]),
                           upright ? 0 : (double)p[1] - middle[1]);
    return kth(x, m, which);
}

/* Half of what is seen at the tilt one begins with, however it is turned. */
static void tilt_extent(es_extent *e, double around, double up)
{
    double tilt = ES_CAMERA_START.tilt * M_PI / 180;
    e->half[0] = around;
    e->half[1] = fmin(e->radius, up * cos(tilt) + around * sin(tilt));
}

es_extent es_extent_of(const float *at, int64_t n, int d, bool solid)
{
    es_extent e = {.radius = 1};
    int axes = solid && d > 2 ? 3 : 2;
    int64_t m = 0;
    for (int64_t i = 0; i < n; i++)
        m += counts(at + i * d, axes);
    if (!m)
        return e;
    int64_t last = (int64_t)ceil(COUNTED * (double)m) - 1;
    double *x = es_alloc_array((size_t)m, sizeof *x), half[3] = {0}, around = 0;
    for (int k = 0; k < axes; k++) {
        double low = kth_along(x, at, n, d, axes, k, m - 1 - last);
        double high = kth_along(x, at, n, d, axes, k, last);
        e.middle[k] = (low + high) / 2;
        half[k] = (high - low) / 2;
    }
    double radius = fmax(half[0], half[1]);
    if (axes == 3) {
        radius = kth_distance(x, at, n, d, e.middle, false, last);
        around = kth_distance(x, at, n, d, e.middle, true, last);
    }
    free(x);
    if (!(radius > LEAST))
        return e;
    e.radius = radius;
    e.half[0] = half[0];
    e.half[1] = half[1];
    if (axes == 3)
        tilt_extent(&e, around, half[1]);
    return e;
}

void es_extent_include(es_extent *e, double x, double y)
{
    const double at[2] = {x, y};
    for (int k = 0; k < 2 && isfinite(x) && isfinite(y); k++) {
        double half = e->half[k] > 0 ? e->half[k] : e->radius;
        double low = fmin(e->middle[k] - half, at[k]), high = fmax(e->middle[k] + half, at[k]);
        e->middle[k] = (low + high) / 2;
        e->half[k] = (high - low) / 2;
    }
    e->radius = fmax(e->radius, fmax(e->half[0], e->half[1]));
}

/* ---- from points to pixels ---- */

/* Pixels of the extent's radius. */
static double scale(const es_camera *c, const es_extent *e, es_box area)
{
    double side = fminf(area.w, area.h);
    if (e->half[0] > 0 && e->half[1] > 0)
        side = fmin(area.w * (e->radius / e->half[0]), area.h * (e->radius / e->half[1]));
    return fmax(side, 1) / 2 * FILLED * c->zoom;
}

/* Rows: to the right, up, towards the reader. */
static void turned(const es_camera *c, double to[3][3])
{
    double a = c->solid ? c->turn * M_PI / 180 : 0, b = c->solid ? c->tilt * M_PI / 180 : 0;
    const double rows[3][3] = {{cos(a), 0, sin(a)},
                               {sin(b) * sin(a), cos(b), -sin(b) * cos(a)},
                               {-cos(b) * sin(a), sin(b), cos(b) * cos(a)}};
    for (int i = 0; i < 9; i++)
        to[i / 3][i % 3] = c->solid || i % 3 < 2 ? rows[i / 3][i % 3] : 0;
}

es_lens es_lens_of(const es_camera *c, const es_extent *e, es_box area)
{
    es_lens l = {0};
    double to[3][3], s = scale(c, e, area), middle[3] = {0};
    turned(c, to);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            middle[i] += to[i][k] * e->middle[k];
    for (int k = 0; k < 3; k++) {
        l.fx[k] = (float)(s / e->radius * to[0][k]);
        l.fy[k] = (float)(-s / e->radius * to[1][k]);
        l.fz[k] = (float)(to[2][k] / e->radius);
    }
    l.x0 = (float)(area.x + area.w / 2.0 - s * (middle[0] / e->radius + c->x));
    l.y0 = (float)(area.y + area.h / 2.0 + s * (middle[1] / e->radius + c->y));
    l.z0 = (float)(-middle[2] / e->radius);
    return l;
}

es_spot es_lens_spot(const es_lens *l, const float *p, float *depth)
{
    if (depth) {
        float z = l->z0 + l->fz[0] * p[0] + l->fz[1] * p[1] + l->fz[2] * p[2];
        *depth = fminf(fmaxf(z, -1), 1);
    }
    return (es_spot){l->x0 + l->fx[0] * p[0] + l->fx[1] * p[1] + l->fx[2] * p[2],
                     l->y0 + l->fy[0] * p[0] + l->fy[1] * p[1] + l->fy[2] * p[2]};
}

/* ---- gestures ---- */

/* A spot from the middle of the area, in radii, up is positive. */
static void from_middle(const es_camera *c, const es_extent *e, es_box area, double x, double y,
                        double *u, double *v)
{
    double s = scale(c, e, area);
    *u = (x - (area.x + area.w / 2.0)) / s;
    *v = ((area.y + area.h / 2.0) - y) / s;
}

void es_camera_pan(es_camera *c, const es_extent *e, es_box area, float dx, float dy)
{
    double s = scale(c, e, area);
    c->x -= dx / s;
    c->y += dy / s;
}

static double within(double zoom)
{
    return fmin(fmax(zoom, ES_MIN_ZOOM), ES_MAX_ZOOM);
}

void es_camera_zoom(es_camera *c, const es_extent *e, es_box area, float x, float y, double factor)
{
    double before[2], after[2];
    from_middle(c, e, area, x, y, &before[0], &before[1]);
    c->zoom = within(c->zoom * factor);
    from_middle(c, e, area, x, y, &after[0], &after[1]);
    c->x += before[0] - after[0];
    c->y += before[1] - after[1];
}

void es_camera_orbit(es_camera *c, float dx, float dy)
{
    c->turn = remainder(c->turn + TURN * dx, FULL_TURN);
    c->tilt = fmin(fmax(c->tilt + TURN * dy, -MOST_TILT), MOST_TILT);
}

void es_camera_point(const es_camera *c, const es_extent *e, es_box area, es_spot at, double *x,
                     double *y)
{
    double u, v;
    from_middle(c, e, area, at.x, at.y, &u, &v);
    *x = e->middle[0] + e->radius * (c->x + u);
    *y = e->middle[1] + e->radius * (c->y + v);
}

/* ---- ways to look ---- */

/* The box around the points as they are turned, in radii from the extent's middle; false: there are none. */
static bool bounds(const es_camera *c, const es_extent *e, const float *points, int64_t n, int d,
                   double low[2], double high[2])
{
    double to[3][3];
    int axes = c->solid && d > 2 ? 3 : 2;
    bool any = false;
    turned(c, to);
    for (int64_t i = 0; i < n; i++) {
        const float *p = points + i * d;
        if (!counts(p, axes))
            continue;
        for (int j = 0; j < 2; j++) {
            double at = 0;
            for (int k = 0; k < axes; k++)
                at += to[j][k] * (p[k] - e->middle[k]) / e->radius;
            low[j] = any ? fmin(low[j], at) : at;
            high[j] = any ? fmax(high[j], at) : at;
        }
        any = true;
    }
    return any;
}

void es_camera_at(es_camera *c, const es_extent *e, es_box area, const float *points, int64_t n,
                  int d)
{
    double low[2], high[2];
    es_camera whole = *c;
    if (!bounds(c, e, points, n, d, low, high))
        return;
    whole.zoom = 1;
    double w = (high[0] - low[0]) * scale(&whole, e, area),
           h = (high[1] - low[1]) * scale(&whole, e, area);
    double zoom = fmin(CLOSE_FILL * area.w / w, CLOSE_FILL * area.h / h);
    c->zoom = within(isfinite(zoom) ? zoom : fmax(c->zoom, CLOSE_ALONE));
    c->x = (low[0] + high[0]) / 2;
    c->y = (low[1] + high[1]) / 2;
}

/* Zooming towards another middle looks even when what both pictures have at the same spot stays there: the middle
 * moves as the width of what is seen does. */
es_camera es_camera_between(const es_camera *a, const es_camera *b, double part)
{
    es_camera c = *b;
    if (part >= 1)
        return c;
    double ratio = b->zoom / a->zoom, moved = part;
    c.zoom = a->zoom * pow(ratio, part);
    if (fabs(log(ratio)) > 1e-6)
        moved = (1 / c.zoom - 1 / a->zoom) / (1 / b->zoom - 1 / a->zoom);
    c.x = a->x + moved * (b->x - a->x);
    c.y = a->y + moved * (b->y - a->y);
    c.turn = a->turn + part * remainder(b->turn - a->turn, FULL_TURN);
    c.tilt = a->tilt + part * (b->tilt - a->tilt);
    return c;
}

bool es_camera_same(const es_camera *a, const es_camera *b)
{
    return a->x == b->x && a->y == b->y && a->zoom == b->zoom && a->turn == b->turn &&
           a->tilt == b->tilt && a->solid == b->solid;
}

void es_camera_round(es_camera *c)
{
    double *const number[] = {&c->x, &c->y, &c->zoom, &c->turn, &c->tilt};
    char text[32];
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        snprintf(text, sizeof text, "%.6g", *number[i]);
        *number[i] = strtod(text, NULL) + 0.0; /* and no -0 */
    }
}
