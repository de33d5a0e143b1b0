// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/product.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/label.h"

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

static bool inner_meet(es_torch *k, const es_label *a, const es_label *b, int64_t size,
                       es_error *err)
{
    bool clash;
    es_label_meet(a, b, &clash);
    if (!clash || size == 1)
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

/* ---- shapes: vectors become matrices first, and lose that axis last ---- */

typedef struct plan {
    es_tensor x, y;     /* at least two axes; they borrow the operands' memory */
    es_shape batch;     /* leading axes of both, stretched */
    es_shape full, out; /* with, and without, the axes that vectors were given */
} plan;

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

static bool batches_meet(es_torch *k, plan *p, es_error *err)
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

static bool make_plan(es_torch *k, plan *p, const es_tensor *x, const es_tensor *y, es_error *err)
{
    if (!no_scalars(x, y, err) || !same_dtype(x, y, err))
        return false;
    *p = (plan){.x = *x, .y = *y};
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

/* ---- computing: a tile of the result at a time ---- */

/* One matrix each of the batch, as views of rank 2. */
typedef struct matrices {
    const es_tensor *t[3]; /* out (M, N), x (M, K), y (K, N), with batches in front */
    int64_t offset[3];
    int64_t M, N, K;
} matrices;

static es_view tile(const matrices *m, int which, int64_t row, int64_t col, int64_t rows,
                    int64_t cols)
{
    const es_tensor *t = m->t[which];
    int last = t->shape.ndim - 1;
    int64_t down = t->stride[last - 1], right = t->stride[last];
    return (es_view){.buf = t->buf,
                     .offset = m->offset[which] + row * down + col * right,
                     .ndim = 2,
                     .dim = {rows, cols},
                     .stride = {down, right}};
}

typedef bool tile_fn(const es_view *out, const es_view *x, const es_view *y, es_error *err);

/* As many products of two numbers at a time as take a few ms: the plain loops of `sim` are slow. */
static int64_t products_at_once(const es_backend *be)
{
    return strcmp(be->ops->name, "ref") ? (int64_t)1 << 27 : (int64_t)1 << 18;
}

static bool in_tiles(es_torch *k, const matrices *m, tile_fn *fn, int64_t products, es_error *err)
{
    int64_t most = products / (m->K ? m->K : 1), rows = (int64_t)sqrt((double)most);
    rows = rows < most / m->N ? most / m->N : rows; /* square tiles read the least */
    rows = rows < 1 ? 1 : rows > m->M ? m->M : rows;
    int64_t cols = most / rows < 1 ? 1 : most / rows;
    for (int64_t r = 0; r < m->M; r += rows)
        for (int64_t c = 0; c < m->N; c += cols) {
            int64_t h = m->M - r < rows ? m->M - r : rows, w = m->N - c < cols ? m->N - c : cols;
            es_view out = tile(m, 0, r, c, h, w), x = tile(m, 1, r, 0, h, m->K),
                    y = tile(m, 2, 0, c, m->K, w);
            if (!es_watch_step(k->watch, 0, err) || !fn(&out, &x, &y, err))
                return false;
        }
    return true;
}

static bool by_backend(const es_view *out, const es_view *x, const es_view *y, es_error *err)
{
    return out->buf->be->ops->matmul(out, x, y, err);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a type before a star takes none
 * out is dense along its rows. */
#define LOOPS(name, type, sum_type)                                                                \
    static bool name(const es_view *out, const es_view *x, const es_view *y, es_error *err)        \
    {                                                                                              \
        (void)err;                                                                                 \
        for (int64_t m = 0; m < out->dim[0]; m++) {                                                \
            type *const o = (type *)out->buf->mem + out->offset + m * out->stride[0];              \
            const type *a = (const type *)x->buf->mem + x->offset + m * x->stride[0];              \
            memset(o, 0, (size_t)out->dim[1] * sizeof *o);                                         \
            for (int64_t i = 0; i < x->dim[1]; i++) {                                              \
                const type *b = (const type *)y->buf->mem + y->offset + i * y->stride[0];          \
                sum_type factor = (sum_type)a[i * x->stride[1]];                                   \
                for (int64_t n = 0; n < out->dim[1]; n++)                                          \
                    o[n] = (type)((sum_type)o[n] + factor * (sum_type)b[n * y->stride[1]]);        \
            }                                                                                      \
        }                                                                                          \
        return true;                                                                               \
    }

LOOPS(product_float64, double, double)
LOOPS(product_int64, int64_t, uint64_t)
LOOPS(product_int32, int32_t, uint32_t)
/* NOLINTEND(bugprone-macro-parentheses) */

static tile_fn *loops_for(es_dtype dtype)
{
    static tile_fn *const fn[ES_N_DTYPES] = {[ES_FLOAT32] = by_backend,
                                             [ES_FLOAT64] = product_float64,
                                             [ES_INT64] = product_int64,
                                             [ES_INT32] = product_int32};
    return fn[dtype];
}

/* On to the next matrix of the batch; false after the last. */
static bool next_matrix(matrices *m, const es_shape *batch, int64_t *place)
{
    for (int d = batch->ndim - 1; d >= 0; d--) {
        bool carry = ++place[d] == batch->dim[d];
        for (int i = 0; i < 3; i++)
            m->offset[i] += carry ? (1 - batch->dim[d]) * m->t[i]->stride[d] : m->t[i]->stride[d];
        if (!carry)
            return true;
        place[d] = 0;
    }
    return false;
}

static bool all_matrices(es_torch *k, const plan *p, const es_tensor *out, const es_tensor *x,
                         const es_tensor *y, es_error *err)
{
    int last = p->full.ndim - 1;
    int64_t place[ES_MAX_DIMS] = {0}, products = products_at_once(out->buf->be);
    matrices m = {.t = {out, x, y},
                  .offset = {out->offset, x->offset, y->offset},
                  .M = p->full.dim[last - 1],
                  .N = p->full.dim[last],
                  .K = x->shape.dim[last]};
    if (out->dtype != ES_FLOAT32)
        products = (int64_t)1 << 22; /* our own loops */
    if (es_shape_count(&p->full) == 0)
        return true;
    do
        if (!in_tiles(k, &m, loops_for(out->dtype), products, err))
            return false;
    while (next_matrix(&m, &p->batch, place));
    return true;
}

/* t with the batch axes of the product. */
static bool in_batch(es_torch *k, es_tensor *out, const es_tensor *t, const plan *p, es_error *err)
{
    es_shape wide = p->full;
    for (int i = 1; i <= 2; i++)
        wide.dim[wide.ndim - i] = t->shape.dim[t->shape.ndim - i];
    return es_torch_ready(k, t, "a product", err) && es_tensor_expand(out, t, &wide, err);
}

static bool multiplied(es_torch *k, const plan *p, const es_tensor *out, es_error *err)
{
    es_tensor x = {0}, y = {0}, full = *out; /* borrows */
    full.shape = p->full;
    int64_t n = 1;
    for (int d = p->full.ndim - 1; d >= 0; n *= p->full.dim[d--])
        full.stride[d] = n;
    bool ok = in_batch(k, &x, &p->x, p, err) && in_batch(k, &y, &p->y, p, err) &&
              all_matrices(k, p, &full, &x, &y, err);
    es_tensor_free(&x);
    es_tensor_free(&y);
    return ok;
}

bool es_torch_matmul(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                     es_error *err)
{
    plan p;
    const es_tensor *const t[] = {x, y};
    *out = (es_tensor){0};
    if (!make_plan(k, &p, x, y, err) || !es_torch_result(k, out, t, 2, x->dtype, &p.out, err))
        return false;
    if (es_torch_meta(out) || multiplied(k, &p, out, err))
        return true;
    es_tensor_free(out);
    return false;
}

bool es_torch_dot(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *y,
                  es_error *err)
{
    *out = (es_tensor){0};
    if (x->shape.ndim == 1 && y->shape.ndim == 1)
        return es_torch_matmul(k, out, x, y, err);
    es_fail(err, ES_ERR_MATMUL, "dot is for two vectors; these have %d and %d axes", x->shape.ndim,
            y->shape.ndim);
    es_hint(err, "(x * y).sum(-1) multiplies vectors along the last axis; @ multiplies matrices");
    return es_torch_says(err, "1D tensors expected, but got %dD and %dD tensors", x->shape.ndim,
                         y->shape.ndim);
}

/* ---- linear ---- */

static bool weight_is_matrix(const es_tensor *weight, es_error *err)
{
    if (weight->shape.ndim == 1 || weight->shape.ndim == 2)
        return true;
    es_fail(err, ES_ERR_MATMUL, "a weight has one axis or two, (out, in), and this one has %d",
            weight->shape.ndim);
    return es_torch_says(err, "t() expects a tensor with <= 2 dimensions, but self is %dD",
                         weight->shape.ndim);
}

bool es_torch_linear(es_torch *k, es_tensor *out, const es_tensor *x, const es_tensor *weight,
                     const es_tensor *bias, es_error *err)
{
    es_tensor turned = {0}, product = {0};
    *out = turned;
    if (!weight_is_matrix(weight, err))
        return false;
    if (weight->shape.ndim == 1)
        es_tensor_view(&turned, weight);
    else if (!es_tensor_transpose(&turned, weight, 0, 1, err))
        return false;
    bool ok = es_torch_matmul(k, &product, x, &turned, err);
    es_tensor_free(&turned);
    if (!ok || !bias) {
        *out = product;
        return ok;
    }
    ok = es_torch_binary(k, out, ES_B_ADD, &product, bias, err);
    es_tensor_free(&product);
    return ok;
}
