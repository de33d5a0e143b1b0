// SPDX-License-Identifier: GPL-3.0-or-later
/* Functions about instances of a dataclass: asdict, astuple, replace, fields. */
#include "expr/classes.h"
#include "expr/dataclass.h"

/* ---- asdict, astuple: with all that is in them ---- */

typedef struct taking {
    es_interp *in;
    bool named; /* as dicts, not as tuples */
} taking;

static bool take(const taking *t, const es_value *v, es_value *out, int depth, es_error *err);

static bool take_fields(const taking *t, const es_value *v, const es_items *fields, es_value *out,
                        int depth, es_error *err)
{
    es_items **all = es_interp_containers(t->in);
    bool ok = true;
    *out = t->named ? es_value_dict(all) : es_value_list(all);
    for (int64_t i = 0; ok && i < fields->n; i += 2) {
        es_value part;
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        const es_value *x = es_own_get(v, name->bytes, name->n);
        if (!x)
            continue;
        ok = take(t, x, &part, depth, err);
        if (ok && t->named) {
            ok = es_dict_put(t->in, out, &fields->of[i], &part, err);
            es_value_unref(&part);
        } else if (ok)
            ok = es_items_add(es_value_items(out), part, err);
    }
    if (ok && !t->named)
        es_list_to_tuple(out, ES_V_TUPLE);
    if (!ok)
        es_value_unref(out);
    return ok;
}

/* Lists, tuples and the values of dicts. */
static bool take_items(const taking *t, const es_value *v, es_value *out, int depth, es_error *err)
{
    es_items **all = es_interp_containers(t->in);
    const es_items *from = es_value_items(v);
    bool ok = true, dict = v->kind == ES_V_DICT;
    *out = dict ? es_value_dict(all) : es_value_list(all);
    es_value_items(out)->type = dict ? from->type : NULL;
    for (int64_t i = 0; ok && i < from->n; i++) {
        es_value part;
        ok = dict && i % 2 == 0 ? (part = es_value_ref(&from->of[i]), true)
                                : take(t, &from->of[i], &part, depth, err);
        ok = ok && es_items_add(es_value_items(out), part, err);
    }
    if (ok && v->kind == ES_V_TUPLE)
        es_list_to_tuple(out, ES_V_TUPLE);
    if (!ok)
        es_value_unref(out);
    return ok;
}

static bool take(const taking *t, const es_value *v, es_value *out, int depth, es_error *err)
{
    if (depth > ES_MOST_DEPTH)
        return es_fail(err, ES_ERR_RANGE, "values nested more than %d deep are not copied",
                       ES_MOST_DEPTH);
    if (!es_tick(t->in, err))
        return false;
    const es_items *fields = v->kind == ES_V_INSTANCE ? es_fields_of(es_instance_class(v)) : NULL;
    if (fields)
        return take_fields(t, v, fields, out, depth + 1, err);
    bool plain_tuple = v->kind == ES_V_TUPLE && !es_value_items(v)->fields;
    if (v->kind == ES_V_LIST || v->kind == ES_V_DICT || plain_tuple)
        return take_items(t, v, out, depth + 1, err);
    *out = es_value_ref(v);
    return true;
}

static bool run_taking(es_args *a, es_value *out, bool named, es_error *err)
{
    const es_items *fields;
    const taking t = {.in = a->in, .named = named};
    return es_dataclass_self(a, &fields, err) && take(&t, &a->v[0], out, 0, err);
}

static bool run_asdict(es_args *a, es_value *out, es_error *err)
{
    return run_taking(a, out, true, err);
}

static bool run_astuple(es_args *a, es_value *out, es_error *err)
{
    return run_taking(a, out, false, err);
}

/* ---- replace, fields ---- */

/* The values of its fields by name, but for those that are given others. */
static bool gather(es_args *a, const es_items *fields, es_value *names, es_error *err)
{
    *names = es_value_dict(es_interp_containers(a->in));
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        const es_value *x = es_own_get(&a->v[0], name->bytes, name->n);
        bool taken = es_field_part(&fields->of[i + 1], ES_FIELD_IN_INIT)->u.b;
        if (x && taken && !es_dict_put(a->in, names, &fields->of[i], x, err))
            return false;
    }
    for (int64_t i = 0; a->names && i < a->n_given; i++) {
        es_value key = a->names[i] ? es_value_str(a->names[i], strlen(a->names[i])) : es_none();
        bool ok = !a->names[i] || es_dict_put(a->in, names, &key, &a->given[i], err);
        es_value_unref(&key);
        if (!ok)
            return false;
    }
    return true;
}

static bool run_replace(es_args *a, es_value *out, es_error *err)
{
    enum { MOST = 100 };
    const es_items *fields;
    es_value names, v[MOST];
    const char *name[MOST];
    int64_t n = 0;
    if (!es_dataclass_self(a, &fields, err))
        return false;
    bool ok = gather(a, fields, &names, err);
    const es_items *pairs = es_value_items(&names);
    if (ok && pairs->n / 2 > MOST)
        ok = es_fail(err, ES_ERR_RANGE, "more than %d fields", MOST);
    for (; ok && 2 * n < pairs->n; n++) {
        name[n] = es_value_as_str(&pairs->of[2 * n])->bytes;
        v[n] = pairs->of[2 * n + 1];
    }
    es_value cls = es_value_ref(es_instance_class(&a->v[0])); /* attributes move as they are made */
    ok = ok && es_class_call(a->in, &cls, v, n, name, NULL, out, err);
    es_value_unref(&cls);
    es_value_unref(&names);
    return ok;
}

static bool run_fields(es_args *a, es_value *out, es_error *err)
{
    const es_value *cls = a->v[0].kind == ES_V_INSTANCE ? es_instance_class(&a->v[0]) : &a->v[0];
    const es_items *fields = cls->kind == ES_V_CLASS ? es_fields_of(cls) : NULL;
    if (!fields) {
        es_fail(err, ES_ERR_TYPE, "must be called with a dataclass type or instance");
        return es_arg_blame(a, 0, err);
    }
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; i < fields->n; i += 2) {
        es_value pair =
            es_value_pair(es_value_ref(&fields->of[i]),
                          es_value_ref(es_field_part(&fields->of[i + 1], ES_FIELD_DEFAULT)),
                          "Field", "name default");
        if (!es_items_add(es_value_items(out), pair, err)) {
            es_value_unref(out);
            return false;
        }
    }
    es_list_to_tuple(out, ES_V_TUPLE);
    return true;
}

#define POINT "@dataclass\nclass Point:\n    x: int\n    y: int = 0\n"

const es_builtin es_builtins_dataclasses[] = {
    {"asdict", ES_IN_PLAIN | ES_IN_DATACLASSES, "obj",
     "the fields of a dataclass by name, of those within it too", "a dict", NULL,
     POINT "asdict(Point(1))", run_asdict},
    {"astuple", ES_IN_DATACLASSES, "obj", "the values of its fields, of those within it too",
     "a tuple", NULL, "from dataclasses import astuple\n" POINT "astuple(Point(1))", run_astuple},
    {"dataclass", ES_IN_PLAIN | ES_IN_DATACLASSES,
     "cls=None, init=True, repr=True, eq=True, frozen=False, *, order=False, slots=False, "
     "kw_only=False",
     "above a class: its annotated names become what it is made from", "the class", NULL,
     POINT "Point(1)", es_dataclass_run},
    {"field", ES_IN_PLAIN | ES_IN_DATACLASSES,
     "*, default=None, default_factory=None, init=True, repr=True, compare=True",
     "a field of a dataclass", "", NULL,
     "@dataclass\nclass Sizes:\n    of: list = field(default_factory=list)\nSizes()", es_field_run},
    {"fields", ES_IN_DATACLASSES, "class_or_instance", "its fields, each with .name and .default",
     "a tuple", NULL, "import dataclasses\n" POINT "[f.name for f in dataclasses.fields(Point)]",
     run_fields},
    {"replace", ES_IN_DATACLASSES, "obj, **changes", "another of its class, with other values",
     "an instance", NULL, "from dataclasses import replace\n" POINT "replace(Point(1), y=2)",
     run_replace},
    {.name = NULL},
};
