// SPDX-License-Identifier: GPL-3.0-or-later
/* Commands about the program itself: settings, time, leaving. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/message.h"
#include "base/visible.h"
#include "session/commands.h"
#include "session/results.h"
#include "session/state.h"

/* ---- set ---- */

static void add_setting(es_list *l, es_session *s, size_t i)
{
    const es_setting *setting = es_setting_at(i);
    const es_settings *all = es_session_settings(s);
    es_str now = {0}, choices = {0};
    setting->get(all, &now);
    es_list_add(l, "%s", setting->name);
    es_list_add(l, "%s", es_str_text(&now));
    es_list_add(l, "%s", es_origin_name(all->origin[i]));
    es_setting_choices(setting, &choices);
    es_list_add(l, "%s: %s", choices.s, es_translate(setting->help));
    es_str_free(&choices);
    es_str_free(&now);
}

/* One setting, or all of them. */
static bool show_settings(es_call *call, const char *name)
{
    static const char *const columns[] = {"name", "value", "origin", "help"};
    static const es_kind kind = {"set", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "settings", .align = "lllw", .columns = columns};
    for (size_t i = 0; es_setting_at(i); i++)
        if (!name || !strcmp(name, es_setting_at(i)->name))
            add_setting(&l, call->session, i);
    bool any = l.n > 0;
    if (any)
        es_call_answer(call, es_result_list(&kind, &l));
    return any;
}

/* :set shapes only on */
static bool fail_end(const es_arg *name, const es_arg *value, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, name->value.s, name->value.len);
    es_str_char(&shown, ' ');
    es_show_prose(&shown, value->value.s, value->value.len);
    es_hint(err, "a setting takes one word: :set %s", shown.s);
    es_str_free(&shown);
    return false;
}

static bool run_set(es_call *call, es_error *err)
{
    es_arg name = {0}, value = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &name, err);
    if (found == 0)
        show_settings(call, NULL);
    if (found <= 0)
        return found == 0;
    es_origin origin = es_session_starting(call->session) ? ES_FROM_STARTUP_FILE : ES_FROM_TYPING;
    int given = es_arg_next(call, &at, &value, err);
    bool ok = given >= 0 && (es_arg_end(call, at, err) || (given && fail_end(&name, &value, err)));
    if (ok && given &&
        es_settings_set(es_session_settings(call->session), es_str_text(&name.value),
                        es_str_text(&value.value), origin, err)) {
        es_session_touch(call->session);
        es_call_note(call, "%s: %s", es_str_text(&name.value), es_str_text(&value.value));
        es_call_answer(call, es_result_none());
    } else if (ok && given) {
        bool bad_name = err && err->code == ES_ERR_NAME;
        ok = es_error_locate(err, bad_name ? name.begin : value.begin,
                             bad_name ? name.end : value.end);
    } else if (ok && !show_settings(call, es_str_text(&name.value))) {
        es_settings_set(es_session_settings(call->session), es_str_text(&name.value), "", origin,
                        err);
        ok = es_error_locate(err, name.begin, name.end);
    }
    es_str_free(&name.value);
    es_str_free(&value.value);
    return ok;
}

static bool run_reset(es_call *call, es_error *err)
{
    if (!es_arg_end(call, call->args, err))
        return false;
    bool trained = call->session->learning.trained != NULL;
    es_session_reset(call->session);
    es_call_note(call, "settings, positions, last text and variables are as at the start");
    if (trained)
        es_call_note(call, "what :train learned is gone; in use: the model %s",
                     es_session_context(call->session)->model->name);
    es_call_answer(call, es_result_none());
    return true;
}

/* ---- time ---- */

/* A sink that keeps results for later and passes on all else. */
typedef struct keeper {
    const es_sink *outer;
    es_timed timed;
} keeper;

static void keep_result(void *user, es_result *r)
{
    es_timed *t = &((keeper *)user)->timed;
    t->of = es_realloc(t->of, (t->n + 1) * sizeof *t->of);
    t->of[t->n++] = *r;
}

static void pass_error(void *user, const es_error *err, const char *line, size_t len,
                       es_result *partial)
{
    const es_sink *outer = ((keeper *)user)->outer;
    outer->error(outer->user, err, line, len, partial);
}

static void pass_note(void *user, const char *text, bool person)
{
    const es_sink *outer = ((keeper *)user)->outer;
    outer->note(outer->user, text, person);
}

static void pass_progress(void *user, const char *what, uint64_t done, uint64_t total)
{
    const es_sink *outer = ((keeper *)user)->outer;
    outer->progress(outer->user, what, done, total);
}

static void pass_print(void *user, const char *bytes, size_t n)
{
    const es_sink *outer = ((keeper *)user)->outer;
    outer->print(outer->user, bytes, n);
}

/* The vectors of a new text are computed when somebody reads them: do it now, all of them. */
static double time_vectors(es_text *t, const es_text *before)
{
    enum { MOST = 1 << 26 }; /* numbers */
    if (!t || t == before || es_text_B(t) * es_text_T(t) * t->context->model->config.n_embd > MOST)
        return -1;
    double start = es_now();
    return es_text_vectors(t, NULL) ? es_now() - start : -1;
}

/* Counting begins. */
static void forget_ran(const es_session *s)
{
    for (size_t i = 0; i < s->devices.n; i++)
        es_backend_ran(s->devices.of[i]);
    es_backend_ran(s->be);
}

static void add_worked(es_timed *t, es_backend *be)
{
    es_ran ran = es_backend_ran(be);
    if (be->ops->host_memory || (!ran.launches && !ran.n_beside))
        return;
    t->device = es_realloc(t->device, (t->n_devices + 1) * sizeof *t->device);
    es_worked *w = &t->device[t->n_devices++];
    memcpy(w->name, be->name, sizeof w->name);
    w->ran = ran;
}

/* What ran since, the model's device first. */
static void find_ran(es_timed *t, const es_session *s)
{
    add_worked(t, s->be);
    for (size_t i = 0; i < s->devices.n; i++)
        if (s->devices.of[i] != s->be)
            add_worked(t, s->devices.of[i]);
}

static bool run_time(es_call *call, es_error *err)
{
    if (call->args >= call->len)
        return es_call_usage(call, err);
    keeper k = {.outer = call->sink};
    const es_sink sink = {&k,        keep_result,   pass_error,
                          pass_note, pass_progress, call->sink->print ? pass_print : NULL};
    const es_text *before = es_session_text(call->session);
    forget_ran(call->session);
    double start = es_now();
    es_outcome o =
        es_session_run_part(call->session, call->line + call->args, call->len - call->args, &sink);
    if (o == ES_MORE && !es_session_collecting(call->session)) /* a statement that could go on */
        o = es_session_end(call->session, &sink);
    k.timed.vectors = o == ES_DONE ? time_vectors(es_session_text(call->session), before) : -1;
    k.timed.seconds = es_now() - start;
    find_ran(&k.timed, call->session);
    if (o == ES_MORE) {
        es_session_abandon(call->session);
        es_call_usage(call, err);
        o = ES_FAILED;
    }
    es_result r = es_result_time(&k.timed);
    if (o == ES_FAILED)
        es_result_free(&r); /* why, the inner line has said */
    else
        es_call_answer(call, r);
    return o != ES_FAILED;
}

/* ---- leaving ---- */

static bool run_quit(es_call *call, es_error *err)
{
    if (!es_arg_end(call, call->args, err))
        return false;
    es_session_quit(call->session);
    es_call_answer(call, es_result_none());
    return true;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "quit",
     .brief = "q",
     .args = "",
     .summary = "leave; Ctrl-D on an empty line does too",
     .run = run_quit},
    {.group = "the program",
     .name = "reset",
     .args = "",
     .summary = "settings, positions, last text and variables as at the start",
     .example = ":reset",
     .run = run_reset},
    {.group = "the program",
     .name = "set",
     .args = "[NAME [VALUE]]",
     .summary = "settings: all, one, or change one",
     .help =
         "The list says each setting's value, where that came from (default, startup file, command "
         "line, typed), what it may be, and what it does. Lines of the startup file, "
         "~/.config/embedscope/rc, are run when a prompt begins: put :set lines there to keep "
         "them.",
     .example = ":set spaces quoted",
     .run = run_set},
    {.group = "the program",
     .name = "time",
     .args = "LINE",
     .summary = "run a line and say how long it took",
     .help = "Where the model lives on a GPU it says too how many kernels ran there, and what was "
             "computed on the host because the GPU has nothing for it.",
     .example = ":time The cat sat",
     .want = ES_WANT_LINE,
     .run = run_time},
};

const es_command *es_settings_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
