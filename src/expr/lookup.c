// SPDX-License-Identifier: GPL-3.0-or-later
/* x.name where x is a class, an instance, or super(): its own, its class's, and those of the classes behind. */
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- in a class, as it is there ---- */

static bool find_in(const es_value *cls, const char *name, size_t n, es_value *out)
{
    if (cls->kind == ES_V_CLASS) {
        const es_value *own = es_class_own(cls, name, n);
        if (own)
            *out = es_value_ref(own);
        return own != NULL;
    }
    const es_builtin *b = es_is_module_type(cls->u.name) ? es_module_entry(cls->u.name, name, n)
                                                         : es_object_builtin(cls->u.name, name, n);
    if (b)
        *out = es_value_builtin(b, NULL);
    return b != NULL;
}

bool es_class_find(const es_value *cls, int64_t first, const char *name, size_t n, es_value *out)
{
    es_value at;
    for (int64_t i = first; es_class_at(cls, i, &at); i++)
        if (find_in(&at, name, n, out))
            return true;
    return false;
}

const es_value *es_class_property(const es_value *cls, const char *name, size_t n)
{
    es_value at;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++) {
        const es_value *own = at.kind == ES_V_CLASS ? es_class_own(&at, name, n) : NULL;
        if (own)
            return es_is_descriptor(own, "property") ? own : NULL;
    }
    return NULL;
}

/* ---- what a class has becomes what an instance has ---- */

es_value es_method_new(const es_value *f, const es_value *self)
{
    return es_value_parts(ES_V_METHOD, (es_value[]){es_value_ref(f), es_value_ref(self)}, 2);
}

static bool call_getter(es_interp *in, const es_value *property, const es_value *self,
                        es_value *out, es_error *err)
{
    const es_value *get = &es_value_items(property)->of[ES_PROPERTY_GET];
    if (get->kind == ES_V_NONE)
        return es_fail(err, ES_ERR_NAME, "unreadable attribute");
    return es_call_value(in, get, self, 1, out, err);
}

/* self NULL: asked of the class itself. */
static bool bind(es_interp *in, const es_value *found, const es_value *self, const es_value *cls,
                 es_value *out, es_error *err)
{
    if (es_is_descriptor(found, "property") && self)
        return call_getter(in, found, self, out, err);
    if (es_is_descriptor(found, "staticmethod"))
        *out = es_value_ref(&es_value_items(found)->of[1]);
    else if (es_is_descriptor(found, "classmethod"))
        *out = es_method_new(&es_value_items(found)->of[1], cls);
    else if (found->kind == ES_V_FUNCTION && self)
        *out = es_method_new(found, self);
    else if (found->kind == ES_V_BUILTIN && self) {
        const es_bound *b = (const es_bound *)found->u.o;
        bool method = es_is_method_entry(b->builtin) && b->self.kind == ES_V_NONE;
        if (method)
            return es_use_entry(in, b->builtin, self, out, err);
        *out = es_value_ref(found);
    } else
        *out = es_value_ref(found);
    return true;
}

/* What is bound and was found, which is given back. */
static int answer(es_interp *in, es_value found, const es_value *self, const es_value *cls,
                  es_value *out, es_error *err)
{
    bool ok = bind(in, &found, self, cls, out, err);
    es_value_unref(&found);
    return ok ? 1 : -1;
}

/* ---- names that Python has for every class and instance ---- */

/* All its own attributes as they are now. */
static es_value own_dict(es_interp *in, const es_value *v)
{
    es_value dict = es_value_dict_of(es_interp_containers(in), v);
    const es_value *x;
    const char *name;
    for (int64_t i = 0; (name = es_own_at(v, i, &x)); i++) {
        bool ok = es_items_add(es_value_items(&dict), es_value_str(name, strlen(name)), NULL) &&
                  es_items_add(es_value_items(&dict), es_value_ref(x), NULL);
        if (!ok)
            break;
    }
    return dict;
}

static es_value whole_order(const es_value *cls)
{
    es_value of[ES_MOST_BEHIND + 1];
    int64_t n = 0;
    for (; n <= ES_MOST_BEHIND && es_class_at(cls, n, &of[n]); n++)
        es_value_ref(&of[n]);
    return es_value_tuple(of, n);
}

static bool class_special(es_interp *in, const es_value *cls, const char *name, size_t n,
                          es_value *out)
{
    static const struct {
        const char *name;
        es_class_part_kind part;
    } parts[] = {
        {"__name__", ES_CLASS_NAME},
        {"__qualname__", ES_CLASS_NAME},
        {"__bases__", ES_CLASS_BASES},
        {"__doc__", ES_CLASS_DOC},
        {"__annotations__", ES_CLASS_ANNOTATIONS},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (es_name_is(name, n, parts[i].name)) {
            *out = es_value_ref(es_class_part(cls, parts[i].part));
            return true;
        }
    if (es_name_is(name, n, "__mro__"))
        *out = whole_order(cls);
    else if (es_name_is(name, n, "__base__"))
        *out = es_value_ref(&es_value_items(es_class_part(cls, ES_CLASS_BASES))->of[0]);
    else if (es_name_is(name, n, "__dict__"))
        *out = own_dict(in, cls);
    else if (es_name_is(name, n, "__class__"))
        *out = es_value_named(ES_V_TYPE, "type");
    else if (es_name_is(name, n, "__module__"))
        *out = es_value_str("__main__", 8);
    else
        return false;
    return true;
}

static bool instance_special(es_interp *in, const es_value *v, const char *name, size_t n,
                             es_value *out)
{
    const es_value *cls = es_instance_class(v);
    if (es_name_is(name, n, "__class__"))
        *out = es_value_ref(cls);
    else if (es_name_is(name, n, "__dict__"))
        *out = own_dict(in, v);
    else if (es_name_is(name, n, "__doc__") && cls->kind == ES_V_CLASS)
        *out = es_value_ref(es_class_part(cls, ES_CLASS_DOC));
    else if (es_name_is(name, n, "__module__"))
        *out = es_value_str("__main__", 8);
    else
        return false;
    return true;
}

/* ---- asking ---- */

/* def __getattr__(self, name): for what is not there. */
static int ask_getattr(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                       es_error *err)
{
    es_value key = es_value_str(name, n);
    int asked = es_object_method(in, v, "__getattr__", &key, 1, out, err);
    es_value_unref(&key);
    return asked;
}

static int instance_get(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                        es_error *err)
{
    es_value found = es_none();
    const es_value *cls = es_instance_class(v), *own = es_own_get(v, name, n);
    if (instance_special(in, v, name, n, out))
        return 1;
    if (own && !es_class_property(cls, name, n)) {
        *out = es_value_ref(own);
        return 1;
    }
    return es_class_find(cls, 0, name, n, &found) ? answer(in, found, v, cls, out, err)
                                                  : ask_getattr(in, v, name, n, out, err);
}

static int super_get(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                     es_error *err)
{
    const es_value *self = &es_value_items(v)->of[0], *after = &es_value_items(v)->of[1];
    bool instance = self->kind == ES_V_INSTANCE;
    const es_value *cls = instance ? es_instance_class(self) : self;
    es_value at, found;
    int64_t first = 0;
    while (es_class_at(cls, first, &at) && !es_same_class(&at, after))
        first++;
    if (!es_class_find(cls, first + 1, name, n, &found))
        return 0;
    return answer(in, found, instance ? self : NULL, cls, out, err);
}

int es_object_get(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                  es_error *err)
{
    es_value found;
    *out = es_none();
    if (v->kind == ES_V_SUPER)
        return super_get(in, v, name, n, out, err);
    if (v->kind == ES_V_INSTANCE)
        return instance_get(in, v, name, n, out, err);
    if (class_special(in, v, name, n, out))
        return 1;
    if (es_class_find(v, 0, name, n, &found))
        return answer(in, found, NULL, v, out, err);
    const es_builtin *b = es_object_builtin("type", name, n);
    if (b)
        *out = es_value_builtin(b, v);
    return b != NULL;
}

int es_object_method(es_interp *in, const es_value *v, const char *name, const es_value *args,
                     int64_t n, es_value *out, es_error *err)
{
    es_value found, f;
    *out = es_none();
    if (v->kind != ES_V_INSTANCE ||
        !es_class_find(es_instance_class(v), 0, name, strlen(name), &found))
        return 0;
    if (answer(in, found, v, es_instance_class(v), &f, err) < 0)
        return -1;
    bool ok = es_call_value(in, &f, args, n, out, err);
    es_value_unref(&f);
    return ok ? 1 : -1;
}
