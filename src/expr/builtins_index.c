// SPDX-License-Identifier: GPL-3.0-or-later
/* Picking by number: rows of tables, places of axes, masks. */
#include "torch/index.h"

#include "expr/bind_shapes.h"
#include "torch/views.h"

/* Which of the reader's tables a weight belongs to, as far as its name says. */
static const char *table_name(const es_tensor *weight)
{
    const char *rows = weight->shape.ndim == 2 ? weight->shape.label[0].s : "";
    return !strcmp(rows, "V") ? "wte" : !strcmp(rows, "P") ? "wpe" : NULL;
}

static bool run_embedding(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *ids = es_arg_tensor(a, 0, err),
                    *weight = ids ? es_arg_tensor(a, 1, err) : NULL;
    if (!weight)
        return false;
    const char *name = es_torch_table_of(weight) ? table_name(weight) : NULL;
    if (es_give(out, &t, es_torch_embedding(a->k, &t, weight, ids, name, err)))
        return true;
    if (err && err->code == ES_ERR_DTYPE && weight->dtype == ES_INT64)
        es_hint(err, "the ids come first, then the table: F.embedding(ids, wte.weight)");
    return es_arg_blame(a, 0, err);
}

static bool run_one_hot(es_args *a, es_value *out, es_error *err)
{
    int64_t classes = -1;
    es_label label = es_label_named("");
    es_tensor t;
    const es_tensor *ids = es_arg_tensor(a, 0, err);
    if (!ids || (a->v[1].kind != ES_V_KINDS && !es_arg_size(a, 1, &classes, &label, err)))
        return false;
    return es_give(out, &t, es_torch_one_hot(a->k, &t, ids, classes, &label, err));
}

/* f(input, dim, index) */
typedef bool pick_fn(es_torch *k, es_tensor *out, const es_tensor *x, int64_t axis,
                     const es_tensor *index, es_error *err);

static bool pick(es_args *a, es_value *out, pick_fn *fn, es_error *err)
{
    int64_t axis;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *index;
    return x && es_arg_int64(a, 1, &axis, err) && (index = es_arg_tensor(a, 2, err)) &&
           es_give(out, &t, fn(a->k, &t, x, axis, index, err));
}

static bool run_gather(es_args *a, es_value *out, es_error *err)
{
    return pick(a, out, es_torch_gather, err);
}

static bool run_index_select(es_args *a, es_value *out, es_error *err)
{
    return pick(a, out, es_torch_index_select, err);
}

static bool run_take_along_dim(es_args *a, es_value *out, es_error *err)
{
    int64_t axis = 0;
    es_shape flat = {.ndim = 1, .dim = {-1}};
    es_tensor t, x_flat = {0}, index_flat = {0};
    const es_tensor *x = es_arg_tensor(a, 0, err), *index = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!index || (es_given(a, 2) && !es_arg_int64(a, 2, &axis, err)))
        return false;
    if (es_given(a, 2))
        return es_give(out, &t, es_torch_take_along(a->k, &t, x, index, axis, err));
    bool ok = es_torch_reshape(a->k, &x_flat, x, &flat, err) &&
              es_torch_reshape(a->k, &index_flat, index, &flat, err) &&
              es_give(out, &t, es_torch_take_along(a->k, &t, &x_flat, &index_flat, 0, err));
    es_tensor_free(&x_flat);
    es_tensor_free(&index_flat);
    return ok;
}

static bool run_masked_select(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *mask = x ? es_arg_tensor(a, 1, err) : NULL;
    return mask && es_give(out, &t, es_torch_masked_select(a->k, &t, x, mask, err));
}

static bool run_argwhere(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_give(out, &t, es_torch_nonzero(a->k, &t, x, err));
}

static bool run_nonzero(es_args *a, es_value *out, es_error *err)
{
    bool as_tuple;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_bool(a, 1, false, &as_tuple, err))
        return false;
    return as_tuple ? es_give_places(a, out, x, err)
                    : es_give(out, &t, es_torch_nonzero(a->k, &t, x, err));
}

static bool run_select(es_args *a, es_value *out, es_error *err)
{
    int64_t axis, i;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &axis, err) && es_arg_int64(a, 2, &i, err) &&
           es_give(out, &t, es_torch_select(a->k, &t, x, axis, i, err));
}

static bool run_narrow(es_args *a, es_value *out, es_error *err)
{
    int64_t axis, begin, length;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &axis, err) && es_arg_int64(a, 2, &begin, err) &&
           es_arg_int64(a, 3, &length, err) &&
           es_give(out, &t, es_torch_narrow(a->k, &t, x, axis, begin, length, err));
}

#define X    "x = torch.arange(6).view(2, 3)\n"
#define W    "w = torch.arange(12.0).view(4, 3)\n"
#define BOTH (ES_METHOD | ES_IN_TORCH)

const es_builtin es_builtins_index[] = {
    {"embedding", ES_IN_F,
     "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, "
     "scale_grad_by_freq=False, sparse=False",
     "the row of a table that each id selects", "ids (…) and weight (V, C) → (…, C)",
     "What wte(ids) does with wte.weight: no arithmetic, row ids[b, t] is copied.  An id below 0 "
     "or "
     "from V on is an error; it does not count from the end, as weight[-1] does.",
     W "F.embedding(torch.tensor([[3, 0]]), w)", run_embedding},
    {"one_hot", ES_IN_F, "tensor, num_classes=-1", "a 1 at each id's place, 0 elsewhere",
     "(…) → (…, num_classes), int64",
     "Times a table, one_hot(ids, V).float() @ wte.weight, it is the "
     "same as looking up.  Without num_classes there are as many as "
     "the largest id needs.",
     "F.one_hot(torch.tensor([0, 2, 1]), 4)", run_one_hot},
    {"index_select", BOTH, "input, dim, index", "some places of an axis, in that order",
     "(…, n, …) and index (k) → (…, k, …)", NULL, X "x.index_select(1, torch.tensor([2, 0]))",
     run_index_select},
    {"gather", BOTH, "input, dim, index", "for each place, one element along an axis",
     "index's sizes; as many axes as the input",
     "out[i, j] = input[i, index[i, j]] for dim 1.  So the loss takes the logit of each right "
     "token.",
     X "x.gather(1, torch.tensor([[2], [0]]))", run_gather},
    {"take_along_dim", BOTH, "input, indices, dim=None", "gather, stretched to each other first",
     "indices' sizes along dim, stretched beside it", "What argsort gives is what it takes.",
     X "x.take_along_dim(x.argsort(-1), -1)", run_take_along_dim},
    {"masked_select", BOTH, "input, mask", "the elements where a mask is true, as one axis",
     "stretched to each other → (n)", NULL, X "x.masked_select(x > 2)", run_masked_select},
    {"nonzero", BOTH, "input, *, as_tuple=False", "where it is not 0",
     "(n, rank), a row of coordinates each",
     "With as_tuple=True one tensor an axis, as x[…] takes "
     "them.",
     X "(x > 3).nonzero()", run_nonzero},
    {"argwhere", BOTH, "input", "where it is not 0", "(n, rank), a row of coordinates each", NULL,
     X "torch.argwhere(x > 3)", run_argwhere},
    {"select", BOTH, "input, dim, index", "one place of an axis, which goes", "(a, n, b) → (a, b)",
     "x.select(1, 3) is x[:, 3], a view.", X "x.select(1, -1)", run_select},
    {"narrow", BOTH, "input, dim, start, length", "some neighbouring places of an axis",
     "(…, n, …) → (…, length, …)", "x.narrow(0, 1, 2) is x[1:3], a view.", X "x.narrow(1, 1, 2)",
     run_narrow},
    {.name = NULL},
};
