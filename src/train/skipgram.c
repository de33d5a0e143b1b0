// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/skipgram.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "core/vector.h"

enum {
    CHUNK = 1000,    /* tokens thinned out and gone through at once; no window crosses its ends */
    SEEN_ENOUGH = 5, /* rows of tokens seen less often are chance, not company */
    STREAM_RARE = 21 /* of es_normal_row */
};

/* ---- new and free ---- */

/* An occurrence stays with chance sqrt(t / f) of the paper's equation 5, in the form of the authors' program, which
 * adds t / f. */
static float chance_to_stay(int64_t count, int64_t all, double subsample)
{
    if (subsample <= 0 || count == 0)
        return 1;
    double f = (double)count / (double)all;
    double keep = sqrt(subsample / f) + subsample / f;
    return keep < 1 ? (float)keep : 1.0f;
}

bool es_skipgram_new(es_skipgram *s, const es_recipe *r, const es_corpus *c, es_error *err)
{
    int64_t V = c->vocab_size, C = r->n_embd;
    *s = (es_skipgram){.recipe = r,
                       .corpus = c,
                       .total = (int64_t)((double)c->train.n * r->epochs),
                       .draw = es_draw_from((uint64_t)r->seed, 1)};
    s->in = es_try_alloc((size_t)(V * C), sizeof(float), "the rows of stage 1", err);
    s->out =
        s->in ? es_try_alloc((size_t)(V * C), sizeof(float), "the rows of contexts", err) : NULL;
    if (!s->out) {
        es_skipgram_free(s);
        return false;
    }
    for (int64_t i = 0; i < V * C; i++) {
        s->in[i] = (es_draw_share(&s->draw) - 0.5f) / (float)C;
        s->out[i] = 0;
    }
    s->noise = es_sampler_new(c->counts, V, 0, 0.75);
    s->keep = es_alloc_array((size_t)V, sizeof *s->keep);
    for (int64_t i = 0; i < V; i++)
        s->keep[i] = chance_to_stay(c->counts[i], c->train.n, r->subsample);
    return true;
}

void es_skipgram_free(es_skipgram *s)
{
    free(s->in);
    free(s->out);
    free(s->keep);
    es_sampler_free(&s->noise);
    *s = (es_skipgram){0};
}

/* ---- the passes ---- */

/* One thread's view of the work. */
typedef struct span {
    const es_skipgram *s;
    es_draw draw;
    int64_t from, to; /* tokens of the text, those after its end being its start again */
    double loss;      /* of the pairs that were looked at */
    int64_t looked_at;
    int32_t kept[CHUNK];
    float *gradient; /* C, of the centre */
    int32_t *drawn;  /* noise of the pairs of one centre */
} span;

ES_INLINE float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

/* The row `in` is drawn towards (wanted 1) or away from (0) row `out`; in's own step is kept for later. */
ES_INLINE float pull(float *gradient, const float *in, float *out, float wanted, float rate,
                     int64_t C)
{
    float p = sigmoid(es_dot(in, out, C));
    float g = rate * (wanted - p);
    es_axpy(gradient, g, out, C);
    es_axpy(out, g, in, C);
    return p;
}

static double loss_of(float p, bool wanted)
{
    return -log(fmax(wanted ? p : 1 - p, 1e-9));
}

/* The centre at kept[i] against each of its contexts, and each time against fresh noise. */
ES_INLINE void centre(span *w, int64_t i, int64_t n, float rate, bool look)
{
    const es_skipgram *s = w->s;
    int64_t C = s->recipe->n_embd, noise = s->recipe->noise;
    int64_t reach = 1 + es_draw_below(&w->draw, (uint32_t)s->recipe->window);
    int64_t first = i - reach < 0 ? 0 : i - reach, last = i + reach >= n ? n - 1 : i + reach;
    float *in = s->in + w->kept[i] * C;
    int64_t n_drawn = (last - first) * noise;
    for (int64_t k = 0; k < n_drawn; k++) {
        w->drawn[k] = (int32_t)es_sampler_draw(&s->noise, &w->draw);
        for (int64_t c = 0; c < C; c += 16)
            __builtin_prefetch(s->out + w->drawn[k] * C + c, 1);
    }
    const int32_t *drawn = w->drawn;
    memset(w->gradient, 0, (size_t)C * sizeof *w->gradient);
    for (int64_t j = first; j <= last; j++) {
        if (j == i)
            continue;
        float p = pull(w->gradient, in, s->out + w->kept[j] * C, 1, rate, C);
        double loss = look ? loss_of(p, true) : 0;
        for (int64_t k = 0; k < noise; k++, drawn++) {
            if (*drawn == w->kept[j])
                continue;
            p = pull(w->gradient, in, s->out + *drawn * C, 0, rate, C);
            loss += look ? loss_of(p, false) : 0;
        }
        w->loss += loss;
        w->looked_at += look;
    }
    es_axpy(in, 1, w->gradient, C);
}

/* Tokens at..to that stay, after the frequent ones have been thinned out. */
static int64_t thin_out(span *w, int64_t at, int64_t to)
{
    const es_skipgram *s = w->s;
    int64_t n = 0;
    for (; at < to; at++) {
        int32_t id = s->corpus->train.ids[at % s->corpus->train.n];
        if (s->keep[id] >= 1 || es_draw_share(&w->draw) < s->keep[id])
            w->kept[n++] = id;
    }
    return n;
}

ES_INLINE void go_through(span *w)
{
    const es_skipgram *s = w->s;
    for (int64_t at = w->from; at < w->to; at += CHUNK) {
        int64_t n = thin_out(w, at, at + CHUNK < w->to ? at + CHUNK : w->to);
        double left = 1 - (double)at / (double)s->total;
        float rate = (float)(s->recipe->rate * (left > 1e-4 ? left : 1e-4));
        for (int64_t i = 0; i < n; i++)
            centre(w, i, n, rate, i == 0);
    }
}

static void go_through_any(span *w)
{
    go_through(w);
}

ES_WIDE static void go_through_wide(span *w)
{
    go_through(w);
}

static void run_span(span *w)
{
    const es_recipe *r = w->s->recipe;
    w->gradient = es_alloc_array((size_t)r->n_embd, sizeof(float));
    w->drawn = es_alloc_array((size_t)(2 * r->window * r->noise + 1), sizeof(int32_t));
    if (es_is_wide())
        go_through_wide(w);
    else
        go_through_any(w);
    free(w->gradient);
    free(w->drawn);
}

static void note_loss(es_skipgram *s, const span *w)
{
    if (!w->looked_at)
        return;
    double mean = w->loss / (double)w->looked_at;
    s->loss = s->loss > 0 ? s->loss + 0.1 * (mean - s->loss) : mean;
}

void es_skipgram_run(es_skipgram *s, int64_t tokens)
{
    int64_t to = s->done + tokens < s->total ? s->done + tokens : s->total;
    int n = (int)s->recipe->threads;
    span *of = es_alloc_array((size_t)n, sizeof *of);
    for (int i = 0; i < n; i++) {
        int64_t share = (to - s->done + n - 1) / n;
        of[i].s = s;
        of[i].draw = n == 1 ? s->draw : (es_draw){es_draw_bits(&s->draw)};
        of[i].from = s->done + i * share < to ? s->done + i * share : to;
        of[i].to = of[i].from + share < to ? of[i].from + share : to;
    }
#pragma omp parallel for num_threads(n) schedule(static, 1) if (n > 1)
    for (int i = 0; i < n; i++)
        run_span(&of[i]);
    for (int i = 0; i < n; i++)
        note_loss(s, &of[i]);
    if (n == 1)
        s->draw = of[0].draw;
    s->done = to;
    free(of);
}

/* ---- what stage 2 begins with ---- */

static void centre_of(double *mean, const es_skipgram *s, int64_t *n)
{
    int64_t C = s->recipe->n_embd;
    for (int64_t i = 0; i < s->corpus->vocab_size; i++) {
        if (s->corpus->counts[i] < SEEN_ENOUGH)
            continue;
        ++*n;
        for (int64_t c = 0; c < C; c++)
            mean[c] += s->in[i * C + c];
    }
    for (int64_t c = 0; c < C; c++)
        mean[c] /= *n ? (double)*n : 1;
}

void es_skipgram_table(float *wte, const es_skipgram *s)
{
    int64_t C = s->recipe->n_embd, V = s->corpus->vocab_size, n = 0;
    double *mean = es_alloc_array((size_t)C, sizeof *mean), squares = 0;
    centre_of(mean, s, &n);
    for (int64_t i = 0; i < V * C; i++) {
        double x = s->in[i] - mean[i % C];
        wte[i] = (float)x;
        squares += s->corpus->counts[i / C] >= SEEN_ENOUGH ? x * x : 0;
    }
    float scale = squares > 0 ? (float)(0.05 / sqrt(squares / (double)(n * C))) : 1;
    for (int64_t i = 0; i < V; i++)
        if (s->corpus->counts[i] < SEEN_ENOUGH)
            es_normal_row(wte + i * C, C, (uint64_t)s->recipe->seed, STREAM_RARE, (uint64_t)i,
                          0.02);
        else
            for (int64_t c = 0; c < C; c++)
                wte[i * C + c] *= scale;
    free(mean);
}
