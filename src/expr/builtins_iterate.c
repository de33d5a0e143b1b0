// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's functions of many values: sums, orders, lists.  What Python makes one by one (zip, enumerate, map) is a
 * list here, made at once. */
#include "expr/inside.h"
#include "expr/lists.h"
#include "expr/sort.h"

/* ---- several at once ---- */

static bool run_enumerate(es_args *a, es_value *out, es_error *err)
{
    int64_t start = 0;
    if (es_given(a, 1) && !es_arg_int64(a, 1, &start, err))
        return false;
    if (!es_list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_items *items = es_value_items(out);
    for (int64_t i = 0; i < items->n; i++)
        items->of[i] = es_value_tuple(
            (es_value[]){es_value_int((int64_t)((uint64_t)start + (uint64_t)i)), items->of[i]}, 2);
    return true;
}

enum { MOST_ZIPPED = 16 };

/* The next of each walk, as a tuple at the end of the list.  1 more, 0 one of them has ended, -1 failed.
 * *got: so many had one. */
static int zip_next(es_args *a, es_iter *w, int n, es_value *list, int *got, es_error *err)
{
    es_value v[MOST_ZIPPED];
    int more = 1;
    *got = 0;
    while (*got < n && (more = es_iter_next(&w[*got], a->in, &v[*got], err)) > 0)
        ++*got;
    if (*got == n) {
        bool ok = es_items_add(es_value_items(list), es_value_tuple(v, n), err) &&
                  es_watch_step(a->k->watch, 0, err);
        return ok ? 1 : -1;
    }
    for (int i = 0; i < *got; i++)
        es_value_unref(&v[i]);
    return more;
}

/* One has ended, after `got` others had another value: have the rest ended as well? */
static bool all_ended(es_args *a, es_iter *w, int n, int got, es_error *err)
{
    for (int i = got ? 0 : 1; i < n; i++) {
        es_value v;
        int more = got ? 1 : es_iter_next(&w[i], a->in, &v, err);
        if (more < 0)
            return false;
        if (more && got)
            return es_fail(err, ES_ERR_VALUE, "zip() argument %d is shorter than argument 1",
                           got + 1);
        if (more) {
            es_value_unref(&v);
            return es_fail(err, ES_ERR_VALUE, "zip() argument %d is longer than argument 1", i + 1);
        }
    }
    return true;
}

static bool zip(es_args *a, bool strict, es_value *out, es_error *err)
{
    es_iter w[MOST_ZIPPED];
    int open = 0, got = 0, n = (int)a->n_rest, more = n > 0;
    if (a->n_rest > MOST_ZIPPED)
        return es_fail(err, ES_ERR_UNSUPPORTED, "%s() takes at most %d iterables here", a->of->name,
                       MOST_ZIPPED);
    *out = es_list_new(a);
    while (open < n && es_iter_begin(&w[open], a->in, &a->rest[open], err))
        open++;
    if (open < n)
        more = -1;
    while (more > 0)
        more = zip_next(a, w, n, out, &got, err);
    if (more == 0 && strict && !all_ended(a, w, n, got, err))
        more = -1;
    while (open > 0)
        es_iter_end(&w[--open]);
    return more == 0 || es_list_fail(out);
}

static bool run_zip(es_args *a, es_value *out, es_error *err)
{
    bool strict;
    return es_arg_bool(a, 1, false, &strict, err) && zip(a, strict, out, err);
}

static bool run_map(es_args *a, es_value *out, es_error *err)
{
    es_value zipped;
    if (!zip(a, false, &zipped, err))
        return false;
    const es_items *items = es_value_items(&zipped);
    bool ok = true;
    *out = es_list_new(a);
    for (int64_t i = 0; ok && i < items->n; i++) {
        const es_items *of = es_value_items(&items->of[i]);
        es_value v;
        ok = es_call_value(a->in, &a->v[0], of->of, of->n, &v, err) &&
             es_items_add(es_value_items(out), v, err);
    }
    es_value_unref(&zipped);
    return ok || es_list_fail(out);
}

static bool keep(es_args *a, const es_value *v, void *list, es_error *err)
{
    es_value said = es_value_ref(v);
    bool truth;
    if (es_given(a, 0)) {
        es_value_unref(&said);
        if (!es_call_value(a->in, &a->v[0], v, 1, &said, err))
            return false;
    }
    bool ok = es_truth(a->in, &said, &truth, err);
    es_value_unref(&said);
    return ok && (!truth || es_items_add(list, es_value_ref(v), err));
}

static bool run_filter(es_args *a, es_value *out, es_error *err)
{
    *out = es_list_new(a);
    return es_each(a, &a->v[1], keep, es_value_items(out), err) || es_list_fail(out);
}

/* ---- orders ---- */

static bool run_sorted(es_args *a, es_value *out, es_error *err)
{
    bool reverse;
    if (!es_arg_bool(a, 2, false, &reverse, err))
        return false;
    if (!es_list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_items *items = es_value_items(out);
    return es_sort(a->in, items->of, items->n, es_given(a, 1) ? &a->v[1] : NULL, reverse, err) ||
           es_list_fail(out);
}

static bool run_reversed(es_args *a, es_value *out, es_error *err)
{
    if (!es_list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_items *items = es_value_items(out);
    for (int64_t i = 0, j = items->n - 1; i < j; i++, j--) {
        es_value swap = items->of[i];
        items->of[i] = items->of[j];
        items->of[j] = swap;
    }
    return true;
}

/* The best so far, and what it is compared by. */
typedef struct best {
    bool any, least; /* least: min */
    es_value v, key;
} best;

static bool better(es_args *a, const es_value *v, void *user, es_error *err)
{
    best *b = user;
    es_value key = es_value_ref(v);
    bool is = true;
    if (es_given(a, 1)) {
        es_value_unref(&key);
        if (!es_call_value(a->in, &a->v[1], v, 1, &key, err))
            return false;
    }
    if (b->any && !(b->least ? es_less(a->in, &key, &b->key, &is, err)
                             : es_less(a->in, &b->key, &key, &is, err))) {
        es_value_unref(&key);
        return false;
    }
    if (is) {
        es_value_unref(&b->v);
        es_value_unref(&b->key);
        *b = (best){.any = true, .least = b->least, .v = es_value_ref(v), .key = key};
    } else
        es_value_unref(&key);
    return true;
}

static bool run_best(es_args *a, es_value *out, es_error *err)
{
    best b = {.least = !strcmp(a->of->name, "min")};
    bool ok = true;
    if (a->n_rest == 1)
        ok = es_each(a, &a->rest[0], better, &b, err);
    for (int64_t i = 0; ok && a->n_rest > 1 && i < a->n_rest; i++)
        ok = better(a, &a->rest[i], &b, err);
    es_value_unref(&b.key);
    if (ok && b.any)
        return es_answer(out, b.v);
    es_value_unref(&b.v);
    if (!ok)
        return es_arg_blame(a, 0, err);
    if (a->v[2].kind != ES_V_KINDS)
        return es_answer(out, es_value_ref(&a->v[2]));
    if (a->n_rest == 0)
        return es_fail(err, ES_ERR_TYPE, "%s expected at least 1 argument, got 0", a->of->name);
    es_fail(err, ES_ERR_VALUE, "%s() arg is an empty sequence", a->of->name);
    return es_arg_blame(a, 0, err);
}

/* ---- one value of many ---- */

static bool add(es_args *a, const es_value *v, void *user, es_error *err)
{
    es_value *sum = user, before = *sum;
    bool ok = es_binary(a->in, ES_OP_ADD, &before, v, sum, err);
    if (ok)
        es_value_unref(&before);
    else
        *sum = before;
    return ok;
}

static bool run_sum(es_args *a, es_value *out, es_error *err)
{
    *out = es_given(a, 1) ? es_value_ref(&a->v[1]) : es_value_int(0);
    if (out->kind == ES_V_STR) {
        es_value_unref(out);
        es_fail(err, ES_ERR_TYPE, "sum() can't sum strings [use ''.join(seq) instead]");
        return es_arg_blame(a, 1, err);
    }
    if (es_each(a, &a->v[0], add, out, err))
        return true;
    es_value_unref(out);
    return es_arg_blame(a, 0, err);
}

/* any and all: `wanted` is the truth that settles it. */
typedef struct quest {
    bool wanted, found;
} quest;

static bool look(es_args *a, const es_value *v, void *user, es_error *err)
{
    quest *q = user;
    bool truth;
    if (!q->found && !es_truth(a->in, v, &truth, err))
        return false;
    q->found = q->found || truth == q->wanted;
    return true;
}

static bool run_any_all(es_args *a, es_value *out, es_error *err)
{
    quest q = {.wanted = !strcmp(a->of->name, "any")};
    if (!es_each(a, &a->v[0], look, &q, err))
        return es_arg_blame(a, 0, err);
    return es_answer(out, es_value_bool(q.found == q.wanted));
}

const es_builtin es_builtins_iterate[] = {
    {"all", ES_IN_PLAIN, "iterable", "are all of them true?", "a bool", NULL, "all([1, 2, 0])",
     run_any_all},
    {"any", ES_IN_PLAIN, "iterable", "is one of them true?", "a bool", NULL, "any([0, 0, 3])",
     run_any_all},
    {"dict", ES_IN_PLAIN, "*pairs, **names", "values by their keys", "a dict", NULL,
     "dict(B=2, T=5)", es_make_dict},
    {"OrderedDict", ES_IN_PLAIN | ES_IN_COLLECTIONS, "*pairs, **names",
     "values by their keys: a dict, which keeps its order anyway", "a dict", NULL,
     "OrderedDict([(\"B\", 2), (\"T\", 5)])", es_make_ordered_dict},
    {"enumerate", ES_IN_PLAIN, "iterable, start=0", "each value with its number", "a list of pairs",
     NULL, "for i, c in enumerate(\"ab\"):\n    print(i, c)", run_enumerate},
    {"filter", ES_IN_PLAIN, "function, iterable", "those for which a function is true", "a list",
     NULL, "filter(lambda n: n % 2, range(6))", run_filter},
    {"list", ES_IN_PLAIN, "iterable=()", "its values in a new list", "a list", NULL,
     "list(range(4))", es_make_list},
    {"map", ES_IN_PLAIN, "function, *iterables", "what a function makes of each value", "a list",
     NULL, "map(lambda n: n * n, range(4))", run_map},
    {"max", ES_IN_PLAIN, "*values, key=None, default=None", "the largest",
     "one of them; a size keeps the name of its axis", NULL, "max(3, 7, 5)", run_best},
    {"min", ES_IN_PLAIN, "*values, key=None, default=None", "the smallest",
     "one of them; a size keeps the name of its axis", NULL, "min([3, 7, 5])", run_best},
    {"range", ES_IN_PLAIN, "start, stop=None, step=None",
     "integers from start, or 0, up to but not stop", "a range", NULL, "list(range(2, 10, 3))",
     es_make_range},
    {"reversed", ES_IN_PLAIN, "sequence", "its values from the last to the first", "a list", NULL,
     "reversed([1, 2, 3])", run_reversed},
    {"slice", ES_IN_PLAIN, "start, stop=None, step=None", "what start:stop:step means in brackets",
     "a slice", NULL, "torch.arange(6)[slice(1, 4)]", es_make_slice},
    {"sorted", ES_IN_PLAIN, "iterable, *, key=None, reverse=False", "its values in order", "a list",
     NULL, "sorted([3, 1, 2])", run_sorted},
    {"sum", ES_IN_PLAIN, "iterable, start=0", "all of them added up, from the left",
     "as + makes it; tensors are added as tensors", NULL, "sum([1, 2, 3])", run_sum},
    {"tuple", ES_IN_PLAIN, "iterable=()", "its values in a tuple", "a tuple", NULL, "tuple([2, 3])",
     es_make_tuple},
    {"zip", ES_IN_PLAIN, "*iterables, strict=False", "the first of each, the second of each, …",
     "a list of tuples, as long as the shortest", NULL, "zip([1, 2], \"ab\")", run_zip},
    {.name = NULL},
};
