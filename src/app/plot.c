// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/plot.h"

#include <stdlib.h>
#include <string.h>

#include "app/signals.h"
#include "app/status.h"
#include "base/visible.h"
#include "session/model_notes.h"
#include "view/axes.h"
#include "view/layouts.h"
#include "view/lesson_pictures.h"
#include "view/picture.h"

/* What is to be drawn, and what came of it. */
typedef struct plot {
    const char *path, *text; /* text NULL: the tables alone */
    const char *axes;        /* NULL: the usual ones */
    int picture;             /* 0: none */
    es_view_id view;
    es_layout_id layout;
    int w, h;
    es_viewer *viewer; /* while it is drawn */
} plot;

static bool read_layout(plot *p, const char *name, es_error *err)
{
    es_str shown = {0};
    for (int i = 0; i < ES_N_LAYOUTS; i++)
        if (!strcmp(name, es_layout_name((es_layout_id)i))) {
            p->layout = (es_layout_id)i;
            return p->view == ES_VIEW_MAP ||
                   es_fail(err, ES_ERR_USAGE, "--layout is of the map, and --view is %s",
                           es_view_kind_at((int)p->view)->name);
        }
    es_show_brief(&shown, name, strlen(name));
    es_fail(err, ES_ERR_USAGE, "--layout is pca, tsne or umap, not %s", shown.s);
    es_str_free(&shown);
    return false;
}

static bool axes_fit(const plot *p, es_error *err)
{
    return !p->axes || p->view == ES_VIEW_AXES ||
           es_fail(err, ES_ERR_USAGE, "--axes are of the view axes, and --view is %s",
                   es_view_kind_at((int)p->view)->name);
}

static bool read_picture(plot *p, const char *number, es_error *err)
{
    es_str shown = {0};
    char *end;
    long n = strtol(number, &end, 10);
    if (*number >= '0' && *number <= '9' && !*end && n <= ES_LESSON_PICTURES &&
        es_lesson_picture_at((int)n)) {
        p->picture = (int)n;
        return true;
    }
    es_show_brief(&shown, number, strlen(number));
    es_fail(err, ES_ERR_USAGE, "--picture is a number from 1 to %d, not %s", ES_LESSON_PICTURES,
            shown.s);
    es_str_free(&shown);
    return es_hint(err, "embedscope -c :picture lists them");
}

static bool read_options(plot *p, const es_options *o, es_error *err)
{
    es_picture_form form;
    *p = (plot){.path = o->output,
                .text = o->text,
                .axes = o->axes,
                .view = o->axes ? ES_VIEW_AXES : ES_VIEW_MAP,
                .layout = ES_LAYOUT_PCA,
                .w = ES_PICTURE_W,
                .h = ES_PICTURE_H};
    bool ok = (!o->view || es_view_named(&p->view, o->view, strlen(o->view), err)) &&
              (!o->layout || read_layout(p, o->layout, err)) && axes_fit(p, err) &&
              (!o->picture || read_picture(p, o->picture, err)) &&
              (!o->size || es_picture_size(o->size, &p->w, &p->h, err)) &&
              es_picture_form_of(&form, p->path, err) &&
              (!o->size || es_picture_has_size(form, err));
    if (!ok)
        err->code = ES_ERR_USAGE; /* these are the command line's own words */
    return ok;
}

/* Pictures show the places that a text too long for its positions has, and say how many it has not. */
static bool read_text(const plot *p, es_session *s, const es_sink *sink, es_error *err)
{
    const size_t len = strlen(p->text);
    es_error why = ES_ERROR_NONE;
    es_text *t = es_session_read(s, &p->text, &len, 1, sink, err);
    if (!t)
        return false;
    if (!es_text_guard(t, &why) && why.code == ES_ERR_CONTEXT_OVERFLOW)
        sink->note(sink->user, why.message, false);
    es_error_free(&why);
    es_session_keep(s, t);
    return true;
}

/* ---- what is answered: nothing, but in JSON ---- */

static bool show(es_str *out, void *data, const es_style *style, es_error *err)
{
    (void)out;
    (void)data;
    (void)style;
    (void)err;
    return true;
}

static bool json(es_json *j, void *data, bool values, es_error *err)
{
    const plot *p = data;
    (void)values;
    (void)err;
    es_json_key_string(j, "path", p->path);
    es_json_key_string(j, "view", es_view_kind_at((int)p->view)->name);
    if (p->picture)
        es_json_key_int(j, "picture", p->picture);
    if (p->view == ES_VIEW_MAP)
        es_json_key_string(j, "layout", es_layout_name(p->layout));
    es_picture_json(j, p->viewer, p->path, p->w, p->h);
    return true;
}

static const es_kind kind = {"plot", show, json, NULL};

/* ---- the verb ---- */

/* What is no axis in any vocabulary is wrong usage. */
static bool choose_axes(const plot *p, es_viewer *v, const es_sink *sink, es_error *err)
{
    es_str shown = {0};
    if (es_axes_option(v, p->axes, sink, err))
        return true;
    if (err->code == ES_ERR_PARSE)
        err->code = ES_ERR_USAGE;
    else if (err->code == ES_ERR_USAGE) { /* the form of :axes is not this one's */
        es_error_free(err);
        es_show_brief(&shown, p->axes, strlen(p->axes));
        es_fail(err, ES_ERR_USAGE, "--axes are he,she;man,men or king-man+woman, not %s", shown.s);
    }
    es_str_free(&shown);
    return false;
}

static int status_of(const es_error *err)
{
    return err->code == ES_ERR_INTERRUPTED ? ES_STATUS_INTERRUPTED
           : err->code == ES_ERR_USAGE     ? ES_STATUS_USAGE
                                           : ES_STATUS_FAILED;
}

static int draw(plot *p, es_session *s, uint64_t seed, const es_sink *sink, es_error *err)
{
    es_viewer *v = es_viewer_new(s);
    v->view = p->view;
    p->viewer = v;
    v->seed = seed;
    es_layouts_show(v, p->layout);
    es_note_model(s, sink);
    bool ok = (!p->text || read_text(p, s, sink, err)) &&
              (!p->axes || choose_axes(p, v, sink, err)) &&
              (!p->picture || es_lesson_picture_show(v, p->picture, sink, err)) &&
              es_picture_write(v, p->path, p->w, p->h, sink, err);
    p->view = v->view;
    es_result answer = {&kind, p};
    if (ok)
        sink->result(sink->user, &answer);
    es_viewer_free(v);
    return ok ? ES_STATUS_OK : status_of(err);
}

int es_plot(es_options *o, es_output *out, es_error *err)
{
    plot p;
    if (!read_options(&p, o, err))
        return ES_STATUS_USAGE;
    es_signals_catch_interrupt();
    o->session.interrupt = es_signals_interrupt();
    es_session *s = es_session_new(&o->session, err);
    if (!s)
        return es_status_of_session(err, o->session.device);
    const es_sink sink = es_output_sink(out);
    out->session = s;
    int status = draw(&p, s, o->session.seed, &sink, err);
    out->session = NULL;
    es_session_free(s);
    return status == ES_STATUS_OK && (out->failed || out->broken) ? ES_STATUS_FAILED : status;
}
