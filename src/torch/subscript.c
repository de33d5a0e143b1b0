// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/subscript.h"

#include <inttypes.h>
#include <string.h>

#include "torch/host.h"
#include "torch/label.h"
#include "torch/move.h"
#include "torch/views.h"

/* ---- views ---- */

/* base = step(base); the old one goes. */
static void replace(es_tensor *base, es_tensor *with)
{
    es_tensor_free(base);
    *base = *with;
}

/* Of a table nobody has read whole, a few rows are enough. */
static bool few_rows(const es_tensor *base, int axis, int64_t begin, int64_t end)
{
    return axis == 0 && !base->buf->mem && !es_torch_far(base) && es_torch_table_of(base) &&
           end - begin <= base->shape.dim[0] / 4;
}

static void read_only(es_tensor *base, int axis, int64_t *begin, int64_t *end)
{
    es_tensor rows;
    if (!few_rows(base, axis, *begin, *end))
        return;
    es_torch_rows(&rows, base, *begin, *end);
    replace(base, &rows);
    *end -= *begin;
    *begin = 0;
}

bool es_subscript_outside(const es_shape *base, int axis, int typed, int64_t i, const char *place,
                          es_error *err)
{
    int64_t size = base->dim[axis];
    const char *label = base->label[axis].s, *is = *label ? "=" : "";
    if (size == 0)
        es_fail(err, ES_ERR_INDEX_RANGE,
                "index %" PRId64 "%s is outside axis %d (%s%s0): it is empty", i, place, typed,
                label, is);
    else
        es_fail(err, ES_ERR_INDEX_RANGE,
                "index %" PRId64 "%s is outside axis %d (%s%s%" PRId64 "): 0..%" PRId64
                ", or from the end -1..-%" PRId64,
                i, place, typed, label, is, size, size - 1, size);
    return false;
}

static bool select_one(es_torch *k, es_subscript *s, int axis, int typed, int64_t i, es_error *err)
{
    es_tensor one;
    int64_t size = s->base.shape.dim[axis];
    if (i < -size || i >= size) {
        es_subscript_outside(&s->base.shape, axis, typed, i, "", err);
        return es_torch_says(err,
                             "index %" PRId64 " is out of bounds for dimension %d with size "
                             "%" PRId64,
                             i, typed, size);
    }
    int64_t begin = i < 0 ? i + size : i, end = begin + 1;
    read_only(&s->base, axis, &begin, &end);
    if (!es_torch_select(k, &one, &s->base, axis, begin, err))
        return false;
    replace(&s->base, &one);
    return true;
}

static int64_t clamped(int64_t i, int64_t size)
{
    if (i < 0)
        i += size;
    return i < 0 ? 0 : i > size ? size : i;
}

static bool slice(es_subscript *s, int axis, const es_sub *sub, es_error *err)
{
    int64_t size = s->base.shape.dim[axis], step = sub->has.step ? sub->step : 1;
    if (step <= 0) {
        es_fail(err, ES_ERR_SLICE,
                "a slice cannot step by %" PRId64 ": only forwards, by 1 or more", step);
        if (step < 0)
            es_hint(err, "backwards: x.flip(%d)", axis);
        return es_torch_says(err, "%s", "step must be greater than zero");
    }
    int64_t begin = sub->has.begin ? clamped(sub->begin, size) : 0;
    int64_t end = sub->has.end ? clamped(sub->end, size) : size;
    if (end < begin)
        end = begin;
    bool all = begin == 0 && end == size && step == 1;
    read_only(&s->base, axis, &begin, &end);
    es_tensor *t = &s->base;
    int64_t n = end > begin ? (end - begin - 1) / step + 1 : 0;
    t->offset += n > 0 ? begin * t->stride[axis] : 0;
    t->shape.dim[axis] = n;
    if (__builtin_mul_overflow(t->stride[axis], step, &t->stride[axis]))
        t->stride[axis] = INT64_MAX; /* one element at most: never stepped over */
    if (!all)
        t->shape.label[axis] = sub->text ? es_label_slice(&t->shape.label[axis], sub->text)
                               : es_label_is_named(&t->shape.label[axis]) ? es_label_named("?")
                                                                          : t->shape.label[axis];
    return true;
}

static bool insert_axis(es_torch *k, es_subscript *s, int axis, es_error *err)
{
    es_tensor more;
    if (!es_torch_unsqueeze(k, &more, &s->base, axis, err))
        return false;
    replace(&s->base, &more);
    return true;
}

/* ---- index tensors ---- */

static void index_by(es_subscript *s, int axis, es_tensor *t)
{
    s->axis[s->n] = axis;
    s->at[s->n++] = *t;
}

static bool wrong_mask(const es_shape *base, const es_shape *mask, int axis, int j, es_error *err)
{
    es_str x = {0}, m = {0}, own = {0}, its = {0};
    es_torch_sizes(&x, base);
    es_torch_sizes(&m, mask);
    es_shape_show(&own, base);
    es_shape_show(&its, mask);
    es_fail(err, ES_ERR_INDEX_RANGE,
            "the mask %s does not fit %s: axis %d of the mask has %" PRId64 ", not %" PRId64, its.s,
            own.s, j, mask->dim[j], base->dim[axis + j]);
    es_torch_says(err,
                  "The shape of the mask %s at index %d does not match the shape of the indexed "
                  "tensor %s at index %d",
                  m.s, j, x.s, axis + j);
    es_str_free(&x);
    es_str_free(&m);
    es_str_free(&own);
    es_str_free(&its);
    return false;
}

/* A true or false is a new axis of size 1 or 0. */
static bool mask_all(es_torch *k, es_subscript *s, int axis, const es_tensor *t, es_error *err)
{
    es_tensor zero;
    es_shape shape = es_shape_1d("", 0);
    if (!es_torch_ready(k, t, "indexing by true or false", err) || !insert_axis(k, s, axis, err))
        return false;
    shape.dim[0] = es_torch_get_int(t, 0) != 0;
    if (!es_tensor_new(&zero, t->buf->be, ES_INT64, &shape, err))
        return false;
    if (shape.dim[0])
        *(int64_t *)zero.buf->mem = 0;
    index_by(s, axis, &zero);
    return true;
}

static bool mask(es_torch *k, es_subscript *s, int *axis, const es_tensor *t, es_error *err)
{
    if (t->shape.ndim == 0)
        return mask_all(k, s, (*axis)++, t, err);
    for (int j = 0; j < t->shape.ndim; j++)
        if (t->shape.dim[j] != s->base.shape.dim[*axis + j])
            return wrong_mask(&s->base.shape, &t->shape, *axis, j, err);
    es_tensor at[ES_MAX_DIMS];
    if (!es_torch_ready(k, t, "indexing by a mask", err) || !es_mask_places(k, at, t, err))
        return false;
    for (int j = 0; j < t->shape.ndim; j++)
        index_by(s, (*axis)++, &at[j]);
    return true;
}

/* An index may also come from the cpu; one on another device than that must be where the tensor is. */
static bool wrong_device(const es_tensor *x, const es_tensor *t, es_error *err)
{
    const char *home = x->buf->be->name, *its = t->buf->be->name;
    if (x->buf->be == t->buf->be || !strcmp(its, "cpu"))
        return false;
    es_fail(err, ES_ERR_DEVICE, "the index is on %s, and picks from a tensor on %s", its, home);
    es_hint(err, "try: .to(\"%s\") for the index", home);
    char called[ES_DEVICE_NAME];
    es_device_torch_name(called, home);
    es_torch_says(
        err, "indices should be either on cpu or on the same device as the indexed tensor (%s)",
        called);
    return true;
}

static bool by_tensor(es_torch *k, es_subscript *s, int *axis, int typed, const es_tensor *t,
                      es_error *err)
{
    if (t->shape.ndim > 0 && wrong_device(&s->base, t, err))
        return false;
    if (t->dtype == ES_BOOL)
        return mask(k, s, axis, t, err);
    if (t->dtype != ES_INT64 && t->dtype != ES_INT32) {
        es_fail(err, ES_ERR_DTYPE, "a tensor of %s cannot be an index: integers or a mask can",
                es_dtype_name(t->dtype));
        es_hint(err, "try: .long()");
        return es_torch_says(err, "tensors used as indices must be long, byte or bool tensors "
                                  "(PyTorch 2: long, int, byte or bool)");
    }
    if (t->shape.ndim == 0) { /* a number: its axis goes, and the result is a view */
        if (es_torch_meta(t))
            return select_one(k, s, *axis, typed, 0, err);
        return es_torch_ready(k, t, "an index", err) &&
               select_one(k, s, *axis, typed, es_torch_get_int(t, 0), err);
    }
    es_tensor view;
    es_tensor_view(&view, t);
    index_by(s, (*axis)++, &view);
    return true;
}

/* ---- all subscripts ---- */

static int consumed(const es_sub *sub)
{
    bool is_mask = sub->kind == ES_SUB_TENSOR && sub->t->dtype == ES_BOOL;
    return sub->kind == ES_SUB_NEW || sub->kind == ES_SUB_REST ? 0
           : is_mask                                           ? sub->t->shape.ndim
                                                               : 1;
}

static bool count_axes(const es_tensor *x, const es_sub *sub, int n, int *rest, es_error *err)
{
    int wanted = 0, dots = 0, ndim = x->shape.ndim;
    for (int i = 0; i < n; i++) {
        wanted += consumed(&sub[i]);
        dots += sub[i].kind == ES_SUB_REST;
    }
    *rest = ndim - wanted;
    if (dots > 1)
        return es_fail(err, ES_ERR_VALUE, "\"...\" can stand for axes once, not %d times", dots);
    if (*rest >= 0)
        return true;
    if (ndim == 0) {
        es_fail(err, ES_ERR_DIM_RANGE,
                "a single number has no axis to index: .item() is its value");
        return es_torch_says(err, n == 1 && sub->kind == ES_SUB_SLICE
                                      ? "slice() cannot be applied to a 0-dim tensor."
                                      : "invalid index of a 0-dim tensor. Use `tensor.item()` in "
                                        "Python or `tensor.item<T>()` in C++ to convert a 0-dim "
                                        "tensor to a number");
    }
    es_str shown = {0};
    es_shape_show(&shown, &x->shape);
    es_fail(err, ES_ERR_DIM_RANGE, "%d subscripts, and %s has only %d axes", wanted, shown.s, ndim);
    es_str_free(&shown);
    return es_torch_says(err, "too many indices for tensor of dimension %d", ndim);
}

static bool apply(es_torch *k, es_subscript *s, const es_sub *sub, int n, int rest, es_error *err)
{
    int axis = 0, typed = 0; /* of base, of x */
    bool ok = true;
    for (int i = 0; ok && i < n; typed += consumed(&sub[i++])) {
        switch (sub[i].kind) {
        case ES_SUB_INT: ok = select_one(k, s, axis, typed, sub[i].i, err); break;
        case ES_SUB_SLICE: ok = slice(s, axis++, &sub[i], err); break;
        case ES_SUB_NEW: ok = insert_axis(k, s, axis++, err); break;
        case ES_SUB_TENSOR: ok = by_tensor(k, s, &axis, typed, sub[i].t, err); break;
        case ES_SUB_REST:
            axis += rest;
            typed += rest;
            break;
        }
    }
    return ok;
}

static bool do_not_meet(const es_subscript *s, es_error *err)
{
    es_str all = {0};
    for (int j = 0; j < s->n; j++) {
        es_str_cat(&all, j ? ", " : "");
        es_torch_sizes(&all, &s->at[j].shape);
    }
    es_fail(err, ES_ERR_BROADCAST, "index tensors %s do not stretch to one shape", all.s);
    es_torch_says(err,
                  "shape mismatch: indexing tensors could not be broadcast together with shapes %s",
                  all.s);
    es_str_free(&all);
    return false;
}

/* One axis of an index tensor joins that of the others. */
static bool meet(es_shape *spread, int d, int64_t size, const es_label *label)
{
    bool clash;
    if (size != 1 && spread->dim[d] != 1 && size != spread->dim[d])
        return false;
    if (size == spread->dim[d])
        spread->label[d] = es_label_meet(&spread->label[d], label, &clash);
    else if (spread->dim[d] == 1)
        spread->label[d] = *label;
    spread->dim[d] = size == 1 ? spread->dim[d] : size;
    return true;
}

static bool spread_indices(es_subscript *s, es_error *err)
{
    for (int j = 0; j < s->n; j++)
        if (s->at[j].shape.ndim > s->spread.ndim)
            s->spread.ndim = s->at[j].shape.ndim;
    for (int d = 0; d < s->spread.ndim; d++)
        s->spread.dim[d] = 1;
    for (int j = 0; j < s->n; j++) {
        const es_shape *own = &s->at[j].shape;
        int extra = s->spread.ndim - own->ndim;
        for (int d = 0; d < own->ndim; d++)
            if (!meet(&s->spread, extra + d, own->dim[d], &own->label[d]))
                return do_not_meet(s, err);
    }
    return true;
}

static void add_axis(es_shape *shape, const es_shape *from, int d)
{
    shape->label[shape->ndim] = from->label[d];
    shape->dim[shape->ndim++] = from->dim[d];
}

static bool is_indexed(const es_subscript *s, int axis)
{
    for (int j = 0; j < s->n; j++)
        if (s->axis[j] == axis)
            return true;
    return false;
}

/* The axes of the index tensors stand where theirs did if those are neighbours, else in front. */
static bool result_shape(es_subscript *s, es_error *err)
{
    const es_shape *base = &s->base.shape;
    if (base->ndim - s->n + s->spread.ndim > ES_MAX_DIMS)
        return es_fail(err, ES_ERR_DIM_RANGE, "a tensor has at most %d axes here", ES_MAX_DIMS);
    bool neighbours = s->n > 0 && s->axis[s->n - 1] - s->axis[0] == s->n - 1;
    s->front = neighbours ? s->axis[0] : 0;
    for (int d = 0, left = s->front; d <= base->ndim; d++) {
        if (left-- == 0)
            for (int i = 0; i < s->spread.ndim; i++)
                add_axis(&s->shape, &s->spread, i);
        if (d < base->ndim && !is_indexed(s, d))
            add_axis(&s->shape, base, d);
    }
    return true;
}

bool es_subscript_new(es_torch *k, es_subscript *s, const es_tensor *x, const es_sub *sub, int n,
                      es_error *err)
{
    int rest;
    *s = (es_subscript){0};
    es_tensor_view(&s->base, x);
    s->base.number = false;
    return count_axes(x, sub, n, &rest, err) && apply(k, s, sub, n, rest, err) &&
           spread_indices(s, err) && result_shape(s, err);
}

void es_subscript_free(es_subscript *s)
{
    es_tensor_free(&s->base);
    for (int j = 0; j < s->n; j++)
        es_tensor_free(&s->at[j]);
    s->n = 0;
}

bool es_subscript_meta(const es_subscript *s)
{
    for (int j = 0; j < s->n; j++)
        if (es_torch_meta(&s->at[j]))
            return true;
    return es_torch_meta(&s->base);
}
