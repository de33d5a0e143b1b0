// SPDX-License-Identifier: GPL-3.0-or-later
/* The OpenCL driver that other tests rely on: what it pretends, where it fails, what it writes down. */
#include <check.h>

Suite *fake_driver_suite(void);

#if ES_HAVE_OPENCL
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "opencl/driver.h"
#include "opencl_env.h"
#include "support.h"

static es_cl cl;
static cl_platform_id platform[8];
static cl_device_id device[8];
static cl_uint n;
static cl_int code;

static void setup(void)
{
    calm_environment();
    driver_is("%s", "");
#define FIND(name) *(void **)(void *)&cl.name = driver_function(#name);
    ES_CL_FUNCTIONS(FIND)
#undef FIND
}

/* A context on the first device. */
static cl_context open_context(void)
{
    ck_assert_int_eq(cl.clGetPlatformIDs(8, platform, &n), CL_SUCCESS);
    ck_assert_int_eq(cl.clGetDeviceIDs(platform[0], CL_DEVICE_TYPE_ALL, 8, device, &n), CL_SUCCESS);
    cl_context context = cl.clCreateContext(NULL, 1, device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return context;
}

static const char *says(cl_device_id of, cl_device_info what)
{
    static char said[256];
    ck_assert_int_eq(cl.clGetDeviceInfo(of, what, sizeof said, said, NULL), CL_SUCCESS);
    return said;
}

START_TEST(there_is_what_the_words_say)
{
    ck_assert_int_eq(cl.clGetPlatformIDs(8, platform, &n), CL_SUCCESS);
    ck_assert_uint_eq(n, 1);
    driver_is("platforms=0");
    ck_assert_int_eq(cl.clGetPlatformIDs(8, platform, &n), -1001);
    driver_is("platforms=2,devices=2,device=1:no-compiler,device=3:embedded,device=3:cpu");
    ck_assert_int_eq(cl.clGetPlatformIDs(8, platform, &n), CL_SUCCESS);
    ck_assert_uint_eq(n, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(cl.clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 8, device + 2 * i, &n),
                         CL_SUCCESS);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(says(device[0], CL_DEVICE_NAME), "Pretended GPU");
    ck_assert_str_eq(says(device[2], CL_DEVICE_PROFILE), "FULL_PROFILE");
    ck_assert_str_eq(says(device[3], CL_DEVICE_PROFILE), "EMBEDDED_PROFILE");
    ck_assert(!*(const cl_bool *)(const void *)says(device[1], CL_DEVICE_COMPILER_AVAILABLE));
    driver_is("devices=0");
    ck_assert_int_eq(cl.clGetDeviceIDs(platform[0], CL_DEVICE_TYPE_ALL, 8, device, &n),
                     CL_DEVICE_NOT_FOUND);
}
END_TEST

START_TEST(bytes_go_there_and_come_back)
{
    char text[] = "the cat sat", other[sizeof text] = {0};
    cl_context context = open_context();
    cl_command_queue queue = cl.clCreateCommandQueue(context, device[0], 0, &code);
    cl_mem a = cl.clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof text, text, &code),
           b = cl.clCreateBuffer(context, 0, 64, NULL, &code);
    ck_assert_int_eq(driver_alive(), 4);
    ck_assert_int_eq(cl.clEnqueueCopyBuffer(queue, a, b, 4, 7, 8, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl.clEnqueueWriteBuffer(queue, b, CL_TRUE, 7, 1, "b", 0, NULL, NULL), 0);
    ck_assert_int_eq(cl.clEnqueueReadBuffer(queue, b, CL_TRUE, 7, 8, other, 0, NULL, NULL), 0);
    ck_assert_str_eq(other, "bat sat");
    ck_assert_int_eq(cl.clEnqueueReadBuffer(queue, b, CL_TRUE, 57, 8, other, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(cl.clEnqueueCopyBuffer(queue, b, b, 0, 4, 8, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(cl.clReleaseMemObject(a), CL_SUCCESS);
    ck_assert_int_eq(cl.clReleaseMemObject(a), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(driver_alive(), 3);
    ck_assert_int_eq(cl.clReleaseMemObject(b), CL_SUCCESS);
    ck_assert_int_eq(cl.clReleaseCommandQueue(queue), CL_SUCCESS);
    ck_assert_int_eq(cl.clReleaseContext(context), CL_SUCCESS);
    ck_assert_int_eq(driver_alive(), 0);
}
END_TEST

START_TEST(memory_comes_to_an_end)
{
    driver_is("memory=1000");
    cl_context context = open_context();
    cl_mem a = cl.clCreateBuffer(context, 0, 600, NULL, &code);
    ck_assert_ptr_nonnull(a);
    ck_assert_ptr_null(cl.clCreateBuffer(context, 0, 600, NULL, &code));
    ck_assert_int_eq(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_ptr_null(cl.clCreateBuffer(context, 0, 1001, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
    cl.clReleaseMemObject(a);
    a = cl.clCreateBuffer(context, 0, 1000, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl.clReleaseMemObject(a);
    cl.clReleaseContext(context);
}
END_TEST

START_TEST(programs_and_kernels_are_what_they_were_made_from)
{
    static const char *source = "kernel void twice(global float *x) {}";
    unsigned char binary[128], *to = binary;
    const unsigned char *from = binary;
    size_t bytes, global = 8, local = 3;
    cl_context context = open_context();
    cl_command_queue queue = cl.clCreateCommandQueue(context, device[0], 0, &code);
    cl_program p = cl.clCreateProgramWithSource(context, 1, &source, NULL, &code);
    ck_assert_int_eq(cl.clBuildProgram(p, 1, device, "-w", NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(cl.clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, 8, &bytes, NULL), 0);
    ck_assert_int_eq(cl.clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof to, &to, NULL), 0);
    cl.clReleaseProgram(p);
    p = cl.clCreateProgramWithBinary(context, 1, device, &bytes, &from, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_null(cl.clCreateKernel(p, "twice", &code)); /* not yet */
    ck_assert_int_eq(code, CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(cl.clBuildProgram(p, 1, device, "-w", NULL, NULL), CL_SUCCESS);
    ck_assert_ptr_null(cl.clCreateKernel(p, "thrice", &code));
    ck_assert_int_eq(code, CL_INVALID_KERNEL_NAME);
    cl_kernel k = cl.clCreateKernel(p, "twice", &code);
    ck_assert_int_eq(cl.clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL),
                     CL_INVALID_KERNEL_ARGS);
    ck_assert_int_eq(cl.clSetKernelArg(k, 0, sizeof context, &context), CL_SUCCESS);
    ck_assert_int_eq(cl.clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(cl.clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL), 0);
    cl.clReleaseKernel(k);
    cl.clReleaseProgram(p);
    ck_assert_int_eq(logged("clBuildProgram from source -w = 0\n"), 1);
    ck_assert_int_eq(logged("clBuildProgram from a binary -w = 0\n"), 1);
    ck_assert_int_eq(logged("clEnqueueNDRangeKernel twice 8 = 0\n"), 1);
    ck_assert_int_eq(logged("clEnqueueNDRangeKernel twice 8 by 3 = -54\n"), 1);
    memcpy(binary, "wrong", 5);
    ck_assert_ptr_null(
        cl.clCreateProgramWithBinary(context, 1, device, &bytes, &from, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_BINARY);
    cl.clReleaseCommandQueue(queue);
    cl.clReleaseContext(context);
    ck_assert_int_eq(driver_alive(), 0);
}
END_TEST

START_TEST(a_compiler_may_fail_and_say_much)
{
    static const char *source = "kernel void twice(global float *x) {}";
    static char log[100000];
    driver_is("build=fail");
    cl_context context = open_context();
    cl_program p = cl.clCreateProgramWithSource(context, 1, &source, NULL, &code);
    ck_assert_int_eq(cl.clBuildProgram(p, 1, device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(
        cl.clGetProgramBuildInfo(p, device[0], CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(strlen(log), sizeof log - 1);
    ck_assert_ptr_nonnull(strchr(log, '\x1b'));
    cl.clReleaseProgram(p);
    cl.clReleaseContext(context);
}
END_TEST

START_TEST(it_fails_at_the_call_that_is_wanted)
{
    driver_is("fail=clCreateBuffer:2:-4,fail=clFinish:3+:-36");
    cl_context context = open_context();
    cl_command_queue queue = cl.clCreateCommandQueue(context, device[0], 0, &code);
    for (int i = 1; i <= 3; i++) {
        cl_mem mem = cl.clCreateBuffer(context, 0, 8, NULL, &code);
        ck_assert_int_eq(code, i == 2 ? -4 : 0);
        ck_assert_int_eq(mem != NULL, i != 2);
        if (mem)
            cl.clReleaseMemObject(mem);
    }
    for (int i = 1; i <= 5; i++)
        ck_assert_int_eq(cl.clFinish(queue), i < 3 ? 0 : -36);
    ck_assert_uint_eq(driver_calls("clFinish"), 5);
    ck_assert_int_eq(logged("clFinish = -36, as wanted\n"), 3);
    ck_assert_int_eq(logged("clCreateBuffer 8 bytes = "), 3);
    driver_is("fail=*:2:-9999");
    ck_assert_int_eq(cl.clFinish(queue), 0);
    ck_assert_int_eq(cl.clReleaseCommandQueue(queue), -9999); /* and yet it is released */
    ck_assert_int_eq(cl.clReleaseContext(context), 0);
    ck_assert_uint_eq(driver_calls("*"), 3);
    ck_assert_int_eq(driver_alive(), 0);
}
END_TEST

/* A word that means nothing is a mistake of the test, which must not pass for it. */
START_TEST(words_that_mean_nothing_end_the_test)
{
    static const char *const wrong[] = {"mode=off",          "log",
                                        "fail=clFinish",     "fail=clFinish:0:-5",
                                        "fail=clFinish:1:5", "fail=clFinis:1:-5",
                                        "device=9:cpu",      "device=0:red",
                                        "memory=much",       "build=no"};
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    driver_is("%s", wrong[_i]);
}
END_TEST
#endif

Suite *fake_driver_suite(void)
{
    Suite *s = suite_create("fake_driver");
    TCase *tc = tcase_create("fake_driver");
#if ES_HAVE_OPENCL
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, there_is_what_the_words_say);
    tcase_add_test(tc, bytes_go_there_and_come_back);
    tcase_add_test(tc, memory_comes_to_an_end);
    tcase_add_test(tc, programs_and_kernels_are_what_they_were_made_from);
    tcase_add_test(tc, a_compiler_may_fail_and_say_much);
    tcase_add_test(tc, it_fails_at_the_call_that_is_wanted);
    tcase_add_loop_test_raise_signal(tc, words_that_mean_nothing_end_the_test, SIGABRT, 0, 10);
#endif
    suite_add_tcase(s, tc);
    return s;
}
