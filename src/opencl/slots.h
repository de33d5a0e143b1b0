// SPDX-License-Identifier: GPL-3.0-or-later
/* The slots of the OpenCL backend, by the file that fills them; contracts: es_backend_ops. */
#ifndef ES_OPENCL_SLOTS_H
#define ES_OPENCL_SLOTS_H

#include "opencl/device.h"

/* pointwise.c */
bool es_cl_write(const es_view *dst, const float *src, es_error *err);
bool es_cl_read(float *dst, const es_view *src, es_error *err);
bool es_cl_copy(const es_view *dst, const es_view *src, es_error *err);
bool es_cl_map(es_map_op op, const es_view *out, const es_view *x, const es_view *y, es_error *err);

/* lookup.c */
bool es_cl_gather(const es_view *out, const es_view *table, const int32_t *ids, const es_view *add,
                  es_error *err);
bool es_cl_scatter_add(const es_view *table, const int32_t *ids, const es_view *rows,
                       es_error *err);

/* rows.c */
bool es_cl_reduce(es_reduce_op op, const es_view *out, const es_view *x, es_error *err);
bool es_cl_softmax(const es_view *out, const es_view *x, es_error *err);

/* largest.c */
bool es_cl_topk(const es_view *values, int64_t *index, const es_view *x, es_error *err);

/* product.c */
bool es_cl_matmul(const es_view *out, const es_view *a, const es_view *b, es_error *err);

#endif
