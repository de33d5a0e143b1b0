// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/multihead.h"

#include <inttypes.h>
#include <math.h>

#include "torch/dropout.h"
#include "torch/elementwise.h"
#include "torch/move.h"
#include "torch/product.h"
#include "torch/reduce.h"
#include "torch/views.h"

/* ---- one step after another: what they make is freed at the end, and nothing is done after a failure ---- */

enum { MOST_STEPS = 40 };

typedef struct steps {
    es_torch *k;
    const es_multihead *how;
    es_error *err;
    es_tensor made[MOST_STEPS];
    int n;
} steps;

/* The tensor just made, or NULL. */
static const es_tensor *made(steps *s, bool ok)
{
    return ok ? &s->made[s->n++] : NULL;
}

#define NEXT(s) (&(s)->made[(s)->n])

static const es_tensor *transposed(steps *s, const es_tensor *x, int a, int b)
{
    return x ? made(s, es_torch_transpose(s->k, NEXT(s), x, a, b, s->err)) : NULL;
}

static const es_tensor *unsqueezed(steps *s, const es_tensor *x, int axis)
{
    return x ? made(s, es_torch_unsqueeze(s->k, NEXT(s), x, axis, s->err)) : NULL;
}

static const es_tensor *product(steps *s, const es_tensor *x, const es_tensor *y)
{
    return x && y ? made(s, es_torch_matmul(s->k, NEXT(s), x, y, s->err)) : NULL;
}

/* The i-th third of weight and bias, for query, key and value. */
static const es_tensor *projected(steps *s, const es_tensor *x, int i)
{
    const es_multihead *how = s->how;
    int64_t E = how->in_weight->shape.dim[0] / 3;
    const es_tensor *bias = NULL;
    if (!x)
        return NULL;
    const es_tensor *weight =
        made(s, es_tensor_slice(NEXT(s), how->in_weight, 0, i * E, (i + 1) * E, s->err));
    if (weight && how->in_bias) {
        bias = made(s, es_tensor_slice(NEXT(s), how->in_bias, 0, i * E, (i + 1) * E, s->err));
        weight = bias ? weight : NULL;
    }
    return weight ? made(s, es_torch_linear(s->k, NEXT(s), x, weight, bias, s->err)) : NULL;
}

/* (B, T, E) as (B, heads, T, E / heads) */
static const es_tensor *in_heads(steps *s, const es_tensor *x)
{
    const es_shape sizes = es_shape_2d("", s->how->heads, "", -1);
    return x ? transposed(s, made(s, es_torch_unflatten(s->k, NEXT(s), x, -1, &sizes, s->err)), 1,
                          2)
             : NULL;
}

static const es_tensor *times(steps *s, const es_tensor *x, double number)
{
    es_tensor n;
    if (!x || !es_torch_float(s->k, &n, number, s->err))
        return NULL;
    bool ok = es_torch_binary(s->k, NEXT(s), ES_B_MUL, x, &n, s->err);
    es_tensor_free(&n);
    return made(s, ok);
}

/* A mask of bools hides where it is true, another is added. */
static const es_tensor *masked(steps *s, const es_tensor *scores, const es_tensor *mask)
{
    es_tensor n;
    if (!scores || !mask)
        return NULL;
    if (mask->dtype != ES_BOOL)
        return made(s, es_torch_binary(s->k, NEXT(s), ES_B_ADD, scores, mask, s->err));
    if (!es_torch_float(s->k, &n, -INFINITY, s->err))
        return NULL;
    bool ok = es_torch_masked_fill(s->k, NEXT(s), scores, mask, &n, s->err);
    es_tensor_free(&n);
    return made(s, ok);
}

/* ---- what may not be ---- */

/* The mask called name has another shape than it should. */
static bool check_mask(const es_tensor *mask, const char *name, const es_shape *wanted,
                       const char *their_name, es_error *err)
{
    bool fits = mask->shape.ndim == wanted->ndim;
    for (int d = 0; fits && d < wanted->ndim; d++)
        fits = mask->shape.dim[d] == wanted->dim[d];
    if (fits)
        return true;
    es_str have = {0}, want = {0};
    es_shape_show(&have, &mask->shape);
    es_shape_show(&want, wanted);
    es_fail(err, ES_ERR_VALUE, "the %s is %s, and is to be %s", name, have.s, want.s);
    es_str_cut(&have, 0);
    es_str_cut(&want, 0);
    es_torch_sizes(&have, &mask->shape);
    es_torch_sizes(&want, wanted);
    es_torch_says(err, "The shape of the %s is torch.Size(%s), but should be (%.*s).", their_name,
                  have.s, (int)want.len - 2, want.s + 1);
    es_str_free(&have);
    es_str_free(&want);
    return false;
}

static bool check_query(const es_tensor *q, int64_t E, es_error *err)
{
    int n = q->shape.ndim;
    if (n != 2 && n != 3) {
        es_fail(err, ES_ERR_VALUE, "a query has the axes [B, T, E] or [T, E], and this has %d", n);
        return es_torch_says(
            err, "query should be unbatched 2D or batched 3D but received %d-D query tensor", n);
    }
    if (q->shape.dim[n - 1] == E)
        return true;
    es_fail(err, ES_ERR_VALUE,
            "the channels of a query are %" PRId64 " here, and these are %" PRId64, E,
            q->shape.dim[n - 1]);
    return es_torch_says(err, "was expecting embedding dimension of %" PRId64 ", but got %" PRId64,
                         E, q->shape.dim[n - 1]);
}

static bool check_keys(const es_tensor *q, const es_tensor *key, const es_tensor *v, es_error *err)
{
    int n = q->shape.ndim;
    bool fits = key->shape.ndim == n && v->shape.ndim == n;
    for (int d = 0; fits && d < n - 1; d++)
        fits = key->shape.dim[d] == v->shape.dim[d];
    if (fits)
        return true;
    es_str keys = {0}, values = {0};
    es_shape_show(&keys, &key->shape);
    es_shape_show(&values, &v->shape);
    es_fail(err, ES_ERR_VALUE, "each key has a value, and these are %s and %s", keys.s, values.s);
    es_str_cut(&keys, 0);
    es_str_cut(&values, 0);
    es_torch_sizes(&keys, &key->shape);
    es_torch_sizes(&values, &v->shape);
    es_torch_says(err, "key's sequence and batch dims %s do not match value's %s", keys.s,
                  values.s);
    es_str_free(&keys);
    es_str_free(&values);
    return false;
}

/* scores (B, heads, T, S) */
static bool check_masks(const steps *s, const es_shape *scores)
{
    const es_multihead *how = s->how;
    const int64_t *dim = scores->dim;
    const es_shape flat = es_shape_2d("", dim[2], "", dim[3]);
    const es_shape each = es_shape_3d("", dim[0] * dim[1], "", dim[2], "", dim[3]);
    const es_shape keys = es_shape_2d("", dim[0], "", dim[3]), alone = es_shape_1d("", dim[3]);
    bool three = how->mask && how->mask->shape.ndim == 3;
    bool one = how->padding && how->padding->shape.ndim == 1 && dim[0] == 1;
    return (!how->mask || check_mask(how->mask, "mask", three ? &each : &flat,
                                     three ? "3D attn_mask" : "2D attn_mask", s->err)) &&
           (!how->padding || check_mask(how->padding, "mask of the keys", one ? &alone : &keys,
                                        "key_padding_mask", s->err));
}

/* ---- forward ---- */

/* (B, T, E), whatever it came as. */
static const es_tensor *batch_first(steps *s, const es_tensor *x)
{
    if (x->shape.ndim == 2)
        return unsqueezed(s, x, 0);
    return s->how->batch_first ? x : transposed(s, x, 0, 1);
}

static const es_tensor *mask_of(steps *s, const es_tensor *mask)
{
    const es_shape sizes = es_shape_2d("", -1, "", s->how->heads);
    return mask->shape.ndim == 2
               ? mask
               : made(s, es_torch_unflatten(s->k, NEXT(s), mask, 0, &sizes, s->err));
}

static const es_tensor *padding_of(steps *s, const es_tensor *padding)
{
    const es_tensor *x = padding->shape.ndim == 1 ? unsqueezed(s, padding, 0) : padding;
    return unsqueezed(s, unsqueezed(s, x, 1), 1);
}

static const es_tensor *shares(steps *s, const es_tensor *q, const es_tensor *key)
{
    const es_multihead *how = s->how;
    double width = q ? (double)q->shape.dim[3] : 1;
    const es_tensor *x =
        times(s, product(s, q, transposed(s, key, -2, -1)), 1 / sqrt(width > 0 ? width : 1));
    if (!x || !check_masks(s, &x->shape))
        return NULL;
    if (how->mask)
        x = masked(s, x, mask_of(s, how->mask));
    if (how->padding && x)
        x = masked(s, x, padding_of(s, how->padding));
    x = x ? made(s, es_torch_softmax(s->k, NEXT(s), false, x, 3, s->err)) : NULL;
    if (x && how->dropout > 0)
        x = made(s, es_torch_dropout(s->k, NEXT(s), x, how->dropout, s->err));
    return x;
}

/* Heads behind one another, projected, in the layout that the query came in. */
static const es_tensor *joined(steps *s, const es_tensor *x, int ndim)
{
    x = transposed(s, x, 1, 2);
    x = x ? made(s, es_torch_flatten(s->k, NEXT(s), x, 2, 3, s->err)) : NULL;
    x = x ? made(s, es_torch_linear(s->k, NEXT(s), x, s->how->out_weight, s->how->out_bias, s->err))
          : NULL;
    if (x && ndim == 2)
        return made(s, es_torch_select(s->k, NEXT(s), x, 0, 0, s->err));
    return s->how->batch_first ? x : transposed(s, x, 0, 1);
}

static const es_tensor *shown_weights(steps *s, const es_tensor *x, int ndim)
{
    const es_over heads = {.name = "mean", .n = 1, .axis = {1}};
    if (s->how->average)
        x = made(s, es_torch_reduce(s->k, NEXT(s), ES_R_MEAN, x, &heads, s->err));
    return x && ndim == 2 ? made(s, es_torch_select(s->k, NEXT(s), x, 0, 0, s->err)) : x;
}

static bool run(steps *s, es_tensor *out, es_tensor *weights, const es_tensor *query,
                const es_tensor *key, const es_tensor *value)
{
    const es_tensor *q = in_heads(s, projected(s, batch_first(s, query), 0));
    const es_tensor *k = q ? in_heads(s, projected(s, batch_first(s, key), 1)) : NULL;
    const es_tensor *v = k ? in_heads(s, projected(s, batch_first(s, value), 2)) : NULL;
    const es_tensor *w = v ? shares(s, q, k) : NULL;
    const es_tensor *x = w ? joined(s, product(s, w, v), query->shape.ndim) : NULL;
    if (x && s->how->want_weights)
        w = shown_weights(s, w, query->shape.ndim);
    if (!x || !w)
        return false;
    es_tensor_view(out, x);
    if (s->how->want_weights)
        es_tensor_view(weights, w);
    return true;
}

bool es_torch_multihead(es_torch *k, es_tensor *out, es_tensor *weights, const es_tensor *query,
                        const es_tensor *key, const es_tensor *value, const es_multihead *how,
                        es_error *err)
{
    steps s = {.k = k, .how = how, .err = err};
    *out = *weights = (es_tensor){0};
    bool ok = check_query(query, how->in_weight->shape.dim[1], err) &&
              check_keys(query, key, value, err) && run(&s, out, weights, query, key, value);
    while (s.n)
        es_tensor_free(&s.made[--s.n]);
    return ok;
}
