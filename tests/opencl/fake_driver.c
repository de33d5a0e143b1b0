// SPDX-License-Identifier: GPL-3.0-or-later
/* The functions that the program finds in the library: each is counted, fails if that is wanted, is passed on, is written down. */
#include <stdio.h>

#include "fake.h"

/* Some answer with a code. */
#define ASK(name, ...)                                                                             \
    fake_call call = fake_begin(FAKE_##name);                                                      \
    if (!call.chosen)                                                                              \
        call.code = fake_behind()->name(__VA_ARGS__);

/* Some with a handle, and a code by the way. */
#define MAKE(type, kind, name, ...)                                                                \
    cl_int said = CL_SUCCESS;                                                                      \
    fake_call call = fake_begin(FAKE_##name);                                                      \
    type made = call.chosen ? NULL : fake_behind()->name(__VA_ARGS__, &said);                      \
    call.code = call.chosen ? call.code : said;                                                    \
    fake_count(kind, made != NULL);                                                                \
    if (code)                                                                                      \
        *code = call.code;

/* Whoever is told that nothing was released cannot do better: it is released all the same. */
#define RELEASE(kind, name, handle)                                                                \
    fake_call call = fake_begin(FAKE_##name);                                                      \
    cl_int said = fake_behind()->name(handle);                                                     \
    fake_count(kind, said == CL_SUCCESS ? -1 : 0);                                                 \
    call.code = call.chosen ? call.code : said;

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *n)
{
    ASK(clGetPlatformIDs, room, out, n)
    return fake_end(&call, "%s", "");
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room, void *out,
                         size_t *n)
{
    ASK(clGetPlatformInfo, platform, what, room, out, n)
    return fake_end(&call, "0x%x", what);
}

cl_int clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *out,
                      cl_uint *n)
{
    ASK(clGetDeviceIDs, platform, type, room, out, n)
    return fake_end(&call, "%s", "");
}

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out, size_t *n)
{
    ASK(clGetDeviceInfo, device, what, room, out, n)
    return fake_end(&call, "0x%x", what);
}

cl_context clCreateContext(const cl_context_properties *how, cl_uint n, const cl_device_id *devices,
                           void (*notify)(const char *, const void *, size_t, void *), void *user,
                           cl_int *code)
{
    MAKE(cl_context, FAKE_CONTEXT, clCreateContext, how, n, devices, notify, user)
    fake_end(&call, "%s", "");
    return made;
}

cl_int clReleaseContext(cl_context context)
{
    RELEASE(FAKE_CONTEXT, clReleaseContext, context)
    return fake_end(&call, "%s", "");
}

cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                      cl_command_queue_properties how, cl_int *code)
{
    MAKE(cl_command_queue, FAKE_QUEUE, clCreateCommandQueue, context, device, how)
    fake_end(&call, "%s", "");
    return made;
}

cl_int clReleaseCommandQueue(cl_command_queue queue)
{
    RELEASE(FAKE_QUEUE, clReleaseCommandQueue, queue)
    return fake_end(&call, "%s", "");
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags how, size_t bytes, void *from, cl_int *code)
{
    MAKE(cl_mem, FAKE_BUFFER, clCreateBuffer, context, how, bytes, from)
    fake_end(&call, "%zu bytes%s", bytes, from ? " sent along" : "");
    return made;
}

cl_int clReleaseMemObject(cl_mem mem)
{
    RELEASE(FAKE_BUFFER, clReleaseMemObject, mem)
    return fake_end(&call, "%s", "");
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem from, cl_bool wait, size_t at,
                           size_t bytes, void *to, cl_uint n, const cl_event *after,
                           cl_event *event)
{
    ASK(clEnqueueReadBuffer, queue, from, wait, at, bytes, to, n, after, event)
    return fake_end(&call, "%zu bytes from %zu", bytes, at);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem to, cl_bool wait, size_t at,
                            size_t bytes, const void *from, cl_uint n, const cl_event *after,
                            cl_event *event)
{
    ASK(clEnqueueWriteBuffer, queue, to, wait, at, bytes, from, n, after, event)
    return fake_end(&call, "%zu bytes to %zu", bytes, at);
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_at,
                           size_t to_at, size_t bytes, cl_uint n, const cl_event *after,
                           cl_event *event)
{
    ASK(clEnqueueCopyBuffer, queue, from, to, from_at, to_at, bytes, n, after, event)
    return fake_end(&call, "%zu bytes from %zu to %zu", bytes, from_at, to_at);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **text,
                                     const size_t *length, cl_int *code)
{
    MAKE(cl_program, FAKE_PROGRAM, clCreateProgramWithSource, context, n, text, length)
    if (made)
        fake_know(made, "from source");
    fake_end(&call, "%s", "");
    return made;
}

cl_program clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *devices,
                                     const size_t *bytes, const unsigned char **binary,
                                     cl_int *state, cl_int *code)
{
    MAKE(cl_program, FAKE_PROGRAM, clCreateProgramWithBinary, context, n, devices, bytes, binary,
         state)
    if (made)
        fake_know(made, "from a binary");
    fake_end(&call, "%zu bytes", n == 1 ? bytes[0] : 0);
    return made;
}

cl_int clBuildProgram(cl_program program, cl_uint n, const cl_device_id *devices, const char *how,
                      void (*notify)(cl_program, void *), void *user)
{
    char text[FAKE_TEXT];
    ASK(clBuildProgram, program, n, devices, how, notify, user)
    return fake_end(&call, "%s %s", fake_recall(program, false, text), how ? how : "");
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what,
                             size_t room, void *out, size_t *n)
{
    ASK(clGetProgramBuildInfo, program, device, what, room, out, n)
    return fake_end(&call, "0x%x", what);
}

cl_int clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *out, size_t *n)
{
    ASK(clGetProgramInfo, program, what, room, out, n)
    return fake_end(&call, "0x%x", what);
}

cl_int clReleaseProgram(cl_program program)
{
    char text[FAKE_TEXT];
    fake_recall(program, true, text);
    RELEASE(FAKE_PROGRAM, clReleaseProgram, program)
    return fake_end(&call, "%s", text);
}

cl_kernel clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    MAKE(cl_kernel, FAKE_KERNEL, clCreateKernel, program, name)
    if (made)
        fake_know(made, name);
    fake_end(&call, "%s", name);
    return made;
}

cl_int clReleaseKernel(cl_kernel kernel)
{
    char text[FAKE_TEXT];
    fake_recall(kernel, true, text);
    RELEASE(FAKE_KERNEL, clReleaseKernel, kernel)
    return fake_end(&call, "%s", text);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                cl_kernel_work_group_info what, size_t room, void *out, size_t *n)
{
    char text[FAKE_TEXT];
    ASK(clGetKernelWorkGroupInfo, kernel, device, what, room, out, n)
    return fake_end(&call, "%s 0x%x", fake_recall(kernel, false, text), what);
}

cl_int clSetKernelArg(cl_kernel kernel, cl_uint i, size_t bytes, const void *at)
{
    char text[FAKE_TEXT];
    ASK(clSetKernelArg, kernel, i, bytes, at)
    return fake_end(&call, "%s %u, %zu bytes%s", fake_recall(kernel, false, text), i, bytes,
                    at ? "" : " of local memory");
}

/* "64x8" */
static const char *sizes(char out[FAKE_TEXT * 2], cl_uint dims, const size_t *of)
{
    int n = 0;
    out[0] = '\0';
    for (cl_uint i = 0; of && i < dims && i < 3; i++)
        n += snprintf(out + n, (size_t)(FAKE_TEXT * 2 - n), "%s%zu", i ? "x" : "", of[i]);
    return out;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                              const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *after, cl_event *event)
{
    char text[FAKE_TEXT], all[FAKE_TEXT * 2], group[FAKE_TEXT * 2];
    ASK(clEnqueueNDRangeKernel, queue, kernel, dims, offset, global, local, n, after, event)
    return fake_end(&call, "%s %s%s%s", fake_recall(kernel, false, text), sizes(all, dims, global),
                    local ? " by " : "", sizes(group, dims, local));
}

cl_int clFlush(cl_command_queue queue)
{
    ASK(clFlush, queue)
    return fake_end(&call, "%s", "");
}

cl_int clFinish(cl_command_queue queue)
{
    ASK(clFinish, queue)
    return fake_end(&call, "%s", "");
}
