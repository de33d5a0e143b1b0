// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdlib.h>

#include "analysis/crew.h"
#include "analysis/graph.h"
#include "base/mem.h"

enum { ROWS = 256 };                    /* of a chunk */
static const double NEAR_ENOUGH = 1e-9; /* in nats of entropy, and of log precision */
static const double NOTHING = 1e-25;    /* of a tie: too small for a float32 in the end */
static const double FARTHEST = 60;      /* of log precision from where it is looked for first */

typedef struct calibration {
    const es_knn *knn;
    int k;
    double entropy; /* log of the perplexity */
    float *own;     /* (n, k) p_j|i */
} calibration;

/* What a precision makes of squared distances less the least of them. */
typedef struct gaussian {
    double sum;     /* of exp(-precision d) */
    double entropy; /* in nats */
    double slope;   /* of the entropy, over log precision */
} gaussian;

static gaussian weigh(double *p, const double *d, int m, double precision)
{
    double sum = 0, mean = 0, square = 0;
    for (int a = 0; a < m; a++) {
        double far = precision * d[a];
        p[a] = exp(-far);
        sum += p[a];
        mean += p[a] * far;
        square += p[a] * far * far;
    }
    mean /= sum;
    return (gaussian){sum, log(sum) + mean, mean * mean - square / sum};
}

/* p of m neighbours from d, by Newton's steps over log precision, halved where they would leave what is known.  Where
 * more are equally near than the perplexity asks for, or fewer are there, the nearest that can be had. */
static void calibrate(double *p, const double *d, int m, double entropy)
{
    double mean = 0;
    for (int a = 0; a < m; a++)
        mean += d[a] / m;
    double at = mean > 0 ? -log(mean) : 0, low = at - FARTHEST, high = at + FARTHEST;
    for (bool more = true; more;) {
        gaussian g = weigh(p, d, m, exp(at));
        double off = g.entropy - entropy, next = at - off / g.slope;
        *(off > 0 ? &low : &high) = at;
        at = next > low && next < high ? next : (low + high) / 2;
        more = fabs(off) > NEAR_ENOUGH && high - low > NEAR_ENOUGH;
        for (int a = 0; a < m; a++)
            p[a] /= g.sum;
    }
}

static void calibrate_rows(void *of, int64_t chunk, void *room)
{
    const calibration *c = of;
    double *d = room, *p = d + c->k;
    for (int64_t i = chunk * ROWS; i < (chunk + 1) * ROWS && i < c->knn->n; i++) {
        const int32_t *id = c->knn->id + i * c->knn->k;
        const float *cosine = c->knn->cosine + i * c->knn->k;
        int m = 0;
        for (; m < c->k && id[m] >= 0; m++)
            d[m] = 2 * ((double)cosine[0] - (double)cosine[m]);
        calibrate(p, d, m, c->entropy);
        for (int a = 0; a < c->k; a++)
            c->own[i * c->k + a] = a < m && p[a] > NOTHING ? (float)p[a] : 0;
    }
}

/* ---- both ways ---- */

static float sum_of_both(float ij, float ji)
{
    return ij + ji;
}

static void make_sum_one(es_graph *g)
{
    double sum = 0;
    for (int64_t a = 0; a < g->begin[g->n]; a++)
        sum += (double)g->weight[a];
    for (int64_t a = 0; a < g->begin[g->n]; a++)
        g->weight[a] = (float)((double)g->weight[a] / sum);
}

static bool perplexity_fits(const es_knn *knn, double perplexity, es_error *err)
{
    if (!(perplexity >= 1))
        return es_fail(err, ES_ERR_VALUE, "a perplexity is at least 1, and this is %g", perplexity);
    if (3 * perplexity <= knn->k)
        return true;
    es_fail(err, ES_ERR_VALUE, "perplexity %g takes %.0f neighbours of each row, and there are %d",
            perplexity, ceil(3 * perplexity), knn->k);
    return knn->k < 3 ? es_failed() : es_hint(err, "try: a perplexity of at most %d", knn->k / 3);
}

bool es_graph_perplexity(es_graph *out, const es_knn *knn, double perplexity, es_watch *watch,
                         es_error *err)
{
    *out = (es_graph){0};
    if (!perplexity_fits(knn, perplexity, err))
        return false;
    calibration c = {knn, (int)(3 * perplexity), log(perplexity), NULL};
    const es_chunks rows = {knn->n / ROWS + 1, 2 * (size_t)c.k * sizeof(double), calibrate_rows,
                            false};
    c.own = es_try_alloc((size_t)knn->n, (size_t)c.k * sizeof *c.own, "the ties of rows", err);
    bool ok = c.own && es_crew_once(&rows, &c, watch, err) &&
              es_graph_join(out, knn, c.k, c.own, sum_of_both, watch, err);
    free(c.own);
    if (ok)
        make_sum_one(out);
    return ok;
}
