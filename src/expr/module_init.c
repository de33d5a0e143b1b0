// SPDX-License-Identifier: GPL-3.0-or-later
/* torch.nn.init: how the numbers of parameters begin. */
#include <math.h>

#include "expr/bind_shapes.h"
#include "expr/inside.h"
#include "expr/modules.h"
#include "torch/make.h"
#include "torch/truncated.h"

static bool double_or(es_args *a, int i, double otherwise, double *out, es_error *err)
{
    *out = otherwise;
    return !es_given(a, i) || es_arg_double(a, i, out, err);
}

/* What all of them end with: the tensor itself, whose numbers were written. */
static bool done(es_args *a, es_value *out, bool ok)
{
    return ok && es_answer(out, es_value_ref(&a->v[0]));
}

static bool drawn(es_args *a, es_value *out, const es_drawing *how, es_error *err)
{
    return done(a, out, es_redraw(a->in, &a->v[0], how, err));
}

/* src is written into the tensor; taken over, if it was made. */
static bool written(es_args *a, es_value *out, es_tensor *src, bool made, es_error *err)
{
    bool ok = made && es_write_into(a->in, es_value_as_tensor(&a->v[0]), src, false, err);
    if (made)
        es_tensor_free(src);
    return done(a, out, ok);
}

/* ---- one number ---- */

static bool constant(es_args *a, es_value *out, double number, es_error *err)
{
    es_tensor t;
    return es_arg_tensor(a, 0, err) &&
           written(a, out, &t, es_torch_float(a->k, &t, number, err), err);
}

static bool run_zeros(es_args *a, es_value *out, es_error *err)
{
    return constant(a, out, 0, err);
}

static bool run_ones(es_args *a, es_value *out, es_error *err)
{
    return constant(a, out, 1, err);
}

static bool run_constant(es_args *a, es_value *out, es_error *err)
{
    double number;
    return es_arg_double(a, 1, &number, err) && constant(a, out, number, err);
}

static bool run_eye(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (x && x->shape.ndim != 2) {
        es_fail(err, ES_ERR_VALUE, "eye_ is for matrices, and this has %d axes", x->shape.ndim);
        es_torch_says(err, "Only tensors with 2 dimensions are supported");
        return es_arg_blame(a, 0, err);
    }
    return x &&
           written(a, out, &t, es_torch_eye(a->k, &t, x->buf->be, x->dtype, &x->shape, err), err);
}

/* ---- random numbers of given bounds ---- */

static bool run_normal(es_args *a, es_value *out, es_error *err)
{
    es_drawing how = {0};
    if (!es_arg_tensor(a, 0, err) || !double_or(a, 1, 0, &how.from, err) ||
        !double_or(a, 2, 1, &how.by, err))
        return false;
    if (how.by >= 0)
        return drawn(a, out, &how, err);
    es_fail(err, ES_ERR_VALUE, "a deviation is not below 0, and this is %g", how.by);
    es_torch_says(err, "normal expects std >= 0.0, but found std %g", how.by);
    return es_arg_blame(a, 2, err);
}

static bool run_uniform(es_args *a, es_value *out, es_error *err)
{
    es_drawing how = {.uniform = true};
    double to;
    if (!es_arg_tensor(a, 0, err) || !double_or(a, 1, 0, &how.from, err) ||
        !double_or(a, 2, 1, &to, err))
        return false;
    how.by = to - how.from;
    if (how.by >= 0)
        return drawn(a, out, &how, err);
    es_fail(err, ES_ERR_VALUE, "there are no numbers from %g to below %g", how.from, to);
    es_torch_says(err, "uniform_ expects to return a [from, to) range, but found from=%g > to=%g",
                  how.from, to);
    return es_arg_blame(a, 2, err);
}

static bool run_trunc_normal(es_args *a, es_value *out, es_error *err)
{
    es_truncated how;
    es_tensor t;
    es_torch k = *a->k;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !double_or(a, 1, 0, &how.mean, err) || !double_or(a, 2, 1, &how.deviation, err) ||
        !double_or(a, 3, -2, &how.low, err) || !double_or(a, 4, 2, &how.high, err))
        return false;
    if (!(how.low <= how.high) || !(how.deviation >= 0)) {
        es_fail(err, ES_ERR_VALUE,
                how.deviation >= 0 ? "there are no numbers from %g to %g"
                                   : "a deviation is not below 0",
                how.low, how.high);
        return es_arg_blame(a, how.deviation >= 0 ? 3 : 2, err);
    }
    k.shapes_only = k.shapes_only || a->in->trial || es_torch_meta(x);
    bool ok = es_torch_truncated(&k, &t, x->buf->be, x->dtype, &x->shape, &how, err);
    a->k->drawn = k.drawn;
    return written(a, out, &t, ok, err);
}

/* ---- by how many numbers go in and out ---- */

typedef struct fans {
    double in, out;
} fans;

static bool read_fans(es_args *a, fans *f, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (x->shape.ndim < 2) {
        es_fail(err, ES_ERR_VALUE, "what goes in and out is told by two axes, and this has %d",
                x->shape.ndim);
        es_torch_says(err, "Fan in and fan out can not be computed for tensor with fewer than 2 "
                           "dimensions");
        return es_arg_blame(a, 0, err);
    }
    double field = 1;
    for (int d = 2; d < x->shape.ndim; d++)
        field *= (double)x->shape.dim[d];
    f->in = (double)x->shape.dim[1] * field;
    f->out = (double)x->shape.dim[0] * field;
    return true;
}

/* Numbers of that deviation, even or normal. */
static bool of_deviation(es_args *a, es_value *out, double deviation, bool even, es_error *err)
{
    double bound = sqrt(3) * deviation;
    const es_drawing how = even ? (es_drawing){.uniform = true, .from = -bound, .by = 2 * bound}
                                : (es_drawing){.by = deviation};
    return drawn(a, out, &how, err);
}

static bool xavier(es_args *a, es_value *out, bool even, es_error *err)
{
    fans f;
    double gain;
    return read_fans(a, &f, err) && double_or(a, 1, 1, &gain, err) &&
           of_deviation(a, out, f.in + f.out > 0 ? gain * sqrt(2 / (f.in + f.out)) : 0, even, err);
}

static bool run_xavier_uniform(es_args *a, es_value *out, es_error *err)
{
    return xavier(a, out, true, err);
}

static bool run_xavier_normal(es_args *a, es_value *out, es_error *err)
{
    return xavier(a, out, false, err);
}

/* How much what comes behind shrinks its numbers. */
static bool read_gain(es_args *a, int i, double slope, double *gain, es_error *err)
{
    static const struct {
        const char *name;
        double gain;
    } gains[] = {{"linear", 1},     {"conv1d", 1},     {"conv2d", 1}, {"sigmoid", 1},
                 {"tanh", 5.0 / 3}, {"relu", M_SQRT2}, {"selu", 0.75}};
    *gain = sqrt(2 / (1 + slope * slope));
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_wrong(a, i, "str", err);
    for (size_t k = 0; k < sizeof gains / sizeof *gains; k++)
        if (es_value_is_str(&a->v[i], gains[k].name)) {
            *gain = gains[k].gain;
            return true;
        }
    if (es_value_is_str(&a->v[i], "leaky_relu"))
        return true;
    es_fail(err, ES_ERR_VALUE,
            "the functions known here are linear, sigmoid, tanh, relu, "
            "leaky_relu and selu");
    es_torch_says(err, "Unsupported nonlinearity");
    return es_arg_blame(a, i, err);
}

static bool read_mode(es_args *a, const fans *f, double *fan, es_error *err)
{
    bool out = es_given(a, 2) && es_value_is_str(&a->v[2], "fan_out");
    *fan = out ? f->out : f->in;
    if (!es_given(a, 2) || out || es_value_is_str(&a->v[2], "fan_in"))
        return true;
    es_fail(err, ES_ERR_VALUE, "mode is \"fan_in\" or \"fan_out\"");
    es_torch_says(err, "Mode not supported, please use one of ['fan_in', 'fan_out']");
    return es_arg_blame(a, 2, err);
}

static bool kaiming(es_args *a, es_value *out, bool even, es_error *err)
{
    fans f;
    double slope, fan, gain;
    return read_fans(a, &f, err) && double_or(a, 1, 0, &slope, err) &&
           read_mode(a, &f, &fan, err) && read_gain(a, 3, slope, &gain, err) &&
           of_deviation(a, out, fan > 0 ? gain / sqrt(fan) : 0, even, err);
}

static bool run_kaiming_uniform(es_args *a, es_value *out, es_error *err)
{
    return kaiming(a, out, true, err);
}

static bool run_kaiming_normal(es_args *a, es_value *out, es_error *err)
{
    return kaiming(a, out, false, err);
}

static bool run_calculate_gain(es_args *a, es_value *out, es_error *err)
{
    double slope, gain;
    return double_or(a, 1, 0.01, &slope, err) && read_gain(a, 0, slope, &gain, err) &&
           es_answer(out, es_value_float(gain));
}

#define W "w = torch.empty(3, 5)\n"

const es_builtin es_builtins_module_init[] = {
    {"zeros_", ES_IN_INIT, "tensor", "writes 0 everywhere", "the tensor itself", NULL,
     W "nn.init.zeros_(w)", run_zeros},
    {"ones_", ES_IN_INIT, "tensor", "writes 1 everywhere", "the tensor itself", NULL,
     W "nn.init.ones_(w)", run_ones},
    {"constant_", ES_IN_INIT, "tensor, val", "writes one number everywhere", "the tensor itself",
     NULL, W "nn.init.constant_(w, 0.5)", run_constant},
    {"eye_", ES_IN_INIT, "tensor", "writes 1 on the diagonal and 0 elsewhere", "the tensor itself",
     NULL, W "nn.init.eye_(w)", run_eye},
    {"normal_", ES_IN_INIT, "tensor, mean=0.0, std=1.0, generator=None",
     "writes random numbers, normal", "the tensor itself", ES_OWN_GENERATOR,
     W "nn.init.normal_(w, std=0.02)", run_normal},
    {"uniform_", ES_IN_INIT, "tensor, a=0.0, b=1.0, generator=None",
     "writes random numbers, even between two", "the tensor itself", ES_OWN_GENERATOR,
     W "nn.init.uniform_(w, -1, 1)", run_uniform},
    {"trunc_normal_", ES_IN_INIT, "tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None",
     "writes random numbers, normal, none below a or above b", "the tensor itself",
     ES_OWN_GENERATOR, W "nn.init.trunc_normal_(w, std=0.02)", run_trunc_normal},
    {"xavier_uniform_", ES_IN_INIT, "tensor, gain=1.0, generator=None",
     "writes random numbers, even, of deviation gain * sqrt(2 / (in + out))", "the tensor itself",
     ES_OWN_GENERATOR, W "nn.init.xavier_uniform_(w)", run_xavier_uniform},
    {"xavier_normal_", ES_IN_INIT, "tensor, gain=1.0, generator=None",
     "writes random numbers, normal, of deviation gain * sqrt(2 / (in + out))", "the tensor itself",
     ES_OWN_GENERATOR, W "nn.init.xavier_normal_(w)", run_xavier_normal},
    {"kaiming_uniform_", ES_IN_INIT,
     "tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None",
     "writes random numbers, even, of deviation gain / sqrt(in)", "the tensor itself",
     "The gain is sqrt(2 / (1 + a * a)) before a leaky_relu, sqrt(2) before a relu. "
     " " ES_OWN_GENERATOR,
     W "nn.init.kaiming_uniform_(w, nonlinearity=\"relu\")", run_kaiming_uniform},
    {"kaiming_normal_", ES_IN_INIT,
     "tensor, a=0, mode='fan_in', nonlinearity='leaky_relu', generator=None",
     "writes random numbers, normal, of deviation gain / sqrt(in)", "the tensor itself",
     ES_OWN_GENERATOR, W "nn.init.kaiming_normal_(w)", run_kaiming_normal},
    {"calculate_gain", ES_IN_INIT, "nonlinearity, param=None",
     "by how much a function shrinks what comes in", "a float", NULL,
     "nn.init.calculate_gain(\"tanh\")", run_calculate_gain},
    {.name = NULL},
};
