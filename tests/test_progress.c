// SPDX-License-Identifier: GPL-3.0-or-later
/* What a learner has done, as the file keeps it. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "lesson/progress.h"
#include "support.h"

Suite *progress_suite(void);

static char path[4096];

static void setup(void)
{
    char *folder = fresh_folder();
    setenv("XDG_STATE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/embedscope/progress.txt", folder);
    free(folder);
}

static void write_bytes(const char *bytes, size_t n)
{
    char folder[4096];
    es_error err = ES_ERROR_NONE;
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    mkdir(folder, 0700);
    ck_assert_works(es_file_replace(path, bytes, n, &err), err);
}

static es_str bytes_of_file(void)
{
    es_file f;
    es_str s = {0};
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_file_open(&f, path, &err), err);
    es_str_bytes(&s, (const char *)f.data, f.size);
    es_file_close(&f);
    return s;
}

static void set(es_progress *p, const char *lesson, int step, es_progress_status status,
                int attempts, int hints)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_progress_set(p, lesson, step, status, attempts, hints, &err), err);
}

static es_progress load(void)
{
    es_progress p;
    es_error err = ES_ERROR_NONE;
    ck_assert_works(es_progress_load(&p, &err), err);
    return p;
}

START_TEST(what_is_set_is_read_again)
{
    es_progress p = load();
    int next;
    ck_assert_uint_eq(p.n, 0); /* no file is no progress */
    ck_assert_int_eq(es_progress_count(&p, "lookup", 3, &next), 0);
    ck_assert_int_eq(next, 1);
    set(&p, "lookup", 1, ES_PROGRESS_DONE, 1, 0);
    set(&p, "lookup", 2, ES_PROGRESS_OPEN, 2, 1);
    set(&p, "lookup", 3, ES_PROGRESS_SKIPPED, 0, 3);
    es_progress_free(&p);
    p = load();
    ck_assert_uint_eq(p.n, 3);
    const es_progress_step *s = es_progress_of(&p, "lookup", 3);
    ck_assert_int_eq(s->status, ES_PROGRESS_SKIPPED);
    ck_assert_int_eq(s->hints, 3);
    ck_assert_uint_eq(strlen(s->when), 20);
    ck_assert_int_eq(es_progress_count(&p, "lookup", 3, &next), 2);
    ck_assert_int_eq(next, 2);
    ck_assert_ptr_null(es_progress_of(&p, "look", 1));
    es_progress_free(&p);
    es_str text = bytes_of_file();
    ck_assert_int_eq(strncmp(text.s, "v1\nlookup 1 done 1 0 20", 23), 0);
    es_str_free(&text);
}
END_TEST

START_TEST(what_is_done_stays_done)
{
    es_progress p = load();
    set(&p, "a", 1, ES_PROGRESS_DONE, 4, 2);
    set(&p, "a", 1, ES_PROGRESS_OPEN, 1, 0);
    const es_progress_step *s = es_progress_of(&p, "a", 1);
    ck_assert_int_eq(s->status, ES_PROGRESS_DONE);
    ck_assert_int_eq(s->attempts, 4);
    ck_assert_int_eq(s->hints, 2);
    es_progress_free(&p);
}
END_TEST

START_TEST(a_lesson_or_all_of_it_is_forgotten)
{
    es_progress p = load();
    es_error err = ES_ERROR_NONE;
    set(&p, "a", 1, ES_PROGRESS_DONE, 1, 0);
    set(&p, "b", 1, ES_PROGRESS_DONE, 1, 0);
    ck_assert_works(es_progress_forget(&p, "a", &err), err);
    ck_assert_ptr_null(es_progress_of(&p, "a", 1));
    ck_assert_ptr_nonnull(es_progress_of(&p, "b", 1));
    ck_assert_works(es_progress_forget(&p, NULL, &err), err);
    es_progress_free(&p);
    p = load();
    ck_assert_uint_eq(p.n, 0);
    es_progress_free(&p);
}
END_TEST

START_TEST(what_another_program_writes_is_kept)
{
    es_progress ours = load(), theirs = load();
    set(&theirs, "b", 7, ES_PROGRESS_DONE, 1, 0);
    set(&ours, "a", 1, ES_PROGRESS_DONE, 1, 0);
    ck_assert_ptr_nonnull(es_progress_of(&ours, "b", 7));
    es_progress_free(&ours);
    es_progress_free(&theirs);
}
END_TEST

START_TEST(two_programs_at_once_lose_nothing)
{
    enum { EACH = 40 };
    for (int who = 0; who < 2; who++)
        if (fork() == 0) {
            es_progress p;
            bool ok = es_progress_load(&p, NULL);
            for (int i = 1; i <= EACH; i++)
                ok = es_progress_set(&p, who ? "b" : "a", i, ES_PROGRESS_DONE, 1, 0, NULL) && ok;
            _exit(ok ? 0 : 1);
        }
    for (int who = 0, status; who < 2; who++) {
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    es_progress p = load();
    ck_assert_uint_eq(p.n, 2 * EACH);
    es_progress_free(&p);
}
END_TEST

START_TEST(lines_that_are_not_understood_are_kept)
{
    static const char text[] = "v1\n"
                               "a 1 done 1 0 2026-01-02T03:04:05Z\n"
                               "a 2 done 1 0 2026-01-02T03:04:05Z extra\n"
                               "a 0 done 1 0 now\n"
                               "\x1b[31mhalf a li";
    es_progress p;
    write_bytes(text, sizeof text - 1);
    p = load();
    ck_assert_uint_eq(p.n, 1);
    ck_assert_int_eq(p.n_rest, 3);
    set(&p, "a", 3, ES_PROGRESS_DONE, 1, 0);
    es_progress_free(&p);
    es_str now = bytes_of_file();
    ck_assert_ptr_nonnull(strstr(now.s, "\na 2 done 1 0 2026-01-02T03:04:05Z extra\n"
                                        "a 0 done 1 0 now\n\x1b[31mhalf a li\n"));
    es_str_free(&now);
}
END_TEST

START_TEST(bytes_of_no_text_are_left_alone)
{
    es_progress p;
    es_error err = ES_ERROR_NONE;
    write_bytes("v1\n\0\xff\xfe", 6);
    ck_assert(!es_progress_load(&p, &err));
    ck_assert_int_eq(err.code, ES_ERR_FORMAT);
    ck_assert_ptr_nonnull(strstr(err.message, "progress.txt is no record of what was done: it is "
                                              "left as it is"));
    es_error_free(&err);
    ck_assert(!es_progress_set(&p, "a", 1, ES_PROGRESS_DONE, 1, 0, &err));
    es_error_free(&err);
    ck_assert_ptr_nonnull(es_progress_of(&p, "a", 1)); /* known all the same */
    es_progress_free(&p);
    es_str now = bytes_of_file();
    ck_assert_uint_eq(now.len, 6);
    es_str_free(&now);
}
END_TEST

START_TEST(what_could_not_be_written_is_written_later)
{
    es_progress p = load();
    es_error err = ES_ERROR_NONE;
    char *folder = fresh_folder(), away[4096];
    snprintf(away, sizeof away, "%s/file", folder);
    FILE *f = fopen(away, "w");
    ck_assert_ptr_nonnull(f);
    fclose(f);
    char *home = strdup(getenv("XDG_STATE_HOME"));
    setenv("XDG_STATE_HOME", away, 1);
    ck_assert(!es_progress_set(&p, "a", 1, ES_PROGRESS_DONE, 1, 0, &err));
    ck_assert_int_eq(err.code, ES_ERR_IO);
    es_error_free(&err);
    ck_assert_ptr_nonnull(es_progress_of(&p, "a", 1));
    setenv("XDG_STATE_HOME", home, 1);
    set(&p, "a", 2, ES_PROGRESS_DONE, 1, 0);
    es_progress_free(&p);
    p = load();
    ck_assert_uint_eq(p.n, 2);
    es_progress_free(&p);
    free(home);
    free(folder);
}
END_TEST

Suite *progress_suite(void)
{
    Suite *s = suite_create("progress");
    TCase *t = tcase_create("file");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, what_is_set_is_read_again);
    tcase_add_test(t, what_is_done_stays_done);
    tcase_add_test(t, a_lesson_or_all_of_it_is_forgotten);
    tcase_add_test(t, what_another_program_writes_is_kept);
    tcase_add_test(t, two_programs_at_once_lose_nothing);
    tcase_add_test(t, lines_that_are_not_understood_are_kept);
    tcase_add_test(t, bytes_of_no_text_are_left_alone);
    tcase_add_test(t, what_could_not_be_written_is_written_later);
    suite_add_tcase(s, t);
    return s;
}
