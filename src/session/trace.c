// SPDX-License-Identifier: GPL-3.0-or-later
/* A walk through statements without a stop. */
#include <stdlib.h>

#include "base/mem.h"
#include "session/step.h"
#include "session/steps.h"

enum { MOST_TRACED = 2000 };

typedef struct tracer {
    es_interp *in;
    es_steps steps;
    size_t *begun; /* places of the lines under way in steps, the innermost last */
    size_t n, cap;
    uint64_t hidden;
    es_result value;
} tracer;

static void add_traced(tracer *t, const es_moment *m)
{
    es_step s = es_step_of(t->in, m);
    es_steps_add(&t->steps, &s);
}

static void begin_line(tracer *t, const es_moment *m)
{
    while (t->n && t->steps.of[t->begun[t->n - 1]].depth >= m->depth)
        t->n--;
    if (t->n == t->cap) {
        t->cap = 2 * t->cap + 8;
        t->begun = es_realloc(t->begun, t->cap * sizeof *t->begun);
    }
    t->begun[t->n++] = t->steps.n;
    add_traced(t, m);
}

/* The line under way in the function that runs, or NULL; those it called are over. */
static es_step *line_of(tracer *t, const es_moment *m)
{
    while (t->n && t->steps.of[t->begun[t->n - 1]].depth > m->depth)
        t->n--;
    return t->n ? &t->steps.of[t->begun[t->n - 1]] : NULL;
}

static void end_line(tracer *t, const es_moment *m)
{
    es_step *s = line_of(t, m);
    if (s && s->depth == m->depth && !s->done && s->node == m->node)
        es_step_finish(s, t->in, m);
}

static void compare_line(tracer *t, const es_moment *m)
{
    es_step *s = line_of(t, m);
    if (s)
        es_step_compare(s, t->in, m);
}

static void raise_line(tracer *t, const es_moment *m)
{
    es_step *s = line_of(t, m);
    if (s)
        es_step_raise(s, t->in, m);
}

static void fail_line(tracer *t, const es_moment *m)
{
    es_step *s = line_of(t, m);
    if (!s || !es_step_fail(s, t->in, m))
        add_traced(t, m);
}

/* A function begins, a module has been called, or a line is about to run. */
static void add_moment(tracer *t, const es_moment *m)
{
    if (t->steps.n >= MOST_TRACED)
        t->hidden += m->kind == ES_MOMENT_LINE;
    else if (m->kind == ES_MOMENT_LINE)
        begin_line(t, m);
    else
        add_traced(t, m);
}

static bool on_traced(void *user, const es_moment *m, es_error *err)
{
    tracer *t = user;
    (void)err;
    switch (m->kind) {
    case ES_MOMENT_LEAVE: break;
    case ES_MOMENT_DONE: end_line(t, m); break;
    case ES_MOMENT_COMPARED: compare_line(t, m); break;
    case ES_MOMENT_RAISED: raise_line(t, m); break;
    case ES_MOMENT_FAILED: fail_line(t, m); break;
    default: add_moment(t, m);
    }
    return true;
}

static void take_traced(void *user, es_result r)
{
    tracer *t = user;
    es_result_free(&t->value);
    t->value = r;
}

bool es_step_trace(es_call *call, size_t begin, es_error *err)
{
    es_unit *unit = es_mode_parse(call, begin, err);
    if (!unit)
        return false;
    es_str printed = {0};
    tracer t = {.in = es_mode_enter(call, take_traced, &t)};
    es_listener listener = {.user = &t, .tell = on_traced};
    bool ok = es_interp_walk(t.in, unit, &listener, err);
    es_mode_leave(call->session, &printed);
    es_unit_unref(unit);
    free(t.begun);
    es_walked w = {
        .in = t.in, .steps = t.steps, .hidden = t.hidden, .value = t.value, .printed = printed};
    w.complete = ok;
    if (ok)
        es_call_answer(call, es_result_trace(&w));
    else
        call->partial = es_result_trace(&w);
    return ok || es_mode_shift(err, begin);
}
