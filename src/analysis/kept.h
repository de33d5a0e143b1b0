// SPDX-License-Identifier: GPL-3.0-or-later
/* How much of who is near whom a picture keeps. */
#ifndef ES_ANALYSIS_KEPT_H
#define ES_ANALYSIS_KEPT_H

#include "base/watch.h"
#include "layer/near.h"

/* out[0..k) = the points of at (n, d) that are nearest to point `id`, itself left out, by distance, ties by id; points
 * that are NaN are nowhere.  Returns how many there are, at most k. */
int64_t es_picture_near(int64_t *out, int64_t k, const float *at, int64_t n, int d, int64_t id);

/* Of the k rows of wte nearest to each of the n tokens `of` (by cosine, exactly: layer/near.h), how many are among
 * its k nearest points in the picture at (V, d): the mean, 0..k, over those whose row has a direction.  Watched: ES_ERR_INTERRUPTED, and what
 * es_near_search says. */
bool es_kept_mean(double *out, es_near *near, const int32_t *of, int64_t n, int64_t k,
                  const float *at, int d, es_watch *watch, es_error *err);

#endif
