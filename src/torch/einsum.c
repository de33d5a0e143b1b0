// SPDX-License-Identifier: GPL-3.0-or-later
/* Products written with letters: "bti,bsi->bts".  Two operands become one product of matrices in batches: letters of
 * both that the result keeps are the batch, those it does not keep the inner axis. */
#include "torch/cast.h"
#include "torch/einsum_inside.h"
#include "torch/product.h"
#include "torch/reduce.h"

/* ---- operands seen with other axes ---- */

static bool has(const es_side *s, int sign)
{
    for (int d = 0; d < s->n; d++)
        if (s->sign[d] == sign)
            return true;
    return false;
}

static void add_sign(es_side *s, int sign)
{
    if (!has(s, sign))
        s->sign[s->n++] = sign;
}

/* Operand o with the axes of `as`, stretched where it has 1; a letter it has twice is its diagonal.  Borrows. */
static es_tensor seen_as(const es_einsum *p, int o, const es_side *as)
{
    es_tensor t = *p->x[o];
    t.number = false;
    t.shape.ndim = as->n;
    for (int a = 0; a < as->n; a++) {
        t.shape.dim[a] = p->size[as->sign[a]];
        t.shape.label[a] = p->label[as->sign[a]];
        t.stride[a] = 0;
        for (int d = 0; d < p->in[o].n; d++)
            if (p->in[o].sign[d] == as->sign[a] && p->x[o]->shape.dim[d] != 1)
                t.stride[a] += p->x[o]->stride[d];
    }
    return t;
}

/* The sum of operand o over what neither the result nor the other operand (or NULL) names, its axes in the order
 * of *kept. */
static bool summed(es_torch *k, es_tensor *out, const es_einsum *p, int o, const es_side *kept,
                   es_error *err)
{
    es_side all = *kept;
    es_over over = {.name = "einsum"};
    for (int d = 0; d < p->in[o].n; d++)
        if (!has(&all, p->in[o].sign[d])) {
            over.axis[over.n++] = all.n;
            add_sign(&all, p->in[o].sign[d]);
        }
    es_tensor t = seen_as(p, o, &all), sum;
    if (over.n == 0) {
        es_tensor_view(out, &t);
        return true;
    }
    if (!es_torch_reduce(k, &sum, ES_R_SUM, &t, &over, err))
        return false;
    bool ok = es_torch_to(k, out, &sum, t.dtype, sum.buf->be, err); /* int32 stays int32 */
    es_tensor_free(&sum);
    return ok;
}

/* ---- two operands: batch, own axes, inner axes ---- */

typedef struct parts {
    es_side batch, inner, own[2];
} parts;

static parts split(const es_einsum *p)
{
    parts s = {0};
    for (int o = 0; o < 2; o++)
        for (int d = 0; d < p->in[o].n; d++) {
            int sign = p->in[o].sign[d];
            if (has(&p->in[1 - o], sign))
                add_sign(has(&p->out, sign) ? &s.batch : &s.inner, sign);
            else if (has(&p->out, sign))
                add_sign(&s.own[o], sign);
        }
    return s;
}

static int64_t size_of(const es_einsum *p, const es_side *s)
{
    es_shape shape = {.ndim = s->n};
    for (int d = 0; d < s->n; d++)
        shape.dim[d] = p->size[s->sign[d]];
    return es_shape_count(&shape);
}

static void append(es_side *s, const es_side *more)
{
    for (int d = 0; d < more->n; d++)
        s->sign[s->n++] = more->sign[d];
}

static void reshape_dense(es_tensor *t, es_shape shape)
{
    t->shape = shape;
    int64_t n = 1;
    for (int d = shape.ndim - 1; d >= 0; d--) {
        t->stride[d] = n;
        n = es_torch_meta(t) ? 1 : n * shape.dim[d];
    }
}

/* Operand o as (batch, own, inner) or (batch, inner, own), each merged into one axis. */
static bool as_matrices(es_torch *k, es_tensor *out, const es_einsum *p, const parts *s, int o,
                        es_error *err)
{
    const es_side *second = o ? &s->inner : &s->own[0], *third = o ? &s->own[1] : &s->inner;
    es_side order = s->batch;
    append(&order, second);
    append(&order, third);
    es_tensor sum;
    if (!summed(k, &sum, p, o, &order, err))
        return false;
    bool ok = es_torch_contiguous(k, out, &sum, err);
    es_tensor_free(&sum);
    if (ok)
        reshape_dense(out, es_shape_3d("", size_of(p, &s->batch), "", size_of(p, second), "",
                                       size_of(p, third)));
    return ok;
}

/* The product (batch, own of x, own of y), with those axes apart again and in the result's order. */
static void in_order(const es_einsum *p, const parts *s, es_tensor *t)
{
    es_side have = s->batch;
    append(&have, &s->own[0]);
    append(&have, &s->own[1]);
    es_shape shape = {.ndim = have.n};
    for (int d = 0; d < have.n; d++)
        shape.dim[d] = p->size[have.sign[d]];
    reshape_dense(t, shape);
    es_tensor apart = *t;
    for (int a = 0; a < p->out.n; a++)
        for (int d = 0; d < have.n; d++)
            if (have.sign[d] == p->out.sign[a]) {
                t->shape.dim[a] = apart.shape.dim[d];
                t->stride[a] = apart.stride[d];
                t->shape.label[a] = p->label[have.sign[d]];
            }
}

static bool product(es_torch *k, es_tensor *out, const es_einsum *p, es_error *err)
{
    parts s = split(p);
    es_tensor x = {0}, y = {0};
    bool ok = as_matrices(k, &x, p, &s, 0, err) && as_matrices(k, &y, p, &s, 1, err) &&
              es_torch_matmul(k, out, &x, &y, err);
    es_tensor_free(&x);
    es_tensor_free(&y);
    if (ok)
        in_order(p, &s, out);
    return ok;
}

bool es_torch_einsum(es_torch *k, es_tensor *out, const char *equation, const es_tensor *x,
                     const es_tensor *y, es_error *err)
{
    es_einsum p = {.n_operands = y ? 2 : 1, .x = {x, y}};
    *out = (es_tensor){0};
    if (!es_einsum_read(k, &p, equation, err))
        return false;
    return y ? product(k, out, &p, err) : summed(k, out, &p, 0, &p.out, err);
}
