// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/noise.h"

#include <math.h>

enum { HALVINGS = 60 };

/* log B(a, 1/2) */
static double log_beta(double a)
{
    int sign;
    return lgamma_r(a, &sign) + 0.5 * log(acos(-1)) - lgamma_r(a + 0.5, &sign);
}

/* I(x; a, 1/2) for x <= 1/2: x^a / B times the sum over k of (1/2)(3/2)…(k - 1/2) / k! x^k / (a + k)
 * (Abramowitz and Stegun 1964, 6.6.8). */
static double beta_by_x(double x, double a)
{
    double sum = 0, factor = 1;
    for (int k = 0; factor > 1e-18; k++) {
        sum += factor / (a + k);
        factor *= (k + 0.5) / (k + 1) * x;
    }
    return exp(a * log(x) - log_beta(a)) * sum;
}

/* 1 - I(1 - y; a, 1/2) = I(y; 1/2, a) for y <= 1/2: y^(1/2) (1 - y)^a / B times the sum over k of
 * (a + 1/2)(a + 3/2)…(a + k - 1/2) / ((1/2)(3/2)…(k + 1/2)) y^k (the same, 26.5.4). */
static double beta_by_y(double y, double a)
{
    double sum = 0, term = 2;
    for (int k = 0; term > 1e-18 * sum; k++) {
        sum += term;
        term *= (a + 0.5 + k) / (1.5 + k) * y;
    }
    return exp(0.5 * log(y) + a * log1p(-y) - log_beta(a)) * sum;
}

/* The probability that a cosine exceeds t, 0 < t < 1. */
static double tail(double t, double a)
{
    double y = t * t;
    if (y > 0.5)
        return 0.5 * beta_by_x((1 - t) * (1 + t), a);
    if (a * log1p(-y) < -600) /* too little for a double, and its sum too much */
        return 0;
    return 0.5 - 0.5 * beta_by_y(y, a);
}

double es_noise_floor(int64_t n, int64_t C)
{
    double want = -expm1(-log(2) / (double)n), low = 0, high = 1;
    if (C == 1 || n == 1)
        return C == 1; /* one channel has two directions */
    for (int i = 0; i < HALVINGS; i++) {
        double t = (low + high) / 2;
        if (tail(t, 0.5 * (double)(C - 1)) > want)
            low = t;
        else
            high = t;
    }
    return (low + high) / 2;
}
