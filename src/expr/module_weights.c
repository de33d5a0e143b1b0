// SPDX-License-Identifier: GPL-3.0-or-later
/* nn's layers with parameters: Linear, LayerNorm, RMSNorm. */
#include <math.h>

#include "expr/module_layers.h"
#include "torch/make.h"

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

/* A parameter that is not there. */
static bool none(es_args *a, const char *name, es_error *err)
{
    return es_module_register(a->in, &a->v[0], name, strlen(name), es_none(), ES_PARAMETER, err);
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
    return es_layer_keep(a, 1, es_none(), err) && es_layer_keep(a, 2, es_none(), err) &&
           draw(a, "weight", &p, &weight, bound, err) &&
           (biased ? draw(a, "bias", &p, &bias, bound, err) : none(a, "bias", err));
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
    bool ok = weight ? fill(a, "weight", p, shape, 1, err) : none(a, "weight", err);
    return ok && (bias ? fill(a, "bias", p, shape, 0, err) : none(a, "bias", err));
}

static bool run_LayerNorm(es_args *a, es_value *out, es_error *err)
{
    es_shape shape = {0};
    bool with, bias;
    place p;
    *out = es_none();
    return es_module_begin(a, err) && es_arg_bool(a, 3, true, &with, err) &&
           es_arg_bool(a, 4, true, &bias, err) && read_place(a, 5, &p, err) &&
           read_normalized(a, &shape, err) && es_layer_keep(a, 2, es_value_float(1e-5), err) &&
           es_layer_keep(a, 3, es_value_bool(true), err) &&
           affine(a, &p, &shape, with, with && bias, err);
}

static bool run_RMSNorm(es_args *a, es_value *out, es_error *err)
{
    es_shape shape = {0};
    bool with;
    place p;
    *out = es_none();
    return es_module_begin(a, err) && es_arg_bool(a, 3, true, &with, err) &&
           read_place(a, 4, &p, err) && read_normalized(a, &shape, err) &&
           es_layer_keep(a, 2, es_none(), err) && es_layer_keep(a, 3, es_value_bool(true), err) &&
           (with ? fill(a, "weight", &p, &shape, 1, err) : none(a, "weight", err));
}

const es_builtin es_builtins_module_weights[] = {
    {"Linear", ES_IN_NN | ES_CLASS,
     "self, in_features, out_features, bias=True, device=None, dtype=None",
     "a layer that computes input @ weight.T + bias",
     "(…, in_features) → (…, out_features); weight (out_features, in_features)",
     "weight and bias are drawn evenly from -1/sqrt(in_features) to 1/sqrt(in_features). "
     " " ES_OWN_GENERATOR,
     "fc = nn.Linear(3, 5)\nfc(torch.zeros(2, 3)).shape", run_Linear},
    {"Linear.forward", ES_IN_NN, "self, input", "input @ weight.T + bias",
     "(…, in_features) → (…, out_features)", NULL, "nn.Linear(3, 5).forward(torch.zeros(2, 3))",
     es_layer_forward},
    {"LayerNorm", ES_IN_NN | ES_CLASS,
     "self, normalized_shape, eps=1e-05, elementwise_affine=True, bias=True, device=None, "
     "dtype=None",
     "a layer that brings numbers to mean 0 and variance 1 over the last axes", "the same shape",
     "Times weight, which begins as ones, plus bias, zeros.",
     "ln = nn.LayerNorm(4)\nln(torch.arange(8.).view(2, 4))", run_LayerNorm},
    {"LayerNorm.forward", ES_IN_NN, "self, input", "F.layer_norm with its weight and bias",
     "the same shape", NULL, "nn.LayerNorm(4).forward(torch.arange(8.).view(2, 4))",
     es_layer_forward},
    {"RMSNorm", ES_IN_NN | ES_CLASS,
     "self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None",
     "a layer that divides numbers by the root of their mean square over the last axes",
     "the same shape", "Times weight, which begins as ones.  eps=None is the smallest step from 1.",
     "norm = nn.RMSNorm(4)\nnorm(torch.arange(8.).view(2, 4))", run_RMSNorm},
    {"RMSNorm.forward", ES_IN_NN, "self, input", "F.rms_norm with its weight", "the same shape",
     NULL, "nn.RMSNorm(4).forward(torch.arange(8.).view(2, 4))", es_layer_forward},
    {.name = NULL},
};
