// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { LOOK = 4096 }; /* rows between two looks at the watch: some milliseconds */

void es_graph_free(es_graph *g)
{
    free(g->begin);
    free(g->to);
    free(g->weight);
    *g = (es_graph){0};
}

static bool graph_open(es_graph *g, int64_t n, int64_t ties, es_error *err)
{
    static const char what[] = "the ties between neighbours";
    *g = (es_graph){.n = n};
    g->begin = es_try_alloc((size_t)n + 1, sizeof *g->begin, what, err);
    g->to = g->begin ? es_try_alloc((size_t)ties + 1, sizeof *g->to, what, err) : NULL;
    g->weight = g->to ? es_try_alloc((size_t)ties + 1, sizeof *g->weight, what, err) : NULL;
    return g->weight != NULL;
}

/* ---- one way ---- */

static int64_t count_own(const es_knn *knn, int k)
{
    int64_t ties = 0;
    for (int64_t i = 0; i < knn->n; i++)
        for (int a = 0; a < k; a++)
            ties += knn->id[i * knn->k + a] >= 0;
    return ties;
}

/* The ties that rows have themselves, as the neighbours stand. */
static void fill_own(es_graph *g, const es_knn *knn, int k, const float *own)
{
    int64_t ties = 0;
    for (int64_t i = 0; i < knn->n; i++) {
        g->begin[i] = ties;
        for (int a = 0; a < k; a++)
            if (knn->id[i * knn->k + a] >= 0) {
                g->to[ties] = knn->id[i * knn->k + a];
                g->weight[ties++] = own[i * k + a];
            }
    }
    g->begin[knn->n] = ties;
}

/* Every tie the other way round.  Those of a row come out ascending, so to turn them twice is to sort them. */
static bool turn(es_graph *out, const es_graph *in, es_watch *watch, es_error *err)
{
    int64_t n = in->n, *next = out->begin + 1; /* where the next tie of a row goes */
    memset(out->begin, 0, (size_t)(n + 1) * sizeof *out->begin);
    for (int64_t a = 0; a < in->begin[n]; a++)
        if (in->to[a] + 1 < n)
            next[in->to[a] + 1]++;
    for (int64_t i = 1; i < n; i++)
        next[i] += next[i - 1];
    for (int64_t i = 0; i < n; i++) {
        for (int64_t a = in->begin[i]; a < in->begin[i + 1]; a++) {
            int64_t at = next[in->to[a]]++;
            out->to[at] = (int32_t)i;
            out->weight[at] = in->weight[a];
        }
        if (i % LOOK == 0 && !es_watch_look(watch, err))
            return false;
    }
    return true;
}

/* ---- both ways ---- */

/* Two ascending rows become one, in out from `at` on (out->to NULL: only counted): where it ends. */
static int64_t merge_row(es_graph *out, int64_t at, const es_graph *own, const es_graph *others,
                         int64_t i, float (*part)(float ij, float ji))
{
    int64_t a = own->begin[i], a_end = own->begin[i + 1];
    int64_t b = others->begin[i], b_end = others->begin[i + 1];
    while (a < a_end || b < b_end) {
        int32_t j =
            b == b_end || (a < a_end && own->to[a] < others->to[b]) ? own->to[a] : others->to[b];
        float ij = a < a_end && own->to[a] == j ? own->weight[a++] : 0;
        float ji = b < b_end && others->to[b] == j ? others->weight[b++] : 0;
        float weight = part(ij, ji);
        if (!(weight > 0))
            continue;
        if (out->to) {
            out->to[at] = j;
            out->weight[at] = weight;
        }
        at++;
    }
    return at;
}

static bool merge(es_graph *out, const es_graph *own, const es_graph *others,
                  float (*part)(float ij, float ji), es_watch *watch, es_error *err)
{
    int64_t ties = 0;
    for (int64_t i = 0; i < own->n; i++) {
        ties = merge_row(&(es_graph){0}, ties, own, others, i, part);
        if (i % LOOK == 0 && !es_watch_look(watch, err))
            return false;
    }
    if (!graph_open(out, own->n, ties, err))
        return false;
    out->begin[0] = 0;
    for (int64_t i = 0; i < own->n; i++) {
        out->begin[i + 1] = merge_row(out, out->begin[i], own, others, i, part);
        if (i % LOOK == 0 && !es_watch_look(watch, err))
            return false;
    }
    return true;
}

bool es_graph_join(es_graph *out, const es_knn *knn, int k, const float *own,
                   float (*part)(float ij, float ji), es_watch *watch, es_error *err)
{
    assert(k <= knn->k);
    es_graph mine = {0}, others = {0};
    int64_t ties = count_own(knn, k);
    *out = (es_graph){0};
    bool ok = graph_open(&mine, knn->n, ties, err) && graph_open(&others, knn->n, ties, err);
    if (ok)
        fill_own(&mine, knn, k, own);
    ok = ok && turn(&others, &mine, watch, err) && turn(&mine, &others, watch, err) &&
         merge(out, &mine, &others, part, watch, err);
    es_graph_free(&mine);
    es_graph_free(&others);
    if (!ok)
        es_graph_free(out);
    return ok;
}
