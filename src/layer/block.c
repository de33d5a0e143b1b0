// SPDX-License-Identifier: GPL-3.0-or-later
/* Names below are GPT-2's: a block is
 *   mid = x + proj(attention(ln_1(x)))        out = mid + c_proj(gelu(c_fc(ln_2(mid))))
 * N = B * T rows throughout. */
#include "layer/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/gemm.h"
#include "layer/block_parts.h"
#include "layer/rows.h"

/* Queries whose scores are worked on at once: later keys are left out a strip at a time. */
enum { STRIP = 64 };

/* ---- room ---- */

/* What one block's forward leaves for its backward. */
typedef struct layer {
    float *norm_1, *hat_1, *rstd_1; /* (N, C), (N, C), N */
    float *qkv;     /* (N, 3C): each row its query, key and value, heads side by side */
    float *weights; /* (B, H, T, T), row i over keys 0..i; without keep (STRIP, T) */
    float *heads;   /* (N, C): what attention gathers */
    float *mid;     /* (N, C) */
    float *norm_2, *hat_2, *rstd_2;
    float *fc, *act; /* (N, 4C) before and after GELU */
} layer;

struct es_block_run {
    es_block_sizes sizes;
    bool keep;
    int64_t B, T;   /* of the run just made; at first the most there may be */
    layer *layers;  /* one that serves all without keep */
    float **stream; /* n_layer + 1 of (N, C): what enters each block, and what leaves the last */
    float *hat_f, *rstd_f;
    float *d_wide, *d_norm, *d_stream; /* (N, 4C), (N, C), (N, C) for backward */
    float *d_weights;                  /* (STRIP, T) */
    float *memory;
};

/* Hands out pieces of one piece of memory; with base NULL it only adds them up. */
typedef struct room {
    float *base;
    int64_t used; /* MOST_USED: that and more */
} room;

#define MOST_USED (INT64_MAX / 8) /* whose bytes a size_t still counts */

/* (rows, cols) numbers, from the start of a cache line on. */
static float *take(room *m, int64_t rows, int64_t cols)
{
    float *at = m->base ? m->base + m->used : NULL;
    int64_t n;
    if (__builtin_mul_overflow(rows, cols, &n) || n > MOST_USED - 16 - m->used)
        m->used = MOST_USED;
    else
        m->used += (n + 15) / 16 * 16;
    return at;
}

static void place_layer(layer *l, room *m, const es_block_run *r)
{
    int64_t N = r->B * r->T, C = r->sizes.n_embd, H = r->sizes.n_head;
    l->norm_1 = take(m, N, C);
    l->hat_1 = take(m, N, C);
    l->rstd_1 = take(m, N, 1);
    l->qkv = take(m, N, 3 * C);
    l->weights = take(m, r->keep ? N * H : STRIP, r->T);
    l->heads = take(m, N, C);
    l->mid = take(m, N, C);
    l->norm_2 = take(m, N, C);
    l->hat_2 = take(m, N, C);
    l->rstd_2 = take(m, N, 1);
    l->fc = take(m, N, 4 * C);
    l->act = r->keep ? take(m, N, 4 * C) : l->fc;
}

static void place(es_block_run *r, room *m)
{
    int64_t N = r->B * r->T, C = r->sizes.n_embd, L = r->sizes.n_layer;
    for (int64_t i = 0; i < (r->keep ? L : 1); i++)
        place_layer(&r->layers[i], m, r);
    for (int64_t i = 0; i <= L; i++)
        r->stream[i] = r->keep || i < 2 ? take(m, N, C) : r->stream[i - 2];
    r->hat_f = take(m, N, C);
    r->rstd_f = take(m, N, 1);
    if (!r->keep)
        return;
    r->d_wide = take(m, N, 4 * C);
    r->d_norm = take(m, N, C);
    r->d_stream = take(m, N, C);
    r->d_weights = take(m, STRIP, r->T);
}

/* Nothing has its place yet; m says how much it will be. */
static es_block_run *outline(const es_block_sizes *s, int64_t B, int64_t T, bool keep, room *m)
{
    es_block_run *r = es_alloc(sizeof *r);
    *r = (es_block_run){.sizes = *s, .keep = keep, .B = B, .T = T};
    r->layers = es_alloc_array((size_t)s->n_layer + 1, sizeof *r->layers);
    r->stream = es_alloc_array((size_t)s->n_layer + 1, sizeof *r->stream);
    *m = (room){0};
    place(r, m);
    return r;
}

double es_block_run_bytes(const es_block_sizes *s, int64_t B, int64_t T, bool keep)
{
    room m;
    es_block_run_free(outline(s, B, T, keep, &m));
    return (double)m.used * sizeof(float);
}

es_block_run *es_block_run_new(const es_block_sizes *s, int64_t B, int64_t T, bool keep,
                               es_error *err)
{
    room m;
    es_block_run *r = outline(s, B, T, keep, &m);
    r->memory = es_try_alloc((size_t)m.used, sizeof(float), "the blocks' numbers", err);
    if (!r->memory) {
        es_block_run_free(r);
        return NULL;
    }
    m = (room){.base = r->memory};
    place(r, &m);
    return r;
}

void es_block_run_free(es_block_run *r)
{
    if (!r)
        return;
    free(r->memory);
    free(r->layers);
    free(r->stream);
    free(r);
}

/* ---- forward ---- */

static es_matrix as_is(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, false};
}

static es_matrix turned(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, true};
}

/* How many rows of (…, in) @ (in, out) take a few milliseconds at most. */
static int64_t rows_at_once(int64_t in, int64_t out)
{
    int64_t rows = 100000000 / (in * out);
    return rows < 32 ? 32 : rows;
}

/* out (N, n_out) = x (N, n_in) @ weight + bias, plus `onto` unless that is NULL. */
static bool linear(float *out, const float *x, const float *weight, const float *bias,
                   const float *onto, int64_t N, int64_t n_in, int64_t n_out, es_watch *watch,
                   es_error *err)
{
    int64_t step = rows_at_once(n_in, n_out);
    for (int64_t i = 0; i < N; i += step) {
        int64_t n = i + step < N ? step : N - i;
        es_rows_start(out + i * n_out, bias, onto ? onto + i * n_out : NULL, n, n_out);
        es_gemm(out + i * n_out, n_out, 1, as_is(x + i * n_in, n_in), as_is(weight, n_out), n,
                n_out, n_in, true);
        if (watch && !es_watch_step(watch, watch->done, err))
            return false;
    }
    return true;
}

/* One head of one sentence: where its queries, keys and values begin, and everything about their lie. */
typedef struct head {
    const float *q, *k, *v;
    float *out;       /* where it writes in `heads` */
    float *weights;   /* (T, T), or a strip alone */
    int64_t T, width; /* width: of a head */
    int64_t C;
    float scale; /* 1 / sqrt(width) */
} head;

static head head_at(const es_block_run *r, const layer *l, int64_t b, int64_t h)
{
    int64_t T = r->T, C = r->sizes.n_embd, H = r->sizes.n_head, width = C / H;
    const float *q = l->qkv + b * T * 3 * C + h * width;
    return (head){.q = q,
                  .k = q + C,
                  .v = q + 2 * C,
                  .out = l->heads + b * T * C + h * width,
                  .weights = l->weights + (r->keep ? (b * H + h) * T * T : 0),
                  .T = T,
                  .width = width,
                  .C = C,
                  .scale = 1 / sqrtf((float)width)};
}

/* Queries from..to-1 against the keys 0..to-1 that any of them may see. */
static void attend(const head *h, float *weights, int64_t from, int64_t to)
{
    int64_t n = to - from, stride = 3 * h->C;
    es_gemm(weights, h->T, h->scale, as_is(h->q + from * stride, stride), turned(h->k, stride), n,
            to, h->width, false);
    es_rows_causal_softmax(weights, n, h->T, from + 1, to);
    es_gemm(h->out + from * h->C, h->C, 1, as_is(weights, h->T), as_is(h->v, stride), n, h->width,
            to, false);
}

static bool attention(es_block_run *r, layer *l, es_watch *watch, es_error *err)
{
    for (int64_t b = 0; b < r->B; b++)
        for (int64_t i = 0; i < r->sizes.n_head; i++) {
            head h = head_at(r, l, b, i);
            for (int64_t from = 0; from < r->T; from += STRIP)
                attend(&h, h.weights + (r->keep ? from * r->T : 0), from,
                       from + STRIP < r->T ? from + STRIP : r->T);
            if (watch && !es_watch_step(watch, watch->done, err))
                return false;
        }
    return true;
}

/* A block's parameters, or their gradients, by name. */
static const float *param(const es_block_run *r, const float *params, int64_t l, es_part p)
{
    return params + es_block_offset(&r->sizes, l, p);
}

static bool forward_layer(float *out, es_block_run *r, layer *l, const float *params, int64_t i,
                          const float *x, es_watch *watch, es_error *err)
{
    int64_t N = r->B * r->T, C = r->sizes.n_embd;
#define P(name) param(r, params, i, name)
    es_rows_norm(l->norm_1, l->hat_1, l->rstd_1, x, P(ES_LN_1_WEIGHT), P(ES_LN_1_BIAS), N, C);
    if (!linear(l->qkv, l->norm_1, P(ES_ATTN_WEIGHT), P(ES_ATTN_BIAS), NULL, N, C, 3 * C, watch,
                err) ||
        !attention(r, l, watch, err) ||
        !linear(l->mid, l->heads, P(ES_PROJ_WEIGHT), P(ES_PROJ_BIAS), x, N, C, C, watch, err))
        return false;
    es_rows_norm(l->norm_2, l->hat_2, l->rstd_2, l->mid, P(ES_LN_2_WEIGHT), P(ES_LN_2_BIAS), N, C);
    if (!linear(l->fc, l->norm_2, P(ES_FC_WEIGHT), P(ES_FC_BIAS), NULL, N, C, 4 * C, watch, err))
        return false;
    es_rows_gelu(l->act, l->fc, N * 4 * C);
    return linear(out, l->act, P(ES_OUT_WEIGHT), P(ES_OUT_BIAS), l->mid, N, 4 * C, C, watch, err);
#undef P
}

bool es_block_forward(float *hidden, es_block_run *r, const float *params, const float *x,
                      int64_t B, int64_t T, es_watch *watch, es_error *err)
{
    int64_t C = r->sizes.n_embd, L = r->sizes.n_layer;
    r->B = B;
    r->T = T;
    memcpy(r->stream[0], x, (size_t)(B * T * C) * sizeof *x);
    for (int64_t i = 0; i < L; i++)
        if (!forward_layer(r->stream[i + 1], r, &r->layers[r->keep ? i : 0], params, i,
                           r->stream[i], watch, err))
            return false;
    es_rows_norm(hidden, r->hat_f, r->rstd_f, r->stream[L], param(r, params, L, ES_LN_F_WEIGHT),
                 param(r, params, L, ES_LN_F_BIAS), B * T, C);
    return true;
}

/* ---- backward ---- */

/* Of linear, by d_out (N, n_out): d_x (N, n_in) is set, d_weight and d_bias are added to. */
static void linear_back(float *d_x, float *d_weight, float *d_bias, const float *d_out,
                        const float *x, const float *weight, int64_t N, int64_t n_in, int64_t n_out)
{
    es_gemm(d_weight, n_out, 1, turned(x, n_in), as_is(d_out, n_out), n_in, n_out, N, true);
    es_rows_add_up(d_bias, d_out, N, n_out);
    es_gemm(d_x, n_in, 1, as_is(d_out, n_out), turned(weight, n_out), N, n_in, n_out, false);
}

/* Of attend: d_q of queries from..to-1 is set, d_k and d_v of all keys are added to.  d_out and d_qkv begin at the
 * head's columns, like h->out and h->q. */
static void attend_back(const head *h, float *d_qkv, const float *d_out, float *d_weights,
                        int64_t from, int64_t to)
{
    int64_t n = to - from, stride = 3 * h->C;
    const float *weights = h->weights + from * h->T;
    float *d_q = d_qkv + from * stride, *d_k = d_qkv + h->C, *d_v = d_k + h->C;
    d_out += from * h->C;
    es_gemm(d_v, stride, 1, turned(weights, h->T), as_is(d_out, h->C), to, h->width, n, true);
    es_gemm(d_weights, h->T, 1, as_is(d_out, h->C), turned(h->v, stride), n, to, h->width, false);
    es_rows_softmax_back(d_weights, h->T, weights, h->T, n, to);
    es_gemm(d_q, stride, h->scale, as_is(d_weights, h->T), as_is(h->k, stride), n, h->width, to,
            false);
    es_gemm(d_k, stride, h->scale, turned(d_weights, h->T), as_is(h->q + from * stride, stride), to,
            h->width, n, true);
}

static void attention_back(float *d_qkv, const float *d_heads, es_block_run *r, const layer *l)
{
    int64_t T = r->T, C = r->sizes.n_embd;
    memset(d_qkv, 0, (size_t)(r->B * T * 3 * C) * sizeof *d_qkv);
    for (int64_t b = 0; b < r->B; b++)
        for (int64_t i = 0; i < r->sizes.n_head; i++) {
            head h = head_at(r, l, b, i);
            float *d = d_qkv + b * T * 3 * C + i * h.width;
            const float *d_out = d_heads + b * T * C + i * h.width;
            for (int64_t from = 0; from < T; from += STRIP)
                attend_back(&h, d, d_out, r->d_weights, from, from + STRIP < T ? from + STRIP : T);
        }
}

/* d (N, C): the gradient of what leaves block i becomes that of what entered it. */
static void backward_layer(float *d, float *d_params, es_block_run *r, const float *params,
                           int64_t i)
{
    int64_t N = r->B * r->T, C = r->sizes.n_embd;
    const layer *l = &r->layers[i];
    float *wide = r->d_wide, *norm = r->d_norm;
#define P(name) param(r, params, i, name)
#define D(name) (d_params + es_block_offset(&r->sizes, i, name))
    linear_back(wide, D(ES_OUT_WEIGHT), D(ES_OUT_BIAS), d, l->act, P(ES_OUT_WEIGHT), N, 4 * C, C);
    es_rows_gelu_back(wide, l->fc, N * 4 * C);
    linear_back(norm, D(ES_FC_WEIGHT), D(ES_FC_BIAS), wide, l->norm_2, P(ES_FC_WEIGHT), N, C,
                4 * C);
    es_rows_norm_back(d, D(ES_LN_2_WEIGHT), D(ES_LN_2_BIAS), norm, l->hat_2, l->rstd_2,
                      P(ES_LN_2_WEIGHT), N, C);
    linear_back(norm, D(ES_PROJ_WEIGHT), D(ES_PROJ_BIAS), d, l->heads, P(ES_PROJ_WEIGHT), N, C, C);
    attention_back(wide, norm, r, l);
    linear_back(norm, D(ES_ATTN_WEIGHT), D(ES_ATTN_BIAS), wide, l->norm_1, P(ES_ATTN_WEIGHT), N, C,
                3 * C);
    es_rows_norm_back(d, D(ES_LN_1_WEIGHT), D(ES_LN_1_BIAS), norm, l->hat_1, l->rstd_1,
                      P(ES_LN_1_WEIGHT), N, C);
#undef D
#undef P
}

void es_block_backward(float *d_x, float *d_params, es_block_run *r, const float *params,
                       const float *d_hidden)
{
    int64_t N = r->B * r->T, C = r->sizes.n_embd, L = r->sizes.n_layer;
    float *d = r->d_stream;
    memset(d, 0, (size_t)(N * C) * sizeof *d);
    es_rows_norm_back(d, d_params + es_block_offset(&r->sizes, L, ES_LN_F_WEIGHT),
                      d_params + es_block_offset(&r->sizes, L, ES_LN_F_BIAS), d_hidden, r->hat_f,
                      r->rstd_f, param(r, params, L, ES_LN_F_WEIGHT), N, C);
    for (int64_t i = L; i-- > 0;)
        backward_layer(d, d_params, r, params, i);
    memcpy(d_x, d, (size_t)(N * C) * sizeof *d);
}
