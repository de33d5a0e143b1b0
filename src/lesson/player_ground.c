// SPDX-License-Identifier: GPL-3.0-or-later
/* Variables while a lesson is on: those of the lesson, those that the learner adds, and what becomes of them at each step. */
#include <stdlib.h>
#include <string.h>

#include "expr/interp.h"
#include "lesson/player_inside.h"
#include "session/tensor_mode.h"

static const es_value *value_of(const es_desk *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->of[i].name, name))
            return &d->of[i].value;
    return NULL;
}

/* wte, T, ids: a variable of that name would hide what lessons mean by it. */
static bool is_known_name(es_session *s, const char *name)
{
    const es_interp_host *host = es_interp_host_of(es_mode_interp(s));
    const char *known;
    for (size_t i = 0; host->name_at && (known = host->name_at(host->user, i)); i++)
        if (!strcmp(known, name))
            return true;
    return false;
}

/* The learner's own: neither the lesson has them here, nor had it where the learner comes from. */
static void bring_others(es_player *p, const es_desk *from, const es_desk *here)
{
    es_interp *in = es_mode_interp(p->session);
    for (size_t i = 0; i < from->n; i++) {
        const char *name = from->of[i].name;
        if (!value_of(here, name) && !value_of(&p->own, name) && !is_known_name(p->session, name))
            es_interp_set(in, name, strlen(name), es_value_ref(&from->of[i].value));
    }
}

/* What is there now and was not there before. */
static es_desk added_to(const es_desk *before, es_desk now)
{
    size_t n = 0;
    for (size_t i = 0; i < now.n; i++) {
        if (value_of(before, now.of[i].name)) {
            free(now.of[i].name);
            es_value_unref(&now.of[i].value);
        } else {
            now.of[n++] = now.of[i];
        }
    }
    now.n = n;
    return now;
}

/* Functions and modules are made anew each time, and none is ever the same as another. */
static bool is_data(const es_value *v)
{
    return v->kind <= ES_V_LIST || v->kind == ES_V_TENSOR;
}

static bool is_undone(es_player *p, const char *name, const es_value *was, const es_desk *here)
{
    const es_value *now = value_of(here, name);
    if (!now)
        return is_known_name(p->session, name);
    return is_data(was) && is_data(now) && !es_same_value(was, now, 0);
}

/* "T and ids are the lesson's again" */
static void say_undone(es_player *p, const es_desk *from, const es_desk *here, const es_sink *sink)
{
    es_str names = {0}, note = {0};
    int n = 0;
    for (size_t i = 0; i < from->n; i++)
        if (is_undone(p, from->of[i].name, &from->of[i].value, here))
            es_str_add(&names, "%s%s", n++ ? ", " : "", from->of[i].name);
    es_str_add(&note, "%s %s the lesson's again", es_str_text(&names), n == 1 ? "is" : "are");
    if (n)
        sink->note(sink->user, note.s, false);
    es_str_free(&names);
    es_str_free(&note);
}

bool es_player_ready(es_player *p, size_t step, es_going how, const es_sink *sink, es_error *err)
{
    es_session *s = p->session;
    es_session_abandon(s);
    es_desk from = es_desk_take(s), here = {0};
    p->busy++;
    bool ok = es_desk_ready(s, es_player_lesson(p), &p->drawn, step, err);
    p->busy--;
    if (!ok) {
        es_session_abandon(s);
        es_desk_put(s, &from);
        es_desk_free(&from);
        return false;
    }
    es_desk_free(&p->others);
    if (how != ES_GOING_ANEW) {
        here = es_desk_take(s);
        bring_others(p, &from, &here);
        p->others = added_to(&here, es_desk_take(s));
        if (how == ES_GOING_ON)
            say_undone(p, &from, &here, sink);
    }
    es_desk_free(&here);
    es_desk_free(&from);
    return true;
}

void es_player_keep_own(es_player *p)
{
    es_desk_free(&p->own);
    p->own = added_to(&p->others, es_desk_take(p->session));
}

es_desk es_player_as_own(es_player *p)
{
    es_desk was = es_desk_take(p->session);
    es_desk_put(p->session, &p->own);
    bring_others(p, &was, &p->own);
    return was;
}

void es_player_as_was(es_player *p, es_desk *was)
{
    es_desk_put(p->session, was);
    es_desk_free(was);
}

bool es_player_run(es_player *p, const char *code, bool text_mode, const es_sink *sink)
{
    es_session *s = p->session;
    es_source was = es_session_source(s);
    es_ear ear;
    es_ear_open(&ear, NULL);
    ear.sink = *sink;
    es_session_set_source(s, (es_source){0});
    p->busy++;
    bool ok = es_desk_run(s, &p->drawn, code, text_mode, &ear);
    p->busy--;
    es_session_set_source(s, was);
    es_ear_close(&ear);
    return ok;
}
