// SPDX-License-Identifier: GPL-3.0-or-later
/* What statements do. */
#include <stdlib.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"

typedef es_flow exec_fn(es_interp *in, const es_node *n, es_error *err);

static es_flow flow_of(bool ok)
{
    return ok ? ES_NEXT : ES_FAILED;
}

/* ---- simple ones ---- */

/* As Python's prompt does for a statement inside another: the value is printed. */
static bool print_value(es_interp *in, const es_value *v, es_error *err)
{
    if (v->kind == ES_V_NONE)
        return true;
    es_value_unref(&in->last);
    in->last = es_value_ref(v);
    es_str text = {0};
    bool ok = !in->host->print || es_value_repr(in, &text, v, err);
    if (ok && in->host->print) {
        es_str_char(&text, '\n');
        in->host->print(in->host->user, text.s, text.len);
    }
    es_str_free(&text);
    return ok;
}

static es_flow exec_expression(es_interp *in, const es_node *n, es_error *err)
{
    es_value v;
    if (!es_eval(in, n->kid[0], &v, err))
        return ES_FAILED;
    bool ok = in->frame->called || in->frame->class_name || n->quiet || print_value(in, &v, err) ||
              es_blame(in, n->kid[0], &v, 1, err);
    ok = ok && es_tell_done(in, n, &v, -1, err);
    es_value_unref(&v);
    return flow_of(ok);
}

static es_flow exec_assign(es_interp *in, const es_node *n, es_error *err)
{
    es_value v;
    int last = n->n_kids - 1;
    if (!es_eval(in, n->kid[last], &v, err))
        return ES_FAILED;
    bool ok = true;
    for (int i = 0; ok && i < last; i++)
        ok = es_assign(in, n->kid[i], es_value_ref(&v), err);
    es_value_unref(&v);
    return flow_of(ok);
}

static es_flow exec_annotate(es_interp *in, const es_node *n, es_error *err)
{
    es_value v;
    if (n->n_kids < 3 || !n->kid[2])
        return ES_NEXT;
    return flow_of(es_eval(in, n->kid[2], &v, err) && es_assign(in, n->kid[0], v, err));
}

static es_flow exec_augment(es_interp *in, const es_node *n, es_error *err)
{
    return flow_of(es_exec_augment(in, n, err));
}

static es_flow exec_return(es_interp *in, const es_node *n, es_error *err)
{
    es_value v = es_none();
    if (n->n_kids && n->kid[0] && !es_eval(in, n->kid[0], &v, err))
        return ES_FAILED;
    es_value_unref(&in->returned);
    in->returned = v;
    return ES_RETURN;
}

static es_flow exec_raise(es_interp *in, const es_node *n, es_error *err)
{
    return flow_of(es_exec_raise(in, n, err));
}

static bool fail_assert(es_interp *in, const es_node *n, es_error *err)
{
    es_str text = {0}, shown = {0};
    es_value message = es_none();
    const es_node *claim = n->kid[0];
    bool given = n->n_kids > 1 && n->kid[1];
    if (given &&
        (!es_eval(in, n->kid[1], &message, err) || !es_value_str_of(in, &text, &message, err))) {
        es_value_unref(&message);
        es_str_free(&text);
        return es_blame(in, n->kid[1], NULL, 0, err);
    }
    if (!given)
        es_str_bytes(&text, in->frame->unit->source + claim->begin, claim->end - claim->begin);
    es_show_prose(&shown, es_str_text(&text), text.len);
    es_fail(err, ES_ERR_VALUE, given ? "%s" : "it is not so that %s", es_str_text(&shown));
    es_value_unref(&in->raised);
    in->raised = es_value_exception("AssertionError", &message); /* str(e) is "" without one */
    es_value_unref(&message);
    es_str_free(&text);
    es_str_free(&shown);
    return es_blame(in, claim, NULL, 0, err);
}

/* The truth of an expression. */
static bool eval_truth(es_interp *in, const es_node *n, bool *truth, es_error *err)
{
    es_value v;
    if (!es_eval(in, n, &v, err))
        return false;
    bool ok = es_truth(in, &v, truth, err) || es_blame(in, n, &v, 1, err);
    es_value_unref(&v);
    return ok;
}

static es_flow exec_assert(es_interp *in, const es_node *n, es_error *err)
{
    bool truth;
    if (!eval_truth(in, n->kid[0], &truth, err) || !(truth || fail_assert(in, n, err)))
        return ES_FAILED;
    return flow_of(es_tell_done(in, n, NULL, truth, err));
}

static bool delete_index(es_interp *in, const es_node *n, es_error *err)
{
    es_value of[2];
    if (!es_eval(in, n->kid[0], &of[0], err))
        return false;
    bool ok = es_eval(in, n->kid[1], &of[1], err);
    if (ok) {
        ok = es_index_delete(in, &of[0], &of[1], err) || es_blame(in, n, of, 2, err);
        es_value_unref(&of[1]);
    }
    es_value_unref(&of[0]);
    return ok;
}

static bool delete_attribute(es_interp *in, const es_node *n, es_error *err)
{
    es_value of;
    if (!es_eval(in, n->kid[0], &of, err))
        return false;
    es_str made = {0};
    size_t len = n->n_text;
    const char *name = es_private_here(in, n->text, &len, &made);
    bool ok = of.kind == ES_V_INSTANCE || of.kind == ES_V_CLASS
                  ? es_object_delete(in, &of, name, len, err)
                  : es_fail(err, ES_ERR_UNSUPPORTED, "attributes are not deleted here");
    ok = ok || es_blame(in, n, &of, 1, err);
    es_str_free(&made);
    es_value_unref(&of);
    return ok;
}

static bool delete (es_interp *in, const es_node *n, es_error *err)
{
    if (n->kind == ES_N_NAME)
        return es_name_delete(in, n, err);
    if (n->kind == ES_N_INDEX)
        return delete_index(in, n, err);
    if (n->kind == ES_N_ATTRIBUTE)
        return delete_attribute(in, n, err);
    bool ok = true; /* several of them */
    for (int i = 0; ok && i < n->n_kids; i++)
        ok = delete (in, n->kid[i], err);
    return ok;
}

static es_flow exec_del(es_interp *in, const es_node *n, es_error *err)
{
    for (int i = 0; i < n->n_kids; i++)
        if (!delete (in, n->kid[i], err))
            return ES_FAILED;
    return ES_NEXT;
}

static es_flow exec_pass(es_interp *in, const es_node *n, es_error *err)
{
    (void)in;
    (void)err;
    return n->kind == ES_N_BREAK ? ES_BREAK : n->kind == ES_N_CONTINUE ? ES_CONTINUE : ES_NEXT;
}

static es_flow exec_import(es_interp *in, const es_node *n, es_error *err)
{
    return flow_of(es_exec_import(in, n, err));
}

/* ---- those with a suite ---- */

static es_flow exec_if(es_interp *in, const es_node *n, es_error *err)
{
    bool truth;
    if (!eval_truth(in, n->kid[0], &truth, err) || !es_tell_done(in, n, NULL, truth, err))
        return ES_FAILED;
    if (truth)
        return es_exec(in, n->kid[1], err);
    return n->n_kids > 2 && n->kid[2] ? es_exec(in, n->kid[2], err) : ES_NEXT;
}

static es_flow exec_else(es_interp *in, const es_node *n, int i, es_error *err)
{
    return n->n_kids > i && n->kid[i] ? es_exec(in, n->kid[i], err) : ES_NEXT;
}

/* A loop comes back to its header, which is a line again. */
static bool come_back(es_interp *in, const es_node *n, es_error *err)
{
    in->frame->at = n;
    return es_tell_line(in, n, err);
}

static es_flow exec_while(es_interp *in, const es_node *n, es_error *err)
{
    for (bool first = true;; first = false) {
        bool truth;
        if (!es_tick(in, err) || (!first && !come_back(in, n, err)) ||
            !eval_truth(in, n->kid[0], &truth, err) || !es_tell_done(in, n, NULL, truth, err))
            return ES_FAILED;
        if (!truth)
            return exec_else(in, n, 2, err);
        es_flow flow = es_exec(in, n->kid[1], err);
        if (flow == ES_BREAK)
            return ES_NEXT;
        if (flow == ES_FAILED || flow == ES_RETURN)
            return flow;
    }
}

static es_flow run_for(es_interp *in, const es_node *n, es_iter *w, es_error *err)
{
    es_value v;
    int more;
    while ((more = es_iter_next(w, in, &v, err)) > 0) {
        if (!es_assign(in, n->kid[0], v, err) || !es_tell_done(in, n, NULL, true, err))
            return ES_FAILED;
        es_flow flow = es_exec(in, n->kid[2], err);
        if (flow == ES_BREAK)
            return ES_NEXT;
        if (flow == ES_FAILED || flow == ES_RETURN)
            return flow;
        if (!come_back(in, n, err))
            return ES_FAILED;
    }
    if (more < 0) {
        es_blame(in, n->kid[1], &w->of, 1, err);
        return ES_FAILED;
    }
    if (!es_tell_done(in, n, NULL, false, err))
        return ES_FAILED;
    return exec_else(in, n, 3, err);
}

static es_flow exec_for(es_interp *in, const es_node *n, es_error *err)
{
    es_value of;
    es_iter w;
    if (!es_eval(in, n->kid[1], &of, err))
        return ES_FAILED;
    bool ok = es_iter_begin(&w, in, &of, err) || es_blame(in, n->kid[1], &of, 1, err);
    es_value_unref(&of);
    if (!ok)
        return ES_FAILED;
    es_flow flow = run_for(in, n, &w, err);
    es_iter_end(&w);
    return flow;
}

/* torch.no_grad() and its like: their name, or NULL. */
const char *es_grad_mode(const es_node *n)
{
    static const char *const names[] = {"no_grad", "inference_mode", "enable_grad",
                                        "set_grad_enabled"};
    const es_node *f = n->kind == ES_N_CALL ? n->kid[0] : n;
    for (size_t i = 0; f->text && i < sizeof names / sizeof *names; i++)
        if (!strcmp(f->text, names[i]))
            return names[i];
    return NULL;
}

bool es_turns_grad_off(const es_node *n)
{
    const char *mode = es_grad_mode(n);
    return mode && strcmp(mode, "enable_grad") != 0;
}

static es_flow exec_def(es_interp *in, const es_node *n, es_error *err)
{
    es_value f;
    if (!es_function_new(in, n, &f, err))
        return ES_FAILED;
    if (!es_decorate(in, n, ES_DEF_DECORATORS, &f, err)) {
        es_value_unref(&f);
        return ES_FAILED;
    }
    es_name_bind(in, n->text, n->n_text, f);
    return ES_NEXT;
}

static es_flow exec_class(es_interp *in, const es_node *n, es_error *err)
{
    return flow_of(es_exec_class(in, n, err));
}

static exec_fn *const exec_kind[ES_N_KINDS] = {
    [ES_N_EXPR] = exec_expression, [ES_N_ASSIGN] = exec_assign, [ES_N_ANNOTATE] = exec_annotate,
    [ES_N_AUGMENT] = exec_augment, [ES_N_RETURN] = exec_return, [ES_N_RAISE] = exec_raise,
    [ES_N_ASSERT] = exec_assert,   [ES_N_DEL] = exec_del,       [ES_N_IF] = exec_if,
    [ES_N_FOR] = exec_for,         [ES_N_WHILE] = exec_while,   [ES_N_WITH] = es_exec_with,
    [ES_N_TRY] = es_exec_try,      [ES_N_DEF] = exec_def,       [ES_N_CLASS] = exec_class,
    [ES_N_SUITE] = es_exec_suite,  [ES_N_PASS] = exec_pass,     [ES_N_BREAK] = exec_pass,
    [ES_N_CONTINUE] = exec_pass,   [ES_N_GLOBAL] = exec_pass,   [ES_N_IMPORT] = exec_import,
};

es_flow es_exec_suite(es_interp *in, const es_node *suite, es_error *err)
{
    es_flow flow = ES_NEXT;
    for (int i = 0; i < suite->n_kids && flow == ES_NEXT; i++)
        flow = es_exec(in, suite->kid[i], err);
    return flow;
}

/* What their line did they tell themselves: it is not their end. */
static bool tells_itself(es_node_kind kind)
{
    return kind == ES_N_EXPR || kind == ES_N_IF || kind == ES_N_FOR || kind == ES_N_WHILE ||
           kind == ES_N_ASSERT || kind == ES_N_WITH || kind == ES_N_TRY;
}

/* For one who listens. */
static es_flow exec_told(es_interp *in, const es_node *n, es_error *err)
{
    es_flow flow = es_tell_line(in, n, err) ? exec_kind[n->kind](in, n, err) : ES_FAILED;
    const es_value *v = flow == ES_RETURN ? &in->returned : NULL;
    if (flow != ES_FAILED && !tells_itself(n->kind) && !es_tell_done(in, n, v, -1, err))
        flow = ES_FAILED;
    if (flow == ES_FAILED)
        es_tell_failed(in, n, err);
    return flow;
}

es_flow es_exec(es_interp *in, const es_node *n, es_error *err)
{
    if (n->kind != ES_N_SUITE)
        in->frame->at = n;
    if (es_too_nested(in, err) || !es_tick(in, err)) {
        es_blame(in, n, NULL, 0, err);
        return ES_FAILED;
    }
    in->nested++;
    bool told = in->listener && n->kind != ES_N_SUITE;
    es_flow flow = told ? exec_told(in, n, err) : exec_kind[n->kind](in, n, err);
    in->nested--;
    return flow;
}
