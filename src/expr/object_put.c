// SPDX-License-Identifier: GPL-3.0-or-later
/* x.name = v and del x.name where x is a class or an instance, and what is said where there is no such name. */
#include <string.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"
#include "expr/slips.h"

/* ---- v.name = x ---- */

static bool fail_readonly(const char *what, const char *name, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    es_fail(err, ES_ERR_UNSUPPORTED, "%s's %s is not changed here", what, es_str_text(&shown));
    es_str_free(&shown);
    return false;
}

static bool fail_setter(const es_value *v, const char *name, size_t n, const char *what,
                        es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    es_fail(err, ES_ERR_NAME, "property '%s' of '%s' object has no %s", shown.s,
            es_value_type_name(v), what);
    es_hint(err, "a method that does it, under the property: @%s.%s", shown.s, what);
    es_str_free(&shown);
    return false;
}

/* 1: a setter took it; 0: there is none; -1 failed. */
static int put_property(es_interp *in, const es_value *v, const char *name, size_t n,
                        const es_value *x, es_error *err)
{
    es_value out = es_none();
    const es_value *property = es_class_property(es_instance_class(v), name, n);
    if (!property)
        return 0;
    const es_value *set = &es_value_items(property)->of[ES_PROPERTY_SET];
    if (set->kind == ES_V_NONE)
        return fail_setter(v, name, n, "setter", err) - 1;
    bool ok = es_call_value(in, set, (es_value[]){*v, *x}, 2, &out, err);
    es_value_unref(&out);
    return ok ? 1 : -1;
}

static int put_by_method(es_interp *in, const es_value *v, const char *name, size_t n,
                         const es_value *x, es_error *err)
{
    es_value args[] = {es_value_str(name, n), *x}, out;
    int done = es_object_method(in, v, "__setattr__", args, 2, &out, err);
    es_value_unref(&out);
    es_value_unref(&args[0]);
    return done;
}

bool es_object_put_plain(es_interp *in, const es_value *v, const char *name, size_t n, es_value x,
                         es_error *err)
{
    int done = put_property(in, v, name, n, &x, err);
    if (!done)
        return es_module_kind(v) ? es_module_put(in, v, name, n, x, err)
                                 : es_own_put(v, name, n, x, err);
    es_value_unref(&x);
    return done > 0;
}

static bool put_in_class(const es_value *cls, const char *name, size_t n, es_value x, es_error *err)
{
    for (int i = 0; i < ES_CLASS_PARTS; i++)
        if (es_name_is(name, n, es_class_part_name(i))) {
            es_value_unref(&x);
            return fail_readonly("a class", name, n, err);
        }
    return es_own_put(cls, name, n, x, err);
}

bool es_object_put(es_interp *in, const es_value *v, const char *name, size_t n, es_value x,
                   es_error *err)
{
    if (v->kind == ES_V_CLASS)
        return put_in_class(v, name, n, x, err);
    bool special = es_name_is(name, n, "__class__") || es_name_is(name, n, "__dict__");
    if (v->kind != ES_V_INSTANCE || special)
        fail_readonly(es_value_type_name(v), name, n, err);
    else {
        int done = put_by_method(in, v, name, n, &x, err);
        if (!done)
            return es_object_put_plain(in, v, name, n, x, err);
        es_value_unref(&x);
        return done > 0;
    }
    es_value_unref(&x);
    return false;
}

/* ---- del v.name ---- */

static void offer_own(es_guess *g, const es_value *v)
{
    const char *name;
    for (int64_t i = 0; (name = es_own_at(v, i, NULL)); i++)
        es_guess_offer(g, name);
}

/* The methods of one of nn's own modules, "Module.parameters". */
static void offer_methods(es_guess *g, const char *type)
{
    const char *name = strrchr(type, '.') + 1;
    size_t n = strlen(name);
    const es_builtin *b;
    for (size_t i = 0; (b = es_builtin_listed(i)); i++)
        if (b->where & ES_IN_NN && !strncmp(b->name, name, n) && b->name[n] == '.')
            es_guess_offer(g, b->name + n + 1);
}

/* All a class has, and those behind it. */
void es_guess_classes(es_guess *g, const es_value *cls)
{
    es_value at;
    for (int64_t i = 0; es_class_at(cls, i, &at); i++)
        if (at.kind == ES_V_CLASS)
            offer_own(g, &at);
        else if (es_is_module_type(at.u.name))
            offer_methods(g, at.u.name);
}

/* A module's method that PyTorch has, and this program has not. */
static bool fail_theirs(const es_value *v, const char *name, size_t n, es_error *err)
{
    static const char *const theirs[] = {
        "register_forward_hook",
        "register_forward_pre_hook",
        "register_full_backward_hook",
        "register_backward_hook",
        "register_load_state_dict_post_hook",
        "get_extra_state",
        "set_extra_state",
        "share_memory",
        "compile",
        "type",
        "to_empty",
        "set_submodule",
        "xpu",
        "ipu",
    };
    bool module = v->kind == ES_V_INSTANCE && es_module_kind(v);
    for (size_t i = 0; module && i < sizeof theirs / sizeof *theirs; i++)
        if (es_name_is(name, n, theirs[i]))
            return !es_fail(err, ES_ERR_UNSUPPORTED,
                            "PyTorch's modules have .%s, but it is not done here", theirs[i]);
    return false;
}

bool es_fail_no_attribute(const es_value *v, const char *name, size_t n, es_error *err)
{
    if (fail_theirs(v, name, n, err))
        return false;
    es_str shown = {0};
    es_show_name(&shown, name, n);
    bool cls = v->kind == ES_V_CLASS;
    es_fail(err, ES_ERR_NAME, "%s'%s'%s has no attribute '%s'", cls ? "type object " : "",
            cls ? es_class_name(v) : es_value_type_name(v), cls ? "" : " object",
            es_str_text(&shown));
    if (v->kind == ES_V_INSTANCE && es_module_kind(v))
        es_torch_says(err, "'%s' object has no attribute '%s'", es_value_type_name(v),
                      es_str_text(&shown));
    es_str_free(&shown);
    es_guess g = es_guess_begin(name, n);
    if (v->kind == ES_V_INSTANCE)
        offer_own(&g, v);
    if (v->kind != ES_V_SUPER)
        es_guess_classes(&g, cls ? v : es_instance_class(v));
    if (!es_guess_hint(&g, ".", err))
        es_advise_member(v, name, n, err);
    return false;
}

/* What is not there may still be seen: its class has it. */
static bool fail_delete(const es_value *v, const char *name, size_t n, es_error *err)
{
    es_value found;
    const es_value *cls = v->kind == ES_V_INSTANCE ? es_instance_class(v) : v;
    if (!es_class_find(cls, 0, name, n, &found))
        return es_fail_no_attribute(v, name, n, err);
    es_value_unref(&found);
    es_str shown = {0};
    es_show_name(&shown, name, n);
    es_fail(err, ES_ERR_NAME, "'%s' has no %s of its own", es_class_name(cls), es_str_text(&shown));
    es_hint(err, "it comes from %s class", v->kind == ES_V_INSTANCE ? "its" : "another");
    es_str_free(&shown);
    return false;
}

/* 1: the property's own function did it; 0: there is no property; -1 failed. */
static int delete_property(es_interp *in, const es_value *v, const char *name, size_t n,
                           es_error *err)
{
    es_value out = es_none();
    const es_value *property = es_class_property(es_instance_class(v), name, n);
    if (!property)
        return 0;
    const es_value *function = &es_value_items(property)->of[ES_PROPERTY_DELETE];
    if (function->kind == ES_V_NONE)
        return fail_setter(v, name, n, "deleter", err) - 1;
    bool ok = es_call_value(in, function, v, 1, &out, err);
    es_value_unref(&out);
    return ok ? 1 : -1;
}

bool es_object_delete_plain(es_interp *in, const es_value *v, const char *name, size_t n,
                            es_error *err)
{
    int done = v->kind == ES_V_INSTANCE ? delete_property(in, v, name, n, err) : 0;
    if (done)
        return done > 0;
    if (!es_own_delete(v, name, n))
        return fail_delete(v, name, n, err);
    if (es_module_kind(v))
        es_module_forget(v, name, n);
    return true;
}

bool es_object_delete(es_interp *in, const es_value *v, const char *name, size_t n, es_error *err)
{
    es_value key = es_value_str(name, n), out = es_none();
    int done =
        v->kind == ES_V_INSTANCE ? es_object_method(in, v, "__delattr__", &key, 1, &out, err) : 0;
    es_value_unref(&out);
    es_value_unref(&key);
    return done ? done > 0 : es_object_delete_plain(in, v, name, n, err);
}
