// SPDX-License-Identifier: GPL-3.0-or-later
/* Functions about classes and instances, and their attributes by name. */
#include <string.h>

#include "expr/classes.h"
#include "expr/inside.h"

static bool attribute_name(es_args *a, const es_str_object **name, es_error *err)
{
    *name = es_value_as_str(&a->v[1]);
    return a->v[1].kind == ES_V_STR || es_arg_wrong(a, 1, "a string", err);
}

static bool has_own(es_args *a, es_error *err)
{
    if (a->v[0].kind == ES_V_INSTANCE || a->v[0].kind == ES_V_CLASS)
        return true;
    es_fail(err, ES_ERR_TYPE, "'%s' object has no attributes of its own",
            es_value_type_name(&a->v[0]));
    return es_arg_blame(a, 0, err);
}

static bool run_setattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    (void)out;
    return attribute_name(a, &name, err) && has_own(a, err) &&
           es_object_put(a->in, &a->v[0], name->bytes, name->n, es_value_ref(&a->v[2]), err);
}

static bool run_delattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    (void)out;
    return attribute_name(a, &name, err) && has_own(a, err) &&
           es_object_delete(a->in, &a->v[0], name->bytes, name->n, err);
}

static bool run_vars(es_args *a, es_value *out, es_error *err)
{
    if (!es_given(a, 0)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "vars() alone is not done here");
        return es_hint(err, ":vars lists your variables");
    }
    return has_own(a, err) && es_attribute(a->in, &a->v[0], "__dict__", 8, out, err);
}

static bool is_class(const es_value *v)
{
    return v->kind == ES_V_CLASS || v->kind == ES_V_TYPE;
}

static bool is_below(es_args *a, const es_value *of, bool *is, es_error *err)
{
    for (int64_t i = 0; of->kind == ES_V_TUPLE && i < es_value_items(of)->n; i++)
        if (!*is && !is_below(a, &es_value_items(of)->of[i], is, err))
            return false;
    if (of->kind == ES_V_TUPLE)
        return true;
    if (!is_class(of)) {
        es_fail(err, ES_ERR_TYPE, "issubclass() arg 2 must be a class or a tuple of classes");
        return es_arg_blame(a, 1, err);
    }
    *is = es_is_subclass(&a->v[0], of);
    return true;
}

static bool run_issubclass(es_args *a, es_value *out, es_error *err)
{
    bool is = false;
    if (!is_class(&a->v[0])) {
        es_fail(err, ES_ERR_TYPE, "issubclass() arg 1 must be a class");
        return es_arg_blame(a, 0, err);
    }
    return is_below(a, &a->v[1], &is, err) && es_answer(out, es_value_bool(is));
}

static bool run_super(es_args *a, es_value *out, es_error *err)
{
    return es_super_new(a->in, a->rest, a->n_rest, out, err);
}

/* What Python makes one by one is a list here, and next() takes the first out of it. */
static es_value take_first(es_items *items)
{
    es_value first = items->of[0];
    items->n--;
    memmove(items->of, items->of + 1, (size_t)items->n * sizeof first);
    return first;
}

static bool run_next(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    bool usual = a->v[1].kind != ES_V_KINDS;
    a->in->guarded += usual;
    int done = es_object_method(a->in, v, "__next__", NULL, 0, out, err);
    a->in->guarded -= usual;
    if (done < 0 && usual && es_is_raised(a->in, "StopIteration")) {
        es_forgive(a->in, err);
        return es_answer(out, es_value_ref(&a->v[1]));
    }
    if (done)
        return done > 0;
    if (v->kind == ES_V_LIST && es_value_items(v)->n)
        return es_answer(out, take_first(es_value_items(v)));
    if (v->kind == ES_V_LIST && usual)
        return es_answer(out, es_value_ref(&a->v[1]));
    if (v->kind == ES_V_LIST)
        return es_fail(err, ES_ERR_VALUE, "StopIteration");
    es_fail(err, ES_ERR_TYPE, "'%s' object is not an iterator", es_value_type_name(v));
    es_hint(err, "a loop goes through it: for x in …");
    return es_arg_blame(a, 0, err);
}

const es_builtin es_builtins_object[] = {
    {"delattr", ES_IN_PLAIN, "obj, name", "takes an attribute away, as del obj.name", "None", NULL,
     "class A:\n    pass\na = A()\na.x = 1\ndelattr(a, \"x\")", run_delattr},
    {"hash", ES_IN_PLAIN, "obj", "a number that is the same for equal values", "an int",
     "The numbers are not Python's.", "hash((1, 2)) == hash((1, 2))", es_hash_run},
    {"issubclass", ES_IN_PLAIN, "cls, classinfo", "is it that class, or derived from it?", "a bool",
     NULL, "issubclass(IndexError, Exception)", run_issubclass},
    {"iter", ES_IN_PLAIN, "iterable", "its values one after another, for next()", "", NULL,
     "it = iter([3, 7])\nnext(it), next(it)", es_iterator_new_run},
    {"next", ES_IN_PLAIN, "iterator, default=None",
     "the next value of an instance with __next__; of a list, the first, which is taken out of it",
     "", NULL, "values = iter([3, 4])\nnext(values), next(values)", run_next},
    {"setattr", ES_IN_PLAIN, "obj, name, value", "sets an attribute, as obj.name = value", "None",
     NULL, "class A:\n    pass\na = A()\nsetattr(a, \"x\", 1)\na.x", run_setattr},
    {"super", ES_IN_PLAIN, "*args",
     "in a method: the instance, with the methods of the classes behind its own", "", NULL,
     "class A:\n    def f(self):\n        return 1\n"
     "class B(A):\n    def f(self):\n        return super().f() + 1\nB().f()",
     run_super},
    {"vars", ES_IN_PLAIN, "obj=None", "the attributes an instance has of its own", "a dict", NULL,
     "class A:\n    pass\na = A()\na.x = 1\nvars(a)", run_vars},
    {.name = NULL},
};
