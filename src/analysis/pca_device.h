// SPDX-License-Identifier: GPL-3.0-or-later
/* Inside of es_pca: the products of a block of rows by a device that has memory of its own.  Several threads may ask at
 * once. */
#ifndef ES_ANALYSIS_PCA_DEVICE_H
#define ES_ANALYSIS_PCA_DEVICE_H

#include "base/watch.h"
#include "core/table.h"

/* out (C, C) = rowsᵀ @ rows of rows (n, C), both dense in host memory.  The watch is looked at now and then.  ES_ERR_NOMEM,
 * ES_ERR_BACKEND, ES_ERR_INTERRUPTED. */
bool es_gram_there(float *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                   es_watch *watch, es_error *err);

/* out (rows of t, K) = (rows - mean (C)) along axes (K, C): from the whole of the table where that lies on be, else rows are sent.
 * Rows with NaN or Inf come out as NaN.  The watch counts rows.  Errors as above, and those of es_sweep_table. */
bool es_project_there(float *out, const es_table *t, const double *mean, const float *axes,
                      int64_t K, es_backend *be, es_watch *watch, es_error *err);

#endif
