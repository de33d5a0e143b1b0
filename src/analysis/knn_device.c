// SPDX-License-Identifier: GPL-3.0-or-later
/* Tiles of the product of all rows at length 1 with themselves: while the device makes one, threads of the host look at the
 * one before.
 *
 * What a device makes of a product may be another number than the cpu's, but it leads to the same neighbours, as long as it
 * is no farther from the true cosine than es_float_slack says, for then whoever is among the k nearest is kept for float64.
 * Let u = 2^-24.  Both rows were rounded to float32 at length 1: each factor is off by a part u of itself, which comes to
 * 2 u of the sum of the products' sizes, and that sum is at most 1 (Cauchy and Schwarz).  C products and their C - 1 sums,
 * in any order, are off by C u of it and terms in u squared (Higham 2002, 3.1), whether a product is rounded on its own or
 * fused with its sum: that is one rounding less.  (C + 2) u in all, and (C + 4) 2 u are allowed.  Where numbers below 2^-126
 * are taken for 0, each of two factors loses that much times another of at most 1, and so do each product and each sum:
 * 4 C 2^-126, which is the slack's second part.  What is cut short in other ways (factors in 16 bits, sums by Strassen's method) is
 * no product in float32, and no backend makes such. */
#include "analysis/knn_device.h"

#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "analysis/sweep.h"
#include "base/clock.h"
#include "base/mem.h"
#include "core/gemm.h"
#include "core/ops.h"
#include "core/vector.h"

enum {
    MOST_ROWS = 2048,      /* of a tile, */
    ROW_NUMBERS = 1 << 21, /* which have so many numbers; */
    PRODUCTS = 1 << 22,    /* in it, at most: 16 MB */
    LEAST_COLUMNS = 64,    /* with so many it begins, and has more while it is done quickly */
    SENT = 1 << 21,        /* numbers on their way at once */
    STRIP = 256            /* columns that a thread looks at together */
};
#define QUICK 0.005 /* seconds: a tile may be twice as large, */
#define SLOW  0.025 /* or half */

typedef struct tile {
    int64_t row, rows, column, columns; /* places; rows 0: there are no more */
} tile;

typedef struct meeting {
    es_candidates *of;
    const es_pointing *rows;
    es_tensor unit, product; /* there: (n, C), and room for a tile */
    int64_t most_rows, most_columns, columns;
    float *host[2]; /* the tile that is looked at, and the next */
    int threads;
    es_scored **desk; /* [threads] */
    es_watch *watch;
    int64_t done;     /* pairs */
    atomic_bool stop; /* it is no longer wanted */
} meeting;

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- there ---- */

static bool send_rows(meeting *m, es_error *err)
{
    int64_t n = m->rows->n, C = m->rows->C, some = es_sweep_rows(SENT, C);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i += some) {
        es_tensor part = {0};
        ok = es_watch_look(m->watch, err) &&
             es_tensor_slice(&part, &m->unit, 0, i, at_most(i + some, n), err) &&
             es_tensor_write(&part, m->rows->unit + i * C, err);
        es_tensor_free(&part);
    }
    return ok;
}

static bool multiply(meeting *m, const tile *t, float *to, es_error *err)
{
    es_tensor rows = {0}, columns = {0}, turned = {0}, product = m->product; /* borrowed */
    product.shape = es_shape_2d("", t->rows, "", t->columns);
    product.stride[0] = t->columns;
    bool ok = es_tensor_slice(&rows, &m->unit, 0, t->row, t->row + t->rows, err) &&
              es_tensor_slice(&columns, &m->unit, 0, t->column, t->column + t->columns, err) &&
              es_tensor_transpose(&turned, &columns, 0, 1, err) &&
              es_matmul(&product, &rows, &turned, err) && es_tensor_read(&product, to, err);
    es_tensor_free(&rows);
    es_tensor_free(&columns);
    es_tensor_free(&turned);
    return ok;
}

/* Rows together with all columns from their own on, some at a time. */
static tile tile_at(const meeting *m, int64_t row, int64_t column)
{
    int64_t n = m->rows->n, columns = at_most(m->columns, m->most_columns);
    return (tile){row, at_most(m->most_rows, n - row), column, at_most(columns, n - column)};
}

static tile tile_after(const meeting *m, const tile *t)
{
    int64_t n = m->rows->n, row = t->row, column = t->column + t->columns;
    if (column == n)
        column = row = t->row + t->rows;
    return row < n ? tile_at(m, row, column) : (tile){0};
}

static bool make(meeting *m, const tile *t, float *to, es_error *err)
{
    double begin = es_now();
    if (!es_watch_look(m->watch, err) || !multiply(m, t, to, err))
        return false;
    double took = es_now() - begin;
    if (took < QUICK && m->columns < m->most_columns)
        m->columns *= 2;
    else if (took > SLOW && m->columns > LEAST_COLUMNS)
        m->columns /= 2;
    return true;
}

/* ---- here ---- */

/* Place i has these products with n places from `column` on, to whom it is offered. */
ES_INLINE void offer_to_columns_loop(es_candidates *c, es_scored *desk, int64_t i, int64_t column,
                                     int64_t n, const float *product)
{
    int64_t k = 0;
    for (; k + ES_LANES <= n; k += ES_LANES) {
        es_lanes low = es_lanes_at(c->low + column + k), x = es_lanes_at(product + k);
        for (unsigned some = es_lanes_mask((es_int_lanes)(x >= low)); some; some &= some - 1) {
            int64_t at = k + __builtin_ctz(some);
            es_candidates_offer(c, desk, column + at, i, product[at]);
        }
    }
    for (; k < n; k++)
        if (product[k] >= c->low[column + k])
            es_candidates_offer(c, desk, column + k, i, product[k]);
}

ES_TWO_FORMS(static, offer_to_columns,
             (es_candidates * c, es_scored *desk, int64_t i, int64_t column, int64_t n,
              const float *product),
             (c, desk, i, column, n, product))

/* The same the other way round: they are offered to it. */
ES_INLINE void offer_columns_loop(es_candidates *c, es_scored *desk, int64_t i, int64_t column,
                                  int64_t n, const float *product)
{
    int64_t k = 0;
    for (; k + ES_LANES <= n; k += ES_LANES) {
        es_lanes low = es_lanes_of(c->low[i]), x = es_lanes_at(product + k);
        for (unsigned some = es_lanes_mask((es_int_lanes)(x >= low)); some; some &= some - 1) {
            int64_t at = k + __builtin_ctz(some);
            es_candidates_offer(c, desk, i, column + at, product[at]);
        }
    }
    for (; k < n; k++)
        if (product[k] >= c->low[i])
            es_candidates_offer(c, desk, i, column + k, product[k]);
}

ES_TWO_FORMS(static, offer_columns,
             (es_candidates * c, es_scored *desk, int64_t i, int64_t column, int64_t n,
              const float *product),
             (c, desk, i, column, n, product))

static es_scored *own_desk(const meeting *m)
{
#ifdef _OPENMP
    return m->desk[omp_get_thread_num()];
#else
    return m->desk[0];
#endif
}

static bool goes_on(meeting *m)
{
    if (!m->stop && !es_watch_look(m->watch, NULL))
        m->stop = true;
    return !m->stop;
}

/* Columns from k on meet the rows of the tile that come before them. */
static void meet_columns(meeting *m, const tile *t, const float *product, int64_t k)
{
    int64_t n = at_most(STRIP, t->columns - k);
    es_scored *desk = own_desk(m);
    es_candidates_expect(m->of, t->column + k, n);
    for (int64_t r = 0; r < t->rows && t->row + r < t->column + k + n && goes_on(m); r++) {
        int64_t before = t->row + r + 1 - (t->column + k), skip = before > 0 ? before : 0;
        offer_to_columns(m->of, desk, t->row + r, t->column + k + skip, n - skip,
                         product + r * t->columns + k + skip);
    }
}

/* A row meets the columns of the tile that come after it. */
static void meet_row(meeting *m, const tile *t, const float *product, int64_t r)
{
    int64_t before = t->row + r + 1 - t->column, skip = before > 0 ? before : 0;
    es_candidates_expect(m->of, t->row + r, 1);
    if (skip < t->columns && goes_on(m))
        offer_columns(m->of, own_desk(m), t->row + r, t->column + skip, t->columns - skip,
                      product + r * t->columns + skip);
}

static int64_t pairs_of(const tile *t)
{
    int64_t pairs = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        int64_t before = t->row + r + 1 - t->column, skip = before > 0 ? before : 0;
        pairs += skip < t->columns ? t->columns - skip : 0;
    }
    return pairs;
}

/* One thread waits for the device, and then helps the others.  Columns first: in a tile across the diagonal a place meets
 * those before it as a column.  Nobody but the thread that has a place touches its candidates. */
static bool meet(meeting *m, const tile *t, const float *product, const tile *next, float *to,
                 es_error *err)
{
    bool ok = true;
#ifdef _OPENMP
#pragma omp parallel num_threads(m->threads)
#endif
    {
#ifdef _OPENMP
#pragma omp single nowait
#endif
        ok = next->rows == 0 || make(m, next, to, err);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
        for (int64_t k = 0; k < t->columns; k += STRIP)
            meet_columns(m, t, product, k);
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 8)
#endif
        for (int64_t r = 0; r < t->rows; r++)
            meet_row(m, t, product, r);
    }
    m->done += pairs_of(t);
    return ok && es_watch_step(m->watch, (uint64_t)m->done, err);
}

/* ---- all ---- */

static bool meet_all(meeting *m, es_error *err)
{
    tile t = tile_at(m, 0, 0);
    bool ok = make(m, &t, m->host[0], err);
    for (int i = 0; ok && t.rows; i++) {
        tile next = tile_after(m, &t);
        ok = meet(m, &t, m->host[i % 2], &next, m->host[1 - i % 2], err);
        t = next;
    }
    return ok;
}

static bool open_meeting(meeting *m, es_backend *be, es_error *err)
{
    int64_t n = m->rows->n, C = m->rows->C;
    m->most_rows = at_most(at_most(es_sweep_rows(ROW_NUMBERS, C), MOST_ROWS), n);
    m->most_columns = at_most(PRODUCTS / m->most_rows, n);
    m->columns = LEAST_COLUMNS;
    m->threads = es_gemm_threads();
    m->desk = es_alloc_array((size_t)m->threads, sizeof(es_scored *));
    es_shape rows = es_shape_2d("", n, "C", C);
    es_shape products = es_shape_2d("", m->most_rows, "", m->most_columns);
    size_t numbers = (size_t)(m->most_rows * m->most_columns);
    bool ok = es_tensor_new(&m->unit, be, ES_FLOAT32, &rows, err) &&
              es_tensor_new(&m->product, be, ES_FLOAT32, &products, err);
    for (int i = 0; ok && i < 2; i++)
        ok = (m->host[i] = es_try_alloc(numbers, sizeof(float), "products", err)) != NULL;
    for (int i = 0; ok && i < m->threads; i++)
        ok = (m->desk[i] = es_candidates_desk(m->of, err)) != NULL;
    return ok;
}

static void close_meeting(meeting *m)
{
    es_tensor_free(&m->unit);
    es_tensor_free(&m->product);
    free(m->host[0]);
    free(m->host[1]);
    for (int i = 0; i < m->threads; i++)
        free(m->desk[i]);
    free(m->desk);
}

bool es_candidates_meet(es_candidates *c, es_backend *be, es_watch *watch, es_error *err)
{
    meeting m = {.of = c, .rows = c->rows, .watch = watch};
    bool ok =
        c->rows->n < 2 || (open_meeting(&m, be, err) && send_rows(&m, err) && meet_all(&m, err));
    close_meeting(&m);
    return ok;
}
