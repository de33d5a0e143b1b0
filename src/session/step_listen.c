// SPDX-License-Identifier: GPL-3.0-or-later
/* What a stepping does in its coroutine, while statements run: what is told at the next stop, and where that is. */
#include "session/step_inside.h"

enum { MOST_STEPS = 200 /* told at one stop */ };

static bool tells(const es_stepper *p, int depth)
{
    return p->way == ES_STEP_INTO || (p->way == ES_STEP_OVER && depth <= p->depth);
}

/* Is that line the expression itself? */
static bool is_whole(const es_stepper *p, int depth)
{
    return p->lone && depth == 0;
}

static void tell(es_stepper *p, es_step *s)
{
    if (p->told.n < MOST_STEPS) {
        es_steps_add(&p->told, s);
    } else {
        p->hidden++;
        es_step_free(s);
    }
}

/* Lines at that depth or deeper are not under way any more. */
static void drop_begun(es_stepper *p, int depth)
{
    while (p->begun.n && p->begun.of[p->begun.n - 1].depth >= depth)
        es_step_free(&p->begun.of[--p->begun.n]);
}

static bool stop(es_stepper *p, es_step at, es_error *err)
{
    p->at = at;
    p->at.next = !at.failed;
    p->depth = at.depth;
    es_coroutine_yield(p->run);
    return !p->quit || es_fail(err, ES_ERR_INTERRUPTED, "the stepping has ended here");
}

static bool on_line(es_stepper *p, const es_moment *m, es_error *err)
{
    if (is_whole(p, m->depth) || !tells(p, m->depth))
        return true;
    es_step s = es_step_of(p->in, m);
    drop_begun(p, m->depth);
    es_steps_add(&p->begun, &s);
    return stop(p, es_step_here(p->in), err);
}

static void on_done(es_stepper *p, const es_moment *m)
{
    p->ran = m->node;
    p->ran_depth = m->depth;
    if (!p->begun.n || p->begun.of[p->begun.n - 1].depth != m->depth)
        return;
    es_step s = p->begun.of[--p->begun.n];
    es_step_finish(&s, p->in, m);
    if (tells(p, m->depth))
        tell(p, &s);
    else
        es_step_free(&s);
}

static void on_compared(es_stepper *p, const es_moment *m)
{
    drop_begun(p, m->depth + 1);
    if (p->begun.n)
        es_step_compare(&p->begun.of[p->begun.n - 1], p->in, m);
}

/* The function is left without an end: who wants out of it is out, and stops where it goes on. */
static void on_raised(es_stepper *p, const es_moment *m)
{
    if (p->way == ES_STEP_OUT && m->depth < p->depth) {
        p->way = ES_STEP_OVER;
        p->depth = m->depth;
    }
    drop_begun(p, m->depth + 1);
    es_step *s = p->begun.n ? &p->begun.of[p->begun.n - 1] : NULL;
    if (s && es_step_raise(s, p->in, m)) {
        es_step done = p->begun.of[--p->begun.n];
        if (tells(p, m->depth))
            tell(p, &done);
        else
            es_step_free(&done);
    }
}

/* Back in the line that called: it stops there, for there may be more calls in it to go into. */
static bool on_leave(es_stepper *p, const es_moment *m, es_error *err)
{
    bool back = (p->way == ES_STEP_OVER || p->way == ES_STEP_OUT) && m->depth == p->depth - 1;
    drop_begun(p, m->depth + 1);
    if (!back)
        return true;
    if (p->way == ES_STEP_OUT) {
        es_step s = es_step_of(p->in, m);
        tell(p, &s);
    }
    p->depth = m->depth;
    if (!is_whole(p, m->depth))
        return stop(p, es_step_here(p->in), err);
    p->way = ES_STEP_INTO;
    return true;
}

static bool on_failed(es_stepper *p, const es_moment *m, es_error *err)
{
    bool at_top = m->depth == 0; /* what can be seen there can be seen afterwards */
    if (p->quit || at_top || err->code == ES_ERR_INTERRUPTED)
        return true;
    es_interp_trace(p->in, err);
    p->failed = true;
    p->err = *err;
    *err = ES_ERROR_NONE;
    es_fail(err, ES_ERR_INTERRUPTED, "the stepping has ended here");
    drop_begun(p, m->depth + 1);
    es_step *s = p->begun.n ? &p->begun.of[p->begun.n - 1] : NULL;
    bool known = s && es_step_fail(s, p->in, m);
    return stop(p, known ? p->begun.of[--p->begun.n] : es_step_of(p->in, m), NULL);
}

/* A function begins or is over: what ran at its depth or below is another's line. */
static void forget_ran(es_stepper *p, int depth)
{
    if (p->ran_depth >= depth)
        p->ran = NULL;
}

bool es_step_listen(void *user, const es_moment *m, es_error *err)
{
    es_stepper *p = user;
    if (m->kind == ES_MOMENT_ENTER || m->kind == ES_MOMENT_LEAVE)
        forget_ran(p, m->depth + (m->kind == ES_MOMENT_LEAVE));
    switch (m->kind) {
    case ES_MOMENT_LINE: return on_line(p, m, err);
    case ES_MOMENT_LEAVE: return on_leave(p, m, err);
    case ES_MOMENT_FAILED: return on_failed(p, m, err);
    case ES_MOMENT_DONE: on_done(p, m); return true;
    case ES_MOMENT_COMPARED: on_compared(p, m); return true;
    case ES_MOMENT_RAISED: on_raised(p, m); return true;
    default:
        if (tells(p, m->depth + (m->kind == ES_MOMENT_MODULE))) {
            es_step s = es_step_of(p->in, m);
            tell(p, &s);
        }
        return true;
    }
}
