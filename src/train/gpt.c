// SPDX-License-Identifier: GPL-3.0-or-later
/* What is learned, and a step of it: windows are drawn, their gradients (gpt_gradients.c) are clipped as a whole and
 * given to Adam. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "train/adam.h"
#include "train/gpt_inside.h"
#include "train/loss.h"

enum { STREAM_WTE = 23, STREAM_WPE = 24 }; /* of es_normal_row */

/* ---- new and free ---- */

int64_t es_gpt_table_size(const es_gpt *g)
{
    return g->V * g->recipe->n_embd;
}

es_gpt_params es_gpt_parts_of(const es_gpt *g, float *all)
{
    int64_t wpe = g->recipe->n_ctx * g->recipe->n_embd;
    es_gpt_params p = {.wte = all, .wpe = all + es_gpt_table_size(g)};
    p.blocks = p.wpe + wpe;
    p.head = g->recipe->tied ? NULL : p.blocks + es_block_n_params(&g->sizes);
    return p;
}

static bool new_worker(es_gpt_worker *w, const es_gpt *g, es_error *err)
{
    const es_recipe *r = g->recipe;
    int64_t N = w->n * r->context, C = r->n_embd;
    int64_t blocks = es_block_n_params(&g->sizes), n = r->negatives;
    int64_t whole = n ? 0 : es_gpt_table_size(g), work = ES_LOSS_ROWS * (n ? n : g->V);
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
        memcpy(now.head, now.wte, (size_t)es_gpt_table_size(g) * sizeof *now.head);
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
    g->n_params = es_gpt_table_size(g) * (r->tied ? 1 : 2) + r->n_ctx * r->n_embd +
                  es_block_n_params(&g->sizes);
    g->now = es_try_alloc((size_t)g->n_params, 4 * sizeof *g->now, "the parameters", err);
    if (!g->now || !new_batch(g, err) || !new_workers(g, err)) {
        es_gpt_free(g);
        return NULL;
    }
    g->parts = es_gpt_parts_of(g, g->now);
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
    int64_t wpe = es_gpt_table_size(g), blocks = wpe + r->n_ctx * r->n_embd;
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
    if (!es_gpt_find_gradient(g, batch, &report->loss, watch, err))
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
