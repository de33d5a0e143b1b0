// SPDX-License-Identifier: GPL-3.0-or-later
/* Golden sessions: tests/golden/NAME.session holds shell commands, a line each after "$ ", and under
 * each of them what it prints, standard error included, then "[status N]" unless N is 0.  Lines before
 * the first command are remarks.  $DATA is tests/data.  ES_GOLDEN=write (make golden) writes what is printed now. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "support.h"

Suite *golden_suite(void);

static glob_t sessions;

/* The program by its name, the rest as the shell finds it. */
static void name_the_program(void)
{
    es_str path = {0};
    const char *slash = strrchr(program(), '/');
    es_str_add(&path, "%.*s:%s", (int)(slash - program()), program(), getenv("PATH"));
    setenv("PATH", path.s, 1);
    es_str_free(&path);
}

static void run_command(es_str *out, const char *command, size_t n)
{
    es_str line = {0};
    es_str_add(&line, "exec 2>&1; %.*s", (int)n, command);
    const char *const argv[] = {"sh", "-c", line.s, NULL};
    run_result r;
    run_program(&r, argv, "", 0);
    es_str_bytes(out, es_str_text(&r.out), r.out.len);
    if (r.out.len && r.out.s[r.out.len - 1] != '\n')
        es_str_cat(out, "\n[no line break at the end]\n");
    if (r.status)
        es_str_add(out, "[status %d]\n", r.status);
    run_result_free(&r);
    es_str_free(&line);
}

/* The session as it should be written now. */
static void replay(es_str *now, const char *text, size_t n)
{
    bool before = true; /* remarks */
    for (const char *s = text, *end = text + n; s < end;) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        size_t len = (size_t)((newline ? newline : end) - s);
        bool command = len > 2 && s[0] == '$' && s[1] == ' ';
        before = before && !command;
        if (before || command)
            es_str_add(now, "%.*s\n", (int)len, s);
        if (command)
            run_command(now, s + 2, len - 2);
        s += len + 1;
    }
}

/* The first line in which two texts differ, for a short report. */
static void report(const char *path, const char *want, const char *got)
{
    int line = 1;
    while (*want && *want == *got) {
        line += *want == '\n';
        want++;
        got++;
    }
    while (want[-1] != '\n') {
        want--;
        got--;
    }
    ck_abort_msg("%s:%d\n  wanted: %.*s\n  got:    %.*s\n(make golden rewrites the sessions)", path,
                 line, (int)strcspn(want, "\n"), want, (int)strcspn(got, "\n"), got);
}

START_TEST(session_prints_what_it_printed)
{
    es_error err = ES_ERROR_NONE;
    es_file f;
    char here[4096];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    const char *path = sessions.gl_pathv[_i];
    ck_assert_works(es_file_open(&f, path, &err), err);
    calm_environment();
    name_the_program();
    setenv("TERM", "dumb", 1);
    char *folder = fresh_folder();
    es_str data_path = {0}, now = {0};
    es_str_add(&data_path, "%s/tests/data", here);
    setenv("DATA", data_path.s, 1);
    ck_assert_int_eq(chdir(folder), 0);
    replay(&now, (const char *)f.data, f.size);
    ck_assert_int_eq(chdir(here), 0);
    if (getenv("ES_GOLDEN"))
        ck_assert_works(es_file_replace(path, now.s, now.len, &err), err);
    else if (now.len != f.size || memcmp(now.s, f.data, f.size))
        report(path, (const char *)f.data, now.s);
    es_str_free(&data_path);
    es_str_free(&now);
    es_file_close(&f);
    free(folder);
}
END_TEST

Suite *golden_suite(void)
{
    Suite *s = suite_create("golden");
    TCase *tc = tcase_create("sessions");
    tcase_set_timeout(tc, 120);
    glob("tests/golden/*.session", 0, NULL, &sessions);
    tcase_add_loop_test(tc, session_prints_what_it_printed, 0, (int)sessions.gl_pathc);
    suite_add_tcase(s, tc);
    return s;
}
