// SPDX-License-Identifier: GPL-3.0-or-later
/* x.name: attributes and methods of values, and what stands in torch, nn, F, math, np and self. */
#include <math.h>
#include <stdlib.h>

#include "base/visible.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"
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

/* ---- namespaces ---- */

static const char TORCH[] = "torch", NN[] = "torch.nn", F[] = "torch.nn.functional",
                  CUDA[] = "torch.cuda", INIT[] = "torch.nn.init", DATACLASSES[] = "dataclasses",
                  ABC[] = "abc", COPY[] = "copy", COLLECTIONS[] = "collections",
                  FUNCTOOLS[] = "functools", MATH[] = "math", NUMPY[] = "numpy", SELF[] = "self";

static const struct {
    const char *bare, *name;
    unsigned where;
} namespaces[] = {
    {"torch", TORCH, ES_IN_TORCH},
    {"nn", NN, ES_IN_NN},
    {"F", F, ES_IN_F},
    {"math", MATH, ES_IN_MATH},
    {"np", NUMPY, ES_IN_NUMPY | ES_IN_MATH | ES_IN_TORCH},
    {"self", SELF, 0},
    {NULL, CUDA, ES_IN_CUDA},               /* by torch.cuda only */
    {NULL, INIT, ES_IN_INIT},               /* by nn.init */
    {NULL, DATACLASSES, ES_IN_DATACLASSES}, /* where they are imported */
    {NULL, ABC, 0},
    {NULL, COPY, ES_IN_COPY},
    {NULL, COLLECTIONS, ES_IN_COLLECTIONS},
    {NULL, FUNCTOOLS, ES_IN_FUNCTOOLS},
};

enum { N_NAMESPACES = sizeof namespaces / sizeof *namespaces };

bool es_namespace_named(const char *name, size_t n, es_value *out)
{
    for (size_t i = 0; i < N_NAMESPACES; i++)
        if (namespaces[i].bare && es_name_is(name, n, namespaces[i].bare)) {
            *out = es_value_named(ES_V_NAMESPACE, namespaces[i].name);
            return true;
        }
    return false;
}

bool es_namespace_imported(const char *name, size_t n, es_value *out)
{
    for (size_t i = 0; i < N_NAMESPACES; i++)
        if (es_name_is(name, n, namespaces[i].name)) {
            *out = es_value_named(ES_V_NAMESPACE, namespaces[i].name);
            return true;
        }
    return false;
}

const char *es_namespace_at(size_t i)
{
    return i < N_NAMESPACES ? namespaces[i].bare : NULL;
}

static unsigned functions_of(const char *namespace)
{
    for (size_t i = 0; i < N_NAMESPACES; i++)
        if (namespaces[i].name == namespace)
            return namespaces[i].where;
    return 0;
}

/* What stands in a namespace beside the entries of the tables. */
static const struct {
    const char *in, *name;
    es_value v;
} members[] = {
    {TORCH, "nn", {.kind = ES_V_NAMESPACE, .u.name = NN}},
    {TORCH, "cuda", {.kind = ES_V_NAMESPACE, .u.name = CUDA}},
    {TORCH, "Tensor", {.kind = ES_V_TYPE, .u.name = "torch.Tensor"}},
    {TORCH, "Size", {.kind = ES_V_TYPE, .u.name = "torch.Size"}},
    {TORCH, "dtype", {.kind = ES_V_TYPE, .u.name = "torch.dtype"}},
    {TORCH, "device", {.kind = ES_V_TYPE, .u.name = "torch.device"}},
    {ABC, "ABC", {.kind = ES_V_TYPE, .u.name = "ABC"}},
    {DATACLASSES, "FrozenInstanceError", {.kind = ES_V_TYPE, .u.name = "FrozenInstanceError"}},
    {NN, "functional", {.kind = ES_V_NAMESPACE, .u.name = F}},
    {NN, "init", {.kind = ES_V_NAMESPACE, .u.name = INIT}},
    {NN, "Parameter", {.kind = ES_V_TYPE, .u.name = "torch.nn.Parameter"}},
};

enum { N_MEMBERS = sizeof members / sizeof *members };

/* self in the lines of the article's forward(): its two tables, by their names in it. */
static int own_member(es_interp *in, const char *name, size_t n, es_value *out, es_error *err)
{
    const char *table = es_name_is(name, n, "token_embeddings")      ? "wte"
                        : es_name_is(name, n, "position_embeddings") ? "wpe"
                                                                     : NULL;
    if (!table)
        return 0;
    return es_host_value(in, table, 3, out, err);
}

/* 1 found, 0 not, -1 err says why it has no value. */
static int find_member(es_interp *in, const char *namespace, const char *name, size_t n,
                       es_value *out, es_error *err)
{
    if (namespace == SELF)
        return own_member(in, name, n, out, err);
    for (size_t i = 0; i < N_MEMBERS; i++)
        if (members[i].in == namespace && es_name_is(name, n, members[i].name)) {
            *out = members[i].v;
            return 1;
        }
    if (namespace == NN && es_module_type(name, n, out))
        return 1;
    const es_builtin *b = es_builtin_find(name, n, functions_of(namespace));
    if (namespace == NUMPY && es_name_is(name, n, "array"))
        b = es_builtin_find("tensor", 6, ES_IN_TORCH);
    if (!b)
        return 0;
    return es_use_entry(in, b, NULL, out, err) ? 1 : -1;
}

static const char *shown_namespace(const char *namespace)
{
    return namespace == F       ? "F"
           : namespace == NN    ? "nn"
           : namespace == INIT  ? "nn.init"
           : namespace == NUMPY ? "np"
                                : namespace;
}

/* The namespace that has a function of that name after all. */
static const char *home_of(const char *name, size_t n)
{
    if (es_builtin_find(name, n, ES_IN_TORCH))
        return "torch.";
    if (es_builtin_find(name, n, ES_IN_F))
        return "F.";
    if (es_builtin_find(name, n, ES_IN_MATH))
        return "math.";
    return es_builtin_find(name, n, ES_IN_NN) ? "nn." : NULL;
}

static void guess_member(const char *namespace, const char *name, size_t n, es_error *err)
{
    es_guess g = es_guess_begin(name, n);
    const es_builtin *b;
    unsigned where = functions_of(namespace);
    es_str before = {0};
    es_str_add(&before, "%s.", shown_namespace(namespace));
    for (size_t i = 0; i < N_MEMBERS; i++)
        if (members[i].in == namespace)
            es_guess_offer(&g, members[i].name);
    for (size_t i = 0; where && (b = es_builtin_listed(i)); i++)
        if (b->where & where)
            es_guess_offer(&g, b->name);
    if (namespace == SELF) {
        es_guess_offer(&g, "token_embeddings");
        es_guess_offer(&g, "position_embeddings");
    }
    es_guess_hint(&g, before.s, err);
    es_str_free(&before);
}

/* PyTorch has it, this program has not: what would do instead. */
static void hint_instead(const char *name, size_t n, es_error *err)
{
    static const struct {
        const char *name, *instead;
    } known[] = {
        {"CrossEntropyLoss", "F.cross_entropy computes the same"},
        {"MSELoss", "F.mse_loss computes the same"},
        {"Conv1d", "F.linear over x.unfold(…) computes the same"},
        {"BatchNorm1d", "nn.LayerNorm is there"},
        {"TransformerEncoderLayer", "its parts are there: nn.Linear, nn.LayerNorm, nn.Dropout, "
                                    "F.scaled_dot_product_attention"},
        {"optim", "nothing is trained here"},
        {"autograd", "no gradients are computed here"},
        {"linalg", "x.norm(dim=-1) and torch.svd(m) are there"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (es_name_is(name, n, known[i].name))
            es_hint(err, "%s", known[i].instead);
}

static bool fail_member(const char *namespace, const char *name, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    const char *here = shown_namespace(namespace), *home = home_of(name, n);
    if (namespace == SELF) {
        es_fail(err, ES_ERR_NAME, "self has no %s here", shown.s);
        es_hint(err, "self.token_embeddings is wte, self.position_embeddings is wpe");
        guess_member(namespace, name, n, err);
    } else if ((!home || !strcmp(home, "math.")) && !strncmp(namespace, "torch", 5) &&
               es_torch_knows(name, n)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "PyTorch has %s, but it is not done here", shown.s);
        hint_instead(name, n, err);
    } else {
        es_fail(err, ES_ERR_NAME, "%s has nothing called %s", here, shown.s);
        if (home)
            es_hint(err, "did you mean %s%s?", home, shown.s);
        else
            guess_member(namespace, name, n, err);
        es_torch_says(err, "module '%s' has no attribute '%s'", namespace, shown.s);
    }
    es_str_free(&shown);
    return false;
}

static bool namespace_member(es_interp *in, const char *namespace, const char *name, size_t n,
                             es_value *out, es_error *err)
{
    int found = find_member(in, namespace, name, n, out, err);
    return found > 0 || (!found && fail_member(namespace, name, n, err));
}

/* ---- values ---- */

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
        return namespace_member(in, v->u.name, name, n, out, err);
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
