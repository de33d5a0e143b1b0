// SPDX-License-Identifier: GPL-3.0-or-later
/* Layouts behind one face: who takes part, how many steps, what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout.h"
#include "support.h"

Suite *layout_suite(void);

/* Rows of three bunches of directions, the table and the graph that goes with it. */
enum { C = 6, K = 15 };

static float *bunches(int64_t n)
{
    uint64_t state = 9;
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    for (int64_t i = 0; i < n * C; i++)
        rows[i] = (float)random_below(&state, 1000) / 1000 + (i % C == i / C % 3 ? 3 : 0);
    return rows;
}

static es_knn graph_of(const float *rows, int64_t n, int k)
{
    es_error err = ES_ERROR_NONE;
    es_knn g;
    es_table *t = es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
    ck_assert_works(es_knn_make(&g, t, k, NULL, NULL, &err), err);
    es_table_unref(t);
    return g;
}

static float *start_of(const float *rows, int64_t n)
{
    float *start = malloc((size_t)(2 * n) * sizeof *start);
    for (int64_t i = 0; i < 2 * n; i++)
        start[i] = rows[i / 2 * C + i % 2];
    return start;
}

static es_layout_recipe recipe_of(es_layout_id id, int steps)
{
    es_layout_recipe r = es_layout_defaults(id, 3);
    r.steps = steps;
    r.perplexity = 5;
    return r;
}

static es_layout *opened(const es_layout_recipe *r, const es_knn *knn, const float *start)
{
    es_error err = ES_ERROR_NONE;
    es_layout *l = es_layout_new(r, knn, start, NULL, &err);
    ck_assert_works(l != NULL, err);
    return l;
}

static void run_out(es_layout *l)
{
    es_error err = ES_ERROR_NONE;
    while (es_layout_step(l, NULL, &err))
        continue;
    ck_assert_int_eq(err.code, ES_OK);
}

/* ---- recipes ---- */

START_TEST(they_have_names_and_what_is_usual)
{
    ck_assert_str_eq(es_layout_name(ES_LAYOUT_PCA), "pca");
    ck_assert_str_eq(es_layout_name(ES_LAYOUT_TSNE), "tsne");
    ck_assert_str_eq(es_layout_title(ES_LAYOUT_UMAP), "UMAP");
    ck_assert_str_eq(es_layout_title(ES_LAYOUT_TSNE), "t-SNE");
    ck_assert_str_eq(es_layout_objective(ES_LAYOUT_TSNE), "KL divergence");
    ck_assert_str_eq(es_layout_objective(ES_LAYOUT_UMAP), "cross-entropy");
    ck_assert_str_eq(es_layout_unit(ES_LAYOUT_TSNE), "iteration");
    ck_assert_str_eq(es_layout_unit(ES_LAYOUT_UMAP), "epoch");
    es_layout_recipe t = es_layout_defaults(ES_LAYOUT_TSNE, 1),
                     u = es_layout_defaults(ES_LAYOUT_UMAP, 4);
    ck_assert(t.steps == 750 && t.perplexity == 30);
    ck_assert(u.steps == 200 && u.neighbours == 15 && u.min_dist == 0.1 && u.seed == 4);
}
END_TEST

START_TEST(recipes_are_the_same_where_what_they_use_is)
{
    es_layout_recipe t = es_layout_defaults(ES_LAYOUT_TSNE, 1), t2 = t,
                     u = es_layout_defaults(ES_LAYOUT_UMAP, 1), u2 = u;
    ck_assert(!es_layout_same(&t, &u));
    t2.seed = 2; /* it draws nothing */
    t2.neighbours = 99;
    ck_assert(es_layout_same(&t, &t2));
    t2.perplexity = 31;
    ck_assert(!es_layout_same(&t, &t2));
    u2.perplexity = 5;
    ck_assert(es_layout_same(&u, &u2));
    u2.seed = 2;
    ck_assert(!es_layout_same(&u, &u2));
    u2 = u;
    u2.steps++;
    ck_assert(!es_layout_same(&u, &u2));
    u2 = u;
    u2.min_dist = 0.2;
    ck_assert(!es_layout_same(&u, &u2));
    es_layout_recipe p = es_layout_defaults(ES_LAYOUT_PCA, 1),
                     p2 = es_layout_defaults(ES_LAYOUT_PCA, 2);
    ck_assert(es_layout_same(&p, &p2));
}
END_TEST

START_TEST(they_want_no_more_neighbours_than_there_are_and_not_few)
{
    es_layout_recipe t = es_layout_defaults(ES_LAYOUT_TSNE, 1),
                     u = es_layout_defaults(ES_LAYOUT_UMAP, 1);
    ck_assert_int_eq(es_layout_wants(&t, 1000), 90);
    ck_assert_int_eq(es_layout_wants(&t, 50), 49);
    t.perplexity = 2.5;
    ck_assert_int_eq(es_layout_wants(&t, 1000), 15);
    t.perplexity = NAN;
    ck_assert_int_eq(es_layout_wants(&t, 1000), 15);
    t.perplexity = 1e300;
    ck_assert_int_eq(es_layout_wants(&t, 1000), 999);
    t.perplexity = 7.1;
    ck_assert_int_eq(es_layout_wants(&t, 1000), 22);
    ck_assert_int_eq(es_layout_wants(&u, 1000), 15);
    u.neighbours = 40;
    ck_assert_int_eq(es_layout_wants(&u, 1000), 40);
    ck_assert_int_eq(es_layout_wants(&u, 2), 1);
    ck_assert_int_eq(es_layout_wants(&u, 1), 1);
}
END_TEST

/* ---- steps ---- */

static const es_layout_id methods[] = {ES_LAYOUT_TSNE, ES_LAYOUT_UMAP};

START_TEST(it_goes_so_many_steps_about_its_middle)
{
    enum { N = 120, STEPS = 7 };
    es_error err = ES_ERROR_NONE;
    float *rows = bunches(N), *start = start_of(rows, N);
    es_knn knn = graph_of(rows, N, K);
    es_layout_recipe r = recipe_of(methods[_i], STEPS);
    es_layout *l = opened(&r, &knn, start);
    ck_assert(isnan(es_layout_value(l)));
    for (int step = 0; step <= STEPS; step++) {
        double mean[2] = {0};
        ck_assert_int_eq(es_layout_steps_done(l), step);
        for (int i = 0; i < 2 * N; i++)
            mean[i % 2] += (double)es_layout_at(l)[i] / N;
        demand(fabs(mean[0]) < 1e-5 && fabs(mean[1]) < 1e-5, "step %d: %g, %g", step, mean[0],
               mean[1]);
        ck_assert(es_layout_step(l, NULL, &err) == (step < STEPS));
        ck_assert_int_eq(err.code, ES_OK);
        ck_assert(es_layout_value(l) > 0);
    }
    ck_assert_int_eq(es_layout_steps_done(l), STEPS);
    es_layout_free(l);
    es_knn_free(&knn);
    free(rows);
    free(start);
}
END_TEST

START_TEST(an_interrupted_step_has_not_happened)
{
    enum { N = 120, STEPS = 6 };
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.done = 2, .total = 5};
    float *rows = bunches(N), *start = start_of(rows, N);
    es_knn knn = graph_of(rows, N, K);
    es_layout_recipe r = recipe_of(methods[_i], STEPS);
    es_layout *l = opened(&r, &knn, start), *calm = opened(&r, &knn, start);
    for (int step = 0; step < STEPS; step++) {
        watch.cancel = true;
        ck_assert_fails(es_layout_step(l, &watch, &err), err, ES_ERR_INTERRUPTED,
                        "stopped by Ctrl-C");
        ck_assert_int_eq(es_layout_steps_done(l), step);
        watch.cancel = false;
        ck_assert_works(es_layout_step(l, &watch, &err), err);
    }
    ck_assert_uint_eq(watch.done, 2);
    run_out(calm);
    ck_assert(!memcmp(es_layout_at(l), es_layout_at(calm), sizeof(float) * 2 * N));
    watch.cancel = true;
    ck_assert_ptr_null(es_layout_new(&r, &knn, start, &watch, &err));
    ck_assert_int_eq(err.code, ES_ERR_INTERRUPTED);
    es_error_free(&err);
    es_layout_free(l);
    es_layout_free(calm);
    es_layout_free(NULL);
    es_knn_free(&knn);
    free(rows);
    free(start);
}
END_TEST

/* ---- who takes part ---- */

/* Rows without a direction stay nowhere, and the others lie as they would without them. */
START_TEST(rows_without_neighbours_are_left_out)
{
    enum { N = 100, STEPS = 12, ALL = N + 20 };
    float *rows = bunches(N), *start = start_of(rows, N), more[ALL * C], at[2 * ALL];
    for (int i = 0; i < ALL; i++) {
        bool in = i % 6 != 5;
        int from = i - i / 6;
        for (int c = 0; c < C; c++)
            more[i * C + c] = in ? rows[from * C + c] : i % 12 == 5 ? 0 : NAN;
        for (int c = 0; c < 2; c++)
            at[2 * i + c] = in ? start[2 * from + c] : 5;
    }
    es_knn knn = graph_of(rows, N, K), with = graph_of(more, ALL, K);
    es_layout_recipe r = recipe_of(methods[_i], STEPS);
    es_layout *l = opened(&r, &knn, start), *all = opened(&r, &with, at);
    run_out(l);
    run_out(all);
    for (int i = 0; i < ALL; i++) {
        const float *p = es_layout_at(all) + 2 * (size_t)i;
        if (i % 6 == 5)
            demand(isnan(p[0]) && isnan(p[1]), "row %d is somewhere", i);
        else
            demand(!memcmp(p, es_layout_at(l) + 2 * (size_t)(i - i / 6), 2 * sizeof *p), "row %d",
                   i);
    }
    es_layout_free(l);
    es_layout_free(all);
    es_knn_free(&knn);
    es_knn_free(&with);
    free(rows);
    free(start);
}
END_TEST

/* Row 4 has none but row 3 for a neighbour, which starts nowhere: both are left out. */
START_TEST(who_starts_nowhere_is_nobodys_neighbour)
{
    enum { N = 30 };
    float *rows = bunches(N), *start = start_of(rows, N);
    es_knn knn = graph_of(rows, N, K);
    for (int j = 0; j < K; j++)
        knn.id[4 * K + j] = j ? -1 : 3;
    start[2 * 3 + 1] = NAN;
    es_layout_recipe r = recipe_of(methods[_i], 5);
    es_layout *l = opened(&r, &knn, start);
    run_out(l);
    for (int i = 0; i < 2 * N; i++)
        demand(isnan(es_layout_at(l)[i]) == (i / 2 == 3 || i / 2 == 4), "number %d", i);
    es_layout_free(l);
    es_knn_free(&knn);
    free(rows);
    free(start);
}
END_TEST

START_TEST(four_rows_are_a_layout)
{
    enum { N = 4 };
    float *rows = bunches(N), *start = start_of(rows, N);
    es_knn knn = graph_of(rows, N, 3);
    es_layout_recipe r = recipe_of(methods[_i], 20);
    r.perplexity = 1;
    r.neighbours = 3;
    es_layout *l = opened(&r, &knn, start);
    run_out(l);
    for (int i = 0; i < 2 * N; i++)
        demand(isfinite(es_layout_at(l)[i]), "number %d", i);
    es_layout_free(l);
    es_knn_free(&knn);
    free(rows);
    free(start);
}
END_TEST

/* ---- what is refused ---- */

static void check_refused(const es_layout_recipe *r, const es_knn *knn, const float *start,
                          const char *message)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_fails(es_layout_new(r, knn, start, NULL, &err), err, ES_ERR_VALUE, message);
}

START_TEST(what_cannot_be_laid_out_says_why)
{
    enum { N = 20 };
    float *rows = bunches(N), *start = start_of(rows, N);
    es_knn knn = graph_of(rows, N, K);
    es_layout_recipe t = recipe_of(ES_LAYOUT_TSNE, 5), u = recipe_of(ES_LAYOUT_UMAP, 5);
    t.perplexity = 6;
    check_refused(&t, &knn, start, "a perplexity of 6 is not between 1 and 5");
    t.perplexity = NAN;
    check_refused(&t, &knn, start, "a perplexity of nan is not between 1 and 5");
    t.perplexity = 0.5;
    check_refused(&t, &knn, start, "a perplexity of 0.5 is not between 1 and 5");
    u.neighbours = 16;
    check_refused(&u, &knn, start, "16 neighbours are not between 2 and 15");
    u.neighbours = 15;
    u.min_dist = 2;
    check_refused(&u, &knn, start, "a least distance of 2 is not between 0 and 1");
    u.min_dist = 0.1;
    u.steps = 0;
    check_refused(&u, &knn, start, "UMAP of 0 steps: at least 1");
    u.steps = 5;
    for (int i = 3; i < N; i++)
        start[2 * i] = INFINITY;
    check_refused(&u, &knn, start,
                  "a layout is of 4 tokens or more, and of these 3 have neighbours");
    es_knn_free(&knn);
    free(rows);
    free(start);
}
END_TEST

Suite *layout_suite(void)
{
    Suite *s = suite_create("layout");
    TCase *tc = tcase_create("layout");
    const int n_methods = sizeof methods / sizeof *methods;
    tcase_add_test(tc, they_have_names_and_what_is_usual);
    tcase_add_test(tc, recipes_are_the_same_where_what_they_use_is);
    tcase_add_test(tc, they_want_no_more_neighbours_than_there_are_and_not_few);
    tcase_add_loop_test(tc, it_goes_so_many_steps_about_its_middle, 0, n_methods);
    tcase_add_loop_test(tc, an_interrupted_step_has_not_happened, 0, n_methods);
    tcase_add_loop_test(tc, rows_without_neighbours_are_left_out, 0, n_methods);
    tcase_add_loop_test(tc, who_starts_nowhere_is_nobodys_neighbour, 0, n_methods);
    tcase_add_loop_test(tc, four_rows_are_a_layout, 0, n_methods);
    tcase_add_test(tc, what_cannot_be_laid_out_says_why);
    suite_add_tcase(s, tc);
    return s;
}
