// SPDX-License-Identifier: GPL-3.0-or-later
/* :window, :show and :export: a picture on the screen, in the terminal, in a file. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/visible.h"
#include "session/numbers.h"
#include "session/results.h"
#include "view/cmd.h"
#include "view/coordinates.h"
#include "view/lesson_pictures.h"
#include "view/module.h"
#include "view/picture.h"

/* ---- window ---- */

static bool show_window(es_str *out, void *data, const es_style *style, es_error *err)
{
    const es_viewer *v = data;
    (void)err;
    es_wrap(out, v->window ? "window: on" : "window: off, :window on opens it", 0, style);
    return true;
}

static bool json_window(es_json *j, void *data, bool values, es_error *err)
{
    const es_viewer *v = data;
    (void)values;
    (void)err;
    es_json_key_string(j, "state", v->window ? "on" : "off");
    return true;
}

static void answer_window(es_call *call, es_viewer *v)
{
    static const es_kind kind = {"window", show_window, json_window, NULL};
    es_call_answer(call, (es_result){.kind = &kind, .data = v});
}

static void close_window(es_viewer *v)
{
    if (v->window)
        v->module->close(v->window);
    v->window = NULL;
}

/* Nobody turns its loop while lines come from a script. */
static bool open_window(es_viewer *v, es_error *err)
{
    if (v->window)
        return true;
    if (!es_session_person(v->session)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "a window needs a person at a terminal");
        es_hint(err, "try: :show %s draws it here, in characters",
                es_view_kind_at((int)v->view)->name);
        return es_hint(err, "or: :export FILE.png, :export FILE.svg writes what a window shows");
    }
    if (!v->module && !(v->module = es_module_load(v, err)))
        return false;
    v->window = v->module->open(v, err);
    return v->window != NULL;
}

static bool set_window(es_viewer *v, const char *word, es_error *err)
{
    bool full = !strcmp(word, "full");
    if (!strcmp(word, "off")) {
        close_window(v);
        return true;
    }
    return open_window(v, err) && v->module->full(v->window, full, err);
}

bool es_cmd_window(es_call *call, es_error *err)
{
    static const char words[] = "on off full";
    es_viewer *v = es_viewer_of(call->session);
    es_arg arg = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &arg, err);
    if (found == 0)
        answer_window(call, v);
    if (found <= 0)
        return found == 0;
    const char *word = es_str_text(&arg.value);
    bool known = !strcmp(word, "on") || !strcmp(word, "off") || !strcmp(word, "full");
    bool ok = known ? es_arg_end(call, at, err) && set_window(v, word, err)
                    : es_cmd_stray(call, &arg, words, err);
    if (ok)
        es_cmd_done(call);
    es_str_free(&arg.value);
    return ok;
}

/* ---- show ---- */

/* Lines of a picture that is so many columns wide and stands under a caption: a cell is twice as high as wide. */
static int lines_for(const es_style *style, int caption)
{
    enum { LEAST = 9, MOST = 60 };
    enum {
        AROUND = 6,
        AROUND_BIG = 8
    }; /* the line below it, of at most 4, the prompt's, a class's question */
    int lines = style->width * 3 / 10, around = caption + (style->big ? AROUND_BIG : AROUND);
    if (style->height && lines > style->height - around)
        lines = style->height - around;
    return lines < LEAST ? LEAST : lines > MOST ? MOST : lines;
}

static bool show_picture(es_str *out, void *data, const es_style *style, es_error *err)
{
    es_viewer *v = data;
    size_t before = out->len;
    int caption = 0;
    (void)err;
    es_lesson_caption_text(v, out, style);
    for (size_t i = before; i < out->len; i++)
        caption += out->s[i] == '\n';
    if (style->plain)
        es_view_kind_at((int)v->view)->plain(v, out);
    else
        es_picture_text(v, out, lines_for(style, caption), style);
    return true;
}

static bool json_picture(es_json *j, void *data, bool values, es_error *err)
{
    es_viewer *v = data;
    const es_view_kind *kind = es_view_kind_at((int)v->view);
    (void)values;
    (void)err;
    es_json_key_string(j, "view", kind->name);
    es_lesson_caption_json(v, j);
    kind->json(v, j);
    return true;
}

static void answer_views(es_call *call, const es_viewer *v)
{
    static const char *const columns[] = {"view", "key", "shown", "summary"};
    static const es_kind kind = {"show", es_list_show, es_list_json, es_list_forget};
    es_list l = {.key = "views", .align = "lllw", .columns = columns};
    const es_view_kind *view;
    for (int i = 0; (view = es_view_kind_at(i)); i++) {
        es_list_add(&l, "%s", view->name);
        es_list_add(&l, "F%d", i + 1);
        es_list_add(&l, "%s", i == (int)v->view ? "shown" : "");
        es_list_add(&l, "%s%s%s", view->summary, *view->args ? "; with " : "", view->args);
    }
    es_call_answer(call, es_result_list(&kind, &l));
}

/* With a window the picture is there; what it needs is made behind it. */
bool es_cmd_answer_picture(es_call *call, es_viewer *v, es_error *err)
{
    static const es_kind kind = {"show", show_picture, json_picture, NULL};
    es_session_touch(call->session);
    if (v->window) {
        es_call_answer(call, es_result_none());
        return true;
    }
    if (!es_viewer_make(v, call->sink, err))
        return false;
    es_call_answer(call, (es_result){.kind = &kind, .data = v});
    return true;
}

bool es_cmd_picture(es_call *call, es_viewer *v, es_view_id view, es_error *err)
{
    es_view_id before = v->view;
    int lesson = v->lesson;
    if (view != before) {
        v->moved_at = 0; /* another view's camera does not travel from this one's */
        v->lesson = 0;   /* nor is a teaching picture's caption about it */
    }
    v->view = view;
    if (es_cmd_answer_picture(call, v, err))
        return true;
    v->view = before;
    v->lesson = lesson;
    return false;
}

static bool read_view(es_call *call, es_viewer *v, const es_arg *name, size_t at, es_view_id *view,
                      es_error *err)
{
    if (!es_view_named(view, es_str_text(&name->value), name->value.len, err))
        return es_error_locate(err, name->begin, name->end);
    const es_view_kind *kind = es_view_kind_at((int)*view);
    return kind->arguments ? kind->arguments(v, call, at, err) : es_arg_end(call, at, err);
}

bool es_cmd_show(es_call *call, es_error *err)
{
    es_viewer *v = es_viewer_of(call->session);
    es_view_id view;
    es_arg name = {0};
    size_t at = call->args;
    int found = es_arg_next(call, &at, &name, err);
    es_viewer_follow(v);
    if (found == 0)
        answer_views(call, v);
    if (found <= 0)
        return found == 0;
    int lesson = v->lesson;
    bool ok = read_view(call, v, &name, at, &view, err);
    if (ok) {
        v->lesson = 0;
        ok = es_cmd_picture(call, v, view, err);
        v->lesson = ok ? 0 : lesson;
    }
    es_str_free(&name.value);
    return ok;
}

/* ---- export ---- */

typedef struct exported {
    es_viewer *v;
    es_str path;
    es_picture_form form;
    int w, h; /* of a picture */
    bool sized;
} exported;

static void show_numbers(es_viewer *v, es_str *line)
{
    es_coordinates c;
    if (!es_coordinates_of(v, &c, NULL))
        return;
    es_str_cat(line, ": ");
    es_show_count(line, c.n);
    es_str_add(line, " row%s of %d numbers", c.n == 1 ? "" : "s", c.d);
}

static bool show_exported(es_str *out, void *data, const es_style *style, es_error *err)
{
    const exported *e = data;
    es_str line = {0};
    (void)err;
    es_show_prose(&line, e->path.s, e->path.len);
    if (es_picture_has_size(e->form, NULL))
        es_str_add(&line, ": %d x %d", e->w, e->h);
    else
        show_numbers(e->v, &line);
    es_wrap(out, line.s, 0, style);
    es_str_free(&line);
    return true;
}

static bool json_exported(es_json *j, void *data, bool values, es_error *err)
{
    const exported *e = data;
    (void)values;
    (void)err;
    es_json_key(j, "path");
    es_json_text(j, e->path.s, e->path.len);
    es_picture_json(j, e->v, e->path.s, e->w, e->h);
    return true;
}

static void forget_exported(void *data)
{
    es_str_free(&((exported *)data)->path);
    free(data);
}

static bool read_size(es_call *rest, exported *e, es_error *err)
{
    es_arg value = {0};
    e->sized = es_arg_cut_option(rest, "size=", &value);
    if (!e->sized)
        return true;
    bool ok = es_picture_size(es_str_text(&value.value), &e->w, &e->h, err) ||
              es_error_locate(err, value.begin, value.end);
    es_str_free(&value.value);
    return ok;
}

static bool write_picture(es_call *call, es_viewer *v, exported *e, es_error *err)
{
    es_call rest = *call;
    if (es_arg_end(call, call->args, NULL))
        return es_call_usage(call, err);
    if (!read_size(&rest, e, err) || !es_arg_path(&rest, rest.args, &e->path, err))
        return false;
    bool ok = es_picture_form_of(&e->form, e->path.s, err) &&
              (!e->sized || es_picture_has_size(e->form, err)) &&
              es_picture_write(v, e->path.s, e->w, e->h, call->sink, err);
    return ok || es_error_locate(err, rest.args, rest.len);
}

bool es_cmd_export(es_call *call, es_error *err)
{
    static const es_kind kind = {"export", show_exported, json_exported, forget_exported};
    es_viewer *v = es_viewer_of(call->session);
    exported *e = es_alloc(sizeof *e);
    *e = (exported){.v = v, .w = ES_PICTURE_W, .h = ES_PICTURE_H};
    bool ok = write_picture(call, v, e, err);
    if (ok)
        es_call_answer(call, (es_result){.kind = &kind, .data = e});
    else
        forget_exported(e);
    return ok;
}
