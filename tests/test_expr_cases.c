// SPDX-License-Identifier: GPL-3.0-or-later
/* Statements with the value, shape and dtype, or the kind of error, that PyTorch 1.13 gives.  tests/data/
 * expr_cases.jsonl was measured, and its first line says what they run on; the first line of expr_more.jsonl
 * says how its expectations were made.  All cases of a file are lines of one script, :reset between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

Suite *expr_cases_suite(void);

enum { V = 50, C = 8, P = 16, N_MORE = 1968 };

#define CASE_ENDS "the case ends here"

static char data[4096];

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
    ck_assert_ptr_nonnull(getcwd(data, sizeof data - 64));
    strcat(data, "/tests/data/");
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

/* ---- running all of a file ---- */

static void add_case(es_str *script, const json_t *one)
{
    size_t i;
    json_t *line;
    es_str_cat(script, ":reset\n:tensor\n"
                       "ids = torch.tensor([[3, 7, 1, 7, 49], [0, 2, 4, 6, 8]])\n"
                       "input_ids = ids\n"
                       "x = ((torch.arange(80).reshape(2, 5, 8)) % 7 - 3) / 4.0\n");
    json_array_foreach(json_object_get(one, "pre"), i, line)
        es_str_add(script, "%s\n", json_string_value(line));
    es_str_add(script, "%s\nstr(\"" CASE_ENDS "\")\n", string_of(one, "expr"));
}

/* What the program printed for the script. */
static void run_script(const es_str *script, run_result *r)
{
    FILE *f = fopen("cases.txt", "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(script->s, 1, script->len, f), script->len);
    ck_assert_int_eq(fclose(f), 0);
    const char *argv[] = {program(), "--json",       "--values", "--model",   "tiny.safetensors",
                          "--norc",  "--keep-going", "-f",       "cases.txt", NULL};
    run_program(r, argv, "", 0);
}

/* The object that the last line of the next case gave; a new reference, NULL: there is none.  *s goes on. */
static json_t *next_answer(const char **s)
{
    json_t *last = NULL;
    for (const char *end; (end = strchr(*s, '\n')); *s = end + 1) {
        json_error_t why;
        json_t *o = json_loadb(*s, (size_t)(end - *s), JSON_ALLOW_NUL, &why);
        demand(o, "%s: %.*s", why.text, (int)(end - *s), *s);
        if (!strcmp(string_of(o, "value"), CASE_ENDS)) {
            json_decref(o);
            *s = end + 1;
            return last;
        }
        json_decref(last);
        last = o;
    }
    json_decref(last);
    return NULL;
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

static bool exact; /* of this case every bit counts; a float32 comes with nine digits */

/* null in what is wanted is NaN, and so it is in JSON. */
static bool same_number(const json_t *want, const json_t *got)
{
    if (json_is_null(want) || json_is_boolean(want))
        return json_typeof(want) == json_typeof(got);
    double w = json_number_value(want), g = json_number_value(got);
    return json_is_number(got) && (exact ? w == g || (float)w == (float)g : near(w, g));
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
    if (json_object_get(want, "dtype") && strcmp(string_of(want, "dtype"), string_of(got, "dtype")))
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
    if (json_object_get(want, "printed") &&
        strcmp(string_of(want, "printed"), string_of(got, "printed")))
        differ(one, got, "thing printed");
    if (!strcmp(type, "tensor")) {
        check_tensor(one, want, got);
    } else if (!strcmp(type, "tuple") || !strcmp(type, "list")) {
        const json_t *items = json_object_get(got, "items");
        size_t i;
        json_t *item;
        if (json_array_size(items) != json_array_size(value))
            differ(one, got, "number of items");
        json_array_foreach(value, i, item) check_value(one, item, json_array_get(items, i));
    } else if (!value) {
        return; /* None; a printed text is all */
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
    const json_t *error = json_object_get(one, "error");
    const char *want = string_of(error, "kind"), *says = string_of(error, "says");
    const char *code = string_of(got, "error");
    bool either =
        !strcmp(want, "type_or_shape") && (!strcmp(code, "type") || !strcmp(code, "dtype"));
    if (!either && strcmp(want, code))
        differ(one, got, "kind of error");
    if (strncmp(string_of(got, "torch"), says, strlen(says)))
        differ(one, got, "text of PyTorch");
    if (json_is_null(json_object_get(got, "begin")))
        differ(one, got, "place: none at all");
}

static void check_case(const json_t *one, const json_t *got)
{
    exact = json_is_true(json_object_get(one, "exact"));
    if (!got) {
        differ(one, got, "answer: none at all");
    } else if (json_is_true(json_object_get(one, "ok"))) {
        check_value(one, json_object_get(one, "result"), got);
        check_dims(one, got);
    } else {
        check_failure(one, got);
    }
}

static json_t *cases;

static void keep_case(json_t *one, int line)
{
    (void)line;
    if (strcmp(string_of(one, "id"), "header"))
        json_array_append(cases, one);
}

static void check_file(const char *name, size_t n)
{
    char path[sizeof data + 64];
    es_str script = {0};
    run_result r;
    size_t i;
    json_t *one;
    snprintf(path, sizeof path, "%s%s", data, name);
    cases = json_array();
    each_json_line(path, keep_case);
    ck_assert_uint_eq(json_array_size(cases), n);
    json_array_foreach(cases, i, one) add_case(&script, one);
    run_script(&script, &r);
    const char *s = es_str_text(&r.out);
    json_array_foreach(cases, i, one)
    {
        json_t *got = next_answer(&s);
        check_case(one, got);
        json_decref(got);
    }
    ck_assert_msg(failures.len == 0, "%s", es_str_text(&failures));
    run_result_free(&r);
    es_str_free(&script);
    json_decref(cases);
}

START_TEST(statements_give_what_pytorch_gives)
{
    check_file("expr_cases.jsonl", 139);
}
END_TEST

START_TEST(more_statements_give_what_pytorch_gives)
{
    check_file("expr_more.jsonl", N_MORE);
}
END_TEST

Suite *expr_cases_suite(void)
{
    Suite *s = suite_create("expr_cases");
    TCase *tc = tcase_create("pytorch");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, statements_give_what_pytorch_gives);
    tcase_add_test(tc, more_statements_give_what_pytorch_gives);
    suite_add_tcase(s, tc);
    return s;
}
