// SPDX-License-Identifier: GPL-3.0-or-later
/* What kind of value something is, and what it can do; and functions of Python that are not here. */
#include "expr/classes.h"
#include "expr/inside.h"

/* As the names of types in the language have it: torch.Tensor, nn.Embedding. */
static const char *type_of(const es_value *v)
{
    if (v->kind == ES_V_TENSOR)
        return ((const es_tensor_object *)v->u.o)->parameter ? "torch.nn.Parameter"
                                                             : "torch.Tensor";
    return es_value_type_name(v);
}

static bool run_type(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    if (a->v[0].kind == ES_V_INSTANCE)
        return es_answer(out, es_value_ref(es_instance_class(&a->v[0])));
    if (a->v[0].kind == ES_V_CLASS)
        return es_answer(out, es_value_named(ES_V_TYPE, "type"));
    return es_answer(out, es_value_named(ES_V_TYPE, type_of(&a->v[0])));
}

static const char *last_name(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static bool is_a(const es_value *v, const char *type)
{
    static const struct {
        const char *type, *also;
    } kinds[] = {
        {"bool", "int"}, {"Parameter", "Tensor"}, {"Size", "tuple"}, {"function", "Callable"}};
    const char *own = last_name(type_of(v));
    type = last_name(type);
    if (!strcmp(own, type) || !strcmp(type, "object"))
        return true;
    if (v->kind == ES_V_EXCEPTION && !strcmp(type, "Exception"))
        return true;
    if ((v->kind == ES_V_TUPLE && !strcmp(type, "tuple")) ||
        (v->kind == ES_V_DICT && !strcmp(type, "dict")))
        return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].type, own) && !strcmp(kinds[i].also, type))
            return true;
    return false;
}

static bool is_any(const es_args *a, const es_value *type, bool *is, es_error *err)
{
    if (type->kind == ES_V_TUPLE) {
        for (int64_t i = 0; !*is && i < es_value_items(type)->n; i++)
            if (!is_any(a, &es_value_items(type)->of[i], is, err))
                return false;
        return true;
    }
    if (type->kind == ES_V_CLASS || (type->kind == ES_V_TYPE && a->v[0].kind == ES_V_INSTANCE)) {
        *is = es_is_instance(&a->v[0], type);
        return true;
    }
    if (type->kind != ES_V_TYPE && type->kind != ES_V_BUILTIN) {
        es_fail(err, ES_ERR_TYPE, "isinstance() arg 2 must be a type or a tuple of types");
        return es_arg_blame(a, 1, err);
    }
    *is = is_a(&a->v[0],
               type->kind == ES_V_TYPE ? type->u.name : ((es_bound *)type->u.o)->builtin->name);
    return true;
}

static bool run_isinstance(es_args *a, es_value *out, es_error *err)
{
    bool is = false;
    return is_any(a, &a->v[1], &is, err) && es_answer(out, es_value_bool(is));
}

static bool run_callable(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    es_value_kind k = a->v[0].kind;
    if (k == ES_V_INSTANCE)
        return es_answer(out, es_value_bool(es_can_call(&a->v[0])));
    return es_answer(out, es_value_bool(k == ES_V_BUILTIN || k == ES_V_FUNCTION || k == ES_V_TYPE ||
                                        k == ES_V_CLASS || k == ES_V_METHOD));
}

static bool attribute_name(es_args *a, const es_str_object **name, es_error *err)
{
    *name = es_value_as_str(&a->v[1]);
    return a->v[1].kind == ES_V_STR || es_arg_wrong(a, 1, "a string", err);
}

static bool run_getattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    if (!attribute_name(a, &name, err))
        return false;
    bool usual = a->v[2].kind != ES_V_KINDS;
    a->in->guarded += usual;
    bool has = es_attribute(a->in, &a->v[0], name->bytes, name->n, out, err);
    a->in->guarded -= usual;
    if (has)
        return true;
    if (!usual || (err && err->code == ES_ERR_INTERRUPTED))
        return false;
    if (err)
        es_forgive(a->in, err);
    return es_answer(out, es_value_ref(&a->v[2]));
}

static bool run_hasattr(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *name;
    es_value v = es_none();
    es_error none = ES_ERROR_NONE;
    if (!attribute_name(a, &name, err))
        return false;
    a->in->guarded++;
    bool has = es_attribute(a->in, &a->v[0], name->bytes, name->n, &v, &none);
    a->in->guarded--;
    es_value_unref(&v);
    if (!has)
        es_forgive(a->in, &none);
    return es_answer(out, es_value_bool(has));
}

/* ---- what is not here ---- */

static bool run_refused(es_args *a, es_value *out, es_error *err)
{
    static const struct {
        const char *name, *why, *hint;
    } refused[] = {
        {"id", "addresses differ from run to run, and are not shown",
         "a is b says whether two names mean one object, same_storage(a, b) whether two tensors "
         "share "
         "memory"},
        {"input", "there is nobody to ask while a line runs", NULL},
        {"open", "files are not read from here", NULL},
        {"eval", "text is not run as a statement from within one", NULL},
        {"exec", "text is not run as a statement from within one", NULL},
    };
    (void)out;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(refused[i].name, a->of->name)) {
            es_fail(err, ES_ERR_UNSUPPORTED, "%s(): %s", a->of->name, refused[i].why);
            return refused[i].hint ? es_hint(err, "%s", refused[i].hint) : false;
        }
    return es_fail(err, ES_ERR_UNSUPPORTED, "%s() is not here", a->of->name);
}

const es_builtin es_builtins_types[] = {
    {"callable", ES_IN_PLAIN, "obj", "can it be called?", "a bool", NULL, "callable(len)",
     run_callable},
    {"eval", ES_IN_PLAIN, "*args", "not here", "", NULL, NULL, run_refused},
    {"exec", ES_IN_PLAIN, "*args", "not here", "", NULL, NULL, run_refused},
    {"getattr", ES_IN_PLAIN, "obj, name, default=None", "an attribute by its name", "", NULL,
     "getattr(torch.zeros(2), \"dtype\")", run_getattr},
    {"hasattr", ES_IN_PLAIN, "obj, name", "is there an attribute of that name?", "a bool", NULL,
     "hasattr(torch.zeros(2), \"shape\")", run_hasattr},
    {"id", ES_IN_PLAIN, "obj", "not here: addresses differ from run to run", "", NULL, NULL,
     run_refused},
    {"input", ES_IN_PLAIN, "*args", "not here", "", NULL, NULL, run_refused},
    {"isinstance", ES_IN_PLAIN, "obj, classinfo", "is it of that type, or of one of several?",
     "a bool", NULL, "isinstance(torch.zeros(2), torch.Tensor)", run_isinstance},
    {"open", ES_IN_PLAIN, "*args", "not here", "", NULL, NULL, run_refused},
    {"type", ES_IN_PLAIN, "obj", "what kind of value it is", "a type", NULL, "type(1.0)", run_type},
    {.name = NULL},
};
