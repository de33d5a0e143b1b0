// SPDX-License-Identifier: GPL-3.0-or-later
/* The same tensors on `ref` and on an OpenCL device, for tests that compare the two. */
#ifndef ES_TESTS_GPU_PAIR_H
#define ES_TESTS_GPU_PAIR_H

#include "core/tensor.h"

/* Both backends, open while a test of on_each_gpu runs. */
extern es_backend *pair_ref, *pair_gpu;

/* Runs it on each device that can be used.  as_card: once more as if local memory were that of a card.  At the end nothing is left in
 * the memory of either. */
void on_each_gpu(void (*test)(void), bool as_card);

typedef struct pair {
    es_tensor on[2];
} pair;

pair pair_of(const es_shape *shape, const float *numbers); /* NULL: contents unset */
void pair_free(pair *p);

#endif
