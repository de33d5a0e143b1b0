// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loss.h"

#include <math.h>

#include "core/gemm.h"
#include "core/vector.h"

/* One place's logits s[0..n): s becomes the shares of softmax over them and, besides, of `target` where that is not
 * among them; returns log of the sum of e^s. */
typedef struct row {
    float *s;
    int64_t n;
    float target; /* logit of the target, -INFINITY where it is one of s */
    float share;  /* set: its share */
} row;

ES_INLINE float most_of(const float *s, int64_t n, float most)
{
    es_lanes m = es_lanes_of(most);
    int64_t i = 0;
    for (; i + ES_LANES <= n; i += ES_LANES) {
        es_lanes x = es_lanes_at(s + i);
        es_int_lanes more = x > m;
        m = (es_lanes)(((es_int_lanes)x & more) | ((es_int_lanes)m & ~more));
    }
    for (int lane = 0; lane < ES_LANES; lane++)
        most = m[lane] > most ? m[lane] : most;
    for (; i < n; i++)
        most = s[i] > most ? s[i] : most;
    return most;
}

ES_INLINE void softmax_loop(row *r, double *log_sum)
{
    float most = most_of(r->s, r->n, r->target);
    es_lanes sums = es_lanes_of(0), shift = es_lanes_of(most);
    int64_t i = 0;
    for (; i + ES_LANES <= r->n; i += ES_LANES) {
        es_lanes e = es_lanes_exp(es_lanes_at(r->s + i) - shift);
        es_lanes_put(r->s + i, e);
        sums += e;
    }
    double sum = es_lanes_sum(sums) + expf(r->target - most);
    for (; i < r->n; i++)
        sum += r->s[i] = expf(r->s[i] - most);
    float scale = (float)(1 / sum);
    for (i = 0; i + ES_LANES <= r->n; i += ES_LANES)
        es_lanes_put(r->s + i, es_lanes_at(r->s + i) * es_lanes_of(scale));
    for (; i < r->n; i++)
        r->s[i] *= scale;
    r->share = expf(r->target - most) * scale;
    *log_sum = log(sum) + most;
}
ES_TWO_FORMS(static, softmax, (row * r, double *log_sum), (r, log_sum))

/* s -= log_expected; hits of the target fall out of the sum. */
ES_INLINE void correct_loop(float *s, const es_negatives *neg, int32_t target)
{
    const float out = -1e30f; /* e^ of it is 0 beside any other */
    for (int64_t i = 0; i < neg->n; i++) {
        float corrected = s[i] - neg->log_expected[i];
        s[i] = neg->ids[i] == target ? out : corrected;
    }
}
ES_TWO_FORMS(static, correct, (float *s, const es_negatives *neg, int32_t target), (s, neg, target))

static es_matrix as_is(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, false};
}

static es_matrix turned(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, true};
}

/* ---- over the target and negatives ---- */

/* Place i, whose shares of the negatives are s. */
static double sampled_place(const es_loss_gradients *g, const es_loss_places *p,
                            const es_negatives *neg, float scale, float *s, int64_t i)
{
    const float *hidden = p->hidden + i * p->C, *wanted = p->out + p->targets[i] * p->C;
    row r = {.s = s, .n = neg->n, .target = es_dot(hidden, wanted, p->C)};
    double log_sum;
    correct(s, neg, p->targets[i]);
    softmax(&r, &log_sum);
    float d = scale * (r.share - 1);
    for (int64_t c = 0; g->hidden && c < p->C; c++)
        g->hidden[i * p->C + c] = d * wanted[c];
    for (int64_t c = 0; g->target && c < p->C; c++)
        g->target[i * p->C + c] = d * hidden[c];
    return log_sum - r.target;
}

double es_loss_sampled(const es_loss_gradients *g, const es_loss_places *p, const es_negatives *neg,
                       float scale, float *work)
{
    double loss = 0;
    int64_t C = p->C, n = neg->n;
    for (int64_t i = 0; i < p->N; i += ES_LOSS_ROWS) {
        int64_t rows = i + ES_LOSS_ROWS < p->N ? ES_LOSS_ROWS : p->N - i;
        const float *hidden = p->hidden + i * C;
        es_gemm(work, n, 1, as_is(hidden, C), turned(neg->rows, C), rows, n, C, false);
        for (int64_t k = 0; k < rows; k++)
            loss += sampled_place(g, p, neg, scale, work + k * n, i + k);
        if (g->hidden)
            es_gemm(g->hidden + i * C, C, scale, as_is(work, n), as_is(neg->rows, C), rows, C, n,
                    true);
        if (g->negative)
            es_gemm(g->negative, C, scale, turned(work, n), as_is(hidden, C), n, C, rows, i > 0);
    }
    return loss;
}

/* ---- over the whole vocabulary ---- */

bool es_loss_whole(double *loss, const es_loss_gradients *g, const es_loss_places *p, float scale,
                   float *work, es_watch *watch, es_error *err)
{
    *loss = 0;
    int64_t C = p->C, V = p->V;
    int64_t step = 100000000 / (V * C); /* so many products take some milliseconds */
    step = step < 16 ? 16 : step > ES_LOSS_ROWS ? ES_LOSS_ROWS : step;
    for (int64_t i = 0; i < p->N; i += step) {
        int64_t rows = i + step < p->N ? step : p->N - i;
        const float *hidden = p->hidden + i * C;
        if (!es_watch_step(watch, watch ? watch->done : 0, err))
            return false;
        es_gemm(work, V, 1, as_is(hidden, C), turned(p->out, C), rows, V, C, false);
        for (int64_t k = 0; k < rows; k++) {
            row r = {.s = work + k * V, .n = V, .target = -INFINITY};
            float wanted = r.s[p->targets[i + k]];
            double log_sum;
            softmax(&r, &log_sum);
            r.s[p->targets[i + k]] -= 1;
            *loss += log_sum - wanted;
        }
        if (g->hidden)
            es_gemm(g->hidden + i * C, C, scale, as_is(work, V), as_is(p->out, C), rows, C, V,
                    false);
        if (g->whole)
            es_gemm(g->whole, C, scale, turned(work, V), as_is(hidden, C), V, C, rows, true);
    }
    return true;
}
