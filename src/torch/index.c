// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/index.h"

#include <stdlib.h>

#include "torch/host.h"
#include "torch/move.h"
#include "torch/pick.h"
#include "torch/subscript.h"

/* Elements from one place of spread to the next in a dense result. */
static int64_t place_step(const es_subscript *s, const es_tensor *t)
{
    return s->spread.ndim > 0 ? t->stride[s->front + s->spread.ndim - 1] : 0;
}

static bool read_places(es_torch *k, const es_subscript *s, es_tensor *out, const int64_t *at,
                        es_error *err)
{
    es_tensor from, to;
    es_subscript_source(s, &from);
    es_subscript_target(s, out, &to);
    int64_t begin = from.offset, n = es_shape_count(&s->spread), step = place_step(s, out);
    for (int64_t p = 0; p < n; p++, to.offset += step) {
        from.offset = begin + at[p];
        if (!es_torch_move(k, &to, &from, err))
            return false;
        if (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

/* The same on a device: the places of spread are one axis of the result. */
static bool pick_places(es_torch *k, const es_subscript *s, es_tensor *out, const int64_t *at,
                        es_error *err)
{
    es_tensor from;
    es_pick axis[ES_MAX_DIMS + 1];
    int n = 0;
    es_subscript_source(s, &from);
    for (int d = 0; d <= from.shape.ndim; d++) {
        if (d == s->front)
            axis[n++] = (es_pick){es_shape_count(&s->spread), 1, at};
        if (d < from.shape.ndim)
            axis[n++] = (es_pick){from.shape.dim[d], from.stride[d], NULL};
    }
    return es_shape_count(&out->shape) == 0 || es_torch_pick(k, out, &from, axis, n, err);
}

/* Rows of a table that nobody has read whole. */
static bool read_table(es_torch *k, const es_subscript *s, es_tensor *out, int64_t *at,
                       es_error *err)
{
    int64_t n = es_shape_count(&s->spread), C = s->base.shape.dim[1];
    for (int64_t p = 0; p < n; p++)
        at[p] /= C;
    es_tensor rows;
    if (!es_torch_gather_rows(k, &rows, &s->base, at, n, err))
        return false;
    rows.shape = out->shape;
    for (int d = 0; d < out->shape.ndim; d++)
        rows.stride[d] = out->stride[d];
    es_tensor_free(out);
    *out = rows;
    return true;
}

static bool fill(es_torch *k, const es_subscript *s, es_tensor *out, int64_t *at, es_error *err)
{
    bool of_table = !s->base.buf->mem && !es_torch_far(&s->base) && s->n == 1 && s->axis[0] == 0 &&
                    s->base.shape.dim[1] > 0 && es_torch_table_of(&s->base);
    if (of_table)
        return read_table(k, s, out, at, err);
    if (!es_torch_ready(k, &s->base, "indexing", err))
        return false;
    return es_torch_far(out) ? pick_places(k, s, out, at, err) : read_places(k, s, out, at, err);
}

static bool read_by_tensors(es_torch *k, const es_subscript *s, es_tensor *out, es_error *err)
{
    const es_tensor *like = es_subscript_meta(s) && !es_torch_meta(&s->base) ? NULL : &s->base;
    for (int j = 0; !like; j++)
        like = es_torch_meta(&s->at[j]) ? &s->at[j] : NULL;
    int64_t *at = es_subscript_meta(s) ? NULL : es_subscript_offsets(k, s, err);
    if (!at && !es_subscript_meta(s))
        return false;
    bool ok = es_torch_like(k, out, like, s->base.dtype, &s->shape, err);
    if (ok && !es_torch_meta(out) && !fill(k, s, out, at, err)) {
        es_tensor_free(out);
        ok = false;
    }
    free(at);
    return ok;
}

bool es_torch_index(es_torch *k, es_tensor *out, const es_tensor *x, const es_sub *sub, int n,
                    es_error *err)
{
    es_subscript s;
    *out = (es_tensor){0};
    bool ok = es_subscript_new(k, &s, x, sub, n, err);
    if (ok && s.n > 0)
        ok = read_by_tensors(k, &s, out, err);
    else if (ok)
        es_tensor_view(out, &s.base);
    es_subscript_free(&s);
    return ok;
}
