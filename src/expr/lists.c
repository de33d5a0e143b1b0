// SPDX-License-Identifier: GPL-3.0-or-later
/* list(), tuple(), dict(), range(), slice(): what holds many values, made of what can be gone over. */
#include "expr/lists.h"

#include <inttypes.h>

#include "expr/inside.h"

es_value es_list_new(es_args *a)
{
    return es_value_list(es_interp_containers(a->in));
}

bool es_list_fail(es_value *list)
{
    es_value_unref(list);
    return false;
}

/* How many values there will be, where that is known without looking; else 0. */
static int64_t expected(const es_value *v)
{
    if (v->kind == ES_V_RANGE)
        return es_range_count((const es_range *)v->u.o);
    if (v->kind == ES_V_TENSOR && es_value_as_tensor(v)->shape.ndim)
        return es_value_as_tensor(v)->shape.dim[0];
    return es_value_is_sequence(v) ? es_value_items(v)->n : 0;
}

bool es_each(es_args *a, const es_value *of, es_each_fn *each, void *user, es_error *err)
{
    es_iter w;
    es_value v;
    if (!es_iter_begin(&w, a->in, of, err))
        return false;
    int more;
    while ((more = es_iter_next(&w, a->in, &v, err)) > 0) {
        bool ok = es_watch_step(a->k->watch, 0, err) && each(a, &v, user, err);
        es_value_unref(&v);
        if (!ok)
            break;
    }
    es_iter_end(&w);
    return more == 0;
}

/* ---- lists ---- */

static bool append(es_args *a, const es_value *v, void *list, es_error *err)
{
    (void)a;
    return es_items_add(list, es_value_ref(v), err);
}

bool es_list_of(es_args *a, const es_value *v, es_value *out, es_error *err)
{
    *out = es_list_new(a);
    es_items *items = es_value_items(out);
    if (es_items_room(items, (double)expected(v), err) && es_each(a, v, append, items, err))
        return true;
    return es_list_fail(out);
}

bool es_make_list(es_args *a, es_value *out, es_error *err)
{
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_list_new(a));
    return es_list_of(a, &a->v[0], out, err) || es_arg_blame(a, 0, err);
}

bool es_make_tuple(es_args *a, es_value *out, es_error *err)
{
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_value_tuple(NULL, 0));
    if (!es_list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_list_to_tuple(out, ES_V_TUPLE);
    return true;
}

static bool add_pair(es_args *a, const es_value *v, void *dict, es_error *err)
{
    es_value pair;
    if (!es_list_of(a, v, &pair, err))
        return false;
    es_items *items = es_value_items(&pair);
    bool ok = items->n == 2;
    if (!ok)
        es_fail(err, ES_ERR_VALUE,
                "dict() is made of pairs of a key and a value; this has %" PRId64 " values",
                items->n);
    ok = ok && es_index_assign(a->in, dict, &items->of[0], &items->of[1], err);
    es_value_unref(&pair);
    return ok;
}

static bool set_named(es_args *a, es_value *dict, es_error *err)
{
    for (int64_t i = 0; a->names && i < a->n_given; i++) {
        if (!a->names[i])
            continue;
        es_value key = es_value_str(a->names[i], strlen(a->names[i]));
        bool ok = es_index_assign(a->in, dict, &key, &a->given[i], err);
        es_value_unref(&key);
        if (!ok)
            return false;
    }
    return true;
}

static bool copy_dict(es_args *a, const es_value *from, es_value *dict, es_error *err)
{
    const es_items *items = es_value_items(from);
    for (int64_t i = 0; i + 1 < items->n; i += 2)
        if (!es_index_assign(a->in, dict, &items->of[i], &items->of[i + 1], err))
            return false;
    return true;
}

bool es_make_dict(es_args *a, es_value *out, es_error *err)
{
    *out = es_value_dict(es_interp_containers(a->in));
    bool ok = true;
    if (a->n_rest && a->rest[0].kind == ES_V_DICT)
        ok = copy_dict(a, &a->rest[0], out, err);
    else if (a->n_rest)
        ok = es_each(a, &a->rest[0], add_pair, out, err);
    if (ok && a->n_rest > 1)
        ok = es_fail(err, ES_ERR_TYPE,
                     "dict() takes at most 1 positional argument but %" PRId64 " were given",
                     a->n_rest);
    return (ok && set_named(a, out, err)) || es_list_fail(out);
}

bool es_make_ordered_dict(es_args *a, es_value *out, es_error *err)
{
    if (!es_make_dict(a, out, err))
        return false;
    es_value_items(out)->type = ES_ORDERED_DICT;
    return true;
}

/* ---- ranges and slices ---- */

static bool read_int(es_args *a, int i, es_value *out, es_error *err)
{
    *out = es_value_int(0);
    return es_arg_size(a, i, &out->u.i, &out->label, err);
}

bool es_make_range(es_args *a, es_value *out, es_error *err)
{
    es_value start = es_value_int(0), stop, step = es_value_int(1);
    bool one = !es_given(a, 1);
    if (!read_int(a, one ? 0 : 1, &stop, err) || (!one && !read_int(a, 0, &start, err)) ||
        (es_given(a, 2) && !read_int(a, 2, &step, err)))
        return false;
    if (step.u.i == 0) {
        es_fail(err, ES_ERR_VALUE, "range() arg 3 must not be zero");
        return es_arg_blame(a, 2, err);
    }
    return es_answer(out, es_value_range(&start, &stop, &step));
}

bool es_make_slice(es_args *a, es_value *out, es_error *err)
{
    es_value part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = es_none();
        if (es_given(a, i) && !read_int(a, i, &part[i], err))
            return false;
    }
    bool one = a->v[1].kind == ES_V_KINDS;
    return es_answer(out, one ? es_value_slice(&part[1], &part[0], &part[2])
                              : es_value_slice(&part[0], &part[1], &part[2]));
}
