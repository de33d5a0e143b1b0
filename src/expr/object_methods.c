// SPDX-License-Identifier: GPL-3.0-or-later
/* Methods that every object and every exception has, those of a reader's own classes too. */
#include "expr/classes.h"
#include "expr/inside.h"

static bool run_nothing(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)err;
    return es_answer(out, es_none());
}

static bool wants_instance(es_args *a, es_error *err)
{
    return a->v[0].kind == ES_V_INSTANCE ||
           es_fail(err, ES_ERR_TYPE, "%s() needs an instance first, not '%s'", a->of->name,
                   es_value_type_name(&a->v[0]));
}

/* The name of an attribute, at that place of the arguments. */
static bool wants_name(es_args *a, int i, const es_str_object **name, es_error *err)
{
    *name = es_value_as_str(&a->v[i]);
    return a->v[i].kind == ES_V_STR || es_arg_wrong(a, i, "str", err);
}

static bool run_setattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    return wants_instance(a, err) && wants_name(a, 1, &name, err) &&
           es_object_put_plain(a->in, &a->v[0], name->bytes, name->n, es_value_ref(&a->v[2]),
                               err) &&
           es_answer(out, es_none());
}

static bool run_delattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    return wants_instance(a, err) && wants_name(a, 1, &name, err) &&
           es_object_delete_plain(a->in, &a->v[0], name->bytes, name->n, err) &&
           es_answer(out, es_none());
}

static bool run_new(es_args *a, es_value *out, es_error *err)
{
    const es_value *cls = &a->v[0];
    if (cls->kind != ES_V_CLASS)
        return es_fail(err, ES_ERR_TYPE, "object.__new__(X): X is not a type object (%s)",
                       es_value_type_name(cls));
    return es_answer(out, es_instance_new(a->in, cls));
}

static bool run_mro(es_args *a, es_value *out, es_error *err)
{
    es_value at;
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; es_class_at(&a->v[0], i, &at); i++)
        if (!es_items_add(es_value_items(out), es_value_ref(&at), err)) {
            es_value_unref(out);
            return false;
        }
    return true;
}

static bool run_exception(es_args *a, es_value *out, es_error *err)
{
    if (!wants_instance(a, err))
        return false;
    for (int64_t i = 0; i < a->n_rest; i++)
        es_value_ref(&a->rest[i]);
    return es_own_put(&a->v[0], "args", 4, es_value_tuple(a->rest, a->n_rest), err) &&
           es_answer(out, es_none());
}

static const struct {
    const char *type;
    es_builtin entry;
} methods[] = {
    {"object", {"__init__", ES_OF_OBJECT, "self", "nothing", "", NULL, NULL, run_nothing}},
    {"object",
     {"__setattr__", ES_OF_OBJECT, "self, name, value", "an attribute becomes value", "", NULL,
      NULL, run_setattr}},
    {"object",
     {"__delattr__", ES_OF_OBJECT, "self, name", "an attribute is one no more", "", NULL, NULL,
      run_delattr}},
    {"object",
     {"__new__", ES_OF_CLASS, "cls, *args, **names", "an instance, before its __init__", "", NULL,
      NULL, run_new}},
    {"object",
     {"__init_subclass__", ES_OF_CLASS, "", "nothing: asked of each class that is derived", "",
      NULL, NULL, run_nothing}},
    {"type",
     {"mro", ES_OF_OBJECT, "self", "the class and those behind it, in order", "a list", NULL, NULL,
      run_mro}},
    {ES_TYPE_PARTIAL,
     {"__call__", ES_OF_OBJECT, "self, *args, **keywords", "calls func with what was kept", "",
      NULL, NULL, es_partial_call_run}},
    {ES_TYPE_PARTIAL,
     {"__repr__", ES_OF_OBJECT, "self", "as it is printed", "", NULL, NULL, es_partial_repr_run}},
    {ES_TYPE_ITERATOR,
     {"__next__", ES_OF_OBJECT, "self", "the next value", "", NULL, NULL, es_iterator_next_run}},
    {ES_TYPE_ITERATOR,
     {"__iter__", ES_OF_OBJECT, "self", "itself", "", NULL, NULL, es_iterator_itself_run}},
    {"BaseException",
     {"__init__", ES_OF_OBJECT, "self, *args", "keeps what it is given in args", "", NULL, NULL,
      run_exception}},
};

const es_builtin *es_object_builtin(const char *type, const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (!strcmp(methods[i].type, type) && !strncmp(methods[i].entry.name, name, n) &&
            !methods[i].entry.name[n])
            return &methods[i].entry;
    return NULL;
}

bool es_is_method_entry(const es_builtin *b)
{
    bool of_module = b->where & ES_IN_NN && (!b->params || !strncmp(b->params, "self", 4));
    return b->where & ES_OF_OBJECT || of_module;
}
