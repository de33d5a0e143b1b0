// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_pair.h"

#include "gpu.h"
#include "support.h"
#if ES_HAVE_OPENCL
#include "opencl/device.h"
#endif

es_backend *pair_ref, *pair_gpu;
static void (*testing)(void);
static bool also_as_card;

static void pose_as_card(es_backend *be)
{
#if ES_HAVE_OPENCL
    es_cl_device *d = es_cl_of(be);
    d->fast_local = d->tiles = true;
#else
    (void)be;
#endif
}

static void on_device(const char *device)
{
    for (int card = 0; card <= also_as_card; card++) {
        es_error err = ES_ERROR_NONE;
        pair_ref = es_backend_open("sim", 1, &err);
        ck_assert_works(pair_ref != NULL, err);
        pair_gpu = es_backend_open(device, 1, &err);
        ck_assert_works(pair_gpu != NULL, err);
        if (card)
            pose_as_card(pair_gpu);
        testing();
        ck_assert_uint_eq(pair_ref->in_use, 0);
        ck_assert_uint_eq(pair_gpu->in_use, 0);
        es_backend_close(pair_ref);
        es_backend_close(pair_gpu);
    }
}

void on_each_gpu(void (*test)(void), bool as_card)
{
    testing = test;
    also_as_card = as_card;
    each_gpu(on_device);
}

pair pair_of(const es_shape *shape, const float *numbers)
{
    pair p;
    es_backend *const be[] = {pair_ref, pair_gpu};
    for (int i = 0; i < 2; i++) {
        demand(es_tensor_new(&p.on[i], be[i], ES_FLOAT32, shape, NULL), "tensor");
        demand(!numbers || es_tensor_write(&p.on[i], numbers, NULL), "write");
    }
    return p;
}

void pair_free(pair *p)
{
    es_tensor_free(&p->on[0]);
    es_tensor_free(&p->on[1]);
}
