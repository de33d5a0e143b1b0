// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.MultiheadAttention. */
#include <math.h>

#include "expr/bind_shapes.h"
#include "expr/classes.h"
#include "expr/module_layers.h"
#include "torch/make.h"
#include "torch/multihead.h"

/* ---- making one ---- */

/* What other models have and this has not. */
static bool is_plain(es_args *a, es_error *err)
{
    int64_t E, other;
    bool bias_kv, zero;
    if (!es_arg_int64(a, 1, &E, err) || !es_arg_bool(a, 5, false, &bias_kv, err) ||
        !es_arg_bool(a, 6, false, &zero, err))
        return false;
    bool fits = !bias_kv && !zero;
    for (int i = 7; fits && i <= 8; i++)
        if (es_given(a, i)) {
            if (!es_arg_int64(a, i, &other, err))
                return false;
            fits = other == E;
        }
    return fits || es_fail(err, ES_ERR_UNSUPPORTED,
                           "keys and values are as wide as queries here, and no more of them are "
                           "added: no kdim, vdim, add_bias_kv, add_zero_attn");
}

static bool read_sizes(es_args *a, es_shape *in, int64_t *heads, es_error *err)
{
    if (!es_arg_size(a, 1, &in->dim[1], &in->label[1], err) || !es_arg_int64(a, 2, heads, err))
        return false;
    int64_t E = in->dim[1];
    if (E <= 0 || *heads <= 0) {
        es_fail(err, ES_ERR_VALUE, "channels and heads are 1 or more");
        return es_torch_says(err, "embed_dim and num_heads must be greater than 0");
    }
    if (E % *heads == 0 && E < INT64_MAX / 3) {
        in->ndim = 2;
        in->dim[0] = 3 * E;
        return true;
    }
    es_fail(err, ES_ERR_VALUE, "%d channels are not shared by %d heads: %d are left over", (int)E,
            (int)*heads, (int)(E % *heads));
    es_torch_says(err, "embed_dim must be divisible by num_heads");
    return es_arg_blame(a, 2, err);
}

static bool zeros(es_args *a, es_tensor *t, es_backend *be, es_dtype dtype, int64_t n,
                  es_error *err)
{
    const es_shape shape = es_shape_1d("", n);
    es_tensor zero;
    if (!es_torch_int(a->k, &zero, 0, err))
        return false;
    bool ok = es_torch_full(a->k, t, be, dtype, &shape, &zero, err);
    es_tensor_free(&zero);
    return ok;
}

/* self.out_proj, a Linear under the name that PyTorch prints. */
static bool put_out(es_args *a, int64_t E, bool bias, es_error *err)
{
    es_value type, out_proj;
    es_module_type("NonDynamicallyQuantizableLinear", 31, &type);
    es_value args[] = {a->v[1], a->v[1], es_value_bool(bias), es_none(), es_none()};
    args[3] = a->v[10].kind == ES_V_KINDS ? es_none() : a->v[10];
    args[4] = a->v[11].kind == ES_V_KINDS ? es_none() : a->v[11];
    if (!es_class_call(a->in, &type, args, 5, NULL, NULL, &out_proj, err))
        return false;
    const es_value *b = es_own_get(&out_proj, "bias", 4);
    es_tensor t;
    if (bias && b && b->kind == ES_V_TENSOR) {
        const es_tensor *old = es_value_as_tensor(b);
        if (!zeros(a, &t, old->buf->be, old->dtype, E, err) ||
            !es_module_register(a->in, &out_proj, "bias", 4, es_value_parameter(&t), ES_PARAMETER,
                                err)) {
            es_value_unref(&out_proj);
            return false;
        }
    }
    return es_module_set(a, "out_proj", out_proj, err);
}

static bool put_in(es_args *a, const es_shape *in, bool bias, es_error *err)
{
    double bound = sqrt(6.0 / ((double)in->dim[0] + (double)in->dim[1]));
    const es_drawing even = {.uniform = true, .from = -bound, .by = 2 * bound};
    es_backend *be;
    es_dtype dtype;
    es_tensor t;
    return es_arg_device(a, 10, a->k->be, &be, err) &&
           es_arg_dtype(a, 11, ES_FLOAT32, &dtype, err) &&
           es_module_set_parameter(a, "in_proj_weight", &t,
                                   es_torch_drawn(a->k, &t, be, dtype, in, &even, err), err) &&
           (bias ? es_module_set_parameter(a, "in_proj_bias", &t,
                                           zeros(a, &t, be, dtype, in->dim[0], err), err)
                 : es_module_register(a->in, &a->v[0], "in_proj_bias", 12, es_none(), ES_PARAMETER,
                                      err));
}

static bool run_init(es_args *a, es_value *out, es_error *err)
{
    es_shape in = {0};
    int64_t heads;
    bool bias;
    *out = es_none();
    return es_module_begin(a, err) && is_plain(a, err) && read_sizes(a, &in, &heads, err) &&
           es_arg_bool(a, 4, true, &bias, err) && es_layer_keep(a, 1, es_none(), err) &&
           es_layer_keep(a, 2, es_none(), err) && es_layer_keep(a, 3, es_value_float(0), err) &&
           es_layer_keep(a, 9, es_value_bool(false), err) &&
           es_module_set(a, "head_dim", es_value_int(in.dim[1] / heads), err) &&
           put_in(a, &in, bias, err) && put_out(a, in.dim[1], bias, err);
}

/* ---- forward ---- */

/* A tensor of the module's, or NULL where it is None. */
static const es_tensor *own(const es_value *m, const char *name)
{
    const es_value *x = m ? es_own_get(m, name, strlen(name)) : NULL;
    return x && x->kind == ES_V_TENSOR ? es_value_as_tensor(x) : NULL;
}

static bool own_bool(const es_value *m, const char *name)
{
    const es_value *x = es_own_get(m, name, strlen(name));
    return x && x->kind == ES_V_BOOL && x->u.b;
}

static bool read_own(const es_value *m, es_multihead *how, es_error *err)
{
    const es_value *heads = es_own_get(m, "num_heads", 9), *p = es_own_get(m, "dropout", 7);
    const es_value *out_proj = es_own_get(m, "out_proj", 8);
    out_proj = out_proj && out_proj->kind == ES_V_INSTANCE ? out_proj : NULL;
    how->heads = heads && heads->kind == ES_V_INT ? heads->u.i : 0;
    how->batch_first = own_bool(m, "batch_first");
    how->in_weight = own(m, "in_proj_weight");
    how->in_bias = own(m, "in_proj_bias");
    how->out_weight = own(out_proj, "weight");
    how->out_bias = own(out_proj, "bias");
    if (p && p->kind == ES_V_FLOAT && own_bool(m, "training"))
        how->dropout = p->u.f;
    bool whole = how->heads > 0 && how->in_weight && how->in_weight->shape.ndim == 2 &&
                 how->out_weight && (!how->in_bias || how->in_bias->shape.ndim == 1);
    return whole ||
           es_fail(err, ES_ERR_VALUE,
                   "this MultiheadAttention is not what its __init__ made: in_proj_weight, "
                   "out_proj and num_heads are wanted");
}

static bool read_mask(es_args *a, int i, const es_tensor **mask, es_error *err)
{
    *mask = es_given(a, i) ? es_arg_tensor(a, i, err) : NULL;
    return *mask || !es_given(a, i);
}

static bool run_forward(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    es_multihead how = {0};
    bool causal;
    es_tensor t, weights;
    const es_tensor *q = self ? es_arg_tensor(a, 1, err) : NULL;
    const es_tensor *key = q ? es_arg_tensor(a, 2, err) : NULL;
    const es_tensor *v = key ? es_arg_tensor(a, 3, err) : NULL;
    if (!v || !read_own(self, &how, err) || !read_mask(a, 4, &how.padding, err) ||
        !es_arg_bool(a, 5, true, &how.want_weights, err) || !read_mask(a, 6, &how.mask, err) ||
        !es_arg_bool(a, 7, true, &how.average, err) || !es_arg_bool(a, 8, false, &causal, err))
        return false;
    if (causal && !how.mask) {
        es_fail(err, ES_ERR_VALUE, "is_causal only says of a mask that it hides what comes later");
        es_hint(err, "attn_mask=torch.ones(T, T).triu(1).bool()");
        es_torch_says(err, "Need attn_mask if specifying the is_causal hint.");
        return es_arg_blame(a, 8, err);
    }
    if (!es_torch_multihead(a->k, &t, &weights, q, key, v, &how, err))
        return false;
    es_value shown = how.want_weights ? es_value_tensor(&weights) : es_none();
    return es_answer(out, es_value_tuple((es_value[]){es_value_tensor(&t), shown}, 2));
}

const es_builtin es_builtins_module_attention[] = {
    {"MultiheadAttention", ES_IN_NN | ES_CLASS,
     "self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, "
     "kdim=None, vdim=None, batch_first=False, device=None, dtype=None",
     "attention of several heads between projections",
     "(T, B, E), or with batch_first (B, T, E); the weights are (B, T, S)",
     "A mask of bools hides where it is True; F.scaled_dot_product_attention takes the opposite. "
     " " ES_OWN_GENERATOR,
     "mha = nn.MultiheadAttention(8, 2, batch_first=True)\nx = torch.randn(1, 3, 8)\n"
     "y, weights = mha(x, x, x)\nweights.shape",
     run_init},
    {"MultiheadAttention.forward", ES_IN_NN,
     "self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, "
     "average_attn_weights=True, is_causal=False",
     "what each query finds, and how much of each key", "a pair; the weights may be None",
     "With average_attn_weights=False the weights are (B, heads, T, S).",
     "mha = nn.MultiheadAttention(8, 2)\nx = torch.randn(3, 1, 8)\n"
     "mha.forward(x, x, x, need_weights=False)",
     run_forward},
    {.name = NULL},
};
