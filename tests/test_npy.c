// SPDX-License-Identifier: GPL-3.0-or-later
/* A reader's own tensors: .npy files as tests/data/manifest.tsv lists them and worse ones, what load, fromfile
 * and save make of files, and that what was written is read back to the bit. */
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "language.h"
#include "model/npy.h"
#include "support.h"

Suite *npy_suite(void);

static char data[PATH_MAX];
static language l;

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_ptr_nonnull(realpath("tests/data", data));
    calm_environment();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    language_begin(&l);
}

static void teardown(void)
{
    language_end(&l);
}

/* What is shown for the source, as printf has it; it is word for word `want`. */
static void check(const char *source, const char *want)
{
    const char *got = language_says(&l, source);
    demand(!strcmp(got, want), "%s\n  wanted: %s\n  got:    %s", source, want, got);
}

static void check_note(const char *source, const char *want)
{
    ck_assert_msg(language_run(&l, source), "%s: %s", source, l.err.message);
    ck_assert_str_eq(es_str_text(&l.noted), want);
}

static void check_hint(const char *source, const char *want)
{
    ck_assert_msg(!language_run(&l, source), "%s works", source);
    ck_assert_str_eq(l.err.hint ? l.err.hint : "", want);
}

static void write_bytes(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    ck_assert(f && fwrite(bytes, 1, n, f) == n && !fclose(f));
}

/* ---- the manifest ---- */

static void load_named(const char *variable, const char *name)
{
    es_str source = {0};
    es_str_add(&source, "%s = load(\"%s/%s\")", variable, data, name);
    language_run(&l, source.s);
    es_str_free(&source);
}

START_TEST(files_are_taken_or_refused_as_the_manifest_says)
{
    char line[1000], expect[20], name[200], path[PATH_MAX + 20];
    int n[3] = {0};
    snprintf(path, sizeof path, "%s/manifest.tsv", data);
    FILE *f = fopen(path, "r");
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%199[^\t]\t%*d\t%19s", name, expect) != 2 || strncmp(name, "npy/", 4))
            continue;
        int kind = expect[0] == 'a' ? 0 : expect[0] == 'r' ? 1 : 2;
        load_named("x", name);
        n[kind]++;
        ck_assert_msg(kind != 0 || l.err.code == ES_OK, "%s: %s", name, l.err.message);
        ck_assert_msg(kind != 1 || l.err.code != ES_OK, "%s was taken", name);
        if (l.err.code == ES_OK)
            continue;
        ck_assert_str_eq(es_code_name(l.err.code), "format");
        ck_assert_msg(l.err.hint != NULL, "%s: no hint", name);
        ck_assert_ptr_nonnull(strstr(l.err.message, name));
    }
    fclose(f);
    ck_assert_msg(n[0] == 11 && n[1] == 16 && n[2] == 8, "%d, %d, %d", n[0], n[1], n[2]);
}
END_TEST

START_TEST(every_way_to_write_an_array_gives_the_same_numbers)
{
    static const char *const same[] = {"fortran", "be", "v2", "v3", "oldalign16", "spacing"};
    char name[40];
    load_named("want", "npy/wte_f4.npy");
    check("want.shape, want.dtype, want.is_contiguous()",
          "(torch.Size([61, 32]), torch.float32, True)");
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        snprintf(name, sizeof name, "npy/wte_f4_%s.npy", same[i]);
        load_named("x", name);
        check("torch.equal(x, want)", "True");
    }
    load_named("x", "npy/big_header_60k.npy");
    check("torch.equal(x, want)", "True");
    load_named("x", "npy/wte_f8.npy");
    load_named("y", "npy/wte_f8_be_fortran.npy");
    check("x.dtype, torch.equal(x, y), torch.equal(x.float(), want)",
          "(torch.float64, True, True)");
    load_named("x", "npy/wte_f2.npy");
    check("x.dtype, ((x - want).abs() <= want.abs() * 2**-11 + 2**-25).all()",
          "(torch.float32, tensor(True))");
    load_named("x", "npy/wte_i8.npy");
    check("x.dtype, x[2, 0]", "(torch.int64, tensor(900))");
    load_named("x", "npy/empty_0x32.npy");
    check("x.shape, x.stride()", "(torch.Size([0, 32]), (32, 1))");
    load_named("x", "npy/wte_f4_fortran.npy");
    check("x.stride(), torch.equal(x.contiguous(), want)", "((1, 61), True)");
}
END_TEST

START_TEST(nan_and_infinite_numbers_are_counted)
{
    es_str want = {0};
    load_named("x", "npy/wte_nan_inf.npy");
    es_str_add(&want, "%s/npy/wte_nan_inf.npy: 21 NaN, 21 infinite, the first at [0, 0]\n", data);
    ck_assert_str_eq(es_str_text(&l.noted), want.s);
    es_str_free(&want);
    check_note("x = torch.zeros(2, 3); x[1, 2] = float('inf'); save(x, 'x.npy'); y = load('x.npy')",
               "x.npy: 0 NaN, 1 infinite, the first at [1, 2]\n");
    check_note("save({'a': x}, 'x.safetensors'); y = load('x.safetensors')",
               "\"a\": 0 NaN, 1 infinite, the first at [1, 2]\n");
}
END_TEST

/* ---- headers ---- */

#define F4 "'descr': '<f4', 'fortran_order': False, "

static const struct {
    const char *header, *message; /* behind "x.npy: "; NULL: it is taken */
} headers[] = {
    {"{" F4 "'shape': (2,)}", NULL},
    {"{" F4 "'shape': (2,), }\n", NULL},
    {" \t{\"shape\":(2L,),'fortran_order':True,\"descr\":'=f4'}  \r\n", NULL},
    {"{" F4 "'shape': ()}", NULL},
    {"{" F4 "'shape': (0, 7)}", NULL},
    {"{" F4 "'shape': (1,1,1,1,1,1,1,2)}", NULL},
    {"{" F4 "'shape': (9,), 'shape': (2,)}", NULL},
    {"{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", NULL},
    {"{'descr': '?', 'fortran_order': False, 'shape': (3,)}", NULL},
    {"{'descr': 'u2', 'fortran_order': False, 'shape': (3,)}", NULL},
    {"", "its header should have a dict, {…}, at byte 0, not its end"},
    {"[]", "its header should have a dict, {…}, at byte 0, not \"[\""},
    {"{", "its header should have a string in quotes at byte 1, not its end"},
    {"{}", "its header has no descr"},
    {"{,}", "its header should have a string in quotes at byte 1, not \",\""},
    {"{" F4 "}", "its header has no shape"},
    {"{" F4 "'shape': (2,)", "its header should have a comma or } at byte 54, not its end"},
    {"{" F4 "'shape': (2,)} x",
     "its header should have nothing behind the dict at byte 56, not \"x\""},
    {"{" F4 "'shape': (2,), 'x': 1}",
     "its header has the key \"x\"; a .npy file has descr, fortran_order and shape"},
    {"{" F4 "'shape': (2)}", "the shape in its header is a number in parentheses, not a tuple"},
    {"{" F4 "'shape': [2]}", "its header should have a tuple of sizes at byte 50, not \"[\""},
    {"{" F4 "'shape': (-2,)}",
     "its header should have a size, a whole number from 0 on, at byte 51, not \"-\""},
    {"{" F4 "'shape': (2 3)}", "its header should have a comma or ) at byte 53, not \"3\""},
    {"{" F4 "'shape': (,)}",
     "its header should have a size, a whole number from 0 on, at byte 51, not \",\""},
    {"{" F4 "'shape': (1,1,1,1,1,1,1,1,1)}", "its array has more than 8 axes"},
    {"{" F4 "'shape': (9223372036854775808,)}",
     "its header gives axis 0 more than 64 bits can count"},
    {"{" F4 "'shape': (9223372036854775807,)}",
     "its shape has more numbers than 64 bits can count"},
    {"{" F4 "'shape': (0, 4294967296, 4294967296)}",
     "its shape has more numbers than 64 bits can count"},
    {"{" F4 "'shape': (3,)}", "[3] of float32 takes 12 bytes, but only 8 follow its header"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
     "its header should have True or False at byte 34, not \"0\""},
    {"{'descr': '<f\\x34', 'fortran_order': False, 'shape': (2,)}",
     "its header should have the rest of a string at byte 13, not \"\\\\\""},
    {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
     "it holds records of several fields (a structured dtype), not numbers"},
    {"{'descr': '|O', 'fortran_order': False, 'shape': (2,)}",
     "it holds Python objects, that is a pickle, which is never read here"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}", "it holds complex numbers"},
    {"{'descr': '<U2', 'fortran_order': False, 'shape': (1,)}", "it holds strings"},
    {"{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (1,)}", "it holds dates"},
    {"{'descr': '|V2', 'fortran_order': False, 'shape': (4,)}",
     "it holds elements of 2 bytes that it says nothing about, as bfloat16 is written"},
    {"{'descr': '<f16', 'fortran_order': False, 'shape': (0,)}",
     "it holds floats of 16 bytes, which differ from machine to machine"},
    {"{'descr': 'int64', 'fortran_order': False, 'shape': (1,)}",
     "its descr is \"int64\", which is no kind of number that NumPy has"},
    {"{'descr': 'F32', 'fortran_order': False, 'shape': (1,)}",
     "its descr is \"F32\", which is no kind of number that NumPy has"},
};

/* Version 1.0, that header, eight bytes of numbers; the caller frees it. */
static es_str npy_of(const char *header)
{
    es_str s = {0};
    size_t n = strlen(header);
    es_str_bytes(&s, "\x93NUMPY\x01\x00", 8);
    es_str_char(&s, (char)(n & 0xFF));
    es_str_char(&s, (char)(n >> 8));
    es_str_cat(&s, header);
    es_str_bytes(&s, "\0\1\0\0\0\0\0\0", 8);
    return s;
}

START_TEST(headers_are_read_as_one_dict_and_nothing_else)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        es_npy npy;
        es_error err = ES_ERROR_NONE;
        es_str s = npy_of(headers[i].header), want = {0};
        es_str_add(&want, "x.npy: %s", headers[i].message ? headers[i].message : "");
        bool ok = es_npy_read(&npy, s.s, s.len, "x.npy", &err);
        demand(ok == !headers[i].message, "%s: %s", headers[i].header, err.message);
        demand(ok || !strcmp(err.message, want.s), "%s\n  wanted: %s\n  got:    %s",
               headers[i].header, want.s, err.message);
        demand(ok || err.hint, "%s: no hint", headers[i].header);
        es_error_free(&err);
        es_str_free(&want);
        es_str_free(&s);
    }
}
END_TEST

START_TEST(a_file_that_ends_anywhere_is_refused)
{
    es_str s = npy_of("{" F4 "'shape': (2,)}");
    for (size_t n = 0; n <= s.len; n++) {
        es_npy npy;
        es_error err = ES_ERROR_NONE;
        char *exact = es_copy_bytes(s.s, n); /* so that a sanitiser sees a byte too many */
        demand(es_npy_read(&npy, exact, n, "x.npy", &err) == (n == s.len), "%zu bytes", n);
        demand(n == s.len || (err.code == ES_ERR_FORMAT && err.hint), "%zu bytes", n);
        es_error_free(&err);
        free(exact);
    }
    es_str_free(&s);
}
END_TEST

/* ---- numbers ---- */

/* The eight bytes 00 01 00 00 00 00 00 00 and what they are. */
static const struct {
    const char *descr, *shape, *want;
} kinds[] = {
    {"|u1", "(8,)", "[8] tensor([0, 1, 0, 0, 0, 0, 0, 0], dtype=torch.int32)"},
    {"|i1", "(2,)", "[2] tensor([0, 1], dtype=torch.int32)"},
    {"<i2", "(2,)", "[2] tensor([256,   0], dtype=torch.int32)"},
    {">i2", "(2,)", "[2] tensor([1, 0], dtype=torch.int32)"},
    {">u2", "(2,)", "[2] tensor([1, 0], dtype=torch.int32)"},
    {"<i4", "(2,)", "[2] tensor([256,   0], dtype=torch.int32)"},
    {">i4", "(2,)", "[2] tensor([65536,     0], dtype=torch.int32)"},
    {">u4", "(2,)", "[2] tensor([65536,     0])"},
    {"<u8", "()", "[] tensor(256)"},
    {">u8", "()", "[] tensor(281474976710656)"},
    {">i8", "(1,)", "[1] tensor([281474976710656])"},
    {"|b1", "(2, 2)", "[2, 2] tensor([[False,  True],\n        [False, False]])"},
    {"<f2", "(2,)", "[2] tensor([1.5259e-05, 0.0000e+00])"},
    {">f2", "(1,)", "[1] tensor([5.9605e-08])"},
};

START_TEST(every_kind_of_number_becomes_the_nearest_of_ours)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char header[100];
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s}",
                 kinds[i].descr, kinds[i].shape);
        es_str s = npy_of(header);
        write_bytes("x.npy", s.s, s.len);
        check("load('x.npy')", kinds[i].want);
        es_str_free(&s);
    }
    check_note("x = load('x.npy')", "x.npy holds float16, and here it is float32, exactly\n"
                                    "x.npy: 6 bytes behind its numbers are not read\n");
}
END_TEST

START_TEST(a_uint64_that_does_not_fit_is_named)
{
    es_str s = npy_of("{'descr': '<u8', 'fortran_order': False, 'shape': (1,)}");
    s.s[s.len - 1] = '\x80';
    write_bytes("x.npy", s.s, s.len);
    es_str_free(&s);
    check("load('x.npy')",
          "error[unsupported]: number 0 of it is 9223372036854776064, more than int64 can hold");
}
END_TEST

/* ---- writing ---- */

static bool numpy_is_there(void)
{
    return system("python3 -c 'import numpy' 2>/dev/null") == 0;
}

START_TEST(a_written_header_is_numpys_to_the_byte)
{
    static const char want[] = "\x93NUMPY\x01\x00v\0{'descr': '<f4', 'fortran_order': False, "
                               "'shape': (2, 3), }"
                               "                                                          \n";
    es_str got = {0};
    const es_shape shape = es_shape_2d("B", 2, "T", 3), one = es_shape_1d("", 5), none = {0};
    es_npy_header(&got, ES_FLOAT32, &shape);
    ck_assert_uint_eq(got.len, 128);
    ck_assert_int_eq(memcmp(got.s, want, 128), 0);
    es_str_free(&got);
    es_npy_header(&got, ES_BOOL, &one);
    ck_assert_ptr_nonnull(
        memmem(got.s, got.len, "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }", 56));
    es_str_free(&got);
    es_npy_header(&got, ES_INT64, &none);
    ck_assert_ptr_nonnull(
        memmem(got.s, got.len, "'<i8', 'fortran_order': False, 'shape': (), }", 45));
    es_str_free(&got);
    if (!numpy_is_there())
        return;
    ck_assert(language_run(&l, "save(torch.arange(6).view(2, 3), 'x.npy')"));
    ck_assert_int_eq(
        system("python3 -c 'import numpy as n; x = n.load(\"x.npy\"); "
               "assert (x == n.arange(6).reshape(2, 3)).all() and x.dtype == n.int64'"),
        0);
}
END_TEST

START_TEST(what_is_written_is_read_back_to_the_bit)
{
    static const char *const dtypes[] = {"float32", "float64", "int64", "int32", "bool"};
    uint64_t state = 6;
    for (int k = 0; k < thoroughness(60, 10); k++) {
        es_str source = {0}, sizes = {0};
        for (int d = (int)random_below(&state, 5); d > 0; d--)
            es_str_add(&sizes, "%u, ", random_below(&state, 5));
        es_str_add(&source,
                   "x = (torch.randn(%s) * 100).to(torch.%s)\nx = %s\n"
                   "save(x, 'x.npy'); save({'x': x, 'c': x > 0}, 'x.safetensors')\n"
                   "y = load('x.npy'); z = load('x.safetensors')\n"
                   "x.dtype == y.dtype == z['x'].dtype and torch.equal(x, y) and "
                   "torch.equal(x, z['x']) and torch.equal(x > 0, z['c'])",
                   sizes.len ? sizes.s : "()", dtypes[random_below(&state, 5)],
                   random_below(&state, 2) ? "x.transpose(0, -1)" : "x");
        check(source.s, "True");
        es_str_free(&source);
        es_str_free(&sizes);
    }
}
END_TEST

static mode_t mode_of(const char *path)
{
    struct stat st;
    ck_assert_int_eq(stat(path, &st), 0);
    return st.st_mode & 0777;
}

START_TEST(a_file_is_written_whole_with_the_umasks_permissions)
{
    umask(027);
    check("save(torch.zeros(3), 'x.npy'); save(torch.ones(2), 'x.npy'); load('x.npy')",
          "[2] tensor([1., 1.])");
    ck_assert_uint_eq(mode_of("x.npy"), 0640);
    ck_assert_int_eq(symlink("x.npy", "link.npy"), 0);
    check("save(torch.zeros(1), 'link.npy'); load('x.npy')", "[1] tensor([0.])");
    ck_assert_int_eq(system("test $(ls -a | wc -l) = 4"), 0); /* nothing temporary is left */
}
END_TEST

START_TEST(a_place_that_cannot_be_written_is_named)
{
    ck_assert_int_eq(mkdir("d.npy", 0700), 0);
    ck_assert_int_eq(mkfifo("f.npy", 0600), 0);
    ck_assert_int_eq(symlink("/dev/null", "null.npy"), 0);
    ck_assert(language_run(&l, "x = torch.zeros(2)"));
    check("save(x, 'd.npy')", "error[io]: cannot write d.npy: Is a directory");
    check("save(x, 'f.npy')", "error[io]: cannot write f.npy: it is a pipe, not a file");
    check("save(x, 'null.npy')", "error[io]: cannot write null.npy: it is a device, not a file");
    check("save(x, 'no/x.npy')", "error[io]: cannot write no/x.npy: No such file or directory");
    check("save(x, '')", "error[io]: there is no path here");
    check("save(x, 'a\\0.npy')", "error[io]: no path has a NUL byte in it");
    check("save(x, 'a\\x1b[2J.txt')",
          "error[value]: a\\x1b[2J.txt: the name says in which format, .npy or .safetensors");
    check("torch.save(x, 'x.pt')",
          "error[unsupported]: x.pt: PyTorch's own files are pickles, programs that make objects, "
          "and are not written here");
}
END_TEST

START_TEST(what_cannot_be_saved_is_said)
{
    ck_assert(language_run(&l, "x = torch.zeros(2)"));
    check("save(3, 'x.npy')", "error[type]: save(): argument 'obj' (position 1) must be a Tensor, "
                              "or a dict of them, not int");
    check("save({'a': [1]}, 'x.safetensors')",
          "error[type]: save() writes tensors, and \"a\" is list");
    check("save({1: x}, 'x.safetensors')",
          "error[type]: save() writes tensors by their names, and a key is int");
    check("save({'': x}, 'x.safetensors')",
          "error[value]: no tensor in a safetensors file can be called \"\"");
    check("save({'__metadata__': x}, 'x.safetensors')",
          "error[value]: no tensor in a safetensors file can be called \"__metadata__\"");
    check("save({'a': x}, 'x.npy')",
          "error[type]: a .npy file holds one tensor, and this is a dict of them");
    check("save(x, 'x.safetensors')",
          "error[type]: a .safetensors file holds tensors by their names, and this has none");
    check("np.savez('x.npz', x)",
          "error[unsupported]: np.savez: several arrays in one .npz are not written here");
    es_interp_torch(l.in)->shapes_only = true;
    check("save(torch.zeros(2), 'meta.npy')",
          "error[value]: save() needs values, and only shapes are known here");
    ck_assert_int_eq(access("meta.npy", F_OK), -1);
}
END_TEST

/* ---- what else a file is ---- */

static const struct {
    const char *bytes;
    size_t n;
    const char *message;
} others[] = {
    {"", 0, "x is empty"},
    {"GGUF\3\0\0\0", 8, "x is a GGUF file"},
    {"\x80\x02}q\0.", 6, "x is a pickle, as PyTorch's older .pt and .bin are"},
    {"\x89HDF\r\n\x1a\n", 8, "x is an HDF5 file, as Keras writes them"},
    {"version https://git-lfs.github.com/spec/v1", 42,
     "x is a Git LFS pointer, a note that stands for the file"},
    {"<!DOCTYPE html>", 15, "x is a web page"},
    {"{\"a\": 1}", 8, "x is JSON"},
    {"1.5 2.5\n", 8, "x is text"},
    {"PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0a.npy", 35, "x is a NumPy .npz"},
    {"PK\3\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\12\0\0\0m/data.pkl", 40,
     "x is a file of PyTorch's, a zip with a pickle"},
    {"PK\3\4", 4, "x is a zip file"},
    {"\0\0\0\0\0\0\x80?", 8, "x begins like no format that is read here"},
};

START_TEST(what_else_a_file_is_is_said)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        es_str want = {0};
        write_bytes("x", others[i].bytes, others[i].n);
        es_str_add(&want, "error[format]: %s", others[i].message);
        check("load('x')", want.s);
        demand(l.err.hint != NULL, "%s: no hint", others[i].message);
        es_str_free(&want);
    }
    check_hint("load('x')", "numbers alone: fromfile(\"FILE\", (8, 64), dtype=\"float32\")\n"
                            "load() reads .npy and .safetensors");
}
END_TEST

START_TEST(places_that_are_no_files_are_named)
{
    ck_assert_int_eq(mkfifo("f", 0600), 0);
    check("load('nowhere.npy')", "error[io]: cannot open nowhere.npy: No such file or directory");
    check("load('.')", "error[io]: cannot read .: Is a directory");
    check("load('f')", "error[io]: cannot read f: it is a pipe, not a file");
    check("fromfile('f')", "error[io]: cannot read f: it is a pipe, not a file");
    check("load('/dev/zero')", "error[io]: cannot read /dev/zero: it is a device, not a file");
    check("load('-')", "error[io]: cannot open ./-: No such file or directory");
    check("load('a\\x1b[2J')", "error[io]: cannot open a\\x1b[2J: No such file or directory");
    write_bytes("acts.npy", "", 0);
    check_hint("load('atcs.npy')", "did you mean \"acts.npy\"?");
    check_hint("fromfile('./acts.np')", "did you mean \"acts.npy\"?");
    check_hint("load('acts.pt')", "did you mean \"acts.npy\"?");
    check_hint("load('weights.npy')", "");
    check("load(3)",
          "error[type]: load(): argument 'file' (position 1) must be a path, as a string, not int");
    ck_assert_str_eq(language_place(&l, "load(3)"), "3");
}
END_TEST

/* ---- safetensors ---- */

START_TEST(hints_of_save_fit_what_is_saved)
{
    check_hint("save({'a': torch.zeros(2)}, 'm.pt')",
               "try: save(…, \"m.safetensors\")\n"
               "in Python: safetensors.torch.load_file(\"m.safetensors\")");
    check_hint("save(torch.zeros(2), 'x.pt')",
               "try: save(x, \"x.npy\") or save({\"x\": x}, \"x.safetensors\")\n"
               "in Python: torch.from_numpy(numpy.load(\"x.npy\"))");
    check_hint("save({'a': torch.zeros(2)}, 'm')", "try: save(…, \"m.safetensors\")");
}
END_TEST

START_TEST(a_safetensors_file_is_a_dict_of_its_tensors)
{
    load_named("m", "safetensors/gpt2_names.safetensors");
    load_named("want", "npy/wte_f4.npy");
    check("torch.equal(m['wte.weight'], want)", "True");
    load_named("m", "safetensors/bf16.safetensors");
    ck_assert_ptr_nonnull(strstr(es_str_text(&l.noted), ": bfloat16 is float32 here, exactly\n"));
    load_named("m", "safetensors/f8.safetensors");
    ck_assert_ptr_nonnull(
        strstr(es_str_text(&l.noted), ": left out, because no tensor here holds such: "));
    load_named("m", "safetensors/bad_overlap.safetensors");
    ck_assert_str_eq(es_code_name(l.err.code), "format");
    load_named("m", "safetensors/sharded/model.safetensors.index.json");
    check("torch.equal(m['transformer.wte.weight'], want)", "True");
}
END_TEST

START_TEST(names_of_tensors_keep_every_character)
{
    check("n = 'a \"b\" \\\\ \\n \xC3\xA9 \\x1b \xE2\x80\xAE'\n"
          "save({n: torch.ones(2), 'b': torch.ones(3, dtype=torch.bool)}, 'n.safetensors')\n"
          "m = load('n.safetensors'); m[n].sum(), list(m.keys())[0] == n, len(m)",
          "(tensor(2.), True, 2)");
}
END_TEST

/* ---- fromfile ---- */

START_TEST(plain_numbers_are_read_as_told)
{
    static const float six[] = {0, 1, 2, 3, 4, 5};
    write_bytes("a.f32", six, sizeof six);
    check("fromfile('a.f32', (2, 3))", "[2, 3] tensor([[0., 1., 2.],\n        [3., 4., 5.]])");
    check("fromfile('a.f32')", "[6] tensor([0., 1., 2., 3., 4., 5.])");
    check("fromfile('a.f32', (3, -1), dtype=torch.float32, byteorder='little', offset=12)",
          "[3, 1] tensor([[3.],\n        [4.],\n        [5.]])");
    check("fromfile('a.f32', 6, dtype='<f4')[5]", "[] tensor(5.)");
    check("fromfile('a.f32', dtype='uint8')[-4:]",
          "[4] tensor([  0,   0, 160,  64], dtype=torch.int32)");
    check("fromfile('a.f32', dtype='bfloat16')[-1]", "[] tensor(5.)");
    check("fromfile('a.f32', dtype='uint8', byteorder='big').shape, "
          "fromfile('a.f32', dtype='int32', byteorder='big')[1]",
          "(torch.Size([24]), tensor(32831, dtype=torch.int32))");
    check("np.fromfile('a.f32', dtype=np.float32, count=2)", "[2] tensor([0., 1.])");
    check("np.fromfile('a.f32').dtype, np.fromfile('a.f32', dtype=np.float32, count=99).shape",
          "(torch.float64, torch.Size([6]))");
}
END_TEST

START_TEST(a_shape_that_does_not_fit_says_which_would)
{
    static const float six[] = {0, 1, 2, 3, 4, 5};
    write_bytes("a.f32", six, sizeof six);
    check("fromfile('a.f32', (4, 3))",
          "error[format]: a.f32 holds 6 numbers of float32, and (4, 3) is 12");
    check_hint("fromfile('a.f32', (4, 3))",
               "there would be that many if they were float16, bfloat16, "
               "int16, uint16\nit would fit (2, 3)");
    check_hint("fromfile('a.f32', (5,))",
               "it would fit (6,)\noffset=4 would leave out the first 4 bytes");
    check_hint("fromfile('a.f32', (4, -1))", "without a shape it is one axis of 6");
    check("fromfile('a.f32', offset=1)",
          "error[format]: a.f32 has 23 bytes from byte 1 on, which are no whole number of float32 "
          "(4 bytes each)");
    check_hint("fromfile('a.f32', offset=1)",
               "another dtype, or offset=4, if there is something before them");
    check("fromfile('a.f32', offset=25)",
          "error[range]: a.f32 has 24 bytes, and its numbers are to begin at byte 25");
    check("fromfile('a.f32', offset=-1)",
          "error[range]: an offset is a number of bytes from 0 on, not -1");
    check("fromfile('a.f32', (-1, -1))", "error[value]: only one size can be -1, what is left");
    check("fromfile('a.f32', (4294967296, 4294967296))",
          "error[nomem]: that shape is more numbers than can be counted");
    check("fromfile('a.f32', dtype='f3')", "error[value]: fromfile() knows no dtype \"f3\"");
    check("fromfile('a.f32', byteorder='middle')",
          "error[value]: a byte order is \"little\" or \"big\", not \"middle\"");
    check("fromfile('a.f32', dtype='>f4', byteorder='little')",
          "error[value]: dtype and byteorder say opposite things: leave one out");
    check("np.fromfile('a.f32', sep=' ')",
          "error[unsupported]: numbers as text, with something between them, are not read");
}
END_TEST

/* ---- large files ---- */

enum { MANY = (64 << 20) / 4 + 1 }; /* more numbers than are read at once */

/* A file with that header, and so many bytes of zeros that take no room. */
static void write_large(const char *path, const es_str *header, int64_t bytes)
{
    write_bytes(path, header->s, header->len);
    ck_assert_int_eq(truncate(path, (off_t)(header->len + (size_t)bytes)), 0);
}

START_TEST(a_large_file_is_mapped_and_written_to_without_harm)
{
    es_str header = {0};
    const es_shape shape = es_shape_1d("", MANY);
    es_npy_header(&header, ES_FLOAT32, &shape);
    write_large("large.npy", &header, (int64_t)MANY * 4);
    size_t before = l.be->in_use;
    ck_assert(language_run(&l, "x = load('large.npy')"));
    ck_assert_uint_eq(l.be->in_use, before);
    check("x[7], x.shape[0]", "(tensor(0.), 16777217)");
    ck_assert(l.be->in_use < before + 100);
    check("y = x[5:9]; x[7] = 3; y, load('large.npy')[7]",
          "(tensor([0., 0., 3., 0.]), tensor(0.))");
    check("x = 0; y = 0", "");
    es_str_free(&header);
}
END_TEST

START_TEST(rows_of_a_large_narrow_table_are_read_alone)
{
    es_str header = npy_of("{'descr': '<f2', 'fortran_order': False, 'shape': (3000000, 16)}");
    es_str_cut(&header, header.len - 8);
    write_large("large.npy", &header, (int64_t)3000000 * 16 * 2);
    size_t before = l.be->in_use;
    ck_assert(language_run(&l, "x = load('large.npy')"));
    check("x.shape, x.dtype, x[2999999].sum(), F.embedding(torch.tensor([1, 2]), x).shape",
          "(torch.Size([3000000, 16]), torch.float32, tensor(0.), torch.Size([2, 16]))");
    ck_assert(l.be->in_use < before + 1000);
    es_str_free(&header);
}
END_TEST

/* ---- shapes only ---- */

START_TEST(shapes_are_known_without_a_number_read)
{
    ck_assert(language_run(&l, "save(torch.zeros(2, 3), 'x.npy')"));
    es_interp_torch(l.in)->shapes_only = true;
    check("load('x.npy').shape, fromfile('x.npy', (2, 3), offset=128).shape",
          "(torch.Size([2, 3]), torch.Size([2, 3]))");
    check("load('x.npy').tolist()",
          "error[value]: tolist() needs values, and only shapes are known here");
    es_interp_torch(l.in)->shapes_only = false;
    es_error err = ES_ERROR_NONE;
    static const char source[] = "save(load('x.npy') + 1, 'other.npy')";
    es_value v;
    es_unit *unit = es_parse(source, strlen(source), &err);
    ck_assert_works(es_interp_type(l.in, unit, &v, &err), err);
    ck_assert_int_eq(v.kind, ES_V_NONE);
    es_unit_unref(unit);
    ck_assert_int_eq(access("other.npy", F_OK), -1); /* nothing is written to find out */
}
END_TEST

Suite *npy_suite(void)
{
    Suite *s = suite_create("npy");
    TCase *tc = tcase_create("files");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, files_are_taken_or_refused_as_the_manifest_says);
    tcase_add_test(tc, every_way_to_write_an_array_gives_the_same_numbers);
    tcase_add_test(tc, nan_and_infinite_numbers_are_counted);
    tcase_add_test(tc, headers_are_read_as_one_dict_and_nothing_else);
    tcase_add_test(tc, a_file_that_ends_anywhere_is_refused);
    tcase_add_test(tc, every_kind_of_number_becomes_the_nearest_of_ours);
    tcase_add_test(tc, a_uint64_that_does_not_fit_is_named);
    tcase_add_test(tc, a_written_header_is_numpys_to_the_byte);
    tcase_add_test(tc, what_is_written_is_read_back_to_the_bit);
    tcase_add_test(tc, a_file_is_written_whole_with_the_umasks_permissions);
    tcase_add_test(tc, a_place_that_cannot_be_written_is_named);
    tcase_add_test(tc, what_cannot_be_saved_is_said);
    tcase_add_test(tc, what_else_a_file_is_is_said);
    tcase_add_test(tc, places_that_are_no_files_are_named);
    tcase_add_test(tc, a_safetensors_file_is_a_dict_of_its_tensors);
    tcase_add_test(tc, names_of_tensors_keep_every_character);
    tcase_add_test(tc, plain_numbers_are_read_as_told);
    tcase_add_test(tc, a_shape_that_does_not_fit_says_which_would);
    tcase_add_test(tc, a_large_file_is_mapped_and_written_to_without_harm);
    tcase_add_test(tc, rows_of_a_large_narrow_table_are_read_alone);
    tcase_add_test(tc, shapes_are_known_without_a_number_read);
    tcase_add_test(tc, hints_of_save_fit_what_is_saved);
    suite_add_tcase(s, tc);
    return s;
}
