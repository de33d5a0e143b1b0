// SPDX-License-Identifier: GPL-3.0-or-later
/* CLBlast, a BLAS on OpenCL, where it is installed: opened when a GPU is. */
#ifndef ES_OPENCL_CLBLAST_H
#define ES_OPENCL_CLBLAST_H

#include "opencl/grid.h"

/* Is it there, and of use on this device?  EMBEDSCOPE_CLBLAST=0 says no, 1 says yes of a processor too. */
bool es_clblast_open(const es_cl_device *d);

/* One product of the batch: out (M, N) = a (M, K) @ b (K, N) at these places, views of g in this order.  False: the strides are none it
 * takes, or it failed, and then it is not asked again. */
bool es_clblast_multiply(es_cl_device *d, const es_cl_grid *g, const cl_mem mem[3],
                         const int64_t at[3], int64_t K);

#endif
