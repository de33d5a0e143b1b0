// SPDX-License-Identifier: GPL-3.0-or-later
/* A function kept in the scope it was made in keeps that scope alive, and a list may hold itself: counts of
 * references never reach zero.  Here they are found: what is referred to by nothing but one another. */
#include <stdlib.h>

#include "base/mem.h"
#include "expr/inside.h"

typedef void visitor(es_seen *seen, es_seen_entry *e, void *user);

enum { LIVE = -1, DEEPEST = 100 };

static void visit(es_seen *seen, const es_value *v, bool all, visitor *fn, void *user, int depth);

static void visit_object(es_seen *seen, const void *object, visitor *fn, void *user)
{
    es_seen_entry *e = object ? es_seen_find(seen, object) : NULL;
    if (e)
        fn(seen, e, user);
}

static void visit_items(es_seen *seen, const es_items *items, bool all, visitor *fn, void *user,
                        int depth)
{
    for (int64_t i = 0; i < items->n; i++)
        visit(seen, &items->of[i], all, fn, user, depth);
    if (items->owner)
        visit(seen, items->owner, all, fn, user, depth);
}

/* What hangs on v.  Values that are not counted themselves are looked through: all of them, or only those
 * that nobody else holds. */
static void visit(es_seen *seen, const es_value *v, bool all, visitor *fn, void *user, int depth)
{
    if (depth > DEEPEST)
        return;
    switch (v->kind) {
    case ES_V_LIST:
    case ES_V_DICT:
    case ES_V_CLASS:
    case ES_V_INSTANCE: visit_object(seen, v->u.o, fn, user); break;
    case ES_V_TUPLE:
    case ES_V_METHOD:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: {
        const es_items *items = es_value_items(v);
        if (all || items->refs == 1)
            visit_items(seen, items, all, fn, user, depth + 1);
        break;
    }
    case ES_V_BUILTIN: {
        const es_bound *b = (const es_bound *)v->u.o;
        if (all || b->refs == 1)
            visit(seen, &b->self, all, fn, user, depth + 1);
        break;
    }
    case ES_V_FUNCTION: {
        const es_function *f = (const es_function *)v->u.o;
        if (!all && f->refs != 1)
            break;
        visit_object(seen, f->closure, fn, user);
        if (f->defaults)
            visit_items(seen, f->defaults, all, fn, user, depth + 1);
        break;
    }
    default: break;
    }
}

static void visit_scope(es_seen *seen, const es_scope *s, bool all, visitor *fn, void *user)
{
    visit_object(seen, s->parent, fn, user);
    visit_object(seen, s->shadows, fn, user);
    for (size_t i = 0; i < s->n_slots; i++)
        if (s->slot[i].name)
            visit(seen, &s->slot[i].v, all, fn, user, 0);
}

static void less_one(es_seen *seen, es_seen_entry *e, void *user)
{
    (void)seen;
    (void)user;
    e->count--;
}

/* ---- what is referred to from elsewhere, and all it refers to ---- */

/* Alive, and what they refer to not yet looked at. */
typedef struct waiting {
    es_seen_entry **of;
    size_t n;
} waiting;

static void mark_live(es_seen *seen, es_seen_entry *e, void *user)
{
    waiting *t = user;
    (void)seen;
    if (e->count == LIVE)
        return;
    e->count = LIVE;
    t->of[t->n++] = e;
}

/* An entry's copy says what it is: the scope itself, or NULL for what holds values. */
static void visit_entry(es_seen *seen, const es_seen_entry *e, bool all, visitor *fn, void *user)
{
    if (e->copy)
        visit_scope(seen, e->copy, all, fn, user);
    else
        visit_items(seen, e->object, all, fn, user, 0);
}

static void mark_all_live(es_seen *seen)
{
    waiting t = {.of = es_alloc_array(seen->n + 1, sizeof *t.of)};
    for (size_t i = 0; i < seen->n_slots; i++)
        if (seen->of[i].object && seen->of[i].count > 0)
            mark_live(seen, &seen->of[i], &t);
    while (t.n)
        visit_entry(seen, t.of[--t.n], true, mark_live, &t);
    free(t.of);
}

/* ---- clearing ---- */

static void clear_items(es_items *items)
{
    while (items->n)
        es_value_unref(&items->of[--items->n]);
}

/* All of them are held while each is emptied: clearing one may drop the last reference to another. */
static void clear_dead(es_seen *seen)
{
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < seen->n_slots; i++) {
            es_seen_entry *e = &seen->of[i];
            if (!e->object || e->count == LIVE)
                continue;
            es_value v = {.kind = ES_V_LIST, .u.o = e->object};
            if (pass == 0)
                e->copy ? (void)es_scope_ref(e->copy) : (void)es_value_ref(&v);
            else if (pass == 1)
                e->copy ? es_scope_clear(e->copy) : clear_items(es_value_items(&v));
            else
                e->copy ? es_scope_unref(e->copy) : es_value_unref(&v);
        }
}

static int64_t count_containers(const es_interp *in)
{
    int64_t n = 0;
    for (const es_items *items = in->containers; items; items = items->next)
        n++;
    return n;
}

void es_collect_if_due(es_interp *in)
{
    if (in->scopes.n > in->collect_at || in->made > in->made_at)
        es_collect(in);
}

void es_collect(es_interp *in)
{
    es_seen seen = {0};
    for (es_scope *s = in->scopes.all; s; s = s->next) {
        es_seen_entry *e = es_seen_add(&seen, s);
        e->copy = s;
        e->count = s->refs;
    }
    for (es_items *items = in->containers; items; items = items->next)
        es_seen_add(&seen, items)->count = items->refs;
    for (size_t i = 0; i < seen.n_slots; i++)
        if (seen.of[i].object)
            visit_entry(&seen, &seen.of[i], false, less_one, NULL);
    mark_all_live(&seen);
    clear_dead(&seen);
    es_seen_free(&seen);
    in->made = 0;
    in->made_at = (size_t)count_containers(in) + ES_FIRST_MADE;
    in->collect_at = 2 * in->scopes.n + ES_FIRST_COLLECT;
}
