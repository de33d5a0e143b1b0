// SPDX-License-Identifier: GPL-3.0-or-later
/* Reading bound arguments. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "expr/modules.h"
#include "expr/slips.h"
#include "torch/host.h"

/* ---- what is wrong with one ---- */

static bool wrong(const es_args *a, int i, const char *expected, const es_value *got, es_error *err)
{
    int place = i + 1 - a->method;
    es_str at = {0};
    if (i < a->by_place && place > 0)
        es_str_add(&at, " (position %d)", place);
    es_fail(err, ES_ERR_TYPE, "%s(): argument '%.*s'%s must be %s, not %s", a->of->name,
            a->param[i].n, a->param[i].s, es_str_text(&at), expected, es_value_type_name(got));
    es_str_free(&at);
    return es_arg_blame(a, i, err);
}

void es_arg_refuse(const es_args *a, int i, const char *expected, es_error *err)
{
    static const es_value none = {.kind = ES_V_NONE};
    wrong(a, i, expected, a->v[i].kind == ES_V_KINDS ? &none : &a->v[i], err);
}

bool es_given(const es_args *a, int i)
{
    return a->v[i].kind != ES_V_KINDS && a->v[i].kind != ES_V_NONE;
}

/* ---- tensors ---- */

const es_tensor *es_arg_tensor(es_args *a, int i, es_error *err)
{
    const es_value *v = &a->v[i];
    if (v->kind == ES_V_TENSOR)
        return es_value_as_tensor(v);
    es_arg_wrong(a, i, "Tensor", err);
    if (es_is_embedding(v))
        es_hint(err, "its rows as a tensor: %s.weight", es_embedding_called(v));
    else if (v->kind == ES_V_LIST || v->kind == ES_V_INT || v->kind == ES_V_FLOAT)
        es_hint(err, "a tensor of it: torch.tensor(…)");
    else
        es_advise_kind(v, err);
    return NULL;
}

const es_tensor *es_arg_operand(es_args *a, int i, es_tensor *made, es_error *err)
{
    const es_value *v = &a->v[i];
    *made = (es_tensor){0};
    switch (v->kind) {
    case ES_V_INT: return es_torch_int(a->k, made, v->u.i, err) ? made : NULL;
    case ES_V_FLOAT: return es_torch_float(a->k, made, v->u.f, err) ? made : NULL;
    case ES_V_BOOL: return es_torch_bool(a->k, made, v->u.b, err) ? made : NULL;
    default: return es_arg_tensor(a, i, err);
    }
}

bool es_arg_tensors(es_args *a, int i, const es_tensor ***out, int64_t *n, es_error *err)
{
    const es_value *v = &a->v[i];
    *out = NULL;
    *n = 0;
    if (v->kind != ES_V_TUPLE && v->kind != ES_V_LIST)
        return es_arg_wrong(a, i, "tuple of Tensors", err);
    const es_items *items = es_value_items(v);
    for (int64_t j = 0; j < items->n; j++)
        if (items->of[j].kind != ES_V_TENSOR) {
            es_fail(err, ES_ERR_TYPE,
                    "%s(): expected Tensor as element %" PRId64 " in argument %d, but got %s",
                    a->of->name, j, i - a->method, es_value_type_name(&items->of[j]));
            return es_arg_blame(a, i, err);
        }
    *out = es_alloc_array((size_t)items->n + 1, sizeof **out);
    *n = items->n;
    for (int64_t j = 0; j < items->n; j++)
        (*out)[j] = es_value_as_tensor(&items->of[j]);
    return true;
}

/* ---- numbers ---- */

static bool is_integer(es_dtype dtype)
{
    return dtype == ES_INT64 || dtype == ES_INT32;
}

static bool is_one_number(const es_value *v)
{
    return v->kind == ES_V_TENSOR && es_shape_count(&es_value_as_tensor(v)->shape) == 1;
}

/* Is v an int, or what PyTorch takes for one?  1 yes, 0 no, -1 it failed. */
static int as_int(const es_args *a, const es_value *v, int64_t *out, es_error *err)
{
    if (v->kind == ES_V_INT) {
        *out = v->u.i;
        return 1;
    }
    if (v->kind == ES_V_BOOL && es_builtin_is_python(a->of)) {
        *out = v->u.b;
        return 1;
    }
    if (!is_one_number(v) || !is_integer(es_value_as_tensor(v)->dtype))
        return 0;
    return es_torch_read_int(a->k, out, es_value_as_tensor(v), a->of->name, err) ? 1 : -1;
}

bool es_arg_int64(es_args *a, int i, int64_t *out, es_error *err)
{
    int found = as_int(a, &a->v[i], out, err);
    if (found == 0) {
        es_arg_wrong(a, i, "int", err);
        es_advise_whole(&a->v[i], err);
        return false;
    }
    return found > 0 || es_arg_blame(a, i, err);
}

bool es_arg_size(es_args *a, int i, int64_t *out, es_label *label, es_error *err)
{
    *label = a->v[i].kind == ES_V_INT ? a->v[i].label : es_label_named("");
    return es_arg_int64(a, i, out, err);
}

bool es_arg_double(es_args *a, int i, double *out, es_error *err)
{
    const es_value *v = &a->v[i];
    switch (v->kind) {
    case ES_V_FLOAT: *out = v->u.f; return true;
    case ES_V_INT: *out = (double)v->u.i; return true;
    case ES_V_BOOL: *out = v->u.b; return true;
    default: break;
    }
    if (!is_one_number(v))
        return es_arg_wrong(a, i, "float", err);
    return es_torch_read_float(a->k, out, es_value_as_tensor(v), a->of->name, err) ||
           es_arg_blame(a, i, err);
}

bool es_arg_bool(es_args *a, int i, bool otherwise, bool *out, es_error *err)
{
    const es_value *v = &a->v[i];
    *out = otherwise;
    if (v->kind == ES_V_KINDS)
        return true;
    if (v->kind == ES_V_BOOL) {
        *out = v->u.b;
        return true;
    }
    if (v->kind != ES_V_INT || !es_builtin_is_python(a->of))
        return es_arg_wrong(a, i, "bool", err);
    *out = v->u.i != 0;
    return true;
}

/* ---- dtypes, devices ---- */

/* The dtype that Python's float, int and bool stand for. */
static bool python_dtype(const char *name, es_dtype *out)
{
    static const struct {
        const char *name;
        es_dtype dtype;
    } types[] = {{"float", ES_FLOAT64}, {"int", ES_INT64}, {"bool", ES_BOOL}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name)) {
            *out = types[i].dtype;
            return true;
        }
    return false;
}

bool es_arg_dtype(es_args *a, int i, es_dtype otherwise, es_dtype *out, es_error *err)
{
    const es_value *v = &a->v[i];
    *out = otherwise;
    if (!es_given(a, i))
        return true;
    if (v->kind == ES_V_DTYPE) {
        *out = v->u.dtype;
        return true;
    }
    if (v->kind == ES_V_TYPE && python_dtype(v->u.name, out))
        return true;
    if (v->kind == ES_V_BUILTIN && python_dtype(((es_bound *)v->u.o)->builtin->name, out))
        return true;
    return es_arg_wrong(a, i, "torch.dtype", err);
}

/* "sim:0", as PyTorch would print it, is sim: there is one of each. */
static es_backend *device_called(const es_args *a, const char *name, es_error *err)
{
    const es_interp_host *host = es_interp_host_of(a->in);
    es_str bare = {0};
    size_t n = strlen(name);
    es_str_bytes(&bare, name, n > 2 && !strcmp(name + n - 2, ":0") ? n - 2 : n);
    if (host && host->device) {
        es_backend *be = host->device(host->user, es_str_text(&bare), err);
        es_str_free(&bare);
        return be;
    }
    es_str_free(&bare);
    if (!strcmp(name, a->k->be->name))
        return a->k->be;
    es_fail(err, ES_ERR_DEVICE, "only the device %s is here", a->k->be->name);
    return NULL;
}

bool es_arg_device_called(const es_args *a, const char *name, es_backend **out, es_error *err)
{
    *out = device_called(a, name, err);
    return *out != NULL;
}

bool es_arg_device(es_args *a, int i, es_backend *otherwise, es_backend **out, es_error *err)
{
    const es_value *v = &a->v[i];
    *out = otherwise;
    if (!es_given(a, i))
        return true;
    if (v->kind != ES_V_STR && v->kind != ES_V_DEVICE)
        return es_arg_wrong(a, i, "torch.device", err);
    const char *name = v->kind == ES_V_DEVICE ? v->u.name : es_value_as_str(v)->bytes;
    *out = device_called(a, name, err);
    return *out || es_arg_blame(a, i, err);
}

/* ---- axes and sizes ---- */

bool es_arg_axis(es_args *a, int i, int ndim, int *out, es_error *err)
{
    int64_t typed;
    if (!es_arg_int64(a, i, &typed, err))
        return false;
    return es_torch_axis(out, typed, ndim, err) || es_arg_blame(a, i, err);
}

/* The j-th of several is no int. */
static bool wrong_element(const es_args *a, int i, int64_t j, const es_value *got, es_error *err)
{
    es_fail(err, ES_ERR_TYPE,
            "%s(): argument '%.*s' must be tuple of ints, but found element of type %s at "
            "pos %" PRId64,
            a->of->name, a->param[i].n, a->param[i].s, es_value_type_name(got), j);
    es_advise_whole(got, err);
    return false;
}

static bool add_axis(es_args *a, int i, int64_t j, const es_value *v, int ndim,
                     int out[ES_MAX_DIMS], int *n, es_error *err)
{
    int64_t typed;
    int axis, found = as_int(a, v, &typed, err);
    if (found == 0)
        return wrong_element(a, i, j, v, err);
    if (found < 0 || !es_torch_axis(&axis, typed, ndim, err))
        return false;
    for (int d = 0; d < *n; d++)
        if (out[d] == axis) {
            es_fail(err, ES_ERR_VALUE, "axis %d is named twice", axis);
            return es_torch_says(err, "dim %d appears multiple times in the list of dims", axis);
        }
    out[(*n)++] = axis;
    return true;
}

bool es_arg_axes(es_args *a, int i, int ndim, int out[ES_MAX_DIMS], int *n, es_error *err)
{
    const es_value *v = &a->v[i];
    *n = 0;
    if (es_given(a, i) && !es_value_is_sequence(v)) {
        *n = 1;
        return es_arg_axis(a, i, ndim, out, err);
    }
    int64_t n_typed = es_given(a, i) ? es_value_items(v)->n : 0;
    for (int64_t j = 0; j < n_typed; j++)
        if (!add_axis(a, i, j, &es_value_items(v)->of[j], ndim, out, n, err))
            return es_arg_blame(a, i, err);
    for (int d = 0; n_typed == 0 && d < ndim; d++)
        out[(*n)++] = d;
    return true;
}

static bool add_size(es_args *a, int i, int64_t j, const es_value *v, es_shape *out, es_error *err)
{
    int64_t size;
    int found = as_int(a, v, &size, err);
    if (found == 0)
        return wrong_element(a, i, j, v, err);
    if (found < 0)
        return false;
    if (out->ndim == ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    if (size < -1) {
        es_fail(err, ES_ERR_VALUE, "a size cannot be %" PRId64, size);
        return es_torch_says(err, "invalid shape dimension %" PRId64, size);
    }
    out->dim[out->ndim] = size;
    out->label[out->ndim++] = v->kind == ES_V_INT ? v->label : es_label_named("");
    return true;
}

static bool blame_element(const es_args *a, int i, int64_t j, es_error *err)
{
    const es_node *node = a->rest_node && i == a->tail ? a->rest_node[j] : a->node[i];
    return node ? es_error_locate(err, node->begin, node->end) : false;
}

bool es_arg_shape(es_args *a, int i, es_shape *out, es_error *err)
{
    *out = (es_shape){0};
    int at = i < 0 ? a->tail : i;
    if (i >= 0 && !es_value_is_sequence(&a->v[i]))
        return es_arg_wrong(a, i, "tuple of ints", err);
    const es_value *of = i < 0 ? a->rest : &a->v[i];
    int64_t n = a->n_rest;
    if (i >= 0) {
        n = es_value_items(of)->n;
        of = es_value_items(of)->of;
    }
    for (int64_t j = 0; j < n; j++)
        if (!add_size(a, at, j, &of[j], out, err))
            return blame_element(a, at, j, err);
    return true;
}
