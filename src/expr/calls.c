// SPDX-License-Identifier: GPL-3.0-or-later
/* What can be called: functions, methods, types.  Exceptions, and raising them. */
#include <stdlib.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* ---- types ---- */

/* Exceptions and the codes they become; types of Python's that are known by a bare name. */
static const struct {
    const char *name;
    es_code code;
} types[] = {
    {"int", ES_OK},
    {"float", ES_OK},
    {"bool", ES_OK},
    {"str", ES_OK},
    {"list", ES_OK},
    {"tuple", ES_OK},
    {"dict", ES_OK},
    {"range", ES_OK},
    {"slice", ES_OK},
    {"type", ES_OK},
    {"object", ES_OK},
    {"ABC", ES_OK},
    {"NotImplemented", ES_OK},
    {"property", ES_OK},
    {"staticmethod", ES_OK},
    {"classmethod", ES_OK},
    {"BaseException", ES_ERR_VALUE},
    {"Exception", ES_ERR_VALUE},
    {"ValueError", ES_ERR_VALUE},
    {"RuntimeError", ES_ERR_VALUE},
    {"AssertionError", ES_ERR_VALUE},
    {"StopIteration", ES_ERR_VALUE},
    {"TypeError", ES_ERR_TYPE},
    {"NameError", ES_ERR_NAME},
    {"AttributeError", ES_ERR_NAME},
    {"FrozenInstanceError", ES_ERR_NAME},
    {"UnboundLocalError", ES_ERR_NAME},
    {"KeyError", ES_ERR_NAME},
    {"ImportError", ES_ERR_NAME},
    {"ModuleNotFoundError", ES_ERR_NAME},
    {"IndexError", ES_ERR_INDEX_RANGE},
    {"LookupError", ES_ERR_INDEX_RANGE},
    {"ArithmeticError", ES_ERR_VALUE},
    {"ZeroDivisionError", ES_ERR_VALUE},
    {"OverflowError", ES_ERR_RANGE},
    {"RecursionError", ES_ERR_RANGE},
    {"NotImplementedError", ES_ERR_UNSUPPORTED},
    {"MemoryError", ES_ERR_NOMEM},
    {"OSError", ES_ERR_IO},
    {"IOError", ES_ERR_IO},
    {"FileNotFoundError", ES_ERR_IO},
    {"KeyboardInterrupt", ES_ERR_INTERRUPTED},
};

enum { N_TYPES = sizeof types / sizeof *types };

es_code es_exception_code(const char *type)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (!strcmp(types[i].name, type))
            return types[i].code;
    return ES_OK;
}

bool es_type_named(const char *name, size_t n, es_value *out)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (!strncmp(types[i].name, name, n) && !types[i].name[n]) {
            *out = es_value_named(ES_V_TYPE, types[i].name);
            return true;
        }
    return false;
}

const char *es_type_at(size_t i)
{
    return i < N_TYPES ? types[i].name : NULL;
}

static bool make_exception(const es_value *type, const es_value *args, int64_t n, es_value *out)
{
    es_value message = n == 0 ? es_none() : es_value_ref(&args[0]);
    if (n > 1) {
        es_value_unref(&message);
        for (int64_t i = 0; i < n; i++)
            es_value_ref(&args[i]);
        message = es_value_tuple(args, n);
    }
    *out = es_value_exception(type->u.name, &message);
    es_value_unref(&message);
    return true;
}

/* The function that makes values of the type: int is both, torch.Size is made by Size. */
static const es_builtin *maker_of(const char *type)
{
    const char *dot = strrchr(type, '.'), *name = dot ? dot + 1 : type;
    const es_builtin *b = dot ? NULL : es_builtin_find(name, strlen(name), ES_IN_PLAIN);
    return b ? b : es_builtin_find(name, strlen(name), ES_IN_TORCH | ES_IN_NN);
}

static bool call_type(es_interp *in, const es_value *type, const es_value *args, int64_t n,
                      const char *const *names, const es_node *const *nodes, es_value *out,
                      es_error *err)
{
    if (es_exception_code(type->u.name) != ES_OK)
        return make_exception(type, args, n, out);
    if (es_is_descriptor_type(type->u.name))
        return es_descriptor_new(type, args, n, out, err);
    if (es_is_module_type(type->u.name))
        return es_class_call(in, type, args, n, names, nodes, out, err);
    const es_builtin *b = maker_of(type->u.name);
    if (b)
        return es_builtin_call(in, b, NULL, args, n, names, nodes, out, err);
    es_fail(err, ES_ERR_UNSUPPORTED, "%s(…) is not done here", type->u.name);
    if (!strcmp(type->u.name, "torch.Tensor"))
        es_hint(err,
                "torch.tensor([…]) makes a tensor of numbers, torch.zeros(2, 3) one of a size");
    return false;
}

/* ---- functions of the tables ---- */

/* x.clamp_(0): what x.clamp(0) gives, into x. */
static bool call_in_place(es_interp *in, const es_bound *b, const es_value *args, int64_t n,
                          const char *const *names, const es_node *const *nodes, es_value *out,
                          es_error *err)
{
    es_value result;
    if (!es_builtin_call(in, b->builtin, &b->self, args, n, names, nodes, &result, err))
        return false;
    bool ok = result.kind == ES_V_TENSOR && es_write_into(in, es_value_as_tensor(&b->self),
                                                          es_value_as_tensor(&result), true, err);
    es_value_unref(&result);
    if (!ok)
        return false;
    es_tensor_note_leaf(in, &b->self);
    *out = es_value_ref(&b->self);
    return true;
}

static bool call_builtin(es_interp *in, const es_value *f, const es_value *args, int64_t n,
                         const char *const *names, const es_node *const *nodes, es_value *out,
                         es_error *err)
{
    const es_bound *b = (const es_bound *)f->u.o;
    if (b->in_place)
        return call_in_place(in, b, args, n, names, nodes, out, err);
    return es_builtin_call(in, b->builtin, b->self.kind == ES_V_NONE ? NULL : &b->self, args, n,
                           names, nodes, out, err);
}

/* ---- all of them ---- */

static bool fail_call(const es_value *f, es_error *err)
{
    const char *type = es_value_type_name(f);
    if (f->kind == ES_V_NAMESPACE) {
        es_fail(err, ES_ERR_TYPE, "%s is a module, and no function", f->u.name);
        return es_torch_says(err, "'module' object is not callable");
    }
    es_fail(err, ES_ERR_TYPE, "'%s' object is not callable", type);
    if (f->kind == ES_V_TENSOR || es_value_is_sequence(f))
        es_hint(err, "its parts are in square brackets: x[0]");
    return false;
}

static bool call(es_interp *in, const es_value *f, const es_value *args, int64_t n,
                 const char *const *names, const es_node *const *nodes, es_value *out,
                 es_error *err)
{
    switch (f->kind) {
    case ES_V_BUILTIN: return call_builtin(in, f, args, n, names, nodes, out, err);
    case ES_V_FUNCTION: return es_function_call(in, f, args, n, names, out, err);
    case ES_V_TYPE: return call_type(in, f, args, n, names, nodes, out, err);
    case ES_V_CLASS: return es_class_call(in, f, args, n, names, nodes, out, err);
    case ES_V_METHOD: return es_method_call(in, f, args, n, names, nodes, out, err);
    case ES_V_INSTANCE: return es_instance_call(in, f, args, n, names, nodes, out, err);
    default: return fail_call(f, err);
    }
}

bool es_call_with(es_interp *in, const es_value *f, const es_value *args, int64_t n,
                  const char *const *names, const es_node *const *nodes, es_value *out,
                  es_error *err)
{
    *out = es_none();
    if (in->within >= ES_MOST_WITHIN)
        return es_fail_nested(err);
    es_value held = es_value_ref(f); /* its own call may drop it */
    in->within++;
    bool ok = call(in, &held, args, n, names, nodes, out, err);
    in->within--;
    es_value_unref(&held);
    return ok;
}

bool es_call_value(es_interp *in, const es_value *f, const es_value *args, int64_t n, es_value *out,
                   es_error *err)
{
    return es_tick(in, err) && es_call_with(in, f, args, n, NULL, NULL, out, err);
}
