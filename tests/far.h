// SPDX-License-Identifier: GPL-3.0-or-later
/* A device whose memory the host cannot read, for tests of what stands above a backend: it computes as `ref` does, and what it
 * gives for memory is no address. */
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

#endif
