// SPDX-License-Identifier: GPL-3.0-or-later
/* Evaluating without effect: lists, dicts, instances and scopes that an evaluation could change are copied, each when it
 * is first looked at, and stay one object to all who share them. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/inside.h"

static es_value copy_value(es_interp *in, const es_value *v, int depth);

/* ---- what was copied ---- */

static void keep(es_trial *t, es_value v)
{
    if (t->n_kept == t->cap_kept) {
        t->cap_kept = 2 * t->cap_kept + 8;
        t->kept = es_realloc(t->kept, (size_t)t->cap_kept * sizeof *t->kept);
    }
    t->kept[t->n_kept++] = v;
}

es_scope *es_trial_scope(es_interp *in, es_scope *s)
{
    if (!s)
        return NULL;
    es_seen_entry *e = es_seen_add(&in->trial->copies, s);
    if (e->copy)
        return es_scope_ref(e->copy);
    es_scope *copy = es_scope_new(&in->scopes, NULL);
    e->copy = copy;
    e->count = 1; /* it is a scope */
    copy->cell = s->cell;
    copy->passing = s->passing;
    copy->shadows = es_scope_ref(s);
    copy->parent = es_trial_scope(in, s->parent);
    return es_scope_ref(copy);
}

void es_trial_end(es_trial *t)
{
    es_trial_restore(t);
    for (int64_t i = 0; i < t->n_kept; i++)
        es_value_unref(&t->kept[i]);
    for (size_t i = 0; i < t->copies.n_slots; i++)
        if (t->copies.of[i].object && t->copies.of[i].count) {
            es_scope_clear(t->copies.of[i].copy); /* functions in it hold it */
            es_scope_unref(t->copies.of[i].copy);
        }
    free(t->kept);
    es_seen_free(&t->copies);
}

/* ---- copies ---- */

/* An empty one at first: es_trial_find fills it, so that a chain of any length needs no recursion. */
static es_value copy_container(es_interp *in, const es_value *v)
{
    const es_seen_entry *known = es_seen_find(&in->trial->copies, v->u.o);
    if (known)
        return es_value_ref(&(es_value){.kind = v->kind, .u.o = known->copy});
    es_value copy = v->kind == ES_V_LIST   ? es_value_list(&in->containers)
                    : v->kind == ES_V_DICT ? es_value_dict(&in->containers)
                                           : es_value_attributes(v->kind, &in->containers);
    es_value_items(&copy)->type = es_value_items(v)->type;
    es_seen_add(&in->trial->copies, v->u.o)->copy = copy.u.o;
    keep(in->trial, es_value_ref(v)); /* or its address might be another's */
    keep(in->trial, es_value_ref(&copy));
    return copy;
}

static void fill(es_interp *in, es_items *copy, const es_items *from)
{
    for (int64_t i = 0; i < from->n; i++)
        if (!es_items_add(copy, copy_value(in, &from->of[i], 0), NULL))
            break;
}

static void fill_all(es_interp *in)
{
    es_trial *t = in->trial;
    while (t->n_filled < t->n_kept) {
        const es_value from = t->kept[t->n_filled], copy = t->kept[t->n_filled + 1];
        t->n_filled += 2;
        fill(in, es_value_items(&copy), es_value_items(&from));
    }
}

static bool all_plain(const es_items *items)
{
    for (int64_t i = 0; i < items->n; i++)
        if (items->of[i].kind >= ES_V_TUPLE && items->of[i].kind != ES_V_TENSOR)
            return false;
    return true;
}

static es_value copy_tuple(es_interp *in, const es_value *v, int depth)
{
    const es_items *from = es_value_items(v);
    if (all_plain(from))
        return es_value_ref(v);
    es_value *of = es_alloc_array((size_t)from->n, sizeof *of);
    for (int64_t i = 0; i < from->n; i++)
        of[i] = copy_value(in, &from->of[i], depth);
    es_value copy = es_value_parts(v->kind, of, from->n);
    es_value_items(&copy)->type = from->type;
    es_value_items(&copy)->fields = from->fields;
    free(of);
    return copy;
}

static es_value copy_function(es_interp *in, const es_value *v, int depth)
{
    const es_function *from = (const es_function *)v->u.o;
    es_function *f = es_alloc(sizeof *f);
    *f = *from;
    f->refs = 1;
    es_unit_ref(f->unit);
    f->qualname = es_value_ref(&from->qualname);
    f->closure = es_trial_scope(in, from->closure);
    if (from->defaults) {
        es_value defaults = {.kind = ES_V_TUPLE, .u.o = (es_object *)from->defaults};
        defaults = copy_tuple(in, &defaults, depth);
        f->defaults = es_value_items(&defaults);
    }
    return (es_value){.kind = ES_V_FUNCTION, .u.o = (es_object *)f};
}

static es_value copy_bound(es_interp *in, const es_value *v, int depth)
{
    const es_bound *from = (const es_bound *)v->u.o;
    es_value self = copy_value(in, &from->self, depth);
    es_value copy = es_value_builtin(from->builtin, &self);
    ((es_bound *)copy.u.o)->in_place = from->in_place;
    es_value_unref(&self);
    return copy;
}

/* Tuples nested deeper than anything can print are shared. */
static es_value copy_value(es_interp *in, const es_value *v, int depth)
{
    if (depth >= ES_MOST_DEPTH)
        return es_value_ref(v);
    switch (v->kind) {
    case ES_V_LIST:
    case ES_V_DICT:
    case ES_V_CLASS:
    case ES_V_INSTANCE: return copy_container(in, v);
    case ES_V_TUPLE:
    case ES_V_METHOD:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: return copy_tuple(in, v, depth + 1);
    case ES_V_FUNCTION: return copy_function(in, v, depth + 1);
    case ES_V_BUILTIN: return copy_bound(in, v, depth + 1);
    default: return es_value_ref(v);
    }
}

es_value es_trial_value(es_interp *in, const es_value *v)
{
    es_value copy = copy_value(in, v, 0);
    fill_all(in);
    return copy;
}

es_slot *es_trial_find(es_interp *in, es_scope *s, const char *name, size_t n)
{
    es_slot *slot = es_scope_find(s, name, n);
    if (slot || !s->shadows)
        return slot;
    const es_slot *real = es_trial_find(in, s->shadows, name, n);
    if (!real)
        return NULL;
    es_slot_state state = real->state;
    es_value copy = es_trial_value(in, &real->v);
    slot = es_scope_put(s, name, n);
    slot->v = copy;
    slot->state = state;
    return slot;
}
