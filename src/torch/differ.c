// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/differ.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "torch/grid.h"
#include "torch/label.h"

enum { FEW = 64 };
#define ROUNDED 1e-6 /* of the squares: less variance may be rounding */

/* ---- places ---- */

void es_place_split(int64_t *index, const es_shape *shape, int64_t place)
{
    for (int d = shape->ndim - 1; d >= 0; d--) {
        index[d] = place % shape->dim[d];
        place /= shape->dim[d];
    }
}

bool es_place_next(int64_t *index, const es_shape *shape, int axes)
{
    for (int d = axes - 1; d >= 0; d--) {
        if (++index[d] < shape->dim[d])
            return true;
        index[d] = 0;
    }
    return false;
}

static int64_t offset_of(const es_tensor *t, const int64_t *index)
{
    int64_t at = t->offset;
    for (int d = 0; d < t->shape.ndim; d++)
        at += index[d] * t->stride[d];
    return at;
}

static es_cells cells_at(const es_tensor *t, const int64_t *index, int64_t step)
{
    size_t bytes = es_dtype_size(t->dtype);
    return (es_cells){(char *)t->buf->mem + offset_of(t, index) * (int64_t)bytes, t->dtype, step};
}

double es_place_number(const es_tensor *t, const int64_t *index)
{
    es_cells one = cells_at(t, index, 1);
    double v;
    es_cells_to_floats(&v, &one, 1, t->dtype);
    return v;
}

/* ---- one row after another ---- */

typedef struct walk {
    es_difference *d;
    const es_tensor *x, *y;
    double rtol, atol;
    bool ints;
    int64_t worked;
    int64_t place; /* of the row's beginning */
    uint64_t luck;
} walk;

/* Is it kept among some?  The i-th takes a place with probability SOME/i, so that all are as likely. */
static void keep_some(walk *w, int64_t place)
{
    es_difference *d = w->d;
    if (d->n_some < ES_SOME_PLACES) {
        d->some[d->n_some++] = place;
        return;
    }
    w->luck = w->luck * 6364136223846793005U + 1442695040888963407U;
    uint64_t at = (w->luck >> 33) % (uint64_t)d->different;
    if (at < ES_SOME_PLACES)
        d->some[at] = place;
}

static void unlike(walk *w, int64_t place, double x, double y)
{
    es_difference *d = w->d;
    double size = fabs(x - y);
    bool close = size <= w->atol + w->rtol * fabs(y);
    d->unequal++;
    if (d->first.at < 0 || (!close && !d->different))
        d->first = (es_gap){place, x, y, size};
    if (isfinite(size) && size > d->absolute.size)
        d->absolute = (es_gap){place, x, y, size};
    if (isfinite(size) && y != 0 && size / fabs(y) > d->relative.size)
        d->relative = (es_gap){place, x, y, size / fabs(y)};
    if (close)
        return;
    d->different++;
    keep_some(w, place);
}

static void count_odd(es_difference *d, double x, double y)
{
    d->nan_x += isnan(x);
    d->nan_y += isnan(y);
    d->inf_x += isinf(x);
    d->inf_y += isinf(y);
}

static void add_sums(es_difference *d, const double *x, const double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            continue;
        d->sums.n++;
        d->sums.x += x[i];
        d->sums.y += y[i];
        d->sums.xx += x[i] * x[i];
        d->sums.yy += y[i] * y[i];
        d->sums.xy += x[i] * y[i];
    }
}

/* Which of n numbers are the same, to the bit. */
static void find_equal(bool *equal, const es_cells *x, const es_cells *y, int64_t n)
{
    int64_t a[ES_ROW], b[ES_ROW];
    es_cells_to_ints(a, x, n, x->dtype);
    es_cells_to_ints(b, y, n, y->dtype);
    for (int64_t i = 0; i < n; i++)
        equal[i] = a[i] == b[i];
}

static bool piece(walk *w, const int64_t *index, int64_t from, int64_t n)
{
    double a[ES_ROW], b[ES_ROW];
    bool equal[ES_ROW];
    int64_t before = w->d->different;
    int last = w->x->shape.ndim - 1;
    es_cells x = cells_at(w->x, index, w->x->stride[last]),
             y = cells_at(w->y, index, w->y->stride[last]);
    es_cells_to_floats(a, &x, n, x.dtype);
    es_cells_to_floats(b, &y, n, y.dtype);
    for (int64_t i = 0; i < n; i++)
        equal[i] = a[i] == b[i] || (isnan(a[i]) && isnan(b[i]));
    if (w->ints)
        find_equal(equal, &x, &y, n);
    add_sums(w->d, a, b, n);
    unsigned char *hit = w->d->axis[last].hit + from;
    for (int64_t i = 0; i < n; i++) {
        w->d->zero_x = w->d->zero_x && a[i] == 0;
        w->d->zero_y = w->d->zero_y && b[i] == 0;
        if (!isfinite(a[i]) || !isfinite(b[i]))
            count_odd(w->d, a[i], b[i]);
        if (equal[i])
            continue;
        int64_t known = w->d->different;
        unlike(w, w->place + from + i, a[i], b[i]);
        hit[i] |= w->d->different > known;
    }
    return w->d->different > before;
}

static bool row(es_torch *k, walk *w, int64_t *index, es_error *err)
{
    int last = w->x->shape.ndim - 1;
    int64_t n = w->x->shape.dim[last];
    bool any = false;
    for (int64_t from = 0; from < n; from += ES_ROW) {
        index[last] = from;
        any |= piece(w, index, from, n - from < ES_ROW ? n - from : ES_ROW);
        w->worked += ES_ROW;
        if (w->worked >= ES_STRETCH_WORK && !es_watch_step(k->watch, 0, err))
            return false;
        w->worked %= ES_STRETCH_WORK;
    }
    index[last] = 0;
    w->place += n;
    for (int d = 0; d < last && any; d++)
        w->d->axis[d].hit[index[d]] = 1;
    return true;
}

static bool rows(es_torch *k, walk *w, es_error *err)
{
    int64_t index[ES_MAX_DIMS] = {0};
    do
        if (!row(k, w, index, err))
            return false;
    while (es_place_next(index, &w->x->shape, w->x->shape.ndim - 1));
    return true;
}

bool es_torch_differ(es_torch *k, es_difference *d, const es_tensor *x, const es_tensor *y,
                     double rtol, double atol, es_error *err)
{
    es_tensor a = *x, b = *y; /* a number is a row of one */
    if (a.shape.ndim == 0) {
        a.shape = b.shape = es_shape_1d("", 1);
        a.stride[0] = b.stride[0] = 1;
    }
    *d = (es_difference){.n = es_shape_count(&x->shape), .zero_x = true, .zero_y = true};
    d->first.at = d->absolute.at = d->relative.at = -1;
    for (int i = 0; i < a.shape.ndim; i++) {
        size_t n = (size_t)a.shape.dim[i];
        d->axis[i].hit = es_try_alloc(n + 1, 1, "comparing", err);
        if (!d->axis[i].hit)
            return false;
        memset(d->axis[i].hit, 0, n + 1);
    }
    walk w = {.d = d, .x = &a, .y = &b, .rtol = rtol, .atol = atol};
    w.ints = !es_dtype_is_float(x->dtype) && !es_dtype_is_float(y->dtype);
    if (d->n && !rows(k, &w, err))
        return false;
    for (int i = 0; i < a.shape.ndim; i++)
        for (int64_t at = 0; at < a.shape.dim[i]; at++)
            d->axis[i].n += d->axis[i].hit[at];
    return true;
}

bool es_difference_correlation(const es_difference *d, double *r)
{
    double n = (double)d->sums.n;
    double x = d->sums.xx - d->sums.x * d->sums.x / n, y = d->sums.yy - d->sums.y * d->sums.y / n;
    if (d->sums.n < FEW || !(x > ROUNDED * d->sums.xx) || !(y > ROUNDED * d->sums.yy))
        return false;
    *r = (d->sums.xy - d->sums.x * d->sums.y / n) / sqrt(x) / sqrt(y);
    return isfinite(*r);
}

void es_difference_free(es_difference *d)
{
    for (int i = 0; i < ES_MAX_DIMS; i++) {
        free(d->axis[i].hit);
        d->axis[i].hit = NULL;
    }
}

/* ---- for a reader ---- */

/* Of the axis T an index is called t; others have no names, nor have those of the axis B·T. */
static bool is_letter(const es_label *label)
{
    return es_label_is_named(label) && !label->s[1];
}

static void axis_name(es_str *out, const es_label *label)
{
    if (is_letter(label))
        es_str_add(out, "%c=", tolower((unsigned char)label->s[0]));
}

void es_place_show(es_str *out, const es_shape *shape, int64_t place)
{
    int64_t index[ES_MAX_DIMS];
    es_place_split(index, shape, place);
    es_str_char(out, '[');
    for (int d = 0; d < shape->ndim; d++) {
        es_str_cat(out, d ? ", " : "");
        axis_name(out, &shape->label[d]);
        es_str_add(out, "%" PRId64, index[d]);
    }
    es_str_char(out, ']');
}

static void one_index(es_str *out, const es_shape *shape, int d, int64_t i)
{
    if (is_letter(&shape->label[d]))
        axis_name(out, &shape->label[d]);
    else
        es_str_add(out, "axis %d, index ", d);
    es_str_add(out, "%" PRId64, i);
}

static void some_indices(es_str *out, const es_difference *diff, const es_shape *shape, int d)
{
    int64_t n = shape->dim[d], from = 0, to = n - 1;
    while (!diff->axis[d].hit[from])
        from++;
    while (!diff->axis[d].hit[to])
        to--;
    one_index(out, shape, d, from);
    if (from == to)
        es_str_cat(out, from == n - 1 && n > 2 ? " (the last)" : "");
    else if (to - from + 1 == diff->axis[d].n)
        es_str_add(out, " to %" PRId64, to);
    else
        es_str_add(out, " to %" PRId64 " (%" PRId64 " of %" PRId64 ")", to, diff->axis[d].n, n);
}

void es_difference_where(es_str *out, const es_difference *diff, const es_shape *shape)
{
    int shown = 0;
    for (int d = 0; d < shape->ndim; d++) {
        if (diff->axis[d].n == shape->dim[d])
            continue;
        es_str_cat(out, shown++ ? ", " : "only at ");
        some_indices(out, diff, shape, d);
    }
    if (!shown)
        es_str_cat(out, diff->different == diff->n ? "everywhere" : "all over");
}
