// SPDX-License-Identifier: GPL-3.0-or-later
/* The whole of a table on a device.  Rows are made by several threads where that is worth it. */
#include <stdlib.h>

#include "base/mem.h"
#include "core/table_inside.h"

/* ---- rows in host memory ---- */

/* A part of the rows that one thread makes. */
typedef struct share {
    const es_table *t;
    float *out;
    int64_t begin, n;
    bool ok;
    es_error err;
} share;

static void *make_share(void *of)
{
    share *s = of;
    s->ok = es_table_read(s->t, s->begin, s->n, s->out, &s->err);
    return NULL;
}

enum {
    MOST_SHARES = 8,
    LEAST_SHARE = 1 << 18 /* numbers, of which a thread's start is a small part */
};

/* Rows that are generated are worth several threads; those of a file come as fast as memory. */
static int shares_of(const es_table *t, int64_t rows, int threads)
{
    int64_t most = threads < MOST_SHARES ? threads : MOST_SHARES;
    int64_t n = t->fn ? rows * t->C / LEAST_SHARE : 1;
    return n > most ? (int)most : n > 1 ? (int)n : 1;
}

static bool join_shares(share *of, int n, es_error *err)
{
    bool ok = true;
    for (int i = 0; i < n; i++) {
        if (ok && !of[i].ok && err)
            *err = of[i].err;
        else
            es_error_free(&of[i].err);
        ok = ok && of[i].ok;
    }
    return ok;
}

/* out = rows begin .. begin+rows-1, dense. */
static bool make_rows(float *out, const es_table *t, int64_t begin, int64_t rows, int threads,
                      es_error *err)
{
    share of[MOST_SHARES];
    pthread_t thread[MOST_SHARES];
    bool started[MOST_SHARES] = {false};
    int n = shares_of(t, rows, threads);
    for (int i = 0; i < n; i++) {
        int64_t from = rows / n * i, to = i + 1 < n ? rows / n * (i + 1) : rows;
        of[i] = (share){t, out + from * t->C, begin + from, to - from, false, ES_ERROR_NONE};
    }
    for (int i = 1; i < n; i++)
        started[i] = pthread_create(&thread[i], NULL, make_share, &of[i]) == 0;
    for (int i = 0; i < n; i++)
        if (!started[i])
            make_share(&of[i]);
    for (int i = 1; i < n; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
    return join_shares(of, n, err);
}

/* ---- on their way to a device ---- */

enum { BLOCK = 1 << 21 }; /* numbers: 8 MB */

static bool send_rows(es_tensor *whole, int64_t begin, int64_t n, const float *rows, es_error *err)
{
    es_tensor part;
    if (!es_tensor_slice(&part, whole, 0, begin, begin + n, err))
        return false;
    bool ok = es_tensor_write(&part, rows, err);
    es_tensor_free(&part);
    return ok;
}

/* The table's own float32, where a device can be sent them as they lie. */
static const float *floats_of(const es_table *t)
{
    es_store store;
    const void *data = es_table_data(t, &store);
    return data && store == ES_STORE_F32 && (uintptr_t)data % sizeof(float) == 0 ? data : NULL;
}

static bool send_all(es_tensor *whole, const es_table *t, es_error *err)
{
    const float *lies = floats_of(t);
    int64_t C = t->C ? t->C : 1, some = C < BLOCK ? BLOCK / C : 1;
    some = some < t->rows ? some : t->rows;
    float *room =
        lies ? NULL : es_try_alloc((size_t)(some * C), sizeof *room, "rows on their way", err);
    bool ok = lies || room;
    for (int64_t i = 0; ok && i < t->rows; i += some) {
        int64_t n = t->rows - i < some ? t->rows - i : some;
        ok = (lies || make_rows(room, t, i, n, whole->buf->be->threads, err)) &&
             send_rows(whole, i, n, lies ? lies + i * t->C : room, err);
    }
    free(room);
    return ok;
}

static bool fill(es_tensor *whole, const es_table *t, es_error *err)
{
    const es_backend *be = whole->buf->be;
    if (be->ops->host_memory)
        return make_rows(whole->buf->mem, t, 0, t->rows, be->threads, err);
    return send_all(whole, t, err);
}

/* ---- one a device ---- */

const es_tensor *es_table_lies_on(const es_table *t, const es_backend *be)
{
    if (t->tensor.buf && t->tensor.buf->be == be)
        return &t->tensor;
    for (const es_table_copy *c = t->copies; c; c = c->next)
        if (c->whole.buf->be == be)
            return &c->whole;
    return NULL;
}

static void copy_free(es_table_copy *c)
{
    es_tensor_free(&c->whole);
    free(c);
}

static const es_tensor *make_copy(es_table *t, es_backend *be, es_error *err)
{
    es_shape shape = es_shape_2d("V", t->rows, "C", t->C);
    es_table_copy *c = es_alloc(sizeof *c);
    if (!es_tensor_new(&c->whole, be, ES_FLOAT32, &shape, err) || !fill(&c->whole, t, err)) {
        copy_free(c);
        return NULL;
    }
    c->next = t->copies;
    t->copies = c; /* whoever sees it sees it whole */
    return &c->whole;
}

const es_tensor *es_table_whole(es_table *t, es_backend *be, es_error *err)
{
    if (t->rows == INT64_MAX) {
        es_fail(err, ES_ERR_VALUE, "this table has no last row, so there is no whole of it");
        return NULL;
    }
    const es_tensor *whole = es_table_lies_on(t, be);
    if (whole)
        return whole;
    pthread_mutex_lock(&t->lock);
    whole = es_table_lies_on(t, be); /* another thread was first */
    whole = whole ? whole : make_copy(t, be, err);
    pthread_mutex_unlock(&t->lock);
    return whole;
}

void es_table_leave(es_table *t, const es_backend *be)
{
    pthread_mutex_lock(&t->lock);
    _Atomic(es_table_copy *) *at = &t->copies;
    for (es_table_copy *c; (c = *at);) {
        if (c->whole.buf->be != be) {
            at = &c->next;
            continue;
        }
        *at = (es_table_copy *)c->next;
        copy_free(c);
    }
    pthread_mutex_unlock(&t->lock);
}

void es_table_forget_copies(es_table *t)
{
    for (es_table_copy *c = t->copies, *next; c; c = next) {
        next = c->next;
        copy_free(c);
    }
}
