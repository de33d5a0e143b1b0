// SPDX-License-Identifier: GPL-3.0-or-later
/* The variables, for who lists them: those at the top, or what can be seen from where a run is stopped. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/inside.h"

static const uint64_t STALE = UINT64_MAX; /* no version: list them anew */

static int by_name(const void *a, const void *b)
{
    const es_slot *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* The innermost scope of the place where the run was stopped; NULL: the globals. */
static const es_scope *scope_of_place(const es_interp *in)
{
    return in->stopped && in->frame ? in->frame->scope : NULL;
}

/* Does a scope further in have a name of its own for it? */
static bool is_hidden(const es_interp *in, const es_scope *of, const es_slot *slot)
{
    for (const es_scope *s = scope_of_place(in); s && s != of; s = s->parent)
        if (es_scope_find(s, slot->name, slot->n))
            return true;
    return false;
}

/* What super() finds its class by is nobody's variable. */
static bool is_listed(const es_interp *in, const es_scope *of, const es_slot *slot)
{
    return slot->name && slot->state == ES_SLOT_BOUND && strcmp(slot->name, "__class__") &&
           !is_hidden(in, of, slot);
}

static void list_scope(es_interp *in, const es_scope *s)
{
    in->listed.of = es_realloc(in->listed.of, (in->listed.n + s->n_used + 1) * sizeof(es_slot *));
    for (size_t i = 0; i < s->n_slots; i++)
        if (is_listed(in, s, &s->slot[i]))
            in->listed.of[in->listed.n++] = &s->slot[i];
}

static void list_variables(es_interp *in)
{
    in->listed.n = 0;
    for (const es_scope *s = scope_of_place(in); s; s = s->parent)
        list_scope(in, s);
    list_scope(in, in->globals);
    qsort(in->listed.of, in->listed.n, sizeof(es_slot *), by_name);
    in->listed.version = scope_of_place(in) ? STALE : in->globals->version;
}

void es_forget_list(es_interp *in)
{
    in->listed.version = STALE;
}

const char *es_interp_variable(es_interp *in, size_t i, const es_value **v)
{
    bool stale = in->listed.version == STALE ? i == 0 || !in->listed.of
                                             : in->listed.version != in->globals->version;
    if (stale || !in->listed.of)
        list_variables(in);
    if (i >= in->listed.n)
        return NULL;
    if (v)
        *v = &in->listed.of[i]->v;
    return in->listed.of[i]->name;
}

bool es_interp_has_variable(es_interp *in, const char *name, size_t n)
{
    const char *own;
    for (size_t i = 0; (own = es_interp_variable(in, i, NULL)); i++)
        if (strlen(own) == n && !memcmp(own, name, n))
            return true;
    return false;
}
