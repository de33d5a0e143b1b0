// SPDX-License-Identifier: GPL-3.0-or-later
/* How points of t-SNE push each other away, in time linear in them: by way of a grid. */
#ifndef ES_ANALYSIS_TSNE_GRID_H
#define ES_ANALYSIS_TSNE_GRID_H

#include "analysis/tsne_field.h"

typedef struct es_tsne_grid {
    int64_t n;
    es_field field;
    double span;   /* of the points, along the axis where it is larger */
    double low[2]; /* where the first node is */
    double nodes_a_unit;
    int32_t *order; /* (n) points, row after row of cells */
    int64_t *begin; /* (nodes) where those of a row of cells begin */
} es_tsne_grid;

/* For n points; the crew is borrowed.  ES_ERR_NOMEM. */
bool es_tsne_grid_open(es_tsne_grid *g, int64_t n, es_crew *crew, es_error *err);
void es_tsne_grid_close(es_tsne_grid *g);

/* push (n, 2) of i = sum over j of (y_i - y_j) / (1 + |y_i - y_j|^2)^2, and *sum = that of 1 / (1 + |y_i - y_j|^2) over
 * all i and other j: at (n, 2).  Few points exactly, each with each.  More on a grid (Linderman et al. 2019, "Fast
 * interpolation-based t-SNE") whose nodes are 0.4 apart, or nearer where points are close together, or farther where
 * they are so far apart that there would be too many; read and written by cubic B-splines, not by the paper's three
 * nodes a box: a fifth of the error with fewer nodes.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED. */
bool es_tsne_push(es_tsne_grid *g, float *push, double *sum, const float *at, es_watch *watch,
                  es_error *err);

#endif
