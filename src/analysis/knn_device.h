// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_knn: products of all pairs of rows by a device that has memory of its own. */
#ifndef ES_ANALYSIS_KNN_DEVICE_H
#define ES_ANALYSIS_KNN_DEVICE_H

#include "analysis/knn_select.h"

/* Every pair of places is offered to both, with its product from be, and every place meets the others from the first to
 * the last.  The watch (may be NULL) counts pairs.  Memory there: the rows at length 1, and a tile of 16 MB at most; here
 * two tiles.  ES_ERR_NOMEM, ES_ERR_BACKEND, ES_ERR_INTERRUPTED. */
bool es_candidates_meet(es_candidates *c, es_backend *be, es_watch *watch, es_error *err);

#endif
