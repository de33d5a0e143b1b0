// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/cast.h"

#include "torch/grid.h"

static bool cast_row(void *ctx, const es_cells *row, int64_t n, es_error *err)
{
    (void)ctx;
    (void)err;
    es_cells_cast(&row[0], &row[1], n);
    return true;
}

/* dst = src, of one shape, both in host memory. */
static bool cast_all(es_torch *k, const es_tensor *dst, const es_tensor *src, es_error *err)
{
    const es_tensor *const t[] = {dst, src};
    es_grid g = es_grid_over(t, 2);
    return es_grid_rows(k, &g, cast_row, NULL, err);
}

static bool copy_views(void *ctx, const es_view *v, es_error *err)
{
    (void)ctx;
    return v[0].buf->be->ops->copy(&v[0], &v[1], err);
}

static bool is_on_device(const es_tensor *dst, const es_tensor *src)
{
    return dst->dtype == ES_FLOAT32 && src->dtype == ES_FLOAT32 && dst->buf->be == src->buf->be &&
           !dst->buf->host && !src->buf->host;
}

static bool by_device(es_torch *k, const es_tensor *dst, const es_tensor *src, es_error *err)
{
    const es_tensor *const t[] = {dst, src};
    es_grid g = es_grid_over(t, 2);
    return es_torch_ready(k, src, "a copy", err) && es_grid_views(k, &g, copy_views, NULL, err);
}

/* A dense tensor that the host fills from x, on be; meta where x is. */
static bool copied(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype, es_backend *be,
                   es_error *err)
{
    es_tensor here;
    es_torch there = *k;
    there.shapes_only = k->shapes_only || es_torch_meta(x);
    if (!es_torch_new(&there, out, be, dtype, &x->shape, err))
        return false;
    if (es_torch_meta(out))
        return true;
    if (is_on_device(out, x))
        return by_device(k, out, x, err);
    bool computes = dtype != x->dtype && !x->number;
    if (!(computes ? es_host_operand(k, &here, x, NULL, "another dtype", err)
                   : es_torch_here(k, &here, x, "a copy", err)))
        return false;
    bool ok =
        es_host_instead(out, err) && cast_all(k, out, &here, err) && es_host_done(k, out, err);
    es_tensor_free(&here);
    return ok;
}

static bool made(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype, es_backend *be,
                 es_error *err)
{
    *out = (es_tensor){0};
    if (copied(k, out, x, dtype, be, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_to(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype, es_backend *be,
                 es_error *err)
{
    if (dtype != x->dtype || be != x->buf->be)
        return made(k, out, x, dtype, be, err);
    es_tensor_view(out, x);
    out->number = false;
    return true;
}

bool es_torch_clone(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    return made(k, out, x, x->dtype, x->buf->be, err);
}

bool es_torch_is_contiguous(const es_tensor *x)
{
    if (es_shape_count(&x->shape) == 0)
        return true;
    int64_t expected = 1;
    for (int d = x->shape.ndim - 1; d >= 0; d--) {
        if (x->shape.dim[d] != 1 && x->stride[d] != expected)
            return false;
        if (d > 0)
            expected *= x->shape.dim[d];
    }
    return true;
}

bool es_torch_contiguous(es_torch *k, es_tensor *out, const es_tensor *x, es_error *err)
{
    if (!es_torch_is_contiguous(x))
        return es_torch_clone(k, out, x, err);
    es_tensor_view(out, x);
    return true;
}

/* ---- into memory that is there ---- */

static bool is_stretched(const es_tensor *t)
{
    for (int d = 0; d < t->shape.ndim; d++)
        if (t->stride[d] == 0 && t->shape.dim[d] > 1)
            return true;
    return false;
}

static int kind(es_dtype dtype)
{
    return es_dtype_is_float(dtype) ? 2 : dtype != ES_BOOL;
}

static bool may_write(const es_tensor *dst, const es_tensor *src, bool computed, es_error *err)
{
    if (is_stretched(dst)) {
        es_fail(err, ES_ERR_EXPAND,
                "this tensor is stretched: several of its elements are one number in memory, and "
                "cannot be set apart");
        es_hint(err, "try: .clone() of it first");
        return es_torch_says(err, "unsupported operation: more than one element of the written-to "
                                  "tensor refers to a single memory location. Please clone() the "
                                  "tensor before performing the operation.");
    }
    if (computed && kind(src->dtype) > kind(dst->dtype)) {
        es_fail(err, ES_ERR_DTYPE, "the result is %s, and does not go into a tensor of %s",
                es_dtype_name(src->dtype), es_dtype_name(dst->dtype));
        return es_torch_says(err, "result type %s can't be cast to the desired output type %s",
                             es_torch_scalar_name(src->dtype), es_torch_scalar_name(dst->dtype));
    }
    return true;
}

static void add_sizes(es_str *s, const es_shape *shape)
{
    es_shape bare = {.ndim = shape->ndim};
    for (int d = 0; d < shape->ndim; d++)
        bare.dim[d] = shape->dim[d];
    es_shape_show(s, &bare);
}

static bool does_not_fit(const es_tensor *dst, const es_tensor *src, bool computed, es_error *err)
{
    es_str to = {0}, from = {0}, bare_to = {0}, bare_from = {0};
    es_shape_show(&to, &dst->shape);
    es_shape_show(&from, &src->shape);
    add_sizes(&bare_to, &dst->shape);
    add_sizes(&bare_from, &src->shape);
    es_fail(err, ES_ERR_BROADCAST, "%s does not stretch to %s, where it is to be written", from.s,
            to.s);
    if (computed)
        es_torch_says(err, "output with shape %s doesn't match the broadcast shape %s", bare_to.s,
                      bare_from.s);
    else
        es_torch_says(err,
                      "shape mismatch: value tensor of shape %s cannot be broadcast to indexing "
                      "result of shape %s",
                      bare_from.s, bare_to.s);
    es_str_free(&to);
    es_str_free(&from);
    es_str_free(&bare_to);
    es_str_free(&bare_from);
    return false;
}

/* src with dst's sizes; axes of size 1 in front of them are not in the way. */
static bool stretched(es_tensor *out, const es_tensor *dst, const es_tensor *src, bool computed,
                      es_error *err)
{
    es_tensor t = *src; /* borrows */
    int extra = computed ? 0 : t.shape.ndim - dst->shape.ndim;
    while (extra > 0 && t.shape.dim[0] == 1) {
        t.shape.ndim--;
        for (int d = 0; d < t.shape.ndim; d++) {
            t.shape.dim[d] = t.shape.dim[d + 1];
            t.stride[d] = t.stride[d + 1];
        }
        extra--;
    }
    es_error reason = ES_ERROR_NONE;
    bool ok = es_tensor_expand(out, &t, &dst->shape, &reason);
    es_error_free(&reason);
    return ok || does_not_fit(dst, src, computed, err);
}

/* src's numbers in dst's dtype on dst's device, in memory of their own where dst's is theirs. */
static bool prepared(es_torch *k, es_tensor *out, const es_tensor *dst, const es_tensor *src,
                     es_error *err)
{
    if (src->buf == dst->buf)
        return made(k, out, src, dst->dtype, dst->buf->be, err);
    return es_torch_to(k, out, src, dst->dtype, dst->buf->be, err);
}

static bool written(es_torch *k, const es_tensor *dst, const es_tensor *wide, es_error *err)
{
    if (!es_torch_ready(k, wide, "writing into a tensor", err) ||
        !es_torch_ready(k, dst, "writing into a tensor", err) || !es_buffer_own(dst->buf, err))
        return false;
    return is_on_device(dst, wide) ? by_device(k, dst, wide, err) : cast_all(k, dst, wide, err);
}

bool es_torch_assign(es_torch *k, const es_tensor *dst, const es_tensor *src, bool computed,
                     es_error *err)
{
    es_tensor there, wide;
    if (!may_write(dst, src, computed, err) || !stretched(&wide, dst, src, computed, err))
        return false;
    es_tensor_free(&wide);
    if (k->shapes_only || es_torch_meta(dst))
        return true;
    if (!prepared(k, &there, dst, src, err))
        return false;
    bool ok = stretched(&wide, dst, &there, computed, err);
    es_tensor_free(&there);
    if (!ok)
        return false;
    ok = written(k, dst, &wide, err);
    es_tensor_free(&wide);
    return ok;
}
