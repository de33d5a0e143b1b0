// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/atlas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sweep.h"
#include "base/mem.h"
#include "layer/cosine.h"

enum {
    MEASURED = 1 << 17, /* numbers of a block whose rows are measured or copied */
    TOKENS_A_LOOK = 4096,
    LOT = 1 /* the seed of the pairs drawn for the spread */
};

es_atlas *es_atlas_new(es_context *c)
{
    es_atlas *a = es_alloc(sizeof *a);
    a->context = es_context_ref(c);
    a->most_seen = -1;
    for (int64_t id = 0; c->model->counts && id < c->model->config.vocab_size; id++)
        if (c->model->counts[id] > a->most_seen)
            a->most_seen = c->model->counts[id];
    return a;
}

static void forget(es_mapped *m)
{
    es_pca_free(&m->pca);
    free(m->at);
    free(m->length);
    *m = (es_mapped){0};
}

void es_atlas_free(es_atlas *a)
{
    if (!a)
        return;
    forget(&a->tokens);
    forget(&a->positions);
    es_spread_free(&a->spread);
    es_spread_free(&a->random);
    es_near_free(a->near);
    es_table_unref(a->rows);
    es_context_unref(a->context);
    free(a->kind);
    free(a);
}

bool es_atlas_inherit(es_atlas *to, es_atlas *from)
{
    enum { OF_TOKENS = ES_ATLAS_TOKENS | ES_ATLAS_KINDS | ES_ATLAS_KEPT | ES_ATLAS_SPREAD };
    const es_context *a = from->context, *b = to->context;
    if (a->model != b->model || a->bpe != b->bpe || a->layer.be != b->layer.be)
        return false;
    to->tokens = from->tokens;
    to->kind = from->kind;
    memcpy(to->kinds, from->kinds, sizeof to->kinds);
    to->kept = from->kept;
    to->n_kept_of = from->n_kept_of;
    for (int k = 0; k < 3; k++)
        to->kept_of[k] = from->kept_of[k];
    to->spread = from->spread;
    to->random = from->random;
    to->near = from->near;
    to->rows = from->rows;
    to->ready = from->ready & OF_TOKENS;
    from->tokens = (es_mapped){0};
    from->spread = from->random = (es_spread){0};
    from->kind = NULL;
    from->near = NULL;
    from->rows = NULL;
    from->ready &= ~(unsigned)OF_TOKENS;
    return true;
}

/* ---- a table along its components ---- */

typedef struct rows {
    int64_t C;
    float *to; /* lengths, or the rows */
} rows;

static void measure(void *of, int64_t first, int64_t n, float *row, void *room)
{
    const rows *r = of;
    (void)room;
    for (int64_t i = 0; i < n; i++)
        r->to[first + i] = (float)es_length(row + i * r->C, r->C);
}

static void copy(void *of, int64_t first, int64_t n, float *row, void *room)
{
    const rows *r = of;
    (void)room;
    memcpy(r->to + first * r->C, row, (size_t)(n * r->C) * sizeof *row);
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* A few rows are far longer or shorter than all others: a scale from end to end would show nothing of these. */
static bool find_ends(es_mapped *m, es_error *err)
{
    float *sorted = es_try_alloc((size_t)m->n, sizeof *sorted, "the lengths", err);
    int64_t n = 0;
    if (!sorted)
        return false;
    for (int64_t i = 0; i < m->n; i++)
        if (isfinite(m->length[i]))
            sorted[n++] = m->length[i];
    if (n) {
        qsort(sorted, (size_t)n, sizeof *sorted, by_size);
        m->short_end = sorted[n / 100];
        m->long_end = sorted[n - 1 - n / 100];
    }
    free(sorted);
    return true;
}

static bool map_table(es_mapped *m, const es_table *t, es_backend *be, es_watch *watch,
                      es_error *err)
{
    *m = (es_mapped){.n = es_table_rows(t)};
    if (!es_pca_fit(&m->pca, t, be, watch, err))
        return false;
    int64_t C = m->pca.C;
    m->K = C < ES_ATLAS_COMPONENTS ? (int)C : ES_ATLAS_COMPONENTS;
    m->at = es_try_alloc((size_t)m->n, (size_t)m->K * sizeof *m->at, "the map", err);
    m->length = m->at ? es_try_alloc((size_t)m->n, sizeof *m->length, "the lengths", err) : NULL;
    const es_sweep sweep = {.block = es_sweep_rows(MEASURED, C), .work = measure};
    bool ok = m->length && es_pca_project_table(&m->pca, t, m->K, m->at, be, watch, err) &&
              es_sweep_table(&sweep, &(rows){C, m->length}, t, watch, err) && find_ends(m, err);
    if (!ok)
        forget(m);
    return ok;
}

/* ---- tokens ---- */

/* The table itself where its numbers lie somewhere; else all of them, so that each is made once. */
static es_table *at_hand(es_table *t, es_watch *watch, es_error *err)
{
    es_store store;
    int64_t V = es_table_rows(t), C = es_table_width(t);
    if (es_table_data(t, &store) || !es_memory_for((double)V * (double)C * sizeof(float), NULL))
        return es_table_ref(t);
    float *row = es_try_alloc((size_t)V, (size_t)C * sizeof *row, "the rows of wte", err);
    const es_sweep sweep = {.block = es_sweep_rows(MEASURED, C), .work = copy};
    if (row && es_sweep_table(&sweep, &(rows){C, row}, t, watch, err))
        return es_table_mapped(row, ES_STORE_F32, V, C, row, free);
    free(row);
    return NULL;
}

static bool open_near(es_atlas *a, es_watch *watch, es_error *err)
{
    if (a->near)
        return true;
    es_table *wte = a->context->model->wte;
    es_backend *be = a->context->layer.be;
    a->rows = a->rows ? a->rows : at_hand(wte, watch, err);
    /* rows made here would be sent to a device where wte lies already */
    es_table *searched = be->ops->host_memory ? a->rows : wte;
    a->near = a->rows ? es_near_new(searched, be, err) : NULL;
    return a->near != NULL;
}

static bool make_tokens(es_atlas *a, es_watch *watch, es_error *err)
{
    return es_model_needs_wte(a->context->model, err) && open_near(a, watch, err) &&
           map_table(&a->tokens, a->rows, a->context->layer.be, watch, err);
}

/* ---- positions ---- */

/* The first rows of a table that has no last. */
static es_table *first_places(const es_table *t, es_error *err)
{
    int64_t C = es_table_width(t);
    float *row = es_try_alloc((size_t)C, ES_ATLAS_PLACES * sizeof *row, "the positions", err);
    bool ok = row != NULL;
    for (int64_t i = 0; ok && i < ES_ATLAS_PLACES; i++)
        ok = es_table_row(t, i, row + i * C, err);
    if (ok)
        return es_table_mapped(row, ES_STORE_F32, ES_ATLAS_PLACES, C, row, free);
    free(row);
    return NULL;
}

static es_table *positions_in_use(const es_context *c, es_error *err)
{
    switch (c->layer.positions) {
    case ES_POSITIONS_LEARNED: return es_table_ref(c->model->wpe);
    case ES_POSITIONS_SINUSOIDAL: return first_places(c->sinusoidal, err);
    default: break;
    }
    if (es_model_needs_wpe(c->model, err)) {
        es_fail(err, ES_ERR_VALUE, "positions are none, so there are no rows of them to show");
        es_hint(err, "try: :positions learned, or :positions sinusoidal");
    }
    return NULL;
}

static bool make_positions(es_atlas *a, es_watch *watch, es_error *err)
{
    es_table *t = positions_in_use(a->context, err);
    bool ok = t && map_table(&a->positions, t, a->context->layer.be, watch, err);
    es_table_unref(t);
    return ok;
}

/* ---- kinds ---- */

static bool make_kinds(es_atlas *a, es_watch *watch, es_error *err)
{
    int64_t V = a->context->model->config.vocab_size;
    es_token_kind *kind = es_try_alloc((size_t)V + 1, sizeof *kind, "the kinds of tokens", err);
    unsigned there[ES_N_COLOR_BY] = {0};
    bool ok = kind != NULL;
    for (int64_t id = 0; ok && id < V; id++) {
        size_t n = 0;
        const char *bytes = es_bpe_bytes(a->context->bpe, (int32_t)id, &n);
        kind[id] = bytes ? es_token_kind_of(bytes, n) : (es_token_kind){.script = ES_SCRIPT_BYTES};
        for (int by = 0; by < ES_N_COLOR_BY; by++)
            there[by] |= es_token_kind_bit(&kind[id], (es_color_by)by);
        ok = id % TOKENS_A_LOOK || es_watch_step(watch, (uint64_t)id, err);
    }
    if (!ok) {
        free(kind);
        return false;
    }
    a->kind = kind;
    memcpy(a->kinds, there, sizeof there);
    return true;
}

/* ---- kept ---- */

bool es_atlas_knows_kept(const es_atlas *a, const int *components, int n)
{
    if (!es_atlas_has(a, ES_ATLAS_KEPT) || a->n_kept_of != n)
        return false;
    for (int i = 0; i < n; i++)
        if (a->kept_of[i] != components[i])
            return false;
    return true;
}

void es_mapped_lay_out(float *at, const es_mapped *m, const int *component, int d)
{
    for (int64_t i = 0; i < m->n; i++)
        for (int k = 0; k < d; k++)
            at[i * d + k] = component[k] < m->K ? m->at[i * m->K + component[k]] : 0;
}

/* Of two rows there is nothing to say, which is no failure. */
static bool make_kept(es_atlas *a, const int *components, int n, es_watch *watch, es_error *err)
{
    es_quality kept = {0};
    const es_mapped *m = &a->tokens;
    float *at = es_try_alloc((size_t)m->n, (size_t)n * sizeof *at, "the map", err);
    if (at)
        es_mapped_lay_out(at, m, components, n);
    bool ok = at && es_quality_quick(&kept, a->near, at, n, a->seed, watch, err);
    free(at);
    if (!ok && err->code != ES_ERR_VALUE)
        return false;
    if (!ok)
        es_error_free(err);
    a->kept = ok ? kept : (es_quality){0};
    a->n_kept_of = n;
    for (int k = 0; k < n; k++)
        a->kept_of[k] = components[k];
    return true;
}

/* ---- spread ---- */

static bool make_spread(es_atlas *a, es_watch *watch, es_error *err)
{
    const es_pca *p = &a->tokens.pca;
    if (!es_spread_measure(&a->spread, a->rows, p->mean, LOT, watch, err))
        return false;
    if (es_spread_random(&a->random, a->spread.n, a->spread.C, LOT, watch, err))
        return true;
    es_spread_free(&a->spread);
    return false;
}

/* ---- all of it ---- */

static bool make_part(es_atlas *a, unsigned part,
                      bool (*make)(es_atlas *a, es_watch *watch, es_error *err), es_watch *watch,
                      es_error *err)
{
    if (es_atlas_has(a, part))
        return true;
    if (!make(a, watch, err))
        return false;
    atomic_fetch_or(&a->ready, part);
    return true;
}

bool es_atlas_make(es_atlas *a, unsigned parts, const int *components, int n, es_watch *watch,
                   es_error *err)
{
    bool kept = parts & ES_ATLAS_KEPT, spread = parts & ES_ATLAS_SPREAD,
         tokens = kept || spread || parts & ES_ATLAS_TOKENS;
    if (kept && es_atlas_knows_kept(a, components, n))
        kept = false;
    else if (kept) /* what it says of others is read no more while it changes */
        atomic_fetch_and(&a->ready, ~(unsigned)ES_ATLAS_KEPT);
    if (parts & ES_ATLAS_KINDS && !make_part(a, ES_ATLAS_KINDS, make_kinds, watch, err))
        return false;
    if (tokens && !make_part(a, ES_ATLAS_TOKENS, make_tokens, watch, err))
        return false;
    if (spread && !make_part(a, ES_ATLAS_SPREAD, make_spread, watch, err))
        return false;
    if (parts & ES_ATLAS_POSITIONS && !make_part(a, ES_ATLAS_POSITIONS, make_positions, watch, err))
        return false;
    if (kept && !make_kept(a, components, n, watch, err))
        return false;
    if (kept)
        atomic_fetch_or(&a->ready, ES_ATLAS_KEPT);
    return true;
}
