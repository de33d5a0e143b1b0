// SPDX-License-Identifier: GPL-3.0-or-later
#include "plain_gpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static double *numbers(int64_t n)
{
    return es_alloc_array((size_t)n, sizeof(double));
}

/* ---- blocks ---- */

/* One block's parameters, in the order GPT-2's files have them. */
typedef struct block {
    const double *ln_1_weight, *ln_1_bias, *attn_weight, *attn_bias, *proj_weight, *proj_bias,
        *ln_2_weight, *ln_2_bias, *fc_weight, *fc_bias, *out_weight, *out_bias;
} block;

static const double *take(const double **params, int64_t n)
{
    const double *at = *params;
    *params += n;
    return at;
}

static block take_block(const double **params, int64_t C)
{
    block b;
    b.ln_1_weight = take(params, C);
    b.ln_1_bias = take(params, C);
    b.attn_weight = take(params, C * 3 * C);
    b.attn_bias = take(params, 3 * C);
    b.proj_weight = take(params, C * C);
    b.proj_bias = take(params, C);
    b.ln_2_weight = take(params, C);
    b.ln_2_bias = take(params, C);
    b.fc_weight = take(params, C * 4 * C);
    b.fc_bias = take(params, 4 * C);
    b.out_weight = take(params, 4 * C * C);
    b.out_bias = take(params, C);
    return b;
}

static void norm(double *out, const double *x, const double *weight, const double *bias, int64_t C)
{
    double mean = 0, variance = 0;
    for (int64_t c = 0; c < C; c++)
        mean += x[c] / (double)C;
    for (int64_t c = 0; c < C; c++)
        variance += (x[c] - mean) * (x[c] - mean) / (double)C;
    for (int64_t c = 0; c < C; c++)
        out[c] = (x[c] - mean) / sqrt(variance + 1e-5) * weight[c] + bias[c];
}

static void linear(double *out, const double *x, const double *weight, const double *bias,
                   int64_t n_in, int64_t n_out)
{
    for (int64_t j = 0; j < n_out; j++) {
        out[j] = bias[j];
        for (int64_t i = 0; i < n_in; i++)
            out[j] += x[i] * weight[i * n_out + j];
    }
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* out: what the query of token t gathers in the head whose columns begin at `from`; score is room for t + 1. */
static void attend(double *out, double *score, const double *qkv, int64_t t, int64_t from,
                   int64_t width, int64_t C)
{
    double sum = 0;
    for (int64_t k = 0; k <= t; k++) {
        score[k] = exp(dot(qkv + t * 3 * C + from, qkv + k * 3 * C + C + from, width) /
                       sqrt((double)width));
        sum += score[k];
    }
    for (int64_t c = 0; c < width; c++) {
        out[from + c] = 0;
        for (int64_t k = 0; k <= t; k++)
            out[from + c] += score[k] / sum * qkv[k * 3 * C + 2 * C + from + c];
    }
}

static double gelu(double x)
{
    return x / 2 * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

static void one_block(double *x, const block *p, int64_t T, int64_t C, int64_t H)
{
    double *normed = numbers(C), *qkv = numbers(T * 3 * C), *score = numbers(T);
    double *heads = numbers(C), *fc = numbers(4 * C), *add = numbers(C);
    for (int64_t t = 0; t < T; t++) {
        norm(normed, x + t * C, p->ln_1_weight, p->ln_1_bias, C);
        linear(qkv + t * 3 * C, normed, p->attn_weight, p->attn_bias, C, 3 * C);
    }
    for (int64_t t = 0; t < T; t++) {
        for (int64_t h = 0; h < H; h++)
            attend(heads, score, qkv, t, h * (C / H), C / H, C);
        linear(add, heads, p->proj_weight, p->proj_bias, C, C);
        for (int64_t c = 0; c < C; c++)
            x[t * C + c] += add[c];
        norm(normed, x + t * C, p->ln_2_weight, p->ln_2_bias, C);
        linear(fc, normed, p->fc_weight, p->fc_bias, C, 4 * C);
        for (int64_t j = 0; j < 4 * C; j++)
            fc[j] = gelu(fc[j]);
        linear(add, fc, p->out_weight, p->out_bias, 4 * C, C);
        for (int64_t c = 0; c < C; c++)
            x[t * C + c] += add[c];
    }
    double *const rooms[] = {normed, qkv, score, heads, fc, add};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++)
        free(rooms[i]);
}

void plain_blocks(double *hidden, const es_block_sizes *s, const double *params, const double *x,
                  int64_t B, int64_t T)
{
    int64_t C = s->n_embd;
    double *stream = numbers(B * T * C);
    memcpy(stream, x, (size_t)(B * T * C) * sizeof *x);
    for (int64_t l = 0; l < s->n_layer; l++) {
        block p = take_block(&params, C);
        for (int64_t b = 0; b < B; b++)
            one_block(stream + b * T * C, &p, T, C, s->n_head);
    }
    const double *weight = take(&params, C), *bias = take(&params, C);
    for (int64_t n = 0; n < B * T; n++)
        norm(hidden + n * C, stream + n * C, weight, bias, C);
    free(stream);
}

/* ---- losses ---- */

double plain_whole(const double *logits, int64_t n, int64_t target)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += exp(logits[i] - logits[target]);
    return log(sum);
}

static bool came_before(const int32_t *drawn, int64_t i)
{
    for (int64_t k = 0; k < i; k++)
        if (drawn[k] == drawn[i])
            return true;
    return false;
}

double plain_sampled(const double *logits, const double *log_q, const int32_t *drawn, int64_t n,
                     int64_t target)
{
    double sum = 1, own = logits[target] - log_q[target];
    for (int64_t i = 0; i < n; i++)
        if (drawn[i] != target && !came_before(drawn, i))
            sum += exp(logits[drawn[i]] - log_q[drawn[i]] - own);
    return log(sum);
}

/* log of 1 - (1 - q)^n for each token */
static double *log_chances(const plain_gpt *g)
{
    double all = 0, *log_q = numbers(g->V);
    for (int64_t i = 0; i < g->V; i++)
        all += pow((double)g->counts[i] + 1, 0.75);
    for (int64_t i = 0; i < g->V; i++) {
        double q = pow((double)g->counts[i] + 1, 0.75) / all;
        log_q[i] = log(1 - pow(1 - q, (double)g->recipe->negatives));
    }
    return log_q;
}

double plain_loss(const plain_gpt *g, const es_gpt_batch *batch)
{
    const es_recipe *r = g->recipe;
    int64_t C = r->n_embd, T = r->context, B = r->batch, n = r->negatives;
    es_block_sizes sizes = {r->n_layer, r->n_head, C};
    double *x = numbers(B * T * C), *hidden = numbers(B * T * C), *logits = numbers(g->V), loss = 0;
    double *log_q = log_chances(g);
    for (int64_t i = 0; i < B * T * C; i++) {
        int64_t b = i / C / T, t = i / C % T, c = i % C;
        x[i] =
            g->wte[batch->windows[b * (T + 1) + t] * C + c] + g->wpe[(batch->first[b] + t) * C + c];
    }
    plain_blocks(hidden, &sizes, g->blocks, x, B, T);
    for (int64_t i = 0; i < B * T; i++) {
        int32_t target = batch->windows[i / T * (T + 1) + i % T + 1];
        for (int64_t v = 0; v < g->V; v++)
            logits[v] = dot(hidden + i * C, g->out + v * C, C);
        loss += n ? plain_sampled(logits, log_q, batch->negatives, n, target)
                  : plain_whole(logits, g->V, target);
    }
    free(x);
    free(hidden);
    free(logits);
    free(log_q);
    return loss / (double)(B * T);
}
