// SPDX-License-Identifier: GPL-3.0-or-later
/* A walk over the rows (last axes) of up to three views of equal sizes that lie in host memory. */
#ifndef ES_CORE_WALK_H
#define ES_CORE_WALK_H

#include "core/backend.h"

enum { ES_MAX_WALK = 3 };

typedef struct es_walk {
    int n_views, outer; /* outer: axes before the last; fewer make longer strides */
    int64_t n;          /* elements in a row */
    const int64_t *dim; /* borrowed from the first view */
    int64_t at[ES_MAX_DIMS];
    struct {
        const int64_t *stride; /* borrowed */
        float *row;            /* where the current row begins */
        int64_t step;          /* between its elements */
    } v[ES_MAX_WALK];
} es_walk;

/* At the first row.  The views have at least one element.  Where all of them are dense there is one
 * long row; es_walk_rows keeps rows as rows (rank at least 1). */
es_walk es_walk_over(const es_view *const *views, int n_views);
es_walk es_walk_rows(const es_view *const *views, int n_views);

/* On to the next row in row-major order; false after the last. */
bool es_walk_next(es_walk *w);

static inline float *es_view_start(const es_view *v)
{
    return (float *)v->buf->mem + v->offset;
}

#endif
