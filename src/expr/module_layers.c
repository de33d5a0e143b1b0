// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/module_layers.h"

#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/module_shown.h"

typedef struct layer {
    const char *kind;
    const char *function;   /* of F or torch; "": it has a forward of its own */
    const char *attributes; /* what the function is given beside the input, by the same names */
    const char *shown;      /* module_shown.h */
} layer;

static const layer layers[] = {
    {"Embedding", "embedding", "", "{num_embeddings}, {embedding_dim}{padding_idx,}"},
    {"Linear", "linear", "weight bias",
     "in_features={in_features}, out_features={out_features}, bias={bias?}"},
    {"LayerNorm", "layer_norm", "normalized_shape weight bias eps",
     "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}"},
    {"RMSNorm", "rms_norm", "normalized_shape weight eps",
     "{normalized_shape}, eps={eps}, elementwise_affine={elementwise_affine}"},
    {"Dropout", "dropout", "p training", "p={p}, inplace={inplace}"},
    {"GELU", "gelu", "approximate", "approximate={approximate}"},
    {"ReLU", "relu", "", "{inplace!}"},
    {"SiLU", "silu", "", "{inplace!}"},
    {"Tanh", "tanh", "", ""},
    {"Sigmoid", "sigmoid", "", ""},
    {"Softmax", "softmax", "dim", "dim={dim}"},
    {"LogSoftmax", "log_softmax", "dim", "dim={dim}"},
    {"Flatten", "flatten", "start_dim end_dim", "start_dim={start_dim}, end_dim={end_dim}"},
};

static const layer *find_layer(const char *kind, size_t n)
{
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (!strncmp(layers[i].kind, kind, n) && !layers[i].kind[n])
            return &layers[i];
    return NULL;
}

/* Of the first of its classes that is one. */
static const layer *layer_of(const es_value *m)
{
    es_value at;
    for (int64_t i = 0; m->kind == ES_V_INSTANCE && es_class_at(es_instance_class(m), i, &at);
         i++) {
        const char *name = es_class_name(&at);
        const layer *l = at.kind == ES_V_TYPE ? find_layer(name, strlen(name)) : NULL;
        if (l)
            return l;
    }
    return NULL;
}

const char *es_module_function(const es_value *m)
{
    const layer *l = layer_of(m);
    return l ? l->function : "";
}

const char *es_module_shown(const es_value *m)
{
    const layer *l = layer_of(m);
    return l ? l->shown : "";
}

/* ---- forward ---- */

/* The arguments of one call of F: the input, then attributes by their names. */
typedef struct call {
    es_value v[ES_MOST_ARGS];
    const char *name[ES_MOST_ARGS];
    const es_node *node[ES_MOST_ARGS];
    es_str names; /* what name points into, each with a NUL */
    int n;
} call;

/* None is what the function has where it is given nothing. */
static bool add_attributes(call *c, const es_value *self, const char *attributes, es_error *err)
{
    size_t n;
    for (const char *at = attributes; *at; at += n + (at[n] == ' ')) {
        n = strcspn(at, " ");
        const es_value *x = es_own_get(self, at, n);
        if (!x)
            return es_fail_no_attribute(self, at, n, err);
        if (x->kind == ES_V_NONE)
            continue;
        c->v[c->n] = *x;
        c->name[c->n++] = c->names.s + (at - attributes);
    }
    return true;
}

/* What is computed is written into the input, where the layer was told so. */
static bool write_back(es_args *a, es_value *out, es_error *err)
{
    const es_value *in_place = es_own_get(&a->v[0], "inplace", 7), *x = &a->v[1];
    if (!in_place || in_place->kind != ES_V_BOOL || !in_place->u.b || out->u.o == x->u.o)
        return true;
    bool ok = es_write_into(a->in, es_value_as_tensor(x), es_value_as_tensor(out), true, err);
    es_value_unref(out);
    if (ok)
        *out = es_value_ref(x);
    return ok;
}

bool es_layer_forward(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    const layer *l = find_layer(a->of->name, strcspn(a->of->name, "."));
    const es_builtin *f = es_builtin_find(l->function, strlen(l->function), ES_IN_F | ES_IN_TORCH);
    call c = {.n = 1, .v = {a->v[1]}, .node = {a->node[1]}};
    es_str_cat(&c.names, l->attributes);
    for (size_t i = 0; i < c.names.len; i++)
        c.names.s[i] = c.names.s[i] == ' ' ? '\0' : c.names.s[i];
    bool ok = self && add_attributes(&c, self, l->attributes, err) &&
              es_builtin_call(a->in, f, NULL, c.v, c.n, c.name, c.node, out, err) &&
              write_back(a, out, err);
    es_str_free(&c.names);
    return ok;
}

bool es_layer_keep(es_args *a, int i, es_value otherwise, es_error *err)
{
    es_str name = {0};
    es_value x = a->v[i].kind == ES_V_KINDS ? otherwise : es_value_ref(&a->v[i]);
    if (a->v[i].kind != ES_V_KINDS)
        es_value_unref(&otherwise);
    es_str_bytes(&name, a->param[i].s, (size_t)a->param[i].n);
    bool ok = es_module_set(a, name.s, x, err);
    es_str_free(&name);
    return ok;
}
