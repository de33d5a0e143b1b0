// SPDX-License-Identifier: GPL-3.0-or-later
/* Look-up and sum in one pass over memory, for who wants x alone. */
#ifndef ES_CORE_LOOKUP_H
#define ES_CORE_LOOKUP_H

#include "core/table.h"

/* out (B, T, C), dense float32 in host memory, = rows of a by ids (B * T, dense, all in range), plus row
 * pos0 + t of b at place t unless b is NULL.  Rows are widened to float32 on the way.  Up to `threads`
 * threads, by place.
 *
 * Allocates nothing, unless b is generated (one row of C numbers).  Both tables have width C and lie in
 * host memory.  ES_ERR_NOMEM. */
bool es_lookup_add(float *out, const es_table *a, const int32_t *ids, int64_t B, int64_t T,
                   const es_table *b, int64_t pos0, int threads, es_error *err);

#endif
