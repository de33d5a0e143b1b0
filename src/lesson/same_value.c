// SPDX-License-Identifier: GPL-3.0-or-later
/* Are two values the same answer?  They may come from two sessions: they are read, never computed with. */
#include <math.h>
#include <string.h>

#include "lesson/judge.h"
#include "torch/host.h"

enum { DEEPEST = 16 };

/* A part of the larger of two numbers, and for whole ones no more than that. */
static const double ROUNDING = 1e-4, OF_WHOLE = 0.05;

static bool same(const es_value *a, const es_value *b, double within, int depth);

/* ---- numbers ---- */

/* Of numbers of a tensor, `scale` the largest of them, a few lost digits beside it count for nothing. */
static bool close_to(double x, double y, double scale, double within)
{
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (x == y)
        return true;
    if (isinf(x) || isinf(y))
        return false;
    double size = fmax(fabs(x), fabs(y));
    double allowed = within > 0 ? within * (1 + 1e-9) : ROUNDING * size + 1e-6 * scale;
    return fabs(x - y) <= allowed;
}

/* A number, or a tensor that holds one. */
typedef struct number {
    double f;
    int64_t i;
    bool whole;
} number;

static bool number_of(const es_value *v, number *out)
{
    es_torch k = {.most_bytes = INT64_MAX};
    switch (v->kind) {
    case ES_V_BOOL: *out = (number){v->u.b, v->u.b, true}; return true;
    case ES_V_INT: *out = (number){(double)v->u.i, v->u.i, true}; return true;
    case ES_V_FLOAT: *out = (number){.f = v->u.f}; return true;
    case ES_V_TENSOR: break;
    default: return false;
    }
    const es_tensor *t = es_value_as_tensor(v);
    es_tensor here = {0};
    if (es_shape_count(&t->shape) != 1 || es_torch_meta(t) ||
        !es_torch_here(&k, &here, t, "a check", NULL))
        return false;
    out->whole = here.dtype != ES_FLOAT32 && here.dtype != ES_FLOAT64;
    out->i = out->whole ? es_torch_get_int(&here, 0) : 0;
    out->f = out->whole ? (double)out->i : es_torch_get_float(&here, 0);
    es_tensor_free(&here);
    return true;
}

static bool same_number(const number *a, const number *b, double within)
{
    if (a->whole && b->whole)
        return a->i == b->i || (within > 0 && fabs(a->f - b->f) <= within);
    if (within <= 0 && (a->whole || b->whole) && fabs(a->f - b->f) > OF_WHOLE)
        return false;
    return close_to(a->f, b->f, 0, within);
}

/* ---- tensors ---- */

static int kind_of(es_dtype dtype)
{
    return dtype == ES_FLOAT32 || dtype == ES_FLOAT64 ? 2 : dtype != ES_BOOL;
}

static bool same_floats(const es_tensor *x, const es_tensor *y, int64_t n, double within)
{
    double scale = 0;
    for (int64_t i = 0; i < n; i++) {
        double size = fabs(es_torch_get_float(y, i));
        scale = isfinite(size) && size > scale ? size : scale;
    }
    for (int64_t i = 0; i < n; i++)
        if (!close_to(es_torch_get_float(x, i), es_torch_get_float(y, i), scale, within))
            return false;
    return true;
}

static bool same_ints(const es_tensor *x, const es_tensor *y, int64_t n, double within)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t a = es_torch_get_int(x, i), b = es_torch_get_int(y, i);
        if (a != b && !(within > 0 && fabs((double)a - (double)b) <= within))
            return false;
    }
    return true;
}

static bool same_tensor(const es_tensor *a, const es_tensor *b, double within)
{
    es_torch k = {.most_bytes = INT64_MAX};
    es_tensor x = {0}, y = {0};
    if (kind_of(a->dtype) != kind_of(b->dtype) || !es_shape_equal(&a->shape, &b->shape) ||
        strcmp(a->buf->be->name, b->buf->be->name) != 0)
        return false;
    if (es_torch_meta(a) || es_torch_meta(b))
        return es_torch_meta(a) && es_torch_meta(b);
    if (a->buf == b->buf && a->offset == b->offset &&
        !memcmp(a->stride, b->stride, (size_t)a->shape.ndim * sizeof *a->stride))
        return true;
    int64_t n = es_shape_count(&a->shape);
    bool ok =
        es_torch_here(&k, &x, a, "a check", NULL) && es_torch_here(&k, &y, b, "a check", NULL) &&
        (kind_of(a->dtype) == 2 ? same_floats(&x, &y, n, within) : same_ints(&x, &y, n, within));
    es_tensor_free(&x);
    es_tensor_free(&y);
    return ok;
}

/* ---- what holds others ---- */

/* How many; -1: it is no list of any kind. */
static int64_t length(const es_value *v)
{
    if (es_value_is_sequence(v))
        return es_value_items(v)->n;
    if (v->kind == ES_V_RANGE)
        return es_range_count((const es_range *)v->u.o);
    bool tensor = v->kind == ES_V_TENSOR && es_value_as_tensor(v)->shape.ndim > 0;
    return tensor ? es_value_as_tensor(v)->shape.dim[0] : -1;
}

/* t[i] */
static es_value row(const es_tensor *t, int64_t i)
{
    es_tensor part = {0}, one = {0};
    if (!es_tensor_slice(&part, t, 0, i, i + 1, NULL))
        return es_none();
    one = part;
    one.shape.ndim--;
    for (int axis = 0; axis < one.shape.ndim; axis++) {
        one.shape.dim[axis] = part.shape.dim[axis + 1];
        one.stride[axis] = part.stride[axis + 1];
    }
    return es_value_tensor(&one);
}

static es_value item(const es_value *v, int64_t i)
{
    if (es_value_is_sequence(v))
        return es_value_ref(&es_value_items(v)->of[i]);
    if (v->kind == ES_V_TENSOR)
        return row(es_value_as_tensor(v), i);
    const es_range *r = (const es_range *)v->u.o;
    return es_value_int(r->start.u.i + i * r->step.u.i);
}

static bool same_items(const es_value *a, const es_value *b, double within, int depth)
{
    int64_t n = length(a);
    if (n < 0 || n != length(b) || depth >= DEEPEST)
        return false;
    for (int64_t i = 0; i < n; i++) {
        es_value x = item(a, i), y = item(b, i);
        bool ok = same(&x, &y, within, depth + 1);
        es_value_unref(&x);
        es_value_unref(&y);
        if (!ok)
            return false;
    }
    return true;
}

static const es_value *at_key(const es_items *dict, const es_value *key)
{
    for (int64_t i = 0; i + 1 < dict->n; i += 2)
        if (same(&dict->of[i], key, 0, 0))
            return &dict->of[i + 1];
    return NULL;
}

static bool same_dict(const es_value *a, const es_value *b, double within, int depth)
{
    const es_items *x = es_value_items(a), *y = es_value_items(b);
    if (x->n != y->n || depth >= DEEPEST)
        return false;
    for (int64_t i = 0; i + 1 < x->n; i += 2) {
        const es_value *other = at_key(y, &x->of[i]);
        if (!other || !same(&x->of[i + 1], other, within, depth + 1))
            return false;
    }
    return true;
}

/* ---- all ---- */

/* The device of a tensor is a word, and so is the name of a type. */
static bool same_word(const es_value *a, const es_value *b)
{
    const es_value *word = a->kind == ES_V_STR ? a : b, *named = a->kind == ES_V_STR ? b : a;
    return word->kind == ES_V_STR && named->kind == ES_V_DEVICE &&
           es_value_is_str(word, named->u.name);
}

static bool same_kind(const es_value *a, const es_value *b, double within, int depth)
{
    switch (a->kind) {
    case ES_V_NONE:
    case ES_V_ELLIPSIS: return true;
    case ES_V_STR: {
        const es_str_object *x = es_value_as_str(a), *y = es_value_as_str(b);
        return x->n == y->n && !memcmp(x->bytes, y->bytes, x->n);
    }
    case ES_V_TENSOR: return same_tensor(es_value_as_tensor(a), es_value_as_tensor(b), within);
    case ES_V_DTYPE: return a->u.dtype == b->u.dtype;
    case ES_V_DEVICE:
    case ES_V_NAMESPACE:
    case ES_V_TYPE: return !strcmp(a->u.name, b->u.name);
    case ES_V_DICT: return same_dict(a, b, within, depth);
    default: return a->u.o == b->u.o;
    }
}

static bool same(const es_value *a, const es_value *b, double within, int depth)
{
    number x, y;
    bool tensors = a->kind == ES_V_TENSOR && b->kind == ES_V_TENSOR;
    if (!tensors && number_of(a, &x) && number_of(b, &y))
        return same_number(&x, &y, within);
    if (!tensors && length(a) >= 0 && length(b) >= 0)
        return same_items(a, b, within, depth);
    if (a->kind == b->kind)
        return same_kind(a, b, within, depth);
    return same_word(a, b);
}

bool es_same_value(const es_value *a, const es_value *b, double within)
{
    return same(a, b, within, 0);
}
