// SPDX-License-Identifier: GPL-3.0-or-later
/* What is in a module: its parameters, buffers and modules one after another, and one of them by its name. */
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- lists of what is in it ---- */

typedef enum kind_of_part { PARAMETERS, BUFFERS, MODULES } kind_of_part;

typedef struct listing {
    es_args *a;
    es_items *to;
    kind_of_part wanted;
    bool named, once;
    es_seen seen; /* tensors: one that is shared counts once */
} listing;

/* Takes x over. */
static bool add(listing *l, const char *prefix, const char *name, es_value x, es_error *err)
{
    if (!l->named)
        return es_items_add(l->to, x, err);
    es_str whole = {0};
    es_str_add(&whole, "%s%s%s", prefix, *prefix && *name ? "." : "", name);
    const es_value pair[] = {es_value_str(es_str_text(&whole), whole.len), x};
    es_str_free(&whole);
    return es_items_add(l->to, es_value_tuple(pair, 2), err);
}

static bool is_wanted(const listing *l, const es_member *m)
{
    return m->x->kind == ES_V_TENSOR &&
           (l->wanted == PARAMETERS ? m->as == ES_PARAMETER : es_is_buffer(m->as));
}

static bool list_module(void *user, const char *name, const es_value *module, es_error *err)
{
    listing *l = user;
    es_member m;
    if (l->wanted == MODULES)
        return add(l, name, "", es_value_ref(module), err);
    for (int64_t i = 0; es_module_member(module, i, &m); i++) {
        if (!is_wanted(l, &m) || (l->once && es_seen_find(&l->seen, m.x->u.o)))
            continue;
        es_seen_add(&l->seen, m.x->u.o);
        if (!add(l, name, m.name, es_value_ref(m.x), err))
            return false;
    }
    return true;
}

static bool read_prefix(es_args *a, int i, const char **prefix, es_error *err)
{
    *prefix = "";
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_wrong(a, i, "str", err);
    *prefix = es_value_as_str(&a->v[i])->bytes;
    return true;
}

static bool list(es_args *a, es_value *out, listing *l, const char *prefix, bool recurse,
                 es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    if (!self)
        return false;
    *out = es_value_list(es_interp_containers(a->in));
    l->a = a;
    l->to = es_value_items(out);
    bool ok = recurse ? es_module_walk(a->in, self, prefix, l->once, list_module, l, err)
                      : list_module(l, prefix, self, err);
    es_seen_free(&l->seen);
    return ok;
}

static bool list_tensors(es_args *a, es_value *out, kind_of_part what, bool named, es_error *err)
{
    listing l = {.wanted = what, .named = named, .once = true};
    const char *prefix = "";
    int at = named ? 2 : 1;
    bool recurse;
    return (!named || read_prefix(a, 1, &prefix, err)) && es_arg_bool(a, at, true, &recurse, err) &&
           (!named || es_arg_bool(a, 3, true, &l.once, err)) &&
           list(a, out, &l, prefix, recurse, err);
}

static bool run_parameters(es_args *a, es_value *out, es_error *err)
{
    return list_tensors(a, out, PARAMETERS, false, err);
}

static bool run_named_parameters(es_args *a, es_value *out, es_error *err)
{
    return list_tensors(a, out, PARAMETERS, true, err);
}

static bool run_buffers(es_args *a, es_value *out, es_error *err)
{
    return list_tensors(a, out, BUFFERS, false, err);
}

static bool run_named_buffers(es_args *a, es_value *out, es_error *err)
{
    return list_tensors(a, out, BUFFERS, true, err);
}

static bool run_modules(es_args *a, es_value *out, es_error *err)
{
    listing l = {.wanted = MODULES, .once = true};
    return list(a, out, &l, "", true, err);
}

static bool run_named_modules(es_args *a, es_value *out, es_error *err)
{
    listing l = {.wanted = MODULES, .once = true, .named = true};
    const char *prefix;
    return read_prefix(a, 2, &prefix, err) && es_arg_bool(a, 3, true, &l.once, err) &&
           list(a, out, &l, prefix, true, err);
}

static bool list_children(es_args *a, es_value *out, bool named, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    listing l = {.a = a, .wanted = MODULES, .named = named};
    es_member m;
    if (!self)
        return false;
    *out = es_value_list(es_interp_containers(a->in));
    l.to = es_value_items(out);
    bool ok = true;
    for (int64_t i = 0; ok && es_module_member(self, i, &m); i++) {
        if (m.as != ES_SUBMODULE || m.x->kind == ES_V_NONE || es_seen_find(&l.seen, m.x->u.o))
            continue;
        es_seen_add(&l.seen, m.x->u.o);
        ok = add(&l, "", m.name, es_value_ref(m.x), err);
    }
    es_seen_free(&l.seen);
    return ok;
}

static bool run_children(es_args *a, es_value *out, es_error *err)
{
    return list_children(a, out, false, err);
}

static bool run_named_children(es_args *a, es_value *out, es_error *err)
{
    return list_children(a, out, true, err);
}

/* m._parameters, m._buffers, m._modules: a dict, and a copy. */
static bool give_dict(es_args *a, es_value *out, kind_of_part what, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    es_member m;
    if (!self)
        return false;
    *out = es_value_dict(es_interp_containers(a->in));
    bool ok = true;
    for (int64_t i = 0; ok && es_module_member(self, i, &m); i++) {
        bool wanted = what == PARAMETERS ? m.as == ES_PARAMETER
                      : what == BUFFERS  ? es_is_buffer(m.as)
                                         : m.as == ES_SUBMODULE;
        if (wanted)
            ok = es_items_add(es_value_items(out), es_value_str(m.name, strlen(m.name)), err) &&
                 es_items_add(es_value_items(out), es_value_ref(m.x), err);
    }
    return ok;
}

static bool run_own_parameters(es_args *a, es_value *out, es_error *err)
{
    return give_dict(a, out, PARAMETERS, err);
}

static bool run_own_buffers(es_args *a, es_value *out, es_error *err)
{
    return give_dict(a, out, BUFFERS, err);
}

static bool run_own_modules(es_args *a, es_value *out, es_error *err)
{
    return give_dict(a, out, MODULES, err);
}

/* ---- one of them by its name ---- */

static bool fail_target(const es_value *m, const char *name, size_t n, const char *is_no,
                        es_error *err)
{
    if (!is_no)
        return es_fail_no_attribute(m, name, n, err);
    es_fail(err, ES_ERR_NAME, "%.*s is no %s", (int)n, name, is_no);
    return es_torch_says(err, "`%.*s` is not an nn.%s", (int)n, name, is_no);
}

/* The module that the first n bytes of a dotted name lead to; NULL: err. */
static const es_value *follow(const es_value *m, const char *target, size_t n, es_error *err)
{
    for (size_t at = 0, len; m && at < n; at += len + 1) {
        const char *name = target + at, *dot = memchr(name, '.', n - at);
        len = dot ? (size_t)(dot - name) : n - at;
        const es_value *x = es_own_get(m, name, len);
        if (!x || es_module_part(m, name, len) != ES_SUBMODULE || x->kind == ES_V_NONE) {
            fail_target(m, name, len, x ? "Module" : NULL, err);
            m = NULL;
        } else
            m = x;
    }
    return m;
}

static bool run_get_submodule(es_args *a, es_value *out, es_error *err)
{
    const es_str_object *target;
    const es_value *m = es_arg_named_module(a, &target, err)
                            ? follow(&a->v[0], target->bytes, target->n, err)
                            : NULL;
    return m ? es_answer(out, es_value_ref(m)) : es_arg_blame(a, 1, err);
}

static bool get_tensor(es_args *a, es_value *out, es_part_of as, es_error *err)
{
    const es_str_object *target;
    if (!es_arg_named_module(a, &target, err))
        return false;
    const char *dot = strrchr(target->bytes, '.'), *last = dot ? dot + 1 : target->bytes;
    size_t n = target->n - (size_t)(last - target->bytes);
    const es_value *m =
        follow(&a->v[0], target->bytes, dot ? (size_t)(dot - target->bytes) : 0, err);
    const es_value *x = m ? es_own_get(m, last, n) : NULL;
    es_part_of is = x ? es_module_part(m, last, n) : ES_PLAIN;
    if (x && (is == as || (as == ES_BUFFER && es_is_buffer(is))))
        return es_answer(out, es_value_ref(x));
    if (m)
        fail_target(m, last, n, !x ? NULL : as == ES_BUFFER ? "Buffer" : "Parameter", err);
    return es_arg_blame(a, 1, err);
}

static bool run_get_parameter(es_args *a, es_value *out, es_error *err)
{
    return get_tensor(a, out, ES_PARAMETER, err);
}

static bool run_get_buffer(es_args *a, es_value *out, es_error *err)
{
    return get_tensor(a, out, ES_BUFFER, err);
}

/* ---- the table ---- */

#define NET    ES_MODULE_EXAMPLE
#define LISTED "A list here, where PyTorch has a generator; one that is shared counts once."

const es_builtin es_builtins_module_lists[] = {
    {"Module.parameters", ES_IN_NN, "self, recurse=True", "all its parameters", "a list", LISTED,
     NET "sum(p.numel() for p in m.parameters())", run_parameters},
    {"Module.named_parameters", ES_IN_NN, "self, prefix='', recurse=True, remove_duplicate=True",
     "all its parameters with their names", "a list of pairs", LISTED,
     NET "for name, p in m.named_parameters():\n    print(name, p.shape)", run_named_parameters},
    {"Module.buffers", ES_IN_NN, "self, recurse=True", "all its buffers", "a list", LISTED,
     NET "m.register_buffer(\"mask\", torch.ones(3))\nm.buffers()", run_buffers},
    {"Module.named_buffers", ES_IN_NN, "self, prefix='', recurse=True, remove_duplicate=True",
     "all its buffers with their names", "a list of pairs", LISTED,
     NET "m.register_buffer(\"mask\", torch.ones(3))\nm.named_buffers()", run_named_buffers},
    {"Module.children", ES_IN_NN, "self", "the modules directly in it", "a list", LISTED,
     NET "m.children()", run_children},
    {"Module.named_children", ES_IN_NN, "self", "the modules directly in it, with their names",
     "a list of pairs", LISTED, NET "m.named_children()", run_named_children},
    {"Module.modules", ES_IN_NN, "self", "all modules in it, itself first", "a list", LISTED,
     NET "m.modules()", run_modules},
    {"Module.named_modules", ES_IN_NN, "self, memo=None, prefix='', remove_duplicate=True",
     "all modules in it with their names, itself first", "a list of pairs", LISTED,
     NET "m.named_modules()", run_named_modules},
    {"Module._parameters", ES_IN_NN, NULL, "the parameters directly in it, by name", "a dict",
     "A copy: what is written into it does not reach the module.", NET "m.fc._parameters",
     run_own_parameters},
    {"Module._buffers", ES_IN_NN, NULL, "the buffers directly in it, by name", "a dict",
     "A copy: what is written into it does not reach the module.", NET "m._buffers",
     run_own_buffers},
    {"Module._modules", ES_IN_NN, NULL, "the modules directly in it, by name", "a dict",
     "A copy: what is written into it does not reach the module.", NET "m._modules",
     run_own_modules},
    {"Module.get_submodule", ES_IN_NN, "self, target", "the module of a dotted name", "a module",
     NULL, NET "m.get_submodule(\"fc\")", run_get_submodule},
    {"Module.get_parameter", ES_IN_NN, "self, target", "the parameter of a dotted name", "", NULL,
     NET "m.get_parameter(\"fc.bias\")", run_get_parameter},
    {"Module.get_buffer", ES_IN_NN, "self, target", "the buffer of a dotted name", "", NULL,
     NET "m.register_buffer(\"mask\", torch.ones(3))\nm.get_buffer(\"mask\")", run_get_buffer},
    {.name = NULL},
};
