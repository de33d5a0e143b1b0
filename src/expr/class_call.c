// SPDX-License-Identifier: GPL-3.0-or-later
/* Calling classes, methods and instances; super(). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"
#include "expr/slips.h"

/* ---- methods ---- */

bool es_method_call(es_interp *in, const es_value *method, const es_value *args, int64_t n,
                    const char *const *names, const es_node *const *nodes, es_value *out,
                    es_error *err)
{
    es_value held = es_value_ref(method); /* its own call may drop it */
    const es_value *of = es_value_items(&held)->of;
    size_t all = (size_t)n + 1;
    es_value *passed = es_alloc_array(all, sizeof *passed);
    const char **called = names ? es_alloc_array(all, sizeof *called) : NULL;
    const es_node **from = nodes ? es_alloc_array(all, sizeof *from) : NULL;
    passed[0] = of[1];
    for (int64_t i = 0; i < n; i++) {
        passed[i + 1] = args[i];
        if (called)
            called[i + 1] = names[i];
        if (from)
            from[i + 1] = nodes[i];
    }
    bool ok = es_call_with(in, &of[0], passed, n + 1, called, from, out, err);
    free(passed);
    free(called);
    free(from);
    es_value_unref(&held);
    return ok;
}

/* ---- X(…) ---- */

static bool fail_arguments(const es_value *cls, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "%s() takes no arguments", es_class_name(cls));
    return es_hint(err, "what it is given is taken by a method: def __init__(self, …)");
}

/* The arguments, and not something that was run with them. */
static bool are_at_fault(const es_error *err)
{
    return err && err->code == ES_ERR_TYPE && !err->n_within;
}

static bool is_objects_own(const es_value *f, const char *name)
{
    return f->kind == ES_V_BUILTIN &&
           ((const es_bound *)f->u.o)->builtin == es_object_builtin("object", name, strlen(name));
}

/* self.__init__(…), which gives None.  made: a __new__ of the class's own has had the arguments. */
static bool initialize(es_interp *in, const es_value *self, bool made, const es_value *args,
                       int64_t n, const char *const *names, const es_node *const *nodes,
                       es_error *err)
{
    es_value init, result = es_none();
    if (es_object_get(in, self, "__init__", 8, &init, err) <= 0)
        return false;
    es_value cls = es_value_ref(es_instance_class(self)); /* attributes move as they are made */
    bool plain = is_objects_own(&init, "__init__");
    bool ok = plain && n ? made || fail_arguments(&cls, err)
                         : es_call_with(in, &init, args, n, names, nodes, &result, err);
    if (!ok && are_at_fault(err))
        es_advise_arguments(&cls, args, n, err);
    es_value_unref(&cls);
    if (ok && result.kind != ES_V_NONE)
        ok = es_fail(err, ES_ERR_TYPE, "__init__() should return None, not '%s'",
                     es_value_type_name(&result));
    es_value_unref(&result);
    es_value_unref(&init);
    return ok;
}

static es_value args_tuple(const es_value *args, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        es_value_ref(&args[i]);
    return es_value_tuple(args, n);
}

/* cls.__new__(cls, …), where the class has one of its own. */
static bool make(es_interp *in, const es_value *cls, const es_value *new, const es_value *args,
                 int64_t n, const char *const *names, const es_node *const *nodes, es_value *self,
                 es_error *err)
{
    const es_value *of = es_is_descriptor(new, "staticmethod") ? &es_value_items(new)->of[1] : new;
    es_value method = es_method_new(of, cls);
    bool ok = es_method_call(in, &method, args, n, names, nodes, self, err);
    es_value_unref(&method);
    return ok;
}

bool es_class_call(es_interp *in, const es_value *cls, const es_value *args, int64_t n,
                   const char *const *names, const es_node *const *nodes, es_value *out,
                   es_error *err)
{
    es_value self = es_none(), new = es_none();
    if (!es_class_whole(cls, err))
        return false;
    bool own = es_class_find(cls, 0, "__new__", 7, &new) && !is_objects_own(&new, "__new__");
    bool ok = !own || make(in, cls, &new, args, n, names, nodes, &self, err);
    es_value_unref(&new);
    if (ok && !own)
        self = es_instance_new(in, cls);
    if (ok && es_is_instance(&self, cls)) {
        ok = !es_exception_kind(cls) ||
             es_own_put(&self, "args", 4, args_tuple(args, n), err); /* as Python's __new__ does */
        ok = ok && initialize(in, &self, own, args, n, names, nodes, err);
    }
    if (ok)
        *out = self;
    else
        es_value_unref(&self);
    return ok;
}

/* ---- x(…) ---- */

static bool fail_forward(es_interp *in, const es_value *v, es_error *err)
{
    const char *name = es_value_type_name(v);
    es_fail(err, ES_ERR_UNSUPPORTED, "%s has no method called forward, which %s(…) would run", name,
            name);
    es_advise_forward(in, v, err);
    return es_torch_says(
        err, "NotImplementedError: Module [%s] is missing the required \"forward\" function", name);
}

static bool fail_call(const es_value *v, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "'%s' object is not callable", es_value_type_name(v));
    es_advise_callable(v, err);
    return false;
}

/* A __call__ of the reader's own, not the one that all modules have. */
static bool has_call(const es_value *v)
{
    es_value f = es_none();
    bool has = es_class_find(es_instance_class(v), 0, "__call__", 8, &f);
    bool modules = f.kind == ES_V_BUILTIN && ((const es_bound *)f.u.o)->builtin->where & ES_IN_NN;
    has = has && !modules;
    es_value_unref(&f);
    return has;
}

bool es_can_call(const es_value *instance)
{
    return has_call(instance) || es_module_kind(instance);
}

bool es_module_call(es_interp *in, const es_value *v, const es_value *args, int64_t n,
                    const char *const *names, const es_node *const *nodes, es_value *out,
                    es_error *err)
{
    es_value f;
    if (!es_module_begun(v))
        return es_fail_not_begun(v, err);
    int found = es_object_get(in, v, "forward", 7, &f, err);
    if (found <= 0)
        return found < 0 ? false : fail_forward(in, v, err);
    bool ok = es_call_with(in, &f, args, n, names, nodes, out, err);
    bool one = f.kind == ES_V_BUILTIN &&
               strcmp(es_module_kind(v), "Sequential"); /* its members have been told, one by one */
    if (ok && one)
        ok = es_tell_module(in, v, args, n, out, err);
    if (ok)
        es_note_no_return(in, &f, out);
    es_value_unref(&f);
    return ok;
}

bool es_instance_call(es_interp *in, const es_value *v, const es_value *args, int64_t n,
                      const char *const *names, const es_node *const *nodes, es_value *out,
                      es_error *err)
{
    es_value f;
    if (!has_call(v))
        return es_module_kind(v) ? es_module_call(in, v, args, n, names, nodes, out, err)
                                 : fail_call(v, err);
    if (es_object_get(in, v, "__call__", 8, &f, err) <= 0)
        return false;
    bool ok = es_call_with(in, &f, args, n, names, nodes, out, err);
    es_value_unref(&f);
    return ok;
}

/* ---- super() ---- */

static const es_value *in_scopes(es_interp *in, const char *name, size_t n)
{
    for (es_scope *s = in->frame->scope; s; s = s->parent) {
        const es_slot *slot = es_trial_find(in, s, name, n);
        if (slot)
            return slot->state == ES_SLOT_BOUND ? &slot->v : NULL;
    }
    return NULL;
}

/* The class whose method runs, and the method's first argument, borrowed. */
static bool find_running(es_interp *in, es_value of[2], es_error *err)
{
    const es_function *f = in->frame ? in->frame->called : NULL;
    const es_node *params = f ? f->def->kid[0] : NULL;
    const es_value *cls = f ? in_scopes(in, "__class__", 9) : NULL;
    const es_value *self = NULL;
    if (params && params->n_kids)
        self = in_scopes(in, params->kid[0]->text, params->kid[0]->n_text);
    if (cls && self && cls->kind == ES_V_CLASS) {
        of[0] = *cls;
        of[1] = *self;
        return true;
    }
    es_fail(err, ES_ERR_VALUE, "super() is for methods: there is no class around it here");
    es_hint(err, "super(X, self) says which class and which instance are meant");
    return es_torch_says(err, "RuntimeError: super(): no arguments");
}

bool es_super_new(es_interp *in, const es_value *args, int64_t n, es_value *out, es_error *err)
{
    es_value of[2];
    if (n == 2) {
        of[0] = args[0];
        of[1] = args[1];
    } else if (n != 0)
        return es_fail(err, ES_ERR_TYPE, "super() takes a class and an instance, or nothing");
    else if (!find_running(in, of, err))
        return false;
    if (of[0].kind != ES_V_CLASS && of[0].kind != ES_V_TYPE)
        return es_fail(err, ES_ERR_TYPE, "super() argument 1 must be a type, not %s",
                       es_value_type_name(&of[0]));
    bool below =
        of[1].kind == ES_V_CLASS ? es_is_subclass(&of[1], &of[0]) : es_is_instance(&of[1], &of[0]);
    if (!below)
        return es_fail(err, ES_ERR_TYPE,
                       "super(type, obj): obj must be an instance or subtype of type");
    *out = es_value_parts(ES_V_SUPER, (es_value[]){es_value_ref(&of[1]), es_value_ref(&of[0])}, 2);
    return true;
}
