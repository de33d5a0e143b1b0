// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/train_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"

#define usage(err, ...) es_usage(err, "embedscope train --help", __VA_ARGS__)

/* Options beyond their letters; those of the recipe by their place in it. */
enum {
    OPT_RESUME = 256,
    OPT_RESTART,
    OPT_CHECKPOINT,
    OPT_STORE,
    OPT_EVAL,
    OPT_FROM,
    OPT_VOCAB,
    OPT_NUMBER
};

static const es_option options[] = {
    {"output", "FILE", "where the model is written when all is learned", 'o'},
    {"resume", NULL, "go on from FILE.checkpoint, with its numbers", OPT_RESUME},
    {"restart", NULL, "begin anew, though there is a FILE.checkpoint", OPT_RESTART},
    {"checkpoint", "SECONDS", "write FILE.checkpoint so often; 60", OPT_CHECKPOINT},
    {"store", "f16|f32", "how the model's numbers are kept; f16", OPT_STORE},
    {"from", "FILE", "stage 2 begins with that model; there is no stage 1", OPT_FROM},
    {"eval", "FILE", "learn nothing: the loss of that model on the text", OPT_EVAL},
    {"vocab", "NAME|PATH", "gpt2 (the default), or a merge list", OPT_VOCAB},
    {"help", NULL, "show this text", 'h'},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

bool es_train_option_at(size_t i, es_option *o)
{
    const es_recipe_entry *e = i < N_OPTIONS ? NULL : es_recipe_at(i - N_OPTIONS);
    if (i < N_OPTIONS)
        *o = options[i];
    else if (e)
        *o = (es_option){e->name, e->kind == 'b' ? "yes|no" : "N", e->about,
                         OPT_NUMBER + (int)(i - N_OPTIONS)};
    return i < N_OPTIONS || e;
}

/* ---- help ---- */

void es_train_option_default(es_str *out, const es_option *o)
{
    if (o->code < OPT_NUMBER)
        return;
    es_str shown = {0};
    const es_recipe usual = es_recipe_default();
    es_recipe_show(&shown, &usual, es_recipe_at((size_t)(o->code - OPT_NUMBER)));
    es_str_add(out, " (%s)", strchr(shown.s, '=') + 1);
    es_str_free(&shown);
}

void es_train_help(es_str *out)
{
    es_option o;
    es_str_cat(out, "embedscope train: learn the two tables and the blocks of a model from text\n\n"
                    "usage: embedscope train [OPTIONS] CORPUS\u2026 -o FILE\n"
                    "       embedscope train --resume CORPUS\u2026 -o FILE\n"
                    "       embedscope train --eval FILE CORPUS\u2026\n\n");
    for (size_t i = 0; es_train_option_at(i, &o); i++) {
        es_str name = {0};
        if (i == N_OPTIONS)
            es_str_cat(out, "\nNumbers of the recipe, and what they are unless given:\n");
        if (o.code < 256)
            es_str_add(&name, "-%c, ", o.code);
        es_str_add(&name, "--%s%s%s", o.name, o.arg ? " " : "", o.arg ? o.arg : "");
        es_str_add(out, "  %-21s %s", name.s, es_translate(o.help));
        es_train_option_default(out, &o);
        es_str_char(out, '\n');
        es_str_free(&name);
    }
    es_str_cat(out,
               "\nA CORPUS is a file of UTF-8 text, plain or packed by zstd. Blank lines part\n"
               "documents; every 100th of a file is kept apart, for --eval. Ctrl-C leaves a\n"
               "checkpoint.\n"
               "Exit status: 0 all well, 1 the model could not be learned or written, 2 wrong\n"
               "usage, 3 a file could not be read, 130 interrupted.\n");
}

/* ---- reading ---- */

static bool bad_value(const char *name, const char *what, const char *value, es_error *err)
{
    es_str shown = {0};
    es_show_brief(&shown, value, strlen(value));
    usage(err, "--%s is %s, not %s", name, what, shown.s);
    es_str_free(&shown);
    return false;
}

static bool read_seconds(es_train_options *o, const char *value, es_error *err)
{
    char *end;
    o->checkpoint = strtod(value, &end);
    return (end != value && !*end && isfinite(o->checkpoint) && o->checkpoint >= 0) ||
           bad_value("checkpoint", "a number of seconds", value, err);
}

static bool read_store(es_train_options *o, const char *value, es_error *err)
{
    static const struct {
        const char *name;
        es_store store;
    } stores[] = {{"f16", ES_STORE_F16}, {"f32", ES_STORE_F32}};
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++)
        if (!strcmp(value, stores[i].name)) {
            o->store = stores[i].store;
            return true;
        }
    return bad_value("store", "f16 or f32", value, err);
}

static void add_number(es_train_options *o, const char *name, const char *value)
{
    o->number = es_realloc(o->number, (o->n_numbers + 1) * sizeof *o->number);
    o->number[o->n_numbers++] = (struct es_train_number){name, value};
}

static bool take(void *user, int code, const char *value, es_error *err)
{
    es_train_options *o = user;
    switch (code) {
    case 'o': o->output = value; return true;
    case 'h': o->help = true; return true;
    case OPT_RESUME: o->resume = true; return true;
    case OPT_RESTART: o->restart = true; return true;
    case OPT_CHECKPOINT: return read_seconds(o, value, err);
    case OPT_STORE: return read_store(o, value, err);
    case OPT_FROM: o->from = value; return true;
    case OPT_EVAL: o->eval = value; return true;
    case OPT_VOCAB: o->vocab = value; return true;
    default: add_number(o, es_recipe_at((size_t)(code - OPT_NUMBER))->name, value); return true;
    }
}

static bool fits_together(const es_train_options *o, es_error *err)
{
    if (o->help)
        return true;
    if (!o->n_corpora)
        return usage(err, "no text was named: the form is embedscope train CORPUS\u2026 -o FILE");
    if (o->eval && (o->output || o->resume || o->restart || o->from))
        return usage(err,
                     "--eval learns nothing: it goes without -o, --resume, --restart and --from");
    if (!o->eval && (!o->output || !*o->output))
        return usage(err, "-o says where the model is to be written");
    if (o->resume && o->restart)
        return usage(err, "--resume goes on, --restart begins anew: one of the two");
    if (o->resume && o->from)
        return usage(
            err, "--resume goes on from the checkpoint, which has the model's numbers: no --from");
    return true;
}

bool es_train_options_parse(es_train_options *o, int argc, char **argv, es_error *err)
{
    const es_arguments arguments = {es_train_option_at, take, o, "embedscope train --help"};
    es_recipe usual = es_recipe_default();
    int rest;
    *o = (es_train_options){.vocab = "gpt2", .checkpoint = 60, .store = ES_STORE_F16};
    if (!es_arguments_read(&arguments, argc, argv, &rest, err))
        return false;
    o->corpus = argv + rest;
    o->n_corpora = (size_t)(argc - rest);
    return fits_together(o, err) &&
           (o->resume || o->from || es_train_options_apply(o, &usual, err));
}

void es_train_options_free(es_train_options *o)
{
    free(o->number);
    *o = (es_train_options){0};
}

bool es_train_options_apply(const es_train_options *o, es_recipe *r, es_error *err)
{
    es_error why = ES_ERROR_NONE;
    bool ok = true;
    for (size_t i = 0; ok && i < o->n_numbers; i++)
        if (!(ok = es_recipe_set(r, o->number[i].name, o->number[i].value, &why)))
            usage(err, "--%s", why.message);
    if (ok && !(ok = es_recipe_check(r, &why)))
        usage(err, "%s", why.message);
    es_error_free(&why);
    return ok;
}
