// SPDX-License-Identifier: GPL-3.0-or-later
/* One pass over the table, about a centre that is guessed from a few rows, so that a mean far from 0 costs no digits; what
 * the guess was off is taken away at the end, exactly.  Products of a block of a large table are summed in float32, which
 * is twice as fast, and blocks in float64: what rounding does to a variance is some 1e-8 of the largest of them.  Small
 * tables, positions among them, whose variances fall steeply, are summed in float64 throughout. */
#include "analysis/pca.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/pca_device.h"
#include "analysis/sweep.h"
#include "base/mem.h"
#include "core/eigen.h"
#include "core/gemm.h"
#include "core/vector.h"

enum {
    GUESS = 256,        /* rows, spread over the table, whose mean is the guess */
    MOST_ROWS = 1024,   /* of a block: so many products a float32 sum has */
    LEAST_ROWS = 128,   /* below, adding up blocks takes longer than making them */
    STEP = 300000000,   /* multiply-adds of a block: some milliseconds */
    PROJECTED = 1 << 17 /* numbers of a block that is projected */
};
#define SMALL 4e9 /* multiply-adds of a table that float64 can have: a tenth of a second */

typedef struct fit {
    int64_t C, n, left_out;
    bool small;
    double *guess;  /* (C) */
    double *sum;    /* (C) of all rows less the guess */
    double *gram;   /* (C, C) of them, the diagonal and below */
    es_backend *be; /* that makes products of large blocks; NULL: they are made here */
    es_watch *watch;
} fit;

/* What a block comes to, about the guess. */
typedef struct share {
    int64_t n, left_out;
    double scale; /* in float32 times a power of 2, so that no square overflows */
    double sum
        []; /* (C), behind it the gram (C, C), and of a small table the centred rows in float64 */
} share;

static void *gram_of(const share *s, int64_t C)
{
    return (void *)(s->sum + C);
}

static size_t share_size(const fit *f, int64_t rows)
{
    size_t C = (size_t)f->C, numbers = C * C + (f->small ? (size_t)rows * C : 0);
    return sizeof(share) + C * sizeof(double) +
           numbers * (f->small ? sizeof(double) : sizeof(float));
}

/* ---- a block ---- */

/* The largest size among C numbers; Inf: one is NaN or infinite. */
static float largest(const float *row, int64_t C)
{
    uint32_t most = 0, bits;
    for (int64_t c = 0; c < C;
         c++) { /* without a sign, bits are in the order of numbers, NaN last */
        memcpy(&bits, row + c, sizeof bits);
        bits &= 0x7FFFFFFF;
        most = bits > most ? bits : most;
    }
    most = most < 0x7F800000 ? most : 0x7F800000;
    float size;
    memcpy(&size, &most, sizeof size);
    return size;
}

/* Rows that are finite, moved together: how many, and the largest size of their numbers. */
static int64_t pack(float *rows, int64_t n, int64_t C, float *size)
{
    int64_t kept = 0;
    *size = 0;
    for (int64_t r = 0; r < n; r++) {
        float of_row = largest(rows + r * C, C);
        if (!isfinite(of_row))
            continue;
        if (kept < r)
            memcpy(rows + kept * C, rows + r * C, (size_t)C * sizeof *rows);
        *size = of_row > *size ? of_row : *size;
        kept++;
    }
    return kept;
}

/* The power of 2 that brings numbers of that size to about 1. */
static double scale_of(double size)
{
    return size > 0 ? ldexp(1, -ilogb(size)) : 1;
}

ES_INLINE void centre_loop(float *row, double *sum, const double *guess, double scale, int64_t C)
{
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int64_t c = 0; c < C; c++) {
        row[c] = (float)(((double)row[c] - guess[c]) * scale);
        sum[c] += (double)row[c];
    }
}

ES_TWO_FORMS(static, centre,
             (float *row, double *sum, const double *guess, double scale, int64_t C),
             (row, sum, guess, scale, C))

static bool multiply(const fit *f, share *s, float *rows, float size, es_error *err)
{
    double far = 0;
    for (int64_t c = 0; c < f->C; c++)
        far = fmax(far, fabs(f->guess[c]));
    s->scale = scale_of((double)size + far);
    for (int64_t r = 0; r < s->n; r++)
        centre(rows + r * f->C, s->sum, f->guess, s->scale, f->C);
    if (f->be)
        return es_gram_there(gram_of(s, f->C), rows, s->n, f->C, f->be, f->watch, err);
    es_gram(gram_of(s, f->C), rows, s->n, f->C);
    return true;
}

static void multiply_small(const fit *f, share *s, const float *rows)
{
    double *gram = gram_of(s, f->C), *wide = gram + f->C * f->C;
    s->scale = 1;
    for (int64_t r = 0; r < s->n; r++)
        for (int64_t c = 0; c < f->C; c++) {
            double x = (double)rows[r * f->C + c] - f->guess[c];
            wide[r * f->C + c] = x;
            s->sum[c] += x;
        }
    es_gram_double(gram, wide, s->n, f->C);
}

static bool work(void *of, int64_t first, int64_t n, float *rows, void *room, es_error *err)
{
    const fit *f = of;
    share *s = room;
    float size;
    (void)first;
    memset(s->sum, 0, (size_t)f->C * sizeof *s->sum);
    s->n = pack(rows, n, f->C, &size);
    s->left_out = n - s->n;
    if (!f->small)
        return multiply(f, s, rows, size, err);
    multiply_small(f, s, rows);
    return true;
}

ES_INLINE void add_loop(double *to, const float *x, double factor, int64_t n)
{
#ifdef _OPENMP
#pragma omp simd
#endif
    for (int64_t i = 0; i < n; i++)
        to[i] += factor * (double)x[i];
}

ES_TWO_FORMS(static, add, (double *to, const float *x, double factor, int64_t n),
             (to, x, factor, n))

static void fold(void *of, const void *room)
{
    fit *f = of;
    const share *s = room;
    double back = 1 / s->scale;
    const float *gram = gram_of(s, f->C);
    f->n += s->n;
    f->left_out += s->left_out;
    for (int64_t c = 0; c < f->C; c++) {
        f->sum[c] += back * s->sum[c];
        add(f->gram + c * f->C, gram + c * f->C, back * back, c + 1);
    }
}

static void fold_small(void *of, const void *room)
{
    fit *f = of;
    const share *s = room;
    const double *gram = gram_of(s, f->C);
    f->n += s->n;
    f->left_out += s->left_out;
    for (int64_t c = 0; c < f->C; c++) {
        f->sum[c] += s->sum[c];
        for (int64_t j = 0; j <= c; j++)
            f->gram[c * f->C + j] += gram[c * f->C + j];
    }
}

/* ---- the whole table ---- */

static bool guess_mean(fit *f, const es_table *t, es_error *err)
{
    int64_t rows = es_table_rows(t), looks = rows < GUESS ? rows : GUESS, n = 0;
    float *row = es_try_alloc((size_t)f->C, sizeof *row, "a row", err);
    bool ok = row != NULL;
    for (int64_t i = 0; ok && i < looks; i++) {
        ok = es_table_row(t, rows / looks * i, row, err);
        if (!ok || !isfinite(largest(row, f->C)))
            continue;
        n++;
        for (int64_t c = 0; c < f->C; c++)
            f->guess[c] += (double)row[c];
    }
    for (int64_t c = 0; c < f->C; c++)
        f->guess[c] = n ? (double)(float)(f->guess[c] / (double)n) : 0;
    free(row);
    return ok;
}

static int64_t rows_of_block(int64_t C)
{
    int64_t n = STEP / C / C;
    return n > MOST_ROWS ? MOST_ROWS : n < LEAST_ROWS ? LEAST_ROWS : n;
}

static bool enough_rows(const fit *f, es_error *err)
{
    if (f->n > 1)
        return true;
    es_fail(err, ES_ERR_VALUE,
            "principal components are of two rows or more, and of this table %" PRId64 " %s", f->n,
            f->n == 1 ? "is finite" : "are finite");
    return f->left_out ? es_hint(err, "%" PRId64 " of its rows %s NaN or Inf", f->left_out,
                                 f->left_out == 1 ? "holds" : "hold")
                       : es_failed();
}

/* The gram of what rows are about the guess becomes their covariance. */
static void make_covariance(fit *f)
{
    double n = (double)f->n;
    for (int64_t i = 0; i < f->C; i++)
        for (int64_t j = 0; j <= i; j++) {
            double sum = f->gram[i * f->C + j] - f->sum[i] * f->sum[j] / n;
            f->gram[i * f->C + j] = f->gram[j * f->C + i] = sum / (n - 1);
        }
}

static bool find_axes(es_pca *p, fit *f, es_watch *watch, es_error *err)
{
    int64_t CC = f->C * f->C;
    double *vectors = es_try_alloc((size_t)CC, sizeof *vectors, "the components", err);
    bool ok = vectors && es_eigen(f->gram, f->C, p->variance, vectors, watch, err);
    for (int64_t i = 0; ok && i < CC; i++)
        p->axes[i] = (float)vectors[i];
    for (int64_t c = 0; ok && c < f->C; c++)
        p->total += p->variance[c] = fmax(0, p->variance[c]);
    free(vectors);
    return ok;
}

static bool fit_table(es_pca *p, fit *f, const es_table *t, es_watch *watch, es_error *err)
{
    int64_t rows = rows_of_block(f->C);
    f->small = (double)es_table_rows(t) * (double)f->C * (double)f->C <= SMALL;
    const es_sweep sweep = {.block = rows,
                            .room = share_size(f, rows),
                            .attempt = work,
                            .fold = f->small ? fold_small : fold};
    if (!guess_mean(f, t, err) || !es_sweep_table(&sweep, f, t, watch, err) || !enough_rows(f, err))
        return false;
    p->n = f->n;
    p->left_out = f->left_out;
    for (int64_t c = 0; c < f->C; c++)
        p->mean[c] = f->guess[c] + f->sum[c] / (double)f->n;
    make_covariance(f);
    return find_axes(p, f, watch, err);
}

static bool make_room(es_pca *p, fit *f, es_error *err)
{
    size_t C = (size_t)p->C;
    if (!es_memory_for(40.0 * (double)C * (double)C, err)) /* with what LAPACK and threads take */
        return false;
    p->axes = es_try_alloc(C * C, sizeof *p->axes, "the components", err);
    f->gram = p->axes ? es_try_alloc(C * C, sizeof *f->gram, "the components", err) : NULL;
    if (!f->gram)
        return false;
    memset(f->gram, 0, C * C * sizeof *f->gram);
    p->mean = es_alloc_array(C, sizeof *p->mean);
    p->variance = es_alloc_array(C, sizeof *p->variance);
    f->guess = es_alloc_array(C, sizeof *f->guess);
    f->sum = es_alloc_array(C, sizeof *f->sum);
    return true;
}

/* What is not for devices: it wants float64. */
static void say_beside(const fit *f)
{
    if (!f->be)
        return;
    if (f->small)
        es_backend_ran_beside(f->be, "products in float64");
    es_backend_ran_beside(f->be, "eigenvectors");
}

bool es_pca_fit(es_pca *out, const es_table *t, es_backend *be, es_watch *watch, es_error *err)
{
    *out = (es_pca){.C = es_table_width(t)};
    fit f = {.C = out->C, .be = es_backend_is_far(be) ? be : NULL, .watch = watch};
    bool ok = es_sweep_ends(t, err) && make_room(out, &f, err) && fit_table(out, &f, t, watch, err);
    say_beside(&f);
    free(f.gram);
    free(f.guess);
    free(f.sum);
    if (!ok)
        es_pca_free(out);
    return ok;
}

void es_pca_free(es_pca *p)
{
    free(p->mean);
    free(p->variance);
    free(p->axes);
    *p = (es_pca){0};
}

/* ---- along components ---- */

ES_INLINE void along_loop(float *out, const float *row, const float *axes, int64_t K, int64_t C)
{
    for (int64_t k = 0; k < K; k++)
        out[k] = es_dot(row, axes + k * C, C);
}

ES_TWO_FORMS(static, along, (float *out, const float *row, const float *axes, int64_t K, int64_t C),
             (out, row, axes, K, C))

void es_pca_project(const es_pca *p, const float *rows, int64_t n, int64_t K, float *out)
{
    float *row = es_alloc_array((size_t)p->C, sizeof *row);
    for (int64_t i = 0; i < n; i++, rows += p->C, out += K) {
        for (int64_t c = 0; c < p->C; c++)
            row[c] = (float)((double)rows[c] - p->mean[c]);
        along(out, row, p->axes, K, p->C);
        for (int64_t k = 0; k < K; k++)
            out[k] = isfinite(out[k]) ? out[k] : NAN;
    }
    free(row);
}

typedef struct projection {
    const es_pca *pca;
    int64_t K;
    float *out;
} projection;

static void project(void *of, int64_t first, int64_t n, float *rows, void *room)
{
    const projection *p = of;
    (void)room;
    es_pca_project(p->pca, rows, n, p->K, p->out + first * p->K);
}

bool es_pca_project_table(const es_pca *p, const es_table *t, int64_t K, float *out, es_backend *be,
                          es_watch *watch, es_error *err)
{
    if (es_backend_is_far(be))
        return es_project_there(out, t, p->mean, p->axes, K, be, watch, err);
    const es_sweep sweep = {.block = es_sweep_rows(PROJECTED, p->C), .work = project};
    return es_sweep_table(&sweep, &(projection){p, K, out}, t, watch, err);
}

double es_pca_share(const es_pca *p, const int *which, int k)
{
    double sum = 0;
    for (int i = 0; i < k; i++)
        sum += which[i] < p->C ? p->variance[which[i]] : 0;
    return p->total > 0 ? sum / p->total : 0;
}
