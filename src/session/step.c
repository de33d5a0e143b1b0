// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/step.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/results.h"
#include "session/step_inside.h"

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

/* In the coroutine. */
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
                      .listener = {.user = p, .tell = es_step_listen},
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
                                          "step", "text",  "train", "vocab", "window"};
    const char *name = call->command->name;
    for (size_t i = 0; call->session->stepper && i < sizeof grounds / sizeof *grounds; i++)
        if (!strcmp(name, grounds[i])) {
            es_step_end(call->session);
            es_call_note(call, "the stepping has ended here, for :%s", name);
        }
}
