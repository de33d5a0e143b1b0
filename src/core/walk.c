// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/walk.h"

es_walk es_walk_over(const es_view *const *views, int n_views)
{
    bool dense = true;
    for (int i = 0; i < n_views; i++)
        dense = dense && es_view_dense(views[i]);
    if (!dense)
        return es_walk_rows(views, n_views);

    es_walk w = {.n_views = n_views, .n = es_view_count(views[0]), .dim = views[0]->dim};
    for (int i = 0; i < n_views; i++) {
        w.v[i].stride = views[i]->stride;
        w.v[i].row = es_view_start(views[i]);
        w.v[i].step = 1;
    }
    return w;
}

es_walk es_walk_rows(const es_view *const *views, int n_views)
{
    int last = views[0]->ndim - 1;
    es_walk w = {.n_views = n_views, .outer = last, .n = views[0]->dim[last], .dim = views[0]->dim};
    for (int i = 0; i < n_views; i++) {
        w.v[i].stride = views[i]->stride;
        w.v[i].row = es_view_start(views[i]);
        w.v[i].step = views[i]->stride[last];
    }
    return w;
}

bool es_walk_next(es_walk *w)
{
    for (int d = w->outer - 1; d >= 0; d--) {
        bool carry = ++w->at[d] == w->dim[d];
        for (int i = 0; i < w->n_views; i++)
            w->v[i].row += carry ? (1 - w->dim[d]) * w->v[i].stride[d] : w->v[i].stride[d];
        if (!carry)
            return true;
        w->at[d] = 0;
    }
    return false;
}
