// SPDX-License-Identifier: GPL-3.0-or-later
/* x.data = …, x.requires_grad = …: what is assigned to of a tensor, and when PyTorch would refuse to write. */
#include <stdlib.h>

#include "base/mem.h"
#include "base/visible.h"
#include "expr/inside.h"
#include "torch/cells.h"
#include "torch/label.h"

/* ---- nothing stays of a trial ---- */

typedef struct es_kept_tensor {
    es_value of;          /* a reference */
    es_tensor_object was; /* its tensor: a reference of its own */
    struct es_kept_tensor *next;
} es_kept_tensor;

static void keep(es_interp *in, const es_value *x)
{
    if (!in->trial)
        return;
    es_kept_tensor *kept = es_alloc(sizeof *kept);
    *kept = (es_kept_tensor){.of = es_value_ref(x), .next = in->trial->tensors};
    kept->was = *(const es_tensor_object *)x->u.o;
    es_tensor_view(&kept->was.t, es_value_as_tensor(x));
    in->trial->tensors = kept;
}

void es_trial_restore(es_trial *t)
{
    while (t->tensors) {
        es_kept_tensor *kept = t->tensors;
        es_tensor_object *o = (es_tensor_object *)kept->of.u.o;
        es_tensor_free(&o->t);
        o->t = kept->was.t;
        o->requires_grad = kept->was.requires_grad;
        t->tensors = kept->next;
        es_value_unref(&kept->of);
        free(kept);
    }
}

/* ---- data ---- */

/* An axis that has no name keeps the one that stood in its place. */
static void keep_names(es_tensor *t, const es_shape *old)
{
    for (int d = 0; t->shape.ndim == old->ndim && d < old->ndim; d++)
        if (!es_label_is_named(&t->shape.label[d]) && t->shape.dim[d] == old->dim[d])
            t->shape.label[d] = old->label[d];
}

static bool put_data(es_interp *in, const es_value *x, const es_value *v, es_error *err)
{
    es_tensor_object *o = (es_tensor_object *)x->u.o;
    if (v->kind != ES_V_TENSOR) {
        const char *type = es_value_type_name(v);
        es_fail(err, ES_ERR_TYPE, "the data of a tensor is a tensor, not '%s'", type);
        return es_torch_says(err, "Variable data has to be a tensor, but got %s", type);
    }
    const es_tensor *from = es_value_as_tensor(v);
    if (o->requires_grad && !es_dtype_is_float(from->dtype)) {
        es_fail(err, ES_ERR_DTYPE, "what is trained has fractions, and these numbers are %s",
                es_dtype_name(from->dtype));
        es_hint(err, "try: .float()");
        return es_torch_says(err, "data set to a tensor that requires gradients must be floating "
                                  "point or complex dtype");
    }
    es_tensor t;
    es_tensor_view(&t, from);
    keep_names(&t, &o->t.shape);
    keep(in, x);
    es_tensor_free(&o->t);
    o->t = t;
    return true;
}

/* ---- gradients, of which there are none ---- */

bool es_tensor_want_grad(es_interp *in, const es_value *x, bool wanted, es_error *err)
{
    es_tensor_object *o = (es_tensor_object *)x->u.o;
    if (wanted && !es_dtype_is_float(o->t.dtype)) {
        es_fail(err, ES_ERR_DTYPE, "whole numbers are not trained, and these are %s",
                es_dtype_name(o->t.dtype));
        return es_torch_says(
            err, "only Tensors of floating point and complex dtype can require gradients");
    }
    keep(in, x);
    o->requires_grad = wanted;
    return true;
}

static bool put_requires_grad(es_interp *in, const es_value *x, const es_value *v, es_error *err)
{
    if (v->kind == ES_V_BOOL)
        return es_tensor_want_grad(in, x, v->u.b, err);
    es_fail(err, ES_ERR_TYPE, "requires_grad is True or False, not '%s'", es_value_type_name(v));
    return es_torch_says(err, "requires_grad must be a bool");
}

static bool put_grad(es_interp *in, const es_value *x, const es_value *v, es_error *err)
{
    (void)in;
    (void)x;
    if (v->kind == ES_V_NONE)
        return true;
    es_fail(err, ES_ERR_UNSUPPORTED, "no gradients are kept here: grad is None");
    return es_hint(err, "this program shows the forward pass, its shapes and its numbers");
}

/* Does torch.no_grad(), or one of its like, stand above a function that runs? */
static bool in_decorated(const es_interp *in)
{
    for (const es_frame *f = in->frame; f; f = f->up) {
        const es_node *def = f->called ? f->called->def : NULL;
        for (int i = 3; def && def->kind == ES_N_DEF && i < def->n_kids; i++)
            if (es_turns_grad_off(def->kid[i]))
                return true;
    }
    return false;
}

void es_tensor_note_leaf(es_interp *in, const es_value *x)
{
    bool leaf = x->kind == ES_V_TENSOR && ((const es_tensor_object *)x->u.o)->requires_grad;
    if (!leaf || in->leaf_noted || in->trial || in->without_grad || in_decorated(in))
        return;
    in->leaf_noted = true;
    es_torch_note(
        &in->torch,
        "written, but PyTorch wants \"with torch.no_grad():\" around this: outside it says "
        "\"a leaf Variable that requires grad is being used in an in-place operation.\"");
}

/* ---- all of them ---- */

static const struct {
    const char *name;
    bool (*put)(es_interp *in, const es_value *x, const es_value *v, es_error *err);
} attributes[] = {
    {"data", put_data},
    {"grad", put_grad},
    {"requires_grad", put_requires_grad},
};

static bool fail_put(const char *name, size_t n, es_error *err)
{
    es_str shown = {0};
    es_show_name(&shown, name, n);
    if (es_builtin_find(name, n, ES_ATTRIBUTE)) {
        es_fail(err, ES_ERR_NAME, "the %s of a tensor follows from it, and is not assigned to",
                shown.s);
        es_torch_says(err, "attribute '%s' of 'torch._C._TensorBase' objects is not writable",
                      shown.s);
    } else {
        es_fail(err, ES_ERR_UNSUPPORTED, "a tensor keeps nothing called %s here", shown.s);
        es_hint(err, "what can be assigned to: x.data, x.requires_grad, x[…]");
    }
    es_str_free(&shown);
    return false;
}

bool es_tensor_attribute_put(es_interp *in, const es_value *x, const char *name, size_t n,
                             es_value v, es_error *err)
{
    bool ok = false, found = false;
    for (size_t i = 0; !found && i < sizeof attributes / sizeof *attributes; i++) {
        found = !strncmp(attributes[i].name, name, n) && !attributes[i].name[n];
        ok = found && attributes[i].put(in, x, &v, err);
    }
    es_value_unref(&v);
    return found ? ok : fail_put(name, n, err);
}
