// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands in torch, nn, F, math, np and self. */
#include "base/visible.h"
#include "expr/inside.h"
#include "expr/modules.h"

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

bool es_namespace_member(es_interp *in, const char *namespace, const char *name, size_t n,
                         es_value *out, es_error *err)
{
    int found = find_member(in, namespace, name, n, out, err);
    return found > 0 || (!found && fail_member(namespace, name, n, err));
}
