// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/near.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "layer/near_exact.h"
#include "layer/near_rows.h"

enum { SHARED = 1 << 22 }; /* numbers of a table from which threads are worth their waking */

const char *es_measure_name(es_measure by)
{
    static const char *const names[] = {"cosine", "dot", "euclid"};
    return names[by];
}

/* ---- the best so far: a heap, the worst of them on top ---- */

typedef struct heap {
    es_neighbour *of; /* score: larger is nearer, whatever the measure */
    int64_t n, cap;
} heap;

static bool nearer(const es_neighbour *a, const es_neighbour *b)
{
    return a->score > b->score || (a->score == b->score && a->id < b->id);
}

static void exchange(es_neighbour *a, es_neighbour *b)
{
    es_neighbour t = *a;
    *a = *b;
    *b = t;
}

static void sink(es_neighbour *of, int64_t n)
{
    for (int64_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && nearer(&of[child], &of[child + 1]))
            child++;
        if (nearer(&of[child], &of[i]))
            return;
        exchange(&of[i], &of[child]);
    }
}

static void heap_offer(heap *h, es_neighbour next)
{
    if (h->n == h->cap) {
        if (!nearer(&next, &h->of[0]))
            return;
        h->of[0] = next;
        sink(h->of, h->n);
        return;
    }
    int64_t i = h->n++;
    for (h->of[i] = next; i && nearer(&h->of[(i - 1) / 2], &h->of[i]); i = (i - 1) / 2)
        exchange(&h->of[i], &h->of[(i - 1) / 2]);
}

/* Best first, from now on no heap. */
static void heap_sort(heap *h)
{
    for (int64_t n = h->n; n > 1; n--) {
        exchange(&h->of[0], &h->of[n - 1]);
        sink(h->of, n - 1);
    }
}

/* ---- one row ---- */

#define PRODUCT(c) ((double)v[c] * q[c])
#define GAP(c)     (((double)v[c] - q[c]) * ((double)v[c] - q[c]))

static double product(const float *v, const double *q, int64_t C)
{
    ES_SUM_OF(PRODUCT);
}

static double squared_distance(const float *v, const double *q, int64_t C)
{
    ES_SUM_OF(GAP);
}

typedef struct search {
    es_near *near;
    const es_near_query *query;
    double length; /* of q */
    es_watch *watch;
    es_tensor unit;       /* (C, 1): q at length 1, or zeros */
    _Atomic int64_t done; /* rows */
    atomic_bool stop;     /* a thread has failed */
    heap best;            /* of all threads */
    es_error *err;        /* the first failure's */
} search;

/* The most a row can score by its product in float32. */
static double at_most(const search *s, int64_t id, float in_float)
{
    double square = s->near->squares[id], length = sqrt(square);
    double d;
    double high = (double)in_float + es_float_slack(s->near->C, length);
    switch (s->query->by) {
    case ES_BY_COSINE: return high / length;
    case ES_BY_DOT: return high * s->length;
    default:
        d = s->length * s->length + square;
        return 2 * s->length * high - d + d * (double)s->near->C * 0x1p-50;
    }
}

/* Its score in float64. */
static double exactly(const search *s, int64_t id, const float *row)
{
    int64_t C = s->near->C;
    const double *q = s->query->q;
    switch (s->query->by) {
    case ES_BY_COSINE: return es_exact_cosine(product(row, q, C), s->length, s->near->squares[id]);
    case ES_BY_DOT: return product(row, q, C);
    default: return -squared_distance(row, q, C);
    }
}

static bool is_skipped(const search *s, int64_t id)
{
    for (size_t i = 0; i < s->query->n_skip; i++)
        if (s->query->skip[i] == id)
            return true;
    return false;
}

static void consider(const search *s, heap *best, int64_t id, float in_float, const float *row)
{
    double square = s->near->squares[id];
    if (!isfinite(square) || (square == 0 && s->query->by == ES_BY_COSINE))
        return;
    bool full = best->n == best->cap;
    /* a product that overflowed says nothing: not (NaN < x) */
    if (full && isfinite(in_float) && at_most(s, id, in_float) < best->of[0].score)
        return;
    if (!is_skipped(s, id))
        heap_offer(best, (es_neighbour){id, exactly(s, id, row)});
}

/* ---- all rows, by several threads, each with its own best ---- */

static bool search_tile(search *s, es_products *p, heap *best, int64_t i, es_error *err)
{
    int64_t rows, C = s->near->C, first = i * s->near->rows;
    const float *v = es_products_of(p, i, &rows, err);
    if (!v)
        return false;
    for (int64_t k = 0; k < rows; k++)
        consider(s, best, first + k, p->score[k], v + k * C);
    int64_t done = atomic_fetch_add(&s->done, rows) + rows;
    return es_watch_step(s->watch, (uint64_t)done, err);
}

/* What a thread has found, or why it failed, into what all have. */
static void gather(search *s, const es_products *p, const heap *best, bool ok, es_error *err)
{
    s->near->nonfinite += p->nonfinite;
    for (int64_t i = 0; i < best->n; i++)
        heap_offer(&s->best, best->of[i]);
    if (!ok && s->err && s->err->code == ES_OK)
        *s->err = *err;
    else
        es_error_free(err);
}

/* One thread's share: tiles, as they come. */
static void search_share(search *s)
{
    es_near *n = s->near;
    es_error err = ES_ERROR_NONE;
    es_products p;
    heap best = {.cap = s->best.cap};
    best.of = es_try_alloc((size_t)best.cap, sizeof *best.of, "the rows", &err);
    bool ok = es_products_open(&p, n, &s->unit, best.of ? &err : NULL) && best.of;
    if (!ok)
        s->stop = true;
#ifdef _OPENMP
#pragma omp for schedule(dynamic, 4) nowait
#endif
    for (int64_t i = 0; i < n->n_tiles; i++) {
        if (!ok || s->stop)
            continue;
        ok = search_tile(s, &p, &best, i, &err);
        if (!ok)
            s->stop = true;
    }
#ifdef _OPENMP
#pragma omp critical(es_near_gather)
#endif
    gather(s, &p, &best, ok, &err);
    es_products_close(&p);
    free(best.of);
}

static bool unit_query(search *s, es_error *err)
{
    int64_t C = s->near->C;
    float *unit = es_try_alloc((size_t)C, sizeof *unit, "the query", err);
    if (!unit)
        return false;
    for (int64_t c = 0; c < C; c++)
        unit[c] = s->length > 0 ? (float)(s->query->q[c] / s->length) : 0;
    es_shape shape = es_shape_2d("C", C, "", 1);
    bool ok = es_tensor_new(&s->unit, s->near->be, ES_FLOAT32, &shape, err) &&
              es_tensor_write(&s->unit, unit, err);
    free(unit);
    return ok;
}

static bool search_all(search *s, es_error *err)
{
    bool ok = es_watch_step(s->watch, 0, err) && unit_query(s, err);
    if (ok) {
#ifdef _OPENMP
        bool several = s->near->be->ops->host_memory && s->near->V >= SHARED / s->near->C;
#pragma omp parallel num_threads(s->near->be->threads) if (several)
#endif
        search_share(s);
    }
    es_tensor_free(&s->unit);
    return ok && !s->stop;
}

bool es_near_search(es_near *n, es_neighbour *best, int64_t top, int64_t *found,
                    const es_near_query *query, es_watch *watch, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    search s = {.near = n, .query = query, .watch = watch, .err = err ? err : &why};
    s.best = (heap){.of = best, .cap = top};
    s.length = es_exact_length(query->q, n->C);
    *found = 0;
    if (query->by == ES_BY_COSINE && s.length == 0)
        return es_fail(err, ES_ERR_VALUE,
                       "a vector of zeros has no direction to compare by cosine");
    es_watch_begin(watch, (uint64_t)n->V);
    bool ok = search_all(&s, s.err);
    es_error_free(&why);
    if (!ok)
        return false;
    heap_sort(&s.best);
    for (int64_t i = 0; query->by == ES_BY_EUCLID && i < s.best.n; i++)
        best[i].score = sqrt(-best[i].score);
    *found = s.best.n;
    return true;
}
