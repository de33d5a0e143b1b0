// SPDX-License-Identifier: GPL-3.0-or-later
/* A device adds the products of a sum one by one, where BLAS has several sums at a time.  Of 1,024 products that comes to
 * variances that are off by a part 1e-7 of themselves; of 64, with the sums of 64 added up as exactly as a backend reduces, to
 * 2e-8 (17,000 rows of 500, as tests/test_pca.c has them; to 6e-8 by BLAS). */
#include "analysis/pca_device.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/sweep.h"
#include "base/mem.h"
#include "core/ops.h"

enum {
    SHORT = 64,     /* products of one float32 sum */
    STEP = 1 << 27, /* multiply-adds between two looks at the watch */
    BLOCK = 1 << 19 /* numbers of a block that is projected */
};

static bool send(es_tensor *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                 es_error *err)
{
    es_shape shape = es_shape_2d("", n, "C", C);
    return es_tensor_new(out, be, ES_FLOAT32, &shape, err) && es_tensor_write(out, rows, err);
}

/* ---- a table times itself ---- */

/* Rows of zeros behind the n that there are, up to a whole number of short sums. */
static bool send_padded(es_tensor *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                        es_error *err)
{
    int64_t all = (n + SHORT - 1) / SHORT * SHORT;
    es_shape shape = es_shape_2d("", all, "C", C);
    es_tensor part = {0}, rest = {0};
    float *zeros = es_alloc_array((size_t)((all - n) * C) + 1, sizeof *zeros);
    bool ok = es_tensor_new(out, be, ES_FLOAT32, &shape, err) &&
              es_tensor_slice(&part, out, 0, 0, n, err) && es_tensor_write(&part, rows, err) &&
              es_tensor_slice(&rest, out, 0, n, all, err) &&
              (n == all || es_tensor_write(&rest, zeros, err));
    es_tensor_free(&part);
    es_tensor_free(&rest);
    free(zeros);
    return ok;
}

/* Rows i .. i+some-1 of the product: one a short sum (B, some, C), and their sum, in which a backend loses nothing. */
static bool multiply_some(float *out, const es_tensor *x, int64_t i, int64_t some, es_error *err)
{
    int64_t C = x->shape.dim[1], B = x->shape.dim[0] / SHORT;
    es_tensor left = *x, right = *x, products = {0}, sum = {0}; /* the first two are borrowed */
    right.shape = es_shape_3d("", B, "", SHORT, "C", C);
    right.stride[0] = SHORT * C;
    right.stride[1] = C;
    right.stride[2] = 1;
    left.shape = es_shape_3d("", B, "C", some, "", SHORT);
    left.stride[0] = SHORT * C;
    left.stride[1] = 1;
    left.stride[2] = C;
    left.offset += i;
    es_shape all = es_shape_3d("", B, "C", some, "C", C),
             one = es_shape_3d("", 1, "C", some, "C", C);
    bool ok = es_tensor_new(&products, x->buf->be, ES_FLOAT32, &all, err) &&
              es_matmul(&products, &left, &right, err) &&
              es_tensor_new(&sum, x->buf->be, ES_FLOAT32, &one, err) &&
              es_reduce(ES_REDUCE_SUM, &sum, &products, 0, err) &&
              es_tensor_read(&sum, out + i * C, err);
    es_tensor_free(&products);
    es_tensor_free(&sum);
    return ok;
}

bool es_gram_there(float *out, const float *rows, int64_t n, int64_t C, es_backend *be,
                   es_watch *watch, es_error *err)
{
    es_tensor x = {0};
    int64_t some = STEP / (n * C + 1) + 1;
    for (int64_t i = 0; n == 0 && i < C * C; i++)
        out[i] = 0;
    bool ok = n == 0 || send_padded(&x, rows, n, C, be, err);
    for (int64_t i = 0; ok && n && i < C; i += some)
        ok = es_watch_look(watch, err) &&
             multiply_some(out, &x, i, C - i < some ? C - i : some, err);
    es_tensor_free(&x);
    return ok;
}

/* ---- along axes ---- */

typedef struct projection {
    float *out;
    int64_t C, K;
    es_backend *be;
    es_tensor mean, axes, turned; /* there: (1, C), (K, C), (C, K) */
    double *rest;                 /* [K] what the mean was off in float32, along the axes */
} projection;

static bool open_projection(projection *p, const double *mean, const float *axes, es_error *err)
{
    float *narrow = es_alloc_array((size_t)p->C, sizeof *narrow);
    p->rest = es_alloc_array((size_t)p->K, sizeof *p->rest);
    for (int64_t c = 0; c < p->C; c++) {
        narrow[c] = (float)mean[c];
        for (int64_t k = 0; k < p->K; k++)
            p->rest[k] += ((double)narrow[c] - mean[c]) * (double)axes[k * p->C + c];
    }
    bool ok = send(&p->mean, narrow, 1, p->C, p->be, err) &&
              send(&p->axes, axes, p->K, p->C, p->be, err) &&
              es_tensor_transpose(&p->turned, &p->axes, 0, 1, err);
    free(narrow);
    return ok;
}

static void close_projection(projection *p)
{
    es_tensor_free(&p->mean);
    es_tensor_free(&p->turned);
    es_tensor_free(&p->axes);
    free(p->rest);
}

/* centred (n, C), there, along the axes: rows of the table from `first` on. */
static bool project(const projection *p, const es_tensor *centred, int64_t first, es_error *err)
{
    int64_t n = centred->shape.dim[0];
    float *out = p->out + first * p->K;
    es_shape shape = es_shape_2d("", n, "", p->K);
    es_tensor along = {0};
    bool ok = es_tensor_new(&along, p->be, ES_FLOAT32, &shape, err) &&
              es_matmul(&along, centred, &p->turned, err) && es_tensor_read(&along, out, err);
    for (int64_t i = 0; ok && i < n * p->K; i++) {
        out[i] = (float)((double)out[i] + p->rest[i % p->K]);
        out[i] = isfinite(out[i]) ? out[i] : NAN;
    }
    es_tensor_free(&along);
    return ok;
}

/* A block that is sent. */
static bool project_rows(void *of, int64_t first, int64_t n, float *rows, void *room, es_error *err)
{
    const projection *p = of;
    es_tensor x = {0};
    (void)room;
    bool ok = send(&x, rows, n, p->C, p->be, err) && es_map(ES_SUB, &x, &x, &p->mean, err) &&
              project(p, &x, first, err);
    es_tensor_free(&x);
    return ok;
}

/* One that lies there. */
static bool project_part(const projection *p, const es_tensor *whole, int64_t first, int64_t n,
                         es_error *err)
{
    es_shape shape = es_shape_2d("", n, "C", p->C);
    es_tensor part = {0}, x = {0};
    bool ok = es_tensor_slice(&part, whole, 0, first, first + n, err) &&
              es_tensor_new(&x, p->be, ES_FLOAT32, &shape, err) &&
              es_map(ES_SUB, &x, &part, &p->mean, err) && project(p, &x, first, err);
    es_tensor_free(&part);
    es_tensor_free(&x);
    return ok;
}

static bool project_whole(const projection *p, const es_tensor *whole, es_watch *watch,
                          es_error *err)
{
    int64_t n = whole->shape.dim[0], some = es_sweep_rows(BLOCK, p->C);
    es_watch_begin(watch, (uint64_t)n);
    bool ok = es_watch_step(watch, 0, err);
    for (int64_t i = 0; ok && i < n; i += some) {
        int64_t rows = n - i < some ? n - i : some;
        ok =
            project_part(p, whole, i, rows, err) && es_watch_step(watch, (uint64_t)(i + rows), err);
    }
    return ok;
}

bool es_project_there(float *out, const es_table *t, const double *mean, const float *axes,
                      int64_t K, es_backend *be, es_watch *watch, es_error *err)
{
    projection p = {.out = out, .C = es_table_width(t), .K = K, .be = be};
    const es_sweep sweep = {.block = es_sweep_rows(BLOCK, p.C), .attempt = project_rows};
    const es_tensor *whole = es_table_lies_on(t, be);
    bool ok =
        open_projection(&p, mean, axes, err) &&
        (whole ? project_whole(&p, whole, watch, err) : es_sweep_table(&sweep, &p, t, watch, err));
    close_projection(&p);
    return ok;
}
