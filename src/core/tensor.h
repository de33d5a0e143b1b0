// SPDX-License-Identifier: GPL-3.0-or-later
/* A tensor is a shaped, strided view of counted memory: cheap to copy, printable, movable. */
#ifndef ES_CORE_TENSOR_H
#define ES_CORE_TENSOR_H

#include "core/backend.h"
#include "core/shape.h"

typedef enum es_dtype { ES_FLOAT32, ES_FLOAT64, ES_INT64, ES_INT32, ES_BOOL, ES_N_DTYPES } es_dtype;

const char *es_dtype_name(es_dtype dtype); /* "float32" */
size_t es_dtype_size(es_dtype dtype);      /* bytes of one element */

typedef struct es_tensor {
    es_dtype dtype;
    bool number; /* rank 0, a plain number on its way into an operation: gives way to
                    the dtypes of tensors (PyTorch's "wrapped number") */
    es_shape shape;
    int64_t stride[ES_MAX_DIMS]; /* in elements; 0 stretches an axis */
    int64_t offset;              /* in elements, from the start of buf */
    es_buffer *buf;              /* one reference; buf->be is the device; NULL: no tensor */
} es_tensor;

/* A dense tensor, contents unset.  float32 lives on the device, other types in host memory that is
 * labelled with it.  Free with es_tensor_free.  ES_ERR_NOMEM names the size. */
bool es_tensor_new(es_tensor *out, es_backend *be, es_dtype dtype, const es_shape *shape,
                   es_error *err);
void es_tensor_free(es_tensor *t); /* drops the reference; *t becomes empty; safe on an empty one */

/* Views: *out shares t's memory and takes a reference of its own; out may not be t. */
void es_tensor_view(es_tensor *out, const es_tensor *t);
/* out = t[begin:end] along axis, 0 <= begin <= end <= size.  ES_ERR_DIM_RANGE, ES_ERR_SLICE. */
bool es_tensor_slice(es_tensor *out, const es_tensor *t, int axis, int64_t begin, int64_t end,
                     es_error *err);
bool es_tensor_transpose(es_tensor *out, const es_tensor *t, int a, int b, es_error *err);
/* out has a new axis of size 1 at `axis`, 0 <= axis <= ndim. */
bool es_tensor_unsqueeze(es_tensor *out, const es_tensor *t, int axis, es_error *err);
/* out has the given shape: axes align from the right, size 1 or absent stretches.  Labels are
 * shape's.  ES_ERR_EXPAND names the axis. */
bool es_tensor_expand(es_tensor *out, const es_tensor *t, const es_shape *shape, es_error *err);

/* Copy between t and a dense row-major host array of t's dtype, es_shape_count elements. */
bool es_tensor_write(es_tensor *t, const void *src, es_error *err);
bool es_tensor_read(const es_tensor *t, void *dst, es_error *err);

/* t as a backend sees it; t is float32. */
es_view es_tensor_as_view(const es_tensor *t);

#endif
