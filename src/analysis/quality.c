// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/quality.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lot.h"
#include "analysis/points.h"
#include "analysis/quality_rank.h"
#include "analysis/spearman.h"
#include "base/mem.h"

enum { FEWEST_ROWS = 3, TRUST_BY_LOT = 2000 };
#define TRUST_ALL 4e11 /* products from which trustworthiness goes by lot */

typedef struct measuring {
    es_quality *out;
    const es_table *table;
    es_near *near;     /* to search the table; NULL: there is a graph */
    const es_knn *knn; /* or NULL */
    int d;
    es_watch *watch;
    float *at;              /* (V, d) of the rows that count; all others are NaN */
    es_directions rows;     /* those that count */
    int k;                  /* neighbours looked at */
    int32_t *points;        /* (V, k) the nearest points of all, with a graph */
    int64_t both;           /* neighbours kept, of all */
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
    q->close =
        q->token ? es_try_alloc(size, (size_t)q->k * sizeof *q->close, "the tokens looked at", err)
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
    int64_t V = es_table_rows(q->table);
    q->at = es_try_alloc((size_t)V, (size_t)q->d * sizeof *q->at, "the points", err);
    for (int64_t i = 0; q->at && i < V; i++)
        for (int k = 0; k < q->d; k++)
            q->at[i * q->d + k] = q->rows.slot[i] < 0 ? NAN : at[i * q->d + k];
    return q->at != NULL;
}

/* ---- kept ---- */

static bool is_among(int64_t id, const int32_t *close, int k)
{
    for (int j = 0; j < k; j++)
        if (close[j] == id)
            return true;
    return false;
}

/* A row as the one that asks. */
static bool read_row(double *query, float *row, const es_table *t, int32_t id, es_error *err)
{
    bool ok = es_table_row(t, id, row, err);
    for (int64_t c = 0; ok && c < es_table_width(t); c++)
        query[c] = (double)row[c];
    return ok;
}

/* Of token i of those looked at, by a search of the picture and one of the table. */
static bool search_both(measuring *q, int64_t i, float *row, double *query, int64_t *both,
                        es_error *err)
{
    const es_near_query asked = {query, ES_BY_COSINE, &q->token[i], 1};
    es_neighbour near[ES_QUALITY_NEAREST];
    int32_t *close = q->close + i * q->k;
    int64_t n_near;
    for (int n = es_points_near(close, q->k, q->at, es_table_rows(q->table), q->d, q->token[i]);
         n < q->k;)
        close[n++] = -1;
    if (!read_row(query, row, q->table, q->token[i], err) ||
        !es_near_search(q->near, near, q->k, &n_near, &asked, q->watch, err))
        return false;
    for (int64_t j = 0; j < n_near; j++)
        *both += is_among(near[j].id, close, q->k);
    return true;
}

static bool kept_by_lot(measuring *q, es_error *err)
{
    size_t C = (size_t)q->rows.C;
    int64_t both = 0;
    float *row = es_try_alloc(C, sizeof *row, "a row", err);
    double *query = row ? es_try_alloc(C, sizeof *query, "a row", err) : NULL;
    bool ok = query != NULL;
    for (int64_t i = 0; ok && i < q->m; i++)
        ok = search_both(q, i, row, query, &both, err);
    free(row);
    free(query);
    q->out->n_kept = q->m;
    q->out->kept = (double)both / (double)q->m;
    return ok;
}

/* Of a row's nearest how many are among its nearest points; -1: it has no row or no place. */
static int kept_of(const measuring *q, int64_t id)
{
    const int32_t *row_near = q->knn->id + id * q->knn->k;
    int both = 0;
    if (q->rows.slot[id] < 0 || row_near[0] < 0)
        return -1;
    for (int j = 0; j < q->k && row_near[j] >= 0; j++)
        both += is_among(row_near[j], q->points + id * q->k, q->k);
    return both;
}

/* kept may be NULL. */
static bool find_points(measuring *q, int8_t *kept, es_error *err)
{
    int64_t V = q->knn->n;
    size_t k = (size_t)q->k;
    assert(q->knn->k >= q->k);
    q->points = es_try_alloc((size_t)V, k * sizeof *q->points, "the nearest points", err);
    if (!q->points || !es_points_nearest(q->points, q->k, q->at, V, q->d, q->watch, err))
        return false;
    for (int64_t id = 0; id < V; id++) {
        int n = kept_of(q, id);
        q->both += n > 0 ? n : 0;
        if (kept)
            kept[id] = (int8_t)n;
    }
    return true;
}

static bool kept_of_all(measuring *q)
{
    size_t k = (size_t)q->k;
    for (int64_t i = 0; i < q->m; i++)
        memcpy(q->close + (size_t)i * k, q->points + (size_t)q->token[i] * k, k * sizeof *q->close);
    q->out->n_kept = q->rows.n;
    q->out->kept = (double)q->both / (double)q->rows.n;
    return true;
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

static int64_t tokens_of(const measuring *q, es_quality_effort effort)
{
    const es_directions *u = &q->rows;
    if (!q->knn)
        return ES_QUALITY_BY_LOT;
    bool all = effort == ES_QUALITY_ALL || (double)u->n * (double)u->n * (double)u->C <= TRUST_ALL;
    return all ? u->n : TRUST_BY_LOT;
}

/* What each token keeps is told of however few. */
static bool measure(measuring *q, int8_t *kept, es_quality_effort effort, const float *at,
                    es_error *err)
{
    es_quality *o = q->out;
    if (!es_directions_of(&q->rows, q->table, at, q->d, q->watch, err))
        return false;
    int64_t n = o->n_rows = q->rows.n;
    q->k = n > ES_QUALITY_NEAREST ? ES_QUALITY_NEAREST : n > 1 ? (int)n - 1 : 0;
    if (!place_rows(q, at, err) || (q->knn && !find_points(q, kept, err)))
        return false;
    if (n < FEWEST_ROWS)
        return es_fail(err, ES_ERR_VALUE,
                       "what a picture keeps is told of %d tokens or more, and of these %" PRId64
                       " %s a direction and a place",
                       FEWEST_ROWS, n, n == 1 ? "has" : "have");
    o->k = q->k;
    return draw_tokens(q, tokens_of(q, effort), err) &&
           (q->knn ? kept_of_all(q) : kept_by_lot(q, err)) && trust(q, err) && correlate(q, err);
}

static void measuring_close(measuring *q)
{
    es_directions_free(&q->rows);
    free(q->at);
    free(q->points);
    free(q->token);
    free(q->close);
}

bool es_quality_quick(es_quality *out, es_near *near, const float *at, int d, uint64_t seed,
                      es_watch *watch, es_error *err)
{
    measuring q = {.out = out, .table = es_near_table(near), .near = near, .d = d, .watch = watch};
    *out = (es_quality){.seed = seed, .spearman = NAN};
    bool ok = measure(&q, NULL, ES_QUALITY_USUAL, at, err);
    measuring_close(&q);
    return ok;
}

bool es_quality_measure(es_quality *out, int8_t *kept, es_quality_effort effort, const es_table *t,
                        const es_knn *knn, const float *at, int d, uint64_t seed, es_watch *watch,
                        es_error *err)
{
    measuring q = {.out = out, .table = t, .knn = knn, .d = d, .watch = watch};
    *out = (es_quality){.seed = seed, .spearman = NAN};
    bool ok = measure(&q, kept, effort, at, err);
    measuring_close(&q);
    return ok;
}
