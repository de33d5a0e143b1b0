// SPDX-License-Identifier: GPL-3.0-or-later
/* The blocks, forward: what they give is what their definition gives; a run may be used again; nothing is
 * seen before its time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "far.h"
#include "layer/block_ops.h"
#include "plain_gpt.h"
#include "support.h"

Suite *block_suite(void);

/* float32 sums of some hundred terms; hidden is of size 1. */
static const double tolerance = 2e-5;

static es_error err;
static uint64_t state;

static void setup(void)
{
    err = ES_ERROR_NONE;
    state = 7;
}

static float about(double sd)
{
    double u = (next_random(&state) + 0.5) / 4294967296.0, v = next_random(&state) / 4294967296.0;
    return (float)(sd * sqrt(-2 * log(u)) * cos(2 * acos(-1) * v));
}

static float *numbers(int64_t n, double sd)
{
    float *x = es_alloc_array((size_t)n, sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i] = about(sd);
    return x;
}

/* Weights that make every part matter: no bias is 0, no LayerNorm weight 1. */
static float *some_params(const es_block_sizes *s)
{
    int64_t n = es_block_n_params(s);
    float *p = es_alloc_array((size_t)n, sizeof *p);
    for (int i = 0; i < es_block_n_parts(s); i++) {
        es_block_part part = es_block_part_at(s, i);
        double sd = part.rows ? 1 / sqrt((double)part.rows) : 0.3;
        bool around_1 = strstr(part.name, "ln_") && strstr(part.name, "weight");
        for (int64_t j = 0; j < (part.rows ? part.rows : 1) * part.cols; j++)
            p[part.offset + j] = about(sd) + (around_1 ? 1.0f : 0);
    }
    return p;
}

static double *widened(const float *x, int64_t n)
{
    double *wide = es_alloc_array((size_t)n, sizeof *wide);
    for (int64_t i = 0; i < n; i++)
        wide[i] = x[i];
    return wide;
}

/* How far hidden is from what the definition makes of x. */
static double error_of(const float *hidden, const es_block_sizes *s, const float *params,
                       const float *x, int64_t B, int64_t T)
{
    int64_t n = B * T * s->n_embd;
    double *wide_x = widened(x, n), *wide = widened(params, es_block_n_params(s)), most = 0;
    double *want = es_alloc_array((size_t)n, sizeof *want);
    plain_blocks(want, s, wide, wide_x, B, T);
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(hidden[i] - want[i]));
    free(wide_x);
    free(wide);
    free(want);
    return most;
}

static es_block_run *new_run(const es_block_sizes *s, int64_t B, int64_t T, bool keep)
{
    es_block_run *r = es_block_run_new(s, B, T, keep, &err);
    ck_assert_works(r, err);
    return r;
}

static void forward(float *hidden, es_block_run *r, const float *params, const float *x, int64_t B,
                    int64_t T)
{
    demand(es_block_forward(hidden, r, params, x, B, T, NULL, &err), "%s", err.message);
}

typedef struct sizes_case {
    es_block_sizes sizes;
    int64_t B, T;
} sizes_case;

static sizes_case next_case(int i)
{
    static const sizes_case fixed[] = {{{1, 1, 1}, 1, 1},   {{0, 3, 9}, 2, 5},
                                       {{2, 5, 35}, 1, 64}, {{1, 3, 21}, 2, 65},
                                       {{3, 1, 7}, 2, 130}, {{1, 4, 64}, 1, 128}};
    if (i < (int)(sizeof fixed / sizeof *fixed))
        return fixed[i];
    int64_t H = 1 + random_below(&state, 5);
    return (sizes_case){{random_below(&state, 4), H, H * (1 + random_below(&state, 11))},
                        1 + random_below(&state, 4),
                        i % 2 ? 1 + random_below(&state, 20) : 65 + random_below(&state, 66)};
}

START_TEST(forward_is_its_definition)
{
    for (int i = 0; i < thoroughness(40, 8); i++) {
        sizes_case c = next_case(i);
        int64_t n = c.B * c.T * c.sizes.n_embd;
        float *params = some_params(&c.sizes), *x = numbers(n, 1), *hidden = numbers(n, 0);
        es_block_run *r = new_run(&c.sizes, c.B, c.T, i % 2);
        forward(hidden, r, params, x, c.B, c.T);
        double error = error_of(hidden, &c.sizes, params, x, c.B, c.T);
        demand(error < tolerance, "L=%d H=%d C=%d B=%d T=%d: %g", (int)c.sizes.n_layer,
               (int)c.sizes.n_head, (int)c.sizes.n_embd, (int)c.B, (int)c.T, error);
        es_block_run_free(r);
        free(params);
        free(x);
        free(hidden);
    }
}
END_TEST

START_TEST(a_run_serves_smaller_ones_and_forgets_the_last)
{
    es_block_sizes s = {2, 3, 15};
    static const int64_t sizes[][2] = {{3, 70}, {1, 1}, {2, 66}, {3, 5}, {1, 70}, {3, 70}};
    int64_t n = 3 * 70 * s.n_embd;
    float *params = some_params(&s), *hidden = numbers(n, 0);
    for (int keep = 0; keep < 2; keep++) {
        es_block_run *r = new_run(&s, 3, 70, keep);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            float *x = numbers(n, 1);
            forward(hidden, r, params, x, sizes[i][0], sizes[i][1]);
            double error = error_of(hidden, &s, params, x, sizes[i][0], sizes[i][1]);
            demand(error < tolerance, "B=%d T=%d: %g", (int)sizes[i][0], (int)sizes[i][1], error);
            free(x);
        }
        es_block_run_free(r);
    }
    free(params);
    free(hidden);
}
END_TEST

START_TEST(what_is_kept_changes_no_number)
{
    es_block_sizes s = {3, 2, 18};
    int64_t n = 2 * 100 * s.n_embd;
    float *params = some_params(&s), *x = numbers(n, 1), *a = numbers(n, 0), *b = numbers(n, 0);
    es_block_run *kept = new_run(&s, 2, 100, true), *lean = new_run(&s, 2, 100, false);
    forward(a, kept, params, x, 2, 100);
    forward(b, lean, params, x, 2, 100);
    ck_assert_mem_eq(a, b, (size_t)n * sizeof *a);
    es_block_run_free(kept);
    es_block_run_free(lean);
    free(params);
    free(x);
    free(a);
    free(b);
}
END_TEST

START_TEST(a_later_token_changes_nothing_before_it)
{
    es_block_sizes s = {2, 2, 10};
    enum { T = 130 };
    static const int64_t changed[] = {1, 63, 64, 65, 100, 128, 129};
    int64_t C = s.n_embd, n = T * C;
    float *params = some_params(&s), *x = numbers(n, 1), *a = numbers(n, 0), *b = numbers(n, 0);
    es_block_run *r = new_run(&s, 1, T, false);
    forward(a, r, params, x, 1, T);
    for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
        int64_t at = changed[i] * C;
        float was = x[at];
        x[at] = 1e6f;
        forward(b, r, params, x, 1, T);
        demand(!memcmp(a, b, (size_t)at * sizeof *a), "token %d is seen before its time",
               (int)changed[i]);
        demand(memcmp(a + at, b + at, (size_t)C * sizeof *a), "token %d is not seen",
               (int)changed[i]);
        x[at] = was;
    }
    es_block_run_free(r);
    free(params);
    free(x);
    free(a);
    free(b);
}
END_TEST

START_TEST(sentences_of_a_batch_do_not_see_each_other)
{
    es_block_sizes s = {1, 2, 6};
    enum { T = 9 };
    int64_t n = T * s.n_embd;
    float *params = some_params(&s), *x = numbers(3 * n, 1), *all = numbers(3 * n, 0);
    float *one = numbers(n, 0);
    es_block_run *r = new_run(&s, 3, T, false);
    forward(all, r, params, x, 3, T);
    for (int64_t b = 0; b < 3; b++) {
        forward(one, r, params, x + b * n, 1, T);
        for (int64_t i = 0; i < n; i++)
            demand(fabsf(one[i] - all[b * n + i]) < tolerance, "sentence %d", (int)b);
    }
    es_block_run_free(r);
    free(params);
    free(x);
    free(all);
    free(one);
}
END_TEST

START_TEST(the_watch_stops_it)
{
    es_block_sizes s = {1, 1, 4};
    float *params = some_params(&s), x[8] = {1, 2}, hidden[8];
    es_block_run *r = new_run(&s, 1, 2, true);
    es_watch watch = {.cancel = true};
    ck_assert_fails(es_block_forward(hidden, r, params, x, 1, 2, &watch, &err), err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    watch.cancel = false;
    watch.done = 5;
    ck_assert_works(es_block_forward(hidden, r, params, x, 1, 2, &watch, &err), err);
    ck_assert_uint_eq(watch.done, 5); /* which is the caller's */
    es_block_run_free(r);
    free(params);
}
END_TEST

START_TEST(sizes_beyond_all_memory_are_refused)
{
    static const struct {
        es_block_sizes sizes;
        int64_t B, T;
    } cases[] = {
        {{1, 4, 64}, 1 << 20, 1 << 20},
        {{1000, 1000, 65000}, 1 << 20, 1 << 20},
        {{1000, 1, 1}, 1, 1 << 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        es_block_run *r = es_block_run_new(&cases[i].sizes, cases[i].B, cases[i].T, true, &err);
        demand(!r && err.code == ES_ERR_NOMEM, "case %d", (int)i);
        es_error_free(&err);
    }
}
END_TEST

/* ---- parameters ---- */

static const struct {
    const char *name;
    int rows, cols; /* in C */
} of_gpt2[] = {
    {"ln_1.weight", 0, 1},      {"ln_1.bias", 0, 1},          {"attn.c_attn.weight", 1, 3},
    {"attn.c_attn.bias", 0, 3}, {"attn.c_proj.weight", 1, 1}, {"attn.c_proj.bias", 0, 1},
    {"ln_2.weight", 0, 1},      {"ln_2.bias", 0, 1},          {"mlp.c_fc.weight", 1, 4},
    {"mlp.c_fc.bias", 0, 4},    {"mlp.c_proj.weight", 4, 1},  {"mlp.c_proj.bias", 0, 1},
};

START_TEST(parts_cover_every_parameter_once)
{
    for (int64_t L = 0; L < 4; L++) {
        es_block_sizes s = {L, 5, 35};
        int64_t covered = 0;
        ck_assert_int_eq(es_block_n_params(&s), L * (12 * 35 * 35 + 13 * 35) + 2 * 35);
        ck_assert_int_eq(es_block_n_parts(&s), 12 * L + 2);
        for (int i = 0; i < es_block_n_parts(&s); i++) {
            es_block_part p = es_block_part_at(&s, i);
            char want[64];
            snprintf(want, sizeof want, "h.%d.%s", i / 12, of_gpt2[i % 12].name);
            if (i / 12 == L)
                snprintf(want, sizeof want, "ln_f.%s", i % 12 ? "bias" : "weight");
            ck_assert_str_eq(p.name, want);
            ck_assert_int_eq(p.offset, covered);
            ck_assert_int_eq(p.rows, 35 * of_gpt2[i % 12].rows);
            ck_assert_int_eq(p.cols, 35 * of_gpt2[i % 12].cols);
            covered += (p.rows ? p.rows : 1) * p.cols;
        }
        ck_assert_int_eq(covered, es_block_n_params(&s));
    }
}
END_TEST

/* Of n numbers around 0 the deviation is known to 1 part in sqrt(2 n). */
static void has_deviation(const float *x, int64_t n, double sd, const char *name)
{
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
        squares += (double)x[i] * x[i];
    }
    double root = sqrt((double)n), found = sqrt(squares / (double)n);
    demand(fabs(sum / (double)n) < 5 * sd / root, "%s: mean %g", name, sum / (double)n);
    demand(fabs(found / sd - 1) < 5 / (sqrt(2) * root), "%s: deviation %g, not %g", name, found,
           sd);
}

START_TEST(it_starts_as_gpt2_does)
{
    es_block_sizes s = {3, 4, 64};
    int64_t n = es_block_n_params(&s);
    float *p = numbers(n, 1), *again = numbers(n, 1);
    es_block_init(p, &s, 5);
    es_block_init(again, &s, 5);
    ck_assert_mem_eq(p, again, (size_t)n * sizeof *p);
    for (int i = 0; i < es_block_n_parts(&s); i++) {
        es_block_part part = es_block_part_at(&s, i);
        bool into_stream = strstr(part.name, "c_proj");
        if (part.rows)
            has_deviation(p + part.offset, part.rows * part.cols,
                          into_stream ? 0.02 / sqrt(6) : 0.02, part.name);
        for (int64_t j = 0; !part.rows && j < part.cols; j++)
            demand(p[part.offset + j] == (strstr(part.name, "weight") ? 1 : 0), "%s", part.name);
    }
    const float *first = p + es_block_part_at(&s, 2).offset;
    const float *second = p + es_block_part_at(&s, 14).offset;
    ck_assert_mem_ne(first, second, 64 * sizeof *p); /* blocks start apart */
    es_block_init(again, &s, 6);
    ck_assert_mem_ne(first, again + es_block_part_at(&s, 2).offset, 64 * sizeof *p);
    free(p);
    free(again);
}
END_TEST

/* ---- as operations on tensors ---- */

static es_backend *device(int i)
{
    static const char *const names[] = {"cpu", "sim"};
    return i == 2 ? far_open(2) : es_backend_open(names[i], 2, &err);
}

static es_tensor tensor_of(es_backend *be, const float *x, int64_t B, int64_t T, int64_t C)
{
    es_tensor t;
    es_shape shape = es_shape_3d("B", B, "T", T, "C", C);
    ck_assert_works(es_tensor_new(&t, be, ES_FLOAT32, &shape, &err) && es_tensor_write(&t, x, &err),
                    err);
    return t;
}

static sizes_case small_case(void)
{
    int64_t H = 1 + random_below(&state, 4);
    return (sizes_case){{1 + random_below(&state, 3), H, H * (1 + random_below(&state, 6))},
                        1 + random_below(&state, 2),
                        1 + random_below(&state, 33)};
}

/* Of x as it lies in the middle of something larger, as a text's rows do. */
static void check_ops(es_backend *be, sizes_case c)
{
    int64_t C = c.sizes.n_embd, n = c.B * c.T * C, M = es_block_n_params(&c.sizes) / C;
    float *params = some_params(&c.sizes), *x = numbers(n, 1), *want = numbers(n, 0),
          *got = numbers(n, 0);
    es_block_run *r = new_run(&c.sizes, c.B, c.T, false);
    forward(want, r, params, x, c.B, c.T);
    es_tensor lies = tensor_of(be, params, 1, M, C), whole, there, hidden;
    es_shape wide = es_shape_3d("B", c.B, "T", c.T + 3, "C", C);
    ck_assert(es_tensor_new(&whole, be, ES_FLOAT32, &wide, &err));
    ck_assert(es_tensor_slice(&there, &whole, 1, 2, 2 + c.T, &err));
    ck_assert(es_tensor_write(&there, x, &err));
    es_backend_ran(be);
    ck_assert_works(es_block_ops_forward(&hidden, &c.sizes, &lies, &there, NULL, &err), err);
    es_ran ran = es_backend_ran(be);
    ck_assert_int_eq(ran.n_beside, 0);
    ck_assert(be->ops->host_memory || ran.launches > 40 * (uint64_t)c.sizes.n_layer);
    ck_assert(es_tensor_read(&hidden, got, &err));
    for (int64_t i = 0; i < n; i++)
        demand(fabsf(got[i] - want[i]) < 1e-4f * fmaxf(1, fabsf(want[i])),
               "L=%d H=%d C=%d B=%d T=%d, %d: %g, not %g", (int)c.sizes.n_layer,
               (int)c.sizes.n_head, (int)C, (int)c.B, (int)c.T, (int)i, (double)got[i],
               (double)want[i]);
    es_tensor_free(&hidden);
    es_tensor_free(&lies);
    es_tensor_free(&whole);
    es_tensor_free(&there);
    ck_assert_uint_eq(be->in_use, 0);
    es_block_run_free(r);
    free(params);
    free(x);
    free(want);
    free(got);
}

START_TEST(as_operations_it_is_the_same)
{
    static const sizes_case fixed[] = {{{1, 1, 1}, 1, 1}, {{0, 3, 9}, 2, 5}, {{3, 4, 8}, 1, 33}};
    es_backend *be = device(_i);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        check_ops(be, fixed[i]);
    for (int i = 0; i < thoroughness(30, 4); i++)
        check_ops(be, small_case());
    es_backend_close(be);
}
END_TEST

/* Long enough that queries go in strips. */
START_TEST(operations_go_in_strips)
{
    es_backend *be = device(0);
    check_ops(be, (sizes_case){{1, 2, 4}, 1, 1030});
    check_ops(be, (sizes_case){{2, 16, 16}, 4, 600});
    es_backend_close(be);
}
END_TEST

START_TEST(operations_stop_between_layers)
{
    const es_block_sizes s = {3, 1, 4};
    es_backend *be = device(2);
    float *params = some_params(&s), *x = numbers(8, 1);
    es_tensor hidden, lies = tensor_of(be, params, 1, es_block_n_params(&s) / 4, 4),
                      there = tensor_of(be, x, 1, 2, 4);
    es_watch watch = {.cancel = true};
    ck_assert_fails(es_block_ops_forward(&hidden, &s, &lies, &there, &watch, &err), err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    ck_assert_ptr_null(hidden.buf);
    ck_assert_uint_eq(es_backend_ran(be).launches, 1); /* x was copied */
    watch.cancel = false;
    ck_assert_works(es_block_ops_forward(&hidden, &s, &lies, &there, &watch, &err), err);
    es_tensor_free(&hidden);
    es_tensor_free(&lies);
    es_tensor_free(&there);
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
    free(params);
    free(x);
}
END_TEST

START_TEST(scores_are_products_with_all_rows)
{
    enum { V = 50, T = 3, C = 7 };
    es_backend *be = device(_i);
    float *rows = numbers(V * C, 1), *x = numbers(2 * T * C, 1), score[V];
    es_table *t = es_table_mapped(rows, ES_STORE_F32, V, C, NULL, NULL);
    es_tensor hidden = tensor_of(be, x, 1, T, C);
    es_backend_ran(be);
    ck_assert_works(es_block_ops_scores(score, &hidden, t, &err), err);
    ck_assert_uint_eq(es_backend_ran(be).launches, be->ops->host_memory ? 0 : 1);
    for (int v = 0; v < V; v++) {
        double want = 0;
        for (int c = 0; c < C; c++)
            want += (double)rows[v * C + c] * (double)x[(T - 1) * C + c];
        ck_assert_double_eq_tol(score[v], want, 1e-5);
    }
    es_tensor_free(&hidden);
    es_table_unref(t);
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
    free(rows);
    free(x);
}
END_TEST

Suite *block_suite(void)
{
    Suite *s = suite_create("block");
    TCase *t = tcase_create("block");
    tcase_add_checked_fixture(t, setup, NULL);
    tcase_set_timeout(t, 60);
    tcase_add_test(t, forward_is_its_definition);
    tcase_add_test(t, a_run_serves_smaller_ones_and_forgets_the_last);
    tcase_add_test(t, what_is_kept_changes_no_number);
    tcase_add_test(t, a_later_token_changes_nothing_before_it);
    tcase_add_test(t, sentences_of_a_batch_do_not_see_each_other);
    tcase_add_test(t, the_watch_stops_it);
    tcase_add_test(t, sizes_beyond_all_memory_are_refused);
    tcase_add_test(t, parts_cover_every_parameter_once);
    tcase_add_test(t, it_starts_as_gpt2_does);
    tcase_add_loop_test(t, as_operations_it_is_the_same, 0, 3);
    tcase_add_test(t, operations_go_in_strips);
    tcase_add_test(t, operations_stop_between_layers);
    tcase_add_loop_test(t, scores_are_products_with_all_rows, 0, 3);
    suite_add_tcase(s, t);
    return s;
}
