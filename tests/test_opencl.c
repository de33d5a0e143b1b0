// SPDX-License-Identifier: GPL-3.0-or-later
/* An OpenCL device whose driver fails, at each function and at each call: what the core says, and that nothing is left. */
#include <check.h>

Suite *opencl_suite(void);

#if ES_HAVE_OPENCL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/ops.h"
#include "opencl_env.h"
#include "support.h"

enum { LONG_TEST = 120, V = 8, T = 3, C = 4 };

static void setup(void)
{
    calm_environment();
    driver_is("%s", "");
}

/* ---- something of all that a device does ---- */

typedef struct work {
    es_tensor table, more, x, y, turned, square, one, best;
} work;

static bool make(work *w, es_backend *be, es_error *err)
{
    const es_shape table = es_shape_2d("", V, "", C), x = es_shape_3d("", 1, "", T, "", C),
                   square = es_shape_2d("", V, "", V), one = es_shape_2d("", V, "", 1);
    return es_tensor_new(&w->table, be, ES_FLOAT32, &table, err) &&
           es_tensor_new(&w->more, be, ES_FLOAT32, &table, err) &&
           es_tensor_new(&w->x, be, ES_FLOAT32, &x, err) &&
           es_tensor_new(&w->y, be, ES_FLOAT32, &x, err) &&
           es_tensor_new(&w->square, be, ES_FLOAT32, &square, err) &&
           es_tensor_new(&w->one, be, ES_FLOAT32, &one, err) &&
           es_tensor_new(&w->best, be, ES_FLOAT32, &one, err) &&
           es_tensor_transpose(&w->turned, &w->table, 0, 1, err);
}

static bool compute(work *w, es_error *err)
{
    static const int32_t ids[] = {7, 0, 7}, all[V] = {0, 1, 2, 3, 3, 5, 6, 7};
    float numbers[V * C] = {1, 2, 3};
    int64_t index[V];
    return es_tensor_write(&w->table, numbers, err) &&
           es_gather(&w->x, &w->table, ids, NULL, err) &&
           es_gather(&w->y, &w->table, ids, &w->x, err) && es_copy(&w->more, &w->table, err) &&
           es_scatter_add(&w->table, all, &w->more, err) &&
           es_map(ES_ADD, &w->y, &w->x, &w->y, err) && es_map(ES_EXP, &w->y, &w->y, NULL, err) &&
           es_matmul(&w->square, &w->table, &w->turned, err) &&
           es_softmax(&w->square, &w->square, 1, err) &&
           es_reduce(ES_REDUCE_SUM, &w->one, &w->square, 1, err) &&
           es_topk(&w->best, index, &w->square, err) && es_tensor_read(&w->turned, numbers, err);
}

/* Opens the device, computes, closes it.  Whatever happened, nothing is left. */
static bool go(es_error *err)
{
    work w = {0};
    es_backend *be = es_backend_open("gpu", 1, err);
    bool ok = be && make(&w, be, err) && compute(&w, err);
    es_tensor *const all[] = {&w.table, &w.more, &w.x, &w.y, &w.turned, &w.square, &w.one, &w.best};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        es_tensor_free(all[i]);
    if (be)
        ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
    demand(driver_alive() == 0, "%d things are not released: %s", driver_alive(),
           ok ? "" : err->message);
    return ok;
}

/* So that each start compiles, or each finds what the last one has left. */
static void forget_kernels(void)
{
    es_str command = {0};
    es_str_add(&command, "rm -rf '%s/.cache'", getenv("HOME"));
    ck_assert_int_eq(system(command.s), 0);
    es_str_free(&command);
}

/* Fails unless it went wrong as it should. */
static void check_error(bool ok, es_error *err, const char *how)
{
    demand(!ok, "%s: it worked all the same", how);
    demand(err->code == ES_ERR_BACKEND || err->code == ES_ERR_NOMEM, "%s: [%s] %s", how,
           es_code_name(err->code), err->message);
    demand(strstr(err->message, "device") || strstr(err->message, "OpenCL"), "%s: %s", how,
           err->message);
}

START_TEST(all_works_where_nothing_fails)
{
    es_error err = ES_ERROR_NONE;
    for (int i = 0; i < 2; i++) {
        driver_is("%s", "");
        ck_assert_works(go(&err), err);
        ck_assert_int_eq(logged("clBuildProgram from source"), i == 0);
        ck_assert_int_eq(logged("clBuildProgram from a binary"), i == 1);
    }
    static const char *const kernels[] = {"gather",       "copy",        "scatter_add",
                                          "map1",         "map2",        "matmul_tiles",
                                          "softmax_rows", "reduce_rows", "topk_take"};
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char line[64];
        snprintf(line, sizeof line, "clEnqueueNDRangeKernel %s", kernels[i]);
        demand(logged(line) > 0, "no %s in:\n%.1500s", kernels[i], whole_log());
    }
}
END_TEST

/* ---- at each function, with each code ---- */

static const int codes[] = {-1, -4, -5, -6, -11, -36, -1001, -9999};
enum { N_CODES = sizeof codes / sizeof *codes };

/* Those whose failure loses nothing: what is asked about a device, kernels that were kept, what is released. */
static bool is_harmless(const char *function)
{
    static const char *const names[] = {"clGetPlatformInfo",         "clGetProgramInfo",
                                        "clCreateProgramWithBinary", "clGetProgramBuildInfo",
                                        "clGetKernelWorkGroupInfo",  "clFinish"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], function))
            return true;
    return !strncmp(function, "clRelease", 9) || !strcmp(function, "clGetDeviceInfo");
}

/* Its n-th call of this function fails. */
static void fail_once(const char *function, unsigned long n, int code)
{
    char how[128];
    es_error err = ES_ERROR_NONE;
    snprintf(how, sizeof how, "fail=%s:%lu:%d", function, n, code);
    driver_is("%s", how);
    bool ok = go(&err);
    demand(ok || driver_calls(function) >= n, "%s: another call failed: %s", how, err.message);
    if (!is_harmless(function))
        check_error(ok, &err, how);
    es_error_free(&err);
}

START_TEST(each_function_may_fail)
{
    unsigned long calls[64];
    es_error err = ES_ERROR_NONE;
    forget_kernels();
    driver_is("%s", "");
    ck_assert_works(go(&err), err);
    for (unsigned long f = 0; f < driver_n_functions(); f++)
        calls[f] = driver_calls(driver_function_name(f));
    for (unsigned long f = 0; f < driver_n_functions(); f++)
        for (int c = 0; calls[f] && c < N_CODES; c++) {
            forget_kernels();
            fail_once(driver_function_name(f), 1, codes[c]);
            forget_kernels();
            fail_once(driver_function_name(f), 1 + calls[f] / 2, codes[c]);
        }
}
END_TEST

/* From one call on all of them fail: the device is gone. */
START_TEST(a_device_may_be_gone_at_each_call)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(go(&err), err); /* the kernels are compiled */
    driver_is("%s", "");
    ck_assert_works(go(&err), err);
    unsigned long n = driver_calls("*");
    for (unsigned long i = 1; i <= n; i++)
        for (int once = 0; once < 2; once++) {
            driver_is("fail=*:%lu%s:%d", i, once ? "" : "+", i % 2 ? -36 : -9999);
            if (!go(&err))
                check_error(false, &err, "gone");
            es_error_free(&err);
        }
}
END_TEST

/* ---- messages ---- */

#define CHECK_GO(words, want_code, message)                                                        \
    do {                                                                                           \
        es_error err = ES_ERROR_NONE;                                                              \
        driver_is("%s", words);                                                                    \
        ck_assert_fails(go(&err), err, want_code, message);                                        \
    } while (0)

START_TEST(what_fails_is_said)
{
    CHECK_GO("platforms=0", ES_ERR_BACKEND,
             "there is an OpenCL loader, but no driver for it (CL_PLATFORM_NOT_FOUND_KHR)");
    CHECK_GO("devices=0", ES_ERR_BACKEND, "OpenCL's driver knows no device (CL_DEVICE_NOT_FOUND)");
    CHECK_GO("fail=clGetPlatformIDs:1:-6", ES_ERR_BACKEND,
             "OpenCL does not say what there is: clGetPlatformIDs said CL_OUT_OF_HOST_MEMORY");
    CHECK_GO("fail=clCreateContext:1:-2", ES_ERR_BACKEND,
             "the device gpu failed: clCreateContext said CL_DEVICE_NOT_AVAILABLE");
    CHECK_GO("fail=clCreateCommandQueue:1:-6", ES_ERR_NOMEM,
             "the device gpu has no memory left: clCreateCommandQueue said CL_OUT_OF_HOST_MEMORY");
    CHECK_GO("fail=clCreateBuffer:2:-4", ES_ERR_NOMEM,
             "the device gpu has no memory left: clCreateBuffer said "
             "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    forget_kernels();
    CHECK_GO("fail=clCreateKernel:1:-46", ES_ERR_BACKEND,
             "the device gpu failed: clCreateKernel said CL_INVALID_KERNEL_NAME");
    CHECK_GO("fail=clEnqueueNDRangeKernel:1:-5", ES_ERR_NOMEM,
             "the device gpu has no memory left: clEnqueueNDRangeKernel said CL_OUT_OF_RESOURCES");
    CHECK_GO("fail=clEnqueueReadBuffer:1:-5", ES_ERR_BACKEND,
             "the device gpu failed: clEnqueueReadBuffer said CL_OUT_OF_RESOURCES");
    CHECK_GO("fail=clEnqueueReadBuffer:1+:-9999", ES_ERR_BACKEND,
             "the device gpu failed: clEnqueueReadBuffer said OpenCL error -9999");
    CHECK_GO("memory=200", ES_ERR_NOMEM,
             "the device gpu has no memory left: clCreateBuffer said "
             "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    CHECK_GO("memory=100", ES_ERR_NOMEM, "0 MB at once are more than the device gpu gives");
}
END_TEST

START_TEST(kernels_that_do_not_compile_bring_what_the_compiler_says)
{
    es_error err = ES_ERROR_NONE;
    driver_is("build=fail");
    ck_assert(!go(&err));
    ck_assert_int_eq(err.code, ES_ERR_BACKEND);
    ck_assert_str_eq(err.message, "the kernels do not compile on the device gpu: clBuildProgram "
                                  "said CL_BUILD_PROGRAM_FAILURE");
    static const char begin[] = "its compiler says: <source>:7:3: ";
    ck_assert_msg(!strncmp(err.hint, begin, strlen(begin)), "%s", err.hint);
    for (const char *c = err.hint; *c; c++)
        demand(*c == '\n' || (unsigned char)*c >= ' ', "a control byte in %s", err.hint);
    ck_assert_uint_lt(strlen(err.hint), 2000);
    ck_assert_ptr_nonnull(strstr(err.hint, "a newer driver may help; the cpu computes the same"));
    es_error_free(&err);
}
END_TEST

/* ---- which device ---- */

static void check_list(const char *words, const char *const *lines)
{
    es_devices all;
    int n = 0;
    driver_is("%s", words);
    es_devices_list(&all);
    for (int i = 0; i < all.n; i++) {
        char line[512];
        const es_device *d = &all.of[i];
        if (!es_device_is_gpu(d->name))
            continue;
        snprintf(line, sizeof line, "%s: %s, %s%s%s", d->name, d->about, d->driver,
                 *d->why ? ": " : "", d->why);
        demand(lines[n], "one more: %s", line);
        ck_assert_str_eq(line, lines[n++]);
    }
    ck_assert_ptr_null(lines[n]);
}
#define CHECK_LIST(words, ...) check_list(words, (const char *const[]){__VA_ARGS__, NULL})

START_TEST(devices_that_cannot_be_used_are_listed_last)
{
    CHECK_LIST("devices=1", "gpu: Pretended GPU, Pretence, driver 1.0");
    CHECK_LIST(
        "devices=4,device=0:no-compiler,device=2:embedded,device=3:cpu",
        "gpu: Pretended GPU, Pretence, driver 1.0", "gpu:1: Pretended GPU, Pretence, driver 1.0",
        "gpu:2: Pretended GPU, Pretence, driver 1.0: its driver has no compiler",
        "gpu:3: Pretended GPU, Pretence, driver 1.0: it has OpenCL's embedded profile, and the "
        "full one is needed");
    CHECK_LIST(
        "devices=3,device=0:old,device=1:unavailable,device=2:big-endian",
        "gpu: Pretended GPU, Pretence, driver 1.0: OpenCL 1.2 is needed, and this is OpenCL "
        "1.1 old",
        "gpu:1: Pretended GPU, Pretence, driver 1.0: its driver says that it is not available",
        "gpu:2: Pretended GPU, Pretence, driver 1.0: its numbers lie the other way round "
        "(big-endian)");
}
END_TEST

START_TEST(a_name_that_is_no_text_is_made_fit_to_be_read)
{
    es_devices all;
    driver_is("device=0:rude");
    es_devices_list(&all);
    const char *about = all.of[all.n - 1].about;
    ck_assert_ptr_nonnull(strstr(about, "GPU"));
    for (const char *c = about; *c; c++)
        demand((unsigned char)*c >= ' ' && *c != '\x7f', "a control byte in %s", about);
}
END_TEST

START_TEST(one_that_cannot_be_used_is_not_opened)
{
    es_error err = ES_ERROR_NONE;
    driver_is("devices=2,device=1:no-compiler");
    ck_assert_fails(es_backend_open("gpu:1", 1, &err), err, ES_ERR_BACKEND,
                    "the device gpu:1 (Pretended GPU) cannot be used: its driver has no compiler");
    ck_assert_fails(es_backend_open("gpu:2", 1, &err), err, ES_ERR_BACKEND,
                    "there is no device gpu:2: OpenCL has 2");
    ck_assert_int_eq(driver_alive(), 0);
}
END_TEST

/* ---- the kept kernels ---- */

/* Writes bytes over all that is kept. */
static void damage(const char *what)
{
    es_str command = {0};
    es_str_add(&command, "for f in \"$HOME\"/.cache/embedscope/kernels-*; do %s; done", what);
    ck_assert_int_eq(system(command.s), 0);
    es_str_free(&command);
}

START_TEST(what_is_kept_and_wrong_is_compiled_anew)
{
    static const char *const damages[] = {
        ": > \"$f\"",
        "head -c 100 \"$f\" > \"$f.2\" && mv \"$f.2\" \"$f\"",
        "printf x | dd of=\"$f\" bs=1 seek=500 conv=notrunc 2> /dev/null",
        "rm \"$f\" && mkdir \"$f\"",
        "rm -r \"$f\" && mkfifo \"$f\"",
    };
    es_error err = ES_ERROR_NONE;
    ck_assert_works(go(&err), err);
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        damage(damages[i]);
        driver_is("%s", "");
        ck_assert_works(go(&err), err);
        demand(logged("clBuildProgram from source") == 1, "%s:\n%.1500s", damages[i], whole_log());
    }
}
END_TEST

START_TEST(kernels_the_driver_does_not_take_back_are_compiled_anew)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(go(&err), err);
    driver_is("fail=clCreateProgramWithBinary:1:-42");
    ck_assert_works(go(&err), err);
    ck_assert_int_eq(logged("clBuildProgram from source"), 1);
    driver_is("fail=clBuildProgram:1:-11");
    ck_assert_works(go(&err), err);
    ck_assert_int_eq(logged("clBuildProgram from a binary"), 1);
    ck_assert_int_eq(logged("clBuildProgram from source"), 1);
    driver_is("fail=clCreateKernel:3:-46");
    ck_assert_works(go(&err), err);
    ck_assert_int_eq(logged("clBuildProgram from source"), 1);
}
END_TEST
#endif

Suite *opencl_suite(void)
{
    Suite *s = suite_create("opencl");
    TCase *tc = tcase_create("opencl");
#if ES_HAVE_OPENCL
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_set_timeout(tc, LONG_TEST);
    tcase_add_test(tc, all_works_where_nothing_fails);
    tcase_add_test(tc, each_function_may_fail);
    tcase_add_test(tc, a_device_may_be_gone_at_each_call);
    tcase_add_test(tc, what_fails_is_said);
    tcase_add_test(tc, kernels_that_do_not_compile_bring_what_the_compiler_says);
    tcase_add_test(tc, devices_that_cannot_be_used_are_listed_last);
    tcase_add_test(tc, a_name_that_is_no_text_is_made_fit_to_be_read);
    tcase_add_test(tc, one_that_cannot_be_used_is_not_opened);
    tcase_add_test(tc, what_is_kept_and_wrong_is_compiled_anew);
    tcase_add_test(tc, kernels_the_driver_does_not_take_back_are_compiled_anew);
#endif
    suite_add_tcase(s, tc);
    return s;
}
