// SPDX-License-Identifier: GPL-3.0-or-later
/* Each golden session prints what it printed.  ES_GOLDEN=write (make golden) writes what is printed now. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "golden.h"
#include "support.h"

Suite *golden_suite(void);

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
    es_str now = {0};
    const char *path = golden_path((size_t)_i);
    ck_assert_works(es_file_open(&f, path, &err), err);
    golden_replay(&now, (const char *)f.data, f.size, NULL);
    if (getenv("ES_GOLDEN"))
        ck_assert_works(es_file_replace(path, now.s, now.len, &err), err);
    else if (now.len != f.size || memcmp(now.s, f.data, f.size))
        report(path, (const char *)f.data, now.s);
    es_str_free(&now);
    es_file_close(&f);
}
END_TEST

Suite *golden_suite(void)
{
    Suite *s = suite_create("golden");
    TCase *tc = tcase_create("sessions");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, session_prints_what_it_printed, 0, (int)golden_count());
    suite_add_tcase(s, tc);
    return s;
}
