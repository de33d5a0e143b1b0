// SPDX-License-Identifier: GPL-3.0-or-later
/* A tensor as something else: another dtype, another device, Python's numbers and lists, a copy. */
#include <inttypes.h>

#include "expr/bind_shapes.h"
#include "torch/cast.h"
#include "torch/host.h"

static bool cast(es_args *a, es_value *out, es_dtype dtype, es_backend *be, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    es_tensor t;
    if (!x)
        return false;
    if (x->dtype == dtype && x->buf->be == be) {
        *out = es_value_ref(&a->v[0]); /* PyTorch gives the tensor itself */
        return true;
    }
    return es_give(out, &t, es_torch_to(a->k, &t, x, dtype, be, err));
}

static bool cast_dtype(es_args *a, es_value *out, es_dtype dtype, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && cast(a, out, dtype, x->buf->be, err);
}

static bool run_float(es_args *a, es_value *out, es_error *err)
{
    return cast_dtype(a, out, ES_FLOAT32, err);
}

static bool run_double(es_args *a, es_value *out, es_error *err)
{
    return cast_dtype(a, out, ES_FLOAT64, err);
}

static bool run_long(es_args *a, es_value *out, es_error *err)
{
    return cast_dtype(a, out, ES_INT64, err);
}

static bool run_int(es_args *a, es_value *out, es_error *err)
{
    return cast_dtype(a, out, ES_INT32, err);
}

static bool run_bool(es_args *a, es_value *out, es_error *err)
{
    return cast_dtype(a, out, ES_BOOL, err);
}

static bool run_no_half(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "there is no %s here", a->of->name);
    return es_hint(err, "the dtypes are float32, float64, int64, int32 and bool");
}

static bool is_dtype(const es_value *v)
{
    return v->kind == ES_V_DTYPE || v->kind == ES_V_TYPE || v->kind == ES_V_BUILTIN;
}

/* to(dtype), to(device), to(device, dtype), to(tensor): what they are decides, whichever name they came by. */
static bool run_to(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    es_dtype dtype = x->dtype;
    es_backend *be = x->buf->be;
    bool copy;
    for (int i = 1; i <= 2; i++) {
        if (a->v[i].kind == ES_V_TENSOR) {
            dtype = es_value_as_tensor(&a->v[i])->dtype;
            be = es_value_as_tensor(&a->v[i])->buf->be;
        } else if (is_dtype(&a->v[i]) ? !es_arg_dtype(a, i, dtype, &dtype, err)
                                      : !es_arg_device(a, i, be, &be, err))
            return false;
    }
    es_tensor t;
    if (!es_arg_bool(a, 4, false, &copy, err))
        return false;
    if (copy && dtype == x->dtype && be == x->buf->be)
        return es_give(out, &t, es_torch_clone(a->k, &t, x, err));
    return cast(a, out, dtype, be, err);
}

/* type() names it, type(dtype) casts, by the name as well: "torch.LongTensor". */
static bool run_type(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    es_dtype dtype = x->dtype;
    if (!es_given(a, 1)) {
        const char *name = es_torch_tensor_name(dtype);
        *out = es_value_str(name, strlen(name));
        return true;
    }
    for (int d = 0; d < ES_N_DTYPES; d++)
        if (es_value_is_str(&a->v[1], es_torch_tensor_name((es_dtype)d)))
            return cast_dtype(a, out, (es_dtype)d, err);
    return es_arg_dtype(a, 1, dtype, &dtype, err) && cast_dtype(a, out, dtype, err);
}

static bool run_type_as(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *other = es_arg_tensor(a, 1, err);
    return other && cast(a, out, other->dtype, other->buf->be, err);
}

/* ---- devices ---- */

static bool to_device(es_args *a, es_value *out, const char *name, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    const es_interp_host *host = es_interp_host_of(a->in);
    if (!x)
        return false;
    es_backend *be = a->k->be;
    if (host && host->device)
        be = host->device(host->user, name, err);
    return be && cast(a, out, x->dtype, be, err);
}

static bool run_cpu(es_args *a, es_value *out, es_error *err)
{
    return to_device(a, out, "cpu", err);
}

static bool run_cuda(es_args *a, es_value *out, es_error *err)
{
    return to_device(a, out, "cuda", err);
}

/* ---- copies ---- */

static bool run_clone(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    es_tensor t;
    return x && es_give(out, &t, es_torch_clone(a->k, &t, x, err));
}

static bool run_contiguous(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    es_tensor t;
    if (x && es_torch_is_contiguous(x)) {
        *out = es_value_ref(&a->v[0]);
        return true;
    }
    return x && es_give(out, &t, es_torch_contiguous(a->k, &t, x, err));
}

static bool run_detach(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    es_tensor t;
    if (!x)
        return false;
    es_tensor_view(&t, x);
    return es_give(out, &t, true);
}

/* ---- Python's numbers and lists ---- */

static es_value element(const es_tensor *x, int64_t i)
{
    switch (x->dtype) {
    case ES_FLOAT32:
    case ES_FLOAT64: return es_value_float(es_torch_get_float(x, i));
    case ES_BOOL: return es_value_bool(es_torch_get_int(x, i) != 0);
    default: return es_value_int(es_torch_get_int(x, i));
    }
}

static bool run_item(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (!x)
        return false;
    int64_t n = es_shape_count(&x->shape);
    if (n != 1) {
        es_str shape = {0};
        es_shape_show(&shape, &x->shape);
        es_fail(err, ES_ERR_VALUE, "item() is for one number, and %s has %" PRId64,
                es_str_text(&shape), n);
        es_str_free(&shape);
        es_hint(err, "tolist() gives them all");
        return es_torch_says(err,
                             "only one element tensors can be converted to Python scalars "
                             "(PyTorch 2: a Tensor with %" PRId64
                             " elements cannot be converted to Scalar)",
                             n);
    }
    es_tensor here;
    if (!es_torch_here(a->k, &here, x, "item()", err))
        return false;
    *out = element(&here, 0);
    es_tensor_free(&here);
    return true;
}

/* The numbers of x from the at-th on that lie under its first `axis` indices, as lists of lists. */
static bool nested(es_args *a, es_value *out, const es_tensor *x, int axis, int64_t *at,
                   es_error *err)
{
    if (axis == x->shape.ndim) {
        *out = element(x, (*at)++);
        return true;
    }
    *out = es_value_list(es_interp_containers(a->in));
    for (int64_t i = 0; i < x->shape.dim[axis]; i++) {
        es_value v = es_none();
        if (!nested(a, &v, x, axis + 1, at, err) || !es_watch_step(a->k->watch, 0, err)) {
            es_value_unref(&v);
            return false;
        }
        if (!es_items_add(es_value_items(out), v, err))
            return false;
    }
    return true;
}

static bool run_tolist(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    int64_t at = 0, n = x ? es_shape_count(&x->shape) : 0, outer = 1;
    for (int d = 0; x && d < x->shape.ndim - 1;
         d++) /* (10**9, 0) has no numbers, and lists enough */
        outer = x->shape.dim[d] > ES_MOST_ITEMS ? INT64_MAX / 2 : outer * x->shape.dim[d];
    if (!x)
        return false;
    if (n > ES_MOST_ITEMS || outer > ES_MOST_ITEMS)
        return es_fail(err, ES_ERR_NOMEM,
                       "a list of %" PRId64 " numbers is more than the %d allowed here", n,
                       ES_MOST_ITEMS);
    es_tensor here;
    if (!es_torch_here(a->k, &here, x, "tolist()", err))
        return false;
    bool ok = nested(a, out, &here, 0, &at, err);
    es_tensor_free(&here);
    if (!ok)
        es_value_unref(out);
    return ok;
}

static bool run_numpy(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "there is no NumPy here");
    return es_hint(err, "tolist() gives the numbers as lists; tensors do the rest");
}

static bool run_backward(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "no gradients are computed here");
    return es_hint(err, "this program shows the forward pass, its shapes and its numbers");
}

#define X "x = torch.arange(6).view(2, 3)\n"

const es_builtin es_builtins_convert[] = {
    {"float", ES_METHOD, "input", "as float32", "the same", NULL, X "x.float()", run_float},
    {"double", ES_METHOD, "input", "as float64", "the same", NULL, X "x.double()", run_double},
    {"long", ES_METHOD, "input", "as int64", "the same", "What is behind the point is lost.",
     "torch.tensor([1.9, -1.9]).long()", run_long},
    {"int", ES_METHOD, "input", "as int32", "the same", "What is behind the point is lost.",
     "torch.tensor([1.9, -1.9]).int()", run_int},
    {"bool", ES_METHOD, "input", "as bool: is it not 0?", "the same", NULL, X "x.bool()", run_bool},
    {"half", ES_METHOD, "input", "float16, which is not here", "the same", NULL, NULL, run_no_half},
    {"bfloat16", ES_METHOD, "input", "bfloat16, which is not here", "the same", NULL, NULL,
     run_no_half},
    {"to", ES_METHOD, "input, device=None, dtype=None, non_blocking=False, copy=False",
     "in another dtype, on another device, or as another tensor is", "the same",
     "to(torch.int64), to(\"cpu\"), to(\"cpu\", torch.int64), to(other).  Where nothing changes it "
     "is the "
     "tensor itself.",
     X "x.to(torch.float32)", run_to},
    {"type", ES_METHOD, "input, dtype=None", "what PyTorch calls its type, or as another dtype",
     "a string, or the same shape", NULL, X "x.type()", run_type},
    {"type_as", ES_METHOD, "input, other", "in the dtype and on the device of another", "the same",
     NULL, X "x.type_as(torch.zeros(1))", run_type_as},
    {"cpu", ES_METHOD, "input", "in the memory of the CPU", "the same", NULL, X "x.cpu()", run_cpu},
    {"cuda", ES_METHOD, "input, device=None", "on a GPU, where there is one", "the same", NULL,
     NULL, run_cuda},
    {"clone", ES_METHOD | ES_IN_TORCH, "input, *, memory_format=None",
     "a copy with memory of its own", "the same", NULL, X "x.clone()", run_clone},
    {"contiguous", ES_METHOD, "input, memory_format=None",
     "its numbers one after another, row by row: copied unless they lie so", "the same", NULL,
     X "x.T.contiguous().stride()", run_contiguous},
    {"detach", ES_METHOD, "input", "the same numbers in the same memory, without gradients",
     "the same", NULL, X "x.detach()", run_detach},
    {"data", ES_ATTRIBUTE, NULL, "the same numbers in the same memory, without gradients",
     "the same", NULL, X "x.data", run_detach},
    {"item", ES_METHOD, "input", "its one number, as Python's", "(1, …) → int, float or bool", NULL,
     X "x.sum().item()", run_item},
    {"tolist", ES_METHOD, "input", "its numbers as lists of lists", "as many deep as it has axes",
     NULL, X "x.tolist()", run_tolist},
    {"numpy", ES_METHOD, "input, *, force=False", "a NumPy array, which is not here", "the same",
     NULL, NULL, run_numpy},
    {"backward", ES_METHOD, "input, gradient=None", "gradients, which are not here", "", NULL, NULL,
     run_backward},
    {.name = NULL},
};
