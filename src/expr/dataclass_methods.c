// SPDX-License-Identifier: GPL-3.0-or-later
/* What a dataclass gets: __init__, __repr__, __eq__, __setattr__ where it is frozen, and what orders it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/dataclass.h"

static const char *text_of(const es_value *v)
{
    return es_value_as_str(v)->bytes;
}

/* ---- what its methods are called with ---- */

bool es_dataclass_self(es_args *a, const es_items **fields, es_error *err)
{
    *fields = a->v[0].kind == ES_V_INSTANCE ? es_fields_of(es_instance_class(&a->v[0])) : NULL;
    return *fields ||
           es_fail(err, ES_ERR_TYPE, "%s() is for instances of a dataclass", a->of->name);
}

static bool fail_init(es_args *a, const char *text, const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, strlen(name));
    es_fail(err, ES_ERR_TYPE, "%s.__init__() %s '%s'", es_value_type_name(&a->v[0]), text,
            es_str_text(&shown));
    es_str_free(&shown);
    return false;
}

static bool fail_unknown(es_args *a, const es_items *fields, const char *name, es_error *err)
{
    fail_init(a, "got an unexpected keyword argument", name, err);
    es_guess g = es_guess_begin(name, strlen(name));
    for (int64_t i = 0; i < fields->n; i += 2)
        es_guess_offer(&g, text_of(&fields->of[i]));
    es_guess_hint(&g, "", err);
    return false;
}

/* "'a'", "'a' and 'b'", "'a', 'b', and 'c'". */
static bool fail_missing(es_args *a, const es_items *fields, const es_value *given, es_error *err)
{
    es_str names = {0};
    int n = 0, k = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < fields->n; i += 2) {
            const es_value *field = &fields->of[i + 1];
            if (given[i / 2].kind != ES_V_KINDS || es_field_optional(field) ||
                !es_field_part(field, ES_FIELD_IN_INIT)->u.b)
                continue;
            n += pass == 0;
            if (pass == 0)
                continue;
            if (k > 0)
                es_str_cat(&names, n == 2 ? " and " : k == n - 1 ? ", and " : ", ");
            es_str_add(&names, "'%s'", text_of(&fields->of[i]));
            k++;
        }
    if (n)
        es_fail(err, ES_ERR_TYPE, "%s.__init__() missing %d required positional argument%s: %s",
                es_value_type_name(&a->v[0]), n, n == 1 ? "" : "s", es_str_text(&names));
    es_str_free(&names);
    return n == 0;
}

static bool fail_count(es_args *a, const es_items *fields, es_error *err)
{
    int64_t most = 1, least = 1;
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_value *field = &fields->of[i + 1];
        bool taken = es_field_part(field, ES_FIELD_IN_INIT)->u.b;
        most += taken;
        least += taken && !es_field_optional(field);
    }
    es_str range = {0};
    if (least < most)
        es_str_add(&range, "from %" PRId64 " to ", least);
    es_fail(err, ES_ERR_TYPE,
            "%s.__init__() takes %s%" PRId64 " positional argument%s but %" PRId64 " were given",
            es_value_type_name(&a->v[0]), es_str_text(&range), most, most == 1 ? "" : "s",
            a->n_given + a->method);
    es_str_free(&range);
    return false;
}

/* Arguments to fields, KINDS for those that none came for; borrowed. */
static bool match(es_args *a, const es_items *fields, es_value *given, es_error *err)
{
    int64_t at = 0;
    for (int64_t i = a->method ? 0 : 1; i < a->n_given; i++) {
        const char *name = a->names ? a->names[i] : NULL;
        int64_t k = name ? 0 : at;
        while (k < fields->n && (!es_field_part(&fields->of[k + 1], ES_FIELD_IN_INIT)->u.b ||
                                 (name && strcmp(text_of(&fields->of[k]), name) != 0)))
            k += 2;
        if (k >= fields->n)
            return name ? fail_unknown(a, fields, name, err) : fail_count(a, fields, err);
        if (given[k / 2].kind != ES_V_KINDS)
            return fail_init(a, "got multiple values for argument", text_of(&fields->of[k]), err);
        given[k / 2] = a->given[i];
        if (!name)
            at = k + 2;
    }
    return fail_missing(a, fields, given, err);
}

/* The value of a field: given, its default, or what its factory makes.  1 there is one, 0 none, -1 failed. */
static int value_of(es_interp *in, const es_value *field, const es_value *given, es_value *out,
                    es_error *err)
{
    if (given->kind != ES_V_KINDS)
        *out = es_value_ref(given);
    else if (!es_field_lacks(field, ES_FIELD_DEFAULT))
        *out = es_value_ref(es_field_part(field, ES_FIELD_DEFAULT));
    else if (!es_field_lacks(field, ES_FIELD_FACTORY))
        return es_call_value(in, es_field_part(field, ES_FIELD_FACTORY), NULL, 0, out, err) ? 1
                                                                                            : -1;
    else
        return 0;
    return 1;
}

static bool set_fields(es_args *a, const es_items *fields, const es_value *given, es_error *err)
{
    for (int64_t i = 0; i < fields->n; i += 2) {
        es_value v = es_none();
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        int has = value_of(a->in, &fields->of[i + 1], &given[i / 2], &v, err);
        if (has < 0 || (has && !es_own_put(&a->v[0], name->bytes, name->n, v, err)))
            return false;
    }
    return true;
}

static bool run_init(es_args *a, es_value *out, es_error *err)
{
    const es_items *fields;
    if (!es_dataclass_self(a, &fields, err))
        return false;
    es_value held = {.kind = ES_V_TUPLE, .u.o = (es_object *)fields};
    held = es_value_ref(&held); /* a factory may do anything */
    es_value *given = es_alloc_array((size_t)fields->n / 2 + 1, sizeof *given);
    for (int64_t i = 0; i < fields->n / 2; i++)
        given[i].kind = ES_V_KINDS;
    bool ok = match(a, fields, given, err) && set_fields(a, fields, given, err);
    free(given);
    es_value_unref(&held);
    return ok && es_object_method(a->in, &a->v[0], "__post_init__", NULL, 0, out, err) >= 0;
}

/* Point(x=1, y=2) */
static bool write_fields(es_args *a, const es_items *fields, es_str *text, es_error *err)
{
    int n = 0;
    es_str_add(text, "%s(", es_value_type_name(&a->v[0]));
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        const es_value *v = es_own_get(&a->v[0], name->bytes, name->n);
        if (!v || !es_field_part(&fields->of[i + 1], ES_FIELD_IN_REPR)->u.b)
            continue;
        es_str_add(text, "%s%s=", n++ ? ", " : "", name->bytes);
        es_value held = es_value_ref(v);
        bool ok = es_value_repr(a->in, text, &held, err);
        es_value_unref(&held);
        if (!ok)
            return false;
    }
    es_str_char(text, ')');
    return true;
}

static bool run_repr(es_args *a, es_value *out, es_error *err)
{
    const es_items *fields;
    es_str text = {0};
    if (!es_dataclass_self(a, &fields, err))
        return false;
    es_items *self = es_value_items(&a->v[0]);
    if (self->busy)
        return es_answer(out, es_value_str("...", 3));
    es_value held = {.kind = ES_V_TUPLE, .u.o = (es_object *)fields};
    held = es_value_ref(&held);
    self->busy = true;
    bool ok = write_fields(a, fields, &text, err);
    self->busy = false;
    if (ok)
        *out = es_value_str(es_str_text(&text), text.len);
    es_value_unref(&held);
    es_str_free(&text);
    return ok;
}

/* The fields' values as a tuple, of those that are compared. */
static es_value values_of(es_interp *in, const es_value *v, const es_items *fields)
{
    es_value list = es_value_list(es_interp_containers(in));
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        const es_value *x = es_own_get(v, name->bytes, name->n);
        if (x && es_field_part(&fields->of[i + 1], ES_FIELD_IN_EQ)->u.b)
            es_items_add(es_value_items(&list), es_value_ref(x), NULL);
    }
    return list;
}

static bool run_eq(es_args *a, es_value *out, es_error *err)
{
    const es_items *fields;
    bool same = false;
    if (!es_dataclass_self(a, &fields, err))
        return false;
    if (a->v[1].kind != ES_V_INSTANCE ||
        !es_same_class(es_instance_class(&a->v[0]), es_instance_class(&a->v[1])))
        return es_answer(out, es_value_named(ES_V_TYPE, "NotImplemented"));
    es_value x = values_of(a->in, &a->v[0], fields), y = values_of(a->in, &a->v[1], fields);
    bool ok = es_equal(a->in, &x, &y, &same, err);
    es_value_unref(&x);
    es_value_unref(&y);
    return ok && es_answer(out, es_value_bool(same));
}

/* By their fields, one after another, as tuples are. */
static bool run_order(es_args *a, es_value *out, es_error *err)
{
    static const struct {
        const char *name;
        es_op op;
    } of[] = {
        {"__lt__", ES_OP_LT}, {"__le__", ES_OP_LE}, {"__gt__", ES_OP_GT}, {"__ge__", ES_OP_GE}};
    const es_items *fields;
    if (!es_dataclass_self(a, &fields, err))
        return false;
    if (a->v[1].kind != ES_V_INSTANCE ||
        !es_same_class(es_instance_class(&a->v[0]), es_instance_class(&a->v[1])))
        return es_answer(out, es_value_named(ES_V_TYPE, "NotImplemented"));
    size_t i = 0;
    while (strcmp(of[i].name, a->of->name) != 0)
        i++;
    es_value x = values_of(a->in, &a->v[0], fields), y = values_of(a->in, &a->v[1], fields);
    bool ok = es_compare(a->in, of[i].op, &x, &y, out, err);
    es_value_unref(&x);
    es_value_unref(&y);
    return ok;
}

static bool run_frozen(es_args *a, es_value *out, es_error *err)
{
    es_str shown = {0};
    (void)out;
    if (a->v[1].kind == ES_V_STR)
        es_show_name(&shown, text_of(&a->v[1]), es_value_as_str(&a->v[1])->n);
    es_fail(err, ES_ERR_NAME, "cannot %s field '%s'",
            strcmp(a->of->name, "__setattr__") ? "delete" : "assign to", es_str_text(&shown));
    es_str_free(&shown);
    return es_hint(err, "its class is a dataclass that is frozen");
}

bool es_class_is_frozen(const es_value *cls)
{
    const es_value *put = cls->kind == ES_V_CLASS ? es_class_own(cls, "__setattr__", 11) : NULL;
    return put && put->kind == ES_V_BUILTIN &&
           ((const es_bound *)put->u.o)->builtin == &es_dataclass_methods[ES_DATACLASS_FROZEN];
}

const es_builtin es_dataclass_methods[ES_DATACLASS_METHODS] = {
    [ES_DATACLASS_INIT] = {"__init__", ES_OF_OBJECT, "self, *args, **kwargs", "sets the fields", "",
                           NULL, NULL, run_init},
    [ES_DATACLASS_REPR] = {"__repr__", ES_OF_OBJECT, "self", "the fields and their values", "",
                           NULL, NULL, run_repr},
    [ES_DATACLASS_EQ] = {"__eq__", ES_OF_OBJECT, "self, other", "are all fields equal?", "", NULL,
                         NULL, run_eq},
    [ES_DATACLASS_FROZEN] = {"__setattr__", ES_OF_OBJECT, "self, name, value", "refused", "", NULL,
                             NULL, run_frozen},
};

const es_builtin es_dataclass_frozen_delete = {
    "__delattr__", ES_OF_OBJECT, "self, name", "refused", "", NULL, NULL, run_frozen};

#define ORDER(name, summary)                                                                       \
    {                                                                                              \
        name, ES_OF_OBJECT, "self, other", summary, "", NULL, NULL, run_order                      \
    }

const es_builtin es_dataclass_order[ES_DATACLASS_ORDER] = {
    ORDER("__lt__", "by their fields, below it"), ORDER("__le__", "by their fields, not above it"),
    ORDER("__gt__", "by their fields, above it"), ORDER("__ge__", "by their fields, not below it")};
