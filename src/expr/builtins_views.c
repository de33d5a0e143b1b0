// SPDX-License-Identifier: GPL-3.0-or-later
/* The same numbers with other axes. */
#include "torch/views.h"

#include <stdlib.h>

#include "base/mem.h"
#include "expr/bind_shapes.h"
#include "torch/elementwise.h"

/* ---- other sizes ---- */

static bool run_view(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, -1, &shape, err) &&
           es_give(out, &t, es_torch_view(a->k, &t, x, &shape, err));
}

static bool run_reshape(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, -1, &shape, err) &&
           es_give(out, &t, es_torch_reshape(a->k, &t, x, &shape, err));
}

static bool run_view_as(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *other = x ? es_arg_tensor(a, 1, err) : NULL;
    return other && es_give(out, &t, es_torch_view(a->k, &t, x, &other->shape, err));
}

static bool run_reshape_as(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *other = x ? es_arg_tensor(a, 1, err) : NULL;
    return other && es_give(out, &t, es_torch_reshape(a->k, &t, x, &other->shape, err));
}

static bool run_expand(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, -1, &shape, err) &&
           es_give(out, &t, es_torch_expand(a->k, &t, x, &shape, err));
}

static bool run_expand_as(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *other = x ? es_arg_tensor(a, 1, err) : NULL;
    return other && es_give(out, &t, es_torch_expand(a->k, &t, x, &other->shape, err));
}

static bool run_broadcast_tensors(es_args *a, es_value *out, es_error *err)
{
    es_shape both = {0};
    es_tensor *t = es_alloc_array((size_t)a->n_rest + 1, sizeof *t);
    bool ok = true;
    int64_t made = 0;
    for (int64_t i = 0; ok && i < a->n_rest; i++) {
        es_args one = *a;
        one.v[a->tail] = a->rest[i];
        const es_tensor *x = es_arg_tensor(&one, a->tail, err);
        const es_shape before = both;
        ok = x && (i > 0 ? es_torch_stretch(a->k, &both, &before, &x->shape, err) : true);
        if (ok && i == 0)
            both = x->shape;
    }
    for (; ok && made < a->n_rest; made += ok)
        ok = es_torch_expand(a->k, &t[made], es_value_as_tensor(&a->rest[made]), &both, err);
    if (ok)
        es_give_all(out, t, made);
    for (int64_t i = 0; !ok && i < made; i++)
        es_tensor_free(&t[i]);
    free(t);
    return ok;
}

static bool run_flatten(es_args *a, es_value *out, es_error *err)
{
    int64_t first, last;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int_or(a, 1, 0, &first, err) && es_arg_int_or(a, 2, -1, &last, err) &&
           es_give(out, &t, es_torch_flatten(a->k, &t, x, first, last, err));
}

static bool run_unflatten(es_args *a, es_value *out, es_error *err)
{
    int64_t axis;
    es_shape sizes;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &axis, err) && es_arg_shape(a, 2, &sizes, err) &&
           es_give(out, &t, es_torch_unflatten(a->k, &t, x, axis, &sizes, err));
}

/* ---- the same axes elsewhere ---- */

static bool run_transpose(es_args *a, es_value *out, es_error *err)
{
    int64_t from, to;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &from, err) && es_arg_int64(a, 2, &to, err) &&
           es_give(out, &t, es_torch_transpose(a->k, &t, x, from, to, err));
}

static bool run_permute(es_args *a, es_value *out, es_error *err)
{
    int64_t axes[ES_MAX_DIMS], n;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_ints(a, -1, axes, ES_MAX_DIMS, &n, err) &&
           es_give(out, &t, es_torch_permute(a->k, &t, x, axes, n, err));
}

static bool run_movedim(es_args *a, es_value *out, es_error *err)
{
    int64_t from[ES_MAX_DIMS], to[ES_MAX_DIMS], n, m;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_ints(a, 1, from, ES_MAX_DIMS, &n, err) ||
        !es_arg_ints(a, 2, to, ES_MAX_DIMS, &m, err))
        return false;
    if (n != m) {
        es_fail(err, ES_ERR_DIM_RANGE, "%d axes cannot move to %d places", (int)n, (int)m);
        return es_torch_says(err,
                             "movedim: Invalid source or destination dims: source (%d dims) should "
                             "contain the same number of dims as destination (%d dims)",
                             (int)n, (int)m);
    }
    return es_give(out, &t, es_torch_movedim(a->k, &t, x, from, to, n, err));
}

static bool run_T(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_give(out, &t, es_torch_reverse_axes(a->k, &t, x, err));
}

static bool run_mT(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (x && x->shape.ndim < 2) {
        es_fail(err, ES_ERR_DIM_RANGE, ".mT swaps the last two axes, and the tensor has %d",
                x->shape.ndim);
        return es_torch_says(err,
                             "tensor.mT is only supported on matrices or batches of matrices. Got "
                             "%d-D tensor.",
                             x->shape.ndim);
    }
    return x && es_give(out, &t, es_torch_transpose(a->k, &t, x, -2, -1, err));
}

static bool run_t(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (x && x->shape.ndim > 2) {
        es_fail(err, ES_ERR_DIM_RANGE, ".t() is for a matrix, and the tensor has %d axes",
                x->shape.ndim);
        es_hint(err, "the last two axes are swapped by .mT or .transpose(-2, -1)");
        return es_torch_says(err, "t() expects a tensor with <= 2 dimensions, but self is %dD",
                             x->shape.ndim);
    }
    int64_t axis = x && x->shape.ndim == 2 ? 1 : 0;
    return x && es_give(out, &t, es_torch_transpose(a->k, &t, x, 0, axis, err));
}

static bool run_unsqueeze(es_args *a, es_value *out, es_error *err)
{
    int64_t axis;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_int64(a, 1, &axis, err))
        return false;
    return es_give(out, &t, es_torch_unsqueeze(a->k, &t, x, axis, err)) || es_arg_blame(a, 1, err);
}

static bool run_squeeze(es_args *a, es_value *out, es_error *err)
{
    int64_t axes[ES_MAX_DIMS], n = 0;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    bool some = es_given(a, 1);
    return x && (!some || es_arg_ints(a, 1, axes, ES_MAX_DIMS, &n, err)) &&
           es_give(out, &t, es_torch_squeeze(a->k, &t, x, some ? axes : NULL, n, err));
}

static bool run_diagonal(es_args *a, es_value *out, es_error *err)
{
    int64_t offset, from, to;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int_or(a, 1, 0, &offset, err) && es_arg_int_or(a, 2, 0, &from, err) &&
           es_arg_int_or(a, 3, 1, &to, err) &&
           es_give(out, &t, es_torch_diagonal(a->k, &t, x, offset, from, to, err));
}

static bool run_rename(es_args *a, es_value *out, es_error *err)
{
    const char *names[ES_MAX_DIMS] = {"", "", "", "", "", "", "", ""};
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    bool none = a->n_rest == 1 && a->rest[0].kind == ES_V_NONE;
    int64_t n = x && none ? x->shape.ndim : a->n_rest;
    for (int64_t i = 0; x && !none && i < n && i < ES_MAX_DIMS; i++) {
        es_args one = *a;
        one.v[a->tail] = a->rest[i];
        if (a->rest[i].kind != ES_V_STR && a->rest[i].kind != ES_V_NONE)
            return es_arg_wrong(&one, a->tail, "str or None", err);
        if (a->rest[i].kind == ES_V_STR)
            names[i] = es_value_as_str(&a->rest[i])->bytes;
        if (a->rest[i].kind == ES_V_STR && strlen(names[i]) != es_value_as_str(&a->rest[i])->n)
            return es_arg_wrong(&one, a->tail, "str without NUL", err);
    }
    return x && es_give(out, &t, es_torch_rename(a->k, &t, x, names, n, err));
}

/* The i-th tensor of meshgrid as one axis of n, stretched to the sizes of all. */
static bool grid_axis(es_args *a, es_tensor *out, const es_tensor *x, int at, const es_shape *shape,
                      es_error *err)
{
    es_shape line = {.ndim = shape->ndim};
    es_tensor alone;
    for (int d = 0; d < shape->ndim; d++)
        line.dim[d] = d == at ? shape->dim[d] : 1;
    line.label[at] = shape->label[at];
    if (!es_torch_reshape(a->k, &alone, x, &line, err))
        return false;
    bool ok = es_torch_expand(a->k, out, &alone, shape, err);
    es_tensor_free(&alone);
    return ok;
}

/* "xy": the first two change places. */
static bool read_indexing(es_args *a, int i, bool *swap, es_error *err)
{
    *swap = false;
    if (!es_given(a, i))
        return true;
    *swap = es_value_is_str(&a->v[i], "xy");
    if (*swap || es_value_is_str(&a->v[i], "ij"))
        return true;
    es_fail(err, ES_ERR_VALUE, "indexing is \"ij\" or \"xy\"");
    es_torch_says(err, "torch.meshgrid: indexing must be one of \"xy\" or \"ij\"");
    return es_arg_blame(a, i, err);
}

static bool run_meshgrid(es_args *a, es_value *out, es_error *err)
{
    es_tensor t[ES_MAX_DIMS];
    es_shape shape = {.ndim = (int)a->n_rest};
    bool swap, ok;
    int made = 0;
    if (a->n_rest < 1 || a->n_rest > ES_MAX_DIMS)
        return es_fail(err, ES_ERR_VALUE, "meshgrid takes 1 to %d tensors", ES_MAX_DIMS);
    if (!read_indexing(a, a->tail + 1, &swap, err))
        return false;
    swap = swap && a->n_rest > 1;
    for (int i = 0; i < shape.ndim; i++) {
        es_args one = *a;
        one.v[a->tail] = a->rest[i];
        const es_tensor *x = es_arg_tensor(&one, a->tail, err);
        if (!x)
            return false;
        if (x->shape.ndim > 1) {
            es_fail(err, ES_ERR_DIM_RANGE, "meshgrid takes vectors, and tensor %d has %d axes", i,
                    x->shape.ndim);
            return es_torch_says(err,
                                 "torch.meshgrid: Expected 0D or 1D tensor in the tensor list");
        }
        int at = swap && i < 2 ? 1 - i : i;
        shape.dim[at] = x->shape.ndim ? x->shape.dim[0] : 1;
        shape.label[at] = x->shape.ndim ? x->shape.label[0] : es_label_named("");
    }
    for (ok = true; ok && made < shape.ndim; made += ok)
        ok = grid_axis(a, &t[made], es_value_as_tensor(&a->rest[made]),
                       swap && made < 2 ? 1 - made : made, &shape, err);
    if (ok)
        return es_give_all(out, t, made);
    while (made > 0)
        es_tensor_free(&t[--made]);
    return false;
}

static bool run_unfold(es_args *a, es_value *out, es_error *err)
{
    int64_t axis, size, step;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &axis, err) && es_arg_int64(a, 2, &size, err) &&
           es_arg_int64(a, 3, &step, err) &&
           es_give(out, &t, es_torch_unfold(a->k, &t, x, axis, size, step, err));
}

/* ---- the table ---- */

#define X    "x = torch.zeros(2, 5, 8)\n"
#define M    "m = torch.arange(6).view(2, 3)\n"
#define BOTH (ES_METHOD | ES_IN_TORCH)

const es_builtin es_builtins_views[] = {
    {"view", ES_METHOD, "input, *size", "the same memory read with other sizes",
     "the sizes given; one may be -1; the product stays",
     "Numbers keep their order, row by row.  Axes can be merged or split, never swapped: that is "
     "transpose.  A tensor whose numbers lie in another order (after .T) needs .reshape.",
     X "x.view(-1, 8)\nx.view(2, 5, 2, 4)", run_view},
    {"reshape", BOTH, "input, *shape", "the numbers, in order, with other sizes",
     "the sizes given; one may be -1; the product stays",
     "A view where that is possible, else a "
     "copy.",
     X "x.transpose(1, 2).reshape(2, 40)", run_reshape},
    {"view_as", ES_METHOD, "input, other", "a view with the sizes of another tensor",
     "the other's sizes", NULL, M "m.view_as(torch.zeros(3, 2))", run_view_as},
    {"reshape_as", ES_METHOD, "input, other", "the numbers with the sizes of another tensor",
     "the other's sizes", NULL, M "m.T.reshape_as(m)", run_reshape_as},
    {"flatten", BOTH, "input, start_dim=0, end_dim=-1", "neighbouring axes merged into one",
     "(…, a, b, …) → (…, a·b, …)", NULL, X "x.flatten(0, 1)", run_flatten},
    {"unflatten", BOTH, "input, dim, sizes", "one axis split into several",
     "(…, n, …) → (…, a, b, …), a·b = n; one may be -1", NULL, X "x.unflatten(-1, (2, -1))",
     run_unflatten},
    {"expand", ES_METHOD, "input, *size", "axes of size 1 stretched, without copying",
     "(1, n) → (m, n); -1 keeps a size; new axes come in front",
     "A stretched axis has stride 0: "
     "all its places are one.",
     "p = torch.arange(5).unsqueeze(0)\np.expand(2, -1)", run_expand},
    {"expand_as", ES_METHOD, "input, other", "stretched to the sizes of another tensor",
     "the other's sizes", NULL, M "torch.zeros(3).expand_as(m)", run_expand_as},
    {"broadcast_to", BOTH, "input, *size", "stretched to those sizes",
     "the sizes given; aligned from the right", NULL, "torch.arange(3).broadcast_to(2, 3)",
     run_expand},
    {"broadcast_tensors", ES_IN_TORCH, "*tensors", "all tensors stretched to one shape",
     "a tuple of tensors of that shape", NULL,
     "torch.broadcast_tensors(torch.zeros(2, 1), torch.zeros(3))", run_broadcast_tensors},
    {"meshgrid", ES_IN_TORCH, "*tensors, indexing=None", "the coordinates of every place of a grid",
     "(n), (m) → (n, m) each",
     "indexing=\"xy\" swaps the first two axes; PyTorch warns where it is left out.",
     "torch.meshgrid(torch.arange(2), torch.arange(3), indexing=\"ij\")", run_meshgrid},
    {"transpose", BOTH, "input, dim0, dim1", "two axes swapped",
     "(…, a, …, b, …) → (…, b, …, a, …)", "Nothing is copied: the strides are swapped.",
     X "x.transpose(1, 2)", run_transpose},
    {"swapaxes", BOTH, "input, axis0, axis1", "two axes swapped", "as transpose", NULL,
     X "x.swapaxes(0, 1)", run_transpose},
    {"swapdims", BOTH, "input, dim0, dim1", "two axes swapped", "as transpose", NULL,
     X "x.swapdims(0, 1)", run_transpose},
    {"permute", BOTH, "input, *dims", "all axes in another order",
     "axis i of the result is axis dims[i] of the input", NULL, X "x.permute(0, 2, 1)",
     run_permute},
    {"movedim", BOTH, "input, source, destination", "axes moved, the others in order around them",
     "axis source stands at destination", NULL, X "x.movedim(0, -1)", run_movedim},
    {"moveaxis", BOTH, "input, source, destination", "axes moved, the others in order around them",
     "as movedim", NULL, X "x.moveaxis(0, -1)", run_movedim},
    {"T", ES_ATTRIBUTE, NULL, "transposed: rows become columns", "(a, b) → (b, a)",
     "Of more than two axes it reverses all, which PyTorch deprecates: .mT swaps the last two.",
     M "m.T", run_T},
    {"mT", ES_ATTRIBUTE, NULL, "every matrix of a batch transposed", "(…, a, b) → (…, b, a)", NULL,
     X "x.mT", run_mT},
    {"t", BOTH, "input", "a matrix transposed", "(a, b) → (b, a)", NULL, M "m.t()", run_t},
    {"unsqueeze", BOTH, "input, dim", "a new axis of size 1",
     "(a, b) → (1, a, b), (a, 1, b) or "
     "(a, b, 1)",
     "dim says where it will stand.  So that (T, C) is added to every sentence of (B, T, C).",
     "torch.arange(5).unsqueeze(0)", run_unsqueeze},
    {"squeeze", BOTH, "input, dim=None", "axes of size 1 taken away",
     "(a, 1, b) → (a, b); one that is not 1 stays",
     "Without dim all of them go, a batch of one "
     "sentence too.",
     "torch.zeros(1, 5, 1).squeeze(0)", run_squeeze},
    {"diagonal", BOTH, "input, offset=0, dim1=0, dim2=1", "where two axes count alike",
     "(n, n, …) → (…, n)", NULL, "torch.arange(9).view(3, 3).diagonal()", run_diagonal},
    {"unfold", ES_METHOD, "input, dimension, size, step", "windows of an axis, as a new last axis",
     "(…, n, …) → (…, (n - size) // step + 1, …, size)",
     "A view: windows that overlap share their numbers.", "torch.arange(7).unfold(0, 3, 2)",
     run_unfold},
    {"rename", ES_METHOD, "input, *names", "the same tensor with other names for its axes",
     "the same sizes; None takes a name, or all names, away", NULL,
     X "x.rename(\"B\", \"T\", \"C\")", run_rename},
    {"refine_names", ES_METHOD, "input, *names", "the same tensor with names for its axes",
     "the same sizes", NULL, X "x.refine_names(\"B\", \"T\", \"C\")", run_rename},
    {.name = NULL},
};
