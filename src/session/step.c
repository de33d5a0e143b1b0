// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/coroutine.h"
#include "session/results.h"
#include "session/steps.h"

enum { MOST_STEPS = 200 /* told at one stop */ };

struct es_stepper {
    es_session *session;
    es_interp *in;
    es_unit *unit;
    es_str line;  /* as typed: the command and its statement */
    size_t begin; /* of the statement */
    bool lone; /* it is one expression, whose functions are stepped through, and no line itself */
    es_coroutine *run;
    es_listener listener;

    es_step_way way;
    int depth;             /* of the line where it stopped, or of the function to get out of */
    bool quit;             /* unwind */
    bool failed;           /* stopped where a line failed: there is nothing left to run */
    bool told_keys;        /* what can be typed has been said */
    bool ok;               /* once it has ended: did it run to its end? */
    es_error err;          /* why not; or why it has stopped */
    es_steps told, begun;  /* since the last stop; lines under way, the innermost last */
    uint64_t hidden;       /* so many more since the last stop */
    es_step at;            /* where it stopped, */
    int at_depth, at_line; /* and where the time before */
    const es_node *ran;    /* the line that ran last, */
    int ran_depth;         /* in which function: NULL where that is over */
    es_result value;       /* of the last statement at the top */
};

/* ---- in the coroutine ---- */

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

static bool on_moment(void *user, const es_moment *m, es_error *err)
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

static void run(void *user)
{
    es_stepper *p = user;
    es_error err = ES_ERROR_NONE;
    p->ok = es_interp_walk(p->in, p->unit, &p->listener, &err);
    if (p->failed) /* that was told where it stopped */
        es_error_free(&err);
    else
        p->err = err;
}

/* ---- in the session ---- */

static void take(void *user, es_result r)
{
    es_stepper *p = user;
    es_result_free(&p->value);
    p->value = r;
}

static void free_stepper(es_stepper *p)
{
    es_coroutine_free(p->run);
    es_unit_unref(p->unit);
    es_str_free(&p->line);
    es_error_free(&p->err);
    es_steps_free(&p->told);
    es_steps_free(&p->begun);
    es_step_free(&p->at);
    es_result_free(&p->value);
    free(p);
}

/* The line it stopped at has been shown, its source too: only what came of it is news, if nothing but modules of
 * nn's was called on the way. */
static void mark_shown(es_stepper *p)
{
    size_t i = 0;
    while (i < p->told.n && p->told.of[i].kind == ES_STEP_MODULE)
        i++;
    es_step *s = i < p->told.n ? &p->told.of[i] : &p->at;
    if (s->kind == ES_STEP_LINE && s->depth == p->at_depth && s->line == p->at_line)
        s->shown = s == &p->at ? s->failed : true;
    p->at_depth = p->at.depth;
    p->at_line = p->at.line;
}

/* What happened since the last stop, for an answer. */
static es_result what_happened(es_stepper *p, bool stopped, es_str *printed)
{
    mark_shown(p);
    es_walked w = {.in = p->in, .steps = p->told, .hidden = p->hidden, .printed = *printed};
    p->told = (es_steps){0};
    p->hidden = 0;
    *printed = (es_str){0};
    if (stopped) {
        w.stopped = true;
        w.at = p->at;
        p->at = (es_step){0};
    } else {
        w.value = p->value;
        p->value = (es_result){0};
    }
    return es_result_step(&w);
}

static void say_keys(es_call *call, es_stepper *p)
{
    if (p->failed)
        call->sink->note(call->sink->user,
                         "it stopped where it failed: v, w, l and statements look around; Enter "
                         "or q ends it",
                         true);
    else if (!p->told_keys)
        call->sink->note(call->sink->user,
                         "Enter runs this line, i goes into its calls, o out of the function, v "
                         "shows values, c goes on to the end, q quits; ? lists all there is",
                         true);
    p->told_keys = true;
}

/* The line that is quoted by its error is the one the stepping began with. */
static bool fail(es_call *call, es_stepper *p, es_error *err)
{
    *err = p->err;
    p->err = ES_ERROR_NONE;
    es_mode_shift(err, p->begin);
    call->line = es_str_text(&p->line);
    call->len = p->line.len;
    return false;
}

static bool at_the_end(es_call *call, es_stepper *p, es_str *printed, es_error *err)
{
    es_session *s = call->session;
    bool ok = p->ok;
    es_result r = what_happened(p, false, printed);
    if (ok) {
        es_call_answer(call, r);
    } else { /* Ctrl-C, or the typed line itself failed */
        call->partial = r;
        es_str_free(&s->statement.ended);
        fail(call, p, err);
        s->statement.ended = p->line;
        p->line = (es_str){0};
    }
    s->stepper = NULL;
    free_stepper(p);
    return ok;
}

bool es_step_go(es_call *call, es_step_way way, es_error *err)
{
    es_stepper *p = call->session->stepper;
    es_str printed = {0};
    p->way = way;
    es_step_free(&p->at);
    es_mode_enter(call, take, p);
    bool stopped = es_coroutine_resume(p->run);
    es_mode_leave(call->session, &printed);
    bool ok;
    if (!stopped) {
        ok = at_the_end(call, p, &printed, err);
    } else if (p->failed) {
        call->partial = what_happened(p, true, &printed);
        say_keys(call, p);
        ok = fail(call, p, err);
    } else {
        es_call_answer(call, what_happened(p, true, &printed));
        say_keys(call, p);
        ok = true;
    }
    es_str_free(&printed);
    return ok;
}

static bool is_expression(const es_unit *unit)
{
    return unit->root->n_kids == 1 && unit->root->kid[0]->kind == ES_N_EXPR;
}

bool es_step_begin(es_call *call, size_t begin, es_error *err)
{
    es_session *s = call->session;
    es_unit *unit = es_mode_parse(call, begin, err);
    if (!unit)
        return false;
    es_stepper *p = es_alloc(sizeof *p);
    *p = (es_stepper){.session = s,
                      .in = es_mode_interp(s),
                      .unit = unit,
                      .begin = begin,
                      .lone = is_expression(unit),
                      .listener = {.user = p, .tell = on_moment},
                      .err = ES_ERROR_NONE};
    es_str_bytes(&p->line, call->line, call->len);
    p->run = es_coroutine_new(run, p, err);
    if (!p->run) {
        es_unit_unref(unit);
        es_str_free(&p->line);
        free(p);
        return false;
    }
    s->stepper = p;
    return es_step_go(call, ES_STEP_INTO, err);
}

const es_node *es_step_last_line(const es_session *s)
{
    const es_stepper *p = s->stepper;
    return p->ran_depth == p->depth ? p->ran : NULL;
}

bool es_step_has_failed(const es_session *s)
{
    return s->stepper->failed;
}

void es_step_end(es_session *s)
{
    es_stepper *p = s->stepper;
    if (!p)
        return;
    es_watch *watch = es_interp_torch(p->in)->watch;
    p->quit = true;
    watch->cancel = true; /* an __exit__ on the way out does not get to run */
    while (es_coroutine_resume(p->run))
        continue;
    watch->cancel = false;
    s->stepper = NULL;
    free_stepper(p);
}

void es_step_end_with_lines(es_session *s, const es_sink *sink)
{
    if (s->stepper && !s->stepper->failed)
        sink->note(sink->user, "the lines end here, and the stepping with them", false);
    es_step_end(s);
}

void es_step_make_way(es_call *call)
{
    static const char *const grounds[] = {"edit", "model", "quit",  "reset", "run",
                                          "step", "text",  "vocab", "window"};
    const char *name = call->command->name;
    for (size_t i = 0; call->session->stepper && i < sizeof grounds / sizeof *grounds; i++)
        if (!strcmp(name, grounds[i])) {
            es_step_end(call->session);
            es_call_note(call, "the stepping has ended here, for :%s", name);
        }
}
