// SPDX-License-Identifier: GPL-3.0-or-later
/* Where index tensors point, and where masks are true. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/move.h"
#include "torch/subscript.h"

/* ---- where the index tensors point ---- */

static bool bad_index(const es_subscript *s, int j, int64_t p, int64_t i, es_error *err)
{
    es_str place = {0};
    if (s->at[j].shape.ndim > 0 && es_shape_equal(&s->at[j].shape, &s->spread)) {
        es_str_cat(&place, " at ");
        es_torch_place(&place, &s->spread, p);
    }
    es_subscript_outside(&s->base.shape, s->axis[j], s->axis[j], i, es_str_text(&place), err);
    es_str_free(&place);
    return es_torch_says(err,
                         "index %" PRId64 " is out of bounds for dimension %d with size %" PRId64,
                         i, j, s->base.shape.dim[s->axis[j]]); /* PyTorch counts index tensors */
}

static bool add_offsets(es_torch *k, int64_t *at, const es_subscript *s, int j, es_error *err)
{
    es_tensor index;
    int64_t size = s->base.shape.dim[s->axis[j]], stride = s->base.stride[s->axis[j]];
    if (!es_torch_ready(k, &s->at[j], "an index", err) ||
        !es_tensor_expand(&index, &s->at[j], &s->spread, err))
        return false;
    bool ok = true;
    for (int64_t p = 0, n = es_shape_count(&s->spread); ok && p < n; p++) {
        int64_t i = es_torch_get_int(&index, p);
        if (i < -size || i >= size)
            ok = bad_index(s, j, p, i, err);
        else
            at[p] += (i < 0 ? i + size : i) * stride;
        if (p % 4096 == 4095 && ok)
            ok = es_watch_step(k->watch, 0, err);
    }
    es_tensor_free(&index);
    return ok;
}

int64_t *es_subscript_offsets(es_torch *k, const es_subscript *s, es_error *err)
{
    int64_t n = es_shape_count(&s->spread);
    int64_t *at = es_torch_fits(k, ES_INT64, &s->spread, err)
                      ? es_try_alloc((size_t)(n ? n : 1), sizeof *at, "the places of an index", err)
                      : NULL;
    for (int64_t p = 0; at && p < n; p++)
        at[p] = 0;
    for (int j = 0; at && j < s->n; j++)
        if (!add_offsets(k, at, s, j, err)) {
            free(at);
            return NULL;
        }
    return at;
}

/* t without an axis, its memory borrowed. */
static void drop_axis(es_tensor *t, int axis)
{
    for (int d = axis; d < t->shape.ndim - 1; d++) {
        t->shape.dim[d] = t->shape.dim[d + 1];
        t->stride[d] = t->stride[d + 1];
    }
    t->shape.ndim--;
}

void es_subscript_source(const es_subscript *s, es_tensor *rest)
{
    *rest = s->base;
    for (int j = s->n - 1; j >= 0; j--)
        drop_axis(rest, s->axis[j]);
}

void es_subscript_target(const es_subscript *s, const es_tensor *t, es_tensor *rest)
{
    *rest = *t;
    for (int d = 0; d < s->spread.ndim; d++)
        drop_axis(rest, s->front);
}

/* ---- masks ---- */

static bool fill_places(es_torch *k, es_tensor *at, const es_tensor *mask, es_error *err)
{
    int64_t n = es_shape_count(&mask->shape), found = 0;
    for (int64_t i = 0; i < n; i++) {
        if (i % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
        if (es_torch_get_float(mask, i) == 0)
            continue;
        int64_t rest = i;
        for (int d = mask->shape.ndim - 1; d >= 0; d--) {
            ((int64_t *)at[d].buf->mem)[found] = rest % mask->shape.dim[d];
            rest /= mask->shape.dim[d];
        }
        found++;
    }
    return true;
}

static bool count_true(es_torch *k, int64_t *found, const es_tensor *mask, es_error *err)
{
    *found = 0;
    for (int64_t i = 0, n = es_shape_count(&mask->shape); i < n; i++) {
        if (i % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
        *found += es_torch_get_float(mask, i) != 0;
    }
    return true;
}

bool es_mask_places(es_torch *k, es_tensor *at, const es_tensor *mask, es_error *err)
{
    es_shape shape = es_shape_1d("n", 0);
    int made = 0, ndim = mask->shape.ndim;
    bool ok = count_true(k, &shape.dim[0], mask, err);
    for (; ok && made < ndim; made += ok)
        ok = es_tensor_new(&at[made], mask->buf->be, ES_INT64, &shape, err);
    ok = ok && fill_places(k, at, mask, err);
    while (!ok && made > 0)
        es_tensor_free(&at[--made]);
    return ok;
}
