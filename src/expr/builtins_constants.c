// SPDX-License-Identifier: GPL-3.0-or-later
/* torch's and math's constants, and the small functions about dtypes and settings. */
#include <float.h>
#include <math.h>

#include "expr/interp.h"

/* ---- constants ---- */

static const struct {
    const char *name;
    es_dtype dtype;
} dtypes[] = {
    {"float32", ES_FLOAT32}, {"float", ES_FLOAT32}, {"float64", ES_FLOAT64},
    {"double", ES_FLOAT64},  {"int64", ES_INT64},   {"long", ES_INT64},
    {"int32", ES_INT32},     {"int", ES_INT32},     {"bool", ES_BOOL},
};

static bool run_dtype(es_args *a, es_value *out, es_error *err)
{
    size_t i = 0;
    (void)err;
    while (strcmp(dtypes[i].name, a->of->name) != 0)
        i++;
    return es_answer(out, es_value_dtype(dtypes[i].dtype));
}

static bool run_no_dtype(es_args *a, es_value *out, es_error *err)
{
    (void)out;
    es_fail(err, ES_ERR_UNSUPPORTED, "there is no torch.%s here", a->of->name);
    es_hint(err, "the dtypes are float32, float64, int64, int32 and bool");
    return es_hint(err, "files of float16, bfloat16 and small integers are read: load(\"x.npy\"), "
                        "fromfile(…, dtype=\"float16\")");
}

static bool run_number(es_args *a, es_value *out, es_error *err)
{
    static const struct {
        const char *name;
        double x;
    } numbers[] = {
        {"pi", M_PI}, {"e", M_E}, {"tau", 2 * M_PI}, {"inf", INFINITY}, {"nan", NAN},
    };
    size_t i = 0;
    (void)err;
    while (strcmp(numbers[i].name, a->of->name) != 0)
        i++;
    return es_answer(out, es_value_float(numbers[i].x));
}

/* ---- limits of dtypes ---- */

static bool give_limits(es_value *out, const char *type, const char *fields, const es_value *v,
                        int64_t n)
{
    *out = es_value_tuple(v, n);
    es_value_items(out)->type = type;
    es_value_items(out)->fields = fields;
    return true;
}

static bool run_finfo(es_args *a, es_value *out, es_error *err)
{
    es_dtype dtype;
    if (!es_arg_dtype(a, 0, ES_FLOAT32, &dtype, err))
        return false;
    if (dtype != ES_FLOAT32 && dtype != ES_FLOAT64) {
        es_fail(err, ES_ERR_TYPE,
                "torch.finfo() requires a floating point input type, not torch.%s",
                es_dtype_name(dtype));
        es_hint(err, "torch.iinfo(torch.%s) is for integers", es_dtype_name(dtype));
        return es_arg_blame(a, 0, err);
    }
    bool single = dtype == ES_FLOAT32;
    double most = single ? (double)FLT_MAX : DBL_MAX;
    const es_value v[] = {
        es_value_float(most),
        es_value_float(-most),
        es_value_float(single ? (double)FLT_EPSILON : DBL_EPSILON),
        es_value_float(single ? (double)FLT_MIN : DBL_MIN),
        es_value_int(single ? 32 : 64),
    };
    return give_limits(out, "torch.finfo", "max min eps tiny bits", v, 5);
}

static bool run_iinfo(es_args *a, es_value *out, es_error *err)
{
    es_dtype dtype;
    if (!es_arg_dtype(a, 0, ES_INT64, &dtype, err))
        return false;
    if (dtype != ES_INT64 && dtype != ES_INT32) {
        es_fail(err, ES_ERR_TYPE, "torch.iinfo() requires an integer input type, not torch.%s",
                es_dtype_name(dtype));
        return es_arg_blame(a, 0, err);
    }
    bool small = dtype == ES_INT32;
    const es_value v[] = {
        es_value_int(small ? INT32_MAX : INT64_MAX),
        es_value_int(small ? INT32_MIN : INT64_MIN),
        es_value_int(small ? 32 : 64),
    };
    return give_limits(out, "torch.iinfo", "max min bits", v, 3);
}

/* ---- sizes ---- */

static bool run_size(es_args *a, es_value *out, es_error *err)
{
    const es_value *v = &a->v[0];
    if (!es_value_is_sequence(v))
        return es_arg_wrong(a, 0, "tuple of ints", err);
    es_items *items = es_value_items(v);
    for (int64_t i = 0; i < items->n; i++)
        if (items->of[i].kind != ES_V_INT) {
            es_fail(err, ES_ERR_TYPE, "torch.Size() takes an iterable of 'int' (item %d is '%s')",
                    (int)i, es_value_type_name(&items->of[i]));
            return es_arg_blame(a, 0, err);
        }
    return es_answer(out, es_value_size(items->of, items->n)); /* ints are not counted */
}

/* ---- settings ---- */

static bool run_default_dtype(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)err;
    return es_answer(out, es_value_dtype(ES_FLOAT32));
}

static bool run_set_default_dtype(es_args *a, es_value *out, es_error *err)
{
    es_dtype dtype;
    (void)out;
    if (!es_arg_dtype(a, 0, ES_FLOAT32, &dtype, err))
        return false;
    if (dtype == ES_FLOAT32)
        return true;
    es_fail(err, ES_ERR_UNSUPPORTED, "new tensors of floats are float32 here");
    return es_hint(err, "dtype=torch.%s makes one of another dtype", es_dtype_name(dtype));
}

/* no_grad() and its like: what `with` is given, and leaves alone. */
static bool run_nothing(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)err;
    return es_answer(out, es_none());
}

static bool run_grad_enabled(es_args *a, es_value *out, es_error *err)
{
    (void)a;
    (void)err;
    return es_answer(out, es_value_bool(false));
}

static bool run_manual_seed(es_args *a, es_value *out, es_error *err)
{
    int64_t seed;
    (void)out;
    if (!es_arg_int64(a, 0, &seed, err))
        return false;
    a->k->seed = (uint64_t)seed;
    a->k->drawn = 0;
    return true;
}

static bool run_initial_seed(es_args *a, es_value *out, es_error *err)
{
    (void)err;
    return es_answer(out, es_value_int((int64_t)a->k->seed));
}

const es_builtin es_builtins_constants[] = {
    {"Size", ES_IN_TORCH, "sizes=()", "sizes as those of a tensor", "a torch.Size", NULL,
     "torch.Size([2, 5])", run_size},
    {"bfloat16", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"bool", ES_IN_TORCH, NULL, "the dtype of True and False, 1 byte", "a torch.dtype", NULL,
     "torch.bool", run_dtype},
    {"complex64", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"double", ES_IN_TORCH, NULL, "the dtype float64", "a torch.dtype", NULL, "torch.double",
     run_dtype},
    {"e", ES_IN_MATH, NULL, "2.718…, whose logarithm is 1", "a float", NULL, "math.e", run_number},
    {"enable_grad", ES_IN_TORCH, "", "does nothing: no gradients are computed here", "None", NULL,
     "with torch.enable_grad():\n    pass", run_nothing},
    {"finfo", ES_IN_TORCH, "type=None", "the limits of a dtype of floats",
     "max, min, eps, tiny, bits", NULL, "torch.finfo(torch.float32).eps", run_finfo},
    {"float", ES_IN_TORCH, NULL, "the dtype float32", "a torch.dtype", NULL, "torch.float",
     run_dtype},
    {"float16", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"float32", ES_IN_TORCH, NULL, "floats of 4 bytes, about 7 digits", "a torch.dtype", NULL,
     "torch.float32", run_dtype},
    {"float64", ES_IN_TORCH, NULL, "floats of 8 bytes, about 16 digits", "a torch.dtype", NULL,
     "torch.float64", run_dtype},
    {"get_default_dtype", ES_IN_TORCH, "", "what floats are unless said otherwise", "a torch.dtype",
     NULL, "torch.get_default_dtype()", run_default_dtype},
    {"half", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"iinfo", ES_IN_TORCH, "type=None", "the limits of a dtype of integers", "max, min, bits", NULL,
     "torch.iinfo(torch.int32).max", run_iinfo},
    {"inf", ES_IN_TORCH | ES_IN_MATH, NULL, "more than any number", "a float", NULL, "torch.inf",
     run_number},
    {"inference_mode", ES_IN_TORCH, "mode=True", "does nothing: no gradients are computed here",
     "None", NULL, "with torch.inference_mode():\n    pass", run_nothing},
    {"initial_seed", ES_IN_TORCH, "", "the seed of rand and randn", "an int", NULL,
     "torch.initial_seed()", run_initial_seed},
    {"int", ES_IN_TORCH, NULL, "the dtype int32", "a torch.dtype", NULL, "torch.int", run_dtype},
    {"int16", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"int32", ES_IN_TORCH, NULL, "integers of 4 bytes", "a torch.dtype", NULL, "torch.int32",
     run_dtype},
    {"int64", ES_IN_TORCH, NULL, "integers of 8 bytes, as ids are", "a torch.dtype", NULL,
     "torch.int64", run_dtype},
    {"int8", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"is_grad_enabled", ES_IN_TORCH, "", "are gradients computed? never here", "False", NULL,
     "torch.is_grad_enabled()", run_grad_enabled},
    {"long", ES_IN_TORCH, NULL, "the dtype int64", "a torch.dtype", NULL, "torch.long", run_dtype},
    {"manual_seed", ES_IN_TORCH, "seed", "makes rand and randn begin anew", "None",
     "The numbers are the same in every run, and not those of PyTorch.", "torch.manual_seed(0)",
     run_manual_seed},
    {"nan", ES_IN_TORCH | ES_IN_MATH, NULL, "not a number, and equal to nothing", "a float", NULL,
     "math.nan", run_number},
    {"no_grad", ES_IN_TORCH, "", "does nothing: no gradients are computed here", "None", NULL,
     "with torch.no_grad():\n    pass", run_nothing},
    {"pi", ES_IN_TORCH | ES_IN_MATH, NULL, "3.14159…", "a float", NULL, "math.pi", run_number},
    {"set_default_dtype", ES_IN_TORCH, "d", "only float32 is possible", "None", NULL,
     "torch.set_default_dtype(torch.float32)", run_set_default_dtype},
    {"set_grad_enabled", ES_IN_TORCH, "mode", "does nothing: no gradients are computed here",
     "None", NULL, "torch.set_grad_enabled(False)", run_nothing},
    {"short", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {"tau", ES_IN_MATH, NULL, "6.28318…, once around", "a float", NULL, "math.tau", run_number},
    {"uint8", ES_IN_TORCH, NULL, "not here", "", NULL, NULL, run_no_dtype},
    {.name = NULL},
};
