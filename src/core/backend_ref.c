// SPDX-License-Identifier: GPL-3.0-or-later
/* The reference backend: every operation as its definition, in plain loops.  It judges the others
 * in the tests, and users meet it as the device `sim`: CPU memory labelled as a device. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/backend.h"

static float *element(const es_view *v, int64_t i)
{
    return (float *)v->buf->mem + es_view_at(v, i);
}

static bool ref_open(es_backend *be, es_error *err)
{
    (void)err;
    snprintf(be->about, sizeof be->about, "a stand-in for a second device, for lessons");
    return true;
}

static void ref_close(es_backend *be)
{
    (void)be;
}

static bool ref_alloc(es_backend *be, es_buffer *buf, es_error *err)
{
    (void)be;
    buf->mem = es_try_alloc(buf->bytes, 1, "a tensor", err);
    return buf->mem != NULL;
}

static void ref_release(es_backend *be, es_buffer *buf)
{
    (void)be;
    free(buf->mem);
}

static bool ref_write(const es_view *dst, const float *src, es_error *err)
{
    (void)err;
    for (int64_t i = 0, n = es_view_count(dst); i < n; i++)
        *element(dst, i) = src[i];
    return true;
}

static bool ref_read(float *dst, const es_view *src, es_error *err)
{
    (void)err;
    for (int64_t i = 0, n = es_view_count(src); i < n; i++)
        dst[i] = *element(src, i);
    return true;
}

static bool ref_copy(const es_view *dst, const es_view *src, es_error *err)
{
    (void)err;
    for (int64_t i = 0, n = es_view_count(dst); i < n; i++)
        *element(dst, i) = *element(src, i);
    return true;
}

static bool ref_gather(const es_view *out, const es_view *table, const int32_t *ids,
                       const es_view *add, es_error *err)
{
    (void)err;
    int64_t C = out->dim[2];
    for (int64_t i = 0, n = es_view_count(out); i < n; i++) {
        float value = *element(table, ids[i / C] * C + i % C);
        *element(out, i) = add ? value + *element(add, i) : value;
    }
    return true;
}

static bool ref_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows,
                            es_error *err)
{
    (void)err;
    int64_t C = rows->dim[1];
    for (int64_t i = 0, n = es_view_count(rows); i < n; i++)
        *element(table, ids[i / C] * C + i % C) += *element(rows, i);
    return true;
}

static float apply(es_map_op op, float x, float y)
{
    switch (op) {
    case ES_ADD: return x + y;
    case ES_SUB: return x - y;
    case ES_MUL: return x * y;
    case ES_DIV: return x / y;
    case ES_POW: return powf(x, y);
    case ES_MAX: return isnan(x) || x > y ? x : y;
    case ES_MIN: return isnan(x) || x < y ? x : y;
    case ES_NEG: return -x;
    case ES_ABS: return fabsf(x);
    case ES_EXP: return expf(x);
    case ES_LOG: return logf(x);
    case ES_SQRT: return sqrtf(x);
    case ES_SIN: return sinf(x);
    case ES_COS: return cosf(x);
    case ES_TANH: return tanhf(x);
    default: return NAN;
    }
}

static bool ref_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                    es_error *err)
{
    (void)err;
    for (int64_t i = 0, n = es_view_count(out); i < n; i++)
        *element(out, i) = apply(op, *element(x, i), y ? *element(y, i) : 0.0f);
    return true;
}

static double fold(es_reduce_op op, double so_far, double x)
{
    switch (op) {
    case ES_REDUCE_SUM: return so_far + x;
    case ES_REDUCE_SUM_SQUARES: return so_far + x * x;
    case ES_REDUCE_MAX: return isnan(x) || x > so_far ? x : so_far;
    default: return isnan(x) || x < so_far ? x : so_far;
    }
}

static bool ref_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err)
{
    (void)err;
    int64_t n = x->dim[x->ndim - 1];
    bool extreme = op == ES_REDUCE_MAX || op == ES_REDUCE_MIN;
    for (int64_t r = 0, rows = es_view_count(out); r < rows; r++) {
        double total = extreme ? (double)*element(x, r * n) : 0.0;
        for (int64_t i = 0; i < n; i++)
            total = fold(op, total, (double)*element(x, r * n + i));
        *element(out, r) = (float)total;
    }
    return true;
}

static bool ref_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err)
{
    (void)err;
    int last = out->ndim - 1;
    int64_t M = out->dim[last - 1], N = out->dim[last], K = a->dim[last];
    for (int64_t i = 0, n = es_view_count(out); i < n; i++) {
        int64_t batch = i / (M * N), row = i / N % M, col = i % N;
        double sum = 0;
        for (int64_t k = 0; k < K; k++)
            sum += (double)*element(a, (batch * M + row) * K + k) *
                   (double)*element(b, (batch * K + k) * N + col);
        *element(out, i) = (float)sum;
    }
    return true;
}

static bool ref_softmax(const es_view *out, const es_view *x, es_error *err)
{
    (void)err;
    int64_t n = x->dim[x->ndim - 1];
    for (int64_t first = 0, all = es_view_count(x); first < all; first += n) {
        double max = (double)*element(x, first), sum = 0;
        for (int64_t i = 1; i < n; i++)
            max = fold(ES_REDUCE_MAX, max, (double)*element(x, first + i));
        for (int64_t i = 0; i < n; i++)
            sum += exp((double)*element(x, first + i) - max);
        for (int64_t i = 0; i < n; i++)
            *element(out, first + i) = (float)(exp((double)*element(x, first + i) - max) / sum);
    }
    return true;
}

/* Does x[i] come before x[best]?  NaN is above all numbers; the earlier wins a tie. */
static bool before(const es_view *x, int64_t i, int64_t best)
{
    float a = *element(x, i), b = *element(x, best);
    return isnan(b) ? false : isnan(a) || a > b;
}

static bool ref_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err)
{
    int64_t n = x->dim[x->ndim - 1], k = values->dim[values->ndim - 1];
    bool *taken = es_try_alloc((size_t)n, sizeof *taken, "the k largest", err);
    if (!taken)
        return false;
    for (int64_t i = 0, all = es_view_count(values); i < all; i++) {
        int64_t first = i / k * n, best = -1;
        if (i % k == 0)
            memset(taken, 0, (size_t)n);
        for (int64_t j = 0; j < n; j++)
            if (!taken[j] && (best < 0 || before(x, first + j, first + best)))
                best = j;
        taken[best] = true;
        *element(values, i) = *element(x, first + best);
        index[i] = best;
    }
    free(taken);
    return true;
}

extern const es_backend_ops es_backend_ref;
const es_backend_ops es_backend_ref = {
    .name = "ref",
    .device = "sim",
    .about = "plain loops in host memory, labelled as a device",
    .host_memory = true,
    .open = ref_open,
    .close = ref_close,
    .alloc = ref_alloc,
    .release = ref_release,
    .write = ref_write,
    .read = ref_read,
    .copy = ref_copy,
    .gather = ref_gather,
    .scatter_add = ref_scatter_add,
    .map = ref_map,
    .reduce = ref_reduce,
    .matmul = ref_matmul,
    .softmax = ref_softmax,
    .topk = ref_topk,
};
