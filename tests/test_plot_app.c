// SPDX-License-Identifier: GPL-3.0-or-later
/* embedscope plot from outside: files, messages, exit statuses; no display. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

Suite *plot_app_suite(void);

enum { MOST_ARGS = 20 };

static run_result r;

static void teardown(void)
{
    run_result_free(&r);
}

/* The quickest of the views, unless another is asked for. */
static void run_with(const char *const *args)
{
    const char *argv[MOST_ARGS + 6] = {program(),       "plot",   "--model",
                                       "untrained:C=8", "--view", "strips"};
    for (int i = 0; args[i]; i++)
        argv[i + 6] = args[i];
    run_result_free(&r);
    run_program(&r, argv, "", 0);
}

#define PLOT(...) run_with((const char *const[]){__VA_ARGS__, NULL})

static void says(int status, const char *out, const char *err)
{
    ck_assert_msg(r.status == status, "status %d, not %d: %s", r.status, status,
                  es_str_text(&r.err));
    ck_assert_str_eq(es_str_text(&r.out), out);
    ck_assert_str_eq(es_str_text(&r.err), err);
}

static es_str contents(const char *path)
{
    es_file f;
    es_error err = ES_ERROR_NONE;
    es_str s = {0};
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(&s, (const char *)f.data, f.size);
    es_file_close(&f);
    return s;
}

static bool same(const char *a, const char *b)
{
    es_str of_a = contents(a), of_b = contents(b);
    bool are = of_a.len == of_b.len && !memcmp(of_a.s, of_b.s, of_a.len);
    es_str_free(&of_a);
    es_str_free(&of_b);
    return are;
}

static bool holds(const char *path, const char *part)
{
    es_str s = contents(path);
    bool does = strstr(s.s, part) != NULL;
    es_str_free(&s);
    return does;
}

/* How many files there are, half-written ones among them. */
static int n_files(void)
{
    int n = 0;
    DIR *here = opendir(".");
    for (const struct dirent *e; (e = readdir(here));)
        n += e->d_name[0] != '.';
    closedir(here);
    return n;
}

/* PNG needs fonts and the module of pictures. */
static bool has_module(void)
{
    es_str path = {0};
    const char *slash = strrchr(program(), '/');
    es_str_bytes(&path, program(), (size_t)(slash - program()));
    es_str_cat(&path, "/embedscope-view.so");
    bool there = access(path.s, R_OK) == 0;
    es_str_free(&path);
    if (!there)
        puts("plot_app: skipped what is about PNG: there is no build/embedscope-view.so");
    return there;
}

/* ---- files ---- */

START_TEST(a_picture_is_written_and_nothing_is_said)
{
    PLOT("-o", "a.svg");
    says(0, "", "");
    ck_assert(holds("a.svg", "width=\"1280\" height=\"800\""));
    ck_assert(holds("a.svg", "<title>embedscope: strips of untrained:C=8</title>"));
    ck_assert(holds("a.svg", "</svg>\n"));
    struct stat st;
    ck_assert_int_eq(stat("a.svg", &st), 0);
    ck_assert_uint_eq(st.st_mode & 0400, 0400);
    PLOT("--json", "-o", "B.SVG", "--size", "640x480", "--text", "The cat");
    says(0, "{\"kind\":\"plot\",\"path\":\"B.SVG\",\"view\":\"strips\",\"w\":640,\"h\":480}\n", "");
    ck_assert(holds("B.SVG", "width=\"640\" height=\"480\""));
    ck_assert_int_eq(n_files(), 2);
}
END_TEST

START_TEST(every_view_makes_a_picture_with_a_text_and_without)
{
    static const char *const views[] = {"positions", "offset", "strips", "cosine"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        PLOT("--view", views[i], "--text", "The cat sat on the mat", "-o", "a.svg");
        says(0, "", "");
        PLOT("--view", views[i], "-o", "a.svg", "--palette", "print", "--size=160x160");
        says(0, "", "");
    }
}
END_TEST

/* All 50,257 rows, apart from those that lie on the edge of the picture's room for them. */
START_TEST(a_map_has_every_token)
{
    enum { LEAST = 50000 };
    if (!thoroughness(1, 0)) /* so many take a minute under a sanitiser */
        return;
    PLOT("-o", "a.svg", "--text", "The cat", "--view", "map");
    says(0, "", "");
    es_str s = contents("a.svg");
    int n = 0;
    for (const char *at = s.s; (at = strstr(at, "h.01")); at++)
        n++;
    ck_assert_int_ge(n, LEAST);
    es_str_free(&s);
}
END_TEST

START_TEST(a_layout_is_taken_to_its_end)
{
#define LAID_OUT(file, layout, seed)                                                               \
    PLOT("--model", "untrained:V=120,C=6", "--view", "map", "--layout", layout, "--seed", seed,    \
         "--json", "-o", file)
    LAID_OUT("a.svg", "umap", "3");
    says(0,
         "{\"kind\":\"plot\",\"path\":\"a.svg\",\"view\":\"map\",\"layout\":\"umap\",\"w\":1280,"
         "\"h\":800}\n",
         "");
    ck_assert(holds("a.svg", "UMAP, epoch 200 of 200"));
    ck_assert(holds("a.svg", "UMAP: no axes, the scale is arbitrary"));
    LAID_OUT("b.svg", "umap", "3");
    ck_assert(same("a.svg", "b.svg"));
    LAID_OUT("b.svg", "umap", "4");
    ck_assert(!same("a.svg", "b.svg"));
    LAID_OUT("c.svg", "pca", "3");
    ck_assert(!holds("c.svg", "no axes"));
#undef LAID_OUT
}
END_TEST

START_TEST(the_same_arguments_give_the_same_bytes_and_others_do_not)
{
    PLOT("-o", "a.svg", "--text", "The cat");
    PLOT("-o", "b.svg", "--text", "The cat");
    says(0, "", "");
    ck_assert(same("a.svg", "b.svg"));
    static const char *const others[][2] = {{"--seed", "7"},      {"--palette", "light"},
                                            {"--text", "A dog"},  {"--size", "1280x801"},
                                            {"--view", "cosine"}, {"--big", "--big"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        PLOT("-o", "b.svg", "--text", "The cat", others[i][0], others[i][1]);
        says(0, "", "");
        ck_assert_msg(!same("a.svg", "b.svg"), "%s", others[i][0]);
    }
}
END_TEST

START_TEST(a_png_has_the_size_that_was_asked_for)
{
    if (!has_module())
        return;
    PLOT("-o", "a.png", "--size", "320x200", "--text", "The cat");
    says(0, "", "");
    es_str s = contents("a.png");
    ck_assert_uint_gt(s.len, 1000);
    ck_assert_mem_eq(s.s, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\x40\0\0\0\xc8", 24);
    es_str_free(&s);
    PLOT("-o", "b.PNG", "--size", "320x200", "--text", "The cat");
    says(0, "", "");
    ck_assert(same("a.png", "b.PNG"));
}
END_TEST

START_TEST(an_empty_environment_will_do)
{
    const char *const svg[] = {"env",    "-i", program(), "plot", "--view",
                               "strips", "-o", "a.svg",   NULL};
    const char *const png[] = {"env",    "-i", program(), "plot", "--view",
                               "strips", "-o", "a.png",   NULL};
    run_program(&r, svg, "", 0);
    says(0, "", "");
    if (!has_module())
        return;
    run_result_free(&r);
    run_program(&r, png, "", 0);
    says(0, "", "");
}
END_TEST

static void plot_picture(const char *number)
{
    const char *const argv[] = {program(),   "plot", "--json",   "--model", "untrained:C=8",
                                "--picture", number, "--output", "a.svg",   NULL};
    run_result_free(&r);
    run_program(&r, argv, "", 0);
}

START_TEST(a_teaching_picture_is_named_by_its_number)
{
    static const char *const none[] = {"0", "13", "", "one", "1x", "-1", "99999999999999999999"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        plot_picture(none[i]);
        demand(r.status == 2 &&
                   strstr(es_str_text(&r.out), "--picture is a number from 1 to 12, not "),
               "%s: status %d, %s", none[i], r.status, es_str_text(&r.out));
    }
    ck_assert_int_eq(n_files(), 0);
    plot_picture("3");
    says(0,
         "{\"kind\":\"plot\",\"path\":\"a.svg\",\"view\":\"positions\",\"picture\":3,\"w\":1280,"
         "\"h\":800}\n",
         "");
}
END_TEST

START_TEST(a_text_longer_than_the_positions_is_drawn_as_far_as_it_has_places)
{
    es_str text = {0};
    for (int i = 0; i < 1030; i++)
        es_str_cat(&text, " a");
    PLOT("--view", "strips", "--text", text.s, "-o", "a.svg");
    ck_assert_int_eq(r.status, 0);
    ck_assert_str_eq(es_str_text(&r.err),
                     "note: Sequence length (1030) exceeds maximum context window (1024)\n");
    es_str_free(&text);
}
END_TEST

/* ---- what fails ---- */

START_TEST(wrong_words_are_status_2_and_write_nothing)
{
    static const struct {
        const char *args[6], *says;
    } cases[] = {
        {{"-o", "a.svg", "--view", "mpa"},
         "error[usage]: there is no view \"mpa\"\n  views: map, positions, offset, strips, "
         "cosine, axes, "},
        {{"-o", "a.jpg"},
         "error[usage]: a picture's file ends in .png or .svg, one of its numbers in .tsv or .npy, "
         "not as \"a.jpg\"\n  try: a name "
         "such as map.png for pixels, map.svg for print\n"},
        {{"-o", ".svg"},
         "error[usage]: a picture's file ends in .png or .svg, one of its numbers in .tsv or .npy, "
         "not as \".svg\"\n"},
        {{"-o", "a.svg", "--size", "12x12"},
         "error[usage]: a picture's size is WIDTHxHEIGHT, each from 160 to 8192, not "
         "\"12x12\"\n  try: 1280x800\n"},
        {{"-o", "a.svg", "--size", "640x480x2"}, "error[usage]: a picture's size is WIDTHxHEIGHT"},
        {{"-o", "a.svg", "--size", "640"}, "error[usage]: a picture's size is WIDTHxHEIGHT"},
        {{"-o", "a.svg", "--size", "99999999999x480"},
         "error[usage]: a picture's size is WIDTHxHEIGHT"},
        {{"-o", "a.svg", "--size", "-640x480"}, "error[usage]: a picture's size is WIDTHxHEIGHT"},
        {{"-o", "a.svg", "--size", ""}, "error[usage]: a picture's size is WIDTHxHEIGHT"},
        {{"-o", "a.svg", "--picture", "1"},
         "error[usage]: --picture is a view with all that is chosen for it: --view, --layout and "
         "--axes do not go with it\n"},
        {{"-o", "a.svg", "--view=map", "--layout=tnse"},
         "error[usage]: --layout is pca, tsne or umap, not \"tnse\"\n"},
        {{"-o", "a.svg", "--layout", "tsne"},
         "error[usage]: --layout is of the map, and --view is strips\n"},
        {{"-o", "a.svg", "--palette", "pink"}, "error[usage]: --palette cannot be \"pink\"\n"},
        {{"-o", "a.svg", "-c", "hi"},
         "error[usage]: -c, -f and -e go without encode, decode, extract, plot or doctor\n"},
        {{"-o", "a.svg", "b.svg"}, "error[usage]: embedscope plot takes no arguments\n"},
        {{NULL},
         "error[usage]: the form is embedscope plot [OPTIONS] -o FILE.png|.svg|.tsv|.npy\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_with(cases[i].args);
        demand(r.status == 2, "case %zu: status %d", i, r.status);
        demand(!strncmp(es_str_text(&r.err), cases[i].says, strlen(cases[i].says)), "case %zu: %s",
               i, es_str_text(&r.err));
    }
    const char *const elsewhere[] = {program(), "--text", "The cat", "-c", "hi", NULL};
    run_result_free(&r);
    run_program(&r, elsewhere, "", 0);
    ck_assert_int_eq(r.status, 2);
    ck_assert_str_eq(
        r.err.s, "error[usage]: --view, --layout, --axes, --picture, --text and --size belong to "
                 "embedscope plot\n  try: embedscope --help\n");
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

START_TEST(what_cannot_be_written_is_status_1_and_leaves_nothing)
{
    PLOT("-o", "nowhere/a.svg");
    says(1, "", "error[io]: cannot write nowhere/a.svg: No such file or directory\n");
    ck_assert_int_eq(mkdir("folder.svg", 0700), 0);
    PLOT("-o", "folder.svg");
    says(1, "", "error[io]: cannot write folder.svg: Is a directory\n");
    PLOT("--json", "-o", "folder.svg");
    ck_assert_int_eq(r.status, 1);
    ck_assert_ptr_nonnull(strstr(r.out.s, "{\"kind\":\"error\",\"error\":\"io\",\"message\":"
                                          "\"cannot write folder.svg: Is a directory\""));
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

START_TEST(a_model_that_cannot_be_read_is_status_3)
{
    PLOT("--model", "midi", "-o", "a.svg");
    ck_assert_int_eq(r.status, 3);
    ck_assert_ptr_nonnull(strstr(r.err.s, "error[name]: there is no model \"midi\""));
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

/* One table of three rows of two numbers. */
static void write_model(const char *name)
{
    es_str header = {0};
    const float rows[6] = {1, 2, -3, 4, 5, -6};
    es_str_add(&header,
               "{\"%s.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[0,24]}}", name);
    write_safetensors("m.safetensors", header.s, 0, rows, sizeof rows);
    es_str_free(&header);
}

START_TEST(a_model_without_the_table_of_a_view_says_so)
{
    write_model("wpe");
    PLOT("--model", "m.safetensors", "-o", "a.svg", "--view", "map");
    ck_assert_int_eq(r.status, 1);
    ck_assert_msg(strstr(es_str_text(&r.err), "\nerror[value]: model m has no token table (wte)"),
                  "%s", es_str_text(&r.err));
    ck_assert_int_eq(n_files(), 1);
    PLOT("--model", "m.safetensors", "-o", "a.svg", "--view", "positions");
    ck_assert_int_eq(r.status, 0);
    ck_assert_int_eq(n_files(), 2);
}
END_TEST

Suite *plot_app_suite(void)
{
    Suite *suite = suite_create("plot_app");
    TCase *t = tcase_create("plot_app");
    tcase_add_checked_fixture(t, begin_apart, teardown);
    tcase_set_timeout(t, 180);
    tcase_add_test(t, a_picture_is_written_and_nothing_is_said);
    tcase_add_test(t, every_view_makes_a_picture_with_a_text_and_without);
    tcase_add_test(t, a_map_has_every_token);
    tcase_add_test(t, a_layout_is_taken_to_its_end);
    tcase_add_test(t, the_same_arguments_give_the_same_bytes_and_others_do_not);
    tcase_add_test(t, a_png_has_the_size_that_was_asked_for);
    tcase_add_test(t, an_empty_environment_will_do);
    tcase_add_test(t, a_teaching_picture_is_named_by_its_number);
    tcase_add_test(t, a_text_longer_than_the_positions_is_drawn_as_far_as_it_has_places);
    tcase_add_test(t, wrong_words_are_status_2_and_write_nothing);
    tcase_add_test(t, what_cannot_be_written_is_status_1_and_leaves_nothing);
    tcase_add_test(t, a_model_that_cannot_be_read_is_status_3);
    tcase_add_test(t, a_model_without_the_table_of_a_view_says_so);
    suite_add_tcase(suite, t);
    return suite;
}
