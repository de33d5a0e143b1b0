// SPDX-License-Identifier: GPL-3.0-or-later
/* :train, stage 2 of the trainer on the boxed text. */
#include <inttypes.h>
#include <string.h>

#include "base/visible.h"
#include "session/commands.h"
#include "session/learning.h"
#include "session/near_query.h"
#include "session/results.h"
#include "session/state.h"

enum { STEPS = 100, MOST_STEPS = 1000000, OFTEN = 10 };

/* ---- arguments ---- */

static size_t after_blanks(const es_call *call, size_t at)
{
    while (at < call->len && call->line[at] && strchr(" \t\r\n", call->line[at]))
        at++;
    return at;
}

static bool begins(const es_call *call, size_t at, const char *word)
{
    size_t n = strlen(word);
    return call->len - at >= n && !memcmp(call->line + at, word, n);
}

/* The number of steps, where the line has one: *at moves behind it. */
static bool read_steps(const es_call *call, size_t *at, int64_t *steps, es_error *err)
{
    es_arg arg;
    size_t next = *at;
    if (next == call->len || memchr(call->line + next, '=', strcspn(call->line + next, " \t")))
        return true;
    if (es_arg_next(call, &next, &arg, err) < 0)
        return false;
    bool ok = es_arg_int(&arg, "the number of steps", 1, MOST_STEPS, steps, err);
    if (!ok)
        es_hint(err, "try: :train 100, or :train stop");
    es_str_free(&arg.value);
    *at = next;
    return ok;
}

static bool read_watched(const es_call *call, size_t *at, es_training *t, es_error *err)
{
    size_t begin = *at;
    *at += strlen("watch=");
    if (t->n_watched == ES_TRAIN_WATCHED) {
        es_fail(err, ES_ERR_RANGE, "at most %d tokens can be watched", ES_TRAIN_WATCHED);
        return es_error_locate(err, begin, call->len);
    }
    if (*at == call->len || strchr(" \t", call->line[*at])) {
        es_fail(err, ES_ERR_PARSE, "a token is missing behind watch=");
        return es_error_locate(err, begin, *at);
    }
    return es_near_token(call, at, &t->watched[t->n_watched++], err);
}

/* name = value, of those that the command knows. */
static bool set_option(es_training *t, const char *name, const char *value, es_error *err)
{
    static const char *const names[] = {"lr", "seed", "batch", "context"};
    es_str shown = {0};
    if (!strcmp(name, "negatives"))
        return es_recipe_set(&t->recipe, name, strcmp(value, "all") ? value : "0", err);
    if (!strcmp(name, "tied")) {
        t->tied = !strcmp(value, "no") ? ES_UNTIED : ES_TIED;
        return es_recipe_set(&t->recipe, name, value, err);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return es_recipe_set(&t->recipe, name, value, err);
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_NAME, ":train has no option %s", es_str_text(&shown));
    es_hint(err, "try: lr=, tied=, negatives=, seed=, batch=, context= or watch=");
    es_str_free(&shown);
    return false;
}

static bool read_option(const es_call *call, size_t *at, es_training *t, es_error *err)
{
    es_arg arg;
    if (es_arg_next(call, at, &arg, err) < 0)
        return false;
    char *equals = memchr(arg.value.s, '=', arg.value.len);
    bool ok = equals && strlen(arg.value.s) == arg.value.len;
    if (ok) {
        *equals = '\0';
        ok = set_option(t, arg.value.s, equals + 1, err);
        es_error_locate(err, arg.begin, arg.end);
    } else {
        es_call_usage(call, err);
    }
    es_str_free(&arg.value);
    return ok;
}

static bool read_options(const es_call *call, size_t at, es_training *t, es_error *err)
{
    for (at = after_blanks(call, at); at < call->len; at = after_blanks(call, at))
        if (begins(call, at, "watch=") ? !read_watched(call, &at, t, err)
                                       : !read_option(call, &at, t, err))
            return false;
    return es_recipe_check(&t->recipe, err);
}

/* ---- tokens that tell something ---- */

static bool is_watched(const es_training *t, int32_t id)
{
    for (size_t i = 0; i < t->n_watched; i++)
        if (t->watched[i] == id)
            return true;
    return false;
}

static bool may_tell(const es_training *t, int32_t id)
{
    return id >= 0 && id < t->boxed->vocab_size && t->boxed->counts[id] >= OFTEN &&
           !is_watched(t, id);
}

static bool has_a_letter(const es_bpe *bpe, int32_t id)
{
    size_t n;
    const char *s = es_bpe_bytes(bpe, id, &n);
    for (size_t i = 0; s && i < n; i++)
        if ((s[i] | 0x20) >= 'a' && (s[i] | 0x20) <= 'z')
            return true;
    return false;
}

/* Of those that tell something, the one that stands least often in the boxed text; -1: none does. */
static int32_t rarest_of(const es_bpe *bpe, const es_training *t, const int32_t *ids, int64_t n)
{
    int32_t best = -1;
    for (int64_t i = 0; i < n; i++)
        if (may_tell(t, ids[i]) && has_a_letter(bpe, ids[i]) &&
            (best < 0 || t->boxed->counts[ids[i]] < t->boxed->counts[best]))
            best = ids[i];
    return best;
}

/* Where none were named: the two rarest of the last text among those that stand often in the boxed text, for they
 * tell more than "the" and "of"; or one that always does. */
static void watch_telling_tokens(const es_session *s, es_training *t)
{
    enum { SOME = 2 };
    static const char *const telling[] = {" he", " was", " King", " two"};
    const es_text *text = es_session_text(s);
    int64_t n = text && es_text_B(text) == 1 ? es_text_T(text) : 0;
    for (int k = 0; n && k < SOME; k++) {
        int32_t id = rarest_of(s->bpe, t, es_text_ids(text), n);
        if (id >= 0)
            t->watched[t->n_watched++] = id;
    }
    for (size_t i = 0; !t->n_watched && i < sizeof telling / sizeof *telling; i++) {
        int32_t id = es_bpe_find(s->bpe, telling[i], strlen(telling[i]));
        if (may_tell(t, id))
            t->watched[t->n_watched++] = id;
    }
}

/* ---- the command ---- */

static bool start(es_call *call, es_error *err)
{
    es_session *s = call->session;
    int64_t steps = STEPS;
    size_t at = after_blanks(call, call->args);
    if (!read_steps(call, &at, &steps, err))
        return false;
    const es_boxed *boxed = es_session_boxed(s, err);
    es_training *t = boxed ? es_training_new(es_session_context(s), boxed, steps, err) : NULL;
    if (!t)
        return false;
    t->recipe.seed = s->seed ? (int64_t)(s->seed & INT64_MAX) : t->recipe.seed;
    if (!read_options(call, at, t, err)) {
        es_training_free(t);
        return false;
    }
    if (!t->n_watched)
        watch_telling_tokens(s, t);
    return es_learning_start(call, t, err);
}

static bool already_running(const es_call *call, const char *progress, es_error *err)
{
    es_fail(err, ES_ERR_VALUE, "something is being trained already: %s", progress);
    es_hint(err, "try: :train stop, which keeps what was learned so far, or wait");
    return es_error_locate(err, call->args, call->len);
}

static bool run_train(es_call *call, es_error *err)
{
    es_str progress = {0};
    bool bare = es_arg_end(call, call->args, NULL), ok = true;
    size_t at = after_blanks(call, call->args);
    if (begins(call, at, "stop") && es_arg_end(call, at + 4, NULL))
        return es_learning_stop(call, err);
    if (!es_learning_progress(call->session, &progress))
        return start(call, err);
    if (bare) {
        es_call_note(call, "training, %s", progress.s);
        es_call_answer(call, es_result_none());
    } else {
        ok = already_running(call, progress.s, err);
    }
    es_str_free(&progress);
    return ok;
}

static const es_command commands[] = {
    {.group = "training",
     .name = "train",
     .args = "[N] [lr=N] [tied=yes|no] [negatives=N|all] [watch=TOKEN] … | stop",
     .summary = "N steps of next-token prediction on the boxed text, and what they changed",
     .help =
         "From the model in use: its two tables, and its blocks where it has them, else a fresh "
         "one. What comes of it is the model trained, in use from then on, until :reset. At the "
         "prompt training goes on while you type: :train says how far it is, :train stop ends it "
         "and keeps what was learned, Ctrl-C on an empty line keeps nothing; scripts and lessons "
         "wait for its end. N is 100 unless given. A step is Adam's, on 8 windows of 64 tokens "
         "(batch=, "
         "context=), drawn by chance (seed=); its rate lr= is 0.001 where the model has blocks, "
         "0.006 where it has none. Up to 10 steps compare with every token of the vocabulary, more "
         "with 2,048 drawn ones (negatives=). tied=no gives the output a matrix of its own, so "
         "that only rows of wte that were looked up move. watch= names a token whose neighbours "
         "are shown, up to 8 times.",
     .example = ":model untrained:C=8\n:train 2 lr=0.01 watch=\" he\"\n:near \" he\"",
     .want = ES_WANT_TEXT,
     .choices = "stop lr= tied=yes tied=no negatives=all seed= batch= context= watch=",
     .run = run_train},
};

const es_command *es_train_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
