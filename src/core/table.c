// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ops.h"

/* A source is how a kind of table reads a row. */
typedef struct source {
    bool (*row)(const es_table *t, int64_t i, float *out, es_error *err);
    void (*forget)(es_table *t);
} source;

struct es_table {
    const source *source;
    int64_t rows, C;
    atomic_int refs;
    char about[24];

    es_row_fn fn; /* generated */
    void *context;

    const unsigned char *data; /* mapped */
    es_store store;
    void *owner;
    void (*release)(void *owner);

    es_tensor tensor; /* in memory */

    pthread_mutex_t lock; /* guards whole */
    es_tensor whole;
};

static es_table *table_new(const source *kind, int64_t rows, int64_t C, const char *about)
{
    es_table *t = es_alloc(sizeof *t);
    t->source = kind;
    t->rows = rows;
    t->C = C;
    atomic_init(&t->refs, 1);
    strcpy(t->about, about);
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

/* ---- generated ---- */

static bool generated_row(const es_table *t, int64_t i, float *out, es_error *err)
{
    (void)err;
    t->fn(t->context, i, out, t->C);
    return true;
}

static void generated_forget(es_table *t)
{
    free(t->context);
}

es_table *es_table_generated(int64_t rows, int64_t C, es_row_fn fn, const void *context,
                             size_t size)
{
    static const source generated = {generated_row, generated_forget};
    es_table *t = table_new(&generated, rows, C, "generated");
    t->fn = fn;
    t->context = es_copy_bytes(context, size);
    return t;
}

/* ---- mapped ---- */

static const char *const about[] = {[ES_STORE_F32] = "F32, mapped",
                                    [ES_STORE_F16] = "F16, mapped",
                                    [ES_STORE_BF16] = "BF16, mapped",
                                    [ES_STORE_F64] = "F64, mapped"};

static bool mapped_row(const es_table *t, int64_t i, float *out, es_error *err)
{
    (void)err;
    size_t n = (size_t)t->C;
    es_store_floats(out, t->store, t->data + (size_t)i * n * es_store_size(t->store), n);
    return true;
}

static void mapped_forget(es_table *t)
{
    if (t->release)
        t->release(t->owner);
}

es_table *es_table_mapped(const void *data, es_store store, int64_t rows, int64_t C, void *owner,
                          void (*release)(void *owner))
{
    static const source mapped = {mapped_row, mapped_forget};
    es_table *t = table_new(&mapped, rows, C, about[store]);
    t->data = data;
    t->store = store;
    t->owner = owner;
    t->release = release;
    return t;
}

/* ---- in memory ---- */

static bool tensor_row(const es_table *t, int64_t i, float *out, es_error *err)
{
    es_tensor row;
    if (!es_tensor_slice(&row, &t->tensor, 0, i, i + 1, err))
        return false;
    bool ok = es_tensor_read(&row, out, err);
    es_tensor_free(&row);
    return ok;
}

static void tensor_forget(es_table *t)
{
    es_tensor_free(&t->tensor);
}

es_table *es_table_of_tensor(const es_tensor *tensor)
{
    static const source in_memory = {tensor_row, tensor_forget};
    es_table *t = table_new(&in_memory, tensor->shape.dim[0], tensor->shape.dim[1], "in memory");
    es_tensor_view(&t->tensor, tensor);
    return t;
}

/* ---- all kinds ---- */

es_table *es_table_ref(es_table *t)
{
    t->refs++;
    return t;
}

void es_table_unref(es_table *t)
{
    if (!t || --t->refs > 0)
        return;
    t->source->forget(t);
    es_tensor_free(&t->whole);
    pthread_mutex_destroy(&t->lock);
    free(t);
}

int64_t es_table_rows(const es_table *t)
{
    return t->rows;
}

int64_t es_table_width(const es_table *t)
{
    return t->C;
}

const char *es_table_source(const es_table *t)
{
    return t->about;
}

bool es_table_row(const es_table *t, int64_t i, float *out, es_error *err)
{
    return t->source->row(t, i, out, err);
}

const void *es_table_data(const es_table *t, es_store *store)
{
    const es_tensor *dense = &t->tensor;
    *store = t->data ? t->store : ES_STORE_F32;
    if (t->data)
        return t->data;
    if (!dense->buf || !dense->buf->be->ops->host_memory || dense->stride[1] != 1 ||
        dense->stride[0] != t->C)
        return NULL;
    return (const float *)dense->buf->mem + dense->offset;
}

/* Where row (b, t) of a (B, T, C) tensor begins in host memory; NULL if it is not a plain run there. */
static float *row_in_host(const es_tensor *out, int64_t b, int64_t t)
{
    if (!out->buf->be->ops->host_memory || out->stride[2] != 1)
        return NULL;
    return (float *)out->buf->mem + out->offset + b * out->stride[0] + t * out->stride[1];
}

/* Write one row to a device by way of host memory. */
static bool send_row(es_tensor *out, int64_t b, int64_t t, const float *row, es_error *err)
{
    es_view v = es_tensor_as_view(out);
    v.offset += b * v.stride[0] + t * v.stride[1];
    v.dim[0] = v.dim[1] = 1;
    return out->buf->be->ops->write(&v, row, err);
}

static bool gather_rows(es_tensor *out, const es_table *table, const int32_t *ids, float *scratch,
                        es_error *err)
{
    int64_t B = out->shape.dim[0], T = out->shape.dim[1];
    for (int64_t b = 0; b < B; b++)
        for (int64_t t = 0; t < T; t++) {
            float *there = row_in_host(out, b, t), *row = there ? there : scratch;
            if (!es_table_row(table, ids[b * T + t], row, err))
                return false;
            if (!there && !send_row(out, b, t, row, err))
                return false;
        }
    return true;
}

bool es_table_gather(es_tensor *out, const es_table *t, const int32_t *ids, const char *what,
                     es_error *err)
{
    if (!es_check_ids(ids, out->shape.dim[0], out->shape.dim[1], t->rows, what, err))
        return false;
    const es_tensor *dense = &t->tensor;
    if (dense->buf && dense->buf->be == out->buf->be)
        return es_gather(out, dense, ids, NULL, err);
    float *scratch = es_try_alloc((size_t)t->C, sizeof *scratch, "a row", err);
    bool ok = scratch && gather_rows(out, t, ids, scratch, err);
    free(scratch);
    return ok;
}

/* A part of the whole that one thread makes. */
typedef struct share {
    const es_table *t;
    es_tensor *whole;
    int64_t begin, end;
    bool ok;
    es_error err;
} share;

static void *fill_share(void *of)
{
    share *s = of;
    float *row = es_try_alloc((size_t)s->t->C, sizeof *row, "a row", &s->err);
    s->ok = row != NULL;
    for (int64_t i = s->begin; s->ok && i < s->end; i++) {
        es_tensor slot;
        s->ok = es_table_row(s->t, i, row, &s->err) &&
                es_tensor_slice(&slot, s->whole, 0, i, i + 1, &s->err);
        if (s->ok) {
            s->ok = es_tensor_write(&slot, row, &s->err);
            es_tensor_free(&slot);
        }
    }
    free(row);
    return NULL;
}

enum {
    MOST_SHARES = 8,
    LEAST_SHARE = 1 << 18 /* numbers, of which a thread's start is a small part */
};

/* Rows that are generated are worth several threads; those of a file come as fast as memory. */
static int shares_of(const es_table *t, const es_backend *be)
{
    int64_t most = be->threads < MOST_SHARES ? be->threads : MOST_SHARES;
    int64_t n = t->fn && be->ops->host_memory ? t->rows * t->C / LEAST_SHARE : 1;
    return n > most ? (int)most : n > 1 ? (int)n : 1;
}

static bool fill_whole(es_tensor *whole, const es_table *t, es_error *err)
{
    share of[MOST_SHARES];
    pthread_t thread[MOST_SHARES];
    bool started[MOST_SHARES] = {false}, ok = true;
    int n = shares_of(t, whole->buf->be);
    for (int i = 0; i < n; i++)
        of[i] = (share){.t = t,
                        .whole = whole,
                        .begin = t->rows / n * i,
                        .end = i + 1 < n ? t->rows / n * (i + 1) : t->rows,
                        .err = ES_ERROR_NONE};
    for (int i = 1; i < n; i++)
        started[i] = pthread_create(&thread[i], NULL, fill_share, &of[i]) == 0;
    for (int i = 0; i < n; i++)
        if (!started[i])
            fill_share(&of[i]);
    for (int i = 1; i < n; i++)
        if (started[i])
            pthread_join(thread[i], NULL);
    for (int i = 0; i < n; i++) {
        if (ok && !of[i].ok && err)
            *err = of[i].err;
        else
            es_error_free(&of[i].err);
        ok = ok && of[i].ok;
    }
    return ok;
}

const es_tensor *es_table_whole(es_table *t, es_backend *be, es_error *err)
{
    if (t->rows == INT64_MAX) {
        es_fail(err, ES_ERR_VALUE, "this table has no last row, so there is no whole of it");
        return NULL;
    }
    if (t->tensor.buf && t->tensor.buf->be == be)
        return &t->tensor;

    pthread_mutex_lock(&t->lock);
    if (t->whole.buf && t->whole.buf->be != be)
        es_tensor_free(&t->whole);
    if (!t->whole.buf) {
        es_shape shape = es_shape_2d("V", t->rows, "C", t->C);
        es_tensor whole;
        if (es_tensor_new(&whole, be, ES_FLOAT32, &shape, err)) {
            if (fill_whole(&whole, t, err))
                t->whole = whole;
            else
                es_tensor_free(&whole);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return t->whole.buf ? &t->whole : NULL;
}

/* The first of n numbers that is NaN or infinite; n: there is none.  All ones in the exponent mean
 * that, and looking at bits without a branch is what a scan of a whole table needs. */
static int64_t first_nonfinite(const float *v, int64_t n)
{
    uint32_t any = 0, bits;
    for (int64_t c = 0; c < n; c++) {
        memcpy(&bits, v + c, sizeof bits);
        any |= (bits & 0x7F800000) == 0x7F800000;
    }
    for (int64_t c = 0; any && c < n; c++)
        if (!isfinite(v[c]))
            return c;
    return n;
}

bool es_table_first_nonfinite(es_table *t, int64_t *row, int64_t *channel, es_watch *watch)
{
    enum { STEP = 1 << 18 }; /* numbers between two looks at the watch, well below 5 ms */
    float *v = t->rows < INT64_MAX ? es_try_alloc((size_t)t->C, sizeof *v, "a row", NULL) : NULL;
    int64_t since = 0;
    bool found = false;
    for (int64_t i = 0; v && !found && i < t->rows && es_table_row(t, i, v, NULL); i++) {
        *row = i;
        *channel = first_nonfinite(v, t->C);
        found = *channel < t->C;
        since += t->C;
        if (since >= STEP && !es_watch_step(watch, (uint64_t)i, NULL))
            break;
        since = since >= STEP ? 0 : since;
    }
    free(v);
    return found;
}
