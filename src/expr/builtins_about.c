// SPDX-License-Identifier: GPL-3.0-or-later
/* What a tensor is: its sizes, its dtype, its memory. */
#include <inttypes.h>

#include "expr/inside.h"
#include "torch/cast.h"

/* The tensor in question: an attribute's or a method's own, a function's first argument. */
static const es_tensor *it(es_args *a, es_error *err)
{
    return es_arg_tensor(a, 0, err);
}

/* ---- sizes and names ---- */

static bool run_shape(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_shape(x));
}

static bool run_size(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    int axis;
    if (!x || !es_given(a, 1))
        return x && run_shape(a, out, err);
    if (x->shape.ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "a tensor of rank 0, a single number, has no axes");
        es_torch_says(err, "Dimension specified as 0 but tensor has no dimensions");
        return es_arg_blame(a, 1, err);
    }
    return es_arg_axis(a, 1, x->shape.ndim, &axis, err) &&
           es_answer(out, es_value_size_of(x, axis));
}

static bool run_ndim(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_int(x->shape.ndim));
}

static bool run_numel(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_int(es_shape_count(&x->shape)));
}

static bool run_names(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    es_value names[ES_MAX_DIMS];
    for (int d = 0; x && d < x->shape.ndim; d++) {
        const char *s = x->shape.label[d].s;
        names[d] = *s ? es_value_str(s, strlen(s)) : es_none();
    }
    return x && es_answer(out, es_value_tuple(names, x->shape.ndim));
}

/* ---- dtype and device ---- */

static bool run_dtype(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_dtype(x->dtype));
}

static bool run_device(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_device(x->buf->be->name));
}

static bool run_is_cuda(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_bool(es_device_is_gpu(x->buf->be->name)));
}

static bool run_is_cpu(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_bool(!strcmp(x->buf->be->name, "cpu")));
}

static bool run_get_device(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x &&
           es_answer(out, es_value_int(strcmp(x->buf->be->name, "cpu") ? x->buf->be->number : -1));
}

static bool run_is_floating_point(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_bool(x->dtype == ES_FLOAT32 || x->dtype == ES_FLOAT64));
}

/* ---- memory ---- */

static bool run_stride(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    es_value stride[ES_MAX_DIMS];
    int axis;
    if (!x)
        return false;
    if (es_given(a, 1))
        return es_arg_axis(a, 1, x->shape.ndim, &axis, err) &&
               es_answer(out, es_value_int(x->shape.ndim ? x->stride[axis] : 1));
    for (int d = 0; d < x->shape.ndim; d++)
        stride[d] = es_value_int(x->stride[d]);
    return es_answer(out, es_value_tuple(stride, x->shape.ndim));
}

static bool run_storage_offset(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_int(x->offset));
}

/* Not where the memory is, which differs from run to run, but which it is: the how many-th of its device,
 * as if each had a MiB of addresses to itself. */
static bool run_data_ptr(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    if (!x)
        return false;
    int64_t at = (int64_t)(x->buf->number << 20);
    return es_answer(out, es_value_int(at + x->offset * (int64_t)es_dtype_size(x->dtype)));
}

static bool run_element_size(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_int((int64_t)es_dtype_size(x->dtype)));
}

static bool run_nbytes(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    if (!x)
        return false;
    int64_t n = es_shape_count(&x->shape), size = (int64_t)es_dtype_size(x->dtype);
    return es_answer(out, es_value_int(n > INT64_MAX / size ? INT64_MAX : n * size));
}

static bool run_is_contiguous(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_bool(es_torch_is_contiguous(x)));
}

static bool run_is_tensor(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_bool(a->v[0].kind == ES_V_TENSOR));
}

/* ---- gradients, of which there are none ---- */

static bool run_requires_grad(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = it(a, err);
    return x && es_answer(out, es_value_bool(((es_tensor_object *)a->v[0].u.o)->requires_grad));
}

static bool run_grad(es_args *a, es_value *out, es_error *err)
{
    return it(a, err) && es_answer(out, es_none());
}

static bool run_requires_grad_(es_args *a, es_value *out, es_error *err)
{
    bool wanted;
    return it(a, err) && es_arg_bool(a, 1, true, &wanted, err) &&
           (es_tensor_want_grad(a->in, &a->v[0], wanted, err) || es_arg_blame(a, 0, err)) &&
           es_answer(out, es_value_ref(&a->v[0]));
}

static bool run_is_leaf(es_args *a, es_value *out, es_error *err)
{
    return it(a, err) && es_answer(out, es_value_bool(true));
}

/* ---- the table ---- */

#define X "x = torch.arange(6).view(2, 3)\n"

const es_builtin es_builtins_about[] = {
    {"shape", ES_ATTRIBUTE, NULL, "its sizes, a torch.Size", "an int for each axis, with its name",
     "Taken apart, B, T = ids.shape, each int keeps the name of its axis.", X "x.shape", run_shape},
    {"size", ES_METHOD, "input, dim=None", "its sizes, or the size of one axis",
     "as shape; with dim an int", NULL, X "x.size(-1)", run_size},
    {"ndim", ES_ATTRIBUTE, NULL, "how many axes it has", "an int", NULL, X "x.ndim", run_ndim},
    {"dim", ES_METHOD, "input", "how many axes it has", "an int", NULL, X "x.dim()", run_ndim},
    {"ndimension", ES_METHOD, "input", "how many axes it has", "an int", NULL, X "x.ndimension()",
     run_ndim},
    {"numel", ES_METHOD | ES_IN_TORCH, "input", "how many numbers it has",
     "the product of its sizes, 1 for a single number", NULL, X "x.numel()", run_numel},
    {"nelement", ES_METHOD, "input", "how many numbers it has", "as numel", NULL, X "x.nelement()",
     run_numel},
    {"names", ES_ATTRIBUTE, NULL, "the names of its axes", "a tuple; None for one without",
     "Names come from where a size comes from: B and T from ids, V and C from wte.", X "x.names",
     run_names},
    {"dtype", ES_ATTRIBUTE, NULL, "what kind of numbers it holds", "a torch.dtype",
     "Here there are float32, float64, int64, int32 and bool.", X "x.dtype", run_dtype},
    {"device", ES_ATTRIBUTE, NULL, "where its memory is", "a torch.device", NULL, X "x.device",
     run_device},
    {"is_cpu", ES_ATTRIBUTE, NULL, "is it in the memory of the cpu?", "a bool", NULL, X "x.is_cpu",
     run_is_cpu},
    {"get_device", ES_METHOD, "input", "the number of its device", "an int: 0, and -1 for the cpu",
     NULL, X "x.get_device()", run_get_device},
    {"is_cuda", ES_ATTRIBUTE, NULL, "is it on a GPU?", "a bool", NULL, X "x.is_cuda", run_is_cuda},
    {"is_floating_point", ES_METHOD | ES_IN_TORCH, "input", "does it hold floats?", "a bool", NULL,
     X "x.is_floating_point()", run_is_floating_point},
    {"is_tensor", ES_IN_TORCH, "obj", "is it a tensor?", "a bool", NULL, X "torch.is_tensor(x)",
     run_is_tensor},
    {"stride", ES_METHOD, "input, dim=None", "how far apart neighbours along an axis lie in memory",
     "an int for each axis, in numbers",
     "The element [i, j] lies at storage_offset() + i * stride(0) + j * stride(1).  A stride of 0 "
     "is an "
     "axis that was stretched.",
     X "x.T.stride()", run_stride},
    {"storage_offset", ES_METHOD, "input", "where in its memory it begins", "an int, in numbers",
     NULL, X "x[1].storage_offset()", run_storage_offset},
    {"data_ptr", ES_METHOD, "input", "which memory it is in, and where",
     "an int, the same for views that begin at one place",
     "No address, which would differ from run to run: the how many-th memory it is, times 2**20, "
     "and the "
     "bytes from its start.",
     X "x.data_ptr() == x.view(3, 2).data_ptr()", run_data_ptr},
    {"element_size", ES_METHOD, "input", "how many bytes a number takes", "an int", NULL,
     X "x.element_size()", run_element_size},
    {"nbytes", ES_ATTRIBUTE, NULL, "how many bytes its numbers take", "numel() * element_size()",
     NULL, X "x.nbytes", run_nbytes},
    {"is_contiguous", ES_METHOD, "input", "do its numbers lie one after another, row by row?",
     "a bool", "view() needs it for axes that are to be merged.", X "x.T.is_contiguous()",
     run_is_contiguous},
    {"requires_grad", ES_ATTRIBUTE, NULL, "is it a parameter, to be trained?", "a bool",
     "No gradients are computed here.", X "x.requires_grad", run_requires_grad},
    {"requires_grad_", ES_METHOD, "input, requires_grad=True", "says whether it is to be trained",
     "the tensor itself", "No gradients are computed here.", X "x.float().requires_grad_()",
     run_requires_grad_},
    {"grad", ES_ATTRIBUTE, NULL, "its gradient: always None here", "None", NULL, X "x.grad",
     run_grad},
    {"is_leaf", ES_ATTRIBUTE, NULL, "has it no history of operations? always so here", "True", NULL,
     X "x.is_leaf", run_is_leaf},
    {.name = NULL},
};
