// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.Sequential and nn.ModuleList: modules by number, which are attributes called "0", "1", …  */
#include <inttypes.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"

/* ---- what is in one ---- */

/* Its modules as a list, or as pairs with their names. */
static bool gather(es_interp *in, const es_value *m, bool named, es_value *out, es_error *err)
{
    es_member part;
    *out = es_value_list(es_interp_containers(in));
    for (int64_t i = 0; es_module_member(m, i, &part); i++) {
        if (part.as != ES_SUBMODULE)
            continue;
        es_value x = es_value_ref(part.x);
        if (named)
            x = es_value_tuple((es_value[]){es_value_str(part.name, strlen(part.name)), x}, 2);
        if (!es_items_add(es_value_items(out), x, err))
            return false;
    }
    return true;
}

static int64_t count(const es_value *m)
{
    es_member part;
    int64_t n = 0;
    for (int64_t i = 0; es_module_member(m, i, &part); i++)
        n += part.as == ES_SUBMODULE;
    return n;
}

static bool may_hold(const es_value *x, es_error *err)
{
    return x->kind == ES_V_NONE || (x->kind == ES_V_INSTANCE && es_module_kind(x)) ||
           es_fail_no_module(x, err);
}

static bool put(es_interp *in, const es_value *m, int64_t i, const es_value *x, es_error *err)
{
    es_str name = {0};
    es_str_add(&name, "%" PRId64, i);
    bool ok = may_hold(x, err) &&
              es_module_register(in, m, name.s, name.len, es_value_ref(x), ES_SUBMODULE, err);
    es_str_free(&name);
    return ok;
}

/* The modules become those of the list, numbered anew. */
static bool refill(es_interp *in, const es_value *m, const es_value *list, es_error *err)
{
    es_member part;
    bool ok = true;
    for (int64_t i = 0; es_module_member(m, i, &part);) {
        if (part.as != ES_SUBMODULE) {
            i++;
            continue;
        }
        es_str name = {0};
        es_str_cat(&name, part.name);
        es_own_delete(m, name.s, name.len);
        es_module_forget(m, name.s, name.len);
        es_str_free(&name);
    }
    for (int64_t i = 0; ok && i < es_value_items(list)->n; i++)
        ok = put(in, m, i, &es_value_items(list)->of[i], err);
    return ok;
}

/* Those that `from` gives one after another, behind those that are there. */
static bool extend(es_args *a, const es_value *m, const es_value *from, es_error *err)
{
    es_iter w;
    es_value x;
    int more;
    int64_t n = count(m);
    if (!es_iter_begin(&w, a->in, from, err))
        return false;
    bool ok = true;
    while (ok && (more = es_iter_next(&w, a->in, &x, err)) > 0) {
        ok = put(a->in, m, n++, &x, err);
        es_value_unref(&x);
    }
    es_iter_end(&w);
    return ok && more >= 0;
}

/* ---- nn.Sequential(…), nn.ModuleList(…) ---- */

/* OrderedDict([("fc", …), …]): the names are those of the modules. */
static bool fill_by_name(es_args *a, const es_value *dict, es_error *err)
{
    const es_items *items = es_value_items(dict);
    for (int64_t i = 0; i + 1 < items->n; i += 2) {
        if (items->of[i].kind != ES_V_STR)
            return es_fail(err, ES_ERR_TYPE, "module name should be a string. Got %s",
                           es_value_type_name(&items->of[i]));
        const es_str_object *name = es_value_as_str(&items->of[i]);
        if (!may_hold(&items->of[i + 1], err) ||
            !es_module_register(a->in, &a->v[0], name->bytes, name->n,
                                es_value_ref(&items->of[i + 1]), ES_SUBMODULE, err))
            return false;
    }
    return true;
}

static bool run_Sequential(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    if (!es_module_begin(a, err))
        return false;
    if (a->n_rest == 1 && a->rest[0].kind == ES_V_DICT)
        return fill_by_name(a, &a->rest[0], err) || es_arg_blame(a, 1, err);
    for (int64_t i = 0; i < a->n_rest; i++)
        if (!put(a->in, &a->v[0], i, &a->rest[i], err))
            return a->rest_node && a->rest_node[i]
                       ? es_error_locate(err, a->rest_node[i]->begin, a->rest_node[i]->end)
                       : false;
    return true;
}

static bool run_ModuleList(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err) &&
           (!es_given(a, 1) || extend(a, &a->v[0], &a->v[1], err) || es_arg_blame(a, 1, err));
}

/* Which of its layers failed, where that is one of nn's own: those of a reader say so themselves. */
static void tell_layer(es_interp *in, const es_value *layer, const char *name, es_error *err)
{
    es_str text = {0}, shown = {0};
    if (!err || err->code == ES_ERR_INTERRUPTED || es_instance_class(layer)->kind != ES_V_TYPE)
        return;
    es_show_name(&shown, name, strlen(name));
    if (es_value_repr(in, &text, layer, NULL) && !memchr(text.s, '\n', text.len))
        es_hint(err, "in the layer (%s): %s", shown.s, text.s);
    es_str_free(&text);
    es_str_free(&shown);
}

static bool run_through(es_args *a, const es_value *layers, es_value *x, es_error *err)
{
    const es_items *items = es_value_items(layers);
    for (int64_t i = 0; i < items->n; i++) {
        const es_items *pair = es_value_items(&items->of[i]);
        es_value given = *x;
        *x = es_none();
        bool ok = es_call_value(a->in, &pair->of[1], &given, 1, x, err);
        es_value_unref(&given);
        if (!ok) {
            if (pair->of[1].kind == ES_V_INSTANCE)
                tell_layer(a->in, &pair->of[1], es_value_as_str(&pair->of[0])->bytes, err);
            return false;
        }
    }
    return true;
}

static bool run_forward(es_args *a, es_value *out, es_error *err)
{
    es_value layers = es_none();
    const es_value *self = es_arg_module(a, 0, err);
    if (!self || !es_module_enter(a->in, err))
        return false;
    *out = es_value_ref(&a->v[1]);
    bool ok = gather(a->in, self, true, &layers, err) && run_through(a, &layers, out, err);
    es_value_unref(&layers);
    es_module_leave(a->in);
    return ok;
}

/* ---- as a list ---- */

static bool run_len(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && es_answer(out, es_value_int(count(self)));
}

static bool run_iter(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && gather(a->in, self, false, out, err);
}

/* The place that v[1] means, from 0 on. */
static bool read_place(es_args *a, int64_t n, int64_t *out, es_error *err)
{
    int64_t i;
    if (!es_arg_int64(a, 1, &i, err))
        return false;
    *out = i < 0 ? i + n : i;
    if (*out >= 0 && *out < n)
        return true;
    es_fail(err, ES_ERR_INDEX_RANGE,
            n ? "index %" PRId64 " is out of range: there are %" PRId64 " modules, 0 to %" PRId64
              : "index %" PRId64 " is out of range: there are no modules in it",
            i, n, n - 1);
    es_torch_says(err, "index %" PRId64 " is out of range", i);
    return es_arg_blame(a, 1, err);
}

/* A part of it, one of its kind: a Sequential keeps the names, a ModuleList numbers anew. */
static bool give_slice(es_args *a, const es_value *pairs, es_value *out, es_error *err)
{
    es_value some = es_none();
    bool ok = es_index(a->in, pairs, &a->v[1], &some, err);
    bool keep = !strcmp(es_module_kind(&a->v[0]), "Sequential");
    *out = es_instance_new(a->in, es_instance_class(&a->v[0]));
    ok = ok && es_own_put(out, "training", 8, es_value_bool(true), err);
    for (int64_t i = 0; ok && i < es_value_items(&some)->n; i++) {
        const es_items *pair = es_value_items(&es_value_items(&some)->of[i]);
        const es_str_object *name = es_value_as_str(&pair->of[0]);
        ok = keep ? es_module_register(a->in, out, name->bytes, name->n, es_value_ref(&pair->of[1]),
                                       ES_SUBMODULE, err)
                  : put(a->in, out, i, &pair->of[1], err);
    }
    es_value_unref(&some);
    return ok;
}

static bool run_getitem(es_args *a, es_value *out, es_error *err)
{
    es_value pairs = es_none();
    int64_t i;
    const es_value *self = es_arg_module(a, 0, err);
    if (!self || !gather(a->in, self, true, &pairs, err)) {
        es_value_unref(&pairs);
        return false;
    }
    const es_items *items = es_value_items(&pairs);
    bool ok;
    if (a->v[1].kind == ES_V_SLICE)
        ok = give_slice(a, &pairs, out, err);
    else if ((ok = read_place(a, items->n, &i, err)))
        *out = es_value_ref(&es_value_items(&items->of[i])->of[1]);
    es_value_unref(&pairs);
    return ok;
}

/* What is done to the list of its modules, which become what it is then. */
typedef bool change_fn(es_args *a, es_value *list, es_value *out, es_error *err);

static bool change(es_args *a, es_value *out, change_fn *fn, es_error *err)
{
    es_value list = es_none();
    const es_value *self = es_arg_module(a, 0, err);
    *out = es_none();
    bool ok = self && gather(a->in, self, false, &list, err) && fn(a, &list, out, err) &&
              refill(a->in, self, &list, err);
    es_value_unref(&list);
    return ok;
}

static bool set_one(es_args *a, es_value *list, es_value *out, es_error *err)
{
    int64_t i;
    (void)out;
    if (!may_hold(&a->v[2], err))
        return es_arg_blame(a, 2, err);
    if (!read_place(a, es_value_items(list)->n, &i, err))
        return false;
    es_value *x = &es_value_items(list)->of[i], old = *x;
    *x = es_value_ref(&a->v[2]);
    es_value_unref(&old);
    return true;
}

static bool run_setitem(es_args *a, es_value *out, es_error *err)
{
    return change(a, out, set_one, err);
}

static bool delete_some(es_args *a, es_value *list, es_value *out, es_error *err)
{
    (void)out;
    return es_index_delete(a->in, list, &a->v[1], err);
}

static bool run_delitem(es_args *a, es_value *out, es_error *err)
{
    return change(a, out, delete_some, err);
}

static bool insert_one(es_args *a, es_value *list, es_value *out, es_error *err)
{
    es_value method = es_none();
    if (!may_hold(&a->v[2], err))
        return es_arg_blame(a, 2, err);
    bool ok = es_attribute(a->in, list, "insert", 6, &method, err) &&
              es_call_value(a->in, &method, &a->v[1], 2, out, err);
    es_value_unref(&method);
    return ok;
}

static bool run_insert(es_args *a, es_value *out, es_error *err)
{
    bool self = !strncmp(a->of->name, "Sequential", 10);
    return change(a, out, insert_one, err) && (!self || es_answer(out, es_value_ref(&a->v[0])));
}

static bool pop_one(es_args *a, es_value *list, es_value *out, es_error *err)
{
    int64_t i;
    if (!read_place(a, es_value_items(list)->n, &i, err))
        return false;
    *out = es_value_ref(&es_value_items(list)->of[i]);
    return es_index_delete(a->in, list, &a->v[1], err);
}

static bool run_pop(es_args *a, es_value *out, es_error *err)
{
    return change(a, out, pop_one, err);
}

static bool run_append(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && (put(a->in, self, count(self), &a->v[1], err) || es_arg_blame(a, 1, err)) &&
           es_answer(out, es_value_ref(self));
}

static bool run_extend(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && (extend(a, self, &a->v[1], err) || es_arg_blame(a, 1, err)) &&
           es_answer(out, es_value_ref(self));
}

/* layers + more: another of the same kind. */
static bool run_add(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    if (!self)
        return false;
    es_value type;
    es_module_type(a->of->name, strcspn(a->of->name, "."), &type);
    *out = es_instance_new(a->in, &type);
    es_own_put(out, "training", 8, es_value_bool(true), NULL);
    if (extend(a, out, self, err) && (extend(a, out, &a->v[1], err) || es_arg_blame(a, 1, err)))
        return true;
    es_value_unref(out);
    return false;
}

/* ---- the table ---- */

#define LAYERS "layers = nn.ModuleList([nn.Linear(4, 4) for i in range(3)])\n"
#define NET    "net = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))\n"

/* What both have. */
#define AS_A_LIST(KIND, X, x)                                                                      \
    {KIND ".__len__", ES_IN_NN, "self",           "how many modules are in it",                    \
     "an int",        NULL,     X x ".__len__()", run_len},                                        \
        {KIND ".__iter__",  ES_IN_NN, "self", "its modules one after another", "", NULL,           \
         X x ".__iter__()", run_iter},                                                             \
        {KIND ".__getitem__",                                                                      \
         ES_IN_NN,                                                                                 \
         "self, idx",                                                                              \
         "one of its modules, or some: another of it",                                             \
         "",                                                                                       \
         "Places count from the end where they are below 0.",                                      \
         X x ".__getitem__(-1)",                                                                   \
         run_getitem},                                                                             \
        {KIND ".__setitem__",                                                                      \
         ES_IN_NN,                                                                                 \
         "self, idx, module",                                                                      \
         "another module in that place",                                                           \
         "None",                                                                                   \
         NULL,                                                                                     \
         X x ".__setitem__(0, nn.Linear(4, 8))",                                                   \
         run_setitem},                                                                             \
        {KIND ".__delitem__",                                                                      \
         ES_IN_NN,                                                                                 \
         "self, idx",                                                                              \
         "takes modules away; the others are numbered anew",                                       \
         "None",                                                                                   \
         NULL,                                                                                     \
         X x ".__delitem__(0)",                                                                    \
         run_delitem},                                                                             \
        {KIND ".append",                                                                           \
         ES_IN_NN,                                                                                 \
         "self, module",                                                                           \
         "one more module, at the end",                                                            \
         "itself",                                                                                 \
         NULL,                                                                                     \
         X x ".append(nn.Linear(2, 2))",                                                           \
         run_append},                                                                              \
        {KIND ".extend",                                                                           \
         ES_IN_NN,                                                                                 \
         "self, modules",                                                                          \
         "more modules, at the end",                                                               \
         "itself",                                                                                 \
         NULL,                                                                                     \
         X x ".extend([nn.Linear(2, 2)])",                                                         \
         run_extend},                                                                              \
        {KIND ".__iadd__",                                                                         \
         ES_IN_NN,                                                                                 \
         "self, modules",                                                                          \
         "more modules, at the end",                                                               \
         "itself",                                                                                 \
         NULL,                                                                                     \
         X x ".__iadd__([nn.Linear(2, 2)])",                                                       \
         run_extend},                                                                              \
        {KIND ".__add__",                                                                          \
         ES_IN_NN,                                                                                 \
         "self, modules",                                                                          \
         "its modules, and more behind them",                                                      \
         "another of its kind",                                                                    \
         NULL,                                                                                     \
         X x ".__add__([nn.Linear(2, 2)])",                                                        \
         run_add},                                                                                 \
        {KIND ".insert",                                                                           \
         ES_IN_NN,                                                                                 \
         "self, index, module",                                                                    \
         "one more module, before that place",                                                     \
         "",                                                                                       \
         NULL,                                                                                     \
         X x ".insert(0, nn.Linear(4, 4))",                                                        \
         run_insert},                                                                              \
    {                                                                                              \
        KIND ".pop", ES_IN_NN, "self, key=-1", "takes a module away, and gives it", "a module",    \
            NULL, X x ".pop(0)", run_pop                                                           \
    }

const es_builtin es_builtins_module_containers[] = {
    {"Sequential", ES_IN_NN | ES_CLASS, "self, *args",
     "modules one behind another: each is given what the one before it gives",
     "what the last of them gives", "Also from an OrderedDict of modules by their names.",
     "net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.1), nn.Linear(8, 2))\n"
     "net(torch.zeros(3, 4)).shape",
     run_Sequential},
    {"Sequential.forward", ES_IN_NN, "self, input", "through all of its modules", "", NULL,
     NET "net.forward(torch.zeros(3, 4)).shape", run_forward},
    AS_A_LIST("Sequential", NET, "net"),
    {"ModuleList", ES_IN_NN | ES_CLASS, "self, modules=None",
     "modules in a list, which parameters() and print(m) find", "",
     "A Python list of modules is not found by them.  It has no forward: a loop calls them.",
     LAYERS "x = torch.zeros(2, 4)\nfor layer in layers:\n    x = layer(x)", run_ModuleList},
    AS_A_LIST("ModuleList", LAYERS, "layers"),
    {.name = NULL},
};
