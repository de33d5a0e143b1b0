// SPDX-License-Identifier: GPL-3.0-or-later
/* What two operands have in common: a dtype, and a shape with names. */
#include <inttypes.h>
#include <string.h>

#include "torch/cells.h"
#include "torch/elementwise.h"
#include "torch/label.h"

/* ---- dtypes ---- */

enum { NONE = -1 }; /* no operand of a class */

/* The smallest dtype that holds both. */
static int joined(int a, int b)
{
    static const int rank[ES_N_DTYPES] = {
        [ES_BOOL] = 0, [ES_INT32] = 1, [ES_INT64] = 2, [ES_FLOAT32] = 3, [ES_FLOAT64] = 4};
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    return rank[a] > rank[b] ? a : b;
}

static bool is_float(int dtype)
{
    return dtype != NONE && es_dtype_is_float((es_dtype)dtype);
}

/* A higher class keeps its dtype unless the lower one is of a higher kind: bool < int < float. */
static int outweighed(int higher, int lower)
{
    if (is_float(higher))
        return higher;
    if (higher == ES_BOOL || is_float(lower))
        return joined(higher, lower);
    return higher == NONE ? lower : higher;
}

es_dtype es_torch_promote(const es_tensor *x, const es_tensor *y)
{
    const es_tensor *const t[] = {x, y};
    int tensors = NONE, scalars = NONE, numbers = NONE;
    for (int i = 0; i < 2 && t[i]; i++) {
        if (t[i]->number)
            numbers = joined(numbers, es_dtype_is_float(t[i]->dtype) ? ES_FLOAT32 : t[i]->dtype);
        else if (t[i]->shape.ndim == 0)
            scalars = joined(scalars, t[i]->dtype);
        else
            tensors = joined(tensors, t[i]->dtype);
    }
    return (es_dtype)outweighed(tensors, outweighed(scalars, numbers));
}

/* ---- shapes ---- */

static const char *axis_word(const es_label *label)
{
    static const char *const word[][2] = {
        {"B", "batch"}, {"T", "time"}, {"C", "channel"}, {"V", "vocabulary"}, {"P", "position"}};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (!strcmp(label->s, word[i][0]))
            return word[i][1];
    return NULL;
}

static void add_size(es_str *s, const es_label *label, int64_t size)
{
    if (es_label_is_named(label))
        es_str_add(s, "%s=%" PRId64, label->s, size);
    else
        es_str_add(s, "%" PRId64, size);
}

static bool sizes_clash(es_error *err, const es_shape *x, const es_shape *y, int from_right,
                        int ndim)
{
    int i = x->ndim - 1 - from_right, j = y->ndim - 1 - from_right;
    const char *word = axis_word(&x->label[i]) ? axis_word(&x->label[i]) : axis_word(&y->label[j]);
    es_str sizes = {0};
    add_size(&sizes, &x->label[i], x->dim[i]);
    es_str_cat(&sizes, " against ");
    add_size(&sizes, &y->label[j], y->dim[j]);
    if (word)
        es_fail(err, ES_ERR_BROADCAST, "the %s axis differs, %s", word, sizes.s);
    else
        es_fail(err, ES_ERR_BROADCAST, "axis %d differs: %s", -1 - from_right, sizes.s);
    es_str_free(&sizes);
    return es_torch_says(err,
                         "The size of tensor a (%" PRId64
                         ") must match the size of tensor b (%" PRId64
                         ") at non-singleton dimension %d",
                         x->dim[i], y->dim[j], ndim - 1 - from_right);
}

/* Two names on one axis: a note, or an error where names are taken at their word. */
static bool by_luck(es_torch *k, int axis, const es_label *a, const es_label *b, int64_t size,
                    bool *noted, es_error *err)
{
    if (k->strict) {
        es_fail(err, ES_ERR_BROADCAST,
                "axis %d: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck", axis, a->s, size,
                b->s, size);
        return es_hint(err, "names are taken at their word; :set strict off lets this pass");
    }
    if (!*noted)
        es_torch_note(k, "axis %d: %s=%" PRId64 " meets %s=%" PRId64 ", equal by luck", axis, a->s,
                      size, b->s, size);
    *noted = true;
    return true;
}

static const es_label *twice(const es_shape *s)
{
    for (int i = 0; i < s->ndim; i++)
        for (int j = i + 1; j < s->ndim; j++)
            if (es_label_same(&s->label[i], &s->label[j]))
                return &s->label[i];
    return NULL;
}

bool es_torch_stretch(es_torch *k, es_shape *out, const es_shape *x, const es_shape *y,
                      es_error *err)
{
    es_shape s = {.ndim = x->ndim > y->ndim ? x->ndim : y->ndim};
    bool noted = false;
    for (int r = 0; r < s.ndim; r++) {
        int o = s.ndim - 1 - r, i = x->ndim - 1 - r, j = y->ndim - 1 - r;
        bool clash = false;
        if (i >= 0 && j >= 0 && x->dim[i] != y->dim[j] && x->dim[i] != 1 && y->dim[j] != 1)
            return sizes_clash(err, x, y, r, s.ndim);
        if (i < 0 || (j >= 0 && x->dim[i] == 1 && y->dim[j] != 1)) {
            s.dim[o] = y->dim[j];
            s.label[o] = y->label[j];
        } else if (j < 0 || x->dim[i] != y->dim[j]) {
            s.dim[o] = x->dim[i];
            s.label[o] = x->label[i];
        } else {
            s.dim[o] = x->dim[i];
            s.label[o] = es_label_meet(&x->label[i], &y->label[j], &clash);
        }
        if (clash && s.dim[o] != 1 &&
            !by_luck(k, -1 - r, &x->label[i], &y->label[j], s.dim[o], &noted, err))
            return false;
    }
    const es_label *name = twice(&s);
    if (name && !noted && !twice(x) && !twice(y))
        es_torch_note(k, "%s appears on two axes", name->s);
    *out = s;
    return true;
}
