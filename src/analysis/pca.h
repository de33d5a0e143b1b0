// SPDX-License-Identifier: GPL-3.0-or-later
/* Principal components of a table, exactly: every row counts, none is sampled. */
#ifndef ES_ANALYSIS_PCA_H
#define ES_ANALYSIS_PCA_H

#include "base/watch.h"
#include "core/table.h"

/* Fitted to n rows of C numbers.  Row k of axes is the k-th component: a unit vector, of its numbers the one of
 * largest size positive, so that a picture never turns over from one machine to another. */
typedef struct es_pca {
    int64_t n, C;
    int64_t left_out; /* rows with NaN or Inf, which are not among the n */
    double *mean;     /* (C) */
    double *variance; /* (C), largest first, divided by n - 1; none is below 0 */
    double total;     /* their sum: the spread of the rows about their mean */
    float *axes;      /* (C, C) */
} es_pca;

/* Covariance by a product of the centred table with itself, and the symmetric eigenproblem: Jolliffe, Principal
 * Component Analysis, chapter 1.  Reads the table a block of rows at a time; the watch (may be NULL) counts rows.
 * Products of blocks are made by be where that has memory of its own, and the table is large; else (NULL too) here.
 * ES_ERR_VALUE: fewer than two rows that are finite, or a table without a last row; ES_ERR_NOMEM, ES_ERR_INTERRUPTED,
 * ES_ERR_BACKEND.  Free with es_pca_free. */
bool es_pca_fit(es_pca *out, const es_table *t, es_backend *be, es_watch *watch, es_error *err);
void es_pca_free(es_pca *p); /* safe on an empty one, which it becomes */

/* out (n, K) = (rows (n, C) - mean) along components 0..K-1; K <= C. */
void es_pca_project(const es_pca *p, const float *rows, int64_t n, int64_t K, float *out);

/* The same for all rows of a table, by several threads or a device; rows with NaN or Inf come out as NaN.  Errors as es_pca_fit. */
bool es_pca_project_table(const es_pca *p, const es_table *t, int64_t K, float *out, es_backend *be,
                          es_watch *watch, es_error *err);

/* What part of the spread the k components `which` show, 0..1; 0 where there is no spread. */
double es_pca_share(const es_pca *p, const int *which, int k);

#endif
