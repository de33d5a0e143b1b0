// SPDX-License-Identifier: GPL-3.0-or-later
/* A device whose memory the host cannot read, for tests of what stands above a backend: it computes as `ref` does (large
 * products as the cpu does), and what it gives for memory is no address. */
#ifndef TESTS_FAR_H
#define TESTS_FAR_H

#include "core/backend.h"

/* A backend called "gpu".  Close with es_backend_close. */
es_backend *far_open(int threads);

/* How often its memory was read and written by the host since the last time. */
typedef struct far_traffic {
    int reads, writes;
} far_traffic;
far_traffic far_crossed(es_backend *be);

/* From now on the n-th call of any slot (1: the next) fails with this code, ES_ERR_NOMEM or ES_ERR_BACKEND; after the latter the
 * device is lost, and all that follow fail too.  0: none fails, which is how a device begins. */
void far_fail_at(es_backend *be, int n, es_code code);

/* From now on each number of a product of matrices is off by up to `most`, one this way and one that way. */
void far_stray(es_backend *be, float most);

#endif
