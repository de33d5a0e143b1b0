// SPDX-License-Identifier: GPL-3.0-or-later
/* x.name: attributes and methods of values. */
#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/slips.h"

/* An entry of the tables as a value: what it is worth where it takes no arguments, else a function or
 * method. */
bool es_use_entry(es_interp *in, const es_builtin *b, const es_value *self, es_value *out,
                  es_error *err)
{
    if (!b->params)
        return es_builtin_call(in, b, self, NULL, 0, NULL, NULL, out, err);
    *out = es_value_builtin(b, self);
    return true;
}

/* x.clamp_ of clamp. */
static const es_builtin *find_in_place(const char *name, size_t n)
{
    return n > 1 && name[n - 1] == '_' ? es_builtin_find(name, n - 1, ES_IN_PLACE) : NULL;
}

static const es_builtin *find_entry(const es_value *v, const char *name, size_t n)
{
    const es_builtin *b = NULL;
    if (v->kind == ES_V_TENSOR) {
        b = es_builtin_find(name, n, ES_ATTRIBUTE);
        return b ? b : es_builtin_find(name, n, ES_METHOD);
    }
    return es_value_method(v, name, n, &b) ? b : NULL;
}

/* The i-th name of "values indices". */
static int field_at(const char *fields, const char *name, size_t n)
{
    int i = 0;
    for (const char *f = fields; f && *f; i++) {
        size_t len = strcspn(f, " ");
        if (len == n && !memcmp(f, name, n))
            return i;
        f += len + (f[len] == ' ');
    }
    return -1;
}

static es_value text_value(const char *s)
{
    return es_value_str(s, strlen(s));
}

/* ("too long",) */
static es_value arguments_of(const es_exception *e)
{
    if (e->message.kind == ES_V_TUPLE)
        return es_value_ref(&e->message);
    const es_value message = es_value_ref(&e->message);
    return es_value_tuple(&message, message.kind != ES_V_NONE);
}

static bool function_member(const es_function *f, const char *name, size_t n, es_value *out)
{
    if (es_name_is(name, n, "__qualname__"))
        *out = text_value(es_function_called(f));
    else if (es_name_is(name, n, "__module__"))
        *out = text_value("__main__");
    else if (es_name_is(name, n, "__doc__"))
        *out = f->def->kind == ES_N_DEF ? es_docstring(f->def->kid[1]) : es_none();
    else if (es_name_is(name, n, "__defaults__"))
        *out = es_function_defaults(f);
    else
        return false;
    return true;
}

/* What needs no table: members of what a function gave back, bounds of a range, names of functions. */
static bool plain_member(const es_value *v, const char *name, size_t n, es_value *out)
{
    bool dunder = es_name_is(name, n, "__name__");
    if (v->kind == ES_V_TUPLE) {
        int i = field_at(es_value_items(v)->fields, name, n);
        if (i >= 0)
            *out = es_value_ref(&es_value_items(v)->of[i]);
        return i >= 0;
    }
    if (v->kind == ES_V_RANGE || v->kind == ES_V_SLICE) {
        int i = field_at("start stop step", name, n);
        const es_value *of = v->kind == ES_V_RANGE ? &((const es_range *)v->u.o)->start
                                                   : &((const es_slice *)v->u.o)->begin;
        if (i >= 0)
            *out = es_value_ref(&of[i]);
        return i >= 0;
    }
    if (v->kind == ES_V_EXCEPTION && es_name_is(name, n, "args")) {
        *out = arguments_of((const es_exception *)v->u.o);
        return true;
    }
    if (es_is_descriptor(v, "property")) {
        const es_value *of = es_value_items(v)->of;
        int i = field_at("fget fset fdel", name, n);
        if (i >= 0)
            *out = es_value_ref(&of[ES_PROPERTY_GET + i]);
        return i >= 0 ||
               (es_name_is(name, n, "__doc__") && of[ES_PROPERTY_GET].kind == ES_V_FUNCTION &&
                plain_member(&of[ES_PROPERTY_GET], name, n, out));
    }
    if (v->kind == ES_V_FUNCTION && function_member((const es_function *)v->u.o, name, n, out))
        return true;
    if (v->kind == ES_V_METHOD) {
        const es_value *of = es_value_items(v)->of; /* its function, and what that is bound to */
        bool self = es_name_is(name, n, "__self__");
        if (self || es_name_is(name, n, "__func__"))
            *out = es_value_ref(&of[self]);
        return self || es_name_is(name, n, "__func__") || plain_member(&of[0], name, n, out);
    }
    if (dunder && v->kind == ES_V_FUNCTION)
        *out = text_value(es_function_name((const es_function *)v->u.o));
    else if (dunder && v->kind == ES_V_BUILTIN)
        *out = text_value(((const es_bound *)v->u.o)->builtin->name);
    else if (dunder && (v->kind == ES_V_TYPE || v->kind == ES_V_NAMESPACE)) {
        const char *dot = v->kind == ES_V_TYPE ? strrchr(v->u.name, '.') : NULL;
        *out = text_value(dot ? dot + 1 : v->u.name);
    } else if (v->kind == ES_V_TYPE)
        return es_class_find(v, 0, name, n, out);
    else if (v->kind == ES_V_DEVICE && es_name_is(name, n, "type"))
        *out = text_value(v->u.name);
    else if (v->kind == ES_V_DEVICE && es_name_is(name, n, "index"))
        *out = strcmp(v->u.name, "cpu") ? es_value_int(0) : es_none();
    else if (v->kind == ES_V_DTYPE && es_name_is(name, n, "is_floating_point"))
        *out = es_value_bool(v->u.dtype == ES_FLOAT32 || v->u.dtype == ES_FLOAT64);
    else if (v->kind == ES_V_DTYPE && es_name_is(name, n, "itemsize"))
        *out = es_value_int((int64_t)es_dtype_size(v->u.dtype));
    else
        return false;
    return true;
}

static void guess_attribute(const es_value *v, const char *name, size_t n, es_error *err)
{
    if (v->kind == ES_V_TENSOR && es_builtin_find(name, n, ES_IN_TORCH)) { /* x.load */
        es_hint(err, "it is a function: torch.%.*s(…)", (int)n, name);
        return;
    }
    es_guess g = es_guess_begin(name, n);
    const es_builtin *b;
    unsigned where = v->kind == ES_V_TENSOR ? ES_ATTRIBUTE | ES_METHOD : 0;
    for (size_t i = 0; where && (b = es_builtin_listed(i)); i++)
        if (b->where & where)
            es_guess_offer(&g, b->name);
    for (size_t i = 0; !where && (b = es_value_method_at(v->kind, i)); i++)
        es_guess_offer(&g, b->name);
    if (!es_guess_hint(&g, ".", err))
        es_advise_kind(v, err);
}

/* PyTorch's and not ours: lerp and lerp_; squeeze_, of which only squeeze is here. */
static bool fail_theirs(const char *name, size_t n, const char *shown, es_error *err)
{
    size_t stem = n > 1 && name[n - 1] == '_' ? n - 1 : n;
    bool without = stem < n && es_builtin_find(name, stem, ES_METHOD);
    bool elsewhere = es_builtin_find(name, stem, ES_IN_TORCH | ES_IN_F) != NULL;
    if (!without && (elsewhere || !es_torch_knows(name, stem)))
        return false;
    es_fail(err, ES_ERR_UNSUPPORTED, "PyTorch has .%s, but it is not done here", shown);
    if (without)
        es_hint(err, "did you mean .%.*s?", (int)stem, name);
    return true;
}

static bool fail_attribute(const es_value *v, const char *name, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    const char *type = es_value_type_name(v);
    bool tensor = v->kind == ES_V_TENSOR;
    if (!tensor || !fail_theirs(name, n, shown.s, err)) {
        es_fail(err, ES_ERR_NAME, "'%s' object has no attribute '%s'", type, shown.s);
        guess_attribute(v, name, n, err);
        if (tensor)
            es_torch_says(err, "'%s' object has no attribute '%s'", type, shown.s);
    }
    es_str_free(&shown);
    return false;
}

bool es_attribute(es_interp *in, const es_value *v, const char *name, size_t n, es_value *out,
                  es_error *err)
{
    *out = es_none();
    if (v->kind == ES_V_CLASS || v->kind == ES_V_INSTANCE || v->kind == ES_V_SUPER) {
        int found = es_object_get(in, v, name, n, out, err);
        return found > 0 || (!found && es_fail_no_attribute(v, name, n, err));
    }
    if (plain_member(v, name, n, out))
        return true;
    if (v->kind == ES_V_NAMESPACE)
        return es_namespace_member(in, v->u.name, name, n, out, err);
    const es_builtin *b = find_entry(v, name, n);
    if (b)
        return es_use_entry(in, b, v, out, err);
    b = v->kind == ES_V_TENSOR ? find_in_place(name, n) : NULL;
    if (!b)
        return fail_attribute(v, name, n, err);
    *out = es_value_builtin(b, v);
    ((es_bound *)out->u.o)->in_place = true;
    return true;
}
