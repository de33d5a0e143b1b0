// SPDX-License-Identifier: GPL-3.0-or-later
/* Cosines, a lookup as a product, adding against concatenating: judged by plain loops in float64. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "far.h"
#include "layer/cosine.h"
#include "layer/onehot.h"
#include "session/results.h"
#include "session/session.h"
#include "support.h"

Suite *compare_suite(void);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { DEVICES = 3 };
static const char *const devices[DEVICES] = {"cpu", "sim", "far"};

static es_backend *open_device(const char *name)
{
    es_error err = ES_ERROR_NONE;
    es_backend *be = strcmp(name, "far") != 0 ? es_backend_open(name, 2, &err) : far_open(2);
    ck_assert_works(be != NULL, err);
    return be;
}

static bool is_far(const es_backend *be)
{
    return !be->ops->host_memory;
}

/* ---- cosines ---- */

static double judge_cosine(const float *a, const float *b, int64_t C)
{
    double ab = 0, aa = 0, bb = 0;
    for (int64_t c = 0; c < C; c++) {
        ab += (double)a[c] * (double)b[c];
        aa += (double)a[c] * (double)a[c];
        bb += (double)b[c] * (double)b[c];
    }
    return ab / sqrt(aa * bb);
}

static float random_float(uint64_t *state)
{
    return (float)((double)next_random(state) / 4294967296.0 - 0.5);
}

START_TEST(a_cosine_matrix_is_its_definition)
{
    uint64_t state = 11;
    es_error err = ES_ERROR_NONE;
    es_backend *be = open_device(devices[_i]);
    for (int turn = 0; turn < 40; turn++) {
        int64_t n = 1 + random_below(&state, 20), C = 1 + random_below(&state, 70);
        float *rows = malloc((size_t)(n * C) * sizeof *rows), scale = turn % 3 ? 1 : 1e30f;
        float *m = malloc((size_t)(n * n) * sizeof *m);
        for (int64_t i = 0; i < n * C; i++)
            rows[i] = scale * random_float(&state);
        ck_assert_works(es_cosine_matrix(m, rows, n, C, be, NULL, &err), err);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                double want = i == j ? 1 : judge_cosine(rows + i * C, rows + j * C, C);
                demand(fabs((double)m[i * n + j] - want) < 1e-6, "[%d, %d]: %g, not %g", (int)i,
                       (int)j, (double)m[i * n + j], want);
                demand(m[i * n + j] == m[j * n + i] && fabsf(m[i * n + j]) <= 1, "symmetric");
            }
        es_ran ran = es_backend_ran(be);
        ck_assert_uint_eq(ran.launches, is_far(be));
        ck_assert_int_eq(ran.n_beside, is_far(be));
        free(rows);
        free(m);
    }
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
}
END_TEST

START_TEST(what_has_no_direction_has_no_cosine)
{
    const float rows[5][2] = {{3, 4}, {0, 0}, {NAN, 1}, {INFINITY, 1}, {-1e-30f, 0}};
    float m[5][5];
    es_error err = ES_ERROR_NONE;
    es_backend *be = open_device(devices[_i]);
    ck_assert_works(es_cosine_matrix(m[0], rows[0], 5, 2, be, NULL, &err), err);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            ck_assert_int_eq(isnan(m[i][j]) != 0, (i > 0 && i < 4) || (j > 0 && j < 4));
    ck_assert_float_eq_tol(m[0][4], -0.6f, 1e-6f);
    ck_assert_float_eq(m[4][4], 1);
    ck_assert(isnan(es_cosine(rows[0], rows[1], 2)));
    ck_assert_double_eq_tol(es_cosine(rows[0], rows[4], 2), -0.6, 1e-6);
    es_backend_close(be);
}
END_TEST

/* ---- one-hot ---- */

typedef struct table {
    es_backend *be;
    es_table *wte;
    float *value; /* (V, C) */
    int64_t V, C;
} table;

static table make_table(const char *device, int64_t V, int64_t C, uint64_t *state)
{
    table t = {.be = open_device(device), .V = V, .C = C};
    t.value = malloc((size_t)(V * C) * sizeof *t.value);
    for (int64_t i = 0; i < V * C; i++)
        t.value[i] = i % 7 ? random_float(state) : -0.0f;
    return t;
}

static void finish_table(table *t)
{
    es_error err = ES_ERROR_NONE;
    es_shape shape = es_shape_2d("V", t->V, "C", t->C);
    es_tensor all;
    ck_assert_works(es_tensor_new(&all, t->be, ES_FLOAT32, &shape, &err), err);
    ck_assert_works(es_tensor_write(&all, t->value, &err), err);
    t->wte = es_table_of_tensor(&all);
    es_tensor_free(&all);
}

static void free_table(table *t)
{
    es_table_unref(t->wte);
    es_backend_close(t->be);
    free(t->value);
}

/* What the product by its definition comes to: equal, and spoiled where it should be a number. */
static void judge_onehot(const table *t, const int32_t *ids, int64_t N, int64_t *equal,
                         int64_t *spoiled)
{
    *equal = *spoiled = 0;
    for (int64_t n = 0; n < N; n++)
        for (int64_t c = 0; c < t->C; c++) {
            double sum = 0, row = (double)t->value[ids[n] * t->C + c];
            for (int64_t v = 0; v < t->V; v++)
                sum += (v == ids[n] ? 1.0 : 0.0) * (double)t->value[v * t->C + c];
            *equal += sum == row || (isnan(sum) && isnan(row));
            *spoiled += isfinite(row) && isnan(sum);
        }
}

static int32_t *random_ids(int64_t N, int64_t V, uint64_t *state)
{
    int32_t *ids = malloc((size_t)N * sizeof *ids);
    for (int64_t n = 0; n < N; n++)
        ids[n] = (int32_t)random_below(state, (uint32_t)V);
    return ids;
}

START_TEST(a_product_with_one_hot_rows_is_the_lookup)
{
    static const int64_t sizes[][3] = {{1, 1, 1}, {3, 700, 5}, {40, 257, 33}, {9000, 300, 3}};
    uint64_t state = 5;
    es_error err = ES_ERROR_NONE;
    for (int i = 0; i < 4 - thoroughness(0, 1); i++) {
        table t = make_table(devices[_i], sizes[i][1], sizes[i][2], &state);
        finish_table(&t);
        int32_t *ids = random_ids(sizes[i][0], t.V, &state);
        es_watch watch = {0};
        es_onehot found;
        ck_assert_works(es_onehot_compare(&found, t.be, t.wte, ids, sizes[i][0], &watch, &err),
                        err);
        ck_assert_int_eq(found.numbers, sizes[i][0] * t.C);
        ck_assert_int_eq(found.equal, found.numbers);
        ck_assert_int_eq(found.spoiled, 0);
        ck_assert_double_eq(found.most, 0);
        ck_assert_int_eq(found.bad_rows, 0);
        ck_assert_int_eq(found.bad_row, -1);
        ck_assert_uint_eq(watch.total, (uint64_t)(t.V * (sizes[i][0] > 8192 ? 2 : 1)));
        free(ids);
        free_table(&t);
    }
}
END_TEST

START_TEST(a_row_of_nan_spoils_the_product_and_not_the_lookup)
{
    enum { N = 12 };
    uint64_t state = 77;
    es_error err = ES_ERROR_NONE;
    table t = make_table(devices[_i], 600, 9, &state);
    int32_t *ids = random_ids(N, 500, &state);
    t.value[520 * 9 + 4] = NAN; /* nobody looks these up */
    t.value[599 * 9 + 0] = INFINITY;
    t.value[599 * 9 + 4] = -INFINITY;
    t.value[ids[3] * 9 + 8] = NAN; /* and this one somebody does */
    finish_table(&t);
    int64_t equal, spoiled;
    judge_onehot(&t, ids, N, &equal, &spoiled);
    ck_assert_int_eq(spoiled, 3 * N - 1);
    es_onehot found;
    ck_assert_works(es_onehot_compare(&found, t.be, t.wte, ids, N, NULL, &err), err);
    ck_assert_int_eq(found.equal, equal);
    ck_assert_int_eq(found.spoiled, spoiled);
    ck_assert_int_eq(found.bad_rows, 3);
    ck_assert_int_eq(found.bad_row, ids[3]);
    ck_assert_int_eq(found.bad_channel, 8);
    free(ids);
    free_table(&t);
}
END_TEST

/* Not the table: it lies there.  What is sent are a zero for each number of a block's one-hot, once, and ids. */
START_TEST(a_product_far_away_takes_the_table_as_it_lies)
{
    enum { V = 9000, C = 3, N = 40 };
    uint64_t state = 8;
    es_error err = ES_ERROR_NONE;
    table t = make_table("far", V, C, &state);
    int32_t *ids = random_ids(N, V, &state);
    ids[0] = ids[1] = 8999;
    t.value[8999 * C + 1] = NAN;
    es_table *wte = es_table_mapped(t.value, ES_STORE_F32, V, C, NULL, NULL);
    es_onehot found[2];
    for (int i = 0; i < 2; i++) {
        ck_assert(!i || es_table_whole(wte, t.be, &err));
        es_backend_ran(t.be);
        ck_assert_works(es_onehot_compare(&found[i], t.be, wte, ids, N, NULL, &err), err);
    }
    es_ran ran = es_backend_ran(t.be);
    ck_assert_int_eq(ran.n_beside, 0);
    /* the lookup; of two blocks each a search for NaN (2), ones, a product, a sum, and zeros again */
    ck_assert_uint_eq(ran.launches, 1 + 2 * (2 + 4));
    ck_assert_int_eq(found[0].equal, found[1].equal);
    ck_assert_int_eq(found[0].spoiled, found[1].spoiled);
    ck_assert(found[1].spoiled == N - 2 && found[1].bad_rows == 1);
    ck_assert(found[1].bad_row == 8999 && found[1].bad_channel == 1);
    es_table_unref(wte);
    ck_assert_uint_eq(t.be->in_use, 0);
    es_backend_close(t.be);
    free(t.value);
    free(ids);
}
END_TEST

START_TEST(costs_are_counted_from_the_definition)
{
    static unsigned char half[30 * 4 * 2];
    es_table *wte = es_table_mapped(half, ES_STORE_F16, 30, 4, NULL, NULL);
    es_onehot_cost lookup = es_onehot_lookup_cost(wte, 7), product = es_onehot_product_cost(wte, 7);
    ck_assert_double_eq(lookup.bytes, 7 * 4 * 2);
    ck_assert_double_eq(lookup.multiply_adds, 0);
    ck_assert_double_eq(product.bytes, 30 * 4 * 2);
    ck_assert_double_eq(product.multiply_adds, 7 * 30 * 4);
    ck_assert_double_eq(es_onehot_bytes(wte, 7), 7 * 30 * 4);
    es_error err = ES_ERROR_NONE;
    es_backend *be = es_backend_open("cpu", 1, &err);
    const int32_t ids[] = {1, 30};
    es_onehot found;
    ck_assert_fails(es_onehot_compare(&found, be, wte, ids, 2, NULL, &err), err, ES_ERR_INDEX_RANGE,
                    "id 30 at [0, 1] is outside wte (30 rows: 0..29)");
    es_backend_close(be);
    es_table_unref(wte);
}
END_TEST

/* ---- Ctrl-C ---- */

static void slow_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)sin((double)(i * C + c));
}

typedef struct work {
    es_backend *be;
    es_table *wte;
    int32_t *ids;
    float *rows, *matrix;
    int64_t n, C;
} work;

static bool multiply(void *p, es_watch *watch, es_error *err)
{
    const work *w = p;
    es_onehot found;
    return es_onehot_compare(&found, w->be, w->wte, w->ids, w->n, watch, err);
}

static bool compare(void *p, es_watch *watch, es_error *err)
{
    const work *w = p;
    return es_cosine_matrix(w->matrix, w->rows, w->n, w->C, w->be, watch, err);
}

static void stop_in_time(es_job_fn fn, work *w)
{
    es_error err = ES_ERROR_NONE;
    es_job *job = es_job_start(fn, w, -1, &err);
    ck_assert_works(job != NULL, err);
    ck_assert(!es_job_wait(job, 150));
    double start = now();
    es_job_cancel(job);
    ck_assert(es_job_wait(job, 5000));
    double took = now() - start;
    ck_assert_fails(es_job_finish(job, &err), err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    /* 0.1 s, where nobody else is busy */
    ck_assert_msg(took < thoroughness(5, 50) * 0.1, "it took %.3f s", took);
}

START_TEST(long_comparisons_stop_when_told)
{
    es_error err = ES_ERROR_NONE;
    work w = {.be = es_backend_open("cpu", 2, &err), .n = 4000, .C = 768};
    uint64_t state = 3;
    w.wte = es_table_generated(50257, w.C, slow_row, "", 0);
    w.ids = random_ids(w.n, 50257, &state);
    w.rows = malloc((size_t)(w.n * w.C) * sizeof *w.rows);
    w.matrix = malloc((size_t)(w.n * w.n) * sizeof *w.matrix);
    for (int64_t i = 0; i < w.n * w.C; i++)
        w.rows[i] = random_float(&state);
    stop_in_time(multiply, &w);
    stop_in_time(compare, &w);
    free(w.rows);
    free(w.matrix);
    free(w.ids);
    es_table_unref(w.wte);
    es_backend_close(w.be);
}
END_TEST

/* ---- the commands ---- */

/* The last of the JSON objects that these lines give; NULL-terminated. */
static json_t *answer_of(const char *const *lines)
{
    const char *argv[32] = {program(), "--json", "--values", "--model", "untrained:C=12"};
    size_t n = 5;
    for (size_t i = 0; lines[i]; i++) {
        argv[n++] = "-c";
        argv[n++] = lines[i];
    }
    run_result r;
    run_program(&r, argv, "", 0);
    char *last = es_str_text(&r.out)[0] ? memrchr(r.out.s, '\n', r.out.len - 1) : NULL;
    json_error_t why;
    json_t *o = json_loads(last ? last + 1 : es_str_text(&r.out), 0, &why);
    ck_assert_msg(o != NULL, "%s: %s", why.text, es_str_text(&r.out));
    run_result_free(&r);
    return o;
}

#define ANSWER(...) answer_of((const char *const[]){__VA_ARGS__, NULL})

static void read_row(float *out, json_t *rows, size_t i, size_t C)
{
    for (size_t c = 0; c < C; c++)
        out[c] = (float)json_number_value(json_array_get(json_array_get(rows, i), c));
}

/* matrix[i][j] is the cosine of rows first + i and first + j. */
static void check_matrix(json_t *matrix, json_t *rows, size_t first, size_t n)
{
    enum { C = 12 };
    ck_assert_uint_eq(json_array_size(matrix), n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float a[C], b[C];
            read_row(a, rows, first + i, C);
            read_row(b, rows, first + j, C);
            double want = judge_cosine(a, b, C),
                   got = json_number_value(json_array_get(json_array_get(matrix, i), j));
            demand(fabs(want - got) < 1e-6, "[%zu, %zu]: %g, not %g", i, j, got, want);
        }
}

START_TEST(cosines_are_those_of_the_vectors_said)
{
    json_t *text = ANSWER("the cat the cat"), *o = ANSWER("the cat the cat", ":cosine");
    ck_assert_str_eq(json_string_value(json_object_get(o, "kind")), "cosine");
    ck_assert_uint_eq(json_object_size(o), 3);
    check_matrix(json_object_get(o, "before"), json_object_get(text, "tok_emb"), 0, 4);
    check_matrix(json_object_get(o, "after"), json_object_get(text, "x"), 0, 4);
    json_decref(o);
    o = ANSWER("the cat the cat", ":cosine @1 @3");
    check_matrix(json_object_get(o, "before"), json_object_get(text, "tok_emb"), 1, 3);
    check_matrix(json_object_get(o, "after"), json_object_get(text, "x"), 1, 3);
    json_decref(o);
    json_decref(text);

    text = ANSWER(":set pad-side left", ":batch \"the cat\" \"\" \"a dog ran\"");
    o = ANSWER(":set pad-side left", ":batch \"the cat\" \"\" \"a dog ran\"", ":cosine");
    for (size_t b = 0; b < 3; b++) {
        static const size_t first[] = {1, 3, 0}, n[] = {2, 0, 3};
        check_matrix(json_array_get(json_object_get(o, "before"), b),
                     json_array_get(json_object_get(text, "tok_emb"), b), first[b], n[b]);
        check_matrix(json_array_get(json_object_get(o, "after"), b),
                     json_array_get(json_object_get(text, "x"), b), first[b], n[b]);
    }
    json_decref(o);
    json_decref(text);
}
END_TEST

START_TEST(a_million_tokens_have_no_matrix_and_that_is_said)
{
    const char *const argv[] = {program(), "--plain", "--keep-going", NULL};
    static const char lines[] = ":positions none\n:repeat 1000000  the\n:cosine\n";
    double start = now();
    run_result r;
    run_program(&r, argv, lines, sizeof lines - 1);
    ck_assert_int_eq(r.status, 1);
    ck_assert_ptr_nonnull(
        strstr(r.err.s, "stdin:3: error[range]: 1000000 tokens have two matrices of 1000000000000 "
                        "cosines (8 TB); the most is 2048 tokens\n"
                        "  try: :cosine @0 @99 for some of them\n"));
    ck_assert_double_lt(now() - start, thoroughness(5, 600));
    run_result_free(&r);
}
END_TEST

static double figure(json_t *o, const char *way, const char *name)
{
    return json_number_value(json_object_get(json_object_get(o, way), name));
}

START_TEST(concatenating_costs_what_its_matrices_hold)
{
    enum { C = 12, Cp = 5, P = 1024, B = 2, T = 3, W = C + Cp };
    json_t *o = ANSWER(":batch \"The cat sat\" \"A\"", ":concat Cp=5");
    double block = 0, wide = 0;
    static const int in[] = {1, 1, 1, 4}, out[] = {3, 1, 4, 1}; /* q k v, back, up, down */
    for (int m = 0; m < 4; m++) {
        block += (double)(in[m] * C) * (out[m] * C);
        wide += (double)(in[m] * W) * (out[m] * W);
    }
    ck_assert_double_eq(figure(o, "add", "width"), C);
    ck_assert_double_eq(figure(o, "add", "parameters"), P * C + 12 * block);
    ck_assert_double_eq(figure(o, "add", "x_bytes"), 4 * B * T * C);
    ck_assert_double_eq(figure(o, "concat_input", "matrix"), W * C);
    ck_assert_double_eq(figure(o, "concat_input", "parameters"), P * Cp + W * C + 12 * block);
    ck_assert_double_eq(figure(o, "concat_input", "x_bytes"), 4 * B * T * W);
    ck_assert_double_eq(figure(o, "concat_input", "stream_bytes"), 4 * B * T * C);
    ck_assert_double_eq(figure(o, "concat_stream", "block"), wide);
    ck_assert_double_eq(figure(o, "concat_stream", "parameters"), P * Cp + 12 * wide);
    ck_assert_double_eq(figure(o, "concat_stream", "stream_bytes"), 4 * B * T * W);
    json_decref(o);
    o = ANSWER(":positions sinusoidal", "a", ":concat");
    ck_assert_double_eq(figure(o, "concat_stream", "width"), 2 * C);
    ck_assert_double_eq(figure(o, "concat_stream", "wpe"), 0); /* nothing is learned */
    json_decref(o);
}
END_TEST

/* ---- rows that are no numbers, at the screen ---- */

/* " cat" is a row of zeros, " sat" holds infinity, and rows that nobody types hold NaN. */
static void strange_row(const void *context, int64_t i, float *out, int64_t C)
{
    slow_row(context, i, out, C);
    for (int64_t c = 0; c < C; c++)
        out[c] = i == 3797 ? 0 : out[c];
    if (i == 3332 || i == 50000)
        out[1] = i == 3332 ? INFINITY : NAN;
}

/* Computed once, shown at many widths; user holds the lines at 80 columns. */
static void keep_shown(void *user, es_result *r)
{
    es_error err = ES_ERROR_NONE;
    for (int width = 40; width <= 110; width++) {
        es_style style = {.width = width, .colour = width % 2, .isolate = width % 3 == 0};
        es_str shown = {0};
        ck_assert_works(es_show_result(&shown, r, &style, &err), err);
        for (const char *s = es_str_text(&shown), *end; *s; s = end + 1) {
            end = strchr(s, '\n');
            demand(es_columns(s, (size_t)(end - s)) <= width, "%d columns: %.*s", width,
                   (int)(end - s), s);
        }
        es_str_free(&shown);
    }
    es_style style = {.width = 80};
    es_str_cut(user, 0);
    ck_assert_works(es_show_result(user, r, &style, &err), err);
    es_result_free(r);
}

static void no_error(void *user, const es_error *err, const char *line, size_t len,
                     es_result *partial)
{
    (void)user;
    (void)partial;
    ck_abort_msg("%.*s: %s", (int)len, line, err->message);
}

static void no_note(void *user, const char *text, bool person)
{
    (void)user;
    (void)text;
    (void)person;
}

static void no_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    (void)user;
    (void)what;
    (void)done;
    (void)total;
}

static es_session *strange_session(void)
{
    es_error err = ES_ERROR_NONE;
    const es_session_options o = {.model = "untrained:C=4", .settings.pad = -1};
    es_session *s = es_session_new(&o, &err);
    ck_assert_works(s != NULL, err);
    es_model *m = es_session_context(s)->model;
    es_table_unref(m->wte);
    m->wte = es_table_generated(m->config.vocab_size, 4, strange_row, "", 0);
    es_session_context(s)->layer.wte = m->wte;
    return s;
}

START_TEST(rows_that_are_no_numbers_are_explained)
{
    es_str shown = {0};
    const es_sink sink = {&shown, keep_shown, no_error, no_note, no_progress, NULL};
    static const char text[] = "the cat the";
    es_session *s = strange_session();
    es_session_run(s, text, sizeof text - 1, &sink);
    es_session_run(s, ":cosine", 7, &sink);
    ck_assert_ptr_nonnull(strstr(shown.s, "1  \u2423cat     ?     ?     ?\n"));
    ck_assert_ptr_nonnull(
        strstr(shown.s, "\n?: tok_emb of \u2423cat (1) has length 0, which is no direction\n"));
    es_session_run(s, ":onehot", 7, &sink);
    static const char want[] =
        "one_hot(ids) @ wte equals wte(ids): no, 9 of 12 numbers\n"
        "wte holds NaN or infinity in 2 rows, first at wte[3332, 1]; 0 times NaN is NaN,\n"
        "and so is 0 times infinity: in the product such a row spoils its channels for\n"
        "every token (3 numbers here), though it is multiplied by 0. The lookup reads\n"
        "only the rows that are asked for.\n";
    ck_assert_msg(!strncmp(shown.s, want, sizeof want - 1), "%s", shown.s);
    es_session_run(s, ":onehot times=on", 16, &sink);
    ck_assert_ptr_nonnull(strstr(shown.s, "\n  time "));
    es_session_run(s, ":concat Cp=1048576", 18, &sink);
    es_session_run(s, " sat cat cat", 12, &sink);
    es_session_run(s, ":cosine", 7, &sink);
    ck_assert_ptr_nonnull(
        strstr(shown.s, "\n?: x of \u2423sat (0) holds NaN or infinity, which is no direction\n"));
    ck_assert_ptr_nonnull(strstr(shown.s, "tok_emb of \u2423cat (1) and 1 more has length 0"));
    es_session_free(s);
    es_str_free(&shown);
}
END_TEST

static void setup(void)
{
    calm_environment();
}

Suite *compare_suite(void)
{
    Suite *s = suite_create("compare");
    TCase *tc = tcase_create("compare");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, NULL);
    tcase_add_loop_test(tc, a_cosine_matrix_is_its_definition, 0, DEVICES);
    tcase_add_loop_test(tc, what_has_no_direction_has_no_cosine, 0, DEVICES);
    tcase_add_loop_test(tc, a_product_with_one_hot_rows_is_the_lookup, 0, DEVICES);
    tcase_add_loop_test(tc, a_row_of_nan_spoils_the_product_and_not_the_lookup, 0, DEVICES);
    tcase_add_test(tc, a_product_far_away_takes_the_table_as_it_lies);
    tcase_add_test(tc, costs_are_counted_from_the_definition);
    tcase_add_test(tc, long_comparisons_stop_when_told);
    tcase_add_test(tc, cosines_are_those_of_the_vectors_said);
    tcase_add_test(tc, a_million_tokens_have_no_matrix_and_that_is_said);
    tcase_add_test(tc, concatenating_costs_what_its_matrices_hold);
    tcase_add_test(tc, rows_that_are_no_numbers_are_explained);
    suite_add_tcase(s, tc);
    return s;
}
