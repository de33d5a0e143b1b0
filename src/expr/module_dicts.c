// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.ModuleDict and nn.ParameterList: modules by name, parameters by number. */
#include <inttypes.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- nn.ModuleDict ---- */

static bool put_module(es_args *a, const es_value *key, const es_value *x, es_error *err)
{
    if (key->kind != ES_V_STR)
        return es_fail(err, ES_ERR_TYPE, "module name should be a string. Got %s",
                       es_value_type_name(key));
    if (x->kind != ES_V_NONE && !(x->kind == ES_V_INSTANCE && es_module_kind(x)))
        return es_fail_no_module(x, err);
    const es_str_object *name = es_value_as_str(key);
    return es_module_register(a->in, &a->v[0], name->bytes, name->n, es_value_ref(x), ES_SUBMODULE,
                              err);
}

/* From a dict, or from pairs. */
static bool update(es_args *a, const es_value *from, es_error *err)
{
    if (from->kind == ES_V_DICT) {
        const es_items *items = es_value_items(from);
        for (int64_t i = 0; i + 1 < items->n; i += 2)
            if (!put_module(a, &items->of[i], &items->of[i + 1], err))
                return false;
        return true;
    }
    es_iter w;
    es_value pair;
    int more = 1;
    bool ok = true;
    if (!es_iter_begin(&w, a->in, from, err))
        return false;
    while (ok && (more = es_iter_next(&w, a->in, &pair, err)) > 0) {
        const es_items *items = es_value_is_sequence(&pair) ? es_value_items(&pair) : NULL;
        ok = items && items->n == 2
                 ? put_module(a, &items->of[0], &items->of[1], err)
                 : es_fail(err, ES_ERR_TYPE, "a ModuleDict is made of pairs, a name and a module");
        es_value_unref(&pair);
    }
    es_iter_end(&w);
    return ok && more >= 0;
}

static bool run_ModuleDict(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err) &&
           (!es_given(a, 1) || update(a, &a->v[1], err) || es_arg_blame(a, 1, err));
}

static bool run_update(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_arg_module(a, 0, err) && (update(a, &a->v[1], err) || es_arg_blame(a, 1, err));
}

typedef enum listed { KEYS, VALUES, ITEMS } listed;

static bool list_parts(es_args *a, es_value *out, listed what, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    es_member m;
    if (!self)
        return false;
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; es_module_member(self, i, &m); i++) {
        if (m.as != ES_SUBMODULE)
            continue;
        es_value x = what == KEYS ? es_value_str(m.name, strlen(m.name)) : es_value_ref(m.x);
        if (what == ITEMS)
            x = es_value_tuple((es_value[]){es_value_str(m.name, strlen(m.name)), x}, 2);
        if (!es_items_add(es_value_items(out), x, err))
            return false;
    }
    return true;
}

static bool run_keys(es_args *a, es_value *out, es_error *err)
{
    return list_parts(a, out, KEYS, err);
}

static bool run_values(es_args *a, es_value *out, es_error *err)
{
    return list_parts(a, out, VALUES, err);
}

static bool run_items(es_args *a, es_value *out, es_error *err)
{
    return list_parts(a, out, ITEMS, err);
}

static bool run_len(es_args *a, es_value *out, es_error *err)
{
    es_value keys = es_none();
    bool ok = list_parts(a, &keys, KEYS, err);
    if (ok)
        *out = es_value_int(es_value_items(&keys)->n);
    es_value_unref(&keys);
    return ok;
}

/* The module of that key, borrowed; NULL: there is none. */
static const es_value *module_of(const es_args *a)
{
    const es_str_object *key = es_value_as_str(&a->v[1]);
    if (a->v[1].kind != ES_V_STR || es_module_part(&a->v[0], key->bytes, key->n) != ES_SUBMODULE)
        return NULL;
    return es_own_get(&a->v[0], key->bytes, key->n);
}

static bool fail_key(es_args *a, es_error *err)
{
    es_str key = {0}, shown = {0};
    if (es_value_repr(a->in, &key, &a->v[1], err)) {
        es_show_prose(&shown, es_str_text(&key), key.len < 60 ? key.len : 60);
        es_fail(err, ES_ERR_NAME, "the ModuleDict has no key %s", es_str_text(&shown));
        es_torch_says(err, "KeyError: %s", es_str_text(&shown));
    }
    es_str_free(&key);
    es_str_free(&shown);
    return es_arg_blame(a, 1, err);
}

static bool run_getitem(es_args *a, es_value *out, es_error *err)
{
    const es_value *m = es_arg_module(a, 0, err) ? module_of(a) : NULL;
    if (m)
        return es_answer(out, es_value_ref(m));
    return a->v[0].kind == ES_V_INSTANCE && fail_key(a, err);
}

static bool run_contains(es_args *a, es_value *out, es_error *err)
{
    return es_arg_module(a, 0, err) && es_answer(out, es_value_bool(module_of(a) != NULL));
}

static bool run_setitem(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_arg_module(a, 0, err) &&
           (put_module(a, &a->v[1], &a->v[2], err) || es_arg_blame(a, 2, err));
}

static bool run_pop(es_args *a, es_value *out, es_error *err)
{
    if (!run_getitem(a, out, err))
        return false;
    const es_str_object *key = es_value_as_str(&a->v[1]);
    es_own_delete(&a->v[0], key->bytes, key->n);
    es_module_forget(&a->v[0], key->bytes, key->n);
    return true;
}

static bool run_delitem(es_args *a, es_value *out, es_error *err)
{
    bool ok = run_pop(a, out, err);
    es_value_unref(out);
    return ok;
}

/* ---- nn.ParameterList ---- */

static int64_t count_tensors(const es_value *m)
{
    es_member part;
    int64_t n = 0;
    for (int64_t i = 0; es_module_member(m, i, &part); i++)
        n += part.as == ES_PARAMETER;
    return n;
}

/* One more parameter: a tensor becomes one. */
static bool add_parameter(es_args *a, const es_value *x, es_error *err)
{
    es_str name = {0};
    const es_tensor_object *o = (const es_tensor_object *)x->u.o;
    if (x->kind != ES_V_TENSOR)
        return es_fail(err, ES_ERR_TYPE, "a ParameterList holds tensors here, not '%s'",
                       es_value_type_name(x));
    es_value parameter;
    if (o->parameter) {
        parameter = es_value_ref(x);
    } else {
        es_tensor t;
        es_tensor_view(&t, &o->t);
        parameter = es_value_parameter(&t);
    }
    es_str_add(&name, "%" PRId64, count_tensors(&a->v[0]));
    bool ok = es_module_register(a->in, &a->v[0], name.s, name.len, parameter, ES_PARAMETER, err);
    es_str_free(&name);
    return ok;
}

static bool add_parameters(es_args *a, const es_value *from, es_error *err)
{
    es_iter w;
    es_value x;
    int more = 1;
    bool ok = true;
    if (!es_iter_begin(&w, a->in, from, err))
        return false;
    while (ok && (more = es_iter_next(&w, a->in, &x, err)) > 0) {
        ok = add_parameter(a, &x, err);
        es_value_unref(&x);
    }
    es_iter_end(&w);
    return ok && more >= 0;
}

static bool run_ParameterList(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err) &&
           (!es_given(a, 1) || add_parameters(a, &a->v[1], err) || es_arg_blame(a, 1, err));
}

static bool run_append(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && (add_parameter(a, &a->v[1], err) || es_arg_blame(a, 1, err)) &&
           es_answer(out, es_value_ref(self));
}

static bool run_extend(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && (add_parameters(a, &a->v[1], err) || es_arg_blame(a, 1, err)) &&
           es_answer(out, es_value_ref(self));
}

static bool run_parameters_iter(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    es_member m;
    if (!self)
        return false;
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; es_module_member(self, i, &m); i++)
        if (m.as == ES_PARAMETER && !es_items_add(es_value_items(out), es_value_ref(m.x), err))
            return false;
    return true;
}

static bool run_parameters_len(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && es_answer(out, es_value_int(count_tensors(self)));
}

static bool run_parameters_getitem(es_args *a, es_value *out, es_error *err)
{
    es_value list = es_none();
    bool ok = run_parameters_iter(a, &list, err) && es_index(a->in, &list, &a->v[1], out, err);
    es_value_unref(&list);
    return ok || es_arg_blame(a, 1, err);
}

/* ParameterList(  (0): Parameter containing: [torch.float32 of size 2x3]) */
static bool run_parameters_extra(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    es_str text = {0};
    es_member m;
    if (!self)
        return false;
    for (int64_t i = 0, n = 0; es_module_member(self, i, &m); i++) {
        if (m.as != ES_PARAMETER || m.x->kind != ES_V_TENSOR)
            continue;
        const es_tensor *t = es_value_as_tensor(m.x);
        es_str_add(&text, "%s  (%" PRId64 "): Parameter containing: [torch.%s of size ",
                   n ? "\n" : "", n, es_dtype_name(t->dtype));
        for (int d = 0; d < t->shape.ndim; d++)
            es_str_add(&text, "%s%" PRId64, d ? "x" : "", t->shape.dim[d]);
        es_str_char(&text, ']');
        n++;
    }
    *out = es_value_str(es_str_text(&text), text.len);
    es_str_free(&text);
    return true;
}

/* ---- the table ---- */

#define D "d = nn.ModuleDict({\"fc\": nn.Linear(2, 3), \"act\": nn.ReLU()})\n"
#define P "p = nn.ParameterList([torch.zeros(2, 3), torch.ones(3)])\n"

const es_builtin es_builtins_module_dicts[] = {
    {"ModuleDict", ES_IN_NN | ES_CLASS, "self, modules=None",
     "modules by name, which parameters() and print(m) find", "", "From a dict, or from pairs.",
     "d = nn.ModuleDict({\"fc\": nn.Linear(2, 3), \"act\": nn.ReLU()})\nd[\"fc\"]", run_ModuleDict},
    {"ModuleDict.keys", ES_IN_NN, "self", "their names", "a list", NULL, D "d.keys()", run_keys},
    {"ModuleDict.values", ES_IN_NN, "self", "the modules", "a list", NULL, D "d.values()",
     run_values},
    {"ModuleDict.items", ES_IN_NN, "self", "the modules with their names", "a list of pairs", NULL,
     D "for name, module in d.items():\n    print(name, module)", run_items},
    {"ModuleDict.update", ES_IN_NN, "self, modules", "more modules, by name", "None", NULL,
     D "d.update({\"out\": nn.Linear(3, 1)})", run_update},
    {"ModuleDict.pop", ES_IN_NN, "self, key", "takes a module away, and gives it", "a module", NULL,
     D "d.pop(\"act\")", run_pop},
    {"ModuleDict.__len__", ES_IN_NN, "self", "how many modules are in it", "an int", NULL,
     D "d.__len__()", run_len},
    {"ModuleDict.__iter__", ES_IN_NN, "self", "their names one after another", "", NULL,
     D "d.__iter__()", run_keys},
    {"ModuleDict.__contains__", ES_IN_NN, "self, key", "is there a module of that name?", "a bool",
     NULL, D "d.__contains__(\"fc\")", run_contains},
    {"ModuleDict.__getitem__", ES_IN_NN, "self, key", "the module of that name", "", NULL,
     D "d.__getitem__(\"fc\")", run_getitem},
    {"ModuleDict.__setitem__", ES_IN_NN, "self, key, module", "a module under that name", "None",
     NULL, D "d.__setitem__(\"out\", nn.Linear(3, 1))", run_setitem},
    {"ModuleDict.__delitem__", ES_IN_NN, "self, key", "takes a module away", "None", NULL,
     D "d.__delitem__(\"act\")", run_delitem},
    {"ParameterList", ES_IN_NN | ES_CLASS, "self, values=None",
     "parameters in a list, which parameters() finds", "", "Tensors in it become parameters.",
     "p = nn.ParameterList([torch.zeros(2, 3), torch.ones(3)])\np[1]", run_ParameterList},
    {"ParameterList.append", ES_IN_NN, "self, value", "one more parameter, at the end", "itself",
     NULL, P "p.append(torch.zeros(4))", run_append},
    {"ParameterList.extend", ES_IN_NN, "self, values", "more parameters, at the end", "itself",
     NULL, P "p.extend([torch.zeros(4)])", run_extend},
    {"ParameterList.__len__", ES_IN_NN, "self", "how many parameters are in it", "an int", NULL,
     P "p.__len__()", run_parameters_len},
    {"ParameterList.__iter__", ES_IN_NN, "self", "its parameters one after another", "", NULL,
     P "p.__iter__()", run_parameters_iter},
    {"ParameterList.__getitem__", ES_IN_NN, "self, idx", "one of its parameters, or some", "", NULL,
     P "p.__getitem__(0)", run_parameters_getitem},
    {"ParameterList.extra_repr", ES_IN_NN, "self", "what it says of itself when it is printed",
     "a string", NULL, P "p.extra_repr()", run_parameters_extra},
    {.name = NULL},
};
