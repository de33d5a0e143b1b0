// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/visible.h"

enum { MOST_PLATFORMS = 16, MOST_TEXT = 1024 };

/* ---- what a driver says of itself: bytes from elsewhere ---- */

/* out (of `room` bytes) = what was said, fit to be read; one line. */
static void keep(char *out, size_t room, const char *said)
{
    es_str shown = {0};
    size_t skip = strspn(said, " ");
    es_show_prose(&shown, said + skip, strlen(said + skip));
    const char *text = es_str_text(&shown);
    size_t n = strlen(text);
    n = n < room ? n : room - 1;
    while (n && text[n] != '\0' && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--; /* not in the middle of a letter */
    while (n && text[n - 1] == ' ')
        n--;
    memcpy(out, text, n);
    out[n] = '\0';
    es_str_free(&shown);
}

static bool platform_says(const es_cl *cl, cl_platform_id p, cl_platform_info what,
                          char said[MOST_TEXT])
{
    said[0] = '\0';
    bool ok = cl->clGetPlatformInfo(p, what, MOST_TEXT - 1, said, NULL) == CL_SUCCESS;
    said[MOST_TEXT - 1] = '\0';
    return ok;
}

static bool device_says(const es_cl *cl, cl_device_id d, cl_device_info what, char said[MOST_TEXT])
{
    said[0] = '\0';
    bool ok = cl->clGetDeviceInfo(d, what, MOST_TEXT - 1, said, NULL) == CL_SUCCESS;
    said[MOST_TEXT - 1] = '\0';
    return ok;
}

static bool device_has(const es_cl *cl, cl_device_id d, cl_device_info what)
{
    cl_bool has = CL_FALSE;
    return cl->clGetDeviceInfo(d, what, sizeof has, &has, NULL) == CL_SUCCESS && has;
}

/* "OpenCL 1.2 …" or later? */
static bool is_new_enough(const char *version)
{
    int major = 0, minor = 0;
    return sscanf(version, "OpenCL %d.%d", &major, &minor) == 2 &&
           (major > 1 || (major == 1 && minor >= 2));
}

/* Why it cannot be used; "" if it can. */
static void judge(const es_cl *cl, es_cl_found *f)
{
    char said[MOST_TEXT];
    char *why = f->shown.why;
    size_t room = sizeof f->shown.why;
    if (!device_says(cl, f->id, CL_DEVICE_VERSION, said) || !is_new_enough(said)) {
        char version[64];
        keep(version, sizeof version, said);
        snprintf(why, room, "OpenCL 1.2 is needed, and this is %s", *version ? version : "silent");
    } else if (device_says(cl, f->id, CL_DEVICE_PROFILE, said) &&
               strcmp(said, "FULL_PROFILE") != 0) {
        snprintf(why, room, "it has OpenCL's embedded profile, and the full one is needed");
    } else if (!device_has(cl, f->id, CL_DEVICE_AVAILABLE)) {
        snprintf(why, room, "its driver says that it is not available");
    } else if (!device_has(cl, f->id, CL_DEVICE_COMPILER_AVAILABLE)) {
        snprintf(why, room, "its driver has no compiler");
    } else if (!device_has(cl, f->id, CL_DEVICE_ENDIAN_LITTLE)) {
        snprintf(why, room, "its numbers lie the other way round (big-endian)");
    }
}

static void describe(const es_cl *cl, es_cl_found *f)
{
    char said[MOST_TEXT], platform[MOST_TEXT];
    char name[56], version[56];
    cl_ulong memory = 0;
    device_says(cl, f->id, CL_DEVICE_NAME, said);
    keep(f->shown.about, sizeof f->shown.about, said);
    platform_says(cl, f->platform, CL_PLATFORM_NAME, platform);
    device_says(cl, f->id, CL_DRIVER_VERSION, said);
    keep(name, sizeof name, platform);
    keep(version, sizeof version, said);
    snprintf(f->shown.driver, sizeof f->shown.driver, "%s%s%s", name, *version ? ", driver " : "",
             version);
    if (cl->clGetDeviceInfo(f->id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL) ==
        CL_SUCCESS)
        f->shown.memory = memory;
    cl->clGetDeviceInfo(f->id, CL_DEVICE_TYPE, sizeof f->type, &f->type, NULL);
    f->shown.emulated = (f->type & CL_DEVICE_TYPE_CPU) != 0;
    judge(cl, f);
}

/* ---- finding them ---- */

static int rank(const es_cl_found *f)
{
    int kind = f->type & CL_DEVICE_TYPE_GPU ? 0 : f->type & CL_DEVICE_TYPE_CPU ? 2 : 1;
    return kind + (*f->shown.why ? 3 : 0);
}

/* Those of equal rank keep the order in which the drivers have them. */
static void sort(es_cl_found *of, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && rank(&of[j]) < rank(&of[j - 1]); j--) {
            es_cl_found other = of[j];
            of[j] = of[j - 1];
            of[j - 1] = other;
        }
}

/* The devices of one platform, behind the n there are. */
static int find_on(const es_cl *cl, cl_platform_id platform, es_cl_found *out, int n)
{
    cl_device_id id[ES_MOST_DEVICES];
    cl_uint there = 0;
    cl_int code = cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, ES_MOST_DEVICES, id, &there);
    if (code != CL_SUCCESS)
        return n;
    for (cl_uint i = 0; i < there && i < ES_MOST_DEVICES && n < ES_MOST_DEVICES; i++) {
        out[n] = (es_cl_found){.platform = platform, .id = id[i]};
        describe(cl, &out[n++]);
    }
    return n;
}

int es_cl_find(const es_cl *cl, es_cl_found *out, es_error *err)
{
    cl_platform_id platform[MOST_PLATFORMS];
    cl_uint platforms = 0;
    cl_int code = cl->clGetPlatformIDs(MOST_PLATFORMS, platform, &platforms);
    int n = 0;
    for (cl_uint i = 0; code == CL_SUCCESS && i < platforms && i < MOST_PLATFORMS; i++)
        n = find_on(cl, platform[i], out, n);
    if (n) {
        sort(out, n);
        return n;
    }
    if (code != CL_SUCCESS && code != -1001)
        es_fail(err, ES_ERR_BACKEND, "OpenCL does not say what there is: clGetPlatformIDs said %s",
                es_cl_code(code));
    else if (code != CL_SUCCESS || !platforms)
        es_fail(err, ES_ERR_BACKEND,
                "there is an OpenCL loader, but no driver for it (CL_PLATFORM_NOT_FOUND_KHR)");
    else
        es_fail(err, ES_ERR_BACKEND, "OpenCL's driver knows no device (CL_DEVICE_NOT_FOUND)");
    es_hint(err,
            "try: the OpenCL driver of your card, or pocl-opencl-icd, a processor that poses as "
            "a GPU");
    return 0;
}

/* ---- for who lists them ---- */

static void say_none(es_devices *out, es_error *err)
{
    snprintf(out->none, sizeof out->none, "%s%s%s", err->message ? err->message : "",
             err->hint ? "; " : "", err->hint ? err->hint : "");
    es_error_free(err);
}

void es_cl_list(es_devices *out)
{
    es_error err = ES_ERROR_NONE;
    es_cl_found found[ES_MOST_DEVICES];
    const es_cl *cl = es_cl_load(&err);
    int n = cl ? es_cl_find(cl, found, &err) : 0;
    if (!n)
        say_none(out, &err);
    for (int i = 0; i < n && out->n < ES_MOST_DEVICES; i++) {
        es_device *d = &out->of[out->n++];
        *d = found[i].shown;
        snprintf(d->name, sizeof d->name, i ? "gpu:%d" : "gpu", i);
    }
}
