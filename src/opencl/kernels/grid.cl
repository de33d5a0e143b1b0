// SPDX-License-Identifier: GPL-3.0-or-later
/* OpenCL C 1.2, for every device.  What all kernels share: views, as opencl/grid.h gives them. */
#pragma OPENCL FP_CONTRACT OFF

typedef struct es_cl_grid {
    int ndim, n_views;
    long count;
    long dim[8];
    long stride[3][8];
    long offset[3];
} es_cl_grid;

/* Where element i, in row-major order over the first `axes` axes, lies in view v. */
long es_at(const es_cl_grid *g, int v, long i, int axes)
{
    long at = g->offset[v];
    if (g->count <= UINT_MAX) { /* so does every size */
        uint left = (uint)i;
        for (int d = axes - 1; d > 0; d--) {
            uint size = (uint)g->dim[d], rest = left / size;
            at += (long)(left - rest * size) * g->stride[v][d];
            left = rest;
        }
        return axes > 0 ? at + (long)left * g->stride[v][0] : at;
    }
    for (int d = axes - 1; d >= 0; d--) {
        at += i % g->dim[d] * g->stride[v][d];
        i /= g->dim[d];
    }
    return at;
}
