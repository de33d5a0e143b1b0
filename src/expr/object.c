// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/object.h"

#include "base/mem.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* ---- attributes of its own ---- */

/* How many values the beginning of a class or instance has: names and what they are. */
static int64_t beginning(const es_value *v)
{
    const es_items *items = es_value_items(v);
    if (v->kind == ES_V_CLASS)
        return 2 * ES_CLASS_PARTS;
    return items->n > 2 && es_value_is_str(&items->of[2], ES_MODULE_MARKS) ? 4 : 2;
}

/* Where the name is among the items, from the first-th on; -1: nowhere. */
static int64_t find(const es_items *items, int64_t first, const char *name, size_t n)
{
    for (int64_t i = first; i + 1 < items->n; i += 2) {
        const es_str_object *key = es_value_as_str(&items->of[i]);
        if (key->n == n && !memcmp(key->bytes, name, n))
            return i;
    }
    return -1;
}

static bool has_attributes(const es_value *v)
{
    return v->kind == ES_V_CLASS || v->kind == ES_V_INSTANCE;
}

const es_value *es_own_get(const es_value *v, const char *name, size_t n)
{
    int64_t i = has_attributes(v) ? find(es_value_items(v), 0, name, n) : -1;
    return i < 0 ? NULL : &es_value_items(v)->of[i + 1];
}

bool es_own_put(const es_value *v, const char *name, size_t n, es_value x, es_error *err)
{
    es_items *items = es_value_items(v);
    int64_t i = find(items, 0, name, n);
    if (i == 0 && v->kind == ES_V_INSTANCE) { /* __class__, which everything asks for */
        es_value_unref(&x);
        return es_fail(err, ES_ERR_UNSUPPORTED, "the class of an instance is not changed here");
    }
    if (i >= 0) {
        es_value old = items->of[i + 1];
        items->of[i + 1] = x;
        es_value_unref(&old);
        return true;
    }
    if (!es_items_room(items, 2, err)) {
        es_value_unref(&x);
        return false;
    }
    return es_items_add(items, es_value_str(name, n), err) && es_items_add(items, x, err);
}

bool es_own_delete(const es_value *v, const char *name, size_t n)
{
    es_items *items = es_value_items(v);
    int64_t i = find(items, 0, name, n);
    if (i < beginning(v))
        return false;
    es_value key = items->of[i], old = items->of[i + 1];
    memmove(&items->of[i], &items->of[i + 2], (size_t)(items->n - i - 2) * sizeof key);
    items->n -= 2;
    es_value_unref(&key);
    es_value_unref(&old);
    return true;
}

const char *es_own_at(const es_value *v, int64_t i, const es_value **x)
{
    const es_items *items = es_value_items(v);
    int64_t at = beginning(v) + 2 * i;
    if (at + 1 >= items->n)
        return NULL;
    if (x)
        *x = &items->of[at + 1];
    return es_value_as_str(&items->of[at])->bytes;
}

const es_value *es_class_part(const es_value *cls, es_class_part_kind part)
{
    return &es_value_items(cls)->of[2 * part + 1];
}

const char *es_class_part_name(es_class_part_kind part)
{
    static const char *const name[] = {"__name__", "__bases__",       "__doc__",
                                       "__mro__",  "__annotations__", "__dataclass_fields__"};
    return name[part];
}

const es_value *es_class_own(const es_value *cls, const char *name, size_t n)
{
    int64_t i = find(es_value_items(cls), beginning(cls), name, n);
    return i < 0 ? NULL : &es_value_items(cls)->of[i + 1];
}

es_value es_instance_new(es_interp *in, const es_value *cls)
{
    es_value v = es_value_attributes(ES_V_INSTANCE, es_interp_containers(in));
    in->made++;
    es_own_put(&v, "__class__", 9, es_value_ref(cls), NULL);
    if (es_module_kind(cls))
        es_own_put(&v, ES_MODULE_MARKS, 1, es_none(), NULL);
    return v;
}

/* ---- what is behind a class ---- */

const es_value *es_instance_class(const es_value *instance)
{
    return &es_value_items(instance)->of[1];
}

bool es_same_class(const es_value *a, const es_value *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == ES_V_TYPE ? !strcmp(a->u.name, b->u.name) : a->u.o == b->u.o;
}

static const char OBJECT[] = "object", MODULE[] = "torch.nn.Module";

bool es_is_module_type(const char *type)
{
    return !strncmp(type, "torch.nn.", 9) && strcmp(type, "torch.nn.Parameter") != 0;
}

/* The type behind one of the program's own; NULL: there is none. */
static const char *type_behind(const char *type)
{
    static const struct {
        const char *type, *base;
    } behind[] = {
        {"bool", "int"},
        {"torch.Size", "tuple"},
        {"torch.nn.Parameter", "torch.Tensor"},
        {"torch.nn.NonDynamicallyQuantizableLinear", "torch.nn.Linear"},
        {"UnboundLocalError", "NameError"},
        {"FrozenInstanceError", "AttributeError"},
        {"IndexError", "LookupError"},
        {"KeyError", "LookupError"},
        {"ZeroDivisionError", "ArithmeticError"},
        {"OverflowError", "ArithmeticError"},
        {"ModuleNotFoundError", "ImportError"},
        {"FileNotFoundError", "OSError"},
        {"RecursionError", "RuntimeError"},
        {"NotImplementedError", "RuntimeError"},
        {"BaseException", OBJECT},
        {"Exception", "BaseException"},
        {"KeyboardInterrupt", "BaseException"},
        {MODULE, OBJECT},
    };
    for (size_t i = 0; i < sizeof behind / sizeof *behind; i++)
        if (!strcmp(behind[i].type, type))
            return behind[i].base;
    if (!strcmp(type, OBJECT))
        return NULL;
    return es_exception_code(type) != ES_OK ? "Exception"
           : es_is_module_type(type)        ? MODULE
                                            : OBJECT;
}

/* The i-th of a class and those behind it, in Python's order: the class itself is the first. */
bool es_class_at(const es_value *cls, int64_t i, es_value *out)
{
    if (cls->kind == ES_V_CLASS) {
        const es_items *mro = es_value_items(es_class_part(cls, ES_CLASS_MRO));
        if (i > mro->n)
            return false;
        *out = i ? mro->of[i - 1] : *cls;
        return true;
    }
    const char *type = cls->u.name;
    for (; type && i > 0; i--)
        type = type_behind(type);
    if (type)
        *out = es_value_named(ES_V_TYPE, type);
    return type != NULL;
}

bool es_is_subclass(const es_value *cls, const es_value *of)
{
    es_value at;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (es_same_class(&at, of))
            return true;
    return false;
}

bool es_is_instance(const es_value *v, const es_value *cls)
{
    return v->kind == ES_V_INSTANCE && es_is_subclass(es_instance_class(v), cls);
}

const char *es_module_kind(const es_value *v)
{
    es_value at;
    const es_value *cls = v->kind == ES_V_INSTANCE ? es_instance_class(v) : v;
    if (cls->kind != ES_V_CLASS && cls->kind != ES_V_TYPE)
        return NULL;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (at.kind == ES_V_TYPE && es_is_module_type(at.u.name))
            return es_class_name(&at);
    return NULL;
}

const char *es_exception_kind(const es_value *v)
{
    es_value at;
    const es_value *cls = v->kind == ES_V_INSTANCE ? es_instance_class(v) : v;
    if (cls->kind != ES_V_CLASS && cls->kind != ES_V_TYPE)
        return NULL;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (at.kind == ES_V_TYPE && es_exception_code(at.u.name) != ES_OK)
            return at.u.name;
    return NULL;
}
