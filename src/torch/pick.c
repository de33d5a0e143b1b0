// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/pick.h"

#include <stdlib.h>

#include "base/mem.h"

/* The last axes, as far as they are one run of places evenly apart: n places; the axes before them are left. */
typedef struct tail {
    int axes;
    int64_t n, step;
} tail;

static tail tail_of(const es_pick *axis, int n)
{
    tail t = {.axes = n, .n = 1, .step = 1};
    while (t.axes > 0 && !axis[t.axes - 1].at) {
        const es_pick *next = &axis[t.axes - 1];
        if (next->n != 1 && t.n != 1 && next->stride != t.n * t.step)
            break;
        t.step = t.n == 1 ? next->stride : t.step;
        t.n *= next->n;
        t.axes--;
    }
    return t;
}

static int64_t place(const es_pick *axis, int64_t i)
{
    return (axis->at ? axis->at[i] : i) * axis->stride;
}

/* Where each row begins; *most: the largest. */
static bool begin_rows(es_torch *k, int32_t *id, int64_t rows, const es_pick *axis, int axes,
                       int32_t *most, es_error *err)
{
    enum { LOOK = 1 << 16 };
    *most = 0;
    for (int64_t r = 0; r < rows; r++) {
        int64_t at = 0, i = r;
        for (int d = axes - 1; d >= 0; i /= axis[d--].n)
            at += place(&axis[d], i % axis[d].n);
        id[r] = (int32_t)at; /* a tensor has at most 2^31 elements */
        *most = id[r] > *most ? id[r] : *most;
        if (r % LOOK == LOOK - 1 && !es_watch_step(k->watch, (uint64_t)r, err))
            return false;
    }
    return true;
}

/* The memory from x's first number on is a table with a row at every element. */
bool es_torch_pick(es_torch *k, const es_tensor *out, const es_tensor *x, const es_pick *axis,
                   int n, es_error *err)
{
    const tail run = tail_of(axis, n);
    int64_t rows = 1;
    int32_t most;
    for (int d = 0; d < run.axes; d++)
        rows *= axis[d].n;
    int32_t *id = es_try_alloc((size_t)rows, sizeof *id, "the places of an index", err);
    bool ok = id && begin_rows(k, id, rows, axis, run.axes, &most, err);
    if (ok) {
        es_view table = {.buf = x->buf, .offset = x->offset, .ndim = 2};
        es_view to = {.buf = out->buf, .offset = out->offset, .ndim = 3};
        table.dim[0] = (int64_t)most + 1;
        table.stride[0] = 1;
        to.dim[0] = 1;
        to.dim[1] = rows;
        to.dim[2] = table.dim[1] = run.n;
        to.stride[0] = rows * run.n;
        to.stride[1] = run.n;
        to.stride[2] = 1;
        table.stride[1] = run.step;
        ok = out->buf->be->ops->gather(&to, &table, id, NULL, err);
    }
    free(id);
    return ok;
}
