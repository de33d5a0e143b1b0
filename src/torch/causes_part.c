// SPDX-License-Identifier: GPL-3.0-or-later
/* An axis too few, or too many, or longer in one of the two: one is a part of the other. */
#include <inttypes.h>
#include <string.h>

#include "torch/label.h"
#include "torch/theory.h"

enum { MOST_SELECTED = 64 };

static bool stretches(const es_tensor *y, const es_shape *to)
{
    int more = to->ndim - y->shape.ndim;
    for (int d = 0; d < y->shape.ndim; d++)
        if (more < 0 || (y->shape.dim[d] != to->dim[d + more] && y->shape.dim[d] != 1))
            return false;
    return true;
}

/* x has y's numbers again and again. */
static bool try_stretched(es_case *c, es_error *err)
{
    bool won;
    es_tensor all;
    if (c->same_shape || !stretches(c->y, &c->x->shape) ||
        !es_tensor_expand(&all, c->y, &c->x->shape, err))
        return true;
    es_theory h = es_theory_of(&all, 25, NULL);
    h.moves = true;
    es_theory_call(&h, "expand");
    bool ok = es_case_try(c, &h, &won, err);
    if (ok && won) {
        es_str_add(&c->best->says, "%s is %s, the same numbers again along the axes that %s lacks",
                   c->asked->x_name, c->asked->y_name, c->asked->y_name);
        int more = c->x->shape.ndim - c->y->shape.ndim;
        if (more == 1)
            es_str_add(&c->best->fix, "%s[0]", c->asked->x_name);
    }
    es_tensor_free(&all);
    return ok;
}

/* x lacks y's first axis, or has one of its indices: it is y[0], y[1], … */
static bool try_selected(es_case *c, es_error *err)
{
    const es_shape *x = &c->x->shape, *y = &c->y->shape;
    bool keeps = x->ndim == y->ndim;
    es_shape rest = *y;
    if (c->same_shape || y->dim[0] < 2)
        return true;
    rest.dim[0] = 1;
    for (int d = 0; !keeps && d + 1 < y->ndim; d++)
        rest.dim[d] = y->dim[d + 1];
    rest.ndim -= !keeps;
    if (!es_shape_equal(x, &rest))
        return true;
    for (int64_t b = 0; b < y->dim[0] && b < MOST_SELECTED; b++) {
        bool won;
        es_tensor one = *c->y;
        one.offset += b * one.stride[0];
        one.shape = *x;
        for (int d = 0; !keeps && d < x->ndim; d++)
            one.stride[d] = c->y->stride[d + 1];
        es_theory h = es_theory_of(&one, 25, NULL);
        h.moves = true;
        es_theory_call(&h, "select(0, %" PRId64 ")", b);
        if (!es_case_try(c, &h, &won, err))
            return false;
        if (won)
            es_str_add(&c->best->says, "%s is %s[%" PRId64 "]: the %s axis is missing",
                       c->asked->x_name, c->asked->y_name, b,
                       es_label_is_named(&y->label[0]) ? y->label[0].s : "first");
    }
    return true;
}

/* One axis is longer in one of them. */
static bool move_part(const es_theory *h, const int64_t *x, int64_t *y)
{
    memcpy(y, x, (size_t)(h->last + 1) * sizeof *y);
    y[h->axis] += h->k;
    return y[h->axis] >= 0 && y[h->axis] < h->term[0].t.shape.dim[h->axis];
}

static bool try_part(es_case *c, int axis, int64_t k, es_error *err)
{
    bool won;
    int64_t more = c->y->shape.dim[axis] - c->x->shape.dim[axis];
    es_theory h = es_theory_of(c->y, 27, move_part);
    h.axis = axis;
    h.k = k;
    h.inner = axis == es_axis_C(c->x);
    h.moves = true;
    es_theory_call(&h, "part(%d, %" PRId64 ")", axis, k);
    if (!es_case_try(c, &h, &won, err))
        return false;
    if (won) {
        int64_t from = k < 0 ? -k : k, n = more > 0 ? c->x->shape.dim[axis] : c->y->shape.dim[axis];
        es_str_add(&c->best->says,
                   "%s is %" PRId64 " to %" PRId64 " of axis %d of %s: the rest is missing in %s",
                   more > 0 ? c->asked->x_name : c->asked->y_name, from, from + n - 1, axis,
                   more > 0 ? c->asked->y_name : c->asked->x_name,
                   more > 0 ? c->asked->x_name : c->asked->y_name);
    }
    return true;
}

static bool try_parts(es_case *c, es_error *err)
{
    const es_shape *x = &c->x->shape, *y = &c->y->shape;
    int axis = -1;
    if (x->ndim != y->ndim)
        return true;
    for (int d = 0; d < x->ndim; d++)
        if (x->dim[d] != y->dim[d]) {
            if (axis >= 0)
                return true;
            axis = d;
        }
    if (axis < 0)
        return true;
    int64_t more = y->dim[axis] - x->dim[axis], n = more < 0 ? -more : more;
    for (int64_t k = 0; k <= n && k < MOST_SELECTED; k++)
        if (!try_part(c, axis, more < 0 ? -k : k, err))
            return false;
    return n < MOST_SELECTED || try_part(c, axis, more, err);
}

bool es_causes_part(es_case *c, es_error *err)
{
    return c->same_shape || (try_selected(c, err) && try_stretched(c, err) && try_parts(c, err));
}
