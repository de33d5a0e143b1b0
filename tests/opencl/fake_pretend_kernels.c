// SPDX-License-Identifier: GPL-3.0-or-later
/* Pretended programs, which are their text, and kernels, which do nothing. */
#include <stdlib.h>
#include <string.h>

#include "fake_pretend.h"

#define BINARY "pretended binary\n"

struct _cl_program {
    fake_object o;
    bool built;
    size_t n;
    char *source; /* of n bytes and a zero */
};

struct _cl_kernel {
    fake_object o;
    bool is_set[FAKE_MOST_ARGS];
};

/* ---- programs ---- */

static cl_program keep_program(const char *text, size_t n)
{
    cl_program p = fake_make(FAKE_PROGRAM, sizeof *p);
    p->source = calloc(1, n + 1);
    if (!p->source)
        abort();
    memcpy(p->source, text, n);
    p->n = n;
    return p;
}

cl_program fake_clCreateProgramWithSource(cl_context context, cl_uint n, const char **text,
                                          const size_t *length, cl_int *code)
{
    if (!fake_is(context, FAKE_CONTEXT))
        return fake_fail(code, CL_INVALID_CONTEXT);
    if (n != 1 || !text || !*text)
        return fake_fail(code, CL_INVALID_VALUE);
    return keep_program(*text, length && *length ? *length : strlen(*text));
}

cl_program fake_clCreateProgramWithBinary(cl_context context, cl_uint n, const cl_device_id *of,
                                          const size_t *bytes, const unsigned char **binary,
                                          cl_int *state, cl_int *code)
{
    size_t head = strlen(BINARY);
    if (!fake_is(context, FAKE_CONTEXT))
        return fake_fail(code, CL_INVALID_CONTEXT);
    if (n != 1 || !fake_is_device(*of))
        return fake_fail(code, CL_INVALID_DEVICE);
    bool ours = *bytes >= head && !memcmp(*binary, BINARY, head);
    if (state)
        *state = ours ? CL_SUCCESS : CL_INVALID_BINARY;
    if (!ours)
        return fake_fail(code, CL_INVALID_BINARY);
    return keep_program((const char *)*binary + head, *bytes - head);
}

cl_int fake_clBuildProgram(cl_program program, cl_uint n, const cl_device_id *of, const char *how,
                           void (*notify)(cl_program, void *), void *user)
{
    (void)how;
    (void)notify;
    (void)user;
    if (!fake_is(program, FAKE_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (n != 1 || !fake_is_device(*of))
        return CL_INVALID_DEVICE;
    program->built = !fake_now()->build_fails;
    return program->built ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE;
}

/* Much, and not all of it text. */
static const char *build_log(void)
{
    static char log[100000];
    static const char line[] =
        "<source>:7:3: \x1b[31merror\x1b[0m: unknown type name \"half4\"\x07\xff\n";
    if (!fake_now()->build_fails)
        return "";
    for (size_t i = 0; i < sizeof log - 1; i++)
        log[i] = line[i % (sizeof line - 1)];
    return log;
}

cl_int fake_clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                  cl_program_build_info what, size_t room, void *out, size_t *n)
{
    if (!fake_is(program, FAKE_PROGRAM))
        return CL_INVALID_PROGRAM;
    if (!fake_is_device(device) || what != CL_PROGRAM_BUILD_LOG)
        return CL_INVALID_VALUE;
    return fake_give_text(build_log(), room, out, n);
}

cl_int fake_clGetProgramInfo(cl_program program, cl_program_info what, size_t room, void *out,
                             size_t *n)
{
    if (!fake_is(program, FAKE_PROGRAM))
        return CL_INVALID_PROGRAM;
    size_t head = strlen(BINARY);
    if (what == CL_PROGRAM_BINARY_SIZES)
        return GIVE(size_t, program->built ? head + program->n : 0);
    if (what != CL_PROGRAM_BINARIES || room < sizeof(unsigned char *))
        return CL_INVALID_VALUE;
    unsigned char *to = *(unsigned char **)out;
    if (to && program->built) {
        memcpy(to, BINARY, head);
        memcpy(to + head, program->source, program->n);
    }
    return CL_SUCCESS;
}

cl_int fake_clReleaseProgram(cl_program program)
{
    if (!fake_take(program, FAKE_PROGRAM))
        return CL_INVALID_PROGRAM;
    free(program->source);
    free(program);
    return CL_SUCCESS;
}

/* ---- kernels ---- */

cl_kernel fake_clCreateKernel(cl_program program, const char *name, cl_int *code)
{
    if (!fake_is(program, FAKE_PROGRAM))
        return fake_fail(code, CL_INVALID_PROGRAM);
    if (!program->built)
        return fake_fail(code, CL_INVALID_PROGRAM_EXECUTABLE);
    if (!strstr(program->source, name))
        return fake_fail(code, CL_INVALID_KERNEL_NAME);
    return fake_make(FAKE_KERNEL, sizeof(struct _cl_kernel));
}

cl_int fake_clReleaseKernel(cl_kernel kernel)
{
    if (!fake_take(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    free(kernel);
    return CL_SUCCESS;
}

cl_int fake_clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                     cl_kernel_work_group_info what, size_t room, void *out,
                                     size_t *n)
{
    (void)device;
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    return what == CL_KERNEL_WORK_GROUP_SIZE ? GIVE(size_t, FAKE_MOST_GROUP) : CL_INVALID_VALUE;
}

/* Which arguments a kernel takes nobody knows here. */
cl_int fake_clSetKernelArg(cl_kernel kernel, cl_uint i, size_t bytes, const void *at)
{
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    if (i >= FAKE_MOST_ARGS)
        return CL_INVALID_ARG_INDEX;
    if (!bytes)
        return CL_INVALID_ARG_SIZE;
    (void)at;
    kernel->is_set[i] = true;
    return CL_SUCCESS;
}

cl_int fake_clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                   const size_t *offset, const size_t *global, const size_t *local,
                                   cl_uint n, const cl_event *after, cl_event *event)
{
    size_t group = 1;
    (void)offset;
    if (!fake_is(queue, FAKE_QUEUE))
        return CL_INVALID_COMMAND_QUEUE;
    if (!fake_is(kernel, FAKE_KERNEL))
        return CL_INVALID_KERNEL;
    if (n || after || event)
        return CL_INVALID_EVENT_WAIT_LIST;
    if (!kernel->is_set[0])
        return CL_INVALID_KERNEL_ARGS;
    if (dims < 1 || dims > 3)
        return CL_INVALID_WORK_DIMENSION;
    for (cl_uint i = 0; i < dims; i++) {
        if (!global[i])
            return CL_INVALID_GLOBAL_WORK_SIZE;
        if (local && (!local[i] || global[i] % local[i]))
            return CL_INVALID_WORK_GROUP_SIZE;
        group *= local ? local[i] : 1;
    }
    return group <= FAKE_MOST_GROUP ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE;
}
