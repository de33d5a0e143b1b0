// SPDX-License-Identifier: GPL-3.0-or-later
/* Lists, tuples and dicts. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/visible.h"
#include "expr/inside.h"
#include "expr/methods.h"
#include "expr/sort.h"

static es_items *its(const es_args *a)
{
    return es_value_items(&a->v[0]);
}

/* ---- lists ---- */

static bool run_append(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    return es_items_add(its(a), es_value_ref(&a->v[1]), err);
}

static bool run_extend(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    return es_list_extend(a->in, &a->v[0], &a->v[1], err) || es_arg_blame(a, 1, err);
}

static bool run_insert(es_args *a, es_value *out, es_error *err)
{
    int64_t at;
    es_items *items = its(a);
    (void)out;
    if (!es_arg_int64(a, 1, &at, err))
        return false;
    at = at < 0 ? at + items->n : at;
    at = at < 0 ? 0 : at > items->n ? items->n : at;
    if (!es_items_add(items, es_value_ref(&a->v[2]), err))
        return false;
    es_value v = items->of[items->n - 1];
    memmove(items->of + at + 1, items->of + at, (size_t)(items->n - 1 - at) * sizeof v);
    items->of[at] = v;
    return true;
}

/* The i-th value leaves the list. */
static es_value taken(es_items *items, int64_t i)
{
    es_value v = items->of[i];
    items->n--;
    memmove(items->of + i, items->of + i + 1, (size_t)(items->n - i) * sizeof v);
    return v;
}

static bool run_pop(es_args *a, es_value *out, es_error *err)
{
    int64_t at = -1;
    es_items *items = its(a);
    if (es_given(a, 1) && !es_arg_int64(a, 1, &at, err))
        return false;
    int64_t i = at < 0 ? at + items->n : at;
    if (items->n == 0)
        return es_fail(err, ES_ERR_INDEX_RANGE, "pop from empty list");
    if (i < 0 || i >= items->n) {
        es_fail(err, ES_ERR_INDEX_RANGE,
                "pop index out of range: %" PRId64 " in a list of %" PRId64, at, items->n);
        return es_arg_blame(a, 1, err);
    }
    return es_answer(out, taken(items, i));
}

/* The first that equals v[1]; items->n: none does.  Values may compare themselves: the list is looked at anew
 * each time. */
static bool find(es_args *a, int64_t *i, int64_t *count, es_error *err)
{
    *i = its(a)->n;
    *count = 0;
    for (int64_t j = 0; j < its(a)->n; j++) {
        bool equal;
        if (!es_watch_step(a->k->watch, 0, err) ||
            !es_equal(a->in, &its(a)->of[j], &a->v[1], &equal, err))
            return false;
        if (equal && (*count)++ == 0)
            *i = j;
    }
    return true;
}

static bool not_in(es_args *a, es_error *err)
{
    es_str v = {0}, shown = {0};
    if (es_value_repr(a->in, &v, &a->v[1], err)) {
        es_show_prose(&shown, es_str_text(&v), v.len < 60 ? v.len : 60);
        es_fail(err, ES_ERR_VALUE, "%s is not in the %s", es_str_text(&shown),
                es_value_type_name(&a->v[0]));
    }
    es_str_free(&v);
    es_str_free(&shown);
    return es_arg_blame(a, 1, err);
}

static bool run_index(es_args *a, es_value *out, es_error *err)
{
    int64_t i, count;
    if (!find(a, &i, &count, err))
        return false;
    return count ? es_answer(out, es_value_int(i)) : not_in(a, err);
}

static bool run_count(es_args *a, es_value *out, es_error *err)
{
    int64_t i, count;
    return find(a, &i, &count, err) && es_answer(out, es_value_int(count));
}

static bool run_remove(es_args *a, es_value *out, es_error *err)
{
    int64_t i, count;
    (void)out;
    if (!find(a, &i, &count, err))
        return false;
    if (!count)
        return not_in(a, err);
    es_value v = taken(its(a), i);
    es_value_unref(&v);
    return true;
}

static void empty(es_items *items)
{
    while (items->n)
        es_value_unref(&items->of[--items->n]);
}

/* Empty while it is sorted, as in Python: what the key does to the list cannot hurt. */
static bool run_sort(es_args *a, es_value *out, es_error *err)
{
    es_items *items = its(a);
    bool reverse;
    (void)out;
    if (!es_arg_bool(a, 2, false, &reverse, err))
        return false;
    es_value *of = items->of;
    int64_t n = items->n, cap = items->cap;
    items->of = NULL;
    items->n = items->cap = 0;
    bool ok = es_sort(a->in, of, n, es_given(a, 1) ? &a->v[1] : NULL, reverse, err);
    if (ok && items->n)
        ok = es_fail(err, ES_ERR_VALUE, "list modified during sort");
    empty(items);
    free(items->of);
    items->of = of;
    items->n = n;
    items->cap = cap;
    return ok;
}

static bool run_reverse(es_args *a, es_value *out, es_error *err)
{
    es_items *items = its(a);
    (void)out;
    (void)err;
    for (int64_t i = 0, j = items->n - 1; i < j; i++, j--) {
        es_value swap = items->of[i];
        items->of[i] = items->of[j];
        items->of[j] = swap;
    }
    return true;
}

static bool run_clear(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    bool ok = true, found;
    while (ok && its(a)->owner && its(a)->n) {
        es_value key = es_value_ref(&its(a)->of[0]);
        ok = es_dict_delete(a->in, &a->v[0], &key, &found, err);
        es_value_unref(&key);
    }
    empty(its(a));
    return ok;
}

/* Every step-th value from the first on, as a new list or dict. */
static bool copy(es_args *a, es_value_kind kind, int64_t first, int64_t step, es_value *out,
                 es_error *err)
{
    es_items **all = es_interp_containers(a->in);
    const es_items *from = its(a);
    *out = kind == ES_V_DICT ? es_value_dict(all) : es_value_list(all);
    for (int64_t i = first; i < from->n; i += step)
        if (!es_items_add(es_value_items(out), es_value_ref(&from->of[i]), err))
            return false;
    return true;
}

static bool run_copy(es_args *a, es_value *out, es_error *err)
{
    return copy(a, a->v[0].kind, 0, 1, out, err);
}

/* torch.Size has numel, as a tensor has. */
static bool run_numel(es_args *a, es_value *out, es_error *err)
{
    int64_t n = 1;
    if (a->v[0].kind != ES_V_SIZE)
        return es_fail(err, ES_ERR_NAME, "'tuple' object has no attribute 'numel'");
    for (int64_t i = 0; i < its(a)->n; i++)
        if (__builtin_mul_overflow(n, its(a)->of[i].u.i, &n))
            return es_fail(err, ES_ERR_RANGE, "that many numbers do not fit into 64 bits");
    return es_answer(out, es_value_int(n));
}

/* ---- dicts ---- */

static bool run_keys(es_args *a, es_value *out, es_error *err)
{
    return copy(a, ES_V_LIST, 0, 2, out, err);
}

static bool run_values(es_args *a, es_value *out, es_error *err)
{
    return copy(a, ES_V_LIST, 1, 2, out, err);
}

static bool run_items(es_args *a, es_value *out, es_error *err)
{
    const es_items *from = its(a);
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; i + 1 < from->n; i += 2) {
        es_value pair[] = {es_value_ref(&from->of[i]), es_value_ref(&from->of[i + 1])};
        if (!es_items_add(es_value_items(out), es_value_tuple(pair, 2), err))
            return false;
    }
    return true;
}

/* Where the value of the key v[1] is; NULL: not there, or (*ok false) it failed. */
static es_value *lookup(es_args *a, bool *ok, es_error *err)
{
    bool equal = false;
    *ok = true;
    for (int64_t i = 0; i + 1 < its(a)->n; i += 2) {
        *ok = es_equal(a->in, &its(a)->of[i], &a->v[1], &equal, err);
        if (!*ok)
            return NULL;
        if (equal && i + 1 < its(a)->n)
            return &its(a)->of[i + 1];
    }
    return NULL;
}

static bool run_get(es_args *a, es_value *out, es_error *err)
{
    bool ok;
    const es_value *v = lookup(a, &ok, err);
    if (v)
        *out = es_value_ref(v);
    else if (ok && es_given(a, 2))
        *out = es_value_ref(&a->v[2]);
    return ok;
}

static bool run_pop_key(es_args *a, es_value *out, es_error *err)
{
    bool ok;
    const es_value *v = lookup(a, &ok, err);
    if (!v && ok && a->v[2].kind != ES_V_KINDS)
        return es_answer(out, es_value_ref(&a->v[2]));
    if (!v)
        return ok && !es_fail_key(a->in, &a->v[1], err) && es_arg_blame(a, 1, err);
    es_value held = es_value_ref(v);
    if (es_dict_delete(a->in, &a->v[0], &a->v[1], &ok, err))
        return es_answer(out, held);
    es_value_unref(&held);
    return false;
}

static bool run_setdefault(es_args *a, es_value *out, es_error *err)
{
    bool ok;
    const es_value *v = lookup(a, &ok, err);
    es_value usual = es_given(a, 2) ? a->v[2] : es_none();
    if (!v && (!ok || !es_index_assign(a->in, &a->v[0], &a->v[1], &usual, err)))
        return false;
    return es_answer(out, es_value_ref(v ? v : &usual));
}

/* What dict() would make of the same arguments, pair by pair. */
static bool run_update(es_args *a, es_value *out, es_error *err)
{
    es_value from;
    const es_builtin *dict = es_builtin_find("dict", 4, ES_IN_PLAIN);
    int64_t skip = !a->method;
    (void)out;
    if (!es_builtin_call(a->in, dict, NULL, a->given + skip, a->n_given - skip,
                         a->names ? a->names + skip : NULL, NULL, &from, err))
        return false;
    const es_items *pairs = es_value_items(&from);
    bool ok = true;
    for (int64_t i = 0; ok && i + 1 < pairs->n; i += 2)
        ok = es_index_assign(a->in, &a->v[0], &pairs->of[i], &pairs->of[i + 1], err);
    es_value_unref(&from);
    return ok;
}

const es_builtin es_methods_list[] = {
    {"append", ES_OF_VALUE, "self, object", "one more value at the end", "None", NULL,
     "a = [1]\na.append(2)\na", run_append},
    {"clear", ES_OF_VALUE, "self", "takes all values out", "None", NULL, "a = [1]\na.clear()\na",
     run_clear},
    {"copy", ES_OF_VALUE, "self", "a new list of the same values", "a list", NULL, "[1, 2].copy()",
     run_copy},
    {"count", ES_OF_VALUE, "self, value", "how many are equal to it", "an int", NULL,
     "[1, 2, 1].count(1)", run_count},
    {"extend", ES_OF_VALUE, "self, iterable", "more values at the end", "None", NULL,
     "a = [1]\na.extend(range(3))\na", run_extend},
    {"index", ES_OF_VALUE, "self, value", "where the first that is equal to it is", "an int", NULL,
     "[3, 7].index(7)", run_index},
    {"insert", ES_OF_VALUE, "self, index, object", "one more value before the index-th", "None",
     NULL, "a = [1, 3]\na.insert(1, 2)\na", run_insert},
    {"pop", ES_OF_VALUE, "self, index=-1", "takes one value out, the last", "that value", NULL,
     "[1, 2].pop()", run_pop},
    {"remove", ES_OF_VALUE, "self, value", "takes the first out that is equal to it", "None", NULL,
     "a = [1, 2]\na.remove(1)\na", run_remove},
    {"reverse", ES_OF_VALUE, "self", "turns it round", "None", NULL, "a = [1, 2]\na.reverse()\na",
     run_reverse},
    {"sort", ES_OF_VALUE, "self, *, key=None, reverse=False", "puts it in order", "None", NULL,
     "a = [3, 1, 2]\na.sort()\na", run_sort},
    {.name = NULL},
};

const es_builtin es_methods_tuple[] = {
    {"count", ES_OF_VALUE, "self, value", "how many are equal to it", "an int", NULL,
     "(1, 2, 1).count(1)", run_count},
    {"index", ES_OF_VALUE, "self, value", "where the first that is equal to it is", "an int", NULL,
     "(3, 7).index(7)", run_index},
    {"numel", ES_OF_VALUE, "self", "of a torch.Size: how many numbers that is", "an int", NULL,
     "torch.zeros(2, 3).shape.numel()", run_numel},
    {.name = NULL},
};

const es_builtin es_methods_dict[] = {
    {"clear", ES_OF_VALUE, "self", "takes everything out", "None", NULL,
     "a = {\"B\": 2}\na.clear()\na", run_clear},
    {"copy", ES_OF_VALUE, "self", "a new dict of the same", "a dict", NULL, "{\"B\": 2}.copy()",
     run_copy},
    {"get", ES_OF_VALUE, "self, key, default=None", "the value of a key, or another", "", NULL,
     "{\"B\": 2}.get(\"T\", 0)", run_get},
    {"items", ES_OF_VALUE, "self", "its keys and values", "a list of pairs", NULL,
     "{\"B\": 2}.items()", run_items},
    {"keys", ES_OF_VALUE, "self", "its keys", "a list", NULL, "{\"B\": 2}.keys()", run_keys},
    {"pop", ES_OF_VALUE, "self, key, default=None", "takes a key and its value out", "that value",
     NULL, "{\"B\": 2}.pop(\"B\")", run_pop_key},
    {"setdefault", ES_OF_VALUE, "self, key, default=None",
     "the value of a key, which is put in if it is not there", "", NULL,
     "{\"B\": 2}.setdefault(\"T\", 5)", run_setdefault},
    {"update", ES_OF_VALUE, "self, *pairs, **names", "takes over what another dict says", "None",
     NULL, "a = {\"B\": 2}\na.update({\"T\": 5})\na", run_update},
    {"values", ES_OF_VALUE, "self", "its values", "a list", NULL, "{\"B\": 2}.values()",
     run_values},
    {.name = NULL},
};
