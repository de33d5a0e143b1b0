// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>

#include "base/rng.h"
#include "torch/cast.h"
#include "torch/cells.h"
#include "torch/filling.h"
#include "torch/make.h"
#include "torch/weight.h"

enum { OF_TENSORS = 0x746E7372 }; /* "tnsr": no block of ours is one of a random table's */

/* 64 random bits: the first half of Philox's block n under the key `seed`. */
static uint64_t bits_at(uint64_t seed, uint64_t n)
{
    const uint32_t counter[4] = {(uint32_t)n, (uint32_t)(n >> 32), OF_TENSORS, 0};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    uint32_t block[4];
    es_philox(block, counter, key);
    return (uint64_t)block[1] << 32 | block[0];
}

static uint64_t draw(es_torch *k)
{
    return bits_at(k->seed, k->drawn++);
}

static double normal_of(uint64_t bits)
{
    return es_normal_quantile(((double)(bits >> 12) + 0.5) * 0x1p-52);
}

/* As many bits as the dtype holds, so that 1 is never reached. */
static double uniform_of(uint64_t bits, es_dtype dtype)
{
    return dtype == ES_FLOAT32 ? (double)(bits >> 40) * 0x1p-24 : (double)(bits >> 11) * 0x1p-53;
}

static bool is_floating(es_dtype dtype, const char *what, const char *kernel, es_error *err)
{
    if (es_dtype_is_float(dtype))
        return true;
    es_fail(err, ES_ERR_DTYPE, "%s draws fractions, which %s cannot hold", what,
            es_dtype_name(dtype));
    es_hint(err, "whole numbers: torch.randint(low, high, size)");
    return es_torch_says(err, "\"%s\" not implemented for '%s'", kernel,
                         es_torch_scalar_name(dtype));
}

static void put_uniform(void *ctx, const es_tensor *t, int64_t i)
{
    es_torch_put_float(t, i, uniform_of(draw(ctx), t->dtype));
}

bool es_torch_rand(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                   const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    return is_floating(dtype, "rand", "check_uniform_bounds", err) &&
           es_torch_filled(k, out, be, dtype, shape, put_uniform, k, "rand", err);
}

static void put_normal(void *ctx, const es_tensor *t, int64_t i)
{
    es_torch_put_float(t, i, normal_of(draw(ctx)));
}

bool es_torch_randn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                    const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    return is_floating(dtype, "randn", "normal_kernel_cpu", err) &&
           es_torch_filled(k, out, be, dtype, shape, put_normal, k, "randn", err);
}

/* ---- scaled, and late where that saves anything ---- */

/* Which numbers a tensor of random ones has: those from the first-th on under a seed. */
typedef struct drawing {
    es_drawing how;
    uint64_t seed, first;
} drawing;

static double number_at(const drawing *d, int64_t i, es_dtype dtype)
{
    uint64_t bits = bits_at(d->seed, d->first + (uint64_t)i);
    const es_drawing *how = &d->how;
    return how->uniform ? how->from + how->by * uniform_of(bits, dtype)
                        : how->from + how->by * normal_of(bits);
}

static void put_number(void *ctx, const es_tensor *t, int64_t i)
{
    const drawing *d = ctx;
    bool zero = d->how.zero_row > 0 && t->shape.ndim > 0 &&
                i / (es_shape_count(&t->shape) / t->shape.dim[0]) == d->how.zero_row - 1;
    es_torch_put_float(t, i, zero ? 0 : number_at(d, i, t->dtype));
}

static void draw_row(const void *context, int64_t i, float *out, int64_t C)
{
    const drawing *d = context;
    for (int64_t c = 0; c < C; c++)
        out[c] = i == d->how.zero_row - 1 ? 0 : (float)number_at(d, i * C + c, ES_FLOAT32);
}

bool es_torch_drawn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                    const es_shape *shape, const es_drawing *how, es_error *err)
{
    drawing d = {*how, k->seed, k->drawn};
    *out = (es_tensor){0};
    bool ok = is_floating(dtype, how->uniform ? "uniform_" : "normal_",
                          how->uniform ? "check_uniform_bounds" : "normal_kernel_cpu", err);
    bool late = dtype == ES_FLOAT32 && shape->ndim == 2 && shape->dim[0] > 0 && shape->dim[1] > 0;
    if (!late || k->shapes_only)
        ok = ok && es_torch_filled(k, out, be, dtype, shape, put_number, &d,
                                   how->uniform ? "uniform" : "normal", err);
    else if ((ok = es_torch_fits(k, dtype, shape, err))) {
        es_table *rows = es_table_generated(shape->dim[0], shape->dim[1], draw_row, &d, sizeof d);
        ok = es_torch_weight(out, rows, be, shape->label[0].s, shape->label[1].s);
        es_table_unref(rows);
    }
    if (ok && !k->shapes_only)
        k->drawn += (uint64_t)es_shape_count(shape);
    return ok;
}

/* Is its memory nobody else's, and all of it t's, in row-major order? */
static bool is_alone(const es_tensor *t)
{
    size_t bytes = (size_t)es_shape_count(&t->shape) * es_dtype_size(t->dtype);
    return t->buf->refs == 1 && t->offset == 0 && t->buf->bytes == bytes &&
           es_torch_is_contiguous(t);
}

bool es_torch_redraw(es_torch *k, es_tensor *t, const es_drawing *how, es_error *err)
{
    es_tensor drawn;
    if (!es_torch_drawn(k, &drawn, t->buf->be, t->dtype, &t->shape, how, err))
        return false;
    bool ok = true;
    if (es_torch_table_of(&drawn) && is_alone(t)) {
        es_buffer *old = t->buf;
        drawn.buf->number = old->number; /* to who looks at it, it is the same memory */
        t->buf = drawn.buf;
        drawn.buf = old;
    } else {
        ok = es_torch_assign(k, t, &drawn, false, err);
    }
    es_tensor_free(&drawn);
    return ok;
}

typedef struct from_to {
    es_torch *k;
    int64_t low;
    uint64_t n;
} from_to;

static void put_between(void *ctx, const es_tensor *t, int64_t i)
{
    const from_to *r = ctx;
    es_torch_put_int(t, i, (int64_t)((uint64_t)r->low + draw(r->k) % r->n));
}

bool es_torch_randint(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                      const es_shape *shape, int64_t low, int64_t high, es_error *err)
{
    from_to r = {k, low, (uint64_t)high - (uint64_t)low};
    *out = (es_tensor){0};
    if (low >= high) {
        es_fail(err, ES_ERR_RANGE, "there is no whole number from %" PRId64 " to below %" PRId64,
                low, high);
        return es_torch_says(err,
                             "random_ expects 'from' to be less than 'to', but got from=%" PRId64
                             " >= to=%" PRId64,
                             low, high);
    }
    return es_torch_filled(k, out, be, dtype, shape, put_between, &r, "randint", err);
}

/* Element i goes to a place drawn from those up to i, whose element comes here. */
static void put_shuffled(void *ctx, const es_tensor *t, int64_t i)
{
    int64_t j = (int64_t)(draw(ctx) % (uint64_t)(i + 1));
    es_torch_put_int(t, i, j == i ? i : es_torch_get_int(t, j));
    es_torch_put_int(t, j, i);
}

bool es_torch_randperm(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype, int64_t n,
                       const es_label *label, es_error *err)
{
    es_shape shape = es_shape_1d(label->s, n);
    *out = (es_tensor){0};
    if (n < 0) {
        es_fail(err, ES_ERR_VALUE, "there is no order of %" PRId64 " things", n);
        return es_torch_says(err, "n must be non-negative, got %" PRId64, n);
    }
    return es_torch_filled(k, out, be, dtype, &shape, put_shuffled, k, "randperm", err);
}
