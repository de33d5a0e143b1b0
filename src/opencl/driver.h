// SPDX-License-Identifier: GPL-3.0-or-later
/* The OpenCL loader, opened when a device is first asked for: the program is neither linked to it nor slowed by it.
 * This folder is the only home of CL/cl.h; without that header (ES_HAVE_OPENCL 0) there is no GPU. */
#ifndef ES_OPENCL_DRIVER_H
#define ES_OPENCL_DRIVER_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "base/error.h"

/* Every function we call, all of OpenCL 1.2. */
#define ES_CL_FUNCTIONS(X)                                                                         \
    X(clGetPlatformIDs)                                                                            \
    X(clGetPlatformInfo)                                                                           \
    X(clGetDeviceIDs)                                                                              \
    X(clGetDeviceInfo)                                                                             \
    X(clCreateContext)                                                                             \
    X(clReleaseContext)                                                                            \
    X(clCreateCommandQueue)                                                                        \
    X(clReleaseCommandQueue)                                                                       \
    X(clCreateBuffer)                                                                              \
    X(clReleaseMemObject)                                                                          \
    X(clEnqueueReadBuffer)                                                                         \
    X(clEnqueueWriteBuffer)                                                                        \
    X(clEnqueueCopyBuffer)                                                                         \
    X(clCreateProgramWithSource)                                                                   \
    X(clCreateProgramWithBinary)                                                                   \
    X(clBuildProgram)                                                                              \
    X(clGetProgramBuildInfo)                                                                       \
    X(clGetProgramInfo)                                                                            \
    X(clReleaseProgram)                                                                            \
    X(clCreateKernel)                                                                              \
    X(clReleaseKernel)                                                                             \
    X(clGetKernelWorkGroupInfo)                                                                    \
    X(clSetKernelArg)                                                                              \
    X(clEnqueueNDRangeKernel)                                                                      \
    X(clFlush)                                                                                     \
    X(clFinish)

#define ES_CL_MEMBER(name) __typeof__(&name) name;
typedef struct es_cl {
    ES_CL_FUNCTIONS(ES_CL_MEMBER)
    bool usual; /* it is the system's own loader, which CLBlast is linked to */
} es_cl;
#undef ES_CL_MEMBER

/* The loader, opened once a process: libOpenCL.so.1, or what EMBEDSCOPE_OPENCL names ("none": none).  NULL: err (ES_ERR_BACKEND) says why, and what
 * to install. */
const es_cl *es_cl_load(es_error *err);

/* "CL_OUT_OF_RESOURCES"; of a code nobody knows "OpenCL error -9999". */
const char *es_cl_code(cl_int code);

#endif
