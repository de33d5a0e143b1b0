// SPDX-License-Identifier: GPL-3.0-or-later
/* How strongly rows are tied to their neighbours: the weighted graphs that layouts start from. */
#ifndef ES_ANALYSIS_GRAPH_H
#define ES_ANALYSIS_GRAPH_H

#include "analysis/knn.h"

/* A symmetric graph without loops: row i is tied to to[begin[i]..begin[i + 1]), ascending. */
typedef struct es_graph {
    int64_t n;
    int64_t *begin; /* (n + 1) */
    int32_t *to;    /* (begin[n]) */
    float *weight;  /* (begin[n]) above 0; as strong one way as the other, to the bit */
} es_graph;

void es_graph_free(es_graph *g); /* safe on an empty one, which it becomes */

/* g[i][j] = part(i's own tie to j, j's own to i), where 0 stands for none: the two ways put together.  own (n, k)
 * goes with knn->id.  part is symmetric. */
bool es_graph_join(es_graph *out, const es_knn *knn, int k, const float *own,
                   float (*part)(float ij, float ji), es_watch *watch, es_error *err);

/* van der Maaten and Hinton 2008, section 2: the distance of two rows is that of the rows scaled to length 1, so its
 * square is 2 - 2 cosine; of each row the width of the Gaussian is found for which its neighbours (3 x perplexity of
 * them, as Yang, Peltonen and Kaski 2013 and van der Maaten 2014 have it) have the perplexity asked for; joint
 * probabilities p_ij = (p_j|i + p_i|j) / 2n, whose sum is 1.
 * ES_ERR_VALUE: a perplexity below 1, or more than a third of knn->k (the message says how many there are);
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_graph_perplexity(es_graph *out, const es_knn *knn, double perplexity, es_watch *watch,
                         es_error *err);

/* McInnes, Healy and Melville 2018, section 3.1 and algorithm 3: rho the distance to the nearest, sigma found so that
 * exp(-(d - rho) / sigma) over the `neighbours` nearest sums to log2(neighbours); the fuzzy union a + b - ab of both
 * ways.  Distances are those of UMAP's metric "cosine": 1 - cosine.  ES_ERR_VALUE: neighbours below 2 or more than
 * knn->k; ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_graph_fuzzy(es_graph *out, const es_knn *knn, int neighbours, es_watch *watch,
                    es_error *err);

#endif
