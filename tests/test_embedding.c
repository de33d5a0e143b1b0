// SPDX-License-Identifier: GPL-3.0-or-later
/* Tables and the layer, against the definition written as plainly as possible. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/ops.h"
#include "far.h"
#include "layer/embedding.h"
#include "model/model.h"
#include "support.h"

Suite *embedding_suite(void);

enum { V = 11, N_CTX = 6, C = 5 };

static es_backend *be;

enum { FAR = 2, DEVICES }; /* behind cpu and sim */

static void open_device(int i)
{
    es_error err = ES_ERROR_NONE;
    be = i == FAR ? far_open(2) : es_backend_open(es_backend_at(i)->device, 1, &err);
    ck_assert_works(be != NULL, err);
}

static void close_device(void)
{
    ck_assert_uint_eq(be->in_use, 0);
    es_backend_close(be);
}

/* ---- tables ---- */

static void numbered_row(const void *context, int64_t i, float *out, int64_t n)
{
    float factor = *(const float *)context;
    for (int64_t c = 0; c < n; c++)
        out[c] = factor * (float)(i * 10 + c);
}

static es_table *numbered(int64_t rows, int64_t width, float factor)
{
    return es_table_generated(rows, width, numbered_row, &factor, sizeof factor);
}

static int released;

static void release(void *owner)
{
    free(owner);
    released++;
}

/* The same numbers, stored four ways at an odd address. */
START_TEST(a_mapped_table_widens_its_rows)
{
    static const float values[2][3] = {{0, -1.5f, 65504}, {0.25f, INFINITY, 1}};
    static const uint16_t half[2][3] = {{0, 0xBE00, 0x7BFF}, {0x3400, 0x7C00, 0x3C00}};
    static const uint16_t brain[2][3] = {{0, 0xBFC0, 0x4780}, {0x3E80, 0x7F80, 0x3F80}};
    double wide[2][3];
    for (int i = 0; i < 6; i++)
        wide[i / 3][i % 3] = (double)values[i / 3][i % 3];
    const void *stored[] = {values, half, brain, wide};
    for (es_store store = ES_STORE_F32; store <= ES_STORE_F64; store++) {
        size_t bytes = 6 * es_store_size(store);
        char *owner = malloc(bytes + 1);
        memcpy(owner + 1, stored[store], bytes);
        es_table *t = es_table_mapped(owner + 1, store, 2, 3, owner, release);
        es_table_ref(t);
        es_table_unref(t);
        for (int64_t i = 0; i < 2; i++) {
            float row[3];
            ck_assert(es_table_row(t, i, row, NULL));
            for (int c = 0; c < 3; c++) {
                float want = store == ES_STORE_BF16 && i == 0 && c == 2 ? 65536 : values[i][c];
                ck_assert_msg(row[c] == want, "%s [%d, %d] is %g", es_store_name(store), (int)i, c,
                              (double)row[c]);
            }
        }
        es_table_unref(t);
    }
    ck_assert_int_eq(released, 4);
}
END_TEST

START_TEST(half_precision_is_exact_in_all_its_numbers)
{
    for (uint32_t bits = 0; bits < 0x10000; bits++) {
        uint16_t h = (uint16_t)bits;
        es_table *t = es_table_mapped(&h, ES_STORE_F16, 1, 1, NULL, NULL);
        float got;
        demand(es_table_row(t, 0, &got, NULL), "half %04X", bits);
        int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
        double want = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? ldexp(fraction, -24)
                                      : ldexp(1024 + fraction, exponent - 25);
        want = bits & 0x8000 ? -want : want;
        demand((isnan(want) && isnan(got)) || (double)got == want, "half %04X is %g, not %g", bits,
               (double)got, want);
        es_table_unref(t);
    }
}
END_TEST

START_TEST(three_sources_give_the_same_rows)
{
    open_device(_i);
    es_error err = ES_ERROR_NONE;
    es_table *generated = numbered(V, C, 0.5f);
    const es_tensor *whole = es_table_whole(generated, be, &err);
    ck_assert_works(whole != NULL, err);
    ck_assert_uint_eq(be->in_use, V * C * sizeof(float));         /* counted */
    ck_assert_ptr_eq(es_table_whole(generated, be, &err), whole); /* made once */
    es_table *memory = es_table_of_tensor(whole);
    float *flat = malloc(V * C * sizeof *flat);
    ck_assert(es_tensor_read(whole, flat, NULL));
    es_table *mapped = es_table_mapped(flat, ES_STORE_F32, V, C, flat, free);

    const int32_t ids[] = {3, 10, 0, 3, 7, 7};
    es_shape shape = es_shape_3d("B", 2, "T", 3, "C", C);
    es_table *tables[] = {generated, memory, mapped};
    for (int k = 0; k < 3; k++) {
        es_tensor out;
        float got[6 * C];
        ck_assert_int_eq(es_table_rows(tables[k]), V);
        ck_assert_int_eq(es_table_width(tables[k]), C);
        ck_assert(es_tensor_new(&out, be, ES_FLOAT32, &shape, NULL));
        ck_assert_works(es_table_gather(&out, tables[k], ids, "wte", &err), err);
        ck_assert(es_tensor_read(&out, got, NULL));
        for (int i = 0; i < 6 * C; i++)
            ck_assert_float_eq(got[i], 0.5f * (float)(ids[i / C] * 10 + i % C));
        es_tensor_free(&out);
        es_table_unref(tables[k]);
    }
    close_device();
}
END_TEST

/* ---- the whole on a device ---- */

static float *read_all(const es_tensor *t)
{
    float *all = malloc((size_t)es_shape_count(&t->shape) * sizeof *all);
    ck_assert(es_tensor_read(t, all, NULL));
    return all;
}

/* More than a block, so that it is sent in several. */
START_TEST(a_whole_far_away_is_the_table)
{
    enum { ROWS = 5003, WIDTH = 601 };
    es_error err = ES_ERROR_NONE;
    float *flat = malloc((size_t)ROWS * WIDTH * sizeof *flat);
    for (int64_t i = 0; i < ROWS; i++)
        numbered_row(&(float){0.5f}, i, flat + i * WIDTH, WIDTH);
    es_backend *cpu = es_backend_open("cpu", 1, &err);
    open_device(FAR);
    es_table *tables[] = {numbered(ROWS, WIDTH, 0.5f),
                          es_table_mapped(flat, ES_STORE_F32, ROWS, WIDTH, NULL, NULL), NULL};
    tables[2] = es_table_of_tensor(es_table_whole(tables[0], cpu, &err));
    for (int k = 0; k < 3; k++) {
        const es_tensor *whole = es_table_whole(tables[k], be, &err);
        ck_assert_works(whole, err);
        float *all = read_all(whole);
        ck_assert_mem_eq(all, flat, (size_t)ROWS * WIDTH * sizeof *all);
        free(all);
    }
    es_table *back = es_table_of_tensor(es_table_lies_on(tables[0], be));
    float *all = read_all(es_table_whole(back, cpu, &err)); /* and home again */
    ck_assert_mem_eq(all, flat, (size_t)ROWS * WIDTH * sizeof *all);
    free(all);
    es_table_unref(back);
    for (int k = 0; k < 3; k++)
        es_table_unref(tables[k]);
    free(flat);
    close_device();
    es_backend_close(cpu);
}
END_TEST

START_TEST(a_table_lies_on_several_devices_at_once)
{
    es_error err = ES_ERROR_NONE;
    es_backend *cpu = es_backend_open("cpu", 1, &err);
    open_device(FAR);
    es_table *t = numbered(V, C, 1);
    ck_assert_ptr_null(es_table_lies_on(t, be));
    const es_tensor *far = es_table_whole(t, be, &err), *near = es_table_whole(t, cpu, &err);
    ck_assert(far != near && far->buf->be == be && near->buf->be == cpu);
    ck_assert_ptr_eq(es_table_lies_on(t, be), far); /* what was lent is still there */
    ck_assert_ptr_eq(es_table_lies_on(t, cpu), near);
    es_tensor kept;
    es_tensor_view(&kept, far);
    es_table_leave(t, be);
    ck_assert_ptr_null(es_table_lies_on(t, be));
    ck_assert_ptr_eq(es_table_lies_on(t, cpu), near);
    float *all = read_all(&kept);
    ck_assert_float_eq(all[V * C - 1], (V - 1) * 10 + C - 1);
    free(all);
    es_tensor_free(&kept);
    ck_assert_uint_eq(be->in_use, 0);
    es_table_unref(t);
    close_device();
    es_backend_close(cpu);
}
END_TEST

static void *want_whole(void *table)
{
    return (void *)es_table_whole(table, be, NULL);
}

START_TEST(threads_that_want_the_whole_get_the_same)
{
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    void *got[THREADS];
    open_device(FAR);
    es_table *t = numbered(2000, 64, 1);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, want_whole, t), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], &got[i]);
    for (int i = 0; i < THREADS; i++)
        ck_assert(got[i] && got[i] == got[0]);
    ck_assert_uint_eq(be->in_use, 2000 * 64 * sizeof(float));
    es_table_unref(t);
    close_device();
}
END_TEST

START_TEST(rows_that_lie_far_away_are_taken_there)
{
    es_error err = ES_ERROR_NONE;
    const int32_t ids[] = {3, 10, 0, 3, 7, 7};
    es_shape shape = es_shape_3d("B", 2, "T", 3, "C", C);
    es_tensor out;
    open_device(FAR);
    es_table *t = numbered(V, C, 1);
    ck_assert(es_tensor_new(&out, be, ES_FLOAT32, &shape, NULL));
    ck_assert_works(es_table_gather(&out, t, ids, "wte", &err), err);
    es_ran ran = es_backend_ran(be); /* made here, and sent */
    ck_assert_uint_eq(ran.launches, 0);
    ck_assert_int_eq(ran.n_beside, 1);
    ck_assert_str_eq(ran.beside[0].what, "rows of a table");
    ck_assert(es_table_whole(t, be, &err) != NULL);
    ck_assert_works(es_table_gather(&out, t, ids, "wte", &err), err);
    ran = es_backend_ran(be);
    ck_assert_uint_eq(ran.launches, 1);
    ck_assert_int_eq(ran.n_beside, 0);
    es_tensor_free(&out);
    es_table_unref(t);
    close_device();
}
END_TEST

START_TEST(the_first_number_that_is_none_is_found)
{
    static float values[400][1000];
    int64_t row = -1, channel = -1;
    es_watch watch = {.cancel = false};
    es_table *t = es_table_mapped(values, ES_STORE_F32, 400, 1000, NULL, NULL);
    ck_assert(!es_table_first_nonfinite(t, &row, &channel, &watch));
    values[399][999] = NAN;
    ck_assert(es_table_first_nonfinite(t, &row, &channel, &watch));
    ck_assert(row == 399 && channel == 999);
    values[7][3] = -INFINITY;
    values[7][4] = NAN;
    ck_assert(es_table_first_nonfinite(t, &row, &channel, NULL));
    ck_assert(row == 7 && channel == 3);
    values[7][3] = values[7][4] = FLT_MAX;
    watch.cancel = true; /* long before row 399 */
    ck_assert(!es_table_first_nonfinite(t, &row, &channel, &watch));
    es_table_unref(t);

    static const double wide[2] = {1, 1e300}; /* infinite once it is a float32 */
    t = es_table_mapped(wide, ES_STORE_F64, 1, 2, NULL, NULL);
    ck_assert(es_table_first_nonfinite(t, &row, &channel, NULL));
    ck_assert(row == 0 && channel == 1);
    es_table_unref(t);
}
END_TEST

START_TEST(an_endless_table_has_no_whole)
{
    open_device(0);
    es_error err = ES_ERROR_NONE;
    es_table *t = es_position_sinusoidal(C);
    ck_assert_fails(es_table_whole(t, be, &err), err, ES_ERR_VALUE,
                    "this table has no last row, so there is no whole of it");
    es_table_unref(t);
    close_device();
}
END_TEST

/* ---- positions ---- */

START_TEST(sinusoidal_rows_are_sines_and_cosines)
{
    es_table *t = es_position_sinusoidal(7); /* odd widths too */
    float row[7];
    ck_assert(es_table_row(t, 0, row, NULL));
    for (int c = 0; c < 7; c++)
        ck_assert_float_eq(row[c], c % 2 ? 1 : 0);
    ck_assert(es_table_row(t, 1000000, row, NULL));
    for (int c = 0; c < 7; c++) {
        double angle = 1e6 / pow(10000, (c / 2 * 2) / 7.0);
        ck_assert_double_eq_tol((double)row[c], c % 2 ? cos(angle) : sin(angle), 1e-7);
    }
    es_table_unref(t);
}
END_TEST

/* ---- the layer ---- */

static void reference(float *out, const es_embedding *e, const int32_t *ids, int64_t B, int64_t T,
                      int64_t pos0)
{
    float token[C], place[C] = {0};
    for (int64_t i = 0; i < B * T; i++) {
        ck_assert(es_table_row(e->wte, ids[i], token, NULL));
        if (e->wpe)
            ck_assert(es_table_row(e->wpe, pos0 + i % T, place, NULL));
        for (int c = 0; c < C; c++)
            out[i * C + c] = token[c] + place[c];
    }
}

static void check_forward(const es_embedding *e, int64_t B, int64_t T, int64_t pos0)
{
    es_error err = ES_ERROR_NONE;
    int32_t ids[64] = {0};
    float want[64 * C], got[64 * C];
    es_embedded out;
    for (int64_t i = 0; i < B * T; i++)
        ids[i] = (int32_t)(i * 7 % V);
    ck_assert_works(es_embedding_forward(&out, e, ids, B, T, pos0, &err), err);
    reference(want, e, ids, B, T, pos0);
    ck_assert(es_tensor_read(&out.x, got, NULL));
    for (int64_t i = 0; i < B * T * C; i++)
        ck_assert_float_eq(got[i], want[i]);
    es_str shown = {0};
    es_shape_show(&shown, &out.x.shape);
    ck_assert_ptr_nonnull(strstr(shown.s, "B="));
    es_str_free(&shown);
    if (e->wpe) {
        ck_assert_int_eq(out.pos_emb.shape.dim[0], 1);
        ck_assert_int_eq(out.pos_emb.shape.dim[1], T);
    } else {
        ck_assert_ptr_null(out.pos_emb.buf);
    }
    es_embedded_free(&out);
}

START_TEST(x_is_the_sum_by_definition)
{
    open_device(_i);
    es_embedding e = {.be = be, .wte = numbered(V, C, 0.1f), .wpe = numbered(N_CTX, C, 0.01f)};
    check_forward(&e, 1, 1, 0);
    check_forward(&e, 3, 4, 0);
    check_forward(&e, 2, N_CTX, 0); /* exactly n_ctx pass */
    check_forward(&e, 2, 2, N_CTX - 2);
    check_forward(&e, 1, 0, 0);
    es_table_unref(e.wpe);
    e.positions = ES_POSITIONS_SINUSOIDAL;
    e.wpe = es_position_sinusoidal(C);
    check_forward(&e, 2, 20, 1000);
    es_table_unref(e.wpe);
    e.positions = ES_POSITIONS_NONE;
    e.wpe = NULL;
    check_forward(&e, 2, 20, 0);
    es_table_unref(e.wte);
    close_device();
}
END_TEST

/* ---- x alone ---- */

/* Random numbers of a format at an odd address; not-a-numbers and infinities among those of 16 bits. */
static es_table *random_mapped(es_store store, int64_t rows, int64_t width, uint64_t *state)
{
    size_t n = (size_t)(rows * width), size = es_store_size(store);
    unsigned char *owner = malloc(n * size + 1);
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = next_random(state);
        float number = (float)(int32_t)bits * 0x1p-31f;
        double wide = (double)number / 3;
        memcpy(owner + 1 + i * size,
               store == ES_STORE_F64   ? (void *)&wide
               : store == ES_STORE_F32 ? (void *)&number
                                       : (void *)&bits,
               size);
    }
    return es_table_mapped(owner + 1, store, rows, width, owner, free);
}

static void check_x(const es_embedding *e, int64_t B, int64_t T, uint64_t *state, const char *what)
{
    int64_t rows = es_table_rows(e->wte), width = es_table_width(e->wte), n = B * T * width;
    int32_t *ids = malloc((size_t)(B * T) * sizeof *ids);
    for (int64_t i = 0; i < B * T; i++)
        ids[i] = (int32_t)random_below(state, (uint32_t)rows);
    float *x = malloc((size_t)(n + 1) * sizeof *x), *want = malloc((size_t)(n + 1) * sizeof *x);
    es_error err = ES_ERROR_NONE;
    es_embedded all;
    ck_assert_works(es_embedding_forward(&all, e, ids, B, T, 0, &err), err);
    ck_assert_works(es_tensor_read(&all.x, want, &err), err);
    x[n] = 42;
    ck_assert_works(es_embedding_x(x, e, ids, B, T, 0, &err), err);
    for (int64_t i = 0; i < n; i++)
        demand(x[i] == want[i] || (isnan(x[i]) && isnan(want[i])),
               "%s, (%d, %d, %d), number %d: %g, not %g", what, (int)B, (int)T, (int)width, (int)i,
               (double)x[i], (double)want[i]);
    ck_assert_float_eq(x[n], 42);
    ids[B * T - 1] = (int32_t)rows;
    ck_assert(!es_embedding_x(x, e, ids, B, T, 0, &err));
    ck_assert_str_eq(es_code_name(err.code), "index_range");
    es_error_free(&err);
    es_embedded_free(&all);
    free(ids);
    free(x);
    free(want);
}

START_TEST(x_alone_is_the_same_x)
{
    static const int64_t widths[] = {1, 3, 16, 20, 64, 100, 2048, 2052, 5000};
    uint64_t state = 31;
    es_error err = ES_ERROR_NONE;
    be = es_backend_open("cpu", 3, &err);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (es_store store = ES_STORE_F32; store <= ES_STORE_F64; store++) {
            es_table *wte = random_mapped(store, 50, widths[w], &state),
                     *wpe = random_mapped((es_store)(3 - store), 9, widths[w], &state),
                     *waves = es_position_sinusoidal(widths[w]);
            es_embedding e = {be, ES_POSITIONS_LEARNED, wte, wpe};
            check_x(&e, 3, 9, &state, es_store_name(store));
            e.positions = ES_POSITIONS_SINUSOIDAL;
            e.wpe = waves;
            check_x(&e, 1, 20, &state, "sinusoidal");
            e.positions = ES_POSITIONS_NONE;
            e.wpe = NULL;
            check_x(&e, 2, 7, &state, "none");
            es_table_unref(wte);
            es_table_unref(wpe);
            es_table_unref(waves);
        }
    es_model *m = es_model_open("untrained:V=100", 0, &err);
    es_embedding e = {be, ES_POSITIONS_LEARNED, m->wte, m->wpe};
    check_x(&e, 2, 30, &state, "untrained");
    const es_tensor *wte = es_table_whole(m->wte, be, &err),
                    *wpe = es_table_whole(m->wpe, be, &err);
    e.wte = es_table_of_tensor(wte);
    e.wpe = es_table_of_tensor(wpe);
    check_x(&e, thoroughness(40, 2), 1000, &state, "in memory, by threads and past the caches");
    es_table_unref(e.wte);
    es_table_unref(e.wpe);
    es_model_unref(m);
    close_device();
}
END_TEST

/* Where wte lies on a device far away x is made there, in one launch a piece. */
START_TEST(x_is_made_where_wte_lies)
{
    uint64_t state = 31;
    es_error err = ES_ERROR_NONE;
    open_device(FAR);
    for (es_store store = ES_STORE_F32; store <= ES_STORE_F64; store++) {
        es_table *wte = random_mapped(store, 50, 2052, &state),
                 *wpe = random_mapped(store, 1100, 2052, &state),
                 *waves = es_position_sinusoidal(2052);
        es_embedding e = {be, ES_POSITIONS_LEARNED, wte, wpe};
        check_x(&e, 3, 9, &state, "nothing lies there yet");
        ck_assert_int_gt(es_backend_ran(be).n_beside, 0);
        ck_assert(es_table_whole(wte, be, &err) && es_table_whole(wpe, be, &err));
        check_x(&e, 3, 9, &state, "both lie there");
        es_ran ran = es_backend_ran(be);
        ck_assert_int_eq(ran.n_beside, 0);
        ck_assert_uint_eq(ran.launches, 3 + 2); /* tok_emb, pos_emb and their sum; pos_emb and x */
        if (store == ES_STORE_F32) {
            check_x(&e, 2, 1100, &state, "sentences one by one");
            check_x(&e, 3, 700, &state, "two at a time");
        }
        e.wpe = waves;
        e.positions = ES_POSITIONS_SINUSOIDAL;
        check_x(&e, 1, store == ES_STORE_F32 ? 2100 : 20, &state, "one in parts");
        e.wpe = NULL;
        e.positions = ES_POSITIONS_NONE;
        check_x(&e, 2, 7, &state, "none");
        es_table_unref(wte);
        es_table_unref(wpe);
        es_table_unref(waves);
    }
    close_device();
}
END_TEST

START_TEST(x_alone_on_the_device_is_one_launch_more_than_pos_emb)
{
    es_error err = ES_ERROR_NONE;
    int32_t ids[] = {1, 0, 10, 3, 3, 9};
    es_shape shape = es_shape_3d("B", 2, "T", 3, "C", C);
    float want[6 * C], got[6 * C];
    es_tensor x;
    open_device(FAR);
    es_embedding e = {.be = be, .wte = numbered(V, C, 0.1f), .wpe = numbered(N_CTX, C, 0.01f)};
    ck_assert(es_table_whole(e.wte, be, &err) && es_table_whole(e.wpe, be, &err));
    ck_assert(es_tensor_new(&x, be, ES_FLOAT32, &shape, NULL));
    ck_assert_works(es_embedding_x_there(&x, &e, ids, 2, &err), err);
    ck_assert_uint_eq(es_backend_ran(be).launches, 2);
    reference(want, &e, ids, 2, 3, 2);
    ck_assert(es_tensor_read(&x, got, NULL));
    ck_assert_mem_eq(got, want, sizeof got);
    ids[4] = V;
    ck_assert_fails(es_embedding_x_there(&x, &e, ids, 2, &err), err, ES_ERR_INDEX_RANGE,
                    "id 11 at [1, 1] is outside wte (11 rows: 0..10)");
    ck_assert_fails(es_embedding_x_there(&x, &e, ids, 4, &err), err, ES_ERR_CONTEXT_OVERFLOW,
                    "Sequence length (7) exceeds maximum context window (6)");
    es_tensor_free(&x);
    es_table_unref(e.wte);
    es_table_unref(e.wpe);
    close_device();
}
END_TEST

START_TEST(the_guard_speaks_the_articles_words)
{
    open_device(0);
    es_error err = ES_ERROR_NONE;
    es_embedding e = {.be = be, .wte = numbered(V, C, 1), .wpe = numbered(1024, C, 1)};
    static const int32_t ids[1030];
    es_embedded out;
    ck_assert(!es_embedding_forward(&out, &e, ids, 1, 1030, 0, &err));
    ck_assert_str_eq(
        err.hint,
        "wpe has one learned row for each of 1024 positions, 0..1023; there is none for position "
        "1024.\ntry: shorten the text by 6 tokens, or :positions sinusoidal, which has no "
        "last row");
    ck_assert_ptr_null(out.x.buf);
    ck_assert_fails(es_embedding_forward(&out, &e, ids, 1, 1030, 0, &err), err,
                    ES_ERR_CONTEXT_OVERFLOW,
                    "Sequence length (1030) exceeds maximum context window (1024)");
    ck_assert(es_embedding_guard(&e, 1024, &err));
    ck_assert(!es_embedding_guard(&e, 1025, &err));
    es_error_free(&err);
    e.positions = ES_POSITIONS_NONE;
    ck_assert(es_embedding_guard(&e, 1 << 30, &err));
    es_table_unref(e.wte);
    es_table_unref(e.wpe);
    close_device();
}
END_TEST

START_TEST(bad_ids_are_named_by_sentence_and_place)
{
    open_device(_i);
    es_error err = ES_ERROR_NONE;
    es_embedding e = {.be = be, .wte = numbered(V, C, 1), .wpe = numbered(N_CTX, C, 1)};
    const int32_t ids[] = {1, 2, 3, 4, 5, V};
    es_embedded out;
    ck_assert_fails(es_embedding_forward(&out, &e, ids, 2, 3, 0, &err), err, ES_ERR_INDEX_RANGE,
                    "id 11 at [1, 2] is outside wte (11 rows: 0..10)");
    es_table *narrow = numbered(N_CTX, C - 1, 1);
    es_embedding unequal = e;
    unequal.wpe = narrow;
    ck_assert_fails(es_embedding_forward(&out, &unequal, ids, 1, 2, 0, &err), err, ES_ERR_BROADCAST,
                    "wte has C=5 channels but wpe has C=4");
    es_table_unref(narrow);
    es_table_unref(e.wte);
    es_table_unref(e.wpe);
    close_device();
}
END_TEST

/* ---- models ---- */

START_TEST(untrained_is_gpt2s_initialisation)
{
    es_error err = ES_ERROR_NONE;
    es_model *m = es_model_open("untrained", 0, &err);
    ck_assert_works(m != NULL, err);
    ck_assert_int_eq(m->config.vocab_size, 50257);
    ck_assert_int_eq(m->config.n_ctx, 1024);
    ck_assert_int_eq(m->config.n_embd, 64);
    double sum[2] = {0};
    for (int64_t i = 0; i < 1000; i++) {
        float row[2][64];
        demand(es_table_row(m->wte, i * 50, row[0], NULL) && es_table_row(m->wpe, i, row[1], NULL),
               "row %d", (int)i);
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 64; c++)
                sum[k] += (double)row[k][c] * (double)row[k][c];
    }
    ck_assert_double_eq_tol(sqrt(sum[0] / 64000), 0.02, 0.0003);
    ck_assert_double_eq_tol(sqrt(sum[1] / 64000), 0.01, 0.00015);
    es_model_unref(es_model_ref(m));
    es_model_unref(m);

    m = es_model_open("untrained:C=768,n_ctx=16,V=50", 1, &err);
    ck_assert_works(m != NULL, err);
    ck_assert(m->config.n_embd == 768 && m->config.n_ctx == 16 && m->config.vocab_size == 50);
    es_model_unref(m);
}
END_TEST

/* Bits, not tolerances: every machine makes the same tables. */
START_TEST(untrained_numbers_are_the_same_everywhere)
{
    es_model *m = es_model_open("untrained", 0, NULL);
    float row[64];
    uint32_t bits[4];
    ck_assert(es_table_row(m->wte, 464, row, NULL));
    memcpy(bits, row, sizeof bits);
    ck_assert_msg(bits[0] == 0x3D1E17A4 && bits[1] == 0xBC840850 && bits[2] == 0x3CA37F76 &&
                      bits[3] == 0xBBE3D36A,
                  "%08X %08X %08X %08X", bits[0], bits[1], bits[2], bits[3]);
    es_model_unref(m);
}
END_TEST

START_TEST(a_wrong_model_name_says_why)
{
    es_error err = ES_ERROR_NONE;
    ck_assert_fails(es_model_open("untrained:C=0", 0, &err), err, ES_ERR_VALUE,
                    "C of an untrained model is a number from 1 to 1048576");
    ck_assert_fails(es_model_open("untrained:C=7x", 0, &err), err, ES_ERR_VALUE,
                    "C of an untrained model is a number from 1 to 1048576");
    ck_assert_fails(es_model_open("untrained:D=7", 0, &err), err, ES_ERR_VALUE,
                    "an untrained model has no size \"D=7\"");
    ck_assert_fails(es_model_open("untrainedly", 0, &err), err, ES_ERR_NAME,
                    "there is no model \"untrainedly\"");
    ck_assert_fails(es_model_open("./x.safetensors", 0, &err), err, ES_ERR_IO,
                    "cannot open ./x.safetensors: No such file or directory");
}
END_TEST

Suite *embedding_suite(void)
{
    Suite *s = suite_create("embedding");
    TCase *tc = tcase_create("embedding");
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, a_mapped_table_widens_its_rows);
    tcase_add_test(tc, half_precision_is_exact_in_all_its_numbers);
    tcase_add_loop_test(tc, three_sources_give_the_same_rows, 0, DEVICES);
    tcase_add_test(tc, a_whole_far_away_is_the_table);
    tcase_add_test(tc, a_table_lies_on_several_devices_at_once);
    tcase_add_test(tc, threads_that_want_the_whole_get_the_same);
    tcase_add_test(tc, rows_that_lie_far_away_are_taken_there);
    tcase_add_test(tc, the_first_number_that_is_none_is_found);
    tcase_add_test(tc, an_endless_table_has_no_whole);
    tcase_add_test(tc, sinusoidal_rows_are_sines_and_cosines);
    tcase_add_loop_test(tc, x_is_the_sum_by_definition, 0, DEVICES);
    tcase_add_test(tc, x_alone_is_the_same_x);
    tcase_add_test(tc, x_is_made_where_wte_lies);
    tcase_add_test(tc, x_alone_on_the_device_is_one_launch_more_than_pos_emb);
    tcase_add_test(tc, the_guard_speaks_the_articles_words);
    tcase_add_loop_test(tc, bad_ids_are_named_by_sentence_and_place, 0, DEVICES);
    tcase_add_test(tc, untrained_is_gpt2s_initialisation);
    tcase_add_test(tc, untrained_numbers_are_the_same_everywhere);
    tcase_add_test(tc, a_wrong_model_name_says_why);
    suite_add_tcase(s, tc);
    return s;
}
