// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ops.h"
#include "core/table_inside.h"

static es_table *table_new(const es_table_source_kind *kind, int64_t rows, int64_t C,
                           const char *about)
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

static bool generated_rows(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err)
{
    (void)err;
    for (int64_t i = 0; i < n; i++)
        t->fn(t->context, begin + i, out + i * t->C, t->C);
    return true;
}

static void generated_forget(es_table *t)
{
    free(t->context);
}

es_table *es_table_generated(int64_t rows, int64_t C, es_row_fn fn, const void *context,
                             size_t size)
{
    static const es_table_source_kind generated = {generated_rows, generated_forget};
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

static bool mapped_rows(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err)
{
    (void)err;
    size_t C = (size_t)t->C;
    es_store_floats(out, t->store, t->data + (size_t)begin * C * es_store_size(t->store),
                    (size_t)n * C);
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
    static const es_table_source_kind mapped = {mapped_rows, mapped_forget};
    es_table *t = table_new(&mapped, rows, C, about[store]);
    t->data = data;
    t->store = store;
    t->owner = owner;
    t->release = release;
    return t;
}

/* ---- in memory ---- */

static bool tensor_rows(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err)
{
    es_tensor rows;
    if (!es_tensor_slice(&rows, &t->tensor, 0, begin, begin + n, err))
        return false;
    bool ok = es_tensor_read(&rows, out, err);
    es_tensor_free(&rows);
    return ok;
}

static void tensor_forget(es_table *t)
{
    es_tensor_free(&t->tensor);
}

es_table *es_table_of_tensor(const es_tensor *tensor)
{
    static const es_table_source_kind in_memory = {tensor_rows, tensor_forget};
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
    es_table_forget_copies(t);
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
    return t->source->rows(t, i, 1, out, err);
}

bool es_table_read(const es_table *t, int64_t begin, int64_t n, float *out, es_error *err)
{
    return t->source->rows(t, begin, n, out, err);
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

/* Where row (b, t) of a (B, T, C) tensor in host memory begins. */
static float *row_at(const es_tensor *out, int64_t b, int64_t t)
{
    return (float *)out->buf->mem + out->offset + b * out->stride[0] + t * out->stride[1];
}

/* Straight into out, whose rows lie in host memory as one reads them. */
static bool gather_here(es_tensor *out, const es_table *table, const int32_t *ids, es_error *err)
{
    int64_t B = out->shape.dim[0], T = out->shape.dim[1];
    for (int64_t b = 0; b < B; b++)
        for (int64_t t = 0; t < T; t++)
            if (!es_table_row(table, ids[b * T + t], row_at(out, b, t), err))
                return false;
    return true;
}

/* By way of host memory, in one piece. */
static bool gather_and_send(es_tensor *out, const es_table *table, const int32_t *ids,
                            es_error *err)
{
    int64_t n = out->shape.dim[0] * out->shape.dim[1], C = table->C;
    float *rows = es_try_alloc((size_t)(n * C), sizeof *rows, "rows on their way", err);
    bool ok = rows != NULL;
    for (int64_t i = 0; ok && i < n; i++)
        ok = es_table_row(table, ids[i], rows + i * C, err);
    ok = ok && es_tensor_write(out, rows, err);
    free(rows);
    es_backend_ran_beside(out->buf->be, "rows of a table");
    return ok;
}

bool es_table_gather(es_tensor *out, const es_table *t, const int32_t *ids, const char *what,
                     es_error *err)
{
    if (!es_check_ids(ids, out->shape.dim[0], out->shape.dim[1], t->rows, what, err))
        return false;
    const es_tensor *there = es_table_lies_on(t, out->buf->be);
    if (there)
        return es_gather(out, there, ids, NULL, err);
    bool here = out->buf->be->ops->host_memory && out->stride[2] == 1;
    return here ? gather_here(out, t, ids, err) : gather_and_send(out, t, ids, err);
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
