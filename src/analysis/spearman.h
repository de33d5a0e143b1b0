// SPDX-License-Identifier: GPL-3.0-or-later
/* Do two lists of numbers rise and fall together, whatever their scales? */
#ifndef ES_ANALYSIS_SPEARMAN_H
#define ES_ANALYSIS_SPEARMAN_H

#include "base/error.h"

/* *out = the correlation of the ranks of a[0..n) with those of b[0..n) (Spearman 1904); equal numbers share the mean of
 * their ranks.  NaN where one list is all alike.  No number is NaN.  ES_ERR_NOMEM. */
bool es_spearman(double *out, const double *a, const double *b, int64_t n, es_error *err);

#endif
