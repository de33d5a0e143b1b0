// SPDX-License-Identifier: GPL-3.0-or-later
/* A picture's numbers in files: what is read back is what is shown, to the bit. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "model/npy.h"
#include "stage.h"
#include "support.h"
#include "view/map.h"
#include "view/projector.h"

Suite *coordinates_suite(void);

enum { V = 400, P = 12, C = 5, BROKEN = 33 };

static stage s;
static float wte[V * C];
static char *folder, *before;

/* The C library's, but for one file that cannot get its name, once. */
static const char *unnameable;
int rename(const char *from, const char *to)
{
    if (unnameable && !strcmp(to, unnameable)) {
        unnameable = NULL;
        errno = EIO;
        return -1;
    }
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static void setup(void)
{
    float wpe[P * C];
    uint64_t state = 11;
    for (int i = 0; i < V * C; i++)
        wte[i] = (float)random_below(&state, 1000003) / 997 - 500;
    for (int i = 0; i < P * C; i++)
        wpe[i] = (float)random_below(&state, 1000003) / 1e6f;
    wte[BROKEN * C + 1] = NAN;
    stage_open(&s, wte, V, wpe, P, C, ES_VIEW_MAP);
    folder = fresh_folder();
    before = getcwd(NULL, 0);
    ck_assert_int_eq(chdir(folder), 0);
    stage_run(&s, ":camera 2d");
}

static void teardown(void)
{
    ck_assert_int_eq(chdir(before), 0);
    free(before);
    free(folder);
    stage_close(&s);
}

static void says(const char *line, const char *want)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
    ck_assert_str_eq(s.json.s, want);
}

static void done(const char *line)
{
    ck_assert_msg(stage_run(&s, line) == ES_DONE, "%s: %s", line, es_str_text(&s.message));
}

static void fails(const char *line, const char *message)
{
    ck_assert_int_eq(stage_run(&s, line), ES_FAILED);
    ck_assert_str_eq(es_str_text(&s.message), message);
}

/* All of a file as a string. */
static es_str contents(const char *path)
{
    es_file f;
    es_error err = ES_ERROR_NONE;
    es_str out = {0};
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(&out, (const char *)f.data, f.size);
    es_file_close(&f);
    return out;
}

static void check_begins(const char *text, const char *want)
{
    ck_assert_msg(!strncmp(text, want, strlen(want)), "%.60s", text);
}

static size_t count(const char *pattern)
{
    glob_t found;
    size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static bool same_bits(float a, float b)
{
    return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

/* ---- tables ---- */

static void check_table(const char *path, int d)
{
    es_str text = contents(path);
    const es_map *m = es_map_follow(s.viewer);
    ck_assert_int_eq(m->d, d);
    char *line = strchr(text.s, '\n') + 1;
    for (int id = 0; id < V; id++) {
        char *end;
        demand(strtol(line, &end, 10) == id && *end == '\t', "line %d", id);
        line = strchr(end + 1, '\t');
        for (int k = 0; k < d; k++) {
            float x = strtof(line + 1, &line);
            demand(same_bits(x, m->at[3 * id + k]), "%d of #%d", k, id);
        }
        demand(*line++ == '\n', "the end of line %d", id);
    }
    ck_assert(!*line);
    es_str_free(&text);
}

START_TEST(a_table_has_the_numbers_of_the_map)
{
    says(":export m.tsv", "{\"kind\":\"export\",\"path\":\"m.tsv\",\"rows\":400,"
                          "\"columns\":[\"id\",\"token\",\"x\",\"y\"]}\n");
    check_table("m.tsv", 2);
    es_str text = contents("m.tsv");
    check_begins(text.s, "id\ttoken\tx\ty\n0\t!\t");
    ck_assert_ptr_nonnull(strstr(text.s, "\n33\tB\tnan\tnan\n"));
    ck_assert_ptr_nonnull(strstr(text.s, "\n1\t\\x22\t"));
    es_str_free(&text);
    done(":components 2 4 1");
    says(":export M.TSV", "{\"kind\":\"export\",\"path\":\"M.TSV\",\"rows\":400,"
                          "\"columns\":[\"id\",\"token\",\"x\",\"y\",\"z\"]}\n");
    check_table("M.TSV", 3);
}
END_TEST

START_TEST(what_is_hidden_is_written_too)
{
    done(":export all.tsv");
    done(":find \"a\"");
    done(":isolate hide");
    done(":export hidden.tsv");
    es_str all = contents("all.tsv"), hidden = contents("hidden.tsv");
    ck_assert_str_eq(all.s, hidden.s);
    es_str_free(&all);
    es_str_free(&hidden);
}
END_TEST

START_TEST(a_table_colours_the_map_again)
{
    done(":export m.tsv");
    done(":meta m.tsv");
    done(":color-by x");
    ck_assert_int_eq(s.viewer->meta->tokens, V);
    ck_assert_int_eq(s.viewer->meta->column[0].n, V - 1);
    const es_map *m = es_map_follow(s.viewer);
    for (int id = 0; id < V; id++)
        demand(id == BROKEN ||
                   same_bits((float)s.viewer->meta->column[0].number[id], m->at[3 * id]),
               "#%d", id);
}
END_TEST

START_TEST(numbers_alone_are_an_array)
{
    says(":export m.npy", "{\"kind\":\"export\",\"path\":\"m.npy\",\"rows\":400,"
                          "\"columns\":[\"x\",\"y\"]}\n");
    es_str file = contents("m.npy");
    es_npy npy;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_npy_read(&npy, file.s, file.len, "m.npy", &err), err);
    ck_assert_int_eq(npy.raw.shape.ndim, 2);
    ck_assert_int_eq(npy.raw.shape.dim[0], V);
    ck_assert_int_eq(npy.raw.shape.dim[1], 2);
    ck_assert_int_eq(npy.raw.type->dtype, ES_FLOAT32);
    ck_assert_uint_eq(npy.left, 0);
    const es_map *m = es_map_follow(s.viewer);
    const char *numbers = file.s + file.len - (size_t)V * 2 * sizeof(float);
    for (int i = 0; i < 2 * V; i++) {
        float x;
        memcpy(&x, numbers + (size_t)i * sizeof x, sizeof x);
        demand(same_bits(x, m->at[3 * (i / 2) + i % 2]), "number %d", i);
    }
    es_str_free(&file);
}
END_TEST

START_TEST(other_views_have_numbers_or_say_who_has)
{
    done(":show positions");
    says(":export p.tsv", "{\"kind\":\"export\",\"path\":\"p.tsv\",\"rows\":12,"
                          "\"columns\":[\"position\",\"x\",\"y\",\"z\"]}\n");
    done(":show offset \"a\"");
    says(":export o.tsv", "{\"kind\":\"export\",\"path\":\"o.tsv\",\"rows\":24,"
                          "\"columns\":[\"position\",\"curve\",\"x\",\"y\",\"z\"]}\n");
    done(":show axes");
    done(":export a.npy");
    done(":show strips");
    fails(":export s.tsv", "strips has no points whose numbers could be written");
    ck_assert_str_eq(s.hint.s, "views that have: map, positions, offset, axes\n"
                               "or: a picture of it, in a .png or .svg file");
    ck_assert_uint_eq(count("s.tsv*"), 0);
    fails(":export m.npy size=300x300", "a file of numbers has no size: that is of pictures");
}
END_TEST

/* ---- TensorBoard's projector ---- */

START_TEST(the_projector_s_files_are_the_rows_and_their_tokens)
{
    says(":projector p", "{\"kind\":\"projector\",\"path\":\"p\",\"rows\":400,\"columns\":5,"
                         "\"centred\":false,\"left_out\":1}\n");
    es_str vectors = contents("p/vectors.tsv"), tokens = contents("p/metadata.tsv");
    char *at = vectors.s;
    for (int i = 0; i < V * C; i++) {
        float x = strtof(at, &at);
        demand(same_bits(x, wte[i]), "number %d", i);
        demand(*at++ == (i % C == C - 1 ? '\n' : '\t'), "behind number %d", i);
    }
    ck_assert(!*at);
    check_begins(tokens.s, "Token\tId\tScript\n!\t0\tno letters\n\\x22\t1\tno letters\n");
    int lines = 0;
    for (const char *c = tokens.s; *c; c++)
        lines += *c == '\n';
    ck_assert_int_eq(lines, V + 1);
    ck_assert_uint_eq(count("p/*"), 2);
    es_str_free(&vectors);
    es_str_free(&tokens);
}
END_TEST

START_TEST(centred_rows_have_no_mean)
{
    done(":projector p centred");
    es_str vectors = contents("p/vectors.tsv");
    double sum[C] = {0};
    char *at = vectors.s;
    for (int i = 0; i < V * C; i++) {
        double x = strtod(at, &at);
        sum[i % C] += i / C == BROKEN ? 0 : x;
    }
    for (int c = 0; c < C; c++)
        ck_assert_double_eq_tol(sum[c] / V, 0, 1e-4);
    es_str_free(&vectors);
}
END_TEST

START_TEST(a_table_of_one_s_own_goes_along)
{
    static const char text[] = "id\ttopic\n1\tquote\n";
    ck_assert(es_file_replace("t.tsv", text, sizeof text - 1, NULL));
    done(":meta t.tsv");
    done(":projector p");
    es_str tokens = contents("p/metadata.tsv");
    check_begins(tokens.s,
                 "Token\tId\tScript\ttopic\n!\t0\tno letters\t\n\\x22\t1\tno letters\tquote\n");
    es_str_free(&tokens);
}
END_TEST

START_TEST(files_that_are_there_stay_unless_forced)
{
    ck_assert_int_eq(mkdir("p", 0777), 0);
    ck_assert(es_file_replace("p/metadata.tsv", "mine", 4, NULL));
    fails(":projector p", "p/metadata.tsv is there already");
    ck_assert_str_eq(s.hint.s,
                     "try: another folder, or force behind this one to replace its files");
    ck_assert_uint_eq(count("p/*"), 1);
    es_str mine = contents("p/metadata.tsv");
    ck_assert_str_eq(mine.s, "mine");
    es_str_free(&mine);
    done(":projector p force centred");
    ck_assert_uint_eq(count("p/*"), 2);
}
END_TEST

static void check_contents(const char *path, const char *want)
{
    es_str is = contents(path);
    ck_assert_str_eq(es_str_text(&is), want);
    es_str_free(&is);
}

START_TEST(where_one_file_fails_the_old_ones_stay)
{
    static const char *const names[] = {"p/vectors.tsv", "p/metadata.tsv"};
    ck_assert_int_eq(mkdir("p", 0777), 0);
    for (int i = 0; i < 2; i++)
        ck_assert(es_file_replace(names[i], names[i], strlen(names[i]), NULL));
    for (int i = 0; i < 2; i++) {
        unnameable = names[i];
        ck_assert_int_eq(stage_run(&s, ":projector p force"), ES_FAILED);
        ck_assert_ptr_null(unnameable);
        ck_assert_msg(strstr(s.message.s, names[i]) != NULL, "%s", s.message.s);
        check_contents("p/vectors.tsv", names[0]);
        check_contents("p/metadata.tsv", names[1]);
        ck_assert_uint_eq(count("p/*"), 2);
    }
    ck_assert_int_eq(unlink("p/vectors.tsv"), 0);
    unnameable = "p/metadata.tsv";
    ck_assert_int_eq(stage_run(&s, ":projector p force"), ES_FAILED);
    check_contents("p/metadata.tsv", names[1]);
    ck_assert_uint_eq(count("p/*"), 1); /* and no vectors of another table beside it */
}
END_TEST

START_TEST(the_folder_is_one_word_or_stands_in_quotes)
{
    static const struct {
        const char *line, *hint;
    } of[] = {
        {":projector p forse", "did you mean force ?"},
        {":projector p centerd", "did you mean centered ?"},
        {":projector my folder", "a folder with a space in its name stands in quotes"},
        {":projector p force \"x\"", "a folder with a space in its name stands in quotes"},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        fails(of[i].line, "the form is :projector DIR [centred] [force]");
        ck_assert_msg(strstr(s.hint.s, of[i].hint) != NULL, "%s", s.hint.s);
        ck_assert_uint_eq(count("*"), 0);
    }
    done(":projector \"my folder\"  centered force ");
    ck_assert_uint_eq(count("my folder/*"), 2);
    done(":projector \"force\"");
    ck_assert_uint_eq(count("force/*"), 2);
}
END_TEST

START_TEST(blanks_behind_the_last_word_are_nothing)
{
    done(":export e.svg size=300x200  ");
    ck_assert_uint_eq(count("*"), 1);
    ck_assert_uint_eq(count("e.svg"), 1);
    done(":meta none ");
    done(":select none\t");
    done(":axes none  ");
}
END_TEST

START_TEST(where_nothing_can_be_written_nothing_is_left)
{
    fails(":projector no/where", "cannot make no/where: No such file or directory");
    ck_assert(es_file_replace("file", "x", 1, NULL));
    fails(":projector file", "cannot write to file: Not a directory");
    ck_assert_int_eq(mkdir("closed", 0777), 0);
    ck_assert_int_eq(mkdir("closed/vectors.tsv", 0777), 0);
    fails(":projector closed force", "cannot write closed/vectors.tsv: Is a directory");
    ck_assert_uint_eq(count("closed/*"), 1);
    fails(":export no/where.tsv", "cannot write no/where.tsv: No such file or directory");
    fails(":export no/where.npy", "cannot write no/where.npy: No such file or directory");
    if (geteuid() == 0) /* nothing is closed to root */
        return;
    ck_assert_int_eq(mkdir("read", 0555), 0);
    fails(":projector read", "cannot write read/vectors.tsv: Permission denied");
    fails(":export read/m.tsv", "cannot write read/m.tsv: Permission denied");
    ck_assert_uint_eq(count("read/*"), 0);
}
END_TEST

START_TEST(a_stopped_export_leaves_nothing)
{
    es_watch watch = {.cancel = true};
    es_error err = ES_ERROR_NONE;
    es_projector p = {.folder = "p", .context = es_session_context(s.session), .centred = true};
    ck_assert_fails(es_projector_write(&p, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_uint_eq(count("p*"), 0); /* the folder that was made for it neither */
}
END_TEST

Suite *coordinates_suite(void)
{
    Suite *suite = suite_create("coordinates");
    TCase *tc = tcase_create("files");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_table_has_the_numbers_of_the_map);
    tcase_add_test(tc, what_is_hidden_is_written_too);
    tcase_add_test(tc, a_table_colours_the_map_again);
    tcase_add_test(tc, numbers_alone_are_an_array);
    tcase_add_test(tc, other_views_have_numbers_or_say_who_has);
    tcase_add_test(tc, the_projector_s_files_are_the_rows_and_their_tokens);
    tcase_add_test(tc, centred_rows_have_no_mean);
    tcase_add_test(tc, a_table_of_one_s_own_goes_along);
    tcase_add_test(tc, files_that_are_there_stay_unless_forced);
    tcase_add_test(tc, where_one_file_fails_the_old_ones_stay);
    tcase_add_test(tc, the_folder_is_one_word_or_stands_in_quotes);
    tcase_add_test(tc, blanks_behind_the_last_word_are_nothing);
    tcase_add_test(tc, where_nothing_can_be_written_nothing_is_left);
    tcase_add_test(tc, a_stopped_export_leaves_nothing);
    suite_add_tcase(suite, tc);
    return suite;
}
