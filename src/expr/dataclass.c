// SPDX-License-Identifier: GPL-3.0-or-later
/* @dataclass: the annotated names of a class's body become fields, for which it gets __init__, __repr__ and
 * __eq__. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"

/* What field() gives: a DESCRIPTOR of its TYPE, default and default_factory, each may be missing, and whether
 * __init__ takes it, __repr__ shows it, __eq__ compares it. */
enum { DEFAULT = 1, FACTORY, IN_INIT, IN_REPR, IN_EQ, FIELD_PARTS };

static const char FIELD[] = "Field", MISSING[] = "MISSING";

static es_value missing(void)
{
    return es_value_named(ES_V_TYPE, MISSING);
}

static bool is_missing(const es_value *v)
{
    return v->kind == ES_V_TYPE && v->u.name == MISSING;
}

static const es_value *part_of(const es_value *field, int part)
{
    return &es_value_items(field)->of[part];
}

static es_value new_field(es_value usual, es_value factory, bool init, bool repr, bool eq)
{
    const es_value part[FIELD_PARTS] = {es_value_named(ES_V_TYPE, FIELD),
                                        usual,
                                        factory,
                                        es_value_bool(init),
                                        es_value_bool(repr),
                                        es_value_bool(eq)};
    return es_value_parts(ES_V_DESCRIPTOR, part, FIELD_PARTS);
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

static const es_items *fields_of(const es_value *cls)
{
    es_value at;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (at.kind == ES_V_CLASS && es_class_part(&at, ES_CLASS_FIELDS)->kind == ES_V_TUPLE)
            return es_value_items(es_class_part(&at, ES_CLASS_FIELDS));
    return NULL;
}

bool es_is_dataclass(const es_value *v)
{
    const es_value *cls = v->kind == ES_V_INSTANCE ? es_instance_class(v) : v;
    return cls->kind == ES_V_CLASS && fields_of(cls);
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
    const es_value *usual = part_of(&field, DEFAULT);
    if (is_missing(usual))
        es_own_delete(cls, s->bytes, s->n);
    else if (!es_own_put(cls, s->bytes, s->n, es_value_ref(usual), err)) {
        es_value_unref(&field);
        return false;
    }
    return add_field(fields, name, field, err);
}

static bool has_usual(const es_value *field)
{
    return !is_missing(part_of(field, DEFAULT)) || !is_missing(part_of(field, FACTORY));
}

static bool check_order(const es_items *fields, es_error *err)
{
    bool optional = false;
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_value *field = &fields->of[i + 1];
        if (!part_of(field, IN_INIT)->u.b)
            continue;
        if (optional && !has_usual(field)) {
            es_fail(err, ES_ERR_TYPE, "non-default argument '%s' follows default argument",
                    text_of(&fields->of[i]));
            return es_hint(err, "fields without a value come first");
        }
        optional = has_usual(field);
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

/* ---- what it gets ---- */

/* The instance that a method of it is called with; the rest of the call is what remains of a->given. */
static bool self_of(es_args *a, const es_items **fields, es_error *err)
{
    *fields = a->v[0].kind == ES_V_INSTANCE ? fields_of(es_instance_class(&a->v[0])) : NULL;
    return *fields ||
           es_fail(err, ES_ERR_TYPE, "%s() is for instances of a dataclass", a->of->name);
}

static bool fail_init(es_args *a, const char *text, const char *name, es_error *err)
{
    es_str shown = {0};
    es_show_prose(&shown, name, strlen(name));
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
            if (given[i / 2].kind != ES_V_KINDS || has_usual(field) ||
                !part_of(field, IN_INIT)->u.b)
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

/* Arguments to fields, KINDS for those that none came for; borrowed. */
static bool match(es_args *a, const es_items *fields, es_value *given, es_error *err)
{
    int64_t at = 0;
    for (int64_t i = a->method ? 0 : 1; i < a->n_given; i++) {
        const char *name = a->names ? a->names[i] : NULL;
        int64_t k = name ? 0 : at;
        while (k < fields->n && (!part_of(&fields->of[k + 1], IN_INIT)->u.b ||
                                 (name && strcmp(text_of(&fields->of[k]), name) != 0)))
            k += 2;
        if (k >= fields->n)
            return name ? fail_unknown(a, fields, name, err)
                        : es_fail(err, ES_ERR_TYPE,
                                  "%s.__init__() takes %" PRId64
                                  " positional arguments but %" PRId64 " were given",
                                  es_value_type_name(&a->v[0]), fields->n / 2 + 1, a->n_given + 1);
        if (given[k / 2].kind != ES_V_KINDS)
            return fail_init(a, "got multiple values for argument", name, err);
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
    else if (!is_missing(part_of(field, DEFAULT)))
        *out = es_value_ref(part_of(field, DEFAULT));
    else if (!is_missing(part_of(field, FACTORY)))
        return es_call_value(in, part_of(field, FACTORY), NULL, 0, out, err) ? 1 : -1;
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
    if (!self_of(a, &fields, err))
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
        if (!v || !part_of(&fields->of[i + 1], IN_REPR)->u.b)
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
    if (!self_of(a, &fields, err))
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
        if (x && part_of(&fields->of[i + 1], IN_EQ)->u.b)
            es_items_add(es_value_items(&list), es_value_ref(x), NULL);
    }
    return list;
}

static bool run_eq(es_args *a, es_value *out, es_error *err)
{
    const es_items *fields;
    bool same = false;
    if (!self_of(a, &fields, err))
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

static bool run_frozen(es_args *a, es_value *out, es_error *err)
{
    es_str shown = {0};
    (void)out;
    if (a->v[1].kind == ES_V_STR)
        es_show_prose(&shown, text_of(&a->v[1]), es_value_as_str(&a->v[1])->n);
    es_fail(err, ES_ERR_NAME, "cannot assign to field '%s'", es_str_text(&shown));
    es_str_free(&shown);
    return es_hint(err, "its class is a dataclass that is frozen");
}

/* ---- @dataclass ---- */

enum { INIT, REPR, EQ, FROZEN, OPTIONS };

static const es_builtin gets[OPTIONS] = {
    [INIT] = {"__init__", ES_OF_OBJECT, "self, *args, **kwargs", "sets the fields", "", NULL, NULL,
              run_init},
    [REPR] = {"__repr__", ES_OF_OBJECT, "self", "the fields and their values", "", NULL, NULL,
              run_repr},
    [EQ] = {"__eq__", ES_OF_OBJECT, "self, other", "are all fields equal?", "", NULL, NULL, run_eq},
    [FROZEN] = {"__setattr__", ES_OF_OBJECT, "self, name, value", "refused", "", NULL, NULL,
                run_frozen},
};

static bool make_dataclass(es_interp *in, const es_value *cls, const bool option[OPTIONS],
                           es_error *err)
{
    es_value fields;
    if (cls->kind != ES_V_CLASS)
        return es_fail(err, ES_ERR_TYPE, "dataclass() is for classes, not for '%s'",
                       es_value_type_name(cls));
    if (!collect_fields(in, cls, &fields, err))
        return false;
    const char *part = es_class_part_name(ES_CLASS_FIELDS);
    bool ok = es_own_put(cls, part, strlen(part), fields, err);
    for (int i = 0; ok && i < OPTIONS; i++) {
        size_t n = strlen(gets[i].name);
        if (option[i] && !es_class_own(cls, gets[i].name, n))
            ok = es_own_put(cls, gets[i].name, n, es_value_builtin(&gets[i], NULL), err);
    }
    return ok;
}

/* What @dataclass(frozen=True) gives: bound to its options, it is called with the class. */
static bool run_with_options(es_args *a, es_value *out, es_error *err)
{
    bool option[OPTIONS];
    for (int i = 0; i < OPTIONS; i++)
        option[i] = es_value_items(&a->v[0])->of[i].u.b;
    return make_dataclass(a->in, &a->v[1], option, err) && es_answer(out, es_value_ref(&a->v[1]));
}

static const es_builtin with_options = {
    "dataclass", ES_OF_OBJECT, "options, cls", "makes a class a dataclass",
    "",          NULL,         NULL,           run_with_options};

bool es_dataclass_run(es_args *a, es_value *out, es_error *err)
{
    bool option[OPTIONS];
    for (int i = 0; i < OPTIONS; i++)
        if (!es_arg_bool(a, 1 + i, i != FROZEN, &option[i], err))
            return false;
    if (es_given(a, 0))
        return make_dataclass(a->in, &a->v[0], option, err) &&
               es_answer(out, es_value_ref(&a->v[0]));
    es_value of[OPTIONS];
    for (int i = 0; i < OPTIONS; i++)
        of[i] = es_value_bool(option[i]);
    es_value options = es_value_tuple(of, OPTIONS);
    *out = es_value_builtin(&with_options, &options);
    es_value_unref(&options);
    return true;
}

/* asdict(v): its fields by name; lists and other dataclasses in it are not gone into. */
bool es_asdict_run(es_args *a, es_value *out, es_error *err)
{
    const es_items *fields;
    if (!self_of(a, &fields, err))
        return false;
    *out = es_value_dict(es_interp_containers(a->in));
    for (int64_t i = 0; i < fields->n; i += 2) {
        const es_str_object *name = es_value_as_str(&fields->of[i]);
        const es_value *v = es_own_get(&a->v[0], name->bytes, name->n);
        if (v && !es_dict_put(a->in, out, &fields->of[i], v, err))
            return false;
    }
    return true;
}
