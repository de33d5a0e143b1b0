// SPDX-License-Identifier: GPL-3.0-or-later
/* The gradients of a batch: windows are shared out among threads, each of which carries its own forward and backward;
 * what they find is added up in a fixed order. */
#include <string.h>

#include "core/gemm.h"
#include "train/gpt_inside.h"
#include "train/loss.h"

/* ---- one worker ---- */

/* What the output matrix is. */
static float *output_rows(es_gpt_params p)
{
    return p.head ? p.head : p.wte;
}

static void embed(es_gpt_worker *w, const es_gpt *g, const es_gpt_batch *batch)
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
static void run_worker(es_gpt_worker *w, const es_gpt *g, const es_gpt_batch *batch,
                       es_watch *watch)
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
        memset(w->d_head, 0, (size_t)es_gpt_table_size(g) * sizeof *w->d_head);
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
static void collect(es_gpt *g, const es_gpt_worker *w, const es_gpt_batch *batch)
{
    int64_t T = g->recipe->context, C = g->recipe->n_embd;
    es_gpt_params d = es_gpt_parts_of(g, g->gradient);
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
        add_row(out, w->d_head, es_gpt_table_size(g));
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

bool es_gpt_find_gradient(es_gpt *g, const es_gpt_batch *batch, double *loss, es_watch *watch,
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
    *of = es_gpt_parts_of(g, g->gradient);
    bool ok = es_gpt_find_gradient(g, batch, loss, NULL, err);
    g->asked = true;
    return ok;
}
