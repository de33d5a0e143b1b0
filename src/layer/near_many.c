// SPDX-License-Identifier: GPL-3.0-or-later
/* Many queries at once: each tile of the table is multiplied by all of them, which is what a device does best, and what
 * they came to is judged a query at a time.  One query to a device far away is the same with a single row. */
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>

#include "base/mem.h"
#include "core/ops.h"
#include "layer/near_judge.h"

enum {
    GROUP = 1024,         /* queries whose results are in memory at once */
    SCORES = 1 << 20,     /* of a tile, */
    ROWS = 1 << 22,       /* and its numbers; */
    FAR_SCORES = 1 << 24, /* more where they lie on a device */
    FAR_ROWS = 1 << 26
};

typedef struct sweep {
    es_near *near;
    int64_t n, rows;  /* queries; rows of a tile */
    es_judge *judge;  /* [n] */
    es_heap *best;    /* [n] */
    es_tensor unit;   /* (n, C): the queries */
    es_tensor result; /* n * rows numbers */
    float *score;     /* (n, rows of this tile) */
    double *length;   /* [rows] */
    float *host;      /* (rows, C) where they are widened */
    float *room;      /* (threads, C) where rows are read one by one */
    es_watch *watch;
} sweep;

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- room ---- */

static int64_t rows_at_once(const es_near *n, int64_t queries)
{
    bool far = !n->be->ops->host_memory;
    int64_t rows = at_most((far ? FAR_SCORES : SCORES) / queries, (far ? FAR_ROWS : ROWS) / n->C);
    return at_most(rows > 1 ? rows : 1, n->V ? n->V : 1);
}

static bool write_units(sweep *s, es_error *err)
{
    int64_t C = s->near->C;
    float *unit = es_try_alloc((size_t)(s->n * C), sizeof *unit, "the queries", err);
    for (int64_t i = 0; unit && i < s->n; i++)
        es_judge_unit(unit + i * C, &s->judge[i]);
    es_shape shape = es_shape_2d("", s->n, "C", C);
    bool ok = unit && es_tensor_new(&s->unit, s->near->be, ES_FLOAT32, &shape, err) &&
              es_tensor_write(&s->unit, unit, err);
    free(unit);
    return ok;
}

static bool open_sweep(sweep *s, es_error *err)
{
    es_near *n = s->near;
    size_t rows = (size_t)s->rows, C = (size_t)n->C, queries = (size_t)s->n;
    es_shape result = es_shape_2d("", s->n, "V", s->rows);
    bool at_hand = es_near_at_hand(n), far = !n->be->ops->host_memory;
    if (!write_units(s, err) || !es_tensor_new(&s->result, n->be, ES_FLOAT32, &result, err) ||
        !(s->score = es_try_alloc(queries * rows, sizeof *s->score, "the products", err)) ||
        !(s->length = es_try_alloc(rows, sizeof *s->length, "the lengths", err)))
        return false;
    if (!at_hand && !far)
        return (s->host = es_try_alloc(rows * C, sizeof *s->host, "some rows", err));
    return at_hand ||
           (s->room = es_try_alloc((size_t)n->be->threads * C, sizeof *s->room, "rows", err));
}

static void close_sweep(sweep *s)
{
    es_tensor_free(&s->unit);
    es_tensor_free(&s->result);
    free(s->score);
    free(s->length);
    free(s->host);
    free(s->room);
}

/* ---- a tile ---- */

/* The tile's rows in host memory; NULL where they are read one by one, or on failure. */
static const float *host_rows(sweep *s, int64_t first, int64_t rows, es_error *err)
{
    const float *hand = es_near_at_hand(s->near);
    if (hand)
        return hand + first * s->near->C;
    return s->host && es_table_read(s->near->table, first, rows, s->host, err) ? s->host : NULL;
}

/* score (n, rows) = unit @ tile.T; a single query goes as a column, which is what devices know best. */
static bool multiply(sweep *s, const es_tensor *tile, int64_t rows, es_error *err)
{
    bool one = s->n == 1;
    es_tensor turned, result = s->result; /* the reference is the sweep's */
    result.shape = one ? es_shape_2d("V", rows, "", 1) : es_shape_2d("", s->n, "V", rows);
    result.stride[0] = one ? 1 : rows;
    result.stride[1] = 1;
    if (!es_tensor_transpose(&turned, one ? &s->unit : tile, 0, 1, err))
        return false;
    bool ok = (one ? es_matmul(&result, tile, &turned, err)
                   : es_matmul(&result, &s->unit, &turned, err)) &&
              es_tensor_read(&result, s->score, err);
    es_tensor_free(&turned);
    return ok;
}

static int thread_number(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

/* What it came to, a query a thread. */
static bool judge_tile(sweep *s, es_judged tile, es_error *err)
{
    bool ok = true;
#ifdef _OPENMP
#pragma omp parallel for num_threads(s->near->be->threads) schedule(dynamic) if (s->n > 1)
#endif
    for (int64_t i = 0; i < s->n; i++) {
        es_error why = ES_ERROR_NONE;
        es_judged own = tile;
        own.score = s->score + i * tile.n;
        own.room = s->room ? s->room + thread_number() * s->near->C : NULL;
        if (es_judge_rows(&s->judge[i], &s->best[i], &own, &why))
            continue;
#ifdef _OPENMP
#pragma omp critical(es_near_many)
#endif
        {
            if (ok && err)
                *err = why;
            else
                es_error_free(&why);
            ok = false;
        }
    }
    return ok;
}

static bool sweep_tile(sweep *s, int64_t first, int64_t rows, es_error *err)
{
    es_near *n = s->near;
    es_buffer lent;
    es_tensor tile;
    const float *host = host_rows(s, first, rows, err);
    if (!host && !s->room)
        return false;
    if (!n->whole)
        es_near_lend(&tile, &lent, n->be, host, rows, n->C);
    else if (!es_tensor_slice(&tile, n->whole, 0, first, first + rows, err))
        return false;
    es_near_lengths(s->length, n, first, rows);
    bool ok = multiply(s, &tile, rows, err) &&
              judge_tile(s, (es_judged){first, rows, NULL, s->length, host, NULL}, err);
    es_tensor_free(&tile);
    return ok;
}

/* ---- all ---- */

/* At most GROUP queries. */
static bool sweep_group(sweep *s, es_error *err)
{
    int64_t V = s->near->V;
    bool ok = open_sweep(s, err);
    uint64_t before = s->watch ? s->watch->done : 0;
    for (int64_t i = 0; ok && i < V; i += s->rows) {
        int64_t rows = at_most(s->rows, V - i);
        ok = sweep_tile(s, i, rows, err) &&
             es_watch_step(s->watch, before + (uint64_t)(i + rows), err);
    }
    close_sweep(s);
    return ok;
}

static bool search_group(es_near *near, es_neighbour *best, int64_t top, int64_t *found,
                         const es_near_query *query, int64_t n, es_watch *watch, es_error *err)
{
    sweep s = {.near = near, .n = n, .rows = rows_at_once(near, n), .watch = watch};
    s.judge = es_alloc_array((size_t)n, sizeof *s.judge);
    s.best = es_alloc_array((size_t)n, sizeof *s.best);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++) {
        s.best[i] = (es_heap){.of = best + i * top, .cap = top};
        ok = es_judge_begin(&s.judge[i], near, &query[i], err);
    }
    ok = ok && sweep_group(&s, err);
    for (int64_t i = 0; i < n; i++)
        found[i] = ok ? es_judge_end(&s.judge[i], &s.best[i]) : 0;
    free(s.judge);
    free(s.best);
    return ok;
}

bool es_near_search_many(es_near *n, es_neighbour *best, int64_t top, int64_t *found,
                         const es_near_query *query, int64_t n_queries, es_watch *watch,
                         es_error *err)
{
    int64_t groups = (n_queries + GROUP - 1) / GROUP;
    for (int64_t i = 0; i < n_queries; i++)
        found[i] = 0;
    es_watch_begin(watch, (uint64_t)n->V * (uint64_t)groups);
    bool ok = n_queries == 0 || es_near_ready(n, watch, err);
    if (ok && n_queries)
        es_backend_ran_beside(n->be, "the nearest, in float64");
    for (int64_t i = 0; ok && i < n_queries; i += GROUP)
        ok = search_group(n, best + i * top, top, found + i, query + i,
                          at_most(GROUP, n_queries - i), watch, err);
    return ok;
}
