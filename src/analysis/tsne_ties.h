// SPDX-License-Identifier: GPL-3.0-or-later
/* How points of t-SNE draw their neighbours near. */
#ifndef ES_ANALYSIS_TSNE_TIES_H
#define ES_ANALYSIS_TSNE_TIES_H

#include "analysis/crew.h"
#include "analysis/graph.h"

/* P as it is wanted here: of each row in eights of ties. */
typedef struct es_tsne_eight {
    int32_t to[8];
    float p[8]; /* 0 where there are no more: they lead to the row itself */
} es_tsne_eight;

typedef struct es_tsne_ties {
    es_crew *crew; /* borrowed */
    int64_t n;
    int64_t *begin; /* (n + 1) */
    es_tsne_eight *eight;
    double p;       /* the sum of all ties, about 1 */
    double p_log_p; /* that of p log p */
    double *sums;   /* room of es_tsne_pull */
} es_tsne_ties;

/* ES_ERR_NOMEM.  Free with es_tsne_ties_close. */
bool es_tsne_ties_open(es_tsne_ties *t, const es_graph *P, es_crew *crew, es_error *err);
void es_tsne_ties_close(es_tsne_ties *t); /* which becomes empty */

/* pull (n, 2) of i = sum over j of p_ij (y_i - y_j) / (1 + |y_i - y_j|^2);
 * *sum = that of p_ij log(1 + |y_i - y_j|^2) over all i and j: at (n, 2).  ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_tsne_pull(es_tsne_ties *t, float *pull, double *sum, const float *at, es_watch *watch,
                  es_error *err);

#endif
