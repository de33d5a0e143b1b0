// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} dtypes[ES_N_DTYPES] = {
    [ES_FLOAT32] = {"float32", 4}, [ES_FLOAT64] = {"float64", 8}, [ES_INT64] = {"int64", 8},
    [ES_INT32] = {"int32", 4},     [ES_BOOL] = {"bool", 1},
};

const char *es_dtype_name(es_dtype dtype)
{
    return dtypes[dtype].name;
}

size_t es_dtype_size(es_dtype dtype)
{
    return dtypes[dtype].size;
}

static bool too_large(const es_shape *shape, es_dtype dtype, es_error *err)
{
    int64_t n = es_shape_count(shape);
    if (n <= INT64_MAX / 8)
        return false;
    es_str s = {0};
    es_shape_show(&s, shape);
    es_fail(err, ES_ERR_NOMEM, "a tensor %s of %s is larger than any memory", s.s,
            es_dtype_name(dtype));
    es_str_free(&s);
    return true;
}

bool es_tensor_new(es_tensor *out, es_backend *be, es_dtype dtype, const es_shape *shape,
                   es_error *err)
{
    *out = (es_tensor){0};
    if (too_large(shape, dtype, err))
        return false;
    es_tensor t = {.dtype = dtype, .shape = *shape};
    int64_t n = 1;
    for (int i = shape->ndim - 1; i >= 0 && n > 0; i--) {
        t.stride[i] = n;
        n *= shape->dim[i];
    }
    t.buf = es_buffer_new(be, (size_t)n * es_dtype_size(dtype), dtype != ES_FLOAT32, err);
    if (!t.buf)
        return false;
    *out = t;
    return true;
}

void es_tensor_free(es_tensor *t)
{
    es_buffer_unref(t->buf);
    *t = (es_tensor){0};
}

void es_tensor_view(es_tensor *out, const es_tensor *t)
{
    *out = *t;
    if (out->buf)
        es_buffer_ref(out->buf);
}

static bool has_axis(const es_tensor *t, int axis, int limit, es_error *err)
{
    if (axis >= 0 && axis < limit)
        return true;
    es_fail(err, ES_ERR_DIM_RANGE, "there is no axis %d in a tensor of rank %d", axis,
            t->shape.ndim);
    return es_torch_says(err,
                         "Dimension out of range (expected to be in range of [%d, %d], but got %d)",
                         -limit, limit - 1, axis);
}

bool es_tensor_slice(es_tensor *out, const es_tensor *t, int axis, int64_t begin, int64_t end,
                     es_error *err)
{
    *out = (es_tensor){0};
    if (!has_axis(t, axis, t->shape.ndim, err))
        return false;
    int64_t size = t->shape.dim[axis];
    if (begin < 0 || begin > end || end > size)
        return es_fail(err, ES_ERR_SLICE,
                       "[%" PRId64 ":%" PRId64 "] does not lie within an axis of size %" PRId64,
                       begin, end, size);
    es_tensor_view(out, t);
    out->offset += begin * t->stride[axis];
    out->shape.dim[axis] = end - begin;
    return true;
}

bool es_tensor_transpose(es_tensor *out, const es_tensor *t, int a, int b, es_error *err)
{
    *out = (es_tensor){0};
    if (!has_axis(t, a, t->shape.ndim, err) || !has_axis(t, b, t->shape.ndim, err))
        return false;
    es_tensor_view(out, t);
    out->shape.dim[a] = t->shape.dim[b];
    out->shape.dim[b] = t->shape.dim[a];
    out->shape.label[a] = t->shape.label[b];
    out->shape.label[b] = t->shape.label[a];
    out->stride[a] = t->stride[b];
    out->stride[b] = t->stride[a];
    return true;
}

bool es_tensor_unsqueeze(es_tensor *out, const es_tensor *t, int axis, es_error *err)
{
    *out = (es_tensor){0};
    int n = t->shape.ndim;
    if (!has_axis(t, axis, n + 1, err))
        return false;
    if (n == ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes", ES_MAX_DIMS);
    es_tensor_view(out, t);
    for (int i = n; i > axis; i--) {
        out->shape.dim[i] = out->shape.dim[i - 1];
        out->shape.label[i] = out->shape.label[i - 1];
        out->stride[i] = out->stride[i - 1];
    }
    out->shape.ndim = n + 1;
    out->shape.dim[axis] = 1;
    out->shape.label[axis] = es_label_named("");
    out->stride[axis] = 0;
    return true;
}

static bool cannot_expand(const es_tensor *t, const es_shape *shape, int axis, es_error *err)
{
    es_str from = {0}, to = {0};
    es_shape_show(&from, &t->shape);
    es_shape_show(&to, shape);
    if (axis < 0)
        es_fail(err, ES_ERR_EXPAND, "%s has more axes than %s", from.s, to.s);
    else
        es_fail(err, ES_ERR_EXPAND, "%s does not stretch to %s: axis %d is neither 1 nor %" PRId64,
                from.s, to.s, axis - shape->ndim, shape->dim[axis]);
    es_str_free(&from);
    es_str_free(&to);
    return false;
}

bool es_tensor_expand(es_tensor *out, const es_tensor *t, const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    int extra = shape->ndim - t->shape.ndim;
    if (extra < 0)
        return cannot_expand(t, shape, -1, err);
    for (int i = extra; i < shape->ndim; i++)
        if (t->shape.dim[i - extra] != 1 && t->shape.dim[i - extra] != shape->dim[i])
            return cannot_expand(t, shape, i, err);

    es_tensor_view(out, t);
    out->shape = *shape;
    for (int i = 0; i < shape->ndim; i++) {
        bool stretched = i < extra || t->shape.dim[i - extra] != shape->dim[i];
        out->stride[i] = stretched ? 0 : t->stride[i - extra];
    }
    return true;
}

es_view es_tensor_as_view(const es_tensor *t)
{
    es_view v = {.buf = t->buf, .offset = t->offset, .ndim = t->shape.ndim};
    for (int i = 0; i < v.ndim; i++) {
        v.dim[i] = t->shape.dim[i];
        v.stride[i] = t->stride[i];
    }
    return v;
}

/* The host-memory twin of write and read, element by element. */
static void host_copy(const es_tensor *t, char *dense, bool to_tensor)
{
    size_t size = es_dtype_size(t->dtype);
    es_view v = es_tensor_as_view(t);
    for (int64_t i = 0, n = es_view_count(&v); i < n; i++) {
        char *element = (char *)t->buf->mem + (size_t)es_view_at(&v, i) * size;
        char *other = dense + (size_t)i * size;
        memcpy(to_tensor ? element : other, to_tensor ? other : element, size);
    }
}

bool es_tensor_write(es_tensor *t, const void *src, es_error *err)
{
    if (t->buf->host) {
        host_copy(t, (char *)src, true);
        return true;
    }
    es_view v = es_tensor_as_view(t);
    return t->buf->be->ops->write(&v, src, err);
}

bool es_tensor_read(const es_tensor *t, void *dst, es_error *err)
{
    if (t->buf->host) {
        host_copy(t, dst, false);
        return true;
    }
    es_view v = es_tensor_as_view(t);
    return t->buf->be->ops->read(dst, &v, err);
}
