// SPDX-License-Identifier: GPL-3.0-or-later
#include "opencl/grid.h"

/* Does axis d lie behind axis d - 1 in all views, so that the two are one? */
static bool runs_on(const es_cl_grid *g, int last, const es_view *const *views, int d)
{
    for (int v = 0; v < g->n_views; v++)
        if (g->stride[v][last] != views[v]->stride[d] * views[v]->dim[d])
            return false;
    return true;
}

static void add_axis(es_cl_grid *g, const es_view *const *views, int d)
{
    g->dim[g->ndim] = views[0]->dim[d];
    for (int v = 0; v < g->n_views; v++)
        g->stride[v][g->ndim] = views[v]->stride[d];
    g->ndim++;
}

static void join_axis(es_cl_grid *g, const es_view *const *views, int d)
{
    int last = g->ndim - 1;
    g->dim[last] *= views[0]->dim[d];
    for (int v = 0; v < g->n_views; v++)
        g->stride[v][last] = views[v]->stride[d];
}

es_cl_grid es_cl_grid_of(const es_view *const *views, int n_views, int keep)
{
    const es_view *first = views[0];
    es_cl_grid g = {.n_views = n_views, .count = es_view_count(first)};
    int n = first->ndim, kept = n - keep;
    for (int v = 0; v < n_views; v++)
        g.offset[v] = views[v]->offset;
    for (int d = 0; d < n; d++) {
        if (d < kept && first->dim[d] == 1)
            continue;
        if (d < kept && g.ndim > 0 && runs_on(&g, g.ndim - 1, views, d))
            join_axis(&g, views, d);
        else
            add_axis(&g, views, d);
    }
    if (g.ndim == 0) { /* one number */
        g.dim[0] = 1;
        g.ndim = 1;
    }
    return g;
}
