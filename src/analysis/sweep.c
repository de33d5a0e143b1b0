// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/sweep.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/gemm.h"
#include "core/lookup.h"

enum { SHARED = 1 << 17 }; /* numbers of a table from which threads are worth their waking */

typedef struct sweep {
    const es_sweep *how;
    void *of;
    const es_table *table;
    int64_t rows, C, n_blocks;
    es_watch *watch;
    _Atomic int64_t done; /* rows */
    _Atomic int64_t next; /* the first block nobody has taken */
    int64_t turn;         /* the block that is to be folded next */
    pthread_mutex_t lock; /* of turn */
    pthread_cond_t turned;
    atomic_bool stop; /* a thread has failed */
    es_error *err;    /* the first failure's */
} sweep;

/* What one thread has to itself. */
typedef struct worker {
    float *rows;
    int32_t *ids;
    void *room;
    es_error err;
    bool ok;
} worker;

int64_t es_sweep_rows(int64_t numbers, int64_t C)
{
    return C < numbers ? numbers / C : 1;
}

static worker worker_open(const sweep *s)
{
    const es_sweep *how = s->how;
    worker w = {.err = ES_ERROR_NONE};
    size_t numbers = (size_t)(how->block * s->C);
    w.rows = es_try_alloc(numbers, sizeof *w.rows, "some rows", &w.err);
    w.ids = w.rows ? es_try_alloc((size_t)how->block, sizeof *w.ids, "some rows", &w.err) : NULL;
    w.room = w.ids ? es_try_alloc(how->room + 1, 1, "what rows come to", &w.err) : NULL;
    w.ok = w.room != NULL;
    return w;
}

static void worker_close(sweep *s, worker *w)
{
    if (!w->ok && s->err && s->err->code == ES_OK)
        *s->err = w->err;
    else
        es_error_free(&w->err);
    free(w->rows);
    free(w->ids);
    free(w->room);
}

static int64_t rows_of_block(const sweep *s, int64_t i)
{
    int64_t left = s->rows - i * s->how->block;
    return left < s->how->block ? left : s->how->block;
}

static bool work_on(sweep *s, worker *w, int64_t i)
{
    int64_t first = i * s->how->block, n = rows_of_block(s, i);
    for (int64_t r = 0; r < n; r++)
        w->ids[r] = (int32_t)(first + r);
    if (!es_lookup_add(w->rows, s->table, w->ids, 1, n, NULL, 0, 1, &w->err))
        return false;
    if (s->how->attempt)
        return s->how->attempt(s->of, first, n, w->rows, w->room, &w->err);
    s->how->work(s->of, first, n, w->rows, w->room);
    return true;
}

static void stop_all(sweep *s)
{
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_cond_broadcast(&s->turned);
    pthread_mutex_unlock(&s->lock);
}

/* Blocks are folded one after the other.  Who waits sleeps: where other programs want the processors as well, the one
 * he waits for would have to wait for him.  false: it is all over. */
static bool fold_in_turn(sweep *s, const worker *w, int64_t i)
{
    pthread_mutex_lock(&s->lock);
    while (s->turn < i && !s->stop)
        pthread_cond_wait(&s->turned, &s->lock);
    bool ok = !s->stop;
    if (ok)
        s->how->fold(s->of, w->room);
    s->turn = i + 1;
    pthread_cond_broadcast(&s->turned);
    pthread_mutex_unlock(&s->lock);
    return ok;
}

static bool finish(sweep *s, worker *w, int64_t i)
{
    if (s->how->fold && !fold_in_turn(s, w, i))
        return true; /* who stopped it says why */
    int64_t n = rows_of_block(s, i), done = atomic_fetch_add(&s->done, n) + n;
    return es_watch_step(s->watch, (uint64_t)done, &w->err);
}

/* One thread's share: blocks, as they come. */
static void sweep_share(sweep *s)
{
    worker w = worker_open(s);
    for (int64_t i; w.ok && !s->stop && (i = atomic_fetch_add(&s->next, 1)) < s->n_blocks;)
        w.ok = work_on(s, &w, i) && finish(s, &w, i);
    if (!w.ok)
        stop_all(s);
#ifdef _OPENMP
#pragma omp critical(es_sweep_close)
#endif
    worker_close(s, &w);
}

bool es_sweep_ends(const es_table *t, es_error *err)
{
    return es_table_rows(t) <= INT32_MAX ||
           es_fail(err, ES_ERR_VALUE, "this table has no last row");
}

bool es_sweep_table(const es_sweep *how, void *of, const es_table *t, es_watch *watch,
                    es_error *err)
{
    es_error why = ES_ERROR_NONE;
    sweep s = {.how = how,
               .of = of,
               .table = t,
               .watch = watch,
               .err = err ? err : &why,
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .turned = PTHREAD_COND_INITIALIZER};
    s.rows = es_table_rows(t);
    s.C = es_table_width(t);
    if (!es_sweep_ends(t, err))
        return false;
    s.n_blocks = (s.rows + how->block - 1) / how->block;
    es_watch_begin(watch, (uint64_t)s.rows);
    if (!es_watch_step(watch, 0, err))
        return false;
    es_gemm_hold(); /* each thread multiplies by itself */
#ifdef _OPENMP
    int threads = es_gemm_threads(); /* NOLINT(clang-analyzer-deadcode.DeadStores): read below */
#pragma omp parallel num_threads(threads) if (s.rows >= SHARED / s.C && s.n_blocks > 1)
#endif
    sweep_share(&s);
    es_gemm_release();
    es_error_free(&why);
    return !s.stop;
}
