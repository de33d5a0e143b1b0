// SPDX-License-Identifier: GPL-3.0-or-later
/* Tensors by the names of their kinds, torch.LongTensor([1, 2]), as older code makes them; and what is picked
 * by chance. */
#include "expr/bind_shapes.h"
#include "expr/nested.h"
#include "torch/make.h"

/* ---- by kind ---- */

static es_dtype dtype_of(const char *name)
{
    static const struct {
        const char *name;
        es_dtype dtype;
    } kinds[] = {
        {"DoubleTensor", ES_FLOAT64},
        {"LongTensor", ES_INT64},
        {"IntTensor", ES_INT32},
        {"BoolTensor", ES_BOOL},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].dtype;
    return ES_FLOAT32;
}

/* Of a list its numbers, of sizes a tensor whose numbers are to be set. */
static bool run_kind(es_args *a, es_value *out, es_error *err)
{
    es_dtype dtype = dtype_of(a->of->name);
    es_shape shape;
    es_tensor t, zero;
    bool numbers =
        a->n_given == 1 && (es_value_is_sequence(&a->given[0]) || a->given[0].kind == ES_V_TENSOR);
    if (numbers && a->given[0].kind != ES_V_SIZE)
        return es_give(out, &t, es_tensor_of_value(a->k, &t, &a->given[0], &dtype, a->k->be, err));
    if (!es_arg_shape(a, -1, &shape, err) || !es_torch_int(a->k, &zero, 0, err))
        return false;
    if (a->n_given == 0)
        shape = es_shape_1d("", 0);
    bool ok = es_give(out, &t, es_torch_full(a->k, &t, a->k->be, dtype, &shape, &zero, err));
    es_tensor_free(&zero);
    return ok;
}

static bool run_new_tensor(es_args *a, es_value *out, es_error *err)
{
    es_dtype dtype;
    es_backend *be;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_dtype(a, 2, x->dtype, &dtype, err) &&
           es_arg_device(a, 3, x->buf->be, &be, err) &&
           (es_give(out, &t, es_tensor_of_value(a->k, &t, &a->v[1], &dtype, be, err)) ||
            es_arg_blame(a, 1, err));
}

/* ---- by chance ---- */

static bool run_multinomial(es_args *a, es_value *out, es_error *err)
{
    int64_t n;
    bool again;
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_arg_int64(a, 1, &n, err) && es_arg_bool(a, 2, false, &again, err) &&
           es_give(out, &t, es_torch_multinomial(a->k, &t, x, n, again, err));
}

static bool run_bernoulli(es_args *a, es_value *out, es_error *err)
{
    es_tensor t;
    const es_tensor *x = es_arg_tensor(a, 0, err);
    return x && es_give(out, &t, es_torch_bernoulli(a->k, &t, x, err));
}

enum { BOTH = ES_IN_TORCH | ES_METHOD };

#define KIND(name, dtype)                                                                          \
    {                                                                                              \
        name, ES_IN_TORCH, "*size", "a tensor of " dtype, "that of the list, or the sizes given",  \
            "As older code makes tensors; torch.tensor says what it holds.",                       \
            "torch." name "([1, 0, 2])", run_kind                                                  \
    }
#define OURS                                                                                       \
    "The generator is this program's own (Philox4x32-10): the same seed gives the same "           \
    "numbers on every machine, but not PyTorch's."

const es_builtin es_builtins_kinds[] = {
    KIND("Tensor", "float32"),
    KIND("FloatTensor", "float32"),
    KIND("DoubleTensor", "float64"),
    KIND("LongTensor", "int64"),
    KIND("IntTensor", "int32"),
    KIND("BoolTensor", "bool"),
    {"new_tensor", ES_METHOD, "input, data, *, dtype=None, device=None, requires_grad=False",
     "a tensor of numbers, of another's dtype and on its device", "that of the list", NULL,
     "torch.zeros(2).new_tensor([1, 2])", run_new_tensor},
    {"multinomial", BOTH, "input, num_samples, replacement=False, *, generator=None",
     "places picked by chance, each as likely as its number says", "(…, V) → (…, num_samples)",
     OURS, "torch.multinomial(torch.tensor([0.1, 0.9]), 1)", run_multinomial},
    {"bernoulli", BOTH, "input, *, generator=None",
     "1 with the chance that each number says, else 0", "the same", OURS,
     "torch.bernoulli(torch.tensor([0.1, 0.9]))", run_bernoulli},
    {.name = NULL},
};
