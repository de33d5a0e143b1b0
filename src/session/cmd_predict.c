// SPDX-License-Identifier: GPL-3.0-or-later
/* :predict, what the model's blocks make of x: the likeliest next tokens. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/topk.h"
#include "layer/block_ops.h"
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
    float *score;      /* V */
    es_ranked *best;   /* top */
    es_block_run *run; /* from here on for host memory alone */
    float *x, *hidden; /* (T, C) of the longest sentence */
    float *row;        /* C */
} predicting;

/* Does the model lie on a device whose memory is not the host's? */
static bool is_far(const predicting *p)
{
    return !p->text->context->layer.be->ops->host_memory;
}

/* The output matrix. */
static es_table *rows_of(const predicting *p)
{
    return p->blocks->head ? p->blocks->head : p->text->context->model->wte;
}

static void free_room(predicting *p)
{
    es_block_run_free(p->run);
    free(p->x);
    free(p->hidden);
    free(p->score);
    free(p->best);
    free(p->row);
}

static const char what[] = "a prediction";

static bool make_room_here(predicting *p, size_t C, es_error *err)
{
    size_t T = (size_t)es_text_T(p->text);
    double bytes = es_block_run_bytes(&p->blocks->sizes, 1, (int64_t)T, false);
    if (!es_memory_for(bytes + 2 * sizeof(float) * (double)T * (double)C, err))
        return false;
    p->run = es_block_run_new(&p->blocks->sizes, 1, (int64_t)T, false, err);
    return p->run && (p->x = es_try_alloc(T * C, sizeof *p->x, what, err)) &&
           (p->hidden = es_try_alloc(T * C, sizeof *p->hidden, what, err)) &&
           (p->row = es_try_alloc(C, sizeof *p->row, what, err));
}

static bool make_room(predicting *p, es_error *err)
{
    const es_config *c = &p->text->context->model->config;
    return (is_far(p) || make_room_here(p, (size_t)c->n_embd, err)) &&
           (p->score = es_try_alloc((size_t)c->vocab_size, sizeof *p->score, what, err)) &&
           (p->best = es_try_alloc((size_t)p->top, sizeof *p->best, what, err));
}

static bool check_score(const predicting *p, int64_t id, es_error *err)
{
    if (isfinite(p->score[id]))
        return true;
    es_fail(err, ES_ERR_VALUE, "token %" PRId64 " gets %s as its score", id,
            isnan(p->score[id]) ? "NaN" : "an infinity");
    return es_hint(err,
                   "some number of the model or of x is none: :model looks through its tables");
}

/* score = hidden of the last place @ rows.T */
static bool score_rows(predicting *p, const float *last, es_watch *watch, es_error *err)
{
    enum { STEP = 1 << 18 }; /* multiplications between two looks at the watch */
    const es_config *config = &p->text->context->model->config;
    const es_table *rows = rows_of(p);
    int64_t V = config->vocab_size, C = config->n_embd, since = 0;
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
        if (!check_score(p, id, err))
            return false;
    }
    return true;
}

/* The scores of the token behind x (1, T, C), in host memory. */
static bool score_here(predicting *p, const es_tensor *x, es_watch *watch, es_error *err)
{
    int64_t T = x->shape.dim[1], C = x->shape.dim[2];
    return es_tensor_read(x, p->x, err) &&
           es_block_forward(p->hidden, p->run, p->blocks->params, p->x, 1, T, watch, err) &&
           score_rows(p, p->hidden + (T - 1) * C, watch, err);
}

/* The same on x's device, where the blocks and the output matrix come to lie. */
static bool score_there(predicting *p, const es_tensor *x, es_watch *watch, es_error *err)
{
    es_tensor hidden;
    const es_tensor *params = es_table_whole(p->blocks->all, x->buf->be, err);
    if (!params || !es_block_ops_forward(&hidden, &p->blocks->sizes, params, x, watch, err))
        return false;
    bool ok = es_block_ops_scores(p->score, &hidden, rows_of(p), err);
    es_tensor_free(&hidden);
    for (int64_t id = 0; ok && id < es_table_rows(rows_of(p)); id++)
        ok = check_score(p, id, err);
    es_backend_ran_beside(x->buf->be, "chances of tokens");
    return ok;
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
    int64_t T = (int64_t)s->tokens.n;
    es_embedded e;
    if (T == 0)
        return true;
    if (!es_text_rows((es_text *)p->text, b, s->at, T, &e, err))
        return false;
    bool ok = is_far(p) ? score_there(p, &e.x, watch, err) : score_here(p, &e.x, watch, err);
    es_embedded_free(&e);
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
