// SPDX-License-Identifier: GPL-3.0-or-later
/* An open OpenCL device: its queue, its kernels, its memory; how failures of the driver become errors. */
#ifndef ES_OPENCL_DEVICE_H
#define ES_OPENCL_DEVICE_H

#include <pthread.h>

#include "core/backend.h"
#include "opencl/driver.h"
#include "opencl/kernels.h"

typedef struct es_cl_device {
    const es_cl *cl;
    es_backend *be;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue; /* in order */
    cl_program program;
    cl_kernel kernel[ES_N_KERNELS];
    pthread_mutex_t lock; /* of kernels: their arguments are set, then they are sent off */
    bool fast_local;   /* local memory is memory of its own: a GPU; else local memory is no gain */
    bool tiles;        /* products are made in tiles of local memory */
    bool clblast;      /* products may go to CLBlast */
    size_t most_group; /* work-items of a group, of any kernel but the tiles' */
    cl_ulong memory, most_buffer, local_bytes;
} es_cl_device;

static inline es_cl_device *es_cl_of(const es_backend *be)
{
    return be->priv;
}

/* be->number says which; fills be->about.  ES_ERR_BACKEND. */
bool es_cl_device_open(es_backend *be, es_error *err);
void es_cl_device_close(es_backend *be);

/* Did the call work?  Else ES_ERR_NOMEM where memory was short, ES_ERR_BACKEND for all other codes, and then the device counts
 * as lost: nothing of it can be relied on any more.  call: "clFinish". */
bool es_cl_worked(es_cl_device *d, cl_int code, const char *call, es_error *err);

/* ---- the program of all kernels (program.c) ---- */

/* d->program and d->kernel: read from the user's cache folder, or compiled and left there.  ES_ERR_BACKEND with what the
 * compiler says. */
bool es_cl_program_open(es_cl_device *d, es_error *err);

/* ---- running kernels ---- */

/* An argument: `size` bytes at `at`; at NULL: so many bytes of local memory. */
typedef struct es_cl_arg {
    size_t size;
    const void *at;
} es_cl_arg;

#define ES_CL_ARG(value)                                                                           \
    {                                                                                              \
        sizeof(value), &(value)                                                                    \
    }

/* Send a kernel off.  global[i] is a multiple of local[i]; local NULL: as the driver likes.  dims 1..3. */
bool es_cl_run(es_cl_device *d, es_kernel kernel, int dims, const size_t *global,
               const size_t *local, const es_cl_arg *args, int n_args, es_error *err);
#define ES_CL_RUN(d, kernel, dims, global, local, err, ...)                                        \
    es_cl_run((d), (kernel), (dims), (global), (local), (const es_cl_arg[]){__VA_ARGS__},          \
              (int)(sizeof((const es_cl_arg[]){__VA_ARGS__}) / sizeof(es_cl_arg)), (err))

/* n rounded up to a multiple of `of`. */
static inline size_t es_cl_up(size_t n, size_t of)
{
    return (n + of - 1) / of * of;
}

/* ---- memory ---- */

/* Bytes on the device that are nobody's tensor, with what is at `from` (NULL: unset).  NULL: err.  Release with
 * es_cl_scratch_free as soon as what uses it is sent off. */
cl_mem es_cl_scratch(es_cl_device *d, size_t bytes, const void *from, es_error *err);
void es_cl_scratch_free(es_cl_device *d, cl_mem mem); /* NULL is fine */

/* Between host and device, waiting until it is done. */
bool es_cl_send(es_cl_device *d, cl_mem to, size_t at, size_t bytes, const void *from,
                es_error *err);
bool es_cl_fetch(es_cl_device *d, void *to, cl_mem from, size_t at, size_t bytes, es_error *err);

/* From one place on the device to another; the two do not overlap.  Waits for nothing. */
bool es_cl_move(es_cl_device *d, cl_mem to, size_t to_at, cl_mem from, size_t from_at, size_t bytes,
                es_error *err);

/* What was sent off begins now. */
bool es_cl_flush(es_cl_device *d, es_error *err);

static inline cl_mem es_cl_mem(const es_view *v)
{
    return v->buf->mem;
}

#endif
