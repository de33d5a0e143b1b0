// SPDX-License-Identifier: GPL-3.0-or-later
/* Nearest points of a picture, exactly, by distance in float64, ties by id.  Points with a NaN are nowhere: they have none
 * and are nobody's. */
#ifndef ES_ANALYSIS_POINTS_H
#define ES_ANALYSIS_POINTS_H

#include "base/watch.h"

/* out[0..k) = the points of at (n, d) nearest to point `id`, itself left out.  Returns how many there are, at most k. */
int es_points_near(int32_t *out, int k, const float *at, int64_t n, int d, int64_t id);

/* The same of every point at once, d 2 or 3: out (n, k), -1 where there are no more.  By a tree of boxes and several
 * threads; the same for any number of these.  ES_ERR_NOMEM, ES_ERR_INTERRUPTED; the watch (may be NULL) counts points. */
bool es_points_nearest(int32_t *out, int k, const float *at, int64_t n, int d, es_watch *watch,
                       es_error *err);

#endif
