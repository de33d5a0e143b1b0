// SPDX-License-Identifier: GPL-3.0-or-later
/* Names with two underscores before and not behind them belong to the class they stand in: self.__x in Net is
 * self._Net__x. */
#include "expr/classes.h"
#include "expr/inside.h"

/* The class in whose body or method the place that runs is; NULL: in none. */
static const es_value *class_around(es_interp *in)
{
    for (es_scope *s = in->frame ? in->frame->scope : NULL; s; s = s->parent) {
        const es_slot *slot = s->cell ? es_trial_find(in, s, "__class__", 9) : NULL;
        if (slot && slot->state == ES_SLOT_BOUND && slot->v.kind == ES_V_CLASS)
            return &slot->v;
    }
    return NULL;
}

const char *es_private_name(const es_value *cls, const char *name, size_t *n, es_str *made)
{
    const char *owner = es_class_name(cls) + strspn(es_class_name(cls), "_");
    if (!*owner)
        return name;
    es_str_add(made, "_%s%.*s", owner, (int)*n, name);
    *n = made->len;
    return made->s;
}

const char *es_private_here(es_interp *in, const char *name, size_t *n, es_str *made)
{
    const es_value *cls = es_is_private(name, *n) ? class_around(in) : NULL;
    return cls ? es_private_name(cls, name, n, made) : name;
}
