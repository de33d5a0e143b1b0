// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers chosen from a tensor where it lies, on a device whose memory the host cannot read. */
#ifndef ES_TORCH_PICK_H
#define ES_TORCH_PICK_H

#include "torch/torch.h"

/* One axis of a result: how many places it has, and where in memory, in elements from the tensor's first, each of
 * them is: at[i] * stride, or i * stride where `at` is NULL.  None is before the first. */
typedef struct es_pick {
    int64_t n, stride;
    const int64_t *at;
} es_pick;

/* out, dense and of float32, from x, ready, on the same device: by its gather, one row for each run of places that are
 * evenly apart.  n axes, 1 <= n, none of them empty.  ES_ERR_NOMEM. */
bool es_torch_pick(es_torch *k, const es_tensor *out, const es_tensor *x, const es_pick *axis,
                   int n, es_error *err);

#endif
