// SPDX-License-Identifier: GPL-3.0-or-later
/* Layouts that are found a step at a time: t-SNE and UMAP behind one face.  The same recipe on the same graph from the
 * same start gives the same bytes, with any number of threads, however often it was looked at in between. */
#ifndef ES_ANALYSIS_LAYOUT_H
#define ES_ANALYSIS_LAYOUT_H

#include "analysis/knn.h"

typedef enum es_layout_id {
    ES_LAYOUT_PCA, /* principal components: no steps; es_layout_new does not know it */
    ES_LAYOUT_TSNE,
    ES_LAYOUT_UMAP,
    ES_N_LAYOUTS
} es_layout_id;

const char *es_layout_name(es_layout_id id);      /* "pca", "tsne", "umap": as commands say it */
const char *es_layout_title(es_layout_id id);     /* "PCA", "t-SNE", "UMAP": as people say it */
const char *es_layout_objective(es_layout_id id); /* "KL divergence", "cross-entropy" */
const char *es_layout_unit(es_layout_id id);      /* what a step is called: "iteration", "epoch" */

typedef struct es_layout_recipe {
    es_layout_id id;
    int steps;         /* t-SNE 750 iterations, UMAP 200 epochs */
    double perplexity; /* t-SNE: 30 */
    int neighbours;    /* UMAP: 15 */
    double min_dist;   /* UMAP: 0.1 */
    uint64_t seed;     /* UMAP's samples; t-SNE draws nothing */
} es_layout_recipe;

es_layout_recipe es_layout_defaults(es_layout_id id, uint64_t seed);
bool es_layout_same(const es_layout_recipe *a, const es_layout_recipe *b);

/* How many neighbours of each row it wants of the graph: 3 x perplexity, or `neighbours`; never below 15, as figures of
 * quality want so many, and below n. */
int es_layout_wants(const es_layout_recipe *r, int64_t n);

typedef struct es_layout es_layout;

/* From start (n, 2), such as principal components, in any unit: it is scaled as the method wants.  Rows without
 * neighbours (and those that do not start at finite numbers, and whoever has only these for neighbours) are left out and
 * stay NaN.  knn and start are read here alone.  ES_ERR_VALUE: perplexity, neighbours or min_dist out of range, no steps,
 * fewer than 4 rows that have neighbours; ES_ERR_NOMEM, ES_ERR_INTERRUPTED.  Free with es_layout_free. */
es_layout *es_layout_new(const es_layout_recipe *r, const es_knn *knn, const float *start,
                         es_watch *watch, es_error *err);
void es_layout_free(es_layout *l); /* NULL is fine */

/* One iteration or epoch.  The watch's flags are looked at every few milliseconds, its counts left alone; interrupted
 * it has not happened: the next call begins it again.  false where all steps are done, with err ES_OK. */
bool es_layout_step(es_layout *l, es_watch *watch, es_error *err);

int es_layout_steps_done(const es_layout *l);

/* (n, 2), valid until the next step; centred. */
const float *es_layout_at(const es_layout *l);

/* What is being made small, at the points as they stood when the last step began; NaN before the first.  t-SNE: the
 * Kullback-Leibler divergence of P from Q, without exaggeration, its normalisation from the same interpolation as the
 * step's forces.  UMAP: cross-entropy of the ties, its repulsive part from the epoch's samples. */
double es_layout_value(const es_layout *l);

#endif
