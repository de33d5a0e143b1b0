// SPDX-License-Identifier: GPL-3.0-or-later
/* :focus and :clear: which token is looked at. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "session/token_name.h"
#include "view/cmd.h"

/* ---- focus ---- */

static void answer_focus(es_call *call, es_viewer *v)
{
    static const es_kind kind = {"focus", es_said_show, es_said_json, es_said_forget};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    int64_t place;
    es_viewer_follow(v);
    int32_t id = es_viewer_focus(v, &place);
    es_str_cat(&said->line, id < 0 ? "focus: none, there is no text yet" : "focus: ");
    if (id >= 0) {
        es_scene_token(&said->line, es_session_context(call->session), id, 40);
        es_str_add(&said->line, " #%" PRId32, id);
    }
    if (id >= 0 && place >= 0)
        es_str_add(&said->line, " @%" PRId64, place + v->scene.at);
    if (id >= 0 && v->focus < 0)
        es_str_cat(&said->line, ", the last of the text");
    es_json_key(&j, "id");
    if (id >= 0)
        es_json_int(&j, id);
    else
        es_json_null(&j);
    es_json_key(&j, "place");
    if (id >= 0 && place >= 0)
        es_json_int(&j, place + v->scene.at);
    else
        es_json_null(&j);
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

/* Its place among those that the scene shows, which are of the first text; -1: it is not there. */
static int64_t place_in_scene(const es_viewer *v, const es_token_name *name)
{
    int64_t place = name->pos - v->scene.at;
    bool there = name->pos >= 0 && name->b == 0 && place >= 0 && place < v->scene.T;
    return there ? place : -1;
}

static bool set_focus(es_call *call, es_viewer *v, const es_arg *arg, size_t at, es_error *err)
{
    es_token_name name;
    if (!es_arg_end(call, at, err))
        return false;
    if (!arg->quoted && !strcmp(es_str_text(&arg->value), "none")) {
        v->focus = -1;
        v->focus_place = -1;
        return true;
    }
    if (!es_token_named(call, arg, &name, err))
        return false;
    es_viewer_follow(v);
    v->focus = name.id;
    v->focus_place = place_in_scene(v, &name);
    return true;
}

bool es_cmd_focus(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found == 0)
        answer_focus(call, v);
    if (found <= 0)
        return found == 0;
    bool ok = set_focus(call, v, &arg, at, err);
    if (ok)
        es_cmd_done(call);
    es_str_free(&arg.value);
    return ok;
}

/* ---- clear ---- */

bool es_cmd_clear(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    if (!es_arg_end(call, call->args, err))
        return false;
    es_session_select(call->session, NULL, 0);
    es_session_set_found(call->session, NULL, 0);
    v->focus = v->second = -1;
    v->focus_place = -1;
    es_cmd_done(call);
    return true;
}
