// SPDX-License-Identifier: GPL-3.0-or-later
/* :shapes code=…: the programs are run as they are shown, and again with our own tables in the place
 * that they name; shapes and numbers are then ours.  Where Python or a library is missing, that
 * language is skipped, and it is said how many were. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

Suite *code_suite(void);

static const char marker[] = "# put a model's own numbers here";
static const char *const texts[] = {"The cat sat on the cat", ":batch \"The cat sat\" \"A dog\"",
                                    ":repeat 300 a "};
static const char *const positions[] = {"learned", "sinusoidal", "none"};

/* The last JSON object of :positions, a text, and perhaps one line more. */
static json_t *answer(const char *where, const char *text, const char *line)
{
    const char *const argv[] = {program(), "--json", "--values", "--model", "untrained:C=6,V=50257",
                                "-c",      where,    "-c",       text,      line ? "-c" : NULL,
                                line,      NULL};
    run_result r;
    run_program(&r, argv, "", 0);
    ck_assert_msg(r.status == 0, "%s", es_str_text(&r.out));
    const char *last = memrchr(r.out.s, '\n', r.out.len - 1);
    json_t *o = json_loads(last + 1, 0, NULL);
    ck_assert_ptr_nonnull(o);
    run_result_free(&r);
    return o;
}

static void write_file(const char *path, const char *text)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_replace(path, text, strlen(text), &err), err);
}

static void run_here(const char *const *argv, es_str *out)
{
    run_result r;
    run_program(&r, argv, "", 0);
    ck_assert_msg(r.status == 0 && r.err.len == 0, "%s", es_str_text(&r.err));
    es_str_cut(out, 0);
    es_str_bytes(out, es_str_text(&r.out), r.out.len);
    run_result_free(&r);
}

/* "[1, 6, 6] (36, 6, 1) 8": what each program prints first. */
static void first_line(es_str *out, json_t *shapes)
{
    json_t *x = json_array_get(json_object_get(shapes, "stages"),
                               json_array_size(json_object_get(shapes, "stages")) - 1);
    json_t *shape = json_object_get(x, "shape"), *stride = json_object_get(x, "stride");
    int s[3], t[3];
    for (size_t i = 0; i < 3; i++) {
        s[i] = (int)json_integer_value(json_array_get(shape, i));
        t[i] = (int)json_integer_value(json_array_get(stride, i));
    }
    es_str_add(
        out, "[%d, %d, %d] (%d, %d, %d) %d\n", s[0], s[1], s[2], t[0], t[1], t[2],
        (int)json_integer_value(json_object_get(json_object_get(shapes, "element"), "offset")));
}

static void check_shown(json_t *shapes, const es_str *printed)
{
    es_str want = {0};
    first_line(&want, shapes);
    ck_assert_msg(!strncmp(es_str_text(printed), want.s, want.len), "%s, not %s", printed->s,
                  want.s);
    es_str_free(&want);
}

/* Every line fits the narrowest screen. */
static void check_columns(const char *text)
{
    for (size_t n; *text; text += n + 1) {
        n = strcspn(text, "\n");
        ck_assert_msg(n <= 40, "%.*s", (int)n, text);
    }
}

/* The program with another text in place of its line for a model's numbers. */
static void with_numbers(es_str *out, const char *program_text, const char *mark,
                         const char *numbers)
{
    const char *at = strstr(program_text, mark);
    ck_assert_ptr_nonnull(at);
    es_str_bytes(out, program_text, (size_t)(at - program_text));
    es_str_cat(out, numbers);
    es_str_cat(out, at + strlen(mark));
}

/* ---- Python ---- */

/* The Python that knows a module, or NULL. */
static const char *python_with(const char *module)
{
    static const char *const names[] = {"python3", "/usr/bin/python3"};
    es_str line = {0};
    es_str_add(&line, "import %s", module);
    const char *found = NULL;
    for (int i = 0; i < 2 && !found; i++) {
        run_result r;
        run_program(&r, (const char *const[]){names[i], "-c", line.s, NULL}, "", 0);
        found = r.status == 0 ? names[i] : NULL;
        run_result_free(&r);
    }
    es_str_free(&line);
    return found;
}

typedef struct language {
    const char *name, *module, *numbers;
} language;

/* What fills both tables: `ours` is the answer as JSON, in a file beside the program. */
static const char read_ours[] =
    "import json\nimport numpy\n"
    "ours = json.load(open(__file__.replace('own', 'ours').replace('.py', '.json')))\n"
    "def rows(key):\n"
    "    return numpy.array(ours[key], numpy.float32).reshape(-1, C)\n"
    "all_ids = numpy.array(ours['ids']).reshape(-1)\n";

static const language languages[] = {
    {"torch", "torch",
     "wte.weight.data[torch.tensor(all_ids)] = torch.tensor(rows('tok_emb'))\n"
     "if 'P' in dir():\n    wpe.weight.data[:T] = torch.tensor(rows('pos_emb'))\n"},
    {"numpy", "numpy",
     "wte[all_ids] = rows('tok_emb')\nif 'P' in dir():\n    wpe[:T] = rows('pos_emb')\n"},
};

static const char check_python[] =
    "shown = x.detach().numpy() if hasattr(x, 'detach') else x\n"
    "assert shown.dtype == numpy.float32 and shown.shape == (B, T, C)\n"
    "assert (numpy.array(ids).reshape(-1) == all_ids).all()\n"
    "assert abs(shown.reshape(-1, C) - rows('x')).max() < 1e-6\n"
    "assert 'P' not in dir() or (shown.reshape(-1, C) == rows('x')).all()\n";

/* Runs programs one after the other: a library is loaded once. */
static const char driver[] = "import runpy, sys\nfor f in sys.argv[1:]:\n    runpy.run_path(f)\n";

/* Write the program as shown, and as `own` with our numbers; what they will print is added to want. */
static void write_python(const language *l, const char *where, const char *text, int i,
                         bool numbers, es_str *want)
{
    es_str command = {0}, fill = {0}, own = {0}, name = {0};
    es_str_add(&command, ":shapes code=%s", l->name);
    json_t *shapes = answer(where, text, command.s), *ours = answer(where, text, NULL);
    const char *shown = json_string_value(json_object_get(shapes, "program"));
    check_columns(shown);
    es_str_add(&name, "shown%d.py", i);
    write_file(name.s, shown);
    first_line(want, shapes);
    es_str_cut(&name, 0);
    es_str_add(&name, "own%d.py", i);
    if (numbers) {
        es_str_add(&fill, "%s%s", read_ours, l->numbers);
        with_numbers(&own, shown, marker, fill.s);
        es_str_cat(&own, check_python);
        first_line(want, shapes);
    }
    write_file(name.s, es_str_text(&own));
    es_str_cut(&name, 0);
    es_str_add(&name, "ours%d.json", i);
    json_dump_file(ours, name.s, 0);
    es_str_free(&command);
    es_str_free(&fill);
    es_str_free(&own);
    es_str_free(&name);
    json_decref(shapes);
    json_decref(ours);
}

/* The lines that begin with "[": each program's shape, strides and offset. */
static void check_first_lines(const es_str *printed, const char *want)
{
    es_str got = {0};
    const char *s = es_str_text(printed);
    for (size_t n; *s; s += n) {
        n = strcspn(s, "\n") + 1;
        if (*s == '[')
            es_str_bytes(&got, s, n);
    }
    ck_assert_str_eq(es_str_text(&got), want);
    es_str_free(&got);
}

START_TEST(python_programs_run_and_give_our_numbers)
{
    const language *l = &languages[_i];
    const char *python = python_with(l->module);
    if (!python) {
        fprintf(stderr, "code: 1 check skipped, no Python here has %s\n", l->module);
        return;
    }
    es_str where = {0}, want = {0}, printed = {0};
    for (int i = 0; i < 9; i++) {
        es_str_cut(&where, 0);
        es_str_add(&where, ":positions %s", positions[i / 3]);
        write_python(l, where.s, texts[i % 3], i, i % 3 < 2, &want);
    }
    write_file("driver.py", driver);
    const char *argv[] = {"sh", "-c",
                          "p=$0; set --; for i in 0 1 2 3 4 5 6 7 8; do set -- \"$@\" shown$i.py "
                          "own$i.py; done; \"$p\" driver.py \"$@\"",
                          python, NULL};
    run_here(argv, &printed);
    check_first_lines(&printed, want.s);
    es_str_free(&where);
    es_str_free(&want);
    es_str_free(&printed);
}
END_TEST

/* ---- C ---- */

/* Read our rows where the program says that they go, and print all of x at its end. */
static const char read_rows[] = "    FILE *f = fopen(\"rows.f32\", \"rb\");\n"
                                "    int id, n_ids;\n"
                                "    if (!f || !fread(&n_ids, sizeof id, 1, f))\n"
                                "        return 2;\n"
                                "    while (n_ids-- && fread(&id, sizeof id, 1, f))\n"
                                "        if (!fread(wte[id], sizeof(float[C]), 1, f))\n"
                                "            return 3;\n"
                                "    if (POSITIONS && fread(wpe, sizeof(float[C]), T, f) != T)\n"
                                "        return 4;\n"
                                "    fclose(f);\n";
static const char print_x[] = "    for (size_t k = 0; k < n; k++)\n"
                              "        printf(\"%.9g\\n\", flat[k]);\n    return 0;\n";

/* Every number of a nest of lists, in order. */
static size_t flatten(json_t *list, double *out)
{
    size_t n = 0;
    if (!json_is_array(list)) {
        *out = json_number_value(list);
        return 1;
    }
    for (size_t i = 0; i < json_array_size(list); i++)
        n += flatten(json_array_get(list, i), out + n);
    return n;
}

enum { MOST = 4096, C = 6 };

static void write_rows(json_t *ours, bool learned)
{
    static double ids[MOST], tok[MOST], pos[MOST];
    int n = (int)flatten(json_object_get(ours, "ids"), ids);
    flatten(json_object_get(ours, "tok_emb"), tok);
    size_t n_pos = learned ? flatten(json_object_get(ours, "pos_emb"), pos) : 0;
    FILE *f = fopen("rows.f32", "wb");
    ck_assert_ptr_nonnull(f);
    fwrite(&n, sizeof n, 1, f);
    for (int i = 0; i < n; i++) {
        int id = (int)ids[i];
        fwrite(&id, sizeof id, 1, f);
        for (int c = 0; c < C; c++) {
            float v = (float)tok[i * C + c];
            fwrite(&v, sizeof v, 1, f);
        }
    }
    for (size_t i = 0; i < n_pos; i++) {
        float v = (float)pos[i];
        fwrite(&v, sizeof v, 1, f);
    }
    fclose(f);
}

static void compile_and_run(const char *text, bool learned, es_str *printed)
{
    write_file("code.c", text);
    run_here((const char *const[]){"cc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror",
                                   learned ? "-DPOSITIONS=1" : "-DPOSITIONS=0", "-o", "code",
                                   "code.c", "-lm", NULL},
             printed);
    run_here((const char *const[]){"./code", NULL}, printed);
}

static void check_numbers(json_t *ours, const char *printed)
{
    static double want[MOST];
    size_t n = flatten(json_object_get(ours, "x"), want);
    for (int skip = 0; skip < 2; skip++)
        printed = strchr(printed, '\n') + 1;
    for (size_t i = 0; i < n; i++) {
        char *end;
        double got = strtod(printed, &end);
        demand(*end == '\n' && (float)got == (float)want[i], "number %zu is %g, not %g", i, got,
               want[i]);
        printed = end + 1;
    }
    ck_assert_str_eq(printed, "");
}

static void run_c(const char *where, const char *text, bool learned, bool numbers)
{
    es_str printed = {0}, own = {0}, whole = {0};
    json_t *shapes = answer(where, text, ":shapes code=c"), *ours = answer(where, text, NULL);
    const char *shown = json_string_value(json_object_get(shapes, "program"));
    check_columns(shown);
    compile_and_run(shown, learned, &printed);
    check_shown(shapes, &printed);
    if (numbers) {
        const char *reader = learned ? read_rows : strstr(read_rows, "    FILE");
        with_numbers(&own, shown, "    // put a model's own numbers here\n", reader);
        if (!learned) { /* there is no wpe to be read */
            char *line = strstr(own.s, "    if (POSITIONS");
            memcpy(line, "    if (0)      //", 18);
        }
        with_numbers(&whole, own.s, "    return 0;\n", print_x);
        write_rows(ours, learned);
        compile_and_run(whole.s, learned, &printed);
        check_shown(shapes, &printed);
        check_numbers(ours, printed.s);
    }
    es_str_free(&printed);
    es_str_free(&own);
    es_str_free(&whole);
    json_decref(shapes);
    json_decref(ours);
}

START_TEST(c_programs_compile_without_a_warning_and_give_our_numbers)
{
    for (size_t p = 0; p < 3; p++) {
        es_str where = {0};
        es_str_add(&where, ":positions %s", positions[p]);
        for (size_t t = 0; t < (p ? 2 : 3); t++)
            run_c(where.s, texts[t], p == 0, t < 2);
        es_str_free(&where);
    }
}
END_TEST

/* ---- the figures ---- */

START_TEST(the_element_lies_where_it_is_said)
{
    json_t *o = answer(":positions none", ":batch \"The cat sat\" \"A dog\"", ":shapes");
    json_t *element = json_object_get(o, "element"), *index = json_object_get(element, "index");
    json_t *x = json_array_get(json_object_get(o, "stages"), 2);
    int64_t offset = 0;
    for (size_t i = 0; i < 3; i++)
        offset += json_integer_value(json_array_get(index, i)) *
                  json_integer_value(json_array_get(json_object_get(x, "stride"), i));
    ck_assert_str_eq(json_string_value(json_object_get(x, "name")), "x");
    ck_assert_int_eq(json_integer_value(json_object_get(element, "offset")), offset);
    ck_assert_int_eq(offset, 1 * 3 * 6 + 1 * 6 + 2);
    json_decref(o);
}
END_TEST

START_TEST(each_stage_has_its_lines)
{
    json_t *o = answer(":positions learned", "The cat", ":shapes code=torch");
    static const char *const code[] = {
        "ids = torch.tensor([\n    [464, 3797],\n])", "tok_emb = wte(ids)",
        "positions = torch.arange(0, T)\npositions = positions.unsqueeze(0)",
        "pos_emb = wpe(positions)", "x = tok_emb + pos_emb"};
    ck_assert_str_eq(json_string_value(json_object_get(o, "language")), "torch");
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(json_string_value(json_object_get(
                             json_array_get(json_object_get(o, "stages"), i), "code")),
                         code[i]);
    json_decref(o);
}
END_TEST

static char *folder;

static void setup(void)
{
    calm_environment();
    folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
}

static void teardown(void)
{
    ck_assert_int_eq(chdir("/"), 0);
    free(folder);
}

Suite *code_suite(void)
{
    Suite *s = suite_create("code");
    TCase *tc = tcase_create("code");
    tcase_set_timeout(tc, 180);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, python_programs_run_and_give_our_numbers, 0, 2);
    tcase_add_test(tc, c_programs_compile_without_a_warning_and_give_our_numbers);
    tcase_add_test(tc, the_element_lies_where_it_is_said);
    tcase_add_test(tc, each_stage_has_its_lines);
    suite_add_tcase(s, tc);
    return s;
}
