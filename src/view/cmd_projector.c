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

/* A last word that is an option ends the path before it. */
static bool cut_word(es_call *rest, const char *word)
{
    size_t n = strlen(word), len = rest->len;
    while (len > rest->args && rest->line[len - 1] == ' ')
        len--;
    if (len < rest->args + n + 2 || rest->line[len - n - 1] != ' ' ||
        memcmp(rest->line + len - n, word, n) != 0)
        return false;
    rest->len = len - n - 1;
    return true;
}

static void read_words(es_call *rest, es_projector *p)
{
    for (bool more = true; more;) {
        bool centred = cut_word(rest, "centred") || cut_word(rest, "centered");
        bool force = cut_word(rest, "force");
        p->centred |= centred;
        p->force |= force;
        more = centred || force;
    }
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
    es_call rest = *call;
    es_str folder = {0};
    if (es_arg_end(call, call->args, NULL))
        return es_call_usage(call, err);
    if (!p.context->model->config.vocab_size)
        return es_model_needs_wte(p.context->model, err);
    read_words(&rest, &p);
    if (!es_arg_path(&rest, rest.args, &folder, err))
        return false;
    es_viewer_follow(v);
    p.meta = v->meta;
    p.folder = es_str_text(&folder);
    bool ok = es_session_work(call->session, "writing", es_projector_write, &p, call->sink, err) ||
              es_error_locate(err, rest.args, rest.len);
    if (ok)
        answer(call, &p);
    es_str_free(&folder);
    return ok;
}
