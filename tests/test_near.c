// SPDX-License-Identifier: GPL-3.0-or-later
/* The nearest rows against the plain definition: every row, float64, one loop.  And what chance gives,
 * against chance. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "far.h"
#include "layer/near.h"
#include "layer/noise.h"
#include "model/model.h"
#include "support.h"

Suite *near_suite(void);

enum { TOP = 10 };

#ifdef __SANITIZE_ADDRESS__
enum { QUERIES = 100 };
#else
enum { QUERIES = 1000 };
#endif

static es_backend *be;

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    be = es_backend_open("cpu", 2, &err);
    ck_assert_works(be != NULL, err);
}

static void teardown(void)
{
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
}

/* ---- the definition ---- */

static double dot(const float *a, const double *b, int64_t C)
{
    double sum = 0;
    for (int64_t c = 0; c < C; c++)
        sum += (double)a[c] * b[c];
    return sum;
}

static double score_of(const float *row, const double *q, int64_t C, es_measure by)
{
    double qq = 0, rr = 0, apart = 0;
    for (int64_t c = 0; c < C; c++) {
        double r = (double)row[c];
        qq += q[c] * q[c];
        rr += r * r;
        apart += (r - q[c]) * (r - q[c]);
    }
    if (by == ES_BY_EUCLID)
        return sqrt(apart);
    return by == ES_BY_DOT ? dot(row, q, C) : dot(row, q, C) / (sqrt(qq) * sqrt(rr));
}

static bool before(double a, double b, es_measure by)
{
    return by == ES_BY_EUCLID ? a < b : a > b;
}

/* best[0..returned) of rows (V, C), row `skip` left out; NaN wins nothing. */
static int64_t by_definition(es_neighbour *best, int64_t top, const float *rows, int64_t V,
                             int64_t C, const double *q, es_measure by, int64_t skip)
{
    int64_t n = 0;
    for (int64_t id = 0; id < V; id++) {
        double score = score_of(rows + id * C, q, C, by);
        if (id == skip || !isfinite(score))
            continue;
        int64_t at = n < top ? n++ : n;
        for (; at && before(score, best[at - 1].score, by); at--)
            if (at < n)
                best[at] = best[at - 1];
        if (at < n)
            best[at] = (es_neighbour){id, score};
    }
    return n;
}

/* ---- one table, searched both ways ---- */

static float *rows_of(es_table *t)
{
    int64_t V = es_table_rows(t), C = es_table_width(t);
    float *rows = malloc((size_t)(V * C) * sizeof *rows);
    for (int64_t i = 0; i < V; i++)
        ck_assert(es_table_row(t, i, rows + i * C, NULL));
    return rows;
}

static void check_query(es_near *n, const float *rows, int32_t id, es_measure by, int64_t top)
{
    es_error err = ES_ERROR_NONE;
    int64_t V = es_table_rows(es_near_table(n)), C = es_table_width(es_near_table(n)), found;
    double *q = malloc((size_t)C * sizeof *q);
    es_neighbour *got = malloc((size_t)top * sizeof *got),
                 *want = malloc((size_t)top * sizeof *got);
    for (int64_t c = 0; c < C; c++)
        q[c] = (double)rows[id * C + c];
    const es_near_query query = {q, by, &id, 1};
    ck_assert_works(es_near_search(n, got, top, &found, &query, NULL, &err), err);
    int64_t n_want = by_definition(want, top, rows, V, C, q, by, id);
    demand(found == n_want, "%d rows, not %d", (int)found, (int)n_want);
    for (int64_t i = 0; i < found; i++) {
        demand(got[i].id == want[i].id, "row %d by %s, place %d: %d, not %d", id,
               es_measure_name(by), (int)i, (int)got[i].id, (int)want[i].id);
        demand(fabs(got[i].score - want[i].score) <= 1e-9 * fabs(want[i].score),
               "row %d: %.17g, %.17g", id, got[i].score, want[i].score);
    }
    free(q);
    free(got);
    free(want);
}

static es_neighbour *room_for(int64_t n)
{
    return malloc((size_t)(n ? n : 1) * sizeof(es_neighbour));
}

/* Many queries at once find what each finds alone, to the bit. */
static void check_many(es_near *n, const float *rows, int64_t queries, int64_t top, uint64_t *state)
{
    es_error err = ES_ERROR_NONE;
    int64_t V = es_table_rows(es_near_table(n)), C = es_table_width(es_near_table(n)), alone;
    es_near_query *query = malloc((size_t)queries * sizeof *query);
    int32_t *skip = malloc((size_t)queries * sizeof *skip);
    int64_t *found = malloc((size_t)queries * sizeof *found);
    double *q = malloc((size_t)(queries * C) * sizeof *q);
    es_neighbour *many = room_for(queries * top), *one = room_for(top);
    for (int64_t i = 0; i < queries; i++) {
        skip[i] = (int32_t)random_below(state, (uint32_t)V);
        for (int64_t c = 0; c < C; c++)
            q[i * C + c] = (double)rows[skip[i] * C + c];
        query[i] = (es_near_query){q + i * C, (es_measure)(i % ES_N_MEASURES), &skip[i], i % 2};
    }
    ck_assert_works(es_near_search_many(n, many, top, found, query, queries, NULL, &err), err);
    for (int64_t i = 0; i < queries; i++) {
        ck_assert_works(es_near_search(n, one, top, &alone, &query[i], NULL, &err), err);
        demand(found[i] == alone, "query %d: %d, not %d", (int)i, (int)found[i], (int)alone);
        for (int64_t k = 0; k < alone; k++)
            demand(many[i * top + k].id == one[k].id && many[i * top + k].score == one[k].score,
                   "query %d, place %d: %d, not %d", (int)i, (int)k, (int)many[i * top + k].id,
                   (int)one[k].id);
    }
    free(query);
    free(skip);
    free(found);
    free(q);
    free(many);
    free(one);
}

static void check_on(es_backend *device, es_table *t, const float *rows, int queries)
{
    es_error err = ES_ERROR_NONE;
    uint64_t state = 5;
    es_near *n = es_near_new(t, device, &err);
    ck_assert_works(n != NULL, err);
    for (int i = 0; i < queries; i++)
        check_query(n, rows, (int32_t)random_below(&state, (uint32_t)es_table_rows(t)),
                    (es_measure)(i % ES_N_MEASURES), TOP);
    check_many(n, rows, queries, TOP, &state);
    es_near_free(n);
    n = es_near_new(t, device, &err); /* many come first */
    check_many(n, rows, 2, TOP, &state);
    es_near_free(n);
}

/* ---- a device far away ---- */

static es_backend_ops rough_ops;
static bool (*finely)(const es_view *out, const es_view *a, const es_view *b, es_error *err);

static float flushed(float x)
{
    return fabsf(x) < 0x1p-126f ? 0 : x;
}

static float *dense_of(const es_view *v)
{
    float *x = malloc((size_t)es_view_count(v) * sizeof *x + 1);
    v->buf->be->ops->read(x, v, NULL);
    return x;
}

/* As a device may: from the end, fused, and without subnormal numbers. */
static bool multiply_roughly(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    int64_t M = out->dim[0], N = out->dim[1], K = a->dim[1];
    if (!finely(out, a, b, err))
        return false;
    float *x = dense_of(a), *y = dense_of(b), *z = dense_of(out);
    for (int64_t i = 0; i < M * N; i++) {
        float sum = 0;
        for (int64_t k = K; k-- > 0;)
            sum = flushed(fmaf(flushed(x[i / N * K + k]), flushed(y[k * N + i % N]), sum));
        z[i] = sum;
    }
    out->buf->be->ops->write(out, z, err);
    free(x);
    free(y);
    free(z);
    return true;
}

static es_backend *rough_open(void)
{
    es_backend *far = far_open(2);
    rough_ops = *far->ops;
    finely = rough_ops.matmul;
    rough_ops.matmul = multiply_roughly;
    far->ops = &rough_ops;
    return far;
}

static void check_table(es_table *t, int queries)
{
    float *rows = rows_of(t);
    es_backend *far = rough_open();
    check_on(be, t, rows, queries);
    check_on(far, t, rows, queries < 6 ? queries : 6);
    es_table_leave(t, far);
    ck_assert_uint_eq(far->in_use, 0);
    es_backend_close(far);
    free(rows);
}

/* The vocabulary's size and width as the program starts with them. */
START_TEST(the_order_is_that_of_float64_for_a_thousand_tokens)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open("untrained", 0, &err);
    uint64_t state = 7;
    float *rows = rows_of(m->wte);
    es_near *n = es_near_new(m->wte, be, &err);
    double *square = malloc(50257 * sizeof *square);
    for (int64_t id = 0; id < 50257; id++)
        square[id] = score_of(rows + id * 64, (const double[64]){0}, 64, ES_BY_EUCLID);
    for (int i = 0; i < thoroughness(QUERIES, 10); i++) {
        int32_t id = (int32_t)random_below(&state, 50257);
        es_neighbour got[TOP];
        int64_t found;
        double q[64], want[TOP + 1] = {0};
        int64_t at[TOP + 1] = {0};
        for (int c = 0; c < 64; c++)
            q[c] = (double)rows[id * 64 + c];
        ck_assert(es_near_search(n, got, TOP, &found, &(es_near_query){q, ES_BY_COSINE, &id, 1},
                                 NULL, &err));
        int kept = 0;
        for (int64_t r = 0; r < 50257; r++) {
            double score = dot(rows + r * 64, q, 64) / (square[id] * square[r]);
            if (r == id || (kept == TOP && score <= want[TOP - 1]))
                continue;
            int k = kept < TOP ? kept++ : TOP - 1;
            for (; k && score > want[k - 1]; k--) {
                want[k] = want[k - 1];
                at[k] = at[k - 1];
            }
            want[k] = score;
            at[k] = r;
        }
        for (int k = 0; k < TOP; k++)
            demand(got[k].id == at[k], "token %d, place %d: %d, not %d", id, k, (int)got[k].id,
                   (int)at[k]);
    }
    free(square);
    free(rows);
    es_near_free(n);
    es_model_unref(m);
}
END_TEST

/* ---- every kind of table ---- */

static float made(int64_t i)
{
    uint64_t state = (uint64_t)i * 2654435761u + 11;
    return (float)((int)random_below(&state, 4001) - 2000) / 1024; /* exact in F16, with ties */
}

static void made_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t c = 0; c < C; c++)
        out[c] = made(i * C + c);
}

static uint16_t half_of(float f)
{
    int exponent;
    float m = frexpf(fabsf(f), &exponent); /* 0.5 <= m < 1; f is exact and normal */
    if (f == 0)
        return 0;
    unsigned bits = (unsigned)(exponent + 14) << 10 | ((unsigned)(m * 2048) & 1023);
    return (uint16_t)((f < 0 ? 0x8000u : 0) | bits);
}

static void store_number(unsigned char *to, es_store store, float f)
{
    uint16_t half = half_of(f);
    uint32_t bits;
    double wide = (double)f;
    memcpy(&bits, &f, sizeof bits);
    uint16_t top = (uint16_t)(bits >> 16);
    switch (store) {
    case ES_STORE_F16: memcpy(to, &half, 2); break;
    case ES_STORE_BF16: memcpy(to, &top, 2); break;
    case ES_STORE_F32: memcpy(to, &f, 4); break;
    default: memcpy(to, &wide, 8);
    }
}

START_TEST(every_kind_of_table_is_searched)
{
    static const struct {
        es_store store;
        size_t shift;
    } kinds[] = {{ES_STORE_F32, 0},
                 {ES_STORE_F32, 1},
                 {ES_STORE_F16, 1},
                 {ES_STORE_BF16, 0},
                 {ES_STORE_F64, 3}};
    int64_t V = 9001, C = 37; /* more than a block, and nothing even */
    size_t size = es_store_size(kinds[_i].store);
    unsigned char *bytes = malloc((size_t)(V * C) * size + 8);
    for (int64_t i = 0; i < V * C; i++)
        store_number(bytes + kinds[_i].shift + (size_t)i * size, kinds[_i].store, made(i));
    es_table *t = es_table_mapped(bytes + kinds[_i].shift, kinds[_i].store, V, C, NULL, NULL);
    check_table(t, thoroughness(30, 6));
    es_table_unref(t);
    free(bytes);
}
END_TEST

START_TEST(rows_that_are_made_are_searched)
{
    es_table *t = es_table_generated(9001, 37, made_row, NULL, 0);
    check_table(t, thoroughness(30, 6));
    es_table_unref(t);
    t = es_table_generated(1, 1, made_row, NULL, 0); /* alone: nothing is near */
    check_table(t, 3);
    es_table_unref(t);
}
END_TEST

/* Large enough that threads share the work. */
START_TEST(threads_find_what_one_finds)
{
    es_table *t = es_table_generated(60000, 75, made_row, NULL, 0);
    check_table(t, thoroughness(12, 3));
    es_table_unref(t);
}
END_TEST

static es_table *table_of(const float *rows, int64_t V, int64_t C)
{
    return es_table_mapped(rows, ES_STORE_F32, V, C, NULL, NULL);
}

/* Numbers that float32 products cannot tell apart, overflow, or lose; float64 sums of them are exact. */
START_TEST(float32_never_decides)
{
    enum { V = 3000, C = 50 };
    static const float scale[] = {1, 0x1p-100f, 0x1p-120f, 0x1p120f};
    static float rows[V * C];
    uint64_t state = 3;
    for (int i = 0; i < V; i++)
        for (int c = 0; c < C; c++) {
            float close = 1 + (float)random_below(&state, 4) * 0x1p-23f;
            rows[i * C + c] = (c % 3 ? close : -close) * scale[_i];
        }
    es_table *t = table_of(rows, V, C);
    check_table(t, thoroughness(30, 6));
    es_table_unref(t);
}
END_TEST

START_TEST(ties_go_by_id)
{
    enum { V = 700, C = 8 };
    static float rows[V * C];
    for (int i = 0; i < V * C; i++)
        rows[i] = made(i / C % 7 * C + i % C); /* every seventh row is the same */
    es_table *t = table_of(rows, V, C);
    es_near *n = es_near_new(t, be, NULL);
    for (es_measure by = ES_BY_COSINE; by <= ES_BY_EUCLID; by++) {
        double q[C];
        int32_t skip = 11;
        es_neighbour best[TOP];
        int64_t found;
        for (int c = 0; c < C; c++)
            q[c] = (double)rows[11 * C + c];
        ck_assert(
            es_near_search(n, best, TOP, &found, &(es_near_query){q, by, &skip, 1}, NULL, NULL));
        if (by == ES_BY_DOT) /* a longer row may win there */
            continue;
        for (int i = 0; i < TOP; i++)
            ck_assert_int_eq(best[i].id, i < 1 ? 4 : 11 + 7 * i);
    }
    check_query(n, rows, 11, ES_BY_DOT, V);
    es_near_free(n);
    es_table_unref(t);
}
END_TEST

START_TEST(nan_inf_and_zeros_are_no_answers)
{
    enum { V = 400, C = 5 };
    static float rows[V * C];
    for (int i = 0; i < V * C; i++)
        rows[i] = made(i);
    rows[70 * C + 3] = NAN;
    rows[90 * C] = INFINITY;
    memset(rows + 100 * C, 0, C * sizeof *rows);
    es_table *t = table_of(rows, V, C);
    es_near *n = es_near_new(t, be, NULL);
    es_neighbour best[V];
    int64_t found, row = 0, channel = 0;
    double q[C] = {1, 2, 3, 4, 5};
    for (es_measure by = ES_BY_COSINE; by <= ES_BY_EUCLID; by++) {
        ck_assert(es_near_search(n, best, V, &found, &(es_near_query){q, by, NULL, 0}, NULL, NULL));
        ck_assert_int_eq(found, by == ES_BY_COSINE ? V - 3 : V - 2);
        for (int64_t i = 0; i < found; i++)
            demand(best[i].id != 70 && best[i].id != 90, "place %d", (int)i);
    }
    ck_assert_int_eq(es_near_nonfinite(n), 2);
    ck_assert(es_table_first_nonfinite(t, &row, &channel, NULL));
    ck_assert_int_eq(row, 70);
    ck_assert_int_eq(channel, 3);
    es_error err = ES_ERROR_NONE;
    const double zeros[C] = {0};
    ck_assert_fails(es_near_search(n, best, V, &found,
                                   &(es_near_query){zeros, ES_BY_COSINE, NULL, 0}, NULL, &err),
                    err, ES_ERR_VALUE, "a vector of zeros has no direction to compare by cosine");
    es_near_free(n);
    es_table_unref(t);
}
END_TEST

/* ---- stopping ---- */

typedef struct stopping {
    es_watch *watch;
    int64_t row; /* from this one on the work is no longer wanted */
} stopping;

static void stopping_row(const void *context, int64_t i, float *out, int64_t C)
{
    const stopping *s = context;
    made_row(NULL, i, out, C);
    if (i == s->row)
        s->watch->cancel = true;
}

START_TEST(a_search_stops_and_goes_on_rightly)
{
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    stopping s = {.watch = &watch, .row = 20000};
    es_table *t = es_table_generated(40000, 16, stopping_row, &s, sizeof s);
    es_near *n = es_near_new(t, be, &err);
    es_neighbour best[TOP];
    int64_t found;
    double q[16] = {1};
    ck_assert_fails(
        es_near_search(n, best, TOP, &found, &(es_near_query){q, ES_BY_DOT, NULL, 0}, &watch, &err),
        err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    ck_assert_uint_eq(watch.total, 40000);
    ck_assert_uint_lt(watch.done, 40000);
    watch.cancel = false; /* what was measured before is used again */
    float *rows = rows_of(t);
    check_query(n, rows, 39999, ES_BY_COSINE, TOP);
    free(rows);
    es_near_free(n);
    es_table_unref(t);
}
END_TEST

START_TEST(the_devices_agree_to_the_bit)
{
    es_error err = ES_ERROR_NONE;
    es_backend *than = _i ? far_open(1) : es_backend_open("sim", 1, &err);
    es_table *t = es_table_generated(3000, 24, made_row, NULL, 0);
    es_near *ours = es_near_new(t, be, &err), *other = es_near_new(t, than, &err);
    for (es_measure by = ES_BY_COSINE; by <= ES_BY_EUCLID; by++) {
        es_neighbour a[TOP], b[TOP];
        int64_t n, m;
        double q[24];
        for (int c = 0; c < 24; c++)
            q[c] = c - 7.25;
        const es_near_query query = {q, by, NULL, 0};
        ck_assert(es_near_search(ours, a, TOP, &n, &query, NULL, &err));
        ck_assert(es_near_search(other, b, TOP, &m, &query, NULL, &err));
        ck_assert_int_eq(n, m);
        for (int i = 0; i < TOP; i++)
            demand(a[i].id == b[i].id && a[i].score == b[i].score, "place %d", i);
    }
    es_near_free(ours);
    es_near_free(other);
    es_table_unref(t);
    es_backend_close(than);
}
END_TEST

/* The rows are sent once; then each search is one product of the table as it lies there. */
START_TEST(a_table_that_lies_far_away_is_searched_there)
{
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(1);
    es_table *t = es_table_generated(9001, 37, made_row, NULL, 0);
    es_near *n = es_near_new(t, far, &err);
    float *rows = rows_of(t);
    ck_assert_uint_eq(far->in_use, 0); /* nothing before there is a query */
    for (int i = 0; i < 3; i++) {
        check_query(n, rows, 100 * i, ES_BY_COSINE, TOP);
        es_ran ran = es_backend_ran(far);
        ck_assert_uint_eq(ran.launches, 1);
        ck_assert_int_eq(ran.n_beside, i ? 1 : 2);
        ck_assert_str_eq(ran.beside[i ? 0 : 1].what, "the nearest, in float64");
        if (!i)
            ck_assert_str_eq(ran.beside[0].what, "lengths of rows");
    }
    ck_assert_uint_eq(far->in_use, 9001 * 37 * sizeof(float));
    ck_assert_ptr_nonnull(es_table_lies_on(t, far));
    uint64_t state = 3;
    check_many(n, rows, 50, 15, &state);
    ck_assert_uint_eq(es_backend_ran(far).launches, 1 + 50);
    es_near_free(n);
    es_table_unref(t);
    free(rows);
    es_backend_close(far);
}
END_TEST

/* Rows that lie there and nowhere else are read when they matter. */
START_TEST(rows_that_are_only_far_away_are_searched)
{
    enum { V = 60000, C = 300 }; /* more than is kept here */
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(2);
    es_table *made = es_table_generated(V, C, made_row, NULL, 0);
    es_table *t = es_table_of_tensor(es_table_whole(made, far, &err));
    float *rows = rows_of(made);
    uint64_t state = 9;
    es_near *n = es_near_new(t, far, &err);
    check_query(n, rows, 59999, ES_BY_EUCLID, TOP);
    check_many(n, rows, 4, TOP, &state);
    es_near_free(n);
    es_table_unref(t);
    es_table_unref(made);
    free(rows);
    es_backend_close(far);
}
END_TEST

START_TEST(more_queries_than_a_group_and_none_at_all)
{
    es_table *t = es_table_generated(40, 3, made_row, NULL, 0);
    es_backend *far = far_open(1);
    float *rows = rows_of(t);
    uint64_t state = 1;
    for (int i = 0; i < 2; i++) {
        es_error err = ES_ERROR_NONE;
        es_watch watch = {0};
        es_near *n = es_near_new(t, i ? far : be, NULL);
        check_many(n, rows, 2500, 5, &state);
        check_many(n, rows, 30, 100, &state); /* more than there are */
        check_many(n, rows, 3, 0, &state);
        ck_assert(es_near_search_many(n, NULL, 5, NULL, NULL, 0, &watch, &err));
        es_near_query q[2] = {{(double[3]){1, 2, 3}, ES_BY_COSINE, NULL, 0},
                              {(double[3]){0}, ES_BY_COSINE, NULL, 0}};
        es_neighbour best[2];
        int64_t found[2] = {7, 7};
        ck_assert_fails(es_near_search_many(n, best, 1, found, q, 2, &watch, &err), err,
                        ES_ERR_VALUE, "a vector of zeros has no direction to compare by cosine");
        ck_assert(found[0] == 0 && found[1] == 0);
        q[1].by = ES_BY_DOT;
        ck_assert_works(es_near_search_many(n, best, 1, found, q, 2, &watch, &err), err);
        ck_assert_uint_eq(watch.done, 40);
        ck_assert_uint_eq(watch.total, 40);
        watch.cancel = true;
        ck_assert_fails(es_near_search_many(n, best, 1, found, q, 2, &watch, &err), err,
                        ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
        es_near_free(n);
    }
    free(rows);
    es_table_unref(t);
    es_backend_close(far);
}
END_TEST

/* ---- what chance gives ---- */

START_TEST(the_noise_floor_has_closed_forms_for_few_channels)
{
    static const int64_t sizes[] = {2, 3, 10, 1000, 50256, INT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double tail = -expm1(-log(2) / (double)sizes[i]);
        ck_assert_double_eq_tol(es_noise_floor(sizes[i], 2), cos(acos(-1) * tail), 1e-12);
        ck_assert_double_eq_tol(es_noise_floor(sizes[i], 3), 1 - 2 * tail, 1e-12);
        ck_assert_double_eq(es_noise_floor(sizes[i], 1), 1);
    }
    ck_assert_double_eq_tol(es_noise_floor(1, 64), 0, 1e-12);
    /* many channels: a normal distribution of variance 1 / C */
    ck_assert_double_eq_tol(1024 * es_noise_floor(1000, 1 << 20),
                            es_normal_quantile(exp(-log(2) / 1000)), 1e-3);
    for (int64_t C = 2; C < 1 << 20; C *= 2)
        ck_assert_double_lt(es_noise_floor(50256, 2 * C), es_noise_floor(50256, C));
}
END_TEST

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The median of 301 tables drawn at random: its own spread is about a fifteenth of theirs. */
START_TEST(the_noise_floor_is_what_random_tables_reach)
{
    enum { TABLES = 301, N = 300 };
    static const int64_t widths[] = {4, 16, 64};
    int64_t C = widths[_i];
    double best[TABLES], mean = 0, spread = 0;
    for (int k = 0; k < TABLES; k++) {
        best[k] = -1;
        for (int i = 0; i < N; i++) {
            float row[64];
            double sum = 0;
            es_normal_row(row, C, 17, (uint32_t)k, (uint64_t)i, 1);
            for (int64_t c = 0; c < C; c++)
                sum += (double)row[c] * (double)row[c];
            best[k] = fmax(best[k], (double)row[0] / sqrt(sum));
        }
        mean += best[k] / TABLES;
    }
    for (int k = 0; k < TABLES; k++)
        spread += (best[k] - mean) * (best[k] - mean) / TABLES;
    qsort(best, TABLES, sizeof *best, by_value);
    ck_assert_double_eq_tol(es_noise_floor(N, C), best[TABLES / 2],
                            4 * 1.25 * sqrt(spread / TABLES));
}
END_TEST

START_TEST(training_counts_are_known_or_not)
{
    es_model *m = es_model_open("untrained:V=3", 0, NULL);
    ck_assert_int_eq(es_model_count(m, 1), -1);
    m->counts = calloc(3, sizeof *m->counts);
    m->counts[1] = 5112;
    ck_assert_int_eq(es_model_count(m, 1), 5112);
    ck_assert_int_eq(es_model_count(m, 0), 0);
    ck_assert_int_eq(es_model_count(m, 3), -1);
    ck_assert_int_eq(es_model_count(m, -1), -1);
    es_model_unref(m);
}
END_TEST

Suite *near_suite(void)
{
    Suite *s = suite_create("near");
    TCase *tc = tcase_create("near");
    tcase_set_timeout(tc, 120);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_order_is_that_of_float64_for_a_thousand_tokens);
    tcase_add_loop_test(tc, every_kind_of_table_is_searched, 0, 5);
    tcase_add_test(tc, rows_that_are_made_are_searched);
    tcase_add_test(tc, threads_find_what_one_finds);
    tcase_add_loop_test(tc, float32_never_decides, 0, 4);
    tcase_add_test(tc, ties_go_by_id);
    tcase_add_test(tc, nan_inf_and_zeros_are_no_answers);
    tcase_add_test(tc, a_search_stops_and_goes_on_rightly);
    tcase_add_loop_test(tc, the_devices_agree_to_the_bit, 0, 2);
    tcase_add_test(tc, a_table_that_lies_far_away_is_searched_there);
    tcase_add_test(tc, rows_that_are_only_far_away_are_searched);
    tcase_add_test(tc, more_queries_than_a_group_and_none_at_all);
    tcase_add_test(tc, the_noise_floor_has_closed_forms_for_few_channels);
    tcase_add_loop_test(tc, the_noise_floor_is_what_random_tables_reach, 0, 3);
    tcase_add_test(tc, training_counts_are_known_or_not);
    suite_add_tcase(s, tc);
    return s;
}
