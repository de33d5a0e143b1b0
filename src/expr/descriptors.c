// SPDX-License-Identifier: GPL-3.0-or-later
/* Decorators: functions that are given what is below them, and those that change nothing here. */
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/methods.h"

/* ---- property(f), staticmethod(f), classmethod(f) ---- */

bool es_is_descriptor(const es_value *v, const char *type)
{
    return v->kind == ES_V_DESCRIPTOR && !strcmp(es_value_items(v)->of[0].u.name, type);
}

bool es_is_descriptor_type(const char *type)
{
    return !strcmp(type, "property") || !strcmp(type, "staticmethod") ||
           !strcmp(type, "classmethod");
}

bool es_descriptor_new(const es_value *type, const es_value *args, int64_t n, es_value *out,
                       es_error *err)
{
    bool property = !strcmp(type->u.name, "property");
    int64_t parts = property ? ES_PROPERTY_PARTS : 2;
    if (n < 1 || n > parts - 1)
        return es_fail(err, ES_ERR_TYPE, "%s() takes a function", type->u.name);
    es_value part[ES_PROPERTY_PARTS] = {*type};
    for (int64_t i = 1; i < parts; i++)
        part[i] = i <= n ? es_value_ref(&args[i - 1]) : es_none();
    *out = es_value_parts(ES_V_DESCRIPTOR, part, parts);
    return true;
}

/* @x.setter: the property x, with one function of it another. */
static bool run_accessor(es_args *a, es_value *out, es_error *err)
{
    if (!es_is_descriptor(&a->v[0], "property"))
        return es_fail(err, ES_ERR_NAME, "'%s' object has no attribute '%s'",
                       es_value_type_name(&a->v[0]), a->of->name);
    const es_value *of = es_value_items(&a->v[0])->of;
    int which = !strcmp(a->of->name, "getter")   ? ES_PROPERTY_GET
                : !strcmp(a->of->name, "setter") ? ES_PROPERTY_SET
                                                 : ES_PROPERTY_DELETE;
    es_value part[ES_PROPERTY_PARTS] = {of[0]};
    for (int i = 1; i < ES_PROPERTY_PARTS; i++)
        part[i] = es_value_ref(i == which ? &a->v[1] : &of[i]);
    return es_answer(out, es_value_parts(ES_V_DESCRIPTOR, part, ES_PROPERTY_PARTS));
}

const es_builtin es_methods_property[] = {
    {"deleter", ES_OF_VALUE, "self, f", "the property, deleted by f", "a property", NULL,
     "p = property(lambda self: 1)\np.deleter(lambda self: None)", run_accessor},
    {"getter", ES_OF_VALUE, "self, f", "the property, read by f", "a property", NULL,
     "p = property(lambda self: 1)\np.getter(lambda self: 2)", run_accessor},
    {"setter", ES_OF_VALUE, "self, f", "the property, set by f", "a property", NULL,
     "p = property(lambda self: 1)\np.setter(lambda self, x: None)", run_accessor},
    {.name = NULL},
};

/* ---- @… above def and class ---- */

static bool is_one_of(const es_node *n, const char *const *names)
{
    const es_node *f = n->kind == ES_N_CALL ? n->kid[0] : n;
    for (; f->text && *names; names++)
        if (!strcmp(f->text, *names))
            return true;
    return false;
}

/* There are no gradients, and nothing is refused for being abstract or final. */
static bool changes_nothing(const es_node *n)
{
    static const char *const names[] = {"abstractmethod", "override", "final", NULL};
    return es_grad_mode(n) || is_one_of(n, names);
}

/* decorator(*v) in the place of *v. */
static bool decorate(es_interp *in, const es_node *n, es_value *v, es_error *err)
{
    es_value f, out;
    if (!es_eval(in, n, &f, err))
        return false;
    bool ok = es_call_value(in, &f, v, 1, &out, err) || es_blame(in, n, &f, 1, err);
    es_value_unref(&f);
    if (!ok)
        return false;
    es_value_unref(v);
    *v = out;
    return true;
}

bool es_decorate(es_interp *in, const es_node *def, int first, es_value *v, es_error *err)
{
    for (int i = def->n_kids - 1; i >= first; i--)
        if (!changes_nothing(def->kid[i]) && !decorate(in, def->kid[i], v, err))
            return false;
    return true;
}
