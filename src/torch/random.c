// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>

#include "base/rng.h"
#include "torch/cells.h"
#include "torch/filling.h"
#include "torch/make.h"

enum { OF_TENSORS = 0x746E7372 }; /* "tnsr": no block of ours is one of a random table's */

/* 64 random bits: the first half of Philox's block `drawn` under the key `seed`. */
static uint64_t draw(es_torch *k)
{
    uint64_t n = k->drawn++;
    const uint32_t counter[4] = {(uint32_t)n, (uint32_t)(n >> 32), OF_TENSORS, 0};
    const uint32_t key[2] = {(uint32_t)k->seed, (uint32_t)(k->seed >> 32)};
    uint32_t block[4];
    es_philox(block, counter, key);
    return (uint64_t)block[1] << 32 | block[0];
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

/* As many bits as the dtype holds, so that 1 is never reached. */
static void put_uniform(void *ctx, const es_tensor *t, int64_t i)
{
    uint64_t bits = draw(ctx);
    es_torch_put_float(t, i,
                       t->dtype == ES_FLOAT32 ? (double)(bits >> 40) * 0x1p-24
                                              : (double)(bits >> 11) * 0x1p-53);
}

bool es_torch_rand(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                   const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    return is_floating(dtype, "rand", "check_uniform_bounds", err) &&
           es_torch_filled(k, out, be, dtype, shape, put_uniform, k, err);
}

static void put_normal(void *ctx, const es_tensor *t, int64_t i)
{
    double p = ((double)(draw(ctx) >> 12) + 0.5) * 0x1p-52;
    es_torch_put_float(t, i, es_normal_quantile(p));
}

bool es_torch_randn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                    const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    return is_floating(dtype, "randn", "normal_kernel_cpu", err) &&
           es_torch_filled(k, out, be, dtype, shape, put_normal, k, err);
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
    return es_torch_filled(k, out, be, dtype, shape, put_between, &r, err);
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
    return es_torch_filled(k, out, be, dtype, &shape, put_shuffled, k, err);
}
