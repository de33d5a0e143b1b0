// SPDX-License-Identifier: GPL-3.0-or-later
/* Joining tensors, and taking them apart. */
#include "torch/join.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/bind_shapes.h"
#include "torch/views.h"

/* ---- joining ---- */

typedef bool join_fn(es_torch *k, es_tensor *out, const es_tensor *const *t, int64_t n,
                     int64_t axis, es_error *err);

static bool join(es_args *a, es_value *out, join_fn *fn, es_error *err)
{
    const es_tensor **t;
    int64_t n, axis;
    es_tensor all;
    if (!es_arg_tensors(a, 0, &t, &n, err))
        return false;
    bool ok =
        es_arg_int_or(a, 1, 0, &axis, err) && es_give(out, &all, fn(a->k, &all, t, n, axis, err));
    free(t);
    return ok;
}

static bool run_cat(es_args *a, es_value *out, es_error *err)
{
    return join(a, out, es_torch_cat, err);
}

static bool run_stack(es_args *a, es_value *out, es_error *err)
{
    return join(a, out, es_torch_stack, err);
}

/* cat after each has at least that many axes, new ones in front. */
static bool cat_of_rank(es_args *a, es_value *out, int rank, es_error *err)
{
    const es_tensor **t;
    int64_t n, made = 0;
    es_tensor all;
    if (!es_arg_tensors(a, 0, &t, &n, err))
        return false;
    es_tensor *seen = es_alloc_array((size_t)n + 1, sizeof *seen);
    bool ok = true;
    for (; ok && made < n; made += ok) {
        es_shape shape = t[made]->shape;
        while (shape.ndim < rank) {
            for (int d = shape.ndim++; d > 0; d--) {
                shape.dim[d] = shape.dim[d - 1];
                shape.label[d] = shape.label[d - 1];
            }
            shape.dim[0] = 1;
            shape.label[0] = es_label_named("");
        }
        ok = es_torch_reshape(a->k, &seen[made], t[made], &shape, err);
        t[made] = &seen[made];
    }
    int axis = rank == 1 && n > 0 && ok && t[0]->shape.ndim > 1 ? 1 : 0;
    ok = ok && es_give(out, &all, es_torch_cat(a->k, &all, t, n, axis, err));
    while (made > 0)
        es_tensor_free(&seen[--made]);
    free(seen);
    free(t);
    return ok;
}

static bool run_hstack(es_args *a, es_value *out, es_error *err)
{
    return cat_of_rank(a, out, 1, err);
}

static bool run_vstack(es_args *a, es_value *out, es_error *err)
{
    return cat_of_rank(a, out, 2, err);
}

/* ---- taking apart ---- */

enum { MOST_PARTS = 1 << 18 }; /* a view of each */

static bool split_in(es_args *a, es_value *out, const es_tensor *x, int axis, const int64_t *sizes,
                     int64_t n, es_error *err)
{
    es_tensor *t = es_alloc_array((size_t)n + 1, sizeof *t);
    bool ok = es_torch_split(a->k, t, x, axis, sizes, n, err) && es_give_all(out, t, n);
    free(t);
    return ok;
}

/* Parts of that size, the last one smaller. */
static bool split_by(es_args *a, es_value *out, const es_tensor *x, int axis, int64_t size,
                     int64_t n, es_error *err)
{
    int64_t *sizes = es_try_alloc((size_t)n, sizeof *sizes, "the sizes of parts", err);
    if (!sizes)
        return false;
    int64_t left = x->shape.dim[axis];
    for (int64_t i = 0; i < n; i++, left -= size)
        sizes[i] = left < size ? left : size;
    bool ok = split_in(a, out, x, axis, sizes, n, err);
    free(sizes);
    return ok;
}

static const es_tensor *with_axis(es_args *a, int i, int64_t otherwise, int *axis, es_error *err)
{
    int64_t typed;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_int_or(a, i, otherwise, &typed, err))
        return NULL;
    if (x->shape.ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "a single number has no axis to take apart");
        es_torch_says(err, "%s expects at least a 1-dimensional tensor", a->of->name);
        return NULL;
    }
    return es_torch_axis(axis, typed, x->shape.ndim, err) || es_arg_blame(a, i, err) ? x : NULL;
}

static bool too_many_parts(es_args *a, int64_t n, es_error *err)
{
    if (n <= MOST_PARTS)
        return false;
    es_fail(err, ES_ERR_NOMEM, "%s would give %" PRId64 " tensors; at most %d are allowed here",
            a->of->name, n, MOST_PARTS);
    return true;
}

static bool run_chunk(es_args *a, es_value *out, es_error *err)
{
    int axis;
    int64_t chunks;
    const es_tensor *x = with_axis(a, 2, 0, &axis, err);
    if (!x || !es_arg_int64(a, 1, &chunks, err))
        return false;
    if (chunks <= 0) {
        es_fail(err, ES_ERR_VALUE, "an axis is cut into 1 part or more, not %" PRId64, chunks);
        return es_torch_says(err, "chunk expects `chunks` to be greater than 0, got: %" PRId64,
                             chunks);
    }
    int64_t size = x->shape.dim[axis], part = size / chunks + (size % chunks != 0);
    int64_t n = part > 0 ? (size - 1) / part + 1 : chunks;
    return !too_many_parts(a, n, err) && split_by(a, out, x, axis, part, n, err);
}

static bool run_split(es_args *a, es_value *out, es_error *err)
{
    int axis;
    int64_t size;
    const es_tensor *x = with_axis(a, 2, 0, &axis, err);
    if (!x)
        return false;
    if (es_value_is_sequence(&a->v[1])) {
        int64_t n = es_value_items(&a->v[1])->n,
                *sizes = es_alloc_array((size_t)n + 1, sizeof *sizes);
        bool ok = !too_many_parts(a, n, err) && es_arg_ints(a, 1, sizes, MOST_PARTS, &n, err) &&
                  split_in(a, out, x, axis, sizes, n, err);
        free(sizes);
        return ok;
    }
    if (!es_arg_int64(a, 1, &size, err))
        return false;
    int64_t all = x->shape.dim[axis];
    if (size < 0 || (size == 0 && all > 0)) {
        es_fail(err, ES_ERR_SLICE, "parts of size %" PRId64 " do not make up %" PRId64, size, all);
        return size < 0 ? es_torch_says(err,
                                        "split expects split_size be non-negative, but got "
                                        "split_size=%" PRId64,
                                        size)
                        : es_torch_says(err,
                                        "split_size can only be 0 if dimension size is 0, but got "
                                        "dimension size of %" PRId64,
                                        all);
    }
    int64_t n = size > 0 && all > 0 ? (all - 1) / size + 1 : 1;
    return !too_many_parts(a, n, err) && split_by(a, out, x, axis, size, n, err);
}

static bool run_unbind(es_args *a, es_value *out, es_error *err)
{
    int axis;
    const es_tensor *x = with_axis(a, 1, 0, &axis, err);
    if (!x || too_many_parts(a, x->shape.dim[axis], err))
        return false;
    int64_t n = x->shape.dim[axis];
    es_tensor *t = es_alloc_array((size_t)n + 1, sizeof *t);
    bool ok = true;
    for (int64_t i = 0; ok && i < n; i++)
        ok = es_torch_select(a->k, &t[i], x, axis, i, err);
    ok = ok && es_give_all(out, t, n);
    free(t);
    return ok;
}

#define X    "x = torch.arange(6).view(2, 3)\n"
#define BOTH (ES_METHOD | ES_IN_TORCH)

const es_builtin es_builtins_join[] = {
    {"cat", ES_IN_TORCH, "tensors, dim=0", "tensors joined along an axis they have",
     "(…, a, …) and (…, b, …) → (…, a + b, …)",
     "All other sizes are equal: cat does not stretch.  "
     "Dtypes are promoted.",
     X "torch.cat([x, x], dim=-1)", run_cat},
    {"concat", ES_IN_TORCH, "tensors, dim=0", "tensors joined along an axis they have", "as cat",
     NULL, X "torch.concat([x, x])", run_cat},
    {"concatenate", ES_IN_TORCH, "tensors, dim=0", "tensors joined along an axis they have",
     "as cat", NULL, X "torch.concatenate([x, x])", run_cat},
    {"stack", ES_IN_TORCH, "tensors, dim=0", "tensors of one shape joined along a new axis",
     "n tensors (a, b) → (n, a, b); dim says where n stands", NULL, X "torch.stack([x, x])",
     run_stack},
    {"hstack", ES_IN_TORCH, "tensors", "joined side by side", "along axis 1; of one axis, along it",
     NULL, X "torch.hstack([x, x])", run_hstack},
    {"vstack", ES_IN_TORCH, "tensors", "joined one below the other",
     "along axis 0; of one axis, (n) is seen as (1, n)", NULL, X "torch.vstack([x, x])",
     run_vstack},
    {"chunk", BOTH, "input, chunks, dim=0", "an axis in so many parts",
     "a tuple of (…, n / chunks, …), the last perhaps smaller",
     "q, k, v = qkv.chunk(3, dim=-1) takes apart what one product made.", X "x.chunk(3, dim=1)",
     run_chunk},
    {"split", BOTH, "input, split_size_or_sections, dim=0",
     "an axis in parts of that size, or sizes", "a tuple of (…, size, …), the last perhaps smaller",
     NULL, X "x.split(2, dim=1)", run_split},
    {"unbind", BOTH, "input, dim=0", "an axis in its single places, without it",
     "a tuple of n tensors", NULL, X "x.unbind()", run_unbind},
    {.name = NULL},
};
