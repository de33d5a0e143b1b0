// SPDX-License-Identifier: GPL-3.0-or-later
/* What is particular about copies, maps, gather and scatter_add on an OpenCL device; that they compute what `ref` computes is in
 * test_backends.c. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/ops.h"
#include "gpu.h"
#include "gpu_pair.h"
#include "support.h"

Suite *opencl_slots_suite(void);

enum { LONG_TEST = 180, MANY = 3000001, REST = 64, MOST_OFFSET = 5, THREADS = 2, TURNS = 60 };

static uint64_t state = 7;

static pair random_pair(const es_shape *shape)
{
    pair p;
    uint64_t again = next_random(&state) | 1, same = again;
    random_tensor(&p.on[0], pair_ref, shape, &again);
    random_tensor(&p.on[1], pair_gpu, shape, &same);
    return p;
}

static pair random_matrix(int64_t rows, int64_t cols)
{
    es_shape shape = es_shape_2d("", rows, "", cols);
    return random_pair(&shape);
}

static pair slice(const pair *p, int axis, int64_t from, int64_t to)
{
    pair s;
    for (int i = 0; i < 2; i++)
        demand(es_tensor_slice(&s.on[i], &p->on[i], axis, from, to, NULL), "slice");
    return s;
}

static void map(es_map_op op, pair *out, const pair *x, const pair *y)
{
    for (int i = 0; i < 2; i++)
        demand(es_map(op, &out->on[i], &x->on[i], y ? &y->on[i] : NULL, NULL), "map");
}

static void copy(pair *out, const pair *x)
{
    for (int i = 0; i < 2; i++)
        demand(es_copy(&out->on[i], &x->on[i], NULL), "copy");
}

static float *values(const es_tensor *t)
{
    float *v = malloc((size_t)es_shape_count(&t->shape) * sizeof *v);
    demand(v && es_tensor_read(t, v, NULL), "read");
    return v;
}

/* Every bit of it; also around a slice that was written to, if p is all of the memory. */
static void check_same(const pair *p, const char *what)
{
    float *want = values(&p->on[0]), *got = values(&p->on[1]);
    for (int64_t i = 0, n = es_shape_count(&p->on[0].shape); i < n; i++)
        demand(memcmp(&want[i], &got[i], sizeof *want) == 0,
               "%s: number %lld is %.9g, should be %.9g", what, (long long)i, (double)got[i],
               (double)want[i]);
    free(want);
    free(got);
}

/* ---- sizes ---- */

static void large_maps(void)
{
    pair x = random_matrix(1, MANY), y = random_matrix(1, MANY), out = random_matrix(1, MANY);
    map(ES_MUL, &out, &x, &y);
    check_same(&out, "x * y");
    map(ES_NEG, &x, &x, NULL);
    check_same(&x, "-x");
    pair_free(&x);
    pair_free(&y);
    pair_free(&out);
}

static void large_copies(void)
{
    pair x = random_matrix(1501, 2003), out = random_matrix(2003, 1501), turned;
    for (int i = 0; i < 2; i++)
        demand(es_tensor_transpose(&turned.on[i], &x.on[i], 0, 1, NULL), "transpose");
    copy(&out, &turned);
    check_same(&out, "a copy of x.T");
    check_same(&turned, "x.T");
    pair_free(&x);
    pair_free(&turned);
    pair_free(&out);
}

/* B sentences of T tokens; the ids are freed by the caller. */
static int32_t *random_ids(int64_t n, uint32_t V)
{
    int32_t *ids = malloc((size_t)n * sizeof *ids);
    for (int64_t i = 0; i < n; i++)
        ids[i] = (int32_t)random_below(&state, V);
    return ids;
}

static void gather(pair *out, const pair *table, const int32_t *ids, const pair *add)
{
    for (int i = 0; i < 2; i++)
        demand(es_gather(&out->on[i], &table->on[i], ids, add ? &add->on[i] : NULL, NULL),
               "gather");
}

static void scatter_add(pair *table, const int32_t *ids, const pair *rows)
{
    for (int i = 0; i < 2; i++)
        demand(es_scatter_add(&table->on[i], ids, &rows->on[i], NULL), "scatter_add");
}

/* (B, T, C) with and without an addition of (T, C), and of (B, T, C). */
static void lookups_of(int64_t B, int64_t T, int64_t C, int64_t V)
{
    es_shape shape = es_shape_3d("B", B, "T", T, "C", C);
    pair table = random_matrix(V, C), add = random_matrix(T, C), out = random_pair(&shape),
         each = random_pair(&shape);
    int32_t *ids = random_ids(B * T, (uint32_t)V);
    gather(&out, &table, ids, NULL);
    check_same(&out, "gather");
    gather(&out, &table, ids, &add);
    check_same(&out, "gather + add");
    gather(&out, &table, ids, &each);
    check_same(&out, "gather + add of its own");
    free(ids);
    pair_free(&table);
    pair_free(&add);
    pair_free(&out);
    pair_free(&each);
}

static void large_lookups(void)
{
    lookups_of(32, 200, 192, 5000); /* in fours */
    lookups_of(16, 128, 99, 5000);  /* one by one */
    lookups_of(40000, 1, 8, 300);   /* many sentences of one token */
    lookups_of(1, 70000, 4, 300);   /* more rows than there are work-items */
    lookups_of(2, 3, 1000, 9);
}

START_TEST(large_tensors_are_computed_to_their_end)
{
    on_each_gpu(large_maps, false);
    on_each_gpu(large_copies, false);
    on_each_gpu(large_lookups, false);
}
END_TEST

/* ---- places ---- */

static void offset_maps(void)
{
    for (int k = 0; k < MOST_OFFSET * MOST_OFFSET; k++) {
        int64_t n = 30 + k % 7, a = k % MOST_OFFSET, b = k / MOST_OFFSET;
        pair x = random_matrix(1, REST), y = random_matrix(1, REST), out = random_matrix(1, REST);
        pair sx = slice(&x, 1, a, a + n), sy = slice(&y, 1, b, b + n),
             so = slice(&out, 1, (a + b) % MOST_OFFSET, (a + b) % MOST_OFFSET + n);
        map(ES_SUB, &so, &sx, &sy);
        check_same(&out, "a slice and what is around it");
        copy(&sy, &so);
        check_same(&y, "a slice that was copied to, and what is around it");
        for (int i = 0; i < 2; i++) {
            float *v = values(&sy.on[i]);
            demand(es_tensor_write(&sx.on[i], v, NULL), "write");
            free(v);
        }
        check_same(&x, "a slice that was written to, and what is around it");
        pair *all[] = {&x, &y, &out, &sx, &sy, &so};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            pair_free(all[i]);
    }
}

static void offset_lookups(void)
{
    static const int64_t channels[] = {4, 7, 8, 12, 48};
    const int64_t B = 3, T = 5, V = 20;
    for (int k = 0; k < 5 * MOST_OFFSET * 3; k++) {
        int64_t C = channels[k % 5], at = k / 5 % MOST_OFFSET;
        int who = k / 5 / MOST_OFFSET; /* which of the three is a slice */
        es_shape wide = es_shape_3d("B", B, "T", T, "C", C + (who == 0 ? 2 * MOST_OFFSET : 0));
        pair out = random_pair(&wide), table = random_matrix(V, C + (who == 1 ? 8 : 0)),
             add = random_matrix(T, C + (who == 2 ? 8 : 0));
        pair so = slice(&out, 2, who == 0 ? at : 0, (who == 0 ? at : 0) + C),
             st = slice(&table, 1, who == 1 ? at : 0, (who == 1 ? at : 0) + C),
             sa = slice(&add, 1, who == 2 ? at : 0, (who == 2 ? at : 0) + C),
             first = slice(&sa, 0, 0, T);
        int32_t *ids = random_ids(B * T, (uint32_t)V);
        gather(&so, &st, ids, k % 2 ? &sa : NULL);
        check_same(&out, "gather into a slice, and what is around it");
        scatter_add(&st, ids, &first);
        check_same(&table, "scatter_add to a slice, and what is around it");
        free(ids);
        pair *all[] = {&out, &table, &add, &so, &st, &sa, &first};
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            pair_free(all[i]);
    }
}

/* The first of each four numbers. */
static pair one_of_four(const pair *p)
{
    pair s = slice(p, p->on[0].shape.ndim - 1, 0, 1);
    s.on[0].shape.ndim--;
    s.on[1].shape.ndim--;
    return s;
}

/* Channels that do not lie side by side, in each of the three: all else is in fours. */
static void channels_apart(void)
{
    enum { B = 2, T = 3, C = 8, V = 10 };
    es_shape of_out = es_shape_3d("B", B, "T", T, "C", C),
             of_table = es_shape_3d("", V, "", C, "", 4), of_add = es_shape_3d("", T, "", C, "", 4),
             wide = of_out;
    wide.ndim = 4;
    wide.dim[3] = 4;
    pair all[] = {random_pair(&of_out), random_matrix(V, C),    random_matrix(T, C),
                  random_pair(&wide),   random_pair(&of_table), random_pair(&of_add)};
    int32_t *ids = random_ids(B * T, V);
    for (int i = 0; i < 3; i++) {
        pair apart = one_of_four(&all[3 + i]);
        gather(i == 0 ? &apart : &all[0], i == 1 ? &apart : &all[1], ids,
               i == 2 ? &apart : &all[2]);
        check_same(i == 0 ? &all[3] : &all[0], "gather of channels that lie apart");
        pair_free(&apart);
    }
    free(ids);
    for (int i = 0; i < 6; i++)
        pair_free(&all[i]);
}

START_TEST(slices_begin_where_they_like_and_nothing_beside_them_changes)
{
    on_each_gpu(offset_maps, false);
    on_each_gpu(offset_lookups, false);
    on_each_gpu(channels_apart, false);
}
END_TEST

/* 41 rows, the middle of wider ones; y stretches over them. */
static void stretch(int64_t cols, const int64_t *size, int64_t from, int64_t wide)
{
    pair x = random_matrix(41, wide), y = random_matrix(size[0], size[1]),
         out = random_matrix(41, wide + 4), sx = slice(&x, 1, from, from + cols),
         so = slice(&out, 1, 4, 4 + cols);
    map(ES_SUB, &so, &sx, &y);
    check_same(&out, "x - y");
    map(ES_SUB, &so, &y, &sx);
    check_same(&out, "y - x");
    map(ES_ABS, &so, &sx, NULL);
    check_same(&out, "|x|");
    copy(&so, &sx);
    check_same(&out, "x");
    copy(&so, &y);
    check_same(&out, "y stretched");
    pair *all[] = {&x, &y, &out, &sx, &so};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pair_free(all[i]);
}

static void one_number_everywhere(void)
{
    pair number = random_matrix(1, 1), out = random_matrix(1, 39);
    copy(&out, &number);
    check_same(&out, "a number");
    pair_free(&number);
    pair_free(&out);
}

static void stretched(void)
{
    for (int64_t cols = 36; cols < 40; cols++) { /* nine fours, and some more */
        const int64_t sizes[][2] = {{1, 1}, {1, cols}, {41, 1}};
        for (int k = 0; k < 3; k++)
            for (int64_t from = 4; from < 7; from++)
                stretch(cols, sizes[k], from, 48 + k % 2);
    }
}

START_TEST(a_number_a_row_and_a_column_stretch)
{
    on_each_gpu(stretched, false);
    on_each_gpu(one_number_everywhere, false);
}
END_TEST

/* x[1:] = x[:-1], and all of x turned onto itself: each element is what another was before. */
static void overlapping_copies(void)
{
    enum { N = 70 };
    pair p = random_matrix(N, N);
    es_tensor *x = &p.on[1], turned;
    float *was = values(x);
    pair from = slice(&p, 0, 0, N - 1), to = slice(&p, 0, 1, N);
    demand(es_copy(&to.on[1], &from.on[1], NULL), "copy");
    float *is = values(x);
    ck_assert_mem_eq(is, was, N * sizeof *is);
    ck_assert_mem_eq(is + N, was, (N - 1) * N * sizeof *is);
    demand(es_tensor_transpose(&turned, x, 0, 1, NULL) && es_copy(x, &turned, NULL), "turn");
    float *now = values(x);
    for (int i = 0; i < N * N; i++)
        demand(now[i] == is[i % N * N + i / N], "number %d", i);
    es_tensor_free(&turned);
    pair_free(&from);
    pair_free(&to);
    pair_free(&p);
    free(was);
    free(is);
    free(now);
}

/* x[1:] += x[:-1] and x += x[0]: the operand is what it was before. */
static void overlapping_maps(void)
{
    enum { N = 90, C = 33 };
    pair p = random_matrix(N, C);
    es_tensor *x = &p.on[1];
    float *was = values(x);
    pair from = slice(&p, 0, 0, N - 1), to = slice(&p, 0, 1, N), first = slice(&p, 0, 0, 1);
    demand(es_map(ES_ADD, &to.on[1], &to.on[1], &from.on[1], NULL), "map");
    float *is = values(x);
    for (int i = 0; i < N * C; i++)
        demand(is[i] == (i < C ? was[i] : was[i] + was[i - C]), "number %d", i);
    demand(es_map(ES_ADD, x, x, &first.on[1], NULL), "map");
    float *now = values(x);
    for (int i = 0; i < N * C; i++)
        demand(now[i] == is[i] + is[i % C], "number %d", i);
    pair_free(&from);
    pair_free(&to);
    pair_free(&first);
    pair_free(&p);
    free(was);
    free(is);
    free(now);
}

START_TEST(what_overlaps_is_read_before_it_is_written)
{
    on_each_gpu(overlapping_copies, false);
    on_each_gpu(overlapping_maps, false);
}
END_TEST

/* ---- ids ---- */

enum { N_ROWS = 5000, MANY_ROWS = 100000, N_CHANNELS = 33, N_IDS = 70000 };

/* Sums in another order would have other last bits.  ids: n, freed here. */
static void add_repeated(int32_t *ids, int64_t n)
{
    pair table = random_matrix(N_IDS, N_CHANNELS), rows = random_matrix(n, N_CHANNELS);
    scatter_add(&table, ids, &rows);
    check_same(&table, "scatter_add");
    free(ids);
    pair_free(&table);
    pair_free(&rows);
}

static void repeated_ids(void)
{
    for (uint32_t distinct = 1; distinct < N_ROWS; distinct = distinct * 9 + 1) {
        int32_t *ids = random_ids(N_ROWS, distinct);
        for (int i = 0; i < N_ROWS; i++)
            ids[i] = (int32_t)((uint32_t)ids[i] * 40503u % N_IDS);
        add_repeated(ids, N_ROWS);
    }
    static const int32_t alike[] = {0, 1, 256, 65536, 65537, 65792}; /* but for one byte */
    int32_t *ids = random_ids(MANY_ROWS, 6);
    for (int i = 0; i < MANY_ROWS; i++)
        ids[i] = alike[ids[i]];
    add_repeated(ids, MANY_ROWS);
}

START_TEST(rows_of_one_id_are_added_in_their_order)
{
    on_each_gpu(repeated_ids, false);
}
END_TEST

/* ---- what is sent ---- */

/* Since it was last asked. */
static uint64_t launches(void)
{
    es_ran ran = es_backend_ran(pair_gpu);
    return ran.launches;
}

static void empty_views(void)
{
    es_shape none = es_shape_3d("B", 2, "T", 0, "C", 4);
    pair x = random_pair(&none), y = random_pair(&none), table = random_matrix(5, 4),
         no_rows = random_matrix(0, 4), no_channels = random_matrix(5, 0),
         nothing = random_matrix(3, 0);
    static const int32_t ids[] = {0, 1, 2};
    launches();
    map(ES_ADD, &x, &x, &y);
    map(ES_EXP, &x, &y, NULL);
    copy(&x, &y);
    gather(&x, &table, ids, &y);
    scatter_add(&table, ids, &no_rows);
    scatter_add(&no_channels, ids, &nothing);
    ck_assert_uint_eq(launches(), 0);
    map(ES_ADD, &table, &table, &table);
    ck_assert_uint_eq(launches(), 1);
    check_same(&table, "x + x");
    pair *all[] = {&x, &y, &table, &no_rows, &no_channels, &nothing};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pair_free(all[i]);
}

START_TEST(for_empty_views_nothing_is_sent)
{
    on_each_gpu(empty_views, false);
}
END_TEST

/* ---- threads ---- */

typedef struct worker {
    pthread_t thread;
    uint64_t state;
    const char *fault;
} worker;

/* y = rows of x by ids; x = 2 x, turned twice; all of it on tensors of its own. */
static const char *one_turn(uint64_t *random)
{
    enum { V = 50, C = 24, N = 40 };
    es_shape sx = es_shape_2d("", V, "", C), sy = es_shape_3d("", 1, "", N, "", C);
    float x[V * C], y[N * C];
    int32_t ids[N];
    es_tensor tx, ty, turned;
    for (int i = 0; i < V * C; i++)
        x[i] = (float)random_below(random, 1000);
    for (int i = 0; i < N; i++)
        ids[i] = (int32_t)random_below(random, V);
    bool ok = es_tensor_new(&tx, pair_gpu, ES_FLOAT32, &sx, NULL) &&
              es_tensor_new(&ty, pair_gpu, ES_FLOAT32, &sy, NULL) &&
              es_tensor_transpose(&turned, &tx, 0, 1, NULL) && es_tensor_write(&tx, x, NULL) &&
              es_map(ES_ADD, &turned, &turned, &turned, NULL) &&
              es_gather(&ty, &tx, ids, NULL, NULL) && es_tensor_read(&ty, y, NULL);
    es_tensor_free(&tx);
    es_tensor_free(&ty);
    es_tensor_free(&turned);
    for (int i = 0; ok && i < N * C; i++)
        if (y[i] != 2 * x[ids[i / C] * C + i % C])
            return "a number is wrong";
    return ok ? NULL : "an operation failed";
}

static void *work(void *of)
{
    worker *w = of;
    for (int i = 0; i < TURNS && !w->fault; i++)
        w->fault = one_turn(&w->state);
    return NULL;
}

static void threads(void)
{
    worker of[THREADS] = {{.state = 3}, {.state = 4}};
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&of[i].thread, NULL, work, &of[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(of[i].thread, NULL);
    for (int i = 0; i < THREADS; i++)
        ck_assert_msg(!of[i].fault, "%s", of[i].fault);
}

START_TEST(two_threads_use_one_device)
{
    on_each_gpu(threads, false);
}
END_TEST

Suite *opencl_slots_suite(void)
{
    Suite *s = suite_create("opencl_slots");
    gpu_tally();
    TCase *tc = tcase_create("on a device");
    tcase_set_timeout(tc, LONG_TEST); /* its compiler takes its time */
    tcase_add_test(tc, large_tensors_are_computed_to_their_end);
    tcase_add_test(tc, slices_begin_where_they_like_and_nothing_beside_them_changes);
    tcase_add_test(tc, a_number_a_row_and_a_column_stretch);
    tcase_add_test(tc, what_overlaps_is_read_before_it_is_written);
    tcase_add_test(tc, rows_of_one_id_are_added_in_their_order);
    tcase_add_test(tc, for_empty_views_nothing_is_sent);
    tcase_add_test(tc, two_threads_use_one_device);
    suite_add_tcase(s, tc);
    return s;
}
