// SPDX-License-Identifier: GPL-3.0-or-later
/* One value after another from what can be iterated; dicts by key. */
#include "base/utf8.h"
#include "expr/modules.h"
#include "expr/protocols.h"
#include "torch/index.h"

/* ---- iterating ---- */

static bool can_walk(const es_value *v)
{
    return v->kind == ES_V_STR || v->kind == ES_V_DICT || v->kind == ES_V_RANGE ||
           v->kind == ES_V_TENSOR || es_value_is_sequence(v);
}

bool es_iter_begin(es_iter *w, es_interp *in, const es_value *of, es_error *err)
{
    *w = (es_iter){.of = es_none()};
    if (of->kind == ES_V_INSTANCE)
        return es_object_iter_begin(w, in, of, err);
    if (!can_walk(of))
        return es_fail(err, ES_ERR_TYPE, "'%s' object is not iterable", es_value_type_name(of));
    if (of->kind == ES_V_TENSOR && es_value_as_tensor(of)->shape.ndim == 0) {
        es_fail(err, ES_ERR_TYPE, "a tensor of rank 0, a single number, has nothing to go through");
        return es_torch_says(err, "iteration over a 0-d tensor");
    }
    w->of = es_value_ref(of);
    w->n = of->kind == ES_V_DICT ? es_value_items(of)->n : 0;
    return true;
}

void es_iter_end(es_iter *w)
{
    es_value_unref(&w->of);
}

static int next_row(es_iter *w, es_interp *in, es_value *out, es_error *err)
{
    const es_tensor *t = es_value_as_tensor(&w->of);
    es_tensor row;
    if (w->i >= t->shape.dim[0])
        return 0;
    const es_sub sub = {.kind = ES_SUB_INT, .i = w->i++};
    if (!es_torch_index(&in->torch, &row, t, &sub, 1, err))
        return -1;
    *out = es_value_tensor(&row);
    return 1;
}

static int next_char(es_iter *w, es_value *out)
{
    const es_str_object *s = es_value_as_str(&w->of);
    if (w->i >= (int64_t)s->n)
        return 0;
    int len = es_char_at(s->bytes + w->i, s->n - (size_t)w->i);
    *out = es_value_str(s->bytes + w->i, (size_t)len);
    w->i += len;
    return 1;
}

int es_char_at(const char *bytes, size_t n)
{
    uint32_t cp;
    int len = es_utf8_next(bytes, n, &cp);
    return len > 0 ? len : 1; /* a byte that is no text counts as a character */
}

static int next_item(es_iter *w, int64_t step, es_value *out)
{
    const es_items *items = es_value_items(&w->of);
    if (w->i >= items->n)
        return 0;
    *out = es_value_ref(&items->of[w->i]);
    w->i += step;
    return 1;
}

static int next_key(es_iter *w, es_value *out, es_error *err)
{
    if (es_value_items(&w->of)->n == w->n)
        return next_item(w, 2, out);
    es_fail(err, ES_ERR_VALUE, "dictionary changed size during iteration");
    es_hint(err, "go through a copy: for k in list(d): …");
    return -1;
}

static int next_number(es_iter *w, es_value *out)
{
    const es_range *r = (const es_range *)w->of.u.o;
    if (w->i >= es_range_count(r))
        return 0;
    *out = es_value_int((int64_t)((uint64_t)r->start.u.i + (uint64_t)w->i * (uint64_t)r->step.u.i));
    w->i++;
    return 1;
}

int es_iter_next(es_iter *w, es_interp *in, es_value *out, es_error *err)
{
    *out = es_none();
    if (!es_tick(in, err))
        return -1;
    switch (w->of.kind) {
    case ES_V_STR: return next_char(w, out);
    case ES_V_RANGE: return next_number(w, out);
    case ES_V_TENSOR: return next_row(w, in, out, err);
    case ES_V_DICT: return next_key(w, out, err);
    case ES_V_INSTANCE: return es_object_iter_next(w, in, out, err);
    default: return next_item(w, 1, out);
    }
}

/* ---- dicts: key, value, key, value ---- */

bool es_is_hashable(const es_value *v, es_error *err)
{
    bool ok = v->kind != ES_V_LIST && v->kind != ES_V_DICT && v->kind != ES_V_SLICE &&
              (v->kind != ES_V_INSTANCE || es_object_has_hash(v));
    return ok || es_fail(err, ES_ERR_TYPE, "unhashable type: '%s'", es_value_type_name(v));
}

static bool same_key(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err)
{
    if (a->kind == ES_V_TENSOR || b->kind == ES_V_TENSOR) {
        *out = a->kind == b->kind && a->u.o == b->u.o;
        return true;
    }
    return es_equal(in, a, b, out, err);
}

static es_value *find(es_interp *in, es_items *items, const es_value *key, es_error *err)
{
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        bool same;
        if (!same_key(in, &items->of[i], key, &same, err) || (i % 4096 == 0 && !es_tick(in, err)))
            return NULL;
        if (same && i + 1 < items->n) /* __eq__ may have changed it */
            return &items->of[i + 1];
    }
    return NULL;
}

es_value *es_dict_find(es_interp *in, const es_value *dict, const es_value *key, es_error *err)
{
    if (!es_is_hashable(key, err))
        return NULL;
    es_value held = es_value_ref(key); /* an __eq__ may change where it came from */
    es_value *there = find(in, es_value_items(dict), &held, err);
    es_value_unref(&held);
    return there;
}

/* What is put into an object's __dict__ becomes an attribute of it; what is taken out, x NULL, is one no more. */
static bool follow(es_interp *in, const es_value *dict, const es_value *key, const es_value *x,
                   es_error *err)
{
    const es_value *owner = es_value_items(dict)->owner;
    if (!owner)
        return true;
    if (owner->kind == ES_V_CLASS) {
        es_fail(err, ES_ERR_TYPE, "'mappingproxy' object does not support item %s",
                x ? "assignment" : "deletion");
        return es_hint(err, "setattr(%s, name, value) sets one of its attributes",
                       es_class_name(owner));
    }
    if (key->kind != ES_V_STR)
        return es_fail(err, ES_ERR_TYPE, "attributes have names, and '%s' is none",
                       es_value_type_name(key));
    const es_str_object *name = es_value_as_str(key);
    bool module = es_module_kind(owner) != NULL;
    if (x)
        return module ? es_module_put(in, owner, name->bytes, name->n, es_value_ref(x), err)
                      : es_own_put(owner, name->bytes, name->n, es_value_ref(x), err);
    if (es_own_delete(owner, name->bytes, name->n) && module)
        es_module_forget(owner, name->bytes, name->n);
    return true;
}

static bool put(es_interp *in, const es_value *dict, const es_value *key, const es_value *v,
                es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_value *there = es_dict_find(in, dict, key, &why);
    if (why.code != ES_OK) {
        *err = why;
        return false;
    }
    if (!follow(in, dict, key, v, err))
        return false;
    if (there) {
        es_value old = *there;
        *there = es_value_ref(v);
        es_value_unref(&old);
        return true;
    }
    es_items *items = es_value_items(dict);
    return es_items_room(items, 2, err) && es_items_add(items, es_value_ref(key), err) &&
           es_items_add(items, es_value_ref(v), err);
}

bool es_dict_put(es_interp *in, const es_value *dict, const es_value *key, const es_value *v,
                 es_error *err)
{
    es_value k = es_value_ref(key),
             x = es_value_ref(v); /* an __eq__ may change where they came from */
    bool ok = put(in, dict, &k, &x, err);
    es_value_unref(&k);
    es_value_unref(&x);
    return ok;
}

bool es_dict_delete(es_interp *in, const es_value *dict, const es_value *key, bool *found,
                    es_error *err)
{
    es_error why = ES_ERROR_NONE;
    es_value *there = es_dict_find(in, dict, key, &why);
    *found = there != NULL;
    if (why.code != ES_OK) {
        *err = why;
        return false;
    }
    if (!there)
        return true;
    if (!follow(in, dict, key, NULL, err))
        return false;
    es_items *items = es_value_items(dict);
    es_value old_key = there[-1], old = *there;
    memmove(there - 1, there + 1, (size_t)(items->of + items->n - (there + 1)) * sizeof *there);
    items->n -= 2;
    es_value_unref(&old_key);
    es_value_unref(&old);
    return true;
}
