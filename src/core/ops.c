// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops.h"

#include <inttypes.h>

/* All of these (the first is one, others may be NULL) float32 and on one device? */
static bool alike(es_error *err, const es_tensor *const *t, size_t n)
{
    const es_backend *be = t[0]->buf->be;
    for (size_t i = 0; i < n; i++) {
        if (!t[i])
            continue;
        const char *first = be->name, *other = t[i]->buf->be->name;
        if (t[i]->dtype != ES_FLOAT32)
            return es_fail(err, ES_ERR_DTYPE, "float32 is needed here, this is %s",
                           es_dtype_name(t[i]->dtype));
        if (t[i]->buf->be == be)
            continue;
        es_fail(err, ES_ERR_DEVICE, "one tensor is on %s, the other on %s", first, other);
        return es_torch_says(err,
                             "Expected all tensors to be on the same device, but found at least "
                             "two devices, %s and %s!",
                             first, other);
    }
    return true;
}

#define ALIKE(err, ...)                                                                            \
    alike((err), (const es_tensor *const[]){__VA_ARGS__},                                          \
          sizeof((const es_tensor *const[]){__VA_ARGS__}) / sizeof(es_tensor *))

static bool differ(es_error *err, es_code code, const char *what, const es_shape *x,
                   const es_shape *y)
{
    es_str sx = {0}, sy = {0};
    es_shape_show(&sx, x);
    es_shape_show(&sy, y);
    es_fail(err, code, "%s: %s against %s", what, sx.s, sy.s);
    es_str_free(&sx);
    es_str_free(&sy);
    return false;
}

static bool has_shape(const es_tensor *t, const es_shape *want, es_error *err)
{
    return es_shape_equal(&t->shape, want) ||
           differ(err, ES_ERR_VIEW, "the output has another shape", &t->shape, want);
}

static int64_t size_from_right(const es_shape *s, int k)
{
    return k < s->ndim ? s->dim[s->ndim - 1 - k] : 1;
}

static bool sizes_clash(es_error *err, const es_shape *x, const es_shape *y, int k, int ndim)
{
    int64_t a = size_from_right(x, k), b = size_from_right(y, k);
    differ(err, ES_ERR_BROADCAST, "the shapes do not stretch to one", x, y);
    es_hint(err,
            "axis %d has size %" PRId64 " on the left and %" PRId64 " on the right; axes align "
            "from the right, and only a 1 or nothing stretches",
            -1 - k, a, b);
    return es_torch_says(err,
                         "The size of tensor a (%" PRId64
                         ") must match the size of tensor b (%" PRId64
                         ") at non-singleton dimension %d",
                         a, b, ndim - 1 - k);
}

bool es_broadcast_shape(es_shape *out, const es_shape *x, const es_shape *y, es_error *err)
{
    es_shape s = {.ndim = x->ndim > y->ndim ? x->ndim : y->ndim};
    for (int k = 0; k < s.ndim; k++) {
        int64_t a = size_from_right(x, k), b = size_from_right(y, k);
        if (a != b && a != 1 && b != 1)
            return sizes_clash(err, x, y, k, s.ndim);
        int i = s.ndim - 1 - k;
        bool from_y =
            k >= x->ndim || (a == 1 && b != 1) || (a == b && !x->label[x->ndim - 1 - k].s[0]);
        from_y = from_y && k < y->ndim;
        s.dim[i] = a == 1 ? b : a;
        s.label[i] = from_y ? y->label[y->ndim - 1 - k] : x->label[x->ndim - 1 - k];
    }
    *out = s;
    return true;
}

/* A view of t stretched to the given shape, without counting a reference. */
static bool stretched(es_view *out, const es_tensor *t, const es_shape *shape, es_error *err)
{
    es_tensor wide;
    if (!es_tensor_expand(&wide, t, shape, err))
        return false;
    *out = es_tensor_as_view(&wide);
    es_tensor_free(&wide); /* t keeps the memory alive */
    return true;
}

bool es_check_ids(const int32_t *ids, int64_t B, int64_t T, int64_t V, const char *what,
                  es_error *err)
{
    for (int64_t i = 0; i < B * T; i++) {
        if (ids[i] >= 0 && ids[i] < V)
            continue;
        es_fail(err, ES_ERR_INDEX_RANGE,
                "id %d at [%" PRId64 ", %" PRId64 "] is outside %s (%" PRId64 " rows: 0..%" PRId64
                ")",
                ids[i], i / T, i % T, what, V, V - 1);
        es_hint(err, "the largest legal id is %" PRId64, V - 1);
        return es_torch_says(err, "index out of range in self");
    }
    return true;
}

bool es_gather(es_tensor *out, const es_tensor *table, const int32_t *ids, const es_tensor *add,
               es_error *err)
{
    if (!ALIKE(err, out, table, add))
        return false;
    if (out->shape.ndim != 3 || table->shape.ndim != 2 || out->shape.dim[2] != table->shape.dim[1])
        return differ(err, ES_ERR_VIEW, "the output cannot hold rows of this table", &out->shape,
                      &table->shape);
    if (!es_check_ids(ids, out->shape.dim[0], out->shape.dim[1], table->shape.dim[0], "the table",
                      err))
        return false;
    es_view o = es_tensor_as_view(out), t = es_tensor_as_view(table), a;
    if (add && !stretched(&a, add, &out->shape, err))
        return false;
    return out->buf->be->ops->gather(&o, &t, ids, add ? &a : NULL, err);
}

bool es_scatter_add(es_tensor *table, const int32_t *ids, const es_tensor *rows, es_error *err)
{
    if (!ALIKE(err, table, rows))
        return false;
    if (table->shape.ndim != 2 || rows->shape.ndim != 2 ||
        table->shape.dim[1] != rows->shape.dim[1])
        return differ(err, ES_ERR_VIEW, "these are no rows of this table", &rows->shape,
                      &table->shape);
    if (!es_check_ids(ids, 1, rows->shape.dim[0], table->shape.dim[0], "the table", err))
        return false;
    es_view t = es_tensor_as_view(table), r = es_tensor_as_view(rows);
    return table->buf->be->ops->scatter_add(&t, ids, &r, err);
}

bool es_map(es_map_op op, es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err)
{
    es_shape want = x->shape;
    if (!ALIKE(err, out, x, y))
        return false;
    if (y && !es_broadcast_shape(&want, &x->shape, &y->shape, err))
        return false;
    if (!has_shape(out, &want, err))
        return false;
    es_view o = es_tensor_as_view(out), a, b;
    if (!stretched(&a, x, &want, err) || (y && !stretched(&b, y, &want, err)))
        return false;
    return out->buf->be->ops->map(op, &o, &a, y ? &b : NULL, err);
}

bool es_add(es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err)
{
    return es_map(ES_ADD, out, x, y, err);
}

/* A view of t with `axis` moved to the end. */
static bool axis_last(es_view *out, const es_tensor *t, int axis, es_error *err)
{
    int n = t->shape.ndim;
    if (axis < -n || axis >= n || n == 0) {
        es_fail(err, ES_ERR_DIM_RANGE, "there is no axis %d in a tensor of rank %d", axis, n);
        return es_torch_says(err,
                             "Dimension out of range (expected to be in range of [%d, %d], but "
                             "got %d)",
                             n ? -n : -1, n ? n - 1 : 0, axis);
    }
    axis = axis < 0 ? axis + n : axis;
    es_view v = es_tensor_as_view(t);
    *out = v;
    for (int i = axis; i + 1 < n; i++) {
        out->dim[i] = v.dim[i + 1];
        out->stride[i] = v.stride[i + 1];
    }
    out->dim[n - 1] = v.dim[axis];
    out->stride[n - 1] = v.stride[axis];
    return true;
}

bool es_reduce(es_reduce_op op, es_tensor *out, const es_tensor *x, int axis, es_error *err)
{
    es_view o, v;
    if (!ALIKE(err, out, x) || !axis_last(&v, x, axis, err))
        return false;
    es_shape want = x->shape;
    want.dim[axis < 0 ? axis + want.ndim : axis] = 1;
    if (!has_shape(out, &want, err) || !axis_last(&o, out, axis, err))
        return false;
    if ((op == ES_REDUCE_MAX || op == ES_REDUCE_MIN) && v.dim[v.ndim - 1] == 0)
        return es_fail(err, ES_ERR_VALUE, "nothing is largest or smallest on an empty axis");
    return out->buf->be->ops->reduce(op, &o, &v, err);
}

/* The leading axes of a product, and its last two. */
static bool product_shape(es_shape *out, const es_shape *x, const es_shape *y, es_error *err)
{
    int nx = x->ndim, ny = y->ndim;
    if (nx < 2 || ny < 2 || x->dim[nx - 1] != y->dim[ny - 2]) {
        differ(err, ES_ERR_MATMUL, "inner axes differ", x, y);
        return es_hint(err, "(M, K) @ (K, N) needs equal K; transpose one side with .T");
    }
    es_shape bx = *x, by = *y, batch = {0};
    bx.ndim -= 2;
    by.ndim -= 2;
    if (!es_broadcast_shape(&batch, &bx, &by, err))
        return false;
    *out = batch;
    out->ndim = batch.ndim + 2;
    out->dim[batch.ndim] = x->dim[nx - 2];
    out->label[batch.ndim] = x->label[nx - 2];
    out->dim[batch.ndim + 1] = y->dim[ny - 1];
    out->label[batch.ndim + 1] = y->label[ny - 1];
    return true;
}

/* A view of t whose leading axes are stretched to those of the product. */
static bool operand(es_view *out, const es_tensor *t, const es_shape *product, es_error *err)
{
    es_shape wide = *product;
    for (int i = 1; i <= 2; i++)
        wide.dim[wide.ndim - i] = t->shape.dim[t->shape.ndim - i];
    return stretched(out, t, &wide, err);
}

bool es_matmul(es_tensor *out, const es_tensor *x, const es_tensor *y, es_error *err)
{
    es_shape want;
    es_view a, b;
    if (!ALIKE(err, out, x, y) || !product_shape(&want, &x->shape, &y->shape, err))
        return false;
    if (!has_shape(out, &want, err) || !operand(&a, x, &want, err) || !operand(&b, y, &want, err))
        return false;
    es_view o = es_tensor_as_view(out);
    return out->buf->be->ops->matmul(&o, &a, &b, err);
}

bool es_softmax(es_tensor *out, const es_tensor *x, int axis, es_error *err)
{
    es_view o, v;
    if (!ALIKE(err, out, x) || !has_shape(out, &x->shape, err))
        return false;
    if (!axis_last(&o, out, axis, err) || !axis_last(&v, x, axis, err))
        return false;
    return out->buf->be->ops->softmax(&o, &v, err);
}

bool es_topk(es_tensor *values, int64_t *index, const es_tensor *x, es_error *err)
{
    if (!ALIKE(err, values, x))
        return false;
    int last = x->shape.ndim - 1;
    if (last < 0)
        return es_fail(err, ES_ERR_DIM_RANGE, "the largest of a single number is itself");
    es_shape want = x->shape;
    int64_t k = want.dim[last] = values->shape.ndim ? values->shape.dim[values->shape.ndim - 1] : 0;
    if (k < 1 || k > x->shape.dim[last])
        return es_fail(err, ES_ERR_RANGE, "the %" PRId64 " largest of %" PRId64 " numbers", k,
                       x->shape.dim[last]);
    if (!has_shape(values, &want, err))
        return false;
    es_view v = es_tensor_as_view(values), w = es_tensor_as_view(x);
    return x->buf->be->ops->topk(&v, index, &w, err);
}

bool es_copy(es_tensor *out, const es_tensor *x, es_error *err)
{
    es_view o = es_tensor_as_view(out), v;
    if (!ALIKE(err, out, x) || !stretched(&v, x, &out->shape, err))
        return false;
    return out->buf->be->ops->copy(&o, &v, err);
}
