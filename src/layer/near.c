// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/near.h"

#include <stdlib.h>

#include "base/mem.h"
#include "layer/near_judge.h"
#include "layer/near_rows.h"

enum { SHARED = 1 << 22 }; /* numbers of a table from which threads are worth their waking */

const char *es_measure_name(es_measure by)
{
    static const char *const names[] = {"cosine", "dot", "euclid"};
    return names[by];
}

typedef struct search {
    es_near *near;
    es_judge judge;
    es_watch *watch;
    es_tensor unit;       /* (C, 1): q at length 1, or zeros */
    _Atomic int64_t done; /* rows */
    atomic_bool stop;     /* a thread has failed */
    es_heap best;         /* of all threads */
    es_error *err;        /* the first failure's */
} search;

/* ---- all rows, by several threads, each with its own best ---- */

static bool search_tile(search *s, es_products *p, es_heap *best, int64_t i, es_error *err)
{
    int64_t rows;
    const float *v = es_products_of(p, i, &rows, err);
    if (!v)
        return false;
    const es_judged tile = {i * s->near->rows, rows, p->score, p->length, v, NULL};
    if (!es_judge_rows(&s->judge, best, &tile, err))
        return false;
    int64_t done = atomic_fetch_add(&s->done, rows) + rows;
    return es_watch_step(s->watch, (uint64_t)done, err);
}

/* What a thread has found, or why it failed, into what all have. */
static void gather(search *s, const es_products *p, const es_heap *best, bool ok, es_error *err)
{
    s->near->nonfinite += p->nonfinite;
    for (int64_t i = 0; i < best->n; i++)
        es_heap_offer(&s->best, best->of[i]);
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
    es_heap best = {.cap = s->best.cap};
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
    es_judge_unit(unit, &s->judge);
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
        bool several = s->near->V >= SHARED / s->near->C;
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
    if (!n->be->ops->host_memory)
        return es_near_search_many(n, best, top, found, query, 1, watch, err);
    search s = {.near = n, .watch = watch, .err = err ? err : &why};
    s.best = (es_heap){.of = best, .cap = top};
    *found = 0;
    if (!es_judge_begin(&s.judge, n, query, err))
        return false;
    es_watch_begin(watch, (uint64_t)n->V);
    bool ok = search_all(&s, s.err);
    es_error_free(&why);
    if (ok)
        *found = es_judge_end(&s.judge, &s.best);
    return ok;
}
