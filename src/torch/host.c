// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/host.h"

/* ---- numbers for a reader ---- */

/* t with each stretched axis as long as it is in memory. */
static es_tensor unstretched(const es_tensor *t)
{
    es_tensor bare = *t; /* borrows */
    for (int d = 0; d < t->shape.ndim; d++)
        if (t->stride[d] == 0 && t->shape.dim[d] > 1)
            bare.shape.dim[d] = 1;
    return bare;
}

bool es_torch_here(es_torch *k, es_tensor *out, const es_tensor *t, const char *what, es_error *err)
{
    *out = (es_tensor){0};
    if (!es_torch_ready(k, t, what, err))
        return false;
    if (!es_torch_far(t)) {
        es_tensor_view(out, t);
        return true;
    }
    es_tensor bare = unstretched(t), here = *t;
    int64_t n = 1;
    for (int d = t->shape.ndim - 1; d >= 0; n *= bare.shape.dim[d--])
        here.stride[d] = bare.shape.dim[d] == t->shape.dim[d] ? n : 0;
    here.offset = 0;
    here.buf = es_buffer_new(t->buf->be, (size_t)n * es_dtype_size(t->dtype), true, err);
    if (!here.buf)
        return false;
    if (n > 0 && !es_tensor_read(&bare, here.buf->mem, err)) {
        es_tensor_free(&here);
        return false;
    }
    *out = here;
    return true;
}

bool es_torch_read_float(es_torch *k, double *out, const es_tensor *t, const char *what,
                         es_error *err)
{
    es_tensor here;
    if (!es_torch_here(k, &here, t, what, err))
        return false;
    *out = es_torch_get_float(&here, 0);
    es_tensor_free(&here);
    return true;
}

bool es_torch_read_int(es_torch *k, int64_t *out, const es_tensor *t, const char *what,
                       es_error *err)
{
    es_tensor here;
    if (!es_torch_here(k, &here, t, what, err))
        return false;
    *out = es_torch_get_int(&here, 0);
    es_tensor_free(&here);
    return true;
}

/* ---- operands and results of what the host computes ---- */

/* Of several operands it is one operation; a plain number does not say where. */
static void count(const es_tensor *const *t, int n, const char *what)
{
    for (int i = 0; i < n; i++)
        if (!t[i]->number && !t[i]->buf->be->ops->host_memory) {
            es_backend_ran_beside(t[i]->buf->be, what);
            return;
        }
}

static bool stretched(es_tensor *t, const es_shape *shape, es_error *err)
{
    es_tensor narrow = *t;
    bool ok = es_tensor_expand(t, &narrow, shape, err);
    es_tensor_free(&narrow);
    return ok;
}

bool es_host_operands(es_torch *k, es_tensor *out, const es_tensor *const *t, int n,
                      const es_shape *shape, const char *what, es_error *err)
{
    bool ok = true;
    for (int i = 0; i < n; i++)
        out[i] = (es_tensor){0};
    for (int i = 0; ok && i < n; i++)
        ok = es_torch_here(k, &out[i], t[i], what, err) &&
             (!shape || stretched(&out[i], shape, err));
    if (ok)
        count(t, n, what);
    for (int i = 0; !ok && i < n; i++)
        es_tensor_free(&out[i]);
    return ok;
}

bool es_host_operand(es_torch *k, es_tensor *out, const es_tensor *t, const es_shape *shape,
                     const char *what, es_error *err)
{
    return es_host_operands(k, out, &t, 1, shape, what, err);
}

bool es_host_instead(es_tensor *t, es_error *err)
{
    if (es_torch_meta(t) || !es_torch_far(t))
        return true;
    es_buffer *host = es_buffer_new(t->buf->be, t->buf->bytes, true, err);
    if (!host)
        return false;
    es_buffer_unref(t->buf);
    t->buf = host;
    return true;
}

bool es_host_done(es_torch *k, es_tensor *t, es_error *err)
{
    es_tensor there;
    if (es_torch_meta(t) || t->dtype != ES_FLOAT32 || t->buf->be->ops->host_memory)
        return true;
    if (!es_torch_new(k, &there, t->buf->be, t->dtype, &t->shape, err))
        return false;
    if (es_shape_count(&t->shape) > 0 && !es_tensor_write(&there, t->buf->mem, err)) {
        es_tensor_free(&there);
        return false;
    }
    es_tensor_free(t);
    *t = there;
    return true;
}

bool es_host_back(const es_tensor *t, const es_tensor *here, es_error *err)
{
    es_tensor bare = unstretched(t);
    if (here->buf == t->buf || es_shape_count(&bare.shape) == 0)
        return true;
    return es_tensor_write(&bare, here->buf->mem, err);
}
