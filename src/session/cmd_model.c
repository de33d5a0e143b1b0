// SPDX-License-Identifier: GPL-3.0-or-later
/* The command about the model in use. */
#include <stdlib.h>

#include "base/mem.h"
#include "session/commands.h"
#include "session/model_notes.h"
#include "session/results.h"

/* Look through a table of a file for numbers that are none; what the program makes has none. */
static void scan(es_str *warnings, const char *name, es_table *t, const es_table_origin *from,
                 es_watch *watch)
{
    int64_t row, channel;
    if (!from->path || !es_table_first_nonfinite(t, &row, &channel, watch))
        return;
    float *v = es_alloc_array((size_t)es_table_width(t), sizeof *v);
    if (es_table_row(t, row, v, NULL)) {
        es_str_cat(warnings, warnings->len ? "\n" : "");
        es_show_nonfinite(warnings, name, row, channel, v[channel]);
        es_str_cat(warnings, ", the first of its numbers that is none");
    }
    free(v);
}

static bool show_model(es_call *call, es_error *err)
{
    es_context *c = es_session_context(call->session);
    const es_model *m = c->model;
    es_watch watch = {.stop = es_session_interrupt(call->session)};
    es_str warnings = {0};
    es_model_remarks(&warnings, c);
    scan(&warnings, "wte", m->wte, &m->wte_from, &watch);
    scan(&warnings, "wpe", m->wpe, &m->wpe_from, &watch);
    bool ok = es_watch_step(&watch, 0, err);
    if (ok)
        es_call_answer(call, es_result_model(c, &warnings));
    es_str_free(&warnings);
    return ok;
}

static bool change_model(es_call *call, const char *name, es_error *err)
{
    if (!es_session_set_model(call->session, name, err))
        return es_error_locate(err, call->args, call->len);
    const es_context *c = es_session_context(call->session);
    es_call_note(call, "model %s: %s", c->model->name, c->model->about);
    es_note_model(call->session, call->sink);
    es_call_answer(call, es_result_none());
    return true;
}

static bool run_model(es_call *call, es_error *err)
{
    es_str name = {0};
    if (es_arg_end(call, call->args, NULL))
        return show_model(call, err);
    bool ok = es_arg_path(call, call->args, &name, err);
    ok = ok && change_model(call, es_str_text(&name), err);
    es_str_free(&name);
    return ok;
}

static const es_command commands[] = {
    {.group = "the program",
     .name = "model",
     .args = "[NAME|PATH]",
     .summary = "which tables are in use, or others",
     .help = "A path names a safetensors file, the index of one in several files, or a folder with "
             "either; a name one in the folder of models, mini, which comes with the program, or "
             "untrained, with sizes: untrained:C=768. Without an argument whole tables are looked "
             "through for NaN and "
             "infinities.",
     .example = ":model\n:model untrained:C=8\nThe cat",
     .want = ES_WANT_FILE,
     .run = run_model},
};

const es_command *es_model_commands(size_t *n)
{
    *n = sizeof commands / sizeof *commands;
    return commands;
}
