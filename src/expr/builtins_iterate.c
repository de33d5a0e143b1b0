// SPDX-License-Identifier: GPL-3.0-or-later
/* Python's functions of many values: sums, orders, lists.  What Python makes one by one (zip, enumerate, map) is a
 * list here, made at once. */
#include <inttypes.h>

#include "expr/inside.h"
#include "expr/sort.h"

static es_value new_list(es_args *a)
{
    return es_value_list(es_interp_containers(a->in));
}

static bool fail_list(es_value *list)
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

/* Calls each value that v holds; `each` borrows it. */
typedef bool each_fn(es_args *a, const es_value *v, void *user, es_error *err);

static bool walk(es_args *a, const es_value *of, each_fn *each, void *user, es_error *err)
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

/* A new list of what v holds. */
static bool list_of(es_args *a, const es_value *v, es_value *out, es_error *err)
{
    *out = new_list(a);
    es_items *items = es_value_items(out);
    if (es_items_room(items, (double)expected(v), err) && walk(a, v, append, items, err))
        return true;
    return fail_list(out);
}

static bool run_list(es_args *a, es_value *out, es_error *err)
{
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, new_list(a));
    return list_of(a, &a->v[0], out, err) || es_arg_blame(a, 0, err);
}

static bool run_tuple(es_args *a, es_value *out, es_error *err)
{
    if (a->v[0].kind == ES_V_KINDS)
        return es_answer(out, es_value_tuple(NULL, 0));
    if (!list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_list_to_tuple(out, ES_V_TUPLE);
    return true;
}

static bool add_pair(es_args *a, const es_value *v, void *dict, es_error *err)
{
    es_value pair;
    if (!list_of(a, v, &pair, err))
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

static bool run_dict(es_args *a, es_value *out, es_error *err)
{
    *out = es_value_dict(es_interp_containers(a->in));
    bool ok = true;
    if (a->n_rest && a->rest[0].kind == ES_V_DICT)
        ok = copy_dict(a, &a->rest[0], out, err);
    else if (a->n_rest)
        ok = walk(a, &a->rest[0], add_pair, out, err);
    if (ok && a->n_rest > 1)
        ok = es_fail(err, ES_ERR_TYPE,
                     "dict() takes at most 1 positional argument but %" PRId64 " were given",
                     a->n_rest);
    return (ok && set_named(a, out, err)) || fail_list(out);
}

static bool run_OrderedDict(es_args *a, es_value *out, es_error *err)
{
    if (!run_dict(a, out, err))
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

static bool run_range(es_args *a, es_value *out, es_error *err)
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

static bool run_slice(es_args *a, es_value *out, es_error *err)
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

/* ---- several at once ---- */

static bool run_enumerate(es_args *a, es_value *out, es_error *err)
{
    int64_t start = 0;
    if (es_given(a, 1) && !es_arg_int64(a, 1, &start, err))
        return false;
    if (!list_of(a, &a->v[0], out, err))
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
    *out = new_list(a);
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
    return more == 0 || fail_list(out);
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
    *out = new_list(a);
    for (int64_t i = 0; ok && i < items->n; i++) {
        const es_items *of = es_value_items(&items->of[i]);
        es_value v;
        ok = es_call_value(a->in, &a->v[0], of->of, of->n, &v, err) &&
             es_items_add(es_value_items(out), v, err);
    }
    es_value_unref(&zipped);
    return ok || fail_list(out);
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
    *out = new_list(a);
    return walk(a, &a->v[1], keep, es_value_items(out), err) || fail_list(out);
}

/* ---- orders ---- */

static bool run_sorted(es_args *a, es_value *out, es_error *err)
{
    bool reverse;
    if (!es_arg_bool(a, 2, false, &reverse, err))
        return false;
    if (!list_of(a, &a->v[0], out, err))
        return es_arg_blame(a, 0, err);
    es_items *items = es_value_items(out);
    return es_sort(a->in, items->of, items->n, es_given(a, 1) ? &a->v[1] : NULL, reverse, err) ||
           fail_list(out);
}

static bool run_reversed(es_args *a, es_value *out, es_error *err)
{
    if (!list_of(a, &a->v[0], out, err))
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
        ok = walk(a, &a->rest[0], better, &b, err);
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
    if (walk(a, &a->v[0], add, out, err))
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
    if (!walk(a, &a->v[0], look, &q, err))
        return es_arg_blame(a, 0, err);
    return es_answer(out, es_value_bool(q.found == q.wanted));
}

const es_builtin es_builtins_iterate[] = {
    {"all", ES_IN_PLAIN, "iterable", "are all of them true?", "a bool", NULL, "all([1, 2, 0])",
     run_any_all},
    {"any", ES_IN_PLAIN, "iterable", "is one of them true?", "a bool", NULL, "any([0, 0, 3])",
     run_any_all},
    {"dict", ES_IN_PLAIN, "*pairs, **names", "values by their keys", "a dict", NULL,
     "dict(B=2, T=5)", run_dict},
    {"OrderedDict", ES_IN_PLAIN | ES_IN_COLLECTIONS, "*pairs, **names",
     "values by their keys: a dict, which keeps its order anyway", "a dict", NULL,
     "OrderedDict([(\"B\", 2), (\"T\", 5)])", run_OrderedDict},
    {"enumerate", ES_IN_PLAIN, "iterable, start=0", "each value with its number", "a list of pairs",
     NULL, "for i, c in enumerate(\"ab\"):\n    print(i, c)", run_enumerate},
    {"filter", ES_IN_PLAIN, "function, iterable", "those for which a function is true", "a list",
     NULL, "filter(lambda n: n % 2, range(6))", run_filter},
    {"list", ES_IN_PLAIN, "iterable=()", "its values in a new list", "a list", NULL,
     "list(range(4))", run_list},
    {"map", ES_IN_PLAIN, "function, *iterables", "what a function makes of each value", "a list",
     NULL, "map(lambda n: n * n, range(4))", run_map},
    {"max", ES_IN_PLAIN, "*values, key=None, default=None", "the largest",
     "one of them; a size keeps the name of its axis", NULL, "max(3, 7, 5)", run_best},
    {"min", ES_IN_PLAIN, "*values, key=None, default=None", "the smallest",
     "one of them; a size keeps the name of its axis", NULL, "min([3, 7, 5])", run_best},
    {"range", ES_IN_PLAIN, "start, stop=None, step=None",
     "integers from start, or 0, up to but not stop", "a range", NULL, "list(range(2, 10, 3))",
     run_range},
    {"reversed", ES_IN_PLAIN, "sequence", "its values from the last to the first", "a list", NULL,
     "reversed([1, 2, 3])", run_reversed},
    {"slice", ES_IN_PLAIN, "start, stop=None, step=None", "what start:stop:step means in brackets",
     "a slice", NULL, "torch.arange(6)[slice(1, 4)]", run_slice},
    {"sorted", ES_IN_PLAIN, "iterable, *, key=None, reverse=False", "its values in order", "a list",
     NULL, "sorted([3, 1, 2])", run_sorted},
    {"sum", ES_IN_PLAIN, "iterable, start=0", "all of them added up, from the left",
     "as + makes it; tensors are added as tensors", NULL, "sum([1, 2, 3])", run_sum},
    {"tuple", ES_IN_PLAIN, "iterable=()", "its values in a tuple", "a tuple", NULL, "tuple([2, 3])",
     run_tuple},
    {"zip", ES_IN_PLAIN, "*iterables, strict=False", "the first of each, the second of each, …",
     "a list of tuples, as long as the shortest", NULL, "zip([1, 2], \"ab\")", run_zip},
    {.name = NULL},
};
