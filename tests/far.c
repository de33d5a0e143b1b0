// SPDX-License-Identifier: GPL-3.0-or-later
#include "far.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "support.h"

extern const es_backend_ops es_backend_ref;

/* Not a pointer: whoever reads it as one is stopped by the machine. */
static const uintptr_t away = (uintptr_t)0xDEAD << 48;

static void *turn(void *mem)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): that is what it is for */
    return (void *)((uintptr_t)mem ^ away);
}

/* The same view for `ref`. */
typedef struct near_view {
    es_view v;
    es_buffer buf;
} near_view;

static const es_view *here(near_view *n, const es_view *v)
{
    if (!v)
        return NULL;
    n->v = *v;
    n->buf = (es_buffer){.be = v->buf->be, .bytes = v->buf->bytes};
    n->buf.mem = v->buf->host ? v->buf->mem : turn(v->buf->mem);
    demand(!v->buf->host, "a device is given the host's memory");
    n->v.buf = &n->buf;
    return &n->v;
}

static bool far_begin(es_backend *be, es_error *err)
{
    (void)err;
    be->priv = es_alloc(sizeof(far_traffic));
    snprintf(be->about, sizeof be->about, "memory far away");
    return true;
}

static void far_end(es_backend *be)
{
    free(be->priv);
}

far_traffic far_crossed(es_backend *be)
{
    far_traffic was = *(far_traffic *)be->priv;
    *(far_traffic *)be->priv = (far_traffic){0};
    return was;
}

static bool far_alloc(es_backend *be, es_buffer *buf, es_error *err)
{
    (void)be;
    void *mem = es_try_alloc(buf->bytes, 1, "a tensor", err);
    buf->mem = mem ? turn(mem) : NULL;
    return mem != NULL;
}

static void far_release(es_backend *be, es_buffer *buf)
{
    (void)be;
    free(turn(buf->mem));
}

static bool far_write(const es_view *dst, const float *src, es_error *err)
{
    near_view d;
    ((far_traffic *)dst->buf->be->priv)->writes++;
    return es_backend_ref.write(here(&d, dst), src, err);
}

static bool far_read(float *dst, const es_view *src, es_error *err)
{
    near_view s;
    ((far_traffic *)src->buf->be->priv)->reads++;
    return es_backend_ref.read(dst, here(&s, src), err);
}

static bool far_copy(const es_view *dst, const es_view *src, es_error *err)
{
    near_view d, s;
    dst->buf->be->ran.launches++;
    return es_backend_ref.copy(here(&d, dst), here(&s, src), err);
}

static bool far_gather(const es_view *out, const es_view *table, const int32_t *ids,
                       const es_view *add, es_error *err)
{
    near_view o, t, a;
    out->buf->be->ran.launches++;
    return es_backend_ref.gather(here(&o, out), here(&t, table), ids, here(&a, add), err);
}

static bool far_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows,
                            es_error *err)
{
    near_view t, r;
    table->buf->be->ran.launches++;
    return es_backend_ref.scatter_add(here(&t, table), ids, here(&r, rows), err);
}

static bool far_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                    es_error *err)
{
    near_view o, a, b;
    out->buf->be->ran.launches++;
    return es_backend_ref.map(op, here(&o, out), here(&a, x), here(&b, y), err);
}

static bool far_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err)
{
    near_view o, a;
    out->buf->be->ran.launches++;
    return es_backend_ref.reduce(op, here(&o, out), here(&a, x), err);
}

static bool far_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    near_view o, l, r;
    out->buf->be->ran.launches++;
    return es_backend_ref.matmul(here(&o, out), here(&l, a), here(&r, b), err);
}

static bool far_softmax(const es_view *out, const es_view *x, es_error *err)
{
    near_view o, a;
    out->buf->be->ran.launches++;
    return es_backend_ref.softmax(here(&o, out), here(&a, x), err);
}

static bool far_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err)
{
    near_view v, a;
    values->buf->be->ran.launches++;
    return es_backend_ref.topk(here(&v, values), index, here(&a, x), err);
}

static const es_backend_ops ops = {
    .name = "far",
    .device = "gpu",
    .about = "plain loops, in memory the host cannot read",
    .host_memory = false,
    .open = far_begin,
    .close = far_end,
    .alloc = far_alloc,
    .release = far_release,
    .write = far_write,
    .read = far_read,
    .copy = far_copy,
    .gather = far_gather,
    .scatter_add = far_scatter_add,
    .map = far_map,
    .reduce = far_reduce,
    .matmul = far_matmul,
    .softmax = far_softmax,
    .topk = far_topk,
};

es_backend *far_open(int threads)
{
    es_backend *be = es_alloc(sizeof *be);
    be->ops = &ops;
    be->threads = threads;
    snprintf(be->name, sizeof be->name, "gpu");
    ops.open(be, NULL);
    return be;
}
