// SPDX-License-Identifier: GPL-3.0-or-later
/* The same numbers again, shifted, with a border, or half of them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/bind_shapes.h"
#include "torch/device.h"
#include "torch/join.h"
#include "torch/views.h"

/* ---- again, and elsewhere ---- */

static bool run_repeat(es_args *a, es_value *out, es_error *err)
{
    es_shape times;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_shape(a, -1, &times, err) &&
           es_give(out, &t, es_torch_repeat(a->k, &t, x, &times, err));
}

static bool run_tile(es_args *a, es_value *out, es_error *err)
{
    es_shape given, times;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_shape(a, -1, &given, err))
        return false;
    int missing = given.ndim < x->shape.ndim ? x->shape.ndim - given.ndim : 0;
    times = (es_shape){.ndim = given.ndim + missing};
    for (int d = 0; d < times.ndim; d++)
        times.dim[d] = d < missing ? 1 : given.dim[d - missing];
    return es_give(out, &t, es_torch_repeat(a->k, &t, x, &times, err));
}

/* How often each place comes: an int, or a tensor of them; free() it. */
static int64_t *read_times(es_args *a, const es_tensor *x, int64_t *n, es_error *err)
{
    *n = 1;
    if (a->v[1].kind != ES_V_TENSOR) {
        int64_t *one = es_alloc(sizeof *one);
        if (es_arg_int64(a, 1, one, err))
            return one;
        free(one);
        return NULL;
    }
    const es_tensor *t = es_value_as_tensor(&a->v[1]);
    *n = es_shape_count(&t->shape);
    if (t->shape.ndim > 1 || (t->dtype != ES_INT64 && t->dtype != ES_INT32)) {
        es_fail(err, ES_ERR_VALUE,
                "how often each place comes is a tensor of integers with one "
                "axis");
        es_torch_says(err, "repeats must be 0-dim or 1-dim tensor");
        return NULL;
    }
    if (!es_torch_same_device(x, t, "argument index in method wrapper_CUDA__index_select", err) ||
        !es_torch_ready(a->k, t, "repeat_interleave", err))
        return NULL;
    int64_t *times = es_try_alloc((size_t)*n + 1, sizeof *times, "numbers of times", err);
    for (int64_t i = 0; times && i < *n; i++)
        times[i] = es_torch_get_int(t, i);
    return times;
}

static bool run_repeat_interleave(es_args *a, es_value *out, es_error *err)
{
    int64_t n, axis = 0;
    es_shape flat = {.ndim = 1, .dim = {-1}};
    es_tensor t, line = {0};
    const es_tensor *x = es_arg_tensor(a, 0, err);
    int64_t *times = x ? read_times(a, x, &n, err) : NULL;
    bool ok = times && (!es_given(a, 2) || es_arg_int64(a, 2, &axis, err));
    if (ok && !es_given(a, 2)) {
        flat.dim[0] = es_shape_count(&x->shape);
        ok = es_torch_reshape(a->k, &line, x, &flat, err);
        x = &line;
    }
    ok = ok && es_give(out, &t, es_torch_repeat_interleave(a->k, &t, x, times, n, axis, err));
    es_tensor_free(&line);
    free(times);
    return ok;
}

static bool run_flip(es_args *a, es_value *out, es_error *err)
{
    int axes[ES_MAX_DIMS];
    int64_t typed[ES_MAX_DIMS], n;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_ints(a, -1, typed, ES_MAX_DIMS, &n, err))
        return false;
    for (int i = 0; i < n; i++) {
        if (!es_torch_axis(&axes[i], typed[i], x->shape.ndim, err))
            return false;
        for (int j = 0; j < i; j++)
            if (axes[i] == axes[j]) {
                es_fail(err, ES_ERR_VALUE, "axis %d is named twice", axes[i]);
                return es_torch_says(err, "dim %d appears multiple times in the list of dims",
                                     axes[i]);
            }
    }
    return es_give(out, &t, es_torch_flip(a->k, &t, x, axes, x->shape.ndim ? (int)n : 0, err));
}

static bool roll_flat(es_args *a, es_value *out, const es_tensor *x, const int64_t *shift,
                      es_error *err)
{
    es_shape flat = {.ndim = 1, .dim = {es_shape_count(&x->shape)}};
    es_tensor line = {0}, rolled = {0}, t;
    bool ok = es_torch_reshape(a->k, &line, x, &flat, err) &&
              es_torch_roll(a->k, &rolled, &line, shift, (int[]){0}, 1, err);
    if (ok) {
        rolled.shape.label[0] = es_label_named("");
        ok = es_give(out, &t, es_torch_reshape(a->k, &t, &rolled, &x->shape, err));
    }
    es_tensor_free(&line);
    es_tensor_free(&rolled);
    return ok;
}

static bool run_roll(es_args *a, es_value *out, es_error *err)
{
    int axes[ES_MAX_DIMS];
    int64_t shifts[ES_MAX_DIMS], typed[ES_MAX_DIMS], n, m;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x || !es_arg_ints(a, 1, shifts, ES_MAX_DIMS, &n, err))
        return false;
    if (!es_given(a, 2) && n == 1)
        return roll_flat(a, out, x, shifts, err);
    m = 0;
    if (es_given(a, 2) && !es_arg_ints(a, 2, typed, ES_MAX_DIMS, &m, err))
        return false;
    if (n != m) {
        es_fail(err, ES_ERR_VALUE, "%d shifts are given for %d axes", (int)n, (int)m);
        return es_torch_says(err, "shifts and dimensions must align. shifts: %d, dims:%d", (int)n,
                             (int)m);
    }
    for (int i = 0; i < m; i++)
        if (!es_torch_axis(&axes[i], typed[i], x->shape.ndim, err))
            return false;
    return es_give(out, &t,
                   es_torch_roll(a->k, &t, x, shifts, axes, x->shape.ndim ? (int)m : 0, err));
}

/* ---- borders and triangles ---- */

static bool run_pad(es_args *a, es_value *out, es_error *err)
{
    int64_t sizes[2 * ES_MAX_DIMS], n;
    es_tensor t, value = {0};
    const es_tensor *x = es_arg_tensor(a, 0, err), *with;
    if (!x || !es_arg_ints(a, 1, sizes, 2 * ES_MAX_DIMS, &n, err))
        return false;
    if (es_given(a, 2) && !es_value_is_str(&a->v[2], "constant")) {
        if (a->v[2].kind != ES_V_STR)
            return es_arg_wrong(a, 2, "str", err);
        es_fail(err, ES_ERR_UNSUPPORTED, "pad fills with one number here, mode=\"constant\"");
        return es_arg_blame(a, 2, err);
    }
    with = es_given(a, 3)                       ? es_arg_operand(a, 3, &value, err)
           : es_torch_int(a->k, &value, 0, err) ? &value
                                                : NULL;
    bool ok = with && es_give(out, &t, es_torch_pad(a->k, &t, x, sizes, n, with, err));
    es_tensor_free(&value);
    return ok;
}

static bool triangle(es_args *a, es_value *out, bool lower, es_error *err)
{
    int64_t diagonal;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int_or(a, 1, 0, &diagonal, err) &&
           es_give(out, &t, es_torch_triangle(a->k, &t, x, lower, diagonal, err));
}

static bool run_tril(es_args *a, es_value *out, es_error *err)
{
    return triangle(a, out, true, err);
}

static bool run_triu(es_args *a, es_value *out, es_error *err)
{
    return triangle(a, out, false, err);
}

#define X    "x = torch.arange(6).view(2, 3)\n"
#define BOTH (ES_METHOD | ES_IN_TORCH)

const es_builtin es_builtins_repeat[] = {
    {"repeat", ES_METHOD, "input, *repeats", "copied so many times along each axis",
     "(a, b) and (m, n) → (m·a, n·b); new axes come in front",
     "expand does without copies where an axis is 1.", "torch.arange(3).repeat(2, 2)", run_repeat},
    {"tile", BOTH, "input, *dims", "copied so many times along each axis",
     "as repeat; fewer numbers than axes are for the last ones", NULL, X "x.tile(2)", run_tile},
    {"repeat_interleave", BOTH, "input, repeats, dim=None", "every place several times in a row",
     "(…, n, …) → (…, n·repeats, …); without dim all of it as one axis", NULL,
     X "x.repeat_interleave(2, dim=0)", run_repeat_interleave},
    {"flip", BOTH, "input, *dims", "axes from end to start", "the same",
     "What x[::-1] is to NumPy.", X "x.flip(-1)", run_flip},
    {"roll", BOTH, "input, shifts, dims=None", "shifted; what falls off comes in at the start",
     "the same", NULL, X "x.roll(1, dims=-1)", run_roll},
    {"pad", ES_IN_F, "input, pad, mode=\"constant\", value=None", "a border of one number",
     "pairs (before, behind) from the last axis on",
     "Below 0 it cuts.  So texts of several lengths "
     "become one batch.",
     "F.pad(torch.tensor([3, 7, 1]), (0, 2), value=0)", run_pad},
    {"tril", BOTH | ES_IN_PLACE, "input, diagonal=0", "zeros above the diagonal",
     "(…, a, b), the same", "The causal mask: place t sees the places up to t.",
     "torch.ones(3, 3).tril()", run_tril},
    {"triu", BOTH | ES_IN_PLACE, "input, diagonal=0", "zeros below the diagonal",
     "(…, a, b), the same", NULL, "torch.ones(3, 3).triu(1)", run_triu},
    {.name = NULL},
};
