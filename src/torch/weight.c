// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/weight.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/move.h"

/* A buffer whose memory is a table's whole, and the buffers that hold rows of it. */
typedef struct lent {
    es_table *table;
    es_buffer *whole; /* where the memory comes from, once there is some; one reference */
    struct rows *parts;
} lent;

/* A buffer that holds a few rows: of its own as long as nobody writes, then those of `parent`. */
typedef struct rows {
    es_buffer *buf, *parent; /* one reference to the parent */
    int64_t begin, n;
    bool shared; /* mem lies in the parent's */
    struct rows *next;
} rows;

/* ---- the whole ---- */

static bool lies_dense(const es_tensor *t)
{
    es_view v = es_tensor_as_view(t);
    return t->offset == 0 && es_view_dense(&v);
}

static bool make_whole(es_buffer *buf, es_error *err)
{
    lent *l = buf->late.of;
    const es_tensor *whole = es_table_whole(l->table, buf->be, err);
    if (!whole)
        return false;
    if (lies_dense(whole)) {
        l->whole = es_buffer_ref(whole->buf);
    } else {
        l->whole = es_buffer_new(buf->be, buf->bytes, false, err);
        if (!l->whole || !es_tensor_read(whole, l->whole->mem, err))
            return false;
    }
    buf->mem = l->whole->mem;
    return true;
}

static void forget_whole(es_buffer *buf)
{
    lent *l = buf->late.of;
    es_buffer_unref(l->whole);
    es_table_unref(l->table);
    free(l);
}

static bool is_lent(const es_buffer *buf)
{
    return buf->late.make == make_whole;
}

bool es_torch_weight(es_tensor *out, es_table *table, es_backend *be, const char *row_label,
                     const char *C)
{
    lent *l = es_alloc(sizeof *l);
    l->table = es_table_ref(table);
    *out =
        (es_tensor){.dtype = ES_FLOAT32,
                    .shape = es_shape_2d(row_label, es_table_rows(table), C, es_table_width(table)),
                    .stride = {es_table_width(table) ? es_table_width(table) : 1, 1}};
    size_t bytes = (size_t)es_shape_count(&out->shape) * sizeof(float);
    out->buf = es_buffer_later(be, bytes, false, (es_late){make_whole, forget_whole, l});
    return true;
}

es_table *es_torch_table_of(const es_tensor *t)
{
    if (!t->buf || !is_lent(t->buf) || t->offset != 0 || t->shape.ndim != 2)
        return NULL;
    es_table *table = ((lent *)t->buf->late.of)->table;
    bool all = t->shape.dim[0] == es_table_rows(table) && t->shape.dim[1] == es_table_width(table);
    return all && t->stride[0] == t->shape.dim[1] && t->stride[1] == 1 ? table : NULL;
}

/* ---- a few rows ---- */

static bool make_rows(es_buffer *buf, es_error *err)
{
    rows *r = buf->late.of;
    es_table *table = ((lent *)r->parent->late.of)->table;
    int64_t C = es_table_width(table);
    float *mem = es_try_alloc((size_t)(r->n * C), sizeof *mem, "rows of a table", err);
    bool ok = mem != NULL;
    for (int64_t i = 0; ok && i < r->n; i++)
        ok = es_table_row(table, r->begin + i, mem + i * C, err);
    if (ok)
        buf->mem = mem;
    else
        free(mem);
    return ok;
}

static void forget_rows(es_buffer *buf)
{
    rows *r = buf->late.of;
    if (!r->shared) { /* then the parent is still lent, and knows of us */
        rows **at = &((lent *)r->parent->late.of)->parts;
        while (*at != r)
            at = &(*at)->next;
        *at = r->next;
        free(buf->mem);
    }
    es_buffer_unref(r->parent);
    free(r);
}

void es_torch_rows(es_tensor *out, const es_tensor *weight, int64_t begin, int64_t end)
{
    es_tensor_view(out, weight);
    int64_t C = weight->shape.dim[1];
    out->shape.dim[0] = end - begin;
    out->offset = begin < end ? begin * C : 0;
    if (weight->buf->mem)
        return;
    lent *l = weight->buf->late.of;
    rows *r = es_alloc(sizeof *r);
    *r = (rows){.parent = weight->buf, .begin = begin, .n = end - begin, .next = l->parts};
    size_t bytes = (size_t)((end - begin) * C) * sizeof(float);
    r->buf = es_buffer_later(weight->buf->be, bytes, false, (es_late){make_rows, forget_rows, r});
    l->parts = r;
    out->offset = 0;
    out->buf = r->buf; /* the reference es_tensor_view took is the part's now */
}

/* ---- rows by number ---- */

static bool read_rows(es_torch *k, const es_tensor *out, const es_table *table, const int64_t *i,
                      int64_t n, es_error *err)
{
    enum { LOOK = 1 << 16 };
    int64_t C = es_table_width(table), since = 0;
    float *to = (float *)out->buf->mem + out->offset;
    for (int64_t r = 0; r < n; r++, to += C) {
        if (!es_table_row(table, i[r], to, err))
            return false;
        since += C;
        if (since >= LOOK && !es_watch_step(k->watch, (uint64_t)r, err))
            return false;
        since = since >= LOOK ? 0 : since;
    }
    return true;
}

bool es_torch_gather_rows(es_torch *k, es_tensor *out, const es_tensor *weight, const int64_t *i,
                          int64_t n, es_error *err)
{
    es_shape shape = weight->shape;
    shape.dim[0] = n;
    const es_table *table = weight->buf->mem ? NULL : es_torch_table_of(weight);
    if (!table) {
        const int64_t *at[ES_MAX_DIMS] = {i};
        return es_torch_take(k, out, weight, &shape, at, err);
    }
    if (!es_torch_new(k, out, weight->buf->be, ES_FLOAT32, &shape, err))
        return false;
    if (es_torch_meta(out) || read_rows(k, out, table, i, n, err))
        return true;
    es_tensor_free(out);
    return false;
}

/* ---- before something is written ---- */

/* All parts see the parent's memory from here on. */
static void share(rows *parts, char *mem, int64_t row_bytes)
{
    for (rows *r = parts; r; r = r->next) {
        free(r->buf->mem);
        r->buf->mem = mem + r->begin * row_bytes;
        r->shared = true;
    }
}

/* The buffer becomes one like all others. */
static bool own_whole(es_buffer *buf, es_error *err)
{
    lent *l = buf->late.of;
    if (!es_buffer_need(buf, err))
        return false;
    const void *lent_mem = buf->mem;
    if (!buf->be->ops->alloc(buf->be, buf, err)) {
        buf->mem = l->whole->mem;
        return false;
    }
    memcpy(buf->mem, lent_mem, buf->bytes);
    buf->be->in_use += buf->bytes;
    share(l->parts, buf->mem, es_table_width(l->table) * (int64_t)sizeof(float));
    forget_whole(buf);
    buf->late = (es_late){0};
    return true;
}

bool es_torch_own(const es_tensor *t, es_error *err)
{
    if (is_lent(t->buf))
        return own_whole(t->buf, err);
    if (t->buf->late.make != make_rows)
        return true;
    rows *r = t->buf->late.of;
    return r->shared || own_whole(r->parent, err);
}
