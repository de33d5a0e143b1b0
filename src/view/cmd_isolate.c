// SPDX-License-Identifier: GPL-3.0-or-later
/* :isolate: what becomes of the tokens that are not picked out. */
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/map.h"

enum { N_OTHERS = ES_OTHERS_HIDDEN + 1 };

static void answer(es_call *call, const es_viewer *v)
{
    static const es_kind kind = {"isolate", es_said_show, es_said_json, es_said_forget};
    static const char *const meaning[] = {
        "all tokens are shown; fade or hide leaves the others out", "all others are faint",
        "all others are hidden"};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    es_str_add(&said->line, "isolate: %s, %s%s", es_others_name(v->others), meaning[v->others],
               v->others ? " while tokens are selected or found" : "");
    es_json_key_string(&j, "others", es_others_name(v->others));
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

void es_cmd_look_at_isolated(es_viewer *v)
{
    es_viewer_follow(v);
    es_camera to = v->camera[ES_VIEW_MAP];
    if (v->view == ES_VIEW_MAP && es_map_look_at_isolated(v, &to))
        es_cmd_move_camera(v, &to);
}

static bool anything(const es_call *call)
{
    size_t found, selected;
    es_session_found(call->session, &found);
    es_session_selection(call->session, &selected);
    return found || selected;
}

static bool set(es_call *call, es_viewer *v, const es_arg *arg, es_error *err)
{
    int which = 0;
    while (which < N_OTHERS && strcmp(es_str_text(&arg->value), es_others_name((es_others)which)))
        which++;
    if (which == N_OTHERS)
        return es_cmd_stray(call, arg, "fade hide off", err);
    bool looks = which != ES_OTHERS_SHOWN && v->view == ES_VIEW_MAP && anything(call);
    es_viewer_follow(v);
    if (looks && !es_viewer_make(v, call->sink, err))
        return false;
    v->others = (es_others)which;
    if (looks)
        es_cmd_look_at_isolated(v);
    else if (which != ES_OTHERS_SHOWN && !anything(call))
        call->sink->note(call->sink->user,
                         "isolate: nothing is selected or found yet; try :find or :select", true);
    return true;
}

bool es_cmd_isolate(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found == 0)
        answer(call, v);
    if (found <= 0)
        return found == 0;
    bool ok = es_arg_end(call, at, err) && set(call, v, &arg, err);
    es_str_free(&arg.value);
    if (ok)
        es_cmd_done(call);
    return ok;
}
