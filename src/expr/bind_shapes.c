// SPDX-License-Identifier: GPL-3.0-or-later
#include "expr/bind_shapes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "torch/index.h"
#include "torch/views.h"

bool es_give(es_value *out, es_tensor *t, bool made)
{
    if (made)
        *out = es_value_tensor(t);
    return made;
}

bool es_give_all(es_value *out, es_tensor *t, int64_t n)
{
    es_value *all = es_alloc_array((size_t)n + 1, sizeof *all);
    for (int64_t i = 0; i < n; i++)
        all[i] = es_value_tensor(&t[i]);
    *out = es_value_tuple(all, n);
    free(all);
    return true;
}

/* The columns of (n, rank), one tensor each. */
static bool columns(es_args *a, es_value *out, const es_tensor *places, es_error *err)
{
    es_tensor at[ES_MAX_DIMS];
    int64_t n = places->shape.dim[1], made = 0;
    bool ok = true;
    for (; ok && made < n; made += ok)
        ok = es_torch_select(a->k, &at[made], places, 1, made, err);
    while (!ok && made > 0)
        es_tensor_free(&at[--made]);
    return ok && es_give_all(out, at, n);
}

bool es_give_places(es_args *a, es_value *out, const es_tensor *x, es_error *err)
{
    es_tensor places;
    if (!es_torch_nonzero(a->k, &places, x, err))
        return false;
    bool ok = columns(a, out, &places, err);
    es_tensor_free(&places);
    return ok;
}

bool es_arg_ints(es_args *a, int i, int64_t *out, int most, int64_t *n, es_error *err)
{
    es_args one = *a; /* whose parameter is each of them in turn */
    int at = i < 0 ? a->tail : i;
    const es_value *of = i < 0 ? a->rest : &a->v[i];
    *n = i < 0 ? a->n_rest : 1;
    if (i >= 0 && es_value_is_sequence(of)) {
        *n = es_value_items(of)->n;
        of = es_value_items(of)->of;
    }
    if (*n > most) {
        es_fail(err, ES_ERR_DIM_RANGE,
                "%s(): %" PRId64 " numbers are given for '%.*s', and a "
                "tensor has at most %d axes here",
                a->of->name, *n, a->param[at].n, a->param[at].s, most);
        return es_arg_blame(a, at, err);
    }
    for (int64_t j = 0; j < *n; j++) {
        one.v[at] = of[j];
        if (!es_arg_int64(&one, at, &out[j], err))
            return false;
    }
    return true;
}

bool es_arg_int_or(es_args *a, int i, int64_t otherwise, int64_t *out, es_error *err)
{
    *out = otherwise;
    return a->v[i].kind == ES_V_KINDS || es_arg_int64(a, i, out, err);
}
