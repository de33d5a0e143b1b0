// SPDX-License-Identifier: GPL-3.0-or-later
/* The k largest along the last axis: kernels/largest.cl.  A few are looked for, one after the other, in chunks of the row and then
 * among what these gave; many are had by sorting. */
#include <inttypes.h>
#include <limits.h>

#include "opencl/rows.h"
#include "opencl/slots.h"

enum {
    FEW = 32,     /* at most so many are looked for */
    CHUNK = 4096, /* keys that one group looks at */
    GROUP = 128
};

typedef struct search {
    es_cl_device *d;
    es_cl_grid g; /* of x and values, rows kept */
    cl_mem x, values;
    cl_long rows, n, k;
    cl_mem keys; /* (rows, width) */
    cl_long width;
} search;

static size_t group_of(const es_cl_device *d)
{
    size_t group = GROUP;
    while (group > d->most_group && group > 1)
        group /= 2;
    return group;
}

static cl_mem keys_new(const search *s, cl_long width, es_error *err)
{
    return es_cl_scratch(s->d, (size_t)(s->rows * width) * sizeof(cl_ulong), NULL, err);
}

static bool make_keys(search *s, cl_long width, es_error *err)
{
    size_t local[] = {group_of(s->d), 1},
           global[] = {es_cl_up((size_t)width, local[0]), (size_t)s->rows};
    s->width = width;
    s->keys = keys_new(s, width, err);
    return s->keys && ES_CL_RUN(s->d, ES_KERNEL_topk_keys, 2, global, local, err, ES_CL_ARG(s->x),
                                ES_CL_ARG(s->keys), ES_CL_ARG(s->g), ES_CL_ARG(width));
}

/* ---- a few ---- */

/* The best k of each chunk take the place of the keys. */
static bool narrow(search *s, es_error *err)
{
    cl_long chunk = CHUNK, chunks = (s->width + chunk - 1) / chunk, width = chunks * s->k;
    cl_int k = (cl_int)s->k;
    size_t local[] = {group_of(s->d), 1}, global[] = {(size_t)chunks * local[0], (size_t)s->rows};
    cl_mem best = keys_new(s, width, err);
    bool ok =
        best && ES_CL_RUN(s->d, ES_KERNEL_topk_best, 2, global, local, err, ES_CL_ARG(s->keys),
                          ES_CL_ARG(best), ES_CL_ARG(s->width), ES_CL_ARG(chunk), ES_CL_ARG(k),
                          {local[0] * sizeof(cl_ulong), NULL});
    es_cl_scratch_free(s->d, s->keys);
    s->keys = best;
    s->width = width;
    return ok;
}

static bool look_for_few(search *s, es_error *err)
{
    bool ok = make_keys(s, s->n, err);
    do
        ok = ok && narrow(s, err);
    while (ok && s->width > s->k);
    return ok;
}

/* ---- many ---- */

static bool sort_keys(search *s, es_error *err)
{
    cl_long width = 1;
    while (width < s->n)
        width *= 2;
    bool ok = make_keys(s, width, err);
    size_t local[] = {group_of(s->d), 1},
           global[] = {es_cl_up((size_t)width / 2, local[0]), (size_t)s->rows};
    for (cl_long run = 2; ok && run <= width; run *= 2)
        for (cl_long apart = run / 2; ok && apart > 0; apart /= 2)
            ok = ES_CL_RUN(s->d, ES_KERNEL_topk_sort, 2, global, local, err, ES_CL_ARG(s->keys),
                           ES_CL_ARG(width), ES_CL_ARG(run), ES_CL_ARG(apart));
    return ok;
}

/* ---- both ---- */

static bool take(search *s, int64_t *index, es_error *err)
{
    size_t local[] = {group_of(s->d), 1},
           global[] = {es_cl_up((size_t)s->k, local[0]), (size_t)s->rows},
           bytes = (size_t)(s->rows * s->k) * sizeof *index;
    cl_mem places = es_cl_scratch(s->d, bytes, NULL, err);
    bool ok = places &&
              ES_CL_RUN(s->d, ES_KERNEL_topk_take, 2, global, local, err, ES_CL_ARG(s->keys),
                        ES_CL_ARG(s->x), ES_CL_ARG(s->values), ES_CL_ARG(places), ES_CL_ARG(s->g),
                        ES_CL_ARG(s->width), ES_CL_ARG(s->k)) &&
              es_cl_fetch(s->d, index, places, 0, bytes, err);
    es_cl_scratch_free(s->d, places);
    return ok;
}

bool es_cl_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err)
{
    const es_view *views[] = {x, values};
    search s = {.d = es_cl_of(x->buf->be),
                .g = es_cl_grid_of(views, 2, 1),
                .x = es_cl_mem(x),
                .values = es_cl_mem(values),
                .n = x->dim[x->ndim - 1],
                .k = values->dim[values->ndim - 1]};
    s.rows = es_cl_n_rows(&s.g);
    if (!s.rows)
        return true;
    if (s.n > UINT32_MAX)
        return es_fail(err, ES_ERR_UNSUPPORTED,
                       "the largest of %" PRId64 " numbers are not looked for on a device", s.n);
    bool ok = (s.k <= FEW ? look_for_few(&s, err) : sort_keys(&s, err)) && take(&s, index, err);
    es_cl_scratch_free(s.d, s.keys);
    return ok;
}
