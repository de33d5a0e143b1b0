// SPDX-License-Identifier: GPL-3.0-or-later
/* Adam against algorithm 1 of the paper in float64. */
#include "train/adam.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

Suite *adam_suite(void);

enum { MOST = 40, STEPS = 25 };

static uint64_t state;

static void setup(void)
{
    state = 5;
}

static float any(double size)
{
    return (float)(size * (next_random(&state) / 2147483648.0 - 1));
}

typedef struct plain {
    double p, m, v;
} plain;

static void plain_step(plain *x, double g, const es_adam *a)
{
    g *= (double)a->gradient_scale;
    x->m = a->beta1 * x->m + (1 - a->beta1) * g;
    x->v = a->beta2 * x->v + (1 - a->beta2) * g * g;
    double m = x->m / (1 - pow(a->beta1, (double)a->step));
    double v = x->v / (1 - pow(a->beta2, (double)a->step));
    x->p -= a->rate * m / (sqrt(v) + 1e-8);
}

static void many_steps(int64_t n, double size, double beta1, double beta2)
{
    float p[MOST + 1], m[MOST + 1] = {0}, v[MOST + 1] = {0}, g[MOST + 1];
    plain want[MOST + 1];
    for (int i = 0; i <= MOST; i++)
        want[i] = (plain){.p = p[i] = any(1)};
    p[n] = m[n] = v[n] = 7;
    for (int64_t step = 1; step <= STEPS; step++) {
        es_adam a = {beta1, beta2, step, 0.01 / (double)step, step % 2 ? 1 : 0.25f};
        for (int64_t i = 0; i < n; i++) {
            g[i] = step % 3 ? any(size) : 0;
            plain_step(&want[i], g[i], &a);
        }
        g[n] = 7;
        es_adam_step(p, m, v, g, n, &a);
        for (int64_t i = 0; i < n; i++) {
            demand(fabs(p[i] - want[i].p) < 2e-6, "n=%d, step %d: %.8g, not %.8g", (int)n,
                   (int)step, p[i], want[i].p);
            demand(fabs(m[i] - want[i].m) < 1e-6 * size, "m");
            demand(fabs(v[i] - want[i].v) < 1e-6 * size * size, "v");
            demand(g[i] == 0, "the gradient is for the next step");
        }
    }
    demand(p[n] == 7 && m[n] == 7 && v[n] == 7 && g[n] == 7, "n=%d: a number too many", (int)n);
}

START_TEST(steps_are_those_of_the_paper_at_every_length)
{
    for (int64_t n = 0; n < MOST; n++) {
        many_steps(n, 1, 0.9, 0.98);
        many_steps(n, 1e-4, 0.9, 0.999);
        many_steps(n, 3, 0, 0);
    }
}
END_TEST

START_TEST(without_gradients_nothing_moves)
{
    float p[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, m[9] = {0}, v[9] = {0}, g[9] = {0};
    es_adam_step(p, m, v, g, 9, &(es_adam){0.9, 0.98, 1, 0.1, 1});
    for (int i = 0; i < 9; i++)
        ck_assert_float_eq(p[i], (float)(i + 1));
}
END_TEST

/* Numbers below 1e-38 take processors a hundred times longer, and the smallest of them times 0.9 is itself. */
START_TEST(moments_of_a_token_long_unseen_become_zero)
{
    float p[9] = {0}, m[9] = {0}, v[9] = {0}, g[9];
    for (int i = 0; i < 9; i++)
        g[i] = 1e-3f;
    for (int64_t step = 1; step <= 6000; step++) {
        es_adam_step(p, m, v, g, 9, &(es_adam){0.9, 0.98, step, 1e-3, 1});
        for (int i = 0; i < 9; i++)
            demand(fpclassify(m[i]) != FP_SUBNORMAL && fpclassify(v[i]) != FP_SUBNORMAL, "step %d",
                   (int)step);
    }
    for (int i = 0; i < 9; i++)
        demand(m[i] == 0 && v[i] == 0, "%g, %g", m[i], v[i]);
}
END_TEST

START_TEST(squares_add_up_over_any_length)
{
    static float x[10001];
    static const int64_t lengths[] = {0, 1, 7, 8, 4095, 4096, 4097, 8192, 10001};
    for (int i = 0; i < 10001; i++)
        x[i] = any(1);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        double want = 0, got = es_adam_squares(x, lengths[k]);
        for (int64_t i = 0; i < lengths[k]; i++)
            want += (double)x[i] * x[i];
        demand(fabs(got - want) <= 1e-6 * want, "n=%d: %g, not %g", (int)lengths[k], got, want);
    }
}
END_TEST

Suite *adam_suite(void)
{
    Suite *s = suite_create("adam");
    TCase *t = tcase_create("adam");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_add_test(t, steps_are_those_of_the_paper_at_every_length);
    tcase_add_test(t, without_gradients_nothing_moves);
    tcase_add_test(t, moments_of_a_token_long_unseen_become_zero);
    tcase_add_test(t, squares_add_up_over_any_length);
    suite_add_tcase(s, t);
    return s;
}
