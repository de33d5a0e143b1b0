// SPDX-License-Identifier: GPL-3.0-or-later
/* Recipes: every number can be set and read back, within its bounds, and what is said of one that is not. */
#include "train/recipe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

Suite *recipe_suite(void);

static es_error err;
static es_recipe r;

static void setup(void)
{
    err = ES_ERROR_NONE;
    r = es_recipe_default();
}

/* What es_recipe_show says of a number, by its name. */
static char *shown(const es_recipe *of, const char *name)
{
    es_str s = {0};
    for (size_t i = 0; es_recipe_at(i); i++)
        if (!strcmp(es_recipe_at(i)->name, name))
            es_recipe_show(&s, of, es_recipe_at(i));
    ck_assert_msg(s.len > 0, "there is no %s", name);
    return es_str_take(&s);
}

static void is_shown(const char *want)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(want, "="), want);
    char *is = shown(&r, name);
    ck_assert_str_eq(is, want);
    free(is);
}

static bool set(const char *name, const char *value)
{
    return es_recipe_set(&r, name, value, &err);
}

START_TEST(defaults_are_those_of_the_dry_run)
{
    static const char *const want[] = {
        "seed=1",     "threads=1",  "n-embd=64",        "n-ctx=1024",
        "n-layer=1",  "n-head=4",   "tied=yes",         "epochs=2",
        "window=5",   "noise=5",    "subsample=0.0001", "rate=0.025",
        "steps=1500", "batch=32",   "context=128",      "negatives=2048",
        "shift=yes",  "spread=0.5", "warmup=100",       "lr=0.003",
        "floor=0.02", "wte-lr=1",   "wpe-lr=1",         "beta1=0.9",
        "beta2=0.98", "clip=1"};
    size_t n = sizeof want / sizeof *want;
    for (size_t i = 0; i < n; i++)
        is_shown(want[i]);
    ck_assert_ptr_null(es_recipe_at(n));
    ck_assert_works(es_recipe_check(&r, &err), err);
}
END_TEST

START_TEST(every_bound_is_within_and_nothing_beyond)
{
    for (size_t i = 0; es_recipe_at(i); i++) {
        const es_recipe_entry *e = es_recipe_at(i);
        char text[64];
        for (int side = 0; side < 2 && e->kind != 'b'; side++) {
            double bound = side ? e->most : e->least;
            snprintf(text, sizeof text, "%.17g", bound);
            demand(set(e->name, text), "%s=%s: %s", e->name, text, err.message);
            double beyond = side ? bound * 1.001 + 1 : bound - 1;
            snprintf(text, sizeof text, "%.17g", e->kind == 'i' ? (double)(int64_t)beyond : beyond);
            demand(!set(e->name, text), "%s=%s", e->name, text);
            demand(err.code == ES_ERR_VALUE && strstr(err.message, e->name), "%s", err.message);
            es_error_free(&err);
        }
        demand(e->about && *e->about, "%s says nothing", e->name);
    }
}
END_TEST

START_TEST(what_is_shown_reads_back_exactly)
{
    uint64_t state = 1;
    for (int round = 0; round < 50; round++) {
        es_recipe from = es_recipe_default();
        from.seed = (int64_t)(((uint64_t)next_random(&state) << 31 | next_random(&state)) >> 1);
        from.steps = next_random(&state);
        from.lr = next_random(&state) / 4294967296.0;
        from.subsample = from.lr / 3e7;
        from.tied = round % 2;
        for (size_t i = 0; es_recipe_at(i); i++) {
            es_str s = {0};
            es_recipe_show(&s, &from, es_recipe_at(i));
            const char *value = strchr(es_str_text(&s), '=') + 1;
            demand(set(es_recipe_at(i)->name, value), "%s: %s", es_str_text(&s), err.message);
            es_str_free(&s);
        }
        demand(r.seed == from.seed && r.steps == from.steps, "%" PRId64 ", not %" PRId64, r.seed,
               from.seed);
        demand(r.lr == from.lr && r.subsample == from.subsample && r.tied == from.tied, "lr");
    }
}
END_TEST

START_TEST(numbers_are_read_as_people_write_them)
{
    ck_assert(set("lr", "3e-4") && set("steps", "1e3") && set("tied", "no") && set("shift", "0"));
    is_shown("lr=0.0003");
    is_shown("steps=1000");
    is_shown("tied=no");
    is_shown("shift=no");
    ck_assert(set("seed", "9000000000000000000"));
    is_shown("seed=9000000000000000000");
    ck_assert(set("seed", "9007199254740993")); /* which no double is */
    is_shown("seed=9007199254740993");
}
END_TEST

START_TEST(words_for_bad_values)
{
    static const struct {
        const char *name, *value, *words;
    } cases[] = {
        {"lr", "fast", "lr is a number from 0 to 10, not \"fast\""},
        {"lr", "", "lr is a number from 0 to 10, not \"\""},
        {"lr", "nan", "lr is a number from 0 to 10, not \"nan\""},
        {"lr", "inf", "lr is a number from 0 to 10, not \"inf\""},
        {"lr", "0.1x", "lr is a number from 0 to 10, not \"0.1x\""},
        {"lr", " 0.1", "lr is a number from 0 to 10, not \" 0.1\""},
        {"lr", "0x1", "lr is a number from 0 to 10, not \"0x1\""},
        {"lr", "-1", "lr is a number from 0 to 10, not \"-1\""},
        {"batch", "1.5", "batch is a whole number from 1 to 1048576, not \"1.5\""},
        {"batch", "0", "batch is a whole number from 1 to 1048576, not \"0\""},
        {"batch", "99999999999999999999999",
         "batch is a whole number from 1 to 1048576, not \"99999999999999999999999\""},
        {"tied", "maybe", "tied is yes or no, not \"maybe\""},
        {"lr", "\033[31m", "lr is a number from 0 to 10, not \"\\x1b[31m\""},
        {"tied", "2", "tied is yes or no, not \"2\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_recipe was = r;
        ck_assert_fails(set(cases[i].name, cases[i].value), err, ES_ERR_VALUE, cases[i].words);
        ck_assert(was.lr == r.lr && was.batch == r.batch && was.tied == r.tied);
    }
}
END_TEST

START_TEST(a_name_that_is_none_has_one_near_it)
{
    ck_assert(!set("n-layers", "2"));
    ck_assert_int_eq(err.code, ES_ERR_NAME);
    ck_assert_str_eq(err.message, "a training run has no number \"n-layers\"");
    ck_assert_str_eq(err.hint, "did you mean n-layer?");
    es_error_free(&err);
    ck_assert(!set("colour\033[31m", "2"));
    ck_assert_str_eq(err.message, "a training run has no number \"colour\\x1b[31m\"");
    ck_assert_ptr_null(err.hint);
    es_error_free(&err);
}
END_TEST

START_TEST(numbers_must_fit_one_another)
{
    r.n_head = 5;
    ck_assert_fails(es_recipe_check(&r, &err), err, ES_ERR_VALUE,
                    "n-embd 64 cannot be shared by 5 heads of one size");
    r.n_head = 4;
    r.context = 1025;
    ck_assert_fails(es_recipe_check(&r, &err), err, ES_ERR_VALUE,
                    "a context of 1025 tokens is longer than wpe, which has 1024 rows");
    r.context = 1024;
    ck_assert_works(es_recipe_check(&r, &err), err);
}
END_TEST

Suite *recipe_suite(void)
{
    Suite *s = suite_create("recipe");
    TCase *t = tcase_create("recipe");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, defaults_are_those_of_the_dry_run);
    tcase_add_test(t, every_bound_is_within_and_nothing_beyond);
    tcase_add_test(t, what_is_shown_reads_back_exactly);
    tcase_add_test(t, numbers_are_read_as_people_write_them);
    tcase_add_test(t, words_for_bad_values);
    tcase_add_test(t, a_name_that_is_none_has_one_near_it);
    tcase_add_test(t, numbers_must_fit_one_another);
    suite_add_tcase(s, t);
    return s;
}
