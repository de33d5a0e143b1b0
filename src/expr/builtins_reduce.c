// SPDX-License-Identifier: GPL-3.0-or-later
/* Sums, means, extremes and lengths, over one axis, several or all; softmax and cumulative sums. */
#include "torch/reduce.h"

#include <math.h>
#include <string.h>

#include "expr/bind_shapes.h"
#include "torch/cast.h"
#include "torch/elementwise.h"

/* ---- what they share ---- */

static void over_all(es_over *over, int ndim)
{
    over->all = true;
    over->n = ndim;
    for (int d = 0; d < ndim; d++)
        over->axis[d] = d;
}

/* dim (one axis, several, none: all) and keepdim, at those places. */
static bool read_over(es_args *a, const es_tensor *x, int dim, int keepdim, es_over *over,
                      es_error *err)
{
    *over = (es_over){.name = a->of->name, .p = 1};
    if (!es_arg_axes(a, dim, x->shape.ndim, over->axis, &over->n, err) ||
        !es_arg_bool(a, keepdim, false, &over->keepdim, err))
        return false;
    if (!es_given(a, dim) || (over->n == 0 && x->shape.ndim > 0))
        over_all(over, x->shape.ndim);
    return true;
}

/* x in the dtype that was asked for, if one was. */
static bool cast_first(es_args *a, int dtype, es_tensor *t, const es_tensor *x, es_error *err)
{
    es_dtype wanted;
    return es_arg_dtype(a, dtype, x->dtype, &wanted, err) &&
           es_torch_to(a->k, t, x, wanted, x->buf->be, err);
}

static es_reduction reduction_called(const char *name)
{
    static const struct {
        const char *name;
        es_reduction op;
    } ops[] = {
        {"all", ES_R_ALL},       {"amax", ES_R_MAX},
        {"amin", ES_R_MIN},      {"any", ES_R_ANY},
        {"argmax", ES_R_ARGMAX}, {"argmin", ES_R_ARGMIN},
        {"max", ES_R_MAX},       {"mean", ES_R_MEAN},
        {"min", ES_R_MIN},       {"prod", ES_R_PROD},
        {"std", ES_R_STD},       {"sum", ES_R_SUM},
        {"var", ES_R_VAR},       {"logsumexp", ES_R_LOGSUMEXP},
    };
    size_t i = 0;
    while (strcmp(ops[i].name, name))
        i++;
    return ops[i].op;
}

/* ---- input, dim, keepdim ---- */

static bool run_reduce(es_args *a, es_value *out, es_error *err)
{
    es_over over;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && read_over(a, x, 1, 2, &over, err) &&
           es_give(out, &t,
                   es_torch_reduce(a->k, &t, reduction_called(a->of->name), x, &over, err));
}

/* ..., dtype */
static bool run_sum(es_args *a, es_value *out, es_error *err)
{
    es_over over;
    es_tensor t, cast;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !read_over(a, x, 1, 2, &over, err) || !cast_first(a, 3, &cast, x, err))
        return false;
    bool ok = es_give(out, &t,
                      es_torch_reduce(a->k, &t, reduction_called(a->of->name), &cast, &over, err));
    es_tensor_free(&cast);
    return ok;
}

static bool run_count_nonzero(es_args *a, es_value *out, es_error *err)
{
    es_over over = {.name = a->of->name};
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_axes(a, 1, x->shape.ndim, over.axis, &over.n, err))
        return false;
    return es_give(out, &t, es_torch_reduce(a->k, &t, ES_R_COUNT_NONZERO, x, &over, err));
}

/* ---- extremes ---- */

static bool extreme_of_two(es_args *a, es_value *out, int other, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, other, err) : NULL;
    es_binary_op op = strcmp(a->of->name, "max") ? ES_B_MINIMUM : ES_B_MAXIMUM;
    return y && es_give(out, &t, es_torch_binary(a->k, &t, op, x, y, err));
}

/* max(), max(dim, keepdim), max(other). */
static bool run_extreme(es_args *a, es_value *out, es_error *err)
{
    bool largest = !strcmp(a->of->name, "max");
    es_over over = {.name = a->of->name, .n = 1};
    es_tensor values, index;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (es_given(a, 3) || a->v[1].kind == ES_V_TENSOR)
        return extreme_of_two(a, out, es_given(a, 3) ? 3 : 1, err);
    if (!es_given(a, 1))
        return run_reduce(a, out, err);
    if (!es_arg_axis(a, 1, x->shape.ndim, &over.axis[0], err) ||
        !es_arg_bool(a, 2, false, &over.keepdim, err) ||
        !es_torch_extreme(a->k, &values, &index, largest, x, &over, err))
        return false;
    *out = es_value_pair(es_value_tensor(&values), es_value_tensor(&index),
                         largest ? "torch.return_types.max" : "torch.return_types.min",
                         "values indices");
    return true;
}

/* ---- spread and length ---- */

/* std(unbiased), std(dim, unbiased, keepdim), std(dim, correction=1, keepdim=...). */
static bool run_spread(es_args *a, es_value *out, es_error *err)
{
    es_over over = {.name = a->of->name};
    bool unbiased = true;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (a->v[1].kind == ES_V_BOOL) {
        unbiased = a->v[1].u.b;
        over_all(&over, x->shape.ndim);
    } else if (!read_over(a, x, 1, 3, &over, err)) {
        return false;
    }
    if (es_given(a, 2) && !es_arg_bool(a, 2, true, &unbiased, err))
        return false;
    over.p = unbiased;
    if (es_given(a, 4) && !es_arg_double(a, 4, &over.p, err))
        return false;
    return es_give(out, &t,
                   es_torch_reduce(a->k, &t, reduction_called(a->of->name), x, &over, err));
}

/* The p of a norm: a number, "fro"; not given: 2. */
static bool read_p(es_args *a, int i, double *p, es_error *err)
{
    *p = 2;
    if (!es_given(a, i))
        return true;
    if (a->v[i].kind != ES_V_STR)
        return es_arg_double(a, i, p, err);
    if (!strcmp(es_value_as_str(&a->v[i])->bytes, "fro"))
        return true;
    es_fail(err, ES_ERR_UNSUPPORTED, "the norms here are \"fro\" and those to a power p");
    return es_arg_blame(a, i, err);
}

static bool run_norm(es_args *a, es_value *out, es_error *err)
{
    es_over over;
    double p;
    es_tensor t, cast;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !read_p(a, 1, &p, err) || !read_over(a, x, 2, 3, &over, err) ||
        !cast_first(a, 4, &cast, x, err))
        return false;
    over.p = p;
    bool ok = es_give(out, &t, es_torch_reduce(a->k, &t, ES_R_NORM, &cast, &over, err));
    es_tensor_free(&cast);
    return ok;
}

/* ---- along an axis ---- */

/* PyTorch's guess where softmax is not told an axis. */
static int guessed_axis(es_args *a, int ndim)
{
    int axis = ndim == 0 || ndim == 1 || ndim == 3 ? 0 : 1;
    es_torch_note(a->k, "%s was not told an axis and takes %d; the channels are at dim=-1",
                  a->of->name, axis);
    return axis;
}

static bool run_softmax(es_args *a, es_value *out, es_error *err)
{
    bool log = !strcmp(a->of->name, "log_softmax");
    int axis;
    es_tensor t, cast;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    if (!es_given(a, 1))
        axis = guessed_axis(a, x->shape.ndim);
    else if (!es_arg_axis(a, 1, x->shape.ndim, &axis, err))
        return false;
    if (!cast_first(a, 2, &cast, x, err))
        return false;
    bool ok = es_give(out, &t, es_torch_softmax(a->k, &t, log, &cast, axis, err));
    es_tensor_free(&cast);
    return ok;
}

static bool run_cumulate(es_args *a, es_value *out, es_error *err)
{
    bool product = !strcmp(a->of->name, "cumprod");
    int axis;
    es_tensor t, cast;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_axis(a, 1, x->shape.ndim, &axis, err) || !cast_first(a, 2, &cast, x, err))
        return false;
    bool ok = es_give(out, &t, es_torch_cumulate(a->k, &t, product, &cast, axis, err));
    es_tensor_free(&cast);
    return ok;
}

/* ---- the table ---- */

enum { BOTH = ES_IN_TORCH | ES_METHOD };

#define DIMS   "input, dim=None, keepdim=False"
#define AWAY   "(…, n, …) → (…, …), or 1 in the axis's place with keepdim"
#define STAYS  "the same shape"
#define SPREAD "input, dim=None, unbiased=True, keepdim=False, *, correction=1"

const es_builtin es_builtins_reduce[] = {
    {"sum", BOTH, DIMS ", *, dtype=None", "the sum over one axis, several, or all", AWAY,
     "Of integers and bools int64: the sum of a mask counts what is True.", "x.sum(-1)", run_sum},
    {"mean", BOTH, DIMS ", *, dtype=None", "the mean over one axis, several, or all", AWAY,
     "Of floats only: ids.float().mean().", "x.mean(-1, keepdim=True)", run_sum},
    {"prod", BOTH, DIMS ", *, dtype=None", "the product over one axis, or all", AWAY, NULL,
     "torch.tensor([2, 3, 4]).prod()", run_sum},
    {"max", BOTH, "input, dim=None, keepdim=False, *, other=None",
     "the largest of all, or along an axis with where it is, or of each pair of numbers", AWAY,
     "With dim it is a pair: .values and .indices.  With a tensor it is maximum.",
     "x.max(-1).indices", run_extreme},
    {"min", BOTH, "input, dim=None, keepdim=False, *, other=None",
     "the smallest of all, or along an axis with where it is, or of each pair of numbers", AWAY,
     "With dim it is a pair: .values and .indices.  With a tensor it is minimum.",
     "x.min(-1).values", run_extreme},
    {"amax", BOTH, DIMS, "the largest over one axis, several, or all", AWAY, "NaN wins.",
     "x.amax((0, 1))", run_reduce},
    {"amin", BOTH, DIMS, "the smallest over one axis, several, or all", AWAY, "NaN wins.",
     "x.amin(-1)", run_reduce},
    {"argmax", BOTH, DIMS, "where the largest is, along an axis or in all", AWAY,
     "The first of equals.  Without dim, the place in row-major order.", "x.argmax(-1)",
     run_reduce},
    {"argmin", BOTH, DIMS, "where the smallest is, along an axis or in all", AWAY,
     "The first of equals.  Without dim, the place in row-major order.", "x.argmin(-1)",
     run_reduce},
    {"std", BOTH, SPREAD, "the standard deviation over one axis, several, or all", AWAY,
     "Divided by n - 1 (unbiased), so that of one number it is NaN; unbiased=False divides by n, "
     "as layer_norm does.",
     "x.std(-1, unbiased=False)", run_spread},
    {"var", BOTH, SPREAD, "the variance over one axis, several, or all", AWAY,
     "Divided by n - 1 (unbiased), so that of one number it is NaN; unbiased=False divides by n, "
     "as layer_norm does.",
     "x.var(-1, keepdim=True)", run_spread},
    {"norm", BOTH, "input, p='fro', dim=None, keepdim=False, dtype=None",
     "the length of vectors: the root of the sum of squares", AWAY,
     "p=1 adds the sizes, p=float(\"inf\") takes the largest, p=0 counts what is not 0.",
     "wte.weight.norm(dim=-1)", run_norm},
    {"all", BOTH, DIMS, "are all True (not 0)?", AWAY, "Of nothing it is True.", "(ids < V).all()",
     run_reduce},
    {"any", BOTH, DIMS, "is one of them True (not 0)?", AWAY, "Of nothing it is False.",
     "(ids == 7).any(-1)", run_reduce},
    {"count_nonzero", BOTH, "input, dim=None", "how many are not 0",
     "(…, n, …) → (…, …); without dim one number", NULL, "(ids > 3).count_nonzero()",
     run_count_nonzero},
    {"logsumexp", BOTH, "input, dim, keepdim=False",
     "the logarithm of the sum of e to the power of each", AWAY,
     "log_softmax is x - x.logsumexp(-1, keepdim=True).", "x.logsumexp(-1)", run_reduce},
    {"softmax", BOTH | ES_IN_F, "input, dim=None, dtype=None",
     "numbers as shares: positive, and of sum 1 along the axis", STAYS,
     "e to the power of each, divided by the sum of them along dim.", "F.softmax(x, dim=-1)",
     run_softmax},
    {"log_softmax", BOTH | ES_IN_F, "input, dim=None, dtype=None",
     "the logarithm of softmax, exact where shares are tiny", STAYS, NULL,
     "F.log_softmax(x, dim=-1)", run_softmax},
    {"cumsum", BOTH | ES_IN_PLACE, "input, dim, *, dtype=None",
     "the sums up to each place of an axis", STAYS, "Of integers and bools int64.",
     "torch.ones(5).cumsum(0)", run_cumulate},
    {"cumprod", BOTH | ES_IN_PLACE, "input, dim, *, dtype=None",
     "the products up to each place of an axis", STAYS, "Of integers and bools int64.",
     "torch.arange(1, 6).cumprod(0)", run_cumulate},
    {.name = NULL},
};
