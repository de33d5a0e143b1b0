// SPDX-License-Identifier: GPL-3.0-or-later
/* :axes: which axes the axes view has. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/axes.h"
#include "view/cmd.h"
#include "view/commands.h"

static void answer_axes(es_call *call, const es_viewer *v)
{
    static const es_kind kind = {"axes", es_said_show, es_said_json, es_said_forget};
    const es_context *c = es_session_context(call->session);
    const es_axes_chosen *chosen = v->chosen[ES_VIEW_AXES];
    es_axes_chosen of;
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    es_str why = {0};
    bool there = chosen || es_axes_usual(c, &of, &why);
    if (chosen)
        of = *chosen;
    es_str_cat(&said->line, "axes: ");
    if (there)
        es_axes_describe(c, &of, &said->line);
    else
        es_str_add(&said->line, "none. %s", why.s);
    es_str_cat(&said->line, there && !chosen ? ", the usual ones" : "");
    es_json_key(&j, "chosen");
    es_json_bool(&j, chosen != NULL);
    if (there)
        es_axes_describe_json(&j, &of);
    es_str_free(&why);
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

void es_axes_choose(es_viewer *v, const es_axes_chosen *what)
{
    free(v->chosen[ES_VIEW_AXES]);
    v->chosen[ES_VIEW_AXES] = NULL;
    if (what) {
        es_axes_chosen *copy = es_alloc(sizeof *copy);
        *copy = *what;
        v->chosen[ES_VIEW_AXES] = copy;
    }
    v->camera[ES_VIEW_AXES] = es_viewer_first_camera(ES_VIEW_AXES); /* it is another picture */
    v->moved_at = 0;
    es_axes_forget(v);
}

/* A comma parts two tokens, and signs stand by themselves; in double quotes all is as it is. */
static void spell_out(const char *text, es_str *out)
{
    bool quoted = false;
    for (const char *s = text; *s; s++) {
        bool sign = !quoted && (*s == '+' || *s == '-');
        quoted = quoted != (*s == '"');
        es_str_cat(out, sign ? " " : "");
        es_str_char(out, !quoted && *s == ',' ? ' ' : *s);
        es_str_cat(out, sign ? " " : "");
        if (quoted && *s == '\\' && s[1])
            es_str_char(out, *++s);
    }
}

bool es_axes_option(es_viewer *v, const char *text, const es_sink *sink, es_error *err)
{
    size_t n;
    const es_command *command = es_view_commands(&n);
    es_axes_chosen what;
    es_str line = {0};
    while (command->run != es_cmd_axes)
        command++;
    spell_out(text, &line);
    const es_call call = {.session = v->session,
                          .command = command,
                          .line = es_str_text(&line),
                          .len = line.len,
                          .sink = sink};
    bool ok = es_axes_read(&call, &what, err);
    if (ok)
        es_axes_choose(v, &what);
    else
        err->begin = err->end = -1;
    es_str_free(&line);
    return ok;
}

bool es_cmd_axes(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_axes_chosen what;
    es_viewer_follow(v);
    if (es_arg_end(call, call->args, NULL)) {
        answer_axes(call, v);
        return true;
    }
    if (es_arg_is(call, call->args, "off") || es_arg_is(call, call->args, "none")) {
        es_axes_choose(v, NULL);
        es_cmd_done(call);
        return true;
    }
    if (!es_axes_read(call, &what, err))
        return false;
    es_axes_choose(v, &what);
    return es_cmd_picture(call, v, ES_VIEW_AXES, err);
}
