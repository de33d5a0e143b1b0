// SPDX-License-Identifier: GPL-3.0-or-later
/* Pretended contexts, queues and memory. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fake_pretend.h"

struct _cl_context {
    fake_object o;
};

struct _cl_command_queue {
    fake_object o;
};

struct _cl_mem {
    fake_object o;
    size_t bytes;
    unsigned char *at;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_ulong in_use; /* bytes of buffers */

/* ---- contexts and queues ---- */

cl_context fake_clCreateContext(const cl_context_properties *how, cl_uint n, const cl_device_id *of,
                                void (*notify)(const char *, const void *, size_t, void *),
                                void *user, cl_int *code)
{
    (void)how;
    (void)notify;
    (void)user;
    if (n != 1 || !fake_is_device(*of))
        return fake_fail(code, CL_INVALID_DEVICE);
    return fake_make(FAKE_CONTEXT, sizeof(struct _cl_context));
}

cl_int fake_clReleaseContext(cl_context context)
{
    if (!fake_take(context, FAKE_CONTEXT))
        return CL_INVALID_CONTEXT;
    free(context);
    return CL_SUCCESS;
}

cl_command_queue fake_clCreateCommandQueue(cl_context context, cl_device_id device,
                                           cl_command_queue_properties how, cl_int *code)
{
    (void)how;
    if (!fake_is(context, FAKE_CONTEXT))
        return fake_fail(code, CL_INVALID_CONTEXT);
    if (!fake_is_device(device))
        return fake_fail(code, CL_INVALID_DEVICE);
    return fake_make(FAKE_QUEUE, sizeof(struct _cl_command_queue));
}

cl_int fake_clReleaseCommandQueue(cl_command_queue queue)
{
    if (!fake_take(queue, FAKE_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    free(queue);
    return CL_SUCCESS;
}

cl_int fake_clFlush(cl_command_queue queue)
{
    return fake_is(queue, FAKE_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

cl_int fake_clFinish(cl_command_queue queue)
{
    return fake_is(queue, FAKE_QUEUE) ? CL_SUCCESS : CL_INVALID_COMMAND_QUEUE;
}

/* ---- memory ---- */

/* So many bytes more, if they are there. */
static bool reserve(size_t bytes)
{
    pthread_mutex_lock(&lock);
    bool fits = in_use + bytes <= fake_now()->memory;
    in_use += fits ? bytes : 0;
    pthread_mutex_unlock(&lock);
    return fits;
}

static void give_back(size_t bytes)
{
    pthread_mutex_lock(&lock);
    in_use -= bytes;
    pthread_mutex_unlock(&lock);
}

cl_mem fake_clCreateBuffer(cl_context context, cl_mem_flags how, size_t bytes, void *from,
                           cl_int *code)
{
    if (!fake_is(context, FAKE_CONTEXT))
        return fake_fail(code, CL_INVALID_CONTEXT);
    if (!bytes || bytes > fake_now()->memory)
        return fake_fail(code, CL_INVALID_BUFFER_SIZE);
    if (!(how & CL_MEM_COPY_HOST_PTR) != !from)
        return fake_fail(code, CL_INVALID_HOST_PTR);
    unsigned char *at = reserve(bytes) ? calloc(1, bytes) : NULL;
    if (!at)
        return fake_fail(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    if (from)
        memcpy(at, from, bytes);
    cl_mem mem = fake_make(FAKE_BUFFER, sizeof *mem);
    mem->bytes = bytes;
    mem->at = at;
    return mem;
}

cl_int fake_clReleaseMemObject(cl_mem mem)
{
    if (!fake_take(mem, FAKE_BUFFER))
        return CL_INVALID_MEM_OBJECT;
    give_back(mem->bytes);
    free(mem->at);
    free(mem);
    return CL_SUCCESS;
}

/* May these bytes of it be touched? */
static cl_int judge(cl_command_queue queue, cl_mem mem, size_t at, size_t bytes)
{
    if (!fake_is(queue, FAKE_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!fake_is(mem, FAKE_BUFFER))
        return CL_INVALID_MEM_OBJECT;
    bool inside = bytes && at <= mem->bytes && bytes <= mem->bytes - at;
    return inside ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int fake_clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool wait, size_t at,
                                size_t bytes, void *to, cl_uint n, const cl_event *after,
                                cl_event *event)
{
    cl_int code = judge(queue, from, at, bytes);
    (void)wait;
    if (n || after || event)
        return CL_INVALID_EVENT_WAIT_LIST;
    if (code == CL_SUCCESS)
        memcpy(to, from->at + at, bytes);
    return code;
}

cl_int fake_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool wait, size_t at,
                                 size_t bytes, const void *from, cl_uint n, const cl_event *after,
                                 cl_event *event)
{
    cl_int code = judge(queue, to, at, bytes);
    (void)wait;
    if (n || after || event)
        return CL_INVALID_EVENT_WAIT_LIST;
    if (code == CL_SUCCESS)
        memcpy(to->at + at, from, bytes);
    return code;
}

cl_int fake_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
                                size_t to_at, size_t bytes, cl_uint n, const cl_event *after,
                                cl_event *event)
{
    cl_int code = judge(queue, from, from_at, bytes), other = judge(queue, to, to_at, bytes);
    if (n || after || event)
        return CL_INVALID_EVENT_WAIT_LIST;
    if (code != CL_SUCCESS || other != CL_SUCCESS)
        return code != CL_SUCCESS ? code : other;
    if (from == to && from_at < to_at + bytes && to_at < from_at + bytes)
        return CL_MEM_COPY_OVERLAP;
    memcpy(to->at + to_at, from->at + from_at, bytes);
    return CL_SUCCESS;
}
