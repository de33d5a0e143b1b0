// SPDX-License-Identifier: GPL-3.0-or-later
/* Numbers as files hold them, of any width and either byte order, and tensors made of them: in the nearest
 * dtype that holds each of them exactly. */
#ifndef ES_MODEL_RAW_H
#define ES_MODEL_RAW_H

#include "base/watch.h"
#include "core/tensor.h"

typedef struct es_raw_type {
    const char *name;   /* "float16", as NumPy and PyTorch call it */
    const char *npy;    /* "f2"; NULL: NumPy has none */
    const char *stored; /* "F16", in a safetensors file */
    int size;           /* bytes of one */
    es_dtype dtype;     /* what it becomes */
    void (*widen)(void *to, const void *from, size_t n); /* in this machine's byte order */
} es_raw_type;

const es_raw_type *es_raw_type_at(size_t i); /* NULL at the end */
/* By any of its three names; NULL: there is none. */
const es_raw_type *es_raw_type_named(const char *name, size_t n);

typedef struct es_raw {
    const es_raw_type *type;
    bool big_endian;
    bool fortran; /* the first axis varies fastest */
    es_shape shape;
    const unsigned char *data; /* borrowed */
} es_raw;

/* How many bytes they take; false: more than 63 bits can count, also where an axis is empty. */
bool es_raw_bytes(const es_raw *raw, uint64_t *bytes);

/* A tensor's strides, row after row or column after column. */
void es_raw_strides(es_tensor *t, bool fortran);

/* All of them, now.  *out is dense, by columns where raw is, and freed with es_tensor_free.  ES_ERR_NOMEM,
 * ES_ERR_INTERRUPTED; ES_ERR_UNSUPPORTED: a uint64 that int64 has not. */
bool es_raw_read(es_tensor *out, es_backend *be, const es_raw *raw, es_watch *watch, es_error *err);

/* The same when a number is first wanted, and without a copy where they already lie as this machine would have
 * them.  release(owner) is called when the data are needed no longer. */
void es_raw_later(es_tensor *out, es_backend *be, const es_raw *raw, void *owner,
                  void (*release)(void *owner));

/* What a tensor just read holds beside numbers. */
typedef struct es_odd {
    int64_t nan, infinite;
    int64_t first[ES_MAX_DIMS]; /* where the first of them is, as it lies in memory */
} es_odd;
es_odd es_raw_odd(const es_tensor *t);

#endif
