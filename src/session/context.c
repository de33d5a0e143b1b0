// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/context.h"

#include <stdlib.h>

#include "base/mem.h"

es_context *es_context_new(const es_bpe *bpe, const char *vocab, es_model *model, es_backend *be,
                           es_positions positions)
{
    es_context *c = es_alloc(sizeof *c);
    atomic_init(&c->refs, 1);
    c->bpe = bpe;
    c->vocab = vocab;
    c->model = es_model_ref(model);
    if (positions == ES_POSITIONS_LEARNED && !model->config.n_ctx)
        positions = ES_POSITIONS_NONE; /* nothing was learned */
    if (positions == ES_POSITIONS_SINUSOIDAL)
        c->sinusoidal = es_position_sinusoidal(model->config.n_embd);
    c->layer = (es_embedding){
        .be = be,
        .positions = positions,
        .wte = model->wte,
        .wpe = positions == ES_POSITIONS_LEARNED ? model->wpe : c->sinusoidal,
    };
    return c;
}

es_context *es_context_ref(es_context *c)
{
    c->refs++;
    return c;
}

void es_context_unref(es_context *c)
{
    if (!c || --c->refs > 0)
        return;
    es_table_unref(c->sinusoidal);
    es_model_unref(c->model);
    free(c);
}

const char *es_context_device(const es_context *c)
{
    return c->layer.be->name;
}
