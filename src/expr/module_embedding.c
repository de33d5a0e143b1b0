// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.Embedding: a table whose rows are looked up by ids; wte and wpe are two of them. */
#include "expr/bind_shapes.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/modules.h"
#include "torch/index.h"
#include "torch/make.h"
#include "torch/weight.h"

/* ---- what it is ---- */

bool es_is_embedding(const es_value *v)
{
    const char *kind = v->kind == ES_V_INSTANCE ? es_module_kind(v) : NULL;
    return kind && !strcmp(kind, "Embedding");
}

const es_tensor *es_embedding_weight(const es_value *v)
{
    const es_value *weight = es_is_embedding(v) ? es_own_get(v, "weight", 6) : NULL;
    return weight && weight->kind == ES_V_TENSOR ? es_value_as_tensor(weight) : NULL;
}

const char *es_embedding_called(const es_value *v)
{
    const char *name = es_module_called(v);
    return name ? name : "the embedding";
}

/* ---- making one ---- */

static const char *const names[] = {"num_embeddings", "embedding_dim", "padding_idx",
                                    "max_norm",       "norm_type",     "scale_grad_by_freq"};
enum { ROWS, WIDTH, PADDING, N_NAMES = sizeof names / sizeof *names };

/* Takes the weight over. */
static bool fill(es_interp *in, const es_value *self, es_tensor *weight, const es_value *padding,
                 bool trained, es_error *err)
{
    const es_value of[N_NAMES] = {
        es_value_size_of(weight, 0), es_value_size_of(weight, 1), *padding, es_none(),
        es_value_float(2),           es_value_bool(false)};
    bool ok = true;
    for (int i = 0; i < N_NAMES; i++)
        ok = ok && es_own_put(self, names[i], strlen(names[i]), of[i], err);
    es_value parameter = es_value_parameter(weight);
    ((es_tensor_object *)parameter.u.o)->requires_grad = trained;
    if (!ok) {
        es_value_unref(&parameter);
        return false;
    }
    return es_module_register(in, self, "weight", 6, parameter, ES_PARAMETER, err) &&
           es_own_put(self, "sparse", 6, es_value_bool(false), err);
}

static es_value new_embedding(es_interp *in)
{
    es_value type, self;
    es_module_type("Embedding", 9, &type);
    self = es_instance_new(in, &type);
    es_own_put(&self, "training", 8, es_value_bool(true), NULL);
    return self;
}

es_value es_embedding_of_table(es_interp *in, const char *name, es_table *table, es_backend *be)
{
    const char *rows = strcmp(name, "wpe") == 0 ? "P" : "V";
    const es_value padding = es_none();
    es_value self = new_embedding(in);
    es_tensor weight;
    if (es_torch_weight(&weight, table, be, rows, "C"))
        fill(in, &self, &weight, &padding, true, NULL);
    es_module_call_it(in, &self, name);
    return self;
}

static bool read_padding(es_args *a, int i, int64_t rows, es_value *out, es_error *err)
{
    int64_t id;
    *out = es_none();
    if (!es_given(a, i))
        return true;
    if (!es_arg_int64(a, i, &id, err))
        return false;
    if (id >= -rows && id < rows) {
        *out = es_value_int(id < 0 ? id + rows : id);
        return true;
    }
    es_fail(err, ES_ERR_VALUE, "padding_idx is one of the rows, and there are %d", (int)rows);
    es_torch_says(err, "Padding_idx must be within num_embeddings");
    return es_arg_blame(a, i, err);
}

/* What would change what is looked up, or what is computed when it is trained. */
static bool is_plain(es_args *a, int max_norm, es_error *err)
{
    if (!es_given(a, max_norm))
        return true;
    es_fail(err, ES_ERR_UNSUPPORTED, "rows are not shortened to a max_norm here");
    return es_arg_blame(a, max_norm, err);
}

static bool run_init(es_args *a, es_value *out, es_error *err)
{
    es_shape shape = {.ndim = 2};
    es_drawing normal = {.by = 1};
    es_value padding;
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    *out = es_none();
    if (!es_module_begin(a, err) || !es_arg_size(a, 1, &shape.dim[0], &shape.label[0], err) ||
        !es_arg_size(a, 2, &shape.dim[1], &shape.label[1], err) ||
        !read_padding(a, 3, shape.dim[0], &padding, err) || !is_plain(a, 4, err) ||
        !es_arg_device(a, 8, a->k->be, &be, err) || !es_arg_dtype(a, 9, ES_FLOAT32, &dtype, err))
        return false;
    normal.zero_row = padding.kind == ES_V_INT ? padding.u.i + 1 : 0;
    return es_torch_drawn(a->k, &t, be, dtype, &shape, &normal, err) &&
           fill(a->in, &a->v[0], &t, &padding, true, err);
}

static bool run_from_pretrained(es_args *a, es_value *out, es_error *err)
{
    es_value padding;
    es_tensor t;
    bool freeze;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    if (x && x->shape.ndim != 2) {
        es_fail(err, ES_ERR_VALUE, "a table has two axes, rows and channels, and this has %d",
                x->shape.ndim);
        es_torch_says(err, "Embeddings parameter is expected to be 2-dimensional");
        return es_arg_blame(a, 0, err);
    }
    if (!x || !es_arg_bool(a, 1, true, &freeze, err) ||
        !read_padding(a, 2, x->shape.dim[0], &padding, err) || !is_plain(a, 3, err))
        return false;
    es_tensor_view(&t, x);
    *out = new_embedding(a->in);
    return fill(a->in, out, &t, &padding, !freeze, err);
}

/* ---- looking up ---- */

static bool fail_ids(es_args *a, es_error *err)
{
    const es_value *v = &a->v[1];
    const char *type = es_value_type_name(v);
    es_fail(err, ES_ERR_TYPE, "%s looks up a tensor of ids, not '%s'",
            es_embedding_called(&a->v[0]), type);
    if (v->kind == ES_V_INT || v->kind == ES_V_LIST)
        es_hint(err, "a tensor of %s: torch.tensor(…)", v->kind == ES_V_INT ? "it" : "the list");
    es_torch_says(err, "embedding(): argument 'indices' (position 2) must be Tensor, not %s", type);
    return es_arg_blame(a, 1, err);
}

static bool run_forward(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    const es_tensor *weight = self ? es_embedding_weight(self) : NULL;
    es_tensor rows;
    if (!self)
        return false;
    if (!weight)
        return es_fail_no_attribute(self, "weight", 6, err);
    if (a->v[1].kind != ES_V_TENSOR)
        return fail_ids(a, err);
    return es_give(out, &rows,
                   es_torch_embedding(a->k, &rows, weight, es_value_as_tensor(&a->v[1]),
                                      es_embedding_called(self), err));
}

const es_builtin es_builtins_embedding[] = {
    {"Embedding", ES_IN_NN | ES_CLASS,
     "self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0, "
     "scale_grad_by_freq=False, sparse=False, device=None, dtype=None",
     "a table whose rows are looked up by ids",
     "weight (num_embeddings, embedding_dim); called with ids (…): (…, embedding_dim)",
     "Rows are normal random numbers; that of padding_idx is zeros.  " ES_OWN_GENERATOR,
     "emb = nn.Embedding(5, 3)\nemb(torch.tensor([[0, 4]]))", run_init},
    {"Embedding.forward", ES_IN_NN, "self, input", "the rows of those ids",
     "ids (…) → (…, embedding_dim)", NULL,
     "emb = nn.Embedding(5, 3)\nemb.forward(torch.tensor([[0, 4]]))", run_forward},
    {"Embedding.from_pretrained", ES_IN_NN,
     "embeddings, freeze=True, padding_idx=None, max_norm=None", "a table with those rows",
     "embeddings (V, C); called with ids (…): (…, C)", NULL,
     "emb = nn.Embedding.from_pretrained(torch.eye(3))\nemb(torch.tensor([2]))",
     run_from_pretrained},
    {.name = NULL},
};
