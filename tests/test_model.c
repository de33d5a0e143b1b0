// SPDX-License-Identifier: GPL-3.0-or-later
/* Models put together from files, as the program uses them: names, parts, warnings, :model, extract. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "model/model.h"
#include "model/shelf.h"
#include "model/weights.h"
#include "support.h"

Suite *model_suite(void);

enum { MOST_ARGS = 24 };

static run_result r;
static char data[PATH_MAX], weights[PATH_MAX];

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_ptr_nonnull(realpath("tests/data/safetensors", data));
    if (!realpath("../shared/weights", weights))
        weights[0] = '\0';
    calm_environment();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
}

static void teardown(void)
{
    run_result_free(&r);
}

static void run_with(const char *const *args)
{
    const char *argv[MOST_ARGS + 2] = {program()};
    for (int i = 0; args[i]; i++)
        argv[i + 1] = args[i];
    run_result_free(&r);
    run_program(&r, argv, "", 0);
}

#define RUN(...) run_with((const char *const[]){__VA_ARGS__, NULL})

static void check(int status, const char *out, const char *err)
{
    ck_assert_msg(r.status == status, "status %d, not %d: %s%s", r.status, status,
                  es_str_text(&r.out), es_str_text(&r.err));
    if (out)
        ck_assert_str_eq(es_str_text(&r.out), out);
    if (err)
        ck_assert_str_eq(es_str_text(&r.err), err);
}

static void has(const es_str *text, const char *part)
{
    ck_assert_msg(strstr(es_str_text(text), part) != NULL, "no \"%s\" in: %s", part,
                  es_str_text(text));
}

/* The n-th line of the output as JSON. */
static json_t *answer(int n)
{
    const char *line = es_str_text(&r.out);
    while (n-- > 0 && strchr(line, '\n'))
        line = strchr(line, '\n') + 1;
    json_error_t why;
    json_t *o = json_loadb(line, strcspn(line, "\n"), JSON_REJECT_DUPLICATES, &why);
    ck_assert_msg(o != NULL, "%s: %s", why.text, line);
    return o;
}

static const char *path_in(const char *folder, const char *name)
{
    static char path[4][2 * PATH_MAX];
    static int k;
    k = (k + 1) % 4;
    snprintf(path[k], sizeof path[k], "%s/%s", folder, name);
    return path[k];
}

/* A file with tensors of float32 named as they stand: "wte.weight:3x2 wpe.weight:2x2"; values count up
 * from `first`. */
static void write_tables(const char *path, const char *tensors, float first)
{
    es_str header = {0};
    size_t at = 0;
    es_str_char(&header, '{');
    for (const char *s = tensors; *s;) {
        char name[80];
        int rows, width, n;
        ck_assert_int_eq(sscanf(s, "%79[^:]:%dx%d%n", name, &rows, &width, &n), 3);
        size_t end = at + (size_t)(rows * width) * sizeof(float);
        es_str_add(&header,
                   "%s\"%s\":{\"dtype\":\"F32\",\"shape\":[%d,%d],\"data_offsets\":[%zu,%zu]}",
                   at ? "," : "", name, rows, width, at, end);
        at = end;
        s += n + (s[n] == ' ');
    }
    es_str_char(&header, '}');
    float *values = malloc(at);
    for (size_t i = 0; i < at / sizeof *values; i++)
        values[i] = first + (float)i;
    write_safetensors(path, header.s, 0, values, at);
    free(values);
    es_str_free(&header);
}

static float first_of(const es_table *t)
{
    float row[8];
    ck_assert(es_table_width(t) <= 8 && es_table_row(t, 0, row, NULL));
    return row[0];
}

/* ---- names and parts ---- */

START_TEST(tables_are_found_by_all_their_names)
{
    static const char *const names[][2] = {
        {"wte.weight", "wpe.weight"},
        {"transformer.wte.weight", "transformer.wpe.weight"},
        {"model.wte.weight", "model.wpe.weight"},
        {"token_embeddings.weight", "position_embeddings.weight"},
        {"model.token_embeddings.weight", "transformer.position_embeddings.weight"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        es_error err = ES_ERROR_NONE;
        char tensors[200];
        snprintf(tensors, sizeof tensors, "%s:3x2 h.0.w:2x2 %s:4x2", names[i][0], names[i][1]);
        write_tables("some.safetensors", tensors, 1);
        es_model *m = es_model_open("some.safetensors", 0, &err);
        ck_assert_works(m != NULL, err);
        ck_assert_str_eq(m->name, "some");
        ck_assert_str_eq(m->wte_from.tensor, names[i][0]);
        ck_assert_str_eq(m->wpe_from.tensor, names[i][1]);
        ck_assert(m->config.vocab_size == 3 && m->config.n_ctx == 4 && m->config.n_embd == 2);
        ck_assert_uint_eq(m->n_others, 1);
        ck_assert(first_of(m->wte) == 1 && first_of(m->wpe) == 11);
        ck_assert_ptr_null(m->warnings);
        es_model_unref(m);
    }
    write_tables("two.safetensors", "wte.weight:3x2 model.wte.weight:4x2 wpe.weight:2x2", 1);
    es_model *m = es_model_open("two.safetensors", 0, NULL);
    ck_assert_str_eq(m->warnings,
                     "wte.weight and model.wte.weight are both there: wte.weight is used");
    ck_assert_int_eq(m->config.vocab_size, 3);
    es_model_unref(m);
}
END_TEST

START_TEST(a_model_is_put_together_from_parts)
{
    static const struct {
        const char *model, *wte, *wpe;
        const char *name, *brief;
        int V, P;
        float wte0, wpe0;
    } cases[] = {
        {"both", NULL, NULL, "both", "from a file", 3, 4, 100, 106},
        {"both", "more", NULL, "both + more", "from a file", 5, 4, 200, 106},
        {"both", "more", "odd", "both + more + odd", "from a file", 5, 6, 200, 300},
        {NULL, "both", NULL, "both", "from a file", 3, 0, 100, 0},
        {NULL, NULL, "both", "both", "from a file", 0, 4, 0, 106},
        {NULL, "odd", "both", "odd + both", "from a file", 6, 4, 300, 106},
        {"untrained:C=2,V=9", NULL, "both", "untrained:C=2,V=9 + both", "partly random", 9, 4, 0,
         106},
    };
    write_tables("both", "wte.weight:3x2 wpe.weight:4x2", 100);
    write_tables("more", "wte.weight:5x2", 200);
    write_tables("odd", "embed.weight:6x2", 300);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_error err = ES_ERROR_NONE;
        es_model_parts parts = {cases[i].model, cases[i].wte, cases[i].wpe, 0};
        es_model *m = es_model_build(&parts, &err);
        ck_assert_works(m != NULL, err);
        ck_assert_str_eq(m->name, cases[i].name);
        ck_assert_str_eq(m->brief, cases[i].brief);
        ck_assert(m->config.vocab_size == cases[i].V && m->config.n_ctx == cases[i].P);
        ck_assert(cases[i].wte0 == 0 || first_of(m->wte) == cases[i].wte0);
        ck_assert(cases[i].wpe0 == 0 || first_of(m->wpe) == cases[i].wpe0);
        es_model_unref(m);
    }
}
END_TEST

START_TEST(parts_that_do_not_fit_say_why)
{
    es_error err = ES_ERROR_NONE;
    write_tables("a", "wte.weight:3x2", 0);
    write_tables("b", "wpe.weight:4x3", 0);
    write_tables("c", "x.weight:4x3 y.weight:4x3", 0);
    es_model_parts parts = {.wte = "a", .wpe = "b"};
    ck_assert_fails(es_model_build(&parts, &err), err, ES_ERR_FORMAT,
                    "wte [V=3, C=2] of a and wpe [P=4, C=3] of b differ in C, so their rows cannot "
                    "be added");
    parts = (es_model_parts){.model = "untrained:C=2", .wpe = "b"};
    ck_assert(!es_model_build(&parts, &err));
    ck_assert_str_eq(es_code_name(err.code), "broadcast");
    ck_assert_str_eq(err.hint, "try: --model untrained:C=3");
    es_error_free(&err);
    parts = (es_model_parts){.wte = "b"};
    ck_assert_fails(es_model_build(&parts, &err), err, ES_ERR_FORMAT,
                    "b: there is no token table among its 1 tensor");
    parts = (es_model_parts){.wte = "c"};
    ck_assert_fails(es_model_build(&parts, &err), err, ES_ERR_FORMAT,
                    "c: there is no token table among its 2 tensors");
    parts = (es_model_parts){.model = "."};
    ck_assert_fails(es_model_build(&parts, &err), err, ES_ERR_IO,
                    ". holds neither model.safetensors nor model.safetensors.index.json");
}
END_TEST

/* ---- several files ---- */

static void write_index(const char *map)
{
    es_str all = {0};
    FILE *f = fopen("m.safetensors.index.json", "wb");
    es_str_add(&all, "{\"metadata\":{\"total_size\":1.5},\"weight_map\":%s}", map);
    ck_assert(f && fwrite(all.s, 1, all.len, f) == all.len && !fclose(f));
    es_str_free(&all);
}

START_TEST(a_model_in_several_files_is_read_by_its_index)
{
    es_error err = ES_ERROR_NONE;
    write_tables("one", "wte.weight:3x2", 1);
    write_tables("two", "wpe.weight:4x2 h.w:1x1", 2);
    /* the third file, which nobody asks for, need not be there */
    write_index("{\"wte.weight\":\"one\",\"wpe.weight\":\"two\",\"h.w\":\"two\",\"g\":\"three\"}");
    es_model *m = es_model_open("m.safetensors.index.json", 0, &err);
    ck_assert_works(m != NULL, err);
    ck_assert_str_eq(m->name, "m");
    ck_assert_str_eq(m->wpe_from.path, "two");
    ck_assert_uint_eq(m->n_others, 2);
    ck_assert(first_of(m->wte) == 1 && first_of(m->wpe) == 2);
    es_model_unref(m);

    static const char *const cases[][2] = {
        {"{\"wte.weight\":\"../one\"}", "m.safetensors.index.json: tensor \"wte.weight\" is not in "
                                        "a file of the index's own folder"},
        {"{\"wte.weight\":\"/etc/passwd\"}", "m.safetensors.index.json: tensor \"wte.weight\" is "
                                             "not in a file of the index's own folder"},
        {"{\"wte.weight\":\"..\"}", "m.safetensors.index.json: tensor \"wte.weight\" is not in a "
                                    "file of the index's own folder"},
        {"{\"wte.weight\":\"one\\u0000.x\"}", "m.safetensors.index.json: tensor \"wte.weight\" is "
                                              "not in a file of the index's own folder"},
        {"{\"wte.weight\":7}", "m.safetensors.index.json: tensor \"wte.weight\" is not in a file "
                               "of the index's own folder"},
        {"{\"wte.weight\":\"two\"}",
         "m.safetensors.index.json: it says that tensor \"wte.weight\" is in two, but it is not"},
        {"[]", "m.safetensors.index.json: has no weight_map, which says the file of each tensor"},
        {"{}", "m.safetensors.index.json: there is no token or position table among its 0 tensors"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_index(cases[i][0]);
        ck_assert_fails(es_model_open("m.safetensors.index.json", 0, &err), err, ES_ERR_FORMAT,
                        cases[i][1]);
    }
    write_index("{\"wte.weight\":\"gone\"}");
    ck_assert(!es_model_open("m.safetensors.index.json", 0, &err));
    ck_assert_str_eq(err.message, "cannot open gone: No such file or directory");
    ck_assert_str_eq(err.hint,
                     "it is named by m.safetensors.index.json: all files of a model belong "
                     "into one folder");
    es_error_free(&err);
}
END_TEST

START_TEST(folders_and_names_lead_to_models)
{
    es_error err = ES_ERROR_NONE;
    es_str home = {0};
    es_str_add(&home, "%s/.local/share/embedscope/models", getenv("HOME"));
    es_str command = {0};
    es_str_add(&command, "mkdir -p %s tiny", home.s);
    ck_assert_int_eq(system(command.s), 0);
    write_tables("tiny/model.safetensors", "wte.weight:3x2", 1);
    write_tables(path_in(home.s, "mine.safetensors"), "wte.weight:4x2", 1);
    static const char *const cases[][2] = {{"tiny", "tiny"},
                                           {"tiny/", "tiny"},
                                           {"./tiny", "tiny"},
                                           {"tiny/model.safetensors", "tiny"},
                                           {"mine", "mine"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_model *m = es_model_open(cases[i][0], 0, &err);
        ck_assert_works(m != NULL, err);
        ck_assert_str_eq(m->name, cases[i][1]);
        ck_assert_int_eq(m->config.vocab_size, 3 + (cases[i][0][0] == 'm'));
        es_model_unref(m);
    }
    ck_assert(!es_model_open("gpt2", 0, &err));
    ck_assert_str_eq(err.message, "there is no model \"gpt2\"");
    ck_assert_ptr_nonnull(strstr(
        err.hint,
        "https://huggingface.co/openai-community/gpt2\nit has 548,105,171 bytes, sha256 "
        "248dfc3911869ec493c76e65bf2fcf7f615828b0254c12b473182f0f81d3a707\nit belongs at /"));
    ck_assert_ptr_nonnull(strstr(err.hint, "/.local/share/embedscope/models/gpt2.safetensors\n"));
    es_error_free(&err);
    es_str_free(&home);
    es_str_free(&command);
}
END_TEST

static bool is_offered(const char *name)
{
    es_names l = es_shelf_names();
    bool found = false;
    for (size_t i = 0; i < l.n; i++)
        found = found || !strcmp(l.of[i], name);
    es_names_free(&l);
    return found;
}

START_TEST(the_bundled_model_lies_among_the_assets)
{
    es_error err = ES_ERROR_NONE;
    ck_assert(!mkdir("assets", 0700) && !mkdir("assets/models", 0700));
    write_tables("assets/models/mini.safetensors", "wte.weight:3x2 wpe.weight:4x2", 1);
    write_tables("mini", "wte.weight:5x2", 1); /* not this one */
    setenv("EMBEDSCOPE_DATA", "assets", 1);
    es_model *m = es_model_open("mini", 0, &err);
    ck_assert_works(m != NULL, err);
    ck_assert_str_eq(m->name, "mini");
    ck_assert_str_eq(m->path, "assets/models/mini.safetensors");
    ck_assert_str_eq(m->about, "2 numbers a token, trained for this program, not GPT-2's own 768");
    ck_assert_str_eq(m->brief, "not GPT-2's");
    ck_assert_int_eq(m->config.vocab_size, 3);
    es_model_unref(m);
    ck_assert(is_offered("mini"));

    RUN("--model", "mini", "--width", "120", "-c", "!", "-c", ":model ./mini", "-c", "!");
    check(0, NULL, NULL);
    has(&r.out,
        "model mini: 2 numbers a token, trained for this program, not GPT-2's own 768 · cpu");
    has(&r.out, "model mini: 2 numbers a token, from a file, not GPT-2's own 768 · cpu");
    RUN("--model", "mini", "--width", "80", "-c", "!");
    has(&r.out, "model mini: 2 numbers a token, not GPT-2's · cpu");
    RUN("--model", "mini", "--wte", "mini", "-c", ":model");
    has(&r.out, "model mini + mini: from a file");
}
END_TEST

/* ---- at the prompt ---- */

START_TEST(model_says_what_is_in_use)
{
    const char *path = path_in(data, "lmhead_names.safetensors");
    RUN("--json", "--model", path, "-c", ":model");
    json_t *o = answer(0), *t = json_array_get(json_object_get(o, "tables"), 1);
    check(0, NULL, NULL);
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "model");
    ck_assert_str_eq(json_string_value(json_object_get(o, "name")), "lmhead_names");
    ck_assert_str_eq(json_string_value(json_object_get(o, "path")), path);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "vocab_size")), 61);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "n_ctx")), 16);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "d_model")), 32);
    ck_assert_str_eq(json_string_value(json_object_get(o, "dtype")), "float32");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "blocks")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(o, "others")), 0);
    ck_assert_str_eq(json_string_value(json_object_get(t, "table")), "wpe");
    ck_assert_str_eq(json_string_value(json_object_get(t, "tensor")), "transformer.wpe.weight");
    ck_assert_int_eq(json_integer_value(json_object_get(t, "bytes")), 2048);
    ck_assert_str_eq(json_string_value(json_array_get(json_object_get(o, "warnings"), 0)),
                     "wte has V=61 rows, but the vocabulary gpt2 has 50257 tokens: ids from V on "
                     "have no row");
    json_decref(o);

    RUN("--json", "-c", ":model");
    check(
        0,
        "{\"kind\":\"model\",\"name\":\"untrained\",\"path\":null,\"vocab_size\":50257,"
        "\"n_ctx\":1024,\"d_model\":64,\"dtype\":\"float32\",\"tables\":[{\"table\":\"wte\","
        "\"tensor\":null,\"path\":null,\"shape\":[50257,64],\"dtype\":\"float32\",\"bytes\":"
        "12865792},{\"table\":\"wpe\",\"tensor\":null,\"path\":null,\"shape\":[1024,64],\"dtype\":"
        "\"float32\",\"bytes\":262144}],\"others\":0,\"warnings\":[]}\n",
        "");
}
END_TEST

START_TEST(rows_of_a_file_are_its_numbers)
{
    write_tables("m", "wte.weight:5x2 wpe.weight:3x2", 0);
    RUN("--json", "--values", "--model", "m", "-c", "!%#", "-c", ":row #4");
    json_t *o = answer(0), *x = json_object_get(o, "x");
    check(0, NULL, NULL);
    static const size_t ids[] = {0, 4, 2};
    for (size_t t = 0; t < 3; t++) /* wte[id, c] + wpe[t, c] */
        for (size_t c = 0; c < 2; c++)
            ck_assert_double_eq(json_number_value(json_array_get(json_array_get(x, t), c)),
                                (double)(2 * ids[t] + c + 10 + 2 * t + c));
    json_decref(o);
    o = answer(1);
    ck_assert_double_eq(json_number_value(json_array_get(json_object_get(o, "tok_emb"), 1)), 9);
    json_decref(o);
    RUN("--model", "m", "-c", "The cat");
    check(1, NULL, NULL);
    has(&r.err,
        "note: model m: wte has V=5 rows, but the vocabulary gpt2 has 50257 tokens: ids from "
        "V on have no row\n");
    has(&r.err, "error[index_range]: id 464 at [0, 0] is outside wte (5 rows: 0..4)");
    RUN("--model", "m", "-c", ":repeat 2 !$");
    has(&r.err, "exceeds maximum context window (3)");
}
END_TEST

START_TEST(another_model_is_taken_in_a_line)
{
    write_tables("m", "wte.weight:50257x2 wpe.weight:3x2", 0);
    RUN("--json", "-c", "!", "-c", ":model m", "-c", ":row @0", "-c", ":model untrained:C=3", "-c",
        ":row @0", "--keep-going", "-c", ":model ./nowhere", "-c", ":model");
    check(1, NULL, NULL);
    json_t *o = answer(1);
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "none");
    json_decref(o);
    for (int i = 2; i < 5; i += 2) { /* the last text is seen with the new model */
        o = answer(i);
        ck_assert_uint_eq(json_array_size(json_object_get(o, "x")), i == 2 ? 2 : 3);
        json_decref(o);
    }
    o = answer(5);
    ck_assert_str_eq(json_string_value(json_object_get(o, "error")), "io");
    ck_assert_int_eq(json_integer_value(json_object_get(o, "begin")), 7);
    json_decref(o);
    o = answer(6); /* what failed changed nothing */
    ck_assert_str_eq(json_string_value(json_object_get(o, "name")), "untrained:C=3");
    json_decref(o);
    RUN("-c", ":model m");
    check(0, "", "note: model m: wte m, wpe m\n");
    RUN("-c", ":model gpt3");
    check(1, "", NULL);
    has(&r.err, "error[name]: there is no model \"gpt3\"\n    :model gpt3\n           ^^^^\n");
}
END_TEST

START_TEST(mini_is_the_usual_model_and_untrained_stands_in_for_it)
{
    ck_assert(!mkdir("assets", 0700) && !mkdir("assets/models", 0700));
    setenv("EMBEDSCOPE_DATA", "assets", 1);
    unsetenv("EMBEDSCOPE_MODEL");
    write_tables("assets/models/mini.safetensors", "wte.weight:3x2 wpe.weight:4x2", 1);
    RUN("-c", ":model");
    has(&r.out, "model mini: not GPT-2's · 2 numbers a token");
    write_tables("assets/models/mini.safetensors", "a:3x2 b:4x2", 1);
    RUN("-c", "hi");
    check(0, NULL, NULL);
    has(&r.out, "model untrained: 64 numbers a token, random");
    has(&r.err, "note: model untrained: stands in for mini, which cannot be read: "
                "assets/models/mini.safetensors: there is no token or position table");
    RUN("--model", "mini", "-c", "hi");
    check(3, "", NULL);
}
END_TEST

START_TEST(the_usual_model_may_be_ones_own)
{
    setenv("EMBEDSCOPE_MODEL", "untrained:C=8", 1);
    RUN("-c", ":model");
    check(0, NULL, "");
    has(&r.out, "model untrained:C=8: random · 8 numbers a token");
    RUN("--model", "untrained:C=4", "-c", ":model");
    has(&r.out, "model untrained:C=4: random · 4 numbers a token");
    RUN("--wte", path_in(data, "gpt2_names.safetensors"), "-c", ":model");
    ck_assert_ptr_null(strstr(r.out.s, "untrained"));
    setenv("EMBEDSCOPE_MODEL", "nowhere", 1);
    RUN("-c", ":model");
    check(3, "",
          "error[name]: there is no model \"nowhere\"\n"
          "  try: mini, untrained, untrained:C=768 for GPT-2's width, or the path of a "
          ".safetensors file\n"
          "  EMBEDSCOPE_MODEL in the environment names it; --model NAME is stronger\n");
    setenv("EMBEDSCOPE_MODEL", "", 1);
    RUN("-c", ":model");
    check(0, NULL, "");
}
END_TEST

START_TEST(without_wpe_a_text_has_no_learned_positions)
{
    write_tables("m", "wte.weight:50257x2", 0);
    RUN("--keep-going", "--json", "--model", "m", "-c", "#%", "-c", ":positions learned", "-c",
        ":positions sinusoidal", "-c", "#%", "-c", ":model untrained:C=2", "-c", ":model m", "-c",
        ":reset", "-c", ":positions");
    check(1, NULL, NULL);
    has(&r.err,
        "note: model m: it has no position table (wpe): there are no learned positions, none "
        "or sinusoidal ones can be added\n");
    has(&r.out, "\"shapes\":{\"ids\":[1,2],\"tok_emb\":[1,2,2],\"pos_emb\":null,\"x\":[1,2,2]}");
    has(&r.out, "\"shapes\":{\"ids\":[1,2],\"tok_emb\":[1,2,2],\"pos_emb\":[1,2,2],\"x\":[1,2,2]}");
    has(&r.out, "\"message\":\"model m has no position table (wpe), so no learned positions\"");
    has(&r.out, "{\"positions\":\"none\",\"in_use\":\"in use\"");
    /* none was not chosen: a model that has positions brings them back */
    RUN("--json", "--model", "m", "-c", ":model untrained:C=2", "-c", "!");
    has(&r.out, "\"pos_emb\":[1,1,2]");
    RUN("--json", "-c", ":positions none", "-c", ":model untrained:C=2", "-c", "!");
    has(&r.out, "\"pos_emb\":null");
}
END_TEST

START_TEST(without_wte_a_place_still_has_its_row)
{
    write_tables("m", "wpe.weight:3x2", 5);
    RUN("--keep-going", "--json", "--values", "--wpe", "m", "-c", "The cat", "-c", ":row @1", "-c",
        ":row #464", "-c", ":shapes", "-c", ":batch \"a\" \"b\"", "-c", "one two three four", "-c",
        ":positions none", "-c", "The cat");
    check(1, NULL, NULL);
    has(&r.out, "\"shapes\":{\"ids\":[1,2],\"tok_emb\":null,\"pos_emb\":[1,2,2],\"x\":null},"
                "\"tok_emb\":null,\"pos_emb\":[[5,6],[7,8]],\"x\":null}");
    has(&r.out, "\"pos\":1,\"tok_emb\":null,\"pos_emb\":[7,8],\"x\":null}");
    has(&r.out, "\"message\":\"model m has no token table (wte), so tokens have no rows\"");
    has(&r.out, "\"shapes\":{\"ids\":[2,1],\"tok_emb\":null,\"pos_emb\":[1,1,2],\"x\":null}");
    has(&r.out, "\"error\":\"context_overflow\"");
    static const char *const want_wte[] = {":near cat", ":near @1", ":onehot", ":cosine",
                                           ":shapes"};
    for (size_t i = 0; i < sizeof want_wte / sizeof *want_wte; i++) {
        RUN("--wpe", "m", "-c", "The cat", "-c", want_wte[i]);
        check(1, NULL, NULL);
        has(&r.err, "error[value]: model m has no token table (wte), so tokens have no rows\n");
    }
    for (int width = 0; width < 4; width++) {
        static const char *const widths[] = {"40", "50", "80", "100"};
        RUN("--wpe", "m", "--width", widths[width], "-c", "The cat", "-c", ":row @1", "-c",
            ":model");
        check(0, NULL, NULL);
        for (const char *s = r.out.s; *s; s += strcspn(s, "\n") + 1)
            ck_assert_int_le(es_columns(s, strcspn(s, "\n")), atoi(widths[width]));
        has(&r.out, "pos_emb");
    }
    RUN("--wpe", "m", "--plain", "-c", "The cat", "-c", ":row @1");
    check(0,
          "tokens: 2\nbytes: 7\nmodel: m (wpe m)\ndevice: cpu\n"
          "token 0: text \"The\", id 464, length of pos_emb 7.81\n"
          "token 1: text \" cat\", id 3797, length of pos_emb 10.63\n"
          "pos_emb shape: B 1, T 2, C 2\n"
          "token: \" cat\", id 3797, bytes 20 63 61 74, pos 1, model m\n"
          "channel 0: pos_emb 7.000000\nchannel 1: pos_emb 8.000000\n",
          NULL);
}
END_TEST

/* ---- numbers that are none ---- */

START_TEST(nan_and_infinity_are_told_when_they_are_met)
{
    static const char header[] =
        "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[0,32]},"
        "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[32,56]}}";
    float values[14] = {0, 1, 2, NAN, 4, INFINITY, 6, 7, 0, 0, 0, 0, -INFINITY, 0};
    write_safetensors("m", header, 0, values, sizeof values);
    const char *tail = ", and so is what is computed with it; :model looks through whole tables\n";
    static const struct {
        const char *line, *note;
    } cases[] = {
        {"!", NULL},
        {"!$", NULL},
        {"$\"", "note: wte[1, 1] is NaN"},
        {"#\"", "note: wte[2, 1] is infinite"}, /* the first by place */
        {"!$!", "note: wpe[2, 0] is -infinite"},
        {":row #1", "note: wte[1, 1] is NaN"},
        {":row #0", NULL},
        {":batch \"!\" \"#\"", "note: wte[2, 1] is infinite"},
    };
    RUN("--vocab", "gpt2", "--model", "m", "-c", ":set width 1000");
    ck_assert_ptr_null(strstr(r.err.s, "NaN")); /* never at load */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_str want = {0};
        RUN("--model", "m", "-c", cases[i].line);
        ck_assert_int_eq(r.status, 0);
        if (cases[i].note)
            es_str_add(&want, "%s%s", cases[i].note, tail);
        const char *after = strstr(r.err.s, "have no row\n") + 12;
        ck_assert_str_eq(after, es_str_text(&want));
        es_str_free(&want);
    }
    RUN("--json", "--model", "m", "-c", ":model");
    has(&r.out, "\"wte[1, 1] is NaN, the first of its numbers that is none\","
                "\"wpe[2, 0] is -infinite, the first of its numbers that is none\"]");
}
END_TEST

/* Lengths, bars and scales of numbers as large as there are, and of none. */
START_TEST(numbers_of_any_size_fit_the_screen)
{
    static const char *const widths[] = {"40", "50", "80", "100", "140"};
    static const char header[] =
        "{\"wte.weight\":{\"dtype\":\"F32\",\"shape\":[4,2],\"data_offsets\":[0,32]},"
        "\"wpe.weight\":{\"dtype\":\"F32\",\"shape\":[3,2],\"data_offsets\":[32,56]}}";
    static const float values[14] = {-3.4e38f, 3.4e38f, 99999, 123456.7f, NAN,     INFINITY, 1e-40f,
                                     0,        -1e7f,   3e38f, 1,         -1e-20f, -3e38f,   7};
    write_safetensors("m", header, 0, values, sizeof values);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        RUN("--model", "m", "--width", widths[i], "-c", "!%", "-c", "$!", "-c", "#", "-c", "$\"",
            "-c", ":row @0", "-c", ":row #0", "-c", ":row #2", "-c", ":shapes", "-c", ":model",
            "--keep-going");
        for (const char *s = r.out.s; *s; s += strcspn(s, "\n") + 1)
            ck_assert_msg(es_columns(s, strcspn(s, "\n")) <= atoi(widths[i]), "%s: %s", widths[i],
                          s);
        has(&r.out, "wte[0], length 5e+38");
        has(&r.out, "5e+38");
        ck_assert_ptr_null(strstr(r.out.s, "…+inf")); /* a scale is a number */
    }
}
END_TEST

/* ---- what others named ---- */

static void check_nothing_raw(const es_str *text)
{
    for (size_t i = 0; i < text->len;) {
        uint32_t cp;
        int len = es_utf8_next(text->s + i, text->len - i, &cp);
        demand(len && (cp == '\n' || es_char_visible(cp)), "byte %02X", (unsigned char)text->s[i]);
        i += (size_t)len;
    }
}

START_TEST(names_of_files_and_tensors_never_come_out_raw)
{
    static const char *const files[] = {"a\x1b[31m.safetensors",
                                        "\xC2\x9B"
                                        "2J",
                                        "\xE2\x80\xAE"
                                        "x.safetensors",
                                        "\xFF\xFE", "a\nb"};
    static const char header[] =
        "{\"\\u001b]0;x\\u0007\\u009b\\u202e\":{\"dtype\":\"F32\",\"shape\":[2,2],"
        "\"data_offsets\":[0,16]}}";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        write_safetensors(files[i], header, 0, NULL, 16);
        const char *out = path_in(".", files[i]);
        for (int json = 0; json < 2; json++) {
            const char *how = json ? "--json" : "--keep-going";
            RUN(how, "--model", files[i], "-c", ":model");
            ck_assert_int_eq(r.status, 3);
            check_nothing_raw(json ? &r.out : &r.err);
            RUN(how, "--wte", files[i], "-c", ":model", "-c", "!", "-c", ":row #0", "-c",
                ":doctor");
            ck_assert_int_eq(r.status, 0);
            check_nothing_raw(&r.out);
            check_nothing_raw(&r.err);
        }
        RUN("extract", out, "-o", out);
        check_nothing_raw(&r.err);
        write_tables(files[i], "wte.weight:2x2", 0);
        RUN("extract", out, "-o", "out");
        check(0, NULL, "");
        RUN("extract", "out", "-o", out);
        check_nothing_raw(&r.out);
        RUN("extract", out, "-o", out);
        ck_assert_int_eq(r.status, 1);
        check_nothing_raw(&r.err);
    }
}
END_TEST

/* ---- extract ---- */

static int n_files_here(void)
{
    run_result_free(&r);
    run_program(&r, (const char *const[]){"ls", "-A", NULL}, "", 0);
    int n = 0;
    for (size_t i = 0; i < r.out.len; i++)
        n += r.out.s[i] == '\n';
    return n;
}

static void same_tables(const char *a, const char *b)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open(a, 0, &err), *n = es_model_open(b, 0, &err);
    ck_assert_works(m && n, err);
    ck_assert_str_eq(m->wte_from.dtype, n->wte_from.dtype);
    const es_table *pairs[][2] = {{m->wte, n->wte}, {m->wpe, n->wpe}};
    for (int k = 0; k < 2; k++) {
        es_store stores[2];
        const void *rows[2] = {es_table_data(pairs[k][0], &stores[0]),
                               es_table_data(pairs[k][1], &stores[1])};
        ck_assert_int_eq(es_table_rows(pairs[k][0]), es_table_rows(pairs[k][1]));
        ck_assert_int_eq(stores[0], stores[1]);
        if (es_table_rows(pairs[k][0]))
            ck_assert_mem_eq(rows[0], rows[1],
                             (size_t)(es_table_rows(pairs[k][0]) * es_table_width(pairs[k][0])) *
                                 es_store_size(stores[0]));
    }
    ck_assert_uint_eq(n->n_others, 0);
    es_model_unref(m);
    es_model_unref(n);
}

START_TEST(extract_keeps_the_two_tables_byte_for_byte)
{
    static const char *const names[] = {"lmhead_names.safetensors", "f16.safetensors",
                                        "bf16.safetensors",         "f64.safetensors",
                                        "nopad.safetensors",        "i8_u8_bool.safetensors",
                                        "order_indent.safetensors", "sharded"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = path_in(data, names[i]);
        RUN("extract", path, "-o", "out");
        check(0, NULL, "");
        same_tables(path, "out");
        es_file f;
        ck_assert(es_file_open(&f, "out", NULL));
        ck_assert_uint_eq((8 + f.data[0] + 256u * f.data[1]) % 64, 0); /* aligned */
        es_file_close(&f);
    }
    ck_assert_int_eq(n_files_here(), 1); /* no temporary file is left */
    struct stat st;
    umask(022);
    RUN("extract", path_in(data, "gpt2_names.safetensors"), "-oout");
    check(0, "out: wte.weight [61, 32] F32, wpe.weight [16, 32] F32, 10048 bytes\n", "");
    ck_assert(!stat("out", &st) && (st.st_mode & 0777) == 0644);
}
END_TEST

START_TEST(extract_never_writes_onto_what_it_reads_nor_onto_no_file)
{
    write_tables("m", "wte.weight:3x2 a:1x1", 0);
    ck_assert(!link("m", "hard") && !symlink("m", "soft") && !mkdir("folder", 0755));
    static const char *const cases[][3] = {
        {"m", "m", "error[io]: cannot write m: it is the file the tables are read from\n"},
        {"m", "./m", "error[io]: cannot write ./m: it is the file the tables are read from\n"},
        {"m", "hard", "error[io]: cannot write hard: it is the file the tables are read from\n"},
        {"hard", "soft", "error[io]: cannot write soft: it is the file the tables are read from\n"},
        {"m", "folder", "error[io]: cannot write folder: it is a folder\n"},
        {"m", "/dev/null", "error[io]: cannot write /dev/null: it is a device, not a file\n"},
        {"m", "no/where", "error[io]: cannot write no/where: No such file or directory\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        RUN("extract", cases[i][0], "-o", cases[i][1]);
        check(1, "", NULL);
        ck_assert_msg(!strncmp(r.err.s, cases[i][2], strlen(cases[i][2])), "%s", r.err.s);
    }
    write_tables("n", "a:1x1", 0);
    RUN("extract", "n", "-o", "out");
    check(3, "", NULL);
    has(&r.err, "error[format]: n: there is no token or position table among its 1 tensor\n");
    RUN("extract", "nowhere", "-o", "out");
    check(3, "", "error[io]: cannot open nowhere: No such file or directory\n");
    ck_assert_int_eq(n_files_here(), 5); /* and nothing new */
}
END_TEST

/* ---- a real table ---- */

static double length_of(const float *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

/* GPT-2's own positions, where they are at hand: lengths of rows as its README beside them says. */
START_TEST(gpt2s_positions_have_their_known_numbers)
{
    static const struct {
        int row;
        double length, slack;
    } known[] = {{0, 9.88, 0.005},
                 {1, 5.19, 0.005},
                 {2, 4.59, 0.005},
                 {1022, 3.86, 0.005},
                 {1023, 0.118, 0.0005}};
    static const char *const files[] = {"gpt2-wpe.f32.safetensors", "gpt2-wpe.f16.safetensors"};
    if (!weights[0]) {
        fprintf(stderr, "skipped: no ../shared/weights with GPT-2's wpe\n");
        return;
    }
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open(path_in(weights, files[_i]), 0, &err);
    ck_assert_works(m != NULL, err);
    ck_assert(m->config.n_ctx == 1024 && m->config.n_embd == 768 && m->config.vocab_size == 0);
    float row[768];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ck_assert(es_table_row(m->wpe, known[i].row, row, NULL));
        demand(fabs(length_of(row, 768) - known[i].length) <= known[i].slack, "row %d: %g",
               known[i].row, length_of(row, 768));
    }
    static const double begins[] = {-0.0188207, -0.1974186, 0.0040267};
    ck_assert(es_table_row(m->wpe, 0, row, NULL));
    for (int c = 0; c < 3; c++)
        ck_assert_double_eq_tol((double)row[c], begins[c], _i ? 5e-5 : 5e-8);
    es_model_unref(m);
    RUN("--wpe", path_in(weights, files[_i]), "-c", ":repeat 1024  a", "-c", ":row @1023");
    check(0, NULL, NULL);
    has(&r.out, "pos_emb = wpe[1023], length 0.11");
}
END_TEST

Suite *model_suite(void)
{
    Suite *s = suite_create("model");
    TCase *tc = tcase_create("files");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, tables_are_found_by_all_their_names);
    tcase_add_test(tc, a_model_is_put_together_from_parts);
    tcase_add_test(tc, parts_that_do_not_fit_say_why);
    tcase_add_test(tc, a_model_in_several_files_is_read_by_its_index);
    tcase_add_test(tc, folders_and_names_lead_to_models);
    tcase_add_test(tc, the_bundled_model_lies_among_the_assets);
    tcase_add_test(tc, model_says_what_is_in_use);
    tcase_add_test(tc, rows_of_a_file_are_its_numbers);
    tcase_add_test(tc, another_model_is_taken_in_a_line);
    tcase_add_test(tc, mini_is_the_usual_model_and_untrained_stands_in_for_it);
    tcase_add_test(tc, the_usual_model_may_be_ones_own);
    tcase_add_test(tc, without_wpe_a_text_has_no_learned_positions);
    tcase_add_test(tc, without_wte_a_place_still_has_its_row);
    tcase_add_test(tc, nan_and_infinity_are_told_when_they_are_met);
    tcase_add_test(tc, numbers_of_any_size_fit_the_screen);
    tcase_add_test(tc, names_of_files_and_tensors_never_come_out_raw);
    tcase_add_test(tc, extract_keeps_the_two_tables_byte_for_byte);
    tcase_add_test(tc, extract_never_writes_onto_what_it_reads_nor_onto_no_file);
    tcase_add_loop_test(tc, gpt2s_positions_have_their_known_numbers, 0, 2);
    suite_add_tcase(s, tc);
    return s;
}
