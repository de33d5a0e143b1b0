// SPDX-License-Identifier: GPL-3.0-or-later
/* Sums, extremes and softmax along the last axis: kernels/rows.cl. */
#include "opencl/rows.h"

#include "opencl/slots.h"

enum {
    GROUP = 128,       /* work-items, where each has little to do */
    NUMBERS = 8,       /* for one of them, before a row is worth several */
    LONG_ROW = 1 << 16 /* numbers from which a row is worth several groups */
};

static size_t power_of_two_to(size_t n)
{
    size_t p = 1;
    while (p * 2 <= n)
        p *= 2;
    return p;
}

/* Where local memory is no gain a work-item has a row to itself. */
es_cl_share es_cl_share_rows(const es_cl_device *d, int64_t rows, int64_t n)
{
    size_t group = power_of_two_to(d->most_group < GROUP ? d->most_group : GROUP), lanes = group;
    if (!d->fast_local)
        group = lanes = 1;
    else if (n / NUMBERS < (int64_t)group)
        lanes = power_of_two_to((size_t)(n / NUMBERS) + 1);
    size_t at_once = group / lanes;
    return (es_cl_share){{lanes, es_cl_up((size_t)rows, at_once)}, {lanes, at_once}};
}

static size_t room_of(const es_cl_share *s)
{
    return s->local[0] * s->local[1] * sizeof(cl_float2);
}

/* ---- reduce ---- */

/* Into how many parts each row is cut: few long rows keep a whole device busy. */
static cl_long parts_of(int64_t rows, int64_t n)
{
    const int64_t busy = 256;
    int64_t most = n / LONG_ROW + 1, wanted = rows < busy ? busy / rows : 1;
    return most < wanted ? most : wanted;
}

static bool join_parts(es_cl_device *d, const es_cl_grid *g, cl_mem between, cl_mem to, cl_int how,
                       cl_long rows, cl_long parts, es_error *err)
{
    size_t local = d->most_group < GROUP ? d->most_group : GROUP,
           global = es_cl_up((size_t)rows, local);
    return ES_CL_RUN(d, ES_KERNEL_reduce_parts, 1, &global, &local, err, ES_CL_ARG(between),
                     ES_CL_ARG(to), ES_CL_ARG(*g), ES_CL_ARG(how), ES_CL_ARG(rows),
                     ES_CL_ARG(parts));
}

bool es_cl_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err)
{
    es_cl_device *d = es_cl_of(out->buf->be);
    const es_view *views[] = {x, out};
    es_cl_grid g = es_cl_grid_of(views, 2, 1);
    cl_int how = op;
    cl_long rows = es_cl_n_rows(&g), n = g.dim[g.ndim - 1];
    if (!rows)
        return true;
    cl_long parts = parts_of(rows, n), chunk = (n + parts - 1) / parts;
    es_cl_share s = es_cl_share_rows(d, rows * parts, chunk);
    cl_mem from = es_cl_mem(x), to = es_cl_mem(out);
    size_t bytes = parts > 1 ? (size_t)(rows * parts) * sizeof(cl_float2) : 0;
    cl_mem between = es_cl_scratch(d, bytes, NULL, err);
    bool ok = between &&
              ES_CL_RUN(d, ES_KERNEL_reduce_rows, 2, s.global, s.local, err, ES_CL_ARG(from),
                        ES_CL_ARG(to), ES_CL_ARG(between), ES_CL_ARG(g), ES_CL_ARG(how),
                        ES_CL_ARG(rows), ES_CL_ARG(parts), ES_CL_ARG(chunk), {room_of(&s), NULL}) &&
              (parts == 1 || join_parts(d, &g, between, to, how, rows, parts, err));
    es_cl_scratch_free(d, between);
    return ok;
}

/* ---- softmax ---- */

bool es_cl_softmax(const es_view *out, const es_view *x, es_error *err)
{
    es_cl_device *d = es_cl_of(out->buf->be);
    const es_view *views[] = {out, x};
    es_cl_grid g = es_cl_grid_of(views, 2, 1);
    cl_long rows = es_cl_n_rows(&g);
    cl_mem to = es_cl_mem(out), from = es_cl_mem(x);
    if (!g.count)
        return true;
    es_cl_share s = es_cl_share_rows(d, rows, g.dim[g.ndim - 1]);
    return ES_CL_RUN(d, ES_KERNEL_softmax_rows, 2, s.global, s.local, err, ES_CL_ARG(to),
                     ES_CL_ARG(from), ES_CL_ARG(g), ES_CL_ARG(rows), {room_of(&s), NULL});
}
