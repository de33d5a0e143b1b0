// SPDX-License-Identifier: GPL-3.0-or-later
/* Values written out with others in them: f-strings, tuples, lists, dicts, comprehensions. */
#include "expr/format.h"
#include "expr/inside.h"

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

bool es_eval_fstring(es_interp *in, const es_node *n, es_value *out, es_error *err)
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

bool es_eval_list(es_interp *in, const es_node *n, es_value *out, es_error *err)
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

bool es_eval_tuple(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    if (!es_eval_list(in, n, out, err))
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

bool es_eval_dict(es_interp *in, const es_node *n, es_value *out, es_error *err)
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

bool es_eval_set(es_interp *in, const es_node *n, es_value *out, es_error *err)
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

/* The first iterable belongs to the scope around it, the rest to a scope of its own, which does not see a class's
 * body. */
bool es_eval_comprehension(es_interp *in, const es_node *n, es_value *out, es_error *err)
{
    int first = n->kind == ES_N_DICTCOMP ? 2 : 1;
    es_iter w;
    if (!begin_walk(in, n->kid[first]->kid[1], &w, err))
        return false;
    es_frame *frame = in->frame;
    es_scope *around = frame->scope;
    bool body = around && around == frame->class_scope;
    es_scope *own = es_scope_new(&in->scopes, body ? around->parent : around);
    own->passing = true;
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
