// SPDX-License-Identifier: GPL-3.0-or-later
/* Likeness and distance of vectors, and vectors brought to one scale. */
#include "torch/similar.h"

#include <float.h>
#include <string.h>

#include "expr/bind_shapes.h"
#include "expr/inside.h"
#include "torch/decompose.h"
#include "torch/dropout.h"

static bool double_or(es_args *a, int i, double otherwise, double *out, es_error *err)
{
    *out = otherwise;
    return !es_given(a, i) || es_arg_double(a, i, out, err);
}

static bool run_cosine(es_args *a, es_value *out, es_error *err)
{
    int64_t axis;
    double eps;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && es_arg_int_or(a, 2, 1, &axis, err) && double_or(a, 3, 1e-8, &eps, err) &&
           es_give(out, &t, es_torch_cosine(a->k, &t, x, y, axis, eps, err));
}

static bool run_normalize(es_args *a, es_value *out, es_error *err)
{
    int64_t typed;
    int axis;
    double p, eps;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && double_or(a, 1, 2, &p, err) && es_arg_int_or(a, 2, 1, &typed, err) &&
           es_torch_axis(&axis, typed, x->shape.ndim, err) && double_or(a, 3, 1e-12, &eps, err) &&
           es_give(out, &t, es_torch_normalize(a->k, &t, x, p, axis, eps, err));
}

/* A tensor that may be left out. */
static bool optional(es_args *a, int i, const es_tensor **t, es_error *err)
{
    *t = NULL;
    return !es_given(a, i) || (*t = es_arg_tensor(a, i, err)) != NULL;
}

static bool run_layer_norm(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    double eps;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *weight, *bias;
    return x && es_arg_shape(a, 1, &shape, err) && optional(a, 2, &weight, err) &&
           optional(a, 3, &bias, err) && double_or(a, 4, 1e-5, &eps, err) &&
           es_give(out, &t, es_torch_layer_norm(a->k, &t, x, &shape, weight, bias, eps, err));
}

static bool run_rms_norm(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    double eps;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *weight;
    double least = x && x->dtype == ES_FLOAT64 ? DBL_EPSILON : FLT_EPSILON;
    return x && es_arg_shape(a, 1, &shape, err) && optional(a, 2, &weight, err) &&
           double_or(a, 3, least, &eps, err) &&
           es_give(out, &t, es_torch_rms_norm(a->k, &t, x, &shape, weight, eps, err));
}

static bool run_cdist(es_args *a, es_value *out, es_error *err)
{
    double p;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && double_or(a, 2, 2, &p, err) &&
           es_give(out, &t, es_torch_cdist(a->k, &t, x, y, p, err));
}

/* ---- directions ---- */

static bool run_pca(es_args *a, es_value *out, es_error *err)
{
    int64_t n;
    es_tensor t[3];
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_int_or(a, 1, 2, &n, err) ||
        !es_torch_pca(a->k, &t[0], &t[1], &t[2], x, n, err))
        return false;
    return es_give_all(out, t, 3);
}

static bool run_svd(es_args *a, es_value *out, es_error *err)
{
    es_tensor t[3];
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_torch_svd(a->k, &t[0], &t[1], &t[2], x, err) && es_give_all(out, t, 3);
}

/* ---- losses ---- */

static bool read_reduction(es_args *a, int i, es_reduced *how, es_error *err)
{
    static const char *const names[] = {"mean", "sum", "none"};
    *how = ES_MEAN_OF_ALL;
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_wrong(a, i, "str", err);
    for (int n = 0; n < 3; n++)
        if (!strcmp(names[n], es_value_as_str(&a->v[i])->bytes)) {
            *how = (es_reduced)n;
            return true;
        }
    es_fail(err, ES_ERR_VALUE, "a reduction is \"mean\", \"sum\" or \"none\"");
    return es_arg_blame(a, i, err);
}

/* A parameter that is accepted as PyTorch's default alone. */
static bool not_here(es_args *a, int i, es_error *err)
{
    es_fail(err, ES_ERR_UNSUPPORTED, "%s does not know '%.*s' here", a->of->name, a->param[i].n,
            a->param[i].s);
    return es_arg_blame(a, i, err);
}

static bool run_cross_entropy(es_args *a, es_value *out, es_error *err)
{
    int64_t ignore;
    double smoothing;
    es_reduced how;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y || !es_arg_int_or(a, 3, -100, &ignore, err) || !read_reduction(a, 4, &how, err) ||
        !double_or(a, 5, 0, &smoothing, err))
        return false;
    if (es_given(a, 2) || smoothing != 0)
        return not_here(a, es_given(a, 2) ? 2 : 5, err);
    return es_give(out, &t, es_torch_cross_entropy(a->k, &t, x, y, ignore, how, err));
}

static bool run_mse_loss(es_args *a, es_value *out, es_error *err)
{
    es_reduced how;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y || !read_reduction(a, 2, &how, err))
        return false;
    if (!es_shape_equal(&x->shape, &y->shape))
        es_torch_note(a->k, "input and target have two shapes, and are stretched to one: is that "
                            "what you want?");
    return es_give(out, &t, es_torch_mse(a->k, &t, x, y, how, err));
}

static bool run_dropout(es_args *a, es_value *out, es_error *err)
{
    double p;
    bool training, in_place;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !double_or(a, 1, 0.5, &p, err) || !es_arg_bool(a, 2, true, &training, err) ||
        !es_arg_bool(a, 3, false, &in_place, err))
        return false;
    if (!(p >= 0 && p <= 1)) {
        es_fail(err, ES_ERR_VALUE, "a probability is from 0 to 1, and this is %g", p);
        es_torch_says(err, "dropout probability has to be between 0 and 1, but got %g", p);
        return es_arg_blame(a, 1, err);
    }
    if (!training || p == 0)
        return es_answer(out, es_value_ref(&a->v[0]));
    if (!es_give(out, &t, es_torch_dropout(a->k, &t, x, p, err)))
        return false;
    if (!in_place)
        return true;
    bool ok = es_write_into(a->in, x, es_value_as_tensor(out), true, err);
    es_value_unref(out);
    return ok && es_answer(out, es_value_ref(&a->v[0]));
}

const es_builtin es_builtins_similar[] = {
    {"cosine_similarity", ES_IN_TORCH | ES_IN_F, "x1, x2, dim=1, eps=1e-08",
     "the cosine of the angle between vectors: 1 the same way, 0 across, -1 against",
     "both stretched to one shape, without the axis dim",
     "dim=1 is the time axis of (B, T, C); vectors lie along dim=-1.",
     "F.cosine_similarity(wte.weight, wte.weight[3], dim=-1)", run_cosine},
    {"normalize", ES_IN_F, "input, p=2.0, dim=1, eps=1e-12", "vectors divided by their lengths",
     "the same shape", "The lengths along dim are 1 then; a vector of zeros stays.",
     "F.normalize(x, dim=-1)", run_normalize},
    {"layer_norm", ES_IN_TORCH | ES_IN_F,
     "input, normalized_shape, weight=None, bias=None, eps=1e-05",
     "numbers brought to mean 0 and variance 1 over the last axes", "the same shape",
     "Times weight, plus bias.  The variance is divided by n, not n - 1.", "F.layer_norm(x, (C,))",
     run_layer_norm},
    {"rms_norm", ES_IN_TORCH | ES_IN_F, "input, normalized_shape, weight=None, eps=None",
     "numbers divided by the root of their mean square over the last axes", "the same shape",
     "Times weight.  eps=None is the smallest step from 1 of the dtype.", "F.rms_norm(x, (C,))",
     run_rms_norm},
    {"cdist", ES_IN_TORCH, "x1, x2, p=2.0", "the distance of every row from every row",
     "(…, P, M), (…, R, M) → (…, P, R)", NULL, "torch.cdist(x, wte.weight)", run_cdist},
    {"pca", ES_IN_PLAIN | ES_OWN, "x, k=2", "the directions in which rows differ most",
     "(n, m) → scores (n, k), components (k, m), explained (k)",
     "The mean row is taken away first; explained is the part of all variance along each "
     "direction.",
     "scores, components, explained = pca(wte.weight, 2)", run_pca},
    {"svd", ES_IN_TORCH | ES_METHOD, "input",
     "a matrix as rotation, stretching, rotation: U diag(S) V.T",
     "(n, m) → U (n, r), S (r), V (m, r), r the smaller of both",
     "Signs of columns may differ from PyTorch's.", "U, S, V = torch.svd(x[0])", run_svd},
    {"cross_entropy", ES_IN_F,
     "input, target, weight=None, ignore_index=-100, reduction='mean', label_smoothing=0.0",
     "how surprised scores are by the true class: -log softmax(input)[target]",
     "(N, V), (N) → one number; (N, V, …), (N, …) too",
     "Classes lie on axis 1, so that logits (B, T, V) are to be .view(-1, V) first.",
     "logits = x @ wte.weight.T\nF.cross_entropy(logits.view(-1, V), ids.view(-1))",
     run_cross_entropy},
    {"mse_loss", ES_IN_F, "input, target, reduction='mean'", "the mean of squared differences",
     "two shapes → one number", NULL, "F.mse_loss(x, wte(ids))", run_mse_loss},
    {"dropout", ES_IN_F, "input, p=0.5, training=True, inplace=False",
     "numbers dropped by chance, unless training is False", "the same shape",
     "Each becomes 0 with probability p, and those that stay are divided by 1 - p.  The generator "
     "is this program's own.",
     "F.dropout(x, 0.1, training=False)", run_dropout},
    {.name = NULL},
};
