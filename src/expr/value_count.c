// SPDX-License-Identifier: GPL-3.0-or-later
/* Values that are shared are counted; what nobody holds any more is freed. */
#include "expr/value.h"

#include <stdlib.h>

static bool is_object(const es_value *v)
{
    switch (v->kind) {
    case ES_V_STR:
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST:
    case ES_V_DICT:
    case ES_V_RANGE:
    case ES_V_SLICE:
    case ES_V_TENSOR:
    case ES_V_BUILTIN:
    case ES_V_FUNCTION:
    case ES_V_EXCEPTION:
    case ES_V_CLASS:
    case ES_V_INSTANCE:
    case ES_V_METHOD:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR: return true;
    default: return false;
    }
}

es_value es_value_ref(const es_value *v)
{
    if (is_object(v))
        v->u.o->refs++;
    return *v;
}

static void unlink_items(es_items *items)
{
    if (!items->from)
        return;
    *items->from = items->next;
    if (items->next)
        items->next->from = items->from;
    items->from = NULL;
}

static void free_slice(es_slice *s)
{
    es_value_unref(&s->begin); /* numbers, or what can be no slice: never deep */
    es_value_unref(&s->end);
    es_value_unref(&s->step);
}

/* The last reference to o is gone: frees it and returns the one value it held, whose reference is now the
 * caller's to drop.  What holds many is put on *dying instead: lists within lists of any depth are freed
 * without recursion. */
static es_value bury(es_value_kind kind, es_object *o, es_items **dying)
{
    es_value held = es_none();
    switch (kind) {
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST:
    case ES_V_DICT:
    case ES_V_CLASS:
    case ES_V_INSTANCE:
    case ES_V_METHOD:
    case ES_V_SUPER:
    case ES_V_DESCRIPTOR:
        unlink_items((es_items *)o);
        ((es_items *)o)->next = *dying;
        *dying = (es_items *)o;
        return held;
    case ES_V_STR: free(((es_str_object *)o)->bytes); break;
    case ES_V_SLICE: free_slice((es_slice *)o); break;
    case ES_V_TENSOR: es_tensor_free(&((es_tensor_object *)o)->t); break;
    case ES_V_BUILTIN: held = ((es_bound *)o)->self; break;
    case ES_V_EXCEPTION: held = ((es_exception *)o)->message; break;
    case ES_V_FUNCTION: {
        es_function *f = (es_function *)o;
        es_unit_unref(f->unit);
        es_value_unref(&f->qualname); /* a string: never deep */
        if (f->closure)
            f->leave(f->closure);
        if (f->defaults)
            held = (es_value){.kind = ES_V_TUPLE, .u.o = (es_object *)f->defaults};
        break;
    }
    default: break;
    }
    free(o);
    return held;
}

/* The next value held by what is dying; false: all of it is freed. */
static bool next_held(es_value *v, es_items **dying)
{
    while (*dying) {
        es_items *items = *dying;
        if (items->n) {
            *v = items->of[--items->n];
            return true;
        }
        if (items->owner) {
            *v = *items->owner;
            free(items->owner);
            items->owner = NULL;
            return true;
        }
        *dying = items->next;
        free(items->of);
        free(items);
    }
    return false;
}

void es_value_unref(es_value *v)
{
    es_items *dying = NULL;
    es_value now = *v;
    *v = es_none();
    do {
        while (is_object(&now) && --now.u.o->refs == 0)
            now = bury(now.kind, now.u.o, &dying);
    } while (next_held(&now, &dying));
}

void es_items_clear_all(es_items **all)
{
    while (*all) {
        es_items *items = *all;
        unlink_items(items);
        es_value kept = {.kind = ES_V_LIST, .u.o = (es_object *)items};
        kept = es_value_ref(&kept); /* until it is empty, whatever its own values do */
        while (items->n)
            es_value_unref(&items->of[--items->n]);
        es_value_unref(&kept);
    }
}
