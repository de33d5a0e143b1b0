// SPDX-License-Identifier: GPL-3.0-or-later
/* Devices.  A backend keeps memory and does arithmetic on strided float32 views.  Shapes, ranges
 * and devices are checked above this line (core/ops.c): a backend is told only what fits. */
#ifndef ES_CORE_BACKEND_H
#define ES_CORE_BACKEND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "core/device.h"
#include "core/shape.h"

typedef struct es_backend es_backend;

typedef struct es_buffer es_buffer;

/* Memory that is made when it is first needed. */
typedef struct es_late {
    bool (*make)(es_buffer *buf, es_error *err); /* sets buf->mem, once */
    void (*forget)(es_buffer *buf);              /* with the last reference; releases mem and of */
    void *of;
    bool (*own)(es_buffer *buf, es_error *err); /* for es_buffer_own; NULL: a copy will do */
} es_late;

/* Memory labelled with a device, counted: each tensor that views it holds one reference. */
struct es_buffer {
    es_backend *be; /* the device this memory belongs to, or is labelled with */
    void *mem;      /* a host pointer, or the driver's handle; NULL: not yet, or never (meta) */
    size_t bytes;
    bool host;    /* plain host memory: ids, int64 and bool live here whatever the device */
    bool meta;    /* no memory, ever: of these tensors only the shape is known */
    es_late late; /* make NULL: memory of its own from the start */
    uint64_t
        number; /* the how many-th of its device, from 1: what views of one memory have in common */
    atomic_int refs;
};

/* float32 elements inside a buffer; offsets and strides in elements.  A stride may be 0 (stretched)
 * and axes may be in any order. */
typedef struct es_view {
    es_buffer *buf;
    int64_t offset;
    int ndim;
    int64_t dim[ES_MAX_DIMS], stride[ES_MAX_DIMS];
} es_view;

typedef enum es_map_op {
    ES_ADD, /* x + y, and so on: two operands */
    ES_SUB,
    ES_MUL,
    ES_DIV,
    ES_POW,
    ES_MAX, /* NaN wins, as in PyTorch */
    ES_MIN,
    ES_NEG, /* one operand from here on */
    ES_ABS,
    ES_EXP,
    ES_LOG,
    ES_SQRT,
    ES_SIN,
    ES_COS,
    ES_TANH,
    ES_N_MAP_OPS
} es_map_op;

static inline bool es_map_is_binary(es_map_op op)
{
    return op < ES_NEG;
}

typedef enum es_reduce_op {
    ES_REDUCE_SUM,
    ES_REDUCE_SUM_SQUARES,
    ES_REDUCE_MAX, /* NaN wins */
    ES_REDUCE_MIN,
    ES_N_REDUCE_OPS
} es_reduce_op;

/* Every slot is filled by every backend.  Views of one call have the sizes each line says. */
typedef struct es_backend_ops {
    const char *name;   /* "cpu", "ref", "opencl" */
    const char *device; /* what users call it: "cpu", "sim", "gpu" */
    const char *about;
    bool host_memory; /* buf->mem is a host pointer, which the host may write through */

    /* The devices of this kind, in the order of their numbers; see es_devices_list. NULL: there is one, always. */
    void (*list)(es_devices *out);
    /* be->number says which.  ES_ERR_BACKEND. */
    bool (*open)(es_backend *be, es_error *err);
    void (*close)(es_backend *be);

    bool (*alloc)(es_backend *be, es_buffer *buf,
                  es_error *err); /* buf->bytes is set; not zeroed */
    void (*release)(es_backend *be, es_buffer *buf);
    bool (*write)(const es_view *dst, const float *src,
                  es_error *err);                                /* src is dense, row-major */
    bool (*read)(float *dst, const es_view *src, es_error *err); /* dst is dense, row-major */
    bool (*copy)(const es_view *dst, const es_view *src, es_error *err); /* equal sizes */

    /* out (B, T, C) = rows of table (V, C) by ids (B * T, dense, all in range), plus add (B, T, C)
     * unless that is NULL. */
    bool (*gather)(const es_view *out, const es_view *table, const int32_t *ids, const es_view *add,
                   es_error *err);
    /* table[ids[n], :] += rows[n, :]; an id may come more than once.  rows (N, C). */
    bool (*scatter_add)(const es_view *table, const int32_t *ids, const es_view *rows,
                        es_error *err);
    /* out = op(x, y), equal sizes; y is NULL for one operand; out may be x or y. */
    bool (*map)(es_map_op op, const es_view *out, const es_view *x, const es_view *y,
                es_error *err);
    /* Over the last axis: out (…, 1) from x (…, n), n > 0 for max and min. */
    bool (*reduce)(es_reduce_op op, const es_view *out, const es_view *x, es_error *err);
    /* out (…, M, N) = a (…, M, K) @ b (…, K, N), equal leading sizes; out overlaps neither. */
    bool (*matmul)(const es_view *out, const es_view *a, const es_view *b, es_error *err);
    /* Over the last axis, equal sizes; out may be x. */
    bool (*softmax)(const es_view *out, const es_view *x, es_error *err);
    /* The k largest of the last axis, best first, ties by index, NaN above all: values (…, k) and
     * index, dense int64 in the same order.  x (…, n), 1 <= k <= n. */
    bool (*topk)(const es_view *values, int64_t *index, const es_view *x, es_error *err);
} es_backend_ops;

struct es_backend {
    const es_backend_ops *ops;
    char name[ES_DEVICE_NAME]; /* of the device, as users call it: "cpu", "gpu", "gpu:1" */
    int number;                /* among its kind, from 0 */
    void *priv;
    int threads;           /* at most this many */
    char about[160];       /* filled by open: "OpenBLAS 0.3.21 Zen, 2 threads" */
    _Atomic size_t in_use; /* bytes allocated now */
    _Atomic uint64_t made; /* buffers, since it was opened */
    atomic_bool
        lost; /* the device answers no more: each slot fails with ES_ERR_BACKEND from here on, and what
                                  was in its memory is gone.  Set by the backend */
    atomic_bool full; /* it had too little memory, since this was last set back */
    es_ran ran;       /* what was computed on it, and what beside it */
};

/* Has it memory of its own, out of the host's reach?  NULL: no. */
static inline bool es_backend_is_far(const es_backend *be)
{
    return be && !be->ops->host_memory;
}

/* The i-th backend compiled in, or NULL; index 0 is the default. */
const es_backend_ops *es_backend_at(int i);

/* Open the device that users call `device` ("cpu", "sim", "gpu", "gpu:1", "cuda"); threads 0 means at most 4.
 * ES_ERR_BACKEND when it is not there, ES_ERR_VALUE when nothing is called that.
 * Close with es_backend_close, after the last buffer on it. */
es_backend *es_backend_open(const char *device, int threads, es_error *err);

/* Is it not lost?  Else ES_ERR_BACKEND says so. */
bool es_backend_answers(const es_backend *be, es_error *err);
void es_backend_close(es_backend *be); /* NULL is fine */

/* `bytes` of memory on the device, or in host memory labelled with it; one reference. ES_ERR_NOMEM. */
es_buffer *es_buffer_new(es_backend *be, size_t bytes, bool host, es_error *err);
/* One without memory, of which only the device is known. */
es_buffer *es_buffer_meta(es_backend *be);
/* One whose memory `late` makes on first need. */
es_buffer *es_buffer_later(es_backend *be, size_t bytes, bool host, es_late late);
/* Its memory is wanted now: true when there is some.  Not for a meta buffer.  ES_ERR_NOMEM and what
 * `late` says. */
bool es_buffer_need(es_buffer *buf, es_error *err);
/* Memory that was lent (made late) becomes the buffer's own, with the same numbers, so that it can be written
 * to; there is some.  ES_ERR_NOMEM. */
bool es_buffer_own(es_buffer *buf, es_error *err);
es_buffer *es_buffer_ref(es_buffer *buf);
void es_buffer_unref(es_buffer *buf); /* NULL is fine */

int64_t es_view_count(const es_view *v);

/* Where the i-th element in row-major order lies, in elements from the start of the buffer. */
int64_t es_view_at(const es_view *v, int64_t i);

/* Is every element next to the one before it in row-major order? */
bool es_view_dense(const es_view *v);

#endif
