// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/weight.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ops.h"
#include "torch/host.h"
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
    const es_table *table;   /* NULL: the parent was written to, and its memory is ours */
    int64_t begin, n;
    float *mem; /* what was read */
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
        es_tensor dense;
        if (!es_tensor_new(&dense, buf->be, ES_FLOAT32, &whole->shape, err))
            return false;
        l->whole = dense.buf;
        if (!es_copy(&dense, whole, err))
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

static bool own_whole(es_buffer *buf, es_error *err);

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
    out->buf = es_buffer_later(be, bytes, false, (es_late){make_whole, forget_whole, l, own_whole});
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

/* What the memory of rows begin… is called, so that views of it begin where they would in the whole. */
static void *before(void *mem, const rows *r)
{
    int64_t C = es_table_width(r->table);
    uintptr_t whole = (uintptr_t)mem - (uintptr_t)(r->begin * C) * sizeof(float);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): a pointer is not reckoned with outside its memory */
    return (void *)whole;
}

static bool make_rows(es_buffer *buf, es_error *err)
{
    rows *r = buf->late.of;
    int64_t C = es_table_width(r->table);
    float *mem = es_try_alloc((size_t)(r->n * C), sizeof *mem, "rows of a table", err);
    bool ok = mem != NULL;
    for (int64_t i = 0; ok && i < r->n; i++)
        ok = es_table_row(r->table, r->begin + i, mem + i * C, err);
    if (!ok) {
        free(mem);
        return false;
    }
    r->mem = mem;
    buf->mem = before(mem, r);
    return true;
}

static void forget_rows(es_buffer *buf)
{
    rows *r = buf->late.of;
    if (r->table) { /* then the parent is still lent, and knows of us */
        rows **at = &((lent *)r->parent->late.of)->parts;
        while (*at != r)
            at = &(*at)->next;
        *at = r->next;
    }
    free(r->mem);
    es_buffer_unref(r->parent);
    free(r);
}

static bool own_rows(es_buffer *buf, es_error *err)
{
    rows *r = buf->late.of;
    return r->table ? own_whole(r->parent, err) : true;
}

void es_torch_rows(es_tensor *out, const es_tensor *weight, int64_t begin, int64_t end)
{
    int64_t C = weight->shape.dim[1];
    es_tensor_view(out, weight);
    out->shape.dim[0] = end - begin;
    out->offset = begin < end ? begin * C : 0;
    if (weight->buf->mem || es_torch_far(weight))
        return;
    lent *l = weight->buf->late.of;
    rows *r = es_alloc(sizeof *r);
    *r = (rows){.parent = weight->buf, .table = l->table, .n = end - begin, .next = l->parts};
    r->begin = begin < end ? begin : 0;
    size_t bytes = (size_t)(r->n * C) * sizeof(float);
    r->buf = es_buffer_later(weight->buf->be, bytes, false,
                             (es_late){make_rows, forget_rows, r, own_rows});
    r->buf->number = weight->buf->number;
    l->parts = r;
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
    bool whole = weight->buf->mem || es_torch_far(weight);
    const es_table *table = whole ? NULL : es_torch_table_of(weight);
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

/* All parts see the whole's memory from here on. */
static void share(rows *parts, void *mem)
{
    for (rows *r = parts; r; r = r->next) {
        free(r->mem);
        r->mem = NULL;
        r->table = NULL;
        r->buf->mem = mem;
    }
}

/* The buffer becomes one like all others. */
static bool own_whole(es_buffer *buf, es_error *err)
{
    lent *l = buf->late.of;
    const es_late late = buf->late;
    if (!es_buffer_need(buf, err))
        return false;
    buf->late.own = NULL;
    rows *parts = l->parts;
    if (es_buffer_own(buf, err)) {
        share(parts, buf->mem);
        return true;
    }
    buf->late = late;
    return false;
}

bool es_torch_own(const es_tensor *t, es_error *err)
{
    return es_torch_meta(t) || (es_buffer_need(t->buf, err) && es_buffer_own(t->buf, err));
}
