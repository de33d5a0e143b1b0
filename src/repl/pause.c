// SPDX-License-Identifier: GPL-3.0-or-later
#include "repl/pause.h"

#include <stdlib.h>

#include "base/mem.h"
#include "session/results.h"
#include "session/show_lines.h"

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_str *text = data;
    (void)err;
    if (!text->len)
        return true;
    es_str_cat(out, style->plain ? "pause: " : "\n");
    es_show_wrapped(out, text->s, text->len, style);
    return true;
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const es_str *text = data;
    (void)values;
    (void)err;
    es_json_key(j, "text");
    es_json_text(j, es_str_text(text), text->len);
    return true;
}

static void forget(void *data)
{
    es_str_free(data);
    free(data);
}

bool es_pause_run(es_call *call, es_error *err)
{
    static const es_kind kind = {"pause", show, json, forget};
    es_str *text = es_alloc(sizeof *text);
    bool ok = call->args >= call->len || es_arg_text(call, call->args, text, err);
    if (!ok) {
        forget(text);
        return false;
    }
    es_call_answer(call, (es_result){.kind = &kind, .data = text});
    return !es_session_source(call->session).name ||
           es_session_wait_for_person(call->session, call->sink, err);
}
