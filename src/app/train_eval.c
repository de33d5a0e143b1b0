// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train_eval.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/signals.h"
#include "app/status.h"
#include "app/train_texts.h"
#include "base/cpus.h"
#include "base/visible.h"
#include "model/safetensors.h"
#include "session/numbers.h"
#include "train/eval.h"

/* What is asked of each file. */
typedef struct asking {
    es_train_texts texts;
    es_model *model;
    es_eval *eval;
    int64_t context;
    es_corpus_part part; /* of the file that is being tried; borrowed */
    double nats;         /* of it */
} asking;

/* The number `name` of the recipe that a model's file tells; 0: it tells none. */
static int64_t number_of_recipe(const char *path, const char *name)
{
    es_safetensors *f = es_safetensors_open(path, NULL);
    char *recipe = f ? es_safetensors_metadata(f, "recipe") : NULL;
    int64_t found = 0;
    size_t n = strlen(name);
    for (const char *s = recipe; s && !found; s = strchr(s, ' ') ? strchr(s, ' ') + 1 : NULL)
        if (!strncmp(s, name, n) && s[n] == '=')
            found = strtoll(s + n + 1, NULL, 10);
    free(recipe);
    es_safetensors_unref(f);
    return found > 0 ? found : 0;
}

static const char *given(const es_train_options *o, const char *name)
{
    for (size_t i = o->n_numbers; i > 0; i--)
        if (!strcmp(o->number[i - 1].name, name))
            return o->number[i - 1].value;
    return NULL;
}

/* As was asked, as it was trained, or as the recipe has it usually; no more than wpe has rows. */
static int64_t context_of(const es_train_options *o, const es_model *m, const es_recipe *r)
{
    int64_t told = number_of_recipe(o->eval, "context");
    if (given(o, "context"))
        return r->context;
    if (!told)
        told = r->context;
    return told < m->config.n_ctx ? told : m->config.n_ctx;
}

static bool prepare(void *work, es_watch *watch, es_error *err)
{
    asking *a = work;
    watch->stop = es_signals_interrupt();
    a->eval = es_eval_new(a->model, a->context, a->texts.threads, watch, err);
    return a->eval != NULL;
}

static bool ask(void *work, es_watch *watch, es_error *err)
{
    asking *a = work;
    watch->stop = es_signals_interrupt();
    return es_eval_text(&a->nats, a->eval, a->part.ids, a->part.n, watch, err);
}

/* ---- the answer ---- */

static void add_row(es_str *out, const char *name, int64_t tokens, double nats)
{
    es_str count = {0};
    double loss = tokens ? nats / (double)tokens : NAN;
    es_show_count(&count, tokens);
    if (tokens)
        es_str_add(out, "%12s  %7.4f  %10.2f  %s\n", count.s, loss, exp(loss), name);
    else
        es_str_add(out, "%12s  %7s  %10s  %s\n", count.s, "-", "-", name);
    es_str_free(&count);
}

static bool is_number(const asking *a, const es_str *name, es_error *err)
{
    if (isfinite(a->nats))
        return true;
    es_fail(err, ES_ERR_VALUE, "the loss on %s is no number", es_str_text(name));
    return es_hint(err, "some number of the model is NaN or too large: :model looks through its "
                        "tables");
}

static bool ask_file(asking *a, size_t i, es_str *out, int64_t *tokens, double *nats, es_error *err)
{
    es_corpus c = es_corpus_new(es_bpe_vocab_size(a->texts.bpe));
    es_str name = {0}, what = {0};
    es_train_text_name(&name, a->texts.options->corpus[i]);
    es_str_add(&what, "predicting %s", es_str_text(&name));
    bool ok = es_train_texts_add(&a->texts, &c, i, err);
    a->part = c.validation;
    ok = ok && es_bar_run(&a->texts.bar, what.s, ask, a, err) && is_number(a, &name, err);
    if (ok) {
        int64_t n = c.validation.n > 1 ? c.validation.n - 1 : 0;
        add_row(out, es_str_text(&name), n, a->nats);
        *tokens += n;
        *nats += a->nats;
    }
    es_str_free(&name);
    es_str_free(&what);
    es_corpus_free(&c);
    return ok;
}

static int ask_all(asking *a, es_error *err)
{
    es_str out = {0};
    int64_t tokens = 0;
    double nats = 0;
    bool ok = true;
    es_str_add(&out, "%12s  %7s  %10s\n", "tokens", "loss", "perplexity");
    for (size_t i = 0; ok && i < a->texts.options->n_corpora; i++)
        ok = ask_file(a, i, &out, &tokens, &nats, err);
    if (ok && a->texts.options->n_corpora > 1)
        add_row(&out, "all", tokens, nats);
    if (ok && !tokens) {
        ok = es_fail(err, ES_ERR_VALUE, "there is nothing to predict: no file has %d documents",
                     ES_CORPUS_HELD_OUT);
        es_hint(err, "every %dth document of a file is kept apart; blank lines part documents",
                ES_CORPUS_HELD_OUT);
    }
    if (ok)
        fputs(out.s, stdout);
    es_str_free(&out);
    return ok                                ? ES_STATUS_OK
           : err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED
           : err->code == ES_ERR_VALUE       ? ES_STATUS_FAILED
                                             : ES_STATUS_UNREADABLE;
}

static int eval(asking *a, const es_train_options *o, const es_recipe *r, es_error *err)
{
    int threads = es_threads(given(o, "threads") ? (int)r->threads : 0);
    if (!es_train_texts_open(&a->texts, o, threads, err))
        return ES_STATUS_UNREADABLE;
    a->model = es_model_open(o->eval, 0, err);
    if (!a->model)
        return ES_STATUS_UNREADABLE;
    int64_t V = a->model->config.vocab_size;
    if (V && V < es_bpe_vocab_size(a->texts.bpe)) {
        es_fail(err, ES_ERR_VALUE,
                "the model has rows for %" PRId64 " tokens, the vocabulary has %" PRId32, V,
                es_bpe_vocab_size(a->texts.bpe));
        return ES_STATUS_FAILED;
    }
    a->context = context_of(o, a->model, r);
    if (!es_bar_run(&a->texts.bar, "reading the model", prepare, a, err))
        return err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED : ES_STATUS_UNREADABLE;
    es_train_say(&a->texts.bar,
                 "windows of %" PRId64 " tokens, every token but a file's first is predicted",
                 a->context);
    return ask_all(a, err);
}

int es_train_eval(const es_train_options *o, es_error *err)
{
    asking a = {.model = NULL};
    es_recipe r = es_recipe_default();
    for (size_t i = 0; i < o->n_numbers; i++) /* they were checked when they were read */
        es_recipe_set(&r, o->number[i].name, o->number[i].value, NULL);
    int status = eval(&a, o, &r, err);
    es_eval_free(a.eval);
    es_model_unref(a.model);
    es_train_texts_close(&a.texts);
    return status;
}
