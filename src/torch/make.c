// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/make.h"

#include <inttypes.h>
#include <math.h>

#include "torch/cast.h"
#include "torch/filling.h"
#include "torch/host.h"
#include "torch/move.h"

/* ---- number by number ---- */

void es_torch_put_int(const es_tensor *t, int64_t i, int64_t value)
{
    switch (t->dtype) {
    case ES_FLOAT32: ((float *)t->buf->mem)[i] = (float)value; break;
    case ES_FLOAT64: ((double *)t->buf->mem)[i] = (double)value; break;
    case ES_INT64: ((int64_t *)t->buf->mem)[i] = value; break;
    case ES_INT32: ((int32_t *)t->buf->mem)[i] = (int32_t)value; break;
    default: ((bool *)t->buf->mem)[i] = value != 0; break;
    }
}

/* A float as C has it, where C says what it is. */
static int64_t to_int(double x)
{
    return es_fits_int64(x) ? (int64_t)x : INT64_MIN;
}

void es_torch_put_float(const es_tensor *t, int64_t i, double value)
{
    switch (t->dtype) {
    case ES_FLOAT32: ((float *)t->buf->mem)[i] = (float)value; break;
    case ES_FLOAT64: ((double *)t->buf->mem)[i] = value; break;
    case ES_BOOL: ((bool *)t->buf->mem)[i] = value != 0; break;
    default: es_torch_put_int(t, i, to_int(value)); break;
    }
}

static bool sizes_are(const es_shape *shape, es_error *err)
{
    for (int d = 0; d < shape->ndim; d++)
        if (shape->dim[d] < 0) {
            es_str sizes = {0};
            es_torch_sizes(&sizes, shape);
            es_fail(err, ES_ERR_VALUE, "a size cannot be %" PRId64, shape->dim[d]);
            es_torch_says(err, "Trying to create tensor with negative dimension %" PRId64 ": %s",
                          shape->dim[d], sizes.s);
            es_str_free(&sizes);
            return false;
        }
    return true;
}

static bool fill(es_torch *k, const es_tensor *t, es_fill_fn *fn, void *ctx, es_error *err)
{
    enum { LOOK = 1 << 14 }; /* a random number takes a while */
    for (int64_t i = 0, n = es_shape_count(&t->shape); i < n; i++) {
        fn(ctx, t, i);
        if (i % LOOK == LOOK - 1 && !es_watch_step(k->watch, (uint64_t)i, err))
            return false;
    }
    return true;
}

bool es_torch_filled(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                     const es_shape *shape, es_fill_fn *fn, void *ctx, const char *what,
                     es_error *err)
{
    *out = (es_tensor){0};
    if (!sizes_are(shape, err) || !es_torch_new(k, out, be, dtype, shape, err))
        return false;
    if (es_torch_meta(out))
        return true;
    es_backend_ran_beside(be, what);
    if ((es_host_instead(out, err) && fill(k, out, fn, ctx, err) && es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}

/* ---- constants ---- */

bool es_torch_full(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                   const es_shape *shape, const es_tensor *value, es_error *err)
{
    *out = (es_tensor){0};
    if (!sizes_are(shape, err) || !es_torch_new(k, out, be, dtype, shape, err))
        return false;
    if (es_torch_meta(out) || es_torch_assign(k, out, value, false, err))
        return true;
    es_tensor_free(out);
    return false;
}

static void put_eye(void *ctx, const es_tensor *t, int64_t i)
{
    (void)ctx;
    int64_t m = t->shape.dim[1];
    es_torch_put_int(t, i, i / m == i % m);
}

bool es_torch_eye(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                  const es_shape *shape, es_error *err)
{
    return es_torch_filled(k, out, be, dtype, shape, put_eye, NULL, "eye", err);
}

/* ---- arange ---- */

static bool no_numbers(const es_span *s, es_error *err)
{
    double step = s->f[2];
    if (step == 0) {
        es_fail(err, ES_ERR_RANGE, "a step of 0 never gets from %g to %g", s->f[0], s->f[1]);
        return es_torch_says(err, "step must be nonzero");
    }
    es_fail(err, ES_ERR_RANGE, "steps of %g never get from %g to %g", step, s->f[0], s->f[1]);
    return es_torch_says(err, "upper bound and larger bound inconsistent with step sign");
}

static bool count_steps(const es_span *s, es_dtype dtype, int64_t *n, es_error *err)
{
    const double *f = s->f;
    if (!isfinite(f[0]) || !isfinite(f[1]) || !isfinite(f[2])) {
        es_fail(err, ES_ERR_RANGE, "arange needs numbers, not %g, %g and %g", f[0], f[1], f[2]);
        return es_torch_says(err, "unsupported range: %g -> %g", f[0], f[1]);
    }
    if (dtype == ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "arange does not count in bool");
        return es_torch_says(err, "\"arange_cpu\" not implemented for 'Bool'");
    }
    if (f[2] == 0 || (f[2] > 0 ? f[1] < f[0] : f[1] > f[0]))
        return no_numbers(s, err);
    if (s->ints) {
        bool up = s->i[2] > 0;
        uint64_t from = (uint64_t)s->i[0], to = (uint64_t)s->i[1];
        uint64_t span = up ? to - from : from - to;
        uint64_t step = up ? (uint64_t)s->i[2] : 0 - (uint64_t)s->i[2];
        uint64_t steps = span ? (span - 1) / step + 1 : 0;
        *n = steps > INT64_MAX ? INT64_MAX : (int64_t)steps;
        return true;
    }
    double steps = ceil((f[1] - f[0]) / f[2]);
    *n = steps < 0x1p62 ? (int64_t)steps : INT64_MAX; /* which is refused as too large */
    return true;
}

static void put_step(void *ctx, const es_tensor *t, int64_t i)
{
    const es_span *s = ctx;
    if (s->ints)
        es_torch_put_int(t, i, (int64_t)((uint64_t)s->i[0] + (uint64_t)i * (uint64_t)s->i[2]));
    else
        es_torch_put_float(t, i, s->f[0] + (double)i * s->f[2]);
}

bool es_torch_arange(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                     const es_span *span, const es_label *label, es_error *err)
{
    es_span s = *span;
    int64_t n = 0;
    *out = (es_tensor){0};
    for (int i = 0; i < 3 && s.ints; i++)
        s.f[i] = (double)s.i[i];
    if (!count_steps(&s, dtype, &n, err))
        return false;
    es_shape shape = es_shape_1d(label->s, n);
    return es_torch_filled(k, out, be, dtype, &shape, put_step, &s, "arange", err);
}

/* ---- linspace ---- */

typedef struct line {
    double start, end;
    int64_t steps;
} line;

/* From both ends, so that both are met exactly. */
static void put_point(void *ctx, const es_tensor *t, int64_t i)
{
    const line *l = ctx;
    double step = l->steps > 1 ? (l->end - l->start) / (double)(l->steps - 1) : 0;
    bool near_start = i < l->steps / 2 || l->steps == 1;
    es_torch_put_float(t, i,
                       near_start ? l->start + (double)i * step
                                  : l->end - (double)(l->steps - 1 - i) * step);
}

bool es_torch_linspace(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype, double start,
                       double end, int64_t steps, const es_label *label, es_error *err)
{
    line l = {start, end, steps};
    *out = (es_tensor){0};
    if (steps < 0) {
        es_fail(err, ES_ERR_VALUE, "%" PRId64 " is no number of steps", steps);
        return es_torch_says(err, "number of steps must be non-negative");
    }
    es_shape shape = es_shape_1d(label->s, steps);
    return es_torch_filled(k, out, be, dtype, &shape, put_point, &l, "linspace", err);
}
