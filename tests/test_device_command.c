// SPDX-License-Identifier: GPL-3.0-or-later
/* :device, and what becomes of a session whose device fails. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "far.h"
#include "listener.h"
#include "session/state.h"
#include "support.h"

Suite *device_command_suite(void);

static listener heard;

static void setup(void)
{
    const es_session_options o = {.threads = 1, .model = "mini"};
    listener_open(&heard, &o);
    heard.style.plain = true;
    heard.lenient = true; /* some numbers are fetched when they are shown */
}

static void teardown(void)
{
    listener_close(&heard);
}

static void check_device(const char *name)
{
    ck_assert_str_eq(heard.session->be->name, name);
    ck_assert_str_eq(es_session_context(heard.session)->layer.be->name, name);
}

static bool said(const char *note)
{
    return strstr(es_str_text(&heard.notes), note) != NULL;
}

static void run(const char *line)
{
    demand(listener_run(&heard, line) == ES_DONE && !heard.n_errors, "%s: %s", line,
           es_str_text(&heard.json));
}

/* ---- a GPU that fails when it is told to ---- */

static es_backend_ops failing; /* far's, but for what is broken */
static const es_backend_ops *sound;
static int room = -1; /* for so many tensors there is memory; -1: for any number */

static bool map_lost(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                     es_error *err)
{
    (void)op;
    (void)x;
    (void)y;
    out->buf->be->lost = true;
    return es_fail(err, ES_ERR_BACKEND, "the device %s failed", out->buf->be->name);
}

static bool read_full(float *dst, const es_view *src, es_error *err)
{
    (void)dst;
    src->buf->be->full = true;
    return es_fail(err, ES_ERR_NOMEM, "the device %s has no memory left", src->buf->be->name);
}

static bool alloc_some(es_backend *be, es_buffer *buf, es_error *err)
{
    if (room < 0 || room-- > 0)
        return sound->alloc(be, buf, err);
    room = 0;
    be->full = true;
    return es_fail(err, ES_ERR_NOMEM, "the device %s has no memory left", be->name);
}

/* The session has it open, as if it had been asked for. */
static es_backend *put_gpu(void)
{
    es_open_devices *d = &heard.session->devices;
    es_backend *be = far_open(1);
    sound = be->ops;
    failing = *sound;
    failing.alloc = alloc_some;
    room = -1;
    be->ops = &failing;
    d->of = es_realloc(d->of, (d->n + 1) * sizeof(es_backend *));
    d->of[d->n++] = be;
    return be;
}

/* ---- the command ---- */

START_TEST(devices_are_listed)
{
    run(":device");
    json_t *answer = listener_answer(&heard), *one;
    size_t i;
    ck_assert_str_eq(json_string_value(json_object_get(answer, "kind")), "device");
    ck_assert_str_eq(json_string_value(json_object_get(answer, "current")), "cpu");
    json_array_foreach(json_object_get(answer, "devices"), i, one)
    {
        const char *name = json_string_value(json_object_get(one, "name"));
        ck_assert(i != 0 || !strcmp(name, "cpu"));
        ck_assert(i != 1 || !strcmp(name, "sim"));
        ck_assert(i < 2 || es_device_is_gpu(name));
        ck_assert(json_is_true(json_object_get(one, "usable")) ==
                  json_is_null(json_object_get(one, "why")));
    }
    bool none = json_is_string(json_object_get(answer, "none"));
    ck_assert(none ? i == 2 : i > 2 || !es_backend_at(2));
    json_decref(answer);
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "cpu, in use: OpenBLAS on the host\n"));
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.shown), "\nsim: plain loops"));
}
END_TEST

START_TEST(the_model_moves_and_so_do_new_tensors_but_no_variables)
{
    run("the cat");
    run("= old = torch.ones(2)");
    run(":device sim");
    ck_assert_str_eq(es_str_text(&heard.notes),
                     "device sim: a stand-in for a second device, for lessons\n");
    check_device("sim");
    run("= x.device, old.device, torch.ones(2).device");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"sim\"},{\"kind\":\"device\","
                                                           "\"value\":\"cpu\"}"));
    run(":device cpu ");
    check_device("cpu");
    run("= x.device");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"cpu\""));
}
END_TEST

START_TEST(what_is_no_device_changes_nothing)
{
    run(":device sim");
    listener_refused(&heard, ":device abacus", "value", "there is no device \"abacus\"");
    listener_refused(&heard, ":device \"\"", "value", "there is no device \"\"");
    ck_assert_int_eq(listener_run(&heard, ":device cpu sim"), ES_FAILED);
    check_device("sim");
}
END_TEST

START_TEST(a_gpu_has_one_name)
{
    char name[ES_DEVICE_NAME];
    static const char *const same[][2] = {{"gpu", "gpu"},
                                          {"cuda", "gpu"},
                                          {"gpu:0", "gpu"},
                                          {"cuda:00", "gpu"},
                                          {"gpu:01", "gpu:1"},
                                          {"cuda:7", "gpu:7"},
                                          {"gpu:", "gpu:"},
                                          {"cuda:-1", "gpu:-1"},
                                          {"cudnn", "cudnn"},
                                          {"gpux", "gpux"},
                                          {"gpu:0x1", "gpu:0x1"},
                                          {"cpu", "cpu"},
                                          {"gpu:0000000000000000000000001", "gpu:1"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        es_device_name(name, same[i][0]);
        ck_assert_str_eq(name, same[i][1]);
    }
}
END_TEST

START_TEST(a_gpu_takes_the_tables_and_says_how_much)
{
    double seconds;
    es_backend *gpu = put_gpu();
    run("the cat");
    run(":device cuda:0");
    check_device("gpu");
    ck_assert_int_eq(sscanf(es_str_text(&heard.notes),
                            "device gpu: memory far away; the model is there: 13.1 MB, in %lf s",
                            &seconds),
                     1);
    ck_assert_uint_eq(gpu->in_use, (50257 + 1024) * 64 * sizeof(float));
    run("the cat");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"device\":\"gpu\""));
}
END_TEST

START_TEST(a_model_that_does_not_fit_stays_where_it_is)
{
    es_backend *gpu = put_gpu();
    run("the cat");
    for (int fit = 0; fit < 2; fit++) {
        room = fit;
        listener_refused(&heard, ":device gpu", "nomem", "the device gpu has no memory left");
        ck_assert_str_eq(es_str_text(&heard.hint), "the tables of model mini take 13.1 MB there");
        check_device("cpu");
        run("the cat");
        ck_assert(!said("cpu again"));
    }
    ck_assert(!gpu->full);
    room = -1;
    run(":device gpu");
    check_device("gpu");
}
END_TEST

START_TEST(a_model_that_does_not_fit_leaves_the_one_there_in_use)
{
    put_gpu();
    run(":device gpu");
    room = 0;
    listener_refused(&heard, ":model untrained", "nomem", "the device gpu has no memory left");
    ck_assert(!said("cpu again"));
    ck_assert_str_eq(heard.session->model->name, "mini");
    room = -1;
    run("the cat");
    check_device("gpu");
}
END_TEST

/* ---- failures ---- */

START_TEST(a_device_that_is_lost_is_left_for_the_cpu)
{
    es_backend *gpu = put_gpu();
    run(":device gpu");
    failing.map = map_lost;
    listener_run(&heard, "the cat"); /* its numbers are made where they are shown */
    ck_assert_int_eq(heard.n_errors, 1);
    ck_assert_ptr_nonnull(
        strstr(es_str_text(&heard.notes),
               "the device gpu has failed: the model is on the cpu again; :device "
               "gpu tries gpu once more\n"));
    check_device("cpu");
    run("the cat");
    ck_assert(!said("cpu again"));
    es_backend *again = put_gpu();
    run(":device gpu");
    ck_assert_ptr_ne(again, gpu);
    ck_assert_ptr_eq(heard.session->be, again);
}
END_TEST

/* The numbers of a text are fetched only where they are shown, when the line itself has ended well. */
START_TEST(a_device_too_small_for_a_text_is_left_for_the_cpu)
{
    es_backend *gpu = put_gpu();
    run(":device gpu");
    failing.read = read_full;
    listener_run(&heard, "the cat");
    ck_assert_int_eq(heard.n_errors, 1);
    ck_assert(said("the device gpu had too little memory: the model is on the cpu "
                   "again; :device gpu tries gpu once more\n"));
    check_device("cpu");
    ck_assert(!gpu->full);
    run("the cat");
    ck_assert(!said("cpu again"));
}
END_TEST

START_TEST(a_statement_that_needs_too_much_leaves_the_model_there)
{
    put_gpu();
    run(":device gpu");
    room = 0;
    ck_assert_int_eq(listener_run(&heard, "= torch.ones(3) + torch.ones(3)"), ES_FAILED);
    check_device("gpu");
    ck_assert(!said("cpu again"));
    room = -1;
    run("the cat");
    check_device("gpu");
}
END_TEST

START_TEST(what_lay_on_a_lost_device_says_so)
{
    static const char lost[] = "the device gpu has failed, and what was in its memory is gone";
    es_backend *gpu = put_gpu();
    run("= y = torch.ones(2, device=\"gpu\")");
    gpu->lost = true;
    put_gpu();
    run("= z = torch.ones(2, device=\"gpu\")");
    listener_refused(&heard, "= y + z", "backend", lost);
    listener_refused(&heard, "= z + y", "backend", lost);
    listener_refused(&heard, "= torch.cat([y, z])", "backend", lost);
    listener_refused(&heard, "= y + torch.ones(2)", "backend", lost);
    run("= y.shape");
    run("= z.device");
}
END_TEST

START_TEST(new_tensors_are_made_elsewhere_when_their_device_is_lost)
{
    es_backend *gpu = put_gpu();
    run("= torch.set_default_device(\"gpu\")");
    gpu->lost = true;
    run("= 1");
    ck_assert_str_eq(es_str_text(&heard.notes),
                     "the device gpu has failed: new tensors are made on the cpu again\n");
    run("= torch.get_default_device()");
    ck_assert_ptr_nonnull(strstr(es_str_text(&heard.json), "\"cpu\""));
    check_device("cpu");
}
END_TEST

START_TEST(what_was_learned_outlives_the_device)
{
    es_backend *gpu = put_gpu();
    run(":device gpu");
    run(":train 1");
    ck_assert_str_eq(heard.session->model->name, "trained");
    check_device("gpu");
    gpu->lost = true;
    run("the cat");
    check_device("cpu");
    ck_assert_str_eq(heard.session->model->name, "trained");
    run(":predict 2");
}
END_TEST

Suite *device_command_suite(void)
{
    Suite *s = suite_create("device_command");
    TCase *tc = tcase_create("device_command");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, devices_are_listed);
    tcase_add_test(tc, the_model_moves_and_so_do_new_tensors_but_no_variables);
    tcase_add_test(tc, what_is_no_device_changes_nothing);
    tcase_add_test(tc, a_gpu_has_one_name);
    tcase_add_test(tc, a_gpu_takes_the_tables_and_says_how_much);
    tcase_add_test(tc, a_model_that_does_not_fit_stays_where_it_is);
    tcase_add_test(tc, a_model_that_does_not_fit_leaves_the_one_there_in_use);
    tcase_add_test(tc, a_device_that_is_lost_is_left_for_the_cpu);
    tcase_add_test(tc, a_device_too_small_for_a_text_is_left_for_the_cpu);
    tcase_add_test(tc, a_statement_that_needs_too_much_leaves_the_model_there);
    tcase_add_test(tc, what_lay_on_a_lost_device_says_so);
    tcase_add_test(tc, new_tensors_are_made_elsewhere_when_their_device_is_lost);
    tcase_add_test(tc, what_was_learned_outlives_the_device);
    suite_add_tcase(s, tc);
    return s;
}
