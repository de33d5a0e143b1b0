// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "torch/cast.h"
#include "torch/device.h"
#include "torch/host.h"
#include "torch/index.h"
#include "torch/move.h"
#include "torch/subscript.h"

static bool wrong_dtype(const es_tensor *x, const es_tensor *value, es_error *err)
{
    es_fail(err, ES_ERR_DTYPE, "numbers of %s cannot be put into places of a tensor of %s",
            es_dtype_name(value->dtype), es_dtype_name(x->dtype));
    return es_torch_says(err,
                         "Index put requires the source and destination dtypes match, got %s for "
                         "the destination and %s for the source.",
                         es_torch_scalar_name(x->dtype), es_torch_scalar_name(value->dtype));
}

static bool wrong_shape(const es_subscript *s, const es_tensor *value, es_error *err)
{
    es_str from = {0}, to = {0}, its = {0}, own = {0};
    es_torch_sizes(&from, &value->shape);
    es_torch_sizes(&to, &s->shape);
    es_shape_show(&its, &value->shape);
    es_shape_show(&own, &s->shape);
    es_fail(err, ES_ERR_BROADCAST, "a value %s does not stretch to the places %s", its.s, own.s);
    es_torch_says(err,
                  "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result "
                  "of shape %s",
                  from.s, to.s);
    es_str_free(&from);
    es_str_free(&to);
    es_str_free(&its);
    es_str_free(&own);
    return false;
}

/* value in host memory of its own, so that writing does not change what is still to be read. */
static bool apart(es_torch *k, es_tensor *out, const es_tensor *value, const es_tensor *x,
                  es_error *err)
{
    static const int64_t *const as_it_is[ES_MAX_DIMS];
    es_tensor there;
    if (value->dtype == x->dtype && value->buf == x->buf)
        return es_torch_take(k, out, value, &value->shape, as_it_is, err);
    if (value->dtype == x->dtype)
        es_tensor_view(&there, value);
    else if (!es_torch_to(k, &there, value, x->dtype, x->buf->be, err))
        return false;
    bool ok = es_torch_here(k, out, &there, "writing", err);
    es_tensor_free(&there);
    return ok;
}

static bool write_places(es_torch *k, const es_subscript *s, const es_tensor *value,
                         const int64_t *at, es_error *err)
{
    es_tensor from, to;
    es_subscript_source(s, &to);
    es_subscript_target(s, value, &from);
    int64_t begin = to.offset, source = from.offset, n = es_shape_count(&s->spread);
    es_view places = {.ndim = s->spread.ndim};
    for (int d = 0; d < places.ndim; d++) {
        places.dim[d] = s->spread.dim[d];
        places.stride[d] = value->stride[s->front + d];
    }
    for (int64_t p = 0; p < n; p++) {
        to.offset = begin + at[p];
        from.offset = source + es_view_at(&places, p);
        if (!es_torch_move(k, &to, &from, err))
            return false;
        if (p % 4096 == 4095 && !es_watch_step(k->watch, 0, err))
            return false;
    }
    return true;
}

static bool write_by_tensors(es_torch *k, const es_subscript *s, const es_tensor *value,
                             es_error *err)
{
    es_tensor own = {0}, wide = {0};
    bool one = es_shape_count(&value->shape) == 1; /* is filled in, and may be of any kind */
    if (value->dtype != s->base.dtype && !value->number && !one)
        return wrong_dtype(&s->base, value, err);
    if (!es_torch_goes_anywhere(value) && !es_torch_same_device(&s->base, value, NULL, err))
        return false;
    es_error ours = ES_ERROR_NONE;
    bool fits = es_tensor_expand(&wide, value, &s->shape, &ours);
    es_error_free(&ours);
    es_tensor_free(&wide);
    if (!fits)
        return wrong_shape(s, value, err);
    if (k->shapes_only || es_subscript_meta(s))
        return true;
    es_subscript here = *s; /* in host memory */
    bool ok = es_host_operand(k, &here.base, &s->base, NULL, "writing by an index", err);
    int64_t *at = ok ? es_subscript_offsets(k, &here, err) : NULL;
    ok = at && apart(k, &own, value, &here.base, err) &&
         es_tensor_expand(&wide, &own, &s->shape, err) && write_places(k, &here, &wide, at, err) &&
         es_host_back(&s->base, &here.base, err);
    es_tensor_free(&wide);
    es_tensor_free(&own);
    es_tensor_free(&here.base);
    free(at);
    return ok;
}

bool es_torch_index_put(es_torch *k, const es_tensor *x, const es_sub *sub, int n,
                        const es_tensor *value, es_error *err)
{
    es_subscript s;
    bool ok = es_subscript_new(k, &s, x, sub, n, err);
    if (ok && !k->shapes_only)
        ok = es_torch_own(&s.base, err);
    if (ok && s.n == 0)
        ok = es_torch_assign(k, &s.base, value, false, err);
    else if (ok)
        ok = write_by_tensors(k, &s, value, err);
    es_subscript_free(&s);
    return ok;
}
