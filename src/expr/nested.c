// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/nested.h"

#include <inttypes.h>

#include "torch/filling.h"
#include "torch/host.h"
#include "torch/move.h"

/* One walk through the lists; `depth` is the axis it is in. */
typedef struct walk {
    es_torch *k;
    es_shape shape;
    bool any;       /* a number was seen, and dtype is that of all so far */
    es_dtype dtype; /* of the numbers, or of the result */
    const es_tensor *to;
    int64_t at;                 /* elements written */
    int64_t place[ES_MAX_DIMS]; /* of the element at hand */
} walk;

/* ---- lists ---- */

static bool is_list(const es_value *v)
{
    return es_value_is_sequence(v) || v->kind == ES_V_RANGE;
}

static int64_t length(const es_value *v)
{
    return v->kind == ES_V_RANGE ? es_range_count((const es_range *)v->u.o) : es_value_items(v)->n;
}

/* Borrowed. */
static es_value item(const es_value *v, int64_t i)
{
    if (v->kind != ES_V_RANGE)
        return es_value_items(v)->of[i];
    const es_range *r = (const es_range *)v->u.o;
    uint64_t n = (uint64_t)r->start.u.i + (uint64_t)i * (uint64_t)r->step.u.i;
    return es_value_int((int64_t)n);
}

/* Sizes are those of the first list, the first list in it, and so on. */
static bool find_shape(walk *w, const es_value *data, es_error *err)
{
    es_value v = *data;
    while (is_list(&v)) {
        if (w->shape.ndim == ES_MAX_DIMS)
            return es_fail(err, ES_ERR_DIM_RANGE,
                           "lists are nested deeper than the %d axes that "
                           "a tensor has at most here",
                           ES_MAX_DIMS);
        w->shape.dim[w->shape.ndim++] = length(&v);
        if (length(&v) == 0)
            break;
        v = item(&v, 0);
    }
    return true;
}

static bool ragged(const walk *w, int depth, const es_value *v, es_error *err)
{
    es_str place = {0};
    es_shape at = {.ndim = depth};
    for (int d = 0; d < depth; d++)
        at.dim[d] = w->place[d];
    es_torch_sizes(&place, &at);
    int64_t want = depth < w->shape.ndim ? w->shape.dim[depth] : 0;
    if (depth == w->shape.ndim) {
        es_fail(err, ES_ERR_RAGGED,
                "at %s there is a list, and a number in its place before: all "
                "lists must be of one shape",
                place.s);
        es_torch_says(err, "'%s' object cannot be interpreted as an integer",
                      es_value_type_name(v));
    } else if (!is_list(v)) {
        es_fail(err, ES_ERR_RAGGED,
                "at %s there is one number, and a list of %" PRId64 " before: "
                "all lists must be of one shape",
                place.s, want);
        es_torch_says(err, "not a sequence");
    } else {
        es_fail(err, ES_ERR_RAGGED,
                "the list at %s has %" PRId64 ", the first one %" PRId64
                ": a tensor has no rows of unequal length",
                place.s, length(v), want);
        if (depth == 1)
            es_hint(err, "fill the shorter ones up to one length; :batch does so for texts");
        es_torch_says(err, "expected sequence of length %" PRId64 " at dim %d (got %" PRId64 ")",
                      want, depth, length(v));
    }
    es_str_free(&place);
    return false;
}

/* ---- numbers ---- */

static bool no_number(const es_value *v, es_error *err)
{
    const char *type = es_value_type_name(v);
    if (v->kind == ES_V_STR) {
        es_fail(err, ES_ERR_TYPE, "a tensor holds numbers, not text");
        es_hint(err, "the ids of a text: encode(\"…\")");
        return es_torch_says(err, "new(): invalid data type 'str'");
    }
    es_fail(err, ES_ERR_TYPE, "a tensor holds numbers, and a %s is none", type);
    return es_torch_says(err, "Could not infer dtype of %s", type);
}

static bool one_element(es_torch *k, const es_tensor *t, es_error *err)
{
    if (es_shape_count(&t->shape) == 1)
        return k->shapes_only || es_torch_ready(k, t, "tensor()", err);
    es_str shape = {0};
    es_shape_show(&shape, &t->shape);
    es_fail(err, ES_ERR_VALUE, "a list for tensor() holds numbers, and this is a tensor %s",
            shape.s);
    es_str_free(&shape);
    es_hint(err, "torch.stack joins tensors of one shape along a new axis");
    return es_torch_says(err, "only one element tensors can be converted to Python scalars");
}

static bool dtype_of(walk *w, const es_value *v, es_dtype *out, es_error *err)
{
    switch (v->kind) {
    case ES_V_BOOL: *out = ES_BOOL; return true;
    case ES_V_INT: *out = ES_INT64; return true;
    case ES_V_FLOAT: *out = ES_FLOAT32; return true;
    case ES_V_TENSOR:
        *out = es_value_as_tensor(v)->dtype;
        return one_element(w->k, es_value_as_tensor(v), err);
    default: return no_number(v, err);
    }
}

/* The smallest that holds both. */
static es_dtype wider(es_dtype a, es_dtype b)
{
    static const int rank[ES_N_DTYPES] = {
        [ES_BOOL] = 0, [ES_INT32] = 1, [ES_INT64] = 2, [ES_FLOAT32] = 3, [ES_FLOAT64] = 4};
    return rank[a] > rank[b] ? a : b;
}

static bool see_number(walk *w, const es_value *v, es_error *err)
{
    es_dtype dtype = ES_FLOAT32;
    if (!dtype_of(w, v, &dtype, err))
        return false;
    w->dtype = w->any ? wider(w->dtype, dtype) : dtype;
    w->any = true;
    return true;
}

static bool is_float(es_dtype dtype)
{
    return dtype == ES_FLOAT32 || dtype == ES_FLOAT64;
}

static bool put_int(walk *w, int64_t i, es_error *err)
{
    if (w->to->dtype == ES_INT32 && i != (int32_t)i) {
        es_fail(err, ES_ERR_RANGE, "%" PRId64 " does not fit into int32", i);
        return es_torch_says(err, "value cannot be converted to type int without overflow");
    }
    es_torch_put_int(w->to, w->at++, i);
    return true;
}

static bool put_number(walk *w, const es_value *v, es_error *err)
{
    const es_tensor *t = v->kind == ES_V_TENSOR ? es_value_as_tensor(v) : NULL;
    if (v->kind == ES_V_FLOAT || (t && is_float(t->dtype))) {
        double f = t ? 0 : v->u.f;
        if (t && !es_torch_read_float(w->k, &f, t, "tensor()", err))
            return false;
        es_torch_put_float(w->to, w->at++, f);
        return true;
    }
    return put_int(w, t ? es_torch_get_int(t, 0) : v->kind == ES_V_BOOL ? v->u.b : v->u.i, err);
}

/* ---- all of them ---- */

typedef bool number_fn(walk *w, const es_value *v, es_error *err);

static bool each(walk *w, const es_value *v, int depth, number_fn *fn, es_error *err)
{
    bool list = is_list(v);
    if (depth == w->shape.ndim)
        return list ? ragged(w, depth, v, err) : fn(w, v, err);
    if (!list || length(v) != w->shape.dim[depth])
        return ragged(w, depth, v, err);
    bool alike = v->kind == ES_V_RANGE && fn == see_number; /* one int is seen for all of them */
    for (int64_t i = 0, n = alike ? length(v) > 0 : length(v); i < n; i++) {
        es_value of = item(v, i);
        w->place[depth] = i;
        if (!each(w, &of, depth + 1, fn, err))
            return false;
        if (i % 4096 == 4095 && !es_watch_step(w->k->watch, 0, err))
            return false;
    }
    return true;
}

/* A list that holds one list many times, and that in turn, is longer than it is large. */
static bool can_be_walked(walk *w, const es_value *data, es_error *err)
{
    bool only_shape = w->k->shapes_only && data->kind == ES_V_RANGE;
    es_dtype dtype = ES_BOOL;
    if (only_shape || es_torch_fits(w->k, dtype, &w->shape, NULL))
        return true;
    es_value first = *data;
    while (is_list(&first))
        first = item(&first, 0);
    return dtype_of(w, &first, &dtype, err) && es_torch_fits(w->k, dtype, &w->shape, err);
}

bool es_tensor_of_value(es_torch *k, es_tensor *out, const es_value *data, const es_dtype *dtype,
                        es_backend *be, es_error *err)
{
    walk w = {.k = k, .dtype = ES_FLOAT32, .to = out};
    *out = (es_tensor){0};
    if (!find_shape(&w, data, err) || !can_be_walked(&w, data, err) ||
        !each(&w, data, 0, see_number, err) ||
        !es_torch_new(k, out, be, dtype ? *dtype : w.dtype, &w.shape, err))
        return false;
    if (es_torch_meta(out) || (es_host_instead(out, err) && each(&w, data, 0, put_number, err) &&
                               es_host_done(k, out, err)))
        return true;
    es_tensor_free(out);
    return false;
}
