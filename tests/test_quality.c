// SPDX-License-Identifier: GPL-3.0-or-later
/* What a picture keeps: against scikit-learn and SciPy (tests/data/quality.py), against plain loops in float64, and
 * where it can be told by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/quality.h"
#include "analysis/spearman.h"
#include "support.h"

Suite *quality_suite(void);

/* As quality.py has it. */
static double chance(int64_t n)
{
    uint32_t h = (uint32_t)((uint64_t)n * 2654435761u + 12345);
    h ^= h >> 15;
    h *= 0x85EBCA6B;
    h ^= h >> 13;
    return h * 0x1p-32 - 0.5;
}

static float *numbers(int64_t n, int64_t C)
{
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < C; c++)
            rows[i * C + c] = (float)chance(i * 1009 + c);
    return rows;
}

/* The first d numbers of each row and so much of chance. */
static float *picture_of(const float *rows, int64_t n, int64_t C, int d, double mixed)
{
    float *at = malloc((size_t)(n * d) * sizeof *at);
    for (int64_t i = 0; i < n; i++)
        for (int c = 0; c < d; c++)
            at[i * d + c] = (float)((double)rows[i * C + c] + mixed * chance(i * 1009 + 500 + c));
    return at;
}

/* A table with all that looking at it takes. */
typedef struct looked_at {
    es_backend *be;
    es_table *table;
    es_near *near;
    es_knn knn;
} looked_at;

static looked_at look_at(const float *rows, int64_t n, int64_t C, int threads)
{
    es_error err = ES_ERROR_NONE;
    looked_at l = {.be = es_backend_open("cpu", threads, &err)};
    ck_assert_works(l.be != NULL, err);
    l.table = es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
    l.near = es_near_new(l.table, l.be, &err);
    ck_assert_works(l.near != NULL, err);
    ck_assert_works(es_knn_make(&l.knn, l.table, n > 15 ? 15 : (int)n - 1, NULL, NULL, &err), err);
    return l;
}

static void look_away(looked_at *l)
{
    es_knn_free(&l->knn);
    es_near_free(l->near);
    es_table_unref(l->table);
    es_backend_close(l->be);
}

static es_quality measured(const looked_at *l, es_quality_effort effort, const float *at, int d,
                           uint64_t seed)
{
    es_error err = ES_ERROR_NONE;
    es_quality q;
    ck_assert_works(
        es_quality_measure(&q, NULL, effort, l->table, &l->knn, at, d, seed, NULL, &err), err);
    return q;
}

static es_quality quickly(const looked_at *l, const float *at, int d, uint64_t seed)
{
    es_error err = ES_ERROR_NONE;
    es_quality q;
    ck_assert_works(es_quality_quick(&q, l->near, at, d, seed, NULL, &err), err);
    return q;
}

static es_quality measured_once(const float *rows, int64_t n, int64_t C, const float *at, int d)
{
    looked_at l = look_at(rows, n, C, 2);
    es_quality q = measured(&l, ES_QUALITY_ALL, at, d, 1);
    look_away(&l);
    return q;
}

/* ---- against others ---- */

static double of(json_t *o, const char *name)
{
    return json_number_value(json_object_get(o, name));
}

static void check_case(json_t *o, int line)
{
    int64_t n = (int64_t)of(o, "rows"), C = (int64_t)of(o, "C");
    int d = (int)of(o, "d");
    float *rows = numbers(n, C), *at = picture_of(rows, n, C, d, of(o, "mixed"));
    es_quality q = measured_once(rows, n, C, at, d);
    demand(fabs(q.kept - of(o, "kept")) < 1e-12, "line %d: kept %.9f", line, q.kept);
    demand(fabs(q.trust - of(o, "trust")) < 5e-6, "line %d: trust %.12f", line, q.trust);
    demand(fabs(q.spearman - of(o, "spearman")) < 1e-6, "line %d: %.9f", line, q.spearman);
    demand(q.k == 15 && q.n_rows == n && q.n_kept == n && q.n_trust == n, "line %d: counts", line);
    demand(q.n_pairs == n * (n - 1) / 2, "line %d: %d pairs", line, (int)q.n_pairs);
    free(rows);
    free(at);
}

START_TEST(scikit_learn_and_scipy_find_the_same)
{
    each_json_line("tests/data/quality.jsonl", check_case);
}
END_TEST

/* ---- against plain loops ---- */

typedef struct plain {
    const float *rows, *at;
    int64_t n, C;
    int d;
} plain;

static bool counts(const plain *p, int64_t i)
{
    double square = 0;
    for (int64_t c = 0; c < p->C; c++)
        square += (double)p->rows[i * p->C + c] * (double)p->rows[i * p->C + c];
    bool in = square > 0 && isfinite(square);
    for (int c = 0; c < p->d; c++)
        in = in && !isnan(p->at[i * p->d + c]);
    return in;
}

static double cosine(const plain *p, int64_t i, int64_t j)
{
    double ij = 0, ii = 0, jj = 0;
    for (int64_t c = 0; c < p->C; c++) {
        double a = (double)p->rows[i * p->C + c], b = (double)p->rows[j * p->C + c];
        ij += a * b;
        ii += a * a;
        jj += b * b;
    }
    return ij / sqrt(ii) / sqrt(jj);
}

static double gap(const plain *p, int64_t i, int64_t j)
{
    double sum = 0;
    for (int c = 0; c < p->d; c++) {
        double x = (double)p->at[i * p->d + c] - (double)p->at[j * p->d + c];
        sum += x * x;
    }
    return sum;
}

/* Among those that count, how many are nearer to i than j is; ties by id if `exact`, else equals share the best rank. */
static int64_t before(const plain *p, int64_t i, int64_t j, bool in_picture, bool exact)
{
    int64_t n = 0;
    double mine = in_picture ? gap(p, i, j) : -cosine(p, i, j), slack = exact ? 1e-15 : 1e-7;
    for (int64_t l = 0; l < p->n; l++) {
        if (l == i || l == j || !counts(p, l))
            continue;
        double other = in_picture ? gap(p, i, l) : -cosine(p, i, l);
        n += other < mine - slack || (exact && fabs(other - mine) <= slack && l < j);
    }
    return n;
}

static void plainly(const plain *p, int k, double *kept, double *trust)
{
    int64_t rows = 0, beyond = 0, both = 0;
    for (int64_t i = 0; i < p->n; i++)
        rows += counts(p, i);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++) {
            if (i == j || !counts(p, i) || !counts(p, j) || before(p, i, j, true, true) >= k)
                continue;
            int64_t rank = 1 + before(p, i, j, false, false);
            both += before(p, i, j, false, true) < k;
            beyond += rank > k ? rank - k : 0;
        }
    double n = (double)rows;
    *kept = (double)both / n;
    *trust = 1 - 2 * (double)beyond / (n * k * (2 * n - 3 * k - 1));
}

/* Rows without a direction, points nowhere, rows and points that are the same. */
START_TEST(plain_loops_find_the_same_in_a_table_with_flaws)
{
    enum { V = 150, C = 6 };
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.3);
    double kept, trust;
    int n_rows = 0;
    for (int c = 0; c < C; c++) {
        rows[3 * C + c] = 0;
        for (int copy = 0; copy < 20; copy++)
            rows[(40 + copy) * C + c] = rows[10 * C + c] * (float)(1 << copy % 3);
    }
    rows[70 * C + 2] = NAN;
    rows[149 * C] = INFINITY;
    at[2 * 5 + 1] = at[2 * 90] = NAN;
    for (int i = 100; i < 110; i++)
        memcpy(at + (size_t)(2 * i), at + 2 * 42, 2 * sizeof *at);
    const plain p = {rows, at, V, C, 2};
    plainly(&p, 15, &kept, &trust);
    looked_at l = look_at(rows, V, C, 2);
    es_quality q = measured(&l, ES_QUALITY_USUAL, at, 2, 1);
    for (int i = 0; i < V; i++)
        n_rows += counts(&p, i);
    ck_assert_int_eq(n_rows, V - 5);
    ck_assert_int_eq(q.n_rows, n_rows);
    ck_assert_double_eq_tol(q.trust, trust, 2e-6); /* cosines that float32 cannot tell apart */
    /* a neighbour that is nowhere is a neighbour all the same */
    ck_assert_double_le(q.kept, kept);
    ck_assert_double_ge(q.kept, kept - 0.2);
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

/* Searched for, without a graph: a row without a direction is none of those counted, wherever its point is. */
START_TEST(plain_loops_find_the_same_where_every_token_is_searched_for)
{
    enum { V = 120, C = 6 };
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.3);
    double kept, trust;
    for (int c = 0; c < C; c++)
        rows[3 * C + c] = 0;
    rows[70 * C + 2] = NAN;
    const plain p = {rows, at, V, C, 2};
    plainly(&p, 15, &kept, &trust);
    looked_at l = look_at(rows, V, C, 2);
    es_quality q = quickly(&l, at, 2, 1);
    ck_assert_int_eq(q.n_kept, V - 2);
    ck_assert_double_eq_tol(q.kept, kept, 1e-12);
    ck_assert(q.kept > 1 && q.kept < 15);
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

/* ---- by hand ---- */

/* Directions at so many degrees. */
static void turn_to(float *rows, const double *degrees, int n)
{
    for (int i = 0; i < n; i++) {
        rows[2 * i] = (float)cos(degrees[i] * acos(-1) / 180);
        rows[2 * i + 1] = (float)sin(degrees[i] * acos(-1) / 180);
    }
}

START_TEST(a_picture_of_the_rows_themselves_keeps_all)
{
    float rows[2 * 60];
    double degrees[60];
    for (int i = 0; i < 60; i++)
        degrees[i] = i * (170.0 + 3 * chance(i)) / 60;
    turn_to(rows, degrees, 60);
    es_quality q = measured_once(rows, 60, 2, rows, 2);
    ck_assert_double_eq(q.kept, 15);
    ck_assert_double_eq(q.trust, 1);
    ck_assert_double_eq(q.spearman, 1);
    ck_assert_int_eq(q.n_pairs, 60 * 59 / 2);
    ck_assert_uint_eq(q.seed, 1);
}
END_TEST

/* What is near in one is far in the other. */
START_TEST(of_three_all_are_neighbours_and_distances_may_be_upside_down)
{
    static const double degrees[] = {0, 10, 40};
    static const float at[] = {0, 0, 10, 0, 4, 0};
    float rows[6];
    turn_to(rows, degrees, 3);
    es_quality q = measured_once(rows, 3, 2, at, 2);
    ck_assert_int_eq(q.k, 2);
    ck_assert_double_eq(q.kept, 2);
    ck_assert_double_eq(q.trust, 1);
    ck_assert_int_eq(q.n_pairs, 3);
    ck_assert_double_eq_tol(q.spearman, -1, 1e-15); /* 10, 40, 30 degrees; 10, 4, 6 */
}
END_TEST

/* Of 17 each looks at 15 of 16, so one is left out; in the table by the angle the farthest, in the picture token 5, which
 * lies far off.  Only who has 5 for the farthest keeps all; the others each have one whose rank is 16. */
START_TEST(with_nearly_all_as_neighbours_a_wrong_one_costs_all_of_a_tokens_trust)
{
    enum { V = 17 };
    float rows[2 * V], at[3 * V];
    double degrees[V];
    for (int i = 0; i < V; i++) {
        degrees[i] = 7 * i + chance(i);
        for (int c = 0; c < 3; c++)
            at[3 * i + c] = (float)chance(50 + 3 * i + c);
    }
    at[3 * 5] = 1000;
    turn_to(rows, degrees, V);
    es_quality q = measured_once(rows, V, 2, at, 3);
    /* nobody's farthest by angle is 5; and in the picture 5 itself leaves one out, which one is chance's */
    const plain p = {rows, at, V, 2, 3};
    int right = before(&p, 5, 0, true, true) == 15 && before(&p, 5, 0, false, true) == 15;
    right += before(&p, 5, 16, true, true) == 15 && before(&p, 5, 16, false, true) == 15;
    ck_assert_double_eq_tol(q.kept, 14 + right / 17.0, 1e-12);
    ck_assert_double_eq_tol(q.trust, right / 17.0, 1e-12);
}
END_TEST

START_TEST(where_all_are_alike_there_is_no_order_of_distances)
{
    enum { V = 40, C = 3 };
    float *rows = numbers(V, C), *at = malloc(sizeof(float) * 2 * V);
    for (int i = 0; i < 2 * V; i++)
        at[i] = 7;
    es_quality q = measured_once(rows, V, C, at, 2);
    ck_assert(isnan(q.spearman));
    for (int i = 0; i < V * C; i++)
        rows[i] = (float)(1 + i % C); /* all rows point one way: none is nearer than another */
    free(at);
    at = picture_of(rows, V, C, 2, 1);
    q = measured_once(rows, V, C, at, 2);
    ck_assert_double_eq(q.trust, 1);
    ck_assert(isnan(q.spearman));
    free(rows);
    free(at);
}
END_TEST

START_TEST(fewer_than_three_rows_have_no_figures)
{
    static const float rows[] = {1, 2, 0, 0, 3, 1, NAN, 1, 2, 2},
                       at[] = {0, 1, 2, 3, 4, 5, 6, 7, NAN, 1};
    es_error err = ES_ERROR_NONE;
    es_quality q;
    int8_t kept[5];
    looked_at l = look_at(rows, 5, 2, 1);
    ck_assert_fails(es_quality_quick(&q, l.near, at, 2, 1, NULL, &err), err, ES_ERR_VALUE,
                    "what a picture keeps is told of 3 tokens or more, and of these 2 have a "
                    "direction and a place");
    ck_assert_fails(
        es_quality_measure(&q, kept, ES_QUALITY_ALL, l.table, &l.knn, at, 2, 1, NULL, &err), err,
        ES_ERR_VALUE,
        "what a picture keeps is told of 3 tokens or more, and of these 2 have a "
        "direction and a place");
    ck_assert_int_eq(q.k, 0);
    /* the row nearest to both is nowhere */
    ck_assert_mem_eq(kept, ((const int8_t[]){0, -1, 0, -1, -1}), sizeof kept);
    look_away(&l);
}
END_TEST

/* ---- how much is looked at ---- */

static void check_same(const es_quality *a, const es_quality *b)
{
    ck_assert_double_eq(a->kept, b->kept);
    ck_assert_double_eq(a->trust, b->trust);
    ck_assert_double_eq(a->spearman, b->spearman);
    ck_assert_int_eq(a->n_kept, b->n_kept);
    ck_assert_int_eq(a->n_trust, b->n_trust);
    ck_assert_int_eq(a->n_pairs, b->n_pairs);
    ck_assert_int_eq(a->n_rows, b->n_rows);
}

START_TEST(all_efforts_agree_where_they_look_at_the_same_tokens)
{
    enum { V = ES_QUALITY_BY_LOT, C = 9 };
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.1);
    looked_at l = look_at(rows, V, C, 2);
    es_quality quick = quickly(&l, at, 2, 5), usual = measured(&l, ES_QUALITY_USUAL, at, 2, 5),
               all = measured(&l, ES_QUALITY_ALL, at, 2, 5);
    ck_assert_int_eq(quick.n_kept, V);
    check_same(&quick, &all);
    check_same(&usual, &all);
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

START_TEST(by_lot_is_near_the_whole_and_is_the_seeds)
{
    enum { V = 3000, C = 8 };
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 3, 0.1);
    looked_at l = look_at(rows, V, C, 2);
    es_quality all = measured(&l, ES_QUALITY_ALL, at, 3, 5), quick = quickly(&l, at, 3, 5),
               again = quickly(&l, at, 3, 5), other = quickly(&l, at, 3, 6);
    check_same(&quick, &again);
    ck_assert_int_eq(quick.n_kept, 128);
    ck_assert_int_eq(quick.n_trust, 128);
    ck_assert_int_eq(quick.n_pairs, 100000);
    ck_assert_double_eq_tol(quick.kept, all.kept, 0.5);
    ck_assert_double_eq_tol(quick.trust, all.trust, 0.03);
    ck_assert_double_eq(quick.spearman, all.spearman); /* the same pairs */
    ck_assert_double_eq_tol(other.spearman, all.spearman, 0.01);
    ck_assert_double_ne(other.spearman, all.spearman);
    ck_assert_double_ne(other.trust, quick.trust);
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

START_TEST(figures_are_the_same_for_any_number_of_threads)
{
    enum { V = 2500, C = 20 };
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.1);
    es_quality want = {0};
    for (int threads = 1; threads <= 4; threads *= 2) {
        looked_at l = look_at(rows, V, C, threads);
        es_quality q = measured(&l, ES_QUALITY_ALL, at, 2, 1);
        if (threads == 1)
            want = q;
        check_same(&q, &want);
        look_away(&l);
    }
    free(rows);
    free(at);
}
END_TEST

/* ---- token by token ---- */

START_TEST(each_tokens_figure_and_their_mean)
{
    enum { V = 300, C = 5 };
    es_error err = ES_ERROR_NONE;
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.1);
    int8_t kept[V];
    double sum = 0;
    for (int c = 0; c < C; c++)
        rows[4 * C + c] = 0;
    at[2 * 8] = NAN;
    looked_at l = look_at(rows, V, C, 2);
    es_quality q;
    ck_assert_works(
        es_quality_measure(&q, kept, ES_QUALITY_USUAL, l.table, &l.knn, at, 2, 1, NULL, &err), err);
    for (int i = 0; i < V; i++) {
        demand((kept[i] == -1) == (i == 4 || i == 8), "token %d: %d", i, kept[i]);
        demand(kept[i] <= 15, "token %d: %d", i, kept[i]);
        sum += kept[i] > 0 ? kept[i] : 0;
    }
    ck_assert_double_eq_tol(sum / (V - 2), q.kept, 1e-12);
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

/* ---- no longer wanted ---- */

START_TEST(it_stops_when_it_is_no_longer_wanted)
{
    enum { V = 400, C = 5 };
    es_error err = ES_ERROR_NONE;
    es_watch watch = {.cancel = true};
    es_quality q;
    int8_t kept[V];
    float *rows = numbers(V, C), *at = picture_of(rows, V, C, 2, 0.1);
    looked_at l = look_at(rows, V, C, 2);
    ck_assert_fails(es_quality_quick(&q, l.near, at, 2, 1, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    for (int effort = ES_QUALITY_USUAL; effort <= ES_QUALITY_ALL; effort++)
        ck_assert_fails(es_quality_measure(&q, kept, (es_quality_effort)effort, l.table, &l.knn, at,
                                           2, 1, &watch, &err),
                        err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    look_away(&l);
    free(rows);
    free(at);
}
END_TEST

/* ---- ranks ---- */

START_TEST(equal_numbers_share_their_rank)
{
    es_error err = ES_ERROR_NONE;
    double r;
    static const double a[] = {1, 2, 2, 3}, b[] = {10, 30, 20, 40}, c[] = {4, 3, 3, 1}, d[4] = {0};
    ck_assert_works(es_spearman(&r, a, b, 4, &err), err);
    ck_assert_double_eq_tol(r, 4.5 / sqrt(4.5 * 5),
                            1e-15); /* ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4 */
    ck_assert_works(es_spearman(&r, a, c, 4, &err), err);
    ck_assert_double_eq_tol(r, -1, 1e-15);
    ck_assert_works(es_spearman(&r, a, d, 4, &err), err);
    ck_assert(isnan(r));
    ck_assert_works(es_spearman(&r, a, b, 1, &err), err);
    ck_assert(isnan(r));
}
END_TEST

Suite *quality_suite(void)
{
    Suite *s = suite_create("quality");
    TCase *tc = tcase_create("quality");
    tcase_add_test(tc, scikit_learn_and_scipy_find_the_same);
    tcase_add_test(tc, plain_loops_find_the_same_in_a_table_with_flaws);
    tcase_add_test(tc, plain_loops_find_the_same_where_every_token_is_searched_for);
    tcase_add_test(tc, a_picture_of_the_rows_themselves_keeps_all);
    tcase_add_test(tc, of_three_all_are_neighbours_and_distances_may_be_upside_down);
    tcase_add_test(tc, with_nearly_all_as_neighbours_a_wrong_one_costs_all_of_a_tokens_trust);
    tcase_add_test(tc, where_all_are_alike_there_is_no_order_of_distances);
    tcase_add_test(tc, fewer_than_three_rows_have_no_figures);
    tcase_add_test(tc, all_efforts_agree_where_they_look_at_the_same_tokens);
    tcase_add_test(tc, by_lot_is_near_the_whole_and_is_the_seeds);
    tcase_add_test(tc, figures_are_the_same_for_any_number_of_threads);
    tcase_add_test(tc, each_tokens_figure_and_their_mean);
    tcase_add_test(tc, it_stops_when_it_is_no_longer_wanted);
    tcase_add_test(tc, equal_numbers_share_their_rank);
    suite_add_tcase(s, tc);
    return s;
}
