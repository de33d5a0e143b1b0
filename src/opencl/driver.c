// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/visible.h"

/* ---- the loader ---- */

static es_cl functions;
static bool there;
static es_str why = {0}; /* why not, as the linker has it */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(void *library)
{
#define FIND(name)                                                                                 \
    *(void **)(void *)&functions.name = dlsym(library, #name);                                     \
    if (!functions.name)                                                                           \
        return false;
    ES_CL_FUNCTIONS(FIND)
#undef FIND
    return true;
}

static void *open_usual(void)
{
    static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so",
                                        "/System/Library/Frameworks/OpenCL.framework/OpenCL"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

static const char *own_loader(void)
{
    return getenv("EMBEDSCOPE_OPENCL");
}

static void load(void)
{
    const char *own = own_loader(), *said = "EMBEDSCOPE_OPENCL says none";
    void *library = NULL;
    if (!own || strcmp(own, "none") != 0) {
        library = own ? dlopen(own, RTLD_NOW | RTLD_LOCAL) : open_usual();
        said = library ? "it lacks functions of OpenCL 1.2" : dlerror();
    }
    functions.usual = !own;
    there = library && find_functions(library);
    if (!there)
        es_show_prose(&why, said, strlen(said));
}

const es_cl *es_cl_load(es_error *err)
{
    pthread_once(&once, load);
    if (there)
        return &functions;
    es_fail(err, ES_ERR_BACKEND, "there is no OpenCL: %s", es_str_text(&why));
    es_hint(
        err,
        own_loader()
            ? "EMBEDSCOPE_OPENCL says which loader is used; without it libOpenCL.so.1 is looked for"
            : "try: your card's OpenCL driver and its loader (Debian: ocl-icd-libopencl1), or "
              "pocl-opencl-icd, a processor that poses as a GPU");
    return NULL;
}

/* ---- codes ---- */

#define CODES(X)                                                                                   \
    X(CL_DEVICE_NOT_FOUND)                                                                         \
    X(CL_DEVICE_NOT_AVAILABLE)                                                                     \
    X(CL_COMPILER_NOT_AVAILABLE)                                                                   \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE)                                                            \
    X(CL_OUT_OF_RESOURCES)                                                                         \
    X(CL_OUT_OF_HOST_MEMORY)                                                                       \
    X(CL_MEM_COPY_OVERLAP)                                                                         \
    X(CL_BUILD_PROGRAM_FAILURE)                                                                    \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET)                                                             \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)                                                \
    X(CL_INVALID_VALUE)                                                                            \
    X(CL_INVALID_DEVICE_TYPE)                                                                      \
    X(CL_INVALID_PLATFORM)                                                                         \
    X(CL_INVALID_DEVICE)                                                                           \
    X(CL_INVALID_CONTEXT)                                                                          \
    X(CL_INVALID_QUEUE_PROPERTIES)                                                                 \
    X(CL_INVALID_COMMAND_QUEUE)                                                                    \
    X(CL_INVALID_HOST_PTR)                                                                         \
    X(CL_INVALID_MEM_OBJECT)                                                                       \
    X(CL_INVALID_BINARY)                                                                           \
    X(CL_INVALID_BUILD_OPTIONS)                                                                    \
    X(CL_INVALID_PROGRAM)                                                                          \
    X(CL_INVALID_PROGRAM_EXECUTABLE)                                                               \
    X(CL_INVALID_KERNEL_NAME)                                                                      \
    X(CL_INVALID_KERNEL_DEFINITION)                                                                \
    X(CL_INVALID_KERNEL)                                                                           \
    X(CL_INVALID_ARG_INDEX)                                                                        \
    X(CL_INVALID_ARG_VALUE)                                                                        \
    X(CL_INVALID_ARG_SIZE)                                                                         \
    X(CL_INVALID_KERNEL_ARGS)                                                                      \
    X(CL_INVALID_WORK_DIMENSION)                                                                   \
    X(CL_INVALID_WORK_GROUP_SIZE)                                                                  \
    X(CL_INVALID_WORK_ITEM_SIZE)                                                                   \
    X(CL_INVALID_GLOBAL_OFFSET)                                                                    \
    X(CL_INVALID_EVENT_WAIT_LIST)                                                                  \
    X(CL_INVALID_EVENT)                                                                            \
    X(CL_INVALID_OPERATION)                                                                        \
    X(CL_INVALID_BUFFER_SIZE)                                                                      \
    X(CL_INVALID_GLOBAL_WORK_SIZE)

const char *es_cl_code(cl_int code)
{
    static _Thread_local char other[32];
    switch (code) {
#define NAME(code)                                                                                 \
    case code: return #code;
        CODES(NAME)
#undef NAME
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    default: snprintf(other, sizeof other, "OpenCL error %d", (int)code); return other;
    }
}
