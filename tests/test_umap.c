// SPDX-License-Identifier: GPL-3.0-or-later
/* UMAP: its curve and its ties against SciPy and NumPy (tests/data/umap.py), its gradients against differences, an epoch
 * against plain loops, and what must not change it: threads, interruptions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/umap.h"
#include "core/backend.h"
#include "core/vector.h"
#include "nuisance.h"
#include "support.h"

Suite *umap_suite(void);

/* ---- the curve ---- */

static void check_curve(json_t *o, int line)
{
    double a, b;
    if (!json_object_get(o, "a"))
        return;
    es_umap_curve(json_number_value(json_object_get(o, "min_dist")), &a, &b);
    demand(fabs(a - json_number_value(json_object_get(o, "a"))) < 1e-5, "line %d: a %.7f", line, a);
    demand(fabs(b - json_number_value(json_object_get(o, "b"))) < 1e-5, "line %d: b %.7f", line, b);
}

START_TEST(the_curve_is_scipys)
{
    each_json_line("tests/data/umap.jsonl", check_curve);
}
END_TEST

/* ---- ties ---- */

enum { ROWS = 40, NEAR = 6 };

/* As umap.py has them. */
static es_knn made_up_neighbours(void)
{
    es_knn g = {.n = ROWS, .k = NEAR};
    g.id = malloc(sizeof *g.id * ROWS * NEAR);
    g.cosine = calloc(ROWS * NEAR, sizeof *g.cosine);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < NEAR; j++) {
            bool equal = i == 7 && j < 2, none = i == 9 && j > 1;
            double cosine = 1 - (j + 1 + (i * 7 + j * 3) % 5 * 0.125) * 0.03125;
            g.id[i * NEAR + j] = none ? -1 : (i + 1 + (j * j + i) % 17 + 2 * j) % ROWS;
            g.cosine[i * NEAR + j] = none ? 0 : equal ? 1 : (float)cosine;
        }
    return g;
}

static void check_ties(json_t *o, int line)
{
    json_t *ties = json_object_get(o, "ties");
    es_error err = ES_ERROR_NONE;
    es_knn knn = made_up_neighbours();
    es_graph g;
    size_t seen = 0;
    if (!ties) {
        es_knn_free(&knn);
        return;
    }
    ck_assert_works(es_graph_fuzzy(&g, &knn, NEAR, NULL, &err), err);
    for (int64_t i = 0, at = 0; i < ROWS; i++)
        for (; at < g.begin[i + 1]; at++) {
            json_t *tie = json_array_get(ties, seen);
            double weight = json_number_value(json_array_get(tie, 2));
            if (g.weight[at] < 1e-4f)
                continue;
            demand(json_integer_value(json_array_get(tie, 0)) == i, "line %d: row %d", line,
                   (int)i);
            demand(json_integer_value(json_array_get(tie, 1)) == g.to[at], "tie %d", (int)at);
            demand(fabs((double)g.weight[at] - weight) < 2e-5, "tie %d to %d: %g", (int)i, g.to[at],
                   (double)g.weight[at]);
            seen++;
        }
    ck_assert_uint_eq(seen, json_array_size(ties));
    es_graph_free(&g);
    es_knn_free(&knn);
}

START_TEST(ties_are_those_of_algorithms_2_and_3)
{
    each_json_line("tests/data/umap.jsonl", check_ties);
}
END_TEST

START_TEST(a_graph_has_so_many_neighbours_and_no_more)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.cancel = true};
    es_knn knn = made_up_neighbours();
    es_graph g;
    ck_assert_fails(es_graph_fuzzy(&g, &knn, 7, NULL, &err), err, ES_ERR_VALUE,
                    "7 neighbours are not between 2 and 6");
    ck_assert_fails(es_graph_fuzzy(&g, &knn, 1, NULL, &err), err, ES_ERR_VALUE,
                    "1 neighbours are not between 2 and 6");
    ck_assert_fails(es_graph_fuzzy(&g, &knn, 6, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(g.begin);
    es_knn_free(&knn);
}
END_TEST

/* ---- gradients ---- */

static double alike(double a, double b, double x, double y)
{
    return 1 / (1 + a * pow(x * x + y * y, b));
}

START_TEST(pull_and_push_are_gradients_of_the_cross_entropy)
{
    static const double at[][2] = {{1, 0}, {0.3, -0.4}, {-2, 5}, {7, 7}, {0, -0.8}}, step = 1e-6;
    static const double min_dist[] = {0.1, 0, 0.5};
    for (size_t m = 0; m < 3; m++)
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            double a, b, pull[2], push[2], x = at[i][0], y = at[i][1];
            es_umap_curve(min_dist[m], &a, &b);
            es_umap_pull(a, b, x, y, pull);
            es_umap_push(a, b, x, y, push);
            for (int c = 0; c < 2; c++) {
                double dx = c ? 0 : step, dy = c ? step : 0;
                double more = alike(a, b, x + dx, y + dy), less = alike(a, b, x - dx, y - dy);
                double by_pull = (log(less) - log(more)) / (2 * step),
                       by_push = (log(1 - less) - log(1 - more)) / (2 * step);
                /* the paper's push divides by 0.001 more, so as never by 0 */
                by_push *= (x * x + y * y) / (x * x + y * y + 0.001);
                demand(fabs(pull[c] - by_pull) < 1e-8, "pull %d: %g, %g", (int)i, pull[c], by_pull);
                demand(fabs(push[c] - by_push) < 1e-8, "push %d: %g, %g", (int)i, push[c], by_push);
            }
        }
}
END_TEST

START_TEST(points_on_one_spot_have_no_direction_to_go)
{
    double out[2];
    es_umap_pull(1.577, 0.895, 0, 0, out);
    ck_assert(out[0] == 0 && out[1] == 0);
    es_umap_push(1.577, 0.895, 0, 0, out);
    ck_assert(out[0] == 0 && out[1] == 0);
}
END_TEST

START_TEST(logarithms_are_those_of_libm)
{
    float x[ES_LANES], out[ES_LANES];
    for (int i = 0; i < 20000; i++) {
        for (int lane = 0; lane < ES_LANES; lane++)
            x[lane] = (float)exp((i * ES_LANES + lane - 80000) * 0.001);
        es_lanes_put(out, es_lanes_log(es_lanes_at(x)));
        for (int lane = 0; lane < ES_LANES; lane++) {
            double want = log((double)x[lane]);
            demand(fabs((double)out[lane] - want) <= 2e-7 * fmax(fabs(want), 0.3), "log %g: %.9g",
                   (double)x[lane], (double)out[lane]);
        }
    }
}
END_TEST

/* ---- epochs ---- */

#define STRONGEST (0.01f + 4 * 0.2f) /* tie below */

/* Groups of rows: each is tied to some of its own, more or less strongly. */
static es_graph grouped(int64_t n, int64_t groups)
{
    enum { EACH = 8 };
    es_graph g = {.n = n};
    bool *tied = calloc((size_t)(n * n), 1);
    uint64_t state = 3;
    int64_t ties = 0;
    for (int64_t i = 0; i < n; i++)
        for (int t = 0; t < EACH; t++) {
            int64_t j = random_below(&state, (uint32_t)(n / groups)) * groups + i % groups;
            if (j != i && !tied[i * n + j]) {
                tied[i * n + j] = tied[j * n + i] = true;
                ties += 2;
            }
        }
    g.begin = calloc((size_t)n + 1, sizeof *g.begin);
    g.to = malloc((size_t)(ties + 1) * sizeof *g.to);
    g.weight = malloc((size_t)(ties + 1) * sizeof *g.weight);
    ties = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            if (tied[i * n + j]) {
                g.to[ties] = (int32_t)j;
                g.weight[ties++] = 0.01f + (float)((i + j) % 5) * 0.2f;
            }
        g.begin[i + 1] = ties;
    }
    free(tied);
    return g;
}

static float *scattered(int64_t n)
{
    uint64_t state = 5;
    float *at = malloc(2 * (size_t)n * sizeof *at);
    for (int64_t i = 0; i < 2 * n; i++)
        at[i] = (float)random_below(&state, 20001) - 10000;
    return at;
}

static es_umap *made(int64_t n, int64_t groups, int epochs, uint64_t seed)
{
    es_error err = ES_ERROR_NONE;
    es_graph g = grouped(n, groups);
    float *start = scattered(n);
    es_umap *u = es_umap_new(&g, start, epochs, 0.1, seed, &err);
    ck_assert_works(u != NULL, err);
    ck_assert_ptr_null(g.begin);
    free(start);
    return u;
}

static uint64_t mixed(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A tie pulls both its rows, its five samples push the first: all from where they stood before the tie. */
static void plain_tie(float *at, int64_t i, int64_t j, const int64_t *samples, double rate,
                      double a, double b)
{
    double sum[2] = {0}, pulled[2] = {0}, by[2];
    for (int s = -1; s < 5; s++) {
        int64_t other = s < 0 ? j : samples[s];
        double dx = (double)at[2 * i] - (double)at[2 * other],
               dy = (double)at[2 * i + 1] - (double)at[2 * other + 1];
        (s < 0 ? es_umap_pull : es_umap_push)(a, b, dx, dy, by);
        for (int c = 0; c < 2; c++) {
            sum[c] -= rate * fmax(-4, fmin(4, by[c]));
            if (s < 0)
                pulled[c] = -sum[c];
        }
    }
    for (int c = 0; c < 2; c++) {
        at[2 * i + c] = (float)((double)at[2 * i + c] + sum[c]);
        at[2 * j + c] = (float)((double)at[2 * j + c] + pulled[c]);
    }
}

/* Ties that are to be sampled in this epoch, in order, with the same random numbers. */
static void plain_epoch(float *at, const es_graph *g, int epoch, int epochs, uint64_t seed,
                        double a, double b)
{
    uint64_t stream = mixed(seed * 0x9E3779B97F4A7C15u + 1 + (uint64_t)epoch);
    int64_t kept = 0;
    for (int64_t i = 0; i < g->n; i++)
        for (int64_t t = g->begin[i]; t < g->begin[i + 1]; t++) {
            double rate = (double)(g->weight[t] / STRONGEST);
            int64_t samples[5], tie = kept;
            if (rate * epochs < 1)
                continue;
            kept++;
            if (floor(rate * (epoch + 1)) == floor(rate * epoch))
                continue;
            for (int s = 0; s < 5; s++) {
                uint64_t bits = mixed(stream + (uint64_t)tie * 0x9E3779B97F4A7C15u +
                                      (uint64_t)(s & ~1) * 0xD1B54A32D192ED03u);
                bits = s % 2 ? bits >> 32 : bits & 0xFFFFFFFFu;
                samples[s] = (int64_t)(bits * (uint64_t)g->n >> 32);
            }
            plain_tie(at, i, g->to[t], samples, 1 - (double)epoch / epochs, a, b);
        }
}

START_TEST(an_epoch_is_what_plain_loops_make_of_it)
{
    enum { N = 90, EPOCHS = 50 };
    es_error err = ES_ERROR_NONE;
    double a, b;
    float at[2 * N];
    es_graph g = grouped(N, 3);
    es_umap *u = made(N, 3, EPOCHS, 11);
    es_umap_curve(0.1, &a, &b);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        memcpy(at, es_umap_at(u), sizeof at);
        plain_epoch(at, &g, epoch, EPOCHS, 11, a, b);
        ck_assert_works(es_umap_step(u, NULL, &err), err);
        double off = 0;
        for (int c = 0; c < 2 * N; c++)
            off += fabs((double)at[c] - (double)es_umap_at(u)[c]) / (2 * N);
        /* in between points that nearly meet push each other so hard that what float32 rounds grows in one epoch */
        demand((epoch && epoch < 35) || off < 1e-3, "epoch %d: off by %g", epoch, off);
    }
    ck_assert(!es_umap_step(u, NULL, &err));
    ck_assert_int_eq(err.code, ES_OK);
    es_umap_free(u);
    es_graph_free(&g);
}
END_TEST

/* -log v, or -log(1 - v), of two points. */
static double entropy_of(const float *at, int64_t i, int64_t j, bool tied, double a, double b)
{
    double v = alike(a, b, (double)at[2 * i] - (double)at[2 * j],
                     (double)at[2 * i + 1] - (double)at[2 * j + 1]);
    return -log(tied ? v : 1 - v);
}

/* Over all ties, and what samples would come to if they were all pairs: a row has as many as it has ties. */
static double plain_entropy(const float *at, const es_graph *g, double a, double b)
{
    double pull = 0, weights = 0, push = 0;
    for (int64_t i = 0; i < g->n; i++) {
        double weight = 0, from_all = 0;
        for (int64_t t = g->begin[i]; t < g->begin[i + 1]; t++) {
            pull += (double)g->weight[t] * entropy_of(at, i, g->to[t], true, a, b);
            weight += (double)g->weight[t];
        }
        for (int64_t j = 0; j < g->n; j++)
            from_all += i == j ? 0 : entropy_of(at, i, j, false, a, b);
        weights += weight;
        push += weight * from_all / (double)(g->n - 1);
    }
    return pull / weights + 5 * push / weights;
}

START_TEST(entropy_is_that_of_the_points_before_the_step_and_falls)
{
    enum { N = 200, EPOCHS = 60 };
    es_error err = ES_ERROR_NONE;
    double a, b, first = 0, last = 0;
    es_graph g = grouped(N, 4);
    es_umap *u = made(N, 4, EPOCHS, 2);
    es_umap_curve(0.1, &a, &b);
    ck_assert(isnan(es_umap_entropy(u)));
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        double want = plain_entropy(es_umap_at(u), &g, a, b);
        ck_assert_works(es_umap_step(u, NULL, &err), err);
        last = es_umap_entropy(u);
        first = epoch ? first : last;
        demand(fabs(last - want) < 0.1 * want, "epoch %d: %g, not %g", epoch, last, want);
    }
    ck_assert_double_lt(last, 0.7 * first);
    es_umap_free(u);
    es_graph_free(&g);
}
END_TEST

/* ---- what must not change it ---- */

enum { MANY = 1500, EPOCHS_OF_MANY = 30 };

static float *positions(uint64_t seed, int threads)
{
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open("cpu", threads, &err);
    ck_assert_works(be != NULL, err);
    es_umap *u = made(MANY, 5, EPOCHS_OF_MANY, seed);
    while (es_umap_step(u, NULL, &err))
        continue;
    float *at = malloc(2 * MANY * sizeof *at);
    memcpy(at, es_umap_at(u), 2 * MANY * sizeof *at);
    es_umap_free(u);
    es_backend_close(be);
    return at;
}

START_TEST(a_seed_is_the_same_bytes_for_any_number_of_threads)
{
    float *want = positions(7, 1), *other = positions(8, 1);
    ck_assert(memcmp(want, other, 2 * MANY * sizeof *want) != 0);
    for (int threads = 2; threads <= 4; threads *= 2) {
        float *at = positions(7, threads);
        ck_assert(!memcmp(want, at, 2 * MANY * sizeof *want));
        free(at);
    }
    free(want);
    free(other);
}
END_TEST

static bool epoch(void *u, es_watch *watch, es_error *err)
{
    double entropy = es_umap_entropy(u);
    bool happened = es_umap_step(u, watch, err);
    demand(happened || es_umap_entropy(u) == entropy || isnan(entropy),
           "an epoch that was stopped has changed the entropy");
    return happened;
}

START_TEST(interrupted_epochs_have_not_happened)
{
    float *want = positions(7, 1);
    es_umap *u = made(MANY, 5, EPOCHS_OF_MANY, 7);
    step_through_nuisance(epoch, u, EPOCHS_OF_MANY);
    ck_assert(!memcmp(es_umap_at(u), want, 2 * MANY * sizeof *want));
    es_umap_free(u);
    free(want);
}
END_TEST

/* ---- what it is for ---- */

/* Rows of three groups that start on one another: at the end the groups are apart. */
START_TEST(groups_that_start_mingled_part)
{
    enum { N = 300, EPOCHS = 200 };
    es_error err = ES_ERROR_NONE;
    es_umap *u = made(N, 3, EPOCHS, 4);
    double mean[3][2] = {{0}}, nearest = INFINITY, widest = 0;
    while (es_umap_step(u, NULL, &err))
        continue;
    const float *at = es_umap_at(u);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 2; c++)
            mean[i % 3][c] += (double)at[2 * i + c] / (N / 3.0);
    for (int i = 0; i < N; i++)
        widest = fmax(widest, hypot((double)at[2 * i] - mean[i % 3][0],
                                    (double)at[2 * i + 1] - mean[i % 3][1]));
    for (int k = 0; k < 3; k++)
        nearest = fmin(nearest,
                       hypot(mean[k][0] - mean[(k + 1) % 3][0], mean[k][1] - mean[(k + 1) % 3][1]));
    ck_assert_double_gt(nearest, 2 * widest);
    es_umap_free(u);
}
END_TEST

START_TEST(rows_that_start_on_one_spot_leave_it)
{
    enum { N = 60 };
    es_error err = ES_ERROR_NONE;
    es_graph g = grouped(N, 2);
    float start[2 * N] = {0}, least[2] = {0}, most[2] = {0};
    es_umap *u = es_umap_new(&g, start, 100, 0.1, 1, &err);
    while (es_umap_step(u, NULL, &err))
        continue;
    for (int i = 0; i < 2 * N; i++) {
        demand(isfinite(es_umap_at(u)[i]), "%d is not finite", i);
        least[i % 2] = fminf(least[i % 2], es_umap_at(u)[i]);
        most[i % 2] = fmaxf(most[i % 2], es_umap_at(u)[i]);
    }
    ck_assert_float_gt(most[0] - least[0], 1);
    ck_assert_float_gt(most[1] - least[1], 1);
    es_umap_free(u);
    es_umap_free(NULL);
}
END_TEST

Suite *umap_suite(void)
{
    Suite *s = suite_create("umap");
    TCase *tc = tcase_create("umap");
    tcase_add_test(tc, the_curve_is_scipys);
    tcase_add_test(tc, ties_are_those_of_algorithms_2_and_3);
    tcase_add_test(tc, a_graph_has_so_many_neighbours_and_no_more);
    tcase_add_test(tc, pull_and_push_are_gradients_of_the_cross_entropy);
    tcase_add_test(tc, points_on_one_spot_have_no_direction_to_go);
    tcase_add_test(tc, logarithms_are_those_of_libm);
    tcase_add_test(tc, an_epoch_is_what_plain_loops_make_of_it);
    tcase_add_test(tc, entropy_is_that_of_the_points_before_the_step_and_falls);
    tcase_add_test(tc, a_seed_is_the_same_bytes_for_any_number_of_threads);
    tcase_add_test(tc, interrupted_epochs_have_not_happened);
    tcase_add_test(tc, groups_that_start_mingled_part);
    tcase_add_test(tc, rows_that_start_on_one_spot_leave_it);
    suite_add_tcase(s, tc);
    return s;
}
