// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/product.h"

#include <math.h>
#include <string.h>

#include "torch/elementwise.h"
#include "torch/grid.h"
#include "torch/product_inside.h"

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
    if (!be->ops->host_memory)
        return (int64_t)1 << 31;
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

/* A batch that a device can multiply at once: starting a kernel for each of many small ones would take longer. */
static bool at_once(const es_product *p, const es_tensor *out, int64_t K)
{
    double all = (double)es_shape_count(&p->full) * (double)(K ? K : 1);
    return es_torch_far(out) && all <= (double)products_at_once(out->buf->be);
}

static bool all_matrices(es_torch *k, const es_product *p, const es_tensor *out, const es_tensor *x,
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
    if (at_once(p, out, m.K)) {
        es_view o = es_tensor_as_view(out), a = es_tensor_as_view(x), b = es_tensor_as_view(y);
        return es_watch_step(k->watch, 0, err) && by_backend(&o, &a, &b, err);
    }
    do
        if (!in_tiles(k, &m, loops_for(out->dtype), products, err))
            return false;
    while (next_matrix(&m, &p->batch, place));
    return true;
}

/* t with the batch axes of the product. */
static bool in_batch(es_torch *k, es_tensor *out, const es_tensor *t, const es_product *p,
                     es_error *err)
{
    es_shape wide = p->full;
    for (int i = 1; i <= 2; i++)
        wide.dim[wide.ndim - i] = t->shape.dim[t->shape.ndim - i];
    return es_torch_ready(k, t, "a product", err) && es_tensor_expand(out, t, &wide, err);
}

static bool multiplied(es_torch *k, const es_product *p, const es_tensor *out, es_error *err)
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
    es_product p;
    const es_tensor *const t[] = {x, y};
    *out = (es_tensor){0};
    if (!es_product_plan(k, &p, x, y, err) || !es_torch_result(k, out, t, 2, x->dtype, &p.out, err))
        return false;
    if (es_torch_meta(out))
        return true;
    if (x->dtype != ES_FLOAT32)
        es_backend_ran_beside(out->buf->be, "@");
    if (multiplied(k, &p, out, err))
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
