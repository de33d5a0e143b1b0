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

enum { TILE = 1 << 13 }; /* numbers */
#define KEEP_BYTES ((int64_t)64 << 20)

/* float32 rows that need no copy: dense, at an address float allows. */
static float *rows_at_hand(const es_near *n)
{
    es_store store;
    const void *data = es_table_data(n->table, &store);
    bool fits = data && store == ES_STORE_F32 && (uintptr_t)data % sizeof(float) == 0;
    return fits ? (float *)data : NULL;
}

float *es_near_at_hand(const es_near *n)
{
    float *there = rows_at_hand(n);
    return there ? there : n->kept;
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
    es_near *n = es_alloc(sizeof *n);
    *n = (es_near){.table = es_table_ref(table), .be = be};
    n->V = es_table_rows(table);
    n->C = es_table_width(table);
    n->rows = n->C < TILE ? TILE / n->C : 1;
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

const es_backend *es_near_device(const es_near *n)
{
    return n->be;
}

int64_t es_near_nonfinite(const es_near *n)
{
    return n->nonfinite;
}

/* ---- one thread's room ---- */

bool es_products_open(es_products *p, es_near *n, const es_tensor *unit, es_error *err)
{
    es_shape result = es_shape_2d("V", n->rows, "", 1);
    size_t rows = (size_t)n->rows;
    *p = (es_products){.near = n, .unit = unit};
    p->score = es_try_alloc(rows, sizeof *p->score, "the products", err);
    p->length = p->score ? es_try_alloc(rows, sizeof *p->length, "the lengths", err) : NULL;
    p->ids = p->length ? es_try_alloc(rows, sizeof *p->ids, "the ids", err) : NULL;
    if (!p->ids || (unit && !es_tensor_new(&p->result, n->be, ES_FLOAT32, &result, err)))
        return false;
    if (es_near_at_hand(n))
        return true;
    p->host = es_try_alloc(rows * (size_t)n->C, sizeof *p->host, "some rows", err);
    return p->host != NULL;
}

void es_products_close(es_products *p)
{
    es_tensor_free(&p->result);
    free(p->score);
    free(p->length);
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

void es_near_lengths(double *length, const es_near *n, int64_t first, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++)
        length[i] = sqrt(n->squares[first + i]);
}

void es_near_lend(es_tensor *out, es_buffer *lent, es_backend *be, const float *v, int64_t rows,
                  int64_t C)
{
    *lent = (es_buffer){.be = be, .mem = (float *)v, .bytes = (size_t)(rows * C) * sizeof *v};
    atomic_init(&lent->refs, 2); /* never the last: views that come and go do not free it */
    *out = (es_tensor){.shape = es_shape_2d("V", rows, "C", C), .stride = {C, 1}, .buf = lent};
}

static bool multiply(es_products *p, const float *v, int64_t rows, es_error *err)
{
    es_buffer lent;
    es_tensor factor, result;
    es_near_lend(&factor, &lent, p->near->be, v, rows, p->near->C);
    if (!es_tensor_slice(&result, &p->result, 0, 0, rows, err))
        return false;
    bool ok = es_matmul(&result, &factor, p->unit, err) && es_tensor_read(&result, p->score, err);
    es_tensor_free(&result);
    return ok;
}

const float *es_products_rows(es_products *p, int64_t i, int64_t *rows, es_error *err)
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
    return v;
}

const float *es_products_of(es_products *p, int64_t i, int64_t *rows, es_error *err)
{
    const float *v = es_products_rows(p, i, rows, err);
    es_near_lengths(p->length, p->near, i * p->near->rows, v ? *rows : 0);
    return v && multiply(p, v, *rows, err) ? v : NULL;
}
