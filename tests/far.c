// SPDX-License-Identifier: GPL-3.0-or-later
#include "far.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "support.h"

extern const es_backend_ops es_backend_ref, es_backend_cpu;

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

/* ---- failing ---- */

typedef struct far {
    far_traffic crossed;
    atomic_int left; /* calls until one fails; 0: none does */
    es_code code;
    float stray; /* of products of matrices */
} far;

void far_fail_at(es_backend *be, int n, es_code code)
{
    far *f = be->priv;
    f->code = code;
    f->left = n;
}

void far_stray(es_backend *be, float most)
{
    ((far *)be->priv)->stray = most;
}

static bool works(es_backend *be, es_error *err)
{
    far *f = be->priv;
    int left = f->left;
    while (left > 0 && !atomic_compare_exchange_weak(&f->left, &left, left - 1)) {
    }
    bool fails = left == 1;
    if (fails && f->code == ES_ERR_BACKEND)
        be->lost = true;
    if (!fails && !be->lost)
        return true;
    return es_fail(err, be->lost ? ES_ERR_BACKEND : f->code, "far away something failed");
}

/* Of a slot that runs a kernel. */
static bool launched(es_backend *be, es_error *err)
{
    es_backend_ran_there(be);
    return works(be, err);
}

/* ---- the slots ---- */

static bool far_begin(es_backend *be, es_error *err)
{
    (void)err;
    be->priv = es_alloc(sizeof(far));
    snprintf(be->about, sizeof be->about, "memory far away");
    return true;
}

static void far_end(es_backend *be)
{
    free(be->priv);
}

far_traffic far_crossed(es_backend *be)
{
    far *f = be->priv;
    far_traffic was = f->crossed;
    f->crossed = (far_traffic){0};
    return was;
}

static bool far_alloc(es_backend *be, es_buffer *buf, es_error *err)
{
    void *mem = works(be, err) ? es_try_alloc(buf->bytes, 1, "a tensor", err) : NULL;
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
    ((far *)dst->buf->be->priv)->crossed.writes++;
    return works(dst->buf->be, err) && es_backend_ref.write(here(&d, dst), src, err);
}

static bool far_read(float *dst, const es_view *src, es_error *err)
{
    near_view s;
    ((far *)src->buf->be->priv)->crossed.reads++;
    return works(src->buf->be, err) && es_backend_ref.read(dst, here(&s, src), err);
}

static bool far_copy(const es_view *dst, const es_view *src, es_error *err)
{
    near_view d, s;
    return launched(dst->buf->be, err) && es_backend_ref.copy(here(&d, dst), here(&s, src), err);
}

static bool far_gather(const es_view *out, const es_view *table, const int32_t *ids,
                       const es_view *add, es_error *err)
{
    near_view o, t, a;
    return launched(out->buf->be, err) &&
           es_backend_ref.gather(here(&o, out), here(&t, table), ids, here(&a, add), err);
}

static bool far_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows,
                            es_error *err)
{
    near_view t, r;
    return launched(table->buf->be, err) &&
           es_backend_ref.scatter_add(here(&t, table), ids, here(&r, rows), err);
}

static bool far_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                    es_error *err)
{
    near_view o, a, b;
    return launched(out->buf->be, err) &&
           es_backend_ref.map(op, here(&o, out), here(&a, x), here(&b, y), err);
}

static bool far_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err)
{
    near_view o, a;
    return launched(out->buf->be, err) &&
           es_backend_ref.reduce(op, here(&o, out), here(&a, x), err);
}

static bool far_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    enum { LARGE = 1 << 22 };
    near_view o, l, r;
    const es_view *to = here(&o, out);
    bool large = es_view_count(out) * a->dim[a->ndim - 1] > LARGE;
    const es_backend_ops *by = large ? &es_backend_cpu : &es_backend_ref;
    if (!launched(out->buf->be, err) || !by->matmul(to, here(&l, a), here(&r, b), err))
        return false;
    float most = ((far *)out->buf->be->priv)->stray;
    for (int64_t i = 0, n = most > 0 ? es_view_count(to) : 0; i < n; i++)
        ((float *)o.buf.mem)[es_view_at(to, i)] += most * (float)(i * 7919 % 2001 - 1000) / 1000;
    return true;
}

static bool far_softmax(const es_view *out, const es_view *x, es_error *err)
{
    near_view o, a;
    return launched(out->buf->be, err) && es_backend_ref.softmax(here(&o, out), here(&a, x), err);
}

static bool far_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err)
{
    near_view v, a;
    return launched(values->buf->be, err) &&
           es_backend_ref.topk(here(&v, values), index, here(&a, x), err);
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
