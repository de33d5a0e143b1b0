// SPDX-License-Identifier: GPL-3.0-or-later
/* with and try: statements that go on with something after their suite, however that ended. */
#include <stdlib.h>

#include "base/error.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* ---- an error that is put aside while something else runs ---- */

static es_error put_aside(es_error *err)
{
    es_error kept = *err;
    *err = ES_ERROR_NONE;
    return kept;
}

/* How a suite ended: a return's value is put aside as well. */
typedef struct ending {
    es_flow flow;
    es_value returned;
    es_error err;
    es_value raised;
} ending;

static ending keep_ending(es_interp *in, es_flow flow, es_error *err)
{
    ending e = {
        .flow = flow, .returned = in->returned, .err = put_aside(err), .raised = in->raised};
    es_error none = ES_ERROR_NONE;
    in->returned = in->raised = es_none();
    es_forgive(in, &none); /* what fails next is another failure */
    return e;
}

/* It ended as it did, unless what ran after it ended otherwise. */
static es_flow take_ending(es_interp *in, ending *e, es_flow after, es_error *err)
{
    if (after == ES_NEXT) {
        es_value_unref(&in->returned);
        in->returned = e->returned;
        es_value_unref(&in->raised);
        in->raised = e->raised;
        *err = e->err;
        return e->flow;
    }
    es_value_unref(&e->returned);
    es_value_unref(&e->raised);
    es_error_free(&e->err);
    return after;
}

/* ---- with ---- */

static bool fail_manager(es_interp *in, const es_node *n, const es_value *v, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "'%s' object does not support the context manager protocol",
            es_value_type_name(v));
    es_hint(err, "\"with torch.no_grad():\" is accepted; there are no gradients here");
    return es_blame(in, n, v, 1, err);
}

static bool enter(es_interp *in, const es_node *item, const es_value *v, es_error *err)
{
    es_value got;
    int done = es_object_method(in, v, "__enter__", NULL, 0, &got, err);
    if (!done)
        return fail_manager(in, item->kid[0], v, err);
    if (done < 0)
        return es_blame(in, item->kid[0], v, 1, err);
    if (item->n_kids > 1 && item->kid[1])
        return es_assign(in, item->kid[1], got, err);
    es_value_unref(&got);
    return true;
}

/* v.__exit__(type, value, None); true from it means that the error is dealt with. */
static es_flow leave(es_interp *in, const es_node *item, const es_value *v, es_flow flow,
                     es_error *err)
{
    es_value exception = flow == ES_FAILED ? es_exception_of(in, err) : es_none();
    es_value args[3] = {es_exception_type(&exception), exception, es_none()}, answer = es_none();
    ending e = keep_ending(in, flow, err);
    bool dealt = false;
    int done = es_object_method(in, v, "__exit__", args, 3, &answer, err);
    bool ok = done > 0 && es_truth(in, &answer, &dealt, err);
    if (!done)
        fail_manager(in, item->kid[0], v, err);
    else if (!ok)
        es_blame(in, item->kid[0], v, 1, err);
    es_value_unref(&answer);
    es_value_unref(&args[0]);
    es_value_unref(&exception);
    flow = take_ending(in, &e, ok ? ES_NEXT : ES_FAILED, err);
    if (!ok || !dealt || flow != ES_FAILED)
        return flow;
    es_forgive(in, err);
    if (in->listener) /* it was told of a failure that is none after all */
        in->listener->over = false;
    return ES_NEXT;
}

/* The i-th item of a with statement, and what is within it. */
static es_flow with_from(es_interp *in, const es_node *n, int i, es_error *err)
{
    if (i == n->n_kids - 1)
        return es_tell_done(in, n, NULL, -1, err) ? es_exec(in, n->kid[i], err) : ES_FAILED;
    const es_node *item = n->kid[i];
    const es_node *of = item->kind == ES_N_WITHITEM ? item->kid[0] : item;
    if (es_grad_mode(of)) { /* there are no gradients */
        bool off = es_turns_grad_off(of);
        in->without_grad += off;
        es_flow flow = with_from(in, n, i + 1, err);
        in->without_grad -= off;
        return flow;
    }
    es_value v;
    if (!es_eval(in, of, &v, err))
        return ES_FAILED;
    es_flow flow = ES_FAILED;
    if (enter(in, item, &v, err))
        flow = leave(in, item, &v, with_from(in, n, i + 1, err), err);
    es_value_unref(&v);
    return flow;
}

es_flow es_exec_with(es_interp *in, const es_node *n, es_error *err)
{
    return with_from(in, n, 0, err);
}

/* ---- try ---- */

/* 1: the handler is for it; 0: it is not; -1 failed. */
static int is_for(es_interp *in, const es_node *handler, const es_value *exception, es_error *err)
{
    es_value type;
    if (!handler->kid[0])
        return 1;
    if (!es_eval(in, handler->kid[0], &type, err))
        return -1;
    int is = es_exception_is(exception, &type);
    if (is < 0) {
        es_fail(err, ES_ERR_TYPE,
                "catching classes that do not inherit from BaseException is not allowed");
        es_blame(in, handler->kid[0], NULL, 0, err);
    }
    es_value_unref(&type);
    return is;
}

/* except E as e: e is there while its suite runs. */
static es_flow run_handler(es_interp *in, const es_node *handler, const es_value *exception,
                           es_handling *h, es_error *err)
{
    h->up = in->handling;
    in->handling = h;
    if (handler->text)
        es_name_bind(in, handler->text, handler->n_text, es_value_ref(exception));
    es_flow flow = es_exec(in, handler->kid[1], err);
    in->handling = h->up;
    if (handler->text && flow != ES_FAILED)
        es_name_unbind(in, handler->text, handler->n_text);
    return flow;
}

/* The handlers of a try statement, of which its error is for the first that takes it. */
static es_flow handle(es_interp *in, const es_node *n, es_error *err)
{
    es_value exception = es_exception_of(in, err);
    es_handling h = {.err = put_aside(err), .exception = &exception};
    es_flow flow = ES_FAILED;
    int is = 0;
    for (int i = 1; is == 0 && i < n->n_kids - 2; i++)
        if ((is = is_for(in, n->kid[i], &exception, err)) > 0) {
            es_error none = ES_ERROR_NONE;
            es_forgive(in, &none);
            flow = run_handler(in, n->kid[i], &exception, &h, err);
        }
    if (is == 0)
        *err = put_aside(&h.err);
    es_error_free(&h.err);
    es_value_unref(&exception);
    return flow;
}

/* Ctrl-C stops all; and where this program stops short of what Python or PyTorch do, no handler is for that: it
 * would take a way that the reader's own run does not. */
static bool is_nobodys(const es_interp *in, const es_error *err)
{
    return err->code == ES_ERR_INTERRUPTED ||
           (err->code == ES_ERR_UNSUPPORTED && in->raised.kind == ES_V_NONE);
}

/* Will that except take it?  Its types are looked up, nothing is run for it: one that is no name may be any. */
static bool may_take(es_interp *in, const es_node *type, const es_value *exception)
{
    es_error err = ES_ERROR_NONE;
    es_value v;
    if (!type)
        return true;
    if (type->kind == ES_N_TUPLE) {
        for (int i = 0; i < type->n_kids; i++)
            if (may_take(in, type->kid[i], exception))
                return true;
        return false;
    }
    if (type->kind != ES_N_NAME || !es_name_value(in, type->text, type->n_text, &v, &err)) {
        es_error_free(&err);
        return true;
    }
    bool takes = es_exception_is(exception, &v) != 0;
    es_value_unref(&v);
    return takes;
}

const es_node *es_taker_of(es_interp *in, const es_error *err, bool *here)
{
    if (!in->tries || is_nobodys(in, err))
        return NULL;
    es_frame *frame = in->frame;
    es_value exception = es_exception_of(in, err);
    const es_node *found = NULL;
    for (const es_try *t = in->tries; t && !found; t = t->up) {
        in->frame = t->frame;
        *here = t->frame == frame;
        for (int i = 1; i < t->node->n_kids - 2 && !found; i++)
            if (may_take(in, t->node->kid[i]->kid[0], &exception))
                found = t->node->kid[i];
    }
    in->frame = frame;
    es_value_unref(&exception);
    return found;
}

/* The suite; what fails in it may be for a handler. */
static es_flow run_tried(es_interp *in, const es_node *n, es_error *err)
{
    es_try t = {n, in->frame, in->tries};
    in->tries = &t;
    es_flow flow = es_exec(in, n->kid[0], err);
    in->tries = t.up;
    return flow;
}

es_flow es_exec_try(es_interp *in, const es_node *n, es_error *err)
{
    const es_node *otherwise = n->kid[n->n_kids - 2], *last = n->kid[n->n_kids - 1];
    bool caught = n->n_kids > 3;
    if (!es_tell_done(in, n, NULL, -1, err))
        return ES_FAILED;
    es_flow flow = caught ? run_tried(in, n, err) : es_exec(in, n->kid[0], err);
    if (flow == ES_FAILED && caught && !is_nobodys(in, err))
        flow = handle(in, n, err);
    else if (flow == ES_NEXT && otherwise)
        flow = es_exec(in, otherwise, err);
    if (!last || (flow == ES_FAILED && err->code == ES_ERR_INTERRUPTED))
        return flow;
    ending e = keep_ending(in, flow, err);
    return take_ending(in, &e, es_exec(in, last, err), err);
}
