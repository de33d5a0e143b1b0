// SPDX-License-Identifier: GPL-3.0-or-later
/* A number that is even between the chances of both ends is taken back to where a normal number has that chance. */
#include "torch/truncated.h"

#include <math.h>

#include "base/rng.h"
#include "torch/filling.h"
#include "torch/host.h"
#include "torch/make.h"

/* How likely a normal number lies below x. */
static double chance_below(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

typedef struct drawing {
    const es_truncated *how;
    const es_tensor *even; /* 0 <= x < 1, as many as are wanted */
    double from, by;       /* chances */
} drawing;

static void put(void *ctx, const es_tensor *t, int64_t i)
{
    const drawing *d = ctx;
    double p = d->from + d->by * es_torch_get_float(d->even, i);
    double least = 0x1p-60;
    p = p < least ? least : p > 1 - 0x1p-53 ? 1 - 0x1p-53 : p;
    double x = d->how->mean + d->how->deviation * es_normal_quantile(p);
    x = x < d->how->low ? d->how->low : x > d->how->high ? d->how->high : x;
    es_torch_put_float(t, i, x);
}

bool es_torch_truncated(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                        const es_shape *shape, const es_truncated *how, es_error *err)
{
    es_tensor even, drawn;
    if (!es_torch_rand(k, &drawn, be, dtype, shape, err))
        return false;
    if (es_torch_meta(&drawn)) {
        *out = drawn;
        return true;
    }
    bool ok = es_torch_here(k, &even, &drawn, "trunc_normal_", err);
    es_tensor_free(&drawn);
    if (!ok)
        return false;
    double deviation = how->deviation > 0 ? how->deviation : 1;
    double from = chance_below((how->low - how->mean) / deviation);
    drawing d = {how, &even, from, chance_below((how->high - how->mean) / deviation) - from};
    ok = es_torch_filled(k, out, be, dtype, shape, put, &d, "trunc_normal_", err);
    es_tensor_free(&even);
    return ok;
}
