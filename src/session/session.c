// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/commands.h"
#include "session/state.h"
#include "session/statement.h"
#include "session/step.h"
#include "text/vocab.h"

/* ---- beginning and end ---- */

static bool open_all(es_session *s, const es_session_options *o, es_error *err)
{
    s->be = es_session_device(s, o->device ? o->device : "cpu", err);
    if (!s->be)
        return false;
    s->vocab = es_copy_string(o->vocab ? o->vocab : "gpt2");
    s->bpe = es_vocab_open_at(s->vocab, &s->vocab_path, err);
    if (!s->bpe)
        return false;
    es_model_parts parts = {.model = o->model, .wte = o->wte, .wpe = o->wpe, .seed = o->seed};
    bool asked = o->model || o->wte || o->wpe;
    s->model = asked ? es_model_build(&parts, err) : es_model_usual(o->seed, err);
    if (!s->model || !es_session_send_model(s->model, s->be, err))
        return false;
    s->context = es_context_new(s->bpe, s->vocab, s->model, s->be, ES_POSITIONS_LEARNED);
    return true;
}

static es_session *begin(const es_session_options *o)
{
    es_session *s = es_alloc(sizeof *s);
    s->settings = s->defaults = o->settings;
    s->seed = o->seed;
    s->threads = o->threads;
    s->person = o->person;
    s->keep_going = o->keep_going;
    s->tensor = o->tensor;
    s->lines = o->lines_before;
    s->interrupt = o->interrupt;
    s->learning.wake = -1;
    es_add_session_commands(s);
    return s;
}

es_session *es_session_new(const es_session_options *o, es_error *err)
{
    es_session *s = begin(o);
    if (open_all(s, o, err))
        return s;
    es_session_free(s);
    return NULL;
}

/* Not shared: what a model has on a device goes with the session that opened the device. */
static es_model *open_again(const es_model *m, uint64_t seed, es_error *err)
{
    es_error no = ES_ERROR_NONE;
    es_model *again = es_model_open(m->path && !m->bundled ? m->path : m->name, seed, &no);
    es_error_free(&no); /* one that was learned here, or put together from two files */
    return again ? again : es_model_usual(seed, err);
}

static bool open_like(es_session *s, const es_session *like, es_error *err)
{
    s->threads = 1;
    s->be = es_session_device(s, like->be->name, err);
    if (!s->be)
        return false;
    s->vocab = es_copy_string(like->vocab);
    s->bpe = es_vocab_open_at(s->vocab, &s->vocab_path, err);
    if (!s->bpe)
        return false;
    s->model = open_again(like->model, s->seed, err);
    if (!s->model || !es_session_send_model(s->model, s->be, err))
        return false;
    s->first_positions = like->context->layer.positions;
    s->context = es_context_new(s->bpe, s->vocab, s->model, s->be, s->first_positions);
    return true;
}

es_session *es_session_like(const es_session *like, es_error *err)
{
    const es_session_options o = {.settings = like->settings,
                                  .seed = like->seed,
                                  .tensor = true,
                                  .interrupt = like->interrupt};
    es_session *s = begin(&o);
    if (open_like(s, like, err))
        return s;
    es_session_free(s);
    return NULL;
}

static void forget_text(es_session *s)
{
    es_text_unref(s->text);
    es_text_unref(s->preview);
    s->text = s->preview = NULL;
    s->stamp++;
}

void es_session_free(es_session *s)
{
    if (!s)
        return;
    es_learning_free(s);
    es_step_end(s);
    es_mode_free(s->mode);
    forget_text(s);
    es_near_free(s->near);
    es_boxed_free(s->boxed);
    es_context_unref(s->context);
    es_model_unref(s->model);
    es_bpe_free(s->bpe);
    es_session_close_devices(s);
    for (size_t i = 0; i < s->n_messages; i++)
        es_str_free(&s->messages[i].bytes);
    free(s->messages);
    es_str_free(&s->last_error);
    es_str_free(&s->collected);
    es_statement_drop(&s->statement);
    es_teacher_forget_aside(s);
    es_str_free(&s->statement.ended);
    es_str_free(&s->preview_line);
    es_transcript_close(s->transcript);
    free(s->commands.of);
    free(s->vocab);
    es_str_free(&s->vocab_path);
    free(s->selected.ids);
    free(s->found.ids);
    free(s->axes);
    free(s);
}

void es_session_add_commands(es_session *s, const es_command *commands, size_t n)
{
    es_command_list *list = &s->commands;
    list->of = es_realloc(list->of, (list->n + n) * sizeof *list->of);
    for (size_t k = 0; k < n; k++) {
        size_t at = list->n++;
        for (; at && strcmp(list->of[at - 1]->name, commands[k].name) > 0; at--)
            list->of[at] = list->of[at - 1];
        list->of[at] = &commands[k];
    }
}

const es_command_list *es_session_commands(const es_session *s)
{
    return &s->commands;
}

es_source es_session_source(const es_session *s)
{
    return s->source;
}

void es_session_set_source(es_session *s, es_source source)
{
    s->source = source;
}

/* ---- pauses ---- */

void es_session_set_wait(es_session *s, es_wait_fn wait, void *user)
{
    s->wait = wait;
    s->waits_for = user;
}

bool es_session_wait_for_person(es_session *s, const es_sink *sink, es_error *err)
{
    es_source source = s->source;
    es_paste paste = s->paste;
    bool person = s->person;
    if (!s->wait || s->pausing)
        return true;
    s->pausing = s->person = true;
    s->source = (es_source){0};
    s->paste = ES_TYPED;
    bool ok = s->wait(s->waits_for, s, sink, err);
    es_session_abandon(s);
    s->pausing = false;
    s->person = person;
    s->source = source;
    s->paste = paste;
    return ok;
}

/* ---- what is in use ---- */

es_context *es_session_context(const es_session *s)
{
    return s->context;
}

es_settings *es_session_settings(es_session *s)
{
    return &s->settings;
}

void es_session_startup(es_session *s, bool running)
{
    s->starting = running;
    s->defaults = s->settings;
    s->first_positions = s->context->layer.positions;
}

bool es_session_starting(const es_session *s)
{
    return s->starting;
}

bool es_session_person(const es_session *s)
{
    return s->person;
}

bool es_session_collecting(const es_session *s)
{
    return s->collecting != NULL;
}

bool es_session_waiting(const es_session *s)
{
    return s->collecting || s->statement.source.len;
}

bool es_session_stepping(const es_session *s)
{
    return s->stepper != NULL;
}

bool es_session_tensor(const es_session *s)
{
    return s->tensor;
}

void es_session_set_tensor(es_session *s, bool on)
{
    s->tensor = on;
    s->stamp++;
}

void es_session_set_paste(es_session *s, es_paste paste)
{
    s->paste = paste;
    if (paste == ES_TYPED)
        s->example = ES_NO_EXAMPLE;
}

bool es_session_keep_going(const es_session *s)
{
    return s->keep_going;
}

bool es_session_interrupted(const es_session *s)
{
    return s->interrupt && *s->interrupt;
}

const atomic_bool *es_session_interrupt(const es_session *s)
{
    return s->interrupt;
}

es_text *es_session_text(const es_session *s)
{
    return s->text;
}

const char *es_session_last_error(const es_session *s)
{
    return s->last_error.s;
}

es_transcript *es_session_transcript(const es_session *s)
{
    return s->transcript;
}

void es_session_set_transcript(es_session *s, es_transcript *t)
{
    es_transcript_close(s->transcript);
    s->transcript = t;
}

const char *es_session_vocab_path(const es_session *s)
{
    return es_str_text(&s->vocab_path);
}

es_near *es_session_near(es_session *s, es_error *err)
{
    es_table *wte = s->context->model->wte;
    if (s->near && (es_near_table(s->near) != wte || es_near_device(s->near) != s->be)) {
        es_near_free(s->near);
        s->near = NULL;
    }
    if (!s->near)
        s->near = es_near_new(wte, s->be, err);
    return s->near;
}

const es_boxed *es_session_boxed(es_session *s, es_error *err)
{
    if (!s->boxed)
        s->boxed = es_boxed_open(s->bpe, err);
    return s->boxed;
}

uint64_t es_session_stamp(const es_session *s)
{
    return s->stamp;
}

/* A context of what is in use now, and the last text seen with it. */
static void see_anew(es_session *s, es_positions positions)
{
    es_context *c = es_context_new(s->bpe, s->vocab, s->model, s->be, positions);
    es_context_unref(s->context);
    s->context = c;
    if (s->text) {
        es_text *again = es_text_with(s->text, c);
        es_text_unref(s->text);
        s->text = again;
    }
    es_text_unref(s->preview);
    s->preview = NULL;
    s->stamp++;
}

void es_session_see_anew(es_session *s)
{
    es_near_free(s->near);
    s->near = NULL;
    es_mode_forget_model(s);
    es_mode_use_device(s);
    see_anew(s, s->context->layer.positions);
}

void es_session_set_positions(es_session *s, es_positions positions)
{
    see_anew(s, positions);
}

void es_session_use_model(es_session *s, es_model *m)
{
    es_positions positions = s->context->layer.positions;
    if (positions == ES_POSITIONS_NONE && !s->model->config.n_ctx)
        positions = ES_POSITIONS_LEARNED;
    es_near_free(s->near);
    s->near = NULL;
    es_session_set_axes(s, NULL, 0, 0);
    es_mode_forget_model(s);
    es_model_unref(s->model);
    s->model = m;
    see_anew(s, positions);
}

bool es_session_set_model(es_session *s, const char *name, es_error *err)
{
    es_model *trained = s->learning.trained;
    bool again = trained && !strcmp(name, trained->name);
    es_model *m = again ? es_model_ref(trained) : es_model_open(name, s->seed, err);
    if (m && !es_session_send_model(m, s->be, err)) {
        es_model_unref(m);
        return false;
    }
    if (m)
        es_session_use_model(s, m);
    return m != NULL;
}

void es_session_reset(es_session *s)
{
    es_session_abandon(s);
    es_str_free(&s->last_error);
    es_mode_clear(s);
    es_learning_reset(s);
    s->settings = s->defaults;
    es_session_select(s, NULL, 0);
    es_session_set_found(s, NULL, 0);
    es_session_set_positions(s, s->first_positions);
    forget_text(s);
}

void es_session_quit(es_session *s)
{
    s->quit = true;
}
