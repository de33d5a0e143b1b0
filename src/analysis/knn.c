// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/knn.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/knn_device.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "core/gemm.h"
#include "core/vector.h"

enum {
    TILE = 256,         /* rows and columns of a tile, which then fits a processor's second cache */
    WIDE_TILE = 1 << 19 /* numbers of its rows, at most: a tile takes a few milliseconds */
};

/* ---- tiles ---- */

typedef struct graph {
    es_knn *out;
    const es_pointing *rows;
    es_candidates candidates;
    int64_t side, n_blocks; /* of places */
    pthread_mutex_t *locks; /* [n_blocks] of their candidates */
    bool met;               /* there were offers for all pairs already */
    es_watch *watch;
    _Atomic int64_t done; /* pairs */
    atomic_bool stop;     /* a thread has failed */
    es_error *err;        /* the first failure's */
} graph;

/* What one thread has to itself. */
typedef struct worker {
    graph *g;
    float *product; /* (side, side) */
    es_scored *desk;
    es_error err;
} worker;

/* Places of block i: from `first` on. */
typedef struct block {
    int64_t i, first, n;
} block;

static block block_at(const graph *g, int64_t i)
{
    int64_t left = g->rows->n - i * g->side;
    return (block){i, i * g->side, left < g->side ? left : g->side};
}

/* A product of row i for whom it may matter: of eight columns from `column` on, `for_row` and `for_column` tell. */
static void offer_some(worker *w, int64_t i, int64_t column, const float *product, unsigned for_row,
                       unsigned for_column)
{
    es_candidates *c = &w->g->candidates;
    for (; for_row; for_row &= for_row - 1) {
        int lane = __builtin_ctz(for_row);
        es_candidates_offer(c, w->desk, i, column + lane, product[lane]);
    }
    for (; for_column; for_column &= for_column - 1) {
        int lane = __builtin_ctz(for_column);
        es_candidates_offer(c, w->desk, column + lane, i, product[lane]);
    }
}

/* Row i of a tile, its columns from place `column` on. */
ES_INLINE void take_row_loop(worker *w, int64_t i, int64_t column, int64_t n, const float *product)
{
    const float *low = w->g->candidates.low;
    int64_t c = 0;
    for (; c + ES_LANES <= n; c += ES_LANES) {
        es_lanes x = es_lanes_at(product + c);
        unsigned for_row = es_lanes_mask((es_int_lanes)(x >= es_lanes_of(low[i])));
        unsigned for_column = es_lanes_mask((es_int_lanes)(x >= es_lanes_at(low + column + c)));
        if (for_row | for_column)
            offer_some(w, i, column + c, product + c, for_row, for_column);
    }
    for (; c < n; c++)
        offer_some(w, i, column + c, product + c, product[c] >= low[i],
                   product[c] >= low[column + c]);
}

ES_TWO_FORMS(static, take_row,
             (worker * w, int64_t i, int64_t column, int64_t n, const float *product),
             (w, i, column, n, product))

/* All pairs of two blocks, or of one: each once, for both. */
static bool take_tile(worker *w, block a, block b)
{
    graph *g = w->g;
    es_candidates_expect(&g->candidates, a.first, a.n);
    es_candidates_expect(&g->candidates, b.first, b.n);
    for (int64_t r = 0; r < a.n; r++) {
        int64_t from = a.i == b.i ? r + 1 : 0, n = b.n - from;
        take_row(w, a.first + r, b.first + from, n, w->product + r * g->side + from);
        int64_t done = atomic_fetch_add(&g->done, n) + n;
        if (g->stop || !es_watch_step(g->watch, (uint64_t)done, &w->err))
            return false;
    }
    return true;
}

static bool work_on_tile(worker *w, int64_t i, int64_t j)
{
    graph *g = w->g;
    int64_t C = g->rows->C;
    block a = block_at(g, i), b = block_at(g, j);
    const es_matrix left = {g->rows->unit + a.first * C, C, false},
                    right = {g->rows->unit + b.first * C, C, true};
    es_gemm(w->product, g->side, 1, left, right, a.n, b.n, C, false);
    pthread_mutex_lock(&g->locks[a.i]);
    if (a.i != b.i)
        pthread_mutex_lock(&g->locks[b.i]);
    bool ok = take_tile(w, a, b);
    if (a.i != b.i)
        pthread_mutex_unlock(&g->locks[b.i]);
    pthread_mutex_unlock(&g->locks[a.i]);
    return ok;
}

static bool choose(worker *w, int64_t i)
{
    const graph *g = w->g;
    block b = block_at(g, i);
    for (int64_t p = b.first; p < b.first + b.n; p++) {
        int64_t at = g->rows->id[p] * (int64_t)g->out->k;
        es_candidates_best(&g->candidates, w->desk, p, g->out->id + at, g->out->cosine + at);
        if (!es_watch_step(g->watch, (uint64_t)g->done, &w->err))
            return false;
    }
    return true;
}

/* ---- threads ---- */

static bool worker_open(worker *w, graph *g)
{
    size_t side = (size_t)g->side;
    *w = (worker){.g = g, .err = ES_ERROR_NONE};
    w->product = es_try_alloc(side * side, sizeof *w->product, "products", &w->err);
    w->desk = w->product ? es_candidates_desk(&g->candidates, &w->err) : NULL;
    return w->desk != NULL;
}

static void worker_close(worker *w, bool ok)
{
    graph *g = w->g;
    if (!ok && w->err.code != ES_OK && g->err->code == ES_OK)
        *g->err = w->err;
    else
        es_error_free(&w->err);
    free(w->product);
    free(w->desk);
}

/* Tiles of the upper half, from corner to corner across the diagonal: those of one line have no block in common, so that
 * threads seldom wait for each other, and each row meets the others from the first to the last, so that of many equals
 * those that stay come first. */
static bool share_tiles(worker *w, bool ok)
{
    graph *g = w->g;
    for (int64_t line = 0; line < 2 * g->n_blocks - 1; line++) {
        int64_t first = line < g->n_blocks ? 0 : line - g->n_blocks + 1;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1) nowait
#endif
        for (int64_t i = first; i <= line / 2; i++) {
            if (!ok || g->stop)
                continue;
            ok = work_on_tile(w, i, line - i);
            if (!ok)
                g->stop = true;
        }
    }
#ifdef _OPENMP
#pragma omp barrier
#endif
    return ok;
}

static bool share_rows(worker *w, bool ok)
{
    graph *g = w->g;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 1)
#endif
    for (int64_t i = 0; i < g->n_blocks; i++) {
        if (!ok || g->stop)
            continue;
        ok = choose(w, i);
        if (!ok)
            g->stop = true;
    }
    return ok;
}

/* One thread's share: tiles, and when all are done rows, as they come. */
static void share(graph *g)
{
    worker w;
    bool ok = worker_open(&w, g);
    if (!ok)
        g->stop = true;
    ok = g->met ? ok : share_tiles(&w, ok);
    ok = share_rows(&w, ok);
#ifdef _OPENMP
#pragma omp critical(es_knn_close)
#endif
    worker_close(&w, ok);
}

static bool graph_open(graph *g, es_error *err)
{
    int64_t k = g->out->k < g->rows->n ? g->out->k : g->rows->n;
    int64_t side = es_sweep_rows(WIDE_TILE, g->rows->C);
    g->side = side < TILE ? side : TILE;
    g->n_blocks = (g->rows->n + g->side - 1) / g->side;
    g->locks = es_try_alloc((size_t)g->n_blocks, sizeof(pthread_mutex_t), "the tiles", err);
    for (int64_t i = 0; g->locks && i < g->n_blocks; i++)
        pthread_mutex_init(g->locks + i, NULL);
    return g->locks && es_memory_for(es_candidates_bytes(g->rows->n, k), err) &&
           es_candidates_open(&g->candidates, g->rows, k, err);
}

static void graph_close(graph *g)
{
    es_candidates_close(&g->candidates);
    for (int64_t i = 0; g->locks && i < g->n_blocks; i++)
        pthread_mutex_destroy(&g->locks[i]);
    free(g->locks);
}

/* The pairs by a device, if it has memory of its own. */
static bool meet_there(graph *g, es_backend *be, es_error *err)
{
    if (!es_backend_is_far(be))
        return true;
    g->met = true;
    g->done = g->rows->n * (g->rows->n - 1) / 2;
    es_backend_ran_beside(be, "lengths of rows");
    es_backend_ran_beside(be, "the nearest, in float64");
    return es_candidates_meet(&g->candidates, be, g->watch, err);
}

static bool run(es_knn *out, const es_pointing *p, es_backend *be, es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    graph g = {.out = out, .rows = p, .watch = watch, .err = err ? err : &why};
    bool ok = graph_open(&g, err);
    es_watch_begin(watch, (uint64_t)(p->n * (p->n - 1) / 2));
    ok = ok && es_watch_step(watch, 0, err) && meet_there(&g, be, err);
    if (ok) {
        es_gemm_hold(); /* each thread multiplies by itself */
#ifdef _OPENMP
        /* NOLINTNEXTLINE(clang-analyzer-deadcode.DeadStores): it is read below */
        int threads = es_gemm_threads();
#pragma omp parallel num_threads(threads) if (g.n_blocks > 1)
#endif
        share(&g);
        es_gemm_release();
    }
    graph_close(&g);
    es_error_free(&why);
    return ok && !g.stop;
}

static bool make(es_knn *out, es_pointing *p, const es_table *t, es_backend *be, es_watch *watch,
                 es_error *err)
{
    size_t entries = (size_t)out->n * (size_t)out->k;
    if (!es_pointing_open(p, t, watch, err))
        return false;
    memset(out->id, -1, entries * sizeof *out->id);
    memset(out->cosine, 0, entries * sizeof *out->cosine);
    return run(out, p, be, watch, err);
}

bool es_knn_make(es_knn *out, const es_table *t, int k, es_backend *be, es_watch *watch,
                 es_error *err)
{
    es_pointing p = {0};
    *out = (es_knn){0};
    if (k < 1)
        return es_fail(err, ES_ERR_VALUE, "of each row 1 neighbour or more is looked for, not %d",
                       k);
    if (!es_sweep_ends(t, err))
        return false;
    double bytes = (double)es_table_rows(t) * k * (double)(sizeof *out->id + sizeof *out->cosine);
    bool ok = es_memory_for(bytes, err) && es_knn_open(out, es_table_rows(t), k, err) &&
              make(out, &p, t, be, watch, err);
    es_pointing_close(&p);
    if (!ok)
        es_knn_free(out);
    return ok;
}

bool es_knn_open(es_knn *g, int64_t n, int k, es_error *err)
{
    size_t entries = (size_t)n * (size_t)k;
    *g = (es_knn){.n = n, .k = k};
    g->id = es_try_alloc(entries, sizeof *g->id, "the neighbours", err);
    g->cosine = g->id ? es_try_alloc(entries, sizeof *g->cosine, "the neighbours", err) : NULL;
    if (!g->cosine)
        es_knn_free(g);
    return g->cosine != NULL;
}

void es_knn_free(es_knn *g)
{
    free(g->id);
    free(g->cosine);
    *g = (es_knn){0};
}
