// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/scope.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_SLOTS = 8 };

/* ---- life ---- */

es_scope *es_scope_new(es_scopes *home, es_scope *parent)
{
    es_scope *s = es_alloc(sizeof *s);
    s->refs = 1;
    s->parent = es_scope_ref(parent);
    s->home = home;
    s->from = &home->all;
    s->next = home->all;
    if (s->next)
        s->next->from = &s->next;
    home->all = s;
    home->n++;
    return s;
}

es_scope *es_scope_ref(es_scope *s)
{
    if (s)
        s->refs++;
    return s;
}

void es_scope_clear(es_scope *s)
{
    es_slot *slot = s->slot;
    size_t n = s->n_slots;
    s->slot = NULL;
    s->n_slots = s->n_used = 0;
    s->version++;
    for (size_t i = 0; i < n; i++) {
        es_value_unref(&slot[i].v);
        free(slot[i].name);
    }
    free(slot);
}

static void leave_home(es_scope *s)
{
    if (!s->home)
        return;
    *s->from = s->next;
    if (s->next)
        s->next->from = s->from;
    s->home->n--;
    s->home = NULL;
}

static void end(es_scope *s)
{
    es_scope_clear(s);
    es_scope_unref(s->parent);
    es_scope_unref(s->shadows);
    free(s);
}

/* A scope holds a function that holds a scope that holds a function …: what dies meanwhile waits in a row, so
 * that a chain of any length ends without recursion. */
void es_scope_unref(es_scope *s)
{
    if (!s || --s->refs > 0)
        return;
    es_scopes *home = s->home;
    leave_home(s);
    if (!home) {
        end(s);
        return;
    }
    s->next = home->dying;
    home->dying = s;
    if (home->draining)
        return;
    home->draining = true;
    while ((s = home->dying)) {
        home->dying = s->next;
        end(s);
    }
    home->draining = false;
}

void es_scopes_clear_all(es_scopes *home)
{
    for (es_scope *s = home->all; s; s = home->all) {
        /* leave_home takes s out of the list.  NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
        es_scope_ref(s);
        es_scope_clear(s);
        es_scope *parent = s->parent;
        s->parent = NULL;
        es_scope_unref(parent);
        leave_home(s);
        es_scope_unref(s);
    }
}

/* ---- names ---- */

static uint32_t hash_of(const char *name, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    return h;
}

/* The slot of that name, or the free one where it belongs. */
static es_slot *place(es_slot *slot, size_t n_slots, const char *name, size_t n, uint32_t hash)
{
    for (size_t i = hash;; i++) {
        es_slot *s = &slot[i & (n_slots - 1)];
        if (!s->name || (s->hash == hash && s->n == n && !memcmp(s->name, name, n)))
            return s;
    }
}

es_slot *es_scope_find(const es_scope *s, const char *name, size_t n)
{
    if (!s->n_used)
        return NULL;
    es_slot *slot = place(s->slot, s->n_slots, name, n, hash_of(name, n));
    return slot->name ? slot : NULL;
}

static void grow(es_scope *s)
{
    size_t n = s->n_slots ? 2 * s->n_slots : FIRST_SLOTS;
    es_slot *wider = es_alloc_array(n, sizeof *wider);
    for (size_t i = 0; i < s->n_slots; i++)
        if (s->slot[i].name)
            *place(wider, n, s->slot[i].name, s->slot[i].n, s->slot[i].hash) = s->slot[i];
    free(s->slot);
    s->slot = wider;
    s->n_slots = n;
}

es_slot *es_scope_put(es_scope *s, const char *name, size_t n)
{
    if (4 * (s->n_used + 1) > 3 * s->n_slots)
        grow(s);
    uint32_t hash = hash_of(name, n);
    es_slot *slot = place(s->slot, s->n_slots, name, n, hash);
    if (!slot->name) {
        *slot = (es_slot){.name = es_copy_bytes(name, n), .n = n, .hash = hash, .order = s->n_used};
        s->n_used++;
        s->version++;
    }
    return slot;
}

void es_scope_bind(es_scope *s, const char *name, size_t n, es_value v)
{
    es_slot *slot = es_scope_put(s, name, n);
    es_value old = slot->v;
    slot->v = v;
    slot->state = ES_SLOT_BOUND;
    s->version++;
    es_value_unref(&old);
}

bool es_scope_unbind(es_scope *s, const char *name, size_t n)
{
    es_slot *slot = es_scope_find(s, name, n);
    if (!slot || slot->state != ES_SLOT_BOUND)
        return false;
    es_value old = slot->v;
    slot->v = es_none();
    slot->state = ES_SLOT_UNBOUND;
    s->version++;
    es_value_unref(&old);
    return true;
}
