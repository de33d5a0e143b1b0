// SPDX-License-Identifier: GPL-3.0-or-later
/* :quality and :torn: what the map keeps of who is near whom, and what it has torn apart. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/layouts.h"
#include "view/neighbours.h"
#include "view/row_named.h"

enum { TOLD = 5, COLUMNS = 24 }; /* tokens of a list in a sentence; of a token */

static bool has_map(es_viewer *v, const es_sink *sink, es_error *err)
{
    es_viewer_follow(v);
    return es_viewer_make_tokens(v, sink, err);
}

/* ---- quality ---- */

static void name_picture(const es_viewer *v, es_str *out)
{
    const es_sight *s = es_layouts_of(v, v->layout);
    if (v->layout != ES_LAYOUT_PCA && s) {
        es_layouts_progress(s, out);
        return;
    }
    es_str_add(out, "%s", es_layout_title(v->layout));
    for (int k = 0; k < es_viewer_components(v); k++)
        es_str_add(out, "%s%d", k ? ", " : ", components ", v->component[k] + 1);
}

static bool show_quality(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_viewer *v = data;
    const es_figures *f = es_layouts_figures(v);
    es_str line = {0};
    (void)err;
    es_str_cat(&line, style->plain ? "picture: " : "");
    name_picture(v, &line);
    if (style->plain) {
        es_str_add(out, "%s\n", line.s);
        if (f)
            es_figures_plain(&f->of, out);
    } else {
        es_str_cat(&line, ". ");
        if (f)
            es_figures_say(&f->of, &line);
        else
            es_str_cat(&line, "It is being measured: the line under the picture will say.");
        es_wrap(out, line.s, 0, style);
    }
    es_str_free(&line);
    return true;
}

static bool json_quality(es_json *j, void *data, bool values, es_error *err)
{
    const es_viewer *v = data;
    const es_figures *f = es_layouts_figures(v);
    (void)values;
    (void)err;
    es_json_key_string(j, "layout", es_layout_name(v->layout));
    es_figures_json(j, f ? &f->of : NULL);
    return true;
}

static bool read_effort(const es_call *call, es_quality_effort *effort, es_error *err)
{
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    *effort = found > 0 ? ES_QUALITY_ALL : ES_QUALITY_USUAL;
    bool ok = found >= 0;
    if (found > 0)
        ok = (!strcmp(es_str_text(&arg.value), "all") || es_cmd_stray(call, &arg, "all", err)) &&
             es_arg_end(call, at, err);
    es_str_free(&arg.value);
    return ok;
}

bool es_cmd_quality(es_call *call, es_error *err)
{
    static const es_kind kind = {"quality", show_quality, json_quality, NULL};
    es_viewer *v = es_viewer_of(call->session);
    es_quality_effort effort;
    if (!read_effort(call, &effort, err) || !has_map(v, call->sink, err))
        return false;
    es_layouts_measure(v, effort);
    bool ok = es_layouts_make(v, call->sink, err);
    es_session_touch(call->session);
    if (ok)
        es_call_answer(call, (es_result){.kind = &kind, .data = v});
    return ok;
}

/* ---- torn ---- */

/* What was asked: one token, or those that lost most. */
typedef struct answer {
    es_viewer *viewer;
    es_torn *of;
    int n;
    bool one;
} answer;

static void name_token(const answer *a, int32_t id, es_str *out)
{
    es_scene_token(out, a->viewer->atlas->context, id, COLUMNS);
}

static void name_some(const answer *a, const es_torn *t, bool pictured, es_str *out)
{
    int n = 0;
    for (int i = 0; i < t->n; i++)
        if (t->pictured[i] == pictured && n++ < TOLD) {
            es_str_cat(out, n > 1 ? ", " : " ");
            name_token(a, t->near[i], out);
        }
    es_str_cat(out, n > TOLD ? ", …" : "");
}

static void say_one(const answer *a, const es_torn *t, es_str *out)
{
    es_str_cat(out, "Of the ");
    es_str_add(out, "%d nearest of ", t->n);
    name_token(a, t->id, out);
    es_str_add(out, " %d %s near here too", t->kept, t->kept == 1 ? "is" : "are");
    es_str_cat(out, t->kept ? ":" : "");
    name_some(a, t, true, out);
    if (t->kept < t->n) {
        es_str_add(out, "; torn apart %s:", t->n - t->kept == 1 ? "is" : "are");
        name_some(a, t, false, out);
    }
    es_str_char(out, '.');
}

static void say_many(const answer *a, es_str *out)
{
    es_str_add(out, "Lines: the %d token%s that lost most:", a->n, a->n == 1 ? "" : "s");
    for (int i = 0; i < a->n && i < 2 * TOLD; i++) {
        es_str_cat(out, i ? ", " : " ");
        name_token(a, a->of[i].id, out);
        es_str_add(out, " %d of %d", a->of[i].kept, a->of[i].n);
    }
    es_str_cat(out, a->n > 2 * TOLD ? ", …" : ".");
}

/* All of them, where a sentence has the first few. */
static void plain_list(const answer *a, const es_torn *t, bool pictured, const char *title,
                       es_str *out)
{
    const char *between = title;
    for (int i = 0; i < t->n; i++)
        if (t->pictured[i] == pictured) {
            es_str_cat(out, between);
            es_scene_quote(out, a->viewer->atlas->context, t->near[i]);
            between = ", ";
        }
    es_str_cat(out, between == title ? "" : "\n");
}

static void plain_token(const answer *a, const es_torn *t, es_str *out)
{
    es_scene_quote(out, a->viewer->atlas->context, t->id);
    es_str_add(out, ": %d of %d kept\n", t->kept, t->n);
    if (a->one) {
        plain_list(a, t, true, "near here too: ", out);
        plain_list(a, t, false, "torn apart: ", out);
    }
}

static bool show_torn(es_str *out, void *data, const es_style *style, es_error *err)
{
    const answer *a = data;
    es_str line = {0};
    (void)err;
    for (int i = 0; style->plain && i < a->n; i++)
        plain_token(a, &a->of[i], out);
    if (a->one && a->n)
        say_one(a, a->of, &line);
    else if (a->n)
        say_many(a, &line);
    else if (a->viewer->torn && es_layouts_figures(a->viewer))
        es_str_cat(&line, "torn: no token here has neighbours");
    else if (a->viewer->torn)
        es_str_cat(&line, "Neighbours are being counted: lines come when the picture rests.");
    else
        es_str_cat(&line, "torn: off");
    if (!style->plain || !a->n)
        es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    return true;
}

static bool json_torn(es_json *j, void *data, bool values, es_error *err)
{
    const answer *a = data;
    (void)values;
    (void)err;
    es_json_key_string(j, "layout", es_layout_name(a->viewer->layout));
    es_json_key(j, "tokens");
    es_json_open(j, '[');
    for (int i = 0; i < a->n; i++) {
        const es_torn *t = &a->of[i];
        es_json_open(j, '{');
        es_json_key_int(j, "id", t->id);
        es_json_key_int(j, "kept", t->kept);
        es_json_key_int(j, "of", t->n);
        es_json_key(j, "torn");
        es_json_open(j, '[');
        for (int k = 0; k < t->n; k++)
            if (!t->pictured[k])
                es_json_int(j, t->near[k]);
        es_json_close(j, ']');
        es_json_close(j, '}');
    }
    es_json_close(j, ']');
    return true;
}

static void forget_torn(void *data)
{
    answer *a = data;
    free(a->of);
    free(a);
}

static void answer_with(es_call *call, es_viewer *v, const es_torn *of, int n, bool one)
{
    static const es_kind kind = {"torn", show_torn, json_torn, forget_torn};
    answer *a = es_alloc(sizeof *a);
    *a = (answer){v, es_alloc_array((size_t)n + 1, sizeof *of), n, one};
    if (n)
        memcpy(a->of, of, (size_t)n * sizeof *of);
    es_call_answer(call, (es_result){.kind = &kind, .data = a});
}

/* A search of wte for this token: the graph of all is not needed. */
static bool answer_token(es_call *call, es_viewer *v, int32_t id, es_error *err)
{
    es_layouts_look(v);
    const es_neighbours *near = es_neighbours_of(v, id);
    es_torn t = {.id = id, .n = near->n};
    if (near->why.len)
        return es_fail(err, ES_ERR_VALUE, "%s", near->why.s);
    for (int i = 0; i < near->n; i++) {
        t.near[i] = near->of[i].id;
        t.pictured[i] = near->of[i].pictured;
        t.kept += t.pictured[i];
    }
    answer_with(call, v, &t, 1, true);
    return true;
}

static bool answer_focus(es_call *call, es_viewer *v, es_error *err)
{
    int64_t place;
    int32_t id = es_viewer_focus(v, &place);
    if (id >= 0)
        return answer_token(call, v, id, err);
    es_fail(err, ES_ERR_VALUE, "no token is in focus, there is no text yet");
    return es_hint(err, "try: :torn \" cat\", or :torn 20");
}

static bool tear(es_call *call, es_viewer *v, int n, es_error *err)
{
    int before = v->torn, found;
    v->torn = n;
    if (!es_layouts_make(v, call->sink, err)) {
        v->torn = before;
        return false;
    }
    es_layouts_look(v);
    const es_torn *of = es_layouts_torn(v, &found);
    answer_with(call, v, of, found, false);
    return true;
}

static bool is_number(const es_arg *arg)
{
    const char *s = es_str_text(&arg->value);
    return !arg->quoted && *s && !s[strspn(s, "0123456789")];
}

static bool read_torn(es_call *call, es_viewer *v, const es_arg *arg, es_error *err)
{
    es_token_name name;
    int64_t n = 0;
    if (!arg->quoted && !strcmp(es_str_text(&arg->value), "off"))
        return tear(call, v, 0, err);
    if (is_number(arg))
        return es_arg_int(arg, "N of :torn", 1, ES_MOST_TORN, &n, err) &&
               tear(call, v, (int)n, err);
    if (!es_row_named(v, call, arg, &name, err))
        return false;
    v->focus = name.id;
    v->focus_place = -1;
    return answer_token(call, v, name.id, err);
}

bool es_cmd_torn(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    if (!has_map(v, call->sink, err))
        return false;
    int found = es_arg_next(call, &at, &arg, err);
    bool ok = found == 0 && answer_focus(call, v, err);
    if (found > 0)
        ok = es_arg_end(call, at, err) && read_torn(call, v, &arg, err);
    es_str_free(&arg.value);
    es_session_touch(call->session);
    return ok;
}
