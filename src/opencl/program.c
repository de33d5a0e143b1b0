// SPDX-License-Identifier: GPL-3.0-or-later
/* The program of all kernels.  What a driver makes of it is kept in the cache folder under a name made from the source and
 * from what the driver says of itself: kernels-SHA256.opencl. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/place.h"
#include "base/sha256.h"
#include "base/visible.h"
#include "opencl/device.h"

#define BEFORE "kernels-"
#define AFTER  ".opencl"
enum { MOST_FILES = 8, SHOWN_LOG = 400, MOST_TEXT = 1024 };

typedef struct head {
    char magic[8];
    uint64_t bytes, sum; /* of the driver's binary, which follows */
} head;

static const char magic[8] = "es ocl\n";

/* ---- how it is compiled, and what it is called then ---- */

/* Division and square root as IEEE has them where the device can: then its numbers are those of the cpu. */
static const char *options(const es_cl_device *d)
{
    cl_device_fp_config can = 0;
    d->cl->clGetDeviceInfo(d->id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof can, &can, NULL);
    return can & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
               ? "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
               : "-cl-std=CL1.2";
}

static void name_of(const es_cl_device *d, es_str *name)
{
    static const cl_device_info what[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION,
                                          CL_DRIVER_VERSION};
    const char *how = options(d);
    char sum[ES_SHA256_DIGITS + 1], said[MOST_TEXT] = {0};
    es_sha256_sum s;
    es_sha256_begin(&s);
    es_sha256_add(&s, es_kernels_source, strlen(es_kernels_source));
    es_sha256_add(&s, how, strlen(how) + 1);
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        memset(said, 0, sizeof said);
        d->cl->clGetDeviceInfo(d->id, what[i], sizeof said, said, NULL);
        es_sha256_add(&s, said, sizeof said);
    }
    es_sha256_end(sum, &s);
    es_str_add(name, BEFORE "%s" AFTER, sum);
}

/* ---- the cache ---- */

/* The driver's binary in a file of ours, or NULL. */
static const unsigned char *binary_in(const es_file *f, size_t *n)
{
    head h;
    if (f->size < sizeof h)
        return NULL;
    memcpy(&h, f->data, sizeof h);
    *n = f->size - sizeof h;
    bool whole = !memcmp(h.magic, magic, sizeof magic) && h.bytes == *n && *n &&
                 h.sum == es_checksum(f->data + sizeof h, *n);
    return whole ? f->data + sizeof h : NULL;
}

static bool build_binary(es_cl_device *d, const unsigned char *binary, size_t n)
{
    cl_int code, state = CL_SUCCESS;
    d->program =
        d->cl->clCreateProgramWithBinary(d->context, 1, &d->id, &n, &binary, &state, &code);
    if (code == CL_SUCCESS && state == CL_SUCCESS &&
        d->cl->clBuildProgram(d->program, 1, &d->id, options(d), NULL, NULL) == CL_SUCCESS)
        return true;
    if (code == CL_SUCCESS && d->program)
        d->cl->clReleaseProgram(d->program);
    d->program = NULL;
    return false;
}

static bool read_cache(es_cl_device *d, const char *name)
{
    es_str path = {0};
    es_file f;
    size_t n = 0;
    bool ok = es_place_user(&path, ES_XDG_CACHE, name, false, NULL) && !access(path.s, R_OK) &&
              es_file_is_plain("read", path.s, NULL) && es_file_open(&f, path.s, NULL);
    if (ok) {
        const unsigned char *binary = binary_in(&f, &n);
        ok = binary && build_binary(d, binary, n);
        es_file_close(&f);
    }
    es_str_free(&path);
    return ok;
}

static void keep(const void *binary, size_t n, const char *name)
{
    head h = {.bytes = n, .sum = es_checksum(binary, n)};
    memcpy(h.magic, magic, sizeof magic);
    const es_piece pieces[] = {{&h, sizeof h}, {binary, n}};
    es_str path = {0};
    if (es_place_user(&path, ES_XDG_CACHE, name, true, NULL) &&
        es_file_replace_pieces(path.s, pieces, 2, 0600, NULL, NULL))
        es_cache_tidy(path.s, BEFORE, AFTER, MOST_FILES);
    es_str_free(&path);
}

/* That it cannot be kept is no failure: the next start compiles again. */
static void write_cache(const es_cl_device *d, const char *name)
{
    size_t n = 0;
    if (d->cl->clGetProgramInfo(d->program, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL) !=
            CL_SUCCESS ||
        !n)
        return;
    unsigned char *binary = es_try_alloc(n, 1, "the kernels", NULL);
    if (binary && d->cl->clGetProgramInfo(d->program, CL_PROGRAM_BINARIES, sizeof binary, &binary,
                                          NULL) == CL_SUCCESS)
        keep(binary, n, name);
    free(binary);
}

/* ---- compiling ---- */

/* What the compiler says, its beginning, fit to be read; n: of how many bytes in all. */
static bool show_log(es_cl_device *d, es_str *shown, size_t *n)
{
    cl_program_build_info what = CL_PROGRAM_BUILD_LOG;
    *n = 0;
    d->cl->clGetProgramBuildInfo(d->program, d->id, what, 0, NULL, n);
    char *log = *n ? es_try_alloc(*n + 1, 1, "what the compiler says", NULL) : NULL;
    bool ok =
        log && d->cl->clGetProgramBuildInfo(d->program, d->id, what, *n, log, NULL) == CL_SUCCESS;
    if (ok) {
        *n = strnlen(log, *n);
        es_show_prose(shown, log, *n < SHOWN_LOG ? *n : SHOWN_LOG);
    }
    free(log);
    return ok && *n;
}

static bool fail_build(es_cl_device *d, cl_int code, es_error *err)
{
    size_t n;
    es_str shown = {0};
    es_fail(err, ES_ERR_BACKEND,
            "the kernels do not compile on the device %s: clBuildProgram said %s", d->be->name,
            es_cl_code(code));
    if (show_log(d, &shown, &n))
        es_hint(err, "its compiler says: %s%s", es_str_text(&shown), n > SHOWN_LOG ? " …" : "");
    es_hint(err, "a newer driver may help; the cpu computes the same");
    es_str_free(&shown);
    return false;
}

static bool build_source(es_cl_device *d, es_error *err)
{
    cl_int code;
    const char *source = es_kernels_source;
    d->program = d->cl->clCreateProgramWithSource(d->context, 1, &source, NULL, &code);
    if (!es_cl_worked(d, code, "clCreateProgramWithSource", err))
        return false;
    code = d->cl->clBuildProgram(d->program, 1, &d->id, options(d), NULL, NULL);
    return code == CL_SUCCESS || fail_build(d, code, err);
}

/* A kernel that wants many registers may be given fewer work-items a group than the device allows. */
static bool learn_group(es_cl_device *d, es_kernel kernel, es_error *err)
{
    size_t most = 1;
    cl_int code = d->cl->clGetKernelWorkGroupInfo(
        d->kernel[kernel], d->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (!es_cl_worked(d, code, "clGetKernelWorkGroupInfo", err))
        return false;
    if (kernel == ES_KERNEL_matmul_tiles)
        d->tiles = d->fast_local && most >= ES_CL_TILE_GROUP;
    else
        d->most_group = most < d->most_group ? most : d->most_group;
    return true;
}

static bool open_kernels(es_cl_device *d, es_error *err)
{
#define NAME(name) #name,
    static const char *const names[ES_N_KERNELS] = {ES_KERNELS(NAME)};
#undef NAME
    for (int i = 0; i < ES_N_KERNELS; i++) {
        cl_int code;
        d->kernel[i] = d->cl->clCreateKernel(d->program, names[i], &code);
        if (!es_cl_worked(d, code, "clCreateKernel", err) || !learn_group(d, (es_kernel)i, err))
            return false;
    }
    return true;
}

static void close_all(es_cl_device *d)
{
    for (int i = 0; i < ES_N_KERNELS; i++)
        if (d->kernel[i])
            d->cl->clReleaseKernel(d->kernel[i]);
    memset(d->kernel, 0, sizeof d->kernel);
    d->cl->clReleaseProgram(d->program);
    d->program = NULL;
}

/* All of it from the cache?  A driver may take a binary back that is none of its own, and then know no kernel in it. */
static bool open_kept(es_cl_device *d, const char *name)
{
    if (!read_cache(d, name))
        return false;
    bool ok = open_kernels(d, NULL);
    if (!ok) {
        close_all(d);
        d->be->lost = false;
    }
    return ok;
}

bool es_cl_program_open(es_cl_device *d, es_error *err)
{
    es_str name = {0};
    name_of(d, &name);
    bool kept = open_kept(d, name.s), ok = kept || (build_source(d, err) && open_kernels(d, err));
    if (ok && !kept)
        write_cache(d, name.s);
    es_str_free(&name);
    return ok;
}
