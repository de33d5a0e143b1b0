// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch/grid.h"

#include <string.h>

#include "torch/device.h"

/* Can axis d of all of them be read on into axis d + 1? */
static bool continues(const es_grid *g, int d, int64_t inner)
{
    for (int i = 0; i < g->n; i++)
        if (g->stride[i][d] != g->stride[i][d + 1] * inner)
            return false;
    return true;
}

static void drop_axis(es_grid *g, int d)
{
    for (int a = d; a + 1 < g->ndim; a++) {
        g->dim[a] = g->dim[a + 1];
        for (int i = 0; i < g->n; i++)
            g->stride[i][a] = g->stride[i][a + 1];
    }
    g->ndim--;
}

es_grid es_grid_over(const es_tensor *const *t, int n)
{
    es_grid g = {.n = n, .ndim = t[0]->shape.ndim};
    for (int i = 0; i < n; i++) {
        g.t[i] = t[i];
        memcpy(g.stride[i], t[i]->stride, sizeof g.stride[i]);
    }
    memcpy(g.dim, t[0]->shape.dim, sizeof g.dim);
    for (int d = g.ndim - 1; d >= 0 && g.ndim > 1; d--)
        if (g.dim[d] == 1)
            drop_axis(&g, d);
    for (int d = g.ndim - 2; d >= 0; d--)
        if (continues(&g, d, g.dim[d + 1])) {
            g.dim[d + 1] *= g.dim[d];
            drop_axis(&g, d);
        }
    if (g.ndim == 0) {
        g.ndim = 1;
        g.dim[0] = 1;
        for (int i = 0; i < n; i++)
            g.stride[i][0] = 1;
    }
    return g;
}

static bool is_empty(const es_grid *g)
{
    for (int d = 0; d < g->ndim; d++)
        if (g->dim[d] == 0)
            return true;
    return false;
}

/* On to the next place of the first `axes` axes; false after the last.  at[i]: where tensor i is. */
static bool next_place(const es_grid *g, int axes, int64_t *place, int64_t *at)
{
    for (int d = axes - 1; d >= 0; d--) {
        bool carry = ++place[d] == g->dim[d];
        for (int i = 0; i < g->n; i++)
            at[i] += carry ? (1 - g->dim[d]) * g->stride[i][d] : g->stride[i][d];
        if (!carry)
            return true;
        place[d] = 0;
    }
    return false;
}

static void *cell(const es_tensor *t, int64_t at)
{
    return (char *)t->buf->mem + at * (int64_t)es_dtype_size(t->dtype);
}

bool es_grid_rows(es_torch *k, const es_grid *g, es_grid_fn *fn, void *ctx, es_error *err)
{
    int last = g->ndim - 1;
    int64_t place[ES_MAX_DIMS] = {0}, at[ES_MOST_GRID] = {0}, worked = 0;
    if (is_empty(g))
        return true;
    for (int i = 0; i < g->n; i++)
        at[i] = g->t[i]->offset;
    do {
        for (int64_t from = 0, n; from < g->dim[last]; from += n) {
            es_cells row[ES_MOST_GRID];
            n = g->dim[last] - from < ES_ROW ? g->dim[last] - from : ES_ROW;
            for (int i = 0; i < g->n; i++) {
                int64_t step = g->stride[i][last];
                row[i] = (es_cells){cell(g->t[i], at[i] + from * step), g->t[i]->dtype, step};
            }
            if (!fn(ctx, row, n, err))
                return false;
            worked += n;
            if (worked >= ES_STRETCH_WORK && !es_watch_step(k->watch, 0, err))
                return false;
            worked = worked >= ES_STRETCH_WORK ? 0 : worked;
        }
    } while (next_place(g, last, place, at));
    return true;
}

/* Elements between two looks at the watch: a kernel that is started for few of them has hardly begun. */
static int64_t stretch_of(const es_tensor *t)
{
    return es_torch_far(t) ? ES_FAR_STRETCH_WORK : ES_STRETCH_WORK;
}

/* The first axis that is handed over in pieces: all behind it fits into one. */
static int axis_of_pieces(const es_grid *g, int64_t *piece)
{
    int64_t inner = 1, most = stretch_of(g->t[0]);
    int d = g->ndim - 1;
    while (d > 0 && inner * g->dim[d] <= most) /* dims of a tensor in memory: < 2^31 */
        inner *= g->dim[d--];
    *piece = most / inner;
    return d;
}

bool es_grid_views(es_torch *k, const es_grid *g, es_views_fn *fn, void *ctx, es_error *err)
{
    int64_t place[ES_MAX_DIMS] = {0}, at[ES_MOST_GRID], piece;
    if (is_empty(g))
        return true;
    int d = axis_of_pieces(g, &piece);
    es_view v[ES_MOST_GRID] = {0};
    for (int i = 0; i < g->n; i++) {
        at[i] = g->t[i]->offset;
        v[i] = (es_view){.buf = g->t[i]->buf, .ndim = g->ndim - d};
        for (int a = d; a < g->ndim; a++) {
            v[i].dim[a - d] = g->dim[a];
            v[i].stride[a - d] = g->stride[i][a];
        }
    }
    do {
        for (int64_t from = 0; from < g->dim[d]; from += piece) {
            for (int i = 0; i < g->n; i++) {
                v[i].offset = at[i] + from * g->stride[i][d];
                v[i].dim[0] = g->dim[d] - from < piece ? g->dim[d] - from : piece;
            }
            if (!es_watch_step(k->watch, 0, err) || !fn(ctx, v, err))
                return false;
        }
    } while (next_place(g, d, place, at));
    return true;
}

static int longest_axis(const es_shape *s, int but)
{
    int longest = -1;
    for (int d = 0; d < s->ndim; d++)
        if (d != but && s->dim[d] > 1 && (longest < 0 || s->dim[d] > s->dim[longest]))
            longest = d;
    return longest;
}

static es_tensor part(const es_tensor *t, int axis, int64_t begin, int64_t end)
{
    es_tensor p = *t;
    p.offset += begin * t->stride[axis];
    p.shape.dim[axis] = end - begin;
    return p;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as a size has binary digits, 31 */
bool es_torch_by_halves(es_torch *k, const es_tensor *out, const es_tensor *x, int axis,
                        es_part_fn *fn, void *ctx, es_error *err)
{
    int cut = longest_axis(&x->shape, axis);
    es_tensor whole = *out;
    if (es_shape_count(&x->shape) <= stretch_of(x) || cut < 0)
        return es_watch_step(k->watch, 0, err) && fn(ctx, &whole, x, err);
    int64_t n = x->shape.dim[cut];
    for (int side = 0; side < 2; side++) {
        int64_t begin = side ? n / 2 : 0, end = side ? n : n / 2;
        es_tensor to = part(out, cut, begin, end), from = part(x, cut, begin, end);
        if (!es_torch_by_halves(k, &to, &from, axis, fn, ctx, err))
            return false;
    }
    return true;
}

/* ---- operands and results ---- */

es_backend *es_torch_device(const es_tensor *const *t, int n, es_error *err)
{
    const es_tensor *home = NULL, *guest = NULL;
    for (int i = 0; i < n; i++) {
        if (es_torch_goes_anywhere(t[i])) {
            guest = guest && t[i]->number ? guest : t[i];
        } else if (home && !es_torch_same_device(home, t[i], NULL, err)) {
            return NULL;
        } else {
            home = t[i];
        }
    }
    return home ? home->buf->be : guest ? guest->buf->be : NULL;
}

bool es_torch_floats(const es_tensor *x, const char *what, const char *before, const char *after,
                     es_error *err)
{
    if (es_dtype_is_float(x->dtype))
        return true;
    es_fail(err, ES_ERR_DTYPE, "%s is for floats, and this is %s", what, es_dtype_name(x->dtype));
    es_hint(err, "try: .float() first");
    return es_torch_says(err, "%s%s%s", before, es_torch_scalar_name(x->dtype), after);
}

bool es_torch_result(es_torch *k, es_tensor *out, const es_tensor *const *t, int n, es_dtype dtype,
                     const es_shape *shape, es_error *err)
{
    *out = (es_tensor){0};
    es_backend *be = es_torch_device(t, n, err);
    es_torch settings = *k;
    for (int i = 0; i < n; i++)
        settings.shapes_only = settings.shapes_only || es_torch_meta(t[i]);
    return be && es_torch_new(&settings, out, be, dtype, shape, err);
}

bool es_host_result(es_torch *k, es_tensor *out, const es_tensor *const *t, int n, es_dtype dtype,
                    const es_shape *shape, es_error *err)
{
    if (!es_torch_result(k, out, t, n, dtype, shape, err))
        return false;
    if (es_host_instead(out, err))
        return true;
    es_tensor_free(out);
    return false;
}
