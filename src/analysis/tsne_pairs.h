// SPDX-License-Identifier: GPL-3.0-or-later
/* How points of t-SNE push each other away, exactly: each with each. */
#ifndef ES_ANALYSIS_TSNE_PAIRS_H
#define ES_ANALYSIS_TSNE_PAIRS_H

#include "analysis/crew.h"

/* As es_tsne_push has it (tsne_grid.h), of few points. */
bool es_tsne_push_pairs(float *push, double *sum, const float *at, int64_t n, es_crew *crew,
                        es_watch *watch, es_error *err);

#endif
