// SPDX-License-Identifier: GPL-3.0-or-later
/* How long layouts of a whole table take and how true they are: the graph of neighbours, t-SNE and UMAP with the numbers
 * they have in the program, and principal components beside them.
 *
 * usage: bench_layout [MODEL [K]]     mini 90; a model's name or file, neighbours of each row
 *
 * A line each: what it is, seconds on the clock, seconds of processors, and what came of it.  For every layout: how many of the
 * 15 nearest rows are among the 15 nearest points, trustworthiness, and the rank correlation of distances. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/layout.h"
#include "analysis/pca.h"
#include "analysis/quality.h"
#include "base/mem.h"
#include "layer/near.h"
#include "model/model.h"

enum { THREADS = 2, NEIGHBOURS = 90, SAMPLE = 200, SEED = 1 };

typedef struct clocks {
    double wall, cpu;
} clocks;

typedef struct bench {
    es_error err;
    es_table *table; /* in memory */
    es_near *near;
    es_knn knn;
    float *start; /* (n, 2) principal components */
    clocks since;
} bench;

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void begin(bench *b)
{
    b->since = (clocks){now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID)};
}

/* The line up to what came of it. */
static void say(const bench *b, const char *what)
{
    printf("%-28s %8.2f s wall %8.2f s cpu", what, now(CLOCK_MONOTONIC) - b->since.wall,
           now(CLOCK_PROCESS_CPUTIME_ID) - b->since.cpu);
    fflush(stdout);
}

static void stop(const bench *b)
{
    fprintf(stderr, "bench_layout: %s\n", b->err.message);
    exit(EXIT_FAILURE);
}

/* Rows that are made up when they are read are made up once. */
static void read_table(bench *b, const char *name)
{
    es_model *m = es_model_open(name, SEED, &b->err);
    if (!m || !es_model_needs_wte(m, &b->err))
        stop(b);
    int64_t V = es_table_rows(m->wte), C = es_table_width(m->wte);
    float *rows = es_alloc_array((size_t)(V * C), sizeof *rows);
    for (int64_t i = 0; i < V; i++)
        if (!es_table_row(m->wte, i, rows + i * C, &b->err))
            stop(b);
    b->table = es_table_mapped(rows, ES_STORE_F32, V, C, rows, free);
    es_model_unref(m);
    printf("%s: %" PRId64 " rows of %" PRId64 "\n", name, V, C);
}

static void components(bench *b)
{
    es_pca p;
    begin(b);
    b->start = es_alloc_array((size_t)es_table_rows(b->table), 2 * sizeof *b->start);
    if (!es_pca_fit(&p, b->table, NULL, NULL, &b->err) ||
        !es_pca_project_table(&p, b->table, 2, b->start, NULL, NULL, &b->err))
        stop(b);
    say(b, "PCA");
    printf("  %.1f %% of the variance\n", 100 * (p.variance[0] + p.variance[1]) / p.total);
    es_pca_free(&p);
}

/* Are its neighbours those of a search? */
static bool is_right(bench *b, int32_t i)
{
    int64_t C = es_table_width(b->table), found, k = b->knn.k;
    float *row = es_alloc_array((size_t)C, sizeof *row);
    double *q = es_alloc_array((size_t)C, sizeof *q);
    es_neighbour *want = es_alloc_array((size_t)k, sizeof *want);
    const es_near_query query = {q, ES_BY_COSINE, &i, 1};
    if (!es_table_row(b->table, i, row, &b->err))
        stop(b);
    for (int64_t c = 0; c < C; c++)
        q[c] = (double)row[c];
    if (!es_near_search(b->near, want, k, &found, &query, NULL, &b->err))
        stop(b);
    bool right = true;
    for (int64_t j = 0; j < k; j++)
        right = right && b->knn.id[i * k + j] == (j < found ? want[j].id : -1);
    free(row);
    free(q);
    free(want);
    return right;
}

static void neighbours(bench *b, int k)
{
    int right = 0, looked_at = 0;
    char what[64];
    begin(b);
    if (!es_knn_make(&b->knn, b->table, k, NULL, NULL, &b->err))
        stop(b);
    snprintf(what, sizeof what, "k-NN, %d of each", k);
    say(b, what);
    for (int64_t i = 0; i < b->knn.n; i += b->knn.n / SAMPLE + 1)
        if (b->knn.id[i * k] >= 0) { /* else it has no direction */
            right += is_right(b, (int32_t)i);
            looked_at++;
        }
    printf("  %d of %d rows as a search has them\n", right, looked_at);
}

static void quality(bench *b, const char *title, const float *at)
{
    es_quality q;
    char what[64];
    begin(b);
    if (!es_quality_measure(&q, NULL, ES_QUALITY_USUAL, b->table, &b->knn, at, 2, SEED, NULL,
                            &b->err))
        stop(b);
    snprintf(what, sizeof what, "  how true %s is", title);
    say(b, what);
    printf("  kept %.2f of %d (%" PRId64 " tokens), trust %.4f (%" PRId64 "), Spearman %.3f\n",
           q.kept, q.k, q.n_kept, q.trust, q.n_trust, q.spearman);
}

static void layout(bench *b, es_layout_id id)
{
    es_layout_recipe recipe = es_layout_defaults(id, SEED);
    char what[64];
    begin(b);
    es_layout *l = es_layout_new(&recipe, &b->knn, b->start, NULL, &b->err);
    while (l && es_layout_step(l, NULL, &b->err))
        continue;
    if (b->err.code != ES_OK)
        stop(b);
    snprintf(what, sizeof what, "%s, %d %ss", es_layout_title(id), recipe.steps,
             es_layout_unit(id));
    say(b, what);
    printf("  %s %.4f\n", es_layout_objective(id), es_layout_value(l));
    quality(b, es_layout_title(id), es_layout_at(l));
    es_layout_free(l);
}

int main(int argc, char **argv)
{
    bench b = {.err = ES_ERROR_NONE};
    int k = argc > 2 ? atoi(argv[2]) : NEIGHBOURS;
    es_backend *be = es_backend_open("cpu", THREADS, &b.err);
    if (!be)
        stop(&b);
    read_table(&b, argc > 1 ? argv[1] : "mini");
    b.near = es_near_new(b.table, be, &b.err);
    if (!b.near)
        stop(&b);
    components(&b);
    neighbours(&b, k);
    quality(&b, "PCA", b.start);
    layout(&b, ES_LAYOUT_TSNE);
    layout(&b, ES_LAYOUT_UMAP);
    free(b.start);
    es_knn_free(&b.knn);
    es_near_free(b.near);
    es_table_unref(b.table);
    es_backend_close(be);
}
