// SPDX-License-Identifier: GPL-3.0-or-later
/* :projector: wte for TensorBoard's Embedding Projector. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/projector.h"

/* Words behind the folder; in quotes a word is none of them. */
static bool read_options(const es_call *call, size_t at, es_projector *p, es_error *err)
{
    es_arg arg;
    int found;
    while ((found = es_arg_next(call, &at, &arg, err)) > 0) {
        const char *word = arg.quoted ? "" : es_str_text(&arg.value);
        bool centred = !strcmp(word, "centred") || !strcmp(word, "centered");
        bool force = !strcmp(word, "force");
        p->centred |= centred;
        p->force |= force;
        if (!centred && !force)
            es_cmd_stray(call, &arg, "centred centered force", err);
        es_str_free(&arg.value);
        if (!centred && !force)
            return es_hint(err, "a folder with a space in its name stands in quotes");
    }
    return found == 0;
}

/* The first word, which ends at *end; what follows it are options. */
static bool read_words(const es_call *call, es_projector *p, es_str *folder, size_t *end,
                       es_error *err)
{
    es_arg arg = {0};
    es_call first = *call;
    *end = call->args;
    int found = es_arg_next(call, end, &arg, err);
    es_str_free(&arg.value);
    if (found <= 0)
        return found == 0 && es_call_usage(call, err);
    first.len = *end;
    return read_options(call, *end, p, err) && es_arg_path(&first, call->args, folder, err);
}

static void answer(es_call *call, const es_projector *p)
{
    static const es_kind kind = {"projector", es_said_show, es_said_json, es_said_forget};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    const es_config *c = &p->context->model->config;
    es_show_name(&said->line, p->folder, strlen(p->folder));
    es_str_cat(&said->line, ": " ES_PROJECTOR_VECTORS ", ");
    es_show_count(&said->line, c->vocab_size);
    es_str_add(&said->line, " rows of %" PRId64 " numbers%s, and " ES_PROJECTOR_METADATA, c->n_embd,
               p->centred ? " less their mean" : "");
    es_json_key(&j, "path");
    es_json_text(&j, p->folder, strlen(p->folder));
    es_json_key_int(&j, "rows", c->vocab_size);
    es_json_key_int(&j, "columns", c->n_embd);
    es_json_key(&j, "centred");
    es_json_bool(&j, p->centred);
    es_json_key_int(&j, "left_out", p->left_out);
    if (p->left_out)
        es_call_note(call, "%" PRId64 " row%s NaN or Inf, which the projector cannot show",
                     p->left_out, p->left_out == 1 ? " holds" : "s hold");
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

bool es_cmd_projector(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_projector p = {.context = es_session_context(call->session)};
    es_str folder = {0};
    size_t end;
    if (!read_words(call, &p, &folder, &end, err))
        return false;
    es_viewer_follow(v);
    p.meta = v->meta;
    p.folder = es_str_text(&folder);
    bool ok = es_model_needs_wte(p.context->model, err) &&
              (es_session_work(call->session, "writing", es_projector_write, &p, call->sink, err) ||
               es_error_locate(err, call->args, end));
    if (ok)
        answer(call, &p);
    es_str_free(&folder);
    return ok;
}
