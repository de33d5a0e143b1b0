// SPDX-License-Identifier: GPL-3.0-or-later
/* t-SNE: van der Maaten and Hinton 2008; repulsion by way of a grid and Fourier transforms (Linderman et al.
 * 2019), so that a step is linear in the rows. */
#ifndef ES_ANALYSIS_TSNE_H
#define ES_ANALYSIS_TSNE_H

#include "analysis/graph.h"

typedef struct es_tsne es_tsne;

/* P is taken over (and left empty); start (n, 2), finite, is centred and scaled here so that its first coordinate has
 * deviation 1e-4.  scikit-learn's recipe: early exaggeration 12 for the first 250 iterations (a third of them where there
 * are fewer than 750; less, where the gradient comes to nothing before) with momentum 0.5, then none and 0.8; rate n / 48, at least 50, of the gradient as
 * es_tsne_exact has it (Belkina et al. 2019: n / 12 without its factor 4); gains as van der Maaten's own code.
 * ES_ERR_NOMEM.  Free with es_tsne_free. */
es_tsne *es_tsne_new(es_graph *P, const float *start, int iterations, es_error *err);
void es_tsne_free(es_tsne *t); /* NULL is fine */

bool es_tsne_step(es_tsne *t, es_watch *watch, es_error *err); /* es_layout_step's promises */
const float *es_tsne_at(const es_tsne *t);
double es_tsne_kl(const es_tsne *t); /* es_layout_value's promises */

/* The judge: exactly, over all pairs, in float64.  KL of P from Q at `at` (n, 2), and its gradient (n, 2) if that is
 * not NULL: 4 sum_j (p_ij - q_ij) (y_i - y_j) / (1 + |y_i - y_j|^2). */
double es_tsne_exact(const es_graph *P, const float *at, double *gradient);

/* The forces of a step as it computes them: the same gradient, approximately, without exaggeration; *kl likewise. */
bool es_tsne_gradient(const es_graph *P, const float *at, float *gradient, double *kl,
                      es_error *err);

#endif
