// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements with the value, shape and dtype, or the kind of error, that PyTorch 1.13 gives: tests/data/
 * expr_cases.jsonl, whose first line says what they run on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

Suite *expr_cases_suite(void);

enum { V = 50, C = 8, P = 16, MOST_LINES = 16 };

static char cases[4096];

static void write_model(void)
{
    static float values[V * C + P * C];
    es_str header = {0};
    for (int i = 0; i < V * C; i++)
        values[i] = (float)(i * 7 % 17 - 8) / 8;
    for (int i = 0; i < P * C; i++)
        values[V * C + i] = (float)(i * 5 % 11 - 5) / 16;
    es_str_add(&header,
               "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[0,%d]},"
               "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[%d,%d]}}",
               V, C, V * C * 4, P, C, V * C * 4, (V * C + P * C) * 4);
    write_safetensors("tiny.safetensors", header.s, 0, values, sizeof values);
    es_str_free(&header);
}

static void setup(void)
{
    calm_environment();
    ck_assert_ptr_nonnull(getcwd(cases, sizeof cases - 32));
    strcat(cases, "/tests/data/expr_cases.jsonl");
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    write_model();
}

static const char *string_of(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

/* ---- running one ---- */

/* The object that the last line of the case gave; a new reference. */
static json_t *run_case(const json_t *one)
{
    static const char *const first[] = {
        "--json",  "--values",
        "--model", "tiny.safetensors",
        "-c",      ":tensor",
        "-c",      "ids = torch.tensor([[3, 7, 1, 7, 49], [0, 2, 4, 6, 8]])",
        "-c",      "input_ids = ids",
        "-c",      "x = ((torch.arange(80).reshape(2, 5, 8)) % 7 - 3) / 4.0"};
    enum { N_FIRST = sizeof first / sizeof *first };
    const char *argv[1 + N_FIRST + 2 * MOST_LINES + 3] = {program()};
    int n = 1;
    for (int i = 0; i < N_FIRST; i++)
        argv[n++] = first[i];
    size_t i;
    json_t *line;
    json_array_foreach(json_object_get(one, "pre"), i, line)
    {
        ck_assert_uint_lt(i, MOST_LINES);
        argv[n++] = "-c";
        argv[n++] = json_string_value(line);
    }
    argv[n++] = "-c";
    argv[n++] = string_of(one, "expr");
    run_result r;
    run_program(&r, argv, "", 0);
    const char *last = es_str_text(&r.out);
    for (const char *s = last; *s; s = strchr(s, '\n') + 1)
        last = s;
    json_error_t why;
    json_t *o = json_loads(last, JSON_ALLOW_NUL, &why);
    demand(o, "%s: %s: %s%s", string_of(one, "expr"), why.text, es_str_text(&r.out),
           es_str_text(&r.err));
    run_result_free(&r);
    return o;
}

/* ---- comparing ---- */

static es_str failures; /* all of them: one alone would say little */

static void differ(const json_t *one, const json_t *got, const char *what)
{
    char *text = json_dumps(got, JSON_COMPACT | JSON_ENCODE_ANY);
    es_str_add(&failures, "\n%s: %s, another %s: %.300s", string_of(one, "id"),
               string_of(one, "expr"), what, text ? text : "nothing");
    free(text);
}

static bool near(double want, double got)
{
    return fabs(want - got) <= 1e-5 * fmax(1, fabs(want));
}

/* null in what is wanted is NaN, and so it is in JSON. */
static bool same_number(const json_t *want, const json_t *got)
{
    if (json_is_null(want) || json_is_boolean(want))
        return json_typeof(want) == json_typeof(got);
    return json_is_number(got) && near(json_number_value(want), json_number_value(got));
}

static bool same_sums(const json_t *want, const json_t *values)
{
    double sum = 0, all = 0;
    size_t i;
    json_t *v;
    json_array_foreach(values, i, v)
    {
        sum += json_number_value(v);
        all += fabs(json_number_value(v));
    }
    return fabs(sum - json_number_value(json_object_get(want, "sum"))) < 1e-2 &&
           near(json_number_value(json_object_get(want, "abs_sum")), all);
}

static void check_value(const json_t *one, const json_t *want, const json_t *got);

static void check_tensor(const json_t *one, const json_t *want, const json_t *got)
{
    const json_t *values = json_object_get(got, "values"),
                 *sums = json_object_get(want, "checksum");
    if (!json_equal(json_object_get(want, "shape"), json_object_get(got, "shape")))
        differ(one, got, "shape");
    if (strcmp(string_of(want, "dtype"), string_of(got, "dtype")))
        differ(one, got, "dtype");
    if (sums && !same_sums(sums, values))
        differ(one, got, "sum of values");
    size_t i;
    json_t *v;
    json_array_foreach(json_object_get(want, "values"), i, v)
    {
        if (same_number(v, json_array_get(values, i)))
            continue;
        differ(one, got, "value");
        break;
    }
}

static void check_value(const json_t *one, const json_t *want, const json_t *got)
{
    const json_t *value = json_object_get(want, "value");
    const char *type = string_of(want, "type");
    if (strcmp(type, string_of(got, "kind")))
        differ(one, got, "kind");
    if (!strcmp(type, "tensor")) {
        check_tensor(one, want, got);
    } else if (!strcmp(type, "tuple") || !strcmp(type, "list")) {
        size_t i;
        json_t *item;
        json_array_foreach(value, i, item)
            check_value(one, item, json_array_get(json_object_get(got, "items"), i));
    } else if (json_is_number(value) ? !same_number(value, json_object_get(got, "value"))
                                     : !json_equal(value, json_object_get(got, "value"))) {
        differ(one, got, "value");
    }
}

/* "1 T C" against [null, "T", "C"]. */
static void check_dims(const json_t *one, const json_t *got)
{
    const char *want = string_of(one, "dims");
    size_t i;
    json_t *label;
    if (!*want)
        return;
    json_array_foreach(json_object_get(got, "dims"), i, label)
    {
        size_t n = strcspn(want, " ");
        const char *s = json_is_null(label) ? "1" : json_string_value(label);
        if (strlen(s) != n || memcmp(s, want, n))
            differ(one, got, "name of an axis");
        want += n + (want[n] == ' ');
    }
}

static void check_failure(const json_t *one, const json_t *got)
{
    const char *want = string_of(json_object_get(one, "error"), "kind");
    const char *code = string_of(got, "error");
    bool either =
        !strcmp(want, "type_or_shape") && (!strcmp(code, "type") || !strcmp(code, "dtype"));
    if (!either && strcmp(want, code))
        differ(one, got, "kind of error");
    if (json_is_null(json_object_get(got, "begin")))
        differ(one, got, "place: none at all");
}

static int n_cases;

static void check_case(json_t *one, int line)
{
    (void)line;
    if (!strcmp(string_of(one, "id"), "header"))
        return;
    json_t *got = run_case(one);
    if (json_is_true(json_object_get(one, "ok"))) {
        check_value(one, json_object_get(one, "result"), got);
        check_dims(one, got);
    } else {
        check_failure(one, got);
    }
    json_decref(got);
    n_cases++;
}

START_TEST(statements_give_what_pytorch_gives)
{
    each_json_line(cases, check_case);
    ck_assert_msg(failures.len == 0, "%s", es_str_text(&failures));
    ck_assert_int_eq(n_cases, 139);
}
END_TEST

Suite *expr_cases_suite(void)
{
    Suite *s = suite_create("expr_cases");
    TCase *tc = tcase_create("pytorch");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, statements_give_what_pytorch_gives);
    suite_add_tcase(s, tc);
    return s;
}
