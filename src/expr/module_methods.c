// SPDX-License-Identifier: GPL-3.0-or-later
/* nn.Module, nn.Parameter, and methods that every module has: registering, and what is done to all of it. */
#include "expr/bind_shapes.h"
#include "expr/classes.h"
#include "expr/inside.h"
#include "expr/module_shown.h"
#include "expr/modules.h"
#include "torch/cast.h"
#include "torch/cells.h"
#include "torch/make.h"

/* ---- nn.Module(), nn.Parameter(x) ---- */

static bool run_Module(es_args *a, es_value *out, es_error *err)
{
    *out = es_none();
    return es_module_begin(a, err);
}

static bool run_Parameter(es_args *a, es_value *out, es_error *err)
{
    const es_shape nothing = {.ndim = 1};
    bool trained;
    es_tensor t, zero;
    const es_tensor *x = es_given(a, 0) ? es_arg_tensor(a, 0, err) : NULL;
    if ((es_given(a, 0) && !x) || !es_arg_bool(a, 1, true, &trained, err))
        return false;
    if (x && trained && x->dtype != ES_FLOAT32 && x->dtype != ES_FLOAT64) {
        es_fail(err, ES_ERR_DTYPE, "whole numbers are not trained, and these are %s",
                es_dtype_name(x->dtype));
        es_hint(err, "nn.Parameter(x, requires_grad=False) keeps them as they are");
        es_torch_says(err,
                      "Only Tensors of floating point and complex dtype can require gradients");
        return es_arg_blame(a, 0, err);
    }
    if (x) {
        es_tensor_view(&t, x);
    } else {
        if (!es_torch_int(a->k, &zero, 0, err))
            return false;
        bool ok = es_torch_full(a->k, &t, a->k->be, ES_FLOAT32, &nothing, &zero, err);
        es_tensor_free(&zero);
        if (!ok)
            return false;
    }
    *out = es_value_parameter(&t);
    ((es_tensor_object *)out->u.o)->requires_grad = trained;
    return true;
}

/* ---- registering ---- */

static bool fail_registered(const es_str_object *name, const char *what, es_error *err)
{
    es_str shown = {0};
    es_str_bytes(&shown, name->bytes, name->n);
    if (!name->n)
        es_fail(err, ES_ERR_NAME, "%s name can't be empty string \"\"", what);
    else if (memchr(name->bytes, '.', name->n))
        es_fail(err, ES_ERR_NAME, "%s name can't contain \".\"", what);
    else
        es_fail(err, ES_ERR_NAME, "attribute '%s' already exists", shown.s);
    es_str_free(&shown);
    return false;
}

/* The name under which the value v[2] is registered, and that value is None or what it has to be. */
static bool registers(es_args *a, const char *what, es_part_of as, bool fits, es_error *err)
{
    const es_str_object *name;
    if (!es_arg_named_module(a, &name, err))
        return false;
    const es_value *self = &a->v[0];
    if (!es_module_begun(self))
        return es_fail_before_init(what, err);
    bool taken =
        es_own_get(self, name->bytes, name->n) && es_module_part(self, name->bytes, name->n) != as;
    if (!name->n || memchr(name->bytes, '.', name->n) || taken) {
        fail_registered(name, what, err);
        return es_arg_blame(a, 1, err);
    }
    if (fits || a->v[2].kind == ES_V_NONE)
        return true;
    const char *type = es_torch_type_name(&a->v[2]);
    es_fail(err, ES_ERR_TYPE, "cannot assign '%s' object to %s '%s'", type, what, name->bytes);
    es_torch_says(err, "cannot assign '%s' object to %s '%s' (%s or None required)", type, what,
                  name->bytes, as == ES_PARAMETER ? "torch.nn.Parameter" : "torch Tensor");
    return es_arg_blame(a, 2, err);
}

static bool put_registered(es_args *a, es_value *out, es_part_of as, es_error *err)
{
    const es_str_object *name = es_value_as_str(&a->v[1]);
    *out = es_none();
    return es_module_register(a->in, &a->v[0], name->bytes, name->n, es_value_ref(&a->v[2]), as,
                              err);
}

static bool run_register_buffer(es_args *a, es_value *out, es_error *err)
{
    bool persistent, tensor = a->v[2].kind == ES_V_TENSOR;
    return es_arg_bool(a, 3, true, &persistent, err) &&
           registers(a, "buffer", persistent ? ES_BUFFER : ES_BUFFER_UNSAVED, tensor, err) &&
           put_registered(a, out, persistent ? ES_BUFFER : ES_BUFFER_UNSAVED, err);
}

static bool run_register_parameter(es_args *a, es_value *out, es_error *err)
{
    bool fits = a->v[2].kind == ES_V_TENSOR && ((es_tensor_object *)a->v[2].u.o)->parameter;
    return registers(a, "parameter", ES_PARAMETER, fits, err) &&
           put_registered(a, out, ES_PARAMETER, err);
}

bool es_fail_no_module(const es_value *v, es_error *err)
{
    const char *type = es_torch_type_name(v);
    es_fail(err, ES_ERR_TYPE, "%s is not a Module subclass", type);
    if (v->kind == ES_V_LIST || v->kind == ES_V_TUPLE)
        es_hint(err, "modules are given one by one; those of a list with a star: *layers");
    if (v->kind == ES_V_CLASS || v->kind == ES_V_TYPE)
        es_hint(err, "%s is a class: %s(…) makes a module", es_class_name(v), es_class_name(v));
    return es_torch_says(err, "%s is not a Module subclass", type);
}

static bool run_add_module(es_args *a, es_value *out, es_error *err)
{
    if (!registers(a, "module", ES_SUBMODULE, true, err))
        return false;
    if (a->v[2].kind != ES_V_NONE && !es_module_kind(&a->v[2])) {
        es_fail_no_module(&a->v[2], err);
        return es_arg_blame(a, 2, err);
    }
    return put_registered(a, out, ES_SUBMODULE, err);
}

/* ---- what is done to all of it ---- */

static bool set_training(void *user, const char *name, const es_value *module, es_error *err)
{
    (void)name;
    return es_own_put(module, "training", 8, es_value_bool(*(bool *)user), err);
}

static bool train(es_args *a, es_value *out, bool mode, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && es_module_walk(a->in, self, "", true, set_training, &mode, err) &&
           es_answer(out, es_value_ref(self));
}

static bool run_train(es_args *a, es_value *out, es_error *err)
{
    bool mode;
    return es_arg_bool(a, 1, true, &mode, err) && train(a, out, mode, err);
}

static bool run_eval(es_args *a, es_value *out, es_error *err)
{
    return train(a, out, false, err);
}

/* fn(module) for all of them, those within first. */
static bool apply(es_args *a, const es_value *m, es_error *err)
{
    es_member part;
    es_value ignored = es_none(), held = es_value_ref(m);
    bool ok = es_module_enter(a->in, err);
    if (!ok) {
        es_value_unref(&held);
        return false;
    }
    for (int64_t i = 0; ok && es_module_member(&held, i, &part); i++)
        if (part.as == ES_SUBMODULE && part.x->kind == ES_V_INSTANCE)
            ok = apply(a, part.x, err);
    ok = ok && es_call_value(a->in, &a->v[1], &held, 1, &ignored, err);
    es_value_unref(&ignored);
    es_module_leave(a->in);
    es_value_unref(&held);
    return ok;
}

static bool run_apply(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && apply(a, self, err) && es_answer(out, es_value_ref(self));
}

typedef struct wanting {
    es_interp *in;
    bool wanted;
} wanting;

static bool want_grad(void *user, const char *name, const es_value *module, es_error *err)
{
    const wanting *w = user;
    es_member m;
    (void)name;
    for (int64_t i = 0; es_module_member(module, i, &m); i++)
        if (m.x->kind == ES_V_TENSOR && m.as == ES_PARAMETER &&
            !es_tensor_want_grad(w->in, m.x, w->wanted, err))
            return false;
    return true;
}

static bool run_requires_grad_(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    wanting w = {.in = a->in};
    return self && es_arg_bool(a, 1, true, &w.wanted, err) &&
           es_module_walk(a->in, self, "", true, want_grad, &w, err) &&
           es_answer(out, es_value_ref(self));
}

static bool run_call(es_args *a, es_value *out, es_error *err)
{
    int64_t skip = !a->method; /* nn.Module.__call__(m, x) */
    const es_value *given = a->n_given ? a->given + skip : NULL;
    return es_arg_module(a, 0, err) &&
           es_module_call(a->in, &a->v[0], given, a->n_given - skip,
                          a->names ? a->names + skip : NULL, NULL, out, err);
}

static bool run_get_name(es_args *a, es_value *out, es_error *err)
{
    const char *name = es_value_type_name(&a->v[0]);
    return es_arg_module(a, 0, err) && es_answer(out, es_value_str(name, strlen(name)));
}

static bool run_zero_grad(es_args *a, es_value *out, es_error *err)
{
    return es_arg_module(a, 0, err) && es_answer(out, es_none());
}

/* ---- .to(…), .double(), .cpu(): the method of the same name, of each tensor in it ---- */

/* What a tensor becomes: whole numbers keep their dtype, and only move. */
static bool convert(es_args *a, const es_value *x, es_value *out, es_error *err)
{
    const char *name = strrchr(a->of->name, '.') + 1;
    const es_tensor *was = es_value_as_tensor(x);
    const es_builtin *method = es_builtin_find(name, strlen(name), ES_METHOD);
    int64_t skip = !a->method; /* Module.to(m, …) */
    const es_value *given = a->n_given ? a->given + skip : NULL;
    if (!es_builtin_call(a->in, method, x, given, a->n_given - skip,
                         a->names ? a->names + skip : NULL, NULL, out, err))
        return false;
    const es_tensor *is = es_value_as_tensor(out);
    if (es_dtype_is_float(was->dtype) || is->dtype == was->dtype)
        return true;
    es_tensor t;
    es_backend *be = is->buf->be;
    es_value_unref(out);
    return es_give(out, &t, es_torch_to(a->k, &t, was, was->dtype, be, err));
}

/* Parameters stay the objects they are, and have other data; buffers are replaced. */
static bool convert_part(es_args *a, const es_value *module, const es_member *m, es_error *err)
{
    es_value x = es_value_ref(m->x), new = es_none();
    es_str name = {0};
    es_str_cat(&name, m->name);
    bool ok = convert(a, &x, &new, err);
    if (ok && new.u.o == x.u.o)
        es_value_unref(&new);
    else if (ok && m->as == ES_PARAMETER)
        ok = es_tensor_attribute_put(a->in, &x, "data", 4, new, err);
    else if (ok)
        ok = es_own_put(module, name.s, name.len, new, err);
    es_str_free(&name);
    es_value_unref(&x);
    return ok;
}

static bool convert_module(void *user, const char *name, const es_value *module, es_error *err)
{
    es_member m;
    (void)name;
    for (int64_t i = 0; es_module_member(module, i, &m); i++) {
        bool held = m.x->kind == ES_V_TENSOR && m.as != ES_PLAIN;
        if (held && !convert_part(user, module, &m, err))
            return false;
    }
    return true;
}

/* .to(torch.int64): there is nothing that it would be for. */
static bool wants_fractions(es_args *a, es_error *err)
{
    for (int64_t i = 0; i < a->n_given; i++) {
        const es_value *v = &a->given[i];
        if (v->kind != ES_V_DTYPE || es_dtype_is_float(v->u.dtype))
            continue;
        es_fail(err, ES_ERR_TYPE, "a module's parameters have fractions, and %s has none",
                es_dtype_name(v->u.dtype));
        return es_torch_says(err,
                             "nn.Module.to only accepts floating point or complex dtypes, but got "
                             "desired dtype=torch.%s",
                             es_dtype_name(v->u.dtype));
    }
    return true;
}

static bool run_convert(es_args *a, es_value *out, es_error *err)
{
    const es_value *self = es_arg_module(a, 0, err);
    return self && wants_fractions(a, err) &&
           es_module_walk(a->in, self, "", true, convert_module, a, err) &&
           es_answer(out, es_value_ref(self));
}

/* ---- the table ---- */

#define NET ES_MODULE_EXAMPLE

const es_builtin es_builtins_modules[] = {
    {"Module", ES_IN_NN | ES_CLASS, "self",
     "what classes of modules are derived from: class X(nn.Module)", "",
     "Its __init__ comes first in that of the class: super().__init__().  Parameters and modules "
     "that are assigned to self are found by parameters(), print(m) and the like; m(x) runs "
     "forward.",
     NET "m(torch.tensor([[1, 2, 3]])).shape", run_Module},
    {"Parameter", ES_IN_NN, "data=None, requires_grad=True",
     "a tensor that a module finds among its parameters", "the same shape",
     "The memory is the tensor's own.", "nn.Parameter(torch.zeros(2, 3))", run_Parameter},
    {"Module.__call__", ES_IN_NN, "self, *args, **names", "runs its forward, as m(…) does",
     "what forward gives", NULL, NET "m.__call__(torch.tensor([1, 2])).shape", run_call},
    {"Module._get_name", ES_IN_NN, "self", "what it is called when it is printed", "a string", NULL,
     "nn.Linear(3, 5)._get_name()", run_get_name},
    {"Module.register_buffer", ES_IN_NN, "self, name, tensor, persistent=True",
     "a tensor that belongs to the module and is not trained", "",
     "It moves with .to(…), and is in state_dict unless persistent=False.",
     NET "m.register_buffer(\"mask\", torch.tril(torch.ones(4, 4)))\nm.mask", run_register_buffer},
    {"Module.register_parameter", ES_IN_NN, "self, name, param",
     "a parameter by its name, as self.name = nn.Parameter(…)", "", NULL,
     NET "m.register_parameter(\"scale\", nn.Parameter(torch.ones(4)))\nm.scale",
     run_register_parameter},
    {"Module.register_module", ES_IN_NN, "self, name, module",
     "a module by its name, as self.name = module", "", NULL,
     NET "m.register_module(\"out\", nn.Linear(2, 2))\nm.out", run_add_module},
    {"Module.add_module", ES_IN_NN, "self, name, module",
     "a module by its name, as self.name = module", "", NULL,
     NET "m.add_module(\"out\", nn.Linear(2, 2))\nm.out", run_add_module},
    {"Module.train", ES_IN_NN, "self, mode=True", "from here on it trains: dropout drops",
     "the module itself", NULL, NET "m.train().training", run_train},
    {"Module.eval", ES_IN_NN, "self", "from here on it does not train: dropout drops nothing",
     "the module itself", NULL, NET "m.eval().training", run_eval},
    {"Module.apply", ES_IN_NN, "self, fn", "calls fn with each module in it, itself last",
     "the module itself", NULL,
     NET "def fill(module):\n    if isinstance(module, nn.Linear):\n"
         "        module.bias.data.zero_()\nm.apply(fill)",
     run_apply},
    {"Module.requires_grad_", ES_IN_NN, "self, requires_grad=True",
     "says of all its parameters whether they are to be trained", "the module itself",
     "No gradients are computed here.", NET "m.requires_grad_(False)", run_requires_grad_},
    {"Module.zero_grad", ES_IN_NN, "self, set_to_none=True",
     "nothing: no gradients are computed here", "None", NULL, NET "m.zero_grad()", run_zero_grad},
    {"Module.to", ES_IN_NN, "self, *args, **kwargs",
     "its parameters and buffers on another device, or of another dtype", "the module itself",
     "Whole numbers keep their dtype.", NET "m.to(torch.float64).fc.weight.dtype", run_convert},
    {"Module.float", ES_IN_NN, "self", "its parameters and buffers as float32", "the module itself",
     NULL, NET "m.float()", run_convert},
    {"Module.double", ES_IN_NN, "self", "its parameters and buffers as float64",
     "the module itself", NULL, NET "m.double()", run_convert},
    {"Module.half", ES_IN_NN, "self", "float16, which is not here", "", NULL, NULL, run_convert},
    {"Module.bfloat16", ES_IN_NN, "self", "bfloat16, which is not here", "", NULL, NULL,
     run_convert},
    {"Module.cpu", ES_IN_NN, "self", "its parameters and buffers in the memory of the cpu",
     "the module itself", NULL, NET "m.cpu()", run_convert},
    {"Module.cuda", ES_IN_NN, "self, device=None", "on a GPU, where there is one; no GPU, no cuda",
     "", NULL, NULL, run_convert},
    {"Module.state_dict", ES_IN_NN, "self, destination=None, prefix='', keep_vars=False",
     "all its parameters and buffers by name: what is saved", "a dict",
     "The tensors share the memory of the module's.", NET "m.state_dict().keys()",
     es_state_dict_run},
    {"Module.load_state_dict", ES_IN_NN, "self, state_dict, strict=True, assign=False",
     "the numbers of a state_dict, or of load(\"m.safetensors\"), into its parameters and buffers",
     "the names that were missing, and those that were not known",
     "Where names or sizes do not fit, all of them are listed and nothing is changed; with "
     "strict=False, names may differ.",
     NET "m.load_state_dict(m.state_dict())", es_load_state_dict_run},
    {"Module.extra_repr", ES_IN_NN, "self", "what it says of itself when it is printed", "a string",
     "A method of that name in a class of your own takes its place.",
     "nn.Linear(3, 5).extra_repr()", es_module_extra_run},
    {"Module.__repr__", ES_IN_NN, "self", "the module as it is printed", "a string", NULL,
     "nn.Linear(3, 5).__repr__()", es_module_repr_run},
    {.name = NULL},
};
