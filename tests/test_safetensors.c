// SPDX-License-Identifier: GPL-3.0-or-later
/* Model files as files: tests/data/manifest.tsv lists good and bad ones, a line each with what is to
 * happen, and more bad ones are made here.  All good ones hold the tables of npy/w?e_f4.npy. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/model.h"
#include "support.h"

Suite *safetensors_suite(void);

enum { V = 61, P = 16, C = 32, NPY_HEADER = 128 };

static char data[PATH_MAX];

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_ptr_nonnull(realpath("tests/data", data));
    calm_environment();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
}

/* ---- the manifest ---- */

static void read_npy(float *out, const char *name, size_t n)
{
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s/npy/%s", data, name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f && !fseek(f, NPY_HEADER, SEEK_SET) && fread(out, sizeof *out, n, f) == n &&
                      !fclose(f),
                  "%s", path);
}

/* Every row of a table against the expected values, as far as its format can hold them. */
static void check_rows(const es_table *t, const float *want, int64_t rows, const char *dtype,
                       const char *path)
{
    float row[C];
    if (!es_table_rows(t))
        return;
    double slack = !strcmp(dtype, "float16") ? 0x1p-11 : !strcmp(dtype, "bfloat16") ? 0x1p-8 : 0;
    ck_assert_int_eq(es_table_rows(t), rows);
    ck_assert_int_eq(es_table_width(t), C);
    for (int64_t i = 0; i < rows; i++) {
        ck_assert(es_table_row(t, i, row, NULL));
        for (int c = 0; c < C; c++) {
            double w = (double)want[i * C + c];
            demand(fabs((double)row[c] - w) <= slack * fabs(w) + (slack > 0 ? 0x1p-25 : 0),
                   "%s [%d, %d]: %.9g, not %.9g", path, (int)i, c, (double)row[c], w);
        }
    }
}

static void check_accepted(const es_model *m, const char *path)
{
    static float wte[V * C], wpe[P * C];
    read_npy(wte, "wte_f4.npy", V * C);
    read_npy(wpe, "wpe_f4.npy", P * C);
    ck_assert_msg(m->config.vocab_size == V || m->config.n_ctx == P, "%s: no table", path);
    check_rows(m->wte, wte, V, m->wte_from.dtype, path);
    check_rows(m->wpe, wpe, P, m->wpe_from.dtype, path);
}

START_TEST(files_are_taken_or_refused_as_the_manifest_says)
{
    char path[PATH_MAX + 220], line[1000], expect[20], name[200];
    int n[3] = {0};
    snprintf(path, sizeof path, "%s/manifest.tsv", data);
    FILE *f = fopen(path, "r");
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%199[^\t]\t%*d\t%19s", name, expect) != 2 || strncmp(name, "safe", 4))
            continue;
        es_error err = ES_ERROR_NONE;
        snprintf(path, sizeof path, "%s/%s", data, name);
        es_model *m = es_model_open(path, 0, &err);
        int kind = expect[0] == 'a' ? 0 : expect[0] == 'r' ? 1 : 2;
        n[kind]++;
        ck_assert_msg(kind != 0 || m, "%s: %s", name, err.message);
        ck_assert_msg(kind != 1 || !m, "%s was taken", name);
        if (m && kind == 0)
            check_accepted(m, name);
        if (!m) {
            ck_assert_str_eq(es_code_name(err.code), "format");
            ck_assert_msg(err.hint != NULL, "%s: no hint", name);
            ck_assert_ptr_nonnull(strstr(err.message, name));
        }
        es_model_unref(m);
        es_error_free(&err);
    }
    fclose(f);
    ck_assert_msg(n[0] == 14 && n[1] == 23 && n[2] == 7, "%d, %d, %d", n[0], n[1], n[2]);
}
END_TEST

/* ---- headers ---- */

#define ONE(rest) "{\"a\":{" rest "}}"
#define F32_4     "\"dtype\":\"F32\",\"shape\":[1],"

static const struct {
    const char *header;
    size_t n; /* bytes of data */
    const char *message;
} hostile[] = {
    {"[]", 0, "its header begins with no {"},
    {"{", 0, "its JSON is broken at byte 1: string or '}' expected near end of file"},
    {"{}{}", 0, "its JSON is broken at byte 3: end of file expected near '{'"},
    {"{}", 4, "4 bytes at its end belong to no tensor"},
    {"{}", 0, "there is no token or position table among its 0 tensors"},
    {"{\"a\":1}", 0, "tensor \"a\" is not an object with dtype, shape and data_offsets"},
    {"{\"a\":null}", 0, "tensor \"a\" is not an object with dtype, shape and data_offsets"},
    {"{\"\\ud800\":1}", 0,
     "its JSON is broken at byte 9: invalid Unicode '\\uD800' near '\"\\ud800\"'"},
    {"{\"a\\u0000b\":1}", 0,
     "its JSON is broken at byte 11: NUL byte in object key not supported near '\"a\\u0000b\"'"},
    {"{\"__metadata__\":[]}", 0, "its __metadata__ is not an object of strings"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "its __metadata__ holds something that is no string"},
    {ONE(""), 0, "tensor \"a\" has no dtype, a string such as \"F32\""},
    {ONE("\"dtype\":\"F32\\u0000\",\"shape\":[],\"data_offsets\":[0,4]"), 4,
     "tensor \"a\" has no dtype, a string such as \"F32\""},
    {ONE("\"dtype\":\"Q4\""), 0,
     "tensor \"a\" has the dtype \"Q4\", which no safetensors file has"},
    {ONE("\"dtype\":\"F32\",\"shape\":4"), 0,
     "tensor \"a\" has no shape, a list such as [50257, 768]"},
    {ONE("\"dtype\":\"F32\",\"shape\":[1.0]"), 0, "tensor \"a\" has no whole number as axis 0"},
    {ONE("\"dtype\":\"F32\",\"shape\":[1,\"1\"]"), 0, "tensor \"a\" has no whole number as axis 1"},
    {ONE("\"dtype\":\"F32\",\"shape\":[-1]"), 0, "tensor \"a\" has -1 as axis 0"},
    {ONE("\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]"), 0,
     "tensor \"a\" has more numbers than 64 bits can count"},
    {ONE("\"dtype\":\"F4\",\"shape\":[3],\"data_offsets\":[0,1]"), 1,
     "tensor \"a\" takes 12 bits, which is no whole number of bytes"},
    {ONE(F32_4 "\"data_offsets\":{}"), 0,
     "tensor \"a\" has no data_offsets, two numbers such as [0, 4096]"},
    {ONE(F32_4 "\"data_offsets\":[4,0]"), 4,
     "tensor \"a\" begins at byte 4 and ends before it, at 0"},
    {ONE(F32_4 "\"data_offsets\":[0,4]"), 3,
     "tensor \"a\" ends at byte 4, but the file has only 3"},
    {ONE(F32_4 "\"data_offsets\":[0,9223372036854775807]"), 4,
     "tensor \"a\" ends at byte 9223372036854775807, but the file has only 4"},
    {ONE(F32_4 "\"data_offsets\":[0,3]"), 4,
     "tensor \"a\" of shape [1] and type F32 takes 4 bytes, but has 3"},
    {"{\"a\":{" F32_4 "\"data_offsets\":[0,4]},\"a\":{" F32_4 "\"data_offsets\":[4,8]}}", 8,
     "its JSON is broken at byte 57: duplicate object key near '\"a\"'"},
    {"{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[1,1,1],\"data_offsets\":[0,4]}}", 4,
     "tensor \"wte.weight\" has the shape [1, 1, 1]: a table has two axes, rows and channels"},
    {"{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[0,8],\"data_offsets\":[0,0]}}", 0,
     "tensor \"wte.weight\" has the shape [0, 8]: there is nothing in it"},
    {"{\"wte.weight\":{\"dtype\":\"I32\",\"shape\":[1,1],\"data_offsets\":[0,4]}}", 4,
     "tensor \"wte.weight\" holds I32; rows are read from F32, F16, BF16 or F64"},
    {"{\"e\\u001b[31m\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}", 4,
     "tensor \"e\\x1b[31m\" of shape [2] and type F32 takes 8 bytes, but has 4"},
    {"{\"\\u009b\\u202e\":{\"dtype\":\"F32\",\"shape\":[1,2,3,4,5],\"data_offsets\":[0,4]}}", 4,
     "tensor \"\\u{9b}\\u{202e}\" of shape [1, 2, 3, 4, 5] and type F32 takes 480 bytes, but has "
     "4"},
};

START_TEST(every_bad_header_says_what_is_wrong)
{
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        es_error err = ES_ERROR_NONE;
        char want[300];
        write_safetensors("x.safetensors", hostile[i].header, 0, NULL, hostile[i].n);
        snprintf(want, sizeof want, "x.safetensors: %s", hostile[i].message);
        ck_assert_fails(es_model_open("x.safetensors", 0, &err), err, ES_ERR_FORMAT, want);
    }
}
END_TEST

/* What would take stack, memory or time if it were believed. */
START_TEST(large_headers_are_refused_or_read_and_never_believed)
{
    enum { DEEP = 100000, AXES = 70000, MANY = 3000 };
    es_error err = ES_ERROR_NONE;
    es_str h = {0};
    es_str_cat(&h, "{\"a\":");
    es_str_fill(&h, '[', DEEP);
    write_safetensors("x", h.s, 0, NULL, 0);
    ck_assert_fails(es_model_open("x", 0, &err), err, ES_ERR_FORMAT,
                    "x: its JSON is nested more than 8 deep at byte 12");

    es_str_cut(&h, 0);
    es_str_cat(&h, "{\"a\":{\"dtype\":\"F32\",\"shape\":[1");
    for (int i = 1; i < AXES; i++)
        es_str_cat(&h, ",1");
    es_str_cat(&h, "],\"data_offsets\":[0,4]}}");
    write_safetensors("x", h.s, 0, NULL, 4);
    ck_assert_fails(es_model_open("x", 0, &err), err, ES_ERR_FORMAT,
                    "x: there is no token or position table among its 1 tensor");

    es_str_cut(&h, 0);
    for (int i = 0; i < MANY; i++)
        es_str_add(&h, "%s\"t%d\":{\"dtype\":\"U8\",\"shape\":[4096],\"data_offsets\":[0,4096]}",
                   i ? "," : "{", i);
    es_str_char(&h, '}');
    write_safetensors("x", h.s, 0, NULL, 4096);
    ck_assert(!es_model_open("x", 0, &err));
    ck_assert_ptr_nonnull(
        strstr(err.message, "begins at byte 0, inside another that ends at 4096"));
    es_error_free(&err);

    es_str_cut(&h, 0);
    es_str_cat(&h, "{\"a\":{\"dtype\":\"F32\",\"shape\":[0");
    es_str_room(&h, 18 << 20, "test", NULL);
    for (int i = 0; i < 9 << 20; i++)
        es_str_bytes(&h, ",0", 2);
    write_safetensors("x", h.s, 0, NULL, 0);
    ck_assert_fails(es_model_open("x", 0, &err), err, ES_ERR_FORMAT,
                    "x: its JSON has more than 8388608 values");
    es_str_free(&h);
}
END_TEST

START_TEST(other_things_in_its_place_are_called_by_their_names)
{
    static const char *const cases[][2] = {
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
         "x: this is a Git LFS pointer, a note that stands for the file, not a safetensors file"},
        {"<!DOCTYPE html><html>", "x: this is a web page, not a safetensors file"},
        {"GGUF\3", "x: this is a GGUF file, not a safetensors file"},
        {"PK\3\4", "x: this is a zip file, not a safetensors file"},
        {"\x93NUMPY\1", "x: this is a NumPy array, not a safetensors file"},
        {"", "x: 0 bytes are no safetensors file: 8 say how long its header is"},
        {"12345678", "x: this is text, not a safetensors file"},
        {"1234567\1", "x: the first 8 bytes give its header 87598319893951025 bytes, more than the "
                      "100000000 that are allowed"},
        {"\x40\0\0\0\0\0\0\0", "x: its header has 64 bytes, but only 0 follow"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_error err = ES_ERROR_NONE;
        FILE *f = fopen("x", "wb");
        size_t n = cases[i][0][0] == '\x40' ? 8 : strlen(cases[i][0]);
        ck_assert(fwrite(cases[i][0], 1, n, f) == n && !fclose(f));
        ck_assert_fails(es_model_open("x", 0, &err), err, ES_ERR_FORMAT, cases[i][1]);
    }
}
END_TEST

Suite *safetensors_suite(void)
{
    Suite *s = suite_create("safetensors");
    TCase *tc = tcase_create("files");
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, files_are_taken_or_refused_as_the_manifest_says);
    tcase_add_test(tc, every_bad_header_says_what_is_wrong);
    tcase_add_test(tc, large_headers_are_refused_or_read_and_never_believed);
    tcase_add_test(tc, other_things_in_its_place_are_called_by_their_names);
    suite_add_tcase(s, tc);
    return s;
}
