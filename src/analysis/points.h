// SPDX-License-Identifier: GPL-3.0-or-later
/* Nearest points of a picture, exactly: few dimensions, all points at once. */
#ifndef ES_ANALYSIS_POINTS_H
#define ES_ANALYSIS_POINTS_H

#include "base/watch.h"

/* out (n, k) = the k points of at (n, d) nearest to each, itself left out, by distance in float64, ties by id; -1 where
 * there are no more.  d is 2 or 3.  Points with a NaN are nowhere: they have none and are nobody's.  By a grid of cells
 * and several threads; the same for any number of these.  As es_picture_near (kept.h) has them for one point.
 * ES_ERR_NOMEM, ES_ERR_INTERRUPTED; the watch (may be NULL) counts points. */
bool es_points_nearest(int32_t *out, int k, const float *at, int64_t n, int d, es_watch *watch,
                       es_error *err);

#endif
