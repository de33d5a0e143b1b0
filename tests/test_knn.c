// SPDX-License-Identifier: GPL-3.0-or-later
/* The graph of nearest rows against one search a row, and what is kept of it between two runs. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/knn.h"
#include "base/file.h"
#include "base/place.h"
#include "far.h"
#include "gpu.h"
#include "layer/near.h"
#include "layer/near_exact.h"
#include "layer/position.h"
#include "support.h"

Suite *knn_suite(void);

static es_backend *be;

static void setup(void)
{
    es_error err = ES_ERROR_NONE;
    be = es_backend_open("cpu", 2, &err);
    ck_assert_works(be != NULL, err);
}

static void teardown(void)
{
    es_backend_close(be);
}

/* ---- tables ---- */

static uint64_t state;

static float chance(void)
{
    return (float)next_random(&state) * 0x1p-31f - 1;
}

typedef enum kind {
    PLAIN,
    CLUMPED,   /* near a few centres */
    COPIED,    /* a few rows again and again */
    STRETCHED, /* copies of other lengths: the same direction but for rounding */
    TREMBLING, /* all alike but for the last bits */
    CONSTANT,
    LAME,  /* some with NaN, Inf or nothing in them */
    FAINT, /* some so short that float32 has no square of them, some as long as there are */
    N_KINDS
} kind;

static void spoil(float *row, int64_t i, int64_t C)
{
    if (i % 5 == 0)
        row[i % C] = i % 2 ? NAN : INFINITY;
    if (i % 7 == 0)
        memset(row, 0, (size_t)C * sizeof *row);
}

/* A power of two, so that no direction changes. */
static void stretch(float *row, int64_t i, int64_t C)
{
    for (int64_t c = 0; c < C; c++)
        row[c] *= i % 3 == 0 ? 0x1p-120f : i % 3 == 1 ? 0x1p120f : 1;
}

static float *numbers(kind k, int64_t n, int64_t C)
{
    float *rows = malloc((size_t)(n * C) * sizeof *rows);
    for (int64_t i = 0; i < n; i++) {
        float *row = rows + i * C, factor = k == STRETCHED ? 2 + chance() : 1;
        int64_t like = k == PLAIN || k == FAINT || k == LAME ? i
                       : k == CLUMPED || k == COPIED         ? i % 7
                                                             : 0;
        for (int64_t c = 0; c < C; c++)
            row[c] = like < i ? factor * rows[like * C + c] : chance();
        for (int64_t c = 0; c < C && (k == CLUMPED || k == TREMBLING) && like < i; c++)
            row[c] += chance() * (k == CLUMPED ? 0.05f : 1e-6f);
        if (k == LAME)
            spoil(row, i, C);
        if (k == FAINT)
            stretch(row, i, C);
    }
    return rows;
}

static es_table *table_of(const float *rows, int64_t n, int64_t C)
{
    return es_table_mapped(rows, ES_STORE_F32, n, C, NULL, NULL);
}

/* ---- against one search a row ---- */

static void check_row(es_near *near, const es_knn *g, int64_t i, const char *what)
{
    const es_table *t = es_near_table(near);
    int64_t C = es_table_width(t), found = 0;
    float *row = malloc((size_t)C * sizeof *row);
    double *q = malloc((size_t)C * sizeof *q), square = 0;
    es_neighbour *want = malloc((size_t)g->k * sizeof *want);
    int32_t self = (int32_t)i;
    ck_assert(es_table_row(t, i, row, NULL));
    for (int64_t c = 0; c < C; c++) {
        q[c] = (double)row[c];
        square += q[c] * q[c];
    }
    const es_near_query query = {q, ES_BY_COSINE, &self, 1};
    if (isfinite(square) && square > 0)
        demand(es_near_search(near, want, g->k, &found, &query, NULL, NULL), "a search");
    for (int64_t j = 0; j < g->k; j++) {
        int64_t id = j < found ? want[j].id : -1;
        float cosine = j < found ? (float)want[j].score : 0;
        demand(g->id[i * g->k + j] == id &&
                   memcmp(&g->cosine[i * g->k + j], &cosine, sizeof cosine) == 0,
               "%s: neighbour %d of row %d is %d (%.9g), not %d (%.9g)", what, (int)j, (int)i,
               g->id[i * g->k + j], (double)g->cosine[i * g->k + j], (int)id, (double)cosine);
    }
    free(row);
    free(q);
    free(want);
}

static void check_table(es_table *t, int k, const char *what)
{
    es_error err = ES_ERROR_NONE;
    es_knn g;
    es_near *near = es_near_new(t, be, &err);
    demand(near && es_knn_make(&g, t, k, NULL, NULL, &err), "%s: %s", what, err.message);
    ck_assert_int_eq(g.n, es_table_rows(t));
    ck_assert_int_eq(g.k, k);
    for (int64_t i = 0; i < g.n; i++)
        check_row(near, &g, i, what);
    es_knn_free(&g);
    es_near_free(near);
}

START_TEST(neighbours_are_those_that_a_search_finds)
{
    static const int64_t sizes[] = {1, 2, 3, 15, 16, 90, 257, 400}, widths[] = {1, 2, 7, 8, 33, 70};
    char what[64];
    state = (uint64_t)_i + 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int times = 0; times < (sizes[s] > 100 ? 1 : 3); times++) {
            int64_t n = sizes[s], C = widths[random_below(&state, 6)];
            int k = times == 1 ? 1 : 1 + (int)random_below(&state, times == 2 || _i % 2 ? 300 : 20);
            float *rows = numbers((kind)_i, n, C);
            es_table *t = table_of(rows, n, C);
            snprintf(what, sizeof what, "kind %d, %d rows of %d, k %d", _i, (int)n, (int)C, k);
            check_table(t, k, what);
            es_table_unref(t);
            free(rows);
        }
}
END_TEST

/* Several blocks of rows, and the room of the candidates ends: float64 decides among those too close. */
START_TEST(rows_too_close_for_float32_have_their_order)
{
    enum { N = 700, C = 12 };
    state = 5;
    float *rows = numbers((kind)_i, N, C);
    es_table *t = table_of(rows, N, C);
    check_table(t, 5, "close rows");
    es_table_unref(t);
    free(rows);
}
END_TEST

/* In rows of half floats and of a generator, which lie nowhere as float32. */
static void some_row(const void *context, int64_t i, float *out, int64_t C)
{
    (void)context;
    for (int64_t c = 0; c < C; c++)
        out[c] = (float)((i * 7919 + c * 104729) % 1009) - 500;
}

START_TEST(any_table_has_its_graph)
{
    enum { N = 300, C = 9 };
    static uint16_t half[N * C];
    for (int i = 0; i < N * C; i++)
        half[i] = (uint16_t)es_half_of_float((float)((i * 7919) % 1009) - 500);
    es_table *t = es_table_mapped(half, ES_STORE_F16, N, C, NULL, NULL);
    check_table(t, 20, "half floats");
    es_table_unref(t);
    t = es_table_generated(N, C, some_row, NULL, 0);
    check_table(t, 20, "made up");
    es_table_unref(t);
    t = es_table_generated(0, C, some_row, NULL, 0);
    check_table(t, 3, "no rows");
    es_table_unref(t);
}
END_TEST

START_TEST(the_bytes_are_the_same_for_any_number_of_threads)
{
    enum { N = 1500, C = 20, K = 30 };
    static const int threads[] = {1, 2, 4};
    es_error err = ES_ERROR_NONE;
    es_knn g[3];
    state = 11;
    float *rows = numbers((kind)_i, N, C);
    es_table *t = table_of(rows, N, C);
    for (int i = 0; i < 3; i++) {
        es_backend *some = es_backend_open("cpu", threads[i], &err);
        ck_assert_works(es_knn_make(&g[i], t, K, NULL, NULL, &err), err);
        es_backend_close(some);
    }
    for (int i = 1; i < 3; i++) {
        ck_assert_mem_eq(g[i].id, g[0].id, N * K * sizeof *g->id);
        ck_assert_mem_eq(g[i].cosine, g[0].cosine, N * K * sizeof *g->cosine);
    }
    for (int i = 0; i < 3; i++)
        es_knn_free(&g[i]);
    es_table_unref(t);
    free(rows);
}
END_TEST

START_TEST(what_has_no_graph_says_why)
{
    es_error err = ES_ERROR_NONE;
    bool cached;
    es_knn g;
    const float row[] = {1, 2};
    es_table *t = table_of(row, 1, 2);
    ck_assert_fails(es_knn_make(&g, t, 0, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "of each row 1 neighbour or more is looked for, not 0");
    ck_assert_ptr_null(g.id);
    ck_assert_fails(es_knn_kept(&g, t, -3, NULL, &cached, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "of each row 1 neighbour or more is looked for, not -3");
    ck_assert(!es_knn_make(&g, t, 0, NULL, NULL, NULL));
    es_table_unref(t);
    t = es_position_sinusoidal(8);
    ck_assert_fails(es_knn_make(&g, t, 1, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "this table has no last row");
    ck_assert_ptr_null(g.id);
    ck_assert_fails(es_knn_kept(&g, t, 1, NULL, &cached, NULL, NULL, &err), err, ES_ERR_VALUE,
                    "this table has no last row");
    es_table_unref(t);
}
END_TEST

/* ---- on a device that has memory of its own ---- */

static void same_there(es_backend *device, kind k, int64_t n, int64_t C, int neighbours)
{
    es_error err = ES_ERROR_NONE;
    es_knn here, there;
    size_t entries = (size_t)n * (size_t)neighbours;
    float *rows = numbers(k, n, C);
    es_table *t = table_of(rows, n, C);
    ck_assert_works(es_knn_make(&here, t, neighbours, be, NULL, &err), err);
    ck_assert_works(es_knn_make(&there, t, neighbours, device, NULL, &err), err);
    for (size_t i = 0; i < entries; i++)
        demand(here.id[i] == there.id[i] &&
                   !memcmp(&here.cosine[i], &there.cosine[i], sizeof *here.cosine),
               "kind %d, %d rows of %d: neighbour %d of row %d is %d there, %d here", (int)k,
               (int)n, (int)C, (int)(i % (size_t)neighbours), (int)(i / (size_t)neighbours),
               there.id[i], here.id[i]);
    ck_assert_uint_eq(device->in_use, 0);
    es_knn_free(&here);
    es_knn_free(&there);
    es_table_unref(t);
    free(rows);
}

START_TEST(neighbours_are_the_same_on_a_device_far_away)
{
    static const int64_t sizes[] = {1, 2, 3, 64, 131, 257}, widths[] = {1, 3, 129};
    es_backend *far = far_open(2);
    state = (uint64_t)_i + 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < 3; w++)
            same_there(far, (kind)_i, sizes[s], widths[w], 1 + (int)random_below(&state, 20));
    same_there(far, (kind)_i, 2500, 3, 7); /* more than one band of rows */
    es_ran ran = es_backend_ran(far);
    ck_assert_uint_gt(ran.launches, 40);
    ck_assert_int_eq(ran.n_beside, 2);
    ck_assert_str_eq(ran.beside[0].what, "lengths of rows");
    ck_assert_str_eq(ran.beside[1].what, "the nearest, in float64");
    es_backend_close(far);
}
END_TEST

/* As far from the truth as the bound of rounding lets them be. */
START_TEST(products_may_be_off_as_far_as_rounding_goes)
{
    es_backend *far = far_open(2);
    state = (uint64_t)_i + 1;
    for (int64_t C = 1; C < 200; C += 33) {
        far_stray(far, (float)es_float_slack(C, 1) / 2);
        same_there(far, (kind)_i, 300, C, 5);
    }
    es_backend_close(far);
}
END_TEST

/* Tables that lie there are read from there. */
START_TEST(a_table_on_a_device_has_its_graph)
{
    enum { N = 90, C = 5, K = 4 };
    es_error err = ES_ERROR_NONE;
    es_backend *far = far_open(1);
    es_shape shape = es_shape_2d("V", N, "C", C);
    es_tensor there;
    es_knn g, want;
    state = 8;
    float *rows = numbers(PLAIN, N, C);
    ck_assert_works(es_tensor_new(&there, far, ES_FLOAT32, &shape, &err), err);
    ck_assert_works(es_tensor_write(&there, rows, &err), err);
    es_table *t = es_table_of_tensor(&there), *same = table_of(rows, N, C);
    ck_assert_works(es_knn_make(&g, t, K, far, NULL, &err), err);
    ck_assert_works(es_knn_make(&want, same, K, NULL, NULL, &err), err);
    ck_assert_mem_eq(g.id, want.id, N * K * sizeof *g.id);
    es_knn_free(&g);
    es_knn_free(&want);
    es_table_unref(t);
    es_table_unref(same);
    es_tensor_free(&there);
    es_backend_close(far);
    free(rows);
}
END_TEST

START_TEST(a_device_that_fails_leaves_nothing)
{
    const es_code code = _i ? ES_ERR_BACKEND : ES_ERR_NOMEM;
    es_error err = ES_ERROR_NONE;
    es_knn g;
    int n = 1;
    state = 4;
    float *rows = numbers(PLAIN, 300, 3);
    es_table *t = table_of(rows, 300, 3);
    for (bool ok = false; !ok; n++) {
        es_backend *far = far_open(2);
        far_fail_at(far, n, code);
        ok = es_knn_make(&g, t, 5, far, NULL, &err);
        demand(ok || err.code == code, "call %d: %s", n, err.message);
        demand(ok || !g.id, "call %d left neighbours", n);
        ck_assert_uint_eq(far->in_use, 0);
        es_error_free(&err);
        es_knn_free(&g);
        es_backend_close(far);
    }
    ck_assert_int_gt(n, 8); /* memory twice, rows, and tiles that are made and read */
    es_table_unref(t);
    free(rows);
}
END_TEST

static void as_on_a_gpu(const char *device)
{
    es_error err = ES_ERROR_NONE;
    es_backend *gpu = es_backend_open(device, 2, &err);
    ck_assert_works(gpu != NULL, err);
    for (int k = 0; k < N_KINDS; k++) {
        state = (uint64_t)k + 1;
        same_there(gpu, (kind)k, 700, 65, 15);
        same_there(gpu, (kind)k, 2111, 20, 3);
    }
    es_backend_close(gpu);
}

START_TEST(neighbours_are_the_same_on_every_opencl_device)
{
    each_gpu(as_on_a_gpu);
}
END_TEST

/* ---- stopping ---- */

typedef struct stopping {
    es_watch *watch;
    int64_t row; /* read, the work is no longer wanted */
} stopping;

static void stopping_row(const void *context, int64_t i, float *out, int64_t C)
{
    const stopping *s = context;
    some_row(NULL, i, out, C);
    if (i == s->row)
        s->watch->cancel = true;
}

START_TEST(it_stops_when_it_is_no_longer_wanted)
{
    enum { N = 30000 };
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    es_knn g;
    stopping s = {&watch, _i ? N - 1 : 0}; /* while rows are read, and before the first tile */
    es_table *t = es_table_generated(N, 8, stopping_row, &s, sizeof s);
    ck_assert_fails(es_knn_make(&g, t, 5, NULL, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(g.id);
    ck_assert_ptr_null(g.cosine);
    ck_assert_uint_lt(watch.done, 100000);
    es_table_unref(t);
}
END_TEST

static void *cancel_soon(void *watch)
{
    const struct timespec soon = {.tv_nsec = 30000000};
    nanosleep(&soon, NULL);
    ((es_watch *)watch)->cancel = true;
    return NULL;
}

START_TEST(it_stops_while_a_device_multiplies)
{
    enum { N = 12000, C = 30 };
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    pthread_t thread;
    es_knn g;
    es_backend *far = far_open(2);
    state = 6;
    float *rows = numbers(PLAIN, N, C);
    es_table *t = table_of(rows, N, C);
    ck_assert_int_eq(pthread_create(&thread, NULL, cancel_soon, &watch), 0);
    ck_assert_fails(es_knn_make(&g, t, 5, far, &watch, &err), err, ES_ERR_INTERRUPTED,
                    "stopped by Ctrl-C");
    ck_assert_ptr_null(g.id);
    ck_assert_uint_lt(watch.done, N * (N - 1) / 2);
    ck_assert_uint_eq(far->in_use, 0);
    pthread_join(thread, NULL);
    es_table_unref(t);
    es_backend_close(far);
    free(rows);
}
END_TEST

START_TEST(the_watch_counts_pairs)
{
    enum { N = 600 };
    es_backend *device = _i ? far_open(2) : NULL;
    es_error err = ES_ERROR_NONE;
    es_watch watch = {0};
    es_knn g;
    state = 3;
    float *rows = numbers(PLAIN, N, 4);
    es_table *t = table_of(rows, N, 4);
    ck_assert_works(es_knn_make(&g, t, 5, device, &watch, &err), err);
    ck_assert_uint_eq(watch.total, N * (N - 1) / 2);
    ck_assert_uint_eq(watch.done, watch.total);
    es_knn_free(&g);
    es_backend_close(device);
    es_table_unref(t);
    free(rows);
}
END_TEST

/* ---- kept ---- */

enum { ROWS = 120, WIDTH = 6 };

/* A home of its own, and a table. */
typedef struct home {
    char *path;
    float *rows;
    es_table *table;
    es_str note;
    es_error err;
} home;

static home at_home(void)
{
    home h = {.err = ES_ERROR_NONE};
    calm_environment();
    h.path = fresh_folder();
    setenv("XDG_CACHE_HOME", h.path, 1);
    state = 21;
    h.rows = numbers(PLAIN, ROWS, WIDTH);
    h.table = table_of(h.rows, ROWS, WIDTH);
    return h;
}

static void leave(home *h)
{
    es_table_unref(h->table);
    es_str_free(&h->note);
    free(h->rows);
    free(h->path);
}

/* The graph is the one a search finds; was it read? */
static bool is_cached(home *h, int k)
{
    es_knn g, made;
    bool cached;
    size_t entries = (size_t)ROWS * (size_t)k;
    es_str_cut(&h->note, 0);
    demand(es_knn_kept(&g, h->table, k, NULL, &cached, &h->note, NULL, &h->err), "%s",
           h->err.message);
    demand(es_knn_make(&made, h->table, k, NULL, NULL, &h->err), "%s", h->err.message);
    ck_assert_int_eq(g.n, ROWS);
    ck_assert_int_eq(g.k, k);
    ck_assert_mem_eq(g.id, made.id, entries * sizeof *g.id);
    ck_assert_mem_eq(g.cosine, made.cosine, entries * sizeof *g.cosine);
    es_knn_free(&g);
    es_knn_free(&made);
    return cached;
}

/* The files in the cache's folder; the last one's path. */
static int files_in(const home *h, es_str *path)
{
    es_str folder = {0};
    int n = 0;
    es_str_add(&folder, "%s/embedscope", h->path);
    DIR *d = opendir(folder.s);
    for (struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            es_str_cut(path, 0);
            es_str_add(path, "%s/%s", folder.s, e->d_name);
            n++;
        }
    if (d)
        closedir(d);
    es_str_free(&folder);
    return n;
}

START_TEST(a_graph_is_kept_and_serves_for_fewer_neighbours)
{
    home h = at_home();
    es_str path = {0};
    struct stat st;
    ck_assert(!is_cached(&h, 10));
    ck_assert_str_eq(es_str_text(&h.note), "");
    ck_assert(is_cached(&h, 10));
    ck_assert(is_cached(&h, 3));
    ck_assert(!is_cached(&h, 11)); /* not for more */
    ck_assert(is_cached(&h, 11));
    ck_assert(is_cached(&h, 10));
    ck_assert_str_eq(es_str_text(&h.note), "");
    ck_assert_int_eq(files_in(&h, &path), 1);
    ck_assert(stat(path.s, &st) == 0 && (st.st_mode & 07777) == 0600);
    ck_assert(!is_cached(&h, 300)); /* more than there are */
    ck_assert(is_cached(&h, 300));
    es_str_free(&path);
    leave(&h);
}
END_TEST

START_TEST(a_graph_serves_whichever_device_made_it)
{
    home h = at_home();
    es_backend *far = far_open(2);
    es_knn g;
    bool cached;
    ck_assert_works(es_knn_kept(&g, h.table, 5, far, &cached, &h.note, NULL, &h.err), h.err);
    ck_assert(!cached);
    ck_assert_uint_gt(far->ran.launches, 0);
    ck_assert(is_cached(&h, 5));
    es_knn_free(&g);
    es_backend_close(far);
    leave(&h);
}
END_TEST

START_TEST(other_numbers_have_another_graph)
{
    home h = at_home();
    es_str path = {0};
    ck_assert(!is_cached(&h, 5));
    h.rows[ROWS * WIDTH - 1] += 1;
    ck_assert(!is_cached(&h, 5));
    ck_assert_int_eq(files_in(&h, &path), 2);
    es_table *narrow = table_of(h.rows, 2 * ROWS, WIDTH / 2); /* the same bytes */
    es_knn g;
    bool cached;
    ck_assert_works(es_knn_kept(&g, narrow, 5, NULL, &cached, NULL, NULL, &h.err), h.err);
    ck_assert(!cached && g.n == 2 * ROWS);
    es_knn_free(&g);
    es_table_unref(narrow);
    es_str_free(&path);
    leave(&h);
}
END_TEST

static void damage(const char *path, int how)
{
    es_file f;
    ck_assert(es_file_open(&f, path, NULL));
    size_t n = f.size;
    unsigned char *bytes = malloc(n + 1);
    memcpy(bytes, f.data, n);
    bytes[n] = 0;
    es_file_close(&f);
    if (how < 4) /* the magic, the version, an id, a cosine */
        bytes[how == 0 ? 0 : how == 1 ? 8 : how == 2 ? n / 3 : n - 1] ^= 1;
    n = how == 4 ? n - 1 : how == 5 ? 50 : how == 6 ? 0 : how == 7 ? n + 1 : n;
    ck_assert(es_file_replace(path, bytes, n, NULL));
    free(bytes);
}

START_TEST(what_is_damaged_is_made_anew)
{
    home h = at_home();
    es_str path = {0}, want = {0};
    ck_assert(!is_cached(&h, 5));
    ck_assert_int_eq(files_in(&h, &path), 1);
    es_str_add(&want, "%s is damaged or not of this program, and made anew", path.s);
    damage(path.s, _i);
    ck_assert(!is_cached(&h, 5));
    ck_assert_str_eq(h.note.s, want.s);
    ck_assert(is_cached(&h, 5));
    ck_assert_str_eq(es_str_text(&h.note), "");
    es_str_free(&path);
    es_str_free(&want);
    leave(&h);
}
END_TEST

START_TEST(what_is_no_file_is_not_waited_for)
{
    home h = at_home();
    es_str path = {0}, want = {0};
    ck_assert(!is_cached(&h, 5));
    ck_assert_int_eq(files_in(&h, &path), 1);
    ck_assert(unlink(path.s) == 0 && mkfifo(path.s, 0600) == 0);
    es_str_add(&want, "the neighbours kept are of no use: cannot read %s: it is a pipe, not a file",
               path.s);
    ck_assert(!is_cached(&h, 5));
    ck_assert_str_eq(h.note.s, want.s);
    ck_assert(is_cached(&h, 5));
    es_str_free(&path);
    es_str_free(&want);
    leave(&h);
}
END_TEST

START_TEST(without_a_place_there_is_a_note_and_a_graph)
{
    home h = at_home();
    es_str place = {0}, want = {0};
    es_str_add(&place, "%s/file", h.path);
    ck_assert(es_file_replace(place.s, "", 0, NULL));
    setenv("XDG_CACHE_HOME", place.s, 1);
    ck_assert(!is_cached(&h, 5));
    const char *before = "the neighbours are not kept for the next time: cannot make a folder for ";
    ck_assert(!strncmp(h.note.s, before, strlen(before)));
    ck_assert(strstr(h.note.s, ".graph: Not a directory") != NULL);
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    ck_assert(!is_cached(&h, 5));
    before = "the neighbours are not kept for the next time: no place for neighbours-";
    ck_assert(!strncmp(h.note.s, before, strlen(before)));
    es_knn g;
    bool cached;
    ck_assert_works(es_knn_kept(&g, h.table, 5, NULL, &cached, NULL, NULL, &h.err), h.err);
    es_knn_free(&g);
    es_str_free(&place);
    es_str_free(&want);
    leave(&h);
}
END_TEST

static void age(const char *path, time_t seconds)
{
    const struct timespec then[2] = {{.tv_sec = time(NULL) - seconds},
                                     {.tv_sec = time(NULL) - seconds}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
}

static void put(const home *h, const char *name, time_t seconds)
{
    es_str path = {0};
    es_str_add(&path, "%s/embedscope/%s", h->path, name);
    ck_assert(es_file_replace(path.s, "", 0, NULL));
    age(path.s, seconds);
    es_str_free(&path);
}

static bool is_there(const home *h, const char *name)
{
    es_str path = {0};
    es_str_add(&path, "%s/embedscope/%s", h->path, name);
    bool there = access(path.s, F_OK) == 0;
    es_str_free(&path);
    return there;
}

START_TEST(the_folder_keeps_eight_graphs_and_what_is_not_ours)
{
    enum { MOST = 8 };
    home h = at_home();
    es_str first = {0}, path = {0};
    char name[128];
    const char *digits = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde";
    ck_assert(!is_cached(&h, 5));
    ck_assert_int_eq(files_in(&h, &first), 1);
    for (int i = 0; i < 10; i++) { /* the tenth is the oldest */
        snprintf(name, sizeof name, "neighbours-%s%d.graph", digits, i);
        put(&h, name, 1000 + i);
    }
    put(&h, "history", 99999);
    put(&h, "neighbours-12.graph", 99999);
    snprintf(name, sizeof name, "neighbours-%s0.graph.Ab12Cd", digits);
    put(&h, name, 99999);
    snprintf(name, sizeof name, "neighbours-%s1.graph.Ab12Cd", digits);
    put(&h, name, 10);
    age(first.s, 5000);
    ck_assert(is_cached(&h, 5)); /* which makes it young again */
    h.rows[0] += 1;
    ck_assert(!is_cached(&h, 5));
    ck_assert_int_eq(files_in(&h, &path), MOST + 3);
    ck_assert(access(first.s, F_OK) == 0);
    ck_assert(is_there(&h, "history") && is_there(&h, "neighbours-12.graph") && is_there(&h, name));
    snprintf(name, sizeof name, "neighbours-%s5.graph", digits);
    ck_assert(is_there(&h, name));
    snprintf(name, sizeof name, "neighbours-%s6.graph", digits);
    ck_assert(!is_there(&h, name));
    es_str_free(&first);
    es_str_free(&path);
    leave(&h);
}
END_TEST

START_TEST(one_who_is_stopped_leaves_nothing)
{
    home h = at_home();
    es_str path = {0};
    es_watch watch = {.cancel = true};
    es_knn g;
    bool cached = true;
    ck_assert_fails(es_knn_kept(&g, h.table, 5, NULL, &cached, &h.note, &watch, &h.err), h.err,
                    ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
    ck_assert(!cached);
    ck_assert_ptr_null(g.id);
    ck_assert_int_eq(files_in(&h, &path), 0);
    es_str_free(&path);
    leave(&h);
}
END_TEST

Suite *knn_suite(void)
{
    Suite *s = suite_create("knn");
    gpu_tally();
    TCase *tc = tcase_create("knn");
    tcase_set_timeout(tc, 60);
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, neighbours_are_those_that_a_search_finds, 0, N_KINDS);
    tcase_add_loop_test(tc, rows_too_close_for_float32_have_their_order, COPIED, LAME);
    tcase_add_test(tc, any_table_has_its_graph);
    tcase_add_loop_test(tc, the_bytes_are_the_same_for_any_number_of_threads, CLUMPED,
                        TREMBLING + 1);
    tcase_add_test(tc, what_has_no_graph_says_why);
    tcase_add_loop_test(tc, it_stops_when_it_is_no_longer_wanted, 0, 2);
    tcase_add_test(tc, it_stops_while_a_device_multiplies);
    tcase_add_loop_test(tc, the_watch_counts_pairs, 0, 2);
    tcase_add_loop_test(tc, neighbours_are_the_same_on_a_device_far_away, 0, N_KINDS);
    tcase_add_loop_test(tc, products_may_be_off_as_far_as_rounding_goes, 0, N_KINDS);
    tcase_add_test(tc, a_table_on_a_device_has_its_graph);
    tcase_add_loop_test(tc, a_device_that_fails_leaves_nothing, 0, 2);
    tcase_add_test(tc, neighbours_are_the_same_on_every_opencl_device);
    tcase_add_test(tc, a_graph_is_kept_and_serves_for_fewer_neighbours);
    tcase_add_test(tc, a_graph_serves_whichever_device_made_it);
    tcase_add_test(tc, other_numbers_have_another_graph);
    tcase_add_loop_test(tc, what_is_damaged_is_made_anew, 0, 8);
    tcase_add_test(tc, what_is_no_file_is_not_waited_for);
    tcase_add_test(tc, without_a_place_there_is_a_note_and_a_graph);
    tcase_add_test(tc, the_folder_keeps_eight_graphs_and_what_is_not_ours);
    tcase_add_test(tc, one_who_is_stopped_leaves_nothing);
    suite_add_tcase(s, tc);
    return s;
}
