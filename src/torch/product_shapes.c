// SPDX-License-Identifier: GPL-3.0-or-later
/* Do two tensors fit to be multiplied, and what comes of it: shapes and names; what is wrong, as PyTorch says it. */
#include <inttypes.h>
#include <string.h>

#include "torch/elementwise.h"
#include "torch/label.h"
#include "torch/product_inside.h"

/* ---- what does not fit, said as PyTorch says it for these ranks ---- */

static int64_t from_right(const es_tensor *t, int i)
{
    return t->shape.dim[t->shape.ndim - i];
}

/* The product of all axes but the i-th from the right: what folding makes of them. */
static int64_t folded(const es_tensor *t, int i)
{
    es_shape rest = t->shape;
    rest.dim[rest.ndim - i] = 1;
    return es_shape_count(&rest);
}

static bool rows_and_columns(es_error *err, int64_t a, int64_t b, int64_t c, int64_t d)
{
    return es_torch_says(err,
                         "mat1 and mat2 shapes cannot be multiplied (%" PRId64 "x%" PRId64
                         " and %" PRId64 "x%" PRId64 ")",
                         a, b, c, d);
}

static bool matrix_and_vector(es_error *err, int64_t rows, int64_t cols, int64_t n)
{
    return es_torch_says(err,
                         "size mismatch, got %" PRId64 ", %" PRId64 "x%" PRId64 ",%" PRId64
                         " (PyTorch 2: size mismatch, got input (%" PRId64 "), mat (%" PRId64
                         "x%" PRId64 "), vec (%" PRId64 "))",
                         rows, rows, cols, n, rows, rows, cols, n);
}

static bool lengths(es_error *err, int64_t a, int64_t b)
{
    return es_torch_says(err,
                         "inconsistent tensor size, expected tensor [%" PRId64 "] and src [%" PRId64
                         "] to have the same number of elements, but got %" PRId64 " and %" PRId64
                         " elements respectively",
                         a, b, a, b);
}

/* PyTorch folds the leading axes of one side into one where the other has no more than two. */
static bool torch_says_inner(es_error *err, const es_tensor *x, const es_tensor *y, int64_t batch)
{
    int nx = x->shape.ndim, ny = y->shape.ndim;
    int64_t kx = from_right(x, 1), ky = ny == 1 ? from_right(y, 1) : from_right(y, 2);
    if (nx == 1 && ny == 1)
        return lengths(err, kx, ky);
    if (ny == 1)
        return matrix_and_vector(err, folded(x, 1), kx, ky);
    if (nx == 1 && ny == 2)
        return rows_and_columns(err, 1, kx, ky, from_right(y, 1));
    if (ny == 2)
        return rows_and_columns(err, folded(x, 1), kx, ky, from_right(y, 1));
    if (nx == 1)
        return matrix_and_vector(err, folded(y, 2), ky, kx);
    if (nx == 2)
        return rows_and_columns(err, folded(y, 2), ky, kx, from_right(x, 2));
    return es_torch_says(err,
                         "Expected size for first two dimensions of batch2 tensor to be: [%" PRId64
                         ", %" PRId64 "] but got: [%" PRId64 ", %" PRId64 "].",
                         batch, kx, batch, ky);
}

static void add_size(es_str *s, const es_label *label, int64_t size)
{
    if (es_label_is_named(label))
        es_str_add(s, "%s=%" PRId64, label->s, size);
    else
        es_str_add(s, "%" PRId64, size);
}

static bool inner_differ(es_error *err, const es_tensor *x, const es_tensor *y, int64_t batch)
{
    int i = x->shape.ndim - 1, j = y->shape.ndim == 1 ? 0 : y->shape.ndim - 2;
    es_str a = {0}, b = {0};
    add_size(&a, &x->shape.label[i], x->shape.dim[i]);
    add_size(&b, &y->shape.label[j], y->shape.dim[j]);
    if (x->shape.ndim == 1 && y->shape.ndim == 1)
        es_fail(err, ES_ERR_MATMUL, "the two lengths differ, %s against %s", a.s, b.s);
    else
        es_fail(err, ES_ERR_MATMUL, "inner axes differ, %s against %s", a.s, b.s);
    es_str_free(&a);
    es_str_free(&b);
    return torch_says_inner(err, x, y, batch);
}

/* "2C[:C]" has been cut by C: that the two are as long is no luck. */
static bool is_cut_by(const es_label *sliced, const es_label *name)
{
    const char *cut = strchr(sliced->s, '['), *in = cut && *name->s ? strstr(cut, name->s) : NULL;
    return in && strchr(":[", in[-1]) && strchr(":]", in[strlen(name->s)]);
}

static bool inner_meet(es_torch *k, const es_label *a, const es_label *b, int64_t size,
                       es_error *err)
{
    bool clash;
    es_label_meet(a, b, &clash);
    if (!clash || size == 1 || is_cut_by(a, b) || is_cut_by(b, a))
        return true;
    if (!k->strict) {
        es_torch_note(k, "inner axes: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck", a->s,
                      size, b->s, size);
        return true;
    }
    es_fail(err, ES_ERR_MATMUL, "inner axes: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck",
            a->s, size, b->s, size);
    return es_hint(err, "names are taken at their word; :set strict off lets this pass");
}

static bool same_dtype(const es_tensor *x, const es_tensor *y, es_error *err)
{
    static const char *const in_c[ES_N_DTYPES] = {"float", "double", "long int", "int", "bool"};
    const char *a = es_torch_scalar_name(x->dtype), *b = es_torch_scalar_name(y->dtype);
    if (x->dtype == y->dtype && x->dtype != ES_BOOL)
        return true;
    if (x->dtype == ES_BOOL && y->dtype == ES_BOOL) {
        es_fail(err, ES_ERR_DTYPE, "bools are not multiplied as matrices; .float() first");
        return es_torch_says(err, "\"addmm_impl_cpu_\" not implemented for 'Bool'");
    }
    es_fail(err, ES_ERR_DTYPE, "a product of %s and %s: both must be of one dtype",
            es_dtype_name(x->dtype), es_dtype_name(y->dtype));
    if (x->shape.ndim == 1 && y->shape.ndim == 1)
        return es_torch_says(
            err, "dot : expected both vectors to have same dtype, but found %s and %s", a, b);
    return es_torch_says(err,
                         "expected scalar type %s but found %s (PyTorch 2: expected m1 and m2 to "
                         "have the same dtype, but got: %s != %s)",
                         a, b, in_c[x->dtype], in_c[y->dtype]);
}

/* ---- shapes ---- */

static void add_axis(es_tensor *t, int at)
{
    es_shape *s = &t->shape;
    for (int i = s->ndim; i > at; i--) {
        s->dim[i] = s->dim[i - 1];
        s->label[i] = s->label[i - 1];
        t->stride[i] = t->stride[i - 1];
    }
    s->dim[at] = 1;
    s->label[at] = es_label_named("");
    t->stride[at] = 1;
    s->ndim++;
}

static void append_axis(es_shape *s, const es_shape *from, int i)
{
    s->dim[s->ndim] = from->dim[i];
    s->label[s->ndim++] = from->label[i];
}

/* The matrices' own axes stay, as 1, so that axes are counted as the reader counts them. */
static es_shape batch_of(const es_shape *s)
{
    es_shape batch = *s;
    for (int d = s->ndim - 2; d < s->ndim; d++) {
        batch.dim[d] = 1;
        batch.label[d] = es_label_named("");
    }
    return batch;
}

static bool batches_meet(es_torch *k, es_product *p, es_error *err)
{
    es_shape a = batch_of(&p->x.shape), b = batch_of(&p->y.shape);
    if (es_torch_stretch(k, &p->batch, &a, &b, err)) {
        p->batch.ndim -= 2;
        return true;
    }
    if (err && err->code == ES_ERR_BROADCAST)
        err->code = ES_ERR_MATMUL;
    return false;
}

static bool no_scalars(const es_tensor *x, const es_tensor *y, es_error *err)
{
    if (x->shape.ndim && y->shape.ndim)
        return true;
    es_fail(err, ES_ERR_MATMUL, "a single number is no matrix; * multiplies by it");
    return es_torch_says(
        err, "both arguments to matmul need to be at least 1D, but they are %dD and %dD",
        x->shape.ndim, y->shape.ndim);
}

bool es_product_plan(es_torch *k, es_product *p, const es_tensor *x, const es_tensor *y,
                     es_error *err)
{
    if (!no_scalars(x, y, err) || !same_dtype(x, y, err))
        return false;
    *p = (es_product){.x = *x, .y = *y};
    if (x->shape.ndim == 1)
        add_axis(&p->x, 0);
    if (y->shape.ndim == 1)
        add_axis(&p->y, 1);
    int nx = p->x.shape.ndim, ny = p->y.shape.ndim;
    if (!batches_meet(k, p, err))
        return false;
    if (p->x.shape.dim[nx - 1] != p->y.shape.dim[ny - 2])
        return inner_differ(err, x, y, es_shape_count(&p->batch));
    if (!inner_meet(k, &p->x.shape.label[nx - 1], &p->y.shape.label[ny - 2], p->x.shape.dim[nx - 1],
                    err))
        return false;
    p->full = p->out = p->batch;
    append_axis(&p->full, &p->x.shape, nx - 2);
    append_axis(&p->full, &p->y.shape, ny - 1);
    if (x->shape.ndim > 1)
        append_axis(&p->out, &p->x.shape, nx - 2);
    if (y->shape.ndim > 1)
        append_axis(&p->out, &p->y.shape, ny - 1);
    return true;
}
