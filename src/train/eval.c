// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/gemm.h"
#include "model/blocks.h"
#include "train/loss.h"

/* What one thread works with. */
typedef struct worker {
    es_block_run *run;
    float *x, *hidden; /* (T, C) */
    float *logits;     /* (ES_LOSS_ROWS, V) */
    es_error err;
} worker;

struct es_eval {
    const es_blocks *blocks;
    float *wte, *wpe, *head; /* (V, C), (P, C), (V, C); head may be wte */
    int64_t V, C, T;
    worker *worker; /* threads of them */
    int threads;
};

/* ---- the model ---- */

static float *all_rows(const es_table *t, const char *what, es_error *err)
{
    int64_t rows = es_table_rows(t), C = es_table_width(t);
    float *all = es_try_alloc((size_t)(rows * C), sizeof *all, what, err);
    for (int64_t i = 0; all && i < rows; i++)
        if (!es_table_row(t, i, all + i * C, err)) {
            free(all);
            return NULL;
        }
    return all;
}

static bool read_tables(es_eval *e, const es_model *m, es_error *err)
{
    e->wte = all_rows(m->wte, "the token table", err);
    e->wpe = e->wte ? all_rows(m->wpe, "the position table", err) : NULL;
    if (!e->wpe)
        return false;
    e->head = e->blocks->head ? all_rows(e->blocks->head, "the output matrix", err) : e->wte;
    return e->head != NULL;
}

static bool make_worker(worker *w, const es_eval *e, es_error *err)
{
    w->run = es_block_run_new(&e->blocks->sizes, 1, e->T, false, err);
    if (!w->run)
        return false;
    w->x = es_try_alloc((size_t)(e->T * e->C), 2 * sizeof *w->x, "a window", err);
    w->hidden = w->x ? w->x + e->T * e->C : NULL;
    w->logits =
        w->x ? es_try_alloc((size_t)(ES_LOSS_ROWS * e->V), sizeof *w->logits, "the logits", err)
             : NULL;
    return w->logits != NULL;
}

static bool context_fits(const es_model *m, int64_t context, es_error *err)
{
    if (!es_model_needs_wte(m, err) || !es_model_needs_wpe(m, err))
        return false;
    if (context > 0 && context <= m->config.n_ctx)
        return true;
    return es_fail(err, ES_ERR_CONTEXT_OVERFLOW,
                   "a context of %" PRId64 " tokens: the model's wpe has %" PRId64 " rows", context,
                   m->config.n_ctx);
}

static bool room_for_it(const es_eval *e, const es_model *m, es_error *err)
{
    double V = (double)e->V, C = (double)e->C, T = (double)e->T;
    double tables = (V * (e->blocks->head ? 2 : 1) + (double)m->config.n_ctx) * C;
    double numbers = tables + e->threads * (2 * T * C + ES_LOSS_ROWS * V);
    double run = es_block_run_bytes(&e->blocks->sizes, 1, e->T, false);
    if (es_memory_for(numbers * sizeof(float) + e->threads * run, NULL))
        return true;
    es_fail(err, ES_ERR_NOMEM, "%.3g GiB more would be more than half of this machine's memory",
            (numbers * sizeof(float) + e->threads * run) / (1 << 30));
    return es_hint(err, "try: a smaller --context, or fewer --threads");
}

static bool fill(es_eval *e, const es_model *m, es_watch *watch, es_error *err)
{
    e->blocks = es_model_blocks(m, watch, err);
    bool ok = e->blocks && room_for_it(e, m, err) && read_tables(e, m, err);
    for (int i = 0; ok && i < e->threads; i++)
        ok = make_worker(&e->worker[i], e, err);
    return ok;
}

es_eval *es_eval_new(const es_model *m, int64_t context, int threads, es_watch *watch,
                     es_error *err)
{
    if (!context_fits(m, context, err))
        return NULL;
    es_eval *e = es_alloc(sizeof *e);
    *e = (es_eval){.V = m->config.vocab_size,
                   .C = m->config.n_embd,
                   .T = context,
                   .threads = threads < 1 ? 1 : threads};
    e->worker = es_alloc_array((size_t)e->threads, sizeof *e->worker);
    for (int i = 0; i < e->threads; i++)
        e->worker[i].err = ES_ERROR_NONE;
    if (fill(e, m, watch, err))
        return e;
    es_eval_free(e);
    return NULL;
}

void es_eval_free(es_eval *e)
{
    if (!e)
        return;
    for (int i = 0; i < e->threads; i++) {
        es_block_run_free(e->worker[i].run);
        free(e->worker[i].x);
        free(e->worker[i].logits);
        es_error_free(&e->worker[i].err);
    }
    if (e->head != e->wte)
        free(e->head);
    free(e->wte);
    free(e->wpe);
    free(e->worker);
    free(e);
}

/* ---- windows ---- */

/* What all threads share; the watch within a window only stops, or its counts would mix. */
typedef struct passage {
    const es_eval *e;
    const int32_t *ids;
    int64_t n;
    double *nats; /* of each window: their sum is the same whoever was first */
    es_watch *watch;
    es_watch within;
    atomic_bool failed;
    _Atomic int64_t next, done;
} passage;

/* x = wte[ids] + wpe[0..T) */
static void look_up(float *x, const es_eval *e, const int32_t *ids, int64_t T)
{
    for (int64_t t = 0; t < T; t++)
        for (int64_t c = 0; c < e->C; c++)
            x[t * e->C + c] = e->wte[ids[t] * e->C + c] + e->wpe[t * e->C + c];
}

/* How far on the next window begins. */
static int64_t advance(const es_eval *e)
{
    return e->T - e->T / 2;
}

static int64_t windows_of(const es_eval *e, int64_t n)
{
    int64_t beyond = n - 1 - e->T; /* the first window */
    return beyond > 0 ? (beyond - 1) / advance(e) + 2 : 1;
}

static bool window(worker *w, passage *p, int64_t k)
{
    const es_eval *e = p->e;
    int64_t from = k * advance(e), T = p->n - 1 - from < e->T ? p->n - 1 - from : e->T;
    int64_t told = k ? e->T / 2 : 0; /* by the window before */
    const int32_t *ids = p->ids + from;
    if (!es_watch_step(p->watch, (uint64_t)p->done, &w->err))
        return false;
    look_up(w->x, e, ids, T);
    if (!es_block_forward(w->hidden, w->run, e->blocks->params, w->x, 1, T, &p->within, &w->err))
        return false;
    const es_loss_places places = {.N = T - told,
                                   .C = e->C,
                                   .V = e->V,
                                   .hidden = w->hidden + told * e->C,
                                   .out = e->head,
                                   .targets = ids + told + 1};
    if (!es_loss_whole(&p->nats[k], &(es_loss_gradients){0}, &places, 1, w->logits, &p->within,
                       &w->err))
        return false;
    p->done += T - told;
    return true;
}

/* Each worker takes windows until none is left. */
static void work(passage *p, int64_t n_windows)
{
    const es_eval *e = p->e;
#pragma omp parallel for num_threads(e->threads) schedule(static, 1) if (e->threads > 1)
    for (int i = 0; i < e->threads; i++)
        for (int64_t k; !p->failed && (k = p->next++) < n_windows;)
            if (!window(&e->worker[i], p, k))
                p->failed = true;
}

static bool ids_fit(const es_eval *e, const int32_t *ids, int64_t n, es_error *err)
{
    for (int64_t i = 0; i < n; i++)
        if (ids[i] < 0 || ids[i] >= e->V)
            return es_fail(err, ES_ERR_INDEX_RANGE,
                           "token id %" PRId32 " is outside wte (V=%" PRId64 ")", ids[i], e->V);
    return true;
}

/* The first thread's error that there is, for the caller. */
static bool pass_error_on(es_eval *e, es_error *err)
{
    for (int i = 0; i < e->threads; i++) {
        es_error *own = &e->worker[i].err;
        if (own->code != ES_OK && err && err->code == ES_OK) {
            *err = *own;
            *own = ES_ERROR_NONE;
        }
        es_error_free(own);
    }
    return false;
}

bool es_eval_text(double *nats, es_eval *e, const int32_t *ids, int64_t n, es_watch *watch,
                  es_error *err)
{
    *nats = 0;
    if (n < 2)
        return true;
    if (!ids_fit(e, ids, n, err))
        return false;
    int64_t n_windows = windows_of(e, n);
    passage p = {.e = e,
                 .ids = ids,
                 .n = n,
                 .nats = es_alloc_array((size_t)n_windows, sizeof *p.nats),
                 .watch = watch,
                 .within = {.stop = watch ? watch->stop : NULL}};
    es_watch_begin(watch, (uint64_t)n - 1);
    es_gemm_hold();
    work(&p, n_windows);
    es_gemm_release();
    for (int64_t k = 0; k < n_windows; k++)
        *nats += p.nats[k];
    free(p.nats);
    return !p.failed || pass_error_on(e, err);
}
