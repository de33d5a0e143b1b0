// SPDX-License-Identifier: GPL-3.0-or-later
/* Checkpoints: what is written is read again, and nothing else is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"
#include "train/checkpoint.h"

Suite *checkpoint_suite(void);

enum { N = 3 };

static es_error err;
static es_checkpoint c;
static float wte[40];
static int64_t step;
static es_checkpoint_piece pieces[N] = {
    {"wte", wte, sizeof wte}, {"step", &step, sizeof step}, {"none", wte, 0}};

static void setup(void)
{
    char *folder = fresh_folder();
    ck_assert_int_eq(chdir(folder), 0);
    free(folder);
    err = ES_ERROR_NONE;
    es_checkpoint_head head = {es_recipe_default(), 0xABCDEF, 2, 12.5};
    head.recipe.lr = 1e-3;
    for (int i = 0; i < 40; i++)
        wte[i] = (float)i / 3;
    step = 77;
    ck_assert_works(es_checkpoint_write("run", &head, pieces, N, &err), err);
}

static void teardown(void)
{
    es_checkpoint_close(&c);
    es_error_free(&err);
}

/* The file's bytes, changed and written to "bad". */
static es_str file_bytes(void)
{
    es_file f;
    es_str s = {0};
    ck_assert(es_file_open(&f, "run", NULL));
    es_str_bytes(&s, (const char *)f.data, f.size);
    es_file_close(&f);
    return s;
}

static void write_bad(const char *bytes, size_t n)
{
    unlink("bad"); /* a file that is cut short is written to disk at once */
    FILE *f = fopen("bad", "wb");
    demand(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0, "bad cannot be written");
}

START_TEST(what_is_written_is_read_again)
{
    float was[40];
    memcpy(was, wte, sizeof was);
    memset(wte, 0, sizeof wte);
    step = 0;
    ck_assert_works(es_checkpoint_open(&c, "run", &err), err);
    ck_assert(c.head.digest == 0xABCDEF && c.head.stage == 2 && c.head.seconds == 12.5);
    ck_assert(c.head.recipe.lr == 1e-3 && c.head.recipe.tied);
    ck_assert_works(es_checkpoint_read(&c, pieces, N, &err), err);
    ck_assert(!memcmp(was, wte, sizeof was) && step == 77);
}
END_TEST

START_TEST(a_checkpoint_cut_anywhere_is_refused)
{
    es_str s = file_bytes();
    for (size_t n = 0; n < s.len; n++) {
        write_bad(s.s, n);
        demand(!es_checkpoint_open(&c, "bad", &err), "%zu bytes are enough", n);
        demand(err.code == ES_ERR_FORMAT, "%zu: %s", n, err.message);
        es_error_free(&err);
    }
    write_bad(s.s, 0);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: it is no checkpoint of a training run");
    write_bad(s.s, 20);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: it is cut off after 20 bytes");
    write_bad(s.s, 200);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: it is cut off after 200 bytes");
    char want[200];
    write_bad(s.s, s.len - 1);
    snprintf(want, sizeof want,
             "cannot go on from bad: it is cut off: %zu of its %zu bytes are "
             "there",
             s.len - 1, s.len);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT, want);
    es_str_char(&s, 'x');
    write_bad(s.s, s.len);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: 1 bytes follow its end");
    es_str_free(&s);
}
END_TEST

START_TEST(any_changed_bit_is_noticed)
{
    es_str s = file_bytes();
    for (size_t i = 0; i < 8 * s.len; i++) {
        s.s[i / 8] ^= (char)(1 << i % 8);
        write_bad(s.s, s.len);
        demand(!es_checkpoint_open(&c, "bad", &err), "bit %zu of byte %zu", i % 8, i / 8);
        demand(err.code == ES_ERR_FORMAT, "%s", err.message);
        es_error_free(&err);
        s.s[i / 8] ^= (char)(1 << i % 8);
    }
    s.s[s.len - 1] ^= 1;
    write_bad(s.s, s.len);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: its numbers \"step\" are damaged");
    s.s[s.len - 1] ^= 1;
    s.s[40] ^= 1;
    write_bad(s.s, s.len);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: its header is damaged");
    s.s[8] = 9;
    write_bad(s.s, s.len);
    ck_assert_fails(es_checkpoint_open(&c, "bad", &err), err, ES_ERR_FORMAT,
                    "cannot go on from bad: it was written by another version of this program (9, "
                    "not 1)");
    es_str_free(&s);
}
END_TEST

START_TEST(another_recipe_or_text_is_refused_by_what_differs)
{
    ck_assert_works(es_checkpoint_open(&c, "run", &err), err);
    es_recipe r = es_recipe_default();
    ck_assert(!es_checkpoint_fits(&c, &r, 0xABCDEF, &err));
    ck_assert_str_eq(err.message,
                     "cannot go on from run: it was begun with lr=0.001, not lr=0.003");
    ck_assert_str_eq(err.hint, "try: --lr=0.001, or --restart to begin anew");
    es_error_free(&err);
    r.lr = 1e-3;
    ck_assert_works(es_checkpoint_fits(&c, &r, 0xABCDEF, &err), err);
    r.threads = 2;
    ck_assert_works(es_checkpoint_fits(&c, &r, 0xABCDEF, &err), err);
    ck_assert_fails(es_checkpoint_fits(&c, &r, 1, &err), err, ES_ERR_VALUE,
                    "cannot go on from run: it was begun on another text");
    for (size_t i = 0; es_recipe_at(i); i++) {
        const es_recipe_entry *e = es_recipe_at(i);
        es_recipe other = c.head.recipe;
        if (e->kind == 'b')
            *(bool *)((char *)&other + e->offset) ^= true;
        else if (e->kind == 'i')
            ++*(int64_t *)((char *)&other + e->offset);
        else
            *(double *)((char *)&other + e->offset) *= 1.0000000000000004;
        bool fits = es_checkpoint_fits(&c, &other, 0xABCDEF, &err);
        demand(fits == !strcmp(e->name, "threads") || *(double *)((char *)&other + e->offset) == 0,
               "%s is not looked at", e->name);
        es_error_free(&err);
    }
}
END_TEST

START_TEST(numbers_of_another_size_or_name_are_not_copied)
{
    ck_assert_works(es_checkpoint_open(&c, "run", &err), err);
    float before = wte[3] = -1;
    es_checkpoint_piece other[2] = {{"wte", wte, sizeof wte}, {"step", &step, 4}};
    ck_assert_fails(es_checkpoint_read(&c, other, 2, &err), err, ES_ERR_FORMAT,
                    "cannot go on from run: its numbers \"step\" take 8 bytes, not 4");
    strcpy(other[1].name, "stop");
    ck_assert_fails(es_checkpoint_read(&c, other, 2, &err), err, ES_ERR_FORMAT,
                    "cannot go on from run: it has no numbers \"stop\"");
    ck_assert(wte[3] == before);
}
END_TEST

START_TEST(what_cannot_be_written_or_read_is_said)
{
    es_checkpoint_head head = {.recipe = es_recipe_default()};
    ck_assert_fails(es_checkpoint_write("no/run", &head, pieces, N, &err), err, ES_ERR_IO,
                    "cannot write no/run: No such file or directory");
    ck_assert_fails(es_checkpoint_open(&c, "none", &err), err, ES_ERR_IO,
                    "cannot open none: No such file or directory");
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    ck_assert_fails(es_checkpoint_open(&c, "pipe", &err), err, ES_ERR_IO,
                    "cannot read pipe: it is a pipe, not a file");
}
END_TEST

Suite *checkpoint_suite(void)
{
    Suite *s = suite_create("checkpoint");
    TCase *tc = tcase_create("file");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, what_is_written_is_read_again);
    tcase_add_test(tc, a_checkpoint_cut_anywhere_is_refused);
    tcase_add_test(tc, any_changed_bit_is_noticed);
    tcase_add_test(tc, another_recipe_or_text_is_refused_by_what_differs);
    tcase_add_test(tc, numbers_of_another_size_or_name_are_not_copied);
    tcase_add_test(tc, what_cannot_be_written_or_read_is_said);
    suite_add_tcase(s, tc);
    return s;
}
