// SPDX-License-Identifier: GPL-3.0-or-later
/* What the numbers of a tensor are like, all of them looked at. */
#ifndef ES_SESSION_STATS_H
#define ES_SESSION_STATS_H

#include "base/watch.h"
#include "core/tensor.h"

enum { ES_BINS = 6 };

typedef struct es_stats {
    int64_t finite, nans, infinities; /* how many */
    double low, high, mean, std;      /* of the finite ones; std as PyTorch's, over n - 1 */
    int64_t bin[ES_BINS];             /* how many from low to high, in equal steps */
} es_stats;

/* t is ready and in host memory.  Numbers that are stretched along an axis count once.  ES_ERR_INTERRUPTED. */
bool es_stats_of(es_stats *out, const es_tensor *t, es_watch *watch, es_error *err);

#endif
