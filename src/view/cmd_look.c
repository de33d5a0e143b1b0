// SPDX-License-Identifier: GPL-3.0-or-later
/* :camera, :components and :labels: how a picture is looked at. */
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/layouts.h"
#include "view/map.h"

enum { MOST_LABELS = 5000 };
#define FAR 1e9 /* of the camera's middle, in radii of the picture */

/* ---- camera ---- */

static void camera_words(const es_camera *c, es_str *out)
{
    es_str_add(out, "x=%.6g y=%.6g zoom=%.6g", c->x, c->y, c->zoom);
    if (c->solid)
        es_str_add(out, " turn=%.6g tilt=%.6g 3d", c->turn, c->tilt);
}

void es_camera_line(const es_viewer *v, es_str *out)
{
    es_str_cat(out, ":camera ");
    camera_words(&v->camera[v->view], out);
}

static void answer_camera(es_call *call, const es_viewer *v)
{
    static const es_kind kind = {"camera", es_said_show, es_said_json, es_said_forget};
    const es_camera *c = &v->camera[v->view];
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"x", c->x}, {"y", c->y}, {"zoom", c->zoom}, {"turn", c->turn}, {"tilt", c->tilt}};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    es_str_add(&said->line, "camera of %s: ", es_view_kind_at((int)v->view)->name);
    camera_words(c, &said->line);
    es_str_cat(&said->line, c->solid ? "" : " 2d");
    es_json_key_string(&j, "view", es_view_kind_at((int)v->view)->name);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        es_json_key(&j, numbers[i].name);
        es_json_double(&j, numbers[i].value);
    }
    es_json_key(&j, "solid");
    es_json_bool(&j, c->solid);
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

static bool set_space(const es_viewer *v, const es_view_kind *kind, es_camera *c, const es_arg *arg,
                      es_error *err)
{
    c->solid = es_str_text(&arg->value)[0] == '3';
    if (c->solid && v->view == ES_VIEW_MAP && v->layout != ES_LAYOUT_PCA)
        return es_layouts_flat(v, arg, err);
    if (!c->solid || kind->solid)
        return true;
    es_fail(err, ES_ERR_VALUE, "%s is a picture in the plane, not in space", kind->name);
    return es_error_locate(err, arg->begin, arg->end);
}

/* "zoom=2.5"; false with err unset: it is no such word. */
static bool set_number(es_camera *c, const es_arg *arg, bool *known, es_error *err)
{
    const struct {
        const char *name;
        double *to, low, high;
    } numbers[] = {
        {"x", &c->x, -FAR, FAR},
        {"y", &c->y, -FAR, FAR},
        {"zoom", &c->zoom, ES_MIN_ZOOM, ES_MAX_ZOOM},
        {"turn", &c->turn, -360, 360},
        {"tilt", &c->tilt, -90, 90},
    };
    const char *word = es_str_text(&arg->value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t n = strlen(numbers[i].name);
        if (strncmp(word, numbers[i].name, n) || word[n] != '=')
            continue;
        *known = true;
        return es_cmd_number(arg, n + 1, arg->value.len, numbers[i].name, numbers[i].low,
                             numbers[i].high, numbers[i].to, err);
    }
    *known = false;
    return false;
}

/* All of the picture; of the map what is picked out, where all else is faded or hidden. */
static bool fit(const es_call *call, es_camera *c, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    c->x = c->y = 0;
    c->zoom = 1;
    if (v->view != ES_VIEW_MAP || v->others == ES_OTHERS_SHOWN)
        return true;
    if (!es_viewer_make(v, call->sink, err))
        return false;
    es_map_look_at_isolated(v, c);
    return true;
}

static bool read_camera_word(const es_call *call, const es_view_kind *kind, es_camera *c,
                             const es_arg *arg, es_error *err)
{
    static const char words[] = "fit x= y= zoom= turn= tilt= 2d 3d";
    const char *word = es_str_text(&arg->value);
    bool known;
    if (!strcmp(word, "2d") || !strcmp(word, "3d"))
        return set_space(es_viewer_of(call->session), kind, c, arg, err);
    if (!strcmp(word, "fit"))
        return fit(call, c, err);
    bool ok = set_number(c, arg, &known, err);
    return known ? ok : es_cmd_stray(call, arg, words, err);
}

static bool read_camera(const es_call *call, const es_view_kind *kind, es_camera *c, es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int found;
    while ((found = es_arg_next(call, &at, &arg, err)) > 0) {
        bool ok = read_camera_word(call, kind, c, &arg, err);
        es_str_free(&arg.value);
        if (!ok)
            return false;
    }
    return found == 0;
}

void es_cmd_move_camera(es_viewer *v, es_camera *to)
{
    es_camera_round(to);
    if (es_camera_same(to, &v->camera[v->view]))
        return;
    if (to->solid == v->camera[v->view].solid)
        es_viewer_depart(v);
    else
        v->moved_at = 0; /* between the plane and space there is no way */
    v->camera[v->view] = *to;
}

bool es_cmd_camera(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    es_camera to = v->camera[v->view];
    if (!kind->flat && !kind->solid) {
        es_fail(err, ES_ERR_VALUE, "%s has no camera: it is always seen whole", kind->name);
        return es_hint(err, "try: :show map");
    }
    if (es_arg_end(call, call->args, NULL)) {
        answer_camera(call, v);
        return true;
    }
    if (!read_camera(call, kind, &to, err))
        return false;
    es_cmd_move_camera(v, &to);
    es_cmd_done(call);
    return true;
}

/* ---- components ---- */

static void answer_components(es_call *call, const es_viewer *v)
{
    static const es_kind kind = {"components", es_said_show, es_said_json, es_said_forget};
    es_said *said = es_alloc(sizeof *said);
    es_json j = {.out = &said->fields};
    int n = es_viewer_components(v);
    es_str_cat(&said->line, "components of the map:");
    es_json_key(&j, "components");
    es_json_open(&j, '[');
    for (int i = 0; i < n; i++) {
        es_str_add(&said->line, " %d", v->component[i] + 1);
        es_json_int(&j, v->component[i] + 1);
    }
    es_json_close(&j, ']');
    es_call_answer(call, (es_result){.kind = &kind, .data = said});
}

/* Up to three numbers from 1 to most, each another; returns how many, -1 with err set. */
static int read_components(const es_call *call, int64_t most, int to[3], es_error *err)
{
    es_arg arg;
    size_t at = call->args;
    int n = 0, found = 0;
    while (n < 3 && (found = es_arg_next(call, &at, &arg, err)) > 0) {
        int64_t one = 0;
        bool ok = es_arg_int(&arg, "a component", 1, most, &one, err);
        for (int i = 0; ok && i < n; i++)
            if (to[i] == one - 1) {
                ok = es_fail(err, ES_ERR_VALUE, "component %d stands there twice", (int)one);
                es_error_locate(err, arg.begin, arg.end);
            }
        es_str_free(&arg.value);
        if (!ok)
            return -1;
        to[n++] = (int)one - 1;
    }
    return found < 0 || !es_arg_end(call, at, err) ? -1 : n;
}

bool es_cmd_components(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    int64_t C = es_session_context(call->session)->model->config.n_embd;
    int to[3];
    if (es_arg_end(call, call->args, NULL)) {
        answer_components(call, v);
        return true;
    }
    int n = read_components(call, C < ES_ATLAS_COMPONENTS ? C : ES_ATLAS_COMPONENTS, to, err);
    if (n < 0)
        return false;
    if (n == 1)
        return es_call_usage(call, err);
    memcpy(v->component, to, (size_t)n * sizeof *to);
    v->layout = ES_LAYOUT_PCA;
    v->moved_at = 0; /* the points are elsewhere now, and the camera is not */
    v->camera[ES_VIEW_MAP].solid = n == 3;
    es_cmd_done(call);
    return true;
}

/* ---- labels ---- */

bool es_cmd_labels(es_call *call, es_error *err)
{
    static const es_kind kind = {"labels", es_said_show, es_said_json, es_said_forget};
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int64_t most = 0;
    int found = es_arg_next(call, &at, &arg, err);
    if (found == 0) {
        es_said *said = es_alloc(sizeof *said);
        es_json j = {.out = &said->fields};
        es_str_add(&said->line, "labels: %d at most", v->most_labels);
        es_json_key_int(&j, "most", v->most_labels);
        es_call_answer(call, (es_result){.kind = &kind, .data = said});
    }
    if (found <= 0)
        return found == 0;
    bool ok =
        es_arg_int(&arg, "N of :labels", 0, MOST_LABELS, &most, err) && es_arg_end(call, at, err);
    es_str_free(&arg.value);
    if (!ok)
        return false;
    v->most_labels = (int)most;
    es_cmd_done(call);
    return true;
}
