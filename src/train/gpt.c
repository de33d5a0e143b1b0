// SPDX-License-Identifier: GPL-3.0-or-later
/* A step: windows are shared out among threads, each of which carries its own forward and backward; their gradients
 * are added up in a fixed order; then the whole is clipped and Adam's. */
#include "train/gpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "core/gemm.h"
#include "train/adam.h"
#include "train/loss.h"

enum { STREAM_WTE = 23, STREAM_WPE = 24 }; /* of es_normal_row */

/* One thread's share of a step: windows first..first + n - 1. */
typedef struct worker {
    es_block_run *run;
    int64_t first, n;                              /* of windows */
    float *x, *hidden, *d_hidden, *d_x, *d_target; /* (n T, C) */
    float *d_blocks;
    float *d_negative; /* (negatives, C), or NULL */
    float *d_head;     /* (V, C) over the whole vocabulary, or NULL */
    float *work;       /* of the loss */
    int32_t *targets;  /* n T */
    double loss;
    bool stopped;
    float *memory;
} worker;

struct es_gpt {
    const es_recipe *recipe;
    es_block_sizes sizes;
    int64_t V, n_params;
    float *now, *m, *v, *gradient; /* n_params each: wte, wpe, blocks, head */
    es_gpt_params parts;           /* of `now` */
    bool asked;                    /* the gradient holds what es_gpt_gradients gave */
    int64_t step;
    es_draw draw;
    es_sampler sampler;
    float *log_q;  /* V: log of the chance that a token is among a step's negatives */
    int64_t *last; /* V: the how many-th set of negatives a token was last taken into */
    int64_t sets;
    es_negatives negatives;
    int32_t *windows; /* (batch, context + 1) */
    int64_t *places;  /* batch */
    int32_t *drawn;   /* negatives */
    worker *workers;
    int n_workers;
};

/* ---- new and free ---- */

static int64_t table_size(const es_gpt *g)
{
    return g->V * g->recipe->n_embd;
}

/* The parts of an array that is laid out as the parameters are. */
static es_gpt_params parts_of(const es_gpt *g, float *all)
{
    int64_t wpe = g->recipe->n_ctx * g->recipe->n_embd;
    es_gpt_params p = {.wte = all, .wpe = all + table_size(g)};
    p.blocks = p.wpe + wpe;
    p.head = g->recipe->tied ? NULL : p.blocks + es_block_n_params(&g->sizes);
    return p;
}

static bool new_worker(worker *w, const es_gpt *g, es_error *err)
{
    const es_recipe *r = g->recipe;
    int64_t N = w->n * r->context, C = r->n_embd;
    int64_t blocks = es_block_n_params(&g->sizes), n = r->negatives;
    int64_t whole = n ? 0 : table_size(g), work = ES_LOSS_ROWS * (n ? n : g->V);
    float *at = w->memory = es_try_alloc((size_t)(5 * N * C + blocks + n * C + whole + work),
                                         sizeof(float), "a step's numbers", err);
    w->run = at ? es_block_run_new(&g->sizes, w->n, r->context, true, err) : NULL;
    if (!w->run)
        return false;
    float **const of[] = {&w->x, &w->hidden, &w->d_hidden, &w->d_x, &w->d_target};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++, at += N * C)
        *of[i] = at;
    w->d_blocks = at;
    w->d_negative = n ? at + blocks : NULL;
    w->d_head = n ? NULL : at + blocks;
    w->work = at + blocks + n * C + whole;
    w->targets = es_try_alloc((size_t)N, sizeof *w->targets, "a step's targets", err);
    return w->targets != NULL;
}

double es_gpt_bytes(const es_recipe *r, int64_t vocab_size)
{
    const es_block_sizes sizes = {r->n_layer, r->n_head, r->n_embd};
    int64_t workers = r->threads < r->batch ? r->threads : r->batch;
    int64_t windows = (r->batch + workers - 1) / workers; /* of one, at most */
    double C = (double)r->n_embd, V = (double)vocab_size, N = (double)r->batch * (double)r->context;
    double blocks = (double)es_block_n_params(&sizes), negatives = (double)r->negatives;
    double all = V * C * (r->tied ? 1 : 2) + (double)r->n_ctx * C + blocks;
    double share = blocks + (r->negatives ? negatives * C + ES_LOSS_ROWS * negatives
                                          : V * C + ES_LOSS_ROWS * V);
    double numbers = 4 * all + N * (5 * C + 2) + negatives * C + (double)workers * share;
    return numbers * sizeof(float) +
           (double)workers * es_block_run_bytes(&sizes, windows, r->context, true);
}

static bool new_workers(es_gpt *g, es_error *err)
{
    int64_t batch = g->recipe->batch, threads = g->recipe->threads;
    g->n_workers = (int)(threads < batch ? threads : batch);
    g->workers = es_alloc_array((size_t)g->n_workers, sizeof *g->workers);
    for (int i = 0; i < g->n_workers; i++) {
        g->workers[i].first = batch * i / g->n_workers;
        g->workers[i].n = batch * (i + 1) / g->n_workers - g->workers[i].first;
        if (!new_worker(&g->workers[i], g, err))
            return false;
    }
    return true;
}

/* Room for what a step draws. */
static bool new_batch(es_gpt *g, es_error *err)
{
    const es_recipe *r = g->recipe;
    size_t B = (size_t)r->batch, n = (size_t)r->negatives, T = (size_t)r->context;
    const char *what = "a step's windows and negatives";
    g->windows = es_try_alloc(B * (T + 1), sizeof *g->windows, what, err);
    g->places = g->windows ? es_try_alloc(B, sizeof *g->places, what, err) : NULL;
    g->negatives.rows =
        g->places ? es_try_alloc(n * (size_t)r->n_embd + 1, sizeof(float), what, err) : NULL;
    if (!g->negatives.rows)
        return false;
    g->drawn = es_alloc_array(n + 1, sizeof *g->drawn);
    g->negatives.ids = es_alloc_array(n + 1, sizeof *g->negatives.ids);
    g->negatives.log_q = es_alloc_array(n + 1, sizeof *g->negatives.log_q);
    return true;
}

static void start(es_gpt *g)
{
    uint64_t seed = (uint64_t)g->recipe->seed;
    int64_t C = g->recipe->n_embd;
    const es_gpt_params now = g->parts;
    memset(g->m, 0, (size_t)(3 * g->n_params) * sizeof *g->m); /* m, v and the gradient */
    for (int64_t i = 0; i < g->V; i++)
        es_normal_row(now.wte + i * C, C, seed, STREAM_WTE, (uint64_t)i, 0.02);
    for (int64_t i = 0; i < g->recipe->n_ctx; i++)
        es_normal_row(now.wpe + i * C, C, seed, STREAM_WPE, (uint64_t)i, 0.01);
    es_block_init(now.blocks, &g->sizes, seed);
    if (now.head)
        memcpy(now.head, now.wte, (size_t)table_size(g) * sizeof *now.head);
}

/* The chance that each token is among a step's draws: 1 - (1 - q)^n. */
static void weigh_tokens(es_gpt *g)
{
    double n = (double)g->recipe->negatives;
    g->log_q = es_alloc_array((size_t)g->V, sizeof *g->log_q);
    g->last = es_alloc_array((size_t)g->V, sizeof *g->last);
    for (int64_t i = 0; i < g->V; i++)
        g->log_q[i] = (float)log(-expm1(n * log1p(-exp((double)g->sampler.log_q[i]))));
    g->negatives.log_q_of = g->log_q;
}

es_gpt *es_gpt_new(const es_recipe *r, int64_t vocab_size, const int64_t *counts, es_error *err)
{
    es_gpt *g = es_alloc(sizeof *g);
    g->recipe = r;
    g->V = vocab_size;
    g->sizes = (es_block_sizes){r->n_layer, r->n_head, r->n_embd};
    g->draw = es_draw_from((uint64_t)r->seed, 2);
    g->n_params =
        table_size(g) * (r->tied ? 1 : 2) + r->n_ctx * r->n_embd + es_block_n_params(&g->sizes);
    g->now = es_try_alloc((size_t)g->n_params, 4 * sizeof *g->now, "the parameters", err);
    if (!g->now || !new_batch(g, err) || !new_workers(g, err)) {
        es_gpt_free(g);
        return NULL;
    }
    g->parts = parts_of(g, g->now);
    g->m = g->now + g->n_params;
    g->v = g->m + g->n_params;
    g->gradient = g->v + g->n_params;
    g->sampler = es_sampler_new(counts, vocab_size, 1, 0.75);
    weigh_tokens(g);
    start(g);
    return g;
}

void es_gpt_free(es_gpt *g)
{
    if (!g)
        return;
    for (int i = 0; g->workers && i < g->n_workers; i++) {
        es_block_run_free(g->workers[i].run);
        free(g->workers[i].memory);
        free(g->workers[i].targets);
    }
    free(g->workers);
    es_sampler_free(&g->sampler);
    free(g->negatives.ids);
    free(g->negatives.log_q);
    free(g->log_q);
    free(g->last);
    free(g->negatives.rows);
    free(g->windows);
    free(g->places);
    free(g->drawn);
    free(g->now);
    free(g);
}

es_gpt_params es_gpt_now(es_gpt *g)
{
    return g->parts;
}

/* ---- one worker ---- */

/* What the output matrix is. */
static float *output_rows(es_gpt_params p)
{
    return p.head ? p.head : p.wte;
}

static void embed(worker *w, const es_gpt *g, const es_gpt_batch *batch)
{
    int64_t T = g->recipe->context, C = g->recipe->n_embd;
    const es_gpt_params now = g->parts;
    for (int64_t b = 0; b < w->n; b++) {
        const int32_t *ids = batch->windows + (w->first + b) * (T + 1);
        memcpy(w->targets + b * T, ids + 1, (size_t)T * sizeof *ids);
        for (int64_t t = 0; t < T; t++) {
            const float *tok = now.wte + ids[t] * C;
            const float *pos = now.wpe + (batch->first[w->first + b] + t) * C;
            for (int64_t c = 0; c < C; c++)
                w->x[(b * T + t) * C + c] = tok[c] + pos[c];
        }
    }
}

/* Gradients are those of the mean loss of the whole batch. */
static void run_worker(worker *w, const es_gpt *g, const es_gpt_batch *batch, es_watch *watch)
{
    const es_recipe *r = g->recipe;
    int64_t N = w->n * r->context;
    float scale = 1 / (float)(r->batch * r->context);
    const es_gpt_params now = g->parts;
    es_error ignored = ES_ERROR_NONE;
    embed(w, g, batch);
    w->stopped =
        !es_block_forward(w->hidden, w->run, now.blocks, w->x, w->n, r->context, watch, &ignored);
    es_loss_places p = {N, r->n_embd, g->V, w->hidden, output_rows(now), w->targets};
    if (!w->stopped && r->negatives) {
        es_loss_gradients d = {
            .hidden = w->d_hidden, .target = w->d_target, .negative = w->d_negative};
        w->loss = es_loss_sampled(&d, &p, &g->negatives, scale, w->work);
    } else if (!w->stopped) {
        es_loss_gradients d = {.hidden = w->d_hidden, .whole = w->d_head};
        memset(w->d_head, 0, (size_t)table_size(g) * sizeof *w->d_head);
        w->stopped = !es_loss_whole(&w->loss, &d, &p, scale, w->work, watch, &ignored);
    }
    es_error_free(&ignored);
    if (w->stopped)
        return;
    memset(w->d_blocks, 0, (size_t)es_block_n_params(&g->sizes) * sizeof *w->d_blocks);
    es_block_backward(w->d_x, w->d_blocks, w->run, now.blocks, w->d_hidden);
}

/* ---- gradients of a batch ---- */

static void add_row(float *to, const float *from, int64_t n)
{
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        to[i] += from[i];
}

/* A worker's gradients join the whole one. */
static void collect(es_gpt *g, const worker *w, const es_gpt_batch *batch)
{
    int64_t T = g->recipe->context, C = g->recipe->n_embd;
    es_gpt_params d = parts_of(g, g->gradient);
    float *out = output_rows(d);
    for (int64_t b = 0; b < w->n; b++)
        for (int64_t t = 0; t < T; t++) {
            int64_t n = b * T + t;
            int32_t id = batch->windows[(w->first + b) * (T + 1) + t];
            add_row(d.wte + id * C, w->d_x + n * C, C);
            add_row(d.wpe + (batch->first[w->first + b] + t) * C, w->d_x + n * C, C);
            if (w->d_negative)
                add_row(out + w->targets[n] * C, w->d_target + n * C, C);
        }
    for (int64_t i = 0; w->d_negative && i < g->negatives.n; i++)
        add_row(out + g->negatives.ids[i] * C, w->d_negative + i * C, C);
    if (w->d_head)
        add_row(out, w->d_head, table_size(g));
    add_row(d.blocks, w->d_blocks, es_block_n_params(&g->sizes));
}

/* What was drawn becomes a set: each token once. */
static void take_negatives(es_gpt *g, const int32_t *drawn)
{
    int64_t C = g->recipe->n_embd;
    es_negatives *set = &g->negatives;
    const float *out = output_rows(g->parts);
    g->sets++;
    set->n = 0;
    for (int64_t i = 0; i < g->recipe->negatives; i++) {
        int32_t id = drawn[i];
        if (g->last[id] == g->sets)
            continue;
        g->last[id] = g->sets;
        set->ids[set->n] = id;
        set->log_q[set->n] = g->log_q[id];
        memcpy(set->rows + set->n++ * C, out + id * C, (size_t)C * sizeof *out);
    }
}

/* The gradient of a batch, in g->gradient, which is zero before; *loss is the mean. */
static bool gradients(es_gpt *g, const es_gpt_batch *batch, double *loss, es_watch *watch,
                      es_error *err)
{
    if (g->asked)
        memset(g->gradient, 0, (size_t)g->n_params * sizeof *g->gradient);
    g->asked = false;
    take_negatives(g, batch->negatives);
    es_gemm_hold();
#pragma omp parallel for num_threads(g->n_workers) schedule(static, 1) if (g->n_workers > 1)
    for (int i = 0; i < g->n_workers; i++)
        run_worker(&g->workers[i], g, batch, watch);
    es_gemm_release();
    *loss = 0;
    for (int i = 0; i < g->n_workers; i++) {
        if (g->workers[i].stopped)
            return es_watch_step(watch, watch->done, err) &&
                   es_fail(err, ES_ERR_INTERRUPTED, "stopped by Ctrl-C");
        *loss += g->workers[i].loss;
    }
    *loss /= (double)(g->recipe->batch * g->recipe->context);
    for (int i = 0; i < g->n_workers; i++)
        collect(g, &g->workers[i], batch);
    return true;
}

bool es_gpt_gradients(es_gpt *g, const es_gpt_batch *batch, es_gpt_params *of, double *loss,
                      es_error *err)
{
    *of = parts_of(g, g->gradient);
    bool ok = gradients(g, batch, loss, NULL, err);
    g->asked = true;
    return ok;
}

/* ---- steps ---- */

/* Rises in a line to lr, then falls as a cosine to floor * lr at the last step. */
static double rate_at(const es_recipe *r, int64_t step)
{
    if (step < r->warmup)
        return r->lr * (double)step / (double)r->warmup;
    double past =
        r->steps > r->warmup ? (double)(step - r->warmup) / (double)(r->steps - r->warmup) : 1;
    past = past > 1 ? 1 : past;
    return r->lr * (r->floor + (1 - r->floor) * (1 + cos(past * 3.14159265358979323846)) / 2);
}

/* The pieces that learn at rates of their own: where each begins, behind the last the end. */
enum { N_PIECES = 4 };
typedef struct pieces {
    int64_t begin[N_PIECES + 1];
    double share[N_PIECES]; /* of the rate */
} pieces;

static pieces pieces_of(const es_gpt *g)
{
    const es_recipe *r = g->recipe;
    int64_t wpe = table_size(g), blocks = wpe + r->n_ctx * r->n_embd;
    int64_t head = blocks + es_block_n_params(&g->sizes);
    return (pieces){{0, wpe, blocks, head, g->n_params}, {r->wte_lr, r->wpe_lr, 1, r->wte_lr}};
}

static void update(es_gpt *g, double rate, float scale)
{
    enum { STRETCH = 1 << 16 }; /* what one thread updates at a time */
    const es_recipe *r = g->recipe;
    pieces p = pieces_of(g);
    for (int k = 0; k < N_PIECES; k++) {
        es_adam a = {r->beta1, r->beta2, g->step, rate * p.share[k], scale};
        bool several = g->n_workers > 1 && p.begin[k + 1] - p.begin[k] > STRETCH;
#pragma omp parallel for num_threads(g->n_workers) schedule(static) if (several)
        for (int64_t i = p.begin[k]; i < p.begin[k + 1]; i += STRETCH) {
            int64_t n = i + STRETCH < p.begin[k + 1] ? STRETCH : p.begin[k + 1] - i;
            es_adam_step(g->now + i, g->m + i, g->v + i, g->gradient + i, n, &a);
        }
    }
}

bool es_gpt_step_on(es_gpt *g, const es_gpt_batch *batch, es_gpt_report *report, es_watch *watch,
                    es_error *err)
{
    const es_recipe *r = g->recipe;
    if (!gradients(g, batch, &report->loss, watch, err))
        return false;
    g->step++;
    report->gradient = sqrt(es_adam_squares(g->gradient, g->n_params));
    report->rate = rate_at(r, g->step);
    report->step = g->step;
    report->tokens = r->batch * r->context;
    bool longer = r->clip > 0 && report->gradient > r->clip;
    update(g, report->rate, longer ? (float)(r->clip / report->gradient) : 1);
    return true;
}

/* A window's place in wpe.  Rows at the border of what is known learn beside rows that already order a sentence; all
 * at once they would long tell each other nothing. */
static int64_t place(es_gpt *g)
{
    const es_recipe *r = g->recipe;
    if (!r->shift)
        return 0;
    double spread = r->spread * (double)r->steps, range = (double)(r->n_ctx - r->context);
    if ((double)g->step < spread)
        range *= (double)g->step / spread;
    return es_draw_below(&g->draw, (uint32_t)range + 1);
}

bool es_gpt_step(es_gpt *g, const int32_t *ids, int64_t n, es_gpt_report *report, es_watch *watch,
                 es_error *err)
{
    const es_recipe *r = g->recipe;
    es_draw before = g->draw;
    int64_t T = r->context;
    for (int64_t b = 0; b < r->batch; b++) {
        int64_t from = es_draw_below(&g->draw, (uint32_t)(n - T));
        memcpy(g->windows + b * (T + 1), ids + from, (size_t)(T + 1) * sizeof *ids);
        g->places[b] = place(g);
    }
    for (int64_t i = 0; i < r->negatives; i++)
        g->drawn[i] = (int32_t)es_sampler_draw(&g->sampler, &g->draw);
    bool ok =
        es_gpt_step_on(g, &(es_gpt_batch){g->windows, g->places, g->drawn}, report, watch, err);
    if (!ok)
        g->draw = before;
    return ok;
}

int es_gpt_state(es_gpt *g, es_gpt_piece piece[ES_GPT_MAX_PIECES])
{
    size_t bytes = (size_t)g->n_params * sizeof(float);
    const es_gpt_piece state[] = {
        {"step", &g->step, sizeof g->step}, {"draw", &g->draw, sizeof g->draw},
        {"parameters", g->now, bytes},      {"first moments", g->m, bytes},
        {"second moments", g->v, bytes},
    };
    memcpy(piece, state, sizeof state);
    return (int)(sizeof state / sizeof *state);
}
