// SPDX-License-Identifier: GPL-3.0-or-later
/* The curve that says how alike two points of a picture are, and what it makes them do. */
#include <math.h>

#include "analysis/umap.h"

enum { POINTS = 300, STEPS = 200 };
static const double FARTHEST = 3, NOT_BY_ZERO = 1e-3; /* the latter in the paper's push */

/* ---- a and b ---- */

static double wanted(double d, double min_dist)
{
    return d < min_dist ? 1 : exp(min_dist - d);
}

/* Normal equations of least squares, for the logarithms of a and b, which may be anything. */
typedef struct normal {
    double aa, ab, bb, a, b; /* J'J and J'r */
    double error;            /* r'r */
} normal;

static normal equations(double a, double b, double min_dist)
{
    normal q = {0};
    for (int i = 0; i < POINTS; i++) {
        double d = FARTHEST * i / (POINTS - 1), power = i ? a * pow(d, 2 * b) : 0;
        double curve = 1 / (1 + power), off = wanted(d, min_dist) - curve;
        double by_a = -power * curve * curve, by_b = i ? by_a * 2 * b * log(d) : 0;
        q.aa += by_a * by_a;
        q.ab += by_a * by_b;
        q.bb += by_b * by_b;
        q.a += by_a * off;
        q.b += by_b * off;
        q.error += off * off;
    }
    return q;
}

/* Levenberg 1944 and Marquardt 1963: a step is held back the more, the less good the last one did. */
void es_umap_curve(double min_dist, double *a, double *b)
{
    double held = 1e-3;
    *a = *b = 1;
    normal q = equations(*a, *b, min_dist);
    for (int step = 0; step < STEPS; step++) {
        double aa = q.aa * (1 + held), bb = q.bb * (1 + held), det = aa * bb - q.ab * q.ab;
        double a_next = *a * exp((bb * q.a - q.ab * q.b) / det),
               b_next = *b * exp((aa * q.b - q.ab * q.a) / det);
        normal next = equations(a_next, b_next, min_dist);
        bool better = next.error < q.error;
        held *= better ? 0.1 : 10;
        if (!better)
            continue;
        *a = a_next;
        *b = b_next;
        q = next;
    }
}

/* ---- gradients ---- */

/* Of -log v, v = 1 / (1 + a d^2b), by the first point, whose difference from the second is (dx, dy). */
void es_umap_pull(double a, double b, double dx, double dy, double out[2])
{
    double square = dx * dx + dy * dy;
    double by = square > 0 ? 2 * a * b * pow(square, b - 1) / (1 + a * pow(square, b)) : 0;
    out[0] = by * dx;
    out[1] = by * dy;
}

/* Of -log(1 - v). */
void es_umap_push(double a, double b, double dx, double dy, double out[2])
{
    double square = dx * dx + dy * dy;
    double by = -2 * b / ((NOT_BY_ZERO + square) * (1 + a * pow(square, b)));
    out[0] = by * dx;
    out[1] = by * dy;
}
