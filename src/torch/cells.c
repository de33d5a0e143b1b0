// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/cells.h"

#include <string.h>

/* Floats become integers as C says where C says it, and the smallest integer where it does not. */
static int64_t long_of(double x)
{
    return es_fits_int64(x) ? (int64_t)x : INT64_MIN;
}

static int32_t int_of(double x)
{
    return x > -2147483649.0 && x < 2147483648.0 ? (int32_t)x : INT32_MIN;
}

static int32_t wrapped(int64_t x)
{
    return (int32_t)(uint32_t)(uint64_t)x;
}

#define EACH(To, From, expression)                                                                 \
    for (int64_t i = 0; i < n; i++) {                                                              \
        From x = ((const From *)in->at)[i * in->step];                                             \
        ((To *)out->at)[i * out->step] = (expression);                                             \
    }                                                                                              \
    break

/* From one dtype to all five. */
#define CASTS(name, From, to_long, to_int)                                                         \
    static void name(const es_cells *out, const es_cells *in, int64_t n)                           \
    {                                                                                              \
        switch (out->dtype) {                                                                      \
        case ES_FLOAT32: EACH(float, From, (float)x);                                              \
        case ES_FLOAT64: EACH(double, From, (double)x);                                            \
        case ES_INT64: EACH(int64_t, From, to_long);                                               \
        case ES_INT32: EACH(int32_t, From, to_int);                                                \
        default: EACH(bool, From, x != (From)0);                                                   \
        }                                                                                          \
    }

CASTS(cast_float32, float, long_of((double)x), int_of((double)x))
CASTS(cast_float64, double, long_of(x), int_of(x))
CASTS(cast_int64, int64_t, x, wrapped(x))
CASTS(cast_int32, int32_t, x, x)
CASTS(cast_bool, bool, x, x)

void es_cells_cast(const es_cells *out, const es_cells *in, int64_t n)
{
    static void (*const cast[ES_N_DTYPES])(const es_cells *, const es_cells *, int64_t) = {
        cast_float32, cast_float64, cast_int64, cast_int32, cast_bool};
    if (out->dtype == in->dtype && out->step == 1 && in->step == 1)
        memmove(out->at, in->at, (size_t)n * es_dtype_size(in->dtype));
    else
        cast[in->dtype](out, in, n);
}

void es_cells_to_floats(double *out, const es_cells *in, int64_t n, es_dtype as)
{
    es_cells dense = {out, ES_FLOAT64, 1};
    es_cells_cast(&dense, in, n);
    if (as == ES_FLOAT32 && in->dtype != ES_FLOAT32 && in->dtype != ES_BOOL)
        for (int64_t i = 0; i < n; i++)
            out[i] = (double)(float)out[i];
}

void es_cells_to_ints(int64_t *out, const es_cells *in, int64_t n, es_dtype as)
{
    es_cells dense = {out, ES_INT64, 1};
    es_cells_cast(&dense, in, n);
    if (as == ES_INT32 && in->dtype == ES_INT64)
        for (int64_t i = 0; i < n; i++)
            out[i] = wrapped(out[i]);
    if (as == ES_BOOL && in->dtype != ES_BOOL)
        for (int64_t i = 0; i < n; i++)
            out[i] = out[i] != 0;
}

void es_cells_from_floats(const es_cells *out, const double *in, int64_t n)
{
    es_cells dense = {(void *)in, ES_FLOAT64, 1};
    es_cells_cast(out, &dense, n);
}

void es_cells_from_ints(const es_cells *out, const int64_t *in, int64_t n)
{
    es_cells dense = {(void *)in, ES_INT64, 1};
    es_cells_cast(out, &dense, n);
}
