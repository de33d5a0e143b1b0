// SPDX-License-Identifier: GPL-3.0-or-later
/* :focus, :select, :selection and :clear: which tokens are picked out. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
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

/* ---- select ---- */

typedef struct range {
    double low, high;
} range;

/* Along a component; the rows themselves are float32, and a rectangle may reach beyond them. */
#define FAR 1e100

/* "x=A..B": the numbers in either order. */
static bool read_range(const es_call *call, const es_arg *arg, range of[2], es_error *err)
{
    static const char words[] = "none";
    const char *word = es_str_text(&arg->value), *dots = strstr(word, "..");
    bool is = (word[0] == 'x' || word[0] == 'y') && word[1] == '=' && dots;
    double a, b;
    if (!is) {
        es_cmd_stray(call, arg, words, err);
        return es_hint(err, "a range has two ends: x=-1..1");
    }
    size_t middle = (size_t)(dots - word);
    if (!es_cmd_number(arg, 2, middle, "the first end", -FAR, FAR, &a, err) ||
        !es_cmd_number(arg, middle + 2, arg->value.len, "the second end", -FAR, FAR, &b, err))
        return false;
    of[word[0] - 'x'] = (range){fmin(a, b), fmax(a, b)};
    return true;
}

static bool read_ranges(const es_call *call, range of[2], es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found;
    of[0] = of[1] = (range){-INFINITY, INFINITY};
    while ((found = es_arg_next(call, &at, &arg, err)) > 0) {
        bool ok = read_range(call, &arg, of, err);
        es_str_free(&arg.value);
        if (!ok)
            return false;
    }
    return found == 0;
}

static bool has_plane(const es_viewer *v, es_error *err)
{
    if (v->view != ES_VIEW_MAP) {
        es_fail(err, ES_ERR_VALUE, "tokens are selected in the map, and %s is shown",
                es_view_kind_at((int)v->view)->name);
        return es_hint(err, "try: :show map");
    }
    if (v->camera[v->view].solid) {
        es_fail(err, ES_ERR_VALUE,
                "tokens are selected in the plane, and the map is shown in space");
        return es_hint(err, "try: :camera 2d");
    }
    return true;
}

/* The tokens of the map that are inside; freed by the caller. */
static int32_t *inside(const es_viewer *v, const range of[2], size_t *n)
{
    const es_mapped *m = &v->atlas->tokens;
    int32_t *ids = es_alloc_array((size_t)(m->n ? m->n : 1), sizeof *ids);
    *n = 0;
    for (int64_t i = 0; i < m->n; i++) {
        bool in = true;
        for (int k = 0; k < 2; k++) {
            double at = v->component[k] < m->K ? (double)m->at[i * m->K + v->component[k]] : 0;
            in = in && at >= of[k].low && at <= of[k].high; /* NaN is nowhere */
        }
        if (in)
            ids[(*n)++] = (int32_t)i;
    }
    return ids;
}

static bool select_inside(es_call *call, es_viewer *v, es_error *err)
{
    range of[2];
    size_t n;
    if (!read_ranges(call, of, err) || !has_plane(v, err) || !es_viewer_make(v, call->sink, err))
        return false;
    int32_t *ids = inside(v, of, &n);
    es_session_select(call->session, ids, n);
    if (n)
        es_call_note(call, "selected: %zu; :selection lists them, sel is their ids", n);
    else
        es_call_note(call, "selected: none, no token is there");
    free(ids);
    return true;
}

bool es_cmd_select(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    size_t n = call->len - call->args;
    if (es_arg_end(call, call->args, NULL))
        return es_call_usage(call, err);
    bool none = n == 4 && !memcmp(call->line + call->args, "none", n);
    if (none)
        es_session_select(call->session, NULL, 0);
    else if (!select_inside(call, v, err))
        return false;
    es_cmd_done(call);
    return true;
}

/* ---- what is selected ---- */

static bool read_top(const es_call *call, int64_t *top, es_error *err)
{
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    bool ok = found == 0;
    if (found > 0 && arg.value.len > 4 && !memcmp(arg.value.s, "top=", 4)) {
        es_arg number = {.begin = arg.begin + 4, .end = arg.end};
        es_str_cat(&number.value, arg.value.s + 4);
        ok = es_arg_int(&number, "top", 1, INT32_MAX, top, err) && es_arg_end(call, at, err);
        es_str_free(&number.value);
    } else if (found > 0) {
        ok = es_cmd_stray(call, &arg, "top=", err);
    }
    es_str_free(&arg.value);
    return ok;
}

bool es_cmd_selection(es_call *call, es_error *err)
{
    es_found picked = {0};
    int64_t top = 0;
    if (!read_top(call, &top, err))
        return false;
    const int32_t *ids = es_session_selection(call->session, &picked.n);
    picked.context = es_context_ref(es_session_context(call->session));
    picked.ids = es_alloc_array(picked.n ? picked.n : 1, sizeof *picked.ids);
    picked.top = (size_t)top;
    if (picked.n)
        memcpy(picked.ids, ids, picked.n * sizeof *ids);
    if (!picked.n)
        es_call_note(call, "try: :select x=-1..1 y=-1..1, or Shift and a drag in the window's map");
    es_call_answer(call, es_result_selection(&picked));
    return true;
}

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
