// SPDX-License-Identifier: GPL-3.0-or-later
/* Neighbours that a picture has torn apart. */
#include <math.h>
#include <stdlib.h>

#include "analysis/points.h"
#include "base/mem.h"
#include "view/layouts_inside.h"

typedef struct loss {
    int32_t id;
    int kept;
    double far; /* to all its nearest together, in the picture */
} loss;

static int by_loss(const void *a, const void *b)
{
    const loss *x = a, *y = b;
    if (x->kept != y->kept)
        return x->kept < y->kept ? -1 : 1;
    if (x->far != y->far)
        return x->far > y->far ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

static double distance(const float *at, int d, int64_t i, int64_t j)
{
    double sum = 0;
    for (int k = 0; k < d; k++) {
        double by = (double)at[i * d + k] - (double)at[j * d + k];
        sum += by * by;
    }
    return sqrt(sum);
}

/* Every token with a row and a place, those that lost most first; returns how many. */
static int64_t rank(loss *out, const es_knn *g, const int8_t *kept, const float *at, int d)
{
    int64_t n = 0;
    int k = g->k < ES_QUALITY_NEAREST ? g->k : ES_QUALITY_NEAREST;
    for (int64_t i = 0; i < g->n; i++) {
        loss l = {(int32_t)i, kept[i], 0};
        for (int j = 0; kept[i] >= 0 && j < k && g->id[i * g->k + j] >= 0; j++) {
            double far = distance(at, d, i, g->id[i * g->k + j]);
            l.far += isfinite(far) ? far : 0;
        }
        if (kept[i] >= 0)
            out[n++] = l;
    }
    qsort(out, (size_t)n, sizeof *out, by_loss);
    return n;
}

static void read_torn(es_torn *t, int32_t id, const es_knn *g, const float *at, int d)
{
    int32_t near[ES_QUALITY_NEAREST];
    int n = es_points_near(near, ES_QUALITY_NEAREST, at, g->n, d, id);
    *t = (es_torn){.id = id};
    for (int j = 0; j < g->k && t->n < ES_QUALITY_NEAREST && g->id[(int64_t)id * g->k + j] >= 0;
         j++) {
        int32_t who = g->id[(int64_t)id * g->k + j];
        bool pictured = false;
        for (int m = 0; m < n; m++)
            pictured |= near[m] == who;
        t->near[t->n] = who;
        t->pictured[t->n++] = pictured;
        t->kept += pictured;
    }
}

static void find_torn(es_viewer *v, const es_knn *g, const es_figures *f)
{
    es_layouts *l = v->layouts;
    int d, most = v->torn < ES_MOST_TORN ? v->torn : ES_MOST_TORN;
    float *at = es_layouts_points(v, &d);
    loss *all = es_alloc_array((size_t)g->n, sizeof *all);
    int64_t n = rank(all, g, f->kept, at, d);
    free(l->torn);
    l->torn = es_alloc_array((size_t)most, sizeof *l->torn);
    l->n_torn = n < most ? (int)n : most;
    for (int i = 0; i < l->n_torn; i++)
        read_torn(&l->torn[i], all[i].id, g, at, d);
    free(all);
    free(at);
}

const es_torn *es_layouts_torn(es_viewer *v, int *n)
{
    es_layouts *l = v->layouts;
    const es_figures *f = v->torn ? es_layouts_figures(v) : NULL;
    const es_knn *g = f ? es_layouts_graph(v) : NULL;
    *n = 0;
    if (!g)
        return NULL;
    uint64_t figures = l->run[v->layout].measured;
    if (l->torn_figures != figures || l->torn_of != v->layout || l->torn_asked != v->torn)
        find_torn(v, g, f);
    l->torn_figures = figures;
    l->torn_of = v->layout;
    l->torn_asked = v->torn;
    *n = l->n_torn;
    return l->torn;
}
