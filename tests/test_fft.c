// SPDX-License-Identifier: GPL-3.0-or-later
/* Transforms of eight signals against the sum that defines them. */
#include <math.h>
#include <stdlib.h>

#include "analysis/fft.h"
#include "support.h"

Suite *fft_suite(void);

static es_eight *by_chance(int n, uint64_t *state)
{
    es_eight *x = malloc((size_t)n * sizeof *x);
    for (int j = 0; j < n; j++)
        for (int lane = 0; lane < ES_LANES; lane++) {
            x[j].re[lane] = (float)random_below(state, 2001) / 1000 - 1;
            x[j].im[lane] = (float)random_below(state, 2001) / 1000 - 1;
        }
    return x;
}

static es_eight *copied(const es_eight *x, int n)
{
    es_eight *copy = malloc((size_t)n * sizeof *copy);
    memcpy(copy, x, (size_t)n * sizeof *copy);
    return copy;
}

/* Frequency k of one lane. */
static void directly(double want[2], const es_eight *x, int n, int k, int lane)
{
    want[0] = want[1] = 0;
    for (int64_t j = 0; j < n; j++) {
        double angle = -2 * M_PI * (double)(j * k % n) / n;
        double re = (double)x[j].re[lane], im = (double)x[j].im[lane];
        want[0] += re * cos(angle) - im * sin(angle);
        want[1] += re * sin(angle) + im * cos(angle);
    }
}

static void check_length(int n, int step)
{
    uint64_t state = (uint64_t)n;
    es_eight *x = by_chance(n, &state), *in = copied(x, n), *work = copied(x, n);
    es_fft *f = es_fft_new(n);
    const es_eight *got = es_fft_run(f, in, work);
    for (int k = 0; k < n; k += step)
        for (int lane = 0; lane < ES_LANES; lane++) {
            double want[2], most = 1e-6 * sqrt((double)n) + 1e-6;
            directly(want, x, n, k, lane);
            demand(fabs((double)got[k].re[lane] - want[0]) < most &&
                       fabs((double)got[k].im[lane] - want[1]) < most,
                   "%d of %d, lane %d: %g %g, and %g %g", k, n, lane, (double)got[k].re[lane],
                   (double)got[k].im[lane], want[0], want[1]);
        }
    es_fft_free(f);
    free(x);
    free(in);
    free(work);
}

START_TEST(frequencies_are_the_sums_that_define_them)
{
    for (int n = 2; n <= 130; n = es_fft_size(n + 1))
        check_length(n, 1);
    check_length(1080, 7);
    check_length(1024, 31);
    check_length(1250, 11);
}
END_TEST

static void exchange(es_eight *x, int n)
{
    for (int j = 0; j < n; j++)
        x[j] = (es_eight){x[j].im, x[j].re};
}

START_TEST(there_and_back_with_parts_exchanged_is_n_times_the_signal)
{
    uint64_t state = 5;
    int n = 360;
    es_eight *x = by_chance(n, &state), *in = copied(x, n), *work = copied(x, n);
    es_fft *f = es_fft_new(n);
    es_eight *there = es_fft_run(f, in, work);
    exchange(there, n);
    es_eight *back = es_fft_run(f, there, there == in ? work : in);
    exchange(back, n);
    for (int j = 0; j < n; j++)
        for (int lane = 0; lane < ES_LANES; lane++)
            demand(fabsf(back[j].re[lane] / (float)n - x[j].re[lane]) < 1e-6f &&
                       fabsf(back[j].im[lane] / (float)n - x[j].im[lane]) < 1e-6f,
                   "%d, lane %d", j, lane);
    es_fft_free(f);
    free(x);
    free(in);
    free(work);
}
END_TEST

START_TEST(sizes_are_even_and_have_no_other_factors)
{
    static const int sizes[][2] = {{-3, 2},  {0, 2},   {2, 2},     {3, 4},       {7, 8},
                                   {11, 12}, {13, 16}, {101, 108}, {1025, 1080}, {8193, 8640}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        ck_assert_int_eq(es_fft_size(sizes[i][0]), sizes[i][1]);
}
END_TEST

START_TEST(a_turned_square_has_its_rows_as_lanes)
{
    es_lanes square[ES_LANES];
    for (int r = 0; r < ES_LANES; r++)
        for (int lane = 0; lane < ES_LANES; lane++)
            square[r][lane] = (float)(10 * r + lane);
    es_turn_square(square);
    for (int r = 0; r < ES_LANES; r++)
        for (int lane = 0; lane < ES_LANES; lane++)
            demand(square[r][lane] == (float)(10 * lane + r), "row %d, lane %d", r, lane);
}
END_TEST

Suite *fft_suite(void)
{
    Suite *s = suite_create("fft");
    TCase *tc = tcase_create("fft");
    tcase_add_test(tc, frequencies_are_the_sums_that_define_them);
    tcase_add_test(tc, there_and_back_with_parts_exchanged_is_n_times_the_signal);
    tcase_add_test(tc, sizes_are_even_and_have_no_other_factors);
    tcase_add_test(tc, a_turned_square_has_its_rows_as_lanes);
    suite_add_tcase(s, tc);
    return s;
}
