// SPDX-License-Identifier: GPL-3.0-or-later
/* iter(x) and what it gives: an instance that remembers where it is in x.  hash(x). */
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/protocols.h"

static const char OF[] = ".of", AT[] = ".at"; /* no attribute has a dot in its name */

static bool raise_end(es_interp *in, es_error *err)
{
    const es_value nothing = es_none();
    es_value_unref(&in->raised);
    in->raised = es_value_exception("StopIteration", &nothing);
    return es_fail(err, ES_ERR_VALUE, "StopIteration");
}

bool es_iterator_next_run(es_args *a, es_value *out, es_error *err)
{
    es_iter w;
    const es_value *self = &a->v[0], *of = es_own_get(self, OF, sizeof OF - 1),
                   *at = es_own_get(self, AT, sizeof AT - 1);
    if (!of || !at || at->kind != ES_V_INT)
        return es_fail_no_attribute(self, "__next__", 8, err);
    if (at->u.i < 0)
        return raise_end(a->in, err);
    int64_t from = at->u.i;
    if (!es_iter_begin(&w, a->in, of, err))
        return false;
    w.i = from;
    int more = es_iter_next(&w, a->in, out, err);
    es_own_put(self, AT, sizeof AT - 1, es_value_int(more > 0 ? w.i : -1), NULL);
    es_iter_end(&w);
    return more > 0 || (more == 0 && raise_end(a->in, err));
}

bool es_iterator_itself_run(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_ref(&a->v[0]));
}

bool es_iterator_new_run(es_args *a, es_value *out, es_error *err)
{
    es_iter w;
    const es_value type = es_value_named(ES_V_TYPE, ES_TYPE_ITERATOR);
    es_value of;
    int own = es_object_method(a->in, &a->v[0], "__iter__", NULL, 0, &of, err);
    if (own < 0)
        return false;
    if (own && of.kind == ES_V_INSTANCE)
        return es_answer(out, of);
    if (!own)
        of = es_value_ref(&a->v[0]);
    bool ok = es_iter_begin(&w, a->in, &of, err) || es_arg_blame(a, 0, err);
    if (!ok) {
        es_value_unref(&of);
        return false;
    }
    es_iter_end(&w);
    *out = es_instance_new(a->in, &type);
    es_own_put(out, OF, sizeof OF - 1, of, NULL);
    es_own_put(out, AT, sizeof AT - 1, es_value_int(0), NULL);
    return true;
}

/* ---- hash(x) ---- */

bool es_object_has_hash(const es_value *v)
{
    es_value at;
    const es_value *cls = es_instance_class(v);
    for (int64_t i = 0; es_class_at(cls, i, &at); i++) {
        const es_value *hash = at.kind == ES_V_CLASS ? es_class_own(&at, "__hash__", 8) : NULL;
        if (hash)
            return hash->kind != ES_V_NONE;
        if (at.kind == ES_V_CLASS && es_class_own(&at, "__eq__", 6))
            return es_class_is_frozen(&at);
    }
    return true;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
    return (h ^ x) * 1099511628211u;
}

static bool hash_of(es_interp *in, const es_value *v, uint64_t *out, es_error *err, int depth);

static bool hash_items(es_interp *in, const es_items *items, int step, uint64_t *out, es_error *err,
                       int depth)
{
    *out = 14695981039346656037u;
    for (int64_t i = step - 1; i < items->n; i += step) {
        uint64_t part;
        if (!hash_of(in, &items->of[i], &part, err, depth + 1))
            return false;
        *out = mix(*out, part);
    }
    return true;
}

static bool hash_instance(es_interp *in, const es_value *v, uint64_t *out, es_error *err, int depth)
{
    es_value got;
    int done = es_object_method(in, v, "__hash__", NULL, 0, &got, err);
    if (done < 0)
        return false;
    if (!done && es_class_find(es_instance_class(v), 0, "__eq__", 6, &got)) {
        es_value_unref(&got); /* a frozen dataclass: by its fields */
        return hash_items(in, es_value_items(v), 2, out, err, depth);
    }
    *out = (uint64_t)(uintptr_t)v->u.o >> 4;
    if (!done)
        return true;
    bool whole = got.kind == ES_V_INT || got.kind == ES_V_BOOL;
    *out = got.kind == ES_V_BOOL ? (uint64_t)got.u.b : whole ? (uint64_t)got.u.i : 0;
    es_value_unref(&got);
    return whole || es_fail(err, ES_ERR_TYPE, "__hash__ method should return an integer");
}

static bool hash_of(es_interp *in, const es_value *v, uint64_t *out, es_error *err, int depth)
{
    if (depth > ES_MOST_DEPTH)
        return es_fail(err, ES_ERR_RANGE, "tuples within tuples more than %d deep", ES_MOST_DEPTH);
    if (!es_is_hashable(v, err))
        return false;
    switch (v->kind) {
    case ES_V_NONE: *out = 0x9e3779b9u; return true;
    case ES_V_BOOL: *out = v->u.b; return true;
    case ES_V_INT: *out = (uint64_t)(v->u.i == -1 ? -2 : v->u.i); return true;
    case ES_V_FLOAT:
        *out = v->u.f == (double)(int32_t)v->u.f ? (uint64_t)(int64_t)v->u.f
                                                 : mix(7, (uint64_t)(v->u.f * 65536));
        return true;
    case ES_V_STR:
        *out = 14695981039346656037u;
        for (size_t i = 0; i < es_value_as_str(v)->n; i++)
            *out = mix(*out, (uint8_t)es_value_as_str(v)->bytes[i]);
        return true;
    case ES_V_TUPLE:
    case ES_V_SIZE: return hash_items(in, es_value_items(v), 1, out, err, depth);
    case ES_V_INSTANCE: return hash_instance(in, v, out, err, depth);
    case ES_V_DTYPE: *out = (uint64_t)v->u.dtype + 1; return true;
    default: *out = (uint64_t)(uintptr_t)v->u.o >> 4; return true;
    }
}

bool es_hash_run(es_args *a, es_value *out, es_error *err)
{
    uint64_t h;
    return (hash_of(a->in, &a->v[0], &h, err, 0) || es_arg_blame(a, 0, err)) &&
           es_answer(out, es_value_int((int64_t)h));
}
