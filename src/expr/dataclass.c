// SPDX-License-Identifier: GPL-3.0-or-later
/* @dataclass: the annotated names of a class's body become fields, for which it gets __init__, __repr__ and
 * __eq__. */
#include "expr/dataclass.h"
#include "expr/classes.h"

static const char FIELD[] = "Field", MISSING[] = "MISSING";

static es_value missing(void)
{
    return es_value_named(ES_V_TYPE, MISSING);
}

static bool is_missing(const es_value *v)
{
    return v->kind == ES_V_TYPE && v->u.name == MISSING;
}

const es_value *es_field_part(const es_value *field, int part)
{
    return &es_value_items(field)->of[part];
}

bool es_field_lacks(const es_value *field, int part)
{
    return is_missing(es_field_part(field, part));
}

static es_value new_field(es_value usual, es_value factory, bool init, bool repr, bool eq)
{
    const es_value part[ES_FIELD_PARTS] = {es_value_named(ES_V_TYPE, FIELD),
                                           usual,
                                           factory,
                                           es_value_bool(init),
                                           es_value_bool(repr),
                                           es_value_bool(eq)};
    return es_value_parts(ES_V_DESCRIPTOR, part, ES_FIELD_PARTS);
}

bool es_field_run(es_args *a, es_value *out, es_error *err)
{
    bool flag[3] = {true, true, true};
    for (int i = 0; i < 3; i++)
        if (!es_arg_bool(a, 2 + i, true, &flag[i], err))
            return false;
    es_value of[2];
    for (int i = 0; i < 2; i++)
        of[i] = a->v[i].kind == ES_V_KINDS ? missing() : es_value_ref(&a->v[i]);
    return es_answer(out, new_field(of[0], of[1], flag[0], flag[1], flag[2]));
}

/* ---- which fields a class has: a tuple of names and fields in turn ---- */

const es_items *es_fields_of(const es_value *cls)
{
    es_value at;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (at.kind == ES_V_CLASS && es_class_part(&at, ES_CLASS_FIELDS)->kind == ES_V_TUPLE)
            return es_value_items(es_class_part(&at, ES_CLASS_FIELDS));
    return NULL;
}

static const char *text_of(const es_value *v)
{
    return es_value_as_str(v)->bytes;
}

/* One more field, in the place of one of the same name that is behind. */
static bool add_field(es_items *fields, const es_value *name, es_value field, es_error *err)
{
    for (int64_t i = 0; i < fields->n; i += 2)
        if (!strcmp(text_of(&fields->of[i]), text_of(name))) {
            es_value_unref(&fields->of[i + 1]);
            fields->of[i + 1] = field;
            return true;
        }
    return es_items_add(fields, es_value_ref(name), err) && es_items_add(fields, field, err);
}

static bool add_inherited(const es_value *cls, es_items *fields, es_error *err)
{
    es_value at;
    int64_t n = 0;
    while (es_class_at(cls, n, &at))
        n++;
    while (n-- > 1) {
        es_class_at(cls, n, &at);
        const es_value *own = at.kind == ES_V_CLASS ? es_class_part(&at, ES_CLASS_FIELDS) : NULL;
        const es_items *of = own && own->kind == ES_V_TUPLE ? es_value_items(own) : NULL;
        for (int64_t i = 0; of && i < of->n; i += 2)
            if (!add_field(fields, &of->of[i], es_value_ref(&of->of[i + 1]), err))
                return false;
    }
    return true;
}

static bool fail_mutable(const es_value *name, const es_value *usual, es_error *err)
{
    const char *type = es_value_type_name(usual);
    es_fail(err, ES_ERR_VALUE,
            "mutable default <class '%s'> for field %s is not allowed: use default_factory", type,
            text_of(name));
    return es_hint(err,
                   "each instance would share one %s; field(default_factory=%s) makes new ones",
                   type, type);
}

/* The field of an annotated name, and what its class has of it afterwards. */
static bool add_own(const es_value *cls, const es_value *name, es_items *fields, es_error *err)
{
    const es_str_object *s = es_value_as_str(name);
    const es_value *has = es_class_own(cls, s->bytes, s->n);
    if (has && (has->kind == ES_V_LIST || has->kind == ES_V_DICT))
        return fail_mutable(name, has, err);
    if (!has || !es_is_descriptor(has, FIELD)) {
        es_value usual = has ? es_value_ref(has) : missing();
        return add_field(fields, name, new_field(usual, missing(), true, true, true), err);
    }
    es_value field = es_value_ref(has);
    const es_value *usual = es_field_part(&field, ES_FIELD_DEFAULT);
    if (is_missing(usual))
        es_own_delete(cls, s->bytes, s->n);
    else if (!es_own_put(cls, s->bytes, s->n, es_value_ref(usual), err)) {
        es_value_unref(&field);
        return false;
    }
    return add_field(fields, name, field, err);
}

bool es_field_optional(const es_value *field)
{
    return !es_field_lacks(field, ES_FIELD_DEFAULT) || !es_field_lacks(field, ES_FIELD_FACTORY);
}

static bool check_order(const es_items *fields, es_error *err)
{
    bool optional = false;
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_value *field = &fields->of[i + 1];
        if (!es_field_part(field, ES_FIELD_IN_INIT)->u.b)
            continue;
        if (optional && !es_field_optional(field)) {
            es_fail(err, ES_ERR_TYPE, "non-default argument '%s' follows default argument",
                    text_of(&fields->of[i]));
            return es_hint(err, "fields without a value come first");
        }
        optional = es_field_optional(field);
    }
    return true;
}

static bool collect_fields(es_interp *in, const es_value *cls, es_value *out, es_error *err)
{
    es_value list = es_value_list(es_interp_containers(in));
    es_items *fields = es_value_items(&list);
    const es_items *names = es_value_items(es_class_part(cls, ES_CLASS_ANNOTATIONS));
    bool ok = add_inherited(cls, fields, err);
    for (int64_t i = 0; ok && i + 1 < names->n; i += 2) {
        const es_value *as = &names->of[i + 1];
        bool of_class = as->kind == ES_V_STR && strstr(text_of(as), "ClassVar");
        ok = of_class || add_own(cls, &names->of[i], fields, err);
    }
    ok = ok && check_order(fields, err);
    if (ok) {
        es_list_to_tuple(&list, ES_V_TUPLE);
        *out = list;
    } else
        es_value_unref(&list);
    return ok;
}

/* ---- @dataclass ---- */

/* The options of @dataclass: whether it gets each of its methods, and those that order it. */
typedef struct options {
    bool method[ES_DATACLASS_METHODS], order;
} options;

static bool give(const es_value *cls, const es_builtin *b, es_error *err)
{
    size_t n = strlen(b->name);
    return es_class_own(cls, b->name, n) ||
           es_own_put(cls, b->name, n, es_value_builtin(b, NULL), err);
}

static bool make_dataclass(es_interp *in, const es_value *cls, const options *o, es_error *err)
{
    es_value fields;
    if (cls->kind != ES_V_CLASS)
        return es_fail(err, ES_ERR_TYPE, "dataclass() is for classes, not for '%s'",
                       es_value_type_name(cls));
    if (!collect_fields(in, cls, &fields, err))
        return false;
    const char *part = es_class_part_name(ES_CLASS_FIELDS);
    bool ok = es_own_put(cls, part, strlen(part), fields, err);
    for (int i = 0; ok && i < ES_DATACLASS_METHODS; i++)
        ok = !o->method[i] || give(cls, &es_dataclass_methods[i], err);
    if (o->method[ES_DATACLASS_FROZEN])
        ok = ok && give(cls, &es_dataclass_frozen_delete, err);
    for (int i = 0; ok && o->order && i < ES_DATACLASS_ORDER; i++)
        ok = give(cls, &es_dataclass_order[i], err);
    return ok;
}

/* What @dataclass(frozen=True) gives: bound to its options, it is called with the class. */
static bool run_with_options(es_args *a, es_value *out, es_error *err)
{
    const es_value *of = es_value_items(&a->v[0])->of;
    options o;
    for (int i = 0; i < ES_DATACLASS_METHODS; i++)
        o.method[i] = of[i].u.b;
    o.order = of[ES_DATACLASS_METHODS].u.b;
    return make_dataclass(a->in, &a->v[1], &o, err) && es_answer(out, es_value_ref(&a->v[1]));
}

static const es_builtin with_options = {
    "dataclass", ES_OF_OBJECT, "options, cls", "makes a class a dataclass",
    "",          NULL,         NULL,           run_with_options};

bool es_dataclass_run(es_args *a, es_value *out, es_error *err)
{
    options o;
    for (int i = 0; i < ES_DATACLASS_METHODS; i++)
        if (!es_arg_bool(a, 1 + i, i != ES_DATACLASS_FROZEN, &o.method[i], err))
            return false;
    if (!es_arg_bool(a, 1 + ES_DATACLASS_METHODS, false, &o.order, err))
        return false;
    if (es_given(a, 0))
        return make_dataclass(a->in, &a->v[0], &o, err) && es_answer(out, es_value_ref(&a->v[0]));
    es_value of[ES_DATACLASS_METHODS + 1];
    for (int i = 0; i < ES_DATACLASS_METHODS; i++)
        of[i] = es_value_bool(o.method[i]);
    of[ES_DATACLASS_METHODS] = es_value_bool(o.order);
    es_value kept = es_value_tuple(of, ES_DATACLASS_METHODS + 1);
    *out = es_value_builtin(&with_options, &kept);
    es_value_unref(&kept);
    return true;
}
