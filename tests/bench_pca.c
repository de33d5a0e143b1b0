// SPDX-License-Identifier: GPL-3.0-or-later
/* How long exact principal components of a table of GPT-2's size take: untrained numbers, or those of a file.
 *
 * usage: bench_pca                  five times, and the median
 *        bench_pca FILE ROWS C      for bench_pca.py: of a file of float32, "SECONDS" and the first ten variances */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/pca.h"
#include "base/mem.h"
#include "base/rng.h"

enum { V = 50257, C = 768, TIMES = 5, FIRST = 10 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_pca: %s\n", why);
    exit(EXIT_FAILURE);
}

static float *made_up(void)
{
    float *rows = es_alloc_array((size_t)V * C, sizeof *rows);
    for (int64_t i = 0; i < V; i++)
        es_normal_row(rows + i * C, C, 1, 0, (uint64_t)i, 0.02);
    return rows;
}

static float *read_rows(const char *path, int64_t n, int64_t width)
{
    size_t numbers = (size_t)(n * width);
    float *rows = es_alloc_array(numbers, sizeof *rows);
    FILE *f = fopen(path, "rb");
    if (!f || fread(rows, sizeof *rows, numbers, f) != numbers)
        stop("this file has fewer numbers");
    fclose(f);
    return rows;
}

static double measure(es_pca *p, const es_table *t)
{
    es_error err = ES_ERROR_NONE;
    double start = now();
    if (!es_pca_fit(p, t, NULL, NULL, &err))
        stop(err.message);
    return now() - start;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void several(const es_table *t)
{
    double seconds[TIMES];
    for (int i = 0; i < TIMES; i++) {
        es_pca p;
        seconds[i] = measure(&p, t);
        es_pca_free(&p);
    }
    qsort(seconds, TIMES, sizeof *seconds, by_size);
    printf("exact components of %d x %d: %.3f s, the best of %d %.3f s\n", V, C, seconds[TIMES / 2],
           TIMES, seconds[0]);
}

static void once(const es_table *t)
{
    es_pca p;
    printf("%.6f", measure(&p, t));
    for (int k = 0; k < FIRST && k < p.C; k++)
        printf(" %.17g", p.variance[k]);
    printf("\n");
    es_pca_free(&p);
}

int main(int argc, char **argv)
{
    if (argc != 1 && argc != 4) {
        fprintf(stderr, "usage: bench_pca [FILE ROWS C]\n");
        return 2;
    }
    int64_t n = argc == 4 ? atoll(argv[2]) : V, width = argc == 4 ? atoll(argv[3]) : C;
    float *rows = argc == 4 ? read_rows(argv[1], n, width) : made_up();
    es_table *t = es_table_mapped(rows, ES_STORE_F32, n, width, rows, free);
    if (argc == 4)
        once(t);
    else
        several(t);
    es_table_unref(t);
}
