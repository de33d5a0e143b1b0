// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/dropout.h"

#include "torch/elementwise.h"
#include "torch/make.h"

/* x op number */
static bool with_number(es_torch *k, es_tensor *out, es_binary_op op, const es_tensor *x,
                        double number, es_error *err)
{
    es_tensor value;
    if (!es_torch_float(k, &value, number, err))
        return false;
    bool ok = es_torch_binary(k, out, op, x, &value, err);
    es_tensor_free(&value);
    return ok;
}

/* 1 where a number stays, 0 where it is dropped: a random number below p drops it. */
static bool mask_of(es_torch *k, es_tensor *out, const es_tensor *x, double p, es_error *err)
{
    es_tensor drawn;
    es_torch own = *k;
    own.shapes_only = k->shapes_only || es_torch_meta(x);
    if (!es_torch_rand(&own, &drawn, x->buf->be, x->dtype, &x->shape, err))
        return false;
    k->drawn = own.drawn;
    bool ok = with_number(&own, out, ES_B_GE, &drawn, p, err);
    es_tensor_free(&drawn);
    return ok;
}

bool es_torch_dropout(es_torch *k, es_tensor *out, const es_tensor *x, double p, es_error *err)
{
    es_tensor mask, kept;
    if (!mask_of(k, &mask, x, p, err))
        return false;
    bool ok = es_torch_binary(k, &kept, ES_B_MUL, x, &mask, err);
    es_tensor_free(&mask);
    if (!ok)
        return false;
    ok = with_number(k, out, ES_B_MUL, &kept, p < 1 ? 1 / (1 - p) : 1, err);
    es_tensor_free(&kept);
    return ok;
}
