// SPDX-License-Identifier: GPL-3.0-or-later
/* Pretended platforms and devices, and what they say of themselves. */
#include <string.h>

#include "fake_pretend.h"

struct _cl_platform_id {
    unsigned number;
};

struct _cl_device_id {
    unsigned number; /* among all */
};

static struct _cl_platform_id platforms[FAKE_MOST_DEVICES];
static struct _cl_device_id devices[FAKE_MOST_DEVICES];

cl_int fake_give(const void *what, size_t bytes, size_t room, void *out, size_t *n)
{
    if (n)
        *n = bytes;
    if (!out)
        return CL_SUCCESS;
    if (room < bytes)
        return CL_INVALID_VALUE;
    memcpy(out, what, bytes);
    return CL_SUCCESS;
}

cl_int fake_give_text(const char *text, size_t room, void *out, size_t *n)
{
    return fake_give(text, strlen(text) + 1, room, out, n);
}

cl_int fake_clGetPlatformIDs(cl_uint room, cl_platform_id *out, cl_uint *n)
{
    unsigned there = fake_now()->platforms;
    if (!there)
        return -1001;
    for (unsigned i = 0; out && i < room && i < there; i++) {
        platforms[i].number = i;
        out[i] = &platforms[i];
    }
    if (n)
        *n = there;
    return CL_SUCCESS;
}

static bool is_platform(cl_platform_id p)
{
    return p >= platforms && p < platforms + fake_now()->platforms;
}

cl_int fake_clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room,
                              void *out, size_t *n)
{
    if (!is_platform(platform))
        return CL_INVALID_PLATFORM;
    switch (what) {
    case CL_PLATFORM_NAME: return fake_give_text("Pretence", room, out, n);
    case CL_PLATFORM_VENDOR: return fake_give_text("the tests", room, out, n);
    case CL_PLATFORM_VERSION: return fake_give_text("OpenCL 1.2 Pretence", room, out, n);
    default: return CL_INVALID_VALUE;
    }
}

cl_int fake_clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint room,
                           cl_device_id *out, cl_uint *n)
{
    unsigned there = fake_now()->devices;
    (void)type;
    if (!is_platform(platform))
        return CL_INVALID_PLATFORM;
    if (!there)
        return CL_DEVICE_NOT_FOUND;
    for (unsigned i = 0; out && i < room && i < there; i++) {
        unsigned k = platform->number * there + i;
        devices[k].number = k;
        out[i] = &devices[k];
    }
    if (n)
        *n = there;
    return CL_SUCCESS;
}

bool fake_is_device(cl_device_id d)
{
    return d >= devices && d < devices + fake_now()->platforms * fake_now()->devices;
}

/* Texts of a device; NULL: it is none. */
static const char *device_text(unsigned odd, cl_device_info what)
{
    switch (what) {
    case CL_DEVICE_NAME:
        return odd >> FAKE_RUDE & 1 ? "\x1b[31mred\x1b]0;title\x07 \xff\xfe GPU\n"
                                    : "Pretended GPU";
    case CL_DEVICE_VENDOR: return "the tests";
    case CL_DEVICE_VERSION: return odd >> FAKE_OLD & 1 ? "OpenCL 1.1 old" : "OpenCL 1.2 Pretence";
    case CL_DRIVER_VERSION: return "1.0";
    case CL_DEVICE_PROFILE: return odd >> FAKE_EMBEDDED & 1 ? "EMBEDDED_PROFILE" : "FULL_PROFILE";
    case CL_DEVICE_EXTENSIONS: return "";
    default: return NULL;
    }
}

cl_int fake_clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t room, void *out,
                            size_t *n)
{
    if (!fake_is_device(device))
        return CL_INVALID_DEVICE;
    unsigned odd = fake_now()->odd[device->number];
    const char *text = device_text(odd, what);
    if (text)
        return fake_give_text(text, room, out, n);
    switch (what) {
    case CL_DEVICE_TYPE:
        return GIVE(cl_device_type, odd >> FAKE_CPU & 1 ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_AVAILABLE: return GIVE(cl_bool, !(odd >> FAKE_UNAVAILABLE & 1));
    case CL_DEVICE_COMPILER_AVAILABLE: return GIVE(cl_bool, !(odd >> FAKE_NO_COMPILER & 1));
    case CL_DEVICE_ENDIAN_LITTLE: return GIVE(cl_bool, !(odd >> FAKE_BIG_ENDIAN & 1));
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE: return GIVE(cl_ulong, fake_now()->memory);
    case CL_DEVICE_LOCAL_MEM_TYPE: return GIVE(cl_device_local_mem_type, CL_LOCAL);
    case CL_DEVICE_LOCAL_MEM_SIZE: return GIVE(cl_ulong, 1 << 16);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: return GIVE(size_t, FAKE_MOST_GROUP);
    case CL_DEVICE_MAX_COMPUTE_UNITS: return GIVE(cl_uint, 4);
    case CL_DEVICE_SINGLE_FP_CONFIG:
        return GIVE(cl_device_fp_config, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT);
    default: return CL_INVALID_VALUE;
    }
}
