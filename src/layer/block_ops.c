// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors here are views whose reference is the run's, the caller's or the table's: they are not freed. */
#include "layer/block_ops.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "core/ops.h"
#include "layer/block_parts.h"

/* Numbers that whole tensors are added to or multiplied by. */
typedef enum constant {
    ONE_OF_C, /* 1 / C */
    EPSILON,
    SCALE, /* 1 / sqrt(width of a head) */
    CUBE,  /* of GELU: sqrt(2 / pi) 0.044715 */
    SLOPE, /* sqrt(2 / pi) */
    ONE,
    HALF,
    N_CONSTANTS
} constant;

enum {
    SCORES = 1 << 24, /* numbers of a strip's, at most */
    MOST_QUERIES = 1024
};

typedef struct run {
    const es_block_sizes *sizes;
    const es_tensor *params;
    es_backend *be;
    int64_t B, T, N, C, H;
    int64_t strip;         /* queries whose scores are worked on at once */
    es_tensor stream;      /* (N, C) what goes from block to block */
    es_tensor norm, heads; /* (N, C) */
    es_tensor wide;        /* (N, 4C): qkv (N, 3C), later what the MLP makes */
    es_tensor spare;       /* (N, 4C) */
    es_tensor stat;        /* (N, 1) */
    es_tensor scores;      /* B * H * strip * T numbers */
    es_tensor mask;        /* (strip, strip): far below 0 above the diagonal, else 0 */
    es_tensor constants;
    es_watch *watch;
} run;

/* ---- views ---- */

static es_tensor matrix(const es_tensor *of, int64_t offset, int64_t rows, int64_t cols,
                        int64_t step)
{
    es_tensor v = *of;
    v.offset += offset;
    v.shape = es_shape_2d("", rows, "", cols);
    v.stride[0] = step;
    v.stride[1] = 1;
    return v;
}

static es_tensor number(const run *r, constant which)
{
    return matrix(&r->constants, which, 1, 1, 1);
}

/* Part p of block l, (rows, cols); a vector is a row. */
static es_tensor param(const run *r, int64_t l, es_part p, int64_t rows, int64_t cols)
{
    return matrix(r->params, es_block_offset(r->sizes, l, p), rows, cols, cols);
}

/* (B, H, rows, cols) within rows of numbers (N, width): heads lie side by side from column `column` on, `first` places are
 * left out. */
static es_tensor of_heads(const run *r, const es_tensor *t, int64_t width, int64_t column,
                          int64_t first, int64_t rows)
{
    int64_t each = r->C / r->H;
    es_tensor v = *t;
    v.offset += first * width + column;
    v.shape = (es_shape){.ndim = 4, .dim = {r->B, r->H, rows, each}};
    const int64_t stride[] = {r->T * width, each, width, 1};
    for (int i = 0; i < 4; i++)
        v.stride[i] = stride[i];
    return v;
}

/* ---- room ---- */

static bool make(es_tensor *t, const run *r, int64_t rows, int64_t cols, es_error *err)
{
    es_shape shape = es_shape_2d("", rows, "", cols);
    return es_tensor_new(t, r->be, ES_FLOAT32, &shape, err);
}

static bool make_constants(run *r, es_error *err)
{
    const double slope = sqrt(2 / acos(-1));
    const float value[N_CONSTANTS] = {[ONE_OF_C] = 1 / (float)r->C,
                                      [EPSILON] = 1e-5F,
                                      [SCALE] = 1 / sqrtf((float)(r->C / r->H)),
                                      [CUBE] = (float)(slope * 0.044715),
                                      [SLOPE] = (float)slope,
                                      [ONE] = 1,
                                      [HALF] = 0.5F};
    return make(&r->constants, r, 1, N_CONSTANTS, err) &&
           es_tensor_write(&r->constants, value, err);
}

/* Not minus infinity: what e is raised to stays a number on any device. */
static bool make_mask(run *r, es_error *err)
{
    int64_t n = r->strip;
    float *mask = es_try_alloc((size_t)(n * n), sizeof *mask, "the mask", err);
    for (int64_t i = 0; mask && i < n * n; i++)
        mask[i] = i % n > i / n ? -0x1p120F : 0;
    bool ok = mask && make(&r->mask, r, n, n, err) && es_tensor_write(&r->mask, mask, err);
    free(mask);
    return ok;
}

static bool make_room(run *r, es_error *err)
{
    int64_t N = r->N, C = r->C, most = SCORES / (r->B * r->H * r->T);
    r->strip = most < 1 ? 1 : most < MOST_QUERIES ? most : MOST_QUERIES;
    r->strip = r->strip < r->T ? r->strip : r->T;
    return make(&r->stream, r, N, C, err) && make(&r->norm, r, N, C, err) &&
           make(&r->heads, r, N, C, err) && make(&r->wide, r, N, 4 * C, err) &&
           make(&r->spare, r, N, 4 * C, err) && make(&r->stat, r, N, 1, err) &&
           make(&r->scores, r, r->B * r->H * r->strip, r->T, err) && make_constants(r, err) &&
           make_mask(r, err);
}

static void free_room(run *r)
{
    es_tensor_free(&r->stream);
    es_tensor_free(&r->norm);
    es_tensor_free(&r->heads);
    es_tensor_free(&r->wide);
    es_tensor_free(&r->spare);
    es_tensor_free(&r->stat);
    es_tensor_free(&r->scores);
    es_tensor_free(&r->mask);
    es_tensor_free(&r->constants);
}

/* ---- parts of a block ---- */

/* t = t op y */
static bool change(es_map_op op, es_tensor *t, const es_tensor *y, es_error *err)
{
    return es_map(op, t, t, y, err);
}

static bool change_by(const run *r, es_map_op op, es_tensor *t, constant which, es_error *err)
{
    es_tensor y = number(r, which);
    return es_map(op, t, t, &y, err);
}

/* out (N, C) = LayerNorm of x by the weight and bias behind it that part `weight` of block l is */
static bool norm(es_tensor *out, run *r, const es_tensor *x, int64_t l, es_part weight,
                 es_error *err)
{
    es_tensor w = param(r, l, weight, 1, r->C), b = param(r, l, weight + 1, 1, r->C);
    return es_reduce(ES_REDUCE_SUM, &r->stat, x, 1, err) &&
           change_by(r, ES_MUL, &r->stat, ONE_OF_C, err) && es_map(ES_SUB, out, x, &r->stat, err) &&
           es_reduce(ES_REDUCE_SUM_SQUARES, &r->stat, out, 1, err) &&
           change_by(r, ES_MUL, &r->stat, ONE_OF_C, err) &&
           change_by(r, ES_ADD, &r->stat, EPSILON, err) && change(ES_SQRT, &r->stat, NULL, err) &&
           change(ES_DIV, out, &r->stat, err) && change(ES_MUL, out, &w, err) &&
           change(ES_ADD, out, &b, err);
}

/* out (N, n_out) = x (N, n_in) @ weight + the bias behind it */
static bool linear(es_tensor *out, const run *r, const es_tensor *x, int64_t l, es_part weight,
                   es_error *err)
{
    int64_t n_in = x->shape.dim[1], n_out = out->shape.dim[1];
    es_tensor w = param(r, l, weight, n_in, n_out), b = param(r, l, weight + 1, 1, n_out);
    return es_matmul(out, x, &w, err) && change(ES_ADD, out, &b, err);
}

/* Queries from..to-1, scaled already, against the keys 0..to-1. */
static bool attend(run *r, int64_t from, int64_t to, es_error *err)
{
    int64_t n = to - from, C = r->C, width = 3 * C;
    es_tensor q = of_heads(r, &r->wide, width, 0, from, n),
              k = of_heads(r, &r->wide, width, C, 0, to),
              v = of_heads(r, &r->wide, width, 2 * C, 0, to),
              out = of_heads(r, &r->heads, C, 0, from, n), scores = r->scores, turned = k;
    turned.shape.dim[2] = k.shape.dim[3];
    turned.shape.dim[3] = k.shape.dim[2];
    turned.stride[2] = k.stride[3];
    turned.stride[3] = k.stride[2];
    scores.shape = (es_shape){.ndim = 4, .dim = {r->B, r->H, n, to}};
    const int64_t stride[] = {r->H * n * to, n * to, to, 1};
    for (int i = 0; i < 4; i++)
        scores.stride[i] = stride[i];
    es_tensor last = scores, mask = matrix(&r->mask, 0, n, n, r->strip);
    last.offset += from;
    last.shape.dim[3] = n;
    return es_matmul(&scores, &q, &turned, err) && change(ES_ADD, &last, &mask, err) &&
           es_softmax(&scores, &scores, 3, err) && es_matmul(&out, &scores, &v, err);
}

static bool attention(run *r, es_error *err)
{
    es_tensor queries = matrix(&r->wide, 0, r->N, r->C, 3 * r->C);
    bool ok = change_by(r, ES_MUL, &queries, SCALE, err);
    for (int64_t from = 0; ok && from < r->T; from += r->strip)
        ok = es_watch_look(r->watch, err) &&
             attend(r, from, from + r->strip < r->T ? from + r->strip : r->T, err);
    return ok;
}

/* x = x / 2 (1 + tanh(x (sqrt(2 / pi) + sqrt(2 / pi) 0.044715 x^2))) */
static bool gelu(es_tensor *x, run *r, es_error *err)
{
    es_tensor *t = &r->spare;
    return es_map(ES_MUL, t, x, x, err) && change_by(r, ES_MUL, t, CUBE, err) &&
           change_by(r, ES_ADD, t, SLOPE, err) && change(ES_MUL, t, x, err) &&
           change(ES_TANH, t, NULL, err) && change_by(r, ES_ADD, t, ONE, err) &&
           change(ES_MUL, x, t, err) && change_by(r, ES_MUL, x, HALF, err);
}

/* ---- a block ---- */

static bool block(run *r, int64_t l, es_error *err)
{
    es_tensor qkv = matrix(&r->wide, 0, r->N, 3 * r->C, 3 * r->C), *stream = &r->stream;
    return es_watch_look(r->watch, err) && norm(&r->norm, r, stream, l, ES_LN_1_WEIGHT, err) &&
           linear(&qkv, r, &r->norm, l, ES_ATTN_WEIGHT, err) && attention(r, err) &&
           linear(&r->norm, r, &r->heads, l, ES_PROJ_WEIGHT, err) &&
           change(ES_ADD, stream, &r->norm, err) &&
           norm(&r->norm, r, stream, l, ES_LN_2_WEIGHT, err) &&
           linear(&r->wide, r, &r->norm, l, ES_FC_WEIGHT, err) && gelu(&r->wide, r, err) &&
           linear(&r->norm, r, &r->wide, l, ES_OUT_WEIGHT, err) &&
           change(ES_ADD, stream, &r->norm, err);
}

static bool blocks(es_tensor *hidden, run *r, const es_tensor *x, es_error *err)
{
    es_tensor start = r->stream, end;
    start.shape = x->shape;
    start.stride[0] = r->T * r->C;
    start.stride[1] = r->C;
    start.stride[2] = 1;
    bool ok = es_copy(&start, x, err);
    for (int64_t l = 0; ok && l < r->sizes->n_layer; l++)
        ok = block(r, l, err);
    end = matrix(hidden, 0, r->N, r->C, r->C);
    return ok && norm(&end, r, &r->stream, r->sizes->n_layer, ES_LN_F_WEIGHT, err);
}

bool es_block_ops_forward(es_tensor *hidden, const es_block_sizes *s, const es_tensor *params,
                          const es_tensor *x, es_watch *watch, es_error *err)
{
    run r = {.sizes = s,
             .params = params,
             .be = x->buf->be,
             .B = x->shape.dim[0],
             .T = x->shape.dim[1],
             .C = s->n_embd,
             .H = s->n_head,
             .watch = watch};
    r.N = r.B * r.T;
    if (!es_tensor_new(hidden, r.be, ES_FLOAT32, &x->shape, err))
        return false;
    bool ok = r.N == 0 || (make_room(&r, err) && blocks(hidden, &r, x, err));
    free_room(&r);
    if (!ok)
        es_tensor_free(hidden);
    return ok;
}

bool es_block_ops_scores(float *score, const es_tensor *hidden, es_table *rows, es_error *err)
{
    int64_t T = hidden->shape.dim[1], C = hidden->shape.dim[2], V = es_table_rows(rows);
    es_backend *be = hidden->buf->be;
    const es_tensor *whole = es_table_whole(rows, be, err);
    es_tensor last = matrix(hidden, (T - 1) * C, C, 1, 1), product;
    es_shape shape = es_shape_2d("V", V, "", 1);
    if (!whole || !es_tensor_new(&product, be, ES_FLOAT32, &shape, err))
        return false;
    bool ok = es_matmul(&product, whole, &last, err) && es_tensor_read(&product, score, err);
    es_tensor_free(&product);
    return ok;
}
