// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/signals.h"
#include "app/status.h"
#include "app/train_eval.h"
#include "app/train_texts.h"
#include "base/clock.h"
#include "base/visible.h"
#include "model/blocks.h"
#include "session/numbers.h"
#include "train/trainer.h"

/* One run of the program. */
typedef struct run {
    const es_train_options *o;
    es_str checkpoint; /* its path */
    es_checkpoint from;
    es_recipe recipe;
    es_train_texts texts;
    es_corpus corpus;
    es_model *model; /* to begin with; NULL: none */
    es_trainer *trainer;
} run;

/* ---- where to ---- */

static bool exists(const char *path)
{
    struct stat there;
    return stat(path, &there) == 0;
}

static bool is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* Neither the model nor its checkpoint is written onto what is read, by whatever name or link. */
static bool is_apart(const run *r, const char *written, const char *what, es_error *err)
{
    const es_train_options *o = r->o;
    bool text = false;
    for (size_t i = 0; i < o->n_corpora; i++)
        text = text || is_same(written, o->corpus[i]);
    if (text || is_same(written, o->vocab))
        return es_usage(err, "embedscope train --help", "the %s cannot be written onto the %s",
                        what, text ? "text it is learned from" : "merge list of its tokens");
    return true;
}

/* The folder must be there and open to us now, not only when all is learned. */
static bool folder_is_open(const char *path, es_error *err)
{
    es_str folder = {0};
    const char *slash = strrchr(path, '/');
    es_str_bytes(&folder, slash ? path : ".", slash ? (size_t)(slash - path) + 1 : 1);
    bool ok = access(folder.s, W_OK | X_OK) == 0 || es_file_error(err, "write", path, errno);
    es_str_free(&folder);
    return ok;
}

/* So must a name be short enough for what is written beside it before it is renamed. */
static bool name_is_short(const run *r, es_error *err)
{
    es_str longest = {0};
    es_str_add(&longest, "%s.XXXXXX", r->checkpoint.s);
    bool ok = access(longest.s, F_OK) == 0 || errno != ENAMETOOLONG ||
              es_file_error(err, "write", r->checkpoint.s, errno);
    es_str_free(&longest);
    return ok;
}

/* A checkpoint is work that somebody may want: nothing is done to it unasked. */
static bool checkpoint_is_minded(const run *r, es_error *err)
{
    bool there = exists(r->checkpoint.s);
    if (there == r->o->resume || r->o->restart)
        return true;
    es_str name = {0};
    es_show_name(&name, r->checkpoint.s, r->checkpoint.len);
    if (there) {
        es_fail(err, ES_ERR_USAGE, "there is a checkpoint of an earlier run, %s", name.s);
        es_hint(err, "--resume goes on from it; --restart begins anew, and replaces it");
    } else {
        es_fail(err, ES_ERR_USAGE, "there is no checkpoint to go on from: %s", name.s);
        es_hint(err, "without --resume a run begins");
    }
    es_str_free(&name);
    return false;
}

static int look_at_places(run *r, es_error *err)
{
    es_str_add(&r->checkpoint, "%s.checkpoint", r->o->output);
    if (!is_apart(r, r->o->output, "model", err) ||
        !is_apart(r, r->checkpoint.s, "checkpoint", err) || !checkpoint_is_minded(r, err))
        return ES_STATUS_USAGE;
    if (!es_file_is_plain("write", r->o->output, err) ||
        !es_file_is_plain("write", r->checkpoint.s, err) || !folder_is_open(r->o->output, err) ||
        !name_is_short(r, err))
        return ES_STATUS_FAILED;
    return ES_STATUS_OK;
}

/* ---- what from ---- */

/* The sizes of a model that is to be learned on are the run's. */
static bool begin_with_model(run *r, es_error *err)
{
    r->model = es_model_open(r->o->from, 0, err);
    const es_blocks *b = r->model ? es_model_blocks(r->model, NULL, err) : NULL;
    if (!b)
        return false;
    r->recipe.epochs = 0;
    r->recipe.n_embd = r->model->config.n_embd;
    r->recipe.n_ctx = r->model->config.n_ctx;
    r->recipe.n_layer = b->sizes.n_layer;
    r->recipe.n_head = b->sizes.n_head;
    r->recipe.tied = !b->head;
    return true;
}

/* The recipe is the checkpoint's where there is one; numbers that are given as well must be the same. */
static int choose_recipe(run *r, es_error *err)
{
    r->recipe = es_recipe_default();
    if (r->o->from && !begin_with_model(r, err))
        return ES_STATUS_UNREADABLE;
    if (r->o->resume) {
        if (!es_checkpoint_open(&r->from, r->checkpoint.s, err))
            return ES_STATUS_UNREADABLE;
        r->recipe = r->from.head.recipe;
    }
    if (!es_train_options_apply(r->o, &r->recipe, err) ||
        (r->o->resume && !es_checkpoint_fits(&r->from, &r->recipe, r->from.head.digest, err)))
        return ES_STATUS_USAGE;
    return ES_STATUS_OK;
}

static void say_text(run *r)
{
    const es_corpus *c = &r->corpus;
    es_str line = {0};
    es_str_cat(&line, "text: ");
    es_show_count(&line, c->train.n);
    es_str_cat(&line, " tokens in ");
    es_show_count(&line, c->train.documents);
    es_str_cat(&line, " documents to learn from, ");
    es_show_count(&line, c->validation.n);
    es_str_cat(&line, " in ");
    es_show_count(&line, c->validation.documents);
    es_str_cat(&line, " kept apart");
    es_train_say(&r->texts.bar, "%s", line.s);
    if (!c->validation.documents)
        es_train_say(&r->texts.bar,
                     "note: no file has %d documents, so that none is kept apart for --eval",
                     ES_CORPUS_HELD_OUT);
    es_str_free(&line);
}

static int read_texts(run *r, es_error *err)
{
    if (!es_train_texts_open(&r->texts, r->o, (int)r->recipe.threads, err))
        return ES_STATUS_UNREADABLE;
    r->corpus = es_corpus_new(es_bpe_vocab_size(r->texts.bpe));
    for (size_t i = 0; i < r->o->n_corpora; i++)
        if (!es_train_texts_add(&r->texts, &r->corpus, i, err))
            return err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED : ES_STATUS_UNREADABLE;
    say_text(r);
    return ES_STATUS_OK;
}

static int begin(run *r, es_error *err)
{
    r->trainer = r->o->resume ? es_trainer_resume(&r->from, &r->recipe, &r->corpus, err)
                 : r->model   ? es_trainer_from(r->model, &r->recipe, &r->corpus, NULL, err)
                              : es_trainer_new(&r->recipe, &r->corpus, err);
    es_checkpoint_close(&r->from);
    return r->trainer                             ? ES_STATUS_OK
           : !r->o->resume                        ? ES_STATUS_FAILED
           : err->code == ES_ERR_VALUE /* text */ ? ES_STATUS_USAGE
                                                  : ES_STATUS_UNREADABLE;
}

/* ---- learning ---- */

static es_bar_state bar_of(const es_trainer_report *now)
{
    static const char *const what[] = {"", "stage 1 of 2", "stage 2 of 2", "stage 2 of 2"};
    return (es_bar_state){.what = what[now->stage],
                          .unit = now->stage == 1 ? "token" : "step",
                          .done = now->done,
                          .total = now->total,
                          .loss = now->loss,
                          .speed = now->speed,
                          .left = now->left};
}

/* A word as a shell reads it. */
static void put_word(es_str *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "./_-+=,:@%";
    bool quote = !*word || word[strspn(word, plain)];
    es_str_cat(out, quote ? "'" : "");
    for (; *word; word++)
        if (*word == '\'')
            es_str_cat(out, "'\\''");
        else
            es_str_char(out, *word);
    es_str_cat(out, quote ? "'" : "");
}

static void say_how_to_go_on(run *r)
{
    es_trainer_report now = es_trainer_now(r->trainer);
    es_bar_state state = bar_of(&now);
    es_str command = {0}, shown = {0};
    es_str_cat(&command, "embedscope train --resume");
    if (strcmp(r->o->vocab, "gpt2")) {
        es_str_cat(&command, " --vocab ");
        put_word(&command, r->o->vocab);
    }
    for (size_t i = 0; i < r->o->n_corpora; i++) {
        es_str_char(&command, ' ');
        put_word(&command, r->o->corpus[i]);
    }
    es_str_cat(&command, " -o ");
    put_word(&command, r->o->output);
    es_show_prose(&shown, command.s, command.len);
    es_train_say(&r->texts.bar, "stopped in %s at %s %" PRId64 "; to go on:\n  %s", state.what,
                 state.unit, state.done, shown.s);
    es_str_free(&command);
    es_str_free(&shown);
}

static int stop(run *r, es_error *err)
{
    es_error_free(err);
    *err = ES_ERROR_NONE;
    if (!es_trainer_save(r->trainer, r->checkpoint.s, err))
        return ES_STATUS_FAILED;
    say_how_to_go_on(r);
    return ES_STATUS_INTERRUPTED;
}

/* A checkpoint that cannot be written is no reason to lose the run: it is tried again later. */
static void save(run *r, double *saved)
{
    es_error err = ES_ERROR_NONE;
    if (es_now() - *saved < r->o->checkpoint)
        return;
    if (!es_trainer_save(r->trainer, r->checkpoint.s, &err))
        es_train_say(&r->texts.bar, "note: no checkpoint: %s", err.message);
    es_error_free(&err);
    *saved = es_now();
}

static void show(run *r, const es_trainer_report *before, const es_trainer_report *now)
{
    es_bar_state state = bar_of(now);
    if (now->stage == before->stage) {
        es_bar_show(&r->texts.bar, &state);
        return;
    }
    state = bar_of(before);
    state.done = state.total;
    state.loss = before->stage == 2 ? now->loss : before->loss;
    state.left = -1;
    es_bar_end(&r->texts.bar, &state);
}

static int learn(run *r, es_error *err)
{
    es_watch watch = {.stop = es_signals_interrupt()};
    double saved = es_now();
    es_trainer_report before = es_trainer_now(r->trainer);
    while (before.stage < 3) {
        if (!es_trainer_advance(r->trainer, &watch, err))
            return err->code == ES_ERR_INTERRUPTED ? stop(r, err) : ES_STATUS_FAILED;
        es_trainer_report now = es_trainer_now(r->trainer);
        show(r, &before, &now);
        before = now;
        save(r, &saved);
    }
    return ES_STATUS_OK;
}

/* ---- the model ---- */

static void say_model(const run *r)
{
    const es_recipe *of = &r->recipe;
    es_trainer_report now = es_trainer_now(r->trainer);
    es_str line = {0};
    es_show_name(&line, r->o->output, strlen(r->o->output));
    es_str_add(&line,
               ": V=%" PRId64 ", C=%" PRId64 ", n_ctx=%" PRId64 ", %" PRId64 " block%s, %s; ",
               r->corpus.vocab_size, of->n_embd, of->n_ctx, of->n_layer,
               of->n_layer == 1 ? "" : "s", es_store_name(r->o->store));
    if (now.loss > 0)
        es_str_add(&line, "loss %.3f after %" PRId64 " steps, ", now.loss, now.total);
    es_bar_time(&line, now.seconds);
    puts(line.s);
    es_str_free(&line);
}

static int write_model(run *r, es_error *err)
{
    es_str texts = {0};
    for (size_t i = 0; i < r->o->n_corpora; i++) {
        es_str_cat(&texts, i ? ", " : "");
        es_train_text_name(&texts, r->o->corpus[i]);
    }
    bool ok = es_trainer_write(r->trainer, r->o->output, r->o->store, texts.s, err);
    es_str_free(&texts);
    if (!ok) {
        if (es_trainer_save(r->trainer, r->checkpoint.s, NULL))
            es_hint(err, "all that was learned is in the checkpoint: --resume writes it again");
        return ES_STATUS_FAILED;
    }
    unlink(r->checkpoint.s);
    say_model(r);
    return ES_STATUS_OK;
}

static int train(run *r, es_error *err)
{
    static int (*const step[])(run *, es_error *) = {look_at_places, choose_recipe, read_texts,
                                                     begin,          learn,         write_model};
    int status = ES_STATUS_OK;
    for (size_t i = 0; i < sizeof step / sizeof *step && status == ES_STATUS_OK; i++)
        status = step[i](r, err);
    es_bar_clear(&r->texts.bar);
    es_trainer_free(r->trainer);
    es_model_unref(r->model);
    es_corpus_free(&r->corpus);
    es_train_texts_close(&r->texts);
    es_checkpoint_close(&r->from);
    es_str_free(&r->checkpoint);
    return status;
}

static int help(void)
{
    es_str text = {0};
    es_train_help(&text);
    fputs(text.s, stdout);
    es_str_free(&text);
    return ES_STATUS_OK;
}

int es_train(const es_options *o, es_error *err)
{
    es_train_options options = {.help = false};
    run r = {.o = &options};
    int status = ES_STATUS_USAGE;
    if (es_train_options_parse(&options, (int)o->n_files, o->file, err)) {
        es_signals_catch_termination();
        status = options.help   ? help()
                 : options.eval ? es_train_eval(&options, err)
                                : train(&r, err);
    }
    es_train_options_free(&options);
    return status;
}
