// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/spread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lot.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "base/rng.h"
#include "layer/cosine.h"

enum {
    BLOCK = 1 << 17,       /* numbers of a block of rows */
    MOST_RANDOM = 1 << 26, /* random numbers at a time */
    STREAM = 9             /* random rows, unlike those of an untrained model with the same seed */
};
#define NO_DIRECTION 1e-6 /* of a row's length: less far from the mean is rounding */

void es_spread_free(es_spread *s)
{
    free(s->length);
    free(s->distance);
    free(s->before);
    free(s->after);
    *s = (es_spread){0};
}

es_summary es_summary_of(const float *x, int64_t n)
{
    es_summary r = {0};
    for (int64_t i = 0; i < n; i++) {
        double v = (double)x[i];
        if (!isfinite(v))
            continue;
        r.least = r.n ? fmin(r.least, v) : v;
        r.most = r.n ? fmax(r.most, v) : v;
        r.mean += v;
        r.n++;
    }
    r.mean = r.n ? r.mean / (double)r.n : 0;
    return r;
}

/* ---- rows ---- */

typedef struct measuring {
    es_spread *out;
    const double *mean;
} measuring;

static double distance(const float *row, const double *mean, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++) {
        double d = (double)row[c] - mean[c];
        sum += d * d;
    }
    return sqrt(sum);
}

static void measure(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    const measuring *m = of;
    int64_t C = m->out->C;
    (void)room;
    for (int64_t i = 0; i < n; i++) {
        double length = es_length(rows + i * C, C);
        bool finite = isfinite(length);
        m->out->length[first + i] = finite ? (float)length : NAN;
        m->out->distance[first + i] = finite ? (float)distance(rows + i * C, m->mean, C) : NAN;
    }
}

static bool measure_rows(es_spread *out, const es_table *t, const double *mean, es_watch *watch,
                         es_error *err)
{
    const es_sweep sweep = {.block = es_sweep_rows(BLOCK, out->C), .work = measure};
    out->length = es_try_alloc((size_t)out->n + 1, sizeof *out->length, "the lengths", err);
    out->distance =
        out->length ? es_try_alloc((size_t)out->n + 1, sizeof *out->distance, "the distances", err)
                    : NULL;
    return out->distance && es_sweep_table(&sweep, &(measuring){out, mean}, t, watch, err);
}

/* ---- pairs ---- */

/* Products of two rows a and b with themselves and each other. */
typedef struct products {
    double aa, ab, bb;
} products;

/* As they are, or (mean not NULL) about the mean. */
static products multiply(const float *a, const float *b, const double *mean, int64_t C)
{
    products p = {0};
    for (int64_t c = 0; c < C; c++) {
        double m = mean ? mean[c] : 0, x = (double)a[c] - m, y = (double)b[c] - m;
        p.aa += x * x;
        p.ab += x * y;
        p.bb += y * y;
    }
    return p;
}

static float cosine(const products *p)
{
    double d = sqrt(p->aa) * sqrt(p->bb), cosine = p->ab / d;
    return d > 0 && isfinite(cosine) ? (float)fmax(-1, fmin(1, cosine)) : NAN;
}

static void compare(es_spread *out, int64_t k, const float *a, const float *b, const double *mean)
{
    const double least = NO_DIRECTION * NO_DIRECTION;
    products is = multiply(a, b, NULL, out->C), centred = multiply(a, b, mean, out->C);
    bool far = centred.aa > least * is.aa && centred.bb > least * is.bb;
    out->before[k] = cosine(&is);
    out->after[k] = far ? cosine(&centred) : NAN;
}

static bool compare_pairs(es_spread *out, const es_table *t, const double *mean, uint64_t seed,
                          float *row, es_watch *watch, es_error *err)
{
    int64_t C = out->C, look = es_sweep_rows(BLOCK, C);
    bool ok = true;
    for (int64_t k = 0; ok && k < out->n_pairs; k++) {
        es_pair p = es_lot_pair(k, out->n, seed, ES_LOT_COSINES);
        ok = es_table_row(t, p.i, row, err) && es_table_row(t, p.j, row + C, err);
        if (ok)
            compare(out, k, row, row + C, mean);
        if (ok && k % look == 0)
            ok = es_watch_step(watch, (uint64_t)k, err);
    }
    return ok;
}

static bool measure_pairs(es_spread *out, const es_table *t, const double *mean, uint64_t seed,
                          es_watch *watch, es_error *err)
{
    int64_t n = out->n;
    out->n_pairs = es_lot_pairs(n);
    out->every = out->n_pairs == n * (n - 1) / 2;
    size_t room = (size_t)out->n_pairs + 1;
    float *row = es_try_alloc((size_t)out->C, 2 * sizeof *row, "two rows", err);
    out->before = row ? es_try_alloc(room, sizeof *out->before, "the cosines", err) : NULL;
    out->after = out->before ? es_try_alloc(room, sizeof *out->after, "the cosines", err) : NULL;
    es_watch_begin(watch, (uint64_t)out->n_pairs);
    bool ok = out->after && compare_pairs(out, t, mean, seed, row, watch, err);
    free(row);
    return ok;
}

bool es_spread_measure(es_spread *out, const es_table *t, const double *mean, uint64_t seed,
                       es_watch *watch, es_error *err)
{
    *out = (es_spread){.n = es_table_rows(t), .C = es_table_width(t)};
    bool ok = es_sweep_ends(t, err) && measure_rows(out, t, mean, watch, err) &&
              measure_pairs(out, t, mean, seed, watch, err);
    if (!ok)
        es_spread_free(out);
    return ok;
}

/* ---- random rows ---- */

static void random_row(const void *seed, int64_t i, float *out, int64_t C)
{
    es_normal_row(out, C, *(const uint64_t *)seed, STREAM, (uint64_t)i, 1);
}

/* Rows made once, and their sum. */
typedef struct making {
    int64_t C;
    float *row;
    double *sum;
} making;

static void keep(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    const making *m = of;
    double *sum = room;
    memcpy(m->row + first * m->C, rows, (size_t)(n * m->C) * sizeof *rows);
    memset(sum, 0, (size_t)m->C * sizeof *sum);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < m->C; c++)
            sum[c] += (double)rows[i * m->C + c];
}

static void add_up(void *of, const void *room)
{
    const making *m = of;
    const double *sum = room;
    for (int64_t c = 0; c < m->C; c++)
        m->sum[c] += sum[c];
}

static es_table *make_random(double *mean, int64_t n, int64_t C, uint64_t seed, es_watch *watch,
                             es_error *err)
{
    const es_sweep sweep = {.block = es_sweep_rows(BLOCK, C),
                            .room = (size_t)C * sizeof(double),
                            .work = keep,
                            .fold = add_up};
    float *row = es_try_alloc((size_t)n, (size_t)C * sizeof *row, "random rows", err);
    es_table *drawn = es_table_generated(n, C, random_row, &seed, sizeof seed);
    bool ok = row && es_sweep_table(&sweep, &(making){C, row, mean}, drawn, watch, err);
    es_table_unref(drawn);
    for (int64_t c = 0; c < C; c++)
        mean[c] /= (double)n;
    if (ok)
        return es_table_mapped(row, ES_STORE_F32, n, C, row, free);
    free(row);
    return NULL;
}

bool es_spread_random(es_spread *out, int64_t n, int64_t C, uint64_t seed, es_watch *watch,
                      es_error *err)
{
    int64_t most = es_sweep_rows(MOST_RANDOM, C);
    *out = (es_spread){0};
    n = n < most ? n : most;
    double *mean = es_try_alloc((size_t)C, sizeof *mean, "a mean", err);
    if (!mean)
        return false;
    memset(mean, 0, (size_t)C * sizeof *mean);
    es_table *t = make_random(mean, n, C, seed, watch, err);
    bool ok = t && es_spread_measure(out, t, mean, seed, watch, err);
    es_table_unref(t);
    free(mean);
    return ok;
}

/* With m the fewer of rows (less one, for the mean) and columns, N the more, y = m / N, the eigenvalues are
 * 1 + y + 2 sqrt(y) cos(angle), and the density over the angle, from 0 to pi, is sin^2(angle) over that. */
void es_spread_law(double *share, int64_t n, int64_t C)
{
    enum { STEPS = 4096 };
    int64_t m = n - 1 < C ? n - 1 : C, N = n - 1 < C ? C : n - 1;
    double y = m > 0 ? (double)m / (double)N : 1, pi = acos(-1), mass[STEPS + 1] = {0}, sum = 0;
    for (int s = 0; s < STEPS; s++) { /* the middle of each step: at its ends there may be 0 / 0 */
        double angle = pi * (s + 0.5) / STEPS, wave = sin(angle);
        mass[s + 1] = mass[s] + wave * wave / (1 + y + 2 * sqrt(y) * cos(angle));
    }
    for (int64_t k = 0, s = 0; k < m; k++) {
        double want = mass[STEPS] * ((double)k + 0.5) / (double)m;
        while (s < STEPS - 1 && mass[s + 1] < want)
            s++;
        double at = (double)s + (want - mass[s]) / (mass[s + 1] - mass[s]);
        share[k] = 1 + y + 2 * sqrt(y) * cos(pi * at / STEPS);
        sum += share[k];
    }
    for (int64_t k = 0; k < C; k++)
        share[k] = k < m ? share[k] / sum : 0;
}
