// SPDX-License-Identifier: GPL-3.0-or-later
/* The axes along which a symmetric matrix only stretches. */
#ifndef ES_CORE_EIGEN_H
#define ES_CORE_EIGEN_H

#include <stdint.h>

#include "base/watch.h"

/* Eigenvalues, largest first, and unit eigenvectors as rows of `vectors` (n, n), of the symmetric `a` (n, n), which
 * is overwritten.  Of each vector the component of largest size is positive.  LAPACK's dsyevd for all but small
 * matrices where OpenBLAS brings it, which looks at the watch before and after (a tenth of a second for n = 768, with the
 * cube of n); else es_eigen_plain.
 * ES_ERR_VALUE: a number is not finite; ES_ERR_NOMEM; ES_ERR_INTERRUPTED. */
bool es_eigen(double *a, int64_t n, double *values, double *vectors, es_watch *watch,
              es_error *err);

/* The same by our own hands, stopped within a row's work.  Golub and Van Loan, Matrix Computations, 8.3: Householder's
 * reflections to three diagonals, then QR steps with Wilkinson's shift. */
bool es_eigen_plain(double *a, int64_t n, double *values, double *vectors, es_watch *watch,
                    es_error *err);

#endif
