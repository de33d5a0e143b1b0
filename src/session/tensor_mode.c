// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/tensor_mode.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "session/host_files.h"
#include "session/host_names.h"
#include "session/host_texts.h"
#include "session/results.h"
#include "session/show_value.h"
#include "session/state.h"

enum { MOST_PRINTED = 1 << 24 /* bytes kept for an answer */ };

struct es_mode {
    es_session *session;
    es_interp *interp;
    es_host_names names;
    es_watch watch;

    es_call *call;   /* whose statements run; &outside between them, */
    es_call outside; /* for a __repr__ of the reader's own, say, that :vars asks for a line */
    es_take_fn take; /* NULL: values are answers */
    void *taker;
    es_str printed; /* since the last answer, where nobody takes it as it comes */
};

/* ---- answers ---- */

static void answer(es_mode *m, const es_value *v)
{
    es_str memory = {0};
    if (v->kind == ES_V_TENSOR)
        es_mode_memory(m->session, es_value_as_tensor(v), &memory);
    es_str nothing = {0};
    es_result r = es_result_value(m->interp, v, m->take ? &nothing : &m->printed, &memory);
    if (m->take)
        m->take(m->taker, r);
    else
        es_call_answer(m->call, r);
}

static void on_value(void *user, const es_value *v, bool quiet)
{
    es_mode *m = user;
    const es_value nothing = es_none();
    answer(m, quiet ? &nothing : v);
}

static void on_print(void *user, const char *bytes, size_t n)
{
    es_mode *m = user;
    const es_sink *sink = m->call->sink;
    size_t room = MOST_PRINTED - m->printed.len;
    if (sink->print)
        sink->print(sink->user, bytes, n);
    else
        es_str_bytes(&m->printed, bytes, n < room ? n : room);
}

static void on_note(void *user, const char *text)
{
    const es_mode *m = user;
    m->call->sink->note(m->call->sink->user, text, false);
}

static es_backend *on_device(void *user, const char *name, es_error *err)
{
    return es_session_device(((es_mode *)user)->session, name, err);
}

/* ---- texts and files ---- */

static bool on_encode(void *user, const es_value *text, es_tensor *out, es_error *err)
{
    const es_mode *m = user;
    return es_host_encode(m->interp, m->call, text, out, err);
}

static bool on_decode(void *user, const es_value *ids, es_str *out, es_error *err)
{
    const es_mode *m = user;
    return es_host_decode(m->interp, m->session, ids, out, err);
}

static bool on_load(void *user, const es_value *path, es_backend *be, es_value *out, es_error *err)
{
    return es_host_load(((es_mode *)user)->interp, path, be, out, err);
}

static bool on_fromfile(void *user, const es_value *path, const es_plain_numbers *numbers,
                        es_value *out, es_error *err)
{
    return es_host_fromfile(((es_mode *)user)->interp, path, numbers, out, err);
}

static bool on_save(void *user, const es_value *v, const es_value *path, es_error *err)
{
    return es_host_save(((es_mode *)user)->interp, v, path, err);
}

/* ---- beginning and end ---- */

static int on_name(void *user, const char *name, size_t n, es_value *out, es_error *err)
{
    return es_host_name(&((es_mode *)user)->names, name, n, out, err);
}

static const char *on_name_at(void *user, size_t i)
{
    (void)user;
    return es_host_name_at(i);
}

/* Of one tensor: a quarter of the machine's memory, 2 GiB at most. */
static int64_t most_bytes(void)
{
    const int64_t most = (int64_t)2 << 30;
    int64_t pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    int64_t quarter = pages > 0 && page > 0 ? pages / 4 * page : most;
    return quarter < most ? quarter : most;
}

static es_mode *mode_of(es_session *s)
{
    if (s->mode)
        return s->mode;
    es_mode *m = es_alloc(sizeof *m);
    const es_interp_host host = {.user = m,
                                 .name = on_name,
                                 .name_at = on_name_at,
                                 .value = on_value,
                                 .print = on_print,
                                 .note = on_note,
                                 .encode = on_encode,
                                 .decode = on_decode,
                                 .device = on_device,
                                 .load = on_load,
                                 .fromfile = on_fromfile,
                                 .save = on_save};
    m->session = s;
    m->outside = (es_call){.session = s, .sink = &es_sink_silent};
    m->call = &m->outside;
    m->names.session = s;
    m->watch.stop = s->interrupt;
    m->interp = es_interp_new(&host, s->be);
    es_torch *k = es_interp_torch(m->interp);
    k->watch = &m->watch;
    k->most_bytes = most_bytes();
    s->mode = m;
    return m;
}

es_interp *es_mode_interp(es_session *s)
{
    return mode_of(s)->interp;
}

const es_host_names *es_mode_names(const es_session *s)
{
    return &s->mode->names;
}

void es_mode_forget_picture(es_session *s, const char *name)
{
    if (s->mode)
        es_host_names_forget_picture(&s->mode->names, name);
}

void es_mode_forget_text(es_session *s)
{
    if (s->mode)
        es_host_names_forget_text(&s->mode->names);
}

void es_mode_forget_model(es_session *s)
{
    if (s->mode)
        es_host_names_forget(&s->mode->names);
}

void es_mode_use_device(es_session *s)
{
    if (s->mode)
        es_interp_torch(s->mode->interp)->be = s->be;
}

void es_mode_look_after_device(es_session *s, const es_sink *sink)
{
    es_str note = {0};
    es_torch *k = s->mode ? es_interp_torch(s->mode->interp) : NULL;
    if (!k || !k->be->lost)
        return;
    es_str_add(&note, "the device %s has failed: new tensors are made on the %s again", k->be->name,
               s->be->name);
    sink->note(sink->user, note.s, false);
    es_str_free(&note);
    es_mode_use_device(s);
}

void es_mode_clear(es_session *s)
{
    if (!s->mode)
        return;
    es_interp_clear(s->mode->interp);
    es_host_names_forget(&s->mode->names);
}

void es_mode_free(es_mode *m)
{
    if (!m)
        return;
    es_interp_free(m->interp);
    es_host_names_forget(&m->names);
    es_str_free(&m->printed);
    free(m);
}

/* ---- running ---- */

bool es_mode_shift(es_error *err, size_t begin)
{
    if (err && err->begin >= 0) {
        err->begin += (ptrdiff_t)begin;
        err->end += (ptrdiff_t)begin;
        err->op_begin += (ptrdiff_t)begin;
        err->op_end += (ptrdiff_t)begin;
    }
    return false;
}

es_unit *es_mode_parse(const es_call *call, size_t begin, es_error *err)
{
    es_source source = es_session_source(call->session);
    es_unit *unit = es_parse(call->line + begin, call->len - begin, err);
    if (!unit)
        es_mode_shift(err, begin);
    else if (source.name)
        es_unit_stands_in(unit, source.name, source.line);
    return unit;
}

/* The string if that is all there is, or NULL. */
static const es_node *lone_string(const es_unit *unit)
{
    const es_node *root = unit->root;
    if (root->n_kids != 1 || root->kid[0]->kind != ES_N_EXPR || root->kid[0]->quiet)
        return NULL;
    const es_node *string = root->kid[0]->kid[0];
    return string->kind == ES_N_STRING ? string : NULL;
}

/* In a .py file, or in three quotes with other lines around it: it says what these are for, and is no text to look
 * at. */
static bool is_docstring(const es_session *s, const es_unit *unit, const es_node *string)
{
    const char *quote = unit->source + string->begin;
    if (s->source.python)
        return true;
    return (s->source.name || s->paste == ES_PASTED) && string->end - string->begin >= 6 &&
           quote[0] == quote[1] && quote[1] == quote[2];
}

static bool run_text(es_call *call, const es_unit *unit, const es_node *string, es_error *err)
{
    if (is_docstring(call->session, unit, string)) {
        es_call_answer(call, es_result_none());
        return true;
    }
    es_text *t = es_session_read(call->session, &string->text, &string->n_text, 1, call->sink, err);
    return t && es_session_show(call, t, err);
}

static es_mode *begin_run(es_call *call)
{
    es_mode *m = mode_of(call->session);
    es_torch *k = es_interp_torch(m->interp);
    k->strict = m->session->settings.strict;
    k->shapes_only = m->session->settings.shapes_only;
    m->call = call;
    return m;
}

es_interp *es_mode_enter(es_call *call, es_take_fn take, void *user)
{
    es_mode *m = begin_run(call);
    m->take = take;
    m->taker = user;
    return m->interp;
}

void es_mode_leave(es_session *s, es_str *printed)
{
    es_mode *m = s->mode;
    *printed = m->printed;
    m->printed = (es_str){0};
    m->take = NULL;
    m->call = &m->outside;
}

bool es_mode_run(es_call *call, size_t begin, es_error *err)
{
    es_unit *unit = es_mode_parse(call, begin, err);
    if (!unit)
        return false;
    const es_node *string = es_session_stepping(call->session) ? NULL : lone_string(unit);
    if (string) {
        bool shown = run_text(call, unit, string, err);
        es_unit_unref(unit);
        return shown;
    }
    es_mode *m = begin_run(call);
    bool ok = es_interp_run(m->interp, unit, err);
    if (!ok && m->printed.len)
        call->partial = es_result_printed(&m->printed);
    es_str_free(&m->printed);
    m->call = &m->outside;
    es_unit_unref(unit);
    return ok || es_mode_shift(err, begin);
}

bool es_mode_type(es_call *call, size_t begin, es_error *err)
{
    es_unit *unit = es_mode_parse(call, begin, err);
    if (!unit)
        return false;
    es_mode *m = begin_run(call);
    es_value v = es_none();
    bool ok = es_interp_type(m->interp, unit, &v, err);
    if (ok)
        es_call_answer(call, es_result_type(m->interp, &v));
    es_value_unref(&v);
    es_str_free(&m->printed);
    m->call = &m->outside;
    es_unit_unref(unit);
    return ok || es_mode_shift(err, begin);
}
