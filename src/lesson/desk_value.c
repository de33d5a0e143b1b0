// SPDX-License-Identifier: GPL-3.0-or-later
/* What an expression is, in a session, while the session stays as it is. */
#include <string.h>

#include "expr/interp.h"
#include "lesson/desk.h"
#include "session/tensor_mode.h"
#include "torch/host.h"

/* ---- one expression ---- */

static es_unit *parse(const char *expression, es_error *err)
{
    es_unit *unit = es_parse(expression, strlen(expression), err);
    const es_node *root = unit ? unit->root : NULL;
    if (root && root->n_kids == 1 && root->kid[0]->kind == ES_N_EXPR)
        return unit;
    if (root)
        es_fail(err, ES_ERR_PARSE,
                root->n_kids ? "that is a statement, and a value is wanted" : "a value is wanted");
    es_unit_unref(unit);
    return NULL;
}

typedef bool evaluate_fn(es_interp *in, es_unit *unit, es_value *out, es_error *err);

static bool evaluate(es_session *s, const char *expression, evaluate_fn *how, es_value *out,
                     es_error *err)
{
    es_call call = {
        .session = s, .line = expression, .len = strlen(expression), .sink = &es_sink_silent};
    es_str printed = {0};
    *out = es_none();
    es_unit *unit = parse(expression, err);
    if (!unit)
        return false;
    es_interp *in = es_mode_enter(&call, NULL, NULL);
    bool binds = strstr(expression, ":=") != NULL;
    es_desk desk = binds ? es_desk_take(s) : (es_desk){0};
    bool ok = how(in, unit, out, err);
    es_mode_leave(s, &printed);
    if (binds)
        es_desk_put(s, &desk);
    es_desk_free(&desk);
    es_str_free(&printed);
    es_unit_unref(unit);
    return ok;
}

bool es_desk_value(es_session *s, const char *expression, es_value *out, es_error *err)
{
    return evaluate(s, expression, es_interp_value, out, err);
}

/* ---- shapes ---- */

static bool ints_of(const es_value *v, int64_t *dims, int *rank)
{
    const es_items *items = es_value_items(v);
    if (items->n > ES_MAX_DIMS)
        return false;
    for (int64_t i = 0; i < items->n; i++) {
        if (items->of[i].kind != ES_V_INT)
            return false;
        dims[i] = items->of[i].u.i;
    }
    *rank = (int)items->n;
    return true;
}

static bool shape_of(const es_value *v, int64_t *dims, int *rank, es_error *err)
{
    if (v->kind == ES_V_SIZE && ints_of(v, dims, rank))
        return true;
    if (v->kind == ES_V_INT || v->kind == ES_V_FLOAT || v->kind == ES_V_BOOL) {
        *rank = 0;
        return true;
    }
    if (v->kind != ES_V_TENSOR)
        return es_fail(err, ES_ERR_TYPE, "that is %s, and only a tensor has a shape",
                       es_value_type_name(v));
    const es_shape *shape = &es_value_as_tensor(v)->shape;
    *rank = shape->ndim;
    memcpy(dims, shape->dim, (size_t)shape->ndim * sizeof *dims);
    return true;
}

bool es_desk_shape(es_session *s, const char *expression, int64_t *dims, int *rank, es_error *err)
{
    es_error cannot = ES_ERROR_NONE;
    es_value v;
    bool ok = evaluate(s, expression, es_interp_type, &v, &cannot) ||
              es_desk_value(s, expression, &v, err);
    ok = ok && shape_of(&v, dims, rank, err);
    es_error_free(&cannot);
    es_value_unref(&v);
    return ok;
}

/* ---- truth ---- */

static bool all_true(es_session *s, const es_tensor *t, bool *truth, es_error *err)
{
    es_tensor here = {0};
    if (!es_torch_here(es_interp_torch(es_mode_interp(s)), &here, t, "a check", err))
        return false;
    int64_t n = es_shape_count(&here.shape);
    *truth = true;
    for (int64_t i = 0; i < n && *truth; i++)
        *truth = es_torch_get_int(&here, i) != 0;
    es_tensor_free(&here);
    return true;
}

static bool truth_of(es_session *s, const es_value *v, bool *truth, es_error *err)
{
    if (v->kind == ES_V_BOOL) {
        *truth = v->u.b;
        return true;
    }
    if (v->kind == ES_V_TENSOR && es_value_as_tensor(v)->dtype == ES_BOOL)
        return all_true(s, es_value_as_tensor(v), truth, err);
    return es_fail(err, ES_ERR_TYPE, "that is %s, and a check is True or False",
                   es_value_type_name(v));
}

bool es_desk_true(es_session *s, const char *expression, es_error *err)
{
    es_value v;
    bool truth = false;
    if (!es_desk_value(s, expression, &v, err))
        return false;
    bool ok = truth_of(s, &v, &truth, err);
    es_value_unref(&v);
    return ok && truth;
}
