// SPDX-License-Identifier: GPL-3.0-or-later
/* UMAP: McInnes, Healy and Melville 2018, algorithm 5: ties pull, samples push. */
#ifndef ES_ANALYSIS_UMAP_H
#define ES_ANALYSIS_UMAP_H

#include "analysis/graph.h"

typedef struct es_umap es_umap;

/* The graph is taken over (and left empty); start (n, 2), finite, is scaled to a largest coordinate of 10, and each number
 * moved by up to a ten-thousandth, by the seed.  a and b are fitted to min_dist, spread 1.  Ties that would be sampled
 * less than once in all epochs are left out; 5 negative samples each; the rate falls from 1 to 0.  One thread writes, so
 * a seed gives the same bytes everywhere.  ES_ERR_NOMEM.  Free with es_umap_free. */
es_umap *es_umap_new(es_graph *fuzzy, const float *start, int epochs, double min_dist,
                     uint64_t seed, es_error *err);
void es_umap_free(es_umap *u); /* NULL is fine */

bool es_umap_step(es_umap *u, es_watch *watch, es_error *err); /* es_layout_step's promises */
const float *es_umap_at(const es_umap *u);

/* es_layout_value's promises.  Per tie, in nats: the mean of -log v over all ties by their weights, and 5 times the mean
 * of -log(1 - v) over samples, those of some 8,192 rows where there are more: what the sampling makes small (Damrich and
 * Hamprecht 2021, "On UMAP's true loss function"). */
double es_umap_entropy(const es_umap *u);

/* 1 / (1 + a d^2b) nearest in least squares to 1 up to min_dist and exp(min_dist - d) beyond, d in 0..3. */
void es_umap_curve(double min_dist, double *a, double *b);

/* The judge: gradient of one tie's, or one sample's, part of the cross-entropy at (dx, dy), by the paper's formula. */
void es_umap_pull(double a, double b, double dx, double dy, double out[2]);
void es_umap_push(double a, double b, double dx, double dy, double out[2]);

#endif
