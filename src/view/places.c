// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/places.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/gemm.h"
#include "layer/cosine.h"

bool es_places_learned(const es_context *c)
{
    return c->model->config.n_ctx > 0;
}

const char *es_places_name(const es_places *p)
{
    return p->learned ? "wpe" : "sinusoidal positions";
}

void es_places_remark(es_str *out, const es_places *p, const es_context *c)
{
    const char *shown = p->learned ? "wpe" : "the sinusoidal table";
    if (!p->learned && !es_places_learned(c))
        es_str_add(out, "This model has no wpe: these are sinusoidal positions, %s.",
                   p->used ? "which need no table" : "which are not in use");
    else if (!p->used && c->layer.positions == ES_POSITIONS_NONE)
        es_str_add(out, "No positions are added now: %s is shown, and not in use.", shown);
    else if (!p->used)
        es_str_add(out, "Positions are %s now: %s is shown, and not in use.",
                   es_positions_name(c->layer.positions), shown);
}

/* ---- rows ---- */

/* Which rows: as many of the sinusoidal table as wpe has, so that the two can stand side by side. */
static void choose_rows(es_places *p, const es_context *c)
{
    int64_t P = c->model->config.n_ctx, all = P ? P : ES_ATLAS_PLACES;
    p->rows = p->learned ? P : INT64_MAX;
    p->stride = (all - 1) / ES_ATLAS_PLACES + 1;
    p->n = (all - 1) / p->stride + 1;
    p->C = c->model->config.n_embd;
}

static float *numbers(int64_t n, int64_t m, es_error *err)
{
    return es_try_alloc((size_t)n, (size_t)m * sizeof(float), "a picture of positions", err);
}

static bool read_rows(es_places *p, const es_table *t, es_error *err)
{
    p->row = numbers(p->n, p->C, err);
    p->length = p->row ? numbers(p->n, 1, err) : NULL;
    if (!p->length)
        return false;
    for (int64_t i = 0; i < p->n; i++) {
        float *row = p->row + i * p->C;
        if (!es_table_row(t, i * p->stride, row, err))
            return false;
        p->length[i] = (float)es_length(row, p->C);
    }
    return true;
}

/* ---- components ---- */

/* From K numbers a row to 3, every stride-th row: what is not finite is nowhere. */
static void spread(es_places *p, const float *at, int64_t stride, int K)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) {
            float v = k < K ? at[i * stride * K + k] : 0;
            p->at[3 * i + k] = isfinite(v) ? v : NAN;
        }
}

static bool take_axes(es_places *p, const es_pca *pca, es_error *err)
{
    p->K = p->C < 3 ? (int)p->C : 3;
    p->at = numbers(p->n, 3, err);
    p->axes = p->at ? numbers(p->K, p->C, err) : NULL;
    if (!p->axes)
        return false;
    for (int64_t i = 0; i < p->K * p->C; i++)
        p->axes[i] = pca->axes[i];
    for (int k = 0; k < p->K; k++)
        p->share[k] = es_pca_share(pca, &k, 1);
    return true;
}

/* Does the atlas know just these rows? */
static bool known(const es_places *p, const es_atlas *a)
{
    if (!p->used || !es_atlas_has(a, ES_ATLAS_POSITIONS))
        return false;
    int64_t n = a->positions.n;
    return p->learned ? n == p->rows : n == p->n && p->stride == 1;
}

static bool project(es_places *p, const es_pca *pca, es_error *err)
{
    float *at = numbers(p->n, 3, err);
    bool ok = at && take_axes(p, pca, err);
    if (ok) {
        es_pca_project(pca, p->row, p->n, p->K, at);
        spread(p, at, 1, p->K);
    }
    free(at);
    return ok;
}

/* All of wpe, or as many rows of the other table as are shown. */
static bool fit(es_places *p, es_table *t, es_backend *be, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    es_pca pca = {0};
    es_table *shown = p->learned ? es_table_ref(t)
                                 : es_table_mapped(p->row, ES_STORE_F32, p->n, p->C, NULL, NULL);
    bool ok = es_pca_fit(&pca, shown, be, NULL, &own);
    if (ok)
        ok = project(p, &pca, err);
    else if (own.code == ES_ERR_VALUE) /* fewer than two rows */
        ok = true;
    else
        es_fail(err, own.code, "%s", own.message);
    es_error_free(&own);
    es_pca_free(&pca);
    es_table_unref(shown);
    return ok;
}

static bool find_components(es_places *p, const es_atlas *a, es_table *t, es_error *err)
{
    if (!known(p, a))
        return fit(p, t, a->context->layer.be, err);
    if (!take_axes(p, &a->positions.pca, err))
        return false;
    spread(p, a->positions.at, p->stride, a->positions.K);
    return true;
}

/* ---- waves ---- */

/* How much of the spread of the n numbers x, about their mean 0, is in the sine that goes round m times. */
static double explained(const double *x, const double *cosine, int64_t n, int64_t m)
{
    double re = 0, im = 0, all = 0;
    for (int64_t t = 0, turn = 0; t < n; t++) {
        re += x[t] * cosine[turn];
        im += x[t] * cosine[(turn + 3 * n) % (4 * n)];
        all += x[t] * x[t];
        turn = (turn + 4 * m) % (4 * n);
    }
    double both = re * re + im * im;
    return all > 0 ? both / all * (2 * m == n ? 1.0 : 2.0) / (double)n : 0;
}

/* x = component k of the rows that have one, less its mean; 0 elsewhere. */
static void centre(double *x, const es_places *p, int k)
{
    double sum = 0;
    int64_t there = 0;
    for (int64_t t = 0; t < p->n; t++) {
        bool is = isfinite(p->at[3 * t + k]);
        sum += is ? p->at[3 * t + k] : 0;
        there += is;
    }
    for (int64_t t = 0; t < p->n; t++) {
        float v = p->at[3 * t + k];
        x[t] = isfinite(v) ? v - sum / (double)there : 0;
    }
}

/* A discrete Fourier transform, of which the strongest part is kept. */
static void find_waves(es_places *p)
{
    int64_t n = p->n;
    double *x = es_alloc_array((size_t)n, sizeof *x);
    double *cosine = es_alloc_array((size_t)(4 * n), sizeof *cosine); /* of quarter steps */
    for (int64_t i = 0; i < 4 * n; i++)
        cosine[i] = cos(2 * M_PI * (double)i / (double)(4 * n));
    for (int k = 0; k < p->K; k++) {
        centre(x, p, k);
        for (int64_t m = 1; m <= n / 2; m++) {
            double share = explained(x, cosine, n, m);
            if (share > p->wave[k].share)
                p->wave[k] = (es_wave){m, share};
        }
    }
    free(x);
    free(cosine);
}

/* ---- channels ---- */

/* spread (C) = the variance of each channel over the rows; -1 where a number is not finite. */
static void measure_channels(double *spread, const es_places *p)
{
    double n = (double)p->n, *mean = es_alloc_array((size_t)p->C, sizeof *mean);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t c = 0; c < p->C; c++) {
            double v = p->row[i * p->C + c];
            mean[c] += v / n;
            spread[c] += v * v / n;
        }
    for (int64_t c = 0; c < p->C; c++) {
        spread[c] -= mean[c] * mean[c];
        spread[c] = isfinite(spread[c]) ? spread[c] : -1;
    }
    free(mean);
}

static void find_varied(es_places *p)
{
    double *spread = es_alloc_array((size_t)p->C, sizeof *spread);
    measure_channels(spread, p);
    p->n_varied = p->C < ES_VARIED ? (int)p->C : ES_VARIED;
    for (int k = 0; k < p->n_varied; k++) {
        int64_t best = -1;
        for (int64_t c = 0; c < p->C; c++)
            if (!isnan(spread[c]) && (best < 0 || spread[c] > spread[best]))
                best = c;
        p->varied[k] = best;
        spread[best] = NAN; /* taken */
    }
    free(spread);
}

/* ---- the whole ---- */

static bool make(es_places *p, const es_atlas *a, es_error *err)
{
    const es_context *c = a->context;
    es_positions now = c->layer.positions;
    p->used = now == (p->learned ? ES_POSITIONS_LEARNED : ES_POSITIONS_SINUSOIDAL);
    if (p->learned && !es_places_learned(c))
        return es_fail(err, ES_ERR_VALUE, "this model has no wpe");
    choose_rows(p, c);
    es_table *t = p->learned ? es_table_ref(c->model->wpe) : es_position_sinusoidal(p->C);
    bool ok = read_rows(p, t, err) && find_components(p, a, t, err);
    es_table_unref(t);
    if (ok) {
        find_waves(p);
        find_varied(p);
    }
    return ok;
}

bool es_places_make(es_places *out, const es_atlas *a, bool learned, es_error *err)
{
    *out = (es_places){.learned = learned};
    bool ok = make(out, a, err);
    if (!ok)
        es_places_free(out);
    return ok;
}

void es_places_free(es_places *p)
{
    free(p->row);
    free(p->length);
    free(p->at);
    free(p->axes);
    free(p->cosine);
    free(p->alike);
    *p = (es_places){0};
}

/* ---- how alike rows are ---- */

/* unit (n, C) = the rows made 1 long; NaN where there is no direction. */
static void make_unit(float *unit, const es_places *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        const float *row = p->row + i * p->C;
        double length = es_length(row, p->C);
        bool has = isfinite(length) && length > 0;
        for (int64_t c = 0; c < p->C; c++)
            unit[i * p->C + c] = has ? (float)(row[c] / length) : NAN;
    }
}

static float mean_of_diagonal(const float *cosine, int64_t n, int64_t lag)
{
    double sum = 0;
    int64_t there = 0;
    for (int64_t i = 0; i + lag < n; i++) {
        float v = cosine[i * n + i + lag];
        sum += isnan(v) ? 0 : v;
        there += !isnan(v);
    }
    return there ? (float)(sum / (double)there) : NAN;
}

static void fill_cosine(es_places *p, const float *unit)
{
    int64_t n = p->n, C = p->C;
    const es_matrix rows = {unit, C, false}, turned = {unit, C, true};
    es_gemm(p->cosine, n, 1, rows, turned, n, n, C, false);
    for (int64_t i = 0; i < n; i++)
        p->cosine[i * n + i] = isnan(unit[i * C]) ? NAN : 1;
    for (int64_t lag = 0; lag < n; lag++)
        p->alike[lag] = mean_of_diagonal(p->cosine, n, lag);
}

const float *es_places_cosine(es_places *p, es_error *err)
{
    if (p->cosine)
        return p->cosine;
    float *unit = numbers(p->n, p->C, err);
    p->alike = unit ? numbers(p->n, 1, err) : NULL;
    p->cosine = p->alike ? numbers(p->n, p->n, err) : NULL;
    if (p->cosine) {
        make_unit(unit, p);
        fill_cosine(p, unit);
    } else {
        free(p->alike);
        p->alike = NULL;
    }
    free(unit);
    return p->cosine;
}

double es_places_share(const es_places *p)
{
    return p->share[0] + p->share[1] + p->share[2];
}
