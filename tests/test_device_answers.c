// SPDX-License-Identifier: GPL-3.0-or-later
/* The numbers of every way out are those of the CPU on other devices: JSON with values, plain answers, pictures, files.  What is
 * the same is said in alike.h. */
#include <stdlib.h>
#include <string.h>

#include "alike.h"
#include "base/file.h"
#include "gpu.h"
#include "support.h"

Suite *device_answers_suite(void);

/* Run in this order in one session, as JSON with --values, on a model whose tables are small. */
static const char *const lines[] = {
    "The cat sat on the cat",
    ":row @1",
    ":row #70",
    ":shapes",
    ":cosine",
    ":cosine @1 @5",
    ":onehot",
    ":concat",
    ":near #70 top=5",
    ":near #70 - #71 + #72 by=dot top=5",
    ":near #70 by=euclid top=5",
    ":find \"at\"",
    ":model",
    ":axes",
    ":axes #70 - #71 + #72",
    ":axes off",
    ":show variance",
    ":show variance cosines",
    ":show series #1 #2 #3",
    ":show pairs",
    ":show onehot #7",
    ":layout pca",
    ":quality",
    ":positions sinusoidal",
    "The cat sat",
    ":positions none",
    "The cat sat",
    ":positions learned",
    ":set pad 0",
    ":set pad-side left",
    ":batch \"The cat sat\" \"A dog\" \"\"",
    ":cosine",
    ":shapes code=torch",
    ":shapes code=numpy",
    ":shapes code=c",
    ":tensor",
    "x",
    "wte(ids) + wpe(positions)",
    "x @ wte.weight.T",
    "F.softmax(x @ x.mT, -1)",
    "F.layer_norm(x, (C,)).std(-1)",
    "torch.topk(x[0, -1] @ wte.weight.T, 5)",
    "F.one_hot(ids, V).float() @ wte.weight",
    "compare(wte(ids), x)",
    ":type x",
    ":vars",
    ":dims",
};
#define MODEL "--model", "untrained:V=5000,C=16"
enum { N_LINES = sizeof lines / sizeof *lines, MOST_ARGUMENTS = 128 };

/* ---- runs ---- */

static void run(es_str *out, const char *device, const char *const *argv, int n)
{
    const char *all[MOST_ARGUMENTS] = {program()};
    run_result r;
    int at = 1;
    for (int i = 0; i < n; i++)
        all[at++] = argv[i];
    all[at++] = "--device";
    all[at++] = device;
    run_program(&r, all, "", 0);
    demand(r.status == 0, "status %d on %s: %.900s%.100s", r.status, device, es_str_text(&r.err),
           es_str_text(&r.out));
    es_str_bytes(out, es_str_text(&r.out), r.out.len);
    run_result_free(&r);
}

static void read_file(es_str *out, const char *path)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    if (!path)
        return;
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(out, (const char *)f.data, f.size);
    es_file_close(&f);
}

static const char *next_line(const char *s)
{
    s += strcspn(s, "\n");
    return s + (*s == '\n');
}

static void check_alike(const char *want, const char *answer, const char *device)
{
    es_str mapped = {0};
    alike_mapped(&mapped, answer, device);
    const char *got = es_str_text(&mapped);
    while (*want || *got) {
        const char *w, *g;
        demand(alike_from(want, got, &w, &g),
               "on %s, of %.*s\n  wanted from here: %.*s\n  got from here:    %.*s", device,
               alike_shown(want), want, alike_shown(w), w, alike_shown(g), g);
        want = next_line(want);
        got = next_line(got);
    }
    es_str_free(&mapped);
}

/* The same arguments on the CPU and on this device. */
static void check_same(const char *device, const char *const *argv, int n)
{
    es_str want = {0}, got = {0};
    run(&want, "cpu", argv, n);
    run(&got, device, argv, n);
    ck_assert_uint_gt(want.len, 0);
    check_alike(es_str_text(&want), es_str_text(&got), device);
    es_str_free(&want);
    es_str_free(&got);
}

/* ---- answers ---- */

static void check_lines(const char *device, const char *how)
{
    const char *argv[MOST_ARGUMENTS] = {"-q", "--norc", MODEL};
    int n = 4;
    argv[n++] = how;
    if (!strcmp(how, "--json"))
        argv[n++] = "--values";
    for (int i = 0; i < N_LINES; i++) {
        argv[n++] = "-c";
        argv[n++] = lines[i];
    }
    check_same(device, argv, n);
}

static void check_answers(const char *device)
{
    check_lines(device, "--json");
    check_lines(device, "--plain");
}

/* ---- the model of the program ---- */

static void check_mini(const char *device)
{
    static const char *const argv[] = {"-q",
                                       "--norc",
                                       "--json",
                                       "--model",
                                       "mini",
                                       "-c",
                                       "The capital of France is",
                                       "-c",
                                       ":predict 5",
                                       "-c",
                                       ":near \" Monday\" top=6",
                                       "-c",
                                       ":axes \" king\" - \" man\" + \" woman\"",
                                       "-c",
                                       ":show series years"};
    check_same(device, argv, sizeof argv / sizeof *argv);
}

/* ---- files ---- */

enum { N_FILES = 4 };

/* What draws and exports, each on both devices, and what is in the files. */
static void check_files(const char *device)
{
    static const char *const argv[N_FILES][10] = {
        {"plot", MODEL, "-o", "out.tsv"},
        {"plot", MODEL, "--text", "The cat", "--view", "strips", "-o", "out.svg"},
        {"-q", MODEL, "-c", ":export out.npy"},
        {"-q", "--json", MODEL, "-c", "= load(\"out.npy\")"},
    };
    static const char *const file[N_FILES] = {"out.tsv", "out.svg", NULL, NULL};
    es_str of[N_FILES][2] = {0};
    for (int on = 0; on < 2; on++)
        for (int i = 0; i < N_FILES; i++) {
            int n = 0;
            while (argv[i][n])
                n++;
            run(&of[i][on], on ? device : "cpu", argv[i], n);
            read_file(&of[i][on], file[i]);
        }
    for (int i = 0; i < N_FILES; i++) {
        check_alike(es_str_text(&of[i][0]), es_str_text(&of[i][1]), device);
        es_str_free(&of[i][0]);
        es_str_free(&of[i][1]);
    }
}

/* ---- tests ---- */

START_TEST(answers_are_the_same_on_sim)
{
    check_answers("sim");
}
END_TEST

START_TEST(answers_are_the_same_on_a_gpu)
{
    each_gpu(check_answers);
}
END_TEST

START_TEST(mini_says_the_same_on_sim)
{
    check_mini("sim");
}
END_TEST

START_TEST(mini_says_the_same_on_a_gpu)
{
    each_gpu(check_mini);
}
END_TEST

START_TEST(files_hold_the_same_on_sim)
{
    check_files("sim");
}
END_TEST

START_TEST(files_hold_the_same_on_a_gpu)
{
    each_gpu(check_files);
}
END_TEST

static void setup(void)
{
    begin_apart();
    keep_compiled();
}

Suite *device_answers_suite(void)
{
    Suite *s = suite_create("device_answers");
    TCase *tc = tcase_create("answers");
    gpu_tally();
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_test(tc, answers_are_the_same_on_sim);
    tcase_add_test(tc, answers_are_the_same_on_a_gpu);
    tcase_add_test(tc, mini_says_the_same_on_sim);
    tcase_add_test(tc, mini_says_the_same_on_a_gpu);
    tcase_add_test(tc, files_hold_the_same_on_sim);
    tcase_add_test(tc, files_hold_the_same_on_a_gpu);
    suite_add_tcase(s, tc);
    return s;
}
