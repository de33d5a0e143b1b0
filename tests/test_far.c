// SPDX-License-Identifier: GPL-3.0-or-later
/* Lines of a session whose model lies on a device far away: what they answer is what they answer on the cpu, and the
 * device is what computed it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "far.h"
#include "listener.h"
#include "session/state.h"
#include "support.h"

Suite *far_suite(void);

static listener near, far;
static es_backend *device, *own;

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.threads = 2, .model = "mini"};
    listener_open(&near, &o);
    listener_open(&far, &o);
    near.values = far.values = true;
    device = far_open(2);
    es_session *s = far.session;
    own = s->be;
    s->be = device; /* as a session does that moves its model */
    s->context->layer.be = device;
    ck_assert_works(es_table_whole(s->model->wte, device, &err), err);
    ck_assert_works(es_table_whole(s->model->wpe, device, &err), err);
}

static void teardown(void)
{
    listener_close(&near);
    far.session->be = own;
    listener_close(&far);
    ck_assert_uint_eq(device->in_use, 0);
    es_backend_close(device);
}

/* The same kinds, members and words; reals within a tolerance.  "device" is what differs. */
static void check_alike(const json_t *a, const json_t *b, const char *line, double tolerance)
{
    const char *key;
    json_t *member;
    demand(json_typeof(a) == json_typeof(b), "%s: another type", line);
    demand(json_array_size(a) == json_array_size(b), "%s: another length", line);
    demand(json_object_size(a) == json_object_size(b), "%s: other members", line);
    for (size_t i = 0; i < json_array_size(a); i++)
        check_alike(json_array_get(a, i), json_array_get(b, i), line, tolerance);
    json_object_foreach((json_t *)a, key, member) if (strcmp(key, "device") != 0)
        check_alike(member, json_object_get(b, key), line, tolerance);
    if (json_is_number(a))
        demand(fabs(json_number_value(a) - json_number_value(b)) <= tolerance, "%s: %.9g, not %.9g",
               line, json_number_value(b), json_number_value(a));
    else if (!json_is_object(a) && !json_is_array(a))
        demand(json_equal(a, b), "%s: another word", line);
}

/* What ran on the device for a line. */
static es_ran check_line(const char *line, double tolerance)
{
    es_backend_ran(device);
    demand(listener_run(&near, line) == ES_DONE, "%s: %s", line, es_str_text(&near.errors));
    demand(listener_run(&far, line) == ES_DONE, "%s: %s", line, es_str_text(&far.errors));
    es_ran ran = es_backend_ran(device);
    json_t *a = listener_answer(&near), *b = listener_answer(&far);
    check_alike(a, b, line, tolerance);
    json_decref(a);
    json_decref(b);
    return ran;
}

static bool ran_beside(const es_ran *ran, const char *what)
{
    for (int i = 0; i < ran->n_beside; i++)
        if (!strcmp(ran->beside[i].what, what))
            return true;
    return false;
}

START_TEST(a_text_is_looked_up_and_added_there)
{
    es_ran ran = check_line("The cat sat", 0);
    ck_assert_uint_eq(ran.launches, 3);
    ck_assert_int_eq(ran.n_beside, 0);
    ck_assert_uint_eq(check_line("The cat sat | A dog", 0).launches, 3);
}
END_TEST

START_TEST(places_without_a_last_row_are_made_here_and_said_so)
{
    listener_run(&near, ":positions sinusoidal");
    listener_run(&far, ":positions sinusoidal");
    far.session->context->layer.be = device; /* it has another context now */
    es_ran ran = check_line("The cat sat", 0);
    ck_assert_uint_eq(ran.launches, 2);
    ck_assert(ran.n_beside == 1 && ran_beside(&ran, "rows of a table"));
}
END_TEST

START_TEST(near_is_one_product_and_exact)
{
    es_ran ran = check_line(":near \" cat\"", 0);
    ck_assert_uint_eq(ran.launches, 1);
    ck_assert(ran_beside(&ran, "the nearest, in float64"));
    ck_assert_uint_eq(check_line(":near \" king\" - \" man\" + \" woman\" by=euclid", 0).launches,
                      1);
}
END_TEST

START_TEST(cosines_and_onehot_are_products_there)
{
    check_line("The cat sat on the mat and the dog sat on the cat", 0);
    es_ran ran = check_line(":cosine", 1e-6);
    ck_assert_uint_eq(ran.launches, 2); /* before and after */
    ck_assert_uint_gt(check_line(":onehot", 0).launches, 20);
}
END_TEST

START_TEST(predictions_are_made_there)
{
    check_line("The cat sat", 0);
    es_ran ran = check_line(":predict 5", 1e-5);
    ck_assert_uint_gt(ran.launches, 40);
    ck_assert(ran.n_beside == 1 && ran_beside(&ran, "chances of tokens"));
    size_t held = device->in_use;
    check_line(":predict 5", 1e-5);
    ck_assert_uint_eq(device->in_use, held); /* the blocks stay there */
}
END_TEST

START_TEST(statements_answer_the_same)
{
    static const char *const lines[] = {
        "x",
        "x[0, 1]",
        "x.mean(-1)",
        "tok_emb + pos_emb",
        "wte(ids)[0, 0, :4]",
        "wte.weight[464][:4]",
        "wte.weight.std()",
        "wte.weight.norm(dim=1).topk(3)",
        "(x @ wte.weight.T).softmax(-1).topk(4)",
        "x.tolist()[0][0][0]",
        "(x, x > 0, {\"a\": x[0, 0]})",
        "nearest(wte.weight[464], 3)",
        "decode(ids[0])",
        "compare(x, x + 1e-7)",
        "y = x.clone()",
        "y[0, 0] = 0",
        "y[y > 1] = 1",
        "y",
        ":vars",
        ":type y.T",
    };
    check_line("The cat sat", 0);
    check_line(":tensor", 0);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line(lines[i], 1e-4); /* norms are sums of 768 squares */
}
END_TEST

/* What the reader sees of the device, and the object of JSON. */
static void check_time(const char *line, const char *shown, const char *json)
{
    demand(listener_run(&far, line) == ES_DONE, "%s: %s", line, es_str_text(&far.errors));
    const char *last = strstr(es_str_text(&far.shown), "\ngpu: ");
    demand(last && !strcmp(last + 1, shown), "%s: %.300s", line, last ? last : "no line of it");
    json_t *o = listener_answer(&far), *of = json_object_get(o, "device");
    char *text = json_dumps(of, JSON_COMPACT);
    demand(text && !strcmp(text, json), "%s: %s", line, text ? text : "no device");
    free(text);
    json_decref(o);
}

START_TEST(time_says_what_ran_there_and_what_here)
{
    check_time(":time The cat sat", "gpu: 3 kernels\n",
               "{\"name\":\"gpu\",\"launches\":3,\"host\":[]}");
    check_time(":time :near \" cat\"",
               "gpu: 1 kernel; on the host: lengths of rows, the nearest, in float64\n",
               "{\"name\":\"gpu\",\"launches\":1,\"host\":[\"lengths of rows\",\"the nearest, in "
               "float64\"]}");
    ck_assert_int_eq(listener_run(&far, ":tensor"), ES_DONE);
    ck_assert_int_eq(listener_run(&far, "x[0, 0]"), ES_DONE); /* x is a copy, made now */
    check_time(":time x.std() + x.prod()", "gpu: 1 kernel; on the host: std, prod\n",
               "{\"name\":\"gpu\",\"launches\":1,\"host\":[\"std\",\"prod\"]}");
    check_time(":time F.relu(x)", "gpu: no kernels; on the host: relu\n",
               "{\"name\":\"gpu\",\"launches\":0,\"host\":[\"relu\"]}");
    ck_assert_int_eq(listener_run(&far, ":time :set"), ES_DONE); /* nothing ran anywhere */
    ck_assert_ptr_null(strstr(es_str_text(&far.json), "launches"));
    ck_assert_int_eq(listener_run(&near, ":time The cat sat"), ES_DONE);
    ck_assert_ptr_null(strstr(es_str_text(&near.json), "launches"));
    ck_assert_ptr_null(strstr(es_str_text(&near.shown), "kernel"));
}
END_TEST

Suite *far_suite(void)
{
    Suite *s = suite_create("far");
    TCase *tc = tcase_create("far");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_text_is_looked_up_and_added_there);
    tcase_add_test(tc, places_without_a_last_row_are_made_here_and_said_so);
    tcase_add_test(tc, near_is_one_product_and_exact);
    tcase_add_test(tc, cosines_and_onehot_are_products_there);
    tcase_add_test(tc, predictions_are_made_there);
    tcase_add_test(tc, statements_answer_the_same);
    tcase_add_test(tc, time_says_what_ran_there_and_what_here);
    suite_add_tcase(s, tc);
    return s;
}
