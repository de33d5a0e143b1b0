// SPDX-License-Identifier: GPL-3.0-or-later
/* A tile fits a processor's nearest cache: it is widened, measured and multiplied while it is there.  It is
 * also too small for BLAS to wake threads of its own, which would fight with ours. */
#include "layer/near_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/lookup.h"
#include "core/ops.h"
#include "layer/near_exact.h"

/* Numbers of a tile, and of one that has to travel to its device. */
enum { TILE = 1 << 13, FAR_TILE = 1 << 22 };
#define KEEP_BYTES ((int64_t)64 << 20)

/* float32 rows that need no copy: dense, at an address float allows, in memory this device can read. */
static float *rows_at_hand(const es_near *n)
{
    es_store store;
    const void *data = es_table_data(n->table, &store);
    bool fits = data && store == ES_STORE_F32 && (uintptr_t)data % sizeof(float) == 0;
    return fits && n->be->ops->host_memory ? (float *)data : NULL;
}

static bool make_room(es_near *n, es_error *err)
{
    n->squares = es_try_alloc((size_t)n->V, sizeof *n->squares, "the lengths of the rows", err);
    n->ready = n->squares ? es_try_alloc((size_t)n->n_tiles, 1, "the tiles", err) : NULL;
    if (!n->ready)
        return false;
    memset(n->ready, 0, (size_t)n->n_tiles);
    if (!rows_at_hand(n) && n->V <= KEEP_BYTES / (int64_t)sizeof(float) / n->C)
        n->kept = es_try_alloc((size_t)(n->V * n->C), sizeof *n->kept, "the rows", NULL);
    return true;
}

es_near *es_near_new(es_table *table, es_backend *be, es_error *err)
{
    int64_t numbers = be->ops->host_memory ? TILE : FAR_TILE;
    es_near *n = es_alloc(sizeof *n);
    *n = (es_near){.table = es_table_ref(table), .be = be};
    n->V = es_table_rows(table);
    n->C = es_table_width(table);
    n->rows = n->C < numbers ? numbers / n->C : 1;
    n->n_tiles = (n->V + n->rows - 1) / n->rows;
    if (make_room(n, err))
        return n;
    es_near_free(n);
    return NULL;
}

void es_near_free(es_near *n)
{
    if (!n)
        return;
    es_table_unref(n->table);
    free(n->squares);
    free(n->ready);
    free(n->kept);
    free(n);
}

const es_table *es_near_table(const es_near *n)
{
    return n->table;
}

int64_t es_near_nonfinite(const es_near *n)
{
    return n->nonfinite;
}

/* ---- one thread's room ---- */

bool es_products_open(es_products *p, es_near *n, const es_tensor *unit, es_error *err)
{
    es_shape result = es_shape_2d("V", n->rows, "", 1),
             block = es_shape_2d("V", n->rows, "C", n->C);
    *p = (es_products){.near = n, .unit = unit};
    p->score = es_try_alloc((size_t)n->rows, sizeof *p->score, "the products", err);
    p->ids = p->score ? es_try_alloc((size_t)n->rows, sizeof *p->ids, "the ids", err) : NULL;
    if (!p->ids || !es_tensor_new(&p->result, n->be, ES_FLOAT32, &result, err))
        return false;
    if (!n->be->ops->host_memory && !es_tensor_new(&p->block, n->be, ES_FLOAT32, &block, err))
        return false;
    if (rows_at_hand(n) || n->kept)
        return true;
    p->host = es_try_alloc((size_t)(n->rows * n->C), sizeof *p->host, "some rows", err);
    return p->host != NULL;
}

void es_products_close(es_products *p)
{
    es_tensor_free(&p->result);
    es_tensor_free(&p->block);
    free(p->score);
    free(p->host);
    free(p->ids);
}

/* ---- a tile ---- */

static bool widen(es_products *p, float *v, int64_t first, int64_t rows, es_error *err)
{
    const es_near *n = p->near;
    es_store store;
    bool ok = true;
    if (!es_table_data(n->table, &store)) {
        for (int64_t i = 0; ok && i < rows; i++)
            ok = es_table_row(n->table, first + i, v + i * n->C, err);
        return ok;
    }
    for (int64_t i = 0; i < rows; i++)
        p->ids[i] = (int32_t)(first + i);
    return es_lookup_add(v, n->table, p->ids, 1, rows, NULL, 0, 1, err);
}

static void measure(es_products *p, const float *v, int64_t first, int64_t rows)
{
    const es_near *n = p->near;
    for (int64_t i = 0; i < rows; i++) {
        const float *row = v + i * n->C;
        double square = es_exact_product(row, row, n->C);
        n->squares[first + i] = square;
        p->nonfinite += !isfinite(square);
    }
}

/* The rows as the device sees them: host memory that it reads is lent to it as it lies. */
static bool as_tensor(es_tensor *out, es_buffer *lent, es_products *p, float *v, int64_t rows,
                      es_error *err)
{
    es_near *n = p->near;
    if (p->block.buf)
        return es_tensor_slice(out, &p->block, 0, 0, rows, err) && es_tensor_write(out, v, err);
    *lent = (es_buffer){.be = n->be, .mem = v, .bytes = (size_t)(rows * n->C) * sizeof *v};
    atomic_init(&lent->refs,
                2); /* one of them ours for good: views that come and go never free it */
    *out =
        (es_tensor){.shape = es_shape_2d("V", rows, "C", n->C), .stride = {n->C, 1}, .buf = lent};
    return true;
}

static bool multiply(es_products *p, float *v, int64_t rows, es_error *err)
{
    es_buffer lent;
    es_tensor factor = {0}, result = {0};
    bool ok = as_tensor(&factor, &lent, p, v, rows, err) &&
              es_tensor_slice(&result, &p->result, 0, 0, rows, err) &&
              es_matmul(&result, &factor, p->unit, err) && es_tensor_read(&result, p->score, err);
    if (factor.buf)
        es_tensor_free(&factor);
    if (result.buf)
        es_tensor_free(&result);
    return ok;
}

const float *es_products_of(es_products *p, int64_t i, int64_t *rows, es_error *err)
{
    es_near *n = p->near;
    int64_t first = i * n->rows;
    float *there = rows_at_hand(n);
    float *v = there ? there + first * n->C : n->kept ? n->kept + first * n->C : p->host;
    *rows = n->V - first < n->rows ? n->V - first : n->rows;
    if (!there && !(n->kept && n->ready[i]) && !widen(p, v, first, *rows, err))
        return NULL;
    if (!n->ready[i])
        measure(p, v, first, *rows);
    n->ready[i] = true;
    return multiply(p, v, *rows, err) ? v : NULL;
}
