// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/quality.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/kept.h"
#include "analysis/lot.h"
#include "analysis/points.h"
#include "analysis/quality_rank.h"
#include "analysis/spearman.h"
#include "base/mem.h"

enum { FEWEST_ROWS = 3, TRUST_BY_LOT = 2000 };
#define TRUST_ALL 4e11 /* products from which trustworthiness goes by lot */

typedef struct measuring {
    es_quality *out;
    es_near *near;
    const es_knn *knn;
    int d;
    es_watch *watch;
    float *at;              /* (V, d) of the rows that count; all others are NaN */
    es_directions rows;     /* those that count */
    int32_t *token, *close; /* (m) tokens that are looked at; (m, k) their nearest points */
    int64_t m;
} measuring;

/* ---- who is looked at ---- */

/* One of each of `most` stretches, so none twice and each as likely as any; few: all. */
static bool draw_tokens(measuring *q, int64_t most, es_error *err)
{
    int64_t n = q->rows.n;
    q->m = n < most ? n : most;
    size_t size = (size_t)q->m;
    q->token = es_try_alloc(size, sizeof *q->token, "the tokens looked at", err);
    q->close = q->token ? es_try_alloc(size, (size_t)q->out->k * sizeof *q->close,
                                       "the tokens looked at", err)
                        : NULL;
    for (int64_t i = 0; q->close && i < q->m; i++) {
        uint32_t random[4];
        es_lot_draw(random, q->out->seed, ES_LOT_TOKENS, i);
        double part = q->m < n ? random[0] * 0x1p-32 : 0;
        q->token[i] = q->rows.id[(int64_t)(((double)i + part) * (double)n / (double)q->m)];
    }
    return q->close != NULL;
}

/* The same numbers, but those who do not count are nowhere. */
static bool place_rows(measuring *q, const float *at, es_error *err)
{
    int64_t V = es_table_rows(es_near_table(q->near));
    q->at = es_try_alloc((size_t)V, (size_t)q->d * sizeof *q->at, "the points", err);
    for (int64_t i = 0; q->at && i < V; i++)
        for (int k = 0; k < q->d; k++)
            q->at[i * q->d + k] = q->rows.slot[i] < 0 ? NAN : at[i * q->d + k];
    return q->at != NULL;
}

/* ---- kept ---- */

/* Of the first k neighbours of a row, how many are among the k at `close`. */
static int in_both(const int32_t *row_near, const int32_t *close, int k)
{
    int both = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k && row_near[i] >= 0; j++)
            both += row_near[i] == close[j];
    return both;
}

static void close_points(measuring *q)
{
    int64_t V = es_table_rows(es_near_table(q->near)), found[ES_QUALITY_NEAREST];
    int k = q->out->k;
    for (int64_t i = 0; i < q->m; i++) {
        int64_t n = es_picture_near(found, k, q->at, V, q->d, q->token[i]);
        for (int j = 0; j < k; j++)
            q->close[i * k + j] = j < n ? (int32_t)found[j] : -1;
    }
}

static bool kept_by_lot(measuring *q, es_error *err)
{
    es_quality *o = q->out;
    close_points(q);
    o->n_kept = q->m;
    return es_kept_mean(&o->kept, q->near, q->token, q->m, o->k, q->at, q->d, q->watch, err);
}

static bool kept_of_all(measuring *q, const int32_t *close)
{
    es_quality *o = q->out;
    int64_t sum = 0;
    for (int64_t i = 0; i < q->rows.n; i++) {
        int64_t id = q->rows.id[i];
        sum += in_both(q->knn->id + id * q->knn->k, close + id * o->k, o->k);
    }
    o->n_kept = q->rows.n;
    o->kept = (double)sum / (double)o->n_kept;
    return true;
}

static bool points_of_all(measuring *q, es_error *err)
{
    int64_t V = q->knn->n;
    size_t k = (size_t)q->out->k;
    int32_t *close = es_try_alloc((size_t)V, k * sizeof *close, "the nearest points", err);
    bool ok = close && es_points_nearest(close, q->out->k, q->at, V, q->d, q->watch, err) &&
              kept_of_all(q, close);
    for (int64_t i = 0; ok && i < q->m; i++)
        memcpy(q->close + (size_t)i * k, close + (size_t)q->token[i] * k, k * sizeof *close);
    free(close);
    return ok;
}

bool es_quality_kept(int8_t *out, const es_knn *knn, int k, const float *at, int d, es_watch *watch,
                     es_error *err)
{
    size_t n = (size_t)knn->n, dims = (size_t)d;
    assert(k <= knn->k && k <= INT8_MAX);
    float *there = es_try_alloc(n, dims * sizeof *there, "the points", err);
    int32_t *close =
        there ? es_try_alloc(n, (size_t)k * sizeof *close, "the nearest points", err) : NULL;
    for (size_t i = 0; close && i < n; i++)
        for (size_t c = 0; c < dims; c++)
            there[i * dims + c] = knn->id[i * (size_t)knn->k] < 0 ? NAN : at[i * dims + c];
    bool ok = close && es_points_nearest(close, k, there, knn->n, d, watch, err);
    for (int64_t i = 0; ok && i < knn->n; i++) {
        bool in = true;
        for (int c = 0; c < d; c++)
            in = in && !isnan(there[i * d + c]);
        out[i] = in ? (int8_t)in_both(knn->id + i * knn->k, close + i * k, k) : -1;
    }
    free(there);
    free(close);
    return ok;
}

/* ---- trustworthiness ---- */

/* The largest that the ranks of one token can exceed k together: Venna and Kaski 2001, eq. 1, where its two cases meet. */
static double most_beyond(double n, double k)
{
    return k < n / 2 ? k * (2 * n - 3 * k - 1) / 2 : (n - k) * (n - k - 1) / 2;
}

static bool trust(measuring *q, es_error *err)
{
    es_quality *o = q->out;
    int64_t beyond;
    if (!es_ranks_beyond(&beyond, &q->rows, q->token, q->m, q->close, o->k, q->watch, err))
        return false;
    double most = most_beyond((double)q->rows.n, o->k) * (double)q->m;
    o->n_trust = q->m;
    o->trust = most > 0 ? 1 - (double)beyond / most : 1;
    return true;
}

/* ---- distances ---- */

static double distance(const float *a, const float *b, int64_t n)
{
    double sum = 0;
    for (int64_t c = 0; c < n; c++) {
        double gap = (double)a[c] - (double)b[c];
        sum += gap * gap;
    }
    return sqrt(sum);
}

static bool compare_pairs(measuring *q, double *in_table, double *in_picture, int64_t n_pairs,
                          es_error *err)
{
    const es_directions *u = &q->rows;
    int64_t stretch = 1 + (1 << 21) / u->C; /* pairs, between two looks at the watch */
    es_watch_begin(q->watch, (uint64_t)n_pairs);
    for (int64_t p = 0; p < n_pairs; p++) {
        if (p % stretch == 0 && !es_watch_step(q->watch, (uint64_t)p, err))
            return false;
        es_pair pair = es_lot_pair(p, u->n, q->out->seed, ES_LOT_DISTANCES);
        int64_t a = u->id[pair.i], b = u->id[pair.j];
        in_table[p] = distance(u->unit + pair.i * u->C, u->unit + pair.j * u->C, u->C);
        in_picture[p] = distance(q->at + a * q->d, q->at + b * q->d, q->d);
    }
    return es_spearman(&q->out->spearman, in_table, in_picture, n_pairs, err);
}

static bool correlate(measuring *q, es_error *err)
{
    int64_t n_pairs = q->out->n_pairs = es_lot_pairs(q->rows.n);
    double *far = es_try_alloc((size_t)n_pairs, 2 * sizeof *far, "the distances", err);
    bool ok = far && compare_pairs(q, far, far + n_pairs, n_pairs, err);
    free(far);
    return ok;
}

/* ---- all of it ---- */

static int64_t tokens_of(es_quality_effort effort, const es_directions *u)
{
    if (effort == ES_QUALITY_QUICK)
        return ES_QUALITY_BY_LOT;
    bool all = effort == ES_QUALITY_ALL || (double)u->n * (double)u->n * (double)u->C <= TRUST_ALL;
    return all ? u->n : TRUST_BY_LOT;
}

static bool measure(measuring *q, es_quality_effort effort, const float *at, es_error *err)
{
    es_quality *o = q->out;
    if (!es_directions_of(&q->rows, es_near_table(q->near), at, q->d, q->watch, err))
        return false;
    o->n_rows = q->rows.n;
    if (o->n_rows < FEWEST_ROWS)
        return es_fail(err, ES_ERR_VALUE,
                       "what a picture keeps is told of %d tokens or more, and of these %" PRId64
                       " %s a direction and a place",
                       FEWEST_ROWS, o->n_rows, o->n_rows == 1 ? "has" : "have");
    o->k = o->n_rows > ES_QUALITY_NEAREST ? ES_QUALITY_NEAREST : (int)o->n_rows - 1;
    assert(effort == ES_QUALITY_QUICK || (q->knn && q->knn->k >= o->k));
    return place_rows(q, at, err) && draw_tokens(q, tokens_of(effort, &q->rows), err) &&
           (effort == ES_QUALITY_QUICK ? kept_by_lot(q, err) : points_of_all(q, err)) &&
           trust(q, err) && correlate(q, err);
}

bool es_quality_measure(es_quality *out, es_quality_effort effort, es_near *near, const es_knn *knn,
                        const float *at, int d, uint64_t seed, es_watch *watch, es_error *err)
{
    measuring q = {.out = out, .near = near, .knn = knn, .d = d, .watch = watch};
    *out = (es_quality){.seed = seed, .spearman = NAN};
    bool ok = measure(&q, effort, at, err);
    es_directions_free(&q.rows);
    free(q.at);
    free(q.token);
    free(q.close);
    return ok;
}
