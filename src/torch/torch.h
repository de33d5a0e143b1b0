// SPDX-License-Identifier: GPL-3.0-or-later
/* What PyTorch does to tensors: its dtypes, broadcasting, views and indexing, for all dtypes, with named
 * axes carried along.  Each operation works out shape, labels, dtype and device first and computes
 * after that; where nothing is to be computed (shapes only) it stops there.
 *
 * All of them: `out` is set by the call to a tensor the caller frees (es_tensor_free), and is empty
 * after a failure; `out` is none of the operands.  Axes may be negative.  Errors say what is wrong with
 * these operands (message), and what PyTorch says (torch); places and drawings are the caller's. */
#ifndef ES_TORCH_TORCH_H
#define ES_TORCH_TORCH_H

#include "base/watch.h"
#include "core/tensor.h"

/* What every operation needs besides its operands. */
typedef struct es_torch {
    es_backend *be;   /* where new tensors are made unless an operand or argument says otherwise */
    bool shapes_only; /* results have no memory (meta), nothing is computed */
    bool strict;      /* different names meeting on one axis are an error, not a note */
    es_watch *watch;  /* looked at every few ms of work; may be NULL */
    int64_t most_bytes;   /* of one tensor; more is refused */
    uint64_t seed, drawn; /* of rand and randn: the seed, and how many numbers were drawn */
    void (*note)(void *user, const char *text); /* a remark; NULL: none wanted */
    void *user;
} es_torch;

enum { ES_MOST_ELEMENTS_LOG2 = 31 }; /* a tensor with memory has at most 2^31 elements */

/* A dense tensor on be, contents unset; without memory where k says shapes only.  ES_ERR_NOMEM names the
 * shape and its size in GiB, before anything is allocated. */
bool es_torch_new(es_torch *k, es_tensor *out, es_backend *be, es_dtype dtype,
                  const es_shape *shape, es_error *err);

/* Is a tensor of that shape small enough to be made?  ES_ERR_NOMEM, as es_torch_new says it.  For who reads or
 * writes lists of such a length before. */
bool es_torch_fits(const es_torch *k, es_dtype dtype, const es_shape *shape, es_error *err);

/* Can its numbers, and those of the shape with no axis empty, be counted?  ES_ERR_NOMEM.  For who makes views
 * larger than what they look at; es_torch_new asks, meta tensors included. */
bool es_torch_countable(const es_shape *shape, es_error *err);

/* Like es_torch_new for a result computed from x: on its device, and meta where x is. */
bool es_torch_like(es_torch *k, es_tensor *out, const es_tensor *x, es_dtype dtype,
                   const es_shape *shape, es_error *err);

/* Is there nothing to compute for t: is it meta? */
static inline bool es_torch_meta(const es_tensor *t)
{
    return t->buf->meta;
}

/* t's numbers are wanted: memory that is made late is made now.  A meta tensor has none: ES_ERR_VALUE,
 * "what … needs are values, and only shapes are known here". */
bool es_torch_ready(es_torch *k, const es_tensor *t, const char *what, es_error *err);

/* A remark, as printf has it. */
void es_torch_note(es_torch *k, const char *fmt, ...) ES_PRINTF(2, 3);

/* A plain number as an operand (out->number is set): rank 0; int64, float64 or bool. */
bool es_torch_int(es_torch *k, es_tensor *out, int64_t value, es_error *err);
bool es_torch_float(es_torch *k, es_tensor *out, double value, es_error *err);
bool es_torch_bool(es_torch *k, es_tensor *out, bool value, es_error *err);

/* Does its whole part fit 64 bits?  Not if it is NaN.  (2^63 in decimals: an analyser misreads 0x1p63.) */
static inline bool es_fits_int64(double x)
{
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0;
}

/* 0 <= *axis < ndim from a negative or positive one.  ES_ERR_DIM_RANGE, in PyTorch's words too.  A tensor of
 * rank 0 has the axes -1 and 0. */
bool es_torch_axis(int *axis, int64_t typed, int ndim, es_error *err);

/* The i-th element in row-major order of a tensor that is ready, in host memory. */
double es_torch_get_float(const es_tensor *t, int64_t i);
int64_t es_torch_get_int(const es_tensor *t, int64_t i);

/* What PyTorch calls things in its messages: "Long" and "torch.FloatTensor". */
const char *es_torch_scalar_name(es_dtype dtype);
const char *es_torch_tensor_name(es_dtype dtype);

#endif
