// SPDX-License-Identifier: GPL-3.0-or-later
/* Which OpenCL devices there are, and which number each has: real GPUs first, processors that pose as one last, and behind all
 * others those that cannot be used. */
#ifndef ES_OPENCL_LISTING_H
#define ES_OPENCL_LISTING_H

#include "core/device.h"
#include "opencl/driver.h"

typedef struct es_cl_found {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    es_device shown; /* all but its name */
} es_cl_found;

/* Fills at most ES_MOST_DEVICES; how many there are.  0: err (ES_ERR_BACKEND) says why. */
int es_cl_find(const es_cl *cl, es_cl_found *out, es_error *err);

/* For es_backend_ops. */
void es_cl_list(es_devices *out);

#endif
