// SPDX-License-Identifier: GPL-3.0-or-later
/* The rows of a series measured: their components, and whether what is far apart in the series is far apart in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pca.h"
#include "base/mem.h"
#include "base/rng.h"
#include "core/eigen.h"
#include "core/gemm.h"
#include "view/series.h"

/* What is known of the n rows while they are measured. */
typedef struct measuring {
    es_series *s;
    const float *rows; /* (n, C) */
    es_backend *be;
    double *mean;  /* (C) */
    double *gram;  /* (n, n) products of the rows less their mean */
    double *along; /* (n) products of the rows with the mean */
    int64_t *turn; /* (n) whose place each token has, of a shuffled order */
} measuring;

/* ---- products ---- */

/* turned (C, n) = the rows less their mean, a column a row. */
static void centre(measuring *m, double *turned)
{
    int64_t n = m->s->n, C = m->s->C;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            m->mean[c] += (double)m->rows[i * C + c] / (double)n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++) {
            double x = m->rows[i * C + c];
            m->along[i] += x * m->mean[c];
            turned[c * n + i] = x - m->mean[c];
        }
}

/* A row that is the mean but for rounding is the mean. */
static void drop_rounding(measuring *m)
{
    const double least = 1e-26; /* squares of float64's rounding, with room */
    int64_t n = m->s->n;
    double mean = 0;
    for (int64_t c = 0; c < m->s->C; c++)
        mean += m->mean[c] * m->mean[c];
    for (int64_t i = 0; i < n; i++)
        if (m->gram[i * n + i] <= least * mean)
            for (int64_t j = 0; j < n; j++)
                m->gram[i * n + j] = m->gram[j * n + i] = 0;
}

static bool multiply(measuring *m, es_error *err)
{
    int64_t n = m->s->n, C = m->s->C;
    size_t cells = (size_t)n * (size_t)n;
    double *turned =
        es_try_alloc((size_t)n, (size_t)C * sizeof *turned, "the rows of a series", err);
    m->gram = turned ? es_try_alloc(cells, sizeof *m->gram, "a series, pair by pair", err) : NULL;
    if (m->gram) {
        centre(m, turned);
        memset(m->gram, 0, cells * sizeof *m->gram);
        es_gram_double(m->gram, turned, C, n);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < i; j++)
                m->gram[j * n + i] = m->gram[i * n + j];
        drop_rounding(m);
    }
    free(turned);
    return m->gram != NULL;
}

/* ---- components ---- */

static bool room_for_axes(es_series *s, es_error *err)
{
    s->across = s->n - 1 < s->C ? s->n - 1 : s->C;
    s->K = s->across < 3 ? (int)s->across : 3;
    s->axes = es_try_alloc((size_t)s->K, (size_t)s->C * sizeof *s->axes, "axes of a picture", err);
    s->at = s->axes ? es_try_alloc((size_t)s->n, 3 * sizeof *s->at, "a curve", err) : NULL;
    return s->at != NULL;
}

/* axis = the rows less their mean, weighed with the n numbers u, made 1 long, its number of largest size positive. */
static void weigh(const measuring *m, const double *u, float *axis)
{
    int64_t n = m->s->n, C = m->s->C, largest = 0;
    double *sum = es_alloc_array((size_t)C, sizeof *sum), square = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            sum[c] += u[i] * ((double)m->rows[i * C + c] - m->mean[c]);
    for (int64_t c = 0; c < C; c++) {
        square += sum[c] * sum[c];
        largest = fabs(sum[c]) > fabs(sum[largest]) ? c : largest;
    }
    double length = sqrt(square) * (sum[largest] < 0 ? -1 : 1);
    for (int64_t c = 0; c < C; c++)
        axis[c] = square > 0 ? (float)(sum[c] / length) : 0;
    free(sum);
}

/* Fewer rows than channels: the components by way of the (n, n) products, which have the same spreads (Jolliffe,
 * Principal Component Analysis, section 3.5). */
static bool fit_few(measuring *m, es_error *err)
{
    es_series *s = m->s;
    int64_t n = s->n;
    size_t cells = (size_t)n * (size_t)n;
    double *a = es_try_alloc(2 * cells, sizeof *a, "the components of a series", err);
    double *values = es_alloc_array((size_t)n, sizeof *values), total = 0;
    if (a)
        memcpy(a, m->gram, cells * sizeof *a);
    bool ok = a && es_eigen(a, n, values, a + cells, NULL, err);
    for (int64_t i = 0; i < n; i++)
        total += m->gram[i * n + i];
    for (int k = 0; ok && k < s->K; k++) {
        weigh(m, a + cells + k * n, s->axes + k * s->C);
        s->share[k] = total > 0 ? fmin(fmax(values[k], 0) / total, 1) : 0;
    }
    free(values);
    free(a);
    return ok;
}

static bool fit_many(measuring *m, es_error *err)
{
    es_series *s = m->s;
    es_pca pca = {0};
    es_table *t = es_table_mapped(m->rows, ES_STORE_F32, s->n, s->C, NULL, NULL);
    bool ok = es_pca_fit(&pca, t, m->be, NULL, err);
    for (int k = 0; ok && k < s->K; k++) {
        memcpy(s->axes + k * s->C, pca.axes + k * s->C, (size_t)s->C * sizeof *s->axes);
        s->share[k] = es_pca_share(&pca, &k, 1);
    }
    es_pca_free(&pca);
    es_table_unref(t);
    return ok;
}

/* Whole rows along the axes, so that a statement says it shortly. */
static void place_rows(const measuring *m)
{
    const es_series *s = m->s;
    for (int64_t i = 0; i < s->n; i++)
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int64_t c = 0; k < s->K && c < s->C; c++)
                sum += (double)m->rows[i * s->C + c] * (double)s->axes[k * s->C + c];
            s->at[3 * i + k] = (float)sum;
        }
}

/* ---- ranks ---- */

typedef struct pair {
    double far; /* the rows, squared */
    int64_t i, j;
} pair;

static int by_far(const void *a, const void *b)
{
    const pair *p = a, *q = b;
    return (p->far > q->far) - (p->far < q->far);
}

/* rank (n, n), where i < j: of how far apart rows i and j are, from 1 on, less their mean; equal ones share theirs. */
static bool rank_rows(const measuring *m, double *rank, es_error *err)
{
    int64_t n = m->s->n, pairs = n * (n - 1) / 2, at = 0;
    pair *of = es_try_alloc((size_t)pairs, sizeof *of, "a series, pair by pair", err);
    if (!of)
        return false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double far = m->gram[i * n + i] + m->gram[j * n + j] - 2 * m->gram[i * n + j];
            of[at++] = (pair){fmax(far, 0), i, j};
        }
    qsort(of, (size_t)pairs, sizeof *of, by_far);
    for (int64_t from = 0, to; from < pairs; from = to) {
        for (to = from + 1; to < pairs && of[to].far == of[from].far;)
            to++;
        for (int64_t k = from; k < to; k++)
            rank[of[k].i * n + of[k].j] = (double)(from + 1 + to) / 2 - (double)(pairs + 1) / 2;
    }
    free(of);
    return true;
}

/* rank (span + 1): of pairs that are so far apart in the series, likewise. */
static void rank_places(const es_series *s, double *rank, int64_t span)
{
    int64_t pairs = s->n * (s->n - 1) / 2, before = 0;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = i + 1; j < s->n; j++)
            rank[s->place[j] - s->place[i]] += 1;
    for (int64_t d = 0; d <= span; d++) {
        int64_t here = (int64_t)rank[d];
        rank[d] = (double)(2 * before + here + 1) / 2 - (double)(pairs + 1) / 2;
        before += here;
    }
}

/* ---- in order, and shuffled ---- */

/* What every order is measured with. */
typedef struct orders {
    const double *far, *apart; /* ranks */
    double scale;              /* that makes a sum of products a correlation; 0: there is none */
    const double *cosine;      /* (n, n); NaN: none */
    double *sum;               /* (lags + 1), and how many there are */
    int64_t *count;
} orders;

/* The rank correlation of an order, and into sum and count its cosines by places apart. */
static double measure(const measuring *m, orders *o)
{
    const es_series *s = m->s;
    double both = 0;
    memset(o->sum, 0, (size_t)(s->lags + 1) * sizeof *o->sum);
    memset(o->count, 0, (size_t)(s->lags + 1) * sizeof *o->count);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = i + 1; j < s->n; j++) {
            int64_t d = llabs(s->place[m->turn[j]] - s->place[m->turn[i]]);
            double cosine = o->cosine[i * s->n + j];
            both += o->far[i * s->n + j] * o->apart[d];
            if (d > s->lags || isnan(cosine))
                continue;
            o->sum[d] += cosine;
            o->count[d]++;
        }
    return both * o->scale;
}

/* The i-th order by lot: Fisher and Yates, whole numbers below a bound from 32 random bits. */
static void shuffle(const measuring *m, uint32_t lot)
{
    const uint32_t key[2] = {(uint32_t)m->s->seed, (uint32_t)(m->s->seed >> 32)};
    for (int64_t i = m->s->n - 1; i > 0; i--) {
        uint32_t bits[4];
        es_philox(bits, (const uint32_t[]){(uint32_t)i, lot, 0x5e71e5, 0}, key);
        int64_t j = (int64_t)(((uint64_t)bits[0] * (uint64_t)(i + 1)) >> 32);
        int64_t t = m->turn[i];
        m->turn[i] = m->turn[j];
        m->turn[j] = t;
    }
}

static void take_order(es_series *s, const orders *o)
{
    for (int64_t d = 0; d <= s->lags; d++)
        s->apart[d] = (es_apart){o->count[d], o->count[d] ? o->sum[d] / (double)o->count[d] : NAN,
                                 INFINITY, -INFINITY};
}

static void take_shuffled(es_series *s, const orders *o, double rank, int lot)
{
    const double rounding = 1e-12;
    s->lot_mean += rank / ES_SERIES_LOTS;
    s->lot_most = lot ? fmax(s->lot_most, rank) : rank;
    s->lot_reached += rank >= s->rank - rounding;
    for (int64_t d = 0; d <= s->lags; d++) {
        double mean = o->count[d] ? o->sum[d] / (double)o->count[d] : NAN;
        if (isnan(mean))
            continue;
        s->apart[d].low = fmin(s->apart[d].low, mean);
        s->apart[d].high = fmax(s->apart[d].high, mean);
    }
}

static void compare_orders(const measuring *m, orders *o)
{
    es_series *s = m->s;
    double rank = measure(m, o);
    s->rank = o->scale > 0 ? rank : NAN;
    take_order(s, o);
    for (int lot = 0; lot < ES_SERIES_LOTS; lot++) {
        shuffle(m, (uint32_t)lot);
        take_shuffled(s, o, measure(m, o), lot);
    }
}

/* cosine (n, n) where i < j, of whole rows: the mean is put back. */
static void find_cosines(const measuring *m, double *cosine)
{
    int64_t n = m->s->n;
    double mean = 0;
    for (int64_t c = 0; c < m->s->C; c++)
        mean += m->mean[c] * m->mean[c];
    double *length = es_alloc_array((size_t)n, sizeof *length);
    for (int64_t i = 0; i < n; i++)
        length[i] = sqrt(fmax(m->gram[i * n + i] + 2 * m->along[i] - mean, 0));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            double product = m->gram[i * n + j] + m->along[i] + m->along[j] - mean;
            double value = product / (length[i] * length[j]);
            cosine[i * n + j] = isfinite(value) ? fmax(fmin(value, 1), -1) : NAN;
        }
    free(length);
}

/* 1 / sqrt of both sums of squares; 0 where all of one are the same. */
static double scale_of(const es_series *s, const double *far, const double *apart)
{
    double one = 0, other = 0;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = i + 1; j < s->n; j++) {
            double x = far[i * s->n + j], y = apart[s->place[j] - s->place[i]];
            one += x * x;
            other += y * y;
        }
    return one > 0 && other > 0 ? 1 / sqrt(one * other) : 0;
}

static bool compare(const measuring *m, es_error *err)
{
    es_series *s = m->s;
    int64_t n = s->n, span = s->place[n - 1] - s->place[0];
    size_t cells = (size_t)n * (size_t)n;
    double *far = es_try_alloc(2 * cells, sizeof *far, "a series, pair by pair", err);
    double *apart = es_alloc_array((size_t)span + 1, sizeof *apart);
    s->lags = span <= 12 ? span : span / 2;
    s->apart = es_alloc_array((size_t)s->lags + 1, sizeof *s->apart);
    orders o = {.far = far, .apart = apart, .cosine = far ? far + cells : NULL};
    o.sum = es_alloc_array((size_t)s->lags + 1, sizeof *o.sum);
    o.count = es_alloc_array((size_t)s->lags + 1, sizeof *o.count);
    bool ok = far && rank_rows(m, far, err);
    if (ok) {
        rank_places(s, apart, span);
        find_cosines(m, far + cells);
        o.scale = scale_of(s, far, apart);
        compare_orders(m, &o);
    }
    free(far);
    free(apart);
    free(o.sum);
    free(o.count);
    return ok;
}

/* ---- all of it ---- */

bool es_series_measure(es_series *s, const float *rows, es_backend *be, es_error *err)
{
    size_t n = (size_t)s->n;
    measuring m = {.s = s, .rows = rows, .be = be};
    m.mean = es_alloc_array((size_t)s->C, sizeof *m.mean);
    m.along = es_alloc_array(n, sizeof *m.along);
    m.turn = es_alloc_array(n, sizeof *m.turn);
    for (size_t i = 0; i < n; i++)
        m.turn[i] = (int64_t)i;
    bool ok = room_for_axes(s, err) && multiply(&m, err) &&
              (s->n < s->C ? fit_few(&m, err) : fit_many(&m, err)) && compare(&m, err);
    if (ok)
        place_rows(&m);
    free(m.mean);
    free(m.along);
    free(m.turn);
    free(m.gram);
    return ok;
}

double es_series_share(const es_series *s, int axes)
{
    double sum = 0;
    for (int k = 0; k < axes; k++)
        sum += s->share[k];
    return fmin(sum, 1);
}
