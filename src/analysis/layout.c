// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/layout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/layout_rows.h"
#include "analysis/tsne.h"
#include "analysis/umap.h"
#include "base/mem.h"

enum { FEWEST_NEIGHBOURS = 15 };

/* ---- the methods ---- */

/* One method: what it is called, what its recipe says where nobody else does, and how it works. */
typedef struct kind {
    const char *name, *title, *objective, *unit;
    es_layout_recipe usual;
    bool (*same)(const es_layout_recipe *a, const es_layout_recipe *b); /* in what it reads */
    bool (*allowed)(const es_layout_recipe *r, int k, es_error *err); /* k: neighbours there are */
    int (*wants)(const es_layout_recipe *r);                          /* neighbours of the graph */
    bool (*tie)(es_graph *out, const es_knn *knn, const es_layout_recipe *r, es_watch *watch,
                es_error *err);
    void *(*open)(es_graph *g, const float *start, const es_layout_recipe *r, es_error *err);
    void (*close)(void *of);
    bool (*step)(void *of, es_watch *watch, es_error *err);
    const float *(*at)(const void *of);
    double (*value)(const void *of);
} kind;

static bool tsne_same(const es_layout_recipe *a, const es_layout_recipe *b)
{
    return a->perplexity == b->perplexity;
}

static bool tsne_allowed(const es_layout_recipe *r, int k, es_error *err)
{
    if (r->perplexity >= 1 && 3 * r->perplexity <= k)
        return true;
    es_fail(err, ES_ERR_VALUE, "a perplexity of %g is not between 1 and %g", r->perplexity,
            floor(k / 3.0));
    return es_hint(err, "it is about a third of the neighbours looked at, here %d a token", k);
}

/* As a whole number; what is no perplexity is refused by `allowed`. */
static int tsne_wants(const es_layout_recipe *r)
{
    return (int)ceil(fmin(fmax(3 * r->perplexity, 1), 1e9));
}

static bool tsne_tie(es_graph *out, const es_knn *knn, const es_layout_recipe *r, es_watch *watch,
                     es_error *err)
{
    return es_graph_perplexity(out, knn, r->perplexity, watch, err);
}

static void *tsne_open(es_graph *g, const float *start, const es_layout_recipe *r, es_error *err)
{
    return es_tsne_new(g, start, r->steps, err);
}

static void tsne_close(void *of)
{
    es_tsne_free(of);
}

static bool tsne_step(void *of, es_watch *watch, es_error *err)
{
    return es_tsne_step(of, watch, err);
}

static const float *tsne_at(const void *of)
{
    return es_tsne_at(of);
}

static double tsne_value(const void *of)
{
    return es_tsne_kl(of);
}

static bool umap_same(const es_layout_recipe *a, const es_layout_recipe *b)
{
    return a->neighbours == b->neighbours && a->min_dist == b->min_dist && a->seed == b->seed;
}

static bool umap_allowed(const es_layout_recipe *r, int k, es_error *err)
{
    if (!(r->min_dist >= 0 && r->min_dist <= 1))
        return es_fail(err, ES_ERR_VALUE, "a least distance of %g is not between 0 and 1",
                       r->min_dist);
    return (r->neighbours >= 2 && r->neighbours <= k) ||
           es_fail(err, ES_ERR_VALUE, "%d neighbours are not between 2 and %d", r->neighbours, k);
}

static int umap_wants(const es_layout_recipe *r)
{
    return r->neighbours;
}

static bool umap_tie(es_graph *out, const es_knn *knn, const es_layout_recipe *r, es_watch *watch,
                     es_error *err)
{
    return es_graph_fuzzy(out, knn, r->neighbours, watch, err);
}

static void *umap_open(es_graph *g, const float *start, const es_layout_recipe *r, es_error *err)
{
    return es_umap_new(g, start, r->steps, r->min_dist, r->seed, err);
}

static void umap_close(void *of)
{
    es_umap_free(of);
}

static bool umap_step(void *of, es_watch *watch, es_error *err)
{
    return es_umap_step(of, watch, err);
}

static const float *umap_at(const void *of)
{
    return es_umap_at(of);
}

static double umap_value(const void *of)
{
    return es_umap_entropy(of);
}

static const kind kinds[ES_N_LAYOUTS] = {
    [ES_LAYOUT_PCA] = {.name = "pca",
                       .title = "PCA",
                       .objective = "",
                       .unit = "step",
                       .usual = {.id = ES_LAYOUT_PCA}},
    [ES_LAYOUT_TSNE] = {.name = "tsne",
                        .title = "t-SNE",
                        .objective = "KL divergence",
                        .unit = "iteration",
                        .usual = {.id = ES_LAYOUT_TSNE, .steps = 750, .perplexity = 30},
                        .same = tsne_same,
                        .allowed = tsne_allowed,
                        .wants = tsne_wants,
                        .tie = tsne_tie,
                        .open = tsne_open,
                        .close = tsne_close,
                        .step = tsne_step,
                        .at = tsne_at,
                        .value = tsne_value},
    [ES_LAYOUT_UMAP] =
        {.name = "umap",
         .title = "UMAP",
         .objective = "cross-entropy",
         .unit = "epoch",
         .usual = {.id = ES_LAYOUT_UMAP, .steps = 200, .neighbours = 15, .min_dist = 0.1},
         .same = umap_same,
         .allowed = umap_allowed,
         .wants = umap_wants,
         .tie = umap_tie,
         .open = umap_open,
         .close = umap_close,
         .step = umap_step,
         .at = umap_at,
         .value = umap_value},
};

const char *es_layout_name(es_layout_id id)
{
    return kinds[id].name;
}

const char *es_layout_title(es_layout_id id)
{
    return kinds[id].title;
}

const char *es_layout_objective(es_layout_id id)
{
    return kinds[id].objective;
}

const char *es_layout_unit(es_layout_id id)
{
    return kinds[id].unit;
}

/* ---- recipes ---- */

es_layout_recipe es_layout_defaults(es_layout_id id, uint64_t seed)
{
    es_layout_recipe r = kinds[id].usual;
    r.seed = seed;
    return r;
}

/* What a method does not read makes no difference. */
bool es_layout_same(const es_layout_recipe *a, const es_layout_recipe *b)
{
    bool (*same)(const es_layout_recipe *, const es_layout_recipe *) = kinds[a->id].same;
    return a->id == b->id && a->steps == b->steps && (!same || same(a, b));
}

int es_layout_wants(const es_layout_recipe *r, int64_t n)
{
    int64_t k = kinds[r->id].wants ? kinds[r->id].wants(r) : FEWEST_NEIGHBOURS;
    k = k < FEWEST_NEIGHBOURS ? FEWEST_NEIGHBOURS : k;
    return (int)(k < n ? k : n > 1 ? n - 1 : 1);
}

/* ---- a layout ---- */

struct es_layout {
    es_layout_recipe recipe;
    const kind *kind;
    void *of;     /* the method's own */
    int64_t m;    /* rows that take part */
    int32_t *row; /* (m) which those are, ascending */
    float *at;    /* (n, 2) of all rows */
    int steps_done;
};

/* Where the rows are now, about their mean. */
static void show(es_layout *l)
{
    const float *at = l->kind->at(l->of);
    double mean[2] = {0};
    for (int64_t i = 0; i < l->m; i++)
        for (int d = 0; d < 2; d++)
            mean[d] += (double)at[2 * i + d];
    for (int d = 0; d < 2; d++)
        mean[d] /= (double)l->m;
    for (int64_t i = 0; i < l->m; i++)
        for (int d = 0; d < 2; d++)
            l->at[2 * (int64_t)l->row[i] + d] = (float)((double)at[2 * i + d] - mean[d]);
}

static bool begin_with(es_layout *l, es_layout_rows *rows, es_watch *watch, es_error *err)
{
    es_graph g = {0};
    if (!l->kind->allowed(&l->recipe, rows->knn.k, err))
        return false;
    l->m = rows->knn.n;
    l->row = rows->id;
    rows->id = NULL;
    if (l->kind->tie(&g, &rows->knn, &l->recipe, watch, err))
        l->of = l->kind->open(&g, rows->start, &l->recipe, err);
    es_graph_free(&g);
    return l->of != NULL;
}

static bool begin(es_layout *l, const es_knn *knn, const float *start, es_watch *watch,
                  es_error *err)
{
    es_layout_rows rows = {0};
    l->at = es_try_alloc((size_t)knn->n, 2 * sizeof *l->at, "the layout", err);
    for (int64_t i = 0; l->at && i < 2 * knn->n; i++)
        l->at[i] = NAN;
    bool ok =
        l->at && es_layout_rows_of(&rows, knn, start, err) && begin_with(l, &rows, watch, err);
    es_layout_rows_free(&rows);
    return ok;
}

es_layout *es_layout_new(const es_layout_recipe *r, const es_knn *knn, const float *start,
                         es_watch *watch, es_error *err)
{
    const kind *k = &kinds[r->id];
    assert(k->open);
    if (r->steps < 1) {
        es_fail(err, ES_ERR_VALUE, "%s of %d steps: at least 1", k->title, r->steps);
        return NULL;
    }
    es_layout *l = es_alloc(sizeof *l);
    *l = (es_layout){.recipe = *r, .kind = k};
    if (!begin(l, knn, start, watch, err)) {
        es_layout_free(l);
        return NULL;
    }
    show(l);
    return l;
}

void es_layout_free(es_layout *l)
{
    if (!l)
        return;
    if (l->of)
        l->kind->close(l->of);
    free(l->row);
    free(l->at);
    free(l);
}

bool es_layout_step(es_layout *l, es_watch *watch, es_error *err)
{
    if (l->steps_done == l->recipe.steps || !l->kind->step(l->of, watch, err))
        return false;
    l->steps_done++;
    show(l);
    return true;
}

int es_layout_steps_done(const es_layout *l)
{
    return l->steps_done;
}

const float *es_layout_at(const es_layout *l)
{
    return l->at;
}

double es_layout_value(const es_layout *l)
{
    return l->kind->value(l->of);
}
