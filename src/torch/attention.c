// SPDX-License-Identifier: GPL-3.0-or-later
/* softmax(q @ k.T / sqrt(d) + mask) @ v, as its definition has it. */
#include <math.h>
#include <string.h>

#include "torch/elementwise.h"
#include "torch/join.h"
#include "torch/make.h"
#include "torch/product.h"
#include "torch/reduce.h"
#include "torch/views.h"

/* *t = next, which was made from it. */
static bool becomes(es_tensor *t, es_tensor *next, bool made)
{
    if (!made)
        return false;
    es_tensor_free(t);
    *t = *next;
    return true;
}

static bool scaled_scores(es_torch *k, es_tensor *scores, const es_tensor *q, const es_tensor *key,
                          double scale, es_error *err)
{
    es_tensor turned, number, next;
    if (!es_torch_transpose(k, &turned, key, -2, -1, err))
        return false;
    bool ok = es_torch_matmul(k, scores, q, &turned, err);
    es_tensor_free(&turned);
    if (!ok || !es_torch_float(k, &number, scale, err))
        return false;
    ok = becomes(scores, &next, es_torch_binary(k, &next, ES_B_MUL, scores, &number, err));
    es_tensor_free(&number);
    return ok;
}

/* -inf where mask is true. */
static bool hide(es_torch *k, es_tensor *scores, const es_tensor *mask, es_error *err)
{
    es_tensor number, next;
    if (!es_torch_float(k, &number, -INFINITY, err))
        return false;
    bool ok = becomes(scores, &next, es_torch_masked_fill(k, &next, scores, mask, &number, err));
    es_tensor_free(&number);
    return ok;
}

/* What comes later is hidden: the upper triangle of (T, S). */
static bool hide_later(es_torch *k, es_tensor *scores, es_error *err)
{
    const es_shape *of = &scores->shape;
    es_shape square = es_shape_2d("", of->dim[of->ndim - 2], "", of->dim[of->ndim - 1]);
    es_tensor one, ones, later;
    if (!es_torch_bool(k, &one, true, err))
        return false;
    bool ok = es_torch_full(k, &ones, scores->buf->be, ES_BOOL, &square, &one, err);
    es_tensor_free(&one);
    if (!ok)
        return false;
    ok = es_torch_triangle(k, &later, &ones, false, 1, err);
    es_tensor_free(&ones);
    ok = ok && hide(k, scores, &later, err);
    es_tensor_free(&later);
    return ok;
}

/* A mask of bools says where one may look; one of floats is added. */
static bool apply_mask(es_torch *k, es_tensor *scores, const es_tensor *mask, es_error *err)
{
    es_tensor next;
    if (mask->dtype != ES_BOOL)
        return becomes(scores, &next, es_torch_binary(k, &next, ES_B_ADD, scores, mask, err));
    if (!es_torch_unary(k, &next, ES_U_LOGICAL_NOT, mask, err))
        return false;
    bool ok = hide(k, scores, &next, err);
    es_tensor_free(&next);
    return ok;
}

static bool are_vectors(const es_tensor *q, const es_tensor *key, const es_tensor *v, es_error *err)
{
    if (q->shape.ndim >= 2 && key->shape.ndim >= 2 && v->shape.ndim >= 2)
        return true;
    es_fail(err, ES_ERR_VALUE, "query, key and value have two axes and more, not %d, %d and %d",
            q->shape.ndim, key->shape.ndim, v->shape.ndim);
    return es_torch_says(err,
                         "scaled_dot_product_attention: Expected query, key, and value to all be "
                         "at least 2 dimensional, but got Query dim: %d, Key dim: %d, Value dim: "
                         "%d instead.",
                         q->shape.ndim, key->shape.ndim, v->shape.ndim);
}

bool es_torch_attention(es_torch *k, es_tensor *out, const es_tensor *q, const es_tensor *key,
                        const es_tensor *v, const es_attention *how, es_error *err)
{
    es_tensor scores = {0}, next;
    *out = (es_tensor){0};
    if (!are_vectors(q, key, v, err))
        return false;
    int64_t d = q->shape.dim[q->shape.ndim - 1];
    double scale = how->scale > 0 ? how->scale : 1 / sqrt((double)(d ? d : 1));
    bool ok = scaled_scores(k, &scores, q, key, scale, err) &&
              (!how->causal || hide_later(k, &scores, err)) &&
              (!how->mask || apply_mask(k, &scores, how->mask, err)) &&
              becomes(&scores, &next,
                      es_torch_softmax(k, &next, false, &scores, scores.shape.ndim - 1, err)) &&
              es_torch_matmul(k, out, &scores, v, err);
    es_tensor_free(&scores);
    return ok;
}
