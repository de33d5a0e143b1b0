// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loss.h"

#include <math.h>

#include "core/gemm.h"
#include "core/vector.h"

/* One place's logits s[0..n), beside them that of its target where it is not among them. */
typedef struct row {
    float *s;
    int64_t n;
    float target; /* -INFINITY where it is one of s */
    float most;   /* the largest of all */
    float share;  /* of the target; set by softmax */
} row;

/* s becomes the shares of softmax; *log_sum is the log of the sum of e^s. */
ES_INLINE void softmax_loop(row *r, double *log_sum)
{
    es_lanes sums = es_lanes_of(0), most = es_lanes_of(r->most);
    int64_t i = 0;
    for (; i + ES_LANES <= r->n; i += ES_LANES) {
        es_lanes e = es_lanes_exp(es_lanes_at(r->s + i) - most);
        es_lanes_put(r->s + i, e);
        sums += e;
    }
    double sum = es_lanes_sum(sums) + expf(r->target - r->most);
    for (; i < r->n; i++)
        sum += r->s[i] = expf(r->s[i] - r->most);
    float scale = (float)(1 / sum);
#pragma omp simd
    for (i = 0; i < r->n; i++)
        r->s[i] *= scale;
    r->share = expf(r->target - r->most) * scale;
    *log_sum = log(sum) + r->most;
}
ES_TWO_FORMS(static, softmax, (row * r, double *log_sum), (r, log_sum))

ES_INLINE void find_most_loop(row *r)
{
    r->most = es_largest(r->s, r->n, r->target);
}
ES_TWO_FORMS(static, find_most, (row * r), (r))

/* s -= log_q; hits of the target fall out of the sum; and the largest is found. */
ES_INLINE void correct_loop(row *r, const es_negatives *neg, int32_t target)
{
    const float out = -1e30f; /* e^ of it is 0 beside any other */
    es_lanes most = es_lanes_of(r->target), outs = es_lanes_of(out);
    int64_t i = 0;
    for (; i + ES_LANES <= r->n; i += ES_LANES) {
        es_int_lanes ids;
        memcpy(&ids, neg->ids + i, sizeof ids);
        es_int_lanes hit = ids == target;
        es_lanes s = es_lanes_at(r->s + i) - es_lanes_at(neg->log_q + i);
        s = (es_lanes)(((es_int_lanes)s & ~hit) | ((es_int_lanes)outs & hit));
        es_lanes_put(r->s + i, s);
        most = es_lanes_max(s, most);
    }
    r->most = es_lanes_largest(most);
    for (; i < r->n; i++) {
        r->s[i] = neg->ids[i] == target ? out : r->s[i] - neg->log_q[i];
        r->most = r->s[i] > r->most ? r->s[i] : r->most;
    }
}
ES_TWO_FORMS(static, correct, (row * r, const es_negatives *neg, int32_t target), (r, neg, target))

static es_matrix as_is(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, false};
}

static es_matrix turned(const float *at, int64_t stride)
{
    return (es_matrix){at, stride, true};
}

/* ---- over the target and negatives ---- */

static void times(float *out, float f, const float *x, int64_t n)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        out[i] = f * x[i];
}

/* Place i, whose shares of the negatives are s. */
static double sampled_place(const es_loss_gradients *g, const es_loss_places *p,
                            const es_negatives *neg, float scale, float *s, int64_t i)
{
    const float *hidden = p->hidden + i * p->C, *wanted = p->out + p->targets[i] * p->C;
    row r = {
        .s = s, .n = neg->n, .target = es_dot(hidden, wanted, p->C) - neg->log_q_of[p->targets[i]]};
    double log_sum;
    correct(&r, neg, p->targets[i]);
    softmax(&r, &log_sum);
    float d = scale * (r.share - 1);
    if (g->hidden)
        times(g->hidden + i * p->C, d, wanted, p->C);
    if (g->target)
        times(g->target + i * p->C, d, hidden, p->C);
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

/* Some places at once, whose products with the vocabulary are taken a stretch of it at a time: the watch is asked
 * after each. */
typedef struct whole {
    const es_loss_places *p;
    int64_t first, rows; /* places first..first + rows - 1 */
    float *work;         /* (rows, V): logits, then their gradients */
    es_watch *watch;
    es_error *err;
} whole;

static bool go_on(const whole *w)
{
    return es_watch_step(w->watch, w->watch ? w->watch->done : 0, w->err);
}

/* How many tokens from v on are the next stretch: so many products take a few milliseconds. */
static int64_t stretch_at(const whole *w, int64_t v)
{
    int64_t n = 100000000 / (w->rows * w->p->C), left = w->p->V - v;
    n = n < 256 ? 256 : n;
    return n < left ? n : left;
}

static bool find_logits(const whole *w)
{
    int64_t C = w->p->C, V = w->p->V;
    const float *hidden = w->p->hidden + w->first * C;
    for (int64_t v = 0, n; v < V; v += n) {
        n = stretch_at(w, v);
        es_gemm(w->work + v, V, 1, as_is(hidden, C), turned(w->p->out + v * C, C), w->rows, n, C,
                false);
        if (!go_on(w))
            return false;
    }
    return true;
}

static bool find_shares(const whole *w, double *loss)
{
    for (int64_t k = 0; k < w->rows; k++) {
        row r = {.s = w->work + k * w->p->V, .n = w->p->V, .target = -INFINITY};
        int32_t target = w->p->targets[w->first + k];
        float wanted = r.s[target];
        double log_sum;
        find_most(&r);
        softmax(&r, &log_sum);
        r.s[target] -= 1;
        *loss += log_sum - wanted;
        if (!go_on(w))
            return false;
    }
    return true;
}

static bool pass_back(const whole *w, const es_loss_gradients *g, float scale)
{
    int64_t C = w->p->C, V = w->p->V;
    for (int64_t v = 0, n; v < V; v += n) {
        n = stretch_at(w, v);
        if (g->hidden)
            es_gemm(g->hidden + w->first * C, C, scale, as_is(w->work + v, V),
                    as_is(w->p->out + v * C, C), w->rows, C, n, v > 0);
        if (g->whole)
            es_gemm(g->whole + v * C, C, scale, turned(w->work + v, V),
                    as_is(w->p->hidden + w->first * C, C), n, C, w->rows, true);
        if (!go_on(w))
            return false;
    }
    return true;
}

bool es_loss_whole(double *loss, const es_loss_gradients *g, const es_loss_places *p, float scale,
                   float *work, es_watch *watch, es_error *err)
{
    *loss = 0;
    for (int64_t i = 0; i < p->N; i += ES_LOSS_ROWS) {
        int64_t rows = i + ES_LOSS_ROWS < p->N ? ES_LOSS_ROWS : p->N - i;
        whole w = {p, i, rows, work, watch, err};
        if (!find_logits(&w) || !find_shares(&w, loss) || !pass_back(&w, g, scale))
            return false;
    }
    return true;
}
