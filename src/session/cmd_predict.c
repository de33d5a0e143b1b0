// SPDX-License-Identifier: GPL-3.0-or-later
/* :predict, what the model's blocks make of x: the likeliest next tokens. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/topk.h"
#include "model/blocks.h"
#include "session/commands.h"
#include "session/results.h"
#include "session/token_name.h"

enum { TOP = 10 };

/* What the job is given, and what it fills. */
typedef struct predicting {
    const es_text *text;
    int64_t top;
    es_predicted *out;
    const es_blocks *blocks;
    es_block_run *run;
    float *x, *hidden; /* (T, C) of the longest sentence */
    float *score;      /* V */
    es_ranked *best;   /* top */
    float *row;        /* C */
} predicting;

static void free_room(predicting *p)
{
    es_block_run_free(p->run);
    free(p->x);
    free(p->hidden);
    free(p->score);
    free(p->best);
    free(p->row);
}

static bool make_room(predicting *p, es_error *err)
{
    static const char what[] = "a prediction";
    const es_config *c = &p->text->context->model->config;
    size_t T = (size_t)es_text_T(p->text), C = (size_t)c->n_embd, V = (size_t)c->vocab_size;
    double bytes = es_block_run_bytes(&p->blocks->sizes, 1, (int64_t)T, false);
    if (!es_memory_for(bytes + 2 * sizeof(float) * (double)T * (double)C, err))
        return false;
    p->run = es_block_run_new(&p->blocks->sizes, 1, (int64_t)T, false, err);
    return p->run && (p->x = es_try_alloc(T * C, sizeof *p->x, what, err)) &&
           (p->hidden = es_try_alloc(T * C, sizeof *p->hidden, what, err)) &&
           (p->score = es_try_alloc(V, sizeof *p->score, what, err)) &&
           (p->best = es_try_alloc((size_t)p->top, sizeof *p->best, what, err)) &&
           (p->row = es_try_alloc(C, sizeof *p->row, what, err));
}

/* score = hidden of the last place @ rows.T */
static bool score_rows(predicting *p, const float *last, es_watch *watch, es_error *err)
{
    enum { STEP = 1 << 18 }; /* multiplications between two looks at the watch */
    const es_model *m = p->text->context->model;
    const es_table *rows = p->blocks->head ? p->blocks->head : m->wte;
    int64_t V = m->config.vocab_size, C = m->config.n_embd, since = 0;
    for (int64_t id = 0; id < V; id++) {
        double sum = 0;
        since += C;
        if (since >= STEP && !es_watch_step(watch, (uint64_t)id, err))
            return false;
        since = since >= STEP ? 0 : since;
        if (!es_table_row(rows, id, p->row, err))
            return false;
        for (int64_t c = 0; c < C; c++)
            sum += (double)last[c] * (double)p->row[c];
        p->score[id] = (float)sum;
        if (!isfinite(p->score[id])) {
            es_fail(err, ES_ERR_VALUE, "token %" PRId64 " gets %s as its score", id,
                    isnan(p->score[id]) ? "NaN" : "an infinity");
            return es_hint(err, "some number of the model or of x is none: :model looks through "
                                "its tables");
        }
    }
    return true;
}

/* softmax(score), of which the best are kept. */
static void fill_next(es_next *next, const predicting *p)
{
    int64_t V = p->text->context->model->config.vocab_size;
    double sum = 0, moment = 0;
    es_best_of_row(p->best, p->top, p->score, 1, V);
    double most = (double)p->best[0].value;
    for (int64_t id = 0; id < V; id++) {
        double d = (double)p->score[id] - most;
        sum += exp(d);
        moment += exp(d) * d;
    }
    next->n = p->top;
    next->of = es_alloc_array((size_t)p->top, sizeof *next->of);
    for (int64_t i = 0; i < p->top; i++)
        next->of[i] =
            (es_likely){(int32_t)p->best[i].index, exp((double)p->best[i].value - most) / sum};
    next->entropy = (log(sum) - moment / sum) / log(2);
}

/* Its x as it is shown, through the blocks: padding is no part of a sentence. */
static bool predict_one(predicting *p, int64_t b, es_watch *watch, es_error *err)
{
    const es_sentence *s = &p->text->sentences->of[b];
    int64_t T = (int64_t)s->tokens.n, C = p->blocks->sizes.n_embd;
    es_embedded e;
    if (T == 0)
        return true;
    if (!es_text_rows((es_text *)p->text, b, s->at, T, &e, err))
        return false;
    bool ok = es_tensor_read(&e.x, p->x, err);
    es_embedded_free(&e);
    ok = ok && es_block_forward(p->hidden, p->run, p->blocks->params, p->x, 1, T, watch, err) &&
         score_rows(p, p->hidden + (T - 1) * C, watch, err);
    if (ok)
        fill_next(&p->out->next[b], p);
    return ok;
}

static bool predict(void *work, es_watch *watch, es_error *err)
{
    predicting *p = work;
    p->blocks = es_model_blocks(p->text->context->model, watch, err);
    bool ok = p->blocks && make_room(p, err);
    for (int64_t b = 0; ok && b < es_text_B(p->text); b++)
        ok = predict_one(p, b, watch, err);
    free_room(p);
    return ok;
}

/* ---- the command ---- */

static bool read_top(const es_call *call, int64_t V, int64_t *top, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    *top = V < TOP ? V : TOP;
    if (found <= 0)
        return found == 0;
    bool ok =
        es_arg_end(call, at, err) && es_arg_int(&arg, "how many tokens to show", 1, V, top, err);
    es_str_free(&arg.value);
    return ok;
}

/* Is there something to go on from, and a way to go? */
static bool can_predict(const es_model *m, const es_text *t, es_error *err)
{
    if (!es_model_has_blocks(m))
        return es_model_blocks(m, NULL, err) != NULL;
    if (!es_model_needs_wte(m, err))
        return false;
    if (!t)
        return es_no_text_yet(err);
    if (es_text_T(t) == 0)
        return es_fail(err, ES_ERR_VALUE,
                       "the last text has no tokens: there is nothing to go on from");
    return es_text_guard(t, err);
}

static bool run_predict(es_call *call, es_error *err)
{
    es_text *t = es_session_text(call->session);
    const es_model *m = es_session_context(call->session)->model;
    predicting work = {.text = t};
    if (!can_predict(m, t, err) || !read_top(call, m->config.vocab_size, &work.top, err))
        return false;
    es_predicted out = {.text = es_text_ref(t),
                        .next = es_alloc_array((size_t)es_text_B(t), sizeof *out.next)};
    work.out = &out;
    bool ok =
        es_session_work(call->session, "going through the blocks", predict, &work, call->sink, err);
    out.head = ok && work.blocks->head;
    es_result r = es_result_predict(&out);
    if (ok)
        es_call_answer(call, r);
    else
        es_result_free(&r);
    return ok;
}

static const es_command commands[] = {
    {.group = "vectors",
     .name = "predict",
     .args = "[N]",
     .summary = "the likeliest tokens after the last text, by the model's blocks",
     .help = "x is not the end: it goes through the model's blocks, and what they make of the last "
             "place is compared with every row of wte. The softmax of these products is p. N, 10 "
             "unless given, says how many tokens are shown. It needs a model with blocks, as mini "
             "is; untrained has only tables.",
     .example = ":model mini\nThe capital of France is\n:predict 3",
     .run = run_predict},
};

const es_command *es_predict_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
