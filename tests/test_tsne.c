// SPDX-License-Identifier: GPL-3.0-or-later
/* t-SNE: the judge against finite differences, the forces of a step against the judge, and that layouts are the same
 * whoever makes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tsne.h"
#include "core/backend.h"
#include "nuisance.h"
#include "support.h"

Suite *tsne_suite(void);

/* ---- graphs and places ---- */

enum { GROUPS = 10, K = 15, PERPLEXITY = 5 };

static float chance(uint64_t *state)
{
    return (float)random_below(state, 1u << 20) / (1u << 20);
}

/* Rows in groups, of which there are 160 or more: neighbours are drawn from a row's own, ever less near. */
static es_graph grouped(int64_t n, uint64_t seed)
{
    es_error err = ES_ERROR_NONE;
    size_t numbers = (size_t)n * K;
    es_knn knn = {n, K, malloc(numbers * sizeof *knn.id), malloc(numbers * sizeof *knn.cosine)};
    es_graph P;
    uint32_t apart = (uint32_t)(n / GROUPS / (K + 1));
    for (int64_t i = 0; i < n; i++) {
        int64_t j = i;
        float cosine = 1;
        for (int a = 0; a < K; a++) {
            j = (j + GROUPS * (1 + (int64_t)random_below(&seed, apart))) % n;
            cosine -= 0.01f * chance(&seed);
            knn.id[i * K + a] = (int32_t)j;
            knn.cosine[i * K + a] = cosine;
        }
    }
    ck_assert_works(es_graph_perplexity(&P, &knn, PERPLEXITY, NULL, &err), err);
    free(knn.id);
    free(knn.cosine);
    return P;
}

static float *scattered(int64_t n, double span, uint64_t seed)
{
    float *at = malloc(2 * (size_t)n * sizeof *at);
    for (int64_t i = 0; i < 2 * n; i++)
        at[i] = (float)(span * ((double)chance(&seed) - 0.5));
    return at;
}

/* ---- the judge ---- */

START_TEST(the_judges_gradient_is_that_of_its_differences)
{
    static const double spans[] = {0.001, 1, 30};
    int64_t n = 160;
    es_graph P = grouped(n, 1);
    double *gradient = malloc(2 * (size_t)n * sizeof *gradient);
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
        float *at = scattered(n, spans[s], 2);
        double off = 0, size = 0;
        es_tsne_exact(&P, at, gradient);
        for (int64_t i = 0; i < 2 * n; i += 7) {
            float was = at[i], step = spans[s] < 1 ? 5e-4f : 1e-3f;
            at[i] = was + step;
            double up = es_tsne_exact(&P, at, NULL), high = (double)at[i];
            at[i] = was - step;
            double difference = (up - es_tsne_exact(&P, at, NULL)) / (high - (double)at[i]);
            at[i] = was;
            off += (difference - gradient[i]) * (difference - gradient[i]);
            size += gradient[i] * gradient[i];
        }
        demand(sqrt(off / size) < 1e-5, "span %g: off by %.2g of it", spans[s], sqrt(off / size));
        free(at);
    }
    es_graph_free(&P);
    free(gradient);
}
END_TEST

/* Three in a row, a, b and c, whose ties are known. */
START_TEST(the_judges_divergence_is_that_of_a_small_sum)
{
    int64_t begin[] = {0, 1, 3, 4};
    int32_t to[] = {1, 0, 2, 1};
    float weight[] = {0.125f, 0.125f, 0.375f, 0.375f}, at[] = {0, 0, 1, 0, 3, 0};
    es_graph P = {3, begin, to, weight};
    double q = 1.0 / 2 + 1.0 / 5 + 1.0 / 10; /* of ab, bc and ac, each once */
    double want = 0.25 * log(0.125 / (0.5 / (2 * q))) + 0.75 * log(0.375 / (0.2 / (2 * q)));
    ck_assert_double_eq_tol(es_tsne_exact(&P, at, NULL), want, 1e-12);
}
END_TEST

/* ---- a step's forces ---- */

static void check_forces(int64_t n, double span, double most, double most_kl)
{
    es_error err = ES_ERROR_NONE;
    es_graph P = grouped(n, 3);
    float *at = scattered(n, span, 4), *got = malloc(2 * (size_t)n * sizeof *got);
    double *want = malloc(2 * (size_t)n * sizeof *want), kl, off = 0, size = 0;
    double want_kl = es_tsne_exact(&P, at, want);
    ck_assert_works(es_tsne_gradient(&P, at, got, &kl, &err), err);
    for (int64_t i = 0; i < 2 * n; i++) {
        off += ((double)got[i] - want[i]) * ((double)got[i] - want[i]);
        size += want[i] * want[i];
    }
    demand(sqrt(off / size) <= most, "%d rows, span %g: off by %.2g", (int)n, span,
           sqrt(off / size));
    demand(fabs(kl - want_kl) <= most_kl, "%d rows, span %g: KL %.9f, and %.9f", (int)n, span, kl,
           want_kl);
    es_graph_free(&P);
    free(at);
    free(got);
    free(want);
}

/* Each with each: what rounding does. */
START_TEST(forces_of_few_rows_are_exact)
{
    static const double spans[] = {1e-3, 1, 30, 200, 1e4};
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++)
        check_forces(500, spans[s], 2e-6, 2e-6);
}
END_TEST

/* On the grid.  Where points fill the plane thinly, a hundredth is the worst; where
 * even cells of the largest grid are wider than the force reaches, only its order is kept. */
START_TEST(forces_of_many_rows_are_near_the_judges)
{
    check_forces(2000, 1e-3, 3e-5, 3e-6);
    check_forces(2000, 1, 1e-5, 3e-6);
    check_forces(2000, 8, 3e-4, 3e-6);
    check_forces(2000, 30, 2e-2, 1e-4);
    check_forces(2000, 200, 2e-2, 1e-3);
    check_forces(2000, 600, 0.5, 1e-2);
}
END_TEST

/* ---- layouts ---- */

/* All iterations; freed by the caller. */
static float *layout_of(es_graph P, const float *start, int iterations, double *kl)
{
    es_error err = ES_ERROR_NONE;
    int64_t n = P.n;
    int done = 0;
    es_tsne *t = es_tsne_new(&P, start, iterations, &err);
    ck_assert_works(t != NULL, err);
    ck_assert_ptr_null(P.to);
    ck_assert(isnan(es_tsne_kl(t)));
    for (; es_tsne_step(t, NULL, &err); done++)
        ;
    ck_assert_int_eq(err.code, ES_OK);
    ck_assert_int_eq(done, iterations);
    float *at = malloc(2 * (size_t)n * sizeof *at);
    memcpy(at, es_tsne_at(t), 2 * (size_t)n * sizeof *at);
    *kl = es_tsne_kl(t);
    es_tsne_free(t);
    return at;
}

static void check_finite(const float *at, int64_t n)
{
    double mean[2] = {0};
    for (int64_t i = 0; i < 2 * n; i++) {
        demand(isfinite(at[i]), "row %d", (int)(i / 2));
        mean[i % 2] += (double)at[i] / (double)n;
    }
    demand(fabs(mean[0]) < 1e-4 && fabs(mean[1]) < 1e-4, "centre %g %g", mean[0], mean[1]);
}

static double apart(const float *at, int64_t i, int64_t j)
{
    return hypot((double)at[2 * i] - (double)at[2 * j],
                 (double)at[2 * i + 1] - (double)at[2 * j + 1]);
}

/* The share of rows whose nearest is of their own group. */
static double nearest_of_own(const float *at, int64_t n)
{
    int64_t own = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t best = i ? 0 : 1;
        for (int64_t j = 0; j < n; j++)
            best = j != i && apart(at, i, j) < apart(at, i, best) ? j : best;
        own += best % GROUPS == i % GROUPS;
    }
    return (double)own / (double)n;
}

START_TEST(rows_of_a_group_come_together)
{
    static const int64_t sizes[] = {500, 1500};
    for (size_t s = 0; s < 2; s++) {
        int64_t n = sizes[s];
        double kl, before;
        es_graph P = grouped(n, 5), same = grouped(n, 5);
        float *start = scattered(n, 1, 6);
        before = es_tsne_exact(&same, start, NULL);
        float *at = layout_of(P, start, 200, &kl);
        check_finite(at, n);
        double exact = es_tsne_exact(&same, at, NULL);
        demand(fabs(exact - kl) < 0.01, "KL %g before the last step, %g after it", kl, exact);
        demand(exact < before - 1, "KL %g, from %g", exact, before);
        demand(nearest_of_own(start, n) < 0.2 && nearest_of_own(at, n) > 0.98, "%g of %d",
               nearest_of_own(at, n), (int)n);
        es_graph_free(&same);
        free(start);
        free(at);
    }
}
END_TEST

static float *with_threads(int threads, int64_t n)
{
    es_error err = ES_ERROR_NONE;
    double kl;
    es_backend *be = es_backend_open("cpu", threads, &err);
    ck_assert_works(be != NULL, err);
    float *start = scattered(n, 1, 8), *at = layout_of(grouped(n, 7), start, 25, &kl);
    free(start);
    es_backend_close(be);
    return at;
}

START_TEST(the_bits_are_the_same_for_any_number_of_threads)
{
    static const int64_t sizes[] = {700, 3000};
    for (size_t s = 0; s < 2; s++) {
        float *one = with_threads(1, sizes[s]);
        for (int threads = 2; threads <= 4; threads += 2) {
            float *more = with_threads(threads, sizes[s]);
            ck_assert(!memcmp(one, more, 2 * (size_t)sizes[s] * sizeof *one));
            free(more);
        }
        free(one);
    }
}
END_TEST

static bool step(void *of, es_watch *watch, es_error *err)
{
    return es_tsne_step(of, watch, err);
}

START_TEST(interrupted_steps_have_not_happened)
{
    enum { N = 3000, STEPS = 20 };
    es_error err = ES_ERROR_NONE;
    double kl;
    float *start = scattered(N, 1, 10), *want = layout_of(grouped(N, 9), start, STEPS, &kl);
    es_graph P = grouped(N, 9);
    es_tsne *t = es_tsne_new(&P, start, STEPS, &err);
    step_through_nuisance(step, t, STEPS);
    ck_assert(!memcmp(es_tsne_at(t), want, 2 * (size_t)N * sizeof *want));
    ck_assert_double_eq(es_tsne_kl(t), kl);
    es_tsne_free(t);
    free(start);
    free(want);
}
END_TEST

/* ---- odd ones ---- */

/* Everyone tied to everyone as strongly. */
static es_graph all_alike(int64_t n)
{
    int64_t ties = n * (n - 1), at = 0;
    es_graph P = {n, malloc(((size_t)n + 1) * sizeof *P.begin), malloc((size_t)ties * sizeof *P.to),
                  malloc((size_t)ties * sizeof *P.weight)};
    for (int64_t i = 0; i < n; i++) {
        P.begin[i] = at;
        for (int64_t j = 0; j < n; j++)
            if (j != i) {
                P.to[at] = (int32_t)j;
                P.weight[at++] = 1 / (float)ties;
            }
    }
    P.begin[n] = at;
    return P;
}

START_TEST(four_rows_are_enough)
{
    for (int64_t n = 4; n < 12; n++) {
        double kl;
        float *start = scattered(n, 5, 11), *at = layout_of(all_alike(n), start, 750, &kl);
        check_finite(at, n);
        demand(kl > -1e-6 && kl < 0.5, "%d rows: KL %g", (int)n, kl);
        free(start);
        free(at);
    }
}
END_TEST

START_TEST(rows_that_start_in_one_place_stay_there)
{
    static const int64_t sizes[] = {10, 2000};
    for (size_t s = 0; s < 2; s++) {
        int64_t n = sizes[s];
        double kl;
        float *start = scattered(n, 0, 1);
        for (int64_t i = 0; i < 2 * n; i++)
            start[i] = 7;
        float *at = layout_of(n < 100 ? all_alike(n) : grouped(n, 1), start, 5, &kl);
        for (int64_t i = 0; i < 2 * n; i++)
            demand(at[i] == 0, "row %d: %g", (int)(i / 2), (double)at[i]);
        demand(isfinite(kl), "KL %g", kl);
        free(start);
        free(at);
    }
}
END_TEST

START_TEST(a_start_along_the_second_axis_is_one_too)
{
    double kl;
    float *start = scattered(200, 1, 1);
    for (int64_t i = 0; i < 200; i++)
        start[2 * i] = 3;
    float *at = layout_of(grouped(200, 1), start, 100, &kl);
    check_finite(at, 200);
    ck_assert(apart(at, 0, 1) > 1e-3);
    free(start);
    free(at);
}
END_TEST

/* The grid stays as large as the number of rows allows; a step stays cheap and finite. */
START_TEST(a_row_far_out_makes_cells_wider)
{
    static const float far[] = {1e4f, 1e9f, 3e38f};
    int64_t n = 1500;
    for (size_t f = 0; f < 3; f++) {
        es_error err = ES_ERROR_NONE;
        double kl;
        es_graph P = grouped(n, 1);
        float *at = scattered(n, 20, 2), *gradient = malloc(2 * (size_t)n * sizeof *gradient);
        at[8] = far[f];
        ck_assert_works(es_tsne_gradient(&P, at, gradient, &kl, &err), err);
        float *end = layout_of(P, at, 30, &kl);
        check_finite(end, n);
        free(at);
        free(end);
        free(gradient);
    }
}
END_TEST

Suite *tsne_suite(void)
{
    Suite *s = suite_create("tsne");
    TCase *judge = tcase_create("judge");
    tcase_add_test(judge, the_judges_gradient_is_that_of_its_differences);
    tcase_add_test(judge, the_judges_divergence_is_that_of_a_small_sum);
    suite_add_tcase(s, judge);
    TCase *forces = tcase_create("forces");
    tcase_add_test(forces, forces_of_few_rows_are_exact);
    tcase_add_test(forces, forces_of_many_rows_are_near_the_judges);
    suite_add_tcase(s, forces);
    TCase *layouts = tcase_create("layouts");
    tcase_add_test(layouts, rows_of_a_group_come_together);
    tcase_add_test(layouts, the_bits_are_the_same_for_any_number_of_threads);
    tcase_add_test(layouts, interrupted_steps_have_not_happened);
    suite_add_tcase(s, layouts);
    TCase *odd = tcase_create("odd");
    tcase_add_test(odd, four_rows_are_enough);
    tcase_add_test(odd, rows_that_start_in_one_place_stay_there);
    tcase_add_test(odd, a_start_along_the_second_axis_is_one_too);
    tcase_add_test(odd, a_row_far_out_makes_cells_wider);
    suite_add_tcase(s, odd);
    return s;
}
