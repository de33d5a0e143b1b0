// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "gpu.h"
#include "support.h"

static glob_t sessions;

size_t golden_count(void)
{
    if (!sessions.gl_pathc)
        glob("tests/golden/*.session", 0, NULL, &sessions);
    return sessions.gl_pathc;
}

const char *golden_path(size_t i)
{
    return sessions.gl_pathv[i];
}

/* ---- the program by its name ---- */

/* A program of the same name that gives the real one more arguments; its folder, which the caller frees. */
static char *stand_in(const char *more)
{
    es_error err = ES_ERROR_NONE;
    char *folder = fresh_folder();
    es_str path = {0}, script = {0};
    es_str_add(&path, "%s/%s", folder, strrchr(program(), '/') + 1);
    es_str_add(&script, "#!/bin/sh\nexec '%s' \"$@\" %s\n", program(), more);
    ck_assert_works(es_file_replace(path.s, script.s, script.len, &err), err);
    ck_assert_int_eq(chmod(path.s, 0755), 0);
    es_str_free(&path);
    es_str_free(&script);
    return folder;
}

/* The rest as the shell finds it. */
static void name_the_program(const char *more)
{
    es_str path = {0};
    const char *slash = strrchr(program(), '/');
    char *folder = more ? stand_in(more) : strndup(program(), (size_t)(slash - program()));
    es_str_add(&path, "%s:%s", folder, getenv("PATH"));
    setenv("PATH", path.s, 1);
    es_str_free(&path);
    free(folder);
}

/* ---- commands ---- */

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

static void run_commands(es_str *now, const char *text, size_t n)
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

void golden_replay(es_str *now, const char *text, size_t n, const char *more)
{
    char here[4096];
    es_str data_path = {0};
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    calm_environment();
    if (more)
        keep_compiled();
    name_the_program(more);
    setenv("TERM", "dumb", 1);
    char *folder = fresh_folder();
    es_str_add(&data_path, "%s/tests/data", here);
    setenv("DATA", data_path.s, 1);
    ck_assert_int_eq(chdir(folder), 0);
    run_commands(now, text, n);
    ck_assert_int_eq(chdir(here), 0);
    es_str_free(&data_path);
    free(folder);
}
