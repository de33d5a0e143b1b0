// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/cosine.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/ops.h"

/* Multiply-adds between two looks at the watch, here and where a device does them. */
enum { STEP = 1 << 20, FAR_STEP = 1 << 29 };

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

static bool fill_here(float *out, const float *rows, double *length, int64_t n, int64_t C,
                      es_watch *watch, es_error *err)
{
    uint64_t before = watch ? watch->done : 0;
    bool ok = true;
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
    return ok && es_watch_step(watch, before + (uint64_t)(n * n), err);
}

/* ---- on a device whose memory is not the host's ---- */

/* Rows at length 1, zeros where there is no direction: no NaN gets into a product. */
static bool send_units(es_tensor *unit, const float *rows, double *length, int64_t n, int64_t C,
                       es_backend *be, es_error *err)
{
    es_shape shape = es_shape_2d("", n, "C", C);
    float *scaled = es_try_alloc((size_t)(n * C), sizeof *scaled, "rows at length 1", err);
    for (int64_t i = 0; scaled && i < n; i++) {
        length[i] = length_of(rows + i * C, C);
        for (int64_t c = 0; c < C; c++)
            scaled[i * C + c] = isnan(length[i]) ? 0 : (float)((double)rows[i * C + c] / length[i]);
    }
    bool ok = scaled && es_tensor_new(unit, be, ES_FLOAT32, &shape, err) &&
              es_tensor_write(unit, scaled, err);
    es_backend_ran_beside(be, "lengths of rows");
    free(scaled);
    return ok;
}

/* Rows i .. i+some-1 of the matrix. */
static bool multiply_there(float *out, const es_tensor *unit, int64_t i, int64_t some,
                           es_error *err)
{
    int64_t n = unit->shape.dim[0];
    es_shape shape = es_shape_2d("", some, "", n);
    es_tensor rows = {0}, turned = {0}, product = {0};
    bool ok = es_tensor_slice(&rows, unit, 0, i, i + some, err) &&
              es_tensor_transpose(&turned, unit, 0, 1, err) &&
              es_tensor_new(&product, unit->buf->be, ES_FLOAT32, &shape, err) &&
              es_matmul(&product, &rows, &turned, err) &&
              es_tensor_read(&product, out + i * n, err);
    es_tensor_free(&rows);
    es_tensor_free(&turned);
    es_tensor_free(&product);
    return ok;
}

/* What products in float32 leave to be said: no cosine is above 1, a row's with itself is 1, either way round is the
 * same. */
static void settle(float *out, const double *length, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) {
            float *at = &out[i * n + j];
            *at = isnan(length[i]) || isnan(length[j]) ? NAN : fmaxf(-1, fminf(1, *at));
            out[j * n + i] = *at;
        }
        out[i * n + i] = isnan(length[i]) ? NAN : 1;
    }
}

static bool fill_there(float *out, const float *rows, double *length, int64_t n, int64_t C,
                       es_backend *be, es_watch *watch, es_error *err)
{
    uint64_t before = watch ? watch->done : 0;
    es_tensor unit = {0};
    int64_t some = n * C < FAR_STEP ? FAR_STEP / (n * C + 1) : 1;
    bool ok = n == 0 || send_units(&unit, rows, length, n, C, be, err);
    for (int64_t i = 0; ok && i < n; i += some) {
        int64_t end = i + some < n ? i + some : n;
        ok = multiply_there(out, &unit, i, end - i, err) &&
             es_watch_step(watch, before + (uint64_t)(end * n), err);
    }
    es_tensor_free(&unit);
    if (ok)
        settle(out, length, n);
    return ok;
}

bool es_cosine_matrix(float *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                      es_watch *watch, es_error *err)
{
    double *length = es_try_alloc((size_t)n, sizeof *length, "the lengths", err);
    bool here = !be || be->ops->host_memory;
    bool ok = length && (here ? fill_here(out, rows, length, n, C, watch, err)
                              : fill_there(out, rows, length, n, C, be, watch, err));
    free(length);
    return ok;
}
