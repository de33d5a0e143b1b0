// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_works.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/knn.h"
#include "analysis/pca.h"
#include "base/mem.h"
#include "base/rng.h"
#include "core/ops.h"
#include "layer/embedding.h"
#include "layer/near.h"

enum { B = GPU_B, T = GPU_T, C = GPU_C, QUERIES = GPU_QUERIES, SIDE = 1024, TOP = 15, TIMES = 7 };

static const char X[] = "x of (64, 1024) ids, C=768", PRODUCT[] = "product of two 1024 x 1024",
                  NEAREST[] = "nearest 15 for 1,000 queries",
                  COMPONENTS[] = "exact principal components",
                  GRAPH[] = "graph of the nearest 15 of all";

static const double STRETCH = 0.05,
                    ENOUGH = 10; /* seconds of calls in a row; and of one row of the report */

typedef struct timing {
    double first, median, best; /* seconds a call */
} timing;

void gpu_must(bool ok, const es_error *err)
{
    if (ok)
        return;
    fprintf(stderr, "bench_gpu: %s\n", err->message);
    exit(EXIT_FAILURE);
}

/* ---- time ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A device works on after a call has returned, in the order of the calls: when a number of the last one's output is here, all
 * are done. */
static void wait_for(const es_tensor *t)
{
    es_error err = ES_ERROR_NONE;
    float number;
    if (!t)
        return;
    es_tensor one = *t; /* the reference is t's */
    one.shape = es_shape_1d("", 1);
    one.stride[0] = 1;
    gpu_must(es_tensor_read(&one, &number, &err), &err);
}

typedef bool work_fn(void *of, es_error *err);

static double seconds(work_fn *work, void *of, const es_tensor *out, int calls)
{
    es_error err = ES_ERROR_NONE;
    double start = now();
    for (int i = 0; i < calls; i++)
        gpu_must(work(of, &err), &err);
    wait_for(out);
    return (now() - start) / calls;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* out: what is to be waited for; NULL where the answer is on the host when work returns. */
static timing measure(work_fn *work, void *of, const es_tensor *out)
{
    double of_call[TIMES], spent = 0;
    int n = 0, calls = 1;
    timing t = {.first = seconds(work, of, out, 1)}; /* compiles, sends tables: never counted */
    double once = seconds(work, of, out, 1), stretch = once;
    while (stretch < STRETCH) {
        calls *= 2;
        stretch = seconds(work, of, out, calls) * calls;
    }
    while (n < TIMES && spent < ENOUGH) {
        of_call[n] = n == 0 && once >= ENOUGH ? once : seconds(work, of, out, calls);
        spent += of_call[n++] * calls;
    }
    qsort(of_call, (size_t)n, sizeof *of_call, by_size);
    t.median = of_call[n / 2];
    t.best = of_call[0];
    return t;
}

static void report(const gpu_bench *b, const char *what, timing t, const char *that_is)
{
    printf("%-34s %-14s %10.3f %10.3f   %s\n", what, b->label, 1e3 * t.median, 1e3 * t.best,
           that_is);
    fflush(stdout);
}

/* ---- answers ---- */

static double *answer(gpu_bench *b, int64_t n)
{
    free(b->answer);
    b->n_answer = n;
    return b->answer = es_alloc_array((size_t)n, sizeof *b->answer);
}

static void answer_is(gpu_bench *b, const es_tensor *t)
{
    es_error err = ES_ERROR_NONE;
    int64_t n = es_shape_count(&t->shape);
    float *numbers = es_alloc_array((size_t)n, sizeof *numbers);
    gpu_must(es_tensor_read(t, numbers, &err), &err);
    double *all = answer(b, n);
    for (int64_t i = 0; i < n; i++)
        all[i] = numbers[i];
    free(numbers);
}

/* How far the device is off the processor, as a part of the largest number. */
double gpu_difference(const gpu_bench *cpu, const gpu_bench *b)
{
    double off = 0, largest = 0;
    if (cpu->n_answer != b->n_answer)
        return INFINITY;
    for (int64_t i = 0; i < b->n_answer; i++) {
        double d = fabs(cpu->answer[i] - b->answer[i]);
        off = d <= off ? off : d; /* NaN too */
        largest = fmax(largest, fabs(cpu->answer[i]));
    }
    return off > 0 ? off / largest : off;
}

/* ---- x, beside a copy of as much ---- */

typedef struct x_work {
    es_embedding e;
    const int32_t *ids;
    es_tensor x, copy;
} x_work;

static bool make_x(void *of, es_error *err)
{
    x_work *w = of;
    return es_embedding_x_there(&w->x, &w->e, w->ids, 0, err);
}

static bool copy_x(void *of, es_error *err)
{
    x_work *w = of;
    return es_copy(&w->copy, &w->x, err);
}

static void report_x(const gpu_bench *b, timing x, timing copy)
{
    const double once = 4.0 * B * T * C, places = 4.0 * T * C;
    char that_is[96];
    double rate = 2 * once / copy.best, x_rate = (2 * once + places) / x.median;
    snprintf(that_is, sizeof that_is, "%.1f GB/s read and written", 1e-9 * rate);
    report(b, "a copy of 201 MB", copy, that_is);
    snprintf(that_is, sizeof that_is, "%.1f GB/s, %.0f %% of the copy's best", 1e-9 * x_rate,
             100 * x_rate / rate);
    report(b, X, x, that_is);
}

static void bench_x(gpu_bench *b)
{
    es_error err = ES_ERROR_NONE;
    x_work w = {{b->be, ES_POSITIONS_LEARNED, b->wte, b->wpe}, b->ids, {0}, {0}};
    es_shape shape = es_shape_3d("B", B, "T", T, "C", C);
    gpu_must(es_tensor_new(&w.x, b->be, ES_FLOAT32, &shape, &err) &&
                 es_tensor_new(&w.copy, b->be, ES_FLOAT32, &shape, &err) &&
                 es_table_whole(b->wte, b->be, &err) && es_table_whole(b->wpe, b->be, &err),
             &err);
    timing x = measure(make_x, &w, &w.x), copy = measure(copy_x, &w, &w.copy);
    report_x(b, x, copy);
    es_tensor last = {0}; /* sentence */
    gpu_must(es_tensor_slice(&last, &w.copy, 0, B - 1, B, &err), &err);
    answer_is(b, &last);
    es_tensor_free(&last);
    es_tensor_free(&w.x);
    es_tensor_free(&w.copy);
}

/* ---- a product of matrices ---- */

typedef struct product {
    es_tensor out, a, b;
} product;

static bool multiply(void *of, es_error *err)
{
    product *p = of;
    return es_matmul(&p->out, &p->a, &p->b, err);
}

static void matrix(es_tensor *out, es_backend *be, uint32_t stream)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = es_shape_2d("", SIDE, "", SIDE);
    float *numbers = es_alloc_array((size_t)SIDE * SIDE, sizeof *numbers);
    es_normal_row(numbers, (int64_t)SIDE * SIDE, 1, stream, 0, 1);
    gpu_must(es_tensor_new(out, be, ES_FLOAT32, &shape, &err) &&
                 es_tensor_write(out, numbers, &err),
             &err);
    free(numbers);
}

static void bench_matmul(gpu_bench *b)
{
    product p;
    char that_is[96];
    matrix(&p.out, b->be, 1);
    matrix(&p.a, b->be, 2);
    matrix(&p.b, b->be, 3);
    timing t = measure(multiply, &p, &p.out);
    snprintf(that_is, sizeof that_is, "%.0f GFLOP/s", 2e-9 * SIDE * SIDE * SIDE / t.median);
    report(b, PRODUCT, t, that_is);
    answer_is(b, &p.out);
    es_tensor_free(&p.out);
    es_tensor_free(&p.a);
    es_tensor_free(&p.b);
}

/* ---- nearest rows ---- */

typedef struct search {
    es_near *near;
    es_near_query query[QUERIES];
    double q[QUERIES][C];
    int32_t self[QUERIES];
    es_neighbour best[QUERIES * TOP];
    int64_t found[QUERIES];
} search;

static bool find_nearest(void *of, es_error *err)
{
    search *s = of;
    return es_near_search_many(s->near, s->best, TOP, s->found, s->query, QUERIES, NULL, err);
}

/* Rows of the table itself, from all over it. */
static void ask(search *s, const es_table *wte)
{
    es_error err = ES_ERROR_NONE;
    float row[C];
    for (int i = 0; i < QUERIES; i++) {
        s->self[i] = (int32_t)(i * es_table_rows(wte) / QUERIES);
        gpu_must(es_table_row(wte, s->self[i], row, &err), &err);
        for (int c = 0; c < C; c++)
            s->q[i][c] = row[c];
        s->query[i] = (es_near_query){s->q[i], ES_BY_COSINE, &s->self[i], 1};
    }
}

static void bench_near(gpu_bench *b)
{
    es_error err = ES_ERROR_NONE;
    search *s = es_alloc(sizeof *s);
    char that_is[96];
    ask(s, b->wte);
    s->near = es_near_new(b->wte, b->be, &err);
    gpu_must(s->near != NULL, &err);
    timing t = measure(find_nearest, s, NULL);
    snprintf(that_is, sizeof that_is, "%.0f a second; the first time %.0f ms", QUERIES / t.median,
             1e3 * t.first);
    report(b, NEAREST, t, that_is);
    double *ids = answer(b, QUERIES * TOP);
    for (int i = 0; i < QUERIES * TOP; i++)
        ids[i] = i % TOP < s->found[i / TOP] ? (double)s->best[i].id : -1;
    es_near_free(s->near);
    free(s);
}

/* ---- analyses: they take no device yet ---- */

static bool fit(void *of, es_error *err)
{
    gpu_bench *b = of;
    es_pca p;
    if (!es_pca_fit(&p, b->wte, b->be, NULL, err))
        return false;
    memcpy(answer(b, C), p.variance, C * sizeof *p.variance);
    es_pca_free(&p);
    return true;
}

static void bench_pca(gpu_bench *b)
{
    report(b, COMPONENTS, measure(fit, b, NULL), "");
}

static bool make_graph(void *of, es_error *err)
{
    gpu_bench *b = of;
    es_knn g;
    if (!es_knn_make(&g, b->wte, TOP, b->be, NULL, err))
        return false;
    double *ids = answer(b, g.n * g.k);
    for (int64_t i = 0; i < g.n * g.k; i++)
        ids[i] = g.id[i];
    es_knn_free(&g);
    return true;
}

static void bench_knn(gpu_bench *b)
{
    report(b, GRAPH, measure(make_graph, b, NULL), "");
}

const gpu_work gpu_works[N_GPU_WORKS] = {
    {"x", X, bench_x, 0, false, false},
    {"matmul", PRODUCT, bench_matmul, 1e-5, false, true},
    {"near", NEAREST, bench_near, 0, false, false},
    {"pca", COMPONENTS, bench_pca, 1e-5, false, false},
    {"knn", GRAPH, bench_knn, 0, false, false},
};
