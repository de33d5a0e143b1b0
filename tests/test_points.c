// SPDX-License-Identifier: GPL-3.0-or-later
/* Nearest points of a picture against a plain loop over all of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/points.h"
#include "support.h"

Suite *points_suite(void);

static uint64_t state;

static float chance(void)
{
    return (float)next_random(&state) * 0x1p-31f - 1;
}

typedef enum kind {
    SCATTERED,
    CLUMPED,
    ON_A_GRID, /* many as near as each other */
    ON_A_LINE,
    ON_ONE_SPOT,
    FAR_OFF, /* a clump, and a few out of all proportion */
    NOWHERE, /* some are NaN, some at infinity */
    N_KINDS
} kind;

static float *picture(kind k, int64_t n, int d)
{
    float *at = malloc((size_t)(n * d) * sizeof *at);
    for (int64_t i = 0; i < n; i++) {
        float *p = at + i * d, along = chance();
        for (int c = 0; c < d; c++)
            p[c] = k == CLUMPED       ? chance() * 1e-3f + (float)(i % 3)
                   : k == ON_A_GRID   ? roundf(3 * chance())
                   : k == ON_A_LINE   ? along * (float)(c + 1)
                   : k == FAR_OFF     ? chance() * 1e-3f
                   : k == ON_ONE_SPOT ? 1
                                      : chance();
        if (k == FAR_OFF && i % 50 == 7)
            p[i % d] = chance() * 1e30f;
        if (k == NOWHERE && i % 7 == 0)
            p[i % d] = i % 2 ? NAN : i % 4 ? INFINITY : -INFINITY;
    }
    return at;
}

/* Its square. */
static double distance(const float *a, const float *b, int d)
{
    double sum = 0;
    for (int c = 0; c < d; c++)
        sum += ((double)a[c] - (double)b[c]) * ((double)a[c] - (double)b[c]);
    return sum;
}

/* want[0..k), -1 where there are no more: each in turn goes where it belongs. */
static int look_at_all(int32_t *want, int k, const float *at, int64_t n, int d, int64_t id)
{
    double *far = malloc((size_t)(k + 1) * sizeof *far);
    int found = 0;
    for (int64_t i = 0; i < n; i++) {
        double next = distance(at + i * d, at + id * d, d);
        if (i == id || isnan(next) || (found == k && !(found && next < far[found - 1])))
            continue;
        int place = found < k ? found++ : found - 1;
        for (; place > 0 && next < far[place - 1]; place--) {
            far[place] = far[place - 1];
            want[place] = want[place - 1];
        }
        far[place] = next;
        want[place] = (int32_t)i;
    }
    for (int j = found; j < k; j++)
        want[j] = -1;
    free(far);
    return found;
}

static void check_point(const int32_t *out, int k, const float *at, int64_t n, int d, int64_t id)
{
    int32_t *want = malloc((size_t)(k + 1) * sizeof *want),
            *alone = malloc((size_t)(k + 1) * sizeof *alone);
    int found = look_at_all(want, k, at, n, d, id);
    demand(es_points_near(alone, k, at, n, d, id) == found, "%d of %d", (int)id, (int)n);
    for (int j = 0; j < k; j++) {
        demand(out[j] == want[j], "%d of the %d points nearest to %d of %d: %d, not %d", j, k,
               (int)id, (int)n, out[j], want[j]);
        demand(j >= found || alone[j] == want[j], "%d of the %d nearest to %d alone: %d, not %d", j,
               k, (int)id, alone[j], want[j]);
    }
    free(want);
    free(alone);
}

static void check_picture(kind of, int64_t n, int d, int k)
{
    es_error err = ES_ERROR_NONE;
    float *at = picture(of, n, d);
    int32_t *out = malloc((size_t)(n * k + 1) * sizeof *out);
    demand(es_points_nearest(out, k, at, n, d, NULL, &err), "%s", err.message);
    for (int64_t i = 0; i < n; i++)
        check_point(out + i * k, k, at, n, d, i);
    free(at);
    free(out);
}

START_TEST(nearest_points_are_those_of_a_plain_loop)
{
    static const int64_t sizes[] = {0, 1, 2, 5, 12, 13, 24, 25, 100, 400};
    state = (uint64_t)_i + 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int d = 2; d <= 3; d++) {
            check_picture((kind)_i, sizes[s], d, 0);
            check_picture((kind)_i, sizes[s], d, 1);
            check_picture((kind)_i, sizes[s], d, 15);
            check_picture((kind)_i, sizes[s], d, 1 + (int)random_below(&state, 500));
        }
}
END_TEST

START_TEST(they_are_the_same_for_any_number_of_threads)
{
    enum { N = 9000, K = 15 };
    es_error err = ES_ERROR_NONE;
    static int32_t out[2][N * K];
    state = 3;
    float *at = picture(ON_A_GRID, N, 3);
    for (int i = 0; i < 2; i++) {
        es_backend *be = es_backend_open("cpu", i ? 4 : 1, &err);
        ck_assert_works(es_points_nearest(out[i], K, at, N, 3, NULL, &err), err);
        es_backend_close(be);
    }
    ck_assert_mem_eq(out[0], out[1], sizeof out[0]);
    for (int64_t i = 0; i < N; i += 997)
        check_point(out[0] + i * K, K, at, N, 3, i);
    free(at);
}
END_TEST

START_TEST(near_goes_by_distance_then_id)
{
    const float at[] = {0, 1, -1, 2, NAN, 1};
    int32_t out[6];
    ck_assert_int_eq(es_points_near(out, 3, at, 6, 1, 0), 3);
    ck_assert(out[0] == 1 && out[1] == 2 && out[2] == 5);
    ck_assert_int_eq(es_points_near(out, 6, at, 6, 1, 3), 4);
    ck_assert(out[0] == 1 && out[1] == 5 && out[2] == 0 && out[3] == 2);
    ck_assert_int_eq(es_points_near(out, 6, at, 6, 1, 4), 0); /* it is nowhere itself */
    ck_assert_int_eq(es_points_near(out, 0, at, 6, 1, 0), 0);
}
END_TEST

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 50,000 points in one clump, one of them far away; all on one spot; all but a few at infinity. */
START_TEST(no_picture_takes_long)
{
    enum { K = 15 };
    es_error err = ES_ERROR_NONE;
    int64_t n = thoroughness(50000, 5000);
    int32_t *out = malloc((size_t)(n * K) * sizeof *out);
    state = 9;
    float *at = picture(_i == 1 ? ON_ONE_SPOT : CLUMPED, n, 2);
    at[0] = _i == 0 ? 1e30f : at[0];
    for (int64_t i = 0; _i == 2 && i < n; i++)
        at[2 * i] *= 1e30f;
    double start = seconds();
    ck_assert_works(es_points_nearest(out, K, at, n, 2, NULL, &err), err);
    ck_assert_double_lt(seconds() - start, 2);
    for (int64_t i = 0; i < n; i += n / 5)
        check_point(out + i * K, K, at, n, 2, i);
    free(at);
    free(out);
}
END_TEST

START_TEST(it_stops_when_it_is_no_longer_wanted)
{
    enum { N = 5000, K = 3 };
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    static int32_t out[N * K];
    state = 4;
    float *at = picture(SCATTERED, N, 2);
    ck_assert_works(es_points_nearest(out, K, at, N, 2, &watch, &err), err);
    ck_assert_uint_eq(watch.total, N);
    ck_assert_uint_eq(watch.done, N);
    watch.cancel = true;
    ck_assert_fails(es_points_nearest(out, K, at, N, 2, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    free(at);
}
END_TEST

Suite *points_suite(void)
{
    Suite *s = suite_create("points");
    TCase *tc = tcase_create("points");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, nearest_points_are_those_of_a_plain_loop, 0, N_KINDS);
    tcase_add_test(tc, near_goes_by_distance_then_id);
    tcase_add_test(tc, they_are_the_same_for_any_number_of_threads);
    tcase_add_loop_test(tc, no_picture_takes_long, 0, 3);
    tcase_add_test(tc, it_stops_when_it_is_no_longer_wanted);
    suite_add_tcase(s, tc);
    return s;
}
