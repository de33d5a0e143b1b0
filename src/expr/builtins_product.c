// SPDX-License-Identifier: GPL-3.0-or-later
/* Products of vectors and matrices. */
#include "torch/product.h"

#include <string.h>

#include "expr/bind_shapes.h"
#include "torch/elementwise.h"
#include "torch/views.h"

static bool run_matmul(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && es_give(out, &t, es_torch_matmul(a->k, &t, x, y, err));
}

/* What is refused where matmul would do more: mm takes matrices only, bmm batches of them. */
static bool of_ranks(es_args *a, const es_tensor *x, const es_tensor *y, int rx, int ry,
                     es_error *err)
{
    int nx = x->shape.ndim, ny = y->shape.ndim;
    if (nx == rx && ny == ry)
        return true;
    es_fail(err, ES_ERR_MATMUL, "%s is for %s; these have %d and %d axes", a->of->name,
            rx == 3   ? "two batches of matrices"
            : ry == 1 ? "a matrix and a vector"
                      : "two matrices",
            nx, ny);
    es_hint(err, "@ takes both of them as they are, and batches");
    if (rx == 3)
        return es_torch_says(err, "batch%d must be a 3D tensor", nx != 3 ? 1 : 2);
    if (ry == 1)
        return es_torch_says(err, "vector + matrix @ vector expected, got %d, %d, %d", ny, nx, ny);
    return es_torch_says(err, "%s must be a matrix", nx != 2 ? "self" : "mat2");
}

static bool of_rank(es_args *a, es_value *out, int rx, int ry, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && of_ranks(a, x, y, rx, ry, err) &&
           es_give(out, &t, es_torch_matmul(a->k, &t, x, y, err));
}

static bool run_mm(es_args *a, es_value *out, es_error *err)
{
    return of_rank(a, out, 2, 2, err);
}

static bool run_bmm(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y)
        return false;
    if (x->shape.ndim == 3 && y->shape.ndim == 3 && x->shape.dim[0] != y->shape.dim[0]) {
        es_fail(err, ES_ERR_MATMUL, "bmm needs as many matrices on both sides, not %d and %d",
                (int)x->shape.dim[0], (int)y->shape.dim[0]);
        es_hint(err, "@ stretches a batch of 1");
        return es_torch_says(err,
                             "Expected size for first two dimensions of batch2 tensor to be: [%d, "
                             "%d] but got: [%d, %d].",
                             (int)x->shape.dim[0], (int)x->shape.dim[2], (int)y->shape.dim[0],
                             (int)y->shape.dim[1]);
    }
    return of_rank(a, out, 3, 3, err);
}

static bool run_mv(es_args *a, es_value *out, es_error *err)
{
    return of_rank(a, out, 2, 1, err);
}

static bool run_dot(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    return y && es_give(out, &t, es_torch_dot(a->k, &t, x, y, err));
}

static bool run_outer(es_args *a, es_value *out, es_error *err)
{
    es_tensor t, column;
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    if (!y)
        return false;
    if (x->shape.ndim != 1 || y->shape.ndim != 1) {
        bool first = x->shape.ndim != 1;
        es_fail(err, ES_ERR_MATMUL, "outer is for two vectors; these have %d and %d axes",
                x->shape.ndim, y->shape.ndim);
        return es_torch_says(err, "outer: Expected 1-D argument %s, but got %d-D",
                             first ? "self" : "vec2", first ? x->shape.ndim : y->shape.ndim);
    }
    if (!es_torch_unsqueeze(a->k, &column, x, 1, err))
        return false;
    bool ok = es_give(out, &t, es_torch_binary(a->k, &t, ES_B_MUL, &column, y, err));
    es_tensor_free(&column);
    return ok;
}

static bool run_linear(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err), *w = x ? es_arg_tensor(a, 1, err) : NULL,
                    *bias = w && es_given(a, 2) ? es_arg_tensor(a, 2, err) : NULL;
    return w && (bias || !es_given(a, 2)) &&
           es_give(out, &t, es_torch_linear(a->k, &t, x, w, bias, err));
}

static bool run_attention(es_args *a, es_value *out, es_error *err)
{
    es_attention how = {0};
    double drop = 0;
    bool gqa;
    es_tensor t;
    const es_tensor *q = es_arg_tensor(a, 0, err), *key = q ? es_arg_tensor(a, 1, err) : NULL,
                    *v = key ? es_arg_tensor(a, 2, err) : NULL;
    if (!v || (es_given(a, 3) && !(how.mask = es_arg_tensor(a, 3, err))) ||
        (es_given(a, 4) && !es_arg_double(a, 4, &drop, err)) ||
        !es_arg_bool(a, 5, false, &how.causal, err) ||
        (es_given(a, 6) && !es_arg_double(a, 6, &how.scale, err)) ||
        !es_arg_bool(a, 7, false, &gqa, err))
        return false;
    if (how.causal && how.mask) {
        es_fail(err, ES_ERR_VALUE, "is_causal=True makes the mask, and there is another one");
        es_torch_says(err, "_scaled_dot_product_attention: Explicit attn_mask should not be set "
                           "when is_causal=True");
        return es_arg_blame(a, 3, err);
    }
    if (gqa) {
        es_fail(err, ES_ERR_UNSUPPORTED, "enable_gqa is not done here");
        es_hint(err, "as many heads by hand: key.repeat_interleave(n, dim=1)");
        return es_arg_blame(a, 7, err);
    }
    if (drop > 0)
        es_torch_note(a->k, "dropout changes nothing here: nothing is being trained");
    return es_give(out, &t, es_torch_attention(a->k, &t, q, key, v, &how, err));
}

/* beta * input + alpha * (mat1 @ mat2), which is of that rank. */
static bool add_product(es_args *a, es_value *out, int rank, es_error *err)
{
    es_value scale[2] = {es_value_int(1), es_value_int(1)}, part[2] = {es_none(), es_none()};
    const es_tensor *x = es_arg_tensor(a, 1, err), *y = x ? es_arg_tensor(a, 2, err) : NULL;
    es_tensor t;
    if (!es_arg_tensor(a, 0, err) || !y || !of_ranks(a, x, y, rank, rank, err) ||
        !es_give(&part[1], &t, es_torch_matmul(a->k, &t, x, y, err)))
        return false;
    part[0] = es_value_ref(&a->v[0]);
    bool ok = true;
    for (int i = 0; ok && i < 2; i++) {
        es_value scaled;
        scale[i] = es_given(a, 3 + i) ? a->v[3 + i] : scale[i];
        bool one = scale[i].kind == ES_V_INT && scale[i].u.i == 1;
        ok = one || es_binary(a->in, ES_OP_MUL, &scale[i], &part[i], &scaled, err);
        if (ok && !one) {
            es_value_unref(&part[i]);
            part[i] = scaled;
        }
    }
    ok = ok && es_binary(a->in, ES_OP_ADD, &part[0], &part[1], out, err);
    es_value_unref(&part[0]);
    es_value_unref(&part[1]);
    return ok;
}

static bool run_addmm(es_args *a, es_value *out, es_error *err)
{
    return add_product(a, out, 2, err);
}

static bool run_baddbmm(es_args *a, es_value *out, es_error *err)
{
    return add_product(a, out, 3, err);
}

/* einsum("bti,bsi->bts", x, y), or its tensors in one list. */
static bool run_einsum(es_args *a, es_value *out, es_error *err)
{
    const es_value *of = a->rest;
    int64_t n = a->n_rest;
    es_tensor t;
    if (a->v[0].kind != ES_V_STR)
        return es_arg_wrong(a, 0, "str", err);
    if (n == 1 && (of[0].kind == ES_V_LIST || of[0].kind == ES_V_TUPLE)) {
        n = es_value_items(&of[0])->n;
        of = es_value_items(&of[0])->of;
    }
    if (n < 1 || n > 2) {
        es_fail(err, ES_ERR_UNSUPPORTED, "einsum takes one tensor or two here, not %d", (int)n);
        return es_hint(err, "more of them: one einsum after another");
    }
    for (int64_t i = 0; i < n; i++)
        if (of[i].kind != ES_V_TENSOR)
            return es_fail(err, ES_ERR_TYPE, "einsum(): operand %d must be Tensor, not %s", (int)i,
                           es_value_type_name(&of[i]));
    return es_give(out, &t,
                   es_torch_einsum(a->k, &t, es_value_as_str(&a->v[0])->bytes,
                                   es_value_as_tensor(&of[0]),
                                   n == 2 ? es_value_as_tensor(&of[1]) : NULL, err));
}

/* ---- the table ---- */

enum { BOTH = ES_IN_TORCH | ES_METHOD };

const es_builtin es_builtins_product[] = {
    {"matmul", BOTH, "input, other", "the product of matrices, vectors and batches of them: @",
     "(…, M, K) @ (…, K, N) → (…, M, N); a vector is a row on the left, a column on the right",
     "Each number of the result is the sum of products along the inner axis, K.",
     "torch.matmul(x, wte.weight.T)", run_matmul},
    {"mm", BOTH, "input, mat2", "the product of two matrices", "(M, K), (K, N) → (M, N)", NULL,
     "torch.mm(x[0], wte.weight.T)", run_mm},
    {"bmm", BOTH, "input, mat2", "the products of two batches of matrices",
     "(B, M, K), (B, K, N) → (B, M, N)", NULL, "torch.bmm(x, x.transpose(1, 2))", run_bmm},
    {"mv", BOTH, "input, vec", "the product of a matrix and a vector", "(M, K), (K) → (M)", NULL,
     "torch.mv(wte.weight, x[0, 0])", run_mv},
    {"dot", BOTH, "input, tensor", "the sum of the products of two vectors",
     "(K), (K) → one number", NULL, "torch.dot(wte.weight[3], wte.weight[7])", run_dot},
    {"outer", BOTH, "input, vec2", "every number of one vector times every number of the other",
     "(M), (N) → (M, N)", NULL, "torch.outer(torch.arange(3), torch.arange(4))", run_outer},
    {"linear", ES_IN_F, "input, weight, bias=None",
     "what nn.Linear computes: input @ weight.T + bias", "(…, in), (out, in) → (…, out)",
     "The weight lies transposed: F.linear(x, wte.weight) are the logits of tied weights.",
     "F.linear(x, wte.weight)", run_linear},
    {"scaled_dot_product_attention", ES_IN_F,
     "query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, "
     "enable_gqa=False",
     "attention: softmax(query @ key.mT / sqrt(d) + mask) @ value",
     "(…, T, d), (…, S, d), (…, S, e) → (…, T, e)",
     "A mask of bools is True where one may look; one of floats is added to the scores.  "
     "is_causal hides what comes later.",
     "F.scaled_dot_product_attention(x, x, x, is_causal=True)", run_attention},
    {"addmm", BOTH, "input, mat1, mat2, *, beta=1, alpha=1", "beta * input + alpha * (mat1 @ mat2)",
     "(N) or (M, N), (M, K), (K, N) → (M, N)", NULL,
     "torch.addmm(torch.zeros(V), x[0], wte.weight.T)", run_addmm},
    {"baddbmm", BOTH, "input, batch1, batch2, *, beta=1, alpha=1",
     "beta * input + alpha * (batch1 @ batch2)", "(B, M, N), (B, M, K), (B, K, N) → (B, M, N)",
     NULL, "torch.baddbmm(torch.zeros(1), x, x.transpose(1, 2), alpha=0.5)", run_baddbmm},
    {"einsum", ES_IN_TORCH, "equation, *operands",
     "products and sums written with a letter for each axis",
     "letters behind -> are the result's axes; the others are summed over",
     "A letter of both tensors multiplies along it; one operand or two.",
     "torch.einsum(\"btc,vc->btv\", x, wte.weight)", run_einsum},
    {.name = NULL},
};
