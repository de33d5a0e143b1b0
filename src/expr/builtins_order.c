// SPDX-License-Identifier: GPL-3.0-or-later
/* Sorting, the largest, the different ones. */
#include "torch/order.h"

#include "expr/bind_shapes.h"

static const char pair_fields[] = "values indices";

static bool give_pair(es_value *out, es_tensor *values, es_tensor *indices, const char *type)
{
    *out = es_value_pair(es_value_tensor(values), es_value_tensor(indices), type, pair_fields);
    return true;
}

static bool run_sort(es_args *a, es_value *out, es_error *err)
{
    int64_t axis;
    bool descending;
    es_tensor values, indices;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int_or(a, 1, -1, &axis, err) && es_arg_bool(a, 2, false, &descending, err) &&
           es_torch_sort(a->k, &values, &indices, x, axis, descending, err) &&
           give_pair(out, &values, &indices, "torch.return_types.sort");
}

static bool run_argsort(es_args *a, es_value *out, es_error *err)
{
    int64_t axis;
    bool descending;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int_or(a, 1, -1, &axis, err) && es_arg_bool(a, 2, false, &descending, err) &&
           es_give(out, &t, es_torch_sort(a->k, NULL, &t, x, axis, descending, err));
}

static bool run_topk(es_args *a, es_value *out, es_error *err)
{
    int64_t n, axis;
    bool largest;
    es_label label;
    es_tensor values, indices;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_size(a, 1, &n, &label, err) || !es_arg_int_or(a, 2, -1, &axis, err) ||
        !es_arg_bool(a, 3, true, &largest, err))
        return false;
    return es_torch_topk(a->k, &values, &indices, x, n, &label, axis, largest, err)
               ? give_pair(out, &values, &indices, "torch.return_types.topk")
               : es_arg_blame(a, err && err->code == ES_ERR_INDEX_RANGE ? 1 : 0, err);
}

static bool run_unique(es_args *a, es_value *out, es_error *err)
{
    bool inverse, counts;
    es_tensor t[3];
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_bool(a, 2, false, &inverse, err) || !es_arg_bool(a, 3, false, &counts, err))
        return false;
    if (es_given(a, 4)) {
        es_fail(err, ES_ERR_UNSUPPORTED, "unique looks at single numbers here, not at whole rows");
        return es_arg_blame(a, 4, err);
    }
    if (!es_torch_unique(a->k, &t[0], inverse ? &t[1] : NULL, counts ? &t[1 + inverse] : NULL, x,
                         err))
        return false;
    return inverse || counts ? es_give_all(out, t, 1 + inverse + counts) : es_give(out, t, true);
}

static bool run_bincount(es_args *a, es_value *out, es_error *err)
{
    int64_t least = 0;
    es_label label = es_label_named("");
    const es_tensor *x = es_arg_tensor(a, 0, err), *weights = NULL;
    es_tensor t;
    if (!x || (es_given(a, 1) && !(weights = es_arg_tensor(a, 1, err))) ||
        (es_given(a, 2) && !es_arg_size(a, 2, &least, &label, err)))
        return false;
    return es_give(out, &t, es_torch_bincount(a->k, &t, x, weights, least, &label, err));
}

#define X    "x = torch.tensor([3.0, 1.0, 2.0])\n"
#define IDS  "ids = torch.tensor([3, 7, 1, 7])\n"
#define BOTH (ES_METHOD | ES_IN_TORCH)

const es_builtin es_builtins_order[] = {
    {"sort", BOTH, "input, dim=-1, descending=False, stable=False",
     "the numbers of an axis in order, and where each was", "(values, indices), each as the input",
     "Equal ones keep their order, always; NaN counts as largest.", X "x.sort(descending=True)",
     run_sort},
    {"argsort", BOTH, "input, dim=-1, descending=False, stable=False",
     "where the numbers of an axis stand in order", "int64, as the input",
     "x[x.argsort()] is x "
     "sorted.",
     X "x.argsort()", run_argsort},
    {"topk", BOTH, "input, k, dim=-1, largest=True, sorted=True",
     "the k largest of an axis, best first, and where they are",
     "(values, indices), each (…, k, …)",
     "Of equal ones the first comes first; PyTorch promises "
     "no order there.",
     X "x.topk(2)", run_topk},
    {"unique", BOTH, "input, sorted=True, return_inverse=False, return_counts=False, dim=None",
     "the different numbers, in order", "(n); the inverse as the input, the counts (n)",
     "With return_inverse and return_counts a tuple: values, which of them each number is, how "
     "often each comes.",
     IDS "ids.unique(return_counts=True)", run_unique},
    {"bincount", BOTH, "input, weights=None, minlength=0", "how often 0, 1, 2, … come",
     "(n) → (largest + 1), or minlength", NULL, IDS "ids.bincount()", run_bincount},
    {.name = NULL},
};
