// SPDX-License-Identifier: GPL-3.0-or-later
/* Views of equal sizes as kernels take them: axes that lie behind one another in all of them are one. */
#ifndef ES_OPENCL_GRID_H
#define ES_OPENCL_GRID_H

#include "opencl/device.h"

enum { ES_CL_VIEWS = 3 };

/* The same struct stands in kernels/grid.cl. */
typedef struct es_cl_grid {
    cl_int ndim, n_views;
    cl_long count; /* elements */
    cl_long dim[ES_MAX_DIMS];
    cl_long stride[ES_CL_VIEWS][ES_MAX_DIMS];
    cl_long offset[ES_CL_VIEWS];
} es_cl_grid;

/* 1 to 3 views, in this order.  keep: so many last axes stay as they are (1 where a kernel works on rows); ndim is at least 1, or keep. */
es_cl_grid es_cl_grid_of(const es_view *const *views, int n_views, int keep);

#endif
