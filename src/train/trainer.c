// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "model/blocks.h"
#include "model/write.h"
#include "train/gpt.h"
#include "train/skipgram.h"

enum { STAGE_WORDS = 1, STAGE_GPT, STAGE_DONE };

static const double late = 5;      /* seconds that speed is a mean over */
static const double memory = 0.98; /* of the loss, a step */

struct es_trainer {
    const es_recipe *recipe;
    const es_corpus *corpus;
    int stage;
    es_skipgram words; /* stage 1 */
    es_gpt *gpt;       /* stage 2 and after */
    int64_t steps;     /* of stage 2 */
    double loss;       /* of stage 2, smoothed */
    double speed, seconds;
};

/* ---- stages ---- */

static bool begin_gpt(es_trainer *t, es_error *err)
{
    t->gpt = es_gpt_new(t->recipe, t->corpus->vocab_size, t->corpus->counts, err);
    if (t->gpt)
        t->stage = t->steps < t->recipe->steps ? STAGE_GPT : STAGE_DONE;
    t->speed = 0;
    return t->gpt != NULL;
}

/* What stage 1 learned is where both matrices of stage 2 begin. */
static bool end_words(es_trainer *t, es_error *err)
{
    if (!begin_gpt(t, err))
        return false;
    es_gpt_params now = es_gpt_now(t->gpt);
    es_skipgram_table(now.wte, &t->words);
    if (now.head)
        memcpy(now.head, now.wte,
               (size_t)(t->corpus->vocab_size * t->recipe->n_embd) * sizeof *now.wte);
    es_skipgram_free(&t->words);
    return true;
}

static bool begin_words(es_trainer *t, es_error *err)
{
    t->stage = STAGE_WORDS;
    return es_skipgram_new(&t->words, t->recipe, t->corpus, err);
}

/* Is there a window, and what predicts? */
static bool text_is_enough(const es_recipe *r, const es_corpus *c, es_error *err)
{
    if (!c->train.n)
        return es_fail(err, ES_ERR_VALUE, "there is no text to train on");
    if (!r->steps || c->train.n > r->context)
        return true;
    es_fail(err, ES_ERR_VALUE,
            "the text is too short: %" PRId64 " tokens to train on, and a window takes %" PRId64,
            c->train.n, r->context + 1);
    return es_hint(err, "try: more text, or --context %" PRId64, (c->train.n + 1) / 2);
}

/* Asked before anything is taken: memory that is promised and not there ends a process, maybe another one. */
static bool memory_is_enough(const es_recipe *r, const es_corpus *c, es_error *err)
{
    double words = 2.0 * (double)c->vocab_size * (double)r->n_embd * sizeof(float);
    double bytes = es_gpt_bytes(r, c->vocab_size) + (r->epochs > 0 ? words : 0);
    if (es_memory_for(bytes, NULL))
        return true;
    es_fail(err, ES_ERR_NOMEM,
            "a run of these sizes takes %.3g GiB: with it more than half of this machine's memory "
            "would be taken",
            bytes / (1 << 30));
    return es_hint(err, "try: a smaller --n-embd, --n-ctx, --batch, --context or --negatives");
}

static es_trainer *prepare(const es_recipe *r, const es_corpus *c, es_error *err)
{
    if (!es_recipe_check(r, err) || !text_is_enough(r, c, err) || !memory_is_enough(r, c, err))
        return NULL;
    es_trainer *t = es_alloc(sizeof *t);
    t->recipe = r;
    t->corpus = c;
    return t;
}

es_trainer *es_trainer_new(const es_recipe *r, const es_corpus *c, es_error *err)
{
    es_trainer *t = prepare(r, c, err);
    if (!t || (r->epochs > 0 ? begin_words(t, err) : begin_gpt(t, err)))
        return t;
    es_trainer_free(t);
    return NULL;
}

/* ---- a model to begin with ---- */

static bool sizes_fit(const es_model *m, const es_blocks *b, const es_recipe *r, int64_t V,
                      es_error *err)
{
    const struct {
        const char *name;
        int64_t of_model, wanted;
    } sizes[] = {{"vocab-size", m->config.vocab_size, V},
                 {"n-embd", m->config.n_embd, r->n_embd},
                 {"n-ctx", m->config.n_ctx, r->n_ctx},
                 {"n-layer", b->sizes.n_layer, r->n_layer},
                 {"n-head", b->sizes.n_head, r->n_head}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].of_model != sizes[i].wanted)
            return es_fail(err, ES_ERR_VALUE,
                           "%s of the model %s is %" PRId64 ", and %" PRId64 " is wanted",
                           sizes[i].name, m->name, sizes[i].of_model, sizes[i].wanted);
    return true;
}

static bool read_rows(float *out, const es_table *t, es_error *err)
{
    int64_t C = es_table_width(t);
    for (int64_t i = 0; i < es_table_rows(t); i++)
        if (!es_table_row(t, i, out + i * C, err))
            return false;
    return true;
}

static bool take_numbers(es_trainer *t, const es_model *m, const es_blocks *b, es_error *err)
{
    es_gpt_params now = es_gpt_now(t->gpt);
    size_t n = (size_t)es_block_n_params(&b->sizes);
    memcpy(now.blocks, b->params, n * sizeof *now.blocks);
    return read_rows(now.wte, m->wte, err) && read_rows(now.wpe, m->wpe, err) &&
           (!now.head || read_rows(now.head, b->head ? b->head : m->wte, err));
}

es_trainer *es_trainer_from(const es_model *m, const es_recipe *r, const es_corpus *c,
                            es_watch *watch, es_error *err)
{
    const es_blocks *b = es_model_blocks(m, watch, err);
    es_trainer *t = b && sizes_fit(m, b, r, c->vocab_size, err) ? prepare(r, c, err) : NULL;
    if (!t || (begin_gpt(t, err) && take_numbers(t, m, b, err)))
        return t;
    es_trainer_free(t);
    return NULL;
}

void es_trainer_free(es_trainer *t)
{
    if (!t)
        return;
    es_skipgram_free(&t->words);
    es_gpt_free(t->gpt);
    free(t);
}

/* ---- slices ---- */

/* Tokens of stage 1 that are as much work as 50,000 at C = 64; thousands, as stage 1 has its own slices. */
static int64_t slice(const es_recipe *r)
{
    int64_t thousands = 50 * 64 / r->n_embd;
    return 1000 * (thousands < 1 ? 1 : thousands > 100 ? 100 : thousands);
}

static bool is_number(double loss, const char *lower, es_error *err)
{
    if (isfinite(loss))
        return true;
    es_fail(err, ES_ERR_VALUE, "the loss is no number any more");
    return es_hint(err, "the steps were too long: begin anew with a lower --%s", lower);
}

static bool advance_words(es_trainer *t, int64_t *tokens, es_watch *watch, es_error *err)
{
    es_skipgram *w = &t->words;
    int64_t before = w->done;
    if (!es_watch_step(watch, (uint64_t)before, err))
        return false;
    es_skipgram_run(w, slice(t->recipe));
    *tokens = w->done - before;
    return is_number(w->loss, "rate", err) && (w->done < w->total || end_words(t, err));
}

static bool advance_gpt(es_trainer *t, int64_t *tokens, es_watch *watch, es_error *err)
{
    es_gpt_report step;
    const es_corpus_part *text = &t->corpus->train;
    if (!es_gpt_step(t->gpt, text->ids, text->n, &step, watch, err))
        return false;
    *tokens = step.tokens;
    t->steps++;
    t->loss = t->loss > 0 ? memory * t->loss + (1 - memory) * step.loss : step.loss;
    if (t->steps == t->recipe->steps)
        t->stage = STAGE_DONE;
    return is_number(step.loss, "lr", err);
}

bool es_trainer_advance(es_trainer *t, es_watch *watch, es_error *err)
{
    int64_t tokens = 0;
    int stage = t->stage;
    double begin = es_now();
    bool ok = stage == STAGE_WORDS ? advance_words(t, &tokens, watch, err)
                                   : advance_gpt(t, &tokens, watch, err);
    double took = es_now() - begin;
    t->seconds += took;
    if (!ok || t->stage != stage || took <= 0)
        return ok;
    double fresh = (double)tokens / took, weight = t->speed > 0 ? 1 - exp(-took / late) : 1;
    t->speed += weight * (fresh - t->speed);
    return true;
}

es_trainer_report es_trainer_now(const es_trainer *t)
{
    const es_recipe *r = t->recipe;
    bool words = t->stage == STAGE_WORDS;
    es_trainer_report now = {.stage = t->stage,
                             .done = words ? t->words.done : t->steps,
                             .total = words ? t->words.total : r->steps,
                             .loss = words ? t->words.loss : t->loss,
                             .speed = t->speed,
                             .seconds = t->seconds};
    double tokens = (double)(now.total - now.done);
    tokens *= words ? 1 : (double)r->batch * (double)r->context;
    now.left = t->stage == STAGE_DONE ? 0 : t->speed > 0 ? tokens / t->speed : -1;
    return now;
}

/* ---- checkpoints ---- */

static void add(es_checkpoint_piece *piece, int *n, const char *name, void *data, size_t bytes)
{
    es_checkpoint_piece *p = &piece[(*n)++];
    snprintf(p->name, sizeof p->name, "%s", name);
    p->data = data;
    p->bytes = bytes;
}

/* What changes from slice to slice, where it lies. */
static int pieces_of(es_trainer *t, es_checkpoint_piece piece[ES_CHECKPOINT_PIECES])
{
    int n = 0;
    es_gpt_piece gpt[ES_GPT_MAX_PIECES];
    es_skipgram *w = &t->words;
    if (t->stage == STAGE_WORDS) {
        size_t bytes = (size_t)(t->corpus->vocab_size * t->recipe->n_embd) * sizeof(float);
        add(piece, &n, "in", w->in, bytes);
        add(piece, &n, "out", w->out, bytes);
        add(piece, &n, "done", &w->done, sizeof w->done);
        add(piece, &n, "draw", &w->draw, sizeof w->draw);
        add(piece, &n, "loss", &w->loss, sizeof w->loss);
        return n;
    }
    int n_gpt = es_gpt_state(t->gpt, gpt);
    for (int i = 0; i < n_gpt; i++)
        add(piece, &n, gpt[i].name, gpt[i].data, gpt[i].bytes);
    add(piece, &n, "trainer.steps", &t->steps, sizeof t->steps);
    add(piece, &n, "trainer.loss", &t->loss, sizeof t->loss);
    return n;
}

bool es_trainer_save(es_trainer *t, const char *path, es_error *err)
{
    es_checkpoint_piece piece[ES_CHECKPOINT_PIECES];
    es_checkpoint_head head = {.recipe = *t->recipe,
                               .digest = t->corpus->digest,
                               .stage = t->stage == STAGE_WORDS ? STAGE_WORDS : STAGE_GPT,
                               .seconds = t->seconds};
    return es_checkpoint_write(path, &head, piece, pieces_of(t, piece), err);
}

static bool load(es_trainer *t, const es_checkpoint *from, es_error *err)
{
    es_checkpoint_piece piece[ES_CHECKPOINT_PIECES];
    if (!(from->head.stage == STAGE_WORDS ? begin_words(t, err) : begin_gpt(t, err)) ||
        !es_checkpoint_read(from, piece, pieces_of(t, piece), err))
        return false;
    if (t->stage == STAGE_WORDS) {
        int64_t done = t->words.done;
        return (done >= 0 && done <= t->words.total) ||
               es_fail(err, ES_ERR_FORMAT, "the checkpoint has more of stage 1 than there is");
    }
    if (t->steps < 0 || t->steps > t->recipe->steps)
        return es_fail(err, ES_ERR_FORMAT, "the checkpoint has more steps than there are");
    if (t->steps == t->recipe->steps)
        t->stage = STAGE_DONE;
    return true;
}

es_trainer *es_trainer_resume(const es_checkpoint *from, const es_recipe *r, const es_corpus *c,
                              es_error *err)
{
    es_trainer *t = es_checkpoint_fits(from, r, c->digest, err) ? prepare(r, c, err) : NULL;
    if (!t)
        return NULL;
    t->seconds = from->head.seconds;
    if (load(t, from, err))
        return t;
    es_trainer_free(t);
    return NULL;
}

/* ---- the model ---- */

/* "seed=1 lr=0.003 …; texts" */
static void describe(es_str *out, const es_trainer *t, const char *texts)
{
    const es_recipe_entry *e;
    for (size_t i = 0; (e = es_recipe_at(i)); i++) {
        es_str_cat(out, i ? " " : "");
        es_recipe_show(out, t->recipe, e);
    }
    es_str_add(out, "; %" PRId64 " tokens of %s", t->corpus->train.n, texts);
}

bool es_trainer_write(es_trainer *t, const char *path, es_store store, const char *texts,
                      es_error *err)
{
    const es_recipe *r = t->recipe;
    es_gpt_params now = es_gpt_now(t->gpt);
    const es_model_numbers numbers = {
        .config = {.vocab_size = t->corpus->vocab_size, .n_ctx = r->n_ctx, .n_embd = r->n_embd},
        .sizes = {.n_layer = r->n_layer, .n_head = r->n_head, .n_embd = r->n_embd},
        .wte = now.wte,
        .wpe = now.wpe,
        .blocks = now.blocks,
        .head = now.head,
        .counts = t->corpus->counts};
    es_str recipe = {0};
    describe(&recipe, t, texts);
    bool ok = es_model_write(path, &numbers, store, recipe.s, NULL, err);
    es_str_free(&recipe);
    return ok;
}
