// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/torch.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "torch/move.h"

/* With or without memory, offsets and products of sizes are 64-bit numbers, also where an axis is empty. */
bool es_torch_countable(const es_shape *shape, es_error *err)
{
    es_shape full = *shape;
    for (int i = 0; i < full.ndim; i++)
        full.dim[i] += full.dim[i] == 0;
    if (es_shape_count(&full) <= INT64_MAX / 8)
        return true;
    es_str sizes = {0};
    es_torch_sizes(&sizes, shape);
    es_fail(err, ES_ERR_NOMEM, "%s is more numbers than can be counted", sizes.s);
    es_str_free(&sizes);
    return false;
}

enum { LARGE = 1 << 20 }; /* bytes */

bool es_torch_fits(const es_torch *k, es_dtype dtype, const es_shape *shape, es_error *err)
{
    int64_t n = es_shape_count(shape);
    double bytes = (double)es_dtype_size(dtype);
    for (int i = 0; i < shape->ndim; i++)
        bytes *= (double)shape->dim[i];
    if (n <= (int64_t)1 << ES_MOST_ELEMENTS_LOG2 && bytes <= (double)k->most_bytes)
        return es_torch_countable(shape, err) && (bytes < LARGE || es_memory_for(bytes, err));
    es_str s = {0};
    es_shape_show(&s, shape);
    es_fail(err, ES_ERR_NOMEM, "%s of %s would take %.4g GiB; at most %.4g are allowed here", s.s,
            es_dtype_name(dtype), bytes / (1 << 30), (double)k->most_bytes / (1 << 30));
    es_hint(err, ":set shapes only reasons about tensors of any size, without their numbers");
    es_str_free(&s);
    return false;
}

static void row_major(es_tensor *t)
{
    int64_t n = 1;
    for (int i = t->shape.ndim - 1; i >= 0; i--) {
        t->stride[i] = n;
        n *= t->shape.dim[i] ? t->shape.dim[i] : 1;
    }
}

static bool meta(es_tensor *out, es_backend *be, es_dtype dtype, const es_shape *shape,
                 es_error *err)
{
    *out = (es_tensor){0};
    if (!es_torch_countable(shape, err))
        return false;
    *out = (es_tensor){.dtype = dtype, .shape = *shape, .buf = es_buffer_meta(be)};
    row_major(out);
    return true;
}

bool es_torch_new(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                  const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    if (shape->ndim > ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    if (k->shapes_only)
        return meta(out, be, dtype, shape, err);
    if (!es_torch_fits(k, dtype, shape, err) || !es_tensor_new(out, be, dtype, shape, err))
        return false;
    row_major(out); /* PyTorch's strides where an axis is empty */
    return true;
}

bool es_torch_like(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype,
                   const es_shape *shape, es_error *err)
{
    if (es_torch_meta(x))
        return meta(out, x->buf->be, dtype, shape, err);
    return es_torch_new(k, out, x->buf->be, dtype, shape, err);
}

bool es_torch_ready(es_torch *k, const es_tensor *t, const char *what, es_error *err)
{
    if (es_torch_meta(t)) {
        es_fail(err, ES_ERR_VALUE, "%s needs values, and only shapes are known here", what);
        return k->shapes_only ? es_hint(err, "try: :set shapes off") : false;
    }
    return es_buffer_need(t->buf, err);
}

void es_torch_note(es_torch *k, const char *fmt, ...)
{
    if (!k->note)
        return;
    es_str text = {0};
    va_list ap;
    va_start(ap, fmt);
    es_str_vadd(&text, fmt, ap);
    va_end(ap);
    k->note(k->user, es_str_text(&text));
    es_str_free(&text);
}

/* ---- plain numbers ---- */

/* A number is known even where only shapes are: it costs nothing, and arange(0, T) needs it. */
static bool number(es_torch *k, es_tensor *out, es_dtype dtype, const void *value, es_error *err)
{
    const es_shape scalar = {0};
    *out = (es_tensor){0};
    if (!es_tensor_new(out, k->be, dtype, &scalar, err))
        return false;
    out->number = true;
    return es_tensor_write(out, value, err);
}

bool es_torch_int(es_torch *k, es_tensor *out, int64_t value, es_error *err)
{
    return number(k, out, ES_INT64, &value, err);
}

bool es_torch_float(es_torch *k, es_tensor *out, double value, es_error *err)
{
    return number(k, out, ES_FLOAT64, &value, err);
}

bool es_torch_bool(es_torch *k, es_tensor *out, bool value, es_error *err)
{
    return number(k, out, ES_BOOL, &value, err);
}

/* ---- what all of them ask ---- */

bool es_torch_axis(int *axis, int64_t typed, int ndim, es_error *err)
{
    int n = ndim ? ndim : 1;
    if (typed >= -n && typed < n) {
        *axis = (int)(typed < 0 ? typed + n : typed);
        return true;
    }
    es_fail(err, ES_ERR_DIM_RANGE,
            ndim ? "there is no axis %" PRId64 " in a tensor of %d axes"
                 : "there is no axis %" PRId64 " in a tensor of rank %d, a single number",
            typed, ndim);
    return es_torch_says(
        err, "Dimension out of range (expected to be in range of [%d, %d], but got %" PRId64 ")",
        -n, n - 1, typed);
}

static const char *element(const es_tensor *t, int64_t i)
{
    int64_t at = t->offset;
    for (int d = t->shape.ndim - 1; d >= 0; d--) {
        at += i % t->shape.dim[d] * t->stride[d];
        i /= t->shape.dim[d];
    }
    return (const char *)t->buf->mem + (size_t)at * es_dtype_size(t->dtype);
}

double es_torch_get_float(const es_tensor *t, int64_t i)
{
    const void *at = element(t, i);
    switch (t->dtype) {
    case ES_FLOAT32: return (double)*(const float *)at;
    case ES_FLOAT64: return *(const double *)at;
    case ES_INT64: return (double)*(const int64_t *)at;
    case ES_INT32: return (double)*(const int32_t *)at;
    default: return (double)*(const bool *)at;
    }
}

/* A float as C has it, where C says what it is. */
static int64_t to_int(double x)
{
    return es_fits_int64(x) ? (int64_t)x : INT64_MIN;
}

int64_t es_torch_get_int(const es_tensor *t, int64_t i)
{
    const void *at = element(t, i);
    switch (t->dtype) {
    case ES_FLOAT32: return to_int((double)*(const float *)at);
    case ES_FLOAT64: return to_int(*(const double *)at);
    case ES_INT64: return *(const int64_t *)at;
    case ES_INT32: return *(const int32_t *)at;
    default: return *(const bool *)at;
    }
}

const char *es_torch_scalar_name(es_dtype dtype)
{
    static const char *const name[ES_N_DTYPES] = {"Float", "Double", "Long", "Int", "Bool"};
    return name[dtype];
}

const char *es_torch_tensor_name(es_dtype dtype)
{
    static const char *const name[ES_N_DTYPES] = {"torch.FloatTensor", "torch.DoubleTensor",
                                                  "torch.LongTensor", "torch.IntTensor",
                                                  "torch.BoolTensor"};
    return name[dtype];
}
