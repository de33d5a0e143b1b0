// SPDX-License-Identifier: GPL-3.0-or-later
/* Reductions by what a backend has. */
#ifndef ES_TORCH_REDUCE_INSIDE_H
#define ES_TORCH_REDUCE_INSIDE_H

#include "torch/reduce.h"

/* out, x with that axis of size 1, from x, float32 and ready: the backend's, a part at a time. */
bool es_reduce_axis(es_torch *k, const es_tensor *out, es_reduce_op op, const es_tensor *x,
                    int axis, es_error *err);

/* Is x on a device whose memory the host cannot read, and is this made of what the device has? */
bool es_reduces_there(es_reduction op, bool places, const es_tensor *x, const es_over *over);

/* out, made and dense, and places, int64, unless that is NULL. */
bool es_reduce_there(es_torch *k, es_tensor *out, const es_tensor *places, es_reduction op,
                     const es_tensor *x, const es_over *over, es_error *err);

#endif
