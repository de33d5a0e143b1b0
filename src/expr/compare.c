// SPDX-License-Identifier: GPL-3.0-or-later
/* <, ==, in, is. */
#include <math.h>
#include <stdlib.h>

#include "expr/protocols.h"

static bool is_number(const es_value *v)
{
    return v->kind == ES_V_BOOL || v->kind == ES_V_INT || v->kind == ES_V_FLOAT;
}

static bool is_tuple(const es_value *v)
{
    return v->kind == ES_V_TUPLE || v->kind == ES_V_SIZE;
}

static bool same_kind(const es_value *a, const es_value *b)
{
    return a->kind == b->kind || (is_tuple(a) && is_tuple(b));
}

/* ---- order ---- */

enum { UNORDERED = 2 };

static int order_int(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* An int against a float, exactly: neither is rounded to the other's kind. */
static int order_mixed(int64_t i, double f)
{
    if (isnan(f))
        return UNORDERED;
    if (!es_fits_int64(f))
        return f > 0 ? -1 : 1;
    double whole = trunc(f);
    int order = order_int(i, (int64_t)whole);
    return order ? order : (whole > f) - (whole < f);
}

static int64_t int_of(const es_value *v)
{
    return v->kind == ES_V_BOOL ? v->u.b : v->u.i;
}

static int order_numbers(const es_value *a, const es_value *b)
{
    if (a->kind != ES_V_FLOAT && b->kind != ES_V_FLOAT)
        return order_int(int_of(a), int_of(b));
    if (a->kind != ES_V_FLOAT)
        return order_mixed(int_of(a), b->u.f);
    if (b->kind != ES_V_FLOAT) {
        int order = order_mixed(int_of(b), a->u.f);
        return order == UNORDERED ? order : -order;
    }
    if (isnan(a->u.f) || isnan(b->u.f))
        return UNORDERED;
    return (a->u.f > b->u.f) - (a->u.f < b->u.f);
}

static int order_strings(const es_value *a, const es_value *b)
{
    const es_str_object *x = es_value_as_str(a), *y = es_value_as_str(b);
    int order = memcmp(x->bytes, y->bytes, x->n < y->n ? x->n : y->n);
    return order ? (order > 0) - (order < 0) : (x->n > y->n) - (x->n < y->n);
}

static bool holds(es_op op, int order)
{
    switch (op) {
    case ES_OP_LT: return order == -1;
    case ES_OP_LE: return order == -1 || order == 0;
    case ES_OP_GT: return order == 1;
    case ES_OP_GE: return order == 1 || order == 0;
    case ES_OP_EQ: return order == 0;
    default: return order != 0;
    }
}

/* ---- equality ---- */

static bool is_same(const es_value *a, const es_value *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case ES_V_NONE:
    case ES_V_ELLIPSIS: return true;
    case ES_V_BOOL: return a->u.b == b->u.b;
    case ES_V_INT:
    case ES_V_FLOAT: return a->u.i == b->u.i; /* the same bits: NaN is itself */
    case ES_V_DTYPE: return a->u.dtype == b->u.dtype;
    case ES_V_DEVICE:
    case ES_V_NAMESPACE:
    case ES_V_TYPE: return !strcmp(a->u.name, b->u.name);
    case ES_V_STR: return order_strings(a, b) == 0;
    case ES_V_BUILTIN: {
        const es_bound *x = (const es_bound *)a->u.o, *y = (const es_bound *)b->u.o;
        return x->builtin == y->builtin && x->in_place == y->in_place &&
               is_same(&x->self, &y->self);
    }
    default: return a->u.o == b->u.o;
    }
}

static bool deeper(es_interp *in, es_error *err)
{
    if (in->nested < ES_MOST_NESTED && es_tick(in, err)) {
        in->nested++;
        return true;
    }
    if (in->nested >= ES_MOST_NESTED)
        es_fail(err, ES_ERR_RANGE, "what is compared is nested too deep");
    return false;
}

static bool equal_items(es_interp *in, const es_value *a, const es_value *b, bool *out,
                        es_error *err)
{
    const es_items *x = es_value_items(a), *y = es_value_items(b);
    *out = x->n == y->n;
    if (!*out || x == y)
        return true;
    if (!deeper(in, err))
        return false;
    bool ok = true;
    for (int64_t i = 0; ok && *out && i < x->n && i < y->n; i++)
        ok = is_same(&x->of[i], &y->of[i]) || es_equal(in, &x->of[i], &y->of[i], out, err);
    in->nested--;
    return ok;
}

static bool equal_dicts(es_interp *in, const es_value *a, const es_value *b, bool *out,
                        es_error *err)
{
    const es_items *x = es_value_items(a);
    *out = x->n == es_value_items(b)->n;
    if (!*out || !deeper(in, err))
        return *out ? false : true;
    bool ok = true;
    for (int64_t i = 0; ok && *out && i + 1 < x->n; i += 2) {
        const es_value *other = es_dict_find(in, b, &x->of[i], err);
        *out = other != NULL;
        ok = !other || es_equal(in, &x->of[i + 1], other, out, err);
    }
    in->nested--;
    return ok;
}

static bool equal_ranges(const es_value *a, const es_value *b)
{
    const es_range *x = (const es_range *)a->u.o, *y = (const es_range *)b->u.o;
    int64_t n = es_range_count(x);
    return n == es_range_count(y) &&
           (n == 0 || (x->start.u.i == y->start.u.i && (n == 1 || x->step.u.i == y->step.u.i)));
}

static bool tensor_comparison(const es_value *a, const es_value *b)
{
    bool x = a->kind == ES_V_TENSOR, y = b->kind == ES_V_TENSOR;
    return (x && (y || is_number(b))) || (y && is_number(a));
}

static bool equal(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err)
{
    *out = false;
    int asked = es_object_equal(in, a, b, out, err);
    if (asked)
        return asked > 0;
    if (is_number(a) && is_number(b))
        *out = order_numbers(a, b) == 0;
    else if (tensor_comparison(a, b)) {
        es_value truth = es_none();
        bool ok =
            es_tensor_binary(in, ES_OP_EQ, a, b, &truth, err) && es_truth(in, &truth, out, err);
        es_value_unref(&truth);
        return ok;
    } else if (!same_kind(a, b))
        return true;
    else if (es_value_is_sequence(a))
        return equal_items(in, a, b, out, err);
    else if (a->kind == ES_V_DICT)
        return equal_dicts(in, a, b, out, err);
    else if (a->kind == ES_V_RANGE)
        *out = equal_ranges(a, b);
    else
        *out = is_same(a, b);
    return true;
}

/* A reader's own __eq__ may change what holds the two: they are held here. */
bool es_equal(es_interp *in, const es_value *a, const es_value *b, bool *out, es_error *err)
{
    es_value x = es_value_ref(a), y = es_value_ref(b);
    bool ok = equal(in, &x, &y, out, err);
    es_value_unref(&x);
    es_value_unref(&y);
    return ok;
}

/* ---- < and its like of sequences: the first items that differ decide ---- */

static bool order_items(es_interp *in, es_op op, const es_value *a, const es_value *b,
                        es_value *out, es_error *err)
{
    const es_items *x = es_value_items(a), *y = es_value_items(b);
    if (!deeper(in, err))
        return false;
    bool ok = true, same = true;
    int64_t i = 0;
    for (; ok && i < x->n && i < y->n; i++) {
        ok = es_equal(in, &x->of[i], &y->of[i], &same, err);
        if (!same)
            break;
    }
    if (ok && i < x->n && i < y->n)
        ok = es_compare(in, op, &x->of[i], &y->of[i], out, err);
    else if (ok)
        *out = es_value_bool(holds(op, order_int(x->n, y->n)));
    in->nested--;
    return ok;
}

/* ---- in ---- */

static bool in_string(const es_value *part, const es_value *s, bool *out, es_error *err)
{
    if (part->kind != ES_V_STR)
        return es_fail(err, ES_ERR_TYPE, "'in <string>' requires string as left operand, not %s",
                       es_value_type_name(part));
    const es_str_object *x = es_value_as_str(s), *y = es_value_as_str(part);
    *out = memmem(x->bytes, x->n, y->bytes, y->n) != NULL;
    return true;
}

static bool in_range(const es_value *v, const es_range *r, bool *out)
{
    *out = false;
    if (!is_number(v) || (v->kind == ES_V_FLOAT && v->u.f != floor(v->u.f)))
        return true;
    if (v->kind == ES_V_FLOAT && !es_fits_int64(v->u.f))
        return true;
    int64_t i = v->kind == ES_V_FLOAT ? (int64_t)v->u.f : int_of(v);
    bool between = r->step.u.i > 0 ? i >= r->start.u.i && i < r->stop.u.i
                                   : i <= r->start.u.i && i > r->stop.u.i;
    uint64_t from = r->step.u.i > 0 ? (uint64_t)i - (uint64_t)r->start.u.i
                                    : (uint64_t)r->start.u.i - (uint64_t)i;
    uint64_t step = r->step.u.i > 0 ? (uint64_t)r->step.u.i : -(uint64_t)r->step.u.i;
    *out = between && from % step == 0;
    return true;
}

/* Is any element equal to it? */
static bool in_tensor(es_interp *in, const es_value *v, const es_value *t, bool *out, es_error *err)
{
    es_value same;
    if (!tensor_comparison(v, t))
        return es_fail(err, ES_ERR_TYPE, "only a number or a tensor can be in a tensor, not '%s'",
                       es_value_type_name(v));
    if (!es_tensor_binary(in, ES_OP_EQ, t, v, &same, err))
        return false;
    const es_tensor *mask = es_value_as_tensor(&same);
    bool ok = es_torch_ready(&in->torch, mask, "\"in\"", err);
    int64_t n = es_shape_count(&mask->shape);
    *out = false;
    for (int64_t i = 0; ok && !*out && i < n; i++) {
        *out = es_torch_get_int(mask, i) != 0;
        if (i % 65536 == 65535)
            ok = es_watch_step(in->torch.watch, 0, err);
    }
    es_value_unref(&same);
    return ok;
}

static bool in_items(es_interp *in, const es_value *v, const es_value *of, bool *out, es_error *err)
{
    const es_items *items = es_value_items(of);
    *out = false;
    for (int64_t i = 0; !*out && i < items->n; i++) {
        if (is_same(&items->of[i], v))
            *out = true;
        else if (!es_equal(in, &items->of[i], v, out, err))
            return false;
        if (i % 4096 == 4095 && !es_tick(in, err))
            return false;
    }
    return true;
}

static bool contains(es_interp *in, const es_value *v, const es_value *of, bool *out, es_error *err)
{
    switch (of->kind) {
    case ES_V_STR: return in_string(v, of, out, err);
    case ES_V_RANGE: return in_range(v, (const es_range *)of->u.o, out);
    case ES_V_TENSOR: return in_tensor(in, v, of, out, err);
    case ES_V_TUPLE:
    case ES_V_SIZE:
    case ES_V_LIST: return in_items(in, v, of, out, err);
    case ES_V_DICT: {
        es_error why = ES_ERROR_NONE;
        *out = es_dict_find(in, of, v, &why) != NULL;
        es_error_free(&why);
        return true;
    }
    case ES_V_INSTANCE: return es_object_contains(in, v, of, out, err);
    default:
        return es_fail(err, ES_ERR_TYPE, "argument of type '%s' is not iterable",
                       es_value_type_name(of));
    }
}

/* ---- all of them ---- */

static bool fail_order(es_op op, const es_value *a, const es_value *b, es_error *err)
{
    es_fail(err, ES_ERR_TYPE, "'%s' not supported between instances of '%s' and '%s'",
            es_op_name(op), es_value_type_name(a), es_value_type_name(b));
    return a->kind == ES_V_TENSOR || b->kind == ES_V_TENSOR
               ? es_torch_says(err, "'%s' not supported between instances of '%s' and '%s'",
                               es_op_name(op), es_value_type_name(a), es_value_type_name(b))
               : false;
}

static bool compare(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                    es_error *err)
{
    bool truth = false, ok = true;
    int asked;
    *out = es_none();
    if (op == ES_OP_IS || op == ES_OP_IS_NOT)
        truth = is_same(a, b) == (op == ES_OP_IS);
    else if (op == ES_OP_IN || op == ES_OP_NOT_IN) {
        ok = contains(in, a, b, &truth, err);
        truth = truth == (op == ES_OP_IN);
    } else if ((asked = es_object_binary(in, op, a, b, out, err)))
        return asked > 0;
    else if (tensor_comparison(a, b))
        return es_tensor_binary(in, op, a, b, out, err);
    else if (op == ES_OP_EQ || op == ES_OP_NE) {
        ok = es_equal(in, a, b, &truth, err);
        truth = truth == (op == ES_OP_EQ);
    } else if (is_number(a) && is_number(b))
        truth = holds(op, order_numbers(a, b));
    else if (a->kind == ES_V_STR && b->kind == ES_V_STR)
        truth = holds(op, order_strings(a, b));
    else if (same_kind(a, b) && es_value_is_sequence(a))
        return order_items(in, op, a, b, out, err);
    else
        return fail_order(op, a, b, err);
    if (ok)
        *out = es_value_bool(truth);
    return ok;
}

bool es_compare(es_interp *in, es_op op, const es_value *a, const es_value *b, es_value *out,
                es_error *err)
{
    es_value x = es_value_ref(a), y = es_value_ref(b);
    bool ok = compare(in, op, &x, &y, out, err);
    es_value_unref(&x);
    es_value_unref(&y);
    return ok;
}
