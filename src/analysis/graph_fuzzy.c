// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "analysis/crew.h"
#include "analysis/graph.h"
#include "base/mem.h"

/* Rows of a chunk; halvings of sigma, and how near is near enough, as UMAP's own code has them. */
enum { ROWS = 256, HALVINGS = 64 };
static const double NEAR_ENOUGH = 1e-5, LEAST_SIGMA = 1e-3; /* the latter in mean distances */

typedef struct around {
    int n; /* neighbours */
    const float *cosine;
    double rho, sigma;
} around;

static double distance(const around *a, int j)
{
    return fmax(0, 1 - (double)a->cosine[j]);
}

/* How strong its tie to neighbour j is: 1 to the nearest, less the farther beyond it. */
static double tie(const around *a, int j, double sigma)
{
    double beyond = distance(a, j) - a->rho;
    return beyond > 0 ? exp(-beyond / sigma) : 1;
}

/* The nearest at a distance above 0: equals of a row are not its surroundings. */
static void find_rho(around *a)
{
    a->rho = 0;
    for (int j = 0; j < a->n && a->rho == 0; j++)
        a->rho = distance(a, j);
}

/* Algorithm 3.  Where even the narrowest is too much (many are as near as the nearest) sigma ends at its least. */
static void find_sigma(around *a)
{
    double low = 0, high = INFINITY, sigma = 1, mean = 0, wanted = log2(a->n);
    for (int j = 0; j < a->n; j++)
        mean += distance(a, j) / a->n;
    for (int step = 0; step < HALVINGS; step++) {
        double sum = 0;
        for (int j = 0; j < a->n; j++)
            sum += tie(a, j, sigma);
        if (fabs(sum - wanted) < NEAR_ENOUGH)
            break;
        if (sum > wanted)
            high = sigma;
        else
            low = sigma;
        sigma = isinf(high) ? 2 * sigma : (low + high) / 2;
    }
    a->sigma = fmax(sigma, LEAST_SIGMA * mean);
}

static int count_neighbours(const es_knn *knn, int64_t i, int most)
{
    int n = 0;
    while (n < most && knn->id[i * knn->k + n] >= 0)
        n++;
    return n;
}

static void tie_row(float *own, const es_knn *knn, int64_t i, int neighbours)
{
    around a = {.n = count_neighbours(knn, i, neighbours), .cosine = knn->cosine + i * knn->k};
    find_rho(&a);
    if (a.n)
        find_sigma(&a);
    for (int j = 0; j < neighbours; j++)
        own[j] = j < a.n ? (float)tie(&a, j, a.sigma) : 0;
}

typedef struct tying {
    const es_knn *knn;
    int neighbours;
    float *own; /* (n, neighbours) */
} tying;

static void tie_rows(void *of, int64_t chunk, void *room)
{
    const tying *t = of;
    int64_t first = chunk * ROWS, end = first + ROWS < t->knn->n ? first + ROWS : t->knn->n;
    (void)room;
    for (int64_t i = first; i < end; i++)
        tie_row(t->own + i * t->neighbours, t->knn, i, t->neighbours);
}

/* That one of two ties holds, if each holds by itself so often. */
static float either(float ij, float ji)
{
    return ij + ji - ij * ji;
}

bool es_graph_fuzzy(es_graph *out, const es_knn *knn, int neighbours, es_watch *watch,
                    es_error *err)
{
    *out = (es_graph){0};
    if (neighbours < 2 || neighbours > knn->k)
        return es_fail(err, ES_ERR_VALUE, "%d neighbours are not between 2 and %d", neighbours,
                       knn->k);
    tying t = {.knn = knn, .neighbours = neighbours};
    t.own = es_try_alloc((size_t)knn->n, (size_t)neighbours * sizeof *t.own,
                         "the ties between neighbours", err);
    const es_chunks rows = {(knn->n + ROWS - 1) / ROWS, 0, tie_rows, false};
    bool ok = t.own && es_crew_once(&rows, &t, watch, err) &&
              es_graph_join(out, knn, neighbours, t.own, either, watch, err);
    free(t.own);
    return ok;
}
