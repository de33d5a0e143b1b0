// SPDX-License-Identifier: GPL-3.0-or-later
/* nn's layers that compute what a function of F does, with attributes of theirs as its arguments: Linear calls
 * F.linear(input, weight, bias).  What they say of themselves when printed is in the same table. */
#include <math.h>

#include "expr/bind_shapes.h"
#include "expr/classes.h"
#include "expr/module_shown.h"
#include "expr/modules.h"
#include "torch/make.h"

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
    {"Dropout", "dropout", "p training inplace", "p={p}, inplace={inplace}"},
};

static const layer *find_layer(const char *kind, size_t n)
{
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++)
        if (!strncmp(layers[i].kind, kind, n) && !layers[i].kind[n])
            return &layers[i];
    return NULL;
}

static const layer *layer_of(const es_value *m)
{
    const char *kind = es_module_kind(m);
    return kind ? find_layer(kind, strlen(kind)) : NULL;
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

static bool run_forward(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    const layer *l = find_layer(a->of->name, strcspn(a->of->name, "."));
    const es_builtin *f = es_builtin_find(l->function, strlen(l->function), ES_IN_F | ES_IN_TORCH);
    call c = {.n = 1, .v = {a->v[1]}, .node = {a->node[1]}};
    es_str_cat(&c.names, l->attributes);
    for (size_t i = 0; i < c.names.len; i++)
        c.names.s[i] = c.names.s[i] == ' ' ? '\0' : c.names.s[i];
    bool ok = self && add_attributes(&c, self, l->attributes, err) &&
              es_builtin_call(a->in, f, NULL, c.v, c.n, c.name, c.node, out, err);
    es_str_free(&c.names);
    return ok;
}

/* ---- making them ---- */

/* The attribute that is called as parameter i is: what was given, else `otherwise`, which is taken over. */
static bool keep(es_args *a, int i, es_value otherwise, es_error *err)
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

/* Where parameters are made: device and dtype are parameters i and i + 1. */
typedef struct place {
    es_backend *be;
    es_dtype dtype;
} place;

static bool read_place(es_args *a, int i, place *p, es_error *err)
{
    return es_arg_device(a, i, a->k->be, &p->be, err) &&
           es_arg_dtype(a, i + 1, ES_FLOAT32, &p->dtype, err);
}

/* A parameter drawn evenly from -bound to bound. */
static bool draw(es_args *a, const char *name, const place *p, const es_shape *shape, double bound,
                 es_error *err)
{
    const es_drawing even = {.uniform = true, .from = -bound, .by = 2 * bound};
    es_tensor t;
    return es_module_set_parameter(
        a, name, &t, es_torch_drawn(a->k, &t, p->be, p->dtype, shape, &even, err), err);
}

/* A parameter of one number. */
static bool fill(es_args *a, const char *name, const place *p, const es_shape *shape, int number,
                 es_error *err)
{
    es_tensor t, value;
    if (!es_torch_int(a->k, &value, number, err))
        return false;
    bool ok = es_module_set_parameter(
        a, name, &t, es_torch_full(a->k, &t, p->be, p->dtype, shape, &value, err), err);
    es_tensor_free(&value);
    return ok;
}

static bool run_Linear(es_args *a, es_value *out, es_error *err)
{
    es_shape weight = {.ndim = 2}, bias = {.ndim = 1};
    bool biased;
    place p;
    *out = es_none();
    if (!es_module_begin(a, err) || !es_arg_size(a, 1, &weight.dim[1], &weight.label[1], err) ||
        !es_arg_size(a, 2, &weight.dim[0], &weight.label[0], err) ||
        !es_arg_bool(a, 3, true, &biased, err) || !read_place(a, 4, &p, err))
        return false;
    bias.dim[0] = weight.dim[0];
    bias.label[0] = weight.label[0];
    double bound = weight.dim[1] > 0 ? 1 / sqrt((double)weight.dim[1]) : 0;
    return keep(a, 1, es_none(), err) && keep(a, 2, es_none(), err) &&
           draw(a, "weight", &p, &weight, bound, err) &&
           (biased ? draw(a, "bias", &p, &bias, bound, err)
                   : es_module_register(a->in, &a->v[0], "bias", 4, es_none(), ES_PARAMETER, err));
}

/* normalized_shape, an int or several, as a shape and as the attribute. */
static bool read_normalized(es_args *a, es_shape *shape, es_error *err)
{
    es_value tuple;
    if (es_value_is_sequence(&a->v[1])) {
        if (!es_arg_shape(a, 1, shape, err))
            return false;
    } else {
        shape->ndim = 1;
        if (!es_arg_size(a, 1, &shape->dim[0], &shape->label[0], err))
            return false;
    }
    es_value of[ES_MAX_DIMS];
    for (int d = 0; d < shape->ndim; d++) {
        of[d] = es_value_int(shape->dim[d]);
        of[d].label = shape->label[d];
    }
    tuple = es_value_tuple(of, shape->ndim);
    return es_module_set(a, "normalized_shape", tuple, err);
}

/* weight and bias, or None in their place. */
static bool affine(es_args *a, const place *p, const es_shape *shape, bool weight, bool bias,
                   es_error *err)
{
    const es_value *self = &a->v[0];
    bool ok = weight ? fill(a, "weight", p, shape, 1, err)
                     : es_module_register(a->in, self, "weight", 6, es_none(), ES_PARAMETER, err);
    return ok && (bias ? fill(a, "bias", p, shape, 0, err)
                       : es_module_register(a->in, self, "bias", 4, es_none(), ES_PARAMETER, err));
}

static bool run_LayerNorm(es_args *a, es_value *out, es_error *err)
{
    es_shape shape = {0};
    bool with, bias;
    place p;
    *out = es_none();
    return es_module_begin(a, err) && es_arg_bool(a, 3, true, &with, err) &&
           es_arg_bool(a, 4, true, &bias, err) && read_place(a, 5, &p, err) &&
           read_normalized(a, &shape, err) && keep(a, 2, es_value_float(1e-5), err) &&
           keep(a, 3, es_value_bool(true), err) && affine(a, &p, &shape, with, with && bias, err);
}

static bool run_Dropout(es_args *a, es_value *out, es_error *err)
{
    double p = 0.5;
    *out = es_none();
    if (!es_module_begin(a, err) || (es_given(a, 1) && !es_arg_double(a, 1, &p, err)))
        return false;
    if (!(p >= 0 && p <= 1)) {
        es_fail(err, ES_ERR_VALUE, "a probability is from 0 to 1, and this is %g", p);
        es_torch_says(err, "dropout probability has to be between 0 and 1, but got %g", p);
        return es_arg_blame(a, 1, err);
    }
    return keep(a, 1, es_value_float(0.5), err) && keep(a, 2, es_value_bool(false), err);
}

const es_builtin es_builtins_module_layers[] = {
    {"Linear", ES_IN_NN | ES_CLASS,
     "self, in_features, out_features, bias=True, device=None, dtype=None",
     "a layer that computes input @ weight.T + bias",
     "(…, in_features) → (…, out_features); weight (out_features, in_features)",
     "weight and bias are drawn evenly from -1/sqrt(in_features) to 1/sqrt(in_features). "
     " " ES_OWN_GENERATOR,
     "fc = nn.Linear(3, 5)\nfc(torch.zeros(2, 3)).shape", run_Linear},
    {"Linear.forward", ES_IN_NN, "self, input", "input @ weight.T + bias",
     "(…, in_features) → (…, out_features)", NULL, "nn.Linear(3, 5).forward(torch.zeros(2, 3))",
     run_forward},
    {"LayerNorm", ES_IN_NN | ES_CLASS,
     "self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, "
     "dtype=None",
     "a layer that brings numbers to mean 0 and variance 1 over the last axes", "the same shape",
     "Times weight, which begins as ones, plus bias, zeros.",
     "ln = nn.LayerNorm(4)\nln(torch.arange(8.).view(2, 4))", run_LayerNorm},
    {"LayerNorm.forward", ES_IN_NN, "self, input", "F.layer_norm with its weight and bias",
     "the same shape", NULL, "nn.LayerNorm(4).forward(torch.arange(8.).view(2, 4))", run_forward},
    {"Dropout", ES_IN_NN | ES_CLASS, "self, p=0.5, inplace=False",
     "a layer that drops numbers while it trains: .eval() stops that", "the same shape",
     "While training, each number becomes 0 with probability p, and those that stay are divided "
     "by 1 - p.  A module trains until .eval() is called.  " ES_OWN_GENERATOR,
     "drop = nn.Dropout(0.1)\ndrop.eval()\ndrop(torch.ones(4))", run_Dropout},
    {"Dropout.forward", ES_IN_NN, "self, input", "F.dropout, while it trains", "the same shape",
     NULL, "nn.Dropout(0.1).forward(torch.ones(4))", run_forward},
    {.name = NULL},
};
