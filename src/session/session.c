// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/commands.h"
#include "session/job.h"
#include "session/results.h"
#include "text/vocab.h"

enum {
    LONG_TEXT = 1 << 18, /* bytes from which encoding is a job */
    TICK = 50,           /* milliseconds between two looks at a job */
    MAX_DEPTH = 16,      /* of :run in :run */
    NEWCOMER_LINES = 5
};

typedef struct message {
    es_message kind;
    es_str bytes;
} message;

struct es_session {
    es_backend *be;
    es_bpe *bpe;
    char *vocab;
    es_model *model;
    es_context *context;
    es_text *text;
    uint64_t seed, stamp;

    es_settings settings, defaults;
    bool person, keep_going, quit;
    es_source source;
    int depth, lines; /* lines: a person's, with those of earlier sessions */
    const atomic_bool *interrupt;

    es_command_list commands;

    es_collected_fn collecting; /* NULL: lines are run */
    es_str collected;

    es_str preview_line;
    es_text *preview;

    message *messages;
    size_t n_messages;
};

/* ---- beginning and end ---- */

static bool open_all(es_session *s, const es_session_options *o, es_error *err)
{
    s->be = es_backend_open(o->device ? o->device : "cpu", o->threads, err);
    if (!s->be)
        return false;
    s->vocab = es_copy_string(o->vocab ? o->vocab : "gpt2");
    s->bpe = es_vocab_open(s->vocab, err);
    if (!s->bpe)
        return false;
    s->model = es_model_open(o->model ? o->model : "untrained", o->seed, err);
    if (!s->model)
        return false;
    s->context = es_context_new(s->bpe, s->vocab, s->model, s->be, ES_POSITIONS_LEARNED);
    return true;
}

es_session *es_session_new(const es_session_options *o, es_error *err)
{
    es_session *s = es_alloc(sizeof *s);
    s->settings = s->defaults = o->settings;
    s->seed = o->seed;
    s->person = o->person;
    s->keep_going = o->keep_going;
    s->lines = o->lines_before;
    s->interrupt = o->interrupt;
    es_add_session_commands(s);
    if (open_all(s, o, err))
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
    forget_text(s);
    es_context_unref(s->context);
    es_model_unref(s->model);
    es_bpe_free(s->bpe);
    es_backend_close(s->be);
    for (size_t i = 0; i < s->n_messages; i++)
        es_str_free(&s->messages[i].bytes);
    free(s->messages);
    es_str_free(&s->collected);
    es_str_free(&s->preview_line);
    free(s->commands.of);
    free(s->vocab);
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

/* ---- texts ---- */

typedef struct reading {
    es_context *context;
    es_reading how;
    const char *const *bytes;
    const size_t *len;
    int64_t B;
    es_text *made;
} reading;

static bool read_texts(void *work, es_watch *watch, es_error *err)
{
    reading *r = work;
    r->made = es_text_new(r->context, &r->how, r->bytes, r->len, r->B, watch, err);
    return r->made != NULL;
}

static bool run_as_job(es_session *s, reading *r, const es_sink *sink, es_error *err)
{
    uint64_t done, total;
    es_job *job = es_job_start(read_texts, r, -1, err);
    if (!job)
        return false;
    while (!es_job_wait(job, TICK)) {
        if (es_session_interrupted(s))
            es_job_cancel(job);
        es_job_progress(job, &done, &total);
        sink->progress(sink->user, "encoding", done, total);
    }
    sink->progress(sink->user, "encoding", 1, 1);
    return es_job_finish(job, err);
}

es_text *es_session_read(es_session *s, const char *const *bytes, const size_t *len, int64_t B,
                         const es_sink *sink, es_error *err)
{
    int32_t pad = s->settings.pad < 0 ? es_bpe_endoftext(s->bpe) : s->settings.pad;
    reading r = {
        .context = s->context,
        .how = {.special = s->settings.special, .pad = pad, .pad_left = s->settings.pad_left},
        .bytes = bytes,
        .len = len,
        .B = B};
    size_t all = 0;
    for (int64_t b = 0; b < B; b++)
        all += len[b];
    bool ok = all < LONG_TEXT ? read_texts(&r, NULL, err) : run_as_job(s, &r, sink, err);
    return ok ? r.made : NULL;
}

bool es_session_show(es_call *call, es_text *t, es_error *err)
{
    es_session *s = call->session;
    es_text_unref(s->text);
    s->text = t;
    s->stamp++;
    if (!es_text_guard(t, err)) {
        call->partial = es_result_tokens_brief(t);
        return false;
    }
    es_call_answer(call, es_text_B(t) == 1 ? es_result_text(t) : es_result_batch(t));
    return true;
}

/* ---- running lines ---- */

static const char *newcomer_tries[NEWCOMER_LINES] = {
    ":shapes shows how ids become x, step by step",
    ":row @1 prints the vectors of token 1 in full",
    ":merges lowest replays how a word is put together",
    ":positions none shows what x is without a place",
    ":help lists every command",
};

static void advise(es_session *s, const es_sink *sink, const char *line, size_t len)
{
    static const char *const leaving[] = {"help", "quit", "exit"};
    for (size_t i = 0; i < 3; i++)
        if (len == 4 && !memcmp(line, leaving[i], len))
            sink->note(sink->user,
                       i ? "that was text; :quit or Ctrl-D leaves"
                         : "that was text; :help lists the commands",
                       true);
    if (s->lines < NEWCOMER_LINES) {
        es_str advice = {0};
        es_str_add(&advice, "try: %s", newcomer_tries[s->lines]);
        sink->note(sink->user, advice.s, true);
        es_str_free(&advice);
    }
}

/* The article that many readers come from gives "transformer" a made-up id. */
static void answer_the_article(const es_sink *sink, const char *line, size_t len)
{
    bool spaced = len == 12 && line[0] == ' ';
    if ((spaced || len == 11) && !memcmp(line + spaced, "transformer", 11))
        sink->note(sink->user,
                   "transformer is two tokens, 7645 16354; ␣transformer, with its space, is "
                   "one, 47385. The 41551 some articles give it is made up.",
                   false);
}

static bool run_text(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_text *t = es_session_read(s, &call->line, &call->len, 1, call->sink, err);
    if (!t || !es_session_show(call, t, err))
        return false;
    answer_the_article(call->sink, call->line, call->len);
    advise(s, call->sink, call->line, call->len);
    return true;
}

static bool run_command(es_call *call, es_error *err)
{
    es_session *s = call->session;
    size_t end = es_command_name_end(call->line, call->len);
    if (end == 7 && !memcmp(call->line, ":tensor", 7)) {
        es_error_locate(err, 0, end);
        return es_unsupported_tensor(err);
    }
    call->command = es_command_find(&s->commands, call->line + 1, end - 1, s->person, err);
    if (!call->command)
        return es_error_locate(err, 0, end);
    call->args = end < call->len ? end + 1 : end;
    return call->command->run(call, err);
}

static bool finish_collecting(es_call *call, es_error *err)
{
    es_session *s = call->session;
    es_collected_fn done = s->collecting;
    es_str bytes = s->collected;
    s->collecting = NULL;
    s->collected = (es_str){0};
    bool ok = done(call, es_str_text(&bytes), bytes.len ? bytes.len - 1 : 0, err);
    es_str_free(&bytes);
    return ok;
}

static bool dispatch(es_call *call, es_error *err)
{
    es_session *s = call->session;
    if (es_session_interrupted(s))
        return es_fail(err, ES_ERR_INTERRUPTED, "interrupted");
    if (s->depth > MAX_DEPTH)
        return es_fail(err, ES_ERR_RANGE, "files that run each other are nested more than %d deep",
                       MAX_DEPTH);
    if (call->len == 0)
        return true;
    if (call->line[0] == ':')
        return run_command(call, err);
    if (call->line[0] == '=')
        return es_unsupported_tensor(err);
    return run_text(call, err);
}

static es_outcome outcome(es_session *s, es_call *call, bool ok, es_error *err)
{
    if (!ok && err->code != ES_OK)
        call->sink->error(call->sink->user, err, call->line, call->len, &call->partial);
    es_result_free(&call->partial);
    es_error_free(err);
    if (s->quit)
        return ES_QUIT;
    return !ok ? ES_FAILED : s->collecting ? ES_MORE : ES_DONE;
}

es_outcome es_session_run(es_session *s, const char *line, size_t len, const es_sink *sink)
{
    es_call call = {.session = s, .line = line, .len = len, .sink = sink};
    es_error err = ES_ERROR_NONE;
    bool ok = true;
    if (!s->collecting) {
        s->depth++;
        ok = dispatch(&call, &err);
        s->depth--;
        s->lines += len > 0 && s->depth == 0;
    } else if (len == 1 && line[0] == '.') {
        call.len = 0; /* a caret under the lone dot would explain nothing */
        ok = finish_collecting(&call, &err);
    } else {
        es_str_bytes(&s->collected, line, len);
        es_str_char(&s->collected, '\n');
    }
    return outcome(s, &call, ok, &err);
}

es_outcome es_session_end(es_session *s, const es_sink *sink)
{
    if (!s->collecting)
        return ES_DONE;
    es_call call = {.session = s, .line = "", .sink = sink};
    es_error err = ES_ERROR_NONE;
    bool ok = finish_collecting(&call, &err);
    return outcome(s, &call, ok, &err);
}

void es_session_abandon(es_session *s)
{
    s->collecting = NULL;
    es_str_free(&s->collected);
}

void es_session_collect(es_session *s, es_collected_fn done)
{
    s->collecting = done;
}

es_source es_session_source(const es_session *s)
{
    return s->source;
}

void es_session_set_source(es_session *s, es_source source)
{
    s->source = source;
}

void es_session_prompt(const es_session *s, es_str *out)
{
    if (s->collecting) {
        es_str_cat(out, "paste> ");
        return;
    }
    es_positions positions = s->context->layer.positions;
    es_str why = {0};
    if (strcmp(s->model->name, "untrained"))
        es_str_cat(&why, s->model->name);
    if (s->seed)
        es_str_add(&why, "%sseed %llu", why.len ? ", " : "", (unsigned long long)s->seed);
    if (strcmp(s->vocab, "gpt2"))
        es_str_add(&why, "%sown vocabulary", why.len ? ", " : "");
    if (positions != ES_POSITIONS_LEARNED)
        es_str_add(&why, "%s%s positions", why.len ? ", " : "",
                   positions == ES_POSITIONS_NONE ? "no" : "sinusoidal");
    if (why.len)
        es_str_add(out, "text (%s)> ", why.s);
    else
        es_str_cat(out, "text> ");
    es_str_free(&why);
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

const es_settings *es_session_defaults(const es_session *s)
{
    return &s->defaults;
}

bool es_session_person(const es_session *s)
{
    return s->person;
}

bool es_session_keep_going(const es_session *s)
{
    return s->keep_going;
}

bool es_session_interrupted(const es_session *s)
{
    return s->interrupt && *s->interrupt;
}

es_text *es_session_text(const es_session *s)
{
    return s->text;
}

uint64_t es_session_stamp(const es_session *s)
{
    return s->stamp;
}

void es_session_set_positions(es_session *s, es_positions positions)
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

void es_session_reset(es_session *s)
{
    es_session_abandon(s);
    s->settings = s->defaults;
    es_session_set_positions(s, ES_POSITIONS_LEARNED);
    forget_text(s);
}

void es_session_quit(es_session *s)
{
    s->quit = true;
}

/* ---- for the window ---- */

void es_session_preview(es_session *s, const char *line, size_t len)
{
    bool none = len == 0 || line[0] == ':' || line[0] == '=' || s->collecting;
    if (none)
        len = 0;
    if (len == s->preview_line.len && !memcmp(es_str_text(&s->preview_line), line, len))
        return;
    es_str_cut(&s->preview_line, 0);
    es_str_bytes(&s->preview_line, line, len);
    es_text_unref(s->preview);
    s->preview = NULL;
    s->stamp++;
}

es_text *es_session_preview_text(es_session *s)
{
    if (!s->preview && s->preview_line.len) {
        const es_reading how = {.special = s->settings.special};
        const char *bytes = s->preview_line.s;
        s->preview = es_text_new(s->context, &how, &bytes, &s->preview_line.len, 1, NULL, NULL);
    }
    return s->preview;
}

void es_session_post(es_session *s, es_message kind, const char *bytes, size_t len)
{
    s->messages = es_realloc(s->messages, (s->n_messages + 1) * sizeof *s->messages);
    message *m = &s->messages[s->n_messages++];
    *m = (message){.kind = kind};
    es_str_bytes(&m->bytes, bytes, len);
}

bool es_session_take(es_session *s, es_message *kind, es_str *bytes)
{
    if (!s->n_messages)
        return false;
    *kind = s->messages[0].kind;
    es_str_free(bytes);
    *bytes = s->messages[0].bytes;
    memmove(s->messages, s->messages + 1, --s->n_messages * sizeof *s->messages);
    return true;
}
