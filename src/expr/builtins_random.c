// SPDX-License-Identifier: GPL-3.0-or-later
/* Random numbers, the same for the same seed on every machine. */
#include "expr/bind_shapes.h"
#include "torch/make.h"

static bool run_manual_seed(es_args *a, es_value *out, es_error *err)
{
    int64_t seed;
    if (!es_arg_int64(a, 0, &seed, err))
        return false;
    a->k->seed = (uint64_t)seed;
    a->k->drawn = 0;
    *out = es_none();
    return true;
}

typedef bool random_fn(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                       const es_shape *shape, es_error *err);

static bool random_tensor(es_args *a, es_value *out, random_fn *fn, const es_shape *shape,
                          const es_tensor *like, es_error *err)
{
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    return es_arg_dtype(a, 1, like ? like->dtype : ES_FLOAT32, &dtype, err) &&
           es_arg_device(a, 2, like ? like->buf->be : a->k->be, &be, err) &&
           es_give(out, &t, fn(a->k, &t, be, dtype, shape, err));
}

static bool run_rand(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    return es_arg_shape(a, -1, &shape, err) &&
           random_tensor(a, out, es_torch_rand, &shape, NULL, err);
}

static bool run_randn(es_args *a, es_value *out, es_error *err)
{
    es_shape shape;
    return es_arg_shape(a, -1, &shape, err) &&
           random_tensor(a, out, es_torch_randn, &shape, NULL, err);
}

static bool run_rand_like(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && random_tensor(a, out, es_torch_rand, &x->shape, x, err);
}

static bool run_randn_like(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && random_tensor(a, out, es_torch_randn, &x->shape, x, err);
}

/* randint(high, size) or randint(low, high, size). */
static bool run_randint(es_args *a, es_value *out, es_error *err)
{
    int64_t low = 0, high;
    es_shape shape;
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    bool short_form = a->v[2].kind == ES_V_KINDS;
    int size_at = 2, high_at = 1;
    if (short_form && a->v[1].kind != ES_V_KINDS && es_value_is_sequence(&a->v[1])) {
        size_at = 1;
        high_at = 0;
    } else if (a->v[1].kind == ES_V_KINDS) {
        high_at = 0; /* randint(10, size=(2,)) */
    }
    return (high_at == 0 || es_arg_int64(a, 0, &low, err)) &&
           es_arg_int64(a, high_at, &high, err) && es_arg_shape(a, size_at, &shape, err) &&
           es_arg_dtype(a, 3, ES_INT64, &dtype, err) && es_arg_device(a, 4, a->k->be, &be, err) &&
           es_give(out, &t, es_torch_randint(a->k, &t, be, dtype, &shape, low, high, err));
}

static bool run_randperm(es_args *a, es_value *out, es_error *err)
{
    int64_t n;
    es_label label;
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    return es_arg_size(a, 0, &n, &label, err) && es_arg_dtype(a, 1, ES_INT64, &dtype, err) &&
           es_arg_device(a, 2, a->k->be, &be, err) &&
           es_give(out, &t, es_torch_randperm(a->k, &t, be, dtype, n, &label, err));
}

#define X     "x = torch.zeros(2, 3)\n"
#define WHERE "dtype=None, device=None, requires_grad=False"
#define LIKE  "input, *, dtype=None, device=None, requires_grad=False"
#define OURS                                                                                       \
    "The generator is this program's own (Philox4x32-10): the same seed gives the same "           \
    "numbers on every machine, but not PyTorch's."

const es_builtin es_builtins_random[] = {
    {"manual_seed", ES_IN_TORCH, "seed", "begins the random numbers of a seed", "None", OURS,
     "torch.manual_seed(0)\ntorch.rand(2)", run_manual_seed},
    {"rand", ES_IN_TORCH, "*size, " WHERE, "random numbers from 0 to below 1", "the sizes given",
     OURS, "torch.rand(2, 3)", run_rand},
    {"randn", ES_IN_TORCH, "*size, " WHERE, "random numbers around 0, normal, deviation 1",
     "the sizes given", OURS, "torch.randn(2, 3)", run_randn},
    {"rand_like", ES_IN_TORCH, LIKE, "random numbers from 0 to below 1, like another tensor",
     "the input's sizes", OURS, X "torch.rand_like(x)", run_rand_like},
    {"randn_like", ES_IN_TORCH, LIKE, "normal random numbers, like another tensor",
     "the input's sizes", OURS, X "torch.randn_like(x)", run_randn_like},
    {"randint", ES_IN_TORCH, "low, high=None, size=None, *, " WHERE,
     "random whole numbers from low to below high", "size, a tuple",
     "randint(high, size) begins at 0.  " OURS, "torch.randint(0, 10, (2, 3))", run_randint},
    {"randperm", ES_IN_TORCH, "n, *, " WHERE, "0 … n-1 in random order", "(n)", OURS,
     "torch.randperm(5)", run_randperm},
    {.name = NULL},
};
