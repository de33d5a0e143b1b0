// SPDX-License-Identifier: GPL-3.0-or-later
/* The OpenCL backend: tensors in a device's memory, operations as kernels on it.  Sending off returns at once; reading waits. */
#include "opencl/listing.h"
#include "opencl/slots.h"

static bool cl_alloc(es_backend *be, es_buffer *buf, es_error *err)
{
    buf->mem = es_cl_scratch(es_cl_of(be), buf->bytes, NULL, err);
    return buf->mem != NULL;
}

static void cl_release(es_backend *be, es_buffer *buf)
{
    es_cl_scratch_free(es_cl_of(be), buf->mem);
}

extern const es_backend_ops es_backend_opencl;
const es_backend_ops es_backend_opencl = {
    .name = "opencl",
    .device = "gpu",
    .about = "OpenCL",
    .host_memory = false,
    .list = es_cl_list,
    .open = es_cl_device_open,
    .close = es_cl_device_close,
    .alloc = cl_alloc,
    .release = cl_release,
    .write = es_cl_write,
    .read = es_cl_read,
    .copy = es_cl_copy,
    .gather = es_cl_gather,
    .scatter_add = es_cl_scatter_add,
    .map = es_cl_map,
    .reduce = es_cl_reduce,
    .matmul = es_cl_matmul,
    .softmax = es_cl_softmax,
    .topk = es_cl_topk,
};
