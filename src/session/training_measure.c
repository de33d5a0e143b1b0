// SPDX-License-Identifier: GPL-3.0-or-later
/* The loss on documents that nothing is learned from. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "session/training.h"
#include "train/loss.h"

int64_t es_training_windows(const es_recipe *r)
{
    int64_t fit = ES_TRAIN_MEASURED / r->context;
    return fit ? fit : 1;
}

/* Windows of the held-out documents, spread evenly, and room to go through the blocks with them. */
typedef struct measuring {
    int32_t *ids;
    int64_t n, B, T;
    float *x, *hidden, *work; /* (B, T, C) twice; (ES_LOSS_ROWS, V) */
    int32_t *targets;         /* (B, T) */
    es_block_run *run;
} measuring;

static void measuring_free(measuring *m)
{
    free(m->ids);
    free(m->x);
    free(m->hidden);
    free(m->work);
    free(m->targets);
    es_block_run_free(m->run);
}

static bool measuring_new(measuring *m, const es_training *t, es_error *err)
{
    const es_recipe *r = &t->recipe;
    es_block_sizes sizes = es_training_sizes(r);
    *m = (measuring){.T = r->context};
    m->ids = es_boxed_ids(t->boxed, true, &m->n);
    m->B = es_training_windows(r);
    if (m->n <= m->T)
        return es_fail(err, ES_ERR_FORMAT,
                       "the boxed text holds out %" PRId64
                       " tokens, too few for a window of %" PRId64,
                       m->n, m->T);
    size_t N = (size_t)(m->B * m->T);
    m->x = es_try_alloc(N, (size_t)r->n_embd * sizeof *m->x, "the windows", err);
    m->hidden = m->x ? es_try_alloc(N, (size_t)r->n_embd * sizeof *m->x, "the windows", err) : NULL;
    m->targets = es_alloc_array(N, sizeof *m->targets);
    m->work = m->hidden ? es_try_alloc((size_t)t->context->model->config.vocab_size,
                                       ES_LOSS_ROWS * sizeof *m->work, "the logits", err)
                        : NULL;
    m->run = m->work ? es_block_run_new(&sizes, m->B, m->T, false, err) : NULL;
    return m->run != NULL;
}

static void embed(measuring *m, es_gpt_params now, int64_t C)
{
    for (int64_t b = 0; b < m->B; b++) {
        const int32_t *ids = m->ids + (m->B > 1 ? b * (m->n - m->T - 1) / (m->B - 1) : 0);
        for (int64_t k = 0; k < m->T; k++) {
            float *x = m->x + (b * m->T + k) * C;
            m->targets[b * m->T + k] = ids[k + 1];
            for (int64_t c = 0; c < C; c++)
                x[c] = now.wte[ids[k] * C + c] + now.wpe[k * C + c];
        }
    }
}

bool es_training_measure(double *loss, const es_training *t, es_watch *watch, es_error *err)
{
    measuring m;
    const es_recipe *r = &t->recipe;
    bool ok = measuring_new(&m, t, err);
    if (ok) {
        es_gpt_params now = es_gpt_now(t->gpt);
        const es_loss_gradients none = {0};
        es_loss_places p = {.N = m.B * m.T,
                            .C = r->n_embd,
                            .V = t->context->model->config.vocab_size,
                            .hidden = m.hidden,
                            .out = now.head ? now.head : now.wte,
                            .targets = m.targets};
        embed(&m, now, r->n_embd);
        ok = es_block_forward(m.hidden, m.run, now.blocks, m.x, m.B, m.T, watch, err) &&
             es_loss_whole(loss, &none, &p, 1, m.work, watch, err);
        *loss /= (double)p.N;
    }
    measuring_free(&m);
    return ok;
}
