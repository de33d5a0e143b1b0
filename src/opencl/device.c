// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "opencl/clblast.h"
#include "opencl/listing.h"

/* ---- failures ---- */

/* Codes that say there is too little memory, where the call is one that asks for some.  Of what has been sent off already
 * CL_OUT_OF_RESOURCES is also what drivers say when a kernel has gone astray. */
static bool is_shortage(cl_int code, const char *call)
{
    bool waits = !strcmp(call, "clFinish") || !strcmp(call, "clFlush") ||
                 !strncmp(call, "clEnqueueRead", 13);
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_HOST_MEMORY ||
           code == CL_INVALID_BUFFER_SIZE || (code == CL_OUT_OF_RESOURCES && !waits);
}

static bool fail_shortage(es_cl_device *d, cl_int code, const char *call, es_error *err)
{
    const double MB = 1e6;
    d->be->full = true;
    es_fail(err, ES_ERR_NOMEM, "the device %s has no memory left: %s said %s", d->be->name, call,
            es_cl_code(code));
    return es_hint(err,
                   "it has %.0f MB, of which %.1f MB are tensors here; other programs may hold the "
                   "rest",
                   (double)d->memory / MB, (double)d->be->in_use / MB);
}

bool es_cl_worked(es_cl_device *d, cl_int code, const char *call, es_error *err)
{
    if (code == CL_SUCCESS)
        return true;
    if (is_shortage(code, call))
        return fail_shortage(d, code, call, err);
    d->be->lost = true;
    return es_fail(err, ES_ERR_BACKEND, "the device %s failed: %s said %s", d->be->name, call,
                   es_cl_code(code));
}

/* ---- opening and closing ---- */

static bool choose(es_cl_device *d, es_cl_found *found, int *n, es_error *err)
{
    int number = d->be->number;
    d->cl = es_cl_load(err);
    *n = d->cl ? es_cl_find(d->cl, found, err) : 0;
    if (!*n)
        return es_hint(err,
                       "sim is the cpu's memory under another name: mixing the two fails as it "
                       "would with a GPU");
    if (number >= *n) {
        es_fail(err, ES_ERR_BACKEND, "there is no device %s: OpenCL has %d", d->be->name, *n);
        return es_hint(err, "try: gpu%s; :device lists them", *n > 1 ? " or gpu:1" : "");
    }
    if (*found[number].shown.why)
        return es_fail(err, ES_ERR_BACKEND, "the device %s (%s) cannot be used: %s", d->be->name,
                       found[number].shown.about, found[number].shown.why);
    d->id = found[number].id;
    return true;
}

static void learn_limits(es_cl_device *d)
{
    cl_device_local_mem_type kind = CL_GLOBAL;
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof kind, &kind, NULL);
    d->fast_local = kind == CL_LOCAL;
    d->most_group = 1;
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof d->most_group,
                           &d->most_group, NULL);
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof d->memory, &d->memory, NULL);
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof d->most_buffer,
                           &d->most_buffer, NULL);
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof d->local_bytes, &d->local_bytes,
                           NULL);
    d->clblast = es_clblast_open(d);
}

static bool open_queue(es_cl_device *d, const es_cl_found *found, es_error *err)
{
    const cl_context_properties on[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)found->platform,
                                        0};
    cl_int code;
    d->context = d->cl->clCreateContext(on, 1, &d->id, NULL, NULL, &code);
    if (!es_cl_worked(d, code, "clCreateContext", err))
        return false;
    d->queue = d->cl->clCreateCommandQueue(d->context, d->id, 0, &code);
    return es_cl_worked(d, code, "clCreateCommandQueue", err);
}

bool es_cl_device_open(es_backend *be, es_error *err)
{
    es_cl_found found[ES_MOST_DEVICES];
    es_cl_device *d = es_alloc(sizeof *d);
    int n;
    be->priv = d;
    d->be = be;
    pthread_mutex_init(&d->lock, NULL);
    if (!choose(d, found, &n, err)) {
        es_cl_device_close(be);
        return false;
    }
    learn_limits(d);
    const es_device *shown = &found[be->number].shown;
    snprintf(be->about, sizeof be->about, "%s, %.0f MB%s%s", shown->about, (double)d->memory / 1e6,
             d->clblast ? ", CLBlast" : "",
             shown->emulated ? ", a processor that poses as a GPU" : "");
    if (open_queue(d, &found[be->number], err) && es_cl_program_open(d, err))
        return true;
    es_cl_device_close(be);
    return false;
}

void es_cl_device_close(es_backend *be)
{
    es_cl_device *d = be->priv;
    if (d->queue && !be->lost)
        d->cl->clFinish(d->queue);
    for (int i = 0; i < ES_N_KERNELS; i++)
        if (d->kernel[i])
            d->cl->clReleaseKernel(d->kernel[i]);
    if (d->program)
        d->cl->clReleaseProgram(d->program);
    if (d->queue)
        d->cl->clReleaseCommandQueue(d->queue);
    if (d->context)
        d->cl->clReleaseContext(d->context);
    pthread_mutex_destroy(&d->lock);
    free(d);
    be->priv = NULL;
}

/* ---- memory ---- */

static bool fits(const es_cl_device *d, size_t bytes, es_error *err)
{
    const double MB = 1e6;
    if (bytes <= d->most_buffer || !d->most_buffer)
        return true;
    d->be->full = true;
    es_fail(err, ES_ERR_NOMEM, "%.0f MB at once are more than the device %s gives",
            (double)bytes / MB, d->be->name);
    return es_hint(err, "it has %.0f MB, and gives at most %.0f MB of it to one tensor",
                   (double)d->memory / MB, (double)d->most_buffer / MB);
}

cl_mem es_cl_scratch(es_cl_device *d, size_t bytes, const void *from, es_error *err)
{
    cl_int code;
    from = bytes ? from : NULL;
    bytes = bytes ? bytes : sizeof(float); /* none of 0 bytes is made */
    if (!es_backend_answers(d->be, err) || !fits(d, bytes, err))
        return NULL;
    cl_mem_flags how =
        CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0); /* waits for nothing */
    cl_mem mem = d->cl->clCreateBuffer(d->context, how, bytes, (void *)from, &code);
    return es_cl_worked(d, code, "clCreateBuffer", err) ? mem : NULL;
}

void es_cl_scratch_free(es_cl_device *d, cl_mem mem)
{
    if (mem)
        d->cl->clReleaseMemObject(mem);
}

bool es_cl_send(es_cl_device *d, cl_mem to, size_t at, size_t bytes, const void *from,
                es_error *err)
{
    if (!bytes)
        return true;
    return es_backend_answers(d->be, err) &&
           es_cl_worked(
               d,
               d->cl->clEnqueueWriteBuffer(d->queue, to, CL_TRUE, at, bytes, from, 0, NULL, NULL),
               "clEnqueueWriteBuffer", err);
}

bool es_cl_fetch(es_cl_device *d, void *to, cl_mem from, size_t at, size_t bytes, es_error *err)
{
    if (!bytes)
        return true;
    return es_backend_answers(d->be, err) &&
           es_cl_worked(
               d, d->cl->clEnqueueReadBuffer(d->queue, from, CL_TRUE, at, bytes, to, 0, NULL, NULL),
               "clEnqueueReadBuffer", err);
}

bool es_cl_move(es_cl_device *d, cl_mem to, size_t to_at, cl_mem from, size_t from_at, size_t bytes,
                es_error *err)
{
    if (!bytes)
        return true;
    return es_backend_answers(d->be, err) &&
           es_cl_worked(
               d,
               d->cl->clEnqueueCopyBuffer(d->queue, from, to, from_at, to_at, bytes, 0, NULL, NULL),
               "clEnqueueCopyBuffer", err);
}

bool es_cl_flush(es_cl_device *d, es_error *err)
{
    return es_backend_answers(d->be, err) &&
           es_cl_worked(d, d->cl->clFlush(d->queue), "clFlush", err);
}

/* ---- kernels ---- */

static bool set_arguments(es_cl_device *d, es_kernel kernel, const es_cl_arg *args, int n,
                          es_error *err)
{
    for (int i = 0; i < n; i++)
        if (!es_cl_worked(
                d, d->cl->clSetKernelArg(d->kernel[kernel], (cl_uint)i, args[i].size, args[i].at),
                "clSetKernelArg", err))
            return false;
    return true;
}

bool es_cl_run(es_cl_device *d, es_kernel kernel, int dims, const size_t *global,
               const size_t *local, const es_cl_arg *args, int n_args, es_error *err)
{
    if (!es_backend_answers(d->be, err))
        return false;
    pthread_mutex_lock(&d->lock);
    bool ok = set_arguments(d, kernel, args, n_args, err) &&
              es_cl_worked(d,
                           d->cl->clEnqueueNDRangeKernel(d->queue, d->kernel[kernel], (cl_uint)dims,
                                                         NULL, global, local, 0, NULL, NULL),
                           "clEnqueueNDRangeKernel", err);
    pthread_mutex_unlock(&d->lock);
    if (ok)
        es_backend_ran_there(d->be);
    return ok;
}
