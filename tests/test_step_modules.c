// SPDX-License-Identifier: GPL-3.0-or-later
/* :step on modules as readers bring them (tests/data/modules): one that fails in eight ways stops at the line that
 * its file marks, gone to line by line or at once. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

Suite *step_modules_suite(void);

enum { KEYS = 120 /* more than it takes from a call to its failure */ };

static const char marked[] = "# at fault\n";

/* ---- the file ---- */

typedef struct fault {
    es_str class;
    int line;
} fault;

static int line_of(const es_str *file, const char *at)
{
    int line = 1;
    for (const char *s = file->s; (s = strchr(s, '\n')) && s < at; s++)
        line++;
    return line;
}

/* The class behind `from` that has a marked line; returns what is behind that. */
static const char *next_fault(const es_str *file, const char *from, fault *out)
{
    const char *mark = strstr(from, marked), *class = NULL;
    if (!mark)
        return NULL;
    for (const char *s = from; (s = strstr(s, "\nclass ")) && s < mark; s++)
        class = s + strlen("\nclass ");
    ck_assert_ptr_nonnull(class);
    *out = (fault){.line = line_of(file, mark)};
    es_str_bytes(&out->class, class, strcspn(class, "("));
    return mark + strlen(marked);
}

/* ---- stepping ---- */

/* The objects that stepping through a call of that class gives, keys pressed again and again. */
static run_result step_through(const fault *f, const char *key, const char *mode)
{
    const char *moved = strcmp(f->class.s, "PositionsElsewhere") ? "" : ".to('sim')";
    es_str lines = {0};
    es_str_add(&lines,
               ":run tests/data/modules/faults.py\n%s\nm = %s()%s\n"
               "ids = torch.tensor([[1, 2, 3], [4, 5, 6]])%s\n:step m(ids)\n",
               mode, f->class.s, moved, moved);
    for (int i = 0; i < KEYS; i++)
        es_str_add(&lines, "%s\n", key);
    run_result r;
    const char *const argv[] = {program(), "-t", "-q", "--norc", "--json", "--keep-going", NULL};
    run_program(&r, argv, lines.s, lines.len);
    es_str_free(&lines);
    return r;
}

static int stop_of(const json_t *answer, bool *failed)
{
    const json_t *at = json_object_get(answer, "at");
    if (!json_is_object(at))
        return 0;
    *failed = json_is_true(json_object_get(at, "failed"));
    return (int)json_integer_value(json_object_get(at, "line"));
}

/* Where it stopped because that line failed, and where the stop before that was. */
static int line_at_fault(const run_result *r, int *before)
{
    bool failed = false;
    int last = 0;
    *before = 0;
    for (const char *s = es_str_text(&r->out); *s && !failed; s += strcspn(s, "\n") + 1) {
        json_t *o = json_loadb(s, strcspn(s, "\n"), 0, NULL);
        int line = stop_of(o, &failed);
        if (line)
            *before = last, last = line;
        json_decref(o);
    }
    return failed ? last : 0;
}

/* Which ids there are is not known of shapes alone. */
static bool shows(const char *class, const char *mode)
{
    return !*mode || strcmp(class, "IdsBeyond");
}

static void each_fault(const char *key, const char *mode, bool each_line)
{
    es_file f;
    es_error err = ES_ERROR_NONE;
    es_str file = {0};
    fault one;
    int n = 0, before;
    ck_assert_works(es_file_open(&f, "tests/data/modules/faults.py", &err), err);
    es_str_bytes(&file, (const char *)f.data, f.size);
    es_file_close(&f);
    for (const char *s = file.s; (s = next_fault(&file, s, &one)); n++) {
        run_result r = step_through(&one, key, mode);
        int line = line_at_fault(&r, &before), want = shows(one.class.s, mode) ? one.line : 0;
        demand(line == want, "%s: stopped at line %d, not %d", one.class.s, line, want);
        demand(!each_line || !want || before == want, "%s: from line %d", one.class.s, before);
        run_result_free(&r);
        es_str_free(&one.class);
    }
    ck_assert_int_eq(n, 8);
    es_str_free(&file);
}

START_TEST(each_of_eight_faults_is_stopped_at_going_on)
{
    each_fault("c", "", false);
}
END_TEST

START_TEST(each_of_eight_faults_is_stopped_at_line_by_line)
{
    each_fault("i", "", true);
}
END_TEST

START_TEST(shapes_alone_stop_there_too)
{
    each_fault("i", ":set shapes only", true);
}
END_TEST

Suite *step_modules_suite(void)
{
    Suite *s = suite_create("step_modules");
    TCase *tc = tcase_create("faults");
    tcase_add_checked_fixture(tc, calm_environment, NULL);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, each_of_eight_faults_is_stopped_at_going_on);
    tcase_add_test(tc, each_of_eight_faults_is_stopped_at_line_by_line);
    tcase_add_test(tc, shapes_alone_stop_there_too);
    suite_add_tcase(s, tc);
    return s;
}
