// SPDX-License-Identifier: GPL-3.0-or-later
/* NumPy's .npy, versions 1.0 to 3.0: ten or twelve bytes, a header that is a Python dict, the numbers.  The
 * header is read as that one dict and nothing else: no expression, no code, no pickle.
 * Source: numpy.org/doc/stable/reference/generated/numpy.lib.format.html. */
#ifndef ES_MODEL_NPY_H
#define ES_MODEL_NPY_H

#include "model/raw.h"

typedef struct es_npy {
    es_raw raw;
    uint64_t left; /* bytes behind the numbers, which belong to nothing */
} es_npy;

/* What the n bytes of a file hold: data in *out are borrowed from them, and inside them.  `path` is for messages.
 * ES_ERR_FORMAT says what is wrong, and for numbers there are none of here, what to do in Python. */
bool es_npy_read(es_npy *out, const void *bytes, size_t n, const char *path, es_error *err);

/* The bytes before the numbers of a version 1.0 file, so many that these begin at a multiple of 64. */
void es_npy_header(es_str *out, es_dtype dtype, const es_shape *shape);

#endif
