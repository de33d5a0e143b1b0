// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/move.h"

#include <inttypes.h>
#include <string.h>

#include "torch/cast.h"
#include "torch/host.h"
#include "torch/pick.h"

enum { LOOK = 1 << 16 }; /* elements between two looks at the watch */

static void copy_1(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        d[i * ds] = s[i * ss];
}

static void copy_4(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(d + i * ds, s + i * ss, 4);
}

static void copy_8(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        memcpy(d + i * ds, s + i * ss, 8);
}

/* n elements of `size` bytes, strides in bytes. */
static void copy_run(char *d, ptrdiff_t ds, const char *s, ptrdiff_t ss, int64_t n, size_t size)
{
    if (ds == (ptrdiff_t)size && ss == ds)
        memcpy(d, s, (size_t)n * size);
    else if (size == 1)
        copy_1(d, ds, s, ss, n);
    else if (size == 4)
        copy_4(d, ds, s, ss, n);
    else
        copy_8(d, ds, s, ss, n);
}

static char *start(const es_tensor *t)
{
    return (char *)t->buf->mem + (size_t)t->offset * es_dtype_size(t->dtype);
}

/* The next row of all axes but the last: i counts up like the wheels of an odometer.  False: it was the last. */
static bool next_row(int64_t *i, const es_shape *shape)
{
    for (int d = shape->ndim - 2; d >= 0; d--) {
        if (++i[d] < shape->dim[d])
            return true;
        i[d] = 0;
    }
    return false;
}

static int64_t row_at(const es_tensor *t, const int64_t *i)
{
    int64_t at = 0;
    for (int d = 0; d < t->shape.ndim - 1; d++)
        at += i[d] * t->stride[d];
    return at;
}

bool es_torch_move(es_torch *k, const es_tensor *dst, const es_tensor *src, es_error *err)
{
    if (es_shape_count(&dst->shape) == 0)
        return true;
    ptrdiff_t size = (ptrdiff_t)es_dtype_size(dst->dtype);
    int last = dst->shape.ndim - 1;
    int64_t n = last >= 0 ? dst->shape.dim[last] : 1, since = 0, i[ES_MAX_DIMS] = {0};
    ptrdiff_t ds = last >= 0 ? dst->stride[last] * size : size;
    ptrdiff_t ss = last >= 0 ? src->stride[last] * size : size;
    do {
        copy_run(start(dst) + row_at(dst, i) * size, ds, start(src) + row_at(src, i) * size, ss, n,
                 (size_t)size);
        since += n;
        if (since >= LOOK && !es_watch_step(k->watch, 0, err))
            return false;
        since = since >= LOOK ? 0 : since;
    } while (next_row(i, &dst->shape));
    return true;
}

/* Where row i of out is read in x, but for the last axis. */
static int64_t taken_row(const es_tensor *x, const int64_t *i, const int64_t *const *at)
{
    int64_t from = 0;
    for (int d = 0; d < x->shape.ndim - 1; d++)
        from += (at[d] ? at[d][i[d]] : i[d]) * x->stride[d];
    return from;
}

static void take_run(char *d, const char *s, ptrdiff_t ss, int64_t n, size_t size,
                     const int64_t *at)
{
    if (!at)
        copy_run(d, (ptrdiff_t)size, s, ss, n, size);
    for (int64_t i = 0; at && i < n; i++)
        memcpy(d + i * (ptrdiff_t)size, s + at[i] * ss, size);
}

static bool fill_taken(es_torch *k, const es_tensor *out, const es_tensor *x,
                       const int64_t *const *at, es_error *err)
{
    ptrdiff_t size = (ptrdiff_t)es_dtype_size(x->dtype);
    int last = x->shape.ndim - 1;
    int64_t n = last >= 0 ? out->shape.dim[last] : 1, since = 0, i[ES_MAX_DIMS] = {0};
    char *to = start(out);
    do {
        take_run(to, start(x) + taken_row(x, i, at) * size, last >= 0 ? x->stride[last] * size : 0,
                 n, (size_t)size, last >= 0 ? at[last] : NULL);
        to += n * size;
        since += n;
        if (since >= LOOK && !es_watch_step(k->watch, 0, err))
            return false;
        since = since >= LOOK ? 0 : since;
    } while (next_row(i, &out->shape));
    return true;
}

/* The same on a device: a copy where no axis has a list. */
static bool pick_taken(es_torch *k, const es_tensor *out, const es_tensor *x,
                       const int64_t *const *at, es_error *err)
{
    es_pick axis[ES_MAX_DIMS];
    int n = x->shape.ndim, lists = 0;
    es_tensor same = *x; /* borrows; with out's names */
    for (int d = 0; d < n; d++) {
        lists += at[d] != NULL;
        axis[d] = (es_pick){out->shape.dim[d], x->stride[d], at[d]};
    }
    same.shape = out->shape;
    return lists ? es_torch_pick(k, out, x, axis, n, err)
                 : es_torch_assign(k, out, &same, false, err);
}

bool es_torch_take(es_torch *k, es_tensor *out, const es_tensor *x, const es_shape *shape,
                   const int64_t *const *at, es_error *err)
{
    if (!es_torch_like(k, out, x, x->dtype, shape, err))
        return false;
    if (es_torch_meta(out) || es_shape_count(shape) == 0)
        return true;
    if (es_torch_ready(k, x, "copying", err) && (es_torch_far(x) || es_host_instead(out, err)) &&
        (es_torch_far(x) ? pick_taken(k, out, x, at, err) : fill_taken(k, out, x, at, err)))
        return true;
    es_tensor_free(out);
    return false;
}

void es_torch_sizes(es_str *out, const es_shape *s)
{
    es_str_char(out, '[');
    for (int i = 0; i < s->ndim; i++)
        es_str_add(out, "%s%" PRId64, i ? ", " : "", s->dim[i]);
    es_str_char(out, ']');
}

void es_torch_place(es_str *out, const es_shape *s, int64_t i)
{
    es_shape place = *s;
    for (int d = s->ndim - 1; d >= 0; d--) {
        place.dim[d] = i % s->dim[d];
        i /= s->dim[d];
    }
    es_torch_sizes(out, &place);
}
