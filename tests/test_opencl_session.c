// SPDX-License-Identifier: GPL-3.0-or-later
/* Sessions and the program on an OpenCL device: a driver that fails costs a line, and nothing else; where nothing fails the
 * device, and not the host, is what computes. */
#include <check.h>

Suite *opencl_session_suite(void);

#if ES_HAVE_OPENCL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu.h"
#include "listener.h"
#include "opencl_env.h"
#include "session/state.h"
#include "support.h"
#include "terminal.h"

enum { LONG_TEST = 240, WIDE = 100 };

static listener l;
static run_result r;

static void setup(void)
{
    calm_environment();
}

static void teardown(void)
{
    listener_close(&l);
    run_result_free(&r);
    terminal_close();
}

/* ---- lines of a session ---- */

static const char *const lines[] = {"The cat sat", ":near cat", ":onehot", ":predict", ":cosine"};
static const char *const statements[] = {
    "= torch.ones(3, 4).softmax(1)", "= (torch.randn(4, 3) @ torch.randn(3, 4)).topk(2)",
    "= wte(torch.arange(3)) + 1", "= torch.randn(3, 4).sum(0)"};
enum { N_STATEMENTS = sizeof statements / sizeof *statements };
enum { N_LINES = sizeof lines / sizeof *lines };
static const int codes[] = {-4, -5, -6, -36, -9999};
enum { N_CODES = sizeof codes / sizeof *codes };

static void open_session(void)
{
    const es_session_options o = {.threads = 2, .model = "mini"};
    driver_is("%s", "");
    listener_open(&l, &o);
    l.lenient = true; /* some numbers are fetched when they are shown */
}

static void check_works(const char *line)
{
    demand(listener_run(&l, line) == ES_DONE && !l.n_errors, "%s: %s", line, es_str_text(&l.json));
}

static void check_closed(void)
{
    listener_close(&l);
    demand(driver_alive() == 0, "%d things are not released", driver_alive());
}

/* The line is refused; the model is on the cpu, and the next line works there.  A statement that has no memory leaves it where it
 * is: the tensors may be too large, where the model is not. */
static void check_survives(const char *line, const char *how)
{
    bool lost = strstr(es_str_text(&l.json), "\"error\":\"backend\"") != NULL;
    bool kept = !lost && line[0] == '=';
    demand(lost || strstr(es_str_text(&l.json), "\"error\":\"nomem\""), "%s: %s: %s", how, line,
           es_str_text(&l.json));
    demand(l.n_errors == 1 && l.n_results == 0, "%s: %s: %d errors, %d answers", how, line,
           l.n_errors, l.n_results);
    demand(!strcmp(l.session->be->name, kept ? "gpu" : "cpu"), "%s: %s: the model is on %s", how,
           line, l.session->be->name);
    demand(kept || strstr(es_str_text(&l.notes),
                          "the model is on the cpu again; :device gpu tries gpu once more"),
           "%s: %s: %s", how, line, es_str_text(&l.notes));
    driver_is("%s", "");
    check_works("The cat sat");
    demand(kept || strstr(es_str_text(&l.json), "\"device\":\"cpu\""), "%s: %s", how,
           es_str_text(&l.json));
    demand(kept || driver_calls("clEnqueueNDRangeKernel") == 0, "%s: kernels run on", how);
}

/* The n-th call of a function fails while the line is run.  Does it call it so often? */
static bool fail_in(const char *line, const char *function, unsigned long n, const char *on,
                    int code)
{
    char how[128];
    driver_is("%s", "");
    check_works(":device gpu");
    check_works("The cat sat");
    snprintf(how, sizeof how, "fail=%s:%lu%s:%d", function, n, on, code);
    driver_is("%s", how);
    listener_run(&l, line);
    bool met = driver_calls(function) >= n;
    if (l.n_errors)
        check_survives(line, how);
    else
        demand(!met || !strncmp(function, "clRelease", 9), "%s: %s works all the same", how, line);
    return met;
}

static void check_line(const char *line)
{
    open_session();
    for (unsigned long f = 0; f < driver_n_functions(); f++) {
        const char *function = driver_function_name(f);
        bool met = fail_in(line, function, 1, "", -36);
        for (int c = 0; met && c < N_CODES; c++) {
            fail_in(line, function, 1, "", codes[c]);
            fail_in(line, function, 2, "", codes[c]);
            fail_in(line, function, 3, "+", codes[c]);
        }
    }
    check_closed();
}

START_TEST(a_driver_that_fails_costs_a_line)
{
    check_line(lines[_i]);
}
END_TEST

START_TEST(a_driver_that_fails_costs_a_statement)
{
    check_line(statements[_i]);
}
END_TEST

START_TEST(a_device_that_cannot_be_had_is_refused)
{
    static const struct {
        const char *words, *code, *message;
    } cases[] = {
        {"platforms=0", "backend",
         "there is an OpenCL loader, but no driver for it (CL_PLATFORM_NOT_FOUND_KHR)"},
        {"devices=0", "backend", "OpenCL's driver knows no device (CL_DEVICE_NOT_FOUND)"},
        {"device=0:no-compiler", "backend",
         "the device gpu (Pretended GPU) cannot be used: its driver has no compiler"},
        {"build=fail", "backend",
         "the kernels do not compile on the device gpu: clBuildProgram said "
         "CL_BUILD_PROGRAM_FAILURE"},
        {"fail=clCreateContext:1:-9999", "backend",
         "the device gpu failed: clCreateContext said OpenCL error -9999"},
        {"fail=clEnqueueWriteBuffer:1:-36", "backend",
         "the device gpu failed: clEnqueueWriteBuffer said CL_INVALID_COMMAND_QUEUE"},
        {"fail=clCreateBuffer:1:-4", "nomem",
         "the device gpu has no memory left: clCreateBuffer said "
         "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
    };
    open_session();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        driver_is("%s", cases[i].words);
        listener_refused(&l, ":device gpu", cases[i].code, cases[i].message);
        ck_assert_str_eq(l.session->be->name, "cpu");
        check_works("The cat sat");
    }
    driver_is("%s", "");
    check_works(":device gpu"); /* it can be had now */
    ck_assert_str_eq(l.session->be->name, "gpu");
    check_closed();
}
END_TEST

/* A second GPU; what is lost is only the one. */
START_TEST(devices_are_lost_one_by_one)
{
    open_session();
    driver_is("devices=2");
    check_works(":device gpu:1");
    check_works("The cat sat");
    ck_assert_ptr_nonnull(strstr(l.json.s, "\"device\":\"gpu:1\""));
    driver_is("devices=2,fail=clEnqueueNDRangeKernel:1:-36");
    listener_run(&l, "The cat sat");
    ck_assert_int_eq(l.n_errors, 1);
    ck_assert_ptr_nonnull(strstr(es_str_text(&l.notes),
                                 "the device gpu:1 has failed: the model is on the cpu again; "
                                 ":device gpu:1 tries gpu:1 once more\n"));
    check_works(":device gpu");
    check_works("The cat sat");
    ck_assert_ptr_nonnull(strstr(l.json.s, "\"device\":\"gpu\""));
    check_works(":device gpu:1");
    check_works("The cat sat");
    check_closed();
}
END_TEST

/* ---- the program ---- */

static void run_gpu(const char *line)
{
    run_result_free(&r);
    run_program(
        &r,
        (const char *const[]){program(), "--device", "gpu", "--model", "mini", "-c", line, NULL},
        "", 0);
}

/* Status 1; the error, and no answer. */
static void check_refused(const char *how)
{
    const char *err = es_str_text(&r.err);
    demand(r.status == 1, "%s: status %d: %s", how, r.status, err);
    demand(r.out.len == 0, "%s: an answer: %.200s", how, es_str_text(&r.out));
    demand(!strncmp(err, "error[backend]: ", 16) || !strncmp(err, "error[nomem]: ", 14), "%s: %s",
           how, err);
    demand(strstr(whole_log(), "end: 0 contexts, 0 queues, 0 buffers, 0 programs, 0 kernels"),
           "%s: %.500s", how, strstr(whole_log(), "end: "));
}

START_TEST(without_the_device_that_was_asked_for_nothing_runs)
{
    static const char *const functions[] = {"clGetPlatformIDs",     "clGetDeviceIDs",
                                            "clCreateContext",      "clCreateCommandQueue",
                                            "clCreateBuffer",       "clBuildProgram",
                                            "clCreateKernel",       "clCreateProgramWithSource",
                                            "clEnqueueWriteBuffer", "clEnqueueReadBuffer",
                                            "clSetKernelArg",       "clEnqueueNDRangeKernel"};
    static const int all[] = {-1, -5, -11, -36, -1001};
    enum { N_FUNCTIONS = sizeof functions / sizeof *functions, N_ALL = sizeof all / sizeof *all };
    for (int i = 0; i < N_FUNCTIONS; i++)
        for (int c = 0; c < N_ALL; c++) {
            char how[128];
            setup(); /* no kernels are kept */
            snprintf(how, sizeof how, "fail=%s:1:%d", functions[i], all[c]);
            driver_is("%s", how);
            run_gpu("The cat");
            check_refused(how);
        }
    driver_is("%s", "");
    run_gpu("The cat");
    ck_assert_msg(r.status == 0, "%s", r.err.s);
}
END_TEST

START_TEST(without_opencl_nothing_runs)
{
    setenv("EMBEDSCOPE_OPENCL", "/nowhere/libOpenCL.so", 1);
    run_gpu("The cat");
    ck_assert_int_eq(r.status, 1);
    ck_assert_uint_eq(r.out.len, 0);
    ck_assert_str_eq(
        es_str_text(&r.err),
        "error[backend]: there is no OpenCL: /nowhere/libOpenCL.so: cannot open shared "
        "object file: No such file or directory\n"
        "  EMBEDSCOPE_OPENCL says which loader is used; without it libOpenCL.so.1 is "
        "looked for\n"
        "  sim is the cpu's memory under another name: mixing the two fails as it would "
        "with a GPU\n");
}
END_TEST

/* ---- at a terminal ---- */

START_TEST(a_person_goes_on_without_the_device)
{
    driver_is("platforms=0");
    START(WIDE, "-q", "--color=never", "--device", "gpu");
    expect("error[backend]: there is an OpenCL loader, but no driver for it");
    expect("text> ");
    type("The cat\r");
    expect("2 tokens from 7 bytes");
    expect(" cpu");
    expect("text> ");
    type(":device gpu\r");
    expect("error[backend]: there is an OpenCL loader, but no driver for it");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

START_TEST(a_person_whose_device_is_lost_goes_on_with_the_cpu)
{
    driver_is("fail=clEnqueueNDRangeKernel:20+:-36");
    START(WIDE, "-q", "--color=never");
    expect("text> ");
    type(":device gpu\r");
    expect("device gpu: Pretended GPU, 1074 MB; the model is there: ");
    expect("text> ");
    for (int i = 0; i < 30 && !strstr(es_str_text(&seen), "error["); i++) {
        type("The cat\r");
        while (!strstr(es_str_text(&seen), "text> "))
            demand(read_more(PATIENCE), "%s", es_str_text(&seen));
        if (!strstr(es_str_text(&seen), "error["))
            expect("text> ");
    }
    expect("error[backend]: the device gpu failed: clEnqueueNDRangeKernel said "
           "CL_INVALID_COMMAND_QUEUE");
    expect("the model is on the cpu again; :device gpu tries gpu once more");
    expect("text> ");
    type("The cat\r");
    expect("2 tokens from 7 bytes");
    expect(" cpu");
    expect("text> ");
    type("\x04");
    ck_assert_int_eq(wait_end(), 0);
    ck_assert(is_sane());
}
END_TEST

/* ---- what computes: the log of a real device ---- */

/* What begins so. */
static const char *const kernels[] = {"gather", "map2", "matmul", "topk", "softmax", "reduce"};
enum { GATHER, MAP2, MATMUL, TOPK, SOFTMAX, REDUCE, N_KERNELS };

static const struct {
    const char *line;
    bool runs[N_KERNELS]; /* beyond what the text before it has run */
} work[] = {
    {":near cat", {[MATMUL] = true}},
    {":onehot", {[MATMUL] = true}},
    {":predict", {[MATMUL] = true, [SOFTMAX] = true, [REDUCE] = true}},
    {":cosine", {[MATMUL] = true}},
    {"The dog sat", {[GATHER] = true, [MAP2] = true}},
};

/* After a text and that line (NULL: the text alone), n[k] times the kernel k has run. */
static void count_runs(const char *device, const char *line, int n[N_KERNELS])
{
    char begin[64];
    driver_is("mode=pass");
    run_result_free(&r);
    run_program(&r,
                (const char *const[]){program(), "--device", device, "--model", "mini", "-c",
                                      "The cat sat", line ? "-c" : NULL, line, NULL},
                "", 0);
    demand(r.status == 0, "%s: %s", line, es_str_text(&r.err));
    for (int k = 0; k < N_KERNELS; k++) {
        snprintf(begin, sizeof begin, "clEnqueueNDRangeKernel %s", kernels[k]);
        n[k] = logged(begin);
    }
}

static void check_device(const char *device)
{
    int before[N_KERNELS], n[N_KERNELS];
    count_runs(device, NULL, before);
    demand(before[GATHER] == 2 && before[MAP2] == 1, "a text: %.1500s", whole_log());
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        count_runs(device, work[i].line, n);
        for (int k = 0; k < N_KERNELS; k++)
            demand(!work[i].runs[k] || n[k] > before[k], "%s: no %s in\n%.1500s", work[i].line,
                   kernels[k], whole_log());
    }
}

START_TEST(each_line_is_computed_on_the_device)
{
    each_gpu(check_device);
}
END_TEST

static void check_starts(const char *device)
{
    for (int i = 0; i < 2; i++) {
        driver_is("mode=pass");
        run_result_free(&r);
        run_program(&r, (const char *const[]){program(), "--device", device, "-c", "The cat", NULL},
                    "", 0);
        demand(r.status == 0, "%s", r.err.s);
        ck_assert_int_eq(logged("clBuildProgram from source"), i == 0);
        ck_assert_int_eq(logged("clBuildProgram from a binary"), i == 1);
        ck_assert_int_eq(logged("end: 0 contexts, 0 queues, 0 buffers, 0 programs, 0 kernels"), 1);
    }
}

START_TEST(a_second_start_compiles_nothing)
{
    each_gpu(check_starts);
}
END_TEST

/* Whoever asks for no device does not even open the loader. */
START_TEST(without_a_wish_nothing_is_opened)
{
    driver_is("%s", "");
    run_program(&r, (const char *const[]){program(), "-c", "The cat", "-c", ":near cat", NULL}, "",
                0);
    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(whole_log(), "");
}
END_TEST
#endif

Suite *opencl_session_suite(void)
{
    Suite *s = suite_create("opencl_session");
    TCase *tc = tcase_create("opencl_session");
#if ES_HAVE_OPENCL
    gpu_tally();
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, LONG_TEST);
    tcase_add_loop_test(tc, a_driver_that_fails_costs_a_line, 0, N_LINES);
    tcase_add_loop_test(tc, a_driver_that_fails_costs_a_statement, 0, N_STATEMENTS);
    tcase_add_test(tc, a_device_that_cannot_be_had_is_refused);
    tcase_add_test(tc, devices_are_lost_one_by_one);
    tcase_add_test(tc, without_the_device_that_was_asked_for_nothing_runs);
    tcase_add_test(tc, without_opencl_nothing_runs);
    tcase_add_test(tc, a_person_goes_on_without_the_device);
    tcase_add_test(tc, a_person_whose_device_is_lost_goes_on_with_the_cpu);
    tcase_add_test(tc, each_line_is_computed_on_the_device);
    tcase_add_test(tc, a_second_start_compiles_nothing);
    tcase_add_test(tc, without_a_wish_nothing_is_opened);
#endif
    suite_add_tcase(s, tc);
    return s;
}
