// SPDX-License-Identifier: GPL-3.0-or-later
/* The value of an expression.  Whatever fails is blamed on the smallest expression that failed. */
#include <ctype.h>
#include <string.h>

#include "expr/classes.h"
#include "expr/inside.h"

static void unref_all(es_value *of, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        es_value_unref(&of[i]);
}

/* ---- names and what is written out ---- */

static bool eval_name(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    return es_name_value(in, n->text, n->n_text, out, err) || es_blame(in, n, NULL, 0, err);
}

static bool eval_int(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    (void)in;
    (void)err;
    *out = es_value_int(n->i);
    return true;
}

static bool eval_float(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    (void)in;
    (void)err;
    *out = es_value_float(n->f);
    return true;
}

static bool eval_string(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    (void)in;
    (void)err;
    *out = es_value_str(n->text, n->n_text);
    return true;
}

static bool eval_const(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    (void)in;
    (void)err;
    if (n->op == ES_OP_TRUE || n->op == ES_OP_FALSE)
        *out = es_value_bool(n->op == ES_OP_TRUE);
    else if (n->op == ES_OP_ELLIPSIS)
        out->kind = ES_V_ELLIPSIS;
    return true;
}

static bool eval_lambda(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    return es_function_new(in, n, out, err);
}

/* ---- operators ---- */

static bool eval_unary(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value a;
    if (!es_eval(in, n->kid[0], &a, err))
        return false;
    bool ok = es_unary(in, n->op, &a, out, err) || es_blame(in, n, &a, 1, err);
    es_value_unref(&a);
    return ok;
}

static bool eval_binary(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value v[2];
    if (!es_eval(in, n->kid[0], &v[0], err))
        return false;
    bool ok = es_eval(in, n->kid[1], &v[1], err);
    if (ok) {
        ok = es_binary(in, n->op, &v[0], &v[1], out, err) || es_blame(in, n, v, 2, err);
        es_value_unref(&v[1]);
    }
    es_value_unref(&v[0]);
    return ok;
}

static bool truth_of(es_interp *in, const es_node *n, const es_value *v, bool *out, es_error *err)
{
    return es_truth(in, v, out, err) || es_blame(in, n, v, 1, err);
}

/* The first that decides, or the last. */
static bool eval_and_or(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    for (int i = 0; i < n->n_kids; i++) {
        bool truth;
        if (!es_eval(in, n->kid[i], out, err))
            return false;
        if (i == n->n_kids - 1)
            return true;
        if (!truth_of(in, n->kid[i], out, &truth, err)) {
            es_value_unref(out);
            return false;
        }
        if (truth == (n->kind == ES_N_OR))
            return true;
        es_value_unref(out);
    }
    return true;
}

/* One of a < b < c: left op right. */
static bool compare_one(es_interp *in, const es_node *n, int i, const es_value *v, es_value *out,
                        es_error *err)
{
    const es_node *comparand = n->kid[i];
    const es_node *left = i == 1 ? n->kid[0] : n->kid[i - 1]->kid[0];
    if (in->listener)
        es_tell_compared(in, comparand, v);
    if (es_compare(in, comparand->op, &v[0], &v[1], out, err))
        return true;
    es_error_locate(err, left->begin, comparand->kid[0]->end);
    return es_blame(in, comparand, v, 2, err);
}

/* There are no sets, but whether something is in one needs none. */
static bool eval_comparand(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    bool member = n->op == ES_OP_IN || n->op == ES_OP_NOT_IN;
    return member && n->kid[0]->kind == ES_N_SET ? es_eval_tuple(in, n->kid[0], out, err)
                                                 : es_eval(in, n->kid[0], out, err);
}

static bool eval_compare(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value v[2];
    if (!es_eval(in, n->kid[0], &v[0], err))
        return false;
    bool ok = true, truth = true;
    for (int i = 1; ok && truth && i < n->n_kids; i++) {
        es_value_unref(out);
        if (!eval_comparand(in, n->kid[i], &v[1], err)) {
            ok = false;
            break;
        }
        ok = compare_one(in, n, i, v, out, err);
        if (ok && i < n->n_kids - 1)
            ok = truth_of(in, n, out, &truth, err);
        es_value_unref(&v[0]);
        v[0] = v[1];
    }
    es_value_unref(&v[0]);
    if (!ok)
        es_value_unref(out);
    return ok;
}

static bool eval_ifelse(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value condition;
    bool truth;
    if (!es_eval(in, n->kid[1], &condition, err))
        return false;
    bool ok = truth_of(in, n->kid[1], &condition, &truth, err);
    es_value_unref(&condition);
    return ok && es_eval(in, n->kid[truth ? 0 : 2], out, err);
}

/* ---- x.name, x[…] ---- */

static bool fail_named(es_interp *in, const es_node *n, bool taken, es_value *out, es_error *err)
{
    es_value_unref(out);
    if (taken)
        es_fail(err, ES_ERR_PARSE,
                "assignment expression cannot rebind comprehension iteration variable '%s'",
                n->kid[0]->text);
    else
        es_fail(err, ES_ERR_PARSE,
                "assignment expression within a comprehension cannot be used in a class body");
    return es_blame(in, n, NULL, 0, err);
}

/* (n := 3) in a comprehension gives the name to what is around it. */
static bool eval_named(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_frame *frame = in->frame;
    es_scope *scope = frame->scope;
    if (!es_eval(in, n->kid[1], out, err))
        return false;
    const es_node *name = n->kid[0];
    bool taken = false;
    for (; frame->scope && frame->scope->passing; frame->scope = frame->scope->parent)
        taken = taken || es_scope_find(frame->scope, name->text, name->n_text);
    bool body = frame->scope && frame->scope->cell;
    if (!body && !taken)
        es_name_bind(in, name->text, name->n_text, es_value_ref(out));
    frame->scope = scope;
    return (!body && !taken) || fail_named(in, n, taken, out, err);
}

static bool eval_attribute(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value of;
    if (!es_eval(in, n->kid[0], &of, err))
        return false;
    es_str made = {0};
    size_t len = n->n_text;
    const char *name = es_private_here(in, n->text, &len, &made);
    bool ok = es_attribute(in, &of, name, len, out, err) || es_blame(in, n, &of, 1, err);
    es_str_free(&made);
    es_value_unref(&of);
    return ok;
}

/* The slice as it was typed, for the name of the axis it cuts: T[:3].  It travels in the value's label. */
static es_label slice_text(const es_interp *in, const es_node *n)
{
    char text[ES_LABEL_SIZE];
    size_t len = 0;
    const char *s = in->frame->unit->source;
    for (size_t i = n->begin; i < n->end; i++) {
        if (s[i] == ' ')
            continue;
        if (len + 1 == sizeof text || (!isalnum((unsigned char)s[i]) && !strchr(":_+-*/.()", s[i])))
            return es_label_named("");
        text[len++] = s[i];
    }
    text[len] = '\0';
    return es_label_named(text);
}

static bool eval_slice(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value bound[3] = {es_none(), es_none(), es_none()};
    bool ok = true;
    for (int i = 0; ok && i < 3 && i < n->n_kids; i++)
        ok = !n->kid[i] || es_eval(in, n->kid[i], &bound[i], err);
    if (ok) {
        *out = es_value_slice(&bound[0], &bound[1], &bound[2]);
        out->label = slice_text(in, n);
    }
    unref_all(bound, 3);
    return ok;
}

static bool eval_index(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value v[2];
    if (!es_eval(in, n->kid[0], &v[0], err))
        return false;
    bool ok = es_eval(in, n->kid[1], &v[1], err);
    if (ok) {
        ok = es_index(in, &v[0], &v[1], out, err);
        if (!ok && v[0].kind != ES_V_TENSOR && err->code == ES_ERR_INDEX_RANGE)
            es_error_locate(err, n->kid[1]->begin, n->kid[1]->end); /* it is the one that is off */
        ok = ok || es_blame(in, n, v, 2, err);
        es_value_unref(&v[1]);
    }
    es_value_unref(&v[0]);
    return ok;
}

/* ---- all of them ---- */

static es_eval_fn *const eval_kind[ES_N_KINDS] = {
    [ES_N_NAME] = eval_name,
    [ES_N_INT] = eval_int,
    [ES_N_FLOAT] = eval_float,
    [ES_N_STRING] = eval_string,
    [ES_N_FSTRING] = es_eval_fstring,
    [ES_N_CONST] = eval_const,
    [ES_N_TUPLE] = es_eval_tuple,
    [ES_N_LIST] = es_eval_list,
    [ES_N_SET] = es_eval_set,
    [ES_N_DICT] = es_eval_dict,
    [ES_N_LISTCOMP] = es_eval_comprehension,
    [ES_N_SETCOMP] = es_eval_set,
    [ES_N_DICTCOMP] = es_eval_comprehension,
    [ES_N_LAMBDA] = eval_lambda,
    [ES_N_UNARY] = eval_unary,
    [ES_N_BINARY] = eval_binary,
    [ES_N_AND] = eval_and_or,
    [ES_N_OR] = eval_and_or,
    [ES_N_COMPARE] = eval_compare,
    [ES_N_IFELSE] = eval_ifelse,
    [ES_N_NAMED] = eval_named,
    [ES_N_ATTRIBUTE] = eval_attribute,
    [ES_N_CALL] = es_eval_call,
    [ES_N_INDEX] = eval_index,
    [ES_N_SLICE] = eval_slice,
};

bool es_fail_nested(es_error *err)
{
    es_fail(err, ES_ERR_RANGE, "functions and expressions are nested too deep here");
    return es_torch_says(err, "RecursionError: maximum recursion depth exceeded");
}

bool es_too_nested(es_interp *in, es_error *err)
{
    return in->nested >= ES_MOST_NESTED && !es_fail_nested(err);
}

bool es_eval(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    *out = es_none();
    es_eval_fn *eval = eval_kind[n->kind];
    if (!eval) {
        es_fail(err, ES_ERR_UNSUPPORTED, "this cannot stand here");
        return es_blame(in, n, NULL, 0, err);
    }
    if (es_too_nested(in, err))
        return es_blame(in, n, NULL, 0, err);
    in->nested++;
    bool ok = eval(in, n, out, err);
    in->nested--;
    return ok;
}
