// SPDX-License-Identifier: GPL-3.0-or-later
/* How rows are shared out among work-items. */
#ifndef ES_OPENCL_ROWS_H
#define ES_OPENCL_ROWS_H

#include "opencl/grid.h"

/* Groups of local[0] work-items a row and local[1] rows, for `rows` rows of n numbers. */
typedef struct es_cl_share {
    size_t global[2], local[2];
} es_cl_share;

es_cl_share es_cl_share_rows(const es_cl_device *d, int64_t rows, int64_t n);

/* Rows, that is all but the last axis. */
static inline int64_t es_cl_n_rows(const es_cl_grid *g)
{
    int64_t rows = 1;
    for (int i = 0; i + 1 < g->ndim; i++)
        rows *= g->dim[i];
    return rows;
}

#endif
