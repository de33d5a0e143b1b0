// SPDX-License-Identifier: GPL-3.0-or-later
/* How long t-SNE takes, perplexity 30 and 750 iterations.
 *
 * usage: bench_tsne                          50,257 made-up rows in 200 clusters
 *        bench_tsne FILE ROWS C START AT     for bench_tsne.py: rows and where they start (ROWS, 2), files of float32;
 *                                            where they end goes to AT, and "SECONDS of neighbours, of P, of all
 *                                            iterations, of processors in these, KL" is said
 *        bench_tsne --kl FILE ROWS C AT...   the exact KL of each AT (ROWS, 2) */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/tsne.h"
#include "base/mem.h"
#include "base/rng.h"

enum { V = 50257, C = 64, CLUSTERS = 200, ITERATIONS = 750, PERPLEXITY = 30 };

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double now(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static void stop(const char *why)
{
    fprintf(stderr, "bench_tsne: %s\n", why);
    exit(EXIT_FAILURE);
}

static float *read_numbers(const char *path, int64_t n)
{
    float *x = es_alloc_array((size_t)n, sizeof *x);
    FILE *f = fopen(path, "rb");
    if (!f || fread(x, sizeof *x, (size_t)n, f) != (size_t)n)
        stop("this file has fewer numbers");
    fclose(f);
    return x;
}

static void write_numbers(const char *path, const float *x, int64_t n)
{
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(x, sizeof *x, (size_t)n, f) != (size_t)n || fclose(f))
        stop("this file cannot be written");
}

static float *made_up(void)
{
    float *rows = es_alloc_array((size_t)V * C, sizeof *rows), centre[C];
    for (int64_t i = 0; i < V; i++) {
        es_normal_row(centre, C, 1, 1, (uint64_t)(i % CLUSTERS), 1);
        es_normal_row(rows + i * C, C, 1, 0, (uint64_t)i, 0.5);
        for (int c = 0; c < C; c++)
            rows[i * C + c] += centre[c];
    }
    return rows;
}

static es_knn neighbours(float *rows, int64_t n, int64_t width)
{
    es_error err = ES_ERROR_NONE;
    es_knn knn;
    es_table *t = es_table_mapped(rows, ES_STORE_F32, n, width, NULL, NULL);
    if (!es_knn_make(&knn, t, 3 * PERPLEXITY, NULL, NULL, &err))
        stop(err.message);
    es_table_unref(t);
    return knn;
}

static es_graph affinities(const es_knn *knn)
{
    es_error err = ES_ERROR_NONE;
    es_graph P;
    if (!es_graph_perplexity(&P, knn, PERPLEXITY, NULL, &err))
        stop(err.message);
    return P;
}

/* All iterations; where that ends is written to `to` (NULL: nowhere). */
static void run(float *rows, int64_t n, int64_t width, const float *start, const char *to)
{
    es_error err = ES_ERROR_NONE;
    double begun = now();
    es_knn knn = neighbours(rows, n, width);
    double has_neighbours = now();
    es_graph P = affinities(&knn);
    double has_P = now(), worked = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    es_tsne *t = es_tsne_new(&P, start, ITERATIONS, &err);
    while (t && es_tsne_step(t, NULL, &err))
        ;
    if (err.code != ES_OK)
        stop(err.message);
    printf("%.3f %.3f %.3f %.3f %.6f\n", has_neighbours - begun, has_P - has_neighbours,
           now() - has_P, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - worked, es_tsne_kl(t));
    if (to)
        write_numbers(to, es_tsne_at(t), 2 * n);
    es_tsne_free(t);
    es_knn_free(&knn);
}

static void judge(float *rows, int64_t n, int64_t width, char **paths)
{
    es_knn knn = neighbours(rows, n, width);
    es_graph P = affinities(&knn);
    for (; *paths; paths++) {
        float *at = read_numbers(*paths, 2 * n);
        printf("%.9f\n", es_tsne_exact(&P, at, NULL));
        free(at);
    }
    es_graph_free(&P);
    es_knn_free(&knn);
}

static void run_made_up(void)
{
    float *rows = made_up(), *start = es_alloc_array(2 * (size_t)V, sizeof *start);
    for (int64_t i = 0; i < V; i++)
        memcpy(start + 2 * i, rows + i * C, 2 * sizeof *start);
    printf("seconds of neighbours, of P, of %d iterations, of processors in these, KL\n",
           ITERATIONS);
    run(rows, V, C, start, NULL);
    free(rows);
    free(start);
}

int main(int argc, char **argv)
{
    bool judges = argc > 1 && !strcmp(argv[1], "--kl");
    char **word = argv + judges;
    if (argc == 1) {
        run_made_up();
        return 0;
    }
    if (judges ? argc < 6 : argc != 6) {
        fprintf(stderr, "usage: bench_tsne [FILE ROWS C START AT | --kl FILE ROWS C AT...]\n");
        return 2;
    }
    int64_t n = atoll(word[2]), width = atoll(word[3]);
    float *rows = read_numbers(word[1], n * width);
    if (judges) {
        judge(rows, n, width, word + 4);
    } else {
        float *start = read_numbers(word[4], 2 * n);
        run(rows, n, width, start, word[5]);
        free(start);
    }
    free(rows);
}
