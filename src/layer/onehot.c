// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer/onehot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "core/ops.h"

enum {
    MOST_TOKENS = 8192, /* whose results are in memory at once */
    MOST_ROWS = 256,    /* of wte in a block */
    BLOCK = 1 << 20,    /* numbers in a block of wte, at most */
    STEP = 1 << 24      /* multiply-adds between two looks at the watch */
};
/* The same where wte lies on a device: fewer and larger pieces.  A block's one-hot has at most FAR_HOT numbers. */
enum { FAR_ROWS = 1 << 13, FAR_BLOCK = 1 << 25, FAR_STEP = 1 << 30, FAR_HOT = 1 << 24 };

/* One block of tokens on its way. */
typedef struct product {
    const es_table *wte;
    es_backend *be;
    es_watch *watch;
    int64_t V, C, R; /* R: rows of wte in a block */
    int64_t n, few;  /* tokens here, and in one multiplication */
    const int32_t *ids;
    es_tensor lookup, sum; /* (1, n, C), (n, C) */
    float *rows, *hot;     /* (R, C), (few, R) on the host */
    const es_tensor *
        whole; /* (V, C) where wte lies on a device whose memory is not the host's; NULL: it does not */
    es_tensor hot_there; /* (few * R, 1): zeros, but while they are multiplied */
    int32_t *place;      /* [few] of ones in it */
    uint64_t done;       /* rows read, of all blocks */
} product;

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows v0 .. v0+n-1 into host memory; those that spoil a product are counted. */
static bool read_rows(es_onehot *out, product *p, int64_t v0, int64_t n, bool count, es_error *err)
{
    for (int64_t i = 0; i < n; i++) {
        float *row = p->rows + i * p->C;
        int64_t c = 0;
        if (!es_table_row(p->wte, v0 + i, row, err))
            return false;
        while (c < p->C && isfinite(row[c]))
            c++;
        if (c == p->C || !count)
            continue;
        if (out->bad_rows++ == 0) {
            out->bad_row = v0 + i;
            out->bad_channel = c;
        }
    }
    return true;
}

/* A dense tensor with these contents. */
static bool tensor_of(es_tensor *t, es_backend *be, int64_t rows, int64_t columns,
                      const float *from, es_error *err)
{
    es_shape shape = es_shape_2d("", rows, "", columns);
    *t = (es_tensor){0};
    return es_tensor_new(t, be, ES_FLOAT32, &shape, err) && es_tensor_write(t, from, err);
}

/* sum[t0 : t0+n] += hot (n, R) @ block (R, C) */
static bool add_product(product *p, const es_tensor *hot, const es_tensor *block, int64_t t0,
                        es_error *err)
{
    int64_t n = hot->shape.dim[0];
    es_shape shape = es_shape_2d("", n, "C", p->C);
    es_tensor part, into = {0};
    bool ok =
        es_tensor_new(&part, p->be, ES_FLOAT32, &shape, err) && es_matmul(&part, hot, block, err) &&
        es_tensor_slice(&into, &p->sum, 0, t0, t0 + n, err) && es_add(&into, &into, &part, err);
    es_tensor_free(&part);
    es_tensor_free(&into);
    return ok;
}

/* sum[t0 : t0+n] += one_hot(ids[t0 : t0+n]), its columns v0 .. v0+R-1, @ block (R, C). */
static bool add_few(product *p, const es_tensor *block, int64_t t0, int64_t n, int64_t v0,
                    es_error *err)
{
    int64_t R = block->shape.dim[0];
    memset(p->hot, 0, (size_t)(n * R) * sizeof *p->hot);
    for (int64_t t = 0; t < n; t++) {
        int64_t column = p->ids[t0 + t] - v0;
        if (column >= 0 && column < R)
            p->hot[t * R + column] = 1;
    }
    es_tensor hot;
    bool ok = tensor_of(&hot, p->be, n, R, p->hot, err) && add_product(p, &hot, block, t0, err);
    es_tensor_free(&hot);
    return ok;
}

/* ---- where the table lies on a device ---- */

/* hot_there[place] += value, n of them */
static bool mark(product *p, int64_t n, float value, es_error *err)
{
    es_tensor marks, wide;
    if (n == 0)
        return true;
    es_shape shape = es_shape_2d("", n, "", 1);
    if (!tensor_of(&marks, p->be, 1, 1, &value, err) ||
        !es_tensor_expand(&wide, &marks, &shape, err)) {
        es_tensor_free(&marks);
        return false;
    }
    bool ok = es_scatter_add(&p->hot_there, p->place, &wide, err);
    es_tensor_free(&wide);
    es_tensor_free(&marks);
    return ok;
}

/* As add_few; the one-hot is made there out of zeros, and made zeros again. */
static bool add_few_there(product *p, const es_tensor *block, int64_t t0, int64_t n, int64_t v0,
                          es_error *err)
{
    int64_t R = block->shape.dim[0], ones = 0;
    for (int64_t t = 0; t < n; t++) {
        int64_t column = p->ids[t0 + t] - v0;
        if (column >= 0 && column < R)
            p->place[ones++] = (int32_t)(t * R + column);
    }
    es_tensor hot = p->hot_there; /* the reference is the product's */
    hot.shape = es_shape_2d("", n, "", R);
    hot.stride[0] = R;
    hot.stride[1] = 1;
    return mark(p, ones, 1, err) && add_product(p, &hot, block, t0, err) && mark(p, ones, -1, err);
}

/* Rows with a number that is not finite, of a block that lies there: it less itself is 0 or NaN. */
static bool count_bad_there(es_onehot *out, product *p, const es_tensor *block, int64_t v0,
                            es_error *err)
{
    int64_t R = block->shape.dim[0];
    es_shape column = es_shape_2d("", R, "", 1);
    es_tensor gap = {0}, most = {0};
    bool ok = es_tensor_new(&gap, p->be, ES_FLOAT32, &block->shape, err) &&
              es_tensor_new(&most, p->be, ES_FLOAT32, &column, err) &&
              es_map(ES_SUB, &gap, block, block, err) &&
              es_reduce(ES_REDUCE_MAX, &most, &gap, 1, err) && es_tensor_read(&most, p->hot, err);
    es_tensor_free(&gap);
    es_tensor_free(&most);
    for (int64_t i = 0; ok && i < R; i++)
        ok = !isnan(p->hot[i]) || read_rows(out, p, v0 + i, 1, true, err);
    return ok;
}

/* A block of rows as they lie there. */
static bool block_there(es_onehot *out, product *p, es_tensor *block, int64_t v0, int64_t R,
                        bool first, es_error *err)
{
    return es_tensor_slice(block, p->whole, 0, v0, v0 + R, err) &&
           (!first || count_bad_there(out, p, block, v0, err));
}

/* ---- all of it ---- */

/* One block of rows, multiplied for every token here. */
static bool add_block(es_onehot *out, product *p, int64_t v0, int64_t R, bool first, es_error *err)
{
    es_tensor block = {0};
    bool ok = p->whole ? block_there(out, p, &block, v0, R, first, err)
                       : read_rows(out, p, v0, R, first, err) &&
                             tensor_of(&block, p->be, R, p->C, p->rows, err);
    for (int64_t t = 0; ok && t < p->n; t += p->few) {
        int64_t n = at_most(p->few, p->n - t);
        ok = es_watch_step(p->watch, p->done, err) &&
             (p->whole ? add_few_there(p, &block, t, n, v0, err)
                       : add_few(p, &block, t, n, v0, err));
    }
    es_tensor_free(&block);
    p->done += (uint64_t)R;
    return ok;
}

static bool multiply(es_onehot *out, product *p, bool first, es_error *err)
{
    float *zero = es_try_alloc((size_t)p->n * (size_t)p->C, sizeof *zero, "the product", err);
    bool ok = zero != NULL;
    if (ok) {
        memset(zero, 0, (size_t)p->n * (size_t)p->C * sizeof *zero);
        ok = tensor_of(&p->sum, p->be, p->n, p->C, zero, err);
        free(zero);
    }
    for (int64_t v0 = 0; ok && v0 < p->V; v0 += p->R)
        ok = add_block(out, p, v0, at_most(p->R, p->V - v0), first, err);
    return ok;
}

/* In blocks too: rows that are made as they are read take their time. */
static bool look_up(product *p, es_error *err)
{
    es_shape shape = es_shape_3d("", 1, "T", p->n, "C", p->C);
    int64_t some = BLOCK / 4 / p->C + 1;
    bool ok = es_tensor_new(&p->lookup, p->be, ES_FLOAT32, &shape, err);
    for (int64_t t = 0; ok && t < p->n; t += some) {
        es_tensor part;
        int64_t end = at_most(t + some, p->n);
        ok = es_watch_step(p->watch, p->done, err) &&
             es_tensor_slice(&part, &p->lookup, 1, t, end, err);
        if (ok) {
            ok = es_table_gather(&part, p->wte, p->ids + t, "wte", err);
            es_tensor_free(&part);
        }
    }
    return ok;
}

static void count(es_onehot *out, const float *lookup, const float *sum, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        out->equal += lookup[i] == sum[i] || (isnan(lookup[i]) && isnan(sum[i]));
        out->spoiled += isfinite(lookup[i]) && !isfinite(sum[i]);
        if (isfinite(lookup[i]) && isfinite(sum[i]))
            out->most = fmax(out->most, fabs((double)lookup[i] - (double)sum[i]));
    }
}

static bool compare(es_onehot *out, const product *p, es_error *err)
{
    size_t n = (size_t)p->n * (size_t)p->C;
    float *lookup = es_try_alloc(n, sizeof *lookup, "the rows", err);
    float *sum = lookup ? es_try_alloc(n, sizeof *sum, "the product", err) : NULL;
    bool ok = sum && es_tensor_read(&p->lookup, lookup, err) && es_tensor_read(&p->sum, sum, err);
    if (ok)
        count(out, lookup, sum, (int64_t)n);
    out->numbers += (int64_t)n;
    free(lookup);
    free(sum);
    return ok;
}

/* Until what a device was told is done, so that time is counted where it is spent. */
static bool finish(const product *p, const es_tensor *t, es_error *err)
{
    float one;
    es_tensor row, number = {0};
    if (!p->whole || !es_shape_count(&t->shape))
        return true;
    int last = t->shape.ndim - 1;
    bool ok = es_tensor_slice(&row, t, last - 1, 0, 1, err) &&
              es_tensor_slice(&number, &row, last, 0, 1, err) && es_tensor_read(&number, &one, err);
    es_tensor_free(&row);
    es_tensor_free(&number);
    return ok;
}

/* Both ways for one block of tokens. */
static bool run_tokens(es_onehot *out, product *p, bool first, es_error *err)
{
    double start = es_now();
    bool ok = look_up(p, err) && finish(p, &p->lookup, err);
    double middle = es_now();
    ok = ok && multiply(out, p, first, err) && finish(p, &p->sum, err);
    out->lookup_seconds += middle - start;
    out->product_seconds += es_now() - middle;
    ok = ok && compare(out, p, err);
    es_tensor_free(&p->lookup);
    es_tensor_free(&p->sum);
    return ok;
}

static bool run_all(es_onehot *out, product *p, const int32_t *ids, int64_t N, es_error *err)
{
    bool ok = true;
    for (int64_t t = 0; ok && t < N; t += MOST_TOKENS) {
        p->ids = ids + t;
        p->n = at_most(MOST_TOKENS, N - t);
        ok = run_tokens(out, p, t == 0, err);
    }
    return ok;
}

static bool open_there(product *p, int64_t N, es_error *err)
{
    p->R = at_most(p->V, at_most(FAR_ROWS, FAR_BLOCK / p->C + 1));
    p->few = at_most(MOST_TOKENS, at_most(FAR_STEP / (p->R * p->C), FAR_HOT / p->R) + 1);
    p->few = N < 1 ? 1 : at_most(p->few, N);
    int64_t hot = p->few * p->R;
    float *zeros = es_try_alloc((size_t)hot, sizeof *zeros, "the one-hot", err);
    if (!zeros)
        return false;
    memset(zeros, 0, (size_t)hot * sizeof *zeros);
    bool ok = tensor_of(&p->hot_there, p->be, hot, 1, zeros, err);
    free(zeros);
    return ok && (p->rows = es_try_alloc((size_t)p->C, sizeof *p->rows, "a row of wte", err)) &&
           (p->hot = es_try_alloc((size_t)p->R, sizeof *p->hot, "the sums", err)) &&
           (p->place = es_try_alloc((size_t)p->few, sizeof *p->place, "the ids", err));
}

static bool open_here(product *p, es_error *err)
{
    p->R = at_most(p->V, at_most(MOST_ROWS, BLOCK / p->C + 1));
    p->few = at_most(MOST_TOKENS, STEP / (p->R * p->C) + 1);
    p->rows = es_try_alloc((size_t)(p->R * p->C), sizeof *p->rows, "rows of wte", err);
    p->hot =
        p->rows ? es_try_alloc((size_t)(p->few * p->R), sizeof *p->hot, "the one-hot", err) : NULL;
    return p->hot != NULL;
}

bool es_onehot_compare(es_onehot *out, es_backend *be, const es_table *wte, const int32_t *ids,
                       int64_t N, es_watch *watch, es_error *err)
{
    product p = {
        .wte = wte, .be = be, .watch = watch, .V = es_table_rows(wte), .C = es_table_width(wte)};
    *out = (es_onehot){.bad_row = -1, .bad_channel = -1};
    if (!es_check_ids(ids, 1, N, p.V, "wte", err))
        return false;
    p.whole = be->ops->host_memory ? NULL : es_table_lies_on(wte, be);
    es_watch_begin(watch, (uint64_t)p.V * (uint64_t)((N + MOST_TOKENS - 1) / MOST_TOKENS));
    bool ok =
        (p.whole ? open_there(&p, N, err) : open_here(&p, err)) && run_all(out, &p, ids, N, err);
    es_tensor_free(&p.hot_there);
    free(p.rows);
    free(p.hot);
    free(p.place);
    return ok;
}

/* ---- what it costs ---- */

static double row_bytes(const es_table *wte)
{
    es_store store = ES_STORE_F32;
    size_t size = es_table_data(wte, &store) ? es_store_size(store) : sizeof(float);
    return (double)es_table_width(wte) * (double)size;
}

es_onehot_cost es_onehot_lookup_cost(const es_table *wte, int64_t N)
{
    return (es_onehot_cost){.bytes = (double)N * row_bytes(wte)};
}

es_onehot_cost es_onehot_product_cost(const es_table *wte, int64_t N)
{
    double V = (double)es_table_rows(wte);
    return (es_onehot_cost){.bytes = V * row_bytes(wte),
                            .multiply_adds = (double)N * V * (double)es_table_width(wte)};
}

double es_onehot_bytes(const es_table *wte, int64_t N)
{
    return (double)N * (double)es_table_rows(wte) * sizeof(float);
}
