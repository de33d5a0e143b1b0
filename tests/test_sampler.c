// SPDX-License-Identifier: GPL-3.0-or-later
/* Draws by counts: the table holds the chances that are asked for, and draws follow the table. */
#include "train/sampler.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "support.h"

Suite *sampler_suite(void);

enum { V = 1000 };

static int64_t counts[V];

/* As of words: the i-th by count is seen 100000 / i times; every tenth token never. */
static void setup(void)
{
    for (int i = 0; i < V; i++)
        counts[i] = i % 10 == 9 ? 0 : 100000 / (1 + (i * 37) % V);
}

static double *chances(int64_t n, double plus, double power)
{
    double sum = 0, *q = es_alloc_array((size_t)n, sizeof *q);
    for (int64_t i = 0; i < n; i++)
        sum += q[i] = pow((double)counts[i] + plus, power);
    for (int64_t i = 0; i < n; i++)
        q[i] /= sum;
    return q;
}

/* The chance of each token, from the slots that mean it. */
static double *table_chances(const es_sampler *s)
{
    double *p = es_alloc_array(s->n, sizeof *p);
    for (uint32_t i = 0; i < s->n; i++) {
        p[i] += s->keep[i] / s->n;
        p[s->other[i]] += (1 - (double)s->keep[i]) / s->n;
    }
    return p;
}

static void holds_its_chances(int64_t n, double plus, double power)
{
    es_sampler s = es_sampler_new(counts, n, plus, power);
    double *want = chances(n, plus, power), *p = table_chances(&s);
    for (int64_t i = 0; i < n; i++) {
        demand(s.keep[i] >= 0 && s.keep[i] <= 1 && s.other[i] < n, "slot %d", (int)i);
        demand(fabs(p[i] - want[i]) < 1e-7, "%d: %g, not %g", (int)i, p[i], want[i]);
        demand(want[i] > 0 ? fabs(s.log_q[i] - log(want[i])) < 2e-6 : s.log_q[i] == -INFINITY,
               "log_q %d: %g", (int)i, s.log_q[i]);
        demand(want[i] > 0 || p[i] == 0, "%d has no chance, but %g", (int)i, p[i]);
    }
    free(want);
    free(p);
    es_sampler_free(&s);
}

START_TEST(the_table_holds_the_chances_asked_for)
{
    static const int64_t sizes[] = {1, 2, 3, 7, 64, V};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        holds_its_chances(sizes[i], 0, 0.75);
        holds_its_chances(sizes[i], 1, 0.75);
        holds_its_chances(sizes[i], 0, 1);
    }
}
END_TEST

START_TEST(without_counts_all_are_alike)
{
    static const int64_t none[5];
    es_sampler s = es_sampler_new(none, 5, 0, 0.75);
    double *p = table_chances(&s);
    for (int i = 0; i < 5; i++) {
        ck_assert_double_eq_tol(p[i], 0.2, 1e-7);
        ck_assert_float_eq_tol(s.log_q[i], logf(0.2f), 1e-6f);
    }
    free(p);
    es_sampler_free(&s);
}
END_TEST

/* Chi-square over tokens expected at least 5 times, the rest as one: mean df, deviation sqrt(2 df). */
START_TEST(draws_follow_the_table)
{
    enum { DRAWS = 2000000 };
    es_sampler s = es_sampler_new(counts, V, 0, 0.75);
    double *q = chances(V, 0, 0.75), chi = 0, rare_want = 0, rare = 0;
    int64_t *seen = es_alloc_array(V, sizeof *seen), df = 0;
    es_draw d = es_draw_from(1, 2);
    int draws = thoroughness(DRAWS, DRAWS / 20);
    for (int i = 0; i < draws; i++)
        seen[es_sampler_draw(&s, &d)]++;
    for (int i = 0; i < V; i++) {
        double want = q[i] * draws;
        demand(counts[i] || !seen[i], "token %d has no chance and is drawn", i);
        if (want < 5) {
            rare_want += want;
            rare += (double)seen[i];
            continue;
        }
        chi += ((double)seen[i] - want) * ((double)seen[i] - want) / want;
        df++;
    }
    if (rare_want > 0)
        chi += (rare - rare_want) * (rare - rare_want) / rare_want;
    double off = (chi - (double)df) / sqrt(2 * (double)df);
    ck_assert_msg(fabs(off) < 4, "chi-square %g of %d: %g deviations", chi, (int)df, off);
    free(q);
    free(seen);
    es_sampler_free(&s);
}
END_TEST

START_TEST(sources_of_chance_differ_by_seed_and_stream_and_repeat)
{
    es_draw a = es_draw_from(1, 1), same = a, b = es_draw_from(1, 2), c = es_draw_from(2, 1);
    int equal = 0, below[10] = {0};
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = es_draw_bits(&a);
        demand(bits == es_draw_bits(&same), "draw %d", i);
        equal += bits == es_draw_bits(&b) || bits == es_draw_bits(&c);
        below[es_draw_below(&b, 10)]++;
        float share = es_draw_share(&c);
        demand(share >= 0 && share < 1, "%g", share);
        sum += share;
    }
    ck_assert_int_eq(equal, 0);
    ck_assert_double_eq_tol(sum / 10000, 0.5, 0.015);
    for (int i = 0; i < 10; i++)
        ck_assert_int_lt(abs(below[i] - 1000), 150);
}
END_TEST

Suite *sampler_suite(void)
{
    Suite *s = suite_create("sampler");
    TCase *t = tcase_create("sampler");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, the_table_holds_the_chances_asked_for);
    tcase_add_test(t, without_counts_all_are_alike);
    tcase_add_test(t, draws_follow_the_table);
    tcase_add_test(t, sources_of_chance_differ_by_seed_and_stream_and_repeat);
    suite_add_tcase(s, t);
    return s;
}
