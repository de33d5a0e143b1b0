// SPDX-License-Identifier: GPL-3.0-or-later
/* The interpreter's life, its variables, and runs. */
#include "expr/interp.h"

#include <stdlib.h>

#include "base/mem.h"
#include "expr/explain.h"
#include "expr/inside.h"

enum { FIRST_SEED = 0 };

/* ---- life ---- */

static void on_note(void *user, const char *text)
{
    const es_interp *in = user;
    if (in->host->note)
        in->host->note(in->host->user, text);
}

es_interp *es_interp_new(const es_interp_host *host, es_backend *be)
{
    es_interp *in = es_alloc(sizeof *in);
    in->own = in->mute = *host;
    in->mute.value = NULL;
    in->mute.print = NULL;
    in->mute.note = NULL;
    in->mute.save = NULL;
    in->host = &in->own;
    in->torch = (es_torch){
        .be = be, .most_bytes = (int64_t)4 << 30, .seed = FIRST_SEED, .note = on_note, .user = in};
    in->collect_at = ES_FIRST_COLLECT;
    in->made_at = ES_FIRST_MADE;
    in->steps_left = INT64_MAX;
    in->globals = es_scope_new(&in->scopes, NULL);
    return in;
}

static void forget_failure(es_interp *in)
{
    es_scope_unref(in->failed.scope);
    es_unit_unref(in->failed.unit);
    in->failed.scope = NULL;
    in->failed.unit = NULL;
}

void es_interp_clear(es_interp *in)
{
    forget_failure(in);
    es_value_unref(&in->last);
    es_scope_clear(in->globals);
    es_collect(in);
    in->torch.seed = FIRST_SEED;
    in->torch.drawn = 0;
    in->import_noted = in->leaf_noted = false;
}

void es_interp_free(es_interp *in)
{
    if (!in)
        return;
    forget_failure(in);
    es_value_unref(&in->last);
    es_value_unref(&in->returned);
    es_value_unref(&in->raised);
    es_scope_unref(in->globals);
    es_items_clear_all(&in->containers);
    es_scopes_clear_all(&in->scopes);
    free(in->listed.of);
    free(in);
}

es_torch *es_interp_torch(es_interp *in)
{
    return &in->torch;
}

const es_interp_host *es_interp_host_of(const es_interp *in)
{
    return in->host;
}

es_items **es_interp_containers(es_interp *in)
{
    return &in->containers;
}

/* ---- variables ---- */

bool es_interp_lookup(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    return es_name_value(in, name, n, out, err);
}

bool es_interp_set(es_interp *in, const char *name, size_t n, es_value v)
{
    es_name_labels(in, name, n, &v);
    es_scope_bind(in->globals, name, n, v);
    return true;
}

bool es_interp_del(es_interp *in, const char *name, size_t n)
{
    return es_scope_unbind(in->globals, name, n);
}

/* ---- errors ---- */

static void remember_failure(es_interp *in)
{
    if (in->trying)
        return;
    forget_failure(in);
    in->failed.unit = es_unit_ref(in->frame->unit);
    in->failed.scope = es_scope_ref(in->frame->scope);
}

static bool has_operator(const es_node *n)
{
    return n->kind == ES_N_BINARY || n->kind == ES_N_COMPARAND || n->kind == ES_N_AUGMENT;
}

static void locate(const es_node *node, es_error *err)
{
    if (err->begin >= 0)
        return;
    es_error_locate(err, node->begin, node->end);
    if (has_operator(node)) {
        err->op_begin = (ptrdiff_t)node->op_begin;
        err->op_end = (ptrdiff_t)node->op_end;
    }
}

/* Was it called, or asked for a member, that is nothing of the kind? */
static bool is_mistaken(const es_node *node, const es_value *operands, int n, const es_error *err)
{
    if (node->kind == ES_N_ATTRIBUTE)
        return err->code == ES_ERR_NAME && n > 0 && operands[0].kind != ES_V_CLASS &&
               operands[0].kind != ES_V_INSTANCE;
    if (node->kind != ES_N_CALL || n < 1 || err->code != ES_ERR_TYPE)
        return false;
    es_value_kind kind = operands[0].kind;
    return kind != ES_V_METHOD && kind != ES_V_CLASS && kind != ES_V_INSTANCE &&
           kind != ES_V_BUILTIN && kind != ES_V_FUNCTION && kind != ES_V_TYPE;
}

bool es_blame(es_interp *in, const es_node *node, const es_value *operands, int n, es_error *err)
{
    if (err->explained) {
        locate(node, err);
        return false;
    }
    err->explained = true;
    remember_failure(in);
    locate(node, err);
    if (in->trying)
        return false;
    if (err->code != ES_ERR_INTERRUPTED)
        es_explain(in, in->frame->unit, node, operands, n, err);
    if (is_mistaken(node, operands, n, err))
        es_name_hint_hidden(in, node->kid[0], err);
    return false;
}

void es_forgive(es_interp *in, es_error *err)
{
    es_error_free(err);
    es_value_unref(&in->raised);
    forget_failure(in);
}

bool es_tick(es_interp *in, es_error *err)
{
    if (in->steps_left-- <= 0)
        return es_fail(err, ES_ERR_INTERRUPTED, "stopped after as many steps as are allowed");
    if (in->steps_left % 1024 == 0 &&
        !es_memory_for(0, err)) /* what is small, but there are many */
        return false;
    return es_watch_step(in->torch.watch, 0, err);
}

/* ---- runs ---- */

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
        forget_failure(in);
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
    forget_failure(in);
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
