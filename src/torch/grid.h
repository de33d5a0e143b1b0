// SPDX-License-Identifier: GPL-3.0-or-later
/* A walk over several tensors of one shape together, and where results belong: what the loops of all operations
 * have in common. */
#ifndef ES_TORCH_GRID_H
#define ES_TORCH_GRID_H

#include "torch/cells.h"
#include "torch/host.h"
#include "torch/torch.h"

enum {
    ES_MOST_GRID = 4,             /* tensors in one walk */
    ES_ROW = 1024,                /* elements in one piece of a row, at most */
    ES_STRETCH_WORK = 65536,      /* elements between two looks at the watch */
    ES_FAR_STRETCH_WORK = 1 << 24 /* where a device of its own works on them */
};

typedef struct es_grid {
    int n, ndim; /* ndim >= 1: axes that lie behind one another in all tensors are one */
    int64_t dim[ES_MAX_DIMS];
    const es_tensor *t[ES_MOST_GRID];
    int64_t stride[ES_MOST_GRID][ES_MAX_DIMS];
} es_grid;

es_grid es_grid_over(const es_tensor *const *t, int n);

/* Up to ES_ROW elements of each tensor, in row-major order. */
typedef bool es_grid_fn(void *ctx, const es_cells *row, int64_t n, es_error *err);

/* fn for all of it, looking at k's watch; the tensors are in host memory. */
bool es_grid_rows(es_torch *k, const es_grid *g, es_grid_fn *fn, void *ctx, es_error *err);

/* Views of up to ES_STRETCH_WORK elements (ES_FAR_STRETCH_WORK), for a backend. */
typedef bool es_views_fn(void *ctx, const es_view *v, es_error *err);
bool es_grid_views(es_torch *k, const es_grid *g, es_views_fn *fn, void *ctx, es_error *err);

/* fn for out and x cut into parts of about ES_STRETCH_WORK elements of x, `axis` never cut: their other axes are
 * equal.  Views; they borrow. */
typedef bool es_part_fn(void *ctx, es_tensor *out, const es_tensor *x, es_error *err);
bool es_torch_by_halves(es_torch *k, const es_tensor *out, const es_tensor *x, int axis,
                        es_part_fn *fn, void *ctx, es_error *err);

/* ---- operands and results ---- */

/* The device where a result of these n operands belongs: a plain number has none, and one number on the cpu
 * goes anywhere.  NULL and ES_ERR_DEVICE where they live on two. */
es_backend *es_torch_device(const es_tensor *const *t, int n, es_error *err);

/* Is x of floats?  If not, what is for floats, and PyTorch says: before, x's dtype, after. */
bool es_torch_floats(const es_tensor *x, const char *what, const char *before, const char *after,
                     es_error *err);

/* A tensor for the result of n operands, on their device.  It is meta, and nothing is to be computed, where
 * one of them is. */
bool es_torch_result(es_torch *k, es_tensor *out, const es_tensor *const *t, int n, es_dtype dtype,
                     const es_shape *shape, es_error *err);

/* The same, in memory that the host can fill. */
bool es_host_result(es_torch *k, es_tensor *out, const es_tensor *const *t, int n, es_dtype dtype,
                    const es_shape *shape, es_error *err);

#endif
