// SPDX-License-Identifier: GPL-3.0-or-later
/* The value of an expression.  Whatever fails is blamed on the smallest expression that failed. */
#include <ctype.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/format.h"
#include "expr/inside.h"

typedef bool eval_fn(es_interp *in, const es_node *n, es_value *out, es_error *err);

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

/* ---- f-strings ---- */

static bool hole_spec(es_interp *in, const es_node *hole, es_value *spec, es_error *err)
{
    if (hole->n_kids > 1 && hole->kid[1])
        return es_eval(in, hole->kid[1], spec, err);
    *spec = es_value_str(hole->text ? hole->text : "", hole->text ? hole->n_text : 0);
    return true;
}

static bool write_value(es_interp *in, const es_node *hole, const es_value *v, const es_value *spec,
                        es_str *text, es_error *err)
{
    const es_str_object *s = es_value_as_str(spec);
    if (!hole->i)
        return es_value_format(in, text, v, s->bytes, s->n, err);
    es_str converted = {0};
    bool ok = hole->i == 's' ? es_value_str_of(in, &converted, v, err)
                             : es_value_repr(in, &converted, v, err);
    es_value shown = es_value_str(es_str_text(&converted), converted.len);
    ok = ok && es_value_format(in, text, &shown, s->bytes, s->n, err);
    es_value_unref(&shown);
    es_str_free(&converted);
    return ok;
}

static bool write_hole(es_interp *in, const es_node *hole, es_str *text, es_error *err)
{
    es_value v, spec;
    if (!es_eval(in, hole->kid[0], &v, err))
        return false;
    bool ok = hole_spec(in, hole, &spec, err);
    if (ok) {
        ok = write_value(in, hole, &v, &spec, text, err) || es_blame(in, hole, &v, 1, err);
        es_value_unref(&spec);
    }
    es_value_unref(&v);
    return ok;
}

static bool eval_fstring(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_str text = {0};
    bool ok = true;
    for (int i = 0; ok && i < n->n_kids; i++)
        if (n->kid[i]->kind == ES_N_STRING)
            es_str_bytes(&text, n->kid[i]->text, n->kid[i]->n_text);
        else
            ok = write_hole(in, n->kid[i], &text, err);
    if (ok && text.len > ES_MOST_STRING) {
        es_fail(err, ES_ERR_NOMEM, "%zu bytes are more than a string may have here: %d", text.len,
                ES_MOST_STRING);
        ok = es_blame(in, n, NULL, 0, err);
    }
    if (ok)
        *out = es_value_str(es_str_text(&text), text.len);
    es_str_free(&text);
    return ok;
}

/* ---- tuples, lists, dicts ---- */

/* *xs: all that xs gives. */
static bool add_star(es_interp *in, const es_node *star, const es_value *list, es_error *err)
{
    es_value from;
    if (!es_eval(in, star->kid[0], &from, err))
        return false;
    bool ok = es_list_extend(in, list, &from, err) || es_blame(in, star->kid[0], &from, 1, err);
    es_value_unref(&from);
    return ok;
}

static bool eval_list(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value list = es_value_list(&in->containers), v;
    bool ok = es_items_room(es_value_items(&list), n->n_kids, err);
    for (int i = 0; ok && i < n->n_kids; i++)
        if (n->kid[i]->kind == ES_N_STAR)
            ok = add_star(in, n->kid[i], &list, err);
        else
            ok = es_eval(in, n->kid[i], &v, err) && es_items_add(es_value_items(&list), v, err);
    if (!ok)
        es_value_unref(&list);
    *out = list;
    return ok || es_blame(in, n, NULL, 0, err);
}

static bool eval_tuple(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    if (!eval_list(in, n, out, err))
        return false;
    es_list_to_tuple(out, ES_V_TUPLE);
    return true;
}

static bool add_pairs(es_interp *in, const es_node *from, const es_value *dict, es_error *err)
{
    es_value other;
    if (!es_eval(in, from, &other, err))
        return false;
    bool ok = other.kind == ES_V_DICT;
    if (!ok)
        es_fail(err, ES_ERR_TYPE, "'%s' object is not a mapping", es_value_type_name(&other));
    const es_items *items = ok ? es_value_items(&other) : NULL;
    for (int64_t i = 0; ok && i + 1 < items->n; i += 2)
        ok = es_dict_put(in, dict, &items->of[i], &items->of[i + 1], err);
    es_value_unref(&other);
    return ok || es_blame(in, from, NULL, 0, err);
}

static bool add_pair(es_interp *in, const es_node *key, const es_node *value, const es_value *dict,
                     es_error *err)
{
    es_value k, v;
    if (!es_eval(in, key, &k, err))
        return false;
    bool ok = es_eval(in, value, &v, err);
    if (ok) {
        ok = es_dict_put(in, dict, &k, &v, err) || es_blame(in, key, &k, 1, err);
        es_value_unref(&v);
    }
    es_value_unref(&k);
    return ok;
}

static bool eval_dict(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    bool ok = true;
    *out = es_value_dict(&in->containers);
    for (int i = 0; ok && i + 1 < n->n_kids; i += 2)
        ok = n->kid[i] ? add_pair(in, n->kid[i], n->kid[i + 1], out, err)
                       : add_pairs(in, n->kid[i + 1], out, err);
    if (!ok)
        es_value_unref(out);
    return ok;
}

static bool eval_set(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "there are no sets here");
    es_hint(err, "a list in square brackets keeps its order: [1, 2]");
    return es_blame(in, n, NULL, 0, err);
}

/* ---- comprehensions ---- */

static bool run_clauses(es_interp *in, const es_node *n, int clause, const es_value *out,
                        es_error *err);

/* All conditions of a clause hold: 1, not: 0, failed: -1. */
static int conditions_hold(es_interp *in, const es_node *clause, es_error *err)
{
    for (int i = 2; i < clause->n_kids; i++) {
        es_value v;
        bool truth;
        if (!es_eval(in, clause->kid[i], &v, err))
            return -1;
        bool ok = es_truth(in, &v, &truth, err) || es_blame(in, clause->kid[i], &v, 1, err);
        es_value_unref(&v);
        if (!ok || !truth)
            return ok ? 0 : -1;
    }
    return 1;
}

static bool add_element(es_interp *in, const es_node *n, const es_value *out, es_error *err)
{
    es_value v;
    if (n->kind == ES_N_DICTCOMP)
        return add_pair(in, n->kid[0], n->kid[1], out, err);
    return es_eval(in, n->kid[0], &v, err) &&
           (es_items_add(es_value_items(out), v, err) || es_blame(in, n, NULL, 0, err));
}

static bool run_clause(es_interp *in, const es_node *n, int clause, es_iter *w, const es_value *out,
                       es_error *err)
{
    const es_node *comp = n->kid[clause];
    es_value v;
    int more;
    while ((more = es_iter_next(w, in, &v, err)) > 0) {
        if (!es_assign(in, comp->kid[0], v, err))
            return false;
        int hold = conditions_hold(in, comp, err);
        if (hold < 0 || (hold && !run_clauses(in, n, clause + 1, out, err)))
            return false;
    }
    return more == 0 || es_blame(in, comp->kid[1], &w->of, 1, err);
}

static bool begin_walk(es_interp *in, const es_node *n, es_iter *w, es_error *err)
{
    es_value of;
    if (!es_eval(in, n, &of, err))
        return false;
    bool ok = es_iter_begin(w, in, &of, err) || es_blame(in, n, &of, 1, err);
    es_value_unref(&of);
    return ok;
}

static bool run_clauses(es_interp *in, const es_node *n, int clause, const es_value *out,
                        es_error *err)
{
    es_iter w;
    if (clause == n->n_kids)
        return add_element(in, n, out, err);
    if (!begin_walk(in, n->kid[clause]->kid[1], &w, err))
        return false;
    bool ok = run_clause(in, n, clause, &w, out, err);
    es_iter_end(&w);
    return ok;
}

/* The first iterable belongs to the scope around it, the rest to a scope of its own. */
static bool eval_comprehension(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    int first = n->kind == ES_N_DICTCOMP ? 2 : 1;
    es_iter w;
    if (!begin_walk(in, n->kid[first]->kid[1], &w, err))
        return false;
    es_frame *frame = in->frame;
    es_scope *around = frame->scope, *own = es_scope_new(&in->scopes, around);
    frame->scope = own;
    es_value result =
        n->kind == ES_N_DICTCOMP ? es_value_dict(&in->containers) : es_value_list(&in->containers);
    bool ok = run_clause(in, n, first, &w, &result, err);
    frame->scope = around;
    es_scope_unref(own);
    es_iter_end(&w);
    if (!ok)
        es_value_unref(&result);
    *out = result;
    return ok;
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
    if (es_compare(in, comparand->op, &v[0], &v[1], out, err))
        return true;
    if (in->frame->unit == in->unit)
        es_error_locate(err, left->begin, comparand->kid[0]->end);
    return es_blame(in, comparand, v, 2, err);
}

static bool eval_compare(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value v[2];
    if (!es_eval(in, n->kid[0], &v[0], err))
        return false;
    bool ok = true, truth = true;
    for (int i = 1; ok && truth && i < n->n_kids; i++) {
        es_value_unref(out);
        if (!es_eval(in, n->kid[i]->kid[0], &v[1], err)) {
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

static bool eval_attribute(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    es_value of;
    if (!es_eval(in, n->kid[0], &of, err))
        return false;
    bool ok = es_attribute(in, &of, n->text, n->n_text, out, err) || es_blame(in, n, &of, 1, err);
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

/* ---- calls ---- */

/* The values of a call's function and arguments as they are written, and as they are passed: stars spread. */
typedef struct call {
    es_value few[ES_FEW], *written; /* of node->kid */
    int n_written;
    es_value *args;
    const char **names;
    const es_node **nodes;
    int64_t n, cap;
} call;

static void call_end(call *c)
{
    unref_all(c->written, c->n_written);
    unref_all(c->args, c->n);
    if (c->written != c->few)
        free(c->written);
    free(c->args);
    free(c->names);
    free(c->nodes);
}

static void pass(call *c, es_value v, const char *name, const es_node *node)
{
    if (c->n == c->cap) {
        c->cap = 2 * c->cap + ES_FEW;
        c->args = es_realloc(c->args, (size_t)c->cap * sizeof *c->args);
        c->names = es_realloc(c->names, (size_t)c->cap * sizeof *c->names);
        c->nodes = es_realloc(c->nodes, (size_t)c->cap * sizeof *c->nodes);
    }
    c->args[c->n] = v;
    c->names[c->n] = name;
    c->nodes[c->n++] = node;
}

static bool pass_star(es_interp *in, call *c, const es_node *star, const es_value *of,
                      es_error *err)
{
    es_iter w;
    es_value v;
    int more;
    if (!es_iter_begin(&w, in, of, err))
        return false;
    while ((more = es_iter_next(&w, in, &v, err)) > 0)
        pass(c, v, NULL, star->kid[0]);
    es_iter_end(&w);
    return more == 0;
}

static bool pass_names(call *c, const es_node *star, const es_value *of, es_error *err)
{
    const es_items *items = es_value_items(of);
    if (of->kind != ES_V_DICT)
        return es_fail(err, ES_ERR_TYPE, "argument after ** must be a mapping, not %s",
                       es_value_type_name(of));
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        if (items->of[i].kind != ES_V_STR)
            return es_fail(err, ES_ERR_TYPE, "keywords must be strings");
        pass(c, es_value_ref(&items->of[i + 1]), es_value_as_str(&items->of[i])->bytes,
             star->kid[0]);
    }
    return true;
}

static bool pass_one(es_interp *in, call *c, const es_node *kid, const es_value *v, es_error *err)
{
    if (kid->kind == ES_N_STAR)
        return (kid->i == 2 ? pass_names(c, kid, v, err) : pass_star(in, c, kid, v, err)) ||
               es_blame(in, kid->kid[0], v, 1, err);
    bool named = kid->kind == ES_N_KEYWORD;
    pass(c, es_value_ref(v), named ? kid->text : NULL, named ? kid->kid[0] : kid);
    return true;
}

/* f(a, *b, c=1): f, then what stands between the parentheses, each evaluated once, in order. */
static bool call_begin(es_interp *in, const es_node *n, call *c, es_error *err)
{
    c->written = n->n_kids <= ES_FEW ? c->few : es_alloc_array((size_t)n->n_kids, sizeof *c->few);
    for (; c->n_written < n->n_kids; c->n_written++) {
        const es_node *kid = n->kid[c->n_written];
        bool wrapped = kid->kind == ES_N_KEYWORD || kid->kind == ES_N_STAR;
        if (!es_eval(in, wrapped ? kid->kid[0] : kid, &c->written[c->n_written], err))
            return false;
    }
    for (int i = 1; i < n->n_kids; i++)
        if (!pass_one(in, c, n->kid[i], &c->written[i], err))
            return false;
    return true;
}

static bool all_by_place(const call *c)
{
    for (int64_t i = 0; i < c->n; i++)
        if (c->names[i])
            return false;
    return true;
}

static bool eval_call(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    call c = {0};
    bool ok = call_begin(in, n, &c, err) && es_tick(in, err);
    if (ok)
        ok = es_call_with(in, &c.written[0], c.args, c.n, all_by_place(&c) ? NULL : c.names,
                          c.nodes, out, err);
    if (!ok)
        es_blame(in, n, c.written, c.n_written, err);
    call_end(&c);
    return ok;
}

/* ---- all of them ---- */

static eval_fn *const eval_kind[ES_N_KINDS] = {
    [ES_N_NAME] = eval_name,
    [ES_N_INT] = eval_int,
    [ES_N_FLOAT] = eval_float,
    [ES_N_STRING] = eval_string,
    [ES_N_FSTRING] = eval_fstring,
    [ES_N_CONST] = eval_const,
    [ES_N_TUPLE] = eval_tuple,
    [ES_N_LIST] = eval_list,
    [ES_N_SET] = eval_set,
    [ES_N_DICT] = eval_dict,
    [ES_N_LISTCOMP] = eval_comprehension,
    [ES_N_SETCOMP] = eval_set,
    [ES_N_DICTCOMP] = eval_comprehension,
    [ES_N_LAMBDA] = eval_lambda,
    [ES_N_UNARY] = eval_unary,
    [ES_N_BINARY] = eval_binary,
    [ES_N_AND] = eval_and_or,
    [ES_N_OR] = eval_and_or,
    [ES_N_COMPARE] = eval_compare,
    [ES_N_IFELSE] = eval_ifelse,
    [ES_N_ATTRIBUTE] = eval_attribute,
    [ES_N_CALL] = eval_call,
    [ES_N_INDEX] = eval_index,
    [ES_N_SLICE] = eval_slice,
};

bool es_too_nested(es_interp *in, es_error *err)
{
    if (in->nested < ES_MOST_NESTED)
        return false;
    es_fail(err, ES_ERR_RANGE, "functions and expressions are nested too deep here");
    es_torch_says(err, "RecursionError: maximum recursion depth exceeded");
    return true;
}

bool es_eval(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    *out = es_none();
    eval_fn *eval = eval_kind[n->kind];
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
