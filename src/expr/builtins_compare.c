// SPDX-License-Identifier: GPL-3.0-or-later
/* compare(x, y): where two tensors differ, and why. */
#include <math.h>

#include "expr/comparison.h"
#include "expr/draw.h"
#include "expr/inside.h"
#include "torch/cells.h"
#include "torch/host.h"

/* ---- what the host knows ---- */

typedef struct model {
    es_value wte, wpe, ids, pos_emb;
} model;

/* A tensor by that name, or the weight of a module; None where there is none now. */
static es_value known(es_interp *in, const char *name)
{
    es_value v = es_none(), weight = es_none();
    es_error ignored = ES_ERROR_NONE;
    if (in->host->name && in->host->name(in->host->user, name, strlen(name), &v, &ignored) != 1)
        v = es_none();
    if (v.kind != ES_V_NONE && v.kind != ES_V_TENSOR) {
        if (!es_attribute(in, &v, "weight", 6, &weight, &ignored))
            weight = es_none();
        es_value_unref(&v);
        v = weight;
    }
    es_error_free(&ignored);
    return v;
}

static const es_tensor *tensor_of(const es_value *v, int ndim)
{
    const es_tensor *t = v->kind == ES_V_TENSOR ? es_value_as_tensor(v) : NULL;
    return t && !es_torch_meta(t) && (!ndim || t->shape.ndim == ndim) ? t : NULL;
}

/* Tables of x's width, and a text of its size. */
static void ask_model(es_args *a, model *m, es_causes *asked, const es_tensor *x)
{
    int n = x->shape.ndim;
    if (n < 2)
        return;
    *m = (model){known(a->in, "wte"), known(a->in, "wpe"), known(a->in, "ids"),
                 known(a->in, "pos_emb")};
    asked->wte = tensor_of(&m->wte, 2);
    asked->wpe = tensor_of(&m->wpe, 2);
    asked->ids = tensor_of(&m->ids, 2);
    asked->pos_emb = tensor_of(&m->pos_emb, 0);
    if (asked->wte && asked->wte->shape.dim[1] != x->shape.dim[n - 1])
        asked->wte = NULL;
    if (asked->pos_emb &&
        (asked->pos_emb->shape.ndim < 2 ||
         asked->pos_emb->shape.dim[asked->pos_emb->shape.ndim - 1] != x->shape.dim[n - 1]))
        asked->pos_emb = NULL;
}

static void forget_model(model *m)
{
    es_value_unref(&m->wte);
    es_value_unref(&m->wpe);
    es_value_unref(&m->ids);
    es_value_unref(&m->pos_emb);
}

/* ---- comparing ---- */

static bool look_for_cause(es_args *a, const es_comparison *c, es_causes *asked, es_cause *cause,
                           es_error *err)
{
    model m = {es_none(), es_none(), es_none(), es_none()};
    asked->difference = c->difference;
    if (c->difference)
        ask_model(a, &m, asked, c->x);
    bool ok = es_torch_cause(a->k, cause, c->x, c->y, asked, err);
    forget_model(&m);
    return ok;
}

/* x and y in host memory. */
static bool compare_numbers(es_args *a, const es_tensor *x, const es_tensor *y, es_causes *asked,
                            es_value *out, es_error *err)
{
    es_comparison c = {.x = x, .y = y, .asked = asked};
    es_difference d = {0};
    es_cause cause = {0};
    bool ok = true;
    if (es_shape_equal(&c.x->shape, &c.y->shape)) {
        ok = es_torch_differ(a->k, &d, c.x, c.y, asked->rtol, asked->atol, err);
        c.difference = &d;
    }
    if (ok && (!c.difference || d.different))
        ok = look_for_cause(a, &c, asked, &cause, err);
    c.cause = &cause;
    if (ok)
        *out = es_comparison_value(&c);
    es_difference_free(&d);
    es_cause_free(&cause);
    return ok;
}

/* As it was typed where that is short, else what the parameter is called. */
static void name_argument(const es_args *a, int i, es_str *out)
{
    enum { COLUMNS = 24 };
    const es_node *n = a->node[i];
    bool alone = n && (n->kind == ES_N_NAME || n->kind == ES_N_CALL || n->kind == ES_N_ATTRIBUTE ||
                       n->kind == ES_N_INDEX);
    if (n && a->in->frame) {
        es_str_cat(out, alone ? "" : "(");
        es_excerpt(out, a->in->frame->unit, n, COLUMNS);
        es_str_cat(out, alone ? "" : ")");
    }
    if (!out->len || strstr(out->s, "…")) {
        es_str_cut(out, 0);
        es_str_bytes(out, a->param[i].s, (size_t)a->param[i].n);
    }
}

static bool run_named(es_args *a, const es_tensor *x, const es_tensor *y, es_causes *asked,
                      es_value *out, es_error *err)
{
    es_cause none = {0};
    const es_tensor *const t[] = {x, y};
    es_tensor here[2];
    es_comparison c = {.x = x, .y = y, .asked = asked, .cause = &none};
    c.shapes_only = a->k->shapes_only || es_torch_meta(x) || es_torch_meta(y);
    if (c.shapes_only)
        return es_answer(out, es_comparison_value(&c));
    if (!es_host_operands(a->k, here, t, 2, NULL, "compare", err))
        return false;
    bool ok = compare_numbers(a, &here[0], &here[1], asked, out, err);
    es_tensor_free(&here[0]);
    es_tensor_free(&here[1]);
    return ok;
}

/* Whole numbers are the same or they are not: 50256 is not nearly 50257. */
static bool read_tolerance(es_args *a, int i, double otherwise, bool whole, double *out,
                           es_error *err)
{
    *out = whole ? 0 : otherwise;
    if (!es_given(a, i))
        return true;
    if (!es_arg_double(a, i, out, err))
        return false;
    if (*out >= 0 && isfinite(*out))
        return true;
    es_fail(err, ES_ERR_VALUE, "%.*s is %g: a tolerance is a number from 0 on", a->param[i].n,
            a->param[i].s, *out);
    return es_arg_blame(a, i, err);
}

static bool run_compare(es_args *a, es_value *out, es_error *err)
{
    const es_tensor *x = es_arg_tensor(a, 0, err), *y = x ? es_arg_tensor(a, 1, err) : NULL;
    es_causes asked = {0};
    if (!y)
        return false;
    bool whole = !es_dtype_is_float(x->dtype) && !es_dtype_is_float(y->dtype);
    if (!read_tolerance(a, 2, 1e-5, whole, &asked.rtol, err) ||
        !read_tolerance(a, 3, 1e-8, whole, &asked.atol, err))
        return false;
    es_str names[2] = {0};
    name_argument(a, 0, &names[0]);
    name_argument(a, 1, &names[1]);
    bool same = !strcmp(es_str_text(&names[0]), es_str_text(&names[1]));
    asked.x_name = same ? "x" : es_str_text(&names[0]);
    asked.y_name = same ? "y" : es_str_text(&names[1]);
    bool ok = run_named(a, x, y, &asked, out, err);
    es_str_free(&names[0]);
    es_str_free(&names[1]);
    return ok;
}

const es_builtin es_builtins_compare[] = {
    {"compare", ES_IN_PLAIN | ES_OWN, "x, y, *, rtol=1e-05, atol=1e-08",
     "where two tensors differ, and why: transposed, positions missing, rounded, ...",
     "two tensors → a report; .same .cause .max_abs .max_rel .first .different .fix",
     "x is what one has (a port's activations), y what is expected; the other way works as well, "
     "only sentences change their subject.  A cause is named if it explains all numbers within "
     "the tolerance and far better than others do: transposes, view for transpose, Fortran's "
     "order, the byte order, rounding to bf16 or f16, factors like sqrt(C), constants, slices "
     "shifted, reversed or in another order, padding on the other side, layer norm, dropout, and, "
     "with the names wte, wpe, ids and pos_emb, positions that are missing, shifted or of another "
     "table, other ids, swapped tables.  .cause is its name or None.",
     "compare(tok_emb, x)\ncompare(x.transpose(0, 1), x).cause", run_compare},
    {.name = NULL},
};
