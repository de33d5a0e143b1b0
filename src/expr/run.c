// SPDX-License-Identifier: GPL-3.0-or-later
/* Runs: in earnest, in the place where another one stands still, and without effect. */
#include "expr/inside.h"

/* ---- in earnest ---- */

/* What a run inside a run, or a trial, must leave as it was. */
typedef struct state {
    es_unit *unit;
    es_frame *frame;
    int calls, within, nested;
    es_value returned, raised;
    es_listener *listener;
    es_handling *handling;
    int guarded;
    es_try *tries;
} state;

static state enter(es_interp *in, es_unit *unit, es_frame *frame)
{
    state was = {in->unit,   in->frame,    in->calls,    in->within,  in->nested, in->returned,
                 in->raised, in->listener, in->handling, in->guarded, in->tries};
    in->unit = es_unit_ref(unit);
    in->frame = frame;
    in->returned = in->raised = es_none();
    in->listener = NULL;
    in->handling = NULL;
    in->guarded = 0;
    in->tries = NULL;
    return was;
}

static void leave(es_interp *in, const state *was)
{
    es_unit_unref(in->unit);
    es_value_unref(&in->returned);
    es_value_unref(&in->raised);
    in->unit = was->unit;
    in->frame = was->frame;
    in->calls = was->calls;
    in->within = was->within;
    in->nested = was->nested;
    in->returned = was->returned;
    in->raised = was->raised;
    in->listener = was->listener;
    in->handling = was->handling;
    in->guarded = was->guarded;
    in->tries = was->tries;
}

static void show(es_interp *in, const es_value *v, bool quiet)
{
    if (v->kind != ES_V_NONE) {
        es_value_unref(&in->last);
        in->last = es_value_ref(v);
    }
    if (in->host->value)
        in->host->value(in->host->user, v, quiet);
}

/* One statement at the top; *value becomes what it shows, None if nothing. */
static es_flow run_top(es_interp *in, const es_node *n, es_value *value, bool *quiet, es_error *err)
{
    *quiet = true;
    in->frame->at = n;
    if (n->kind == ES_N_EXPR) {
        *quiet = n->quiet;
        bool ok = es_tick(in, err) && es_tell_line(in, n, err) &&
                  es_eval(in, n->kid[0], value, err) && es_tell_done(in, n, value, -1, err);
        return ok ? ES_NEXT : ES_FAILED;
    }
    es_flow flow = es_exec(in, n, err);
    if (flow != ES_RETURN)
        return flow;
    *quiet = false;
    *value = in->returned;
    in->returned = es_none();
    return flow;
}

/* All of a unit; *last becomes the value of the last statement that was run. */
static bool run_unit(es_interp *in, const es_unit *unit, es_value *last, es_error *err)
{
    es_flow flow = ES_NEXT;
    for (int i = 0; i < unit->root->n_kids && flow != ES_RETURN; i++) {
        bool quiet;
        es_value_unref(last);
        flow = run_top(in, unit->root->kid[i], last, &quiet, err);
        if (flow == ES_FAILED) {
            es_tell_failed(in, unit->root->kid[i], err);
            return es_blame(in, unit->root->kid[i], NULL, 0, err);
        }
        show(in, last, quiet);
        in->ran++;
    }
    return true;
}

/* Where a run begins: at the top, or in the place where another one is stopped, whose failure and count are to
 * be there when it goes on. */
typedef struct beginning {
    es_frame frame;
    es_unit *failed_unit;
    es_scope *failed_scope;
    size_t ran;
} beginning;

static beginning begin(es_interp *in, es_unit *unit)
{
    beginning b = {.frame.unit = unit, .ran = in->ran};
    if (!in->stopped) {
        es_forget_failure(in);
        return b;
    }
    b.frame.scope = in->frame->scope;
    b.failed_unit = in->failed.unit;
    b.failed_scope = in->failed.scope;
    in->failed.unit = NULL;
    in->failed.scope = NULL;
    return b;
}

static void end(es_interp *in, const beginning *b)
{
    if (!in->stopped)
        return;
    es_forget_failure(in);
    in->failed.unit = b->failed_unit;
    in->failed.scope = b->failed_scope;
    in->ran = b->ran;
}

bool es_interp_walk(es_interp *in, es_unit *unit, es_listener *l, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    es_value last = es_none();
    beginning b = begin(in, unit);
    state was = enter(in, unit, &b.frame);
    in->listener = l;
    in->ran = 0;
    bool ok = run_unit(in, unit, &last, err ? err : &own);
    es_value_unref(&last);
    leave(in, &was);
    end(in, &b);
    es_error_free(&own);
    es_collect_if_due(in);
    return ok;
}

bool es_interp_run(es_interp *in, es_unit *unit, es_error *err)
{
    return es_interp_walk(in, unit, NULL, err);
}

size_t es_interp_ran(const es_interp *in)
{
    return in->ran;
}

bool es_interp_value(es_interp *in, es_unit *unit, es_value *out, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    es_value last = es_value_ref(&in->last);
    const es_interp_host *host = in->host;
    uint64_t seed = in->torch.seed, drawn = in->torch.drawn;
    beginning b = begin(in, unit);
    state was = enter(in, unit, &b.frame);
    size_t ran = in->ran;
    in->host = &in->mute;
    *out = es_none();
    bool ok = run_unit(in, unit, out, err ? err : &own);
    in->host = host;
    in->ran = ran;
    leave(in, &was);
    end(in, &b);
    es_value_unref(&in->last);
    in->last = last;
    in->torch.seed = seed;
    in->torch.drawn = drawn;
    if (!ok)
        es_value_unref(out);
    es_error_free(&own);
    es_collect_if_due(in);
    return ok;
}

/* ---- without effect ---- */

typedef struct sandbox {
    es_trial trial;
    es_torch torch;
    es_scope *globals;
    es_value last;
    const es_interp_host *host;
    int64_t steps_left;
    size_t ran;
    bool trying, import_noted;
} sandbox;

static void enter_sandbox(es_interp *in, sandbox *box)
{
    *box = (sandbox){.trial = {.up = in->trial},
                     .torch = in->torch,
                     .globals = in->globals,
                     .last = es_value_ref(&in->last),
                     .host = in->host,
                     .steps_left = in->steps_left,
                     .ran = in->ran,
                     .trying = in->trying,
                     .import_noted = in->import_noted};
    in->trial = &box->trial;
    in->torch.shapes_only = true;
    in->torch.note = NULL;
    in->host = &in->mute;
    in->globals = es_scope_new(&in->scopes, NULL);
    in->globals->shadows = es_scope_ref(box->globals);
}

static void leave_sandbox(es_interp *in, sandbox *box)
{
    es_scope_unref(in->globals);
    es_trial_end(&box->trial);
    es_value_unref(&in->last);
    in->trial = box->trial.up;
    in->torch = box->torch;
    in->globals = box->globals;
    in->last = box->last;
    in->host = box->host;
    in->steps_left = box->steps_left;
    in->ran = box->ran;
    in->trying = box->trying;
    in->import_noted = box->import_noted;
}

bool es_interp_type(es_interp *in, es_unit *unit, es_value *out, es_error *err)
{
    es_error own = ES_ERROR_NONE;
    sandbox box;
    *out = es_none();
    beginning b = begin(in, unit);
    enter_sandbox(in, &box);
    b.frame.scope = es_trial_scope(in, b.frame.scope);
    state was = enter(in, unit, &b.frame);
    bool ok = run_unit(in, unit, out, err ? err : &own);
    leave(in, &was);
    es_scope_unref(b.frame.scope);
    leave_sandbox(in, &box);
    end(in, &b);
    if (!ok)
        es_value_unref(out);
    es_error_free(&own);
    return ok;
}

bool es_interp_try(es_interp *in, es_unit *unit, const es_node *expression, es_value *out)
{
    es_error err = ES_ERROR_NONE;
    sandbox box;
    *out = es_none();
    if (!in->failed.unit)
        return false;
    enter_sandbox(in, &box);
    in->trying = true;
    in->steps_left = ES_MOST_TRIED;
    es_frame frame = {.unit = unit, .scope = es_trial_scope(in, in->failed.scope)};
    state was = enter(in, unit, &frame);
    in->calls = was.calls;
    bool ok = es_eval(in, expression, out, &err);
    leave(in, &was);
    es_scope_unref(frame.scope);
    leave_sandbox(in, &box);
    es_error_free(&err);
    if (!ok)
        es_value_unref(out);
    return ok;
}
