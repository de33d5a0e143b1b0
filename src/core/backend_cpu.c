// SPDX-License-Identifier: GPL-3.0-or-later
/* The CPU backend: OpenBLAS for products, loops along the last axis for the rest. */
#if ES_HAVE_OPENBLAS /* the only file that asks; without it products run as loops too */
#include <cblas.h>
#endif
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/backend.h"
#include "core/topk.h"
#include "core/walk.h"

static bool cpu_open(es_backend *be, es_error *err)
{
    (void)err;
#if ES_HAVE_OPENBLAS
    openblas_set_num_threads(be->threads);
    const char *config = openblas_get_config(); /* "OpenBLAS 0.3.21 …" */
    int n = 0, words = 0;
    for (; config[n] && words < 2; n++)
        words += config[n] == ' ';
    snprintf(be->about, sizeof be->about, "%.*s%s kernels, %d thread%s", n, config,
             openblas_get_corename(), be->threads, be->threads == 1 ? "" : "s");
#else
    snprintf(be->about, sizeof be->about, "no BLAS: plain loops");
#endif
    return true;
}

static void cpu_close(es_backend *be)
{
    (void)be;
}

static bool cpu_alloc(es_backend *be, es_buffer *buf, es_error *err)
{
    (void)be;
    buf->mem = es_try_alloc(buf->bytes, 1, "a tensor", err);
    return buf->mem != NULL;
}

static void cpu_release(es_backend *be, es_buffer *buf)
{
    (void)be;
    free(buf->mem);
}

static void copy_row(float *dst, int64_t ds, const float *src, int64_t ss, int64_t n)
{
    if (ds == 1 && ss == 1)
        memmove(dst, src, (size_t)n * sizeof *dst);
    else
        for (int64_t i = 0; i < n; i++)
            dst[i * ds] = src[i * ss];
}

static bool cpu_write(const es_view *dst, const float *src, es_error *err)
{
    (void)err;
    if (!es_view_count(dst))
        return true;
    es_walk w = es_walk_over(&dst, 1);
    do {
        copy_row(w.v[0].row, w.v[0].step, src, 1, w.n);
        src += w.n;
    } while (es_walk_next(&w));
    return true;
}

static bool cpu_read(float *dst, const es_view *src, es_error *err)
{
    (void)err;
    if (!es_view_count(src))
        return true;
    es_walk w = es_walk_over(&src, 1);
    do {
        copy_row(dst, 1, w.v[0].row, w.v[0].step, w.n);
        dst += w.n;
    } while (es_walk_next(&w));
    return true;
}

static bool cpu_copy(const es_view *dst, const es_view *src, es_error *err)
{
    (void)err;
    if (!es_view_count(dst))
        return true;
    const es_view *views[] = {dst, src};
    es_walk w = es_walk_over(views, 2);
    do
        copy_row(w.v[0].row, w.v[0].step, w.v[1].row, w.v[1].step, w.n);
    while (es_walk_next(&w));
    return true;
}

static void add_row(float *out, int64_t os, const float *x, int64_t xs, const float *y, int64_t ys,
                    int64_t n)
{
    if (os == 1 && xs == 1 && ys == 1)
        for (int64_t i = 0; i < n; i++)
            out[i] = x[i] + y[i];
    else
        for (int64_t i = 0; i < n; i++)
            out[i * os] = x[i * xs] + y[i * ys];
}

static bool cpu_gather(const es_view *out, const es_view *table, const int32_t *ids,
                       const es_view *add, es_error *err)
{
    (void)err;
    int64_t B = out->dim[0], T = out->dim[1], C = out->dim[2];
    for (int64_t b = 0; b < B; b++) {
        for (int64_t t = 0; t < T; t++) {
            float *o = es_view_start(out) + b * out->stride[0] + t * out->stride[1];
            const float *row = es_view_start(table) + ids[b * T + t] * table->stride[0];
            if (add)
                add_row(o, out->stride[2], row, table->stride[1],
                        es_view_start(add) + b * add->stride[0] + t * add->stride[1],
                        add->stride[2], C);
            else
                copy_row(o, out->stride[2], row, table->stride[1], C);
        }
    }
    return true;
}

static bool cpu_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows,
                            es_error *err)
{
    (void)err;
    for (int64_t i = 0; i < rows->dim[0]; i++) {
        float *to = es_view_start(table) + ids[i] * table->stride[0];
        add_row(to, table->stride[1], to, table->stride[1],
                es_view_start(rows) + i * rows->stride[0], rows->stride[1], rows->dim[1]);
    }
    return true;
}

/* One loop an operation, so that the compiler can make vectors of the simple ones. */
#define EACH(expression)                                                                           \
    for (int64_t i = 0; i < n; i++) {                                                              \
        float a = x[i * xs], b = y[i * ys];                                                        \
        (void)b;                                                                                   \
        out[i * os] = (expression);                                                                \
    }                                                                                              \
    break

static void map_row(es_map_op op, float *out, int64_t os, const float *x, int64_t xs,
                    const float *y, int64_t ys, int64_t n)
{
    switch (op) {
    case ES_ADD: add_row(out, os, x, xs, y, ys, n); break;
    case ES_SUB: EACH(a - b);
    case ES_MUL: EACH(a * b);
    case ES_DIV: EACH(a / b);
    case ES_POW: EACH(powf(a, b));
    case ES_MAX: EACH(isnan(a) || a > b ? a : b);
    case ES_MIN: EACH(isnan(a) || a < b ? a : b);
    case ES_NEG: EACH(-a);
    case ES_ABS: EACH(fabsf(a));
    case ES_EXP: EACH(expf(a));
    case ES_LOG: EACH(logf(a));
    case ES_SQRT: EACH(sqrtf(a));
    case ES_SIN: EACH(sinf(a));
    case ES_COS: EACH(cosf(a));
    case ES_TANH: EACH(tanhf(a));
    case ES_N_MAP_OPS: break;
    }
}

static bool cpu_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                    es_error *err)
{
    (void)err;
    if (!es_view_count(out))
        return true;
    const es_view *views[] = {out, x, y ? y : x};
    es_walk w = es_walk_over(views, 3);
    do
        map_row(op, w.v[0].row, w.v[0].step, w.v[1].row, w.v[1].step, w.v[2].row, w.v[2].step, w.n);
    while (es_walk_next(&w));
    return true;
}

static float max_of(const float *x, int64_t step, int64_t n)
{
    float m = x[0];
    for (int64_t i = 1; i < n; i++)
        m = isnan(x[i * step]) || x[i * step] > m ? x[i * step] : m;
    return m;
}

static float min_of(const float *x, int64_t step, int64_t n)
{
    float m = x[0];
    for (int64_t i = 1; i < n; i++)
        m = isnan(x[i * step]) || x[i * step] < m ? x[i * step] : m;
    return m;
}

static float reduce_row(es_reduce_op op, const float *x, int64_t step, int64_t n)
{
    double sum = 0; /* float32 would lose digits from a few thousand terms on */
    switch (op) {
    case ES_REDUCE_MAX: return max_of(x, step, n);
    case ES_REDUCE_MIN: return min_of(x, step, n);
    case ES_REDUCE_SUM:
        for (int64_t i = 0; i < n; i++)
            sum += (double)x[i * step];
        break;
    default:
        for (int64_t i = 0; i < n; i++)
            sum += (double)x[i * step] * (double)x[i * step];
    }
    return (float)sum;
}

static bool cpu_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err)
{
    (void)err;
    if (!es_view_count(out))
        return true;
    const es_view *views[] = {x, out};
    es_walk w = es_walk_rows(views, 2);
    do
        *w.v[1].row = reduce_row(op, w.v[0].row, w.v[0].step, w.n);
    while (es_walk_next(&w));
    return true;
}

static bool cpu_softmax(const es_view *out, const es_view *x, es_error *err)
{
    (void)err;
    if (!es_view_count(out))
        return true;
    const es_view *views[] = {out, x};
    es_walk w = es_walk_rows(views, 2);
    do {
        float *o = w.v[0].row;
        const float *v = w.v[1].row;
        int64_t os = w.v[0].step, vs = w.v[1].step;
        float max = max_of(v, vs, w.n);
        double sum = 0;
        for (int64_t i = 0; i < w.n; i++)
            sum += (double)(o[i * os] = expf(v[i * vs] - max));
        for (int64_t i = 0; i < w.n; i++)
            o[i * os] = (float)((double)o[i * os] / sum);
    } while (es_walk_next(&w));
    return true;
}

static bool cpu_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err)
{
    if (!es_view_count(values))
        return true;
    int64_t k = values->dim[values->ndim - 1];
    es_ranked *heap = es_try_alloc((size_t)k, sizeof *heap, "the k largest", err);
    if (!heap)
        return false;
    const es_view *views[] = {x, values};
    es_walk w = es_walk_rows(views, 2);
    do {
        es_best_of_row(heap, k, w.v[0].row, w.v[0].step, w.n);
        for (int64_t i = 0; i < k; i++) {
            w.v[1].row[i * w.v[1].step] = heap[i].value;
            *index++ = heap[i].index;
        }
    } while (es_walk_next(&w));
    free(heap);
    return true;
}

/* A (rows, cols) matrix in memory: the last two axes of a view. */
typedef struct matrix {
    float *at;
    int64_t rows, cols, row_step, col_step;
} matrix;

static void multiply_loops(matrix out, matrix a, matrix b)
{
    for (int64_t m = 0; m < out.rows; m++)
        for (int64_t n = 0; n < out.cols; n++) {
            double sum = 0;
            for (int64_t k = 0; k < a.cols; k++)
                sum += (double)a.at[m * a.row_step + k * a.col_step] *
                       (double)b.at[k * b.row_step + n * b.col_step];
            out.at[m * out.row_step + n * out.col_step] = (float)sum;
        }
}

#if ES_HAVE_OPENBLAS

/* Can BLAS read m as it lies, along rows or (transposed) along columns? */
static bool blas_reads(const matrix *m, CBLAS_TRANSPOSE *how, int *ld)
{
    bool by_rows = m->col_step == 1 && (m->rows == 1 || m->row_step >= m->cols);
    bool by_cols = m->row_step == 1 && (m->cols == 1 || m->col_step >= m->rows);
    int64_t step =
        by_rows ? (m->rows == 1 ? m->cols : m->row_step) : (m->cols == 1 ? m->rows : m->col_step);
    if ((!by_rows && !by_cols) || step > INT_MAX || m->rows > INT_MAX || m->cols > INT_MAX)
        return false;
    *how = by_rows ? CblasNoTrans : CblasTrans;
    *ld = step > 0 ? (int)step : 1;
    return true;
}

/* A matrix times one column: a third of the time of a product that packs its operands. */
static bool multiply_column(matrix out, matrix a, matrix b)
{
    CBLAS_TRANSPOSE how = CblasNoTrans;
    int ld = 0;
    bool fits = out.cols == 1 && a.cols > 0 && blas_reads(&a, &how, &ld) && b.row_step > 0 &&
                out.row_step > 0 && b.row_step <= INT_MAX && out.row_step <= INT_MAX;
    bool as_is = how == CblasNoTrans;
    if (fits)
        cblas_sgemv(CblasRowMajor, how, (int)(as_is ? a.rows : a.cols),
                    (int)(as_is ? a.cols : a.rows), 1.0f, a.at, ld, b.at, (int)b.row_step, 0.0f,
                    out.at, (int)out.row_step);
    return fits;
}

static void multiply(matrix out, matrix a, matrix b)
{
    CBLAS_TRANSPOSE ta, tb, to;
    int lda, ldb, ldo;
    if (multiply_column(out, a, b))
        return;
    bool fits = blas_reads(&a, &ta, &lda) && blas_reads(&b, &tb, &ldb) &&
                blas_reads(&out, &to, &ldo) && to == CblasNoTrans;
    if (!fits || a.cols == 0) {
        multiply_loops(out, a, b);
        return;
    }
    cblas_sgemm(CblasRowMajor, ta, tb, (int)out.rows, (int)out.cols, (int)a.cols, 1.0f, a.at, lda,
                b.at, ldb, 0.0f, out.at, ldo);
}

#else
#define multiply multiply_loops
#endif

static bool cpu_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    (void)err;
    if (!es_view_count(out))
        return true;
    int last = out->ndim - 1;
    const es_view *views[] = {out, a, b};
    es_walk w = es_walk_rows(views, 3);
    w.outer = last - 1; /* a step a batch, not a row */
    do {
        matrix m[3];
        for (int i = 0; i < 3; i++)
            m[i] = (matrix){w.v[i].row, views[i]->dim[last - 1], views[i]->dim[last],
                            views[i]->stride[last - 1], views[i]->stride[last]};
        multiply(m[0], m[1], m[2]);
    } while (es_walk_next(&w));
    return true;
}

extern const es_backend_ops es_backend_cpu;
const es_backend_ops es_backend_cpu = {
    .name = "cpu",
    .device = "cpu",
    .about = "OpenBLAS on the host",
    .host_memory = true,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .release = cpu_release,
    .write = cpu_write,
    .read = cpu_read,
    .copy = cpu_copy,
    .gather = cpu_gather,
    .scatter_add = cpu_scatter_add,
    .map = cpu_map,
    .reduce = cpu_reduce,
    .matmul = cpu_matmul,
    .softmax = cpu_softmax,
    .topk = cpu_topk,
};
