// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/cosine.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

enum { STEP = 1 << 20 }; /* multiply-adds between two looks at the watch */

static double dot(const float *a, const float *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

double es_length(const float *v, int64_t C)
{
    return sqrt(dot(v, v, C));
}

/* |v|, or NaN where v has no direction. */
static double length_of(const float *v, int64_t C)
{
    double length = es_length(v, C);
    return length > 0 && isfinite(length) ? length : NAN;
}

static double cosine(double product, double a_length, double b_length)
{
    double cosine = product / (a_length * b_length);
    return cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
}

double es_cosine(const float *a, const float *b, int64_t C)
{
    return cosine(dot(a, b, C), length_of(a, C), length_of(b, C));
}

/* Row i of the matrix as far as the diagonal, and its mirror image. */
static void fill_row(float *out, const float *rows, const double *length, int64_t i, int64_t n,
                     int64_t C)
{
    for (int64_t j = 0; j < i; j++) {
        double product = dot(rows + i * C, rows + j * C, C);
        out[i * n + j] = out[j * n + i] = (float)cosine(product, length[i], length[j]);
    }
    out[i * n + i] = isnan(length[i]) ? NAN : 1;
}

bool es_cosine_matrix(float *out, const float *rows, int64_t n, int64_t C, es_watch *watch,
                      es_error *err)
{
    double *length = es_try_alloc((size_t)n, sizeof *length, "the lengths", err);
    uint64_t before = watch ? watch->done : 0;
    bool ok = length != NULL;
    int64_t since = STEP;
    for (int64_t i = 0; ok && i < n; i++) {
        length[i] = length_of(rows + i * C, C);
        fill_row(out, rows, length, i, n, C);
        since += (i + 1) * C;
        if (since < STEP)
            continue;
        since = 0;
        ok = es_watch_step(watch, before + (uint64_t)(i * i), err);
    }
    free(length);
    return ok && es_watch_step(watch, before + (uint64_t)(n * n), err);
}
