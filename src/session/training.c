// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/training.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/blocks.h"
#include "model/write.h"

/* What has learned already is not to be thrown about; what has not is to arrive within a minute. */
static const double LEARNED_RATE = 1e-3, FRESH_RATE = 6e-3;

enum { BATCH = 8, CONTEXT = 64, NEGATIVES = 2048, STREAM = 3 };

/* ---- beginning and end ---- */

static bool has_a_row_for_each(const es_model *m, const es_boxed *b, es_error *err)
{
    int64_t V = m->config.vocab_size;
    for (size_t i = 0; i < b->tokens.n; i++)
        if (b->tokens.id[i] >= V)
            return es_fail(err, ES_ERR_VALUE,
                           "the boxed text has the token id %" PRId32 ", and wte only %" PRId64
                           " rows",
                           b->tokens.id[i], V);
    return true;
}

/* A step is small, for a run is to take a minute; a few steps can afford every token as a rival. */
static es_recipe recipe_for(const es_context *c, int64_t steps)
{
    const es_config *sizes = &c->model->config;
    int64_t C = sizes->n_embd, P = sizes->n_ctx;
    bool few = steps <= ES_TRAIN_WHOLE;
    es_recipe r = es_recipe_default();
    r.threads = c->layer.be->threads;
    r.n_embd = C;
    r.n_ctx = P;
    r.n_layer = 1;
    r.n_head = C % 4 == 0 ? 4 : C % 2 == 0 ? 2 : 1;
    r.steps = steps;
    r.batch = BATCH;
    r.context = P < CONTEXT ? P : CONTEXT;
    r.negatives = few ? 0 : NEGATIVES;
    r.shift = false;
    r.wte_lr = r.wpe_lr = 1;
    r.warmup = few ? 0 : steps / 10 < r.warmup ? steps / 10 : r.warmup;
    r.floor = few ? 1 : 0.1;
    r.lr = es_model_has_blocks(c->model) ? LEARNED_RATE : FRESH_RATE;
    return r;
}

es_training *es_training_new(es_context *c, const es_boxed *boxed, int64_t steps, es_error *err)
{
    const es_model *m = c->model;
    if (!es_model_needs_wte(m, err) || !es_model_needs_wpe(m, err) ||
        !has_a_row_for_each(m, boxed, err))
        return NULL;
    es_training *t = es_alloc(sizeof *t);
    t->context = es_context_ref(c);
    t->boxed = boxed;
    t->recipe = recipe_for(c, steps);
    t->loss = NAN;
    return t;
}

void es_training_free(es_training *t)
{
    if (!t)
        return;
    es_train_report_free(&t->report);
    es_gpt_free(t->gpt);
    es_context_unref(t->context);
    free(t->before);
    free(t->counts);
    free(t->looked_up);
    free(t);
}

void es_train_report_free(es_train_report *r)
{
    es_context_unref(r->context);
    free(r->wte.of);
    free(r->wpe.of);
    *r = (es_train_report){0};
}

static void forget(void *data)
{
    es_train_report_free(data);
    free(data);
}

es_result es_result_train(es_train_report *r)
{
    static const es_kind kind = {"train", es_show_train, es_json_of_train, forget};
    es_train_report *data = es_alloc(sizeof *data);
    *data = *r;
    *r = (es_train_report){0};
    return (es_result){.kind = &kind, .data = data};
}

/* ---- the start ---- */

static bool go_on(es_watch *watch, es_error *err)
{
    return es_watch_step(watch, watch->done, err);
}

static bool read_rows(float *to, const es_table *t, es_watch *watch, es_error *err)
{
    int64_t C = es_table_width(t);
    for (int64_t i = 0; i < es_table_rows(t); i++)
        if ((i % 64 == 0 && !go_on(watch, err)) || !es_table_row(t, i, to + i * C, err))
            return false;
    return true;
}

/* What is asked for, and what the model's own blocks say. */
static bool settle_sizes(es_training *t, const es_blocks **blocks, es_watch *watch, es_error *err)
{
    es_recipe *r = &t->recipe;
    *blocks = NULL;
    r->tied = t->tied != ES_UNTIED;
    if (!es_model_has_blocks(t->context->model))
        return es_recipe_check(r, err);
    *blocks = es_model_blocks(t->context->model, watch, err);
    if (!*blocks)
        return false;
    r->n_layer = (*blocks)->sizes.n_layer;
    r->n_head = (*blocks)->sizes.n_head;
    if (t->tied == ES_TIED_AS_IT_IS)
        r->tied = !(*blocks)->head;
    return es_recipe_check(r, err);
}

/* What a step works with, and the tables as they were. */
static bool room_for_it(const es_recipe *r, int64_t V, es_error *err)
{
    double tables = ((double)V + (double)r->n_ctx) * (double)r->n_embd;
    return es_memory_for(es_gpt_bytes(r, V) + sizeof(float) * tables, err);
}

static bool make_gpt(es_training *t, es_watch *watch, es_error *err)
{
    const es_model *m = t->context->model;
    const es_blocks *blocks;
    int64_t V = m->config.vocab_size, n_wte = V * m->config.n_embd;
    int64_t n_wpe = m->config.n_ctx * m->config.n_embd;
    if (!settle_sizes(t, &blocks, watch, err) || !room_for_it(&t->recipe, V, err))
        return false;
    t->looked_up = es_alloc_array((size_t)V, sizeof *t->looked_up);
    t->counts = es_alloc_array((size_t)V, sizeof *t->counts);
    for (int64_t id = 0; id < V && id < t->boxed->vocab_size; id++)
        t->counts[id] = t->boxed->counts[id];
    t->gpt = es_gpt_new(&t->recipe, V, t->counts, err);
    t->before = t->gpt ? es_try_alloc((size_t)(n_wte + n_wpe), sizeof *t->before,
                                      "the tables as they were", err)
                       : NULL;
    if (!t->before || !read_rows(t->before, m->wte, watch, err) ||
        !read_rows(t->before + n_wte, m->wpe, watch, err))
        return false;
    es_gpt_params now = es_gpt_now(t->gpt);
    memcpy(now.wte, t->before, (size_t)n_wte * sizeof *now.wte);
    memcpy(now.wpe, t->before + n_wte, (size_t)n_wpe * sizeof *now.wpe);
    if (blocks)
        memcpy(now.blocks, blocks->params,
               (size_t)es_block_n_params(&blocks->sizes) * sizeof *now.blocks);
    if (now.head && blocks && blocks->head)
        return read_rows(now.head, blocks->head, watch, err);
    if (now.head)
        memcpy(now.head, now.wte, (size_t)n_wte * sizeof *now.head);
    return true;
}

/* ---- the steps ---- */

/* What windows and negatives are drawn from and into. */
typedef struct drawing {
    int32_t *ids; /* learned from */
    int64_t n;
    es_draw draw;
    es_sampler sampler;
    int32_t *windows, *negatives;
    int64_t *first;
} drawing;

static void drawing_free(drawing *d)
{
    free(d->ids);
    free(d->windows);
    free(d->negatives);
    free(d->first);
    es_sampler_free(&d->sampler);
}

static bool drawing_new(drawing *d, const es_training *t, es_error *err)
{
    const es_recipe *r = &t->recipe;
    *d = (drawing){.draw = es_draw_from((uint64_t)r->seed, STREAM)};
    d->ids = es_boxed_ids(t->boxed, false, &d->n);
    if (d->n <= r->context + 1)
        return es_fail(err, ES_ERR_FORMAT,
                       "the boxed text has %" PRId64
                       " tokens to learn from, too few for a window of %" PRId64,
                       d->n, r->context);
    d->sampler = es_sampler_new(t->counts, t->context->model->config.vocab_size, 1, 0.75);
    d->windows = es_try_alloc((size_t)r->batch, (size_t)(r->context + 1) * sizeof *d->windows,
                              "a step's windows", err);
    d->first = es_alloc_array((size_t)r->batch, sizeof *d->first);
    d->negatives = es_alloc_array((size_t)r->negatives + 1, sizeof *d->negatives);
    return d->windows != NULL;
}

static es_gpt_batch draw_batch(drawing *d, const es_recipe *r)
{
    for (int64_t b = 0; b < r->batch; b++) {
        uint32_t at = es_draw_below(&d->draw, (uint32_t)(d->n - r->context));
        memcpy(d->windows + b * (r->context + 1), d->ids + at,
               (size_t)(r->context + 1) * sizeof *d->ids);
    }
    for (int64_t i = 0; i < r->negatives; i++)
        d->negatives[i] = (int32_t)es_sampler_draw(&d->sampler, &d->draw);
    return (es_gpt_batch){d->windows, d->first, d->negatives};
}

/* The last token of a window is only what is to be predicted. */
static void count_look_ups(es_training *t, const es_gpt_batch *batch)
{
    const es_recipe *r = &t->recipe;
    for (int64_t b = 0; b < r->batch; b++)
        for (int64_t k = 0; k < r->context; k++)
            t->looked_up[batch->windows[b * (r->context + 1) + k]]++;
}

static bool loss_is_a_number(const es_training *t, double loss, es_error *err)
{
    if (isfinite(loss))
        return true;
    es_fail(err, ES_ERR_VALUE, "the loss is no number any more after step %" PRId64,
            (int64_t)t->step);
    return es_hint(err, "nothing is kept; try: a lower rate than lr=%g", t->recipe.lr);
}

static bool run_steps(es_training *t, drawing *d, es_watch *watch, es_error *err)
{
    const es_recipe *r = &t->recipe;
    es_gpt_report step;
    do {
        es_gpt_batch batch = draw_batch(d, r);
        if (!go_on(watch, err) || !es_gpt_step_on(t->gpt, &batch, &step, watch, err))
            return false;
        count_look_ups(t, &batch);
        t->report.first_rate = t->step ? t->report.first_rate : step.rate;
        t->loss = (float)step.loss;
        t->step++;
        watch->done = (uint64_t)t->step;
        if (!loss_is_a_number(t, step.loss, err))
            return false;
    } while (t->step < r->steps && !t->enough);
    return true;
}

static bool take_steps(es_training *t, es_watch *watch, es_error *err)
{
    drawing d;
    double began = es_now();
    bool ok = drawing_new(&d, t, err) && run_steps(t, &d, watch, err);
    t->report.seconds = es_now() - began;
    drawing_free(&d);
    return ok;
}

bool es_training_run(void *training, es_watch *watch, es_error *err)
{
    es_training *t = training;
    es_train_report *report = &t->report;
    es_watch_begin(watch, (uint64_t)t->recipe.steps);
    if (!make_gpt(t, watch, err) || !es_training_measure(&report->loss_before, t, watch, err) ||
        !take_steps(t, watch, err) || !es_training_measure(&report->loss_after, t, watch, err) ||
        !loss_is_a_number(t, report->loss_after, err))
        return false;
    report->context = es_context_ref(t->context);
    report->recipe = t->recipe;
    report->steps = t->step;
    report->tokens = t->step * t->recipe.batch * t->recipe.context;
    report->measured = es_training_windows(&t->recipe) * t->recipe.context;
    return es_training_compare(t, watch, err);
}

/* ---- what was learned ---- */

es_model *es_training_model(const es_training *t, const char *about, es_backend *be, es_error *err)
{
    const es_model *m = t->context->model;
    es_gpt_params now = es_gpt_now(t->gpt);
    int64_t V = m->config.vocab_size;
    int64_t *counts = es_alloc_array((size_t)V, sizeof *counts);
    for (int64_t id = 0; id < V; id++)
        counts[id] = t->looked_up[id] + (m->counts ? m->counts[id] : 0);
    const es_model_numbers numbers = {.config = m->config,
                                      .sizes = es_training_sizes(&t->recipe),
                                      .wte = now.wte,
                                      .wpe = now.wpe,
                                      .blocks = now.blocks,
                                      .head = now.head,
                                      .counts = counts};
    es_model *made = es_model_of_numbers(&numbers, "trained", about, "on the boxed text", be, err);
    free(counts);
    return made;
}
