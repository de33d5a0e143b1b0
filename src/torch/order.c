// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/ops.h"
#include "torch/cells.h"
#include "torch/host.h"
#include "torch/label.h"
#include "torch/move.h"

/* ---- one line of numbers, sorted ---- */

/* A number and where it was; floats are kept as ints in the same order. */
typedef struct entry {
    int64_t key, at;
} entry;

typedef struct line {
    es_torch *k;
    entry *e, *other; /* n each; the sorted ones are in e */
    int64_t n;
    int64_t work; /* since the watch was looked at */
} line;

/* Ints that are ordered as the doubles are: NaN above all, -0 and 0 alike. */
static int64_t key_of_float(double x)
{
    union {
        double f;
        int64_t i;
    } bits = {.f = x == 0 ? 0.0 : x};
    if (isnan(x))
        return INT64_MAX;
    return bits.i < 0 ? INT64_MIN - bits.i : bits.i;
}

static bool worked(line *l, int64_t n, es_error *err)
{
    enum { LOOK = 1 << 16 };
    l->work += n;
    if (l->work < LOOK)
        return true;
    l->work = 0;
    return es_watch_step(l->k->watch, 0, err);
}

static int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Is a to stand behind b?  Of equal ones the first comes first. */
static bool behind(const entry *a, const entry *b)
{
    return a->key > b->key || (a->key == b->key && a->at > b->at);
}

/* Two sorted runs of e, [a, b) and [b, c), to one in other. */
static void merge(line *l, int64_t a, int64_t b, int64_t c)
{
    for (int64_t i = a, j = b, to = a; to < c; to++)
        l->other[to] = i < b && (j >= c || !behind(&l->e[i], &l->e[j])) ? l->e[i++] : l->e[j++];
}

static bool sort_line(line *l, es_error *err)
{
    for (int64_t width = 1; width < l->n; width *= 2) {
        for (int64_t a = 0; a < l->n; a += 2 * width) {
            int64_t b = min64(a + width, l->n), c = min64(a + 2 * width, l->n);
            merge(l, a, b, c);
            if (!worked(l, c - a, err))
                return false;
        }
        entry *sorted = l->other;
        l->other = l->e;
        l->e = sorted;
    }
    return true;
}

static bool line_new(line *l, es_torch *k, int64_t n, es_error *err)
{
    size_t room = (size_t)(n ? n : 1);
    const es_shape entries = es_shape_2d("", n, "", 2 * sizeof(entry) / sizeof(int64_t));
    *l = (line){.k = k, .n = n};
    if (!es_torch_fits(k, ES_INT64, &entries, err))
        return false;
    l->e = es_try_alloc(room, sizeof *l->e, "numbers to sort", err);
    l->other = l->e ? es_try_alloc(room, sizeof *l->other, "numbers to sort", err) : NULL;
    return l->other != NULL;
}

static void line_free(line *l)
{
    free(l->e);
    free(l->other);
}

/* ---- lines along an axis ---- */

/* x with the axis last, and how many lines there are. */
static int64_t axis_last(es_tensor *lines, const es_tensor *x, int axis)
{
    int64_t n = 1;
    *lines = *x; /* borrows x's memory */
    for (int d = axis; d < x->shape.ndim - 1; d++) {
        lines->shape.dim[d] = x->shape.dim[d + 1];
        lines->stride[d] = x->stride[d + 1];
    }
    if (x->shape.ndim == 0)
        return 1;
    lines->shape.dim[x->shape.ndim - 1] = x->shape.dim[axis];
    lines->stride[x->shape.ndim - 1] = x->stride[axis];
    for (int d = 0; d < x->shape.ndim - 1; d++)
        n *= lines->shape.dim[d];
    return n;
}

/* A line: where its first number lies, and how far apart they are. */
typedef struct run {
    es_tensor one; /* its numbers, one at a time; borrows memory */
    int64_t begin, step;
} run;

static run run_of(const es_tensor *lines, int64_t i)
{
    run r = {.one = *lines};
    int n = lines->shape.ndim;
    es_view v = es_tensor_as_view(lines);
    r.begin = es_view_at(&v, n ? i * lines->shape.dim[n - 1] : 0);
    r.step = n ? lines->stride[n - 1] : 0;
    r.one.shape.ndim = 0;
    return r;
}

static int64_t key_of(run *r, int64_t i)
{
    r->one.offset = r->begin + i * r->step;
    return es_dtype_is_float(r->one.dtype) ? key_of_float(es_torch_get_float(&r->one, 0))
                                           : es_torch_get_int(&r->one, 0);
}

/* ~key turns the order around. */
static entry entry_at(run *r, int64_t i, bool descending)
{
    int64_t key = key_of(r, i);
    return (entry){.key = descending ? ~key : key, .at = i};
}

/* The heap e[0..n), the last in order on top, after its top was replaced. */
static void sift_down(entry *e, int64_t n)
{
    for (int64_t i = 0, child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && behind(&e[child + 1], &e[child]);
        if (!behind(&e[child], &e[i]))
            return;
        entry moved = e[i];
        e[i] = e[child];
        e[child] = moved;
    }
}

/* The same after one was added at its end. */
static void sift_up(entry *e, int64_t i)
{
    for (int64_t up = (i - 1) / 2; i > 0 && behind(&e[i], &e[up]); i = up, up = (i - 1) / 2) {
        entry moved = e[i];
        e[i] = e[up];
        e[up] = moved;
    }
}

/* The first l->n of a line of n numbers, in any order. */
static bool read_line(line *l, run *r, int64_t n, bool descending, es_error *err)
{
    bool all = l->n == n;
    for (int64_t i = 0; i < n; i++) {
        entry e = entry_at(r, i, descending);
        if (i < l->n) {
            l->e[i] = e;
            if (!all)
                sift_up(l->e, i);
        } else if (l->n > 0 && behind(&l->e[0], &e)) {
            l->e[0] = e;
            sift_down(l->e, l->n);
        }
        if (i % 4096 == 4095 && !worked(l, 4096, err))
            return false;
    }
    return true;
}

static void write_line(const line *l, const run *values, const run *indices, const run *x)
{
    size_t size = es_dtype_size(x->one.dtype);
    for (int64_t i = 0; i < l->n; i++) {
        if (values->one.buf)
            memcpy((char *)values->one.buf->mem + (size_t)(values->begin + i * values->step) * size,
                   (const char *)x->one.buf->mem + (size_t)(x->begin + l->e[i].at * x->step) * size,
                   size);
        ((int64_t *)indices->one.buf->mem)[indices->begin + i * indices->step] = l->e[i].at;
    }
}

/* values (may be NULL) and indices, made, with fewer on the axis perhaps, from x, ready. */
static bool order_lines(es_torch *k, const es_tensor *values, const es_tensor *indices,
                        const es_tensor *x, int axis, bool descending, es_error *err)
{
    es_tensor from, to_values = {0}, to_indices;
    int64_t lines = axis_last(&from, x, axis), n = x->shape.ndim ? x->shape.dim[axis] : 1;
    axis_last(&to_indices, indices, axis);
    if (values)
        axis_last(&to_values, values, axis);
    if (es_shape_count(&indices->shape) == 0)
        return true;
    line l;
    bool ok = line_new(&l, k, x->shape.ndim ? indices->shape.dim[axis] : 1, err);
    for (int64_t i = 0; ok && i < lines; i++) {
        run r = run_of(&from, i), v = {0}, at = run_of(&to_indices, i);
        if (values)
            v = run_of(&to_values, i);
        ok = read_line(&l, &r, n, descending, err) && sort_line(&l, err) && worked(&l, n, err);
        if (ok)
            write_line(&l, &v, &at, &r);
    }
    line_free(&l);
    return ok;
}

/* The same of x and with results in host memory, which then go where they belong. */
static bool order_here(es_torch *k, es_tensor *values, const es_tensor *indices, const es_tensor *x,
                       int axis, bool descending, const char *what, es_error *err)
{
    es_tensor here;
    if ((values && !es_host_instead(values, err)) || !es_host_operand(k, &here, x, NULL, what, err))
        return false;
    bool ok = order_lines(k, values, indices, &here, axis, descending, err) &&
              (!values || es_host_done(k, values, err));
    es_tensor_free(&here);
    return ok;
}

/* ---- on a device: the largest ---- */

/* All of them in order are sorted by the host. */
static bool device_has(const es_tensor *values, const es_tensor *x, int axis, bool descending)
{
    return values && descending && es_torch_far(x) && x->shape.ndim > 0 &&
           values->shape.dim[axis] < x->shape.dim[axis] && es_shape_count(&values->shape) > 0;
}

static bool order_there(es_torch *k, const es_tensor *values, const es_tensor *indices,
                        const es_tensor *x, int axis, es_error *err)
{
    es_tensor from, to, at, dense;
    axis_last(&from, x, axis);
    axis_last(&to, values, axis);
    axis_last(&at, indices, axis);
    if (!es_torch_ready(k, x, "topk", err) ||
        !es_tensor_new(&dense, x->buf->be, ES_INT64, &at.shape, err))
        return false;
    bool ok = es_topk(&to, dense.buf->mem, &from, err) && es_torch_move(k, &at, &dense, err);
    es_tensor_free(&dense);
    return ok;
}

/* Results of that shape; nothing more where x is meta. */
static bool ordered(es_torch *k, es_tensor *values, es_tensor *indices, const es_tensor *x,
                    const es_shape *shape, int axis, bool descending, const char *what,
                    es_error *err)
{
    es_tensor made = {0};
    bool ok = (!values || es_torch_like(k, &made, x, x->dtype, shape, err)) &&
              es_torch_like(k, indices, x, ES_INT64, shape, err);
    if (ok && !es_torch_meta(indices))
        ok = device_has(values ? &made : NULL, x, axis, descending)
                 ? order_there(k, &made, indices, x, axis, err)
                 : order_here(k, values ? &made : NULL, indices, x, axis, descending, what, err);
    if (ok && values)
        *values = made;
    if (ok)
        return true;
    es_tensor_free(&made);
    es_tensor_free(indices);
    return false;
}

/* ---- sort and topk ---- */

bool es_torch_sort(es_torch *k, es_tensor *values, es_tensor *indices, const es_tensor *x,
                   int64_t typed, bool descending, es_error *err)
{
    int axis;
    *indices = (es_tensor){0};
    if (values)
        *values = (es_tensor){0};
    return es_torch_axis(&axis, typed, x->shape.ndim, err) &&
           ordered(k, values, indices, x, &x->shape, axis, descending, "sort", err);
}

bool es_torch_topk(es_torch *k, es_tensor *values, es_tensor *indices, const es_tensor *x,
                   int64_t n, const es_label *label, int64_t typed, bool largest, es_error *err)
{
    int axis;
    es_shape shape = x->shape;
    *values = *indices = (es_tensor){0};
    if (!es_torch_axis(&axis, typed, x->shape.ndim, err))
        return false;
    int64_t size = x->shape.ndim ? x->shape.dim[axis] : 1;
    if (n < 0 || n > size) {
        const char *name = x->shape.ndim ? x->shape.label[axis].s : "";
        es_fail(err, ES_ERR_INDEX_RANGE,
                "the %" PRId64 " %s of axis %d are asked for, and it has %s%s%" PRId64, n,
                largest ? "largest" : "smallest", axis, name, *name ? "=" : "", size);
        return es_torch_says(err, "selected index k out of range");
    }
    if (x->shape.ndim > 0) {
        shape.dim[axis] = n;
        if (n != size || es_label_is_named(label))
            shape.label[axis] = *label;
    }
    return ordered(k, values, indices, x, &shape, axis, largest, "topk", err);
}
